//! One JSON document with everything.
//!
//! `{"version", "results": [{"system", "metric", "signature", "score", "components", "segments"?}]}`
//! with `"segments": [{"segment", "score", "components"}, …]`. Numbers are the shortest that read
//! back to the same bits; a number that does not exist (NaN, infinity) is null. docs/schema/score.json describes
//! the document.

use super::{Outcome, Piece, Plan, ScoreFormat};
use bolide::{Components, Score};
use serde::Serialize;
use serde_json::ser::Formatter;
use std::fmt::Write;
use std::io;

/// The format.
pub struct Json;

/// The score of a system by a metric; its segments may follow in the same object.
#[derive(Serialize)]
struct Entry<'a> {
    system: &'a str,
    metric: &'a str,
    #[serde(flatten)]
    score: &'a Score,
}

/// The score of a segment, whose signature is the corpus's.
#[derive(Serialize)]
struct Segment<'a> {
    segment: u64,
    score: f64,
    components: &'a Components,
}

impl ScoreFormat for Json {
    fn n_spools(&self, plan: &Plan) -> usize {
        plan.systems.len() * plan.metrics.len()
    }

    fn begin(&self, _: &Plan, _: &mut String) {}

    fn segment(
        &self,
        plan: &Plan,
        segment: u64,
        system: usize,
        scores: &[Score],
        out: &mut [String],
    ) {
        let spools = &mut out[system * plan.metrics.len()..];
        for (Score { value: score, components, .. }, out) in scores.iter().zip(spools) {
            out.push_str(if segment == 1 { "\n" } else { ",\n" });
            value(out, &Segment { segment, score: *score, components });
        }
    }

    fn end(&self, plan: &Plan, outcomes: &[Outcome]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut out = format!("{{\"version\":\"{}\",\"results\":[", bolide::VERSION);
        for (idx, Outcome { system, metric, score }) in outcomes.iter().enumerate() {
            out.push_str(if idx == 0 { "\n" } else { ",\n" });
            let (system, metric) = (&plan.systems[*system], &plan.metrics[*metric].name);
            value(&mut out, &Entry { system, metric, score });
            if plan.segments {
                // Remove the closing brace: the segments follow.
                out.truncate(out.len() - 1);
                out.push_str(",\"segments\":[");
                pieces.push(Piece::Text(std::mem::take(&mut out)));
                pieces.push(Piece::Spool(idx));
                out.push_str("\n]}");
            }
        }
        out.push_str("\n]}\n");
        pieces.push(Piece::Text(out));
        pieces
    }
}

/// Appends any serialisable value.
pub fn value(out: &mut String, value: &impl Serialize) {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Shortest);
    // Only an invalid key of an object could fail; writing to memory does not.
    if value.serialize(&mut serializer).is_ok() {
        out.push_str(&String::from_utf8_lossy(&bytes));
    }
}

/// Writes numbers as Rust does: the digits of serde_json, but always an exponent for small numbers.
struct Shortest;

impl Formatter for Shortest {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, x: f64) -> io::Result<()> {
        write!(writer, "{x:?}")
    }
}

/// Appends a number.
pub fn number(out: &mut String, x: f64) {
    if x.is_finite() {
        let _ = write!(out, "{x:?}");
    } else {
        out.push_str("null");
    }
}

/// Appends a string.
pub fn string(out: &mut String, text: &str) {
    value(out, &text);
}
