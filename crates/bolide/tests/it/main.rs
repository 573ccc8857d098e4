//! Tests of the engine from outside, one module per topic.
//!
//! `golden` compares every dialect with the real programs on the cases of `testdata/`, and `correlation` the figures of
//! agreement with those of NumPy and SciPy. `laws` checks the laws that all metrics of the registry obey, `evidence`
//! that what scores are counted from adds up, `pages` compares the documentation with the registry.
//! `worked_examples`, `word_tokenize` and `nltk_other` are small explicit cases. The target `shared` has the
//! stored results outside the repository.
#![allow(missing_docs)]
#![cfg(feature = "embedded")]

mod correlation;
#[cfg(feature = "evidence")]
mod evidence;
mod golden;
#[cfg(feature = "languages")]
mod languages;
mod laws;
mod nltk_other;
#[cfg(feature = "meteor15-optimal")]
mod pages;
mod word_tokenize;
mod worked_examples;
