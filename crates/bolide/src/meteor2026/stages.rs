//! Which words may match, and what a match is worth.
//!
//! Words match if they are equal; if they differ only in case; as synonyms, if they share a WordNet synset; or as
//! near words, if they share enough characters in order. Equal words always match first, so only words that one
//! side has more often than the other are compared.

use super::similarity::{self, Places};
use super::words::{Known, Words};
use crate::lexicon::Thesaurus;
use crate::meteor::align::Bond;
use crate::meteor::surplus::Surplus;
use crate::meteor::words::Entry;

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

    #[inline]
    fn are_near(&self, len: u32, shared: u32) -> bool {
        shared >= self.shared && 200 * u64::from(shared) >= u64::from(self.near) * u64::from(len)
    }

    /// The weight of a match in an alignment: first its credit on both sides, then its credit on the reference's
    /// side. So both sums are the same in every best alignment.
    fn bond_weight(&self, stage: Stage, h: Known, r: Known) -> u128 {
        let credit = u128::from(self.credits[stage as usize]);
        let [h, r] = [h, r].map(|known| credit * u128::from(self.weight(known)));
        (h + r) << 46 | r
    }
}

/// A word that is not matched exactly, with what the stages compare.
#[derive(Clone, Copy)]
struct Candidate {
    word: u32,
    known: Known,
    synsets: Option<Entry>,
}

/// Finds the possible matches between words that are not matched exactly.
#[derive(Default)]
pub(super) struct Matcher {
    surplus: Surplus,
    candidates: Vec<Candidate>,
    places: Places,
    /// The possible matches, for the aligner.
    pub bonds: Vec<Bond>,
    /// The stage of every bond, sorted by its words.
    stages: Vec<(u32, u32, Stage)>,
}

impl Matcher {
    /// Compares the words of two texts.
    pub fn find(
        &mut self,
        (hypothesis, reference): (&[u32], &[u32]),
        rules: &Rules,
        (words, lexicon): (&mut Words, Option<&Thesaurus>),
    ) {
        self.surplus.find(hypothesis, reference, words.len());
        self.bonds.clear();
        self.stages.clear();
        let look_up = |words: &mut Words, word: u32| {
            let known = words.known(word);
            let synsets = lexicon.map(|lexicon| words.synsets(known.key, lexicon));
            Candidate { word, known, synsets: synsets.filter(|entry| !entry.is_empty()) }
        };
        self.candidates.clear();
        for &word in &self.surplus.reference {
            let candidate = look_up(words, word);
            if !candidate.known.is_punctuation {
                self.candidates.push(candidate);
            }
        }
        for &word in &self.surplus.hypothesis {
            let h = look_up(words, word);
            if h.known.is_punctuation {
                continue;
            }
            self.places.fill(words.characters(h.known));
            for r in &self.candidates {
                let Some(stage) = relate((&h, &self.places), r, rules, words) else { continue };
                let weight = rules.bond_weight(stage, h.known, r.known);
                self.bonds.push(Bond { hypothesis: h.word, reference: r.word, weight });
                self.stages.push((h.word, r.word, stage));
            }
        }
        self.stages.sort_unstable();
    }

    /// The stage by which two words match. A pair without a bond is two equal words.
    pub fn stage(&self, hypothesis: u32, reference: u32) -> Stage {
        let found = self.stages.binary_search_by_key(&(hypothesis, reference), |&(h, r, _)| (h, r));
        found.map_or(Stage::Exact, |at| self.stages[at].2)
    }
}

/// How two different words match. Words that differ only in case match only as such; of synonym and near, the
/// larger credit counts, and the synonym if the credits are equal.
#[inline]
fn relate(
    (h, places): (&Candidate, &Places),
    r: &Candidate,
    rules: &Rules,
    words: &mut Words,
) -> Option<Stage> {
    let credit = |stage: Stage| rules.credits[stage as usize];
    if h.known.key == r.known.key {
        return (credit(Stage::Case) > 0).then_some(Stage::Case);
    }
    let is_synonym = match (h.synsets, r.synsets) {
        (Some(a), Some(b)) => credit(Stage::Synonym) > 0 && words.share_synset(a, b),
        _ => false,
    };
    let synonym = is_synonym.then_some(Stage::Synonym);
    let (len, near) = (h.known.len + r.known.len, credit(Stage::Near));
    // The shorter word is the first bound: it spares most pairs the second.
    if near == 0 || !rules.are_near(len, h.known.len.min(r.known.len)) {
        return synonym;
    }
    let most = similarity::bound((h.known.len, h.known.set), (r.known.len, r.known.set));
    if !rules.are_near(len, most) || is_synonym && credit(Stage::Synonym) >= near {
        return synonym;
    }
    let shared = places.common(words.characters(r.known));
    if rules.are_near(len, shared) { Some(Stage::Near) } else { synonym }
}
