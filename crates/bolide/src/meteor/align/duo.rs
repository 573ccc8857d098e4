//! Duos: two neighbouring hypothesis words matched to two neighbouring reference words.
//!
//! An alignment with a fixed number of matches has few chunks when it has many adjacencies, and a
//! set of duos is a set of adjacencies exactly when it maps no word twice. This module has the
//! conflict rule, the table of rows, columns and diagonals through a set of duos, its connected
//! components, and the longest-run-first greedy choice. Proving anything is left to others.

use super::capacity::Capacities;
use std::cmp::Ordering;

/// No word, no duo, no class.
pub(super) const NONE: u32 = u32::MAX;

/// Hypothesis words `i`, `i + 1` matched to reference words `j`, `j + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Duo {
    pub(super) i: u32,
    pub(super) j: u32,
}

/// By row, then by column. One comparison of 64 bits takes less time than two that depend on each other.
impl Ord for Duo {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |duo: &Duo| u64::from(duo.i) << 32 | u64::from(duo.j);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Duo {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Duo {
    /// The same with the sides exchanged.
    pub(super) fn turned(self) -> Duo {
        Duo { i: self.j, j: self.i }
    }

    /// Whether the two duos map one word to two partners. A duo's diagonal neighbours are
    /// compatible with it: they share a word and agree on it.
    pub(super) fn conflicts(self, other: Duo) -> bool {
        let di = i64::from(other.i) - i64::from(self.i);
        let dj = i64::from(other.j) - i64::from(self.j);
        di != dj && (di.abs() <= 1 || dj.abs() <= 1)
    }
}

/// Makes a list of so many equal values.
pub(super) fn refill<T: Copy>(list: &mut Vec<T>, count: usize, value: T) {
    list.clear();
    list.resize(count, value);
}

/// Makes two sorted lists of duos one, each duo once.
pub(super) fn merge(a: &[Duo], b: &[Duo], all: &mut Vec<Duo>) {
    all.clear();
    let (mut at, mut there) = (0, 0);
    while let (Some(&here), Some(&other)) = (a.get(at), b.get(there)) {
        all.push(here.min(other));
        at += usize::from(here <= other);
        there += usize::from(other <= here);
    }
    all.extend_from_slice(&a[at..]);
    all.extend_from_slice(&b[there..]);
}

/// A partial one-to-one map of words, as the duos taken so far have fixed it.
#[derive(Default)]
pub(super) struct WordMap {
    to_reference: Vec<u32>,
    to_hypothesis: Vec<u32>,
    touched: Vec<Duo>,
    /// Cells taken of each capacity.
    spent: Vec<u32>,
}

impl WordMap {
    /// Starts empty, for words below `m` and `n`.
    pub(super) fn begin(&mut self, m: usize, n: usize) {
        self.clear();
        if self.to_reference.len() < m {
            self.to_reference.resize(m, NONE);
        }
        if self.to_hypothesis.len() < n {
            self.to_hypothesis.resize(n, NONE);
        }
    }

    /// Forgets what was taken, at the cost of what was taken.
    pub(super) fn clear(&mut self) {
        for duo in self.touched.drain(..) {
            for step in 0..2 {
                self.to_reference[(duo.i + step) as usize] = NONE;
                self.to_hypothesis[(duo.j + step) as usize] = NONE;
            }
        }
        self.spent.clear();
    }

    /// Whether the duo agrees with everything taken: the constant-time form of the conflict rule.
    pub(super) fn allows(&self, duo: Duo, capacities: &Capacities) -> bool {
        let agrees = (0..2).all(|step| {
            let (i, j) = (duo.i + step, duo.j + step);
            let there = self.to_reference[i as usize];
            let back = self.to_hypothesis[j as usize];
            there == j || (there == NONE && back == NONE)
        });
        agrees && (capacities.len() == 0 || !capacities.bind(duo) || self.affords(duo, capacities))
    }

