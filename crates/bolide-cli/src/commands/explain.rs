//! `bolide explain`: how one segment got its score.

use crate::args::{Context, MetricName, ObjectiveArgs};
use crate::error::{Context as _, Result, bail, usage};
use crate::explained::{Explained, PAGE_WIDTH};
use crate::input;
use crate::output::sink::to_stdout;
use crate::run::NamedMetric;
use bolide::{Explanation, Segment, Text};
use clap::ValueEnum;
use std::path::Path;

const AFTER_HELP: &str = "\
Examples:
  bolide explain \"on the mat sat the cat\" \"the cat sat on the mat\"
  bolide explain -m meteor:nltk \"the cats are running\" \"the cat is run\" \"a cat runs\"
  bolide explain --files system-a.txt reference.txt --line 7 --format json";

/// Explain the score of one segment: the alignment, n-grams or edits, the formula with its numbers
///
/// METEOR shows its alignment and where points were lost, BLEU, chrF and ROUGE-N their n-grams, TER its
/// edit path, ROUGE-L the common subsequence.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The hypothesis
    hypothesis: String,
    /// The references; the one that scores best is explained
    #[arg(required = true)]
    references: Vec<String>,
    /// The metric, by partial signature
    #[arg(long, short, value_name = "METRIC", value_parser = MetricName, hide_possible_values = true, default_value = "meteor")]
    metric: String,
    #[command(flatten)]
    objective: ObjectiveArgs,
    /// The arguments are files: explain one line of each
    #[arg(long, requires = "line")]
    files: bool,
    /// The line to explain, counted from 1
    #[arg(long, value_name = "N", requires = "files", value_parser = clap::value_parser!(u64).range(1..))]
    line: Option<u64>,
    /// How to print the explanation
    #[arg(long, short, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A drawing for people
    Text,
    /// A document for programs; positions count from 0
    Json,
}

/// Explains and prints.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    let named = match args.objective.key() {
        Some(key) => match NamedMetric::parse_with(&args.metric, key)? {
            (named, true) => named,
            (named, false) => return Err(usage(format!("{} has no key for '{key}'", named.name))),
        },
        None => NamedMetric::parse(&args.metric)?,
    };
    let mut given = std::iter::once(&args.hypothesis).chain(&args.references);
    if !args.files && given.all(|text| Path::new(text).is_file()) {
        context.remark(
            "these texts are names of files: add --files --line N to explain a line of each file",
        );
    }
    let is_word = |text: &String| !text.is_empty() && !text.contains(char::is_whitespace);
    if !args.files
        && args.references.len() > 1
        && is_word(&args.hypothesis)
        && args.references.iter().all(is_word)
    {
        context.remark("every argument is a text of one word: put quotes around longer texts");
    }
    let (hypothesis, references) = texts(args)?;
    let references: Vec<&str> = references.iter().map(String::as_str).collect();
    if let Some(hint) = named.metric.hint(&hypothesis, &references) {
        context.remark(&hint);
    }
    let texts: Vec<Text<'_>> = references.iter().map(|&text| Text::Raw(text)).collect();
    let segment = Segment::new(Text::Raw(&hypothesis), &texts)?;
    let explained = Explained::of(&named.metric, segment)?;
    if let Some(hint) = explained.alignment().and_then(Explanation::lookalike) {
        context.remark(&hint);
    }
    let text = match args.format {
        Format::Json => explained.to_json(&named.name)?,
        Format::Text => {
            // Without a terminal, use the width of a page.
            let width = if context.width == usize::MAX { PAGE_WIDTH } else { context.width };
            explained.draw(width, context.color)
        }
    };
    to_stdout(text.as_bytes())
}

fn texts(args: &Args) -> Result<(String, Vec<String>)> {
    let (true, Some(line)) = (args.files, args.line) else {
        return Ok((args.hypothesis.clone(), args.references.clone()));
    };
    let files = || std::iter::once(&args.hypothesis).chain(&args.references);
    if files().filter(|path| input::is_stdin(Path::new(path))).count() > 1 {
        return Err(usage("standard input ('-') can be read only once"));
    }
    input::lines_only(files().map(Path::new))?;
    let hypothesis = read_line(&args.hypothesis, line)?;
    let references: Result<Vec<String>> =
        args.references.iter().map(|path| read_line(path, line)).collect();
    Ok((hypothesis, references?))
}

fn read_line(path: &str, number: u64) -> Result<String> {
    match input::nth_line(Path::new(path), number).context("cannot explain")? {
        (Some(line), _) => Ok(line),
        (None, n_lines) => bail!("{path}: has {n_lines} lines, so there is no line {number}"),
    }
}
