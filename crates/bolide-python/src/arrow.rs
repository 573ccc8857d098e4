//! Arrow arrays in and out through the C data interface, as capsules, without copies.
//!
//! This is the only file of the package with `unsafe` code: the capsules carry raw pointers. Imported arrays
//! are validated completely before anything reads them, so a damaged array is an error. `columns` interprets
//! the columns.
#![allow(unsafe_code)]

use crate::columns;
use crate::rows::Column;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, new_empty_array, new_null_array};
use arrow_schema::DataType;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;

const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";
const STREAM: &CStr = c"arrow_array_stream";

/// Hypotheses from Arrow arrays: see `columns`.
pub fn hypotheses(arrays: &[ArrayRef]) -> PyResult<Column> {
    columns::hypotheses(arrays).map_err(PyTypeError::new_err)
}

/// References from Arrow arrays: see `columns`.
pub fn references(arrays: &[ArrayRef], tokenised: Option<bool>) -> PyResult<Column> {
    columns::references(arrays, tokenised).map_err(PyTypeError::new_err)
}

/// The arrays of an object that exports the C data interface; `None` if it does not.
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
    // SAFETY: the capsules' names guarantee these structures, which live as long as the capsules. The
    // array is moved out, which leaves a released one behind, as the interface requires.
    let (array, schema) = unsafe { (FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) };
    read(array, schema)
}

/// The array of these structures, validated.
fn read(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> PyResult<ArrayRef> {
    // Arrays of no or only null values need not be read: producers leave offsets and buffers there that cannot be.
    let data_type = DataType::try_from(schema).map_err(damaged)?;
    if array.is_empty() {
        return Ok(new_empty_array(&data_type));
    }
    if data_type == DataType::Null {
        return Ok(new_null_array(&data_type, array.len()));
    }
    // SAFETY: the producer filled both structures.
    let data = unsafe { from_ffi(array, schema) };
    checked(data.map_err(damaged)?)
}

fn import_stream(stream: &Bound<'_, PyCapsule>) -> PyResult<Vec<ArrayRef>> {
    let stream = stream.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: as above; the stream is moved out of its capsule.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
    let mut schema = FFI_ArrowSchema::empty();
    let get_schema = stream.get_schema.ok_or_else(released)?;
    // SAFETY: the functions of a stream that is not released may be called with the stream itself
    // and a structure to write to.
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
        arrays.push(read(array, &schema)?);
    }
}

fn released() -> PyErr {
    PyValueError::new_err("the Arrow stream is already released")
}

fn fine(code: i32, stream: &mut FFI_ArrowArrayStream) -> PyResult<()> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: as above; the stream owns the text, which is valid until the next call.
    let text = stream.get_last_error.map(|get_last_error| unsafe { get_last_error(stream) });
    let message = match text {
        // SAFETY: the interface guarantees a string that ends in a zero byte.
        Some(text) if !text.is_null() => unsafe { CStr::from_ptr(text) }.to_string_lossy(),
        _ => "no reason given".into(),
    };
    Err(PyValueError::new_err(format!("reading an Arrow stream failed ({code}): {message}")))
}

fn checked(data: arrow_data::ArrayData) -> PyResult<ArrayRef> {
    columns::checked(data).map_err(damaged)
}

fn damaged(error: arrow_schema::ArrowError) -> PyErr {
    PyValueError::new_err(format!("an Arrow array cannot be read: {error}"))
}

/// Exports an array as a pair of capsules.
pub fn export<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyTuple>> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(damaged)?;
    let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    PyTuple::new(py, [schema, array])
}
