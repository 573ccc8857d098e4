//! `bolide sacrebleu`: a replacement for `sacrebleu`.
//!
//! The options are sacreBLEU's: if `sacrebleu` is the first argument, `run_with` passes the others on before
//! clap sees them. This file is needed for options before that word (`bolide -q sacrebleu …`), the list of
//! subcommands, the completions and the manual.

use crate::args::Context;
use crate::error::Result;
use std::ffi::OsString;
use std::process::ExitCode;

/// Arguments of `bolide sacrebleu`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// The arguments of sacreBLEU: references, -i FILE and its options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// Runs the command; the exit code is sacreBLEU's.
pub fn run(args: &Args, _: &Context) -> Result<ExitCode> {
    Ok(crate::sacrebleu::run(&args.arguments))
}
