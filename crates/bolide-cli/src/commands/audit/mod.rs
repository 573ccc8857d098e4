//! `bolide audit`: reported numbers compared with what the texts give.
//!
//! For each number it looks for the dialect that gives it (`search`) and that its label allows (`question`), then for
//! a component of its scores, then for the usual mistakes with the texts (`changes`), then for two changed keys, then
//! for another metric. `reported` reads the numbers, `segments` handles a number for each segment, `findings` prints.

mod changes;
mod findings;
mod own;
mod question;
mod reported;
mod segments;

use crate::args::{Context, CorpusArgs, TableArgs};
use crate::error::{Result, bail, usage};
use crate::input::lines_only;
use crate::output::sink::to_stdout;
use crate::progress::Progress;
use crate::run::all_resources;
use crate::search::{self, Candidate, Printed, Scale, Texts, Tried};
use bolide::Metric;
use bolide::dialect::{self, Family};
use clap::ValueEnum;
use findings::{Finding, Given, Verdict};
use question::Question;
use reported::Reported;
use std::cell::OnceCell;
use std::path::PathBuf;
use std::process::ExitCode;

const AFTER_HELP: &str = "\
Examples:
  bolide audit results.json -i system.txt -r reference.txt
  bolide audit numbers.csv -i a.txt b.txt -r reference.txt --system-column system
  bolide audit outputs.csv --hypothesis-column output --reference-column reference --score-column bleu

Numbers come from a results file (.json) of lm-evaluation-harness, Hugging Face evaluate, sacreBLEU or
bolide itself, or from a table with a row for each number. A table with texts in its columns has a number
for each segment.

Exit codes:
  0  every number is of the metric that its label names, be it of changed texts
  1  a number is of another metric or a component, not explained, impossible, or of a metric that is not
     here";

/// Check reported numbers against the texts: which dialect gives each, and which nothing gives
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The reported numbers: results in JSON, or a table
    #[arg(value_name = "FILE")]
    numbers: PathBuf,
    #[command(flatten)]
    corpus: CorpusArgs,
    /// The column of the table that says what each number is
    #[arg(long, value_name = "NAME", default_value = "metric")]
    metric_column: String,
    /// The columns of the table with the numbers; only one unless the table has the texts
    #[arg(long, value_name = "NAME", num_args = 1.., default_value = "score")]
    score_column: Vec<String>,
    /// The column of the table that says which system a number is for; bolide's own results say it
    #[arg(long, value_name = "NAME")]
    system_column: Option<String>,
    /// How to print the findings
    #[arg(long, short, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table for people
    Text,
    /// A document for programs
    Json,
}

/// Audits and prints. Fails if a number is not explained, or not what its label says.
pub fn run(args: &Args, context: &Context) -> Result<ExitCode> {
    let of_segments = args.corpus.inputs.is_empty();
    let findings = if of_segments {
        if args.corpus.hypothesis_column.is_empty() || args.corpus.reference_column.is_empty() {
            return Err(usage(
                "the texts are missing: give files with -i and -r, or columns of the table with --hypothesis-column \
                 and --reference-column",
            ));
        }
        segments::audit(args, context)?
    } else {
        of_corpora(args, context)?
    };
    let text = match args.format {
        Format::Text => findings::to_text(&findings, context),
        Format::Json => findings::to_json(&findings)?,
    };
    to_stdout(text.as_bytes())?;
    findings::scales(&findings).into_iter().for_each(|remark| context.remark(remark));
    let fine = findings.iter().all(|finding| finding.verdict.is_as_labelled());
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Audits numbers of whole systems.
fn of_corpora(args: &Args, context: &Context) -> Result<Vec<Finding>> {
    let is_json = args.numbers.extension().is_some_and(|ending| ending == "json");
    let reported = match args.score_column.as_slice() {
        _ if is_json => reported::from_json(&args.numbers, args.system_column.as_deref())?,
        [score] => {
            let columns =
                (args.metric_column.as_str(), score.as_str(), args.system_column.as_deref());
            // The options for tables are about the texts.
            reported::from_table(&args.numbers, TableArgs::default(), columns)?
        }
        _ => return Err(usage("several --score-column need a table with the texts")),
    };
    if args.corpus.hypothesis_column.is_empty() {
        lines_only(args.corpus.inputs.iter().map(PathBuf::as_path))?;
    }
    let systems = Texts::read(&args.corpus)?;
    let audits: Vec<(String, Audit<'_>)> =
        systems.into_iter().map(|(name, texts)| (name, Audit::new(texts, context))).collect();
    let mut asked = Vec::new();
    for reported in reported {
        let audit = of_system(&reported, &audits, is_json)?;
        let Some(printed) = Printed::parse(&reported.number) else {
            let Reported { place, label, number, .. } = reported;
            bail!("{place}: {label}: '{number}' is not a number");
        };
        asked.push((audit, reported, printed));
    }
    let judged = asked.into_iter().map(|(audit, reported, printed)| {
        let verdict = audit.judge(&reported, &printed)?;
        Ok(Finding { reported, verdict })
    });
    judged.collect()
}

/// The system that a number is for.
fn of_system<'a, 'c>(
    reported: &Reported,
    audits: &'a [(String, Audit<'c>)],
    is_json: bool,
) -> Result<&'a Audit<'c>> {
    let names = || audits.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    match (&reported.system, audits) {
        (Some(system), _) => match audits.iter().find(|(name, _)| name == system) {
            Some((_, audit)) => Ok(audit),
            None => bail!(
                "{}: there is no system '{system}' among the inputs: {}",
                reported.place,
                names()
            ),
        },
        (None, [(_, audit)]) => Ok(audit),
        (None, _) if is_json => Err(usage(format!(
            "{} does not say which system a number is for: give the texts of one system, not of several ({})",
            reported.place,
            names()
        ))),
        (None, _) => Err(usage(format!(
            "with several systems ({}), --system-column says which a number is for",
            names()
        ))),
    }
}

