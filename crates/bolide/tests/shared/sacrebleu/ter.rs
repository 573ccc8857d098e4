//! TER: corpora, single segments, edge cases, and pairs at the limits of the search.

use super::*;

/// The partial signature of the constructor arguments that a row lists.
fn name(options: &Json) -> String {
    let mut name = "ter".to_owned();
    for (key, value) in options.as_object().unwrap() {
        assert_eq!(value, &Json::Bool(true));
        name += match key.as_str() {
            "normalized" => "|norm:yes",
            "no_punct" => "|punct:no",
            "asian_support" => "|asian:yes",
            "case_sensitive" => "|case:mixed",
            other => panic!("{other:?}"),
        };
    }
    name
}

fn check(report: &Score, [score, edits, length]: [f64; 3], what: &str) {
    assert_bits(report.value, score, what);
    assert_bits(component(report, "edits"), edits, what);
    assert_bits(component(report, "reference_length"), length, what);
}

fn triple(value: &Json) -> [f64; 3] {
    [0, 1, 2].map(|at| number(&value[at]))
}

#[test]
fn corpora_with_every_option() {
    let rows = json_lines("corpus.jsonl");
    let rows: Vec<&Json> = rows.iter().filter(|row| row["metric"] == "TER").collect();
    assert!(rows.len() > 50, "{}", rows.len());
    for row in rows {
        let subject = Subject::new(&name(&row["options"]));
        let references = columns(&texts(&row["refs"]));
        let report = subject.corpus(&input(row["hyp"].as_str().unwrap()), &references);
        let what = format!("{} {} {}", row["hyp"], row["refs"], row["options"]);
        let result = &row["result"];
        let [score, edits, length] =
            ["score", "num_edits", "ref_length"].map(|key| number(&result[key]));
        check(&report, [score, edits, length], &what);
        let signature = result["signature"].as_str().unwrap();
        let nrefs = signature.split(['|', ':']).nth(1).unwrap();
        let ours = subject.metric().signature().clone().with_fact("nrefs", nrefs);
        assert_eq!(ours.sacrebleu_form().unwrap(), signature, "{what}");
        for line in [&result["signature"], &result["short"]] {
            let again = Subject::new(&format!("TER|{}", line.as_str().unwrap()));
            assert_eq!(again.metric().signature(), subject.metric().signature(), "{what}");
        }
    }
}

#[test]
fn single_segments() {
    let names = [
        ("ter", "ter"),
        ("ter.norm", "ter|norm:yes"),
        ("ter.nopunct", "ter|punct:no"),
        ("ter.cs", "ter|case:mixed"),
        ("ter.norm.asian", "ter|norm:yes|asian:yes"),
    ];
    for (system, refs) in SENTENCES {
        let (header, rows) = table(&format!("sentence.{system}.{refs}.tsv.gz"));
        let at = |title: &str| header.iter().position(|other| other == title);
        let hypotheses = input(system);
        let references = references(system.split('.').next().unwrap(), refs);
        for (column, name) in names {
            let Some(column) = at(column) else {
                // The METEOR example is stored with two of the five only.
                assert!(system == "xray.system1" && name != "ter", "{system} has no {name}");
                continue;
            };
            let subject = Subject::new(name);
            for (idx, stats) in subject.stats(&hypotheses, &references).iter().enumerate() {
                let report = subject.finish_segment(stats);
                let what = format!("{system} {refs} {name} line {}", idx + 1);
                assert_bits(report.value, rows[idx][column].parse().unwrap(), &what);
                if name == "ter" {
                    let edits = rows[idx][at("ter.edits").unwrap()].parse().unwrap();
                    assert_bits(component(&report, "edits"), edits, what);
                }
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
        for (key, value) in result.iter().filter(|(key, _)| key.starts_with("ter{")) {
            let options: Json = serde_json::from_str(&key["ter".len()..]).unwrap();
            let report = Subject::new(&name(&options)).segment(hypothesis, &references);
            check(&report, triple(value), &format!("{key} of case {}", row["id"]));
            n_keys += 1;
        }
        assert_eq!(n_keys, 7);
    }
}

#[test]
fn tiny_corpora() {
    let rows = json_lines("edge_corpus.jsonl");
    for row in &rows {
        let (hypotheses, references) = tiny_corpus(row);
        let result = row["result"].as_object().unwrap();
        for (key, value) in result.iter().filter(|(key, _)| key.starts_with("ter{")) {
            let options: Json = serde_json::from_str(&key["ter".len()..]).unwrap();
            let report = Subject::new(&name(&options)).corpus(&hypotheses, &references);
            check(&report, triple(value), &format!("{key} of {}", row["note"]));
        }
    }
}

#[test]
fn the_limits_of_the_search() {
    let rows = json_lines("ter_limits.jsonl.gz");
    assert_eq!(rows.len(), 45);
    let subject = Subject::new("ter");
    for (at, row) in rows.iter().enumerate() {
        let report = subject.segment(row["hyp"].as_str().unwrap(), &[row["ref"].as_str().unwrap()]);
        let expected = ["score", "edits", "ref_length"].map(|key| number(&row[key]));
        check(&report, expected, &format!("row {at}, {}", row["note"]));
    }
}
