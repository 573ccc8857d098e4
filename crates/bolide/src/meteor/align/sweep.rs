//! Good prices fast: rows bid for reference words one after the other.
//!
//! A subgradient looks at all rows with the same prices, so rows that are alike want the same word
//! and prices move a little at a time. In a *sweep* the rows come in windows: each takes its best
//! chain at the present prices, and every word it uses becomes dearer at once, so that the next
//! window looks elsewhere. Afterwards all words become cheaper by the same amount: the price of a
//! word that was used once stays, of one that nobody used falls, of one that many used rises. Steps
//! shrink from sweep to sweep. Every second sweep goes backwards, or the first rows would always
//! choose first.
//!
//! The first prices come from a set: each of its duos costs half of what it brings, in equal parts on its two words. Prices
//! and the chain's gain then add up to little more than the set has, so only the words that several rows want have to move.
//! Some twelve sweeps come about as near as sixty subgradient steps on prose.
//!
//! No bound comes from a sweep: that is computed at its prices afterwards. A set does: in one more sweep the words
//! are handed out for good, so that nobody gets a word that somebody has.

use super::bids::{Bids, UNIT};
use super::bigrams::Bigrams;
use super::columns::Columns;
use super::document::{ALONE, Document, Link, Row};
use super::duo::{Duo, NONE};
use super::prices::Prices;
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
    /// How much of a step the next sweep keeps.
    keeps: f64,
}

/// The first step, in parts of one adjacency.
const FIRST: f64 = 0.4;

/// For a proof, and for a good bound of a long text. Found by trying; flat around these values.
pub(super) const PATIENT: Schedule = Schedule { sweeps: 40, keeps: 0.85 };
pub(super) const HASTY: Schedule = Schedule { sweeps: 20, keeps: 0.8 };

impl Schedule {
    /// The step of sweep number `at`.
    pub(super) fn step(&self, at: u32) -> i16 {
        ((0..at).fold(FIRST, |step, _| step * self.keeps) * f64::from(UNIT)) as i16
    }
}

/// What sweeps need besides the document.
#[derive(Default)]
pub(super) struct Sweeps {
    columns: Columns,
    pub(super) bids: Bids,
    /// The best chain that ends with each duo, and a place that says there is none. In its window, a chain counts from what
    /// the rows before the window are worth.
    forward: Vec<i32>,
}

impl Sweeps {
    pub(super) fn begin(&mut self, bigrams: &Bigrams, n_duos: usize, prices: &Prices) {
        self.columns.begin(bigrams, prices.n_words());
        self.bids.begin(prices);
        // The others are written before they are read.
        self.forward.resize(n_duos + 1, 0);
        self.forward[n_duos] = i32::MIN / 2;
    }
}

impl Document {
    /// One sweep.
    pub(super) fn sweep(&mut self, step: i16, back: bool) {
        let sweeps = &mut self.sweeps;
        sweeps.columns.read(&sweeps.bids.values);
        sweeps.bids.begin_sweep();
        self.weight *= 1.25;
        if back {
            self.sweep_way::<true>(step, None);
        } else {
            self.sweep_way::<false>(step, None);
        }
        self.sweeps.bids.lower(step, &self.prices);
    }

    fn sweep_way<const BACK: bool>(&mut self, step: i16, taken: Option<&mut Vec<Duo>>) {
        let Sweeps { columns, bids, forward } = &mut self.sweeps;
        let mut way = Way::<BACK> {
            rows: &self.rows,
            duos: &self.duos,
            links: &self.links,
            columns,
            bids,
            forward,
            pick: [(NONE, 0); WINDOW],
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
        const NEVER: i16 = i16::MAX;
        let mut taken = Vec::new();
        let kept = self.sweeps.bids.values.clone();
        self.sweeps.columns.read(&kept);
        let weight = std::mem::replace(&mut self.weight, 0.0);
        if back {
            self.sweep_way::<true>(NEVER, Some(&mut taken));
        } else {
            self.sweep_way::<false>(NEVER, Some(&mut taken));
        }
        self.weight = weight;
        self.sweeps.bids.values = kept;
        taken
    }
}

/// A sweep on its way over the rows, forwards or backwards.
struct Way<'s, const BACK: bool> {
    rows: &'s [Row],
    duos: &'s [Duo],
    links: &'s [Link],
    columns: &'s mut Columns,
    bids: &'s mut Bids,
    forward: &'s mut [i32],
    /// Per row of the window: what the best chain takes there if it ends there, and what rows that do not touch it are worth.
    pick: [(u32, i32); WINDOW],
    share: &'s mut [f64],
    row_share: &'s mut [f64],
    /// What the chains take, in the order of the walk.
    taken: Option<&'s mut Vec<Duo>>,
    weight: f64,
    step: i16,
}

