//! What a score without an alignment was counted from: n-grams, edits, subsequences, and the steps of the
//! formula.
//!
//! The counts and values are those of the metric's own statistics and score; only the lists of words are
//! written out in addition. `tests/it/evidence.rs` checks that the lists add up to the statistics. The feature
//! `evidence` turns this on.

use crate::segment::Segment;
use crate::text::vocabulary::Vocabulary;
use std::collections::BTreeMap;

/// All that a score was counted from: [`Metric::evidence`](crate::Metric::evidence).
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// let bleu: bolide::Metric = "bleu".parse()?;
/// let evidence = bleu.evidence("the the cat", &["the cat sat"])?.unwrap();
/// let the = &evidence.orders[0].ngrams[0];
/// assert_eq!((the.text.as_str(), the.hypothesis, the.reference, the.matches), ("the", 2, 1, 1));
/// assert_eq!((evidence.orders[0].matches, evidence.orders[0].hypothesis), (2, 3));
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Evidence {
    /// The words that were compared: tokenised, case-folded, stemmed. Empty if only characters were.
    pub words: Words,
    /// The index of the reference that counted, from 0; `None` if all count together.
    pub reference_idx: Option<usize>,
    /// The n-grams of each order.
    pub orders: Vec<Order>,
    /// The edits that turn the hypothesis into the reference.
    pub edits: Option<Edits>,
    /// The words in common, in their order in the reference.
    pub subsequence: Option<Vec<Common>>,
    /// The formula. The last step is the score.
    pub steps: Vec<Step>,
}

/// The n-grams of a text of more words or characters than this are counted but not listed: nobody reads them, and
/// a list takes a hundred times the memory of the text.
pub const MOST_LISTED: usize = 1 << 16;

/// The words of both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Words {
    /// Of the hypothesis.
    pub hypothesis: Vec<String>,
    /// Of every reference.
    pub references: Vec<Vec<String>>,
}

/// The n-grams of one order.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Order {
    /// What the n-grams are made of: `word` or `character`.
    pub unit: &'static str,
    /// How many of them.
    pub n: usize,
    /// n-grams of the hypothesis.
    pub hypothesis: u64,
    /// n-grams of the reference; `None` if several references count together.
    pub reference: Option<u64>,
    /// n-grams that match, each at most as often as the reference has it.
    pub matches: u64,
    /// The precision that the score uses, if it uses one.
    pub precision: Option<f64>,
    /// The recall that the score uses, if it uses one.
    pub recall: Option<f64>,
    /// Whether the precision is smoothed: not matches over n-grams.
    pub smoothed: bool,
    /// The different n-grams, in the order of the hypothesis; where recall counts, those that only the
    /// reference has follow. Empty if a text is longer than [`MOST_LISTED`].
    pub ngrams: Vec<Ngram>,
}

/// One n-gram.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Ngram {
    /// Its words, separated by spaces, or its characters.
    pub text: String,
    /// How often the hypothesis has it.
    pub hypothesis: u64,
    /// How often the reference has it; of several references the one that has it most often.
    pub reference: u64,
    /// How often it counts: the smaller of the two.
    pub matches: u64,
}

/// An edit path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Edits {
    /// The moves of blocks, in the order they were made.
    pub shifts: Vec<Shift>,
    /// The steps from the moved hypothesis to the reference.
    pub path: Vec<Edit>,
}

/// A moved block of the hypothesis.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Shift {
    /// The block's words, as positions in the original hypothesis.
    pub words: Vec<usize>,
    /// Where the block was, before this move.
    pub from: usize,
    /// Where it is afterwards.
    pub to: usize,
}

/// A step of an edit path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Edit {
    /// `keep`, `substitute`, `delete` or `insert`.
    pub kind: &'static str,
    /// The word of the original hypothesis; `None` for an insertion.
    pub hypothesis: Option<usize>,
    /// The word of the reference; `None` for a deletion.
    pub reference: Option<usize>,
}

