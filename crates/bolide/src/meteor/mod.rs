//! METEOR: textbook, classic, nltk and hf.
//!
//! The four share one formula ([`formula`]) and differ in tokens, matches and alignment.

pub mod align;
pub mod formula;
mod textbook;

pub use formula::{Parameters, Steps};

use crate::dialect::{AnyMetric, Dialect};
use crate::error::Result;
use crate::metric::{Metric, Segment, Statistics, Text};
use crate::report::Report;
use crate::resources::Resources;
use crate::signature::{Keys, Signature};
use crate::text::{Tokens, whitespace};

/// `meteor:textbook`.
pub(crate) const TEXTBOOK: Dialect = Dialect {
    name: "meteor:textbook",
    aliases: &[],
    reproduces: "the teaching definition",
    summary: "exact matches with clipped counts, chunks read off the hypothesis",
    agreement: "worked examples",
    decimals: 4,
    lower_is_better: false,
    build,
};

fn build(keys: &mut Keys, _: &Resources) -> Result<AnyMetric> {
    let parameters = Parameters {
        alpha: keys.number("alpha", 0.9)?,
        beta: keys.number("beta", 3.0)?,
        gamma: keys.number("gamma", 0.5)?,
    };
    Ok(AnyMetric::Meteor(Meteor { parameters }))
}

/// A configured METEOR.
#[derive(Clone, Debug)]
pub struct Meteor {
    parameters: Parameters,
}

/// Counts of one segment or of many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Matched pairs.
    pub matches: u64,
    /// Chunks.
    pub chunks: u64,
    /// Hypothesis tokens.
    pub hypothesis_length: u64,
    /// Reference tokens.
    pub reference_length: u64,
}

impl Statistics for Stats {
    fn merge(&mut self, other: &Self) {
        self.matches += other.matches;
        self.chunks += other.chunks;
        self.hypothesis_length += other.hypothesis_length;
        self.reference_length += other.reference_length;
    }
}

/// Buffers of one worker.
#[derive(Debug, Default)]
pub struct Scratch {
    tokens: Tokens,
}

impl Metric for Meteor {
    type Stats = Stats;
    type Score = Steps;
    type Scratch = Scratch;

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        let mut read = |text: Text<'_>| -> Vec<String> {
            scratch.tokens.clear();
            match text {
                Text::Raw(text) => whitespace::tokenize(text, &mut scratch.tokens),
                Text::Tokens(tokens) => scratch.tokens.extend_given(tokens),
            }
            scratch.tokens.lowercase();
            scratch.tokens.iter().map(str::to_owned).collect()
        };
        let hypothesis = read(segment.hypothesis());
        let reference = read(segment.references()[0]);
        let mut words = reference.clone();
        words.sort();
        let ids = |tokens: &[String]| -> Vec<u32> {
            tokens
                .iter()
                .map(|t| {
                    words.partition_point(|w| w < t) as u32
                        + if words.binary_search(t).is_ok() { 0 } else { 1 << 31 }
                })
                .collect()
        };
        let paired = textbook::pair(&ids(&hypothesis), &ids(&reference), &mut Vec::new());
        Stats {
            matches: paired.iter().flatten().count() as u64,
            chunks: textbook::chunks(&paired),
            hypothesis_length: hypothesis.len() as u64,
            reference_length: reference.len() as u64,
        }
    }

    fn finish(&self, s: &Stats) -> Steps {
        formula::steps(
            s.matches,
            s.chunks,
            s.hypothesis_length,
            s.reference_length,
            &self.parameters,
        )
    }

    fn report(&self, score: &Steps) -> Report {
        Report::new(score.score)
            .number("precision", score.precision)
            .number("recall", score.recall)
            .number("fmean", score.fmean)
            .number("penalty", score.penalty)
    }

    fn signature(&self) -> Signature {
        let Parameters { alpha, beta, gamma } = self.parameters;
        Signature::new("meteor:textbook")
            .with("alpha", alpha)
            .with("beta", beta)
            .with("gamma", gamma)
    }
}
