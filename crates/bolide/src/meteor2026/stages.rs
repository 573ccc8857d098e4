//! Which words may match, and what a match is worth.
//!
//! Words match if they are equal; if they differ only in case; as synonyms, if they share a WordNet synset; or as
//! near words, if they share enough characters in order. Equal words always match first, so only words that one
//! side has more often than the other are compared. Tables find the words with the same key or a shared synset, and
//! [`Near`] those with common characters, so that few pairs of words are looked at.

use super::buckets::Buckets;
use super::near::Near;
use super::possible::{Possible, Possibles};
use super::similarity::LONGEST;
use super::words::{Known, Words};
use crate::lexicon::Thesaurus;
use crate::meteor::align::Bond;
use crate::meteor::surplus::Surplus;
use crate::stop::Stop;
use std::cmp::Reverse;
use std::ops::RangeInclusive;

/// How two words match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The same word.
    Exact = 0,
    /// The same word except for upper and lower case.
    Case = 1,
    /// A shared WordNet synset.
    Synonym = 2,
    /// Many characters in common.
    Near = 3,
}

impl Stage {
    /// All stages, in the order of their credits in signatures.
    pub const ALL: [Stage; 4] = [Stage::Exact, Stage::Case, Stage::Synonym, Stage::Near];

    /// The word that signatures and explanations use.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Exact => "exact",
            Stage::Case => "case",
            Stage::Synonym => "synonym",
            Stage::Near => "near",
        }
    }
}

/// The rules for matches and weights. All numbers except `shared` are hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    /// Two words are near if the characters that they share in order are at least this part of both …
    pub near: u32,
    /// … and at least this many.
    pub shared: u32,
    /// The credit of a match of each [`Stage`].
    pub credits: [u32; 4],
    /// The weight of punctuation, relative to that of words.
    pub punctuation: u32,
}

impl Rules {
    /// The weight of a token: the number of its characters plus one, in hundredths.
    #[inline]
    pub fn weight(&self, known: Known) -> u64 {
        let unit = if known.is_punctuation { self.punctuation } else { 100 };
        u64::from(unit) * (u64::from(known.len) + 1)
    }

    /// The fewest shared characters of two near words with so many characters together.
    #[inline]
    pub fn fewest(&self, len: u32) -> u32 {
        self.shared.max((self.near * len).div_ceil(200))
    }

    /// The lengths of the words that can be near a word of this length: the shorter of two words must have
    /// [`fewest`](Self::fewest) characters.
    pub fn lengths(&self, len: u32) -> Option<RangeInclusive<u32>> {
        if len < self.shared || len > LONGEST as u32 {
            return None;
        }
        let shortest = self.shared.max((self.near * len).div_ceil(200 - self.near));
        let longest = (len * (200 - self.near)).checked_div(self.near).unwrap_or(u32::MAX);
        Some(shortest..=longest)
    }

    fn credit(&self, stage: Stage) -> u32 {
        self.credits[stage as usize]
    }

    /// The weight of a match in an alignment: first its credit on both sides, then its credit on the reference's
    /// side. So both sums are the same in every best alignment.
    fn bond_weight(&self, stage: Stage, h: Known, r: Known) -> u128 {
        let credit = u128::from(self.credits[stage as usize]);
        let [h, r] = [h, r].map(|known| credit * u128::from(self.weight(known)));
        (h + r) << 46 | r
    }
}

/// Finds the possible matches between words that are not matched exactly.
#[derive(Default)]
pub(super) struct Matcher {
    surplus: Surplus,
    /// The words of the reference that are compared.
    candidates: Vec<(u32, Known)>,
    by_key: Buckets,
    by_synset: Buckets,
    near: Near,
    /// The possible matches, sorted by their words.
    pub possible: Possibles,
}

