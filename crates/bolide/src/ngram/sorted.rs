//! The same for long lists, by sorting, with little memory.
//!
//! A position becomes a key: the words that start there, 16 bits each, the first one highest. The sorted keys
//! of both lists are merged; the common prefix with the previous key shows which n-grams end, and an n-gram
//! that ends adds the smaller of its two counts. n-grams that start with different words have nothing in
//! common, so keys are made for a few first words at a time, about [`KEYS`] of them.

use crate::stop::Stop;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The trie is better for shorter lists.
const LONG: usize = 1 << 14;
const MAX_ORDER: usize = 8;
const KEYS: usize = 1 << 20;
/// The ends of the lists. No word has these numbers.
const HYPOTHESIS_END: u16 = 0;
const REFERENCE_END: u16 = u16::MAX;

/// Buffers for pairs of long lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorted {
    hypothesis: Side,
    reference: Side,
}

#[derive(Clone, Debug, Default)]
struct Side {
    words: Vec<u16>,
    keys: Vec<u128>,
}

impl Sorted {
    /// Counts like [`super::Overlap::count`]. Returns `false` without counting if the lists are short, the
    /// order is high or there are too many distinct words.
    pub(super) fn count(
        &mut self,
        hypothesis: &[u32],
        reference: &[u32],
        matches: &mut [u64],
        stop: Stop<'_>,
    ) -> bool {
        if hypothesis.len() < LONG || matches.len() > MAX_ORDER {
            return false;
        }
        let mut numbers = FxHashMap::default();
        let Some(n_words) = self.number(hypothesis, reference, &mut numbers) else { return false };
        matches.fill(0);
        for first in first_words(&self.hypothesis.words, &self.reference.words, n_words) {
            if stop.asked() {
                break;
            }
            let order = matches.len();
            self.hypothesis.sort(&first, order, HYPOTHESIS_END);
            self.reference.sort(&first, order, REFERENCE_END);
            walk(&self.hypothesis.keys, &self.reference.keys, matches);
        }
        true
    }

    /// Numbers the words from 1 and returns the next number, unless there are too many.
    fn number(
        &mut self,
        hypothesis: &[u32],
        reference: &[u32],
        numbers: &mut FxHashMap<u32, u16>,
    ) -> Option<u16> {
        let mut next = HYPOTHESIS_END + 1;
        for (side, list) in [(&mut self.hypothesis, hypothesis), (&mut self.reference, reference)] {
            side.words.clear();
            side.words.reserve_exact(list.len());
            for &word in list {
                let number = *numbers.entry(word).or_insert(next);
                if number == next {
                    next = next.checked_add(1)?;
                }
                side.words.push(number);
            }
        }
        Some(next)
    }
}

/// Ranges of first words, each with about as many n-grams as fit.
fn first_words(hypothesis: &[u16], reference: &[u16], n_words: u16) -> Vec<Range<u16>> {
    let mut counts = vec![0usize; usize::from(n_words)];
    hypothesis.iter().chain(reference).for_each(|&word| counts[usize::from(word)] += 1);
    let (mut ranges, mut first, mut n) = (Vec::new(), 0, 0);
    for (word, count) in (0..).zip(counts) {
        if n > 0 && n + count > KEYS {
            ranges.push(first..word);
            (first, n) = (word, 0);
        }
        n += count;
    }
    ranges.push(first..n_words);
    ranges
}

impl Side {
    /// Sorts the keys that start with these words.
    fn sort(&mut self, first: &Range<u16>, order: usize, end: u16) {
        let Side { words, keys } = self;
        let unused = 128 - 16 * order as u32;
        let ends = (0..order).fold(0, |key, _| key << 16 | u128::from(end));
        let mut key = ends;
        keys.clear();
        for &word in words.iter().rev() {
            key = key >> 16 | u128::from(word) << (16 * (order - 1));
            if first.contains(&word) {
                keys.push(key << unused);
            }
        }
        keys.sort_unstable();
    }
}

/// Adds up the n-grams of two sorted lists of keys.
fn walk(hypothesis: &[u128], reference: &[u128], matches: &mut [u64]) {
    let (mut h, mut r) = (0, 0);
    let mut from = [(0, 0); MAX_ORDER];
    let mut before: Option<u128> = None;
    loop {
        let key = match (hypothesis.get(h), reference.get(r)) {
            (Some(&a), Some(&b)) => Some(a.min(b)),
            (a, b) => a.or(b).copied(),
        };
        let common = match (before, key) {
            (Some(before), Some(key)) => (before ^ key).leading_zeros() as usize / 16,
            _ => 0,
        };
        for (matches, from) in matches.iter_mut().zip(&mut from).skip(common) {
            *matches += (h - from.0).min(r - from.1) as u64;
            *from = (h, r);
        }
        let Some(key) = key else { return };
        h += hypothesis[h..].iter().take_while(|&&a| a == key).count();
        r += reference[r..].iter().take_while(|&&b| b == key).count();
        before = Some(key);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Overlap;
    use super::*;
    use bolide_testdata::random::Random;

    #[test]
    fn sorting_counts_what_the_trie_counts() {
        let mut random = Random(7);
        let mut sorted = Sorted::default();
        for (n_words, order) in [(1, 6), (3, 8), (30, 6), (30, 1), (5_000, 2), (1 << 20, 3)] {
            let mut list = || -> Vec<u32> {
                (0..LONG + random.below(1_000)).map(|_| random.below(n_words) as u32).collect()
            };
            let (hypothesis, reference) = (list(), list());
            let (mut found, mut expected) = ([9; 8], [0; 8]);
            let (found, expected) = (&mut found[..order], &mut expected[..order]);
            let fits = sorted.count(&hypothesis, &reference, found, Stop::default());
            assert!(fits, "{n_words}");
            Overlap::default().count(&hypothesis, [&reference[..]], expected);
            assert_eq!(found, expected, "{n_words} words, order {order}");
        }
        // The trie counts what does not fit.
        let many: Vec<u32> = (0..70_000).collect();
        assert!(!sorted.count(&many, &many, &mut [0; 2], Stop::default()));
        assert!(!sorted.count(&many[..9], &many, &mut [0; 2], Stop::default()));
        assert!(!sorted.count(&[1; 1 << 14], &[1; 1 << 14], &mut [0; 9], Stop::default()));
    }

    #[test]
    fn first_words_are_taken_a_few_at_a_time() {
        let words: Vec<u16> = (0..3 * KEYS).map(|at| 1 + (at % 6) as u16).collect();
        assert_eq!(first_words(&words, &[], 7), [0..3, 3..5, 5..7]);
        assert_eq!(first_words(&[1; 10], &[2; 10], 3), vec![0..3; 1]);
    }
}
