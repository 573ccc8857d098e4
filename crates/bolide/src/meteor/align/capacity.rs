//! Capacities: how many matches between different words the stage counts leave room for.
//!
//! In a constrained part not every choice of duos extends to an optimum of the stage counts. What
//! stands in the way are *cross cells* only: matches of two different words. For a type `t` let
//! `spare(t)` be its copies beyond those that exact matches use. A choice extends exactly when
//!
//! - for every type `t` at most `spare(t)` cross cells touch it, and
//! - for every set `S` of types of one side that an optimum must match completely, at most
//!   `spare(N(S)) - spare(S)` cross cells lead from outside `S` into its neighbours `N(S)`
//!
//! (Hall's condition on each side; docs/alignment.md has the argument). Each such rule is a
//! *capacity*: a set of cells and how many of them may be taken. Capacities that the duos at
//! hand cannot exceed are dropped. Leaving one out can cost a proof, never validity.

use super::duo::Duo;
use super::parts::Parts;
use super::stages::Stages;

/// Sets of must-match types are listed up to this many types; beyond, only sets of one or two.
const LISTED: usize = 8;

/// One cell of a capacity: word `i` matched to word `j`.
pub(super) type Cell = (u32, u32);

/// The capacities of a segment that its duos could exceed.
#[derive(Default)]
pub(super) struct Capacities {
    /// How many more cells each capacity has room for.
    left: Vec<u32>,
    /// The cells that use capacities, sorted, with their range in `members`.
    cells: Vec<(Cell, u32, u32)>,
    members: Vec<u32>,
    /// Whether a row has such cells.
    rows: Vec<bool>,
    /// Cells that were paid for and cost nothing any more.
    paid: Vec<bool>,
}

impl Capacities {
    /// The capacities of all constrained parts that `cells` could exceed: the sorted cross cells
    /// of the duos. With `turned`, the cells have their sides exchanged.
    pub(super) fn new(stages: &Stages, parts: &Parts<'_>, cells: &[Cell], turned: bool) -> Self {
        let cells = CellsOfLinks::new(stages, cells, turned);
        let mut has_cells = vec![false; stages.n_parts];
        for &((h, _), _) in &cells.sorted {
            has_cells[parts.of(h) as usize] = true;
        }
        let mut found: Vec<(Vec<Cell>, u32)> = Vec::new();
        for part in (0..stages.n_parts as u32).filter(|&part| has_cells[part as usize]) {
            for (links, limit) in Rules::new(stages, parts, part).list() {
                let n_cells: usize = links.iter().map(|&link| cells.of(link).len()).sum();
                if n_cells <= limit as usize {
                    continue;
                }
                let inside = links.iter().flat_map(|&link| cells.of(link));
                let mut inside: Vec<Cell> = inside.map(|&(_, cell)| cell).collect();
                inside.sort_unstable();
                if most_of(&inside) > limit as usize {
                    found.push((inside, limit));
                }
            }
        }
        // In the order of their cells, which no numbering of types can change.
        found.sort_unstable();
        found.dedup_by(|next, first| next.0 == first.0);
        Capacities::from_sets(&found)
    }

    fn from_sets(sets: &[(Vec<Cell>, u32)]) -> Self {
        let mut uses: Vec<(Cell, u32)> = Vec::new();
        for (number, (cells, _)) in sets.iter().enumerate() {
            uses.extend(cells.iter().map(|&cell| (cell, number as u32)));
        }
        uses.sort_unstable();
        let mut capacities = Capacities {
            left: sets.iter().map(|&(_, limit)| limit).collect(),
            members: uses.iter().map(|&(_, number)| number).collect(),
            ..Capacities::default()
        };
        let mut start = 0;
        for same in uses.chunk_by(|a, b| a.0 == b.0) {
            let end = start + same.len() as u32;
            capacities.cells.push((same[0].0, start, end));
            start = end;
        }
        capacities.paid = vec![false; capacities.cells.len()];
        let rows = capacities.cells.last().map_or(0, |&((i, _), ..)| i as usize + 1);
        capacities.rows = vec![false; rows];
        for &((i, _), ..) in &capacities.cells {
            capacities.rows[i as usize] = true;
        }
        capacities
    }

    /// How many capacities there are.
    pub(super) fn len(&self) -> usize {
        self.left.len()
    }

    /// How many more cells the capacity has room for.
    pub(super) fn left(&self, capacity: u32) -> u32 {
        self.left[capacity as usize]
    }

    fn row_is_free(&self, i: u32) -> bool {
        !self.rows.get(i as usize).copied().unwrap_or(false)
    }

    fn find(&self, (i, j): Cell) -> Option<usize> {
        if self.row_is_free(i) {
            return None;
        }
        let at = self.cells.binary_search_by_key(&(i, j), |entry| entry.0).ok()?;
        (!self.paid[at]).then_some(at)
    }

    /// The capacities that the match of words `i` and `j` uses.
    pub(super) fn of(&self, i: u32, j: u32) -> &[u32] {
        match self.find((i, j)) {
            Some(at) => {
                let (_, start, end) = self.cells[at];
                &self.members[start as usize..end as usize]
            }
            None => &[],
        }
    }

