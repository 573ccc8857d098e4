//! Fewest chunks when some words are bound by constraints between stages.
//!
//! Most relations end in free parts, where the exact solver is enough. Here are the others. Equal
//! words of a constrained part get a class of their own, so that the exact solver sees them as
//! any other word; the duos in which different words match are listed beside, and capacities say
//! how many of those the stage counts leave room for. The choice is checked at the end: should
//! it not extend to an optimum after all, duos are given up until it does, and the bound stays.

use super::Budget;
use super::capacity::{Capacities, Cell};
use super::duo::{Duo, NONE};
use super::exact::{ClassAligner, Known, Matches};
use super::parts::Parts;
use super::stages::Stages;

/// Aligns a segment with constrained parts, leaving the pairs in `classes`.
pub(super) fn align(stages: &Stages, classes: &mut ClassAligner, budget: &Budget) -> Known {
    let mut parts = Parts::new(stages);
    let types = [&stages.types_h, &stages.types_r];
    let places = types.map(|types| Places::new(stages, &parts, types));
    let Some(Listed { duos, cells, beyond }) = list(stages, &parts, &places, classes, budget)
    else {
        return align_frozen(stages, &mut parts, classes, budget);
    };
    let merged_classes = classes.n_classes;
    separate(stages, classes);
    classes.index();
    let turned = !duos.is_empty() && classes.is_turned();
    let mut across = Matches { duos, turned: Some(turned), ..Matches::default() };
    if !across.duos.is_empty() {
        let mut cells = cells;
        if turned {
            across.duos.iter_mut().for_each(|duo| *duo = duo.turned());
            across.duos.sort_unstable();
            cells.iter_mut().for_each(|((i, j), _)| std::mem::swap(i, j));
            cells.sort_unstable();
        }
        across.capacities = Capacities::new(stages, &parts, &cells);
    }
    let mut nodes = 0;
    let bound = classes.choose(across, budget, &mut nodes) + beyond;
    finish(stages, &mut parts, places, classes);
    merge(stages, classes, merged_classes);
    let matches = classes.partner.iter().filter(|&&j| j != NONE).count() as u64;
    classes.known(matches, bound, nodes)
}

/// Pairs of places that may be looked at for each duo that a text may have: few of them are part of one.
const LOOKS: u64 = 8;

/// With more such duos for each word no bound comes near, if there are also more looks than duos that a text may have.
const DENSE: usize = 8;

/// Matches of different words, as a text of constrained parts has them.
struct Listed {
    /// The duos in which such words match, with the duos diagonally beside them, sorted.
    duos: Vec<Duo>,
    /// The cells of such matches, sorted, with the numbers of their relations.
    cells: Vec<(Cell, u32)>,
    /// How many adjacencies matches can have that are not listed.
    beyond: u64,
}

/// Lists them; the words of `classes` have those of all stages. Of words that occur very often there may be too many pairs of places:
/// those words that have most are left out. Nothing where too many different words match each other, or too many of their matches are
/// part of duos.
fn list(
    stages: &Stages,
    parts: &Parts<'_>,
    [places_h, places_r]: &[Places; 2],
    classes: &ClassAligner,
    budget: &Budget,
) -> Option<Listed> {
    let links = (0..).zip(&stages.links).filter(|(_, link)| link.kept && parts.of(link.h) != NONE);
    let across = links.map(|(number, link)| (number, places_h.of(link.h), places_r.of(link.r)));
    let most = most_looks(across.clone().map(|(_, hs, rs)| looks(hs, rs)), budget)?;
    let class_h = |i: u32| classes.hypothesis.get(i as usize).copied().unwrap_or(NONE);
    let class_r = |j: u32| classes.reference.get(j as usize).copied().unwrap_or(NONE);
    // Most neighbours are of different classes, and need no closer look.
    let matches = |i: u32, j: u32| {
        let class = class_h(i);
        class != NONE && class == class_r(j) && {
            let (h, r) = (stages.types_h[i as usize], stages.types_r[j as usize]);
            stages.compatible(h, r)
        }
    };
    let most_duos = DENSE * (stages.types_h.len() + stages.types_r.len());
    // Both grow from word to word, so it does not matter when this is asked, as long as it is at the end too.
    let is_dense = |looked: u64, n_duos: usize| looked > budget.duos as u64 && n_duos > most_duos;
    let mut looked = 0;
    let mut listed = Listed { duos: Vec::new(), cells: Vec::new(), beyond: 0 };
    for (number, hs, rs) in across {
        if looks(hs, rs) > most {
            // A match is part of two adjacencies at most.
            listed.beyond += 2 * hs.len().min(rs.len()) as u64;
            continue;
        }
        looked += looks(hs, rs);
        if is_dense(looked, listed.duos.len()) {
            return None;
        }
        for &i in hs {
            for &j in rs {
                // Before the first word there is none.
                let [before, after] =
                    [matches(i.wrapping_sub(1), j.wrapping_sub(1)), matches(i + 1, j + 1)];
                if before || after {
                    listed.cells.push(((i, j), number));
                }
                if before {
                    listed.duos.push(Duo { i: i - 1, j: j - 1 });
                    if matches(i.wrapping_sub(2), j.wrapping_sub(2)) {
                        listed.duos.push(Duo { i: i - 2, j: j - 2 });
                    }
                }
                if after {
                    listed.duos.push(Duo { i, j });
                    if matches(i + 2, j + 2) {
                        listed.duos.push(Duo { i: i + 1, j: j + 1 });
                    }
                }
            }
        }
    }
    if is_dense(looked, listed.duos.len()) {
        return None;
    }
    listed.duos.sort_unstable();
    listed.duos.dedup();
    listed.cells.sort_unstable();
    Some(listed)
}

