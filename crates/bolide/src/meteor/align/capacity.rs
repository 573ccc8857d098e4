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

use super::duo::{Duo, NONE};
use super::parts::Parts;
use super::stages::Stages;

/// Sets of must-match types are listed up to this many types; beyond, only sets of one or two.
const LISTED: usize = 8;

/// The rules of one side of a part may count so many cells together, and look at so many relations; else fewer sets are listed.
/// What decides is the sum over all sets, which no numbering of types can change.
const MOST_COUNTED: usize = 1_000_000;
const MOST_LOOKS: usize = 1_000_000;

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
    /// Where the cells of each row begin, with one more entry for the end.
    rows: Vec<u32>,
    /// Cells that were paid for and cost nothing any more.
    paid: Vec<bool>,
}

impl Capacities {
    /// The capacities of all constrained parts that `cells` could exceed: the sorted cross cells of the duos, with the
    /// numbers of their relations.
    pub(super) fn new(stages: &Stages, parts: &Parts<'_>, cells: &[(Cell, u32)]) -> Self {
        if cells.is_empty() {
            return Capacities::default();
        }
        let mut by_link = CellsOfLinks::new(stages, cells);
        let rules = Rules::new(stages, parts, &by_link);
        let mut found: Vec<(Vec<u32>, u32)> = Vec::new();
        for part in 0..stages.n_parts as u32 {
            rules.list(parts.types(part), &mut |links, limit| {
                if let Some(inside) = by_link.exceeding(links, limit as usize) {
                    found.push((inside, limit));
                }
            });
        }
        // In the order of their cells, which no numbering of types can change.
        found.sort_unstable();
        found.dedup_by(|next, first| next.0 == first.0);
        let cells: Vec<Cell> = cells.iter().map(|&(cell, _)| cell).collect();
        Capacities::from_sets(&cells, &found)
    }

    /// Capacities from sets of numbers of the sorted cells, and their limits.
    pub(super) fn from_sets(cells: &[Cell], sets: &[(Vec<u32>, u32)]) -> Self {
        let mut ends = vec![0; cells.len()];
        for &cell in sets.iter().flat_map(|(set, _)| set) {
            ends[cell as usize] += 1;
        }
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        // Filled from the back, so that each cell has its capacities in order.
        let mut starts = ends.clone();
        let mut members = vec![0; total as usize];
        for (number, (set, _)) in sets.iter().enumerate().rev() {
            for &cell in set {
                let start = &mut starts[cell as usize];
                *start -= 1;
                members[*start as usize] = number as u32;
            }
        }
        let used = starts.iter().zip(&ends).zip(cells).filter(|((start, end), _)| start < end);
        let cells: Vec<_> = used.map(|((&start, &end), &cell)| (cell, start, end)).collect();
        let mut rows = vec![0; cells.last().map_or(0, |&((i, _), ..)| i as usize + 2)];
        for &((i, _), ..) in &cells {
            rows[i as usize + 1] += 1;
        }
        for i in 1..rows.len() {
            rows[i] += rows[i - 1];
        }
        let left = sets.iter().map(|&(_, limit)| limit).collect();
        Capacities { left, paid: vec![false; cells.len()], cells, members, rows }
    }

    /// How many capacities there are.
    pub(super) fn len(&self) -> usize {
        self.left.len()
    }

    /// How many more cells the capacity has room for.
    pub(super) fn left(&self, capacity: u32) -> u32 {
        self.left[capacity as usize]
    }

    /// The cells of a row that use capacities.
    fn row(&self, i: u32) -> std::ops::Range<usize> {
        match self.rows.get(i as usize..i as usize + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => 0..0,
        }
    }

