//! Tests of the engine from outside, one module per topic.
//!
//! `stems` compares the lexicon with the real programs; `shared` finds the stored results
//! it compares with.
#![allow(missing_docs)]

mod shared;
mod stems;
