//! The relaxation of a whole document, whose duos are too many to be listed.
//!
//! It is the one of `lagrange.rs`, computed group by group. A duo without diagonal neighbours
//! matters only through the price of its two reference words, and all rows of a group have the
//! same columns to choose from: so a row needs the cheapest column of its group and nothing
//! else. Only linked duos, and those with a match of different words, are looked at one by one.
//! An iteration costs the words plus those duos, not all duos.
//!
//! With a set at hand (`sets.rs`) the prices tell which duos a larger set could contain. When these are few, they are
//! listed and searched.

use super::bigrams::Bigrams;
use super::capacity::Capacities;
use super::duo::{Duo, NONE, WordMap, merge, refill};
use super::polish::THOROUGH;
use super::prices::{ONE, PACE, Prices};
use super::sweep::{AVERAGED, HASTY, PATIENT, Sweeps};
use std::ops::ControlFlow;

/// Iterations between two roundings, and how many averages of sweeps a far bound is given to come nearer.
const ROUND: u32 = 16;
const HOPE: u32 = 4;

/// With more duos a word than this no bound comes near, and less is spent on it.
const DENSE: usize = 20;

/// As many duos are searched even if the bound is far: few words in disorder have no others.
const FEW: usize = 10_000;

/// Sweeps before the first bound is computed.
const CHECKED: u32 = 8;

/// How far a bound may be above a set that could still reach it.
const NEARLY: usize = 2;

/// Where words repeat and rows are of fewer kinds than this, the best chain of a window soon wants a word twice.
const KINDS: usize = 40;

/// With a budget for fewer iterations than this no proof is tried: of texts with up to 500 words on a side, with up to 1,500, and
/// of longer ones. The longer a text, the more iterations a proof needs.
const ITERATIONS: [u64; 3] = [130, 210, 320];

/// The row takes a duo of its own, without neighbours.
pub(super) const ALONE: u32 = NONE - 1;

/// A document and what its relaxation knows. Its lists are large, so they are kept for the next one.
#[derive(Default)]
pub(super) struct Document {
    pub(super) bigrams: Bigrams,
    /// The duos looked at one by one, and what the relaxation needs of each.
    pub(super) duos: Vec<Duo>,
    pub(super) links: Vec<Link>,
    pub(super) before: Vec<u32>,
    pub(super) after: Vec<u32>,
    /// The rows that have duos.
    pub(super) rows: Vec<Row>,
    pub(super) prices: Prices,
    /// The price of the cheapest column of each group.
    cheapest: Vec<i32>,
    /// Per row: what the best chain takes there if it ends there, and what rows that do not touch
    /// it are worth.
    pub(super) pick: Vec<(u32, i64)>,
    /// The best chain that ends with each duo.
    pub(super) forward: Vec<i64>,
    /// Where the search for the next column of each group begins.
    pub(super) turn: Vec<u32>,
    pub(super) sweeps: Sweeps,
    pub(super) share: Vec<f64>,
    pub(super) row_share: Vec<f64>,
    pub(super) weight: f64,
    /// The largest conflict-free set seen.
    pub(super) chosen: Vec<Duo>,
    /// The bound for which sets were last tried.
    tried: usize,
    /// Whether words were handed out because that bound stayed.
    handed_out: bool,
    /// A bound by prices that were given up.
    least: usize,
    /// Whether a few kinds of rows repeat: then windows find nothing, and other prices hardly anything.
    pub(super) repeats: bool,
}

/// The prices that a duo's two matches have, and the duos diagonally before and after it; where there is none, the number of all duos.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) first: u32,
    pub(super) second: u32,
    pub(super) before: u32,
    pub(super) after: u32,
}

/// A row: its group or [`NONE`], and its duos among those looked at one by one.
pub(super) struct Row {
    pub(super) i: u32,
    pub(super) group: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether the row before this one is the hypothesis word before.
    pub(super) touching: bool,
}

