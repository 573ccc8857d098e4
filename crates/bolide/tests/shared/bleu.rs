//! BLEU against the stored results of NLTK 3.10.4 and Hugging Face evaluate 0.4.6, every bit.

use bolide::unstable::bleu::hf::Hf;
use bolide::unstable::bleu::nltk::{Nltk, Stats, UNIFORM};
use bolide::unstable::bleu::{Case, Number, Smoothing, Tokenizer, Undefined};
use bolide::unstable::text::{Tokens, thirteen_a};
use bolide::unstable::{Definition, Mergeable};
use bolide::{Segment, Text};
use serde_json::Value;

use crate::files::{self, strings};
use crate::ted::Ted;

const ONE: [f64; 1] = [1.0];
const TWO: [f64; 2] = [0.5; 2];
const THREE: [f64; 3] = [1.0 / 3.0; 3];
const FIVE: [f64; 5] = [0.2; 5];
const ODD: [f64; 4] = [0.1, 0.3, 0.5, 0.1];

fn method(number: u64) -> Smoothing {
    match number {
        0 => Smoothing::Method0,
        1 => Smoothing::Method1 { epsilon: 0.1 },
        2 => Smoothing::Method2,
        3 => Smoothing::Method3,
        4 => Smoothing::Method4 { k: 5.0 },
        5 => Smoothing::Method5,
        6 => Smoothing::Method6 { alpha: Number::Integer(5) },
        7 => Smoothing::Method7 { k: 5.0 },
        _ => panic!("NLTK has no smoothing method {number}"),
    }
}

/// A hypothesis and its references, as tokens.
struct Pair<'a> {
    hypothesis: Vec<&'a str>,
    references: Vec<Vec<&'a str>>,
}

impl<'a> Pair<'a> {
    fn new(hypothesis: &'a Value, references: &'a Value) -> Self {
        Pair {
            hypothesis: strings(hypothesis),
            references: references.as_array().unwrap().iter().map(strings).collect(),
        }
    }
}

/// Statistics of the pairs, merged in a lopsided tree: any grouping in segment order must do.
fn statistics(metric: &Nltk, pairs: &[Pair<'_>]) -> Stats {
    let mut scratch = Default::default();
    let mut total = Stats::default();
    for chunk in pairs.chunks(3) {
        let mut part = Stats::default();
        for pair in chunk {
            let references: Vec<Text<'_>> =
                pair.references.iter().map(|tokens| Text::Tokens(tokens)).collect();
            let segment = Segment::new(Text::Tokens(&pair.hypothesis), &references).unwrap();
            part.merge(&metric.segment(segment, &mut scratch));
        }
        total.merge(&part);
    }
    total
}

/// The Python exception that NLTK raises.
fn exception(undefined: Undefined) -> &'static str {
    match undefined {
        Undefined::DivisionByZero => "ZeroDivisionError",
        Undefined::NoTrigramMatches => "AssertionError",
        Undefined::TooFewOrders => "IndexError",
        Undefined::Overflow => "OverflowError",
        other => panic!("{other} has no exception yet"),
    }
}

fn check(metric: &Nltk, stats: &Stats, expected: &Value, what: &str) {
    let score = metric.finish(stats);
    if let Some(name) = expected.get("error") {
        assert_eq!(score.undefined.map(exception), name.as_str(), "{what}");
        assert!(score.score.is_nan() && metric.check(stats).is_err(), "{what}");
        return;
    }
    let text = expected.as_str().unwrap();
    assert_eq!(score.undefined, None, "{what}");
    assert_eq!(score.score.to_bits(), bits(text), "{what}: {} instead of {text}", score.score);
    if text == "0" {
        assert_eq!(score.score, 0.0, "{what}");
    }
}

fn bits(text: &str) -> u64 {
    text.parse::<f64>().unwrap().to_bits()
}

