//! Sets of at most 64 duos, solved on machine words.
//!
//! The conflicts become masks for [`Mis64`]. Where capacities bind, the set is first solved as if
//! they did not; if the choice exceeds one, a duo that uses it is branched on.

use super::capacity::Capacities;
use super::duo::Duo;
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
    let rooms = rooms(duos, capacities);
    if rooms.is_empty() {
        let solved = mis64.solve(all, limit);
        return SmallChoice { chosen: solved.chosen, bound: solved.bound, nodes: solved.nodes };
    }
    let mut branch = Branch { mis64, rooms, limit, nodes: 0, best: 0 };
    let bound = branch.visit(all, 0);
    let (chosen, nodes) = (branch.best, branch.nodes);
    SmallChoice { chosen, bound: bound.max(chosen.count_ones()), nodes }
}

/// A capacity that a choice could exceed.
struct Room {
    left: u32,
    /// The duos that use each of its cells.
    cells: Vec<u64>,
}

impl Room {
    /// Whether the set uses more cells than there is room for.
    fn is_exceeded(&self, set: u64) -> bool {
        let used = self.cells.iter().filter(|&&users| users & set != 0).count();
        used as u32 > self.left
    }

    /// The duos that use it.
    fn users(&self) -> u64 {
        self.cells.iter().fold(0, |all, users| all | users)
    }
}

/// The capacities that at most 64 sorted duos could exceed.
fn rooms(duos: &[Duo], capacities: &Capacities) -> Vec<Room> {
    if capacities.len() == 0 {
        return Vec::new();
    }
    let mut uses: Vec<(u32, (u32, u32), u64)> = Vec::new();
    for (d, &duo) in duos.iter().enumerate().filter(|&(_, &duo)| capacities.bind(duo)) {
        for cell in [(duo.i, duo.j), (duo.i + 1, duo.j + 1)] {
            let numbers = capacities.of(cell.0, cell.1);
            uses.extend(numbers.iter().map(|&number| (number, cell, 1 << d)));
        }
    }
    uses.sort_unstable();
    let rooms = uses.chunk_by(|a, b| a.0 == b.0).map(|uses| {
        let of_cell = |uses: &[(u32, (u32, u32), u64)]| uses.iter().fold(0, |all, one| all | one.2);
        let cells: Vec<u64> = uses.chunk_by(|a, b| a.1 == b.1).map(of_cell).collect();
        Room { left: capacities.left(uses[0].0), cells }
    });
    rooms.filter(|room| room.cells.len() as u32 > room.left).collect()
}

struct Branch<'a> {
    mis64: &'a mut Mis64,
    rooms: Vec<Room>,
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
        let Some(room) = self.exceeded(solved.chosen) else {
            self.keep(solved.chosen);
            return solved.bound;
        };
        let users = solved.chosen & !forced & room.users();
        self.keep(self.trimmed(solved.chosen));
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

    /// A capacity that the conflict-free set exceeds.
    fn exceeded(&self, set: u64) -> Option<&Room> {
        self.rooms.iter().find(|room| room.is_exceeded(set))
    }

    /// As much of a set as the capacities admit.
    fn trimmed(&self, set: u64) -> u64 {
        let mut kept = set;
        while let Some(room) = self.exceeded(kept) {
            let users = kept & room.users();
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
