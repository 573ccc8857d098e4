//! Counting n-grams and their matches, over tokens that are already numbers.
//!
//! The hypothesis becomes a trie: a node is an n-gram, an edge the token that lengthens it. Every
//! reference then walks the trie from each of its positions and stops at the first n-gram that the
//! hypothesis lacks, because no longer one can match either. Matches are counted on the way, clipped
//! to the hypothesis's own count, with the largest count of any reference.
//!
//! What a number stands for (a word, a character) and what is made of the counts is the metrics'
//! business. The time is linear in the tokens times the order; nothing is allocated once the buffers
//! have grown to the longest segment.

/// A token that the hypothesis may not contain: it matches nothing in a reference.
pub const UNKNOWN: u32 = u32::MAX;

/// The n-gram counts of one hypothesis, and what references match of them. A worker keeps one.
#[derive(Clone, Debug, Default)]
pub struct Matcher {
    order: usize,
    n_tokens: usize,
    /// `matches[n - 1]`: n-grams of the hypothesis that references have, clipped.
    matches: Vec<u64>,
    nodes: Vec<Node>,
    /// Open addressing over (node, token). A slot of another generation is empty.
    slots: Vec<Slot>,
    /// The slots in use are the first `mask + 1`: after one long segment the short ones that follow
    /// would otherwise be scattered over memory.
    mask: usize,
    generation: u32,
    /// The number of the reference being read, to tell its counts from those before.
    reference: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    in_hypothesis: u32,
    in_best_reference: u32,
    in_reference: u32,
    /// The reference that `in_reference` belongs to.
    reference: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    generation: u32,
    parent: u32,
    token: u32,
    child: u32,
}

const ROOT: u32 = 0;

impl Matcher {
    /// Starts a segment: counts the n-grams of the hypothesis from 1 up to `order`.
    pub fn hypothesis(&mut self, tokens: &[u32], order: usize) {
        self.order = order;
        self.n_tokens = tokens.len();
        self.matches.clear();
        self.matches.resize(order, 0);
        self.nodes.clear();
        self.nodes.push(Node::default());
        self.reference = 0;
        self.empty_slots(tokens.len().saturating_mul(order));
        for start in 0..tokens.len() {
            let mut node = ROOT;
            for &token in tokens[start..].iter().take(order) {
                node = self.child_or_new(node, token);
                self.nodes[node as usize].in_hypothesis += 1;
            }
        }
    }

    /// Counts what one more reference matches.
    pub fn reference(&mut self, tokens: &[u32]) {
        self.reference += 1;
        let slots = self.slots.get(..=self.mask).unwrap_or_default();
        for start in 0..tokens.len() {
            let mut node = ROOT;
            for (&token, matches) in tokens[start..].iter().zip(&mut self.matches) {
                let Some(child) = find(slots, self.generation, node, token) else { break };
                node = child;
                let counts = &mut self.nodes[node as usize];
                if counts.reference != self.reference {
                    counts.reference = self.reference;
                    counts.in_reference = 0;
                }
                counts.in_reference += 1;
                if counts.in_reference > counts.in_best_reference {
                    counts.in_best_reference = counts.in_reference;
                    *matches += u64::from(counts.in_reference <= counts.in_hypothesis);
                }
            }
        }
    }

    /// The clipped matches of n-grams of length 1, 2, … up to the order.
    pub fn matches(&self) -> &[u64] {
        &self.matches
    }

    /// How many n-grams of length `n` the hypothesis has.
    pub fn total(&self, n: usize) -> u64 {
        total(self.n_tokens, n)
    }

    /// Makes room for `n_nodes` edges at most half filled, without touching old slots if possible.
    fn empty_slots(&mut self, n_nodes: usize) {
        let wanted = (n_nodes * 2).next_power_of_two().max(64);
        if wanted > self.slots.len() || self.generation == u32::MAX {
            self.slots.clear();
            self.slots.resize(wanted, Slot::default());
            self.generation = 0;
        }
        self.mask = wanted - 1;
        self.generation += 1;
    }

