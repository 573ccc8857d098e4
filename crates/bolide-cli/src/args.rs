//! The command line: what every subcommand shares, and the groups that several of them take.
//!
//! Parsing does nothing but validate; files are opened by `input`, metrics are built by `run`.

use crate::commands::Command;
use crate::error::remark;
use bolide_runner::Runner;
use clap::{ArgAction, Parser, ValueEnum};
use std::io::IsTerminal;
use std::path::PathBuf;

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
#[command(name = "bolide", version, after_help = AFTER_HELP, disable_help_subcommand = true)]
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
#[derive(clap::Args, Default)]
pub struct CorpusArgs {
    /// Reference files: each one is a stream with one reference for every segment
    ///
    /// With several, an empty line means that this stream has no reference for the segment.
    #[arg(long = "reference", short = 'r', value_name = "FILE", num_args = 1.., action = ArgAction::Append)]
    pub references: Vec<PathBuf>,
    /// Hypothesis files, one for each system; `-` or nothing is standard input
    ///
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
        if self.inputs.is_empty() { vec![PathBuf::from("-")] } else { self.inputs.clone() }
    }

    /// Every file that is read.
    pub fn files(&self) -> Vec<PathBuf> {
        [self.input_files(), self.references.clone()].concat()
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
    #[arg(long = "metric", short = 'm', value_name = "METRIC", num_args = 1.., action = ArgAction::Append, default_value = "meteor")]
    pub metrics: Vec<String>,
    #[command(flatten)]
    pub objective: ObjectiveArgs,
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
