//! A conflict-free set made larger: windows of rows choose again, and may evict others.
//!
//! With everything outside a window of rows fixed, a reference word costs what taking it from its
//! owner would lose: nothing, one adjacency or two. The best chain of the window at these costs
//! gains where it is worth more than the present one. Equals are taken too: first towards the words
//! that the relaxation finds cheap, then in an order that differs from pass to pass. They open the way
//! for later windows. What a move truly changes is counted, and a move that loses is taken back.

use super::bigrams::Bigrams;
use super::capacity::Capacities;
use super::document::{ALONE, Row, diagonals};
use super::duo::{Duo, NONE};
use super::prices::ONE;

/// Rows of a window, if the rows after it allow a cut: long windows find more, but where words
/// repeat a chain soon wants one of them twice. Each pass takes the next.
const WINDOWS: [usize; 3] = [32, 10, 4];

/// Columns of a group that a row looks at.
const LOOK: usize = 64;

/// How often all windows may choose again.
const PASSES: u32 = 40;

/// The rows of a problem and what each may choose.
pub(super) struct Choices<'a> {
    pub(super) rows: &'a [Row],
    pub(super) duos: &'a [Duo],
    /// The duo diagonally before each.
    pub(super) before: &'a [u32],
    pub(super) bigrams: &'a Bigrams,
    pub(super) capacities: &'a Capacities,
    /// Prices of reference words, to decide between equals.
    pub(super) prices: &'a [i32],
    /// The rows that the relaxation would use. A window is looked at if the set leaves one of them out.
    pub(super) wanted: &'a [bool],
}

/// A set on its way.
pub(super) struct Polish<'a> {
    choices: &'a Choices<'a>,
    /// The partner of every word, with an unmatched word on either end.
    to_reference: Vec<u32>,
    to_hypothesis: Vec<u32>,
    /// How many duos the match of each reference word is part of.
    lost: Vec<u8>,
    /// Whether hypothesis word `i` begins a row.
    is_row: Vec<bool>,
    /// Cells taken of each capacity, if there are any.
    spent: Vec<u32>,
    is_limited: bool,
    /// How many capacities have more cells taken than there is room for.
    n_exceeded: usize,
    /// How many duos the set has.
    count: usize,
    pass: u32,
    /// Rows and duos looked at.
    looks: usize,
    /// The changes of the present move: words and the partners they had.
    log: Vec<(u32, u32)>,
    forward: Vec<i64>,
    pick: Vec<(u32, u32, i64)>,
}

/// How much to try: rows and duos looked at, how many passes whatever that costs, and how many passes in a row may gain nothing.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    looks: usize,
    passes: u32,
    quiet: u32,
}

/// While the bound is on its way, and when nothing comes after.
pub(super) const BRIEF: Effort = Effort { looks: 0, passes: 3, quiet: 1 };
pub(super) const THOROUGH: Effort = Effort { looks: 150_000, passes: 6, quiet: 6 };

impl Effort {
    /// As much of it as a part of these visits pays for.
    pub(super) fn within(self, visits: u64) -> Effort {
        // In 64 bits: a browser's `usize` has 32.
        let looks = (self.looks as u64).min(visits / 8) as usize;
        Effort { looks, ..self }
    }
}

/// A set of `chosen` or more duos of texts with `m` and `n` words.
pub(super) fn polish(
    choices: &Choices<'_>,
    (m, n): (usize, usize),
    chosen: &[Duo],
    effort: Effort,
) -> Vec<Duo> {
    let mut polish = Polish::new(choices, (m, n));
    polish.begin(chosen);
    let mut quiet = 0;
    for pass in 0..PASSES {
        let before = polish.count;
        polish.pass = pass;
        polish.go_over();
        quiet = if polish.count == before { quiet + 1 } else { 0 };
        if quiet == effort.quiet || (pass + 1 >= effort.passes && polish.looks >= effort.looks) {
            break;
        }
    }
    polish.chosen()
}

/// The same for sorted duos that are all listed.
pub(super) fn polish_listed(
    duos: &[Duo],
    capacities: &Capacities,
    size: (usize, usize),
    chosen: &[Duo],
) -> Vec<Duo> {
    let bigrams = Bigrams::default();
    let mut before = Vec::new();
    diagonals(duos, &mut before, &mut Vec::new());
    let mut rows: Vec<Row> = Vec::new();
    let mut start = 0;
    for same in duos.chunk_by(|a, b| a.i == b.i) {
        let i = same[0].i;
        let end = start + same.len() as u32;
        let touching = rows.last().is_some_and(|last| last.i + 1 == i);
        rows.push(Row { i, group: NONE, start, end, touching });
        start = end;
    }
    let choices = Choices {
        rows: &rows,
        duos,
        before: &before,
        bigrams: &bigrams,
        capacities,
        prices: &[],
        wanted: &vec![true; rows.len()],
    };
    polish(&choices, size, chosen, THOROUGH)
}