    fn affords(&self, duo: Duo, capacities: &Capacities) -> bool {
        let [first, second] = [0, 1].map(|step| match self.to_reference[(duo.i + step) as usize] {
            NONE => capacities.of(duo.i + step, duo.j + step),
            _ => &[],
        });
        let room = |number: u32| {
            let spent = self.spent.get(number as usize).copied().unwrap_or(0);
            capacities.left(number).saturating_sub(spent)
        };
        first.iter().all(|&number| room(number) > 0)
            && second.iter().all(|&number| room(number) > u32::from(first.contains(&number)))
    }

    /// Takes a duo that [`WordMap::allows`].
    pub(super) fn take(&mut self, duo: Duo, capacities: &Capacities) {
        if capacities.len() > 0 && capacities.bind(duo) {
            self.spent.resize(capacities.len(), 0);
            for step in 0..2 {
                if self.to_reference[(duo.i + step) as usize] == NONE {
                    for &number in capacities.of(duo.i + step, duo.j + step) {
                        self.spent[number as usize] += 1;
                    }
                }
            }
        }
        for step in 0..2 {
            self.to_reference[(duo.i + step) as usize] = duo.j + step;
            self.to_hypothesis[(duo.j + step) as usize] = duo.i + step;
        }
        self.touched.push(duo);
    }

    /// The duo that the partners of hypothesis words `i` and `i + 1` form, if they do.
    pub(super) fn duo_at(&self, i: u32) -> Option<Duo> {
        let j = self.to_reference[i as usize];
        let goes_on = j != NONE && self.to_reference[i as usize + 1] == j + 1;
        goes_on.then_some(Duo { i, j })
    }

    /// Whether hypothesis words `i` and `i + 1` have no partner.
    pub(super) fn row_is_free(&self, i: u32) -> bool {
        self.to_reference[i as usize] == NONE && self.to_reference[i as usize + 1] == NONE
    }

    /// Whether reference words `j` and `j + 1` have no partner.
    pub(super) fn column_is_free(&self, j: u32) -> bool {
        self.to_hypothesis[j as usize] == NONE && self.to_hypothesis[j as usize + 1] == NONE
    }
}

/// Rows, columns and diagonals through a sorted set of duos.
pub(super) struct Grid {
    pub(super) duos: Vec<Duo>,
    /// The distinct rows in ascending order, and where each begins in `duos`.
    pub(super) rows: Vec<u32>,
    pub(super) row_start: Vec<u32>,
    /// The distinct columns in ascending order, and where each begins in `by_column`.
    pub(super) columns: Vec<u32>,
    pub(super) column_start: Vec<u32>,
    /// Duo numbers sorted by column, then row.
    pub(super) by_column: Vec<u32>,
    /// Position of each duo's row in `rows` and of its column in `columns`.
    pub(super) row_of: Vec<u32>,
    pub(super) column_of: Vec<u32>,
    /// The duos diagonally before and after each duo, or [`NONE`].
    pub(super) before: Vec<u32>,
    pub(super) after: Vec<u32>,
    /// The capacities that these duos could exceed.
    pub(super) capacities: Vec<u32>,
    /// Whether a duo uses one of those.
    pub(super) bound: Vec<bool>,
}

impl Grid {
    /// Builds the table; `duos` is sorted and without repeats.
    pub(super) fn new(duos: Vec<Duo>, capacities: &Capacities) -> Self {
        let count = duos.len();
        let (binding, bound) = capacities.binding(&duos);
        let mut rows = Vec::new();
        let mut row_start = Vec::new();
        let mut row_of = Vec::with_capacity(count);
        for (at, duo) in duos.iter().enumerate() {
            if rows.last() != Some(&duo.i) {
                rows.push(duo.i);
                row_start.push(at as u32);
            }
            row_of.push(rows.len() as u32 - 1);
        }
        row_start.push(count as u32);
        let by_column = order_by_column(&duos);
        let mut columns: Vec<u32> = Vec::new();
        let mut column_start = Vec::new();
        let mut column_of = vec![0; count];
        for (at, &d) in by_column.iter().enumerate() {
            let j = duos[d as usize].j;
            if columns.last() != Some(&j) {
                columns.push(j);
                column_start.push(at as u32);
            }
            column_of[d as usize] = columns.len() as u32 - 1;
        }
        column_start.push(count as u32);
        let mut before = vec![NONE; count];
        let mut after = vec![NONE; count];
        for k in 1..rows.len() {
            if rows[k - 1] + 1 != rows[k] {
                continue;
            }
            // Both rows ascend, so one merge finds all diagonal neighbours.
            let mut low = row_start[k - 1] as usize;
            let low_end = row_start[k] as usize;
            for high in low_end..row_start[k + 1] as usize {
                while low < low_end && duos[low].j + 1 < duos[high].j {
                    low += 1;
                }
                if low < low_end && duos[low].j + 1 == duos[high].j {
                    before[high] = low as u32;
                    after[low] = high as u32;
                }
            }
        }
        Grid {
            duos,
            rows,
            row_start,
            columns,
            column_start,
            by_column,
            row_of,
            column_of,
            before,
            after,
            capacities: binding,
            bound,
        }
    }

