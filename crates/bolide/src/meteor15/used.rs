//! The hypothesis words that the states of a search have used, as sets that share their pages.
//!
//! Words are in an order in which equal ones are neighbours ([`Ranks`]), so the free positions of a word are
//! a range of a set. A set is a list of pages of bits. States with common choices share pages; a page is
//! copied when one of several owners changes it. Sums of positions are kept beside the bits, so that the
//! distance of all free positions of a word can be computed without visiting each.

use std::ops::Range;

/// The words of a hypothesis, reordered.
#[derive(Debug, Default)]
pub(super) struct Ranks {
    /// By position: the rank.
    ranks: Vec<u32>,
    /// By rank: the position.
    positions: Vec<u32>,
    /// By rank: the sum of the positions before it.
    sums: Vec<u64>,
}

impl Ranks {
    /// Orders the words by their keys, and by position if these are equal.
    pub(super) fn by_key(&mut self, keys: &[u32]) {
        self.positions.clear();
        self.positions.extend(0..keys.len() as u32);
        self.positions.sort_by_key(|&at| keys[at as usize]);
        self.complete();
    }

    /// Keeps the words in their order.
    pub(super) fn as_they_are(&mut self, n_words: usize) {
        self.positions.clear();
        self.positions.extend(0..n_words as u32);
        self.complete();
    }

    fn complete(&mut self) {
        self.ranks.clear();
        self.ranks.resize(self.positions.len(), 0);
        self.sums.clear();
        let mut sum = 0;
        for (rank, &at) in self.positions.iter().enumerate() {
            self.ranks[at as usize] = rank as u32;
            self.sums.push(sum);
            sum += u64::from(at);
        }
        self.sums.push(sum);
    }

    pub(super) fn of(&self, position: u32) -> Option<u32> {
        self.ranks.get(position as usize).copied()
    }

    /// The positions in order of rank.
    pub(super) fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// The number of words between two ranks, and the sum of their positions.
    fn all(&self, ranks: Range<u32>) -> Tally {
        let sum = self.sums[ranks.end as usize] - self.sums[ranks.start as usize];
        Tally { n: u64::from(ranks.end - ranks.start), sum }
    }
}

/// A number of words, and the sum of their positions.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    n: u64,
    sum: u64,
}

impl Tally {
    fn add(&mut self, n: u64, sum: u64) {
        self.n += n;
        self.sum += sum;
    }
}

/// 64-bit rows in a page.
const ROWS: usize = 32;
const PAGE: usize = 64 * ROWS;

#[derive(Clone, Debug)]
struct Page {
    bits: [u64; ROWS],
    /// By row: the sum of the positions of its words.
    sums: [u64; ROWS],
    all: Tally,
}

/// A set: the numbers of its pages. [`Sets::release`] must be called for it.
pub(super) type Set = Vec<u32>;

/// The pages of all sets.
#[derive(Debug, Default)]
pub(super) struct Sets {
    /// The first page is empty and has no owner.
    pages: Vec<Page>,
    owners: Vec<u32>,
    idle: Vec<u32>,
}

const EMPTY: u32 = 0;

impl Sets {
    /// Forgets all sets.
    pub(super) fn clear(&mut self) {
        self.pages.truncate(1);
        if self.pages.is_empty() {
            self.pages.push(Page { bits: [0; ROWS], sums: [0; ROWS], all: Tally::default() });
        }
        self.owners.clear();
        self.owners.push(0);
        self.idle.clear();
    }

    /// An empty set, with room for this many words.
    pub(super) fn none(&self, n_words: usize) -> Set {
        vec![EMPTY; n_words.div_ceil(PAGE)]
    }

    /// Another handle on the same set.
    pub(super) fn share(&mut self, set: &Set) -> Set {
        for &page in set {
            self.owners[page as usize] += u32::from(page != EMPTY);
        }
        set.clone()
    }

