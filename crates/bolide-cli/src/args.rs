//! The command line: the options of every subcommand, and groups of options that several of them share.
//!
//! Parsing only validates; `input` opens files and `run` builds metrics.

use crate::commands::Command;
use crate::error::remark;
use bolide::DIALECTS;
use bolide::dialect::families;
use bolide_runner::Runner;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{ArgAction, Parser, ValueEnum};
use std::ffi::OsStr;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
Examples:
  bolide score -r reference.txt -i system-a.txt system-b.txt
  bolide score -r ref1.txt ref2.txt.gz -i output.txt -m meteor:nltk bleu --format json
  bolide explain \"on the mat sat the cat\" \"the cat sat on the mat\"
  bolide dialects

Exit codes:
  0  success (also if the reader closes the pipe)
  1  the run failed, or a score is below --fail-under
  2  the command line cannot be run as written";

/// Score generated text with METEOR, BLEU and related metrics, in every dialect.
#[derive(Parser)]
#[command(name = "bolide", version, after_help = AFTER_HELP, subcommand_help_heading = "Commands")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Options of every subcommand.
    #[command(flatten)]
    pub global: Global,
}

/// Options of every subcommand.
#[derive(clap::Args)]
pub struct Global {
    /// Worker threads [default: one for each core]; the results are the same bits for any number
    #[arg(long, short = 'j', value_name = "N", global = true, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// No progress bar and no remarks, only results and errors
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Colours: auto means on a terminal unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto")]
    color: Color,
}

/// The most threads on machines with fewer cores than this: thousands of threads would only get in each
/// other's way.
const MOST_THREADS: usize = 256;

/// When to use colours.
#[derive(Clone, Copy, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

/// What a subcommand needs to know about the terminal and the global options.
pub struct Context {
    /// Worker threads.
    pub threads: usize,
    /// Whether to keep quiet on stderr.
    pub quiet: bool,
    /// Whether results on stdout may have colours.
    pub color: bool,
    /// The width of the terminal; unlimited if stdout is not a terminal.
    pub width: usize,
}

impl Context {
    /// Prints a remark to stderr unless `--quiet` was given.
    pub fn remark(&self, text: impl std::fmt::Display) {
        if !self.quiet {
            remark(format_args!("bolide: {text}"));
        }
    }

    /// If hypotheses come from a terminal, says so before the program waits for input.
    pub fn say_what_is_read(&self, corpus: &CorpusArgs) {
        if corpus.inputs.is_empty() && std::io::stdin().is_terminal() {
            self.remark("reading hypotheses from standard input");
        }
    }

    /// A runner with this number of threads.
    pub fn runner(&self) -> Runner {
        Runner::new(self.threads)
    }
}

impl Global {
    /// Examines the terminal and the environment. No other code does.
    pub fn context(&self) -> Context {
        let wanted = || {
            let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let most = cores.max(MOST_THREADS);
        let threads = self.threads.map_or(cores, usize::from);
        if threads > most && !self.quiet {
            remark(format_args!(
                "bolide: using {most} threads instead of {threads}: this machine has {cores} cores"
            ));
        }
        Context {
            threads: threads.min(most),
            quiet: self.quiet,
            width: terminal_size::terminal_size_of(std::io::stdout())
                .map_or(usize::MAX, |(width, _)| usize::from(width.0)),
            color: match self.color {
                Color::Always => true,
                Color::Never => false,
                Color::Auto => wanted(),
            },
        }
    }
}

/// The corpus of a subcommand: systems and references, as files or as columns of tables.
#[derive(clap::Args, Clone, Default)]
pub struct CorpusArgs {
    /// Reference files, each with one reference for every segment
    ///
    /// With several files, an empty line means that the file has no reference for the segment.
    #[arg(long = "reference", short = 'r', value_name = "FILE", num_args = 1.., action = ArgAction::Append)]
    pub references: Vec<PathBuf>,
    /// Hypothesis files, one for each system, also as NAME=FILE; `-` or nothing is standard input
    ///
    /// Standard input may have several columns, separated by tabs (`paste a.txt b.txt`): one for each system.
    /// Lines end at \n (a \r before it is dropped), empty lines count, .gz and .zst are
    /// decompressed. Tables (.tsv, .csv, .jsonl, .parquet) need --hypothesis-column; with
    /// --input-format text they are read as plain lines.
    #[arg(long = "input", short = 'i', value_name = "FILE", num_args = 1.., action = ArgAction::Append)]
    pub inputs: Vec<PathBuf>,
    /// The inputs are tables: read the hypotheses of one system from each of these columns
    #[arg(long, value_name = "NAME", num_args = 1.., action = ArgAction::Append)]
    pub hypothesis_column: Vec<String>,
    /// Read references from these columns, of the -r tables or else of the one input table
    ///
    /// In JSON lines and Parquet the value may be a string, a list of strings, or null.
    #[arg(long, value_name = "NAME", num_args = 1.., action = ArgAction::Append)]
    pub reference_column: Vec<String>,
    #[command(flatten)]
    pub tables: TableArgs,
    /// Refuse a text of more words than this, and name its file and segment
    ///
    /// Words are separated by white space. docs/length.md says how long each metric takes.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_tokens: Option<u32>,
}

impl CorpusArgs {
    /// The input files: standard input if none is named.
    pub fn input_files(&self) -> Vec<PathBuf> {
        match self.inputs.as_slice() {
            [] => vec![PathBuf::from("-")],
            inputs => inputs.iter().map(|input| labelled(input).1).collect(),
        }
    }

