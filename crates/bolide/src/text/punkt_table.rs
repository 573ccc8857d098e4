//! The table of a Punkt model: a sorted map from a key to a byte of flags, searched in place.
//!
//! A key is a word type, or two types with a tab between them for a collocation. The bytes are
//! `BLDPNKT1`, the number of entries, the offset of each block of 16 entries (numbers are 32 bits,
//! little-endian), and the entries: a byte with the length of the prefix shared with the entry
//! before (high half, zero at the start of a block) and the length of the rest (low half; zero
//! means that the next byte has it), the flags, the rest of the key. Everything is checked when
//! the table is read; [`super::punkt`] says what the flags are good for.

use std::borrow::Cow;

use crate::error::{Error, ErrorKind, Result};

/// The word is an abbreviation (without its final period).
pub(super) const ABBREVIATION: u8 = 1;
/// The word often starts a sentence.
pub(super) const STARTER: u8 = 2;
/// The pair belongs together although a period stands between.
pub(super) const COLLOCATION: u8 = 4;
/// The word was seen in lower case.
pub(super) const SEEN_LOWER: u8 = 8;
/// The word was seen in lower case, and upper-case inside a sentence.
pub(super) const SEEN_UPPER_INSIDE: u8 = 16;
/// The word was seen in lower case at the start of a sentence, and never upper-case.
pub(super) const ONLY_LOWER_AT_START: u8 = 32;

const KNOWN: u8 = 63;
const MAGIC: &[u8; 8] = b"BLDPNKT1";
const BLOCK: usize = 16;

#[derive(Clone, Debug)]
pub(super) struct Table {
    bytes: Cow<'static, [u8]>,
    n_entries: usize,
    n_blocks: usize,
}

/// One entry as it stands in the table.
struct Entry<'t> {
    shared: usize,
    rest: &'t [u8],
    flags: u8,
}

impl Table {
    pub(super) fn from_bytes(bytes: Cow<'static, [u8]>) -> Result<Self> {
        let broken = |what: &str| {
            Error::new(ErrorKind::InvalidTable, format!("not a Punkt table of version 1: {what}"))
        };
        if !bytes.starts_with(MAGIC) {
            return Err(broken("it starts differently"));
        }
        let n_entries = number(&bytes, MAGIC.len()).ok_or_else(|| broken("it is cut off"))?;
        let table = Table { n_entries, n_blocks: n_entries.div_ceil(BLOCK), bytes };
        let entries = table.entries().ok_or_else(|| broken("it is cut off"))?;
        let mut at = 0;
        let mut key: Vec<u8> = Vec::new();
        for idx in 0..n_entries {
            let starts_block = idx % BLOCK == 0;
            if starts_block && table.block(idx / BLOCK) != Some(at) {
                return Err(broken("a block is not where it should be"));
            }
            let (entry, len) = Entry::read(entries, at).ok_or_else(|| broken("it is cut off"))?;
            if entry.shared > key.len() || (starts_block && entry.shared > 0) {
                return Err(broken("an entry shares more than there is"));
            }
            if entry.rest <= &key[entry.shared..] {
                return Err(broken("it is not sorted"));
            }
            key.truncate(entry.shared);
            key.extend(entry.rest);
            if entry.flags & !KNOWN != 0 {
                return Err(broken("an entry has unknown flags"));
            }
            at += len;
        }
        if at != entries.len() {
            return Err(broken("it is too long"));
        }
        Ok(table)
    }

    /// The flags of a key, zero if it is not in the table.
    pub(super) fn flags(&self, key: &str) -> u8 {
        self.find(key.as_bytes()).unwrap_or(0)
    }

    fn find(&self, key: &[u8]) -> Option<u8> {
        let entries = self.entries()?;
        // The last block whose first key is not behind the key.
        let (mut low, mut high) = (0, self.n_blocks);
        while low < high {
            let middle = low + (high - low) / 2;
            let (first, _) = Entry::read(entries, self.block(middle)?)?;
            if first.rest <= key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let block = low.checked_sub(1)?;
        let mut at = self.block(block)?;
        // How much of the key the entry before had. An entry that shares more than that with the
        // one before is as far in front of the key as that one was.
        let mut equal = 0;
        for _ in 0..BLOCK.min(self.n_entries - block * BLOCK) {
            let (entry, len) = Entry::read(entries, at)?;
            at += len;
            if entry.shared > equal {
                continue;
            }
            let wanted = key.get(entry.shared..)?;
            if entry.rest == wanted {
                return Some(entry.flags);
            }
            if entry.rest > wanted {
                return None;
            }
            let same = entry.rest.iter().zip(wanted).take_while(|(a, b)| a == b).count();
            equal = entry.shared + same;
        }
        None
    }

    fn entries(&self) -> Option<&[u8]> {
        self.bytes.get(MAGIC.len() + 4 + 4 * self.n_blocks..)
    }

    fn block(&self, idx: usize) -> Option<usize> {
        number(&self.bytes, MAGIC.len() + 4 + 4 * idx)
    }
}

impl<'t> Entry<'t> {
    /// The entry at an offset, and its length in the table.
    fn read(entries: &'t [u8], at: usize) -> Option<(Self, usize)> {
        let entry = entries.get(at..)?;
        let (&head, entry) = entry.split_first()?;
        let (len, head_len, entry) = match head & 15 {
            0 => {
                let (&len, entry) = entry.split_first()?;
                (len, 2, entry)
            }
            len => (len, 1, entry),
        };
        let (&flags, entry) = entry.split_first()?;
        let rest = entry.get(..usize::from(len)).filter(|rest| !rest.is_empty())?;
        Some((Entry { shared: usize::from(head >> 4), rest, flags }, head_len + 1 + rest.len()))
    }
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..)?.first_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*bytes)).ok()
}

#[cfg(test)]
#[cfg(feature = "embedded")]
mod tests {
    use super::*;

    fn embedded() -> Table {
        Table::from_bytes(Cow::Borrowed(bolide_data::PUNKT_ENGLISH)).unwrap()
    }

    /// Every entry, in the order of the table.
    fn entries(table: &Table) -> Vec<(Vec<u8>, u8)> {
        let bytes = table.entries().unwrap();
        let (mut at, mut key, mut all) = (0, Vec::new(), Vec::new());
        while at < bytes.len() {
            let (entry, len) = Entry::read(bytes, at).unwrap();
            key.truncate(if all.len() % BLOCK == 0 { 0 } else { entry.shared });
            key.extend(entry.rest);
            all.push((key.clone(), entry.flags));
            at += len;
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
        for (key, flags) in &entries {
            let key = std::str::from_utf8(key).unwrap();
            assert_eq!(table.flags(key), *flags, "{key}");
            // Its neighbours in the order of bytes: none is a key unless it is an entry.
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
        for len in (0..good.len()).step_by(997).chain(good.len() - 20..good.len()) {
            assert!(Table::from_bytes(good[..len].into()).is_err(), "cut at {len}");
        }
        let mut longer = good.to_vec();
        longer.push(0);
        assert!(Table::from_bytes(longer.into()).is_err());
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
