//! The one arithmetic of the engine: everything above `+ - * /` whose last bit could differ between
//! platforms, Python versions or partitionings of a corpus.
//!
//! - [`exp`], [`ln`], [`pow`] give the bits of glibc 2.28 and later on a processor with fused
//!   multiply-add (every x86-64 since 2013, and the machines that NLTK and sacreBLEU numbers come
//!   from), on every target. A correctly rounded library is not a substitute: glibc is within 0.52
//!   units in the last place, so it disagrees with correct rounding about once in 1,500 calls.
//! - [`strict::pow`] gives the bits of Java's StrictMath instead.
//! - [`PythonSum`], [`fsum`], [`numpy_mean`] add as Python and numpy do; [`ExactSum`] adds with a
//!   result that does not depend on the order.
//! - [`ratio`] divides integers of any size as Python does; `decimal` reads numbers.
//!
//! What is added, and in which order, belongs to the metrics.

pub(crate) mod decimal;
mod exponential;
mod fused;
mod logarithm;
pub mod ratio;
pub mod strict;
mod sum;
mod tables;

pub use exponential::{exp, pow};
pub use logarithm::ln;
pub use sum::{ExactSum, PythonSum, fsum, numpy_mean, numpy_sum};

#[cfg(test)]
mod definitions;
#[cfg(test)]
mod tests;
