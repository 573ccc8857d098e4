//! The natural logarithm, also with a tail for `pow`.
//!
//! `x = 2^k * z` with `z` around 1; the table has `1/c` and `ln c` for a `c` near `z`; then `ln x = k ln 2 +
//! ln c + ln(1 + r)` with `r = z/c - 1` small and exact by fused multiply-add. The order of the additions,
//! and which of them are fused, decide the last bit. They are glibc's, found by comparing with it (see
//! `tests.rs`).

use super::fused::multiply_add;
use super::tables::{
    LN_NEAR_ONE_POLYNOMIAL, LN_POLYNOMIAL, LN_TABLE, LN2_HIGH, LN2_LOW, POW_POLYNOMIAL, POW_TABLE,
    ROW_BITS, ROWS,
};

/// The natural logarithm of `x`, with glibc's bits.
///
/// Zero gives negative infinity, a negative number NaN.
///
/// ```
/// assert_eq!(bolide::unstable::arithmetic::ln(0.75), -0.2876820724517809);
/// ```
pub fn ln(x: f64) -> f64 {
    const NEAR_ONE_FROM: u64 = (1.0_f64 - 0.0625).to_bits();
    const NEAR_ONE_UP_TO: u64 = (1.0_f64 + 265.0 / 4096.0).to_bits();
    let bits = x.to_bits();
    if (NEAR_ONE_FROM..NEAR_ONE_UP_TO).contains(&bits) {
        return ln_near_one(x);
    }
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    let cut = Cut::of(normal_bits(x), LN_INTERVALS_FROM);
    let row = &LN_TABLE[cut.row];
    let a = &LN_POLYNOMIAL;
    let r = multiply_add(cut.z, row.inverse, -1.0);
    let whole = multiply_add(cut.k, LN2_HIGH, row.ln);
    let high = whole + r;
    let low = multiply_add(cut.k, LN2_LOW, whole - high + r);
    let r2 = r * r;
    let series = multiply_add(r2, multiply_add(r, a[4], a[3]), multiply_add(r, a[2], a[1]));
    multiply_add(r * r2, series, multiply_add(r2, a[0], low)) + high
}

/// A logarithm as an unevaluated sum of two doubles, of about 68 bits.
pub(super) struct LongLogarithm {
    pub(super) high: f64,
    pub(super) low: f64,
}

/// `ln x` for `pow`: `bits` are those of a positive, finite number scaled to be normal, where
/// [`normal_bits`] may have taken the exponent below zero.
pub(super) fn long_ln(bits: u64) -> LongLogarithm {
    let cut = Cut::of(bits, POW_INTERVALS_FROM);
    let row = &POW_TABLE[cut.row];
    let a = &POW_POLYNOMIAL;
    let r = multiply_add(cut.z, row.inverse, -1.0);
    let whole = multiply_add(cut.k, LN2_HIGH, row.ln);
    let sum = whole + r;
    let low_whole = multiply_add(cut.k, LN2_LOW, row.tail);
    let low_sum = whole - sum + r;
    let half = a[0] * r;
    let half2 = r * half;
    let half3 = r * half2;
    let high = sum + half2;
    let low_square = multiply_add(half, r, -half2);
    let low_high = sum - high + half2;
    let series = multiply_add(
        half2,
        multiply_add(half2, multiply_add(r, a[6], a[5]), multiply_add(r, a[4], a[3])),
        multiply_add(r, a[2], a[1]),
    );
    let low = multiply_add(half3, series, low_whole + low_sum + low_square + low_high);
    let rounded = high + low;
    LongLogarithm { high: rounded, low: high - rounded + low }
}

/// The bits of a positive, finite `x`; a subnormal one is scaled up and its exponent field lowered
/// by as much, wrapping, so that [`Cut::of`] sees the true exponent.
pub(super) fn normal_bits(x: f64) -> u64 {
    const TWO_52: f64 = 4_503_599_627_370_496.0;
    if x < f64::MIN_POSITIVE { (x * TWO_52).to_bits().wrapping_sub(52 << 52) } else { x.to_bits() }
}

/// The bits of 0.6875, where the first interval of `LN_TABLE` begins.
const LN_INTERVALS_FROM: u64 = 0x3fe6_0000_0000_0000;
/// The bits of about 0.7057, where the first interval of `POW_TABLE` begins.
const POW_INTERVALS_FROM: u64 = 0x3fe6_9555_0000_0000;

/// `x = 2^k * z`, with the row of the table whose interval holds `z`.
struct Cut {
    k: f64,
    z: f64,
    row: usize,
}

impl Cut {
    fn of(bits: u64, intervals_from: u64) -> Cut {
        let offset = bits.wrapping_sub(intervals_from);
        let k = (offset as i64) >> 52;
        Cut {
            k: k as f64,
            z: f64::from_bits(bits.wrapping_sub((k as u64) << 52)),
            row: (offset >> (52 - ROW_BITS)) as usize % ROWS,
        }
    }
}

/// `ln x` where it is small: the series in `r = x - 1` alone, `r - r^2/2` in two doubles.
fn ln_near_one(x: f64) -> f64 {
    if x == 1.0 {
        return 0.0;
    }
    const TWO_27: f64 = 134_217_728.0;
    let b = &LN_NEAR_ONE_POLYNOMIAL;
    let r = x - 1.0;
    let r2 = r * r;
    let r3 = r * r2;
    // Three terms of the series, by rising powers; each group of three is a step of r^3.
    let three = |i: usize| multiply_add(r2, b[i + 2], multiply_add(r, b[i + 1], b[i]));
    let series =
        multiply_add(r3, multiply_add(r3, multiply_add(r3, b[10], three(7)), three(4)), three(1));
    let scaled = r * TWO_27;
    let r_high = r + scaled - scaled;
    let r_low = r - r_high;
    let square = r_high * r_high * b[0];
    let high = r + square;
    let low = multiply_add(b[0] * r_low, r_high + r, r - high + square);
    multiply_add(r3, series, low) + high
}
