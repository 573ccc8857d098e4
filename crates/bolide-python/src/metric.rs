//! The class `Metric`: a configured metric.

use crate::corpus::Corpus;
use crate::error::raise;
use crate::floats::Floats;
use crate::input::{self, Rows};
use crate::registry::json;
use crate::run;
use crate::significance::confidence;
use crate::worker::Wanted;
use bolide::{Components, Resources, Score, Value};
use bolide_store::Store;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// A metric built from a partial signature.
#[pyclass(frozen, module = "bolide._bolide")]
pub struct Metric {
    pub(crate) engine: bolide::Metric,
    /// The full name: every score has it.
    signature: Py<PyString>,
}

#[pymethods]
impl Metric {
    #[new]
    fn new(py: Python<'_>, name: &str) -> PyResult<Self> {
        Metric::with_resources(py, name, &all_resources())
    }

    /// METEOR 1.5 with the compiled tables of a folder of the caller's choice.
    #[staticmethod]
    fn with_tables(py: Python<'_>, name: &str, folder: std::path::PathBuf) -> PyResult<Self> {
        let resources = Store::at(folder).load(Resources::embedded());
        Metric::with_resources(py, name, &resources)
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

    /// What the registry says of the dialect, as JSON.
    #[getter]
    fn dialect(&self) -> PyResult<String> {
        json(self.engine.dialect())
    }

    /// How many integers the statistics are, or None if they are more than sums.
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
        let score = input::with_segment(metric, hypothesis, references, |segment| {
            metric.scorer().score(segment)
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
        input::with_segment(metric, hypothesis, references, |segment| {
            metric.scorer().value(segment)
        })
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
        let rows = Rows::new(&self.engine, hypotheses, references, missing)?;
        let wanted = Wanted { scores: true, details, ..Wanted::default() };
        let outcome = run::run(py, &self.engine, rows, wanted, threads, progress)?;
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
        let rows = Rows::new(&self.engine, hypotheses, references, true)?;
        let wanted = Wanted { corpus: true, ..Wanted::default() };
        Ok(Corpus(run::run(py, &self.engine, rows, wanted, threads, progress)?.corpus))
    }

    /// The corpus and the scores of its segments, from reading it once.
    #[pyo3(signature = (hypotheses, references, *, threads, details))]
    fn corpus_and_segments<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
        threads: usize,
        details: bool,
    ) -> PyResult<(Corpus, Floats, Option<Bound<'py, PyDict>>)> {
        let rows = Rows::new(&self.engine, hypotheses, references, false)?;
        let wanted = Wanted { corpus: true, scores: true, details, ..Wanted::default() };
        let outcome = run::run(py, &self.engine, rows, wanted, threads, None)?;
        let details = details.then(|| self.detail_columns(py, &outcome.details)).transpose()?;
        Ok((Corpus(outcome.corpus), Floats::new(outcome.scores), details))
    }

    /// The corpus, and where the score of another one like it would lie: the mean of the bootstrap
    /// samples and half the width of their 95 % interval.
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
        let rows = Rows::new(&self.engine, hypotheses, references, true)?;
        let wanted = Wanted { corpus: true, statistics: true, ..Wanted::default() };
        let outcome = run::run(py, &self.engine, rows, wanted, threads, progress)?;
        let (mean, half_width) =
            confidence(py, &self.engine, &outcome.statistics, n_samples, seed)?;
        Ok((Corpus(outcome.corpus), mean, half_width))
    }

    /// A corpus that was written as bytes.
    fn corpus_from_bytes(&self, bytes: &[u8]) -> PyResult<Corpus> {
        self.engine.corpus_from_bytes(bytes).map(Corpus).map_err(raise)
    }

    /// A corpus without segments.
    fn empty(&self) -> Corpus {
        Corpus(self.engine.corpus())
    }

    /// The alignment and every step, as JSON.
    fn explain(
        &self,
        hypothesis: &Bound<'_, PyAny>,
        references: &Bound<'_, PyAny>,
    ) -> PyResult<String> {
        let metric = &self.engine;
        let explanation = input::with_segment(metric, hypothesis, references, |segment| {
            metric.explain_segment(segment)
        })?;
        json(&explanation.map_err(raise)?)
    }
}

impl Metric {
    fn with_resources(py: Python<'_>, name: &str, resources: &Resources) -> PyResult<Self> {
        let engine = bolide::Metric::build(name, resources).map_err(raise)?;
        let signature = PyString::new(py, &engine.signature().to_string()).unbind();
        Ok(Metric { engine, signature })
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

/// The embedded tables and, when METEOR 1.5 asks for them, those of the user's folder.
fn all_resources() -> Resources {
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
