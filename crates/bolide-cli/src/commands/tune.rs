//! `bolide tune`: METEOR's parameters, fitted to human judgements.
//!
//! Texts are aligned once; the search runs over the counts (`bolide::tuning`) on all threads, with the
//! same result for any number of them. The fitted parameters are tested on held-out rows, and both figures
//! are printed side by side.

use crate::args::{Context, MetricName, TextToo};
use crate::error::{Result, bail, usage};
use crate::judgements::{Beside, Judged, JudgementArgs};
use crate::output::sink::Sink;
use crate::output::table::Table;
use crate::output::{csv, fixed, json};
use crate::progress::Progress;
use crate::run::NamedMetric;
use bolide::correlation::Coefficient;
use bolide::tuning::grid::{Best, Grid, Scratch, Search};
use bolide::tuning::{NAMES, Objective, Point, Problem, ascent};
use bolide_runner::{Runner, blocks};
use clap::{ArgAction, ValueEnum};
use std::fmt::Write as _;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const AFTER_HELP: &str = "\
Examples:
  bolide tune -i judged.tsv --human-column human --hypothesis-column output \\
    --reference-column reference -m meteor:classic
  bolide tune -i judged.tsv … -m meteor:1.5 --objective kendall-b
  bolide tune -i judged.tsv … --system-column system --objective system
  bolide tune -i judged.tsv … -m meteor:2026 'meteor:2026|credits:1_0.5_0.8_0.5' 'meteor:2026|near:0.7'
  bolide score -r reference.txt -i output.txt -m \"$(bolide tune … --format signature)\"

The numbers of --first, --last and --step are alpha, beta, gamma, delta and the weights of the stages,
separated by spaces. The default is the grid of METEOR 1.5's Trainer. For Pearson's correlation the
whole grid is searched; for the other objectives, the search climbs from its best point and from the
dialect's own values.

Exit codes: 0 success, 1 failure, 2 usage error";

/// Fit METEOR's parameters to human judgements
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    judgements: JudgementArgs,
    /// The METEOR to tune, by partial signature; of several, such as one with other credits, the best is chosen
    #[arg(long, short, value_name = "METRIC", value_parser = MetricName, hide_possible_values = true, num_args = 1.., action = ArgAction::Append, default_value = "meteor")]
    metric: Vec<String>,
    /// The figure to maximise
    #[arg(long, value_name = "NAME", default_value = "pearson")]
    objective: ObjectiveName,
    /// Folds of the cross-validation; 1 means no cross-validation
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    folds: u32,
    /// First values of the grid [default: 0 0 0 1 1 0 0 0]
    #[arg(long, value_name = "NUMBERS")]
    first: Option<String>,
    /// Last values of the grid [default: 1 2 1 1 1 1 1 1]
    #[arg(long, value_name = "NUMBERS")]
    last: Option<String>,
    /// Steps of the grid [default: 0.05 each]
    #[arg(long, value_name = "NUMBERS")]
    step: Option<String>,
    /// The seed for dividing the rows into folds
    #[arg(long, value_name = "SEED", default_value_t = 12345)]
    seed: u64,
    /// How to print the results
    #[arg(long, short, value_name = "FORMAT", default_value = "text")]
    format: TuneFormat,
    /// Write to a file instead of standard output; it appears only when it is complete
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    text_too: TextToo,
}

/// The figure to maximise.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ObjectiveName {
    /// Pearson's correlation over the segments
    Pearson,
    /// Spearman's correlation over the segments
    Spearman,
    /// Kendall's tau b over the segments
    #[value(alias = "kendall")]
    KendallB,
    /// Pearson's correlation of the systems' corpus scores
    System,
}

impl ObjectiveName {
    fn objective(self) -> Objective {
        match self {
            ObjectiveName::Pearson => Objective::Segments(Coefficient::Pearson),
            ObjectiveName::Spearman => Objective::Segments(Coefficient::Spearman),
            ObjectiveName::KendallB => Objective::Segments(Coefficient::KendallB),
            ObjectiveName::System => Objective::Systems(Coefficient::Pearson),
        }
    }

    fn name(self) -> &'static str {
        match self {
            ObjectiveName::Pearson => "pearson",
            ObjectiveName::Spearman => "spearman",
            ObjectiveName::KendallB => "kendall-b",
            ObjectiveName::System => "system",
        }
    }
}

