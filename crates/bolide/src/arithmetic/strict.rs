//! The power function of Java's `StrictMath`, which is fdlibm's: METEOR 1.5 scores carry its last bit.
//!
//! x^y = 2^(y·log₂ x), with the logarithm and the product kept as sums of two doubles. The steps and the
//! coefficients are those of fdlibm 5.3 (`e_pow.c`), which asks for this notice to be kept: Copyright (C) 2004
//! by Sun Microsystems, Inc. All rights reserved. Permission to use, copy, modify, and distribute this software
//! is freely granted, provided that this notice is preserved.
//!
//! As in the C libraries of today, 1 to any power is 1, even if the exponent is NaN. Other functions, with
//! glibc's bits, are in the modules beside this one.

/// The first words of 2 to the power of 31 and of 64.
const LARGE: i32 = 0x41e0_0000;
const HUGE: i32 = 0x43f0_0000;

/// x to the power of y.
pub fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() {
        return x + y;
    }
    if let Some(power) = special(x, y) {
        return power;
    }
    // The base is negative: the result is a number only if the exponent is whole.
    let sign = match parity(y) {
        _ if x > 0.0 => 1.0,
        Parity::Fraction => return f64::NAN,
        Parity::Odd => -1.0,
        Parity::Even => 1.0,
    };
    let (base, high) = (x.abs(), high_word(x.abs()));
    let log = if high_word(y.abs()) > LARGE {
        // Unless the base is close to 1, the result overflows or underflows.
        let grows = (base > 1.0) == (y > 0.0);
        if high != 0x3fef_ffff && high != 0x3ff0_0000 || high_word(y.abs()) > HUGE {
            return if grows { sign * f64::INFINITY } else { sign * 0.0 };
        }
        log2_near_one(base)
    } else {
        log2(base)
    };
    sign * exp2_of_product(y, log)
}

/// Zeros, infinities, ones, and the powers that other functions give exactly.
fn special(x: f64, y: f64) -> Option<f64> {
    let base = x.abs();
    if y.is_infinite() {
        return Some(match base {
            1.0 => 1.0,
            _ if (base > 1.0) == (y > 0.0) => f64::INFINITY,
            _ => 0.0,
        });
    }
    if y == 1.0 {
        return Some(x);
    }
    if y == -1.0 {
        return Some(1.0 / x);
    }
    if y == 2.0 {
        return Some(x * x);
    }
    if y == 0.5 && x.is_sign_positive() {
        return Some(x.sqrt());
    }
    if base != 0.0 && base != 1.0 && base.is_finite() {
        return None;
    }
    let power = if y < 0.0 { 1.0 / base } else { base };
    Some(match parity(y) {
        _ if x.is_sign_positive() => power,
        Parity::Fraction if base == 1.0 => f64::NAN,
        Parity::Odd => -power,
        _ => power,
    })
}

/// The sign of a power of a negative base.
enum Parity {
    Fraction,
    Odd,
    Even,
}

fn parity(y: f64) -> Parity {
    if y.fract() != 0.0 {
        Parity::Fraction
    } else if y.abs() < two_to(53) && y as i64 & 1 == 1 {
        Parity::Odd
    } else {
        Parity::Even
    }
}

/// A number as a sum; the first part has so few digits that products with it are exact.
struct Sum {
    high: f64,
    low: f64,
}

/// log₂ of a number so close to 1 that three terms of the series suffice.
fn log2_near_one(base: f64) -> Sum {
    const IVLN2: f64 = f64::from_bits(0x3ff7_1547_652b_82fe);
    const IVLN2_HIGH: f64 = f64::from_bits(0x3ff7_1547_6000_0000);
    const IVLN2_LOW: f64 = f64::from_bits(0x3e54_ae0b_f85d_df44);
    let t = base - 1.0;
    let w = (t * t) * (0.5 - t * (1.0 / 3.0 - t * 0.25));
    let u = IVLN2_HIGH * t;
    let v = t * IVLN2_LOW - w * IVLN2;
    let high = without_low_word(u + v);
    Sum { high, low: v - (high - u) }
}

/// The centre of the logarithm series: 1 or 3/2.
struct Centre {
    value: f64,
    log: Sum,
    /// What doubling the centre adds to a first word.
    shift: i32,
}

