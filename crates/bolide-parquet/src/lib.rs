//! Parquet tables for the `bolide` command: reads columns of text a few rows at a time, and writes tables of
//! scores one row group at a time.
//!
//! This crate contains no metrics. It reads the part of the format that such tables need: every encoding and compression but LZO,
//! of columns of bytes, numbers and flags, in lists or not. It reads no columns that are encrypted, no times of type INT96 and no bytes of a
//! fixed length. The library `parquet` reads all of them, and would be a sixth of the first build of the command; the tests compare with it.
//! Damaged files are errors, and do not take more memory than the file says its largest page has.
#![forbid(unsafe_code)]

mod bits;
mod codecs;
mod error;
mod metadata;
mod pages;
mod read;
mod thrift;
mod values;
mod write;

pub use error::Error;
pub use read::{Column, Entry, Kind, Table};
pub use write::{Field, Values, Writer};

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, Error>;
