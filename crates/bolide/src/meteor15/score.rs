//! The formula of METEOR 1.5, in the jar's order of operations.
//!
//! Content words weigh δ and function words 1−δ on both sides; P and R are weighted matches over weighted
//! lengths, Fmean = 1/((1−α)/P + α/R), penalty = γ·(chunks/matches)^β with matches the mean of both sides,
//! score = Fmean·(1 − penalty). Divisions by zero follow IEEE: they become NaN, and a NaN score is 0. The
//! power is fdlibm's, as in Java's StrictMath; a JVM's own intrinsic may differ in the last bit.

use super::statistics::Totals;
use crate::arithmetic::strict;

/// All steps of the formula.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Weighted precision.
    pub precision: f64,
    /// Weighted recall.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
    /// Their harmonic mean with α.
    pub fmean: f64,
    /// The fragmentation penalty.
    pub penalty: f64,
    /// Fmean·(1 − penalty), never below 0.
    pub score: f64,
}

/// Scores sums. Modules without a weight do not count; missing parameters count as 0.
pub fn score(totals: &Totals, parameters: &[f64], weights: &[f64]) -> Score {
    let parameter = |at: usize| parameters.get(at).copied().unwrap_or(0.0);
    let (alpha, beta, gamma, delta) = (parameter(0), parameter(1), parameter(2), parameter(3));
    let length = |all: f64, function: f64| delta * (all - function) + (1.0 - delta) * function;
    let hypothesis_length = length(totals.hypothesis_length, totals.hypothesis_function);
    let reference_length = length(totals.reference_length, totals.reference_function);
    let weighted = |at: usize, share: f64, sum: &mut f64| {
        for (stage, weight) in totals.stages.iter().zip(weights) {
            *sum += stage[at] * weight * share;
        }
    };
    let (mut hypothesis_matches, mut reference_matches) = (0.0, 0.0);
    weighted(0, delta, &mut hypothesis_matches);
    weighted(1, delta, &mut reference_matches);
    weighted(2, 1.0 - delta, &mut hypothesis_matches);
    weighted(3, 1.0 - delta, &mut reference_matches);
    let precision = hypothesis_matches / hypothesis_length;
    let recall = reference_matches / reference_length;
    let f1 = 2.0 * precision * recall / (precision + recall);
    let fmean = 1.0 / ((1.0 - alpha) / precision + alpha / recall);
    let fragmentation = if totals.is_perfect() {
        0.0
    } else {
        totals.chunks / ((totals.hypothesis_words + totals.reference_words) / 2.0)
    };
    let penalty = gamma * strict::pow(fragmentation, beta);
    let score = fmean * (1.0 - penalty);
    // NaN, negative scores and minus zero become zero.
    let score = if score > 0.0 { score } else { 0.0 };
    Score { precision, recall, f1, fmean, penalty, score }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANK: [f64; 4] = [0.85, 0.2, 0.6, 0.75];

    #[test]
    fn the_worked_example_of_the_search() {
        // hyp `a b a`, ref `a a b`: three matches, two chunks; `a` is a function word.
        let mut numbers = [0.0; 23];
        numbers[..8].copy_from_slice(&[3.0, 3.0, 2.0, 2.0, 1.0, 1.0, 2.0, 2.0]);
        numbers[20..].copy_from_slice(&[2.0, 3.0, 3.0]);
        let score = score(&Totals::from_numbers(&numbers), &RANK, &[1.0]);
        assert!((score.penalty - 0.5532647468890366).abs() <= 4e-16);
        assert!((score.score - 0.4467352531109634).abs() <= 4e-16);
        assert_eq!((score.precision, score.recall), (1.0, 1.0));
    }

    #[test]
    fn edges_follow_ieee() {
        let empty = score(&Totals::default(), &RANK, &[1.0]);
        assert!(empty.precision.is_nan() && empty.recall.is_nan() && empty.penalty.is_nan());
        assert_eq!(empty.score, 0.0);
        let flat = score(&Totals::default(), &[0.5, 0.0, 0.4, 0.5], &[1.0]);
        assert_eq!(flat.penalty, 0.4);
    }
}
