//! Sets of texts whose words repeat very often: a few words are freed and matched anew.
//!
//! Where few words stand in disorder no bound comes near, and the chains of `polish.rs` soon want a word twice. Here the
//! hypothesis words around one duo that the set lacks lose their partners, and so do the reference words. At most 64 duos
//! are then possible among free words, nearly always, and the most of them that fit together are found on machine words.
//! They replace what was there unless they are fewer. Equally many are taken too: they lead away from sets that no single
//! exchange makes larger. Which duo is next is drawn from a fixed sequence, so a result can be repeated.

use super::bigrams::Bigrams;
use super::duo::{Duo, NONE};
use super::mis64::Mis64;
use super::small::link;

/// How many neighbours on each side of the duo's words are freed with them.
const REACH: u32 = 2;

/// How many columns are drawn for a row, of which the one that costs the set least is taken.
const DRAWN: u32 = 4;

/// A duo that costs more adjacencies than this is not tried: hardly any exchange makes up for it.
const DEAREST: u32 = 3;

/// Nodes for one search.
const NODES: u64 = 100;

/// How many columns may be looked at for each step, on average.
const LOOKS: u64 = 1_000;

/// A set on its way.
pub(super) struct Regions<'a> {
    bigrams: &'a Bigrams,
    /// The partner of every word, with an unmatched word on either end.
    to_reference: Vec<u32>,
    to_hypothesis: Vec<u32>,
    /// Whether a hypothesis word keeps its partner.
    is_kept: Vec<bool>,
    is_freed: Vec<bool>,
    /// The words that are free at present.
    freed: Vec<u32>,
    /// The duos among them.
    duos: Vec<Duo>,
    /// The rows that may choose.
    rows: Vec<u32>,
    state: u64,
    count: usize,
    /// Columns looked at.
    looks: u64,
}

impl<'a> Regions<'a> {
    /// Begins with a conflict-free set.
    pub(super) fn new(bigrams: &'a Bigrams, chosen: &[Duo]) -> Self {
        let (m, n) = (bigrams.row_group.len(), bigrams.column_group.len());
        let mut regions = Regions {
            bigrams,
            to_reference: vec![NONE; m + 1],
            to_hypothesis: vec![NONE; n + 1],
            is_kept: vec![false; m + 1],
            is_freed: vec![false; m + 1],
            freed: Vec::new(),
            duos: Vec::new(),
            rows: (0..m as u32).filter(|&i| bigrams.row_group[i as usize] != NONE).collect(),
            state: 1,
            count: 0,
            looks: 0,
        };
        for &duo in chosen {
            regions.take(duo);
            // No group knows of duos in which different words match, so they stay.
            let group = bigrams.row_group[duo.i as usize];
            if group == NONE || group != bigrams.column_group[duo.j as usize] {
                regions.is_kept[duo.i as usize] = true;
                regions.is_kept[duo.i as usize + 1] = true;
            }
        }
        regions.count = chosen.len();
        regions
    }

    /// Tries so many duos at most, until the set has `most`.
    pub(super) fn improve(&mut self, most: usize, steps: u32, mis64: &mut Mis64) {
        for _ in 0..if self.rows.is_empty() { 0 } else { steps } {
            if self.count >= most || self.looks > LOOKS * u64::from(steps) {
                return;
            }
            let at = self.draw(self.rows.len());
            let row = self.rows[at];
            if self.is_chosen(row) {
                continue;
            }
            let columns = self.bigrams.of(self.bigrams.row_group[row as usize]);
            let drawn = (0..DRAWN).map(|_| {
                let duo = Duo { i: row, j: columns[self.draw(columns.len())] };
                (self.cost(duo), duo)
            });
            if let Some((cost, duo)) = drawn.min_by_key(|&(cost, _)| cost)
                && cost <= DEAREST
            {
                self.solve_around(duo, mis64);
            }
        }
    }

    /// The duos of the set that were chosen among those of `rows`.
    pub(super) fn chosen(&self, rows: impl Iterator<Item = u32>) -> Vec<Duo> {
        let chosen = rows.filter(|&i| self.is_chosen(i));
        chosen.map(|i| Duo { i, j: self.to_reference[i as usize] }).collect()
    }

    /// A number below `n`.
    fn draw(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // In 64 bits everywhere: a browser's `usize` has 32.
        (((self.state >> 33) * n as u64) >> 31) as usize
    }

    /// Whether the partners of hypothesis words `i` and `i + 1` are neighbours.
    fn is_chosen(&self, i: u32) -> bool {
        let (j, next) = (self.to_reference[i as usize], self.to_reference[i as usize + 1]);
        j != NONE && next == j + 1
    }

