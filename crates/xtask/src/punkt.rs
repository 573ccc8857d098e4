//! `cargo xtask punkt`: the Punkt English model as one small table.
//!
//! The input is `punkt_tab/english` of nltk_data from the PyPI wheel `llama-index-core`; the four files are
//! checked by SHA-256. The output is a sorted, front-coded map from a key to a byte of flags, which
//! `bolide::unstable::text::punkt_table` documents and reads. Data that no decision can observe is left out:
//! see [`orthographic_flags`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::generated::{python, workspace, write_or_check};

const PACKAGE: &str = "llama-index-core==0.14.25";
const WHEEL: &str = "llama_index_core-0.14.25-py3-none-any.whl";
const INSIDE: &str = "llama_index/core/_static/nltk_cache/tokenizers/punkt_tab/english";
const OUTPUT: &str = "crates/bolide-data/data/punkt-english.dat";

const ABBREVIATIONS: (&str, &str) =
    ("abbrev_types.txt", "92a3e070f43d9b4c5534758ca40ad7343b04e7e29bfe0c2eb658a39445a4f779");
const COLLOCATIONS: (&str, &str) =
    ("collocations.tab", "8e2da1225e4dd2cc9dba261ee231ccb134859e21b46006e7f472c5ee269af0cf");
const ORTHOGRAPHY: (&str, &str) =
    ("ortho_context.tab", "4bbcca25ed3d3f06c02402abf8419b9f033b8adc06e7b482eca4e45f81a5dc4c");
const STARTERS: (&str, &str) =
    ("sent_starters.txt", "f3f8535483e1dba487241b764945168123bca3209a9645e59acd1225dc76edac");

const ABBREVIATION: u8 = 1;
const STARTER: u8 = 2;
const COLLOCATION: u8 = 4;
const SEEN_LOWER: u8 = 8;
const SEEN_UPPER_INSIDE: u8 = 16;
const ONLY_LOWER_AT_START: u8 = 32;

const MAGIC: &[u8; 8] = b"BLDPNKT2";
/// The most frequent flags; others are written out.
const CLASSES: [u8; 3] = [SEEN_LOWER, SEEN_LOWER | SEEN_UPPER_INSIDE, ABBREVIATION];

pub fn run(from: Option<&str>, check: bool) -> Result<String, String> {
    let folder = match from {
        Some(folder) => PathBuf::from(folder),
        None => download()?,
    };
    let table = encode(&collect(&folder)?)?;
    write_or_check(OUTPUT, &table, check)
}

/// Downloads the wheel into the target folder once, and unpacks it there.
fn download() -> Result<PathBuf, String> {
    let cache = workspace().join("target/xtask/punkt");
    let folder = cache.join(INSIDE);
    if folder.join(ORTHOGRAPHY.0).exists() {
        return Ok(folder);
    }
    std::fs::create_dir_all(&cache).map_err(|e| format!("cannot make {}: {e}", cache.display()))?;
    python(&cache, &["-m", "pip", "download", "--quiet", "--no-deps", "--dest", ".", PACKAGE])?;
    python(&cache, &["-m", "zipfile", "-e", WHEEL, "."])?;
    Ok(folder)
}

fn collect(folder: &Path) -> Result<BTreeMap<Vec<u8>, u8>, String> {
    let mut map: BTreeMap<Vec<u8>, u8> = BTreeMap::new();
    let mut add = |key: &str, flags: u8| *map.entry(key.as_bytes().to_vec()).or_default() |= flags;
    for line in read(folder, ABBREVIATIONS)?.split('\n') {
        add(line, ABBREVIATION);
    }
    for line in read(folder, STARTERS)?.split('\n') {
        add(line, STARTER);
    }
    for line in read(folder, COLLOCATIONS)?.split('\n') {
        add(line, COLLOCATION);
    }
    for line in read(folder, ORTHOGRAPHY)?.split('\n') {
        let (word, mask) = line.split_once('\t').ok_or("a line without a tab")?;
        let mask = mask.parse().map_err(|e| format!("{word}: {e}"))?;
        let flags = orthographic_flags(mask);
        if flags != 0 {
            add(word, flags);
        }
    }
    Ok(map)
}

fn read(folder: &Path, (name, sha256): (&str, &str)) -> Result<String, String> {
    let path = folder.join(name);
    let bytes = std::fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if digest != sha256 {
        return Err(format!("{}: SHA-256 is {digest}, expected {sha256}", path.display()));
    }
    String::from_utf8(bytes).map_err(|e| format!("{}: {e}", path.display()))
}

/// The part of an orthographic context that the splitter can observe.
///
/// The splitter checks whether the word was seen in lower case; if so, whether it was seen upper-case inside
/// a sentence; and for a lower-case word, whether it was never seen upper-case although it began a sentence.
/// A word that was only seen upper-case behaves like an unknown one, so it is left out.
fn orthographic_flags(mask: u8) -> u8 {
    let upper = mask & 14 != 0;
    let lower = mask & 112 != 0;
    let upper_inside = mask & 4 != 0;
    let lower_at_start = mask & 16 != 0;
    let mut flags = 0;
    if lower {
        flags |= SEEN_LOWER;
        if upper_inside {
            flags |= SEEN_UPPER_INSIDE;
        }
        if lower_at_start && !upper {
            flags |= ONLY_LOWER_AT_START;
        }
    }
    flags
}

/// The table: magic, then for each key a byte with the class of its flags and the number of bytes to drop
/// from the previous key, its flags unless the class implies them, and the bytes to append.
fn encode(map: &BTreeMap<Vec<u8>, u8>) -> Result<Vec<u8>, String> {
    let mut table = MAGIC.to_vec();
    let mut previous: &[u8] = &[];
    for (key, &flags) in map {
        let name = String::from_utf8_lossy(key);
        if key.is_empty() || !key.is_ascii() {
            return Err(format!("{name:?}: a key must be ASCII, and not empty"));
        }
        let shared = previous.iter().zip(key).take_while(|(a, b)| a == b).count();
        let dropped = u8::try_from(previous.len() - shared).ok().filter(|&n| n < 32);
        let dropped = dropped.ok_or_else(|| format!("{name:?}: drops more than 31 bytes"))?;
        match CLASSES.iter().position(|&class| class == flags) {
            Some(class) => table.push(0x80 | (class as u8) << 5 | dropped),
            None => table.extend([0x80 | 3 << 5 | dropped, flags]),
        }
        table.extend(&key[shared..]);
        previous = key;
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The three answers of the orthographic heuristic and the test "never seen lower-case", from the full
    /// mask and from the flags, for every mask.
    #[test]
    fn the_flags_answer_every_question_the_mask_answers() {
        for mask in 0..=127u8 {
            let mask = mask & !1;
            let flags = orthographic_flags(mask);
            let upper_is_start = mask & 112 != 0 && mask & 4 == 0;
            assert_eq!(upper_is_start, flags & SEEN_LOWER != 0 && flags & SEEN_UPPER_INSIDE == 0);
            let lower_is_no_start = mask & 14 != 0 || mask & 16 == 0;
            assert_eq!(lower_is_no_start, flags & ONLY_LOWER_AT_START == 0);
            assert_eq!(mask & 112 == 0, flags & SEEN_LOWER == 0);
        }
    }
}
