//! Fewest chunks when some words are bound by constraints between stages.
//!
//! Most relations end in free parts, where the exact solver is enough. Here are the others: the
//! duos are first solved as if nothing were constrained; if that choice extends to an optimum of
//! the stage counts it is optimal, else branch and bound decides, testing at every constrained duo
//! whether the choice still extends. Only free duos may be taken without branching.

use super::Budget;
use super::duo::{Duo, Grid, NONE, Sets, WordMap};
use super::exact::{ClassAligner, Known};
use super::mis64::Mis64;
use super::parts::Parts;
use super::search::Search;
use super::stages::Stages;

/// Aligns a segment with constrained parts, leaving the pairs in `classes`.
pub(super) fn align(stages: &Stages, classes: &mut ClassAligner, budget: &Budget) -> Known {
    let mut parts = Parts::new(stages);
    let Some(duos) = list(stages, classes, budget) else {
        return align_frozen(stages, &mut parts, classes, budget);
    };
    let (m, n) = (stages.types_h.len(), stages.types_r.len());
    let mut map = WordMap::default();
    map.begin(m, n);
    let mut prices = vec![0; n + 1];
    let mut hint = vec![NONE; m + 1];
    let mut mis64 = Mis64::default();
    let mut left = (budget.nodes, budget.visits);
    let mut nodes = 0;
    let mut bound = 0;
    let mut chosen: Vec<Duo> = Vec::new();
    for group in groups(&duos, stages, &parts) {
        let mut search = Search {
            small: 64,
            nodes: left.0,
            nodes_used: 0,
            visits: left.1,
            depth: budget.depth,
            prices: &mut prices,
            hint: &mut hint,
            map: &mut map,
            mis64: &mut mis64,
        };
        let found = if group.duos.len() <= 64 {
            search.small(&group.duos)
        } else {
            search.solve(group.duos.clone(), 0, 0)
        };
        left = (search.nodes, search.visits);
        nodes += search.nodes_used;
        if group.parts.is_empty() {
            bound += found.bound;
            chosen.extend(found.chosen);
            continue;
        }
        let mut branch = Branch {
            stages,
            parts: &mut parts,
            duos: &group.duos,
            map: WordMapWithUndo::new(m, n),
            chosen: Vec::new(),
            best: Vec::new(),
            ceiling: found.bound,
            nodes: left.0,
            visits: left.1,
            used: 0,
            exhausted: false,
        };
        branch.follow(&found.chosen);
        if branch.best.len() < found.bound {
            branch.search((0..group.duos.len() as u32).collect());
        }
        nodes += branch.used;
        bound += if branch.exhausted { found.bound } else { branch.best.len() };
        left = (branch.nodes, branch.visits);
        for &duo in &branch.best {
            chosen.push(duo);
        }
    }
    finish(stages, &mut parts, classes, &chosen, bound as u64, nodes)
}

/// The duos that kept matches allow, or nothing when there are too many to look for.
fn list(stages: &Stages, classes: &mut ClassAligner, budget: &Budget) -> Option<Vec<Duo>> {
    let (types_h, types_r) = (&stages.types_h, &stages.types_r);
    let limit = (16 * (types_h.len() + types_r.len()) as u64).max(budget.duos as u64);
    let mut duos = classes.merged_duos(limit)?;
    duos.retain(|duo| {
        let (i, j) = (duo.i as usize, duo.j as usize);
        stages.compatible(types_h[i], types_r[j])
            && stages.compatible(types_h[i + 1], types_r[j + 1])
    });
    (duos.len() <= budget.duos).then_some(duos)
}

/// Duos that must be decided together, and the constrained parts they touch.
struct Group {
    duos: Vec<Duo>,
    parts: Vec<u32>,
}

/// Connected components of the conflicts, joined where they touch the same part.
fn groups(duos: &[Duo], stages: &Stages, parts: &Parts<'_>) -> Vec<Group> {
    let components = Grid::new(duos.to_vec()).components();
    let count = components.len();
    let mut sets = Sets::new(count + stages.n_parts);
    let touched = |duo: &Duo| [0, 1].map(|step| parts.of(stages.types_h[(duo.i + step) as usize]));
    for (at, component) in components.iter().enumerate() {
        for part in component.iter().flat_map(touched).filter(|&part| part != NONE) {
            sets.join(at, count + part as usize);
        }
    }
    let mut group_of = vec![NONE; count + stages.n_parts];
    let mut groups: Vec<Group> = Vec::new();
    for (at, component) in components.into_iter().enumerate() {
        let root = sets.find(at);
        if group_of[root] == NONE {
            group_of[root] = groups.len() as u32;
            groups.push(Group { duos: Vec::new(), parts: Vec::new() });
        }
        let group = &mut groups[group_of[root] as usize];
        let parts = component.iter().flat_map(touched).filter(|&part| part != NONE);
        group.parts.extend(parts);
        group.duos.extend(component);
    }
    for group in &mut groups {
        group.duos.sort_unstable();
        group.parts.sort_unstable();
        group.parts.dedup();
    }
    groups
}

