//! The engine's registry for Python, as the JSON that every door uses.

use crate::error::raise;
use crate::metric::all_resources;
use bolide::language::with_tables;
use bolide::{DIALECTS, Dialect, dialect};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(dialects, module)?)?;
    module.add_function(wrap_pyfunction!(dialect_keys, module)?)?;
    module.add_function(wrap_pyfunction!(families, module)?)?;
    module.add_function(wrap_pyfunction!(identifiers, module)?)?;
    module.add_function(wrap_pyfunction!(languages, module)?)?;
    module.add_function(wrap_pyfunction!(metric_name, module)?)
}

/// The serialised form of a value, for `json.loads`.
pub fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|problem| PyValueError::new_err(problem.to_string()))
}

/// Every dialect, in the order of `bolide dialects`, as JSON.
#[pyfunction]
fn dialects() -> PyResult<String> {
    json(&DIALECTS)
}

/// The keys of a dialect's signatures.
#[pyfunction]
fn dialect_keys(name: &str) -> PyResult<Vec<String>> {
    let keys = dialect::find(name).and_then(|dialect| dialect.keys(&all_resources()));
    Ok(keys.map_err(raise)?.iter().map(|key| key.name.to_string()).collect())
}

/// Every family, in the same order, as JSON.
#[pyfunction]
fn families() -> PyResult<String> {
    json(&dialect::families())
}

/// Every language with what the engine has and what is installed for it, by code, as JSON.
#[pyfunction]
fn languages() -> PyResult<String> {
    json(&with_tables(&all_resources()).map_err(raise)?)
}

/// For each dialect, a name of letters, digits and underscores, and its own name.
#[pyfunction]
fn identifiers() -> Vec<(String, &'static str)> {
    DIALECTS.iter().map(|dialect: &Dialect| (dialect.identifier(), dialect.name)).collect()
}

/// The name of a metric of a family; without a dialect, that of the default dialect.
#[pyfunction]
#[pyo3(signature = (family, dialect=None))]
fn metric_name(family: &str, dialect: Option<&str>) -> PyResult<String> {
    match dialect::family(family) {
        Some(family) => family.metric_name(dialect).map_err(raise),
        None => Err(PyValueError::new_err(format!("there is no family '{family}'"))),
    }
}
