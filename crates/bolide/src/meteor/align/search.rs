//! The largest conflict-free set of any number of duos, proven when the budget allows.
//!
//! Reduce, split into components, solve small ones on machine words; for a large one get a bound
//! and prices from the relaxation, then ask for a set as large as the bound: duos that no such
//! set can contain are filtered out and the rest is solved the same way. When the filter does
//! not help, branch on one duo. Whatever stops the search, the returned bound is valid.

use super::capacity::Capacities;
use super::duo::{Duo, Grid, WordMap};
use super::lagrange::Relaxation;
use super::mis64::Mis64;
use super::reduce::reduce;
use super::small;

/// Sets up to this size are reduced before they are priced.
const REDUCED: usize = 400;

/// Larger sets are narrowed while they are priced.
const NARROWED: usize = 200;

/// What a node of [`Mis64`] costs, in visits.
const NODE: u64 = 4;

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
    /// What the stage counts leave room for.
    pub(super) capacities: &'a mut Capacities,
    /// Prices of reference words and capacities, carried from larger to smaller problems.
    pub(super) prices: &'a mut Vec<i32>,
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
        let mut grid = Grid::new(duos, self.capacities);
        // Reductions pay on what a filter has left; on a large problem prices come first.
        if count > REDUCED {
            return self.components(grid, Vec::new(), target, depth);
        }
        let share = (400 * count as u64).min(self.visits);
        let mut left = share;
        let reduced = reduce(&grid, &mut left);
        self.visits -= share - left;
        if reduced.rest.is_empty() {
            let bound = reduced.taken.len();
            return Found { chosen: reduced.taken, bound };
        }
        if reduced.rest.len() < count {
            grid = Grid::new(reduced.rest, self.capacities);
        }
        self.components(grid, reduced.taken, target, depth)
    }

    /// Solves the components one by one; `chosen` belongs to the solution already.
    fn components(&mut self, grid: Grid, mut chosen: Vec<Duo>, target: usize, depth: u32) -> Found {
        let mut components = grid.components(self.capacities);
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
            let grid = Grid::new(component, self.capacities);
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
        if count == 1 && grid.bound.is_empty() {
            return Found { chosen: grid.duos, bound: 1 };
        }
        if count <= self.small.min(64) {
            return self.small(&grid.duos);
        }
        let greedy = self.start(&grid);
        let mut relaxation = Relaxation::new(&grid, self.capacities, self.prices, greedy);
        if count > NARROWED
            && let Some(found) = self.narrow(&mut relaxation, count, target, depth)
        {
            return found;
        }
        let limits = (&mut *self.map, &*self.capacities);
        relaxation.improve(target, 100, limits, &mut self.visits);
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

    /// Improves the bound by and by, and searches among the duos that a larger set could contain as
    /// soon as these are markedly fewer. Nothing if they never are.
    fn narrow(
        &mut self,
        relaxation: &mut Relaxation<'_>,
        count: usize,
        target: usize,
        depth: u32,
    ) -> Option<Found> {
        for _ in 0..24 {
            let limits = (&mut *self.map, &*self.capacities);
            let moves = relaxation.improve(target, 16, limits, &mut self.visits);
            let known = relaxation.chosen.len().max(target);
            if relaxation.bound() <= known || self.visits == 0 {
                break;
            }
            let kept = relaxation.filter(known + 1, &mut self.visits);
            if kept.len() * 3 <= count * 2 {
                relaxation.save(self.prices);
                let mut chosen = std::mem::take(&mut relaxation.chosen);
                self.remember(&chosen);
                let found = self.solve(kept, known, depth + 1);
                let bound = found.bound.max(known).min(relaxation.bound());
                if found.chosen.len() > chosen.len() {
                    chosen = found.chosen;
                }
                return Some(Found { bound: bound.max(chosen.len()), chosen });
            }
            if !moves {
                break;
            }
        }
        None
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
        let goal = chosen.len().max(target);
        let mut most = 0;
        if self.capacities.admit(pivot) {
            let paid = self.capacities.pay(pivot);
            let fits = |duo: &&Duo| **duo != pivot && !duo.conflicts(pivot);
            let admitted = |duo: &&Duo| self.capacities.admit(**duo);
            let compatible: Vec<Duo> =
                grid.duos.iter().filter(fits).filter(admitted).copied().collect();
            let mut with = self.solve(compatible, goal.saturating_sub(1), depth + 1);
            self.capacities.refund(paid);
            with.chosen.push(pivot);
            most = with.bound + 1;
            if with.chosen.len() > chosen.len() {
                *chosen = with.chosen;
            }
        }
        relaxation.save(self.prices);
        let others: Vec<Duo> = grid.duos.iter().copied().filter(|&duo| duo != pivot).collect();
        let without = self.solve(others, chosen.len().max(target), depth + 1);
        if without.chosen.len() > chosen.len() {
            *chosen = without.chosen;
        }
        without.bound.max(most)
    }

    /// Solves at most 64 duos on machine words.
    pub(super) fn small(&mut self, duos: &[Duo]) -> Found {
        let limit = self.nodes.min(self.visits / NODE);
        let solved = small::solve(self.mis64, duos, self.capacities, limit);
        self.nodes = self.nodes.saturating_sub(solved.nodes);
        self.visits = self.visits.saturating_sub(NODE * solved.nodes);
        self.nodes_used += solved.nodes;
        let chosen =
            (0..duos.len()).filter(|&d| solved.chosen >> d & 1 == 1).map(|d| duos[d]).collect();
        Found { chosen, bound: solved.bound as usize }
    }

    /// Stores a set as the place where smaller problems begin.
    pub(super) fn remember(&mut self, chosen: &[Duo]) {
        for duo in chosen {
            for step in 0..2 {
                self.hint[(duo.i + step) as usize] = duo.j + step;
            }
        }
    }

    /// A first set: the longest runs, or what a larger problem chose here, completed.
    fn start(&mut self, grid: &Grid) -> Vec<Duo> {
        let greedy = grid.longest_runs(self.map, self.capacities);
        let hint = &*self.hint;
        let hinted =
            |duo: &Duo| hint[duo.i as usize] == duo.j && hint[duo.i as usize + 1] == duo.j + 1;
        let mut chosen = Vec::new();
        for &duo in grid.duos.iter().filter(|duo| hinted(duo)).chain(&grid.duos) {
            if self.map.allows(duo, self.capacities) {
                chosen.push(duo);
                self.map.take(duo, self.capacities);
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
            if self.map.allows(duo, self.capacities) {
                self.map.take(duo, self.capacities);
                chosen.push(duo);
            }
        }
        self.map.clear();
        Found { chosen, bound }
    }
}

/// Each row and each column gives at most one duo.
fn ceiling(duos: &[Duo]) -> usize {
    let rows = duos.chunk_by(|a, b| a.i == b.i).count();
    let mut columns: Vec<u32> = duos.iter().map(|duo| duo.j).collect();
    columns.sort_unstable();
    columns.dedup();
    rows.min(columns.len())
}
