//! METEOR, BLEU and their family: every dialect, named, bit for bit.
//!
//! ```
//! # #[cfg(feature = "embedded")] {
//! let score = bolide::score("meteor:textbook", "Gentle rain drops from the sky",
//!                           &["Rain falls gently from the sky"])?;
//! assert_eq!(format!("{:.3}", score.value), "0.625");
//! # }
//! # Ok::<(), bolide::Error>(())
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod arithmetic;
mod bleu;
mod chrf;
mod chrf_nltk;
mod corpus;
pub mod correlation;
mod definition;
pub mod dialect;
mod error;
pub mod explanation;
mod gleu;
mod lexicon;
pub mod mbr;
mod meteor;
mod meteor15;
mod metric;
mod ngram;
mod nist;
mod record;
mod registry;
pub mod resample;
mod resources;
mod ribes;
mod rouge;
mod score;
mod segment;
mod signature;
mod statistics;
mod stop;
mod ter;
mod text;
pub mod tuning;
pub mod unstable;

pub use corpus::Corpus;
pub use dialect::{DIALECTS, Dialect};
pub use error::{Error, ErrorKind, Result};
pub use explanation::Explanation;
pub use metric::{Metric, Scorer};
pub use resources::{Resources, TableSource};
pub use score::{Components, Score, Value};
pub use segment::{Segment, Text};
pub use signature::{Signature, VERSION};
pub use statistics::Statistics;
pub use stop::Stop;

/// Scores one segment with a metric named by a partial signature.
///
/// For more than a few segments build a [`Metric`] once.
pub fn score(metric: &str, hypothesis: &str, references: &[&str]) -> Result<Score> {
    metric.parse::<Metric>()?.score(hypothesis, references)
}
