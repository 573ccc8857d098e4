//! The commands in the documents print what the documents say.
//!
//! In a block marked `console`, lines that start with `$ ` are commands, run in the root of the repository, and
//! the lines after them are their output. After an intended change,
//! `UPDATE_DOCS=1 cargo test -p bolide-cli docs` writes the new output.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a command line with our binary in the path; the result has stderr after stdout.
fn run(line: &str) -> String {
    let output = run_in(line, &root());
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

fn run_in(line: &str, folder: &Path) -> Output {
    let binary = assert_cmd::cargo::cargo_bin!("bolide");
    let mut paths = vec![binary.parent().unwrap().to_owned()];
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("HOME", folder)
        .env_remove("SACREBLEU_SEED")
        .env("BOLIDE_DATA", "no-tables")
        .env("PATH", std::env::join_paths(paths).unwrap())
        .output()
        .unwrap()
}

/// The document with the current output of every command.
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

/// Compares a document with what its commands print; it must have at least this many commands.
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
fn the_first_hour_is_true() {
    check("docs/first-hour.md", 15);
}

#[test]
fn the_page_of_languages_is_true() {
    check("docs/languages.md", 5);
}

#[test]
fn the_page_of_human_judgements_is_true() {
    check("docs/human-judgements.md", 3);
}

#[test]
fn the_page_of_meteor_2026_is_true() {
    check("docs/meteor-2026.md", 2);
}

/// The commands in the blocks of a document: lines that start with `bolide`, with or without a prompt, and their
/// continuation lines.
fn commands(text: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let (mut continues, mut in_block) = (false, false);
    for line in text.lines() {
        if line.starts_with("```") {
            in_block = ["```sh", "```console"].contains(&line);
        }
        if !in_block && !line.starts_with("    ") {
            continue;
        }
        let line = line.trim();
        let command = line.strip_prefix("$ ").unwrap_or(line);
        let part = command.trim_end_matches('\\');
        match commands.last_mut() {
            Some(last) if continues => last.push_str(part),
            _ if command.starts_with("bolide ") => commands.push(part.to_owned()),
            _ => continue,
        }
        continues = command.ends_with('\\');
    }
    commands
}

/// Copies a folder with everything in it.
fn copy_all(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let new = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_all(&entry.path(), &new);
        } else {
            std::fs::copy(entry.path(), new).unwrap();
        }
    }
}

#[test]
fn commands_of_the_other_documents_run() {
    // The commands' files, by the names that the documents use.
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let copy = |name: &str, from: &str| {
        std::fs::copy(root().join("examples").join(from), at(name)).unwrap();
    };
    copy_all(&root().join("examples"), &at("examples"));
    for name in ["ref.txt", "reference.txt", "source.txt"] {
        copy(name, "reference.txt");
    }
    for name in ["out.txt", "a.txt", "system-a.txt"] {
        copy(name, "system-a.txt");
    }
    for name in ["b.txt", "system-b.txt"] {
        copy(name, "system-b.txt");
    }
    let judged = std::fs::read_to_string(root().join("examples/judged.tsv")).unwrap();
    let more = |(row, line): (usize, &str)| match row {
        0 => format!("{line}\tcomet\tpair\n"),
        _ => format!("{line}\t0.{}\t{}\n", row * 37 % 100, ["de-en", "fr-en"][row % 2]),
    };
    std::fs::write(at("judged.tsv"), judged.lines().enumerate().map(more).collect::<String>())
        .unwrap();
    let scores: String = (0..16).map(|row| format!("{}\n", row % 5)).collect();
    for name in ["a.scores", "b.scores"] {
        std::fs::write(at(name), &scores).unwrap();
    }
    std::fs::write(at("domain.txt"), "news\ntalk\n".repeat(8)).unwrap();
    let rows = (0..16)
        .map(|row| format!("on the mat {row}\ta cat\tthe cat {row}\tsource\t1\t{row}\tnews\n"));
    let head = "a\tb\tref\tsrc\thuman_a\thuman_b\tdomain\n".to_owned();
    std::fs::write(at("outputs.tsv"), head + &rows.collect::<String>()).unwrap();
    let mut n_run = 0;
    for (document, n_least) in [
        ("README.md", 2),
        ("docs/report.md", 3),
        ("docs/human-judgements.md", 2),
        ("examples/README.md", 3),
    ] {
        let text = std::fs::read_to_string(root().join(document)).unwrap();
        let all = commands(&text);
        assert!(all.len() >= n_least, "{document}: {all:?}");
        for command in all {
            let ran = run_in(&command, folder.path());
            assert!(
                ran.status.success(),
                "{document}: {command}: {}",
                String::from_utf8_lossy(&ran.stderr)
            );
            n_run += 1;
        }
    }
    assert!(n_run >= 10);
}

#[test]
fn the_shell_commands_of_the_command_line_document_run() {
    let home = tempfile::tempdir().unwrap();
    for folder in [
        ".local/share/bash-completion/completions",
        ".zfunc",
        ".config/fish/completions",
        ".local/share/man/man1",
    ] {
        std::fs::create_dir_all(home.path().join(folder)).unwrap();
    }
    let text = std::fs::read_to_string(root().join("docs/cli.md")).unwrap();
    let block = text.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let lines: Vec<&str> = block.lines().collect();
    assert_eq!(lines.len(), 5);
    for line in lines {
        // Not every machine has `man`.
        let line = line.replace("| man -l -", "> page.1");
        let ran = run_in(&line, home.path());
        assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
    }
}

#[test]
fn the_steps_of_the_tokenizer_do_what_the_document_says() {
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
