//! From a segment to counts: tokens, numbers for them, clipped matches. Shared by the dialects.

use crate::error::Result;
use crate::metric::{Segment, Text};
use crate::ngram::Overlap;
use crate::signature::Keys;
use crate::text::lists::Lists;
use crate::text::vocabulary::Vocabulary;
use crate::text::{case, thirteen_a, whitespace};

/// How raw text is cut. Tokens that the caller gives are taken as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tokenizer {
    /// At white space, as Python's `str.split`.
    Space,
    /// As `mteval-v13a`.
    ThirteenA,
}

impl Tokenizer {
    const CHOICES: [(&str, Tokenizer); 2] =
        [("space", Tokenizer::Space), ("13a", Tokenizer::ThirteenA)];

    pub(super) fn take(keys: &mut Keys, default: Tokenizer) -> Result<Tokenizer> {
        keys.choice("tok", &Self::CHOICES, default)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Tokenizer::Space => "space",
            Tokenizer::ThirteenA => "13a",
        }
    }

    fn each_token<'t>(self, text: &'t str, buffer: &'t mut String, each: impl FnMut(&'t str)) {
        match self {
            Tokenizer::Space => {
                text.split(whitespace::is_space).filter(|word| !word.is_empty()).for_each(each);
            }
            Tokenizer::ThirteenA => thirteen_a::each_token(text, buffer, each),
        }
    }
}

/// Whether capitals count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// They do.
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
    references: Lists,
    overlap: Overlap,
    rewritten: String,
    lowered: String,
}

impl Scratch {
    /// Words are remembered from segment to segment up to this number, so that memory stays flat.
    const MOST_WORDS: usize = 1 << 16;
    const MOST_BYTES: usize = 1 << 22;

    /// Sets `matches` to the clipped matches of each order. The lengths can be asked for after it.
    pub(super) fn count(
        &mut self,
        segment: Segment<'_>,
        tokenizer: Tokenizer,
        case: Case,
        matches: &mut [u64],
    ) {
        let Scratch { vocabulary, hypothesis, references, overlap, rewritten, lowered } = self;
        if vocabulary.len() > Self::MOST_WORDS || vocabulary.text_len() > Self::MOST_BYTES {
            vocabulary.clear();
        }
        let mut read = |text: Text<'_>, push: &mut dyn FnMut(u32)| {
            let each = |word: &str| {
                push(match case {
                    Case::Mixed => vocabulary.intern(word),
                    Case::Lower => vocabulary.intern(case::lower(word, lowered)),
                });
            };
            match text {
                Text::Raw(text) => tokenizer.each_token(text, rewritten, each),
                Text::Tokens(tokens) => tokens.iter().copied().for_each(each),
            }
        };
        hypothesis.clear();
        read(segment.hypothesis(), &mut |id| hypothesis.push(id));
        references.clear();
        for &reference in segment.references() {
            read(reference, &mut |id| references.push(id));
            references.close();
        }
        overlap.count(hypothesis, references.iter(), matches);
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

    /// How many n-grams of length `n` (from 1) the hypothesis has.
    pub(super) fn total(&self, n: usize) -> u64 {
        (self.hypothesis_length() + 1).saturating_sub(n) as u64
    }
}
