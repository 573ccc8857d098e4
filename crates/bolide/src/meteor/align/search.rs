//! The largest conflict-free set of any number of duos, proven when the budget allows.
//!
//! Reduce, split into components, solve small ones on machine words; for a large one get a bound
//! and prices from the relaxation, then ask for a set as large as the bound: duos that no such
//! set can contain are filtered out and the rest is solved the same way. When the filter does
//! not help, branch on one duo. Whatever stops the search, the returned bound is valid.

use super::duo::{Duo, Grid, WordMap};
use super::lagrange::Relaxation;
use super::mis64::Mis64;
use super::reduce::reduce;

/// A search with its remaining budget.
pub(super) struct Search<'a> {
    /// Sets up to this size go to [`Mis64`]; at most 64. Tests lower it to force the long way.
    pub(super) small: usize,
    /// Nodes left for [`Mis64`] and for branching.
    pub(super) nodes: u64,
    /// Nodes used so far.
    pub(super) nodes_used: u64,
    /// Duo visits left.
    pub(super) visits: u64,
    /// Levels of recursion allowed.
    pub(super) depth: u32,
    /// Prices per reference word, carried from larger to smaller problems.
    pub(super) prices: &'a mut Vec<i64>,
    /// The partner of every hypothesis word in the last large set found.
    pub(super) hint: &'a mut Vec<u32>,
    pub(super) map: &'a mut WordMap,
    pub(super) mis64: &'a mut Mis64,
}

/// A conflict-free set and an upper bound on the size of any.
pub(super) struct Found {
    pub(super) chosen: Vec<Duo>,
    pub(super) bound: usize,
}

