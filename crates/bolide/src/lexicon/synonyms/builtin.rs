//! The tables of the crate `bolide-synonyms`, which are inside the program.
//!
//! They are packed, and a table is unpacked when a metric first asks for it.

use super::{SynonymTable, unpack};
use crate::error::Result;
use bolide_synonyms::TABLES;
use std::sync::OnceLock;

static UNPACKED: [OnceLock<Result<SynonymTable>>; TABLES.len()] =
    [const { OnceLock::new() }; TABLES.len()];

/// The table of a language by its code.
pub(crate) fn builtin(language: &str) -> Result<Option<SynonymTable>> {
    let mut tables = TABLES.iter().zip(&UNPACKED);
    let Some((table, unpacked)) = tables.find(|(table, _)| table.language == language) else {
        return Ok(None);
    };
    let open = || unpack(table.bytes).and_then(SynonymTable::from_bytes);
    unpacked.get_or_init(open).clone().map(Some)
}
