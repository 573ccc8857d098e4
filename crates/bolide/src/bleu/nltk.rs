//! `bleu:nltk`: `nltk.translate.bleu_score` of NLTK 3.10, bit for bit, with its quirks.
//!
//! A hypothesis shorter than n tokens still counts one n-gram of that order; the reference closest in length
//! gives r; zero precisions are smoothed by one of eight methods ([`Smoothing`]) in exact fractions; the
//! weighted logarithms are added with one rounding (`math.fsum`). Methods 4 to 7 use the last segment of the
//! corpus, so the statistics carry it and merge in segment order. Without a single matching word the score is
//! 0, whatever the smoothing.
//!
//! Counting is linear in the tokens; smoothing works on a handful of numbers. NLTK's exceptions become values
//! ([`Undefined`]), and its warnings about zero precisions a count.
//!
//! Known difference: with a *negative* alpha, method 6 can bring a precision to exactly zero. Whether NLTK
//! then divides by it depends on how its fractions happen to be reduced. This is rare, and does not occur
//! with other parameters.

#[cfg(feature = "evidence")]
use super::evidence::{self, Precision};
use super::smoothing::{LastSegment, Number, Smoothing};
use super::unigram::brevity_penalty;
use super::words::{Case, Scratch, Tokenizer};
use super::{MOST_ORDERS, PRECISIONS, Undefined};
use crate::arithmetic::{decimal, exp, fsum, ln};
use crate::definition::{Definition, Mergeable};
use crate::dialect::{Dialect, Merging, References};
use crate::error::Result;
#[cfg(feature = "evidence")]
use crate::evidence::{Evidence, Step};
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::Segment;
use crate::signature::{Keys, Signature, invalid, yes_no};
use std::borrow::Cow;

pub(crate) const NLTK: Dialect = Dialect {
    name: "bleu:nltk",
    family: &super::FAMILY,
    aliases: &[],
    reproduces: "NLTK 3.10.4, `sentence_bleu` and `corpus_bleu`",
    summary: "BLEU on given tokens, no smoothing unless asked for, eight methods",
    agreement: "all stored results, every bit, all smoothing methods",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Pooled,
    merging: Merging::PartsInOrder,
    alignment: false,
    build,
};

/// NLTK's default weights, and the only ones that `auto_reweigh` replaces.
pub const UNIFORM: [f64; 4] = [0.25; 4];

/// The configured metric.
#[derive(Clone, Debug)]
pub struct Nltk {
    weights: Vec<f64>,
    /// The number of orders to count: at least the length of `weights`.
    n_orders: usize,
    smoothing: Smoothing,
    auto_reweigh: bool,
    case: Case,
    tokenizer: Tokenizer,
}

impl Nltk {
    /// NLTK's defaults: uniform weights over four orders, method 0, tokens as given.
    pub fn new() -> Self {
        Nltk {
            weights: UNIFORM.to_vec(),
            n_orders: UNIFORM.len(),
            smoothing: Smoothing::Method0,
            auto_reweigh: false,
            case: Case::Mixed,
            tokenizer: Tokenizer::Space,
        }
    }

    /// With other weights, one for each order. More than [`MOST_ORDERS`] are refused.
    pub fn with_weights(mut self, weights: &[f64]) -> Result<Self> {
        if weights.len() > MOST_ORDERS {
            return Err(invalid(format!(
                "{}: at most {MOST_ORDERS} weights, got {}",
                NLTK.name,
                weights.len()
            )));
        }
        self.weights = weights.to_vec();
        self.n_orders = weights.len();
        Ok(self)
    }

    /// Counts n-grams up to this order, for [`scores`](Self::scores) with longer weight vectors. The
    /// score by the metric's own weights does not change.
    pub fn with_orders(mut self, n_orders: usize) -> Self {
        self.n_orders = n_orders.clamp(self.weights.len(), MOST_ORDERS);
        self
    }

    /// With a smoothing function.
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// With `auto_reweigh`: a corpus of fewer than four tokens spreads the default weights over as
    /// many orders as it has tokens.
    pub fn with_auto_reweigh(mut self, auto_reweigh: bool) -> Self {
        self.auto_reweigh = auto_reweigh;
        self
    }
}

impl Default for Nltk {
    fn default() -> Self {
        Self::new()
    }
}

