//! Ways of adding floats: Python's, numpy's, a correctly rounded one, and one that does not depend on the
//! order.
//!
//! The peers add in prescribed ways whose last bits differ, so each has a name here. [`ExactSum`] is for sums
//! that we define ourselves: a corpus split in any way gives the same bits.

use super::fused::two_sum;
use super::ratio;

/// How Python's built-in `sum` adds floats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PythonSum {
    /// CPython 3.12 and later: the rounding errors are summed separately (Neumaier).
    #[default]
    Compensated,
    /// CPython up to 3.11: left to right.
    Plain,
}

impl PythonSum {
    /// The words that signatures use.
    pub const CHOICES: [(&str, PythonSum); 2] =
        [("compensated", PythonSum::Compensated), ("plain", PythonSum::Plain)];

    /// The word that signatures use.
    pub fn name(self) -> &'static str {
        match self {
            PythonSum::Compensated => "compensated",
            PythonSum::Plain => "plain",
        }
    }

    /// The sum, starting from Python's `0`.
    ///
    /// ```
    /// use bolide::unstable::arithmetic::PythonSum;
    /// assert_eq!(PythonSum::Plain.of([1e16, 1.0, -1e16]), 0.0);
    /// assert_eq!(PythonSum::Compensated.of([1e16, 1.0, -1e16]), 1.0);
    /// ```
    pub fn of(self, values: impl IntoIterator<Item = f64>) -> f64 {
        match self {
            PythonSum::Plain => values.into_iter().fold(0.0, |sum, x| sum + x),
            PythonSum::Compensated => {
                let (mut sum, mut compensation) = (0.0_f64, 0.0_f64);
                for x in values {
                    let next = sum + x;
                    compensation +=
                        if sum.abs() >= x.abs() { (sum - next) + x } else { (x - next) + sum };
                    sum = next;
                }
                // An infinite sum leaves NaN as compensation; CPython ignores it then.
                if compensation.is_finite() { sum + compensation } else { sum }
            }
        }
    }
}

/// Non-overlapping doubles cover the range of the type at 53 bits each, so this many are enough.
const MOST_PARTIALS: usize = 42;

/// The correctly rounded sum, as Python's `math.fsum` (Shewchuk's algorithm).
///
/// Infinities and NaN go by the rules of addition. Where a partial sum of finite values overflows,
/// which Python reports as an error, the result is infinite or NaN.
///
/// ```
/// assert_eq!(bolide::unstable::arithmetic::fsum([0.1; 10]), 1.0);
/// ```
pub fn fsum(values: impl IntoIterator<Item = f64>) -> f64 {
    // Increasing in magnitude, non-overlapping, and adding up exactly to the sum so far.
    let mut partials = [0.0_f64; MOST_PARTIALS];
    let mut n_partials = 0;
    let mut special = 0.0;
    for value in values {
        if !value.is_finite() {
            special += value;
            continue;
        }
        let mut x = value;
        let mut kept = 0;
        for i in 0..n_partials {
            let (sum, error) = two_sum(x, partials[i]);
            if error != 0.0 {
                partials[kept] = error;
                kept += 1;
            }
            x = sum;
        }
        if !x.is_finite() {
            special += x;
            n_partials = 0;
            continue;
        }
        if let Some(last) = partials.get_mut(kept) {
            *last = x;
            n_partials = kept + 1;
        }
    }
    if special != 0.0 {
        return special;
    }
    rounded(&partials[..n_partials])
}

/// The sum of non-overlapping partials of increasing magnitude, rounded once, ties to even.
fn rounded(partials: &[f64]) -> f64 {
    let Some((&largest, mut rest)) = partials.split_last() else { return 0.0 };
    let (mut sum, mut error) = (largest, 0.0);
    while let Some((&next, smaller)) = rest.split_last() {
        rest = smaller;
        (sum, error) = two_sum(sum, next);
        if error != 0.0 {
            break;
        }
    }
    // `error` may be exactly half a unit; then the remaining partials decide.
    if let Some(&below) = rest.last()
        && (error > 0.0) == (below > 0.0)
        && error != 0.0
        && below != 0.0
    {
        let doubled = error * 2.0;
        let candidate = sum + doubled;
        if candidate - sum == doubled {
            return candidate;
        }
    }
    sum
}

/// The mean as `numpy.mean` computes it: pairwise summation, then one division. NaN without values.
///
/// ```
/// assert_eq!(bolide::unstable::arithmetic::numpy_mean(&[0.5, 1.0]), 0.75);
/// ```
pub fn numpy_mean(values: &[f64]) -> f64 {
    numpy_sum(values) / values.len() as f64
}

