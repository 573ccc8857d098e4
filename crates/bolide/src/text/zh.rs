//! The tokenizer `zh`: every Chinese character is a token, the rest is split by ASCII rules.
//!
//! The ranges are sacreBLEU's, with an error that scores depend on: two ranges meant for the supplementary
//! planes are written with four hexadecimal digits and compared as strings. They match U+2001 to U+2A6D and
//! U+2F81 to U+2FA1 instead, so dashes, curly quotes and the euro sign are split off, and characters of
//! Extension B are not.

use super::marks::{self, Class, Rules};
use super::whitespace;

/// Passes every token to `each`.
pub fn each_token<'t>(text: &'t str, each: impl FnMut(&'t str)) {
    marks::split::<Zh>(text.trim_matches(whitespace::is_space), each);
}

struct Zh;

impl Rules for Zh {
    const BORDER: Class = Class::Edge;
    const ASCII: [Class; 128] = marks::WESTERN;

    fn beyond_ascii(c: char) -> Class {
        if whitespace::is_space(c) {
            Class::Space
        } else if is_chinese(c) {
            Class::Alone
        } else {
            Class::Letter
        }
    }
}

fn is_chinese(c: char) -> bool {
    matches!(c,
        '\u{2001}'..='\u{2a6d}' // meant as U+20000 to U+2A6D6
        | '\u{2e80}'..='\u{2fdf}' // radicals; includes U+2F81 to U+2FA1, meant as U+2F800 to U+2FA1D
        | '\u{2ff0}'..='\u{303f}' // description characters, punctuation
        | '\u{3100}'..='\u{312f}' // bopomofo
        | '\u{31a0}'..='\u{31bf}'
        | '\u{31c0}'..='\u{31ef}' // strokes
        | '\u{3200}'..='\u{33ff}' // enclosed, compatibility
        | '\u{3400}'..='\u{4db5}' // Extension A
        | '\u{4e00}'..='\u{9fbb}'
        | '\u{f900}'..='\u{fa2d}' | '\u{fa30}'..='\u{fa6a}' | '\u{fa70}'..='\u{fad9}'
        | '\u{fe10}'..='\u{fe1f}' | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff00}'..='\u{ffef}') // full-width and half-width forms
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
    fn chinese_characters_stand_alone_and_the_border_is_bare() {
        check(" 我爱Rust，真的。", "我 爱 Rust ， 真 的 。");
        check(".5 in 2019.", ".5 in 2019.");
        check("“x”—€5", "“ x ” — € 5");
        check("かな 한글 \u{20000}\u{20001}", "かな 한글 \u{20000}\u{20001}");
    }
}
