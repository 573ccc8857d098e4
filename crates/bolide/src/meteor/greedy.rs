//! NLTK's alignment: three greedy passes from right to left, each over what the last one left.
//!
//! A pass visits the hypothesis from its last word to its first and takes the rightmost free
//! reference word that matches. It finds as many matches as there are, but not the fewest chunks:
//! that is the point of the `nltk` dialects, which have to find what NLTK finds.

use super::words::{Entry, Relation, Words};
use super::{Pair, Stage, Stages};
use crate::lexicon::Lexicon;
use rustc_hash::FxHashMap;

/// Which leftovers the synonym pass sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leftovers {
    /// NLTK 3.6.3 and later: the *stems* of what the stem pass left.
    Stems,
    /// NLTK up to 3.6.2: the words that the exact pass left, also those the stem pass matched.
    /// A word can be matched twice, and scores can exceed 1.
    WordsAgain,
}

/// Buffers of the greedy aligner.
#[derive(Debug, Default)]
pub(super) struct Greedy {
    /// Per word number: the pass that last wrote the entry, and the rightmost free position.
    heads: Vec<(u32, u32)>,
    pass: u32,
    /// Per reference entry: the next free entry to the left with the same word, or [`TAKEN`].
    left: Vec<u32>,
    /// What the passes have left, as positions with word numbers: the hypothesis from its last word
    /// to its first, the reference from its first to its last.
    hypothesis: Vec<(u32, u32)>,
    reference: Vec<(u32, u32)>,
    /// Per hypothesis position: the pair found, if any.
    found: Vec<Option<Pair>>,
    /// Reference positions left for the synonym pass, with the synsets that name their words.
    named: Vec<(u32, Entry)>,
    free: Vec<bool>,
    by_synset: FxHashMap<u32, Vec<u32>>,
}

const NONE: u32 = u32::MAX;
const TAKEN: u32 = u32::MAX - 1;

/// Beyond this many comparisons the synonym pass indexes the reference by synset. Both ways give
/// the same pairs; the plain one is quicker on sentences.
const MANY: usize = 1 << 14;

impl Greedy {
    /// Aligns two lists of word numbers; the pairs come out sorted by hypothesis position.
    pub fn align(
        &mut self,
        (hypothesis, reference): (&[u32], &[u32]),
        stages: Stages,
        leftovers: Leftovers,
        (words, lexicon): (&mut Words, Option<&Lexicon>),
        pairs: &mut Vec<Pair>,
    ) {
        pairs.clear();
        self.found.clear();
        self.found.resize(hypothesis.len(), None);
        self.hypothesis.clear();
        let positions = 0..hypothesis.len() as u32;
        self.hypothesis.extend(positions.zip(hypothesis.iter().copied()).rev());
        self.reference.clear();
        self.reference.extend((0..).zip(reference.iter().copied()));
        self.equal_words(Stage::Exact, words.len());

        let again = leftovers == Leftovers::WordsAgain;
        let words_left = if again {
            (self.hypothesis.clone(), self.reference.clone())
        } else {
            Default::default()
        };
        if let Some(stemmer) = stages.stem {
            for (_, word) in self.hypothesis.iter_mut().chain(&mut self.reference) {
                *word = words.stem(*word, stemmer);
            }
            self.equal_words(Stage::Stem, words.len());
        }
        if again {
            // What the passes found so far; the synonym pass may match the same words again.
            pairs.extend(self.found.iter_mut().filter_map(Option::take));
            (self.hypothesis, self.reference) = words_left;
        }
        if let (true, Some(lexicon)) = (stages.synonym, lexicon) {
            if self.hypothesis.len() * self.reference.len() <= MANY {
                self.synonyms(words, lexicon);
            } else {
                self.synonyms_indexed(words, lexicon);
            }
        }
        pairs.extend(self.found.iter().flatten());
        if again {
            // Stable, so that double matches keep the order of the passes.
            pairs.sort_by_key(|pair| pair.hypothesis);
        }
    }

    /// One pass over equal numbers; both lists keep what it did not match.
    fn equal_words(&mut self, stage: Stage, vocabulary: usize) {
        let Greedy { heads, left, hypothesis, reference, found, .. } = self;
        self.pass = self.pass.wrapping_add(1);
        if self.pass == 0 || heads.len() < vocabulary {
            heads.clear();
            heads.resize(vocabulary.next_power_of_two(), (0, NONE));
            self.pass = 1;
        }
        let pass = self.pass;
        left.clear();
        left.extend((0..).zip(reference.iter()).map(|(entry, &(_, word))| {
            let head = &mut heads[word as usize];
            let before = if head.0 == pass { head.1 } else { NONE };
            *head = (pass, entry);
            before
        }));
        hypothesis.retain(|&(at, word)| {
            let head = &mut heads[word as usize];
            if head.0 != pass || head.1 == NONE {
                return true;
            }
            let entry = head.1 as usize;
            head.1 = std::mem::replace(&mut left[entry], TAKEN);
            let pair = Pair { hypothesis: at, reference: reference[entry].0, stage };
            found[at as usize] = Some(pair);
            false
        });
        let mut left = left.iter();
        reference.retain(|_| left.next() != Some(&TAKEN));
    }

    fn synonyms(&mut self, words: &mut Words, lexicon: &Lexicon) {
        self.named.clear();
        let mut all = Entry::NOTHING;
        for &(at, word) in &self.reference {
            let entry = words.entry(word, Relation::Named, lexicon);
            if !entry.is_empty() {
                self.named.push((at, entry));
                all.include(entry);
            }
        }
        for &(at, word) in &self.hypothesis {
            let reached = words.entry(word, Relation::Reached, lexicon);
            if !reached.may_share(all) {
                continue;
            }
            let found =
                self.named.iter().rposition(|&(_, named)| words.share_synset(reached, named));
            if let Some(found) = found {
                let (to, _) = self.named.remove(found);
                self.found[at as usize] =
                    Some(Pair { hypothesis: at, reference: to, stage: Stage::Synonym });
            }
        }
    }

    fn synonyms_indexed(&mut self, words: &mut Words, lexicon: &Lexicon) {
        self.by_synset.clear();
        for (entry, &(_, word)) in self.reference.iter().enumerate() {
            let named = words.entry(word, Relation::Named, lexicon);
            for &synset in words.slice(named) {
                self.by_synset.entry(synset).or_default().push(entry as u32);
            }
        }
        self.free.clear();
        self.free.resize(self.reference.len(), true);
        for &(at, word) in &self.hypothesis {
            let mut best = None;
            let reached = words.entry(word, Relation::Reached, lexicon);
            for synset in words.slice(reached) {
                let Some(entries) = self.by_synset.get_mut(synset) else { continue };
                while entries.last().is_some_and(|&entry| !self.free[entry as usize]) {
                    entries.pop();
                }
                best = best.max(entries.last().copied());
            }
            if let Some(entry) = best {
                self.free[entry as usize] = false;
                let to = self.reference[entry as usize].0;
                self.found[at as usize] =
                    Some(Pair { hypothesis: at, reference: to, stage: Stage::Synonym });
            }
        }
    }
}
