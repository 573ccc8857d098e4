//! `bolide mbr`: for each segment, chooses the candidate that agrees most with the other candidates.

use crate::args::{Context, MetricName, TableArgs};
use crate::error::{Result, bail, counted, usage};
use crate::input::{Column, Table, Wanted, all_lines, lines_only};
use crate::output::sink::Sink;
use crate::output::{csv, json};
use crate::progress::Progress;
use crate::run::NamedMetric;
use bolide::Scorer;
use bolide::mbr::{Utilities, utilities};
use clap::{ArgAction, ValueEnum};
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const AFTER_HELP: &str = "\
Examples:
  bolide mbr -i sample-1.txt sample-2.txt sample-3.txt -m chrf
  bolide mbr -i samples.txt --per-segment 32 -m bleu > best.txt
  bolide mbr -i samples.txt --per-segment 32 -m meteor --format json --matrix
  bolide mbr -i samples.jsonl --candidate-column samples --format json

Exit codes: 0 success, 1 failure, 2 usage error";

/// Choose among candidates by minimum Bayes risk
///
/// Scores every candidate of a segment with each of the others as its reference, and prints the one with
/// the best mean. Each candidate is tokenised only once, and its n-grams are counted only once.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Candidates: files with one candidate for each segment, one file with --per-segment, or tables
    /// with --candidate-column
    #[arg(long = "input", short = 'i', value_name = "FILE", num_args = 1.., required = true)]
    inputs: Vec<PathBuf>,
    /// The single input has this many candidates for each segment, on consecutive lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    per_segment: Option<u32>,
    /// The inputs are tables with a row for each segment: columns with candidates
    ///
    /// In JSON lines and Parquet the value may be a list of strings, of any length.
    #[arg(long, value_name = "NAME", num_args = 1.., action = ArgAction::Append, conflicts_with = "per_segment")]
    candidate_column: Vec<String>,
    #[command(flatten)]
    tables: TableArgs,
    /// The utility, by partial signature
    #[arg(long, short, value_name = "METRIC", value_parser = MetricName, hide_possible_values = true, default_value = "chrf")]
    metric: String,
    /// How to print the results
    #[arg(long, short, value_name = "FORMAT", default_value = "text")]
    format: MbrFormat,
    /// Also print the scores of all pairs (JSON)
    #[arg(long)]
    matrix: bool,
    /// Write to a file instead of standard output; it appears only when it is complete
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The formats of `bolide mbr`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MbrFormat {
    /// The best candidates, one on each line
    Text,
    /// Rows with the candidate's number and its expected utility
    Csv,
    /// One document with everything
    Json,
}

/// Reads, scores and prints.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    if args.matrix && args.format != MbrFormat::Json {
        return Err(usage("--matrix needs --format json"));
    }
    let metric = NamedMetric::parse(&args.metric)?;
    // Of a metric that weighs n-grams over a corpus, a segment alone has no score.
    if let Some(hint) = metric.metric.hint_alone("", &[]) {
        context.remark(hint);
    }
    let candidates = Candidates::read(args)?;
    let mut sink = Sink::create(args.output.as_deref(), &args.inputs)?;
    sink.write_all(begin(args.format, &metric).as_bytes())?;
    let mut segments = 0..candidates.n_segments();
    let source = |segment: &mut Option<usize>| -> Result<bool> {
        *segment = segments.next();
        Ok(segment.is_some())
    };
    let choose = |segment: &Option<usize>, scorer: &mut Scorer| {
        let segment = segment.unwrap_or_default();
        let texts = candidates.segment(segment);
        print(args, segment, &texts, &utilities(scorer, &texts))
    };
    let progress = Progress::new(context);
    let done = Arc::new(AtomicU64::new(0));
    let position = Arc::clone(&done);
    let size = candidates.n_segments() as u64;
    progress.start(Some((size, move || position.load(Ordering::Relaxed))));
    let mut write = |text: String| -> Result<()> {
        sink.write_all(text.as_bytes())?;
        progress.advance(done.fetch_add(1, Ordering::Relaxed) + 1);
        Ok(())
    };
    context.runner().run(source, || metric.metric.scorer(), choose, &mut write)?;
    progress.finish();
    if args.format == MbrFormat::Json {
        sink.write_all(b"\n]}\n")?;
    }
    sink.finish()
}

/// The candidates of all segments.
enum Candidates {
    /// One file for each candidate.
    Files(Vec<Column>),
    /// The lines of one file, and the number of lines for each segment.
    Lines(Column, usize),
    /// Tables with a row for each segment.
    Rows(Table),
}

