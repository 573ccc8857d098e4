//! The `bolide` command inside the wheel.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the command with these arguments, without its own name; returns the exit code.
#[pyfunction]
pub fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| bolide_cli::run_with(&arguments));
    // An `ExitCode` can be compared but not converted to a number.
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(1)
}
