//! The user's data folder: METEOR 1.5's large tables and tables of synonyms, compiled once and mapped into memory.
//!
//! These tables have licences of their own, so they are not part of bolide. [`Store::import`] compiles them from
//! the user's copy (`paraphrase-en.gz`, a wheel, a jar; a wordnet or thesaurus) into compact files, and [`Store::load`] lets the engine open them as [`Resources`]. The command and the Python package
//! share this crate; the engine opens no files.

mod import;
mod lines;
mod map;
mod mecab;
mod sacrebleu;
mod synonyms;
mod zip;

pub use import::{Source, read_table};

use bolide::unstable::lexicon::synonyms::{BUILTIN, ORIGINS, SynonymTable};
use bolide::unstable::meteor15::paraphrase::Table;
use bolide::unstable::meteor15::{Language, StemTable};
use bolide::unstable::text::mecab::Dictionary;
use bolide::unstable::text::sentencepiece::SentencePiece;
use bolide::{ErrorKind, Resources, TableSource};
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// An error in one line that names the file.
#[derive(Debug)]
pub struct Error {
    message: String,
}

impl Error {
    fn new(message: impl Into<String>) -> Self {
        Error { message: message.into() }
    }

    fn at(path: &Path, problem: impl fmt::Display) -> Self {
        Error::new(format!("{}: {problem}", path.display()))
    }

