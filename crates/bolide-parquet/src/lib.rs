//! Parquet tables for the `bolide` command: reads columns of text a few rows at a time, and writes tables of
//! scores one row group at a time.
//!
//! This crate contains no metrics. It is separate so that it builds in parallel with the engine, because the
//! Parquet library is a large part of a first build.
#![forbid(unsafe_code)]

mod pages;
mod read;
mod write;

pub use parquet::errors::ParquetError as Error;
pub use read::{Column, Entry, Kind, Table};
pub use write::{Field, Values, Writer};

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, Error>;
