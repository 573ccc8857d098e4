//! Reads reported numbers: a table with a row for each, or a results file in JSON.
//!
//! In JSON, a number is taken for a score if its key mentions a family of metrics, as in the results of
//! lm-evaluation-harness and Hugging Face evaluate, or if it is the `score` of an object, as sacreBLEU prints. `own`
//! reads what bolide prints.

use super::own;
use crate::args::TableArgs;
use crate::error::{Context as _, Result, bail, usage};
use crate::input::{self, Wanted};
use bolide::Dialect;
use bolide::dialect::{Family, elsewhere};
use bolide::unstable::Label;
use serde_json::{Map, Value};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A number that someone reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reported {
    /// What it was called.
    pub label: String,
    /// The number as it was printed.
    pub number: String,
    /// The system that it is for, if there are several.
    pub system: Option<String>,
    /// The signature that was reported with it.
    pub signature: Option<String>,
    /// The file and line that it is from, for messages.
    pub place: String,
}

impl Reported {
    /// The family of metrics that the label mentions.
    pub fn family(&self) -> Option<&'static Family> {
        Label::read(&self.label).family()
    }

    /// Why nothing here can give the number, if the label names a metric that is not here.
    pub fn elsewhere(&self) -> Option<String> {
        let found = elsewhere().find(|(name, _)| mentions(&self.label, name));
        let (name, why) = found.filter(|_| self.family().is_none())?;
        Some(format!("{name} is not here, because {why}"))
    }

    /// How much of the label is the name of a dialect: of two that give a number, the one that is named more
    /// exactly is meant.
    pub fn names(&self, dialect: &Dialect) -> usize {
        let plain = |text: &str| -> String {
            let kept = text.chars().filter(|c| c.is_alphanumeric() || *c == '+');
            kept.flat_map(char::to_lowercase).collect()
        };
        let label = plain(&self.label);
        let start = dialect.name.split(':').next().unwrap_or_default();
        let names = dialect.aliases.iter().copied().chain([start]).map(plain);
        names.filter(|name| label.contains(name.as_str())).map(|name| name.len()).max().unwrap_or(0)
    }
}

/// Whether a text mentions a metric. Short names count only as whole words.
fn mentions(text: &str, name: &str) -> bool {
    const SHORT: usize = 3;
    let [text, name] = [text, name].map(str::to_lowercase);
    match name.len() {
        ..=SHORT => text
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()) == name),
        _ => text.contains(&name),
    }
}

/// Reads a table with these columns.
pub fn from_table(
    path: &Path,
    tables: TableArgs,
    (metric, score, system): (&str, &str, Option<&str>),
) -> Result<Vec<Reported>> {
    let names = [metric, score].into_iter().chain(system).collect();
    let wanted = Wanted { names, ..Wanted::default() };
    let table = input::Table::read(&[PathBuf::from(path)], tables, &wanted)?;
    let row = |row: usize| {
        let text = |column: usize| table.text(column, row).trim().to_owned();
        Reported {
            label: text(0),
            number: text(1),
            system: system.map(|_| text(2)),
            signature: None,
            place: table.place(row),
        }
    };
    Ok((0..table.rows()).map(row).collect())
}

/// The largest results file: these are small, and the whole is held in memory.
const MOST_BYTES: u64 = 64 << 20;

