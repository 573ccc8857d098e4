//! Writes tables, one group of rows at a time.
//!
//! The caller gets the bytes of each group and decides where they go; memory does not grow with the table. Pages are compressed with
//! Snappy. Text that repeats goes into a dictionary.

use crate::bits::width_of_entries;
use crate::codecs::SNAPPY;
use crate::error::wrong;
use crate::metadata::MAGIC;
use crate::thrift::{structure, varint};
use crate::{Error, Result};
use std::collections::HashMap;

/// Encodings and kinds of pages, by their numbers in the format.
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const RLE_DICTIONARY: i32 = 8;
const DATA: i32 = 0;
const DICTIONARY: i32 = 2;
/// The most rows of a page.
const PAGE: usize = 20_000;

/// The type of a column. Text and row numbers are never null, the others may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Text.
    Text,
    /// The number of a row.
    Row,
    /// A whole number.
    Count,
    /// True or false.
    Flag,
    /// A floating-point number.
    Number,
}

/// The values of a column in one group of rows.
pub enum Values<'a> {
    /// Of a [`Field::Text`].
    Text(Vec<&'a str>),
    /// Of a [`Field::Row`].
    Row(Vec<i64>),
    /// Of a [`Field::Count`].
    Count(Vec<Option<i64>>),
    /// Of a [`Field::Flag`].
    Flag(Vec<Option<bool>>),
    /// Of a [`Field::Number`].
    Number(Vec<Option<f64>>),
}

/// Produces the bytes of a table.
pub struct Writer {
    fields: Vec<(String, Field)>,
    program: String,
    groups: Vec<Group>,
    /// How many bytes were handed out.
    n_bytes: u64,
    out: Vec<u8>,
}

struct Group {
    n_rows: usize,
    chunks: Vec<Chunk>,
}

/// Where a column of a group is.
struct Chunk {
    n_values: usize,
    /// The bytes of its pages with their heads, before compression and after it.
    plain_size: u64,
    size: u64,
    dictionary: Option<u64>,
    data: u64,
}

impl Writer {
    /// Starts a table with these columns. `program` is recorded as its creator.
    pub fn new(fields: &[(&str, Field)], program: &str) -> Result<Self> {
        Ok(Writer {
            fields: fields.iter().map(|&(name, field)| (name.to_owned(), field)).collect(),
            program: program.to_owned(),
            groups: Vec::new(),
            n_bytes: 0,
            out: MAGIC.to_vec(),
        })
    }

    /// The next bytes of the table: a group of rows, with the values of every column in order.
    pub fn group(&mut self, columns: Vec<Values<'_>>) -> Result<Vec<u8>> {
        if columns.len() != self.fields.len() {
            return Err(wrong("another number of columns than of fields"));
        }
        let mut group = Group { n_rows: 0, chunks: Vec::new() };
        for (values, idx) in columns.into_iter().zip(0..) {
            if !values.fit(self.fields[idx].1) {
                return Err(wrong("values of another type than their field"));
            }
            let n_rows = values.len();
            if idx > 0 && n_rows != group.n_rows {
                return Err(wrong("columns of different lengths"));
            }
            group.n_rows = n_rows;
            let chunk = self.chunk(&values)?;
            group.chunks.push(chunk);
        }
        self.groups.push(group);
        Ok(self.hand_out())
    }

