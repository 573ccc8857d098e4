//! `bolide score`: systems × metrics over a corpus.

use crate::args::{Context, CorpusArgs, MetricArgs};
use crate::error::{Result, bail, usage};
use crate::input::Corpus;
use crate::output::bare::Bare;
use crate::output::sink::Sink;
use crate::output::sink::to_stdout;
use crate::output::{Format, Heading, Outcome, Piece, Plan, ScoreFormat, parquet};
use crate::progress::Progress;
use crate::remarks;
use crate::run::{self, Consumer, Maker, NamedMetric, Row};
use bolide::{Components, Score, Statistics};
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::io::{IsTerminal, Seek, Write};
use std::path::PathBuf;
use tempfile::SpooledTempFile;

const AFTER_HELP: &str = "\
Examples:
  bolide score -r reference.txt -i system-a.txt system-b.txt
  bolide score -r ref1.txt ref2.txt -i out.txt -m meteor meteor:nltk
  bolide score -r reference.txt.gz -i out.txt.zst --segments --format csv --output scores.csv
  bolide score -i out.jsonl --hypothesis-column output --reference-column references
  bolide score -i rows.parquet --hypothesis-column mt --reference-column refs \\
      --segments --format parquet --output scores.parquet
  translate < source.txt | bolide score -r reference.txt --fail-under 0.55
  paste a.txt b.txt | bolide score reference.txt -m bleu
  bolide score reference.txt -i out.txt -m bleu -b

Exit codes: 0 success, 1 failure or a score worse than --fail-under, 2 usage error";

/// Score hypotheses against references
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Reference files, as with -r; put them before -i
    #[arg(value_name = "REFERENCE")]
    first_references: Vec<PathBuf>,
    #[command(flatten)]
    corpus: CorpusArgs,
    #[command(flatten)]
    metrics: MetricArgs,
    /// Also print the scores of single segments
    #[arg(long, short)]
    segments: bool,
    /// Also print the components of the scores (precision, recall, lengths, …)
    #[arg(long, short, visible_alias = "detail")]
    details: bool,
    /// Print only the scores, one on each line
    #[arg(long, short = 'b', conflicts_with_all = ["details", "format", "json"])]
    score_only: bool,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// The language pair, as in de-en: sets the language or the tokenizer of metrics that have one for the target
    #[arg(long, short = 'l', value_name = "PAIR", value_parser = language_pair)]
    language_pair: Option<String>,
    /// Print what to cite for the metrics, and nothing else
    #[arg(long, visible_alias = "citation")]
    cite: bool,
    /// How to print the results
    #[arg(long, short, value_name = "FORMAT", default_value = "text", value_parser = FileFormat::parser())]
    format: FileFormat,
    /// Decimals in tables [default: 4 for scores up to 1, 2 for those up to 100]
    #[arg(long, short, value_name = "DECIMALS", value_parser = clap::value_parser!(u8).range(0..=17))]
    width: Option<u8>,
    /// Write to a file instead of standard output; it appears only when it is complete
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Exit with 1 if the score is worse than this (one system and one metric)
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, value_parser = finite)]
    fail_under: Option<f64>,
}

/// A number that can be a limit: nothing is above or below NaN.
fn finite(text: &str) -> std::result::Result<f64, &'static str> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or("it is not a number")
}

/// A text format, or Parquet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileFormat {
    Text(Format),
    Parquet,
}

impl FileFormat {
    const PARQUET: &str = "parquet";

    /// Knows the names of all formats, for the help and the completions.
    fn parser() -> impl TypedValueParser<Value = Self> {
        let texts = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let table = PossibleValue::new(Self::PARQUET).help("The rows of csv as a Parquet file");
        PossibleValuesParser::new(texts.chain([table])).map(|name| {
            // The parser accepts only these names, so any other name is Parquet's.
            Format::from_str(&name, false).map_or(FileFormat::Parquet, FileFormat::Text)
        })
    }

    fn text(self) -> Option<&'static dyn ScoreFormat> {
        match self {
            FileFormat::Text(format) => Some(format.score_format()),
            FileFormat::Parquet => None,
        }
    }
}

