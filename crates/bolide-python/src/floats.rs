//! A column of scores for Python.

use crate::arrow;
use arrow_array::{Array, Float64Array};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyCapsule, PyList, PyTuple};

/// Collects numbers, some of which may be missing.
#[derive(Default)]
pub struct Values {
    /// NaN for a missing number.
    numbers: Vec<f64>,
    /// The indices of missing numbers, ascending.
    missing: Vec<usize>,
}

impl Values {
    pub fn with_capacity(n: usize) -> Self {
        Values { numbers: Vec::with_capacity(n), missing: Vec::new() }
    }

    pub fn push(&mut self, value: Option<f64>) {
        if value.is_none() {
            self.missing.push(self.numbers.len());
        }
        self.numbers.push(value.unwrap_or(f64::NAN));
    }

    /// Appends further numbers.
    pub fn append(&mut self, others: &Values) {
        let n_before = self.numbers.len();
        self.missing.extend(others.missing.iter().map(|at| n_before + at));
        self.numbers.extend_from_slice(&others.numbers);
    }

    fn iter(&self) -> impl Iterator<Item = Option<f64>> {
        let mut missing = self.missing.iter().peekable();
        let numbers = self.numbers.iter().enumerate();
        numbers.map(move |(idx, &number)| missing.next_if_eq(&&idx).is_none().then_some(number))
    }
}

impl Extend<Option<f64>> for Values {
    fn extend<I: IntoIterator<Item = Option<f64>>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.push(value));
    }
}

impl FromIterator<Option<f64>> for Values {
    fn from_iter<I: IntoIterator<Item = Option<f64>>>(values: I) -> Self {
        let mut all = Values::default();
        all.extend(values);
        all
    }
}

/// Scores of segments, in order; exports itself through the Arrow C data interface.
#[pyclass(frozen, module = "bolide._bolide")]
pub struct Floats(Float64Array);

impl Floats {
    pub fn new(values: Values) -> Self {
        if values.missing.is_empty() {
            Floats(Float64Array::from(values.numbers))
        } else {
            Floats(values.iter().collect())
        }
    }
}

#[pymethods]
impl Floats {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// A list of floats, with None for missing scores.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.0.iter())
    }

    /// Eight bytes for each score, in native byte order, with NaN for missing scores.
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
        // A consumer may request another type but must accept any.
        let _ = requested_schema;
        arrow::export(py, &self.0)
    }
}
