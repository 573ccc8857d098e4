//! Scores one Arrow batch at a time on the calling thread, for engines with their own threads: Spark, DuckDB,
//! Ray.
//!
//! The interpreter is released while a batch is scored, so these threads run in parallel. A row that cannot be
//! scored is not an error here: it has no score and no statistics, and `batch_problems` says why. Callers decide
//! what to do with such rows; `groups` handles groups of rows.

use crate::arrow;
use crate::columns::lists;
use crate::corpus::Corpus;
use crate::error::raise;
use crate::floats::{Floats, Values};
use crate::input::columns;
use crate::metric::Metric;
use crate::rows::{Column, MISSING};
use crate::segments::SegmentReader;
use crate::significance::confidence;
use arrow_array::builder::{BinaryBuilder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use bolide::{ErrorKind, Scorer, Segment};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::sync::Arc;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ArrowArray>()?;
    module.add_function(wrap_pyfunction!(batch_scores, module)?)?;
    module.add_function(wrap_pyfunction!(batch_problems, module)?)?;
    module.add_function(wrap_pyfunction!(batch_statistics, module)?)?;
    module.add_function(wrap_pyfunction!(batch_counts, module)?)?;
    module.add_function(wrap_pyfunction!(finish_counts, module)?)?;
    module.add_function(wrap_pyfunction!(list_scores, module)?)?;
    module.add_function(wrap_pyfunction!(merge_corpora, module)?)?;
    module.add_function(wrap_pyfunction!(confidence_of_rows, module)?)
}

/// An array that Python reads through the Arrow C data interface.
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

