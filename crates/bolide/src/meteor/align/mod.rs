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
mod general;
mod intern;
mod lagrange;
mod mis64;
mod parts;
mod reduce;
mod search;
mod stages;
mod tiling;
mod transport;

#[cfg(test)]
mod brute;
#[cfg(test)]
mod tests;

use duo::NONE;
use exact::ClassAligner;
use stages::Stages;

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

/// Two different words that a stage after the exact one lets match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Relation {
    /// A word of the hypothesis.
    pub hypothesis: u32,
    /// A word of the reference.
    pub reference: u32,
    /// 1 for the first stage after the exact one, then 2, 3; later ones count as 3.
    pub stage: u8,
}

/// Aligns word sequences, reusing its buffers from call to call.
///
/// Words are numbers: equal numbers match exactly, [`Relation`]s say which others match. How words
/// are numbered has no influence on the result.
///
/// ```
/// use bolide::meteor::align::{Aligner, Budget, Relation};
///
/// // "on the mat sat the cat" against "the cat sat on the mat".
/// let mut aligner = Aligner::new(Budget::default());
/// let alignment = aligner.exact(&[3, 0, 4, 2, 0, 1], &[0, 1, 2, 3, 0, 4]);
/// assert_eq!((alignment.pairs.len(), alignment.chunks, alignment.proven), (6, 3, true));
///
/// // "the cats are running" against "the cat is run", with stems.
/// let stems = [
///     Relation { hypothesis: 11, reference: 1, stage: 1 },
///     Relation { hypothesis: 13, reference: 5, stage: 1 },
/// ];
/// let alignment = aligner.align(&[0, 11, 12, 13], &[0, 1, 6, 5], &stems);
/// assert_eq!((alignment.pairs.len(), alignment.chunks), (3, 2));
/// ```
#[derive(Default)]
pub struct Aligner {
    /// What each alignment may cost.
    pub budget: Budget,
    stages: Stages,
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
        self.align(hypothesis, reference, &[])
    }

    /// Most exact matches, then most matches of each later stage in order, then fewest chunks.
    ///
    /// Which copies of a word a stage matches stays open until the chunks decide. Relations in any
    /// order and any number of times; of several between two words the earliest stage counts.
    pub fn align(
        &mut self,
        hypothesis: &[u32],
        reference: &[u32],
        relations: &[Relation],
    ) -> &Alignment {
        let stages = &mut self.stages;
        stages.read(hypothesis, reference, relations);
        let classes = &mut self.classes;
        let class_of = |types: &[u32], out: &mut Vec<u32>| {
            out.clear();
            out.extend(types.iter().map(|&word| stages.class[word as usize]));
        };
        class_of(&stages.types_h, &mut classes.hypothesis);
        class_of(&stages.types_r, &mut classes.reference);
        classes.n_classes = stages.n_classes;
        let known = if stages.n_parts == 0 {
            classes.align(&self.budget)
        } else {
            general::align(stages, classes, &self.budget)
        };
        let alignment = &mut self.alignment;
        alignment.pairs.clear();
        for (i, &j) in classes.partner.iter().enumerate() {
            if j != NONE {
                let stage = stages.stage(stages.types_h[i], stages.types_r[j as usize]);
                alignment.pairs.push(Pair {
                    hypothesis: i as u32,
                    reference: j,
                    stage: stage.unwrap_or(0),
                });
            }
        }
        alignment.chunks = known.chunks;
        alignment.chunks_lower_bound = known.lower_bound;
        alignment.proven = known.chunks == known.lower_bound;
        alignment.nodes = known.nodes;
        alignment
    }
}