impl<'a> Polish<'a> {
    fn new(choices: &'a Choices<'a>, (m, n): (usize, usize)) -> Self {
        let mut is_row = vec![false; m + 2];
        for row in choices.rows {
            is_row[row.i as usize] = true;
        }
        Polish {
            choices,
            to_reference: vec![NONE; m + 2],
            to_hypothesis: vec![NONE; n + 2],
            lost: vec![0; n + 2],
            is_row,
            spent: vec![0; choices.capacities.len()],
            is_limited: choices.capacities.len() > 0,
            n_exceeded: 0,
            count: 0,
            pass: 0,
            looks: 0,
            log: Vec::new(),
            forward: vec![0; choices.duos.len()],
            pick: vec![(NONE, 0, 0); choices.rows.len()],
        }
    }

    /// Begins with a conflict-free set.
    fn begin(&mut self, chosen: &[Duo]) {
        for &Duo { i, j } in chosen {
            for (i, j) in [(i, j), (i + 1, j + 1)] {
                self.to_reference[i as usize] = j;
                // The second word of a duo may be the first of the next.
                let is_new = std::mem::replace(&mut self.to_hypothesis[j as usize], i) == NONE;
                if is_new {
                    self.spend(i, j);
                }
            }
        }
        // Matches may be diagonal neighbours without being chosen as a duo.
        for row in self.choices.rows {
            if !self.is_chosen(row.i) {
                continue;
            }
            let j = self.to_reference[row.i as usize] as usize;
            self.lost[j] += 1;
            self.lost[j + 1] += 1;
            self.count += 1;
        }
    }

    fn chosen(&self) -> Vec<Duo> {
        let rows = self.choices.rows.iter().filter(|row| self.is_chosen(row.i));
        rows.map(|row| Duo { i: row.i, j: self.to_reference[row.i as usize] }).collect()
    }

    /// Whether hypothesis words `i` and `i + 1` form a duo of the set.
    fn is_chosen(&self, i: u32) -> bool {
        let (j, next) = (self.to_reference[i as usize], self.to_reference[i as usize + 1]);
        j != NONE && next == j + 1 && self.is_row[i as usize]
    }

    /// How many duos the match of hypothesis word `i` is part of.
    fn duos_at(&self, i: u32) -> usize {
        usize::from(i > 0 && self.is_chosen(i - 1)) + usize::from(self.is_chosen(i))
    }

    /// Counts the match of words `i` and `j` in the capacities that it uses.
    fn spend(&mut self, i: u32, j: u32) {
        if self.is_limited {
            let capacities = self.choices.capacities;
            for &number in capacities.of(i, j) {
                let spent = &mut self.spent[number as usize];
                self.n_exceeded += usize::from(*spent == capacities.left(number));
                *spent += 1;
            }
        }
    }

    /// Takes [`Polish::spend`] back.
    fn give_back(&mut self, i: u32, j: u32) {
        if self.is_limited {
            let capacities = self.choices.capacities;
            for &number in capacities.of(i, j) {
                let spent = &mut self.spent[number as usize];
                *spent -= 1;
                self.n_exceeded -= usize::from(*spent == capacities.left(number));
            }
        }
    }

    fn unmatch(&mut self, i: u32) {
        let j = self.to_reference[i as usize];
        if j == NONE {
            return;
        }
        self.count -= self.duos_at(i);
        self.log.push((i, j));
        self.to_reference[i as usize] = NONE;
        self.to_hypothesis[j as usize] = NONE;
        self.lost[j as usize] = 0;
        self.count_again(i);
        self.give_back(i, j);
    }

    fn take(&mut self, i: u32, j: u32) {
        if self.to_reference[i as usize] == j {
            return;
        }
        self.unmatch(i);
        let owner = self.to_hypothesis[j as usize];
        if owner != NONE {
            self.unmatch(owner);
        }
        self.log.push((i, NONE));
        self.to_reference[i as usize] = j;
        self.to_hypothesis[j as usize] = i;
        self.spend(i, j);
        self.count += self.duos_at(i);
        self.lost[j as usize] = self.duos_at(i) as u8;
        self.count_again(i);
    }

    /// Counts again what the matches beside hypothesis word `i` are part of.
    fn count_again(&mut self, i: u32) {
        for at in [i.wrapping_sub(1), i + 1] {
            let j = self.to_reference.get(at as usize).copied().unwrap_or(NONE);
            if j != NONE {
                self.lost[j as usize] = self.duos_at(at) as u8;
            }
        }
    }

