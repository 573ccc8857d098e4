//! `_bolide`, the native half of the Python package `bolide`.
//!
//! It reads columns of text (Python objects or Arrow arrays), scores them on several threads with the
//! interpreter released, and returns numbers. Everything about metrics is in the engine; names, documentation
//! and the interfaces of other packages are in the Python half (`python/bolide`).

mod arrow;
mod batch;
mod character;
mod cider;
mod columns;
mod command;
mod corpus;
mod error;
mod floats;
mod groups;
mod input;
mod interrupt;
mod metric;
mod nltk;
mod python;
mod registry;
mod rouge;
mod rows;
mod run;
mod segments;
mod significance;
mod store;
mod surrogates;
mod tokens;
mod words;
mod worker;

use pyo3::prelude::*;

/// The compiled engine behind the package `bolide`.
#[pymodule]
fn _bolide(module: &Bound<'_, PyModule>) -> PyResult<()> {
    error::register(module)?;
    batch::register(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<metric::Metric>()?;
    module.add_class::<corpus::Corpus>()?;
    module.add_class::<groups::Groups>()?;
    module.add_class::<floats::Floats>()?;
    registry::register(module)?;
    nltk::register(module)?;
    module.add_function(wrap_pyfunction!(significance::paired, module)?)?;
    store::register(module)?;
    module.add_function(wrap_pyfunction!(rouge::rouge_aggregate, module)?)?;
    module.add_function(wrap_pyfunction!(character::character_shifts, module)?)?;
    module.add_function(wrap_pyfunction!(cider::cider, module)?)?;
    module.add_function(wrap_pyfunction!(command::command, module)?)?;
    words::register(module)
}
