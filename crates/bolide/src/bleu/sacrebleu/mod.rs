//! BLEU as sacreBLEU 2.6.0 computes it (Papineni et al. 2002; Post 2018).
//!
//! The score is `bp · exp(mean of ln pₙ)` in percent, with pₙ the clipped n-gram precisions, summed
//! over the corpus before they are divided, and bp the brevity penalty against the reference of the
//! closest length. Tokenizers, smoothing and signature are sacreBLEU's; scores are equal to the last
//! bit, for either kind of Python's float sum (`sum:py312`, the default, and `sum:py311`).
//!
//! A single segment is scored with effective order when `eff` was not given, as `sacrebleu -sl` does;
//! with `eff:no` or `eff:yes` segments and corpus follow the same rule. The signature says which by
//! the key `segments`.

mod options;

pub(crate) use options::take_version;
pub use options::{EffectiveOrder, Smoothing, Tokenizer};

use crate::arithmetic::{PythonSum, exp, ln};
#[cfg(feature = "evidence")]
use crate::bleu::evidence::{self, Precision};
use crate::definition::{Columns, Rows};
use crate::definition::{Definition, Mergeable};
use crate::dialect::{Dialect, Merging, References};
#[cfg(feature = "evidence")]
use crate::evidence::{Evidence, Step};
use crate::ngram::{Overlap, Profiles};
use crate::score::Components;
use crate::segment::{Segment, Text};
use crate::signature::{Signature, yes_no};
use crate::text::lists::Lists;
use crate::text::vocabulary::Vocabulary;
use crate::text::{case, whitespace};

/// `bleu:sacrebleu`.
pub(crate) const SACREBLEU: Dialect = Dialect {
    name: "bleu:sacrebleu",
    family: &super::FAMILY,
    aliases: &["bleu", "BLEU"],
    reproduces: "sacreBLEU 2.6.0",
    summary: "corpus n-gram precision with brevity penalty, tokenizer 13a",
    agreement: "every digit of the stored results, both kinds of Python's sum",
    decimals: 2,
    range: (0.0, 100.0),
    lower_is_better: false,
    references: References::Pooled,
    merging: Merging::AnyOrder,
    alignment: false,
    build: options::build,
};

/// The version of sacreBLEU whose numbers these are.
pub(crate) const PEER_VERSION: &str = "2.6.0";

/// The largest order that can be set.
pub const MAX_ORDER: usize = 9;

/// A configured BLEU.
#[derive(Clone, Debug, PartialEq)]
pub struct SacreBleu {
    /// The tokenizer.
    pub tokenizer: Tokenizer,
    /// Whether texts are lower-cased first.
    pub lowercase: bool,
    /// How precisions of zero are smoothed.
    pub smoothing: Smoothing,
    /// Whether orders longer than the hypothesis are left out.
    pub effective_order: EffectiveOrder,
    /// The longest n-grams, at most [`MAX_ORDER`].
    pub max_order: usize,
    /// How Python adds the logarithms.
    pub sum: PythonSum,
}

/// Counts of one segment or of many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Tokens of the hypotheses.
    pub hypothesis_length: u64,
    /// Tokens of the references that are closest in length.
    pub reference_length: u64,
    /// Clipped matches of each order, unigrams first.
    pub correct: [u64; MAX_ORDER],
    /// n-grams of the hypotheses of each order.
    pub total: [u64; MAX_ORDER],
}

crate::record::record!(Stats { hypothesis_length, reference_length, correct, total });

impl Mergeable for Stats {
    fn merge(&mut self, other: &Self) {
        self.hypothesis_length += other.hypothesis_length;
        self.reference_length += other.reference_length;
        for order in 0..MAX_ORDER {
            self.correct[order] += other.correct[order];
            self.total[order] += other.total[order];
        }
    }
}

impl Stats {
    /// The number of n-grams in a hypothesis of this length.
    fn fill_totals(&mut self, max_order: usize) {
        for (order, total) in self.total[..max_order].iter_mut().enumerate() {
            *total = self.hypothesis_length.saturating_sub(order as u64);
        }
    }
}