    /// Whether one of the duo's two matches uses a capacity.
    pub(super) fn bind(&self, duo: Duo) -> bool {
        let may = !self.row_is_free(duo.i) || !self.row_is_free(duo.i + 1);
        may && (0..2).any(|step| !self.of(duo.i + step, duo.j + step).is_empty())
    }

    /// What [`Capacities::binding`] says of the duos that the capacities were made for.
    pub(super) fn all(&self, duos: &[Duo]) -> (Vec<u32>, Vec<bool>) {
        if self.left.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let bound = duos.iter().map(|duo| self.bind(*duo)).collect();
        ((0..self.left.len() as u32).collect(), bound)
    }

    /// Which capacities a sorted set of duos could exceed, and which of the duos use those (empty
    /// if none does).
    pub(super) fn binding(&self, duos: &[Duo]) -> (Vec<u32>, Vec<bool>) {
        if self.left.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let mut uses: Vec<(u32, Cell)> = Vec::new();
        for duo in duos.iter().filter(|duo| self.bind(**duo)) {
            for step in 0..2 {
                let cell = (duo.i + step, duo.j + step);
                uses.extend(self.of(cell.0, cell.1).iter().map(|&number| (number, cell)));
            }
        }
        uses.sort_unstable();
        uses.dedup();
        let mut binding = Vec::new();
        for of_one in uses.chunk_by(|a, b| a.0 == b.0) {
            let cells: Vec<Cell> = of_one.iter().map(|&(_, cell)| cell).collect();
            if most_of(&cells) > self.left(of_one[0].0) as usize {
                binding.push(of_one[0].0);
            }
        }
        if binding.is_empty() {
            return (binding, Vec::new());
        }
        let uses_one = |duo: &Duo| {
            (0..2).any(|step| {
                let of = self.of(duo.i + step, duo.j + step);
                of.iter().any(|number| binding.binary_search(number).is_ok())
            })
        };
        let bound = duos.iter().map(|duo| self.bind(*duo) && uses_one(duo)).collect();
        (binding, bound)
    }

    /// Whether there is still room for the duo's matches.
    pub(super) fn admit(&self, duo: Duo) -> bool {
        let (first, second) = (self.of(duo.i, duo.j), self.of(duo.i + 1, duo.j + 1));
        first.iter().all(|&number| self.left(number) > 0)
            && second.iter().all(|&number| self.left(number) > u32::from(first.contains(&number)))
    }

    /// Pays for the duo's matches, which must be admitted; they cost nothing until taken back.
    pub(super) fn pay(&mut self, duo: Duo) -> [Option<usize>; 2] {
        [0, 1].map(|step| {
            let at = self.find((duo.i + step, duo.j + step))?;
            self.paid[at] = true;
            let (_, start, end) = self.cells[at];
            for &number in &self.members[start as usize..end as usize] {
                let left = &mut self.left[number as usize];
                *left = left.saturating_sub(1);
            }
            Some(at)
        })
    }

    /// Takes [`Capacities::pay`] back.
    pub(super) fn refund(&mut self, paid: [Option<usize>; 2]) {
        for at in paid.into_iter().flatten() {
            self.paid[at] = false;
            let (_, start, end) = self.cells[at];
            for &number in &self.members[start as usize..end as usize] {
                self.left[number as usize] += 1;
            }
        }
    }
}

/// Cells by the types of their words.
struct CellsOfLinks {
    sorted: Vec<((u32, u32), Cell)>,
}

impl CellsOfLinks {
    fn new(stages: &Stages, cells: &[Cell], turned: bool) -> Self {
        let link = |&(i, j): &Cell| {
            let (i, j) = if turned { (j, i) } else { (i, j) };
            (stages.types_h[i as usize], stages.types_r[j as usize])
        };
        let mut sorted: Vec<_> = cells.iter().map(|cell| (link(cell), *cell)).collect();
        sorted.sort_unstable();
        CellsOfLinks { sorted }
    }

    fn of(&self, link: (u32, u32)) -> &[((u32, u32), Cell)] {
        let start = self.sorted.partition_point(|entry| entry.0 < link);
        let n_cells = self.sorted[start..].partition_point(|entry| entry.0 == link);
        &self.sorted[start..start + n_cells]
    }
}

/// No one-to-one choice has more of the cells than this.
fn most_of(cells: &[Cell]) -> usize {
    let rows = cells.chunk_by(|a, b| a.0 == b.0).count();
    let mut columns: Vec<u32> = cells.iter().map(|&(_, j)| j).collect();
    columns.sort_unstable();
    columns.dedup();
    rows.min(columns.len())
}

/// The rules of one part, in terms of its types.
struct Rules<'a> {
    stages: &'a Stages,
    /// The kept relations from the hypothesis to the reference, and the other way round, sorted.
    forth: Vec<(u32, u32)>,
    back: Vec<(u32, u32)>,
}

/// The relations whose cells count, and how many of them may be taken.
type Rule = (Vec<(u32, u32)>, u32);

