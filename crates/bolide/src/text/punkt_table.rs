//! The table of a Punkt model: a sorted map from a key to a byte of flags, searched in place.
//!
//! A key is a word type, or two types separated by a tab for a collocation; all are ASCII. The bytes are
//! `BLDPNKT2` and the entries, in a form that is small and compresses well: a byte above 127 with a class of
//! flags (bits 5 and 6) and the number of bytes to drop from the end of the previous key (the lower five),
//! the flags themselves if the class is the last one, and the bytes to append. Loading checks everything and
//! stores the key of every sixteenth entry. [`super::punkt`] uses the flags.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::error::{Error, ErrorKind, Result};

/// The word is an abbreviation (without its final period).
pub(super) const ABBREVIATION: u8 = 1;
/// The word often starts a sentence.
pub(super) const STARTER: u8 = 2;
/// The pair belongs together although a period separates it.
pub(super) const COLLOCATION: u8 = 4;
/// The word was seen in lower case.
pub(super) const SEEN_LOWER: u8 = 8;
/// The word was seen in lower case, and upper-case inside a sentence.
pub(super) const SEEN_UPPER_INSIDE: u8 = 16;
/// The word was seen in lower case at the start of a sentence, and never upper-case.
pub(super) const ONLY_LOWER_AT_START: u8 = 32;

const KNOWN: u8 = 63;
const MAGIC: &[u8; 8] = b"BLDPNKT2";
/// The flags of all classes except the last, whose entries have them after the first byte.
const CLASSES: [u8; 3] = [SEEN_LOWER, SEEN_LOWER | SEEN_UPPER_INSIDE, ABBREVIATION];
/// Longer keys are refused, so that a small table cannot claim much memory.
const MAX_KEY: usize = 255;
/// The number of entries per stored key.
const BLOCK: usize = 16;

#[derive(Clone, Debug)]
pub(super) struct Table {
    bytes: Cow<'static, [u8]>,
    /// The first key of each block, in one buffer.
    keys: Vec<u8>,
    blocks: Vec<Block>,
    /// The [`head`]s of these keys, stored separately because they decide nearly every comparison.
    heads: Vec<u64>,
    /// The first types of all collocations: a model has few.
    lefts: Vec<Vec<u8>>,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    /// The offset of its first entry.
    at: usize,
    /// The range of its first key in `keys`.
    key: (usize, usize),
}

/// One entry of the table.
struct Entry<'t> {
    dropped: usize,
    appended: &'t [u8],
    flags: u8,
}

impl Table {
    pub(super) fn from_bytes(bytes: Cow<'static, [u8]>) -> Result<Self> {
        let broken = |what: &str| {
            Error::new(ErrorKind::InvalidTable, format!("not a Punkt table of version 2: {what}"))
        };
        if !bytes.starts_with(MAGIC) {
            return Err(broken("it starts differently"));
        }
        let (mut keys, mut blocks, mut heads) = (Vec::new(), Vec::new(), Vec::new());
        let mut lefts: Vec<Vec<u8>> = Vec::new();
        // Every start of a program reads the whole table, so one loop finds an entry's end and makes its key.
        let (mut key, mut len) = ([0; MAX_KEY], 0_usize);
        let (mut at, mut n_entries) = (MAGIC.len(), 0_usize);
        while at < bytes.len() {
            let entry_at = at;
            let (dropped, flags, start) =
                head_of_entry(&bytes, at).ok_or_else(|| broken("an entry is not whole"))?;
            let kept = len
                .checked_sub(dropped)
                .ok_or_else(|| broken("an entry drops more than there is"))?;
            let replaced = if kept < len { key[kept] } else { 0 };
            (at, len) = (start, kept);
            while let Some(&byte) = bytes.get(at)
                && byte.is_ascii()
            {
                *key.get_mut(len).ok_or_else(|| broken("a key is too long"))? = byte;
                (at, len) = (at + 1, len + 1);
            }
            if len == kept {
                return Err(broken("an entry is not whole"));
            }
            // An entry drops no more than necessary, so its first byte determines the order.
            if key[kept] <= replaced {
                return Err(broken("it is not sorted"));
            }
            if flags & !KNOWN != 0 {
                return Err(broken("an entry has unknown flags"));
            }
            if n_entries % BLOCK == 0 {
                let start = keys.len();
                keys.extend(&key[..len]);
                blocks.push(Block { at: entry_at, key: (start, keys.len()) });
                heads.push(head(&key[..len]));
            }
            if flags & COLLOCATION != 0
                && let Some(left) = key[..len].split(|&byte| byte == b'\t').next()
                && lefts.last().is_none_or(|last| last != left)
            {
                lefts.push(left.to_vec());
            }
            n_entries += 1;
        }
        // Keys are sorted with the tab and what follows it, so their first types need not be.
        lefts.sort_unstable();
        lefts.dedup();
        Ok(Table { bytes, keys, blocks, heads, lefts })
    }

    /// Whether the table has collocations that start with the type.
    pub(super) fn starts_collocation(&self, left: &str) -> bool {
        self.lefts.binary_search_by(|known| known[..].cmp(left.as_bytes())).is_ok()
    }

    /// The flags of a key; zero if it is not in the table.
    pub(super) fn flags(&self, key: &str) -> u8 {
        self.find(key.as_bytes()).unwrap_or(0)
    }

