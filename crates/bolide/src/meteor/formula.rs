//! From counts to a METEOR score, in the operation order of NLTK and the 2005 paper.
//!
//! P = m/h, R = m/r, Fmean = PR/(αP + (1−α)R), penalty = γ·(chunks/m)^β,
//! score = (1 − penalty)·Fmean. A division by zero anywhere makes the score 0.

use crate::arithmetic::pow;

/// α weighs precision against recall, β and γ shape the fragmentation penalty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// The weight of precision in the harmonic mean (0.9: recall counts nine times as much).
    pub alpha: f64,
    /// The exponent of the fragmentation.
    pub beta: f64,
    /// The largest penalty.
    pub gamma: f64,
}

impl Parameters {
    /// α 0.9, β 3, γ 0.5: Banerjee and Lavie 2005, and NLTK's defaults.
    pub const CLASSIC: Parameters = Parameters { alpha: 0.9, beta: 3.0, gamma: 0.5 };
}

/// The steps of the formula, each as it was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steps {
    /// Matches over hypothesis tokens.
    pub precision: f64,
    /// Matches over reference tokens.
    pub recall: f64,
    /// The weighted harmonic mean of the two.
    pub fmean: f64,
    /// γ·(chunks/matches)^β.
    pub penalty: f64,
    /// (1 − penalty)·Fmean.
    pub score: f64,
}

/// Computes all steps. Without a match, or with an empty side, every step is 0.
pub fn steps(
    matches: u64,
    chunks: u64,
    (hypothesis_length, reference_length): (u64, u64),
    parameters: &Parameters,
) -> Steps {
    let Parameters { alpha, beta, gamma } = *parameters;
    if matches == 0 || hypothesis_length == 0 || reference_length == 0 {
        return Steps::default();
    }
    let precision = matches as f64 / hypothesis_length as f64;
    let recall = matches as f64 / reference_length as f64;
    let divisor = alpha * precision + (1.0 - alpha) * recall;
    if divisor == 0.0 {
        return Steps { precision, recall, ..Steps::default() };
    }
    let fmean = precision * recall / divisor;
    let penalty = gamma * pow(chunks as f64 / matches as f64, beta);
    Steps { precision, recall, fmean, penalty, score: (1.0 - penalty) * fmean }
}

/// Fmean by the other road, 1/(α/R + (1−α)/P): explanations show that both agree.
pub fn fmean_check(precision: f64, recall: f64, alpha: f64) -> f64 {
    if precision == 0.0 || recall == 0.0 {
        return 0.0;
    }
    1.0 / (alpha / recall + (1.0 - alpha) / precision)
}