/// Counts of one segment or of many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Clipped matches of each order.
    pub matches: [u64; MOST_ORDERS],
    /// Hypothesis n-grams of each order, at least one for every segment.
    pub totals: [u64; MOST_ORDERS],
    /// Hypothesis tokens.
    pub hypothesis_length: u64,
    /// Tokens of the references closest in length.
    pub reference_length: u64,
    /// The last segment. Merging keeps the later one, so the order matters.
    pub last: Option<LastSegment>,
}

crate::record::record!(Stats { matches, totals, hypothesis_length, reference_length, last });

impl Mergeable for Stats {
    fn merge(&mut self, other: &Self) {
        self.matches.iter_mut().zip(other.matches).for_each(|(sum, n)| *sum += n);
        self.totals.iter_mut().zip(other.totals).for_each(|(sum, n)| *sum += n);
        self.hypothesis_length += other.hypothesis_length;
        self.reference_length += other.reference_length;
        self.last = other.last.or(self.last);
    }
}

/// The score and its components.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// BLEU, or NaN where NLTK raises an exception.
    pub score: f64,
    /// Matches over n-grams of each order, before smoothing.
    pub precisions: Vec<f64>,
    /// 1 for a corpus longer than its references, less for shorter ones.
    pub brevity_penalty: f64,
    /// Hypothesis tokens.
    pub hypothesis_length: u64,
    /// Reference tokens.
    pub reference_length: u64,
    /// Orders without a match. With method 0 NLTK warns about each of them.
    pub zero_orders: u64,
    /// No word matched: NLTK returns the integer 0 and neither smooths nor warns.
    pub nothing_matched: bool,
    /// Set when NLTK raises an exception instead.
    pub undefined: Option<Undefined>,
}

impl Definition for Nltk {
    type Stats = Stats;
    type Score = Score;
    type Scratch = Scratch;

    fn title(&self) -> Option<String> {
        let longest = self.weights.iter().rposition(|&weight| weight != 0.0);
        Some(super::title(longest.map_or(0, |at| at + 1)))
    }

