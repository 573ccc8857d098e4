//! Parquet tables for the `bolide` command: columns of text read a few rows at a time, and tables
//! of scores written group by group.
//!
//! This crate knows the format and nothing about metrics. It stands alone so that it builds beside
//! the engine: the format is a third of what a first build compiles.
#![forbid(unsafe_code)]

mod pages;
mod read;
mod write;

pub use parquet::errors::ParquetError as Error;
pub use read::{Column, Entry, Kind, Table};
pub use write::{Field, Values, Writer};

/// What reading or writing gives.
pub type Result<T> = std::result::Result<T, Error>;
