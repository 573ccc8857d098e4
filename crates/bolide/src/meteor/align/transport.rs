//! The heaviest assignment of hypothesis words to reference words, by word type.
//!
//! A maximum-weight transport with capacities: shortest augmenting paths in phases, on integer
//! weights, ending with the duals that certify it. The duals tell which types every optimum
//! covers, and a search for cycles tells which edges lie in some optimum. Types are dense
//! numbers here; what they stand for is the caller's business.

use super::duo::NONE;

/// An edge of the type graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) h: u32,
    pub(super) r: u32,
    /// Positive.
    pub(super) weight: i128,
    /// Units assigned.
    pub(super) flow: u32,
}

/// Capacities, edges, and after [`Transport::solve`] an optimum with its duals.
#[derive(Default)]
pub(super) struct Transport {
    pub(super) capacity_h: Vec<u32>,
    pub(super) capacity_r: Vec<u32>,
    pub(super) edges: Vec<Edge>,
    /// Duals: what one more word of the type would be worth. Positive means that every optimum
    /// covers all words of the type.
    pub(super) dual_h: Vec<i128>,
    pub(super) dual_r: Vec<i128>,
    pub(super) left_h: Vec<u32>,
    pub(super) left_r: Vec<u32>,
    /// Edges by hypothesis type and by reference type.
    pub(super) start_h: Vec<u32>,
    pub(super) start_r: Vec<u32>,
    pub(super) by_h: Vec<u32>,
    pub(super) by_r: Vec<u32>,
    behind: Vec<i128>,
    /// Hypothesis types whose value was raised and not yet passed on.
    queue: Vec<u32>,
    waits: Vec<bool>,
    visited: Vec<bool>,
    on_path: Vec<bool>,
}

/// Below every sum of weights.
const NOTHING: i128 = i128::MIN / 4;

impl Transport {
    /// Forgets the problem, keeping the buffers.
    pub(super) fn clear(&mut self) {
        self.capacity_h.clear();
        self.capacity_r.clear();
        self.edges.clear();
    }

    /// Assigns as much weight as possible and returns it. The most valuable words go first, so that
    /// which of several optima it is does not depend on what else could be gained.
    pub(super) fn solve(&mut self) -> i128 {
        self.solve_by(false)
    }

    /// The same with any optimum, in fewer phases: every word that gains something goes in each. The
    /// duals and [`Transport::in_some_optimum`] are the same for all optima.
    pub(super) fn solve_any(&mut self) -> i128 {
        self.solve_by(true)
    }

    fn solve_by(&mut self, takes_all: bool) -> i128 {
        self.index();
        while self.value_paths() {
            self.augment(takes_all);
        }
        self.dual_r.clear();
        self.dual_r.resize(self.capacity_r.len(), 0);
        for edge in &self.edges {
            let dual = &mut self.dual_r[edge.r as usize];
            *dual = (*dual).max(edge.weight - self.dual_h[edge.h as usize]);
        }
        self.edges.iter().map(|edge| edge.weight * i128::from(edge.flow)).sum()
    }

    fn index(&mut self) {
        for edge in &mut self.edges {
            edge.flow = 0;
        }
        self.left_h.clone_from(&self.capacity_h);
        self.left_r.clone_from(&self.capacity_r);
        bucket(
            &self.edges,
            |edge| edge.h,
            self.capacity_h.len(),
            &mut self.start_h,
            &mut self.by_h,
        );
        bucket(
            &self.edges,
            |edge| edge.r,
            self.capacity_r.len(),
            &mut self.start_r,
            &mut self.by_r,
        );
        self.dual_h.clear();
        self.dual_h.resize(self.capacity_h.len(), 0);
        self.behind.clear();
        self.behind.resize(self.capacity_r.len(), NOTHING);
    }

    /// Computes what one more word of each hypothesis type would be worth; says whether some type
    /// has a word left for which that is positive.
    fn value_paths(&mut self) -> bool {
        // `behind[r]` is the best continuation once a word of `r` is claimed: a free word of it ends
        // the path, an assigned one sends its old partner looking.
        self.dual_h.fill(0);
        for (behind, &left) in self.behind.iter_mut().zip(&self.left_r) {
            *behind = if left > 0 { 0 } else { NOTHING };
        }
        for edge in self.edges.iter().filter(|edge| edge.flow > 0) {
            let behind = &mut self.behind[edge.r as usize];
            *behind = (*behind).max(-edge.weight);
        }
        for edge in &self.edges {
            let dual = &mut self.dual_h[edge.h as usize];
            *dual = (*dual).max(edge.weight + self.behind[edge.r as usize]);
        }
        self.pass_on();
        self.left_h.iter().zip(&self.dual_h).any(|(&left, &dual)| left > 0 && dual > 0)
    }

