//! The class `Metric`: a configured metric.

use crate::corpus::Corpus;
use crate::error::raise;
use crate::floats::Floats;
use crate::input::{self, Rows};
use crate::registry::json;
use crate::run::{self, Outcome};
use crate::significance::confidence;
use crate::surrogates::tolerating;
use crate::worker::Wanted;
use bolide::unstable::{AnyRows, any, stats_of};
use bolide::{Components, Resources, Score, Statistics, Value};
use bolide_cli::explained::{Explained, PAGE_WIDTH};
use bolide_store::Store;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use std::path::PathBuf;

/// A metric built from a partial signature.
#[pyclass(frozen, module = "bolide._bolide")]
pub struct Metric {
    pub(crate) engine: bolide::Metric,
    /// The full name, which every score carries.
    signature: Py<PyString>,
    /// Where its tables came from, if not from the user's folder.
    folder: Option<PathBuf>,
}

#[pymethods]
impl Metric {
    #[new]
    fn new(py: Python<'_>, name: &str) -> PyResult<Self> {
        Metric::with_resources(py, name, &all_resources(), None)
    }

    /// METEOR 1.5 with the compiled tables of a given folder.
    #[staticmethod]
    fn with_tables(py: Python<'_>, name: &str, folder: PathBuf) -> PyResult<Self> {
        let resources = Store::at(folder.clone()).load(Resources::embedded());
        Metric::with_resources(py, name, &resources, Some(folder))
    }

