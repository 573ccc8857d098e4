//! From words and relations to classes: which matches can be part of an optimum, stage by stage.
//!
//! The most exact matches take the scarcer side of every word completely, so a word has copies
//! left for later stages on one side only. What remains is a transport between leftover words;
//! its optimum and duals say which relations some optimum uses. Words joined by such relations
//! form a *part*. In a **free** part every partial match extends to an optimal one: it becomes one
//! class and the exact solver needs no further thought. The others are **constrained** and are
//! described here for the general solver.

use super::duo::{NONE, Sets};
use super::intern::Interner;
use super::transport::{Edge, Transport};
use std::cmp::Reverse;

/// The last stage that counts separately; later ones count with it.
pub(super) const LAST_STAGE: u8 = 3;

/// What one match is worth, as a caller gives it.
pub(super) type Worth = std::num::NonZeroU128;

/// A relation as it comes in: two words, a stage and a worth.
pub(super) type Given = (u32, u32, u8, Option<Worth>);

/// A relation between word types, as a pair of numbers given by first appearance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) h: u32,
    pub(super) r: u32,
    pub(super) stage: u8,
    /// What a match is worth: stage counts in order where nothing is given.
    pub(super) worth: Option<Worth>,
    /// Whether some optimum uses it.
    pub(super) kept: bool,
}

/// The word types of one segment and what may match what.
#[derive(Default)]
pub(super) struct Stages {
    words: Interner,
    /// Word type of every word.
    pub(super) types_h: Vec<u32>,
    pub(super) types_r: Vec<u32>,
    /// Copies of every type on each side.
    pub(super) count_h: Vec<u32>,
    pub(super) count_r: Vec<u32>,
    /// The usable relations in order of their ends, one per pair of types.
    pub(super) links: Vec<Link>,
    /// Where the relations of each hypothesis word begin, with one more entry for the end; empty without relations.
    link_start: Vec<u32>,
    /// Class of every type: types of a free part share one; [`NONE`] where nothing can match.
    /// The types of a constrained part share one too, which is a relaxation.
    pub(super) class: Vec<u32>,
    pub(super) n_classes: usize,
    /// Constrained parts: for every type its part or [`NONE`], and whether an optimum must
    /// match all its copies on a side.
    pub(super) part: Vec<u32>,
    pub(super) must_h: Vec<bool>,
    pub(super) must_r: Vec<bool>,
    pub(super) n_parts: usize,
    part_of_class: Vec<u32>,
    degree: Vec<u32>,
    local: Vec<u32>,
    transport: Transport,
}

impl Stages {
    /// Numbers the words and finds the classes.
    pub(super) fn read(
        &mut self,
        hypothesis: &[u32],
        reference: &[u32],
        relations: impl Iterator<Item = Given>,
    ) {
        self.number(hypothesis, reference);
        self.collect(relations);
        let types = self.count_h.len();
        self.class.clear();
        self.class.resize(types, NONE);
        self.n_classes = 0;
        self.part.clear();
        self.n_parts = 0;
        self.part_of_class.clear();
        if !self.links.is_empty() {
            self.part.resize(types, NONE);
            self.must_h.clear();
            self.must_h.resize(types, false);
            self.must_r.clear();
            self.must_r.resize(types, false);
            self.judge_components();
        }
        for at in 0..types {
            if self.class[at] == NONE && self.count_h[at] > 0 && self.count_r[at] > 0 {
                self.class[at] = self.n_classes as u32;
                self.n_classes += 1;
            }
        }
    }

    /// Leaves out the words that no optimum matches; `places` gets the positions of the others.
    pub(super) fn set_aside(&mut self, places_h: &mut Vec<u32>, places_r: &mut Vec<u32>) {
        let class = &self.class;
        for (types, places) in [(&mut self.types_h, places_h), (&mut self.types_r, places_r)] {
            places.clear();
            let matched = |&(_, &at): &(u32, &u32)| class[at as usize] != NONE;
            places.extend((0..).zip(types.iter()).filter(matched).map(|(place, _)| place));
            types.retain(|&at| class[at as usize] != NONE);
        }
    }

    /// The stage that lets two types match, if any.
    pub(super) fn stage(&self, h: u32, r: u32) -> Option<u8> {
        if h == r {
            return Some(0);
        }
        Some(self.links[self.find_link(h, r)?].stage)
    }

    /// Whether some optimum of the stage counts matches a word of `h` with one of `r`.
    pub(super) fn compatible(&self, h: u32, r: u32) -> bool {
        let class = self.class[h as usize];
        if class == NONE || class != self.class[r as usize] {
            return false;
        }
        h == r || self.part.is_empty() || self.part[h as usize] == NONE || {
            self.find_link(h, r).is_some_and(|at| self.links[at].kept)
        }
    }

