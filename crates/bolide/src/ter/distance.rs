//! Edit distance between two lists of words inside tercom's band, with the trace that the shift search needs.
//!
//! tercom fills only cells near the diagonal and treats all others as unreachable. Where that cannot change
//! the result, the table is computed 64 columns at a time (Myers 1999, Hyyrö 2003). An optimal path with D
//! edits over m and n words strays from the diagonal by at most (D + |m − n|) / 2 cells. Up to 24 it stays
//! inside a band of half-width 25, and so does every path that ties with it, so both the distance and the
//! trace are those of the banded table. Otherwise, and for references so long that whole rows would cost more
//! than the band, the band is filled cell by cell.

use super::band::{Band, SAFE};

/// One step of an optimal path, in tercom's order of preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Both words are consumed and equal.
    Keep,
    /// Both words are consumed.
    Substitute,
    /// A hypothesis word without a partner.
    Delete,
    /// A reference word without a partner.
    Insert,
}

/// Longer references, in blocks of 64 columns, use the band: its rows are about as fast to fill, and its
/// memory grows linearly instead of quadratically.
const MOST_BLOCKS: usize = 16;

/// The reference, prepared, and the table of one hypothesis.
#[derive(Debug, Default)]
pub(super) struct Distance {
    reference: Vec<u32>,
    n_blocks: usize,
    /// For each distinct word of the reference, the columns where it occurs. The last entry, for all other
    /// words, is empty.
    columns: Vec<u64>,
    hypothesis: Vec<u32>,
    rows: Rows,
    /// The table of the hypothesis, if the bit vectors are not enough.
    table: Band,
    /// The table of a shifted hypothesis.
    shifted: Band,
}

/// The bit vectors of every row of the hypothesis: the start of the next row, and the trace.
#[derive(Debug, Default)]
struct Rows {
    /// Columns one more or one less than their left neighbour, after each row; row 0 first.
    up: Vec<u64>,
    down: Vec<u64>,
    /// Columns equal to their upper left neighbour, and one more than their upper one.
    diagonal: Vec<u64>,
    grown: Vec<u64>,
    /// The last column.
    last: Vec<u32>,
}

impl Distance {
    /// Sets the reference. Words are numbered from 0 without gaps; `n_words` is any other word.
    pub(super) fn set_reference(&mut self, reference: &[u32], n_words: u32) {
        self.reference.clear();
        self.reference.extend_from_slice(reference);
        self.n_blocks = reference.len().div_ceil(64);
        self.columns.clear();
        if self.is_long() {
            return;
        }
        self.columns.resize((n_words as usize + 1) * self.n_blocks, 0);
        for (at, &word) in reference.iter().enumerate() {
            self.columns[word as usize * self.n_blocks + at / 64] |= 1 << (at % 64);
        }
    }

    /// The distance of a hypothesis. Its trace and its shifted forms can be computed afterwards. Neither list
    /// may be empty.
    pub(super) fn measure(&mut self, hypothesis: &[u32]) -> u32 {
        self.hypothesis.clear();
        self.hypothesis.extend_from_slice(hypothesis);
        self.table.clear();
        if !self.is_long() {
            let distance = self.fill_rows();
            if self.is_inside(distance) {
                return distance;
            }
        }
        self.table.fill(hypothesis, &self.reference, None)
    }

    fn is_long(&self) -> bool {
        self.n_blocks > MOST_BLOCKS
    }

    /// Whether an unbanded distance, and every path that ties with it, is valid inside the band.
    fn is_inside(&self, distance: u32) -> bool {
        let difference = self.hypothesis.len().abs_diff(self.reference.len());
        distance as usize + difference <= 2 * SAFE
    }

    /// The path of the measured hypothesis from the end to the start.
    pub(super) fn trace(&self, path: &mut Vec<Step>) {
        path.clear();
        let (mut i, mut j) = (self.hypothesis.len(), self.reference.len());
        while i > 0 || j > 0 {
            let step = if j == 0 {
                Step::Delete
            } else if i == 0 {
                Step::Insert
            } else if self.hypothesis[i - 1] == self.reference[j - 1] {
                self.step_of_equal(i, j)
            } else {
                self.step_of_different(i, j)
            };
            path.push(step);
            i -= usize::from(step != Step::Insert);
            j -= usize::from(step != Step::Delete);
        }
    }

