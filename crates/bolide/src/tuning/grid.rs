//! Searches every point of a grid, for Pearson's correlation over segments.
//!
//! A score is f·(1 − γ·g), with f from α, δ and the weights, and g = fragmentation^β. Its correlation with
//! human scores follows from sums over the segments of f, f², f·h and of their products with g and g²: the
//! sums take one pass for each f and β, and then every γ costs a few operations. So the grid of METEOR 1.5's
//! Trainer, 167 million points, is searched in seconds. The sums of a training set are those of all rows
//! minus those of the held-out fold.
//!
//! The sums round differently from the formula, by about 1e-14, so [`Problem::figure`] scores the result
//! again.

use super::{Formula, Point, Problem};
use crate::arithmetic::strict;
use crate::meteor15::Totals;

/// The values of every parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    axes: [Vec<f64>; 8],
}

impl Grid {
    /// First and last values and steps, as in the Trainer: values are reached by repeated addition, and the
    /// last value may be exceeded by 0.001. A step of 0 gives only the first value. `None` if a step is negative,
    /// if a value is outside the range of the formula, or if there are too many values.
    pub fn new(first: Point, last: Point, step: Point) -> Option<Self> {
        let mut axes: [Vec<f64>; 8] = Default::default();
        for at in 0..8 {
            let most = if at == 1 { 1000.0 } else { 1.0 };
            let is_allowed = |x: f64| (0.0..=most).contains(&x);
            if !(is_allowed(first[at]) && is_allowed(last[at]) && step[at] >= 0.0) {
                return None;
            }
            let mut value = first[at];
            axes[at].push(value);
            while step[at] > 0.0 && value + step[at] <= last[at] + 0.001 {
                value += step[at];
                axes[at].push(value.min(most));
                if axes[at].len() > 100_000 {
                    return None;
                }
            }
        }
        Some(Grid { axes })
    }

    /// The Trainer's default grid: steps of 0.05, δ and the first weight fixed at 1.
    pub fn trainer() -> Self {
        let axis = |n: u32| (0..=n).map(|step| f64::from(step) * 0.05).collect::<Vec<f64>>();
        let one = || vec![1.0];
        Grid { axes: [axis(20), axis(40), axis(20), one(), one(), axis(20), axis(20), axis(20)] }
    }

    /// The same grid, with parameters that a dialect does not have fixed at the dialect's values. The formula
    /// of 2005 needs a β above 0, unlike METEOR 1.5, whose Trainer begins there.
    pub fn limited_to(mut self, problem: &Problem) -> Self {
        let (is_free, start) = (problem.is_free(), problem.start());
        for at in (0..8).filter(|&at| !is_free[at]) {
            self.axes[at] = vec![start[at]];
        }
        if !matches!(problem.formula, Formula::Jar(_))
            && self.axes[1].iter().any(|&beta| beta > 0.0)
        {
            self.axes[1].retain(|&beta| beta > 0.0);
        }
        self
    }

    /// The values of one parameter.
    pub fn axis(&self, number: usize) -> &[f64] {
        self.axes.get(number).map_or(&[], |axis| axis)
    }

    /// The number of points.
    pub fn n_points(&self) -> u64 {
        self.axes.iter().map(|axis| axis.len() as u64).product()
    }

    /// The number of columns. The points of a column differ only in β and γ.
    pub fn n_columns(&self) -> usize {
        [0, 3, 4, 5, 6, 7].iter().map(|&at: &usize| self.axes[at].len()).product()
    }

    fn column(&self, mut column: usize) -> Point {
        let mut point = [0.0; 8];
        for at in [0, 7, 6, 5, 4, 3] {
            let axis = &self.axes[at];
            point[at] = axis[column % axis.len()];
            column /= axis.len();
        }
        point
    }
}

/// The best point of a training set, with its position in the grid; the first of equals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// The correlation, signed and squared, in the units of the training set.
    value: f64,
    place: (usize, usize, usize),
    /// The point.
    pub point: Point,
}

impl Best {
    /// The better of two. The order does not matter.
    pub fn or(self, other: Best) -> Best {
        let is_first = self.value == other.value && self.place <= other.place;
        if self.value > other.value || is_first { self } else { other }
    }
}

