//! `bolide compare`: is the difference between two systems more than chance?
//!
//! The first system is the baseline; every other is tested against it. This module keeps the statistics of
//! every segment and resamples the systems in parallel; `output::comparison` prints.

use crate::args::{Context, CorpusArgs, MOST_SAMPLES, MetricArgs, TextToo};
use crate::error::{Result, usage};
use crate::input::Corpus;
use crate::output::Format;
use crate::output::comparison::{Comparison, Entry, Kind, Test};
use crate::output::sink::Sink;
use crate::progress::Progress;
use crate::remarks;
use crate::run::{self, Consumer, NamedMetric, Nothing};
use bolide::resample::{Sample, Scores, bootstrap, holm, least_p_value, randomization_p_value};
use bolide::{Score, Statistics};
use bolide_runner::Runner;
use clap::ValueEnum;
use std::io::Write;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  bolide compare -r reference.txt -i baseline.txt system-a.txt system-b.txt -m bleu chrf ter meteor
  bolide compare -r reference.txt -i baseline.txt new.txt -m meteor --test randomization
  bolide compare -r reference.txt -i baseline.txt a.txt b.txt c.txt --correct holm --format latex

With the same seed and number of samples, scores, intervals and p-values of bleu, chrf and ter are
those of sacreBLEU (--paired-bs, --paired-ar).

Exit codes: 0 success, 1 failure, 2 usage error";

/// Compare systems with a baseline: scores, intervals and p-values
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
    /// How to compute p-values
    #[arg(long, value_name = "TEST", default_value = "bootstrap")]
    test: TestKind,
    /// Bootstrap samples or randomisation trials [default: 1000 samples, 10000 trials]
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_SAMPLES))]
    samples: Option<u32>,
    /// The seed of the generator
    #[arg(long, value_name = "SEED", default_value_t = 12345)]
    seed: u64,
    /// The level at which a difference counts as significant
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    level: f64,
    /// Correct the p-values of a metric for the number of systems compared
    #[arg(long, value_name = "METHOD", default_value = "none")]
    correct: Correction,
    /// How to print the results
    #[arg(long, short, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Decimals of the scores [default: 4 for scores up to 1, 2 for those up to 100]
    #[arg(long, short, value_name = "DECIMALS", value_parser = clap::value_parser!(u8).range(0..=17))]
    width: Option<u8>,
    /// Write to a file instead of standard output; it appears only when it is complete
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    text_too: TextToo,
}

/// The tests.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TestKind {
    /// Paired bootstrap resampling of the segments
    Bootstrap,
    /// Paired approximate randomisation: segments are exchanged between the systems
    Randomization,
}

/// Corrections for several comparisons.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Correction {
    /// P-values as they are
    None,
    /// Holm's step-down correction
    Holm,
}

/// Scores, resamples and prints.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    if !(0.0..=1.0).contains(&args.level) {
        return Err(usage(format!("--level must be from 0 to 1, got {}", args.level)));
    }
    let corpus_args = args.corpus.clone().after(&args.first_references);
    let metrics = NamedMetric::parse_all(&args.metrics)?;
    context.say_what_is_read(&corpus_args);
    let mut corpus = Corpus::open(&corpus_args)?;
    let systems = corpus.systems.clone();
    let sink = Sink::create(args.output.as_deref(), &corpus_args.files())?;
    let mut kept = Kept { stats: vec![Vec::new(); systems.len() * metrics.len()] };
    let progress = Progress::new(context);
    let runner = context.runner();
    let impression = (!context.quiet).then(|| corpus.impression());
    let totals = run::run(corpus, &metrics, runner, &progress, &Nothing, &mut kept)?;
    let scores: Vec<Score> =
        totals.iter().map(bolide::Corpus::score).collect::<bolide::Result<_>>()?;
    let test = Test {
        kind: match args.test {
            TestKind::Bootstrap => Kind::Bootstrap,
            TestKind::Randomization => Kind::Randomization,
        },
        n_samples: match (args.samples, args.test) {
            (Some(n), _) => n as usize,
            (None, TestKind::Bootstrap) => 1000,
            (None, TestKind::Randomization) => 10_000,
        },
        seed: args.seed,
        level: args.level,
        corrected: args.correct == Correction::Holm,
    };
    let of_corpus: Vec<&Score> = scores.iter().collect();
    if let Some(impression) = &impression {
        remarks::on_corpus(context, &corpus_args, impression, &systems, &metrics, &of_corpus);
    }
    let values: Vec<f64> = scores.iter().map(|score| score.value).collect();
    let entries = test_all(&kept, &metrics, &values, &test, (runner, &progress))?;
    let comparison = Comparison {
        systems,
        metrics: metrics.iter().map(|metric| metric.name.clone()).collect(),
        decimals: metrics
            .iter()
            .map(|metric| args.width.map_or(metric.decimals(), usize::from))
            .collect(),
        signatures: scores[..metrics.len()]
            .iter()
            .map(|score| test.with_facts(score.signature.clone()).to_string())
            .collect(),
        entries,
        test,
        color: context.color && args.output.is_none(),
        width: if args.output.is_none() { context.width } else { usize::MAX },
    };
    let mut sink = sink;
    let printed = comparison.print(args.format);
    let printed = args.text_too.after(printed, || comparison.print(Format::Text));
    sink.write_all(printed.as_bytes())?;
    sink.finish()
}

