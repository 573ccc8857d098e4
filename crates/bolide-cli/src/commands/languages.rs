//! `bolide languages`: what there is for each language, in the engine and in the user's folder, as a table.

use crate::args::Context;
use crate::error::Result;
use crate::output::sink::to_stdout;
use crate::output::{ListFormat, json, table::Table};
use crate::run::all_resources;
use bolide::Language;
use bolide::language::{WithTables, with_tables};

/// List the languages: how each is split, stemmed and looked up, and on what terms
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  bolide languages\n  bolide languages --format json")]
pub struct Args {
    /// How to print the list
    #[arg(long, short, value_name = "FORMAT", default_value = "text")]
    format: ListFormat,
}

/// Prints the table.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    let languages = with_tables(&all_resources())?;
    let text = match args.format {
        ListFormat::Text => table(&languages).to_text_within(context.width, context.color),
        ListFormat::Markdown => table(&languages).to_markdown(),
        ListFormat::Json => to_json(&languages),
    };
    to_stdout(text.as_bytes())
}

fn table(languages: &[WithTables]) -> Table {
    let header = ["code", "language", "tokens", "stems", "synonyms", "source", "licence", "proof"];
    let mut table = Table::new(header);
    for WithTables { language, tables, .. } in languages {
        let &Language { code, name, tokens, stems, synonyms, source, licence, proof, .. } =
            *language;
        let synonyms = join(synonyms, tables.iter().map(|table| &table.name));
        let source = join(source, tables.iter().map(|table| &table.source));
        let licence = join(licence, tables.iter().map(|table| &table.licence));
        let stems = stems.unwrap_or("–");
        table.row([code, name, tokens.name(), stems, &synonyms, &source, &licence, proof]);
    }
    table
}

/// What the engine has and what is installed, in one cell.
fn join<'a>(own: Option<&'a str>, installed: impl Iterator<Item = &'a String>) -> String {
    let installed = installed.map(String::as_str).filter(|text| !text.is_empty());
    let all: Vec<&str> = own.into_iter().chain(installed).collect();
    if all.is_empty() { "–".to_owned() } else { all.join("; ") }
}

fn to_json(languages: &[WithTables]) -> String {
    let mut out = format!("{{\"version\":\"{}\",\"languages\":[", bolide::VERSION);
    for (idx, language) in languages.iter().enumerate() {
        out.push_str(if idx == 0 { "\n" } else { ",\n" });
        json::value(&mut out, language);
    }
    out.push_str("\n]}\n");
    out
}