    /// How pickle and copy rebuild it: by its name.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<Metric>();
        Ok(match &self.folder {
            None => (class.into_any(), (self.name(),).into_pyobject(py)?),
            Some(folder) => {
                (class.getattr("with_tables")?, (self.name(), folder).into_pyobject(py)?)
            }
        })
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.engine.signature() == other.engine.signature()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.signature.bind(py).hash()
    }

    /// The name that it was built from.
    #[getter]
    fn name(&self) -> &str {
        self.engine.name()
    }

    /// The full name.
    #[getter]
    fn signature(&self, py: Python<'_>) -> Py<PyString> {
        self.signature.clone_ref(py)
    }

    /// The registry's entry of the dialect, as JSON.
    #[getter]
    fn dialect(&self) -> PyResult<String> {
        json(self.engine.dialect())
    }

    /// The number of integers in the statistics, or None if they are more than sums.
    #[getter]
    fn n_counts(&self) -> Option<usize> {
        self.engine.n_counts()
    }

    /// The score of one segment, its components and its signature.
    fn segment<'py>(
        &self,
        py: Python<'py>,
        hypothesis: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
    ) -> PyResult<(f64, Bound<'py, PyDict>, Py<PyString>)> {
        let metric = &self.engine;
        let score = tolerating(hypothesis, references, |hypothesis, references| {
            input::with_segment(metric, hypothesis, references, |segment| {
                metric.scorer().score(segment)
            })
        })?;
        Ok((score.value, components(py, &score.components)?, self.signature(py)))
    }

    /// The score alone.
    fn segment_score(
        &self,
        hypothesis: &Bound<'_, PyAny>,
        references: &Bound<'_, PyAny>,
    ) -> PyResult<f64> {
        let metric = &self.engine;
        tolerating(hypothesis, references, |hypothesis, references| {
            input::with_segment(metric, hypothesis, references, |segment| {
                metric.scorer().value(segment)
            })
        })
    }

    /// Why the score of a segment alone may mean little, if something speaks for it.
    fn hint(&self, hypothesis: &str, references: Vec<String>) -> Option<String> {
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        self.engine.hint_alone(hypothesis, &references)
    }

    /// Scores of many segments; with `details` a dict of columns, one for each component.
    #[pyo3(signature = (hypotheses, references, *, threads, progress, missing, details))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn segments<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
        threads: usize,
        progress: Option<Py<PyAny>>,
        missing: bool,
        details: bool,
    ) -> PyResult<(Floats, Option<Bound<'py, PyDict>>)> {
        let wanted = Wanted { scores: true, details, ..Wanted::default() };
        let outcome = self.run(py, (hypotheses, references, missing), wanted, threads, progress)?;
        let details = details.then(|| self.detail_columns(py, &outcome.details)).transpose()?;
        Ok((Floats::new(outcome.scores), details))
    }

    /// The corpus of many segments.
    #[pyo3(signature = (hypotheses, references, *, threads, progress))]
    fn corpus<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Corpus> {
        let wanted = Wanted { corpus: true, ..Wanted::default() };
        Ok(Corpus(self.run(py, (hypotheses, references, true), wanted, threads, progress)?.corpus))
    }

    /// The corpus and the scores of its segments, from one pass.
    #[pyo3(signature = (hypotheses, references, *, threads, details))]
    fn corpus_and_segments<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
        threads: usize,
        details: bool,
    ) -> PyResult<(Corpus, Floats, Option<Bound<'py, PyDict>>)> {
        let wanted = Wanted { corpus: true, scores: true, details, ..Wanted::default() };
        let outcome = self.run(py, (hypotheses, references, false), wanted, threads, None)?;
        let details = details.then(|| self.detail_columns(py, &outcome.details)).transpose()?;
        Ok((Corpus(outcome.corpus), Floats::new(outcome.scores), details))
    }

    /// The corpus, with the mean of its bootstrap samples and half the width of their 95 % interval.
    #[pyo3(signature = (hypotheses, references, *, threads, progress, n_samples, seed))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn confidence<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
        threads: usize,
        progress: Option<Py<PyAny>>,
        n_samples: usize,
        seed: u64,
    ) -> PyResult<(Corpus, f64, f64)> {
        let wanted = Wanted { corpus: true, statistics: true, ..Wanted::default() };
        let outcome = self.run(py, (hypotheses, references, true), wanted, threads, progress)?;
        let (mean, half_width) =
            confidence(py, &self.engine, &outcome.statistics, n_samples, seed)?;
        Ok((Corpus(outcome.corpus), mean, half_width))
    }

    /// The statistics of each segment as the rows of numbers that sacreBLEU resamples, and the number of
    /// references of each, or `var`.
    #[pyo3(signature = (hypotheses, references, *, threads))]
    fn statistics_rows<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
        threads: usize,
    ) -> PyResult<(Vec<Vec<f64>>, Option<String>)> {
        let rows = self.rows()?;
        let wanted = Wanted { corpus: true, statistics: true, ..Wanted::default() };
        let outcome = self.run(py, (hypotheses, references, false), wanted, threads, None)?;
        let n_columns = rows.columns().count;
        let row = |stats: &Statistics| {
            let mut row = vec![0.0; n_columns];
            rows.write_row(stats_of(stats), &mut row);
            row
        };
        Ok((outcome.statistics.iter().map(row).collect(), Corpus(outcome.corpus).nrefs()))
    }

    /// The score of a sum of such rows, and its components.
    fn score_of_row<'py>(
        &self,
        py: Python<'py>,
        row: Vec<f64>,
    ) -> PyResult<(f64, Bound<'py, PyDict>)> {
        let rows = self.checked_rows(row.len())?;
        Ok((rows.finish_row(&row), components(py, &rows.components(&row))?))
    }

    /// The score of a sum in 32-bit floats, as in sacreBLEU's resampling.
    fn score_of_single_row(&self, row: Vec<f32>) -> PyResult<f64> {
        Ok(self.checked_rows(row.len())?.score_row(&row))
    }

    /// The score of a corpus from the sums of its counts, its components and its signature.
    fn score_of_counts<'py>(
        &self,
        py: Python<'py>,
        counts: Vec<i64>,
    ) -> PyResult<(f64, Bound<'py, PyDict>, Py<PyString>)> {
        let statistics = self.engine.statistics_from_counts(&counts).map_err(raise)?;
        let score = self.engine.finish(&statistics).map_err(raise)?;
        Ok((score.value, components(py, &score.components)?, self.signature(py)))
    }

    /// Reads a corpus from bytes.
    fn corpus_from_bytes(&self, bytes: &[u8]) -> PyResult<Corpus> {
        self.engine.corpus_from_bytes(bytes).map(Corpus).map_err(raise)
    }

    /// A corpus without segments.
    fn empty(&self) -> Corpus {
        Corpus(self.engine.corpus())
    }

    /// How one segment got its score: as the command's JSON, and as what it prints.
    fn explain(
        &self,
        hypothesis: &Bound<'_, PyAny>,
        references: &Bound<'_, PyAny>,
    ) -> PyResult<(String, String)> {
        let metric = &self.engine;
        let explained = tolerating(hypothesis, references, |hypothesis, references| {
            input::with_segment(metric, hypothesis, references, |segment| {
                Explained::of(metric, segment)
            })
        })?;
        let explained = explained.map_err(raise)?;
        let json = explained.to_json(self.name());
        let json = json.map_err(|problem| PyValueError::new_err(problem.to_string()))?;
        Ok((json, explained.draw(PAGE_WIDTH, false)))
    }
}

