//! `bolide which`: the detective. Which dialect and configuration gives this number?
//!
//! Every dialect is tried with its defaults and with a few keys changed (`candidates`), and each
//! score is compared with the number to its printed digits (`digits`). Of several answers that
//! differ only in needless changes the simplest is kept.

mod candidates;
mod digits;

use crate::args::Context;
use crate::error::{Result, bail, usage};
use crate::output::{json, table::Table};
use crate::run::all_resources;
use bolide::{AnyMetric, Report, Segment, Text, Value};
use candidates::Candidate;
use clap::ValueEnum;
use digits::{Printed, Scale};
use std::io::Write;

const AFTER_HELP: &str = "\
Examples:
  bolide which 0.4777 \"on the mat sat the cat\" \"the cat sat on the mat\"
  bolide which 93.8 \"on the mat sat the cat\" \"the cat sat on the mat\"

A number is compared to its printed digits: 0.17 is any score that rounds (or is cut off) to two
decimals, and 17.3 may be a score in percent. Exit code 1 if nothing gives the number.";

/// Find out which dialect and configuration gives a score
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The number as it was printed
    #[arg(allow_negative_numbers = true)]
    score: String,
    /// The hypothesis
    hypothesis: String,
    /// The references
    #[arg(required = true)]
    references: Vec<String>,
    /// Show all answers, however far from the defaults
    #[arg(long, short)]
    all: bool,
    /// How to print the answers
    #[arg(long, short, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Answers that are shown unless all are asked for.
const SHOWN: usize = 20;

/// A configuration that gives the number.
struct Answer {
    candidate: Candidate,
    score: f64,
    /// `the score`, or what else of the report it is.
    what: String,
    how: String,
}

/// Tries everything and prints what fits.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    let Some(printed) = Printed::parse(&args.score) else {
        return Err(usage(format!("'{}' is not a number", args.score)));
    };
    let references: Vec<Text<'_>> =
        args.references.iter().map(|text| text.as_str().into()).collect();
    let segment = Segment::new(args.hypothesis.as_str().into(), &references)?;
    let search = search(&printed, segment)?;
    let mut answers = search.answers;
    if answers.is_empty() {
        answers = search.parts;
    }
    if answers.is_empty() {
        bail!(
            "none of {} configurations gives {}; the closest is {} with {:.6}",
            search.n_tried,
            args.score,
            search.closest.1,
            search.closest.0
        );
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
    std::io::stdout().write_all(text.as_bytes())?;
    if !context.quiet && args.format == Format::Text {
        let more = n_answers - answers.len();
        let more = if more > 0 { format!(", {more} more with --all") } else { String::new() };
        // Nothing can be done about a stderr that does not take it.
        let _ = writeln!(std::io::stderr(), "tried {} configurations{more}", search.n_tried);
    }
    Ok(())
}

struct Search {
    /// Configurations whose score is the number.
    answers: Vec<Answer>,
    /// Configurations of which another part is the number, precision for example.
    parts: Vec<Answer>,
    /// The score next to the number, and whose it is.
    closest: (f64, String),
    n_tried: usize,
}

fn search(printed: &Printed, segment: Segment<'_>) -> Result<Search> {
    let resources = all_resources();
    let mut found = Search {
        answers: Vec::new(),
        parts: Vec::new(),
        closest: (f64::NAN, String::new()),
        n_tried: 0,
    };
    for candidate in candidates::all(&resources)? {
        found.n_tried += 1;
        let metric = &candidate.metric;
        let scale = if metric.dialect().decimals < 3 { Scale::Hundred } else { Scale::One };
        let stats = metric.scorer().segment(segment);
        let alone = metric.finish_segment(&stats);
        let corpus = metric.finish(&stats);
        let distance = |x: f64| (x - printed.value()).abs();
        if found.closest.0.is_nan() || distance(alone.score) < distance(found.closest.0) {
            found.closest = (alone.score, candidate.name.clone());
        }
        let reports = [("", &alone), (" of a corpus of this one segment", &corpus)];
        let n_reports = if same_bits(alone.score, corpus.score) { 1 } else { 2 };
        let mut answer = |what: String, score: f64, parts: bool| -> bool {
            let Some(how) = printed.reads(score, scale) else { return false };
            let answer = Answer { candidate: candidate.clone(), score, what, how };
            if parts {
                found.parts.push(answer)
            } else {
                found.answers.push(answer)
            }
            true
        };
        for (of, report) in &reports[..n_reports] {
            if answer(format!("score{of}"), report.score, false) {
                break;
            }
        }
        if candidate.changes.is_empty() {
            for (name, value) in numbers(&alone) {
                answer(name.to_owned(), value, true);
            }
        }
    }
    Ok(found)
}

fn same_bits(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits()
}

fn numbers(report: &Report) -> impl Iterator<Item = (&str, f64)> {
    report.components.iter().filter_map(|(name, value)| match value {
        Value::Number(x) => Some((name.as_ref(), *x)),
        _ => None,
    })
}

/// Fewest changes first; and no answer whose changes include all those of another.
fn simplest(answers: &mut Vec<Answer>) {
    answers.sort_by_key(|answer| answer.candidate.changes.len());
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
    *answers = kept;
}

fn to_text(answers: &[Answer], color: bool) -> String {
    let mut table = Table::new(["metric", "gives", "as its", "which is"]);
    for answer in answers {
        table.row([
            &answer.candidate.name,
            &format!("{:.6}", answer.score),
            &answer.what,
            &answer.how,
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
            (",\"signature\":", &signature(&answer.candidate.metric)),
            (",\"what\":", &answer.what),
            (",\"how\":", &answer.how),
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

fn signature(metric: &AnyMetric) -> String {
    metric.signature().to_string()
}