    fn io(path: &Path, problem: &io::Error) -> Self {
        match problem.kind() {
            io::ErrorKind::NotFound => Error::at(path, "no such file"),
            io::ErrorKind::PermissionDenied => Error::at(path, "permission denied"),
            _ => Error::at(path, problem),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// The name of a table: `paraphrase-en`, `stem-ar-bw-red`, `synonyms-omw-ja`, `mecab-ja`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// METEOR 1.5's paraphrases of a language.
    Paraphrases(Language),
    /// METEOR 1.5's stems of a language (Arabic).
    Stems(Language),
    /// Synonyms for `meteor:classic`.
    Synonyms {
        /// One of [`ORIGINS`].
        origin: &'static str,
        /// The code of the language.
        code: &'static str,
    },
    /// MeCab's dictionary of a language, for sacreBLEU's tokenizer of that language.
    Mecab(&'static str),
}

impl Name {
    /// Parses a name as it is printed.
    pub fn parse(text: &str) -> Option<Name> {
        let (kind, rest) = text.split_once('-')?;
        match kind {
            "paraphrase" => Language::parse(rest).map(Name::Paraphrases),
            "stem" => Language::parse(rest).map(Name::Stems),
            "synonyms" => {
                let (origin, code) = rest.split_once('-')?;
                let mut origins = ORIGINS.into_iter().filter(|known| *known != BUILTIN);
                let origin = origins.find(|known| *known == origin)?;
                let code = bolide::LANGUAGES.iter().find(|known| known.code == code)?.code;
                Some(Name::Synonyms { origin, code })
            }
            "mecab" => ["ja", "ko"].into_iter().find(|code| *code == rest).map(Name::Mecab),
            _ => None,
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Paraphrases(language) => write!(f, "paraphrase-{}", language.short()),
            Name::Stems(language) => write!(f, "stem-{}", language.short()),
            Name::Synonyms { origin, code } => write!(f, "synonyms-{origin}-{code}"),
            Name::Mecab(code) => write!(f, "mecab-{code}"),
        }
    }
}

/// A table in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: Name,
    /// The file.
    pub path: PathBuf,
    /// The size of the file.
    pub size: u64,
    /// The number of paraphrases, words or sets of synonyms.
    pub n_records: usize,
    /// The first eight hexadecimal digits of the SHA-256 of the source, or of the words and sets of synonyms.
    pub id: String,
}

/// The data folder.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

const EXTENSION: &str = "bolide";

impl Store {
    /// The folder of this user: `$BOLIDE_DATA`, or else `bolide` in the user's data folder (`$XDG_DATA_HOME`,
    /// `~/.local/share`; on macOS and Windows the system's).
    pub fn of_user() -> Result<Self> {
        Self::from_environment(|name| std::env::var_os(name)).ok_or_else(|| {
            Error::new("there is no home folder to keep tables in: set BOLIDE_DATA to a folder")
        })
    }

    fn from_environment(var: impl Fn(&str) -> Option<OsString>) -> Option<Self> {
        let set = |name: &str| var(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(folder) = set("BOLIDE_DATA") {
            return Some(Store { folder });
        }
        let data = if cfg!(windows) {
            set("LOCALAPPDATA")?
        } else if let Some(data) = set("XDG_DATA_HOME").filter(|path| path.is_absolute()) {
            data
        } else if cfg!(target_os = "macos") {
            set("HOME")?.join("Library/Application Support")
        } else {
            set("HOME")?.join(".local/share")
        };
        Some(Store { folder: data.join("bolide") })
    }

    /// A folder of the caller's choice.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Store { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of a table, whether or not it exists.
    pub fn path(&self, name: Name) -> PathBuf {
        self.folder.join(format!("{name}.{EXTENSION}"))
    }

    /// Adds the tables of the folder to the resources. Each is opened when a metric needs it.
    pub fn load(&self, resources: Resources) -> Resources {
        resources.with_tables(Arc::new(self.clone()))
    }

    /// Opens the paraphrase table of a language. The first time in a process it also verifies the checksum,
    /// because a damaged table would change scores without changing their signature.
    pub fn paraphrases(&self, language: Language) -> Result<Table> {
        let name = Name::Paraphrases(language);
        let table = self.unverified_paraphrases(language)?;
        self.once(name, || table.verify())?;
        Ok(table)
    }

    /// Opens the stem table of a language in the same way.
    pub fn stems(&self, language: Language) -> Result<StemTable> {
        let table = self.unverified_stems(language)?;
        self.once(Name::Stems(language), || table.verify())?;
        Ok(table)
    }

    fn unverified_paraphrases(&self, language: Language) -> Result<Table> {
        self.mapped(Name::Paraphrases(language), |bytes| Table::open(bytes))
    }

    fn unverified_stems(&self, language: Language) -> Result<StemTable> {
        self.mapped(Name::Stems(language), |bytes| StemTable::open(bytes))
    }

    /// Opens the synonyms of a language from an origin in the same way.
    pub fn synonyms(&self, origin: &'static str, code: &'static str) -> Result<SynonymTable> {
        let name = Name::Synonyms { origin, code };
        let table = self.unverified_synonyms(name)?;
        self.once(name, || table.verify())?;
        Ok(table)
    }

    fn unverified_synonyms(&self, name: Name) -> Result<SynonymTable> {
        self.mapped(name, |bytes| SynonymTable::open(bytes))
    }

    fn unverified_mecab(&self, name: Name) -> Result<Dictionary> {
        self.mapped(name, |bytes| Dictionary::open(bytes))
    }

    fn mapped<T>(
        &self,
        name: Name,
        open: impl FnOnce(Arc<map::Mapped>) -> bolide::Result<T>,
    ) -> Result<T> {
        let path = self.path(name);
        let bytes = Arc::new(map::open(&path).map_err(|e| Error::io(&path, &e))?);
        open(bytes).map_err(|e| reimport(&path, e))
    }

    /// Verifies a file, unless this process has verified it and it has not changed since.
    fn once(&self, name: Name, verify: impl FnOnce() -> bolide::Result<()>) -> Result<()> {
        static INTACT: Mutex<Vec<(PathBuf, u64, SystemTime)>> = Mutex::new(Vec::new());
        let path = self.path(name);
        let metadata = std::fs::metadata(&path).map_err(|e| Error::io(&path, &e))?;
        let modified = metadata.modified().map_err(|e| Error::io(&path, &e))?;
        let file = (path.clone(), metadata.len(), modified);
        let mut intact = INTACT.lock().unwrap_or_else(PoisonError::into_inner);
        if !intact.contains(&file) {
            verify().map_err(|e| reimport(&path, e))?;
            intact.push(file);
        }
        Ok(())
    }

    /// The tables in the folder, by name.
    pub fn list(&self) -> Result<Vec<Entry>> {
        self.names()?.into_iter().map(|name| self.entry(name)).collect()
    }

    /// Reads a whole table and verifies its checksum.
    pub fn verify(&self, name: Name) -> Result<Entry> {
        let path = self.path(name);
        let intact = match name {
            Name::Paraphrases(language) => self.unverified_paraphrases(language)?.verify(),
            Name::Stems(language) => self.unverified_stems(language)?.verify(),
            Name::Synonyms { .. } => self.unverified_synonyms(name)?.verify(),
            Name::Mecab(_) => self.unverified_mecab(name)?.verify(),
        };
        intact.map_err(|e| reimport(&path, e))?;
        self.entry(name)
    }

    /// Deletes a table.
    pub fn remove(&self, name: Name) -> Result<()> {
        let path = self.path(name);
        std::fs::remove_file(&path).map_err(|e| Error::io(&path, &e))
    }

    /// Compiles the tables of a source into the folder. An older table is only replaced by a complete new
    /// one.
    pub fn import(&self, source: &Source) -> Result<Vec<Entry>> {
        self.import_watched(source, &mut |_| ())
    }

    /// The same; `tell` gets the number of bytes of paraphrase tables that have been read ([`Source::size`]).
    pub fn import_watched(&self, source: &Source, tell: &mut dyn FnMut(u64)) -> Result<Vec<Entry>> {
        let names = import::import(self, source, &mut import::Watch::new(tell))?;
        names.into_iter().map(|name| self.entry(name)).collect()
    }

    fn entry(&self, name: Name) -> Result<Entry> {
        let path = self.path(name);
        let size = std::fs::metadata(&path).map_err(|e| Error::io(&path, &e))?.len();
        let (n_records, id) = match name {
            Name::Paraphrases(language) => {
                let table = self.unverified_paraphrases(language)?;
                (table.len(), table.id())
            }
            Name::Stems(language) => {
                let table = self.unverified_stems(language)?;
                (table.len(), table.id())
            }
            Name::Synonyms { .. } => {
                let table = self.unverified_synonyms(name)?;
                (table.len(), table.id())
            }
            Name::Mecab(_) => {
                let dictionary = self.unverified_mecab(name)?;
                (dictionary.len(), dictionary.id())
            }
        };
        Ok(Entry { name, path, size, n_records, id })
    }

    /// The names of the tables in the folder, which are not opened.
    pub fn names(&self) -> Result<Vec<Name>> {
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(problem) if problem.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(problem) => return Err(Error::io(&self.folder, &problem)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|e| Error::io(&self.folder, &e))?;
            let file = entry.file_name();
            let name = file.to_str().and_then(|file| file.strip_suffix(&format!(".{EXTENSION}")));
            names.extend(name.and_then(Name::parse));
        }
        names.sort();
        Ok(names)
    }

    /// Writes a compiled table under its name, completely or not at all.
    fn write(&self, name: Name, bytes: &[u8]) -> Result<()> {
        std::fs::create_dir_all(&self.folder).map_err(|e| Error::io(&self.folder, &e))?;
        let path = self.path(name);
        let write = || -> io::Result<()> {
            let mut builder = tempfile::Builder::new();
            builder.prefix(".bolide-");
            // With the permissions of the user's umask, because others may share the folder.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut file = builder.tempfile_in(&self.folder)?;
            io::Write::write_all(&mut file, bytes)?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|e| e.error)?;
            Ok(())
        };
        write().map_err(|e| Error::io(&path, &e))
    }
}

impl TableSource for Store {
    fn paraphrases(&self, language: Language) -> bolide::Result<Option<Table>> {
        self.open(Name::Paraphrases(language), || self.paraphrases(language))
    }

