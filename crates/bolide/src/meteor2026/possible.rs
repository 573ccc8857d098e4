//! The matches that are possible between different words, as far as there is room for them.
//!
//! In lists of codes nearly every word can be near every other, and their pairs grow as n². Only the first [`MOST`] are kept: those
//! that earn more, and of equal ones those whose places in the two texts are closer. All pairs of the last rank are left out if not all
//! have room, so what is kept does not depend on the order in which it is found.

use super::stages::Stage;

/// So many matches are kept. Texts with up to 2,000 different words that are not matched exactly never have more.
pub(super) const MOST: usize = 4_000_000;

/// A possible match of a word of the hypothesis with one of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Possible {
    pub h: u32,
    pub r: u32,
    pub stage: Stage,
}

/// Possible matches with their ranks while they are found, sorted by their words afterwards.
pub(super) struct Possibles {
    list: Vec<(Possible, u32)>,
    /// How many words both sides have.
    sizes: (u64, u64),
    /// There is no room for lower ranks than this.
    least: u32,
    pub most: usize,
}

impl Default for Possibles {
    fn default() -> Self {
        Possibles { list: Vec::new(), sizes: (0, 0), least: 0, most: MOST }
    }
}

impl Possibles {
    /// Forgets all matches.
    pub fn clear(&mut self) {
        self.list.clear();
        self.least = 0;
    }

    /// Begins a list for two texts with so many different words that could match.
    pub fn begin(&mut self, n_hypothesis: usize, n_reference: usize) {
        self.clear();
        self.sizes = (n_hypothesis as u64, n_reference as u64);
    }

    /// Adds a match of two words in these places of their sides' lists, which earns so many hundredths.
    #[inline]
    pub fn add(&mut self, possible: Possible, places: (u32, u32), credit: u32) {
        let rank = self.rank(places, credit);
        if rank >= self.least {
            self.list.push((possible, rank));
            if self.list.len() > self.most + self.most / 4 {
                self.make_room();
            }
        }
    }

    /// The higher, the earlier a match is kept.
    fn rank(&self, (h, r): (u32, u32), credit: u32) -> u32 {
        const SCALE: u64 = 0xfff;
        let (n_h, n_r) = self.sizes;
        let apart = (u64::from(h) * n_r).abs_diff(u64::from(r) * n_h);
        let close = SCALE - (SCALE * apart).checked_div(n_h * n_r).unwrap_or(0);
        credit << 12 | close as u32
    }

    fn make_room(&mut self) {
        if self.list.len() <= self.most {
            return;
        }
        let last = self.list.iter().map(|&(_, rank)| rank).max().unwrap_or(0);
        let mut counts = vec![0; last as usize + 1];
        self.list.iter().for_each(|&(_, rank)| counts[rank as usize] += 1);
        // The highest ranks that have room together.
        let mut room = self.most;
        let mut has_room = |count: &usize| match room.checked_sub(*count) {
            Some(left) => {
                room = left;
                true
            }
            None => false,
        };
        let n_ranks = counts.iter().rev().take_while(|count| has_room(count)).count();
        self.least = last + 1 - n_ranks as u32;
        self.list.retain(|&(_, rank)| rank >= self.least);
    }

    /// Sorts the matches. Of several between two words the one with the least key stays.
    pub fn finish<K: Ord>(&mut self, key: impl Fn(Stage) -> K) {
        self.make_room();
        self.list.sort_unstable_by_key(|&(Possible { h, r, stage }, _)| (h, r, key(stage)));
        self.list.dedup_by_key(|&mut (Possible { h, r, .. }, _)| (h, r));
    }

    /// Whether there was room for all.
    pub fn is_complete(&self) -> bool {
        self.least == 0
    }

    /// The matches, by their words.
    pub fn iter(&self) -> impl Iterator<Item = &Possible> {
        self.list.iter().map(|(possible, _)| possible)
    }

