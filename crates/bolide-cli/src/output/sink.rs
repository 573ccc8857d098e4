//! Where results go: stdout, or a file that appears only when it is complete.
//!
//! An output must not be one of the inputs: it would overwrite the text to be scored.

use super::unfinished::Unfinished;
use crate::error::{Context as _, Result, bail, from_io};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What standard output is called in errors.
pub const STDOUT: &str = "standard output";

/// Prints a text that needs no file.
pub fn to_stdout(bytes: &[u8]) -> Result<()> {
    let mut stdout = io::stdout();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).context(STDOUT)
}

/// A destination for results. The output is complete only after [`finish`](Sink::finish). A run that fails before
/// prints nothing of what is still in the buffer.
pub struct Sink {
    /// Taken when the output is finished.
    writer: Option<BufWriter<Target>>,
    name: String,
}

impl Drop for Sink {
    fn drop(&mut self) {
        // Dropping the writer itself would print the rest.
        drop(self.writer.take().map(BufWriter::into_parts));
    }
}

enum Target {
    Stdout(io::Stdout),
    /// A device, a pipe or a stream that is open already: there is no file to replace.
    Stream(File),
    File(Unfinished),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Stdout(stdout) => stdout.write(bytes),
            Target::Stream(file) => file.write(bytes),
            Target::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Stdout(stdout) => stdout.flush(),
            Target::Stream(file) => file.flush(),
            Target::File(file) => file.flush(),
        }
    }
}

impl Sink {
    /// Prepares the destination; without a path, or with `-`, it is stdout. It must not be one of the inputs.
    pub fn create<'a>(
        path: Option<&Path>,
        inputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Result<Self> {
        let is_named = |path: &&Path| path.as_os_str() != "-" && !streams::is_stdout(path);
        let Some(path) = path.filter(is_named) else {
            same::refuse_stdout(inputs)?;
            return Ok(Self::new(Target::Stdout(io::stdout()), STDOUT.to_owned()));
        };
        let name = path.display().to_string();
        if let Some(path) = streams::behind(path) {
            // What a redirected stream has written before stays.
            let file = File::options().append(true).open(&path).with_context(|| name.clone())?;
            return Ok(Self::new(Target::Stream(file), name));
        }
        let path = behind_links(path);
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => bail!("{name}: is a directory, expected a file"),
            Ok(metadata) if !metadata.is_file() => {
                let file = File::options().write(true).open(&path).with_context(|| name.clone())?;
                return Ok(Self::new(Target::Stream(file), name));
            }
            // A file that may not be written must not be replaced either.
            Ok(_) => drop(File::options().write(true).open(&path).with_context(|| name.clone())?),
            Err(_) => {}
        }
        same::refuse(&path, &name, inputs)?;
        let file = Unfinished::create(path).map_err(from_io);
        let file = file.with_context(|| format!("{name}: cannot be written"))?;
        Ok(Self::new(Target::File(file), name))
    }

    fn new(target: Target, name: String) -> Self {
        Sink { writer: Some(BufWriter::with_capacity(1 << 16, target)), name }
    }

    /// Writes the rest and gives a file its name.
    pub fn finish(mut self) -> Result<()> {
        let Some(mut writer) = self.writer.take() else { return Ok(()) };
        let name = std::mem::take(&mut self.name);
        writer.flush().with_context(|| name.clone())?;
        match writer.into_inner().map_err(|problem| problem.into_error())? {
            Target::File(file) => {
                file.finish().with_context(|| format!("{name}: cannot be written"))
            }
            Target::Stdout(_) | Target::Stream(_) => Ok(()),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Add the name to the error: the callers do not know the destination.
        let named = |problem: io::Error| {
            io::Error::new(problem.kind(), format!("{}: {problem}", self.name))
        };
        match &mut self.writer {
            Some(writer) => writer.write(bytes).map_err(named),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}

/// Follows links: an output replaces or creates the target of a link, not the link.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    // Linux gives up after the same number of steps.
    for _ in 0..40 {
        if let Ok(path) = fs::canonicalize(&path) {
            return path;
        }
        let Ok(target) = fs::read_link(&path) else { return path };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

/// Names of streams that a program has open: `/dev/stdout`, `/dev/fd/3`, what a shell makes of `>(…)`.
mod streams {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// The entry in a folder of open streams that a path leads to, if it does.
    pub fn behind(path: &Path) -> Option<PathBuf> {
        let mut path = path.to_owned();
        for _ in 0..40 {
            // The folder of a mere name is the present one.
            let folder = path.parent()?;
            let folder = fs::canonicalize(Path::new(".").join(folder)).ok()?;
            let here = folder.join(path.file_name()?);
            if is_folder(&folder) {
                return Some(here);
            }
            path = folder.join(fs::read_link(&here).ok()?);
        }
        None
    }

    pub fn is_stdout(path: &Path) -> bool {
        behind(path).is_some_and(|path| {
            let own = fs::canonicalize("/dev/fd").ok();
            path.file_name().is_some_and(|name| name == "1") && path.parent() == own.as_deref()
        })
    }

    fn is_folder(folder: &Path) -> bool {
        folder == Path::new("/dev/fd") || (folder.starts_with("/proc") && folder.ends_with("fd"))
    }
}

/// Outputs that are inputs at the same time.
mod same {
    use crate::error::{Result, bail};
    use crate::input::is_stdin;
    use std::fs::{self, Metadata};
    use std::path::{Path, PathBuf};

    /// Refuses an output file that is one of the inputs, by whatever name.
    pub fn refuse<'a>(
        path: &Path,
        name: &str,
        inputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Result<()> {
        let Ok(output) = fs::metadata(path) else { return Ok(()) };
        for input in inputs {
            let is_output = match metadata(input) {
                Some(input) => is_same(&input, &output),
                None => fs::canonicalize(input).is_ok_and(|input| input == path),
            };
            if is_output {
                bail!("{name}: is an input too, and would be overwritten");
            }
        }
        Ok(())
    }

    /// Refuses to append results to an input by redirection.
    pub fn refuse_stdout<'a>(inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
        let Some(output) = stream(std::io::stdout()).filter(Metadata::is_file) else {
            return Ok(());
        };
        for input in inputs {
            if metadata(input).is_some_and(|input| is_same(&input, &output)) {
                bail!("standard output: is an input too, and would be overwritten");
            }
        }
        Ok(())
    }

    /// The metadata of an input, if it can identify the file.
    #[cfg(unix)]
    fn metadata(input: &Path) -> Option<Metadata> {
        if is_stdin(input) { stream(std::io::stdin()) } else { fs::metadata(input).ok() }
    }

    #[cfg(unix)]
    fn stream(stream: impl std::os::fd::AsFd) -> Option<Metadata> {
        let file = stream.as_fd().try_clone_to_owned().ok()?;
        std::fs::File::from(file).metadata().ok()
    }

    #[cfg(unix)]
    fn is_same(one: &Metadata, other: &Metadata) -> bool {
        use std::os::unix::fs::MetadataExt;
        (one.dev(), one.ino()) == (other.dev(), other.ino())
    }

    #[cfg(not(unix))]
    fn metadata(_: &Path) -> Option<Metadata> {
        None
    }

    #[cfg(not(unix))]
    fn stream<T>(_: T) -> Option<Metadata> {
        None
    }

    #[cfg(not(unix))]
    fn is_same(_: &Metadata, _: &Metadata) -> bool {
        false
    }
}