impl Document {
    /// Begins with these bigrams, the duos in `linked` and the `others`, all sorted, which are looked at one by one. `warm` has a
    /// place for the price of every column's word and every capacity. `repeats` says that each word has very many
    /// copies.
    pub(super) fn begin(
        &mut self,
        bigrams: Bigrams,
        (linked, others): (&[Duo], &[Duo]),
        capacities: &Capacities,
        warm: &[i32],
        repeats: bool,
    ) {
        let n_words = warm.len() - capacities.len();
        merge(linked, others, &mut self.duos);
        list_rows(&bigrams, &self.duos, &mut self.rows);
        diagonals(&self.duos, &mut self.before, &mut self.after);
        let (binding, bound) = capacities.all(&self.duos);
        self.prices.begin(0..n_words as u32, &binding, capacities, warm, PACE);
        let nothing = self.duos.len() as u32;
        let beside = self.before.iter().zip(&self.after);
        self.links.clear();
        self.links.extend(self.duos.iter().zip(beside).map(|(duo, (before, after))| Link {
            first: duo.j,
            second: duo.j + 1,
            before: nothing.min(*before),
            after: nothing.min(*after),
        }));
        let bound = self.duos.iter().zip(&bound).zip(&mut self.links);
        for ((duo, _), link) in bound.filter(|((_, is_bound), _)| **is_bound) {
            link.first = self.prices.of_match(duo.j, capacities.of(duo.i, duo.j));
            link.second = self.prices.of_match(duo.j + 1, capacities.of(duo.i + 1, duo.j + 1));
        }
        self.prices.end_of_matches();
        self.prices.roams = true;
        self.sweeps.begin(&bigrams, self.duos.len(), &self.prices);
        refill(&mut self.cheapest, bigrams.len(), 0);
        refill(&mut self.turn, bigrams.len(), 0);
        refill(&mut self.pick, self.rows.len(), (NONE, 0));
        refill(&mut self.row_share, self.rows.len(), 0.0);
        refill(&mut self.share, self.duos.len(), 0.0);
        // Written before it is read.
        self.forward.resize(self.duos.len(), 0);
        self.weight = 1.0;
        self.chosen.clear();
        self.tried = usize::MAX;
        self.handed_out = false;
        self.least = usize::MAX;
        self.repeats = repeats && bigrams.len() < KINDS;
        self.bigrams = bigrams;
    }

    /// What one iteration costs, in visits.
    pub(super) fn cost(&self) -> u64 {
        (self.duos.len() + self.bigrams.columns.len() + self.rows.len()) as u64
    }

    /// No conflict-free set is larger than this.
    pub(super) fn bound(&self, ceiling: usize) -> usize {
        self.prices.bound(ceiling).min(self.least)
    }

    /// Stores the best prices for the search to start from.
    pub(super) fn save(&self, warm: &mut [i32]) {
        self.prices.save(warm);
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
        if self.gap(ceiling) == 0 {
            return None;
        }
        if self.duos.len() > DENSE * self.bigrams.row_group.len() {
            *visits /= 4;
        }
        // A proof needs many sweeps, and often a search.
        let length = [500, 1_500].map(|limit| usize::from(self.bigrams.row_group.len() > limit));
        let patient = *visits >= ITERATIONS[length[0] + length[1]] * cost;
        self.sweeps.bids.start_from(&self.chosen, &self.prices);
        let meets = if patient {
            self.bid(ceiling, map, capacities, visits)
        } else {
            self.bid_in_haste(ceiling, map, capacities, visits)
        };
        if meets {
            return None;
        }
        let effort = THOROUGH.within(*visits);
        self.polish(capacities, effort);
        let known = self.chosen.len();
        let is_near = self.is_near(ceiling);
        match (self.gap(ceiling), patient) {
            (0, _) => None,
            (gap, false) if gap <= NEARLY => self.filter(known + 1, cost as usize / 2),
            (_, false) => None,
            (_, true) if is_near && self.repeats => self.filter(known + 1, cost as usize / 2),
            (_, true) if is_near => match self.filter(known + 1, cost as usize / 4) {
                Some(few) => Some(few),
                None => self.begin_again(ceiling, map, capacities, visits),
            },
            (_, true) => self.filter(known + 1, FEW),
        }
    }

