//! Compiles tables of synonyms from four formats that users have: Open Multilingual Wordnet's `.tab`, MyThes,
//! WN-LMF and the database of Python's `wn`; single files, and archives that contain such files.
//!
//! Everything is read and compiled before the first table is written, so a file that fails leaves nothing behind.

mod charset;
mod lmf;
mod mythes;
mod omw;
mod sqlite;
mod wn;
mod xml;

use crate::lines::Bounded;
use crate::{Error, Name, Result, Store, map, zip};
use bolide::Language;
use bolide::unstable::lexicon::synonyms::{About, Compiler};
use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// More text in words and names of sets than any work has; a bound for memory.
const MOST_BYTES: usize = 256 << 20;

/// A format by the name of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `wn-data-jpn.tab`
    Omw,
    /// `th_de_DE_v2.dat`
    MyThes,
    /// `odenet.xml`, `odenet.xml.gz`
    Lmf,
    /// `wn.db`
    Database,
}

impl Format {
    /// The format that the name of a file shows.
    pub fn of(name: &str) -> Option<Format> {
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name).to_ascii_lowercase();
        let ends = |ending: &str| name.ends_with(ending);
        match () {
            () if ends(".tab") => Some(Format::Omw),
            () if ends(".dat") && name.starts_with("th") => Some(Format::MyThes),
            () if ends(".xml") || ends(".xml.gz") || ends(".xml.xz") => Some(Format::Lmf),
            () if ends(".db") || ends(".sqlite") || ends(".sqlite3") => Some(Format::Database),
            () => None,
        }
    }

    fn origin(self) -> &'static str {
        match self {
            Format::Omw => "omw",
            Format::MyThes => "mythes",
            Format::Lmf | Format::Database => "wn",
        }
    }
}

/// What an import was asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// The one language to import, or the language of a file that does not say it.
    pub language: Option<&'static Language>,
}

/// The work on one language: its sets by the names that the source gives them.
struct Work {
    language: &'static Language,
    about: About,
    index: HashMap<String, usize>,
    sets: Vec<Vec<String>>,
}

/// All that is read from one file or archive, by origin and language.
#[derive(Default)]
pub struct Works {
    works: BTreeMap<(&'static str, &'static str), Work>,
    n_bytes: usize,
}

impl Works {
    fn work(&mut self, format: Format, language: &'static Language) -> &mut Work {
        let origin = format.origin();
        self.works.entry((origin, language.code)).or_insert_with(|| Work {
            language,
            about: About { origin: origin.to_owned(), ..About::default() },
            index: HashMap::new(),
            sets: Vec::new(),
        })
    }

