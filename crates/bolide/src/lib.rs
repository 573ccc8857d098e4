//! METEOR, BLEU and their family: every dialect, named, bit for bit.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

pub mod arithmetic;
pub mod lexicon;
pub mod meteor;
pub mod text;
