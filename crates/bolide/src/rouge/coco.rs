//! `rougeL:coco`: the ROUGE-L of the COCO caption tools (pycocoevalcap 1.2).
//!
//! Tokens are separated by single spaces, so two spaces enclose an empty token. With several references the
//! best precision and the best recall count independently; the score is (1 + β²)PR / (R + β²P) with β = 1.2,
//! and 0 if nothing is common. The score of a corpus is NumPy's mean.

#[cfg(feature = "evidence")]
use super::evidence::traced;
use super::subsequence::Subsequence;
use crate::arithmetic::numpy_mean;
use crate::definition::{Definition, Mergeable};
use crate::dialect::{Dialect, Merging, References};
use crate::error::Result;
#[cfg(feature = "evidence")]
use crate::evidence::{Common, Evidence, Step, Words};
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::score::Components;
use crate::segment::{Segment, Text};
use crate::signature::{Keys, Signature};
use crate::text::vocabulary::Vocabulary;

pub(crate) const COCO: Dialect = Dialect {
    name: "rougeL:coco",
    family: &super::FAMILY,
    aliases: &["rougeL:pycocoevalcap"],
    reproduces: "pycocoevalcap 1.2, `Rouge`",
    summary: "longest common subsequence, best precision and best recall, beta 1.2",
    agreement: "bit for bit beside the package, on generated captions",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Best,
    merging: Merging::PartsInOrder,
    alignment: false,
    build,
};

fn build(keys: &mut Keys, _: &Resources) -> Result<AnyMetric> {
    Ok(AnyMetric::RougeCoco(Coco { beta: keys.number("beta", 1.2)? }))
}

/// The configured metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Coco {
    /// The weight of recall against precision.
    pub beta: f64,
}

/// The scores of the segments in order, because NumPy's mean depends on their number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// One entry for each segment.
    pub scores: Vec<Score>,
}

crate::record::record!(Stats { scores });

impl Mergeable for Stats {
    fn merge(&mut self, other: &Self) {
        self.scores.extend_from_slice(&other.scores);
    }
}

/// The best precision, the best recall, and the score from both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Over the tokens of the hypothesis.
    pub precision: f64,
    /// Over the tokens of the reference.
    pub recall: f64,
    /// Their weighted mean; for a corpus, the mean over the segments.
    pub score: f64,
}

crate::record::record!(Score { precision, recall, score });

/// Buffers of one worker.
#[derive(Default)]
pub struct Scratch {
    vocabulary: Vocabulary,
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
    subsequence: Subsequence,
}

fn read(text: Text<'_>, vocabulary: &mut Vocabulary, ids: &mut Vec<u32>) {
    ids.clear();
    match text {
        Text::Raw(text) => ids.extend(text.split(' ').map(|token| vocabulary.intern(token))),
        Text::Tokens(tokens) => ids.extend(tokens.iter().map(|token| vocabulary.intern(token))),
    }
}

impl Definition for Coco {
    type Stats = Stats;
    type Score = Score;
    type Scratch = Scratch;

    fn title(&self) -> Option<String> {
        Some("ROUGE-L".to_owned())
    }

    fn needs_spaces(&self, _: &str) -> bool {
        true
    }

    fn segment(&self, segment: Segment<'_>, scratch: &mut Scratch) -> Stats {
        let Scratch { vocabulary, hypothesis, reference, subsequence } = scratch;
        vocabulary.forget_if_large();
        read(segment.hypothesis(), vocabulary, hypothesis);
        let mut best = Score::default();
        for text in segment.each_reference() {
            read(text, vocabulary, reference);
            subsequence.set_target(reference);
            let common = subsequence.length(hypothesis, segment.stop()) as f64;
            let share = |n: usize| if n == 0 { 0.0 } else { common / n as f64 };
            best.precision = best.precision.max(share(hypothesis.len()));
            best.recall = best.recall.max(share(reference.len()));
        }
        let Score { precision, recall, .. } = best;
        if precision != 0.0 && recall != 0.0 {
            let square = self.beta * self.beta;
            best.score = (1.0 + square) * precision * recall / (recall + square * precision);
        }
        Stats { scores: vec![best] }
    }

