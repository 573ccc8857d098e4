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

mod bids;
mod bigrams;
mod brief;
mod capacity;
mod columns;
mod cover;
mod crossings;
mod document;
mod duo;
mod exact;
mod extent;
mod general;
mod intern;
mod lagrange;
mod mis64;
mod parts;
mod polish;
mod prices;
mod reduce;
mod regions;
mod runs;
mod search;
mod sets;
mod small;
mod stages;
mod sweep;
mod tiling;
mod transport;

#[cfg(test)]
mod brute;
#[cfg(test)]
mod tests;

pub(super) use brief::Brief;

use crossings::Goal;
use duo::NONE;
use exact::ClassAligner;
use stages::{Stages, Worth};

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
    /// computed; a million take some milliseconds.
    pub visits: u64,
    /// The same for each word of the two texts; the smaller of both limits counts. Texts of few words that
    /// repeat very often get less, unless this is the largest number.
    pub visits_per_word: u64,
    /// Texts with more duos than this are aligned greedily, with a bound.
    pub duos: usize,
    /// Levels of recursion.
    pub depth: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { nodes: 20_000, visits: 800_000, visits_per_word: 400, duos: 200_000, depth: 150 }
    }
}

/// What makes one alignment better than another with as many matches of every stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// Fewest chunks.
    #[default]
    Chunks,
    /// Fewest crossings, then fewest chunks: the letter of the 2005 paper.
    Crossings,
}

/// What decides between alignments with equally few chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// A fixed order of choice, reproducible but without meaning. No score depends on it.
    #[default]
    Order,
    /// Fewest crossings: the alignment to show to a reader.
    Crossings,
}

/// Everything that moves the result of an [`Aligner`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// How much work an alignment may cost.
    pub budget: Budget,
    /// What is best.
    pub objective: Objective,
    /// What decides between equals; without effect on [`Objective::Crossings`], which decides by
    /// chunks.
    pub ties: Ties,
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
    /// Whether the alignment is proven best: for [`Objective::Chunks`] no alignment with as many
    /// matches of every stage has fewer chunks; for [`Objective::Crossings`] none has fewer
    /// crossings, and none with as few crossings has fewer chunks.
    pub proven: bool,
    /// No alignment with as many matches of every stage has fewer chunks than this; for a proven
    /// [`Objective::Crossings`], none with as few crossings.
    pub chunks_lower_bound: u32,
    /// Whether the crossings are proven fewest, for [`Objective::Chunks`] among the alignments with
    /// the fewest chunks. With [`Ties::Order`] nothing is searched and only 0 is proven.
    pub crossings_proven: bool,
    /// The crossings cannot be fewer than this, among the same alignments.
    pub crossings_lower_bound: u64,
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

/// Two different words that may match, with what such a match is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bond {
    /// A word of the hypothesis.
    pub hypothesis: u32,
    /// A word of the reference.
    pub reference: u32,
    /// What a match adds. All matches of a text together weigh less than 2^94.
    pub weight: u128,
}

/// Aligns word sequences, reusing its buffers from call to call.
///
/// Words are numbers: equal numbers match exactly, [`Relation`]s say which others match. How words
/// are numbered has no influence on the result.
///
/// ```
/// use bolide::unstable::meteor::align::{Aligner, Relation, Settings};
///
/// // "on the mat sat the cat" against "the cat sat on the mat".
/// let mut aligner = Aligner::new(Settings::default());
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
    /// What is best, and what each alignment may cost.
    pub settings: Settings,
    stages: Stages,
    classes: ClassAligner,
    /// Positions of the words that were not set aside, on both sides.
    places: (Vec<u32>, Vec<u32>),
    alignment: Alignment,
}

impl Aligner {
    /// An aligner with these settings.
    pub fn new(settings: Settings) -> Self {
        Aligner { settings, ..Aligner::default() }
    }

    /// Aligns equal words only.
    pub fn exact(&mut self, hypothesis: &[u32], reference: &[u32]) -> &Alignment {
        self.align(hypothesis, reference, &[])
    }

    /// Most exact matches, then most matches of each later stage in order, then the objective.
    ///
    /// Which copies of a word a stage matches stays open until the chunks decide. Relations in any
    /// order and any number of times; of several between two words the earliest stage counts.
    pub fn align(
        &mut self,
        hypothesis: &[u32],
        reference: &[u32],
        relations: &[Relation],
    ) -> &Alignment {
        if hypothesis == reference {
            return self.identity(hypothesis.len());
        }
        let given = relations.iter().map(|r| (r.hypothesis, r.reference, r.stage, None));
        self.stages.read(hypothesis, reference, given);
        self.settle()
    }

