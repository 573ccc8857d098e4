//! Compiles tables from what users have: a table, a wheel, a jar, or the folder of a jar.

use crate::{Error, Kind, Name, Result, Store, map, zip};
use bolide::unstable::meteor15::paraphrase::{Compiler, Table};
use bolide::unstable::meteor15::{Language, StemTable};
use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// The source of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// `paraphrase-en.gz`, or another name with the language given.
    Table(PathBuf, Option<Language>),
    /// A wheel with a jar and `data/paraphrase-*.gz` in it (`pycocoevalcap`).
    Wheel(PathBuf),
    /// The jar, which contains the Arabic stems.
    Jar(PathBuf),
    /// The folder of a jar: the jar, and `data/paraphrase-*.gz` next to it.
    JarFolder(PathBuf),
}

impl Source {
    /// Guesses the kind of a source from its name.
    pub fn guess(path: &Path, language: Option<Language>) -> Source {
        let is = |ending: &str| {
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
        };
        match path {
            _ if path.is_dir() => Source::JarFolder(path.to_owned()),
            _ if is("whl") || is("zip") => Source::Wheel(path.to_owned()),
            _ if is("jar") => Source::Jar(path.to_owned()),
            _ => Source::Table(path.to_owned(), language),
        }
    }
}

const STEMS: &str = "stem/arabic-buckwalter-reduced.gz";

/// Compiles the tables of the source and returns their names.
pub fn import(store: &Store, source: &Source) -> Result<Vec<Name>> {
    let (Source::Table(path, _)
    | Source::Wheel(path)
    | Source::Jar(path)
    | Source::JarFolder(path)) = source;
    // A missing file is reported before a name without a language.
    std::fs::metadata(path).map_err(|e| Error::io(path, &e))?;
    match source {
        Source::Table(path, language) => {
            let language = match language {
                Some(language) => *language,
                None => language_of(path)?,
            };
            Ok(vec![table_file(store, path, language)?])
        }
        Source::Wheel(path) => {
            let bytes = map::open(path).map_err(|e| Error::io(path, &e))?;
            wheel(store, path, bytes.as_ref())
        }
        Source::Jar(path) => {
            let bytes = map::open(path).map_err(|e| Error::io(path, &e))?;
            Ok(vec![stems(store, path, bytes.as_ref())?])
        }
        Source::JarFolder(folder) => jar_folder(store, folder),
    }
}

fn language_of(path: &Path) -> Result<Language> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let code = name.strip_prefix("paraphrase-").and_then(|rest| rest.split('.').next());
    code.and_then(Language::parse).ok_or_else(|| {
        Error::at(
            path,
            "the name does not say the language (paraphrase-en.gz would): give it with --language",
        )
    })
}

fn table_file(store: &Store, path: &Path, language: Language) -> Result<Name> {
    let file = File::open(path).map_err(|e| Error::io(path, &e))?;
    paraphrases(store, file, &path.display().to_string(), language)
}

fn wheel(store: &Store, path: &Path, bytes: &[u8]) -> Result<Vec<Name>> {
    let archive = zip::Archive::open(bytes).map_err(|e| Error::at(path, e))?;
    let mut names: Vec<&str> = archive.names().collect();
    names.sort_unstable();
    let mut done = Vec::new();
    for name in names {
        let file = name.rsplit('/').next().unwrap_or(name);
        let inside = || format!("{} in {}", name, path.display());
        if let Some(language) = table_name(file) {
            let reader = archive.read(name).map_err(|e| Error::at(path, e))?;
            done.push(paraphrases(store, reader, &inside(), language)?);
        } else if file == "meteor-1.5.jar" {
            let mut jar = Vec::new();
            let mut reader = archive.read(name).map_err(|e| Error::at(path, e))?;
            reader.read_to_end(&mut jar).map_err(|e| Error::new(format!("{}: {e}", inside())))?;
            done.push(stems(store, path, &jar)?);
        }
    }
    if done.is_empty() {
        return Err(Error::at(path, "there is no paraphrase-*.gz and no meteor-1.5.jar in it"));
    }
    Ok(done)
}

fn jar_folder(store: &Store, folder: &Path) -> Result<Vec<Name>> {
    let mut done = Vec::new();
    for folder in [folder.to_owned(), folder.join("data")] {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(problem) if problem.kind() == io::ErrorKind::NotFound => continue,
            Err(problem) => return Err(Error::io(&folder, &problem)),
        };
        let mut files: Vec<PathBuf> =
            entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        files.sort();
        for path in files {
            let Some(file) = path.file_name().and_then(|file| file.to_str()) else { continue };
            if let Some(language) = table_name(file) {
                done.push(table_file(store, &path, language)?);
            } else if file.starts_with("meteor-1.") && file.ends_with(".jar") {
                let bytes = map::open(&path).map_err(|e| Error::io(&path, &e))?;
                done.push(stems(store, &path, bytes.as_ref())?);
            }
        }
    }
    if done.is_empty() {
        return Err(Error::at(folder, "there is no paraphrase-*.gz and no meteor-1.5.jar in it"));
    }
    Ok(done)
}

