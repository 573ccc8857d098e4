//! Scoring a corpus: batches in, statistics out, in segment order.
//!
//! A worker reads a batch and scores it while others do the same with theirs, so that texts are
//! scored where they were read and nobody waits for anybody but to read. Workers keep their scorers,
//! with warm buffers, from batch to batch. What becomes of the statistics is decided in the order of
//! the segments, summed up in parts for those who only want the sum, so every result has the same
//! bits for any number of threads and any size of batch. Printing is left to `output`.

mod metrics;
mod threads;

pub use metrics::{NamedMetric, all_resources};

use crate::error::Result;
use crate::input::{Batch, Corpus, Layout};
use crate::progress::Progress;
use bolide::{AnyStats, Scorer, Segment, Text};

/// What workers make of segments beside statistics.
pub trait Maker: Sync {
    /// What is made of a few consecutive segments.
    type Part: Default + Send;

    /// Whether single segments matter. If not, [`row`](Self::row) is not called, and the statistics
    /// of a part may be its sum.
    fn wants_segments(&self) -> bool {
        true
    }

    /// Called for each segment in order within its part. `stats` holds the systems one after the
    /// other, each with all metrics.
    fn row(&self, row: &Row<'_>, stats: &[AnyStats], part: &mut Self::Part);
}

/// What becomes of it all.
pub trait Consumer {
    /// What a worker made of a few consecutive segments.
    type Part;

    /// Called with all parts in order. `stats` holds those of its segments, one segment after the
    /// other, or their sum.
    fn merge(&mut self, stats: Vec<AnyStats>, part: Self::Part) -> Result<()>;
}

/// Makes nothing: for those who want statistics alone.
pub enum Nothing {
    /// Those of every segment.
    OfSegments,
    /// Their sums.
    OfSums,
}

impl Maker for Nothing {
    type Part = ();

    fn wants_segments(&self) -> bool {
        matches!(self, Nothing::OfSegments)
    }

    fn row(&self, _: &Row<'_>, _: &[AnyStats], (): &mut ()) {}
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

    /// What stands in an extra column.
    pub fn extra(&self, extra: usize) -> &'a str {
        self.layout.extra(self.batch, self.at, extra)
    }
}

/// What is known of a corpus once it has been read.
pub struct Facts {
    /// How many segments there were.
    pub n_segments: u64,
    /// How many references the segments had.
    pub n_references: Spread,
}

/// The smallest and the largest of some counts.
#[derive(Clone, Copy)]
pub struct Spread {
    /// The smallest; more than the largest while nothing was counted.
    pub min: usize,
    /// The largest.
    pub max: usize,
}

impl Spread {
    const NOTHING: Spread = Spread { min: usize::MAX, max: 0 };

    fn include(&mut self, other: Spread) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }
}

impl Facts {
    /// The number of references as signatures write it.
    pub fn nrefs(&self) -> String {
        let Spread { min, max } = self.n_references;
        if min == max { min.to_string() } else { "var".to_owned() }
    }
}

/// Scores every system of a corpus with every metric.
pub fn run<M: Maker>(
    mut corpus: Corpus,
    metrics: &[NamedMetric],
    threads: usize,
    progress: &Progress,
    maker: &M,
    consumer: &mut impl Consumer<Part = M::Part>,
) -> Result<Facts> {
    let work = Work { metrics, layout: corpus.layout(), n_systems: corpus.systems.len(), maker };
    progress.start(corpus.progress());
    let mut facts = Facts { n_segments: 0, n_references: Spread::NOTHING };
    // Segments before a damaged line are still written: stdout cannot be taken back anyway, and a
    // file is only put in place after the end.
    let merge = |part: Part<M::Part>| {
        facts.n_segments += part.n_segments;
        facts.n_references.include(part.n_references);
        consumer.merge(part.stats, part.made)?;
        progress.advance(facts.n_segments);
        Ok(())
    };
    threads::each_batch(
        &mut corpus,
        threads,
        || work.scorers(),
        |batch, before, scorers| work.part(batch, before, scorers),
        merge,
    )?;
    if facts.n_segments == 0 {
        return Err(corpus.empty());
    }
    progress.finish();
    Ok(facts)
}

/// The segments of one batch, scored.
struct Part<T> {
    stats: Vec<AnyStats>,
    n_segments: u64,
    n_references: Spread,
    made: T,
}

/// What there is to do with every batch.
struct Work<'m, M> {
    metrics: &'m [NamedMetric],
    layout: Layout,
    n_systems: usize,
    maker: &'m M,
}

impl<'m, M: Maker> Work<'m, M> {
    /// The scorers of one worker.
    fn scorers(&self) -> Vec<Scorer<'m>> {
        self.metrics.iter().map(|named| named.metric.scorer()).collect()
    }

    /// Scores a batch; `before` counts the segments before it.
    fn part(&self, batch: &Batch, before: u64, scorers: &mut [Scorer<'_>]) -> Part<M::Part> {
        let per_segment = self.n_systems * scorers.len();
        let wants_segments = self.maker.wants_segments();
        let in_parts = self.metrics.iter().all(|named| named.metric.sums_in_parts());
        let one_by_one = wants_segments || !in_parts;
        let mut part = Part {
            stats: Vec::with_capacity(if one_by_one { batch.rows() * per_segment } else { 0 }),
            n_segments: batch.rows() as u64,
            n_references: Spread::NOTHING,
            made: M::Part::default(),
        };
        if !one_by_one {
            let empty = || self.metrics.iter().map(|named| named.metric.empty());
            part.stats.extend((0..self.n_systems).flat_map(|_| empty()));
        }
        let mut references = Vec::new();
        for row in 0..batch.rows() {
            self.layout.references(batch, row, &mut references);
            let n = references.len();
            part.n_references.include(Spread { min: n, max: n });
            let start = part.stats.len();
            for system in 0..self.n_systems {
                let hypothesis = self.layout.hypothesis(batch, row, system);
                // `references` is never empty, so a segment can always be made.
                let Ok(segment) = Segment::new(hypothesis.into(), &references) else { continue };
                if one_by_one {
                    part.stats.extend(scorers.iter_mut().map(|scorer| scorer.segment(segment)));
                } else {
                    let totals = part.stats.iter_mut().skip(system * scorers.len());
                    scorers.iter_mut().zip(totals).for_each(|(one, total)| one.add(segment, total));
                }
            }
            if wants_segments {
                let texts = Row {
                    segment: before + row as u64 + 1,
                    references: &references,
                    layout: &self.layout,
                    batch,
                    at: row,
                };
                self.maker.row(&texts, &part.stats[start..], &mut part.made);
            }
        }
        part
    }
}
