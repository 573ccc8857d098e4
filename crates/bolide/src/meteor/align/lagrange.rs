//! Lagrangian bounds: a price on every reference word instead of the rule that it is used once.
//!
//! With prices on the reference side only the hypothesis side remains, and that is a chain: a
//! dynamic program over rows. For any prices `q >= 0` the sum of all prices plus the best priced
//! chain bounds every conflict-free set, so each iteration gives a valid bound. Prices are
//! fixed-point integers, which makes every bound exact; floating point only chooses where the
//! prices move next and can therefore cost quality but never validity. Capacities that bind have
//! prices too: a match that uses them pays for its word and for them.
//!
//! The average of the chains approximates the solution of the linear relaxation. Rounding it
//! gives good conflict-free sets, and its most undecided duo is where a search should branch.

use super::capacity::Capacities;
use super::duo::{Duo, Grid, NONE, WordMap};
use super::prices::{ONE, Prices, SLOW};

/// A relaxation of one set of duos and what is known about it.
pub(super) struct Relaxation<'a> {
    grid: &'a Grid,
    /// What the two matches of each duo cost: numbers of prices.
    first: Vec<u32>,
    second: Vec<u32>,
    prices: Prices,
    /// Averages of chain membership per duo.
    share: Vec<f64>,
    /// The weight of the next chain in `share`: it grows, so that older chains need not fade.
    weight: f64,
    /// The largest conflict-free set seen.
    pub(super) chosen: Vec<Duo>,
    forward: Vec<i64>,
    /// Per row: the duo that the best chain up to it ends with, if it ends there, and what rows
    /// that do not touch it are worth.
    row_best: Vec<(u32, i64)>,
    chain: Vec<u32>,
    order: Vec<u32>,
}

impl<'a> Relaxation<'a> {
    /// Starts from `warm` prices (see [`Prices::save`]) and a set already known.
    pub(super) fn new(
        grid: &'a Grid,
        capacities: &Capacities,
        warm: &[i32],
        chosen: Vec<Duo>,
    ) -> Self {
        let mut words: Vec<u32> = Vec::new();
        let mut word_of_column = Vec::with_capacity(grid.columns.len());
        for &j in &grid.columns {
            if words.last() != Some(&j) {
                words.push(j);
            }
            word_of_column.push(words.len() as u32 - 1);
            words.push(j + 1);
        }
        let mut prices = Prices::default();
        prices.begin(words.into_iter(), &grid.capacities, capacities, warm, SLOW);
        let n_duos = grid.duos.len();
        let mut first = Vec::with_capacity(n_duos);
        let mut second = Vec::with_capacity(n_duos);
        for (d, duo) in grid.duos.iter().enumerate() {
            let word = word_of_column[grid.column_of[d] as usize];
            if grid.bound.get(d).copied().unwrap_or(false) {
                first.push(prices.of_match(word, capacities.of(duo.i, duo.j)));
                second.push(prices.of_match(word + 1, capacities.of(duo.i + 1, duo.j + 1)));
            } else {
                first.push(word);
                second.push(word + 1);
            }
        }
        prices.end_of_matches();
        Relaxation {
            grid,
            first,
            second,
            prices,
            share: vec![0.0; n_duos],
            weight: 1.0,
            chosen,
            forward: vec![0; n_duos],
            row_best: vec![(NONE, 0); grid.rows.len()],
            chain: Vec::new(),
            order: Vec::new(),
        }
    }

    /// No conflict-free set is larger than this.
    pub(super) fn bound(&self) -> usize {
        self.prices.bound(self.grid.rows.len().min(self.grid.columns.len()))
    }

    /// Stores the best prices for a later, smaller relaxation to start from.
    pub(super) fn save(&self, warm: &mut [i32]) {
        self.prices.save(warm);
    }

    /// What one iteration costs, in visits.
    fn cost(&self) -> u64 {
        (self.grid.duos.len() + self.grid.rows.len() + self.grid.columns.len()) as u64
    }

    /// Improves prices and rounds their chains, until the bound meets `enough` or the best set,
    /// or the steps or visits run out. Says whether more steps could help.
    pub(super) fn improve(
        &mut self,
        enough: usize,
        steps: usize,
        (map, capacities): (&mut WordMap, &Capacities),
        visits: &mut u64,
    ) -> bool {
        let count = self.cost();
        for step in 0..steps {
            if *visits < count {
                *visits = 0;
                return false;
            }
            *visits -= count;
            let value = self.find_chain();
            self.prices.judge(value);
            self.weight *= 1.25;
            for &d in &self.chain {
                self.share[d as usize] += self.weight;
            }
            if step % 16 == 15 || step + 1 == steps {
                *visits = visits.saturating_sub(count * 4);
                self.round(map, capacities);
            }
            if self.bound() <= enough.max(self.chosen.len()) {
                return false;
            }
            if !self.prices.step(self.chosen.len().max(enough)) {
                self.round(map, capacities);
                return false;
            }
        }
        true
    }

