//! Compiles tables from what users have: a table, a wheel or another archive, a jar, or the folder of a jar.

use crate::lines::Bounded;
use crate::synonyms::{self, Format, Wanted, Works};
use crate::{Error, Name, Result, Store, map, mecab, zip};
use bolide::unstable::meteor15::paraphrase::{Compiler, Records, Table};
use bolide::unstable::meteor15::{Language, StemTable};
use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The source of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// `paraphrase-en.gz`, or another name with the language given; or synonyms: `wn-data-jpn.tab`,
    /// `th_de_DE_v2.dat`, WN-LMF, the database of `wn`.
    Table(PathBuf, Option<String>),
    /// A wheel with a jar and `data/paraphrase-*.gz` in it (`pycocoevalcap`), or an archive of synonyms
    /// (`omw-1.4.zip`, a LibreOffice extension), from which one language may be chosen.
    Wheel(PathBuf, Option<String>),
    /// The jar, which contains the Arabic stems.
    Jar(PathBuf),
    /// The folder of a jar: the jar, and `data/paraphrase-*.gz` next to it; or that of a dictionary of MeCab.
    JarFolder(PathBuf),
    /// PyPI's archive of a dictionary of MeCab (`ipadic-1.0.0.tar.gz`).
    Archive(PathBuf),
}

impl Source {
    /// Guesses the kind of a source from its name.
    pub fn guess(path: &Path, language: Option<&str>) -> Source {
        let language = language.map(str::to_owned);
        let is = |ending: &str| {
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
        };
        match path {
            _ if path.is_dir() => Source::JarFolder(path.to_owned()),
            _ if is("whl") || is("zip") || is("oxt") => Source::Wheel(path.to_owned(), language),
            _ if is("tgz") || path.to_str().is_some_and(|path| path.ends_with(".tar.gz")) => {
                Source::Archive(path.to_owned())
            }
            _ if is("jar") => Source::Jar(path.to_owned()),
            _ => Source::Table(path.to_owned(), language),
        }
    }
}

impl Source {
    /// The number of bytes of paraphrase tables that are to be read, or an upper bound; `None` if it is not
    /// known beforehand.
    pub fn size(&self) -> Option<u64> {
        let size = |path: &Path| std::fs::metadata(path).ok().map(|file| file.len());
        match self {
            Source::Table(path, _) => {
                let name = path.file_name().and_then(|name| name.to_str())?;
                Format::of(name).is_none().then(|| size(path))?
            }
            Source::Wheel(path, _) => size(path),
            Source::JarFolder(folder) => {
                let files = [folder.clone(), folder.join("data")]
                    .into_iter()
                    .filter_map(|folder| std::fs::read_dir(folder).ok())
                    .flat_map(|entries| entries.filter_map(std::result::Result::ok))
                    .filter(|entry| entry.file_name().to_str().and_then(table_name).is_some());
                files.map(|entry| size(&entry.path())).sum()
            }
            Source::Jar(_) | Source::Archive(_) => None,
        }
    }
}

/// Called with the number of bytes of paraphrase tables that have been read so far.
pub struct Watch<'a> {
    read: u64,
    tell: &'a mut dyn FnMut(u64),
}

impl<'a> Watch<'a> {
    pub fn new(tell: &'a mut dyn FnMut(u64)) -> Self {
        Watch { read: 0, tell }
    }

    fn add(&mut self, n: usize) {
        self.read += n as u64;
        (self.tell)(self.read);
    }
}

const STEMS: &str = "stem/arabic-buckwalter-reduced.gz";

/// Compiles the tables of the source and returns their names.
pub fn import(store: &Store, source: &Source, watch: &mut Watch<'_>) -> Result<Vec<Name>> {
    let (Source::Table(path, _)
    | Source::Wheel(path, _)
    | Source::Jar(path)
    | Source::JarFolder(path)
    | Source::Archive(path)) = source;
    // A missing file is reported before a name without a language.
    std::fs::metadata(path).map_err(|e| Error::io(path, &e))?;
    match source {
        Source::Table(path, language) => {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if let Some(format) = Format::of(name) {
                return synonyms::import(store, path, format, wanted(language.as_deref())?);
            }
            let language = match language {
                Some(code) => Language::parse(code).ok_or_else(|| no_language(code))?,
                None => language_of(path)?,
            };
            Ok(vec![table_file(store, path, language, watch)?])
        }
        Source::Wheel(path, language) => {
            let bytes = map::open(path).map_err(|e| Error::io(path, &e))?;
            wheel(store, path, (bytes.as_ref(), language.as_deref()), watch)
        }
        Source::Jar(path) => {
            let bytes = map::open(path).map_err(|e| Error::io(path, &e))?;
            Ok(vec![stems(store, path, bytes.as_ref())?])
        }
        Source::JarFolder(folder) => match mecab::folder(folder) {
            Some(folder) => Ok(vec![mecab::import_folder(store, &folder)?]),
            None => jar_folder(store, folder, watch),
        },
        Source::Archive(path) => Ok(vec![mecab::import_archive(store, path)?]),
    }
}

