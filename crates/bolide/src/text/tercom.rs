//! The tokenizer of TER: tercom's normalisation as sacreBLEU implements it.
//!
//! By default it only lower-cases and splits at white space. `normalized` splits off punctuation by the same
//! ASCII rules as 13a, `no_punct` deletes punctuation, and `asian_support` extends both to Chinese and
//! Japanese characters.

use super::marks::{self, Class, Rules};
use super::thirteen_a::resolve_entities;
use super::{case, whitespace};

/// How a line is normalised before it is split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tercom {
    /// Whether case is kept.
    pub case_sensitive: bool,
    /// Whether punctuation is split off.
    pub normalized: bool,
    /// Whether punctuation is deleted.
    pub no_punct: bool,
    /// Whether the two steps above handle Chinese and Japanese characters.
    pub asian_support: bool,
}

impl Tercom {
    /// Passes every token of a line to `each`.
    pub fn each_token(&self, text: &str, buffer: &mut String, mut each: impl FnMut(&str)) {
        let text = whitespace::trim_end(text);
        let text = if self.case_sensitive { text } else { case::lower(text, buffer) };
        if !self.normalized && !self.no_punct {
            text.split(whitespace::is_space).filter(|word| !word.is_empty()).for_each(each);
            return;
        }
        let mut kept = String::new();
        self.split(text, |token| {
            if !self.no_punct {
                return each(token);
            }
            kept.clear();
            kept.extend(token.chars().filter(|&c| !self.deletes(c)));
            if !kept.is_empty() {
                each(&kept);
            }
        });
    }

    /// The same for a reference. sacreBLEU tokenises references twice, and the second pass may split off more
    /// punctuation.
    pub fn each_reference_token(&self, text: &str, buffer: &mut String, each: impl FnMut(&str)) {
        if !self.normalized && !self.no_punct {
            return self.each_token(text, buffer, each);
        }
        let mut once = String::new();
        self.each_token(text, buffer, |token| {
            once.push_str(token);
            once.push(' ');
        });
        self.each_token(&once, buffer, each);
    }

    fn split(&self, text: &str, each: impl FnMut(&str)) {
        if !self.normalized {
            text.split(whitespace::is_space).filter(|word| !word.is_empty()).for_each(each);
        } else if self.asian_support {
            marks::split::<Asian>(&prepared(text), each);
        } else {
            marks::split::<Western>(&prepared(text), each);
        }
    }

    fn deletes(&self, c: char) -> bool {
        matches!(c, '.' | ',' | '?' | ':' | ';' | '!' | '"' | '(' | ')')
            || self.asian_support && is_asian_punctuation(c)
    }
}

/// The line with entities resolved and `'s` split off where a space follows or will follow.
fn prepared(text: &str) -> String {
    let text = resolve_entities(&text.replace("\n-", "").replace('\n', " "));
    let mut out = String::with_capacity(text.len() + 8);
    for (idx, piece) in text.split("'s").enumerate() {
        if idx > 0 {
            // The end of the line counts too, because it is padded with a space.
            let cut = match piece.bytes().next() {
                None => idx == text.matches("'s").count(),
                Some(b' ') => true,
                Some(byte) => byte.is_ascii() && marks::WESTERN[usize::from(byte)] == Class::Alone,
            };
            out.push_str(if cut { " 's" } else { "'s" });
        }
        out.push_str(piece);
    }
    out
}

struct Western;

impl Rules for Western {
    const BORDER: Class = Class::Space;
    const ASCII: [Class; 128] = marks::WESTERN;

    fn beyond_ascii(c: char) -> Class {
        if whitespace::is_space(c) { Class::Space } else { Class::Letter }
    }
}

struct Asian;

impl Rules for Asian {
    const BORDER: Class = Class::Space;
    const ASCII: [Class; 128] = marks::WESTERN;

    fn beyond_ascii(c: char) -> Class {
        if whitespace::is_space(c) {
            Class::Space
        } else if is_ideograph(c) || is_asian_punctuation(c) {
            Class::Alone
        } else {
            Class::Letter
        }
    }
}

/// Ideographs, strokes, radicals and compatibility forms. `U+3F22` is a typing error in the original for
/// U+32FF. It only adds U+3400 to U+3F22, which are ideographs anyway.
fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{2e80}'..='\u{2eff}' | '\u{31c0}'..='\u{31ef}' | '\u{3200}'..='\u{3f22}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}')
}

fn is_asian_punctuation(c: char) -> bool {
    matches!(c,
        '\u{3001}' | '\u{3002}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{30fb}'
        | '\u{ff01}' | '\u{ff02}' | '\u{ff08}' | '\u{ff09}' | '\u{ff0c}' | '\u{ff0e}' | '\u{ff1a}'
        | '\u{ff1b}' | '\u{ff1f}' | '\u{ff61}'..='\u{ff65}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tercom: Tercom, text: &str, expected: &str) {
        let mut tokens = Vec::new();
        tercom.each_token(text, &mut String::new(), |token| tokens.push(token.to_owned()));
        assert_eq!(tokens.join(" "), expected, "{text:?}");
    }

    #[test]
    fn the_default_lower_cases_and_splits() {
        check(Tercom::default(), "The cat's (Hat).", "the cat's (hat).");
        check(Tercom { case_sensitive: true, ..Tercom::default() }, "The  Cat", "The Cat");
    }

    #[test]
    fn normalising_sets_marks_and_genitives_apart() {
        let tercom = Tercom { normalized: true, ..Tercom::default() };
        check(tercom, "the cat's hat, the cat's", "the cat 's hat , the cat 's");
        check(tercom, "x's) y's. z's's", "x 's ) y's . z's 's");
        check(tercom, "5...6 日本", "5 . . .6 日本");
        let mut tokens = Vec::new();
        tercom.each_reference_token("5...6", &mut String::new(), |t| tokens.push(t.to_owned()));
        assert_eq!(tokens.join(" "), "5 . . . 6");
    }

    #[test]
    fn punctuation_can_be_deleted() {
        let tercom = Tercom { no_punct: true, ..Tercom::default() };
        check(tercom, "(3.5) !? a、b", "35 a、b");
        check(Tercom { asian_support: true, ..tercom }, "a、b 。", "ab");
        let all = Tercom { normalized: true, asian_support: true, ..tercom };
        check(all, "日本、go", "日 本 go");
    }
}
