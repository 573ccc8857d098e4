//! Good prices fast: rows bid for reference words one after the other.
//!
//! A subgradient looks at all rows with the same prices, so rows that are alike want the same word
//! and prices move a little at a time. In a *sweep* the rows come in windows: each takes its best
//! chain at the present prices, and every word it uses becomes dearer at once, so that the next
//! window looks elsewhere. Afterwards all words become cheaper by the same amount: the price of a
//! word that was used once stays, of one that nobody used falls, of one that many used rises. Steps
//! shrink from sweep to sweep. Every second sweep goes backwards, or the first rows would always
//! choose first. Some twenty sweeps come about as near as sixty subgradient steps on prose.
//!
//! No bound comes from a sweep: that is computed at its prices afterwards. A set does: in one more sweep the words
//! are handed out for good, so that nobody gets a word that somebody has.

use super::bigrams::Bigrams;
use super::columns::Columns;
use super::document::{ALONE, Document, Link, Row};
use super::duo::{Duo, NONE};
use super::prices::ONE;
use std::ops::Range;

/// Rows of a window.
const WINDOW: usize = 24;

/// The prices of so many last sweeps are averaged.
pub(super) const AVERAGED: u32 = 4;

/// How long to sweep.
#[derive(Clone, Copy)]
pub(super) struct Schedule {
    /// How many sweeps there are; a multiple of [`AVERAGED`].
    pub(super) sweeps: u32,
    /// The first step, in parts of one adjacency.
    first: f64,
    /// How much of a step the next sweep keeps: at first, and after [`COARSE`] sweeps.
    keeps: [f64; 2],
}

/// For a proof, and for a good bound of a long text. Found by trying; flat around these values.
pub(super) const PATIENT: Schedule = Schedule { sweeps: 40, first: 0.8, keeps: [0.85, 0.89] };
pub(super) const HASTY: Schedule = Schedule { sweeps: 24, first: 0.4, keeps: [0.82, 0.82] };

/// The number of sweeps with large steps.
const COARSE: u32 = 12;

impl Schedule {
    /// The step of sweep number `at`.
    pub(super) fn step(&self, at: u32) -> i32 {
        let keeps = |at: u32| self.keeps[usize::from(at >= COARSE)];
        ((1..=at).fold(self.first, |step, at| step * keeps(at)) * ONE as f64) as i32
    }
}

/// A duo as a sweep sees it that goes one way: the prices of the match on the near side and on the far side, and the
/// duo diagonally behind.
#[derive(Clone, Copy)]
struct Step {
    near: u32,
    far: u32,
    behind: u32,
}

/// What sweeps need besides the document.
pub(super) struct Sweeps {
    /// The duos, seen forwards and backwards.
    steps: [Vec<Step>; 2],
    columns: Columns,
    /// The best chain that ends with each duo, and a place that says there is none.
    forward: Vec<i64>,
}

impl Sweeps {
    pub(super) fn new(bigrams: &Bigrams, links: &[Link], after: &[u32], n_words: usize) -> Self {
        // A duo without one behind it points at the last place.
        let last = links.len() as u32;
        let forwards = |link: &Link| Step {
            near: link.first,
            far: link.second,
            behind: link.before.min(last),
        };
        let backwards = |(link, &after): (&Link, &u32)| Step {
            near: link.second,
            far: link.first,
            behind: after.min(last),
        };
        let mut forward = vec![0; links.len() + 1];
        forward[links.len()] = i64::MIN / 2;
        Sweeps {
            steps: [
                links.iter().map(forwards).collect(),
                links.iter().zip(after).map(backwards).collect(),
            ],
            columns: Columns::new(bigrams, n_words),
            forward,
        }
    }
}

impl Document<'_> {
    /// One sweep.
    pub(super) fn sweep(&mut self, step: i32, back: bool) {
        self.sweeps.columns.read(&self.prices.values);
        self.weight *= 1.25;
        self.prices.used.fill(0);
        if back {
            self.sweep_way::<true>(step, None);
        } else {
            self.sweep_way::<false>(step, None);
        }
        self.prices.lower(step);
    }

    fn sweep_way<const BACK: bool>(&mut self, step: i32, taken: Option<&mut Vec<Duo>>) {
        let mut way = Way::<BACK> {
            rows: &self.rows,
            duos: &self.duos,
            steps: &self.sweeps.steps[usize::from(BACK)],
            columns: &mut self.sweeps.columns,
            prices: &mut self.prices.values,
            used: &mut self.prices.used,
            forward: &mut self.sweeps.forward,
            pick: &mut self.pick,
            share: &mut self.share,
            row_share: &mut self.row_share,
            taken,
            weight: self.weight,
            step,
        };
        way.go();
    }

    /// One more sweep, in which nobody gets a word that somebody has: what the rows take. The prices stay.
    pub(super) fn last_sweep(&mut self, back: bool) -> Vec<Duo> {
        const NEVER: i32 = 8 * ONE as i32;
        let mut taken = Vec::new();
        self.prices.keep();
        self.sweeps.columns.read(&self.prices.values);
        let weight = std::mem::replace(&mut self.weight, 0.0);
        if back {
            self.sweep_way::<true>(NEVER, Some(&mut taken));
        } else {
            self.sweep_way::<false>(NEVER, Some(&mut taken));
        }
        self.weight = weight;
        self.prices.take_back();
        taken
    }
}

