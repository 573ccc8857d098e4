//! The whole idea on one screen: a [`Segment`] becomes statistics, statistics merge, and a
//! [`Definition`] turns the merged statistics into a score.
//!
//! Corpus scores, threads, bootstrap samples and the partitions of a cluster are all that one
//! merge. Only [`Definition::segment`] reads text; only [`Definition::finish`] does arithmetic. The set
//! of definitions is closed: [`crate::registry`] lists them.

use crate::explanation::Explanation;
use crate::record::Record;
use crate::score::Components;
use crate::segment::{Segment, Text};
use crate::signature::Signature;

/// What a metric remembers of the segments it has read. `default()` is the empty corpus.
pub trait Mergeable: Clone + Default + Record + Send + Sync {
    /// Adds the statistics of the segments that *follow*.
    ///
    /// Merging is associative. It is commutative too wherever the statistics are integers; a
    /// dialect where it is not says so ([`Merging`](crate::dialect::Merging)), and every door merges
    /// in segment order, so results do not depend on threads or batches.
    fn merge(&mut self, other: &Self);
}

/// A configured metric of one kind. Building one can fail, using one cannot.
pub trait Definition: sealed::Sealed + Send + Sync {
    /// The mergeable statistics.
    type Stats: Mergeable;
    /// The score with everything that led to it.
    type Score;
    /// Buffers and caches of one worker. They make scoring quick and never move a number.
    type Scratch: Default + Send;

    /// Reads one segment: the only step that looks at text.
    fn segment(&self, segment: Segment<'_>, scratch: &mut Self::Scratch) -> Self::Stats;

    /// Pure arithmetic: the score of a corpus.
    fn finish(&self, stats: &Self::Stats) -> Self::Score;

    /// The number of a score.
    fn value(&self, score: &Self::Score) -> f64;

    /// What the score was made of. Which names there are depends on the configuration only.
    fn components(&self, score: &Self::Score) -> Components;

    /// Names everything that moves the number.
    fn signature(&self) -> Signature;

    /// The score of a single segment. The same as [`finish`](Self::finish) unless the metric's
    /// authors score single segments by another rule (sacreBLEU's effective order).
    fn finish_segment(&self, stats: &Self::Stats) -> Self::Score {
        self.finish(stats)
    }

    /// The number of one segment: that of its [`finish_segment`](Self::finish_segment), for those who
    /// want nothing else. Metrics say it without making statistics first where they can.
    fn segment_value(&self, segment: Segment<'_>, scratch: &mut Self::Scratch) -> f64 {
        self.value(&self.finish_segment(&self.segment(segment, scratch)))
    }

    /// Scores every text against every other, and itself, as its only reference: `each` gets the
    /// hypothesis, the reference and the score. Metrics that can prepare texts once do.
    fn pairwise(
        &self,
        texts: &[Text<'_>],
        scratch: &mut Self::Scratch,
        each: &mut dyn FnMut(usize, usize, f64),
    ) {
        for (at, reference) in texts.iter().enumerate() {
            for (idx, &hypothesis) in texts.iter().enumerate() {
                each(idx, at, self.segment_value(Segment::pair(hypothesis, reference), scratch));
            }
        }
    }

    /// Whether a text is split at white space and nowhere else: whoever has the parts may then give
    /// these or the text, for the same score.
    fn splits_at_spaces(&self) -> bool {
        false
    }

    /// Whether the parameters are those that the dialect's range was declared for.
    fn keeps_range(&self) -> bool {
        true
    }

    /// The alignment and every step of the formula, if there is an alignment.
    fn explain(&self, _segment: Segment<'_>) -> Option<Explanation> {
        None
    }

    /// The flat form of the statistics in which the metric's own program resamples, if it has one.
    fn rows(&self) -> Option<&dyn Rows<Stats = Self::Stats>> {
        None
    }
}

/// Statistics as rows of numbers that add up as statistics merge: sacreBLEU resamples such rows, in
/// 32-bit floats.
pub trait Rows: Send + Sync {
    /// The statistics that become rows.
    type Stats;

    /// How wide a row is, and how it is scored.
    fn columns(&self) -> Columns;

    /// Writes statistics as a row.
    fn write_row(&self, stats: &Self::Stats, row: &mut [f64]);

    /// Reads a row, or a sum of rows, back.
    fn read_row(&self, row: &[f64]) -> Self::Stats;

    /// The score of a sum of rows as the metric's own program computes it from 32-bit floats.
    fn score_row(&self, row: &[f32]) -> f64;
}

/// The form of [`Rows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// How many numbers a row has.
    pub count: usize,
    /// Whether the metric's own program computes resampled scores in 32 bits throughout.
    pub single: bool,
}

/// Keeps the set of definitions closed.
pub(crate) mod sealed {
    /// Implemented by the registry for each kind of metric that it lists.
    pub trait Sealed {}
}
