//! The tokenizer `13a`: the rules of the NIST script mteval-v13a, as sacreBLEU implements them.
//!
//! Four entities are resolved, `<skipped>` and hyphens at line ends are dropped, then `marks` splits off
//! punctuation by ASCII rules. The caller folds case.

use super::marks::{self, Class, Rules};
use super::{Tokens, whitespace};

/// Passes every token to `each`. `buffer` is used for lines that must be rewritten first.
pub fn each_token<'t>(text: &'t str, buffer: &'t mut String, each: impl FnMut(&'t str)) {
    marks::split::<ThirteenA>(clean(text, buffer), each);
}

/// Appends the tokens.
///
/// A line with entities, line feeds or `<skipped>` is rewritten before it is split; the span of its
/// tokens is then the whole line.
pub fn tokenize(text: &str, tokens: &mut Tokens) {
    let mut buffer = String::new();
    let cleaned = clean(text, &mut buffer);
    let base = cleaned.as_ptr() as usize;
    let rewritten = cleaned.as_ptr() != text.as_ptr();
    marks::split::<ThirteenA>(cleaned, |token| {
        let start = token.as_ptr() as usize - base;
        let span = if rewritten { (0, text.len()) } else { (start, start + token.len()) };
        tokens.push(token, span.0, span.1);
    });
}

/// Everything that precedes the splitting of punctuation. Few lines need any of it.
fn clean<'t>(text: &'t str, buffer: &'t mut String) -> &'t str {
    let needs = |byte| matches!(byte, b'&' | b'\n');
    let skips = text.contains('<') && text.contains("<skipped>");
    if !skips && !text.bytes().any(needs) {
        return text;
    }
    *buffer = text.replace("<skipped>", "").replace("-\n", "").replace('\n', " ");
    if buffer.contains('&') {
        *buffer = resolve_entities(buffer);
    }
    buffer
}

/// One entity after the other: `&amp;lt;` becomes `<`, as in the original.
pub(super) fn resolve_entities(text: &str) -> String {
    text.replace("&quot;", "\"").replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
}

struct ThirteenA;

impl Rules for ThirteenA {
    // The line is padded with a space on both sides.
    const BORDER: Class = Class::Space;
    const ASCII: [Class; 128] = marks::WESTERN;

    fn beyond_ascii(c: char) -> Class {
        if whitespace::is_space(c) { Class::Space } else { Class::Letter }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut tokens = Tokens::new();
        tokenize(text, &mut tokens);
        assert_eq!(tokens.iter().collect::<Vec<_>>().join(" "), expected, "{text:?}");
    }

    #[test]
    fn marks_leave_words_but_not_numbers() {
        check("", "");
        check("Hello, world.", "Hello , world .");
        check("3.5 or 1,000.", "3.5 or 1,000 .");
        check("(a-b) 5-6 x--y 5--6", "( a-b ) 5 - 6 x--y 5 - -6");
        check("it's \"so\"", "it's \" so \"");
    }

    #[test]
    fn runs_of_marks_are_taken_in_pairs() {
        check("x...y", "x . . . y");
        check("x...6", "x . . . 6");
        check("x..6", "x . .6");
        check("5...6", "5 . . .6");
        check("5..6", "5 . . 6");
        check(".5", ". 5");
        check("5.", "5 .");
    }

    #[test]
    fn entities_and_line_ends_come_first() {
        check("a &amp;lt; b &quot;c&quot; &apos;", "a < b \" c \" & apos ;");
        check("hyphen-\nated\nline", "hyphenated line");
        check("a<skipped>b", "ab");
    }

    #[test]
    fn spans_point_into_an_unchanged_line() {
        let text = " Ein «Satz», ja.";
        let mut tokens = Tokens::new();
        tokenize(text, &mut tokens);
        for idx in 0..tokens.len() {
            let (start, end) = tokens.span(idx);
            assert_eq!(&text[start..end], tokens.get(idx));
        }
        tokens.clear();
        tokenize("a&lt;", &mut tokens);
        assert_eq!(tokens.span(1), (0, 5));
    }
}
