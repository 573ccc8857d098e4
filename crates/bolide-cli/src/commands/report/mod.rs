//! `bolide report`: everything about a comparison of systems, in one HTML file.
//!
//! Text is read and scored as in other commands (`input`, `run`); `gather` collects what the page shows of
//! every segment, with alignments in the form of `compact`. The other modules compute from that the standings
//! of the systems (`standings`), buckets (`buckets`), words and n-grams (`words`) and the agreement with human
//! scores (`human`). `page` puts them and the page's own code (from `bolide-web`) into one file that needs no
//! network. Nothing here computes a metric, and nothing depends on the time: the same inputs make the same
//! bytes.

mod beside;
mod buckets;
mod compact;
mod gather;
mod human;
mod page;
mod standings;
mod words;

use crate::args::{Context, CorpusArgs, MOST_SAMPLES, MetricArgs};
use crate::error::{Result, usage};
use crate::input::Corpus;
use crate::output::sink::Sink;
use crate::progress::Progress;
use crate::remarks;
use crate::run::{self, NamedMetric};
use beside::Beside;
use bolide::Score;
use clap::ValueEnum;
use gather::{Gathered, Plan};
use serde::Serialize;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  bolide report -r reference.txt -i system-a.txt system-b.txt -o report.html
  bolide report -r ref1.txt ref2.txt -i *.hyp --source source.txt -m meteor bleu chrf -o report.html
  bolide report -r ref.txt -i a.txt b.txt --human a.scores b.scores --bucket domains.txt -o out.html
  bolide report -i outputs.tsv --hypothesis-column a b --reference-column ref --source src \\
    --human human_a human_b --bucket domain -o report.html

The first system is the baseline until another is chosen in the report.

Exit codes: 0 success, 1 failure, 2 usage error";

/// Write an HTML report: leaderboard, histograms, segments with their alignments, buckets, words
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
    /// The texts that were translated or summarised: a file, or a column of the tables
    ///
    /// If the inputs are tables, a name without a slash is a column: of the -r table if there is one,
    /// of the input otherwise. Everything else is a file with one line for each segment.
    #[arg(long, value_name = "COLUMN|FILE")]
    source: Option<String>,
    /// Human scores: a file for each system, a table with a column for each, or columns of the inputs
    ///
    /// A file has one number on each line; a line is empty if nobody judged the segment. The columns of a
    /// table are named after the systems. If the inputs are tables, give one column for each
    /// --hypothesis-column.
    #[arg(long, value_name = "COLUMN|FILE", num_args = 1..)]
    human: Vec<String>,
    /// Labels or numbers to group the segments by: a file or a column, as for --source; repeatable
    #[arg(long, value_name = "COLUMN|FILE", num_args = 1..)]
    bucket: Vec<String>,
    /// The heading of the report
    #[arg(long, value_name = "TEXT", default_value = "bolide report")]
    title: String,
    /// Bootstrap samples for intervals and p-values
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=MOST_SAMPLES))]
    samples: u32,
    /// The seed of the generator
    #[arg(long, value_name = "SEED", default_value_t = 12345)]
    seed: u64,
    /// The level at which a difference counts as significant
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    level: f64,
    /// Correct the p-values of a metric for the number of systems compared
    #[arg(long, value_name = "METHOD", default_value = "none")]
    correct: Correction,
    /// The file to write; it appears only when it is complete
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

/// Corrections for several comparisons.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Correction {
    /// P-values as they are
    None,
    /// Holm's step-down correction
    Holm,
}

