//! Matches of character n-grams, all orders at once, by sorting.
//!
//! A position of a text becomes a 64-bit key: the characters that start there, one byte each, the first
//! character highest. The sorted keys of both texts are merged. At each step the common prefix with the
//! previous key shows which n-grams end, and an n-gram that ends adds the smaller of its two counts. After
//! the last character the hypothesis continues with the byte 0 and a reference with 255. Neither is the byte
//! of a character, so an n-gram cut short by the end never matches.
//!
//! Bytes are assigned per segment. Segments with more distinct characters, higher orders or very long texts
//! are counted by [`crate::ngram`] instead, with the same result.

use crate::ngram::Overlap;
use crate::stop::Stop;
use crate::text::whitespace;

/// The texts of a segment and the buffers to compare them.
#[derive(Debug, Default)]
pub(super) struct Characters {
    order: usize,
    whitespace: bool,
    /// Code points of all texts, hypothesis first.
    codes: Vec<u32>,
    ends: Vec<usize>,
    /// The same as bytes, up to the first character without one.
    bytes: Vec<u8>,
    packed: bool,
    /// The byte of each character beyond ASCII in the basic plane, and the characters that have one.
    table: Vec<u8>,
    taken: Vec<u16>,
    hypothesis: Vec<u64>,
    reference: Vec<u64>,
    overlap: Overlap,
}

/// Higher orders do not fit a key, whose last byte stays free.
const MAX_PACKED_ORDER: usize = 7;
/// Counts are kept in 16 bits.
const MAX_PACKED_LEN: usize = 16_000;
const HYPOTHESIS_END: u8 = 0;
const REFERENCE_END: u8 = 255;

impl Characters {
    /// Forgets the last segment.
    pub(super) fn start(&mut self, order: usize, whitespace: bool) {
        self.order = order;
        self.whitespace = whitespace;
        self.codes.clear();
        self.ends.clear();
        self.bytes.clear();
        for &code in &self.taken {
            self.table[usize::from(code)] = 0;
        }
        self.taken.clear();
        self.packed = order <= MAX_PACKED_ORDER;
    }

    /// Adds a piece of the current text.
    pub(super) fn push(&mut self, text: &str) {
        for c in text.chars() {
            if self.whitespace || !whitespace::is_space(c) {
                self.codes.push(u32::from(c));
            }
        }
    }

    /// Ends the hypothesis.
    pub(super) fn end_hypothesis(&mut self) {
        self.end();
        let (bytes, keys) = (&self.bytes, &mut self.hypothesis);
        if self.packed {
            sorted_keys(bytes, self.order, HYPOTHESIS_END, keys);
        }
    }

    /// Ends a reference.
    pub(super) fn end_reference(&mut self) {
        self.end();
    }

    fn end(&mut self) {
        let start = self.ends.last().copied().unwrap_or(0);
        self.ends.push(self.codes.len());
        self.packed = self.packed && self.codes.len() - start <= MAX_PACKED_LEN;
        for at in start..self.codes.len() {
            if !self.packed {
                break;
            }
            match self.byte(self.codes[at]) {
                Some(byte) => self.bytes.push(byte),
                None => self.packed = false,
            }
        }
    }

    /// The byte of a character: ASCII characters have their own, others get the next free one.
    fn byte(&mut self, code: u32) -> Option<u8> {
        if (1..128).contains(&code) {
            return Some(code as u8);
        }
        if self.table.is_empty() {
            self.table.resize(1 << 16, 0);
        }
        let entry = self.table.get_mut(code as usize)?;
        if *entry == 0 {
            let next = 128 + self.taken.len();
            if next >= usize::from(REFERENCE_END) {
                return None;
            }
            *entry = next as u8;
            self.taken.push(code as u16);
        }
        Some(*entry)
    }

    fn range(&self, text: usize) -> std::ops::Range<usize> {
        let start = if text == 0 { 0 } else { self.ends[text - 1] };
        start..self.ends[text]
    }

    /// The number of characters of the hypothesis.
    pub(super) fn hypothesis_len(&self) -> usize {
        self.range(0).len()
    }

    /// The number of characters of a reference.
    pub(super) fn reference_len(&self, idx: usize) -> usize {
        self.range(idx + 1).len()
    }