    /// Takes the changes of the present move back.
    fn undo(&mut self) {
        let mut log = std::mem::take(&mut self.log);
        while let Some((i, j)) = log.pop() {
            if j == NONE {
                self.unmatch(i);
            } else {
                self.take(i, j);
            }
        }
        log.clear();
        self.log = log;
    }

    fn go_over(&mut self) {
        let rows = self.choices.rows;
        let mut start = 0;
        // Windows begin elsewhere in every pass.
        let window = WINDOWS[self.pass as usize % WINDOWS.len()];
        let mut most = 1 + (self.pass as usize * 7) % window;
        while start < rows.len() {
            let mut end = start + 1;
            let is_open = |k: usize| self.choices.wanted[k] && !self.is_chosen(rows[k].i);
            let mut open = is_open(start);
            while end < rows.len()
                && rows[end].touching
                && (end - start < most || self.is_chosen(rows[end].i))
            {
                open |= is_open(end);
                end += 1;
            }
            if open {
                let duos = rows[end - 1].end - rows[start].start;
                self.looks += end - start + duos as usize;
                self.choose_again(start, end);
            }
            start = end;
            most = window;
        }
    }

    /// Lets the rows `start..end` choose again. Their neighbours are not chosen.
    fn choose_again(&mut self, start: usize, end: usize) {
        let rows = self.choices.rows;
        let before = self.count;
        self.log.clear();
        for i in rows[start].i..=rows[end - 1].i + 1 {
            self.unmatch(i);
        }
        let alone = before - self.count;
        let worth = self.value(start, end);
        if worth < alone as i64 * ONE {
            self.undo();
            return;
        }
        self.apply(start, end);
        if self.count < before || self.n_exceeded > 0 {
            self.undo();
        }
    }

    /// What the match with reference word `j` costs.
    fn cost(&self, j: u32) -> i64 {
        // What decides between equals: prices, then every pass its own order. The sum over a
        // window is below a half.
        let price = match self.choices.prices.get(j as usize) {
            Some(&price) if self.pass == 0 => i64::from(price) / 2048,
            _ => i64::from((j ^ self.pass << 20).wrapping_mul(0x9e37_79b1) >> 25),
        };
        i64::from(self.lost[j as usize]) * ONE + price
    }

    /// The best chain over the rows, costs counted; a little more than it is worth in whole ones.
    fn value(&mut self, start: usize, end: usize) -> i64 {
        let choices = self.choices;
        let (mut total, mut older) = (0i64, 0i64);
        for k in start..end {
            let row = &choices.rows[k];
            let unused = if k > start { older } else { total };
            let mut here = (total, NONE, 0);
            for d in row.start as usize..row.end as usize {
                let j = choices.duos[d].j;
                let before = choices.before[d];
                let fresh = unused - self.cost(j);
                let follow = if k > start && before != NONE {
                    self.forward[before as usize]
                } else {
                    i64::MIN
                };
                let value = ONE - self.cost(j + 1) + fresh.max(follow);
                self.forward[d] = value;
                if value > here.0 {
                    here = (value, d as u32, 0);
                }
            }
            if row.group != NONE {
                let columns = choices.bigrams.of(row.group);
                // Begin where the row would stand if the columns were in the same order.
                let from = columns.partition_point(|&j| j < row.i);
                let (late, early) = columns.split_at(from);
                for &j in early.iter().chain(late).take(LOOK) {
                    let value = unused + ONE - self.cost(j) - self.cost(j + 1);
                    if value > here.0 {
                        here = (value, ALONE, j);
                    }
                    if value >= unused + ONE {
                        break;
                    }
                }
            }
            older = total;
            total = here.0;
            self.pick[k] = (here.1, here.2, unused);
        }
        total + ONE / 2
    }

    /// Takes the best chain that [`Polish::value`] found.
    fn apply(&mut self, start: usize, end: usize) {
        let choices = self.choices;
        let mut chain = Vec::new();
        let mut k = end;
        while k > start {
            k -= 1;
            let (pick, j, mut unused) = self.pick[k];
            if pick == NONE {
                continue;
            }
            if pick == ALONE {
                chain.push(Duo { i: choices.rows[k].i, j });
            } else {
                let mut d = pick as usize;
                loop {
                    chain.push(choices.duos[d]);
                    let before = choices.before[d];
                    let fresh = unused - self.cost(choices.duos[d].j);
                    if k == start || before == NONE || self.forward[before as usize] <= fresh {
                        break;
                    }
                    d = before as usize;
                    k -= 1;
                    unused = self.pick[k].2;
                }
            }
            if k > start {
                k -= 1;
            }
        }
        for duo in chain {
            self.take(duo.i, duo.j);
            self.take(duo.i + 1, duo.j + 1);
        }
    }
}
