//! Prices as sweeps move them: in 16 bits, so that a document's fit into the nearest cache.
//!
//! They have the numbers that [`Prices`] gives them: of words, then of matches that use capacities, then of capacities. No bound
//! is computed here; [`Bids::average`] hands the mean of the last sweeps to where bounds are.

use super::duo::{Duo, refill};
use super::prices::{ONE, Prices};

/// The worth of one adjacency.
pub(super) const UNIT: i16 = 1 << 12;

/// A match is part of two adjacencies at most, so no price above four is needed. One less, so that the prices of two words fit
/// into 16 bits and stay below the key where no column stands.
const MOST: i16 = 4 * UNIT - 1;

/// A price of zero or more and a step added, as far as they fit.
#[inline]
pub(super) fn dearer(price: i16, step: i16) -> i16 {
    // Processors have no such addition for single numbers, and what compilers make of `saturating_add` thinks of signs too.
    (i32::from(price) + i32::from(step)).min(i32::from(i16::MAX)) as i16
}

/// Prices on their way, and the sums of those to be averaged.
#[derive(Default)]
pub(super) struct Bids {
    pub(super) values: Vec<i16>,
    /// How often each match that uses capacities was chosen.
    used: Vec<i32>,
    n_words: usize,
    sums: Vec<i32>,
    n_summed: i32,
}

impl Bids {
    /// Sets all prices to zero.
    pub(super) fn begin(&mut self, prices: &Prices) {
        self.n_words = prices.n_words();
        refill(&mut self.values, prices.values.len(), 0);
        refill(&mut self.used, prices.start_of_capacities() - self.n_words, 0);
        refill(&mut self.sums, prices.values.len(), 0);
        self.n_summed = 0;
    }

    /// Begins with prices at which each duo of a set costs half of what it brings, in equal parts on its two words.
    pub(super) fn start_from(&mut self, chosen: &[Duo], prices: &Prices) {
        for &Duo { j, .. } in chosen {
            self.values[j as usize] += UNIT / 4;
            self.values[j as usize + 1] += UNIT / 4;
        }
        self.price_matches(prices);
    }

    /// Forgets how often matches were chosen.
    pub(super) fn begin_sweep(&mut self) {
        self.used.fill(0);
    }

    /// Makes a match with a reference word dearer, whose price may be the word's.
    #[inline]
    pub(super) fn raise(&mut self, price: u32, word: u32, step: i16) {
        let value = &mut self.values[word as usize];
        *value = dearer(*value, step);
        if price != word {
            let value = &mut self.values[price as usize];
            *value = dearer(*value, step);
            self.used[price as usize - self.n_words] += 1;
        }
    }

    /// Makes every word cheaper by what one use has made it dearer, and settles the capacities.
    pub(super) fn lower(&mut self, step: i16, prices: &Prices) {
        for value in &mut self.values[..self.n_words] {
            *value = value.saturating_sub(step).clamp(0, MOST);
        }
        let start = prices.start_of_capacities();
        if start == self.values.len() {
            return;
        }
        let mut uses = vec![0i32; self.values.len() - start];
        for ((_, capacities), &used) in prices.matches().zip(&self.used) {
            if used > 0 {
                for &number in capacities {
                    uses[number as usize] += used;
                }
            }
        }
        for ((value, &room), &used) in self.values[start..].iter_mut().zip(prices.room()).zip(&uses)
        {
            let moved = i64::from(*value) + i64::from(step) * (i64::from(used) - i64::from(room));
            *value = moved.clamp(0, i64::from(MOST)) as i16;
        }
        self.price_matches(prices);
    }

    /// The prices of matches that use capacities: their word's and those of the capacities.
    fn price_matches(&mut self, prices: &Prices) {
        let (others, capacities) = self.values.split_at_mut(prices.start_of_capacities());
        for (at, (word, uses)) in prices.matches().enumerate() {
            let sum: i32 = uses.iter().map(|&number| i32::from(capacities[number as usize])).sum();
            let price = i32::from(others[word as usize]) + sum;
            others[self.n_words + at] = price.min(i32::from(i16::MAX)) as i16;
        }
    }

    /// Prices that are added from here on are averaged by [`Bids::average`].
    pub(super) fn begin_average(&mut self) {
        self.sums.fill(0);
        self.n_summed = 0;
    }

    /// Adds the present prices to the average.
    pub(super) fn add_to_average(&mut self) {
        for (sum, &value) in self.sums.iter_mut().zip(&self.values) {
            *sum += i32::from(value);
        }
        self.n_summed += 1;
    }

    /// Writes the average to `prices`.
    pub(super) fn average(&self, prices: &mut Prices) {
        const SCALE: i32 = (ONE / UNIT as i64) as i32;
        if self.n_summed > 0 {
            for (value, &sum) in prices.values.iter_mut().zip(&self.sums) {
                *value = sum * SCALE / self.n_summed;
            }
            prices.price_matches();
        }
    }
}