    /// The same with more references, before its own.
    pub fn after(mut self, references: &[PathBuf]) -> Self {
        self.references.splice(0..0, references.iter().cloned());
        self
    }

    /// For each input, the name that the user gave to its system, if any.
    pub fn labels(&self) -> Vec<Option<String>> {
        match self.inputs.as_slice() {
            [] => vec![None],
            inputs => inputs.iter().map(|input| labelled(input).0).collect(),
        }
    }

    /// Every file that is read.
    pub fn files(&self) -> Vec<PathBuf> {
        [self.input_files(), self.references.clone()].concat()
    }
}

/// Splits NAME=FILE, unless a file with that whole name exists.
fn labelled(input: &Path) -> (Option<String>, PathBuf) {
    let split = input.to_str().and_then(|text| text.split_once('='));
    match split {
        Some((name, file)) if !name.is_empty() && !file.is_empty() && !input.exists() => {
            (Some(name.to_owned()), PathBuf::from(file))
        }
        _ => (None, input.to_owned()),
    }
}

/// How tables are read.
#[derive(clap::Args, Clone, Copy, Default)]
pub struct TableArgs {
    /// Format of the tables, if the file name does not show it
    #[arg(long, value_name = "FORMAT")]
    pub input_format: Option<TableFormat>,
    /// The character between the fields of a row, such as ';': the table is then read as CSV
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    pub delimiter: Option<u8>,
}

/// Reads the character between two fields: one ASCII character, or `\t`.
fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"\\t" => Ok(b'\t'),
        b"\"" | b"\n" | b"\r" => Err("a quote or a line break cannot separate fields".to_owned()),
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err("expected one ASCII character, or \\t for a tab".to_owned()),
    }
}

/// Kinds of table.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum TableFormat {
    /// Tab-separated with a header line; nothing is quoted
    Tsv,
    /// Comma-separated with a header line; fields may be quoted
    Csv,
    /// One JSON object per line, or one array of objects
    Jsonl,
    /// A Parquet file; references may be a list column
    Parquet,
    /// Lines of text, whatever the file's name suggests
    Text,
}

/// The most samples that a user may request. Memory holds one score per sample, system and metric; nobody
/// needs a thousandth of this.
pub const MOST_SAMPLES: i64 = 1_000_000;

/// The metrics of a subcommand.
#[derive(clap::Args)]
pub struct MetricArgs {
    /// Metrics by partial signature: meteor, meteor:nltk, 'meteor|match:exact+stem|alpha:0.8'
    ///
    /// `bolide dialects` lists them. Missing keys take the dialect's defaults; the printed signature
    /// has all keys.
    #[arg(long = "metric", short = 'm', value_name = "METRIC", value_parser = MetricName, hide_possible_values = true, num_args = 1.., action = ArgAction::Append, default_value = "meteor")]
    pub metrics: Vec<String>,
    #[command(flatten)]
    pub objective: ObjectiveArgs,
}

/// Accepts any text as the name of a metric, and lets shells complete the names of dialects and families.
#[derive(Clone)]
pub struct MetricName;

impl TypedValueParser for MetricName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(metric_names().map(PossibleValue::new)))
    }
}

/// The names of families, where these are metrics, and of dialects.
pub fn metric_names() -> impl Iterator<Item = &'static str> {
    let families = families().into_iter().map(|family| family.name);
    families
        .filter(|name| bolide::dialect::find(name).is_ok())
        .chain(DIALECTS.iter().map(|dialect| dialect.name))
}

/// An option for the Python package, which returns the JSON and prints the table.
#[derive(clap::Args)]
pub struct TextToo {
    /// Print the text too, after the document and a NUL byte
    #[arg(long, hide = true)]
    with_text: bool,
}

impl TextToo {
    /// The document, followed by the text if it was asked for.
    pub fn after(&self, document: String, text: impl FnOnce() -> String) -> String {
        if self.with_text { document + "\0" + &text() } else { document }
    }
}

/// How alignments are chosen.
#[derive(clap::Args)]
pub struct ObjectiveArgs {
    /// How to choose alignments, in metrics that have this key; short for |objective:…
    ///
    /// The fewest chunks (the default), or the fewest crossings, which is what the 2005 paper says.
    #[arg(long, value_name = "OBJECTIVE")]
    pub objective: Option<Objective>,
}

/// How alignments are chosen.
#[derive(Clone, Copy, ValueEnum)]
pub enum Objective {
    /// The fewest chunks
    Chunks,
    /// The fewest crossings
    Crossings,
}

impl ObjectiveArgs {
    /// The key for a signature.
    pub fn key(&self) -> Option<&'static str> {
        self.objective.map(|objective| match objective {
            Objective::Chunks => "objective:chunks",
            Objective::Crossings => "objective:crossings",
        })
    }
}
