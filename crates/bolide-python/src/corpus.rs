//! The class `Corpus`: the statistics of segments, without their texts.

use crate::error::raise;
use crate::metric::components;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// The segments of a corpus by one metric.
#[pyclass(frozen, module = "bolide._bolide")]
pub struct Corpus(pub(crate) bolide::Corpus);

#[pymethods]
impl Corpus {
    /// How many segments were read.
    #[getter]
    fn n_segments(&self) -> u64 {
        self.0.n_segments()
    }

    /// The number of references of each segment, `var` if it varies, or None without segments.
    #[getter]
    pub(crate) fn nrefs(&self) -> Option<String> {
        let signature = self.0.signature();
        signature.pairs().find(|(key, _)| *key == "nrefs").map(|(_, nrefs)| nrefs.to_owned())
    }

    /// The full name of the metric, with the number of references.
    #[getter]
    fn signature(&self) -> String {
        self.0.signature().to_string()
    }

    /// This corpus followed by the segments of another.
    fn merged(&self, other: &Self) -> PyResult<Self> {
        let mut corpus = self.0.clone();
        corpus.merge(&other.0).map_err(raise)?;
        Ok(Corpus(corpus))
    }

    /// The corpus as bytes, the same on every machine.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// The statistics as integers, for sums; None if they are more than sums.
    fn counts(&self) -> Option<Vec<i64>> {
        self.0.metric().n_counts()?;
        self.0.statistics().to_counts()
    }

    /// The score, its components and its signature.
    fn score<'py>(&self, py: Python<'py>) -> PyResult<(f64, Bound<'py, PyDict>, String)> {
        let score = self.0.score().map_err(raise)?;
        Ok((score.value, components(py, &score.components)?, score.signature.to_string()))
    }
}
