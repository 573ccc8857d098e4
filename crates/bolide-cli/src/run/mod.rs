//! Scores a corpus: takes batches and returns corpora of statistics, in segment order.
//!
//! Each worker reads a batch and scores it itself, while its texts are in the cache; workers only wait for their
//! turn to read. They keep their scorers, with allocated buffers, from batch to batch. Statistics are merged in
//! the order of the segments (`bolide-runner`), so every result has the same bits for any number of threads and
//! any size of batch. `output` prints.

mod metrics;

pub use metrics::{NamedMetric, all_resources, tokenizer_for};

use crate::error::Result;
use crate::input::{Batch, Corpus, Layout};
use crate::progress::Progress;
use bolide::dialect::Merging;
use bolide::{Scorer, Segment, Statistics, Text};
use bolide_runner::Runner;

/// What workers make of segments in addition to statistics.
pub trait Maker: Sync {
    /// What is made of one batch.
    type Part: Default + Send;

    /// Whether single segments matter. If not, [`row`](Self::row) is not called, and the consumer gets
    /// no statistics.
    fn wants_segments(&self) -> bool {
        true
    }

    /// Called for each segment, in order within its batch. `stats` holds one system after the other,
    /// each with all metrics.
    fn row(&self, row: &Row<'_>, stats: &[Statistics], part: &mut Self::Part)
    -> bolide::Result<()>;
}

/// Receives the results in order.
pub trait Consumer {
    /// What a worker made of one batch.
    type Part;

    /// Called with all parts in order. If single segments matter, `stats` holds the statistics of the part's
    /// segments, one segment after the other.
    fn merge(&mut self, stats: Vec<Statistics>, part: Self::Part) -> Result<()>;
}

/// Makes nothing: for callers that need only the statistics of every segment.
pub struct Nothing;

impl Maker for Nothing {
    type Part = ();

    fn row(&self, _: &Row<'_>, _: &[Statistics], (): &mut ()) -> bolide::Result<()> {
        Ok(())
    }
}

/// The texts of one segment.
pub struct Row<'a> {
    /// Counts from 1.
    pub segment: u64,
    /// The references: at least one.
    pub references: &'a [Text<'a>],
    layout: &'a Layout,
    batch: &'a Batch,
    at: usize,
}

impl<'a> Row<'a> {
    /// The hypothesis of a system.
    pub fn hypothesis(&self, system: usize) -> &'a str {
        self.layout.hypothesis(self.batch, self.at, system)
    }

    /// The text of an extra column.
    pub fn extra(&self, extra: usize) -> &'a str {
        self.layout.extra(self.batch, self.at, extra)
    }
}

/// Scores every system of a corpus with every metric. The result holds one system after the other, each with all
/// metrics.
pub fn run<M: Maker>(
    mut corpus: Corpus,
    metrics: &[NamedMetric],
    runner: Runner,
    progress: &Progress,
    maker: &M,
    consumer: &mut impl Consumer<Part = M::Part>,
) -> Result<Vec<bolide::Corpus>> {
    let work = Work { metrics, layout: corpus.layout(), n_systems: corpus.systems.len(), maker };
    progress.start(corpus.progress());
    let mut totals = work.corpora();
    let (mut n_read, mut n_merged) = (0, 0);
    let read = |(batch, before): &mut (Batch, u64)| -> Result<bool> {
        corpus.read(batch)?;
        *before = n_read;
        n_read += batch.rows() as u64;
        Ok(batch.rows() > 0)
    };
    // Segments before a damaged line are still written: output to stdout cannot be undone, and a file gets its
    // name only at the end.
    let mut merge = |part: bolide::Result<Part<M::Part>>| {
        let part = part?;
        n_merged += part.n_references.len() as u64;
        part.add_to(&mut totals)?;
        let stats = if maker.wants_segments() { part.stats } else { Vec::new() };
        consumer.merge(stats, part.made)?;
        progress.advance(n_merged);
        Ok(())
    };
    let make = |(batch, before): &(Batch, u64), scorers: &mut Vec<Scorer>| {
        work.part(batch, *before, scorers)
    };
    runner.run(read, || work.scorers(), make, &mut merge)?;
    if n_merged == 0 {
        return Err(corpus.empty());
    }
    progress.finish();
    Ok(totals)
}

