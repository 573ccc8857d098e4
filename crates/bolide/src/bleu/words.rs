//! From a segment to counts: tokens, token numbers, clipped matches. Shared by the dialects.

use super::MOST_ORDERS;
use crate::definition::Mergeable;
use crate::error::Result;
use crate::ngram::Overlap;
use crate::resources::Resources;
use crate::segment::{Segment, Text};
use crate::signature::Keys;
use crate::text::lists::Lists;
use crate::text::numbering::Numbering;
use crate::text::vocabulary::Vocabulary;
use crate::text::{Tokens, WordTokenizer, case, thirteen_a, whitespace, word_tokenize};
use std::sync::Arc;

/// How raw text is split. Tokens from the caller are used as they are.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Tokenizer {
    /// At white space, as Python's `str.split`.
    Space,
    /// As `mteval-v13a`.
    ThirteenA,
    /// As NLTK's `word_tokenize`.
    Words(Arc<WordTokenizer>),
}

impl Tokenizer {
    /// Reads the key `tok`. Only the chosen tokenizer needs its table.
    pub(super) fn take(
        keys: &mut Keys,
        default: Tokenizer,
        resources: &Resources,
    ) -> Result<Tokenizer> {
        #[derive(Clone, Copy)]
        enum Choice {
            Default,
            Space,
            ThirteenA,
            Words,
        }
        let choices =
            [("space", Choice::Space), ("13a", Choice::ThirteenA), ("nltk", Choice::Words)];
        match keys.choice("tok", &choices, Choice::Default)? {
            Choice::Default => Ok(default),
            Choice::Space => Ok(Tokenizer::Space),
            Choice::ThirteenA => Ok(Tokenizer::ThirteenA),
            Choice::Words => Ok(Tokenizer::Words(resources.word_tokenizer(keys.name())?)),
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Tokenizer::Space => "space",
            Tokenizer::ThirteenA => "13a",
            Tokenizer::Words(_) => "nltk",
        }
    }

    fn each_token(&self, text: &str, buffers: &mut Buffers, each: impl FnMut(&str)) {
        match self {
            Tokenizer::Space => whitespace::each_token(text, each),
            Tokenizer::ThirteenA => thirteen_a::each_token(text, &mut buffers.rewritten, each),
            Tokenizer::Words(words) => {
                buffers.tokens.clear();
                words.tokenize(text, &mut buffers.words, &mut buffers.tokens);
                buffers.tokens.iter().for_each(each);
            }
        }
    }
}

/// Buffers of the tokenizers.
#[derive(Clone, Debug, Default)]
struct Buffers {
    numbering: Numbering,
    rewritten: String,
    lowered: String,
    tokens: Tokens,
    words: word_tokenize::Scratch,
}

impl Buffers {
    /// Replaces the contents of `numbers` by those of a text's tokens.
    fn read(
        &mut self,
        text: Text<'_>,
        (tokenizer, case): (&Tokenizer, Case),
        vocabulary: &mut Vocabulary,
        numbers: &mut Vec<u32>,
    ) {
        let lowercase = case == Case::Lower;
        if let (Text::Raw(text), Tokenizer::Space) = (text, tokenizer)
            && self.numbering.read(text, lowercase, vocabulary, numbers)
        {
            return;
        }
        numbers.clear();
        let mut lowered = std::mem::take(&mut self.lowered);
        let mut each = |word: &str| {
            numbers.push(match case {
                Case::Mixed => vocabulary.intern(word),
                Case::Lower => vocabulary.intern(case::lower(word, &mut lowered)),
            });
        };
        match text {
            Text::Raw(text) => tokenizer.each_token(text, self, each),
            Text::Tokens(tokens) => tokens.iter().for_each(|token| each(token)),
        }
        self.lowered = lowered;
    }
}

/// Whether case matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// It does.
    Mixed,
    /// Every token is lower-cased.
    Lower,
}

impl Case {
    pub(super) fn take(keys: &mut Keys) -> Result<Case> {
        keys.choice("case", &[("mixed", Case::Mixed), ("lc", Case::Lower)], Case::Mixed)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Case::Mixed => "mixed",
            Case::Lower => "lc",
        }
    }
}