/// Scores and prints.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    let mut metrics = NamedMetric::parse_all(&args.metrics)?;
    if let Some(pair) = &args.language_pair {
        let target = pair.split_once('-').map_or(pair.as_str(), |(_, target)| target);
        let metrics = metrics.iter_mut();
        let changed: Vec<bool> =
            metrics.map(|metric| metric.set_language(target)).collect::<Result<_>>()?;
        if !changed.contains(&true) {
            context.remark(format_args!("-l {pair} changes nothing in these metrics"));
        }
    }
    if args.cite {
        return to_stdout(citation(&metrics).as_bytes());
    }
    let args_of_corpus = args.corpus.clone().after(&args.first_references);
    context.say_what_is_read(&args_of_corpus);
    let mut corpus = Corpus::open(&args_of_corpus)?;
    let format = if args.json { FileFormat::Text(Format::Json) } else { args.format };
    let text_format =
        if args.score_only { Some(&Bare as &'static dyn ScoreFormat) } else { format.text() };
    if args.fail_under.is_some() && (metrics.len() > 1 || corpus.systems.len() > 1) {
        return Err(usage("--fail-under needs exactly one system and one metric"));
    }
    let plan = Plan {
        systems: corpus.systems.clone(),
        metrics: metrics.iter().map(|metric| heading(metric, args.width)).collect(),
        segments: args.segments,
        details: args.details,
        color: context.color && args.output.is_none(),
    };
    if format == FileFormat::Parquet && args.output.is_none() && std::io::stdout().is_terminal() {
        return Err(usage("a terminal cannot show Parquet: give --output FILE"));
    }
    let sink = Sink::create(args.output.as_deref(), &args_of_corpus.files())?;
    let mut scores = Scores::new(&plan, text_format, &metrics, sink)?;
    let writer = Writer { plan: &plan, metrics: &metrics, format: text_format };
    let progress = Progress::new(context);
    let impression = (!context.quiet).then(|| corpus.impression());
    let totals = run::run(corpus, &metrics, context.runner(), &progress, &writer, &mut scores)?;
    let outcomes = scores.finish(&totals)?;
    if args.segments {
        // Of a metric that weighs n-grams over a corpus, a segment alone has no score.
        let hints = metrics.iter().filter_map(|named| named.metric.hint_alone("", &[]));
        hints.for_each(|hint| context.remark(hint));
    }
    let of_corpus: Vec<&Score> = outcomes.iter().map(|outcome| &outcome.score).collect();
    if let Some(impression) = &impression {
        remarks::on_corpus(
            context,
            &args_of_corpus,
            impression,
            &plan.systems,
            &metrics,
            &of_corpus,
        );
    }
    match args.fail_under {
        Some(limit) => check_limit(&metrics[0], outcomes[0].score.value, limit),
        None => Ok(()),
    }
}

/// Two codes with a hyphen between them. Each may have a script and a region (`en-zh_CN`, `pt-BR-en`), which are returned
/// with underscores.
fn language_pair(text: &str) -> Result<String, String> {
    let is_code =
        |code: &str| (2..=3).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphabetic());
    let is_tag = |tag: &str| {
        let mut parts = tag.split('_');
        let is_subtag = |part: &str| {
            (2..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
        };
        parts.next().is_some_and(is_code) && parts.all(is_subtag)
    };
    // With more than one hyphen, a region or a script belongs to the code before it.
    let is_pair = text.matches('-').count() == 1;
    let mut tags: Vec<String> = Vec::new();
    for part in text.split('-') {
        let is_region = part.len() == 2 && part.bytes().all(|b| b.is_ascii_uppercase());
        match tags.last_mut() {
            Some(tag) if !is_pair && (is_region || part.len() == 4) => *tag += &format!("_{part}"),
            _ => tags.push(part.to_owned()),
        }
    }
    match &tags[..] {
        [source, target] if is_tag(source) && is_tag(target) => Ok(tags.join("-").to_lowercase()),
        _ => {
            Err("a language pair is two codes with a hyphen between them, as in de-en or en-zh_CN"
                .to_owned())
        }
    }
}

/// What to cite: bolide with its version, and the program that each metric reproduces.
fn citation(metrics: &[NamedMetric]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut out = format!(
        "@software{{bolide,\n  title = {{bolide: every METEOR, one engine}},\n  author = {{{{The bolide contributors}}}},\n  \
         version = {{{version}}},\n  url = {{{}}}\n}}\n",
        env!("CARGO_PKG_REPOSITORY")
    );
    for named in metrics {
        let dialect = named.metric.dialect();
        out += &format!("% {} reproduces {}\n", named.metric.signature(), dialect.reproduces);
    }
    out
}

fn heading(named: &NamedMetric, width: Option<u8>) -> Heading {
    Heading {
        name: named.name.clone(),
        decimals: width.map_or(named.decimals(), usize::from),
        lower_is_better: named.lower_is_better(),
        components: named.metric.component_names(),
    }
}

fn check_limit(metric: &NamedMetric, score: f64, limit: f64) -> Result<()> {
    let lower = metric.lower_is_better();
    let passed = if lower { score <= limit } else { score >= limit };
    if passed {
        return Ok(());
    }
    let side = if lower { "above" } else { "below" };
    // Print all digits: a score that rounds to the limit may still be below it.
    bail!("{} is {score}, {side} the limit of {limit}", metric.name)
}

/// Writes the scores of the segments and of the corpus.
struct Scores<'a> {
    plan: &'a Plan,
    output: Output,
}

