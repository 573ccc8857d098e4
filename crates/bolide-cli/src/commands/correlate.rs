//! `bolide correlate`: how well metrics agree with people.
//!
//! The metrics' scores are computed from the texts of a table or read from its columns. Where less is
//! better, the sign is changed, so that larger is always better, as in human scores. The engine computes
//! the figures (`bolide::correlation`); `output::correlation` prints them.

use crate::args::{Context, MOST_SAMPLES, MetricName, TextToo};
use crate::error::{Result, usage};
use crate::judgements::{Beside, Judged, JudgementArgs};
use crate::output::Format;
use crate::output::correlation::{Correlations, Figure};
use crate::output::sink::Sink;
use crate::run::NamedMetric;
use bolide::Statistics;
use bolide::correlation::{Coefficient, confidence, pairwise, soft, standardized};
use clap::{ArgAction, ValueEnum};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  bolide correlate -i judged.tsv --human-column human --hypothesis-column output \\
    --reference-column reference -m meteor bleu chrf ter
  bolide correlate -i *.tsv --group-column pair … --coefficient pearson kendall-b --confidence
  bolide correlate -i scores.csv --human-column human --score-column comet bleurt --test
  bolide correlate -i judged.jsonl --system-column system --level system …

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
    /// Columns with scores that were computed elsewhere
    #[arg(long, value_name = "NAME", num_args = 1.., action = ArgAction::Append)]
    score_column: Vec<String>,
    /// Score columns in which less is better
    #[arg(long, value_name = "NAME", num_args = 1.., action = ArgAction::Append)]
    lower_is_better: Vec<String>,
    /// Compute figures separately for each value of this column, such as the language pair
    #[arg(long, value_name = "NAME")]
    group_column: Option<String>,
    /// The column that names a text's item, such as its source: accuracy compares only texts of the same
    /// item, and soft-accuracy pairs the texts of two systems by it
    #[arg(long, value_name = "NAME")]
    item_column: Option<String>,
    /// The figures to compute
    #[arg(long, value_name = "NAME", num_args = 1.., action = ArgAction::Append, default_value = "pearson")]
    coefficient: Vec<CoefficientName>,
    /// Segments, systems, or both [default: segments, and systems if there is a --system-column]
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Also print bootstrap intervals
    #[arg(long)]
    confidence: bool,
    /// Test whether each metric differs from the first one (permutations, two-sided)
    #[arg(long)]
    test: bool,
    /// Bootstrap samples and permutations
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=MOST_SAMPLES))]
    samples: u32,
    /// The seed of the generator
    #[arg(long, value_name = "SEED", default_value_t = 12345)]
    seed: u64,
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
    /// All of these except soft-accuracy
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

/// The largest number of pairs for tie calibration; more would take hours.
const MOST_PAIRS: u64 = 1 << 32;

