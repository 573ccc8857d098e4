//! Errors as the user sees them: one line on stderr, and an exit code.
//!
//! 0 is success, 1 is a run that failed or a score worse than `--fail-under`, 2 is a command line that
//! cannot be run as written. A broken pipe is success: the reader has seen enough.

use crate::output::sink::STDOUT;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue};
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::process::ExitCode;

/// The command's errors carry context; only their text and exit code matter.
pub use anyhow::{Context, Result, anyhow, bail};

/// A mistake in the command line: exit code 2.
#[derive(Debug)]
pub struct Usage(String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Makes a usage error, for `Err`.
pub fn usage(message: impl Into<String>) -> anyhow::Error {
    Usage(message.into()).into()
}

/// Escapes text from outside: a file name may contain line breaks, or control sequences for the terminal.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_control() {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}

/// A number of things: `1 field`, `2 fields`.
pub fn counted(n: u64, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

/// An error of the operating system in plain words; common ones without their number.
pub fn from_io(problem: io::Error) -> anyhow::Error {
    match problem.kind() {
        io::ErrorKind::NotFound => anyhow!("no such file"),
        io::ErrorKind::PermissionDenied => anyhow!("permission denied"),
        _ => problem.into(),
    }
}

/// Prints a line to stderr. If that fails, there is no way to say so.
pub fn remark(text: impl fmt::Display) {
    let _ = io::Write::write_all(&mut io::stderr(), format!("{text}\n").as_bytes());
}

/// Prints an error, unless it is a pipe that its reader closed. Returns the exit code.
pub fn print(problem: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(problem) {
        return ExitCode::SUCCESS;
    }
    let text = visible(&format!("{problem:#}").replace(['\n', '\r'], " "));
    remark(format_args!("bolide: {text}"));
    let usage = problem.chain().any(|cause| cause.is::<Usage>());
    ExitCode::from(if usage { 2 } else { 1 })
}

/// Clap's help and version are results and go to stdout; its errors become one line.
pub fn from_clap(problem: clap::Error, raw: &[OsString]) -> Result<()> {
    use clap::error::ErrorKind::{
        DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion, UnknownArgument,
    };
    if problem.kind() == DisplayHelpOnMissingArgumentOrSubcommand {
        // A user who types only the name wants to know what the program does.
        let mut command = crate::args::Cli::command();
        return command.print_help().context(STDOUT);
    }
    if matches!(problem.kind(), DisplayHelp | DisplayVersion) {
        return problem.print().context(STDOUT);
    }
    let text = problem.render().to_string();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with("Usage:")).collect();
    let lines = lines.join(" ");
    let lines = lines.strip_prefix("error: ").unwrap_or(&lines);
    let lines = lines.split("For more information").next().unwrap_or(lines).trim();
    let unknown = match problem.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) if problem.kind() == UnknownArgument => {
            Some(word.as_str())
        }
        _ => None,
    };
    Err(usage(match crate::hints::of(raw, unknown) {
        Some((word, hint)) => format!("'{word}' is not an option here: {hint}"),
        None => format!("{lines} (see --help)"),
    }))
}

fn is_broken_pipe(problem: &anyhow::Error) -> bool {
    problem
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
