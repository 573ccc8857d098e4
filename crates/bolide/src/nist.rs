//! NIST (Doddington 2002) as NLTK 3.10.4 computes it: n-gram precision weighted by information.
//!
//! The weight of an n-gram w1…wk is log2(freq(w1…w(k−1)) / freq(w1…wk)). Frequencies are counted over all
//! references of the corpus; that of the empty n-gram is the number of their words. For each order up to 5
//! and each segment the best reference counts; numerators and denominators are summed per order, and the
//! quotients are added and multiplied by a brevity penalty.
//!
//! The weight of a match depends on the whole corpus, so the statistics are the tokens themselves, and all
//! work is done at the end, in time linear in the corpus. A corpus without n-grams of some order makes NLTK
//! divide by zero, so a single segment of fewer than 5 words is NaN here. NLTK adds with Python's `sum`;
//! `sum:plain` is that of Python up to 3.11.

use crate::arithmetic::{PythonSum, exp, ln, pow};
use crate::definition::Definition;
use crate::dialect::{Dialect, Family, Merging, References};
use crate::error::Result;
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::Segment;
use crate::signature::{Keys, Signature};
use crate::text::Tokens;
use crate::whole_corpus::WholeCorpus;
use rustc_hash::FxHashMap;

pub(crate) const FAMILY: Family = Family { name: "nist", title: "NIST", default: "nist:nltk" };

/// `nist:nltk`.
pub(crate) const NLTK: Dialect = Dialect {
    name: "nist:nltk",
    family: &FAMILY,
    aliases: &["nist"],
    reproduces: "NLTK 3.10.4 corpus_nist",
    summary: "n-gram precision weighted by how rare the n-grams are in the references",
    agreement: "all stored results and generated pairs, every bit, of Python 3.11 and 3.12",
    decimals: 4,
    range: (0.0, f64::INFINITY),
    lower_is_better: false,
    references: References::Pooled,
    merging: Merging::PartsInOrder,
    alignment: false,
    build,
};

fn build(keys: &mut Keys, _: &Resources) -> Result<AnyMetric> {
    let order = keys.whole("n", 5, 1..=100)? as usize;
    let sum = keys.choice("sum", &PythonSum::CHOICES, PythonSum::Compensated)?;
    Ok(AnyMetric::Nist(Nist { order, sum }))
}

/// A configured NIST.
#[derive(Clone, Debug)]
pub struct Nist {
    order: usize,
    sum: PythonSum,
}

/// The n-grams of all references.
#[derive(Default)]
struct Frequencies {
    /// Maps an n-gram and one more word to the longer n-gram.
    children: FxHashMap<(u32, u32), u32>,
    nodes: Vec<Node>,
}

#[derive(Clone, Default)]
struct Node {
    frequency: u64,
    /// The weight of a match.
    information: f64,
}

/// The empty n-gram.
const ROOT: u32 = 0;

impl Frequencies {
    fn new<'w>(references: impl Iterator<Item = &'w [u32]>, order: usize) -> Self {
        let mut all = Frequencies { nodes: vec![Node::default()], ..Self::default() };
        let mut parents = vec![ROOT];
        for words in references {
            all.nodes[ROOT as usize].frequency += words.len() as u64;
            for start in 0..words.len() {
                let mut node = ROOT;
                for &word in words[start..].iter().take(order) {
                    let next = all.nodes.len() as u32;
                    let child = *all.children.entry((node, word)).or_insert(next);
                    if child == next {
                        all.nodes.push(Node::default());
                        parents.push(node);
                    }
                    all.nodes[child as usize].frequency += 1;
                    node = child;
                }
            }
        }
        for (idx, &parent) in parents.iter().enumerate().skip(1) {
            let parent = all.nodes[parent as usize].frequency;
            let ratio = parent as f64 / all.nodes[idx].frequency as f64;
            all.nodes[idx].information = ln(ratio) / ln(2.0);
        }
        all
    }

    /// For each position, extends the n-gram in `row` by one word if the references have the longer one.
    fn lengthen(&self, words: &[u32], order: usize, row: &mut Vec<Option<u32>>) {
        row.truncate(words.len().saturating_sub(order - 1));
        for (start, node) in row.iter_mut().enumerate() {
            *node = node
                .and_then(|parent| self.children.get(&(parent, words[start + order - 1])).copied());
        }
    }
}

