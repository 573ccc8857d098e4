//! The WordNet table as bytes: what is where, and how to find a name or a synset in it.
//!
//! The table is used in place. Nothing is unpacked or indexed when it is opened, so opening costs
//! microseconds (plus a checksum if the bytes come from outside), and a look-up allocates nothing. Every
//! read is checked: a table that passes for valid but is not gives wrong answers, never a panic.
//! What the answers mean (base forms, parts of speech) is for [`super::wordnet`]; `cargo xtask wordnet`
//! writes the table.
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
//! first member. So the synsets that a name leads are consecutive and need only be counted; 57 % of all
//! memberships are stored in that way.
//!
//! A name in the text is one control byte (how many leading bytes it shares with the name before, 5 bits;
//! a code for its casing and counts, 3 bits), the rest of its lower-case form with the high bit set on the
//! last byte, and for unusual casings a bit mask. Inflected forms from the exception lists that are no
//! names themselves stand among the names, without synsets: one search answers both questions.

use super::wordnet::{Pos, PosSet, SynsetId};
use crate::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

/// Longest name or word that takes part in a look-up. WordNet's longest name has 71 bytes.
pub(super) const MAX_NAME: usize = 120;

/// Number of a name in the table.
pub(super) type NameId = u32;

const MAGIC: &[u8; 8] = b"BOLIDEWN";
const FORMAT: u32 = 1;
const HEADER: usize = 40;
const NAMES_PER_BLOCK: usize = 16;
const SYNSETS_PER_START: usize = 32;
const LINK_BITS: usize = 18;
/// Stands in an exception for a base that is no name, which still keeps the rules from being tried.
const NO_BASE: u32 = (1 << LINK_BITS) - 1;

/// The frequent combinations of casing, synsets led and other memberships, by their 3-bit code.
/// The eighth code says that they follow in a byte of their own.
const FREQUENT: [(Casing, u32, u32); 7] = [
    (Casing::Lower, 1, 0),
    (Casing::Lower, 0, 1),
    (Casing::First, 1, 0),
    (Casing::First, 0, 1),
    (Casing::Mask, 0, 1),
    (Casing::Lower, 2, 0),
    (Casing::Words, 0, 1),
];

/// How a name is made from its lower-case form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Casing {
    /// As it is.
    Lower,
    /// The first letter is a capital.
    First,
    /// The first letter, and every letter after `_`, is a capital.
    Words,
    /// A bit mask says which letters are capitals.
    Mask,
}

/// The table: its bytes and where each section lies.
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

/// One name, as a look-up finds it.
#[derive(Clone, Debug)]
pub(super) struct Entry<'t> {
    pub(super) id: NameId,
    /// Whether the exception lists have this lower-case form as an inflected form.
    pub(super) is_inflected: bool,
    casing: Casing,
    mask: &'t [u8],
    /// Synsets with this name as the first member.
    led: Range<u32>,
    /// Where the other synsets are listed in the memberships.
    links: Range<u32>,
}

impl Entry<'_> {
    /// Whether the name has synsets, that is, is more than an inflected form.
    pub(super) fn is_lemma(&self) -> bool {
        !self.led.is_empty() || !self.links.is_empty()
    }

    /// Whether the name is spelled `name`, given that it is so in lower case.
    pub(super) fn is_spelled(&self, name: &[u8]) -> bool {
        let mut before = b'_';
        name.iter().enumerate().all(|(i, &byte)| {
            let lower = byte.to_ascii_lowercase();
            let expected =
                if self.is_capital(i, before) { lower.to_ascii_uppercase() } else { lower };
            before = lower;
            byte == expected
        })
    }

    fn is_capital(&self, i: usize, before: u8) -> bool {
        match self.casing {
            Casing::Lower => false,
            Casing::First => i == 0,
            Casing::Words => before == b'_',
            Casing::Mask => self.mask.get(i / 8).is_some_and(|bits| bits >> (i % 8) & 1 == 1),
        }
    }
}

/// A synset's fixed part.
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
    /// Whether a later line of the same list has the same form. NLTK keeps the last line only.
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

    /// Opens a table whose content needs no checking because it is part of the program.
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
        // Counts beyond the numbers that a link can hold would also let sizes overflow on small machines.
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
        // Three bytes more let the last link be read like any other.
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
        // The first name that fits may stand at the end of the block before the one it heads, so start
        // from the last block whose head sorts before the key.
        let heads = self.bytes.get(self.heads.clone()).unwrap_or_default().as_chunks::<8>().0;
        let prefix = prefix(key);
        let low = heads.partition_point(|head| u64::from_be_bytes(*head) < prefix);
        // Heads that begin like the key need a full look. Few do, except among the names of
        // species and the like.
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
        // How many bytes of the key the name before shares with it.
        let mut shared = 0;
        while let Some((stored, entry)) = names.next() {
            if stored.shared > shared {
                // It agrees with the name before beyond the point where that one sorts before the key.
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

    /// The name with this number and all that differ from it in capitals only.
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
        // Find the last block with at most `id` synsets led before it, then the name inside.
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

    /// Where the members after the first are listed, for [`Table::member`].
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

    /// The lines of the exception lists for an inflected form, noun, verb, adjective, adverb in turn.
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
            spelling.len = spelling.len.min(stored.shared);
            for &byte in stored.rest {
                spelling.push(byte & 0x7f);
            }
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
        Names {
            text,
            at: start.text as usize,
            id: (block * NAMES_PER_BLOCK) as u32,
            end: self.n_names,
            n_led: start.n_led,
            n_links: start.n_links,
        }
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

/// Walks the names in order, starting at a block.
struct Names<'t> {
    text: &'t [u8],
    at: usize,
    id: NameId,
    end: NameId,
    n_led: u32,
    n_links: u32,
}

/// The part of a name that its place in the text gives.
struct Stored<'t> {
    /// How many bytes it shares with the name before.
    shared: usize,
    /// The other bytes; the last has the high bit set.
    rest: &'t [u8],
}