    /// Equal words are always kept, unless the band has cut off the diagonal neighbour.
    fn step_of_equal(&self, i: usize, j: usize) -> Step {
        if self.table.is_empty() {
            return Step::Keep;
        }
        let here = self.table.at(i, j);
        if self.table.at(i - 1, j - 1) == here {
            Step::Keep
        } else if self.table.at(i - 1, j) + 1 == here {
            Step::Delete
        } else {
            Step::Insert
        }
    }

    fn step_of_different(&self, i: usize, j: usize) -> Step {
        let (substitute, delete) = if self.table.is_empty() {
            let at = (i - 1) * self.n_blocks + (j - 1) / 64;
            let bit = 1 << ((j - 1) % 64);
            (self.rows.diagonal[at] & bit == 0, self.rows.grown[at] & bit != 0)
        } else {
            let here = self.table.at(i, j);
            (self.table.at(i - 1, j - 1) + 1 == here, self.table.at(i - 1, j) + 1 == here)
        };
        match (substitute, delete) {
            (true, _) => Step::Substitute,
            (false, true) => Step::Delete,
            (false, false) => Step::Insert,
        }
    }

    /// The distance of a list that is as long as the measured hypothesis and equal to it before `from`;
    /// `None` if it is not below `bound`.
    pub(super) fn of_shifted(&mut self, shifted: &[u32], from: usize, bound: u32) -> Option<u32> {
        if !self.is_long() {
            let distance = match self.n_blocks {
                1 => self.go_on_in_one_block(shifted, from),
                _ => self.go_on(shifted, from),
            };
            if distance >= bound {
                // The band can only increase it.
                return None;
            }
            if self.is_inside(distance) {
                return Some(distance);
            }
        }
        let known = Some((&self.table, from));
        let distance = self.shifted.fill(shifted, &self.reference, known);
        (distance < bound).then_some(distance)
    }

    fn eq(&self, word: u32) -> &[u64] {
        let start = word as usize * self.n_blocks;
        &self.columns[start..start + self.n_blocks]
    }

    /// Fills the bit vectors for the hypothesis and returns the last cell.
    fn fill_rows(&mut self) -> u32 {
        let n_blocks = self.n_blocks;
        let mut rows = std::mem::take(&mut self.rows);
        let Rows { up, down, diagonal, grown, last } = &mut rows;
        for list in [&mut *up, &mut *down, &mut *diagonal, &mut *grown] {
            list.clear();
        }
        last.clear();
        up.resize(n_blocks, u64::MAX);
        down.resize(n_blocks, 0);
        let mut distance = self.reference.len() as u32;
        last.push(distance);
        for (i, &word) in self.hypothesis.iter().enumerate() {
            let (mut carry_up, mut carry_down) = (1, 0);
            for block in 0..n_blocks {
                let at = i * n_blocks + block;
                let eq = self.eq(word)[block];
                let next = advance(eq, up[at], down[at], carry_up, carry_down);
                diagonal.push(next.diagonal);
                grown.push(next.grown);
                up.push(next.up);
                down.push(next.down);
                (carry_up, carry_down) = (next.grown >> 63, next.shrunk >> 63);
                if block + 1 == n_blocks {
                    distance = self.last_column(distance, &next);
                }
            }
            last.push(distance);
        }
        self.rows = rows;
        distance
    }

    #[inline]
    fn last_column(&self, distance: u32, next: &Next) -> u32 {
        let bit = (self.reference.len() - 1) % 64;
        distance + (next.grown >> bit & 1) as u32 - (next.shrunk >> bit & 1) as u32
    }

    fn go_on_in_one_block(&self, words: &[u32], from: usize) -> u32 {
        let (mut up, mut down) = (self.rows.up[from], self.rows.down[from]);
        let mut distance = self.rows.last[from];
        for &word in &words[from..] {
            let next = advance(self.columns[word as usize], up, down, 1, 0);
            distance = self.last_column(distance, &next);
            (up, down) = (next.up, next.down);
        }
        distance
    }