    /// The duos of the `k`-th distinct row, as a range of duo numbers.
    pub(super) fn row(&self, k: usize) -> std::ops::Range<usize> {
        self.row_start[k] as usize..self.row_start[k + 1] as usize
    }

    /// The duo numbers of the `k`-th distinct column.
    pub(super) fn column(&self, k: usize) -> &[u32] {
        &self.by_column[self.column_start[k] as usize..self.column_start[k + 1] as usize]
    }

    /// The number of the duo (`i`, `j`) where `k` is the position of row `i` in `rows`.
    pub(super) fn find(&self, k: usize, j: u32) -> Option<usize> {
        let range = self.row(k);
        let begin = range.start;
        self.duos[range].binary_search_by_key(&j, |duo| duo.j).ok().map(|at| begin + at)
    }

    /// The connected components of the conflict graph, each sorted, in order of first duo.
    ///
    /// A row is a clique and so is a column, so it is enough to join row and column nodes: every
    /// duo joins its row with its column, and neighbouring rows are joined unless each holds one
    /// duo and those two are diagonal.
    ///
    /// Duos that share a capacity which they could exceed belong together too.
    pub(super) fn components(&self, capacities: &Capacities) -> Vec<Vec<Duo>> {
        let n_rows = self.rows.len();
        let mut sets = Sets::new(n_rows + self.columns.len());
        for d in 0..self.duos.len() {
            sets.join(self.row_of[d] as usize, n_rows + self.column_of[d] as usize);
        }
        for k in 1..n_rows {
            if self.rows[k - 1] + 1 == self.rows[k] {
                let (low, high) = (self.row(k - 1), self.row(k));
                let apart = low.len() == 1 && high.len() == 1 && self.before[high.start] != NONE;
                if !apart {
                    sets.join(k - 1, k);
                }
            }
        }
        for k in 1..self.columns.len() {
            if self.columns[k - 1] + 1 == self.columns[k] {
                let (low, high) = (self.column(k - 1), self.column(k));
                let apart =
                    low.len() == 1 && high.len() == 1 && self.before[high[0] as usize] == low[0];
                if !apart {
                    sets.join(n_rows + k - 1, n_rows + k);
                }
            }
        }
        let mut user_of = vec![NONE; capacities.len()];
        for (d, _) in self.bound.iter().enumerate().filter(|&(_, &bound)| bound) {
            let duo = self.duos[d];
            for step in 0..2 {
                for &capacity in capacities.of(duo.i + step, duo.j + step) {
                    if self.capacities.binary_search(&capacity).is_ok() {
                        let user = &mut user_of[capacity as usize];
                        if *user == NONE {
                            *user = self.row_of[d];
                        }
                        sets.join(*user as usize, self.row_of[d] as usize);
                    }
                }
            }
        }
        let mut number = vec![NONE; n_rows + self.columns.len()];
        let mut components: Vec<Vec<Duo>> = Vec::new();
        for (d, &duo) in self.duos.iter().enumerate() {
            let root = sets.find(self.row_of[d] as usize);
            if number[root] == NONE {
                number[root] = components.len() as u32;
                components.push(Vec::new());
            }
            components[number[root] as usize].push(duo);
        }
        components
    }

