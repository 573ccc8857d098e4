//! Reads columns of Python objects: strings, token lists, lists of either.
//!
//! The rules for a row of references: if the hypothesis is a string, a string is one reference and a list of
//! strings is several; if it is a token list, a list of strings is one tokenised reference and a list of token
//! lists is several.

use crate::rows::{Column, Copied, Grouping, MISSING, Strings, TextArray};
use crate::tokens::{self, Seen};
use bolide::unstable::TokenReader;
use bolide::unstable::text::whitespace::splits_into;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyList, PyString, PyTuple};
use std::fmt::Arguments;
use std::ops::Range;

/// A Python string that is kept alive and read without the interpreter.
pub use pyo3::pybacked::PyBackedStr as Kept;

/// How to treat a row that is `None`, `NaN` or `NA`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// Raise an exception.
    Refuse,
    /// Give the row no score.
    Keep,
}

/// Reads hypotheses, one text each.
pub fn hypotheses(rows: &Bound<'_, PyAny>, missing: Missing) -> PyResult<Column> {
    let mut builder = ColumnBuilder::new("hypothesis", missing);
    each(rows, format_args!("hypotheses"), |row| builder.hypothesis(row))?;
    Ok(Column::new(vec![builder.finish()]))
}

/// Reads references, one or more texts for each row. `tokenised` says whether the hypotheses are tokenised.
pub fn references(
    rows: &Bound<'_, PyAny>,
    missing: Missing,
    tokenised: Option<bool>,
) -> PyResult<Column> {
    let mut builder = ColumnBuilder::new("reference", missing);
    builder.tokenised = tokenised;
    each(rows, format_args!("references"), |row| builder.references(row))?;
    Ok(Column::new(vec![builder.finish()]))
}

/// Two lists or tuples of the same length. They are read a few rows at a time, so that the rows are still in the
/// cache when they are scored.
pub struct Lists<'py> {
    hypotheses: Bound<'py, PyAny>,
    references: Bound<'py, PyAny>,
    missing: Missing,
    /// Whether tokens may be joined with spaces: if the metric splits texts at spaces, reading one string is
    /// faster than reading many.
    joins: bool,
    /// Whether the hypotheses are tokenised; `None` before the first of them.
    tokenised: Option<bool>,
    len: usize,
}

impl<'py> Lists<'py> {
    /// `None` if they are neither lists nor tuples.
    pub fn new(
        hypotheses: &Bound<'py, PyAny>,
        references: &Bound<'py, PyAny>,
        missing: Missing,
        joins: bool,
    ) -> PyResult<Option<Self>> {
        let is_list = |rows: &Bound<'py, PyAny>| {
            rows.is_instance_of::<PyList>() || rows.is_instance_of::<PyTuple>()
        };
        if !is_list(hypotheses) || !is_list(references) {
            return Ok(None);
        }
        let (len, n_references) = (hypotheses.len()?, references.len()?);
        if len != n_references {
            return Err(unequal(len, n_references));
        }
        Ok(Some(Lists {
            hypotheses: hypotheses.clone(),
            references: references.clone(),
            missing,
            joins,
            tokenised: None,
            len,
        }))
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Some of the rows, in order.
    pub fn read(&mut self, rows: Range<usize>) -> PyResult<(Column, Column)> {
        self.read_with(rows, None)
    }

    /// The same with copies of the texts in one buffer. Reads at least one row, and stops after the row with which
    /// the copies exceed `bytes`. The column of references has the number of rows.
    pub fn copy(&mut self, rows: Range<usize>, bytes: usize) -> PyResult<(Column, Column)> {
        self.read_with(rows, Some(bytes))
    }

    /// Numbers the tokens of some of the rows, if all are lists of tokens. Stops after the row with which there are
    /// more than `n_tokens`.
    pub fn number(
        &mut self,
        rows: Range<usize>,
        n_tokens: usize,
        seen: &mut Seen<'py>,
        reader: &mut TokenReader<'_>,
    ) -> Option<()> {
        if self.tokenised == Some(false) {
            return None;
        }
        seen.prepare(rows.start == 0);
        for idx in rows {
            let (one, other) = (item(&self.hypotheses, idx)?, item(&self.references, idx)?);
            tokens::number(&one, &other, seen, reader)?;
            if reader.n_tokens() > n_tokens {
                break;
            }
        }
        self.tokenised = Some(true);
        Some(())
    }

