//! Reads tables: columns of text, lists of text or numbers, a few rows at a time.
//!
//! Only the pages of the chosen columns are read, one page of each at a time, so a file may be larger than
//! memory.

use crate::{Error, Result, pages};
use parquet::basic::Type;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, DataType};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use std::fs::File;
use std::sync::Arc;

/// A Parquet file of which some columns are read.
pub struct Table {
    file: Arc<File>,
    metadata: ParquetMetaData,
    columns: Vec<Column>,
    /// The chosen columns of the current row group.
    readers: Vec<ColumnReader>,
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
    /// The definition level of a value that is not null.
    present: i16,
}

/// A value in its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Whether it starts a row.
    pub starts_row: bool,
    /// Its bytes, or `None` for a null. Numbers are the shortest text that parses back to them.
    pub value: Option<&'a [u8]>,
}

#[derive(Default)]
struct Buffers {
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
    values: Vec<ByteArray>,
}

impl Table {
    /// Reads the metadata of a file.
    pub fn open(file: File) -> Result<Self> {
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&file)?;
        Ok(Table {
            file: Arc::new(file),
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
        self.metadata.file_metadata().num_rows().try_into().unwrap_or(0)
    }

    /// All columns, in the order of the schema.
    pub fn columns(&self) -> impl Iterator<Item = Column> {
        let schema = self.metadata.file_metadata().schema_descr();
        schema.columns().iter().enumerate().map(|(index, column)| Column {
            name: column.path().parts().first().cloned().unwrap_or_default(),
            kind: match column.physical_type() {
                Type::BYTE_ARRAY => Kind::Text,
                Type::INT32 | Type::INT64 | Type::FLOAT | Type::DOUBLE => Kind::Number,
                Type::BOOLEAN => Kind::Flag,
                _ => Kind::Other,
            },
            depth: column.max_rep_level(),
            index,
            present: column.max_def_level(),
        })
    }

    /// Chooses the columns to read. Must be called before the first row is read.
    pub fn choose(&mut self, columns: Vec<Column>) {
        self.columns = columns;
    }

    /// The number of rows that can be read at once, at most `most`; zero only at the end.
    pub fn ready(&mut self, most: usize) -> Result<usize> {
        while self.left_in_group == 0 && self.next_group < self.metadata.num_row_groups() {
            let group = self.metadata.row_group(self.next_group);
            self.left_in_group = group.num_rows().try_into().unwrap_or(0);
            self.readers.clear();
            for column in &self.columns {
                let chunk = group.column(column.index);
                let pages = pages::open(Arc::clone(&self.file), chunk, self.left_in_group)?;
                self.readers.push(get_column_reader(chunk.column_descr_ptr(), pages));
            }
            self.next_group += 1;
        }
        Ok(most.min(self.left_in_group))
    }

    /// Reads the next rows of one of the chosen columns and returns their number.
    pub fn read(&mut self, chosen: usize, n_rows: usize) -> Result<usize> {
        self.buffers.clear();
        let mut read = 0;
        while read < n_rows {
            let more = self.buffers.read(&mut self.readers[chosen], n_rows - read)?;
            if more == 0 {
                break;
            }
            read += more;
        }
        Ok(read)
    }

    /// The entries of the `n_rows` rows that were read last from that column.
    pub fn entries(&self, chosen: usize, n_rows: usize) -> impl Iterator<Item = Entry<'_>> {
        let Column { depth, present, .. } = self.columns[chosen];
        let Buffers { definitions, repetitions, values } = &self.buffers;
        let n_entries = match (present, depth) {
            (0, 0) => n_rows,
            (_, 0) => definitions.len(),
            _ => repetitions.len(),
        };
        let mut values = values.iter();
        (0..n_entries).map(move |entry| {
            let is_there = present == 0 || definitions[entry] >= present;
            Entry {
                starts_row: depth == 0 || repetitions[entry] == 0,
                value: is_there.then(|| values.next().map(ByteArray::data).unwrap_or_default()),
            }
        })
    }

    /// Marks rows as done, after every column has been read.
    pub fn advance(&mut self, n_rows: usize) {
        self.left_in_group = self.left_in_group.saturating_sub(n_rows);
    }
}

impl Buffers {
    fn clear(&mut self) {
        self.definitions.clear();
        self.repetitions.clear();
        self.values.clear();
    }

    /// Reads up to this many rows of a column and returns their number.
    fn read(&mut self, reader: &mut ColumnReader, n_rows: usize) -> Result<usize> {
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
            _ => Err(Error::General("a column of this type is not text".to_owned())),
        }
    }

    fn read_as<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        n_rows: usize,
        text: impl Fn(&T::T) -> String,
    ) -> Result<usize> {
        let (definitions, repetitions) = (&mut self.definitions, &mut self.repetitions);
        let mut values = Vec::new();
        let (read, ..) =
            reader.read_records(n_rows, Some(definitions), Some(repetitions), &mut values)?;
        self.values.extend(values.iter().map(|value| ByteArray::from(text(value).into_bytes())));
        Ok(read)
    }
}
