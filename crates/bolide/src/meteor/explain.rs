//! Explanations of the METEOR dialects of this module.

use super::greedy::Leftovers;
use super::words::SynsetKind;
use super::{Meteor, Method, Pair, Purpose, Scored, Scratch, Stage, count_crossings, formula};
use crate::definition::Definition;
use crate::explanation::{Chunking, Counts, Explanation, Link, Losses, Token, Tokens};
use crate::segment::{Segment, Text};

impl Meteor {
    /// Scores a segment and keeps every step.
    pub fn explain(&self, segment: Segment<'_>) -> Explanation {
        let mut scratch = Scratch::default();
        let reference_idx = self.best_reference(segment, &mut scratch);
        self.explain_pair(segment, reference_idx, &mut scratch)
    }

    /// The first of the best-scoring references. A single reference is the best without an alignment, which
    /// halves the time of most explanations.
    fn best_reference(&self, segment: Segment<'_>, scratch: &mut Scratch) -> usize {
        if segment.references().len() == 1 {
            return 0;
        }
        self.read(segment.hypothesis(), scratch, true);
        let mut best: Option<(f64, usize)> = None;
        for (idx, &reference) in segment.references().iter().enumerate() {
            self.read(reference, scratch, false);
            let score = self.score_pair(Purpose::Score, scratch).steps.score;
            if best.is_none_or(|(before, _)| score > before) {
                best = Some((score, idx));
            }
        }
        best.map_or(0, |(_, idx)| idx)
    }

    fn explain_pair(
        &self,
        segment: Segment<'_>,
        reference_idx: usize,
        scratch: &mut Scratch,
    ) -> Explanation {
        let reference_text =
            segment.references().get(reference_idx).copied().unwrap_or(Text::Raw(""));
        self.read(segment.hypothesis(), scratch, true);
        let hypothesis = owned_tokens(scratch);
        self.read(reference_text, scratch, false);
        let reference = owned_tokens(scratch);
        let Scored { steps, found, lengths } = self.score_pair(Purpose::Show, scratch);
        let pairs = std::mem::take(&mut scratch.pairs);

        let mut partners = vec![None; hypothesis.len()];
        for pair in &pairs {
            partners[pair.hypothesis as usize] = Some(pair.reference as usize);
        }
        let counts = Counts {
            matches: found.matches.iter().sum(),
            chunks: found.chunks,
            hypothesis: lengths.0,
            reference: lengths.1,
        };
        let score_of = |c: Counts| {
            let lengths = (c.hypothesis, c.reference);
            let steps = formula::steps(c.matches, c.chunks, lengths, &self.parameters);
            (steps.fmean, steps.score)
        };
        let is_optimal = self.method == Method::Optimal;
        let alpha = self.parameters.alpha;
        let chunking = match self.method {
            Method::Textbook => Chunking::HypothesisOnly,
            _ => Chunking::BothSides,
        };
        Explanation {
            signature: self.signature(),
            pairs: self.links(&pairs, scratch),
            tokens: Tokens { hypothesis, reference },
            reference_idx,
            matches: counts.matches,
            chunks: counts.chunks,
            crossings: count_crossings(&pairs),
            proven: is_optimal.then_some(found.proven),
            chunks_lower_bound: is_optimal.then_some(found.chunks_lower_bound),
            alpha,
            beta: self.parameters.beta,
            gamma: self.parameters.gamma,
            precision: steps.precision,
            recall: steps.recall,
            fmean: steps.fmean,
            fmean_check: formula::fmean_check(steps.precision, steps.recall, alpha),
            penalty: steps.penalty,
            counts_breaks: false,
            score: steps.score,
            losses: Losses::of(counts, (alpha, chunking), &partners, score_of),
        }
    }

    fn links(&self, pairs: &[Pair], scratch: &mut Scratch) -> Vec<Link> {
        let mut chunk = 0;
        let mut last: Option<Pair> = None;
        let mut links = Vec::with_capacity(pairs.len());
        for &pair in pairs {
            chunk += usize::from(last.is_some_and(|last| self.breaks(last, pair)));
            last = Some(pair);
            links.push(Link {
                hypothesis: pair.hypothesis as usize,
                hypothesis_tokens: 1,
                reference: pair.reference as usize,
                reference_tokens: 1,
                stage: pair.stage.name(),
                reason: self.reason(pair, scratch),
                credit: 1.0,
                chunk,
            });
        }
        links
    }

    /// Whether a new chunk starts between two neighbouring pairs.
    fn breaks(&self, last: Pair, pair: Pair) -> bool {
        let in_reference = pair.reference == last.reference + 1;
        pair.hypothesis != last.hypothesis + 1 || (self.method != Method::Textbook && !in_reference)
    }

    fn reason(&self, pair: Pair, scratch: &mut Scratch) -> String {
        let words = &mut scratch.words;
        let mut hypothesis = scratch.hypothesis[pair.hypothesis as usize];
        let mut reference = scratch.reference[pair.reference as usize];
        match pair.stage {
            Stage::Exact => format!("the same word '{}'", words.word(hypothesis)),
            Stage::Stem => {
                let Some(stemmer) = self.stages.stem else { return String::new() };
                let stem = words.stem(hypothesis, stemmer);
                format!("the same stem '{}'", words.word(stem))
            }
            Stage::Synonym => {
                let Some(lexicon) = self.lexicon.as_ref() else { return String::new() };
                let mut of_reference = SynsetKind::Reached;
                if let Method::Greedy(leftovers) = self.method {
                    of_reference = SynsetKind::Named;
                    if let (Leftovers::Stems, Some(stemmer)) = (leftovers, self.stages.stem) {
                        hypothesis = words.stem(hypothesis, stemmer);
                        reference = words.stem(reference, stemmer);
                    }
                }
                let shared = words.shared_synset(
                    (hypothesis, SynsetKind::Reached),
                    (reference, of_reference),
                    lexicon,
                );
                shared.and_then(|id| lexicon.reason(id)).unwrap_or_default()
            }
        }
    }
}

fn owned_tokens(scratch: &Scratch) -> Vec<Token> {
    let tokens = &scratch.tokens;
    (0..tokens.len())
        .map(|idx| {
            let (start, end) = tokens.span(idx);
            Token { text: tokens.get(idx).to_owned(), start, end }
        })
        .collect()
}
