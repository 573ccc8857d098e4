//! Lagrangian bounds: a price on every reference word instead of the rule that it is used once.
//!
//! With prices on the reference side only the hypothesis side remains, and that is a chain: a
//! dynamic program over rows. For any prices `q >= 0` the sum of all prices plus the best priced
//! chain bounds every conflict-free set, so each iteration gives a valid bound. Prices are
//! fixed-point integers, which makes every bound exact; floating point only chooses where the
//! prices move next and can therefore cost quality but never validity.
//!
//! The average of the chains approximates the solution of the linear relaxation. Rounding it
//! gives good conflict-free sets, and its most undecided duo is where a search should branch.

use super::duo::{Duo, Grid, NONE, WordMap};

/// The price of one adjacency: prices are multiples of `1 / ONE`.
const ONE: i64 = 1 << 20;

/// A relaxation of one set of duos and what is known about it.
pub(super) struct Relaxation<'a> {
    grid: &'a Grid,
    /// Number of the first reference word of each column; the second has the next number.
    word_of_column: Vec<u32>,
    /// The reference words, by number.
    words: Vec<u32>,
    prices: Vec<i64>,
    best_prices: Vec<i64>,
    best_bound: i64,
    /// Averages of chain membership per duo and of chain use per word.
    share: Vec<f64>,
    usage: Vec<f64>,
    /// The largest conflict-free set seen.
    pub(super) chosen: Vec<Duo>,
    forward: Vec<i64>,
    row_best: Vec<(i64, u32)>,
    chained: Vec<bool>,
    chain: Vec<u32>,
    used: Vec<u32>,
    order: Vec<u32>,
}

impl<'a> Relaxation<'a> {
    /// Starts from `warm` prices (per reference word) and a set already known.
    pub(super) fn new(grid: &'a Grid, warm: &[i64], chosen: Vec<Duo>) -> Self {
        let mut words: Vec<u32> = Vec::new();
        let mut word_of_column = Vec::with_capacity(grid.columns.len());
        for &j in &grid.columns {
            if words.last() != Some(&j) {
                words.push(j);
            }
            word_of_column.push(words.len() as u32 - 1);
            words.push(j + 1);
        }
        let prices: Vec<i64> =
            words.iter().map(|&j| warm.get(j as usize).copied().unwrap_or(0)).collect();
        let n_words = words.len();
        let n_duos = grid.duos.len();
        Relaxation {
            grid,
            word_of_column,
            words,
            best_prices: prices.clone(),
            prices,
            best_bound: i64::MAX,
            share: vec![0.0; n_duos],
            usage: vec![0.0; n_words],
            chosen,
            forward: vec![0; n_duos],
            row_best: vec![(0, NONE); grid.rows.len()],
            chained: vec![false; n_duos],
            chain: Vec::new(),
            used: vec![0; n_words],
            order: Vec::new(),
        }
    }

    /// No conflict-free set is larger than this.
    pub(super) fn bound(&self) -> usize {
        if self.best_bound == i64::MAX {
            return self.grid.rows.len().min(self.grid.columns.len());
        }
        (self.best_bound.max(0) / ONE) as usize
    }

    /// Stores the best prices for a later, smaller relaxation to start from.
    pub(super) fn save(&self, prices: &mut [i64]) {
        for (&word, &price) in self.words.iter().zip(&self.best_prices) {
            if let Some(slot) = prices.get_mut(word as usize) {
                *slot = price;
            }
        }
    }

    /// Improves prices and rounds their chains, until the bound meets `enough` or the best set,
    /// or the steps or visits run out.
    pub(super) fn improve(
        &mut self,
        enough: usize,
        steps: usize,
        map: &mut WordMap,
        visits: &mut u64,
    ) {
        let count = self.grid.duos.len() as u64;
        let mut pace = 1.0f64;
        let mut stalled = 0;
        for step in 0..steps {
            if *visits < count {
                *visits = 0;
                return;
            }
            *visits -= count;
            let value = self.find_chain();
            let bound = value + self.prices.iter().sum::<i64>();
            if bound < self.best_bound {
                // Only a visible gain counts as progress, or tiny gains would go on for ever.
                stalled = if self.best_bound - bound > ONE / 256 { 0 } else { stalled + 1 };
                self.best_bound = bound;
                self.best_prices.copy_from_slice(&self.prices);
            } else {
                stalled += 1;
            }
            self.average(step == 0);
            if step % 10 == 9 || step + 1 == steps {
                *visits = visits.saturating_sub(count * 4);
                self.round(map);
            }
            if self.bound() <= enough.max(self.chosen.len()) {
                return;
            }
            if stalled >= 8 {
                stalled = 0;
                pace *= 0.6;
                self.prices.copy_from_slice(&self.best_prices);
                if pace < 0.01 {
                    break;
                }
            }
            self.move_prices(bound, pace);
        }
        self.round(map);
    }

