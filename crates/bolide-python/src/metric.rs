//! The class `Metric`: a configured metric with the buffers of its workers.

use crate::error::raise;
use crate::floats::Floats;
use crate::python::{self, Lists, Missing};
use crate::rows::Column;
use crate::run::{self, Engine, Reader, Rows, Wanted};
use crate::statistics::Statistics;
use crate::{arrow, explain};
use bolide::{AnyMetric, DIALECTS, Dialect, Report, Resources, Value, resample};
use bolide_store::Store;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::sync::Arc;

/// A metric built from a partial signature.
#[pyclass(frozen, module = "bolide._bolide")]
pub struct Metric(pub(crate) Arc<Engine>);

#[pymethods]
impl Metric {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        Metric::with_resources(name, &all_resources())
    }

    /// METEOR 1.5 with the compiled tables of a folder of the caller's choice.
    #[staticmethod]
    fn with_tables(name: &str, folder: std::path::PathBuf) -> PyResult<Self> {
        let resources = Store::at(folder).load(Resources::embedded());
        Metric::with_resources(name, &resources)
    }

    /// The full name.
    #[getter]
    fn signature(&self) -> String {
        self.0.metric.signature().to_string()
    }

    /// The full name with the number of references, as reports print it.
    fn signature_with(&self, nrefs: &str) -> String {
        self.0.metric.signature().with_fact("nrefs", nrefs).to_string()
    }

    /// What is known of the dialect.
    #[getter]
    fn dialect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dialect_dict(py, self.0.metric.dialect())
    }

    /// The score and its components.
    fn segment<'py>(
        &self,
        py: Python<'py>,
        hypothesis: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
    ) -> PyResult<(f64, Bound<'py, PyDict>)> {
        let (hypothesis, references) = one_segment(hypothesis, references)?;
        let report = py.detach(|| {
            self.0.with_scratch(|scratch| {
                let metric = &self.0.metric;
                Reader::default().with_segment(hypothesis.row(0)?, references.row(0)?, |segment| {
                    metric.finish_segment(&metric.segment(segment, scratch))
                })
            })
        });
        let report = report.ok_or_else(no_reference)?;
        Ok((report.score, components(py, &report)?))
    }

    /// The score alone.
    fn segment_score<'py>(
        &self,
        py: Python<'py>,
        hypothesis: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
    ) -> PyResult<f64> {
        let (hypothesis, references) = one_segment(hypothesis, references)?;
        let score = py.detach(|| {
            self.0.with_scratch(|scratch| {
                let metric = &self.0.metric;
                Reader::default().with_segment(hypothesis.row(0)?, references.row(0)?, |segment| {
                    metric.score(segment, scratch)
                })
            })
        });
        score.ok_or_else(no_reference)
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
        let rows = rows(&self.0, hypotheses, references, missing)?;
        let wanted = Wanted { scores: true, details, ..Wanted::default() };
        let outcome = run::run(py, &self.0, rows, wanted, threads, progress)?;
        let details = match details {
            false => None,
            true => Some(self.detail_columns(py, &outcome.details)?),
        };
        Ok((Floats::new(outcome.scores), details))
    }

    /// Statistics of a corpus.
    #[pyo3(signature = (hypotheses, references, *, threads, progress))]
    fn statistics<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Statistics> {
        let rows = rows(&self.0, hypotheses, references, true)?;
        let n_segments = rows.len();
        let wanted = Wanted { corpus: true, ..Wanted::default() };
        let outcome = run::run(py, &self.0, rows, wanted, threads, progress)?;
        Ok(Statistics::new(Arc::clone(&self.0), outcome.stats, n_segments, outcome.n_references))
    }

    /// Statistics of a corpus and the scores of its segments, from reading it once.
    #[pyo3(signature = (hypotheses, references, *, threads, details))]
    fn statistics_and_segments<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
        threads: usize,
        details: bool,
    ) -> PyResult<(Statistics, Floats, Option<Bound<'py, PyDict>>)> {
        let rows = rows(&self.0, hypotheses, references, false)?;
        let n_segments = rows.len();
        let wanted = Wanted { corpus: true, scores: true, details, ..Wanted::default() };
        let outcome = run::run(py, &self.0, rows, wanted, threads, None)?;
        let details = match details {
            false => None,
            true => Some(self.detail_columns(py, &outcome.details)?),
        };
        let engine = Arc::clone(&self.0);
        let statistics = Statistics::new(engine, outcome.stats, n_segments, outcome.n_references);
        Ok((statistics, Floats::new(outcome.scores), details))
    }

    /// Statistics of a corpus, and where the score of another one like it would lie: the mean of
    /// the bootstrap samples and half the width of their 95 % interval.
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
    ) -> PyResult<(Statistics, f64, f64)> {
        let rows = rows(&self.0, hypotheses, references, true)?;
        let n_segments = rows.len();
        let wanted = Wanted { corpus: true, rows: true, ..Wanted::default() };
        let outcome = run::run(py, &self.0, rows, wanted, threads, progress)?;
        let interval = py.detach(|| {
            let sample = resample::Sample::new(&self.0.metric, &outcome.rows);
            let scores = resample::bootstrap(&[sample], n_samples, seed);
            scores.first().map(resample::Scores::confidence)
        });
        let (mean, half_width) =
            interval.map_or((f64::NAN, f64::NAN), |interval| (interval.mean, interval.half_width));
        let statistics =
            Statistics::new(Arc::clone(&self.0), outcome.stats, n_segments, outcome.n_references);
        Ok((statistics, mean, half_width))
    }

    /// Statistics that were written as bytes.
    fn statistics_from_bytes(&self, bytes: &[u8]) -> PyResult<Statistics> {
        Statistics::from_bytes(Arc::clone(&self.0), bytes)
    }

    /// Statistics of no segment at all.
    fn empty(&self) -> Statistics {
        let stats = self.0.metric.empty();
        Statistics::new(Arc::clone(&self.0), stats, 0, (usize::MAX, 0))
    }

    /// The alignment and every step, or None for a metric without alignment.
    fn explain<'py>(
        &self,
        py: Python<'py>,
        hypothesis: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (hypothesis, references) = one_segment(hypothesis, references)?;
        let explanation = py.detach(|| {
            let metric = &self.0.metric;
            Reader::default().with_segment(hypothesis.row(0)?, references.row(0)?, |segment| {
                metric.explain(segment)
            })
        });
        let explanation = explanation.ok_or_else(no_reference)?;
        explanation.map(|explanation| explain::to_dict(py, &explanation)).transpose()
    }
}

