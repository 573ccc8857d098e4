//! Compares systems with a baseline, using the statistics of their segments.

use crate::error::raise;
use crate::interrupt::Interrupt;
use crate::metric::Metric;
use crate::worker::Wanted;
use bolide::resample::Pcg64;
use bolide::{Statistics, resample};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// A score, the p-value against the baseline, and the mean and half-width of the bootstrap.
type Row = (f64, Option<f64>, Option<(f64, f64)>);

/// Scores systems, of which the first is the baseline, and tests each against it: by a paired bootstrap
/// (`bs`) or by approximate randomisation (`ar`), which draws `n_confidence` bootstrap samples for the intervals.
#[pyfunction]
#[pyo3(signature = (metric, systems, references, *, test, n_samples, n_confidence, seed, threads))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn paired<'py>(
    py: Python<'py>,
    metric: &Metric,
    systems: &Bound<'py, PyList>,
    references: &Bound<'py, PyAny>,
    test: &str,
    n_samples: usize,
    n_confidence: usize,
    seed: u64,
    threads: usize,
) -> PyResult<Vec<Row>> {
    let wanted = Wanted { corpus: true, statistics: true, ..Wanted::default() };
    let mut of_systems: Vec<Vec<Statistics>> = Vec::new();
    for system in systems {
        let outcome = metric.run(py, (&system, references, true), wanted, threads, None)?;
        of_systems.push(outcome.statistics);
    }
    let is_bootstrap = match test {
        "bs" => true,
        "ar" => false,
        _ => return Err(PyValueError::new_err(format!("the test must be bs or ar, got '{test}'"))),
    };
    let interrupt = Interrupt::default();
    let is_stopped = || interrupt.look();
    let rows = py.detach(|| {
        let samples = of_systems.iter().map(|stats| resample::Sample::new(&metric.engine, stats));
        let samples: Vec<resample::Sample<'_>> =
            samples.collect::<bolide::Result<_>>().map_err(raise)?;
        let scores: Vec<f64> = samples.iter().map(resample::Sample::score).collect();
        if !is_bootstrap {
            let row = |(idx, &score): (usize, &f64)| {
                let p_value = || {
                    resample::randomization_until(
                        &is_stopped,
                        &samples[0],
                        &samples[idx],
                        n_samples,
                        seed,
                    )
                };
                let interval = || {
                    // The samples of a system are drawn after the bits of its test.
                    let n_bits = if idx == 0 { 0 } else { n_samples * of_systems[idx].len() };
                    let generator = Pcg64::new(seed).after_bits(n_bits);
                    let system = &samples[idx..=idx];
                    resample::bootstrap_from(&is_stopped, system, n_confidence, generator)
                        .first()
                        .map(resample::Scores::interval)
                        .map(|interval| (interval.mean, interval.half_width))
                };
                let p_value = defined(idx > 0, p_value);
                (score, p_value, (n_confidence > 0).then(interval).flatten())
            };
            return Ok(scores.iter().enumerate().map(row).collect());
        }
        let resampled = resample::bootstrap_until(&is_stopped, &samples, n_samples, seed);
        let row = |(idx, &score): (usize, &f64)| {
            let p_value = || resampled[idx].p_value(&resampled[0], scores[0] - score);
            let interval = resampled[idx].interval();
            (score, defined(idx > 0, p_value), Some((interval.mean, interval.half_width)))
        };
        Ok(scores.iter().enumerate().map(row).collect())
    });
    interrupt.raise()?;
    rows
}

/// The p-value of a system, if it has one: the baseline has none, nor do systems of which a score is undefined.
fn defined(is_compared: bool, p_value: impl FnOnce() -> f64) -> Option<f64> {
    is_compared.then(p_value).filter(|p| !p.is_nan())
}

/// The mean of the bootstrap samples of a corpus and half the width of their 95 % interval; NaN without
/// segments.
pub fn confidence(
    py: Python<'_>,
    metric: &bolide::Metric,
    statistics: &[Statistics],
    n_samples: usize,
    seed: u64,
) -> PyResult<(f64, f64)> {
    let interrupt = Interrupt::default();
    let found = py.detach(|| {
        let sample = resample::Sample::new(metric, statistics).map_err(raise)?;
        let scores = resample::bootstrap_until(&|| interrupt.look(), &[sample], n_samples, seed);
        let interval = scores.first().map(resample::Scores::confidence);
        Ok(interval.map_or((f64::NAN, f64::NAN), |interval| (interval.mean, interval.half_width)))
    });
    interrupt.raise()?;
    found
}