/// A score and its components. Lists hold one number for each order.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// From 0 to 100 (and a few units in the last place above).
    pub score: f64,
    /// Matches, with what `add-k` added.
    pub counts: Vec<f64>,
    /// n-grams of the hypotheses, with what `add-k` added.
    pub totals: Vec<f64>,
    /// In percent, smoothed.
    pub precisions: Vec<f64>,
    /// The brevity penalty.
    pub brevity_penalty: f64,
    /// Tokens of the hypotheses.
    pub hypothesis_length: u64,
    /// Tokens of the references.
    pub reference_length: u64,
}

impl Score {
    /// Hypothesis length over reference length, or 0 without references.
    pub fn ratio(&self) -> f64 {
        if self.reference_length == 0 {
            return 0.0;
        }
        self.hypothesis_length as f64 / self.reference_length as f64
    }

    /// sacreBLEU's details: `60.7/35.6/22.7/14.7 (BP = 0.995 ratio = 0.995 hyp_len = … ref_len = …)`.
    pub fn verbose(&self) -> String {
        let precisions: Vec<String> = self.precisions.iter().map(|p| format!("{p:.1}")).collect();
        format!(
            "{} (BP = {:.3} ratio = {:.3} hyp_len = {} ref_len = {})",
            precisions.join("/"),
            self.brevity_penalty,
            self.ratio(),
            self.hypothesis_length,
            self.reference_length
        )
    }
}

/// Buffers of one worker.
#[derive(Debug, Default)]
pub struct Scratch {
    vocabulary: Vocabulary,
    hypothesis: Vec<u32>,
    references: Lists,
    overlap: Overlap,
    lower: String,
    clean: String,
}

impl SacreBleu {
    /// Passes the words of a text to `each`.
    fn read(
        &self,
        text: Text<'_>,
        lower: &mut String,
        clean: &mut String,
        mut each: impl FnMut(&str),
    ) {
        match text {
            Text::Raw(text) => {
                let text = if self.lowercase { case::lower(text, lower) } else { text };
                self.tokenizer.each_token(whitespace::trim_end(text), clean, each);
            }
            Text::Tokens(tokens) if self.lowercase => {
                tokens.iter().for_each(|token| each(case::lower(token, lower)));
            }
            Text::Tokens(tokens) => tokens.iter().for_each(|token| each(token)),
        }
    }

    fn score(&self, stats: &Stats, effective_order: bool) -> Score {
        let parts = self.parts(stats, effective_order);
        let orders = ..self.max_order.min(MAX_ORDER);
        Score {
            score: parts.score,
            counts: parts.counts[orders].to_vec(),
            totals: parts.totals[orders].to_vec(),
            precisions: parts.precisions[orders].to_vec(),
            brevity_penalty: parts.brevity_penalty,
            hypothesis_length: stats.hypothesis_length,
            reference_length: stats.reference_length,
        }
    }

    fn parts(&self, stats: &Stats, effective_order: bool) -> Parts {
        let orders = ..self.max_order.min(MAX_ORDER);
        let mut parts = Parts {
            score: 0.0,
            counts: stats.correct.map(|n| n as f64),
            totals: stats.total.map(|n| n as f64),
            precisions: [0.0; MAX_ORDER],
            order: 0,
            brevity_penalty: brevity_penalty(stats.hypothesis_length, stats.reference_length),
        };
        let Parts { counts, totals, precisions, .. } = &mut parts;
        if stats.correct[orders].iter().any(|&n| n > 0) {
            parts.order = smooth(
                self.smoothing,
                effective_order,
                &mut counts[orders],
                &mut totals[orders],
                &mut precisions[orders],
            );
            parts.score =
                parts.brevity_penalty * exp(self.log_mean(&parts.precisions[..parts.order]));
        }
        parts
    }

    /// The mean of the logarithms, with sacreBLEU's replacement for that of zero.
    fn log_mean(&self, precisions: &[f64]) -> f64 {
        let logs = precisions.iter().map(|&p| if p == 0.0 { -9999999999.0 } else { ln(p) });
        self.sum.of(logs) / precisions.len() as f64
    }
}

