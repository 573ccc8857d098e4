//! RIBES (Isozaki et al. 2010) as NLTK 3.10.4 computes it: how well the word order is preserved.
//!
//! Words of the hypothesis are linked to positions in the reference: a word that is unique on both sides
//! directly, another one through the shortest run of words that begins or ends with it and is unique on both
//! sides. The share of pairs of positions that rise, expressed as Kendall's τ and normalised, is NKT. With p1
//! the share of linked words and BP = min(1, exp(1 − reference/hypothesis)), the score is NKT · p1^α · BP^β,
//! the best over the references. A corpus score is the mean of its segments, added left to right.
//!
//! NLTK searches with growing windows, in time that grows with the fourth power of the length, and raises an
//! exception above 2,000 words, where this returns NaN. Here common runs are measured once for every pair of
//! positions, in time proportional to the product of the lengths.

use crate::arithmetic::{exp, pow};
use crate::definition::{Definition, Mergeable};
use crate::dialect::{Dialect, Family, Merging, References};
use crate::error::Result;
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::{Segment, Text};
use crate::signature::{Keys, Signature};
use crate::text::vocabulary::Vocabulary;
use crate::text::{Tokens, whitespace};

pub(crate) const FAMILY: Family = Family { name: "ribes", title: "RIBES", default: "ribes:nltk" };

/// `ribes:nltk`.
pub(crate) const NLTK: Dialect = Dialect {
    name: "ribes:nltk",
    family: &FAMILY,
    aliases: &["ribes"],
    reproduces: "NLTK 3.10.4 corpus_ribes",
    summary: "rank correlation of the word order",
    agreement: "all stored results and generated pairs, every bit",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Best,
    merging: Merging::PartsInOrder,
    alignment: false,
    build,
};

/// NLTK refuses longer sides.
const MOST_TOKENS: usize = 2_000;

fn build(keys: &mut Keys, _: &Resources) -> Result<AnyMetric> {
    let alpha = keys.number("alpha", 0.25)?;
    let beta = keys.number("beta", 0.10)?;
    Ok(AnyMetric::Ribes(Ribes { alpha, beta }))
}

/// A configured RIBES.
#[derive(Clone, Debug)]
pub struct Ribes {
    alpha: f64,
    beta: f64,
}

/// The scores of the segments, in order, because the mean is added left to right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// One for each segment.
    pub scores: Vec<f64>,
}

crate::record::record!(Stats { scores });

impl Mergeable for Stats {
    fn merge(&mut self, other: &Self) {
        self.scores.extend_from_slice(&other.scores);
    }
}

/// Buffers of one worker.
#[derive(Debug, Default)]
pub struct Scratch {
    tokens: Tokens,
    vocabulary: Vocabulary,
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
    runs: Runs,
    ranks: Vec<usize>,
}

impl Ribes {
    fn score(
        &self,
        hypothesis: &[u32],
        reference: &[u32],
        runs: &mut Runs,
        ranks: &mut Vec<usize>,
    ) -> f64 {
        if hypothesis.is_empty() {
            return 0.0;
        }
        if hypothesis.len().max(reference.len()) > MOST_TOKENS {
            return f64::NAN;
        }
        rank(hypothesis, reference, runs, ranks);
        let ratio = reference.len() as f64 / hypothesis.len() as f64;
        let brevity = exp(1.0 - ratio).min(1.0);
        let precision = ranks.len() as f64 / hypothesis.len() as f64;
        normalized_tau(ranks) * pow(precision, self.alpha) * pow(brevity, self.beta)
    }
}

/// The share of rising pairs among all pairs, from Kendall's τ as NLTK rounds it.
fn normalized_tau(ranks: &[usize]) -> f64 {
    if ranks.len() < 2 {
        return 0.0;
    }
    let rising: usize = ranks
        .iter()
        .enumerate()
        .map(|(idx, rank)| ranks[idx + 1..].iter().filter(|&later| later > rank).count())
        .sum();
    let pairs = ranks.len() * (ranks.len() - 1) / 2;
    let tau = (2 * rising) as f64 / pairs as f64 - 1.0;
    (tau + 1.0) / 2.0
}

/// The reference positions that words of the hypothesis are linked to, in hypothesis order.
fn rank(hypothesis: &[u32], reference: &[u32], runs: &mut Runs, ranks: &mut Vec<usize>) {
    ranks.clear();
    runs.measure(hypothesis, reference);
    for (at, forward) in runs.forward.iter().enumerate() {
        let Some(backward) = runs.backward.get(at) else { continue };
        // The run of length 1 is the word itself. It must occur in the reference.
        if let Some((length, place)) = forward.shortest_unique(1)
            && length == 1
        {
            ranks.push(place);
            continue;
        }
        let longest = at.max(hypothesis.len() - at + 1).min(reference.len());
        let right = forward.shortest_unique(2);
        let left = backward.shortest_unique(2);
        // NLTK widens the window on the right first, so the right one wins ties.
        let chosen = match (right, left) {
            (Some(right), Some(left)) if left.0 < right.0 => Some(left),
            (Some(right), _) => Some(right),
            (None, left) => left,
        };
        if let Some((length, place)) = chosen
            && length <= longest
        {
            ranks.push(place);
        }
    }
}

