//! The golden cases of `testdata/` through the real command.
//!
//! All segments of a metric are one table and one run; a corpus is one run with all its metrics.

use crate::program::Folder;
use bolide_testdata::{Case, Tally, Value, by_metric, cases, folder, json};
use std::collections::BTreeMap;

/// A folder with the paraphrases of `testdata/` in the command's own form.
fn tables() -> Folder {
    let here = Folder::new();
    let files = cases().into_iter().flat_map(|case| case.tables);
    for name in files.collect::<std::collections::BTreeSet<_>>() {
        let path = folder().join(name).into_os_string().into_string().unwrap();
        let ran = here.bolide_with_env(
            &["-q", "data", "import", &path],
            b"",
            &[("BOLIDE_DATA", "tables")],
        );
        assert_eq!(ran.code(), 0, "{}", ran.stderr());
    }
    here
}

/// Scores segments with metrics; the results are in the order of the metrics. Only this function runs the command.
fn score(here: &Folder, metrics: &[&str], segments: &[&bolide_testdata::Segment]) -> Vec<Value> {
    let rows: String = segments
        .iter()
        .map(|s| {
            let row = Value::from_iter([
                ("hypothesis", Value::from(s.hypothesis.as_str())),
                ("references", Value::from(s.references.clone())),
            ]);
            format!("{row}\n")
        })
        .collect();
    std::fs::write(here.path("rows.jsonl"), rows).unwrap();
    let mut args = vec!["-q", "score", "-i", "rows.jsonl", "--hypothesis-column", "hypothesis"];
    args.extend(["--reference-column", "references", "--segments", "--format", "json", "-m"]);
    args.extend(metrics);
    let ran = here.bolide_with_env(&args, b"", &[("BOLIDE_DATA", "tables")]);
    let mut printed = json(ran.fine());
    let results = printed["results"].as_array_mut().map(std::mem::take).unwrap();
    assert_eq!(results.len(), metrics.len());
    results
}

/// A printed number; `null` is NaN.
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| if value.is_null() { f64::NAN } else { panic!("{value}") })
}

fn compare(tally: &mut Tally, case: &Case, printed: &Value, segments: &[f64]) {
    tally.case(case, number(&printed["score"]), segments);
    if case.score.is_some() {
        tally.statistics(case, |name| printed["components"].get(name).map(number));
    }
}

#[test]
fn every_case() {
    let (cases, here, mut tally) = (cases(), tables(), Tally::new());
    let (corpora, singles): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(|c| c.is_corpus);
    for (metric, cases) in by_metric(&singles) {
        let segments: Vec<_> = cases.iter().flat_map(|case| &case.segments).collect();
        let results = score(&here, &[metric], &segments);
        let printed = results[0]["segments"].as_array().unwrap();
        assert_eq!(printed.len(), cases.len(), "{metric}");
        for (case, printed) in cases.iter().zip(printed) {
            compare(&mut tally, case, printed, &[]);
        }
    }
    let mut groups = BTreeMap::<String, Vec<&Case>>::new();
    for case in &corpora {
        let texts = case.segments.iter().map(|s| (&s.hypothesis, &s.references));
        groups.entry(format!("{:?}", texts.collect::<Vec<_>>())).or_default().push(case);
    }
    for cases in groups.values() {
        let metrics: Vec<&str> = cases.iter().map(|case| case.metric.as_str()).collect();
        let segments: Vec<_> = cases[0].segments.iter().collect();
        for (case, printed) in cases.iter().zip(score(&here, &metrics, &segments)) {
            let of_segments = printed["segments"].as_array().unwrap().iter();
            let scores: Vec<f64> = of_segments.map(|segment| number(&segment["score"])).collect();
            compare(&mut tally, case, &printed, &scores);
        }
    }
    tally.finish("the command");
}