/// Reads, scores, correlates and prints.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    let plan = Plan::of(args)?;
    let mut sink = Sink::create(args.output.as_deref(), &args.judgements.inputs)?;
    let beside = Beside {
        scores: &args.score_column,
        group: args.group_column.as_deref(),
        item: args.item_column.as_deref(),
    };
    let judged = Judged::read(&args.judgements, !plan.metrics.is_empty(), &beside)?;
    let stats = judged.statistics(&plan.metrics, context)?;
    let sides = sides(args, &plan.metrics, &stats, &judged);
    let lists = points(&judged, &sides, plan.levels)?;
    lists.iter().try_for_each(|points| points.check(&plan.coefficients))?;
    let correlations = Correlations {
        groups: judged.groups.clone(),
        has_groups: args.group_column.is_some(),
        metrics: sides.iter().map(|side| side.name().to_owned()).collect(),
        signatures: sides.iter().map(Side::signature).collect(),
        figures: figures(&lists, sides.len(), &plan.coefficients, args, context),
        coefficients: plan.coefficients,
        decimals: usize::from(args.width),
        confidence: args.confidence,
        test: args.test,
        n_samples: args.samples,
        seed: args.seed,
        color: context.color && args.output.is_none(),
    };
    let printed = correlations.print(args.format);
    let printed = args.text_too.after(printed, || correlations.print(Format::Text));
    sink.write_all(printed.as_bytes())?;
    sink.finish()
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
        let unknown = args.lower_is_better.iter().find(|name| !args.score_column.contains(name));
        if let Some(name) = unknown {
            return Err(usage(format!(
                "--lower-is-better {name} is not one of the --score-column"
            )));
        }
        let mut coefficients: Vec<Coefficient> = Vec::new();
        for coefficient in args.coefficient.iter().flat_map(|name| name.coefficients()) {
            if !coefficients.contains(&coefficient) {
                coefficients.push(coefficient);
            }
        }
        let has_systems = args.judgements.system_column.is_some();
        let levels = match args.level {
            None if has_systems => Level::Both,
            None => Level::Segment,
            Some(Level::Segment) => Level::Segment,
            Some(_) if !has_systems => return Err(usage("system level needs --system-column")),
            Some(level) => level,
        };
        if coefficients.contains(&Coefficient::SoftAccuracy) {
            if levels == Level::Segment || args.item_column.is_none() {
                return Err(usage(
                    "soft-accuracy compares systems: it needs --system-column and --item-column",
                ));
            }
            if args.confidence || args.test {
                return Err(usage("soft-accuracy has neither an interval nor a test"));
            }
        }
        Ok(Plan { metrics, coefficients, levels })
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
    let given = args.score_column.iter().zip(&judged.scores).map(|(name, scores)| {
        let lower = args.lower_is_better.contains(name);
        Side::Given { name, scores, lower }
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
            let pick = |list: &[f64]| rows.iter().map(|&row| list[row]).collect::<Vec<f64>>();
            let items = || rows.iter().map(|&row| judged.item[row]).collect();
            lists.push(Points {
                level: "segment",
                group,
                human: pick(&judged.human),
                metrics: segment_scores.iter().map(|scores| pick(scores)).collect(),
                item: (!judged.item.is_empty()).then(items),
                texts: None,
            });
        }
        if levels != Level::Segment {
            lists.push(systems(judged, sides, (&rows, &segment_scores), group)?);
        }
    }
    Ok(lists)
}

/// Every coefficient of every metric on every list.
fn figures(
    lists: &[Points],
    n_sides: usize,
    coefficients: &[Coefficient],
    args: &Args,
    context: &Context,
) -> Vec<Figure> {
    let tasks: Vec<(&Points, usize, Coefficient)> = lists
        .iter()
        .flat_map(|points| (0..n_sides).map(move |side| (points, side)))
        .flat_map(|(points, side)| coefficients.iter().map(move |&it| (points, side, it)))
        .filter(|(points, _, it)| points.level == "system" || *it != Coefficient::SoftAccuracy)
        .collect();
    context.runner().each(tasks.len(), |task| {
        let (points, side, coefficient) = tasks[task];
        points.figure(side, coefficient, args)
    })
}

/// The scores of a metric, computed here or read from the table.
enum Side<'a> {
    Computed { named: &'a NamedMetric, stats: &'a [Statistics] },
    Given { name: &'a str, scores: &'a [f64], lower: bool },
}

