//! A corpus: the streams of systems and references, opened together and read in lockstep.
//!
//! All streams advance by a batch at a time, so memory does not grow with the length of the files, and
//! references are read once for all systems.

use super::batch::{Batch, FEWEST_ROWS, Layout, MOST_ROWS};
use super::column::Column;
use super::formats::{refuse_table, table_source};
use super::impression::Impression;
use super::lines::{Checked, Lines};
use super::names::names;
use super::pasted::Pasted;
use super::{Kind, Role, Source, is_stdin, open, with_role};
use crate::args::{CorpusArgs, TableArgs, TableFormat};
use crate::error::{Result, bail, counted, usage};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// The longest text in MiB without `--max-tokens`: some metrics need 50 bytes of memory for each byte of it.
const LONGEST: usize = 16;
const WAY_OUT: &str = " (--max-tokens N allows N words)";

/// An extra column: a text or a number for every segment, in addition to hypotheses and references.
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

impl Place {
    /// The file that is read for it alone.
    pub fn file(&self) -> Option<&PathBuf> {
        match self {
            Place::Lines(path) | Place::Table(path, _) => Some(path),
            Place::Input(..) | Place::Reference(_) => None,
        }
    }
}

/// The systems and references of a run, opened and ready to be read.
pub struct Corpus {
    /// The systems' names, in the order given.
    pub systems: Vec<String>,
    sources: Vec<Box<dyn Source>>,
    /// For each source the number of its first column in the batch.
    first_columns: Vec<usize>,
    layout: Layout,
    /// The rows of each source that did not fit into the last batch.
    carried: Vec<Column>,
    n_rows: usize,
    /// The most words that a text may have.
    max_tokens: Option<usize>,
    /// What the texts look like, if somebody asked.
    impression: Option<Impression>,
}

impl Corpus {
    /// Opens everything that the arguments name.
    pub fn open(args: &CorpusArgs) -> Result<Self> {
        Self::open_with(args, &[])
    }

    /// Opens everything that the arguments name, and extra columns.
    pub fn open_with(args: &CorpusArgs, extras: &[Extra]) -> Result<Self> {
        let inputs = args.input_files();
        check(args, &inputs, extras)?;
        let labels = args.labels();
        let systems = names(&inputs, &labels, &args.hypothesis_column);
        let is_twice = |name: &&String| systems.iter().filter(|other| *other == *name).count() > 1;
        // The same file twice is a copy, and gets a remark.
        let mut given = labels.iter().flatten().chain(&args.hypothesis_column);
        if let Some(name) = given.find(is_twice) {
            return Err(usage(format!("two systems are called '{name}': name them differently")));
        }
        let mut corpus = Corpus {
            systems,
            sources: Vec::new(),
            first_columns: Vec::new(),
            layout: Layout { extras: vec![0; extras.len()], ..Layout::default() },
            carried: Vec::new(),
            n_rows: 0,
            max_tokens: args.max_tokens.map(|n| n as usize),
            impression: None,
        };
        let references = with_role(&args.reference_column, Role::Reference);
        let mut hypotheses = with_role(&args.hypothesis_column, Role::Hypothesis);
        for (idx, path) in args.references.iter().enumerate() {
            let beside = columns_of(extras, |place| match place {
                Place::Reference(name) if idx == 0 => Some(name),
                _ => None,
            });
            match references.as_slice() {
                [] => corpus.add_lines(path, Role::Reference, args.tables)?,
                wanted => corpus.add_table(path, args.tables, &[wanted, &beside].concat())?,
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
                [] if args.inputs.is_empty() && args.tables.input_format.is_none() => {
                    corpus.add_pasted(path)?;
                }
                [] => corpus.add_lines(path, Role::Hypothesis, args.tables)?,
                wanted => corpus.add_table(path, args.tables, &[wanted, &beside].concat())?,
            }
        }
        corpus.add_extras(extras, args.tables)?;
        Ok(corpus)
    }