/// A problem laid out for sums: rows by fold, folds padded with rows that add nothing.
#[derive(Clone, Debug)]
pub struct Search<'a> {
    grid: &'a Grid,
    formula: Formula,
    rows: Vec<Totals>,
    /// Human scores minus their mean.
    human: Vec<f64>,
    /// Where each fold ends.
    ends: Vec<usize>,
    /// For each fold: the number of rows, and the sum and the sum of squares of the human scores.
    of_human: Vec<[f64; 3]>,
    /// fragmentation^β of every row, for each β.
    powers: Vec<Vec<f64>>,
}

/// Buffers of one worker.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    f: Vec<f64>,
    squares: Vec<f64>,
    products: Vec<f64>,
    precision: Vec<f64>,
    recall: Vec<f64>,
    /// The point for which precision and recall were computed.
    of: Option<[f64; 5]>,
}

const LANES: usize = 4;

impl<'a> Search<'a> {
    /// Prepares a search.
    pub fn new(problem: &Problem, grid: &'a Grid) -> Self {
        let mean = crate::arithmetic::fsum(problem.human.iter().copied())
            / problem.human.len().max(1) as f64;
        let mut search = Search {
            grid,
            formula: problem.formula,
            rows: Vec::new(),
            human: Vec::new(),
            ends: Vec::new(),
            of_human: Vec::new(),
            powers: Vec::new(),
        };
        for fold in 0..problem.n_folds {
            let mut sums = [0.0; 3];
            for row in problem.held_out(fold) {
                let human = problem.human[row] - mean;
                search.rows.push(problem.rows[row].clone());
                search.human.push(human);
                sums[0] += 1.0;
                sums[1] += human;
                sums[2] += human * human;
            }
            let padded = search.rows.len().next_multiple_of(LANES);
            search.rows.resize(padded, Totals::default());
            search.human.resize(padded, 0.0);
            search.ends.push(padded);
            search.of_human.push(sums);
        }
        let fragmentation: Vec<f64> =
            search.rows.iter().map(|row| search.fragmentation(row)).collect();
        search.powers = grid.axes[1]
            .iter()
            .map(|&beta| fragmentation.iter().map(|&x| strict::pow(x, beta)).collect())
            .collect();
        search
    }

    fn fragmentation(&self, row: &Totals) -> f64 {
        let matches = (row.hypothesis_words + row.reference_words) / 2.0;
        let is_perfect = matches!(self.formula, Formula::Jar(_)) && row.is_perfect();
        if matches == 0.0 || is_perfect { 0.0 } else { row.chunks / matches }
    }

    /// The best points of a column: for all rows, then for the rows without each fold. Folds without a
    /// correlation have no point.
    pub fn column(&self, column: usize, scratch: &mut Scratch) -> Vec<Option<Best>> {
        let point = self.grid.column(column);
        self.fill(&point, scratch);
        let n_sets = if self.ends.len() > 1 { 1 + self.ends.len() } else { 1 };
        let mut best: Vec<Option<Best>> = vec![None; n_sets];
        let plain: Vec<[f64; 3]> = self.blocks().map(|block| scratch.plain(block)).collect();
        let mut with_power = vec![[0.0; 4]; self.ends.len()];
        for (beta, powers) in self.powers.iter().enumerate() {
            for (sums, block) in with_power.iter_mut().zip(self.blocks()) {
                *sums = scratch.with_power(powers, block);
            }
            for (set, best) in best.iter_mut().enumerate() {
                let without = set.checked_sub(1);
                let plain = sum(&plain, without);
                let with_power = sum(&with_power, without);
                let human = sum(&self.of_human, without);
                for (gamma, &value) in self.grid.axes[2].iter().enumerate() {
                    let correlation = correlation(value, plain, with_power, human);
                    if best.is_none_or(|best| correlation > best.value) && !correlation.is_nan() {
                        let mut point = point;
                        (point[1], point[2]) = (self.grid.axes[1][beta], value);
                        let place = (column, beta, gamma);
                        *best = Some(Best { value: correlation, place, point });
                    }
                }
            }
        }
        best
    }

    fn blocks(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        (0..self.ends.len()).map(|at| {
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            start..self.ends[at]
        })
    }

