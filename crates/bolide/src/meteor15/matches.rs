//! The matchers: every module proposes matches independently of the others.
//!
//! The order of the proposals and their repeats affect the result, because the search breaks ties by them:
//! modules in their configured order, reference position by reference position, and for paraphrases first
//! those of the reference's phrases, then those of the hypothesis's.

use super::language::Module;
use super::paraphrase::{NO_WORD, Node, View, WordId};
use super::words::{Id, Words};

/// A proposal: words of the reference that match words of the hypothesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// First word in the reference.
    pub start: u32,
    /// Words in the reference.
    pub length: u32,
    /// First word in the hypothesis.
    pub hypothesis_start: u32,
    /// Words in the hypothesis.
    pub hypothesis_length: u32,
    /// Position of the module in the configured list.
    pub module: u32,
}

impl Match {
    /// One word for one word.
    pub(super) fn single(start: u32, hypothesis_start: u32, module: u32) -> Self {
        Match { start, length: 1, hypothesis_start, hypothesis_length: 1, module }
    }

    /// How far the match moves its words.
    pub(super) fn distance(&self) -> u32 {
        self.start.abs_diff(self.hypothesis_start)
    }
}

/// All proposals of a pair, grouped by their start in the reference.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// In the order they were proposed.
    found: Vec<Match>,
    /// Grouped by start, in order.
    pub(super) matches: Vec<Match>,
    /// For each reference position the start of its group; last, the end.
    pub(super) first: Vec<u32>,
    /// The number of proposals that touch each word.
    pub(super) reference_coverage: Vec<u32>,
    pub(super) hypothesis_coverage: Vec<u32>,
    hypothesis_keys: Vec<u32>,
    places: Places,
    /// By hypothesis position: the last reference position that it was found for, plus one.
    seen: Vec<u32>,
    phrases: Phrases,
}

impl Candidates {
    /// Forgets what was cached for a table.
    pub(super) fn forget_table(&mut self) {
        self.phrases.steps.clear();
    }

    /// The proposals that start at a reference position.
    pub(super) fn at(&self, position: usize) -> std::ops::Range<usize> {
        self.first[position] as usize..self.first[position + 1] as usize
    }

    /// Runs the modules over a pair.
    pub(super) fn collect(
        &mut self,
        hypothesis: &[Id],
        reference: &[Id],
        modules: &[Module],
        words: &Words,
        table: Option<&View<'_>>,
    ) {
        self.found.clear();
        self.hypothesis_keys.clear();
        self.hypothesis_keys.extend(hypothesis.iter().map(|&id| words.get(id).key));
        // Identical sentences are matched only by the first module, so that no search can split them.
        let identical = hypothesis.len() == reference.len()
            && reference.iter().zip(&self.hypothesis_keys).all(|(&id, &k)| words.get(id).key == k);
        let modules = if identical { modules.get(..1).unwrap_or_default() } else { modules };
        for (module, kind) in modules.iter().enumerate() {
            let module = module as u32;
            match kind {
                Module::Exact => self.exact(reference, words, module),
                Module::Stem => self.stem(hypothesis, reference, words, module),
                Module::Synonym => self.synonym(hypothesis, reference, words, module),
                Module::Paraphrase => {
                    if let Some(table) = table {
                        self.phrases.propose(
                            hypothesis,
                            reference,
                            words,
                            table,
                            module,
                            &mut self.found,
                        );
                    }
                }
            }
        }
        self.group(hypothesis.len(), reference.len());
    }

    /// Takes proposals as given.
    #[cfg(test)]
    pub(super) fn set(&mut self, found: &[Match], n_hypothesis: usize, n_reference: usize) {
        self.found = found.to_vec();
        self.group(n_hypothesis, n_reference);
    }

    #[inline(never)]
    fn exact(&mut self, reference: &[Id], words: &Words, module: u32) {
        self.places.clear(words.counts()[0]);
        for (at, &key) in self.hypothesis_keys.iter().enumerate().rev() {
            self.places.add(key, at);
        }
        for (start, &id) in reference.iter().enumerate() {
            for at in self.places.of(words.get(id).key) {
                self.found.push(Match::single(start as u32, at as u32, module));
            }
        }
    }

