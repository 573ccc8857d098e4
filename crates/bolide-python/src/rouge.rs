//! rouge-score's bootstrap aggregate, behind `bolide.compat.evaluate`.

use bolide::resample::{Mt19937, aggregate};
use bolide::unstable::rouge::Score;
use pyo3::prelude::*;

/// The bootstrap's middle F-score for each kind of ROUGE; all kinds draw from one generator. The scores of a kind
/// are precision, recall and F-score of each segment.
#[pyfunction]
pub fn rouge_aggregate(
    py: Python<'_>,
    kinds: Vec<Vec<(f64, f64, f64)>>,
    n_samples: usize,
    seed: u32,
) -> Vec<f64> {
    py.detach(|| {
        let mut generator = Mt19937::new(seed);
        let score = |&(precision, recall, fmeasure): &(f64, f64, f64)| Score {
            precision,
            recall,
            fmeasure,
        };
        let middle = |scores: &Vec<(f64, f64, f64)>| {
            let scores: Vec<Score> = scores.iter().map(score).collect();
            aggregate(&scores, 0.95, n_samples, &mut generator).fmeasure.mid
        };
        kinds.iter().map(middle).collect()
    })
}
