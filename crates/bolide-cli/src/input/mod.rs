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
mod parquet;
mod table;

pub use column::Column;
pub use open::{is_stdin, open};
pub use table::{Table, Wanted};

use crate::args::{CorpusArgs, TableFormat};
use crate::error::{Result, bail, usage, visible};
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
    let mut lines = lines::Lines::new(open(path)?);
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

/// A batch ends after so many rows …
const MOST_ROWS: usize = 256;
/// … or after so many bytes in any of its columns: few enough that its texts are still near the
/// processor when they are scored …
const BATCH_BYTES: usize = 1 << 16;
/// … and sooner at the beginning of a corpus, so that a small one can be shared out too.
const FEWEST_ROWS: usize = 16;

/// Something that yields rows.
trait Source: Send {
    /// The file behind it.
    fn opened(&self) -> &Opened;
    /// Appends rows to its columns until these have so many or are full. Appends none only at the end.
    fn read(&mut self, columns: &mut [Column], max_rows: usize) -> Result<()>;
    /// How many rows it has yielded.
    fn n_rows(&self) -> u64;
    /// The lines on which the last `n` rows began; the numbers of the rows where there are no lines.
    fn lines_read(&self, n: usize) -> Vec<u64> {
        let last = self.n_rows();
        (last + 1 - n as u64..=last).collect()
    }
    /// How many rows are still to come. Afterwards the source is used up.
    fn count_rest(&mut self) -> Result<u64>;
}

/// What a column is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Hypothesis,
    Reference,
    /// Something beside them, by its place among the extras.
    Extra(usize, Kind),
}

/// What the texts of an extra column must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Anything; in JSON lines also numbers, true and false.
    Text,
    /// A finite number, or nothing.
    Number,
}

impl Kind {
    /// Refuses a text that is not what the column must hold, without saying where it stands.
    fn check(self, text: &str) -> Result<()> {
        if self == Kind::Text || text.trim().is_empty() {
            return Ok(());
        }
        match text.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(()),
            _ => bail!("'{text}' is not a number"),
        }
    }
}

/// Something to read beside hypotheses and references: a text or a number for every segment.
pub struct Extra {
    /// Where it is.
    pub place: Place,
    /// What it must be.
    pub kind: Kind,
}

/// Where an extra column is.
pub enum Place {
    /// The lines of a file.
    Lines(PathBuf),
    /// A column of a table of its own.
    Table(PathBuf, String),
    /// A column of one of the input tables.
    Input(usize, String),
    /// A column of the first table of references.
    Reference(String),
}

/// The systems and references of a run, opened and ready to be read.
pub struct Corpus {
    /// The systems' names, in the order given.
    pub systems: Vec<String>,
    sources: Vec<Box<dyn Source>>,
    /// For each source the number of its first column in the batch.
    first_columns: Vec<usize>,
    layout: Layout,
    /// What a source had more than others in the last batch.
    carried: Vec<Column>,
    n_rows: usize,
}

/// Which columns of a batch hold what.
#[derive(Clone, Default)]
pub struct Layout {
    hypotheses: Vec<usize>,
    references: Vec<usize>,
    extras: Vec<usize>,
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

