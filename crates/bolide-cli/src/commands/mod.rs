//! The subcommands, one file each.
//!
//! A subcommand is a module with `Args` (a `clap::Args` whose doc comment is its help) and
//! `run(&Args, &Context) -> Result<()>`. To add one: the file, its `mod` line and one line in the
//! list below.

mod completions;
mod dialects;
mod explain;
mod man;
mod score;
mod which;

use crate::args::Context;
use crate::error::Result;

macro_rules! commands {
    ($($(#[$about:meta])* $variant:ident: $module:ident,)*) => {
        /// What `bolide` can do.
        #[derive(clap::Subcommand)]
        pub enum Command { $($(#[$about])* $variant($module::Args),)* }

        impl Command {
            /// Runs the chosen subcommand.
            pub fn run(&self, context: &Context) -> Result<()> {
                match self { $(Command::$variant(args) => $module::run(args, context),)* }
            }
        }
    };
}

commands! {
    /// Score hypotheses against references
    Score: score,
    /// Explain the score of one segment
    Explain: explain,
    /// Find out which dialect and configuration gives a score
    Which: which,
    /// List the metrics and their dialects
    Dialects: dialects,
    /// Write a completion script for a shell
    Completions: completions,
    /// Write the manual page
    Man: man,
}
