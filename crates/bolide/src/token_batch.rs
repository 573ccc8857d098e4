//! Segments of tokens that are read as word numbers first and scored later, without their strings.
//!
//! Some strings are expensive to hold on to: those of Python may only be read without the interpreter if each of them
//! is kept alive. A door reads such tokens once, one by one, and the numbers are scored. Numbers belong to the
//! vocabulary of a worker, so a batch borrows its [`Scorer`]: nothing else can use, and thereby empty, the vocabulary
//! before the batch is scored.

use crate::corpus::Corpus;
use crate::error::Result;
use crate::metric::Scorer;
use crate::statistics::Statistics;
use crate::text::lists::Lists;
use crate::text::vocabulary::{ShortWord, Vocabulary};
use std::ops::Range;

/// Segments of tokens, as numbers.
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// use bolide::{Metric, unstable::TokenBatch};
/// let metric: Metric = "meteor:nltk".parse()?;
/// let mut scorer = metric.scorer();
/// let batch = TokenBatch::read(&mut scorer, 6, |reader| {
///     for text in [["on", "the", "mat"], ["the", "mat", "on"]] {
///         text.iter().for_each(|token| _ = reader.push(token));
///         reader.end_text();
///     }
///     reader.end_segment();
///     Some(())
/// });
/// assert_eq!(batch.unwrap().value(0), metric.score("on the mat", &["the mat on"])?.value);
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
pub struct TokenBatch<'s> {
    scorer: &'s mut Scorer,
    texts: Lists,
    /// Where the texts of each segment end.
    ends: Vec<usize>,
}

/// Longer texts make a reader allocate again.
const USUAL: usize = 128;

impl<'s> TokenBatch<'s> {
    /// The segments that `read` adds. `None` if it returns `None`, or if the metric needs more of a token than
    /// the word that it is. For more than `room` tokens it allocates repeatedly.
    pub fn read(
        scorer: &'s mut Scorer,
        room: usize,
        read: impl FnOnce(&mut TokenReader<'_>) -> Option<()>,
    ) -> Option<Self> {
        let (mut texts, mut ends) = (Lists::with_capacity(room), Vec::new());
        let words = scorer.word_reader()?;
        let text = Vec::with_capacity(USUAL);
        read(&mut TokenReader { words, text, texts: &mut texts, ends: &mut ends })?;
        Some(TokenBatch { scorer, texts, ends })
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no segment.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of references of a segment.
    pub fn n_references(&self, idx: usize) -> usize {
        self.texts_of(idx).len().saturating_sub(1)
    }

    /// The number of tokens of a segment, with all its references.
    pub fn n_tokens(&self, idx: usize) -> usize {
        self.texts_of(idx).map(|text| self.texts.get(text).len()).sum()
    }

    /// The score of a segment, as [`Scorer::value`] returns it.
    pub fn value(&mut self, idx: usize) -> f64 {
        let range = self.texts_of(idx);
        self.scorer.value_of_numbers(Numbers { texts: &self.texts, range })
    }

    /// The statistics of a segment, as [`Scorer::statistics`] returns them.
    pub fn statistics(&mut self, idx: usize) -> Statistics {
        let range = self.texts_of(idx);
        self.scorer.statistics_of_numbers(Numbers { texts: &self.texts, range })
    }

    /// Adds a segment to a corpus of the same metric.
    pub fn push(&mut self, idx: usize, corpus: &mut Corpus) -> Result<()> {
        corpus.push_statistics(&self.statistics(idx), self.n_references(idx))
    }

    fn texts_of(&self, idx: usize) -> Range<usize> {
        let start = idx.checked_sub(1).and_then(|before| self.ends.get(before));
        start.copied().unwrap_or(0)..self.ends.get(idx).copied().unwrap_or(0)
    }
}

/// Appends segments to a [`TokenBatch`].
pub struct TokenReader<'b> {
    words: WordReader<'b>,
    /// The text that is being read.
    text: Vec<ShortWord>,
    texts: &'b mut Lists,
    ends: &'b mut Vec<usize>,
}

impl TokenReader<'_> {
    /// Adds a token to the text that is being read. Returns what [`push_again`](Self::push_again) takes, unless the
    /// token is a long or rare one.
    #[inline(always)]
    pub fn push(&mut self, token: &str) -> Option<ShortWord> {
        let WordReader { vocabulary, lowercase, buffer } = &mut self.words;
        let short = Vocabulary::short(token, *lowercase);
        match short {
            Some(short) => self.text.push(short),
            None => self.text.push(vocabulary.intern_long(token, *lowercase, buffer)),
        }
        short
    }

    /// Adds a token that a reader of the same metric has read before.
    #[inline(always)]
    pub fn push_again(&mut self, token: ShortWord) {
        self.text.push(token);
    }

    /// Ends a text: the hypothesis of a segment, or one of its references.
    pub fn end_text(&mut self) {
        self.words.vocabulary.intern_short(&self.text, self.texts.items_mut());
        self.texts.close();
        self.text.clear();
    }

    /// Ends a segment, which has a hypothesis and at least one reference.
    pub fn end_segment(&mut self) {
        self.ends.push(self.texts.len());
    }

    /// The number of tokens of the texts so far.
    pub fn n_tokens(&self) -> usize {
        self.texts.n_items()
    }
}

/// The words of a worker, for a metric that needs only their numbers.
pub struct WordReader<'s> {
    pub(crate) vocabulary: &'s mut Vocabulary,
    /// Whether words are compared in lower case.
    pub(crate) lowercase: bool,
    pub(crate) buffer: &'s mut String,
}

/// The numbers of one segment.
#[derive(Clone)]
pub struct Numbers<'b> {
    texts: &'b Lists,
    range: Range<usize>,
}

impl<'b> Numbers<'b> {
    /// The hypothesis.
    pub(crate) fn hypothesis(&self) -> &'b [u32] {
        self.texts.get(self.range.start)
    }

    /// The references.
    pub(crate) fn references(&self) -> impl Iterator<Item = &'b [u32]> + use<'b> {
        let texts = self.texts;
        self.range.clone().skip(1).map(move |idx| texts.get(idx))
    }
}
