//! Quotients of integers and exact fractions, where Python keeps them exact.
//!
//! Python divides two integers of any size with one rounding, and NLTK smooths BLEU in fractions: converting
//! early would change the last bits. Numbers here are small (hundreds of bits), so schoolbook methods
//! suffice. Fractions are never reduced, because only their value matters.

use std::cmp::Ordering;

/// `numerator / denominator` rounded once to the nearest double, ties to even, as Python's `/` on
/// integers. A zero denominator gives infinity, or NaN for 0/0.
///
/// ```
/// use bolide::unstable::arithmetic::ratio::divide;
/// // Converted first, the numerator would round to 2^53.
/// assert_eq!(divide((1 << 53) + 1, 3), 3002399751580331.0);
/// ```
pub fn divide(numerator: u128, denominator: u128) -> f64 {
    const EXACT_BELOW: u128 = 1 << 53;
    if numerator <= EXACT_BELOW && denominator <= EXACT_BELOW {
        return numerator as f64 / denominator as f64;
    }
    match short_quotient(numerator, denominator) {
        Some(quotient) => quotient,
        None => quotient(&Natural::from(numerator), &Natural::from(denominator)),
    }
}

/// A fraction of integers of any size, exact.
#[derive(Clone, Debug)]
pub struct Fraction {
    negative: bool,
    parts: Parts,
}

/// Numerator and denominator: in registers while they fit, as they do for sentences.
#[derive(Clone, Debug)]
enum Parts {
    Short(u128, u128),
    Long(Natural, Natural),
}

impl Parts {
    fn long(&self) -> (Natural, Natural) {
        match self {
            Parts::Short(n, d) => (Natural::from(*n), Natural::from(*d)),
            Parts::Long(n, d) => (n.clone(), d.clone()),
        }
    }

    fn reciprocal(&self) -> Parts {
        match self {
            Parts::Short(n, d) => Parts::Short(*d, *n),
            Parts::Long(n, d) => Parts::Long(d.clone(), n.clone()),
        }
    }

    fn times(&self, other: &Parts) -> Parts {
        if let (Parts::Short(n, d), Parts::Short(m, e)) = (self, other)
            && let (Some(n), Some(d)) = (n.checked_mul(*m), d.checked_mul(*e))
        {
            return Parts::Short(n, d);
        }
        let ((n, d), (m, e)) = (self.long(), other.long());
        Parts::Long(n.times(&m), d.times(&e))
    }
}

impl Fraction {
    /// `numerator / denominator`.
    pub fn new(numerator: u64, denominator: u64) -> Self {
        let parts = Parts::Short(u128::from(numerator), u128::from(denominator));
        Fraction { negative: false, parts }
    }

    /// A whole number.
    pub fn whole(n: i64) -> Self {
        Fraction { negative: n < 0, ..Fraction::new(n.unsigned_abs(), 1) }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        match &self.parts {
            Parts::Short(n, _) => *n == 0,
            Parts::Long(n, _) => n.is_zero(),
        }
    }

    /// Whether it is greater than zero.
    pub fn is_positive(&self) -> bool {
        !self.negative && !self.is_zero()
    }

    /// The sum.
    pub fn plus(&self, other: &Fraction) -> Fraction {
        self.short_plus(other).unwrap_or_else(|| self.long_plus(other))
    }

    fn short_plus(&self, other: &Fraction) -> Option<Fraction> {
        let (Parts::Short(n, d), Parts::Short(m, e)) = (&self.parts, &other.parts) else {
            return None;
        };
        let (left, right, denominator) =
            (n.checked_mul(*e)?, m.checked_mul(*d)?, d.checked_mul(*e)?);
        let (negative, numerator) = if self.negative == other.negative {
            (self.negative, left.checked_add(right)?)
        } else if left < right {
            (other.negative, right - left)
        } else {
            (self.negative, left - right)
        };
        Some(Fraction { negative, parts: Parts::Short(numerator, denominator) })
    }

    fn long_plus(&self, other: &Fraction) -> Fraction {
        let ((n, d), (m, e)) = (self.parts.long(), other.parts.long());
        let (left, right) = (n.times(&e), m.times(&d));
        let (negative, numerator) = if self.negative == other.negative {
            (self.negative, left.plus(&right))
        } else if left.compare(&right) == Ordering::Less {
            (other.negative, right.minus(&left))
        } else {
            (self.negative, left.minus(&right))
        };
        Fraction { negative, parts: Parts::Long(numerator, d.times(&e)) }
    }

    /// The product.
    pub fn times(&self, other: &Fraction) -> Fraction {
        let negative = self.negative != other.negative;
        Fraction { negative, parts: self.parts.times(&other.parts) }
    }

    /// The quotient; dividing by zero leaves a fraction whose value is infinite or NaN.
    pub fn over(&self, other: &Fraction) -> Fraction {
        let negative = self.negative != other.negative;
        Fraction { negative, parts: self.parts.times(&other.parts.reciprocal()) }
    }

