//! Packs MeCab's compiled files into one, and opens it.

use super::Dictionary;
use crate::meteor15::paraphrase::sum;
use std::ops::Range;
use std::sync::Arc;

/// MeCab's files.
pub struct Files<'a> {
    /// `sys.dic`
    pub words: &'a [u8],
    /// `unk.dic`
    pub unknown: &'a [u8],
    /// `matrix.bin`
    pub matrix: &'a [u8],
    /// `char.bin`
    pub characters: &'a [u8],
    /// `dicrc`
    pub settings: &'a str,
}

pub(super) const WORD_TRIE: usize = 0;
pub(super) const WORD_TOKENS: usize = 1;
pub(super) const UNKNOWN_TRIE: usize = 2;
pub(super) const UNKNOWN_TOKENS: usize = 3;
pub(super) const MATRIX: usize = 4;
pub(super) const CHARACTERS: usize = 5;
pub(super) const CATEGORIES: usize = 6;
pub(super) const PENALTIES: usize = 7;
pub(super) const N_PARTS: usize = 8;

const MAGIC: &[u8; 8] = b"BLDMECB1";
/// Magic, number of words, left attributes, sizes of the parts; then the checksum.
const CHECKSUM: usize = 8 + 8 + N_PARTS * 4;
const HEADER: usize = CHECKSUM + 8;

/// The parts of a dictionary of MeCab.
struct Dic<'a> {
    n_words: u32,
    trie: &'a [u8],
    tokens: Vec<u8>,
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

impl<'a> Dic<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        // Magic, version, kind, words, attributes, sizes, charset.
        let number = |at: usize| long(bytes, at * 4).map(|n| n as usize);
        if number(0)? ^ 0xef71_8f77 != bytes.len() || number(1)? != 102 {
            return None;
        }
        let charset = bytes.get(40..72)?.split(|&byte| byte == 0).next()?;
        let charset: Vec<u8> = charset
            .iter()
            .filter(|b| b.is_ascii_alphanumeric())
            .map(u8::to_ascii_lowercase)
            .collect();
        if charset != b"utf8" {
            return None;
        }
        let (trie_size, tokens_size) = (number(6)?, number(7)?);
        let trie = bytes.get(72..72usize.checked_add(trie_size)?)?;
        let tokens = bytes.get(72 + trie_size..(72 + trie_size).checked_add(tokens_size)?)?;
        // Each has two more numbers, which say where its features are.
        let tokens = tokens.as_chunks::<16>().0.iter().flat_map(|token| token[..8].iter().copied());
        Some(Dic { n_words: number(3)? as u32, trie, tokens: tokens.collect() })
    }
}

/// Packs the files of a dictionary; `None` if they are damaged or not in UTF-8.
pub(super) fn pack(files: &Files<'_>) -> Option<Vec<u8>> {
    let (words, unknown) = (Dic::read(files.words)?, Dic::read(files.unknown)?);
    let (matrix_sizes, matrix) = files.matrix.split_first_chunk::<4>()?;
    let [n_left, n_right] =
        [[0, 1], [2, 3]].map(|at| u16::from_le_bytes(at.map(|at| matrix_sizes[at])));
    if matrix.len() != usize::from(n_left) * usize::from(n_right) * 2 {
        return None;
    }
    let n_categories = long(files.characters, 0)? as usize;
    let (categories, characters) =
        files.characters.get(4..)?.split_at_checked(n_categories.checked_mul(32)?)?;
    if characters.len() != 0xffff * 4 {
        return None;
    }
    let penalties = penalties(files.settings);
    let parts: [&[u8]; N_PARTS] = [
        words.trie,
        &words.tokens,
        unknown.trie,
        &unknown.tokens,
        matrix,
        characters,
        categories,
        &penalties,
    ];
    let mut out = MAGIC.to_vec();
    out.extend(words.n_words.to_le_bytes());
    out.extend(u32::from(n_left).to_le_bytes());
    for part in parts {
        out.extend(u32::try_from(part.len()).ok()?.to_le_bytes());
    }
    out.extend_from_slice(&[0; 8]);
    parts.iter().for_each(|part| out.extend_from_slice(part));
    let sum = content(&out).to_le_bytes();
    out.get_mut(CHECKSUM..HEADER)?.copy_from_slice(&sum);
    Some(out)
}

/// Opens a packed dictionary; `None` if it is none.
pub(super) fn open(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Option<Dictionary> {
    let data = (*bytes).as_ref();
    if data.get(..8)? != MAGIC {
        return None;
    }
    let n_left = long(data, 12)? as usize;
    let mut end = HEADER;
    let mut parts = [const { 0..0 }; N_PARTS];
    for (part, at) in parts.iter_mut().zip(0..) {
        let start = end;
        end = end.checked_add(long(data, 16 + at * 4)? as usize)?;
        *part = Range { start, end };
    }
    if end != data.len() {
        return None;
    }
    let mut dictionary = Dictionary { bytes, parts, unknown: Vec::new(), n_left };
    let names: Vec<Vec<u8>> = dictionary
        .part(CATEGORIES)
        .as_chunks::<32>()
        .0
        .iter()
        .map(|name| name.split(|&byte| byte == 0).next().unwrap_or_default().to_vec())
        .collect();
    for name in names {
        let mut found = (0, 0);
        dictionary.prefixes(UNKNOWN_TRIE, &name, |value, length| {
            if length == name.len() {
                found = ((value >> 8) as usize, (value & 0xff) as usize);
            }
        });
        dictionary.unknown.push(found);
    }
    Some(dictionary)
}

/// The number of words of a packed dictionary.
pub(super) fn n_words(packed: &[u8]) -> usize {
    long(packed, 8).unwrap_or(0) as usize
}

/// The checksum that a packed dictionary says it has.
pub(super) fn checksum(packed: &[u8]) -> u64 {
    let bytes = packed.get(CHECKSUM..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Whether the checksum fits the content.
pub(super) fn is_intact(packed: &[u8]) -> bool {
    checksum(packed) == content(packed)
}

/// The checksum of everything except the checksum itself.
fn content(packed: &[u8]) -> u64 {
    let (head, body) = (packed.get(..CHECKSUM), packed.get(HEADER..));
    sum(head.unwrap_or_default()) ^ sum(body.unwrap_or_default()).rotate_left(1)
}

/// MeCab-ko's costs of words after a space: pairs of a part of speech and a cost.
fn penalties(settings: &str) -> Vec<u8> {
    let line = settings.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == "left-space-penalty-factor").then_some(value)
    });
    let numbers: Vec<i32> =
        line.unwrap_or_default().split(',').filter_map(|n| n.trim().parse().ok()).collect();
    numbers.as_chunks::<2>().0.iter().flatten().flat_map(|n| n.to_le_bytes()).collect()
}