/// A [`Score`] without allocations.
struct Parts {
    score: f64,
    counts: [f64; MAX_ORDER],
    totals: [f64; MAX_ORDER],
    precisions: [f64; MAX_ORDER],
    /// The number of orders in the mean.
    order: usize,
    brevity_penalty: f64,
}

/// The formula of the score over the orders that count.
#[cfg(feature = "evidence")]
fn mean_formula(precisions: &[f64]) -> String {
    if precisions.is_empty() {
        return "0: no n-gram matches".to_owned();
    }
    if precisions.contains(&0.0) {
        return "0: a precision is 0".to_owned();
    }
    let logs: Vec<String> = precisions.iter().map(|p| format!("ln {p:.2}")).collect();
    format!("BP·exp(({}) / {})", logs.join(" + "), logs.len())
}

fn brevity_penalty(hypothesis_length: u64, reference_length: u64) -> f64 {
    if hypothesis_length >= reference_length {
        1.0
    } else if hypothesis_length == 0 {
        0.0
    } else {
        exp(1.0 - reference_length as f64 / hypothesis_length as f64)
    }
}

/// Fills the precisions and returns the number of orders in the mean, in either floating-point type:
/// resampled counts are 32-bit floats.
macro_rules! smooth {
    ($name:ident, $float:ty) => {
        fn $name(
            smoothing: Smoothing,
            effective_order: bool,
            counts: &mut [$float],
            totals: &mut [$float],
            precisions: &mut [$float],
        ) -> usize {
            let mut order = counts.len();
            let mut halvings = 1.0;
            for n in 0..counts.len() {
                if let (Smoothing::AddK(k), true) = (smoothing, n > 0) {
                    counts[n] += k as $float;
                    totals[n] += k as $float;
                }
                if totals[n] == 0.0 {
                    break;
                }
                if effective_order {
                    order = n + 1;
                }
                precisions[n] = if counts[n] != 0.0 {
                    100.0 * counts[n] / totals[n]
                } else {
                    match smoothing {
                        Smoothing::Exp => {
                            halvings *= 2.0;
                            100.0 / (halvings * totals[n])
                        }
                        Smoothing::Floor(value) => (100.0 * value) as $float / totals[n],
                        Smoothing::None | Smoothing::AddK(_) => 0.0,
                    }
                };
            }
            order
        }
    };
}

smooth!(smooth, f64);
smooth!(smooth_single, f32);

impl Definition for SacreBleu {
    type Stats = Stats;
    type Score = Score;
    type Scratch = Scratch;

    fn title(&self) -> Option<String> {
        Some(super::title(self.max_order.min(MAX_ORDER)))
    }

