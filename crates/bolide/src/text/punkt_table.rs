//! The table of a Punkt model: a sorted map from a key to a byte of flags.
//!
//! A key is a word type, or two types with a tab between them for a collocation; all are ASCII. The
//! bytes are `BLDPNKT2` and the entries, made to be small and to compress well: a byte above 127
//! with a class of flags (bits 5 and 6) and how many bytes to drop from the end of the key before
//! (the lower five), the flags themselves if the class is the last, and what to append. Reading
//! checks everything and unpacks the keys; [`super::punkt`] says what the flags are good for.

use std::cmp::Ordering;

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
const MAGIC: &[u8; 8] = b"BLDPNKT2";
/// The flags of the classes but the last, whose entries have theirs behind the first byte.
const CLASSES: [u8; 3] = [SEEN_LOWER, SEEN_LOWER | SEEN_UPPER_INSIDE, ABBREVIATION];
/// Keys longer than this are refused, so that a small table cannot unpack to a huge one.
const MAX_KEY: usize = 255;

#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// All keys, one behind the other.
    keys: Vec<u8>,
    /// Where each key starts, and the end of the last.
    bounds: Vec<usize>,
    flags: Vec<u8>,
}

impl Table {
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let broken = |what: &str| {
            Error::new(ErrorKind::InvalidTable, format!("not a Punkt table of version 2: {what}"))
        };
        let mut rest = bytes.strip_prefix(MAGIC).ok_or_else(|| broken("it starts differently"))?;
        let mut table = Table { bounds: vec![0], ..Table::default() };
        let mut key: Vec<u8> = Vec::new();
        while let Some((&head, behind)) = rest.split_first() {
            if head.is_ascii() {
                return Err(broken("an entry starts differently"));
            }
            let flags = match CLASSES.get(usize::from(head >> 5 & 3)) {
                Some(&flags) => {
                    rest = behind;
                    flags
                }
                None => {
                    let (&flags, behind) =
                        behind.split_first().ok_or_else(|| broken("it is cut off"))?;
                    rest = behind;
                    flags
                }
            };
            if flags & !KNOWN != 0 {
                return Err(broken("an entry has unknown flags"));
            }
            let kept = key
                .len()
                .checked_sub(usize::from(head & 31))
                .ok_or_else(|| broken("an entry drops more than there is"))?;
            let len = rest.iter().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
            let (appended, behind) = rest.split_at(len);
            if appended <= &key[kept..] {
                return Err(broken("it is not sorted"));
            }
            key.truncate(kept);
            key.extend(appended);
            if key.len() > MAX_KEY {
                return Err(broken("a key is too long"));
            }
            table.keys.extend(&key);
            table.bounds.push(table.keys.len());
            table.flags.push(flags);
            rest = behind;
        }
        Ok(table)
    }

    /// The flags of a key, zero if it is not in the table.
    pub(super) fn flags(&self, key: &str) -> u8 {
        let (mut low, mut high) = (0, self.flags.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.key(middle).cmp(key.as_bytes()) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return self.flags[middle],
                Ordering::Greater => high = middle,
            }
        }
        0
    }

    fn key(&self, idx: usize) -> &[u8] {
        &self.keys[self.bounds[idx]..self.bounds[idx + 1]]
    }
}

#[cfg(test)]
#[cfg(feature = "embedded")]
mod tests {
    use super::*;

    fn embedded() -> Table {
        Table::from_bytes(bolide_data::PUNKT_ENGLISH).unwrap()
    }

    #[test]
    fn finds_what_is_there_and_nothing_else() {
        let table = embedded();
        let count = |flag| table.flags.iter().filter(|&flags| flags & flag != 0).count();
        assert_eq!(count(ABBREVIATION), 156);
        assert_eq!(count(COLLOCATION), 37);
        assert_eq!(count(STARTER), 39);
        assert_eq!(count(SEEN_LOWER), 14702);
        for (idx, &flags) in table.flags.iter().enumerate() {
            let key = std::str::from_utf8(table.key(idx)).unwrap();
            assert_eq!(table.flags(key), flags, "{key}");
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
        // Entries are as long as they look: only a cut inside of one can be seen.
        let good = bolide_data::PUNKT_ENGLISH;
        for len in 0..MAGIC.len() {
            assert!(Table::from_bytes(&good[..len]).is_err(), "cut at {len}");
        }
        for (bytes, problem) in [
            (&b"a"[..], "starts differently"),
            (b"\x80", "not sorted"),
            (b"\x80b\x81a", "not sorted"),
            (b"\x80b\x80", "not sorted"),
            (b"\x81a", "drops more"),
            (b"\xe0", "cut off"),
            (b"\xe0\x40a", "unknown flags"),
            (&[&b"\x80"[..], &[b'a'; 256]].concat(), "too long"),
        ] {
            let problem_seen = Table::from_bytes(&[MAGIC, bytes].concat()).unwrap_err();
            assert!(problem_seen.to_string().contains(problem), "{bytes:?}: {problem_seen}");
        }
        for at in (0..good.len()).step_by(101) {
            let mut bytes = good.to_vec();
            bytes[at] ^= 0x80;
            if let Ok(table) = Table::from_bytes(&bytes) {
                table.flags("however");
                table.flags("##number##\twho");
            }
        }
    }
}
