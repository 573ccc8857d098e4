//! How the metrics agree with people: for the segments of each system, of all systems together, and
//! for the systems.

use super::gather::{Gathered, Plan};
use super::standings::Standing;
use serde::Serialize;

/// Agreement of every metric.
#[derive(Serialize)]
pub struct Agreement {
    /// The mean of the human scores of each system; nothing for one that nobody judged.
    means: Vec<Option<f64>>,
    /// How many segments of each system were judged.
    judged: Vec<usize>,
}

/// Compares scores with judgements.
pub fn agreement(
    gathered: &Gathered<'_>,
    plan: &Plan<'_>,
    _standings: &[Vec<Standing>],
) -> Agreement {
    let judgements = |system: usize| -> Vec<f64> {
        gathered.rows.iter().filter_map(|row| row.systems.get(system)?.human).collect()
    };
    let all: Vec<Vec<f64>> = (0..plan.n_systems).map(judgements).collect();
    let mean = |list: &Vec<f64>| {
        (!list.is_empty()).then(|| list.iter().sum::<f64>() / list.len() as f64)
    };
    Agreement { means: all.iter().map(mean).collect(), judged: all.iter().map(Vec::len).collect() }
}
