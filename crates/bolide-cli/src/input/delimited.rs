//! Tables with a header line: TSV, in which a tab always separates and nothing is quoted, and CSV, in which
//! quoted fields may contain commas, quotes and line breaks.

use super::batch::BATCH_BYTES;
use super::column::Column;
use super::lines::Lines;
use super::open::Opened;
use super::quotes::{Quotes, Unclosed};
use super::{Role, Source};
use crate::error::{Context as _, Result, anyhow, bail, counted};
use std::io::Read;

/// Tab-separated.
pub struct Tsv {
    lines: Lines,
    line: Column,
    fields: Vec<Field>,
    /// The number of columns.
    n_fields: usize,
}

/// A column that is read.
struct Field {
    /// Its index in the row.
    at: usize,
    name: String,
    role: Role,
}

impl Field {
    /// Refuses a text that the column must not hold.
    fn check(&self, text: &str) -> Result<()> {
        match self.role {
            Role::Extra(_, kind) => {
                kind.check(text).with_context(|| format!("column '{}'", self.name))
            }
            _ => Ok(()),
        }
    }
}

impl Tsv {
    /// Reads the header and finds the columns in it.
    pub fn new(input: Opened, wanted: &[(&str, Role)]) -> Result<Self> {
        let mut lines = Lines::new(input);
        let mut line = Column::default();
        lines.read_lines(&mut line, 1)?;
        if line.rows() == 0 {
            bail!("{}: is empty, expected a header line", lines.input().name);
        }
        let header: Vec<&str> = line.text(0).split('\t').collect();
        let fields = find(&header, wanted, &lines.input().name)?;
        let n_fields = header.len();
        Ok(Tsv { lines, line, fields, n_fields })
    }
}

impl Source for Tsv {
    fn opened(&self) -> &Opened {
        self.lines.input()
    }

    fn read(&mut self, columns: &mut [Column], max_rows: usize) -> Result<()> {
        while wants_more(columns, max_rows) {
            self.line.clear();
            self.lines.read_lines(&mut self.line, 1)?;
            if self.line.rows() == 0 {
                break;
            }
            // One tab too many, inside a text, would move the texts to other columns.
            let n_fields = self.line.text(0).split('\t').count();
            if n_fields != self.n_fields {
                bail!(
                    "{}: line {}: has {}, the header has {}",
                    self.lines.input().name,
                    self.lines.n_lines(),
                    counted(n_fields as u64, "field"),
                    self.n_fields
                );
            }
            for (column, field) in columns.iter_mut().zip(&self.fields) {
                let text = self.line.text(0).split('\t').nth(field.at).unwrap_or_default();
                field.check(text).with_context(|| {
                    format!("{}: line {}", self.lines.input().name, self.lines.n_lines())
                })?;
                column.push(text);
                column.end_row();
            }
        }
        Ok(())
    }

    fn n_rows(&self) -> u64 {
        self.lines.n_lines() - 1
    }

    fn lines_read(&self, n: usize) -> Vec<u64> {
        let last = self.lines.n_lines();
        (last + 1 - n as u64..=last).collect()
    }

    fn count_rest(&mut self) -> Result<u64> {
        self.lines.count_rest()
    }
}

/// Separated by commas or another character.
pub struct Csv {
    opened: Opened,
    reader: csv::Reader<Quotes<Box<dyn Read + Send>>>,
    record: csv::StringRecord,
    fields: Vec<Field>,
    /// Whether the table has only one column, so that a blank line may be meant as a row.
    is_narrow: bool,
    n_rows: u64,
    /// The line in which the last row began.
    line: u64,
    /// Where the rows of the last read began.
    starts: Vec<u64>,
}

