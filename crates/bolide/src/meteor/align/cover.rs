//! Words of a constrained part taken out pair by pair, as long as those left can be matched as an optimum must.
//!
//! An assignment that covers every word that must be covered is kept up to date. A pair that it contains is simply taken out.
//! Another pair leaves at most one word on each side without a partner; that word is covered again along an alternating path, or
//! the pair cannot be taken.
//!
//! Where no path is found, the types that were reached have just enough partners for their words, and that stays so: no
//! assignment gives a partner away to another type. They form a *group* with their partners, and pairs and paths across groups are
//! not tried again.

use super::duo::NONE;
use super::transport::Transport;

/// Words that can be assigned to each other, and an assignment that covers all that must be covered.
pub(super) struct Cover {
    edges: Vec<Edge>,
    sides: [Side; 2],
    n_groups: u32,
    queue: Vec<u32>,
    /// What the last pair has changed: edges with their flow, then types with their words left, by side.
    old_flow: Vec<(u32, u32)>,
    old_left: Vec<(usize, u32, u32)>,
}

/// Two types that can be assigned to each other, and how many of their words are.
struct Edge {
    ends: [u32; 2],
    flow: u32,
}

/// The types of one side.
struct Side {
    /// Whether all words of a type must be covered.
    must: Vec<bool>,
    /// Words without a partner.
    left: Vec<u32>,
    /// Edges by type.
    start: Vec<u32>,
    by: Vec<u32>,
    /// The edge through which a search reached a type, if it did.
    through: Vec<u32>,
    reached: Vec<u32>,
    /// The group of each type; all begin in one.
    group: Vec<u32>,
}

impl Side {
    fn new(must: Vec<bool>, left: &[u32], start: &[u32], by: &[u32]) -> Self {
        Side {
            through: vec![NONE; must.len()],
            group: vec![0; must.len()],
            must,
            left: left.to_vec(),
            start: start.to_vec(),
            by: by.to_vec(),
            reached: Vec::new(),
        }
    }

    fn edges_of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.by[self.start[node] as usize..self.start[node + 1] as usize]
    }

    fn reach(&mut self, node: u32, through: u32) {
        self.through[node as usize] = through;
        self.reached.push(node);
    }

    fn forget_search(&mut self) {
        for node in self.reached.drain(..) {
            self.through[node as usize] = NONE;
        }
    }
}

/// The type at which a search begins is reached through no edge.
const BEGIN: u32 = NONE - 1;

impl Cover {
    /// Starts from a solved transport that covers all words of the types for which `must` says so.
    pub(super) fn new(transport: &Transport, must: [Vec<bool>; 2]) -> Self {
        let edge = |edge: &super::transport::Edge| Edge { ends: [edge.h, edge.r], flow: edge.flow };
        let [must_h, must_r] = must;
        Cover {
            edges: transport.edges.iter().map(edge).collect(),
            sides: [
                Side::new(must_h, &transport.left_h, &transport.start_h, &transport.by_h),
                Side::new(must_r, &transport.left_r, &transport.start_r, &transport.by_r),
            ],
            n_groups: 1,
            queue: Vec::new(),
            old_flow: Vec::new(),
            old_left: Vec::new(),
        }
    }

    /// Takes a word of each of two types out, unless words that must be covered could not be covered then.
    pub(super) fn take(&mut self, h: u32, r: u32) -> bool {
        if self.sides[0].group[h as usize] != self.sides[1].group[r as usize] {
            return false;
        }
        let direct = self.sides[0].edges_of(h).iter().copied().find(|&at| {
            let edge = &self.edges[at as usize];
            edge.ends[1] == r && edge.flow > 0
        });
        if let Some(at) = direct {
            self.edges[at as usize].flow -= 1;
            return true;
        }
        self.old_flow.clear();
        self.old_left.clear();
        let is_covered =
            self.draw(0, h) && self.draw(1, r) && self.cover_drawn(1) && self.cover_drawn(0);
        if !is_covered {
            for &(at, flow) in self.old_flow.iter().rev() {
                self.edges[at as usize].flow = flow;
            }
            for &(side, node, left) in self.old_left.iter().rev() {
                self.sides[side].left[node as usize] = left;
            }
        }
        is_covered
    }

