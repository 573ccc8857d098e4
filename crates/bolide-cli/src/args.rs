//! The command line: what every subcommand shares, and the groups that several of them take.
//!
//! Parsing does nothing but validate; files are opened by `input`, metrics are built by `run`.

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
  0  fine (a closed pipe included)
  1  the run failed, or a score is below --fail-under
  2  the command line cannot be run as written";

/// Score generated text: METEOR, BLEU and their family, in every dialect.
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

/// Beyond the number of cores, more threads than these only get in each other's way: with thousands the
/// program would do nothing else.
const MOST_THREADS: usize = 256;

/// When to use colours.
#[derive(Clone, Copy, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

/// What a subcommand needs to know of its surroundings.
pub struct Context {
    /// Worker threads.
    pub threads: usize,
    /// Whether to keep quiet on stderr.
    pub quiet: bool,
    /// Whether results on stdout may have colours.
    pub color: bool,
    /// Columns of the terminal that stdout is; no limit if it is none.
    pub width: usize,
}

impl Context {
    /// Says something beside the results, unless nobody wants to hear it.
    pub fn remark(&self, text: impl std::fmt::Display) {
        if !self.quiet {
            remark(format_args!("bolide: {text}"));
        }
    }

    /// Says that hypotheses are expected from a terminal, before the program waits for them.
    pub fn say_what_is_read(&self, corpus: &CorpusArgs) {
        if corpus.inputs.is_empty() && std::io::stdin().is_terminal() {
            self.remark("reading hypotheses from standard input");
        }
    }

    /// Shares work out over the threads.
    pub fn runner(&self) -> Runner {
        Runner::new(self.threads)
    }
}

impl Global {
    /// Looks at the terminal and the environment once, so that nothing below does.
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
                "bolide: {threads} threads were asked for, {most} are used: this machine has {cores} cores"
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
    /// Reference files: each one is a stream with one reference for every segment
    ///
    /// With several, an empty line means that this stream has no reference for the segment.
    #[arg(long = "reference", short = 'r', value_name = "FILE", num_args = 1.., action = ArgAction::Append)]
    pub references: Vec<PathBuf>,
    /// Hypothesis files, one for each system, also as NAME=FILE; `-` or nothing is standard input
    ///
    /// Standard input may have several columns, separated by tabs (`paste a.txt b.txt`): one for each system.
    /// Lines end at \n (a \r before it is dropped), empty lines count, .gz and .zst are
    /// decompressed. Tables (.tsv, .csv, .jsonl, .parquet) need --hypothesis-column; with
    /// --input-format text they are lines like any other.
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
    /// What the tables are, when the file name does not tell
    #[arg(long, value_name = "FORMAT")]
    pub input_format: Option<TableFormat>,
    /// Refuse a text of more words than this, with file and segment, instead of taking long over it
    ///
    /// Words are what white space separates. docs/length.md says what each metric takes.
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

    /// The names that the user gave to systems: one for each input, where there is one.
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

/// Splits NAME=FILE; a file that is called so is meant first.
fn labelled(input: &Path) -> (Option<String>, PathBuf) {
    let split = input.to_str().and_then(|text| text.split_once('='));
    match split {
        Some((name, file)) if !name.is_empty() && !file.is_empty() && !input.exists() => {
            (Some(name.to_owned()), PathBuf::from(file))
        }
        _ => (None, input.to_owned()),
    }
}

/// Kinds of table.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum TableFormat {
    /// Tab-separated with a header line; nothing is quoted
    Tsv,
    /// Comma-separated with a header line; fields may be quoted
    Csv,
    /// One JSON object per line
    Jsonl,
    /// A Parquet file; references may be a list column
    Parquet,
    /// No table: lines of text, whatever the file's name says
    Text,
}

/// The most samples that can be asked for: a score is kept for each, of every system and metric. They are a
/// thousand times as many as anybody needs.
pub const MOST_SAMPLES: i64 = 1_000_000;

/// The metrics of a subcommand.
#[derive(clap::Args)]
pub struct MetricArgs {
    /// Metrics by partial signature: meteor, meteor:nltk, 'meteor|match:exact+stem|alpha:0.8'
    ///
    /// `bolide dialects` lists them. Missing keys take the dialect's defaults; the signature that
    /// is printed is the full form.
    #[arg(long = "metric", short = 'm', value_name = "METRIC", value_parser = MetricName, hide_possible_values = true, num_args = 1.., action = ArgAction::Append, default_value = "meteor")]
    pub metrics: Vec<String>,
    #[command(flatten)]
    pub objective: ObjectiveArgs,
}

/// Reads the name of a metric: any text. Shells complete the names of dialects and families.
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
        let families = families().into_iter().map(|family| family.name);
        let dialects = DIALECTS.iter().map(|dialect| dialect.name);
        Some(Box::new(families.chain(dialects).map(PossibleValue::new)))
    }
}

/// For the wheel, which keeps the numbers and shows people the table.
#[derive(clap::Args)]
pub struct TextToo {
    /// With --format json: after the document a NUL byte and the text
    #[arg(long, hide = true)]
    with_text: bool,
}

impl TextToo {
    /// What is printed: the document and, if it was asked for, the text after it.
    pub fn after(&self, document: String, text: impl FnOnce() -> String) -> String {
        if self.with_text { document + "\0" + &text() } else { document }
    }
}

/// What alignments are chosen by.
#[derive(clap::Args)]
pub struct ObjectiveArgs {
    /// What the alignments of metrics that have this key are chosen by, short for |objective:…
    ///
    /// The fewest chunks (the default), or the fewest crossings, the letter of the 2005 paper.
    #[arg(long, value_name = "OBJECTIVE")]
    pub objective: Option<Objective>,
}

/// What alignments are chosen by.
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
