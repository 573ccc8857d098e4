//! What METEOR 1.5 inherits from Java: string hashes and the text of floating-point numbers.

use std::fmt::Write as _;

/// `String.hashCode`: the jar compares words only by this number, so `Aa` equals `BB`.
pub fn hash(text: &str) -> i32 {
    let step = |hash: i32, unit: i32| hash.wrapping_mul(31).wrapping_add(unit);
    if text.is_ascii() {
        text.bytes().fold(0, |hash, byte| step(hash, i32::from(byte)))
    } else {
        text.encode_utf16().fold(0, |hash, unit| step(hash, i32::from(unit)))
    }
}

/// `Double.toString`: the shortest digits that parse back, plain between 0.001 and 10⁷, otherwise scientific.
pub fn push_double(x: f64, out: &mut String) {
    if x.is_nan() {
        return out.push_str("NaN");
    }
    if x.is_infinite() {
        return out.push_str(if x > 0.0 { "Infinity" } else { "-Infinity" });
    }
    if x == x.trunc() && x.abs() < 1e7 {
        // Most printed numbers are whole: statistics. `-0.0` keeps its sign.
        if x == 0.0 && x.is_sign_negative() {
            out.push('-');
        }
        let _ = write!(out, "{}.0", x as i64);
        return;
    }
    let start = out.len();
    if (0.001..1e7).contains(&x.abs()) {
        let _ = write!(out, "{x}");
        return;
    }
    let _ = write!(out, "{x:e}");
    // Rust writes 1e-7 and 1.5e20 where Java writes 1.0E-7 and 1.5E20.
    if let Some(e) = out[start..].find('e') {
        let digits = &out[start..start + e];
        let mark = if digits.contains('.') { "E" } else { ".0E" };
        out.replace_range(start + e..start + e + 1, mark);
    }
}

/// [`push_double`] as a string.
pub fn double(x: f64) -> String {
    let mut out = String::new();
    push_double(x, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes() {
        assert_eq!(hash(""), 0);
        assert_eq!(hash("Aa"), hash("BB"));
        assert_eq!(hash("hello"), 99162322);
        // A character beyond U+FFFF is two units.
        assert_eq!(hash("\u{1F600}"), 0xD83D * 31 + 0xDE00);
    }

    #[test]
    fn numbers_print_as_in_java() {
        for (x, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-3.0, "-3.0"),
            (0.25, "0.25"),
            (0.001, "0.001"),
            (0.0009, "9.0E-4"),
            (1.25e-5, "1.25E-5"),
            (9_999_999.0, "9999999.0"),
            (1e7, "1.0E7"),
            (12_345_678.5, "1.23456785E7"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
            (0.4467352531109634, "0.4467352531109634"),
        ] {
            assert_eq!(double(x), text);
        }
    }
}
