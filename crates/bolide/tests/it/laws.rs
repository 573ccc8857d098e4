//! Laws that every metric of the registry keeps, on pairs made from a seed.
//!
//! A law that a definition does not have is excepted by name, with the reason; nothing else is.

use bolide::unstable::meteor15::Language;
use bolide::unstable::meteor15::paraphrase::{Compiler, Table};
use bolide::{AnyMetric, AnyStats, DIALECTS, Resources, Segment, Text};

/// splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn words(&mut self, n: usize) -> Vec<&'static str> {
        const WORDS: &str = "the the the a a of in on and to is was were are cat cats dog dogs house houses \
            run runs running ran good well better quick quickly rapid physician doctor child children kid \
            buy bought begin start big large happy glad mouse mice it's don't U.S. Mr. 3.14 1,000 50% \
            e-mail (aside) end. stop! what? café Straße ΣΟΦΟΣ İstanbul привет 你好 世界 こんにちは مرحبا שלום 🙂 \
            <b> & “x” _ — …";
        let all: Vec<&str> = WORDS.split_whitespace().collect();
        (0..n).map(|_| all[self.below(all.len())]).collect()
    }

    /// A hypothesis made from a reference by edits and moves.
    fn altered(&mut self, reference: &[&'static str]) -> Vec<&'static str> {
        let mut words = reference.to_vec();
        for _ in 0..self.below(6) {
            let at = self.below(words.len() + 1);
            match self.below(3) {
                0 if at < words.len() => drop(words.remove(at)),
                1 => words.splice(at..at, self.words(1)).for_each(drop),
                _ => {
                    let by = at % words.len().max(1);
                    words.rotate_left(by);
                }
            }
        }
        words
    }
}

/// A hypothesis and one to three references.
struct Pair {
    hypothesis: String,
    references: Vec<String>,
}

impl Pair {
    fn score(&self, metric: &AnyMetric) -> f64 {
        metric.segment_score(&self.stats(metric))
    }

    fn stats(&self, metric: &AnyMetric) -> AnyStats {
        let references: Vec<Text<'_>> = self.references.iter().map(|r| Text::Raw(r)).collect();
        let segment = Segment::new(Text::Raw(&self.hypothesis), &references).unwrap();
        metric.scorer().segment(segment)
    }
}

fn pairs(n: usize, seed: u64) -> Vec<Pair> {
    let mut random = Random(seed);
    let mut pairs = Vec::new();
    for at in 0..n {
        let length = 1 + random.below(24);
        let reference = random.words(length);
        let hypothesis = match at % 8 {
            0 => random.words(length),
            1 if at == 1 => Vec::new(),
            _ => random.altered(&reference),
        };
        let mut references = vec![reference.join(" ")];
        for _ in 0..random.below(3) {
            references.push(random.altered(&reference).join(" "));
        }
        references.retain(|text| !text.is_empty());
        if references.is_empty() {
            references.push("the".to_owned());
        }
        pairs.push(Pair { hypothesis: hypothesis.join(" "), references });
    }
    pairs
}

/// The tables of the program, and paraphrases of our own so that METEOR 1.5 is complete.
fn resources() -> Resources {
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
fn metrics() -> Vec<(&'static str, AnyMetric)> {
    let resources = resources();
    let build = |name| (name, AnyMetric::build(name, &resources).unwrap());
    DIALECTS.iter().map(|dialect| build(dialect.name)).collect()
}

fn is_one_of(name: &str, list: &[&str]) -> bool {
    list.contains(&name)
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

/// NIST weighs by information and TER counts edits: neither has an upper bound.
const UNBOUNDED: &[&str] = &["nist:nltk", "ter:sacrebleu"];

#[test]
fn scores_are_within_their_bounds() {
    for (name, metric) in metrics() {
        let decimals = metric.dialect().decimals;
        let most = match decimals {
            _ if is_one_of(name, UNBOUNDED) => f64::INFINITY,
            4 => 1.0,
            _ => 100.0,
        };
        for pair in pairs(400, 1) {
            let score = pair.score(&metric);
            if is_undefined(name, &pair.hypothesis) {
                assert!(score.is_nan(), "{name}: {score}");
                continue;
            }
            // exp(ln 100) is more than 100 in the last bit, in sacreBLEU and here.
            assert!(score >= 0.0 && score <= most * (1.0 + 1e-14), "{name}: {score}");
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

/// The best reference counts, so one more cannot hurt.
const BEST_OF: &[&str] = &[
    "meteor:classic",
    "meteor:textbook",
    "meteor:nltk",
    "meteor:hf",
    "meteor:nltk-3.6.2",
    "meteor:1.5",
    "meteor:1.5-nopara",
    "meteor:1.5-optimal",
    "chrf:sacrebleu",
    "chrf++:sacrebleu",
    "ribes:nltk",
];

#[test]
fn one_more_reference_cannot_hurt_where_the_best_counts() {
    for (name, metric) in metrics() {
        if !is_one_of(name, BEST_OF) {
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
        let metric = AnyMetric::build(name, &resources()).unwrap();
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

/// Merges in any grouping that keeps the order.
fn merged(metric: &AnyMetric, stats: &[AnyStats], random: &mut Random) -> AnyStats {
    match stats {
        [] => metric.empty(),
        [one] => one.clone(),
        _ => {
            // An empty part, too: merging with nothing changes nothing.
            let at = random.below(stats.len() + 1);
            let at = if at == stats.len() { stats.len() / 2 } else { at };
            let mut left = match at {
                0 => metric.empty(),
                _ => merged(metric, &stats[..at], random),
            };
            let right = match at {
                0 => {
                    let mut right = stats[0].clone();
                    right.merge(&merged(metric, &stats[1..], random));
                    right
                }
                _ => merged(metric, &stats[at..], random),
            };
            left.merge(&right);
            left
        }
    }
}

/// Running sums of floats, which the original prescribes: they depend on the grouping in the last
/// bits. The doors merge segment by segment.
const FLOAT_SUMS: &[&str] = &[
    "ter:sacrebleu",
    "rouge1:google",
    "rouge2:google",
    "rougeL:google",
    "rougeLsum:google",
    "rougeN:google",
];

#[test]
fn any_split_and_any_grouping_gives_the_same_corpus() {
    for (name, metric) in metrics() {
        let stats: Vec<AnyStats> = pairs(60, 5).iter().map(|pair| pair.stats(&metric)).collect();
        let mut whole = metric.empty();
        for part in &stats {
            whole.merge(part);
        }
        let expected = metric.finish(&whole);
        let check = |score: f64| {
            let expected = expected.score;
            if is_one_of(name, FLOAT_SUMS) {
                assert!((score - expected).abs() <= 1e-12 * expected.abs(), "{name}: {score}");
            } else {
                assert_eq!(score.to_bits(), expected.to_bits(), "{name}");
            }
        };
        let mut random = Random(6);
        for _ in 0..40 {
            let sum = merged(&metric, &stats, &mut random);
            let report = metric.finish(&sum);
            check(report.score);
            if !is_one_of(name, FLOAT_SUMS) {
                let (ours, theirs) = (report.components, &expected.components);
                assert_eq!(format!("{ours:?}"), format!("{theirs:?}"), "{name}");
            }
        }
        // The same through the form in which another process gets it.
        for at in 0..=stats.len() {
            let mut sum = metric.empty();
            for half in [&stats[..at], &stats[at..]] {
                let words = merged(&metric, half, &mut random).to_words();
                sum.merge(&metric.stats_from_words(&words).unwrap());
            }
            check(metric.finish(&sum).score);
        }
    }
}

/// Sums that the original runs in floats, in the order of the segments.
const ORDERED: &[&str] = &[
    "meteor:hf",
    "ter:sacrebleu",
    "rouge1:google",
    "rouge2:google",
    "rougeL:google",
    "rougeLsum:google",
    "rougeN:google",
    "rougeL:coco",
    "chrf:nltk",
    "ribes:nltk",
    "nist:nltk",
];

#[test]
fn the_order_of_segments_does_not_matter() {
    for (name, metric) in metrics() {
        let mut stats: Vec<AnyStats> =
            pairs(60, 7).iter().map(|pair| pair.stats(&metric)).collect();
        let expected = metric.finish(&merged(&metric, &stats, &mut Random(8))).score;
        let mut random = Random(9);
        for _ in 0..20 {
            for at in (1..stats.len()).rev() {
                stats.swap(at, random.below(at + 1));
            }
            let score = metric.finish(&merged(&metric, &stats, &mut random)).score;
            if is_one_of(name, ORDERED) {
                assert!(
                    (score - expected).abs() <= 1e-12 * expected.abs(),
                    "{name}: {score} and {expected}"
                );
            } else {
                assert_eq!(score.to_bits(), expected.to_bits(), "{name}");
            }
        }
    }
}

#[test]
fn the_order_of_references_does_not_matter() {
    for (name, metric) in metrics() {
        // NLTK's chrF takes one reference: of several, the first.
        if name == "chrf:nltk" {
            continue;
        }
        for mut pair in pairs(300, 10) {
            let expected = pair.score(&metric);
            pair.references.reverse();
            let score = pair.score(&metric);
            // TER divides by the mean length of the references, which numpy sums in order.
            if name == "ter:sacrebleu" {
                assert!(
                    (score - expected).abs() <= 1e-12 * expected,
                    "{name}: {score} and {expected}"
                );
            } else {
                assert_eq!(
                    score.to_bits(),
                    expected.to_bits(),
                    "{name}: {} {:?}",
                    pair.hypothesis,
                    pair.references
                );
            }
        }
    }
}

#[test]
fn a_signature_builds_the_same_metric() {
    let resources = resources();
    for (name, metric) in metrics() {
        let signature = metric.signature().to_string();
        let again = AnyMetric::build(&signature, &resources).unwrap();
        assert_eq!(again.signature().to_string(), signature);
        for pair in pairs(100, 11) {
            assert_eq!(pair.score(&again).to_bits(), pair.score(&metric).to_bits(), "{name}");
        }
    }
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
            let stats = scorer.segment(segment);
            assert_eq!(metric.segment_score(&stats).to_bits(), expected, "{name}");
        }
    }
}