    /// The best priced chain and its value; leaves the chain in `chain` and counts its uses.
    fn find_chain(&mut self) -> i64 {
        let total = self.value_chain();
        let grid = self.grid;
        let prices = &self.prices.values;
        self.chain.clear();
        let used = &mut self.prices.used;
        used.fill(0);
        let mut k = grid.rows.len();
        while k > 0 {
            let (d, unused) = self.row_best[k - 1];
            if d == NONE {
                k -= 1;
                continue;
            }
            let (mut d, mut unused) = (d as usize, unused);
            loop {
                self.chain.push(d as u32);
                used[self.second[d] as usize] += 1;
                let before = grid.before[d];
                let fresh = unused - i64::from(prices[self.first[d] as usize]);
                if before == NONE || self.forward[before as usize] <= fresh {
                    used[self.first[d] as usize] += 1;
                    break;
                }
                d = before as usize;
                unused = self.row_best[grid.row_of[d] as usize].1;
            }
            // The run began here, so the row before it must stay unused.
            let row = grid.row_of[d] as usize;
            let touching = row > 0 && grid.rows[row - 1] + 1 == grid.rows[row];
            k = if touching { row - 1 } else { row };
        }
        total
    }

    /// Fills `forward` (the best chain that ends with each duo) and, per row, the duo that the
    /// best chain up to there ends with and what rows that do not touch it are worth.
    fn value_chain(&mut self) -> i64 {
        let grid = self.grid;
        let prices = &self.prices.values;
        let (mut total, mut older) = (0i64, 0i64);
        let mut last = NONE;
        for (k, (&row, row_best)) in grid.rows.iter().zip(&mut self.row_best).enumerate() {
            let unused = if last.wrapping_add(1) == row { older } else { total };
            last = row;
            let mut here = (total, NONE);
            let range = grid.row(k);
            let (done, open) = self.forward.split_at_mut(range.start);
            let duos = grid.before[range.clone()].iter();
            let duos = duos.zip(&self.first[range.clone()]).zip(&self.second[range.clone()]);
            for (at, (((&before, &first), &second), forward)) in duos.zip(open).enumerate() {
                let fresh = unused - i64::from(prices[first as usize]);
                let follow = done.get(before as usize).copied().unwrap_or(i64::MIN);
                let value = ONE - i64::from(prices[second as usize]) + fresh.max(follow);
                *forward = value;
                if value > here.0 {
                    here = (value, (range.start + at) as u32);
                }
            }
            older = total;
            total = here.0;
            *row_best = (here.1, unused);
        }
        total
    }

    /// Takes duos in order of their share in the average, as far as they fit.
    fn round(&mut self, map: &mut WordMap, capacities: &Capacities) {
        let share = &self.share;
        self.order.clear();
        self.order.extend((0..share.len() as u32).filter(|&d| share[d as usize] > 0.0));
        self.order.sort_unstable_by(|&a, &b| {
            share[b as usize].total_cmp(&share[a as usize]).then(a.cmp(&b))
        });
        let unshared = (0..share.len() as u32).filter(|&d| share[d as usize] <= 0.0);
        let mut chosen = Vec::new();
        for d in self.order.iter().copied().chain(unshared) {
            let duo = self.grid.duos[d as usize];
            if map.allows(duo, capacities) {
                map.take(duo, capacities);
                chosen.push(duo);
            }
        }
        map.clear();
        if chosen.len() > self.chosen.len() {
            self.chosen = chosen;
        }
        if self.weight > 1e100 {
            for share in &mut self.share {
                *share /= self.weight;
            }
            self.weight = 1.0;
        }
    }

    /// The duos through which a priced chain is worth at least `size`: every conflict-free set of
    /// that size consists of such duos.
    pub(super) fn filter(&mut self, size: usize, visits: &mut u64) -> Vec<Duo> {
        let grid = self.grid;
        *visits = visits.saturating_sub(2 * self.cost());
        self.prices.restore();
        self.value_chain();
        let prices = &self.prices.values;
        let n_rows = grid.rows.len();
        // `later[d]` is the most a chain can still gain after `d`, whose words are paid for.
        let mut later = vec![0i64; grid.duos.len()];
        let (mut total, mut older) = (0i64, 0i64);
        for k in (0..n_rows).rev() {
            let touching = k + 1 < n_rows && grid.rows[k] + 1 == grid.rows[k + 1];
            let unused = if touching { older } else { total };
            let mut here = total;
            for d in grid.row(k) {
                let after = grid.after[d];
                let follow = if after == NONE {
                    i64::MIN
                } else {
                    let next = after as usize;
                    ONE - i64::from(prices[self.second[next] as usize]) + later[next]
                };
                later[d] = unused.max(follow);
                let own = i64::from(prices[self.first[d] as usize])
                    + i64::from(prices[self.second[d] as usize]);
                here = here.max(ONE - own + later[d]);
            }
            older = total;
            total = here;
        }
        let needed = size as i64 * ONE - self.prices.paid_to_all();
        (0..grid.duos.len())
            .filter(|&d| self.forward[d] + later[d] >= needed)
            .map(|d| grid.duos[d])
            .collect()
    }

    /// The duo the average is least decided about.
    pub(super) fn most_undecided(&self) -> Option<Duo> {
        // Weights 1, 1.25, 1.25², … add up to about five times the last one.
        let whole = self.weight * 5.0;
        let distance = |d: usize| (self.share[d] / whole - 0.5).abs();
        (0..self.share.len())
            .min_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)))
            .map(|d| self.grid.duos[d])
    }
}
