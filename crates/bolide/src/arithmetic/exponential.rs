//! The exponential function, and powers based on it.
//!
//! `x = (128 k + i) * ln 2 / 128 + r`; the table has `2^(i/128)`, a polynomial gives `exp(r) - 1`, and the
//! product is assembled so that only its last addition rounds noticeably. As in `logarithm.rs`, the order of
//! operations is glibc's.

use super::fused::multiply_add;
use super::logarithm::{long_ln, normal_bits};
use super::tables::{
    EXP_POLYNOMIAL, EXP_TABLE, MINUS_LN2_OVER_ROWS_HIGH, MINUS_LN2_OVER_ROWS_LOW, ROW_BITS, ROWS,
    ROWS_PER_LN2,
};

/// `e` to the power `x`, with glibc's bits.
///
/// ```
/// assert_eq!(bolide::unstable::arithmetic::exp(-0.2), 0.8187307530779818);
/// ```
pub fn exp(x: f64) -> f64 {
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    exp_of_sum(x, 0.0, Tail::Absent)
}

/// `x` to the power `y`, with glibc's bits and the special cases of C and Python's `math.pow`
/// (without their exceptions: overflow is infinity, a fractional power of a negative number NaN).
///
/// ```
/// assert_eq!(bolide::unstable::arithmetic::pow(4.0 / 7.0, 3.0), 0.1865889212827988);
/// ```
pub fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if x.is_sign_positive() {
        return pow_of_positive(x, y);
    }
    match Parity::of(y) {
        Parity::Fraction if x != 0.0 && x.is_finite() => f64::NAN,
        Parity::Odd => -pow_of_positive(-x, y),
        Parity::Even | Parity::Fraction => pow_of_positive(-x, y),
    }
}

/// `x^y` for positive `x`, zero and infinity included, and `y` other than zero.
fn pow_of_positive(x: f64, y: f64) -> f64 {
    if x == 1.0 {
        1.0
    } else if x == 0.0 || x == f64::INFINITY || y.is_infinite() {
        let grows = (x > 1.0) == (y > 0.0);
        if grows { f64::INFINITY } else { 0.0 }
    } else {
        finite_pow(x, y)
    }
}

/// `x^y` for positive, finite `x` other than one and finite `y` other than zero.
fn finite_pow(x: f64, y: f64) -> f64 {
    // Outside these bounds the result is 1 to the last bit, or out of the range of doubles.
    const NO_EFFECT_BELOW: f64 = 1.0 / 36_893_488_147_419_103_232.0; // 2^-65
    const DECIDED_FROM: f64 = 9_223_372_036_854_775_808.0; // 2^63
    if y.abs() < NO_EFFECT_BELOW {
        return 1.0;
    }
    if y.abs() >= DECIDED_FROM {
        return if (x > 1.0) == (y > 0.0) { f64::INFINITY } else { 0.0 };
    }
    let ln = long_ln(normal_bits(x));
    let high = y * ln.high;
    let low = multiply_add(y, ln.low, multiply_add(y, ln.high, -high));
    exp_of_sum(high, low, Tail::Present)
}

/// Whether [`exp_of_sum`] has a second summand; adding a zero would be correct, but not free.
#[derive(PartialEq)]
enum Tail {
    Absent,
    Present,
}

/// `exp(x + low)` for `low` below the last bits of `x`.
#[inline]
fn exp_of_sum(x: f64, low: f64, tail: Tail) -> f64 {
    const NO_EFFECT_BELOW: f64 = 1.0 / 18_014_398_509_481_984.0; // 2^-54
    if x.abs() < NO_EFFECT_BELOW {
        return 1.0 + x;
    }
    if x.abs() >= 1024.0 {
        return if x > 0.0 { f64::INFINITY } else { 0.0 };
    }
    // Adding and subtracting 1.5 * 2^52 rounds to an integer, ties to even, whatever the compiler flags.
    const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
    let steps = multiply_add(ROWS_PER_LN2, x, TO_INTEGER) - TO_INTEGER;
    let n = steps as i64;
    let row = &EXP_TABLE[n.rem_euclid(ROWS as i64) as usize];
    let mut r = multiply_add(
        steps,
        MINUS_LN2_OVER_ROWS_LOW,
        multiply_add(steps, MINUS_LN2_OVER_ROWS_HIGH, x),
    );
    if tail == Tail::Present {
        r += low;
    }
    let r2 = r * r;
    let c = &EXP_POLYNOMIAL;
    let early = multiply_add(r2, multiply_add(r, c[1], c[0]), row.tail + r);
    let less_one = multiply_add(r2 * r2, multiply_add(r, c[3], c[2]), early);
    let k = n >> ROW_BITS;
    if x <= -512.0 {
        return small_product(row.power, less_one, k);
    }
    let product = multiply_add(row.power, less_one, row.power);
    // No double has the exponent 1024, but a product just below 1 can still be brought into range.
    if k < 1000 { product * two_to_the(k) } else { product * two_to_the(k - 1000) * TWO_1000 }
}

const TWO_1000: f64 = two_to_the(1000);

/// `power * (1 + less_one) * 2^k`, rounded once even if the result is subnormal.
///
/// glibc needs the product of the first two separately here, so it is not fused.
#[cold]
fn small_product(power: f64, less_one: f64, k: i64) -> f64 {
    // With the scale 2^1022 the smallest normal number is 1, so the bits that do not fit beside a 1 are those
    // that a subnormal result cannot hold.
    let scale = two_to_the(k + 1022);
    let addend = power * less_one;
    let product = power + addend;
    let scaled = product * scale;
    if scaled >= 1.0 {
        return scaled * f64::MIN_POSITIVE;
    }
    let error = (power - product + addend) * scale;
    let high = 1.0 + scaled;
    let low = 1.0 - high + scaled + error;
    (high + low - 1.0) * f64::MIN_POSITIVE
}

/// `2^k` for `-1022 <= k <= 1023`.
const fn two_to_the(k: i64) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

/// The parity of `y`, for a power of a negative number.
#[derive(Clone, Copy, PartialEq)]
enum Parity {
    Fraction,
    Odd,
    Even,
}

impl Parity {
    fn of(y: f64) -> Parity {
        if y.is_infinite() {
            Parity::Even
        } else if y % 1.0 != 0.0 {
            Parity::Fraction
        } else if y % 2.0 != 0.0 {
            Parity::Odd
        } else {
            Parity::Even
        }
    }
}
