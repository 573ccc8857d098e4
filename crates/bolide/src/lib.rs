//! METEOR, BLEU and their family: every dialect, named, bit for bit.
//!
//! ```
//! # #[cfg(feature = "embedded")] {
//! let score = bolide::score("meteor:textbook", "Gentle rain drops from the sky",
//!                           &["Rain falls gently from the sky"])?;
//! assert_eq!(format!("{score:.3}"), "0.625");
//! # }
//! # Ok::<(), bolide::Error>(())
//! ```
//!
//! Text becomes tokens, tokens matches, matches an alignment, alignments [`Statistics`];
//! statistics merge by addition, and [`Metric::finish`] turns them into a score with a
//! [`Signature`] that names everything that moved it.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

pub mod arithmetic;
pub mod bleu;
pub mod chrf;
pub mod chrf_nltk;
pub mod correlation;
pub mod dialect;
mod error;
mod explanation;
pub mod gleu;
pub mod lexicon;
pub mod mbr;
pub mod meteor;
pub mod meteor15;
mod metric;
pub mod ngram;
pub mod nist;
mod record;
mod report;
pub mod resample;
mod resources;
pub mod ribes;
pub mod rouge;
pub mod signature;
mod stop;
pub mod ter;
pub mod text;
pub mod tuning;

pub use dialect::{AnyMetric, AnyStats, DIALECTS, Dialect, Scorer, Scratch};
pub use error::{Error, ErrorKind, Result};
pub use explanation::{Cost, Explanation, Link, Losses, Token};
pub use metric::{Metric, Segment, Statistics, Text};
pub use record::Record;
pub use report::{Report, Value};
pub use resources::{Resources, TableSource};
pub use signature::Signature;
pub use stop::Stop;

/// Scores one segment with a metric named by a partial signature.
///
/// For more than a few segments build the metric once and use a [`Scorer`].
#[cfg(feature = "embedded")]
pub fn score(metric: &str, hypothesis: &str, references: &[&str]) -> Result<f64> {
    let metric = AnyMetric::parse(metric)?;
    let references: Vec<Text<'_>> = references.iter().map(|&text| Text::Raw(text)).collect();
    let segment = Segment::new(Text::Raw(hypothesis), &references)?;
    let stats = metric.scorer().segment(segment);
    Ok(metric.finish_segment(&stats).score)
}
