//! Three reductions that shrink a set of duos without changing how many can be taken.
//!
//! *Domination*: a duo whose conflicts include all conflicts of one it conflicts with is never
//! needed. *Free pair*: a duo with empty rows and columns beside it, whose row and column span a
//! full rectangle, may be taken. *Run*: a whole diagonal run may be taken when its **closed**
//! neighbourhood holds no larger conflict-free set; two chain programs bound that set. (With the
//! open neighbourhood the rule is wrong: an optimum may keep a part of the run together with
//! neighbours of the rest.) Every rule is safe on its own, so the work may stop anywhere.
//!
//! Where capacities bind, a duo that uses one is only ever removed: it dominates nothing, is never
//! taken, alone or in a run, and is no corner of a rectangle. So every exchange a rule rests on
//! gives cells back and asks for none.

use super::duo::{Duo, Grid, NONE};

/// What is left of a set of duos.
pub(super) struct Reduced {
    /// Duos that belong to some largest conflict-free set, all together.
    pub(super) taken: Vec<Duo>,
    /// The remaining problem, sorted: its optimum plus `taken` is the optimum.
    pub(super) rest: Vec<Duo>,
}

/// Applies the rules until none fires or `visits` runs out.
pub(super) fn reduce(grid: &Grid, visits: &mut u64) -> Reduced {
    let mut state = Reducer::new(grid);
    state.run(visits);
    let rest = (0..grid.duos.len()).filter(|&d| state.alive[d]).map(|d| grid.duos[d]).collect();
    Reduced { taken: state.taken, rest }
}

/// Above this many neighbours or rectangle cells a rule is not tried: it practically never fires
/// there and its cost is quadratic.
const CROWD: usize = 512;

struct Reducer<'a> {
    grid: &'a Grid,
    alive: Vec<bool>,
    row_alive: Vec<u32>,
    column_alive: Vec<u32>,
    queue: Vec<u32>,
    queued: Vec<bool>,
    taken: Vec<Duo>,
    around: Vec<u32>,
    candidates: Vec<u32>,
    best: Vec<u32>,
    in_run: Vec<bool>,
    dead: u64,
}

impl<'a> Reducer<'a> {
    fn new(grid: &'a Grid) -> Self {
        let count = grid.duos.len();
        Reducer {
            grid,
            alive: vec![true; count],
            row_alive: (0..grid.rows.len()).map(|k| grid.row(k).len() as u32).collect(),
            column_alive: (0..grid.columns.len()).map(|k| grid.column(k).len() as u32).collect(),
            // A stack, filled so that the first duo is looked at first.
            queue: (0..count as u32).rev().collect(),
            queued: vec![true; count],
            taken: Vec::new(),
            around: Vec::new(),
            candidates: Vec::new(),
            best: vec![0; count],
            in_run: vec![false; count],
            dead: 0,
        }
    }

    fn run(&mut self, visits: &mut u64) {
        loop {
            while let Some(d) = self.queue.pop() {
                let d = d as usize;
                self.queued[d] = false;
                if self.alive[d] && !self.dominate(d, visits) {
                    self.free_pair(d, visits);
                }
                if *visits == 0 {
                    return;
                }
            }
            let before = self.dead;
            for d in 0..self.grid.duos.len() {
                if self.alive[d] && !self.is_bound(d) && self.run_before(d) == NONE {
                    self.run_rule(d, visits);
                    if *visits == 0 {
                        return;
                    }
                }
            }
            if self.dead == before {
                return;
            }
        }
    }

    fn alive_before(&self, d: usize) -> u32 {
        let before = self.grid.before[d];
        if before != NONE && self.alive[before as usize] { before } else { NONE }
    }

    fn alive_after(&self, d: usize) -> u32 {
        let after = self.grid.after[d];
        if after != NONE && self.alive[after as usize] { after } else { NONE }
    }

    fn is_bound(&self, d: usize) -> bool {
        self.grid.bound.get(d).copied().unwrap_or(false)
    }

    /// The diagonal neighbours that may be part of the same run: living, and without capacities.
    fn run_before(&self, d: usize) -> u32 {
        let before = self.alive_before(d);
        if before != NONE && self.is_bound(before as usize) { NONE } else { before }
    }

    fn run_after(&self, d: usize) -> u32 {
        let after = self.alive_after(d);
        if after != NONE && self.is_bound(after as usize) { NONE } else { after }
    }

