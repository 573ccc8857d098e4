//! One Arrow batch after the other on the calling thread, for engines that bring threads of their
//! own: Spark, DuckDB, Ray.
//!
//! The interpreter is released while a batch is read, so such threads do run side by side. A row
//! that cannot be scored is no error here: it has no score and no statistics, and `batch_problems`
//! says why. What becomes of such rows is left to the callers.

use crate::arrow;
use crate::floats::{Floats, Values};
use crate::metric::{Metric, columns};
use crate::rows::Column;
use crate::run::{Engine, Reader};
use crate::statistics::{self, Statistics};
use arrow_array::builder::{BinaryBuilder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, BinaryArray};
use arrow_schema::DataType;
use bolide::{AnyStats, Segment, resample};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyTuple};
use std::sync::{Arc, Mutex};

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ArrowArray>()?;
    module.add_class::<Groups>()?;
    module.add_function(wrap_pyfunction!(batch_scores, module)?)?;
    module.add_function(wrap_pyfunction!(batch_problems, module)?)?;
    module.add_function(wrap_pyfunction!(batch_statistics, module)?)?;
    module.add_function(wrap_pyfunction!(batch_counts, module)?)?;
    module.add_function(wrap_pyfunction!(n_counts, module)?)?;
    module.add_function(wrap_pyfunction!(finish_counts, module)?)?;
    module.add_function(wrap_pyfunction!(merge_statistics, module)?)?;
    module.add_function(wrap_pyfunction!(confidence_of_rows, module)?)
}

/// An array on its way to Python, through the Arrow C data interface.
#[pyclass(frozen, module = "bolide._bolide")]
pub struct ArrowArray(ArrayRef);

#[pymethods]
impl ArrowArray {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The Arrow C data interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        arrow::export(py, &self.0)
    }
}

