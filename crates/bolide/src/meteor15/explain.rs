//! Explanations of METEOR 1.5: the alignment with phrases, the reasons for its matches, the losses.
//!
//! The costs of words and breaks are differences of scores, computed by the formula itself from changed
//! counts. A match by a module that weighs less than 1 also costs precision and recall; its cost is counted
//! on the side that loses it.

use super::java;
use super::language::Module;
use super::matches::Match;
use super::pipeline::{Pipeline, Scratch, Synonyms};
use super::spans::spans;
use super::statistics::Stats;
use super::stems::Stems;
use super::words::Id;
use super::{Alignment, Meteor15, Resolution};
use crate::definition::Definition;
use crate::explanation::{Cost, Explanation, Link, Losses, Token, Tokens};
use crate::lexicon::Synset;
use crate::segment::{Segment, Text};

impl Meteor15 {
    /// Scores a segment and keeps every step.
    pub fn explain(&self, segment: Segment<'_>) -> Explanation {
        let mut scratch = Scratch::default();
        let alignment = self.align(segment, &mut scratch);
        let text = segment.references().get(alignment.reference_idx).copied();
        let text = text.unwrap_or(Text::Raw(""));
        // The scratch holds the last reference; the best one is needed.
        self.pipeline.pair(text, &mut scratch, segment.stop());
        let mut matches = alignment.matches.clone();
        matches.sort_by_key(|m| m.hypothesis_start);

        let stats = &alignment.stats;
        let steps = self.score(&stats.segment_totals());
        let known = |x: f64| if x.is_nan() { 0.0 } else { x };
        let (precision, recall) = (known(steps.precision), known(steps.recall));
        let parameter = |at: usize| self.configuration().parameters.get(at).copied().unwrap_or(0.0);
        let alpha = parameter(0);
        let is_optimal = !matches!(self.pipeline.resolution, Resolution::Beam(_));
        Explanation {
            signature: self.signature(),
            pairs: self.links(&matches, &alignment),
            tokens: Tokens {
                hypothesis: tokens(segment.hypothesis(), &alignment.hypothesis),
                reference: tokens(text, &alignment.reference),
            },
            reference_idx: alignment.reference_idx,
            matches: matches.len() as u64,
            chunks: stats.chunks,
            crossings: crossings(&matches),
            proven: is_optimal.then_some(stats.proven > 0),
            chunks_lower_bound: None,
            alpha,
            beta: parameter(1),
            gamma: parameter(2),
            precision,
            recall,
            fmean: known(steps.fmean),
            fmean_check: mean(precision, recall, alpha),
            penalty: known(steps.penalty),
            counts_breaks: false,
            score: steps.score,
            losses: self.losses(&matches, stats, &scratch),
        }
    }

    fn links(&self, matches: &[Match], alignment: &Alignment) -> Vec<Link> {
        let mut chunk = 0;
        let weights = &self.configuration().weights;
        let mut links = Vec::with_capacity(matches.len());
        for (at, m) in matches.iter().enumerate() {
            let last = at.checked_sub(1).and_then(|last| matches.get(last));
            chunk += usize::from(last.is_some_and(|last| is_break(last, m)));
            let module = self.configuration().modules.get(m.module as usize);
            let module = module.copied().unwrap_or(Module::Exact);
            let word =
                |side: &[String], at: u32| side.get(at as usize).cloned().unwrap_or_default();
            let hypothesis = word(&alignment.hypothesis, m.hypothesis_start);
            let reference = word(&alignment.reference, m.start);
            links.push(Link {
                hypothesis: m.hypothesis_start as usize,
                hypothesis_tokens: m.hypothesis_length as usize,
                reference: m.start as usize,
                reference_tokens: m.length as usize,
                stage: module.name(),
                reason: self.pipeline.reason(module, &hypothesis, &reference),
                credit: weights.get(m.module as usize).copied().unwrap_or(0.0),
                chunk,
            });
        }
        links
    }