    /// Some of the rows as tuples of tokens, if all are lists of tokens with one reference.
    pub fn token_rows(&mut self, rows: Range<usize>) -> PyResult<Option<Vec<tokens::Row<'py>>>> {
        if self.tokenised == Some(false) {
            return Ok(None);
        }
        let hypotheses = part(&self.hypotheses, rows.clone())?;
        let references = part(&self.references, rows)?;
        let sides = hypotheses.iter_borrowed().zip(references.iter_borrowed());
        let found: Option<Vec<_>> = sides.map(|(one, other)| tokens::row(one, other)).collect();
        if found.is_some() {
            self.tokenised = Some(true);
        }
        Ok(found)
    }

    fn read_with(
        &mut self,
        rows: Range<usize>,
        copies: Option<usize>,
    ) -> PyResult<(Column, Column)> {
        match self.read_as(rows.clone(), copies, self.joins)? {
            (_, true) => Ok(self.read_as(rows, copies, false)?.0),
            (columns, false) => Ok(columns),
        }
    }

    /// Also returns whether tokens should have been joined but cannot be.
    fn read_as(
        &mut self,
        rows: Range<usize>,
        copies: Option<usize>,
        joins: bool,
    ) -> PyResult<((Column, Column), bool)> {
        let (first, missing) = (rows.start, self.missing);
        let builder = |what, tokenised| ColumnBuilder {
            first,
            tokenised,
            copies,
            joins,
            ..ColumnBuilder::new(what, missing)
        };
        let mut hypotheses = builder("hypothesis", self.tokenised);
        hypotheses.read(&part(&self.hypotheses, rows.clone())?, ColumnBuilder::hypothesis)?;
        let mut references = builder("reference", hypotheses.tokenised);
        let rows = first..hypotheses.number();
        references.read(&part(&self.references, rows)?, ColumnBuilder::references)?;
        self.tokenised = hypotheses.tokenised;
        let is_refused = hypotheses.is_refused || references.is_refused;
        let column = |builder: ColumnBuilder| Column::new(vec![builder.finish()]);
        Ok(((column(hypotheses), column(references)), is_refused))
    }
}

/// One of the elements of a list or a tuple.
fn item<'py>(rows: &Bound<'py, PyAny>, idx: usize) -> Option<Bound<'py, PyAny>> {
    match rows.cast::<PyList>() {
        Ok(list) => list.get_item(idx).ok(),
        Err(_) => rows.cast::<PyTuple>().ok()?.get_item(idx).ok(),
    }
}

/// Some of the elements of a list or a tuple. Other threads may change the list while rows are scored.
fn part<'py>(rows: &Bound<'py, PyAny>, range: Range<usize>) -> PyResult<Bound<'py, PyTuple>> {
    let part = match rows.cast::<PyList>() {
        // One slice lets the processor fetch many elements from memory in parallel.
        Ok(list) => list.get_slice(range.start, range.end).to_tuple(),
        Err(_) => rows.cast::<PyTuple>()?.get_slice(range.start, range.end),
    };
    if part.len() < range.len() {
        return Err(PyRuntimeError::new_err("a list became shorter while it was read"));
    }
    Ok(part)
}

/// The tokens as one text, joined with spaces, unless splitting it would give other tokens.
fn joined<'py>(tokens: &Bound<'py, PyAny>) -> Option<Bound<'py, PyString>> {
    let n_tokens = match tokens.cast::<PyList>() {
        Ok(list) => list.len(),
        Err(_) => tokens.cast::<PyTuple>().ok()?.len(),
    };
    let py = tokens.py();
    let text = intern!(py, " ").call_method1(intern!(py, "join"), (tokens,)).ok()?;
    let text = text.cast_into::<PyString>().ok()?;
    splits_into(text.to_str().ok()?, n_tokens).then_some(text)
}