/// Scores, aligns, gathers and writes.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    if !(0.0..=1.0).contains(&args.level) {
        return Err(usage(format!("--level must be from 0 to 1, got {}", args.level)));
    }
    let corpus_args = args.corpus.clone().after(&args.first_references);
    let metrics = NamedMetric::parse_all(&args.metrics)?;
    let added = match metrics.iter().position(has_alignment) {
        Some(_) => None,
        // If no metric has an alignment, the page draws that of the default METEOR.
        None => Some(NamedMetric::parse("meteor")?),
    };
    let aligner = added.as_ref().or_else(|| metrics.iter().find(|metric| has_alignment(metric)));
    let Some(aligner) = aligner else { return Err(usage("no metric here has an alignment")) };
    let beside = Beside::new(&corpus_args, args.source.as_deref(), &args.human, &args.bucket)?;
    context.say_what_is_read(&corpus_args);
    let mut corpus = Corpus::open_with(&corpus_args, &beside.extras)?;
    let systems = corpus.systems.clone();
    let beside_files = beside.extras.iter().filter_map(|extra| extra.place.file());
    let inputs = corpus_args.files();
    let sink = Sink::create(Some(&args.output), inputs.iter().chain(beside_files))?;
    let plan =
        Plan { metrics: &metrics, aligner: &aligner.metric, n_systems: systems.len(), beside };
    let mut gathered = Gathered::new(&plan);
    let progress = Progress::new(context);
    let runner = context.runner();
    let impression = (!context.quiet).then(|| corpus.impression());
    let totals = run::run(corpus, &metrics, runner, &progress, &plan, &mut gathered)?;
    let scored: Vec<Score> =
        totals.iter().map(bolide::Corpus::score).collect::<bolide::Result<_>>()?;
    if let Some(impression) = &impression {
        let of_corpus: Vec<&Score> = scored.iter().collect();
        remarks::on_corpus(context, &corpus_args, impression, &systems, &metrics, &of_corpus);
    }
    let scores: Vec<f64> = scored.iter().map(|score| score.value).collect();
    let nrefs = totals[0].nrefs().unwrap_or_default();

    let test = standings::Test {
        samples: args.samples as usize,
        seed: args.seed,
        level: args.level,
        correction: (args.correct == Correction::Holm).then_some("holm"),
    };
    let standings = standings::of(&gathered, &metrics, &scores, &test, (runner, &progress))?;
    progress.stage("sorting into buckets");
    let buckets = buckets::all(&gathered, &plan, runner)?;
    let human = plan.beside.human.map(|_| human::agreement(&gathered, &plan, &standings, runner));
    let summary = Summary {
        version: bolide::VERSION,
        title: &args.title,
        segments: totals[0].n_segments(),
        references: &nrefs,
        systems: &systems,
        metrics: metrics.iter().map(|metric| Heading::new(metric, &nrefs, &test)).collect(),
        aligner: Heading::new(aligner, &nrefs, &test),
        standings,
        test,
        buckets: buckets.iter().map(|bucketing| &bucketing.summary).collect(),
        human,
        has_source: plan.beside.source.is_some(),
    };
    let written = page::write(&summary, &gathered, &plan, &buckets, (runner, &progress), sink);
    progress.finish();
    written
}

fn has_alignment(metric: &NamedMetric) -> bool {
    metric.metric.dialect().alignment
}

/// What the page shows before it has unpacked the rest.
#[derive(Serialize)]
struct Summary<'a> {
    version: &'a str,
    title: &'a str,
    segments: u64,
    references: &'a str,
    systems: &'a [String],
    metrics: Vec<Heading>,
    /// The metric of the alignments, precision, recall and fragmentation.
    aligner: Heading,
    /// By metric, then by system.
    standings: Vec<Vec<standings::Standing>>,
    test: standings::Test,
    buckets: Vec<&'a buckets::Summary>,
    human: Option<human::Agreement>,
    has_source: bool,
}

/// A metric as a heading.
#[derive(Serialize)]
struct Heading {
    name: String,
    signature: String,
    decimals: usize,
    lower_is_better: bool,
}

impl Heading {
    fn new(metric: &NamedMetric, nrefs: &str, test: &standings::Test) -> Self {
        let signature = metric.metric.signature().clone().with_fact("nrefs", nrefs);
        Heading {
            name: metric.name.clone(),
            signature: test.with_facts(signature).to_string(),
            decimals: metric.decimals(),
            lower_is_better: metric.lower_is_better(),
        }
    }
}
