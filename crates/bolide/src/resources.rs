//! The tables that a metric may need, as the caller has them.
//!
//! With the feature `embedded` they are inside the program; a browser or a caller with its own
//! copies hands the bytes in. A metric that needs a table which is not there fails when it is
//! built, naming the table, never while scoring.

/// Tables by purpose. Cloning is cheap.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Resources {}

impl Resources {
    /// No tables at all.
    pub fn none() -> Self {
        Self::default()
    }

    /// The tables inside the program.
    #[cfg(feature = "embedded")]
    pub fn embedded() -> Self {
        Resources {}
    }
}