/// The exponent of a number, the first word of its fraction, and the nearest centre. Subnormal numbers are
/// scaled first.
fn centred(base: &mut f64) -> (i32, i32, Centre) {
    let mut exponent = 0;
    if *base < f64::MIN_POSITIVE {
        *base *= two_to(53);
        exponent -= 53;
    }
    exponent += (high_word(*base) >> 20) - 0x3ff;
    let fraction = high_word(*base) & 0x000f_ffff;
    let high = fraction | 0x3ff0_0000;
    let one = Centre { value: 1.0, log: Sum { high: 0.0, low: 0.0 }, shift: 0 };
    if fraction <= 0x3988e {
        (exponent, high, one)
    } else if fraction < 0xbb67a {
        let log = Sum {
            high: f64::from_bits(0x3fe2_b803_4000_0000),
            low: f64::from_bits(0x3e4c_fdeb_43cf_d006),
        };
        (exponent, high, Centre { value: 1.5, log, shift: 1 << 18 })
    } else {
        (exponent + 1, high - 0x0010_0000, one)
    }
}

/// log₂ of any positive number.
fn log2(mut base: f64) -> Sum {
    /// 2/(3 ln 2), and the same as a sum.
    const CP: f64 = f64::from_bits(0x3fee_c709_dc3a_03fd);
    const CP_HIGH: f64 = f64::from_bits(0x3fee_c709_e000_0000);
    const CP_LOW: f64 = f64::from_bits(0xbe3e_2fe0_145b_01f5);
    const L: [f64; 6] = [
        f64::from_bits(0x3fe3_3333_3333_3303),
        f64::from_bits(0x3fdb_6db6_db6f_abff),
        f64::from_bits(0x3fd5_5555_518f_264d),
        f64::from_bits(0x3fd1_7460_a91d_4101),
        f64::from_bits(0x3fcd_864a_93c9_db65),
        f64::from_bits(0x3fca_7e28_4a45_4eef),
    ];
    let (exponent, high, centre) = centred(&mut base);
    let Centre { value: centre, log, shift } = centre;
    let base = with_high_word(base, high);
    // s = (base − centre)/(base + centre), as a sum.
    let (u, v) = (base - centre, 1.0 / (base + centre));
    let s = u * v;
    let s_high = without_low_word(s);
    let up = ((high >> 1) | 0x2000_0000) + 0x0008_0000 + shift;
    let t_high = with_high_word(0.0, up);
    let t_low = base - (t_high - centre);
    let s_low = v * ((u - s_high * t_high) - s_high * t_low);
    // 2s/3 of the series of the logarithm, then all of it, as a sum.
    let s2 = s * s;
    let series = L[0] + s2 * (L[1] + s2 * (L[2] + s2 * (L[3] + s2 * (L[4] + s2 * L[5]))));
    let r = s2 * s2 * series + s_low * (s_high + s);
    let s2 = s_high * s_high;
    let t_high = without_low_word(3.0 + s2 + r);
    let t_low = r - ((t_high - 3.0) - s2);
    let u = s_high * t_high;
    let v = s_low * t_high + t_low * s;
    let p_high = without_low_word(u + v);
    let p_low = v - (p_high - u);
    let z_high = CP_HIGH * p_high;
    let z_low = CP_LOW * p_high + p_low * CP + log.low;
    let t = f64::from(exponent);
    let high = without_low_word(((z_high + z_low) + log.high) + t);
    Sum { high, low: z_low - (((high - t) - log.high) - z_high) }
}

/// 2 to the power of y·log.
fn exp2_of_product(y: f64, log: Sum) -> f64 {
    /// −(1024 − log₂(the largest number and half a unit)).
    const OVERFLOW: f64 = 8.008_566_259_537_294e-17;
    let y_high = without_low_word(y);
    let low = (y - y_high) * log.high + y * log.low;
    let high = y_high * log.high;
    let product = low + high;
    if product > 1024.0 || product == 1024.0 && low + OVERFLOW > product - high {
        return f64::INFINITY;
    }
    if product < -1075.0 || product == -1075.0 && low <= product - high {
        return 0.0;
    }
    exp2(product, high, low)
}

