//! Williams' test: whether one metric's correlation with people is higher than another's (Williams 1959; Graham
//! and Baldwin 2014 for metrics).
//!
//! Two correlations with the same human scores are not independent, so the test also takes the correlation between the two
//! metrics. It needs no random numbers. It was made for Pearson's r over all texts; for other coefficients its
//! p-values are approximations.

use crate::arithmetic::{exp, ln};

/// The one-sided p-value of the higher of two correlations with people, for `n` texts. `between` is the correlation of
/// the two metrics. Twice this is the two-sided p-value.
///
/// One half for equal correlations; NaN for fewer than four texts and if a correlation is undefined.
///
/// ```
/// use bolide::correlation::williams::p_value;
/// assert_eq!(format!("{:.4}", p_value(0.60, 0.50, 0.80, 100)), "0.0274");
/// assert_eq!(p_value(0.5, 0.5, 0.8, 100), 0.5);
/// ```
pub fn p_value(first: f64, second: f64, between: f64, n: usize) -> f64 {
    if n < 4 || first.is_nan() || second.is_nan() || between.is_nan() {
        return f64::NAN;
    }
    if first == second {
        return 0.5;
    }
    let n = n as f64;
    let determinant =
        1.0 - first * first - second * second - between * between + 2.0 * first * second * between;
    let mean = (first + second) / 2.0;
    let apart = 1.0 - between;
    let t = (first - second) * ((n - 1.0) * (1.0 + between)).sqrt();
    let spread = 2.0 * (n - 1.0) / (n - 3.0) * determinant + mean * mean * apart * apart * apart;
    upper_tail((t / spread.sqrt()).abs(), n - 3.0)
}

/// The share of Student's t distribution above `t` ≥ 0, for a whole number of degrees of freedom.
fn upper_tail(t: f64, freedom: f64) -> f64 {
    if t.is_nan() {
        return f64::NAN;
    }
    let ratio = t * t / freedom;
    let (a, x) = (freedom / 2.0, 1.0 / (1.0 + ratio));
    // The power of the incomplete beta function, x^a (1 − x)^½ / B(a, ½).
    let front = exp(-a * ln_1p(ratio)) * (ratio * x).sqrt() * half_step(a) / ROOT_OF_PI;
    if x < (a + 1.0) / (a + 2.5) {
        0.5 * front * fraction(a, 0.5, x) / a
    } else {
        0.5 - front * fraction(0.5, a, ratio * x)
    }
}

const ROOT_OF_PI: f64 = 1.772_453_850_905_516;

/// ln(1 + y) for y ≥ 0, also where 1 + y rounds.
fn ln_1p(y: f64) -> f64 {
    let rounded = 1.0 + y;
    if rounded == 1.0 { y } else { ln(rounded) * (y / (rounded - 1.0)) }
}

/// Γ(a + ½) / Γ(a), for a multiple of ½: by its asymptotic series, from the first large a upwards.
fn half_step(a: f64) -> f64 {
    let (mut large, mut factor) = (a, 1.0);
    while large < 64.0 {
        factor *= large / (large + 0.5);
        large += 1.0;
    }
    let terms = [
        1.0,
        -1.0 / 8.0,
        1.0 / 128.0,
        5.0 / 1024.0,
        -21.0 / 32768.0,
        -399.0 / 262_144.0,
        869.0 / 4_194_304.0,
    ];
    let series = terms.iter().rev().fold(0.0, |sum, term| sum / large + term);
    factor * large.sqrt() * series
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const MOST: u32 = 100_000;
    let nonzero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut ratio = 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0));
    let (mut above, mut product) = (1.0, ratio);
    for step in 1..MOST {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            ratio = 1.0 / nonzero(1.0 + term * ratio);
            above = nonzero(1.0 + term / above);
            change = ratio * above;
            product *= change;
        }
        if (change - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_of_one_and_two_degrees_of_freedom_is_known() {
        for t in [0.0, 0.01, 0.3, 1.0, 2.5, 7.0, 40.0, 1e4] {
            let one = 0.5 - f64::atan(t) / std::f64::consts::PI;
            assert!((upper_tail(t, 1.0) - one).abs() < 1e-14, "{t}");
            let two = 0.5 - t / (2.0 * (2.0 + t * t).sqrt());
            assert!((upper_tail(t, 2.0) - two).abs() < 1e-14, "{t}");
        }
    }

    #[test]
    fn undefined_correlations_have_no_p_value() {
        assert!(p_value(f64::NAN, 0.5, 0.5, 100).is_nan());
        assert!(p_value(0.5, f64::NAN, 0.5, 100).is_nan());
        assert!(p_value(0.4, 0.5, f64::NAN, 100).is_nan());
        assert!(p_value(0.4, 0.5, 0.5, 3).is_nan());
        assert!(p_value(0.4, 0.5, 0.5, 4) < 0.5);
    }

    #[test]
    fn the_order_of_the_metrics_does_not_matter() {
        assert_eq!(p_value(0.4, 0.6, 0.7, 50), p_value(0.6, 0.4, 0.7, 50));
        assert!(p_value(0.4, 0.6, 0.7, 5000) < 1e-30);
    }
}
