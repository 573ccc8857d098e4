//! Laws that every metric of the registry obeys, on pairs made from a seed.
//!
//! The laws of a metric follow from its dialect's declarations: range, direction, how references combine, how
//! sums add. The only exception is named with its reason.

use bolide::dialect::{Merging, References};
use bolide::unstable::TokenBatch;
use bolide::unstable::meteor15::Language;
use bolide::unstable::meteor15::paraphrase::{Compiler, Table};
use bolide::{Corpus, DIALECTS, Metric, Resources, Segment, Statistics, Text};
use bolide_testdata::random::Random;

fn words_of(random: &mut Random, n: usize) -> Vec<&'static str> {
    const WORDS: &str = "the the the a a of in on and to is was were are cat cats dog dogs house houses \
        run runs running ran good well better quick quickly rapid physician doctor child children kid \
        buy bought begin start big large happy glad mouse mice it's don't U.S. Mr. 3.14 1,000 50% \
        e-mail (aside) end. stop! what? café Straße ΣΟΦΟΣ İstanbul привет 你好 世界 こんにちは مرحبا שלום 🙂 \
        <b> & “x” _ — …";
    let all: Vec<&str> = WORDS.split_whitespace().collect();
    (0..n).map(|_| all[random.below(all.len())]).collect()
}

