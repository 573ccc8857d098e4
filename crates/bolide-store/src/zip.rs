//! Just enough of the zip format to read wheels and jars: the central directory, and entries that are
//! stored or deflated.

use flate2::read::DeflateDecoder;
use std::io::Read;

/// An archive in memory.
pub struct Archive<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry>,
}

struct Entry {
    name: String,
    method: u16,
    compressed: usize,
    offset: usize,
}

const END: [u8; 4] = *b"PK\x05\x06";
const CENTRAL: [u8; 4] = *b"PK\x01\x02";
const LOCAL: [u8; 4] = *b"PK\x03\x04";

impl<'a> Archive<'a> {
    /// Reads the directory. The error says why the archive cannot be read.
    pub fn open(bytes: &'a [u8]) -> Result<Self, String> {
        let broken = || "the zip archive is damaged".to_owned();
        // A comment of up to 65,535 bytes may follow the end record.
        let tail = bytes.len().saturating_sub(22 + 65_535);
        let end = (tail..bytes.len().saturating_sub(21))
            .rev()
            .find(|&at| bytes[at..].starts_with(&END))
            .ok_or("this is not a zip archive (a wheel or a jar)")?;
        let count = short(bytes, end + 10).ok_or_else(broken)?;
        let mut at = long(bytes, end + 16).ok_or_else(broken)? as usize;
        if at == u32::MAX as usize {
            return Err("zip archives above 4 GB are not read".to_owned());
        }
        let mut entries = Vec::new();
        for _ in 0..count {
            if bytes.get(at..at + 4) != Some(&CENTRAL) {
                return Err(broken());
            }
            let field =
                |offset: usize| short(bytes, at + offset).map(usize::from).ok_or_else(broken);
            let (name_length, extra, comment) = (field(28)?, field(30)?, field(32)?);
            let name = bytes.get(at + 46..at + 46 + name_length).ok_or_else(broken)?;
            entries.push(Entry {
                name: String::from_utf8_lossy(name).into_owned(),
                method: field(10)? as u16,
                compressed: long(bytes, at + 20).ok_or_else(broken)? as usize,
                offset: long(bytes, at + 42).ok_or_else(broken)? as usize,
            });
            at += 46 + name_length + extra + comment;
        }
        Ok(Archive { bytes, entries })
    }

    /// The names of all entries.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// The content of an entry.
    pub fn read(&self, name: &str) -> Result<Box<dyn Read + 'a>, String> {
        let broken = || format!("{name} in the zip archive is damaged");
        let entry = self.entries.iter().find(|entry| entry.name == name).ok_or_else(broken)?;
        let at = entry.offset;
        if self.bytes.get(at..at.saturating_add(4)) != Some(&LOCAL) {
            return Err(broken());
        }
        let length = |offset| short(self.bytes, at + offset).map(usize::from).ok_or_else(broken);
        let start = at + 30 + length(26)? + length(28)?;
        let body =
            self.bytes.get(start..start.saturating_add(entry.compressed)).ok_or_else(broken)?;
        match entry.method {
            0 => Ok(Box::new(body)),
            8 => Ok(Box::new(DeflateDecoder::new(body))),
            method => Err(format!("{name} is compressed by method {method}, which is not read")),
        }
    }
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().copied().map(u16::from_le_bytes)
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}