    /// Carries the values of hypothesis types on to those that could take their words, until nothing changes.
    fn pass_on(&mut self) {
        self.queue.clear();
        self.waits.clear();
        for (h, &dual) in self.dual_h.iter().enumerate() {
            // Types without an assigned word pass nothing on, and a value of 0 is counted already.
            let waits = dual > 0 && self.left_h[h] < self.capacity_h[h];
            self.waits.push(waits);
            if waits {
                self.queue.push(h as u32);
            }
        }
        let mut first = 0;
        while let Some(&h) = self.queue.get(first) {
            first += 1;
            let h = h as usize;
            self.waits[h] = false;
            for at in self.start_h[h]..self.start_h[h + 1] {
                let edge = self.edges[self.by_h[at as usize] as usize];
                let r = edge.r as usize;
                let value = self.dual_h[h] - edge.weight;
                if edge.flow == 0 || value <= self.behind[r] {
                    continue;
                }
                self.behind[r] = value;
                for at in self.start_r[r]..self.start_r[r + 1] {
                    let edge = self.edges[self.by_r[at as usize] as usize];
                    let other = edge.h as usize;
                    if edge.weight + value > self.dual_h[other] {
                        self.dual_h[other] = edge.weight + value;
                        let is_assigned = self.left_h[other] < self.capacity_h[other];
                        if is_assigned && !self.waits[other] {
                            self.waits[other] = true;
                            self.queue.push(edge.h);
                        }
                    }
                }
            }
        }
    }

    /// Pushes units along the best paths, or along all that gain something, each reference type being
    /// claimed at most once. Every path is tight, so the others stay tight.
    fn augment(&mut self, takes_all: bool) {
        let best = self
            .left_h
            .iter()
            .zip(&self.dual_h)
            .filter(|&(&left, _)| left > 0)
            .map(|(_, &dual)| dual)
            .max()
            .unwrap_or(0);
        let least = if takes_all { 1 } else { best };
        self.visited.clear();
        self.visited.resize(self.capacity_r.len(), false);
        self.on_path.clear();
        self.on_path.resize(self.capacity_h.len(), false);
        let mut pushed = false;
        for source in 0..self.capacity_h.len() {
            while self.left_h[source] > 0 && self.dual_h[source] >= least {
                if !self.push_from(source) {
                    break;
                }
                pushed = true;
            }
        }
        debug_assert!(pushed, "a positive dual always has a path");
        if !pushed {
            // Unreachable by the theory of augmenting paths; without it a slip would hang.
            self.left_h.fill(0);
        }
    }

    /// One depth-first search for a tight path from `source`; pushes along it if there is one.
    fn push_from(&mut self, source: usize) -> bool {
        // The path alternates: edge taken forward, edge given back. `at` is the hypothesis type
        // reached, with cursors into its edges and into the edges of the type claimed.
        struct Step {
            at: usize,
            forward: u32,
            back: u32,
        }
        let mut path = vec![Step { at: source, forward: self.start_h[source], back: NONE }];
        self.on_path[source] = true;
        let mut amount = None;
        'search: while let Some(step) = path.last_mut() {
            let at = step.at;
            let limit = self.start_h[at + 1];
            while step.forward < limit {
                let edge = self.edges[self.by_h[step.forward as usize] as usize];
                let r = edge.r as usize;
                let tight = self.dual_h[at] == edge.weight + self.behind[r];
                if step.back == NONE {
                    if !tight || self.visited[r] {
                        step.forward += 1;
                        continue;
                    }
                    self.visited[r] = true;
                    step.back = self.start_r[r];
                    if self.left_r[r] > 0 && self.behind[r] == 0 {
                        amount = Some(self.left_r[r]);
                        break 'search;
                    }
                }
                let back_limit = self.start_r[r + 1];
                while step.back < back_limit {
                    let back = self.edges[self.by_r[step.back as usize] as usize];
                    let next = back.h as usize;
                    if back.flow > 0
                        && !self.on_path[next]
                        && self.behind[r] == self.dual_h[next] - back.weight
                    {
                        self.on_path[next] = true;
                        let forward = self.start_h[next];
                        path.push(Step { at: next, forward, back: NONE });
                        if self.dual_h[next] == 0 {
                            amount = Some(u32::MAX);
                            break 'search;
                        }
                        continue 'search;
                    }
                    step.back += 1;
                }
                step.forward += 1;
                step.back = NONE;
            }
            // A dead end stays a dead end for this phase.
            path.pop();
            if let Some(step) = path.last_mut() {
                step.back += 1;
            }
        }
        let Some(mut amount) = amount else {
            self.on_path[source] = false;
            return false;
        };
        amount = amount.min(self.left_h[source]);
        let ends_at_type = path.last().is_some_and(|step| step.back == NONE);
        for step in &path[..path.len() - 1] {
            amount = amount.min(self.edges[self.by_r[step.back as usize] as usize].flow);
        }
        for (number, step) in path.iter().enumerate() {
            let last = number + 1 == path.len();
            if last && ends_at_type {
                self.left_h[step.at] += amount;
                break;
            }
            let forward = self.by_h[step.forward as usize] as usize;
            self.edges[forward].flow += amount;
            if last {
                self.left_r[self.edges[forward].r as usize] -= amount;
            } else {
                let back = self.by_r[step.back as usize] as usize;
                self.edges[back].flow -= amount;
            }
        }
        self.left_h[source] -= amount;
        for step in &path {
            self.on_path[step.at] = false;
        }
        true
    }

    /// Which edges lie in some optimum: those in use, and tight ones on a cycle of exchanges.
    /// Call after [`Transport::solve`].
    pub(super) fn in_some_optimum(&self) -> Vec<bool> {
        let n_h = self.capacity_h.len();
        let n_r = self.capacity_r.len();
        let tight = |edge: &Edge| {
            self.dual_h[edge.h as usize] + self.dual_r[edge.r as usize] == edge.weight
        };
        // Nodes: hypothesis types, reference types, and one for the words left over.
        let over = n_h + n_r;
        let mut arcs: Vec<(u32, u32)> = Vec::new();
        for edge in &self.edges {
            let (h, r) = (edge.h, n_h as u32 + edge.r);
            if tight(edge) {
                arcs.push((h, r));
            }
            if edge.flow > 0 {
                arcs.push((r, h));
            }
        }
        for h in 0..n_h {
            if self.left_h[h] > 0 {
                arcs.push((over as u32, h as u32));
            }
            if self.left_h[h] < self.capacity_h[h] && self.dual_h[h] == 0 {
                arcs.push((h as u32, over as u32));
            }
        }
        for r in 0..n_r {
            let node = (n_h + r) as u32;
            if self.left_r[r] > 0 {
                arcs.push((node, over as u32));
            }
            if self.left_r[r] < self.capacity_r[r] && self.dual_r[r] == 0 {
                arcs.push((over as u32, node));
            }
        }
        let component = strong_components(over + 1, &mut arcs);
        self.edges
            .iter()
            .map(|edge| {
                let same = component[edge.h as usize] == component[n_h + edge.r as usize];
                edge.flow > 0 || (tight(edge) && same)
            })
            .collect()
    }
}

