//! Reads tables: columns of text, lists of text or numbers, a few rows at a time.
//!
//! Only the pages of the chosen columns are read, one page of each at a time, so a file may be larger than
//! memory.

use crate::Result;
use crate::error::wrong;
use crate::metadata::{Metadata, Physical};
use crate::pages::Pages;
use std::fs::File;

/// A Parquet file of which some columns are read.
pub struct Table {
    file: File,
    metadata: Metadata,
    columns: Vec<Column>,
    /// The chosen columns of the current row group.
    readers: Vec<Pages>,
    next_group: usize,
    left_in_group: usize,
    buffers: Buffers,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Bytes, which may be text.
    Text,
    /// Integers or floating-point numbers.
    Number,
    /// True or false.
    Flag,
    /// Anything else; it cannot be read here.
    Other,
}

/// A column of values. A group of the schema has several under one name.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its outermost name.
    pub name: String,
    /// Its type.
    pub kind: Kind,
    /// The number of nested lists around its values.
    pub depth: i16,
    /// Its number among the leaves of the schema.
    index: usize,
}

/// A value in its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Whether it starts a row.
    pub starts_row: bool,
    /// Its bytes, or `None` for a null. Numbers are the shortest text that parses back to them.
    pub value: Option<&'a [u8]>,
}

/// The entries that were read last.
#[derive(Default)]
struct Buffers {
    bytes: Vec<u8>,
    /// Of each entry: whether it starts a row, whether it is a value, and where its bytes end.
    entries: Vec<(bool, bool, usize)>,
}

impl Table {
    /// Reads the metadata of a file.
    pub fn open(file: File) -> Result<Self> {
        let metadata = Metadata::read(&mut &file)?;
        Ok(Table {
            file,
            metadata,
            columns: Vec::new(),
            readers: Vec::new(),
            next_group: 0,
            left_in_group: 0,
            buffers: Buffers::default(),
        })
    }

    /// The number of rows in the file.
    pub fn n_rows(&self) -> u64 {
        self.metadata.n_rows
    }

    /// All columns, in the order of the schema.
    pub fn columns(&self) -> impl Iterator<Item = Column> {
        self.metadata.leaves.iter().enumerate().map(|(index, leaf)| Column {
            name: leaf.name.clone(),
            kind: match leaf.physical {
                Physical::Bytes => Kind::Text,
                Physical::Flag => Kind::Flag,
                Physical::Other => Kind::Other,
                _ => Kind::Number,
            },
            depth: i16::try_from(leaf.most_repetition).unwrap_or(i16::MAX),
            index,
        })
    }

    /// Chooses the columns to read. Must be called before the first row is read.
    pub fn choose(&mut self, columns: Vec<Column>) {
        self.columns = columns;
    }

    /// The number of rows that can be read at once, at most `most`; zero only at the end.
    pub fn ready(&mut self, most: usize) -> Result<usize> {
        while self.left_in_group == 0 && self.next_group < self.metadata.groups.len() {
            let group = &self.metadata.groups[self.next_group];
            if group.chunks.len() != self.metadata.leaves.len() {
                return Err(wrong("a group of rows has other columns than the schema"));
            }
            self.left_in_group = group.n_rows;
            self.readers.clear();
            for &Column { index, .. } in &self.columns {
                let pages = Pages::new(&self.metadata.leaves[index], &group.chunks[index])?;
                self.readers.push(pages);
            }
            self.next_group += 1;
        }
        Ok(most.min(self.left_in_group))
    }

    /// Reads the next rows of one of the chosen columns and returns their number.
    pub fn read(&mut self, chosen: usize, n_rows: usize) -> Result<usize> {
        let Buffers { bytes, entries } = &mut self.buffers;
        bytes.clear();
        entries.clear();
        let mut entry = |repetition, is_value, end| entries.push((repetition == 0, is_value, end));
        for n_read in 0..n_rows {
            if !self.readers[chosen].row(&self.file, bytes, &mut entry)? {
                return Ok(n_read);
            }
        }
        Ok(n_rows)
    }

    /// The entries of the rows that were read last.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        let mut start = 0;
        self.buffers.entries.iter().map(move |&(starts_row, is_value, end)| {
            let bytes = &self.buffers.bytes[start..end];
            start = end;
            Entry { starts_row, value: is_value.then_some(bytes) }
        })
    }

    /// Marks rows as done, after every column has been read.
    pub fn advance(&mut self, n_rows: usize) {
        self.left_in_group = self.left_in_group.saturating_sub(n_rows);
    }
}
