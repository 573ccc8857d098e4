//! Splitting at white space, as Python's `str.split()` does.
//!
//! Python's set of white space is Rust's plus the four separators U+001C to U+001F.

use super::Tokens;
use super::blocks::{self, BLOCK};

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
    each_ascii_range(text.as_bytes(), |start, end| each(&text[start..end]));
}

/// Appends the maximal runs of characters that are not white space.
pub fn tokenize(text: &str, tokens: &mut Tokens) {
    let bytes = text.as_bytes();
    if bytes.is_ascii() {
        let base = tokens.push_text(text);
        each_ascii_range(bytes, |start, end| tokens.push_part(base, (start, end), 0));
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

/// Calls back with the borders of every token of an ASCII text, for callers that need no list.
#[inline]
pub(crate) fn each_ascii_range(bytes: &[u8], mut range: impl FnMut(usize, usize)) {
    let mut start = 0;
    // Whether the last byte before the block belongs to a token, which then began at `start`.
    let mut inside = false;
    let mut block_of = |base: usize, block: &[u8; BLOCK]| {
        let words = word_bytes(block);
        let before = words << 1 | u64::from(inside);
        let (mut starts, mut ends) = (words & !before, before & !words);
        inside = words >> (BLOCK - 1) != 0;
        while ends != 0 {
            // Starts and ends take turns; a start is missing only if the token began before.
            let (first, end) = (starts.trailing_zeros(), ends.trailing_zeros());
            if first < end {
                start = base + first as usize;
                starts &= starts - 1;
            }
            ends &= ends - 1;
            range(start, base + end as usize);
        }
        if starts != 0 {
            start = base + starts.trailing_zeros() as usize;
        }
    };
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    for (idx, block) in blocks.iter().enumerate() {
        block_of(idx * BLOCK, block);
    }
    // The blank behind the rest ends the last token.
    let mut last = [b' '; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    block_of(blocks.len() * BLOCK, &last);
}

/// Where the white space of a text is.
pub(crate) struct Blanks<'b> {
    /// In order, with the blank behind the text.
    pub places: &'b [u32],
    /// Whether there may be two of them, or one and the beginning, without a word between.
    pub side_by_side: bool,
}

/// The places of all white space in the first `len` bytes and of the blank behind them, kept in
/// `blanks`: the words stand between them. The bytes come in whole blocks that are longer than `len`;
/// none of their white space is beyond ASCII.
pub(crate) fn find_blanks<'b>(
    blocks: &[[u8; BLOCK]],
    len: usize,
    blanks: &'b mut Vec<u32>,
) -> Blanks<'b> {
    let blocks = &blocks[..blocks.len().min(len / BLOCK + 1)];
    let most = blocks.len() * BLOCK + BLANKS_AT_ONCE;
    if blanks.len() < most {
        blanks.resize(most, 0);
    }
    let blanks = blanks.as_mut_slice();
    let (mut n, mut base) = (0, 0);
    // The beginning counts as a blank, too.
    let (mut before, mut side_by_side) = (1, 0);
    for (idx, block) in blocks.iter().enumerate() {
        let mut bits = !word_bytes(block);
        if idx == len / BLOCK {
            bits &= u64::MAX >> (BLOCK - 1 - len % BLOCK);
        }
        side_by_side |= bits & (bits << 1 | before);
        before = bits >> (BLOCK - 1);
        let after = n + bits.count_ones() as usize;
        while n < after {
            // How many a block has cannot be guessed: a fixed number is written, and those that are
            // none are overwritten.
            let Some(group) = blanks.get_mut(n..n + BLANKS_AT_ONCE) else { break };
            for blank in group {
                *blank = base + bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
            }
            n += BLANKS_AT_ONCE;
        }
        n = after;
        base += BLOCK as u32;
    }
    Blanks { places: &blanks[..n], side_by_side: side_by_side != 0 }
}

const BLANKS_AT_ONCE: usize = 16;

/// A bit for each byte that belongs to a token.
#[inline(always)]
fn word_bytes(block: &[u8; BLOCK]) -> u64 {
    // All bytes beyond ASCII belong to tokens.
    let beyond = blocks::beyond_ascii(block);
    if blocks::above(block, b' ' - 1) | beyond == u64::MAX {
        return blocks::above(block, b' ') | beyond;
    }
    with_controls(block)
}

/// The same with control characters, some of which are white space: rare.
#[cold]
fn with_controls(block: &[u8; BLOCK]) -> u64 {
    block.iter().rev().fold(0, |bits, &byte| bits << 1 | u64::from(!is_ascii_space(byte)))
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
        check("\u{1}a\u{0}\u{1b}b \u{7f} \u{b}c\u{1d}", &["\u{1}a\u{0}\u{1b}b", "\u{7f}", "c"]);
        check("é\u{a0}ü\u{2003}ñ\u{85}x\u{200b}y", &["é", "ü", "ñ", "x\u{200b}y"]);
    }

    #[test]
    fn blocks_do_not_show() {
        // Every length of word at every place, with one blank or several, around the block borders.
        for before in 0..140 {
            for len in [1, 2, 3, 63, 64, 65, 130] {
                for blank in [" ", "  ", "\t", " \u{1c}"] {
                    let (first, second) = ("x".repeat(before), "y".repeat(len));
                    let text = format!("{first}{blank}{second}{blank}");
                    let expected: Vec<&str> =
                        [first.as_str(), &second].into_iter().filter(|t| !t.is_empty()).collect();
                    check(&text, &expected);
                    check(&text[..before + blank.len() + len], &expected);
                }
            }
        }
    }
}
