//! The prices of a relaxation: on reference words, each usable once, and on capacities.
//!
//! Whoever relaxes says what its best priced choice is worth and how often that choice used each
//! price; this module keeps the best bound and moves the prices by a deflected subgradient. A
//! match that uses capacities has a price of its own: that of its word plus those of the
//! capacities. Only integers enter a bound.

use super::capacity::Capacities;
use super::duo::NONE;

/// The worth of one adjacency: prices are multiples of `1 / ONE`.
pub(super) const ONE: i64 = 1 << 16;

/// How far the first steps go towards the bound that is hoped for: from no prices, and from good ones. Found by
/// trying; flat around.
pub(super) const PACE: f32 = 0.7;
pub(super) const SLOW: f32 = 0.35;
/// How much the newest slope counts in the direction. On many words as much as the pace, within these
/// limits: large steps follow the last slopes, small ones need the average of many to get on.
const NEWEST: [f32; 2] = [0.1, 0.4];
/// Steps without progress before the pace falls, and where it ends.
const PATIENCE: u32 = 8;
const SLOWEST: f32 = 0.01;
/// How many of a word's last matches are looked through for one to share a price with.
const SHARERS: usize = 32;

/// Prices and what is known through them.
#[derive(Default)]
pub(super) struct Prices {
    /// Prices by number: of words, then of matches that use capacities, then of capacities.
    pub(super) values: Vec<i32>,
    /// How often the last choice used each price; the caller counts words and matches.
    pub(super) used: Vec<i32>,
    /// The reference words, by number.
    words: Vec<u32>,
    /// The word of each such match and where its capacities end in `uses`. Matches of a word that use the same
    /// capacities share a price.
    matches: Vec<(u32, u32)>,
    /// The last match of each word, and the one before each: how a shared price is found.
    last_match: Vec<u32>,
    match_before: Vec<u32>,
    uses: Vec<u32>,
    /// The capacities by their number in the segment, and their room.
    capacities: Vec<u32>,
    room: Vec<u32>,
    /// How many the segment has, priced here or not.
    n_capacities: usize,
    best: Vec<i32>,
    best_bound: i64,
    last_bound: i64,
    usage: Vec<f32>,
    pace: f32,
    stalled: u32,
    fresh: bool,
    /// Whether steps that stall go on from where they are instead of from the best prices: on many
    /// words that ends nearer, on few it loses its way.
    pub(super) roams: bool,
}

impl Prices {
    /// Begins with these reference words and capacities and their prices in `warm`: first those of the words, then those of
    /// the capacities of the segment. The first steps have this pace. The matches that use capacities follow, then
    /// [`Prices::end_of_matches`].
    pub(super) fn begin(
        &mut self,
        words: impl Iterator<Item = u32>,
        binding: &[u32],
        capacities: &Capacities,
        warm: &[i32],
        pace: f32,
    ) {
        let first = warm.len() - capacities.len();
        self.words.clear();
        self.words.extend(words);
        self.values.clear();
        self.values.extend(self.words.iter().map(|&j| warm[j as usize]));
        self.values.extend(binding.iter().map(|&number| warm[first + number as usize]));
        self.matches.clear();
        self.match_before.clear();
        self.uses.clear();
        self.last_match.clear();
        if !binding.is_empty() {
            self.last_match.resize(self.words.len(), NONE);
        }
        self.room.clear();
        self.room.extend(binding.iter().map(|&number| capacities.left(number)));
        self.capacities.clear();
        self.capacities.extend_from_slice(binding);
        self.n_capacities = capacities.len();
        self.forget_bounds(pace);
        self.last_bound = i64::MAX;
        self.roams = false;
    }

    /// The number of the price that a match with the word of number `word` has, using those of
    /// `capacities` that have prices.
    pub(super) fn of_match(&mut self, word: u32, capacities: &[u32]) -> u32 {
        let before = self.uses.len();
        if self.capacities.len() == self.n_capacities {
            self.uses.extend_from_slice(capacities);
        } else {
            let priced =
                capacities.iter().filter_map(|number| self.capacities.binary_search(number).ok());
            self.uses.extend(priced.map(|at| at as u32));
        }
        if self.uses.len() == before {
            return word;
        }
        let last = self.last_match[word as usize];
        let mut at = last;
        for _ in 0..SHARERS {
            if at == NONE {
                break;
            }
            if self.uses[self.uses_of(at as usize)] == self.uses[before..] {
                self.uses.truncate(before);
                return self.words.len() as u32 + at;
            }
            at = self.match_before[at as usize];
        }
        let number = self.matches.len() as u32;
        self.matches.push((word, self.uses.len() as u32));
        self.match_before.push(last);
        self.last_match[word as usize] = number;
        self.words.len() as u32 + number
    }