/// Word pairs fixed by the duos taken, with how many duos hold each.
struct WordMapWithUndo {
    to_reference: Vec<(u32, u32)>,
    to_hypothesis: Vec<u32>,
}

impl WordMapWithUndo {
    fn new(m: usize, n: usize) -> Self {
        WordMapWithUndo { to_reference: vec![(NONE, 0); m], to_hypothesis: vec![NONE; n] }
    }
}

/// Branch and bound over one group.
struct Branch<'a, 'b> {
    stages: &'a Stages,
    parts: &'a mut Parts<'b>,
    duos: &'a [Duo],
    map: WordMapWithUndo,
    chosen: Vec<Duo>,
    best: Vec<Duo>,
    /// What the relaxation allows; a set of this size ends the search.
    ceiling: usize,
    nodes: u64,
    visits: u64,
    used: u64,
    exhausted: bool,
}

impl Branch<'_, '_> {
    fn constrained(&self, duo: Duo) -> bool {
        (0..2).any(|step| self.parts.of(self.stages.types_h[(duo.i + step) as usize]) != NONE)
    }

    /// Takes a duo that conflicts with none taken; says whether the choice still extends.
    fn take(&mut self, duo: Duo) -> bool {
        let mut fresh = [NONE; 2];
        for step in 0..2 {
            let (i, j) = ((duo.i + step) as usize, (duo.j + step) as usize);
            let slot = &mut self.map.to_reference[i];
            slot.1 += 1;
            if slot.1 == 1 {
                slot.0 = j as u32;
                self.map.to_hypothesis[j] = i as u32;
                let (h, r) = (self.stages.types_h[i], self.stages.types_r[j]);
                if self.parts.of(h) != NONE {
                    self.parts.fix(h, r);
                    fresh[step as usize] = self.parts.of(h);
                }
            }
        }
        self.chosen.push(duo);
        if fresh[1] == fresh[0] {
            fresh[1] = NONE;
        }
        fresh.into_iter().all(|part| part == NONE || self.parts.extends(part))
    }

    fn untake(&mut self) {
        let Some(duo) = self.chosen.pop() else { return };
        for step in 0..2 {
            let (i, j) = ((duo.i + step) as usize, (duo.j + step) as usize);
            let slot = &mut self.map.to_reference[i];
            slot.1 -= 1;
            if slot.1 == 0 {
                slot.0 = NONE;
                self.map.to_hypothesis[j] = NONE;
                let (h, r) = (self.stages.types_h[i], self.stages.types_r[j]);
                if self.parts.of(h) != NONE {
                    self.parts.release(h, r);
                }
            }
        }
    }

    fn fits(&self, duo: Duo) -> bool {
        (0..2).all(|step| {
            let (i, j) = (duo.i + step, duo.j + step);
            let there = self.map.to_reference[i as usize].0;
            let back = self.map.to_hypothesis[j as usize];
            there == j || (there == NONE && back == NONE)
        })
    }

    fn keep(&mut self) {
        if self.chosen.len() > self.best.len() {
            self.best.clone_from(&self.chosen);
        }
    }

    /// A first feasible set: the given one as far as it extends, then whatever else fits.
    fn follow(&mut self, wish: &[Duo]) {
        for &duo in wish.iter().chain(self.duos) {
            if !self.chosen.contains(&duo) && self.fits(duo) && !self.take(duo) {
                self.untake();
            }
        }
        self.keep();
        while !self.chosen.is_empty() {
            self.untake();
        }
    }

    fn search(&mut self, mut open: Vec<u32>) {
        let depth = self.chosen.len();
        self.visit(&mut open);
        while self.chosen.len() > depth {
            self.untake();
        }
    }

    fn visit(&mut self, open: &mut Vec<u32>) {
        let cost = 1 + (open.len() * open.len()) as u64 / 8;
        if self.nodes == 0 || self.visits < cost {
            self.exhausted = true;
            self.keep();
            return;
        }
        self.nodes -= 1;
        self.visits -= cost;
        self.used += 1;
        self.take_free(open);
        self.keep();
        if self.best.len() == self.ceiling
            || self.chosen.len() + self.cover(open) <= self.best.len()
        {
            return;
        }
        let duos = self.duos;
        let conflicts = |d: u32, open: &[u32]| {
            open.iter().filter(|&&e| duos[d as usize].conflicts(duos[e as usize])).count()
        };
        let Some(&pivot) = open.iter().max_by_key(|&&d| (conflicts(d, open), std::cmp::Reverse(d)))
        else {
            return;
        };
        let duo = duos[pivot as usize];
        let with = open.iter().copied();
        let with = with.filter(|&d| d != pivot && !duo.conflicts(duos[d as usize])).collect();
        if self.take(duo) {
            self.search(with);
        }
        self.untake();
        if self.best.len() == self.ceiling {
            return;
        }
        self.search(open.iter().copied().filter(|&d| d != pivot).collect());
    }

