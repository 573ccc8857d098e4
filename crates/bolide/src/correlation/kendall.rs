//! Kendall's tau by sorting: counts all pairs in O(n log n).

use super::compare;

/// How the pairs of two lists compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairCounts {
    /// All pairs.
    pub all: u64,
    /// Pairs that are equal in the first list.
    pub tied_first: u64,
    /// Pairs that are equal in the second list.
    pub tied_second: u64,
    /// Pairs that are equal in both.
    pub tied_both: u64,
    /// Pairs that the lists order differently.
    pub discordant: u64,
    /// The number of distinct values in the first and in the second list.
    pub n_values: [u64; 2],
}

impl PairCounts {
    /// Counts the pairs; `None` for lists of different length and for NaN.
    pub fn of(x: &[f64], y: &[f64]) -> Option<Self> {
        if x.len() != y.len() || x.iter().chain(y).any(|value| value.is_nan()) {
            return None;
        }
        let mut points: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
        points.sort_by(|a, b| compare(a.0, b.0).then(compare(a.1, b.1)));
        let (tied_first, n_first) = ties(&points, |a, b| compare(a.0, b.0).is_eq());
        let (tied_both, _) =
            ties(&points, |a, b| compare(a.0, b.0).then(compare(a.1, b.1)).is_eq());
        // Points that are equal in the first list are in the order of the second, so any inversion there is a
        // discordant pair.
        let mut second: Vec<f64> = points.iter().map(|point| point.1).collect();
        let discordant = sort_and_count(&mut second);
        let (tied_second, n_second) = ties(&second, |&a, &b| compare(a, b).is_eq());
        let n = x.len() as u64;
        Some(PairCounts {
            all: n * n.saturating_sub(1) / 2,
            tied_first,
            tied_second,
            tied_both,
            discordant,
            n_values: [n_first, n_second],
        })
    }

    /// Pairs that the lists order alike.
    pub fn concordant(&self) -> u64 {
        self.all + self.tied_both - self.tied_first - self.tied_second - self.discordant
    }

    fn balance(&self) -> Option<f64> {
        let is_constant = self.tied_first == self.all || self.tied_second == self.all;
        (!is_constant).then(|| self.concordant() as f64 - self.discordant as f64)
    }
}

/// Kendall's tau b.
///
/// ```
/// assert_eq!(bolide::correlation::kendall_b(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0]), 1.0 / 3.0);
/// ```
pub fn kendall_b(x: &[f64], y: &[f64]) -> f64 {
    let Some(counts) = PairCounts::of(x, y) else { return f64::NAN };
    let Some(balance) = counts.balance() else { return f64::NAN };
    let untied = |tied: u64| (counts.all - tied) as f64;
    let scale = (untied(counts.tied_first) * untied(counts.tied_second)).sqrt();
    (balance / scale).clamp(-1.0, 1.0)
}

/// Kendall's tau c (Stuart's).
pub fn kendall_c(x: &[f64], y: &[f64]) -> f64 {
    let Some(counts) = PairCounts::of(x, y) else { return f64::NAN };
    let Some(balance) = counts.balance() else { return f64::NAN };
    let n = x.len() as f64;
    let fewest = counts.n_values[0].min(counts.n_values[1]) as f64;
    (2.0 * balance / (n * n * (fewest - 1.0) / fewest)).clamp(-1.0, 1.0)
}

/// The number of equal pairs of sorted values, and of distinct values.
fn ties<T>(sorted: &[T], same: impl Fn(&T, &T) -> bool) -> (u64, u64) {
    let runs = sorted.chunk_by(same).map(|run| run.len() as u64);
    runs.fold((0, 0), |(pairs, n_runs), n| (pairs + n * (n - 1) / 2, n_runs + 1))
}

/// Sorts by merging and counts the pairs that were out of order.
fn sort_and_count(values: &mut Vec<f64>) -> u64 {
    let mut merged = Vec::with_capacity(values.len());
    let mut n_exchanged = 0;
    let mut width = 1;
    while width < values.len() {
        merged.clear();
        for pair in values.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let ([a, left_rest @ ..], [b, right_rest @ ..]) = (left, right) {
                if compare(*b, *a).is_lt() {
                    n_exchanged += left.len() as u64;
                    merged.push(*b);
                    right = right_rest;
                } else {
                    merged.push(*a);
                    left = left_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(values, &mut merged);
        width *= 2;
    }
    n_exchanged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resample::Pcg64;

    #[test]
    fn sorting_counts_what_looking_at_every_pair_counts() {
        let mut generator = Pcg64::new(7);
        for round in 0..200 {
            let n = generator.below(60) as usize;
            let n_values = [2, 5, 1000][round % 3];
            let mut list = || (0..n).map(|_| f64::from(generator.below(n_values))).collect();
            let (x, y): (Vec<f64>, Vec<f64>) = (list(), list());
            let (mut concordant, mut discordant, mut first, mut second, mut both) = (0, 0, 0, 0, 0);
            for i in 0..n {
                for j in 0..i {
                    let product = (x[i] - x[j]) * (y[i] - y[j]);
                    concordant += u64::from(product > 0.0);
                    discordant += u64::from(product < 0.0);
                    first += u64::from(x[i] == x[j]);
                    second += u64::from(y[i] == y[j]);
                    both += u64::from(x[i] == x[j] && y[i] == y[j]);
                }
            }
            let counts = PairCounts::of(&x, &y).unwrap();
            assert_eq!(counts.discordant, discordant);
            assert_eq!(counts.concordant(), concordant);
            assert_eq!((counts.tied_first, counts.tied_second), (first, second));
            assert_eq!(counts.tied_both, both);
        }
    }
}