    /// Where the capacities of a match are.
    fn uses_of(&self, number: usize) -> std::ops::Range<usize> {
        let start = if number == 0 { 0 } else { self.matches[number - 1].1 };
        start as usize..self.matches[number].1 as usize
    }

    /// To be called when all matches are known.
    pub(super) fn end_of_matches(&mut self) {
        let words = self.words.len();
        let n_matches = self.matches.len();
        self.values.splice(words..words, std::iter::repeat_n(0, n_matches));
        self.used.clear();
        self.used.resize(self.values.len(), 0);
        self.usage.clear();
        self.usage.resize(self.values.len(), 0.0);
        self.price_matches();
        self.best.clone_from(&self.values);
    }

    /// How many words have prices.
    pub(super) fn n_words(&self) -> usize {
        self.words.len()
    }

    /// Where the prices of capacities begin.
    pub(super) fn start_of_capacities(&self) -> usize {
        self.words.len() + self.matches.len()
    }

    /// The matches that use capacities: the number of the word's price, and which capacities.
    pub(super) fn matches(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let mut from = 0;
        self.matches.iter().map(move |&(word, end)| {
            let uses = &self.uses[from..end as usize];
            from = end as usize;
            (word, uses)
        })
    }

    /// The room of each capacity.
    pub(super) fn room(&self) -> &[u32] {
        &self.room
    }

    /// Gives every match the price of its word and of its capacities.
    pub(super) fn price_matches(&mut self) {
        let (words, start) = (self.words.len(), self.start_of_capacities());
        let mut from = 0;
        for (at, &(word, end)) in self.matches.iter().enumerate() {
            let uses = &self.uses[from..end as usize];
            from = end as usize;
            let capacities: i32 =
                uses.iter().map(|&number| self.values[start + number as usize]).sum();
            self.values[words + at] = self.values[word as usize] + capacities;
        }
    }

    /// The sum of all prices, each as often as it can be paid.
    pub(super) fn paid_to_all(&self) -> i64 {
        let words: i64 =
            self.values[..self.words.len()].iter().map(|&price| i64::from(price)).sum();
        let capacities = self.values[self.start_of_capacities()..].iter().zip(&self.room);
        words + capacities.map(|(&price, &room)| i64::from(price) * i64::from(room)).sum::<i64>()
    }

    /// No conflict-free set is larger than this, nor than `least_known`.
    pub(super) fn bound(&self, least_known: usize) -> usize {
        if self.best_bound == i64::MAX {
            return least_known;
        }
        ((self.best_bound.max(0) / ONE) as usize).min(least_known)
    }

    /// Learns what the best choice at these prices is worth, and from its uses where to go.
    pub(super) fn judge(&mut self, value: i64) {
        let bound = value + self.paid_to_all();
        self.last_bound = bound;
        if bound < self.best_bound {
            // Only a visible gain counts as progress, or tiny gains would go on for ever.
            let visible = self.best_bound == i64::MAX || self.best_bound - bound > ONE / 256;
            self.stalled = if visible { 0 } else { self.stalled + 1 };
            self.best_bound = bound;
            self.best.copy_from_slice(&self.values);
        } else {
            self.stalled += 1;
        }
        self.count_matches();
        let least = if self.roams { NEWEST[0] } else { NEWEST[1] };
        let turn = if self.fresh { 1.0 } else { self.pace.clamp(least, NEWEST[1]) };
        self.fresh = false;
        for (usage, &used) in self.usage.iter_mut().zip(&self.used) {
            *usage += turn * (used as f32 - *usage);
        }
    }