/// Calls `visit` with the segment of each row, or with `None` if the row has none.
pub fn each_segment(
    (hypotheses, references): &(Column, Column),
    mut visit: impl FnMut(usize, Option<Segment<'_>>),
) {
    let mut reader = SegmentReader::default();
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

/// The result of `make` for the segment of each row; `None` if the row has none. The number of references must
/// agree with the metric's name.
fn each_scored<T>(
    metric: &bolide::Metric,
    columns: &(Column, Column),
    mut make: impl FnMut(Segment<'_>, &mut Scorer) -> bolide::Result<T>,
    mut take: impl FnMut(Option<T>),
) -> PyResult<()> {
    let mut scorer = metric.scorer();
    let mut problem = None;
    each_segment(columns, |idx, segment| {
        let made = segment.map(|segment| {
            metric.check_references(segment.references().len())?;
            make(segment, &mut scorer)
        });
        match made.transpose() {
            Ok(made) => take(made),
            Err(error) => _ = problem.get_or_insert((idx, error)),
        }
    });
    match problem {
        None => Ok(()),
        Some((idx, error)) => {
            Err(raise(bolide::Error::new(error.kind(), format!("row {idx}: {error}"))))
        }
    }
}

/// The score of each row, or null if there is none.
#[pyfunction]
fn batch_scores(
    py: Python<'_>,
    metric: &Metric,
    hypotheses: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> PyResult<Floats> {
    let columns = columns(hypotheses, references, true)?;
    py.detach(|| {
        let mut scores = Values::with_capacity(columns.0.len());
        let score = |segment: Segment<'_>, scorer: &mut Scorer| Ok(scorer.value(segment));
        each_scored(&metric.engine, &columns, score, |score| scores.push(score))?;
        Ok(Floats::new(scores))
    })
}

/// Why a row has no score; null if it has one.
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

/// The corpus of each row as bytes, or null if there is none.
#[pyfunction]
fn batch_statistics(
    py: Python<'_>,
    metric: &Metric,
    hypotheses: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> PyResult<ArrowArray> {
    let columns = columns(hypotheses, references, true)?;
    py.detach(|| {
        let mut rows = BinaryBuilder::new();
        let bytes = |segment: Segment<'_>, scorer: &mut Scorer| {
            let mut corpus = metric.engine.corpus();
            scorer.push(segment, &mut corpus)?;
            Ok(corpus.to_bytes())
        };
        each_scored(&metric.engine, &columns, bytes, |bytes| rows.append_option(bytes))?;
        Ok(ArrowArray(Arc::new(rows.finish())))
    })
}

/// The statistics of each row as integers that can be added, or null if there are none.
#[pyfunction]
fn batch_counts(
    py: Python<'_>,
    metric: &Metric,
    hypotheses: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> PyResult<ArrowArray> {
    let columns = columns(hypotheses, references, true)?;
    py.detach(|| {
        let mut rows = ListBuilder::new(Int64Builder::new());
        let counts = |segment: Segment<'_>, scorer: &mut Scorer| {
            scorer.statistics(segment).to_counts().ok_or_else(|| {
                let name = metric.engine.dialect().name;
                bolide::Error::new(
                    ErrorKind::InvalidStatistics,
                    format!("the statistics of {name} are more than sums, so they cannot be added in SQL"),
                )
            })
        };
        each_scored(&metric.engine, &columns, counts, |counts| {
            rows.values().append_slice(counts.as_deref().unwrap_or_default());
            rows.append(counts.is_some());
        })?;
        Ok(ArrowArray(Arc::new(rows.finish())))
    })
}

/// The corpus score of each row of summed integers, or null if there are none.
#[pyfunction]
fn finish_counts(metric: &Metric, sums: &Bound<'_, PyAny>) -> PyResult<Floats> {
    let arrays = arrow::import(sums)?.unwrap_or_default();
    let mut scores = Values::default();
    for array in &arrays {
        if *array.data_type() == DataType::Null {
            scores.extend(std::iter::repeat_n(None, array.len()));
            continue;
        }
        let wrong =
            || PyTypeError::new_err(format!("expected BIGINT[], got {}", array.data_type()));
        let (ranges, below) = lists(array).ok_or_else(wrong)?;
        let all = below.as_primitive_opt::<Int64Type>().ok_or_else(wrong)?;
        for (start, end) in ranges {
            if start == MISSING {
                scores.push(None);
                continue;
            }
            let values = all.slice(start, end - start);
            // If no rows were summed, all sums are null.
            if !values.is_empty() && values.null_count() == values.len() {
                scores.push(None);
                continue;
            }
            // If only some are null, or some are missing, they are not sums.
            let counts = if values.null_count() == 0 { &values.values()[..] } else { &[] };
            let stats = metric.engine.statistics_from_counts(counts);
            let score = stats.and_then(|stats| metric.engine.finish(&stats)).map_err(raise)?;
            scores.push(Some(score.value));
        }
    }
    Ok(Floats::new(scores))
}

/// The corpus score of each row, which has the list of a group's hypotheses and that of their references. Null if
/// one of them is null, or nothing of them can be scored.
#[pyfunction]
fn list_scores(
    py: Python<'_>,
    metric: &Metric,
    hypotheses: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> PyResult<Floats> {
    let (hypotheses, references) = (gathered(hypotheses)?, gathered(references)?);
    let columns = {
        let column = arrow::hypotheses(&hypotheses.below)?;
        let tokenised = column.is_tokenised().filter(|_| column.len() > 0);
        (column, arrow::references(&references.below, tokenised)?)
    };
    py.detach(|| {
        let (mut scorer, mut reader) = (metric.engine.scorer(), SegmentReader::default());
        let mut scores = Values::with_capacity(hypotheses.rows.len());
        for (&(hyps, end), &(refs, refs_end)) in hypotheses.rows.iter().zip(&references.rows) {
            let (is_there, n_rows) = (hyps != MISSING && refs != MISSING, end - hyps);
            if is_there && n_rows != refs_end - refs {
                let problem =
                    "each list of hypotheses needs a list of references of the same length";
                return Err(PyValueError::new_err(problem));
            }
            let mut corpus = metric.engine.corpus();
            for idx in 0..if is_there { n_rows } else { 0 } {
                let sides = columns.0.row(hyps + idx).zip(columns.1.row(refs + idx));
                let pushed = sides.and_then(|(hypothesis, references)| {
                    let push = |segment: Segment<'_>| scorer.push(segment, &mut corpus);
                    reader.with_segment(hypothesis, references, push)
                });
                pushed.transpose().map_err(raise)?;
            }
            let score = (!corpus.is_empty()).then(|| corpus.score()).transpose().map_err(raise)?;
            scores.push(score.map(|score| score.value));
        }
        Ok(Floats::new(scores))
    })
}

/// A column of lists.
struct Lists {
    /// The range of each row in the arrays below, one after the other.
    rows: Vec<(usize, usize)>,
    below: Vec<ArrayRef>,
}

fn gathered(column: &Bound<'_, PyAny>) -> PyResult<Lists> {
    let (mut all, mut first) = (Lists { rows: Vec::new(), below: Vec::new() }, 0);
    for array in arrow::import(column)?.unwrap_or_default() {
        if *array.data_type() == DataType::Null {
            all.rows.extend(std::iter::repeat_n((MISSING, MISSING), array.len()));
            continue;
        }
        let (ranges, below) = lists(&array).ok_or_else(|| {
            PyTypeError::new_err(format!("expected a list of texts, got {}", array.data_type()))
        })?;
        let place = |(start, end)| match start {
            MISSING => (MISSING, MISSING),
            _ => (first + start, first + end),
        };
        all.rows.extend(ranges.into_iter().map(place));
        first += below.len();
        all.below.push(below);
    }
    Ok(all)
}

/// Reads corpora from bytes and merges them in order.
#[pyfunction]
fn merge_corpora(metric: &Metric, parts: Vec<Vec<u8>>) -> PyResult<Corpus> {
    let mut total = metric.engine.corpus();
    for (idx, bytes) in parts.iter().enumerate() {
        total.merge(&from_bytes(metric, idx, bytes)?).map_err(raise)?;
    }
    Ok(Corpus(total))
}

fn from_bytes(metric: &Metric, idx: usize, bytes: &[u8]) -> PyResult<bolide::Corpus> {
    metric.engine.corpus_from_bytes(bytes).map_err(|problem| {
        raise(bolide::Error::new(problem.kind(), format!("{problem} (row {idx})")))
    })
}

/// The corpus of the segments in an Arrow column of bytes, with the mean of its bootstrap samples and half the
/// width of their 95 % interval.
#[pyfunction]
fn confidence_of_rows(
    py: Python<'_>,
    metric: &Metric,
    rows: &Bound<'_, PyAny>,
    n_samples: usize,
    seed: u64,
) -> PyResult<(Corpus, f64, f64)> {
    let wrong = || PyTypeError::new_err("rows: expected an Arrow column of bytes");
    let (mut total, mut statistics) = (metric.engine.corpus(), Vec::new());
    for array in arrow::import(rows)?.ok_or_else(wrong)? {
        let mut add = |bytes: &[u8]| {
            let row = from_bytes(metric, statistics.len(), bytes)?;
            total.merge(&row).map_err(raise)?;
            statistics.push(row.statistics());
            Ok(())
        };
        match array.data_type() {
            DataType::Binary => array.as_binary::<i32>().iter().flatten().try_for_each(&mut add),
            DataType::LargeBinary => {
                array.as_binary::<i64>().iter().flatten().try_for_each(&mut add)
            }
            DataType::BinaryView => array.as_binary_view().iter().flatten().try_for_each(&mut add),
            _ => Err(wrong()),
        }?;
    }
    let (mean, half_width) = confidence(py, &metric.engine, &statistics, n_samples, seed)?;
    Ok((Corpus(total), mean, half_width))
}
