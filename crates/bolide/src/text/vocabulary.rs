//! Words as small integers.
//!
//! Matching compares every word with many others; interning makes that a comparison of integers,
//! and lets stems and synonyms be looked up once per distinct word. A vocabulary belongs to one
//! worker, holds its strings in one buffer and is emptied when it has grown past a bound, so that
//! memory stays flat over any number of segments.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Interned strings, numbered from 0 in order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    text: String,
    ends: Vec<u32>,
    /// Open addressing: the hash and the number of a word, or [`EMPTY`].
    slots: Vec<(u32, u32)>,
}

const EMPTY: u32 = u32::MAX;

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
        self.slots.fill((0, EMPTY));
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
    pub fn intern(&mut self, word: &str) -> u32 {
        // Four words to three slots at most: probes stay short.
        if self.ends.len() * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let hash = hash(word);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let (other, id) = self.slots[at];
            if id == EMPTY {
                break;
            }
            if other == hash && self.bytes(id) == word.as_bytes() {
                return id;
            }
            at = (at + 1) & mask;
        }
        let id = self.ends.len() as u32;
        self.text.push_str(word);
        self.ends.push(self.text.len() as u32);
        self.slots[at] = (hash, id);
        id
    }

    /// The number of a word that has been interned.
    pub fn get(&self, word: &str) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let hash = hash(word);
        let mut at = hash as usize & mask;
        loop {
            let (other, id) = self.slots[at];
            if id == EMPTY {
                return None;
            }
            if other == hash && self.bytes(id) == word.as_bytes() {
                return Some(id);
            }
            at = (at + 1) & mask;
        }
    }

    /// The bytes of a word: comparing them needs no look at character borders.
    fn bytes(&self, id: u32) -> &[u8] {
        let idx = id as usize;
        let start = if idx == 0 { 0 } else { self.ends[idx - 1] as usize };
        &self.text.as_bytes()[start..self.ends[idx] as usize]
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(1024);
        let old = std::mem::replace(&mut self.slots, vec![(0, EMPTY); size]);
        for (hash, id) in old.into_iter().filter(|&(_, id)| id != EMPTY) {
            let mut at = hash as usize & (size - 1);
            while self.slots[at].1 != EMPTY {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = (hash, id);
        }
    }
}

fn hash(word: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(word.as_bytes());
    (hasher.finish() >> 20) as u32
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
        vocabulary.clear();
        assert_eq!(vocabulary.intern("again"), 0);
        assert_eq!(vocabulary.word(1), "");
        assert_eq!(vocabulary.intern(""), 1);
        assert_eq!(vocabulary.word(1), "");
    }
}
