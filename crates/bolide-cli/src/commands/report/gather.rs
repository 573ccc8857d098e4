//! Collects what the page shows of every segment: texts, scores, statistics, alignments, words.
//!
//! Workers align and number words within a batch; batches are joined in order, so that the report is the same
//! for any number of threads.

use super::beside::Beside;
use super::compact::{self, Letters, Vocabulary};
use crate::error::Result;
use crate::run::{Consumer, Maker, NamedMetric, Row};
use bolide::explanation::Token;
use bolide::{Explanation, Metric, Segment, Statistics, Text};

/// What to gather.
pub struct Plan<'a> {
    /// The metrics of the leaderboard.
    pub metrics: &'a [NamedMetric],
    /// The metric whose alignments are drawn.
    pub aligner: &'a Metric,
    /// How many systems there are.
    pub n_systems: usize,
    /// What is read in addition to the texts.
    pub beside: Beside,
}

/// Everything that was gathered.
pub struct Gathered {
    /// The statistics: one system after the other, each with all metrics.
    pub stats: Vec<Vec<Statistics>>,
    /// The segments in order.
    pub rows: Vec<Kept>,
    /// The words that the rows number.
    pub words: Vocabulary,
    /// The reasons that the rows number.
    pub reasons: Vocabulary,
}

/// What is kept of a segment.
#[derive(Default)]
pub struct Kept {
    /// The source, if there is one.
    pub source: Option<String>,
    /// The references.
    pub references: Vec<String>,
    /// Where the tokens of the references are; `None` for a reference that was best for no system.
    pub reference_spans: Vec<Option<Letters>>,
    /// One for each of the user's bucketings.
    pub labels: Vec<String>,
    /// One for each system.
    pub systems: Vec<OfSystem>,
}

/// What is kept of one system's hypothesis.
pub struct OfSystem {
    /// The text.
    pub hypothesis: String,
    /// Its human score.
    pub human: Option<f64>,
    /// By metric.
    pub scores: Vec<f64>,
    /// The precision of the alignment.
    pub precision: f64,
    /// The recall of the alignment.
    pub recall: f64,
    /// Chunks per match; NaN if nothing matches.
    pub fragmentation: f64,
    /// Where the tokens are.
    pub spans: Letters,
    /// The alignment.
    pub links: Letters,
    /// The reasons of the links that are not exact.
    pub reasons: Vec<u32>,
    /// The costs of unmatched words and of breaks.
    pub costs: Letters,
    /// The words of the hypothesis, and those of the best reference.
    pub words: [Vec<Word>; 2],
}

/// A word and whether it is matched.
#[derive(Clone, Copy)]
pub struct Word {
    /// Its number.
    pub id: u32,
    /// Whether the alignment matches it.
    pub matched: bool,
}

impl Gathered {
    /// Starts empty.
    pub fn new(plan: &Plan<'_>) -> Self {
        Gathered {
            stats: vec![Vec::new(); plan.n_systems * plan.metrics.len()],
            rows: Vec::new(),
            words: Vocabulary::default(),
            reasons: Vocabulary::default(),
        }
    }
}

/// What a worker collects from one batch.
#[derive(Default)]
pub struct Part {
    rows: Vec<Kept>,
    words: Vocabulary,
    reasons: Vocabulary,
}

impl Maker for Plan<'_> {
    type Part = Part;

    fn row(&self, row: &Row<'_>, stats: &[Statistics], part: &mut Part) -> bolide::Result<()> {
        let Plan { metrics, aligner, n_systems, beside } = self;
        let texts = row.references.iter().map(|text| match text {
            Text::Raw(text) => (*text).to_owned(),
            Text::Tokens(tokens) => tokens.join(" "),
        });
        let mut kept = Kept {
            source: beside.source.map(|at| row.extra(at).to_owned()),
            references: texts.collect(),
            reference_spans: vec![None; row.references.len()],
            labels: beside.buckets.iter().map(|&(at, _)| row.extra(at).trim().to_owned()).collect(),
            systems: Vec::with_capacity(*n_systems),
        };
        for system in 0..*n_systems {
            let hypothesis = row.hypothesis(system);
            let explanation =
                aligner.explain_segment(Segment::new(hypothesis.into(), row.references)?)?;
            let reference = &kept.references[explanation.reference_idx];
            kept.reference_spans[explanation.reference_idx]
                .get_or_insert_with(|| compact::spans(&explanation.tokens.reference, reference));
            let stats = &stats[system * metrics.len()..];
            kept.systems.push(OfSystem {
                hypothesis: hypothesis.to_owned(),
                human: beside.human.and_then(|first| row.extra(first + system).trim().parse().ok()),
                scores: (metrics.iter().zip(stats))
                    .map(|(named, stats)| named.metric.segment_value(stats))
                    .collect::<bolide::Result<_>>()?,
                precision: explanation.precision,
                recall: explanation.recall,
                fragmentation: explanation.chunks as f64 / explanation.matches as f64,
                spans: compact::spans(&explanation.tokens.hypothesis, hypothesis),
                links: compact::links(&explanation),
                reasons: compact::reasons(&explanation).map(|why| part.reasons.id(why)).collect(),
                costs: compact::costs(&explanation),
                words: words(&explanation, &mut part.words),
            });
        }
        part.rows.push(kept);
        Ok(())
    }
}

impl Consumer for Gathered {
    type Part = Part;

    fn merge(&mut self, stats: Vec<Statistics>, part: Part) -> Result<()> {
        let n_columns = self.stats.len();
        for (idx, stats) in stats.into_iter().enumerate() {
            self.stats[idx % n_columns].push(stats);
        }
        let words: Vec<u32> = part.words.texts.iter().map(|word| self.words.id(word)).collect();
        let reasons: Vec<u32> = part.reasons.texts.iter().map(|why| self.reasons.id(why)).collect();
        for mut kept in part.rows {
            for of_system in &mut kept.systems {
                of_system.words.iter_mut().flatten().for_each(|w| w.id = words[w.id as usize]);
                of_system.reasons.iter_mut().for_each(|why| *why = reasons[*why as usize]);
            }
            self.rows.push(kept);
        }
        Ok(())
    }
}

/// The words of both sides.
fn words(explanation: &Explanation, vocabulary: &mut Vocabulary) -> [Vec<Word>; 2] {
    let mut side = |tokens: &[Token]| -> Vec<Word> {
        tokens.iter().map(|t| Word { id: vocabulary.id(&t.text), matched: false }).collect()
    };
    let mut hypothesis = side(&explanation.tokens.hypothesis);
    let mut reference = side(&explanation.tokens.reference);
    for link in &explanation.pairs {
        let ours = hypothesis.iter_mut().skip(link.hypothesis).take(link.hypothesis_tokens);
        let theirs = reference.iter_mut().skip(link.reference).take(link.reference_tokens);
        ours.chain(theirs).for_each(|word| word.matched = true);
    }
    [hypothesis, reference]
}