impl<'a> Rules<'a> {
    fn new(stages: &'a Stages, parts: &Parts<'_>, part: u32) -> Self {
        let mut forth: Vec<(u32, u32)> =
            parts.links(part).iter().copied().filter(|&(h, r)| h != r).collect();
        forth.sort_unstable();
        let mut back: Vec<(u32, u32)> = forth.iter().map(|&(h, r)| (r, h)).collect();
        back.sort_unstable();
        Rules { stages, forth, back }
    }

    /// The relations of a type of one side; it comes first in each.
    fn of(&self, side: Side, at: u32) -> &[(u32, u32)] {
        let links = match side {
            Side::Hypothesis => &self.forth,
            Side::Reference => &self.back,
        };
        let start = links.partition_point(|link| link.0 < at);
        let n_links = links[start..].partition_point(|link| link.0 == at);
        &links[start..start + n_links]
    }

    fn list(&self) -> Vec<Rule> {
        let mut rules = Vec::new();
        for (side, links) in [(Side::Hypothesis, &self.forth), (Side::Reference, &self.back)] {
            let mut ends: Vec<u32> = links.iter().map(|link| link.0).collect();
            ends.dedup();
            for &at in &ends {
                // Without exact copies on the other side a type has no more copies than it may use.
                if self.stages.count_h[at as usize] > 0 && self.stages.count_r[at as usize] > 0 {
                    let links = self.of(side, at).iter().map(|&link| side.forth(link)).collect();
                    rules.push((links, self.stages.surplus(at)));
                }
            }
            ends.retain(|&at| self.must(side, at));
            self.list_sets(side, &ends, &mut rules);
        }
        rules
    }

    fn must(&self, side: Side, at: u32) -> bool {
        match side {
            Side::Hypothesis => self.stages.must_h[at as usize],
            Side::Reference => self.stages.must_r[at as usize],
        }
    }

    /// The rules of sets of types that must be matched. Two sets without a common neighbour need no
    /// rule of their own: it would be the sum of theirs.
    fn list_sets(&self, side: Side, must: &[u32], rules: &mut Vec<Rule>) {
        if must.len() <= LISTED {
            let near: Vec<Vec<u32>> = must.iter().map(|&at| self.sharing(side, at)).collect();
            for bits in 1u32..1 << must.len() {
                let set: Vec<u32> =
                    (0..must.len()).filter(|&at| bits >> at & 1 == 1).map(|at| must[at]).collect();
                if is_connected(must, &near, &set) {
                    rules.extend(self.of_set(side, &set));
                }
            }
        } else {
            for &first in must {
                rules.extend(self.of_set(side, &[first]));
                for second in self.sharing(side, first) {
                    if second > first && self.must(side, second) {
                        rules.extend(self.of_set(side, &[first, second]));
                    }
                }
            }
        }
    }

    /// The types of this side that share a neighbour with one of them, sorted.
    fn sharing(&self, side: Side, at: u32) -> Vec<u32> {
        let around = self.of(side, at).iter();
        let back = around.flat_map(|&(_, other)| self.of(side.other(), other));
        let mut sharing: Vec<u32> = back.map(|&(_, word)| word).collect();
        sharing.sort_unstable();
        sharing.dedup();
        sharing
    }

    /// The rule of a set that must be matched: how many cells may lead from outside to its neighbours.
    fn of_set(&self, side: Side, set: &[u32]) -> Option<Rule> {
        let around = set.iter().flat_map(|&at| self.of(side, at));
        let mut around: Vec<u32> = around.map(|&(_, other)| other).collect();
        around.sort_unstable();
        around.dedup();
        let into = around.iter().flat_map(|&at| self.of(side.other(), at));
        let outside = into.filter(|(_, end)| !set.contains(end));
        let links: Vec<(u32, u32)> = outside.map(|&link| side.other().forth(link)).collect();
        let spare =
            |types: &[u32]| -> u32 { types.iter().map(|&at| self.stages.surplus(at)).sum() };
        (!links.is_empty()).then(|| (links, spare(&around).saturating_sub(spare(set))))
    }
}

/// Whether a set of types hangs together; `near` has the types that share a neighbour with each of `all`.
fn is_connected(all: &[u32], near: &[Vec<u32>], set: &[u32]) -> bool {
    let mut reached: Vec<u32> = set.iter().take(1).copied().collect();
    let mut at = 0;
    while let Some(word) = reached.get(at) {
        let of_it = all.binary_search(word).ok().and_then(|number| near.get(number));
        for other in of_it.into_iter().flatten() {
            if set.contains(other) && !reached.contains(other) {
                reached.push(*other);
            }
        }
        at += 1;
    }
    reached.len() == set.len()
}

#[derive(Clone, Copy)]
enum Side {
    Hypothesis,
    Reference,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Side::Hypothesis => Side::Reference,
            Side::Reference => Side::Hypothesis,
        }
    }

    /// A relation that starts at this side, from the hypothesis to the reference.
    fn forth(self, (start, end): (u32, u32)) -> (u32, u32) {
        match self {
            Side::Hypothesis => (start, end),
            Side::Reference => (end, start),
        }
    }
}
