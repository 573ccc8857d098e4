//! The whole idea on one screen: a [`Segment`] becomes [`Statistics`], statistics merge, and a
//! [`Metric`] turns the merged statistics into a score.
//!
//! Corpus scores, threads, bootstrap samples and the partitions of a cluster are all that one
//! merge. Only [`Metric::segment`] reads text; only [`Metric::finish`] does arithmetic.

use crate::error::{Error, ErrorKind, Result};
use crate::record::Record;
use crate::report::Report;
use crate::resample::Columns;
use crate::signature::Signature;
use crate::stop::Stop;

/// One side of a segment: text still to be tokenised, or tokens that the caller made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text<'a> {
    /// A string; the metric's tokenizer splits it.
    Raw(&'a str),
    /// Tokens as given; the metric's tokenizer is skipped, case folding is not.
    Tokens(&'a [&'a str]),
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Text::Raw(text)
    }
}

impl<'a> From<&'a [&'a str]> for Text<'a> {
    fn from(tokens: &'a [&'a str]) -> Self {
        Text::Tokens(tokens)
    }
}

/// A hypothesis and at least one reference.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    hypothesis: Text<'a>,
    references: &'a [Text<'a>],
    stop: Stop<'a>,
}

impl<'a> Segment<'a> {
    /// Refuses an empty list of references once, so that nothing below has to check.
    pub fn new(hypothesis: Text<'a>, references: &'a [Text<'a>]) -> Result<Self> {
        if references.is_empty() {
            return Err(Error::new(
                ErrorKind::InvalidSegment,
                "a segment needs at least one reference, got none",
            ));
        }
        Ok(Segment { hypothesis, references, stop: Stop::default() })
    }

    /// The hypothesis.
    pub fn hypothesis(&self) -> Text<'a> {
        self.hypothesis
    }

    /// The references: never empty.
    pub fn references(&self) -> &'a [Text<'a>] {
        self.references
    }

    /// The same segment, whose scoring ends early once `question` says yes. Its result means nothing
    /// then, so whoever asks has to look at his own answer before using it.
    #[must_use]
    pub fn stopped_by(self, question: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Segment { stop: Stop::when(question), ..self }
    }

    /// What long steps ask now and then.
    pub fn stop(&self) -> Stop<'a> {
        self.stop
    }
}

/// What a metric remembers of the segments it has read. `default()` is the empty corpus.
pub trait Statistics: Clone + Default + Record + Send + Sync {
    /// Adds the statistics of the segments that *follow*.
    ///
    /// Merging is associative. It is commutative too wherever the statistics are integers; a
    /// field that is not (a left-to-right float sum that a peer prescribes) says so, and every
    /// door merges in segment order, so results do not depend on threads or batches.
    fn merge(&mut self, other: &Self);
}

/// A configured metric. Building one can fail, using one cannot.
pub trait Metric: Send + Sync {
    /// The mergeable statistics.
    type Stats: Statistics;
    /// The score with everything that led to it.
    type Score;
    /// Buffers and caches of one worker. They make scoring quick and never move a number.
    type Scratch: Default + Send;

    /// Reads one segment: the only step that looks at text.
    fn segment(&self, segment: Segment<'_>, scratch: &mut Self::Scratch) -> Self::Stats;

    /// Pure arithmetic: the score of a corpus.
    fn finish(&self, stats: &Self::Stats) -> Self::Score;

    /// The score of a single segment. The same as [`finish`](Self::finish) unless the metric's
    /// authors score single segments by another rule (sacreBLEU's effective order).
    fn finish_segment(&self, stats: &Self::Stats) -> Self::Score {
        self.finish(stats)
    }

    /// The number of a score. Metrics whose report has many components say it without making one.
    fn value(&self, score: &Self::Score) -> f64 {
        self.report(score).score
    }

    /// The number of one segment: that of its [`finish_segment`](Self::finish_segment), for those who
    /// want nothing else. Metrics say it without making statistics first where they can.
    fn score(&self, segment: Segment<'_>, scratch: &mut Self::Scratch) -> f64 {
        self.value(&self.finish_segment(&self.segment(segment, scratch)))
    }

    /// Whether a text is split at white space and nowhere else: whoever has the parts may then give
    /// these or the text, for the same score.
    fn splits_at_spaces(&self) -> bool {
        false
    }

    /// Flattens a score for printing: a value and named components.
    fn report(&self, score: &Self::Score) -> Report;

    /// Scores every text against every other, and itself, as its only reference: `each` gets the
    /// hypothesis, the reference and the score. Metrics that can prepare texts once do.
    fn pairwise(
        &self,
        texts: &[Text<'_>],
        scratch: &mut Self::Scratch,
        each: &mut dyn FnMut(usize, usize, f64),
    ) {
        for (reference, text) in texts.iter().enumerate() {
            let references = std::slice::from_ref(text);
            for (idx, &hypothesis) in texts.iter().enumerate() {
                let stop = Stop::default();
                let stats = self.segment(Segment { hypothesis, references, stop }, scratch);
                each(idx, reference, self.report(&self.finish_segment(&stats)).score);
            }
        }
    }

    /// The flat form of the statistics in which the metric's own program resamples, if it has one.
    fn columns(&self) -> Option<Columns> {
        None
    }

    /// Writes statistics as a row of [`columns`](Self::columns) numbers.
    fn write_row(&self, _stats: &Self::Stats, _row: &mut [f64]) {}

    /// Reads a row, or a sum of rows, back.
    fn read_row(&self, _row: &[f64]) -> Self::Stats {
        Self::Stats::default()
    }

    /// The score of a sum of rows as the metric's own program computes it from 32-bit floats.
    fn score_row(&self, _row: &[f32]) -> f64 {
        f64::NAN
    }

    /// Names everything that moves the number.
    fn signature(&self) -> Signature;
}
