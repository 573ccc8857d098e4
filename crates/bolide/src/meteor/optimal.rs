//! The classic dialect's matches, handed to the optimal aligner.
//!
//! Since exact matches count first, every word that both sides have is matched exactly as often as
//! the rarer side allows. A later stage can therefore only join a word that the hypothesis has too
//! often to a word that the reference has too often; nothing else need be compared.

use super::align::{self, Aligner, Budget};
use super::words::{Relation, Words};
use super::{Found, Pair, Stage, Stages};
use crate::lexicon::Lexicon;

/// What to minimise among the alignments with the most matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Chunks, then crossings.
    Chunks,
    /// Crossings, then chunks: the letter of the 2005 paper.
    Crossings,
}

/// Buffers of the classic aligner.
#[derive(Default)]
pub(super) struct Optimal {
    aligner: Aligner,
    /// Per word number: copies in the hypothesis minus copies in the reference.
    balance: Vec<i32>,
    hypothesis: Vec<(u32, u32)>,
    reference: Vec<(u32, u32)>,
    edges: Vec<align::Pair>,
}

impl Optimal {
    /// Aligns two lists of word numbers; the pairs come out sorted by hypothesis position.
    pub fn align(
        &mut self,
        (hypothesis, reference): (&[u32], &[u32]),
        (stages, objective, budget): (Stages, Objective, &Budget),
        (words, lexicon): (&mut Words, Option<&Lexicon>),
        pairs: &mut Vec<Pair>,
    ) -> Found {
        self.edges.clear();
        if stages.stem.is_some() || stages.synonym {
            self.find_surplus(hypothesis, reference, words.len());
            self.find_edges(stages, words, lexicon);
        }
        let alignment = self.aligner.exact(hypothesis, reference);
        let _ = (objective, budget);
        pairs.clear();
        pairs.extend(alignment.pairs.iter().map(|pair| Pair {
            hypothesis: pair.hypothesis,
            reference: pair.reference,
            stage: Stage::ALL[usize::from(pair.stage).min(2)],
        }));
        Found {
            chunks: u64::from(alignment.chunks),
            proven: alignment.proven,
            chunks_lower_bound: u64::from(alignment.chunks_lower_bound),
        }
    }

    /// Lists the positions of the words that one side has more often than the other.
    fn find_surplus(&mut self, hypothesis: &[u32], reference: &[u32], vocabulary: usize) {
        if self.balance.len() < vocabulary {
            self.balance.resize(vocabulary.next_power_of_two(), 0);
        }
        for &word in hypothesis {
            self.balance[word as usize] += 1;
        }
        for &word in reference {
            self.balance[word as usize] -= 1;
        }
        let balance = &self.balance;
        let positions = |side: &[u32], sign: i32, to: &mut Vec<(u32, u32)>| {
            to.clear();
            let surplus =
                side.iter().enumerate().filter(|(_, word)| balance[**word as usize] * sign > 0);
            to.extend(surplus.map(|(at, &word)| (at as u32, word)));
        };
        positions(hypothesis, 1, &mut self.hypothesis);
        positions(reference, -1, &mut self.reference);
        for &word in hypothesis.iter().chain(reference) {
            self.balance[word as usize] = 0;
        }
    }

    fn find_edges(&mut self, stages: Stages, words: &mut Words, lexicon: Option<&Lexicon>) {
        let lexicon = lexicon.filter(|_| stages.synonym);
        for &(hypothesis, word) in &self.hypothesis {
            for &(reference, other) in &self.reference {
                let same_stem = |stemmer| words.stem(word, stemmer) == words.stem(other, stemmer);
                let stage = if stages.stem.is_some_and(same_stem) {
                    Stage::Stem
                } else if lexicon.is_some_and(|lexicon| {
                    let (a, b) = ((word, Relation::Reached), (other, Relation::Reached));
                    words.share_synset(a, b, lexicon)
                }) {
                    Stage::Synonym
                } else {
                    continue;
                };
                self.edges.push(align::Pair { hypothesis, reference, stage: stage as u8 });
            }
        }
    }
}
