//! Pairwise accuracy with tie calibration (Deutsch, Foster and Freitag, "Ties Matter", 2023).
//!
//! For every pair of texts people prefer one or judge both equal; the metric is right if it agrees. A metric
//! with real values hardly ever ties, so differences up to a threshold count as its ties, and the threshold
//! is the one that makes the metric most accurate. Pairs may be limited to groups, such as the translations
//! of one source; the accuracy is then the mean over the groups.

use super::compare;

/// A metric at its best threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// The mean accuracy over the groups that have pairs.
    pub accuracy: f64,
    /// The largest difference that counts as a tie; the smallest threshold if several are best.
    pub threshold: f64,
}

const NOTHING: Calibration = Calibration { accuracy: f64::NAN, threshold: f64::NAN };

/// The share of pairs on which a metric and people agree, with a threshold for the metric's ties.
///
/// NaN without pairs, for lists of different length and for NaN. Takes O(n log n).
///
/// ```
/// use bolide::correlation::pairwise::accuracy;
/// let (metric, human) = ([0.50, 0.52, 0.90], [1.0, 1.0, 2.0]);
/// assert_eq!(accuracy(&metric, &human, 0.0), 2.0 / 3.0);
/// assert_eq!(accuracy(&metric, &human, 0.05), 1.0);
/// ```
pub fn accuracy(metric: &[f64], human: &[f64], threshold: f64) -> f64 {
    let Some(group) = Group::new(metric, human) else { return f64::NAN };
    group.n_right(threshold) as f64 / group.n_pairs() as f64
}

/// The mean of [`accuracy`] over groups of metric and human scores. Groups without pairs do not count.
pub fn mean_accuracy(groups: &[(&[f64], &[f64])], threshold: f64) -> f64 {
    let Some(groups) = make_groups(groups) else { return f64::NAN };
    let right: Vec<u64> = groups.iter().map(|group| group.n_right(threshold)).collect();
    mean(&groups, &right)
}

/// Finds the threshold at which a metric is most accurate, over groups of metric and human scores.
///
/// Takes O(p log p) for p pairs, and memory for about a million of them.
///
/// ```
/// use bolide::correlation::pairwise::calibrate;
/// let best = calibrate(&[(&[0.50, 0.53125, 0.90], &[1.0, 1.0, 2.0])]);
/// assert_eq!((best.accuracy, best.threshold), (1.0, 0.03125));
/// ```
pub fn calibrate(groups: &[(&[f64], &[f64])]) -> Calibration {
    let Some(groups) = make_groups(groups) else { return NOTHING };
    if groups.is_empty() {
        return NOTHING;
    }
    // If groups have different weights, sums of fractions must not round: equal means are ties between
    // thresholds, and the smallest threshold wins.
    let weights: Vec<i128> =
        groups.iter().map(|group| (1_i128 << 90) / group.n_pairs() as i128).collect();
    let mut right: Vec<u64> = groups.iter().map(|group| group.n_right(0.0)).collect();
    let mut sum = 0;
    let mut best = (0, 0.0, right.clone());
    for slab in Slabs::new(&groups) {
        for tied in slab.chunk_by(|a, b| a.difference == b.difference) {
            for pair in tied {
                let group = pair.group as usize;
                sum += i128::from(pair.change) * weights[group];
                right[group] = right[group].saturating_add_signed(i64::from(pair.change));
            }
            if sum > best.0 {
                let threshold = tied.first().map_or(0.0, |pair| pair.difference);
                best = (sum, threshold, right.clone());
            }
        }
    }
    Calibration { accuracy: mean(&groups, &best.2), threshold: best.1 }
}

fn mean(groups: &[Group], right: &[u64]) -> f64 {
    let shares = groups.iter().zip(right).map(|(group, &n)| n as f64 / group.n_pairs() as f64);
    crate::arithmetic::PythonSum::Compensated.of(shares) / groups.len() as f64
}

/// Groups that have pairs; `None` if one of them cannot be compared.
fn make_groups(groups: &[(&[f64], &[f64])]) -> Option<Vec<Group>> {
    let has_pairs = |(metric, _): &&(&[f64], &[f64])| metric.len() > 1;
    let comparable = groups.iter().all(|(metric, human)| metric.len() == human.len());
    let made = groups.iter().filter(has_pairs).map(|(metric, human)| Group::new(metric, human));
    if comparable { made.collect() } else { None }
}

/// Scores in the order of the metric, with human scores as ranks of their distinct values, from 1.
struct Group {
    metric: Vec<f64>,
    human: Vec<u32>,
    n_values: usize,
}

