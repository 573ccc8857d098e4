//! NLTK's eight smoothing functions (Chen and Cherry 2014), with NLTK's own arithmetic.
//!
//! Precisions are exact fractions until a method turns one into a float. A fraction that is then combined
//! with a float is first converted to the nearest double, as in Python. Methods 4 to 7 use the *last* segment
//! of a corpus, a quirk of NLTK that scores depend on.

use super::Undefined;
use crate::arithmetic::ratio::{self, Fraction};
use crate::arithmetic::{decimal, ln, pow};
use std::fmt;

/// A Python number: an integer keeps NLTK's fractions exact, a float does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A Python `int`.
    Integer(i64),
    /// A Python `float`.
    Float(f64),
}

impl Number {
    pub(super) fn parse(text: &str) -> Option<Number> {
        if let Ok(n) = text.parse() {
            return Some(Number::Integer(n));
        }
        decimal::parse(text).filter(|x| x.is_finite()).map(Number::Float)
    }

    fn value(self) -> f64 {
        match self {
            Number::Integer(n) => n as f64,
            Number::Float(x) => x,
        }
    }
}

/// Whole floats are written with a point, so that they read back as floats.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Integer(n) => write!(f, "{n}"),
            Number::Float(x) => write!(f, "{x:?}"),
        }
    }
}

/// `nltk.translate.bleu_score.SmoothingFunction` and the parameter each method reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Smoothing {
    /// None: a zero precision becomes the smallest normal double.
    Method0,
    /// A small number instead of zero matches.
    Method1 {
        /// 0.1 by default.
        epsilon: f64,
    },
    /// One more match and one more n-gram for every order but the first.
    Method2,
    /// Zero precisions halve, one after the other (NIST).
    Method3,
    /// The same, larger for longer hypotheses.
    Method4 {
        /// 5 by default.
        k: f64,
    },
    /// The mean of each order with its neighbours.
    Method5,
    /// A prior from the two orders before. NLTK fails without a matching trigram.
    Method6 {
        /// 5 by default.
        alpha: Number,
    },
    /// Method 4, then method 5.
    Method7 {
        /// 5 by default.
        k: f64,
    },
}

impl Smoothing {
    /// Whether the method reads the last segment's 5-gram precision.
    pub(super) fn reads_fifth_order(self) -> bool {
        matches!(self, Smoothing::Method5 | Smoothing::Method7 { .. })
    }

    /// The smoothed precisions of the given matches and n-grams.
    pub(super) fn apply(
        self,
        counts: &[(u64, u64)],
        hypothesis_length: u64,
        last: &LastSegment,
    ) -> Result<Vec<Precision>, Undefined> {
        let as_counted = || counts.iter().map(|&(n, d)| Precision::Ratio(n, d)).collect();
        let mut zeros = 0_i32;
        let mut for_zeros = |value: &mut dyn FnMut(i32, f64) -> f64| -> Vec<Precision> {
            let smooth = |&(matches, total): &(u64, u64)| {
                if matches > 0 {
                    return Precision::Ratio(matches, total);
                }
                zeros += 1;
                Precision::Float(value(zeros, total as f64))
            };
            counts.iter().map(smooth).collect()
        };
        match self {
            Smoothing::Method0 => Ok(for_zeros(&mut |_, _| f64::MIN_POSITIVE)),
            Smoothing::Method1 { epsilon } => Ok(for_zeros(&mut |_, total| epsilon / total)),
            Smoothing::Method2 => {
                let mut smoothed: Vec<Precision> = as_counted();
                for (precision, &(matches, total)) in smoothed.iter_mut().zip(counts).skip(1) {
                    *precision = Precision::Ratio(matches + 1, total + 1);
                }
                Ok(smoothed)
            }
            Smoothing::Method3 => Ok(for_zeros(&mut |nth, total| 1.0 / (two_to_the(nth) * total))),
            Smoothing::Method4 { k } => method4(counts, k, hypothesis_length, last),
            Smoothing::Method5 => Ok(method5(as_counted(), last)),
            Smoothing::Method6 { alpha } => method6(counts, alpha, last),
            Smoothing::Method7 { k } => {
                Ok(method5(method4(counts, k, hypothesis_length, last)?, last))
            }
        }
    }
}

/// What the methods need from the last segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastSegment {
    /// Tokens of its hypothesis.
    pub hypothesis_length: u64,
    /// Its clipped 5-gram matches.
    pub fifth_order_matches: u64,
}

crate::record::record!(LastSegment { hypothesis_length, fifth_order_matches });

impl LastSegment {
    fn total(&self, n: usize) -> u64 {
        (self.hypothesis_length + 1).saturating_sub(n as u64)
    }
}

fn method4(
    counts: &[(u64, u64)],
    k: f64,
    hypothesis_length: u64,
    last: &LastSegment,
) -> Result<Vec<Precision>, Undefined> {
    let length = if hypothesis_length == 0 { last.hypothesis_length } else { hypothesis_length };
    let mut zeros = 0;
    let smooth = |&(matches, total): &(u64, u64)| {
        // The logarithm of a single word's length is 0, and NLTK leaves such precisions at 0.
        if matches > 0 || length <= 1 {
            return Ok(Precision::Ratio(matches, total));
        }
        zeros += 1;
        let divisor = two_to_the(zeros) * k / ln(length as f64);
        if divisor == 0.0 {
            return Err(Undefined::DivisionByZero);
        }
        Ok(Precision::Float(1.0 / divisor / total as f64))
    };
    counts.iter().map(smooth).collect()
}

