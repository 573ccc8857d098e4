//! Rows for programs, with commas or tabs between the fields.
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

/// The format: the character between two fields.
pub struct Separated(pub char);

impl ScoreFormat for Separated {
    fn begin(&self, plan: &Plan, out: &mut String) {
        header(out, &["system", "segment", "metric", "score"], plan, self.0);
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
            field(out, &plan.systems[system], self.0);
            let _ = write!(out, "{0}{segment}{0}", self.0);
            field(out, &plan.metrics[metric].name, self.0);
            values(out, score, plan, self.0);
        }
    }

    fn end(&self, plan: &Plan, outcomes: &[Outcome]) -> Vec<Piece> {
        let mut out = String::new();
        if !plan.segments {
            header(&mut out, &["system", "metric", "signature", "score"], plan, self.0);
            for outcome in outcomes {
                field(&mut out, &plan.systems[outcome.system], self.0);
                out.push(self.0);
                field(&mut out, &plan.metrics[outcome.metric].name, self.0);
                out.push(self.0);
                field(&mut out, &outcome.score.signature.to_string(), self.0);
                values(&mut out, &outcome.score, plan, self.0);
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

fn header(out: &mut String, first: &[&str], plan: &Plan, separator: char) {
    out.push_str(&first.join(separator.encode_utf8(&mut [0; 4])));
    for name in columns(plan) {
        out.push(separator);
        field(out, name, separator);
    }
    out.push('\n');
}

fn values(out: &mut String, score: &Score, plan: &Plan, separator: char) {
    out.push(separator);
    number(out, score.value);
    if plan.metrics.len() == 1 {
        // The components are in the header's order already.
        score.components.iter().for_each(|&(_, component)| value(out, Some(component), separator));
    } else {
        columns(plan).iter().for_each(|name| value(out, score.components.get(name), separator));
    }
    out.push('\n');
}

fn value(out: &mut String, value: Option<Value>, separator: char) {
    out.push(separator);
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
pub fn field(out: &mut String, text: &str, separator: char) {
    if text.contains(['"', separator, '\n', '\r']) {
        let _ = write!(out, "\"{}\"", text.replace('"', "\"\""));
    } else {
        out.push_str(text);
    }
}
