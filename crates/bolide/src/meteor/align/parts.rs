//! Constrained parts: whether the matches fixed so far still extend to an optimum.
//!
//! In a constrained part not every partial match does. The optimum's duals say which words must be
//! matched; a set of matches extends to an optimum when the rest of the part has a match that
//! covers all of those, which is another transport, over what is left of each type.

use super::cover::Cover;
use super::duo::NONE;
use super::stages::Stages;
use super::transport::{Edge, Transport};

/// The constrained parts of a segment with the words still unmatched in each.
pub(super) struct Parts<'a> {
    stages: &'a Stages,
    left_h: Vec<u32>,
    left_r: Vec<u32>,
    /// Types and kept links of every part.
    types: Vec<Vec<u32>>,
    links: Vec<Vec<(u32, u32)>>,
    local_h: Vec<u32>,
    local_r: Vec<u32>,
    transport: Transport,
}

impl<'a> Parts<'a> {
    /// All parts, with nothing matched.
    pub(super) fn new(stages: &'a Stages) -> Self {
        let mut types = vec![Vec::new(); stages.n_parts];
        let mut links = vec![Vec::new(); stages.n_parts];
        for (at, &part) in stages.part.iter().enumerate() {
            if part != NONE {
                types[part as usize].push(at as u32);
                if stages.count_h[at] > 0 && stages.count_r[at] > 0 {
                    links[part as usize].push((at as u32, at as u32));
                }
            }
        }
        for link in stages.links.iter().filter(|link| link.kept) {
            let part = stages.part[link.h as usize];
            if part != NONE {
                links[part as usize].push((link.h, link.r));
            }
        }
        let count = stages.count_h.len();
        Parts {
            stages,
            left_h: stages.count_h.clone(),
            left_r: stages.count_r.clone(),
            types,
            links,
            local_h: vec![NONE; count],
            local_r: vec![NONE; count],
            transport: Transport::default(),
        }
    }

    /// The part of a pair of types that match, or [`NONE`] when they are free.
    pub(super) fn of(&self, h: u32) -> u32 {
        self.stages.part.get(h as usize).copied().unwrap_or(NONE)
    }

    /// The types of a part, in order.
    pub(super) fn types(&self, part: u32) -> &[u32] {
        &self.types[part as usize]
    }

    /// Matches one word of `h` with one of `r`.
    pub(super) fn fix(&mut self, h: u32, r: u32) {
        self.left_h[h as usize] -= 1;
        self.left_r[r as usize] -= 1;
    }

    /// Takes [`Parts::fix`] back.
    pub(super) fn release(&mut self, h: u32, r: u32) {
        self.left_h[h as usize] += 1;
        self.left_r[r as usize] += 1;
    }

    /// Whether the part still extends to an optimum.
    pub(super) fn extends(&mut self, part: u32) -> bool {
        let wanted = self.read_rest(part);
        self.transport.solve_any() >= wanted
    }

    /// Gives up those of the fixed matches, in this order, that do not extend to an optimum together with the ones before, and
    /// returns them.
    pub(super) fn give_up(&mut self, part: u32, matches: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let stages = self.stages;
        let types = |&(i, j): &(u32, u32)| (stages.types_h[i as usize], stages.types_r[j as usize]);
        for (h, r) in matches.iter().map(types) {
            self.release(h, r);
        }
        let wanted = self.read_rest(part);
        if self.transport.solve_any() < wanted {
            return matches.to_vec();
        }
        let must = [&stages.must_h, &stages.must_r]
            .map(|must| self.types[part as usize].iter().map(|&at| must[at as usize]).collect());
        let mut cover = Cover::new(&self.transport, must);
        let mut given_up = Vec::new();
        for pair in matches {
            let (h, r) = types(pair);
            if cover.take(self.local_h[h as usize], self.local_r[r as usize]) {
                self.fix(h, r);
            } else {
                given_up.push(*pair);
            }
        }
        given_up
    }

    /// Whether every word that an optimum must match is matched.
    pub(super) fn is_done(&self) -> bool {
        self.types.iter().flatten().all(|&at| {
            let at = at as usize;
            !(self.stages.must_h[at] && self.left_h[at] > 0
                || self.stages.must_r[at] && self.left_r[at] > 0)
        })
    }

    /// How to finish the part: types and the number of matches between them.
    pub(super) fn rest(&mut self, part: u32) -> Option<Vec<(u32, u32, u32)>> {
        let wanted = self.read_rest(part);
        if self.transport.solve() < wanted {
            return None;
        }
        let types = &self.types[part as usize];
        let used = self.transport.edges.iter().filter(|edge| edge.flow > 0);
        Some(used.map(|e| (types[e.h as usize], types[e.r as usize], e.flow)).collect())
    }

    /// Prepares the transport of what is left of a part; returns the weight that covers every word that must be matched.
    fn read_rest(&mut self, part: u32) -> i128 {
        let stages = self.stages;
        let transport = &mut self.transport;
        transport.clear();
        let mut wanted = 0i128;
        for &at in &self.types[part as usize] {
            let index = at as usize;
            self.local_h[index] = transport.capacity_h.len() as u32;
            transport.capacity_h.push(self.left_h[index]);
            self.local_r[index] = transport.capacity_r.len() as u32;
            transport.capacity_r.push(self.left_r[index]);
            if stages.must_h[index] {
                wanted += i128::from(self.left_h[index]);
            }
            if stages.must_r[index] {
                wanted += i128::from(self.left_r[index]);
            }
        }
        for &(h, r) in &self.links[part as usize] {
            let weight =
                i128::from(stages.must_h[h as usize]) + i128::from(stages.must_r[r as usize]);
            if weight > 0 && self.left_h[h as usize] > 0 && self.left_r[r as usize] > 0 {
                transport.edges.push(Edge {
                    h: self.local_h[h as usize],
                    r: self.local_r[r as usize],
                    weight,
                    flow: 0,
                });
            }
        }
        wanted
    }
}
