//! The WordNet table as bytes: its layout, and how to find a name or a synset in it.
//!
//! The table is used in place. Nothing is unpacked or indexed when it is opened, so opening takes
//! microseconds (plus a checksum if the bytes come from outside), and a look-up allocates nothing. Every
//! read is checked: an invalid table that passes the checks gives wrong answers, but never a panic.
//! [`super::wordnet`] interprets the answers (base forms, parts of speech); `cargo xtask wordnet` writes
//! the table.
//!
//! # Layout, format 1
//!
//! Numbers are little-endian. After a header of 40 bytes (magic, format, five counts, checksum) follow
//!
//! | section | entry | content |
//! |---|---|---|
//! | blocks | 3 × u32 per 16 names | where its names start in the text, how many synsets are led by earlier names, how many memberships earlier names have |
//! | heads | u64, big-endian | the first eight bytes of each block's first name in lower case, filled up with zeros |
//! | synsets | u32 | byte offset in the WordNet file (24 bits), part of speech (3), number of members (5) |
//! | member starts | u32 per 32 synsets | how many members earlier synsets list |
//! | members | 18 bits | name numbers of all members but the first |
//! | memberships | 18 bits | synset numbers, by name, where the name is not the first member |
//! | exceptions | 2 × u32 | name number of an inflected form; base, part of speech and whether a later line replaced it |
//! | text | bytes | the names |
//!
//! Names are sorted by their lower-case form and numbered in that order, and synsets are numbered by their
//! first member. So the synsets that a name leads are consecutive and need only be counted; more than half of
//! all memberships are stored in that way. [`super::names`] describes how a name is stored in the text.

use super::names::{Entry, NameId, Names, Spelling, compare};
use super::wordnet::{Pos, PosSet, SynsetId};
use crate::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

const MAGIC: &[u8; 8] = b"BOLIDEWN";
const FORMAT: u32 = 1;
const HEADER: usize = 40;
const NAMES_PER_BLOCK: usize = 16;
const SYNSETS_PER_START: usize = 32;
const LINK_BITS: usize = 18;
/// Marks an exception whose base is not a name. The rules are still not tried for its form.
const NO_BASE: u32 = (1 << LINK_BITS) - 1;

/// The table: its bytes and the range of each section.
#[derive(Clone, Debug)]
pub(super) struct Table {
    bytes: Cow<'static, [u8]>,
    n_names: u32,
    n_synsets: u32,
    n_exceptions: u32,
    blocks: Range<usize>,
    heads: Range<usize>,
    synsets: Range<usize>,
    member_starts: Range<usize>,
    members: Range<usize>,
    memberships: Range<usize>,
    exceptions: Range<usize>,
    text: Range<usize>,
}

/// The fixed part of a synset.
#[derive(Clone, Copy, Debug)]
pub(super) struct SynsetRecord {
    pub(super) offset: u32,
    pub(super) pos: Pos,
    pub(super) n_members: u32,
}

/// One base form of an inflected form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exception {
    pub(super) pos: Pos,
    /// The base, unless no synset has it as a member.
    pub(super) base: Option<NameId>,
    /// Whether a later line of the same list has the same form. NLTK keeps only the last line.
    pub(super) is_replaced: bool,
}

impl Table {
    /// Opens a table of unknown origin.
    pub(super) fn checked(bytes: Cow<'static, [u8]>) -> Result<Table> {
        let table = Self::trusted(bytes)?;
        let stored = table.bytes.get(32..HEADER).and_then(|bytes| bytes.try_into().ok());
        if stored.map(u64::from_le_bytes) != Some(checksum(&table.bytes)) {
            return Err(invalid("its checksum is wrong"));
        }
        Ok(table)
    }

    /// Opens a table without checks, because it is part of the program.
    pub(super) fn trusted(bytes: Cow<'static, [u8]>) -> Result<Table> {
        if bytes.get(..8) != Some(MAGIC) {
            return Err(invalid("it does not start as one"));
        }
        let field = |i: usize| u32_at(&bytes, 8 + 4 * i).ok_or_else(|| invalid("it is cut short"));
        let format = field(0)?;
        if format != FORMAT {
            return Err(invalid(&format!("it has format {format}, expected {FORMAT}")));
        }
        let (n_names, n_synsets, n_links) = (field(1)?, field(2)?, field(3)?);
        let (n_exceptions, n_text) = (field(4)?, field(5)?);
        // Larger counts than a link can hold could also overflow sizes on small machines.
        let limit = 1 << LINK_BITS;
        if [n_names, n_synsets, n_exceptions].iter().any(|&n| n >= limit) || n_links >= 8 * limit {
            return Err(invalid("its counts are out of range"));
        }
        let mut end = HEADER;
        let mut section = |size: usize| {
            let start = end;
            end = end.saturating_add(size);
            start..end
        };
        // Three more bytes, so that the last link can be read like any other.
        let packed = (n_links as usize * LINK_BITS).div_ceil(8) + 3;
        let n_blocks = (n_names as usize).div_ceil(NAMES_PER_BLOCK);
        let table = Table {
            n_names,
            n_synsets,
            n_exceptions,
            blocks: section(n_blocks * 12),
            heads: section(n_blocks * 8),
            synsets: section(n_synsets as usize * 4),
            member_starts: section((n_synsets as usize).div_ceil(SYNSETS_PER_START) * 4),
            members: section(packed),
            memberships: section(packed),
            exceptions: section(n_exceptions as usize * 8),
            text: section(n_text as usize),
            bytes,
        };
        if end != table.bytes.len() {
            let given = table.bytes.len();
            return Err(invalid(&format!("it has {given} bytes, expected {end}")));
        }
        Ok(table)
    }

