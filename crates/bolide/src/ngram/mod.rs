//! Clipped n-gram matches between lists of integers, for BLEU, ROUGE-N and the word n-grams of chrF.
//!
//! An n-gram is a node of a trie: the node of its first n − 1 words and its last word. The trie is one flat
//! hash table that is emptied by incrementing a generation number, so nothing is allocated or cleared between
//! segments. Only n-grams of the hypothesis are entered; a reference follows them as far as they go, and most
//! of its positions drop out after an order or two. Long lists are sorted instead ([`Overlap::count_one`]).

mod sorted;

use crate::stop::Stop;
use sorted::Sorted;

/// Counts matches and keeps the memory between calls.
#[derive(Clone, Debug, Default)]
pub struct Overlap {
    short: Short,
    sorted: Sorted,
    slots: Vec<Slot>,
    /// Slots of another generation count as empty.
    generation: u32,
    nodes: Vec<Node>,
    /// The first node of each order.
    orders: Vec<u32>,
    /// For each position, the node of the n-gram that starts there.
    row: Vec<u32>,
    /// Positions of a reference whose n-gram occurs in the hypothesis, with its node.
    alive: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    parent: u32,
    word: u32,
    node: u32,
    generation: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Occurrences in the hypothesis.
    count: u32,
    /// The most occurrences in one reference.
    best: u32,
    /// Occurrences in the reference that was seen last, and the number of that reference, from 1.
    current: u32,
    reference: u32,
}

/// The parent of the unigrams.
const ROOT: u32 = u32::MAX;

impl Overlap {
    /// Sets `matches[n − 1]` to the matches of order n, for as many orders as there are fields: the
    /// sum over the distinct n-grams of the hypothesis of the smaller of its count there and its
    /// largest count in one reference.
    ///
    /// ```
    /// let mut matches = [0; 2];
    /// let references: [&[u32]; 2] = [&[1, 2, 3], &[2, 2]];
    /// bolide::unstable::ngram::Overlap::default().count(&[2, 2, 3], references, &mut matches);
    /// assert_eq!(matches, [3, 2]);
    /// ```
    pub fn count<'r>(
        &mut self,
        hypothesis: &[u32],
        references: impl IntoIterator<Item = &'r [u32]>,
        matches: &mut [u64],
    ) {
        matches.fill(0);
        if Short::takes(hypothesis) {
            return self.short.count(hypothesis, references, matches);
        }
        self.enter(hypothesis, matches.len());
        for (idx, reference) in references.into_iter().enumerate() {
            self.follow(reference, idx as u32 + 1, matches.len());
        }
        for (order, sum) in matches.iter_mut().enumerate() {
            let (Some(&from), Some(&to)) = (self.orders.get(order), self.orders.get(order + 1))
            else {
                continue;
            };
            let nodes = &self.nodes[from as usize..to as usize];
            *sum = nodes.iter().map(|node| u64::from(node.count.min(node.best))).sum();
        }
    }

    /// The same for one reference, in less memory if both lists are long.
    pub fn count_one(
        &mut self,
        hypothesis: &[u32],
        reference: &[u32],
        matches: &mut [u64],
        stop: Stop<'_>,
    ) {
        if !self.sorted.count(hypothesis, reference, matches, stop) {
            self.count(hypothesis, [reference], matches);
        }
    }

    /// Builds the trie of the hypothesis.
    fn enter(&mut self, words: &[u32], max_order: usize) {
        self.nodes.clear();
        self.orders.clear();
        self.reserve(words.len() * max_order);
        self.row.clear();
        self.row.resize(words.len(), ROOT);
        for order in 0..max_order {
            self.orders.push(self.nodes.len() as u32);
            let Some(ends) = words.get(order..) else { continue };
            for (at, &word) in ends.iter().enumerate() {
                self.row[at] = self.child_or_new(self.row[at], word);
            }
        }
        self.orders.push(self.nodes.len() as u32);
    }

    /// Counts the n-grams of one reference that the hypothesis has.
    fn follow(&mut self, words: &[u32], reference: u32, max_order: usize) {
        let mut alive = std::mem::take(&mut self.alive);
        alive.clear();
        alive.extend((0..words.len() as u32).map(|at| (at, ROOT)));
        for order in 0..max_order {
            let mut n_alive = 0;
            for idx in 0..alive.len() {
                let (at, parent) = alive[idx];
                // Positions rise, so the first n-gram that runs past the end ends the order.
                let Some(&word) = words.get(at as usize + order) else { break };
                let Some(id) = self.child(parent, word) else { continue };
                let node = &mut self.nodes[id as usize];
                if node.reference != reference {
                    node.reference = reference;
                    node.current = 0;
                }
                node.current += 1;
                node.best = node.best.max(node.current);
                alive[n_alive] = (at, id);
                n_alive += 1;
            }
            alive.truncate(n_alive);
        }
        self.alive = alive;
    }

    /// Makes room for a number of n-grams at a load of at most one half, and empties the table.
    fn reserve(&mut self, n_ngrams: usize) {
        let size = (n_ngrams * 2).next_power_of_two().max(64);
        self.generation = self.generation.wrapping_add(1);
        if self.slots.len() < size || self.generation == 0 {
            self.slots.clear();
            self.slots.resize(size.max(self.slots.capacity().next_power_of_two()), Slot::default());
            self.generation = 1;
        }
    }

    fn child_or_new(&mut self, parent: u32, word: u32) -> u32 {
        let mut at = self.place(parent, word);
        let mask = self.slots.len() - 1;
        loop {
            let slot = &mut self.slots[at];
            if slot.generation != self.generation {
                let node = self.nodes.len() as u32;
                *slot = Slot { parent, word, node, generation: self.generation };
                self.nodes.push(Node { count: 1, ..Node::default() });
                return node;
            }
            if slot.parent == parent && slot.word == word {
                self.nodes[slot.node as usize].count += 1;
                return slot.node;
            }
            at = (at + 1) & mask;
        }
    }

    fn child(&self, parent: u32, word: u32) -> Option<u32> {
        let mut at = self.place(parent, word);
        let mask = self.slots.len() - 1;
        loop {
            let slot = &self.slots[at];
            if slot.generation != self.generation {
                return None;
            }
            if slot.parent == parent && slot.word == word {
                return Some(slot.node);
            }
            at = (at + 1) & mask;
        }
    }

    /// The slot where the search for an n-gram starts. The table has a power of two of slots.
    fn place(&self, parent: u32, word: u32) -> usize {
        let key = u64::from(parent) << 32 | u64::from(word);
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The high bits depend on all bits of the key; folding them down uses both halves.
        ((hash >> 32) ^ (hash >> 15)) as usize & (self.slots.len() - 1)
    }
}

