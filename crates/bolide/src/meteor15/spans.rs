//! The byte ranges of METEOR 1.5's tokens in the original text.
//!
//! The tokenizer rewrites a line several times and keeps no positions. But it keeps the order of the
//! characters: it only inserts and removes blanks, hyphens and dots, unifies quotation marks and dashes, and
//! lower-cases. So each character of a token is the next one of the text that can have become it, and the
//! positions are found afterwards, only for explanations.

use crate::segment::Text;

/// The byte range of each token in the text. Tokens from the caller are one blank apart.
pub(super) fn spans(text: Text<'_>, tokens: &[String]) -> Vec<(usize, usize)> {
    let text = match text {
        Text::Raw(text) => text,
        Text::Tokens(given) => {
            let mut at = 0;
            let mut place = |token: &&str| {
                let start = at;
                at += token.len() + 1;
                (start, start + token.len())
            };
            return given.iter().map(&mut place).collect();
        }
    };
    let letters = letters(text);
    let mut next = 0;
    tokens.iter().map(|token| find(token, &letters, &mut next, text.len())).collect()
}

/// A character as it is compared, and the bytes it comes from.
type Letter = (char, usize, usize);

/// The text after the character replacements of the tokenizer.
fn letters(text: &str) -> Vec<Letter> {
    let mut letters = Vec::with_capacity(text.len());
    let mut characters = text.char_indices().peekable();
    while let Some((start, c)) = characters.next() {
        let end = start + c.len_utf8();
        match plain(c) {
            // Two single quotation marks are a double one.
            '\'' if characters.peek().is_some_and(|&(_, next)| plain(next) == '\'') => {
                let second = characters.next().map_or(end, |(at, c)| at + c.len_utf8());
                letters.push(('"', start, second));
            }
            plain if plain != c => letters.push((plain, start, end)),
            c => letters.extend(c.to_lowercase().map(|c| (sigma(c), start, end))),
        }
    }
    letters
}

/// The tokenizer's replacement for a character.
fn plain(c: char) -> char {
    match c {
        '`' | '\u{2018}' | '\u{2019}' => '\'',
        '\u{201C}' | '\u{201D}' => '"',
        '\u{2013}' => '-',
        c => c,
    }
}

fn sigma(c: char) -> char {
    if c == 'ς' { 'σ' } else { c }
}

/// Finds a token from `next` on, and moves `next` after it. A token that is not found gets an empty range
/// where the last one ended.
fn find(token: &str, letters: &[Letter], next: &mut usize, length: usize) -> (usize, usize) {
    let mut at = *next;
    let mut span: Option<(usize, usize)> = None;
    let mut dots = false;
    for c in token.chars().flat_map(|c| plain(c).to_lowercase()).map(sigma) {
        let same = |letter: &Letter| letter.0 == c;
        let Some(skipped) = letters.get(at..).and_then(|rest| rest.iter().position(same)) else {
            let nowhere = letters.get(*next).map_or(length, |letter| letter.1);
            return (nowhere, nowhere);
        };
        dots |= span.is_some() && letters[at..at + skipped].iter().any(|letter| letter.0 == '.');
        at += skipped;
        span = Some((span.map_or(letters[at].1, |span| span.0), letters[at].2));
        at += 1;
    }
    // An abbreviation loses all its dots, including the last.
    if let (true, Some(span), Some(&('.', _, end))) = (dots, &mut span, letters.get(at)) {
        span.1 = end;
        at += 1;
    }
    *next = at;
    span.unwrap_or((length, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_found_where_they_come_from() {
        let text = "The U.S. “Pre-War” ''days''... İs — ΟΔΟΣ, isn’t it?";
        let tokens =
            ["the", "us", "\"", "pre", "war", "\"", "\"", "days", "\"", "...", "i\u{307}s"];
        let tokens = tokens.into_iter().chain(["—", "οδος", ",", "isn", "'t", "it", "?"]);
        let tokens: Vec<String> = tokens.map(str::to_owned).collect();
        let found: Vec<&str> =
            spans(Text::Raw(text), &tokens).iter().map(|&(start, end)| &text[start..end]).collect();
        assert_eq!(
            found,
            [
                "The", "U.S.", "“", "Pre", "War", "”", "''", "days", "''", "...", "İs", "—",
                "ΟΔΟΣ", ",", "isn", "’t", "it", "?"
            ]
        );
        let nowhere = spans(Text::Raw("a"), &["b".to_owned(), "a".to_owned()]);
        assert_eq!(nowhere, [(0, 0), (0, 1)]);
        assert_eq!(
            spans(Text::Tokens(&["ab", "c"]), &["ab".to_owned(), "c".to_owned()]),
            [(0, 2), (3, 4)]
        );
    }
}
