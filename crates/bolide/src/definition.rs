//! The core abstraction: a [`Segment`] becomes statistics, statistics merge, and a [`Definition`] turns the
//! merged statistics into a score.
//!
//! Corpus scores, threads, bootstrap samples and the partitions of a cluster all use that one merge. Only
//! [`Definition::segment`] reads text; only [`Definition::finish`] computes a score. The set of definitions
//! is closed: [`crate::registry`] lists them.

#[cfg(feature = "evidence")]
use crate::evidence::Evidence;
use crate::explanation::Explanation;
use crate::language::Language;
use crate::record::Record;
use crate::score::Components;
use crate::segment::{Segment, Text};
use crate::signature::Signature;
use crate::token_batch::{Numbers, WordReader};

/// The statistics of a metric. `default()` is the empty corpus.
pub trait Mergeable: Clone + Default + Record + Send + Sync {
    /// Adds the statistics of the segments that *follow*.
    ///
    /// Merging is associative. It is also commutative if the statistics are integers. A dialect for which it
    /// is not declares that ([`Merging`](crate::dialect::Merging)), and every door merges in segment order,
    /// so results do not depend on threads or batches.
    fn merge(&mut self, other: &Self);
}

/// A configured metric of one kind. Building one can fail; using one cannot.
pub trait Definition: sealed::Sealed + Send + Sync {
    /// The mergeable statistics.
    type Stats: Mergeable;
    /// The score with all intermediate values.
    type Score;
    /// Buffers and caches of one worker. They save time and never change a number.
    type Scratch: Default + Send;

    /// The statistics of one segment. This is the only step that reads text.
    fn segment(&self, segment: Segment<'_>, scratch: &mut Self::Scratch) -> Self::Stats;

    /// The score of a corpus: pure arithmetic.
    fn finish(&self, stats: &Self::Stats) -> Self::Score;

    /// The value of a score.
    fn value(&self, score: &Self::Score) -> f64;

    /// The components of a score. Their names depend only on the configuration.
    fn components(&self, score: &Self::Score) -> Components;

    /// The full name, with every key that changes the number.
    fn signature(&self) -> Signature;

    /// The score of a single segment. It equals [`finish`](Self::finish) unless the metric's authors score
    /// single segments by another rule (sacreBLEU's effective order).
    fn finish_segment(&self, stats: &Self::Stats) -> Self::Score {
        self.finish(stats)
    }

    /// The value of one segment: that of its [`finish_segment`](Self::finish_segment). Metrics that can
    /// compute it without statistics override this.
    fn segment_value(&self, segment: Segment<'_>, scratch: &mut Self::Scratch) -> f64 {
        self.value(&self.finish_segment(&self.segment(segment, scratch)))
    }

    /// Prepares to number the words of a batch, which [`segment_of_numbers`](Self::segment_of_numbers) then
    /// scores; `None` if the metric needs more of a token than the word that it is.
    fn word_reader<'s>(&self, _scratch: &'s mut Self::Scratch) -> Option<WordReader<'s>> {
        None
    }

    /// Like [`segment`](Self::segment), for tokens that have been numbered.
    fn segment_of_numbers(&self, _: Numbers<'_>, _scratch: &mut Self::Scratch) -> Self::Stats {
        Self::Stats::default()
    }

    /// Like [`segment_value`](Self::segment_value), for tokens that have been numbered.
    fn value_of_numbers(&self, numbers: Numbers<'_>, scratch: &mut Self::Scratch) -> f64 {
        self.value(&self.finish_segment(&self.segment_of_numbers(numbers, scratch)))
    }

    /// The statistics of a segment as this configuration has them, from those of a configuration that differs in
    /// parameters of the formula only. The segment has one reference: the formula may choose among several.
    /// Metrics whose statistics hold scores override this.
    fn rescored(&self, stats: &Self::Stats) -> Self::Stats {
        stats.clone()
    }

    /// Scores every text against every text, itself included, as its only reference: `each` gets the
    /// hypothesis, the reference and the score. Metrics that can prepare texts once override this.
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

    /// Whether the tokenizer splits only at white space. If so, a caller may pass either the text or its
    /// white-space tokens and gets the same score.
    fn splits_at_spaces(&self) -> bool {
        false
    }

    /// Whether the metric finds words by the spaces between them, so that a text without any is one word. The code is that of
    /// a language without spaces.
    fn needs_spaces(&self, _language: &str) -> bool {
        false
    }

    /// Whether the words of the metric are of the letters a to z and digits, and all others separate them.
    fn keeps_ascii_only(&self) -> bool {
        false
    }

    /// Whether a match counts for more the fewer segments of the corpus have it, and for nothing if all have it. A segment alone then
    /// has the score 0.
    fn weighs_by_corpus(&self) -> bool {
        false
    }

    /// The language that the metric takes texts to be in, if that matters to it.
    fn language(&self) -> Option<&'static Language> {
        None
    }

    /// Its name as people write it, if that says more than the title of the family: `BLEU-4`, `ROUGE-L`, `chrF2++`.
    fn title(&self) -> Option<String> {
        None
    }

    /// Whether the dialect's declared range holds for these parameters.
    fn keeps_range(&self) -> bool {
        true
    }

    /// The alignment and every step of the formula, if there is an alignment.
    fn explain(&self, _segment: Segment<'_>) -> Option<Explanation> {
        None
    }

    /// What the score of a segment is counted from, if the metric can show it.
    #[cfg(feature = "evidence")]
    fn evidence(&self, _segment: Segment<'_>) -> Option<Evidence> {
        None
    }

    /// The rows in which the metric's own program resamples, if it has them.
    fn rows(&self) -> Option<&dyn Rows<Stats = Self::Stats>> {
        None
    }
}

/// Statistics as rows of numbers that add up as statistics merge. sacreBLEU resamples such rows in 32-bit
/// floats.
pub trait Rows: Send + Sync {
    /// The statistics that become rows.
    type Stats;

    /// How wide a row is.
    fn columns(&self) -> Columns;

    /// Writes statistics as a row.
    fn write_row(&self, stats: &Self::Stats, row: &mut [f64]);

    /// Reads a row, or a sum of rows, back.
    fn read_row(&self, row: &[f64]) -> Self::Stats;

    /// The score of a sum of rows as the metric's own program computes it from 32-bit floats.
    fn score_row(&self, row: &[f32]) -> f64;

    /// Whether that program computes this score in 32 bits throughout; then it is a number of 32 bits.
    fn is_single(&self, row: &[f32], score: f64) -> bool;
}

/// The layout of [`Rows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The length of a row.
    pub count: usize,
}

/// Keeps the set of definitions closed.
pub(crate) mod sealed {
    /// Implemented by the registry for each kind of metric that it lists.
    pub trait Sealed {}
}