    /// Takes free duos whose open conflicts all conflict with each other: exchanging one of those
    /// for the free duo fixes nothing in a part and so cannot make a choice worse.
    fn take_free(&mut self, open: &mut Vec<u32>) {
        let duos = self.duos;
        let mut at = 0;
        while at < open.len() {
            let duo = duos[open[at] as usize];
            if !self.constrained(duo) {
                let around: Vec<Duo> = open
                    .iter()
                    .map(|&d| duos[d as usize])
                    .filter(|other| duo.conflicts(*other))
                    .collect();
                let clique = around
                    .iter()
                    .enumerate()
                    .all(|(k, a)| around[k + 1..].iter().all(|b| a.conflicts(*b)));
                if clique {
                    self.take(duo);
                    open.retain(|&d| duos[d as usize] != duo && !duo.conflicts(duos[d as usize]));
                    at = 0;
                    continue;
                }
            }
            at += 1;
        }
    }

    /// A greedy clique cover; each clique gives at most one duo.
    fn cover(&self, open: &[u32]) -> usize {
        let mut cliques: Vec<Vec<Duo>> = Vec::new();
        for &d in open {
            let duo = self.duos[d as usize];
            match cliques.iter_mut().find(|c| c.iter().all(|other| duo.conflicts(*other))) {
                Some(clique) => clique.push(duo),
                None => cliques.push(vec![duo]),
            }
        }
        cliques.len()
    }
}

/// Records the chosen duos, completes classes and parts, and counts.
fn finish(
    stages: &Stages,
    parts: &mut Parts<'_>,
    classes: &mut ClassAligner,
    chosen: &[Duo],
    bound: u64,
    nodes: u64,
) -> Known {
    classes.begin_pairs();
    for &duo in chosen {
        classes.record(duo);
    }
    for i in 0..stages.types_h.len() {
        let j = classes.partner[i];
        if j != NONE && parts.of(stages.types_h[i]) != NONE {
            parts.fix(stages.types_h[i], stages.types_r[j as usize]);
        }
    }
    let places = |types: &[u32]| {
        let mut places = vec![Vec::new(); stages.count_h.len()];
        for (at, &word) in types.iter().enumerate().rev() {
            places[word as usize].push(at as u32);
        }
        places
    };
    // Reversed lists, so that `pop` gives the first place.
    let (mut places_h, mut places_r) = (places(&stages.types_h), places(&stages.types_r));
    for part in 0..stages.n_parts as u32 {
        for (h, r, count) in parts.rest(part).unwrap_or_default() {
            for _ in 0..count {
                let i = next_free(&mut places_h[h as usize], &classes.partner);
                let j = next_free(&mut places_r[r as usize], &classes.owner);
                if let (Some(i), Some(j)) = (i, j) {
                    classes.partner[i as usize] = j;
                    classes.owner[j as usize] = i;
                }
            }
        }
    }
    classes.complete(|class| stages.part_of_class(class) == NONE);
    let matches = classes.partner.iter().filter(|&&j| j != NONE).count() as u64;
    classes.known(matches, bound, nodes)
}

fn next_free(places: &mut Vec<u32>, taken: &[u32]) -> Option<u32> {
    while let Some(at) = places.pop() {
        if taken[at as usize] == NONE {
            return Some(at);
        }
    }
    None
}

/// For texts with too many duos: one optimum of every constrained part is fixed in the order of
/// the words, and the rest is solved with classes. The bound allows every match inside a part.
fn align_frozen(
    stages: &Stages,
    parts: &mut Parts<'_>,
    classes: &mut ClassAligner,
    budget: &Budget,
) -> Known {
    let bound = classes.clipped_bigrams();
    let mut n_classes = stages.n_classes as u32;
    // Words of one type that go to one type form a class of their own.
    let mut plan: Vec<Vec<(u32, u32)>> = vec![Vec::new(); stages.count_h.len()];
    let mut plan_r: Vec<Vec<(u32, u32)>> = vec![Vec::new(); stages.count_h.len()];
    for part in 0..stages.n_parts as u32 {
        for (h, r, count) in parts.rest(part).unwrap_or_default() {
            plan[h as usize].push((n_classes, count));
            plan_r[r as usize].push((n_classes, count));
            n_classes += 1;
        }
    }
    let assign = |types: &[u32], plan: &mut [Vec<(u32, u32)>], out: &mut [u32]| {
        for (slot, &word) in out.iter_mut().zip(types) {
            if parts.of(word) == NONE {
                continue;
            }
            let plan = &mut plan[word as usize];
            *slot = NONE;
            if let Some(first) = plan.first_mut() {
                *slot = first.0;
                first.1 -= 1;
                if first.1 == 0 {
                    plan.remove(0);
                }
            }
        }
    };
    assign(&stages.types_h, &mut plan, &mut classes.hypothesis);
    assign(&stages.types_r, &mut plan_r, &mut classes.reference);
    classes.n_classes = n_classes as usize;
    let known = classes.align(budget);
    let matches = classes.partner.iter().filter(|&&j| j != NONE).count() as u64;
    let mut frozen = classes.known(matches, bound, known.nodes);
    frozen.frozen = true;
    frozen
}
