//! The tables that bolide embeds, as bytes, each with its version, origin and licence.
//!
//! This crate knows nothing of bolide: it holds files made by `cargo xtask` and names them.
//! `bolide::lexicon` reads them.
#![forbid(unsafe_code)]
