//! Inputs: from paths and column names to batches of hypotheses with their references.
//!
//! All streams of a [`Corpus`] advance in lock step, a batch at a time, so the memory in use does
//! not depend on the length of the files, and references are read once for all systems.
//! Scoring is left to `run`.

mod column;
mod delimited;
mod jsonl;
mod lines;
pub mod open;

pub use column::Column;
pub use open::{explain, is_stdin, open};

use crate::args::{CorpusArgs, TableFormat};
use crate::error::{Result, bail, usage};
use bolide::Text;
use open::Opened;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// One line of a file, counted from 1; and how many lines were seen.
pub fn nth_line(path: &Path, number: u64) -> Result<(Option<String>, u64)> {
    let mut lines = lines::Lines::new(open(path)?);
    let mut column = Column::default();
    loop {
        column.clear();
        let before = lines.n_lines();
        lines.read_lines(&mut column, BATCH_ROWS)?;
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
    let mut lines = lines::Lines::new(open(path)?);
    let mut all = Column::default();
    let mut block = Column::default();
    loop {
        block.clear();
        lines.read_lines(&mut block, BATCH_ROWS)?;
        if block.rows() == 0 {
            return Ok(all);
        }
        block.copy_tail(0, &mut all);
    }
}

/// A batch ends after so many rows …
const BATCH_ROWS: usize = 4096;
/// … or after so many bytes in any of its columns.
const BATCH_BYTES: usize = 1 << 20;

/// Something that yields rows.
trait Source: Send {
    /// The file behind it.
    fn opened(&self) -> &Opened;
    /// Appends rows to its columns until the batch is full. Appends none only at the end.
    fn read(&mut self, columns: &mut [Column]) -> Result<()>;
    /// How many rows it has yielded.
    fn n_rows(&self) -> u64;
    /// How many rows are still to come. Afterwards the source is used up.
    fn count_rest(&mut self) -> Result<u64>;
}

/// What a column is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Hypothesis,
    Reference,
}

/// The systems and references of a run, opened and ready to be read.
pub struct Corpus {
    /// The systems' names, in the order given.
    pub systems: Vec<String>,
    sources: Vec<Box<dyn Source>>,
    /// For each source the number of its first column in the batch.
    first_columns: Vec<usize>,
    layout: Layout,
}

/// Which columns of a batch hold what.
#[derive(Clone, Default)]
pub struct Layout {
    hypotheses: Vec<usize>,
    references: Vec<usize>,
    n_columns: usize,
}

/// Rows of all columns.
#[derive(Default)]
pub struct Batch {
    columns: Vec<Column>,
    n_rows: usize,
}

impl Batch {
    /// How many segments it holds.
    pub fn rows(&self) -> usize {
        self.n_rows
    }
}

impl Layout {
    /// The hypothesis of a system.
    pub fn hypothesis<'a>(&self, batch: &'a Batch, row: usize, system: usize) -> &'a str {
        batch.columns[self.hypotheses[system]].text(row)
    }

    /// Collects the references of a row: at least one.
    ///
    /// Among several an empty text means that there is none, as in sacreBLEU. If nothing is left,
    /// the segment has one empty reference.
    pub fn references<'a>(&self, batch: &'a Batch, row: usize, into: &mut Vec<Text<'a>>) {
        into.clear();
        let texts = || self.references.iter().flat_map(|&idx| batch.columns[idx].texts(row));
        let mut all = texts();
        if let (Some(only), None) = (all.next(), all.next()) {
            into.push(Text::Raw(only));
            return;
        }
        into.extend(texts().filter(|text| !text.trim().is_empty()).map(Text::Raw));
        if into.is_empty() {
            into.push(Text::Raw(""));
        }
    }
}

