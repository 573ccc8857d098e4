//! `bolide which`: finds the dialect and configuration that give a printed number.
//!
//! It tries every dialect with its defaults and with a few keys changed, and compares each score with the number
//! to its printed digits (`search`). Of several answers that differ only in needless changes, it keeps the
//! simplest. For a corpus, two changed keys are tried only if one is not enough or the user wants all answers, and
//! dialects that take seconds only in the latter case.

use crate::args::{Context, CorpusArgs, TableArgs, TextToo};
use crate::error::{Result, bail, usage};
use crate::input::{self, Wanted, lines_only};
use crate::output::sink::to_stdout;
use crate::output::{json, table::Table};
use crate::progress::Progress;
use crate::run::all_resources;
use crate::search::{self, Candidate, Digits, Printed, Reading, Texts, Tried};
use bolide::{Score, Segment, Text};
use clap::ValueEnum;
use std::io::Write;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
Examples:
  bolide which 0.4777 \"on the mat sat the cat\" \"the cat sat on the mat\"
  bolide which 93.8 \"on the mat sat the cat\" \"the cat sat on the mat\"
  bolide which 30.6 --files system.txt reference.txt
  bolide which 30.6 -i outputs.jsonl --hypothesis-column output --reference-column references

A number is compared to its printed digits: 0.17 is any score that rounds (or is cut off) to two
decimals, and 17.3 may be a score in percent. Exit code 1 if nothing gives the number.";

/// Find the dialect and configuration that give a score
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The number as it was printed
    #[arg(allow_negative_numbers = true)]
    score: String,
    /// The hypothesis
    #[arg(required_unless_present = "input")]
    hypothesis: Option<String>,
    /// The references
    #[arg(required_unless_present = "input")]
    references: Vec<String>,
    /// The hypothesis and the references are files: find the score of the corpus
    ///
    /// The mean of the segments' scores is tried too. Two keys are changed at once if one is not enough, or with
    /// --all, which also tries the dialects that take seconds. Without it, a large corpus is scored with two changes only if
    /// a tenth of its segments comes near the number. The texts are held in memory.
    #[arg(long)]
    files: bool,
    /// A table instead of texts: find the score of the corpus that its rows form
    #[arg(long, short, value_name = "FILE", requires_all = ["hypothesis_column", "reference_column"], conflicts_with_all = ["hypothesis", "references", "files"])]
    input: Option<PathBuf>,
    /// The column of the table with the hypotheses
    #[arg(long, value_name = "NAME", requires = "input")]
    hypothesis_column: Option<String>,
    /// Columns of the table with references
    #[arg(long, value_name = "NAME", num_args = 1.., requires = "input")]
    reference_column: Vec<String>,
    #[command(flatten)]
    tables: TableArgs,
    /// The table has one row: find the score of this segment, as for texts on the command line
    #[arg(long, requires = "input")]
    segment: bool,
    /// Show all answers, however far from the defaults
    #[arg(long, short)]
    all: bool,
    /// How to print the answers
    #[arg(long, short, value_name = "FORMAT", default_value = "text")]
    format: Format,
    #[command(flatten)]
    text_too: TextToo,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// How many answers are shown without `--all`.
const SHOWN: usize = 20;

/// A configuration that gives the number.
struct Answer {
    candidate: Candidate,
    score: f64,
    /// `the score`, or the name of one of its components.
    what: String,
    reading: Reading,
}

/// Tries every configuration and prints those that fit.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    let Some(printed) = Printed::parse(&args.score) else {
        return Err(usage(format!("'{}' is not a number", args.score)));
    };
    let search = match &args.input {
        Some(table) if args.segment => of_row(&printed, table, args)?,
        None if !args.files => {
            let references: Vec<Text<'_>> =
                args.references.iter().map(|text| text.as_str().into()).collect();
            of_segment(&printed, args.hypothesis.as_deref().unwrap_or_default(), &references)?
        }
        _ => of_corpus(&printed, args, context)?,
    };
    let mut answers = search.answers;
    if answers.is_empty() {
        answers = search.parts;
    }
    if answers.is_empty() {
        let near = |closest: Closest| {
            format!("; the closest is {} with {:.6}", closest.name, closest.score)
        };
        let near = search.closest.map_or_else(String::new, near);
        bail!("none of {} configurations gives {}{near}", search.n_tried, args.score);
    }
    simplest(&mut answers);
    let n_answers = answers.len();
    if !args.all {
        answers.truncate(SHOWN);
    }
    let text = match args.format {
        Format::Text => to_text(&answers, context.color),
        Format::Json => to_json(&args.score, &answers),
    };
    let text = args.text_too.after(text, || to_text(&answers, false));
    to_stdout(text.as_bytes())?;
    if !context.quiet && args.format == Format::Text {
        let more = n_answers - answers.len();
        let more = if more > 0 { format!(", {more} more with --all") } else { String::new() };
        // If stderr cannot be written to, there is no way to say so.
        let _ = writeln!(std::io::stderr(), "tried {} configurations{more}", search.n_tried);
    }
    Ok(())
}

