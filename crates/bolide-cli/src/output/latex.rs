//! Tables for a paper, with the rules of booktabs and the signatures as comments.

use super::table::latex;
use super::{
    Outcome, Piece, Plan, ScoreFormat, components, fixed, segment_columns, signatures,
    systems_by_metrics,
};
use bolide::Score;
use std::fmt::Write;

/// The format.
pub struct Latex;

impl ScoreFormat for Latex {
    fn begin(&self, plan: &Plan, out: &mut String) {
        let columns: Vec<String> =
            segment_columns(plan).iter().map(|name| latex(name, false)).collect();
        let numbers = "r".repeat(plan.metrics.len());
        // A longtable can break across pages, which a tabular cannot.
        let _ = writeln!(out, "\\begin{{longtable}}{{rl{numbers}}}\n\\toprule");
        let _ = writeln!(out, "{} \\\\\n\\midrule\n\\endhead", columns.join(" & "));
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
        let _ = write!(out, "{segment} & {}", latex(&plan.systems[system], false));
        for (metric, score) in scores.iter().enumerate() {
            let _ = write!(out, " & {}", fixed(score.value, plan.metrics[metric].decimals));
        }
        out.push_str(" \\\\\n");
    }

    fn end(&self, plan: &Plan, outcomes: &[Outcome]) -> Vec<Piece> {
        let mut out = String::new();
        if plan.segments {
            out.push_str("\\bottomrule\n\\end{longtable}\n\n");
        }
        for (_, signature) in signatures(plan, outcomes) {
            let _ = writeln!(out, "% {signature}");
        }
        out.push_str(&systems_by_metrics(plan, outcomes).to_latex());
        for metric in 0..plan.metrics.len() {
            if let Some(table) = components(plan, outcomes, metric) {
                out.push('\n');
                out.push_str(&table.to_latex());
            }
        }
        vec![Piece::Text(out)]
    }
}