    fn stems(&self, language: Language) -> bolide::Result<Option<StemTable>> {
        self.open(Name::Stems(language), || self.stems(language))
    }

    fn synonyms(&self, origin: &str, language: &str) -> bolide::Result<Option<SynonymTable>> {
        match Name::parse(&format!("synonyms-{origin}-{language}")) {
            Some(name @ Name::Synonyms { origin, code }) => {
                self.open(name, || self.synonyms(origin, code))
            }
            _ => Ok(None),
        }
    }

    fn sentencepiece(&self, name: &str) -> bolide::Result<Option<Arc<SentencePiece>>> {
        let invalid = |problem: Error| bolide::Error::new(ErrorKind::InvalidTable, problem.message);
        sacrebleu::model(name).map_err(invalid)
    }

    fn mecab(&self, name: &str) -> bolide::Result<Option<Dictionary>> {
        let code = if name.starts_with("ja") { "ja" } else { "ko" };
        let name = Name::Mecab(code);
        self.open(name, || {
            let dictionary = self.unverified_mecab(name)?;
            self.once(name, || dictionary.verify())?;
            Ok(dictionary)
        })
    }
}

impl Store {
    /// Opens a table that the folder may have.
    fn open<T>(&self, name: Name, open: impl Fn() -> Result<T>) -> bolide::Result<Option<T>> {
        let not_there = |problem: io::Error| problem.kind() == io::ErrorKind::NotFound;
        if std::fs::metadata(self.path(name)).is_err_and(not_there) {
            return Ok(None);
        }
        open()
            .map(Some)
            .map_err(|problem| bolide::Error::new(ErrorKind::InvalidTable, problem.message))
    }
}

fn reimport(path: &Path, problem: bolide::Error) -> Error {
    Error::at(path, format!("{problem}; import it again with 'bolide data import'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for text in
            ["paraphrase-en", "stem-ar-bw-red", "paraphrase-other", "synonyms-omw-ja", "mecab-ko"]
        {
            assert_eq!(Name::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Name::parse("paraphrase-qq"), None);
        assert_eq!(Name::parse("paraphrase"), None);
        assert_eq!(Name::parse("synonyms-omw-qq"), None);
        assert_eq!(Name::parse("synonyms-made-up-ja"), None);
    }

    #[test]
    fn the_folder_follows_the_environment() {
        let folder = |pairs: &[(&str, &str)]| {
            let var = |name: &str| {
                pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
            };
            Store::from_environment(var).map(|store| store.folder)
        };
        assert_eq!(folder(&[("BOLIDE_DATA", "here"), ("HOME", "/h")]), Some("here".into()));
        if cfg!(all(unix, not(target_os = "macos"))) {
            let xdg = [("BOLIDE_DATA", ""), ("XDG_DATA_HOME", "/x"), ("HOME", "/h")];
            assert_eq!(folder(&xdg), Some("/x/bolide".into()));
            assert_eq!(folder(&[("HOME", "/h")]), Some("/h/.local/share/bolide".into()));
            assert_eq!(folder(&[]), None);
        }
    }
}
