//! Reads the results that `bolide score` and `bolide compare` print as JSON.

use super::reported::Reported;
use serde::Deserialize;
use serde_json::{Number, Value};

/// The member that says which system a number is for.
pub const SYSTEM: &str = "system";

#[derive(Deserialize)]
struct Document {
    results: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    system: String,
    metric: String,
    signature: String,
    /// None if there is no number.
    score: Option<Number>,
}

/// The numbers of a document, if it is one of bolide's. The name of its file is for messages.
pub fn read(document: &Value, file: &str) -> Option<Vec<Reported>> {
    let document = Document::deserialize(document).ok()?;
    let reported = |row: Row| {
        Some(Reported {
            label: row.metric,
            number: row.score?.to_string(),
            system: Some(row.system),
            signature: Some(row.signature),
            place: file.to_owned(),
        })
    };
    let reported: Vec<Reported> = document.results.into_iter().filter_map(reported).collect();
    (!reported.is_empty()).then_some(reported)
}
