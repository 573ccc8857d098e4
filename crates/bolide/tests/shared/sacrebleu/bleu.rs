//! BLEU: corpora with every option, single segments, edge cases; both kinds of Python's sum.

use super::*;

/// The partial signature of the constructor arguments that a row lists.
fn name(options: &Json, sum: &str) -> String {
    let mut name = format!("bleu|sum:{sum}");
    for (key, value) in options.as_object().unwrap() {
        name += &match (key.as_str(), value) {
            (_, Json::Null) => continue,
            ("tokenize", value) => format!("|tok:{}", value.as_str().unwrap()),
            ("smooth_method", value) => match options.get("smooth_value") {
                None | Some(Json::Null) => format!("|smooth:{}", value.as_str().unwrap()),
                Some(number) => format!("|smooth:{}[{number}]", value.as_str().unwrap()),
            },
            ("smooth_value", _) => continue,
            ("lowercase", Json::Bool(true)) => "|case:lc".to_owned(),
            ("effective_order", Json::Bool(true)) => "|eff:yes".to_owned(),
            ("max_ngram_order", value) => format!("|order:{value}"),
            (_, Json::Bool(false)) => continue,
            other => panic!("{other:?}"),
        };
    }
    name
}

fn check_corpus(subject: &Subject, report: &Score, result: &Json, score: f64, what: &str) {
    assert_bits(report.value, score, what);
    for (ours, theirs) in [
        ("brevity_penalty", "bp"),
        ("ratio", "ratio"),
        ("hypothesis_length", "sys_len"),
        ("reference_length", "ref_len"),
    ] {
        assert_bits(
            component(report, ours),
            number(&result[theirs]),
            format!("{theirs} of {what}"),
        );
    }
    for (ours, theirs) in [("precision", "precisions"), ("correct", "counts"), ("total", "totals")]
    {
        for (at, value) in result[theirs].as_array().unwrap().iter().enumerate() {
            let ours = component(report, &format!("{ours}{}", at + 1));
            assert_bits(ours, number(value), format!("{theirs} of {what}"));
        }
    }
    let signature = result["signature"].as_str().unwrap();
    let nrefs = signature.split(['|', ':']).nth(1).unwrap();
    let ours = subject.metric().signature().clone().with_fact("nrefs", nrefs);
    assert_eq!(ours.sacrebleu_form().unwrap(), signature, "{what}");
    // Both forms of sacreBLEU's own line name the same metric, but for what they leave out.
    for (name, line) in [("BLEU", &result["signature"]), ("bleu", &result["short"])] {
        let again = Subject::new(&format!("{name}|{}", line.as_str().unwrap()));
        let again = again.metric().signature().clone().with_fact("nrefs", nrefs);
        assert_eq!(again.sacrebleu_form(), ours.sacrebleu_form(), "{what}");
    }
}

#[test]
fn corpora_with_every_option() {
    let rows = json_lines("corpus.jsonl");
    let rows: Vec<&Json> = rows.iter().filter(|row| row["metric"] == "BLEU").collect();
    assert!(rows.len() > 400, "{}", rows.len());
    for row in rows {
        let hypotheses = input(row["hyp"].as_str().unwrap());
        let references = columns(&texts(&row["refs"]));
        for (sum, column) in [("py311", "score"), ("py312", "score_py312")] {
            let subject = Subject::new(&name(&row["options"], sum));
            let report = subject.corpus(&hypotheses, &references);
            let result = &row["result"];
            let what = format!("{} {} {} {sum}", row["hyp"], row["refs"], row["options"]);
            check_corpus(&subject, &report, result, number(&result[column]), &what);
        }
    }
}

/// The partial signature of a column such as `bleu.13a.exp.noeff` or `bleu.zh.add-k.eff.lc`.
fn column_name(column: &str, sum: &str) -> String {
    let parts: Vec<&str> = column.split('.').collect();
    let (case, eff) = (parts.contains(&"lc"), parts.contains(&"noeff"));
    format!(
        "bleu|tok:{}|smooth:{}|case:{}|eff:{}|sum:{sum}",
        parts[1],
        parts[2],
        if case { "lc" } else { "mixed" },
        if eff { "no" } else { "yes" }
    )
}

fn check_stats(subject: &Subject, hypothesis: &str, references: &[&str], expected: &[u64]) {
    let report = subject.segment(hypothesis, references);
    let names = ["hypothesis_length", "reference_length"].map(str::to_owned).into_iter();
    let names = names.chain((1..=4).map(|n| format!("correct{n}")));
    let names = names.chain((1..=4).map(|n| format!("total{n}")));
    let ours: Vec<u64> = names.map(|name| component(&report, &name) as u64).collect();
    assert_eq!(ours, expected, "{hypothesis:?} {references:?}");
}

