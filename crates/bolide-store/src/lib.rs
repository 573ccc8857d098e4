//! The user's data folder: METEOR 1.5's large tables, compiled once and mapped into memory.
//!
//! The paraphrase tables and the Arabic stem table have their own licence, so they are not part of bolide.
//! [`Store::import`] compiles them from the user's copy (`paraphrase-en.gz`, a wheel, a jar) into compact
//! files, and [`Store::load`] lets the engine open them as [`Resources`]. The command and the Python package
//! share this crate; the engine opens no files.

mod import;
mod map;
mod zip;

pub use import::{Source, read_table};

use bolide::unstable::meteor15::paraphrase::Table;
use bolide::unstable::meteor15::{Language, StemTable};
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

/// The content of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Paraphrases.
    Paraphrases,
    /// Stems (Arabic).
    Stems,
}

impl Kind {
    /// The first part of the file's name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Paraphrases => "paraphrase",
            Kind::Stems => "stem",
        }
    }
}

/// The name of a table: `paraphrase-en`, `stem-ar-bw-red`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// Its content.
    pub kind: Kind,
    /// Its language.
    pub language: Language,
}

impl Name {
    /// Parses a name as it is printed.
    pub fn parse(text: &str) -> Option<Name> {
        [Kind::Paraphrases, Kind::Stems].into_iter().find_map(|kind| {
            let language = text.strip_prefix(kind.name())?.strip_prefix('-')?;
            Some(Name { kind, language: Language::parse(language)? })
        })
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.kind.name(), self.language.short())
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
    /// The number of paraphrases or words.
    pub n_records: usize,
    /// The first eight hexadecimal digits of the source's SHA-256.
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
        let name = Name { kind: Kind::Paraphrases, language };
        let table = self.unverified_paraphrases(language)?;
        self.once(name, || table.verify())?;
        Ok(table)
    }

    /// Opens the stem table of a language in the same way.
    pub fn stems(&self, language: Language) -> Result<StemTable> {
        let table = self.unverified_stems(language)?;
        self.once(Name { kind: Kind::Stems, language }, || table.verify())?;
        Ok(table)
    }

    fn unverified_paraphrases(&self, language: Language) -> Result<Table> {
        let path = self.path(Name { kind: Kind::Paraphrases, language });
        let bytes = Arc::new(map::open(&path).map_err(|e| Error::io(&path, &e))?);
        Table::open(bytes).map_err(|e| reimport(&path, e))
    }

    fn unverified_stems(&self, language: Language) -> Result<StemTable> {
        let path = self.path(Name { kind: Kind::Stems, language });
        let bytes = Arc::new(map::open(&path).map_err(|e| Error::io(&path, &e))?);
        StemTable::open(bytes).map_err(|e| reimport(&path, e))
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
        match name.kind {
            Kind::Paraphrases => {
                let table = self.unverified_paraphrases(name.language)?;
                table.verify().map_err(|e| reimport(&path, e))?;
            }
            Kind::Stems => {
                let table = self.unverified_stems(name.language)?;
                table.verify().map_err(|e| reimport(&path, e))?;
            }
        }
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
        let names = import::import(self, source)?;
        names.into_iter().map(|name| self.entry(name)).collect()
    }

    fn entry(&self, name: Name) -> Result<Entry> {
        let path = self.path(name);
        let size = std::fs::metadata(&path).map_err(|e| Error::io(&path, &e))?.len();
        let (n_records, id) = match name.kind {
            Kind::Paraphrases => {
                let table = self.unverified_paraphrases(name.language)?;
                (table.len(), table.id())
            }
            Kind::Stems => {
                let table = self.unverified_stems(name.language)?;
                (table.len(), table.id())
            }
        };
        Ok(Entry { name, path, size, n_records, id })
    }

    fn names(&self) -> Result<Vec<Name>> {
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
        let name = Name { kind: Kind::Paraphrases, language };
        self.open(name, || self.paraphrases(language))
    }

    fn stems(&self, language: Language) -> bolide::Result<Option<StemTable>> {
        let name = Name { kind: Kind::Stems, language };
        self.open(name, || self.stems(language))
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
        for text in ["paraphrase-en", "stem-ar-bw-red", "paraphrase-other"] {
            assert_eq!(Name::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Name::parse("paraphrase-qq"), None);
        assert_eq!(Name::parse("paraphrase"), None);
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
