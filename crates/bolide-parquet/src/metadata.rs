//! The metadata of a file: its schema, and where the columns of each group of rows are.

use crate::error::wrong;
use crate::thrift::{Field, Reader};
use crate::{Error, Result};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

/// The last bytes of a file.
pub const MAGIC: &[u8; 4] = b"PAR1";
/// The last bytes of a file whose metadata is encrypted.
const ENCRYPTED: &[u8; 4] = b"PARE";
/// The length of the metadata and the last bytes.
const FOOTER: u64 = 8;

/// How values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Physical {
    Flag,
    Int32,
    Int64,
    Float,
    Double,
    Bytes,
    /// Times of type INT96, and bytes of a fixed length.
    Other,
}

/// A column of values in the schema.
pub struct Leaf {
    /// The outermost name.
    pub name: String,
    pub physical: Physical,
    /// The definition level of a value that is not null.
    pub most_definition: u16,
    /// The number of lists around a value.
    pub most_repetition: u16,
}

/// A column in a group of rows.
#[derive(Default)]
pub struct Chunk {
    pub codec: i32,
    pub n_values: i64,
    /// The size of all pages, with their heads, before they were compressed.
    pub plain_size: u64,
    /// The size in the file.
    pub size: u64,
    /// Where its first page is.
    pub start: u64,
    pub is_encrypted: bool,
}

/// A group of rows.
#[derive(Default)]
pub struct Group {
    pub n_rows: usize,
    pub chunks: Vec<Chunk>,
}

/// What the end of a file says.
#[derive(Default)]
pub struct Metadata {
    pub n_rows: u64,
    pub leaves: Vec<Leaf>,
    pub groups: Vec<Group>,
}

/// A node of the schema, as it is stored.
#[derive(Default)]
struct Element {
    kind: Option<i32>,
    repetition: i32,
    name: String,
    n_children: i32,
}

impl Metadata {
    /// Reads the end of a file.
    pub fn read(file: &mut &File) -> Result<Self> {
        let size = file.seek(SeekFrom::End(0))?;
        let Some(rest) = size.checked_sub(FOOTER) else {
            return Err(Error::General(format!("a file of {size} bytes is too short")));
        };
        file.seek(SeekFrom::Start(rest))?;
        let mut footer = [0; FOOTER as usize];
        file.read_exact(&mut footer)?;
        let [a, b, c, d, magic @ ..] = footer;
        if &magic == ENCRYPTED {
            return Err(wrong("the metadata is encrypted"));
        }
        if &magic != MAGIC {
            return Err(wrong("its last bytes are not PAR1"));
        }
        let length = u64::from(u32::from_le_bytes([a, b, c, d]));
        let Some(start) = rest.checked_sub(length) else {
            return Err(wrong("its metadata is longer than the file"));
        };
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes)?;
        Metadata::parse(&bytes)
    }

    fn parse(bytes: &[u8]) -> Result<Self> {
        let (mut metadata, mut elements) = (Metadata::default(), Vec::new());
        Reader::new(bytes).structure(&mut |reader, field| {
            match field.id {
                2 => reader.list(field, &mut |reader, item| {
                    elements.push(Element::parse(reader, item)?);
                    Ok(())
                })?,
                3 => metadata.n_rows = unsigned(reader, field)?,
                4 => reader.list(field, &mut |reader, item| {
                    metadata.groups.push(Group::parse(reader, item)?);
                    Ok(())
                })?,
                _ => reader.skip(field)?,
            }
            Ok(())
        })?;
        metadata.leaves = leaves(elements)?;
        Ok(metadata)
    }
}

impl Element {
    fn parse(reader: &mut Reader<'_>, item: Field) -> Result<Self> {
        let mut element = Element::default();
        reader.nested(item, &mut |reader, field| {
            match field.id {
                1 => element.kind = Some(reader.small(field)?),
                3 => element.repetition = reader.small(field)?,
                4 => element.name = String::from_utf8_lossy(reader.text(field)?).into_owned(),
                5 => element.n_children = reader.small(field)?,
                _ => reader.skip(field)?,
            }
            Ok(())
        })?;
        Ok(element)
    }
}