    fn losses(&self, matches: &[Match], stats: &Stats, scratch: &Scratch) -> Losses {
        let score = |stats: &Stats| self.score(&stats.segment_totals());
        let steps = score(stats);
        let known = |x: f64| if x.is_nan() { 0.0 } else { x };
        let fmean = known(steps.fmean);
        // α(1/R − 1) and (1 − α)(1/P − 1), the proportion in which Fmean falls short of 1; times P·R, so that
        // they are defined without a match. Then the lengths alone decide.
        let alpha = self.configuration().parameters.first().copied().unwrap_or(0.0);
        let (p, r) = (known(steps.precision), known(steps.recall));
        let (mut of_reference, mut of_hypothesis) =
            (alpha * (1.0 - r) * p, (1.0 - alpha) * (1.0 - p) * r);
        if p == 0.0 || r == 0.0 {
            of_reference = alpha * stats.reference_length as f64;
            of_hypothesis = (1.0 - alpha) * stats.hypothesis_length as f64;
        }
        let both = of_reference + of_hypothesis;
        let share = |part: f64| if both > 0.0 { (1.0 - fmean) * part / both } else { 0.0 };

        let hypothesis: Vec<Place> = matches
            .iter()
            .map(|m| Place { start: m.hypothesis_start, length: m.hypothesis_length, other: *m })
            .collect();
        let mut reference: Vec<Place> =
            matches.iter().map(|m| Place { start: m.start, length: m.length, other: *m }).collect();
        reference.sort_by_key(|place| place.start);
        let cost = |changed: &Stats| score(changed).score - steps.score;
        let words = |places: &[Place], ids: &[Id], shorten: fn(&mut Stats, u64, bool)| {
            let mut costs = Vec::new();
            for (at, &id) in ids.iter().enumerate() {
                let behind = places.partition_point(|place| place.start as usize <= at);
                let before = behind.checked_sub(1).and_then(|before| places.get(before));
                if before.is_some_and(|p| (p.start + p.length) as usize > at) {
                    continue;
                }
                let word = scratch.word(id);
                let size = if self.configuration().characters { u64::from(word.length) } else { 1 };
                let mut changed = stats.clone();
                shorten(&mut changed, size, word.is_function);
                // Without an unmatched word, its neighbours may join.
                if let (Some(before), Some(next)) = (before, places.get(behind))
                    && (before.start + before.length) as usize == at
                    && next.start as usize == at + 1
                    && joins(&before.other, &next.other)
                {
                    changed.chunks = changed.chunks.saturating_sub(1);
                }
                costs.push(Cost { at, cost: cost(&changed) });
            }
            costs
        };
        let (hypothesis_ids, reference_ids) = scratch.ids();
        let hypothesis_words = words(&hypothesis, hypothesis_ids, |stats, size, is_function| {
            stats.hypothesis_length -= size;
            stats.hypothesis_function -= if is_function { size } else { 0 };
        });
        let reference_words = words(&reference, reference_ids, |stats, size, is_function| {
            stats.reference_length -= size;
            stats.reference_function -= if is_function { size } else { 0 };
        });
        let joined = Stats { chunks: stats.chunks.saturating_sub(1), ..stats.clone() };
        let breaks = matches.windows(2).filter(|w| is_break(&w[0], &w[1])).map(|w| Cost {
            at: (w[0].hypothesis_start + w[0].hypothesis_length) as usize - 1,
            cost: cost(&joined),
        });
        Losses {
            unmatched_hypothesis: share(of_hypothesis),
            unmatched_reference: share(of_reference),
            fragmentation: fmean - steps.score,
            hypothesis_words,
            reference_words,
            breaks: breaks.collect(),
        }
    }
}

/// The position of a match on one side.
struct Place {
    start: u32,
    length: u32,
    other: Match,
}

/// Whether two matches are neighbours in order on at least one side: without the word between them on the
/// other side they are one chunk.
fn joins(before: &Match, next: &Match) -> bool {
    let in_hypothesis = before.hypothesis_start + before.hypothesis_length == next.hypothesis_start;
    let in_reference = before.start + before.length == next.start;
    in_hypothesis != in_reference
}

/// Whether a new chunk starts between two consecutive matches of the hypothesis.
fn is_break(last: &Match, next: &Match) -> bool {
    last.hypothesis_start + last.hypothesis_length != next.hypothesis_start
        || last.start + last.length != next.start
}

