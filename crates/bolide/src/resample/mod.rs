//! Confidence intervals and significance tests for any metric, from statistics only: no text is read here.
//!
//! The tests are sacreBLEU's, with its generator, so that a seed reproduces its p-values: confidence from
//! bootstrap samples of the segments (Koehn 2004), paired bootstrap, and paired approximate randomisation
//! (Riezler and Maxwell 2005), each system against the first. sacreBLEU resamples BLEU, chrF and TER in
//! 32-bit floats, and with NumPy 2 some of its arithmetic is 32-bit too; that is reproduced to the last bit.
//! All other metrics are merged and scored as usual, in 64 bits.
//!
//! No threads are started here. Systems are independent, so a caller with threads gives each thread its own
//! [`Sample`]s. The generator is restarted for every system, so the results do not depend on how the work is
//! split.

mod aggregate;
mod random;

pub(crate) use aggregate::quantile;
pub use aggregate::{Aggregate, Quantiles, aggregate};
pub use random::{Mt19937, Pcg64};

use crate::arithmetic::{ExactSum, numpy_mean};
use crate::definition::Columns;
use crate::error::Result;
use crate::metric::Metric;
use crate::registry::{AnyMetric, AnyRows, AnyStats};
use crate::statistics::Statistics;
use std::sync::Arc;

/// One system's segments, ready to be resampled.
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// use bolide::{Metric, Segment, Text, resample};
/// let metric: Metric = "chrf".parse()?;
/// let mut scorer = metric.scorer();
/// let mut statistics = Vec::new();
/// for (hypothesis, reference) in [("the cat", "a cat"), ("it rained", "it was raining"), ("yes", "yes")] {
///     statistics.push(scorer.statistics(Segment::new(hypothesis.into(), &[reference.into()])?));
/// }
/// let sample = resample::Sample::new(&metric, &statistics)?;
/// let scores = resample::bootstrap(&[sample], 1000, 12345);
/// let interval = scores[0].confidence();
/// assert!(interval.half_width > 10.0 && interval.half_width < 40.0);
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
#[derive(Clone)]
pub struct Sample<'a> {
    metric: &'a AnyMetric,
    stats: Vec<&'a AnyStats>,
    /// The rows in which the metric's own program resamples, and their width.
    flat: Option<(Arc<dyn AnyRows + 'a>, Columns)>,
    /// Rows of `width` numbers, padded with zeros; empty if there are no columns.
    rows: Vec<f32>,
    width: usize,
    /// Whether no sum of all rows can round, so that any order gives the same sum.
    exact: bool,
}

/// Rows are padded to full vector registers.
const LANES: usize = 4;
const MAX_WIDTH: usize = 32;

impl<'a> Sample<'a> {
    /// Takes the statistics of a system, one entry for each segment.
    pub fn new(metric: &'a Metric, statistics: &'a [Statistics]) -> Result<Self> {
        let stats: Result<Vec<&AnyStats>> = statistics.iter().map(|one| metric.own(one)).collect();
        let (metric, stats) = (metric.any(), stats?);
        let rows: Option<Arc<dyn AnyRows + 'a>> = metric.rows().map(Arc::from);
        let flat = rows.map(|rows| (Arc::clone(&rows), rows.columns()));
        let flat = flat.filter(|(_, columns)| (1..=MAX_WIDTH).contains(&columns.count));
        let count = flat.as_ref().map_or(0, |(_, columns)| columns.count);
        let width = count.next_multiple_of(LANES);
        let mut rows = Vec::with_capacity(width * stats.len());
        let mut row = vec![0.0; count];
        if let Some((flat, _)) = &flat {
            for stats in &stats {
                flat.write_row(stats, &mut row);
                rows.extend(row.iter().map(|&x| x as f32));
                rows.resize(rows.len().next_multiple_of(width), 0.0);
            }
        }
        let largest = rows.iter().fold(0.0, |largest: f32, x| largest.max(x.abs()));
        let exact = rows.iter().all(|x| x.fract() == 0.0)
            && f64::from(largest) * (stats.len() as f64) < f64::from(1 << 24);
        Ok(Sample { metric, stats, flat, rows, width, exact })
    }

