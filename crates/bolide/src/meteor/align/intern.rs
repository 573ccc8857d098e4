//! A small open-addressing table that numbers keys in the order they first appear.
//!
//! The aligner numbers words and word pairs for every segment, so the table is made to be
//! restarted cheaply: a generation stamp empties it and only as many slots are touched as the
//! segment needs. The numbers depend on the order of the keys alone, never on the key values,
//! so a result cannot depend on how a caller numbered its words.

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    generation: u32,
    number: u32,
}

/// Numbers keys 0, 1, 2, … by first appearance since the last [`Interner::begin`].
#[derive(Default)]
pub(super) struct Interner {
    slots: Vec<Slot>,
    generation: u32,
    mask: usize,
    shift: u32,
    count: u32,
}

impl Interner {
    /// Forgets every key and makes room for `capacity` of them.
    pub(super) fn begin(&mut self, capacity: usize) {
        let size = (capacity.max(8) * 2).next_power_of_two();
        if self.slots.len() < size {
            self.slots.resize(size, Slot::default());
        }
        if self.generation == u32::MAX {
            self.slots.fill(Slot::default());
            self.generation = 0;
        }
        self.generation += 1;
        self.mask = size - 1;
        self.shift = 64 - size.trailing_zeros();
        self.count = 0;
    }

    /// How many keys have a number.
    pub(super) fn len(&self) -> u32 {
        self.count
    }

    fn slot(&self, key: u64) -> usize {
        // Fibonacci hashing: the high bits of the product are well mixed for consecutive keys,
        // which is what interned words are. The fold lets the high half of a pair count too.
        let folded = key ^ (key >> 29);
        let mut at = (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        loop {
            let slot = &self.slots[at];
            if slot.generation != self.generation || slot.key == key {
                return at;
            }
            at = (at + 1) & self.mask;
        }
    }

    /// The number of `key`, given to it now if it has none.
    #[inline]
    pub(super) fn insert(&mut self, key: u64) -> u32 {
        let at = self.slot(key);
        let slot = &mut self.slots[at];
        if slot.generation != self.generation {
            *slot = Slot { key, generation: self.generation, number: self.count };
            self.count += 1;
        }
        slot.number
    }

    /// The number of `key` if it has one.
    pub(super) fn get(&self, key: u64) -> Option<u32> {
        let slot = &self.slots[self.slot(key)];
        (slot.generation == self.generation).then_some(slot.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_first_appearance_and_restart() {
        let mut table = Interner::default();
        for round in 0..3u64 {
            table.begin(100);
            for key in 0..100u64 {
                assert_eq!(table.insert(key * 7919 + round), key as u32);
            }
            for key in 0..100u64 {
                assert_eq!(table.insert(key * 7919 + round), key as u32);
                assert_eq!(table.get(key * 7919 + round), Some(key as u32));
            }
            assert_eq!(table.get(3), if round == 3 { Some(0) } else { None });
            assert_eq!(table.len(), 100);
        }
    }
}
