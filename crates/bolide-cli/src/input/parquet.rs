//! Parquet tables: columns of text, or of lists of text, read a few rows at a time.
//!
//! Only the pages of the named columns are read, one page of each at a time, so a file may be
//! larger than the memory. A hypothesis is a string; references are a string, a list of strings,
//! or null where there is none. Columns beside them may be numbers too.

use super::column::Column;
use super::delimited::{unknown_column, wants_more};
use super::open::{self, Opened};
use super::{Kind, Role, Source};
use crate::error::{Context as _, Result, anyhow, bail, usage};
use parquet::basic::Type;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows that are decoded at once.
const STEP: usize = 256;

/// A Parquet file, of which some columns are read.
pub struct Parquet {
    opened: Opened,
    file: SerializedFileReader<File>,
    leaves: Vec<Leaf>,
    /// The columns of the row group that is being read.
    readers: Vec<ColumnReader>,
    next_group: usize,
    left_in_group: usize,
    n_rows: u64,
    total: u64,
    buffers: Buffers,
}

/// A column of values, as the file has it.
struct Leaf {
    name: String,
    role: Role,
    /// Its number among the leaves of the schema.
    index: usize,
    /// The definition level of a value that is there.
    present: i16,
    /// Whether a row may have several values.
    repeated: bool,
}

#[derive(Default)]
struct Buffers {
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
    values: Vec<ByteArray>,
}

impl Parquet {
    /// Opens a file and finds the columns in it.
    pub fn new(path: &Path, wanted: &[(&str, Role)]) -> Result<Self> {
        if open::is_stdin(path) {
            return Err(usage("Parquet cannot be read from standard input: give a file"));
        }
        let name = open::name(path);
        let file = File::open(path).map_err(|problem| open::unopened(path, problem));
        let file = file.with_context(|| name.clone())?;
        let size = file.metadata().with_context(|| name.clone())?.len();
        let file = SerializedFileReader::new(file).map_err(|problem| damaged(&name, &problem))?;
        let leaves: Result<Vec<Leaf>> =
            wanted.iter().map(|&(column, role)| find(&file, &name, column, role)).collect();
        let total = file.metadata().file_metadata().num_rows().try_into().unwrap_or(0);
        let position = Arc::new(AtomicU64::new(0));
        let reader = Box::new(std::io::empty());
        Ok(Parquet {
            opened: Opened { reader, name, size: Some(size), position },
            file,
            leaves: leaves?,
            readers: Vec::new(),
            next_group: 0,
            left_in_group: 0,
            n_rows: 0,
            total,
            buffers: Buffers::default(),
        })
    }

    /// Opens the row groups one after the other; says whether there is another.
    fn open_group(&mut self) -> Result<bool> {
        while self.left_in_group == 0 {
            if self.next_group >= self.file.num_row_groups() {
                return Ok(false);
            }
            let wrong = |problem| damaged(&self.opened.name, &problem);
            let group = self.file.get_row_group(self.next_group).map_err(wrong)?;
            self.left_in_group = group.metadata().num_rows().try_into().unwrap_or(0);
            self.readers.clear();
            for leaf in &self.leaves {
                self.readers.push(group.get_column_reader(leaf.index).map_err(wrong)?);
            }
            self.next_group += 1;
        }
        Ok(true)
    }

    /// Reads the next rows of one of the columns.
    fn read_leaf(&mut self, idx: usize, n_rows: usize, column: &mut Column) -> Result<()> {
        let (leaf, name) = (&self.leaves[idx], &self.opened.name);
        self.buffers.clear();
        let mut read = 0;
        while read < n_rows {
            let more = self.buffers.read(&mut self.readers[idx], n_rows - read);
            let more = more.map_err(|problem| damaged(name, &problem))?;
            if more == 0 {
                bail!(
                    "{name}: column '{}' ends after {} rows",
                    leaf.name,
                    self.n_rows + read as u64
                );
            }
            read += more;
        }
        let Buffers { definitions, repetitions, values } = &self.buffers;
        let mut values = values.iter();
        let n_entries = match (leaf.present, leaf.repeated) {
            (0, false) => n_rows,
            (_, false) => definitions.len(),
            (_, true) => repetitions.len(),
        };
        let mut row = 0;
        for entry in 0..n_entries {
            if entry > 0 && (!leaf.repeated || repetitions[entry] == 0) {
                column.end_row();
                row += 1;
            }
            let here = self.n_rows + row + 1;
            if leaf.present > 0 && definitions[entry] < leaf.present {
                if leaf.role == Role::Hypothesis {
                    bail!("{name}: row {here}: '{}' is null, expected text", leaf.name);
                }
                continue;
            }
            let value = values.next().map(ByteArray::data).unwrap_or_default();
            let text = std::str::from_utf8(value).map_err(|problem| {
                anyhow!(
                    "{name}: row {here}: invalid UTF-8 in '{}', at byte {}",
                    leaf.name,
                    problem.valid_up_to() + 1
                )
            })?;
            if let Role::Extra(_, kind) = leaf.role {
                let checked = kind.check(text);
                checked.with_context(|| format!("{name}: row {here}: column '{}'", leaf.name))?;
            }
            column.push(text);
        }
        column.end_row();
        Ok(())
    }
}

