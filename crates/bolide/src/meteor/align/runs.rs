//! Diagonal runs that some largest set contains whole, found before anything is priced.
//!
//! Take a run of duos on one diagonal. Whatever conflicts with it stands in one of its rows or columns, or in one beside its
//! ends. A duo elsewhere in row `t` of the run keeps the run's duos `t - 1`, `t` and `t + 1` out, and so does one elsewhere in
//! column `t`. Duos in neighbouring rows must themselves be diagonal, so both can be elsewhere only if their trigram is. If no
//! choice of rows and columns is larger than what it keeps out, then the run can replace all duos of any set that conflict
//! with it, and the set does not shrink. So the run may be taken, and its words leave the problem.
//!
//! Only runs with a bigram or a trigram that occurs once on each side are tried.

use super::bigrams::Bigrams;
use super::duo::{Duo, NONE};
use super::intern::Interner;

/// How many rows and columns a group has, and the sum of their places: that is the place of an only one.
#[derive(Clone, Copy, Default)]
struct Count {
    rows: u32,
    columns: u32,
    row_sum: u32,
    column_sum: u32,
}

impl Count {
    /// The only duo of the group.
    fn only(&self) -> Option<Duo> {
        let is_only = (self.rows, self.columns) == (1, 1);
        is_only.then_some(Duo { i: self.row_sum, j: self.column_sum })
    }
}

/// Numbered n-grams of both sides, and how often each occurs.
struct Numbered {
    rows: Vec<u32>,
    columns: Vec<u32>,
    counts: Vec<Count>,
}

impl Numbered {
    fn new(rows: Vec<u32>, columns: Vec<u32>, count: usize) -> Self {
        // Places without an n-gram are counted behind the others: whether a place has one cannot be guessed.
        let mut counts = vec![Count::default(); count + 1];
        for (i, &number) in rows.iter().enumerate() {
            let count = &mut counts[(number as usize).min(count)];
            count.rows += 1;
            count.row_sum = count.row_sum.wrapping_add(i as u32);
        }
        for (j, &number) in columns.iter().enumerate() {
            let count = &mut counts[(number as usize).min(count)];
            count.columns += 1;
            count.column_sum = count.column_sum.wrapping_add(j as u32);
        }
        counts.truncate(count);
        Numbered { rows, columns, counts }
    }

    fn of_row(&self, i: u32) -> Option<&Count> {
        self.counts.get(self.rows.get(i as usize).copied().unwrap_or(NONE) as usize)
    }

    fn of_column(&self, j: u32) -> Option<&Count> {
        self.counts.get(self.columns.get(j as usize).copied().unwrap_or(NONE) as usize)
    }

    /// Whether both places have the same n-gram.
    fn is_match(&self, i: u32, j: u32) -> bool {
        let row = self.rows.get(i as usize).copied().unwrap_or(NONE);
        let column = self.columns.get(j as usize).copied().unwrap_or(NONE);
        row != NONE && row == column
    }

    /// Whether row and column have a match that is not the one of both.
    fn elsewhere(&self, i: u32, j: u32) -> [bool; 2] {
        let own = u32::from(self.is_match(i, j));
        [
            self.of_row(i).is_some_and(|count| count.columns > own),
            self.of_column(j).is_some_and(|count| count.rows > own),
        ]
    }

    fn drop_row(&mut self, i: u32) {
        let Some(number) = self.rows.get_mut(i as usize) else { return };
        if let Some(count) = self.counts.get_mut(*number as usize) {
            count.rows -= 1;
            count.row_sum = count.row_sum.wrapping_sub(i);
        }
        *number = NONE;
    }

    fn drop_column(&mut self, j: u32) {
        let Some(number) = self.columns.get_mut(j as usize) else { return };
        if let Some(count) = self.counts.get_mut(*number as usize) {
            count.columns -= 1;
            count.column_sum = count.column_sum.wrapping_sub(j);
        }
        *number = NONE;
    }
}

/// A place of a run, or one beside its ends.
#[derive(Clone, Copy)]
struct Place {
    /// Whether row and column have a duo elsewhere.
    elsewhere: [bool; 2],
    /// Whether they can have one together with the next row and column.
    joins: [bool; 2],
}