    /// Prices by sweeps, with a bound and sets from time to time. Says whether they meet.
    fn bid(
        &mut self,
        ceiling: usize,
        map: &mut WordMap,
        capacities: &Capacities,
        visits: &mut u64,
    ) -> bool {
        // A sweep looks at every row once and leaves the rest of an iteration out.
        let cost = self.cost() / 2;
        for at in 0..PATIENT.sweeps {
            *visits = visits.saturating_sub(cost);
            if at % AVERAGED == 0 {
                self.sweeps.bids.begin_average();
            }
            self.sweep(PATIENT.step(at), at % 2 == 1);
            self.sweeps.bids.add_to_average();
            let done = at + 1;
            if done % AVERAGED == 0 && done >= CHECKED {
                // Some sets are tried before hope is given up.
                let is_turning_point = done == HOPE * AVERAGED;
                let tries_sets = done == PATIENT.sweeps || is_turning_point;
                if self.check(tries_sets, ceiling, map, capacities, visits) {
                    return true;
                }
                if is_turning_point && self.is_far(ceiling) {
                    break;
                }
            }
        }
        false
    }

    /// The same for a long text, as far as the visits allow: one bound and one set, at the average prices of the last sweeps.
    fn bid_in_haste(
        &mut self,
        ceiling: usize,
        map: &mut WordMap,
        capacities: &Capacities,
        visits: &mut u64,
    ) -> bool {
        let cost = self.cost() / 2;
        let count = u64::from(HASTY.sweeps).min(*visits / cost.max(1)) as u32;
        self.sweeps.bids.begin_average();
        if count == 0 {
            self.sweeps.bids.add_to_average();
        }
        for at in 0..count {
            *visits -= cost;
            // Fewer sweeps than usual take every second or third step.
            self.sweep(HASTY.step(at * HASTY.sweeps / count), at % 2 == 1);
            if at + AVERAGED >= count {
                self.sweeps.bids.add_to_average();
            }
        }
        self.sweeps.bids.average(&mut self.prices);
        self.iterate();
        // The windows choose again right after this.
        self.round_only(map, capacities, visits);
        self.gap(ceiling) == 0
    }

    /// Computes a bound at the average of the last prices, which has less of the to and fro between sweeps, and if that is
    /// near, or if asked for, sets. Says whether bound and set meet.
    fn check(
        &mut self,
        tries_sets: bool,
        ceiling: usize,
        map: &mut WordMap,
        capacities: &Capacities,
        visits: &mut u64,
    ) -> bool {
        *visits = visits.saturating_sub(self.cost());
        self.sweeps.bids.average(&mut self.prices);
        self.iterate();
        // A set is rounded at a better bound that is near. If that stays, words are handed out, once; before, the bound was mostly
        // too far. At turning points both are done in any case.
        let bound = self.bound(ceiling);
        let is_better = bound < self.tried;
        let hands_out = tries_sets || (!is_better && !self.handed_out);
        let within_reach = |document: &Self| {
            let gap = document.gap(ceiling);
            gap > 0 && (tries_sets || gap <= NEARLY)
        };
        if within_reach(self) && (is_better || tries_sets) {
            self.tried = bound;
            self.handed_out = false;
            self.round(map, capacities, visits);
        }
        for back in [false, true] {
            if within_reach(self) && hands_out {
                self.handed_out = !is_better;
                self.hand_out(back, map, capacities, visits);
            }
        }
        self.gap(ceiling) == 0
    }

    /// Other prices and sets, if the visits allow, and the duos that a larger set could contain.
    fn begin_again(
        &mut self,
        ceiling: usize,
        map: &mut WordMap,
        capacities: &Capacities,
        visits: &mut u64,
    ) -> Option<Vec<Duo>> {
        // Prices of a worse bound may tell more duos apart, so the better one is only remembered.
        self.least = self.bound(ceiling);
        self.prices.restart();
        match self.descend(ceiling, map, capacities, visits) {
            ControlFlow::Break(kept) => kept,
            ControlFlow::Continue(()) => {
                self.filter(self.chosen.len() + 1, 4 * self.cost() as usize)
            }
        }
    }