fn table_name(file: &str) -> Option<Language> {
    Language::parse(file.strip_prefix("paraphrase-")?.strip_suffix(".gz")?)
}

fn paraphrases(store: &Store, reader: impl Read, from: &str, language: Language) -> Result<Name> {
    let mut hashing = Hashing { reader, sha: Sha256::new() };
    let table = compile_paraphrases(&mut hashing, from)?;
    if table.is_empty() {
        return Err(Error::new(format!("{from}: it holds no paraphrases")));
    }
    // Bytes after the compressed text belong to the file's identity.
    io::copy(&mut hashing, &mut io::sink()).map_err(|e| Error::new(format!("{from}: {e}")))?;
    let sha = hashing.sha.finalize().into();
    let bytes =
        table.finish(language.short(), sha).map_err(|e| Error::new(format!("{from}: {e}")))?;
    let name = Name { kind: Kind::Paraphrases, language };
    store.write(name, &bytes)?;
    Ok(name)
}

/// Compiles a table for this run only.
///
/// If the user's folder already has it, that one is used: comparing digests is much faster than compiling.
pub fn read_table(path: &Path) -> Result<Table> {
    let open = || File::open(path).map_err(|e| Error::io(path, &e));
    let mut hashing = Hashing { reader: open()?, sha: Sha256::new() };
    io::copy(&mut hashing, &mut io::sink()).map_err(|e| Error::io(path, &e))?;
    let sha: [u8; 32] = hashing.sha.finalize().into();
    if let Ok(store) = Store::of_user() {
        for name in store.names().unwrap_or_default() {
            if name.kind == Kind::Paraphrases
                && store
                    .unverified_paraphrases(name.language)
                    .is_ok_and(|table| *table.source() == sha)
                && let Ok(table) = store.paraphrases(name.language)
            {
                return Ok(table);
            }
        }
    }
    let from = path.display().to_string();
    let bytes = compile_paraphrases(open()?, &from)?.finish("xx", sha);
    let table = bytes.and_then(Table::from_bytes);
    table.map_err(|e| Error::at(path, e))
}

/// Reads the records of a gzip file: three lines each, a number and two phrases.
fn compile_paraphrases(reader: impl Read, from: &str) -> Result<Compiler> {
    let fail = |problem: &dyn std::fmt::Display| Error::new(format!("{from}: {problem}"));
    let mut lines = Lines { reader: BufReader::new(MultiGzDecoder::new(reader)), at: 0 };
    let mut compiler = Compiler::new();
    let (mut number, mut first, mut second) = (String::new(), String::new(), String::new());
    while lines.next(&mut number).map_err(|e| fail(&e))? {
        let complete = lines.next(&mut first).map_err(|e| fail(&e))?
            && lines.next(&mut second).map_err(|e| fail(&e))?;
        if !complete {
            return Err(fail(&format!("it ends inside a record, at line {}", lines.at)));
        }
        if number.trim().parse::<f64>().is_err() {
            return Err(fail(&format!(
                "line {} is no number: this is not a METEOR paraphrase table",
                lines.at - 2
            )));
        }
        compiler.add(&first, &second);
    }
    Ok(compiler)
}

/// Lines that end at LF or CRLF.
struct Lines<R> {
    reader: R,
    at: usize,
}

impl<R: io::BufRead> Lines<R> {
    fn next(&mut self, line: &mut String) -> io::Result<bool> {
        line.clear();
        let mut bytes = std::mem::take(line).into_bytes();
        let n = self.reader.read_until(b'\n', &mut bytes)?;
        if bytes.ends_with(b"\n") {
            bytes.pop();
            if bytes.ends_with(b"\r") {
                bytes.pop();
            }
        }
        self.at += 1;
        *line = String::from_utf8(bytes)
            .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned());
        Ok(n > 0)
    }
}

fn stems(store: &Store, path: &Path, jar: &[u8]) -> Result<Name> {
    let archive = zip::Archive::open(jar).map_err(|e| Error::at(path, e))?;
    let reader = archive
        .read(STEMS)
        .map_err(|_| Error::at(path, format!("there is no {STEMS} in the jar")))?;
    let mut hashing = Hashing { reader, sha: Sha256::new() };
    let mut text = String::new();
    MultiGzDecoder::new(&mut hashing)
        .read_to_string(&mut text)
        .and_then(|_| io::copy(&mut hashing, &mut io::sink()))
        .map_err(|e| Error::at(path, format!("{STEMS}: {e}")))?;
    let bytes = StemTable::compile(&text, hashing.sha.finalize().into())
        .map_err(|e| Error::at(path, format!("{STEMS}: {e}")))?;
    let name = Name { kind: Kind::Stems, language: Language::Arabic };
    store.write(name, &bytes)?;
    Ok(name)
}

/// Computes the digest of the bytes that pass through.
struct Hashing<R> {
    reader: R,
    sha: Sha256,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.sha.update(&buffer[..n]);
        Ok(n)
    }
}
