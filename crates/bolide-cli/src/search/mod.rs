//! Finds the configurations that give a number: what `which` and `audit` share.
//!
//! `candidates` lists configurations worth trying, `digits` compares a score with a printed number, and this
//! file scores a corpus with many configurations at once. Configurations that differ only in the formula share
//! the statistics of their segments; a score found that way is computed again in full before it is an answer.

mod candidates;
mod digits;
mod texts;

pub use candidates::{Candidate, all, beyond, within};
pub use digits::{Digits, Printed, Reading, Scale};
pub use texts::Texts;

use crate::error::Result;
use crate::progress::Progress;
use bolide::dialect::References;
use bolide::unstable::rescored;
use bolide::{Corpus, Score, Segment, Statistics, Value};
use bolide_runner::Runner;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A configuration and what it gives for a corpus.
#[derive(Clone)]
pub struct Tried {
    /// The configuration.
    pub candidate: Candidate,
    /// The score of the corpus.
    pub corpus: Score,
    /// The mean of the segments' scores, if it was computed and differs.
    pub mean: Option<f64>,
    /// Whether the counts were those of another configuration.
    shared: bool,
}

impl Tried {
    /// Whether a full computation gives the same score. Without it, nothing is an answer.
    pub fn is_confirmed(&self, texts: &Texts) -> Result<bool> {
        if !self.shared {
            return Ok(true);
        }
        let alone = score_group(texts, std::slice::from_ref(&self.candidate))?;
        let same = |other: &Tried| {
            let bits = |mean: Option<f64>| mean.map(f64::to_bits);
            other.corpus.value.to_bits() == self.corpus.value.to_bits()
                && bits(other.mean) == bits(self.mean)
        };
        Ok(alone.first().is_some_and(same))
    }

    /// The scale of its scores.
    pub fn scale(&self) -> Scale {
        self.candidate.scale()
    }
}

/// The components of a score that are worth comparing with a number: counts are not.
pub fn numbers(score: &Score) -> impl Iterator<Item = (&str, f64)> {
    score.components.iter().filter_map(|(name, value)| match value {
        Value::Number(x) => Some((name.as_ref(), *x)),
        _ => None,
    })
}

/// Keys that change the formula but not what is counted. If a dialect counts otherwise, its answers are not
/// confirmed, and only time is lost.
const FORMULA: [&str; 6] = ["alpha", "beta", "gamma", "smooth", "eff", "sum"];

/// Whether only the parameters of an alignment's formula are changed, two or more at once. Such candidates are many,
/// and few programs have them.
pub fn is_tuned(candidate: &Candidate) -> bool {
    candidate.metric.dialect().alignment
        && candidate.changes.len() > 1
        && candidate.changes.iter().all(|change| is_formula(change))
}

