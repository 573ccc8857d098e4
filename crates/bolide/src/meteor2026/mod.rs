//! METEOR of 2026: bolide's own definition, fitted to human judgements and then frozen.
//!
//! Words are aligned one to one: equal words first, then the others, for the most credit and then for the
//! fewest chunks. The weight of a word is the number of its characters plus one; that of punctuation is a tenth
//! of that. With M the credit earned and T the weight of a side (h hypothesis, r reference),
//!
//! P = Mh/Th, R = Mr/Tr, F = PR/(αP + (1−α)R), score = F·(1 − γ·(chunks − 1)/(matches − 1)).
//!
//! Words that no best alignment matches are set aside before chunks are counted: they cost precision or
//! recall, not order. With several references the best one counts; a corpus is the mean of its segments.
//!
//! docs/meteor-2026.md has the full definition, with examples and the data that it was fitted to. The
//! alignment is the optimal one of [`crate::meteor::align`], which also describes how long texts are aligned.

mod buckets;
mod dialect;
#[cfg(feature = "evidence")]
mod evidence;
mod explain;
mod formula;
mod near;
mod possible;
mod similarity;
mod stages;
mod tokens;
mod words;

pub(crate) use dialect::DIALECT;
pub(crate) use formula::combine;
pub use formula::{Parameters, Steps};
pub use stages::Stage;

use crate::arithmetic::ExactSum;
use crate::definition::{Definition, Mergeable};
use crate::explanation::Explanation;
use crate::language::{ENGLISH, Language};
use crate::lexicon::Thesaurus;
use crate::meteor::align::{Aligner, Budget, Settings, Ties};
use crate::score::Components;
use crate::segment::{Segment, Text};
use crate::signature::Signature;
use crate::stop::Stop;
use crate::text::Tokens;
use crate::text::lists::Lists;
use stages::{Matcher, Rules};
use words::Words;

/// A configured METEOR of 2026.
#[derive(Clone, Debug)]
pub struct Meteor2026 {
    /// That of the synonyms.
    language: &'static Language,
    rules: Rules,
    parameters: Parameters,
    lexicon: Option<Thesaurus>,
    budget: Budget,
}

/// Counts of one segment or of many: integers, and an exact sum.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Segments.
    pub segments: u64,
    /// The weight of all hypothesis tokens, in hundredths of a character.
    pub hypothesis_weight: u64,
    /// The weight of all tokens of the best references.
    pub reference_weight: u64,
    /// The credit of the matches on the hypothesis' side, in hundredths of the unit of weight.
    pub hypothesis_credit: u64,
    /// The credit of the matches on the reference's side.
    pub reference_credit: u64,
    /// Matches by [`Stage`].
    pub matches: [u64; 4],
    /// Borders between chunks.
    pub breaks: u64,
    /// Places where a break could be: for every segment, the number of its matches minus one.
    pub joints: u64,
    /// Segments whose alignment was not proven to have the fewest chunks, or whose near words were too many.
    pub unproven: u64,
    /// The sum of segment scores, exact.
    pub scores: ExactSum,
}

crate::record::record!(Stats {
    segments,
    hypothesis_weight,
    reference_weight,
    hypothesis_credit,
    reference_credit,
    matches,
    breaks,
    joints,
    unproven,
    scores
});

impl Mergeable for Stats {
    fn merge(&mut self, other: &Self) {
        self.segments += other.segments;
        self.hypothesis_weight += other.hypothesis_weight;
        self.reference_weight += other.reference_weight;
        self.hypothesis_credit += other.hypothesis_credit;
        self.reference_credit += other.reference_credit;
        for (sum, n) in self.matches.iter_mut().zip(other.matches) {
            *sum += n;
        }
        self.breaks += other.breaks;
        self.joints += other.joints;
        self.unproven += other.unproven;
        self.scores.merge(&other.scores);
    }
}

/// A score with the counts behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// The mean of the segment scores.
    pub score: f64,
    /// The formula on the summed counts.
    pub pooled: Steps,
    /// The counts.
    pub stats: Stats,
}

/// Buffers and caches of one worker.
#[derive(Default)]
pub struct Scratch {
    tokens: Tokens,
    words: Words,
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
    matcher: Matcher,
    aligner: Aligner,
}

/// The sides of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Hypothesis,
    Reference,
}

impl Meteor2026 {
    /// α and γ.
    pub fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Converts one side to word numbers; its tokens stay in `scratch.tokens`.
    fn read(&self, text: Text<'_>, side: Side, scratch: &mut Scratch) {
        let Scratch { tokens, words, hypothesis, reference, .. } = scratch;
        tokens.clear();
        match text {
            Text::Tokens(given) => tokens.extend_given(given),
            Text::Raw(text) => tokens::split(text, tokens),
        }
        let numbers = if side == Side::Hypothesis { hypothesis } else { reference };
        words.number(tokens, numbers);
    }

