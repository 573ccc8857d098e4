//! The examples that people check first, computed by hand from the definition.

use bolide::{Explanation, Metric};

#[track_caller]
fn explain(metric: &str, reference: &str, hypothesis: &str) -> Explanation {
    let metric: Metric = metric.parse().unwrap();
    let explanation = metric.explain(hypothesis, &[reference]).unwrap();
    let score = metric.score(hypothesis, &[reference]).unwrap().value;
    assert_eq!(score.to_bits(), explanation.score.to_bits(), "score and explanation agree");
    explanation
}

#[test]
fn classic_scores() {
    let mat = "the cat sat on the mat";
    for (metric, reference, hypothesis, score, chunks) in [
        ("meteor", mat, "on the mat sat the cat", "0.9375", 3),
        ("meteor", mat, mat, "0.9977", 1),
        ("meteor", mat, "the cat was sat on the mat", "0.9654", 2),
        ("meteor", mat, "the cat is on the mat", "0.8067", 2),
        ("meteor", "a bird flew over the house", "the bird flew over a house", "0.8519", 4),
        ("meteor|match:exact+stem", "the cat is run", "the cats are running", "0.6389", 2),
        ("meteor:nltk", mat, "on the mat sat the cat", "0.5000", 6),
        ("meteor:nltk", "the cat is run", "the cats are running", "0.6389", 2),
        ("meteor:nltk-3.6.2", "the cat is run", "the cats are running", "0.9300", 4),
    ] {
        let explanation = explain(metric, reference, hypothesis);
        assert_eq!(format!("{:.4}", explanation.score), score, "{metric}: {hypothesis}");
        assert_eq!(explanation.chunks, chunks, "{metric}: {hypothesis}");
    }
}

#[test]
fn textbook_score() {
    let (reference, hypothesis) =
        ("Rain falls gently from the sky", "Gentle rain drops from the sky");
    assert_eq!(explain("meteor:textbook", reference, hypothesis).score, 0.625);
    assert_eq!(bolide::unstable::meteor::meteor_score(reference, hypothesis), 0.625);
    let parameters = bolide::unstable::meteor::Parameters { alpha: 0.5, beta: 1.0, gamma: 0.3 };
    let score = bolide::unstable::meteor::meteor_score_with(reference, hypothesis, &parameters);
    assert_eq!(score, 0.567);
    for (reference, hypothesis) in [("", ""), ("a", ""), ("", "a"), ("a", "b")] {
        assert_eq!(bolide::unstable::meteor::meteor_score(reference, hypothesis), 0.0);
    }
}

#[test]
fn matchers_by_example() {
    for (reference, hypothesis, stage) in [
        ("Good", "good", Some("exact")),
        ("good", "goods", Some("stem")),
        ("good", "well", Some("synonym")),
        ("are", "is", Some("synonym")),
        ("mouse", "mice", Some("synonym")),
        ("mat.", "mat", Some("exact")),
        ("good", "purple", None),
    ] {
        for (a, b) in [(reference, hypothesis), (hypothesis, reference)] {
            let explanation = explain("meteor", a, b);
            assert_eq!(explanation.pairs.first().map(|pair| pair.stage), stage, "{a} / {b}");
        }
    }
    // Pre-tokenised text and NLTK keep the period on the word.
    for metric in ["meteor|tok:space", "meteor:nltk"] {
        assert_eq!(explain(metric, "mat.", "mat").matches, 0, "{metric}");
    }
}

#[test]
fn stage_counts_decide_before_chunks() {
    // "good goods": matching good~goods by stem first would leave goods~good for a second stem
    // match in one chunk; the exact matches come first and cross.
    let explanation = explain("meteor", "good goods", "goods good");
    let stages: Vec<&str> = explanation.pairs.iter().map(|pair| pair.stage).collect();
    assert_eq!((stages, explanation.chunks), (vec!["exact", "exact"], 2));
}

#[test]
fn the_losses_add_up_to_the_distance_to_one() {
    for (reference, hypothesis) in [
        ("the cat sat on the mat", "on the mat sat the cat"),
        ("the cat sat on the mat", "a cat is sitting on one of the mats today"),
        ("the cat sat on the mat", "quite unlike"),
        ("the cat sat on the mat", ""),
        ("the cat", "the cat"),
    ] {
        for metric in ["meteor", "meteor:nltk", "meteor:textbook"] {
            let explanation = explain(metric, reference, hypothesis);
            let losses = &explanation.losses;
            let sum =
                losses.unmatched_hypothesis + losses.unmatched_reference + losses.fragmentation;
            let distance = 1.0 - explanation.score;
            assert!((sum - distance).abs() < 1e-12, "{metric}: {sum} is not {distance}");
            assert!((explanation.fmean - explanation.fmean_check).abs() < 1e-12);
            let unmatched = explanation.tokens.hypothesis.len() - explanation.pairs.len();
            assert_eq!(losses.hypothesis_words.len(), unmatched);
            assert_eq!(losses.breaks.len() as u64, explanation.chunks.saturating_sub(1));
        }
    }
}

#[test]
fn a_repaired_word_gains_what_the_explanation_says() {
    let reference = "the cat sat on the mat";
    let explanation = explain("meteor", reference, "the cat was sat on the mat");
    let [cost] = explanation.losses.hypothesis_words[..] else { panic!("one word too many") };
    assert_eq!(cost.at, 2);
    let repaired = explain("meteor", reference, reference).score;
    assert!((explanation.score + cost.cost - repaired).abs() < 1e-12);
}

#[test]
fn the_best_reference_wins_and_the_first_among_equals() {
    let references = ["a dog barked", "the cat sat", "the cat sat"];
    for metric in ["meteor", "meteor:nltk", "meteor:hf", "meteor:textbook"] {
        let explanation =
            metric.parse::<Metric>().unwrap().explain("the cat sat", &references).unwrap();
        assert_eq!(explanation.reference_idx, 1, "{metric}");
    }
}

#[test]
fn fewest_crossings_is_an_objective_of_its_own() {
    // With the second "a" at the start of "a b" there are two chunks and two crossings; with the first one
    // there are one crossing, as the 2005 paper's rule requires, and three chunks.
    let (reference, hypothesis) = ("a b c a", "a a b b");
    let chunks = explain("meteor|tok:space|match:exact", reference, hypothesis);
    let crossings =
        explain("meteor|tok:space|match:exact|objective:crossings", reference, hypothesis);
    assert_eq!((chunks.chunks, chunks.crossings), (2, 2));
    assert_eq!((crossings.chunks, crossings.crossings), (3, 1));
    assert_eq!((chunks.proven, crossings.proven), (Some(true), Some(true)));
}