    /// Sets `matches[n − 1]` to the matches of order n with a reference.
    pub(super) fn count(&mut self, idx: usize, matches: &mut [u64], stop: Stop<'_>) {
        let range = self.range(idx + 1);
        if self.packed {
            sorted_keys(&self.bytes[range], self.order, REFERENCE_END, &mut self.reference);
            count_sorted(&self.hypothesis, &self.reference, matches);
        } else {
            let hypothesis = &self.codes[self.range(0)];
            self.overlap.count_one(hypothesis, &self.codes[range], matches, stop);
        }
    }
}

/// The sorted keys of all positions, and a last one that is higher than any.
fn sorted_keys(bytes: &[u8], order: usize, end: u8, keys: &mut Vec<u64>) {
    let unused = 64 - 8 * order as u32;
    let mut key = u64::from_be_bytes([end; 8]) >> unused;
    keys.clear();
    keys.extend(bytes.iter().rev().map(|&byte| {
        key = key >> 8 | u64::from(byte) << (8 * (order - 1));
        key << unused
    }));
    keys.sort_unstable();
    keys.push(u64::MAX);
}

/// The lanes of a vector register, one per order.
type Lanes = [i16; 8];

/// `ENDING[n]`: the lanes of the orders above n.
const ENDING: [Lanes; 9] = {
    let mut table = [[0; 8]; 9];
    let mut common = 0;
    while common < 9 {
        let mut lane = common;
        while lane < 8 {
            table[common][lane] = -1;
            lane += 1;
        }
        common += 1;
    }
    table
};

/// Merges two lists of sorted keys. Both end in `u64::MAX`.
fn count_sorted(hypothesis: &[u64], reference: &[u64], matches: &mut [u64]) {
    let (mut h, mut r) = (0usize, 0usize);
    let (mut from_h, mut from_r, mut sums): (Lanes, Lanes, Lanes) = ([0; 8], [0; 8], [0; 8]);
    let mut before = 0;
    for _ in 1..hypothesis.len() + reference.len() {
        let (a, b) = (hypothesis[h], reference[r]);
        let key = a.min(b);
        let common = ((key ^ before).leading_zeros() / 8) as usize;
        let ending = &ENDING[common];
        let (now_h, now_r) = (h as i16, r as i16);
        // No branch depends on the texts here, so the compiler emits a few vector instructions.
        for lane in 0..8 {
            let matched = (now_h - from_h[lane]).min(now_r - from_r[lane]);
            sums[lane] += matched & ending[lane];
            from_h[lane] = (from_h[lane] & !ending[lane]) | (now_h & ending[lane]);
            from_r[lane] = (from_r[lane] & !ending[lane]) | (now_r & ending[lane]);
        }
        before = key;
        let advance = usize::from(a <= b);
        h += advance;
        r += 1 - advance;
    }
    for (sum, matches) in sums.iter().zip(matches) {
        *matches = *sum as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bolide_testdata::random::Random;

    #[test]
    fn sorting_counts_what_the_trie_counts() {
        let mut random = Random(3);
        let mut below = |n: usize| random.below(n);
        let alphabets = ["ab", "abcdefgh .", "aé日本“”語ß", "\0ab", "a\u{10ffff}b"];
        let mut characters = Characters::default();
        for round in 0..3000 {
            let alphabet: Vec<char> = alphabets[round % alphabets.len()].chars().collect();
            let mut text = |longest: usize| -> String {
                (0..below(longest)).map(|_| alphabet[below(alphabet.len())]).collect()
            };
            let (hypothesis, reference) = (text(50), text(50));
            let order = 1 + round % 8;
            characters.start(order, false);
            characters.push(&hypothesis);
            characters.end_hypothesis();
            characters.push(&reference);
            characters.end_reference();
            let (mut sorted, mut trie) = ([0; 8], [0; 8]);
            characters.count(0, &mut sorted[..order], Stop::default());
            characters.packed = false;
            characters.count(0, &mut trie[..order], Stop::default());
            assert_eq!(sorted, trie, "{hypothesis:?} {reference:?} order {order}");
        }
    }

    #[test]
    fn many_distinct_characters_are_counted_too() {
        let text: String = (0x4e00..0x4f00).filter_map(char::from_u32).collect();
        let mut characters = Characters::default();
        characters.start(2, false);
        characters.push(&text);
        characters.end_hypothesis();
        characters.push(&text);
        characters.end_reference();
        assert!(!characters.packed);
        let mut matches = [0; 2];
        characters.count(0, &mut matches, Stop::default());
        assert_eq!(matches, [256, 255]);
    }
}