/// Edge numbers grouped by one end.
fn bucket(
    edges: &[Edge],
    end: impl Fn(&Edge) -> u32,
    count: usize,
    start: &mut Vec<u32>,
    grouped: &mut Vec<u32>,
) {
    start.clear();
    start.resize(count + 2, 0);
    for edge in edges {
        start[end(edge) as usize + 2] += 1;
    }
    for at in 2..start.len() {
        start[at] += start[at - 1];
    }
    grouped.clear();
    grouped.resize(edges.len(), 0);
    for (number, edge) in edges.iter().enumerate() {
        let slot = &mut start[end(edge) as usize + 1];
        grouped[*slot as usize] = number as u32;
        *slot += 1;
    }
    start.pop();
}

/// Tarjan's strongly connected components without recursion.
fn strong_components(nodes: usize, arcs: &mut [(u32, u32)]) -> Vec<u32> {
    arcs.sort_unstable();
    let mut start = vec![0usize; nodes + 1];
    for &(from, _) in arcs.iter() {
        start[from as usize + 1] += 1;
    }
    for node in 0..nodes {
        start[node + 1] += start[node];
    }
    let mut component = vec![NONE; nodes];
    let mut order = vec![NONE; nodes];
    let mut low = vec![NONE; nodes];
    let mut stack = Vec::new();
    let mut calls: Vec<(usize, usize)> = Vec::new();
    let (mut next_order, mut next_component) = (0, 0);
    for root in 0..nodes {
        if order[root] != NONE {
            continue;
        }
        calls.push((root, start[root]));
        while let Some(&(node, cursor)) = calls.last() {
            if order[node] == NONE {
                order[node] = next_order;
                low[node] = next_order;
                next_order += 1;
                stack.push(node);
            }
            if cursor < start[node + 1] {
                if let Some(call) = calls.last_mut() {
                    call.1 += 1;
                }
                let to = arcs[cursor].1 as usize;
                if order[to] == NONE {
                    calls.push((to, start[to]));
                } else if component[to] == NONE {
                    low[node] = low[node].min(order[to]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == order[node] {
                while let Some(member) = stack.pop() {
                    component[member] = next_component;
                    if member == node {
                        break;
                    }
                }
                next_component += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_optimum_has_the_same_weight_duals_and_edges() {
        let mut state = 7u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for _ in 0..3000 {
            let mut transport = Transport::default();
            let (n_h, n_r, most) = (1 + draw(7), 1 + draw(7), 1 + draw(6));
            transport.capacity_h.extend((0..n_h).map(|_| 1 + draw(3) as u32));
            transport.capacity_r.extend((0..n_r).map(|_| 1 + draw(3) as u32));
            for h in 0..n_h as u32 {
                for r in 0..n_r as u32 {
                    if draw(2) == 0 {
                        let weight = 1 + i128::from(draw(most));
                        transport.edges.push(Edge { h, r, weight, flow: 0 });
                    }
                }
            }
            let found = [false, true].map(|takes_all| {
                let weight = transport.solve_by(takes_all);
                let edges = transport.in_some_optimum();
                (weight, transport.dual_h.clone(), transport.dual_r.clone(), edges)
            });
            assert_eq!(found[0], found[1]);
        }
    }
}
