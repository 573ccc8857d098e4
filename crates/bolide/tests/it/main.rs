//! Tests of the engine from outside, one module per topic.
//!
//! `stems` compares the lexicon and `word_tokenize` the tokenizer with the real programs; `shared`
//! finds the stored results they compare with.
#![allow(missing_docs)]

mod shared;
mod stems;
#[cfg(feature = "embedded")]
mod word_tokenize;
