//! Coordinate ascent, for objectives that need all scores of a point: rank correlations, accuracies, and
//! corpus scores of systems.
//!
//! The whole grid would take hours for these. From each starting point, the best value of each parameter is
//! chosen in turn, with the others fixed, until nothing improves; the best result counts. It is a local
//! optimum.

use super::grid::Grid;
use super::{Objective, Point, Problem};

/// The limit on rounds over all parameters; in practice two to five are needed.
const MOST_ROUNDS: usize = 20;

/// The best point reached from the starting points, on some rows, and its value there.
pub fn climb(
    problem: &Problem,
    grid: &Grid,
    objective: Objective,
    rows: &[usize],
    starts: &[Point],
) -> (Point, f64) {
    let mut best = (problem.start(), f64::NEG_INFINITY);
    for &start in starts {
        let reached = climb_from(problem, grid, objective, rows, start);
        if reached.1 > best.1 {
            best = reached;
        }
    }
    best
}

fn climb_from(
    problem: &Problem,
    grid: &Grid,
    objective: Objective,
    rows: &[usize],
    start: Point,
) -> (Point, f64) {
    let figure = |point: &Point| problem.figure(point, objective, rows);
    let is_free = problem.is_free();
    let mut best = (start, figure(&start));
    if best.1.is_nan() {
        best.1 = f64::NEG_INFINITY;
    }
    for _ in 0..MOST_ROUNDS {
        let before = best.1;
        for number in (0..8).filter(|&number| is_free[number]) {
            let from = best.0;
            for &value in grid.axis(number) {
                let mut point = from;
                point[number] = value;
                let reached = figure(&point);
                if reached > best.1 {
                    best = (point, reached);
                }
            }
        }
        if best.1 <= before {
            break;
        }
    }
    best
}