/// For each position of the hypothesis, the longest runs around it that also occur at other positions.
#[derive(Debug, Default)]
struct Runs {
    forward: Vec<Longest>,
    backward: Vec<Longest>,
    row: Vec<usize>,
}

/// The longest runs that begin (or end) at one place of the hypothesis and occur elsewhere.
#[derive(Clone, Copy, Debug, Default)]
struct Longest {
    /// The longest in the reference.
    reference: usize,
    /// The reference position of the word in that occurrence.
    place: usize,
    /// The longest at any other position of the reference.
    second: usize,
    /// The longest at any other position of the hypothesis.
    hypothesis: usize,
}

impl Longest {
    /// The shortest run of at least `least` words that occurs exactly once on both sides, with its position
    /// in the reference. Longer runs never occur more often.
    fn shortest_unique(&self, least: usize) -> Option<(usize, usize)> {
        let length = (self.second.max(self.hypothesis) + 1).max(least);
        (length <= self.reference).then_some((length, self.place))
    }

    fn in_reference(&mut self, length: usize, place: usize) {
        if length > self.reference {
            self.second = self.reference;
            (self.reference, self.place) = (length, place);
        } else {
            self.second = self.second.max(length);
        }
    }
}

impl Runs {
    fn measure(&mut self, hypothesis: &[u32], reference: &[u32]) {
        let n = hypothesis.len();
        for longest in [&mut self.forward, &mut self.backward] {
            longest.clear();
            longest.resize(n, Longest::default());
        }
        // `row[j]` is the length of the common run that begins at the current word and at word j. The
        // previous row belongs to the next word, so j goes upwards and reads `row[j + 1]`.
        let row = &mut self.row;
        for (other, same) in [(reference, false), (hypothesis, true)] {
            row.clear();
            row.resize(other.len() + 1, 0);
            for (at, own) in hypothesis.iter().enumerate().rev() {
                for (j, word) in other.iter().enumerate() {
                    row[j] = if word == own { row[j + 1] + 1 } else { 0 };
                    note(&mut self.forward[at], row[j], j, same.then_some(at));
                }
            }
            // The mirror image: `row[j + 1]` belongs to word j.
            row.fill(0);
            for (at, own) in hypothesis.iter().enumerate() {
                for (j, word) in other.iter().enumerate().rev() {
                    row[j + 1] = if word == own { row[j] + 1 } else { 0 };
                    note(&mut self.backward[at], row[j + 1], j, same.then_some(at));
                }
            }
        }
    }
}

/// Records a common run, of the reference or (with the word's own position) of the hypothesis itself.
fn note(longest: &mut Longest, length: usize, place: usize, own: Option<usize>) {
    match own {
        None => longest.in_reference(length, place),
        Some(own) if own != place => longest.hypothesis = longest.hypothesis.max(length),
        Some(_) => {}
    }
}

impl Definition for Ribes {
    type Stats = Stats;
    type Score = f64;
    type Scratch = Scratch;

    fn needs_spaces(&self, _: &str) -> bool {
        true
    }

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        let Scratch { tokens, vocabulary, hypothesis, reference, runs, ranks } = scratch;
        vocabulary.forget_if_large();
        let mut read = |text: Text<'_>, ids: &mut Vec<u32>| {
            tokens.clear();
            match text {
                Text::Raw(text) => whitespace::tokenize(text, tokens),
                Text::Tokens(given) => tokens.extend_given(given),
            }
            ids.clear();
            ids.extend(tokens.iter().map(|token| vocabulary.intern(token)));
        };
        read(segment.hypothesis(), hypothesis);
        let mut best = 0.0_f64;
        for text in segment.each_reference() {
            read(text, reference);
            let score = self.score(hypothesis, reference, runs, ranks);
            // NLTK fails if any reference is too long, so NaN stays.
            if score > best || score.is_nan() {
                best = score;
            }
            if best.is_nan() {
                break;
            }
        }
        Stats { scores: vec![best] }
    }

    fn finish(&self, stats: &Stats) -> f64 {
        if stats.scores.is_empty() {
            return 0.0;
        }
        stats.scores.iter().fold(0.0, |sum, score| sum + score) / stats.scores.len() as f64
    }

    fn value(&self, score: &f64) -> f64 {
        *score
    }

    fn components(&self, _: &f64) -> Components {
        Components::default()
    }

    fn signature(&self) -> Signature {
        Signature::new("ribes:nltk").with("alpha", self.alpha).with("beta", self.beta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(hypothesis: &[u32], reference: &[u32], expected: &[usize]) {
        let mut ranks = Vec::new();
        rank(hypothesis, reference, &mut Runs::default(), &mut ranks);
        assert_eq!(ranks, expected, "{hypothesis:?} {reference:?}");
    }

    #[test]
    fn unique_words_are_tied_at_once_and_others_by_their_neighbours() {
        check(&[1, 2, 3], &[3, 1, 2], &[1, 2, 0]);
        check(&[9, 1, 2], &[2, 1], &[1, 0]);
        check(&[1, 2, 1, 3], &[1, 3, 1, 2], &[2, 3, 0, 1]);
        check(&[1, 1], &[1, 1], &[0, 1]);
        check(&[1, 1, 1], &[1, 1], &[]);
        check(&[], &[1], &[]);
    }
}
