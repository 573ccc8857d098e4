//! The columns of every group with their prices, and the cheapest of each.
//!
//! In a sweep prices change all the time, and every row asks for the cheapest column of its group. Each group has a block of
//! eight prices, the *keys*. Comparing eight takes less time than knowing how many there are. In a group with more columns, each
//! key stands for the cheapest of a *part* of them.

use super::bids::dearer;
use super::bigrams::Bigrams;
use super::duo::{NONE, refill};

/// The keys of a block.
const BLOCK: usize = 8;

/// The key where no column stands.
const NOTHING: i16 = i16::MAX;

/// Marks what belongs to a part.
const SHARED: u32 = 1 << 31;

/// Columns that share a key: the number of the key, and their range among all that share one.
struct Part {
    key: u32,
    start: u32,
    end: u32,
}

/// The columns of all groups, with prices.
#[derive(Default)]
pub(super) struct Columns {
    /// The keys of every group, and a block that nobody looks at.
    blocks: Vec<[i16; BLOCK]>,
    /// The column of each key, or the part.
    of_key: Vec<[u32; BLOCK]>,
    /// The columns that have a key of their own, and its number.
    single: Vec<(u32, u32)>,
    parts: Vec<Part>,
    /// The columns that share a key, the part of each and its price.
    shared: Vec<(u32, u32)>,
    prices: Vec<i16>,
    /// Where each reference word has its price, as the first word of a column and as the second: a key, or a column that
    /// shares one.
    places: Vec<[u32; 2]>,
}

impl Columns {
    /// Begins with the columns of these groups among `n_words` reference words, without prices.
    pub(super) fn begin(&mut self, bigrams: &Bigrams, n_words: usize) {
        let nowhere = (bigrams.len() * BLOCK) as u32;
        refill(&mut self.blocks, bigrams.len() + 1, [NOTHING; BLOCK]);
        refill(&mut self.of_key, bigrams.len(), [NONE; BLOCK]);
        refill(&mut self.places, n_words + 1, [nowhere; 2]);
        self.single.clear();
        self.parts.clear();
        self.shared.clear();
        for group in 0..bigrams.len() as u32 {
            let members = bigrams.of(group);
            let key = group * BLOCK as u32;
            let first = if members.len() <= BLOCK {
                self.single.extend(members.iter().copied().zip(key..));
                self.of_key[group as usize][..members.len()].copy_from_slice(members);
                key
            } else {
                self.share(members, key)
            };
            for (&j, place) in members.iter().zip(first..) {
                self.places[j as usize][0] = place;
                self.places[j as usize + 1][1] = place;
            }
        }
        refill(&mut self.prices, self.shared.len(), 0);
    }

    /// Divides the columns of a group among the eight keys from `key` on; returns the place of the first.
    fn share(&mut self, members: &[u32], key: u32) -> u32 {
        let first = SHARED | self.shared.len() as u32;
        for (part, key) in members.chunks(members.len().div_ceil(BLOCK)).zip(key..) {
            let number = self.parts.len() as u32;
            let start = self.shared.len() as u32;
            self.shared.extend(part.iter().map(|&j| (j, number)));
            self.parts.push(Part { key, start, end: self.shared.len() as u32 });
            self.of_key[key as usize / BLOCK][key as usize % BLOCK] = SHARED | number;
        }
        first
    }

    /// Reads all prices again.
    pub(super) fn read(&mut self, prices: &[i16]) {
        let price = |j: u32| dearer(prices[j as usize], prices[j as usize + 1]);
        let keys = self.blocks.as_flattened_mut();
        for &(j, key) in &self.single {
            keys[key as usize] = price(j);
        }
        for (&(j, _), slot) in self.shared.iter().zip(&mut self.prices) {
            *slot = price(j);
        }
        for part in 0..self.parts.len() {
            self.read_part(part);
        }
    }

    /// The price of the cheapest column of a group.
    #[inline]
    pub(super) fn least(&self, group: u32) -> i32 {
        i32::from(least(&self.blocks[group as usize]))
    }

    /// The cheapest column of a group, the first of equals.
    #[inline]
    pub(super) fn cheapest(&self, group: u32) -> u32 {
        let block = &self.blocks[group as usize];
        let least = least(block);
        let is_least =
            (0..).zip(block).fold(0u32, |set, (at, &key)| set | u32::from(key == least) << at);
        let column = self.of_key[group as usize][is_least.trailing_zeros() as usize % BLOCK];
        if column & SHARED == 0 { column } else { self.cheapest_of((column & !SHARED) as usize) }
    }

    fn cheapest_of(&self, part: usize) -> u32 {
        let Part { start, end, .. } = self.parts[part];
        let cheapest = (start as usize..end as usize).min_by_key(|&at| self.prices[at]);
        cheapest.map_or(NONE, |at| self.shared[at].0)
    }

    /// Makes a word dearer.
    #[inline]
    pub(super) fn raise(&mut self, word: u32, step: i16) {
        for place in self.places[word as usize] {
            if place & SHARED == 0 {
                let key = &mut self.blocks.as_flattened_mut()[place as usize];
                *key = dearer(*key, step);
            } else {
                self.raise_shared((place & !SHARED) as usize, step);
            }
        }
    }

    fn raise_shared(&mut self, at: usize, step: i16) {
        let before = self.prices[at];
        self.prices[at] = dearer(before, step);
        let part = self.shared[at].1 as usize;
        let key = self.parts[part].key as usize;
        // A key tells of the cheapest only.
        if self.blocks.as_flattened()[key] == before {
            self.read_part(part);
        }
    }

    /// Finds the cheapest of the columns that share a key.
    fn read_part(&mut self, part: usize) {
        let Part { key, start, end } = self.parts[part];
        let prices = &self.prices[start as usize..end as usize];
        let least = prices.iter().fold(NOTHING, |least, &price| least.min(price));
        self.blocks.as_flattened_mut()[key as usize] = least;
    }
}

/// The least key of a block.
#[inline]
fn least(block: &[i16; BLOCK]) -> i16 {
    let four: [i16; 4] = std::array::from_fn(|at| block[at].min(block[at + 4]));
    let two = [four[0].min(four[2]), four[1].min(four[3])];
    two[0].min(two[1])
}

#[cfg(test)]
mod tests {
    use super::super::intern::Interner;
    use super::*;

    #[test]
    fn the_cheapest_column_is_known_after_every_change() {
        // "0 1" stands 20 times in the reference, more often than a block has keys; "2 3" three times.
        let reference: Vec<u32> = [0, 1].repeat(20).into_iter().chain([2, 3].repeat(3)).collect();
        let mut bigrams = Bigrams::default();
        bigrams.read(&[0, 1, 2, 3], &reference, &mut Interner::default());
        let mut prices: Vec<i16> = (0..=reference.len() as i16).map(|at| at * 37 % 101).collect();
        let mut columns = Columns::default();
        columns.begin(&bigrams, reference.len());
        columns.read(&prices);
        let mut state = 1_u32;
        for _ in 0..500 {
            for group in 0..bigrams.len() as u32 {
                let price = |j: u32| prices[j as usize] + prices[j as usize + 1];
                let least = bigrams.of(group).iter().map(|&j| price(j)).min().unwrap();
                assert_eq!(columns.least(group), i32::from(least));
                assert_eq!(price(columns.cheapest(group)), least);
            }
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let word = (state >> 16) % reference.len() as u32;
            prices[word as usize] += 29;
            columns.raise(word, 29);
        }
    }
}
