//! How matchers ask about words: what is the stem of this one, do these two share a meaning.
//!
//! Everything here answers questions about single words. Which question to ask, and what a match is
//! worth, is for the metrics.

mod inflection;
mod names;
pub mod porter;
pub mod snowball;
pub mod snowball_english;
mod table;
mod wordnet;

pub use table::checksum as table_checksum;
pub use wordnet::{Lemma, Lexicon, Pos, Synset, SynsetId, first_shared};