/// The formats of `bolide tune`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TuneFormat {
    /// Figures and signature for people
    Text,
    /// One document with everything
    Json,
    /// One row for every fold
    Csv,
    /// Only the signature, for `score -m`
    Signature,
}

/// Reads, aligns, searches and prints.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    let metrics: Vec<NamedMetric> =
        args.metric.iter().map(|name| NamedMetric::parse(name)).collect::<Result<_>>()?;
    if args.objective == ObjectiveName::System && !args.judgements.has_systems() {
        return Err(usage("--objective system needs --system-column"));
    }
    let grid = grid(args)?;
    let sink = Sink::create(args.output.as_deref(), &args.judgements.inputs)?;
    // Refuse a metric without parameters before anything is read.
    for named in &metrics {
        Problem::new(&named.metric, &[], &[], &[], 1, 0)
            .map_err(|problem| usage(problem.to_string()))?;
    }
    let judged = Judged::read(&args.judgements, true, &Beside::default())?;
    let n_folds = args.folds as usize;
    if judged.len() < 2 * n_folds.max(2) {
        bail!("{} judged texts are too few for {n_folds} folds", judged.len());
    }
    let mut fits = Vec::new();
    for (named, stats) in metrics.iter().zip(judged.statistics(&metrics, context)?) {
        let (human, system) = (&judged.human, &judged.system);
        let problem = Problem::new(&named.metric, &stats, human, system, n_folds, args.seed)?;
        fits.push(Fit::new(problem, grid.clone(), args.objective.objective(), context)?);
    }
    let tuned = Tuned::new(&fits, args, judged.len());
    let mut sink = sink;
    let printed = tuned.print(args.format);
    let printed = args.text_too.after(printed, || tuned.print(TuneFormat::Text));
    sink.write_all(printed.as_bytes())?;
    sink.finish()
}

/// A metric and its best points: of all rows, then without each fold.
struct Fit {
    problem: Problem,
    points: Vec<Point>,
    n_points: u64,
}

impl Fit {
    fn new(problem: Problem, grid: Grid, objective: Objective, context: &Context) -> Result<Self> {
        let grid = grid.limited_to(&problem);
        let progress = Progress::new(context).of("columns of the grid");
        let points = search(&problem, &grid, context.runner(), &progress)?;
        let Some(points) = points else {
            bail!("no point of the grid has a correlation: are all human scores equal?");
        };
        let points = match objective {
            Objective::Segments(Coefficient::Pearson) => points,
            _ => progress.each("climbing", context.runner(), points.len(), |set| {
                let rows = problem.training(set.checked_sub(1));
                ascent::climb(&problem, &grid, objective, &rows, &[problem.start(), points[set]]).0
            }),
        };
        Ok(Fit { problem, points, n_points: grid.n_points() })
    }

    /// The figure of its best point on the rows that the point was fitted to.
    fn fitted(&self, set: usize, objective: Objective) -> f64 {
        self.problem.figure(
            &self.points[set],
            objective,
            &self.problem.training(set.checked_sub(1)),
        )
    }

    /// The best of several on a set of rows; the first of equals.
    fn best(fits: &[Fit], set: usize, objective: Objective) -> &Fit {
        let better = |best: (f64, usize), it: (f64, usize)| if it.0 > best.0 { it } else { best };
        let figures = fits.iter().enumerate().map(|(at, fit)| (fit.fitted(set, objective), at));
        &fits[figures.fold((f64::NEG_INFINITY, 0), better).1]
    }
}

fn grid(args: &Args) -> Result<Grid> {
    if args.first.is_none() && args.last.is_none() && args.step.is_none() {
        return Ok(Grid::trainer());
    }
    let read = |option: &str, given: &Option<String>, default: Point| -> Result<Point> {
        let Some(text) = given else { return Ok(default) };
        let mut point = default;
        let numbers: Vec<&str> = text.split_whitespace().collect();
        if numbers.len() > 8 {
            return Err(usage(format!("{option} takes up to eight numbers, got '{text}'")));
        }
        for (to, text) in point.iter_mut().zip(numbers) {
            *to = text.parse().map_err(|_| usage(format!("{option}: '{text}' is not a number")))?;
        }
        Ok(point)
    };
    let first = read("--first", &args.first, [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0])?;
    let last = read("--last", &args.last, [1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])?;
    let step = read("--step", &args.step, [0.05; 8])?;
    let grid = Grid::new(first, last, step).ok_or_else(|| {
        usage("the grid needs values from 0 to 1 (beta: up to 1000), and no negative step")
    })?;
    for ((first, last), step) in first.iter().zip(&last).zip(&step) {
        if first > last {
            return Err(usage(format!("--first has {first} where --last has {last}")));
        }
        if *step == 0.0 && first < last {
            return Err(usage(format!("--step is 0 between {first} and {last}")));
        }
    }
    Ok(grid)
}

