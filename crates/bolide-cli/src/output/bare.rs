//! Only the scores, one on each line, for scripts.

use super::{Outcome, Piece, Plan, ScoreFormat, fixed};
use bolide::Score;
use std::fmt::Write;

/// The format.
pub struct Bare;

impl ScoreFormat for Bare {
    fn begin(&self, _: &Plan, _: &mut String) {}

    fn segment(&self, plan: &Plan, _: u64, _: usize, scores: &[Score], out: &mut [String]) {
        for (metric, score) in plan.metrics.iter().zip(scores) {
            let _ = writeln!(out[0], "{}", fixed(score.value, metric.decimals));
        }
    }

    fn end(&self, plan: &Plan, outcomes: &[Outcome]) -> Vec<Piece> {
        // With segments, corpus scores are left out: a script could not tell them from the segments' scores.
        if plan.segments {
            return Vec::new();
        }
        let line = |outcome: &Outcome| {
            format!("{}\n", fixed(outcome.score.value, plan.metrics[outcome.metric].decimals))
        };
        vec![Piece::Text(outcomes.iter().map(line).collect())]
    }
}