/// numpy's pairwise sum: up to 128 values in eight interleaved accumulators; more values in two halves, of
/// which the first has a multiple of eight.
pub fn numpy_sum(values: &[f64]) -> f64 {
    if values.len() > 128 {
        let half = values.len() / 2;
        let (first, second) = values.split_at(half - half % 8);
        return numpy_sum(first) + numpy_sum(second);
    }
    let (groups, rest) = values.as_chunks::<8>();
    let Some((&first, groups)) = groups.split_first() else {
        // numpy starts from -0.0, so that a sum of negative zeros keeps its sign.
        return rest.iter().fold(-0.0, |sum, x| sum + x);
    };
    let mut r = first;
    for group in groups {
        for (accumulator, x) in r.iter_mut().zip(group) {
            *accumulator += x;
        }
    }
    let sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    rest.iter().fold(sum, |sum, x| sum + x)
}

/// A sum whose bits do not depend on the order or the grouping of its values.
///
/// Values are held as whole multiples of 2^-80 (8e-25), so adding is adding integers. Values from
/// 2^-28 upwards are such multiples already; smaller ones are each rounded to the nearest.
/// A value of 2^46 or more, infinite or NaN is only counted and makes the sum infinite or NaN; so does
/// a total beyond 2^47 (a trillion segments at a score of 100), the one case in which the order of
/// addition can show.
///
/// ```
/// use bolide::unstable::arithmetic::ExactSum;
/// let (mut first, mut second) = (ExactSum::default(), ExactSum::default());
/// first.add(0.1);
/// second.add(0.2);
/// second.add(0.3);
/// first.merge(&second);
/// assert_eq!((first.value(), first.mean()), (0.6, 0.2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExactSum {
    /// The sum of the values in range, in units of 2^-80.
    pub units: i128,
    /// The number of added values of any kind.
    pub count: u64,
    /// Values too large for `units`, positive infinity among them.
    pub above: u64,
    /// Values too far below zero for `units`, negative infinity among them.
    pub below: u64,
    /// Values that are not numbers.
    pub nan: u64,
}

crate::record::record!(ExactSum { units, count, above, below, nan });

impl ExactSum {
    /// 2^80: units in one.
    const SCALE: f64 = 1_208_925_819_614_629_174_706_176.0;
    /// 2^46: values must be smaller.
    const RANGE: f64 = 70_368_744_177_664.0;

    /// Adds one value.
    pub fn add(&mut self, value: f64) {
        self.count = self.count.saturating_add(1);
        if value.is_nan() {
            self.nan += 1;
        } else if value >= Self::RANGE {
            self.above += 1;
        } else if value <= -Self::RANGE {
            self.below += 1;
        } else {
            self.add_units((value * Self::SCALE).round_ties_even() as i128);
        }
    }

    /// Adds the values of another sum.
    pub fn merge(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.nan = self.nan.saturating_add(other.nan);
        self.above = self.above.saturating_add(other.above);
        self.below = self.below.saturating_add(other.below);
        self.add_units(other.units);
    }

    /// The sum, rounded once, ties to even.
    pub fn value(&self) -> f64 {
        // The conversion rounds, the scaling is exact.
        self.special().unwrap_or(self.units as f64 / Self::SCALE)
    }

    /// The sum divided by the number of values, rounded once. NaN without values.
    pub fn mean(&self) -> f64 {
        self.special().unwrap_or_else(|| {
            let magnitude =
                ratio::divide(self.units.unsigned_abs(), u128::from(self.count)) / Self::SCALE;
            if self.units < 0 { -magnitude } else { magnitude }
        })
    }

    fn add_units(&mut self, units: i128) {
        match self.units.checked_add(units) {
            Some(sum) => self.units = sum,
            None if units > 0 => self.above = self.above.saturating_add(1),
            None => self.below = self.below.saturating_add(1),
        }
    }

