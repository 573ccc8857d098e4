//! Conflict-free sets of a document: the first one, those that its prices and chains suggest, and their improvement.
//!
//! A set says how many adjacencies there are at least, as the prices of `document.rs` say how many at most. Sets are rounded
//! from the average of the chains, or words are handed out at the present prices; windows of rows then choose again.

use super::capacity::Capacities;
use super::document::{Document, Row};
use super::duo::{Duo, NONE, WordMap, longest_runs};
use super::mis64::Mis64;
use super::polish::{BRIEF, Choices, Effort, polish};
use super::regions::Regions;

/// The share of a row in the chains from which on a set should use it.
const WANTED: f64 = 0.3;

impl Document {
    /// A first set: the longest runs, then rows of their own.
    pub(super) fn start(&mut self, map: &mut WordMap, capacities: &Capacities) {
        let mut chosen = longest_runs(&self.duos, &self.before, &self.after, map, capacities);
        self.fill(0..self.rows.len() as u32, map, capacities, &mut chosen);
        map.clear();
        self.chosen = chosen;
    }

    /// A set from the average of the chains. It is polished if it is larger than what is known, else that is.
    pub(super) fn round(&mut self, map: &mut WordMap, capacities: &Capacities, visits: &mut u64) {
        self.round_only(map, capacities, visits);
        self.polish(capacities, BRIEF);
        if self.weight > 1e100 {
            for share in self.share.iter_mut().chain(&mut self.row_share) {
                *share /= self.weight;
            }
            self.weight = 1.0;
        }
    }

    /// Duos by their share in the chains, as far as they fit, then rows by theirs. Kept if that is more than what is known.
    pub(super) fn round_only(
        &mut self,
        map: &mut WordMap,
        capacities: &Capacities,
        visits: &mut u64,
    ) {
        *visits = visits.saturating_sub(8 * self.cost());
        let whole = self.weight;
        let by_share = |shares: &[f64]| {
            // Shares as whole numbers with the place behind: sorting these is sorting both.
            let key = |at: usize| ((1.0 - shares[at] / whole / 8.0) * 4e9) as u64;
            let mut order: Vec<u64> = (0..shares.len())
                .filter(|&at| shares[at] > 0.0)
                .map(|at| key(at) << 32 | at as u64)
                .collect();
            order.sort_unstable();
            order.into_iter().map(|key| key as u32)
        };
        let mut chosen = Vec::new();
        let take = |duo: Duo, map: &mut WordMap, chosen: &mut Vec<Duo>| {
            if map.allows(duo, capacities) {
                map.take(duo, capacities);
                chosen.push(duo);
            }
        };
        for d in by_share(&self.share) {
            take(self.duos[d as usize], map, &mut chosen);
        }
        let rows = by_share(&self.row_share);
        self.fill(rows, map, capacities, &mut chosen);
        for (d, &duo) in self.duos.iter().enumerate() {
            if self.share[d] <= 0.0 {
                take(duo, map, &mut chosen);
            }
        }
        self.fill(0..self.rows.len() as u32, map, capacities, &mut chosen);
        map.clear();
        if chosen.len() > self.chosen.len() {
            self.chosen = chosen;
        }
    }

    /// A set by handing out the words at the present prices, forwards or backwards.
    pub(super) fn hand_out(
        &mut self,
        back: bool,
        map: &mut WordMap,
        capacities: &Capacities,
        visits: &mut u64,
    ) {
        *visits = visits.saturating_sub(2 * self.cost());
        let handed_out = self.last_sweep(back);
        for &duo in handed_out.iter().chain(&self.duos) {
            if map.allows(duo, capacities) {
                map.take(duo, capacities);
            }
        }
        self.fill(0..self.rows.len() as u32, map, capacities, &mut Vec::new());
        // Two matches that are diagonal neighbours are a duo, whoever brought them.
        let chosen = self.rows.iter().filter_map(|row| map.duo_at(row.i)).collect();
        map.clear();
        let known = std::mem::replace(&mut self.chosen, chosen);
        self.polish(capacities, BRIEF);
        if self.chosen.len() <= known.len() {
            self.chosen = known;
        }
    }

    /// Takes a duo without neighbours in each of the rows that is still free, in the cheapest
    /// column of its group that is: what is cheap is wanted by few.
    fn fill(
        &self,
        rows: impl Iterator<Item = u32>,
        map: &mut WordMap,
        capacities: &Capacities,
        chosen: &mut Vec<Duo>,
    ) {
        let prices = &self.prices.values;
        let cost = |j: u32| i64::from(prices[j as usize] + prices[j as usize + 1]);
        for k in rows {
            let Row { i, group, .. } = self.rows[k as usize];
            if group == NONE || !map.row_is_free(i) {
                continue;
            }
            let free = self.bigrams.of(group).iter().filter(|&&j| map.column_is_free(j));
            if let Some(&j) = free.min_by_key(|&&j| cost(j)) {
                map.take(Duo { i, j }, capacities);
                chosen.push(Duo { i, j });
            }
        }
    }

    /// Improves the set by matching a few words at a time anew, in so many steps.
    pub(super) fn free_regions(&mut self, most: usize, steps: u32, mis64: &mut Mis64) {
        if steps == 0 || self.chosen.len() >= most {
            return;
        }
        let mut regions = Regions::new(&self.bigrams, &self.chosen);
        regions.improve(most, steps, mis64);
        let chosen = regions.chosen(self.rows.iter().map(|row| row.i));
        if chosen.len() > self.chosen.len() {
            self.chosen = chosen;
        }
    }

    /// Improves the set by letting windows of rows choose again, where they can find something.
    pub(super) fn polish(&mut self, capacities: &Capacities, effort: Effort) {
        if self.repeats {
            return;
        }
        // Weights of 1.25, 1.25², … add up to this. Without a chain, every row is wanted.
        let least = (self.weight - 1.0) * 5.0 * WANTED;
        let is_wanted = |(row, &share): (&Row, &f64)| {
            let duos = row.start as usize..row.end as usize;
            share + self.share[duos].iter().sum::<f64>() >= least
        };
        let wanted: Vec<bool> = self.rows.iter().zip(&self.row_share).map(is_wanted).collect();
        let choices = Choices {
            wanted: &wanted,
            rows: &self.rows,
            duos: &self.duos,
            before: &self.before,
            bigrams: &self.bigrams,
            capacities,
            prices: &self.prices.values[..self.prices.n_words()],
        };
        let size = (self.bigrams.row_group.len(), self.prices.n_words());
        let chosen = polish(&choices, size, &self.chosen, effort);
        if chosen.len() > self.chosen.len() {
            self.chosen = chosen;
        }
    }
}