impl Group {
    fn new(metric: &[f64], human: &[f64]) -> Option<Self> {
        let is_nan = metric.iter().chain(human).any(|value| value.is_nan());
        if metric.len() != human.len() || metric.len() < 2 || is_nan {
            return None;
        }
        let mut values = human.to_vec();
        values.sort_by(|&a, &b| compare(a, b));
        values.dedup();
        let number =
            |&value: &f64| values.partition_point(|&other| compare(other, value).is_le()) as u32;
        let mut points: Vec<(f64, u32)> =
            metric.iter().copied().zip(human.iter().map(number)).collect();
        points.sort_by(|a, b| compare(a.0, b.0));
        let (metric, human) = points.into_iter().unzip();
        Some(Group { metric, human, n_values: values.len() })
    }

    fn n_pairs(&self) -> u64 {
        let n = self.metric.len() as u64;
        n * (n - 1) / 2
    }

    /// Pairs on which both sides agree. Going up in the metric's order, texts that are more than the
    /// threshold below leave a window for good, because rounded differences never decrease.
    fn n_right(&self, threshold: f64) -> u64 {
        let mut below = Counts::new(self.n_values);
        let mut in_window = vec![0_u64; self.n_values + 1];
        let mut first = 0;
        let mut n_right = 0;
        for (&metric, &human) in self.metric.iter().zip(&self.human) {
            while !is_tie(metric - self.metric[first], threshold) {
                in_window[self.human[first] as usize] -= 1;
                below.add(self.human[first]);
                first += 1;
            }
            n_right += in_window[human as usize] + below.smaller_than(human);
            in_window[human as usize] += 1;
        }
        n_right
    }
}

/// Infinite scores are equal to themselves, although their difference is not a number.
fn is_tie(difference: f64, threshold: f64) -> bool {
    difference <= threshold || difference.is_nan()
}

/// Counts of ranks seen so far (a Fenwick tree).
struct Counts {
    sums: Vec<u64>,
}

impl Counts {
    fn new(largest: usize) -> Self {
        Counts { sums: vec![0; largest + 1] }
    }

    fn add(&mut self, number: u32) {
        let mut at = number as usize;
        while at < self.sums.len() {
            self.sums[at] += 1;
            at += at & at.wrapping_neg();
        }
    }

    fn smaller_than(&self, number: u32) -> u64 {
        let mut at = number as usize - 1;
        let mut sum = 0;
        while at > 0 {
            sum += self.sums[at];
            at &= at - 1;
        }
        sum
    }
}

/// A pair that becomes a tie of the metric, and the change in the number of correct pairs.
struct Pair {
    difference: f64,
    group: u32,
    change: i8,
}

/// Pairs in the order of the metric's difference, one slab of differences at a time, so that memory does not
/// grow with the number of pairs.
struct Slabs<'a> {
    groups: &'a [Group],
    /// For every text of every group, the first text above it whose pair has not been returned yet.
    next: Vec<Vec<u32>>,
    last: f64,
}

const SLAB: u64 = 1 << 20;

impl<'a> Slabs<'a> {
    fn new(groups: &'a [Group]) -> Self {
        // Pairs with a difference of 0 are ties from the start.
        let next = groups.iter().map(|group| group.firsts_above(0.0)).collect();
        Slabs { groups, next, last: 0.0 }
    }

    fn n_left_within(&self, threshold: f64) -> u64 {
        let of_group = |(group, next): (&Group, &Vec<u32>)| {
            let ends = group.firsts_above(threshold);
            ends.iter().zip(next).map(|(&end, &next)| u64::from(end - next)).sum::<u64>()
        };
        self.groups.iter().zip(&self.next).map(of_group).sum()
    }

    /// A threshold with at most one slab of pairs below it, or else the next difference. Positive doubles are
    /// ordered like their bits.
    fn next_threshold(&self) -> f64 {
        if self.n_left_within(f64::INFINITY) <= SLAB {
            return f64::INFINITY;
        }
        let (mut low, mut high) = (self.last.to_bits(), f64::INFINITY.to_bits());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.n_left_within(f64::from_bits(middle)) <= SLAB {
                low = middle;
            } else {
                high = middle;
            }
        }
        let threshold = f64::from_bits(low);
        if self.n_left_within(threshold) > 0 { threshold } else { f64::from_bits(high) }
    }
}

impl Iterator for Slabs<'_> {
    type Item = Vec<Pair>;

    fn next(&mut self) -> Option<Vec<Pair>> {
        if self.last == f64::INFINITY {
            return None;
        }
        let threshold = self.next_threshold();
        let mut pairs = Vec::new();
        for (number, (group, next)) in self.groups.iter().zip(&mut self.next).enumerate() {
            for (lower, end) in group.firsts_above(threshold).into_iter().enumerate() {
                for upper in next[lower] as usize..end as usize {
                    let change = match group.human[lower].cmp(&group.human[upper]) {
                        std::cmp::Ordering::Less => -1,
                        std::cmp::Ordering::Equal => 1,
                        std::cmp::Ordering::Greater => continue,
                    };
                    let difference = group.metric[upper] - group.metric[lower];
                    pairs.push(Pair { difference, group: number as u32, change });
                }
                next[lower] = end;
            }
        }
        pairs.sort_unstable_by(|a, b| compare(a.difference, b.difference));
        self.last = threshold;
        Some(pairs)
    }
}

