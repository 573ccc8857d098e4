//! The relaxation of a whole document, whose duos are too many to be listed.
//!
//! It is the one of `lagrange.rs`, computed group by group. A duo without diagonal neighbours
//! matters only through the price of its two reference words, and all rows of a group have the
//! same columns to choose from: so a row needs the cheapest column of its group and nothing
//! else. Only linked duos, and those with a match of different words, are looked at one by one.
//! An iteration costs the words plus those duos, not all duos.
//!
//! Sets are rounded from the average of the chains, and with a set at hand the prices tell which
//! duos a larger set could contain. When these are few, they are listed and searched.

use super::bigrams::Bigrams;
use super::capacity::Capacities;
use super::duo::{Duo, NONE, WordMap, longest_runs};
use super::prices::{ONE, Prices};

/// Iterations between two roundings.
const ROUND: u32 = 16;

/// The row takes a duo of its own, without neighbours.
const ALONE: u32 = NONE - 1;

/// A document and what its relaxation knows.
pub(super) struct Document<'a> {
    bigrams: &'a Bigrams,
    /// The duos looked at one by one, and where each row begins.
    duos: Vec<Duo>,
    row_start: Vec<u32>,
    before: Vec<u32>,
    after: Vec<u32>,
    first: Vec<u32>,
    second: Vec<u32>,
    prices: Prices,
    cheapest: Vec<i64>,
    /// Best value of all rows before each, and what each row takes.
    best: Vec<i64>,
    pick: Vec<u32>,
    forward: Vec<i64>,
    chained: Vec<bool>,
    /// Where the search for the next column of each group begins.
    turn: Vec<u32>,
    share: Vec<f64>,
    row_share: Vec<f64>,
    weight: f64,
    /// The largest conflict-free set seen.
    pub(super) chosen: Vec<Duo>,
}

impl<'a> Document<'a> {
    /// Prepares `bigrams` with the sorted duos that are looked at one by one. `warm` has a place
    /// for the price of every column's word and every capacity.
    pub(super) fn new(
        bigrams: &'a Bigrams,
        duos: Vec<Duo>,
        capacities: &Capacities,
        warm: &[i64],
    ) -> Self {
        let m = bigrams.row_group.len();
        let n = warm.len() - capacities.len();
        let mut row_start = vec![0u32; m + 1];
        for duo in &duos {
            row_start[duo.i as usize + 1] += 1;
        }
        for i in 0..m {
            row_start[i + 1] += row_start[i];
        }
        let (before, after) = diagonals(&duos, &row_start);
        let (binding, bound) = capacities.binding(&duos);
        let mut prices = Prices::new((0..n as u32).collect(), &binding, capacities, warm);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (d, duo) in duos.iter().enumerate() {
            if bound.get(d).copied().unwrap_or(false) {
                first.push(prices.of_match(duo.j, capacities.of(duo.i, duo.j)));
                second.push(prices.of_match(duo.j + 1, capacities.of(duo.i + 1, duo.j + 1)));
            } else {
                first.push(duo.j);
                second.push(duo.j + 1);
            }
        }
        prices.begin();
        let count = duos.len();
        Document {
            bigrams,
            duos,
            row_start,
            before,
            after,
            first,
            second,
            prices,
            cheapest: vec![0; bigrams.len()],
            best: vec![0; m + 1],
            pick: vec![NONE; m],
            forward: vec![0; count],
            chained: vec![false; count],
            turn: vec![0; bigrams.len()],
            share: vec![0.0; count],
            row_share: vec![0.0; m],
            weight: 1.0,
            chosen: Vec::new(),
        }
    }

    /// What one iteration costs, in visits.
    pub(super) fn cost(&self) -> u64 {
        (self.duos.len() + self.bigrams.columns.len() + self.best.len()) as u64
    }

    /// No conflict-free set is larger than this.
    pub(super) fn bound(&self, ceiling: usize) -> usize {
        self.prices.bound(ceiling)
    }

    /// Stores the best prices for the search to start from.
    pub(super) fn save(&self, warm: &mut [i64]) {
        self.prices.save(warm);
    }

    fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.row_start[i] as usize..self.row_start[i + 1] as usize
    }

    /// Improves bound and set until they meet (nothing is left to do), or until the duos that a
    /// larger set could contain are few (they are returned), or the visits run out.
    pub(super) fn solve(
        &mut self,
        ceiling: usize,
        map: &mut WordMap,
        capacities: &Capacities,
        visits: &mut u64,
    ) -> Option<Vec<Duo>> {
        let cost = self.cost();
        *visits = visits.saturating_sub(4 * cost);
        self.start(map, capacities);
        for step in 1.. {
            if self.gap(ceiling) == 0 {
                return None;
            }
            if *visits < cost {
                break;
            }
            *visits -= cost;
            self.iterate();
            if step % ROUND == 0 {
                *visits = visits.saturating_sub(4 * cost);
                self.round(map, capacities);
                if self.gap(ceiling) == 0 {
                    return None;
                }
                let few = self.cost() as usize / 2;
                let kept = self.filter(self.chosen.len() + 1, few);
                if kept.is_some() {
                    return kept;
                }
            }
            if !self.step() {
                break;
            }
        }
        self.round(map, capacities);
        if self.gap(ceiling) == 0 {
            return None;
        }
        self.filter(self.chosen.len() + 1, 4 * self.cost() as usize)
    }

    /// A first set: the longest runs, then rows of their own.
    pub(super) fn start(&mut self, map: &mut WordMap, capacities: &Capacities) {
        let mut chosen =
            longest_runs(&self.duos, &self.before, &self.after, map, capacities);
        self.fill(0..self.pick.len() as u32, map, capacities, &mut chosen);
        map.clear();
        self.chosen = chosen;
    }

    /// One iteration; says whether another one makes sense.
    pub(super) fn iterate(&mut self) {
        let value = self.find_chain();
        self.trace_chain();
        self.prices.judge(value);
    }

    /// Moves the prices after [`Document::iterate`].
    pub(super) fn step(&mut self) -> bool {
        self.prices.step(self.chosen.len())
    }

    fn find_chain(&mut self) -> i64 {
        let prices = &self.prices.values;
        for (group, cheapest) in self.cheapest.iter_mut().enumerate() {
            let columns = self.bigrams.of(group as u32).iter();
            let costs = columns.map(|&j| prices[j as usize] + prices[j as usize + 1]);
            *cheapest = costs.min().unwrap_or(i64::MAX / 4);
        }
        for i in 0..self.pick.len() {
            let unused = self.best[i.saturating_sub(1)];
            let mut here = (self.best[i], NONE);
            for d in self.row(i) {
                let fresh = unused - prices[self.first[d] as usize];
                let before = self.before[d];
                let follow = if before == NONE { i64::MIN } else { self.forward[before as usize] };
                self.chained[d] = follow > fresh;
                let value = ONE - prices[self.second[d] as usize] + fresh.max(follow);
                self.forward[d] = value;
                if value > here.0 {
                    here = (value, d as u32);
                }
            }
            let group = self.bigrams.row_group[i];
            if group != NONE {
                let value = unused + ONE - self.cheapest[group as usize];
                if value > here.0 {
                    here = (value, ALONE);
                }
            }
            self.best[i + 1] = here.0;
            self.pick[i] = here.1;
        }
        self.best[self.pick.len()]
    }

    /// Walks the best chain back and counts what it uses.
    fn trace_chain(&mut self) {
        self.prices.used.fill(0);
        self.weight *= 1.25;
        let mut rows = self.pick.len();
        while rows > 0 {
            let i = rows - 1;
            match self.pick[i] {
                NONE => rows = i,
                ALONE => {
                    let j = self.column_for(i);
                    self.prices.used[j] += 1;
                    self.prices.used[j + 1] += 1;
                    self.row_share[i] += self.weight;
                    rows = i.saturating_sub(1);
                }
                d => {
                    let mut d = d as usize;
                    loop {
                        self.share[d] += self.weight;
                        self.prices.used[self.second[d] as usize] += 1;
                        if !self.chained[d] {
                            self.prices.used[self.first[d] as usize] += 1;
                            break;
                        }
                        d = self.before[d] as usize;
                    }
                    rows = (self.duos[d].i as usize).saturating_sub(1);
                }
            }
        }
    }

    /// A cheap column for a row of its own. Rows of one group take turns among the columns that cost
    /// about the least: if all of them took the same one, only its price would rise.
    fn column_for(&mut self, i: usize) -> usize {
        const SLACK: i64 = ONE / 64;
        const LOOK: usize = 8;
        let group = self.bigrams.row_group[i];
        let columns = self.bigrams.of(group);
        let most = self.cheapest[group as usize] + SLACK;
        let prices = &self.prices.values;
        let turn = &mut self.turn[group as usize];
        let mut at = *turn as usize;
        let mut least = (i64::MAX, 0);
        for look in 0..columns.len() {
            if at >= columns.len() {
                at = 0;
            }
            let j = columns[at] as usize;
            at += 1;
            let cost = prices[j] + prices[j + 1];
            if cost < least.0 {
                least = (cost, j);
            }
            if cost <= most || (look >= LOOK && least.0 <= most) {
                break;
            }
        }
        *turn = at as u32;
        least.1
    }

    /// A set from the average of the chains: duos by their share, as far as they fit, then rows
    /// by theirs.
    pub(super) fn round(&mut self, map: &mut WordMap, capacities: &Capacities) {
        let by_share = |shares: &[f64]| {
            let mut order: Vec<u32> =
                (0..shares.len() as u32).filter(|&at| shares[at as usize] > 0.0).collect();
            order.sort_unstable_by(|&a, &b| {
                shares[b as usize].total_cmp(&shares[a as usize]).then(a.cmp(&b))
            });
            order
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
        self.fill(rows.into_iter(), map, capacities, &mut chosen);
        for (d, &duo) in self.duos.iter().enumerate() {
            if self.share[d] <= 0.0 {
                take(duo, map, &mut chosen);
            }
        }
        self.fill(0..self.pick.len() as u32, map, capacities, &mut chosen);
        map.clear();
        if chosen.len() > self.chosen.len() {
            self.chosen = chosen;
        }
        if self.weight > 1e100 {
            for share in self.share.iter_mut().chain(&mut self.row_share) {
                *share /= self.weight;
            }
            self.weight = 1.0;
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
        let cost = |j: u32| prices[j as usize] + prices[j as usize + 1];
        for i in rows {
            let group = self.bigrams.row_group[i as usize];
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

    /// The duos through which a priced chain is worth at least `size`, sorted: every
    /// conflict-free set of that size consists of such duos. Nothing when there are more
    /// than `limit`.
    pub(super) fn filter(&mut self, size: usize, limit: usize) -> Option<Vec<Duo>> {
        self.prices.restore();
        self.find_chain();
        let prices = &self.prices.values;
        let m = self.pick.len();
        let needed = size as i64 * ONE - self.prices.paid_to_all();
        // `later[d]` is the most a chain can still gain after `d`, `rest[i]` from row `i` on.
        let mut later = vec![0i64; self.duos.len()];
        let mut rest = vec![0i64; m + 2];
        for i in (0..m).rev() {
            let mut here = rest[i + 1];
            for d in self.row(i) {
                let after = self.after[d];
                let follow = if after == NONE {
                    i64::MIN
                } else {
                    let next = after as usize;
                    ONE - prices[self.second[next] as usize] + later[next]
                };
                later[d] = rest[i + 2].max(follow);
                let own = prices[self.first[d] as usize] + prices[self.second[d] as usize];
                here = here.max(ONE - own + later[d]);
            }
            let group = self.bigrams.row_group[i];
            if group != NONE {
                here = here.max(ONE - self.cheapest[group as usize] + rest[i + 2]);
            }
            rest[i] = here;
        }
        let mut kept = Vec::new();
        for i in 0..m {
            let from = kept.len();
            let listed = self.row(i).filter(|&d| self.forward[d] + later[d] >= needed);
            kept.extend(listed.map(|d| self.duos[d]));
            let group = self.bigrams.row_group[i];
            let spare = self.best[i.saturating_sub(1)] + ONE + rest[i + 2] - needed;
            if group != NONE && self.cheapest[group as usize] <= spare {
                let columns = self.bigrams.of(group).iter().copied();
                let cheap =
                    columns.filter(|&j| prices[j as usize] + prices[j as usize + 1] <= spare);
                kept.extend(cheap.map(|j| Duo { i: i as u32, j }));
                kept[from..].sort_unstable();
            }
            if kept.len() > 2 * limit {
                return None;
            }
        }
        kept.dedup();
        (kept.len() <= limit).then_some(kept)
    }

    /// How far the bound is above the set, in whole ones.
    pub(super) fn gap(&self, ceiling: usize) -> usize {
        self.bound(ceiling).saturating_sub(self.chosen.len())
    }
}

/// The duos diagonally before and after each of the sorted duos.
fn diagonals(duos: &[Duo], row_start: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut before = vec![NONE; duos.len()];
    let mut after = vec![NONE; duos.len()];
    for three in row_start.windows(3) {
        let (mut low, middle, end) = (three[0] as usize, three[1] as usize, three[2] as usize);
        // Both rows ascend, so one merge finds all diagonal neighbours.
        for high in middle..end {
            while low < middle && duos[low].j + 1 < duos[high].j {
                low += 1;
            }
            if low < middle && duos[low].j + 1 == duos[high].j {
                before[high] = low as u32;
                after[low] = high as u32;
            }
        }
    }
    (before, after)
}
