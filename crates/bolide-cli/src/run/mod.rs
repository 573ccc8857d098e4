//! Scoring a corpus: batches in, statistics out, in segment order.
//!
//! While the segments of one batch are shared out over the threads the next one is read. Workers
//! keep their scorers, with warm buffers, from batch to batch. Statistics come back in the order of
//! the segments, summed up in parts for those who only want the sum, and are merged in that order, so
//! every result has the same bits for any number of threads and any size of batch. Printing is left
//! to `output`.

mod metrics;

pub use metrics::{NamedMetric, all_resources};

use crate::error::Result;
use crate::input::{Batch, Corpus, Layout};
use crate::progress::Progress;
use bolide::{AnyStats, Scorer, Segment, Text};
use rayon::prelude::*;
use std::sync::Mutex;

/// Segments that a worker takes at once: enough to make the hand-over cheap, few enough to share
/// a batch fairly.
const CHUNK: usize = 32;

/// What becomes of the statistics.
pub trait Consumer: Sync {
    /// What a worker makes of a few consecutive segments.
    type Part: Default + Send;

    /// Whether single segments matter. If not, [`row`](Self::row) is not called, and the statistics
    /// of a part may be its sum.
    fn wants_segments(&self) -> bool {
        true
    }

    /// Called on the worker threads, for each segment in order within its part. `stats` holds the
    /// systems one after the other, each with all metrics; `segment` counts from 1.
    fn segment(&self, segment: u64, stats: &[AnyStats], part: &mut Self::Part);

    /// The same with the texts at hand, for those that want them.
    fn row(&self, row: &Row<'_>, stats: &[AnyStats], part: &mut Self::Part) {
        self.segment(row.segment, stats, part);
    }

    /// Called on one thread with all parts in order. `stats` holds those of its segments, one
    /// segment after the other, or their sum.
    fn merge(&mut self, stats: Vec<AnyStats>, part: Self::Part) -> Result<()>;
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
pub fn run(
    mut corpus: Corpus,
    metrics: &[NamedMetric],
    threads: usize,
    progress: &Progress,
    consumer: &mut impl Consumer,
) -> Result<Facts> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let workers = Workers {
        metrics,
        layout: corpus.layout(),
        n_systems: corpus.systems.len(),
        idle: Mutex::default(),
    };
    progress.start(corpus.progress());
    let mut facts = Facts { n_segments: 0, n_references: Spread::NOTHING };
    let (mut batch, mut next) = (Batch::default(), Batch::default());
    corpus.read(&next, &mut batch)?;
    if batch.rows() == 0 {
        return Err(corpus.empty());
    }
    while batch.rows() > 0 {
        let (read, scored) = pool.join(
            || corpus.read(&batch, &mut next),
            || workers.score(&batch, facts.n_segments, &*consumer),
        );
        // Segments before a damaged line are still written: stdout cannot be taken back anyway,
        // and a file is only put in place after the end.
        for part in scored {
            facts.n_references.include(part.n_references);
            consumer.merge(part.stats, part.made)?;
        }
        facts.n_segments += batch.rows() as u64;
        progress.advance(facts.n_segments);
        read?;
        std::mem::swap(&mut batch, &mut next);
    }
    progress.finish();
    Ok(facts)
}

/// A few consecutive segments, scored.
struct Part<T> {
    stats: Vec<AnyStats>,
    n_references: Spread,
    made: T,
}

/// Scorers that outlive the batches.
struct Workers<'m> {
    metrics: &'m [NamedMetric],
    layout: Layout,
    n_systems: usize,
    idle: Mutex<Vec<Vec<Scorer<'m>>>>,
}

impl Workers<'_> {
    fn score<C: Consumer>(&self, batch: &Batch, before: u64, consumer: &C) -> Vec<Part<C::Part>> {
        let n_chunks = batch.rows().div_ceil(CHUNK);
        let chunks = (0..n_chunks).into_par_iter().map(|idx| {
            let rows = idx * CHUNK..batch.rows().min((idx + 1) * CHUNK);
            self.with_scorers(|scorers| self.chunk(batch, rows, before, scorers, consumer))
        });
        chunks.collect()
    }

    fn chunk<C: Consumer>(
        &self,
        batch: &Batch,
        rows: std::ops::Range<usize>,
        before: u64,
        scorers: &mut [Scorer<'_>],
        consumer: &C,
    ) -> Part<C::Part> {
        let per_segment = self.n_systems * scorers.len();
        let wants_segments = consumer.wants_segments();
        let in_parts = self.metrics.iter().all(|named| named.metric.sums_in_parts());
        let one_by_one = wants_segments || !in_parts;
        let mut part = Part {
            stats: Vec::with_capacity(if one_by_one { rows.len() * per_segment } else { 0 }),
            n_references: Spread::NOTHING,
            made: C::Part::default(),
        };
        if !one_by_one {
            let empty = || self.metrics.iter().map(|named| named.metric.empty());
            part.stats.extend((0..self.n_systems).flat_map(|_| empty()));
        }
        let mut references = Vec::new();
        for row in rows {
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
                consumer.row(&texts, &part.stats[start..], &mut part.made);
            }
        }
        part
    }

    /// Lends scorers that are idle, or makes new ones. A poisoned lock cannot leave them half
    /// used: they are out of the list while they work.
    fn with_scorers<T>(&self, work: impl FnOnce(&mut [Scorer<'_>]) -> T) -> T {
        let idle = self.idle.lock().map_or(None, |mut idle| idle.pop());
        let mut scorers = idle
            .unwrap_or_else(|| self.metrics.iter().map(|named| named.metric.scorer()).collect());
        let result = work(&mut scorers);
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(scorers);
        }
        result
    }
}
