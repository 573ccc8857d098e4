//! Help, version, completions, manual page, the list of dialects.

use crate::program::Folder;

#[test]
fn help_shows_examples_and_exit_codes() {
    let folder = Folder::new();
    for args in [&["--help"][..], &["score", "--help"]] {
        let ran = folder.bolide(args);
        assert!(ran.fine().contains("Examples:\n  bolide "), "{}", ran.stdout());
        assert!(ran.stdout().contains("Exit codes:"), "{}", ran.stdout());
    }
    let version = format!("bolide {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(folder.bolide(&["--version"]).fine(), version);
}

#[test]
fn completions_and_manual_pages_are_made() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(folder.bolide(&["completions", shell]).fine().contains("score"), "{shell}");
    }
    assert!(folder.bolide(&["man"]).fine().contains(".TH bolide 1"));
    folder.bolide(&["man", "--folder", "."]).fine();
    let files = folder.files();
    assert!(files.contains(&"bolide.1".to_owned()) && files.contains(&"bolide-score.1".to_owned()));
    // Their options are those of the programs that they replace, and no others.
    for (name, own) in
        [("meteor15", "\\-writeAlignments"), ("sacrebleu", "\\-\\-chrf\\-word\\-order")]
    {
        let page = std::fs::read_to_string(folder.path(&format!("bolide-{name}.1"))).unwrap();
        assert!(page.contains(own) && page.contains(&format!(".TH bolide-{name} 1")), "{page}");
        assert!(!page.contains("threads") && !page.contains("color"), "{page}");
    }
}

#[test]
fn every_language_is_listed_in_every_format() {
    let folder = Folder::new();
    let text = folder.bolide(&["languages"]).fine().to_owned();
    let markdown = folder.bolide(&["languages", "--format", "markdown"]).fine().to_owned();
    let json = folder.bolide(&["languages", "--format", "json"]).fine().to_owned();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let listed = json["languages"].as_array().unwrap();
    assert_eq!(listed.len(), bolide::LANGUAGES.len());
    for (row, language) in listed.iter().zip(bolide::LANGUAGES) {
        assert_eq!(
            (row["code"].as_str(), row["name"].as_str()),
            (Some(language.code), Some(language.name))
        );
        assert_eq!(
            (row["stems"].as_str(), row["tokens"].as_str()),
            (language.stems, Some(language.tokens.name()))
        );
        assert!(text.contains(&format!("\n{}  ", language.code)), "{text}");
        let is_row = |line: &str| {
            let mut cells = line.split('|').map(str::trim).skip(1);
            cells.next() == Some(language.code) && cells.next() == Some(language.name)
        };
        assert!(markdown.lines().any(is_row), "{markdown}");
    }
}

#[test]
fn every_dialect_is_listed_in_every_format() {
    let folder = Folder::new();
    let text = folder.bolide(&["dialects"]).fine().to_owned();
    let markdown = folder.bolide(&["dialects", "--format", "markdown"]).fine().to_owned();
    let json = folder.bolide(&["dialects", "--format", "json"]).fine().to_owned();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let listed: Vec<&str> =
        json["dialects"].as_array().unwrap().iter().map(|d| d["name"].as_str().unwrap()).collect();
    let known: Vec<&str> = bolide::DIALECTS.iter().map(|dialect| dialect.name).collect();
    assert_eq!(listed, known);
    for dialect in bolide::DIALECTS {
        assert!(text.contains(dialect.name) && markdown.contains(dialect.name), "{}", dialect.name);
        assert!(text.contains(dialect.reproduces), "{}", dialect.reproduces);
    }
}
