//! The pages of a column in one group of rows: reads them from the file one at a time and gives out their entries.

use crate::bits::{Hybrid, Packed, Place, width_of};
use crate::codecs;
use crate::error::wrong;
use crate::metadata::{Chunk, Leaf, Physical};
use crate::thrift::Reader;
use crate::values::{Dictionary, Values};
use crate::{Error, Result};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

/// Kinds of pages.
const DATA: i32 = 0;
const DICTIONARY: i32 = 2;
const DATA_2: i32 = 3;
/// How much of a file is read to find the end of a page's head. Heads with statistics of long texts have more.
const HEAD: u64 = 1 << 10;

/// The head of a page.
#[derive(Default)]
struct Head {
    kind: i32,
    plain_size: i32,
    size: i32,
    n_values: i32,
    encoding: i32,
    /// How the levels are stored, in the first version of pages.
    definitions: i32,
    repetitions: i32,
    /// The sizes of the levels, in the second version, where they are not compressed.
    definitions_size: i32,
    repetitions_size: i32,
    is_plain: bool,
}

/// How levels are read.
enum Levels {
    /// All are zero.
    None,
    Hybrid(Hybrid),
    Packed(Packed),
}

/// A page whose entries are being read.
struct Page {
    bytes: Vec<u8>,
    left: usize,
    definitions: Levels,
    repetitions: Levels,
    values: Values,
}

/// The pages of one column in one group of rows.
pub struct Pages {
    physical: Physical,
    most_definition: u16,
    most_repetition: u16,
    codec: i32,
    /// The most bytes of a page: one is not larger than all together, so a damaged one cannot exhaust the memory.
    most: u64,
    /// How many entries the pages to come have.
    n_left: u64,
    at: u64,
    end: u64,
    dictionary: Option<Dictionary>,
    page: Option<Page>,
    /// The levels of the next entry, if it was read to see whether it starts a row.
    ahead: Option<(u16, u16)>,
}

impl Pages {
    pub fn new(leaf: &Leaf, chunk: &Chunk) -> Result<Self> {
        if chunk.is_encrypted {
            return Err(wrong("a column is encrypted"));
        }
        if leaf.physical == Physical::Other {
            return Err(wrong("a column of this type is not text"));
        }
        Ok(Pages {
            physical: leaf.physical,
            most_definition: leaf.most_definition,
            most_repetition: leaf.most_repetition,
            codec: chunk.codec,
            most: chunk.plain_size,
            n_left: chunk.n_values.try_into().unwrap_or(0),
            at: chunk.start,
            end: chunk.start.saturating_add(chunk.size),
            dictionary: None,
            page: None,
            ahead: None,
        })
    }

    /// Reads a row: calls `entry` with the repetition level of each of its entries and whether it is a value, which is appended to
    /// `out` then. Returns whether there was a row.
    pub fn row(
        &mut self,
        file: &File,
        out: &mut Vec<u8>,
        entry: &mut dyn FnMut(u16, bool, usize),
    ) -> Result<bool> {
        let mut is_first = true;
        loop {
            let next = match self.ahead.take() {
                Some(levels) => Some(levels),
                None => self.levels(file)?,
            };
            let Some((repetition, definition)) = next else { return Ok(!is_first) };
            if repetition == 0 && !is_first {
                self.ahead = next;
                return Ok(true);
            }
            is_first = false;
            let is_value = definition >= self.most_definition;
            if let Some(page) = self.page.as_mut().filter(|_| is_value) {
                let dictionary = self.dictionary.as_ref();
                page.values.next(self.physical, &page.bytes, dictionary, out)?;
            }
            entry(repetition, is_value, out.len());
            // Without lists, a row is one entry.
            if self.most_repetition == 0 {
                return Ok(true);
            }
        }
    }

    /// The repetition and the definition level of the next entry.
    fn levels(&mut self, file: &File) -> Result<Option<(u16, u16)>> {
        loop {
            if let Some(page) = self.page.as_mut().filter(|page| page.left > 0) {
                page.left -= 1;
                let repetition = page.repetitions.next(&page.bytes, self.most_repetition)?;
                let definition = page.definitions.next(&page.bytes, self.most_definition)?;
                return Ok(Some((repetition, definition)));
            }
            if !self.next_page(file)? {
                return Ok(None);
            }
        }
    }

    /// Reads the next page with entries, and the dictionary before it.
    fn next_page(&mut self, file: &File) -> Result<bool> {
        while self.n_left > 0 && self.at < self.end {
            let head = self.head(file)?;
            let size = |size: i32| usize::try_from(size).map_err(|_| wrong("a size is negative"));
            let (n_packed, n_plain) = (size(head.size)?, size(head.plain_size)?);
            let n_values = size(head.n_values)?;
            if n_packed as u64 > self.end - self.at {
                return Err(wrong("a page is longer than its column"));
            }
            if n_plain as u64 > self.most {
                return Err(wrong("a page is larger than its column"));
            }
            if !matches!(head.kind, DATA | DICTIONARY | DATA_2) {
                self.at += n_packed as u64;
                continue;
            }
            let packed = self.bytes(file, n_packed as u64)?;
            if packed.len() < n_packed {
                return Err(wrong("a page ends early"));
            }
            self.at += n_packed as u64;
            let mut n_levels = [0; 2];
            if head.kind == DATA_2 {
                n_levels = [size(head.repetitions_size)?, size(head.definitions_size)?];
            }
            let n_first = n_levels[0].saturating_add(n_levels[1]);
            let early = || wrong("a page ends before its levels do");
            let (first, rest) = packed.split_at_checked(n_first).ok_or_else(early)?;
            let n_rest = n_plain.checked_sub(n_first).ok_or_else(early)?;
            let codec = if head.is_plain { 0 } else { self.codec };
            let mut bytes = first.to_vec();
            codecs::unpack(codec, rest, n_rest, &mut bytes)?;
            if head.kind == DICTIONARY {
                self.dictionary = Some(Dictionary::new(&bytes, n_values, self.physical)?);
                continue;
            }
            self.n_left = self.n_left.saturating_sub(n_values as u64);
            self.page = Some(self.page(&head, bytes, n_values, n_levels)?);
            return Ok(true);
        }
        Ok(false)
    }

