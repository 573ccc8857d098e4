//! Explanations: which words match and why, what each earns and costs, and where the order breaks.

use super::stages::Stage;
use super::words::Words;
use super::{Meteor2026, Scratch, Side, Stats, Steps, formula, similarity};
use crate::definition::Definition;
use crate::explanation::{self, Cost, Explanation, Link, Losses, Token};
use crate::meteor::align::{Alignment, Ties};
use crate::meteor::formula::fmean_check;
use crate::segment::{Segment, Text};
use crate::text::Tokens;

impl Meteor2026 {
    /// Scores a segment and keeps every step of the computation.
    pub(super) fn explanation(&self, segment: Segment<'_>) -> Explanation {
        let mut scratch = Scratch::default();
        let (_, _, reference_idx) = self.best(segment, &mut scratch);
        let reference = segment.references().get(reference_idx).copied().unwrap_or(Text::Raw(""));
        self.read(segment.hypothesis(), Side::Hypothesis, &mut scratch);
        let hypothesis = owned(&scratch.tokens);
        self.read(reference, Side::Reference, &mut scratch);
        let reference = owned(&scratch.tokens);
        let stats = self.count(Ties::Crossings, segment.stop(), &mut scratch);
        let steps = formula::steps(&stats, &self.parameters);
        let pairs = self.links(&mut scratch);
        let alignment = scratch.aligner.alignment();
        let is_complete = scratch.matcher.is_complete();
        Explanation {
            signature: self.signature(),
            tokens: explanation::Tokens { hypothesis, reference },
            reference_idx,
            matches: pairs.len() as u64,
            chunks: u64::from(alignment.chunks),
            crossings: alignment.crossings,
            proven: Some(alignment.proven && is_complete),
            chunks_lower_bound: is_complete.then_some(u64::from(alignment.chunks_lower_bound)),
            alpha: self.parameters.alpha,
            beta: 1.0,
            gamma: self.parameters.gamma,
            precision: steps.precision,
            recall: steps.recall,
            fmean: steps.fmean,
            fmean_check: fmean_check(steps.precision, steps.recall, self.parameters.alpha),
            penalty: steps.penalty,
            counts_breaks: true,
            score: steps.score,
            losses: self.losses(&stats, steps, &pairs, &mut scratch),
            pairs,
        }
    }

    fn links(&self, scratch: &mut Scratch) -> Vec<Link> {
        let Scratch { words, hypothesis, reference, matcher, aligner, .. } = scratch;
        let chunks = chunks(aligner.alignment(), aligner.places());
        let pairs = aligner.alignment().pairs.iter().zip(chunks);
        let link = |(pair, chunk): (&crate::meteor::align::Pair, usize)| {
            let h = hypothesis[pair.hypothesis as usize];
            let r = reference[pair.reference as usize];
            let stage = matcher.stage(h, r);
            Link {
                hypothesis: pair.hypothesis as usize,
                hypothesis_tokens: 1,
                reference: pair.reference as usize,
                reference_tokens: 1,
                stage: stage.name(),
                reason: self.reason(stage, h, r, words),
                credit: f64::from(self.rules.credits[stage as usize]) / 100.0,
                chunk,
            }
        };
        pairs.map(link).collect()
    }

    /// Why two words match.
    fn reason(&self, stage: Stage, h: u32, r: u32, words: &mut Words) -> String {
        let (of_h, of_r) = (words.known(h), words.known(r));
        match stage {
            Stage::Exact => format!("the same word '{}'", words.word(h)),
            Stage::Case => format!("the same word '{}' in another case", words.word(of_h.key)),
            Stage::Synonym => {
                let Some(lexicon) = self.lexicon.as_ref() else { return String::new() };
                let shared = words.shared_synset(of_h.key, of_r.key, lexicon);
                shared.and_then(|id| lexicon.reason(id)).unwrap_or_default()
            }
            Stage::Near => {
                let shared = similarity::shared(words.characters(of_h), words.characters(of_r));
                let n_shared = shared.chars().count();
                let (n_h, n_r) = (of_h.len, of_r.len);
                format!("'{shared}' in common, {n_shared} of {n_h} and {n_r} characters")
            }
        }
    }