    /// How many adjacencies the words of a duo are part of where they stand.
    fn cost(&self, duo: Duo) -> u32 {
        let adjacencies =
            |i: u32| u32::from(i > 0 && self.is_chosen(i - 1)) + u32::from(self.is_chosen(i));
        let cost = |i: u32, j: u32| {
            let (there, back) = (self.to_reference[i as usize], self.to_hypothesis[j as usize]);
            if there == j {
                return 0;
            }
            let own = if there == NONE { 0 } else { adjacencies(i) };
            own + if back == NONE { 0 } else { adjacencies(back) }
        };
        cost(duo.i, duo.j) + cost(duo.i + 1, duo.j + 1)
    }

    /// Frees the words around a duo on both sides and chooses again among the duos of free words.
    fn solve_around(&mut self, duo: Duo, mis64: &mut Mis64) {
        let around = |at: u32| at.saturating_sub(REACH)..at + 2 + REACH;
        for i in around(duo.i) {
            self.free(i);
        }
        for j in around(duo.j) {
            self.free(self.to_hypothesis.get(j as usize).copied().unwrap_or(NONE));
        }
        if self.list() {
            let before = self.duos.iter().filter(|&&Duo { i, j }| self.has(i, j)).count();
            link(mis64, &self.duos);
            let all = u64::MAX >> (64 - self.duos.len());
            let found = mis64.solve(all, NODES).chosen;
            if found.count_ones() as usize >= before {
                self.count += found.count_ones() as usize - before;
                self.replace(found);
            }
        }
        for i in self.freed.drain(..) {
            self.is_freed[i as usize] = false;
        }
    }

    fn free(&mut self, i: u32) {
        let is_kept =
            |at: usize| self.is_kept.get(at).copied().unwrap_or(true) || self.is_freed[at];
        if !is_kept(i as usize) {
            self.is_freed[i as usize] = true;
            self.freed.push(i);
        }
    }

    /// Lists the duos that may be chosen now. Says whether there are some and not too many.
    fn list(&mut self) -> bool {
        let mut duos = std::mem::take(&mut self.duos);
        duos.clear();
        for &i in &self.freed {
            // The row of a word and the one before, unless that has a turn of its own.
            let before = i.checked_sub(1).filter(|&before| !self.is_freed[before as usize]);
            for row in before.into_iter().chain([i]) {
                self.looks += self.list_row(row, &mut duos);
            }
            if duos.len() > 64 {
                break;
            }
        }
        self.duos = duos;
        (1..=64).contains(&self.duos.len())
    }

    /// Lists the duos of a row that may be chosen now; returns how many columns were looked at.
    fn list_row(&self, row: u32, duos: &mut Vec<Duo>) -> u64 {
        let group = self.bigrams.row_group.get(row as usize).copied().unwrap_or(NONE);
        if group == NONE {
            return 0;
        }
        // A word that keeps its partner leaves one column.
        let only = match (self.kept_partner(row), self.kept_partner(row + 1)) {
            (NONE, NONE) => {
                let columns = self.bigrams.of(group);
                let fits = |&&j: &&u32| self.is_open(j) && self.is_open(j + 1);
                duos.extend(columns.iter().filter(fits).map(|&j| Duo { i: row, j }));
                return columns.len() as u64;
            }
            (NONE, after) => after.wrapping_sub(1),
            (first, _) => first,
        };
        let is_column = self.bigrams.column_group.get(only as usize) == Some(&group);
        if is_column && self.fits(row, only) && self.fits(row + 1, only + 1) {
            duos.push(Duo { i: row, j: only });
        }
        1
    }

    /// The partner of a hypothesis word that is not free.
    fn kept_partner(&self, i: u32) -> u32 {
        if self.is_freed[i as usize] { NONE } else { self.to_reference[i as usize] }
    }

    /// Whether a reference word has no partner that it must keep.
    fn is_open(&self, j: u32) -> bool {
        let back = self.to_hypothesis[j as usize];
        back == NONE || self.is_freed[back as usize]
    }

    /// Whether two words may be partners while some are free.
    fn fits(&self, i: u32, j: u32) -> bool {
        let kept = self.kept_partner(i);
        kept == j || (kept == NONE && self.is_open(j))
    }

    /// Whether the set has this duo.
    fn has(&self, i: u32, j: u32) -> bool {
        self.to_reference[i as usize] == j && self.to_reference[i as usize + 1] == j + 1
    }

    /// Gives the free words the partners they have in some of the listed duos.
    fn replace(&mut self, mut found: u64) {
        for &i in &self.freed {
            let j = std::mem::replace(&mut self.to_reference[i as usize], NONE);
            if j != NONE {
                self.to_hypothesis[j as usize] = NONE;
            }
        }
        while found != 0 {
            self.take(self.duos[found.trailing_zeros() as usize]);
            found &= found - 1;
        }
    }

    fn take(&mut self, Duo { i, j }: Duo) {
        for step in 0..2 {
            self.to_reference[(i + step) as usize] = j + step;
            self.to_hypothesis[(j + step) as usize] = i + step;
        }
    }
}