/// How many pairs of places two words have.
fn looks(hs: &[u32], rs: &[u32]) -> u64 {
    hs.len() as u64 * rs.len() as u64
}

/// The most pairs of places that two words may have so that all pairs of words with as many can be looked at; nothing where there are too
/// many pairs of words.
fn most_looks(looks: impl Iterator<Item = u64>, budget: &Budget) -> Option<u64> {
    let mut all: Vec<u64> = looks.collect();
    if all.len() > budget.duos {
        return None;
    }
    let limit = (budget.duos as u64).saturating_mul(LOOKS);
    if all.iter().sum::<u64>() <= limit {
        return Some(u64::MAX);
    }
    all.sort_unstable();
    let (mut sum, mut most) = (0, 0);
    for equal in all.chunk_by(|a, b| a == b) {
        sum += equal.iter().sum::<u64>();
        if sum > limit {
            break;
        }
        most = equal[0];
    }
    Some(most)
}

/// Gives every type of a constrained part a class of its own.
fn separate(stages: &Stages, classes: &mut ClassAligner) {
    let mut own = vec![NONE; stages.count_h.len()];
    for (at, &part) in stages.part.iter().enumerate() {
        if part != NONE && stages.count_h[at] > 0 && stages.count_r[at] > 0 {
            own[at] = classes.n_classes as u32;
            classes.n_classes += 1;
        }
    }
    for (words, types) in
        [(&mut classes.hypothesis, &stages.types_h), (&mut classes.reference, &stages.types_r)]
    {
        for (class, &word) in words.iter_mut().zip(types) {
            if stages.part[word as usize] != NONE {
                *class = own[word as usize];
            }
        }
    }
}

/// Puts the types of a part together again, for whoever looks at the classes later.
fn merge(stages: &Stages, classes: &mut ClassAligner, n_classes: usize) {
    classes.n_classes = n_classes;
    let sides =
        [(&mut classes.hypothesis, &stages.types_h), (&mut classes.reference, &stages.types_r)];
    for (words, types) in sides {
        for (class, &word) in words.iter_mut().zip(types) {
            *class = stages.class[word as usize];
        }
    }
    classes.recount();
}

/// Completes the chosen pairs to an optimum of the stage counts.
fn finish(
    stages: &Stages,
    parts: &mut Parts<'_>,
    [mut places_h, mut places_r]: [Places; 2],
    classes: &mut ClassAligner,
) {
    let n_parts = stages.n_parts as u32;
    let across = fix_chosen(stages, parts, classes);
    for part in 0..n_parts {
        if !parts.extends(part) {
            let is_inside = |pair: &&(u32, u32)| parts.of(stages.types_h[pair.0 as usize]) == part;
            let inside: Vec<(u32, u32)> = across.iter().filter(is_inside).copied().collect();
            for (i, j) in parts.give_up(part, &inside) {
                classes.partner[i as usize] = NONE;
                classes.owner[j as usize] = NONE;
            }
        }
    }
    for part in 0..n_parts {
        for (h, r, count) in parts.rest(part).unwrap_or_default() {
            for _ in 0..count {
                let i = places_h.next_free(h, &classes.partner);
                let j = places_r.next_free(r, &classes.owner);
                if let (Some(i), Some(j)) = (i, j) {
                    classes.partner[i as usize] = j;
                    classes.owner[j as usize] = i;
                }
            }
        }
    }
    classes.complete(|_| true);
}

/// Tells the parts which matches were chosen; returns those of different words.
fn fix_chosen(stages: &Stages, parts: &mut Parts<'_>, classes: &ClassAligner) -> Vec<(u32, u32)> {
    let mut across = Vec::new();
    for (i, &j) in (0..).zip(&classes.partner) {
        let h = stages.types_h[i as usize];
        if j != NONE && parts.of(h) != NONE {
            let r = stages.types_r[j as usize];
            parts.fix(h, r);
            if h != r {
                across.push((i, j));
            }
        }
    }
    across
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

/// The places of every type of the constrained parts, in order, in one list.
struct Places {
    places: Vec<u32>,
    /// Where the places of each type begin and end.
    start: Vec<u32>,
    end: Vec<u32>,
}

impl Places {
    fn new(stages: &Stages, parts: &Parts<'_>, types: &[u32]) -> Self {
        let mut end = vec![0; stages.count_h.len()];
        let constrained = || (0..).zip(types).filter(|&(_, &word)| parts.of(word) != NONE);
        for (_, &word) in constrained() {
            end[word as usize] += 1;
        }
        let mut total = 0;
        let mut begin = |n: &u32| {
            total += n;
            total - n
        };
        let start: Vec<u32> = end.iter().map(&mut begin).collect();
        end.clone_from(&start);
        let mut places = vec![0; total as usize];
        for (at, &word) in constrained() {
            let end = &mut end[word as usize];
            places[*end as usize] = at;
            *end += 1;
        }
        Places { places, start, end }
    }

    fn of(&self, word: u32) -> &[u32] {
        &self.places[self.start[word as usize] as usize..self.end[word as usize] as usize]
    }

    /// The first place of a type that is not taken; the places up to it are forgotten.
    fn next_free(&mut self, word: u32, taken: &[u32]) -> Option<u32> {
        let free = self.of(word).iter().position(|&at| taken[at as usize] == NONE);
        let start = &mut self.start[word as usize];
        let Some(free) = free else {
            *start = self.end[word as usize];
            return None;
        };
        *start += free as u32 + 1;
        Some(self.places[*start as usize - 1])
    }
}
