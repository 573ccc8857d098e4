//! chrF and chrF++: corpora, single segments, edge cases, words.

use super::*;
use bolide::Text;

/// The partial signature of the constructor arguments that a row lists.
fn name(options: &Json) -> String {
    let mut name = "chrf".to_owned();
    for (key, value) in options.as_object().unwrap() {
        name += &match (key.as_str(), value) {
            ("char_order", n) => format!("|nc:{n}"),
            ("word_order", n) => format!("|nw:{n}"),
            ("beta", n) => format!("|beta:{n}"),
            ("lowercase", Json::Bool(true)) => "|case:lc".to_owned(),
            ("whitespace", Json::Bool(true)) => "|space:yes".to_owned(),
            ("eps_smoothing", Json::Bool(true)) => "|eff:no".to_owned(),
            other => panic!("{other:?}"),
        };
    }
    name
}

#[test]
fn corpora_with_every_option() {
    let rows = json_lines("corpus.jsonl");
    let rows: Vec<&Json> = rows.iter().filter(|row| row["metric"] == "chrF").collect();
    assert!(rows.len() > 50, "{}", rows.len());
    for row in rows {
        let subject = Subject::new(&name(&row["options"]));
        let references = columns(&texts(&row["refs"]));
        let report = subject.corpus(&input(row["hyp"].as_str().unwrap()), &references);
        let what = format!("{} {} {}", row["hyp"], row["refs"], row["options"]);
        assert_bits(report.value, number(&row["result"]["score"]), &what);
        let signature = row["result"]["signature"].as_str().unwrap();
        let nrefs = signature.split(['|', ':']).nth(1).unwrap();
        let ours = subject.metric().signature().clone().with_fact("nrefs", nrefs);
        assert_eq!(ours.sacrebleu_form().unwrap(), signature, "{what}");
        // sacreBLEU's own name and line, long and short, name the same metric.
        for line in [&row["result"]["signature"], &row["result"]["short"]] {
            let name = row["result"]["name"].as_str().unwrap();
            let again = Subject::new(&format!("{name}|{}", line.as_str().unwrap()));
            assert_eq!(again.metric().signature(), subject.metric().signature(), "{what}");
        }
    }
}

#[test]
fn single_segments() {
    let names = [
        ("chrf", "chrf"),
        ("chrf++", "chrf++"),
        ("chrf.lc", "chrf|case:lc"),
        ("chrf.ws", "chrf|space:yes"),
        ("chrf.eps", "chrf|eff:no"),
        ("chrf++.eps", "chrf++|eff:no"),
    ];
    for (system, refs) in SENTENCES {
        let (header, rows) = table(&format!("sentence.{system}.{refs}.tsv.gz"));
        let hypotheses = input(system);
        let references = references(system.split('.').next().unwrap(), refs);
        for (column, name) in names {
            let column = header.iter().position(|title| title == column).unwrap();
            let subject = Subject::new(name);
            for (at, stats) in subject.stats(&hypotheses, &references).iter().enumerate() {
                let report = subject.finish_segment(stats);
                let what = format!("{system} {refs} {name} line {}", at + 1);
                assert_bits(report.value, rows[at][column].parse().unwrap(), what);
            }
        }
    }
}

#[test]
fn edge_cases() {
    let rows = json_lines("edge.jsonl");
    for row in &rows {
        let (hypothesis, references) = (row["hyp"].as_str().unwrap(), texts(&row["refs"]));
        let result = row["result"].as_object().unwrap();
        let mut n_keys = 0;
        for (key, value) in result.iter().filter(|(key, _)| key.starts_with("chrf{")) {
            let options: Json = serde_json::from_str(&key["chrf".len()..]).unwrap();
            let report = Subject::new(&name(&options)).segment(hypothesis, &references);
            assert_bits(report.value, number(value), format!("{key} of case {}", row["id"]));
            n_keys += 1;
        }
        assert_eq!(n_keys, 11);
    }
}

#[test]
fn tiny_corpora() {
    let rows = json_lines("edge_corpus.jsonl");
    for row in &rows {
        let (hypotheses, references) = tiny_corpus(row);
        let result = row["result"].as_object().unwrap();
        for (key, value) in result.iter().filter(|(key, _)| key.starts_with("chrf{")) {
            let options: Json = serde_json::from_str(&key["chrf".len()..]).unwrap();
            let report = Subject::new(&name(&options)).corpus(&hypotheses, &references);
            assert_bits(report.value, number(value), format!("{key} of {}", row["note"]));
        }
    }
}

#[test]
fn words_are_cut_where_sacrebleu_cuts() {
    let rows = json_lines("tokenize.jsonl.gz");
    for row in &rows {
        let text = row["text"].as_str().unwrap();
        let mut words = Vec::new();
        bolide::unstable::chrf::each_word(Text::Raw(text), false, &mut String::new(), |word| {
            words.push(word.to_owned());
        });
        assert_eq!(words, texts(&row["tokens"]["chrf_words"]), "{text:?}");
    }
}