/// Pairs of matches in opposite order on the two sides.
fn crossings(matches: &[Match]) -> u64 {
    let mut seen: Vec<u32> = Vec::with_capacity(matches.len());
    let mut crossings = 0;
    for m in matches {
        let at = seen.partition_point(|&start| start < m.start);
        crossings += (seen.len() - at) as u64;
        seen.insert(at, m.start);
    }
    crossings
}

/// Fmean computed a second way.
fn mean(p: f64, r: f64, alpha: f64) -> f64 {
    let below = alpha * p + (1.0 - alpha) * r;
    if below > 0.0 { p * r / below } else { 0.0 }
}

fn tokens(text: Text<'_>, tokens: &[String]) -> Vec<Token> {
    let token =
        |(text, (start, end)): (&String, (usize, usize))| Token { text: text.clone(), start, end };
    tokens.iter().zip(spans(text, tokens)).map(token).collect()
}

impl Pipeline {
    /// The reason for a match of two words, for display.
    fn reason(&self, module: Module, hypothesis: &str, reference: &str) -> String {
        match module {
            Module::Exact if hypothesis == reference => format!("the same word '{hypothesis}'"),
            Module::Exact => "the same hash, which is all that the jar compares".to_owned(),
            Module::Stem => match &self.stems {
                Stems::Snowball(stemmer) => {
                    let mut stem = String::new();
                    stemmer.stem(hypothesis, &mut stem);
                    format!("the same stem '{stem}'")
                }
                Stems::Table(table) => {
                    let known = |word| table.stem(java::hash(word)).is_some();
                    match (known(hypothesis), known(reference)) {
                        (false, true) => format!("the same stem '{hypothesis}'"),
                        (true, false) => format!("the same stem '{reference}'"),
                        _ => "the same stem in the table".to_owned(),
                    }
                }
                Stems::None => String::new(),
            },
            Module::Synonym => {
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                self.synonyms.synsets(hypothesis, &mut ours);
                self.synonyms.synsets(reference, &mut theirs);
                ours.retain(|id| theirs.contains(id));
                let Some(first) = ours.first() else { return String::new() };
                let Synonyms::WordNet(lexicon) = &self.synonyms else {
                    return format!("the synset {first}");
                };
                // Synsets of different parts of speech may share a number.
                let named = (0..lexicon.n_synsets()).filter_map(|id| lexicon.synset(id));
                let named: Vec<_> =
                    named.filter(|synset| ours.contains(&synset.offset())).collect();
                let nearest =
                    named.iter().min_by_key(|synset| synset.distance([hypothesis, reference]));
                let Some(shared) = nearest.map(Synset::offset) else { return String::new() };
                let named = named.iter().filter(|synset| synset.offset() == shared);
                let names: Vec<String> = named.map(|synset| synset.to_string()).collect();
                match names.len() {
                    1 => format!("the synset {}", names.concat()),
                    _ => format!("the number {shared} of the synsets {}", names.join(" and ")),
                }
            }
            Module::Paraphrase => {
                let id = self.table.as_ref().map(super::paraphrase::Table::id);
                format!("a pair of the paraphrase table {}", id.unwrap_or_default())
            }
        }
    }
}

#[cfg(test)]
#[cfg(feature = "embedded")]
mod tests {
    use super::super::paraphrase::{Compiler, Table};
    use crate::explanation::Explanation;
    use crate::meteor15::Language;
    use crate::metric::Metric;
    use crate::resources::Resources;

    fn metric(name: &str) -> Metric {
        let mut compiler = Compiler::new();
        compiler.add("a lot of", "many");
        compiler.add("in order to", "to");
        let table = Table::from_bytes(compiler.finish("en", [0; 32]).unwrap()).unwrap();
        let resources = Resources::embedded().with_paraphrases(Language::English, table);
        Metric::build(name, &resources).unwrap()
    }