impl Metric {
    fn with_resources(name: &str, resources: &Resources) -> PyResult<Self> {
        let metric = AnyMetric::build(name, resources).map_err(raise)?;
        Ok(Metric(Arc::new(Engine::new(metric))))
    }

    fn detail_columns<'py>(
        &self,
        py: Python<'py>,
        reports: &[Option<Report>],
    ) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        let empty = self.0.metric.finish_segment(&self.0.metric.empty());
        for (idx, (name, _)) in empty.components.iter().enumerate() {
            let value = |report: &Option<Report>| {
                report
                    .as_ref()
                    .and_then(|report| report.components.get(idx))
                    .map(|(_, v)| v.as_f64())
            };
            columns.set_item(name.as_ref(), Floats::new(reports.iter().map(value).collect()))?;
        }
        Ok(columns)
    }
}

/// The embedded tables and, when METEOR 1.5 asks for them, those of the user's folder.
fn all_resources() -> Resources {
    let embedded = Resources::embedded();
    let of_user = Store::of_user().map(|store| store.load(embedded.clone()));
    of_user.unwrap_or(embedded)
}

fn no_reference() -> PyErr {
    crate::error::InvalidSegmentError::new_err("a segment needs at least one reference, got none")
}

/// A column of one row for each side.
fn one_segment(
    hypothesis: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> PyResult<(Column, Column)> {
    let py = hypothesis.py();
    let hypotheses = PyTuple::new(py, [hypothesis])?.into_any();
    let hypotheses = python::hypotheses(&hypotheses, Missing::Refuse)?;
    let references = PyTuple::new(py, [references])?.into_any();
    let references = python::references(&references, Missing::Refuse, hypotheses.is_tokenised())?;
    Ok((hypotheses, references))
}

/// Rows to be scored: lists as they are, everything else as two columns.
pub fn rows<'py>(
    engine: &Engine,
    hypotheses: &Bound<'py, PyAny>,
    references: &Bound<'py, PyAny>,
    missing: bool,
) -> PyResult<Rows<'py>> {
    let kind = if missing { Missing::Keep } else { Missing::Refuse };
    match Lists::new(hypotheses, references, kind, engine.metric.splits_at_spaces())? {
        Some(lists) => Ok(Rows::Lists(lists)),
        None => {
            let (hypotheses, references) = columns(hypotheses, references, missing)?;
            Ok(Rows::Columns(hypotheses, references))
        }
    }
}

/// Two columns of the same length.
pub fn columns(
    hypotheses: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
    missing: bool,
) -> PyResult<(Column, Column)> {
    let missing = if missing { Missing::Keep } else { Missing::Refuse };
    let hypotheses = match arrow::import(hypotheses)? {
        Some(arrays) => arrow::hypotheses(&arrays)?,
        None => python::hypotheses(hypotheses, missing)?,
    };
    let tokenised = hypotheses.is_tokenised().filter(|_| hypotheses.len() > 0);
    let references = match arrow::import(references)? {
        Some(arrays) => arrow::references(&arrays, tokenised)?,
        None => python::references(references, missing, tokenised)?,
    };
    if hypotheses.len() != references.len() {
        return Err(python::unequal(hypotheses.len(), references.len()));
    }
    Ok((hypotheses, references))
}

/// The components of a report by name.
pub fn components<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in &report.components {
        match *value {
            Value::Count(n) => dict.set_item(name.as_ref(), n)?,
            Value::Number(x) => dict.set_item(name.as_ref(), x)?,
            Value::Flag(b) => dict.set_item(name.as_ref(), b)?,
        }
    }
    Ok(dict)
}

fn dialect_dict<'py>(py: Python<'py>, dialect: &Dialect) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", dialect.name)?;
    dict.set_item("aliases", PyTuple::new(py, dialect.aliases)?)?;
    dict.set_item("reproduces", dialect.reproduces)?;
    dict.set_item("summary", dialect.summary)?;
    dict.set_item("agreement", dialect.agreement)?;
    dict.set_item("decimals", dialect.decimals)?;
    dict.set_item("lower_is_better", dialect.lower_is_better)?;
    Ok(dict)
}

/// Every dialect, in the order in which they are listed to people.
#[pyfunction]
pub fn dialects(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let dicts = DIALECTS.iter().map(|dialect| dialect_dict(py, dialect));
    PyList::new(py, dicts.collect::<PyResult<Vec<_>>>()?)
}
