//! Paraphrase tables: the phrases that a table pairs, in one compact file.
//!
//! A compiled table is a flat sequence of little-endian numbers that is used in place, mapped into memory or
//! not: a sorted list of words, a trie of phrases in breadth-first order, for each phrase its pairs in the
//! order of the source, and a hash table of the steps through the trie. [`Compiler`] builds it, from the text
//! that [`Records`] reads. Opening reads
//! only the header; [`Table::verify`] reads everything. A damaged file can only cause an error or lose
//! matches, because every access is checked.

mod compile;
mod edges;

pub use compile::{Compiler, Records};

use crate::error::{Error, ErrorKind, Result};
use edges::Edges;
use std::fmt;
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"BLDPARA3";
/// Magic, four counts and a reserved zero, checksum, identity of the source, language.
const HEADER: usize = 8 + 5 * 4 + 8 + 32 + 20;

/// A table and its bytes. Cloning is cheap.
#[derive(Clone)]
pub struct Table {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    header: Header,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Header {
    n_words: usize,
    n_word_bytes: usize,
    n_nodes: usize,
    n_records: usize,
    checksum: u64,
    source: [u8; 32],
    language: String,
}

impl Header {
    /// The ends of the sections, in order: word ends, word bytes, words, node words, nodes, records,
    /// edges.
    fn ends(&self) -> Option<[usize; 7]> {
        let sizes = [
            self.n_words.checked_add(1)?.checked_mul(4)?,
            self.n_word_bytes.checked_next_multiple_of(4)?,
            self.n_words.checked_mul(8)?,
            self.n_nodes.checked_mul(4)?,
            self.n_nodes.checked_add(1)?.checked_mul(8)?,
            self.n_records.checked_mul(4)?,
            edges::n_buckets(self.n_nodes).checked_mul(edges::BUCKET)?,
        ];
        let mut end = HEADER;
        let mut ends = [0; 7];
        for (to, size) in ends.iter_mut().zip(sizes) {
            end = end.checked_add(size)?;
            *to = end;
        }
        // Padding after the records keeps buckets from crossing cache lines.
        let edges = ends[5].checked_next_multiple_of(edges::BUCKET)?;
        ends[6] = ends[6].checked_add(edges - ends[5])?;
        ends[5] = edges;
        Some(ends)
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("header", &self.header).finish_non_exhaustive()
    }
}

fn damaged(what: &str) -> Error {
    Error::new(ErrorKind::InvalidTable, format!("the paraphrase table is damaged: {what}"))
}

impl Table {
    /// Opens a compiled table. Reads only the header and checks that the size fits it.
    pub fn open(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<Self> {
        let data = (*bytes).as_ref();
        if data.get(..8) != Some(MAGIC) {
            return Err(Error::new(
                ErrorKind::InvalidTable,
                "this is not a paraphrase table that bolide compiled, or one of another version",
            ));
        }
        let Some(head) = data.get(..HEADER) else { return Err(damaged("it ends in its header")) };
        let count = |at: usize| number(head, 2 + at) as usize;
        let language = &head[HEADER - 20..];
        let language = language.split(|&b| b == 0).next().unwrap_or_default();
        let mut source = [0; 32];
        source.copy_from_slice(&head[36..68]);
        let mut checksum = [0; 8];
        checksum.copy_from_slice(&head[28..36]);
        let header = Header {
            n_words: count(0),
            n_word_bytes: count(1),
            n_nodes: count(2),
            n_records: count(3),
            checksum: u64::from_le_bytes(checksum),
            source,
            language: String::from_utf8_lossy(language).into_owned(),
        };
        match header.ends() {
            Some(ends) if ends[6] == data.len() && count(4) == 0 => Ok(Table { bytes, header }),
            _ => Err(damaged(&format!("it has {} bytes, not what its header says", data.len()))),
        }
    }

    /// Opens a table in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        Self::open(Arc::new(bytes))
    }

    /// Reads the whole table and verifies its checksum.
    pub fn verify(&self) -> Result<()> {
        if checksum((*self.bytes).as_ref()) == self.header.checksum {
            Ok(())
        } else {
            Err(damaged("its checksum does not fit its content"))
        }
    }

    /// The short name of the language it was compiled for.
    pub fn language(&self) -> &str {
        &self.header.language
    }

    /// The number of paraphrases.
    pub fn len(&self) -> usize {
        self.header.n_records
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.header.n_records == 0
    }

    /// SHA-256 of the file it was compiled from.
    pub fn source(&self) -> &[u8; 32] {
        &self.header.source
    }

    /// The first eight hexadecimal digits of [`source`](Self::source), as in signatures.
    pub fn id(&self) -> String {
        self.header.source[..4].iter().map(|b| format!("{b:02x}")).collect()
    }

    /// The sections, ready for look-ups.
    pub(super) fn view(&self) -> View<'_> {
        let data = (*self.bytes).as_ref();
        let ends = self.header.ends().unwrap_or([HEADER; 7]);
        // The sizes were checked on opening. If the bytes have changed length since, sections are empty.
        let section = |at: usize| {
            let start = if at == 0 { HEADER } else { ends[at - 1] };
            data.get(start..ends[at]).unwrap_or_default()
        };
        View {
            word_ends: section(0),
            word_bytes: section(1),
            words: section(2),
            node_words: section(3),
            nodes: section(4),
            records: section(5),
            edges: Edges::new(section(6), self.header.n_nodes),
            n_words: self.header.n_words,
        }
    }
}

