//! MeCab: splits a text into the words of a compiled dictionary, along the path with the lowest cost.
//!
//! The dictionary is the caller's: [`Dictionary::pack`] takes MeCab's four files and leaves out what splitting does
//! not need, [`Dictionary::open`] uses the packed bytes in place. The search, its order among equal costs, and the
//! words that are made up for unknown characters are MeCab's.

mod lattice;
mod pack;

pub use pack::Files;

use crate::error::{Error, ErrorKind, Result};
use std::fmt;
use std::sync::Arc;

/// More characters of one kind than this are not one unknown word.
const LONGEST_GROUP: usize = 24;
/// The most words that begin at a place.
const MOST_RESULTS: usize = 512;

/// A packed dictionary. Cloning is cheap.
#[derive(Clone)]
pub struct Dictionary {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    parts: [std::ops::Range<usize>; pack::N_PARTS],
    /// The words for unknown characters of each category: the first token and their number.
    unknown: Vec<(usize, usize)>,
    n_left: usize,
}

/// The connection and the cost of a word.
#[derive(Clone, Copy, Debug)]
struct Token {
    left: u16,
    right: u16,
    pos: u16,
    cost: i16,
}

/// What MeCab knows about a character.
#[derive(Clone, Copy, Debug)]
struct Character(u32);

impl Character {
    fn categories(self) -> u32 {
        self.0 & 0x3_ffff
    }

    fn default_category(self) -> usize {
        (self.0 >> 18 & 0xff) as usize
    }

    fn length(self) -> usize {
        (self.0 >> 26 & 0xf) as usize
    }

    fn is_grouped(self) -> bool {
        self.0 >> 30 & 1 == 1
    }

    fn is_always_tried(self) -> bool {
        self.0 >> 31 == 1
    }

    fn is_kind_of(self, other: Character) -> bool {
        self.categories() & other.categories() != 0
    }
}

impl fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dictionary").field("len", &self.len()).finish_non_exhaustive()
    }
}

fn invalid(problem: &str) -> Error {
    Error::new(ErrorKind::InvalidTable, format!("the dictionary of MeCab {problem}"))
}

impl Dictionary {
    /// Packs the files of a dictionary.
    pub fn pack(files: &Files<'_>) -> Result<Vec<u8>> {
        pack::pack(files).ok_or_else(|| invalid("is damaged, of another version or not in UTF-8"))
    }

    /// Opens a packed dictionary. Reads only the header and checks that the size fits it.
    pub fn open(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<Self> {
        pack::open(bytes)
            .ok_or_else(|| invalid("is damaged, or was packed by another version of bolide"))
    }

    /// Reads the whole dictionary and verifies its checksum.
    pub fn verify(&self) -> Result<()> {
        match pack::is_intact((*self.bytes).as_ref()) {
            true => Ok(()),
            false => Err(invalid("is damaged: its checksum does not fit its content")),
        }
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        pack::n_words((*self.bytes).as_ref())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first eight hexadecimal digits of its checksum.
    pub fn id(&self) -> String {
        format!("{:08x}", pack::checksum((*self.bytes).as_ref()) >> 32)
    }

    fn part(&self, part: usize) -> &[u8] {
        (*self.bytes).as_ref().get(self.parts[part].clone()).unwrap_or_default()
    }

    fn unit(&self, trie: usize, at: i64) -> Option<(i32, u32)> {
        let bytes = self.part(trie).get(usize::try_from(at).ok()?.checked_mul(8)?..)?;
        let (base, rest) = bytes.split_first_chunk()?;
        Some((i32::from_le_bytes(*base), u32::from_le_bytes(*rest.first_chunk()?)))
    }

    /// Calls `each` with the value and the length of every key that the text begins with.
    fn prefixes(&self, trie: usize, text: &[u8], mut each: impl FnMut(u32, usize)) {
        let Some((base, _)) = self.unit(trie, 0) else { return };
        let mut base = i64::from(base);
        let mut n_results = 0;
        for length in 0..=text.len() {
            if let Some((value, check)) = self.unit(trie, base)
                && i64::from(check) == base
                && value < 0
                && n_results < MOST_RESULTS
            {
                each((-(i64::from(value)) - 1) as u32, length);
                n_results += 1;
            }
            let Some(&byte) = text.get(length) else { return };
            match self.unit(trie, base + i64::from(byte) + 1) {
                Some((next, check)) if i64::from(check) == base => base = i64::from(next),
                _ => return,
            }
        }
    }

    fn token(&self, part: usize, at: usize) -> Option<Token> {
        let bytes = self.part(part).get(at.checked_mul(8)?..)?.first_chunk::<8>()?;
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        Some(Token { left: short(0), right: short(2), pos: short(4), cost: short(6) as i16 })
    }

    /// The cost of a word after another.
    fn connection(&self, right_of_first: u16, left_of_second: u16) -> i32 {
        let at = usize::from(right_of_first) + self.n_left * usize::from(left_of_second);
        let cost = self.part(pack::MATRIX).get(at * 2..).and_then(<[u8]>::first_chunk);
        cost.map_or(0, |cost| i32::from(i16::from_le_bytes(*cost)))
    }

    /// The character at the start of a text and its length. Characters beyond the first plane are all one.
    fn character(&self, text: &str) -> (Character, usize) {
        let Some(c) = text.chars().next() else { return (Character(0), 1) };
        let code = if c.len_utf8() > 3 { 0 } else { u32::from(c) };
        let bytes = self.part(pack::CHARACTERS).get(code as usize * 4..);
        let known =
            bytes.and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes));
        (Character(known), c.len_utf8())
    }

    /// The extra cost of a word of this kind after a space, which only Korean has.
    fn penalty(&self, pos: u16) -> i32 {
        let (pairs, _) = self.part(pack::PENALTIES).as_chunks::<8>();
        let number =
            |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| i32::from_le_bytes(*bytes));
        let found = pairs.iter().find(|pair| number(&pair[..4]) == i32::from(pos));
        found.map_or(0, |pair| number(&pair[4..]))
    }
}

#[cfg(test)]
mod tests;
