//! Stems, inflections and synonyms of single words, for the matchers.
//!
//! The metrics decide which of these to compare, and what a match is worth.

mod inflection;
mod names;
pub mod porter;
pub mod snowball;
pub mod snowball3;
pub mod snowball_english;
#[cfg(feature = "languages")]
pub mod synonyms;
mod table;
mod thesaurus;
mod wordnet;

pub use table::checksum as table_checksum;
pub(crate) use thesaurus::Thesaurus;
pub use wordnet::{Lemma, Lexicon, Pos, Synset, SynsetId, first_shared};
