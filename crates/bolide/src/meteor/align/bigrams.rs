//! The common bigrams of two texts, in groups, and the duos that touch another duo.
//!
//! A group is one bigram with its rows (places in the hypothesis) and columns (places in the
//! reference); every row of it makes a duo with every column. Their number grows with the square
//! of the length, so they are not listed. What is listed are the *linked* duos: those with a
//! diagonal neighbour, which are common trigrams and much rarer.

use super::duo::{Duo, NONE};
use super::intern::Interner;

/// In texts of more words, runs are not taken before trigrams are told apart: so many duos remain that they are hardly ever listed.
const LONG: usize = 600;

/// Common bigrams by group.
#[derive(Default)]
pub(super) struct Bigrams {
    /// Group of the bigram at each hypothesis word, or [`NONE`].
    pub(super) row_group: Vec<u32>,
    /// Rows of each group.
    pub(super) rows: Vec<u32>,
    /// Where the columns of each group begin in `columns`, with one more entry for the end.
    pub(super) start: Vec<u32>,
    pub(super) columns: Vec<u32>,
    pub(super) column_group: Vec<u32>,
}

impl Bigrams {
    /// Groups the common bigrams, leaving out the rows that are settled, and those duos without any conflict, which are
    /// returned; of a [`LONG`] text none are taken yet. The `others` are duos that no bigram shows.
    pub(super) fn read_open(
        &mut self,
        (rows, columns): (&[u32], &[u32]),
        settled: impl Fn(usize) -> bool,
        others: &[Duo],
        table: &mut Interner,
    ) -> Vec<Duo> {
        self.number(rows, columns, settled, table);
        let certain = if rows.len() > LONG { Vec::new() } else { self.take_runs(others, None) };
        self.drop_empty();
        bucket(&self.column_group, self.rows.len(), &mut self.start, &mut self.columns);
        certain
    }

    /// Takes out more duos that some largest set contains, with more effort, and returns them.
    pub(super) fn take_more(&mut self, others: &[Duo], table: &mut Interner) -> Vec<Duo> {
        let certain = self.take_runs(others, Some(table));
        if !certain.is_empty() {
            self.drop_empty();
            bucket(&self.column_group, self.rows.len(), &mut self.start, &mut self.columns);
        }
        certain
    }

    /// Groups all common bigrams.
    pub(super) fn read(&mut self, rows: &[u32], columns: &[u32], table: &mut Interner) {
        self.number(rows, columns, |_| false, table);
        self.drop_empty();
        bucket(&self.column_group, self.rows.len(), &mut self.start, &mut self.columns);
    }

    /// Numbers the bigrams of the rows and finds them among the columns.
    fn number(
        &mut self,
        rows: &[u32],
        columns: &[u32],
        settled: impl Fn(usize) -> bool,
        table: &mut Interner,
    ) {
        self.rows.clear();
        self.row_group.clear();
        self.row_group.resize(rows.len(), NONE);
        table.begin(rows.len());
        let key = |two: &[u32]| {
            (two[0] != NONE && two[1] != NONE).then(|| u64::from(two[0]) << 32 | u64::from(two[1]))
        };
        for (i, two) in rows.windows(2).enumerate() {
            if let Some(key) = key(two)
                && !settled(i)
            {
                let group = table.insert(key);
                if group as usize == self.rows.len() {
                    self.rows.push(0);
                }
                self.rows[group as usize] += 1;
                self.row_group[i] = group;
            }
        }
        self.column_group.clear();
        self.column_group.resize(columns.len(), NONE);
        for (j, two) in columns.windows(2).enumerate() {
            if let Some(group) = key(two).and_then(|key| table.get(key)) {
                self.column_group[j] = group;
            }
        }
    }

    /// Drops the groups without columns, which are most, and those without rows, and numbers the others anew.
    fn drop_empty(&mut self) {
        // Places without a group are looked up behind the others: whether a place has one cannot be guessed.
        let n_groups = self.rows.len();
        let mut number = vec![NONE; n_groups + 1];
        for &group in &self.column_group {
            number[(group as usize).min(n_groups)] = 0;
        }
        number[n_groups] = NONE;
        let mut count = 0;
        for (group, number) in number.iter_mut().enumerate().take(n_groups) {
            let rows = self.rows[group];
            self.rows[count as usize] = rows;
            let is_kept = *number != NONE && rows > 0;
            *number = if is_kept { count } else { NONE };
            count += u32::from(is_kept);
        }
        self.rows.truncate(count as usize);
        for group in self.row_group.iter_mut().chain(&mut self.column_group) {
            *group = number[(*group as usize).min(n_groups)];
        }
    }

