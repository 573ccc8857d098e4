//! `bolide correlate`: how well metrics agree with people.
//!
//! The metrics' scores are computed from the texts of a table or read from its columns; a folder of mt-metrics-eval is
//! read in the same way, and the scores can be written as its files (`files`). Where less is
//! better, the sign is changed, so that larger is always better, as in human scores. The engine computes
//! the figures (`bolide::correlation`); `output::correlation` prints them.

mod files;
mod points;
mod sides;

use crate::args::{Context, MOST_SAMPLES, MetricName, TextToo};
use crate::error::{Result, bail, usage};
use crate::judgements::{Beside, Judged, JudgementArgs};
use crate::output::Format;
use crate::output::correlation::{Correlations, Figure};
use crate::output::sink::Sink;
use crate::progress::Progress;
use crate::run::NamedMetric;
use bolide::Statistics;
use bolide::correlation::Coefficient;
use bolide::correlation::confidence::Sides;
use clap::{ArgAction, ValueEnum};
use points::{Points, Texts};
use sides::{Side, mean};
use std::io::Write;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  bolide correlate -i judged.tsv --human-column human --hypothesis-column output \\
    --reference-column reference -m meteor bleu chrf ter
  bolide correlate -i *.tsv --group-column pair … --coefficient pearson kendall-b --confidence
  bolide correlate -i scores.csv --human-column human --score-column comet bleurt --test
  bolide correlate -i judged.jsonl --system-column system --level system …
  bolide correlate -i judged.tsv … --item-column source --average item --clusters
  bolide correlate --wmt wmt24 --pair en-de --human mqm --reference refA -m meteor:2026 \\
    --score-column all --write-scores wmt24/metric-scores

Exit codes: 0 success, 1 failure, 2 usage error";

/// Correlate metrics with human judgements
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    judgements: JudgementArgs,
    /// Metrics to compute from the texts, by partial signature
    #[arg(long = "metric", short = 'm', value_name = "METRIC", value_parser = MetricName, hide_possible_values = true, num_args = 1.., action = ArgAction::Append)]
    metrics: Vec<String>,
    /// Columns with scores that were computed elsewhere; of a folder, names of metrics such as BLEU-refA, or all
    #[arg(long, value_name = "NAME", num_args = 1.., action = ArgAction::Append)]
    score_column: Vec<String>,
    /// Score columns in which less is better
    #[arg(long, value_name = "NAME", num_args = 1.., action = ArgAction::Append)]
    lower_is_better: Vec<String>,
    /// Compute figures separately for each value of this column, such as the language pair
    #[arg(long, value_name = "NAME")]
    group_column: Option<String>,
    /// The column that names a text's item, such as its source: accuracy compares only texts of the same
    /// item, and soft-accuracy and pce pair the texts of two systems by it
    #[arg(long, value_name = "NAME")]
    item_column: Option<String>,
    /// The figures to compute
    #[arg(long, value_name = "NAME", num_args = 1.., action = ArgAction::Append, default_value = "pearson")]
    coefficient: Vec<CoefficientName>,
    /// Segments, systems, or both [default: segments, and systems if there is a --system-column]
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// At segment level, the mean of the figures of every item or every system
    /// [default: item for accuracy with an --item-column, otherwise none]
    #[arg(long, value_name = "BY")]
    average: Option<Average>,
    /// Also print bootstrap intervals
    #[arg(long)]
    confidence: bool,
    /// Test whether each metric differs from the first one
    #[arg(long, value_name = "TEST", num_args = 0..=1, default_missing_value = "permutation")]
    test: Option<Test>,
    /// Test whether the better of the two is better, not whether they differ
    #[arg(long, requires = "test")]
    one_sided: bool,
    /// Also rank the metrics, and with items the systems: those that no other of the same rank beats
    /// significantly share a rank
    #[arg(long)]
    clusters: bool,
    /// Bootstrap samples and permutations
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=MOST_SAMPLES))]
    samples: u32,
    /// The seed of the generator
    #[arg(long, value_name = "SEED", default_value_t = 12345)]
    seed: u64,
    /// Write the computed scores as files of mt-metrics-eval, PAIR/NAME-REF.seg.score and .sys.score, into this folder
    #[arg(long, value_name = "FOLDER", requires = "wmt")]
    write_scores: Option<PathBuf>,
    /// How to print the results
    #[arg(long, short, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Decimals of the figures
    #[arg(long, short, value_name = "DECIMALS", default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=17))]
    width: u8,
    /// Write to a file instead of standard output; it appears only when it is complete
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    text_too: TextToo,
}