    pub(super) fn release(&mut self, set: &mut Set) {
        for page in set.drain(..).filter(|&page| page != EMPTY) {
            self.owners[page as usize] -= 1;
            if self.owners[page as usize] == 0 {
                self.idle.push(page);
            }
        }
    }

    /// Adds the word of a rank, which must not be in the set.
    pub(super) fn add(&mut self, set: &mut Set, ranks: &Ranks, rank: u32) {
        let page = &mut set[rank as usize / PAGE];
        if self.owners[*page as usize] != 1 {
            *page = self.copy(*page);
        }
        let (row, bit) = (rank as usize % PAGE / 64, rank % 64);
        let page = &mut self.pages[*page as usize];
        let position = u64::from(ranks.positions[rank as usize]);
        page.bits[row] |= 1 << bit;
        page.sums[row] += position;
        page.all.add(1, position);
    }

    /// A new page with the content of another.
    fn copy(&mut self, page: u32) -> u32 {
        let content = self.pages[page as usize].clone();
        if page != EMPTY {
            self.owners[page as usize] -= 1;
        }
        match self.idle.pop() {
            Some(idle) => {
                self.pages[idle as usize] = content;
                self.owners[idle as usize] = 1;
                idle
            }
            None => {
                self.pages.push(content);
                self.owners.push(1);
                self.pages.len() as u32 - 1
            }
        }
    }

    pub(super) fn has(&self, set: &Set, rank: u32) -> bool {
        let page = &self.pages[set[rank as usize / PAGE] as usize];
        page.bits[rank as usize % PAGE / 64] >> (rank % 64) & 1 != 0
    }

    /// The first word from a rank on that is not in the set.
    pub(super) fn next_free(&self, set: &Set, ranks: Range<u32>) -> Option<u32> {
        let mut at = ranks.start;
        while at < ranks.end {
            let page = &self.pages[set[at as usize / PAGE] as usize];
            if at.is_multiple_of(PAGE as u32) && page.all.n == PAGE as u64 {
                at += PAGE as u32;
                continue;
            }
            let free = !page.bits[at as usize % PAGE / 64] & (u64::MAX << (at % 64));
            let row = at / 64 * 64;
            if free != 0 {
                let found = row + free.trailing_zeros();
                return (found < ranks.end).then_some(found);
            }
            at = row + 64;
        }
        None
    }

    /// The words of a set within a range of ranks.
    fn tally(&self, set: &Set, ranks: &Ranks, range: Range<u32>) -> Tally {
        let mut tally = Tally::default();
        let mut at = range.start;
        while at < range.end {
            let left = range.end - at;
            let page = &self.pages[set[at as usize / PAGE] as usize];
            if at.is_multiple_of(PAGE as u32) && left >= PAGE as u32 {
                tally.add(page.all.n, page.all.sum);
                at += PAGE as u32;
                continue;
            }
            let row = at as usize % PAGE / 64;
            let mut bits = page.bits[row];
            if at.is_multiple_of(64) && left >= 64 {
                tally.add(u64::from(bits.count_ones()), page.sums[row]);
                at += 64;
                continue;
            }
            let n = left.min(64 - at % 64);
            bits &= (u64::MAX >> (64 - n)) << (at % 64);
            while bits != 0 {
                let rank = at / 64 * 64 + bits.trailing_zeros();
                tally.add(1, u64::from(ranks.positions[rank as usize]));
                bits &= bits - 1;
            }
            at += n;
        }
        tally
    }
}

/// The positions of one word, seen from a position of the reference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    /// The first of them that is not before the position.
    crossing: u32,
    pub(super) position: u32,
}

impl Places {
    pub(super) fn new(ranks: &Ranks, range: Range<u32>, position: u32) -> Self {
        let places = &ranks.positions[range.start as usize..range.end as usize];
        let crossing = range.start + places.partition_point(|&at| at < position) as u32;
        Places { crossing, position }
    }

