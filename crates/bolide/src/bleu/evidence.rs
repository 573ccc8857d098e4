//! What a BLEU was counted from, for all dialects: the n-grams with their clipped counts, and the brevity
//! penalty. The formula of the score is each dialect's own.

use super::words::Scratch;
use crate::evidence::{Evidence, Ngram, Order, Step, Words};
use crate::text::vocabulary::Vocabulary;

/// The counts of one order, as the dialect uses them.
pub(super) struct Precision {
    pub matches: u64,
    pub total: u64,
    /// In the dialect's own unit: percent or fraction.
    pub precision: f64,
    pub smoothed: bool,
}

impl Precision {
    /// A fraction, and whether it is other than matches over n-grams.
    pub(super) fn new((matches, total): (u64, u64), precision: f64) -> Self {
        let plain = if total > 0 { matches as f64 / total as f64 } else { 0.0 };
        Precision { matches, total, precision, smoothed: precision != plain }
    }
}

/// The words and the n-grams; the caller adds the steps.
pub(super) fn counted<'r>(
    vocabulary: &Vocabulary,
    hypothesis: &[u32],
    references: impl Iterator<Item = &'r [u32]> + Clone,
    orders: Vec<Precision>,
) -> Evidence {
    let lists: Vec<&[u32]> = references.clone().collect();
    let order = |(idx, order): (usize, Precision)| Order {
        unit: "word",
        n: idx + 1,
        hypothesis: order.total,
        reference: None,
        matches: order.matches,
        precision: Some(order.precision),
        recall: None,
        smoothed: order.smoothed,
        ngrams: Ngram::of_words(idx + 1, vocabulary, hypothesis, &lists, false),
    };
    Evidence {
        words: Words::of(vocabulary, hypothesis, references),
        orders: orders.into_iter().enumerate().map(order).collect(),
        ..Evidence::default()
    }
}

/// The same from the buffers that the dialects other than sacreBLEU's share.
pub(super) fn of_scratch(scratch: &Scratch, orders: Vec<Precision>) -> Evidence {
    let (vocabulary, hypothesis, references) = scratch.words();
    counted(vocabulary, hypothesis, references.iter(), orders)
}

/// The brevity penalty.
pub(super) fn brevity_step((hypothesis, reference): (u64, u64), penalty: f64) -> Step {
    let formula = match (hypothesis, penalty) {
        (0, _) => format!("{penalty}: the hypothesis is empty"),
        (_, 1.0) => format!("1: {hypothesis} words, the reference has {reference}"),
        _ => format!("BP = exp(1 − {reference}/{hypothesis})"),
    };
    Step::new("brevity", formula, penalty)
}

/// BP times the exponential of weighted logarithms.
pub(super) fn weighted_formula(terms: impl Iterator<Item = (f64, f64)>) -> String {
    let logs: Vec<String> = terms.map(|(weight, p)| format!("{weight}·ln {p:.4}")).collect();
    format!("BP·exp({})", logs.join(" + "))
}
