//! The tokenizer `icu4x`: the words of scripts without spaces by ICU4X's dictionaries, the rest is split as `intl`.
//!
//! Chinese, Japanese, Thai, Lao, Khmer and Burmese do not set words apart. A run of such letters with their marks is
//! cut where the dictionaries of the crate `icu_segmenter` cut it; words of other scripts, numbers and punctuation are those of
//! the tokenizer `unspaced`.

use super::{Tokens, intl, unspaced};
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};
use std::fmt;

// What `icu4x-2.4.0` in a signature promises. With other data a number would be signed falsely, so nothing is built.
const _: () = assert!(
    is_same(icu_segmenter_data::cldr_tag!(), "49.0.0")
        && is_same(icu_segmenter_data::unicode_tag!(), "18.0.0"),
    "icu_segmenter_data has dictionaries of another release than the one that signatures name"
);

/// `==`, at compile time.
const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// A handle to the dictionaries, which are inside the program or were given to it.
#[derive(Clone, Copy)]
pub struct Segmenter(WordSegmenterBorrowed<'static>);

impl Segmenter {
    /// The dictionaries of the program.
    #[cfg(feature = "dictionaries")]
    pub fn new() -> Self {
        Segmenter(WordSegmenter::new_dictionary(Default::default()))
    }

    /// The dictionaries that were given. Without any, no metric is built: see `super::dictionaries::check`.
    #[cfg(not(feature = "dictionaries"))]
    pub fn new() -> Self {
        let without = || Segmenter(WordSegmenter::new_for_non_complex_scripts(Default::default()));
        super::dictionaries::given().unwrap_or_else(without)
    }

    pub(super) fn of(words: WordSegmenterBorrowed<'static>) -> Self {
        Segmenter(words)
    }

    /// Appends the tokens of a text.
    pub fn tokenize(&self, text: &str, tokens: &mut Tokens) {
        // Where the characters of a run end, its start first.
        let mut run = Vec::new();
        intl::each_token(text, |token| {
            let offset = token.as_ptr() as usize - text.as_ptr() as usize;
            let mut push = |start: usize, end: usize| {
                tokens.push(&token[start..end], offset + start, offset + end);
            };
            unspaced::split(token, |start, end| {
                let is_unspaced = token[start..].chars().next().is_some_and(unspaced::is_unspaced);
                if !is_unspaced || run.last() != Some(&start) {
                    self.cut(token, &run, &mut push);
                    run.clear();
                    run.push(start);
                }
                if is_unspaced {
                    run.push(end);
                } else {
                    push(start, end);
                    run.clear();
                }
            });
            self.cut(token, &run, &mut push);
            run.clear();
        });
    }

    /// Hands the words of a run to `push`. Borders inside of a character, between a letter and its mark, are none.
    fn cut(&self, token: &str, characters: &[usize], push: &mut impl FnMut(usize, usize)) {
        let (Some(&start), Some(&end)) = (characters.first(), characters.last()) else { return };
        let mut before = start;
        for at in self.0.segment_str(&token[start..end]) {
            let at = start + at;
            if before < at && characters.binary_search(&at).is_ok() {
                push(before, at);
                before = at;
            }
        }
    }
}

impl Default for Segmenter {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Segmenter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Segmenter")
    }
}

#[cfg(all(test, feature = "dictionaries"))]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut tokens = Tokens::new();
        Segmenter::new().tokenize(text, &mut tokens);
        assert_eq!(tokens.iter().collect::<Vec<_>>().join(" "), expected, "{text:?}");
        for (idx, token) in tokens.iter().enumerate() {
            let (start, end) = tokens.span(idx);
            assert_eq!(&text[start..end], token);
        }
    }

    #[test]
    fn words_of_six_languages() {
        check("我喜欢猫。今天天气很好", "我 喜欢 猫 。 今天 天气 很好");
        check("東京タワーに行きました", "東京 タワー に 行き まし た");
        check("สวัสดีชาวโลก", "สวัสดี ชาว โลก");
        check("ພາສາລາວ", "ພາສາ ລາວ");
        check("ភាសាខ្មែរជាភាសា", "ភាសាខ្មែរ ជា ភាសា");
        check("မြန်မာဘာသာစကား", "မြန်မာဘာသာ စကား");
    }

    #[test]
    fn other_words_and_marks_are_as_before() {
        check("我喜欢Rust 2024，真的。", "我 喜欢 Rust 2024 ， 真的 。");
        check("plain words, only", "plain words , only");
        check("ab\u{200b}cd\u{200b}我喜欢\u{200b}猫", "ab cd 我 喜欢 猫");
        check("", "");
        // The dictionaries would part the mark from its letter.
        check("ຨປ້ຓຣ້ງ", "ຨ ປ້ຓ ຣ້ ງ");
    }

    #[test]
    fn the_version_in_signatures_is_that_of_the_crate() {
        let manifest = include_str!("../../Cargo.toml");
        let version = crate::language::WORDS.strip_prefix("icu4x-").unwrap();
        assert!(manifest.contains(&format!("icu_segmenter = {{ version = \"~{version}\"")));
        assert!(manifest.contains(&format!("icu_segmenter_data = {{ version = \"~{version}\"")));
    }

    #[test]
    fn releases_are_compared_whole() {
        assert!(is_same("18.0.0", "18.0.0") && is_same("", ""));
        for (a, b) in [("18.0.0", "18.0"), ("18.0", "18.0.0"), ("18.0.0", "17.0.0"), ("", "1")] {
            assert!(!is_same(a, b), "{a} {b}");
        }
    }
}
