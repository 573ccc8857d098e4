//! Configurations worth trying: every dialect of the registry, with a few of its keys changed.
//!
//! For keys with a fixed list of values, the dialects supply the values; for numbers and free text, this
//! file lists the usual values by key. Values that a dialect does not accept are left out.

use super::digits::Scale;
use bolide::dialect::{Expects, Key};
use bolide::{DIALECTS, Dialect, Metric, Resources};
use std::collections::BTreeSet;

/// A configuration and how far it is from its dialect's defaults.
#[derive(Clone)]
pub struct Candidate {
    /// The partial signature.
    pub name: String,
    /// The dialect.
    pub dialect: &'static str,
    /// The keys that were changed, as `key:value`.
    pub changes: Vec<String>,
    /// The metric.
    pub metric: Metric,
}

type Values = (&'static str, &'static [&'static str]);

/// The usual parameters of an alignment's formula: those of the 2005 paper, of METEOR 1.0 to 1.5, and values that
/// turn off one part of the formula.
const PARAMETERS: [Values; 3] = [
    ("alpha", &["0.5", "0.7", "0.8", "0.81", "0.82", "0.85", "0.9", "0.95", "1"]),
    ("beta", &["0.2", "0.83", "1", "1.5", "2", "3"]),
    ("gamma", &["0", "0.28", "0.3", "0.4", "0.5", "0.6", "1"]),
];

/// The usual values of other keys without a fixed list. `beta` is that of chrF, `weights` are NLTK's for BLEU: those of
/// single orders, and thirds as they are often written.
const USUAL: [Values; 11] = [
    ("beta", &["1", "2", "3"]),
    ("tok", &["none", "space", "13a", "intl", "char", "zh", "nltk"]),
    (
        "smooth",
        &[
            "none",
            "exp",
            "floor",
            "floor[0.01]",
            "add-k",
            "add-k[0.5]",
            "method0",
            "method1",
            "method2",
            "method3",
            "method4",
            "method5",
            "method6",
            "method7",
        ],
    ),
    ("eff", &["yes", "no"]),
    ("weights", &["0,1,0,0", "0,0,1,0", "0,0,0,1", "0.33,0.33,0.33"]),
    ("order", &["1", "2", "3", "4"]),
    ("n", &["1", "2", "3", "4", "5", "6"]),
    ("max", &["1", "2", "3", "4", "5", "6"]),
    ("min", &["1", "2"]),
    ("nc", &["4", "5", "6"]),
    ("nw", &["0", "1", "2"]),
];

impl Candidate {
    /// The scale of its scores.
    pub fn scale(&self) -> Scale {
        if self.metric.dialect().decimals < 3 { Scale::Hundred } else { Scale::One }
    }
}

/// How long a dialect takes for a segment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Pace {
    /// Microseconds.
    Quick,
    /// A search that keeps a number of alignments.
    Searching,
    /// A search in tables that the user installed, and a proof that nothing is better.
    Proving,
}

impl Pace {
    fn of(dialect: &Dialect, keys: &[Key]) -> Self {
        if keys.iter().any(|key| key.name == "beam") {
            Pace::Searching
        } else if Metric::build(dialect.name, &Resources::embedded()).is_ok() {
            Pace::Quick
        } else {
            Pace::Proving
        }
    }
}

/// All candidates with up to this number of changes.
pub fn all(resources: &Resources, most_changes: usize) -> Vec<Candidate> {
    list(resources, most_changes, |_, _| true)
}

/// The candidates for a corpus: up to one change, or for quick dialects `most_changes`. Those that take
/// seconds are left to [`beyond`].
pub fn within(resources: &Resources, most_changes: usize) -> Vec<Candidate> {
    list(resources, most_changes, |pace, n_changes| match pace {
        Pace::Quick => true,
        Pace::Searching => n_changes < 2,
        Pace::Proving => false,
    })
}

/// The candidates that [`within`] leaves out because they take long, without changes.
pub fn beyond(resources: &Resources) -> Vec<Candidate> {
    list(resources, 0, |pace, _| pace == Pace::Proving)
}

/// Candidates, each configuration once and by its shortest name: those without changes first, then with
/// one change, with two, and so on. (`chrf++` is also `chrf` with a key changed.)
fn list(
    resources: &Resources,
    most_changes: usize,
    is_wanted: impl Fn(Pace, usize) -> bool,
) -> Vec<Candidate> {
    // Leave out dialects whose tables are not installed: they cannot be scored.
    let dialects: Vec<(&'static str, Pace, Vec<Vec<String>>)> = DIALECTS
        .iter()
        .filter_map(|dialect| {
            let keys = dialect.keys(resources).ok()?;
            let pace = Pace::of(dialect, &keys);
            let changes = keys.iter().map(|key| changes(dialect, key)).collect();
            Some((dialect.name, pace, changes))
        })
        .collect();
    let mut candidates = Vec::new();
    let mut seen = BTreeSet::new();
    for n_changes in 0..=most_changes {
        for (dialect, pace, changes) in &dialects {
            if !is_wanted(*pace, n_changes) {
                continue;
            }
            choose(changes, n_changes, &mut Vec::new(), &mut |chosen| {
                let name = [&[(*dialect).to_owned()], chosen].concat().join("|");
                let Ok(metric) = Metric::build(&name, resources) else { return };
                if seen.insert(metric.signature().to_string()) {
                    let changes = chosen.to_vec();
                    candidates.push(Candidate { name, dialect, changes, metric });
                }
            });
        }
    }
    candidates
}

/// A key with more words than these is not guessed.
const MOST_WORDS: usize = 40;

/// The values worth trying for a key, as `key:value`.
fn changes(dialect: &Dialect, key: &Key) -> Vec<String> {
    let usual: &[Values] = if dialect.alignment { &PARAMETERS } else { &USUAL };
    let change = |value: &str| format!("{}:{value}", key.name);
    match &key.expects {
        // So many values, such as all languages, would explain any number.
        Expects::Word { words } if words.len() > MOST_WORDS => Vec::new(),
        Expects::Word { words } => words.iter().map(|word| change(word)).collect(),
        _ => usual
            .iter()
            .filter(|(name, _)| *name == key.name)
            .flat_map(|(_, values)| values.iter().map(|value| change(value)))
            .collect(),
    }
}

/// Visits each combination of the given number of changes, all of different keys.
fn choose(
    changes: &[Vec<String>],
    n_changes: usize,
    chosen: &mut Vec<String>,
    visit: &mut impl FnMut(&[String]),
) {
    if n_changes == 0 {
        return visit(chosen);
    }
    for (idx, key) in changes.iter().enumerate() {
        for change in key {
            chosen.push(change.clone());
            choose(&changes[idx + 1..], n_changes - 1, chosen, visit);
            chosen.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_is_tried_with_its_defaults_first() {
        let resources = Resources::embedded();
        let candidates = all(&resources, 2);
        // METEOR 1.5 with paraphrases needs a table that the user installs.
        let built = DIALECTS.iter().filter(|d| Metric::build(d.name, &resources).is_ok());
        for dialect in built.clone() {
            let first =
                candidates.iter().find(|candidate| candidate.dialect == dialect.name).unwrap();
            assert_eq!(first.name, dialect.name);
        }
        assert!(built.count() + 2 >= DIALECTS.len());
        assert!(candidates.iter().any(|c| c.name == "meteor:textbook|case:mixed|gamma:0"));
    }
}
