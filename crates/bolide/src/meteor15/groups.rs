//! The proposals of a long pair, listed on demand instead of all at once.
//!
//! In two long texts the number of equal pairs of words grows as n², and the jar makes a proposal of each.
//! Here only their sources are kept, in linear memory: the positions of a word, a stem or a phrase in the
//! hypothesis. The proposals are those of [`super::matches`], in the same order, repeats included.

use super::beam::{Group, Proposals, Run};
use super::language::Module;
use super::matches::{Match, Steps, walk};
use super::paraphrase::{Node, View};
use super::used::Ranks;
use super::words::{Id, Words};
use crate::stop::Stop;
use std::ops::Range;

/// A word with more positions than this becomes a run.
const MANY: usize = 64;

/// Whether the proposals of a pair should not be made all at once. The fast search never accepts pairs of
/// this size.
pub(super) fn is_long(n_hypothesis: usize, n_reference: usize) -> bool {
    n_reference >= 511 || n_hypothesis + n_reference >= 2_048
}

/// The sources of proposals.
#[derive(Debug, Default)]
pub(super) struct Groups {
    modules: Vec<Module>,
    hypothesis_keys: Vec<u32>,
    reference_keys: Vec<u32>,
    /// The hypothesis sorted by key: the positions of a word are a range of it.
    ranks: Ranks,
    /// By reference position: the range of its word.
    words: Vec<(u32, u32)>,
    stems: Places,
    synonyms: Places,
    phrases: Phrases,
    /// By reference position: the match that is fixed because nothing competes with it.
    fixed: Vec<Option<Match>>,
}

/// Positions in the hypothesis, and for each reference position which of them count.
#[derive(Debug, Default)]
struct Places {
    places: Vec<u32>,
    ranges: Vec<(u32, u32)>,
}

impl Places {
    fn of(&self, position: usize) -> &[u32] {
        let &(first, end) = self.ranges.get(position).unwrap_or(&(0, 0));
        &self.places[first as usize..end as usize]
    }
}

/// Sorted pairs, searched by their first element.
type Index = Vec<(u32, u32)>;

fn range_of(index: &Index, first: u32) -> Range<usize> {
    let start = index.partition_point(|entry| entry.0 < first);
    let n = index[start..].partition_point(|entry| entry.0 == first);
    start..start + n
}

impl Groups {
    /// Forgets what was cached for a table.
    pub(super) fn forget_table(&mut self) {
        self.phrases.steps.clear();
    }

    /// Reads a pair.
    pub(super) fn read(
        &mut self,
        (hypothesis, reference): (&[Id], &[Id]),
        modules: &[Module],
        words: &Words,
        table: Option<&View<'_>>,
    ) {
        for (keys, ids) in
            [(&mut self.hypothesis_keys, hypothesis), (&mut self.reference_keys, reference)]
        {
            keys.clear();
            keys.extend(ids.iter().map(|&id| words.get(id).key));
        }
        // Identical sentences are matched only by the first module, so that no search can split them.
        let identical = self.hypothesis_keys == self.reference_keys;
        let modules = if identical { modules.get(..1).unwrap_or_default() } else { modules };
        self.modules.clear();
        self.modules.extend_from_slice(modules);
        self.read_words();
        for module in modules {
            match (module, table) {
                (Module::Exact, _) | (Module::Paraphrase, None) => {}
                (Module::Stem, _) => self.read_stems(hypothesis, reference, words),
                (Module::Synonym, _) => self.read_synonyms(hypothesis, reference, words),
                (Module::Paraphrase, Some(table)) => {
                    self.phrases.read(hypothesis, reference, words, table);
                }
            }
        }
    }

    fn read_words(&mut self) {
        self.ranks.by_key(&self.hypothesis_keys);
        let (keys, positions) = (&self.hypothesis_keys, self.ranks.positions());
        self.words.clear();
        self.words.extend(self.reference_keys.iter().map(|key| {
            let first = positions.partition_point(|&at| keys[at as usize] < *key);
            let n = positions[first..].partition_point(|&at| keys[at as usize] == *key);
            (first as u32, (first + n) as u32)
        }));
    }

    fn read_stems(&mut self, hypothesis: &[Id], reference: &[Id], words: &Words) {
        let stem = |id: &Id| words.get(*id).stem;
        let mut index: Index = hypothesis.iter().map(stem).zip(0..).collect();
        index.sort_unstable();
        let Places { places, ranges } = &mut self.stems;
        ranges.clear();
        ranges.extend(reference.iter().map(|id| {
            let range = range_of(&index, stem(id));
            (range.start as u32, range.end as u32)
        }));
        places.clear();
        places.extend(index.iter().map(|&(_, at)| at));
    }

