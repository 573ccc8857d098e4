//! The near words among many: which words of the reference share enough characters with a word of the hypothesis.
//!
//! Comparing all pairs one by one would be most of the work of a long text. The words of the reference are sorted
//! by length, and sixty-four of them form a block. A block keeps, for each bit of a character set, which of its
//! words have this bit. From these, a few operations count for all words of the block at once how many bits they
//! share with another word. Only words that share enough are compared character by character.

use super::similarity::{LONGEST, Places};
use super::stages::Rules;
use super::words::{Known, Words};

const BLOCK: usize = 64;
/// Digits of the largest count, which is the number of bits of a set.
const DIGITS: usize = 6;

/// A word of the reference.
#[derive(Clone, Copy)]
struct Word {
    known: Known,
    /// The number of bits of its character set.
    n_bits: u32,
    /// Its number in the caller's list.
    number: u32,
}

/// For each bit of a character set, the words of a block that have it.
type Block = [u64; 64];

/// The words of a reference, ready to be compared with many others.
#[derive(Default)]
pub(super) struct Near {
    /// By length.
    words: Vec<Word>,
    blocks: Vec<Block>,
    places: Places,
}

impl Near {
    /// Replaces the words; the place of a word in the list is its number.
    pub fn fill(&mut self, list: impl Iterator<Item = Known>, rules: &Rules) {
        self.words.clear();
        let possible = rules.shared..=LONGEST as u32;
        let words = (0..).zip(list).filter(|(_, known)| possible.contains(&known.len));
        self.words.extend(words.map(|(number, known)| Word {
            known,
            n_bits: known.set.count_ones(),
            number,
        }));
        self.words.sort_unstable_by_key(|word| (word.known.len, word.number));
        self.blocks.clear();
        for words in self.words.chunks(BLOCK) {
            let mut block = [0; 64];
            for (at, word) in words.iter().enumerate() {
                for bit in bits(word.known.set) {
                    block[bit] |= 1 << at;
                }
            }
            self.blocks.push(block);
        }
    }

    /// Calls `each` with the numbers of all words that are near this one.
    pub fn find(&mut self, other: Known, rules: &Rules, of: &Words, mut each: impl FnMut(u32)) {
        let Some(lengths) = rules.lengths(other.len) else { return };
        let n_bits = other.set.count_ones();
        let mut is_placed = false;
        for (words, block) in self.words.chunks(BLOCK).zip(&self.blocks) {
            let length = |word: Option<&Word>| word.map_or(0, |word| word.known.len);
            let shortest = length(words.first()).max(*lengths.start());
            if shortest > *lengths.end() {
                break;
            }
            if shortest > length(words.last()) {
                continue;
            }
            // Each bit that only one of two words has stands for a character of it that is not shared.
            let fewest = rules.fewest(other.len + shortest);
            let all = u64::MAX >> (BLOCK - words.len());
            let possible = match (n_bits + fewest).saturating_sub(other.len) {
                0 => all,
                needed => with_bits(block, other.set, needed),
            };
            for word in bits(possible).filter_map(|at| words.get(at)) {
                let fewest = rules.fewest(other.len + word.known.len);
                let common = (other.set & word.known.set).count_ones();
                if fewest > other.len.min(word.known.len)
                    || common + other.len < fewest + n_bits
                    || common + word.known.len < fewest + word.n_bits
                {
                    continue;
                }
                if !std::mem::replace(&mut is_placed, true) {
                    self.places.fill(of.characters(other));
                }
                if self.places.common(of.characters(word.known)) >= fewest {
                    each(word.number);
                }
            }
        }
    }
}

/// The positions of the bits of a set.
#[inline]
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// The words of a block that have at least `needed` bits of a set, which is 1 or more.
#[inline]
fn with_bits(block: &Block, set: u64, needed: u32) -> u64 {
    // The number of binary digits that counts below `needed` have.
    match u32::BITS - (needed - 1).leading_zeros() {
        0 => count::<0>(block, set, needed),
        1 => count::<1>(block, set, needed),
        2 => count::<2>(block, set, needed),
        3 => count::<3>(block, set, needed),
        _ => count::<DIGITS>(block, set, needed),
    }
}

/// Counts in binary, each digit of the counts of all words in one number. The counts start so that they overflow
/// when they reach `needed`.
#[inline]
fn count<const N: usize>(block: &Block, set: u64, needed: u32) -> u64 {
    let start = (1 << N) - needed;
    let mut digits = [0; N];
    for (at, digit) in digits.iter_mut().enumerate() {
        *digit = if start >> at & 1 == 1 { u64::MAX } else { 0 };
    }
    bits(set).fold(0, |reached, bit| {
        let mut carry = block[bit];
        for digit in &mut digits {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
        reached | carry
    })
}

#[cfg(test)]
mod tests {
    use super::super::similarity::common;
    use super::*;
    use bolide_testdata::random::Random;

    #[test]
    fn bits_are_counted_for_all_words_of_a_block() {
        let mut random = Random(26);
        for _ in 0..200 {
            let mut block = [0; 64];
            for bit in &mut block {
                *bit = random.bits() & random.bits();
            }
            let set = random.bits() & random.bits();
            for needed in 1..=set.count_ones() + 1 {
                let found = with_bits(&block, set, needed.min(64));
                for at in 0..64 {
                    let n = bits(set).filter(|&bit| block[bit] >> at & 1 == 1).count() as u32;
                    assert_eq!(found >> at & 1 == 1, n >= needed.min(64), "{at} {needed}");
                }
            }
        }
        assert_eq!(with_bits(&[u64::MAX; 64], u64::MAX, 64), u64::MAX);
    }

    /// Every word that the definition calls near is found, and no other, whatever the rules.
    #[test]
    fn near_words_are_those_of_the_definition() {
        let mut random = Random(2026);
        let mut words = Words::default();
        let mut list = Vec::new();
        for letters in [&['a', 'b', 'c'][..], &['e', 'é', 'n', 's', 't', 'ж', '語', 'r', 'i', 'ﬀ']]
        {
            for n in 0..150 {
                let longest = if n % 10 == 0 { 300 } else { 12 };
                list.push(words.intern(&random.word(letters, longest)));
            }
        }
        list.sort_unstable();
        list.dedup();
        let list: Vec<Known> = list.into_iter().map(|word| words.known(word)).collect();
        let mut near = Near::default();
        for (percent, shared) in [(60, 3), (0, 1), (100, 1), (1, 200), (40, 2), (95, 5)] {
            let rules = Rules { near: percent, shared, credits: [100; 4], punctuation: 10 };
            near.fill(list.iter().copied(), &rules);
            for &one in &list {
                let mut found = Vec::new();
                near.find(one, &rules, &words, |number| found.push(number));
                found.sort_unstable();
                let is_near = |&(_, other): &(u32, &Known)| {
                    let n = common(words.characters(one), words.characters(*other));
                    n >= shared && 200 * n >= percent * (one.len + other.len)
                };
                let expected = (0..).zip(&list).filter(is_near).map(|(number, _)| number);
                assert_eq!(found, expected.collect::<Vec<u32>>(), "{percent} {shared} {one:?}");
            }
        }
    }
}