    pub(super) fn n_synsets(&self) -> u32 {
        self.n_synsets
    }

    /// Visits every name whose lower-case form is `key`: none, one, or a few that differ in capitals.
    pub(super) fn find<'t>(&'t self, key: &[u8], mut visit: impl FnMut(&Entry<'t>)) {
        // The first match may be at the end of the block before the one whose head matches, so start from the
        // last block whose head sorts before the key.
        let heads = self.bytes.get(self.heads.clone()).unwrap_or_default().as_chunks::<8>().0;
        let prefix = prefix(key);
        let low = heads.partition_point(|head| u64::from_be_bytes(*head) < prefix);
        // Heads that begin like the key need a full comparison. There are few, except among names such as
        // those of species.
        let tied = heads.get(low..).unwrap_or_default();
        let n_tied = tied.partition_point(|head| u64::from_be_bytes(*head) == prefix);
        let (mut low, mut high) = (low, low + n_tied);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.compare_head(middle, key) == Ordering::Less {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut names = self.names_from(low.saturating_sub(1));
        // The length of the common prefix of the key and the previous name.
        let mut shared = 0;
        while let Some((stored, entry)) = names.next() {
            if stored.shared > shared {
                // It agrees with the previous name beyond the point where that one sorts before the key.
                continue;
            }
            let rest = key.get(stored.shared..).unwrap_or_default();
            let (ordering, common) = compare(stored.rest, rest);
            shared = stored.shared + common;
            match ordering {
                Ordering::Less => {}
                Ordering::Equal => visit(&entry),
                Ordering::Greater => break,
            }
        }
    }

    /// The name with this number and its spelling.
    pub(super) fn spelling(&self, id: NameId) -> Spelling {
        self.entry_and_spelling(id).map(|(_, spelling)| spelling).unwrap_or_default()
    }

    /// The name with this number and all that differ from it only in capitals.
    pub(super) fn find_like<'t>(&'t self, id: NameId, visit: impl FnMut(&Entry<'t>)) -> Spelling {
        let mut key = self.spelling(id);
        key.make_lower();
        self.find(key.as_bytes(), visit);
        key
    }

    /// Adds the synsets of a name to `out`, if their part of speech is among `set`.
    pub(super) fn push_synsets(&self, entry: &Entry<'_>, set: PosSet, out: &mut Vec<SynsetId>) {
        let fits = |id: SynsetId| {
            set == PosSet::ALL || self.record(id).is_some_and(|record| set.contains(record.pos))
        };
        out.extend(entry.led.clone().filter(|&id| fits(id)));
        let linked = entry.links.clone().map_while(|i| self.link(&self.memberships, i));
        out.extend(linked.filter(|&id| fits(id)));
    }

    /// Whether any synset of the name has a part of speech among `set`.
    pub(super) fn has_synset(&self, entry: &Entry<'_>, set: PosSet) -> bool {
        let fits = |id| self.record(id).is_some_and(|record| set.contains(record.pos));
        entry.led.clone().any(fits)
            || entry.links.clone().map_while(|i| self.link(&self.memberships, i)).any(fits)
    }

    /// The fixed part of a synset, if there is one with this number.
    pub(super) fn record(&self, id: SynsetId) -> Option<SynsetRecord> {
        let word = u32_at(self.bytes.get(self.synsets.clone())?, id as usize * 4)?;
        let pos = Pos::from_code(word >> 5 & 7)?;
        Some(SynsetRecord { offset: word >> 8, pos, n_members: word & 31 })
    }

    /// The name that leads a synset.
    pub(super) fn first_member(&self, id: SynsetId) -> Option<NameId> {
        // Finds the last block with at most `id` synsets led before it, then the name inside.
        let (mut low, mut high) = (0, self.blocks.len() / 12);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.block(middle)?.n_led <= id {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut names = self.names_from(low.checked_sub(1)?);
        while let Some((_, entry)) = names.next() {
            if entry.led.contains(&id) {
                return Some(entry.id);
            }
            if entry.led.start > id {
                break;
            }
        }
        None
    }

    /// The range of the members after the first, for [`Table::member`].
    pub(super) fn member_links(&self, id: SynsetId) -> Range<u32> {
        let block = id as usize / SYNSETS_PER_START;
        let starts = self.bytes.get(self.member_starts.clone()).unwrap_or_default();
        let first = (block * SYNSETS_PER_START) as u32;
        let before = (first..id)
            .filter_map(|id| self.record(id))
            .fold(0, |sum, record| sum + record.n_members.saturating_sub(1));
        let start = u32_at(starts, block * 4).unwrap_or(0).saturating_add(before);
        let n = self.record(id).map_or(0, |record| record.n_members.saturating_sub(1));
        start..start.saturating_add(n)
    }

    /// The member that a link points to.
    pub(super) fn member(&self, link: u32) -> Option<NameId> {
        self.link(&self.members, link)
    }

    /// The lines of the exception lists for an inflected form: noun, verb, adjective, adverb.
    pub(super) fn exceptions(&self, form: NameId) -> impl Iterator<Item = Exception> + '_ {
        let section = self.bytes.get(self.exceptions.clone()).unwrap_or_default();
        let (mut low, mut high) = (0, self.n_exceptions as usize);
        while low < high {
            let middle = low + (high - low) / 2;
            if u32_at(section, middle * 8).is_some_and(|other| other < form) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low..self.n_exceptions as usize)
            .take_while(move |&i| u32_at(section, i * 8) == Some(form))
            .filter_map(move |i| {
                let word = u32_at(section, i * 8 + 4)?;
                let base = word & NO_BASE;
                Some(Exception {
                    pos: Pos::from_code(word >> LINK_BITS & 7)?,
                    base: (base != NO_BASE).then_some(base),
                    is_replaced: word >> (LINK_BITS + 3) & 1 == 1,
                })
            })
    }

    fn entry_and_spelling(&self, id: NameId) -> Option<(Entry<'_>, Spelling)> {
        let mut names = self.names_from(id as usize / NAMES_PER_BLOCK);
        let mut spelling = Spelling::default();
        while let Some((stored, entry)) = names.next() {
            spelling.follow(&stored);
            if entry.id == id {
                spelling.apply_casing(&entry);
                return Some((entry, spelling));
            }
        }
        None
    }

    fn names_from(&self, block: usize) -> Names<'_> {
        let text = self.bytes.get(self.text.clone()).unwrap_or_default();
        let start = self.block(block).unwrap_or_default();
        let ids = (block * NAMES_PER_BLOCK) as u32..self.n_names;
        Names::new(text, start.text as usize, ids, (start.n_led, start.n_links))
    }