    /// The score of all segments.
    pub fn score(&self) -> f64 {
        self.sum(0..self.stats.len())
    }

    /// In how many segments two systems have different statistics.
    pub fn n_different(&self, other: &Sample<'_>) -> usize {
        self.stats.iter().zip(&other.stats).filter(|(ours, theirs)| ours != theirs).count()
    }

    /// Merges and scores segments as usual.
    fn sum(&self, segments: impl Iterator<Item = usize>) -> f64 {
        let mut sum = self.metric.empty();
        for at in segments {
            sum.merge(self.stats[at]);
        }
        finish(self.metric, &sum)
    }

    /// The score of a list of segments, and whether it is a number of 32 bits.
    fn score_of(&self, segments: &[u32]) -> (f64, bool) {
        match self.width {
            4 => self.score_of_rows::<4>(segments),
            8 => self.score_of_rows::<8>(segments),
            12 => self.score_of_rows::<12>(segments),
            16 => self.score_of_rows::<16>(segments),
            20 => self.score_of_rows::<20>(segments),
            24 => self.score_of_rows::<24>(segments),
            28 => self.score_of_rows::<28>(segments),
            32 => self.score_of_rows::<32>(segments),
            _ => (self.sum(segments.iter().map(|&at| at as usize)), false),
        }
    }

    /// Adds row by row in 32 bits, as NumPy sums over the first axis. If the order cannot matter, rows are
    /// added in pairs, because each addition to the sums waits for the previous one.
    fn score_of_rows<const WIDTH: usize>(&self, segments: &[u32]) -> (f64, bool) {
        let (rows, _) = self.rows.as_chunks::<WIDTH>();
        let mut sums = [0.0; WIDTH];
        let (pairs, rest) =
            if self.exact { segments.as_chunks::<2>() } else { (&[][..], segments) };
        for &[first, second] in pairs {
            let (first, second) = (&rows[first as usize], &rows[second as usize]);
            for column in 0..WIDTH {
                sums[column] += first[column] + second[column];
            }
        }
        for &at in rest {
            let row = &rows[at as usize];
            for column in 0..WIDTH {
                sums[column] += row[column];
            }
        }
        match &self.flat {
            Some((flat, columns)) => {
                let row = &sums[..columns.count];
                let score = flat.score_row(row);
                (score, flat.is_single(row, score))
            }
            None => (self.sum(segments.iter().map(|&at| at as usize)), false),
        }
    }
}

impl std::fmt::Debug for Sample<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sample({} segments, {})", self.stats.len(), self.metric.signature())
    }
}

/// The score of statistics of this metric.
fn finish(metric: &AnyMetric, stats: &AnyStats) -> f64 {
    // A sample refuses statistics of another metric, so there is always a value.
    metric.value_of_corpus(stats).unwrap_or(f64::NAN)
}

/// The scores of the bootstrap samples of one system, in the order they were drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    values: Vec<f64>,
    /// Whether all are 32-bit numbers: NumPy computes with the widest of them.
    single: bool,
}

/// An interval for the score of a similar corpus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The mean over the samples.
    pub mean: f64,
    /// Half the width of the interval with 95 % of the samples.
    pub half_width: f64,
}

