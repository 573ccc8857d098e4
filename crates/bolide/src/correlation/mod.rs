//! How well a metric agrees with people: correlation coefficients, their uncertainty, and whether one metric
//! agrees better than another.
//!
//! [`pearson`], [`spearman`], [`kendall_b`] and [`kendall_c`] are SciPy's `pearsonr`, `spearmanr` and
//! `kendalltau`; [`pairwise`] is the accuracy with tie calibration of Deutsch, Foster and Freitag 2023, by
//! which mt-metrics-eval ranks metrics. [`soft`] is the soft pairwise accuracy of systems. [`confidence`] draws
//! bootstrap samples and permutations with the generator of [`resample`](crate::resample); [`williams`] compares two
//! correlations without them, and [`clusters`] ranks by significance. An undefined coefficient, such as the
//! correlation of a constant, is NaN.
//!
//! All functions take two lists of numbers, the metric's and the human ones, in the same order. The caller
//! must ensure that larger is better in both.

pub mod clusters;
pub mod confidence;
mod kendall;
pub mod pairwise;
pub mod soft;
pub mod williams;

pub use kendall::{PairCounts, kendall_b, kendall_c};

use crate::arithmetic::PythonSum;

/// A measure of agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coefficient {
    /// Pearson's r: how close the points are to a line.
    Pearson,
    /// Spearman's rho: Pearson's r of the ranks.
    Spearman,
    /// Kendall's tau b: concordant minus discordant pairs, corrected for ties.
    KendallB,
    /// Kendall's tau c, Stuart's, for scales with few values.
    KendallC,
    /// The share of pairs that both sides rank the same way, ties included, with the tie threshold that is
    /// best for the metric.
    PairwiseAccuracy,
    /// [`soft::accuracy`]: it reads the segments of systems, so it is no figure of two lists.
    SoftAccuracy,
    /// The pairwise confidence error, one minus [`soft::accuracy`]; less is better.
    ConfidenceError,
}

impl Coefficient {
    /// The figures of two lists, with their names.
    pub const CHOICES: [(&str, Coefficient); 5] = [
        ("pearson", Coefficient::Pearson),
        ("spearman", Coefficient::Spearman),
        ("kendall-b", Coefficient::KendallB),
        ("kendall-c", Coefficient::KendallC),
        ("accuracy", Coefficient::PairwiseAccuracy),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Coefficient::SoftAccuracy => "soft-accuracy",
            Coefficient::ConfidenceError => "pce",
            _ => Self::CHOICES.iter().find(|(_, choice)| *choice == self).map_or("", |it| it.0),
        }
    }

    /// Whether it is a figure of systems and their texts, not of two lists.
    pub fn needs_systems(self) -> bool {
        matches!(self, Coefficient::SoftAccuracy | Coefficient::ConfidenceError)
    }

    /// The figure for two lists of the same length; NaN where it [needs systems](Self::needs_systems).
    ///
    /// ```
    /// use bolide::correlation::Coefficient;
    /// let (metric, human) = ([0.2, 0.4, 0.5, 0.9], [1.0, 3.0, 2.0, 4.0]);
    /// assert_eq!(format!("{:.3}", Coefficient::Spearman.of(&metric, &human)), "0.800");
    /// assert_eq!(Coefficient::PairwiseAccuracy.of(&metric, &human), 5.0 / 6.0);
    /// ```
    pub fn of(self, metric: &[f64], human: &[f64]) -> f64 {
        match self {
            Coefficient::Pearson => pearson(metric, human),
            Coefficient::Spearman => spearman(metric, human),
            Coefficient::KendallB => kendall_b(metric, human),
            Coefficient::KendallC => kendall_c(metric, human),
            Coefficient::PairwiseAccuracy => pairwise::calibrate(&[(metric, human)]).accuracy,
            Coefficient::SoftAccuracy | Coefficient::ConfidenceError => f64::NAN,
        }
    }

    /// The mean over several pairs of lists, such as one for each system or for each item, as mt-metrics-eval averages.
    /// Lists without a figure do not count; accuracies share one tie threshold. NaN if no list has a figure.
    ///
    /// ```
    /// use bolide::correlation::Coefficient;
    /// let (first, second) = ([1.0, 2.0, 3.0], [1.0, 3.0, 2.0]);
    /// let lists: [(&[f64], &[f64]); 3] = [(&first, &first), (&second, &first), (&[1.0], &[1.0])];
    /// assert_eq!(Coefficient::KendallB.mean_of(&lists), 2.0 / 3.0);
    /// ```
    pub fn mean_of(self, lists: &[(&[f64], &[f64])]) -> f64 {
        if self == Coefficient::PairwiseAccuracy {
            return pairwise::calibrate(lists).accuracy;
        }
        let figures = lists.iter().map(|(metric, human)| self.of(metric, human));
        let figures: Vec<f64> = figures.filter(|figure| !figure.is_nan()).collect();
        crate::arithmetic::fsum(figures.iter().copied()) / figures.len() as f64
    }
}

