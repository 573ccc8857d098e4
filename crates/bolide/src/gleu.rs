//! GLEU (Wu et al. 2016, "Google BLEU"): n-gram matches over the n-grams of the longer side.
//!
//! For one reference, tp = Σ min(count in hypothesis, count in reference) over all n-grams of the allowed
//! orders, all = the larger of the two sides' numbers of such n-grams, and tp/all is the smaller of precision
//! and recall. Among several references the one with the largest tp/all counts, the first of equals. A corpus
//! sums tp and all, so everything is an integer up to the last division.
//!
//! `gleu:nltk` is NLTK 3.10.4's `corpus_gleu`; `gleu:hf` is Hugging Face's `google_bleu`, the same after the
//! 13a tokenizer. The time is linear in the tokens times the largest order.

use crate::definition::{Definition, Mergeable};
use crate::dialect::{Dialect, Family, Merging, References};
use crate::error::Result;
use crate::ngram::Overlap;
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::{Segment, Text};
use crate::signature::{Keys, Signature, invalid};
use crate::text::vocabulary::Vocabulary;
use crate::text::{Tokens, thirteen_a, whitespace};

pub(crate) const FAMILY: Family = Family { name: "gleu", title: "GLEU", default: "gleu:nltk" };

/// `gleu:nltk`.
pub(crate) const NLTK: Dialect = Dialect {
    name: "gleu:nltk",
    family: &FAMILY,
    aliases: &["gleu"],
    reproduces: "NLTK 3.10.4 corpus_gleu",
    summary: "n-gram matches over the n-grams of the longer side",
    agreement: "all stored results and generated pairs, every bit",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Best,
    merging: Merging::AnyOrder,
    alignment: false,
    build: |keys, resources| build("gleu:nltk", Tokenizer::Space, keys, resources),
};

/// `gleu:hf`.
pub(crate) const HF: Dialect = Dialect {
    name: "gleu:hf",
    family: &FAMILY,
    aliases: &["google_bleu"],
    reproduces: "Hugging Face evaluate 0.4.6 google_bleu",
    summary: "as gleu:nltk, after the 13a tokenizer",
    agreement: "all stored results, every bit",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Best,
    merging: Merging::AnyOrder,
    alignment: false,
    build: |keys, resources| build("gleu:hf", Tokenizer::ThirteenA, keys, resources),
};

fn build(
    name: &'static str,
    tokenizer: Tokenizer,
    keys: &mut Keys,
    _: &Resources,
) -> Result<AnyMetric> {
    let choices = [("space", Tokenizer::Space), ("13a", Tokenizer::ThirteenA)];
    let tokenizer = keys.choice("tok", &choices, tokenizer)?;
    let min = keys.whole("min", 1, 1..=100)? as usize;
    let max = keys.whole("max", 4, 1..=100)? as usize;
    if min > max {
        return Err(invalid(format!("{name}: min is at most max, got {min} and {max}")));
    }
    Ok(AnyMetric::Gleu(Gleu { name, tokenizer, min, max }))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tokenizer {
    Space,
    ThirteenA,
}

/// A configured GLEU.
#[derive(Clone, Debug)]
pub struct Gleu {
    name: &'static str,
    tokenizer: Tokenizer,
    min: usize,
    max: usize,
}

/// The sums of a corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// N-grams that the hypothesis and its best reference share.
    pub matches: u64,
    /// N-grams of the longer of the two.
    pub total: u64,
}

crate::record::record!(Stats { matches, total });

impl Mergeable for Stats {
    fn merge(&mut self, other: &Self) {
        self.matches += other.matches;
        self.total += other.total;
    }
}

/// The score and the counts it divides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Matches over total, or 0 without any n-gram.
    pub score: f64,
    /// N-grams in common.
    pub matches: u64,
    /// N-grams of the longer side.
    pub total: u64,
}

/// Buffers of one worker.
#[derive(Debug, Default)]
pub struct Scratch {
    tokens: Tokens,
    vocabulary: Vocabulary,
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
    overlap: Overlap,
    matches: Vec<u64>,
}

impl Gleu {
    fn read(
        &self,
        text: Text<'_>,
        tokens: &mut Tokens,
        vocabulary: &mut Vocabulary,
        ids: &mut Vec<u32>,
    ) {
        tokens.clear();
        match (text, self.tokenizer) {
            (Text::Tokens(given), _) => tokens.extend_given(given),
            (Text::Raw(text), Tokenizer::Space) => whitespace::tokenize(text, tokens),
            (Text::Raw(text), Tokenizer::ThirteenA) => thirteen_a::tokenize(text, tokens),
        }
        ids.clear();
        ids.extend(tokens.iter().map(|token| vocabulary.intern(token)));
    }

    /// The number of n-grams of the allowed orders.
    fn n_ngrams(&self, n_tokens: usize) -> u64 {
        (self.min..=self.max).map(|order| (n_tokens + 1).saturating_sub(order) as u64).sum()
    }
}

impl Definition for Gleu {
    type Stats = Stats;
    type Score = Score;
    type Scratch = Scratch;

    fn needs_spaces(&self, _: &str) -> bool {
        true
    }

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        let Scratch { tokens, vocabulary, hypothesis, reference, overlap, matches } = scratch;
        vocabulary.forget_if_large();
        matches.resize(self.max, 0);
        self.read(segment.hypothesis(), tokens, vocabulary, hypothesis);
        let mut best: Option<(f64, Stats)> = None;
        for text in segment.each_reference() {
            self.read(text, tokens, vocabulary, reference);
            let total = self.n_ngrams(hypothesis.len()).max(self.n_ngrams(reference.len()));
            if total == 0 {
                continue;
            }
            overlap.count(hypothesis, [reference.as_slice()], matches);
            let matches = matches.iter().skip(self.min - 1).sum();
            let value = matches as f64 / total as f64;
            if best.as_ref().is_none_or(|&(most, _)| value > most) {
                best = Some((value, Stats { matches, total }));
            }
        }
        best.map(|(_, stats)| stats).unwrap_or_default()
    }

    fn finish(&self, &Stats { matches, total }: &Stats) -> Score {
        let score = if total == 0 { 0.0 } else { matches as f64 / total as f64 };
        Score { score, matches, total }
    }

    fn value(&self, score: &Score) -> f64 {
        score.score
    }

    fn components(&self, score: &Score) -> Components {
        Components::default().count("matches", score.matches).count("total", score.total)
    }

    fn signature(&self) -> Signature {
        let tokenizer = match self.tokenizer {
            Tokenizer::Space => "space",
            Tokenizer::ThirteenA => "13a",
        };
        Signature::new(self.name).with("tok", tokenizer).with("min", self.min).with("max", self.max)
    }
}
