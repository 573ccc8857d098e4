//! The tokenizer `icu4x`: the words of scripts without spaces by ICU4X's dictionaries, the rest is split as `intl`.
//!
//! Chinese, Japanese, Thai, Lao, Khmer and Burmese do not set words apart. A run of such letters with their marks is
//! cut where the dictionaries of the crate `icu_segmenter` cut it; words of other scripts, numbers and punctuation are those of
//! the tokenizer `unspaced`.

use super::{Tokens, intl, unspaced};
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};
use std::fmt;

/// A handle to the dictionaries, which are inside the program.
#[derive(Clone, Copy)]
pub struct Segmenter(WordSegmenterBorrowed<'static>);

impl Segmenter {
    /// The dictionaries.
    pub fn new() -> Self {
        Segmenter(WordSegmenter::new_dictionary(Default::default()))
    }

    /// Appends the tokens of a text.
    pub fn tokenize(&self, text: &str, tokens: &mut Tokens) {
        intl::each_token(text, |token| {
            let offset = token.as_ptr() as usize - text.as_ptr() as usize;
            let mut push = |start: usize, end: usize| {
                tokens.push(&token[start..end], offset + start, offset + end);
            };
            // Neighbouring characters without spaces make a run.
            let mut run: Option<(usize, usize)> = None;
            unspaced::split(token, |start, end| {
                let is_unspaced = token[start..].chars().next().is_some_and(unspaced::is_unspaced);
                match run {
                    Some((_, last)) if is_unspaced && last == start => {
                        run = run.map(|(first, _)| (first, end));
                        return;
                    }
                    Some((first, last)) => self.cut(token, (first, last), &mut push),
                    None => {}
                }
                run = is_unspaced.then_some((start, end));
                if !is_unspaced {
                    push(start, end);
                }
            });
            if let Some(run) = run {
                self.cut(token, run, &mut push);
            }
        });
    }

    /// Hands the words of a run to `push`.
    fn cut(
        &self,
        token: &str,
        (start, end): (usize, usize),
        push: &mut impl FnMut(usize, usize),
    ) {
        let mut before = 0;
        for at in self.0.segment_str(&token[start..end]) {
            if before < at {
                push(start + before, start + at);
            }
            before = at;
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

#[cfg(test)]
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
    }

    #[test]
    fn the_version_in_signatures_is_that_of_the_crate() {
        let lock = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let manifest = std::fs::read_to_string(lock).unwrap();
        let version = crate::language::WORDS.strip_prefix("icu4x-").unwrap();
        assert!(manifest.contains(&format!("icu_segmenter = {{ version = \"={version}\"")));
        assert!(manifest.contains(&format!("icu_segmenter_data = {{ version = \"={version}\"")));
    }
}