/// Pearson's correlation coefficient.
///
/// NaN for fewer than two points, for lists of different length, for a constant list and for anything
/// that is not finite.
///
/// ```
/// assert_eq!(bolide::correlation::pearson(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]), 1.0);
/// ```
pub fn pearson(x: &[f64], y: &[f64]) -> f64 {
    if x.len() != y.len() || x.len() < 2 {
        return f64::NAN;
    }
    let (Some(x), Some(y)) = (centred(x), centred(y)) else { return f64::NAN };
    let sum = |a: &[f64], b: &[f64]| PythonSum::Compensated.of(a.iter().zip(b).map(|(a, b)| a * b));
    (sum(&x, &y) / (sum(&x, &x) * sum(&y, &y)).sqrt()).clamp(-1.0, 1.0)
}

/// The distances from the mean, scaled to at most 1 so that no square overflows; `None` for constants and for
/// values that are not finite.
fn centred(values: &[f64]) -> Option<Vec<f64>> {
    let (&first, rest) = values.split_first()?;
    if rest.iter().all(|&value| value == first) || !values.iter().all(|value| value.is_finite()) {
        return None;
    }
    let n = values.len() as f64;
    let mean = PythonSum::Compensated.of(values.iter().map(|value| value / n));
    let mut distances: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let largest = distances.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    distances.iter_mut().for_each(|distance| *distance /= largest);
    Some(distances)
}

/// Spearman's correlation coefficient; equal values share the mean of their ranks.
pub fn spearman(x: &[f64], y: &[f64]) -> f64 {
    if x.iter().chain(y).any(|value| value.is_nan()) {
        return f64::NAN;
    }
    pearson(&ranks(x), &ranks(y))
}

/// Ranks from 1; equal values share the mean of theirs.
///
/// ```
/// assert_eq!(bolide::correlation::ranks(&[5.0, 1.0, 5.0]), [2.5, 1.0, 2.5]);
/// ```
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| compare(values[a], values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for tied in order.chunk_by(|&a, &b| compare(values[a], values[b]).is_eq()) {
        let end = start + tied.len();
        tied.iter().for_each(|&at| ranks[at] = (start + 1 + end) as f64 / 2.0);
        start = end;
    }
    ranks
}

/// The order of numbers, with both zeros equal. NaN is handled before sorting.
fn compare(a: f64, b: f64) -> std::cmp::Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.total_cmp(&b))
}

/// Scores minus their mean, in units of their standard deviation: puts two metrics on one scale. Constants
/// become zeros.
pub fn standardized(values: &[f64]) -> Vec<f64> {
    let Some(mut distances) = centred(values) else { return vec![0.0; values.len()] };
    let squares = PythonSum::Compensated.of(distances.iter().map(|x| x * x));
    let deviation = (squares / values.len() as f64).sqrt();
    distances.iter_mut().for_each(|distance| *distance /= deviation);
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_do_not_exist_are_nan() {
        for (_, coefficient) in Coefficient::CHOICES {
            for (x, y) in [
                (&[][..], &[][..]),
                (&[1.0], &[1.0]),
                (&[1.0, 2.0], &[f64::NAN, 1.0]),
                (&[f64::NAN, 2.0], &[0.0, 1.0]),
                (&[1.0, 2.0], &[1.0]),
            ] {
                let figure = coefficient.of(x, y);
                assert!(figure.is_nan(), "{coefficient:?} {x:?} {y:?}: {figure}");
            }
            let constant = coefficient.of(&[3.0; 4], &[1.0, 2.0, 3.0, 4.0]);
            // An accuracy exists: every pair is a tie of the metric and none is a human tie.
            let expected = coefficient == Coefficient::PairwiseAccuracy;
            assert_eq!(constant == 0.0, expected, "{coefficient:?}");
            assert_eq!(constant.is_nan(), !expected, "{coefficient:?}");
        }
    }

    #[test]
    fn perfect_agreement_is_one_in_either_direction() {
        let x = [0.1, 0.2, 0.3, 0.4, 0.7];
        let y = x.map(|x| 5.0 - 10.0 * x);
        let [r, rho, b, c, _] = Coefficient::CHOICES.map(|(_, it)| it.of(&x, &y));
        assert_eq!((r, rho, b, c), (-1.0, -1.0, -1.0, -1.0));
        for (_, coefficient) in Coefficient::CHOICES {
            assert_eq!(coefficient.of(&x, &x), 1.0, "{coefficient:?}");
        }
    }

    #[test]
    fn huge_and_shifted_numbers_keep_their_correlation() {
        let x = [1.0, 4.0, 2.0, 8.0, 5.0];
        let y = [2.0, 3.0, 1.0, 9.0, 4.0];
        let plain = pearson(&x, &y);
        let check = |x: [f64; 5]| assert!((pearson(&x, &y) - plain).abs() < 1e-12);
        check(x.map(|x| x * 1e300));
        check(x.map(|x| x * 1e-300));
        check(x.map(|x| x + 1e6));
        assert!(pearson(&[0.1 + 0.2; 3], &[1.0, 2.0, 3.0]).is_nan());
    }

    #[test]
    fn standard_scores_have_mean_zero_and_deviation_one() {
        assert_eq!(standardized(&[1.0, 3.0, 1.0, 3.0]), [-1.0, 1.0, -1.0, 1.0]);
        assert_eq!(standardized(&[2.0, 2.0]), [0.0, 0.0]);
    }
}