    /// What stands in an extra column.
    pub fn extra<'a>(&self, batch: &'a Batch, row: usize, extra: usize) -> &'a str {
        batch.columns[self.extras[extra]].text(row)
    }

    /// Collects the references of a row: at least one.
    ///
    /// Among several an empty text means that there is none, as in sacreBLEU. If nothing is left,
    /// the segment has one empty reference.
    pub fn references<'a>(&self, batch: &'a Batch, row: usize, into: &mut Vec<Text<'a>>) {
        into.clear();
        if let [idx] = self.references.as_slice()
            && let Some(only) = batch.columns[*idx].only_text(row)
        {
            into.push(Text::Raw(only));
            return;
        }
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
        Self::open_with(args, &[])
    }

    /// Opens everything that the arguments name, and more beside it.
    pub fn open_with(args: &CorpusArgs, extras: &[Extra]) -> Result<Self> {
        let inputs = inputs(args);
        check(args, &inputs, extras)?;
        let mut corpus = Corpus {
            systems: names(&inputs, &args.hypothesis_column),
            sources: Vec::new(),
            first_columns: Vec::new(),
            layout: Layout { extras: vec![0; extras.len()], ..Layout::default() },
            carried: Vec::new(),
            n_rows: 0,
        };
        let references = with_role(&args.reference_column, Role::Reference);
        let mut hypotheses = with_role(&args.hypothesis_column, Role::Hypothesis);
        for (idx, path) in args.references.iter().enumerate() {
            let beside = columns_of(extras, |place| match place {
                Place::Reference(name) if idx == 0 => Some(name),
                _ => None,
            });
            match references.as_slice() {
                [] => corpus.add_lines(path, Role::Reference)?,
                wanted => corpus.add_table(path, args.input_format, &[wanted, &beside].concat())?,
            }
        }
        if args.references.is_empty() {
            hypotheses.extend(references);
        }
        for (idx, path) in inputs.iter().enumerate() {
            let beside = columns_of(extras, |place| match place {
                Place::Input(input, name) if *input == idx => Some(name),
                _ => None,
            });
            match hypotheses.as_slice() {
                [] => corpus.add_lines(path, Role::Hypothesis)?,
                wanted => corpus.add_table(path, args.input_format, &[wanted, &beside].concat())?,
            }
        }
        corpus.add_extras(extras, args.input_format)?;
        Ok(corpus)
    }

    /// Files that hold nothing but extras; the columns of one table are read together.
    fn add_extras(&mut self, extras: &[Extra], format: Option<TableFormat>) -> Result<()> {
        let mut tables: Vec<&Path> = Vec::new();
        for (at, extra) in extras.iter().enumerate() {
            match &extra.place {
                Place::Lines(path) => self.add_lines(path, Role::Extra(at, extra.kind))?,
                Place::Table(path, _) if !tables.contains(&path.as_path()) => {
                    tables.push(path);
                    let wanted = columns_of(extras, |place| match place {
                        Place::Table(other, name) if other == path => Some(name),
                        _ => None,
                    });
                    self.add_table(path, format, &wanted)?;
                }
                _ => {}
            }
        }
        Ok(())
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

    /// Reads the next batch; one without rows is the end.
    ///
    /// A stream of long lines may fill up sooner than the others: what they have more is carried over
    /// to the batch after.
    pub fn read(&mut self, batch: &mut Batch) -> Result<()> {
        batch.columns.resize_with(self.layout.n_columns, Column::default);
        self.carried.resize_with(self.layout.n_columns, Column::default);
        for (column, carried) in batch.columns.iter_mut().zip(&mut self.carried) {
            column.clear();
            std::mem::swap(column, carried);
        }
        let max_rows = (self.n_rows / 64).clamp(FEWEST_ROWS, MOST_ROWS);
        let ends = self.first_columns.iter().skip(1).chain([&self.layout.n_columns]);
        for ((source, &start), &end) in self.sources.iter_mut().zip(&self.first_columns).zip(ends) {
            source.read(&mut batch.columns[start..end], max_rows)?;
        }
        let rows = || self.first_columns.iter().map(|&idx| batch.columns[idx].rows());
        batch.n_rows = rows().min().unwrap_or(0);
        if batch.n_rows == 0 && rows().any(|n| n > 0) {
            return self.unequal();
        }
        self.n_rows += batch.n_rows;
        for (column, carried) in batch.columns.iter().zip(&mut self.carried) {
            column.copy_tail(batch.n_rows, carried);
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
        if matches!(table_format(path, None), Ok(TableFormat::Parquet)) {
            return Err(usage(format!(
                "{}: is a Parquet table: name its columns with --hypothesis-column and \
                 --reference-column",
                open::name(path)
            )));
        }
        let lines = lines::Lines::new(open(path)?);
        self.sources.push(match role {
            Role::Extra(_, kind) => Box::new(lines::Checked { lines, kind }),
            _ => Box::new(lines),
        });
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
        self.sources.push(table_source(path, format, wanted)?);
        let roles: Vec<Role> = wanted.iter().map(|&(_, role)| role).collect();
        self.add_columns(&roles);
        Ok(())
    }

    fn add_columns(&mut self, roles: &[Role]) {
        let layout = &mut self.layout;
        self.first_columns.push(layout.n_columns);
        for role in roles {
            match *role {
                Role::Hypothesis => layout.hypotheses.push(layout.n_columns),
                Role::Reference => layout.references.push(layout.n_columns),
                Role::Extra(at, _) => layout.extras[at] = layout.n_columns,
            }
            layout.n_columns += 1;
        }
    }
}

/// The extras that stand in one file, by what `name` says of their places.
fn columns_of<'a>(
    extras: &'a [Extra],
    name: impl Fn(&'a Place) -> Option<&'a String>,
) -> Vec<(&'a str, Role)> {
    let column = |(at, extra): (usize, &'a Extra)| {
        Some((name(&extra.place)?.as_str(), Role::Extra(at, extra.kind)))
    };
    extras.iter().enumerate().filter_map(column).collect()
}

/// The input files: standard input if none is named.
fn inputs(args: &CorpusArgs) -> Vec<PathBuf> {
    if args.inputs.is_empty() { vec![PathBuf::from("-")] } else { args.inputs.clone() }
}

/// What the systems will be called.
pub fn system_names(args: &CorpusArgs) -> Vec<String> {
    names(&inputs(args), &args.hypothesis_column)
}

/// A file's name without folder and ending, as systems are called.
pub fn short_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = without_ending(&name, &[".gz", ".zst"]);
    without_ending(name, &[".txt", ".tsv", ".csv", ".jsonl", ".ndjson", ".parquet", ".pq"])
        .to_owned()
}