struct Search {
    /// Configurations whose score is the number.
    answers: Vec<Answer>,
    /// Configurations with a component that is the number, precision for example.
    parts: Vec<Answer>,
    /// The score closest to the number.
    closest: Option<Closest>,
    n_tried: usize,
}

/// A near miss.
struct Closest {
    distance: f64,
    score: f64,
    name: String,
}

impl Search {
    fn new() -> Self {
        Search { answers: Vec::new(), parts: Vec::new(), closest: None, n_tried: 0 }
    }

    /// Compares the number with the candidate's scores; each comes with a note on what it scores.
    fn compare(&mut self, printed: &Printed, candidate: Candidate, scores: &[(&str, Score)]) {
        self.n_tried += 1;
        let scale = candidate.scale();
        let reads = |what: String, score: f64| {
            let reading = printed.reads(score, scale)?;
            Some(Answer { candidate: candidate.clone(), score, what, reading })
        };
        for &(_, Score { value: score, .. }) in scores {
            let distance = printed.distance(score, scale);
            if self.closest.as_ref().is_none_or(|closest| distance < closest.distance) {
                let name = candidate.name.clone();
                self.closest = Some(Closest { distance, score, name });
            }
        }
        let whole = |(of, score): &(&str, Score)| reads(format!("score{of}"), score.value);
        self.answers.extend(scores.iter().find_map(whole));
        if candidate.changes.is_empty() {
            let parts = scores.iter().take(1).flat_map(|(_, score)| search::numbers(score));
            self.parts.extend(parts.filter_map(|(name, value)| reads(name.to_owned(), value)));
        }
    }
}

impl Search {
    /// Compares the number with the score of a corpus, and with the mean of its segments' scores.
    fn compare_corpus(&mut self, printed: &Printed, texts: &Texts, tried: Tried) -> Result<()> {
        let before = (self.answers.len(), self.parts.len());
        let mut scores = vec![("", tried.corpus.clone())];
        if let Some(mean) = tried.mean {
            let mut score = tried.corpus.clone();
            score.value = mean;
            scores.push((" of the segments, averaged", score));
        }
        self.compare(printed, tried.candidate.clone(), &scores);
        if before != (self.answers.len(), self.parts.len()) && !tried.is_confirmed(texts)? {
            self.answers.truncate(before.0);
            self.parts.truncate(before.1);
        }
        Ok(())
    }
}

/// The one row of a table as a segment.
fn of_row(printed: &Printed, path: &Path, args: &Args) -> Result<Search> {
    let hypothesis: Vec<String> = args.hypothesis_column.iter().cloned().collect();
    let wanted =
        Wanted { hypothesis: &hypothesis, references: &args.reference_column, ..Wanted::default() };
    let table = input::Table::read(&[path.to_owned()], args.tables, &wanted)?;
    if table.rows() != 1 {
        bail!("--segment needs a table of one row, this one has {}", table.rows());
    }
    // As they are: in the command line an empty reference is one too.
    let references: Vec<Text<'_>> = table.texts(0).map(Text::from).collect();
    of_segment(printed, table.hypothesis(0), &references)
}