    /// The number of the relation between two words.
    pub(super) fn find_link(&self, h: u32, r: u32) -> Option<usize> {
        let range = self.link_start.get(h as usize..h as usize + 2)?;
        let (start, end) = (range[0] as usize, range[1] as usize);
        let at = self.links[start..end].binary_search_by_key(&r, |link| link.r).ok()?;
        Some(start + at)
    }

    /// The constrained part behind a class, or [`NONE`].
    pub(super) fn part_of_class(&self, class: u32) -> u32 {
        self.part_of_class.get(class as usize).copied().unwrap_or(NONE)
    }

    fn number(&mut self, hypothesis: &[u32], reference: &[u32]) {
        self.words.begin(hypothesis.len() + reference.len());
        self.count_h.clear();
        self.count_r.clear();
        self.types_h.clear();
        for &word in hypothesis {
            let number = self.words.insert(u64::from(word));
            if number as usize == self.count_h.len() {
                self.count_h.push(0);
            }
            self.count_h[number as usize] += 1;
            self.types_h.push(number);
        }
        self.count_r.resize(self.count_h.len(), 0);
        self.types_r.clear();
        for &word in reference {
            let number = self.words.insert(u64::from(word));
            if number as usize == self.count_r.len() {
                self.count_h.push(0);
                self.count_r.push(0);
            }
            self.count_r[number as usize] += 1;
            self.types_r.push(number);
        }
    }

    /// Keeps the relations between words that exact matches leave over.
    fn collect(&mut self, relations: impl Iterator<Item = Given>) {
        self.links.clear();
        for (hypothesis, reference, stage, worth) in relations {
            let h = self.words.get(u64::from(hypothesis));
            let r = self.words.get(u64::from(reference));
            let (Some(h), Some(r)) = (h, r) else { continue };
            let leftover = self.count_h[h as usize] > self.count_r[h as usize]
                && self.count_r[r as usize] > self.count_h[r as usize];
            if leftover {
                let stage = stage.clamp(1, LAST_STAGE);
                self.links.push(Link { h, r, stage, worth, kept: false });
            }
        }
        self.links.sort_unstable_by_key(|link| (link.h, link.r, link.stage, Reverse(link.worth)));
        self.links.dedup_by_key(|link| (link.h, link.r));
        self.link_start.clear();
        if !self.links.is_empty() {
            self.link_start.resize(self.count_h.len() + 1, 0);
            for link in &self.links {
                self.link_start[link.h as usize + 1] += 1;
            }
            for at in 1..self.link_start.len() {
                self.link_start[at] += self.link_start[at - 1];
            }
        }
    }

    /// Copies of a type that exact matches leave over.
    pub(super) fn surplus(&self, at: u32) -> u32 {
        self.count_h[at as usize].abs_diff(self.count_r[at as usize])
    }

    fn judge_components(&mut self) {
        self.degree.clear();
        self.degree.resize(self.count_h.len(), 0);
        for link in &self.links {
            self.degree[link.h as usize] += 1;
            self.degree[link.r as usize] += 1;
        }
        let mut alone = true;
        for at in 0..self.links.len() {
            let Link { h, r, .. } = self.links[at];
            if self.degree[h as usize] == 1 && self.degree[r as usize] == 1 {
                self.judge_pair(at);
            } else {
                alone = false;
            }
        }
        if alone {
            return;
        }
        let mut sets = Sets::new(self.count_h.len());
        for link in &self.links {
            sets.join(link.h as usize, link.r as usize);
        }
        let mut by_component: Vec<(u32, u32)> = Vec::new();
        for (at, link) in self.links.iter().enumerate() {
            if self.degree[link.h as usize] > 1 || self.degree[link.r as usize] > 1 {
                by_component.push((sets.find(link.h as usize) as u32, at as u32));
            }
        }
        by_component.sort_unstable();
        self.local.clear();
        self.local.resize(self.count_h.len(), NONE);
        for component in by_component.chunk_by(|a, b| a.0 == b.0) {
            self.judge_component(component);
        }
    }

    /// Two types related to nothing else: what the duals would say can be read off the counts.
    fn judge_pair(&mut self, at: usize) {
        self.links[at].kept = true;
        let Link { h, r, .. } = self.links[at];
        let (more_h, more_r) = (self.surplus(h), self.surplus(r));
        self.judge_part(&[at as u32], &[(h, more_h <= more_r)], &[(r, more_r <= more_h)]);
    }

