//! The definition, by trying everything: what the solvers are compared with on small inputs.

use super::Pair;

/// Stage counts, chunks and crossings of the best alignments of a small word graph.
#[derive(Debug, PartialEq, Eq, Clone)]
pub(super) struct Best {
    /// Matches of each stage, in the lexicographically largest way.
    pub(super) counts: [u32; 4],
    /// Fewest chunks, then fewest crossings.
    pub(super) chunks_first: (u32, u32),
    /// Fewest crossings, then fewest chunks: (crossings, chunks).
    pub(super) crossings_first: (u32, u32),
}

/// Tries every one-to-one alignment. `stage(i, j)` is the stage that allows a match.
pub(super) fn best(m: usize, n: usize, stage: &dyn Fn(usize, usize) -> Option<u8>) -> Best {
    let mut hopes = vec![0; m + 1];
    for i in (0..m).rev() {
        hopes[i] = hopes[i + 1] + u32::from((0..n).any(|j| stage(i, j) == Some(0)));
    }
    let mut state = Trial {
        n,
        hopes,
        stage,
        partner: vec![None; m],
        used: vec![false; n],
        counts: [0; 4],
        best: Best { counts: [0; 4], chunks_first: (0, 0), crossings_first: (0, 0) },
        fresh: true,
    };
    state.word(0);
    state.best
}

struct Trial<'a> {
    n: usize,
    /// How many words from each on have an exact partner at all.
    hopes: Vec<u32>,
    stage: &'a dyn Fn(usize, usize) -> Option<u8>,
    partner: Vec<Option<usize>>,
    used: Vec<bool>,
    counts: [u32; 4],
    best: Best,
    fresh: bool,
}

impl Trial<'_> {
    fn word(&mut self, i: usize) {
        if self.counts[0] + self.hopes[i] < self.best.counts[0] {
            return;
        }
        if i == self.partner.len() {
            self.judge();
            return;
        }
        for j in 0..self.n {
            if self.used[j] {
                continue;
            }
            if let Some(stage) = (self.stage)(i, j) {
                self.used[j] = true;
                self.partner[i] = Some(j);
                self.counts[stage as usize] += 1;
                self.word(i + 1);
                self.counts[stage as usize] -= 1;
                self.partner[i] = None;
                self.used[j] = false;
            }
        }
        self.word(i + 1);
    }

    fn judge(&mut self) {
        if !self.fresh && self.counts < self.best.counts {
            return;
        }
        let (chunks, crossings) = count(&self.partner);
        if self.fresh || self.counts > self.best.counts {
            self.fresh = false;
            self.best = Best {
                counts: self.counts,
                chunks_first: (chunks, crossings),
                crossings_first: (crossings, chunks),
            };
        } else {
            self.best.chunks_first = self.best.chunks_first.min((chunks, crossings));
            self.best.crossings_first = self.best.crossings_first.min((crossings, chunks));
        }
    }
}

/// Chunks and crossings of a partial map, straight from the definitions.
pub(super) fn count(partner: &[Option<usize>]) -> (u32, u32) {
    let mut chunks = 0;
    let mut crossings = 0;
    for (i, &j) in partner.iter().enumerate() {
        let Some(j) = j else { continue };
        let goes_on = i > 0 && j > 0 && partner[i - 1] == Some(j - 1);
        chunks += u32::from(!goes_on);
        crossings +=
            partner[..i].iter().filter(|&&other| other.is_some_and(|o| o > j)).count() as u32;
    }
    (chunks, crossings)
}

/// The map of a list of pairs; panics when it is not one-to-one.
pub(super) fn map_of(m: usize, n: usize, pairs: &[Pair]) -> Vec<Option<usize>> {
    let mut partner = vec![None; m];
    let mut used = vec![false; n];
    for pair in pairs {
        let (i, j) = (pair.hypothesis as usize, pair.reference as usize);
        assert!(partner[i].is_none() && !used[j], "a word is matched twice");
        partner[i] = Some(j);
        used[j] = true;
    }
    partner
}
