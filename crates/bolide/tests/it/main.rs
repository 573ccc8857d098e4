//! Tests of the engine from outside, one module per topic.
//!
//! `stems` and `synonyms` compare the lexicon, `word_tokenize` the tokenizer and `sacrebleu` BLEU, chrF,
//! TER, ROUGE and their tests of significance, `nltk_meteor` METEOR with the real programs; `shared` finds the stored results
//! they compare with.
#![allow(missing_docs)]

#[cfg(feature = "embedded")]
mod nltk_meteor;
#[cfg(feature = "embedded")]
mod sacrebleu;
mod shared;
mod stems;
#[cfg(feature = "embedded")]
mod synonyms;
#[cfg(feature = "embedded")]
mod word_tokenize;
