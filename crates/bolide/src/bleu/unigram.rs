//! `bleu:unigram`: the introductory definition of BLEU.
//!
//! score = (clipped word matches / c) · BP, with BP = 1 only if the hypothesis is longer than the reference,
//! else exp(1 − r/c). An empty hypothesis scores 0. Of several references the one closest in length gives r
//! (the shorter of two), and a word may match as often as it occurs in the reference that has it most often.

#[cfg(feature = "evidence")]
use super::evidence::{self, Precision};
use super::words::{Case, Scratch, Tokenizer};
use crate::arithmetic::exp;
use crate::definition::{Definition, Mergeable};
use crate::dialect::{Dialect, Merging, References};
use crate::error::Result;
#[cfg(feature = "evidence")]
use crate::evidence::{Evidence, Step};
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::Segment;
use crate::signature::{Keys, Signature};

pub(crate) const UNIGRAM: Dialect = Dialect {
    name: "bleu:unigram",
    family: &super::FAMILY,
    aliases: &[],
    reproduces: "the teaching definition",
    summary: "clipped word precision times the brevity penalty",
    agreement: "worked examples",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Pooled,
    merging: Merging::AnyOrder,
    alignment: false,
    build,
};

fn build(keys: &mut Keys, resources: &Resources) -> Result<AnyMetric> {
    let case = Case::take(keys)?;
    let tokenizer = Tokenizer::take(keys, Tokenizer::Space, resources)?;
    Ok(AnyMetric::BleuUnigram(Unigram { case, tokenizer }))
}

/// The configured metric.
#[derive(Clone, Debug)]
pub struct Unigram {
    /// Whether case matters.
    pub case: Case,
    /// How raw text is split.
    pub tokenizer: Tokenizer,
}

/// Counts of one segment or of many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Clipped word matches.
    pub matches: u64,
    /// Hypothesis tokens.
    pub hypothesis_length: u64,
    /// Tokens of the references closest in length.
    pub reference_length: u64,
}

crate::record::record!(Stats { matches, hypothesis_length, reference_length });

impl Mergeable for Stats {
    fn merge(&mut self, other: &Self) {
        self.matches += other.matches;
        self.hypothesis_length += other.hypothesis_length;
        self.reference_length += other.reference_length;
    }
}

/// The score and its two factors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Precision times brevity penalty.
    pub score: f64,
    /// Clipped matches over hypothesis tokens.
    pub precision: f64,
    /// 1 for a hypothesis longer than the reference, less for shorter ones.
    pub brevity_penalty: f64,
    /// The clipped matches.
    pub matches: u64,
    /// Hypothesis tokens.
    pub hypothesis_length: u64,
    /// Reference tokens.
    pub reference_length: u64,
}

impl Definition for Unigram {
    type Stats = Stats;
    type Score = Score;
    type Scratch = Scratch;

    fn title(&self) -> Option<String> {
        Some(super::title(1))
    }

    fn needs_spaces(&self, _: &str) -> bool {
        true
    }

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        let mut matches = [0];
        scratch.count(segment, &self.tokenizer, self.case, &mut matches);
        Stats {
            matches: matches[0],
            hypothesis_length: scratch.hypothesis_length() as u64,
            reference_length: scratch.closest_length() as u64,
        }
    }

    fn finish(&self, stats: &Stats) -> Score {
        let &Stats { matches, hypothesis_length, reference_length } = stats;
        let (c, r) = (hypothesis_length as f64, reference_length as f64);
        let precision = if hypothesis_length == 0 { 0.0 } else { matches as f64 / c };
        let brevity_penalty = brevity_penalty(c, r);
        let score = precision * brevity_penalty;
        Score { score, precision, brevity_penalty, matches, hypothesis_length, reference_length }
    }

    fn value(&self, score: &Score) -> f64 {
        score.score
    }

    fn components(&self, score: &Score) -> Components {
        Components::default()
            .number("precision", score.precision)
            .number("brevity_penalty", score.brevity_penalty)
            .count("matches", score.matches)
            .count("hypothesis_length", score.hypothesis_length)
            .count("reference_length", score.reference_length)
    }

    #[cfg(feature = "evidence")]
    fn evidence(&self, segment: Segment<'_>) -> Option<Evidence> {
        let mut scratch = Scratch::default();
        let score = self.finish(&self.segment(segment, &mut scratch));
        let counts = (score.matches, score.hypothesis_length);
        let orders = vec![Precision::new(counts, score.precision)];
        let mut evidence = evidence::of_scratch(&scratch, orders);
        let lengths = (score.hypothesis_length, score.reference_length);
        let formula = format!("BP·{:.4}", score.precision);
        evidence.steps = vec![
            evidence::brevity_step(lengths, score.brevity_penalty),
            Step::new("score", formula, score.score),
        ];
        Some(evidence)
    }

    fn signature(&self) -> Signature {
        Signature::new(UNIGRAM.name)
            .with("case", self.case.name())
            .with("tok", self.tokenizer.name())
    }
}

/// 1 if the hypothesis is longer, 0 if it is empty, else exp(1 − r/c).
pub(super) fn brevity_penalty(c: f64, r: f64) -> f64 {
    if c > r {
        1.0
    } else if c == 0.0 {
        0.0
    } else {
        exp(1.0 - r / c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::Text;

    fn check(hypothesis: &str, references: &[&str], expected: f64) {
        let metric = Unigram { case: Case::Mixed, tokenizer: Tokenizer::Space };
        let references: Vec<Text<'_>> = references.iter().map(|&text| Text::Raw(text)).collect();
        let segment = Segment::new(Text::Raw(hypothesis), &references).unwrap();
        let score = metric.finish(&metric.segment(segment, &mut Scratch::default()));
        assert_eq!(score.score, expected, "{hypothesis:?} against {references:?}");
    }

    #[test]
    fn worked_examples() {
        check("the cat sat on the mat", &["the cat is on the mat"], 5.0 / 6.0);
        check("the the the the", &["the cat is on the mat"], 0.5 * exp(1.0 - 6.0 / 4.0));
        check("a b c d", &["a b", "c d e f g"], exp(1.0 - 5.0 / 4.0));
        check("", &["the cat"], 0.0);
        check("the cat", &[""], 0.0);
        check("", &[""], 0.0);
    }
}
