//! The commands in the documents print what the documents say.
//!
//! In a block marked `console`, lines that start with `$ ` are run in the root of the repository,
//! and what follows is what they print. After a change on purpose,
//! `UPDATE_DOCS=1 cargo test -p bolide-cli docs` writes the new output.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a command line with our binary in the path; errors are shown after the output.
fn run(line: &str) -> String {
    let binary = assert_cmd::cargo::cargo_bin!("bolide");
    let mut paths = vec![binary.parent().unwrap().to_owned()];
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(root())
        .env("BOLIDE_DATA", "no-tables")
        .env("PATH", std::env::join_paths(paths).unwrap())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

/// The document with the output of every command as it is now.
fn refreshed(text: &str) -> String {
    let mut out = String::new();
    let mut in_console = false;
    for line in text.lines() {
        let fence = line.starts_with("```");
        if fence {
            in_console = line == "```console";
        }
        if in_console && !fence {
            let Some(command) = line.strip_prefix("$ ") else { continue };
            // A blank line between a command's output and the next command.
            if !out.ends_with("```console\n") {
                out.push('\n');
            }
            out += &format!("{line}\n{}", run(command));
        } else {
            out += &format!("{line}\n");
        }
    }
    out
}

/// Compares a document of so many commands with what they print.
fn check(document: &str, commands: usize) {
    let path = root().join(document);
    let text = std::fs::read_to_string(&path).unwrap();
    let fresh = refreshed(&text);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &fresh).unwrap();
    }
    let now = std::fs::read_to_string(&path).unwrap();
    for (line, fresh) in now.lines().zip(fresh.lines()) {
        assert_eq!(line, fresh, "{document} is out of date: run with UPDATE_DOCS=1");
    }
    assert_eq!(now.len(), fresh.len(), "{document} is out of date: run with UPDATE_DOCS=1");
    assert!(now.matches("\n$ bolide ").count() >= commands);
}

#[test]
fn the_command_line_document_is_true() {
    check("docs/cli.md", 11);
}

#[test]
fn the_page_of_meteor_2026_is_true() {
    check("docs/meteor-2026.md", 2);
}

#[test]
fn the_steps_of_the_tokeniser_do_what_the_document_says() {
    let text = std::fs::read_to_string(root().join("docs/meteor-1.5.md")).unwrap();
    let steps: Vec<&str> = text.lines().filter(|line| line.starts_with("| T")).collect();
    assert_eq!(steps.len(), 12);
    let examples = steps.iter().filter_map(|line| line.rsplit("| ").next()?.split_once(" → "));
    let (before, after): (Vec<&str>, Vec<&str>) = examples
        .map(|(before, after)| (before.trim_matches('`'), after.trim_matches([' ', '|', '`'])))
        .unzip();
    assert!(before.len() >= 8, "{before:?}");
    let folder = crate::program::Folder::new();
    let lines = before.join("\n");
    let ran = folder.bolide_with(&["meteor15", "Normalizer", "en", "true"], lines.as_bytes());
    assert_eq!(ran.fine().lines().collect::<Vec<_>>(), after);
}