    fn find(&self, (i, j): Cell) -> Option<usize> {
        let row = self.row(i);
        let start = row.start;
        let at = start + self.cells[row].binary_search_by_key(&j, |entry| entry.0.1).ok()?;
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
        let may = !self.row(duo.i).is_empty() || !self.row(duo.i + 1).is_empty();
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
        let mut counts = vec![0u32; self.left.len()];
        for &(number, _) in &uses {
            counts[number as usize] += 1;
        }
        // Most capacities have room for all of their cells, even if some were counted twice.
        uses.retain(|&(number, _)| counts[number as usize] > self.left(number));
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

/// Cells by the relation of their words.
struct CellsOfLinks<'c> {
    /// All cells, sorted.
    cells: &'c [(Cell, u32)],
    /// The numbers of the cells of each relation: `numbers[starts[link]..starts[link + 1]]`.
    starts: Vec<u32>,
    numbers: Vec<u32>,
    /// One bit for each cell: whether a rule counts it. All are zero between calls.
    marks: Vec<u64>,
    /// The cells that a rule counts.
    inside: Vec<u32>,
    /// The last rule that counted a cell of a column.
    columns: Vec<u32>,
    n_rules: u32,
}

impl<'c> CellsOfLinks<'c> {
    fn new(stages: &Stages, cells: &'c [(Cell, u32)]) -> Self {
        let mut starts = vec![0; stages.links.len() + 2];
        for &(_, link) in cells {
            starts[link as usize + 2] += 1;
        }
        for at in 2..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut numbers = vec![0; cells.len()];
        for (number, &(_, link)) in (0..).zip(cells) {
            let start = &mut starts[link as usize + 1];
            numbers[*start as usize] = number;
            *start += 1;
        }
        let n_columns = cells.iter().map(|&((_, j), _)| j as usize + 1).max().unwrap_or(0);
        let (marks, columns) = (vec![0; cells.len().div_ceil(64)], vec![0; n_columns]);
        CellsOfLinks { cells, starts, numbers, marks, inside: Vec::new(), columns, n_rules: 0 }
    }

    fn of(&self, link: u32) -> &[u32] {
        let link = link as usize;
        &self.numbers[self.starts[link] as usize..self.starts[link + 1] as usize]
    }

    /// The numbers of the cells of these relations, if a one-to-one choice could have more than `limit` of them.
    fn exceeding(&mut self, links: &[u32], limit: usize) -> Option<Vec<u32>> {
        let mut marks = std::mem::take(&mut self.marks);
        for &number in links.iter().flat_map(|&link| self.of(link)) {
            marks[number as usize / 64] |= 1 << (number % 64);
        }
        let inside = &mut self.inside;
        inside.clear();
        for (at, word) in marks.iter_mut().enumerate() {
            while *word != 0 {
                inside.push(64 * at as u32 + word.trailing_zeros());
                *word &= *word - 1;
            }
        }
        self.marks = marks;
        self.n_rules += 1;
        let (mut n_rows, mut n_columns, mut row) = (0, 0, None);
        for &number in inside.iter() {
            let ((i, j), _) = self.cells[number as usize];
            n_rows += usize::from(row.replace(i) != Some(i));
            let last = std::mem::replace(&mut self.columns[j as usize], self.n_rules);
            n_columns += usize::from(last != self.n_rules);
        }
        (n_rows.min(n_columns) > limit).then(|| inside.clone())
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

/// The rules of the constrained parts, in terms of their types.
struct Rules<'a> {
    stages: &'a Stages,
    /// The relations from the hypothesis to the reference, and the other way round.
    forth: Relations,
    back: Relations,
}

/// The kept relations of each type of one side that is in a constrained part.
struct Relations {
    /// The types related to each type, in order.
    others: Lists<u32>,
    /// Those that have cells, with the numbers of the relations.
    with_cells: Lists<(u32, u32)>,
    /// How many cells each type has: a rule that allows as many cannot be exceeded.
    n_cells: Vec<u32>,
}

impl Relations {
    /// Of relations as they start at this side, with their numbers and how many cells they have.
    fn new(n_types: usize, links: impl Iterator<Item = (u32, u32, u32, u32)> + Clone) -> Self {
        let mut n_cells = vec![0; n_types];
        for (start, _, _, n_of_link) in links.clone() {
            n_cells[start as usize] += n_of_link;
        }
        let others = links.clone().map(|(start, end, ..)| (start, end));
        let with_cells = links
            .filter(|&(.., n_of_link)| n_of_link > 0)
            .map(|(start, end, link, _)| (start, (end, link)));
        Relations {
            others: Lists::new(n_types, others),
            with_cells: Lists::new(n_types, with_cells),
            n_cells,
        }
    }