    fn block(&self, block: usize) -> Option<Block> {
        let section = self.bytes.get(self.blocks.clone())?;
        Some(Block {
            text: u32_at(section, block * 12)?,
            n_led: u32_at(section, block * 12 + 4)?,
            n_links: u32_at(section, block * 12 + 8)?,
        })
    }

    fn compare_head(&self, block: usize, key: &[u8]) -> Ordering {
        match self.names_from(block).next() {
            Some((stored, _)) => compare(stored.rest, key).0,
            None => Ordering::Greater,
        }
    }

    fn link(&self, section: &Range<usize>, i: u32) -> Option<u32> {
        let bit = i as usize * LINK_BITS;
        let word = u32_at(self.bytes.get(section.clone())?, bit / 8)?;
        Some(word >> (bit % 8) & ((1 << LINK_BITS) - 1))
    }
}

/// The start of a block.
#[derive(Clone, Copy, Default)]
struct Block {
    text: u32,
    n_led: u32,
    n_links: u32,
}

/// The checksum of a table, over everything except the eight bytes that hold it.
///
/// It detects damage, not malice: every read is checked in any case.
pub fn checksum(table: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    // Four independent sums, because each multiplication must wait for the previous one.
    let mut lanes = [1u64, 2, 3, 4];
    for part in [table.get(..32).unwrap_or(table), table.get(HEADER..).unwrap_or_default()] {
        let mut chunks = part.chunks_exact(32);
        for chunk in &mut chunks {
            for (lane, word) in lanes.iter_mut().zip(chunk.as_chunks::<8>().0) {
                *lane = mix(*lane, u64::from_le_bytes(*word));
            }
        }
        for &byte in chunks.remainder() {
            lanes[0] = mix(lanes[0], u64::from(byte));
        }
    }
    lanes.into_iter().fold(table.len() as u64, mix)
}

/// The first eight bytes as a number that sorts as they do. Names hold no zero bytes.
fn prefix(key: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    for (byte, key) in bytes.iter_mut().zip(key) {
        *byte = *key;
    }
    u64::from_be_bytes(bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
}

fn invalid(reason: &str) -> Error {
    Error::new(ErrorKind::InvalidTable, format!("not a WordNet table: {reason}"))
}