    /// Most exact matches, then the heaviest others, then the most of them, then the objective, where
    /// words that no such alignment matches are set aside: they stand between no two neighbours.
    ///
    /// Bonds in any order; of several between two words the heaviest counts. Pairs that a bond allows
    /// are of stage 1.
    pub fn heaviest(
        &mut self,
        hypothesis: &[u32],
        reference: &[u32],
        bonds: impl IntoIterator<Item = Bond>,
    ) -> &Alignment {
        if hypothesis == reference {
            for places in [&mut self.places.0, &mut self.places.1] {
                places.clear();
                places.extend(0..hypothesis.len() as u32);
            }
            return self.identity(hypothesis.len());
        }
        // Fewest chunks are most adjacencies only if the number of matches is settled.
        let worth = |bond: &Bond| Worth::new(bond.weight << 32 | 1);
        let given = |bond: Bond| (bond.hypothesis, bond.reference, 1, worth(&bond));
        let given = bonds.into_iter().map(given);
        self.stages.read(hypothesis, reference, given);
        let (mut places_h, mut places_r) = std::mem::take(&mut self.places);
        self.stages.set_aside(&mut places_h, &mut places_r);
        self.settle();
        for pair in &mut self.alignment.pairs {
            pair.hypothesis = places_h[pair.hypothesis as usize];
            pair.reference = places_r[pair.reference as usize];
        }
        self.places = (places_h, places_r);
        &self.alignment
    }

    /// The last alignment.
    pub fn alignment(&self) -> &Alignment {
        &self.alignment
    }

    /// The positions in hypothesis and reference that [`heaviest`](Self::heaviest) did not set aside.
    pub fn places(&self) -> (&[u32], &[u32]) {
        (&self.places.0, &self.places.1)
    }

    /// Every word matched to itself: all exact matches there can be, in one chunk and without
    /// crossings. No other alignment of a text with itself has as many in as few chunks.
    fn identity(&mut self, n_words: usize) -> &Alignment {
        let alignment = &mut self.alignment;
        alignment.pairs.clear();
        let pair = |at| Pair { hypothesis: at, reference: at, stage: 0 };
        alignment.pairs.extend((0..n_words as u32).map(pair));
        alignment.chunks = u32::from(n_words > 0);
        alignment.chunks_lower_bound = alignment.chunks;
        alignment.proven = true;
        alignment.crossings = 0;
        alignment.crossings_lower_bound = 0;
        alignment.crossings_proven = true;
        alignment.nodes = 0;
        alignment
    }

    /// Chooses among the matches that the stages leave open.
    fn settle(&mut self) -> &Alignment {
        let stages = &mut self.stages;
        let n_reference = stages.types_r.len();
        let classes = &mut self.classes;
        let class_of = |types: &[u32], out: &mut Vec<u32>| {
            out.clear();
            out.extend(types.iter().map(|&word| stages.class[word as usize]));
        };
        class_of(&stages.types_h, &mut classes.hypothesis);
        class_of(&stages.types_r, &mut classes.reference);
        classes.n_classes = stages.n_classes;
        let budget = &self.settings.budget;
        let known = if stages.n_parts == 0 {
            classes.align(budget)
        } else {
            general::align(stages, classes, budget)
        };
        let alignment = &mut self.alignment;
        alignment.chunks = known.chunks;
        alignment.chunks_lower_bound = known.lower_bound;
        alignment.proven = known.chunks == known.lower_bound;
        alignment.nodes = known.nodes;
        alignment.crossings = crossings::count(&classes.partner, n_reference);
        alignment.crossings_lower_bound = 0;
        let goal = match (self.settings.objective, self.settings.ties) {
            (Objective::Chunks, Ties::Order) => None,
            (Objective::Chunks, Ties::Crossings) if alignment.crossings == 0 => None,
            (Objective::Chunks, Ties::Crossings) => {
                let matches = classes.partner.iter().filter(|&&j| j != NONE).count() as u32;
                Some(Goal::Adjacencies(matches - known.chunks))
            }
            (Objective::Crossings, _) => Some(Goal::Crossings),
        };
        alignment.crossings_proven = alignment.crossings == 0 && goal != Some(Goal::Crossings);
        if let Some(goal) = goal.filter(|_| !known.frozen) {
            let settled = crossings::settle(stages, classes, goal, budget);
            alignment.nodes += settled.nodes;
            alignment.crossings = crossings::count(&classes.partner, n_reference);
            alignment.crossings_lower_bound = settled.crossings_lower_bound;
            alignment.chunks = classes.count_chunks();
            alignment.crossings_proven = alignment.crossings == settled.crossings_lower_bound;
            match goal {
                Goal::Adjacencies(_) => alignment.crossings_proven &= alignment.proven,
                Goal::Crossings => {
                    alignment.proven = settled.complete;
                    if settled.complete {
                        alignment.chunks_lower_bound = alignment.chunks;
                    }
                }
            }
        }
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
        alignment
    }
}