    /// Words that share a synset, computed once per distinct reference word.
    fn read_synonyms(&mut self, hypothesis: &[Id], reference: &[Id], words: &Words) {
        let synsets = |id: Id| words.synsets(words.get(id)).iter();
        let mut index: Index = Vec::new();
        for (&id, at) in hypothesis.iter().zip(0..) {
            index.extend(synsets(id).map(|&synset| (synset, at)));
        }
        index.sort_unstable();
        let Places { places, ranges } = &mut self.synonyms;
        places.clear();
        ranges.clear();
        ranges.resize(reference.len(), (0, 0));
        let mut order: Vec<u32> = (0..reference.len() as u32).collect();
        order.sort_by_key(|&at| reference[at as usize]);
        let mut found = Vec::new();
        for same in order.chunk_by(|&a, &b| reference[a as usize] == reference[b as usize]) {
            let id = reference[same[0] as usize];
            let key = words.get(id).key;
            found.clear();
            for &synset in synsets(id) {
                let here = index[range_of(&index, synset)].iter().map(|&(_, at)| at);
                // A word always has its own synsets.
                found.extend(here.filter(|&at| self.hypothesis_keys[at as usize] != key));
            }
            found.sort_unstable();
            found.dedup();
            let first = places.len() as u32;
            places.extend_from_slice(&found);
            same.iter().for_each(|&at| ranges[at as usize] = (first, places.len() as u32));
        }
    }

    /// Whether a word of the reference has more positions than this.
    #[cfg(feature = "meteor15-optimal")]
    pub(super) fn has_run_of(&self, n: usize) -> bool {
        self.modules.contains(&Module::Exact)
            && self.words.iter().any(|&(first, end)| (end - first) as usize > n)
    }

    /// The proposals, with the table that they need.
    pub(super) fn proposals<'g>(&'g mut self, table: Option<&'g View<'g>>) -> Listing<'g> {
        Listing { groups: self, table }
    }
}

/// The groups of a pair and the table of paraphrases.
pub(super) struct Listing<'g> {
    groups: &'g mut Groups,
    table: Option<&'g View<'g>>,
}

impl Listing<'_> {
    /// Fixes the matches that nothing competes with.
    pub(super) fn fix(&mut self, stop: Stop<'_>) {
        let (n_hypothesis, n_reference) = (self.n_hypothesis(), self.n_reference());
        let mut group = Group::default();
        let mut alone: Vec<Option<Match>> = Vec::with_capacity(n_reference);
        // The number of proposals that touch each word. Above one, the exact number does not matter.
        let (mut of_reference, mut of_hypothesis) =
            (vec![0u8; n_reference], vec![0u8; n_hypothesis]);
        let touch = |coverage: &mut [u8], start: u32, length: u32| {
            let words = &mut coverage[start as usize..(start + length) as usize];
            words.iter_mut().for_each(|n| *n = n.saturating_add(1));
        };
        // By rank: the number of runs that begin minus those that end there.
        let mut runs = vec![0i64; n_hypothesis + 1];
        for position in 0..n_reference {
            if stop.asked_every(16, position) {
                break;
            }
            group.clear();
            self.list(position, &mut group);
            for m in &group.listed {
                touch(&mut of_reference, m.start, m.length);
                touch(&mut of_hypothesis, m.hypothesis_start, m.hypothesis_length);
            }
            if let Some(run) = group.run {
                // A run has several proposals.
                of_reference[position] = u8::MAX;
                runs[run.first as usize] += 1;
                runs[run.end as usize] -= 1;
            }
            let only = group.len() == 1;
            alone.push(group.listed.first().copied().filter(|_| only));
        }
        let mut open = 0;
        for (&at, change) in self.groups.ranks.positions().iter().zip(runs) {
            open += change;
            if open > 0 {
                touch(&mut of_hypothesis, at, 1);
            }
        }
        let once = |coverage: &[u8], start: u32, length: u32| {
            coverage[start as usize..(start + length) as usize].iter().all(|&n| n == 1)
        };
        for m in &mut alone {
            *m = m.filter(|m| {
                once(&of_reference, m.start, m.length)
                    && once(&of_hypothesis, m.hypothesis_start, m.hypothesis_length)
            });
        }
        alone.resize(n_reference, None);
        self.groups.fixed = alone;
    }
}