    fn needs_spaces(&self, _: &str) -> bool {
        true
    }

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        const FIFTH: usize = 5;
        let fifth = if self.smoothing.reads_fifth_order() { FIFTH } else { 0 };
        let n_orders = self.n_orders.max(1);
        let mut matches = [0; MOST_ORDERS];
        scratch.count(segment, &self.tokenizer, self.case, &mut matches[..n_orders.max(fifth)]);
        let hypothesis_length = scratch.hypothesis_length() as u64;
        let mut stats = Stats {
            hypothesis_length,
            reference_length: scratch.closest_length() as u64,
            last: Some(LastSegment { hypothesis_length, fifth_order_matches: matches[FIFTH - 1] }),
            ..Stats::default()
        };
        for (i, &matches) in matches.iter().enumerate().take(n_orders) {
            stats.matches[i] = matches;
            stats.totals[i] = scratch.total(i + 1).max(1);
        }
        stats
    }

    fn finish(&self, stats: &Stats) -> Score {
        let orders = stats.matches.iter().zip(&stats.totals).take(self.weights.len());
        let (score, undefined) = match self.scores(stats, &[&self.weights]) {
            Ok(scores) => (scores.first().copied().unwrap_or(0.0), None),
            Err(undefined) => (f64::NAN, Some(undefined)),
        };
        Score {
            score,
            precisions: orders.clone().map(|(&n, &d)| n as f64 / d as f64).collect(),
            brevity_penalty: brevity(stats),
            hypothesis_length: stats.hypothesis_length,
            reference_length: stats.reference_length,
            zero_orders: orders.filter(|&(&matches, _)| matches == 0).count() as u64,
            nothing_matched: stats.matches[0] == 0,
            undefined,
        }
    }

    fn splits_at_spaces(&self) -> bool {
        matches!(self.tokenizer, Tokenizer::Space)
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
            .count("hypothesis_length", score.hypothesis_length)
            .count("reference_length", score.reference_length)
            .count("zero_orders", score.zero_orders)
            .flag("undefined", score.undefined.is_some())
    }

    #[cfg(feature = "evidence")]
    fn evidence(&self, segment: Segment<'_>) -> Option<Evidence> {
        let mut scratch = Scratch::default();
        let stats = self.segment(segment, &mut scratch);
        let score = self.finish(&stats);
        let counts = stats.matches.into_iter().zip(stats.totals).take(self.weights.len());
        let counts: Vec<(u64, u64)> = counts.collect();
        let smoothed = match stats.last {
            Some(last) if !score.nothing_matched && score.undefined.is_none() => {
                self.smoothing.apply(&counts, stats.hypothesis_length, &last).ok()
            }
            _ => None,
        };
        let smoothed: Vec<f64> = match smoothed {
            Some(numbers) => numbers.iter().map(|number| number.value()).collect(),
            None => score.precisions.clone(),
        };
        let orders = counts.iter().zip(&smoothed).map(|(&counts, &p)| Precision::new(counts, p));
        let mut evidence = evidence::of_scratch(&scratch, orders.collect());
        let weights = self.weights_for(stats.hypothesis_length, &self.weights);
        let terms = weights.iter().copied().zip(smoothed).filter(|&(_, p)| p > 0.0);
        let formula = match (score.undefined, score.nothing_matched) {
            (Some(undefined), _) => format!("NaN: {undefined}"),
            (None, true) => "0: no word matches".to_owned(),
            (None, false) => evidence::weighted_formula(terms),
        };
        let lengths = (stats.hypothesis_length, stats.reference_length);
        evidence.steps = vec![
            evidence::brevity_step(lengths, score.brevity_penalty),
            Step::new("score", formula, score.score),
        ];
        Some(evidence)
    }

    fn signature(&self) -> Signature {
        let weights: Vec<String> = self.weights.iter().map(f64::to_string).collect();
        let signature = Signature::new(NLTK.name).with("weights", weights.join(","));
        let signature = match self.smoothing {
            Smoothing::Method0 => signature.with("smooth", "method0"),
            Smoothing::Method1 { epsilon } => {
                signature.with("smooth", "method1").with("epsilon", epsilon)
            }
            Smoothing::Method2 => signature.with("smooth", "method2"),
            Smoothing::Method3 => signature.with("smooth", "method3"),
            Smoothing::Method4 { k } => signature.with("smooth", "method4").with("k", k),
            Smoothing::Method5 => signature.with("smooth", "method5"),
            Smoothing::Method6 { alpha } => {
                signature.with("smooth", "method6").with("alpha", alpha)
            }
            Smoothing::Method7 { k } => signature.with("smooth", "method7").with("k", k),
        };
        signature
            .with("reweigh", yes_no(self.auto_reweigh))
            .with("case", self.case.name())
            .with("tok", self.tokenizer.name())
    }
}

impl Nltk {
    /// The scores by several weight vectors, as `corpus_bleu` returns for a list of them: smoothing uses as
    /// many orders as the longest vector has. Orders that were not counted have no matches.
    pub fn scores(
        &self,
        stats: &Stats,
        vectors: &[&[f64]],
    ) -> std::result::Result<Vec<f64>, Undefined> {
        let Some(last) = stats.last else { return Err(Undefined::DivisionByZero) };
        let longest = vectors.iter().map(|weights| weights.len()).max().unwrap_or(0);
        // NLTK counts no order for empty weights, so nothing can match.
        if longest == 0 || stats.matches[0] == 0 {
            return Ok(vec![0.0; vectors.len()]);
        }
        let counts: Vec<(u64, u64)> =
            stats.matches.into_iter().zip(stats.totals).take(longest).collect();
        let precisions = self.smoothing.apply(&counts, stats.hypothesis_length, &last)?;
        let logarithms: Vec<Option<f64>> =
            precisions.iter().map(|p| p.is_positive().then(|| ln(p.value()))).collect();
        let c = stats.hypothesis_length;
        let score = |weights: &&[f64]| {
            let weights = self.weights_for(c, weights);
            let terms = weights.iter().zip(&logarithms);
            let sum = fsum(terms.filter_map(|(weight, ln)| ln.map(|ln| weight * ln)));
            let mean = exp(sum);
            if mean.is_finite() { Ok(brevity(stats) * mean) } else { Err(Undefined::Overflow) }
        };
        vectors.iter().map(score).collect()
    }

    /// The weights for a corpus of so many tokens.
    fn weights_for<'w>(&self, n_tokens: u64, weights: &'w [f64]) -> Cow<'w, [f64]> {
        match self.auto_reweigh && n_tokens < 4 && *weights == UNIFORM {
            true => vec![1.0 / n_tokens as f64; n_tokens as usize].into(),
            false => weights.into(),
        }
    }

    /// Whether NLTK returns a number for these statistics.
    pub fn check(&self, stats: &Stats) -> std::result::Result<(), Undefined> {
        self.scores(stats, &[&self.weights]).map(|_| ())
    }
}

