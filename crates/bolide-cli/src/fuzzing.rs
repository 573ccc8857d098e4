//! Entry points for the fuzz targets: they pass arbitrary bytes to the command's readers.
//!
//! An error is an acceptable outcome, a panic is not. These functions also check what can be checked without
//! a second implementation.

use crate::args::{CorpusArgs, TableArgs, TableFormat};
use crate::error::Result;
use crate::input::{Batch, Corpus};
use crate::meteor15::fuzzing as meteor15;
use std::path::{Path, PathBuf};

/// The format that the bytes are read as.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Lines of text.
    Lines,
    /// A table with the columns `h` and `r`, tab-separated.
    Tsv,
    /// The same, comma-separated.
    Csv,
    /// The same, as JSON lines.
    Jsonl,
    /// The same, as Parquet.
    Parquet,
}

/// Reads a file as hypotheses and, for lines, also as references; returns the texts of all rows.
pub fn corpus(path: &Path, kind: Kind) -> Result<Vec<String>> {
    let format = match kind {
        Kind::Lines => None,
        Kind::Tsv => Some(TableFormat::Tsv),
        Kind::Csv => Some(TableFormat::Csv),
        Kind::Jsonl => Some(TableFormat::Jsonl),
        Kind::Parquet => Some(TableFormat::Parquet),
    };
    let paths = |is_there: bool| if is_there { vec![PathBuf::from(path)] } else { Vec::new() };
    let names = |name: &str| format.map(|_| name.to_owned()).into_iter().collect();
    let args = CorpusArgs {
        references: paths(format.is_none()),
        inputs: paths(true),
        hypothesis_column: names("h"),
        reference_column: names("r"),
        tables: TableArgs { input_format: format, delimiter: None },
        max_tokens: None,
    };
    let mut corpus = Corpus::open(&args)?;
    let layout = corpus.layout();
    let mut batch = Batch::default();
    let mut texts = Vec::new();
    loop {
        corpus.read(&mut batch)?;
        if batch.rows() == 0 {
            return Ok(texts);
        }
        for row in 0..batch.rows() {
            let mut references = Vec::new();
            layout.references(&batch, row, &mut references);
            assert!(!references.is_empty(), "a row without a reference");
            texts.push(layout.hypothesis(&batch, row, 0).to_owned());
        }
    }
}

/// Scores two SGML files; returns the number of segments.
pub fn sgml(test: &Path, reference: &Path) -> Result<usize> {
    meteor15::sgml(test, reference)
}

/// Answers the requests of the line protocol.
pub fn stdio(requests: &[u8]) -> Result<Vec<u8>> {
    meteor15::stdio(requests)
}
