//! Arrow arrays in and out through the C data interface, as capsules, without copies.
//!
//! This is the one file of the project with `unsafe` code: the capsules carry raw pointers. What
//! comes in is validated in full before anything reads it, so a damaged array is an error.
#![allow(unsafe_code)]

use crate::rows::{Chunk, Column, MISSING, Parts, Strings};
use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, StringArray, make_array};
use arrow_schema::DataType;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;

const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";
const STREAM: &CStr = c"arrow_array_stream";

/// The arrays behind an object that exports the C data interface, or nothing if it does not.
pub fn import(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
    let py = object.py();
    if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? {
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
            export.call0()?.extract()?;
        return Ok(Some(vec![import_array(&schema, &array)?]));
    }
    if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
        let stream = export.call0()?.cast_into::<PyCapsule>()?;
        return import_stream(&stream).map(Some);
    }
    Ok(None)
}

fn import_array(schema: &Bound<'_, PyCapsule>, array: &Bound<'_, PyCapsule>) -> PyResult<ArrayRef> {
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: the capsules' names promise these structures, alive as long as the capsules. The
    // array is moved out, which leaves a released one behind, as the interface wants.
    let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) };
    checked(data.map_err(damaged)?)
}

fn import_stream(stream: &Bound<'_, PyCapsule>) -> PyResult<Vec<ArrayRef>> {
    let stream = stream.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: as above; the stream is moved out of its capsule.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
    let mut schema = FFI_ArrowSchema::empty();
    let get_schema = stream.get_schema.ok_or_else(released)?;
    // SAFETY: the functions of a stream that is not released may be called with the stream itself
    // and a place to write to.
    let code = unsafe { get_schema(&mut stream, &mut schema) };
    fine(code, &mut stream)?;
    let mut arrays = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        let get_next = stream.get_next.ok_or_else(released)?;
        // SAFETY: as above.
        let code = unsafe { get_next(&mut stream, &mut array) };
        fine(code, &mut stream)?;
        if array.is_released() {
            return Ok(arrays);
        }
        // SAFETY: the producer filled both structures and reported success.
        let data = unsafe { from_ffi(array, &schema) }.map_err(damaged)?;
        arrays.push(checked(data)?);
    }
}

fn released() -> PyErr {
    PyValueError::new_err("an Arrow stream was given that is already released")
}

fn fine(code: i32, stream: &mut FFI_ArrowArrayStream) -> PyResult<()> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: as above; the text is the stream's, valid until its next call.
    let text = stream.get_last_error.map(|get_last_error| unsafe { get_last_error(stream) });
    let message = match text {
        // SAFETY: a string that ends in a zero byte, as the interface says.
        Some(text) if !text.is_null() => unsafe { CStr::from_ptr(text) }.to_string_lossy(),
        _ => "no reason given".into(),
    };
    Err(PyValueError::new_err(format!("reading an Arrow stream failed ({code}): {message}")))
}

fn checked(mut data: arrow_data::ArrayData) -> PyResult<ArrayRef> {
    data.align_buffers();
    data.validate_full().map_err(damaged)?;
    Ok(make_array(data))
}

fn damaged(error: arrow_schema::ArrowError) -> PyErr {
    PyValueError::new_err(format!("an Arrow array cannot be read: {error}"))
}

/// Hands an array out as a pair of capsules.
pub fn export<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyTuple>> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(damaged)?;
    let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    PyTuple::new(py, [schema, array])
}

/// Reads hypotheses: strings, or lists of tokens.
pub fn hypotheses(arrays: &[ArrayRef]) -> PyResult<Column> {
    let chunk = |array: &ArrayRef| match strings(array) {
        Some(strings) => Ok(raw(strings)),
        None => match lists(array).and_then(|(ranges, below)| Some((ranges, strings(&below)?))) {
            Some((ranges, strings)) => tokens(strings, ranges, None),
            None => Err(unsuitable("hypotheses", "string or list<string>", array)),
        },
    };
    arrays.iter().map(chunk).collect::<PyResult<Vec<Chunk>>>().map(Column::new)
}

