//! `bleu:hf`: the `bleu` of Hugging Face evaluate 0.4.6, which is Google's corpus BLEU.
//!
//! It differs from NLTK: the *shortest* reference gives r, an order without n-grams has precision 0 (and so
//! the score is 0), smoothing adds one to every order including the first, and the logarithms are added with
//! Python's `sum`, whose last bits changed in 3.12. evaluate raises ZeroDivisionError if either side is
//! empty: here the score is NaN and `undefined` gives the reason.

#[cfg(feature = "evidence")]
use super::evidence::{self, Precision};
use super::words::{Case, Counts, Scratch, Tokenizer};
use super::{MOST_ORDERS, PRECISIONS, Undefined};
use crate::arithmetic::{PythonSum, exp, ln};
use crate::definition::Definition;
use crate::dialect::{Dialect, Merging, References};
use crate::error::Result;
#[cfg(feature = "evidence")]
use crate::evidence::{Evidence, Step};
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::Segment;
use crate::signature::{Keys, Signature, yes_no};

pub(crate) const HF: Dialect = Dialect {
    name: "bleu:hf",
    family: &super::FAMILY,
    aliases: &[],
    reproduces: "Hugging Face evaluate 0.4.6, `bleu`",
    summary: "Google's corpus BLEU: 13a tokens, the shortest reference counts",
    agreement: "all stored results, every bit, with both of Python's sums",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Pooled,
    merging: Merging::AnyOrder,
    alignment: false,
    build,
};

fn build(keys: &mut Keys, resources: &Resources) -> Result<AnyMetric> {
    Ok(AnyMetric::BleuHf(Hf {
        max_order: keys.whole("order", 4, 1..=MOST_ORDERS as u64)? as usize,
        smooth: keys.yes_no("smooth", false)?,
        case: Case::take(keys)?,
        tokenizer: Tokenizer::take(keys, Tokenizer::ThirteenA, resources)?,
        sum: keys.choice(
            "sum",
            &[("py312", PythonSum::Compensated), ("py311", PythonSum::Plain)],
            PythonSum::Compensated,
        )?,
    }))
}

/// The configured metric.
#[derive(Clone, Debug)]
pub struct Hf {
    /// The longest n-grams, at most [`MOST_ORDERS`].
    pub max_order: usize,
    /// Whether every precision is (matches + 1) / (n-grams + 1).
    pub smooth: bool,
    /// Whether case matters.
    pub case: Case,
    /// How raw text is split.
    pub tokenizer: Tokenizer,
    /// Which Python adds the logarithms: 3.12 and later compensate.
    pub sum: PythonSum,
}

/// Counts of one or more segments; the length is that of the shortest references.
pub type Stats = Counts;

/// The fields that evaluate returns.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// `bleu`, or NaN when undefined.
    pub score: f64,
    /// `precisions`, smoothed if smoothing is on.
    pub precisions: Vec<f64>,
    /// `brevity_penalty`.
    pub brevity_penalty: f64,
    /// `length_ratio`.
    pub length_ratio: f64,
    /// `translation_length`.
    pub hypothesis_length: u64,
    /// `reference_length`.
    pub reference_length: u64,
    /// Set when evaluate raises an exception instead.
    pub undefined: Option<Undefined>,
}

impl Definition for Hf {
    type Stats = Stats;
    type Score = Score;
    type Scratch = Scratch;

    fn title(&self) -> Option<String> {
        Some(super::title(self.order()))
    }

    fn needs_spaces(&self, _: &str) -> bool {
        true
    }

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        scratch.counts(segment, &self.tokenizer, self.case, self.order(), |scratch| {
            scratch.reference_lengths().min().unwrap_or(0)
        })
    }

    fn finish(&self, stats: &Stats) -> Score {
        let precision = |(matches, total): (u64, u64)| {
            if self.smooth {
                (matches as f64 + 1.0) / (total as f64 + 1.0)
            } else if total > 0 {
                matches as f64 / total as f64
            } else {
                0.0
            }
        };
        let precisions: Vec<f64> = stats.orders(self.order()).map(precision).collect();
        let weight = 1.0 / self.order() as f64;
        let geometric_mean = if precisions.iter().all(|&p| p > 0.0) {
            exp(self.sum.of(precisions.iter().map(|&p| weight * ln(p))))
        } else {
            0.0
        };
        let length_ratio = stats.hypothesis_length as f64 / stats.reference_length as f64;
        let undefined = self.check(stats).err();
        let brevity_penalty = if length_ratio > 1.0 { 1.0 } else { exp(1.0 - 1.0 / length_ratio) };
        Score {
            score: if undefined.is_some() { f64::NAN } else { geometric_mean * brevity_penalty },
            precisions,
            brevity_penalty,
            length_ratio,
            hypothesis_length: stats.hypothesis_length,
            reference_length: stats.reference_length,
            undefined,
        }
    }

    fn value(&self, score: &Score) -> f64 {
        score.score
    }

    fn components(&self, score: &Score) -> Components {
        let mut components = Components::default();
        for (name, &precision) in PRECISIONS.into_iter().zip(&score.precisions) {
            components = components.number(name, precision);
        }
        components
            .number("brevity_penalty", score.brevity_penalty)
            .number("length_ratio", score.length_ratio)
            .count("hypothesis_length", score.hypothesis_length)
            .count("reference_length", score.reference_length)
            .flag("undefined", score.undefined.is_some())
    }

    #[cfg(feature = "evidence")]
    fn evidence(&self, segment: Segment<'_>) -> Option<Evidence> {
        let mut scratch = Scratch::default();
        let stats = self.segment(segment, &mut scratch);
        let score = self.finish(&stats);
        let orders = stats.orders(self.order()).zip(&score.precisions);
        let orders = orders.map(|(counts, &p)| Precision::new(counts, p)).collect();
        let mut evidence = evidence::of_scratch(&scratch, orders);
        let weight = 1.0 / self.order() as f64;
        let formula = match score.undefined {
            Some(undefined) => format!("NaN: {undefined}"),
            None if score.precisions.contains(&0.0) => "0: a precision is 0".to_owned(),
            None => evidence::weighted_formula(score.precisions.iter().map(|&p| (weight, p))),
        };
        let lengths = (stats.hypothesis_length, stats.reference_length);
        evidence.steps = vec![
            evidence::brevity_step(lengths, score.brevity_penalty),
            Step::new("score", formula, score.score),
        ];
        Some(evidence)
    }

    fn signature(&self) -> Signature {
        Signature::new(HF.name)
            .with("order", self.order())
            .with("smooth", yes_no(self.smooth))
            .with("case", self.case.name())
            .with("tok", self.tokenizer.name())
            .with(
                "sum",
                match self.sum {
                    PythonSum::Compensated => "py312",
                    PythonSum::Plain => "py311",
                },
            )
    }
}

impl Hf {
    fn order(&self) -> usize {
        self.max_order.clamp(1, MOST_ORDERS)
    }

    /// Whether evaluate returns a number for these statistics.
    pub fn check(&self, stats: &Stats) -> std::result::Result<(), Undefined> {
        if stats.hypothesis_length == 0 || stats.reference_length == 0 {
            Err(Undefined::DivisionByZero)
        } else {
            Ok(())
        }
    }
}