/// Where scores go.
enum Output {
    Text {
        format: &'static dyn ScoreFormat,
        sink: Sink,
        /// Segments that the format prints at the end.
        spools: Vec<SpooledTempFile>,
    },
    Table(Box<parquet::Table>),
}

/// The output for a batch: texts for a text format, rows for a table.
#[derive(Default)]
struct Written {
    texts: Vec<String>,
    rows: Vec<parquet::Row>,
}

impl<'a> Scores<'a> {
    fn new(
        plan: &'a Plan,
        format: Option<&'static dyn ScoreFormat>,
        metrics: &[NamedMetric],
        sink: Sink,
    ) -> Result<Self> {
        let output = match format {
            Some(format) => Output::text(plan, format, sink)?,
            None => {
                let components: Vec<Components> =
                    metrics.iter().map(|named| named.metric.components()).collect();
                Output::Table(Box::new(parquet::Table::new(sink, plan, &components)?))
            }
        };
        Ok(Scores { plan, output })
    }

    fn finish(self, totals: &[bolide::Corpus]) -> Result<Vec<Outcome>> {
        let n_metrics = self.plan.metrics.len();
        let outcome = |(idx, total): (usize, &bolide::Corpus)| {
            let (system, metric) = (idx / n_metrics, idx % n_metrics);
            Ok(Outcome { system, metric, score: total.score()? })
        };
        let outcomes: Vec<Outcome> =
            totals.iter().enumerate().map(outcome).collect::<bolide::Result<_>>()?;
        self.output.end(self.plan, &outcomes)?;
        Ok(outcomes)
    }
}

impl Output {
    fn text(plan: &Plan, format: &'static dyn ScoreFormat, mut sink: Sink) -> Result<Self> {
        let mut spools = Vec::new();
        if plan.segments {
            let mut head = String::new();
            format.begin(plan, &mut head);
            sink.write_all(head.as_bytes())?;
            spools.resize_with(format.n_spools(plan), || SpooledTempFile::new(1 << 20));
        }
        Ok(Output::Text { format, sink, spools })
    }

    fn end(self, plan: &Plan, outcomes: &[Outcome]) -> Result<()> {
        match self {
            Output::Text { format, mut sink, mut spools } => {
                for piece in format.end(plan, outcomes) {
                    match piece {
                        Piece::Text(text) => sink.write_all(text.as_bytes())?,
                        Piece::Spool(idx) => {
                            let spool = &mut spools[idx];
                            spool.rewind()?;
                            std::io::copy(spool, &mut sink)?;
                        }
                    }
                }
                sink.finish()
            }
            Output::Table(table) => table.finish(plan, outcomes),
        }
    }
}

/// Formats the segments, on the worker threads.
struct Writer<'a> {
    plan: &'a Plan,
    metrics: &'a [NamedMetric],
    /// None for a table.
    format: Option<&'static dyn ScoreFormat>,
}

impl Maker for Writer<'_> {
    type Part = Written;

    fn wants_segments(&self) -> bool {
        self.plan.segments
    }

    fn row(&self, row: &Row<'_>, stats: &[Statistics], part: &mut Written) -> bolide::Result<()> {
        let segment = row.segment;
        for (system, stats) in stats.chunks(self.metrics.len()).enumerate() {
            let scores = self.metrics.iter().zip(stats);
            let scores: Vec<Score> = scores
                .map(|(named, stats)| named.metric.finish_segment(stats))
                .collect::<bolide::Result<_>>()?;
            match self.format {
                Some(format) => {
                    let n_texts = format.n_spools(self.plan).max(1);
                    part.texts.resize_with(n_texts, String::new);
                    format.segment(self.plan, segment, system, &scores, &mut part.texts);
                }
                None => {
                    let row = |(metric, score)| parquet::Row { segment, system, metric, score };
                    part.rows.extend(scores.into_iter().enumerate().map(row));
                }
            }
        }
        Ok(())
    }
}

impl Consumer for Scores<'_> {
    type Part = Written;

    fn merge(&mut self, _: Vec<Statistics>, part: Written) -> Result<()> {
        match &mut self.output {
            Output::Text { sink, spools, .. } if spools.is_empty() => {
                part.texts.iter().try_for_each(|text| sink.write_all(text.as_bytes()))?;
            }
            Output::Text { spools, .. } => {
                for (spool, text) in spools.iter_mut().zip(&part.texts) {
                    spool.write_all(text.as_bytes())?;
                }
            }
            Output::Table(table) => table.segments(self.plan, part.rows)?,
        }
        Ok(())
    }
}