    /// The last bytes of the table.
    pub fn end(mut self) -> Result<Vec<u8>> {
        let start = self.out.len();
        let Writer { fields, program, groups, out, .. } = &mut self;
        let n_rows: usize = groups.iter().map(|group| group.n_rows).sum();
        structure(out, |file| {
            let mut nodes = vec![None];
            nodes.extend(fields.iter().map(Some));
            file.small(1, 1);
            file.list(2, &nodes, |&node, element| match node {
                None => _ = element.text(4, "bolide").small(5, fields.len() as i32),
                Some((name, field)) => {
                    let (physical, is_optional) = field.stored();
                    element.small(1, physical).small(3, is_optional.into()).text(4, name);
                    if *field == Field::Text {
                        // Text, in the old way and in the new one.
                        element.small(6, 0).nested(10, |kind| _ = kind.nested(1, |_| {}));
                    }
                }
            });
            file.number(3, n_rows as i64);
            file.list(4, groups, |group, out| {
                let columns: Vec<(&Chunk, &(String, Field))> =
                    group.chunks.iter().zip(fields.iter()).collect();
                let size: u64 = group.chunks.iter().map(|chunk| chunk.plain_size).sum();
                out.list(1, &columns, |(chunk, (name, field)), out| {
                    let start = chunk.dictionary.unwrap_or(chunk.data);
                    out.number(2, start as i64).nested(3, |out| chunk.describe(name, *field, out));
                });
                out.number(2, size as i64).number(3, group.n_rows as i64);
            });
            file.text(6, program);
        });
        let length = u32::try_from(out.len() - start).map_err(|_| wrong("too many groups"))?;
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(MAGIC);
        Ok(self.hand_out())
    }

    fn hand_out(&mut self) -> Vec<u8> {
        self.n_bytes += self.out.len() as u64;
        std::mem::take(&mut self.out)
    }

    fn position(&self) -> u64 {
        self.n_bytes + self.out.len() as u64
    }

    /// Writes the pages of a column.
    fn chunk(&mut self, values: &Values<'_>) -> Result<Chunk> {
        let (n_values, start) = (values.len(), self.position());
        let mut chunk = Chunk { n_values, plain_size: 0, size: 0, dictionary: None, data: start };
        let entries = match values {
            Values::Text(texts) => dictionary(texts),
            _ => None,
        };
        let mut encoding = PLAIN;
        if let Some((words, _)) = &entries {
            let mut plain = Vec::new();
            words.iter().for_each(|word| text(&mut plain, word));
            chunk.plain_size += self.page(&plain, DICTIONARY, words.len(), PLAIN)?;
            (chunk.dictionary, chunk.data) = (Some(start), self.position());
            encoding = RLE_DICTIONARY;
        }
        for from in (0..n_values.max(1)).step_by(PAGE) {
            let rows = from..n_values.min(from + PAGE);
            let mut plain = Vec::new();
            match &entries {
                Some((words, entries)) => {
                    let width = width_of_entries(words.len());
                    plain.push(width as u8);
                    hybrid(&mut plain, &entries[rows.clone()], width);
                }
                None => values.plain(rows.clone(), &mut plain),
            }
            chunk.plain_size += self.page(&plain, DATA, rows.len(), encoding)?;
        }
        chunk.size = self.position() - start;
        Ok(chunk)
    }

    /// Writes a page and returns its size before compression.
    fn page(&mut self, plain: &[u8], kind: i32, n_values: usize, encoding: i32) -> Result<u64> {
        let packed = snap::raw::Encoder::new().compress_vec(plain).map_err(too_large)?;
        let size = |n: usize| i32::try_from(n).map_err(too_large);
        let (plain_size, packed_size, n_values) =
            (size(plain.len())?, size(packed.len())?, size(n_values)?);
        let start = self.out.len();
        structure(&mut self.out, |head| {
            head.small(1, kind).small(2, plain_size).small(3, packed_size);
            if kind == DICTIONARY {
                head.nested(7, |head| _ = head.small(1, n_values).small(2, encoding));
            } else {
                head.nested(5, |head| {
                    head.small(1, n_values).small(2, encoding).small(3, RLE).small(4, RLE);
                });
            }
        });
        let n_head = self.out.len() - start;
        self.out.extend_from_slice(&packed);
        Ok((n_head + plain.len()) as u64)
    }
}

impl Chunk {
    fn describe(&self, name: &str, field: Field, out: &mut crate::thrift::Writer<'_>) {
        let encodings: &[i32] =
            if self.dictionary.is_some() { &[PLAIN, RLE, RLE_DICTIONARY] } else { &[PLAIN, RLE] };
        out.small(1, field.stored().0).smalls(2, encodings).texts(3, &[name]).small(4, SNAPPY);
        out.number(5, self.n_values as i64).number(6, self.plain_size as i64);
        out.number(7, self.size as i64).number(9, self.data as i64);
        if let Some(at) = self.dictionary {
            out.number(11, at as i64);
        }
    }
}