    /// The positions in `rows` (or `columns`) of the lines next to the `k`-th and of itself.
    fn band(lines: &[u32], k: usize) -> std::ops::RangeInclusive<usize> {
        let low = if k > 0 && lines[k - 1] + 1 == lines[k] { k - 1 } else { k };
        let high = if k + 1 < lines.len() && lines[k] + 1 == lines[k + 1] { k + 1 } else { k };
        low..=high
    }

    /// Collects the living duos in conflict with `d` into `around`.
    fn look_around(&mut self, d: usize, visits: &mut u64) {
        let grid = self.grid;
        let duo = grid.duos[d];
        self.around.clear();
        let mut seen = 0;
        for k in Self::band(&grid.rows, grid.row_of[d] as usize) {
            for other in grid.row(k) {
                seen += 1;
                if self.alive[other] && duo.conflicts(grid.duos[other]) {
                    self.around.push(other as u32);
                }
            }
        }
        for k in Self::band(&grid.columns, grid.column_of[d] as usize) {
            for &other in grid.column(k) {
                seen += 1;
                let there = grid.duos[other as usize];
                let in_rows = there.i.abs_diff(duo.i) <= 1;
                if self.alive[other as usize] && !in_rows && duo.conflicts(there) {
                    self.around.push(other);
                }
            }
        }
        *visits = visits.saturating_sub(seen);
    }

    fn enqueue(&mut self, d: usize) {
        if self.alive[d] && !self.queued[d] {
            self.queued[d] = true;
            self.queue.push(d as u32);
        }
    }

    /// Removes a duo from the problem; everything near it may now be reducible.
    fn kill(&mut self, d: usize, visits: &mut u64) {
        if !self.alive[d] {
            return;
        }
        self.alive[d] = false;
        self.dead += 1;
        self.row_alive[self.grid.row_of[d] as usize] -= 1;
        self.column_alive[self.grid.column_of[d] as usize] -= 1;
        self.look_around(d, visits);
        let around = std::mem::take(&mut self.around);
        for &other in &around {
            self.enqueue(other as usize);
        }
        self.around = around;
        // A diagonal neighbour is not in conflict, but its free rows and its run have changed.
        for other in [self.alive_before(d), self.alive_after(d)] {
            if other != NONE {
                self.enqueue(other as usize);
            }
        }
    }

    fn take(&mut self, d: usize, visits: &mut u64) {
        self.taken.push(self.grid.duos[d]);
        self.look_around(d, visits);
        let gone = self.around.clone();
        self.kill(d, visits);
        for other in gone {
            self.kill(other as usize, visits);
        }
    }

    /// Deletes every duo that `d` dominates; takes `d` when nothing conflicts with it.
    fn dominate(&mut self, d: usize, visits: &mut u64) -> bool {
        if self.is_bound(d) {
            return false;
        }
        self.look_around(d, visits);
        if self.around.is_empty() {
            self.take(d, visits);
            return true;
        }
        if self.around.len() > CROWD {
            return false;
        }
        let duos = &self.grid.duos;
        self.candidates.clear();
        self.candidates.extend_from_slice(&self.around);
        // The first found lie in the rows around, the last in the columns: taking from both ends
        // leaves few candidates soon.
        let count = self.around.len();
        for at in 0..count {
            let w = self.around[if at % 2 == 0 { at / 2 } else { count - 1 - at / 2 }];
            *visits = visits.saturating_sub(self.candidates.len() as u64);
            self.candidates.retain(|&u| u == w || duos[u as usize].conflicts(duos[w as usize]));
            if self.candidates.is_empty() {
                return false;
            }
        }
        let dominated = std::mem::take(&mut self.candidates);
        for &u in &dominated {
            self.kill(u as usize, visits);
        }
        self.candidates = dominated;
        // `d` itself may be free of conflicts now.
        self.enqueue(d);
        true
    }

    fn empty_beside(lines: &[u32], alive: &[u32], k: usize) -> bool {
        Self::band(lines, k).all(|other| other == k || alive[other] == 0)
    }

