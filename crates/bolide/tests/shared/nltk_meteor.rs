//! `meteor:nltk` and `meteor:hf` against scores, matches, chunks and alignments of the real NLTK.

use crate::files::{self, strings};
use bolide::unstable::meteor::{Meteor, Parameters};
use bolide::unstable::{self, AnyMetric, Definition, Mergeable};
use bolide::{Metric, Segment, Text};
use serde_json::Value;

fn meteor(signature: &str) -> Meteor {
    match unstable::any(&signature.parse::<Metric>().unwrap()) {
        AnyMetric::Meteor(meteor) => meteor.clone(),
        other => panic!("{other:?} is not a METEOR"),
    }
}

fn float(text: &Value) -> f64 {
    text.as_str().unwrap().parse().unwrap()
}

fn score(meteor: &Meteor, hypothesis: &[&str], references: &[Vec<&str>]) -> f64 {
    let references: Vec<Text<'_>> = references.iter().map(|tokens| Text::Tokens(tokens)).collect();
    let segment = Segment::new(Text::Tokens(hypothesis), &references).unwrap();
    let mut scratch = Default::default();
    let stats = meteor.segment(segment, &mut scratch);
    // The second time the caches are warm; the bits have to be the same.
    assert_eq!(stats, meteor.segment(segment, &mut scratch));
    meteor.finish_segment(&stats).score
}

#[track_caller]
fn same_bits(id: &Value, ours: f64, theirs: f64) {
    let both_nan = ours.is_nan() && theirs.is_nan();
    assert!(both_nan || ours.to_bits() == theirs.to_bits(), "{id}: {ours} is not {theirs}");
}

/// Compares score, matches, chunks and the alignment of one row.
fn check(meteor: &Meteor, row: &Value, hypothesis: &[&str], reference: Vec<&str>) {
    let id = row.get("id").unwrap_or(&row["row"]);
    let references = [reference];
    same_bits(id, score(meteor, hypothesis, &references), float(&row["score"]));

    let texts = [Text::Tokens(&references[0])];
    let segment = Segment::new(Text::Tokens(hypothesis), &texts).unwrap();
    let explanation = meteor.explain(segment);
    same_bits(id, explanation.score, float(&row["score"]));
    assert_eq!(explanation.matches, row["m"].as_u64().unwrap(), "{id}: matches");
    assert_eq!(explanation.chunks, row["chunks"].as_u64().unwrap(), "{id}: chunks");
    if let Some(pairs) = row.get("align").filter(|pairs| !pairs.is_null()) {
        let stages = [("exact", "e"), ("stem", "s"), ("synonym", "w")];
        let ours: Vec<Value> = explanation
            .pairs
            .iter()
            .map(|pair| {
                let stage = stages.iter().find(|(name, _)| *name == pair.stage).unwrap().1;
                serde_json::json!([pair.hypothesis, pair.reference, stage])
            })
            .collect();
        assert_eq!(Value::Array(ours), *pairs, "{id}: alignment");
    }
}

#[test]
fn scores_and_alignments() {
    for (file, n_rows) in
        [("meteor_ted", 1_855), ("meteor_xray", 1_200), ("meteor_synth", 900), ("meteor_edge", 72)]
    {
        let rows = files::json_lines(&format!("golden/nltk/{file}.jsonl.gz"));
        assert_eq!(rows.len(), n_rows, "rows of {file}");
        let nltk = meteor("meteor:nltk");
        for row in &rows {
            let mut parameters = Parameters::CLASSIC;
            if let Some(given) = row.get("params").and_then(Value::as_object) {
                for (name, value) in given {
                    let value = float(value);
                    match name.as_str() {
                        "alpha" => parameters.alpha = value,
                        "beta" => parameters.beta = value,
                        "gamma" => parameters.gamma = value,
                        other => panic!("parameter {other}"),
                    }
                }
            }
            let meteor = nltk.clone().with_parameters(parameters);
            check(&meteor, row, &strings(&row["hyp"]), strings(&row["ref"]));
        }
    }
}

#[test]
fn several_references() {
    let rows = files::json_lines("golden/nltk/meteor_multi.jsonl.gz");
    assert_eq!(rows.len(), 795);
    let nltk = meteor("meteor:nltk");
    for row in &rows {
        let hypothesis = strings(&row["hyp"]);
        let references: Vec<Vec<&str>> =
            row["refs"].as_array().unwrap().iter().map(strings).collect();
        same_bits(&row["id"], score(&nltk, &hypothesis, &references), float(&row["score"]));
        for (reference, expected) in references.iter().zip(row["per_ref"].as_array().unwrap()) {
            let single = score(&nltk, &hypothesis, std::slice::from_ref(reference));
            same_bits(&row["id"], single, float(expected));
        }
    }
}