impl Corpus {
    /// Opens everything that the arguments name.
    pub fn open(args: &CorpusArgs) -> Result<Self> {
        let inputs =
            if args.inputs.is_empty() { vec![PathBuf::from("-")] } else { args.inputs.clone() };
        check(args, &inputs)?;
        let mut corpus = Corpus {
            systems: names(&inputs, &args.hypothesis_column),
            sources: Vec::new(),
            first_columns: Vec::new(),
            layout: Layout::default(),
        };
        let references = with_role(&args.reference_column, Role::Reference);
        let mut hypotheses = with_role(&args.hypothesis_column, Role::Hypothesis);
        for path in &args.references {
            match references.as_slice() {
                [] => corpus.add_lines(path, Role::Reference)?,
                wanted => corpus.add_table(path, args.input_format, wanted)?,
            }
        }
        if args.references.is_empty() {
            hypotheses.extend(references);
        }
        for path in &inputs {
            match hypotheses.as_slice() {
                [] => corpus.add_lines(path, Role::Hypothesis)?,
                wanted => corpus.add_table(path, args.input_format, wanted)?,
            }
        }
        Ok(corpus)
    }

    /// How the batches are laid out.
    pub fn layout(&self) -> Layout {
        self.layout.clone()
    }

    /// The size of the largest file and what was read of it, for the progress bar.
    pub fn progress(&self) -> Option<(u64, impl Fn() -> u64 + Send + 'static)> {
        let sized = self.sources.iter().filter_map(|source| Some((source.opened().size?, source)));
        let (size, source) = sized.max_by_key(|&(size, _)| size)?;
        let position = std::sync::Arc::clone(&source.opened().position);
        Some((size, move || position.load(Ordering::Relaxed)))
    }

    /// Reads the batch that follows `previous`; a batch without rows is the end.
    ///
    /// A stream of long lines may have filled up sooner than the others: what they had more is
    /// carried over first.
    pub fn read(&mut self, previous: &Batch, batch: &mut Batch) -> Result<()> {
        batch.columns.resize_with(self.layout.n_columns, Column::default);
        for (idx, column) in batch.columns.iter_mut().enumerate() {
            column.clear();
            if let Some(before) = previous.columns.get(idx) {
                before.copy_tail(previous.n_rows, column);
            }
        }
        let ends = self.first_columns.iter().skip(1).chain([&self.layout.n_columns]);
        for ((source, &start), &end) in self.sources.iter_mut().zip(&self.first_columns).zip(ends) {
            source.read(&mut batch.columns[start..end])?;
        }
        let rows = || self.first_columns.iter().map(|&idx| batch.columns[idx].rows());
        batch.n_rows = rows().min().unwrap_or(0);
        if batch.n_rows == 0 && rows().any(|n| n > 0) {
            return self.unequal();
        }
        Ok(())
    }

    /// The error for an input without a single segment.
    pub fn empty(&self) -> anyhow::Error {
        let names: Vec<&str> = self.sources.iter().map(|s| s.opened().name.as_str()).collect();
        anyhow::anyhow!(
            "nothing to score: {} {} empty",
            names.join(", "),
            if names.len() == 1 { "is" } else { "are" }
        )
    }

    /// One stream ended before the others: says by how much.
    fn unequal(&mut self) -> Result<()> {
        let mut counts = Vec::new();
        for source in &mut self.sources {
            let n = source.n_rows() + source.count_rest()?;
            counts.push((n, source.opened().name.clone()));
        }
        let (first, name) = &counts[0];
        match counts.iter().find(|(n, _)| n != first) {
            Some((other, other_name)) => bail!(
                "the files differ in length: {name} has {first} segments, {other_name} has {other}"
            ),
            // Nobody can get here: one stream has rows and another has none.
            None => bail!("the files differ in length"),
        }
    }

    /// A file with one text on each line.
    fn add_lines(&mut self, path: &Path, role: Role) -> Result<()> {
        self.sources.push(Box::new(lines::Lines::new(open(path)?)));
        self.add_columns(&[role]);
        Ok(())
    }