fn of_segment(printed: &Printed, hypothesis: &str, references: &[Text<'_>]) -> Result<Search> {
    let segment = Segment::new(hypothesis.into(), references)?;
    let mut search = Search::new();
    for candidate in search::all(&all_resources(), 2) {
        let stats = candidate.metric.scorer().statistics(segment);
        let alone = candidate.metric.finish_segment(&stats)?;
        let corpus = candidate.metric.finish(&stats)?;
        let mut scores = vec![("", alone)];
        if !same_bits(scores[0].1.value, corpus.value) {
            scores.push((" of a corpus of this one segment", corpus));
        }
        search.compare(printed, candidate, &scores);
    }
    Ok(search)
}

fn of_corpus(printed: &Printed, args: &Args, context: &Context) -> Result<Search> {
    let files = || args.hypothesis.iter().chain(&args.references);
    lines_only(files().map(Path::new))?;
    let mut systems = Texts::read(&CorpusArgs {
        references: args.references.iter().map(Into::into).collect(),
        inputs: args.hypothesis.iter().map(Into::into).chain(args.input.clone()).collect(),
        hypothesis_column: args.hypothesis_column.iter().cloned().collect(),
        reference_column: args.reference_column.clone(),
        tables: args.tables,
        ..CorpusArgs::default()
    })?;
    let (_, texts) = systems.swap_remove(0);
    let resources = all_resources();
    let mut search = Search::new();
    let score = |candidates: Vec<Candidate>| {
        let progress = Progress::new(context).of("configurations");
        search::score_all(&texts, candidates, context.runner(), &progress)
    };
    let promising = |candidates: Vec<Candidate>| {
        let progress = Progress::new(context).of("configurations on a tenth of the segments");
        search::promising(&texts, candidates, printed, context.runner(), &progress)
    };
    let mut n_given_up = 0;
    let mut compare = |tried: Vec<Tried>| -> Result<bool> {
        for tried in tried {
            search.compare_corpus(printed, &texts, tried)?;
        }
        Ok(args.all || search.answers.is_empty())
    };
    let mut candidates = search::within(&resources, 2);
    candidates.retain(|candidate| args.all || !search::is_tuned(candidate));
    let is_simple = |candidate: &Candidate| candidate.changes.len() < 2;
    // Those with two changes that share the counts of a simple one take almost no time beside it.
    let (first, second): (Vec<Candidate>, Vec<Candidate>) = candidates
        .into_iter()
        .partition(|candidate| is_simple(candidate) || search::may_share(&texts, candidate));
    let (simple, held) = score(first)?.into_iter().partition(|tried| is_simple(&tried.candidate));
    if compare(simple)? {
        compare(held)?;
        let n_second = second.len();
        let second = match args.all {
            true => second,
            false => promising(second)?,
        };
        n_given_up = n_second - second.len();
        compare(score(second)?)?;
    }
    if args.all {
        compare(score(search::beyond(&resources))?)?;
    }
    search.n_tried += n_given_up;
    Ok(search)
}

fn same_bits(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits()
}

/// Sorts by the number of changes, and drops answers whose changes include all those of another. Those with all
/// digits come first; of equally simple ones, those that are rounded before those that are cut off or on another
/// scale.
fn simplest(answers: &mut Vec<Answer>) {
    let n_changes = |answer: &Answer| answer.candidate.changes.len();
    let digits = |answer: &Answer| (answer.reading.digits, answer.reading.scaled);
    answers.sort_by_key(|answer| (n_changes(answer), digits(answer)));
    let mut kept: Vec<Answer> = Vec::new();
    for answer in answers.drain(..) {
        let needless = kept.iter().any(|simpler| {
            let (a, b) = (&simpler.candidate, &answer.candidate);
            a.dialect == b.dialect
                && simpler.what == answer.what
                && a.changes.iter().all(|change| b.changes.contains(change))
        });
        if !needless {
            kept.push(answer);
        }
    }
    kept.sort_by_key(|answer| answer.reading.digits != Digits::All);
    *answers = kept;
}

fn to_text(answers: &[Answer], color: bool) -> String {
    let mut table = Table::new(["metric", "gives", "as its", "which is"]);
    for answer in answers {
        table.row([
            &answer.candidate.name,
            &format!("{:.6}", answer.score),
            &answer.what,
            &answer.reading.how,
        ]);
    }
    table.to_text(color)
}

fn to_json(score: &str, answers: &[Answer]) -> String {
    let mut out = String::from("{\"score\":");
    json::string(&mut out, score);
    out.push_str(",\"answers\":[");
    for (idx, answer) in answers.iter().enumerate() {
        out.push_str(if idx == 0 { "\n" } else { ",\n" });
        for (key, value) in [
            ("{\"metric\":", answer.candidate.name.as_str()),
            (",\"signature\":", &answer.candidate.metric.signature().to_string()),
            (",\"what\":", &answer.what),
            (",\"how\":", &answer.reading.how),
        ] {
            out.push_str(key);
            json::string(&mut out, value);
        }
        out.push_str(",\"value\":");
        json::number(&mut out, answer.score);
        out.push('}');
    }
    out.push_str("\n]}\n");
    out
}
