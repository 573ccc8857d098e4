//! What a ROUGE was counted from: the n-grams of both sides, or the words of the common subsequence.

use super::subsequence::Subsequence;
use super::{Kind, MAX_ORDER, Rouge, Score, Scratch, lsum, only};
use crate::definition::Definition;
use crate::evidence::{Common, Evidence, Ngram, Order, Step, Words, best};
use crate::segment::Segment;
use crate::stop::Stop;
use crate::text::lists::Lists;

impl Rouge {
    pub(super) fn show(&self, segment: Segment<'_>) -> Evidence {
        let mut scratch = Scratch::default();
        let value = |pair: Segment<'_>| self.segment_value(pair, &mut scratch);
        let reference_idx = best(segment, value, |value, before| value > before);
        let score = self.finish(&self.segment(segment, &mut scratch));
        let mut references = Vec::new();
        for &text in segment.references() {
            let mut lists = Lists::default();
            scratch.words.read(text, self, &mut lists);
            references.push(lists);
        }
        if let Some(chosen) = references.get(reference_idx) {
            scratch.reference.clone_from(chosen);
        }
        let flat = |lists: &Lists| lists.iter().flatten().copied().collect::<Vec<u32>>();
        let hypothesis = flat(&scratch.hypothesis);
        let flats: Vec<Vec<u32>> = references.iter().map(flat).collect();
        let vocabulary = &scratch.words.vocabulary;
        let mut evidence = Evidence {
            words: Words::of(vocabulary, &hypothesis, flats.iter().map(Vec::as_slice)),
            reference_idx: Some(reference_idx),
            ..Evidence::default()
        };
        let (matches, of) = match self.kind {
            Kind::N(order) => {
                let order = ngrams(order.clamp(1, MAX_ORDER), &mut scratch, &score);
                let counts = (order.hypothesis as usize, order.reference.unwrap_or(0) as usize);
                let matches = order.matches as usize;
                evidence.orders.push(order);
                (matches, counts)
            }
            kind => {
                let common = common(kind, &mut scratch);
                let n_words = flats.get(reference_idx).map_or(0, Vec::len);
                let counts = (common.len(), (hypothesis.len(), n_words));
                evidence.subsequence = Some(common);
                counts
            }
        };
        evidence.steps = steps(matches, of, &score);
        evidence
    }
}

fn ngrams(n: usize, scratch: &mut Scratch, score: &Score) -> Order {
    let (hypothesis, reference) = (only(&scratch.hypothesis), only(&scratch.reference));
    let vocabulary = &scratch.words.vocabulary;
    let ngrams = Ngram::of_words(n, vocabulary, hypothesis, &[reference], true);
    let mut matches = [0; MAX_ORDER];
    scratch.overlap.count_one(hypothesis, reference, &mut matches[..n], Stop::default());
    let n_ngrams = |words: &[u32]| (words.len() + 1).saturating_sub(n) as u64;
    Order {
        unit: "word",
        n,
        hypothesis: n_ngrams(hypothesis),
        reference: Some(n_ngrams(reference)),
        matches: matches[n - 1],
        precision: Some(score.precision),
        recall: Some(score.recall),
        smoothed: false,
        ngrams,
    }
}

fn common(kind: Kind, scratch: &mut Scratch) -> Vec<Common> {
    if kind == Kind::Lsum {
        let mut common = Vec::new();
        lsum(scratch, Stop::default(), |reference| {
            common.push(Common { reference, hypothesis: None });
        });
        return common;
    }
    let Scratch { hypothesis, reference, subsequence, .. } = scratch;
    traced(subsequence, only(hypothesis), only(reference))
}

/// The words of one longest common subsequence: those of the reference that rouge-score traces back, and the
/// first words of the hypothesis that equal them in order.
pub(super) fn traced(
    subsequence: &mut Subsequence,
    hypothesis: &[u32],
    reference: &[u32],
) -> Vec<Common> {
    let mut union = vec![0; reference.len().div_ceil(64)];
    subsequence.set_target(reference);
    subsequence.mark(hypothesis, &mut union, Stop::default());
    let mut ours = hypothesis.iter().enumerate();
    let marked = (0..reference.len()).filter(|at| union[at / 64] >> (at % 64) & 1 == 1);
    marked
        .map(|at| {
            let partner = ours.by_ref().find(|(_, word)| **word == reference[at]);
            Common { reference: at, hypothesis: partner.map(|(idx, _)| idx) }
        })
        .collect()
}

/// Precision, recall and the F-score.
fn steps(matches: usize, (hypothesis, reference): (usize, usize), score: &Score) -> Vec<Step> {
    let Score { precision: p, recall: r, fmeasure } = *score;
    let formula = match p + r > 0.0 {
        true => format!("2·P·R / (P + R) = 2·{p:.4}·{r:.4} / ({p:.4} + {r:.4})"),
        false => "0: nothing in common".to_owned(),
    };
    let share = |side, n: usize| format!("in common / {side} = {matches} / {}", n.max(1));
    vec![
        Step::new("precision", share("hypothesis", hypothesis), p),
        Step::new("recall", share("reference", reference), r),
        Step::new("score", formula, fmeasure),
    ]
}
