//! Converts the caller's arguments to texts that can be scored: one segment, lists, or two columns.

use crate::arrow;
use crate::error::{InvalidSegmentError, raise};
use crate::interrupt::Interrupt;
use crate::python::{self, Lists, Missing};
use crate::rows::Column;
use crate::segments::SegmentReader;
use bolide::{Metric, Segment, Text};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

/// The texts to score.
pub enum Rows<'py> {
    /// Two columns of the same length, which can be read without the interpreter.
    Columns(Column, Column),
    /// Lists, which are read a few rows at a time.
    Lists(Lists<'py>),
}

impl<'py> Rows<'py> {
    /// Keeps lists as they are, and converts everything else to two columns.
    pub fn new(
        metric: &Metric,
        hypotheses: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
        missing: bool,
    ) -> PyResult<Self> {
        let kind = if missing { Missing::Keep } else { Missing::Refuse };
        let joins = bolide::unstable::splits_at_spaces(metric);
        match Lists::new(hypotheses, references, kind, joins)? {
            Some(lists) => Ok(Rows::Lists(lists)),
            None => {
                let (hypotheses, references) = columns(hypotheses, references, missing)?;
                Ok(Rows::Columns(hypotheses, references))
            }
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Rows::Columns(hypotheses, _) => hypotheses.len(),
            Rows::Lists(lists) => lists.len(),
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

/// Calls `work` with the segment of one hypothesis and its references, if their number agrees with the metric's
/// name.
pub fn with_segment<T: Send>(
    metric: &Metric,
    hypothesis: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
    work: impl FnOnce(Segment<'_>) -> T + Send,
) -> PyResult<T> {
    let interrupt = Interrupt::default();
    let question = || interrupt.look();
    let checked = |segment: Segment<'_>| {
        metric.check_references(segment.references().len())?;
        Ok(work(segment.stopped_by(&question)))
    };
    let done = with_checked(hypothesis, references, checked);
    interrupt.raise()?;
    done
}

fn with_checked<T: Send>(
    hypothesis: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
    checked: impl FnOnce(Segment<'_>) -> bolide::Result<T> + Send,
) -> PyResult<T> {
    let py = hypothesis.py();
    // The common case: strings, which are read in place.
    if let Ok(hypothesis) = hypothesis.cast::<PyString>() {
        let hypothesis = hypothesis.to_str()?;
        if let Ok(reference) = references.cast::<PyString>() {
            let reference = [Text::Raw(reference.to_str()?)];
            return with_texts(py, hypothesis, &reference, checked);
        }
        if let Some(references) = strings(references) {
            let texts = references.iter_borrowed().map(|text| text.extract().map(Text::Raw));
            let texts = texts.collect::<PyResult<Vec<_>>>()?;
            return with_texts(py, hypothesis, &texts, checked);
        }
    }
    let (hypotheses, references) = one_row(hypothesis, references)?;
    let done = py.detach(|| {
        let (hypothesis, references) = hypotheses.row(0).zip(references.row(0))?;
        SegmentReader::default().with_segment(hypothesis, references, checked)
    });
    let no_reference =
        || InvalidSegmentError::new_err("a segment needs at least one reference, got none");
    done.ok_or_else(no_reference)?.map_err(raise)
}

/// For fewer bytes than this, releasing the interpreter takes longer than scoring.
const WORTH_RELEASING: usize = 1000;

fn with_texts<T: Send>(
    py: Python<'_>,
    hypothesis: &str,
    references: &[Text<'_>],
    work: impl FnOnce(Segment<'_>) -> bolide::Result<T> + Send,
) -> PyResult<T> {
    let segment = Segment::new(Text::Raw(hypothesis), references).map_err(raise)?;
    let length = |text: &Text<'_>| match text {
        Text::Raw(text) => text.len(),
        Text::Tokens(tokens) => tokens.len(),
    };
    let n_bytes = hypothesis.len() + references.iter().map(length).sum::<usize>();
    let done = if n_bytes < WORTH_RELEASING { work(segment) } else { py.detach(|| work(segment)) };
    done.map_err(raise)
}

/// A list or a tuple of strings, as a tuple, which cannot change while it is read.
fn strings<'py>(texts: &Bound<'py, PyAny>) -> Option<Bound<'py, PyTuple>> {
    let texts = match texts.cast_exact::<PyList>() {
        Ok(list) => list.to_tuple(),
        Err(_) => texts.cast_exact::<PyTuple>().ok()?.clone(),
    };
    let all = texts.iter_borrowed().all(|text| text.is_instance_of::<PyString>());
    (all && !texts.is_empty()).then_some(texts)
}

/// Two columns of one row each.
fn one_row(
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
