//! Tests of the engine from outside, one module per topic.
//!
//! `stems` compares the lexicon and `word_tokenize` the tokenizer with the real programs,
//! `sacrebleu` BLEU, chrF, TER, ROUGE and their tests of significance; `shared` finds the stored
//! results they compare with.
#![allow(missing_docs)]

#[cfg(feature = "embedded")]
mod sacrebleu;
mod shared;
mod stems;
#[cfg(feature = "embedded")]
mod word_tokenize;