impl Candidates {
    fn read(args: &Args) -> Result<Self> {
        if !args.candidate_column.is_empty() {
            return Self::of_tables(args);
        }
        if args.per_segment.is_some() && args.inputs.len() > 1 {
            return Err(usage("--per-segment takes one input"));
        }
        if args.per_segment.is_none() && args.inputs.len() < 2 {
            return Err(usage(
                "one input needs --per-segment, the number of candidates for each segment",
            ));
        }
        lines_only(args.inputs.iter().map(PathBuf::as_path))?;
        let mut columns: Vec<Column> =
            args.inputs.iter().map(|path| all_lines(path)).collect::<Result<_>>()?;
        let n_lines = columns[0].rows();
        let name = |idx: usize| args.inputs[idx].display();
        if n_lines == 0 {
            bail!("nothing to choose from: {} is empty", name(0));
        }
        if let Some(other) = columns.iter().position(|column| column.rows() != n_lines) {
            bail!(
                "the files differ in length: {} has {}, {} has {}",
                name(0),
                counted(n_lines as u64, "segment"),
                name(other),
                columns[other].rows()
            );
        }
        match args.per_segment.map(|n| n as usize) {
            Some(n) if !n_lines.is_multiple_of(n) => bail!(
                "{} has {n_lines} lines, which is not a multiple of --per-segment {n}",
                name(0)
            ),
            Some(n) => Ok(Candidates::Lines(columns.swap_remove(0), n)),
            None => Ok(Candidates::Files(columns)),
        }
    }

    fn of_tables(args: &Args) -> Result<Self> {
        let wanted = Wanted { references: &args.candidate_column, ..Wanted::default() };
        let table = Table::read(&args.inputs, args.tables, &wanted)?;
        let empty = (0..table.rows()).find(|&row| table.texts(row).next().is_none());
        if let Some(row) = empty {
            bail!("{}: there are no candidates", table.place(row));
        }
        if args.format == MbrFormat::Text {
            let is_wrapped = |&row: &usize| table.texts(row).any(|text| text.contains('\n'));
            if let Some(row) = (0..table.rows()).find(is_wrapped) {
                let place = table.place(row);
                bail!("{place}: a candidate has more than one line: print with -f csv or -f json");
            }
        }
        Ok(Candidates::Rows(table))
    }

    fn n_segments(&self) -> usize {
        match self {
            Candidates::Files(columns) => columns[0].rows(),
            Candidates::Lines(lines, n) => lines.rows() / n,
            Candidates::Rows(table) => table.rows(),
        }
    }

    fn segment(&self, segment: usize) -> Vec<&str> {
        match self {
            Candidates::Files(columns) => {
                columns.iter().map(|column| column.text(segment)).collect()
            }
            Candidates::Lines(lines, n) => {
                (segment * n..(segment + 1) * n).map(|row| lines.text(row)).collect()
            }
            Candidates::Rows(table) => table.texts(segment).collect(),
        }
    }
}

fn begin(format: MbrFormat, metric: &NamedMetric) -> String {
    match format {
        MbrFormat::Text => String::new(),
        MbrFormat::Csv => "segment,candidate,utility,text\n".to_owned(),
        MbrFormat::Json => {
            let mut out = format!("{{\"version\":\"{}\",\"metric\":", bolide::VERSION);
            json::string(&mut out, &metric.name);
            out.push_str(",\"signature\":");
            json::string(&mut out, &metric.metric.signature().to_string());
            out.push_str(",\"segments\":[");
            out
        }
    }
}

/// One segment. Segments and candidates are counted from 1.
fn print(args: &Args, segment: usize, texts: &[&str], utilities: &Utilities) -> String {
    let best = utilities.best().unwrap_or(0);
    let text = texts.get(best).copied().unwrap_or_default();
    let mut out = String::new();
    match args.format {
        MbrFormat::Text => out.extend([text, "\n"]),
        MbrFormat::Csv => {
            let _ = write!(out, "{},{},", segment + 1, best + 1);
            csv::number(&mut out, utilities.expected(best));
            out.push(',');
            csv::field(&mut out, text, ',');
            out.push('\n');
        }
        MbrFormat::Json => {
            out.push_str(if segment == 0 { "\n" } else { ",\n" });
            let _ =
                write!(out, "{{\"segment\":{},\"candidate\":{},\"text\":", segment + 1, best + 1);
            json::string(&mut out, text);
            out.push_str(",\"utilities\":");
            let means = (0..utilities.len()).map(|candidate| utilities.expected(candidate));
            numbers(&mut out, means);
            if args.matrix {
                out.push_str(",\"matrix\":[");
                for candidate in 0..utilities.len() {
                    out.push_str(if candidate == 0 { "" } else { "," });
                    numbers(&mut out, utilities.row(candidate).iter().copied());
                }
                out.push(']');
            }
            out.push('}');
        }
    }
    out
}

fn numbers(out: &mut String, values: impl Iterator<Item = f64>) {
    out.push('[');
    for (idx, value) in values.enumerate() {
        out.push_str(if idx == 0 { "" } else { "," });
        json::number(out, value);
    }
    out.push(']');
}