/// The same for hypotheses of at most 64 words, with a bit for each of their positions.
///
/// A position of a reference has the set of hypothesis positions where the same n-gram starts; the set of the
/// next order is this set without the positions that continue with another word. Every reference n-gram then
/// takes the first free position of its set, and the taken positions are the clipped matches.
#[derive(Clone, Debug, Default)]
struct Short {
    /// For each word, its positions in the hypothesis; all empty between calls.
    positions: Vec<u64>,
    /// For each reference position, the positions of its word and of its n-gram.
    words: Vec<u64>,
    ngrams: Vec<u64>,
    /// For each order, the positions that a reference has taken. A reference with fewer copies of an n-gram
    /// takes a prefix of what one with more copies takes, so together they take what the richest one does.
    taken: Vec<u64>,
}

impl Short {
    /// Word numbers must be small, because each has an entry in a list.
    const MOST_NUMBERS: u32 = 1 << 20;

    fn takes(hypothesis: &[u32]) -> bool {
        hypothesis.len() <= 64 && hypothesis.iter().all(|&word| word < Self::MOST_NUMBERS)
    }

    fn count<'r>(
        &mut self,
        hypothesis: &[u32],
        references: impl IntoIterator<Item = &'r [u32]>,
        matches: &mut [u64],
    ) {
        let Short { positions, words, ngrams, taken } = self;
        let most = hypothesis.iter().max().map_or(0, |&word| word as usize + 1);
        if positions.len() < most {
            positions.resize(most.next_power_of_two(), 0);
        }
        for (at, &word) in hypothesis.iter().enumerate() {
            positions[word as usize] |= 1 << at;
        }
        taken.clear();
        taken.resize(matches.len(), 0);
        for reference in references {
            let of_word = |word: &u32| positions.get(*word as usize).copied().unwrap_or(0);
            words.clear();
            words.extend(reference.iter().map(of_word));
            ngrams.clear();
            ngrams.extend_from_slice(words);
            for (order, taken) in taken.iter_mut().enumerate() {
                let mut own = 0;
                let ends = words.iter().skip(order);
                for (ngram, &end) in ngrams.iter_mut().zip(ends) {
                    *ngram &= end.checked_shr(order as u32).unwrap_or(0);
                    let free = *ngram & !own;
                    own |= free & free.wrapping_neg();
                }
                *taken |= own;
            }
        }
        for (sum, taken) in matches.iter_mut().zip(taken) {
            *sum = u64::from(taken.count_ones());
        }
        for &word in hypothesis {
            positions[word as usize] = 0;
        }
    }
}

/// The n-grams of many lists, each counted once, for comparing every list with every other.
#[derive(Clone, Debug, Default)]
pub struct Profiles {
    max_order: usize,
    /// For each list and order, the n-grams with their counts, in one buffer, and the end of each range.
    ngrams: Vec<(u32, u32)>,
    ends: Vec<usize>,
    /// The counts of the chosen list by n-gram; all zero in between.
    counts: Vec<u32>,
    loaded: Option<usize>,
}

