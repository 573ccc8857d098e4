//! Fused multiply-add: `a * b + c` with one rounding, on every target.
//!
//! The last bits of glibc's `exp`, `log` and `pow` depend on it, so it may not be approximated. Native
//! targets use the processor or the platform's exact routine. WebAssembly has no such instruction, and its
//! software routine works bit by bit, so there it is computed in doubles.

/// `a * b + c`, rounded once.
///
/// Exact as long as no intermediate leaves the range of normal doubles. The callers in this folder ensure
/// that: they keep operands and results between about 2^-400 and 2^400, or zero.
#[inline(always)]
pub(super) fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
    if cfg!(target_family = "wasm") { in_doubles(a, b, c) } else { a.mul_add(b, c) }
}

/// The method of Boldo and Melquiond (2008): write the product and the sum as unevaluated pairs, add
/// the small parts rounding to odd, and the last addition rounds as if it saw the exact value.
#[inline]
pub(super) fn in_doubles(a: f64, b: f64, c: f64) -> f64 {
    let (product, product_error) = two_product(a, b);
    let (low_sum, low_error) = two_sum(c, product_error);
    let (sum, sum_error) = two_sum(product, low_sum);
    sum + add_rounding_to_odd(low_error, sum_error)
}

/// `a + b` as the rounded sum and its exact error (Knuth).
#[inline]
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// `a * b` as the rounded product and its exact error (Dekker).
#[inline]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    let error = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    (product, error)
}

/// Two halves of 26 bits whose products are exact (Veltkamp).
#[inline]
fn split(a: f64) -> (f64, f64) {
    const TWO_27_AND_1: f64 = 134_217_729.0;
    let scaled = TWO_27_AND_1 * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

/// `a + b`; when that is inexact, whichever of the two neighbours has an odd last bit.
#[inline]
fn add_rounding_to_odd(a: f64, b: f64) -> f64 {
    let (sum, error) = two_sum(a, b);
    if error == 0.0 || sum.to_bits() & 1 == 1 {
        return sum;
    }
    // The exact value lies between `sum` and its neighbour on the side of `error`.
    let away_from_zero = (error > 0.0) == (sum > 0.0);
    let bits = sum.to_bits();
    f64::from_bits(if away_from_zero { bits.wrapping_add(1) } else { bits.wrapping_sub(1) })
}
