//! Tests of the engine from outside, one module per topic.
//!
//! `golden` compares every dialect with the real programs on the cases of `testdata/`. `laws` holds every metric
//! of the registry to the same laws, `pages` its pages to what it says. `worked_examples`, `word_tokenize` and `nltk_other` are small cases that explain
//! themselves. The stored results outside the repository are the target `shared`.
#![allow(missing_docs)]
#![cfg(feature = "embedded")]

mod golden;
mod laws;
mod nltk_other;
#[cfg(feature = "meteor15-optimal")]
mod pages;
mod word_tokenize;
mod worked_examples;