/// The texts of one system, and what configurations give for them, computed when first needed.
struct Audit<'c> {
    texts: Texts,
    context: &'c Context,
    simple: OnceCell<Vec<Tried>>,
    pairs: OnceCell<Vec<Tried>>,
    /// For changed texts, the defaults of every dialect.
    changed: OnceCell<Vec<(&'static str, Texts, Vec<Tried>)>>,
}

impl<'c> Audit<'c> {
    fn new(texts: Texts, context: &'c Context) -> Self {
        let (simple, pairs, changed) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Audit { texts, context, simple, pairs, changed }
    }

    fn score(&self, texts: &Texts, candidates: Vec<Candidate>) -> Result<Vec<Tried>> {
        let progress = Progress::new(self.context).of("configurations");
        search::score_all(texts, candidates, self.context.runner(), &progress)
    }

    /// Every dialect with up to one change.
    fn simple(&self) -> Result<&[Tried]> {
        cached(&self.simple, || self.score(&self.texts, search::within(&all_resources(), 1)))
            .map(Vec::as_slice)
    }

    fn pairs(&self) -> Result<&[Tried]> {
        cached(&self.pairs, || {
            let mut candidates = search::within(&all_resources(), 2);
            candidates.retain(|candidate| candidate.changes.len() == 2);
            candidates.retain(|candidate| !search::is_tuned(candidate));
            self.score(&self.texts, candidates)
        })
        .map(Vec::as_slice)
    }

    fn changed(&self) -> Result<&[(&'static str, Texts, Vec<Tried>)]> {
        cached(&self.changed, || {
            let candidates = search::within(&all_resources(), 0);
            let score = |(what, texts): (&'static str, Texts)| {
                let tried = self.score(&texts, candidates.clone())?;
                Ok((what, texts, tried))
            };
            changes::all(&self.texts).into_iter().map(score).collect()
        })
        .map(Vec::as_slice)
    }

    /// What gives a number, if anything does.
    fn judge(&self, reported: &Reported, printed: &Printed) -> Result<Verdict> {
        let question = Question::new(reported, printed);
        if let Some(family) = question.family()
            && let Some(limit) = impossible(family, printed)
        {
            return Ok(Verdict::Impossible(limit));
        }
        if let Some(why) = reported.elsewhere() {
            return Ok(Verdict::Elsewhere(why));
        }
        if let Some(given) = self.signed(reported, &question)? {
            return Ok(Verdict::Explained(given));
        }
        let (texts, simple) = (&self.texts, self.simple()?);
        if let Some(given) = question.answer(texts, simple)? {
            return Ok(Verdict::Explained(given));
        }
        if let Some(given) = question.answer_rounded_twice(texts, simple)? {
            return Ok(Verdict::Explained(given));
        }
        if let Some(given) = question.other_kind(texts, simple)? {
            return Ok(Verdict::OtherMetric(given));
        }
        if let Some(given) = question.component(texts, simple)? {
            return Ok(Verdict::Component(given));
        }
        for (what, texts, tried) in self.changed()? {
            if let Some(given) = question.answer(texts, tried)? {
                return Ok(Verdict::Changed(what, given));
            }
        }
        if let Some(given) = question.answer(texts, self.pairs()?)? {
            return Ok(Verdict::Explained(given));
        }
        if let Some(given) = question.other(texts, simple)? {
            return Ok(Verdict::OtherMetric(given));
        }
        Ok(Verdict::NotExplained(question.closest(simple)))
    }

    /// What the reported signature gives, if that is the number.
    fn signed(&self, reported: &Reported, question: &Question<'_>) -> Result<Option<Given>> {
        let (Some(signature), Some(family)) = (&reported.signature, question.family()) else {
            return Ok(None);
        };
        // How many references there are is a fact about the texts.
        let keys = signature.split('|').filter(|key| !key.starts_with("nrefs:"));
        // sacreBLEU's signatures have only the keys.
        let is_whole = keys.clone().next().is_some_and(|name| dialect::find(name).is_ok());
        let default = (!is_whole).then_some(family.default);
        let name = default.into_iter().chain(keys).collect::<Vec<_>>().join("|");
        let Ok(metric) = Metric::build(&name, &all_resources()) else { return Ok(None) };
        let mut short = search::within(&all_resources(), 1).into_iter();
        let candidate = short.find(|short| short.metric == metric).unwrap_or_else(|| Candidate {
            name,
            dialect: metric.dialect().name,
            changes: Vec::new(),
            metric,
        });
        let tried = self.score(&self.texts, vec![candidate])?;
        question.answer(&self.texts, &tried)
    }
}

/// The value of a cell, computed if it has none.
fn cached<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}

/// Why no dialect of a family can give a number, if none can.
fn impossible(family: &Family, printed: &Printed) -> Option<String> {
    let mut most = f64::NEG_INFINITY;
    let mut least = f64::INFINITY;
    for dialect in family.dialects() {
        // Any score may be printed in percent.
        let scale = if dialect.decimals < 3 { Scale::Hundred } else { Scale::One };
        let percent = if scale == Scale::One { 100.0 } else { 1.0 };
        most = most.max(dialect.range.1 * percent);
        least = least.min(dialect.range.0 * percent);
    }
    let value = printed.number();
    // Scores of 100 may be a few units in the last place above it.
    if value > most * (1.0 + 1e-12) {
        Some(format!("{} is at most {most}", family.title))
    } else if value < least {
        Some(format!("{} is at least {least}", family.title))
    } else {
        None
    }
}
