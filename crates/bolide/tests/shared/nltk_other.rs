//! GLEU, NIST, chrF and RIBES against NLTK's and Hugging Face's own numbers, bit for bit.

use crate::files::{self, strings};
use crate::ted::Ted;
use bolide::{Metric, Segment, Text};
use serde_json::Value;

fn rows(path: &str) -> Vec<Value> {
    let lines = files::lines(path);
    lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A stored score. Where Python raised an exception the engine gives NaN.
fn stored(value: &Value) -> f64 {
    match value {
        Value::String(number) => number.parse().unwrap(),
        Value::Object(error) if error.contains_key("error") => f64::NAN,
        _ => panic!("neither a number nor an error: {value}"),
    }
}

fn assert_same(ours: f64, theirs: &Value, what: &str) {
    let theirs = stored(theirs);
    let same = ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan();
    assert!(same, "{what}: {ours} is not {theirs}");
}

/// The score of a corpus whose segments are a hypothesis and its references.
///
/// Half of the segments are merged into statistics of their own first: it may not matter.
fn corpus(metric: &Metric, segments: &[Vec<Text<'_>>]) -> f64 {
    let mut scorer = metric.scorer();
    let mut read = |segments: &[Vec<Text<'_>>]| {
        let mut corpus = metric.corpus();
        for sides in segments {
            scorer.push(Segment::new(sides[0], &sides[1..]).unwrap(), &mut corpus).unwrap();
        }
        corpus
    };
    let (first, second) = segments.split_at(segments.len() / 2);
    let mut corpus = read(first);
    corpus.merge(&read(second)).unwrap();
    corpus.score().unwrap().value
}

/// The columns of a file and the metrics that give them.
const COLUMNS: [(&str, &str); 6] = [
    ("gleu", "gleu:nltk"),
    ("nist", "nist:nltk|sum:plain"),
    ("nist_py312", "nist:nltk"),
    ("chrf", "chrf:nltk|sum:plain"),
    ("chrf_py312", "chrf:nltk"),
    ("ribes", "ribes:nltk"),
];

#[test]
fn sentences() {
    let inputs = rows("golden/nltk/bleu_sentence.jsonl.gz");
    let outputs = rows("golden/nltk/other_sentence.jsonl.gz");
    assert_eq!(outputs.len(), 1_030);
    let more = [
        ("gleu_2_3", "gleu:nltk|min:2|max:3"),
        ("chrf_b2", "chrf:nltk|beta:2|sum:plain"),
        ("chrf_b2_py312", "chrf:nltk|beta:2"),
    ];
    let metrics: Vec<(&str, Metric)> = COLUMNS
        .iter()
        .chain(&more)
        .map(|&(column, metric)| (column, metric.parse::<Metric>().unwrap()))
        .collect();
    for output in &outputs {
        let input = &inputs[output["bleu_row"].as_u64().unwrap() as usize];
        let hypothesis = strings(&input["hyp"]);
        let references: Vec<Vec<&str>> =
            input["refs"].as_array().unwrap().iter().map(strings).collect();
        let references: Vec<Text<'_>> = references.iter().map(|r| Text::Tokens(r)).collect();
        let segment = Segment::new(Text::Tokens(&hypothesis), &references).unwrap();
        for (column, metric) in &metrics {
            let ours = metric.scorer().score(segment).value;
            assert_same(ours, &output[column], &format!("{column} of {}", input["id"]));
        }
    }
}

#[test]
fn corpora() {
    let outputs = rows("golden/nltk/bleu_corpus.jsonl");
    let ted = Ted::read();
    let metrics = COLUMNS.map(|(column, metric)| (column, metric.parse::<Metric>().unwrap()));
    assert_eq!(outputs.len(), 24);
    for output in &outputs {
        let first = output.get("first").map_or(265, |n| n.as_u64().unwrap() as usize);
        let mut names = vec![output["id"].as_str().unwrap()];
        names.extend(strings(&output["refs"]));
        let segments = ted.tokens(&names, first);
        let segments: Vec<Vec<Vec<&str>>> = segments
            .iter()
            .map(|sides| sides.iter().map(|side| side.iter().collect()).collect())
            .collect();
        let segments: Vec<Vec<Text<'_>>> = segments
            .iter()
            .map(|sides| sides.iter().map(|side| Text::Tokens(side)).collect())
            .collect();
        for (column, metric) in &metrics {
            let what = format!("{column} of the first {first} by {names:?}");
            assert_same(corpus(metric, &segments), &output[column], &what);
        }
    }
}

#[test]
fn google_bleu() {
    let outputs = rows("golden/nltk/hf.jsonl");
    let ted = Ted::read();
    let metric = "gleu:hf".parse::<Metric>().unwrap();
    assert_eq!(outputs.len(), 39);
    for output in &outputs {
        let id = output["id"].as_str().unwrap();
        let segments = match output.get("predictions") {
            Some(predictions) => small_case(&strings(predictions), &output["references"]),
            None => {
                let mut names = vec![id];
                names.extend(strings(&output["refs"]));
                let n_segments = output["n"].as_u64().unwrap() as usize;
                ted.texts(&names, n_segments)
            }
        };
        let segments: Vec<Vec<Text<'_>>> =
            segments.iter().map(|sides| sides.iter().map(|&side| side.into()).collect()).collect();
        assert_same(corpus(&metric, &segments), &output["google_bleu"], id);
    }
}

/// A case with its texts: each prediction has a list of references, or one by itself.
fn small_case<'v>(predictions: &[&'v str], references: &'v Value) -> Vec<Vec<&'v str>> {
    let references = references.as_array().unwrap();
    let segment = |(&prediction, references): (&&'v str, &'v Value)| match references {
        Value::String(reference) => vec![prediction, reference],
        _ => std::iter::once(prediction).chain(strings(references)).collect(),
    };
    predictions.iter().zip(references).map(segment).collect()
}

#[test]
fn what_nltk_refuses() {
    let rows = rows("golden/nltk/meteor_errors.jsonl");
    assert_eq!(rows.len(), 13);
    let metric = "meteor:nltk".parse::<Metric>().unwrap();
    let score = |references: &[Text<'_>]| {
        let segment = Segment::new(Text::Tokens(&["a", "b"]), references)?;
        Ok(metric.scorer().score(segment).value)
    };
    let (none, real) = (Text::Tokens(&[]), Text::Tokens(&["a", "b"]));
    let mut n_compared = 0;
    for row in &rows {
        let ours: bolide::Result<f64> = match row["id"].as_str().unwrap() {
            "multi: no references" => score(&[]),
            "multi: one empty reference" => score(&[none]),
            "multi: empty + real" => score(&[none, real]),
            "tuple tokens ok" => score(&[real]),
            // The rest mistakes one Python type for another, which cannot be written down here.
            _ => continue,
        };
        match row.get("value") {
            Some(value) => assert_same(ours.unwrap(), value, &row["id"].to_string()),
            None => assert_eq!(ours.unwrap_err().kind(), bolide::ErrorKind::InvalidSegment),
        }
        n_compared += 1;
    }
    assert_eq!(n_compared, 4);
}
