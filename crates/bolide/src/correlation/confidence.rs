//! Uncertainty of a coefficient: bootstrap intervals, and a permutation test between two metrics.
//!
//! The caller's closure computes the coefficient of a sample, so means over groups, corpus scores of systems
//! and calibrated accuracies need no special code here. The generator is NumPy's PCG64; it restarts for every
//! call, so samples of different metrics with one seed are paired.

use crate::resample::{Pcg64, quantile};

/// The coefficients of samples of `n_items` items, drawn with replacement; each sample is a list of items.
pub fn bootstrap(
    n_items: usize,
    n_samples: usize,
    seed: u64,
    mut figure: impl FnMut(&[u32]) -> f64,
) -> Vec<f64> {
    let mut generator = Pcg64::new(seed);
    let mut items = vec![0; n_items];
    let mut figures = Vec::with_capacity(n_samples);
    for _ in 0..n_samples {
        items.iter_mut().for_each(|item| *item = generator.below(n_items as u32));
        figures.push(figure(&items));
    }
    figures
}

/// The ends of the interval that holds this share of the figures, with linear interpolation as NumPy's
/// percentiles. Samples without a figure (NaN) are left out; both ends are NaN if none has one.
///
/// ```
/// use bolide::correlation::confidence::interval;
/// let figures: Vec<f64> = (0..=100).map(f64::from).collect();
/// assert_eq!(interval(&figures, 0.5), [25.0, 75.0]);
/// ```
pub fn interval(figures: &[f64], level: f64) -> [f64; 2] {
    let mut sorted: Vec<f64> = figures.iter().copied().filter(|figure| !figure.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    let tail = (1.0 - level) / 2.0;
    [quantile(&sorted, tail), quantile(&sorted, 1.0 - tail)]
}

/// Whether a test asks for a difference in either direction or for a better one only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// The difference is as large, in either direction.
    Two,
    /// The metric with the higher figure is ahead by as much, as in mt-metrics-eval.
    One,
}

/// The probability that two equally good metrics differ as much as these do (PERM-BOTH of Deutsch, Dror and
/// Roth 2021).
///
/// In each trial the scores of every item are swapped between the metrics with probability one half. For that
/// they must be on one scale: see [`standardized`](super::standardized). The result is NaN if a coefficient
/// is undefined.
pub fn permutation_p_value(
    first: &[f64],
    second: &[f64],
    (n_trials, seed): (usize, u64),
    sides: Sides,
    mut figure: impl FnMut(&[f64]) -> f64,
) -> f64 {
    let observed = figure(first) - figure(second);
    let turn = if observed < 0.0 { -1.0 } else { 1.0 };
    let size = |difference: f64| match sides {
        Sides::Two => difference.abs(),
        Sides::One => turn * difference,
    };
    let difference = size(observed);
    if difference.is_nan() || first.len() != second.len() {
        return f64::NAN;
    }
    let mut generator = Pcg64::new(seed);
    let (mut ours, mut theirs) = (first.to_vec(), second.to_vec());
    let mut n_larger = 0_usize;
    for _ in 0..n_trials {
        for (at, items) in ours.chunks_mut(32).zip(theirs.chunks_mut(32)).enumerate() {
            let bits = generator.next_u32();
            for (idx, (a, b)) in items.0.iter_mut().zip(items.1).enumerate() {
                let (x, y) = (first[32 * at + idx], second[32 * at + idx]);
                (*a, *b) = if bits >> idx & 1 == 1 { (y, x) } else { (x, y) };
            }
        }
        n_larger += usize::from(size(figure(&ours) - figure(&theirs)) >= difference);
    }
    (n_larger + 1) as f64 / (n_trials + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::correlation::pearson;

    fn noisy(seed: u64, human: &[f64], noise: f64) -> Vec<f64> {
        let mut generator = Pcg64::new(seed);
        human.iter().map(|x| x + noise * f64::from(generator.below(1000)) / 1000.0).collect()
    }

    #[test]
    fn a_bootstrap_interval_holds_the_figure_and_repeats() {
        let human: Vec<f64> = (0..80).map(|x| f64::from(x * 37 % 80) / 80.0).collect();
        let metric = noisy(1, &human, 2.0);
        let figure = |items: &[u32]| {
            let of = |list: &[f64]| items.iter().map(|&at| list[at as usize]).collect::<Vec<_>>();
            pearson(&of(&metric), &of(&human))
        };
        let figures = bootstrap(80, 500, 12345, figure);
        assert_eq!(figures, bootstrap(80, 500, 12345, figure));
        assert_ne!(figures, bootstrap(80, 500, 1, figure));
        let [low, high] = interval(&figures, 0.95);
        let all = pearson(&metric, &human);
        assert!(low < all && all < high, "{low} {all} {high}");
        assert!(interval(&[f64::NAN], 0.95)[0].is_nan());
    }

    #[test]
    fn a_better_metric_is_told_from_a_worse_one_and_not_from_itself() {
        let human: Vec<f64> = (0..100).map(|x| f64::from(x * 37 % 100) / 100.0).collect();
        let (good, bad) = (noisy(1, &human, 0.5), noisy(2, &human, 5.0));
        let p = |a: &[f64], b: &[f64]| {
            let scale = crate::correlation::standardized;
            let figure = |scores: &[f64]| pearson(scores, &human);
            permutation_p_value(&scale(a), &scale(b), (999, 12345), Sides::Two, figure)
        };
        assert!(p(&good, &bad) <= 0.002);
        assert!(p(&good, &noisy(3, &human, 0.5)) > 0.05);
        assert_eq!(p(&good, &good), 1.0);
        assert!(p(&good, &[1.0; 100]).is_nan());
    }

    #[test]
    fn one_side_has_about_half_of_the_probability_whichever_metric_comes_first() {
        let human: Vec<f64> = (0..60).map(|x| f64::from(x * 37 % 60) / 60.0).collect();
        let (a, b) = (noisy(4, &human, 1.5), noisy(5, &human, 1.0));
        let scale = crate::correlation::standardized;
        let (a, b) = (scale(&a), scale(&b));
        let figure = |scores: &[f64]| pearson(scores, &human);
        let p = |sides| permutation_p_value(&a, &b, (2000, 1), sides, figure);
        let turned = permutation_p_value(&b, &a, (2000, 1), Sides::One, figure);
        assert_eq!(p(Sides::One), turned);
        assert!((p(Sides::Two) - 2.0 * p(Sides::One)).abs() < 0.05, "{}", p(Sides::Two));
    }
}
