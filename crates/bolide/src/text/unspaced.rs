//! The tokenizer `unspaced`: every character of a script without spaces is a token, the rest is split as `intl`.
//!
//! Chinese, Japanese, Thai, Lao, Khmer and Burmese do not set words apart. A character is taken with the marks that
//! follow it (vowels, tones, stacked consonants), as a reader sees it; words of other scripts and numbers stay whole. A
//! zero-width space parts words, as it does in Khmer and Thai texts.

use super::character_class::is_mark;
use super::{Tokens, intl};

/// Stacks the next consonant below the one before: Burmese and Khmer.
const STACKERS: [char; 2] = ['\u{1039}', '\u{17d2}'];
/// The voice marks of narrow Japanese syllables, which are letters by category.
const VOICE: [char; 2] = ['\u{ff9e}', '\u{ff9f}'];
const ZERO_WIDTH_SPACE: char = '\u{200b}';

/// Appends the tokens of a text.
pub fn tokenize(text: &str, tokens: &mut Tokens) {
    intl::each_token(text, |token| {
        let offset = token.as_ptr() as usize - text.as_ptr() as usize;
        split(token, |start, end| {
            tokens.push(&token[start..end], offset + start, offset + end);
        });
    });
}

/// Hands the borders of the characters and words of a token to `each`.
pub(super) fn split(token: &str, mut each: impl FnMut(usize, usize)) {
    let mut start = 0;
    // Whether the open part is a character, to which marks may belong, and whether the next joins it.
    let (mut alone, mut joins) = (false, false);
    let mut push = |start: usize, end: usize| {
        if start < end {
            each(start, end);
        }
    };
    for (at, c) in token.char_indices() {
        if c == ZERO_WIDTH_SPACE {
            push(start, at);
            (start, alone, joins) = (at + c.len_utf8(), false, false);
        } else if is_mark(c) || VOICE.contains(&c) {
            joins = STACKERS.contains(&c);
        } else {
            let now = is_unspaced(c);
            if !joins && (now || alone) {
                push(start, at);
                start = at;
            }
            (alone, joins) = (now || (joins && alone), false);
        }
    }
    push(start, token.len());
}

/// Whether a letter is of a script that is written without spaces between words. `meteor:2026` has a list of its
/// own, which is frozen and for text in NFKC.
pub fn is_unspaced(c: char) -> bool {
    if c < '\u{e01}' {
        return false;
    }
    matches!(c,
        '\u{e01}'..='\u{e4f}' | '\u{e5a}'..='\u{e7f}' // Thai without its digits
        | '\u{e81}'..='\u{ecf}' | '\u{eda}'..='\u{eff}' // Lao
        | '\u{1000}'..='\u{103f}' | '\u{104a}'..='\u{108f}' | '\u{109a}'..='\u{109f}' // Burmese
        | '\u{a9e0}'..='\u{a9ef}' | '\u{a9fa}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}'
        | '\u{1780}'..='\u{17dd}' // Khmer
        | '\u{2e80}'..='\u{2fdf}' // radicals
        | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{3035}' | '\u{303b}'
        | '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' // kana
        | '\u{ff66}'..='\u{ff9f}' | '\u{1aff0}'..='\u{1b16f}'
        | '\u{3105}'..='\u{312f}' | '\u{31a0}'..='\u{31bf}' // bopomofo
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' // Han
        | '\u{20000}'..='\u{3fffd}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut tokens = Tokens::new();
        tokenize(text, &mut tokens);
        assert_eq!(tokens.iter().collect::<Vec<_>>().join(" "), expected, "{text:?}");
        for (idx, token) in tokens.iter().enumerate() {
            let (start, end) = tokens.span(idx);
            assert_eq!(&text[start..end], token);
        }
    }

    #[test]
    fn characters_stand_alone_and_words_of_other_scripts_stay_whole() {
        check("我喜欢Rust 2024，真的。", "我 喜 欢 Rust 2024 ， 真 的 。");
        check("東京タワー3.5km", "東 京 タ ワ ー 3.5km");
        check("\u{20000}猫x犬", "\u{20000} 猫 x 犬");
        check("plain words, only", "plain words , only");
        check("", "");
    }

    #[test]
    fn marks_stay_with_their_character() {
        check("น้ำใจ", "น้ ำ ใ จ");
        check("ខ្មែរ", "ខ្មែ រ");
        check("မြန်မာ", "မြ န် မာ");
        check("က္ကာ", "က္ကာ");
        check("か\u{3099}き", "か\u{3099} き");
        check("ｶﾞｷ", "ｶﾞ ｷ");
        check("葛\u{e0100}城", "葛\u{e0100} 城");
        check("é\u{301}x", "é\u{301}x");
    }

    #[test]
    fn a_zero_width_space_parts_words() {
        check("ab\u{200b}cd\u{200b}", "ab cd");
        check("\u{200b}", "");
        check("កខ\u{200b}គ", "ក ខ គ");
    }
}
