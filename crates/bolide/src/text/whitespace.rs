//! Splitting at white space, as Python's `str.split()` does.
//!
//! Python's set of white space is Rust's plus the four separators U+001C to U+001F.

use super::Tokens;

/// Whether Python's `str.split` and `str.strip` treat the character as white space.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Removes Python white space at the end of a text, as `str.rstrip`.
pub fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_space)
}

/// Hands the maximal runs of characters that are not white space to `each`.
pub fn each_token<'t>(text: &'t str, mut each: impl FnMut(&'t str)) {
    if !text.is_ascii() {
        text.split(is_space).filter(|token| !token.is_empty()).for_each(each);
        return;
    }
    let mut start = 0;
    for (at, &byte) in text.as_bytes().iter().enumerate() {
        if is_ascii_space(byte) {
            if start < at {
                each(&text[start..at]);
            }
            start = at + 1;
        }
    }
    if start < text.len() {
        each(&text[start..]);
    }
}

/// Appends the maximal runs of characters that are not white space.
pub fn tokenize(text: &str, tokens: &mut Tokens) {
    let bytes = text.as_bytes();
    if bytes.is_ascii() {
        let base = tokens.push_text(text);
        each_ascii_range(bytes, |start, end| tokens.push_part(base, start, end));
        return;
    }
    let mut start = None;
    for (at, c) in text.char_indices() {
        match (is_space(c), start) {
            (true, Some(from)) => {
                tokens.push(&text[from..at], from, at);
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    if let Some(from) = start {
        tokens.push(&text[from..], from, text.len());
    }
}

/// Calls back with every token of an ASCII text, for callers that need no list.
pub(crate) fn each_ascii(text: &str, mut token: impl FnMut(&str)) {
    each_ascii_range(text.as_bytes(), |start, end| token(&text[start..end]));
}

#[inline]
fn each_ascii_range(bytes: &[u8], mut range: impl FnMut(usize, usize)) {
    let mut start = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        // Letters are settled by one comparison.
        if byte <= b' ' && is_ascii_space(byte) {
            if start < at {
                range(start, at);
            }
            start = at + 1;
        }
    }
    if start < bytes.len() {
        range(start, bytes.len());
    }
}

fn is_ascii_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | 0x1c..=0x1f | b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut tokens = Tokens::new();
        tokenize(text, &mut tokens);
        assert_eq!(tokens.iter().collect::<Vec<_>>(), expected, "{text:?}");
        let mut one_by_one = Vec::new();
        each_token(text, |token| one_by_one.push(token));
        assert_eq!(one_by_one, expected, "{text:?}");
        for idx in 0..tokens.len() {
            let (start, end) = tokens.span(idx);
            assert_eq!(&text[start..end], tokens.get(idx));
        }
    }

    #[test]
    fn splits_where_python_splits() {
        check("", &[]);
        check(" \t\n", &[]);
        check(" a  b\u{1c}c\u{1f}", &["a", "b", "c"]);
        check("é\u{a0}ü\u{2003}ñ\u{85}x\u{200b}y", &["é", "ü", "ñ", "x\u{200b}y"]);
    }
}
