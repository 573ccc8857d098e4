//! Alignment: one choice among the possible word matches, with a proof that it is the best.
//!
//! Wanted is a one-to-one set of matches with, in this order, the most matches stage by stage
//! (exact before stem before synonym), then the fewest chunks. That is NP-hard in general
//! and easy on real text: almost every segment is solved to a proven optimum in
//! about a microsecond. Where the budget ends first, the alignment says so (`proven: false`) and
//! carries a lower bound. The budget counts steps, never time, so results are reproducible.
//!
//! The module knows words as numbers only; matchers decide which numbers match. The method is
//! described in `docs/alignment.md`.

mod duo;
mod exact;
mod intern;
mod lagrange;
mod mis64;
mod reduce;
mod search;
mod tiling;

#[cfg(test)]
mod brute;
#[cfg(test)]
mod tests;

use duo::NONE;
use exact::ClassAligner;
use intern::Interner;

/// One match: hypothesis word, reference word, and the stage that allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// Position in the hypothesis.
    pub hypothesis: u32,
    /// Position in the reference.
    pub reference: u32,
    /// 0 for equal words, else the stage of the relation that allows the match.
    pub stage: u8,
}

/// How much work an alignment may cost. Counted in steps, so that a result does not depend on
/// the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Search nodes.
    pub nodes: u64,
    /// Visits of a duo (two neighbouring words matched to two neighbouring words) while bounds are
    /// computed; 20 million take about a tenth of a second.
    pub visits: u64,
    /// Texts with more duos than this are aligned greedily, with a bound.
    pub duos: usize,
    /// Levels of recursion.
    pub depth: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { nodes: 200_000, visits: 20_000_000, duos: 200_000, depth: 150 }
    }
}

/// A one-to-one alignment and what is known about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    /// The matches in order of the hypothesis.
    pub pairs: Vec<Pair>,
    /// Runs of matches that are contiguous and in the same order on both sides.
    pub chunks: u32,
    /// Pairs of matches in opposite order on the two sides.
    pub crossings: u64,
    /// Whether no alignment with as many matches, stage by stage, has fewer chunks.
    pub proven: bool,
    /// No such alignment has fewer chunks than this.
    pub chunks_lower_bound: u32,
    /// Search nodes used.
    pub nodes: u64,
}

/// Aligns word sequences, reusing its buffers from call to call.
///
/// ```
/// use bolide::meteor::align::{Aligner, Budget};
///
/// // "on the mat sat the cat" against "the cat sat on the mat".
/// let mut aligner = Aligner::new(Budget::default());
/// let alignment = aligner.exact(&[3, 0, 4, 2, 0, 1], &[0, 1, 2, 3, 0, 4]);
/// assert_eq!((alignment.pairs.len(), alignment.chunks, alignment.proven), (6, 3, true));
/// ```
#[derive(Default)]
pub struct Aligner {
    budget: Budget,
    words: Interner,
    classes: ClassAligner,
    alignment: Alignment,
}

impl Aligner {
    /// An aligner that spends at most `budget` on each alignment.
    pub fn new(budget: Budget) -> Self {
        Aligner { budget, ..Aligner::default() }
    }

    /// Aligns equal words only: most matches, then fewest chunks.
    pub fn exact(&mut self, hypothesis: &[u32], reference: &[u32]) -> &Alignment {
        self.words.begin(hypothesis.len());
        let classes = &mut self.classes;
        classes.hypothesis.clear();
        classes.hypothesis.extend(hypothesis.iter().map(|&w| self.words.insert(u64::from(w))));
        classes.reference.clear();
        classes
            .reference
            .extend(reference.iter().map(|&w| self.words.get(u64::from(w)).unwrap_or(NONE)));
        classes.n_classes = self.words.len() as usize;
        let known = classes.align(&self.budget);
        let alignment = &mut self.alignment;
        alignment.pairs.clear();
        for (i, &j) in classes.partner.iter().enumerate() {
            if j != NONE {
                alignment.pairs.push(Pair { hypothesis: i as u32, reference: j, stage: 0 });
            }
        }
        alignment.chunks = known.chunks;
        alignment.chunks_lower_bound = known.lower_bound;
        alignment.proven = known.chunks == known.lower_bound;
        alignment.nodes = known.nodes;
        alignment
    }
}
