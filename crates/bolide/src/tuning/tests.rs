use super::grid::{Best, Grid, Scratch, Search};
use super::*;
use crate::resources::Resources;
use crate::segment::{Segment, Text};

const PEARSON: Objective = Objective::Segments(Coefficient::Pearson);

/// Segments of few words, so that many match, and judgements that favour precision.
fn judged(name: &str, n_folds: usize) -> Problem {
    let metric = Metric::build(name, &Resources::none()).unwrap();
    let mut generator = Pcg64::new(11);
    let mut scorer = metric.scorer();
    let (mut stats, mut human, mut system) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..90 {
        let mut text = |n: u32| {
            let words: Vec<&str> = (0..n)
                .map(|_| ["cat", "dog", "house", "tree", "runs"][generator.below(5) as usize])
                .collect();
            words.join(" ")
        };
        let (hypothesis, reference) = (text(3 + row % 7), text(6));
        let references = [Text::Raw(&reference)];
        stats.push(scorer.statistics(Segment::new(Text::Raw(&hypothesis), &references).unwrap()));
        human.push(f64::from(generator.below(100)) / 100.0 - f64::from(row % 7) / 5.0);
        system.push(row as usize % 6);
    }
    Problem::new(&metric, &stats, &human, &system, n_folds, 1).unwrap()
}

fn search(problem: &Problem, grid: &Grid) -> Vec<Best> {
    let search = Search::new(problem, grid);
    let mut best: Vec<Option<Best>> = Vec::new();
    let mut scratch = Scratch::default();
    for column in 0..grid.n_columns() {
        let found = search.column(column, &mut scratch);
        best.resize(found.len(), None);
        for (best, found) in best.iter_mut().zip(found) {
            *best = match (*best, found) {
                (Some(a), Some(b)) => Some(a.or(b)),
                (a, b) => a.or(b),
            };
        }
    }
    best.into_iter().map(Option::unwrap).collect()
}

#[test]
fn sums_find_what_scoring_every_point_finds() {
    let grid = Grid::new(
        [0.1, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0],
        [0.9, 3.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
        [0.2, 0.5, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0],
    )
    .unwrap();
    for (name, n_betas) in [
        ("meteor:textbook", 6),
        ("meteor:classic|match:exact|tok:space", 6),
        ("meteor:2026|syn:none", 1),
    ] {
        let problem = judged(name, 3);
        let limited = grid.clone().limited_to(&problem);
        // β = 0 is not a parameter of the first two, and β is none of the last.
        assert_eq!(limited.n_points(), 5 * n_betas * 5);
        let found = search(&problem, &limited);
        assert_eq!(found.len(), 4);
        for (set, found) in found.iter().enumerate() {
            let rows = problem.training(set.checked_sub(1));
            let reached = problem.figure(&found.point, PEARSON, &rows);
            let mut best = f64::NEG_INFINITY;
            for &alpha in limited.axis(0) {
                for &beta in limited.axis(1) {
                    for &gamma in limited.axis(2) {
                        let mut point = problem.start();
                        point[..3].copy_from_slice(&[alpha, beta, gamma]);
                        best = best.max(problem.figure(&point, PEARSON, &rows));
                    }
                }
            }
            assert!((reached - best).abs() < 1e-12, "{name} {set}: {reached} {best}");
        }
    }
}

#[test]
fn the_trainers_grid_has_its_167_million_points() {
    assert_eq!(Grid::trainer().n_points(), 21 * 41 * 21 * 21 * 21 * 21);
    let first = [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    let last = [1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
    assert_eq!(Grid::new(first, last, [0.05; 8]).unwrap().n_points(), 21 * 41 * 21 * 9261);
    assert_eq!(Grid::new(first, last, [-0.05; 8]), None);
    assert_eq!(Grid::new([2.0; 8], [3.0; 8], [0.5; 8]), None);
}

#[test]
fn the_signature_of_a_point_builds_the_metric_that_scores_so() {
    let problem = judged("meteor:classic|match:exact|tok:space", 2);
    let point = [0.3, 0.15000000000000002, 0.7, 0.5, 1.0, 0.0, 0.0, 0.0];
    let name = problem.signature(&point);
    assert!(name.contains("|alpha:0.3|beta:0.15|gamma:0.7"), "{name}");
    let metric = Metric::build(&name, &Resources::none()).unwrap();
    let AnyMetric::Meteor(metric) = metric.any() else { panic!("{metric:?}") };
    assert_eq!(metric.parameters(), Parameters { alpha: 0.3, beta: 0.15, gamma: 0.7 });
}

#[test]
fn the_formula_of_2026_scores_as_the_metric_does() {
    let problem = judged("meteor:2026|syn:none", 2);
    let name = problem.signature(&[0.35, 1.0, 0.6, 0.5, 1.0, 0.0, 0.0, 0.0]);
    assert!(name.starts_with("meteor:2026|syn:none|"), "{name}");
    assert!(name.ends_with("|alpha:0.35|gamma:0.6"), "{name}");
    let again = judged(&name, 2);
    let rows = problem.training(None);
    for objective in [PEARSON, Objective::Systems(Coefficient::Pearson)] {
        let fitted = problem.figure(&again.start(), objective, &rows);
        assert_eq!(fitted, again.figure(&again.start(), objective, &rows));
    }
    // The same bits as the metric's own score, texts without words included.
    let metric = Metric::build(&name, &Resources::none()).unwrap();
    let mut scorer = metric.scorer();
    for (hypothesis, reference) in [("", ""), ("a", ""), ("cat dog", "dog cat"), ("a b c", "a x b")]
    {
        let references = [Text::Raw(reference)];
        let segment = Segment::new(Text::Raw(hypothesis), &references).unwrap();
        let stats = scorer.statistics(segment);
        let problem =
            Problem::new(&metric, std::slice::from_ref(&stats), &[1.0], &[], 1, 1).unwrap();
        let ours = problem.score(&problem.rows[0], &problem.start());
        assert_eq!(ours, metric.segment_value(&stats).unwrap(), "{hypothesis}/{reference}");
    }
}

#[test]
fn climbing_never_ends_below_its_start() {
    let problem = judged("meteor:textbook", 2);
    let grid = Grid::trainer().limited_to(&problem);
    let rows = problem.training(None);
    for objective in
        [Objective::Segments(Coefficient::KendallB), Objective::Systems(Coefficient::Pearson)]
    {
        let start = problem.start();
        let (point, figure) = ascent::climb(&problem, &grid, objective, &rows, &[start]);
        assert_eq!(figure, problem.figure(&point, objective, &rows));
        assert!(figure > problem.figure(&start, objective, &rows));
    }
}

#[test]
fn folds_are_even_disjoint_and_by_seed() {
    let folds = deal(100, 7, 3);
    for fold in 0..7 {
        let n = folds.iter().filter(|&&it| it == fold).count();
        assert!((14..=15).contains(&n), "{n}");
    }
    assert_eq!(folds, deal(100, 7, 3));
    assert_ne!(folds, deal(100, 7, 4));
}

#[test]
fn only_meteor_can_be_tuned() {
    let metric = Metric::build("bleu", &Resources::none()).unwrap();
    let error = Problem::new(&metric, &[], &[], &[], 2, 1).unwrap_err();
    assert!(error.to_string().contains("no parameters to tune"));
}