    /// A conflict-free set: the longest diagonal run first, cut where others were in the way.
    pub(super) fn longest_runs(&self, map: &mut WordMap, capacities: &Capacities) -> Vec<Duo> {
        let chosen = longest_runs(&self.duos, &self.before, &self.after, map, capacities);
        map.clear();
        chosen
    }
}

/// A conflict-free set of sorted duos, left in `map`: the longest diagonal run first, cut where
/// others were in the way.
pub(super) fn longest_runs(
    duos: &[Duo],
    before: &[u32],
    after: &[u32],
    map: &mut WordMap,
    capacities: &Capacities,
) -> Vec<Duo> {
    let mut queue: Vec<Vec<u32>> = Vec::new();
    for (d, &previous) in before.iter().enumerate().take(duos.len()) {
        if previous == NONE {
            let mut length = 1;
            let mut last = d;
            while after[last] != NONE {
                last = after[last] as usize;
                length += 1;
            }
            enqueue(&mut queue, d as u32, length);
        }
    }
    let mut chosen = Vec::new();
    // What is left of a run is shorter, so the runs of a length are complete when its turn comes.
    while let Some(mut firsts) = queue.pop() {
        let length = queue.len() + 1;
        firsts.sort_unstable();
        for first in firsts {
            take_run(duos, after, (first, length), map, capacities, &mut queue, &mut chosen);
        }
    }
    chosen
}

/// Puts the run of this length that begins with duo `first` into the queue.
fn enqueue(queue: &mut Vec<Vec<u32>>, first: u32, length: usize) {
    if queue.len() < length {
        queue.resize(length, Vec::new());
    }
    queue[length - 1].push(first);
}

/// Takes a run if all of it is still free, or else puts its free parts into the queue.
fn take_run(
    duos: &[Duo],
    after: &[u32],
    (first, length): (u32, usize),
    map: &mut WordMap,
    capacities: &Capacities,
    queue: &mut Vec<Vec<u32>>,
    chosen: &mut Vec<Duo>,
) {
    let run = || std::iter::successors(Some(first), |&d| Some(after[d as usize])).take(length);
    // Most runs are not free, so the parts are found on the way.
    let mut part: Option<(u32, usize)> = None;
    for d in run() {
        if map.allows(duos[d as usize], capacities) {
            part = Some(part.map_or((d, 1), |(from, size)| (from, size + 1)));
        } else if let Some((from, size)) = part.take() {
            enqueue(queue, from, size);
        }
    }
    let Some((from, size)) = part else { return };
    if size < length {
        enqueue(queue, from, size);
        return;
    }
    for d in run() {
        let duo = duos[d as usize];
        // One by one there was room for them, together perhaps not.
        if capacities.len() == 0 || map.allows(duo, capacities) {
            map.take(duo, capacities);
            chosen.push(duo);
        }
    }
}

/// Duo numbers sorted by column, then row: a counting sort where the columns lie close together.
fn order_by_column(duos: &[Duo]) -> Vec<u32> {
    let first = duos.iter().map(|duo| duo.j).min().unwrap_or(0);
    let last = duos.iter().map(|duo| duo.j).max().unwrap_or(0);
    let span = (last - first) as usize + 1;
    if span > 8 * duos.len() {
        let mut order: Vec<u32> = (0..duos.len() as u32).collect();
        order.sort_unstable_by_key(|&d| (duos[d as usize].j, d));
        return order;
    }
    let mut next = vec![0u32; span + 1];
    for duo in duos {
        next[(duo.j - first) as usize + 1] += 1;
    }
    for at in 0..span {
        next[at + 1] += next[at];
    }
    let mut order = vec![0; duos.len()];
    for (d, duo) in duos.iter().enumerate() {
        let slot = &mut next[(duo.j - first) as usize];
        order[*slot as usize] = d as u32;
        *slot += 1;
    }
    order
}

/// Disjoint sets with path halving.
pub(super) struct Sets {
    parent: Vec<u32>,
}

impl Sets {
    pub(super) fn new(count: usize) -> Self {
        Sets { parent: (0..count as u32).collect() }
    }

    pub(super) fn find(&mut self, mut at: usize) -> usize {
        while self.parent[at] as usize != at {
            self.parent[at] = self.parent[self.parent[at] as usize];
            at = self.parent[at] as usize;
        }
        at
    }

    /// Joins two sets; the smaller root stays, which keeps results independent of call order.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low as u32;
    }
}
