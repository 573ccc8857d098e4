//! The tokenizer `intl`: splits off punctuation and symbols of any script.
//!
//! The rules are mteval-v14's international tokenization, as sacreBLEU implements it: a punctuation character
//! is a token unless numbers are on both sides, a symbol always is. The line is not padded, so a number keeps
//! the period that ends the line. Categories are those of Unicode 17.

use super::Tokens;
use super::intl_tables::{NUMBER, PUNCTUATION, SYMBOL};
use super::marks::{self, Class, Rules};
use super::whitespace;

/// Appends the tokens of a text.
pub fn tokenize(text: &str, tokens: &mut Tokens) {
    each_token(text, |token| {
        let start = token.as_ptr() as usize - text.as_ptr() as usize;
        tokens.push(token, start, start + token.len());
    });
}

/// Passes every token to `each`.
pub fn each_token<'t>(text: &'t str, each: impl FnMut(&'t str)) {
    marks::split::<Intl>(text, each);
}

struct Intl;

impl Rules for Intl {
    const BORDER: Class = Class::Edge;
    const ASCII: [Class; 128] = {
        let mut classes = [Class::Letter; 128];
        let mut byte = 0u8;
        while byte < 128 {
            classes[byte as usize] = match byte {
                b'\t'..=b'\r' | 0x1c..=0x1f | b' ' => Class::Space,
                b'0'..=b'9' => Class::Digit,
                b'$' | b'+' | b'<' | b'=' | b'>' | b'^' | b'`' | b'|' | b'~' => Class::Alone,
                _ if byte.is_ascii_punctuation() => Class::Mark,
                _ => Class::Letter,
            };
            byte += 1;
        }
        classes
    };

    fn beyond_ascii(c: char) -> Class {
        if whitespace::is_space(c) {
            Class::Space
        } else if contains(&PUNCTUATION, c) {
            Class::Mark
        } else if contains(&SYMBOL, c) {
            Class::Alone
        } else if contains(&NUMBER, c) {
            Class::Digit
        } else {
            Class::Letter
        }
    }
}

/// Whether a character is in one of the ranges, which are sorted and include both ends.
fn contains(ranges: &[(u32, u32)], c: char) -> bool {
    let c = u32::from(c);
    let behind = ranges.partition_point(|&(first, _)| first <= c);
    behind.checked_sub(1).is_some_and(|at| c <= ranges[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut tokens = Vec::new();
        each_token(text, |token| tokens.push(token));
        assert_eq!(tokens.join(" "), expected, "{text:?}");
    }

    #[test]
    fn punctuation_stands_alone_except_between_numbers() {
        check("Hello, „Welt“!", "Hello , „ Welt “ !");
        check("3.5 % in 2019.", "3.5 % in 2019.");
        check("-5 x-y ¾.¾", "-5 x - y ¾.¾");
        check("1+1=2€", "1 + 1 = 2 €");
    }

    #[test]
    fn ascii_has_the_categories_of_the_tables() {
        for byte in 0..128u8 {
            let c = char::from(byte);
            let expected = match Intl::beyond_ascii(c) {
                Class::Letter if byte.is_ascii_digit() => Class::Digit,
                class => class,
            };
            assert_eq!(Intl::ASCII[usize::from(byte)], expected, "{c:?}");
        }
    }
}
