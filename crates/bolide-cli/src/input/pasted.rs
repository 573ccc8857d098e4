//! Lines with a column for each system, separated by tabs, as `paste a.txt b.txt` writes them.
//!
//! The first line determines the number of columns; most inputs have one.

use super::column::Column;
use super::lines::Lines;
use super::open::Opened;
use super::{Result, Source};
use crate::error::bail;

/// A stream of lines that are split at tabs.
pub struct Pasted {
    lines: Lines,
    n_columns: usize,
    /// The lines of a batch before they are split.
    whole: Column,
}

impl Pasted {
    /// Counts the columns in the first line of an opened input.
    pub fn new(input: Opened) -> Result<Self> {
        let mut lines = Lines::new(input);
        let n_columns = lines.peek()?.map_or(1, |line| line.split('\t').count());
        Ok(Pasted { lines, n_columns, whole: Column::default() })
    }

    /// How many columns every line has.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }
}

impl Source for Pasted {
    fn opened(&self) -> &Opened {
        self.lines.input()
    }

    fn read(&mut self, columns: &mut [Column], max_rows: usize) -> Result<()> {
        if self.n_columns == 1 {
            return Source::read(&mut self.lines, columns, max_rows);
        }
        let wanted = max_rows.saturating_sub(columns[0].rows());
        let before = self.lines.n_lines();
        self.whole.clear();
        self.lines.read_lines(&mut self.whole, wanted)?;
        for row in 0..self.whole.rows() {
            let line = self.whole.text(row);
            let n_found = line.split('\t').count();
            if n_found != self.n_columns {
                bail!(
                    "{}: line {}: {n_found} columns separated by tabs, the first line has {} \
                     (--input-format text treats tabs as part of the text)",
                    self.lines.input().name,
                    before + row as u64 + 1,
                    self.n_columns
                );
            }
            for (column, text) in columns.iter_mut().zip(line.split('\t')) {
                column.push(text);
                column.end_row();
            }
        }
        Ok(())
    }

    fn n_rows(&self) -> u64 {
        self.lines.n_lines()
    }

    fn count_rest(&mut self) -> Result<u64> {
        self.lines.count_rest()
    }
}
