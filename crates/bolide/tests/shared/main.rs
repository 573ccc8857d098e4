//! The engine beside the stored results in `../shared`, one module per topic.
//!
//! Not part of `cargo test`, because `../shared` is not part of the repository: `scripts/test shared` runs
//! it. Here a file that is absent is a failure. `stems`, `synonyms` and `meteor15_text` compare the lexicon,
//! `word_tokenize` the tokenizer, `nltk_meteor` METEOR, `bleu` the BLEU of NLTK and Hugging Face, `nltk_other`
//! GLEU, NIST, chrF and RIBES, and `sacrebleu` BLEU, chrF, TER, ROUGE and their tests of significance.
#![allow(missing_docs)]

mod bleu;
mod files;
mod meteor15_text;
mod nltk_meteor;
mod nltk_other;
mod sacrebleu;
mod stems;
mod synonyms;
mod ted;
mod word_tokenize;