/// The count of each n-gram of one order in one side.
#[derive(Default)]
struct Counts {
    counts: Vec<u32>,
    /// The n-grams in order of first occurrence.
    seen: Vec<u32>,
}

impl Counts {
    fn fill(&mut self, row: &[Option<u32>], n_nodes: usize) {
        self.counts.resize(n_nodes, 0);
        for &node in &self.seen {
            self.counts[node as usize] = 0;
        }
        self.seen.clear();
        for &node in row.iter().flatten() {
            if self.counts[node as usize] == 0 {
                self.seen.push(node);
            }
            self.counts[node as usize] += 1;
        }
    }
}

/// The score, and the brevity penalty in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The sum over orders of information per n-gram, times the penalty.
    pub score: f64,
    /// The brevity penalty.
    pub penalty: f64,
}

/// exp(b · ln(ratio)²), with b such that a hypothesis of two thirds of the length gets a penalty of one half.
fn length_penalty(ratio: f64) -> f64 {
    if 0.0 < ratio && ratio < 1.0 {
        let at_half = pow(ln(1.5), 2.0);
        exp(ln(0.5) / at_half * pow(ln(ratio), 2.0))
    } else {
        ratio.clamp(0.0, 1.0)
    }
}

impl Definition for Nist {
    type Stats = WholeCorpus;
    type Score = Score;
    type Scratch = Tokens;

    fn needs_spaces(&self, _: &str) -> bool {
        true
    }

    fn segment(&self, segment: Segment<'_>, tokens: &mut Tokens) -> WholeCorpus {
        WholeCorpus::of_segment(segment, tokens)
    }

    fn finish(&self, stats: &WholeCorpus) -> Score {
        let segments = stats.segments();
        let references = segments.iter().flat_map(|sides| sides.iter().skip(1));
        let frequencies = Frequencies::new(references.map(Vec::as_slice), self.order);
        let n_nodes = frequencies.nodes.len();
        let mut numerators = vec![0.0; self.order];
        let mut denominators = vec![0u64; self.order];
        let (mut hypothesis_length, mut reference_length) = (0u64, 0u64);
        let (mut in_hypothesis, mut in_reference) = (Counts::default(), Counts::default());
        for sides in &segments {
            let Some((hypothesis, _)) = sides.split_first() else { continue };
            // One row per side, lengthened from order to order.
            let mut rows: Vec<Vec<Option<u32>>> =
                sides.iter().map(|words| vec![Some(ROOT); words.len()]).collect();
            for order in 1..=self.order {
                for (words, row) in sides.iter().zip(&mut rows) {
                    frequencies.lengthen(words, order, row);
                }
                let Some((row, reference_rows)) = rows.split_first() else { continue };
                in_hypothesis.fill(row, n_nodes);
                // The numerator decides before the reference's length, because the denominator is the same.
                let mut best: Option<(f64, usize)> = None;
                for (words, reference_row) in sides[1..].iter().zip(reference_rows) {
                    in_reference.fill(reference_row, n_nodes);
                    let worth = |&node: &u32| {
                        let node = node as usize;
                        let count = in_hypothesis.counts[node].min(in_reference.counts[node]);
                        (count > 0).then(|| frequencies.nodes[node].information * f64::from(count))
                    };
                    let numerator = self.sum.of(in_hypothesis.seen.iter().filter_map(worth));
                    let candidate = (numerator, words.len());
                    if best.is_none_or(|best| candidate > best) {
                        best = Some(candidate);
                    }
                }
                let (numerator, length) = best.unwrap_or_default();
                numerators[order - 1] += numerator;
                denominators[order - 1] += row.len() as u64;
                hypothesis_length += hypothesis.len() as u64;
                reference_length += length as u64;
            }
        }
        let penalty = length_penalty(hypothesis_length as f64 / reference_length as f64);
        if denominators.contains(&0) || reference_length == 0 {
            return Score { score: f64::NAN, penalty };
        }
        let precision = numerators
            .iter()
            .zip(&denominators)
            .fold(0.0, |sum, (&numerator, &denominator)| sum + numerator / denominator as f64);
        Score { score: precision * penalty, penalty }
    }

    fn value(&self, score: &Score) -> f64 {
        score.score
    }

    fn components(&self, score: &Score) -> Components {
        Components::default().number("penalty", score.penalty)
    }

    fn signature(&self) -> Signature {
        Signature::new("nist:nltk").with("n", self.order).with("sum", self.sum.name())
    }
}