    fn needs_spaces(&self, language: &str) -> bool {
        match self.tokenizer {
            Tokenizer::ThirteenA | Tokenizer::Intl | Tokenizer::None => true,
            // The characters of Chinese, which Japanese has too.
            Tokenizer::Zh => !["ja", "zh"].contains(&language),
            _ => false,
        }
    }

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        let Scratch { vocabulary, hypothesis, references, overlap, lower, clean } = scratch;
        vocabulary.forget_if_large();
        hypothesis.clear();
        self.read(segment.hypothesis(), lower, clean, |token| {
            hypothesis.push(vocabulary.intern(token));
        });
        references.clear();
        for reference in segment.each_reference() {
            self.read(reference, lower, clean, |token| references.push(vocabulary.intern(token)));
            references.close();
        }
        let n_tokens = hypothesis.len();
        let closest = references.iter().map(<[u32]>::len).min_by_key(|&len| {
            // Of two equally close references the shorter one counts.
            (len.abs_diff(n_tokens), len)
        });
        let max_order = self.max_order.min(MAX_ORDER);
        let mut stats = Stats {
            hypothesis_length: n_tokens as u64,
            reference_length: closest.unwrap_or(0) as u64,
            ..Stats::default()
        };
        overlap.count(hypothesis, references.iter(), &mut stats.correct[..max_order]);
        stats.fill_totals(max_order);
        stats
    }

    fn finish(&self, stats: &Stats) -> Score {
        self.score(stats, self.effective_order == EffectiveOrder::Always)
    }

    fn finish_segment(&self, stats: &Stats) -> Score {
        self.score(stats, self.effective_order != EffectiveOrder::Never)
    }

    fn value(&self, score: &Score) -> f64 {
        score.score
    }

    fn components(&self, score: &Score) -> Components {
        let mut components = Components::default();
        for (idx, &p) in score.precisions.iter().enumerate() {
            components = components.number(format!("precision{}", idx + 1), p);
        }
        components = components
            .number("brevity_penalty", score.brevity_penalty)
            .number("ratio", score.ratio())
            .count("hypothesis_length", score.hypothesis_length)
            .count("reference_length", score.reference_length);
        let fractions = matches!(self.smoothing, Smoothing::AddK(_));
        for (name, values) in [("correct", &score.counts), ("total", &score.totals)] {
            for (idx, &value) in values.iter().enumerate() {
                let name = format!("{name}{}", idx + 1);
                components = if fractions {
                    components.number(name, value)
                } else {
                    components.count(name, value as u64)
                };
            }
        }
        components
    }

    fn pairwise(
        &self,
        texts: &[Text<'_>],
        scratch: &mut Scratch,
        each: &mut dyn FnMut(usize, usize, f64),
    ) {
        let Scratch { vocabulary, references: lists, lower, clean, .. } = scratch;
        vocabulary.forget_if_large();
        lists.clear();
        for &text in texts {
            self.read(text, lower, clean, |token| lists.push(vocabulary.intern(token)));
            lists.close();
        }
        let max_order = self.max_order.min(MAX_ORDER);
        let mut profiles = Profiles::new(lists.iter(), max_order);
        for (reference, words) in lists.iter().enumerate() {
            profiles.load(reference);
            for (hypothesis, list) in lists.iter().enumerate() {
                let mut stats = Stats {
                    hypothesis_length: list.len() as u64,
                    reference_length: words.len() as u64,
                    ..Stats::default()
                };
                profiles.count(hypothesis, &mut stats.correct[..max_order]);
                stats.fill_totals(max_order);
                let effective = self.effective_order != EffectiveOrder::Never;
                each(hypothesis, reference, self.parts(&stats, effective).score);
            }
        }
    }

    #[cfg(feature = "evidence")]
    fn evidence(&self, segment: Segment<'_>) -> Option<Evidence> {
        let mut scratch = Scratch::default();
        let stats = self.segment(segment, &mut scratch);
        let effective = self.effective_order != EffectiveOrder::Never;
        let parts = self.parts(&stats, effective);
        let precisions = parts.precisions[..self.max_order.min(MAX_ORDER)].iter().enumerate();
        let orders = precisions.map(|(idx, &precision)| {
            let (matches, total) = (stats.correct[idx], stats.total[idx]);
            let plain = if total > 0 { 100.0 * matches as f64 / total as f64 } else { 0.0 };
            Precision { matches, total, precision, smoothed: precision != plain }
        });
        let Scratch { vocabulary, hypothesis, references, .. } = &scratch;
        let mut evidence =
            evidence::counted(vocabulary, hypothesis, references.iter(), orders.collect());
        let lengths = (stats.hypothesis_length, stats.reference_length);
        let used = &parts.precisions[..parts.order];
        evidence.steps = vec![
            evidence::brevity_step(lengths, parts.brevity_penalty),
            Step::new("score", mean_formula(used), parts.score),
        ];
        Some(evidence)
    }

    fn rows(&self) -> Option<&dyn Rows<Stats = Stats>> {
        Some(self)
    }

    fn signature(&self) -> Signature {
        let mut signature = Signature::new("bleu:sacrebleu")
            .with("case", if self.lowercase { "lc" } else { "mixed" })
            .with("eff", yes_no(self.effective_order == EffectiveOrder::Always))
            .with("tok", self.tokenizer.name())
            .with("smooth", self.smoothing.name())
            .with("version", PEER_VERSION);
        if let Some(model) = self.tokenizer.model() {
            signature = signature.with("model", model);
        }
        if self.effective_order == EffectiveOrder::Segments {
            signature = signature.with("segments", "effective");
        }
        if self.max_order != 4 {
            signature = signature.with("order", self.max_order);
        }
        if self.sum == PythonSum::Plain {
            signature = signature.with("sum", "py311");
        }
        signature
    }
}