#[test]
fn single_segments() {
    let mut n_scores = 0;
    for (system, refs) in SENTENCES {
        for (sum, prefix) in [("py311", "sentence"), ("py312", "sentence_py312")] {
            let (header, rows) = table(&format!("{prefix}.{system}.{refs}.tsv.gz"));
            let hypotheses = input(system);
            let references = references(system.split('.').next().unwrap(), refs);
            assert_eq!(rows.len(), hypotheses.len());
            for (column, name) in header.iter().enumerate().filter(|(_, n)| n.starts_with("bleu."))
            {
                if name.ends_with(".stats") {
                    let tok = name.split('.').nth(1).unwrap();
                    let subject = Subject::new(&format!("bleu|tok:{tok}"));
                    for (at, row) in rows.iter().enumerate() {
                        let refs: Vec<&str> = references[at].iter().map(String::as_str).collect();
                        let expected: Vec<u64> =
                            row[column].split(',').map(|n| n.parse().unwrap()).collect();
                        check_stats(&subject, &hypotheses[at], &refs, &expected);
                    }
                    continue;
                }
                let subject = Subject::new(&column_name(name, sum));
                for (at, stats) in subject.stats(&hypotheses, &references).iter().enumerate() {
                    let report = subject.finish_segment(stats);
                    let what = format!("{system} {refs} {name} {sum} line {}", at + 1);
                    assert_bits(report.value, rows[at][column].parse().unwrap(), what);
                    n_scores += 1;
                }
            }
        }
    }
    assert!(n_scores > 100_000, "{n_scores}");
}

#[test]
fn without_a_word_on_effective_order_segments_have_it_and_corpora_do_not() {
    let (header, rows) = table("sentence_py312.ende.Nemo.1ref.tsv.gz");
    let column = header.iter().position(|name| name == "bleu.13a.exp").unwrap();
    let subject = Subject::new("bleu");
    let references = references("ende", "1ref");
    let stats = subject.stats(&input("ende.Nemo"), &references);
    for (stats, row) in stats.iter().zip(&rows) {
        let score = subject.finish_segment(stats).value;
        assert_bits(score, row[column].parse().unwrap(), "bleu");
    }
}

#[test]
fn edge_cases() {
    let rows = json_lines("edge.jsonl");
    assert_eq!(rows.len(), 129);
    for row in &rows {
        let (hypothesis, references) = (row["hyp"].as_str().unwrap(), texts(&row["refs"]));
        let result = row["result"].as_object().unwrap();
        for (key, value) in result.iter().filter(|(key, _)| key.starts_with("bleu.")) {
            let what = format!("{key} of case {}", row["id"]);
            let tok = key.split('.').nth(1).unwrap();
            if key.ends_with(".stats") {
                let expected: Vec<u64> =
                    value.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
                let subject = Subject::new(&format!("bleu|tok:{tok}"));
                check_stats(&subject, hypothesis, &references, &expected);
            } else if key.ends_with(".bp") {
                let report =
                    Subject::new(&format!("bleu|tok:{tok}")).segment(hypothesis, &references);
                assert_bits(component(&report, "brevity_penalty"), number(value), what);
            } else {
                let report =
                    Subject::new(&column_name(key, "py311")).segment(hypothesis, &references);
                assert_bits(report.value, number(value), &what);
                let value = row["py312"].get(key).unwrap_or(value);
                let report =
                    Subject::new(&column_name(key, "py312")).segment(hypothesis, &references);
                assert_bits(report.value, number(value), &what);
            }
        }
    }
}

#[test]
fn tiny_corpora() {
    let rows = json_lines("edge_corpus.jsonl");
    assert_eq!(rows.len(), 8);
    for row in &rows {
        let (hypotheses, references) = tiny_corpus(row);
        let result = row["result"].as_object().unwrap();
        for (key, value) in result.iter().filter(|(key, _)| key.starts_with("bleu.")) {
            let parts: Vec<&str> = key.splitn(3, '.').collect();
            let mut name = format!("bleu|sum:py311|tok:{}|smooth:", parts[1]);
            name += &parts[2].replace(".eff", "|eff:yes").replace(".lc", "|case:lc");
            let subject = Subject::new(&name);
            let report = subject.corpus(&hypotheses, &references);
            let what = format!("{key} of {}", row["note"]);
            check_corpus(&subject, &report, value, number(&value["score"]), &what);
            if let Some(score) = value.get("score_py312") {
                let subject = Subject::new(&name.replace("py311", "py312"));
                let report = subject.corpus(&hypotheses, &references);
                assert_bits(report.value, number(score), &what);
            }
        }
    }
}