impl Group {
    fn parse(reader: &mut Reader<'_>, item: Field) -> Result<Self> {
        let mut group = Group::default();
        reader.nested(item, &mut |reader, field| {
            match field.id {
                1 => reader.list(field, &mut |reader, item| {
                    group.chunks.push(Chunk::parse(reader, item)?);
                    Ok(())
                })?,
                3 => group.n_rows = usize::try_from(unsigned(reader, field)?).unwrap_or(usize::MAX),
                _ => reader.skip(field)?,
            }
            Ok(())
        })?;
        Ok(group)
    }
}

impl Chunk {
    fn parse(reader: &mut Reader<'_>, item: Field) -> Result<Self> {
        let (mut chunk, mut data, mut dictionary) = (Chunk::default(), 0, 0);
        reader.nested(item, &mut |reader, field| {
            match field.id {
                3 => reader.nested(field, &mut |reader, field| {
                    match field.id {
                        4 => chunk.codec = reader.small(field)?,
                        5 => chunk.n_values = reader.number(field)?,
                        6 => chunk.plain_size = unsigned(reader, field)?,
                        7 => chunk.size = unsigned(reader, field)?,
                        9 => data = unsigned(reader, field)?,
                        11 => dictionary = reader.number(field)?,
                        _ => reader.skip(field)?,
                    }
                    Ok(())
                })?,
                8 | 9 => {
                    chunk.is_encrypted = true;
                    reader.skip(field)?;
                }
                _ => reader.skip(field)?,
            }
            Ok(())
        })?;
        // Some programs write a zero where there is no dictionary.
        chunk.start = u64::try_from(dictionary).ok().filter(|&at| at > 0).unwrap_or(data);
        Ok(chunk)
    }
}

fn unsigned(reader: &mut Reader<'_>, field: Field) -> Result<u64> {
    let number = reader.number(field)?;
    number.try_into().map_err(|_| wrong("a size in the metadata is negative"))
}

/// The columns of a schema, which is stored as its nodes from the root, each before its children.
fn leaves(elements: Vec<Element>) -> Result<Vec<Leaf>> {
    /// A node whose children follow: how many, with what levels, under which name.
    struct Open {
        left: i32,
        definition: u16,
        repetition: u16,
        name: Option<String>,
    }
    let mut elements = elements.into_iter();
    let Some(root) = elements.next() else { return Err(wrong("there is no schema")) };
    let mut leaves = Vec::new();
    let mut open = vec![Open { left: root.n_children, definition: 0, repetition: 0, name: None }];
    loop {
        while open.pop_if(|node| node.left <= 0).is_some() {}
        let Some(parent) = open.last_mut() else { break };
        let Some(element) = elements.next() else { return Err(wrong("the schema ends early")) };
        parent.left -= 1;
        let too_deep = || wrong("the schema is nested too deeply");
        let more = |level: u16, by: bool| level.checked_add(by.into()).ok_or_else(too_deep);
        let definition = more(parent.definition, element.repetition != 0)?;
        let repetition = more(parent.repetition, element.repetition == 2)?;
        let name = parent.name.clone().unwrap_or(element.name);
        match element.kind {
            Some(kind) if element.n_children <= 0 => leaves.push(Leaf {
                name,
                physical: physical(kind)?,
                most_definition: definition,
                most_repetition: repetition,
            }),
            _ => open.push(Open {
                left: element.n_children,
                definition,
                repetition,
                name: Some(name),
            }),
        }
    }
    if elements.next().is_some() {
        return Err(wrong("the schema has more columns than its root says"));
    }
    Ok(leaves)
}

fn physical(kind: i32) -> Result<Physical> {
    Ok(match kind {
        0 => Physical::Flag,
        1 => Physical::Int32,
        2 => Physical::Int64,
        4 => Physical::Float,
        5 => Physical::Double,
        6 => Physical::Bytes,
        3 | 7 => Physical::Other,
        _ => return Err(wrong("the type of a column is not known")),
    })
}