    /// A file with named columns.
    fn add_table(
        &mut self,
        path: &Path,
        format: Option<TableFormat>,
        wanted: &[(&str, Role)],
    ) -> Result<()> {
        let format = table_format(path, format)?;
        let opened = open(path)?;
        let names: Vec<&str> = wanted.iter().map(|&(name, _)| name).collect();
        self.sources.push(match format {
            TableFormat::Tsv => Box::new(delimited::Tsv::new(opened, &names)?),
            TableFormat::Csv => Box::new(delimited::Csv::new(opened, &names)?),
            TableFormat::Jsonl => Box::new(jsonl::Jsonl::new(opened, wanted)),
        });
        let roles: Vec<Role> = wanted.iter().map(|&(_, role)| role).collect();
        self.add_columns(&roles);
        Ok(())
    }

    fn add_columns(&mut self, roles: &[Role]) {
        let layout = &mut self.layout;
        self.first_columns.push(layout.n_columns);
        for role in roles {
            let columns = match role {
                Role::Hypothesis => &mut layout.hypotheses,
                Role::Reference => &mut layout.references,
            };
            columns.push(layout.n_columns);
            layout.n_columns += 1;
        }
    }
}

fn with_role(names: &[String], role: Role) -> Vec<(&str, Role)> {
    names.iter().map(|name| (name.as_str(), role)).collect()
}

/// Refuses what cannot be run as written, before anything is opened.
fn check(args: &CorpusArgs, inputs: &[PathBuf]) -> Result<()> {
    let all = || args.references.iter().chain(inputs);
    if all().filter(|path| is_stdin(path)).count() > 1 {
        return Err(usage("standard input ('-') can be read only once"));
    }
    if !args.references.is_empty() {
        return Ok(());
    }
    if args.reference_column.is_empty() {
        return Err(usage(
            "references are missing: give files with -r or columns with --reference-column",
        ));
    }
    if args.hypothesis_column.is_empty() {
        return Err(usage("--reference-column without -r needs --hypothesis-column too"));
    }
    if inputs.len() > 1 {
        return Err(usage(
            "several input tables need their references in a file of its own: give it with -r",
        ));
    }
    Ok(())
}

/// What a table is: as told, or by the ending of its name.
fn table_format(path: &Path, told: Option<TableFormat>) -> Result<TableFormat> {
    if let Some(format) = told {
        return Ok(format);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = without_ending(&name, &[".gz", ".zst"]);
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("tsv" | "tab") => Ok(TableFormat::Tsv),
        Some("csv") => Ok(TableFormat::Csv),
        Some("jsonl" | "ndjson" | "json") => Ok(TableFormat::Jsonl),
        _ => Err(usage(format!(
            "{}: columns were asked for, but the name does not say what kind of table it is: \
             give --input-format",
            open::name(path)
        ))),
    }
}

/// Names of the systems: the files without folder and ending while that tells them apart, the
/// columns if one table holds them all.
fn names(inputs: &[PathBuf], columns: &[String]) -> Vec<String> {
    let short = |path: &PathBuf| {
        if is_stdin(path) {
            return "stdin".to_owned();
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = without_ending(&name, &[".gz", ".zst"]);
        without_ending(name, &[".txt", ".tsv", ".csv", ".jsonl", ".ndjson"]).to_owned()
    };
    let mut files: Vec<String> = inputs.iter().map(short).collect();
    let distinct = (1..files.len()).all(|idx| !files[..idx].contains(&files[idx]));
    if !distinct {
        files = inputs.iter().map(|path| path.display().to_string()).collect();
    }
    match columns {
        [] | [_] => files,
        _ if files.len() == 1 => columns.to_vec(),
        _ => files
            .iter()
            .flat_map(|file| columns.iter().map(move |column| format!("{file}:{column}")))
            .collect(),
    }
}

fn without_ending<'a>(name: &'a str, endings: &[&str]) -> &'a str {
    let shorter = endings.iter().find_map(|ending| name.strip_suffix(ending));
    shorter.filter(|shorter| !shorter.is_empty()).unwrap_or(name)
}