    /// The best priced chain and its value; leaves the chain in `chain`, its word use in `used`.
    fn find_chain(&mut self) -> i64 {
        let grid = self.grid;
        let (mut total, mut older) = (0i64, 0i64);
        for k in 0..grid.rows.len() {
            let touching = k > 0 && grid.rows[k - 1] + 1 == grid.rows[k];
            let unused = if touching { older } else { total };
            let mut here = (total, NONE);
            for d in grid.row(k) {
                let word = self.word_of_column[grid.column_of[d] as usize] as usize;
                let fresh = unused - self.prices[word];
                let before = grid.before[d];
                let follow = if before == NONE { i64::MIN } else { self.forward[before as usize] };
                self.chained[d] = follow > fresh;
                let value = ONE - self.prices[word + 1] + fresh.max(follow);
                self.forward[d] = value;
                if value > here.0 {
                    here = (value, d as u32);
                }
            }
            older = total;
            total = here.0;
            self.row_best[k] = here;
        }
        self.chain.clear();
        self.used.fill(0);
        let mut k = grid.rows.len();
        while k > 0 {
            let d = self.row_best[k - 1].1;
            if d == NONE {
                k -= 1;
                continue;
            }
            let mut d = d as usize;
            loop {
                let word = self.word_of_column[grid.column_of[d] as usize] as usize;
                self.chain.push(d as u32);
                self.used[word + 1] += 1;
                if !self.chained[d] {
                    self.used[word] += 1;
                    break;
                }
                d = grid.before[d] as usize;
            }
            // The run began here, so the row before it must stay unused.
            let row = grid.row_of[d] as usize;
            let touching = row > 0 && grid.rows[row - 1] + 1 == grid.rows[row];
            k = if touching { row - 1 } else { row };
        }
        total
    }

    /// Adds the chain to the averages. The direction of the prices needs a shorter memory than
    /// the shares: with a long one it overshoots, with none it zigzags.
    fn average(&mut self, first: bool) {
        let (weight, turn) = if first { (1.0, 1.0) } else { (0.2, 0.5) };
        for share in &mut self.share {
            *share *= 1.0 - weight;
        }
        for &d in &self.chain {
            self.share[d as usize] += weight;
        }
        for (usage, &used) in self.usage.iter_mut().zip(&self.used) {
            *usage += turn * (f64::from(used) - *usage);
        }
    }

    fn move_prices(&mut self, bound: i64, pace: f64) {
        let mut norm = 0.0;
        for (usage, &price) in self.usage.iter().zip(&self.prices) {
            let slope = 1.0 - usage;
            // A price at zero cannot fall further, so its slope is no part of the direction.
            if price > 0 || slope < 0.0 {
                norm += slope * slope;
            }
        }
        if norm < 1e-9 {
            return;
        }
        let gap = bound as f64 - (self.chosen.len() as i64 * ONE) as f64;
        let length = pace * gap.max(ONE as f64 * 0.05) / norm;
        for (usage, price) in self.usage.iter().zip(&mut self.prices) {
            let moved = *price as f64 - length * (1.0 - usage);
            *price = if moved > 0.0 { moved as i64 } else { 0 };
        }
    }

    /// Takes duos in order of their share in the average, as far as they fit.
    fn round(&mut self, map: &mut WordMap) {
        let share = &self.share;
        self.order.clear();
        self.order.extend((0..share.len() as u32).filter(|&d| share[d as usize] > 0.0));
        self.order.sort_unstable_by(|&a, &b| {
            share[b as usize].total_cmp(&share[a as usize]).then(a.cmp(&b))
        });
        let mut chosen = Vec::new();
        for &d in &self.order {
            let duo = self.grid.duos[d as usize];
            if map.allows(duo) {
                map.take(duo);
                chosen.push(duo);
            }
        }
        for (d, &duo) in self.grid.duos.iter().enumerate() {
            if share[d] <= 0.0 && map.allows(duo) {
                map.take(duo);
                chosen.push(duo);
            }
        }
        map.clear();
        if chosen.len() > self.chosen.len() {
            self.chosen = chosen;
        }
    }

    /// The duos through which a priced chain is worth at least `size`: every conflict-free set of
    /// that size consists of such duos.
    pub(super) fn filter(&mut self, size: usize, visits: &mut u64) -> Vec<Duo> {
        let grid = self.grid;
        *visits = visits.saturating_sub(2 * grid.duos.len() as u64);
        self.prices.copy_from_slice(&self.best_prices);
        self.find_chain();
        let n_rows = grid.rows.len();
        // `later[d]` is the most a chain can still gain after `d`, whose words are paid for.
        let mut later = vec![0i64; grid.duos.len()];
        let (mut total, mut older) = (0i64, 0i64);
        for k in (0..n_rows).rev() {
            let touching = k + 1 < n_rows && grid.rows[k] + 1 == grid.rows[k + 1];
            let unused = if touching { older } else { total };
            let mut here = total;
            for d in grid.row(k) {
                let word = self.word_of_column[grid.column_of[d] as usize] as usize;
                let after = grid.after[d];
                let follow = if after == NONE {
                    i64::MIN
                } else {
                    ONE - self.prices[word + 2] + later[after as usize]
                };
                later[d] = unused.max(follow);
                here = here.max(ONE - self.prices[word] - self.prices[word + 1] + later[d]);
            }
            older = total;
            total = here;
        }
        let sum: i64 = self.prices.iter().sum();
        let needed = size as i64 * ONE;
        (0..grid.duos.len())
            .filter(|&d| sum + self.forward[d] + later[d] >= needed)
            .map(|d| grid.duos[d])
            .collect()
    }

    /// The duo the average is least decided about.
    pub(super) fn most_undecided(&self) -> Option<Duo> {
        let distance = |d: usize| (self.share[d] - 0.5).abs();
        (0..self.share.len())
            .min_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)))
            .map(|d| self.grid.duos[d])
    }
}
