//! ICU4X's dictionaries as bytes, for a build that does not contain them.
//!
//! They are 3 MB, and a browser should load them only for a text that needs them. The program contains them and writes them with
//! `write`; the page hands the same bytes to its module, once, with `give`.
//!
//! # Layout, format 1
//!
//! Numbers are little-endian. After a header of 40 bytes (magic, format, zeros, checksum as in WordNet's table, which the reader
//! knows) follow the dictionaries in the order of `NAMES`: the number of code points that bound the ranges of its alphabet, the number of bytes of
//! its trie, then both. A trie without an alphabet is of 16-bit units.

use super::words::Segmenter;
use crate::lexicon::table_checksum;
use crate::signature::Signature;
use crate::{Error, ErrorKind, Result, language};
use icu_collections::char16trie::Char16Trie;
use icu_collections::codepointinvlist::CodePointInversionList;
use icu_provider::prelude::*;
use icu_segmenter::provider::{
    DictionaryBreakData, SegmenterDictionaryAutoV2, SegmenterDictionaryExtendedV2,
};
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};
use std::sync::OnceLock;
use zerotrie::ZeroTrieSimpleAscii;
use zerovec::ZeroVec;

const MAGIC: &[u8; 8] = b"BOLIDEWD";
const FORMAT: u32 = 1;
const HEADER: usize = 40;
/// The checksum of the dictionaries of the release that signatures name: with others, a number would be signed falsely.
const CHECKSUM: u64 = 0x3cac_d637_3aec_8b45;
/// ICU4X's names of the dictionaries; the first is that of Chinese and Japanese.
const NAMES: [&str; 5] = ["cjdict", "burmesedict", "khmerdict", "laodict", "thaidict"];

/// The name of the file with the dictionaries.
pub fn file_name() -> String {
    format!("words-{}.dat", language::WORDS)
}

static GIVEN: OnceLock<Segmenter> = OnceLock::new();

/// Takes the dictionaries from the bytes that `write` made, for all metrics of the process. They are kept until it ends; a second
/// call changes nothing.
pub fn give(bytes: Vec<u8>) -> Result<()> {
    if GIVEN.get().is_none() {
        let _ = GIVEN.set(read(bytes)?);
    }
    Ok(())
}

/// The segmenter with the dictionaries that were given.
#[cfg(not(feature = "dictionaries"))]
pub(super) fn given() -> Option<Segmenter> {
    GIVEN.get().copied()
}

/// Fails if a metric needs dictionaries that this build does not contain and nobody has given.
pub(crate) fn check(signature: &Signature) -> Result<()> {
    let needs_them = signature.get("tok") == Some(language::WORDS);
    if cfg!(feature = "dictionaries") || !needs_them || GIVEN.get().is_some() {
        return Ok(());
    }
    let message = format!(
        "{}: tok:words needs {}, which is not loaded; tok:unspaced takes characters",
        signature.name(),
        file_name()
    );
    Err(Error::new(ErrorKind::Unavailable, message))
}

fn read(bytes: Vec<u8>) -> Result<Segmenter> {
    let invalid = |reason: &str| {
        Error::new(ErrorKind::InvalidTable, format!("the dictionaries cannot be used: {reason}"))
    };
    if bytes.get(..8) != Some(MAGIC) {
        return Err(invalid("the file does not start as it should"));
    }
    if number(&bytes, 8) != Some(FORMAT) {
        return Err(invalid("the file has another format"));
    }
    if table_checksum(&bytes) != CHECKSUM {
        return Err(invalid(&format!("they are damaged, or not those of {}", language::WORDS)));
    }
    // The whole process uses them in place.
    let mut rest: &'static [u8] = bytes.leak().get(HEADER..).unwrap_or_default();
    let mut given = Vec::with_capacity(NAMES.len());
    for _ in NAMES {
        let (dictionary, after) = dictionary(rest).ok_or_else(|| invalid("it is cut short"))?;
        given.push(dictionary);
        rest = after;
    }
    let mut words =
        WordSegmenter::new_for_non_complex_scripts(Default::default()).static_to_owned();
    words
        .load_dictionary_unstable(&Given(given.leak()))
        .map_err(|problem| invalid(&problem.to_string()))?;
    let words: WordSegmenterBorrowed<'static> = Box::leak(Box::new(words)).as_borrowed();
    Ok(Segmenter::of(words))
}

/// The first dictionary of the bytes, and what follows it.
fn dictionary(bytes: &'static [u8]) -> Option<(DictionaryBreakData<'static>, &'static [u8])> {
    let (n_bounds, n_bytes) = (number(bytes, 0)? as usize, number(bytes, 4)? as usize);
    let (bounds, rest) = bytes.get(8..)?.split_at_checked(n_bounds.checked_mul(4)?)?;
    let (trie, rest) = rest.split_at_checked(n_bytes)?;
    let dictionary = match bounds.is_empty() {
        true => DictionaryBreakData::Char16Trie(Char16Trie::new(ZeroVec::parse_bytes(trie).ok()?)),
        false => {
            let bounds: Option<Vec<u32>> = (0..n_bounds).map(|at| number(bounds, 4 * at)).collect();
            DictionaryBreakData::ZeroTrie {
                alphabet: CodePointInversionList::try_from_u32_inversion_list_slice(&bounds?)
                    .ok()?,
                trie: ZeroTrieSimpleAscii::from_store(ZeroVec::parse_bytes(trie).ok()?),
            }
        }
    };
    Some((dictionary, rest))
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

/// The dictionaries that were given, in the order of `NAMES`.
struct Given(&'static [DictionaryBreakData<'static>]);

