//! Good prices fast: rows bid for reference words one after the other.
//!
//! A subgradient looks at all rows with the same prices, so rows that are alike want the same word
//! and prices move a little at a time. In a *sweep* the rows come in windows: each takes its best
//! chain at the present prices, and every word it uses becomes dearer at once, so that the next
//! window looks elsewhere. Afterwards all words become cheaper by the same amount: the price of a
//! word that was used once stays, of one that nobody used falls, of one that many used rises. Steps
//! shrink from sweep to sweep. Every second sweep goes backwards, or the first rows would always
//! choose first. Some twenty sweeps come nearer than two hundred subgradient steps on prose.
//!
//! No bound comes from a sweep: that is computed at its prices afterwards.

use super::document::{ALONE, Document, Link, Row};
use super::duo::NONE;
use super::prices::ONE;

/// Rows of a window.
const WINDOW: usize = 24;

/// Columns of a group that a row looks at.
const LOOK: usize = 8;

/// How many sweeps there are, the first step in parts of one adjacency, and how much of it the next
/// sweep keeps. Found by trying; flat around these values.
pub(super) const SWEEPS: u32 = 24;
const FIRST: f32 = 0.4;
const RATIO: f32 = 0.82;

/// The prices of so many last sweeps are averaged.
pub(super) const AVERAGED: u32 = 4;

/// The step of sweep number `at`.
pub(super) fn step(at: u32) -> i32 {
    (0..at).fold(FIRST * ONE as f32, |step, _| step * RATIO) as i32
}

/// A sweep over the rows of a document, forwards or backwards.
struct Way<'s> {
    rows: &'s [Row],
    back: bool,
}

impl Way<'_> {
    /// The row that comes at turn `t`.
    fn row(&self, t: usize) -> usize {
        if self.back { self.rows.len() - 1 - t } else { t }
    }

    /// Whether the row at turn `t` touches the one before it.
    fn touching(&self, t: usize) -> bool {
        if self.back {
            t > 0 && self.rows[self.rows.len() - t].touching
        } else {
            self.rows[t].touching
        }
    }

    /// Where the window that begins at turn `start` ends.
    fn window(&self, start: usize) -> usize {
        let most = self.rows.len().min(start + WINDOW);
        (start + 1..most).find(|&t| !self.touching(t)).unwrap_or(most)
    }
}

impl Document<'_> {
    /// One sweep.
    pub(super) fn sweep(&mut self, step: i32, back: bool) {
        self.aim();
        self.weight *= 1.25;
        self.prices.used.fill(0);
        let rows = std::mem::take(&mut self.rows);
        let way = Way { rows: &rows, back };
        let mut worth = (0i64, 0i64);
        let mut start = 0;
        while start < rows.len() {
            let end = way.window(start);
            if !way.touching(start) {
                worth = (0, 0);
            }
            if back {
                self.value_window::<true>(&way, start..end, &mut worth);
                self.charge_window::<true>(&way, start..end, step);
            } else {
                self.value_window::<false>(&way, start..end, &mut worth);
                self.charge_window::<false>(&way, start..end, step);
            }
            start = end;
        }
        self.rows = rows;
        self.prices.lower(step);
    }

    /// Points every group at its cheapest column.
    fn aim(&mut self) {
        let prices = &self.prices.values;
        for (turn, range) in self.turn.iter_mut().zip(self.bigrams.start.windows(2)) {
            let columns = &self.bigrams.columns[range[0] as usize..range[1] as usize];
            let mut least = i32::MAX;
            for (at, &j) in columns.iter().enumerate() {
                let cost = prices[j as usize] + prices[j as usize + 1];
                if cost < least {
                    least = cost;
                    *turn = at as u32;
                }
            }
        }
    }

    /// The best chain up to each row of a window; `worth` is what the last row and the one before
    /// it are worth.
    fn value_window<const BACK: bool>(
        &mut self,
        way: &Way<'_>,
        window: std::ops::Range<usize>,
        worth: &mut (i64, i64),
    ) {
        let prices = &self.prices.values;
        for t in window {
            let k = way.row(t);
            let row = &way.rows[k];
            let unused = if way.touching(t) { worth.1 } else { worth.0 };
            let mut here = (worth.0, NONE);
            for d in row.start as usize..row.end as usize {
                let Link { first, second, before } = self.links[d];
                let (near, far, previous) =
                    if BACK { (second, first, self.after[d]) } else { (first, second, before) };
                let fresh = unused - i64::from(prices[near as usize]);
                let follow = self.forward.get(previous as usize).copied().unwrap_or(i64::MIN);
                let value = ONE - i64::from(prices[far as usize]) + fresh.max(follow);
                self.forward[d] = value;
                if value > here.0 {
                    here = (value, d as u32);
                }
            }
            if row.group != NONE {
                let columns = self.bigrams.of(row.group);
                let turn = &mut self.turn[row.group as usize];
                let mut least = (i32::MAX, 0);
                let mut at = *turn as usize;
                for _ in 0..columns.len().min(LOOK) {
                    if at >= columns.len() {
                        at = 0;
                    }
                    let j = columns[at] as usize;
                    let cost = prices[j] + prices[j + 1];
                    if cost < least.0 {
                        least = (cost, at);
                    }
                    at += 1;
                }
                let value = unused + ONE - i64::from(least.0);
                if value > here.0 {
                    here = (value, ALONE);
                    *turn = least.1 as u32;
                }
            }
            *worth = (here.0, worth.0);
            self.pick[k] = (here.1, unused);
        }
    }

    /// Walks the best chain of a window back and raises the prices of what it uses.
    fn charge_window<const BACK: bool>(
        &mut self,
        way: &Way<'_>,
        window: std::ops::Range<usize>,
        step: i32,
    ) {
        let mut t = window.end;
        while t > window.start {
            t -= 1;
            let k = way.row(t);
            let (pick, unused) = self.pick[k];
            if pick == NONE {
                continue;
            }
            if pick == ALONE {
                let group = way.rows[k].group;
                let columns = self.bigrams.of(group);
                let turn = &mut self.turn[group as usize];
                let j = columns[*turn as usize];
                *turn = if *turn as usize + 1 < columns.len() { *turn + 1 } else { 0 };
                self.prices.charge(j, j, step);
                self.prices.charge(j + 1, j + 1, step);
                self.row_share[k] += self.weight;
            } else {
                let (mut d, mut unused) = (pick as usize, unused);
                loop {
                    self.share[d] += self.weight;
                    let Link { first, second, before } = self.links[d];
                    let j = self.duos[d].j;
                    let fresh = |near: u32| unused - i64::from(self.prices.values[near as usize]);
                    let (near, far, previous) = if BACK {
                        ((second, j + 1), (first, j), self.after[d])
                    } else {
                        ((first, j), (second, j + 1), before)
                    };
                    let begins = t == window.start
                        || previous == NONE
                        || self.forward[previous as usize] <= fresh(near.0);
                    self.prices.charge(far.0, far.1, step);
                    if begins {
                        self.prices.charge(near.0, near.1, step);
                        break;
                    }
                    d = previous as usize;
                    t -= 1;
                    unused = self.pick[way.row(t)].1;
                }
            }
            // The row before the chain must stay unused.
            if t > window.start && way.touching(t) {
                t -= 1;
            }
        }
    }
}
