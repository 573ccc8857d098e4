//! What can go wrong with a table.

use std::fmt;

/// Why a table cannot be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The file is not what the format allows, or uses a part of the format that is not read here.
    General(String),
    /// The operating system could not read the file.
    Io(std::io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::General(what) => f.write_str(what),
            Error::Io(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<std::io::Error> for Error {
    fn from(problem: std::io::Error) -> Self {
        Error::Io(problem)
    }
}

/// An error with a fixed text.
pub fn wrong(what: &str) -> Error {
    Error::General(what.to_owned())
}
