//! The `bolide` command: scores generated text against references.
//!
//! Raw arguments become typed values (`args`, `commands`), those become streams (`input`), streams
//! become statistics (`run`), and statistics become text (`output`). This file only connects them:
//! it is the one place that prints an error and chooses the exit code. It is a library so that the
//! fuzz targets can reach the parsers; nobody else should depend on it.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod error;
#[doc(hidden)]
pub mod fuzzing;
mod input;
mod judgements;
mod meteor15;
mod output;
mod progress;
mod run;

use clap::Parser;
use std::process::ExitCode;

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    // The options of METEOR 1.5's jar are not ours to parse.
    let mut raw = std::env::args_os().skip(1);
    if raw.next().is_some_and(|first| first == "meteor15") {
        return meteor15::run(&raw.collect::<Vec<_>>());
    }
    let outcome = match args::Cli::try_parse() {
        Ok(cli) => cli.command.run(&cli.global.context()),
        Err(problem) => error::from_clap(problem).map(|()| ExitCode::SUCCESS),
    };
    match outcome {
        Ok(code) => code,
        Err(problem) => error::print(&problem),
    }
}
