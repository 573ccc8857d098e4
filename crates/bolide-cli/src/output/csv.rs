//! Rows for programs.
//!
//! With segments: `system,segment,metric,score` and the components, one row for each segment,
//! system and metric, segments counted from 1. Without: `system,metric,signature,score` and the
//! components, one row for each system and metric. Components are the union over all metrics, in
//! order of first appearance; a cell is empty where a metric does not have the component. Numbers
//! are the shortest that read back to the same bits; for a number that does not exist (NaN, infinity), the cell
//! is empty.

use super::{Outcome, Piece, Plan, ScoreFormat};
use bolide::{Score, Value};
use std::borrow::Cow;
use std::fmt::Write;

/// The format.
pub struct Csv;

impl ScoreFormat for Csv {
    fn begin(&self, plan: &Plan, out: &mut String) {
        header(out, &["system", "segment", "metric", "score"], plan);
    }

    fn segment(
        &self,
        plan: &Plan,
        segment: u64,
        system: usize,
        scores: &[Score],
        out: &mut [String],
    ) {
        let out = &mut out[0];
        for (metric, score) in scores.iter().enumerate() {
            field(out, &plan.systems[system]);
            let _ = write!(out, ",{segment},");
            field(out, &plan.metrics[metric].name);
            values(out, score, plan);
        }
    }

    fn end(&self, plan: &Plan, outcomes: &[Outcome]) -> Vec<Piece> {
        let mut out = String::new();
        if !plan.segments {
            header(&mut out, &["system", "metric", "signature", "score"], plan);
            for outcome in outcomes {
                field(&mut out, &plan.systems[outcome.system]);
                out.push(',');
                field(&mut out, &plan.metrics[outcome.metric].name);
                out.push(',');
                field(&mut out, &outcome.score.signature.to_string());
                values(&mut out, &outcome.score, plan);
            }
        }
        vec![Piece::Text(out)]
    }
}

/// The union of the components.
pub fn columns(plan: &Plan) -> Vec<&Cow<'static, str>> {
    let mut columns: Vec<&Cow<'static, str>> = Vec::new();
    for name in plan.metrics.iter().flat_map(|metric| &metric.components) {
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    columns
}

fn header(out: &mut String, first: &[&str], plan: &Plan) {
    out.push_str(&first.join(","));
    for name in columns(plan) {
        out.push(',');
        field(out, name);
    }
    out.push('\n');
}

fn values(out: &mut String, score: &Score, plan: &Plan) {
    out.push(',');
    number(out, score.value);
    if plan.metrics.len() == 1 {
        // The components are in the header's order already.
        score.components.iter().for_each(|&(_, component)| value(out, Some(component)));
    } else {
        columns(plan).iter().for_each(|name| value(out, score.components.get(name)));
    }
    out.push('\n');
}

fn value(out: &mut String, value: Option<Value>) {
    out.push(',');
    match value {
        None => {}
        Some(Value::Count(n)) => {
            let _ = write!(out, "{n}");
        }
        Some(Value::Flag(flag)) => out.push_str(if flag { "true" } else { "false" }),
        Some(Value::Number(x)) => number(out, x),
    }
}

/// Appends a number.
pub fn number(out: &mut String, x: f64) {
    if x.is_finite() {
        let _ = write!(out, "{x:?}");
    }
}

/// Appends a text, quoted if necessary.
pub fn field(out: &mut String, text: &str) {
    if text.contains(['"', ',', '\n', '\r']) {
        let _ = write!(out, "\"{}\"", text.replace('"', "\"\""));
    } else {
        out.push_str(text);
    }
}
