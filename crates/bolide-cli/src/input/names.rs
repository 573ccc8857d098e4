//! The names of files and systems in results.

use super::is_stdin;
use crate::args::CorpusArgs;
use crate::error::visible;
use std::path::{Path, PathBuf};

/// The names of the systems.
pub fn system_names(args: &CorpusArgs) -> Vec<String> {
    names(&args.input_files(), &args.labels(), &args.hypothesis_column)
}

/// The names of the systems. A file's system has the user's name for it, or the file's name, without folder and
/// extension if that keeps the names distinct. Several columns of one table give their own names; of several
/// tables, `file:column`.
pub(super) fn names(
    inputs: &[PathBuf],
    labels: &[Option<String>],
    columns: &[String],
) -> Vec<String> {
    let short = |path: &PathBuf| {
        if is_stdin(path) {
            return "stdin".to_owned();
        }
        visible(&short_name(path))
    };
    let mut files: Vec<String> = inputs.iter().map(short).collect();
    let distinct = (1..files.len()).all(|idx| !files[..idx].contains(&files[idx]));
    if !distinct {
        files = inputs.iter().map(|path| visible(&path.display().to_string())).collect();
    }
    for (file, label) in files.iter_mut().zip(labels) {
        if let Some(label) = label {
            *file = visible(label);
        }
    }
    match columns {
        [] | [_] => files,
        _ if files.len() == 1 => columns.to_vec(),
        _ => files
            .iter()
            .flat_map(|file| columns.iter().map(move |column| format!("{file}:{column}")))
            .collect(),
    }
}

/// A file's name without folder and extension, as the name of a system.
pub fn short_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = without_ending(&name, &[".gz", ".zst"]);
    without_ending(name, &[".txt", ".tsv", ".csv", ".json", ".jsonl", ".ndjson", ".parquet", ".pq"])
        .to_owned()
}

/// Removes the first of these endings that a name has, unless nothing would remain.
pub(super) fn without_ending<'a>(name: &'a str, endings: &[&str]) -> &'a str {
    let shorter = endings.iter().find_map(|ending| name.strip_suffix(ending));
    shorter.filter(|shorter| !shorter.is_empty()).unwrap_or(name)
}
