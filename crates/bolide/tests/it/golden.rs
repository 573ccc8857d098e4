//! Runs the golden cases of `testdata/` through the engine, and checks that every dialect and every key has
//! one.

use bolide::unstable::meteor15::Language;
use bolide::unstable::meteor15::paraphrase::{Compiler, Table};
use bolide::{DIALECTS, Metric, Resources, Score, Segment, Text, Value};
use bolide_testdata::{Case, Tally, by_metric, cases, paraphrases};
use std::collections::BTreeSet;

/// Keys that name the data of a score. A wrong value is refused; no value changes a number.
const NAMES_OF_DATA: [&str; 6] = ["data", "version", "wordnet", "paraphrases", "stems", "evalid"];

/// The languages with paraphrases in `testdata/`.
const LANGUAGES: [&str; 6] = ["en", "cz", "de", "es", "fr", "ru"];

/// The embedded tables, and the paraphrases of `testdata/`.
fn resources() -> Resources {
    LANGUAGES.iter().fold(Resources::embedded(), |resources, code| {
        let mut compiler = Compiler::new();
        for (first, second) in paraphrases(&format!("paraphrase-{code}.gz")) {
            compiler.add(&first, &second);
        }
        let table = Table::from_bytes(compiler.finish(code, [1; 32]).unwrap()).unwrap();
        resources.with_paraphrases(Language::parse(code).unwrap(), table)
    })
}

/// The score of a case, and those of its segments. The one place that calls the engine.
fn score(metric: &Metric, case: &Case) -> (Score, Vec<f64>) {
    let mut scorer = metric.scorer();
    let mut corpus = metric.corpus();
    let mut segments = Vec::new();
    for segment in &case.segments {
        let references: Vec<Text<'_>> = segment.references.iter().map(|r| Text::Raw(r)).collect();
        let segment = Segment::new(Text::Raw(&segment.hypothesis), &references).unwrap();
        segments.push(scorer.value(segment));
        scorer.push(segment, &mut corpus).unwrap();
    }
    let score = match case.is_corpus {
        true => corpus.score(),
        false => metric.finish_segment(&corpus.statistics()),
    };
    (score.unwrap(), segments)
}

fn component(score: &Score, name: &str) -> Option<f64> {
    score.components.get(name).map(Value::as_f64)
}

#[test]
fn every_case() {
    let (cases, resources, mut tally) = (cases(), resources(), Tally::new());
    for (name, cases) in by_metric(&cases) {
        let metric = Metric::build(name, &resources).unwrap_or_else(|e| panic!("{name}: {e}"));
        for case in cases {
            let (score, segments) = score(&metric, case);
            tally.case(case, score.value, &segments);
            if case.score.is_some() {
                tally.statistics(case, |name| component(&score, name));
            }
        }
    }
    let missing: Vec<&str> = DIALECTS
        .iter()
        .map(|dialect| dialect.name)
        .filter(|name| !tally.dialects().any(|found| found == *name))
        .collect();
    tally.finish("the engine");
    assert_eq!(missing, [""; 0], "dialects without a golden case");
}

#[test]
fn every_key_has_a_case() {
    let (cases, resources) = (cases(), resources());
    let known: BTreeSet<(&str, &str)> =
        cases.iter().flat_map(|case| case.keys().map(|key| (case.dialect(), key))).collect();
    let mut missing = Vec::new();
    for dialect in DIALECTS {
        for key in dialect.keys(&resources).unwrap() {
            let is_data = NAMES_OF_DATA.contains(&key.name);
            if !is_data && !known.contains(&(dialect.name, key.name)) {
                missing.push(format!("{}|{}", dialect.name, key.name));
            }
        }
    }
    assert!(missing.is_empty(), "keys without a golden case: {missing:?}");
}
