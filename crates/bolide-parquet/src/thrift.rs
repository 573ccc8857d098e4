//! Thrift's compact protocol, in which Parquet stores its metadata: fields with numbers, of which a reader takes those it knows
//! and skips the others.

use crate::Result;
use crate::error::wrong;

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// How deep a structure that is skipped may be nested. Those of Parquet have less than ten levels.
const DEEPEST: u32 = 64;

/// Reads values one after the other.
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// A field of a structure: its number, and the type of its value.
#[derive(Clone, Copy)]
pub struct Field {
    /// The number.
    pub id: i16,
    kind: u8,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    /// How many bytes were read.
    pub fn position(&self) -> usize {
        self.at
    }

    fn byte(&mut self) -> Result<u8> {
        let byte = *self.bytes.get(self.at).ok_or_else(|| wrong("the metadata ends early"))?;
        self.at += 1;
        Ok(byte)
    }

    fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let taken = rest.get(..n).ok_or_else(|| wrong("the metadata ends early"))?;
        self.at += n;
        Ok(taken)
    }

    fn varint(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(wrong("a number in the metadata is too long"))
    }

    fn zigzag(&mut self) -> Result<i64> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// Reads a structure: `field` takes the value of each field, or [skips](Reader::skip) it.
    pub fn structure(
        &mut self,
        field: &mut dyn FnMut(&mut Self, Field) -> Result<()>,
    ) -> Result<()> {
        let mut id = 0_i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(());
            }
            id = match head >> 4 {
                0 => i16::try_from(self.zigzag()?).map_err(|_| wrong("a field has no number"))?,
                more => id.checked_add(i16::from(more)).ok_or_else(|| wrong("too many fields"))?,
            };
            field(self, Field { id, kind: head & 0xf })?;
        }
    }

    /// Reads a list: `item` takes each of its values, which are structures, numbers or texts as the caller knows.
    pub fn list(
        &mut self,
        field: Field,
        item: &mut dyn FnMut(&mut Self, Field) -> Result<()>,
    ) -> Result<()> {
        expect(field.kind == LIST)?;
        let (n_items, kind) = self.list_head()?;
        for _ in 0..n_items {
            item(self, Field { id: 0, kind })?;
        }
        Ok(())
    }

    fn list_head(&mut self) -> Result<(u64, u8)> {
        let head = self.byte()?;
        let n_items = match head >> 4 {
            15 => self.varint()?,
            few => u64::from(few),
        };
        Ok((n_items, head & 0xf))
    }

    /// Reads a field that is a structure.
    pub fn nested(
        &mut self,
        field: Field,
        take: &mut dyn FnMut(&mut Self, Field) -> Result<()>,
    ) -> Result<()> {
        expect(field.kind == STRUCT)?;
        self.structure(take)
    }

    pub fn flag(&mut self, field: Field) -> Result<bool> {
        expect(field.kind == TRUE || field.kind == FALSE)?;
        Ok(field.kind == TRUE)
    }

    pub fn number(&mut self, field: Field) -> Result<i64> {
        expect((4..=I64).contains(&field.kind))?;
        self.zigzag()
    }

    pub fn small(&mut self, field: Field) -> Result<i32> {
        self.number(field)?.try_into().map_err(|_| wrong("a number in the metadata is too large"))
    }

    pub fn text(&mut self, field: Field) -> Result<&'a [u8]> {
        expect(field.kind == BINARY)?;
        let n_bytes = self.varint()?;
        self.take(usize::try_from(n_bytes).unwrap_or(usize::MAX))
    }

    /// Leaves out the value of a field.
    pub fn skip(&mut self, field: Field) -> Result<()> {
        self.skip_value(field.kind, DEEPEST)
    }

    fn skip_value(&mut self, kind: u8, depth: u32) -> Result<()> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(wrong("the metadata is nested too deeply"));
        };
        match kind {
            TRUE | FALSE => {}
            BYTE => _ = self.byte()?,
            4..=I64 => _ = self.varint()?,
            DOUBLE => _ = self.take(8)?,
            BINARY => {
                let n_bytes = self.varint()?;
                self.take(usize::try_from(n_bytes).unwrap_or(usize::MAX))?;
            }
            LIST | 10 => {
                let (n_items, kind) = self.list_head()?;
                for _ in 0..n_items {
                    self.skip_item(kind, depth)?;
                }
            }
            11 => {
                let n_items = self.varint()?;
                let kinds = if n_items > 0 { self.byte()? } else { 0 };
                for _ in 0..n_items {
                    self.skip_item(kinds >> 4, depth)?;
                    self.skip_item(kinds & 0xf, depth)?;
                }
            }
            STRUCT => {
                self.structure(&mut |reader, field| reader.skip_value(field.kind, depth))?;
            }
            13 => _ = self.take(16)?,
            _ => return Err(wrong("a type in the metadata is not known")),
        }
        Ok(())
    }

    /// A flag has a byte of its own in a list, where it has no field to be part of.
    fn skip_item(&mut self, kind: u8, depth: u32) -> Result<()> {
        match kind {
            TRUE | FALSE => self.byte().map(drop),
            _ => self.skip_value(kind, depth),
        }
    }
}

