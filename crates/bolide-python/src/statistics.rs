//! The class `Statistics`: what a metric remembers of the segments it has read.

use crate::metric::components;
use crate::run::Engine;
use bolide::AnyStats;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::Arc;

/// Mergeable statistics of some segments.
#[pyclass(frozen, module = "bolide._bolide")]
pub struct Statistics {
    engine: Arc<Engine>,
    stats: AnyStats,
    n_segments: usize,
    n_references: (usize, usize),
}

impl Statistics {
    pub fn new(
        engine: Arc<Engine>,
        stats: AnyStats,
        n_segments: usize,
        n_references: (usize, usize),
    ) -> Self {
        Statistics { engine, stats, n_segments, n_references }
    }

    /// What [`to_bytes`](Self::to_bytes) gave for the same metric.
    pub fn from_bytes(engine: Arc<Engine>, bytes: &[u8]) -> PyResult<Self> {
        let damaged = || PyValueError::new_err("these bytes are no statistics of this metric");
        let (stats, n_segments, n_references) = read(&engine, bytes).ok_or_else(damaged)?;
        Ok(Statistics { engine, stats, n_segments, n_references })
    }
}

/// The statistics in some bytes, the number of segments and those of references.
pub fn read(engine: &Engine, bytes: &[u8]) -> Option<(AnyStats, usize, (usize, usize))> {
    let (words, rest) = bytes.as_chunks::<8>();
    let words: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
    let [FORMAT, n_segments, least, most, stats @ ..] = &words[..] else {
        return None;
    };
    let count = |&n: &u64| usize::try_from(n).unwrap_or(usize::MAX);
    let stats = engine.metric.stats_from_words(stats).filter(|_| rest.is_empty())?;
    Some((stats, count(n_segments), (count(least), count(most))))
}

/// The words of [`read`]: a format, three counts, then those of the engine.
pub fn write(stats: &AnyStats, n_segments: usize, n_references: (usize, usize)) -> Vec<u8> {
    let (least, most) = n_references;
    let counts = [FORMAT, n_segments as u64, least as u64, most as u64];
    counts.into_iter().chain(stats.to_words()).flat_map(u64::to_le_bytes).collect()
}

/// The first word: what comes behind it, and in which order.
const FORMAT: u64 = 1;

#[pymethods]
impl Statistics {
    /// How many segments were read.
    #[getter]
    fn n_segments(&self) -> usize {
        self.n_segments
    }

    /// The number of references of each segment, or `var`, or None without segments.
    #[getter]
    fn nrefs(&self) -> Option<String> {
        let (least, most) = self.n_references;
        match self.n_segments {
            0 => None,
            _ if least == most => Some(least.to_string()),
            _ => Some("var".to_owned()),
        }
    }

    /// The full name of the metric.
    #[getter]
    fn signature(&self) -> String {
        self.engine.metric.signature().to_string()
    }

    /// These statistics with those of the segments that follow.
    fn merged(&self, other: &Self) -> PyResult<Self> {
        let (ours, theirs) = (self.signature(), other.signature());
        if ours != theirs {
            return Err(PyValueError::new_err(format!(
                "statistics of different metrics do not merge: {ours} and {theirs}"
            )));
        }
        let mut stats = self.stats.clone();
        stats.merge(&other.stats);
        let ((a, b), (c, d)) = (self.n_references, other.n_references);
        Ok(Statistics {
            engine: Arc::clone(&self.engine),
            stats,
            n_segments: self.n_segments + other.n_segments,
            n_references: (a.min(c), b.max(d)),
        })
    }

    /// The statistics as bytes, the same on every machine.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &write(&self.stats, self.n_segments, self.n_references))
    }

    /// The score of the corpus and its components.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<(f64, Bound<'py, PyDict>)> {
        let report = self.engine.metric.finish(&self.stats);
        Ok((report.score, components(py, &report)?))
    }
}
