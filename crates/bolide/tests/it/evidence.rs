//! What scores are counted from: the lists add up to the metric's own statistics, and the last step is its score.

use crate::laws::{Pair, pairs, resources};
use bolide::evidence::{Evidence, MOST_LISTED, Order};
use bolide::{DIALECTS, Metric, Score};

fn shown(name: &str, pair: &Pair) -> Option<(Metric, Score, Evidence)> {
    let metric = Metric::build(name, &resources()).unwrap();
    let references: Vec<&str> = pair.references.iter().map(String::as_str).collect();
    let evidence = metric.evidence(&pair.hypothesis, &references).unwrap()?;
    let score = metric.score(&pair.hypothesis, &references).unwrap();
    Some((metric, score, evidence))
}

/// The sum of a count over the n-grams of an order.
fn sum(order: &Order, part: fn(&bolide::evidence::Ngram) -> u64) -> u64 {
    order.ngrams.iter().map(part).sum()
}

#[test]
fn the_last_step_is_the_score_of_every_metric_that_shows_something() {
    let mut with_evidence = Vec::new();
    for dialect in DIALECTS {
        for pair in pairs(40, 5) {
            let Some((_, score, evidence)) = shown(dialect.name, &pair) else { continue };
            let last = evidence.steps.last().unwrap();
            assert_eq!(last.name, "score", "{}", dialect.name);
            assert_eq!(last.value.to_bits(), score.value.to_bits(), "{}", dialect.name);
            for order in &evidence.orders {
                assert_eq!(sum(order, |n| n.matches), order.matches, "{} {order:?}", dialect.name);
            }
            for step in &evidence.steps {
                // Precision and recall of METEOR 1.5 are undefined for empty texts, and shown as 0.
                if let Some(part) = score.components.get(step.name)
                    && !part.as_f64().is_nan()
                {
                    assert_eq!(part.as_f64().to_bits(), step.value.to_bits(), "{}", dialect.name);
                }
            }
            with_evidence.push(dialect.name);
        }
    }
    with_evidence.dedup();
    for family in ["bleu:", "chrf", "ter:", "rouge", "cider:", "meteor:1.5"] {
        let all = DIALECTS.iter().filter(|dialect| dialect.name.starts_with(family));
        // NLTK's chrF shows its components only.
        for dialect in all.filter(|dialect| dialect.name != "chrf:nltk") {
            assert!(with_evidence.contains(&dialect.name), "{}", dialect.name);
        }
    }
}

#[test]
fn ngrams_are_those_that_the_components_count() {
    for pair in pairs(60, 6) {
        for name in ["bleu", "bleu|smooth:add-k|order:3", "bleu|case:lc|tok:intl"] {
            let (_, score, evidence) = shown(name, &pair).unwrap();
            for order in &evidence.orders {
                let component = |part: &str| score.components.get(&format!("{part}{}", order.n));
                assert_eq!(sum(order, |n| n.hypothesis), order.hypothesis, "{name}");
                let precision = component("precision").map(|p| p.as_f64());
                assert_eq!(precision, order.precision, "{name}");
                if !name.contains("add-k") {
                    let counts = ["correct", "total"].map(|part| component(part).unwrap());
                    let ours = [order.matches, order.hypothesis].map(bolide::Value::Count);
                    assert_eq!(counts, ours, "{name}");
                }
            }
        }
        for name in ["chrf", "chrf++|case:lc|space:yes", "rouge1", "rouge2|stem:yes"] {
            let (_, _, evidence) = shown(name, &pair).unwrap();
            for order in &evidence.orders {
                assert_eq!(Some(sum(order, |n| n.reference)), order.reference, "{name}");
                // chrF ignores the hypothesis if the reference has no n-grams of an order.
                if order.reference > Some(0) {
                    assert_eq!(sum(order, |n| n.hypothesis), order.hypothesis, "{name}");
                }
            }
        }
    }
}

