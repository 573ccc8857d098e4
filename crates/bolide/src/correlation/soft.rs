//! Soft pairwise accuracy: whether a metric is as sure as people which of two systems is better.
//!
//! Thompson, Mathur, Deutsch and Khayrallah 2024; the figure by which WMT24 and WMT25 rank metrics at system level.
//! For each pair of systems, p is the one-tailed p-value of a paired permutation test: the share of trials in
//! which exchanging the systems' scores of random items gives a difference at least as large as the one
//! observed. The accuracy is the mean of 1 − |p of people − p of the metric|; one minus it is the pairwise
//! confidence error (PCE).
//!
//! Both sides see the same exchanges, which are those that mt-metrics-eval draws with the same seed (its own is 4): an
//! item keeps its place if NumPy's next random single is above one half. Scores are held in fixed point with 60 bits for
//! the largest, so that sums are exact and ties are ties; mt-metrics-eval adds in single precision, so a trial that is almost
//! a tie may count differently there.

use crate::arithmetic::fsum;
use crate::resample::Pcg64;

/// The p-values of all pairs of systems, (0, 1), (0, 2), …, (1, 2), …: small if the first is better. `scores` has
/// a list for each system, with the same items in the same order. Empty if there is nothing to compare: lists of
/// different length, no items, or a score that is not finite.
///
/// ```
/// use bolide::correlation::soft::p_values;
/// let (good, bad) = ([0.9, 0.8, 0.9, 0.7, 0.8, 0.9], [0.1, 0.3, 0.2, 0.1, 0.2, 0.3]);
/// let p = p_values(&[&good, &bad], 1000, 12345);
/// assert!(p.len() == 1 && p[0] < 0.05);
/// ```
pub fn p_values(scores: &[&[f64]], n_trials: usize, seed: u64) -> Vec<f64> {
    let n_items = scores.first().map_or(0, |list| list.len());
    let is_even = scores.iter().all(|list| list.len() == n_items);
    let is_finite = scores.iter().all(|list| list.iter().all(|x| x.is_finite()));
    if n_items == 0 || n_trials == 0 || !is_even || !is_finite {
        return Vec::new();
    }
    let sizes = scores.iter().flat_map(|list| list.iter().map(|x| x.abs()));
    let largest = sizes.fold(0.0, f64::max);
    let units = units(largest);
    let scale = |x: f64| (x * units).round() as i64;
    let scores: Vec<Vec<i64>> =
        scores.iter().map(|list| list.iter().map(|&x| scale(x)).collect()).collect();
    let differences = |sums: &[i128]| -> Vec<i128> {
        let pairs = (0..sums.len()).flat_map(|i| (i + 1..sums.len()).map(move |j| (i, j)));
        pairs.map(|(i, j)| sums[i] - sums[j]).collect()
    };
    let observed = differences(
        &scores.iter().map(|list| list.iter().map(|&x| i128::from(x)).sum()).collect::<Vec<_>>(),
    );
    let mut larger = vec![0_usize; observed.len()];
    let mut generator = Pcg64::new(seed);
    let mut signs = vec![0_i64; n_items];
    for _ in 0..n_trials {
        // The 24 bits of a single in [0, 1); exactly one half counts as below.
        let keeps = |bits: u32| bits >> 8 > 1 << 23;
        signs.iter_mut().for_each(|sign| *sign = 2 * i64::from(keeps(generator.next_u32())) - 1);
        let signed = |list: &Vec<i64>| -> i128 {
            list.iter().zip(&signs).map(|(&x, &sign)| i128::from(x * sign)).sum()
        };
        let sums: Vec<i128> = scores.iter().map(signed).collect();
        for ((count, new), old) in larger.iter_mut().zip(differences(&sums)).zip(&observed) {
            *count += usize::from(new >= *old);
        }
    }
    larger.into_iter().map(|count| count as f64 / n_trials as f64).collect()
}

/// The power of two that makes the largest score a number of 60 bits; scores below 1e-280 lose their last bits.
fn units(largest: f64) -> f64 {
    let exponent = (largest.to_bits() >> 52) as i64 - 1023;
    let power = (59 - exponent).clamp(-1000, 1000);
    f64::from_bits(((power + 1023) as u64) << 52)
}

/// The soft pairwise accuracy of a metric; NaN for fewer than two systems and where [`p_values`] has none.
///
/// ```
/// use bolide::correlation::soft::accuracy;
/// let human: [&[f64]; 3] = [&[0.9, 0.8, 0.4], &[0.2, 0.6, 0.5], &[0.1, 0.2, 0.0]];
/// assert_eq!(accuracy(&human, &human, 1000, 12345), 1.0);
/// ```
pub fn accuracy(metric: &[&[f64]], human: &[&[f64]], n_trials: usize, seed: u64) -> f64 {
    let ours = p_values(metric, n_trials, seed);
    let theirs = p_values(human, n_trials, seed);
    let same_items = metric.first().map(|list| list.len()) == human.first().map(|list| list.len());
    if ours.is_empty() || ours.len() != theirs.len() || !same_items {
        return f64::NAN;
    }
    fsum(ours.iter().zip(&theirs).map(|(a, b)| 1.0 - (a - b).abs())) / ours.len() as f64
}