    /// The nearest double, ties to even.
    pub fn value(&self) -> f64 {
        let magnitude = match &self.parts {
            Parts::Short(n, d) => divide(*n, *d),
            Parts::Long(n, d) => quotient(n, d),
        };
        if self.negative { -magnitude } else { magnitude }
    }
}

/// `n / d`, rounded once, where long division fits in registers.
fn short_quotient(n: u128, d: u128) -> Option<f64> {
    let length = |x: u128| i64::from(128 - x.leading_zeros());
    let scale = length(n) - length(d);
    if n == 0 || d == 0 || length(n).max(length(d)) > 126 {
        return None;
    }
    let mut rest = n << (-scale).max(0);
    let divisor = d << scale.max(0);
    let mut bits = 0_u64;
    for step in 0..STEPS {
        if step > 0 {
            rest <<= 1;
        }
        bits <<= 1;
        if rest >= divisor {
            rest -= divisor;
            bits |= 1;
        }
    }
    Some(rounded(bits, scale - (STEPS - 1), rest != 0))
}

/// Steps of long division. With both numbers shifted to the same length, the quotient is between 1/2 and 2,
/// and this many steps give at least 55 of its bits. Rounding then only needs to know whether there is a
/// remainder.
const STEPS: i64 = 56;

/// `n / d`, rounded once.
pub(super) fn quotient(n: &Natural, d: &Natural) -> f64 {
    if d.is_zero() {
        return if n.is_zero() { f64::NAN } else { f64::INFINITY };
    }
    if n.is_zero() {
        return 0.0;
    }
    let scale = n.bit_length() - d.bit_length();
    let mut rest = n.shifted_left((-scale).max(0) as u64);
    let divisor = d.shifted_left(scale.max(0) as u64);
    let mut bits = 0_u64;
    for step in 0..STEPS {
        if step > 0 {
            rest = rest.shifted_left(1);
        }
        bits <<= 1;
        if rest.compare(&divisor) != Ordering::Less {
            rest = rest.minus(&divisor);
            bits |= 1;
        }
    }
    rounded(bits, scale - (STEPS - 1), !rest.is_zero())
}

/// `bits * 2^exponent`, and a little more if `sticky`, to the nearest double, ties to even.
fn rounded(bits: u64, exponent: i64, sticky: bool) -> f64 {
    let length = i64::from(64 - bits.leading_zeros());
    let leading = exponent + length - 1;
    if leading > 1023 {
        return f64::INFINITY;
    }
    // A subnormal result has fewer bits.
    let kept = if leading < -1022 { 53 - (-1022 - leading) } else { 53 };
    if kept < 0 {
        return 0.0;
    }
    let dropped = length - kept;
    let (mut significand, mut exponent) = (bits, exponent);
    if dropped > 0 {
        let half = 1_u64 << (dropped - 1);
        let remainder = bits & ((half << 1) - 1);
        significand = bits.checked_shr(dropped as u32).unwrap_or(0);
        exponent += dropped;
        let up = remainder > half || (remainder == half && (sticky || significand & 1 == 1));
        significand += u64::from(up);
    }
    // Both factors are powers of two within range, so only a subnormal result could round, and its
    // significand was shortened for that.
    let first = exponent / 2;
    significand as f64 * two_to_the(first) * two_to_the(exponent - first)
}

fn two_to_the(k: i64) -> f64 {
    f64::from_bits(((k.clamp(-1022, 1023) + 1023) as u64) << 52)
}

/// A natural number of any size: base 2^64, least significant first, no leading zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Natural(Vec<u64>);

impl From<u128> for Natural {
    fn from(n: u128) -> Self {
        Natural::trimmed(vec![n as u64, (n >> 64) as u64])
    }
}

impl Natural {
    fn trimmed(mut digits: Vec<u64>) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Natural(digits)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn bit_length(&self) -> i64 {
        self.0.last().map_or(0, |top| 64 * self.0.len() as i64 - i64::from(top.leading_zeros()))
    }

