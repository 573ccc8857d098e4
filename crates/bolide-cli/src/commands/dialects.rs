//! `bolide dialects`: the registry as a table.

use crate::args::Context;
use crate::error::Result;
use crate::output::{json, table::Table};
use bolide::DIALECTS;
use clap::ValueEnum;
use std::io::Write;

/// List the metrics and their dialects, what each reproduces and how well
#[derive(clap::Args)]
pub struct Args {
    /// How to print the list
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Json,
    Markdown,
}

/// Prints the registry.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    let text = match args.format {
        Format::Text => table().to_text(context.color),
        Format::Markdown => table().to_markdown(),
        Format::Json => to_json(),
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

fn table() -> Table {
    let mut table = Table::new(["dialect", "also", "reproduces", "what it does", "agreement"]);
    for dialect in DIALECTS {
        table.row([
            dialect.name,
            &dialect.aliases.join(", "),
            dialect.reproduces,
            dialect.summary,
            dialect.agreement,
        ]);
    }
    table
}

fn to_json() -> String {
    let mut out = format!("{{\"version\":\"{}\",\"dialects\":[", bolide::signature::VERSION);
    for (idx, dialect) in DIALECTS.iter().enumerate() {
        out.push_str(if idx == 0 { "\n" } else { ",\n" });
        out.push('{');
        for (key, value) in [
            ("name", dialect.name),
            ("reproduces", dialect.reproduces),
            ("summary", dialect.summary),
            ("agreement", dialect.agreement),
        ] {
            json::string(&mut out, key);
            out.push(':');
            json::string(&mut out, value);
            out.push(',');
        }
        out.push_str("\"aliases\":[");
        for (idx, alias) in dialect.aliases.iter().enumerate() {
            out.push_str(if idx == 0 { "" } else { "," });
            json::string(&mut out, alias);
        }
        out.push_str("],\"lower_is_better\":");
        out.push_str(if dialect.lower_is_better { "true}" } else { "false}" });
    }
    out.push_str("\n]}\n");
    out
}