fn rows(path: &str) -> Vec<Value> {
    let lines = files::lines(path);
    lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_sentence_score_of_nltk() {
    let rows = rows("golden/nltk/bleu_sentence.jsonl.gz");
    assert_eq!(rows.len(), 1030);
    let weights: [(&str, &[f64]); 5] =
        [("b1", &ONE), ("b2", &TWO), ("b3", &THREE), ("b5", &FIVE), ("odd", &ODD)];
    let mut n_compared = 0;
    for row in &rows {
        let id = row["id"].as_str().unwrap();
        let pairs = [Pair::new(&row["hyp"], &row["refs"])];
        let five = statistics(&Nltk::new().with_weights(&FIVE).unwrap(), &pairs);
        let numbers = |name: &str| -> Vec<u64> {
            row[name].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect()
        };
        assert_eq!(five.matches[..5], numbers("num"), "{id}");
        assert_eq!(five.totals[..5], numbers("den"), "{id}");
        assert_eq!(five.reference_length, row["closest"].as_u64().unwrap(), "{id}");
        for number in 0..8 {
            let name = format!("m{number}");
            let metric = Nltk::new().with_smoothing(method(number));
            let stats = statistics(&metric, &pairs);
            check(&metric, &stats, &row[&name], &format!("{id} {name}"));
            n_compared += 1;
            if number == 0 {
                let score = metric.finish(&stats);
                let warnings = if score.nothing_matched { 0 } else { score.zero_orders };
                assert_eq!(warnings, row["warn0"].as_u64().unwrap(), "{id}");
                assert_eq!(score.brevity_penalty.to_bits(), bits(row["bp"].as_str().unwrap()));
            }
            for (key, weights) in weights {
                let metric = metric.clone().with_weights(weights).unwrap();
                let stats = statistics(&metric, &pairs);
                check(&metric, &stats, &row[key][&name], &format!("{id} {key} {name}"));
                n_compared += 1;
            }
            if let Some(expected) = row.get("auto").and_then(|auto| auto.get(&name)) {
                let metric = metric.with_auto_reweigh(true);
                check(&metric, &stats, expected, &format!("{id} auto {name}"));
                n_compared += 1;
            }
        }
    }
    assert!(n_compared >= 1030 * 8 * 6, "only {n_compared} scores were compared");
}

#[test]
fn every_corpus_score_of_nltk() {
    let rows = rows("golden/nltk/bleu_corpus.jsonl");
    let ted = Ted::read();
    assert_eq!(rows.len(), 24);
    for row in &rows {
        let id = row["id"].as_str().unwrap();
        let first = row.get("first").map_or(265, |n| n.as_u64().unwrap() as usize);
        let mut names = vec![id];
        names.extend(strings(&row["refs"]));
        let segments = ted.tokens(&names, first);
        let pairs: Vec<Pair<'_>> = segments
            .iter()
            .map(|texts| {
                let mut texts = texts.iter().map(|tokens| tokens.iter().collect());
                Pair { hypothesis: texts.next().unwrap(), references: texts.collect() }
            })
            .collect();
        for number in 0..8 {
            let name = format!("m{number}");
            let metric = Nltk::new().with_smoothing(method(number));
            let stats = statistics(&metric, &pairs);
            check(&metric, &stats, &row[&name], &format!("{id} {first} {name}"));
        }
        let metric = Nltk::new().with_orders(5);
        let stats = statistics(&metric, &pairs);
        check(&metric, &stats, &row["m0"], &format!("{id} with five orders"));
        let odd = metric.clone().with_weights(&ODD).unwrap();
        check(&odd, &stats, &row["odd"], &format!("{id} odd"));
        let scores = metric.scores(&stats, &[&ONE, &TWO, &THREE, &UNIFORM, &FIVE]).unwrap();
        let expected = row["weights_list"].as_str().unwrap().trim_matches(['[', ']']);
        let expected: Vec<u64> = expected.split(", ").map(bits).collect();
        assert_eq!(scores.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), expected, "{id}");
        let numbers = |name: &str| -> Vec<u64> {
            row[name].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect()
        };
        assert_eq!(stats.matches[..5], numbers("num"), "{id}");
        assert_eq!(stats.totals[..5], numbers("den"), "{id}");
    }
}

