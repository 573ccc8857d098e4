//! The tables that bolide embeds, as bytes, each with its version, origin and licence.
//!
//! This crate knows nothing of bolide: it holds files made by `cargo xtask` and names them.
//! `bolide::lexicon` reads them.
#![forbid(unsafe_code)]

/// The Punkt sentence model for English: abbreviations, collocations, sentence starters and
/// orthographic contexts, sorted and front-coded. `bolide::text::Punkt` reads it.
///
/// Origin: `punkt_tab/english` of nltk_data, as shipped in the PyPI wheel `llama-index-core`
/// 0.14.25; made by `cargo xtask punkt`. The models are by Jan Strunk and Tibor Kiss, trained on
/// the Wall Street Journal part of the Penn Treebank; nltk_data names no licence for them (see
/// DATA-LICENSES.md).
pub static PUNKT_ENGLISH: &[u8] = include_bytes!("../data/punkt-english.dat");
