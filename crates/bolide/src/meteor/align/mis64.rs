//! The largest conflict-free set among at most 64 duos, on machine words.
//!
//! Vertices whose neighbours all conflict with each other are taken without branching; the rest
//! is branch and bound under a greedy clique cover. Which duos conflict is the caller's business:
//! this module sees a graph of adjacency masks.

/// A graph on at most 64 vertices and the state of a search on it.
pub(super) struct Mis64 {
    /// `adjacent[v]` has bit `u` set when `u` and `v` cannot both be taken.
    pub(super) adjacent: [u64; 64],
    best: u64,
    best_count: u32,
    nodes: u64,
    limit: u64,
    exhausted: bool,
}

/// What [`Mis64::solve`] found.
pub(super) struct Solved {
    /// The chosen vertices.
    pub(super) chosen: u64,
    /// No conflict-free set has more vertices than this; equal to the number chosen unless the
    /// search ran out of nodes.
    pub(super) bound: u32,
    /// Search nodes used.
    pub(super) nodes: u64,
}

impl Default for Mis64 {
    fn default() -> Self {
        Mis64 { adjacent: [0; 64], best: 0, best_count: 0, nodes: 0, limit: 0, exhausted: false }
    }
}

impl Mis64 {
    /// Solves the graph induced by `vertices`, spending at most `limit` nodes.
    pub(super) fn solve(&mut self, vertices: u64, limit: u64) -> Solved {
        let mut rest = vertices;
        let mut chosen = self.take_simplicial(&mut rest);
        let mut bound = chosen.count_ones();
        let mut nodes = 0;
        // Components are independent, so their costs add instead of multiplying.
        while rest != 0 {
            let component = self.component(rest);
            rest &= !component;
            let cover = self.clique_cover(component);
            self.best = 0;
            self.best_count = 0;
            self.nodes = 0;
            self.limit = limit.saturating_sub(nodes);
            self.exhausted = false;
            self.search(component, 0, 0);
            nodes += self.nodes;
            chosen |= self.best;
            bound += if self.exhausted { cover } else { self.best_count };
        }
        Solved { chosen, bound, nodes }
    }

    /// The largest set when taking vertices with clique neighbourhoods is enough to find it.
    pub(super) fn solve_without_search(&self, vertices: u64) -> Option<u64> {
        let mut rest = vertices;
        let chosen = self.take_simplicial(&mut rest);
        (rest == 0).then_some(chosen)
    }

    fn component(&self, of: u64) -> u64 {
        let mut seen = of & of.wrapping_neg();
        let mut fresh = seen;
        while fresh != 0 {
            let v = fresh.trailing_zeros() as usize;
            fresh &= fresh - 1;
            let new = self.adjacent[v] & of & !seen;
            seen |= new;
            fresh |= new;
        }
        seen
    }

    /// Takes every vertex whose neighbourhood is a clique (degree 0 and 1 included): a solution
    /// holds at most one vertex of the closed neighbourhood, and it may as well be that one.
    fn take_simplicial(&self, rest: &mut u64) -> u64 {
        let mut taken = 0;
        let mut todo = *rest;
        while todo != 0 {
            let v = todo.trailing_zeros() as usize;
            todo &= todo - 1;
            let around = self.adjacent[v] & *rest;
            if self.is_clique(around) {
                let bit = 1u64 << v;
                taken |= bit;
                // Vertices two steps away lost a neighbour and deserve another look.
                let mut gone = around;
                let mut touched = 0;
                while gone != 0 {
                    let u = gone.trailing_zeros() as usize;
                    gone &= gone - 1;
                    touched |= self.adjacent[u];
                }
                *rest &= !(around | bit);
                todo = (todo | touched) & *rest;
            }
        }
        taken
    }

    fn is_clique(&self, set: u64) -> bool {
        let mut left = set;
        while left != 0 {
            let u = left.trailing_zeros() as usize;
            left &= left - 1;
            // Only the pairs not yet compared: those with a higher number than `u`.
            if left & !self.adjacent[u] != 0 {
                return false;
            }
        }
        true
    }

    fn clique_cover(&self, set: u64) -> u32 {
        let mut left = set;
        let mut cliques = 0;
        while left != 0 {
            let v = left.trailing_zeros() as usize;
            left &= left - 1;
            let mut candidates = self.adjacent[v] & left;
            while candidates != 0 {
                let u = candidates.trailing_zeros() as usize;
                left &= !(1u64 << u);
                candidates &= self.adjacent[u] & left;
            }
            cliques += 1;
        }
        cliques
    }

    fn search(&mut self, mut open: u64, mut chosen: u64, mut count: u32) {
        if self.nodes >= self.limit {
            self.exhausted = true;
            // Something must be returned even when the budget is nothing at all.
            let greedy = self.greedy(open);
            self.keep(chosen | greedy, count + greedy.count_ones());
            return;
        }
        self.nodes += 1;
        let taken = self.take_simplicial(&mut open);
        chosen |= taken;
        count += taken.count_ones();
        if open == 0 {
            self.keep(chosen, count);
            return;
        }
        if count + self.clique_cover(open) <= self.best_count {
            return;
        }
        let mut busiest = 0;
        let mut degree = 0;
        let mut left = open;
        while left != 0 {
            let v = left.trailing_zeros() as usize;
            left &= left - 1;
            let d = (self.adjacent[v] & open).count_ones();
            if d > degree {
                degree = d;
                busiest = v;
            }
        }
        let bit = 1u64 << busiest;
        self.search(open & !bit & !self.adjacent[busiest], chosen | bit, count + 1);
        self.search(open & !bit, chosen, count);
    }

    fn keep(&mut self, chosen: u64, count: u32) {
        if count > self.best_count {
            self.best = chosen;
            self.best_count = count;
        }
    }

    fn greedy(&self, mut open: u64) -> u64 {
        let mut chosen = 0;
        while open != 0 {
            let v = open.trailing_zeros() as usize;
            chosen |= 1u64 << v;
            open &= !(1u64 << v) & !self.adjacent[v];
        }
        chosen
    }
}