    pub(super) fn compare(&self, other: &Natural) -> Ordering {
        let by_length = self.0.len().cmp(&other.0.len());
        by_length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    pub(super) fn plus(&self, other: &Natural) -> Natural {
        let (long, short) =
            if self.0.len() < other.0.len() { (other, self) } else { (self, other) };
        let mut carry = 0_u128;
        let short_digits = short.0.iter().copied().chain(std::iter::repeat(0));
        let mut digits: Vec<u64> = long
            .0
            .iter()
            .zip(short_digits)
            .map(|(&a, b)| {
                carry += u128::from(a) + u128::from(b);
                let digit = carry as u64;
                carry >>= 64;
                digit
            })
            .collect();
        digits.push(carry as u64);
        Natural::trimmed(digits)
    }

    /// The difference from a number that is not larger; zero if the other is larger.
    pub(super) fn minus(&self, other: &Natural) -> Natural {
        if self.compare(other) == Ordering::Less {
            return Natural(Vec::new());
        }
        let mut borrow = false;
        let other_digits = other.0.iter().copied().chain(std::iter::repeat(0));
        let digits = self.0.iter().zip(other_digits).map(|(&a, b)| {
            let (digit, under) = a.overflowing_sub(b);
            let (digit, under_again) = digit.overflowing_sub(u64::from(borrow));
            borrow = under || under_again;
            digit
        });
        Natural::trimmed(digits.collect())
    }

    pub(super) fn times(&self, other: &Natural) -> Natural {
        let mut digits = vec![0_u64; self.0.len() + other.0.len()];
        for (i, &a) in self.0.iter().enumerate() {
            let mut carry = 0_u128;
            for (j, &b) in other.0.iter().enumerate() {
                carry += u128::from(a) * u128::from(b) + u128::from(digits[i + j]);
                digits[i + j] = carry as u64;
                carry >>= 64;
            }
            digits[i + other.0.len()] = carry as u64;
        }
        Natural::trimmed(digits)
    }

    #[cfg(test)]
    pub(super) fn divided_by(&self, divisor: u64) -> Natural {
        let mut rest = 0_u128;
        let mut digits: Vec<u64> = Vec::new();
        for &digit in self.0.iter().rev() {
            rest = rest << 64 | u128::from(digit);
            digits.push((rest / u128::from(divisor)) as u64);
            rest %= u128::from(divisor);
        }
        digits.reverse();
        Natural::trimmed(digits)
    }

    pub(super) fn shifted_left(&self, bits: u64) -> Natural {
        let (whole, part) = ((bits / 64) as usize, (bits % 64) as u32);
        let mut digits = vec![0; whole];
        let mut carry = 0_u64;
        for &digit in &self.0 {
            digits.push(digit << part | carry);
            carry = if part == 0 { 0 } else { digit >> (64 - part) };
        }
        digits.push(carry);
        Natural::trimmed(digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values are CPython's.
    #[test]
    fn division_is_pythons() {
        let cases: [(u128, u128, f64); 8] = [
            (1, 3, 1.0 / 3.0),
            (0, 5, 0.0),
            (u128::MAX, 1, 3.402823669209385e38),
            (u128::MAX, u128::MAX - 1, 1.0),
            (1, u128::MAX, 2.938735877055719e-39),
            ((1 << 54) + 2, 1, 18014398509481984.0),
            ((1 << 54) + 6, 1, 18014398509481992.0),
            (123456789012345678901234567890, 987654321098765432109, 124999998.8609375),
        ];
        for (n, d, expected) in cases {
            assert_eq!(divide(n, d).to_bits(), expected.to_bits(), "{n}/{d}");
        }
        assert!(divide(0, 0).is_nan());
        assert_eq!(divide(1, 0), f64::INFINITY);
    }

    #[test]
    fn long_division_agrees_with_the_short_way() {
        let mut state = 99_u64;
        let mut random = |bits: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11 >> (53 - bits % 53 - 1)) + 1
        };
        for i in 0..20_000 {
            let (n, d) = (random(i), random(i / 53));
            let long = quotient(&Natural::from(u128::from(n)), &Natural::from(u128::from(d)));
            assert_eq!(long.to_bits(), (n as f64 / d as f64).to_bits(), "{n}/{d}");
            let short = short_quotient(u128::from(n), u128::from(d)).unwrap();
            assert_eq!(short.to_bits(), long.to_bits(), "{n}/{d}");
            // Twice as long, where the quotient of doubles would round twice.
            let (n, d) = (u128::from(n) * u128::from(d), u128::from(d) * u128::from(random(i)) + 1);
            let long = quotient(&Natural::from(n), &Natural::from(d));
            assert_eq!(short_quotient(n, d).unwrap().to_bits(), long.to_bits(), "{n}/{d}");
        }
    }

    #[test]
    fn fractions_are_exact() {
        let third = Fraction::new(1, 3);
        let sum = third.plus(&third).plus(&third).plus(&Fraction::whole(-1));
        assert!(sum.is_zero() && !sum.is_positive());
        let mut tiny = Fraction::new(1, 1);
        for _ in 0..1074 {
            tiny = tiny.times(&Fraction::new(1, 2));
        }
        assert_eq!(tiny.value(), 5e-324);
        assert_eq!(tiny.times(&Fraction::new(1, 2)).value(), 0.0);
        assert_eq!(tiny.times(&Fraction::new(3, 2)).value(), 1e-323);
        let huge = Fraction::whole(1).over(&tiny);
        assert_eq!(huge.value(), f64::INFINITY);
        assert_eq!(huge.times(&tiny).value(), 1.0);
        assert_eq!(Fraction::whole(-2).over(&Fraction::whole(3)).value(), -2.0 / 3.0);
        assert_eq!(Fraction::new(1, 3).plus(&Fraction::whole(-1)).value(), -2.0 / 3.0);
    }
}
