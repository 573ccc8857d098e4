//! One JSON document with everything.
//!
//! `{"version", "results": [{"system", "metric", "signature", "score", "components", "segments"?}]}`
//! with `"segments": [{"segment", "score", "components"}, …]`. Numbers are the shortest that read
//! back to the same bits; a number that does not exist (NaN, infinity) is null.

use super::{Outcome, Piece, Plan, ScoreFormat};
use bolide::{Report, Value};
use std::fmt::Write;

/// The format.
pub struct Json;

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
        reports: &[Report],
        out: &mut [String],
    ) {
        let spools = &mut out[system * plan.metrics.len()..];
        for (report, out) in reports.iter().zip(spools) {
            out.push_str(if segment == 1 { "\n" } else { ",\n" });
            let _ = write!(out, "{{\"segment\":{segment},");
            self::report(out, report);
            out.push('}');
        }
    }

    fn end(&self, plan: &Plan, outcomes: &[Outcome]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut out = format!("{{\"version\":\"{}\",\"results\":[", bolide::VERSION);
        for (idx, outcome) in outcomes.iter().enumerate() {
            out.push_str(if idx == 0 { "\n" } else { ",\n" });
            out.push_str("{\"system\":");
            string(&mut out, &plan.systems[outcome.system]);
            out.push_str(",\"metric\":");
            string(&mut out, &plan.metrics[outcome.metric].name);
            out.push_str(",\"signature\":");
            string(&mut out, &outcome.signature);
            out.push(',');
            report(&mut out, &outcome.report);
            if plan.segments {
                out.push_str(",\"segments\":[");
                pieces.push(Piece::Text(std::mem::take(&mut out)));
                pieces.push(Piece::Spool(idx));
                out.push_str("\n]");
            }
            out.push('}');
        }
        out.push_str("\n]}\n");
        pieces.push(Piece::Text(out));
        pieces
    }
}

/// Appends `"score":…,"components":{…}`.
pub fn report(out: &mut String, report: &Report) {
    out.push_str("\"score\":");
    number(out, report.score);
    out.push_str(",\"components\":{");
    for (idx, (name, component)) in report.components.iter().enumerate() {
        out.push_str(if idx == 0 { "" } else { "," });
        string(out, name);
        out.push(':');
        value(out, *component);
    }
    out.push('}');
}

/// Appends a component.
pub fn value(out: &mut String, value: Value) {
    match value {
        Value::Count(n) => {
            let _ = write!(out, "{n}");
        }
        Value::Flag(flag) => out.push_str(if flag { "true" } else { "false" }),
        Value::Number(x) => number(out, x),
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
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' || c == '\u{7f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
