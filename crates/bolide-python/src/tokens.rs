//! Token lists that are read in place: lists of strings, with one tokenised reference each.
//!
//! Tuples of a list's tokens keep the strings alive and cannot change while the interpreter is released, so the
//! tokens are neither copied nor joined. Everything else is read by `python`, which also raises the errors.

use bolide::{Segment, Text};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

/// The tokens of a row: of the hypothesis, and of its reference.
pub type Row<'py> = [Bound<'py, PyTuple>; 2];

/// The row, if it is of this kind.
pub fn row<'py>(
    hypothesis: Borrowed<'_, 'py, PyAny>,
    reference: Borrowed<'_, 'py, PyAny>,
) -> Option<Row<'py>> {
    let hypothesis = hypothesis.cast::<PyList>().ok()?;
    let reference = reference.cast::<PyList>().ok()?;
    let first = reference.get_item(0).ok()?;
    let reference = match first.cast_into::<PyString>() {
        Ok(_) => reference.to_tuple(),
        // A list of references, of which there is one.
        Err(other) if reference.len() == 1 => other.into_inner().cast::<PyList>().ok()?.to_tuple(),
        Err(_) => return None,
    };
    Some([hypothesis.to_tuple(), reference])
}

/// The tokens of consecutive rows.
pub struct TokenPairs<'a> {
    words: Vec<&'a str>,
    /// By row: where the hypothesis starts, and where it and the reference end.
    rows: Vec<[usize; 3]>,
}

impl<'a> TokenPairs<'a> {
    /// `None` if a token is not a string, or has lone surrogates.
    pub fn new(rows: &'a [Row<'_>]) -> Option<Self> {
        let mut pairs = TokenPairs {
            words: Vec::with_capacity(rows.iter().flatten().map(|side| side.len()).sum()),
            rows: Vec::with_capacity(rows.len()),
        };
        for sides in rows {
            let mut ends = [pairs.words.len(); 3];
            for (side, end) in sides.iter().zip(&mut ends[1..]) {
                for token in side.iter_borrowed() {
                    pairs.words.push(<&str>::extract(token).ok()?);
                }
                *end = pairs.words.len();
            }
            pairs.rows.push(ends);
        }
        Some(pairs)
    }

    /// Calls `work` with the segment of a row.
    pub fn with_segment<T>(&self, idx: usize, work: impl FnOnce(Segment<'_>) -> T) -> Option<T> {
        let &[start, middle, end] = self.rows.get(idx)?;
        let reference = [Text::Tokens(self.words.get(middle..end)?)];
        Segment::new(Text::Tokens(self.words.get(start..middle)?), &reference).ok().map(work)
    }
}