impl Proposals for Listing<'_> {
    fn n_hypothesis(&self) -> usize {
        self.groups.hypothesis_keys.len()
    }

    fn n_reference(&self) -> usize {
        self.groups.reference_keys.len()
    }

    fn fixed(&self, position: usize) -> Option<Match> {
        self.groups.fixed[position]
    }

    fn ranks(&self) -> &Ranks {
        &self.groups.ranks
    }

    fn list(&mut self, position: usize, group: &mut Group) {
        let Groups { modules, hypothesis_keys, reference_keys, ranks, words, .. } = &*self.groups;
        for (module, kind) in (0..).zip(modules) {
            let single = |&at: &u32| Match::single(position as u32, at, module);
            match kind {
                Module::Exact => {
                    let (first, end) = words[position];
                    if (end - first) as usize > MANY && group.run.is_none() {
                        let behind = group.listed.len();
                        group.run = Some(Run { first, end, module, behind });
                    } else {
                        let places = &ranks.positions()[first as usize..end as usize];
                        group.listed.extend(places.iter().map(single));
                    }
                }
                Module::Stem => {
                    let key = reference_keys[position];
                    let places = self.groups.stems.of(position).iter();
                    let other = places.filter(|&&at| hypothesis_keys[at as usize] != key);
                    group.listed.extend(other.map(single));
                }
                Module::Synonym => {
                    group.listed.extend(self.groups.synonyms.of(position).iter().map(single));
                }
                Module::Paraphrase => {
                    if let Some(table) = self.table {
                        self.groups.phrases.list(position, table, module, &mut group.listed);
                    }
                }
            }
        }
    }
}

/// The sources of paraphrase proposals.
#[derive(Debug, Default)]
struct Phrases {
    steps: Steps,
    /// Phrases and prefixes of phrases of each side: node, position, words.
    hypothesis: Vec<(Node, u32, u32)>,
    reference: Vec<(Node, u32, u32)>,
    /// By reference position: the start of its phrases; last, the end.
    first: Vec<u32>,
    /// The phrases of the hypothesis by node: their indices in its list.
    places: Index,
    /// By phrase of the reference that a phrase of the hypothesis is paired with: index in `pairs`.
    targets: Vec<(Node, Node, u32)>,
}

impl Phrases {
    fn read(&mut self, hypothesis: &[Id], reference: &[Id], words: &Words, table: &View<'_>) {
        walk(hypothesis, words, table, &mut self.steps, &mut self.hypothesis);
        walk(reference, words, table, &mut self.steps, &mut self.reference);
        self.first.clear();
        let starts = 0..=reference.len() as u32;
        let mut next = 0;
        self.first.extend(starts.map(|start| {
            next += self.reference[next..].iter().take_while(|phrase| phrase.1 < start).count();
            next as u32
        }));
        self.places.clear();
        self.places.extend(self.hypothesis.iter().map(|&(node, ..)| node).zip(0..));
        self.places.sort_unstable();
        let mut wanted: Vec<Node> = self.reference.iter().map(|&(node, ..)| node).collect();
        wanted.sort_unstable();
        wanted.dedup();
        self.targets.clear();
        for same in self.places.chunk_by(|a, b| a.0 == b.0) {
            let node = same[0].0;
            for (&target, record) in table.records(node).iter().zip(0..) {
                let target = u32::from_le_bytes(target);
                if wanted.binary_search(&target).is_ok() {
                    self.targets.push((target, node, record));
                }
            }
        }
        self.targets.sort_unstable();
    }

    /// First the phrases that the reference's phrases are paired with, then the phrases that are paired with
    /// them.
    fn list(&self, position: usize, table: &View<'_>, module: u32, listed: &mut Vec<Match>) {
        let (from, to) = (self.first[position] as usize, self.first[position + 1] as usize);
        let phrases = &self.reference[from..to];
        let start = position as u32;
        let proposal = |place: u32, length: u32| {
            let (_, hypothesis_start, hypothesis_length) = self.hypothesis[place as usize];
            Match { start, length, hypothesis_start, hypothesis_length, module }
        };
        for &(node, _, length) in phrases {
            for &target in table.records(node) {
                let places = range_of(&self.places, u32::from_le_bytes(target));
                listed.extend(self.places[places].iter().map(|&(_, at)| proposal(at, length)));
            }
        }
        // In the order of the hypothesis's phrases, then of their pairs.
        let mut pairs: Vec<(u32, u32, u32)> = Vec::new();
        for &(node, _, length) in phrases {
            let first = self.targets.partition_point(|target| target.0 < node);
            for &(_, source, record) in
                self.targets[first..].iter().take_while(|target| target.0 == node)
            {
                let places = range_of(&self.places, source);
                pairs.extend(self.places[places].iter().map(|&(_, at)| (at, record, length)));
            }
        }
        pairs.sort_unstable();
        listed.extend(pairs.iter().map(|&(at, _, length)| proposal(at, length)));
    }
}