/// Names of the coefficients on the command line.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CoefficientName {
    /// Pearson's r
    Pearson,
    /// Spearman's rho
    Spearman,
    /// Kendall's tau b
    KendallB,
    /// Kendall's tau c
    KendallC,
    /// Pairwise accuracy with tie calibration
    Accuracy,
    /// Soft pairwise accuracy of systems, with permutations of their texts (needs --item-column)
    SoftAccuracy,
    /// Pairwise confidence error: one minus soft-accuracy, less is better
    Pce,
    /// All of these except soft-accuracy and pce
    All,
}

impl CoefficientName {
    fn coefficients(self) -> Vec<Coefficient> {
        match self {
            CoefficientName::Pearson => vec![Coefficient::Pearson],
            CoefficientName::Spearman => vec![Coefficient::Spearman],
            CoefficientName::KendallB => vec![Coefficient::KendallB],
            CoefficientName::KendallC => vec![Coefficient::KendallC],
            CoefficientName::Accuracy => vec![Coefficient::PairwiseAccuracy],
            CoefficientName::SoftAccuracy => vec![Coefficient::SoftAccuracy],
            CoefficientName::Pce => vec![Coefficient::ConfidenceError],
            CoefficientName::All => Coefficient::CHOICES.map(|(_, it)| it).to_vec(),
        }
    }
}

/// What is compared with the human scores.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Level {
    /// Single texts
    Segment,
    /// Systems: the corpus score of each, and the mean of its human scores
    System,
    /// Both
    Both,
}

/// What a figure of texts is averaged over.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Average {
    /// Nothing: one figure of all texts
    None,
    /// The figures of the texts of every item
    Item,
    /// The figures of the texts of every system
    System,
}

/// How two metrics are compared.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Test {
    /// Exchange the metrics' scores at random
    Permutation,
    /// Williams' test of two correlations with one list of human scores
    Williams,
}

impl Test {
    /// How results name it.
    fn name(self, args: &Args) -> String {
        match self {
            Test::Permutation => format!("{} permutations, seed {}", args.samples, args.seed),
            Test::Williams => "Williams' test".to_owned(),
        }
    }
}

/// How figures are computed, beside what they are about.
struct Settings {
    average: Option<Average>,
    confidence: bool,
    test: Option<Test>,
    sides: Sides,
    n_samples: usize,
    seed: u64,
}

impl Settings {
    fn of(args: &Args) -> Self {
        Settings {
            average: args.average,
            confidence: args.confidence,
            test: args.test,
            sides: if args.one_sided { Sides::One } else { Sides::Two },
            n_samples: args.samples as usize,
            seed: args.seed,
        }
    }
}