    /// How many groups there are; each has rows and columns.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The columns of a group.
    pub(super) fn of(&self, group: u32) -> &[u32] {
        &self.columns[self.start[group as usize] as usize..self.start[group as usize + 1] as usize]
    }

    fn counts(&self) -> impl Iterator<Item = (u64, u64)> {
        let ends = self.start.windows(2).map(|two| u64::from(two[1] - two[0]));
        self.rows.iter().map(|&rows| u64::from(rows)).zip(ends)
    }

    /// Each bigram as often as the scarcer side has it: no alignment has more adjacencies.
    pub(super) fn clipped(&self) -> u64 {
        self.counts().map(|(rows, columns)| rows.min(columns)).sum()
    }

    /// How many duos there are.
    pub(super) fn n_duos(&self) -> u64 {
        self.counts().map(|(rows, columns)| rows * columns).sum()
    }

    /// Every duo, sorted.
    pub(super) fn list(&self, duos: &mut Vec<Duo>) {
        duos.clear();
        for (i, &group) in self.row_group.iter().enumerate() {
            if group != NONE {
                duos.extend(self.of(group).iter().map(|&j| Duo { i: i as u32, j }));
            }
        }
    }

    /// Numbers the common trigrams of rows and columns.
    pub(super) fn trigrams(&self, table: &mut Interner) -> (Vec<u32>, Vec<u32>) {
        table.begin(self.row_group.len());
        let key = |two: &[u32]| {
            (two[0] != NONE && two[1] != NONE).then(|| u64::from(two[0]) << 32 | u64::from(two[1]))
        };
        let number = |key: Option<u64>, table: &mut Interner| match key {
            Some(key) => table.insert(key),
            None => NONE,
        };
        let rows = self.row_group.windows(2).map(|two| number(key(two), table)).collect();
        let columns = self
            .column_group
            .windows(2)
            .map(|two| key(two).and_then(|key| table.get(key)).unwrap_or(NONE))
            .collect();
        (rows, columns)
    }

    /// Lists the linked duos, sorted. Says no, and lists none, when there are more than `limit`.
    pub(super) fn link(&self, limit: u64, table: &mut Interner, duos: &mut Vec<Duo>) -> bool {
        let (rows, columns) = self.trigrams(table);
        let (mut start, mut places) = (Vec::new(), Vec::new());
        bucket(&columns, table.len() as usize, &mut start, &mut places);
        let of = |number: u32| match number {
            NONE => &[][..],
            _ => &places[start[number as usize] as usize..start[number as usize + 1] as usize],
        };
        duos.clear();
        let total: u64 = rows.iter().map(|&number| of(number).len() as u64).sum();
        if total > limit {
            return false;
        }
        let mut last: &[u32] = &[];
        for (i, &number) in rows.iter().chain([&NONE]).enumerate() {
            // A duo is linked to the next one or to the one before; two ascending lists.
            let here = of(number);
            let (mut a, mut b) = (0, 0);
            while a < here.len() || b < last.len() {
                let next = here.get(a).copied().unwrap_or(NONE);
                let before = last.get(b).map_or(NONE, |&j| j + 1);
                a += usize::from(next <= before);
                b += usize::from(before <= next);
                duos.push(Duo { i: i as u32, j: next.min(before) });
            }
            last = here;
        }
        true
    }
}

/// Places by number: where each number's places begin, and the places in order.
fn bucket(numbers: &[u32], count: usize, start: &mut Vec<u32>, places: &mut Vec<u32>) {
    // Places without a number come behind the others and are cut off: whether a place has one cannot be guessed.
    start.clear();
    start.resize(count + 3, 0);
    for &number in numbers {
        start[(number as usize).min(count) + 2] += 1;
    }
    for at in 2..start.len() {
        start[at] += start[at - 1];
    }
    places.clear();
    places.resize(numbers.len(), 0);
    for (place, &number) in numbers.iter().enumerate() {
        let slot = &mut start[(number as usize).min(count) + 1];
        places[*slot as usize] = place as u32;
        *slot += 1;
    }
    start.truncate(count + 1);
    places.truncate(start[count] as usize);
}