impl Csv {
    /// Reads the header and finds the columns in it.
    pub fn new(mut input: Opened, delimiter: u8, wanted: &[(&str, Role)]) -> Result<Self> {
        let reader = std::mem::replace(&mut input.reader, Box::new(std::io::empty()));
        let mut builder = csv::ReaderBuilder::new();
        let reader = Quotes::new(reader, delimiter);
        let mut reader = builder.delimiter(delimiter).buffer_capacity(1 << 16).from_reader(reader);
        let header = reader.headers().map_err(|problem| located(&input.name, 1, &problem))?.clone();
        reader.get_mut().next_row();
        if header.is_empty() {
            bail!("{}: is empty, expected a header line", input.name);
        }
        let fields = find(&header.iter().collect::<Vec<_>>(), wanted, &input.name)?;
        Ok(Csv {
            opened: input,
            reader,
            record: csv::StringRecord::new(),
            fields,
            is_narrow: header.len() == 1,
            n_rows: 0,
            line: 1,
            starts: Vec::new(),
        })
    }

    fn next(&mut self) -> Result<bool> {
        let more = self.reader.read_record(&mut self.record);
        let begun = self.reader.get_mut().next_row();
        self.line = begun.map_or(self.line, |row| row.line);
        let more = more.map_err(|problem| located(&self.opened.name, self.line, &problem))?;
        // Skipped, it would move the texts below it to other segments.
        if let (true, Some(blank)) = (self.is_narrow, begun.and_then(|row| row.blank)) {
            let file = &self.opened.name;
            bail!("{file}: line {blank}: is blank, expected a row: an empty text is written \"\"");
        }
        self.n_rows += u64::from(more);
        Ok(more)
    }
}

impl Source for Csv {
    fn opened(&self) -> &Opened {
        &self.opened
    }

    fn read(&mut self, columns: &mut [Column], max_rows: usize) -> Result<()> {
        self.starts.clear();
        while wants_more(columns, max_rows) && self.next()? {
            self.starts.push(self.line);
            for (column, field) in columns.iter_mut().zip(&self.fields) {
                let text = self.record.get(field.at).unwrap_or_default();
                field
                    .check(text)
                    .with_context(|| format!("{}: line {}", self.opened.name, self.line))?;
                column.push(text);
                column.end_row();
            }
        }
        Ok(())
    }

    fn n_rows(&self) -> u64 {
        self.n_rows
    }

    fn lines_read(&self, _: usize) -> Vec<u64> {
        self.starts.clone()
    }

    fn count_rest(&mut self) -> Result<u64> {
        let before = self.n_rows;
        while self.next()? {}
        Ok(std::mem::replace(&mut self.n_rows, before) - before)
    }
}

/// Whether a batch of at most `max_rows` rows has room for another row.
pub fn wants_more(columns: &[Column], max_rows: usize) -> bool {
    columns[0].rows() < max_rows && columns.iter().all(|column| column.bytes() < BATCH_BYTES)
}

/// Finds the named columns. The error lists the columns of the table.
fn find(header: &[&str], wanted: &[(&str, Role)], file: &str) -> Result<Vec<Field>> {
    let find = |&(name, role): &(&str, Role)| {
        let at = header.iter().position(|&column| column == name);
        let at = at.ok_or_else(|| unknown_column(file, name, header.iter().copied()))?;
        if header[at + 1..].contains(&name) {
            return Err(anyhow!("{file}: the header has the column '{name}' more than once"));
        }
        Ok(Field { at, name: name.to_owned(), role })
    };
    wanted.iter().map(find).collect()
}

/// The error for a column that the table does not have.
pub fn unknown_column<'a>(
    file: &str,
    name: &str,
    columns: impl Iterator<Item = &'a str>,
) -> anyhow::Error {
    let columns: Vec<&str> = columns.collect();
    anyhow!("{file}: there is no column '{name}': the columns are {}", columns.join(", "))
}

fn located(file: &str, line: u64, problem: &csv::Error) -> anyhow::Error {
    match problem.kind() {
        csv::ErrorKind::Utf8 { err, .. } => anyhow!(
            "{file}: line {line}: invalid UTF-8 in field {}, at byte {} of the field",
            err.field() + 1,
            err.valid_up_to() + 1
        ),
        csv::ErrorKind::Io(io) if io.get_ref().is_some_and(|inner| inner.is::<Unclosed>()) => {
            anyhow!("{file}: {io}")
        }
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let fields = counted(*len, "field");
            anyhow!("{file}: line {line}: has {fields}, the header has {expected_len}")
        }
        _ => anyhow!("{file}: line {line}: {problem}"),
    }
}
