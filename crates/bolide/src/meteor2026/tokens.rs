//! Splits text into tokens: folds compatibility forms, then separates words, single characters and
//! punctuation.
//!
//! The text is converted to NFKC, and soft hyphens, zero-width spaces and byte-order marks are dropped. A
//! token is a run of letters, digits, marks and joiners; or one character of a script that is written
//! without spaces (Han, kana, Thai, Lao, Burmese, Khmer), with its marks; or punctuation, which is one other
//! character that is not white space. Text that a tokenizer has already split gives the same tokens, unless
//! the tokenizer rewrote characters or split inside a word.

use crate::text::Tokens;
use crate::text::character_class::is_mark;
use crate::text::normal::{is_boundary, nfkc};

/// Appends the tokens of a text.
pub(super) fn split(text: &str, tokens: &mut Tokens) {
    let mut open = Open::default();
    let mut at = 0;
    loop {
        if open.text.is_empty() {
            at = split_plain(text, at, tokens);
        }
        let Some(first) = text[at..].chars().next() else { break };
        let start = at;
        if first.is_ascii() {
            at = plain_end(text, start);
            if at > start {
                open.push_plain(text, (start, at), tokens);
                continue;
            }
        }
        // Every turn ends before a boundary, so only the first character may be none. Characters up to the next
        // boundary may compose, decompose or be reordered.
        at += first.len_utf8();
        let more = text[at..].chars().take_while(|&next| !is_boundary(next));
        let more: usize = more.map(char::len_utf8).sum();
        at += more;
        if more == 0 && (start > 0 || is_boundary(first)) {
            open.push(first, (start, at), tokens);
        } else {
            nfkc(&text[start..at], |c| open.push(c, (start, at), tokens));
        }
    }
    open.close(tokens);
}

/// Appends the tokens of the ASCII text that begins at `start`; returns where it ends. What stands before other characters
/// is left to [`split`].
fn split_plain(text: &str, start: usize, tokens: &mut Tokens) -> usize {
    let bytes = &text.as_bytes()[start..];
    let n_plain = bytes.iter().position(|byte| !byte.is_ascii());
    let plain = match n_plain {
        None => bytes,
        // A mark may change the character before it, and a letter continue its word.
        Some(end) => {
            let is_letter = |byte: &u8| ALPHANUMERIC[usize::from(*byte)];
            let word = bytes[..end].iter().rev().take_while(|byte| is_letter(byte)).count();
            &bytes[..end - word.max(usize::from(end > 0))]
        }
    };
    if plain.is_empty() {
        return start;
    }
    let base = tokens.push_text(&text[start..start + plain.len()]);
    let mut at = 0;
    while at < plain.len() {
        let from = at;
        while at < plain.len() && ALPHANUMERIC[usize::from(plain[at])] {
            at += 1;
        }
        if at > from {
            tokens.push_part(base, (from, at), start);
        } else {
            at += 1;
            if !char::from(plain[from]).is_whitespace() {
                tokens.push_part(base, (from, at), start);
            }
        }
    }
    start + plain.len()
}

/// The end of the letters and digits, or of the one other character, that begin at an ASCII character and that
/// nothing after them changes.
fn plain_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let is_letter = |byte: &u8| ALPHANUMERIC[usize::from(*byte)];
    let end = start + bytes[start..].iter().take_while(|byte| is_letter(byte)).count().max(1);
    match bytes.get(end) {
        Some(byte) if !byte.is_ascii() => {
            let next = text[end..].chars().next();
            end - usize::from(next.is_some_and(|next| !is_boundary(next)))
        }
        _ => end,
    }
}

/// Which bytes are letters and digits of ASCII.
const ALPHANUMERIC: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    table
};

/// Whether a token is punctuation: nothing in it could be part of a word.
pub(super) fn is_punctuation(token: &str) -> bool {
    !token.chars().any(|c| matches!(Class::of(c), Class::Word | Class::Mark | Class::Single))
}

/// The class of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Space,
    Dropped,
    Word,
    Mark,
    Single,
    Punctuation,
}

impl Class {
    fn of(c: char) -> Class {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' => Class::Word,
            '\u{ad}' | '\u{200b}' | '\u{feff}' => Class::Dropped,
            '\u{200c}' | '\u{200d}' => Class::Word,
            c if c.is_whitespace() => Class::Space,
            c if c.is_ascii() => Class::Punctuation,
            c if is_mark(c) => Class::Mark,
            c if !c.is_alphanumeric() => Class::Punctuation,
            c if is_written_without_spaces(c) => Class::Single,
            _ => Class::Word,
        }
    }
}

