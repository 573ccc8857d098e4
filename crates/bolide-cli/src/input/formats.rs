//! Opens tables of each kind.

use super::guard::Guarded;
use super::names::without_ending;
use super::{Role, Source, delimited, jsonl, open, parquet};
use crate::args::{TableArgs, TableFormat};
use crate::error::{Result, usage};
use std::path::Path;

/// Opens a table.
pub(super) fn table_source(
    path: &Path,
    tables: TableArgs,
    wanted: &[(&str, Role)],
) -> Result<Box<dyn Source>> {
    if let Some(delimiter) = tables.delimiter {
        return match table_format(path, tables.input_format) {
            Ok(TableFormat::Jsonl | TableFormat::Parquet | TableFormat::Text) => {
                let name = super::open::name(path);
                Err(usage(format!("{name}: --delimiter is for tables of lines with fields")))
            }
            _ => Ok(Box::new(delimited::Csv::new(open(path)?, delimiter, wanted)?)),
        };
    }
    let format = table_format(path, tables.input_format).or_else(|problem| {
        // A file that is not there has no kind.
        if !super::open::is_stdin(path) {
            open(path)?;
        }
        Err(problem)
    });
    Ok(match format? {
        TableFormat::Tsv => Box::new(delimited::Tsv::new(open(path)?, wanted)?),
        TableFormat::Csv => Box::new(delimited::Csv::new(open(path)?, b',', wanted)?),
        TableFormat::Jsonl => Box::new(jsonl::Jsonl::new(open(path)?, wanted)),
        TableFormat::Parquet => {
            let name = super::open::name(path);
            Box::new(Guarded::open(&name, || parquet::Parquet::new(path, wanted))?)
        }
        TableFormat::Text => {
            return Err(usage("--input-format text is for lines of text, which have no columns"));
        }
    })
}

/// Whether a file is a table, judging by its name.
pub fn is_table(path: &Path) -> bool {
    table_format(path, None).is_ok()
}

/// Refuses a file that looks like a table, where lines of text are expected. `way_out` says what to do.
pub(super) fn refuse_table(path: &Path, way_out: &str) -> Result<()> {
    let Ok(format) = table_format(path, None) else { return Ok(()) };
    let kind = match format {
        TableFormat::Tsv => "a table of tab-separated values",
        TableFormat::Csv => "a table of comma-separated values",
        TableFormat::Jsonl => "a table of JSON lines",
        TableFormat::Parquet => "a Parquet table",
        TableFormat::Text => return Ok(()),
    };
    Err(usage(format!("{}: looks like {kind}: {way_out}", super::open::name(path))))
}

/// Refuses tables in commands that read only lines.
pub fn lines_only<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    let way_out = "this command reads lines of text (to read it as such, give '-' and '< FILE')";
    paths.into_iter().try_for_each(|path| refuse_table(path, way_out))
}

/// The format of a table: as the user says, or by the extension of its name.
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
            "{}: the name does not show what kind of table it is: give --input-format",
            super::open::name(path)
        ))),
    }
}