/// A word of a common subsequence. Positions count from 0, over all lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Common {
    /// The word of the reference.
    pub reference: usize,
    /// The word of the hypothesis; `None` if subsequences of several lines are united.
    pub hypothesis: Option<usize>,
}

/// A step of the formula.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Step {
    /// What is computed.
    pub name: &'static str,
    /// How, with the numbers. If nothing is computed, the value and the reason: `0: no word matches`.
    pub formula: String,
    /// The value, as the metric computed it.
    pub value: f64,
}

impl Step {
    pub(crate) fn new(name: &'static str, formula: impl Into<String>, value: f64) -> Self {
        Step { name, formula: formula.into(), value }
    }
}

impl Words {
    pub(crate) fn of<'r>(
        vocabulary: &Vocabulary,
        hypothesis: &[u32],
        references: impl Iterator<Item = &'r [u32]>,
    ) -> Self {
        let words = |ids: &[u32]| ids.iter().map(|&id| vocabulary.word(id).to_owned()).collect();
        Words { hypothesis: words(hypothesis), references: references.map(words).collect() }
    }
}

impl Ngram {
    /// Counts the different n-grams; `show` writes one. Without `missing`, those that only a reference has
    /// are left out.
    pub(crate) fn list<T: Ord>(
        n: usize,
        hypothesis: &[T],
        references: &[&[T]],
        missing: bool,
        show: impl Fn(&[T]) -> String,
    ) -> Vec<Ngram> {
        let mut ngrams: Vec<Ngram> = Vec::new();
        let lengths = references.iter().map(|list| list.len()).chain([hypothesis.len()]);
        if lengths.max() > Some(MOST_LISTED) {
            return ngrams;
        }
        let mut places = BTreeMap::new();
        let new = |text| Ngram { text, hypothesis: 0, reference: 0, matches: 0 };
        for ngram in hypothesis.windows(n) {
            let at = *places.entry(ngram).or_insert_with(|| {
                ngrams.push(new(show(ngram)));
                ngrams.len() - 1
            });
            ngrams[at].hypothesis += 1;
        }
        for reference in references {
            let mut counts = vec![0; ngrams.len()];
            for ngram in reference.windows(n) {
                let at = match places.get(ngram) {
                    Some(&at) => at,
                    None if missing => {
                        places.insert(ngram, ngrams.len());
                        ngrams.push(new(show(ngram)));
                        ngrams.len() - 1
                    }
                    None => continue,
                };
                counts.resize(counts.len().max(at + 1), 0);
                counts[at] += 1;
            }
            for (ngram, count) in ngrams.iter_mut().zip(counts) {
                ngram.reference = ngram.reference.max(count);
            }
        }
        for ngram in &mut ngrams {
            ngram.matches = ngram.hypothesis.min(ngram.reference);
        }
        ngrams
    }

    /// The same for words by their numbers.
    pub(crate) fn of_words(
        n: usize,
        vocabulary: &Vocabulary,
        hypothesis: &[u32],
        references: &[&[u32]],
        missing: bool,
    ) -> Vec<Ngram> {
        Self::list(n, hypothesis, references, missing, |ngram| {
            ngram.iter().map(|&id| vocabulary.word(id)).collect::<Vec<_>>().join(" ")
        })
    }
}

/// The first of the references that is better than all before it, by the value of the segment with it alone.
pub(crate) fn best(
    segment: Segment<'_>,
    mut value: impl FnMut(Segment<'_>) -> f64,
    is_better: impl Fn(f64, f64) -> bool,
) -> usize {
    let mut best: Option<(usize, f64)> = None;
    for (idx, reference) in segment.references().iter().enumerate() {
        let value = value(Segment::pair(segment.hypothesis(), reference));
        if best.is_none_or(|(_, before)| is_better(value, before)) {
            best = Some((idx, value));
        }
    }
    best.map_or(0, |(idx, _)| idx)
}