    /// Finds the parts of a page.
    fn page(
        &self,
        head: &Head,
        bytes: Vec<u8>,
        n_values: usize,
        n_levels: [usize; 2],
    ) -> Result<Page> {
        let mut place = Place { at: 0, end: bytes.len() };
        let mut levels = |most: u16, encoding: i32, n_bytes: usize| {
            let width = width_of(most);
            if head.kind == DATA_2 {
                let at = place.at;
                place.take(&bytes, n_bytes)?;
                let hybrid = Hybrid::new(Place { at, end: place.at }, width)?;
                return Ok(if most == 0 { Levels::None } else { Levels::Hybrid(hybrid) });
            }
            match encoding {
                _ if most == 0 => Ok(Levels::None),
                3 => {
                    let length = place.length(&bytes)?;
                    let at = place.at;
                    place.take(&bytes, length)?;
                    Ok(Levels::Hybrid(Hybrid::new(Place { at, end: place.at }, width)?))
                }
                4 => Ok(Levels::Packed(Packed::new(&mut place, &bytes, n_values, width)?)),
                _ => Err(Error::General(format!("encoding {encoding} is not for levels"))),
            }
        };
        let repetitions = levels(self.most_repetition, head.repetitions, n_levels[0])?;
        let definitions = levels(self.most_definition, head.definitions, n_levels[1])?;
        let values = Values::new(head.encoding, self.physical, place, &bytes)?;
        Ok(Page { bytes, left: n_values, definitions, repetitions, values })
    }

    /// Reads up to `n` bytes of the column from where it is.
    fn bytes(&self, mut file: &File, n: u64) -> Result<Vec<u8>> {
        file.seek(SeekFrom::Start(self.at))?;
        let mut bytes = Vec::new();
        file.take(n.min(self.end - self.at)).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads the head of the next page.
    fn head(&mut self, file: &File) -> Result<Head> {
        let mut n_bytes = HEAD;
        loop {
            let bytes = self.bytes(file, n_bytes)?;
            let mut reader = Reader::new(&bytes);
            match Head::parse(&mut reader) {
                Ok(head) => {
                    self.at += reader.position() as u64;
                    return Ok(head);
                }
                Err(problem) if (bytes.len() as u64) < n_bytes => return Err(problem),
                Err(_) => n_bytes *= 8,
            }
        }
    }
}

impl Levels {
    fn next(&mut self, bytes: &[u8], most: u16) -> Result<u16> {
        let level = match self {
            Levels::None => return Ok(0),
            Levels::Hybrid(levels) => levels.next(bytes)?,
            Levels::Packed(levels) => levels.next(bytes)?,
        };
        let fits = u16::try_from(level).ok().filter(|&level| level <= most);
        fits.ok_or_else(|| wrong("a level is higher than the schema allows"))
    }
}

impl Head {
    fn parse(reader: &mut Reader<'_>) -> Result<Self> {
        let mut head = Head { kind: -1, ..Head::default() };
        reader.structure(&mut |reader, field| {
            match field.id {
                1 => head.kind = reader.small(field)?,
                2 => head.plain_size = reader.small(field)?,
                3 => head.size = reader.small(field)?,
                5 => reader.nested(field, &mut |reader, field| {
                    match field.id {
                        1 => head.n_values = reader.small(field)?,
                        2 => head.encoding = reader.small(field)?,
                        3 => head.definitions = reader.small(field)?,
                        4 => head.repetitions = reader.small(field)?,
                        _ => reader.skip(field)?,
                    }
                    Ok(())
                })?,
                7 => reader.nested(field, &mut |reader, field| {
                    match field.id {
                        1 => head.n_values = reader.small(field)?,
                        2 => head.encoding = reader.small(field)?,
                        _ => reader.skip(field)?,
                    }
                    Ok(())
                })?,
                8 => reader.nested(field, &mut |reader, field| {
                    match field.id {
                        1 => head.n_values = reader.small(field)?,
                        4 => head.encoding = reader.small(field)?,
                        5 => head.definitions_size = reader.small(field)?,
                        6 => head.repetitions_size = reader.small(field)?,
                        7 => head.is_plain = !reader.flag(field)?,
                        _ => reader.skip(field)?,
                    }
                    Ok(())
                })?,
                _ => reader.skip(field)?,
            }
            Ok(())
        })?;
        Ok(head)
    }
}