/// A hypothesis made from a reference by edits and moves.
fn altered(random: &mut Random, reference: &[&'static str]) -> Vec<&'static str> {
    let mut words = reference.to_vec();
    for _ in 0..random.below(6) {
        let at = random.below(words.len() + 1);
        match random.below(3) {
            0 if at < words.len() => drop(words.remove(at)),
            1 => words.splice(at..at, words_of(random, 1)).for_each(drop),
            _ => {
                let by = at % words.len().max(1);
                words.rotate_left(by);
            }
        }
    }
    words
}

/// A hypothesis and one to three references.
pub(crate) struct Pair {
    pub(crate) hypothesis: String,
    pub(crate) references: Vec<String>,
}

impl Pair {
    fn score(&self, metric: &Metric) -> f64 {
        metric.segment_value(&self.stats(metric)).unwrap()
    }

    fn stats(&self, metric: &Metric) -> Statistics {
        let references: Vec<Text<'_>> = self.references.iter().map(|r| Text::Raw(r)).collect();
        let segment = Segment::new(Text::Raw(&self.hypothesis), &references).unwrap();
        metric.scorer().statistics(segment)
    }
}

pub(crate) fn pairs(n: usize, seed: u64) -> Vec<Pair> {
    let mut random = Random(seed);
    let mut pairs = Vec::new();
    for at in 0..n {
        let length = 1 + random.below(24);
        let reference = words_of(&mut random, length);
        let hypothesis = match at % 8 {
            0 => words_of(&mut random, length),
            1 if at == 1 => Vec::new(),
            _ => altered(&mut random, &reference),
        };
        let mut references = vec![reference.join(" ")];
        for _ in 0..random.below(3) {
            references.push(altered(&mut random, &reference).join(" "));
        }
        references.retain(|text| !text.is_empty());
        if references.is_empty() {
            references.push("the".to_owned());
        }
        pairs.push(Pair { hypothesis: hypothesis.join(" "), references });
    }
    pairs
}

/// The embedded tables, and paraphrases of our own so that METEOR 1.5 is complete.
pub(crate) fn resources() -> Resources {
    let mut compiler = Compiler::new();
    for (a, b) in [
        ("the cat", "a cat"),
        ("big house", "large home"),
        ("begin", "start to"),
        ("was", "is being"),
    ] {
        compiler.add(a, b);
        compiler.add(b, a);
    }
    let bytes = compiler.finish("english", [7; 32]).unwrap();
    Resources::embedded().with_paraphrases(Language::English, Table::from_bytes(bytes).unwrap())
}

/// Every dialect; all of them can be built with these tables.
fn metrics() -> Vec<(&'static str, Metric)> {
    let resources = resources();
    let build = |name| (name, Metric::build(name, &resources).unwrap());
    DIALECTS.iter().map(|dialect| build(dialect.name)).collect()
}

/// Whether the original raises an exception: Hugging Face's BLEU for an empty hypothesis, NLTK's NIST
/// for one without a single 5-gram.
fn is_undefined(name: &str, hypothesis: &str) -> bool {
    match name {
        "bleu:hf" => hypothesis.is_empty(),
        "nist:nltk" => hypothesis.split(' ').count() < 5,
        _ => false,
    }
}

#[test]
fn scores_are_within_their_bounds() {
    for (name, metric) in metrics() {
        let (least, most) = metric.range();
        for pair in pairs(400, 1) {
            let score = pair.score(&metric);
            if is_undefined(name, &pair.hypothesis) {
                assert!(score.is_nan(), "{name}: {score}");
                continue;
            }
            // exp(ln 100) is more than 100 in the last bit, in sacreBLEU and here.
            assert!(score >= least && score <= most * (1.0 + 1e-14), "{name}: {score}");
            assert!(!score.is_sign_negative(), "{name}: {score}");
        }
    }
}

#[test]
fn nothing_is_better_than_the_reference_itself() {
    for (name, metric) in metrics() {
        let lower = metric.dialect().lower_is_better;
        for mut pair in pairs(300, 2) {
            pair.references.truncate(1);
            let score = pair.score(&metric);
            let was_undefined = is_undefined(name, &pair.hypothesis);
            pair.hypothesis = pair.references[0].clone();
            if was_undefined || is_undefined(name, &pair.hypothesis) {
                continue;
            }
            let identical = pair.score(&metric);
            let is_best = if lower { identical <= score } else { identical >= score };
            assert!(
                is_best,
                "{name}: {identical} for the same text, {score} for another: {:?}",
                pair.references
            );
        }
    }
}

#[test]
fn one_more_reference_cannot_hurt_where_the_best_counts() {
    for (name, metric) in metrics() {
        if metric.dialect().references != References::Best {
            continue;
        }
        for mut pair in pairs(300, 3) {
            let all = pair.score(&metric);
            pair.references.truncate(1);
            let one = pair.score(&metric);
            assert!(
                all >= one,
                "{name}: {all} with all references, {one} with the first: {}",
                pair.hypothesis
            );
        }
    }
}

#[test]
fn dropping_a_word_that_matches_nothing_does_not_hurt() {
    for name in ["meteor:classic|match:exact|tok:space", "meteor:textbook"] {
        let metric = Metric::build(name, &resources()).unwrap();
        for mut pair in pairs(300, 4) {
            pair.references.truncate(1);
            let without = pair.score(&metric);
            let at = pair.hypothesis.find(' ').unwrap_or(0);
            pair.hypothesis.insert_str(at, " zzz");
            let with = pair.score(&metric);
            assert!(without >= with, "{name}: {without} without, {with} with: {}", pair.hypothesis);
        }
    }
}

/// The corpus of segments, merged in a random grouping that keeps their order.
fn merged(metric: &Metric, stats: &[Statistics], random: &mut Random) -> Corpus {
    let mut corpus = metric.corpus();
    match stats {
        [] => {}
        [one] => corpus.push_statistics(one, 1).unwrap(),
        _ => {
            // Including an empty part: merging it changes nothing.
            let at = random.below(stats.len());
            let (left, right) = stats.split_at(at);
            let right = match at {
                0 => {
                    corpus.push_statistics(&stats[0], 1).unwrap();
                    merged(metric, &stats[1..], random)
                }
                _ => merged(metric, right, random),
            };
            corpus.merge(&merged(metric, if at == 0 { &[] } else { left }, random)).unwrap();
            corpus.merge(&right).unwrap();
        }
    }
    corpus
}

/// Equal bits; nearly equal for running sums of floats.
#[track_caller]
fn assert_same(metric: &Metric, exact: bool, ours: f64, theirs: f64) {
    let name = metric.dialect().name;
    if exact {
        assert_eq!(ours.to_bits(), theirs.to_bits(), "{name}: {ours} and {theirs}");
    } else {
        assert!((ours - theirs).abs() <= 1e-12 * theirs.abs(), "{name}: {ours} and {theirs}");
    }
}

#[test]
fn any_split_and_any_grouping_gives_the_same_corpus() {
    for (name, metric) in metrics() {
        let stats: Vec<Statistics> = pairs(60, 5).iter().map(|pair| pair.stats(&metric)).collect();
        let mut whole = metric.corpus();
        for part in &stats {
            whole.push_statistics(part, 1).unwrap();
        }
        let expected = whole.score().unwrap();
        let exact = metric.dialect().merging != Merging::SegmentsInOrder;
        let mut random = Random(6);
        for _ in 0..40 {
            let score = merged(&metric, &stats, &mut random).score().unwrap();
            assert_same(&metric, exact, score.value, expected.value);
            if exact {
                let (ours, theirs) = (score.components, &expected.components);
                assert_eq!(format!("{ours:?}"), format!("{theirs:?}"), "{name}");
            }
        }
        // The same after serialisation.
        for at in 0..=stats.len() {
            let mut sum = metric.corpus();
            for half in [&stats[..at], &stats[at..]] {
                let bytes = merged(&metric, half, &mut random).to_bytes();
                sum.merge(&metric.corpus_from_bytes(&bytes).unwrap()).unwrap();
            }
            assert_eq!(sum.n_segments(), 60, "{name}");
            assert_same(&metric, exact, sum.score().unwrap().value, expected.value);
        }
    }
}

#[test]
fn the_order_of_segments_does_not_matter() {
    for (_, metric) in metrics() {
        let mut stats: Vec<Statistics> =
            pairs(60, 7).iter().map(|pair| pair.stats(&metric)).collect();
        let expected = merged(&metric, &stats, &mut Random(8)).score().unwrap().value;
        let exact = metric.dialect().merging == Merging::AnyOrder;
        let mut random = Random(9);
        for _ in 0..20 {
            for at in (1..stats.len()).rev() {
                stats.swap(at, random.below(at + 1));
            }
            let score = merged(&metric, &stats, &mut random).score().unwrap().value;
            assert_same(&metric, exact, score, expected);
        }
    }
}

#[test]
fn statistics_of_two_metrics_never_merge() {
    let metrics = metrics();
    let pair = &pairs(3, 13)[2];
    for (name, metric) in &metrics {
        for (other_name, other) in &metrics {
            let mut corpus = metric.corpus();
            let foreign = pair.stats(other);
            let is_own = name == other_name;
            assert_eq!(corpus.push_statistics(&foreign, 1).is_ok(), is_own, "{name} {other_name}");
            assert_eq!(corpus.merge(&other.corpus()).is_ok(), is_own, "{name} {other_name}");
            assert_eq!(metric.segment_value(&foreign).is_ok(), is_own, "{name} {other_name}");
            let bytes = other.corpus().to_bytes();
            assert_eq!(metric.corpus_from_bytes(&bytes).is_ok(), is_own, "{name} {other_name}");
        }
    }
}

#[test]
fn damaged_bytes_are_refused() {
    for (name, metric) in metrics() {
        let mut corpus = metric.corpus();
        for pair in pairs(4, 14) {
            let n = pair.references.len();
            corpus.push_statistics(&pair.stats(&metric), n).unwrap();
        }
        let bytes = corpus.to_bytes();
        for at in 0..bytes.len() {
            for bit in [0, 3, 7] {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                assert!(
                    metric.corpus_from_bytes(&damaged).is_err(),
                    "{name}: byte {at}, bit {bit}"
                );
            }
            assert!(metric.corpus_from_bytes(&bytes[..at]).is_err(), "{name}: {at} bytes");
        }
    }
}

#[test]
fn components_are_those_that_the_metric_names() {
    for (name, metric) in metrics() {
        let names = metric.component_names();
        for pair in pairs(40, 15) {
            let score = metric.finish_segment(&pair.stats(&metric)).unwrap();
            let ours: Vec<&str> = score.components.iter().map(|(name, _)| name.as_ref()).collect();
            assert_eq!(ours, names, "{name}");
        }
    }
}

#[test]
fn counts_are_as_many_as_declared() {
    for (name, metric) in metrics() {
        for mut pair in pairs(40, 16) {
            // TER has halves of words with two references, and thirds with three.
            pair.references.truncate(2);
            let counts = pair.stats(&metric).to_counts().map(|counts| counts.len());
            assert_eq!(counts, metric.n_counts(), "{name}");
        }
    }
}

#[test]
fn alignments_are_where_they_are_declared() {
    for (name, metric) in metrics() {
        let explained = metric.explain("the cat sat", &["a cat was sitting"]);
        assert_eq!(explained.is_ok(), metric.dialect().alignment, "{name}");
    }
}

#[test]
fn facts_in_a_name_hold_for_the_corpus() {
    let check = |name: &str, references: &[&[&str]], expected: Result<&str, &str>| {
        let metric: Metric = name.parse().unwrap();
        let mut corpus = metric.corpus();
        references.iter().for_each(|references| corpus.push("a cat", references).unwrap());
        match (corpus.score(), expected) {
            (Ok(score), Ok(nrefs)) => {
                let signature = score.signature.to_string();
                assert!(signature.contains(&format!("|nrefs:{nrefs}|")), "{signature}");
            }
            (Err(problem), Err(message)) => assert_eq!(problem.to_string(), message),
            (score, _) => panic!("{name}: {score:?}"),
        }
    };
    check("bleu", &[&["a cat"], &["a dog"]], Ok("1"));
    check("bleu|nrefs:2", &[&["a cat", "the cat"], &["a dog", "it"]], Ok("2"));
    check("bleu|nrefs:var", &[&["a cat", "the cat"], &["a dog"]], Ok("var"));
    check(
        "bleu|nrefs:2",
        &[&["a cat", "the cat"], &["a dog"]],
        Err("'bleu|nrefs:2' is for 2 references, but the references given are nrefs:var"),
    );
    check(
        "bleu|#:2",
        &[&["a cat"]],
        Err("'bleu|#:2' is for 2 references, but the references given are nrefs:1"),
    );
    let metric: Metric = "bleu|nrefs:2".parse().unwrap();
    assert!(metric.score("a cat", &["a cat"]).is_err());
    assert!(metric.corpus().score().is_ok(), "nothing is known of an empty corpus");
}

#[test]
fn the_order_of_references_does_not_matter() {
    for (_, metric) in metrics() {
        if metric.dialect().references == References::First {
            continue;
        }
        for mut pair in pairs(300, 10) {
            let expected = pair.score(&metric);
            pair.references.reverse();
            let score = pair.score(&metric);
            // numpy adds a mean length in the order of the references.
            let exact = metric.dialect().references != References::MeanLength;
            assert_same(&metric, exact, score, expected);
        }
    }
}

#[test]
fn a_signature_builds_the_same_metric() {
    let resources = resources();
    for (name, metric) in metrics() {
        let signature = metric.signature().to_string();
        let again = Metric::build(&signature, &resources).unwrap();
        assert_eq!(again.signature().to_string(), signature);
        for pair in pairs(100, 11) {
            assert_eq!(pair.score(&again).to_bits(), pair.score(&metric).to_bits(), "{name}");
        }
    }
}

/// Reading tokens as numbers and scoring them later gives what scoring them at once gives.
#[test]
fn numbered_tokens_score_as_the_tokens_do() {
    let pairs = pairs(60, 11);
    let mut numbered = 0;
    for (name, metric) in metrics() {
        let (mut scorer, mut other) = (metric.scorer(), metric.scorer());
        // Twice, because new words take another path than known ones.
        for _ in 0..2 {
            let batch = TokenBatch::read(&mut scorer, 0, |reader| {
                for pair in &pairs {
                    for text in std::iter::once(&pair.hypothesis).chain(&pair.references) {
                        text.split_whitespace().for_each(|token| _ = reader.push(token));
                        reader.end_text();
                    }
                    reader.end_segment();
                }
                Some(())
            });
            let Some(mut batch) = batch else { continue };
            numbered += 1;
            assert_eq!(batch.len(), pairs.len());
            for (idx, pair) in pairs.iter().enumerate() {
                let hypothesis: Vec<&str> = pair.hypothesis.split_whitespace().collect();
                let references: Vec<Vec<&str>> =
                    pair.references.iter().map(|text| text.split_whitespace().collect()).collect();
                let texts: Vec<Text<'_>> =
                    references.iter().map(|text| Text::Tokens(text)).collect();
                let segment = Segment::new(Text::Tokens(&hypothesis), &texts).unwrap();
                assert_eq!(batch.n_references(idx), texts.len());
                assert_eq!(batch.value(idx).to_bits(), other.value(segment).to_bits(), "{name}");
                let (mut ours, mut theirs) = (metric.corpus(), metric.corpus());
                batch.push(idx, &mut ours).unwrap();
                other.push(segment, &mut theirs).unwrap();
                assert_eq!(ours.to_bytes(), theirs.to_bytes(), "{name}");
            }
        }
    }
    assert!(numbered > 0);
}

#[test]
fn what_was_scored_before_does_not_matter() {
    for (name, metric) in metrics() {
        let pairs = pairs(200, 12);
        let alone: Vec<u64> = pairs.iter().map(|pair| pair.score(&metric).to_bits()).collect();
        let mut scorer = metric.scorer();
        for (pair, &expected) in pairs.iter().zip(&alone).rev() {
            let references: Vec<Text<'_>> = pair.references.iter().map(|r| Text::Raw(r)).collect();
            let segment = Segment::new(Text::Raw(&pair.hypothesis), &references).unwrap();
            assert_eq!(scorer.value(segment).to_bits(), expected, "{name}");
            assert_eq!(scorer.score(segment).value.to_bits(), expected, "{name}");
        }
    }
}
