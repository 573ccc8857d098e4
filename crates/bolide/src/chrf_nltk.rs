//! chrF as NLTK 3.10.4 computes it (`corpus_chrf`). The averages and the rules for empty counts differ from
//! sacreBLEU's.
//!
//! White space is removed. For each order n from 1 to 6 and each segment, P = matches/hypothesis and R =
//! matches/reference over character n-grams, F = (1+β²)PR/(β²P+R) with β = 3, and 1e-16 if a divisor is 0
//! (also without a match). The score is the mean over orders of the mean over segments. NLTK takes a single
//! reference: of several, the first is used. It adds with Python's `sum`, so the last digits depend on the
//! Python version; `sum:plain` is that of Python up to 3.11.

use crate::arithmetic::{PythonSum, pow};
use crate::definition::{Definition, Mergeable};
use crate::dialect::{Dialect, Merging, References};
use crate::error::Result;
use crate::ngram::Overlap;
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::{Segment, Text};
use crate::signature::{Keys, Signature, invalid, yes_no};

/// `chrf:nltk`.
pub(crate) const NLTK: Dialect = Dialect {
    name: "chrf:nltk",
    family: &crate::chrf::FAMILY,
    aliases: &[],
    reproduces: "NLTK 3.10.4 corpus_chrf",
    summary: "character n-gram F, mean over orders and segments, one reference",
    agreement: "all stored results and generated pairs, every bit, of Python 3.11 and 3.12",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::First,
    merging: Merging::PartsInOrder,
    alignment: false,
    build,
};

fn build(keys: &mut Keys, _: &Resources) -> Result<AnyMetric> {
    let min = keys.whole("min", 1, 1..=100)? as usize;
    let max = keys.whole("max", 6, 1..=100)? as usize;
    if min > max {
        return Err(invalid(format!("chrf:nltk: min is at most max, got {min} and {max}")));
    }
    let beta = keys.number("beta", 3.0)?;
    let space = keys.yes_no("space", false)?;
    let sum = keys.choice("sum", &PythonSum::CHOICES, PythonSum::Compensated)?;
    Ok(AnyMetric::ChrfNltk(ChrfNltk { min, max, beta, space, sum }))
}

/// A configured chrF of NLTK.
#[derive(Clone, Debug)]
pub struct ChrfNltk {
    min: usize,
    max: usize,
    beta: f64,
    space: bool,
    sum: PythonSum,
}

/// The F of every order, segment after segment.
///
/// NLTK adds floats in segment order with a sum that cannot be computed in parts, so the addends are kept
/// until the end: one number per order and segment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// The orders of the first segment, then those of the second, …
    pub scores: Vec<f64>,
}

crate::record::record!(Stats { scores });

impl Mergeable for Stats {
    fn merge(&mut self, other: &Self) {
        self.scores.extend_from_slice(&other.scores);
    }
}

/// Buffers of one worker.
#[derive(Debug, Default)]
pub struct Scratch {
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
    overlap: Overlap,
    matches: Vec<u64>,
}

/// NLTK's value for an undefined F.
const UNDEFINED: f64 = 1e-16;

impl ChrfNltk {
    fn read(&self, text: Text<'_>, characters: &mut Vec<u32>) {
        let keep = |c: &char| self.space || !c.is_whitespace();
        characters.clear();
        match text {
            Text::Raw(text) => characters.extend(text.chars().filter(keep).map(u32::from)),
            Text::Tokens(tokens) => {
                for (idx, token) in tokens.iter().enumerate() {
                    let gap = (idx > 0 && self.space).then_some(' ');
                    let letters = gap.into_iter().chain(token.chars().filter(keep));
                    characters.extend(letters.map(u32::from));
                }
            }
        }
    }

    fn f_score(&self, matches: u64, hypothesis: u64, reference: u64) -> f64 {
        if hypothesis == 0 || reference == 0 {
            return UNDEFINED;
        }
        let precision = matches as f64 / hypothesis as f64;
        let recall = matches as f64 / reference as f64;
        let factor = pow(self.beta, 2.0);
        let divisor = factor * precision + recall;
        if divisor == 0.0 {
            return UNDEFINED;
        }
        (1.0 + factor) * (precision * recall) / divisor
    }
}

impl Definition for ChrfNltk {
    type Stats = Stats;
    type Score = f64;
    type Scratch = Scratch;

    fn title(&self) -> Option<String> {
        Some(format!("chrF{}", self.beta))
    }

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        let Scratch { hypothesis, reference, overlap, matches } = scratch;
        self.read(segment.hypothesis(), hypothesis);
        self.read(segment.references()[0], reference);
        matches.resize(self.max, 0);
        overlap.count_one(hypothesis, reference, matches, segment.stop());
        let orders = (self.min..=self.max).zip(matches.iter().skip(self.min - 1));
        let score = |(order, &matches): (usize, &u64)| {
            let total = |characters: &[u32]| (characters.len() + 1).saturating_sub(order) as u64;
            self.f_score(matches, total(hypothesis), total(reference))
        };
        Stats { scores: orders.map(score).collect() }
    }

    fn finish(&self, stats: &Stats) -> f64 {
        let n_orders = self.max - self.min + 1;
        let n_segments = stats.scores.len() / n_orders;
        let of_order = |idx| self.sum.of(stats.scores.iter().skip(idx).step_by(n_orders).copied());
        // Without a segment this is 0/0, as in NLTK, which raises an exception.
        self.sum.of((0..n_orders).map(of_order)) / n_orders as f64 / n_segments as f64
    }

    fn value(&self, score: &f64) -> f64 {
        *score
    }

    fn components(&self, _: &f64) -> Components {
        Components::default()
    }

    fn signature(&self) -> Signature {
        Signature::new("chrf:nltk")
            .with("min", self.min)
            .with("max", self.max)
            .with("beta", self.beta)
            .with("space", yes_no(self.space))
            .with("sum", self.sum.name())
    }
}