    fn find(&self, key: &[u8]) -> Option<u8> {
        // The last block whose first key is not after the key.
        let wanted = head(key);
        let mut low = self.heads.partition_point(|&head| head < wanted);
        while self.heads.get(low) == Some(&wanted) && self.first_key(low) <= key {
            low += 1;
        }
        let block = low.checked_sub(1)?;
        let first = self.first_key(block);
        let (entry, mut at) = Entry::read(&self.bytes, self.blocks[block].at)?;
        if first == key {
            return Some(entry.flags);
        }
        // The length of the previous entry, which is before the key, and the length of their common prefix.
        let mut len = first.len();
        let mut equal = shared(first, key);
        for _ in 1..BLOCK {
            let (entry, next) = Entry::read(&self.bytes, at)?;
            at = next;
            let kept = len - entry.dropped;
            len = kept + entry.appended.len();
            match kept.cmp(&equal) {
                // It shares more with the previous entry than the key does, so it is before the key, too.
                Ordering::Greater => {}
                // It differs from the previous entry where the key agrees with it, so it is after the key.
                Ordering::Less => return None,
                Ordering::Equal => {
                    let wanted = &key[kept..];
                    match entry.appended.cmp(wanted) {
                        Ordering::Less => equal += shared(entry.appended, wanted),
                        Ordering::Equal => return Some(entry.flags),
                        Ordering::Greater => return None,
                    }
                }
            }
        }
        None
    }

    fn first_key(&self, block: usize) -> &[u8] {
        let (start, end) = self.blocks[block].key;
        &self.keys[start..end]
    }
}

impl<'t> Entry<'t> {
    /// The entry at an offset, and the offset of the next.
    fn read(bytes: &'t [u8], at: usize) -> Option<(Self, usize)> {
        let (dropped, flags, start) = head_of_entry(bytes, at)?;
        let rest = bytes.get(start..)?;
        let n_appended = rest.iter().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        let appended = rest.get(..n_appended).filter(|appended| !appended.is_empty())?;
        Some((Entry { dropped, appended, flags }, start + n_appended))
    }
}

/// How many bytes the entry at an offset drops, its flags, and the offset of the bytes that it appends.
fn head_of_entry(bytes: &[u8], at: usize) -> Option<(usize, u8, usize)> {
    let first = *bytes.get(at)?;
    if first.is_ascii() {
        return None;
    }
    let (flags, start) = match CLASSES.get(usize::from(first >> 5 & 3)) {
        Some(&flags) => (flags, at + 1),
        None => (*bytes.get(at + 1)?, at + 2),
    };
    Some((usize::from(first & 31), flags, start))
}

/// The first eight bytes of a key, padded with zeros, as a number that sorts like the key.
fn head(key: &[u8]) -> u64 {
    let mut head = [0; 8];
    for (head, &byte) in head.iter_mut().zip(key) {
        *head = byte;
    }
    u64::from_be_bytes(head)
}

/// The length of the common prefix of two keys.
fn shared(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
#[cfg(feature = "punkt")]
mod tests {
    use super::*;

    fn embedded() -> Table {
        Table::from_bytes(bolide_data::PUNKT_ENGLISH.into()).unwrap()
    }

    /// Every entry, in the order of the table.
    fn entries(table: &Table) -> Vec<(Vec<u8>, u8)> {
        let (mut at, mut key, mut all) = (MAGIC.len(), Vec::new(), Vec::new());
        while let Some((entry, next)) = Entry::read(&table.bytes, at) {
            key.truncate(key.len() - entry.dropped);
            key.extend(entry.appended);
            all.push((key.clone(), entry.flags));
            at = next;
        }
        all
    }

    #[test]
    fn finds_what_is_there_and_nothing_else() {
        let table = embedded();
        let entries = entries(&table);
        let count = |flag| entries.iter().filter(|(_, flags)| flags & flag != 0).count();
        assert_eq!(count(ABBREVIATION), 156);
        assert_eq!(count(COLLOCATION), 37);
        assert_eq!(count(STARTER), 39);
        assert_eq!(count(SEEN_LOWER), 14702);
        assert_eq!(table.lefts.len(), 5);
        for (key, flags) in &entries {
            let key = std::str::from_utf8(key).unwrap();
            assert_eq!(table.flags(key), *flags, "{key}");
            let pair = key.split_once('\t');
            assert_eq!(pair.is_some(), flags & COLLOCATION != 0, "{key}");
            assert!(pair.is_none_or(|(left, _)| table.starts_collocation(left)), "{key}");
            // Its neighbours in byte order: none is a key unless it is an entry.
            for absent in [format!("{key}\u{1}"), format!("{}\u{7f}", &key[..key.len() - 1])] {
                assert_eq!(table.flags(&absent), 0, "{absent:?}");
            }
        }
        assert_eq!(table.flags(""), 0);
        assert_eq!(table.flags("~~~"), 0);
        assert_eq!(table.flags("\u{10ffff}"), 0);
    }

    #[test]
    fn a_damaged_table_is_refused_or_harmless() {
        let good = bolide_data::PUNKT_ENGLISH;
        for len in 0..MAGIC.len() {
            assert!(Table::from_bytes(good[..len].into()).is_err(), "cut at {len}");
        }
        for (bytes, problem) in [
            (&b"a"[..], "not whole"),
            (b"\x80", "not whole"),
            (b"\xe0", "not whole"),
            (b"\x80b\x80", "not whole"),
            (b"\x80b\x81a", "not sorted"),
            (b"\x80b\x81b", "not sorted"),
            (b"\x81a", "drops more"),
            (b"\xe0\x40a", "unknown flags"),
            (&[&b"\x80"[..], &[b'a'; 256]].concat(), "too long"),
        ] {
            let seen = Table::from_bytes([MAGIC, bytes].concat().into()).unwrap_err();
            assert!(seen.to_string().contains(problem), "{bytes:?}: {seen}");
        }
        for at in (0..good.len()).step_by(101) {
            let mut bytes = good.to_vec();
            bytes[at] ^= 0x80;
            if let Ok(table) = Table::from_bytes(bytes.into()) {
                table.flags("however");
                table.flags("##number##\twho");
            }
        }
    }
}