    #[inline(never)]
    fn stem(&mut self, hypothesis: &[Id], reference: &[Id], words: &Words, module: u32) {
        self.places.clear(words.counts()[1]);
        for (at, &id) in hypothesis.iter().enumerate().rev() {
            self.places.add(words.get(id).stem, at);
        }
        for (start, &id) in reference.iter().enumerate() {
            let word = words.get(id);
            for at in self.places.of(word.stem) {
                if self.hypothesis_keys[at] != word.key {
                    self.found.push(Match::single(start as u32, at as u32, module));
                }
            }
        }
    }

    /// Words that share a synset.
    #[inline(never)]
    fn synonym(&mut self, hypothesis: &[Id], reference: &[Id], words: &Words, module: u32) {
        self.places.clear(words.counts()[2]);
        for (at, &id) in hypothesis.iter().enumerate() {
            for &synset in words.synsets(words.get(id)) {
                self.places.add(synset, at);
            }
        }
        self.seen.clear();
        self.seen.resize(hypothesis.len(), 0);
        for (start, &id) in reference.iter().enumerate() {
            let word = words.get(id);
            let stamp = start as u32 + 1;
            let mut any = false;
            for &synset in words.synsets(word) {
                for at in self.places.of(synset) {
                    // A word always has its own synsets.
                    if self.hypothesis_keys[at] != word.key {
                        self.seen[at] = stamp;
                        any = true;
                    }
                }
            }
            if !any {
                continue;
            }
            for (at, &seen) in self.seen.iter().enumerate() {
                if seen == stamp {
                    self.found.push(Match::single(start as u32, at as u32, module));
                }
            }
        }
    }

    /// Sorts the proposals by start, keeping their order, and counts the words that they cover.
    #[inline(never)]
    fn group(&mut self, n_hypothesis: usize, n_reference: usize) {
        for (coverage, n) in [
            (&mut self.hypothesis_coverage, n_hypothesis),
            (&mut self.reference_coverage, n_reference),
        ] {
            coverage.clear();
            coverage.resize(n, 0);
        }
        self.first.clear();
        self.first.resize(n_reference + 1, 0);
        for m in &self.found {
            self.first[m.start as usize + 1] += 1;
            let (from, to) = (m.start as usize, (m.start + m.length) as usize);
            self.reference_coverage[from..to].iter_mut().for_each(|n| *n += 1);
            let (from, to) = (m.hypothesis_start, m.hypothesis_start + m.hypothesis_length);
            self.hypothesis_coverage[from as usize..to as usize].iter_mut().for_each(|n| *n += 1);
        }
        for at in 1..self.first.len() {
            self.first[at] += self.first[at - 1];
        }
        self.matches.clear();
        let Some(&filler) = self.found.first() else { return };
        self.matches.resize(self.found.len(), filler);
        // Filling moves each start to its end; walking backwards from the ends moves them back.
        for m in self.found.iter().rev() {
            let next = &mut self.first[m.start as usize + 1];
            *next -= 1;
            self.matches[*next as usize] = *m;
        }
        // Now `first[p + 1]` is the start of group p: shift by one, and append the end.
        self.first.remove(0);
        self.first.push(self.found.len() as u32);
    }
}

/// The positions in a sentence by key.
#[derive(Debug, Default)]
struct Places {
    /// By key: the round in which it was last seen, and the head of its chain plus one.
    heads: Vec<(u32, u32)>,
    /// A position and the next link, plus one.
    links: Vec<(u32, u32)>,
    round: u32,
}

impl Places {
    /// Forgets everything. From then on keys are below `n`.
    fn clear(&mut self, n: usize) {
        self.links.clear();
        // Entries of earlier rounds have another round number. When the numbers run out, everything is
        // cleared.
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.heads.clear();
            self.round = 1;
        }
        if self.heads.len() < n {
            self.heads.resize(n.next_power_of_two(), (0, 0));
        }
    }

    #[inline]
    fn add(&mut self, number: u32, place: usize) {
        let head = &mut self.heads[number as usize];
        let next = if head.0 == self.round { head.1 } else { 0 };
        self.links.push((place as u32, next));
        *head = (self.round, self.links.len() as u32);
    }

    /// The positions of a key, the last added first.
    #[inline]
    fn of(&self, number: u32) -> impl Iterator<Item = usize> {
        let (round, head) = self.heads[number as usize];
        let mut link = if round == self.round { head } else { 0 };
        std::iter::from_fn(move || {
            let &(place, next) = self.links.get((link as usize).checked_sub(1)?)?;
            link = next;
            Some(place as usize)
        })
    }
}

