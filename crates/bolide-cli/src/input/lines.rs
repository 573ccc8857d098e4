//! Plain text: one segment per line.
//!
//! A line ends at `\n`; a `\r` before it is dropped; the last line counts with or without its
//! `\n`; empty lines count. Nothing else separates lines (not `\r` alone, not U+2028), so line
//! numbers agree with `wc -l` and `sed -n`. UTF-8 is checked once for each block of lines.

use super::batch::{BATCH_BYTES, MOST_ROWS};
use super::column::Column;
use super::open::{Opened, open};
use super::{Kind, Source};
use crate::error::{Context as _, Result, bail};
use memchr::{memchr_iter, memrchr};
use std::io::Read;
use std::path::Path;

const BLOCK: usize = 1 << 15;
/// The longest line in MiB: a row of a table may have a million references. It bounds the memory that a small
/// archive can ask for.
const LONGEST: usize = 256;

/// A stream of lines.
pub struct Lines {
    input: Opened,
    /// Complete lines, checked for UTF-8; those before `position` are consumed.
    block: String,
    position: usize,
    /// Bytes after the last complete line, not yet checked.
    tail: Vec<u8>,
    at_end: bool,
    /// Lines and bytes in the blocks before this one.
    lines_before: u64,
    bytes_before: u64,
    /// Lines returned so far.
    n_lines: u64,
    /// The longest line in MiB, and a way out for the message.
    longest: (usize, &'static str),
}

impl Lines {
    /// Reads lines from an opened input.
    pub fn new(input: Opened) -> Self {
        Lines {
            input,
            longest: (LONGEST, ""),
            block: String::new(),
            position: 0,
            tail: Vec::new(),
            at_end: false,
            lines_before: 0,
            bytes_before: 0,
            n_lines: 0,
        }
    }

    /// Refuses lines that are longer than this many MiB, with a way out for the message.
    pub fn at_most(self, longest: usize, way_out: &'static str) -> Self {
        Lines { longest: (longest, way_out), ..self }
    }

    /// The path as given.
    pub fn input(&self) -> &Opened {
        &self.input
    }

    /// How many lines were returned so far.
    pub fn n_lines(&self) -> u64 {
        self.n_lines
    }

    /// Appends up to `max_rows` lines, fewer if they are long; none only at the end.
    pub fn read_lines(&mut self, column: &mut Column, max_rows: usize) -> Result<()> {
        let limit = column.rows() + max_rows;
        while column.rows() < limit && column.bytes() < BATCH_BYTES {
            if self.position == self.block.len() && !self.next_block()? {
                break;
            }
            let before = column.rows();
            self.position += column.push_lines(&self.block[self.position..], limit - before);
            self.n_lines += (column.rows() - before) as u64;
        }
        Ok(())
    }

    /// The next line, without consuming it.
    pub fn peek(&mut self) -> Result<Option<&str>> {
        if self.position == self.block.len() && !self.next_block()? {
            return Ok(None);
        }
        Ok(self.block[self.position..].lines().next())
    }

    /// Counts the remaining lines without checking them.
    pub fn count_rest(&mut self) -> Result<u64> {
        let left = &self.block.as_bytes()[self.position..];
        let mut n = memchr_iter(b'\n', left).count() as u64;
        let mut last = self.tail.last().copied().unwrap_or(b'\n');
        let mut buffer = vec![0; BLOCK];
        while !self.at_end {
            match self.input.reader.read(&mut buffer) {
                Ok(0) => self.at_end = true,
                Ok(count) => {
                    n += memchr_iter(b'\n', &buffer[..count]).count() as u64;
                    last = buffer[count - 1];
                }
                Err(problem) if problem.kind() == std::io::ErrorKind::Interrupted => {}
                Err(problem) => return Err(problem).context(self.input.name.clone()),
            }
        }
        Ok(n + u64::from(last != b'\n'))
    }

