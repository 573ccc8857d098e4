//! `bleu:coco`: the BLEU of the COCO caption tools (pycocoevalcap 1.2), orders 1 to n at once.
//!
//! Tokens are separated by white space; the reference closest in length counts, the shorter of two. No order
//! is smoothed, but a tiny number is added to every numerator and a small one to every denominator, so that
//! nothing divides by zero: BLEU-k = (Π (matches + 1e-15)/(n-grams + 1e-9))^(1/k), times exp(1 − 1/ratio) if
//! the hypotheses are shorter. The score of the metric is that of the longest order; the others are
//! components.

use super::MOST_ORDERS;
#[cfg(feature = "evidence")]
use super::evidence::{self, Precision};
use super::words::{Case, Counts, Scratch, Tokenizer};
use crate::arithmetic::{exp, pow};
use crate::definition::Definition;
use crate::dialect::{Dialect, Merging, References};
use crate::error::Result;
#[cfg(feature = "evidence")]
use crate::evidence::{Evidence, Step};
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::Segment;
use crate::signature::{Keys, Signature};

pub(crate) const COCO: Dialect = Dialect {
    name: "bleu:coco",
    family: &super::FAMILY,
    aliases: &["bleu:pycocoevalcap"],
    reproduces: "pycocoevalcap 1.2, `Bleu`",
    summary: "BLEU-1 to BLEU-n of captions, white-space tokens, no smoothing",
    agreement: "bit for bit beside the package, on generated captions",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Pooled,
    merging: Merging::AnyOrder,
    alignment: false,
    build,
};

fn build(keys: &mut Keys, _: &Resources) -> Result<AnyMetric> {
    let max_order = keys.whole("order", 4, 1..=MOST_ORDERS as u64)? as usize;
    Ok(AnyMetric::BleuCoco(Coco { max_order }))
}

const TINY: f64 = 1e-15;
const SMALL: f64 = 1e-9;

/// The configured metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coco {
    /// The longest n-grams, at most [`MOST_ORDERS`].
    pub max_order: usize,
}

/// Counts of one or more segments; the length is that of the closest references.
pub type Stats = Counts;

/// BLEU of each order, unigrams first.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// One score for each order, never empty.
    pub scores: Vec<f64>,
    /// Hypothesis length over reference length, with the small additions.
    pub ratio: f64,
    /// The counts.
    pub stats: Stats,
}

const NAMES: [&str; MOST_ORDERS] =
    ["bleu1", "bleu2", "bleu3", "bleu4", "bleu5", "bleu6", "bleu7", "bleu8", "bleu9"];

impl Coco {
    fn order(&self) -> usize {
        self.max_order.clamp(1, MOST_ORDERS)
    }
}

/// What a ratio of lengths below 1 costs.
fn brevity_penalty(ratio: f64) -> f64 {
    exp(1.0 - 1.0 / ratio)
}

impl Definition for Coco {
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
        let order = self.order();
        scratch.counts(segment, &Tokenizer::Space, Case::Mixed, order, Scratch::closest_length)
    }

    fn finish(&self, stats: &Stats) -> Score {
        let mut product = 1.0;
        let mut scores: Vec<f64> = stats
            .orders(self.order())
            .enumerate()
            .map(|(i, (matches, total))| {
                product *= (matches as f64 + TINY) / (total as f64 + SMALL);
                pow(product, 1.0 / (i + 1) as f64)
            })
            .collect();
        let ratio =
            (stats.hypothesis_length as f64 + TINY) / (stats.reference_length as f64 + SMALL);
        if ratio < 1.0 {
            let penalty = brevity_penalty(ratio);
            scores.iter_mut().for_each(|score| *score *= penalty);
        }
        Score { scores, ratio, stats: stats.clone() }
    }

    fn value(&self, score: &Score) -> f64 {
        score.scores.last().copied().unwrap_or_default()
    }

    fn components(&self, score: &Score) -> Components {
        let mut components = Components::default();
        for (name, &value) in NAMES.iter().zip(&score.scores) {
            components = components.number(*name, value);
        }
        components
            .number("ratio", score.ratio)
            .count("hypothesis_length", score.stats.hypothesis_length)
            .count("reference_length", score.stats.reference_length)
    }

    #[cfg(feature = "evidence")]
    fn evidence(&self, segment: Segment<'_>) -> Option<Evidence> {
        let mut scratch = Scratch::default();
        let stats = self.segment(segment, &mut scratch);
        let score = self.finish(&stats);
        let order = |(matches, total): (u64, u64)| Precision {
            matches,
            total,
            precision: (matches as f64 + TINY) / (total as f64 + SMALL),
            smoothed: matches == 0,
        };
        let orders: Vec<Precision> = stats.orders(self.order()).map(order).collect();
        let factors: Vec<String> = orders.iter().map(|o| format!("{:.4}", o.precision)).collect();
        let mut evidence = evidence::of_scratch(&scratch, orders);
        let penalty = if score.ratio < 1.0 { brevity_penalty(score.ratio) } else { 1.0 };
        let formula = format!("BP·({})^(1/{})", factors.join("·"), factors.len());
        let lengths = (stats.hypothesis_length, stats.reference_length);
        evidence.steps = vec![
            evidence::brevity_step(lengths, penalty),
            Step::new("score", formula, self.value(&score)),
        ];
        Some(evidence)
    }

    fn signature(&self) -> Signature {
        Signature::new(COCO.name).with("order", self.order())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Mergeable;
    use crate::segment::Text;

    fn stats(hypothesis: &str, references: &[&str]) -> Stats {
        let references: Vec<Text<'_>> = references.iter().map(|&text| Text::Raw(text)).collect();
        let segment = Segment::new(Text::Raw(hypothesis), &references).unwrap();
        Coco { max_order: 4 }.segment(segment, &mut Scratch::default())
    }

    /// The scores of pycocoevalcap 1.2 for the same captions.
    #[test]
    fn three_captions() {
        let captions = [
            stats("a cat on the mat", &["a cat sat on the mat", "the cat is on a mat"]),
            stats("the dog runs away now", &["a dog"]),
            stats("", &["hello world again"]),
        ];
        let metric = Coco { max_order: 4 };
        let segments: Vec<Vec<f64>> = captions.iter().map(|s| metric.finish(s).scores).collect();
        let first = [0.8187307527504899, 0.7090416307237545, 0.5157680547617896];
        assert_eq!(segments[0][..3], first);
        assert_eq!(segments[1][..2], [0.19999999996000023, 7.071067810274489e-09]);
        assert_eq!(segments[2], [0.0; 4]);
        let mut total = Stats::default();
        captions.iter().for_each(|stats| total.merge(stats));
        let corpus =
            [0.5429024507129954, 0.4292020728797275, 0.30286399098044603, 5.006836052739729e-05];
        assert_eq!(metric.finish(&total).scores, corpus);
    }
}
