//! The formula of `meteor:2026`, on integers.

use super::Stats;

/// α and γ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// The weight of recall in the mean.
    pub alpha: f64,
    /// The penalty of complete disorder.
    pub gamma: f64,
}

/// The steps from statistics to a score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steps {
    /// The credit of the matches, as a fraction of the hypothesis' weight.
    pub precision: f64,
    /// The credit of the matches, as a fraction of the reference's weight.
    pub recall: f64,
    /// PR/(αP + (1−α)R).
    pub fmean: f64,
    /// γ · breaks / joints.
    pub penalty: f64,
    /// (1 − penalty)·Fmean.
    pub score: f64,
}

/// All steps from the statistics to the score. Two texts without tokens are a perfect match.
pub(super) fn steps(stats: &Stats, parameters: &Parameters) -> Steps {
    let share = |credit: u64, weight: u64| match weight {
        0 => 0.0,
        weight => credit as f64 / (100.0 * weight as f64),
    };
    if stats.hypothesis_weight == 0 && stats.reference_weight == 0 {
        return Steps { precision: 1.0, recall: 1.0, fmean: 1.0, penalty: 0.0, score: 1.0 };
    }
    let precision = share(stats.hypothesis_credit, stats.hypothesis_weight);
    let recall = share(stats.reference_credit, stats.reference_weight);
    let disorder = match stats.joints {
        0 => 0.0,
        joints => stats.breaks as f64 / joints as f64,
    };
    combine([precision, recall], disorder, parameters)
}

/// The steps from precision and recall, and from the share of joints that are breaks.
pub(crate) fn combine(
    [precision, recall]: [f64; 2],
    disorder: f64,
    parameters: &Parameters,
) -> Steps {
    let Parameters { alpha, gamma } = *parameters;
    let product = precision * recall;
    let fmean = match product > 0.0 {
        true => product / (alpha * precision + (1.0 - alpha) * recall),
        false => 0.0,
    };
    let penalty = gamma * disorder;
    Steps { precision, recall, fmean, penalty, score: fmean * (1.0 - penalty) }
}
