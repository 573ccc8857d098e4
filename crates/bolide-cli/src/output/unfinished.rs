//! A file that gets its name only when it is complete.
//!
//! On Linux it has no name until then (`O_TMPFILE`), so nothing is left behind however the run ends. If the
//! final name is free, the file gets it directly. If a file with that name exists, a rename replaces it; for
//! that moment the new file is called `.bolide-` and six letters. On other systems, and on file systems without
//! nameless files, it has such a name from the start. An interrupted run removes it; after a SIGKILL it stays.
//! In all cases its contents are written only once.

use super::leftover::Leftover;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that is being written, and its final path.
pub struct Unfinished {
    place: PathBuf,
    file: Kept,
}

enum Kept {
    #[cfg(target_os = "linux")]
    Nameless(File),
    Named(NamedTempFile, Leftover),
}

impl Unfinished {
    /// Opens a file for a path that is free or is an existing file.
    pub fn create(place: PathBuf) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Ok(file) = linux::nameless(folder(&place)) {
            return Ok(Unfinished { place, file: Kept::Nameless(file) });
        }
        Self::named(place)
    }

    fn named(place: PathBuf) -> io::Result<Self> {
        let file = named(&place)?;
        let leftover = Leftover::new(file.path());
        Ok(Unfinished { place, file: Kept::Named(file, leftover) })
    }

    /// Gives the file its final name, and the permissions of the file that it replaces.
    pub fn finish(self) -> io::Result<()> {
        let Unfinished { place, file } = self;
        let written = match &file {
            #[cfg(target_os = "linux")]
            Kept::Nameless(file) => file,
            Kept::Named(file, _) => file.as_file(),
        };
        if let Ok(old) = fs::metadata(&place) {
            written.set_permissions(old.permissions())?;
        }
        written.sync_all()?;
        match file {
            #[cfg(target_os = "linux")]
            Kept::Nameless(file) => linux::put(file, &place),
            Kept::Named(file, _leftover) => persist(file, &place),
        }
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            #[cfg(target_os = "linux")]
            Kept::Nameless(file) => file.write(bytes),
            Kept::Named(file, _) => file.as_file_mut().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.file {
            #[cfg(target_os = "linux")]
            Kept::Nameless(file) => file.flush(),
            Kept::Named(file, _) => file.as_file_mut().flush(),
        }
    }
}

/// A file in the same folder, with the permissions that the user's mask allows.
fn named(place: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".bolide-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder(place))
}

fn persist<F>(file: NamedTempFile<F>, place: &Path) -> io::Result<()> {
    file.persist(place).map(drop).map_err(|problem| problem.error)
}

fn folder(place: &Path) -> &Path {
    match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use super::{Leftover, folder, named, persist};
    use rustix::fs::{AtFlags, CWD, Mode, OFlags};
    use std::fs::File;
    use std::io::{self, Seek};
    use std::os::fd::AsRawFd;
    use std::path::Path;

    pub fn nameless(folder: &Path) -> io::Result<File> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = rustix::fs::open(folder, flags, Mode::from_raw_mode(0o666))?;
        Ok(File::from(file))
    }

    /// Gives the file a name that is free.
    fn link(file: &File, path: &Path) -> io::Result<()> {
        let this = format!("/proc/self/fd/{}", file.as_raw_fd());
        Ok(rustix::fs::linkat(CWD, this.as_str(), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
    }

    pub fn put(mut file: File, place: &Path) -> io::Result<()> {
        let taken = match link(&file, place) {
            Ok(()) => return Ok(()),
            Err(problem) => problem.kind() == io::ErrorKind::AlreadyExists,
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".bolide-");
        // Signals are caught before the name exists: one that comes right after it would leave the file.
        let mut leftover = None;
        let beside = match taken {
            true => builder.make_in(folder(place), |path| {
                leftover = Some(Leftover::new(path));
                link(&file, path)
            }),
            false => Err(io::ErrorKind::Unsupported.into()),
        };
        if let Ok(beside) = beside {
            return persist(beside, place);
        }
        drop(leftover);
        // Some file systems have nameless files but cannot name them later: copy the contents.
        let mut copy = named(place)?;
        let _leftover = Leftover::new(copy.path());
        copy.as_file().set_permissions(file.metadata()?.permissions())?;
        file.rewind()?;
        io::copy(&mut file, &mut copy)?;
        copy.as_file().sync_all()?;
        persist(copy, place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn both_kinds_are_put_in_a_free_place_and_in_a_taken_one() {
        for create in [Unfinished::create, Unfinished::named] {
            let folder = tempfile::tempdir().unwrap();
            let place = folder.path().join("out");
            for text in ["first", "second"] {
                let mut unfinished = create(place.clone()).unwrap();
                unfinished.write_all(text.as_bytes()).unwrap();
                unfinished.finish().unwrap();
                assert_eq!(fs::read_to_string(&place).unwrap(), text);
                assert_eq!(files(folder.path()), ["out"]);
            }
            drop(create(place.clone()).unwrap());
            assert_eq!(files(folder.path()), ["out"]);
        }
    }

    /// The variable that tells the child process of the next test where to write.
    const CHILD: &str = "BOLIDE_TEST_UNFINISHED";

    #[test]
    #[cfg(unix)]
    fn an_interrupted_run_removes_a_file_with_a_name() {
        use std::os::unix::process::ExitStatusExt;
        use std::process::Command;
        use std::time::Duration;
        if let Some(folder) = std::env::var_os(CHILD) {
            let _unfinished = Unfinished::named(PathBuf::from(folder).join("out")).unwrap();
            std::thread::sleep(Duration::from_secs(60));
            return;
        }
        for (signal, number) in [("INT", 2), ("TERM", 15)] {
            let folder = tempfile::tempdir().unwrap();
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args([
                    "--exact",
                    "output::unfinished::tests::an_interrupted_run_removes_a_file_with_a_name",
                ])
                .env(CHILD, folder.path())
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap();
            // The file exists a moment before signals are caught.
            while files(folder.path()).is_empty() {
                std::thread::sleep(Duration::from_millis(5));
            }
            std::thread::sleep(Duration::from_millis(300));
            let kill = ["-s", signal, &child.id().to_string()];
            assert!(Command::new("kill").args(kill).status().unwrap().success());
            assert_eq!(child.wait().unwrap().signal(), Some(number));
            assert_eq!(files(folder.path()), [""; 0]);
        }
    }
}