/// 2 to the power of high + low; `product` is their rounded sum.
fn exp2(product: f64, mut high: f64, low: f64) -> f64 {
    const LN2: f64 = f64::from_bits(0x3fe6_2e42_fefa_39ef);
    const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e43_0000_0000);
    const LN2_LOW: f64 = f64::from_bits(0xbe20_5c61_0ca8_6c39);
    const P: [f64; 5] = [
        f64::from_bits(0x3fc5_5555_5555_553e),
        f64::from_bits(0xbf66_c16c_16be_bd93),
        f64::from_bits(0x3f11_566a_af25_de2c),
        f64::from_bits(0xbebb_bd41_c5d2_6bf1),
        f64::from_bits(0x3e66_3769_72be_a4d0),
    ];
    // The whole number nearest to the product goes to the exponent.
    let word = high_word(product);
    let magnitude = word & 0x7fff_ffff;
    let mut whole = 0;
    if magnitude > 0x3fe0_0000 {
        let k = (magnitude >> 20) - 0x3ff;
        let rounded = word.wrapping_add(0x0010_0000 >> (k + 1));
        let k = ((rounded & 0x7fff_ffff) >> 20) - 0x3ff;
        let nearest = with_high_word(0.0, rounded & !(0x000f_ffff >> k));
        whole = ((rounded & 0x000f_ffff) | 0x0010_0000) >> (20 - k);
        if word < 0 {
            whole = -whole;
        }
        high -= nearest;
    }
    let t = without_low_word(low + high);
    let u = t * LN2_HIGH;
    let v = (low - (t - high)) * LN2 + t * LN2_LOW;
    let z = u + v;
    let w = v - (z - u);
    let t = z * z;
    let t1 = z - t * (P[0] + t * (P[1] + t * (P[2] + t * (P[3] + t * P[4]))));
    let r = (z * t1) / (t1 - 2.0) - (w + z * w);
    let z = 1.0 - (r - z);
    let scaled = high_word(z) + (whole << 20);
    if scaled >> 20 > 0 {
        with_high_word(z, scaled)
    } else {
        // A subnormal result: two steps, of which only the second rounds.
        with_high_word(z, high_word(z) + ((whole + 128) << 20)) * (1.0 / two_to(128))
    }
}

fn two_to(exponent: u32) -> f64 {
    f64::from_bits(u64::from(0x3ff + exponent) << 52)
}

fn high_word(x: f64) -> i32 {
    (x.to_bits() >> 32) as i32
}

fn with_high_word(x: f64, high: i32) -> f64 {
    f64::from_bits(u64::from(high as u32) << 32 | x.to_bits() & 0xffff_ffff)
}

fn without_low_word(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(x: f64, y: f64) {
        let (ours, theirs) = (pow(x, y), libm::pow(x, y));
        let same = ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan();
        assert!(same, "{x:?}^{y:?}: {ours:?} is not {theirs:?}");
    }

    const CORNERS: [f64; 26] = [
        0.0,
        0.25,
        0.5,
        0.75,
        1.0,
        1.5,
        2.0,
        3.0,
        1024.0,
        1074.0,
        1e-300,
        1e300,
        5e-324,
        2.2e-308,
        f64::MAX,
        f64::EPSILON,
        4_294_967_296.0,
        9_007_199_254_740_993.0,
        9_007_199_254_740_992.0,
        4_503_599_627_370_497.5,
        1e19,
        2e19,
        1.000_000_000_000_000_2,
        0.999_999_999_999_999_9,
        f64::INFINITY,
        f64::NAN,
    ];

    #[test]
    fn corners_are_those_of_the_c_library() {
        for x in CORNERS {
            for y in CORNERS {
                for (x, y) in [(x, y), (-x, y), (x, -y), (-x, -y)] {
                    check(x, y);
                }
            }
        }
    }

    #[test]
    fn powers_of_fractions_have_the_bits_of_fdlibm() {
        for n in 1u32..=600 {
            for m in 1..=n {
                let x = f64::from(m) / f64::from(n);
                for y in [0.2, 0.55, 0.6, 0.83, 1.3, 1.4, 1.5, 1.6, 1.65, 3.0] {
                    check(x, y);
                }
            }
        }
    }

    #[test]
    fn any_numbers_have_the_bits_of_fdlibm() {
        let mut state = 1u64;
        let mut bits = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state ^ state >> 29
        };
        for _ in 0..300_000 {
            let (x, y) = (f64::from_bits(bits()), f64::from_bits(bits()));
            check(x, y);
            // Exponents of moderate size, for which the power is finite.
            let small = f64::from_bits(
                y.to_bits() & 0x800f_ffff_ffff_ffff | (0x3f8 + (bits() >> 60)) << 52,
            );
            check(x.abs(), small);
            let near_one = f64::from_bits(x.to_bits() & 0x000f_ffff_ffff_ffff | 0x3ff << 52);
            check(near_one, small * 600.0);
        }
    }
}