    /// Takes a word of a type, and from its partner if it has to have one. Says whether there was a word.
    fn draw(&mut self, side: usize, node: u32) -> bool {
        let left = self.sides[side].left[node as usize];
        if left > 0 {
            self.set_left(side, node, left - 1);
            return true;
        }
        let edges = self.sides[side].edges_of(node).iter().copied();
        let Some(at) = edges.into_iter().find(|&at| self.edges[at as usize].flow > 0) else {
            return false;
        };
        let Edge { ends, flow } = self.edges[at as usize];
        self.set_flow(at, flow - 1);
        let partner = ends[1 - side];
        let left = self.sides[1 - side].left[partner as usize];
        self.set_left(1 - side, partner, left + 1);
        true
    }

    /// Covers the word of a side that has lost its partner, if there is one and it must be covered.
    fn cover_drawn(&mut self, side: usize) -> bool {
        let lost = self.old_left.iter().map(|&(of, node, _)| (of, node)).find(|&(of, node)| {
            let Side { must, left, .. } = &self.sides[of];
            of == side && must[node as usize] && left[node as usize] > 0
        });
        lost.is_none_or(|(_, node)| self.cover(side, node))
    }

    /// Searches a path from a word without a partner to one of the other side that has none, or to one of its own side that need
    /// not have one, and exchanges the partners along it.
    fn cover(&mut self, side: usize, node: u32) -> bool {
        let end = self.search(side, node);
        match end {
            Some(there) => self.exchange(side, there),
            None => self.separate(),
        }
        self.sides.iter_mut().for_each(Side::forget_search);
        end.is_some()
    }

    /// Makes a group of what a search has reached in vain.
    fn separate(&mut self) {
        for Side { reached, group, .. } in &mut self.sides {
            for &node in reached.iter() {
                group[node as usize] = self.n_groups;
            }
        }
        self.n_groups += 1;
    }

    /// The type of the other side where the path ends.
    fn search(&mut self, side: usize, node: u32) -> Option<u32> {
        self.queue.clear();
        self.queue.push(node);
        self.sides[side].reach(node, BEGIN);
        let mut first = 0;
        while let Some(&here) = self.queue.get(first) {
            first += 1;
            for at in 0..self.sides[side].edges_of(here).len() {
                let forward = self.sides[side].edges_of(here)[at];
                let there = self.edges[forward as usize].ends[1 - side];
                let [near, far] = [side, 1 - side].map(|side| &self.sides[side]);
                if far.through[there as usize] != NONE
                    || near.group[here as usize] != far.group[there as usize]
                {
                    continue;
                }
                self.sides[1 - side].reach(there, forward);
                let left = self.sides[1 - side].left[there as usize];
                if left > 0 {
                    self.set_left(1 - side, there, left - 1);
                    return Some(there);
                }
                if self.release(side, there) {
                    return Some(there);
                }
            }
        }
        None
    }

    /// Looks at the partners of a type: whether one of them need not have a partner, which it gives up. The others go on searching.
    fn release(&mut self, side: usize, there: u32) -> bool {
        for at in 0..self.sides[1 - side].edges_of(there).len() {
            let back = self.sides[1 - side].edges_of(there)[at];
            let Edge { ends, flow } = self.edges[back as usize];
            let partner = ends[side];
            let near = &mut self.sides[side];
            if flow == 0 || near.through[partner as usize] != NONE {
                continue;
            }
            if !near.must[partner as usize] {
                let left = near.left[partner as usize];
                self.set_flow(back, flow - 1);
                self.set_left(side, partner, left + 1);
                return true;
            }
            near.reach(partner, back);
            self.queue.push(partner);
        }
        false
    }