/// Whether a file's name says that it is a table.
pub fn is_table(path: &Path) -> bool {
    table_format(path, None).is_ok()
}

fn with_role(names: &[String], role: Role) -> Vec<(&str, Role)> {
    names.iter().map(|name| (name.as_str(), role)).collect()
}

/// Refuses what cannot be run as written, before anything is opened.
fn check(args: &CorpusArgs, inputs: &[PathBuf], extras: &[Extra]) -> Result<()> {
    let lines = extras.iter().filter_map(|extra| match &extra.place {
        Place::Lines(path) => Some(path),
        _ => None,
    });
    let all = || args.references.iter().chain(inputs).chain(lines.clone());
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

/// Opens a table for its rows to be read.
fn table_source(
    path: &Path,
    format: Option<TableFormat>,
    wanted: &[(&str, Role)],
) -> Result<Box<dyn Source>> {
    Ok(match table_format(path, format)? {
        TableFormat::Tsv => Box::new(delimited::Tsv::new(open(path)?, wanted)?),
        TableFormat::Csv => Box::new(delimited::Csv::new(open(path)?, wanted)?),
        TableFormat::Jsonl => Box::new(jsonl::Jsonl::new(open(path)?, wanted)),
        TableFormat::Parquet => Box::new(parquet::Parquet::new(path, wanted)?),
    })
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
        Some("parquet" | "pq") => Ok(TableFormat::Parquet),
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
        visible(&short_name(path))
    };
    let mut files: Vec<String> = inputs.iter().map(short).collect();
    let distinct = (1..files.len()).all(|idx| !files[..idx].contains(&files[idx]));
    if !distinct {
        files = inputs.iter().map(|path| visible(&path.display().to_string())).collect();
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
