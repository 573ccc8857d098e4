//! Just enough of SQLite's file format to read the rows of a table: b-tree pages, records and overflow pages.
//!
//! Nothing is written and no index is used. Every page is read at most once for a table, so a damaged file that
//! refers to itself ends in an error.

/// A database in memory.
pub struct Database<'a> {
    bytes: &'a [u8],
    page_size: usize,
    /// The bytes of a page that are in use.
    usable: usize,
    tables: Vec<(String, u32, Vec<String>)>,
}

/// A table of the database.
pub struct Table<'d, 'a> {
    database: &'d Database<'a>,
    name: &'d str,
    root: u32,
    columns: &'d [String],
}

/// The wanted columns of a row.
pub struct Row<'a, const N: usize>([Value<'a>; N]);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Value<'a> {
    Null,
    Number(i64),
    Bytes(&'a [u8]),
}

impl<const N: usize> Row<'_, N> {
    /// A column as text; empty if it is none.
    pub fn text(&self, at: usize) -> &str {
        match self.0.get(at) {
            Some(Value::Bytes(bytes)) => str::from_utf8(bytes).unwrap_or_default(),
            _ => "",
        }
    }

    /// A column as a number.
    pub fn number(&self, at: usize) -> Option<i64> {
        match self.0.get(at) {
            Some(&Value::Number(number)) => Some(number),
            _ => None,
        }
    }
}

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const DAMAGED: &str = "the database is damaged";

/// What is done with a row: its number and its record.
type Visit<'v> = dyn FnMut(i64, &[u8]) -> Result<(), String> + 'v;

impl<'a> Database<'a> {
    /// Reads the header and the list of tables.
    pub fn open(bytes: &'a [u8]) -> Result<Self, String> {
        if bytes.get(..16) != Some(MAGIC) {
            return Err("this is not a database of SQLite".to_owned());
        }
        let page_size = match short(bytes, 16).ok_or(DAMAGED)? {
            1 => 65536,
            size if size >= 512 && size.is_power_of_two() => usize::from(size),
            _ => return Err(DAMAGED.to_owned()),
        };
        let reserved = usize::from(*bytes.get(20).ok_or(DAMAGED)?);
        if long(bytes, 56) != Some(1) {
            return Err("the database is not in UTF-8".to_owned());
        }
        let usable = page_size - reserved.min(page_size - 480);
        let mut database = Database { bytes, page_size, usable, tables: Vec::new() };
        let mut tables = Vec::new();
        database.visit(1, &mut |_, record| {
            // type, name, tbl_name, rootpage, sql
            let row = Row(columns(record, &[0, 1, 3, 4])?);
            if row.text(0) == "table" {
                let root = row.number(2).and_then(|root| u32::try_from(root).ok());
                tables.push((
                    row.text(1).to_owned(),
                    root.ok_or(DAMAGED)?,
                    names_of_columns(row.text(3)),
                ));
            }
            Ok(())
        })?;
        database.tables = tables;
        Ok(database)
    }

    /// A table by name.
    pub fn table(&self, name: &str) -> Option<Table<'_, 'a>> {
        let (name, root, columns) = self.tables.iter().find(|(known, ..)| known == name)?;
        Some(Table { database: self, name, root: *root, columns })
    }

    fn page(&self, number: u32) -> Result<&'a [u8], String> {
        let start = (number as usize).checked_sub(1).and_then(|n| n.checked_mul(self.page_size));
        let page =
            start.and_then(|start| self.bytes.get(start..start.checked_add(self.page_size)?));
        page.ok_or_else(|| {
            "the database is truncated: it refers to a page beyond its end".to_owned()
        })
    }

    /// Visits the records of a b-tree in order.
    fn visit(&self, root: u32, visit: &mut Visit<'_>) -> Result<(), String> {
        let n_pages = self.bytes.len() / self.page_size;
        let mut stack = vec![root];
        let mut n_visited = 0;
        while let Some(number) = stack.pop() {
            n_visited += 1;
            if n_visited > n_pages {
                return Err(DAMAGED.to_owned());
            }
            let page = self.page(number)?;
            let header = if number == 1 { 100 } else { 0 };
            let n_cells = usize::from(short(page, header + 3).ok_or(DAMAGED)?);
            let cell = |at: usize, header_size: usize| {
                short(page, header + header_size + at * 2).map(usize::from).ok_or(DAMAGED)
            };
            match page.get(header) {
                Some(5) => {
                    stack.push(long(page, header + 8).ok_or(DAMAGED)?);
                    for at in (0..n_cells).rev() {
                        stack.push(long(page, cell(at, 12)?).ok_or(DAMAGED)?);
                    }
                }
                Some(13) => {
                    for at in 0..n_cells {
                        self.cell(page, cell(at, 8)?, visit)?;
                    }
                }
                _ => return Err(DAMAGED.to_owned()),
            }
        }
        Ok(())
    }

    /// Visits the record of a cell, of which a long one continues on other pages.
    fn cell(&self, page: &'a [u8], at: usize, visit: &mut Visit<'_>) -> Result<(), String> {
        let mut cell = page.get(at..).ok_or(DAMAGED)?;
        let size = usize::try_from(varint(&mut cell).ok_or(DAMAGED)?).map_err(|_| DAMAGED)?;
        let rowid = varint(&mut cell).ok_or(DAMAGED)?;
        let most = self.usable - 35;
        if size <= most {
            return visit(rowid, cell.get(..size).ok_or(DAMAGED)?);
        }
        if size > self.bytes.len() {
            return Err(DAMAGED.to_owned());
        }
        let least = (self.usable - 12) * 32 / 255 - 23;
        let wanted = least + (size - least) % (self.usable - 4);
        let here = if wanted <= most { wanted } else { least };
        let mut record = cell.get(..here).ok_or(DAMAGED)?.to_vec();
        let mut next = long(cell, here).ok_or(DAMAGED)?;
        while record.len() < size {
            let page = self.page(next)?;
            let n = (size - record.len()).min(self.usable - 4);
            record.extend_from_slice(page.get(4..4 + n).ok_or(DAMAGED)?);
            next = long(page, 0).ok_or(DAMAGED)?;
        }
        visit(rowid, &record)
    }
}

