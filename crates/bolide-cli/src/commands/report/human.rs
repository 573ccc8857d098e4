//! How well the metrics agree with human scores: over the segments of each system, over those of all systems,
//! and over the systems. The engine computes the coefficients.

use super::gather::{Gathered, Plan};
use super::standings::Standing;
use bolide::correlation::{kendall_b, pearson, spearman};
use bolide_runner::Runner;
use serde::Serialize;

/// Agreement of every metric.
#[derive(Serialize)]
pub struct Agreement {
    /// The mean human score of each system; `None` if nobody judged it.
    means: Vec<Option<f64>>,
    /// How many segments of each system were judged.
    judged: Vec<usize>,
    /// By metric.
    correlations: Vec<Correlations>,
}

/// Agreement of one metric.
#[derive(Serialize)]
struct Correlations {
    /// Over the judged segments of each system.
    systems: Vec<Coefficients>,
    /// Over all judged segments.
    pooled: Coefficients,
    /// Over the systems: corpus score and mean judgement.
    system_level: Option<Coefficients>,
}

/// A coefficient that is not defined, as for constant scores, is NaN.
#[derive(Serialize)]
struct Coefficients {
    pearson: f64,
    spearman: f64,
    kendall: f64,
}

impl Coefficients {
    fn of(metric: &[f64], human: &[f64]) -> Self {
        Coefficients {
            pearson: pearson(metric, human),
            spearman: spearman(metric, human),
            kendall: kendall_b(metric, human),
        }
    }
}

/// Compares scores with judgements.
pub fn agreement(
    gathered: &Gathered,
    plan: &Plan<'_>,
    standings: &[Vec<Standing>],
    runner: Runner,
) -> Agreement {
    // The metric's scores and the human scores of the judged segments.
    let judged = |system: usize, metric: usize| -> (Vec<f64>, Vec<f64>) {
        let of_system = gathered.rows.iter().filter_map(|row| row.systems.get(system));
        of_system.filter_map(|kept| Some((kept.scores[metric], kept.human?))).unzip()
    };
    let all: Vec<Vec<f64>> = (0..plan.n_systems).map(|system| judged(system, 0).1).collect();
    let mean =
        |list: &Vec<f64>| (!list.is_empty()).then(|| list.iter().sum::<f64>() / list.len() as f64);
    let means: Vec<Option<f64>> = all.iter().map(mean).collect();
    let of_metric = |metric: usize| {
        let pairs: Vec<(Vec<f64>, Vec<f64>)> =
            (0..plan.n_systems).map(|system| judged(system, metric)).collect();
        let (scores, humans): (Vec<&[f64]>, Vec<&[f64]>) =
            pairs.iter().map(|(scores, humans)| (scores.as_slice(), humans.as_slice())).unzip();
        let (corpus, mean): (Vec<f64>, Vec<f64>) = (standings[metric].iter().zip(&means))
            .filter_map(|(standing, mean)| Some((standing.score, (*mean)?)))
            .unzip();
        Correlations {
            systems: pairs.iter().map(|(ours, human)| Coefficients::of(ours, human)).collect(),
            pooled: Coefficients::of(&scores.concat(), &humans.concat()),
            system_level: (corpus.len() > 2).then(|| Coefficients::of(&corpus, &mean)),
        }
    };
    Agreement {
        judged: all.iter().map(Vec::len).collect(),
        correlations: runner.each(plan.metrics.len(), of_metric),
        means,
    }
}
