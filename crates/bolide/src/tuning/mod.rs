//! Fits METEOR's parameters to human judgements, over the statistics of aligned segments.
//!
//! Segments are aligned once; only the few counts that the formula needs are kept of each, as in the
//! `Trainer` of METEOR 1.5. [`Problem`] holds them with the human scores and computes the agreement of any
//! [`Point`]; [`grid`] searches a whole grid for the best correlation, and [`ascent`] climbs for objectives
//! that need sorting. Rows are assigned to folds, so that parameters fitted on some can be tested on the
//! others.
//!
//! No threads are started here. A grid is divided into columns and an ascent into training sets, which the
//! caller may process in any order and on any number of threads.

pub mod ascent;
pub mod grid;

use crate::arithmetic::fsum;
use crate::correlation::Coefficient;
use crate::error::{Error, ErrorKind, Result};
use crate::meteor::{Parameters, formula};
use crate::meteor15::{self, Totals};
use crate::meteor2026;
use crate::metric::Metric;
use crate::registry::{AnyMetric, AnyStats};
use crate::resample::Pcg64;
use crate::statistics::Statistics;

/// α β γ δ and the weights of up to four stages.
pub type Point = [f64; 8];

/// The names of the parameters of a [`Point`].
pub const NAMES: [&str; 8] = ["alpha", "beta", "gamma", "delta", "w1", "w2", "w3", "w4"];

/// The objective to maximise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// A coefficient over the segments.
    Segments(Coefficient),
    /// A coefficient over systems: their corpus scores against the means of their human scores.
    Systems(Coefficient),
}

/// Judged segments, aligned.
#[derive(Clone, Debug)]
pub struct Problem {
    formula: Formula,
    rows: Vec<Totals>,
    human: Vec<f64>,
    /// The system of each row; without systems all are one.
    system: Vec<u32>,
    /// The fold of each row.
    fold: Vec<u32>,
    n_folds: usize,
    /// The dialect's own values.
    start: Point,
    /// The full name, without the keys that a point replaces.
    name: String,
}

/// The formula, and how segments become a corpus score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Formula {
    /// The formula of 2005, on pooled counts.
    Pooled,
    /// The formula of 2005, the mean over the segments.
    Mean,
    /// The formula of 1.5 with this many stages, on pooled counts.
    Jar(usize),
    /// The formula of 2026, the mean over the segments. Its credits decide which words are aligned, so only α and γ
    /// are free; they keep the alignment.
    Own,
}

impl Problem {
    /// Takes a METEOR's statistics of every judged segment. `system` numbers the systems and may be empty.
    /// The seed assigns rows to folds at random.
    pub fn new(
        metric: &Metric,
        statistics: &[Statistics],
        human: &[f64],
        system: &[usize],
        n_folds: usize,
        seed: u64,
    ) -> Result<Self> {
        let (formula, start) = match metric.any() {
            AnyMetric::Meteor(metric) => {
                let Parameters { alpha, beta, gamma } = metric.parameters();
                let formula = if metric.is_pooled() { Formula::Pooled } else { Formula::Mean };
                (formula, [alpha, beta, gamma, 0.5, 1.0, 0.0, 0.0, 0.0])
            }
            AnyMetric::Meteor15(metric) => {
                let configuration = metric.configuration();
                let mut start = [0.0; 8];
                let numbers = configuration.parameters.iter().take(4);
                start.iter_mut().zip(numbers).for_each(|(to, &x)| *to = x);
                start[4..].iter_mut().zip(&configuration.weights).for_each(|(to, &x)| *to = x);
                (Formula::Jar(configuration.modules.len().min(4)), start)
            }
            AnyMetric::Meteor2026(metric) => {
                let meteor2026::Parameters { alpha, gamma } = metric.parameters();
                (Formula::Own, [alpha, 1.0, gamma, 0.5, 1.0, 0.0, 0.0, 0.0])
            }
            _ => {
                return Err(Error::new(
                    ErrorKind::InvalidSignature,
                    format!("{} has no parameters to tune: name a METEOR", metric.dialect().name),
                ));
            }
        };
        let rows = statistics.iter().map(|one| metric.own(one).map(totals));
        let rows = rows.collect::<Result<Vec<Totals>>>()?;
        let n_rows = rows.len().min(human.len());
        let system = (0..n_rows).map(|row| system.get(row).map_or(0, |&n| n as u32)).collect();
        let signature = metric.signature();
        let replaced = ["alpha", "beta", "gamma", "params", "weights", "task", "evalid", "bolide"];
        let mut name = signature.name().to_owned();
        for (key, value) in signature.pairs().filter(|(key, _)| !replaced.contains(key)) {
            name.push_str(&format!("|{key}:{value}"));
        }
        Ok(Problem {
            formula,
            fold: deal(n_rows, n_folds.max(1), seed),
            rows,
            human: human[..n_rows].to_vec(),
            system,
            n_folds: n_folds.max(1),
            start,
            name,
        })
    }