/// Finds phrases that the table pairs.
#[derive(Debug, Default)]
struct Phrases {
    /// Phrases and prefixes of phrases of each side: node, position, words.
    hypothesis: Vec<(Node, u32, u32)>,
    reference: Vec<(Node, u32, u32)>,
    index: Index,
    steps: Steps,
}

impl Phrases {
    #[inline(never)]
    fn propose(
        &mut self,
        hypothesis: &[Id],
        reference: &[Id],
        words: &Words,
        table: &View<'_>,
        module: u32,
        found: &mut Vec<Match>,
    ) {
        walk(hypothesis, words, table, &mut self.steps, &mut self.hypothesis);
        walk(reference, words, table, &mut self.steps, &mut self.reference);
        self.index.build(&self.hypothesis);
        for &(node, start, length) in &self.reference {
            for &target in table.records(node) {
                let target = u32::from_le_bytes(target);
                self.index.occurrences(target, |hypothesis_start, hypothesis_length| {
                    found.push(Match {
                        start,
                        length,
                        hypothesis_start,
                        hypothesis_length,
                        module,
                    });
                });
            }
        }
        self.index.build(&self.reference);
        for &(node, hypothesis_start, hypothesis_length) in &self.hypothesis {
            for &target in table.records(node) {
                let target = u32::from_le_bytes(target);
                self.index.occurrences(target, |start, length| {
                    found.push(Match {
                        start,
                        length,
                        hypothesis_start,
                        hypothesis_length,
                        module,
                    });
                });
            }
        }
    }
}

/// Lists the phrases of a sentence that the table has: position by position, shorter phrases first.
pub(super) fn walk(
    sentence: &[Id],
    words: &Words,
    table: &View<'_>,
    steps: &mut Steps,
    out: &mut Vec<(Node, u32, u32)>,
) {
    out.clear();
    for (start, &id) in sentence.iter().enumerate() {
        let mut node = words.get(id).phrase;
        let mut length = 1;
        while node != 0 {
            out.push((node, start as u32, length));
            let Some(&next) = sentence.get(start + length as usize) else { break };
            node = steps.next(table, node, words.get(next).phrase_word);
            length += 1;
        }
    }
}

/// A cache of recent steps through the table. Text repeats itself, and a step through a large table waits for
/// memory several times.
#[derive(Debug, Default)]
pub(super) struct Steps {
    slots: Vec<(Node, WordId, Node)>,
}

impl Steps {
    const SIZE: usize = 1 << 16;

    pub(super) fn clear(&mut self) {
        self.slots.clear();
    }

    #[inline]
    fn next(&mut self, table: &View<'_>, node: Node, word: WordId) -> Node {
        if word == NO_WORD {
            return 0;
        }
        if self.slots.is_empty() {
            self.slots.resize(Self::SIZE, (0, 0, 0));
        }
        let mixed = (node ^ word.rotate_left(16)).wrapping_mul(0x9E37_79B1);
        let slot = &mut self.slots[(mixed >> 16) as usize & (Self::SIZE - 1)];
        if slot.0 == node && slot.1 == word {
            return slot.2;
        }
        let next = table.next(node, word);
        *slot = (node, word, next);
        next
    }
}

/// Where phrases occur in a sentence.
#[derive(Debug, Default)]
struct Index {
    /// A bit for each of the low bits of a node, which answers most queries.
    filter: Vec<u64>,
    /// The nodes alone, for a fast scan.
    nodes: Vec<Node>,
    /// Position and words of each.
    places: Vec<(u32, u32)>,
}

impl Index {
    const BITS: u32 = 13;

    fn build(&mut self, phrases: &[(Node, u32, u32)]) {
        self.filter.clear();
        self.filter.resize(1 << (Self::BITS - 6), 0);
        self.nodes.clear();
        self.places.clear();
        for &(node, start, length) in phrases {
            let bit = Self::bit(node);
            self.filter[bit >> 6] |= 1 << (bit & 63);
            self.nodes.push(node);
            self.places.push((start, length));
        }
    }

    fn bit(node: Node) -> usize {
        node as usize & ((1 << Self::BITS) - 1)
    }

    /// Visits the occurrences of a phrase from left to right.
    #[inline]
    fn occurrences(&self, node: Node, mut visit: impl FnMut(u32, u32)) {
        let bit = Self::bit(node);
        if self.filter[bit >> 6] >> (bit & 63) & 1 == 0 {
            return;
        }
        for (&found, &(start, length)) in self.nodes.iter().zip(&self.places) {
            if found == node {
                visit(start, length);
            }
        }
    }
}