fn is_formula(change: &str) -> bool {
    FORMULA.iter().any(|key| change.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')))
}

/// A corpus of fewer segments is always scored as a whole.
const SAMPLED: usize = 1000;

/// How far the score of a tenth of a corpus may be from that of the whole, as a part of the scale. It is some ten times
/// the standard error for a thousand segments.
const MARGIN: f64 = 0.15;

/// The candidates that may give a number: all but those whose score for a tenth of a large corpus is far from it.
pub fn promising(
    texts: &Texts,
    candidates: Vec<Candidate>,
    printed: &Printed,
    runner: Runner,
    progress: &Progress,
) -> Result<Vec<Candidate>> {
    if texts.len() < SAMPLED {
        return Ok(candidates);
    }
    let is_near = |tried: &Tried| {
        let near = |score: f64| printed.is_near(score, tried.scale(), MARGIN);
        let most = tried.candidate.metric.dialect().range.1;
        // A score with another limit, or without one, may change by any amount.
        most != tried.scale().perfect() || near(tried.corpus.value) || tried.mean.is_some_and(near)
    };
    let mut tried = score_all(&texts.tenth(), candidates, runner, progress)?;
    tried.retain(is_near);
    Ok(tried.into_iter().map(|tried| tried.candidate).collect())
}

/// Candidates that may share counts, with their places in the list.
#[derive(Default)]
struct Group {
    places: Vec<usize>,
    candidates: Vec<Candidate>,
}

/// Scores a corpus with every candidate, in their order.
pub fn score_all(
    texts: &Texts,
    candidates: Vec<Candidate>,
    runner: Runner,
    progress: &Progress,
) -> Result<Vec<Tried>> {
    let mut groups: BTreeMap<(&str, Vec<String>), Group> = BTreeMap::new();
    for (at, candidate) in candidates.into_iter().enumerate() {
        let counted = |change: &&String| !is_formula(change);
        let changes: Vec<String> = match shares(texts, &candidate) {
            true => candidate.changes.iter().filter(counted).cloned().collect(),
            false => vec![candidate.name.clone()],
        };
        let group = groups.entry((candidate.dialect, changes)).or_default();
        group.places.push(at);
        group.candidates.push(candidate);
    }
    let groups: Vec<Group> = groups.into_values().collect();
    let n_done = Arc::new(AtomicU64::new(0));
    let position = Arc::clone(&n_done);
    progress.start(Some((groups.len() as u64, move || position.load(Ordering::Relaxed))));
    let mut found: Vec<(usize, Tried)> = Vec::new();
    let mut n_tried = 0;
    let source = bolide_runner::blocks::<anyhow::Error>(groups.len(), 1);
    let work = |block: &std::ops::Range<usize>, (): &mut ()| {
        let scored = groups[block.clone()].iter().map(|group| {
            let tried = score_group(texts, &group.candidates)?;
            Ok(group.places.iter().copied().zip(tried).collect::<Vec<_>>())
        });
        scored.collect::<Result<Vec<_>>>()
    };
    let mut merge = |scored: Result<Vec<Vec<(usize, Tried)>>>| {
        for group in scored? {
            n_tried += group.len() as u64;
            found.extend(group);
            n_done.fetch_add(1, Ordering::Relaxed);
        }
        progress.advance(n_tried);
        Ok(())
    };
    runner.run(source, || (), work, &mut merge)?;
    progress.finish();
    found.sort_by_key(|&(at, _)| at);
    Ok(found.into_iter().map(|(_, tried)| tried).collect())
}

/// Whether a candidate may have the counts of one with fewer changes.
pub fn may_share(texts: &Texts, candidate: &Candidate) -> bool {
    shares(texts, candidate) && candidate.changes.iter().any(|change| is_formula(change))
}

/// Whether configurations of this dialect may share counts: the formula must not choose among references.
fn shares(texts: &Texts, candidate: &Candidate) -> bool {
    candidate.metric.dialect().references == References::Pooled || texts.most_references() == 1
}

/// Scores a corpus with candidates that may share their counts.
fn score_group(texts: &Texts, group: &[Candidate]) -> Result<Vec<Tried>> {
    let Some((first, others)) = group.split_first() else { return Ok(Vec::new()) };
    let sample = if others.is_empty() { Vec::new() } else { sample(texts, first)? };
    let mut sharing = vec![first.clone()];
    let mut tried = Vec::new();
    for other in others {
        match fits(texts, other, &sample)? {
            true => sharing.push(other.clone()),
            false => tried.extend(score_together(texts, std::slice::from_ref(other))?),
        }
    }
    tried.extend(score_together(texts, &sharing)?);
    let place = |tried: &Tried| group.iter().position(|one| one.name == tried.candidate.name);
    tried.sort_by_key(place);
    Ok(tried)
}

/// How many segments show whether configurations can share counts.
const SAMPLE: usize = 8;

/// The statistics of the first segments.
fn sample(texts: &Texts, candidate: &Candidate) -> Result<Vec<Statistics>> {
    let mut scorer = candidate.metric.scorer();
    let rows = 0..texts.len().min(SAMPLE);
    rows.map(|row| {
        let references = texts.references(row);
        Ok(scorer.statistics(Segment::new(texts.hypothesis(row).into(), &references)?))
    })
    .collect()
}

/// Whether the statistics of another configuration give the same scores for the first segments as one's own.
fn fits(texts: &Texts, candidate: &Candidate, theirs: &[Statistics]) -> Result<bool> {
    let metric = &candidate.metric;
    let (mut from_theirs, mut from_own) = (metric.corpus(), metric.corpus());
    for (theirs, own) in theirs.iter().zip(sample(texts, candidate)?) {
        let Some(theirs) = rescored(metric, theirs) else { return Ok(false) };
        let value = |stats: &Statistics| metric.segment_value(stats).map(f64::to_bits);
        if value(&theirs)? != value(&own)? {
            return Ok(false);
        }
        from_theirs.push_statistics(&theirs, 1)?;
        from_own.push_statistics(&own, 1)?;
    }
    Ok(from_theirs.score()?.value.to_bits() == from_own.score()?.value.to_bits())
}

/// Scores a corpus with candidates that share the counts of the first.
fn score_together(texts: &Texts, group: &[Candidate]) -> Result<Vec<Tried>> {
    let Some((first, others)) = group.split_first() else { return Ok(Vec::new()) };
    let mut scorer = first.metric.scorer();
    let mut corpora: Vec<Corpus> = group.iter().map(|one| one.metric.corpus()).collect();
    let mut means = vec![Mean::default(); group.len()];
    for row in 0..texts.len() {
        let references = texts.references(row);
        let stats = scorer.statistics(Segment::new(texts.hypothesis(row).into(), &references)?);
        for ((candidate, corpus), mean) in group.iter().zip(&mut corpora).zip(&mut means) {
            let own = match candidate.name == first.name {
                true => None,
                false => rescored(&candidate.metric, &stats),
            };
            let own = own.as_ref().unwrap_or(&stats);
            corpus.push_statistics(own, references.len())?;
            // Means are tried only for simple configurations.
            if others.is_empty() || candidate.changes.len() < 2 {
                mean.add(candidate.metric.segment_value(own)?);
            }
        }
    }
    let scored = group.iter().zip(&corpora).zip(&means).enumerate();
    scored
        .map(|(at, ((one, corpus), mean))| Ok(made(one, corpus.score()?, *mean, at > 0)))
        .collect()
}

fn made(candidate: &Candidate, corpus: Score, mean: Mean, shared: bool) -> Tried {
    let mean = mean.value().filter(|mean| mean.to_bits() != corpus.value.to_bits());
    Tried { candidate: candidate.clone(), corpus, mean, shared }
}

/// A mean as most people compute it: the sum from first to last, over the number.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    n: u64,
}

