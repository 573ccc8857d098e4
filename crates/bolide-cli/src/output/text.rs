//! Aligned columns for people.

use super::{
    Outcome, Piece, Plan, ScoreFormat, components, fixed, segment_columns, signatures,
    systems_by_metrics,
};
use bolide::Score;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The format.
pub struct Text;

/// Segments are printed as they are scored, before all widths are known, so the columns have fixed widths.
const SEGMENT: usize = 8;

impl ScoreFormat for Text {
    fn begin(&self, plan: &Plan, out: &mut String) {
        let columns = segment_columns(plan);
        let (system, fill) = (columns[1], " ".repeat(system_width(plan) - columns[1].width()));
        let _ = write!(out, "{:>SEGMENT$}  {system}{fill}", columns[0]);
        for (metric, name) in columns[2..].iter().enumerate() {
            let fill = " ".repeat(score_width(plan, metric) - name.width());
            let _ = write!(out, "  {fill}{name}");
        }
        out.push('\n');
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
        let system = plan.systems[system].as_str();
        let fill = " ".repeat(system_width(plan) - system.width());
        let _ = write!(out, "{segment:>SEGMENT$}  {system}{fill}");
        for (metric, score) in scores.iter().enumerate() {
            let score = fixed(score.value, plan.metrics[metric].decimals);
            let _ = write!(out, "  {score:>0$}", score_width(plan, metric));
        }
        out.push('\n');
    }

    fn end(&self, plan: &Plan, outcomes: &[Outcome]) -> Vec<Piece> {
        let mut out = String::new();
        if plan.segments {
            out.push('\n');
        }
        out.push_str(&systems_by_metrics(plan, outcomes).to_text(plan.color));
        for metric in 0..plan.metrics.len() {
            if let Some(table) = components(plan, outcomes, metric) {
                out.push('\n');
                out.push_str(&table.to_text(plan.color));
            }
        }
        out.push('\n');
        for (_, signature) in signatures(plan, outcomes) {
            out.push_str(&signature);
            out.push('\n');
        }
        vec![Piece::Text(out)]
    }
}

fn system_width(plan: &Plan) -> usize {
    plan.systems.iter().map(|name| name.width()).max().unwrap_or(0).max("system".len())
}

fn score_width(plan: &Plan, metric: usize) -> usize {
    let heading = &plan.metrics[metric];
    heading.name.width().max(heading.decimals + 4)
}