/// Reads, scores, correlates and prints.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    let plan = Plan::of(args)?;
    let mut sink = Sink::create(args.output.as_deref(), &args.judgements.inputs)?;
    let beside = Beside {
        scores: &args.score_column,
        group: args.group_column.as_deref(),
        item: args.item_column.as_deref(),
        unjudged: true,
        only_systems: plan.levels == Level::System,
    };
    let judged = Judged::read(&args.judgements, !plan.metrics.is_empty(), &beside)?;
    check_names(args, &judged)?;
    let levels = plan.levels_of(args, &judged)?;
    let stats = judged.statistics(&plan.metrics, context)?;
    let sides = sides(args, &plan.metrics, &stats, &judged);
    let lists = points(&judged, &sides, levels)?;
    let settings = Settings::of(args);
    lists.iter().try_for_each(|points| points.check(&plan.coefficients, &settings))?;
    let mut figures = figures(&lists, sides.len(), &plan.coefficients, &settings, context);
    let mut standings = Vec::new();
    if args.clusters {
        rank(&mut figures, &lists, &settings, context);
        let of = |list: usize| lists[list].standings(&judged.systems, &settings);
        let runner = context.runner();
        let of_lists = Progress::new(context).each("rank clusters", runner, lists.len(), of);
        standings = of_lists.into_iter().flatten().collect();
    }
    let correlations = Correlations {
        groups: judged.groups.clone(),
        has_groups: args.group_column.is_some() || args.judgements.is_folder(),
        metrics: sides.iter().map(|side| side.name().to_owned()).collect(),
        signatures: sides.iter().map(Side::signature).collect(),
        figures,
        standings,
        coefficients: plan.coefficients,
        decimals: usize::from(args.width),
        remarks: remarks(args, &sides),
        n_samples: args.samples,
        seed: args.seed,
        color: context.color && args.output.is_none(),
    };
    let printed = correlations.print(args.format);
    let printed = args.text_too.after(printed, || correlations.print(Format::Text));
    sink.write_all(printed.as_bytes())?;
    if let Some(folder) = &args.write_scores {
        files::write(folder, &judged, &sides)?;
    }
    sink.finish()
}

/// Names in options must be those of columns or files.
fn check_names(args: &Args, judged: &Judged) -> Result<()> {
    let unknown = args.lower_is_better.iter().find(|name| !judged.score_names.contains(name));
    match unknown {
        Some(name) => {
            Err(usage(format!("--lower-is-better {name} is not one of the --score-column")))
        }
        None => Ok(()),
    }
}

/// What to correlate. It is decided from the arguments alone, before anything is read.
struct Plan {
    metrics: Vec<NamedMetric>,
    coefficients: Vec<Coefficient>,
    levels: Level,
}

impl Plan {
    fn of(args: &Args) -> Result<Self> {
        let metrics: Vec<NamedMetric> =
            args.metrics.iter().map(|name| NamedMetric::parse(name)).collect::<Result<_>>()?;
        if metrics.is_empty() && args.score_column.is_empty() {
            return Err(usage(
                "nothing to correlate: give metrics with -m or columns with --score-column",
            ));
        }
        let mut coefficients: Vec<Coefficient> = Vec::new();
        for coefficient in args.coefficient.iter().flat_map(|name| name.coefficients()) {
            if !coefficients.contains(&coefficient) {
                coefficients.push(coefficient);
            }
        }
        let has_systems = args.judgements.has_systems();
        let levels = match args.level {
            None if has_systems => Level::Both,
            None => Level::Segment,
            Some(Level::Segment) => Level::Segment,
            Some(_) if !has_systems => return Err(usage("system level needs --system-column")),
            Some(level) => level,
        };
        let plan = Plan { metrics, coefficients, levels };
        plan.check(args)?;
        Ok(plan)
    }

    /// The levels that the judgements have, if the user has not chosen.
    fn levels_of(&self, args: &Args, judged: &Judged) -> Result<Level> {
        let lacks = judged.pairs().iter().find(|pair| pair.segments.is_none());
        match lacks {
            Some(_) if args.level.is_none() || self.levels == Level::System => Ok(Level::System),
            Some(pair) => bail!("{} has no human scores of segments (--level system)", pair.name),
            None => Ok(self.levels),
        }
    }

