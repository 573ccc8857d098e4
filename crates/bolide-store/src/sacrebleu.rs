//! The SentencePiece models that sacreBLEU has downloaded: found in its folder, read once in a process.

use crate::{Error, Result, map};
use bolide::unstable::text::sentencepiece::SentencePiece;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// sacreBLEU's names and those of its files.
const MODELS: [(&str, &str); 3] = [
    ("flores101", "sacrebleu_tokenizer_spm.model"),
    ("flores200", "flores200sacrebleuspm"),
    ("spBLEU-1K", "spbleu-1k_tokenizer_spm.model"),
];

/// The folder of sacreBLEU: `$SACREBLEU`, or else `~/.sacrebleu`.
fn folder(var: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let home = var(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from);
    match (var("SACREBLEU").map(PathBuf::from), home) {
        (Some(folder), Some(home)) => match folder.strip_prefix("~") {
            Ok(rest) => Some(home.join(rest)),
            Err(_) => Some(folder),
        },
        (Some(folder), None) => Some(folder),
        (None, home) => home.map(|home| home.join(".sacrebleu")),
    }
}

/// A file that has been read: its path, length and time.
type Known = (PathBuf, u64, SystemTime);

/// The model of a name, if sacreBLEU has downloaded it.
pub fn model(name: &str) -> Result<Option<Arc<SentencePiece>>> {
    static READ: Mutex<Vec<(Known, Arc<SentencePiece>)>> = Mutex::new(Vec::new());
    let file = MODELS.iter().find(|(known, _)| *known == name).map(|(_, file)| file);
    let (Some(file), Some(folder)) = (file, folder(|name| std::env::var_os(name))) else {
        return Ok(None);
    };
    let path = folder.join("models").join(file);
    let metadata = match std::fs::metadata(&path) {
        Ok(metadata) => metadata,
        Err(problem) if problem.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(problem) => return Err(Error::io(&path, &problem)),
    };
    let modified = metadata.modified().map_err(|e| Error::io(&path, &e))?;
    let known = (path.clone(), metadata.len(), modified);
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, model)) = read.iter().find(|(file, _)| *file == known) {
        return Ok(Some(model.clone()));
    }
    let bytes = map::open(&path).map_err(|e| Error::io(&path, &e))?;
    let model = SentencePiece::read(bytes.as_ref()).map_err(|e| Error::at(&path, e))?;
    let model = Arc::new(model);
    read.push((known, model.clone()));
    Ok(Some(model))
}

#[cfg(test)]
mod tests {

    #[test]
    fn the_folder_is_sacrebleus() {
        let folder = |pairs: &[(&str, &str)]| {
            super::folder(|name| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| v.into()))
        };
        let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        assert_eq!(folder(&[(home, "/h")]), Some("/h/.sacrebleu".into()));
        assert_eq!(folder(&[(home, "/h"), ("SACREBLEU", "/s")]), Some("/s".into()));
        assert_eq!(folder(&[(home, "/h"), ("SACREBLEU", "~/s")]), Some("/h/s".into()));
        assert_eq!(folder(&[]), None);
    }
}