impl Side<'_> {
    fn name(&self) -> &str {
        match self {
            Side::Computed { named, .. } => &named.name,
            Side::Given { name, .. } => name,
        }
    }

    fn signature(&self) -> Option<String> {
        match self {
            Side::Computed { named, .. } => Some(named.metric.signature().to_string()),
            Side::Given { .. } => None,
        }
    }

    fn turned(&self, score: f64) -> f64 {
        let lower = match self {
            Side::Computed { named, .. } => named.lower_is_better(),
            Side::Given { lower, .. } => *lower,
        };
        if lower { -score } else { score }
    }

    fn segments(&self) -> bolide::Result<Vec<f64>> {
        match self {
            Side::Computed { named, stats } => {
                let value = |stats| Ok(self.turned(named.metric.segment_value(stats)?));
                stats.iter().map(value).collect()
            }
            Side::Given { scores, .. } => {
                Ok(scores.iter().map(|&score| self.turned(score)).collect())
            }
        }
    }

    /// The score of a corpus: of the merged statistics, or the mean of given scores.
    fn corpus(&self, rows: &[usize]) -> bolide::Result<f64> {
        match self {
            Side::Computed { named, stats } => {
                let mut sum = named.metric.corpus().statistics();
                rows.iter().try_for_each(|&row| sum.merge(&stats[row]))?;
                Ok(self.turned(named.metric.finish(&sum)?.value))
            }
            Side::Given { scores, .. } => {
                Ok(self.turned(mean(rows.iter().map(|&row| scores[row]))))
            }
        }
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len() as f64;
    bolide::unstable::arithmetic::fsum(values) / n
}

