//! Maps files into memory. The only file of this crate with `unsafe`.

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;

/// The bytes of a mapped file.
pub struct Mapped(Mmap);

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Maps a file into memory.
pub fn open(path: &Path) -> io::Result<Mapped> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file"));
    }
    // SAFETY: a mapping is sound as long as nobody changes the file while it is mapped. Ours are written
    // under a temporary name, renamed into place and never written again; replacing one does not change the
    // mapped file. Someone who overwrites a table in place while it is in use can make this process read
    // wrong numbers or, by truncating it, end it. The engine checks every access, but no program can prevent
    // that.
    #[allow(unsafe_code)]
    let map = unsafe { Mmap::map(&file)? };
    Ok(Mapped(map))
}