    /// The stage of a match.
    pub fn stage(&self, hypothesis: u32, reference: u32) -> Option<Stage> {
        let words = |&(Possible { h, r, .. }, _): &(Possible, u32)| (h, r);
        let at = self.list.binary_search_by_key(&(hypothesis, reference), words).ok()?;
        Some(self.list[at].0.stage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bolide_testdata::random::Random;

    /// All pairs of so many words, each with a credit.
    fn all(random: &mut Random, n_hypothesis: u32, n_reference: u32) -> Vec<(Possible, u32)> {
        let pairs = (0..n_hypothesis).flat_map(|h| (0..n_reference).map(move |r| (h, r)));
        let mut credit = || 50 + random.below(3) as u32;
        pairs.map(|(h, r)| (Possible { h, r, stage: Stage::Near }, credit())).collect()
    }

    fn kept(most: usize, sizes: (usize, usize), given: &[(Possible, u32)]) -> Possibles {
        let mut possibles = Possibles { most, ..Possibles::default() };
        possibles.begin(sizes.0, sizes.1);
        for &(possible, credit) in given {
            possibles.add(possible, (possible.h, possible.r), credit);
        }
        possibles.finish(|stage| stage);
        possibles
    }

    #[test]
    fn what_earns_most_is_kept_in_whatever_order_it_comes() {
        let mut random = Random(4);
        for round in 0..40 {
            let (n_h, n_r) = (30 + round, 70 - round);
            let mut given = all(&mut random, n_h, n_r);
            let most = 100 + 40 * round as usize;
            let sizes = (n_h as usize, n_r as usize);
            let first = kept(most, sizes, &given);
            assert!(first.list.len() <= most && first.list.len() > most - 60);
            assert_eq!(first.is_complete(), most >= given.len());
            let list: Vec<Possible> = first.iter().copied().collect();
            let credits = |wanted: bool| {
                let is_kept = |(possible, _): &&(Possible, u32)| list.contains(possible) == wanted;
                given.iter().filter(is_kept).map(|&(_, credit)| credit).collect::<Vec<u32>>()
            };
            assert!(credits(true).iter().min() >= credits(false).iter().max());

            for at in (1..given.len()).rev() {
                given.swap(at, random.below(at + 1));
            }
            assert_eq!(kept(most, sizes, &given).list, first.list);
            // With the sides exchanged, the same pairs.
            let turn = |&(Possible { h, r, stage }, credit): &(Possible, u32)| {
                (Possible { h: r, r: h, stage }, credit)
            };
            let turned: Vec<_> = given.iter().map(turn).collect();
            let turned = kept(most, (sizes.1, sizes.0), &turned);
            let mut back: Vec<(u32, u32)> = turned.iter().map(|pair| (pair.r, pair.h)).collect();
            back.sort_unstable();
            assert_eq!(back, list.iter().map(|pair| (pair.h, pair.r)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn matches_of_one_rank_are_kept_or_left_out_together() {
        // Room is made when more than ten have come. Then those that are apart by one place fit, but not one more.
        let apart = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 1];
        let mut possibles = Possibles { most: 8, ..Possibles::default() };
        possibles.begin(4095, 1);
        for (h, place) in (0..).zip(apart) {
            possibles.add(Possible { h, r: 0, stage: Stage::Near }, (place, 0), 80);
        }
        possibles.finish(|stage| stage);
        assert_eq!(possibles.iter().map(|possible| possible.h).collect::<Vec<u32>>(), [0, 1, 2, 3]);
        assert!(!possibles.is_complete());
    }

    #[test]
    fn a_match_with_room_for_all_keeps_the_better_stage() {
        let mut possibles = Possibles::default();
        possibles.begin(1, 1);
        for stage in [Stage::Near, Stage::Synonym] {
            possibles.add(Possible { h: 7, r: 9, stage }, (0, 0), 80);
        }
        possibles.finish(|stage| stage);
        assert_eq!(possibles.stage(7, 9), Some(Stage::Synonym));
        assert_eq!((possibles.stage(9, 7), possibles.is_complete()), (None, true));
    }
}
