//! Compares with the library `parquet`: tables that it writes, in every encoding, are read here, and tables that are written here are
//! read by it. Then damage of every kind, which has to end in an error or in other rows.

use bolide_parquet::{Field, Table, Values, Writer};
use parquet::basic::{Compression, Encoding};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::RowAccessor;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// An entry: whether it starts a row, and its text.
type Entry = (bool, Option<String>);

/// Repetition levels, definition levels, and which of the entries are values.
struct Shape {
    repetitions: Vec<i16>,
    definitions: Vec<i16>,
    n_rows: usize,
    present: i16,
}

/// A schema around the type of a value, and the levels of a random column in it.
fn shape(random: &mut Random, nesting: usize, n_rows: usize) -> Shape {
    let (present, lists) = [(0, 0), (1, 0), (3, 1), (5, 2)][nesting];
    let mut shape = Shape { repetitions: vec![], definitions: vec![], n_rows, present };
    // Runs of equal levels and mixed ones.
    let mut kind = 0;
    for row in 0..n_rows {
        if row % 50 == 0 {
            kind = random.below(3);
        }
        let n_entries = if lists > 0 && kind == 2 { 1 + random.below(4) } else { 1 };
        for entry in 0..n_entries {
            let further = if entry == 0 { 0 } else { 1 + random.below(lists as u64) as i16 };
            shape.repetitions.push(further);
            let definition = match kind {
                0 => present,
                _ if entry > 0 || n_entries > 1 => present - random.below(2) as i16,
                _ => random.below(present as u64 + 1) as i16,
            };
            shape.definitions.push(definition);
        }
    }
    shape
}

fn schema(nesting: usize, kind: &str) -> String {
    let column = match nesting {
        0 => format!("required {kind} x;"),
        1 => format!("optional {kind} x;"),
        2 => format!("optional group x (LIST) {{ repeated group list {{ optional {kind} e; }} }}"),
        _ => format!(
            "optional group x (LIST) {{ repeated group list {{ optional group e (LIST) {{
             repeated group list {{ optional {kind} e; }} }} }} }}"
        ),
    };
    format!("message m {{ required int32 before; {column} }}")
}

