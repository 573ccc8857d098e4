//! Arrow arrays for the columns of the Python package: valid arrays read back unchanged, and damaged arrays
//! are errors.
//!
//! The two source files of the package that do this do not depend on Python and are compiled in here.
#![no_main]

#[path = "../../crates/bolide-python/src/columns.rs"]
mod columns;
#[path = "../../crates/bolide-python/src/rows.rs"]
#[allow(dead_code, reason = "the package reads Python objects by the same types")]
mod rows;

/// Stands in for the package's Python strings; there are none here.
mod python {
    pub type Kept = Box<str>;
}

use arrow_array::builder::{
    FixedSizeListBuilder, GenericListBuilder, GenericStringBuilder, ListBuilder, StringBuilder,
    StringViewBuilder,
};
use arrow_array::{Array, ArrayRef, OffsetSizeTrait};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};
use rows::{Column, RowText};
use std::sync::Arc;

/// A row of texts, each of strings: one if it is raw, any number if it is tokens.
type Rows = Vec<Option<Vec<Vec<String>>>>;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    if bytes.next() % 2 == 0 { sound(&mut bytes) } else { arbitrary(&mut bytes) }
});

/// Arrays from the builders, whole and in slices, compared with plain lists of the same strings.
fn sound(bytes: &mut Bytes<'_>) {
    let kind = bytes.next() % 8;
    let n_rows = usize::from(bytes.next() % 9);
    let (array, expected, is_tokens) = match kind {
        0 => strings::<i32>(bytes, n_rows),
        1 => strings::<i64>(bytes, n_rows),
        2 => views(bytes, n_rows),
        3 => lists::<i32>(bytes, n_rows),
        4 => lists::<i64>(bytes, n_rows),
        5 => fixed(bytes, n_rows),
        6 => nested(bytes, n_rows),
        _ => (Arc::new(arrow_array::NullArray::new(n_rows)) as ArrayRef, vec![None; n_rows], false),
    };
    let start = usize::from(bytes.next()) % (n_rows + 1);
    let len = usize::from(bytes.next()) % (n_rows - start + 1);
    for (array, expected) in
        [(array.clone(), &expected[..]), (array.slice(start, len), &expected[start..start + len])]
    {
        let array = columns::checked(array.to_data()).expect("an array of the builders");
        let arrays = [array.clone(), array];
        let twice = [expected, expected].concat();
        if kind < 6
            && let Ok(column) = columns::hypotheses(&arrays)
        {
            assert_eq!(read(&column), tokenised(&twice, is_tokens));
        }
        if !is_tokens && let Ok(column) = columns::references(&arrays, Some(false)) {
            assert_eq!(read(&column), twice);
        }
        let column = columns::references(&arrays, Some(true));
        if kind == 6
            && let Ok(column) = column
        {
            assert_eq!(read(&column), twice);
        }
    }
}

/// Lists of strings are texts of references and tokens of hypotheses: one text, of all strings.
fn tokenised(rows: &[Option<Vec<Vec<String>>>], is_tokens: bool) -> Rows {
    let text =
        |texts: &Vec<Vec<String>>| if is_tokens { vec![texts.concat()] } else { texts.clone() };
    rows.iter().map(|row| row.as_ref().map(text)).collect()
}

fn strings<O: OffsetSizeTrait>(bytes: &mut Bytes<'_>, n_rows: usize) -> (ArrayRef, Rows, bool) {
    let mut builder = GenericStringBuilder::<O>::new();
    let values: Vec<Option<String>> = (0..n_rows).map(|_| bytes.value()).collect();
    values.iter().for_each(|value| builder.append_option(value.as_deref()));
    (Arc::new(builder.finish()), single(values), false)
}

fn views(bytes: &mut Bytes<'_>, n_rows: usize) -> (ArrayRef, Rows, bool) {
    let mut builder = StringViewBuilder::new();
    let values: Vec<Option<String>> = (0..n_rows).map(|_| bytes.value()).collect();
    values.iter().for_each(|value| builder.append_option(value.as_deref()));
    (Arc::new(builder.finish()), single(values), false)
}

fn single(values: Vec<Option<String>>) -> Rows {
    values.into_iter().map(|value| value.map(|value| vec![vec![value]])).collect()
}

/// Lists without nulls inside, so that they can be tokens.
fn lists<O: OffsetSizeTrait>(bytes: &mut Bytes<'_>, n_rows: usize) -> (ArrayRef, Rows, bool) {
    let mut builder = GenericListBuilder::<O, _>::new(StringBuilder::new());
    let mut rows = Rows::new();
    for _ in 0..n_rows {
        let row = bytes.list();
        row.iter().flatten().for_each(|value| builder.values().append_value(value));
        builder.append(row.is_some());
        rows.push(row.map(|row| row.into_iter().map(|value| vec![value]).collect()));
    }
    (Arc::new(builder.finish()), rows, true)
}

