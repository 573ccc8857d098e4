//! Sets of at most 64 duos, solved on machine words.
//!
//! The conflicts become masks for [`Mis64`]. Where capacities bind, the set is first solved as if
//! they did not; if the choice exceeds one, a duo that uses it is branched on.

use super::capacity::Capacities;
use super::duo::{Duo, NONE};
use super::mis64::Mis64;

/// A choice among at most 64 duos: a mask, and a bound on the size of any.
pub(super) struct SmallChoice {
    pub(super) chosen: u64,
    pub(super) bound: u32,
    pub(super) nodes: u64,
}

/// Solves at most 64 duos within the capacities, spending at most `limit` nodes.
pub(super) fn solve(
    mis64: &mut Mis64,
    duos: &[Duo],
    capacities: &Capacities,
    limit: u64,
) -> SmallChoice {
    let duos = &duos[..duos.len().min(64)];
    link(mis64, duos);
    let all = if duos.len() == 64 { u64::MAX } else { (1u64 << duos.len()) - 1 };
    if capacities.len() == 0 {
        let solved = mis64.solve(all, limit);
        return SmallChoice { chosen: solved.chosen, bound: solved.bound, nodes: solved.nodes };
    }
    let mut branch = Branch { mis64, duos, capacities, limit, nodes: 0, best: 0 };
    let bound = branch.visit(all, 0);
    let (chosen, nodes) = (branch.best, branch.nodes);
    SmallChoice { chosen, bound: bound.max(chosen.count_ones()), nodes }
}

struct Branch<'a> {
    mis64: &'a mut Mis64,
    duos: &'a [Duo],
    capacities: &'a Capacities,
    limit: u64,
    nodes: u64,
    best: u64,
}

impl Branch<'_> {
    /// Solves what is `open`, which holds the `forced` duos and nothing in conflict with them.
    /// Returns a bound on every choice that has them.
    fn visit(&mut self, open: u64, forced: u64) -> u32 {
        if self.exceeded(forced).is_some() {
            return 0;
        }
        let solved = self.mis64.solve(open, self.limit.saturating_sub(self.nodes));
        self.nodes += 1 + solved.nodes;
        if solved.bound <= self.best.count_ones() {
            return solved.bound;
        }
        let Some(capacity) = self.exceeded(solved.chosen) else {
            self.keep(solved.chosen);
            return solved.bound;
        };
        self.keep(self.trimmed(solved.chosen));
        let users = solved.chosen & !forced & self.users(capacity);
        if users == 0 || self.nodes >= self.limit {
            return solved.bound;
        }
        let pivot = users.trailing_zeros() as usize;
        let bit = 1u64 << pivot;
        let without = self.visit(open & !bit, forced);
        let with = self.visit(open & !self.mis64.adjacent[pivot], forced | bit);
        without.max(with)
    }

    fn keep(&mut self, chosen: u64) {
        if chosen.count_ones() > self.best.count_ones() {
            self.best = chosen;
        }
    }

    fn each(&self, mut set: u64) -> impl Iterator<Item = (usize, Duo)> {
        let duos = self.duos;
        std::iter::from_fn(move || {
            let at = (set != 0).then(|| set.trailing_zeros() as usize)?;
            set &= set - 1;
            Some((at, duos[at]))
        })
    }

    /// A capacity that the conflict-free set exceeds.
    fn exceeded(&self, set: u64) -> Option<u32> {
        let mut spent = vec![0u32; self.capacities.len()];
        let mut last = (NONE, NONE);
        for (_, duo) in self.each(set).filter(|&(_, duo)| self.capacities.bind(duo)) {
            for step in 0..2 {
                let cell = (duo.i + step, duo.j + step);
                // Sorted duos that share a match follow one another.
                if cell != last {
                    for &number in self.capacities.of(cell.0, cell.1) {
                        spent[number as usize] += 1;
                    }
                }
                last = cell;
            }
        }
        (0..self.capacities.len() as u32)
            .find(|&number| spent[number as usize] > self.capacities.left(number))
    }

    /// The duos that use a capacity.
    fn users(&self, capacity: u32) -> u64 {
        let uses = |duo: Duo| {
            (0..2).any(|step| self.capacities.of(duo.i + step, duo.j + step).contains(&capacity))
        };
        self.each(u64::MAX >> (64 - self.duos.len()))
            .filter(|&(_, duo)| uses(duo))
            .fold(0, |bits, (at, _)| bits | 1 << at)
    }

    /// As much of a set as the capacities admit.
    fn trimmed(&self, set: u64) -> u64 {
        let mut kept = set;
        while let Some(capacity) = self.exceeded(kept) {
            let users = kept & self.users(capacity);
            kept &= !(1u64 << (63 - users.leading_zeros().min(63)));
        }
        kept
    }
}