/// How many columns of the grid a worker takes at a time.
const AT_ONCE: usize = 21;

/// The best points by Pearson's correlation: of all rows, then without each fold.
fn search(
    problem: &Problem,
    grid: &Grid,
    runner: Runner,
    progress: &Progress,
) -> Result<Option<Vec<Point>>> {
    let search = Search::new(problem, grid);
    let n_columns = grid.n_columns();
    let done = Arc::new(AtomicU64::new(0));
    let position = Arc::clone(&done);
    progress.start(Some((n_columns as u64, move || position.load(Ordering::Relaxed))));
    let best_of = |columns: &Range<usize>, scratch: &mut Scratch| {
        let found = columns.clone().map(|column| search.column(column, scratch));
        (columns.end as u64, found.fold(Vec::new(), better))
    };
    let mut best: Vec<Option<Best>> = Vec::new();
    let mut merge = |(end, found): (u64, Vec<Option<Best>>)| -> Result<()> {
        best = better(std::mem::take(&mut best), found);
        done.store(end, Ordering::Relaxed);
        progress.advance(end);
        Ok(())
    };
    runner.run(blocks(n_columns, AT_ONCE), Scratch::default, best_of, &mut merge)?;
    progress.finish();
    Ok(best.into_iter().map(|best| best.map(|best| best.point)).collect())
}

/// The better of each pair; the order of the reduction does not matter.
fn better(first: Vec<Option<Best>>, second: Vec<Option<Best>>) -> Vec<Option<Best>> {
    if first.is_empty() {
        return second;
    }
    let both = first.into_iter().zip(second);
    both.map(|(a, b)| match (a, b) {
        (Some(a), Some(b)) => Some(a.or(b)),
        (a, b) => a.or(b),
    })
    .collect()
}

/// Everything that is printed.
struct Tuned {
    objective: &'static str,
    n_rows: usize,
    n_points: u64,
    seed: u64,
    signature: String,
    point: Point,
    start: Point,
    is_free: [bool; 8],
    /// The figure on all rows, with the dialect's own values; then with the fitted values.
    before: f64,
    fitted: f64,
    folds: Vec<Fold>,
}

/// A fit to the rows outside a fold, and its figures.
struct Fold {
    point: Point,
    /// On the rows that the parameters were fitted to.
    fitted: f64,
    /// On the rows of the fold.
    held_out: f64,
    /// On the rows of the fold, with the dialect's own values.
    before: f64,
}

impl Tuned {
    /// What a fit is worth: before are the first metric's own values, and each fold chooses among the metrics anew.
    fn new(fits: &[Fit], args: &Args, n_rows: usize) -> Self {
        let objective = args.objective.objective();
        let chosen = Fit::best(fits, 0, objective);
        let own = &fits[0].problem;
        let before = |rows: &[usize]| own.figure(&own.start(), objective, rows);
        let fold = |fold: usize| {
            let fit = Fit::best(fits, fold + 1, objective);
            let held_out = own.held_out(fold);
            Fold {
                point: fit.points[fold + 1],
                fitted: fit.fitted(fold + 1, objective),
                held_out: fit.problem.figure(&fit.points[fold + 1], objective, &held_out),
                before: before(&held_out),
            }
        };
        Tuned {
            objective: args.objective.name(),
            n_rows,
            n_points: fits.iter().map(|fit| fit.n_points).sum(),
            seed: args.seed,
            signature: chosen.problem.signature(&chosen.points[0]),
            point: chosen.points[0],
            start: chosen.problem.start(),
            is_free: chosen.problem.is_free(),
            before: before(&own.training(None)),
            fitted: chosen.fitted(0, objective),
            folds: (0..chosen.points.len() - 1).map(fold).collect(),
        }
    }

    fn mean(&self, of: impl Fn(&Fold) -> f64) -> f64 {
        bolide::unstable::arithmetic::fsum(self.folds.iter().map(of)) / self.folds.len() as f64
    }

    fn print(&self, format: TuneFormat) -> String {
        match format {
            TuneFormat::Signature => format!("{}\n", self.signature),
            TuneFormat::Text => self.text(),
            TuneFormat::Csv => self.csv(),
            TuneFormat::Json => self.json(),
        }
    }

    fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        (0..8).filter(|&at| self.is_free[at])
    }

    fn text(&self) -> String {
        let mut values = Table::new(["", "before", "fitted"]).with_numbers_from(1);
        for at in self.numbers() {
            let shown = |x: f64| format!("{}", (x * 1e6).round() / 1e6);
            values.row([NAMES[at].to_owned(), shown(self.start[at]), shown(self.point[at])]);
        }
        let mut figures =
            Table::new([self.objective, "before", "fitted", "held out"]).with_numbers_from(1);
        let four = |x: f64| fixed(x, 4);
        for (idx, fold) in self.folds.iter().enumerate() {
            let name = format!("fold {}", idx + 1);
            figures.row([name, four(fold.before), four(fold.fitted), four(fold.held_out)]);
        }
        let mean = |of: fn(&Fold) -> f64| four(self.mean(of));
        let (before, fitted) = (mean(|fold| fold.before), mean(|fold| fold.fitted));
        if !self.folds.is_empty() {
            let held_out = mean(|fold| fold.held_out);
            figures.row(["mean of folds".to_owned(), before, fitted, held_out]);
        }
        figures.row(["all rows".to_owned(), four(self.before), four(self.fitted), String::new()]);
        let mut out = format!(
            "{} judged texts, {} points, seed {}\n\n{}\n{}\n",
            self.n_rows,
            self.n_points,
            self.seed,
            values.to_text(false),
            figures.to_text(false)
        );
        if !self.folds.is_empty() {
            let gain = self.mean(|fold| fold.held_out - fold.before);
            let n_better = self.folds.iter().filter(|it| it.held_out > it.before).count();
            let _ = writeln!(
                out,
                "held out, tuning gains {gain:+.4} on average ({n_better} of {} folds gain)\n",
                self.folds.len()
            );
        }
        out + &self.signature + "\n"
    }

    fn csv(&self) -> String {
        let mut out = String::from("rows,before,fitted,held_out");
        self.numbers().for_each(|at| out.extend([",", NAMES[at]]));
        out.push('\n');
        let mut row = |name: &str, figures: [f64; 3], point: &Point| {
            csv::field(&mut out, name, ',');
            let numbers = self.numbers().map(|at| point[at]);
            for number in figures.into_iter().chain(numbers) {
                out.push(',');
                csv::number(&mut out, number);
            }
            out.push('\n');
        };
        row("all", [self.before, self.fitted, f64::NAN], &self.point);
        for (idx, fold) in self.folds.iter().enumerate() {
            let figures = [fold.before, fold.fitted, fold.held_out];
            row(&format!("fold {}", idx + 1), figures, &fold.point);
        }
        out
    }

    fn json(&self) -> String {
        let mut out = format!(
            "{{\"version\":\"{}\",\"objective\":\"{}\",\"texts\":{},\"points\":{},\"seed\":{},\"signature\":",
            bolide::VERSION,
            self.objective,
            self.n_rows,
            self.n_points,
            self.seed
        );
        json::string(&mut out, &self.signature);
        out.push_str(",\"parameters\":");
        self.json_point(&mut out, &self.point);
        for (name, number) in [("before", self.before), ("fitted", self.fitted)] {
            let _ = write!(out, ",\"{name}\":");
            json::number(&mut out, number);
        }
        if !self.folds.is_empty() {
            out.push_str(",\"held_out_gain\":");
            json::number(&mut out, self.mean(|fold| fold.held_out - fold.before));
        }
        out.push_str(",\"folds\":[");
        for (idx, fold) in self.folds.iter().enumerate() {
            out.push_str(if idx == 0 { "\n{\"parameters\":" } else { ",\n{\"parameters\":" });
            self.json_point(&mut out, &fold.point);
            let Fold { before, fitted, held_out, .. } = *fold;
            for (name, number) in [("before", before), ("fitted", fitted), ("held_out", held_out)] {
                let _ = write!(out, ",\"{name}\":");
                json::number(&mut out, number);
            }
            out.push('}');
        }
        out.push_str("]}\n");
        out
    }

    fn json_point(&self, out: &mut String, point: &Point) {
        for (idx, at) in self.numbers().enumerate() {
            let _ = write!(out, "{}\"{}\":", if idx == 0 { '{' } else { ',' }, NAMES[at]);
            json::number(out, point[at]);
        }
        out.push('}');
    }
}