    /// Reads at least one complete line; returns false at the end.
    fn next_block(&mut self) -> Result<bool> {
        self.lines_before = self.n_lines;
        self.bytes_before += self.block.len() as u64;
        let mut bytes = std::mem::take(&mut self.block).into_bytes();
        bytes.clear();
        bytes.append(&mut self.tail);
        self.position = 0;
        let end = loop {
            if self.at_end {
                if bytes.is_empty() {
                    return Ok(false);
                }
                bytes.push(b'\n');
                break bytes.len();
            }
            let searched = bytes.len();
            let (longest, way_out) = self.longest;
            if searched > longest << 20 {
                let (name, line) = (&self.input.name, self.lines_before + 1);
                bail!(
                    "{name}: line {line}: longer than {longest} MiB, expected lines of text{way_out}"
                );
            }
            self.read_some(&mut bytes)?;
            if let Some(newline) = memrchr(b'\n', &bytes[searched..]) {
                break searched + newline + 1;
            }
        };
        self.tail.extend_from_slice(&bytes[end..]);
        bytes.truncate(end);
        match String::from_utf8(bytes) {
            Ok(block) => self.block = block,
            Err(problem) => {
                let at = problem.utf8_error().valid_up_to();
                return self.invalid(&problem.into_bytes(), at);
            }
        }
        Ok(true)
    }

    fn read_some(&mut self, bytes: &mut Vec<u8>) -> Result<()> {
        let n = (&mut self.input.reader)
            .take(BLOCK as u64)
            .read_to_end(bytes)
            .with_context(|| self.input.name.clone())?;
        self.at_end = n == 0;
        Ok(())
    }

    fn invalid(&self, bytes: &[u8], at: usize) -> Result<bool> {
        let line = self.lines_before + memchr_iter(b'\n', &bytes[..at]).count() as u64 + 1;
        let start = memrchr(b'\n', &bytes[..at]).map_or(0, |newline| newline + 1);
        bail!(
            "{}: line {line}: invalid UTF-8 (0x{:02x}) at byte {} of the line, {} of the text",
            self.input.name,
            bytes[at],
            at - start + 1,
            self.bytes_before + at as u64 + 1,
        )
    }
}

impl Source for Lines {
    fn opened(&self) -> &Opened {
        &self.input
    }

    fn read(&mut self, columns: &mut [Column], max_rows: usize) -> Result<()> {
        let column = &mut columns[0];
        self.read_lines(column, max_rows.saturating_sub(column.rows()))
    }

    fn n_rows(&self) -> u64 {
        self.n_lines
    }

    fn count_rest(&mut self) -> Result<u64> {
        Lines::count_rest(self)
    }
}

/// One line of a file, counted from 1, and the number of lines read.
pub fn nth_line(path: &Path, number: u64) -> Result<(Option<String>, u64)> {
    let mut lines = Lines::new(open(path)?);
    let mut column = Column::default();
    loop {
        column.clear();
        let before = lines.n_lines();
        lines.read_lines(&mut column, MOST_ROWS)?;
        if column.rows() == 0 {
            return Ok((None, before));
        }
        if number <= lines.n_lines() {
            return Ok((Some(column.text((number - before - 1) as usize).to_owned()), number));
        }
    }
}

/// All lines of a file.
pub fn all_lines(path: &Path) -> Result<Column> {
    let mut lines = Lines::new(open(path)?);
    let mut all = Column::default();
    let mut block = Column::default();
    loop {
        block.clear();
        lines.read_lines(&mut block, MOST_ROWS)?;
        if block.rows() == 0 {
            return Ok(all);
        }
        block.copy_tail(0, &mut all);
    }
}

/// Lines whose texts must be of one kind.
pub struct Checked {
    /// The lines.
    pub lines: Lines,
    /// What they must be.
    pub kind: Kind,
}

impl Source for Checked {
    fn opened(&self) -> &Opened {
        self.lines.input()
    }

    fn read(&mut self, columns: &mut [Column], max_rows: usize) -> Result<()> {
        let before = columns[0].rows();
        Source::read(&mut self.lines, columns, max_rows)?;
        let n_before = self.lines.n_lines() - (columns[0].rows() - before) as u64;
        for (number, row) in (n_before + 1..).zip(before..columns[0].rows()) {
            let checked = self.kind.check(columns[0].text(row));
            checked.with_context(|| format!("{}: line {number}", self.lines.input().name))?;
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
