//! How long two texts are and how often their words repeat, and what an alignment may cost because of that.

use super::Budget;

/// Texts of fewer words may cost as much as these.
const SHORT: u64 = 1_000;

/// A word of prose occurs about so often in a text, and once more in every thousand words.
const USUAL_COPIES: u64 = 12;

/// Where a side has so many words for every different one that can match, and one more in every thousand, a search rarely
/// ends. It may cost less, and what it leaves is improved by regions.
const MANY_COPIES: u64 = 5;

/// With so many, windows and prices from nothing hardly find anything either, if the bigrams are of few kinds.
const VERY_MANY_COPIES: u64 = 15;

/// Where words repeat more often, the visits are divided by this at most.
const MOST_THRIFT: u64 = 16;

/// The extent of two texts.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// The words of both sides.
    words: u64,
    /// How many words a side has, on average, for every different one that both sides have; the other words do not count.
    copies: u64,
}

impl Extent {
    /// Of texts with so many words, and so many of each class on the two sides.
    pub(super) fn new(words: usize, counts: [&[u32]; 2]) -> Self {
        let [in_h, in_r] = counts;
        let both = in_h.iter().zip(in_r).filter(|&(&h, &r)| h > 0 && r > 0);
        let (kinds, matched) =
            both.fold((0, 0), |(kinds, words), (&h, &r)| (kinds + 1, words + u64::from(h + r)));
        Extent { words: words as u64, copies: matched / 2 / u64::max(kinds, 1) }
    }

    /// How many linked duos may be looked at one by one.
    pub(super) fn most_linked(self, budget: &Budget) -> u64 {
        let per_word = budget.visits_per_word / 50;
        per_word.saturating_mul(self.words.max(SHORT)).min(budget.duos as u64)
    }

    /// How many visits texts with so many duos may cost. Where few words repeat very often no bound comes near, and less is
    /// spent on it.
    pub(super) fn visits(self, budget: &Budget, n_duos: u64) -> u64 {
        let visits = budget.visits_per_word.saturating_mul(self.words.max(SHORT));
        let visits = visits.min(budget.visits);
        let usual = USUAL_COPIES + self.words / 2000;
        let is_lifted = budget.visits_per_word == u64::MAX;
        if is_lifted || self.copies <= usual || n_duos < self.words / 4 {
            return visits;
        }
        visits / (self.copies * self.copies / (usual * usual)).min(MOST_THRIFT)
    }

    /// How many visits a search may cost after so many: half as many, of a short text more.
    pub(super) fn visits_of_search(self, visits: u64, repeats: bool) -> u64 {
        match self.words <= SHORT {
            true if repeats => visits,
            true => visits.saturating_mul(8) / (self.copies / MANY_COPIES).clamp(1, 3),
            false => visits / 2,
        }
    }

    /// Whether words repeat so often that a search rarely ends.
    pub(super) fn has_many_copies(self) -> bool {
        self.copies >= MANY_COPIES + self.words / 2000
    }

    /// Whether they repeat so often that windows and other prices find nothing either.
    pub(super) fn has_very_many_copies(self) -> bool {
        self.has_many_copies() && self.copies >= VERY_MANY_COPIES
    }

    /// How many steps regions may take after so many visits.
    pub(super) fn steps_of_regions(self, visits: u64) -> u32 {
        (1_000 + self.words / 8).min(visits / 64) as u32
    }
}