/// The scripts that are written without spaces between words.
fn is_written_without_spaces(c: char) -> bool {
    matches!(c,
        // Thai and Lao, Burmese, Khmer.
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        // Kana.
        | '\u{3005}' | '\u{3007}' | '\u{3041}'..='\u{309f}' | '\u{30a0}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}'
        // Han.
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// The token that may still grow.
#[derive(Default)]
struct Open {
    text: String,
    start: usize,
    end: usize,
    /// Whether it is a word, which letters continue. Marks also continue single characters.
    is_word: bool,
}

impl Open {
    fn push(&mut self, c: char, span: (usize, usize), tokens: &mut Tokens) {
        let class = Class::of(c);
        let grows = match class {
            Class::Dropped => return,
            Class::Word => self.is_word,
            Class::Mark => true,
            _ => false,
        };
        if !grows || self.text.is_empty() {
            self.close(tokens);
            self.start = span.0;
            self.is_word = class != Class::Single;
        }
        if class != Class::Space {
            self.text.push(c);
            self.end = span.1;
        }
        if class == Class::Punctuation {
            self.close(tokens);
        }
    }

    /// The same for what [`plain_end`] found.
    fn push_plain(&mut self, text: &str, (start, end): (usize, usize), tokens: &mut Tokens) {
        let part = &text[start..end];
        let class = part.chars().next().map_or(Class::Space, Class::of);
        if class != Class::Word || !self.is_word {
            self.close(tokens);
        }
        if class != Class::Word {
            if class == Class::Punctuation {
                tokens.push(part, start, end);
            }
            return;
        }
        // Only another letter or digit, or something beyond ASCII, continues a word.
        let next = text.as_bytes().get(end);
        let is_whole = next.is_none_or(|&next| next.is_ascii() && !ALPHANUMERIC[usize::from(next)]);
        if self.text.is_empty() && is_whole {
            tokens.push(part, start, end);
            return;
        }
        if self.text.is_empty() {
            (self.start, self.is_word) = (start, true);
        }
        self.text.push_str(part);
        self.end = end;
    }

    fn close(&mut self, tokens: &mut Tokens) {
        if !self.text.is_empty() {
            tokens.push(&self.text, self.start, self.end);
            self.text.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut tokens = Tokens::new();
        split(text, &mut tokens);
        assert_eq!(tokens.iter().collect::<Vec<_>>(), expected, "{text:?}");
        for idx in 0..tokens.len() {
            let (start, end) = tokens.span(idx);
            assert!(start < end && text.is_char_boundary(start) && text.is_char_boundary(end));
        }
    }

    #[test]
    fn words_punctuation_and_single_characters() {
        check("", &[]);
        check(" \t\u{a0}\u{3000}", &[]);
        check("Prices rose by 3.5%", &["Prices", "rose", "by", "3", ".", "5", "%"]);
        check("it's well-known_", &["it", "'", "s", "well", "-", "known", "_"]);
        check("我去了北京。", &["我", "去", "了", "北", "京", "。"]);
        check("カタカナ・2つ", &["カ", "タ", "カ", "ナ", "・", "2", "つ"]);
        check("दिल्ली गया था।", &["दिल्ली", "गया", "था", "।"]);
        check("น้ำใจ", &["น้ํ", "า", "ใ", "จ"]);
        check("a\u{200d}b c\u{200c}d", &["a\u{200d}b", "c\u{200c}d"]);
    }

    #[test]
    fn compatibility_forms_are_folded() {
        check("ＡＢＣ，ｄ", &["ABC", ",", "d"]);
        check("ﬁne e\u{301}te\u{301} x²", &["fine", "été", "x2"]);
        check("ｶﾞ", &["ガ"]);
        check("½", &["1", "\u{2044}", "2"]);
        check("so\u{ad}ft ze\u{200b}ro \u{feff}bom", &["soft", "zero", "bom"]);
        check("q\u{323}\u{307} q\u{307}\u{323}", &["q\u{323}\u{307}", "q\u{323}\u{307}"]);
        check("\u{301}x", &["\u{301}x"]);
        check("각 \u{1100}\u{1161}\u{11a8}", &["각", "각"]);
    }

    /// The definition, one character of the whole text's NFKC at a time.
    fn check_slowly(text: &str) {
        let mut whole = String::new();
        nfkc(text, |c| whole.push(c));
        let (mut open, mut expected) = (Open::default(), Tokens::new());
        whole.chars().for_each(|c| open.push(c, (0, 1), &mut expected));
        open.close(&mut expected);
        check(text, &expected.iter().collect::<Vec<_>>());
    }

    #[test]
    fn runs_of_plain_letters_are_the_same_as_single_ones() {
        let mut random = bolide_testdata::random::Random(23);
        let letters: Vec<char> =
            "ab3 .-=\t\u{301}\u{338}\u{323}\u{ad}\u{200b}\u{200d}é\u{1161}각我\u{e33}ﬁ½\u{3000}"
                .chars()
                .collect();
        for _ in 0..20_000 {
            check_slowly(&random.word(&letters, 9));
        }
    }

    #[test]
    fn piecewise_is_the_same_as_the_whole() {
        let text =
            "Ａ\u{301}ｶﾞx\u{323}\u{307}\u{1100}\u{1161}\u{11a8}\u{fdfa} \u{a8}e\u{ad}\u{301}\u{f77}";
        let mut tokens = Tokens::new();
        split(text, &mut tokens);
        let mut whole = String::new();
        nfkc(text, |c| whole.push(c));
        let mut expected = Tokens::new();
        split(&whole, &mut expected);
        assert_eq!(tokens.iter().collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>());
    }
}
