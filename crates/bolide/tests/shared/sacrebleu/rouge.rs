//! ROUGE: single segments and documents, edge cases, several references, aggregates.

use super::*;
use bolide::resample::{Mt19937, aggregate};
use bolide::unstable::rouge;

const KINDS: [&str; 5] = ["rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum"];

fn name(kind: &str, stem: bool) -> String {
    format!("{kind}|stem:{}", if stem { "yes" } else { "no" })
}

fn check(report: &Score, [p, r, f]: [f64; 3], what: &str) {
    assert_bits(component(report, "precision"), p, format!("precision of {what}"));
    assert_bits(component(report, "recall"), r, format!("recall of {what}"));
    assert_bits(report.value, f, format!("F of {what}"));
}

fn triple(value: &Json) -> [f64; 3] {
    [0, 1, 2].map(|at| number(&value[at]))
}

/// The lines that a unit such as `line7` or `doc4-6` names, joined by line feeds.
fn unit(name: &str, lines: &[String]) -> String {
    if let Some(line) = name.strip_prefix("line") {
        return lines[line.parse::<usize>().unwrap() - 1].clone();
    }
    let (from, to) = name.strip_prefix("doc").unwrap().split_once('-').unwrap();
    let (from, to): (usize, usize) = (from.parse().unwrap(), to.parse().unwrap());
    lines[from - 1..to].join("\n")
}

#[test]
fn single_segments_and_documents() {
    let systems = [
        "ende.Nemo",
        "ende.UEdin",
        "xray.system1",
        "zhen.Facebook-AI",
        "zhen.MiSS",
        "zhen.Online-W",
    ];
    for system in systems {
        let (header, rows) = table(&format!("rouge.{system}.tsv.gz"));
        let hypotheses = input(system);
        let references = input(&format!("{}.ref", system.split('.').next().unwrap()));
        for kind in KINDS {
            for stem in [false, true] {
                let column = format!("{kind}.{}.p", if stem { "stem" } else { "nostem" });
                let at = header.iter().position(|title| *title == column).unwrap();
                let subject = Subject::new(&name(kind, stem));
                for row in &rows {
                    let hypothesis = unit(&row[0], &hypotheses);
                    let report = subject.segment(&hypothesis, &[&unit(&row[0], &references)]);
                    let expected = [0, 1, 2].map(|offset| row[at + offset].parse().unwrap());
                    check(&report, expected, &format!("{system} {} {column}", row[0]));
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
        for (key, value) in result.iter().filter(|(key, _)| key.starts_with("rouge")) {
            let (kind, stem) = key.split_once('.').unwrap();
            let subject = Subject::new(&name(kind, stem == "stem"));
            let report = subject.segment(hypothesis, &references);
            check(&report, triple(value), &format!("{key} of case {}", row["id"]));
        }
    }
}

#[test]
fn aggregates_means_and_several_references() {
    let rows = json_lines("rouge_aggregate.jsonl");
    assert_eq!(rows.len(), 9);
    let (mut n_aggregates, mut n_multiple) = (0, 0);
    for row in &rows {
        let stem = row["use_stemmer"].as_bool().unwrap();
        let hypotheses = input(row["hyp"].as_str().unwrap());
        if let Some(expected) = row.get("score_multi") {
            let references = columns(&texts(&row["refs"]));
            for kind in KINDS {
                let subject = Subject::new(&name(kind, stem));
                for (at, stats) in subject.stats(&hypotheses, &references).iter().enumerate() {
                    let report = subject.finish_segment(stats);
                    check(&report, triple(&expected[at][kind]), &format!("{kind} line {}", at + 1));
                    n_multiple += 1;
                }
            }
            continue;
        }
        let references = columns(&[row["ref"].as_str().unwrap()]);
        let mut generator = Mt19937::new(row["numpy_seed"].as_u64().unwrap() as u32);
        for kind in texts(&row["order"]) {
            let subject = Subject::new(&name(kind, stem));
            let stats = subject.stats(&hypotheses, &references);
            let scores: Vec<rouge::Score> = stats
                .iter()
                .map(|stats| subject.finish_segment(stats))
                .map(|report| rouge::Score {
                    precision: component(&report, "precision"),
                    recall: component(&report, "recall"),
                    fmeasure: report.value,
                })
                .collect();
            let what = format!("{kind} of {}", row["hyp"]);
            let report = subject.corpus(&hypotheses, &references);
            check(&report, triple(&row["plain_mean"][kind]), &what);
            let n_samples = row["n_samples"].as_u64().unwrap() as usize;
            let confidence = number(&row["confidence_interval"]);
            let ours = aggregate(&scores, confidence, n_samples, &mut generator);
            let expected = &row["result"][kind];
            for (at, ours) in [ours.precision, ours.recall, ours.fmeasure].iter().enumerate() {
                assert_bits(ours.low, number(&expected["low"][at]), format!("low {what}"));
                assert_bits(ours.mid, number(&expected["mid"][at]), format!("mid {what}"));
                assert_bits(ours.high, number(&expected["high"][at]), format!("high {what}"));
                n_aggregates += 1;
            }
        }
    }
    assert_eq!((n_aggregates, n_multiple), (8 * 5 * 3, 5 * 265));
}