impl Profiles {
    /// Counts the n-grams of all lists, up to an order.
    pub fn new<'l>(lists: impl IntoIterator<Item = &'l [u32]>, max_order: usize) -> Self {
        let lists: Vec<&[u32]> = lists.into_iter().collect();
        let n_words: usize = lists.iter().map(|list| list.len()).sum();
        let mut trie = Overlap::default();
        trie.reserve(n_words * max_order);
        let mut profiles = Profiles { max_order, ..Profiles::default() };
        let mut row = Vec::new();
        for list in &lists {
            row.clear();
            row.resize(list.len(), ROOT);
            for order in 0..max_order {
                let words = list.get(order..).unwrap_or_default();
                for (at, &word) in words.iter().enumerate() {
                    row[at] = trie.child_or_new(row[at], word);
                }
                row.truncate(words.len());
                let start = profiles.ngrams.len();
                let mut sorted = row.clone();
                sorted.sort_unstable();
                for &ngram in &sorted {
                    match profiles.ngrams[start..].last_mut() {
                        Some((last, count)) if *last == ngram => *count += 1,
                        _ => profiles.ngrams.push((ngram, 1)),
                    }
                }
                profiles.ends.push(profiles.ngrams.len());
            }
        }
        profiles.counts.resize(trie.nodes.len(), 0);
        profiles
    }

    /// Chooses the list to compare the others with.
    pub fn load(&mut self, list: usize) {
        if let Some(loaded) = self.loaded.replace(list) {
            self.set(loaded, |_| 0);
        }
        self.set(list, |count| count);
    }

    fn set(&mut self, list: usize, value: impl Fn(u32) -> u32) {
        for order in 0..self.max_order {
            let range = self.range(list, order);
            for &(ngram, count) in &self.ngrams[range] {
                self.counts[ngram as usize] = value(count);
            }
        }
    }

    /// Sets `matches[n − 1]` to the matches of order n between a list and the chosen one.
    pub fn count(&self, list: usize, matches: &mut [u64]) {
        for (order, sum) in matches.iter_mut().enumerate().take(self.max_order) {
            let ngrams = &self.ngrams[self.range(list, order)];
            *sum = ngrams
                .iter()
                .map(|&(ngram, count)| u64::from(count.min(self.counts[ngram as usize])))
                .sum();
        }
    }

    /// The range of the n-grams of a list and order; empty if there is no such list.
    fn range(&self, list: usize, order: usize) -> std::ops::Range<usize> {
        let at = list * self.max_order + order;
        let Some(&end) = self.ends.get(at) else { return 0..0 };
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bolide_testdata::random::Random;
    use std::collections::BTreeMap;

    /// Directly from the definition.
    fn plainly(hypothesis: &[u32], references: &[Vec<u32>], order: usize) -> u64 {
        let counts = |words: &[u32]| -> BTreeMap<Vec<u32>, u64> {
            let mut counts = BTreeMap::new();
            for ngram in words.windows(order) {
                *counts.entry(ngram.to_vec()).or_default() += 1;
            }
            counts
        };
        let references: Vec<_> = references.iter().map(|r| counts(r)).collect();
        counts(hypothesis)
            .iter()
            .map(|(ngram, &count)| {
                let best = references.iter().map(|r| r.get(ngram).copied().unwrap_or(0)).max();
                count.min(best.unwrap_or(0))
            })
            .sum()
    }

    #[test]
    fn matches_are_those_of_the_definition() {
        let mut random = Random(1);
        let mut below = |n: usize| random.below(n);
        let mut overlap = Overlap::default();
        for round in 0..2000 {
            let n_words = 1 + below(6) * (1 + round % 40);
            let mut list = |longest: usize| -> Vec<u32> {
                (0..below(longest)).map(|_| below(n_words) as u32).collect()
            };
            // Lengths on both sides of the limit for bits.
            let hypothesis = list(if round % 2 == 0 { 66 } else { 150 });
            let references = [list(60), list(30), list(5)];
            let references = &references[..1 + round % 3];
            let mut matches = [9; 5];
            overlap.count(&hypothesis, references.iter().map(Vec::as_slice), &mut matches);
            for (at, &n) in matches.iter().enumerate() {
                assert_eq!(n, plainly(&hypothesis, references, at + 1), "order {}", at + 1);
            }
            let lists = std::iter::once(&hypothesis).chain(references).map(Vec::as_slice);
            let mut profiles = Profiles::new(lists, 5);
            for (idx, reference) in references.iter().enumerate() {
                profiles.load(idx + 1);
                profiles.count(0, &mut matches);
                for (at, &n) in matches.iter().enumerate() {
                    assert_eq!(n, plainly(&hypothesis, std::slice::from_ref(reference), at + 1));
                }
            }
        }
    }

    #[test]
    fn empty_lists_match_nothing() {
        let mut matches = [7; 3];
        let none: [&[u32]; 1] = [&[]];
        Overlap::default().count(&[], none, &mut matches);
        assert_eq!(matches, [0; 3]);
        Overlap::default().count(&[1], none, &mut matches);
        assert_eq!(matches, [0; 3]);
    }
}