    /// Fills f, its squares and its products with the human scores. Precision and recall depend only on δ and
    /// the weights and are kept while α, which changes fastest, varies.
    fn fill(&self, point: &Point, scratch: &mut Scratch) {
        let of = [point[3], point[4], point[5], point[6], point[7]];
        if scratch.of != Some(of) || scratch.precision.len() != self.rows.len() {
            scratch.of = Some(of);
            scratch.precision.clear();
            scratch.recall.clear();
            let (content, function) = (point[3], 1.0 - point[3]);
            for row in &self.rows {
                let length = |all: f64, words: f64| content * (all - words) + function * words;
                let (mut hypothesis, mut reference) = (0.0, 0.0);
                for (stage, weight) in row.stages.iter().zip(&point[4..]) {
                    hypothesis += weight * (content * stage[0] + function * stage[2]);
                    reference += weight * (content * stage[1] + function * stage[3]);
                }
                let share =
                    |matches: f64, length: f64| if matches > 0.0 { matches / length } else { 0.0 };
                let lengths = [
                    length(row.hypothesis_length, row.hypothesis_function),
                    length(row.reference_length, row.reference_function),
                ];
                scratch.precision.push(share(hypothesis, lengths[0]));
                scratch.recall.push(share(reference, lengths[1]));
            }
        }
        let Scratch { f, squares, products, precision, recall, .. } = scratch;
        f.clear();
        squares.clear();
        products.clear();
        let alpha = point[0];
        for ((&p, &r), &human) in precision.iter().zip(recall.iter()).zip(&self.human) {
            let divisor = alpha * p + (1.0 - alpha) * r;
            let mean = if p * r > 0.0 && divisor > 0.0 { p * r / divisor } else { 0.0 };
            f.push(mean);
            squares.push(mean * mean);
            products.push(mean * human);
        }
    }
}

impl Scratch {
    /// Sums of f, f² and f·h over a block.
    fn plain(&self, block: std::ops::Range<usize>) -> [f64; 3] {
        [&self.f, &self.squares, &self.products].map(|list| list[block.clone()].iter().sum())
    }

    /// Sums of f·g, f²·g, f²·g² and f·h·g over a block whose length is a multiple of the lanes.
    fn with_power(&self, powers: &[f64], block: std::ops::Range<usize>) -> [f64; 4] {
        let (f, _) = self.f[block.clone()].as_chunks::<LANES>();
        let (squares, _) = self.squares[block.clone()].as_chunks::<LANES>();
        let (products, _) = self.products[block.clone()].as_chunks::<LANES>();
        let (powers, _) = powers[block].as_chunks::<LANES>();
        let mut sums = [[0.0; LANES]; 4];
        for (((f, square), product), power) in f.iter().zip(squares).zip(products).zip(powers) {
            for lane in 0..LANES {
                let penalised = square[lane] * power[lane];
                sums[0][lane] += f[lane] * power[lane];
                sums[1][lane] += penalised;
                sums[2][lane] += penalised * power[lane];
                sums[3][lane] += product[lane] * power[lane];
            }
        }
        sums.map(|lanes| (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]))
    }
}

/// The sum over all blocks except one.
fn sum<const N: usize>(blocks: &[[f64; N]], without: Option<usize>) -> [f64; N] {
    let mut all = [0.0; N];
    for (_, block) in blocks.iter().enumerate().filter(|&(at, _)| Some(at) != without) {
        all.iter_mut().zip(block).for_each(|(all, x)| *all += x);
    }
    all
}

/// A number that grows with the correlation of f·(1 − γ·g) and the human scores: its signed square, up to a
/// factor that depends on the training set.
fn correlation(gamma: f64, plain: [f64; 3], with_power: [f64; 4], human: [f64; 3]) -> f64 {
    let [n, h, _] = human;
    let s = plain[0] - gamma * with_power[0];
    let ss = plain[1] - gamma * (2.0 * with_power[1] - gamma * with_power[2]);
    let sh = plain[2] - gamma * with_power[3];
    let variance = n * ss - s * s;
    // If the penalty removes everything, only rounding errors are left.
    if variance <= 1e-11 * n * plain[1] {
        return f64::NAN;
    }
    let covariance = n * sh - s * h;
    covariance * covariance.abs() / variance
}
