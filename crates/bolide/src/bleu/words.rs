//! From a segment to counts: tokens, numbers for them, clipped matches. Shared by the dialects.

use crate::error::Result;
use crate::metric::{Segment, Text};
use crate::ngram::Overlap;
use crate::resources::Resources;
use crate::signature::Keys;
use crate::text::lists::Lists;
use crate::text::vocabulary::Vocabulary;
use crate::text::{Tokens, WordTokenizer, case, thirteen_a, whitespace, word_tokenize};
use std::sync::Arc;

/// How raw text is cut. Tokens that the caller gives are taken as they are.
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
    /// Reads the key `tok`. Only a tokenizer that is asked for needs its table.
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

/// What the tokenizers write into.
#[derive(Clone, Debug, Default)]
struct Buffers {
    rewritten: String,
    tokens: Tokens,
    words: word_tokenize::Scratch,
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
    buffers: Buffers,
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
        tokenizer: &Tokenizer,
        case: Case,
        matches: &mut [u64],
    ) {
        let Scratch { vocabulary, hypothesis, references, overlap, buffers, lowered } = self;
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
                Text::Raw(text) => tokenizer.each_token(text, buffers, each),
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
