//! Names as the WordNet table stores them, and a short text buffer to assemble them in.
//!
//! A name is one control byte (the number of leading bytes shared with the previous name, 5 bits; a code for
//! its casing and counts, 3 bits), the rest of its lower-case form with the high bit set on the last byte,
//! and for unusual casings a bit mask. Inflected forms from the exception lists that are not names themselves
//! are stored among the names, without synsets, so that one search finds both. [`super::table`] knows where
//! names start and what their numbers refer to.

use std::cmp::Ordering;
use std::ops::Range;

/// The longest name or word that is looked up. WordNet's longest name has 71 bytes.
pub(super) const MAX_NAME: usize = 120;

/// The number of a name in the table.
pub(super) type NameId = u32;

/// The frequent combinations of casing, number of synsets led and number of other memberships, by their 3-bit
/// code. The eighth code means that they follow in a separate byte.
const FREQUENT: [(Casing, u32, u32); 7] = [
    (Casing::Lower, 1, 0),
    (Casing::Lower, 0, 1),
    (Casing::First, 1, 0),
    (Casing::First, 0, 1),
    (Casing::Mask, 0, 1),
    (Casing::Lower, 2, 0),
    (Casing::Words, 0, 1),
];

/// How a name is derived from its lower-case form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Casing {
    /// Unchanged.
    Lower,
    /// The first letter is a capital.
    First,
    /// The first letter, and every letter after `_`, is a capital.
    Words,
    /// A bit mask marks the capitals.
    Mask,
}

/// One name, as a look-up returns it.
#[derive(Clone, Debug)]
pub(super) struct Entry<'t> {
    pub(super) id: NameId,
    /// Whether the exception lists contain this lower-case form as an inflected form.
    pub(super) is_inflected: bool,
    casing: Casing,
    mask: &'t [u8],
    /// Synsets with this name as the first member.
    pub(super) led: Range<u32>,
    /// The range of the other synsets in the memberships.
    pub(super) links: Range<u32>,
}

impl Entry<'_> {
    /// Whether the name has synsets, that is, is more than an inflected form.
    pub(super) fn is_lemma(&self) -> bool {
        !self.led.is_empty() || !self.links.is_empty()
    }

    /// Whether the name is spelled `name`, given that their lower-case forms are equal.
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

/// Iterates over the names in order, starting at a block.
pub(super) struct Names<'t> {
    text: &'t [u8],
    at: usize,
    id: NameId,
    end: NameId,
    n_led: u32,
    n_links: u32,
}

/// The stored part of a name.
pub(super) struct Stored<'t> {
    /// The number of bytes that it shares with the previous name.
    pub(super) shared: usize,
    /// The other bytes; the last has the high bit set.
    pub(super) rest: &'t [u8],
}

impl<'t> Names<'t> {
    /// The names with these numbers. The first one is at `at`; `n_led` and `n_links` count the synsets led by
    /// earlier names and their other memberships.
    pub(super) fn new(
        text: &'t [u8],
        at: usize,
        ids: Range<NameId>,
        (n_led, n_links): (u32, u32),
    ) -> Self {
        Names { text, at, id: ids.start, end: ids.end, n_led, n_links }
    }

    #[inline(always)]
    fn byte(&mut self) -> Option<u8> {
        let byte = self.text.get(self.at).copied()?;
        self.at += 1;
        Some(byte)
    }

    /// Inlined, because a search skips eight names for each one that it wants, and then most of an entry is
    /// not needed.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<(Stored<'t>, Entry<'t>)> {
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

/// A short text in place, to assemble names and lower-case words.
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
    /// The lower-case form of a word. `None` if it is too long for the table or not ASCII, so that no look-up
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

    /// Turns the lower-case form of a name into that of the next name.
    pub(super) fn follow(&mut self, stored: &Stored<'_>) {
        self.len = self.len.min(stored.shared);
        for &byte in stored.rest {
            self.push(byte & 0x7f);
        }
    }

    fn push(&mut self, byte: u8) -> bool {
        let Some(free) = self.bytes.get_mut(self.len) else {
            return false;
        };
        *free = byte;
        self.len += 1;
        true
    }

    pub(super) fn make_lower(&mut self) {
        self.bytes.make_ascii_lowercase();
    }

    pub(super) fn apply_casing(&mut self, entry: &Entry<'_>) {
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

/// The position of the first byte with the high bit set, eight bytes at a time.
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

/// Compares a stored rest, whose last byte is marked, with a key; also returns the length of the common
/// prefix.
pub(super) fn compare(stored: &[u8], key: &[u8]) -> (Ordering, usize) {
    let common = stored.iter().zip(key).take_while(|(stored, key)| *stored & 0x7f == **key).count();
    let ordering = match (stored.get(common), key.get(common)) {
        (Some(stored), Some(key)) => (stored & 0x7f).cmp(key),
        (stored, key) => stored.is_some().cmp(&key.is_some()),
    };
    (ordering, common)
}
