//! Parses decimal numbers: the parameters of a signature.
//!
//! The result is the nearest double, ties to even, as in the standard library. The standard parser is built
//! for millions of numbers and its table of powers of five takes 10 KB, a thirtieth of a browser's download.
//! A signature has only a few numbers, so exact division is fast enough.

use super::ratio::{Natural, divide, quotient};

/// More digits than any tie between two doubles has. For the rest it only matters whether they are all zero.
const MOST_DIGITS: usize = 800;

/// Parses a decimal number: a sign, digits with or without a point, an exponent. A number too large for a
/// double is infinite; a text that is not a number is `None`.
pub(crate) fn parse(text: &str) -> Option<f64> {
    let (is_negative, text) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let (whole, text) = digits(text);
    let (part, text) = match text {
        [b'.', rest @ ..] => digits(rest),
        rest => (&[][..], rest),
    };
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let exponent = match text {
        [] => 0,
        [b'e' | b'E', rest @ ..] => whole_number(rest)?,
        _ => return None,
    };
    let significant: Vec<u8> =
        whole.iter().chain(part).copied().skip_while(|&digit| digit == b'0').collect();
    let value = nearest(significant, exponent.saturating_sub(part.len() as i64));
    Some(if is_negative { -value } else { value })
}

/// The leading digits of a text, and the rest.
fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().take_while(|byte| byte.is_ascii_digit()).count())
}

/// A whole number with a sign. One beyond any useful exponent is clamped.
fn whole_number(text: &[u8]) -> Option<i64> {
    let (sign, text) = match text {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        rest => (1, rest),
    };
    let (all, rest) = digits(text);
    if all.is_empty() || !rest.is_empty() {
        return None;
    }
    let add = |n: i64, digit: &u8| n.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    Some(sign * all.iter().fold(0, add))
}

/// The double nearest to digits (the first one not zero) times a power of ten.
fn nearest(mut digits: Vec<u8>, mut exponent: i64) -> f64 {
    if digits.len() > MOST_DIGITS {
        exponent = exponent.saturating_add((digits.len() - MOST_DIGITS) as i64);
        if digits.drain(MOST_DIGITS..).any(|digit| digit != b'0') {
            digits.push(b'1');
            exponent = exponent.saturating_sub(1);
        }
    }
    let magnitude = exponent.saturating_add(digits.len() as i64);
    if digits.is_empty() || magnitude < -330 {
        return 0.0;
    }
    if magnitude > 310 {
        return f64::INFINITY;
    }
    let number = |n: u128, digit: &u8| 10 * n + u128::from(digit - b'0');
    if digits.len() < 20 && (-18..=0).contains(&exponent) {
        return divide(digits.iter().fold(0, number), 10_u128.pow(exponent.unsigned_abs() as u32));
    }
    let ten = Natural::from(10);
    let add = |n: Natural, digit: &u8| n.times(&ten).plus(&Natural::from(u128::from(digit - b'0')));
    let number = digits.iter().fold(Natural::from(0), add);
    let scale = (0..exponent.unsigned_abs()).fold(Natural::from(1), |power, _| power.times(&ten));
    if exponent < 0 {
        quotient(&number, &scale)
    } else {
        quotient(&number.times(&scale), &Natural::from(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bolide_testdata::random::Random;

    fn check(text: &str) {
        let expected = text.parse::<f64>().ok();
        let (seen, expected) = (parse(text).map(f64::to_bits), expected.map(f64::to_bits));
        assert_eq!(seen, expected, "{text}");
    }

    #[test]
    fn the_standard_librarys_bits() {
        let mut random = Random(20_261_116);
        let mut next = || random.bits();
        for _ in 0..3_000 {
            let x = f64::from_bits(next());
            if x.is_finite() {
                check(&format!("{x}"));
                check(&format!("{x:e}"));
                check(&format!("{x:.3e}"));
            }
            let (digits, point) = (next().to_string(), next() as usize % 20);
            let point = point.min(digits.len());
            check(&format!("{}.{}", &digits[..point], &digits[point..]));
            check(&format!("{digits}e{}", (next() % 700) as i64 - 350));
        }
    }

    #[test]
    fn limits_ties_and_long_numbers() {
        for text in [
            "0",
            "-0",
            "+0.0",
            "0e999999999999999999999",
            "5.",
            ".5",
            "+.5e-3",
            "1E5",
            "1e+5",
            "4.9406564584124654e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.2250738585072011e-308",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e309",
            "-1e400",
            "1e-400",
            "9007199254740993",
            "9007199254740992.9999",
            "1e99999999999999999999999",
            "1e-99999999999999999999999",
        ] {
            check(text);
        }
        // Half way between two doubles, exactly and slightly off, far after the point.
        let half = format!("{:.1074}", f64::from_bits(1)) + "0";
        let tie = format!("1{}", "0".repeat(1100));
        for tail in ["", "0", "1", &"0".repeat(900), &("0".repeat(900) + "1")] {
            check(&format!("9007199254740993.{tail}"));
            check(&format!("{half}{tail}"));
            check(&format!("{tie}{tail}e-1100"));
            check(&format!("0.{}1{tail}", "0".repeat(400)));
        }
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for text in [
            "", "+", "-", ".", "e5", ".e5", "1e", "1e+", "1e5.", "1.2.3", "1_0", " 1", "1 ", "--1",
            "0x10", "1f", "１",
        ] {
            check(text);
        }
        for text in ["inf", "-infinity", "NaN"] {
            assert_eq!(parse(text), None);
        }
    }
}
