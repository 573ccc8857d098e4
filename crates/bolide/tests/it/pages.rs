//! Compares documentation pages with the registry, so that they cannot become outdated.

use bolide::DIALECTS;

/// The table of the crate's documentation.
fn dialects() -> String {
    let mut table = String::from("| dialect | reproduces | what it does |\n|---|---|---|\n");
    for dialect in DIALECTS {
        let is_short = |alias: &&&str| dialect.name.starts_with(&format!("{alias}:"));
        let short = dialect.aliases.iter().find(is_short);
        let short = short.map_or_else(String::new, |alias| format!(", `{alias}`"));
        let (name, reproduces, summary) = (dialect.name, dialect.reproduces, dialect.summary);
        table.push_str(&format!("| `{name}`{short} | {reproduces} | {summary} |\n"));
    }
    table
}

#[test]
fn the_front_page_lists_the_dialects_of_the_registry() {
    let expected = dialects();
    let written = include_str!("../../src/dialects.md");
    assert!(written == expected, "src/dialects.md should be:\n\n{expected}");
}
