//! The classic dialect's matches, handed to the optimal aligner.
//!
//! A later stage can only join words that exact matches leave over ([`Surplus`]); nothing else
//! need be compared.

use super::align::{Aligner, Relation, Settings};
use super::surplus::Surplus;
use super::words::SynsetKind::Reached;
use super::words::{Entry, Words};
use super::{Found, LaterStages, Pair, Stage, count_stages};
use crate::lexicon::Thesaurus;

/// Buffers of the classic aligner.
#[derive(Default)]
pub(super) struct Optimal {
    aligner: Aligner,
    surplus: Surplus,
    candidates: Vec<Candidate>,
    /// The stems of the candidates: looking one up among them takes a few vector instructions.
    stems: Vec<u32>,
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
    /// Aligns two lists of word numbers; the pairs come out sorted by hypothesis position.
    pub fn align(
        &mut self,
        (hypothesis, reference): (&[u32], &[u32]),
        (stages, settings): (LaterStages, Settings),
        (words, lexicon): (&mut Words, Option<&Thesaurus>),
        pairs: &mut Vec<Pair>,
    ) -> Found {
        self.relations.clear();
        if stages.stem.is_some() || stages.synonym {
            self.surplus.find(hypothesis, reference, words.len());
            self.find_relations(stages, words, lexicon);
        }
        self.aligner.settings = settings;
        let alignment = self.aligner.align(hypothesis, reference, &self.relations);
        pairs.clear();
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
        let index = is_many.then(|| Index::new(&self.candidates, words));
        let mut related = Vec::new();
        for &word in &self.surplus.hypothesis {
            let hypothesis = look_up(words, word);
            let may_share = hypothesis.synsets.is_some_and(|entry| entry.may_share(synsets));
            if index.is_none() && !may_share && !self.stems.contains(&hypothesis.stem) {
                continue;
            }
            let candidates = match &index {
                Some(index) => index.related(&hypothesis, words, &self.candidates, &mut related),
                None => &self.candidates,
            };
            for reference in candidates {
                // Without a stem stage the "stems" are the words themselves and never equal.
                let stage = if hypothesis.stem == reference.stem {
                    Stage::Stem
                } else if matches!((hypothesis.synsets, reference.synsets),
                    (Some(a), Some(b)) if words.share_synset(a, b))
                {
                    Stage::Synonym
                } else {
                    continue;
                };
                let (hypothesis, reference) = (word, reference.word);
                self.relations.push(Relation { hypothesis, reference, stage: stage as u8 });
            }
        }
    }
}

/// Above this number of pairs, words are not compared one by one.
const MANY_PAIRS: usize = 1 << 18;

/// Candidates by stem and synset.
struct Index {
    stems: Vec<(u32, u32)>,
    synsets: Vec<(u32, u32)>,
}

impl Index {
    fn new(candidates: &[Candidate], words: &Words) -> Self {
        let (mut stems, mut synsets) = (Vec::new(), Vec::new());
        for (candidate, at) in candidates.iter().zip(0..) {
            stems.push((candidate.stem, at));
            let list = candidate.synsets.map_or(&[][..], |entry| words.slice(entry));
            synsets.extend(list.iter().map(|&synset| (synset, at)));
        }
        stems.sort_unstable();
        synsets.sort_unstable();
        Index { stems, synsets }
    }

    /// The candidates that share a stem or synset with a word, in their order.
    fn related<'r>(
        &self,
        word: &Candidate,
        words: &Words,
        candidates: &[Candidate],
        related: &'r mut Vec<Candidate>,
    ) -> &'r [Candidate] {
        let with = |index: &[(u32, u32)], key: u32| {
            let first = index.partition_point(|entry| entry.0 < key);
            let same = index[first..].iter().take_while(|entry| entry.0 == key);
            same.map(|&(_, at)| at).collect::<Vec<u32>>()
        };
        let mut found = with(&self.stems, word.stem);
        for &synset in word.synsets.map_or(&[][..], |entry| words.slice(entry)) {
            found.extend(with(&self.synsets, synset));
        }
        found.sort_unstable();
        found.dedup();
        related.clear();
        related.extend(found.iter().map(|&at| candidates[at as usize]));
        related
    }
}