impl<const BACK: bool> Way<'_, BACK> {
    /// Goes over all rows in windows of neighbours.
    fn go(&mut self) {
        let rows = self.rows;
        // How much less the rows before the last are worth.
        let mut less = 0;
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
                less = 0;
            }
            let (total, older) = self.value(from..to, goes_on, less);
            self.charge(from..to, goes_on);
            done += to - from;
            // The next window counts from here.
            less = older - total;
            let last = &rows[if BACK { from } else { to - 1 }];
            for forward in &mut self.forward[last.start as usize..last.end as usize] {
                *forward -= total;
            }
        }
    }

    /// The prices of a duo's matches on the near side and on the far side, and the duo diagonally behind.
    #[inline]
    fn step(link: Link) -> (u32, u32, usize) {
        let Link { first, second, before, after } = link;
        if BACK { (second, first, after as usize) } else { (first, second, before as usize) }
    }

    /// The best chain up to each row of a window; returns what the last row and the one before it are worth.
    fn value(&mut self, window: Range<usize>, mut touching: bool, less: i32) -> (i32, i32) {
        const ONE: i32 = UNIT as i32;
        let (mut total, mut older) = (0, less);
        // Looked up once for all rows, which have few duos each.
        let Way { links, columns, bids, forward, pick, .. } = self;
        let (links, columns, bids) = (*links, &**columns, &bids.values[..]);
        let rows = &self.rows[window];
        for (t, pick) in pick[..rows.len()].iter_mut().enumerate() {
            let row = &rows[if BACK { rows.len() - 1 - t } else { t }];
            let unused = if touching { older } else { total };
            touching = true;
            let mut here = (total, NONE);
            let (from, to) = (row.start as usize, row.end as usize);
            for (d, &link) in (from..).zip(&links[from..to]) {
                let (near, far, behind) = Self::step(link);
                let fresh = unused - i32::from(bids[near as usize]);
                let follow = forward[behind];
                let value = ONE - i32::from(bids[far as usize]) + fresh.max(follow);
                forward[d] = value;
                if value > here.0 {
                    here = (value, d as u32);
                }
            }
            if row.group != NONE {
                let value = unused + ONE - columns.least(row.group);
                if value > here.0 {
                    here = (value, ALONE);
                }
            }
            older = total;
            total = here.0;
            *pick = (here.1, unused);
        }
        (total, older)
    }

    /// Walks the best chain of a window back and raises the prices of what it uses.
    fn charge(&mut self, window: Range<usize>, goes_on: bool) {
        let row_at = |t: usize| if BACK { window.end - 1 - t } else { window.start + t };
        let mut t = window.len();
        while t > 0 {
            t -= 1;
            let (pick, mut unused) = self.pick[t];
            if pick == NONE {
                continue;
            }
            if pick == ALONE {
                let k = row_at(t);
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
                    let (near, far, behind) = Self::step(self.links[d]);
                    let j = self.duos[d].j;
                    let (near_word, far_word) = if BACK { (j + 1, j) } else { (j, j + 1) };
                    let fresh = unused - i32::from(self.bids.values[near as usize]);
                    let follow = self.forward[behind];
                    self.raise(far, far_word);
                    if t == 0 || follow <= fresh {
                        self.raise(near, near_word);
                        break;
                    }
                    d = behind;
                    t -= 1;
                    unused = self.pick[t].1;
                }
            }
            // The row before the chain must stay unused.
            if t > 0 || goes_on {
                t = t.saturating_sub(1);
            }
        }
    }

    /// Makes a match with a reference word dearer.
    #[inline]
    fn raise(&mut self, price: u32, word: u32) {
        self.bids.raise(price, word, self.step);
        self.columns.raise(word, self.step);
    }
}