impl Table<'_, '_> {
    /// Visits the rows, with their numbers.
    pub fn rows<const N: usize>(
        &self,
        wanted: [&str; N],
        mut visit: impl FnMut(i64, &Row<'_, N>) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut places = [0; N];
        for (place, name) in places.iter_mut().zip(wanted) {
            let found = self.columns.iter().position(|column| column == name);
            *place = found.ok_or_else(|| {
                format!("its table '{}' has no column '{name}': it is of another wn", self.name)
            })?;
        }
        self.database
            .visit(self.root, &mut |rowid, record| visit(rowid, &Row(columns(record, &places)?)))
    }
}

/// The wanted columns of a record. Those that it lacks are null.
fn columns<'r, const N: usize>(
    record: &'r [u8],
    wanted: &[usize; N],
) -> Result<[Value<'r>; N], String> {
    let mut values = [Value::Null; N];
    let mut rest = record;
    let header = varint(&mut rest).and_then(|size| usize::try_from(size).ok()).ok_or(DAMAGED)?;
    let mut types = record.get(record.len() - rest.len()..header).ok_or(DAMAGED)?;
    let mut body = record.get(header..).ok_or(DAMAGED)?;
    let mut column = 0;
    while !types.is_empty() {
        let kind = varint(&mut types).ok_or(DAMAGED)?;
        let size = match kind {
            0 | 8 | 9 => 0,
            1..=4 => kind as usize,
            5 => 6,
            6 | 7 => 8,
            12.. => usize::try_from((kind - 12) / 2).map_err(|_| DAMAGED)?,
            _ => return Err(DAMAGED.to_owned()),
        };
        let (value, after) = body.split_at_checked(size).ok_or(DAMAGED)?;
        body = after;
        let value = match kind {
            1..=6 => Value::Number(signed(value)),
            8 | 9 => Value::Number(kind - 8),
            12.. => Value::Bytes(value),
            _ => Value::Null,
        };
        for (slot, &place) in values.iter_mut().zip(wanted) {
            if place == column {
                *slot = value;
            }
        }
        column += 1;
    }
    Ok(values)
}

/// A big-endian number of up to eight bytes, with its sign.
fn signed(bytes: &[u8]) -> i64 {
    let start = if bytes.first().is_some_and(|&byte| byte >= 0x80) { -1 } else { 0 };
    bytes.iter().fold(start, |number, &byte| number << 8 | i64::from(byte))
}

/// A number of one to nine bytes.
fn varint(bytes: &mut &[u8]) -> Option<i64> {
    let mut number: u64 = 0;
    for at in 0..9 {
        let byte = *bytes.get(at)?;
        if at == 8 {
            number = number << 8 | u64::from(byte);
        } else {
            number = number << 7 | u64::from(byte & 0x7f);
        }
        if byte < 0x80 || at == 8 {
            *bytes = bytes.get(at + 1..)?;
            return Some(number as i64);
        }
    }
    None
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().copied().map(u16::from_be_bytes)
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_be_bytes)
}

/// The names of the columns in a `CREATE TABLE`: the first word of each part, without the constraints at its
/// end.
fn names_of_columns(sql: &str) -> Vec<String> {
    const CONSTRAINTS: [&str; 5] = ["UNIQUE", "PRIMARY", "FOREIGN", "CHECK", "CONSTRAINT"];
    let sql: String = sql.lines().map(|line| line.split("--").next().unwrap_or_default()).fold(
        String::new(),
        |mut text, line| {
            text.push_str(line);
            text.push(' ');
            text
        },
    );
    let body = sql.split_once('(').map_or("", |(_, body)| body);
    let mut names = Vec::new();
    let (mut depth, mut part) = (0, String::new());
    for c in body.chars().chain([',']) {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth <= 0 => {
                let name = part.split_whitespace().next().unwrap_or_default();
                if !name.is_empty() && !CONSTRAINTS.contains(&name.to_ascii_uppercase().as_str()) {
                    names.push(name.trim_matches(['"', '`', '[', ']']).to_owned());
                }
                part.clear();
            }
            c => part.push(c),
        }
    }
    names
}
