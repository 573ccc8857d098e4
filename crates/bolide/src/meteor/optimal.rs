//! The classic dialect's matches, handed to the optimal aligner.
//!
//! A later stage can only join words that exact matches leave over ([`Surplus`]); nothing else
//! need be compared.

use super::align::{Aligner, Brief, Objective, Relation, Settings, Ties};
use super::surplus::Surplus;
use super::words::SynsetKind::Reached;
use super::words::{Entry, Words};
use super::{Found, LaterStages, Pair, Stage, count_stages};
use crate::lexicon::Thesaurus;

/// Buffers of the classic aligner.
#[derive(Default)]
pub(super) struct Optimal {
    aligner: Aligner,
    brief: Brief,
    surplus: Surplus,
    candidates: Vec<Candidate>,
    /// The stems of the candidates: looking one up among them takes a few vector instructions.
    stems: Vec<u32>,
    index: Index,
    related: Vec<u32>,
    relations: Vec<Relation>,
}

/// A word with its stem and synsets.
#[derive(Clone, Copy)]
struct Candidate {
    word: u32,
    stem: u32,
    synsets: Option<Entry>,
}

impl Optimal {
    /// Aligns two lists of word numbers; the pairs come out sorted by hypothesis position. There are none if
    /// only the counts are wanted and the texts are short enough to count without them.
    pub fn align(
        &mut self,
        (hypothesis, reference): (&[u32], &[u32]),
        (stages, settings): (LaterStages, Settings),
        (words, lexicon): (&mut Words, Option<&Thesaurus>),
        pairs: &mut Vec<Pair>,
    ) -> Found {
        self.relations.clear();
        pairs.clear();
        let is_counted = (settings.objective, settings.ties) == (Objective::Chunks, Ties::Order);
        let is_brief = is_counted && self.brief.read(hypothesis, reference, words.len());
        if stages.stem.is_some() || stages.synonym {
            let Surplus { hypothesis: ours, reference: theirs, .. } = &mut self.surplus;
            if is_brief {
                self.brief.leftovers(ours, theirs);
            } else {
                self.surplus.find(hypothesis, reference, words.len());
            }
            self.find_relations(stages, words, lexicon);
        }
        if is_brief && let Some(counted) = self.brief.count(&self.relations, settings.budget.nodes)
        {
            let [exact, stem, synonym, _] = counted.matches.map(u64::from);
            return Found::final_counts([exact, stem, synonym], u64::from(counted.chunks));
        }
        self.aligner.settings = settings;
        let alignment = self.aligner.align(hypothesis, reference, &self.relations);
        pairs.extend(alignment.pairs.iter().map(|pair| Pair {
            hypothesis: pair.hypothesis,
            reference: pair.reference,
            stage: Stage::ALL[usize::from(pair.stage).min(2)],
        }));
        Found {
            matches: count_stages(pairs),
            chunks: u64::from(alignment.chunks),
            proven: alignment.proven,
            chunks_lower_bound: u64::from(alignment.chunks_lower_bound),
        }
    }

    fn find_relations(
        &mut self,
        stages: LaterStages,
        words: &mut Words,
        lexicon: Option<&Thesaurus>,
    ) {
        let lexicon = lexicon.filter(|_| stages.synonym);
        let look_up = |words: &mut Words, word: u32| Candidate {
            word,
            stem: stages.stem.map_or(word, |stemmer| words.stem(word, stemmer)),
            synsets: lexicon.map(|lexicon| words.entry(word, Reached, lexicon)),
        };
        self.candidates.clear();
        self.candidates.extend(self.surplus.reference.iter().map(|&word| look_up(words, word)));
        self.stems.clear();
        self.stems.extend(self.candidates.iter().map(|candidate| candidate.stem));
        let mut synsets = Entry::NOTHING;
        self.candidates.iter().filter_map(|word| word.synsets).for_each(|e| synsets.include(e));
        let is_many = self.surplus.hypothesis.len() * self.candidates.len() > MANY_PAIRS;
        if is_many {
            self.index.fill(&self.candidates, words);
        }
        for &word in &self.surplus.hypothesis {
            let hypothesis = look_up(words, word);
            if is_many {
                self.index.find(&hypothesis, words, &mut self.related);
                let related = self.related.iter().map(|&at| &self.candidates[at as usize]);
                self.relations
                    .extend(related.filter_map(|other| relation(&hypothesis, other, words)));
                continue;
            }
            let may_share = hypothesis.synsets.is_some_and(|entry| entry.may_share(synsets));
            if may_share || self.stems.contains(&hypothesis.stem) {
                let all = self.candidates.iter();
                self.relations.extend(all.filter_map(|other| relation(&hypothesis, other, words)));
            }
        }
    }
}

/// The relation of two different words, if any.
fn relation(hypothesis: &Candidate, reference: &Candidate, words: &mut Words) -> Option<Relation> {
    // Without a stem stage the "stems" are the words themselves and never equal.
    let stage = if hypothesis.stem == reference.stem {
        Stage::Stem
    } else if matches!((hypothesis.synsets, reference.synsets),
        (Some(a), Some(b)) if words.share_synset(a, b))
    {
        Stage::Synonym
    } else {
        return None;
    };
    let (hypothesis, reference) = (hypothesis.word, reference.word);
    Some(Relation { hypothesis, reference, stage: stage as u8 })
}

/// Above this number of pairs, words are not compared one by one.
const MANY_PAIRS: usize = 1 << 11;

/// No entry.
const NONE: u32 = u32::MAX;

/// Candidates by stem and synset: entries in chains, one chain for each hash.
#[derive(Default)]
struct Index {
    entries: Vec<IndexEntry>,
    /// The last entry of each chain.
    heads: Vec<u32>,
    shift: u32,
}

/// A stem or synset and a candidate that has it.
struct IndexEntry {
    key: u64,
    candidate: u32,
    /// The entry before in the chain.
    before: u32,
}

/// The keys of a word: its stem, then its synsets.
fn keys<'w>(word: &Candidate, words: &'w Words) -> impl Iterator<Item = u64> + use<'w> {
    let synsets = word.synsets.map_or(&[][..], |entry| words.slice(entry));
    std::iter::once(1 << 32 | u64::from(word.stem))
        .chain(synsets.iter().map(|&synset| u64::from(synset)))
}

impl Index {
    /// Reads the candidates anew.
    fn fill(&mut self, candidates: &[Candidate], words: &Words) {
        self.entries.clear();
        for (word, candidate) in candidates.iter().zip(0..) {
            let entry = |key| IndexEntry { key, candidate, before: NONE };
            self.entries.extend(keys(word, words).map(entry));
        }
        let size = (2 * self.entries.len()).next_power_of_two().max(2);
        self.shift = 64 - size.trailing_zeros();
        self.heads.clear();
        self.heads.resize(size, NONE);
        for (number, entry) in self.entries.iter_mut().enumerate() {
            let head = &mut self.heads[slot(entry.key, self.shift)];
            entry.before = *head;
            *head = number as u32;
        }
    }

    /// The candidates that share a stem or synset with a word, in their order.
    fn find(&self, word: &Candidate, words: &Words, found: &mut Vec<u32>) {
        found.clear();
        for key in keys(word, words) {
            let mut at = self.heads[slot(key, self.shift)];
            while at != NONE {
                let entry = &self.entries[at as usize];
                if entry.key == key {
                    found.push(entry.candidate);
                }
                at = entry.before;
            }
        }
        found.sort_unstable();
        found.dedup();
    }
}

/// The chain of a key.
fn slot(key: u64, shift: u32) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
}
