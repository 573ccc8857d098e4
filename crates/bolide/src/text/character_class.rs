//! The character classes that NLTK's tokenizers use.
//!
//! NLTK 3.10.4 uses the `regex` module for most rules and Python's own `re` for the contractions; the two
//! disagree about word characters. Rust's standard library has Alphabetic, Numeric and White_Space; marks and
//! decimal digits come from a few hundred generated ranges, which are smaller than any crate of Unicode
//! tables. Letters are those of the standard library's Unicode version (17 in Rust 1.95), so letters that
//! later versions add are not word characters here yet.

use super::unicode_tables::{DECIMAL, MARK};

/// `\w` of the `regex` module: letters, marks, decimal digits, connectors and joiners.
pub(super) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    c.is_alphabetic() || is_connector(c) || is_in(&MARK, c) || is_in(&DECIMAL, c)
}

/// Marks of any kind: the general categories Mn, Mc and Me.
pub(crate) fn is_mark(c: char) -> bool {
    !c.is_ascii() && is_in(&MARK, c)
}

/// `\d`: decimal digits of any script.
pub(super) fn is_decimal(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_digit() } else { is_in(&DECIMAL, c) }
}

/// `\w` of Python's `re`: what `str.isalnum` accepts, and the underscore.
///
/// Marks are not part of it; superscripts and fractions are.
pub(super) fn is_python_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    c.is_alphanumeric() && !is_circled_letter(c) && !is_in(&MARK, c)
}

/// Connector punctuation outside ASCII, and the two joiners.
fn is_connector(c: char) -> bool {
    matches!(
        c,
        '\u{200c}'
            | '\u{200d}'
            | '\u{203f}'
            | '\u{2040}'
            | '\u{2054}'
            | '\u{fe33}'
            | '\u{fe34}'
            | '\u{fe4d}'..='\u{fe4f}' | '\u{ff3f}'
    )
}

/// Letters in circles and squares are Alphabetic, but symbols by category.
fn is_circled_letter(c: char) -> bool {
    matches!(
        c,
        '\u{24b6}'..='\u{24e9}' | '\u{1f130}'..='\u{1f149}' | '\u{1f150}'..='\u{1f169}'
            | '\u{1f170}'..='\u{1f189}'
    )
}

/// Looks a character up in ranges of `first << 11 | length`, sorted.
fn is_in(ranges: &[u32], c: char) -> bool {
    let c = u32::from(c);
    let behind = ranges.partition_point(|range| range >> 11 <= c);
    let Some(range) = behind.checked_sub(1).and_then(|at| ranges.get(at)) else { return false };
    c - (range >> 11) < range & 0x7ff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_differ_where_they_should() {
        // Character, word, decimal, Python word.
        for (c, word, decimal, python_word) in [
            ('a', true, false, true),
            ('_', true, false, true),
            ('7', true, true, true),
            ('-', false, false, false),
            ('é', true, false, true),
            ('\u{301}', true, false, false),
            ('\u{93e}', true, false, false),
            ('²', false, false, true),
            ('½', false, false, true),
            ('Ⅷ', true, false, true),
            ('٣', true, true, true),
            ('\u{1d7ff}', true, true, true),
            ('\u{1d800}', false, false, false),
            ('\u{203f}', true, false, false),
            ('\u{200d}', true, false, false),
            ('ⓐ', true, false, false),
            ('你', true, false, true),
            ('’', false, false, false),
            ('\u{10ffff}', false, false, false),
        ] {
            assert_eq!(is_word(c), word, "word {c:?}");
            assert_eq!(is_decimal(c), decimal, "decimal {c:?}");
            assert_eq!(is_python_word(c), python_word, "Python word {c:?}");
        }
    }
}