impl Field {
    /// The number of its type in the format, and whether it may be null.
    fn stored(self) -> (i32, bool) {
        match self {
            Field::Text => (6, false),
            Field::Row => (2, false),
            Field::Count => (2, true),
            Field::Flag => (0, true),
            Field::Number => (5, true),
        }
    }
}

impl Values<'_> {
    fn len(&self) -> usize {
        match self {
            Values::Text(values) => values.len(),
            Values::Row(values) => values.len(),
            Values::Count(values) => values.len(),
            Values::Flag(values) => values.len(),
            Values::Number(values) => values.len(),
        }
    }

    fn fit(&self, field: Field) -> bool {
        field
            == match self {
                Values::Text(_) => Field::Text,
                Values::Row(_) => Field::Row,
                Values::Count(_) => Field::Count,
                Values::Flag(_) => Field::Flag,
                Values::Number(_) => Field::Number,
            }
    }

    /// The bytes of a page with these rows.
    fn plain(&self, rows: std::ops::Range<usize>, out: &mut Vec<u8>) {
        match self {
            Values::Text(values) => values[rows].iter().for_each(|value| text(out, value)),
            Values::Row(values) => {
                values[rows].iter().for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
            }
            Values::Count(values) => {
                let there = present(out, &values[rows]);
                there.iter().for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
            }
            Values::Number(values) => {
                let there = present(out, &values[rows]);
                there.iter().for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
            }
            Values::Flag(values) => {
                for eight in present(out, &values[rows]).chunks(8) {
                    let bits = eight.iter().rev().fold(0, |bits, &flag| bits << 1 | u8::from(flag));
                    out.push(bits);
                }
            }
        }
    }
}

/// Writes which values are there, and returns those.
fn present<T: Copy>(out: &mut Vec<u8>, values: &[Option<T>]) -> Vec<T> {
    let levels: Vec<u32> = values.iter().map(|value| value.is_some().into()).collect();
    let mut bytes = Vec::new();
    hybrid(&mut bytes, &levels, 1);
    out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    out.extend_from_slice(&bytes);
    values.iter().flatten().copied().collect()
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

/// The different texts, and for each text its number among them; nothing if few repeat.
fn dictionary<'a>(texts: &[&'a str]) -> Option<(Vec<&'a str>, Vec<u32>)> {
    let (mut numbers, mut words) = (HashMap::new(), Vec::new());
    let mut entries = Vec::with_capacity(texts.len());
    for &text in texts {
        let number = *numbers.entry(text).or_insert_with(|| {
            words.push(text);
            words.len() as u32 - 1
        });
        entries.push(number);
        if words.len() > texts.len() / 2 {
            return None;
        }
    }
    Some((words, entries))
}

/// Writes numbers as runs where eight or more are equal, and packed otherwise.
fn hybrid(out: &mut Vec<u8>, values: &[u32], width: u32) {
    let run =
        |from: usize| values[from..].iter().take_while(|&&value| value == values[from]).count();
    let mut at = 0;
    while at < values.len() {
        let length = run(at);
        if length >= 8 || length == values.len() - at {
            varint(out, (length as u64) << 1);
            out.extend_from_slice(&values[at].to_le_bytes()[..width.div_ceil(8) as usize]);
            at += length;
            continue;
        }
        // Groups of eight up to the next long run.
        let mut end = at;
        while end < values.len() && (end == at || run(end) < 8) {
            end += 8;
        }
        let n_groups = ((end - at) / 8) as u64;
        varint(out, n_groups << 1 | 1);
        let (mut bits, mut n_bits) = (0_u64, 0);
        for idx in at..end {
            bits |= u64::from(values.get(idx).copied().unwrap_or(0)) << n_bits;
            n_bits += width;
            while n_bits >= 8 {
                out.push(bits as u8);
                bits >>= 8;
                n_bits -= 8;
            }
        }
        at = end;
    }
}

fn too_large(problem: impl std::fmt::Display) -> Error {
    Error::General(format!("a page is too large: {problem}"))
}