    /// Names what a work was read from. Several sources are joined.
    fn describe(&mut self, of: (Format, &'static Language), source: &str, licence: &str) {
        let about = &mut self.work(of.0, of.1).about;
        for (known, new) in [(&mut about.source, source), (&mut about.licence, licence)] {
            if known.is_empty() {
                *known = new.to_owned();
            } else if !new.is_empty() && !known.split(" + ").any(|part| part == new) {
                known.push_str(" + ");
                known.push_str(new);
            }
        }
    }

    fn count(&mut self, n_bytes: usize) -> std::result::Result<(), String> {
        self.n_bytes += n_bytes + 32;
        match self.n_bytes > MOST_BYTES {
            true => Err("there are more words than any work has (256 MB)".to_owned()),
            false => Ok(()),
        }
    }

    /// Adds a word to the set of a name.
    fn add(
        &mut self,
        (format, language): (Format, &'static Language),
        set: &str,
        word: &str,
    ) -> std::result::Result<(), String> {
        self.count(set.len() + word.len())?;
        let work = self.work(format, language);
        let at = match work.index.get(set) {
            Some(&at) => at,
            None => {
                work.index.insert(set.to_owned(), work.sets.len());
                work.sets.push(Vec::new());
                work.sets.len() - 1
            }
        };
        work.sets[at].push(word.to_owned());
        Ok(())
    }

    /// Adds a set without a name.
    fn add_set(
        &mut self,
        (format, language): (Format, &'static Language),
        words: Vec<String>,
    ) -> std::result::Result<(), String> {
        self.count(words.iter().map(|word| word.len() + 32).sum())?;
        self.work(format, language).sets.push(words);
        Ok(())
    }

    /// Compiles every work and writes the tables, all or none.
    pub fn write(self, store: &Store, path: &Path) -> Result<Vec<Name>> {
        let mut tables = Vec::new();
        for ((origin, code), work) in self.works {
            let fail = |problem: bolide::Error| Error::at(path, problem);
            let mut compiler = Compiler::new(work.language);
            for set in &work.sets {
                compiler.add(set.iter().map(String::as_str)).map_err(fail)?;
            }
            if compiler.is_empty() {
                let name = work.language.name;
                let message =
                    format!("there is no set of two or more single words of {name} in it");
                return Err(Error::at(path, message));
            }
            let digest = |bytes: &[u8]| Sha256::digest(bytes).into();
            let bytes = compiler.finish(&work.about, digest).map_err(fail)?;
            tables.push((Name::Synonyms { origin, code }, bytes));
        }
        for (name, bytes) in &tables {
            store.write(*name, bytes)?;
        }
        Ok(tables.into_iter().map(|(name, _)| name).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.works.is_empty()
    }
}

/// Imports a single file.
pub fn import(store: &Store, path: &Path, format: Format, wanted: Wanted) -> Result<Vec<Name>> {
    let mut works = Works::default();
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if format == Format::Database {
        let bytes = map::open(path).map_err(|e| Error::io(path, &e))?;
        wn::read(bytes.as_ref(), wanted, &mut works).map_err(|e| Error::at(path, e))?;
    } else {
        let file = std::fs::File::open(path).map_err(|e| Error::io(path, &e))?;
        read(file, name, format, wanted, &mut works).map_err(|e| Error::at(path, e))?;
    }
    if works.is_empty() {
        let what = match wanted.language {
            Some(language) => format!("there are no words of {} in it", language.name),
            None => "there are no words in it of a language that bolide knows".to_owned(),
        };
        return Err(Error::at(path, what));
    }
    works.write(store, path)
}

/// Reads those entries of an archive that are works of synonyms.
pub fn read_archive(
    archive: &zip::Archive<'_>,
    path: &Path,
    wanted: Wanted,
    works: &mut Works,
) -> Result<()> {
    let mut names: Vec<&str> = archive.names().collect();
    names.sort_unstable();
    for name in names {
        // Other XML files and tables are part of many archives, so only full names count here.
        let file = name.rsplit('/').next().unwrap_or(name);
        let format = match Format::of(file) {
            Some(Format::Omw) if file.starts_with("wn-") => Format::Omw,
            Some(Format::MyThes) if file.starts_with("th_") => Format::MyThes,
            _ => continue,
        };
        let is_wanted = match (language_of(file, format), wanted.language) {
            (Some(language), Some(wanted)) => language == wanted,
            (language, None) => language.is_some(),
            (None, Some(_)) => false,
        };
        if is_wanted {
            let reader = archive.read(name).map_err(|e| Error::at(path, e))?;
            read(reader, file, format, wanted, works)
                .map_err(|e| Error::new(format!("{name} in {}: {e}", path.display())))?;
        }
    }
    Ok(())
}

fn read(
    reader: impl Read,
    name: &str,
    format: Format,
    wanted: Wanted,
    works: &mut Works,
) -> std::result::Result<(), String> {
    let mut reader = BufReader::with_capacity(1 << 16, reader);
    let start = reader.fill_buf().map_err(|e| e.to_string())?;
    if start.starts_with(b"\xfd7zXZ") {
        return Err("it is compressed with xz: unpack it first with 'xz -dk FILE'".to_owned());
    }
    let mut reader: Box<dyn BufRead> = match start.starts_with(&[0x1f, 0x8b]) {
        true => Box::new(BufReader::new(Bounded::new(MultiGzDecoder::new(reader)))),
        false => Box::new(BufReader::new(Bounded::new(reader))),
    };
    let language = wanted.language.or_else(|| language_of(name, format));
    match format {
        Format::Omw => omw::read(&mut reader, language, works),
        Format::MyThes => mythes::read(&mut reader, name, language, works),
        Format::Lmf | Format::Database => lmf::read(&mut reader, wanted, works),
    }
}

/// The language in the name of a file: `wn-data-jpn.tab`, `th_de_DE_v2.dat`.
fn language_of(name: &str, format: Format) -> Option<&'static Language> {
    let code = match format {
        Format::Omw => name.strip_prefix("wn-")?.split('.').next()?.rsplit('-').next()?,
        Format::MyThes => name.strip_prefix("th_")?.split(['_', '.']).next()?,
        Format::Lmf | Format::Database => return None,
    };
    find_language(code)
}

/// The language of a BCP 47 tag or of a code of three letters.
pub fn find_language(code: &str) -> Option<&'static Language> {
    let letters = code.split(['-', '_']).next().unwrap_or_default();
    bolide::language::of_three_letters(letters).or_else(|| bolide::language::find(code).ok())
}

/// A message with the number of a line.
fn at_line(line: usize, problem: impl std::fmt::Display) -> String {
    format!("line {line}: {problem}")
}

fn name_the_language() -> String {
    "neither the name of the file nor its content says the language: give it with --language"
        .to_owned()
}
