//! Words as small integers.
//!
//! Matching compares every word with many others. Interning makes that a comparison of integers, and lets
//! stems and synonyms be looked up once per distinct word. A vocabulary belongs to one worker, holds its
//! strings in one buffer and is emptied when it exceeds a bound, so memory stays flat over any number of
//! segments.

use super::case;
use super::whitespace::Blanks;
use rustc_hash::FxHashMap;
use std::hint::select_unpredictable;

/// Interned strings, numbered from 0 in order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    text: String,
    ends: Vec<u32>,
    /// For each word of the table, the key that identifies it. Separate from the table: frequent words come
    /// early, so their keys are adjacent here, while the table would scatter them over the processor's cache.
    keys: Vec<Key>,
    /// Open addressing: the number of the word in each slot, or [`EMPTY`].
    slots: Vec<u16>,
    /// The words that were added when the table was full. A vocabulary is emptied before it has many of them,
    /// unless a single text does.
    others: FxHashMap<Box<str>, u32>,
}

/// The first fifteen bytes of a word, padded with zeros, and its length in the last byte.
///
/// Words of up to fifteen bytes, nearly all words, are equal if their keys are. Only longer ones, which have
/// [`LONG`] instead of a length, must be compared with the buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Key([u64; 2]);

/// A word as the vocabulary compares it, without the string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShortWord(Key);

const EMPTY: u16 = u16::MAX;
const LONG: u64 = 0xff << 56;
/// Instead of a length: the key is no word's, but holds the number of one.
const NUMBERED: u64 = 0xfe << 56;

/// How many bytes are read at the start of a word. [`intern_in`](Vocabulary::intern_in) is fast only if this
/// many bytes of text follow the start.
pub(crate) const HEAD: usize = 16;
/// Padding for the end of a text, so that its last word is found as fast as the others.
pub(crate) const ROOM: &str = "                ";
const _: () = assert!(ROOM.len() == HEAD);
/// The number of slots that the fast path looks at before it gives up.
const LOOKS: usize = 4;
/// The number of these bytes that a key holds.
const KEPT: usize = HEAD - 1;

impl Vocabulary {
    /// The number of distinct words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no word has been interned.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The total length of the words in bytes.
    pub fn text_len(&self) -> usize {
        self.text.len()
    }