fn brevity(stats: &Stats) -> f64 {
    brevity_penalty(stats.hypothesis_length as f64, stats.reference_length as f64)
}

fn build(keys: &mut Keys, resources: &Resources) -> Result<AnyMetric> {
    let weights = weights(keys)?;
    let method = keys.choice("smooth", &METHODS, 0)?;
    let smoothing = match method {
        1 => Smoothing::Method1 { epsilon: keys.number("epsilon", 0.1)? },
        2 => Smoothing::Method2,
        3 => Smoothing::Method3,
        4 => Smoothing::Method4 { k: keys.number("k", 5.0)? },
        5 => Smoothing::Method5,
        6 => Smoothing::Method6 { alpha: alpha(keys)? },
        7 => Smoothing::Method7 { k: keys.number("k", 5.0)? },
        _ => Smoothing::Method0,
    };
    let mut metric = Nltk::new().with_weights(&weights)?.with_smoothing(smoothing);
    metric.auto_reweigh = keys.yes_no("reweigh", false)?;
    metric.case = Case::take(keys)?;
    metric.tokenizer = Tokenizer::take(keys, Tokenizer::Space, resources)?;
    Ok(AnyMetric::BleuNltk(metric))
}

const METHODS: [(&str, u8); 8] = [
    ("method0", 0),
    ("method1", 1),
    ("method2", 2),
    ("method3", 3),
    ("method4", 4),
    ("method5", 5),
    ("method6", 6),
    ("method7", 7),
];

/// `weights:0.5,0.5`, or `order:2` for the same.
fn weights(keys: &mut Keys) -> Result<Vec<f64>> {
    let given = keys.take("weights");
    let order = keys.take("order");
    let expected = |got: &str| {
        invalid(format!(
            "{}: weights are 1 to {MOST_ORDERS} numbers with commas between them, got '{got}'",
            NLTK.name
        ))
    };
    match (given, order) {
        (None, None) => Ok(UNIFORM.to_vec()),
        (Some(_), Some(_)) => {
            Err(invalid(format!("{}: order and weights exclude each other", NLTK.name)))
        }
        (Some(text), None) => {
            let weights: Option<Vec<f64>> = text
                .split(',')
                .map(|weight| decimal::parse(weight.trim()).filter(|x| x.is_finite()))
                .collect();
            weights.filter(|w| w.len() <= MOST_ORDERS).ok_or_else(|| expected(&text))
        }
        (None, Some(text)) => match text.parse::<usize>() {
            Ok(n) if (1..=MOST_ORDERS).contains(&n) => Ok(vec![1.0 / n as f64; n]),
            _ => Err(invalid(format!(
                "{}: order is a whole number from 1 to {MOST_ORDERS}, got '{text}'",
                NLTK.name
            ))),
        },
    }
}

