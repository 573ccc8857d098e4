//! `bolide dialects`: the registry as a table.

use crate::args::Context;
use crate::error::{Result, usage};
use crate::output::sink::to_stdout;
use crate::output::{ListFormat, json, table::Table};
use crate::run::all_resources;
use bolide::dialect::{Expects, find};
use bolide::{DIALECTS, Dialect};

/// List the metrics and their dialects, what each reproduces and how well
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  bolide dialects\n  bolide dialects meteor")]
pub struct Args {
    /// Show one dialect with the keys of its signature
    #[arg(conflicts_with = "format")]
    name: Option<String>,
    /// How to print the list
    #[arg(long, short, value_name = "FORMAT", default_value = "text")]
    format: ListFormat,
}

/// Prints the registry.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    if let Some(name) = &args.name {
        return to_stdout(one(name)?.as_bytes());
    }
    let text = match args.format {
        ListFormat::Text => table(&COLUMNS[..4]).to_text_within(context.width, context.color),
        ListFormat::Markdown => table(&COLUMNS).to_markdown(),
        ListFormat::Json => to_json(),
    };
    to_stdout(text.as_bytes())
}

/// One dialect with its keys.
fn one(name: &str) -> Result<String> {
    let dialect = find(name).map_err(|problem| usage(problem.to_string()))?;
    let keys = keys(dialect).unwrap_or_else(|problem| format!("{problem}\n"));
    let names = dialect.aliases.join(", ");
    let names = if names.is_empty() { names } else { format!(" (also {names})") };
    Ok(format!(
        "{}{names}: {}\nreproduces {} ({})\n\n{keys}",
        dialect.name, dialect.summary, dialect.reproduces, dialect.agreement,
    ))
}

/// The keys with their defaults, and the full signature. Fails if a table is missing.
fn keys(dialect: &'static Dialect) -> Result<String> {
    let resources = all_resources();
    let metric = dialect.metric(&resources)?;
    let signature = metric.signature();
    let mut table = Table::new(["key", "default", "values"]);
    for key in dialect.keys(&resources)? {
        let values = match key.expects {
            Expects::Word { words } => words.join(", "),
            Expects::Number => "a number".to_owned(),
            Expects::Whole { max: u64::MAX, .. } => "a whole number".to_owned(),
            Expects::Whole { min, max } => format!("a whole number from {min} to {max}"),
            _ => "text".to_owned(),
        };
        table.row([key.name, signature.get(key.name).unwrap_or(""), &values]);
    }
    Ok(format!("{}\n{signature}\n", table.to_text(false)))
}

/// A column: its name and the function that fills it.
type Column = (&'static str, fn(&Dialect) -> String);

const COLUMNS: [Column; 5] = [
    ("dialect", |dialect| dialect.name.to_owned()),
    ("reproduces", |dialect| dialect.reproduces.to_owned()),
    ("what it does", |dialect| dialect.summary.to_owned()),
    ("agreement", |dialect| dialect.agreement.to_owned()),
    ("other names", |dialect| dialect.aliases.join(", ")),
];

fn table(columns: &[Column]) -> Table {
    let mut table = Table::new(columns.iter().map(|(name, _)| *name));
    for dialect in DIALECTS {
        table.row(columns.iter().map(|(_, cell)| cell(dialect)));
    }
    table
}

fn to_json() -> String {
    let mut out = format!("{{\"version\":\"{}\",\"dialects\":[", bolide::VERSION);
    for (idx, dialect) in DIALECTS.iter().enumerate() {
        out.push_str(if idx == 0 { "\n" } else { ",\n" });
        json::value(&mut out, dialect);
    }
    out.push_str("\n]}\n");
    out
}
