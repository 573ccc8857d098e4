//! Scores, confidence intervals and p-values of the systems: those of `bolide compare`, for every
//! choice of the baseline.
//!
//! Each system is resampled once; another baseline only needs the differences between these samples.

use super::gather::Gathered;
use crate::commands::compare::possible_p_value;
use crate::error::Result;
use crate::progress::Progress;
use crate::run::NamedMetric;
use bolide::Signature;
use bolide::resample::{Sample, Scores, bootstrap, holm};
use bolide_runner::Runner;
use serde::Serialize;

/// The test and its settings.
#[derive(Serialize)]
pub struct Test {
    /// Bootstrap samples.
    pub samples: usize,
    /// The seed of the generator.
    pub seed: u64,
    /// The level of significance.
    pub level: f64,
    /// The correction of the p-values.
    pub correction: Option<&'static str>,
}

impl Test {
    /// Adds the facts that sacreBLEU's signatures have.
    pub fn with_facts(&self, signature: Signature) -> Signature {
        signature.with_fact("bs", self.samples).with_fact("seed", self.seed)
    }
}

/// One system by one metric.
#[derive(Serialize)]
pub struct Standing {
    /// The score of the corpus.
    pub score: f64,
    /// The mean over the samples.
    pub mean: f64,
    /// Half the width of the interval with 95 % of the samples.
    pub half_width: f64,
    /// With each system as the baseline; `None` for the system itself, and where a score is undefined.
    pub p_values: Vec<Option<f64>>,
}

/// By metric, then by system. `scores` are the corpus scores, in the order of `gathered.stats`.
pub fn of(
    gathered: &Gathered,
    metrics: &[NamedMetric],
    scores: &[f64],
    test: &Test,
    (runner, progress): (Runner, &Progress),
) -> Result<Vec<Vec<Standing>>> {
    let n_systems = scores.len() / metrics.len();
    let sample =
        |idx: usize| Sample::new(&metrics[idx % metrics.len()].metric, &gathered.stats[idx]);
    let samples: bolide::Result<Vec<Sample<'_>>> =
        runner.each(scores.len(), sample).into_iter().collect();
    let samples = samples?;
    let resample = |idx: usize| {
        bootstrap(std::slice::from_ref(&samples[idx]), test.samples, test.seed).swap_remove(0)
    };
    let resampled: Vec<Scores> = progress.each("resampling", runner, scores.len(), resample);
    let of_metric = |metric: usize| {
        let at = |system: usize| system * metrics.len() + metric;
        let mut standings: Vec<Standing> = (0..n_systems)
            .map(|system| {
                let resampled = &resampled[at(system)];
                // sacreBLEU rounds the mean of a single system differently.
                let interval =
                    if n_systems == 1 { resampled.confidence() } else { resampled.interval() };
                Standing {
                    score: scores[at(system)],
                    mean: interval.mean,
                    half_width: interval.half_width,
                    p_values: vec![None; n_systems],
                }
            })
            .collect();
        for baseline in 0..n_systems {
            let others: Vec<usize> = (0..n_systems).filter(|&other| other != baseline).collect();
            let p = |&other: &usize| {
                let difference = scores[at(baseline)] - scores[at(other)];
                let p = resampled[at(other)].p_value(&resampled[at(baseline)], difference);
                possible_p_value(p, &samples[at(other)], &samples[at(baseline)])
            };
            let mut p_values: Vec<f64> = others.iter().map(p).collect();
            if test.correction.is_some() {
                p_values = holm(&p_values);
            }
            for (&other, p) in others.iter().zip(p_values) {
                standings[other].p_values[baseline] = Some(p).filter(|p| !p.is_nan());
            }
        }
        standings
    };
    Ok(runner.each(metrics.len(), of_metric))
}