fn alpha(keys: &mut Keys) -> Result<Number> {
    let Some(text) = keys.take("alpha") else { return Ok(Number::Integer(5)) };
    Number::parse(&text)
        .ok_or_else(|| invalid(format!("{}: alpha is a number, got '{text}'", NLTK.name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::Text;

    fn built(text: &str) -> Result<AnyMetric> {
        AnyMetric::build(text, &Resources::none())
    }

    #[test]
    fn partial_signatures_become_full_ones() {
        for (partial, full) in [
            ("bleu:nltk", "weights:0.25,0.25,0.25,0.25|smooth:method0|reweigh:no"),
            ("bleu:nltk|order:2", "weights:0.5,0.5|smooth:method0|reweigh:no"),
            (
                "bleu:nltk|smooth:method1",
                "weights:0.25,0.25,0.25,0.25|smooth:method1|epsilon:0.1|reweigh:no",
            ),
            (
                "bleu:nltk|weights:1|smooth:method6|alpha:2.0",
                "weights:1|smooth:method6|alpha:2.0|reweigh:no",
            ),
            ("bleu:nltk|weights:1|smooth:method6", "weights:1|smooth:method6|alpha:5|reweigh:no"),
            (
                "bleu:nltk|weights:1|smooth:method7|k:3.5|reweigh:yes",
                "weights:1|smooth:method7|k:3.5|reweigh:yes",
            ),
        ] {
            let signature = built(partial).unwrap().signature().to_string();
            let version = crate::signature::VERSION;
            let expected = format!("bleu:nltk|{full}|case:mixed|tok:space|bolide:{version}");
            assert_eq!(signature, expected);
            assert_eq!(built(&signature).unwrap().signature().to_string(), signature);
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, message) in [
            (
                "bleu:nltk|smooth:method8",
                "bleu:nltk: smooth is one of method0, method1, method2, method3, method4, method5, method6, method7, got 'method8'",
            ),
            ("bleu:nltk|order:10", "bleu:nltk: order is a whole number from 1 to 9, got '10'"),
            ("bleu:nltk|order:2|weights:1", "bleu:nltk: order and weights exclude each other"),
            (
                "bleu:nltk|weights:1,x",
                "bleu:nltk: weights are 1 to 9 numbers with commas between them, got '1,x'",
            ),
            ("bleu:nltk|smooth:method6|alpha:nan", "bleu:nltk: alpha is a number, got 'nan'"),
        ] {
            assert_eq!(built(text).unwrap_err().to_string(), message);
        }
        let error = built("bleu:nltk|epsilon:1").unwrap_err().to_string();
        assert!(
            error.starts_with("bleu:nltk has no key 'epsilon': its keys are weights"),
            "{error}"
        );
    }

    #[test]
    fn the_word_tokenizer_needs_its_table() {
        let error = built("bleu:nltk|tok:nltk").unwrap_err();
        assert_eq!(error.kind(), crate::error::ErrorKind::Unavailable);
    }

    #[cfg(feature = "embedded")]
    #[test]
    fn the_word_tokenizer_cuts_off_the_full_stop() {
        let score = |metric| crate::score(metric, "the mat", &["the mat."]).unwrap().value;
        assert_eq!(score("bleu:nltk|order:1|tok:space"), 0.5);
        assert_eq!(score("bleu:nltk|order:1|tok:nltk"), exp(1.0 - 3.0 / 2.0));
        assert_eq!(score("bleu:nltk|order:1|tok:13a"), exp(1.0 - 3.0 / 2.0));
    }

    fn segment(metric: &Nltk, hypothesis: &str, reference: &str) -> Stats {
        let references = [Text::Raw(reference)];
        let segment = Segment::new(Text::Raw(hypothesis), &references).unwrap();
        metric.segment(segment, &mut Scratch::default())
    }

    /// Method 5 reads the last segment: grouping does not matter, order does, as in NLTK.
    #[test]
    fn merging_keeps_the_last_segment() {
        let metric = Nltk::new().with_smoothing(Smoothing::Method5);
        let long = segment(&metric, "a b c d e f", "a b c d e f");
        let short = segment(&metric, "a b", "a c");
        let merged = |parts: &[&Stats]| {
            let mut total = Stats::default();
            parts.iter().for_each(|part| total.merge(part));
            total
        };
        let empty = Stats::default();
        let left = merged(&[&merged(&[&long, &short]), &empty]);
        let right = merged(&[&long, &merged(&[&empty, &short])]);
        assert_eq!(left, right);
        assert_eq!(left.last, short.last);
        assert_ne!(metric.finish(&left).score, metric.finish(&merged(&[&short, &long])).score);
        assert_eq!(metric.finish(&empty).undefined, Some(Undefined::DivisionByZero));
    }

    #[test]
    fn parameters_that_cancel_are_undefined() {
        let counts = |smoothing| {
            let metric = Nltk::new().with_smoothing(smoothing);
            let stats = segment(&metric, "a b c x", "a b c d");
            metric.finish(&stats).undefined
        };
        assert_eq!(counts(Smoothing::Method4 { k: 0.0 }), Some(Undefined::DivisionByZero));
        let alpha = Number::Integer(-1);
        assert_eq!(counts(Smoothing::Method6 { alpha }), Some(Undefined::DivisionByZero));
        assert_eq!(counts(Smoothing::Method1 { epsilon: -1.0 }), None);
        let metric = Nltk::new().with_weights(&[1.0, -9e9]).unwrap();
        let stats = segment(&metric, "a x", "a b");
        assert_eq!(metric.finish(&stats).undefined, Some(Undefined::Overflow));
    }
}