impl Matcher {
    /// Compares the words of two texts.
    pub fn find(
        &mut self,
        (hypothesis, reference): (&[u32], &[u32]),
        rules: &Rules,
        (words, lexicon): (&mut Words, Option<&Thesaurus>),
        stop: Stop<'_>,
    ) {
        self.surplus.find(hypothesis, reference, words.len());
        self.possible.clear();
        if self.surplus.hypothesis.is_empty() || self.surplus.reference.is_empty() {
            return;
        }
        let lexicon = lexicon.filter(|_| rules.credit(Stage::Synonym) > 0);
        self.list_candidates(rules, words, lexicon);
        let is_word = |&&word: &&u32| !words.known(word).is_punctuation;
        let n_words = self.surplus.hypothesis.iter().filter(is_word).count();
        self.possible.begin(n_words, self.candidates.len());
        let mut place = 0;
        for (turn, &h) in self.surplus.hypothesis.iter().enumerate() {
            let known = words.known(h);
            if known.is_punctuation {
                continue;
            }
            if stop.asked_every(256, turn) {
                break;
            }
            let Matcher { candidates, by_key, by_synset, near, possible: kept, .. } = self;
            let mut add = |at: u32, stage: Stage| {
                let possible = Possible { h, r: candidates[at as usize].0, stage };
                kept.add(possible, (place, at), rules.credit(stage));
            };
            if rules.credit(Stage::Case) > 0 {
                by_key.get(known.key).for_each(|at| add(at, Stage::Case));
            }
            // Words that differ only in case match only as such.
            let mut add = |at: u32, stage: Stage| {
                if candidates[at as usize].1.key != known.key {
                    add(at, stage);
                }
            };
            if let Some(lexicon) = lexicon {
                let synsets = words.synsets(known.key, lexicon);
                for &synset in words.members(synsets) {
                    by_synset.get(synset).for_each(|at| add(at, Stage::Synonym));
                }
            }
            if rules.credit(Stage::Near) > 0 {
                near.find(known, rules, words, |at| add(at, Stage::Near));
            }
            place += 1;
        }
        // Of synonym and near, the larger credit counts, and the synonym if the credits are equal.
        self.possible.finish(|stage| (Reverse(rules.credit(stage)), stage));
    }

    /// The possible matches, for the aligner.
    pub fn bonds<'a>(
        &'a self,
        rules: &'a Rules,
        words: &'a mut Words,
    ) -> impl Iterator<Item = Bond> + 'a {
        self.possible.iter().map(move |&Possible { h, r, stage }| Bond {
            hypothesis: h,
            reference: r,
            weight: rules.bond_weight(stage, words.known(h), words.known(r)),
        })
    }

    /// Whether all possible matches were kept: there is room for [`MOST`](super::possible::MOST).
    pub fn is_complete(&self) -> bool {
        self.possible.is_complete()
    }

    /// Fills the tables with the words of the reference that are left over.
    fn list_candidates(&mut self, rules: &Rules, words: &mut Words, lexicon: Option<&Thesaurus>) {
        self.candidates.clear();
        self.by_key.clear();
        self.by_synset.clear();
        for &word in &self.surplus.reference {
            let known = words.known(word);
            if known.is_punctuation {
                continue;
            }
            let number = self.candidates.len() as u32;
            self.candidates.push((word, known));
            self.by_key.insert(known.key, number);
            if let Some(lexicon) = lexicon {
                let synsets = words.synsets(known.key, lexicon);
                for &synset in words.members(synsets) {
                    self.by_synset.insert(synset, number);
                }
            }
        }
        self.by_key.index();
        self.by_synset.index();
        self.near.fill(self.candidates.iter().map(|&(_, known)| known), rules);
    }

    /// The stage by which two words match. A pair without a bond is two equal words.
    pub fn stage(&self, hypothesis: u32, reference: u32) -> Stage {
        if hypothesis == reference {
            return Stage::Exact;
        }
        self.possible.stage(hypothesis, reference).unwrap_or(Stage::Exact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A character of credit outweighs what the reference alone earns, however long the words are.
    #[test]
    fn credit_on_both_sides_comes_before_that_of_the_reference() {
        let rules = Rules { near: 60, shared: 3, credits: [100; 4], punctuation: 10 };
        let mut words = Words::default();
        let mut word = |len: usize| {
            let number = words.intern(&"a".repeat(len));
            words.known(number)
        };
        let (short, long, longer) = (word(1), word(2_000_000), word(2_000_001));
        let weight = |h: Known, r: Known| rules.bond_weight(Stage::Case, h, r);
        assert!(weight(longer, short) > weight(short, long));
        assert!(weight(short, long) > weight(long, short));
    }
}