/// Calls `visit` for each element of a list, a tuple or anything else that can be iterated over.
fn each<'py>(
    rows: &Bound<'py, PyAny>,
    what: Arguments<'_>,
    mut visit: impl FnMut(&Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    // The elements of a tuple can be borrowed; a list may change meanwhile.
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
    // Check the common types first: getting the name of a type is slow.
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

/// Collects rows. The first text decides whether all texts must be tokenised.
struct ColumnBuilder {
    what: &'static str,
    missing: Missing,
    /// The number of the first row, for messages.
    first: usize,
    tokenised: Option<bool>,
    /// Copying stops at the text that exceeds this number of bytes; `None` if only tokens are copied.
    copies: Option<usize>,
    /// Whether tokens are joined; `is_refused` says whether some cannot be.
    joins: bool,
    is_refused: bool,
    /// The texts, if they are neither tokenised nor copied.
    strings: Vec<Kept>,
    /// The tokens of all texts, if they are tokenised; otherwise copies of the texts.
    words: Copied,
    /// The range of `words` of each text.
    tokens: Vec<(usize, usize)>,
    rows: Vec<(usize, usize)>,
}

impl ColumnBuilder {
    fn new(what: &'static str, missing: Missing) -> Self {
        ColumnBuilder {
            what,
            missing,
            first: 0,
            tokenised: None,
            copies: None,
            joins: false,
            is_refused: false,
            strings: Vec::new(),
            words: Copied::default(),
            tokens: Vec::new(),
            rows: Vec::new(),
        }
    }

    fn finish(self) -> TextArray {
        let (strings, tokens) = match self.tokenised {
            Some(true) if self.joins => (Strings::Copied(self.words), None),
            Some(true) => (Strings::Copied(self.words), Some(Grouping::Ranges(self.tokens))),
            _ if self.copies.is_some() => (Strings::Copied(self.words), None),
            _ => (Strings::Python(self.strings), None),
        };
        TextArray { strings, tokens, texts: Grouping::Ranges(self.rows) }
    }

    /// The number of the row that is being read.
    fn number(&self) -> usize {
        self.first + self.rows.len()
    }

    /// The number of texts so far.
    fn n_texts(&self) -> usize {
        match self.tokenised {
            Some(true) if self.joins => self.words.len(),
            Some(true) => self.tokens.len(),
            _ if self.copies.is_some() => self.words.len(),
            _ => self.strings.len(),
        }
    }

    /// Whether enough has been copied, or tokens cannot be joined and the rest need not be read.
    fn is_full(&self) -> bool {
        self.is_refused || self.copies.is_some_and(|bytes| self.words.bytes() > bytes)
    }

    /// Reads rows until it is full.
    fn read(
        &mut self,
        rows: &Bound<'_, PyTuple>,
        row: fn(&mut Self, &Bound<'_, PyAny>) -> PyResult<()>,
    ) -> PyResult<()> {
        if self.copies.is_some() && self.tokenised != Some(true) && self.copy_strings(rows)? {
            return Ok(());
        }
        for object in rows.iter_borrowed() {
            row(self, &object)?;
            if self.is_full() {
                break;
            }
        }
        Ok(())
    }

    /// Copies rows if each is a string, and returns whether they are. A first pass visits all strings before any is
    /// copied, so that the processor fetches many of them from memory in parallel instead of waiting for each.
    fn copy_strings(&mut self, rows: &Bound<'_, PyTuple>) -> PyResult<bool> {
        let mut texts = Vec::with_capacity(rows.len());
        let (mut n_bytes, mut fetched) = (0, 0);
        for row in rows.iter_borrowed() {
            if !row.is_instance_of::<PyString>() {
                return Ok(false);
            }
            let text = <&str>::extract(row)?;
            let byte = |at: usize| text.as_bytes().get(at).copied().unwrap_or(0);
            fetched ^= byte(text.len() / 2) ^ byte(text.len().saturating_sub(1));
            n_bytes += text.len();
            texts.push(text);
            if self.copies.is_some_and(|most| n_bytes > most) {
                break;
            }
        }
        std::hint::black_box(fetched);
        self.words = Copied::with_capacity(texts.len(), n_bytes);
        texts.iter().for_each(|text| self.words.push(text));
        self.rows = (0..texts.len()).map(|idx| (idx, idx + 1)).collect();
        if !texts.is_empty() {
            self.tokenised = Some(false);
        }
        Ok(true)
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
        let refuses = self.missing == Missing::Refuse && !self.is_refused;
        if self.n_texts() == start && refuses {
            return Err(crate::error::InvalidSegmentError::new_err(format!(
                "segment {}: at least one reference is needed, got none",
                self.number()
            )));
        }
        self.rows.push((start, self.n_texts()));
        Ok(())
    }

    /// A list of references; `None` in it is a missing reference.
    fn several(&mut self, row: &Bound<'_, PyAny>) -> PyResult<()> {
        let idx = self.number();
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
        if self.copies.is_some() {
            self.words.push(text.to_str()?);
        } else {
            self.strings.push(Kept::try_from(text.clone())?);
        }
        Ok(())
    }

    fn token_list(&mut self, tokens: &Bound<'_, PyAny>) -> PyResult<()> {
        let is_list = tokens.is_instance_of::<PyList>() || tokens.is_instance_of::<PyTuple>();
        if !is_list && (is_text(tokens) || tokens.try_iter().is_err()) {
            return Err(self.unexpected(tokens));
        }
        self.expect(true)?;
        if self.joins {
            match joined(tokens) {
                Some(text) => self.words.push(text.to_str()?),
                None => self.is_refused = true,
            }
            return Ok(());
        }
        let start = self.words.len();
        let (idx, what) = (self.number(), self.what);
        each(tokens, format_args!("segment {idx}: {what}"), |token| {
            let token = token.cast::<PyString>().map_err(|_| {
                PyTypeError::new_err(format!(
                    "segment {idx}: the tokens of a {what} are strings, got {}",
                    describe(token)
                ))
            })?;
            self.words.push(token.to_str()?);
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
                    self.number(),
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
            self.number(),
            self.what,
            describe(row)
        ))
    }
}

/// Whether the first element that is not missing is a list: token lists rather than tokens.
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

/// The error for columns of different lengths, with a hint at the usual cause.
pub fn unequal(hypotheses: usize, references: usize) -> PyErr {
    let hint = if references < hypotheses && references > 0 {
        "; give the references of each segment together: transpose reference streams with zip(*references)"
    } else {
        ""
    };
    PyValueError::new_err(format!(
        "{hypotheses} hypotheses need as many entries of references, got {references}{hint}"
    ))
}
