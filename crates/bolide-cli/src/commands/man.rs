//! `bolide man`: the manual page, or one page for each subcommand in a folder.

use crate::args::{Cli, Context};
use crate::error::{Context as _, Result};
use crate::output::sink::to_stdout;
use clap::CommandFactory;
use std::path::PathBuf;

/// Write the manual page to standard output, or all pages into a folder
#[derive(clap::Args)]
#[command(after_help = "Example:\n  bolide man | man -l -")]
pub struct Args {
    /// Write bolide.1, bolide-score.1, … into this folder instead
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Subcommands whose options clap does not know, with their help: clap's page would list the options of the others.
const HANDED_ON: [(&str, &str); 2] =
    [("meteor15", crate::meteor15::USAGE), ("sacrebleu", crate::sacrebleu::HELP)];

/// A manual page with the help as it is.
fn page(name: &str, about: &str, help: &str) -> String {
    let escaped = |text: &str| text.replace('\\', "\\e").replace('-', "\\-");
    let mut page = format!(
        ".TH bolide-{name} 1 \"\" \"bolide {}\"\n.SH NAME\nbolide\\-{name} \\- {}\n.SH DESCRIPTION\n.nf\n",
        bolide::VERSION,
        escaped(about)
    );
    for line in help.lines() {
        // A line that starts with a dot or an apostrophe would be a request.
        let guard = if line.starts_with(['.', '\'']) { "\\&" } else { "" };
        page.extend([guard, &escaped(line), "\n"]);
    }
    page + ".fi\n"
}

/// Writes the pages.
pub fn run(args: &Args, _: &Context) -> Result<()> {
    let command = Cli::command();
    match &args.folder {
        Some(folder) => {
            let write = || {
                clap_mangen::generate_to(command.clone(), folder)?;
                HANDED_ON.iter().try_for_each(|(name, help)| {
                    let about = command.find_subcommand(name).and_then(|it| it.get_about());
                    let about = about.map(ToString::to_string).unwrap_or_default();
                    std::fs::write(
                        folder.join(format!("bolide-{name}.1")),
                        page(name, &about, help),
                    )
                })
            };
            write().with_context(|| folder.display().to_string())
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            to_stdout(&page)
        }
    }
}
