//! Where results go: stdout, or a file that appears only when it is complete.
//!
//! A file is first written without a name, so that nothing is left behind however the run ends,
//! then copied beside its place and renamed into it.

use crate::error::{Context as _, Result, bail, from_io};
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

/// A place for results. Nothing is promised before [`finish`](Sink::finish).
pub struct Sink {
    writer: BufWriter<Target>,
    /// The file to put in place at the end.
    place: Option<PathBuf>,
    name: String,
}

enum Target {
    Stdout(io::Stdout),
    File(File),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Stdout(stdout) => stdout.write(bytes),
            Target::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Stdout(stdout) => stdout.flush(),
            Target::File(file) => file.flush(),
        }
    }
}

impl Sink {
    /// Prepares the place; without a path, or with `-`, it is stdout.
    pub fn create(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            let target = Target::Stdout(io::stdout());
            return Ok(Self::new(target, None, "standard output".to_owned()));
        };
        let name = path.display().to_string();
        // A link keeps its place: what it points to is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => bail!("{name}: is a directory, expected a file"),
            // A device or a named pipe has no contents that could be replaced.
            Ok(metadata) if !metadata.is_file() => {
                let file = File::options().write(true).open(&path).with_context(|| name.clone())?;
                return Ok(Self::new(Target::File(file), None, name));
            }
            _ => {}
        }
        let file = tempfile::tempfile_in(folder(&path)).map_err(from_io);
        let file = file.with_context(|| format!("{name}: cannot be written"))?;
        Ok(Self::new(Target::File(file), Some(path), name))
    }

    fn new(target: Target, place: Option<PathBuf>, name: String) -> Self {
        Sink { writer: BufWriter::with_capacity(1 << 16, target), place, name }
    }

    /// Writes out what is left and puts a file in its place.
    pub fn finish(mut self) -> Result<()> {
        self.writer.flush().with_context(|| self.name.clone())?;
        let Some(place) = &self.place else { return Ok(()) };
        let put = |written: &mut File| -> io::Result<()> {
            written.rewind()?;
            let mut builder = tempfile::Builder::new();
            builder.prefix(".bolide-");
            #[cfg(unix)]
            builder.permissions(permissions(place));
            let mut beside = builder.tempfile_in(folder(place))?;
            io::copy(written, &mut beside)?;
            beside.as_file().sync_all()?;
            beside.persist(place)?;
            Ok(())
        };
        match self.writer.get_mut() {
            Target::File(file) => {
                put(file).with_context(|| format!("{}: cannot be written", self.name))
            }
            Target::Stdout(_) => Ok(()),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The name goes into the error: those who write do not know where to.
        let named = |problem: io::Error| {
            io::Error::new(problem.kind(), format!("{}: {problem}", self.name))
        };
        self.writer.write(bytes).map_err(named)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Those of the file that is replaced, or else what the user's mask allows.
#[cfg(unix)]
fn permissions(place: &Path) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(place).map_or(fs::Permissions::from_mode(0o666), |metadata| metadata.permissions())
}
