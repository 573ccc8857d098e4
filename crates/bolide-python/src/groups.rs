//! The class `Groups`: the corpora of several groups of rows at once, for engines that group rows.

use crate::arrow;
use crate::batch::each_segment;
use crate::error::raise;
use crate::input::columns;
use crate::metric::Metric;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use bolide::Corpus;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Mutex;

/// Several corpora by one metric; each row is added to the corpus of its group.
#[pyclass(frozen, module = "bolide._bolide")]
pub struct Groups {
    metric: bolide::Metric,
    /// For each group, its corpus and the number of rows that could not be scored.
    groups: Mutex<Vec<(Corpus, usize)>>,
}

#[pymethods]
impl Groups {
    #[new]
    fn new(metric: &Metric) -> Self {
        Groups { metric: metric.engine.clone(), groups: Mutex::default() }
    }

    /// Adds the rows of a batch, in order. `groups` is an Arrow column of 64-bit integers, or None
    /// for the first group.
    fn update(
        &self,
        py: Python<'_>,
        hypotheses: &Bound<'_, PyAny>,
        references: &Bound<'_, PyAny>,
        groups: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let columns = columns(hypotheses, references, true)?;
        let numbers = groups.map(whole_numbers).transpose()?;
        if let Some(numbers) = numbers.as_ref().filter(|them| them.len() != columns.0.len()) {
            return Err(PyValueError::new_err(format!(
                "{} rows need as many groups, got {}",
                columns.0.len(),
                numbers.len()
            )));
        }
        let n_groups = match &numbers {
            None => usize::from(columns.0.len() > 0),
            Some(numbers) => numbers.iter().max().map_or(0, |largest| largest + 1),
        };
        py.detach(|| {
            // A poisoned lock is safe to use: merging does not panic, so no group is half-merged.
            let mut groups = self.groups.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            while groups.len() < n_groups {
                groups.push((self.metric.corpus(), 0));
            }
            let mut scorer = self.metric.scorer();
            let mut problem = Ok(());
            each_segment(&columns, |idx, segment| {
                let at = numbers.as_ref().map_or(0, |numbers| numbers[idx]);
                let (corpus, n_skipped) = &mut groups[at];
                match segment {
                    Some(segment) if problem.is_ok() => problem = scorer.push(segment, corpus),
                    Some(_) => {}
                    None => *n_skipped += 1,
                }
            });
            problem.map_err(raise)
        })
    }

    /// The corpus of each group as bytes, and the number of rows that could not be scored.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Vec<(Bound<'py, PyBytes>, usize)> {
        let groups = self.groups.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let bytes = |(corpus, n_skipped): &(Corpus, usize)| {
            (PyBytes::new(py, &corpus.to_bytes()), *n_skipped)
        };
        groups.iter().map(bytes).collect()
    }
}

/// Reads group numbers. A negative number or null is a mistake of the caller.
fn whole_numbers(column: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    let wrong = || PyTypeError::new_err("groups: expected an Arrow column of 64-bit whole numbers");
    let mut numbers = Vec::new();
    for array in arrow::import(column)?.ok_or_else(wrong)? {
        let values = array.as_primitive_opt::<Int64Type>().ok_or_else(wrong)?;
        for value in values {
            numbers.push(value.and_then(|value| usize::try_from(value).ok()).ok_or_else(wrong)?);
        }
    }
    Ok(numbers)
}