impl Group {
    /// For every text, the first one above it that is not tied with it.
    fn firsts_above(&self, threshold: f64) -> Vec<u32> {
        let mut end = 0;
        let of = |(lower, &metric): (usize, &f64)| {
            end = end.max(lower + 1);
            while self.metric.get(end).is_some_and(|&other| is_tie(other - metric, threshold)) {
                end += 1;
            }
            end as u32
        };
        self.metric.iter().enumerate().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resample::Pcg64;

    fn by_definition(metric: &[f64], human: &[f64], threshold: f64) -> (u64, u64) {
        let (mut right, mut all) = (0, 0);
        for i in 0..metric.len() {
            for j in 0..i {
                let difference = metric[i] - metric[j];
                let says = if difference.abs() <= threshold { 0.0 } else { difference.signum() };
                let people = human[i] - human[j];
                let think = if people == 0.0 { 0.0 } else { people.signum() };
                right += u64::from(says == think);
                all += 1;
            }
        }
        (right, all)
    }

    fn scores(generator: &mut Pcg64, n: usize, n_values: u32) -> Vec<f64> {
        (0..n).map(|_| f64::from(generator.below(n_values)) / 16.0).collect()
    }

    #[test]
    fn accuracies_are_those_of_the_definition() {
        let mut generator = Pcg64::new(3);
        for round in 0..300 {
            let n = 2 + generator.below(40) as usize;
            let metric = scores(&mut generator, n, [4, 30, 100_000][round % 3]);
            let human = scores(&mut generator, n, [3, 5, 1000][round / 3 % 3]);
            for threshold in [0.0, 0.0625, 0.5, 2.0, 1000.0] {
                let (right, all) = by_definition(&metric, &human, threshold);
                assert_eq!(accuracy(&metric, &human, threshold), right as f64 / all as f64);
            }
            let best = calibrate(&[(&metric, &human)]);
            let mut expected = (0.0, 0.0);
            let mut thresholds = vec![0.0];
            for i in 0..n {
                thresholds.extend((0..i).map(|j| (metric[i] - metric[j]).abs()));
            }
            thresholds.sort_by(f64::total_cmp);
            for threshold in thresholds {
                let (right, all) = by_definition(&metric, &human, threshold);
                if right as f64 / all as f64 > expected.0 {
                    expected = (right as f64 / all as f64, threshold);
                }
            }
            if expected.0 > 0.0 {
                assert_eq!((best.accuracy, best.threshold), expected);
            }
        }
    }

    #[test]
    fn groups_share_a_threshold_and_weigh_the_same() {
        let mut generator = Pcg64::new(4);
        for _ in 0..100 {
            let groups: Vec<(Vec<f64>, Vec<f64>)> = (0..5)
                .map(|_| {
                    let n = generator.below(9) as usize;
                    (scores(&mut generator, n, 50), scores(&mut generator, n, 4))
                })
                .collect();
            let groups: Vec<(&[f64], &[f64])> =
                groups.iter().map(|(metric, human)| (&metric[..], &human[..])).collect();
            let best = calibrate(&groups);
            for step in 0..60 {
                let other = mean_accuracy(&groups, f64::from(step) / 16.0);
                assert!(other.is_nan() || other <= best.accuracy + 1e-15);
            }
            if best.accuracy.is_finite() {
                assert_eq!(mean_accuracy(&groups, best.threshold), best.accuracy);
            }
        }
    }

    #[test]
    fn many_pairs_come_in_slabs() {
        let mut generator = Pcg64::new(5);
        let n = 2500;
        let metric = scores(&mut generator, n, 10_000);
        let human = scores(&mut generator, n, 3);
        let group = [Group::new(&metric, &human).unwrap()];
        let slabs: Vec<Vec<Pair>> = Slabs::new(&group).collect();
        assert!(slabs.len() > 2, "{}", slabs.len());
        let differences: Vec<f64> = slabs.iter().flatten().map(|pair| pair.difference).collect();
        assert!(differences.is_sorted());
        let right = slabs.iter().flatten().map(|pair| i64::from(pair.change)).sum::<i64>();
        let at = |threshold| accuracy(&metric, &human, threshold) * (n * (n - 1) / 2) as f64;
        assert_eq!(right as f64, (at(1e9) - at(0.0)).round());
        let best = calibrate(&[(&metric, &human)]);
        assert_eq!(accuracy(&metric, &human, best.threshold), best.accuracy);
    }

    #[test]
    fn infinite_scores_do_no_harm() {
        let metric = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, 1.0];
        let human = [1.0, 1.0, 0.0, 0.5];
        assert_eq!(calibrate(&[(&metric, &human)]).accuracy, 1.0);
    }
}
