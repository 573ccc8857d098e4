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

/// Fills the adjacency masks of at most 64 duos: a duo conflicts with those in its own and the neighbouring rows and
/// columns, but for the ones on its diagonal.
pub(super) fn link(mis64: &mut Mis64, duos: &[Duo]) {
    let duos = &duos[..duos.len().min(64)];
    let (i, j) = (lines(duos, |duo| duo.i), lines(duos, |duo| duo.j));
    // A line on either side of those that hold duos stays empty.
    let (mut rows, mut columns) = ([0_u64; LINES + 2], [0_u64; LINES + 2]);
    for (d, (&i, &j)) in i.iter().zip(&j).enumerate().take(duos.len()) {
        rows[usize::from(i) + 1] |= 1 << d;
        columns[usize::from(j) + 1] |= 1 << d;
    }
    for ((&i, &j), adjacent) in i.iter().zip(&j).zip(&mut mis64.adjacent).take(duos.len()) {
        let (i, j) = (usize::from(i), usize::from(j));
        let (mut near, mut agreeing) = (0, 0);
        for (row, column) in rows[i..i + 3].iter().zip(&columns[j..j + 3]) {
            near |= row | column;
            agreeing |= row & column;
        }
        *adjacent = near & !agreeing;
    }
}

/// How many lines at most 64 duos can stand in, if of several lines without duos only one counts.
const LINES: usize = 2 * 64;

/// The line of every duo, counted from the first: neighbouring lines have neighbouring numbers, others do not.
fn lines(duos: &[Duo], line: impl Fn(&Duo) -> u32) -> [u8; 64] {
    let mut numbers = [0; 64];
    let places = duos.iter().map(&line);
    let (first, last) =
        places.fold((u32::MAX, 0), |(first, last), at| (first.min(at), last.max(at)));
    if last.saturating_sub(first) < LINES as u32 {
        for (number, duo) in numbers.iter_mut().zip(duos) {
            *number = (line(duo) - first) as u8;
        }
        return numbers;
    }
    // Lines with the duo behind: sorting these is sorting both.
    let mut order = [0_u64; 64];
    for (d, (key, duo)) in order.iter_mut().zip(duos).enumerate() {
        *key = u64::from(line(duo)) << 6 | d as u64;
    }
    let order = &mut order[..duos.len()];
    order.sort_unstable();
    let (mut before, mut number) = (order[0] >> 6, 0);
    for &mut key in order {
        number += (key >> 6).abs_diff(before).min(2) as u8;
        before = key >> 6;
        numbers[(key % 64) as usize] = number;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_link_what_conflicts() {
        let mut state = 1_u64;
        for round in 0..2000 {
            // Close together, further apart than there are lines, and in a few places far from each other.
            let span = 1 + round % (2 * LINES as u64);
            let stretch = [1, 1, 50][round as usize % 3];
            let mut below = |n: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) % n
            };
            let base = below(1000) as u32;
            let mut place = || (below(span) / 3 * 3 * stretch + below(3)) as u32;
            let mut duos: Vec<Duo> =
                (0..round % 65).map(|_| Duo { i: base + place(), j: place() }).collect();
            duos.sort_unstable();
            duos.dedup();
            let mut mis64 = Mis64::default();
            link(&mut mis64, &duos);
            for (d, &duo) in duos.iter().enumerate() {
                let others = duos.iter().enumerate().filter(|&(_, &other)| duo.conflicts(other));
                let expected = others.fold(0, |bits, (e, _)| bits | 1 << e);
                assert_eq!(mis64.adjacent[d], expected, "{duos:?}");
            }
        }
    }
}