impl Given {
    fn find<M>(&self, request: DataRequest<'_>) -> std::result::Result<DataResponse<M>, DataError>
    where
        M: DataMarker<DataStruct = DictionaryBreakData<'static>>,
    {
        let name = request.id.marker_attributes.as_str();
        let found = NAMES.iter().zip(self.0).find(|(known, _)| **known == name);
        match found {
            Some((_, dictionary)) => Ok(DataResponse {
                metadata: Default::default(),
                payload: DataPayload::from_static_ref(dictionary),
            }),
            None => Err(DataErrorKind::IdentifierNotFound.with_req(M::INFO, request)),
        }
    }
}

macro_rules! provide {
    ($($marker:ty),*) => {
        $(impl DataProvider<$marker> for Given {
            fn load(&self, request: DataRequest<'_>) -> std::result::Result<DataResponse<$marker>, DataError> {
                self.find(request)
            }
        })*
    };
}
provide!(SegmenterDictionaryAutoV2, SegmenterDictionaryExtendedV2);

/// The dictionaries of this build as bytes.
#[cfg(feature = "dictionaries")]
pub fn write() -> Vec<u8> {
    use icu_segmenter::provider::Baked;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(FORMAT.to_le_bytes());
    bytes.resize(HEADER, 0);
    let mut put = |dictionary: &DictionaryBreakData<'_>| {
        let (bounds, trie) = match dictionary {
            DictionaryBreakData::Char16Trie(trie) => (Vec::new(), trie.data.as_bytes()),
            DictionaryBreakData::ZeroTrie { alphabet, trie } => {
                (alphabet.get_inversion_list_vec(), trie.as_bytes())
            }
        };
        bytes.extend((bounds.len() as u32).to_le_bytes());
        bytes.extend((trie.len() as u32).to_le_bytes());
        bounds.iter().for_each(|bound| bytes.extend(bound.to_le_bytes()));
        bytes.extend(trie);
    };
    for (at, name) in NAMES.iter().enumerate() {
        let Ok(attributes) = DataMarkerAttributes::try_from_str(name) else { continue };
        let id = DataIdentifierBorrowed::for_marker_attributes(attributes);
        let request = DataRequest { id, metadata: Default::default() };
        // They are part of the program, and a test reads all of them back.
        if at == 0 {
            let found = DataProvider::<SegmenterDictionaryAutoV2>::load(&Baked, request);
            found.into_iter().for_each(|found| put(found.payload.get()));
        } else {
            let found = DataProvider::<SegmenterDictionaryExtendedV2>::load(&Baked, request);
            found.into_iter().for_each(|found| put(found.payload.get()));
        }
    }
    let sum = table_checksum(&bytes);
    bytes[32..HEADER].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[cfg(all(test, feature = "dictionaries"))]
mod tests {
    use super::*;
    use crate::text::Tokens;

    fn tokens(segmenter: Segmenter, text: &str) -> Vec<String> {
        let mut tokens = Tokens::new();
        segmenter.tokenize(text, &mut tokens);
        tokens.iter().map(str::to_owned).collect()
    }

    #[test]
    fn dictionaries_that_were_written_and_read_cut_as_those_of_the_program() {
        assert_eq!(table_checksum(&write()), CHECKSUM, "other dictionaries need another name");
        let read = read(write()).unwrap();
        for text in [
            "我喜欢猫。今天天气很好",
            "東京タワーに行きました",
            "สวัสดีชาวโลก",
            "ພາສາລາວ",
            "ភាសាខ្មែរជាភាសា",
            "မြန်မာဘာသာစကား",
            "plain words, only 我喜欢",
        ] {
            assert!(tokens(read, text).len() > 1, "{text}");
            assert_eq!(tokens(read, text), tokens(Segmenter::new(), text));
        }
        // Without a dictionary, a run would be one word or many.
        let lacking = WordSegmenter::new_for_non_complex_scripts(Default::default());
        assert_ne!(tokens(Segmenter::of(lacking), "สวัสดีชาวโลก"), tokens(read, "สวัสดีชาวโลก"));
    }

    #[test]
    fn other_bytes_are_refused() {
        let good = write();
        let fails = |bytes: &[u8], reason: &str| {
            let error = read(bytes.to_vec()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidTable);
            assert!(error.to_string().contains(reason), "{error}");
        };
        fails(b"", "does not start");
        fails(b"<!doctype html>", "does not start");
        fails(&good[..8], "another format");
        fails(&good[..100], "damaged");
        fails(&good[..good.len() - 1], "damaged");
        fails(&[&good[..], b"x"].concat(), "damaged");
        for at in [8, 20, 41, good.len() / 2, good.len() - 1] {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            // A checksum of its own does not help.
            let sum = table_checksum(&bytes);
            bytes[32..HEADER].copy_from_slice(&sum.to_le_bytes());
            fails(&bytes, if at == 8 { "another format" } else { "damaged" });
        }
    }

    #[test]
    fn dictionaries_that_are_cut_short_are_none() {
        let good: &'static [u8] = write().leak();
        assert!(dictionary(&good[HEADER..]).is_some());
        for length in [0, 4, 8, 100, 1_000_000] {
            assert!(dictionary(&good[HEADER..HEADER + length]).is_none(), "{length} bytes");
        }
        let huge: &'static [u8] = [u32::MAX.to_le_bytes(); 4].concat().leak();
        assert!(dictionary(huge).is_none());
    }
}