#[test]
fn an_edit_path_turns_the_hypothesis_into_the_reference() {
    let mut n_shifts = 0;
    for pair in pairs(300, 7) {
        let (_, score, evidence) = shown("ter", &pair).unwrap();
        let edits = evidence.edits.unwrap();
        let reference = &evidence.words.references[evidence.reference_idx.unwrap()];
        let changed = edits.path.iter().filter(|edit| edit.kind != "keep").count();
        let n_edits = edits.shifts.len() + changed;
        assert_eq!(score.components.get("edits").unwrap().as_f64(), n_edits as f64);
        n_shifts += edits.shifts.len();
        // Making the moves gives the order that the path reads.
        let mut order: Vec<usize> = (0..evidence.words.hypothesis.len()).collect();
        for shift in &edits.shifts {
            let block: Vec<usize> =
                order.drain(shift.from..shift.from + shift.words.len()).collect();
            assert_eq!(block, shift.words);
            order.splice(shift.to..shift.to, block);
        }
        let read: Vec<usize> = edits.path.iter().filter_map(|edit| edit.hypothesis).collect();
        assert_eq!(read, order);
        let made: Vec<usize> = edits.path.iter().filter_map(|edit| edit.reference).collect();
        assert_eq!(made, (0..reference.len()).collect::<Vec<_>>());
        for edit in &edits.path {
            let word = edit.hypothesis.map(|at| &evidence.words.hypothesis[at]);
            let other = edit.reference.map(|at| &reference[at]);
            assert_eq!(edit.kind == "keep", word == other, "{edit:?}");
        }
    }
    assert!(n_shifts > 50, "{n_shifts}");
}

#[test]
fn a_subsequence_is_in_both_texts_and_as_long_as_the_score_says() {
    for pair in pairs(100, 8) {
        for name in ["rougeL", "rougeL|stem:yes", "rougeL:coco", "rougeLsum"] {
            let (_, score, evidence) = shown(name, &pair).unwrap();
            let common = evidence.subsequence.unwrap();
            let reference = &evidence.words.references[evidence.reference_idx.unwrap()];
            let hypothesis = &evidence.words.hypothesis;
            assert!(common.windows(2).all(|w| w[0].reference < w[1].reference));
            if name != "rougeLsum" {
                assert!(common.windows(2).all(|w| w[0].hypothesis < w[1].hypothesis));
                for common in &common {
                    assert_eq!(hypothesis[common.hypothesis.unwrap()], reference[common.reference]);
                }
            }
            let precision = common.len() as f64 / hypothesis.len().max(1) as f64;
            assert_eq!(score.components.get("precision").unwrap().as_f64(), precision, "{name}");
        }
    }
}

#[test]
fn lines_of_a_summary_are_united() {
    let metric: Metric = "rougeLsum".parse().unwrap();
    let evidence = metric.evidence("a b\nc d e", &["c a b\nd x"]).unwrap().unwrap();
    let common: Vec<&str> = evidence
        .subsequence
        .unwrap()
        .iter()
        .map(|common| evidence.words.references[0][common.reference].as_str())
        .collect();
    assert_eq!(common, ["c", "a", "b", "d"]);
}

#[test]
fn ngrams_of_long_texts_are_counted_but_not_listed() {
    let text = "a b ".repeat(MOST_LISTED / 2 + 1);
    for name in ["bleu", "rouge2"] {
        let metric: Metric = name.parse().unwrap();
        let evidence = metric.evidence(&text, &["a b c"]).unwrap().unwrap();
        let order = &evidence.orders[evidence.orders.len().min(2) - 1];
        assert!(order.ngrams.is_empty() && order.matches == 1, "{name} {}", order.matches);
        let short = metric.evidence("a b", &["a b c"]).unwrap().unwrap();
        assert!(!short.orders[0].ngrams.is_empty());
    }
}

#[test]
fn cider_of_one_image_says_why_it_is_nothing() {
    let pair = |hypothesis: &str, references: &[&str]| {
        let cider: Metric = "cider".parse().unwrap();
        cider.evidence(hypothesis, references).unwrap().unwrap()
    };
    let evidence = pair("a cat sat", &["a cat", "the cat sat"]);
    let shared: Vec<u64> = evidence.orders.iter().map(|order| order.matches).collect();
    assert_eq!(shared, [3, 2, 0, 0]);
    assert!(evidence.steps[0].formula.contains("for one image ln(1/1)"));
    assert!(evidence.steps[1].formula.starts_with("0: CIDEr weighs n-grams over a corpus"));
    let evidence = pair("a cat", &[" "]);
    assert_eq!(evidence.steps[1].formula, "NaN: no reference has a word");
    assert!(evidence.steps[1].value.is_nan());
}
