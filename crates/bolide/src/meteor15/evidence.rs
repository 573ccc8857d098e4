//! How the modules' weights and δ make METEOR 1.5's precision and recall. The alignment is in `explain`.

use super::Meteor15;
use super::pipeline::Scratch;
use super::score::Score;
use super::statistics::Totals;
use crate::definition::Definition;
use crate::evidence::{Evidence, Step};
use crate::segment::Segment;

/// Where one side's numbers are in the statistics.
#[derive(Clone, Copy)]
enum Side {
    Hypothesis = 0,
    Reference = 1,
}

impl Meteor15 {
    pub(super) fn weights_shown(&self, segment: Segment<'_>) -> Evidence {
        let stats = self.segment(segment, &mut Scratch::default());
        let totals = stats.segment_totals();
        let Score { precision, recall, score, .. } = self.score(&totals);
        let delta = self.delta();
        let known = |x: f64| if x.is_nan() { 0.0 } else { x };
        Evidence {
            steps: vec![
                Step::new(
                    "weights",
                    format!("content words weigh {delta}, function words {}", rest(delta)),
                    delta,
                ),
                Step::new("precision", self.share(&totals, Side::Hypothesis), known(precision)),
                Step::new("recall", self.share(&totals, Side::Reference), known(recall)),
                Step::new("score", "(1 − penalty)·F", score),
            ],
            ..Evidence::default()
        }
    }

    fn delta(&self) -> f64 {
        self.configuration().parameters.get(3).copied().unwrap_or(0.0)
    }

    /// Weighted matches over the weighted length.
    fn share(&self, totals: &Totals, side: Side) -> String {
        let configuration = self.configuration();
        let delta = self.delta();
        let rest = rest(delta);
        let (length, function) = match side {
            Side::Hypothesis => (totals.hypothesis_length, totals.hypothesis_function),
            Side::Reference => (totals.reference_length, totals.reference_function),
        };
        let modules = configuration.modules.iter().zip(&configuration.weights).enumerate();
        let matched = |at: usize| {
            let terms = modules.clone().filter_map(|(idx, (module, weight))| {
                let n = totals.stages.get(idx)?[at];
                (n > 0.0).then(|| format!("{weight}·{n} {}", module.name()))
            });
            let terms: Vec<String> = terms.collect();
            if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
        };
        let at = side as usize;
        format!(
            "({delta}·({}) + {rest}·({})) / ({delta}·{} + {rest}·{function})",
            matched(at),
            matched(at + 2),
            length - function,
        )
    }
}

/// 1 − δ without the noise of binary fractions: 0.3, not 0.30000000000000004.
fn rest(delta: f64) -> f64 {
    ((1.0 - delta) * 1e9).round() / 1e9
}
