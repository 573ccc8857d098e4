//! `bolide languages`: what the engine has for each language, as a table.

use crate::args::Context;
use crate::error::Result;
use crate::output::{ListFormat, json, table::Table};
use bolide::{LANGUAGES, Language};
use std::io::Write;

/// List the languages: how each is split, stemmed and looked up, and on what terms
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  bolide languages\n  bolide languages --format json")]
pub struct Args {
    /// How to print the list
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: ListFormat,
}

/// Prints the table.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    let text = match args.format {
        ListFormat::Text => table().to_text_within(context.width, context.color),
        ListFormat::Markdown => table().to_markdown(),
        ListFormat::Json => to_json(),
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

fn table() -> Table {
    let header = ["code", "language", "tokens", "stems", "synonyms", "source", "licence", "proof"];
    let mut table = Table::new(header);
    for language in LANGUAGES {
        let &Language { code, name, tokens, stems, synonyms, source, licence, proof, .. } =
            language;
        let [stems, synonyms, source, licence] =
            [stems, synonyms, source, licence].map(|cell| cell.unwrap_or("–"));
        table.row([code, name, tokens.name(), stems, synonyms, source, licence, proof]);
    }
    table
}

fn to_json() -> String {
    let mut out = format!("{{\"version\":\"{}\",\"languages\":[", bolide::VERSION);
    for (idx, language) in LANGUAGES.iter().enumerate() {
        out.push_str(if idx == 0 { "\n" } else { ",\n" });
        json::value(&mut out, language);
    }
    out.push_str("\n]}\n");
    out
}
