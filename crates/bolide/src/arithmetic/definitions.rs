//! Checks the tables: every row is recomputed from its definition in integers, so the check does not rely on
//! float arithmetic.

use std::cmp::Ordering;

use super::ratio::{Natural, quotient};
use super::tables::*;

/// Fractional bits of the fixed-point logarithms; the series below is accurate to the last dozen.
const BITS: u64 = 192;

fn natural(n: u64) -> Natural {
    Natural::from(u128::from(n))
}

/// A finite, non-zero double as sign, 53-bit integer and exponent.
fn parts(x: f64) -> (bool, u64, i64) {
    let field = (x.to_bits() >> 52 & 0x7ff) as i64;
    assert!(field > 0, "{x:e} is zero or subnormal");
    (x < 0.0, x.to_bits() << 12 >> 12 | 1 << 52, field - 1023 - 52)
}

/// `|x| * 2^BITS`, which must be whole.
fn fixed(x: f64) -> Natural {
    if x == 0.0 {
        return natural(0);
    }
    let (_, significand, exponent) = parts(x);
    let up = exponent + BITS as i64;
    assert!(up >= 0, "{x:e} has bits below 2^-{BITS}");
    natural(significand).shifted_left(up as u64)
}

/// `|ln(n/d)| * 2^BITS` by the series of the inverse hyperbolic tangent of `(n-d)/(n+d)`.
fn fixed_ln(n: u64, d: u64) -> Natural {
    let (difference, sum) = (natural(n.abs_diff(d)), n + d);
    let mut power = difference.shifted_left(BITS + 1).divided_by(sum);
    let mut ln = natural(0);
    let mut k = 1;
    while !power.is_zero() {
        ln = ln.plus(&power.divided_by(k));
        power = power.times(&difference).divided_by(sum);
        power = power.times(&difference).divided_by(sum);
        k += 2;
    }
    ln
}

fn distance(a: &Natural, b: &Natural) -> Natural {
    if a.compare(b) == Ordering::Less { b.minus(a) } else { a.minus(b) }
}

fn is_below_two_to_the_minus(n: &Natural, k: u64) -> bool {
    n.bit_length() <= (BITS - k) as i64
}

fn is_multiple_of_two_to_the_minus_43(x: f64) -> bool {
    (x * 8_796_093_022_208.0) % 1.0 == 0.0
}

/// Compares `base^128` with `2^exponent`.
fn compare_128th_power(base: &Natural, exponent: u64) -> Ordering {
    let power = (0..7).fold(base.clone(), |power, _| power.times(&power));
    power.compare(&natural(1).shifted_left(exponent))
}

#[test]
fn powers_of_two() {
    for (i, row) in EXP_TABLE.iter().enumerate() {
        let i = i as u64;
        // The nearest double: half a unit below is too little, half a unit above too much.
        let (_, significand, exponent) = parts(row.power);
        assert_eq!(exponent, -52);
        let target = i + 53 * 128;
        let below = compare_128th_power(&natural(2 * significand - 1), target);
        let above = compare_128th_power(&natural(2 * significand + 1), target);
        assert_eq!((below, above), (Ordering::Less, Ordering::Greater), "row {i}");
        if i == 0 {
            assert_eq!(row.tail, 0.0);
            continue;
        }
        // The nearest relative error, in the same way: 1 + tail is (2^s +- m) / 2^s.
        let (negative, m, exponent) = parts(row.tail);
        let s = (1 - exponent) as u64;
        let one = natural(1).shifted_left(s);
        let corrected = |m: u64| {
            let factor = if negative { one.minus(&natural(m)) } else { one.plus(&natural(m)) };
            compare_128th_power(&natural(significand).times(&factor), i + (52 + s) * 128)
        };
        let (smaller, larger) = (corrected(2 * m - 1), corrected(2 * m + 1));
        let expected = if negative {
            (Ordering::Greater, Ordering::Less)
        } else {
            (Ordering::Less, Ordering::Greater)
        };
        assert_eq!((smaller, larger), expected, "tail of row {i}");
    }
}

#[test]
fn logarithms() {
    for (i, row) in LN_TABLE.iter().enumerate() {
        let (_, significand, exponent) = parts(row.inverse);
        let ln = fixed_ln(significand, 1 << -exponent);
        assert!(is_below_two_to_the_minus(&distance(&ln, &fixed(row.ln)), 66), "row {i}");
        assert!(is_multiple_of_two_to_the_minus_43(row.ln), "row {i}");
        assert_eq!(row.ln < 0.0, row.inverse > 1.0, "row {i}");
        check_interval(0x3fe6_0000_0000_0000, i, row.inverse);
    }
}

#[test]
fn logarithms_with_tails() {
    for (i, row) in POW_TABLE.iter().enumerate() {
        let n = (row.inverse * 256.0) as u64;
        let ln = fixed_ln(n, 256);
        let head = fixed(row.ln);
        let tail = distance(&ln, &head);
        assert!(is_below_two_to_the_minus(&tail, 44), "row {i}");
        assert!(is_multiple_of_two_to_the_minus_43(row.ln), "row {i}");
        assert_eq!(row.ln < 0.0, n > 256, "row {i}");
        let magnitude = quotient(&tail, &natural(1).shifted_left(BITS));
        assert_eq!(row.tail.abs(), magnitude, "tail of row {i}");
        let head_is_short = head.compare(&ln) == Ordering::Less;
        assert_eq!(row.tail > 0.0, magnitude > 0.0 && head_is_short == (n < 256), "row {i}");
        check_interval(0x3fe6_9555_0000_0000, i, row.inverse);
    }
}

/// The row belongs to its interval: both ends are near `c`.
fn check_interval(from: u64, row: usize, inverse: f64) {
    let end = |row: usize| {
        let bits = from + ((row as u64) << (52 - ROW_BITS));
        f64::from_bits(bits)
    };
    for z in [end(row), end(row + 1)] {
        assert!((z * inverse - 1.0).abs() < 1.0 / 128.0, "row {row}: {z} is too far from c");
    }
}

#[test]
fn halves_of_the_logarithm_of_two() {
    let ln2 = fixed_ln(2, 1);
    let low = distance(&ln2, &fixed(LN2_HIGH));
    assert!(is_below_two_to_the_minus(&distance(&low, &fixed(LN2_LOW)), 96));
    let step = ln2.divided_by(ROWS as u64);
    let low = distance(&step, &fixed(MINUS_LN2_OVER_ROWS_HIGH));
    assert!(is_below_two_to_the_minus(&distance(&low, &fixed(MINUS_LN2_OVER_ROWS_LOW)), 96));
}