    fn judge_component(&mut self, component: &[(u32, u32)]) {
        let mut transport = std::mem::take(&mut self.transport);
        transport.clear();
        let (mut types_h, mut types_r) = (Vec::new(), Vec::new());
        for &(_, at) in component {
            let Link { h, r, .. } = self.links[at as usize];
            if self.local[h as usize] == NONE {
                self.local[h as usize] = types_h.len() as u32;
                types_h.push(h);
                transport.capacity_h.push(self.surplus(h));
            }
            if self.local[r as usize] == NONE {
                self.local[r as usize] = types_r.len() as u32;
                types_r.push(r);
                transport.capacity_r.push(self.surplus(r));
            }
        }
        // One match of a stage outweighs every possible match of the later stages.
        let total = |side: &[u32]| side.iter().map(|&c| i128::from(c)).sum::<i128>();
        let step = 1 + total(&transport.capacity_h).min(total(&transport.capacity_r));
        for &(_, at) in component {
            let Link { h, r, stage, worth, .. } = self.links[at as usize];
            let by_stage = || step.pow(u32::from(LAST_STAGE - stage));
            transport.edges.push(Edge {
                h: self.local[h as usize],
                r: self.local[r as usize],
                weight: worth.map_or_else(by_stage, |worth| worth.get() as i128),
                flow: 0,
            });
        }
        transport.solve_any();
        let kept = transport.in_some_optimum();

        // Relations that no optimum uses fall away, and the component may fall apart.
        let n_h = types_h.len();
        let mut sets = Sets::new(n_h + types_r.len());
        for (edge, &kept) in transport.edges.iter().zip(&kept) {
            if kept {
                sets.join(edge.h as usize, n_h + edge.r as usize);
            }
        }
        let mut parts: Vec<(u32, u32)> = Vec::new();
        for (number, &(_, at)) in component.iter().enumerate() {
            if kept[number] {
                self.links[at as usize].kept = true;
                parts.push((sets.find(transport.edges[number].h as usize) as u32, at));
            }
        }
        parts.sort_unstable();
        for part in parts.chunk_by(|a, b| a.0 == b.0) {
            let links: Vec<u32> = part.iter().map(|&(_, at)| at).collect();
            let (mut hs, mut rs) = (Vec::new(), Vec::new());
            for &at in &links {
                let Link { h, r, .. } = self.links[at as usize];
                hs.push((h, transport.dual_h[self.local[h as usize] as usize] > 0));
                rs.push((r, transport.dual_r[self.local[r as usize] as usize] > 0));
            }
            hs.sort_unstable();
            hs.dedup();
            rs.sort_unstable();
            rs.dedup();
            self.judge_part(&links, &hs, &rs);
        }
        self.transport = transport;
    }

    /// Decides whether a part is free. The types come with whether every optimum covers all of
    /// their leftover words.
    fn judge_part(&mut self, links: &[u32], hs: &[(u32, bool)], rs: &[(u32, bool)]) {
        let class = self.n_classes as u32;
        self.n_classes += 1;
        let (mut all_h, mut all_r) = (0u64, 0u64);
        // Exact copies on the scarcer side of a type: they must be matched, to their own type.
        let (mut twins_of_h, mut twins_of_r) = (false, false);
        let (mut must_h, mut must_r) = (false, false);
        for &(at, _) in hs.iter().chain(rs) {
            self.class[at as usize] = class;
            all_h += u64::from(self.count_h[at as usize]);
            all_r += u64::from(self.count_r[at as usize]);
        }
        for &(h, must) in hs {
            must_h |= must;
            twins_of_h |= self.count_r[h as usize] > 0;
        }
        for &(r, must) in rs {
            must_r |= must;
            twins_of_r |= self.count_h[r as usize] > 0;
        }
        let complete = links.len() == hs.len() * rs.len()
            && (!twins_of_h || (hs.len() == 1 && !twins_of_r))
            && (!twins_of_r || (rs.len() == 1 && !twins_of_h));
        let free = complete
            && (all_h == all_r
                || (all_h < all_r && !must_r && !twins_of_h)
                || (all_h > all_r && !must_h && !twins_of_r));
        if free {
            return;
        }
        let part = self.n_parts as u32;
        self.part_of_class.resize(self.n_classes, NONE);
        self.part_of_class[class as usize] = part;
        self.n_parts += 1;
        for &(h, must) in hs {
            self.part[h as usize] = part;
            self.must_h[h as usize] = must;
            self.must_r[h as usize] = true;
        }
        for &(r, must) in rs {
            self.part[r as usize] = part;
            self.must_r[r as usize] = must;
            self.must_h[r as usize] = true;
        }
    }
}