/// A number of a section; 0 outside of it.
#[inline]
fn number(section: &[u8], at: usize) -> u32 {
    match section.get(at * 4..).and_then(<[u8]>::first_chunk::<4>) {
        Some(&bytes) => u32::from_le_bytes(bytes),
        None => 0,
    }
}

/// A 64-bit checksum of a table, over everything except the checksum itself.
fn checksum(table: &[u8]) -> u64 {
    let (head, body) = (table.get(..28), table.get(36..));
    sum(head.unwrap_or_default()) ^ sum(body.unwrap_or_default()).rotate_left(1)
}

/// Mixes little-endian words; the length is part of it.
pub(crate) fn sum(bytes: &[u8]) -> u64 {
    let mix =
        |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    let mut sum = mix(0xB011DE, bytes.len() as u64);
    for word in words {
        sum = mix(sum, u64::from_le_bytes(*word));
    }
    rest.iter().fold(sum, |sum, &byte| mix(sum, u64::from(byte)))
}

/// A word of the table.
pub(super) type WordId = u32;
/// A phrase, or a prefix of one. 0 is the empty phrase.
pub(super) type Node = u32;
/// Not in the table.
pub(super) const NO_WORD: WordId = u32::MAX;

/// The sections of a table.
#[derive(Clone, Copy)]
pub(super) struct View<'t> {
    word_ends: &'t [u8],
    word_bytes: &'t [u8],
    /// Number and phrase of each word.
    words: &'t [u8],
    node_words: &'t [u8],
    nodes: &'t [u8],
    records: &'t [u8],
    edges: Edges<'t>,
    n_words: usize,
}

impl<'t> View<'t> {
    /// The number of a word and the phrase of that one word, or [`NO_WORD`] and 0.
    pub(super) fn word(&self, word: &str) -> (WordId, Node) {
        let (mut low, mut high) = (0, self.n_words);
        while low < high {
            let middle = low + (high - low) / 2;
            let (start, end) = (number(self.word_ends, middle), number(self.word_ends, middle + 1));
            let found = self.word_bytes.get(start as usize..end as usize).unwrap_or_default();
            match found.cmp(word.as_bytes()) {
                std::cmp::Ordering::Equal => {
                    return (number(self.words, middle * 2), number(self.words, middle * 2 + 1));
                }
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        (NO_WORD, 0)
    }

    /// The phrase with one more word, or 0.
    pub(super) fn next(&self, node: Node, word: WordId) -> Node {
        if word == NO_WORD {
            return 0;
        }
        self.edges.find(node, word, |child| {
            let (first, end) = self.children(node);
            (first..end).contains(&child) && number(self.node_words, child as usize) == word
        })
    }

    fn children(&self, node: Node) -> (Node, Node) {
        let at = node as usize * 2;
        (number(self.nodes, at), number(self.nodes, at + 2))
    }

    /// The phrases that this one is paired with, in the order of the source: little-endian numbers.
    pub(super) fn records(&self, node: Node) -> &'t [[u8; 4]] {
        let at = node as usize * 2 + 1;
        let (start, end) = (number(self.nodes, at) as usize, number(self.nodes, at + 2) as usize);
        let end = end.saturating_mul(4);
        self.records.get(start.saturating_mul(4)..end).unwrap_or_default().as_chunks().0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Vec<u8> {
        let mut compiler = Compiler::new();
        compiler.add("a b", "c");
        compiler.add("a", "d e");
        compiler.add("a b", "a");
        compiler.add("a b", "c");
        compiler.add("", "c");
        compiler.add("c", "");
        compiler.finish("en", [7; 32]).unwrap()
    }

    fn walk(view: &View<'_>, phrase: &str) -> Node {
        let mut words = phrase.split(' ').map(|word| view.word(word));
        let (_, first) = words.next().unwrap();
        words.fold(first, |node, (word, _)| if node == 0 { 0 } else { view.next(node, word) })
    }

    #[test]
    fn phrases_are_found_with_their_pairs_in_order() {
        let table = Table::from_bytes(table()).unwrap();
        assert!(table.verify().is_ok());
        assert_eq!((table.len(), table.language()), (4, "en"));
        assert_eq!(table.id(), "07070707");
        let view = table.view();
        let targets = |phrase: &str| -> Vec<Node> {
            view.records(walk(&view, phrase)).iter().map(|&b| u32::from_le_bytes(b)).collect()
        };
        let node = |phrase: &str| walk(&view, phrase);
        assert_eq!(targets("a b"), [node("c"), node("a"), node("c")]);
        assert_eq!(targets("a"), [node("d e")]);
        assert_eq!(targets("d e"), [0; 0]);
        assert_eq!(node("e"), 0);
        assert_eq!(node("a c"), 0);
        assert_eq!(node("x"), 0);
        assert!(node("d") != 0);
    }

    #[test]
    fn damage_is_an_error_or_a_missing_match() {
        let good = table();
        for length in 0..good.len() {
            assert!(Table::from_bytes(good[..length].to_vec()).is_err(), "{length}");
        }
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                let Ok(table) = Table::from_bytes(bad) else { continue };
                assert!(table.verify().is_err(), "byte {at}");
                let view = table.view();
                for phrase in ["a", "a b", "d e", "c", "zz"] {
                    let node = walk(&view, phrase);
                    assert!(view.records(node).len() <= 1_000);
                }
            }
        }
    }
}