/// A sweep on its way over the rows, forwards or backwards.
struct Way<'s, const BACK: bool> {
    rows: &'s [Row],
    duos: &'s [Duo],
    steps: &'s [Step],
    columns: &'s mut Columns,
    prices: &'s mut [i32],
    used: &'s mut [i32],
    forward: &'s mut [i64],
    pick: &'s mut [(u32, i64)],
    share: &'s mut [f64],
    row_share: &'s mut [f64],
    /// What the chains take, in the order of the walk.
    taken: Option<&'s mut Vec<Duo>>,
    weight: f64,
    step: i32,
}

impl<const BACK: bool> Way<'_, BACK> {
    /// Goes over all rows in windows of neighbours.
    fn go(&mut self) {
        let rows = self.rows;
        let mut worth = (0i64, 0i64);
        let mut done = 0;
        while done < rows.len() {
            let left = rows.len() - done;
            let most = left.min(WINDOW);
            let (from, to, goes_on) = if BACK {
                let least = left - most;
                let from = (least..left).rev().find(|&k| !rows[k].touching).unwrap_or(least);
                (from, left, done > 0 && rows[left].touching)
            } else {
                let to = (done + 1..done + most).find(|&k| !rows[k].touching);
                (done, to.unwrap_or(done + most), rows[done].touching)
            };
            if !goes_on {
                worth = (0, 0);
            }
            worth = self.value(from..to, goes_on, worth);
            self.charge(from..to, goes_on);
            done += to - from;
        }
    }

    /// The best chain up to each row of a window; returns what the last row and the one before it are worth.
    fn value(&mut self, window: Range<usize>, mut touching: bool, worth: (i64, i64)) -> (i64, i64) {
        let (mut total, mut older) = worth;
        let prices = &*self.prices;
        let forward = &mut *self.forward;
        for t in 0..window.len() {
            let k = if BACK { window.end - 1 - t } else { window.start + t };
            let row = &self.rows[k];
            let unused = if touching { older } else { total };
            touching = true;
            let mut here = (total, NONE);
            let (from, to) = (row.start as usize, row.end as usize);
            for (d, step) in (from..).zip(&self.steps[from..to]) {
                let fresh = unused - i64::from(prices[step.near as usize]);
                let follow = forward[step.behind as usize];
                let value = ONE - i64::from(prices[step.far as usize]) + fresh.max(follow);
                forward[d] = value;
                if value > here.0 {
                    here = (value, d as u32);
                }
            }
            if row.group != NONE {
                let value = unused + ONE - self.columns.least(row.group);
                if value > here.0 {
                    here = (value, ALONE);
                }
            }
            older = total;
            total = here.0;
            self.pick[k] = (here.1, unused);
        }
        (total, older)
    }

    /// Walks the best chain of a window back and raises the prices of what it uses.
    fn charge(&mut self, window: Range<usize>, goes_on: bool) {
        let row_at = |t: usize| if BACK { window.end - 1 - t } else { window.start + t };
        let mut t = window.len();
        while t > 0 {
            t -= 1;
            let k = row_at(t);
            let (pick, mut unused) = self.pick[k];
            if pick == NONE {
                continue;
            }
            if pick == ALONE {
                // Rows of the same window may have taken columns since the row chose.
                let j = self.columns.cheapest(self.rows[k].group);
                self.raise(j, j);
                self.raise(j + 1, j + 1);
                self.row_share[k] += self.weight;
                if let Some(taken) = &mut self.taken {
                    taken.push(Duo { i: self.rows[k].i, j });
                }
            } else {
                let mut d = pick as usize;
                loop {
                    self.share[d] += self.weight;
                    if let Some(taken) = &mut self.taken {
                        taken.push(self.duos[d]);
                    }
                    let Step { near, far, behind } = self.steps[d];
                    let j = self.duos[d].j;
                    let (near_word, far_word) = if BACK { (j + 1, j) } else { (j, j + 1) };
                    let fresh = unused - i64::from(self.prices[near as usize]);
                    let follow = self.forward[behind as usize];
                    self.raise(far, far_word);
                    if t == 0 || follow <= fresh {
                        self.raise(near, near_word);
                        break;
                    }
                    d = behind as usize;
                    t -= 1;
                    unused = self.pick[row_at(t)].1;
                }
            }
            // The row before the chain must stay unused.
            if t > 0 || goes_on {
                t = t.saturating_sub(1);
            }
        }
    }

    /// Counts a use of a price, which a match with a reference word has, and makes both dearer.
    fn raise(&mut self, price: u32, word: u32) {
        self.prices[word as usize] += self.step;
        if price != word {
            self.used[price as usize] += 1;
            self.prices[price as usize] += self.step;
        }
        self.columns.raise(word, self.step);
    }
}
