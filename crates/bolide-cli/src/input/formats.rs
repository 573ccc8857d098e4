//! The kinds of table, and how each is opened.

use super::names::without_ending;
use super::{Role, Source, delimited, jsonl, open, parquet};
use crate::args::TableFormat;
use crate::error::{Result, usage};
use std::path::Path;

/// Opens a table for its rows to be read.
pub(super) fn table_source(
    path: &Path,
    format: Option<TableFormat>,
    wanted: &[(&str, Role)],
) -> Result<Box<dyn Source>> {
    Ok(match table_format(path, format)? {
        TableFormat::Tsv => Box::new(delimited::Tsv::new(open(path)?, wanted)?),
        TableFormat::Csv => Box::new(delimited::Csv::new(open(path)?, wanted)?),
        TableFormat::Jsonl => Box::new(jsonl::Jsonl::new(open(path)?, wanted)),
        TableFormat::Parquet => Box::new(parquet::Parquet::new(path, wanted)?),
    })
}

/// Whether a file's name says that it is a table.
pub fn is_table(path: &Path) -> bool {
    table_format(path, None).is_ok()
}

/// What a table is: as told, or by the ending of its name.
pub(super) fn table_format(path: &Path, told: Option<TableFormat>) -> Result<TableFormat> {
    if let Some(format) = told {
        return Ok(format);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = without_ending(&name, &[".gz", ".zst"]);
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("tsv" | "tab") => Ok(TableFormat::Tsv),
        Some("csv") => Ok(TableFormat::Csv),
        Some("jsonl" | "ndjson" | "json") => Ok(TableFormat::Jsonl),
        Some("parquet" | "pq") => Ok(TableFormat::Parquet),
        _ => Err(usage(format!(
            "{}: columns were asked for, but the name does not say what kind of table it is: \
             give --input-format",
            super::open::name(path)
        ))),
    }
}
