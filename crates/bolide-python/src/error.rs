//! Converts the engine's kinds of errors to Python exceptions. No other file does.

use bolide::{Error, ErrorKind};
use pyo3::create_exception;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

create_exception!(bolide, BolideError, PyValueError, "The base class of bolide's exceptions.");
create_exception!(bolide, UnknownMetricError, BolideError, "No metric has that name.");
create_exception!(
    bolide,
    InvalidSignatureError,
    BolideError,
    "A key or value of a signature that the metric does not know."
);
create_exception!(bolide, InvalidSegmentError, BolideError, "A segment that cannot be scored.");
create_exception!(bolide, InvalidTableError, BolideError, "A table that is damaged.");
create_exception!(
    bolide,
    UnavailableError,
    BolideError,
    "A table that this package does not have."
);
create_exception!(
    bolide,
    InvalidStatisticsError,
    BolideError,
    "Statistics of another metric, or bytes that are damaged."
);

/// The exception for an error of the engine.
pub fn raise(error: Error) -> PyErr {
    let message = error.to_string();
    match error.kind() {
        ErrorKind::UnknownDialect => UnknownMetricError::new_err(message),
        ErrorKind::InvalidSignature => InvalidSignatureError::new_err(message),
        ErrorKind::InvalidSegment => InvalidSegmentError::new_err(message),
        ErrorKind::InvalidTable => InvalidTableError::new_err(message),
        ErrorKind::Unavailable => UnavailableError::new_err(message),
        ErrorKind::InvalidStatistics => InvalidStatisticsError::new_err(message),
        // Other texts would not help: the metric has no alignment.
        ErrorKind::NoAlignment => PyTypeError::new_err(message),
        _ => BolideError::new_err(message),
    }
}

/// The exception for a table that cannot be read from a folder.
pub fn raise_store(error: bolide_store::Error) -> PyErr {
    UnavailableError::new_err(error.to_string())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("BolideError", py.get_type::<BolideError>())?;
    module.add("UnknownMetricError", py.get_type::<UnknownMetricError>())?;
    module.add("InvalidSignatureError", py.get_type::<InvalidSignatureError>())?;
    module.add("InvalidSegmentError", py.get_type::<InvalidSegmentError>())?;
    module.add("InvalidTableError", py.get_type::<InvalidTableError>())?;
    module.add("InvalidStatisticsError", py.get_type::<InvalidStatisticsError>())?;
    module.add("UnavailableError", py.get_type::<UnavailableError>())
}