/// Weight vectors as Python writes them: whether there are several, and whether it is a tuple.
fn python_weights(text: &str) -> (Vec<Vec<f64>>, bool, bool) {
    let several = text.starts_with("[(");
    let vectors = if several { text.split("), ").collect() } else { vec![text] };
    let parse = |vector: &str| -> Vec<f64> {
        let numbers = vector.trim_matches(['[', ']', '(', ')']);
        let numbers = numbers.split(',').map(str::trim).filter(|number| !number.is_empty());
        numbers.map(|number| number.parse().unwrap()).collect()
    };
    (vectors.into_iter().map(parse).collect(), several, text.starts_with('('))
}

#[test]
fn every_edge_case_of_nltk() {
    let rows = rows("golden/nltk/bleu_edge.jsonl");
    assert_eq!(rows.len(), 82);
    let mut refused_at_the_door = 0;
    for row in &rows {
        let id = row["id"].as_str().unwrap();
        let sentence = match row["call"].as_str() {
            Some("sentence_bleu") => true,
            Some("corpus_bleu") => false,
            other => panic!("{id}: unknown call {other:?}"),
        };
        // What cannot be a segment or a corpus here never reaches the metric.
        if matches!(id, "no refs" | "no refs, empty hyp" | "length mismatch") {
            assert!(row["value"].get("error").is_some());
            assert!(Segment::new(Text::Raw("a"), &[]).is_err());
            refused_at_the_door += 1;
            continue;
        }
        let parameter = |name: &str| {
            row.get("smoothing_params").and_then(|p| p.get(name)).map(|v| v.as_str().unwrap())
        };
        let mut smoothing = method(row.get("method").map_or(0, |m| m.as_u64().unwrap()));
        match &mut smoothing {
            Smoothing::Method1 { epsilon } => {
                parameter("epsilon").inspect(|text| *epsilon = text.parse().unwrap());
            }
            Smoothing::Method4 { k } => {
                parameter("k").inspect(|text| *k = text.parse().unwrap());
            }
            Smoothing::Method6 { alpha } => {
                parameter("alpha").inspect(|text| {
                    *alpha = match text.parse() {
                        Ok(n) => Number::Integer(n),
                        Err(_) => Number::Float(text.parse().unwrap()),
                    }
                });
            }
            _ => {}
        }
        let mut pairs = if sentence {
            vec![Pair::new(&row["hyp"], &row["refs"])]
        } else {
            let hypotheses = row["hyp"].as_array().unwrap().iter();
            let references = row["refs"].as_array().unwrap().iter();
            hypotheses.zip(references).map(|(h, r)| Pair::new(h, r)).collect()
        };
        if let Some(build) = row.get("build") {
            let build = build.as_str().unwrap();
            let number_after = |word: &str| -> usize {
                let rest = build.split(word).nth(1).unwrap().trim_start();
                rest.split(' ').next().unwrap().parse().unwrap()
            };
            let pair = &mut pairs[0];
            let start = pair.hypothesis.clone();
            pair.references[0] = pair.references[0].repeat(number_after("refs[0] repeated"));
            pair.hypothesis = start.repeat(number_after("hyp repeated"));
            pair.hypothesis.drain(..number_after("times, first"));
            pair.hypothesis.extend(&start[..number_after("then the first")]);
        }
        let (vectors, several, tuple) = match row.get("weights") {
            Some(weights) => python_weights(weights.as_str().unwrap()),
            None => (vec![UNIFORM.to_vec()], false, true),
        };
        let reweigh = row.get("auto_reweigh").is_some_and(|flag| flag.as_bool().unwrap());
        let metric = Nltk::new()
            .with_weights(&vectors[0])
            .unwrap()
            .with_orders(vectors.iter().map(Vec::len).max().unwrap())
            .with_smoothing(smoothing)
            // A list of weights never equals the default tuple in Python.
            .with_auto_reweigh(reweigh && tuple);
        let stats = statistics(&metric, &pairs);
        if several {
            let views: Vec<&[f64]> = vectors.iter().map(Vec::as_slice).collect();
            let scores = metric.scores(&stats, &views).unwrap();
            let expected = row["value"].as_str().unwrap().trim_matches(['[', ']']);
            let expected: Vec<u64> = expected.split(", ").map(bits).collect();
            assert_eq!(scores.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), expected, "{id}");
        } else {
            check(&metric, &stats, &row["value"], id);
        }
        let score = metric.finish(&stats);
        let warns = smoothing == Smoothing::Method0 && !score.nothing_matched && !several;
        let warnings = if warns { score.zero_orders } else { 0 };
        assert_eq!(Some(warnings), row["warnings"].as_u64(), "{id}");
    }
    assert_eq!(refused_at_the_door, 3);
}

