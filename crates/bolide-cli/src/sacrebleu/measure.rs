//! sacreBLEU's three metrics, built from its options, with intervals and paired tests.

use super::options::{Options, Paired};
use super::texts::Streams;
use crate::error::{Result, anyhow};
use crate::run::{NamedMetric, tokenizer_for};
use bolide::resample::{Interval, Sample, Scores, bootstrap, randomization_p_value};
use bolide::{Metric, Score, Segment, Statistics, Text};
use bolide_runner::Runner;
use std::hash::{BuildHasher, RandomState};

/// A metric with sacreBLEU's names for it.
pub struct Measure {
    /// Its name in results: `chrF2++`.
    pub name: String,
    /// Its name in messages: `CHRF`.
    pub class: String,
    /// Whether its scores are followed by BLEU's details.
    pub verbose: bool,
    metric: Metric,
}

/// The seed of the random generator.
#[derive(Clone, Copy)]
pub enum Seed {
    Given(u64),
    /// Every run differs.
    Unset,
}

/// The score of a system by one metric.
pub struct Outcome {
    pub score: Score,
    pub interval: Option<Interval>,
    pub p_value: Option<f64>,
}

impl Seed {
    /// Reads SACREBLEU_SEED.
    pub fn of_environment() -> Result<Self> {
        let Some(text) = std::env::var_os("SACREBLEU_SEED") else { return Ok(Seed::Given(12345)) };
        let text = text.to_string_lossy();
        if text.to_lowercase() == "none" {
            return Ok(Seed::Unset);
        }
        let seed = text.trim().parse();
        seed.map(Seed::Given)
            .map_err(|_| anyhow!("SACREBLEU_SEED must be a whole number or none, got '{text}'"))
    }

    /// As a number; paired tests use 0 for no seed.
    fn number(self, paired: bool) -> u64 {
        match self {
            Seed::Given(seed) if seed > 0 || !paired => seed,
            _ => RandomState::new().hash_one(0),
        }
    }

    /// As written in signatures.
    pub fn text(self) -> String {
        match self {
            Seed::Given(seed) => seed.to_string(),
            Seed::Unset => "none".to_owned(),
        }
    }
}

impl Measure {
    /// Builds the metrics that the options name.
    pub fn all(options: &Options) -> Result<Vec<Self>> {
        options.ordered_metrics().into_iter().map(|metric| Self::new(metric, options)).collect()
    }

    fn new(metric: &str, options: &Options) -> Result<Self> {
        let (name, signature) = match metric {
            "bleu" => ("BLEU".to_owned(), bleu(options)),
            "chrf" => chrf(options),
            _ => ("TER".to_owned(), ter(options)),
        };
        let built =
            NamedMetric::parse(&signature).map_err(|problem| anyhow!("{problem:#}"))?.metric;
        Ok(Measure { name, class: metric.to_uppercase(), verbose: metric == "bleu", metric: built })
    }

    /// The statistics of every segment of a system.
    pub fn statistics(
        &self,
        system: &[String],
        references: &Streams,
        runner: Runner,
    ) -> Result<Vec<Statistics>> {
        const BLOCK: usize = 64;
        let starts: Vec<usize> = (0..system.len()).step_by(BLOCK).collect();
        let parts = runner.map(
            &starts,
            || self.metric.scorer(),
            |&start, scorer| -> bolide::Result<Vec<Statistics>> {
                let end = system.len().min(start + BLOCK);
                (start..end)
                    .map(|at| {
                        let texts: Vec<Text<'_>> =
                            references.iter().map(|stream| Text::Raw(&stream[at])).collect();
                        Ok(scorer.statistics(Segment::new(Text::Raw(&system[at]), &texts)?))
                    })
                    .collect()
            },
        );
        let mut all = Vec::with_capacity(system.len());
        for part in parts {
            all.extend(part?);
        }
        Ok(all)
    }

    /// The score of a corpus.
    pub fn score(&self, statistics: &[Statistics], n_references: usize) -> Result<Score> {
        let mut corpus = self.metric.corpus();
        for one in statistics {
            corpus.push_statistics(one, n_references)?;
        }
        Ok(corpus.score()?)
    }

    /// The scores of single segments, each signed as a corpus of its own.
    pub fn segments(&self, statistics: &[Statistics], n_references: usize) -> Result<Vec<Score>> {
        let score = |one: &Statistics| {
            let mut score = self.metric.finish_segment(one)?;
            score.signature = score.signature.with_fact("nrefs", n_references);
            Ok(score)
        };
        statistics.iter().map(score).collect()
    }