    /// Prices by a subgradient, which comes nearer than sweeps in the end. Ends early if bound and set meet, or with the
    /// duos that a larger set could contain when these are few.
    fn descend(
        &mut self,
        ceiling: usize,
        map: &mut WordMap,
        capacities: &Capacities,
        visits: &mut u64,
    ) -> ControlFlow<Option<Vec<Duo>>> {
        let cost = self.cost();
        for step in 1.. {
            if *visits < cost {
                break;
            }
            *visits -= cost;
            self.iterate();
            if step % ROUND == 0 {
                self.round(map, capacities, visits);
                if self.is_near(ceiling) {
                    *visits = visits.saturating_sub(2 * cost);
                    let kept = self.filter(self.chosen.len() + 1, cost as usize * 2 / 3);
                    if kept.is_some() {
                        return ControlFlow::Break(kept);
                    }
                }
            }
            if self.gap(ceiling) == 0 {
                return ControlFlow::Break(None);
            }
            if !self.prices.step(self.chosen.len()) {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// One iteration: the best chain at the present prices, and what it teaches.
    fn iterate(&mut self) {
        let value = self.find_chain();
        self.trace_chain();
        self.prices.judge(value);
    }

    fn find_chain(&mut self) -> i64 {
        let prices = &self.prices.values;
        let ends = self.bigrams.start.windows(2);
        for (cheapest, range) in self.cheapest.iter_mut().zip(ends) {
            let columns = self.bigrams.columns[range[0] as usize..range[1] as usize].iter();
            let costs = columns.map(|&j| prices[j as usize] + prices[j as usize + 1]);
            *cheapest = costs.min().unwrap_or(i32::MAX);
        }
        let (mut total, mut older) = (0i64, 0i64);
        for (row, pick) in self.rows.iter().zip(&mut self.pick) {
            let unused = if row.touching { older } else { total };
            let mut here = (total, NONE);
            if row.start < row.end {
                let (start, end) = (row.start as usize, row.end as usize);
                let (done, open) = self.forward.split_at_mut(start);
                for (at, (link, forward)) in self.links[start..end].iter().zip(open).enumerate() {
                    let fresh = unused - i64::from(prices[link.first as usize]);
                    let follow = done.get(link.before as usize).copied().unwrap_or(i64::MIN);
                    let value = ONE - i64::from(prices[link.second as usize]) + fresh.max(follow);
                    *forward = value;
                    if value > here.0 {
                        here = (value, (start + at) as u32);
                    }
                }
            }
            if row.group != NONE {
                let value = unused + ONE - i64::from(self.cheapest[row.group as usize]);
                if value > here.0 {
                    here = (value, ALONE);
                }
            }
            older = total;
            total = here.0;
            *pick = (here.1, unused);
        }
        total
    }

    /// Walks the best chain back and counts what it uses.
    fn trace_chain(&mut self) {
        self.prices.used.fill(0);
        self.weight *= 1.25;
        let mut k = self.rows.len();
        while k > 0 {
            let (pick, unused) = self.pick[k - 1];
            if pick == NONE {
                k -= 1;
                continue;
            }
            k -= 1;
            if pick == ALONE {
                let j = self.column_for(self.rows[k].group);
                self.prices.used[j] += 1;
                self.prices.used[j + 1] += 1;
                self.row_share[k] += self.weight;
            } else {
                let (mut d, mut unused) = (pick as usize, unused);
                loop {
                    self.share[d] += self.weight;
                    let Link { first, second, .. } = self.links[d];
                    let before = self.before[d];
                    self.prices.used[second as usize] += 1;
                    let fresh = unused - i64::from(self.prices.values[first as usize]);
                    if before == NONE || self.forward[before as usize] <= fresh {
                        self.prices.used[first as usize] += 1;
                        break;
                    }
                    // The diagonal neighbour stands in the row before.
                    d = before as usize;
                    k -= 1;
                    unused = self.pick[k].1;
                }
            }
            if self.rows[k].touching {
                k -= 1;
            }
        }
    }

    /// A cheap column for a row of its own. Rows of one group take turns among the columns that cost
    /// about the least: if all of them took the same one, only its price would rise.
    fn column_for(&mut self, group: u32) -> usize {
        const SLACK: i32 = (ONE / 64) as i32;
        const LOOK: usize = 8;
        let columns = self.bigrams.of(group);
        let most = self.cheapest[group as usize] + SLACK;
        let prices = &self.prices.values;
        let turn = &mut self.turn[group as usize];
        let mut at = *turn as usize;
        let mut least = (i32::MAX, 0);
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

    /// The duos through which a priced chain is worth at least `size`, sorted: every
    /// conflict-free set of that size consists of such duos. Nothing when there are more
    /// than `limit`.
    pub(super) fn filter(&mut self, size: usize, limit: usize) -> Option<Vec<Duo>> {
        self.prices.restore();
        self.find_chain();
        let prices = &self.prices.values;
        let needed = size as i64 * ONE - self.prices.paid_to_all();
        // `later[d]` is the most a chain can still gain after `d`, `unused[k]` in the rows after
        // row `k` that do not touch it.
        let mut later = vec![0i64; self.duos.len()];
        let mut unused = vec![0i64; self.rows.len()];
        let (mut total, mut older) = (0i64, 0i64);
        for (k, row) in self.rows.iter().enumerate().rev() {
            let touching = self.rows.get(k + 1).is_some_and(|next| next.touching);
            unused[k] = if touching { older } else { total };
            let mut here = total;
            for d in row.start as usize..row.end as usize {
                let after = self.after[d];
                let follow = if after == NONE {
                    i64::MIN
                } else {
                    let next = after as usize;
                    ONE - i64::from(prices[self.links[next].second as usize]) + later[next]
                };
                later[d] = unused[k].max(follow);
                let Link { first, second, .. } = self.links[d];
                let own = prices[first as usize] + prices[second as usize];
                here = here.max(ONE - i64::from(own) + later[d]);
            }
            if row.group != NONE {
                let cost = i64::from(self.cheapest[row.group as usize]);
                here = here.max(ONE - cost + unused[k]);
            }
            older = total;
            total = here;
        }
        let mut kept = Vec::new();
        for (k, row) in self.rows.iter().enumerate() {
            let from = kept.len();
            let duos = row.start as usize..row.end as usize;
            let listed = duos.filter(|&d| self.forward[d] + later[d] >= needed);
            kept.extend(listed.map(|d| self.duos[d]));
            let spare = self.pick[k].1 + ONE + unused[k] - needed;
            if row.group != NONE && i64::from(self.cheapest[row.group as usize]) <= spare {
                let columns = self.bigrams.of(row.group).iter().copied();
                let cost = |j: u32| i64::from(prices[j as usize] + prices[j as usize + 1]);
                kept.extend(columns.filter(|&j| cost(j) <= spare).map(|j| Duo { i: row.i, j }));
                kept[from..].sort_unstable();
            }
            if kept.len() > 2 * limit {
                return None;
            }
        }
        kept.dedup();
        (kept.len() <= limit).then_some(kept)
    }

    /// Whether a filter is worth trying: far from the bound, nearly every duo is in some chain
    /// of that worth.
    fn is_near(&self, ceiling: usize) -> bool {
        self.gap(ceiling) <= 2 + self.chosen.len() / 200
    }

    /// Whether a proof is out of reach: the relaxation itself is too weak for such texts.
    fn is_far(&self, ceiling: usize) -> bool {
        self.gap(ceiling) > 2 + self.chosen.len() / 24
    }

    /// How far the bound is above the set, in whole ones.
    fn gap(&self, ceiling: usize) -> usize {
        self.bound(ceiling).saturating_sub(self.chosen.len())
    }
}

/// Lists the rows with a group or with duos of their own.
fn list_rows(bigrams: &Bigrams, duos: &[Duo], rows: &mut Vec<Row>) {
    rows.clear();
    let mut start = 0;
    for (i, &group) in bigrams.row_group.iter().enumerate() {
        let i = i as u32;
        let mut end = start;
        while duos.get(end).is_some_and(|duo| duo.i == i) {
            end += 1;
        }
        if group != NONE || start < end {
            let touching = rows.last().is_some_and(|last| last.i + 1 == i);
            rows.push(Row { i, group, start: start as u32, end: end as u32, touching });
        }
        start = end;
    }
}

/// Lists the duos diagonally before and after each of the sorted duos.
pub(super) fn diagonals(duos: &[Duo], before: &mut Vec<u32>, after: &mut Vec<u32>) {
    refill(before, duos.len(), NONE);
    refill(after, duos.len(), NONE);
    // Both rows and columns ascend, so one pass with a second finger finds all neighbours.
    let mut low = 0;
    for (high, duo) in duos.iter().enumerate() {
        while (duos[low].i + 1, duos[low].j + 1) < (duo.i, duo.j) {
            low += 1;
        }
        if (duos[low].i + 1, duos[low].j + 1) == (duo.i, duo.j) {
            before[high] = low as u32;
            after[low] = high as u32;
        }
    }
}