/// Fills the adjacency masks of at most 64 duos.
pub(super) fn link(mis64: &mut Mis64, duos: &[Duo]) {
    let duos = &duos[..duos.len().min(64)];
    if link_by_lines(mis64, duos) {
        return;
    }
    mis64.adjacent[..duos.len()].fill(0);
    for (d, &duo) in duos.iter().enumerate() {
        for (e, &other) in duos.iter().enumerate().skip(d + 1) {
            if duo.conflicts(other) {
                mis64.adjacent[d] |= 1 << e;
                mis64.adjacent[e] |= 1 << d;
            }
        }
    }
}

/// The same without looking at every two duos, if they stand within [`LINES`] rows and columns: a duo
/// conflicts with those in its own and the neighbouring rows and columns, but for the ones on its
/// diagonal. Says whether they do.
fn link_by_lines(mis64: &mut Mis64, duos: &[Duo]) -> bool {
    let (mut first, mut last) = ((u32::MAX, u32::MAX), (0, 0));
    for &Duo { i, j } in duos {
        first = (first.0.min(i), first.1.min(j));
        last = (last.0.max(i), last.1.max(j));
    }
    let span = last.0.saturating_sub(first.0).max(last.1.saturating_sub(first.1));
    if span as usize >= LINES {
        return false;
    }
    // A line on either side of those that hold duos stays empty.
    let (mut rows, mut columns) = ([0_u64; LINES + 2], [0_u64; LINES + 2]);
    let place = |duo: &Duo| ((duo.i - first.0) as usize, (duo.j - first.1) as usize);
    for (d, duo) in duos.iter().enumerate() {
        let (i, j) = place(duo);
        rows[i + 1] |= 1 << d;
        columns[j + 1] |= 1 << d;
    }
    for (duo, adjacent) in duos.iter().zip(mis64.adjacent.iter_mut()) {
        let (i, j) = place(duo);
        let (mut near, mut agreeing) = (0, 0);
        for (row, column) in rows[i..i + 3].iter().zip(&columns[j..j + 3]) {
            near |= row | column;
            agreeing |= row & column;
        }
        *adjacent = near & !agreeing;
    }
    true
}

/// How many rows, and how many columns, [`link_by_lines`] has room for.
const LINES: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_link_what_conflicts() {
        let mut state = 1_u64;
        for round in 0..600 {
            let span = 1 + round % LINES as u64;
            let mut below = |n: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) % n
            };
            let base = below(1000) as u32;
            let mut duos: Vec<Duo> = (0..below(65))
                .map(|_| Duo { i: base + below(span) as u32, j: below(span) as u32 })
                .collect();
            duos.sort_unstable();
            duos.dedup();
            let mut mis64 = Mis64::default();
            assert!(link_by_lines(&mut mis64, &duos));
            for (d, &duo) in duos.iter().enumerate() {
                let others = duos.iter().enumerate().filter(|&(_, &other)| duo.conflicts(other));
                let expected = others.fold(0, |bits, (e, _)| bits | 1 << e);
                assert_eq!(mis64.adjacent[d], expected, "{duos:?}");
            }
        }
        // Two duos that are further apart than there are lines are compared with each other.
        let apart = [Duo { i: 0, j: 5 }, Duo { i: LINES as u32, j: 5 }];
        let mut mis64 = Mis64::default();
        assert!(!link_by_lines(&mut mis64, &apart));
        link(&mut mis64, &apart);
        assert_eq!(mis64.adjacent[..2], [0b10, 0b01]);
    }
}