#[test]
fn every_13a_token_of_hugging_face() {
    let rows = rows("golden/nltk/tok13a.jsonl.gz");
    assert_eq!(rows.len(), 932);
    let mut tokens = Tokens::new();
    for row in &rows {
        let raw = row["raw"].as_str().unwrap();
        tokens.clear();
        thirteen_a::tokenize(raw, &mut tokens);
        assert_eq!(tokens.iter().collect::<Vec<_>>(), strings(&row["tokens"]), "{raw:?}");
    }
}

#[test]
fn every_bleu_of_hugging_face() {
    let rows = rows("golden/nltk/hf.jsonl");
    let ted = Ted::read();
    assert_eq!(rows.len(), 39);
    for row in &rows {
        let id = row["id"].as_str().unwrap();
        let pairs: Vec<(String, Vec<String>)> = if let Some(hypotheses) = row.get("predictions") {
            let references = row["references"].as_array().unwrap().iter().map(|r| match r {
                Value::String(one) => vec![one.clone()],
                many => strings(many).into_iter().map(str::to_owned).collect(),
            });
            strings(hypotheses).into_iter().map(str::to_owned).zip(references).collect()
        } else {
            let mut names = vec![id];
            names.extend(strings(&row["refs"]));
            let texts = ted.texts(&names, row["n"].as_u64().unwrap() as usize);
            let pair = |texts: &Vec<&str>| {
                (texts[0].to_owned(), texts[1..].iter().map(|&text| text.to_owned()).collect())
            };
            texts.iter().map(pair).collect()
        };
        for (key, max_order, smooth) in [
            ("bleu", 4, false),
            ("bleu_smooth", 4, true),
            ("bleu_order2", 2, false),
            ("bleu_order3_smooth", 3, true),
        ] {
            for (column, sum) in [
                ("bleu", bolide::unstable::arithmetic::PythonSum::Plain),
                ("bleu_py312", bolide::unstable::arithmetic::PythonSum::Compensated),
            ] {
                let metric = Hf {
                    max_order,
                    smooth,
                    case: Case::Mixed,
                    tokenizer: Tokenizer::ThirteenA,
                    sum,
                };
                check_hf(&metric, &pairs, &row[key], column, &format!("{id} {key} {column}"));
            }
        }
    }
}

fn check_hf(
    metric: &Hf,
    pairs: &[(String, Vec<String>)],
    expected: &Value,
    column: &str,
    what: &str,
) {
    let mut stats = bolide::unstable::bleu::hf::Stats::default();
    let mut scratch = Default::default();
    for (hypothesis, references) in pairs {
        let references: Vec<Text<'_>> = references.iter().map(|text| Text::Raw(text)).collect();
        let segment = Segment::new(Text::Raw(hypothesis), &references).unwrap();
        stats.merge(&metric.segment(segment, &mut scratch));
    }
    let score = metric.finish(&stats);
    if let Some(error) = expected.get("error") {
        assert_eq!(score.undefined.map(exception), error.as_str(), "{what}");
        assert!(score.score.is_nan());
        return;
    }
    let same = |ours: f64, value: &Value| {
        assert_eq!(ours.to_bits(), bits(value.as_str().unwrap()), "{what}: {ours} {value}");
    };
    same(score.score, &expected[column]);
    same(score.brevity_penalty, &expected["brevity_penalty"]);
    same(score.length_ratio, &expected["length_ratio"]);
    let precisions = expected["precisions"].as_array().unwrap();
    assert_eq!(score.precisions.len(), precisions.len(), "{what}");
    score.precisions.iter().zip(precisions).for_each(|(&ours, value)| same(ours, value));
    assert_eq!(Some(score.hypothesis_length), expected["translation_length"].as_u64(), "{what}");
    assert_eq!(Some(score.reference_length), expected["reference_length"].as_u64(), "{what}");
}
