//! Whole tables in memory: texts, numbers and names by row, with the file and line of each row.
//!
//! For commands that need all rows at once. Commands that stream use `Corpus`.

use super::batch::{Batch, Layout, MOST_ROWS};
use super::column::Column;
use super::formats::table_source;
use super::{Kind, Role, with_role};
use crate::args::TableArgs;
use crate::error::{Result, bail};
use bolide::Text;
use std::path::PathBuf;

/// Which columns a table must have.
#[derive(Default)]
pub struct Wanted<'a> {
    /// Columns with the hypothesis.
    pub hypothesis: &'a [String],
    /// Columns with references.
    pub references: &'a [String],
    /// Columns with numbers.
    pub numbers: Vec<&'a str>,
    /// Columns with names.
    pub names: Vec<&'a str>,
}

/// The rows of one or several files.
pub struct Table {
    rows: Batch,
    layout: Layout,
    names: Vec<String>,
    files: Vec<String>,
    /// For each row its file and the line on which it begins.
    places: Vec<(usize, u64)>,
}

impl Table {
    /// Reads the named columns of all files.
    pub fn read(paths: &[PathBuf], tables: TableArgs, wanted: &Wanted<'_>) -> Result<Self> {
        let mut columns = with_role(wanted.hypothesis, Role::Hypothesis);
        columns.extend(with_role(wanted.references, Role::Reference));
        let numbers = wanted.numbers.iter().map(|&name| (name, Kind::Number));
        let values = numbers.chain(wanted.names.iter().map(|&name| (name, Kind::Text)));
        let values = values.enumerate();
        columns.extend(values.map(|(at, (name, kind))| (name, Role::Extra(at, kind))));
        let n_hypotheses = wanted.hypothesis.len();
        let n_texts = n_hypotheses + wanted.references.len();
        let mut table = Table {
            rows: Batch::default(),
            layout: Layout {
                hypotheses: (0..n_hypotheses).collect(),
                references: (n_hypotheses..n_texts).collect(),
                extras: (n_texts..columns.len()).collect(),
                n_columns: columns.len(),
            },
            names: wanted.numbers.iter().map(|&name| name.to_owned()).collect(),
            files: Vec::new(),
            places: Vec::new(),
        };
        table.rows.columns.resize_with(columns.len(), Column::default);
        let mut block: Vec<Column> = columns.iter().map(|_| Column::default()).collect();
        for (file, path) in paths.iter().enumerate() {
            let mut source = table_source(path, tables, &columns)?;
            table.files.push(source.opened().name.clone());
            loop {
                block.iter_mut().for_each(Column::clear);
                source.read(&mut block, MOST_ROWS)?;
                let n_rows = block[0].rows();
                if n_rows == 0 {
                    break;
                }
                let lines = source.lines_read(n_rows);
                table.places.extend(lines.into_iter().map(|line| (file, line)));
                for (part, all) in block.iter().zip(&mut table.rows.columns) {
                    part.copy_tail(0, all);
                }
            }
        }
        table.rows.n_rows = table.places.len();
        if table.rows.n_rows == 0 {
            bail!("{}: there are no rows", table.files.join(", "));
        }
        Ok(table)
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows.n_rows
    }

    /// The hypothesis of a row.
    pub fn hypothesis(&self, row: usize) -> &str {
        self.layout.hypothesis(&self.rows, row, 0)
    }

    /// Collects the references of a row: at least one.
    pub fn references<'a>(&'a self, row: usize, into: &mut Vec<Text<'a>>) {
        self.layout.references(&self.rows, row, into);
    }

    /// The texts of a row in the reference columns, as they are: empty ones too.
    pub fn texts(&self, row: usize) -> impl Iterator<Item = &str> {
        let columns = self.layout.references.iter().map(|&idx| &self.rows.columns[idx]);
        columns.flat_map(move |column| column.texts(row))
    }

    /// A value as text, by the number of its column: columns with numbers come first, then those with names.
    pub fn text(&self, value: usize, row: usize) -> &str {
        self.rows.columns[self.layout.extras[value]].text(row)
    }

    /// A value as a number, by the number of its column; `None` for an empty cell. Other text was refused when
    /// the table was read.
    pub fn number(&self, value: usize, row: usize) -> Option<f64> {
        self.text(value, row).trim().parse().ok()
    }

    /// A number whose cell must not be empty.
    pub fn required(&self, value: usize, row: usize) -> Result<f64> {
        match self.number(value, row) {
            Some(number) => Ok(number),
            None => bail!(
                "{}: column '{}' is empty, expected a number (--skip-empty leaves such rows out)",
                self.place(row),
                self.names[value]
            ),
        }
    }

    /// The file and line of a row, for messages.
    pub fn place(&self, row: usize) -> String {
        let (file, line) = self.places[row];
        format!("{}: line {line}", self.files[file])
    }
}