    fn child_or_new(&mut self, parent: u32, token: u32) -> u32 {
        let mut at = slot_of(parent, token, self.mask);
        loop {
            let slot = self.slots[at];
            if slot.generation != self.generation {
                break;
            }
            if slot.parent == parent && slot.token == token {
                return slot.child;
            }
            at = (at + 1) & self.mask;
        }
        let child = self.nodes.len() as u32;
        self.nodes.push(Node::default());
        self.slots[at] = Slot { generation: self.generation, parent, token, child };
        child
    }
}

/// How many n-grams of length `n` (from 1) a text of so many tokens has.
pub fn total(n_tokens: usize, n: usize) -> u64 {
    (n_tokens + 1).saturating_sub(n) as u64
}

/// The reference length closest to the hypothesis's, the shorter of two equally close; 0 without any.
pub fn closest_length(hypothesis: usize, references: impl IntoIterator<Item = usize>) -> usize {
    let by_distance = |&length: &usize| (length.abs_diff(hypothesis), length);
    references.into_iter().min_by_key(by_distance).unwrap_or(0)
}

fn find(slots: &[Slot], generation: u32, parent: u32, token: u32) -> Option<u32> {
    let mask = slots.len().checked_sub(1)?;
    let mut at = slot_of(parent, token, mask);
    loop {
        let slot = slots[at];
        if slot.generation != generation {
            return None;
        }
        if slot.parent == parent && slot.token == token {
            return Some(slot.child);
        }
        at = (at + 1) & mask;
    }
}

/// Multiplicative hashing; the high bits are the mixed ones.
fn slot_of(parent: u32, token: u32, mask: usize) -> usize {
    let key = u64::from(parent) << 32 | u64::from(token);
    let mixed = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as usize & mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// The definition, literally.
    fn by_definition(hypothesis: &[u32], references: &[Vec<u32>], order: usize) -> Vec<u64> {
        let counts = |tokens: &[u32], n: usize| {
            let mut counts = BTreeMap::<Vec<u32>, u64>::new();
            tokens.windows(n).for_each(|gram| *counts.entry(gram.to_vec()).or_default() += 1);
            counts
        };
        (1..=order)
            .map(|n| {
                let references: Vec<_> = references.iter().map(|r| counts(r, n)).collect();
                let best = |gram| references.iter().filter_map(|r| r.get(gram)).max().copied();
                counts(hypothesis, n).iter().map(|(gram, &c)| c.min(best(gram).unwrap_or(0))).sum()
            })
            .collect()
    }

    #[test]
    fn matches_are_those_of_the_definition() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888);
            (state >> 33) % below
        };
        let mut matcher = Matcher::default();
        for round in 0..3000 {
            let words = 1 + random(6);
            let longest = if round % 100 == 0 { 300 } else { 14 };
            let mut text =
                || -> Vec<u32> { (0..random(longest)).map(|_| random(words) as u32).collect() };
            let hypothesis = text();
            let references: Vec<Vec<u32>> = (0..3).map(|_| text()).collect();
            let references = &references[..round % 4];
            let order = 1 + round % 6;
            matcher.hypothesis(&hypothesis, order);
            references.iter().for_each(|reference| matcher.reference(reference));
            let expected = by_definition(&hypothesis, references, order);
            assert_eq!(matcher.matches(), expected, "{hypothesis:?} {references:?}");
            for n in 1..=order {
                assert_eq!(matcher.total(n), hypothesis.windows(n).count() as u64);
            }
        }
    }

    #[test]
    fn the_closest_length_is_the_shorter_of_two() {
        assert_eq!(closest_length(5, [7, 3, 9]), 3);
        assert_eq!(closest_length(5, [9, 7, 6]), 6);
        assert_eq!(closest_length(5, []), 0);
    }

    #[test]
    fn unknown_tokens_match_nothing() {
        let mut matcher = Matcher::default();
        matcher.hypothesis(&[1, 2], 2);
        matcher.reference(&[UNKNOWN, 1, UNKNOWN, 2]);
        assert_eq!(matcher.matches(), [2, 0]);
    }
}
