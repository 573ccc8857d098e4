//! Systems compared with a baseline, over the statistics of their segments.

use crate::metric::{self, Metric};
use crate::run::{self, Wanted};
use bolide::{AnyStats, resample};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// A score, the p-value against the baseline, and the mean and half-width of the bootstrap.
type Row = (f64, Option<f64>, Option<(f64, f64)>);

/// Scores systems, the first of them the baseline, and tests each against it: by a paired bootstrap
/// (`bs`) or by approximate randomisation (`ar`).
#[pyfunction]
#[pyo3(signature = (metric, systems, references, *, test, n_samples, seed, threads))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn paired<'py>(
    py: Python<'py>,
    metric: &Metric,
    systems: &Bound<'py, PyList>,
    references: &Bound<'py, PyAny>,
    test: &str,
    n_samples: usize,
    seed: u64,
    threads: usize,
) -> PyResult<Vec<Row>> {
    let wanted = Wanted { corpus: true, rows: true, ..Wanted::default() };
    let mut of_systems: Vec<Vec<AnyStats>> = Vec::new();
    for system in systems {
        let segments = metric::rows(&metric.0, &system, references, true)?;
        of_systems.push(run::run(py, &metric.0, segments, wanted, threads, None)?.rows);
    }
    let is_bootstrap = match test {
        "bs" => true,
        "ar" => false,
        _ => return Err(PyValueError::new_err(format!("a test is bs or ar, got '{test}'"))),
    };
    Ok(py.detach(|| {
        let metric = &metric.0.metric;
        let samples: Vec<resample::Sample<'_>> =
            of_systems.iter().map(|stats| resample::Sample::new(metric, stats)).collect();
        let scores: Vec<f64> = samples.iter().map(resample::Sample::score).collect();
        if !is_bootstrap {
            let row = |(idx, &score): (usize, &f64)| {
                let p_value =
                    || resample::randomization_p_value(&samples[0], &samples[idx], n_samples, seed);
                (score, (idx > 0).then(p_value), None)
            };
            return scores.iter().enumerate().map(row).collect();
        }
        let resampled = resample::bootstrap(&samples, n_samples, seed);
        let row = |(idx, &score): (usize, &f64)| {
            let p_value = || resampled[idx].p_value(&resampled[0], scores[0] - score);
            let interval = resampled[idx].interval();
            (score, (idx > 0).then(p_value), Some((interval.mean, interval.half_width)))
        };
        scores.iter().enumerate().map(row).collect()
    }))
}