    /// The sum of the distances, given the positions before the reference position and those after it.
    fn distance(&self, before: Tally, behind: Tally) -> u64 {
        let position = u64::from(self.position);
        (position * before.n - before.sum) + (behind.sum - position * behind.n)
    }

    /// The two parts of a range of ranks.
    fn split(&self, range: Range<u32>) -> [Range<u32>; 2] {
        let middle = self.crossing.clamp(range.start, range.end);
        [range.start..middle, middle..range.end]
    }

    /// The sum of the distances of all places in a range.
    pub(super) fn all(&self, ranks: &Ranks, range: Range<u32>) -> u64 {
        let [before, behind] = self.split(range).map(|part| ranks.all(part));
        self.distance(before, behind)
    }

    /// The sum of the distances of those that are not in a set.
    pub(super) fn free(&self, sets: &Sets, set: &Set, ranks: &Ranks, range: Range<u32>) -> u64 {
        let [before, behind] = self.split(range.clone()).map(|part| sets.tally(set, ranks, part));
        self.all(ranks, range) - self.distance(before, behind)
    }

    /// The first rank before which the free positions of a range exceed a distance; the end if there is none.
    pub(super) fn seek(
        &self,
        sets: &Sets,
        set: &Set,
        ranks: &Ranks,
        range: Range<u32>,
        mut distance: u64,
    ) -> u32 {
        let mut at = range.start;
        // By pages first, then by rows, then by words.
        for step in [PAGE as u32, 64, 1] {
            while at < range.end {
                let to = range.end.min((at / step + 1) * step);
                let here = self.free(sets, set, ranks, at..to);
                if here > distance {
                    break;
                }
                distance -= here;
                at = to;
            }
        }
        range.end.min(at + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bolide_testdata::random::Random;

    #[test]
    fn distances_of_free_places_are_those_of_the_definition() {
        let mut random = Random(5);
        let mut below = |n: u32| random.below(n as usize) as u32;
        for round in 0..40 {
            let n = 1 + below(if round % 4 == 0 { 5_000 } else { 300 });
            let n_keys = 1 + below(4);
            let keys: Vec<u32> = (0..n).map(|_| below(n_keys)).collect();
            let mut ranks = Ranks::default();
            ranks.by_key(&keys);
            let mut sets = Sets::default();
            sets.clear();
            let (mut set, mut used) = (sets.none(n as usize), vec![false; n as usize]);
            for _ in 0..below(n) {
                let rank = below(n);
                // The other owner's set is unchanged.
                let mut other = sets.share(&set);
                if !sets.has(&set, rank) {
                    sets.add(&mut set, &ranks, rank);
                    used[rank as usize] = true;
                    assert!(!sets.has(&other, rank));
                }
                sets.release(&mut other);
            }
            assert!(sets.pages.len() <= 2 * set.len() + 1);
            for _ in 0..20 {
                let first = below(n);
                let end = first + below(n - first + 1);
                let key = |rank: u32| keys[ranks.positions[rank as usize] as usize];
                let end = (first..end).find(|&rank| key(rank) != key(first)).unwrap_or(end);
                let position = below(n);
                let places = Places::new(&ranks, first..end, position);
                let free = || (first..end).filter(|&rank| !used[rank as usize]);
                let distance =
                    |rank: u32| u64::from(ranks.positions[rank as usize].abs_diff(position));
                let total: u64 = free().map(distance).sum();
                assert_eq!(places.free(&sets, &set, &ranks, first..end), total);
                assert_eq!(sets.next_free(&set, first..end), free().next());
                let limit = u64::from(below(1 + total as u32));
                let mut sum = 0;
                let expected = (first..end).find(|&rank| {
                    sum += if used[rank as usize] { 0 } else { distance(rank) };
                    sum > limit
                });
                let found = places.seek(&sets, &set, &ranks, first..end, limit);
                assert_eq!(found, expected.map_or(end, |rank| rank + 1));
            }
        }
    }
}