fn method5(precisions: Vec<Precision>, last: &LastSegment) -> Vec<Precision> {
    let beyond = Precision::Ratio(last.fifth_order_matches, last.total(5).max(1));
    let mut smoothed: Vec<Precision> = Vec::with_capacity(precisions.len());
    for (i, precision) in precisions.iter().enumerate() {
        let next = precisions.get(i + 1).unwrap_or(&beyond);
        let before = match smoothed.last() {
            Some(before) => before.plus(precision),
            None => precision.plus(&Precision::Ratio(1, 1)).plus(precision),
        };
        smoothed.push(before.plus(next).third());
    }
    smoothed
}

fn method6(
    counts: &[(u64, u64)],
    alpha: Number,
    last: &LastSegment,
) -> Result<Vec<Precision>, Undefined> {
    match counts.get(2) {
        None => return Err(Undefined::TooFewOrders),
        Some(&(0, _)) => return Err(Undefined::NoTrigramMatches),
        Some(_) => {}
    }
    let mut smoothed: Vec<Precision> = Vec::with_capacity(counts.len());
    for (i, &(matches, total)) in counts.iter().enumerate() {
        let (Some(one_before), Some(two_before)) = (
            i.checked_sub(1).and_then(|at| smoothed.get(at)),
            i.checked_sub(2).and_then(|at| smoothed.get(at)),
        ) else {
            smoothed.push(Precision::Ratio(matches, total));
            continue;
        };
        let n_grams = last.total(i + 1);
        let next = with_prior(one_before, two_before, matches, n_grams, alpha)?;
        smoothed.push(next);
    }
    Ok(smoothed)
}

/// (matches + alpha·prior) / (n-grams + alpha), with prior = one_before² / two_before.
fn with_prior(
    one_before: &Precision,
    two_before: &Precision,
    matches: u64,
    n_grams: u64,
    alpha: Number,
) -> Result<Precision, Undefined> {
    let divisor = n_grams as f64 + alpha.value();
    if divisor == 0.0 {
        return Err(Undefined::DivisionByZero);
    }
    // A fraction that a negative alpha has brought to zero is 0/n in NLTK, which does not recognise it as
    // zero.
    if two_before.is_zero() && alpha.value() < 0.0 {
        return Err(Undefined::DivisionByZero);
    }
    if two_before.is_zero() {
        // NLTK's prior is then the integer 0, and Python's quotient of integers is a float.
        return Ok(Precision::Float(matches as f64 / divisor));
    }
    if let (Some(one), Some(two), Number::Integer(alpha)) =
        (one_before.exact(), two_before.exact(), alpha)
    {
        let prior = one.times(&one).over(&two);
        let above = Fraction::new(matches, 1).plus(&Fraction::whole(alpha).times(&prior));
        let below = Fraction::new(n_grams, 1).plus(&Fraction::whole(alpha));
        return Ok(Precision::Exact(above.over(&below)));
    }
    let prior = match (one_before.exact(), two_before.exact()) {
        (Some(one), Some(two)) => one.times(&one).over(&two).value(),
        (Some(one), None) => one.times(&one).value() / two_before.value(),
        (None, _) => pow(one_before.value(), 2.0) / two_before.value(),
    };
    Ok(Precision::Float((matches as f64 + alpha.value() * prior) / divisor))
}

fn two_to_the(n: i32) -> f64 {
    // Orders are few, so the exponent is small.
    (1_u64 << n.clamp(0, 62)) as f64
}

/// A precision as NLTK holds it.
#[derive(Clone, Debug)]
pub(super) enum Precision {
    /// A fraction of counts.
    Ratio(u64, u64),
    /// A fraction of any size.
    Exact(Fraction),
    /// A float.
    Float(f64),
}

impl Precision {
    /// The nearest double.
    pub(super) fn value(&self) -> f64 {
        match self {
            Precision::Ratio(n, d) => ratio::divide(u128::from(*n), u128::from(*d)),
            Precision::Exact(fraction) => fraction.value(),
            Precision::Float(x) => *x,
        }
    }

    pub(super) fn is_positive(&self) -> bool {
        match self {
            Precision::Ratio(n, _) => *n > 0,
            Precision::Exact(fraction) => fraction.is_positive(),
            Precision::Float(x) => *x > 0.0,
        }
    }

    fn is_zero(&self) -> bool {
        match self {
            Precision::Ratio(n, _) => *n == 0,
            Precision::Exact(fraction) => fraction.is_zero(),
            Precision::Float(x) => *x == 0.0,
        }
    }

    fn exact(&self) -> Option<Fraction> {
        match self {
            Precision::Ratio(n, d) => Some(Fraction::new(*n, *d)),
            Precision::Exact(fraction) => Some(fraction.clone()),
            Precision::Float(_) => None,
        }
    }

    fn plus(&self, other: &Precision) -> Precision {
        match (self.exact(), other.exact()) {
            (Some(one), Some(two)) => Precision::Exact(one.plus(&two)),
            _ => Precision::Float(self.value() + other.value()),
        }
    }

    fn third(&self) -> Precision {
        match self.exact() {
            Some(fraction) => Precision::Exact(fraction.times(&Fraction::new(1, 3))),
            None => Precision::Float(self.value() / 3.0),
        }
    }
}