fn no_language(code: &str) -> Error {
    Error::new(format!("there is no language '{code}'"))
}

/// The language of synonyms that was asked for.
fn wanted(language: Option<&str>) -> Result<Wanted> {
    let find = |code: &str| synonyms::find_language(code).ok_or_else(|| no_language(code));
    Ok(Wanted { language: language.map(find).transpose()? })
}

fn language_of(path: &Path) -> Result<Language> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let code = name.strip_prefix("paraphrase-").and_then(|rest| rest.split('.').next());
    code.and_then(Language::parse).ok_or_else(|| {
        Error::at(
            path,
            "the name does not say what it is (paraphrase-en.gz, wn-data-fin.tab, th_de_DE_v2.dat, an .xml or a .db \
             would): give the language of a paraphrase table with --language",
        )
    })
}

fn table_file(
    store: &Store,
    path: &Path,
    language: Language,
    watch: &mut Watch<'_>,
) -> Result<Name> {
    let file = File::open(path).map_err(|e| Error::io(path, &e))?;
    paraphrases(store, Watched(file, watch), &path.display().to_string(), language)
}

fn wheel(
    store: &Store,
    path: &Path,
    (bytes, language): (&[u8], Option<&str>),
    watch: &mut Watch<'_>,
) -> Result<Vec<Name>> {
    let archive = zip::Archive::open(bytes).map_err(|e| Error::at(path, e))?;
    let mut works = Works::default();
    synonyms::read_archive(&archive, path, wanted(language)?, &mut works)?;
    if !works.is_empty() {
        return works.write(store, path);
    }
    let mut names: Vec<&str> = archive.names().collect();
    names.sort_unstable();
    let mut done = Vec::new();
    for name in names {
        let file = name.rsplit('/').next().unwrap_or(name);
        let inside = || format!("{} in {}", name, path.display());
        if let Some(language) = table_name(file) {
            let reader = archive.read(name).map_err(|e| Error::at(path, e))?;
            done.push(paraphrases(store, Watched(reader, watch), &inside(), language)?);
        } else if file == "meteor-1.5.jar" {
            let mut jar = Vec::new();
            let mut reader = Bounded::new(archive.read(name).map_err(|e| Error::at(path, e))?);
            reader.read_to_end(&mut jar).map_err(|e| Error::new(format!("{}: {e}", inside())))?;
            done.push(stems(store, path, &jar)?);
        }
    }
    if done.is_empty() {
        let what = "there is no paraphrase-*.gz, no meteor-1.5.jar, no wn-data-*.tab and no th_*.dat in it";
        return Err(Error::at(
            path,
            match language {
                Some(language) => format!("{what} of the language '{language}'"),
                None => what.to_owned(),
            },
        ));
    }
    Ok(done)
}

fn jar_folder(store: &Store, folder: &Path, watch: &mut Watch<'_>) -> Result<Vec<Name>> {
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
                done.push(table_file(store, &path, language, watch)?);
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
    let name = Name::Paraphrases(language);
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
            if let Name::Paraphrases(language) = name
                && store.unverified_paraphrases(language).is_ok_and(|table| *table.source() == sha)
                && let Ok(table) = store.paraphrases(language)
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

/// Reads the records of a gzip file.
fn compile_paraphrases(reader: impl Read, from: &str) -> Result<Compiler> {
    let fail = |problem: &dyn std::fmt::Display| Error::new(format!("{from}: {problem}"));
    let mut text = BufReader::with_capacity(1 << 16, MultiGzDecoder::new(reader));
    let mut records = Records::new();
    loop {
        let slice = text.fill_buf().map_err(|e| fail(&e))?;
        if slice.is_empty() {
            return records.finish().map_err(|e| fail(&e));
        }
        records.read(slice).map_err(|e| fail(&e))?;
        let n = slice.len();
        text.consume(n);
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
    let name = Name::Stems(Language::Arabic);
    store.write(name, &bytes)?;
    Ok(name)
}

/// Tells how many bytes passed through.
struct Watched<'a, 'w, R>(R, &'a mut Watch<'w>);

impl<R: Read> Read for Watched<'_, '_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.0.read(buffer)?;
        self.1.add(n);
        Ok(n)
    }
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