fn fixed(bytes: &mut Bytes<'_>, n_rows: usize) -> (ArrayRef, Rows, bool) {
    let size = usize::from(1 + bytes.next() % 3);
    let mut builder = FixedSizeListBuilder::new(StringBuilder::new(), size as i32);
    let mut rows = Rows::new();
    for _ in 0..n_rows {
        let row =
            (bytes.next() % 5 != 0).then(|| (0..size).map(|_| bytes.text()).collect::<Vec<_>>());
        match &row {
            Some(row) => row.iter().for_each(|value| builder.values().append_value(value)),
            None => (0..size).for_each(|_| builder.values().append_null()),
        }
        builder.append(row.is_some());
        rows.push(row.map(|row| row.into_iter().map(|value| vec![value]).collect()));
    }
    (Arc::new(builder.finish()), rows, true)
}

/// Lists of lists: references of tokens.
fn nested(bytes: &mut Bytes<'_>, n_rows: usize) -> (ArrayRef, Rows, bool) {
    let mut builder = ListBuilder::new(ListBuilder::new(StringBuilder::new()));
    let mut rows = Rows::new();
    for _ in 0..n_rows {
        let row = (bytes.next() % 5 != 0).then(|| {
            let texts = (0..bytes.next() % 4).filter_map(|_| {
                let text = bytes.list();
                text.iter()
                    .flatten()
                    .for_each(|value| builder.values().values().append_value(value));
                builder.values().append(text.is_some());
                text
            });
            texts.collect::<Vec<_>>()
        });
        builder.append(row.is_some());
        rows.push(row);
    }
    (Arc::new(builder.finish()), rows, true)
}

/// The whole content of a column.
fn read(column: &Column) -> Rows {
    let text = |piece| match piece {
        RowText::Raw(text) => vec![String::from(text)],
        RowText::Tokens(strings, start, end) => {
            (start..end).map(|idx| strings.get(idx).to_owned()).collect()
        }
    };
    (0..column.len())
        .map(|idx| column.row(idx).map(|row| row.texts().map(text).collect()))
        .collect()
}

/// Arbitrary buffers with arbitrary types: an error, or a column that can be read to its end.
fn arbitrary(bytes: &mut Bytes<'_>) {
    let Some(array) = bytes.array(3).and_then(|data| columns::checked(data).ok()) else { return };
    let arrays = [array];
    for column in [
        columns::hypotheses(&arrays),
        columns::references(&arrays, Some(false)),
        columns::references(&arrays, Some(true)),
        columns::references(&arrays, None),
    ] {
        match column {
            Ok(column) => assert_eq!(read(&column).len(), arrays[0].len()),
            Err(message) => assert!(!message.is_empty()),
        }
    }
}

/// The rest of the input, followed by zeros.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        byte
    }

    fn take(&mut self, n: usize) -> Vec<u8> {
        (0..n.min(self.0.len())).map(|_| self.next()).collect()
    }

    fn text(&mut self) -> String {
        let n = usize::from(self.next() % 20);
        String::from_utf8_lossy(&self.take(n)).into_owned()
    }

    fn value(&mut self) -> Option<String> {
        (!self.next().is_multiple_of(5)).then(|| self.text())
    }

    fn list(&mut self) -> Option<Vec<String>> {
        (!self.next().is_multiple_of(5))
            .then(|| (0..self.next() % 4).map(|_| self.text()).collect())
    }

    fn array(&mut self, depth: u8) -> Option<ArrayData> {
        let item = |child: &ArrayData, nullable| {
            Arc::new(Field::new("item", child.data_type().clone(), nullable))
        };
        let kind = self.next() % if depth == 0 { 5 } else { 8 };
        let child = if kind >= 5 { Some(self.array(depth - 1)?) } else { None };
        let nullable = self.next() % 2 == 0;
        let data_type = match (kind, &child) {
            (0, _) => DataType::Utf8,
            (1, _) => DataType::LargeUtf8,
            (2, _) => DataType::Utf8View,
            (3, _) => DataType::Null,
            (5, Some(child)) => DataType::List(item(child, nullable)),
            (6, Some(child)) => DataType::LargeList(item(child, nullable)),
            (7, Some(child)) => {
                DataType::FixedSizeList(item(child, nullable), i32::from(self.next() as i8))
            }
            _ => DataType::Int32,
        };
        let n_buffers = usize::from(self.next() % 4);
        let (len, offset) = (usize::from(self.next() % 16), usize::from(self.next() % 4));
        let mut builder = ArrayData::builder(data_type).len(len).offset(offset);
        if self.next().is_multiple_of(2) {
            // The interface gives no length for this buffer, so it gets the length that it needs.
            let bits: Vec<u8> = (0..(len + offset).div_ceil(8)).map(|_| self.next()).collect();
            builder = builder.null_bit_buffer(Some(bits.into()));
        }
        for idx in 0..n_buffers {
            // Offsets and views are whole, because the interface counts elements and not bytes.
            let n = usize::from(self.next() % 64);
            let mut buffer = self.take(n);
            if idx == 0 {
                buffer.resize(buffer.len().next_multiple_of(16), 0);
            }
            builder = builder.add_buffer(buffer.into());
        }
        // The builder has its own checks; the package checks what passes them.
        builder.child_data(child.into_iter().collect()).align_buffers(true).build().ok()
    }
}