/// Writes a column with the library, and returns the file and the entries in it.
fn written<T: DataType>(
    random: &mut Random,
    kind: &str,
    nesting: usize,
    properties: &Arc<WriterProperties>,
    make: &dyn Fn(&mut Random) -> T::T,
    print: &dyn Fn(&T::T) -> String,
) -> (Vec<u8>, Vec<Entry>) {
    let schema = Arc::new(parse_message_type(&schema(nesting, kind)).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::clone(properties)).unwrap();
    let mut entries = Vec::new();
    for n_rows in [700, 1, 300] {
        let shape = shape(random, nesting, n_rows);
        let n_values = shape.definitions.iter().filter(|&&d| d == shape.present).count();
        let values: Vec<T::T> = (0..n_values).map(|_| make(random)).collect();
        let mut group = writer.next_row_group().unwrap();
        let mut first = group.next_column().unwrap().unwrap();
        first.typed::<Int32Type>().write_batch(&vec![7; shape.n_rows], None, None).unwrap();
        first.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let (definitions, repetitions) = (&shape.definitions, &shape.repetitions);
        let typed = column.typed::<T>();
        typed.write_batch(&values, Some(definitions), Some(repetitions)).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        let mut values = values.iter();
        for (&definition, &repetition) in definitions.iter().zip(repetitions) {
            let value = (definition == shape.present).then(|| print(values.next().unwrap()));
            entries.push((repetition == 0, value));
        }
    }
    (writer.into_inner().unwrap(), entries)
}

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// All entries of the column `x`, read `step` rows at a time.
fn read(file: File, step: usize) -> bolide_parquet::Result<Vec<Entry>> {
    let mut table = Table::open(file)?;
    let column = table.columns().find(|column| column.name == "x");
    let Some(column) = column else { return Ok(vec![]) };
    table.choose(vec![column]);
    let mut entries = Vec::new();
    loop {
        let n_rows = table.ready(step)?;
        if n_rows == 0 || table.read(0, n_rows)? < n_rows {
            return Ok(entries);
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        entries.extend(table.entries().map(|entry| (entry.starts_row, entry.value.map(text))));
        table.advance(n_rows);
    }
}

/// The properties of a writer: dictionaries or an encoding, a version of pages, a compression, and small pages.
fn properties(
    nesting: usize,
    encoding: Option<Encoding>,
    version: WriterVersion,
    compression: Compression,
) -> Arc<WriterProperties> {
    let builder = WriterProperties::builder()
        .set_writer_version(version)
        .set_compression(compression)
        .set_data_page_row_count_limit(130)
        .set_write_batch_size(60);
    Arc::new(match encoding {
        None => builder.set_dictionary_enabled(true).build(),
        Some(encoding) => {
            let path = ["x", "x", "x.list.e", "x.list.e.list.e"][nesting];
            let path = ColumnPath::new(path.split('.').map(str::to_owned).collect());
            builder.set_dictionary_enabled(false).set_column_encoding(path, encoding).build()
        }
    })
}

/// Writes and reads one type in every encoding, nesting, version and compression.
fn check<T: DataType>(
    kind: &str,
    encodings: &[Encoding],
    make: &dyn Fn(&mut Random) -> T::T,
    print: &dyn Fn(&T::T) -> String,
) {
    let mut random = Random(kind.len() as u64);
    let encodings = encodings.iter().copied().map(Some).chain([None, Some(Encoding::PLAIN)]);
    for encoding in encodings {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for nesting in 0..4 {
                let compressions = [
                    Compression::UNCOMPRESSED,
                    Compression::SNAPPY,
                    Compression::GZIP(Default::default()),
                    Compression::LZ4,
                    Compression::LZ4_RAW,
                ];
                let compression = compressions[random.below(5) as usize];
                let properties = properties(nesting, encoding, version, compression);
                let (bytes, expected) =
                    written::<T>(&mut random, kind, nesting, &properties, make, print);
                for step in [1, 64, 10_000] {
                    let found = read(file(&bytes), step).unwrap();
                    assert!(
                        found == expected,
                        "{kind} {encoding:?} {version:?} {nesting} {compression:?} {step}"
                    );
                }
            }
        }
    }
}

fn text(random: &mut Random) -> ByteArray {
    let stem = ["", "a", "the cat", "the cat sat", "Straße", "日本語の文"];
    let stem = stem[random.below(6) as usize];
    ByteArray::from(format!("{stem}{}", random.below(40)).as_str())
}

fn number(random: &mut Random) -> i64 {
    match random.below(4) {
        0 => random.below(3) as i64,
        1 => i64::MIN + random.below(5) as i64,
        2 => i64::MAX - random.below(5) as i64,
        _ => random.below(1 << 30) as i64 - (1 << 29),
    }
}

#[test]
fn every_encoding_of_text() {
    let encodings = [Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY];
    let print = |value: &ByteArray| String::from_utf8(value.data().to_vec()).unwrap();
    check::<ByteArrayType>("binary", &encodings, &text, &print);
}

#[test]
fn every_encoding_of_numbers() {
    let whole = [Encoding::DELTA_BINARY_PACKED, Encoding::BYTE_STREAM_SPLIT];
    check::<Int32Type>("int32", &whole, &|random| number(random) as i32, &i32::to_string);
    check::<Int64Type>("int64", &whole, &number, &i64::to_string);
    let split = [Encoding::BYTE_STREAM_SPLIT];
    check::<FloatType>("float", &split, &|r| number(r) as f32 / 7.0, &f32::to_string);
    check::<DoubleType>("double", &split, &|r| number(r) as f64 / 7.0, &f64::to_string);
}

#[test]
fn every_encoding_of_flags() {
    check::<BoolType>("boolean", &[Encoding::RLE], &|r| r.below(3) == 0, &bool::to_string);
}

