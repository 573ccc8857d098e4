//! Tables for a README or an issue.

use super::table::markdown;
use super::{
    Outcome, Piece, Plan, ScoreFormat, components, fixed, segment_columns, signatures,
    systems_by_metrics,
};
use bolide::Score;
use std::fmt::Write;

/// The format.
pub struct Markdown;

impl ScoreFormat for Markdown {
    fn begin(&self, plan: &Plan, out: &mut String) {
        let columns = segment_columns(plan);
        for name in &columns {
            let _ = write!(out, "| {} ", markdown(name, false));
        }
        out.push_str("|\n");
        for idx in 0..columns.len() {
            out.push_str(if idx == 1 { "| --- " } else { "| --: " });
        }
        out.push_str("|\n");
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
        let _ = write!(out, "| {segment} | {} |", markdown(&plan.systems[system], false));
        for (metric, score) in scores.iter().enumerate() {
            let _ = write!(out, " {} |", fixed(score.value, plan.metrics[metric].decimals));
        }
        out.push('\n');
    }

    fn end(&self, plan: &Plan, outcomes: &[Outcome]) -> Vec<Piece> {
        let mut out = String::new();
        if plan.segments {
            out.push('\n');
        }
        out.push_str(&systems_by_metrics(plan, outcomes).to_markdown());
        for metric in 0..plan.metrics.len() {
            if let Some(table) = components(plan, outcomes, metric) {
                out.push('\n');
                out.push_str(&table.to_markdown());
            }
        }
        out.push('\n');
        for (_, signature) in signatures(plan, outcomes) {
            let _ = writeln!(out, "- `{signature}`");
        }
        vec![Piece::Text(out)]
    }
}
