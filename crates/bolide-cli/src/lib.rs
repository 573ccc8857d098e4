//! The `bolide` command: scores generated text against references.
//!
//! Raw arguments become typed values (`args`, `commands`), those become streams (`input`), streams
//! become statistics (`run`), and statistics become text (`output`). This file connects these modules. It is
//! the only place that prints an error and chooses the exit code. The crate is a library so that the fuzz targets
//! can reach the parsers and the wheel can contain the command; nothing else should depend on it.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod error;
#[doc(hidden)]
pub mod explained;
#[doc(hidden)]
pub mod fuzzing;
mod hints;
mod input;
mod judgements;
mod meteor15;
mod output;
mod progress;
mod remarks;
mod run;
mod sacrebleu;
mod search;

use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    run_with(&std::env::args_os().skip(1).collect::<Vec<_>>())
}

/// Runs the command with other arguments, without its own name. The wheel calls this.
pub fn run_with(arguments: &[OsString]) -> ExitCode {
    // METEOR 1.5's jar and sacreBLEU have options of their own, which clap must not parse.
    let words: Vec<Option<&str>> = arguments.iter().map(|word| word.to_str()).collect();
    match words[..] {
        [Some("meteor15"), ..] => return meteor15::run(&arguments[1..]),
        [Some("sacrebleu"), ..] => return sacrebleu::run(&arguments[1..]),
        [Some("help"), Some("meteor15")] => return meteor15::run(&["--help".into()]),
        [Some("help"), Some("sacrebleu")] => return sacrebleu::run(&["--help".into()]),
        _ => {}
    }
    let name = OsString::from("bolide");
    let outcome = match args::Cli::try_parse_from(std::iter::once(&name).chain(arguments)) {
        Ok(cli) => cli.command.run(&cli.global.context()),
        Err(problem) => error::from_clap(problem, arguments).map(|()| ExitCode::SUCCESS),
    };
    match outcome {
        Ok(code) => code,
        Err(problem) => error::print(&problem),
    }
}
