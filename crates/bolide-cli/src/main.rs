//! The `bolide` command: scores generated text against references.
//!
//! Raw arguments become typed values (`args`, `commands`), those become streams (`input`), streams
//! become statistics (`run`), and statistics become text (`output`). This file only connects them:
//! it is the one place that prints an error and chooses the exit code.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod error;
mod input;
mod output;
mod progress;
mod run;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match args::Cli::try_parse() {
        Ok(cli) => cli.command.run(&cli.global.context()),
        Err(problem) => error::from_clap(problem),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => error::report(&problem),
    }
}