    /// The sum if it is not a finite number.
    fn special(&self) -> Option<f64> {
        match (self.nan, self.above, self.below) {
            (0, 0, 0) => None,
            (0, _, 0) => Some(f64::INFINITY),
            (0, 0, _) => Some(f64::NEG_INFINITY),
            _ => Some(f64::NAN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(values: [f64; 3]) -> [u64; 3] {
        values.map(f64::to_bits)
    }

    /// The values are CPython 3.11's and 3.13's.
    #[test]
    fn the_two_python_sums_differ_where_python_differs() {
        assert_eq!(PythonSum::Plain.of([0.1; 10]), 0.9999999999999999);
        assert_eq!(PythonSum::Compensated.of([0.1; 10]), 1.0);
        for sum in [PythonSum::Plain, PythonSum::Compensated] {
            assert_eq!(sum.of([]).to_bits(), 0.0_f64.to_bits());
            assert_eq!(sum.of([-0.0]).to_bits(), 0.0_f64.to_bits());
            assert_eq!(sum.of([f64::INFINITY, 1.0]), f64::INFINITY);
            assert!(sum.of([f64::INFINITY, f64::NEG_INFINITY]).is_nan());
        }
    }

    /// The values are `math.fsum`'s.
    #[test]
    fn fsum_rounds_once() {
        let cases: [(&[f64], f64); 8] = [
            (&[], 0.0),
            (&[1e100, 1.0, -1e100], 1.0),
            (&[1e16, 1.0, 1e-16], 10000000000000002.0),
            (&[1e16, 1.0, -1e-16], 1e16),
            (&[1e16, 1.0], 1e16),
            (&[10000000000000002.0, 1.0], 10000000000000004.0),
            (&[2.0_f64, -0.5, -5e-324, 5e-324], 1.5),
            (&[f64::MAX, 1e290, -1e290], f64::MAX),
        ];
        for (values, expected) in cases {
            assert_eq!(fsum(values.iter().copied()).to_bits(), expected.to_bits(), "{values:?}");
        }
        assert_eq!(fsum([f64::INFINITY, 1.0]), f64::INFINITY);
        assert!(fsum([f64::INFINITY, f64::NEG_INFINITY]).is_nan());
    }

    /// Sums of values with 30 bits are exact in `ExactSum`, so the two must agree to the bit.
    #[test]
    fn fsum_agrees_with_integers() {
        let mut state = 0x0123_4567_89ab_cdef_u64;
        for length in 0..600 {
            let values: Vec<f64> = (0..length % 60)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let magnitude = [1.0, 1e-9, 1e9][(state >> 20) as usize % 3];
                    (((state >> 34) as f64) - 536_870_912.0) * magnitude / 1_073_741_824.0
                })
                .collect();
            let mut exact = ExactSum::default();
            values.iter().for_each(|&x| exact.add(x));
            // Values near 1e-9 have up to 83 bits after the point; they are kept to 80.
            let quantised = values.iter().map(|x| {
                let mut one = ExactSum::default();
                one.add(*x);
                one.value()
            });
            assert_eq!(fsum(quantised), exact.value());
        }
    }

    /// The values are those of numpy 2.
    #[test]
    fn numpy_adds_in_pairs() {
        let values = |n: u32| (0..n).map(|i| 1.0 / f64::from(i + 1)).collect::<Vec<f64>>();
        let sums = [7, 8, 100, 128, 129, 1000, 5003].map(|n| numpy_sum(&values(n)));
        let expected: [f64; 7] = NUMPY_SUMS;
        assert_eq!(sums.map(f64::to_bits), expected.map(f64::to_bits));
        assert!(numpy_mean(&[]).is_nan());
    }

    const NUMPY_SUMS: [f64; 7] = [
        2.5928571428571425,
        2.7178571428571425,
        5.187377517639621,
        5.433147092589173,
        5.440899030573669,
        7.485470860550345,
        9.095108613096379,
    ];

    #[test]
    fn an_exact_sum_does_not_mind_the_order() {
        let mut state = 1_u64;
        let values: Vec<f64> = (0..10_000)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 11) as f64 / 9_007_199_254_740_992.0
            })
            .collect();
        let of = |values: &mut dyn Iterator<Item = f64>| {
            let mut sum = ExactSum::default();
            values.for_each(|x| sum.add(x));
            sum
        };
        let whole = of(&mut values.iter().copied());
        assert_eq!(whole, of(&mut values.iter().rev().copied()));
        for parts in [2, 7, 64] {
            let mut merged = ExactSum::default();
            let chunks: Vec<_> = values.chunks(values.len().div_ceil(parts)).collect();
            chunks.iter().rev().for_each(|c| merged.merge(&of(&mut c.iter().copied())));
            assert_eq!(whole, merged);
        }
        assert_eq!(whole.value(), fsum(values.iter().copied()));
    }

    #[test]
    fn an_exact_sum_rounds_and_has_limits() {
        let mut sum = ExactSum::default();
        assert!(sum.mean().is_nan());
        [1.0, 2.0, -5.0].iter().for_each(|&x| sum.add(x));
        assert_eq!(
            bits([sum.value(), sum.mean(), -2.0 / 3.0]),
            bits([-2.0, -2.0 / 3.0, -2.0 / 3.0])
        );
        sum.add(1e-30);
        assert_eq!(sum.units, -2 << 80);
        let with = |x: f64| {
            let mut sum = sum;
            sum.add(x);
            sum.value()
        };
        assert_eq!(with(1e300), f64::INFINITY);
        assert_eq!(with(f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert!(with(f64::NAN).is_nan());
        let mut full = ExactSum { units: i128::MAX, ..ExactSum::default() };
        full.add(1.0);
        assert_eq!(full.value(), f64::INFINITY);
    }
}