/// Every system of a group as one point.
fn systems(
    judged: &Judged,
    sides: &[Side<'_>],
    (rows, segment_scores): (&[usize], &[Vec<f64>]),
    group: usize,
) -> bolide::Result<Points> {
    let mut of_system: Vec<Vec<usize>> = vec![Vec::new(); judged.systems.len()];
    rows.iter().for_each(|&row| of_system[judged.system[row]].push(row));
    of_system.retain(|rows| !rows.is_empty());
    let human = of_system.iter().map(|rows| mean(rows.iter().map(|&row| judged.human[row])));
    let metric = |side: &Side<'_>| of_system.iter().map(|rows| side.corpus(rows)).collect();
    Ok(Points {
        level: "system",
        group,
        human: human.collect(),
        metrics: sides.iter().map(metric).collect::<bolide::Result<_>>()?,
        item: None,
        texts: (!judged.item.is_empty()).then(|| Texts::of(judged, &of_system, segment_scores)),
    })
}

/// The scores of every system's texts, in the order of the items that all systems have.
struct Texts {
    human: Vec<Vec<f64>>,
    /// By metric, then by system.
    metrics: Vec<Vec<Vec<f64>>>,
}

impl Texts {
    fn of(judged: &Judged, of_system: &[Vec<usize>], segment_scores: &[Vec<f64>]) -> Self {
        // The rows of each item. A text that was judged more than once has the mean of its scores.
        let by_item = |rows: &Vec<usize>| {
            let mut items: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            rows.iter().for_each(|&row| items.entry(judged.item[row]).or_default().push(row));
            items
        };
        let systems: Vec<BTreeMap<usize, Vec<usize>>> = of_system.iter().map(by_item).collect();
        let known = systems.first().into_iter().flat_map(|items| items.keys().copied());
        let common: Vec<usize> =
            known.filter(|item| systems.iter().all(|items| items.contains_key(item))).collect();
        let pick = |scores: &[f64]| -> Vec<Vec<f64>> {
            let of = |rows: &[usize]| mean(rows.iter().map(|&row| scores[row]));
            let list = |items: &BTreeMap<usize, Vec<usize>>| {
                common.iter().map(|item| of(&items[item])).collect()
            };
            systems.iter().map(list).collect()
        };
        Texts {
            human: pick(&judged.human),
            metrics: segment_scores.iter().map(|scores| pick(scores)).collect(),
        }
    }

    fn soft_accuracy(&self, side: usize, args: &Args) -> f64 {
        let ours: Vec<&[f64]> = self.metrics[side].iter().map(Vec::as_slice).collect();
        let theirs: Vec<&[f64]> = self.human.iter().map(Vec::as_slice).collect();
        soft::accuracy(&ours, &theirs, args.samples as usize, args.seed)
    }
}

/// What is compared at one level in one group.
struct Points {
    level: &'static str,
    group: usize,
    human: Vec<f64>,
    metrics: Vec<Vec<f64>>,
    item: Option<Vec<usize>>,
    /// At system level, if there is a column of items.
    texts: Option<Texts>,
}

impl Points {
    fn check(&self, coefficients: &[Coefficient]) -> Result<()> {
        let n = self.human.len() as u64;
        let too_many = self.item.is_none() && n * n.saturating_sub(1) / 2 > MOST_PAIRS;
        if too_many && coefficients.contains(&Coefficient::PairwiseAccuracy) {
            return Err(usage(format!(
                "{n} texts make too many pairs for tie calibration: give --item-column or --group-column"
            )));
        }
        Ok(())
    }

    /// The points by item, for accuracies within items.
    fn by_item<'a>(&self, metric: &'a [f64], human: &'a [f64]) -> Vec<(Vec<f64>, Vec<f64>)> {
        let Some(item) = &self.item else { return vec![(metric.to_vec(), human.to_vec())] };
        let n_items = item.iter().max().map_or(0, |&largest| largest + 1);
        let mut groups = vec![(Vec::new(), Vec::new()); n_items];
        for ((&item, &metric), &human) in item.iter().zip(metric).zip(human) {
            groups[item].0.push(metric);
            groups[item].1.push(human);
        }
        groups
    }

    fn calibrate(&self, metric: &[f64]) -> pairwise::Calibration {
        let groups = self.by_item(metric, &self.human);
        let groups: Vec<(&[f64], &[f64])> =
            groups.iter().map(|(metric, human)| (&metric[..], &human[..])).collect();
        pairwise::calibrate(&groups)
    }

    fn figure(&self, side: usize, coefficient: Coefficient, args: &Args) -> Figure {
        let metric = &self.metrics[side];
        let of = |metric: &[f64]| match coefficient {
            Coefficient::PairwiseAccuracy => self.calibrate(metric).accuracy,
            _ => coefficient.of(metric, &self.human),
        };
        let (value, threshold) = match coefficient {
            Coefficient::PairwiseAccuracy => {
                let best = self.calibrate(metric);
                (best.accuracy, Some(best.threshold))
            }
            Coefficient::SoftAccuracy => {
                let texts = self.texts.as_ref();
                (texts.map_or(f64::NAN, |texts| texts.soft_accuracy(side, args)), None)
            }
            _ => (of(metric), None),
        };
        let n_samples = args.samples as usize;
        let interval = args.confidence.then(|| {
            let sampled = |items: &[u32]| {
                let pick = |list: &[f64]| -> Vec<f64> {
                    items.iter().map(|&at| list[at as usize]).collect()
                };
                match threshold {
                    // The threshold is a parameter of the metric, so it stays the same.
                    Some(threshold) => {
                        pairwise::accuracy(&pick(metric), &pick(&self.human), threshold)
                    }
                    None => coefficient.of(&pick(metric), &pick(&self.human)),
                }
            };
            let figures = match (&self.item, threshold) {
                (Some(_), Some(threshold)) => self.bootstrap_items(metric, threshold, args),
                _ => confidence::bootstrap(metric.len(), n_samples, args.seed, sampled),
            };
            confidence::interval(&figures, 0.95)
        });
        let p_value = (args.test && side > 0).then(|| {
            let (first, this) = (standardized(&self.metrics[0]), standardized(metric));
            confidence::permutation_p_value(&first, &this, n_samples, args.seed, of)
        });
        Figure {
            level: self.level,
            group: self.group,
            metric: side,
            coefficient,
            n: self.human.len(),
            value,
            threshold,
            interval,
            p_value,
        }
    }

    /// Accuracy within items is a mean over items, so the bootstrap draws items.
    fn bootstrap_items(&self, metric: &[f64], threshold: f64, args: &Args) -> Vec<f64> {
        let groups = self.by_item(metric, &self.human);
        let accuracies: Vec<f64> = groups
            .iter()
            .map(|(metric, human)| pairwise::accuracy(metric, human, threshold))
            .filter(|accuracy| !accuracy.is_nan())
            .collect();
        confidence::bootstrap(accuracies.len(), args.samples as usize, args.seed, |items| {
            mean(items.iter().map(|&at| accuracies[at as usize]))
        })
    }
}