    fn free_pair(&mut self, d: usize, visits: &mut u64) {
        let grid = self.grid;
        let (row, column) = (grid.row_of[d] as usize, grid.column_of[d] as usize);
        let cells = self.row_alive[row] as usize * self.column_alive[column] as usize;
        if cells > CROWD
            || self.is_bound(d)
            || !Self::empty_beside(&grid.rows, &self.row_alive, row)
            || !Self::empty_beside(&grid.columns, &self.column_alive, column)
        {
            return;
        }
        for &up in grid.column(column) {
            if !self.alive[up as usize] {
                continue;
            }
            let k = grid.row_of[up as usize] as usize;
            for side in grid.row(row) {
                *visits = visits.saturating_sub(1);
                if !self.alive[side] {
                    continue;
                }
                match grid.find(k, grid.duos[side].j) {
                    Some(corner) if self.alive[corner] && !self.is_bound(corner) => {}
                    _ => return,
                }
            }
        }
        self.take(d, visits);
    }

    /// Takes the living run that begins at `first` if nothing better fits around it.
    fn run_rule(&mut self, first: usize, visits: &mut u64) {
        let grid = self.grid;
        let mut last = first;
        let mut length = 1u32;
        self.in_run[first] = true;
        while self.run_after(last) != NONE {
            last = self.run_after(last) as usize;
            self.in_run[last] = true;
            length += 1;
        }
        let rows = *Self::band(&grid.rows, grid.row_of[first] as usize).start()
            ..=*Self::band(&grid.rows, grid.row_of[last] as usize).end();
        let columns = *Self::band(&grid.columns, grid.column_of[first] as usize).start()
            ..=*Self::band(&grid.columns, grid.column_of[last] as usize).end();
        // Where a bound duo ended the run, it is compatible with it and stays.
        let beside = [self.alive_before(first), self.alive_after(last)];
        let low_row = grid.rows[*rows.start()];
        let high_row = grid.rows[*rows.end()];

        // Twice the size of a conflict-free set inside the closed neighbourhood: run members
        // count once in each chain, every other duo twice in one of them.
        let by_rows = self.chain(rows.clone(), true, beside, |_| true, visits);
        let by_columns = if by_rows > length + 1 {
            // The run itself is worth `length` in the other chain, so the sum is already too big.
            length + 1
        } else {
            let outside = |duo: Duo| duo.i < low_row || duo.i > high_row;
            self.chain(columns.clone(), false, beside, outside, visits)
        };
        let safe = (by_rows + by_columns) / 2 <= length;

        let mut d = first;
        let mut members = Vec::new();
        loop {
            self.in_run[d] = false;
            if safe {
                members.push(d);
            }
            if d == last {
                break;
            }
            d = grid.after[d] as usize;
        }
        if safe {
            for &d in &members {
                self.taken.push(grid.duos[d]);
            }
            for k in rows {
                for d in grid.row(k) {
                    if !beside.contains(&(d as u32)) {
                        self.kill(d, visits);
                    }
                }
            }
            for k in columns {
                for at in 0..grid.column(k).len() {
                    let d = grid.column(k)[at];
                    if !beside.contains(&d) {
                        self.kill(d as usize, visits);
                    }
                }
            }
        }
    }

    /// The heaviest set of living duos in a band of lines that respects the conflicts between
    /// equal and neighbouring lines only: run members weigh 1, the others 2 where `counts`.
    fn chain(
        &mut self,
        lines: std::ops::RangeInclusive<usize>,
        rows: bool,
        beside: [u32; 2],
        counts: impl Fn(Duo) -> bool,
        visits: &mut u64,
    ) -> u32 {
        let grid = self.grid;
        let positions = if rows { &grid.rows } else { &grid.columns };
        // Best totals over all lines before the current one, and over all before the previous.
        let (mut total, mut older) = (0u32, 0u32);
        let mut previous = None;
        for k in lines {
            let position = positions[k];
            let touching = previous == Some(position.wrapping_sub(1));
            let unused = if touching { older } else { total };
            let mut here = 0;
            let count = if rows { grid.row(k).len() } else { grid.column(k).len() };
            *visits = visits.saturating_sub(count as u64);
            for at in 0..count {
                let d = if rows { grid.row(k).start + at } else { grid.column(k)[at] as usize };
                self.best[d] = 0;
                if !self.alive[d] || beside.contains(&(d as u32)) {
                    continue;
                }
                let weight = if self.in_run[d] {
                    1
                } else if counts(grid.duos[d]) {
                    2
                } else {
                    continue;
                };
                let before = self.alive_before(d);
                let chained =
                    if touching && before != NONE { self.best[before as usize] } else { 0 };
                self.best[d] = weight + unused.max(chained);
                here = here.max(self.best[d]);
            }
            older = total;
            total = total.max(here);
            previous = Some(position);
        }
        total
    }
}