    /// Divides 1 − score into losses, and computes the cost of each word and break.
    fn losses(&self, stats: &Stats, steps: Steps, pairs: &[Link], scratch: &mut Scratch) -> Losses {
        let alpha = self.parameters.alpha;
        let missing = |part: f64| if steps.fmean > 0.0 { 1.0 / part - 1.0 } else { 1.0 - part };
        let of_reference = alpha * missing(steps.recall);
        let of_hypothesis = (1.0 - alpha) * missing(steps.precision);
        let both = of_reference + of_hypothesis;
        let share = |part: f64| if both > 0.0 { (1.0 - steps.fmean) * part / both } else { 0.0 };
        let gain = |changed: &Stats| formula::steps(changed, &self.parameters).score - steps.score;

        let Scratch { words, hypothesis, reference, .. } = scratch;
        let credit = |link: &Link| (100.0 * link.credit).round() as u64;
        let mut costs =
            |side: &[u32], at: fn(&Link) -> usize, cost: fn(&mut Stats, u64, Option<u64>)| {
                let mut earned: Vec<Option<u64>> = vec![None; side.len()];
                for link in pairs {
                    earned[at(link)] = Some(credit(link));
                }
                let lacking = (0..side.len()).filter(|&at| earned[at] != Some(100));
                let list = lacking.map(|at| {
                    let mut changed = stats.clone();
                    cost(&mut changed, self.rules.weight(words.known(side[at])), earned[at]);
                    Cost { at, cost: gain(&changed) }
                });
                list.collect::<Vec<Cost>>()
            };
        let hypothesis_words = costs(
            hypothesis,
            |link| link.hypothesis,
            |stats, weight, earned| match earned {
                None => stats.hypothesis_weight -= weight,
                Some(credit) => stats.hypothesis_credit += (100 - credit) * weight,
            },
        );
        let reference_words = costs(
            reference,
            |link| link.reference,
            |stats, weight, earned| match earned {
                None => stats.reference_weight -= weight,
                Some(credit) => stats.reference_credit += (100 - credit) * weight,
            },
        );
        let join = gain(&Stats { breaks: stats.breaks.saturating_sub(1), ..stats.clone() });
        let breaks = pairs.windows(2).filter(|w| w[0].chunk != w[1].chunk);
        Losses {
            unmatched_hypothesis: share(of_hypothesis),
            unmatched_reference: share(of_reference),
            fragmentation: steps.fmean - steps.score,
            hypothesis_words,
            reference_words,
            breaks: breaks.map(|w| Cost { at: w[0].hypothesis, cost: join }).collect(),
        }
    }
}

/// The chunk of every pair. Two pairs are neighbours if all words between them were set aside.
fn chunks(alignment: &Alignment, (places_h, places_r): (&[u32], &[u32])) -> Vec<usize> {
    let rank = |places: &[u32], at: u32| places.partition_point(|&place| place < at);
    let mut chunk = 0;
    let mut last: Option<(usize, usize)> = None;
    let number = |pair: &crate::meteor::align::Pair| {
        let here = (rank(places_h, pair.hypothesis), rank(places_r, pair.reference));
        let follows = last.is_none_or(|(h, r)| here == (h + 1, r + 1));
        last = Some(here);
        chunk += usize::from(!follows);
        chunk
    };
    alignment.pairs.iter().map(number).collect()
}

fn owned(tokens: &Tokens) -> Vec<Token> {
    let token = |idx: usize| {
        let (start, end) = tokens.span(idx);
        Token { text: tokens.get(idx).to_owned(), start, end }
    };
    (0..tokens.len()).map(token).collect()
}