/// Sorted duos that no bigram shows, and how many each row and each column has.
struct Others<'a> {
    duos: &'a [Duo],
    rows: Vec<u32>,
    columns: Vec<u32>,
}

impl<'a> Others<'a> {
    fn new(duos: &'a [Duo], n_rows: usize, n_columns: usize) -> Self {
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        if !duos.is_empty() {
            rows.resize(n_rows, 0);
            columns.resize(n_columns, 0);
        }
        for duo in duos {
            rows[duo.i as usize] += 1;
            columns[duo.j as usize] += 1;
        }
        Others { duos, rows, columns }
    }

    /// Whether row and column have a duo that is not the one of both.
    fn elsewhere(&self, i: u32, j: u32) -> [bool; 2] {
        let row = self.rows.get(i as usize).copied().unwrap_or(0);
        let column = self.columns.get(j as usize).copied().unwrap_or(0);
        if row == 0 && column == 0 {
            return [false; 2];
        }
        let own = u32::from(self.duos.binary_search(&Duo { i, j }).is_ok());
        [row > own, column > own]
    }
}

/// Whether either says so, of rows and of columns.
fn either(a: [bool; 2], b: [bool; 2]) -> [bool; 2] {
    [a[0] || b[0], a[1] || b[1]]
}

/// The bigrams while runs are taken out of them.
struct Runs<'a> {
    bigrams: Numbered,
    /// As they were at first: those of taken words count on, which only makes runs harder to take.
    trigrams: Option<Numbered>,
    others: Others<'a>,
    taken: Vec<Duo>,
    /// The places of the present run, with one before and one behind it.
    places: Vec<Place>,
}

impl Bigrams {
    /// Takes runs out that some largest set contains, and returns their duos. The `others` are duos that no bigram shows. A
    /// `table` is given to tell trigrams apart, which finds more and costs more.
    pub(super) fn take_runs(&mut self, others: &[Duo], table: Option<&mut Interner>) -> Vec<Duo> {
        let others = Others::new(others, self.row_group.len(), self.column_group.len());
        let trigrams = table.map(|table| {
            let (rows, columns) = self.trigrams(table);
            Numbered::new(rows, columns, table.len() as usize)
        });
        let row_group = std::mem::take(&mut self.row_group);
        let column_group = std::mem::take(&mut self.column_group);
        let mut runs = Runs {
            trigrams,
            bigrams: Numbered::new(row_group, column_group, self.rows.len()),
            others,
            taken: Vec::new(),
            places: Vec::new(),
        };
        // What is taken may free others.
        let passes = if runs.trigrams.is_some() { 2 } else { 1 };
        for _ in 0..passes {
            runs.go_over();
        }
        let Numbered { rows, columns, counts } = runs.bigrams;
        self.row_group = rows;
        self.column_group = columns;
        self.rows.clear();
        self.rows.extend(counts.iter().map(|count| count.rows));
        runs.taken
    }
}