fn expect(is_so: bool) -> Result<()> {
    if is_so { Ok(()) } else { Err(wrong("a field of the metadata has another type")) }
}

/// Writes a structure, fields in the order of their numbers.
pub struct Writer<'a> {
    out: &'a mut Vec<u8>,
    last: u8,
}

impl<'a> Writer<'a> {
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        Writer { out, last: 0 }
    }

    fn head(&mut self, id: u8, kind: u8) {
        // Numbers of Parquet's fields are small and never more than fifteen apart.
        self.out.push((id - self.last) << 4 | kind);
        self.last = id;
    }

    pub fn small(&mut self, id: u8, value: i32) -> &mut Self {
        self.head(id, I32);
        varint(self.out, zigzag(value.into()));
        self
    }

    pub fn number(&mut self, id: u8, value: i64) -> &mut Self {
        self.head(id, I64);
        varint(self.out, zigzag(value));
        self
    }

    pub fn text(&mut self, id: u8, value: &str) -> &mut Self {
        self.head(id, BINARY);
        text(self.out, value);
        self
    }

    pub fn nested(&mut self, id: u8, write: impl FnOnce(&mut Writer<'_>)) -> &mut Self {
        self.head(id, STRUCT);
        structure(self.out, write);
        self
    }

    /// A list of structures.
    pub fn list<T>(
        &mut self,
        id: u8,
        items: &[T],
        mut write: impl FnMut(&T, &mut Writer<'_>),
    ) -> &mut Self {
        self.list_head(id, STRUCT, items.len());
        for item in items {
            structure(self.out, |writer| write(item, writer));
        }
        self
    }

    pub fn smalls(&mut self, id: u8, values: &[i32]) -> &mut Self {
        self.list_head(id, I32, values.len());
        for &value in values {
            varint(self.out, zigzag(value.into()));
        }
        self
    }

    pub fn texts(&mut self, id: u8, values: &[&str]) -> &mut Self {
        self.list_head(id, BINARY, values.len());
        for value in values {
            text(self.out, value);
        }
        self
    }

    fn list_head(&mut self, id: u8, kind: u8, n_items: usize) {
        self.head(id, LIST);
        match u8::try_from(n_items) {
            Ok(few @ 0..15) => self.out.push(few << 4 | kind),
            _ => {
                self.out.push(0xf0 | kind);
                varint(self.out, n_items as u64);
            }
        }
    }
}

/// Writes a structure with its end.
pub fn structure(out: &mut Vec<u8>, write: impl FnOnce(&mut Writer<'_>)) {
    write(&mut Writer::new(out));
    out.push(0);
}

fn text(out: &mut Vec<u8>, value: &str) {
    varint(out, value.len() as u64);
    out.extend_from_slice(value.as_bytes());
}

fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

/// Writes a number in groups of seven bits.
pub fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