    /// Refuses what does not fit together.
    fn check(&self, args: &Args) -> Result<()> {
        let is_folder = args.judgements.is_folder();
        if is_folder && (args.group_column.is_some() || args.item_column.is_some()) {
            return Err(usage("--group-column and --item-column are for tables, not for --wmt"));
        }
        let has_items = args.item_column.is_some() || is_folder;
        let of_systems = self.coefficients.iter().find(|it| it.needs_systems());
        if let Some(name) = of_systems.map(|it| it.name()) {
            if self.levels == Level::Segment || !has_items {
                return Err(usage(format!(
                    "{name} compares systems: it needs --system-column and --item-column"
                )));
            }
            if args.confidence || args.test.is_some() {
                return Err(usage(format!("{name} has neither an interval nor a test")));
            }
        }
        if args.average == Some(Average::Item) && !has_items {
            return Err(usage("--average item needs --item-column"));
        }
        if args.average == Some(Average::System) && !args.judgements.has_systems() {
            return Err(usage("--average system needs --system-column"));
        }
        let is_average = args.average.is_some_and(|by| by != Average::None);
        let has_accuracy = self.coefficients.contains(&Coefficient::PairwiseAccuracy);
        if args.test == Some(Test::Williams) && (is_average || has_accuracy) {
            return Err(usage(
                "Williams' test compares correlations over all texts, neither accuracies nor averages",
            ));
        }
        Ok(())
    }
}

/// The computed metrics, then the score columns of the table.
fn sides<'a>(
    args: &'a Args,
    metrics: &'a [NamedMetric],
    stats: &'a [Vec<Statistics>],
    judged: &'a Judged,
) -> Vec<Side<'a>> {
    let computed = metrics.iter().zip(stats).map(|(named, stats)| Side::Computed { named, stats });
    let columns = judged.score_names.iter().zip(&judged.scores).zip(&judged.scores_of_systems);
    let given = columns.map(|((name, scores), whole)| {
        let lower = args.lower_is_better.contains(name);
        Side::Given { name, scores, whole, lower }
    });
    computed.chain(given).collect()
}