    fn go_on(&self, words: &[u32], from: usize) -> u32 {
        let range = from * self.n_blocks..(from + 1) * self.n_blocks;
        let mut up = self.rows.up[range.clone()].to_vec();
        let mut down = self.rows.down[range].to_vec();
        let mut distance = self.rows.last[from];
        for &word in &words[from..] {
            let (mut carry_up, mut carry_down) = (1, 0);
            let eq = self.eq(word);
            for block in 0..self.n_blocks {
                let next = advance(eq[block], up[block], down[block], carry_up, carry_down);
                (up[block], down[block]) = (next.up, next.down);
                (carry_up, carry_down) = (next.grown >> 63, next.shrunk >> 63);
                if block + 1 == self.n_blocks {
                    distance = self.last_column(distance, &next);
                }
            }
        }
        distance
    }
}

/// The effect of one row on 64 columns.
struct Next {
    up: u64,
    down: u64,
    diagonal: u64,
    grown: u64,
    shrunk: u64,
}

/// One word of the hypothesis against 64 columns: `eq` are the columns with the same word, `up` and `down`
/// those that differ from their left neighbour in the row above, and the carries are the change of the column
/// to the left of the block.
#[inline]
fn advance(eq: u64, up: u64, down: u64, carry_up: u64, carry_down: u64) -> Next {
    let eq = eq | carry_down;
    let diagonal = (((eq & up).wrapping_add(up)) ^ up) | eq | down;
    let grown = down | !(diagonal | up);
    let shrunk = diagonal & up;
    let (left_grown, left_shrunk) = (grown << 1 | carry_up, shrunk << 1 | carry_down);
    Next {
        up: left_shrunk | !(diagonal | left_grown),
        down: left_grown & diagonal,
        diagonal,
        grown,
        shrunk,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bolide_testdata::random::Random;

    #[test]
    fn bit_vectors_and_band_agree_where_the_band_cannot_matter() {
        let mut random = Random(5);
        let mut number = |below: u64| random.below(below as usize) as u64;
        let mut n_inside = 0;
        for round in 0..3000u64 {
            let n_words = 2 + number(30);
            let longest = [12, 40, 90, 150][round as usize % 4];
            let reference: Vec<u32> =
                (0..1 + number(longest)).map(|_| number(n_words) as u32).collect();
            // Half of the hypotheses are edited references, so that long ones stay close.
            let mut hypothesis = reference.clone();
            if round % 2 == 0 {
                for _ in 0..number(12) {
                    let at = number(hypothesis.len() as u64) as usize;
                    hypothesis[at] = number(n_words) as u32;
                    hypothesis.rotate_left(at.min(3));
                }
            } else {
                hypothesis = (0..1 + number(longest))
                    .map(|_| number(n_words + 3).min(n_words) as u32)
                    .collect();
            }
            let mut distance = Distance::default();
            distance.set_reference(&reference, n_words as u32);
            let quick = distance.measure(&hypothesis);
            let mut table = Band::default();
            assert_eq!(quick, table.fill(&hypothesis, &reference, None));
            let mut quick_path = Vec::new();
            distance.trace(&mut quick_path);
            n_inside += u32::from(distance.table.is_empty());
            distance.table = table;
            let mut band_path = Vec::new();
            distance.trace(&mut band_path);
            assert_eq!(quick_path, band_path);
            let edits = quick_path.iter().filter(|&&step| step != Step::Keep).count();
            assert_eq!(edits, quick as usize);
            assert_eq!(distance.of_shifted(&hypothesis, 0, quick + 1), Some(quick));
            let middle = hypothesis.len() / 2;
            assert_eq!(distance.of_shifted(&hypothesis, middle, quick + 1), Some(quick));
            assert_eq!(distance.of_shifted(&hypothesis, middle, quick), None);
            // A rotated list shares its first words with the measured one.
            let mut turned = hypothesis.clone();
            turned[middle..].rotate_left(usize::from(middle + 1 < hypothesis.len()));
            let expected = Band::default().fill(&turned, &reference, None);
            assert_eq!(distance.of_shifted(&turned, middle, u32::MAX), Some(expected));
        }
        assert!((500..2900).contains(&n_inside), "{n_inside}");
    }
}