impl Mean {
    fn add(&mut self, x: f64) {
        self.sum += x;
        self.n += 1;
    }

    fn value(self) -> Option<f64> {
        (self.n > 1).then(|| self.sum / self.n as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Context;

    #[test]
    fn shared_statistics_give_the_scores_of_a_full_computation() {
        let mut texts = Texts::default();
        for (at, verb) in ["sat", "slept", "was", "ran", "lay"].iter().cycle().take(12).enumerate()
        {
            let reference = format!("the {verb} cat number {at} sat on the old mat");
            texts.push(format!("a {verb} cat sat on {at} mats, the old"), vec![reference]);
        }
        let mut candidates = within(&bolide::Resources::embedded(), 1);
        candidates.retain(|candidate| {
            ["meteor:nltk", "meteor:hf", "meteor:2026", "bleu:nltk"].contains(&candidate.dialect)
        });
        let n_shared = candidates
            .iter()
            .filter(|candidate| may_share(&texts, candidate))
            .map(|candidate| candidate.dialect)
            .collect::<std::collections::BTreeSet<_>>();
        assert_eq!(n_shared.len(), 4);
        let mut groups: BTreeMap<&str, Vec<Candidate>> = BTreeMap::new();
        for candidate in candidates {
            groups.entry(candidate.dialect).or_default().push(candidate);
        }
        for (dialect, group) in groups {
            let tried = score_group(&texts, &group).unwrap();
            assert_eq!(tried.len(), group.len());
            assert!(tried.iter().any(|one| one.shared), "{dialect}");
            for one in tried.iter().filter(|one| one.shared) {
                assert!(one.is_confirmed(&texts).unwrap(), "{}", one.candidate.name);
            }
        }
    }

    #[test]
    fn a_tenth_of_a_large_corpus_gives_up_only_what_is_far() {
        let mut texts = Texts::default();
        for at in 0..SAMPLED {
            let reference = format!("The {} cats of number {at} sat, all on old mats", at % 7);
            texts.push(
                format!("the {} cats of Number {at} sat all on mats", at % 5),
                vec![reference],
            );
        }
        let context = Context { threads: 1, quiet: true, color: false, width: 80 };
        let progress = Progress::new(&context);
        let mut candidates = within(&bolide::Resources::embedded(), 2);
        candidates.retain(|one| one.dialect == "bleu:sacrebleu" && one.changes.len() == 2);
        let kept = |number: &str, texts: &Texts| {
            let printed = Printed::parse(number).unwrap();
            promising(texts, candidates.clone(), &printed, context.runner(), &progress).unwrap()
        };
        let scored = score_all(&texts, candidates.clone(), context.runner(), &progress).unwrap();
        for one in &scored {
            let kept = kept(&one.corpus.value.to_string(), &texts);
            assert!(kept.iter().any(|other| other.name == one.candidate.name));
        }
        assert!(scored.iter().all(|one| one.corpus.value < 80.0));
        assert!(kept("99.5", &texts).is_empty());
        // A corpus that is not large is scored as a whole.
        let mut few = Texts::default();
        few.push("a".to_owned(), vec!["b".to_owned()]);
        assert_eq!(kept("99.5", &few).len(), candidates.len());
    }
}