#[test]
fn the_library_reads_what_is_written_here() {
    let fields = [("name", Field::Text), ("row", Field::Row), ("n", Field::Count)];
    let fields = [&fields[..], &[("flag", Field::Flag), ("x", Field::Number)]].concat();
    let mut random = Random(3);
    // Texts that repeat and texts that do not, no rows, and more rows than a page has.
    for (n_names, sizes) in [(3, [10, 1, 45_000]), (1, [8, 17, 9]), (1 << 30, [0, 2_000, 33])] {
        let mut writer = Writer::new(&fields, "a test").unwrap();
        let (mut bytes, mut expected) = (Vec::new(), Vec::new());
        for n_rows in sizes {
            let mut rows = Vec::new();
            for row in 0..n_rows {
                let name = format!("name {}", random.below(n_names));
                let is_there = row % 100 > 30 || random.below(2) == 0;
                let n = is_there.then(|| number(&mut random));
                let flag = is_there.then(|| random.below(2) == 0);
                rows.push((name, number(&mut random), n, flag, n.map(|n| n as f64 / 3.0)));
            }
            bytes.extend(
                writer
                    .group(vec![
                        Values::Text(rows.iter().map(|row| row.0.as_str()).collect()),
                        Values::Row(rows.iter().map(|row| row.1).collect()),
                        Values::Count(rows.iter().map(|row| row.2).collect()),
                        Values::Flag(rows.iter().map(|row| row.3).collect()),
                        Values::Number(rows.iter().map(|row| row.4).collect()),
                    ])
                    .unwrap(),
            );
            expected.extend(rows);
        }
        bytes.extend(writer.end().unwrap());
        let own = read(file(&bytes), 1000).unwrap();
        let numbers: Vec<Entry> =
            expected.iter().map(|row| (true, row.4.map(|x| x.to_string()))).collect();
        assert!(own == numbers, "{n_names}");
        let reader = SerializedFileReader::new(file(&bytes)).unwrap();
        assert_eq!(reader.metadata().file_metadata().created_by(), Some("a test"));
        let mut found = Vec::new();
        for row in reader.get_row_iter(None).unwrap() {
            let row = row.unwrap();
            found.push((
                row.get_string(0).unwrap().clone(),
                row.get_long(1).unwrap(),
                row.get_long(2).ok(),
                row.get_bool(3).ok(),
                row.get_double(4).ok(),
            ));
        }
        assert!(found == expected, "{n_names}");
    }
}

#[test]
fn damage_is_an_error_or_other_rows() {
    let mut random = Random(5);
    let print = |value: &ByteArray| String::from_utf8(value.data().to_vec()).unwrap();
    let versions = [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0];
    let encodings = [
        None,
        Some(Encoding::PLAIN),
        Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
        Some(Encoding::DELTA_BYTE_ARRAY),
    ];
    let mut n_errors = 0;
    for encoding in encodings {
        for version in versions {
            let properties = properties(2, encoding, version, Compression::UNCOMPRESSED);
            let (good, _) =
                written::<ByteArrayType>(&mut random, "binary", 2, &properties, &text, &print);
            for _ in 0..400 {
                let mut bad = good.clone();
                for _ in 0..=random.below(3) {
                    let at = random.below(bad.len() as u64) as usize;
                    match random.below(3) {
                        0 => bad[at] ^= 1 << random.below(8),
                        1 => bad[at] = [0, 0x7f, 0x80, 0xff][random.below(4) as usize],
                        _ => _ = bad.drain(at..bad.len().min(at + 1 + random.below(9) as usize)),
                    }
                    if bad.is_empty() {
                        break;
                    }
                }
                n_errors += usize::from(read(file(&bad), 64).is_err());
            }
        }
    }
    assert!(n_errors > 500, "{n_errors} errors");
    for length in [0, 1, 7, 8, 11, 12] {
        assert!(read(file(&b"PAR1\x10\x27\0\0PAR1"[..length]), 1).is_err());
    }
}