impl Search<'_> {
    /// Solves a sorted set of duos. A caller that already has a set of `target` duos is not
    /// interested once the bound has fallen to that; the set returned may then be incomplete.
    pub(super) fn solve(&mut self, duos: Vec<Duo>, target: usize, depth: u32) -> Found {
        let cost = 8 * duos.len() as u64;
        if self.visits < cost || depth > self.depth {
            self.visits = self.visits.saturating_sub(cost);
            return self.give_up(duos);
        }
        self.visits -= cost;
        self.nodes_used += 1;
        let count = duos.len();
        let mut grid = Grid::new(duos);
        // Reductions pay on what a filter has left; on a large first problem prices come first.
        let effort = if count > 5_000 { 50 } else { 400 };
        let share = (effort * count as u64).min(self.visits);
        let mut left = share;
        let reduced = reduce(&grid, &mut left);
        self.visits -= share - left;
        let mut chosen = reduced.taken;
        if reduced.rest.is_empty() {
            let bound = chosen.len();
            return Found { chosen, bound };
        }
        if reduced.rest.len() < count {
            grid = Grid::new(reduced.rest);
        }
        let mut components = grid.components();
        if components.len() == 1 {
            let taken = chosen.len();
            let found = self.component(grid, target.saturating_sub(taken), depth);
            chosen.extend(found.chosen);
            return Found { chosen, bound: found.bound + taken };
        }
        // Small components first: they are cheap and lower the bound for the others.
        components.sort_by_key(Vec::len);
        let ceilings: Vec<usize> = components.iter().map(|c| ceiling(c)).collect();
        let mut bound = chosen.len() + ceilings.iter().sum::<usize>();
        for (component, ceiling) in components.into_iter().zip(ceilings) {
            let others = bound - ceiling;
            let grid = Grid::new(component);
            let found = self.component(grid, target.saturating_sub(others), depth);
            chosen.extend(found.chosen);
            bound = others + found.bound.min(ceiling);
            if bound <= target {
                break;
            }
        }
        Found { chosen, bound }
    }

    /// Solves one connected component.
    fn component(&mut self, grid: Grid, target: usize, depth: u32) -> Found {
        let count = grid.duos.len();
        if count == 1 {
            return Found { chosen: grid.duos, bound: 1 };
        }
        if count <= self.small.min(64) {
            return self.small(&grid.duos);
        }
        let greedy = self.start(&grid);
        let mut relaxation = Relaxation::new(&grid, self.prices, greedy);
        let steps = if depth == 0 { 800 } else { 100 };
        relaxation.improve(target, steps, self.map, &mut self.visits);
        relaxation.save(self.prices);
        let mut bound = relaxation.bound().max(relaxation.chosen.len());
        let mut chosen = std::mem::take(&mut relaxation.chosen);
        self.remember(&chosen);
        while bound > chosen.len().max(target) && self.visits > 0 {
            let keep = relaxation.filter(bound, &mut self.visits);
            if keep.len() * 10 <= count * 9 {
                let found = self.solve(keep, bound - 1, depth + 1);
                if found.chosen.len() > chosen.len() {
                    chosen = found.chosen;
                }
                if found.bound >= bound {
                    // Either a set of the full size was found, or the budget ended.
                    break;
                }
                bound -= 1;
            } else {
                bound = bound.min(self.branch(&grid, &relaxation, &mut chosen, target, depth));
                break;
            }
        }
        let bound = bound.max(chosen.len());
        Found { chosen, bound }
    }

    /// Solves with and without one duo; returns the bound over both and improves `chosen`.
    fn branch(
        &mut self,
        grid: &Grid,
        relaxation: &Relaxation<'_>,
        chosen: &mut Vec<Duo>,
        target: usize,
        depth: u32,
    ) -> usize {
        let Some(pivot) = relaxation.most_undecided() else {
            return 0;
        };
        if self.nodes == 0 {
            return usize::MAX;
        }
        self.nodes -= 1;
        let compatible: Vec<Duo> = grid
            .duos
            .iter()
            .copied()
            .filter(|&duo| duo != pivot && !duo.conflicts(pivot))
            .collect();
        let goal = chosen.len().max(target);
        let mut with = self.solve(compatible, goal.saturating_sub(1), depth + 1);
        with.chosen.push(pivot);
        if with.chosen.len() > chosen.len() {
            *chosen = with.chosen;
        }
        relaxation.save(self.prices);
        let others: Vec<Duo> = grid.duos.iter().copied().filter(|&duo| duo != pivot).collect();
        let without = self.solve(others, chosen.len().max(target), depth + 1);
        if without.chosen.len() > chosen.len() {
            *chosen = without.chosen;
        }
        without.bound.max(with.bound + 1)
    }

    /// Solves at most 64 duos on machine words.
    pub(super) fn small(&mut self, duos: &[Duo]) -> Found {
        link(self.mis64, duos);
        let all = if duos.len() == 64 { u64::MAX } else { (1u64 << duos.len()) - 1 };
        let solved = self.mis64.solve(all, self.nodes);
        self.nodes = self.nodes.saturating_sub(solved.nodes);
        self.nodes_used += solved.nodes;
        let chosen =
            (0..duos.len()).filter(|&d| solved.chosen >> d & 1 == 1).map(|d| duos[d]).collect();
        Found { chosen, bound: solved.bound as usize }
    }

    /// Stores a set as the place where smaller problems begin.
    fn remember(&mut self, chosen: &[Duo]) {
        for duo in chosen {
            for step in 0..2 {
                self.hint[(duo.i + step) as usize] = duo.j + step;
            }
        }
    }

    /// A first set: the longest runs, or what a larger problem chose here, completed.
    fn start(&mut self, grid: &Grid) -> Vec<Duo> {
        let greedy = grid.longest_runs(self.map);
        let hint = &*self.hint;
        let hinted =
            |duo: &Duo| hint[duo.i as usize] == duo.j && hint[duo.i as usize + 1] == duo.j + 1;
        let mut chosen = Vec::new();
        for &duo in grid.duos.iter().filter(|duo| hinted(duo)).chain(&grid.duos) {
            if self.map.allows(duo) {
                chosen.push(duo);
                self.map.take(duo);
            }
        }
        self.map.clear();
        // Hinted duos come by twice, since a taken duo allows itself.
        chosen.sort_unstable();
        chosen.dedup();
        if chosen.len() > greedy.len() { chosen } else { greedy }
    }

    fn give_up(&mut self, duos: Vec<Duo>) -> Found {
        let bound = ceiling(&duos);
        let mut chosen = Vec::new();
        for duo in duos {
            if self.map.allows(duo) {
                self.map.take(duo);
                chosen.push(duo);
            }
        }
        self.map.clear();
        Found { chosen, bound }
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

/// Each row and each column gives at most one duo.
fn ceiling(duos: &[Duo]) -> usize {
    let rows = duos.chunk_by(|a, b| a.i == b.i).count();
    let mut columns: Vec<u32> = duos.iter().map(|duo| duo.j).collect();
    columns.sort_unstable();
    columns.dedup();
    rows.min(columns.len())
}

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