/// The statistics of every segment: one system after the other, each with all metrics.
struct Kept {
    stats: Vec<Vec<Statistics>>,
}

impl Consumer for Kept {
    type Part = ();

    fn merge(&mut self, stats: Vec<Statistics>, (): ()) -> Result<()> {
        let n_columns = self.stats.len();
        for (idx, stats) in stats.into_iter().enumerate() {
            self.stats[idx % n_columns].push(stats);
        }
        Ok(())
    }
}

/// One entry for each system and metric, in that order.
fn test_all(
    kept: &Kept,
    metrics: &[NamedMetric],
    scores: &[f64],
    test: &Test,
    (runner, progress): (Runner, &Progress),
) -> Result<Vec<Entry>> {
    let n_systems = kept.stats.len() / metrics.len();
    let sample = |idx: usize| Sample::new(&metrics[idx % metrics.len()].metric, &kept.stats[idx]);
    let samples = runner.each(kept.stats.len(), sample);
    let samples: Vec<Sample<'_>> = samples.into_iter().collect::<bolide::Result<_>>()?;
    let entry = |(idx, &score): (usize, &f64)| {
        let differs = score != scores[idx % metrics.len()];
        Entry { score, interval: None, p_value: None, differs }
    };
    let mut entries: Vec<Entry> = scores.iter().enumerate().map(entry).collect();
    let p_values: Vec<f64> = match test.kind {
        Kind::Bootstrap => {
            let resampled: Vec<Scores> =
                progress
                    .each("resampling", runner, samples.len(), |idx| resample(&samples[idx], test));
            for (entry, resampled) in entries.iter_mut().zip(&resampled) {
                // sacreBLEU rounds the mean of a single system differently.
                entry.interval = Some(if n_systems == 1 {
                    resampled.confidence()
                } else {
                    resampled.interval()
                });
            }
            let difference = |idx: usize| scores[idx % metrics.len()] - scores[idx];
            let p = |idx: usize| {
                resampled[idx].p_value(&resampled[idx % metrics.len()], difference(idx))
            };
            (0..samples.len()).map(p).collect()
        }
        Kind::Randomization => progress.each("resampling", runner, samples.len(), |idx| {
            if idx < metrics.len() {
                return f64::NAN;
            }
            let baseline = &samples[idx % metrics.len()];
            randomization_p_value(baseline, &samples[idx], test.n_samples, test.seed)
        }),
    };
    let possible =
        |idx: usize| possible_p_value(p_values[idx], &samples[idx], &samples[idx % metrics.len()]);
    for metric in 0..metrics.len() {
        let others = (1..n_systems).map(|system| system * metrics.len() + metric);
        let mut of_metric: Vec<f64> = others.clone().map(possible).collect();
        if test.corrected {
            of_metric = holm(&of_metric);
        }
        for (idx, p) in others.zip(of_metric) {
            entries[idx].p_value = Some(p).filter(|p| !p.is_nan());
        }
    }
    Ok(entries)
}

/// A p-value of sacreBLEU's tests, or the least that is possible if only a few segments differ. NaN stays NaN.
pub fn possible_p_value(p: f64, system: &Sample<'_>, baseline: &Sample<'_>) -> f64 {
    if p.is_nan() { p } else { p.max(least_p_value(system.n_different(baseline))) }
}

fn resample(sample: &Sample<'_>, test: &Test) -> Scores {
    // One system in, one list of scores out.
    bootstrap(std::slice::from_ref(sample), test.n_samples, test.seed).swap_remove(0)
}
