//! Reads columns of Python objects: strings, token lists, lists of either.
//!
//! The rules, for a row of references: beside an untokenised hypothesis a string is one reference
//! and a list of strings several; beside a token list a list of strings is one tokenised reference
//! and a list of token lists several.

use crate::rows::{Chunk, Column, Copied, MISSING, Parts, Strings};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyList, PyString, PyTuple};
use std::fmt::Arguments;

/// A Python string that is kept alive and read without the interpreter.
pub use pyo3::pybacked::PyBackedStr as Kept;

/// What becomes of `None`, `NaN` and `NA` in the place of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// A mistake.
    Refuse,
    /// No score.
    Keep,
}

/// Reads hypotheses, one text each.
pub fn hypotheses(rows: &Bound<'_, PyAny>, missing: Missing) -> PyResult<Column> {
    let mut reader = Reader::new("hypothesis", missing);
    each(rows, format_args!("hypotheses"), |row| reader.hypothesis(row))?;
    Ok(Column::new(vec![reader.finish()]))
}

/// Reads references, one text or more for each row. `tokenised` says what the hypotheses are.
pub fn references(
    rows: &Bound<'_, PyAny>,
    missing: Missing,
    tokenised: Option<bool>,
) -> PyResult<Column> {
    let mut reader = Reader::new("reference", missing);
    reader.tokenised = tokenised;
    each(rows, format_args!("references"), |row| reader.references(row))?;
    Ok(Column::new(vec![reader.finish()]))
}

/// Calls `visit` for each element of a list, a tuple or anything else that can be iterated over.
fn each<'py>(
    rows: &Bound<'py, PyAny>,
    what: Arguments<'_>,
    mut visit: impl FnMut(&Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    // The elements of a tuple can be borrowed; a list may be changed while they are looked at.
    if let Ok(list) = rows.cast::<PyList>() {
        return list.to_tuple().iter_borrowed().try_for_each(|row| visit(&row));
    }
    if let Ok(tuple) = rows.cast::<PyTuple>() {
        return tuple.iter_borrowed().try_for_each(|row| visit(&row));
    }
    if is_text(rows) {
        return Err(PyTypeError::new_err(format!(
            "{what}: expected a list or a column with one entry for each segment, got {}",
            describe(rows)
        )));
    }
    let rows = rows.try_iter().map_err(|_| {
        PyTypeError::new_err(format!(
            "{what}: expected a list or a column with one entry for each segment, got {}",
            describe(rows)
        ))
    })?;
    for row in rows {
        visit(&row?)?;
    }
    Ok(())
}

fn is_text(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>()
}

/// `None`, a NaN, pandas' `NA` and `NaT`.
fn is_missing(object: &Bound<'_, PyAny>) -> bool {
    if object.is_none() {
        return true;
    }
    // The usual things, before the name of a type is asked for.
    if object.is_instance_of::<PyList>() || is_text(object) {
        return false;
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        return number.value().is_nan();
    }
    object.get_type().name().is_ok_and(|name| name == "NAType" || name == "NaTType")
}

/// The type of an object, for messages.
pub fn describe(object: &Bound<'_, PyAny>) -> String {
    if object.is_none() {
        return "None".to_owned();
    }
    match object.get_type().name() {
        Ok(name) => format!("an object of type {name}"),
        Err(_) => "something else".to_owned(),
    }
}

/// Collects rows. Whether texts are tokenised is decided by the first one and then holds for all.
struct Reader {
    what: &'static str,
    missing: Missing,
    tokenised: Option<bool>,
    /// The texts, if they are not tokenised.
    strings: Vec<Kept>,
    /// The tokens of all texts, if they are.
    words: Copied,
    /// The words of each text.
    tokens: Vec<(usize, usize)>,
    rows: Vec<(usize, usize)>,
}

impl Reader {
    fn new(what: &'static str, missing: Missing) -> Self {
        Reader {
            what,
            missing,
            tokenised: None,
            strings: Vec::new(),
            words: Copied::default(),
            tokens: Vec::new(),
            rows: Vec::new(),
        }
    }

    fn finish(self) -> Chunk {
        let (strings, tokens) = match self.tokenised {
            Some(true) => (Strings::Copied(self.words), Some(Parts::Ranges(self.tokens))),
            _ => (Strings::Python(self.strings), None),
        };
        Chunk { strings, tokens, texts: Parts::Ranges(self.rows) }
    }

    /// The number of texts so far.
    fn n_texts(&self) -> usize {
        if self.tokenised == Some(true) { self.tokens.len() } else { self.strings.len() }
    }