    fn finish(&self, stats: &Stats) -> Score {
        if let [only] = stats.scores[..] {
            return only;
        }
        let mean = |part: fn(&Score) -> f64| {
            numpy_mean(&stats.scores.iter().map(part).collect::<Vec<f64>>())
        };
        Score {
            precision: mean(|score| score.precision),
            recall: mean(|score| score.recall),
            score: mean(|score| score.score),
        }
    }

    fn value(&self, score: &Score) -> f64 {
        score.score
    }

    fn components(&self, score: &Score) -> Components {
        Components::default().number("precision", score.precision).number("recall", score.recall)
    }

    #[cfg(feature = "evidence")]
    fn evidence(&self, segment: Segment<'_>) -> Option<Evidence> {
        let mut scratch = Scratch::default();
        let score = self.finish(&self.segment(segment, &mut scratch));
        let Scratch { vocabulary, hypothesis, reference, subsequence } = &mut scratch;
        let mut references = Vec::new();
        for &text in segment.references() {
            read(text, vocabulary, reference);
            references.push(reference.clone());
        }
        let commons = references.iter().map(|list| traced(subsequence, hypothesis, list));
        let commons: Vec<Vec<Common>> = commons.collect();
        // The first of the longest gives the precision; the recall may be another's.
        let longest = commons.iter().map(Vec::len).max().unwrap_or(0);
        let reference_idx = commons.iter().position(|common| common.len() == longest).unwrap_or(0);
        let shares = commons.iter().zip(&references);
        let recalled = shares.map(|(common, list)| common.len() as f64 / list.len().max(1) as f64);
        let recall_idx = recalled.clone().position(|recall| recall == score.recall).unwrap_or(0);
        let share = |idx: usize, n: usize| {
            let common = commons.get(idx).map_or(0, Vec::len);
            let of =
                if commons.len() > 1 { format!(" (reference {})", idx + 1) } else { String::new() };
            format!("in common / words = {common} / {n}{of}")
        };
        let (p, r, square) = (score.precision, score.recall, self.beta * self.beta);
        let formula = match p != 0.0 && r != 0.0 {
            true => {
                let above = 1.0 + square;
                format!(
                    "(1 + β²)·P·R / (R + β²·P) = {above}·{p:.4}·{r:.4} / ({r:.4} + {square}·{p:.4})"
                )
            }
            false => "0: nothing in common".to_owned(),
        };
        let n_recall = references.get(recall_idx).map_or(0, Vec::len);
        Some(Evidence {
            words: Words::of(vocabulary, hypothesis, references.iter().map(Vec::as_slice)),
            reference_idx: Some(reference_idx),
            steps: vec![
                Step::new("precision", share(reference_idx, hypothesis.len()), p),
                Step::new("recall", share(recall_idx, n_recall), r),
                Step::new("score", formula, score.score),
            ],
            subsequence: commons.into_iter().nth(reference_idx),
            ..Evidence::default()
        })
    }

    fn signature(&self) -> Signature {
        Signature::new(COCO.name).with("beta", self.beta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(hypothesis: &str, references: &[&str], expected: f64) {
        let references: Vec<Text<'_>> = references.iter().map(|&text| Text::Raw(text)).collect();
        let segment = Segment::new(Text::Raw(hypothesis), &references).unwrap();
        let metric = Coco { beta: 1.2 };
        let stats = metric.segment(segment, &mut Scratch::default());
        assert_eq!(metric.finish(&stats).score, expected, "{hypothesis:?}");
    }

    /// The scores of pycocoevalcap 1.2 for the same captions.
    #[test]
    fn spaces_separate_even_nothing() {
        check("a  b", &["a b"], 0.8299319727891156);
        check("a  b ", &["a b"], 0.7093023255813954);
        check("", &[""], 1.0);
        check("", &["hello world again"], 0.0);
    }
}
