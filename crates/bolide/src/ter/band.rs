//! tercom's table, cell by cell. Only cells near the diagonal can be reached, and only these are stored, so a
//! table takes memory proportional to the lengths of the two lists.

const HALF_WIDTH: usize = 25;
const UNREACHABLE: u32 = u32::MAX / 2;

/// How far a path may stray from the diagonal and still be certain to stay inside the band.
pub(super) const SAFE: usize = HALF_WIDTH - 1;

/// The banded table of a hypothesis and a reference.
#[derive(Debug, Default)]
pub(super) struct Band {
    /// Row 0: the cost of a column is its number.
    first: Vec<u32>,
    /// The rows from 1 on, `stride` cells each.
    cells: Vec<u32>,
    /// The first column of every row.
    starts: Vec<u32>,
    stride: usize,
}

/// The cells of a row from its first column on; no others can be reached.
#[derive(Clone, Copy)]
struct Row<'a> {
    cells: &'a [u32],
    start: usize,
}

impl Row<'_> {
    #[inline]
    fn at(self, column: usize) -> u32 {
        self.cells.get(column.wrapping_sub(self.start)).copied().unwrap_or(UNREACHABLE)
    }
}

impl Band {
    /// Forgets the table.
    pub(super) fn clear(&mut self) {
        self.starts.clear();
    }

    /// Whether there is no table.
    pub(super) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Fills the table and returns the distance. Neither list may be empty. `known` is the table of a
    /// hypothesis of the same length, and the number of its first words that are equal: only the rows after
    /// these are computed, and only they may be read.
    pub(super) fn fill(
        &mut self,
        hypothesis: &[u32],
        reference: &[u32],
        known: Option<(&Band, usize)>,
    ) -> u32 {
        let (m, n) = (hypothesis.len(), reference.len());
        let ratio = n as f64 / m as f64;
        let half_width = if (HALF_WIDTH as f64) < ratio / 2.0 {
            (ratio / 2.0 + HALF_WIDTH as f64).ceil() as usize
        } else {
            HALF_WIDTH
        };
        let known = known.filter(|(band, from)| !band.is_empty() && *from > 0);
        let n_known = known.map_or(0, |(_, from)| from);
        self.first.clear();
        self.first.extend(0..=n as u32);
        self.stride = (2 * half_width).min(n + 1);
        self.cells.resize(m * self.stride, UNREACHABLE);
        self.starts.clear();
        self.starts.resize(m + 1, 0);
        for i in n_known + 1..=m {
            let centre = (i as f64 * ratio) as usize;
            let start = centre.saturating_sub(half_width);
            let end = if i == m { n + 1 } else { (n + 1).min(centre + half_width) };
            self.starts[i] = start as u32;
            let (before, here) = self.cells.split_at_mut((i - 1) * self.stride);
            let above = match known {
                Some((band, from)) if i == from + 1 => band.row(from),
                _ if i == 1 => Row { cells: &self.first, start: 0 },
                _ => Row {
                    cells: &before[(i - 2) * self.stride..],
                    start: self.starts[i - 1] as usize,
                },
            };
            let (inside, outside) = here[..self.stride].split_at_mut(end - start);
            outside.fill(UNREACHABLE);
            let mut left = UNREACHABLE;
            let mut diagonal = if start == 0 { 0 } else { above.at(start - 1) };
            for (j, cell) in (start..end).zip(inside) {
                let up = above.at(j);
                left = if j == 0 {
                    up + 1
                } else {
                    let differ = hypothesis[i - 1] != reference[j - 1];
                    (diagonal + u32::from(differ)).min(up + 1).min(left + 1)
                };
                diagonal = up;
                *cell = left;
            }
        }
        self.at(m, n)
    }

    fn row(&self, i: usize) -> Row<'_> {
        if i == 0 {
            return Row { cells: &self.first, start: 0 };
        }
        let cells = &self.cells[(i - 1) * self.stride..i * self.stride];
        Row { cells, start: self.starts[i] as usize }
    }

    /// A cell.
    pub(super) fn at(&self, i: usize, j: usize) -> u32 {
        self.row(i).at(j)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: every cell of the whole table, those outside the band unreachable.
    fn whole(hypothesis: &[u32], reference: &[u32]) -> Vec<Vec<u32>> {
        let (m, n) = (hypothesis.len(), reference.len());
        let ratio = n as f64 / m as f64;
        let half = if 25.0 < ratio / 2.0 { (ratio / 2.0 + 25.0).ceil() as usize } else { 25 };
        let mut table = vec![vec![UNREACHABLE; n + 1]; m + 1];
        table[0] = (0..=n as u32).collect();
        for i in 1..=m {
            let centre = (i as f64 * ratio).floor() as usize;
            let end = if i == m { n + 1 } else { (n + 1).min(centre + half) };
            for j in centre.saturating_sub(half)..end {
                table[i][j] = if j == 0 {
                    table[i - 1][0] + 1
                } else {
                    let differ = u32::from(hypothesis[i - 1] != reference[j - 1]);
                    (table[i - 1][j - 1] + differ).min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
                };
            }
        }
        table
    }

    #[test]
    fn the_band_is_the_whole_table_where_it_can_be_reached() {
        let list = |n: u32, step: u32| (0..n).map(|x| x * step % 7).collect::<Vec<u32>>();
        let mut band = Band::default();
        for (m, n) in [(1, 1), (1, 300), (300, 1), (2, 140), (60, 60), (90, 200), (200, 90)] {
            let (hypothesis, reference) = (list(m, 3), list(n, 5));
            let table = whole(&hypothesis, &reference);
            let distance = band.fill(&hypothesis, &reference, None);
            assert_eq!(distance, table[m as usize][n as usize], "{m} × {n}");
            for (i, row) in table.iter().enumerate() {
                for (j, &cell) in row.iter().enumerate() {
                    assert_eq!(band.at(i, j), cell, "{m} × {n}: {i} {j}");
                }
            }
        }
    }

    #[test]
    fn memory_grows_with_the_length_and_not_with_its_square() {
        let words: Vec<u32> = (0..20_000).collect();
        let mut band = Band::default();
        assert_eq!(band.fill(&words, &words, None), 0);
        assert!(band.cells.len() <= 50 * words.len(), "{}", band.cells.len());
    }
}