/// The segments of one batch, scored.
struct Part<T> {
    /// The statistics of every segment, if they have to be merged one by one or are wanted.
    stats: Vec<Statistics>,
    /// Otherwise their sums.
    sums: Vec<bolide::Corpus>,
    /// How many references each segment has.
    n_references: Vec<usize>,
    made: T,
}

impl<T> Part<T> {
    fn add_to(&self, totals: &mut [bolide::Corpus]) -> Result<()> {
        for (total, sum) in totals.iter_mut().zip(&self.sums) {
            total.merge(sum)?;
        }
        for (stats, &n_references) in self.stats.chunks(totals.len()).zip(&self.n_references) {
            for (total, stats) in totals.iter_mut().zip(stats) {
                total.push_statistics(stats, n_references)?;
            }
        }
        Ok(())
    }
}

/// The work on every batch.
struct Work<'m, M> {
    metrics: &'m [NamedMetric],
    layout: Layout,
    n_systems: usize,
    maker: &'m M,
}

impl<M: Maker> Work<'_, M> {
    /// The scorers of one worker.
    fn scorers(&self) -> Vec<Scorer> {
        self.metrics.iter().map(|named| named.metric.scorer()).collect()
    }

    /// Empty corpora: one system after the other, each with all metrics.
    fn corpora(&self) -> Vec<bolide::Corpus> {
        let of_system = || self.metrics.iter().map(|named| named.metric.corpus());
        (0..self.n_systems).flat_map(|_| of_system()).collect()
    }

    /// Whether the statistics of single segments have to leave the worker.
    fn one_by_one(&self) -> bool {
        let merging = |named: &NamedMetric| named.metric.dialect().merging;
        self.maker.wants_segments()
            || self.metrics.iter().any(|named| merging(named) == Merging::SegmentsInOrder)
    }

    /// Scores a batch; `before` is the number of segments before it.
    fn part(
        &self,
        batch: &Batch,
        before: u64,
        scorers: &mut [Scorer],
    ) -> bolide::Result<Part<M::Part>> {
        let n_columns = self.n_systems * scorers.len();
        let one_by_one = self.one_by_one();
        let mut part = Part {
            stats: Vec::with_capacity(if one_by_one { batch.rows() * n_columns } else { 0 }),
            sums: if one_by_one { Vec::new() } else { self.corpora() },
            n_references: Vec::with_capacity(batch.rows()),
            made: M::Part::default(),
        };
        let mut references = Vec::new();
        for row in 0..batch.rows() {
            self.layout.references(batch, row, &mut references);
            part.n_references.push(references.len());
            let start = part.stats.len();
            for system in 0..self.n_systems {
                let hypothesis = self.layout.hypothesis(batch, row, system);
                let segment = Segment::new(hypothesis.into(), &references)?;
                if one_by_one {
                    part.stats.extend(scorers.iter_mut().map(|scorer| scorer.statistics(segment)));
                } else {
                    let sums = part.sums.iter_mut().skip(system * scorers.len());
                    for (scorer, sum) in scorers.iter_mut().zip(sums) {
                        scorer.push(segment, sum)?;
                    }
                }
            }
            if self.maker.wants_segments() {
                let texts = Row {
                    segment: before + row as u64 + 1,
                    references: &references,
                    layout: &self.layout,
                    batch,
                    at: row,
                };
                self.maker.row(&texts, &part.stats[start..], &mut part.made)?;
            }
        }
        Ok(part)
    }
}