    /// Exchanges the partners on the way back from where a search has ended.
    fn exchange(&mut self, side: usize, mut there: u32) {
        loop {
            let forward = self.sides[1 - side].through[there as usize];
            let Edge { ends, flow } = self.edges[forward as usize];
            self.set_flow(forward, flow + 1);
            let here = ends[side];
            let back = self.sides[side].through[here as usize];
            if back == BEGIN {
                let left = self.sides[side].left[here as usize];
                self.set_left(side, here, left - 1);
                return;
            }
            let Edge { ends, flow } = self.edges[back as usize];
            self.set_flow(back, flow - 1);
            there = ends[1 - side];
        }
    }

    fn set_flow(&mut self, at: u32, flow: u32) {
        let edge = &mut self.edges[at as usize];
        self.old_flow.push((at, edge.flow));
        edge.flow = flow;
    }

    fn set_left(&mut self, side: usize, node: u32, left: u32) {
        let slot = &mut self.sides[side].left[node as usize];
        self.old_left.push((side, node, *slot));
        *slot = left;
    }
}

#[cfg(test)]
mod tests {
    use super::super::transport::{Edge, Transport};
    use super::*;

    /// A transport in which every type that must be covered counts, and what it is worth if all are.
    fn transport(
        copies: &[Vec<u32>; 2],
        must: &[Vec<bool>; 2],
        edges: &[(u32, u32)],
    ) -> (Transport, i128) {
        let worth = |side: usize, node: u32| i128::from(must[side][node as usize]);
        let mut transport = Transport::default();
        transport.capacity_h.clone_from(&copies[0]);
        transport.capacity_r.clone_from(&copies[1]);
        for &(h, r) in edges {
            let weight = worth(0, h) + worth(1, r);
            if weight > 0 && copies[0][h as usize] > 0 && copies[1][r as usize] > 0 {
                transport.edges.push(Edge { h, r, weight, flow: 0 });
            }
        }
        let nodes = |side: usize| (0..).zip(&copies[side]).map(move |node| (side, node));
        let all = nodes(0).chain(nodes(1));
        let wanted = all.map(|(side, (node, &n))| worth(side, node) * i128::from(n)).sum();
        (transport, wanted)
    }

    #[test]
    fn a_pair_is_taken_out_exactly_if_the_rest_can_be_covered() {
        let mut state = 11u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        let (mut taken, mut refused) = (0, 0);
        for _ in 0..3000 {
            let counts = [1 + draw(12), 1 + draw(12)];
            let most = 1 + draw(3);
            let density = 1 + draw(4);
            let mut copies = counts.map(|n| (0..n).map(|_| 1 + draw(most) as u32).collect());
            let must = counts.map(|n| (0..n).map(|_| draw(2) == 0).collect());
            let mut edges = Vec::new();
            for h in 0..counts[0] as u32 {
                for r in 0..counts[1] as u32 {
                    if draw(5) < density {
                        edges.push((h, r));
                    }
                }
            }
            let (mut solved, wanted) = transport(&copies, &must, &edges);
            if edges.is_empty() || solved.solve_any() < wanted {
                continue;
            }
            let mut cover = Cover::new(&solved, must.clone());
            for _ in 0..30 {
                let (h, r) = edges[draw(edges.len() as u64) as usize];
                if copies[0][h as usize] == 0 || copies[1][r as usize] == 0 {
                    continue;
                }
                copies[0][h as usize] -= 1;
                copies[1][r as usize] -= 1;
                let (mut rest, wanted) = transport(&copies, &must, &edges);
                let can_be_covered = rest.solve_any() >= wanted;
                assert_eq!(cover.take(h, r), can_be_covered);
                if can_be_covered {
                    taken += 1;
                } else {
                    refused += 1;
                    copies[0][h as usize] += 1;
                    copies[1][r as usize] += 1;
                }
            }
        }
        assert!(taken > 5_000 && refused > 2_000, "{taken} taken, {refused} refused");
    }
}