    fn explain(name: &str, hypothesis: &str, references: &[&str]) -> Explanation {
        let metric = metric(name);
        let explanation = metric.explain(hypothesis, references).unwrap();
        let score = metric.score(hypothesis, references).unwrap().value;
        assert_eq!(score.to_bits(), explanation.score.to_bits());
        let losses = &explanation.losses;
        let lost = losses.unmatched_hypothesis + losses.unmatched_reference + losses.fragmentation;
        // Two empty texts have no words that could cost anything.
        let all = if hypothesis.is_empty() && references[0].is_empty() { 0.0 } else { 1.0 };
        assert!((all - explanation.score - lost).abs() < 1e-12, "{lost}");
        assert!((explanation.fmean - explanation.fmean_check).abs() < 1e-12);
        explanation
    }

    #[test]
    fn phrases_stages_and_spans_are_shown() {
        let hypothesis = "A lot of dogs, sleeping happiness.";
        let all = ["meteor:1.5", "meteor:1.5-optimal"];
        for name in &all[..if cfg!(feature = "meteor15-optimal") { 2 } else { 1 }] {
            let it = explain(name, hypothesis, &["zebra", "Many dog-hounds slept, happy."]);
            assert_eq!(it.reference_idx, 1);
            let words: Vec<(&str, &str)> = it
                .tokens
                .hypothesis
                .iter()
                .map(|token| (token.text.as_str(), &hypothesis[token.start..token.end]))
                .collect();
            assert_eq!(words[..4], [("a", "A"), ("lot", "lot"), ("of", "of"), ("dogs", "dogs")]);
            let pairs: Vec<_> = it
                .pairs
                .iter()
                .map(|p| {
                    (
                        p.hypothesis,
                        p.hypothesis_tokens,
                        p.reference,
                        p.reference_tokens,
                        p.stage,
                        p.chunk,
                    )
                })
                .collect();
            assert_eq!(
                pairs,
                [
                    (0, 3, 0, 1, "paraphrase", 0),
                    (3, 1, 1, 1, "stem", 0),
                    (4, 1, 4, 1, "exact", 1),
                    (5, 1, 3, 1, "synonym", 2),
                    (6, 1, 5, 1, "stem", 3),
                    (7, 1, 6, 1, "exact", 3),
                ]
            );
            assert_eq!(it.pairs[0].reason, "a pair of the paraphrase table 00000000");
            assert_eq!(it.pairs[1].reason, "the same stem 'dog'");
            assert!(it.pairs[3].reason.starts_with("the synset "), "{}", it.pairs[3].reason);
            assert_eq!((it.matches, it.chunks, it.crossings), (6, 4, 1));
            assert_eq!(it.proven, name.ends_with("optimal").then_some(true));
            let lone: Vec<usize> = it.losses.reference_words.iter().map(|cost| cost.at).collect();
            assert_eq!(lone, [2]);
            assert!(it.losses.hypothesis_words.is_empty());
            let breaks: Vec<usize> = it.losses.breaks.iter().map(|cost| cost.at).collect();
            assert_eq!(breaks, [3, 4, 5]);
        }
    }

    #[test]
    fn a_cost_is_what_the_repaired_text_scores_more() {
        let reference = "the quick fox jumps over the dog";
        let it = explain("meteor:1.5", "the quick red fox jumps over dog", &[reference]);
        let better = explain("meteor:1.5", "the quick fox jumps over dog", &[reference]);
        let [cost] = it.losses.hypothesis_words[..] else { panic!("one word is alone") };
        assert_eq!(cost.at, 2);
        assert!((it.score + cost.cost - better.score).abs() < 1e-15);
        let shorter = explain(
            "meteor:1.5",
            "the quick red fox jumps over dog",
            &["the quick fox jumps over dog"],
        );
        let [cost] = it.losses.reference_words[..] else { panic!("one word is alone") };
        assert_eq!(cost.at, 5);
        assert!((it.score + cost.cost - shorter.score).abs() < 1e-15);
    }

    #[test]
    fn nothing_in_common_is_zero_not_undefined() {
        for (hypothesis, reference) in [("", ""), ("a", ""), ("", "a"), ("a b", "c d e")] {
            let it = explain("meteor:1.5", hypothesis, &[reference]);
            let numbers = [it.precision, it.recall, it.fmean, it.penalty, it.score];
            assert_eq!(numbers, [0.0; 5], "{hypothesis:?} {reference:?}");
        }
        assert_eq!(explain("meteor:1.5", "a b", &["a b"]).score, 1.0);
    }
}