impl Runs<'_> {
    fn go_over(&mut self) {
        let mut i = 0;
        while i < self.bigrams.rows.len() as u32 {
            let anchor = match self.bigrams.of_row(i) {
                Some(count) => count.only().or_else(|| {
                    self.trigrams.as_ref().and_then(|trigrams| trigrams.of_row(i)?.only())
                }),
                None => None,
            };
            i = match anchor {
                Some(duo) if self.bigrams.is_match(duo.i, duo.j) => self.try_run(duo),
                _ => i + 1,
            };
        }
    }

    /// Takes what can be taken of the run through a duo; returns the row after it.
    fn try_run(&mut self, duo: Duo) -> u32 {
        let mut first = duo;
        while first.i > 0 && first.j > 0 && self.bigrams.is_match(first.i - 1, first.j - 1) {
            first = Duo { i: first.i - 1, j: first.j - 1 };
        }
        let mut length = duo.i - first.i + 1;
        while self.bigrams.is_match(first.i + length, first.j + length) {
            length += 1;
        }
        self.places.clear();
        for step in 0..length + 2 {
            // Before the first word there is nothing.
            let i = (first.i + step).wrapping_sub(1);
            let j = (first.j + step).wrapping_sub(1);
            let others = self.others.elsewhere(i, j);
            let next = self.others.elsewhere(i.wrapping_add(1), j.wrapping_add(1));
            let trigram = self.trigrams.as_ref().map_or([true; 2], |all| all.elsewhere(i, j));
            let elsewhere = either(self.bigrams.elsewhere(i, j), others);
            let joins = either(trigram, either(others, next));
            self.places.push(Place { elsewhere, joins });
        }
        self.take_parts(first, 0, length as usize);
        first.i + length
    }

    /// Takes the longest parts of `start..end` of a run that can be taken.
    fn take_parts(&mut self, first: Duo, mut start: usize, mut end: usize) {
        let weight = |place: Place| place.elsewhere.iter().filter(|&&elsewhere| elsewhere).count();
        while start < end {
            // Row and column beside an end keep out one duo, and may have two elsewhere.
            if weight(self.places[start]) == 2 {
                start += 1;
                continue;
            }
            if weight(self.places[end + 1]) == 2 {
                end -= 1;
                continue;
            }
            let Some((from, to)) = self.obstacle(start, end) else {
                self.take(first, start, end);
                return;
            };
            // Places count from the one before the run.
            match (from <= start + 1, to >= end) {
                (true, true) if end - start == 1 => return,
                (true, true) if weight(self.places[start]) >= weight(self.places[end + 1]) => {
                    start += 1;
                }
                (true, true) => end -= 1,
                (true, false) => start += 1,
                (false, true) => end -= 1,
                (false, false) => {
                    self.take_parts(first, start, from - 1);
                    start = to;
                }
            }
        }
    }

    /// Neighbouring rows and columns that could have more duos elsewhere than they keep out of the part `start..end`: the
    /// places of the first and the last, counted from the one before the run.
    fn obstacle(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        // A choice keeps out one duo before its first place and one behind its last, but an end of the part has none there.
        let spared = |distance: usize| 2i32.saturating_sub_unsigned(distance as u32).max(0);
        // By what the last place chooses (nothing, its row, its column, both): duos elsewhere less places, and the first place.
        let mut best = [(i32::MIN / 2, 0); 4];
        let mut joins = [false; 2];
        for at in start..end + 2 {
            let place = self.places[at];
            let mut next = [(i32::MIN / 2, 0); 4];
            for (choice, next) in next.iter_mut().enumerate() {
                let chosen = [choice & 1 != 0, choice & 2 != 0];
                if (chosen[0] && !place.elsewhere[0]) || (chosen[1] && !place.elsewhere[1]) {
                    continue;
                }
                let mut most = (spared(at - start), at);
                for (last, &value) in best.iter().enumerate() {
                    let both = choice & last;
                    let fits = (both & 1 == 0 || joins[0]) && (both & 2 == 0 || joins[1]);
                    if fits && value.0 > most.0 {
                        most = value;
                    }
                }
                *next = (most.0 + choice.count_ones() as i32 - 1, most.1);
                if choice > 0 && next.0 + spared(end + 1 - at) > 2 {
                    return Some((next.1, at));
                }
            }
            best = next;
            joins = place.joins;
        }
        None
    }

    /// Takes the part `start..end` of a run.
    fn take(&mut self, first: Duo, start: usize, end: usize) {
        for step in start..end {
            let duo = Duo { i: first.i + step as u32, j: first.j + step as u32 };
            self.bigrams.drop_row(duo.i);
            self.bigrams.drop_column(duo.j);
            self.taken.push(duo);
        }
        let (i, j) = (first.i + start as u32, first.j + start as u32);
        self.detach(i.wrapping_sub(1), j.wrapping_sub(1));
        self.detach(first.i + end as u32, first.j + end as u32);
    }

    /// Leaves a row and a column beside a taken run nothing but the duo of both, if there is one.
    fn detach(&mut self, i: u32, j: u32) {
        let is_duo = self.bigrams.is_match(i, j);
        self.bigrams.drop_row(i);
        self.bigrams.drop_column(j);
        if is_duo {
            let number = self.bigrams.counts.len() as u32;
            self.bigrams.counts.push(Count { rows: 1, columns: 1, row_sum: i, column_sum: j });
            self.bigrams.rows[i as usize] = number;
            self.bigrams.columns[j as usize] = number;
        }
    }
}
