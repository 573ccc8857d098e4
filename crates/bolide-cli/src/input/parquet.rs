//! Parquet tables: columns of text, or of lists of text, read a few rows at a time.
//!
//! A hypothesis is a string; references are a string, a list of strings, or null if there is none. Extra columns
//! may also be numbers. `bolide-parquet` reads the format itself.

use super::column::Column;
use super::delimited::{unknown_column, wants_more};
use super::open::{self, Opened};
use super::{Kind, Role, Source};
use crate::error::{Context as _, Result, anyhow, bail, usage};
use bolide_parquet::{Kind as Holds, Table};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many rows are decoded at a time.
const STEP: usize = 256;

/// A Parquet file, of which some columns are read.
pub struct Parquet {
    opened: Opened,
    table: Table,
    /// The columns that are read, by name and role.
    wanted: Vec<(String, Role)>,
    n_rows: u64,
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
        let metadata = file.metadata().with_context(|| name.clone())?;
        if !metadata.is_file() && !metadata.is_dir() {
            bail!("{name}: is a stream, and Parquet begins with its last bytes: give a file");
        }
        let size = metadata.len();
        let mut table = Table::open(file).map_err(|problem| damaged(&name, &problem))?;
        let columns: Result<Vec<bolide_parquet::Column>> =
            wanted.iter().map(|&(column, role)| find(&table, &name, column, role)).collect();
        table.choose(columns?);
        let position = Arc::new(AtomicU64::new(0));
        let reader = Box::new(std::io::empty());
        Ok(Parquet {
            opened: Opened { reader, name, size: Some(size), position },
            table,
            wanted: wanted.iter().map(|&(name, role)| (name.to_owned(), role)).collect(),
            n_rows: 0,
        })
    }

    /// Reads the next rows of one of the columns.
    fn read_column(&mut self, idx: usize, n_rows: usize, column: &mut Column) -> Result<()> {
        let (file, (name, role)) = (&self.opened.name, &self.wanted[idx]);
        let read = self.table.read(idx, n_rows).map_err(|problem| damaged(file, &problem))?;
        if read < n_rows {
            bail!("{file}: column '{name}' ends after {} rows", self.n_rows + read as u64);
        }
        let mut row = 0;
        for entry in self.table.entries() {
            if entry.starts_row {
                if row > 0 {
                    column.end_row();
                }
                row += 1;
            }
            let here = self.n_rows + row;
            let Some(value) = entry.value else {
                if *role == Role::Hypothesis {
                    bail!("{file}: row {here}: '{name}' is null, expected text");
                }
                continue;
            };
            let text = std::str::from_utf8(value).map_err(|problem| {
                let byte = problem.valid_up_to() + 1;
                anyhow!("{file}: row {here}: invalid UTF-8 in '{name}', at byte {byte}")
            })?;
            if let Role::Extra(_, kind) = role {
                let checked = kind.check(text);
                checked.with_context(|| format!("{file}: row {here}: column '{name}'"))?;
            }
            column.push(text);
        }
        // In a damaged file a list may continue where a row should begin, and columns would differ in length.
        if row != n_rows as u64 {
            bail!("{file}: column '{name}' has {row} rows, expected {n_rows}");
        }
        column.end_row();
        Ok(())
    }
}

impl Source for Parquet {
    fn opened(&self) -> &Opened {
        &self.opened
    }

    fn read(&mut self, columns: &mut [Column], max_rows: usize) -> Result<()> {
        while wants_more(columns, max_rows) {
            let room = max_rows - columns[0].rows();
            let n_rows = self.table.ready(STEP.min(room));
            let n_rows = n_rows.map_err(|problem| damaged(&self.opened.name, &problem))?;
            if n_rows == 0 {
                break;
            }
            for (idx, column) in columns.iter_mut().enumerate() {
                self.read_column(idx, n_rows, column)?;
            }
            self.table.advance(n_rows);
            self.n_rows += n_rows as u64;
        }
        let size = self.opened.size.unwrap_or(0) as f64;
        let done = size * self.n_rows as f64 / self.table.n_rows().max(1) as f64;
        self.opened.position.store(done as u64, Ordering::Relaxed);
        Ok(())
    }

    fn n_rows(&self) -> u64 {
        self.n_rows
    }

    fn count_rest(&mut self) -> Result<u64> {
        Ok(self.table.n_rows().saturating_sub(self.n_rows))
    }
}

fn find(table: &Table, path: &str, name: &str, role: Role) -> Result<bolide_parquet::Column> {
    let mut found = table.columns().filter(|column| column.name == name);
    let (Some(column), None) = (found.next(), found.next()) else {
        let mut names: Vec<String> = table.columns().map(|column| column.name).collect();
        names.dedup();
        if names.iter().any(|other| other == name) {
            return Err(unfit(path, name, role));
        }
        return Err(unknown_column(path, name, names.iter().map(String::as_str)));
    };
    let fits = matches!(
        (role, column.kind),
        (_, Holds::Text)
            | (Role::Extra(_, Kind::Text), Holds::Flag)
            | (Role::Extra(..), Holds::Number)
    );
    if !fits || column.depth > i16::from(role == Role::Reference) {
        return Err(unfit(path, name, role));
    }
    Ok(column)
}

/// The error for a column of another type than the role needs.
fn unfit(path: &str, name: &str, role: Role) -> anyhow::Error {
    let wanted = match role {
        Role::Hypothesis => "text",
        Role::Reference => "text or lists of text",
        Role::Extra(_, Kind::Number) => "numbers (integers or floats) or text",
        Role::Extra(_, Kind::Text) => "text, numbers or true and false",
    };
    anyhow!("{path}: column '{name}' does not hold {wanted}")
}

fn damaged(path: &str, problem: &bolide_parquet::Error) -> anyhow::Error {
    anyhow!("{path}: not a valid Parquet file: {problem}")
}
