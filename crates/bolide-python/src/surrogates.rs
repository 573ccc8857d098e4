//! Lone surrogates: halves of UTF-16 pairs, which are valid in Python's strings but not in UTF-8.
//!
//! Python programs score them as ordinary characters. Here each is replaced by a character that no standard
//! assigns (the last 2,048 of the private use planes). Like a surrogate, it is neither letter, digit, space nor
//! punctuation, so texts are split and compared in the same way.

use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

const FIRST: u32 = 0x0010_F800;

/// Calls `work` with two objects. If a text in them has lone surrogates, calls it again with copies in which
/// they are replaced.
pub fn tolerating<'py, T>(
    first: &Bound<'py, PyAny>,
    second: &Bound<'py, PyAny>,
    work: impl Fn(&Bound<'py, PyAny>, &Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<T> {
    let problem = match work(first, second) {
        Err(problem) if problem.is_instance_of::<PyUnicodeEncodeError>(first.py()) => problem,
        outcome => return outcome,
    };
    match (replaced(first), replaced(second)) {
        (Ok(first), Ok(second)) => work(&first, &second),
        _ => Err(problem),
    }
}

/// A copy of lists, tuples and strings in which surrogates are replaced.
pub fn replaced<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(if text.to_str().is_ok() { object.clone() } else { without(text)?.into_any() });
    }
    if let Ok(list) = object.cast::<PyList>() {
        let parts = list.iter().map(|part| replaced(&part)).collect::<PyResult<Vec<_>>>()?;
        return Ok(PyList::new(py, parts)?.into_any());
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        let parts = tuple.iter().map(|part| replaced(&part)).collect::<PyResult<Vec<_>>>()?;
        return Ok(PyTuple::new(py, parts)?.into_any());
    }
    Ok(object.clone())
}

fn without<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
    let units: Vec<u8> = text.call_method1("encode", ("utf-32-le", "surrogatepass"))?.extract()?;
    let (units, _) = units.as_chunks::<4>();
    let letter = |unit: &[u8; 4]| {
        let code = u32::from_le_bytes(*unit);
        char::from_u32(code).or_else(|| char::from_u32(code.wrapping_sub(0xD800) + FIRST))
    };
    Ok(PyString::new(text.py(), &units.iter().filter_map(letter).collect::<String>()))
}

/// The text with the surrogates that [`replaced`] had replaced.
pub fn restored<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
    let code = |letter: char| match u32::from(letter).checked_sub(FIRST) {
        Some(behind) => behind + 0xD800,
        None => u32::from(letter),
    };
    let units: Vec<u8> = text.chars().flat_map(|letter| code(letter).to_le_bytes()).collect();
    let bytes = pyo3::types::PyBytes::new(py, &units);
    Ok(bytes.call_method1("decode", ("utf-32-le", "surrogatepass"))?.cast_into()?)
}
