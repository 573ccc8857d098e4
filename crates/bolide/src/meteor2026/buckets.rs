//! Which words have a given property: a table from numbers to the words listed under them.
//!
//! The matcher asks it for the words with the same key and for the words of a synset, instead of comparing all
//! pairs. It is filled anew for every segment, so its memory is reused.

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Entry {
    key: u32,
    word: u32,
    /// The next entry of the bucket, or [`NONE`].
    next: u32,
}

/// Words listed under numbers.
#[derive(Default)]
pub(super) struct Buckets {
    entries: Vec<Entry>,
    /// The first entry of every bucket, or [`NONE`]; as many buckets as a power of two.
    heads: Vec<u32>,
}

impl Buckets {
    /// Forgets all words.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Lists a word under a number. [`index`](Self::index) must be called before it is found.
    pub fn insert(&mut self, key: u32, word: u32) {
        self.entries.push(Entry { key, word, next: NONE });
    }

    /// Makes all words that were inserted available.
    pub fn index(&mut self) {
        self.heads.clear();
        self.heads.resize(self.entries.len().next_power_of_two().max(2), NONE);
        for at in 0..self.entries.len() {
            let bucket = self.bucket(self.entries[at].key);
            self.entries[at].next = std::mem::replace(&mut self.heads[bucket], at as u32);
        }
    }

    /// The words under a number, as often as they were inserted.
    #[inline]
    pub fn get(&self, key: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = self.heads.get(self.bucket(key)).copied().unwrap_or(NONE);
        let all = std::iter::from_fn(move || {
            let &entry = self.entries.get(at as usize)?;
            at = entry.next;
            Some(entry)
        });
        all.filter(move |entry| entry.key == key).map(|entry| entry.word)
    }

    #[inline]
    fn bucket(&self, key: u32) -> usize {
        // Synset numbers and word numbers come in runs; the high bits of the product are well mixed.
        let mixed = u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        mixed as usize & self.heads.len().wrapping_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_of_a_number_are_found_and_no_others() {
        let mut buckets = Buckets::default();
        assert_eq!(buckets.get(7).count(), 0);
        for round in 0..3 {
            buckets.clear();
            for word in 0..1_000 {
                buckets.insert(word % 37 * 1_000, word + round);
            }
            buckets.index();
            for key in 0..37_000 {
                let mut found: Vec<u32> = buckets.get(key).collect();
                found.sort_unstable();
                let expected = (0..1_000).filter(|word| word % 37 * 1_000 == key);
                assert_eq!(found, expected.map(|word| word + round).collect::<Vec<_>>());
            }
        }
        buckets.clear();
        buckets.index();
        assert_eq!(buckets.get(0).count(), 0);
    }
}
