//! Stored results of sacreBLEU 2.6.0 and rouge-score 0.1.2, compared to the last bit.

mod bleu;
mod chrf;
mod rouge;
mod significance;
mod ter;
mod tokenizers;

use crate::files;
use bolide::{Metric, Score, Segment, Statistics, Text, Value};
use serde_json::Value as Json;

/// The rows of a file of JSON lines.
pub fn json_lines(name: &str) -> Vec<Json> {
    let lines = files::lines(&format!("golden/sacrebleu/{name}"));
    lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The lines of an input file.
pub fn input(name: &str) -> Vec<String> {
    files::lines(&format!("golden/sacrebleu/inputs/{name}.txt"))
}

pub fn texts(list: &Json) -> Vec<&str> {
    list.as_array().unwrap().iter().filter_map(Json::as_str).collect()
}

/// A table: its header and its rows.
pub fn table(name: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let lines = files::lines(&format!("golden/sacrebleu/{name}"));
    let cells = |line: &String| line.split('\t').map(str::to_owned).collect();
    (cells(&lines[0]), lines[1..].iter().map(cells).collect())
}

/// The references of a corpus: per segment a list, with the missing ones left out.
pub type References = Vec<Vec<String>>;

/// The files `ref` or `ref` and `refB`, or the list with a varying number.
pub fn references(language: &str, which: &str) -> References {
    match which {
        "1ref" => columns(&[&format!("{language}.ref")]),
        "2ref" => columns(&[&format!("{language}.ref"), &format!("{language}.refB")]),
        "varref" => variable(),
        other => panic!("{other}"),
    }
}

pub fn columns<S: AsRef<str>>(files: &[S]) -> References {
    if files.iter().any(|file| file.as_ref().ends_with(".jsonl")) {
        return variable();
    }
    let files: Vec<Vec<String>> = files.iter().map(|file| input(file.as_ref())).collect();
    (0..files[0].len()).map(|at| files.iter().map(|file| file[at].clone()).collect()).collect()
}

fn variable() -> References {
    let rows = json_lines("inputs/zhen.refs_var.jsonl");
    rows.iter().map(|row| texts(row).iter().map(|&text| text.to_owned()).collect()).collect()
}

/// Hypotheses and references of a row of `edge_corpus.jsonl`.
pub fn tiny_corpus(row: &Json) -> (Vec<&str>, Vec<Vec<&str>>) {
    let hypotheses = texts(&row["hyps"]);
    let streams = row["ref_streams"].as_array().unwrap();
    let references = (0..hypotheses.len())
        .map(|at| streams.iter().filter_map(|stream| stream[at].as_str()).collect())
        .collect();
    (hypotheses, references)
}

/// The tables of single segments: hypotheses, kind of references.
pub const SENTENCES: [(&str, &str); 10] = [
    ("ende.Nemo", "1ref"),
    ("ende.UEdin", "1ref"),
    ("xray.system1", "1ref"),
    ("zh.edit", "1ref"),
    ("zh.swap", "1ref"),
    ("zhen.Facebook-AI", "1ref"),
    ("zhen.MiSS", "1ref"),
    ("zhen.Online-W", "1ref"),
    ("zhen.Online-W", "2ref"),
    ("zhen.Online-W", "varref"),
];

/// A metric with one worker.
pub struct Subject {
    metric: Metric,
}

impl Subject {
    pub fn new(name: &str) -> Self {
        Subject { metric: name.parse().unwrap_or_else(|e: bolide::Error| panic!("{name}: {e}")) }
    }

    pub fn metric(&self) -> &Metric {
        &self.metric
    }

    pub fn stats<H: AsRef<str>, R: AsRef<str>>(
        &self,
        hypotheses: &[H],
        references: &[Vec<R>],
    ) -> Vec<Statistics> {
        assert_eq!(hypotheses.len(), references.len());
        let mut scorer = self.metric.scorer();
        hypotheses
            .iter()
            .zip(references)
            .map(|(hypothesis, references)| {
                let references: Vec<Text<'_>> =
                    references.iter().map(|text| Text::Raw(text.as_ref())).collect();
                scorer.statistics(Segment::new(hypothesis.as_ref().into(), &references).unwrap())
            })
            .collect()
    }

    pub fn corpus<H: AsRef<str>, R: AsRef<str>>(
        &self,
        hypotheses: &[H],
        references: &[Vec<R>],
    ) -> Score {
        let mut corpus = self.metric.corpus();
        for (stats, references) in self.stats(hypotheses, references).iter().zip(references) {
            corpus.push_statistics(stats, references.len()).unwrap();
        }
        corpus.score().unwrap()
    }

    pub fn segment(&self, hypothesis: &str, references: &[&str]) -> Score {
        let stats = self.stats(&[hypothesis], &[references.to_vec()]);
        self.finish_segment(&stats[0])
    }

    pub fn finish_segment(&self, statistics: &Statistics) -> Score {
        self.metric.finish_segment(statistics).unwrap()
    }
}

pub fn component(report: &Score, name: &str) -> f64 {
    report
        .components
        .get(name)
        .map(Value::as_f64)
        .unwrap_or_else(|| panic!("no {name} in {report:?}"))
}

#[track_caller]
pub fn assert_bits(ours: f64, theirs: f64, what: impl std::fmt::Display) {
    assert!(ours.to_bits() == theirs.to_bits(), "{what}: {ours:?}, expected {theirs:?}");
}

#[track_caller]
pub fn number(json: &Json) -> f64 {
    json.as_f64().unwrap_or_else(|| panic!("{json} is not a number"))
}