/// The rank cluster of each system, from 1 for the best: a cluster ends at the first system that one of its members
/// beats with p ≤ `level`. Empty where [`p_values`] has none.
///
/// ```
/// use bolide::correlation::soft::clusters;
/// let (good, bad) = ([0.9, 0.8, 0.9, 0.7, 0.8, 0.9], [0.1, 0.3, 0.2, 0.1, 0.2, 0.3]);
/// assert_eq!(clusters(&[&bad, &good, &good], 1000, 12345, 0.05), [Some(2), Some(1), Some(1)]);
/// ```
pub fn clusters(scores: &[&[f64]], n_trials: usize, seed: u64, level: f64) -> Vec<Option<u32>> {
    let sums: Vec<f64> = scores.iter().map(|list| fsum(list.iter().copied())).collect();
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| super::compare(sums[b], sums[a]));
    let sorted: Vec<&[f64]> = order.iter().map(|&system| scores[system]).collect();
    let p = p_values(&sorted, n_trials, seed);
    let n = order.len();
    if n > 1 && p.is_empty() {
        return Vec::new();
    }
    // The pairs of the best system come first, then those of the second.
    let pair = |i: usize, j: usize| i * (2 * n - i - 1) / 2 + j - i - 1;
    let mut place = vec![0; n];
    order.iter().enumerate().for_each(|(at, &system)| place[system] = at);
    super::clusters::ranks(&sums, |better, worse| p[pair(place[better], place[worse])] <= level)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: u64, n: usize) -> Vec<f64> {
        let mut generator = Pcg64::new(seed);
        (0..n).map(|_| f64::from(generator.below(1000)) / 1000.0).collect()
    }

    /// All exchanges of a few items instead of random ones.
    fn exhaustive(a: &[f64], b: &[f64]) -> f64 {
        let d: Vec<i64> = a.iter().zip(b).map(|(x, y)| (1000.0 * (x - y)).round() as i64).collect();
        let observed: i64 = d.iter().sum();
        let n = 1_u32 << d.len();
        let sum = |mask: u32| -> i64 {
            d.iter().enumerate().map(|(at, x)| if mask >> at & 1 == 1 { -x } else { *x }).sum()
        };
        (0..n).filter(|&mask| sum(mask) >= observed).count() as f64 / f64::from(n)
    }

    #[test]
    fn random_exchanges_come_close_to_all_of_them() {
        for seed in 0..20 {
            let (a, b) = (random(seed, 10), random(seed + 100, 10));
            let p = p_values(&[&a, &b], 20_000, 7)[0];
            assert!((p - exhaustive(&a, &b)).abs() < 0.02, "{seed}: {p}");
        }
    }

    #[test]
    fn a_metric_that_agrees_has_one_and_its_opposite_little() {
        let human: Vec<Vec<f64>> = (0..5)
            .map(|system| random(system, 60).iter().map(|x| x + 0.3 * system as f64).collect())
            .collect();
        let turned: Vec<Vec<f64>> =
            human.iter().map(|list| list.iter().map(|x| -x).collect()).collect();
        fn views(lists: &[Vec<f64>]) -> Vec<&[f64]> {
            lists.iter().map(Vec::as_slice).collect()
        }
        assert_eq!(accuracy(&views(&human), &views(&human), 1000, 12345), 1.0);
        let scaled: Vec<Vec<f64>> =
            human.iter().map(|list| list.iter().map(|x| 8.0 * x).collect()).collect();
        assert_eq!(accuracy(&views(&scaled), &views(&human), 1000, 12345), 1.0);
        assert!(accuracy(&views(&turned), &views(&human), 1000, 12345) < 0.05);
    }

    #[test]
    fn equal_items_are_exact_ties() {
        // Two systems that differ in one item only: half of all exchanges keep it where it is.
        let a = random(3, 500);
        let mut b = a.clone();
        b[250] -= 0.1;
        let p = p_values(&[&a, &b], 10_000, 1)[0];
        assert!((p - 0.5).abs() < 0.03, "{p}");
        assert_eq!(p_values(&[&a, &a], 100, 1), [1.0]);
    }

    #[test]
    fn nothing_to_compare_is_nan() {
        let (a, b, none): (&[f64], &[f64], &[f64]) = (&[0.1, 0.2], &[0.3], &[]);
        for (metric, human) in [
            (&[][..], &[][..]),
            (&[a][..], &[a][..]),
            (&[a, b][..], &[a, a][..]),
            (&[a, a][..], &[b, b][..]),
            (&[none, none][..], &[none, none][..]),
            (&[a, &[f64::NAN, 1.0]][..], &[a, a][..]),
        ] {
            assert!(accuracy(metric, human, 100, 1).is_nan(), "{metric:?}");
        }
    }
}