/// What is compared, group by group and level by level.
fn points(judged: &Judged, sides: &[Side<'_>], levels: Level) -> Result<Vec<Points>> {
    let segment_scores: Vec<Vec<f64>> =
        sides.iter().map(Side::segments).collect::<bolide::Result<_>>()?;
    let mut lists = Vec::new();
    for group in 0..judged.groups.len() {
        let rows: Vec<usize> =
            (0..judged.len()).filter(|&row| judged.group[row] == group).collect();
        if levels != Level::System {
            lists.push(segments(judged, &segment_scores, &rows, group));
        }
        if levels != Level::Segment {
            lists.push(systems(judged, sides, (&rows, &segment_scores), group)?);
        }
    }
    Ok(lists)
}

/// Every text of a group as one point.
fn segments(judged: &Judged, segment_scores: &[Vec<f64>], rows: &[usize], group: usize) -> Points {
    let rows: Vec<usize> =
        rows.iter().copied().filter(|&row| !judged.human[row].is_nan()).collect();
    let pick = |list: &[f64]| rows.iter().map(|&row| list[row]).collect();
    let numbers = |list: &[usize]| match list {
        [] => Vec::new(),
        _ => rows.iter().map(|&row| list[row]).collect(),
    };
    Points {
        level: "segment",
        group,
        human: pick(&judged.human),
        metrics: segment_scores.iter().map(|scores| pick(scores)).collect(),
        item: numbers(&judged.item),
        system: numbers(&judged.system),
        texts: None,
    }
}

/// Every system of a group as one point.
fn systems(
    judged: &Judged,
    sides: &[Side<'_>],
    (rows, segment_scores): (&[usize], &[Vec<f64>]),
    group: usize,
) -> bolide::Result<Points> {
    let mut of_system: Vec<(usize, Vec<usize>)> =
        (0..judged.systems.len()).map(|system| (system, Vec::new())).collect();
    rows.iter().for_each(|&row| of_system[judged.system[row]].1.push(row));
    // The mean of what was judged, unless a folder has a score of the system.
    let human_of = |(system, rows): &(usize, Vec<usize>)| {
        let of_texts = || {
            let scores: Vec<f64> = rows.iter().map(|&row| judged.human[row]).collect();
            let judged: Vec<f64> = scores.into_iter().filter(|score| !score.is_nan()).collect();
            mean(judged.iter().copied())
        };
        judged.human_of_systems.get(&(group, *system)).copied().unwrap_or_else(of_texts)
    };
    of_system.retain(|one| !one.1.is_empty() && !human_of(one).is_nan());
    let human = of_system.iter().map(human_of);
    let metric = |side: &Side<'_>| {
        of_system.iter().map(|(system, rows)| side.corpus(rows, (group, *system))).collect()
    };
    Ok(Points {
        level: "system",
        group,
        human: human.collect(),
        metrics: sides.iter().map(metric).collect::<bolide::Result<_>>()?,
        item: Vec::new(),
        system: Vec::new(),
        texts: (!judged.item.is_empty()).then(|| Texts::of(judged, &of_system, segment_scores)),
    })
}

/// Every coefficient of every metric on every list.
fn figures(
    lists: &[Points],
    n_sides: usize,
    coefficients: &[Coefficient],
    settings: &Settings,
    context: &Context,
) -> Vec<Figure> {
    let tasks: Vec<(&Points, usize, Coefficient)> = lists
        .iter()
        .flat_map(|points| (0..n_sides).map(move |side| (points, side)))
        .flat_map(|(points, side)| coefficients.iter().map(move |&it| (points, side, it)))
        .filter(|(points, _, it)| points.level == "system" || !it.needs_systems())
        .collect();
    Progress::new(context).each("figures", context.runner(), tasks.len(), |task| {
        let (points, side, coefficient) = tasks[task];
        points.figure(side, coefficient, settings)
    })
}

/// Gives the figures their rank clusters. Figures that have no test have no rank.
fn rank(figures: &mut [Figure], lists: &[Points], settings: &Settings, context: &Context) {
    let mut tasks: Vec<(&Points, Coefficient, Vec<usize>)> = Vec::new();
    for points in lists {
        let here = |it: &Figure| (it.level, it.group) == (points.level, points.group);
        for (at, figure) in figures.iter().enumerate().filter(|(_, it)| here(it)) {
            let coefficient = figure.coefficient;
            match tasks
                .iter_mut()
                .find(|(of, it, _)| std::ptr::eq(*of, points) && *it == coefficient)
            {
                Some((_, _, members)) => members.push(at),
                None if coefficient.needs_systems() => {}
                None => tasks.push((points, coefficient, vec![at])),
            }
        }
    }
    let ranks = Progress::new(context).each("ranks", context.runner(), tasks.len(), |task| {
        let (points, coefficient, members) = &tasks[task];
        let values: Vec<f64> = members.iter().map(|&at| figures[at].value).collect();
        points.ranks(&values, *coefficient, settings)
    });
    for ((_, _, members), ranks) in tasks.iter().zip(ranks) {
        members.iter().zip(ranks).for_each(|(&at, rank)| figures[at].rank = rank);
    }
}

/// What the marks in tables mean.
fn remarks(args: &Args, sides: &[Side<'_>]) -> Vec<String> {
    let mut remarks = Vec::new();
    let (n, seed) = (args.samples, args.seed);
    match args.average {
        Some(Average::Item) => remarks.push("segment level: mean over the items".to_owned()),
        Some(Average::System) => remarks.push("segment level: mean over the systems".to_owned()),
        Some(Average::None) | None => {}
    }
    if args.confidence {
        remarks.push(format!("95 % intervals of {n} bootstrap samples, seed {seed}"));
    }
    if let Some(test) = args.test {
        let first = sides.first().map_or("", Side::name);
        let sided = if args.one_sided { ", one-sided" } else { "" };
        let test = test.name(args);
        remarks.push(format!("* differs from {first} with p ≤ 0.05, {test}{sided}"));
    }
    if args.clusters {
        let test = args.test.unwrap_or(Test::Permutation).name(args);
        remarks.push(format!("(1) rank cluster: p ≤ 0.05 one-sided, {test}"));
    }
    remarks
}
