//! A table of synonyms in less than half of its bytes, for tables inside the program.
//!
//! A packed table has the header and the description of the table, the words without what each shares with the one
//! before, and the sets. The rest of a table follows from these. Numbers have seven bits a byte, the lowest first; a word of a
//! set is the difference to the word before it.

use super::{HEADER, MAGIC, SynonymTable, compile, invalid};
use crate::error::Result;

const PACKED: &[u8; 8] = b"BLDSYNP1";

/// Packs a table.
pub fn pack(table: &SynonymTable) -> Vec<u8> {
    let data = table.data();
    let layout = &*table.layout;
    let mut out = PACKED.to_vec();
    out.extend_from_slice(data.get(MAGIC.len()..HEADER).unwrap_or_default());
    out.extend_from_slice(data.get(layout.about.clone()).unwrap_or_default());
    let mut before = "";
    for number in 0..layout.n_words {
        let word = table.text((&layout.word_ends, &layout.word_text), number);
        let shared = word.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
        put(&mut out, shared as u64);
        put(&mut out, (word.len() - shared) as u64);
        out.extend_from_slice(word.as_bytes().get(shared..).unwrap_or_default());
        before = word;
    }
    let mut before = 0;
    for set in 0..layout.n_sets {
        let words: Vec<u32> = table.list(&layout.words_of_sets, set).collect();
        put(&mut out, words.len() as u64);
        for word in words {
            let step = i64::from(word) - before;
            put(&mut out, (step << 1 ^ step >> 63) as u64);
            before = word.into();
        }
    }
    out
}

/// The bytes of the table that was packed. What is not one gives an error.
pub fn unpack(packed: &[u8]) -> Result<Vec<u8>> {
    let bytes =
        unpack_any(packed).ok_or_else(|| invalid("is damaged: it cannot be unpacked"))??;
    // The header has the checksum, which is computed anew here.
    let is_it = bytes.get(MAGIC.len()..HEADER) == packed.get(PACKED.len()..HEADER);
    if is_it { Ok(bytes) } else { Err(invalid("is damaged: it is not what was packed")) }
}

/// Nothing if the bytes end early or make no sense.
fn unpack_any(packed: &[u8]) -> Option<Result<Vec<u8>>> {
    let rest = packed.strip_prefix(PACKED)?;
    let (head, mut rest) = rest.split_at_checked(HEADER - MAGIC.len())?;
    let count = |at: usize| head.get(4 * at..)?.first_chunk().map(|n| u32::from_le_bytes(*n));
    let digest = *head.last_chunk::<32>()?;
    let (about, after) = rest.split_at_checked(count(6)? as usize)?;
    rest = after;
    let about = str::from_utf8(about).ok()?;
    let language = crate::language::find(about.lines().next()?).ok()?;
    let (mut text, mut ends) = (Vec::<u8>::new(), Vec::new());
    let mut before = 0usize;
    for _ in 0..count(0)? {
        let (shared, new) = (take(&mut rest)? as usize, take(&mut rest)? as usize);
        let start = text.len();
        let prefix = before..before.checked_add(shared).filter(|&end| end <= start)?;
        text.extend_from_within(prefix);
        let (new, after) = rest.split_at_checked(new)?;
        text.extend_from_slice(new);
        rest = after;
        before = start;
        ends.push(text.len());
    }
    let text = str::from_utf8(&text).ok()?;
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let words: Vec<&str> =
        starts.zip(&ends).map(|(start, &end)| text.get(start..end)).collect::<Option<_>>()?;
    let (mut sets, mut before) = (Vec::new(), 0i64);
    for _ in 0..count(2)? {
        let mut set = Vec::new();
        for _ in 0..take(&mut rest)? {
            let step = take(&mut rest)?;
            before = before.checked_add((step >> 1) as i64 ^ -((step & 1) as i64))?;
            set.push(u32::try_from(before).ok().filter(|&word| (word as usize) < words.len())?);
        }
        sets.push(set);
    }
    rest.is_empty().then(|| compile::assemble(&words, &sets, language, about, |_| digest))
}

fn put(out: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{About, Compiler};
    use super::*;
    use crate::language;

    fn table(code: &str) -> Vec<u8> {
        let mut compiler = Compiler::new(language::find(code).unwrap());
        for set in [&["Haus", "Gebäude"][..], &["Hausen", "hausen", "wohnen"], &["Bau", "Haus"]] {
            compiler.add(set.iter().copied()).unwrap();
        }
        let about = About { origin: "omw".into(), version: "1.2".into(), ..About::default() };
        compiler.finish(&about, |bytes| [bytes.len() as u8; 32]).unwrap()
    }

    #[test]
    fn a_table_comes_back_as_it_was() {
        for code in ["de", "cs", "ja"] {
            let bytes = table(code);
            let packed = pack(&SynonymTable::from_bytes(bytes.clone()).unwrap());
            assert!(packed.len() < bytes.len());
            assert_eq!(unpack(&packed).unwrap(), bytes);
        }
    }

    #[test]
    fn damage_is_an_error_and_no_panic() {
        let packed = pack(&SynonymTable::from_bytes(table("de")).unwrap());
        for length in 0..packed.len() {
            assert!(unpack(&packed[..length]).is_err(), "{length}");
        }
        for at in 0..packed.len() {
            for bit in [1, 0x40, 0x80] {
                let mut bad = packed.clone();
                bad[at] ^= bit;
                assert!(unpack(&bad).is_err(), "byte {at}");
            }
        }
    }
}