    /// Aligns the sides in `scratch` and counts; the pairs stay in its aligner.
    fn count(&self, ties: Ties, stop: Stop<'_>, scratch: &mut Scratch) -> Stats {
        let Scratch { words, hypothesis, reference, matcher, aligner, .. } = scratch;
        let rules = &self.rules;
        let mut weigh = |side: &[u32]| -> u64 {
            side.iter().map(|&word| rules.weight(words.known(word))).sum()
        };
        let mut stats = Stats {
            segments: 1,
            hypothesis_weight: weigh(hypothesis),
            reference_weight: weigh(reference),
            ..Stats::default()
        };
        matcher.find((hypothesis, reference), rules, (words, self.lexicon.as_ref()), stop);
        aligner.settings = Settings { budget: self.budget, ties, ..Settings::default() };
        let alignment = aligner.heaviest(hypothesis, reference, matcher.bonds(rules, words));
        for pair in &alignment.pairs {
            let h = hypothesis[pair.hypothesis as usize];
            let r = reference[pair.reference as usize];
            let stage = matcher.stage(h, r);
            let credit = u64::from(rules.credits[stage as usize]);
            stats.hypothesis_credit += credit * rules.weight(words.known(h));
            stats.reference_credit += credit * rules.weight(words.known(r));
            stats.matches[stage as usize] += 1;
        }
        stats.joints = (alignment.pairs.len() as u64).saturating_sub(1);
        stats.breaks = u64::from(alignment.chunks).saturating_sub(1);
        stats.unproven = u64::from(!(alignment.proven && matcher.is_complete()));
        stats
    }

    /// The statistics for the reference with the highest score (of equal ones, the first), that score and the
    /// reference's index.
    fn best(&self, segment: Segment<'_>, scratch: &mut Scratch) -> (Stats, f64, usize) {
        scratch.words.make_room();
        self.read(segment.hypothesis(), Side::Hypothesis, scratch);
        let mut best: Option<(Stats, f64, usize)> = None;
        for (idx, &reference) in segment.references().iter().enumerate() {
            self.read(reference, Side::Reference, scratch);
            let stats = self.count(Ties::Order, segment.stop(), scratch);
            let score = formula::steps(&stats, &self.parameters).score;
            if best.as_ref().is_none_or(|&(_, before, _)| score > before) {
                best = Some((stats, score, idx));
            }
        }
        best.unwrap_or_default()
    }
}

impl Definition for Meteor2026 {
    type Stats = Stats;
    type Score = Score;
    type Scratch = Scratch;

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        let (mut stats, score, _) = self.best(segment, scratch);
        stats.scores.add(score);
        stats
    }

    fn rescored(&self, stats: &Stats) -> Stats {
        let mut stats = Stats { scores: ExactSum::default(), ..stats.clone() };
        stats.scores.add(formula::steps(&stats, &self.parameters).score);
        stats
    }

    fn finish(&self, stats: &Stats) -> Score {
        let pooled = formula::steps(stats, &self.parameters);
        let (score, pooled) = match stats.segments {
            0 => (0.0, Steps::default()),
            n => (stats.scores.value() / n as f64, pooled),
        };
        Score { score, pooled, stats: stats.clone() }
    }

    fn finish_segment(&self, stats: &Stats) -> Score {
        let pooled = formula::steps(stats, &self.parameters);
        Score { score: pooled.score, pooled, stats: stats.clone() }
    }

    fn segment_value(&self, segment: Segment<'_>, scratch: &mut Scratch) -> f64 {
        self.best(segment, scratch).1
    }

    fn pairwise(
        &self,
        texts: &[Text<'_>],
        scratch: &mut Scratch,
        each: &mut dyn FnMut(usize, usize, f64),
    ) {
        scratch.words.make_room();
        let mut lists = Lists::default();
        for &text in texts {
            self.read(text, Side::Hypothesis, scratch);
            lists.extend(&scratch.hypothesis);
            lists.close();
        }
        for (at, reference) in lists.iter().enumerate() {
            reference.clone_into(&mut scratch.reference);
            for (idx, hypothesis) in lists.iter().enumerate() {
                hypothesis.clone_into(&mut scratch.hypothesis);
                let stats = self.count(Ties::Order, Stop::default(), scratch);
                each(idx, at, formula::steps(&stats, &self.parameters).score);
            }
        }
    }

    fn language(&self) -> Option<&'static Language> {
        // Without the key texts of any language are meant.
        (*self.language != ENGLISH).then_some(self.language)
    }

    fn value(&self, score: &Score) -> f64 {
        score.score
    }

    fn components(&self, score: &Score) -> Components {
        let Score { pooled, stats, .. } = score;
        // Weights and credits in units of one character.
        let characters = |weight: u64| weight as f64 / 100.0;
        let mut components = Components::default()
            .number("precision", pooled.precision)
            .number("recall", pooled.recall)
            .number("fmean", pooled.fmean)
            .number("penalty", pooled.penalty)
            .count("matches", stats.matches.iter().sum());
        for stage in Stage::ALL {
            components = components.count(stage.name(), stats.matches[stage as usize]);
        }
        components
            .count("breaks", stats.breaks)
            .number("hypothesis_weight", characters(stats.hypothesis_weight))
            .number("reference_weight", characters(stats.reference_weight))
            .count("segments", stats.segments)
            .number("pooled", pooled.score)
            .count("unproven", stats.unproven)
    }

    fn explain(&self, segment: Segment<'_>) -> Option<Explanation> {
        Some(self.explanation(segment))
    }

    #[cfg(feature = "evidence")]
    fn evidence(&self, segment: Segment<'_>) -> Option<crate::Evidence> {
        Some(self.weights_shown(segment))
    }

    fn signature(&self) -> Signature {
        dialect::signature(self)
    }
}

#[cfg(test)]
#[cfg(feature = "embedded")]
mod tests;