    /// Forgets all words and keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.keys.clear();
        self.slots.fill(EMPTY);
        self.others.clear();
    }

    /// Forgets all words if there are many, and returns whether it did. Called between segments, when no
    /// numbers are in use.
    pub fn forget_if_large(&mut self) -> bool {
        let large = self.len() > 1 << 16 || self.text_len() > 1 << 20;
        if large {
            self.clear();
        }
        large
    }

    /// The word of a number; the empty string for an unknown number.
    pub fn word(&self, id: u32) -> &str {
        let idx = id as usize;
        let Some(&end) = self.ends.get(idx) else { return "" };
        let start = if idx == 0 { 0 } else { self.ends[idx - 1] };
        &self.text[start as usize..end as usize]
    }

    /// The number of a word; a new word gets the next one.
    #[inline]
    pub fn intern(&mut self, word: &str) -> u32 {
        self.intern_bytes(word.as_bytes(), |_| word)
    }

    /// The number of the word at bytes `start..end` of a text in UTF-8. The same as [`intern`](Self::intern)
    /// of that part, but without a branch on the word's length if any [`HEAD`] bytes follow its start.
    #[inline(always)]
    pub(crate) fn intern_in(&mut self, bytes: &[u8], start: usize, end: usize) -> u32 {
        match find(&self.slots, &self.keys, bytes, start, end) {
            Some(id) => id,
            None => self.intern_anew(bytes.get(start..end).unwrap_or_default()),
        }
    }

    /// Replaces `numbers` by those of the words before each of these `blanks`, as
    /// [`intern_in`](Self::intern_in) returns them. There is no word between two adjacent blanks.
    pub(crate) fn intern_between(
        &mut self,
        bytes: &[u8],
        blanks: &Blanks<'_>,
        numbers: &mut Vec<u32>,
    ) {
        if blanks.side_by_side {
            numbers.clear();
            let mut start = 0;
            for end in blanks.places.iter().map(|&blank| blank as usize) {
                if start != end {
                    numbers.push(self.intern_in(bytes, start, end));
                }
                start = end + 1;
            }
            return;
        }
        numbers.resize(blanks.places.len(), 0);
        let mut start = 0;
        let mut words = numbers.iter_mut().zip(blanks.places);
        loop {
            // Known words, nearly all, change nothing, so the loop runs in registers.
            let (slots, keys) = (self.slots.as_slice(), self.keys.as_slice());
            let (number, unknown) = loop {
                let Some((number, &blank)) = words.next() else { return };
                let (from, end) = (start, blank as usize);
                start = end + 1;
                match find(slots, keys, bytes, from, end) {
                    Some(id) => *number = id,
                    None => break (number, from..end),
                }
            };
            *number = self.intern_anew(bytes.get(unknown).unwrap_or_default());
        }
    }

    /// Appends the numbers of separate words, in lower case on request. `buffer` is for words that are not plain.
    pub(crate) fn intern_each(
        &mut self,
        words: &[&str],
        lowercase: bool,
        buffer: &mut String,
        numbers: &mut Vec<u32>,
    ) {
        let first = numbers.len();
        numbers.resize(first + words.len(), 0);
        let mut places = numbers[first..].iter_mut().zip(words);
        loop {
            // As in `intern_between`, known words change nothing.
            let (slots, keys) = (self.slots.as_slice(), self.keys.as_slice());
            let (place, unknown) = loop {
                let Some((place, word)) = places.next() else { return };
                match short_key(word, lowercase).and_then(|key| find_key(slots, keys, key)) {
                    Some(id) => *place = id,
                    None => break (place, *word),
                }
            };
            *place = self.intern_given_anew(unknown, lowercase, buffer);
        }
    }

    /// Appends the numbers of short words. Separate from the making of their keys, because a loop that does
    /// nothing else waits for many entries of the tables at the same time.
    pub(crate) fn intern_short(&mut self, words: &[ShortWord], numbers: &mut Vec<u32>) {
        let first = numbers.len();
        numbers.resize(first + words.len(), 0);
        let mut places = numbers[first..].iter_mut().zip(words);
        loop {
            // As in `intern_between`, known words change nothing.
            let (slots, keys) = (self.slots.as_slice(), self.keys.as_slice());
            let (place, unknown) = loop {
                let Some((place, &ShortWord(key))) = places.next() else { return };
                match find_key(slots, keys, key) {
                    Some(id) => *place = id,
                    None => break (place, key),
                }
            };
            *place = match unknown.numbered() {
                Some(id) => id,
                None => {
                    let (bytes, len) = unknown.bytes();
                    self.intern_anew(bytes.get(..len).unwrap_or_default())
                }
            };
        }
    }

    /// A word for [`intern_short`](Self::intern_short), in lower case on request. `None` if it is too long for
    /// that, or is to be in lower case and has letters beyond ASCII: see [`intern_long`](Self::intern_long).
    #[inline(always)]
    pub(crate) fn short(word: &str, lowercase: bool) -> Option<ShortWord> {
        short_key(word, lowercase).map(ShortWord)
    }

    /// Numbers any other word at once. The result stands for the number until the vocabulary is emptied.
    #[inline(always)]
    pub(crate) fn intern_long(
        &mut self,
        word: &str,
        lowercase: bool,
        buffer: &mut String,
    ) -> ShortWord {
        ShortWord(Key::of_number(self.intern_given_anew(word, lowercase, buffer)))
    }

    #[cold]
    #[inline(never)]
    fn intern_given_anew(&mut self, word: &str, lowercase: bool, buffer: &mut String) -> u32 {
        self.intern(if lowercase { case::lower(word, buffer) } else { word })
    }

    /// Appends the numbers of the words at these bytes of a text, as [`intern_in`](Self::intern_in) returns
    /// them.
    pub(crate) fn intern_ranges(
        &mut self,
        bytes: &[u8],
        ranges: &[(usize, usize)],
        numbers: &mut Vec<u32>,
    ) {
        let first = numbers.len();
        numbers.resize(first + ranges.len(), 0);
        let mut places = numbers[first..].iter_mut().zip(ranges);
        loop {
            let (slots, keys) = (self.slots.as_slice(), self.keys.as_slice());
            let (place, unknown) = loop {
                let Some((place, &(start, end))) = places.next() else { return };
                match find(slots, keys, bytes, start, end) {
                    Some(id) => *place = id,
                    None => break (place, start..end),
                }
            };
            *place = self.intern_anew(bytes.get(unknown).unwrap_or_default());
        }
    }

    #[cold]
    #[inline(never)]
    fn intern_anew(&mut self, word: &[u8]) -> u32 {
        self.intern_bytes(word, |word| str::from_utf8(word).unwrap_or_default())
    }

    #[inline]
    fn intern_bytes<'w>(&mut self, word: &'w [u8], text: impl Fn(&'w [u8]) -> &'w str) -> u32 {
        let key = Key::of(word);
        if self.slots.is_empty() {
            self.grow();
        }
        let at = self.slot(word, key);
        let id = self.slots[at];
        if id != EMPTY { u32::from(id) } else { self.insert(at, key, text(word)) }
    }

    /// Adds a word unless it is one of the `others`. The table grows when three eighths are full: most words
    /// are then in their own slots, and two-byte numbers keep the table in the cache.
    #[cold]
    fn insert(&mut self, at: usize, key: Key, word: &str) -> u32 {
        let id = self.ends.len() as u32;
        match u16::try_from(id) {
            Ok(narrow) if narrow != EMPTY => {
                self.keys.push(key);
                self.slots[at] = narrow;
                self.push_text(word);
                if self.keys.len() * 8 >= self.slots.len() * 3 {
                    self.grow();
                }
            }
            _ => {
                if let Some(&id) = self.others.get(word) {
                    return id;
                }
                self.others.insert(word.into(), id);
                self.push_text(word);
            }
        }
        id
    }

    fn push_text(&mut self, word: &str) {
        self.text.push_str(word);
        self.ends.push(self.text.len() as u32);
    }

    /// The number of a word that has been interned.
    pub fn get(&self, word: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        match self.slots[self.slot(word.as_bytes(), Key::of(word.as_bytes()))] {
            EMPTY => self.others.get(word).copied(),
            id => Some(u32::from(id)),
        }
    }

    /// The slot of a word, or the empty one where it would go.
    #[inline]
    fn slot(&self, word: &[u8], key: Key) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash(word, key) as usize & mask;
        loop {
            let id = self.slots[at];
            let Some(other) = self.keys.get(id as usize) else { return at };
            if *other == key && (word.len() <= KEPT || self.bytes(id.into()) == word) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The bytes of a word: comparing them needs no check of character boundaries.
    fn bytes(&self, id: u32) -> &[u8] {
        let idx = id as usize;
        let start = idx.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text.as_bytes()[start as usize..self.ends[idx] as usize]
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(1024);
        self.slots.clear();
        self.slots.resize(size, EMPTY);
        for (id, &key) in (0..EMPTY).zip(&self.keys) {
            let mut at = hash(self.bytes(id.into()), key) as usize & (size - 1);
            while self.slots[at] != EMPTY {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = id;
        }
    }
}

/// The number of a word of at most [`KEPT`] bytes if it is in its first slot.
#[inline(always)]
fn find(slots: &[u16], keys: &[Key], bytes: &[u8], start: usize, end: usize) -> Option<u32> {
    let head = bytes.get(start..start + HEAD)?.first_chunk::<HEAD>()?;
    let len = end.wrapping_sub(start);
    if len > KEPT {
        return None;
    }
    find_key(slots, keys, Key::short(u128::from_le_bytes(*head), len))
}

/// The key of a short word, in lower case on request.
#[inline(always)]
fn short_key(word: &str, lowercase: bool) -> Option<Key> {
    match word.as_bytes() {
        long if long.len() > KEPT => None,
        short if lowercase => Key::of_short(short, few).in_lower_case(),
        short => Some(Key::of_short(short, few)),
    }
}

/// The same for the key of such a word.
#[inline(always)]
fn find_key(slots: &[u16], keys: &[Key], key: Key) -> Option<u32> {
    let mask = slots.len().wrapping_sub(1);
    let at = key.hash() as usize & mask;
    let &id = slots.get(at)?;
    if *keys.get(id as usize)? == key {
        Some(id.into())
    } else {
        find_further(slots, keys, key, at)
    }
}

/// The same for a word that is not in its first slot, but near it.
#[inline(never)]
fn find_further(slots: &[u16], keys: &[Key], key: Key, at: usize) -> Option<u32> {
    for &id in slots.get(at + 1..at + LOOKS)? {
        if *keys.get(id as usize)? == key {
            return Some(id.into());
        }
    }
    None
}

impl Key {
    #[inline]
    fn of(word: &[u8]) -> Key {
        match word.first_chunk::<HEAD>() {
            Some(head) => {
                let Key([low, high]) = Key::short(u128::from_le_bytes(*head), KEPT);
                Key([low, high | LONG])
            }
            None => Key::of_short(word, short),
        }
    }

    /// The key of a word of at most [`KEPT`] bytes, where `few` reads those of fewer than eight: [`short`] takes fewer
    /// instructions, [`few`] has no branch to guess.
    #[inline(always)]
    fn of_short(word: &[u8], few: impl Fn(&[u8]) -> u64) -> Key {
        let len = word.len() as u64;
        match (word.first_chunk::<8>(), word.last_chunk::<8>()) {
            (Some(first), Some(last)) => {
                // The last eight bytes without those that are also among the first.
                let rest =
                    u64::from_le_bytes(*last) >> (8 * (KEPT as u64).saturating_sub(len)) >> 8;
                Key([u64::from_le_bytes(*first), rest | len << 56])
            }
            _ => Key([few(word), len << 56]),
        }
    }

    /// A key that only holds a number.
    #[inline(always)]
    fn of_number(id: u32) -> Key {
        Key([id.into(), NUMBERED])
    }

    /// The number that it holds instead of a word.
    fn numbered(self) -> Option<u32> {
        let Key([low, high]) = self;
        (high == NUMBERED).then_some(low as u32)
    }

    /// The bytes of a short word, and how many they are.
    fn bytes(self) -> ([u8; HEAD], usize) {
        let Key([low, high]) = self;
        ((u128::from(low) | u128::from(high) << 64).to_le_bytes(), (high >> 56) as usize)
    }

    /// The key of a short word in lower case; `None` beyond ASCII.
    #[inline(always)]
    fn in_lower_case(self) -> Option<Key> {
        const HIGHEST: u64 = 0x8080_8080_8080_8080;
        const EACH: u64 = 0x0101_0101_0101_0101;
        // All bytes are below 128, the length too, so no sum carries over to the next byte.
        #[inline(always)]
        fn lower(part: u64) -> u64 {
            let from_a = part + EACH * (128 - b'A' as u64);
            let after_z = part + EACH * (127 - b'Z' as u64);
            part | ((from_a ^ after_z) & HIGHEST) >> 2
        }
        let Key([low, high]) = self;
        ((low | high) & HIGHEST == 0).then(|| Key([lower(low), lower(high)]))
    }

    /// The key of a word of at most [`KEPT`] bytes, which are the first of these.
    #[inline(always)]
    fn short(head: u128, len: usize) -> Key {
        let [low, high] = MASKS[len % HEAD];
        Key([head as u64 & low, ((head >> 64) as u64 & high) | (len as u64) << 56])
    }

    /// A hash of the whole key.
    #[inline(always)]
    fn hash(self) -> u64 {
        let Key([low, high]) = self;
        mix(low ^ high.rotate_left(29))
    }
}

/// The bytes of a head that belong to a word, by the word's length.
const MASKS: [[u64; 2]; HEAD] = {
    let mut masks = [[0; 2]; HEAD];
    let mut len = 0;
    while len < HEAD {
        let mask: u128 = (1 << (8 * len)) - 1;
        masks[len] = [mask as u64, (mask >> 64) as u64];
        len += 1;
    }
    masks
};

/// A hash of a whole word.
#[inline]
fn hash(word: &[u8], key: Key) -> u64 {
    let mut hash = key.hash();
    if let Some((_, rest)) = word.split_first_chunk::<KEPT>() {
        let mut chunks = rest.chunks_exact(8);
        for chunk in &mut chunks {
            let chunk = chunk.try_into().map_or(0, u64::from_le_bytes);
            hash = mix(hash ^ chunk);
        }
        if !chunks.remainder().is_empty() {
            hash = mix(hash ^ short(chunks.remainder()));
        }
    }
    hash
}

/// Up to seven bytes as a number, by two overlapping reads.
#[inline]
fn short(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        u64::from(first) | u64::from(last) << (8 * (len - 4))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<2>(), bytes.last()) {
        u64::from(u16::from_le_bytes(*first)) | u64::from(*last) << (8 * (len - 1))
    } else {
        bytes.first().map_or(0, |&byte| u64::from(byte))
    }
}

