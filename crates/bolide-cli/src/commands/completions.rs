//! `bolide completions`: a script with which a shell completes the arguments of `bolide`.

use crate::args::{Cli, Context};
use crate::error::Result;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

/// Write a completion script for a shell to standard output
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  bolide completions bash > ~/.local/share/bash-completion/completions/bolide"
)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Writes the script, first to memory: clap panics if a pipe is closed.
pub fn run(args: &Args, _: &Context) -> Result<()> {
    let mut script = Vec::new();
    if args.shell == Shell::Bash {
        // By default a colon ends a word in bash, but the names of dialects contain one.
        script.extend(b"COMP_WORDBREAKS=${COMP_WORDBREAKS//:}\n");
    }
    clap_complete::generate(args.shell, &mut Cli::command(), "bolide", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}
