//! `bolide completions`: the script that lets a shell complete our arguments.

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

/// Writes the script. It is made in memory because clap panics on a closed pipe.
pub fn run(args: &Args, _: &Context) -> Result<()> {
    let mut script = Vec::new();
    if args.shell == Shell::Bash {
        // bash takes a colon for the end of a word, and dialects have one in their names.
        script.extend(b"COMP_WORDBREAKS=${COMP_WORDBREAKS//:}\n");
    }
    clap_complete::generate(args.shell, &mut Cli::command(), "bolide", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}
