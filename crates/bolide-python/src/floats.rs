//! A column of scores on its way to Python.

use crate::arrow;
use arrow_array::{Array, Float64Array};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyCapsule, PyList, PyTuple};

/// Scores of segments, one after the other; exports itself through the Arrow C data interface.
#[pyclass(frozen, module = "bolide._bolide")]
pub struct Floats(Float64Array);

impl Floats {
    pub fn new(values: Vec<Option<f64>>) -> Self {
        if values.iter().all(Option::is_some) {
            Floats(Float64Array::from_iter_values(values.into_iter().flatten()))
        } else {
            Floats(Float64Array::from(values))
        }
    }
}

#[pymethods]
impl Floats {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// A list of floats, with None where there is no score.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.0.iter())
    }

    /// Eight bytes for each score, in the order of the machine, NaN where there is none.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        let values = &self.0;
        PyByteArray::new_with(py, 8 * values.len(), |bytes| {
            for (idx, slot) in bytes.chunks_exact_mut(8).enumerate() {
                let value = if values.is_null(idx) { f64::NAN } else { values.value(idx) };
                slot.copy_from_slice(&value.to_ne_bytes());
            }
            Ok(())
        })
    }

    /// The Arrow C data interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // A consumer may ask for another type but has to accept what it gets.
        let _ = requested_schema;
        arrow::export(py, &self.0)
    }
}
