//! The source of stems: Snowball, or a table for Arabic.
//!
//! The jar's Arabic table is keyed by the hash of the word, and the matcher compares hashes of stems. So
//! scoring needs only a map from hashes to hashes, and only that is kept.

use super::java;
use super::language::Language;
use super::paraphrase::sum as checksum;
use crate::error::{Error, ErrorKind, Result};
use crate::lexicon::snowball::Stemmer;
use std::fmt;
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"BLDSTEM2";
/// Magic, count, checksum of everything after it, identity of the source.
const HEADER: usize = 8 + 4 + 8 + 32;

/// A table of stems, compiled from the jar's `stem/LANGUAGE.gz`. Cloning is cheap.
#[derive(Clone)]
pub struct StemTable {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
}

impl fmt::Debug for StemTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StemTable").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl StemTable {
    /// Compiles the text of a table: a word, a number and a stem on each line; the rest of a line is
    /// ignored. Of words with the same hash the last one counts.
    pub fn compile(text: &str, source: [u8; 32]) -> Result<Vec<u8>> {
        let mut entries = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let mut fields = line.split_ascii_whitespace();
            let (Some(word), Some(_), Some(stem)) = (fields.next(), fields.next(), fields.next())
            else {
                return Err(Error::new(
                    ErrorKind::InvalidTable,
                    format!("line {} of the stem table has fewer than three fields", at + 1),
                ));
            };
            entries.push((java::hash(word), java::hash(stem)));
        }
        // Stable: the last of equal words stays last.
        entries.sort_by_key(|entry| entry.0);
        let mut kept: Vec<(i32, i32)> = Vec::with_capacity(entries.len());
        for entry in entries {
            match kept.last_mut() {
                Some(last) if last.0 == entry.0 => *last = entry,
                _ => kept.push(entry),
            }
        }
        let mut out = Vec::with_capacity(HEADER + kept.len() * 8);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&(kept.len() as u32).to_le_bytes());
        out.extend_from_slice(&[0; 8]);
        out.extend_from_slice(&source);
        for (word, stem) in kept {
            out.extend_from_slice(&word.to_le_bytes());
            out.extend_from_slice(&stem.to_le_bytes());
        }
        let sum = checksum(&out[20..]);
        out[12..20].copy_from_slice(&sum.to_le_bytes());
        Ok(out)
    }

    /// Opens a compiled table.
    pub fn open(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<Self> {
        let data = (*bytes).as_ref();
        let count = data.get(8..12).and_then(<[u8]>::first_chunk).copied().map(u32::from_le_bytes);
        let size = count.map(|count| HEADER + count as usize * 8);
        if data.get(..8) == Some(MAGIC) && size == Some(data.len()) {
            return Ok(StemTable { bytes });
        }
        Err(Error::new(ErrorKind::InvalidTable, "the stem table is damaged, or of another version"))
    }

    fn entries(&self) -> &[[u8; 8]] {
        (*self.bytes).as_ref().get(HEADER..).unwrap_or_default().as_chunks().0
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first eight hexadecimal digits of the source's SHA-256.
    pub fn id(&self) -> String {
        let source = (*self.bytes).as_ref().get(20..24).unwrap_or_default();
        source.iter().map(|b| format!("{b:02x}")).collect()
    }

    /// Reads the whole table and compares its checksum.
    pub fn verify(&self) -> Result<()> {
        let data = (*self.bytes).as_ref();
        let expected = data.get(12..20).and_then(<[u8]>::first_chunk).copied();
        let found = checksum(data.get(20..).unwrap_or_default());
        if expected.map(u64::from_le_bytes) == Some(found) {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::InvalidTable,
            "the stem table is damaged: its checksum does not fit its content",
        ))
    }

    /// The hash of the stem of the word with this hash, if the table has it.
    pub fn stem(&self, word: i32) -> Option<i32> {
        let key = |e: &[u8; 8]| i32::from_le_bytes([e[0], e[1], e[2], e[3]]);
        let entries = self.entries();
        let entry = entries.get(entries.partition_point(|entry| key(entry) < word))?;
        (key(entry) == word).then(|| i32::from_le_bytes([entry[4], entry[5], entry[6], entry[7]]))
    }
}

impl Language {
    /// The Snowball stemmer. Arabic has a table instead; Czech and other languages have none.
    pub fn stemmer(self) -> Option<Stemmer> {
        Some(match self {
            Language::English => Stemmer::English,
            Language::French => Stemmer::French,
            Language::Spanish => Stemmer::Spanish,
            Language::German => Stemmer::German,
            Language::Portuguese => Stemmer::Portuguese,
            Language::Russian => Stemmer::Russian,
            Language::Danish => Stemmer::Danish,
            Language::Romanian => Stemmer::Romanian,
            Language::Hungarian => Stemmer::Hungarian,
            Language::Turkish => Stemmer::Turkish,
            Language::Finnish => Stemmer::Finnish,
            Language::Dutch => Stemmer::Dutch,
            Language::Italian => Stemmer::Italian,
            Language::Norwegian => Stemmer::Norwegian,
            Language::Swedish => Stemmer::Swedish,
            Language::Czech | Language::Arabic | Language::Other => return None,
        })
    }
}

/// How words are stemmed.
#[derive(Clone, Debug)]
pub(super) enum Stems {
    /// No module needs stems.
    None,
    Snowball(Stemmer),
    Table(StemTable),
}

impl Stems {
    /// The hash of a word's stem.
    pub(super) fn hash(&self, word: &str, key: i32, buffer: &mut String) -> i32 {
        match self {
            Stems::None => key,
            Stems::Snowball(stemmer) => {
                stemmer.stem(word, buffer);
                java::hash(buffer)
            }
            Stems::Table(table) => table.stem(key).unwrap_or(key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_equal_words_counts() {
        let bytes = StemTable::compile("Aa 3 x 1 y\nb 1 c\nBB 2 z\n", [1; 32]).unwrap();
        let table = StemTable::open(Arc::new(bytes.clone())).unwrap();
        assert_eq!(table.len(), 2);
        assert_eq!(table.id(), "01010101");
        assert_eq!(table.stem(java::hash("Aa")), Some(java::hash("z")));
        assert_eq!(table.stem(java::hash("b")), Some(java::hash("c")));
        assert_eq!(table.stem(java::hash("q")), None);
        for length in 0..bytes.len() {
            assert!(StemTable::open(Arc::new(bytes[..length].to_vec())).is_err());
        }
        assert!(table.verify().is_ok());
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 1;
            let intact = StemTable::open(Arc::new(bad)).and_then(|table| table.verify());
            assert!(intact.is_err(), "byte {at}");
        }
        assert!(StemTable::compile("one two\n", [0; 32]).is_err());
    }
}