    /// The dialect's own values.
    pub fn start(&self) -> Point {
        self.start
    }

    /// The number of folds.
    pub fn n_folds(&self) -> usize {
        self.n_folds
    }

    /// Which parameters of a point the dialect has.
    pub fn is_free(&self) -> [bool; 8] {
        match self.formula {
            Formula::Pooled | Formula::Mean => {
                [true, true, true, false, false, false, false, false]
            }
            Formula::Jar(n) => std::array::from_fn(|at| at < 4 + n),
            Formula::Own => [true, false, true, false, false, false, false, false],
        }
    }

    /// The name from which [`Metric::build`] builds the metric with these parameters.
    pub fn signature(&self, point: &Point) -> String {
        let join = |numbers: &[f64]| {
            numbers.iter().map(|&x| tidy(x).to_string()).collect::<Vec<_>>().join("_")
        };
        match self.formula {
            Formula::Pooled | Formula::Mean => format!(
                "{}|alpha:{}|beta:{}|gamma:{}",
                self.name,
                tidy(point[0]),
                tidy(point[1]),
                tidy(point[2])
            ),
            Formula::Own => {
                format!("{}|alpha:{}|gamma:{}", self.name, tidy(point[0]), tidy(point[2]))
            }
            Formula::Jar(n) => {
                let (parameters, weights) = (join(&point[..4]), join(&point[4..4 + n]));
                format!("{}|params:{parameters}|weights:{weights}", self.name)
            }
        }
    }

    /// Rows outside a fold, or all of them.
    pub fn training(&self, without: Option<usize>) -> Vec<usize> {
        let is_in = |row: &usize| without.is_none_or(|fold| self.fold[*row] as usize != fold);
        (0..self.human.len()).filter(is_in).collect()
    }

    /// The rows of a fold.
    pub fn held_out(&self, fold: usize) -> Vec<usize> {
        (0..self.human.len()).filter(|&row| self.fold[row] as usize == fold).collect()
    }

    /// The agreement of a point with the human scores on some rows, by the formulas that score texts.
    pub fn figure(&self, point: &Point, objective: Objective, rows: &[usize]) -> f64 {
        let point = point.map(tidy);
        match objective {
            Objective::Segments(coefficient) => {
                let ours: Vec<f64> =
                    rows.iter().map(|&row| self.score(&self.rows[row], &point)).collect();
                let human: Vec<f64> = rows.iter().map(|&row| self.human[row]).collect();
                coefficient.of(&ours, &human)
            }
            Objective::Systems(coefficient) => {
                let n_systems = self.system.iter().max().map_or(0, |&largest| largest as usize + 1);
                let mut of_system = vec![Vec::new(); n_systems];
                rows.iter().for_each(|&row| of_system[self.system[row] as usize].push(row));
                of_system.retain(|rows| !rows.is_empty());
                let ours: Vec<f64> =
                    of_system.iter().map(|rows| self.corpus(rows, &point)).collect();
                let human: Vec<f64> = of_system
                    .iter()
                    .map(|rows| fsum(rows.iter().map(|&row| self.human[row])) / rows.len() as f64)
                    .collect();
                coefficient.of(&ours, &human)
            }
        }
    }