impl<'t> Names<'t> {
    #[inline(always)]
    fn byte(&mut self) -> Option<u8> {
        let byte = self.text.get(self.at).copied()?;
        self.at += 1;
        Some(byte)
    }

    /// Inlined, because a search passes over eight names for one that it wants, and then most of an
    /// entry need not be made.
    #[inline(always)]
    fn next(&mut self) -> Option<(Stored<'t>, Entry<'t>)> {
        if self.id >= self.end {
            return None;
        }
        let control = self.byte()?;
        let mut shared = usize::from(control >> 3);
        if shared == 31 {
            shared = usize::from(self.byte()?);
        }
        let mut is_inflected = false;
        let (casing, n_led, n_links) = match FREQUENT.get(usize::from(control & 7)) {
            Some(&frequent) => frequent,
            None => {
                let counts = self.byte()?;
                is_inflected = counts >> 5 & 1 == 1;
                let casing = match counts >> 6 {
                    0 => Casing::Lower,
                    1 => Casing::First,
                    2 => Casing::Words,
                    _ => Casing::Mask,
                };
                let mut n_led = u32::from(counts >> 2 & 7);
                if n_led == 7 {
                    n_led = u32::from(self.byte()?);
                }
                let mut n_links = u32::from(counts & 3);
                if n_links == 3 {
                    n_links = u32::from(self.byte()?);
                }
                (casing, n_led, n_links)
            }
        };
        let tail = self.text.get(self.at..)?;
        let rest = tail.get(..=first_marked(tail)?)?;
        self.at += rest.len();
        let mut mask: &[u8] = &[];
        if casing == Casing::Mask {
            mask = self.text.get(self.at..self.at + (shared + rest.len()).div_ceil(8))?;
            self.at += mask.len();
        }
        let led = self.n_led..self.n_led.saturating_add(n_led);
        let links = self.n_links..self.n_links.saturating_add(n_links);
        let entry = Entry {
            id: self.id,
            is_inflected,
            casing,
            mask,
            led: led.clone(),
            links: links.clone(),
        };
        (self.id, self.n_led, self.n_links) = (self.id + 1, led.end, links.end);
        Some((Stored { shared, rest }, entry))
    }
}

/// A short text in place: names are put together in it, words lower-cased.
#[derive(Clone, Copy)]
pub(super) struct Spelling {
    bytes: [u8; MAX_NAME],
    len: usize,
}

impl Default for Spelling {
    fn default() -> Self {
        Spelling { bytes: [0; MAX_NAME], len: 0 }
    }
}

impl Spelling {
    /// The lower-case form of a word, unless it is too long for the table or not ASCII, so that no look-up
    /// can find it.
    pub(super) fn lower(word: &str) -> Option<Self> {
        let mut spelling = Spelling::default();
        if word.is_ascii() {
            spelling.bytes.get_mut(..word.len())?.copy_from_slice(word.as_bytes());
            spelling.len = word.len();
            spelling.make_lower();
        } else {
            // The Kelvin sign has an ASCII lower-case form.
            for lower in word.chars().flat_map(char::to_lowercase) {
                let byte = u8::try_from(lower).ok().filter(u8::is_ascii)?;
                if !spelling.push(byte) {
                    return None;
                }
            }
        }
        Some(spelling)
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// The text; all of it is ASCII.
    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// The word with `cut` final bytes replaced by `ending`.
    pub(super) fn with_ending(&self, cut: usize, ending: &[u8]) -> Self {
        let mut changed = *self;
        changed.len = self.len.saturating_sub(cut);
        for &byte in ending {
            changed.push(byte);
        }
        changed
    }

    fn push(&mut self, byte: u8) -> bool {
        let Some(free) = self.bytes.get_mut(self.len) else {
            return false;
        };
        *free = byte;
        self.len += 1;
        true
    }

    fn make_lower(&mut self) {
        self.bytes.make_ascii_lowercase();
    }

    fn apply_casing(&mut self, entry: &Entry<'_>) {
        let mut before = b'_';
        for (i, byte) in self.bytes.iter_mut().take(self.len).enumerate() {
            let lower = *byte;
            if entry.is_capital(i, before) {
                byte.make_ascii_uppercase();
            }
            before = lower;
        }
    }
}

/// The checksum of a table: over everything but the eight bytes that hold it.
///
/// It finds damage, not malice: every read is checked in any case.
pub fn checksum(table: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    // Four sums side by side, because one multiplication must wait for the one before.
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

/// Where the first byte with the high bit set stands, looking at eight at a time.
#[inline(always)]
fn first_marked(text: &[u8]) -> Option<usize> {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    if let Some(word) = text.first_chunk() {
        let marks = u64::from_le_bytes(*word) & HIGH;
        if marks != 0 {
            return Some(marks.trailing_zeros() as usize / 8);
        }
    }
    text.iter().position(|byte| byte & 0x80 != 0)
}

/// Compares a stored rest, whose last byte is marked, with a key; also how many bytes they share.
fn compare(stored: &[u8], key: &[u8]) -> (Ordering, usize) {
    let common = stored.iter().zip(key).take_while(|(stored, key)| *stored & 0x7f == **key).count();
    let ordering = match (stored.get(common), key.get(common)) {
        (Some(stored), Some(key)) => (stored & 0x7f).cmp(key),
        (stored, key) => stored.is_some().cmp(&key.is_some()),
    };
    (ordering, common)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
}

fn invalid(reason: &str) -> Error {
    Error::new(ErrorKind::InvalidTable, format!("not a WordNet table: {reason}"))
}