    fn n_cells(&self, types: &[u32]) -> u32 {
        types.iter().map(|&at| self.n_cells[at as usize]).sum()
    }
}

/// A list for each type.
struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// The items of each type keep their order.
    fn new(n_types: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0; n_types + 2];
        for (at, _) in items.clone() {
            starts[at as usize + 2] += 1;
        }
        for at in 2..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut list = vec![T::default(); starts[n_types + 1] as usize];
        for (at, item) in items {
            let start = &mut starts[at as usize + 1];
            list[*start as usize] = item;
            *start += 1;
        }
        Lists { starts, items: list }
    }

    fn of(&self, at: u32) -> &[T] {
        let at = at as usize;
        &self.items[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

impl<'a> Rules<'a> {
    fn new(stages: &'a Stages, parts: &Parts<'_>, cells: &CellsOfLinks<'_>) -> Self {
        let n_types = stages.count_h.len();
        let links = (0..).zip(&stages.links);
        let links = links.filter(|(_, link)| link.kept && parts.of(link.h) != NONE);
        let forth = links.map(|(at, link)| (link.h, link.r, at, cells.of(at).len() as u32));
        let back = forth.clone().map(|(h, r, at, n_cells)| (r, h, at, n_cells));
        Rules { stages, forth: Relations::new(n_types, forth), back: Relations::new(n_types, back) }
    }

    fn from(&self, side: Side) -> &Relations {
        match side {
            Side::Hypothesis => &self.forth,
            Side::Reference => &self.back,
        }
    }

    /// Tells the rules of a part with these types: the numbers of the relations whose cells count, and how many of
    /// the cells may be taken.
    fn list(&self, types: &[u32], tell: &mut impl FnMut(&[u32], u32)) {
        if types.iter().all(|&at| self.forth.n_cells[at as usize] == 0) {
            return;
        }
        let mut links = Vec::new();
        for side in [Side::Hypothesis, Side::Reference] {
            let from = self.from(side);
            let mut ends: Vec<u32> = types.to_vec();
            ends.retain(|&at| !from.others.of(at).is_empty());
            for &at in &ends {
                // Without exact copies on the other side a type has no more copies than it may use.
                let has_twins =
                    self.stages.count_h[at as usize] > 0 && self.stages.count_r[at as usize] > 0;
                let limit = self.stages.surplus(at);
                if has_twins && from.n_cells[at as usize] > limit {
                    links.clear();
                    links.extend(from.with_cells.of(at).iter().map(|&(_, link)| link));
                    tell(&links, limit);
                }
            }
            ends.retain(|&at| self.must(side, at));
            let sets = self.list_sets(side, &ends);
            for &(start, end, limit) in &sets.ranges {
                self.links_into(side, &sets.types[start as usize..end as usize], &mut links);
                tell(&links, limit);
            }
        }
    }

    fn must(&self, side: Side, at: u32) -> bool {
        match side {
            Side::Hypothesis => self.stages.must_h[at as usize],
            Side::Reference => self.stages.must_r[at as usize],
        }
    }

    /// The sets of types that must be matched that have a rule: of all sets in a small part, of single types and of two
    /// in a larger one, of fewer where they would count too many cells.
    fn list_sets(&self, side: Side, must: &[u32]) -> Sets {
        for size in [LISTED, 2, 1] {
            if size == LISTED && must.len() > LISTED {
                continue;
            }
            let mut sets = Sets::default();
            if self.choose_sets(side, must, size, &mut sets) {
                return sets;
            }
        }
        Sets::default()
    }

    /// Chooses the sets of at most so many types that have a rule. Says whether they are not too many.
    fn choose_sets(&self, side: Side, must: &[u32], size: usize, sets: &mut Sets) -> bool {
        if size == LISTED {
            let mut set = Vec::new();
            return (1u32..1 << must.len()).all(|bits| {
                set.clear();
                set.extend((0..must.len()).filter(|&at| bits >> at & 1 == 1).map(|at| must[at]));
                self.choose_set(side, &set, sets)
            });
        }
        let mut sharing = Vec::new();
        must.iter().all(|&first| {
            if !self.choose_set(side, &[first], sets) {
                return false;
            }
            if size == 1 {
                return true;
            }
            // Two types without a common neighbour need no rule of their own: it would be the sum of theirs.
            if !self.read_sharing(side, first, &mut sharing, sets) {
                return false;
            }
            let others = sharing.iter().filter(|&&other| other > first && self.must(side, other));
            others.copied().all(|second| self.choose_set(side, &[first, second], sets))
        })
    }

    /// The types of this side that share a neighbour with one of them, sorted. Says whether they may be looked at.
    fn read_sharing(&self, side: Side, at: u32, sharing: &mut Vec<u32>, sets: &mut Sets) -> bool {
        sharing.clear();
        for &other in self.from(side).others.of(at) {
            let back = self.from(side.other()).others.of(other);
            sharing.extend(back);
            sets.looks += back.len();
            if sets.looks > MOST_LOOKS {
                return false;
            }
        }
        sharing.sort_unstable();
        sharing.dedup();
        true
    }

    /// Chooses a set that must be matched if it has a rule: more cells lead from outside to its neighbours than may be taken.
    /// Says whether the sets are not too many yet.
    fn choose_set(&self, side: Side, set: &[u32], sets: &mut Sets) -> bool {
        let around = &mut sets.around;
        around.clear();
        for &at in set {
            around.extend(self.from(side).others.of(at));
        }
        sets.looks += around.len();
        if set.len() > 1 {
            around.sort_unstable();
            around.dedup();
        }
        let spare =
            |types: &[u32]| -> u32 { types.iter().map(|&at| self.stages.surplus(at)).sum() };
        let limit = spare(around).saturating_sub(spare(set));
        // All cells of the set lead to its neighbours.
        let other = self.from(side.other());
        let n_outside = other.n_cells(around).saturating_sub(self.from(side).n_cells(set));
        if n_outside > limit {
            let start = sets.types.len() as u32;
            sets.types.extend(set);
            sets.ranges.push((start, sets.types.len() as u32, limit));
            sets.n_counted += n_outside as usize;
            sets.looks += around.iter().map(|&at| other.others.of(at).len()).sum::<usize>();
        }
        sets.n_counted <= MOST_COUNTED && sets.looks <= MOST_LOOKS
    }

    /// The relations with cells that lead from outside a set to its neighbours.
    fn links_into(&self, side: Side, set: &[u32], links: &mut Vec<u32>) {
        let (from, other) = (self.from(side), self.from(side.other()));
        let mut around: Vec<u32> = set.iter().flat_map(|&at| from.others.of(at)).copied().collect();
        around.sort_unstable();
        around.dedup();
        links.clear();
        let into = around.iter().flat_map(|&at| other.with_cells.of(at));
        links.extend(into.filter(|(end, _)| !set.contains(end)).map(|&(_, link)| link));
    }
}

/// Sets of types that have a rule.
#[derive(Default)]
struct Sets {
    /// The types of all sets, and for each its range among these and how many cells may be taken.
    types: Vec<u32>,
    ranges: Vec<(u32, u32, u32)>,
    /// The neighbours of the present set.
    around: Vec<u32>,
    /// How many cells the rules count together, and how many relations were looked at.
    n_counted: usize,
    looks: usize,
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
}
