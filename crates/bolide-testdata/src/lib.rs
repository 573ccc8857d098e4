//! Shared by the tests of the Rust crates: the golden cases of `testdata/`, the bitwise comparison, and a
//! generator of random text.
//!
//! This crate depends on neither the engine nor the command. A door reads [`cases`], scores them in its own
//! way and passes each number to a [`Tally`], which counts them per dialect and fails at the end. Nothing is
//! skipped: a file that cannot be read is a panic.
#![forbid(unsafe_code)]

pub mod random;
mod tally;

pub use serde_json::Value;
pub use tally::{Tally, same};

use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// One golden case: a segment, or a corpus of segments.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it tests; unique for a metric.
    pub name: String,
    /// A partial signature.
    pub metric: String,
    /// The segments; one unless it is a corpus.
    pub segments: Vec<Segment>,
    /// Whether `score` is a corpus's, even one of a single segment.
    pub is_corpus: bool,
    /// The program's score; `None` if it returned no number.
    pub score: Option<f64>,
    /// The components of the score, by name.
    pub statistics: BTreeMap<String, f64>,
    /// Files of `testdata/` that the metric needs.
    pub tables: Vec<String>,
    /// The program, its version and its call.
    pub source: String,
}

/// A hypothesis, its references, and within a corpus its own score.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The text that is scored.
    pub hypothesis: String,
    /// The texts that it is compared with.
    pub references: Vec<String>,
    /// The program's score for this segment alone.
    pub score: Option<f64>,
}

impl Case {
    /// The name of the dialect, without keys.
    pub fn dialect(&self) -> &str {
        self.metric.split('|').next().unwrap_or_default()
    }

    /// The names of the keys in the metric's name.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.metric.split('|').skip(1).filter_map(|part| Some(part.split_once(':')?.0))
    }
}

/// A line with one segment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SegmentLine {
    name: String,
    metric: String,
    hypothesis: String,
    references: Vec<String>,
    #[serde(default)]
    statistics: BTreeMap<String, f64>,
    #[serde(default)]
    tables: Vec<String>,
    #[serde(deserialize_with = "Option::deserialize")]
    score: Option<f64>,
    source: String,
}

/// A line with a corpus: a list of references and a score for every hypothesis.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CorpusLine {
    name: String,
    metric: String,
    hypotheses: Vec<String>,
    references: Vec<Vec<String>>,
    #[serde(default)]
    statistics: BTreeMap<String, f64>,
    #[serde(default)]
    tables: Vec<String>,
    segments: Vec<Option<f64>>,
    #[serde(deserialize_with = "Option::deserialize")]
    score: Option<f64>,
    source: String,
}

impl From<SegmentLine> for Case {
    fn from(line: SegmentLine) -> Self {
        let SegmentLine { name, metric, hypothesis, references, .. } = line;
        let segments = vec![Segment { hypothesis, references, score: line.score }];
        let SegmentLine { statistics, tables, score, source, .. } = line;
        Case { name, metric, segments, is_corpus: false, score, statistics, tables, source }
    }
}

impl From<CorpusLine> for Case {
    fn from(line: CorpusLine) -> Self {
        let CorpusLine { name, metric, statistics, tables, score, source, .. } = line;
        let (n, lists) = (line.hypotheses.len(), (line.references.len(), line.segments.len()));
        assert_eq!((n, n), lists, "{metric}, {name}: the lists are of different lengths");
        let texts = line.hypotheses.into_iter().zip(line.references).zip(line.segments);
        let segments = texts
            .map(|((hypothesis, references), score)| Segment { hypothesis, references, score })
            .collect();
        Case { name, metric, segments, is_corpus: true, score, statistics, tables, source }
    }
}

fn read(line: &str) -> serde_json::Result<Case> {
    let is_corpus = serde_json::from_str::<serde_json::Value>(line)?.get("hypotheses").is_some();
    match is_corpus {
        true => serde_json::from_str::<CorpusLine>(line).map(Case::from),
        false => serde_json::from_str::<SegmentLine>(line).map(Case::from),
    }
}

/// The folder of the cases.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// All cases of all files, in the order of the file names.
///
/// # Panics
///
/// If there is no file, or one that cannot be read to its end.
pub fn cases() -> Vec<Case> {
    let entries = std::fs::read_dir(folder()).unwrap_or_else(|e| panic!("testdata: {e}"));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap_or_else(|e| panic!("testdata: {e}")).path())
        .filter(|path| path.to_string_lossy().ends_with(".jsonl.gz"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "testdata has no cases");
    paths.iter().flat_map(|path| file(path)).collect()
}

fn file(path: &Path) -> Vec<Case> {
    let text = unpacked(path);
    let lines = text.strip_suffix('\n').unwrap_or(&text).split('\n').enumerate();
    lines
        .map(|(at, line)| {
            read(line).unwrap_or_else(|e| panic!("{}, line {}: {e}", path.display(), at + 1))
        })
        .collect()
}

/// The text of a gzip file.
fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    std::fs::File::open(path)
        .and_then(|file| MultiGzDecoder::new(file).read_to_string(&mut text))
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text
}

/// The phrases of a paraphrase table of `testdata/`, in METEOR's format: a number and two phrases, one per
/// line.
pub fn paraphrases(name: &str) -> Vec<(String, String)> {
    let text = unpacked(&folder().join(name));
    let lines: Vec<&str> = text.lines().collect();
    lines.chunks(3).map(|record| (record[1].to_owned(), record[2].to_owned())).collect()
}

/// Judged systems with the figures that NumPy and SciPy give them (`tests/live/referee.py`).
pub fn correlations() -> Value {
    json(&unpacked(&folder().join("correlation.json.gz")))
}

/// Reads JSON with every digit of its numbers.
///
/// # Panics
///
/// If it is none.
pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text:.200}"))
}

/// Groups cases by metric, keeping their order.
pub fn by_metric(cases: &[Case]) -> BTreeMap<&str, Vec<&Case>> {
    let mut groups = BTreeMap::<&str, Vec<&Case>>::new();
    for case in cases {
        groups.entry(&case.metric).or_default().push(case);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEGMENT: &str = r#"{"name": "n", "metric": "bleu:nltk|order:2|case:lc", "hypothesis": "a",
        "references": ["b"], "score": 0.1, "source": "s"}"#;

    #[test]
    fn a_segment_is_read() {
        let case = read(SEGMENT).unwrap();
        assert_eq!((case.dialect(), case.is_corpus, case.score), ("bleu:nltk", false, Some(0.1)));
        assert_eq!(case.keys().collect::<Vec<_>>(), ["order", "case"]);
    }

    #[test]
    fn a_line_without_score_or_with_an_unknown_field_is_refused() {
        assert!(read(&SEGMENT.replace(r#""score": 0.1, "#, "")).is_err());
        assert!(read(&SEGMENT.replace("score", "scores")).is_err());
        assert!(read(&SEGMENT.replace("hypothesis", "hypotheses")).is_err());
        assert_eq!(read(&SEGMENT.replace("0.1", "null")).unwrap().score, None);
    }

    #[test]
    fn names_are_unique_for_a_metric_and_every_case_has_a_source() {
        let cases = cases();
        let mut names: Vec<_> = cases.iter().map(|case| (&case.metric, &case.name)).collect();
        names.sort();
        for pair in names.windows(2) {
            assert_ne!(pair[0], pair[1], "two cases have the same name");
        }
        for case in &cases {
            assert!(!case.source.is_empty() && !case.segments.is_empty(), "{}", case.name);
        }
    }
}
