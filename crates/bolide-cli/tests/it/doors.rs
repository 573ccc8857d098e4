//! No door names a metric: doors read everything about metrics from the registry.
//!
//! A door names a metric if its code has a string, or a key of an object in JavaScript or Python, that is the name
//! of a dialect or a family or starts with `family:`. Comments and documentation may name metrics. The exceptions
//! are listed below, each with its reason; an exception that is no longer needed fails the test.

use bolide::DIALECTS;
use bolide::dialect::families;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where the doors are.
const DOORS: [&str; 7] = [
    "crates/bolide-cli/src",
    "crates/bolide-runner/src",
    "crates/bolide-store/src",
    "crates/bolide-wasm/src",
    "crates/bolide-python/src",
    "crates/bolide-python/python/bolide",
    "crates/bolide-web/page",
];

/// Files, or folders, that name metrics on purpose.
const EXCEPTIONS: [(&str, &str); 11] = [
    ("crates/bolide-cli/src/args.rs", "the default metric of the command"),
    ("crates/bolide-cli/src/commands/explain.rs", "the default metric of the command"),
    ("crates/bolide-cli/src/commands/mbr.rs", "the default metric of the command"),
    ("crates/bolide-cli/src/commands/report/mod.rs", "alignments beside metrics that have none"),
    ("crates/bolide-cli/src/commands/tune.rs", "the default metric of the command"),
    ("crates/bolide-cli/src/meteor15", "speaks the jar's names"),
    ("crates/bolide-cli/src/sacrebleu", "speaks sacreBLEU's names"),
    ("crates/bolide-python/src/nltk.rs", "speaks NLTK's names"),
    ("crates/bolide-python/python/bolide/compat", "speaks the names of other packages"),
    ("crates/bolide-python/python/bolide/textbook.py", "two functions of the teaching definitions"),
    ("crates/bolide-web/page/examples.js", "worked examples"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder and below, by their paths in the repository.
fn files(folder: &str, found: &mut Vec<String>) {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    for entry in entries.map(Result::unwrap) {
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            if !path.ends_with("/tests") {
                files(&path, found);
            }
        } else if [".rs", ".py", ".js", ".mjs"].iter().any(|ending| path.ends_with(ending)) {
            found.push(path);
        }
    }
}

/// The code without comments, without Python's long strings and without the tests at the end of a Rust file.
fn code(path: &str, text: &str) -> String {
    let mut kept = String::new();
    let mut in_long_string = false;
    for line in text.lines() {
        if path.ends_with(".py") {
            let n_marks = line.matches("\"\"\"").count();
            if in_long_string || n_marks > 0 {
                in_long_string ^= n_marks % 2 == 1;
                continue;
            }
        }
        if path.ends_with(".rs") && line.starts_with("#[cfg(test)]") {
            break;
        }
        let mark = if path.ends_with(".py") { "#" } else { "//" };
        kept.push_str(line.split(mark).next().unwrap_or_default());
        kept.push('\n');
    }
    kept
}

/// The metrics that some code names.
fn named(path: &str, code: &str) -> BTreeSet<String> {
    let families: Vec<&str> = families().iter().map(|family| family.name).collect();
    let is_name = |text: &str| {
        DIALECTS.iter().any(|dialect| dialect.name == text || dialect.aliases.contains(&text))
            || families.iter().any(|family| {
                text == *family
                    || text.strip_prefix(family).is_some_and(|rest| rest.starts_with(':'))
            })
    };
    let mut names = BTreeSet::new();
    for line in code.lines() {
        for quote in ['"', '\'', '`'] {
            let strings = line.split(quote).skip(1).step_by(2);
            names.extend(strings.filter(|text| is_name(text)).map(str::to_owned));
        }
        if !path.ends_with(".rs") {
            let words = line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
            let keys = words.filter_map(|word| word.strip_suffix(':'));
            names.extend(keys.filter(|key| families.contains(key)).map(str::to_owned));
        }
    }
    names
}

#[test]
fn no_door_names_a_metric() {
    let mut paths = Vec::new();
    DOORS.iter().for_each(|folder| files(folder, &mut paths));
    assert!(paths.len() > 50, "{paths:?}");
    let mut needed = BTreeSet::new();
    for path in &paths {
        let text = std::fs::read_to_string(root().join(path)).unwrap();
        let names = named(path, &code(path, &text));
        let exception = EXCEPTIONS.iter().find(|(exception, _)| path.starts_with(exception));
        match exception {
            Some((exception, _)) if !names.is_empty() => drop(needed.insert(*exception)),
            _ => assert!(names.is_empty(), "{path} names {names:?}: ask the registry"),
        }
    }
    let mut needless = EXCEPTIONS.to_vec();
    needless.retain(|(exception, _)| !needed.contains(exception));
    assert!(needless.is_empty(), "these name no metric any more: {needless:?}");
}

#[test]
fn names_are_found_where_they_are() {
    let check = |path: &str, code: &str, expected: &[&str]| {
        let names = named(path, &self::code(path, code));
        assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{code}");
    };
    check("a.rs", "parse(\"meteor:nltk|alpha:1\"); // \"bleu\"", &["meteor:nltk|alpha:1"]);
    check("a.rs", "const HELP: &str = \"bolide score -m bleu\";", &[]);
    check("a.js", "const F = { meteor: 1, other: 2 };", &["meteor"]);
    check("a.py", "\"\"\"\n>>> f('bleu')\n\"\"\"\nf('ter')  # 'chrf'", &["ter"]);
}