#[test]
fn parameters() {
    let path = "golden/nltk/meteor_params.jsonl.gz";
    let (rows, texts) =
        (files::json_lines(path), files::json_lines("golden/nltk/meteor_ted.jsonl.gz"));
    assert_eq!(rows.len(), 2_100);
    for row in &rows {
        let text = &texts[row["row"].as_u64().unwrap() as usize];
        let parameters = Parameters {
            alpha: float(&row["alpha"]),
            beta: float(&row["beta"]),
            gamma: float(&row["gamma"]),
        };
        let meteor = meteor("meteor:nltk").with_parameters(parameters);
        let ours = score(&meteor, &strings(&text["hyp"]), &[strings(&text["ref"])]);
        same_bits(&row["row"], ours, float(&row["score"]));
    }
}

#[test]
fn stages_stemmers_and_case() {
    let path = "golden/nltk/meteor_variants.jsonl.gz";
    let (rows, texts) =
        (files::json_lines(path), files::json_lines("golden/nltk/meteor_ted.jsonl.gz"));
    assert_eq!(rows.len(), 3_095);
    for row in &rows {
        let signature = match row["variant"].as_str().unwrap() {
            "exact" => "meteor:nltk|match:exact",
            "stem" => "meteor:nltk|match:exact+stem",
            "snowball" => "meteor:nltk|stemmer:snowball",
            "syn_only" => "meteor:nltk|match:exact+synonym",
            "nolower" => "meteor:nltk|case:mixed",
            other => panic!("variant {other}"),
        };
        let text = &texts[row["row"].as_u64().unwrap() as usize];
        check(&meteor(signature), row, &strings(&text["hyp"]), strings(&text["ref"]));
    }
}

/// Text, hypotheses and references of the Hugging Face cases: by name, or in the row itself.
#[test]
fn hugging_face() {
    let (rows, inputs) = (
        files::json_lines("golden/nltk/hf.jsonl"),
        files::lines("golden/nltk/inputs/ted_zhen.tsv.gz"),
    );
    assert_eq!(rows.len(), 39);
    let mut segments: Vec<(&str, &str)> = Vec::new();
    let mut texts = std::collections::HashMap::new();
    for line in &inputs {
        let columns: Vec<&str> = line.split('\t').collect();
        let [doc, segment, name, text] = columns[..] else { panic!("{line}") };
        texts.insert((doc, segment, name), text);
        if name == "ref" {
            segments.push((doc, segment));
        }
    }
    for row in &rows {
        let (hypotheses, references) = if let Some(predictions) = row.get("predictions") {
            let references = row["references"].as_array().unwrap().iter();
            let lists = references.map(|list| match list {
                Value::String(text) => vec![text.as_str()],
                list => strings(list),
            });
            (strings(predictions), lists.collect())
        } else {
            let n = row["n"].as_u64().unwrap() as usize;
            let names = strings(&row["refs"]);
            let first = &segments[..n];
            let system = row["id"].as_str().unwrap();
            let hypotheses = first.iter().map(|&(d, s)| texts[&(d, s, system)]).collect();
            let references: Vec<Vec<&str>> = first
                .iter()
                .map(|&(d, s)| names.iter().map(|&name| texts[&(d, s, name)]).collect())
                .collect();
            (hypotheses, references)
        };
        for (column, signature) in [
            ("meteor", "meteor:hf"),
            ("meteor_a85_b2_g6", "meteor:hf|alpha:0.85|beta:0.2|gamma:0.6"),
        ] {
            let meteor = meteor(signature);
            let mut scratch = Default::default();
            let mut corpus = bolide::unstable::meteor::Stats::default();
            for (hypothesis, list) in hypotheses.iter().zip(&references) {
                let list: Vec<Text<'_>> = list.iter().map(|&text| Text::Raw(text)).collect();
                let segment = Segment::new(Text::Raw(hypothesis), &list).unwrap();
                corpus.merge(&meteor.segment(segment, &mut scratch));
            }
            same_bits(&row["id"], meteor.finish(&corpus).score, float(&row[column]));
        }
    }
}
