//! The subcommands, one file each.
//!
//! A subcommand is a module with `Args` (a `clap::Args` whose doc comment is its help) and
//! `run(&Args, &Context) -> Result<()>`; `meteor15` and `sacrebleu` return their own exit code instead of
//! `()`. To add one, write the file, its `mod` line and one line in the list below.

mod audit;
mod compare;
mod completions;
mod correlate;
mod data;
mod dialects;
mod explain;
mod languages;
mod man;
mod mbr;
mod meteor15;
mod report;
mod sacrebleu;
mod score;
mod serve;
mod tune;
mod which;

use crate::args::Context;
use crate::error::Result;
use std::process::{ExitCode, Termination};

macro_rules! commands {
    ($($(#[$about:meta])* $variant:ident: $module:ident,)*) => {
        /// The subcommands of `bolide`.
        #[derive(clap::Subcommand)]
        pub enum Command { $($(#[$about])* $variant($module::Args),)* }

        impl Command {
            /// Runs the chosen subcommand.
            pub fn run(&self, context: &Context) -> Result<ExitCode> {
                match self {
                    $(Command::$variant(args) => $module::run(args, context).map(Termination::report),)*
                }
            }
        }
    };
}

commands! {
    /// Score hypotheses against references
    Score: score,
    /// Compare systems with a baseline: scores, intervals and p-values
    Compare: compare,
    /// Write an HTML report of systems, segments and alignments
    Report: report,
    /// Correlate metrics with human judgements
    Correlate: correlate,
    /// Fit METEOR's parameters to human judgements
    Tune: tune,
    /// Explain the score of one segment
    Explain: explain,
    /// Find the dialect and configuration that give a score
    Which: which,
    /// Check reported numbers against the texts
    Audit: audit,
    /// Choose among candidates by minimum Bayes risk
    Mbr: mbr,
    /// List the metrics and their dialects
    Dialects: dialects,
    /// List the languages: tokens, stems and synonyms of each
    Languages: languages,
    /// Score as meteor-1.5.jar does, with its options and its output
    Meteor15: meteor15,
    /// Score as sacreBLEU 2.6 does, with its options and its output
    Sacrebleu: sacrebleu,
    /// Import METEOR 1.5's tables, synonyms and dictionaries from your own copies
    Data: data,
    /// Serve the calculator to your browser, offline
    Serve: serve,
    /// Write a completion script for a shell
    Completions: completions,
    /// Write the manual page
    Man: man,
}