    fn score(&self, totals: &Totals, point: &Point) -> f64 {
        match self.formula {
            Formula::Jar(n) => meteor15::score(totals, &point[..4], &point[4..4 + n]).score,
            Formula::Own => {
                let parameters = meteor2026::Parameters { alpha: point[0], gamma: point[2] };
                let [hypothesis, reference, ..] = totals.stages[0];
                let share =
                    |credit: f64, weight: f64| if weight > 0.0 { credit / weight } else { 0.0 };
                let shares = [
                    share(hypothesis, totals.hypothesis_length),
                    share(reference, totals.reference_length),
                ];
                let disorder = share(totals.chunks, totals.hypothesis_words);
                meteor2026::combine(shares, disorder, &parameters).score
            }
            Formula::Pooled | Formula::Mean => {
                let lengths = (totals.hypothesis_length as u64, totals.reference_length as u64);
                let [alpha, beta, gamma, ..] = *point;
                let (matches, chunks) = (totals.hypothesis_words as u64, totals.chunks as u64);
                formula::steps(matches, chunks, lengths, &Parameters { alpha, beta, gamma }).score
            }
        }
    }

    fn corpus(&self, rows: &[usize], point: &Point) -> f64 {
        if matches!(self.formula, Formula::Mean | Formula::Own) {
            let scores = rows.iter().map(|&row| self.score(&self.rows[row], point));
            return fsum(scores) / rows.len() as f64;
        }
        let mut sum = Totals::default();
        for &row in rows {
            let totals = &self.rows[row];
            // In a corpus of the jar, a segment that matches completely in one chunk adds no chunk.
            let perfect = matches!(self.formula, Formula::Jar(_)) && totals.is_perfect();
            let chunks = if perfect { 0.0 } else { totals.chunks };
            sum.add(&Totals { chunks, ..totals.clone() });
        }
        self.score(&sum, point)
    }
}

/// Sums of steps end in digits such as 0.15000000000000002; rounding removes them.
fn tidy(x: f64) -> f64 {
    let rounded = (x * 1e6).round() / 1e6;
    if (rounded - x).abs() < 1e-9 { rounded } else { x }
}

/// The counts that the formulas read. Without function words δ cancels, so one form serves both.
fn totals(stats: &AnyStats) -> Totals {
    match stats {
        AnyStats::Meteor15(stats) => stats.segment_totals(),
        AnyStats::Meteor(stats) => {
            let matches = stats.total_matches() as f64;
            let mut totals = Totals {
                hypothesis_length: stats.hypothesis_length as f64,
                reference_length: stats.reference_length as f64,
                chunks: stats.chunks as f64,
                hypothesis_words: matches,
                reference_words: matches,
                hypothesis_matched: matches,
                reference_matched: matches,
                ..Totals::default()
            };
            totals.stages[0] = [matches, matches, 0.0, 0.0];
            totals
        }
        AnyStats::Meteor2026(stats) => of_2026(stats),
        _ => Totals::default(),
    }
}

/// Weights in place of lengths, credits in place of matches, and breaks among joints in place of chunks among matches.
fn of_2026(stats: &meteor2026::Stats) -> Totals {
    let (weights, credits) = match (stats.hypothesis_weight, stats.reference_weight) {
        // Two texts without words are a perfect match.
        (0, 0) => ([1.0; 2], [1.0; 2]),
        (hypothesis, reference) => (
            [100.0 * hypothesis as f64, 100.0 * reference as f64],
            [stats.hypothesis_credit as f64, stats.reference_credit as f64],
        ),
    };
    let mut totals = Totals {
        hypothesis_length: weights[0],
        reference_length: weights[1],
        chunks: stats.breaks as f64,
        hypothesis_words: stats.joints as f64,
        reference_words: stats.joints as f64,
        ..Totals::default()
    };
    totals.stages[0] = [credits[0], credits[1], 0.0, 0.0];
    totals
}

/// Assigns rows to folds of nearly equal size, in random order.
fn deal(n_rows: usize, n_folds: usize, seed: u64) -> Vec<u32> {
    let mut fold: Vec<u32> = (0..n_rows).map(|row| (row % n_folds) as u32).collect();
    let mut generator = Pcg64::new(seed);
    for row in (1..n_rows).rev() {
        fold.swap(row, generator.below(row as u32 + 1) as usize);
    }
    fold
}

#[cfg(test)]
mod tests;
