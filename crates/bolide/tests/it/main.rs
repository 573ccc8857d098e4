//! Tests of the engine from outside, one module per topic.
//!
//! `stems` and `synonyms` compare the lexicon, `word_tokenize` the tokenizer, `nltk_meteor` METEOR,
//! `bleu` the BLEU of NLTK and Hugging Face, `nltk_other` GLEU, NIST, chrF and RIBES, and `sacrebleu`
//! BLEU, chrF, TER, ROUGE and their tests of significance with the real programs; `shared` and `ted`
//! find the stored results and their texts. `laws` holds every metric of the registry to the same laws.
#![allow(missing_docs)]

#[cfg(feature = "embedded")]
mod bleu;
#[cfg(feature = "embedded")]
mod golden;
#[cfg(feature = "embedded")]
mod laws;
mod meteor15_text;
#[cfg(feature = "embedded")]
mod nltk_meteor;
#[cfg(feature = "embedded")]
mod nltk_other;
#[cfg(feature = "embedded")]
mod sacrebleu;
mod shared;
mod stems;
#[cfg(feature = "embedded")]
mod synonyms;
#[cfg(feature = "embedded")]
mod ted;
#[cfg(feature = "embedded")]
mod word_tokenize;
#[cfg(feature = "embedded")]
mod worked_examples;
