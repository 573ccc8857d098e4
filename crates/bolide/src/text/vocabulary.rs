//! Words as small integers.
//!
//! Matching compares every word with many others; interning makes that a comparison of integers,
//! and lets stems and synonyms be looked up once per distinct word. A vocabulary belongs to one
//! worker, holds its strings in one buffer and is emptied when it has grown past a bound, so that
//! memory stays flat over any number of segments.

/// Interned strings, numbered from 0 in order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    text: String,
    ends: Vec<u32>,
    /// Open addressing.
    slots: Vec<Slot>,
}

/// A place of the table: what is needed to recognise a word, and its number or [`EMPTY`].
///
/// Words of up to sixteen bytes, nearly all of any text, are equal if their keys are; only longer
/// ones have to be compared with the buffer.
#[derive(Clone, Copy, Debug)]
struct Slot {
    key: Key,
    id: u32,
}

/// The first sixteen bytes of a word, filled up with zeros, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    head: [u64; 2],
    len: u32,
}

const EMPTY: u32 = u32::MAX;
const NO_SLOT: Slot = Slot { key: Key { head: [0; 2], len: 0 }, id: EMPTY };

/// How many bytes a key holds, and how many must follow a word for
/// [`intern_in`](Vocabulary::intern_in) to be quick.
pub(crate) const HEAD: usize = 16;

impl Vocabulary {
    /// The number of distinct words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no word has been interned.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes that the words take up.
    pub fn text_len(&self) -> usize {
        self.text.len()
    }

    /// Forgets all words and keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.slots.fill(NO_SLOT);
    }

    /// Forgets all words if they have become many, and says whether it did. Called between segments,
    /// where no number is kept.
    pub fn forget_if_large(&mut self) -> bool {
        let large = self.len() > 1 << 16 || self.text_len() > 1 << 20;
        if large {
            self.clear();
        }
        large
    }

    /// The word of a number, or the empty string for a number never given out.
    pub fn word(&self, id: u32) -> &str {
        let idx = id as usize;
        let Some(&end) = self.ends.get(idx) else { return "" };
        let start = if idx == 0 { 0 } else { self.ends[idx - 1] };
        &self.text[start as usize..end as usize]
    }

    /// The number of a word; a new word gets the next one.
    #[inline]
    pub fn intern(&mut self, word: &str) -> u32 {
        let key = Key::of(word.as_bytes());
        self.make_room();
        let at = self.slot(word.as_bytes(), key);
        let id = self.slots[at].id;
        if id != EMPTY { id } else { self.insert(at, key, word) }
    }

    /// The number of the word at bytes `start..end` of a text. The same as [`intern`](Self::intern)
    /// of that part, without a branch on the word's length if [`HEAD`] bytes of text follow its
    /// start, whatever they are.
    #[inline]
    pub(crate) fn intern_in(&mut self, text: &str, start: usize, end: usize) -> u32 {
        let bytes = text.as_bytes();
        let Some(head) = bytes.get(start..).and_then(|rest| rest.first_chunk::<HEAD>()) else {
            return self.intern(text.get(start..end).unwrap_or_default());
        };
        let len = end.saturating_sub(start);
        if len > HEAD {
            return self.intern(text.get(start..end).unwrap_or_default());
        }
        let key = Key::of_head(u128::from_le_bytes(*head), len);
        self.make_room();
        let mask = self.slots.len() - 1;
        let slot = self.slots[key.hash() as usize & mask];
        if slot.key == key && slot.id != EMPTY {
            return slot.id;
        }
        self.intern(text.get(start..end).unwrap_or_default())
    }

    /// Grows the table if it is half full: nearly every word then stands at its own place,
    /// and the first look finds it.
    #[inline]
    fn make_room(&mut self) {
        if self.ends.len() * 2 >= self.slots.len() {
            self.grow();
        }
    }

    #[cold]
    fn insert(&mut self, at: usize, key: Key, word: &str) -> u32 {
        let id = self.ends.len() as u32;
        self.text.push_str(word);
        self.ends.push(self.text.len() as u32);
        self.slots[at] = Slot { key, id };
        id
    }

    /// The number of a word that has been interned.
    pub fn get(&self, word: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let at = self.slot(word.as_bytes(), Key::of(word.as_bytes()));
        Some(self.slots[at].id).filter(|&id| id != EMPTY)
    }

    /// The place where a word stands, or the empty one where it would.
    #[inline]
    fn slot(&self, word: &[u8], key: Key) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash(word, key) as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.id == EMPTY
                || (slot.key == key && (word.len() <= HEAD || self.bytes(slot.id) == word))
            {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The bytes of a word: comparing them needs no look at character borders.
    fn bytes(&self, id: u32) -> &[u8] {
        let idx = id as usize;
        let start = idx.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text.as_bytes()[start as usize..self.ends[idx] as usize]
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(1024);
        let old = std::mem::replace(&mut self.slots, vec![NO_SLOT; size]);
        for slot in old.into_iter().filter(|slot| slot.id != EMPTY) {
            let mut at = hash(self.bytes(slot.id), slot.key) as usize & (size - 1);
            while self.slots[at].id != EMPTY {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = slot;
        }
    }
}

impl Key {
    #[inline]
    fn of(word: &[u8]) -> Key {
        let head = match (word.first_chunk::<16>(), word.split_first_chunk::<8>()) {
            (Some(head), _) => return Key::of_head(u128::from_le_bytes(*head), word.len()),
            (None, Some((head, rest))) => [u64::from_le_bytes(*head), short(rest)],
            (None, None) => [short(word), 0],
        };
        Key { head, len: word.len() as u32 }
    }

    /// The key of a word of which, or of more than which, sixteen bytes are given.
    #[inline]
    fn of_head(head: u128, len: usize) -> Key {
        let head = head & MASKS[len.min(HEAD)];
        Key { head: [head as u64, (head >> 64) as u64], len: len as u32 }
    }

    /// A hash of all that the key holds.
    #[inline]
    fn hash(self) -> u64 {
        let [low, high] = self.head;
        mix(low ^ high.rotate_left(29) ^ u64::from(self.len) << 57)
    }
}

/// The bytes of a head that belong to a word, by the word's length.
const MASKS: [u128; HEAD + 1] = {
    let mut masks = [u128::MAX; HEAD + 1];
    let mut len = 0;
    while len < HEAD {
        masks[len] = (1 << (8 * len)) - 1;
        len += 1;
    }
    masks
};

/// A hash of a whole word.
#[inline]
fn hash(word: &[u8], key: Key) -> u64 {
    let mut hash = key.hash();
    if let Some((_, rest)) = word.split_first_chunk::<HEAD>() {
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

/// Up to seven bytes as a number, by two reads that overlap.
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

/// One round of a multiplicative hash whose high half is well mixed.
#[inline]
fn mix(x: u64) -> u64 {
    let product = u128::from(x ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
    (product as u64) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // Words of every length, alike but for one byte, stay apart.
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
                // The quick way finds the same numbers, whatever follows the word.
                for behind in ["", "x", "y and a good deal more"] {
                    let text = format!("y{other}{behind}");
                    assert_eq!(vocabulary.intern_in(&text, 1, 1 + len), other_id, "{other}");
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
