//! Splits at white space like Python's `str.split()`.
//!
//! Python's set of white space is Rust's plus the four separators U+001C to U+001F.

use super::Tokens;
use super::blocks::{self, BLOCK};

/// Whether Python's `str.split` and `str.strip` treat the character as white space.
#[inline]
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Removes Python white space at the end of a text, like `str.rstrip`.
pub fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_space)
}

/// Whether a text made of this many tokens, joined by single blanks, splits into the same tokens.
pub fn splits_into(joined: &str, n_tokens: usize) -> bool {
    if n_tokens == 0 {
        return joined.is_empty();
    }
    let (whole, rest) = joined.as_bytes().as_chunks::<BLOCK>();
    let mut last = [b' '; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    let mut seen = Seen::default();
    whole.iter().for_each(|block| _ = seen.add(block, u64::MAX));
    seen.add(&last, up_to(rest.len()));
    // The tokens contain no white space if there are no other blanks than those between and after them.
    seen.n_blanks == n_tokens
        && seen.side_by_side == 0
        && (seen.beyond_ascii == 0 || !joined.contains(|c: char| !c.is_ascii() && is_space(c)))
}

/// Passes the maximal runs of characters that are not white space to `each`.
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

/// Passes the bounds of every token of an ASCII text, for callers that need no list.
#[inline]
pub(crate) fn each_ascii_range(bytes: &[u8], mut range: impl FnMut(usize, usize)) {
    let mut start = 0;
    // Whether the last byte before the block belongs to a token, which then began at `start`.
    let mut inside = false;
    let mut block_of = |base: usize, block: &[u8; BLOCK]| {
        let (words, _) = word_bytes(block);
        let before = words << 1 | u64::from(inside);
        let (mut starts, mut ends) = (words & !before, before & !words);
        inside = words >> (BLOCK - 1) != 0;
        while ends != 0 {
            // Starts and ends alternate; a start is missing only if the token began before.
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
    // The blank after the rest ends the last token.
    let mut last = [b' '; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    block_of(blocks.len() * BLOCK, &last);
}

/// The positions of the white space of a text.
pub(crate) struct Blanks<'b> {
    /// In order, including the blank after the text.
    pub places: &'b [u32],
    /// Whether two of them may be adjacent, or the first one at the start.
    pub side_by_side: bool,
    /// Whether the text is ASCII.
    pub is_ascii: bool,
}

/// The state of the scan after some blocks.
struct Seen {
    n_blanks: usize,
    /// Whether a blank directly precedes the next block. The start of the text counts as one.
    before: u64,
    side_by_side: u64,
    beyond_ascii: u64,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen { n_blanks: 0, before: 1, side_by_side: 0, beyond_ascii: 0 }
    }
}

impl Seen {
    /// The blanks of the next block that count.
    #[inline(always)]
    fn add(&mut self, block: &[u8; BLOCK], counts: u64) -> u64 {
        let (words, beyond_ascii) = word_bytes(block);
        let blanks = !words & counts;
        self.beyond_ascii |= beyond_ascii;
        self.side_by_side |= blanks & (blanks << 1 | self.before);
        self.before = blanks >> (BLOCK - 1);
        self.n_blanks += blanks.count_ones() as usize;
        blanks
    }
}

/// A mask of the first `n_bytes` bytes of the last block and of the blank after them.
fn up_to(n_bytes: usize) -> u64 {
    u64::MAX >> (BLOCK - 1 - n_bytes % BLOCK)
}

/// Records the white space of a text, block by block. The words are between.
pub(crate) struct BlankFinder<'b> {
    places: &'b mut [u32],
    base: u32,
    seen: Seen,
}

impl<'b> BlankFinder<'b> {
    /// Makes room for this many blocks.
    #[inline(always)]
    pub fn new(places: &'b mut Vec<u32>, n_blocks: usize) -> Self {
        let most = n_blocks * BLOCK + BLANKS_AT_ONCE;
        if places.len() < most {
            places.resize(most, 0);
        }
        BlankFinder { places, base: 0, seen: Seen::default() }
    }

    /// The next block, whose white space is all ASCII.
    #[inline(always)]
    pub fn add(&mut self, block: &[u8; BLOCK]) {
        self.add_bits(block, u64::MAX);
    }

    /// The last block, of which this many bytes are text.
    #[inline(always)]
    pub fn add_last(&mut self, block: &[u8; BLOCK], n_bytes: usize) {
        self.add_bits(block, up_to(n_bytes));
    }

    #[inline(always)]
    fn add_bits(&mut self, block: &[u8; BLOCK], counts: u64) {
        let mut n = self.seen.n_blanks;
        let mut bits = self.seen.add(block, counts);
        while n < self.seen.n_blanks {
            // The number of blanks in a block is unpredictable, so a fixed number is written and the surplus
            // is overwritten.
            let Some(group) = self.places.get_mut(n..n + BLANKS_AT_ONCE) else { break };
            for place in group {
                *place = self.base + bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
            }
            n += BLANKS_AT_ONCE;
        }
        self.base += BLOCK as u32;
    }

    /// The result.
    pub fn finish(self) -> Blanks<'b> {
        Blanks {
            places: self.places.get(..self.seen.n_blanks).unwrap_or_default(),
            side_by_side: self.seen.side_by_side != 0,
            is_ascii: self.seen.beyond_ascii == 0,
        }
    }
}

const BLANKS_AT_ONCE: usize = 16;

/// A bit for each byte that belongs to a token, and a bit for each byte beyond ASCII.
#[inline(always)]
fn word_bytes(block: &[u8; BLOCK]) -> (u64, u64) {
    // Most text has neither control characters nor anything beyond ASCII.
    if blocks::are_above(block, b' ' - 1) {
        return (blocks::above(block, b' '), 0);
    }
    // All bytes beyond ASCII belong to tokens.
    let beyond = blocks::beyond_ascii(block);
    if blocks::above(block, b' ' - 1) | beyond == u64::MAX {
        return (blocks::above(block, b' ') | beyond, beyond);
    }
    (with_controls(block), beyond)
}

/// The same with control characters, some of which are white space. Rare.
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
    fn joined_tokens_are_known_to_come_back() {
        const TOKENS: [&str; 9] = ["a", "Bc", "é", "", " ", "x y", "\u{a0}", "\t", "\u{2003}z"];
        for n_tokens in 0..=4 {
            for choice in 0..TOKENS.len().pow(n_tokens) {
                let token = |idx: u32| TOKENS[choice / TOKENS.len().pow(idx) % TOKENS.len()];
                let tokens: Vec<&str> = (0..n_tokens).map(token).collect();
                let joined = tokens.join(" ");
                let mut found = Vec::new();
                each_token(&joined, |token| found.push(token));
                assert_eq!(splits_into(&joined, tokens.len()), found == tokens, "{tokens:?}");
            }
        }
        let long = ["word"; 100];
        assert!(splits_into(&long.join(" "), 100));
        assert!(!splits_into(&long.join(" "), 99));
        assert!(splits_into("a\u{1}b", 1));
    }

    #[test]
    fn blocks_do_not_show() {
        // Words of every length at every position, with one blank or several, around the block boundaries.
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