/// Buffers of one worker.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    vocabulary: Vocabulary,
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
    references: Lists,
    overlap: Overlap,
    buffers: Buffers,
}

/// n-gram counts of one or more segments, for the dialects that need nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Clipped matches of each order.
    pub matches: [u64; MOST_ORDERS],
    /// Hypothesis n-grams of each order.
    pub totals: [u64; MOST_ORDERS],
    /// Hypothesis tokens.
    pub hypothesis_length: u64,
    /// Tokens of the references that the dialect compares lengths with.
    pub reference_length: u64,
}

crate::record::record!(Counts { matches, totals, hypothesis_length, reference_length });

impl Mergeable for Counts {
    fn merge(&mut self, other: &Self) {
        self.matches.iter_mut().zip(other.matches).for_each(|(sum, n)| *sum += n);
        self.totals.iter_mut().zip(other.totals).for_each(|(sum, n)| *sum += n);
        self.hypothesis_length += other.hypothesis_length;
        self.reference_length += other.reference_length;
    }
}

impl Counts {
    /// Matches and totals of the first orders.
    pub(super) fn orders(&self, n: usize) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.matches.iter().copied().zip(self.totals.iter().copied()).take(n)
    }
}

impl Scratch {
    /// Counts all orders up to `n`. The dialect decides which reference's length counts.
    pub(super) fn counts(
        &mut self,
        segment: Segment<'_>,
        tokenizer: &Tokenizer,
        case: Case,
        n: usize,
        reference_length: impl FnOnce(&Scratch) -> usize,
    ) -> Counts {
        let mut counts = Counts::default();
        self.count(segment, tokenizer, case, &mut counts.matches[..n]);
        for (i, total) in counts.totals.iter_mut().enumerate().take(n) {
            *total = self.total(i + 1);
        }
        counts.hypothesis_length = self.hypothesis_length() as u64;
        counts.reference_length = reference_length(self) as u64;
        counts
    }

    /// The number of words that are kept from segment to segment; the limit keeps memory flat.
    const MOST_WORDS: usize = 1 << 16;
    const MOST_BYTES: usize = 1 << 22;

    /// Sets `matches` to the clipped matches of each order. The lengths are available afterwards.
    pub(super) fn count(
        &mut self,
        segment: Segment<'_>,
        tokenizer: &Tokenizer,
        case: Case,
        matches: &mut [u64],
    ) {
        let Scratch { vocabulary, hypothesis, reference, references, overlap, buffers } = self;
        if vocabulary.len() > Self::MOST_WORDS || vocabulary.text_len() > Self::MOST_BYTES {
            vocabulary.clear();
        }
        buffers.read(segment.hypothesis(), (tokenizer, case), vocabulary, hypothesis);
        references.clear();
        for text in segment.each_reference() {
            buffers.read(text, (tokenizer, case), vocabulary, reference);
            references.extend(reference);
            references.close();
        }
        overlap.count(hypothesis, references.iter(), matches);
    }

    /// The words of the segment that was counted last.
    #[cfg(feature = "evidence")]
    pub(super) fn words(&self) -> (&Vocabulary, &[u32], &Lists) {
        (&self.vocabulary, &self.hypothesis, &self.references)
    }

    pub(super) fn hypothesis_length(&self) -> usize {
        self.hypothesis.len()
    }

    pub(super) fn reference_lengths(&self) -> impl Iterator<Item = usize> + '_ {
        self.references.iter().map(<[u32]>::len)
    }

    /// The reference length closest to the hypothesis's, the shorter of two equally close.
    pub(super) fn closest_length(&self) -> usize {
        let hypothesis = self.hypothesis_length();
        let by_distance = |&length: &usize| (length.abs_diff(hypothesis), length);
        self.reference_lengths().min_by_key(by_distance).unwrap_or(0)
    }

    /// The number of n-grams of length `n` (from 1) in the hypothesis.
    pub(super) fn total(&self, n: usize) -> u64 {
        (self.hypothesis_length() + 1).saturating_sub(n) as u64
    }
}