    /// Counts the uses of matches for their words and capacities too.
    fn count_matches(&mut self) {
        let (words, start) = (self.words.len(), self.start_of_capacities());
        let mut from = 0;
        for (at, &(word, end)) in self.matches.iter().enumerate() {
            let used = self.used[words + at];
            if used > 0 {
                self.used[word as usize] += used;
                for &number in &self.uses[from..end as usize] {
                    self.used[start + number as usize] += used;
                }
            }
            from = end as usize;
        }
    }

    /// Begins again with large steps from no prices at all.
    pub(super) fn restart(&mut self) {
        self.values.fill(0);
        self.usage.fill(0.0);
        self.forget_bounds(PACE);
    }

    fn forget_bounds(&mut self, pace: f32) {
        self.best_bound = i64::MAX;
        self.pace = pace;
        self.stalled = 0;
        self.fresh = true;
    }

    /// Moves the prices towards a bound of `size`; says whether that still makes sense.
    pub(super) fn step(&mut self, size: usize) -> bool {
        if self.stalled >= PATIENCE {
            self.stalled = 0;
            self.pace *= 0.6;
            if !self.roams {
                self.values.copy_from_slice(&self.best);
            }
            if self.pace < SLOWEST {
                return false;
            }
        }
        let (words, start) = (self.words.len(), self.start_of_capacities());
        let mut norm = norm_of_words(&self.values[..words], &self.usage[..words]);
        for (at, &room) in self.room.iter().enumerate() {
            let slope = room as f32 - self.usage[start + at];
            if self.values[start + at] > 0 || slope < 0.0 {
                norm += slope * slope;
            }
        }
        if norm < 1e-9 {
            return true;
        }
        let gap = (self.last_bound - size as i64 * ONE) as f32;
        let length = self.pace * gap.max(ONE as f32 * 0.05) / norm;
        for (value, &usage) in self.values[..words].iter_mut().zip(&self.usage) {
            *value = rounded(*value as f32 - length * (1.0 - usage));
        }
        for (at, &room) in self.room.iter().enumerate() {
            let value = &mut self.values[start + at];
            *value = rounded(*value as f32 - length * (room as f32 - self.usage[start + at]));
        }
        self.price_matches();
        true
    }

    /// Goes back to the prices of the best bound.
    pub(super) fn restore(&mut self) {
        self.values.copy_from_slice(&self.best);
    }

    /// Stores the best prices where [`Prices::begin`] would look for them.
    pub(super) fn save(&self, warm: &mut [i32]) {
        for (&word, &price) in self.words.iter().zip(&self.best) {
            warm[word as usize] = price;
        }
        let first = warm.len() - self.n_capacities;
        let prices = &self.best[self.start_of_capacities()..];
        for (&number, &price) in self.capacities.iter().zip(prices) {
            warm[first + number as usize] = price;
        }
    }
}

/// The nearest price. A match is part of two adjacencies at most, so no price above four is
/// needed. Written so that compilers do many at a time: a number added to 2²³ has its whole part
/// in the lowest bits.
fn rounded(price: f32) -> i32 {
    const SHIFT: f32 = (1 << 23) as f32;
    const MOST: f32 = (4 * ONE) as f32;
    let price = if price > 0.0 { price } else { 0.0 };
    let price = if price < MOST { price } else { MOST };
    ((price + SHIFT).to_bits() & ((1 << 23) - 1)) as i32
}

/// The square of the slope over all words. A price at zero cannot fall further, so its slope is no
/// part of the direction.
fn norm_of_words(values: &[i32], usage: &[f32]) -> f32 {
    // Four sums, because one after the other would wait for each other.
    let square = |value: i32, usage: f32| {
        let slope = 1.0 - usage;
        let falls = if slope < 0.0 { slope } else { 0.0 };
        let counts = if value > 0 { slope } else { falls };
        counts * counts
    };
    let mut sums = [0f32; 4];
    let (mut values, mut usages) = (values.chunks_exact(4), usage.chunks_exact(4));
    for (values, usages) in (&mut values).zip(&mut usages) {
        for at in 0..4 {
            sums[at] += square(values[at], usages[at]);
        }
    }
    let rest = values.remainder().iter().zip(usages.remainder());
    sums.iter().sum::<f32>() + rest.map(|(&value, &usage)| square(value, usage)).sum::<f32>()
}
