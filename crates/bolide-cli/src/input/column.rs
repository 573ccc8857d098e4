//! The texts of one column of a batch: many short texts in one buffer.
//!
//! Texts are not allocated separately. A row holds one text, or any number of texts if a cell of a table lists
//! several references.

use memchr::memchr_iter;

/// The texts of one column for the rows of a batch.
#[derive(Debug, Default)]
pub struct Column {
    text: String,
    /// Where each text begins and ends in `text`.
    spans: Vec<(usize, usize)>,
    /// For each row, the end of its texts in `spans`.
    rows: Vec<usize>,
}

impl Column {
    /// How many rows are complete.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// How many bytes of text are held.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Removes all rows but keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.spans.clear();
        self.rows.clear();
    }

    /// Adds a text to the unfinished row.
    pub fn push(&mut self, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.spans.push((start, self.text.len()));
    }

    /// Completes a row.
    pub fn end_row(&mut self) {
        self.rows.push(self.spans.len());
    }

    /// Adds rows of one text each, up to `max_rows` lines of a block whose lines all end with
    /// `\n`, and returns how many bytes of it were used. A `\r` before the `\n` is dropped.
    pub fn push_lines(&mut self, block: &str, max_rows: usize) -> usize {
        let base = self.text.len();
        let bytes = block.as_bytes();
        let mut start = 0;
        for newline in memchr_iter(b'\n', bytes).take(max_rows) {
            let carriage = newline > start && bytes[newline - 1] == b'\r';
            self.spans.push((base + start, base + newline - usize::from(carriage)));
            self.rows.push(self.spans.len());
            start = newline + 1;
        }
        self.text.push_str(&block[..start]);
        start
    }

    /// The texts of a row.
    pub fn texts(&self, row: usize) -> impl ExactSizeIterator<Item = &str> {
        let start = if row == 0 { 0 } else { self.rows[row - 1] };
        self.spans[start..self.rows[row]].iter().map(|&(start, end)| &self.text[start..end])
    }

    /// The only text of a row; empty if there is none.
    pub fn text(&self, row: usize) -> &str {
        self.texts(row).next().unwrap_or_default()
    }

    /// The text of a row that has exactly one.
    pub fn only_text(&self, row: usize) -> Option<&str> {
        let mut texts = self.texts(row);
        texts.next().filter(|_| texts.len() == 0)
    }

    /// Appends the rows from `from` on to another column.
    pub fn copy_tail(&self, from: usize, to: &mut Column) {
        for row in from..self.rows() {
            self.texts(row).for_each(|text| to.push(text));
            to.end_row();
        }
    }
}