    fn hypothesis(&mut self, row: &Bound<'_, PyAny>) -> PyResult<()> {
        let start = self.n_texts();
        if let Ok(text) = row.cast::<PyString>() {
            self.raw(text)?;
        } else if is_missing(row) {
            return self.skip(row);
        } else {
            self.token_list(row)?;
        }
        self.rows.push((start, self.n_texts()));
        Ok(())
    }

    fn references(&mut self, row: &Bound<'_, PyAny>) -> PyResult<()> {
        let start = self.n_texts();
        if let Ok(text) = row.cast::<PyString>() {
            self.raw(text)?;
        } else if is_missing(row) {
            return self.skip(row);
        } else if self.tokenised == Some(true) && !holds_lists(row)? {
            self.token_list(row)?;
        } else {
            self.several(row)?;
        }
        if self.n_texts() == start {
            return Err(crate::error::InvalidSegmentError::new_err(format!(
                "segment {}: at least one reference is needed, got none",
                self.rows.len()
            )));
        }
        self.rows.push((start, self.n_texts()));
        Ok(())
    }

    /// A list of references; `None` in it stands for a reference that is not there.
    fn several(&mut self, row: &Bound<'_, PyAny>) -> PyResult<()> {
        let idx = self.rows.len();
        each(row, format_args!("segment {idx}: references"), |reference| {
            if let Ok(text) = reference.cast::<PyString>() {
                self.raw(text)
            } else if is_missing(reference) {
                Ok(())
            } else {
                self.token_list(reference)
            }
        })
    }

    fn raw(&mut self, text: &Bound<'_, PyString>) -> PyResult<()> {
        self.expect(false)?;
        self.strings.push(Kept::try_from(text.clone())?);
        Ok(())
    }

    fn token_list(&mut self, tokens: &Bound<'_, PyAny>) -> PyResult<()> {
        if is_text(tokens) {
            return Err(self.unexpected(tokens));
        }
        self.expect(true)?;
        let start = self.words.len();
        let (idx, what) = (self.rows.len(), self.what);
        each(tokens, format_args!("segment {idx}: {what}"), |token| {
            let token = token.cast::<PyString>().map_err(|_| {
                PyTypeError::new_err(format!(
                    "segment {idx}: the tokens of a {what} are strings, got {}",
                    describe(token)
                ))
            })?;
            self.words.push(token.extract()?);
            Ok(())
        })?;
        self.tokens.push((start, self.words.len()));
        Ok(())
    }

    fn expect(&mut self, tokenised: bool) -> PyResult<()> {
        match self.tokenised.replace(tokenised) {
            Some(before) if before != tokenised => {
                let (given, expected) =
                    if tokenised { ("tokens", "a string") } else { ("a string", "tokens") };
                Err(PyTypeError::new_err(format!(
                    "segment {}: this {} is {given} where {expected} came before: \
                     hypotheses and references are all strings or all token lists",
                    self.rows.len(),
                    self.what
                )))
            }
            _ => Ok(()),
        }
    }

    fn skip(&mut self, row: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.missing == Missing::Refuse {
            return Err(self.unexpected(row));
        }
        self.rows.push((MISSING, MISSING));
        Ok(())
    }

    fn unexpected(&self, row: &Bound<'_, PyAny>) -> PyErr {
        PyTypeError::new_err(format!(
            "segment {}: a {} is a string or a list of tokens, got {}",
            self.rows.len(),
            self.what,
            describe(row)
        ))
    }
}

/// Whether the first element that is there is itself a list: token lists rather than tokens.
fn holds_lists(row: &Bound<'_, PyAny>) -> PyResult<bool> {
    if let Some(first) = row.cast::<PyList>().ok().and_then(|list| list.get_item(0).ok())
        && !is_missing(&first)
    {
        return Ok(!is_text(&first));
    }
    let Ok(elements) = row.try_iter() else { return Ok(false) };
    for element in elements {
        let element = element?;
        if !is_missing(&element) {
            return Ok(!is_text(&element));
        }
    }
    Ok(false)
}

/// The error for columns of different lengths, with a word on the usual cause.
pub fn unequal(hypotheses: usize, references: usize) -> PyErr {
    let hint = if references < hypotheses && references > 0 {
        "; references go by segment, so turn reference streams around with zip(*references)"
    } else {
        ""
    };
    PyValueError::new_err(format!(
        "{hypotheses} hypotheses need as many entries of references, got {references}{hint}"
    ))
}
