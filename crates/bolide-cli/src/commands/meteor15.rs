//! `bolide meteor15`: a replacement for `java -jar meteor-1.5.jar`.
//!
//! The options are the jar's: if `meteor15` is the first argument, `run_with` passes the others on before
//! clap sees them. This file is needed for options before that word (`bolide -q meteor15 …`), the list of
//! subcommands, the completions and the manual.

use crate::args::Context;
use crate::error::Result;
use std::ffi::OsString;
use std::process::ExitCode;

/// Arguments of `bolide meteor15`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// The arguments of the jar: TEST REFERENCE and its options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// Runs the command; the exit code is the jar's.
pub fn run(args: &Args, _: &Context) -> Result<ExitCode> {
    Ok(crate::meteor15::run(&args.arguments))
}
