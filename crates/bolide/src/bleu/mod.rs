//! BLEU: the geometric mean of clipped n-gram precisions, times a penalty for brevity.
//!
//! score = BP · exp(Σ wₙ · ln pₙ), BP = 1 if c > r else exp(1 − r/c) (Papineni et al. 2002).
//! The dialects differ in which reference length counts, what an order without n-grams is, how zero
//! precisions are smoothed and how the logarithms are added, one file each: [`unigram`] is the
//! teaching definition, [`nltk`] is NLTK 3.10, [`hf`] is Hugging Face evaluate, [`coco`] is the COCO
//! caption tools, [`sacrebleu`] is sacreBLEU 2.6. The counting of n-grams is in [`crate::ngram`].

pub mod coco;
#[cfg(feature = "evidence")]
mod evidence;
pub mod hf;
pub mod nltk;
pub mod sacrebleu;
mod smoothing;
pub mod unigram;
mod words;

pub use smoothing::{LastSegment, Number, Smoothing};
pub use words::{Case, Counts, Scratch, Tokenizer};

use crate::dialect::Family;
use std::fmt;

pub(crate) const FAMILY: Family = Family { name: "bleu", title: "BLEU", default: "bleu:sacrebleu" };

/// The most n-gram orders that [`nltk`] and [`hf`] count.
pub const MOST_ORDERS: usize = 9;

/// What people call BLEU by its longest n-grams.
fn title(order: usize) -> String {
    format!("BLEU-{order}")
}

/// The component names of the precisions, by order.
const PRECISIONS: [&str; MOST_ORDERS] = [
    "precision_1",
    "precision_2",
    "precision_3",
    "precision_4",
    "precision_5",
    "precision_6",
    "precision_7",
    "precision_8",
    "precision_9",
];

/// Why the program that a dialect reproduces raises an exception instead of returning a number. The score is
/// then NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Undefined {
    /// A division by zero: an empty corpus in NLTK, an empty side in Hugging Face, or smoothing
    /// parameters that cancel.
    DivisionByZero,
    /// NLTK's method 6 asserts that some trigram matches.
    NoTrigramMatches,
    /// NLTK's method 6 needs at least three orders.
    TooFewOrders,
    /// A result beyond the range of doubles.
    Overflow,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Undefined::DivisionByZero => "the score divides by zero",
            Undefined::NoTrigramMatches => {
                "smoothing method 6 needs a matching trigram, found none"
            }
            Undefined::TooFewOrders => "smoothing method 6 needs at least three orders",
            Undefined::Overflow => "the score is beyond the range of doubles",
        })
    }
}

impl std::error::Error for Undefined {}