/// Draws bootstrap samples of the segments and scores each for all given systems.
///
/// A system's scores do not depend on the other systems.
pub fn bootstrap(systems: &[Sample<'_>], n_samples: usize, seed: u64) -> Vec<Scores> {
    bootstrap_until(&|| false, systems, n_samples, seed)
}

/// The same, but no more samples are drawn once `is_stopped` says so. It is asked before each; discard the scores then.
pub fn bootstrap_until(
    is_stopped: &dyn Fn() -> bool,
    systems: &[Sample<'_>],
    n_samples: usize,
    seed: u64,
) -> Vec<Scores> {
    bootstrap_from(is_stopped, systems, n_samples, Pcg64::new(seed))
}

/// The same with a generator that others may have drawn from.
pub fn bootstrap_from(
    is_stopped: &dyn Fn() -> bool,
    systems: &[Sample<'_>],
    n_samples: usize,
    mut generator: Pcg64,
) -> Vec<Scores> {
    let n_segments = systems.iter().map(|system| system.stats.len()).min().unwrap_or(0);
    let mut segments = vec![0; n_segments];
    let mut scores: Vec<Scores> = systems
        .iter()
        .map(|_| Scores { values: Vec::with_capacity(n_samples), single: true })
        .collect();
    for _ in 0..n_samples {
        if is_stopped() {
            break;
        }
        segments.iter_mut().for_each(|segment| *segment = generator.below(n_segments as u32));
        for (system, scores) in systems.iter().zip(&mut scores) {
            let (score, is_single) = system.score_of(&segments);
            scores.values.push(score);
            scores.single &= is_single;
        }
    }
    scores
}

impl Scores {
    /// The scores in the order of the samples.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The interval that sacreBLEU prints for a single system (`--confidence`).
    pub fn confidence(&self) -> Interval {
        let mut sum = ExactSum::default();
        self.values.iter().for_each(|&value| sum.add(value));
        Interval {
            mean: round(self.single, sum.mean()),
            half_width: self.half_width(&self.sorted()),
        }
    }

    /// The interval that sacreBLEU prints with a paired bootstrap. It differs from
    /// [`confidence`](Self::confidence) in how the mean is rounded.
    pub fn interval(&self) -> Interval {
        let sorted = self.sorted();
        Interval { mean: mean(self.single, &sorted), half_width: self.half_width(&sorted) }
    }

    fn sorted(&self) -> Vec<f64> {
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        sorted
    }

    /// Leaves out one fortieth at both ends.
    fn half_width(&self, sorted: &[f64]) -> f64 {
        let outside = sorted.len() / 40;
        match (sorted.get(outside), sorted.get(sorted.len().wrapping_sub(1 + outside))) {
            (Some(&low), Some(&high)) => 0.5 * round(self.single, high - low),
            _ => f64::NAN,
        }
    }

    /// The paired bootstrap: the probability of a difference as large as that between the two systems if they
    /// are equally good. NaN where a score is.
    pub fn p_value(&self, baseline: &Scores, difference: f64) -> f64 {
        let single = self.single && baseline.single;
        let difference = round(single, difference.abs());
        let differences: Vec<f64> = self
            .values
            .iter()
            .zip(&baseline.values)
            .map(|(ours, theirs)| round(single, ours - theirs).abs())
            .collect();
        let mean = mean(single, &differences);
        if difference.is_nan() || mean.is_nan() {
            return f64::NAN;
        }
        let n_larger =
            differences.iter().filter(|&&d| round(single, d - mean) > difference).count();
        (n_larger + 1) as f64 / (differences.len() + 1) as f64
    }
}

/// A difference, sum or quotient of 32-bit numbers computed in 64 bits rounds to the result of 32-bit
/// arithmetic, so single operations need no second implementation.
fn round(single: bool, value: f64) -> f64 {
    if single { f64::from(value as f32) } else { value }
}

fn mean(single: bool, values: &[f64]) -> f64 {
    if single {
        let values: Vec<f32> = values.iter().map(|&value| value as f32).collect();
        f64::from(pairwise_sum(&values) / values.len() as f32)
    } else {
        numpy_mean(values)
    }
}

/// NumPy's pairwise sum in 32 bits; [`crate::arithmetic::numpy_sum`] is the 64-bit version.
fn pairwise_sum(values: &[f32]) -> f32 {
    if values.len() < 8 {
        return values.iter().sum();
    }
    if values.len() > 128 {
        let half = values.len() / 2 / 8 * 8;
        let (first, second) = values.split_at(half);
        return pairwise_sum(first) + pairwise_sum(second);
    }
    let (eights, rest) = values.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (idx, eight) in eights.iter().enumerate() {
        for lane in 0..8 {
            sums[lane] = if idx == 0 { eight[lane] } else { sums[lane] + eight[lane] };
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    rest.iter().fold(((a + b) + (c + d)) + ((e + f) + (g + h)), |sum, &value| sum + value)
}

/// Paired approximate randomisation: how often swapping random segments between the two systems gives a
/// larger difference than the observed one. NaN where a score is.
pub fn randomization_p_value(
    baseline: &Sample<'_>,
    system: &Sample<'_>,
    n_trials: usize,
    seed: u64,
) -> f64 {
    randomization_until(&|| false, baseline, system, n_trials, seed)
}

/// The same, but it ends with NaN once `is_stopped` says so, which is asked before each trial.
pub fn randomization_until(
    is_stopped: &dyn Fn() -> bool,
    baseline: &Sample<'_>,
    system: &Sample<'_>,
    n_trials: usize,
    seed: u64,
) -> f64 {
    let difference = (baseline.score() - system.score()).abs();
    if difference.is_nan() {
        return f64::NAN;
    }
    let exchange = Exchange::new(baseline, system);
    let mut bits = Bits { generator: Pcg64::new(seed), word: 0, n_left: 0 };
    let mut n_larger = 0;
    for _ in 0..n_trials {
        if is_stopped() {
            return f64::NAN;
        }
        let (first, second) = exchange.trial(&mut bits);
        let other = (first - second).abs();
        if other.is_nan() {
            return f64::NAN;
        }
        n_larger += usize::from(other > difference);
    }
    (n_larger + 1) as f64 / (n_trials + 1) as f64
}

/// The least p-value of a paired test of two systems that differ in so many segments.
///
/// Segments that are equal make no difference when they are exchanged. With `n` others there are 2ⁿ ways to exchange some, and
/// two of them, none and all, have the difference that was observed. sacreBLEU's tests count only larger differences, so by
/// themselves they call a change in a single segment highly significant.
///
/// ```
/// use bolide::resample::least_p_value;
/// assert_eq!([0, 1, 2, 6].map(least_p_value), [1.0, 1.0, 0.5, 0.03125]);
/// ```
pub fn least_p_value(n_different: usize) -> f64 {
    1.0 / (1_u64 << n_different.saturating_sub(1).min(63)) as f64
}

/// Random bits, 32 from each output, lowest first.
struct Bits {
    generator: Pcg64,
    word: u32,
    n_left: u32,
}

impl Bits {
    /// The next bits, at most `most`, and their number.
    fn take(&mut self, most: usize) -> (u32, usize) {
        if self.n_left == 0 {
            self.word = self.generator.next_u32();
            self.n_left = 32;
        }
        let n_bits = self.n_left.min(most.min(32) as u32);
        let mask = u32::MAX.checked_shr(32 - n_bits).unwrap_or(0);
        let bits = self.word & mask;
        self.word = self.word.checked_shr(n_bits).unwrap_or(0);
        self.n_left -= n_bits;
        (bits, n_bits as usize)
    }
}

/// Two systems whose segments are swapped.
struct Exchange<'a> {
    baseline: &'a Sample<'a>,
    system: &'a Sample<'a>,
    n_segments: usize,
    /// Differences of the rows and the sums of both systems, if all numbers are integers: one system's trial
    /// then follows from the other's, and only swapped segments need to be added.
    differences: Vec<f64>,
    sums: [Vec<f64>; 2],
    /// The rows of both systems, if some numbers are fractions.
    fractions: [Vec<f64>; 2],
}

impl<'a> Exchange<'a> {
    fn new(baseline: &'a Sample<'a>, system: &'a Sample<'a>) -> Self {
        let n_segments = baseline.stats.len().min(system.stats.len());
        let mut exchange = Exchange {
            baseline,
            system,
            n_segments,
            differences: Vec::new(),
            sums: [Vec::new(), Vec::new()],
            fractions: [Vec::new(), Vec::new()],
        };
        let (Some((ours, columns)), Some((theirs, _))) = (&baseline.flat, &system.flat) else {
            return exchange;
        };
        let count = columns.count;
        let width = count.next_multiple_of(2);
        let mut rows = [vec![0.0; width], vec![0.0; width]];
        let mut sums = [vec![0.0; width], vec![0.0; width]];
        let mut differences = Vec::with_capacity(n_segments * width);
        for at in 0..n_segments {
            for (side, (flat, sample)) in [(ours, baseline), (theirs, system)].iter().enumerate() {
                flat.write_row(sample.stats[at], &mut rows[side][..count]);
                sums[side].iter_mut().zip(&rows[side]).for_each(|(sum, x)| *sum += x);
            }
            if rows.iter().flatten().any(|x| x.fract() != 0.0) {
                exchange.fractions = [(ours, baseline), (theirs, system)].map(|(flat, sample)| {
                    let mut all = vec![0.0; count * n_segments];
                    for (row, stats) in all.chunks_exact_mut(count).zip(&sample.stats) {
                        flat.write_row(stats, row);
                    }
                    all
                });
                return exchange;
            }
            differences.extend(rows[0].iter().zip(&rows[1]).map(|(ours, theirs)| ours - theirs));
        }
        exchange.differences = differences;
        exchange.sums = sums;
        exchange
    }

    /// The scores of both systems in one trial. A set bit leaves a segment with the baseline.
    fn trial(&self, bits: &mut Bits) -> (f64, f64) {
        match self.sums[0].len() {
            2 => self.trial_of_rows::<2>(bits),
            10 => self.trial_of_rows::<10>(bits),
            18 => self.trial_of_rows::<18>(bits),
            24 => self.trial_of_rows::<24>(bits),
            _ => match &self.baseline.flat {
                Some((flat, columns)) if !self.fractions[0].is_empty() => {
                    self.trial_of_fractions(&**flat, columns.count, bits)
                }
                _ => self.trial_of_stats(bits),
            },
        }
    }

    /// Where sums round, their order counts. sacreBLEU multiplies the choices with the rows of either system and
    /// adds the two products.
    fn trial_of_fractions(&self, flat: &dyn AnyRows, count: usize, bits: &mut Bits) -> (f64, f64) {
        // Of either trial: the sums of the baseline's rows and of the system's.
        let mut products = [[[0.0; MAX_WIDTH]; 2]; 2];
        let mut sums = products;
        let (mut at, mut end) = (0, 0);
        let (mut chosen, mut n_left) = (0, 0);
        while at < self.n_segments {
            end += product_block(self.n_segments - at);
            while at < end {
                if n_left == 0 {
                    (chosen, n_left) = bits.take(self.n_segments - at);
                }
                let first = (chosen & 1) as usize;
                for (side, rows) in self.fractions.iter().enumerate() {
                    let row = &rows[at * count..(at + 1) * count];
                    // A set bit leaves the baseline's row with the first trial and the system's with the second.
                    let sums = &mut sums[1 ^ first ^ side][side];
                    sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
                }
                chosen = chosen.checked_shr(1).unwrap_or(0);
                n_left -= 1;
                at += 1;
            }
            for (products, sums) in products.iter_mut().flatten().zip(sums.iter_mut().flatten()) {
                products.iter_mut().zip(&*sums).for_each(|(product, sum)| *product += sum);
                *sums = [0.0; MAX_WIDTH];
            }
        }
        let [first, second] = products.map(|[ours, theirs]| {
            let mut row = ours;
            row.iter_mut().zip(theirs).for_each(|(sum, x)| *sum += x);
            flat.finish_row(&row[..count])
        });
        (first, second)
    }

    fn trial_of_rows<const WIDTH: usize>(&self, bits: &mut Bits) -> (f64, f64) {
        let (differences, _) = self.differences.as_chunks::<WIDTH>();
        let mut exchanged = [0.0; WIDTH];
        let mut at = 0;
        while at < self.n_segments {
            let (mut chosen, n_bits) = bits.take(self.n_segments - at);
            while chosen != 0 {
                let row = &differences[at + chosen.trailing_zeros() as usize];
                for column in 0..WIDTH {
                    exchanged[column] += row[column];
                }
                chosen &= chosen - 1;
            }
            at += n_bits;
        }
        let Some((flat, Columns { count, .. })) = &self.baseline.flat else {
            return self.trial_of_stats(bits);
        };
        let score = |sums: &[f64], sign: f64| {
            let mut row = [0.0; WIDTH];
            for column in 0..WIDTH {
                row[column] = sums[column] + sign * exchanged[column];
            }
            flat.finish_row(&row[..*count])
        };
        (score(&self.sums[1], 1.0), score(&self.sums[0], -1.0))
    }

    fn trial_of_stats(&self, bits: &mut Bits) -> (f64, f64) {
        let metric = self.baseline.metric;
        let (mut first, mut second) = (metric.empty(), metric.empty());
        let mut at = 0;
        while at < self.n_segments {
            let (chosen, n_bits) = bits.take(self.n_segments - at);
            for bit in 0..n_bits {
                let (ours, theirs) = (self.baseline.stats[at + bit], self.system.stats[at + bit]);
                let (a, b) = if chosen >> bit & 1 == 1 { (ours, theirs) } else { (theirs, ours) };
                first.merge(a);
                second.merge(b);
            }
            at += n_bits;
        }
        (finish(metric, &first), finish(metric, &second))
    }
}

/// How many of the remaining terms NumPy's matrix product adds up before it adds them to the result: OpenBLAS
/// works in blocks of 256 on current x86 processors (Haswell, Zen), and halves what is longer than one block and
/// shorter than two.
fn product_block(n_left: usize) -> usize {
    match n_left {
        0..=256 => n_left,
        257..512 => (n_left / 2).next_multiple_of(4),
        _ => 256,
    }
}

/// Holm's correction for several comparisons: p-values that can be compared with one level.
///
/// NaN stays NaN: where there is no p-value, nothing was compared.
///
/// ```
/// assert_eq!(bolide::resample::holm(&[0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]);
/// ```
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> =
        (0..p_values.len()).filter(|&idx| !p_values[idx].is_nan()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]).then(a.cmp(&b)));
    let mut corrected = vec![f64::NAN; p_values.len()];
    let mut largest = 0.0f64;
    for (rank, &idx) in order.iter().enumerate() {
        largest = largest.max((order.len() - rank) as f64 * p_values[idx]).min(1.0);
        corrected[idx] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_run_through_words() {
        let mut bits = Bits { generator: Pcg64::new(1), word: 0, n_left: 0 };
        let mut generator = Pcg64::new(1);
        let words = [generator.next_u32(), generator.next_u32()];
        let joined = u64::from(words[0]) | u64::from(words[1]) << 32;
        let (mut read, mut at) = (0u64, 0);
        while at < 64 {
            let (chosen, n_bits) = bits.take((64 - at).min(7));
            read |= u64::from(chosen) << at;
            at += n_bits;
        }
        assert_eq!(read, joined);
    }

    /// The statistics of pairs of a hypothesis and a reference.
    fn statistics(metric: &Metric, pairs: &[[&str; 2]]) -> Vec<Statistics> {
        let mut scorer = metric.scorer();
        pairs
            .iter()
            .map(|[hypothesis, reference]| {
                let references = [crate::Text::Raw(reference)];
                scorer.statistics(crate::Segment::new((*hypothesis).into(), &references).unwrap())
            })
            .collect()
    }

    #[test]
    fn a_resample_without_a_match_widens_the_mean() {
        // NumPy's numbers: an array of 32-bit scores and one of Python's zeros has 64 bits.
        let metric: Metric = "chrf:sacrebleu".parse().unwrap();
        let statistics = statistics(&metric, &[["abc def", "abc def"], ["q", "xyz"]]);
        let sample = Sample::new(&metric, &statistics).unwrap();
        assert_eq!(bootstrap(&[sample], 50, 12345)[0].interval().mean, 66.89163330078125);
    }

    #[test]
    fn products_are_added_in_blocks() {
        let blocks = |mut n_left: usize| {
            let mut blocks = Vec::new();
            while n_left > 0 {
                blocks.push(product_block(n_left));
                n_left -= blocks[blocks.len() - 1];
            }
            blocks
        };
        assert_eq!(blocks(256), [256]);
        assert_eq!(blocks(257), [128, 129]);
        assert_eq!(blocks(511), [256, 255]);
        assert_eq!(blocks(1000), [256, 256, 244, 244]);
    }

    #[test]
    fn segments_with_other_statistics_are_counted() {
        let metric: Metric = "bleu".parse().unwrap();
        let reference = [crate::Text::Raw("the cat sat on the mat")];
        let mut scorer = metric.scorer();
        let mut statistics = |texts: [&str; 3]| -> Vec<Statistics> {
            let segment = |text| crate::Segment::new(crate::Text::Raw(text), &reference).unwrap();
            texts.map(|text| scorer.statistics(segment(text))).into()
        };
        let ours = statistics(["the cat", "a dog", "the mat"]);
        // Other words with the same counts make no difference either.
        let theirs = statistics(["the cat", "no dog", "a mat"]);
        let sample = |stats| Sample::new(&metric, stats).unwrap();
        assert_eq!(sample(&ours).n_different(&sample(&theirs)), 1);
        assert_eq!(sample(&ours).n_different(&sample(&ours)), 0);
    }

    #[test]
    fn holm_never_lets_a_larger_p_value_come_out_smaller() {
        assert_eq!(holm(&[]), [0.0; 0]);
        assert_eq!(holm(&[0.2]), [0.2]);
        assert_eq!(holm(&[0.5, 0.9, 0.4]), [1.0, 1.0, 1.0]);
    }

    #[test]
    fn a_bootstrap_ends_when_it_is_told_to() {
        let metric: Metric = "bleu".parse().unwrap();
        let mut scorer = metric.scorer();
        let texts = [crate::Text::Raw("a b c d e")];
        let segment = crate::Segment::new(texts[0], &texts).unwrap();
        let statistics = [scorer.statistics(segment)];
        let sample = || Sample::new(&metric, &statistics).unwrap();
        let asked = std::cell::Cell::new(0);
        let third = || asked.replace(asked.get() + 1) == 2;
        let scores = bootstrap_until(&third, &[sample()], 1000, 1);
        assert_eq!(scores[0].values.len(), 2);
        assert!(randomization_until(&|| true, &sample(), &sample(), 1000, 1).is_nan());
        assert_eq!(randomization_p_value(&sample(), &sample(), 1000, 1), 1.0 / 1001.0);
    }

    #[test]
    fn where_a_score_is_undefined_there_is_no_p_value() {
        let corrected = holm(&[0.02, f64::NAN, 0.01]);
        assert!(corrected[1].is_nan());
        assert_eq!([corrected[0], corrected[2]], [0.02, 0.02]);
        let scores = |values: [f64; 3]| Scores { values: values.to_vec(), single: false };
        let (some, other) = (scores([0.5, 0.6, 0.7]), scores([0.1, 0.2, 0.1]));
        assert!(some.p_value(&other, 0.4) <= 1.0);
        assert!(some.p_value(&other, f64::NAN).is_nan());
        assert!(some.p_value(&scores([0.1, f64::NAN, 0.1]), 0.4).is_nan());
    }
}