    /// The interval of a single system.
    pub fn confidence(&self, statistics: &[Statistics], n: usize, seed: Seed) -> Result<Interval> {
        let sample = Sample::new(&self.metric, statistics)?;
        Ok(resampled(&sample, n, seed.number(false)).confidence())
    }

    /// The results of several systems, the first of which is the baseline of a paired test.
    pub fn paired(
        &self,
        systems: &[Vec<Statistics>],
        n_references: usize,
        test: Paired,
        n: usize,
        seed: Seed,
        runner: Runner,
    ) -> Result<Vec<Outcome>> {
        let scores: Vec<Score> =
            systems.iter().map(|one| self.score(one, n_references)).collect::<Result<_>>()?;
        let samples: Vec<Sample<'_>> = systems
            .iter()
            .map(|one| Sample::new(&self.metric, one))
            .collect::<bolide::Result<_>>()?;
        let seed = seed.number(true);
        let (intervals, p_values): (Vec<Option<Interval>>, Vec<f64>) = match test {
            Paired::Bootstrap => {
                let drawn = runner.each(samples.len(), |idx| resampled(&samples[idx], n, seed));
                let p = |(idx, one): (usize, &Scores)| {
                    let difference = scores[0].value - scores[idx].value;
                    (Some(one.interval()), one.p_value(&drawn[0], difference))
                };
                drawn.iter().enumerate().map(p).unzip()
            }
            Paired::Randomization => {
                let p = |idx: usize| randomization_p_value(&samples[0], &samples[idx], n, seed);
                runner
                    .each(samples.len(), |idx| if idx == 0 { f64::NAN } else { p(idx) })
                    .into_iter()
                    .map(|p| (None, p))
                    .unzip()
            }
        };
        let results = scores.into_iter().zip(intervals).zip(p_values).enumerate();
        Ok(results
            .map(|(idx, ((score, interval), p))| Outcome {
                score,
                interval,
                p_value: (idx > 0).then_some(p),
            })
            .collect())
    }
}

fn resampled(sample: &Sample<'_>, n: usize, seed: u64) -> Scores {
    // One system in, one list of scores out.
    bootstrap(std::slice::from_ref(sample), n, seed).swap_remove(0)
}

fn yes(flag: bool) -> &'static str {
    if flag { "yes" } else { "no" }
}

fn bleu(options: &Options) -> String {
    let target = options.language_pair.as_deref().and_then(|pair| pair.split('-').nth(1));
    let by_language = target.and_then(tokenizer_for).unwrap_or("13a");
    let tokenizer = options.tokenizer.as_deref().unwrap_or(by_language);
    let smooth = match (options.smooth_method.as_str(), options.smooth_value) {
        (method @ ("floor" | "add-k"), Some(value)) => format!("{method}[{value}]"),
        (method, _) => method.to_owned(),
    };
    let (case, eff) = (if options.lowercase { "lc" } else { "mixed" }, yes(options.sentence_level));
    // The last digit of a score depends on how Python adds.
    let sum = match std::env::var("SACREBLEU_PYTHON").as_deref() {
        Ok("3.8" | "3.9" | "3.10" | "3.11") => "|sum:py311",
        _ => "",
    };
    format!("bleu:sacrebleu|case:{case}|eff:{eff}|tok:{tokenizer}|smooth:{smooth}{sum}")
}

fn chrf(options: &Options) -> (String, String) {
    let chrf = &options.chrf;
    let (case, eff) = (if chrf.lowercase { "lc" } else { "mixed" }, yes(!chrf.eps_smoothing));
    let (nc, nw, beta, space) = (chrf.char_order, chrf.word_order, chrf.beta, yes(chrf.whitespace));
    let plus = "+".repeat(usize::try_from(nw).unwrap_or(0).min(99));
    let beta_key = if beta == 2 { String::new() } else { format!("|beta:{beta}") };
    (
        format!("chrF{beta}{plus}"),
        format!("chrf:sacrebleu|case:{case}|eff:{eff}|nc:{nc}|nw:{nw}|space:{space}{beta_key}"),
    )
}

fn ter(options: &Options) -> String {
    let ter = &options.ter;
    let case = if ter.case_sensitive { "mixed" } else { "lc" };
    let (norm, punct, asian) = (yes(ter.normalized), yes(!ter.no_punct), yes(ter.asian_support));
    format!("ter:sacrebleu|case:{case}|norm:{norm}|punct:{punct}|asian:{asian}")
}