impl Rows for SacreBleu {
    type Stats = Stats;

    fn columns(&self) -> Columns {
        Columns { count: 2 + 2 * self.max_order.min(MAX_ORDER) }
    }

    fn write_row(&self, stats: &Stats, row: &mut [f64]) {
        let max_order = self.max_order.min(MAX_ORDER);
        let lengths = [stats.hypothesis_length, stats.reference_length];
        let orders = stats.correct[..max_order].iter().chain(&stats.total[..max_order]);
        row.iter_mut().zip(lengths.iter().chain(orders)).for_each(|(cell, &n)| *cell = n as f64);
    }

    fn read_row(&self, row: &[f64]) -> Stats {
        let max_order = self.max_order.min(MAX_ORDER);
        let mut cells = row.iter().map(|&x| x as u64);
        let mut next = || cells.next().unwrap_or(0);
        let mut stats =
            Stats { hypothesis_length: next(), reference_length: next(), ..Stats::default() };
        stats.correct[..max_order].iter_mut().for_each(|n| *n = next());
        stats.total[..max_order].iter_mut().for_each(|n| *n = next());
        stats
    }

    fn score_row(&self, row: &[f32]) -> f64 {
        let max_order = self.max_order.min(MAX_ORDER);
        let (Some(&[hypothesis_length, reference_length]), Some(orders)) =
            (row.first_chunk(), row.get(2..2 + 2 * max_order))
        else {
            return f64::NAN;
        };
        let mut orders_copy = [0.0; 2 * MAX_ORDER];
        let (counts, totals) = orders_copy[..orders.len()].split_at_mut(max_order);
        counts.copy_from_slice(&orders[..max_order]);
        totals.copy_from_slice(&orders[max_order..]);
        if counts.iter().all(|&n| n == 0.0) {
            return 0.0;
        }
        let mut precisions = [0.0; MAX_ORDER];
        let effective = self.effective_order == EffectiveOrder::Always;
        let order =
            smooth_single(self.smoothing, effective, counts, totals, &mut precisions[..max_order]);
        let mut wide = [0.0; MAX_ORDER];
        wide.iter_mut().zip(precisions).for_each(|(wide, p)| *wide = f64::from(p));
        brevity_penalty(hypothesis_length as u64, reference_length as u64)
            * exp(self.log_mean(&wide[..order]))
    }

    /// The score is a logarithm's exponential, which Python computes in 64 bits.
    fn is_single(&self, _: &[f32], _: f64) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Result;
    use crate::registry::AnyMetric;
    use crate::resources::Resources;

    fn metric(text: &str) -> Result<SacreBleu> {
        match AnyMetric::build(text, &Resources::none())? {
            AnyMetric::SacreBleu(metric) => Ok(metric),
            other => panic!("{other:?}"),
        }
    }

    fn segment(text: &str, hypothesis: &str, references: &[&str]) -> Score {
        let metric = metric(text).unwrap();
        let references: Vec<Text<'_>> = references.iter().map(|&text| Text::Raw(text)).collect();
        let segment = Segment::new(Text::Raw(hypothesis), &references).unwrap();
        metric.finish_segment(&metric.segment(segment, &mut Scratch::default()))
    }

    #[test]
    fn an_identical_sentence_is_a_little_above_a_hundred() {
        let text = "the cat sat on the mat .";
        assert_eq!(segment("bleu", text, &[text]).score, 100.00000000000004);
    }

    #[test]
    fn short_segments_need_the_effective_order() {
        assert_eq!(segment("bleu", "a b", &["a b"]).score, 100.00000000000004);
        assert_eq!(segment("bleu|eff:no", "a b", &["a b"]).score, 0.0);
        assert_eq!(segment("bleu|eff:yes", "a b", &["a b"]).score, 100.00000000000004);
    }

    #[test]
    fn of_two_equally_distant_references_the_shorter_counts() {
        let score = segment("bleu", "a b c", &["a b c d", "a b"]);
        assert_eq!((score.reference_length, score.brevity_penalty), (2, 1.0));
        assert_eq!(segment("bleu", "a b c", &["", "a b c d e f"]).reference_length, 0);
    }
}