/// Reads references: strings or lists of strings; beside token lists, lists of tokens or lists of
/// those.
pub fn references(arrays: &[ArrayRef], tokenised: Option<bool>) -> PyResult<Column> {
    let tokenised = tokenised.unwrap_or(false);
    let wanted = if tokenised {
        "list<string> or list<list<string>>, as the hypotheses are tokens"
    } else {
        "string or list<string>, as the hypotheses are strings"
    };
    let chunk = |array: &ArrayRef| {
        let wrong = || unsuitable("references", wanted, array);
        if let (false, Some(strings)) = (tokenised, strings(array)) {
            return Ok(raw(strings));
        }
        let (rows, below) = lists(array).ok_or_else(wrong)?;
        match (strings(&below), tokenised) {
            (Some(strings), false) => {
                Ok(Chunk { strings, tokens: None, texts: Parts::Ranges(rows) })
            }
            (Some(strings), true) => tokens(strings, rows, None),
            (None, true) => {
                let (texts, below) = lists(&below).ok_or_else(wrong)?;
                tokens(strings(&below).ok_or_else(wrong)?, texts, Some(rows))
            }
            (None, false) => Err(wrong()),
        }
    };
    arrays.iter().map(chunk).collect::<PyResult<Vec<Chunk>>>().map(Column::new)
}

fn unsuitable(what: &str, wanted: &str, array: &ArrayRef) -> PyErr {
    PyTypeError::new_err(format!(
        "{what}: expected an Arrow column of {wanted}, got {}",
        array.data_type()
    ))
}

/// One string a row; a null string is a missing row.
fn raw(strings: Strings) -> Chunk {
    let has_nulls = (0..strings.len()).any(|idx| strings.is_null(idx));
    let texts = if has_nulls {
        let row = |idx| if strings.is_null(idx) { (MISSING, MISSING) } else { (idx, idx + 1) };
        Parts::Ranges((0..strings.len()).map(row).collect())
    } else {
        Parts::Each
    };
    Chunk { strings, tokens: None, texts }
}

/// Token lists: one a row, or as many as `rows` has.
fn tokens(
    strings: Strings,
    ranges: Vec<(usize, usize)>,
    rows: Option<Vec<(usize, usize)>>,
) -> PyResult<Chunk> {
    let present = ranges.iter().filter(|range| range.0 != MISSING);
    if let Some(at) = present.flat_map(|&(a, b)| a..b).find(|&idx| strings.is_null(idx)) {
        return Err(PyTypeError::new_err(format!("a token is a string, got null (value {at})")));
    }
    let texts = rows.unwrap_or_else(|| {
        let row = |(idx, range): (usize, &(usize, usize))| match range.0 {
            MISSING => (MISSING, MISSING),
            _ => (idx, idx + 1),
        };
        ranges.iter().enumerate().map(row).collect()
    });
    Ok(Chunk { strings, tokens: Some(Parts::Ranges(ranges)), texts: Parts::Ranges(texts) })
}

fn strings(array: &ArrayRef) -> Option<Strings> {
    Some(match array.data_type() {
        DataType::Utf8 => Strings::Utf8(array.as_string::<i32>().clone()),
        DataType::LargeUtf8 => Strings::LargeUtf8(array.as_string::<i64>().clone()),
        DataType::Utf8View => Strings::View(array.as_string_view().clone()),
        // What an engine makes of a bare NULL.
        DataType::Null => Strings::Utf8(StringArray::new_null(array.len())),
        _ => return None,
    })
}

/// The range of each list, and what the ranges point into.
fn lists(array: &ArrayRef) -> Option<(Vec<(usize, usize)>, ArrayRef)> {
    let ranges = |range: &dyn Fn(usize) -> (usize, usize)| {
        let row = |idx| if array.is_null(idx) { (MISSING, MISSING) } else { range(idx) };
        (0..array.len()).map(row).collect()
    };
    Some(match array.data_type() {
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            let offsets = list.value_offsets();
            let range = |idx: usize| (offsets[idx] as usize, offsets[idx + 1] as usize);
            (ranges(&range), list.values().clone())
        }
        DataType::LargeList(_) => {
            let list = array.as_list::<i64>();
            let offsets = list.value_offsets();
            let range = |idx: usize| (offsets[idx] as usize, offsets[idx + 1] as usize);
            (ranges(&range), list.values().clone())
        }
        DataType::FixedSizeList(_, size) => {
            let size = *size as usize;
            let range = |idx: usize| (idx * size, (idx + 1) * size);
            (ranges(&range), array.as_fixed_size_list().values().clone())
        }
        _ => return None,
    })
}
