//! The one error type of the engine.
//!
//! Scoring cannot fail; building can: an unknown dialect, a malformed signature, a damaged table.
//! The doors add what the engine cannot know (file and line) and choose the exit code.

use std::fmt;

/// The kind of an error, for callers that react to it. The text of an [`Error`] is for people.
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// use bolide::ErrorKind::{InvalidSegment, InvalidSignature, UnknownDialect};
/// let kind = |name, references| bolide::score(name, "a", references).unwrap_err().kind();
/// assert_eq!(kind("meteor:nltkk", &["a"]), UnknownDialect);
/// assert_eq!(kind("meteor:nltk|alfa:1", &["a"]), InvalidSignature);
/// assert_eq!(kind("meteor:nltk", &[]), InvalidSegment);
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No such metric or dialect.
    UnknownDialect,
    /// A key or value of a (partial) signature that the dialect does not know.
    InvalidSignature,
    /// A segment that cannot be scored: no reference.
    InvalidSegment,
    /// A table that is damaged, truncated or of another version.
    InvalidTable,
    /// A table or option that this build does not contain.
    Unavailable,
    /// Statistics of another metric, or bytes that are damaged or are not statistics.
    InvalidStatistics,
    /// An explanation of a metric that has no alignment.
    NoAlignment,
}

/// An error with a kind and one line of text that gives the input and what was expected.
///
/// ```
/// let problem = bolide::score("chrf|nc:many", "a", &["a"]).unwrap_err();
/// assert_eq!(problem.to_string(), "chrf: nc is a whole number from 1 to 8, got 'many'");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    /// Makes an error. The message is one line without a full stop.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into() }
    }

    /// The kind, for callers that react to it.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// The result type of the engine's functions.
///
/// ```
/// fn scale(name: &str) -> bolide::Result<f64> {
///     Ok(bolide::Metric::build(name, &bolide::Resources::none())?.range().1)
/// }
/// assert_eq!(scale("bleu").unwrap(), 100.0);
/// ```
pub type Result<T> = std::result::Result<T, Error>;
