//! METEOR 1.5's tables and tables of synonyms in the user's folder, like `bolide data`.

use crate::error::raise_store;
use bolide_store::{Source, Store};
use pyo3::prelude::*;
use std::path::PathBuf;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(import_tables, module)?)?;
    module.add_function(wrap_pyfunction!(list_tables, module)?)
}

fn open(folder: Option<PathBuf>) -> PyResult<Store> {
    match folder {
        Some(folder) => Ok(Store::at(folder)),
        None => Store::of_user().map_err(raise_store),
    }
}

/// Compiles the tables of a file, a wheel or another archive, a jar or its folder; returns their names.
#[pyfunction]
#[pyo3(signature = (path, folder=None, language=None))]
fn import_tables(
    py: Python<'_>,
    path: PathBuf,
    folder: Option<PathBuf>,
    language: Option<&str>,
) -> PyResult<Vec<String>> {
    let store = open(folder)?;
    let source = Source::guess(&path, language);
    let entries = py.detach(|| store.import(&source)).map_err(raise_store)?;
    Ok(entries.iter().map(|entry| entry.name.to_string()).collect())
}

/// The names of the tables in the folder.
#[pyfunction]
#[pyo3(signature = (folder=None))]
fn list_tables(folder: Option<PathBuf>) -> PyResult<Vec<String>> {
    let entries = open(folder)?.list().map_err(raise_store)?;
    Ok(entries.iter().map(|entry| entry.name.to_string()).collect())
}
