//! `bolide man`: the manual page, or one page for each subcommand in a folder.

use crate::args::{Cli, Context};
use crate::error::{Context as _, Result};
use clap::CommandFactory;
use std::io::Write;
use std::path::PathBuf;

/// Write the manual page to standard output, or all pages into a folder
#[derive(clap::Args)]
#[command(after_help = "Example:\n  bolide man | man -l -")]
pub struct Args {
    /// Write bolide.1, bolide-score.1, … into this folder instead
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Writes the pages.
pub fn run(args: &Args, _: &Context) -> Result<()> {
    let command = Cli::command();
    match &args.folder {
        Some(folder) => {
            clap_mangen::generate_to(command, folder).with_context(|| folder.display().to_string())
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            Ok(std::io::stdout().write_all(&page)?)
        }
    }
}