/// Calls `visit` with the segment of each row, or nothing where the row has none.
fn each_segment(
    (hypotheses, references): &(Column, Column),
    mut visit: impl FnMut(usize, Option<Segment<'_>>),
) {
    let mut reader = Reader::default();
    for idx in 0..hypotheses.len() {
        let sides = hypotheses.row(idx).zip(references.row(idx));
        let read = sides.and_then(|(hypothesis, references)| {
            reader.with_segment(hypothesis, references, |segment| visit(idx, Some(segment)))
        });
        if read.is_none() {
            visit(idx, None);
        }
    }
}

/// The score of each row; null where there is none.
#[pyfunction]
fn batch_scores(
    py: Python<'_>,
    metric: &Metric,
    hypotheses: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> PyResult<Floats> {
    let columns = columns(hypotheses, references, true)?;
    let engine = &metric.0;
    Ok(py.detach(|| {
        let mut scores = Values::with_capacity(columns.0.len());
        engine.with_scratch(|scratch| {
            each_segment(&columns, |_, segment| {
                scores.push(segment.map(|segment| engine.metric.score(segment, scratch)));
            });
        });
        Floats::new(scores)
    }))
}

/// Why a row has no score; null where it has one.
#[pyfunction]
fn batch_problems(
    py: Python<'_>,
    hypotheses: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> PyResult<ArrowArray> {
    let (hypotheses, references) = columns(hypotheses, references, true)?;
    Ok(py.detach(|| {
        let mut problems = StringBuilder::new();
        for idx in 0..hypotheses.len() {
            problems.append_option(match (hypotheses.row(idx), references.row(idx)) {
                (None, _) => Some("the hypothesis is null"),
                (_, None) => Some("the reference is null"),
                (_, Some(row)) if row.texts().next().is_none() => Some("there is no reference"),
                _ => None,
            });
        }
        ArrowArray(Arc::new(problems.finish()))
    }))
}

/// The statistics of each row as bytes; null where there are none.
#[pyfunction]
fn batch_statistics(
    py: Python<'_>,
    metric: &Metric,
    hypotheses: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> PyResult<ArrowArray> {
    let columns = columns(hypotheses, references, true)?;
    let engine = &metric.0;
    Ok(py.detach(|| {
        let mut rows = BinaryBuilder::new();
        engine.with_scratch(|scratch| {
            each_segment(&columns, |_, segment| {
                rows.append_option(segment.map(|segment| {
                    let n = segment.references().len();
                    statistics::write(&engine.metric.segment(segment, scratch), 1, (n, n))
                }));
            });
        });
        ArrowArray(Arc::new(rows.finish()))
    }))
}

/// The statistics of each row as integers that add up; null where there are none.
#[pyfunction]
fn batch_counts(
    py: Python<'_>,
    metric: &Metric,
    hypotheses: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> PyResult<ArrowArray> {
    let columns = columns(hypotheses, references, true)?;
    let engine = &metric.0;
    let counts = py.detach(|| {
        let mut rows = ListBuilder::new(Int64Builder::new());
        let mut first_without = None;
        engine.with_scratch(|scratch| {
            each_segment(&columns, |idx, segment| {
                let counts =
                    segment.map(|segment| engine.metric.segment(segment, scratch).to_counts());
                if let Some(None) = counts {
                    first_without.get_or_insert(idx);
                }
                let counts = counts.flatten();
                rows.values().append_slice(counts.as_deref().unwrap_or_default());
                rows.append(counts.is_some());
            });
        });
        first_without.map_or_else(|| Ok(rows.finish()), Err)
    });
    counts.map(|counts| ArrowArray(Arc::new(counts))).map_err(|idx| {
        let name = metric.0.metric.dialect().name;
        PyValueError::new_err(format!(
            "row {idx}: the statistics of {name} are more than sums, so they cannot be added in SQL"
        ))
    })
}

/// How many integers the statistics of a metric are, or None if they are more than sums.
#[pyfunction]
fn n_counts(metric: &Metric) -> Option<usize> {
    let engine = &metric.0;
    let texts = [bolide::Text::Raw("a")];
    let segment = bolide::Segment::new(texts[0], &texts).ok()?;
    let stats = engine.with_scratch(|scratch| engine.metric.segment(segment, scratch));
    stats.to_counts().map(|counts| counts.len())
}

/// The corpus score of each row of summed integers; null where there are none.
#[pyfunction]
fn finish_counts(metric: &Metric, sums: &Bound<'_, PyAny>) -> PyResult<Floats> {
    let arrays = arrow::import(sums)?.unwrap_or_default();
    let engine = &metric.0;
    let mut scores = Values::default();
    for array in &arrays {
        if *array.data_type() == DataType::Null {
            scores.extend(std::iter::repeat_n(None, array.len()));
            continue;
        }
        let list = array.as_list_opt::<i32>().ok_or_else(|| {
            PyTypeError::new_err(format!("expected BIGINT[], got {}", array.data_type()))
        })?;
        for row in 0..list.len() {
            if list.is_null(row) {
                scores.push(None);
                continue;
            }
            let values = list.value(row);
            let values = values.as_primitive_opt::<Int64Type>().ok_or_else(|| {
                PyTypeError::new_err(format!("expected BIGINT[], got {}", array.data_type()))
            })?;
            // The sums over no row at all are null, each of them.
            if !values.is_empty() && values.null_count() == values.len() {
                scores.push(None);
                continue;
            }
            let counts = Some(values).filter(|values| values.null_count() == 0);
            let stats = counts.and_then(|values| engine.metric.stats_from_counts(values.values()));
            let stats = stats.ok_or_else(|| {
                PyValueError::new_err(format!(
                    "these are not the summed statistics of {}",
                    engine.metric.dialect().name
                ))
            })?;
            scores.push(Some(engine.metric.finish(&stats).score));
        }
    }
    Ok(Floats::new(scores))
}

/// The statistics of several corpora at once: rows are added to the group of their number.
#[pyclass(frozen, module = "bolide._bolide")]
pub struct Groups {
    engine: Arc<Engine>,
    groups: Mutex<Vec<Group>>,
}

struct Group {
    stats: AnyStats,
    n_segments: usize,
    n_references: (usize, usize),
    n_skipped: usize,
}

#[pymethods]
impl Groups {
    #[new]
    fn new(metric: &Metric) -> Self {
        Groups { engine: Arc::clone(&metric.0), groups: Mutex::default() }
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
        let largest = match &numbers {
            None => (columns.0.len() > 0).then_some(0),
            Some(numbers) => numbers.iter().max().copied(),
        };
        py.detach(|| {
            // A panic of another thread cannot leave a group half-merged: merging does not panic.
            let mut groups = self.groups.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            while largest.is_some_and(|largest| groups.len() <= largest) {
                groups.push(Group {
                    stats: self.engine.metric.empty(),
                    n_segments: 0,
                    n_references: (usize::MAX, 0),
                    n_skipped: 0,
                });
            }
            let metric = &self.engine.metric;
            self.engine.with_scratch(|scratch| {
                each_segment(&columns, |idx, segment| {
                    let group = &mut groups[numbers.as_ref().map_or(0, |numbers| numbers[idx])];
                    let Some(segment) = segment else {
                        group.n_skipped += 1;
                        return;
                    };
                    let n = segment.references().len();
                    metric.add(segment, scratch, &mut group.stats);
                    group.n_segments += 1;
                    let (least, most) = group.n_references;
                    group.n_references = (least.min(n), most.max(n));
                });
            });
        });
        Ok(())
    }

    /// The statistics of each group as bytes, and the rows that could not be scored.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Vec<(Bound<'py, PyBytes>, usize)> {
        let groups = self.groups.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let bytes = |group: &Group| {
            let bytes = statistics::write(&group.stats, group.n_segments, group.n_references);
            (PyBytes::new(py, &bytes), group.n_skipped)
        };
        groups.iter().map(bytes).collect()
    }
}

/// Group numbers. One that is negative or null is a mistake of the caller.
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

/// Statistics that came as bytes, merged in order.
#[pyfunction]
fn merge_statistics(metric: &Metric, parts: Vec<Vec<u8>>) -> PyResult<Statistics> {
    let engine = &metric.0;
    let (mut total, mut n_total) = (engine.metric.empty(), 0);
    let (mut least, mut most) = (usize::MAX, 0);
    for (idx, bytes) in parts.iter().enumerate() {
        let (stats, n_segments, (a, b)) =
            statistics::read(engine, bytes).ok_or_else(|| damaged(idx))?;
        total.merge(&stats);
        n_total += n_segments;
        (least, most) = (least.min(a), most.max(b));
    }
    Ok(Statistics::new(Arc::clone(engine), total, n_total, (least, most)))
}

fn damaged(idx: usize) -> PyErr {
    PyValueError::new_err(format!("these bytes are no statistics of this metric (row {idx})"))
}

/// The corpus of statistics rows in an Arrow column of bytes, and where the score of another one
/// like it would lie: the mean of the bootstrap samples and half the width of their 95 % interval.
#[pyfunction]
fn confidence_of_rows(
    py: Python<'_>,
    metric: &Metric,
    rows: &Bound<'_, PyAny>,
    n_samples: usize,
    seed: u64,
) -> PyResult<(Statistics, f64, f64)> {
    let engine = &metric.0;
    let wrong = || PyTypeError::new_err("rows: expected an Arrow column of bytes");
    let (mut total, mut stats) = (engine.metric.empty(), Vec::new());
    let (mut least, mut most) = (usize::MAX, 0);
    for array in arrow::import(rows)?.ok_or_else(wrong)? {
        let array = array.as_any().downcast_ref::<BinaryArray>().ok_or_else(wrong)?;
        for bytes in array.iter().flatten() {
            let (row, _, (a, b)) =
                statistics::read(engine, bytes).ok_or_else(|| damaged(stats.len()))?;
            total.merge(&row);
            stats.push(row);
            (least, most) = (least.min(a), most.max(b));
        }
    }
    let interval = py.detach(|| {
        let sample = resample::Sample::new(&engine.metric, &stats);
        let scores = resample::bootstrap(&[sample], n_samples, seed);
        scores.first().map(resample::Scores::confidence)
    });
    let (mean, half_width) =
        interval.map_or((f64::NAN, f64::NAN), |interval| (interval.mean, interval.half_width));
    let statistics = Statistics::new(Arc::clone(engine), total, stats.len(), (least, most));
    Ok((statistics, mean, half_width))
}