impl Metric {
    fn with_resources(
        py: Python<'_>,
        name: &str,
        resources: &Resources,
        folder: Option<PathBuf>,
    ) -> PyResult<Self> {
        let engine = bolide::Metric::build(name, resources).map_err(raise)?;
        let signature = PyString::new(py, &engine.signature().to_string()).unbind();
        Ok(Metric { engine, signature, folder })
    }

    /// Scores hypotheses and references, of which some may be missing.
    pub(crate) fn run<'py>(
        &self,
        py: Python<'py>,
        (hypotheses, references, missing): (&Bound<'py, PyAny>, &Bound<'py, PyAny>, bool),
        wanted: Wanted,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Outcome> {
        tolerating(hypotheses, references, |hypotheses, references| {
            let rows = Rows::new(&self.engine, hypotheses, references, missing)?;
            let progress = progress.as_ref().map(|progress| progress.clone_ref(py));
            run::run(py, &self.engine, rows, wanted, threads, progress)
        })
    }

    fn rows(&self) -> PyResult<Box<dyn AnyRows + '_>> {
        let rows = any(&self.engine).rows();
        rows.ok_or_else(|| {
            PyTypeError::new_err("the statistics of this metric are not rows of numbers")
        })
    }

    fn checked_rows(&self, n_columns: usize) -> PyResult<Box<dyn AnyRows + '_>> {
        let rows = self.rows()?;
        match rows.columns().count {
            count if count == n_columns => Ok(rows),
            count => Err(PyValueError::new_err(format!(
                "the statistics of this metric are {count} numbers, got {n_columns}"
            ))),
        }
    }

    fn detail_columns<'py>(
        &self,
        py: Python<'py>,
        scores: &[Option<Score>],
    ) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for (idx, name) in self.engine.component_names().iter().enumerate() {
            let value = |score: &Option<Score>| {
                let score = score.as_ref()?;
                (*score.components).get(idx).map(|(_, value)| value.as_f64())
            };
            columns.set_item(name.as_ref(), Floats::new(scores.iter().map(value).collect()))?;
        }
        Ok(columns)
    }
}

/// The embedded tables and, if METEOR 1.5 needs them, those in the user's folder.
pub fn all_resources() -> Resources {
    let embedded = Resources::embedded();
    let of_user = Store::of_user().map(|store| store.load(embedded.clone()));
    of_user.unwrap_or(embedded)
}

/// Components by name.
pub fn components<'py>(py: Python<'py>, components: &Components) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in components {
        match *value {
            Value::Count(n) => dict.set_item(name.as_ref(), n)?,
            Value::Number(x) => dict.set_item(name.as_ref(), x)?,
            Value::Flag(b) => dict.set_item(name.as_ref(), b)?,
        }
    }
    Ok(dict)
}
