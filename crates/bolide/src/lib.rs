//! METEOR, BLEU and related metrics: every dialect by name, bit for bit.
//!
//! A score is meaningful only together with the program that computed it: the METEOR of the 2005 paper, of
//! NLTK and of the original jar are three different numbers. Here each is a *dialect* with a name, and every
//! score carries the full name of its metric, the *signature*.
//!
//! # Three sizes of call
//!
//! For a single score, call a function:
//!
//! ```
//! # #[cfg(feature = "embedded")] {
//! let score = bolide::score("meteor", "on the mat sat the cat", &["the cat sat on the mat"])?;
//! assert_eq!(score.value, 0.9375);
//! assert!(score.signature.to_string().starts_with("meteor:classic|match:exact+stem+synonym|"));
//! # }
//! # Ok::<(), bolide::Error>(())
//! ```
//!
//! To score many segments, build a [`Metric`] once from its name, which is a *partial signature*. It scores
//! segments, collects a [`Corpus`] and explains scores.
//!
//! ```
//! # #[cfg(feature = "embedded")] {
//! let meteor: bolide::Metric = "meteor:nltk|alpha:0.8".parse()?;
//! let mut corpus = meteor.corpus();
//! for (hypothesis, reference) in [("the cat sat", "a cat sat"), ("it rained", "it was raining")] {
//!     corpus.push(hypothesis, &[reference])?;
//! }
//! let score = corpus.score()?;
//! assert_eq!(format!("{:.4}", score.value), "0.4911");
//! assert_eq!(meteor.explain("the cat sat", &["a cat sat"])?.matches, 2);
//! # }
//! # Ok::<(), bolide::Error>(())
//! ```
//!
//! For full control, use the stages: a [`Scorer`] per thread turns each [`Segment`] into [`Statistics`];
//! statistics merge, in another process if need be, and the metric computes the score from them. [`resample`]
//! computes confidence intervals, [`tuning`] fits METEOR's parameters to human judgements, [`correlation`]
//! measures how well a metric agrees with people, and [`mbr`] chooses among candidates.
//!
//! ```
//! # #[cfg(feature = "embedded")] {
//! use bolide::{Metric, Segment, resample};
//! let chrf: Metric = "chrf".parse()?;
//! let mut scorer = chrf.scorer();
//! let mut statistics = Vec::new();
//! for (hypothesis, reference) in [("the cat", "a cat"), ("it rained", "it was raining"), ("yes", "yes")] {
//!     statistics.push(scorer.statistics(Segment::new(hypothesis.into(), &[reference.into()])?));
//! }
//! let sample = resample::Sample::new(&chrf, &statistics)?;
//! let interval = resample::bootstrap(&[sample], 1000, 12345)[0].confidence();
//! assert!(interval.half_width > 0.0);
//! # }
//! # Ok::<(), bolide::Error>(())
//! ```
//!
//! Building a metric can fail: an unknown name, a missing table. Scoring cannot, whatever the text. Only a
//! segment without references and the statistics of another metric are errors.
//!
//! # Dialects
//!
#![doc = include_str!("dialects.md")]
//!
//! [`DIALECTS`] is this table, with what each dialect declares: range, direction, how references combine, how
//! sums add.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `embedded` (default) | all three tables below |
//! | `wordnet` | WordNet 3.0 (2 MB), for synonyms; under Princeton's licence, whose notice goes with every copy |
//! | `punkt` | the sentence model of NLTK's `word_tokenize` (64 kB); nltk_data names no licence for it |
//! | `meteor15-words` | METEOR 1.5's function words and prefixes (6 kB), LGPL 2.1 |
//! | `stemmers` (default) | the stemmers of METEOR 1.5 for all its languages; `stemmer-english` for English alone |
//! | `meteor15-optimal` (default) | the dialect `meteor:1.5-optimal` |
//! | `languages` (default) | the languages of `meteor:classic` beside English, with the stemmers of Snowball 3.0 |
//! | `synonyms` (default) | synonyms of Japanese, Slovak, Swedish and Thai (1.5 MB), each under its own licence |
//! | `dictionaries` | words of Chinese, Japanese, Thai, Lao, Khmer and Burmese by ICU4X's dictionaries (3 MB); it keeps `icu_segmenter` at 2.4 |
//! | `words` | the same without the dictionaries, for programs that hand them in, such as the page |
//! | `evidence` (default) | what scores without an alignment were counted from |
//! | `serde` | scores, dialects and explanations as JSON and the like |
//!
//! Without the feature of a table, pass its bytes to [`Resources`]. A metric that needs a missing table
//! cannot be built, and the error names the table.
//!
//! The engine reads no files, starts no threads and uses no clock, so it also runs in a browser. The minimum
//! supported Rust version is in `Cargo.toml`; raising it is not a breaking change. The items of [`unstable`]
//! are for bolide's own command, wheel and page and may change at any time.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod arithmetic;
mod bleu;
mod chrf;
mod chrf_nltk;
mod cider;
mod corpus;
pub mod correlation;
mod definition;
pub mod dialect;
mod error;
#[cfg(feature = "evidence")]
pub mod evidence;
pub mod explanation;
mod gleu;
mod hint;
mod label;
pub mod language;
mod lexicon;
mod lookalike;
pub mod mbr;
mod meteor;
mod meteor15;
mod meteor2026;
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
mod token_batch;
pub mod tuning;
pub mod unstable;
mod whole_corpus;

pub use corpus::Corpus;
pub use dialect::{DIALECTS, Dialect};
pub use error::{Error, ErrorKind, Result};
#[cfg(feature = "evidence")]
pub use evidence::Evidence;
pub use explanation::Explanation;
pub use language::{LANGUAGES, Language};
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
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// let score = bolide::score("meteor:textbook", "Gentle rain drops from the sky",
///                           &["Rain falls gently from the sky"])?;
/// assert_eq!(format!("{:.3}", score.value), "0.625");
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
pub fn score(metric: &str, hypothesis: &str, references: &[&str]) -> Result<Score> {
    metric.parse::<Metric>()?.score(hypothesis, references)
}

/// The Rust of the project's front page and of the crate's own runs.
#[cfg(all(doctest, feature = "embedded"))]
mod readme {
    #[doc = include_str!("../../../README.md")]
    struct Project;
    #[doc = include_str!("../README.md")]
    struct Crate;
}