/// Reads the results of an evaluation. Only bolide's own say which system a number is for.
pub fn from_json(path: &Path, system_column: Option<&str>) -> Result<Vec<Reported>> {
    let name = input::open::name(path);
    let file = std::fs::File::open(path)
        .map_err(|problem| input::open::unopened(path, problem))
        .with_context(|| name.clone())?;
    let mut text = String::new();
    file.take(MOST_BYTES + 1).read_to_string(&mut text).with_context(|| name.clone())?;
    if text.len() as u64 > MOST_BYTES {
        bail!(
            "{name}: is larger than {} MB, expected the results of an evaluation",
            MOST_BYTES >> 20
        );
    }
    let value: Value = serde_json::from_str(&text)
        .map_err(|problem| crate::error::anyhow!("{name}: not valid JSON: {problem}"))?;
    if let Some(own) = own::read(&value, &name) {
        if system_column.is_some_and(|column| column != own::SYSTEM) {
            return Err(usage(format!(
                "{name}: --system-column is '{}' for bolide's own results",
                own::SYSTEM
            )));
        }
        return Ok(own);
    }
    if system_column.is_some() {
        return Err(usage(format!(
            "{name}: --system-column is for tables and for bolide's own results, other results in JSON are of one system"
        )));
    }
    let mut found = Vec::new();
    walk(&value, &mut Vec::new(), &mut found);
    if found.is_empty() {
        bail!("{name}: has no number whose key names a metric, and no 'score'");
    }
    found.iter_mut().for_each(|reported| reported.place.clone_from(&name));
    Ok(found)
}

/// Words of keys that are not scores but belong to one.
const BESIDE: [&str; 14] = [
    "stderr",
    "std",
    "low",
    "high",
    "confidence",
    "interval",
    "precision",
    "precisions",
    "recall",
    "ratio",
    "length",
    "len",
    "time",
    "n",
];

fn walk(value: &Value, path: &mut Vec<String>, found: &mut Vec<Reported>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| walk(item, path, found)),
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::Number(number) => found.extend(score(members, key, number, path)),
                    _ => {
                        path.push(key.clone());
                        walk(member, path, found);
                        path.pop();
                    }
                }
            }
        }
        _ => {}
    }
}

/// A member of an object, if it is a score.
fn score(
    members: &Map<String, Value>,
    key: &str,
    number: &serde_json::Number,
    path: &[String],
) -> Option<Reported> {
    let text = |name: &str| members.get(name).and_then(Value::as_str).map(str::to_owned);
    let is_beside =
        key.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| BESIDE.contains(&word));
    let (label, signature) = match key {
        "score" => (text("name").unwrap_or_else(|| key.to_owned()), text("signature")),
        _ if is_beside || Label::read(key).family().is_none() => return None,
        _ => (key.to_owned(), None),
    };
    let label = path.iter().map(String::as_str).chain([label.as_str()]).collect::<Vec<_>>();
    let (label, number) = (label.join(" "), number.to_string());
    Some(Reported { label, number, signature, ..Reported::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(json: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        walk(&serde_json::from_str(json).unwrap(), &mut Vec::new(), &mut found);
        found.into_iter().map(|reported| (reported.label, reported.number)).collect()
    }

    #[test]
    fn results_of_three_programs_are_understood() {
        let own = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect()
        };
        let harness = r#"{"results": {"task": {"alias": "task", "bleu,none": 12.345,
            "bleu_stderr,none": 0.5, "ter,none": 80.1}}, "n-samples": {"task": 10}}"#;
        let expected = [("results task bleu,none", "12.345"), ("results task ter,none", "80.1")];
        assert_eq!(found(harness), own(&expected));
        let evaluate = r#"{"bleu": 0.30594, "precisions": [0.5], "brevity_penalty": 1.0,
            "length_ratio": 1.1, "reference_length": 12}"#;
        assert_eq!(found(evaluate), own(&[("bleu", "0.30594")]));
        let sacrebleu = r#"[{"name": "BLEU", "score": 30.6, "signature": "nrefs:1|tok:13a",
            "verbose_score": "…", "nrefs": "1"}, {"name": "chrF2", "score": 58.0}]"#;
        assert_eq!(found(sacrebleu), own(&[("BLEU", "30.6"), ("chrF2", "58.0")]));
    }

    #[test]
    fn digits_of_a_number_are_kept() {
        let digits = found(r#"{"meteor": 0.9976851851851853}"#);
        assert_eq!(digits[0].1, "0.9976851851851853");
    }
}