/// The same without a branch that depends on the length, which is unpredictable for the words of a text.
#[inline(always)]
fn few(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    let (Some(first), Some(middle), Some(last)) = (bytes.first(), bytes.get(len / 2), bytes.last())
    else {
        return 0;
    };
    // Up to three bytes. Of longer words they are bytes that the other reads find in the same places.
    let three = u64::from(*first)
        | u64::from(*middle) << ((8 * (len / 2)) & 63)
        | u64::from(*last) << ((8 * (len - 1)) & 63);
    let four = select_unpredictable(len >= 4, bytes, &[0; 4]);
    let (Some(first), Some(last)) = (four.first_chunk::<4>(), four.last_chunk::<4>()) else {
        return three;
    };
    let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
    three | u64::from(first) | u64::from(last) << ((8 * (four.len() - 4)) & 63)
}

/// One round of a multiplicative hash whose high half is well mixed.
#[inline(always)]
fn mix(x: u64) -> u64 {
    let product = u128::from(x) * 0xd6e8_feb8_6659_fd93;
    (product as u64) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_text_may_have_more_words_than_the_table() {
        let mut vocabulary = Vocabulary::default();
        let words: Vec<String> = (0..70_000).map(|n| format!("w{n}")).collect();
        for _ in 0..2 {
            for (n, word) in words.iter().enumerate() {
                let id = vocabulary.intern_in(format!("{word}{ROOM}").as_bytes(), 0, word.len());
                assert_eq!(id, n as u32);
            }
        }
        for n in [0, 65_534, 65_535, 65_536, 69_999] {
            assert_eq!(vocabulary.get(&words[n]), Some(n as u32));
            assert_eq!(vocabulary.word(n as u32), words[n]);
        }
        assert_eq!((vocabulary.len(), vocabulary.get("w70000")), (70_000, None));
        assert!(vocabulary.forget_if_large());
        assert_eq!((vocabulary.get(&words[0]), vocabulary.get(&words[65_535])), (None, None));
        assert_eq!(vocabulary.intern(&words[65_535]), 0);
    }

    #[test]
    fn separate_words_have_the_numbers_of_their_lower_case() {
        let letters: Vec<String> = (0..=255).filter_map(char::from_u32).map(String::from).collect();
        let mut words: Vec<String> = vec![String::new(), "ΟΔΟΣ".into(), "İX".into()];
        for letter in &letters {
            words.push(format!("{letter}BcZ@[`{{"));
            words.push(format!("Seven{letter}WORDS"));
            words.push(format!("of more than sixteen {letter}YTES"));
        }
        words.extend((0..20).map(|len| "aZ".repeat(10)[..len].to_owned()));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        for lowercase in [false, true] {
            let (mut vocabulary, mut numbers, mut buffer) =
                (Vocabulary::default(), Vec::new(), String::new());
            // Twice, because new words take another path than known ones.
            for round in 0..2 {
                numbers.clear();
                vocabulary.intern_each(&words, lowercase, &mut buffer, &mut numbers);
                let keys: Vec<ShortWord> = (words.iter())
                    .map(|word| match Vocabulary::short(word, lowercase) {
                        Some(short) => short,
                        None => vocabulary.intern_long(word, lowercase, &mut buffer),
                    })
                    .collect();
                let mut again = vec![7];
                vocabulary.intern_short(&keys, &mut again);
                assert_eq!(again[1..], numbers);
                let mut afresh = Vocabulary::default();
                let short: Vec<&str> = (words.iter().copied())
                    .filter(|word| Vocabulary::short(word, lowercase).is_some())
                    .collect();
                let keys: Vec<ShortWord> =
                    short.iter().filter_map(|word| Vocabulary::short(word, lowercase)).collect();
                again.clear();
                afresh.intern_short(&keys, &mut again);
                for (word, &id) in short.iter().zip(&again) {
                    assert_eq!(
                        afresh.word(id),
                        if lowercase { word.to_lowercase() } else { word.to_string() }
                    );
                }
                for (word, &id) in words.iter().zip(&numbers) {
                    let expected = if lowercase { word.to_lowercase() } else { word.to_string() };
                    assert_eq!(vocabulary.word(id), expected, "{word:?}, round {round}");
                    assert_eq!(vocabulary.get(&expected), Some(id));
                }
            }
        }
    }

    #[test]
    fn the_bytes_of_few_letters_are_in_their_places() {
        for len in 0..8 {
            let bytes: Vec<u8> = (0..len).map(|at| 0x81 + 0x0b * at).collect();
            let expected = bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
            assert_eq!((few(&bytes), short(&bytes)), (expected, expected));
        }
    }

    #[test]
    fn numbers_are_given_in_order_and_kept_while_the_table_grows() {
        let mut vocabulary = Vocabulary::default();
        let words: Vec<String> = (0..5000).map(|n| format!("word{n}")).collect();
        for (n, word) in words.iter().enumerate() {
            assert_eq!(vocabulary.get(word), None);
            assert_eq!(vocabulary.intern(word), n as u32);
        }
        for (n, word) in words.iter().enumerate() {
            assert_eq!(vocabulary.intern(word), n as u32);
            assert_eq!(vocabulary.get(word), Some(n as u32));
            assert_eq!(vocabulary.word(n as u32), word);
        }
        assert_eq!(vocabulary.len(), 5000);
        // Words of every length that differ in one byte remain distinct.
        for len in 0..40 {
            let word = "x".repeat(len);
            let id = vocabulary.intern(&word);
            assert_eq!(vocabulary.intern(&word), id);
            for at in 0..len {
                let mut other = word.clone();
                other.replace_range(at..=at, "y");
                let other_id = vocabulary.intern(&other);
                assert_ne!(other_id, id, "{other}");
                assert_eq!(vocabulary.word(other_id), other);
                // The fast path finds the same numbers, whatever follows the word.
                for behind in ["", "x", "y and a good deal more"] {
                    let text = format!("y{other}{behind}");
                    assert_eq!(
                        vocabulary.intern_in(text.as_bytes(), 1, 1 + len),
                        other_id,
                        "{other}"
                    );
                }
            }
        }
        vocabulary.clear();
        assert_eq!(vocabulary.intern("again"), 0);
        assert_eq!(vocabulary.word(1), "");
        assert_eq!(vocabulary.intern(""), 1);
        assert_eq!(vocabulary.word(1), "");
    }
}