    /// Opens the files that hold only extra columns; the columns of one table are read together.
    fn add_extras(&mut self, extras: &[Extra], tables: TableArgs) -> Result<()> {
        let mut seen: Vec<&Path> = Vec::new();
        for (at, extra) in extras.iter().enumerate() {
            match &extra.place {
                Place::Lines(path) => self.add_lines(path, Role::Extra(at, extra.kind), tables)?,
                Place::Table(path, _) if !seen.contains(&path.as_path()) => {
                    seen.push(path);
                    let wanted = columns_of(extras, |place| match place {
                        Place::Table(other, name) if other == path => Some(name),
                        _ => None,
                    });
                    self.add_table(path, tables, &wanted)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// An impression of the texts, which grows as they are read from now on.
    pub fn impression(&mut self) -> Impression {
        self.impression.get_or_insert_default().clone()
    }

    /// How the batches are laid out.
    pub fn layout(&self) -> Layout {
        self.layout.clone()
    }

    /// The size of the largest file and how much of it has been read, for the progress bar.
    pub fn progress(&self) -> Option<(u64, impl Fn() -> u64 + Send + 'static)> {
        let sized = self.sources.iter().filter_map(|source| Some((source.opened().size?, source)));
        let (size, source) = sized.max_by_key(|&(size, _)| size)?;
        let position = std::sync::Arc::clone(&source.opened().position);
        Some((size, move || position.load(Ordering::Relaxed)))
    }

    /// Reads the next batch; a batch without rows is the end.
    ///
    /// A stream of long lines reaches the limit of bytes earlier than the others: their further rows are carried
    /// over to the next batch.
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
        self.check_lengths(batch)?;
        self.n_rows += batch.n_rows;
        if let Some(impression) = &mut self.impression {
            impression.look(&self.layout, batch);
        }
        for (column, carried) in batch.columns.iter().zip(&mut self.carried) {
            column.copy_tail(batch.n_rows, carried);
        }
        Ok(())
    }

    /// Refuses a text with more words than allowed, or a huge one if nothing is said.
    fn check_lengths(&self, batch: &Batch) -> Result<()> {
        // A text has at least one byte per word, so most texts need no counting.
        let most_bytes = self.max_tokens.unwrap_or(LONGEST << 20);
        let is_long = |text: &str| match self.max_tokens {
            _ if text.len() <= most_bytes => false,
            Some(most) => text.split_whitespace().nth(most).is_some(),
            None => true,
        };
        for &column in self.layout.hypotheses.iter().chain(&self.layout.references) {
            if batch.columns[column].bytes() <= most_bytes {
                continue;
            }
            let source = self.first_columns.partition_point(|&first| first <= column) - 1;
            for row in 0..batch.n_rows {
                if batch.columns[column].texts(row).any(is_long) {
                    let (name, segment) =
                        (&self.sources[source].opened().name, self.n_rows + row + 1);
                    match self.max_tokens {
                        Some(most) => {
                            bail!(
                                "{name}: segment {segment}: more than {most} words (--max-tokens)"
                            )
                        }
                        None => bail!(
                            "{name}: segment {segment}: a text of more than {LONGEST} MiB{WAY_OUT}"
                        ),
                    }
                }
            }
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

    /// The error for a stream that ended before the others, with both lengths.
    fn unequal(&mut self) -> Result<()> {
        let mut counts = Vec::new();
        for source in &mut self.sources {
            let n = source.n_rows() + source.count_rest()?;
            counts.push((n, source.opened().name.clone()));
        }
        let (first, name) = &counts[0];
        match counts.iter().find(|(n, _)| n != first) {
            Some((other, other_name)) => bail!(
                "the files differ in length: {name} has {}, {other_name} has {other}{}",
                counted(*first, "segment"),
                // Somebody who names two files may not know which of them is the system.
                if other_name == "standard input" && *other == 0 {
                    " (systems are files after -i)"
                } else {
                    ""
                }
            ),
            // Not reached: one stream has rows and another has none.
            None => bail!("the files differ in length"),
        }
    }

    /// Adds a file with one text on each line.
    fn add_lines(&mut self, path: &Path, role: Role, tables: TableArgs) -> Result<()> {
        if tables.input_format != Some(TableFormat::Text) {
            let lines = "--input-format text reads its lines as they are";
            let way_out = match role {
                Role::Hypothesis => format!("name its column with --hypothesis-column ({lines})"),
                Role::Reference => format!("name its column with --reference-column ({lines})"),
                Role::Extra(..) => format!("expected lines of text ({lines})"),
            };
            refuse_table(path, &way_out)?;
        }
        let mut lines = Lines::new(open(path)?);
        if self.max_tokens.is_none() {
            lines = lines.at_most(LONGEST, WAY_OUT);
        }
        self.sources.push(match role {
            Role::Extra(_, kind) => Box::new(Checked { lines, kind }),
            _ => Box::new(lines),
        });
        self.add_columns(&[role]);
        Ok(())
    }

    /// Adds lines that may have a column for each system, as `paste` writes them.
    fn add_pasted(&mut self, path: &Path) -> Result<()> {
        let pasted = Pasted::new(open(path)?)?;
        let n = pasted.n_columns();
        if n > 1 {
            self.systems = (1..=n).map(|system| format!("system {system}")).collect();
        }
        self.sources.push(Box::new(pasted));
        self.add_columns(&vec![Role::Hypothesis; n]);
        Ok(())
    }

    /// Adds a file with named columns.
    fn add_table(&mut self, path: &Path, tables: TableArgs, wanted: &[(&str, Role)]) -> Result<()> {
        self.sources.push(table_source(path, tables, wanted)?);
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

/// The extra columns of one file: those for whose places `name` returns a name.
fn columns_of<'a>(
    extras: &'a [Extra],
    name: impl Fn(&'a Place) -> Option<&'a String>,
) -> Vec<(&'a str, Role)> {
    let column = |(at, extra): (usize, &'a Extra)| {
        Some((name(&extra.place)?.as_str(), Role::Extra(at, extra.kind)))
    };
    extras.iter().enumerate().filter_map(column).collect()
}

/// Refuses arguments that do not fit together, before anything is opened.
fn check(args: &CorpusArgs, inputs: &[PathBuf], extras: &[Extra]) -> Result<()> {
    let lines = extras.iter().filter_map(|extra| match &extra.place {
        Place::Lines(path) => Some(path),
        _ => None,
    });
    let all = || args.references.iter().chain(inputs).chain(lines.clone());
    if all().filter(|path| is_stdin(path)).count() > 1 {
        return Err(usage("standard input ('-') can be read only once"));
    }
    let no_columns = args.hypothesis_column.is_empty() && args.reference_column.is_empty();
    let format = args.tables.input_format;
    if no_columns && format.is_some_and(|format| format != TableFormat::Text) {
        return Err(usage("--input-format is for tables: name a column with --hypothesis-column"));
    }
    if no_columns && args.tables.delimiter.is_some() {
        return Err(usage("--delimiter is for tables: name a column with --hypothesis-column"));
    }
    if !args.references.is_empty() {
        return Ok(());
    }
    if args.reference_column.is_empty() {
        return Err(usage(
            "references are missing: give files with -r (files after -i are systems) or columns with --reference-column",
        ));
    }
    if let Some(name) = args.reference_column.iter().find(|it| args.hypothesis_column.contains(it))
    {
        return Err(usage(format!("the column '{name}' is both hypothesis and reference")));
    }
    if args.hypothesis_column.is_empty() {
        return Err(usage("--reference-column without -r needs --hypothesis-column too"));
    }
    if inputs.len() > 1 {
        return Err(usage(
            "with several input tables, the references must be in a separate file: give it with -r",
        ));
    }
    Ok(())
}