impl Buffers {
    fn clear(&mut self) {
        self.definitions.clear();
        self.repetitions.clear();
        self.values.clear();
    }

    /// Reads up to so many rows of a column and says how many there were. Numbers become the
    /// shortest text that reads back to them.
    fn read(&mut self, reader: &mut ColumnReader, n_rows: usize) -> Result<usize, ParquetError> {
        match reader {
            ColumnReader::ByteArrayColumnReader(reader) => {
                let Buffers { definitions, repetitions, values } = self;
                let read =
                    reader.read_records(n_rows, Some(definitions), Some(repetitions), values);
                Ok(read?.0)
            }
            ColumnReader::BoolColumnReader(reader) => self.read_as(reader, n_rows, bool::to_string),
            ColumnReader::Int32ColumnReader(reader) => self.read_as(reader, n_rows, i32::to_string),
            ColumnReader::Int64ColumnReader(reader) => self.read_as(reader, n_rows, i64::to_string),
            ColumnReader::FloatColumnReader(reader) => self.read_as(reader, n_rows, f32::to_string),
            ColumnReader::DoubleColumnReader(reader) => {
                self.read_as(reader, n_rows, f64::to_string)
            }
            _ => Err(ParquetError::General("a column of this type is not text".to_owned())),
        }
    }

    fn read_as<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        n_rows: usize,
        text: impl Fn(&T::T) -> String,
    ) -> Result<usize, ParquetError> {
        let (definitions, repetitions) = (&mut self.definitions, &mut self.repetitions);
        let mut values = Vec::new();
        let (read, ..) =
            reader.read_records(n_rows, Some(definitions), Some(repetitions), &mut values)?;
        self.values.extend(values.iter().map(|value| ByteArray::from(text(value).into_bytes())));
        Ok(read)
    }
}

impl Source for Parquet {
    fn opened(&self) -> &Opened {
        &self.opened
    }

    fn read(&mut self, columns: &mut [Column], max_rows: usize) -> Result<()> {
        while wants_more(columns, max_rows) && self.open_group()? {
            let room = max_rows - columns[0].rows();
            let n_rows = STEP.min(self.left_in_group).min(room);
            for (idx, column) in columns.iter_mut().enumerate() {
                self.read_leaf(idx, n_rows, column)?;
            }
            self.left_in_group -= n_rows;
            self.n_rows += n_rows as u64;
        }
        let size = self.opened.size.unwrap_or(0) as f64;
        let done = size * self.n_rows as f64 / self.total.max(1) as f64;
        self.opened.position.store(done as u64, Ordering::Relaxed);
        Ok(())
    }

    fn n_rows(&self) -> u64 {
        self.n_rows
    }

    fn count_rest(&mut self) -> Result<u64> {
        Ok(self.total.saturating_sub(self.n_rows))
    }
}

fn find(file: &SerializedFileReader<File>, path: &str, name: &str, role: Role) -> Result<Leaf> {
    let schema = file.metadata().file_metadata().schema_descr();
    let top = |leaf: usize| schema.column(leaf).path().parts().first().cloned().unwrap_or_default();
    let mut found = (0..schema.num_columns()).filter(|&leaf| top(leaf) == name);
    let (Some(index), None) = (found.next(), found.next()) else {
        let mut names: Vec<String> = (0..schema.num_columns()).map(top).collect();
        names.dedup();
        if names.iter().any(|other| other == name) {
            return Err(not_text(path, name));
        }
        return Err(unknown_column(path, name, names.iter().map(String::as_str)));
    };
    let column = schema.column(index);
    let fits = matches!(
        (role, column.physical_type()),
        (_, Type::BYTE_ARRAY)
            | (Role::Extra(_, Kind::Text), Type::BOOLEAN)
            | (Role::Extra(..), Type::INT32 | Type::INT64 | Type::FLOAT | Type::DOUBLE)
    );
    if !fits || column.max_rep_level() > i16::from(role == Role::Reference) {
        return Err(not_text(path, name));
    }
    Ok(Leaf {
        name: name.to_owned(),
        role,
        index,
        present: column.max_def_level(),
        repeated: column.max_rep_level() > 0,
    })
}

fn not_text(path: &str, name: &str) -> anyhow::Error {
    anyhow!("{path}: column '{name}' does not hold text (or, for references, lists of text)")
}

fn damaged(path: &str, problem: &ParquetError) -> anyhow::Error {
    anyhow!("{path}: not a valid Parquet file: {problem}")
}
