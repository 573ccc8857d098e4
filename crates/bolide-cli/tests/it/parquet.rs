//! Parquet input and output: the same scores as from JSON lines, the same rows as in CSV.

use crate::program::Folder;
use bolide_cli::fuzzing;
use bolide_testdata::random::Random;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::Field;
use parquet::schema::parser::parse_message_type;
use std::fmt::Write;
use std::sync::Arc;

const SCHEMA: &str = "message rows {
    required binary id (STRING);
    optional binary mt (STRING);
    optional group refs (LIST) { repeated group list { optional binary element (STRING); } }
    required int32 year;
}";

/// A row: a hypothesis, and references, some of them null.
type Row = (Option<Vec<u8>>, Option<Vec<Option<String>>>);

/// Many rows with no, one and several references.
fn rows() -> Vec<Row> {
    let row = |n: usize| {
        let text = |k: usize| format!("the {} cat {} sat on mat {}", n % 7, n * k % 5, n % 3);
        let references = match n % 5 {
            0 => None,
            1 => Some(vec![]),
            2 => Some(vec![Some(text(1))]),
            3 => Some(vec![Some(text(2)), None, Some(text(3))]),
            _ => Some(vec![Some(text(2)), Some(text(1)), Some(text(4))]),
        };
        (Some(text(6).into_bytes()), references)
    };
    (0..1000).map(row).collect()
}

/// A file with these rows in groups of a few hundred.
fn table(rows: &[Row], compression: Compression) -> Vec<u8> {
    table_as(SCHEMA, rows, compression)
}

/// The same with other names.
fn table_as(schema: &str, rows: &[Row], compression: Compression) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for rows in rows.chunks(300) {
        let mut group = writer.next_row_group().unwrap();
        let mut texts =
            |values: Vec<ByteArray>, definitions: &[i16], repetitions: Option<&[i16]>| {
                let mut column = group.next_column().unwrap().unwrap();
                column
                    .typed::<ByteArrayType>()
                    .write_batch(&values, Some(definitions), repetitions)
                    .unwrap();
                column.close().unwrap();
            };
        texts(vec![ByteArray::from("x"); rows.len()], &vec![0; rows.len()], None);
        let given = rows.iter().filter_map(|row| row.0.clone()).map(ByteArray::from).collect();
        let definitions: Vec<i16> = rows.iter().map(|row| i16::from(row.0.is_some())).collect();
        texts(given, &definitions, None);
        let (mut values, mut definitions, mut repetitions) = (vec![], vec![], vec![]);
        for (_, references) in rows {
            let start = definitions.len();
            match references {
                None => definitions.push(0),
                Some(list) if list.is_empty() => definitions.push(1),
                Some(list) => {
                    for text in list {
                        definitions.push(2 + i16::from(text.is_some()));
                        values.extend(text.as_deref().map(ByteArray::from));
                    }
                }
            }
            repetitions.extend((start..definitions.len()).map(|idx| i16::from(idx > start)));
        }
        texts(values, &definitions, Some(&repetitions));
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int32Type>().write_batch(&vec![7; rows.len()], None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

/// The same rows as JSON lines.
fn jsonl(rows: &[Row]) -> String {
    let mut lines = String::new();
    for (hypothesis, references) in rows {
        let hypothesis = hypothesis.as_ref().map(|text| std::str::from_utf8(text).unwrap());
        let references: Option<Vec<&String>> =
            references.as_ref().map(|list| list.iter().flatten().collect());
        writeln!(lines, "{{\"mt\": {hypothesis:?}, \"refs\": {references:?}}}").unwrap();
    }
    lines.replace("Some(", "").replace(')', "").replace("None", "null")
}

const COLUMNS: [&str; 4] = ["--hypothesis-column", "mt", "--reference-column", "refs"];

fn score<'a>(file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    // Without the remark on rows that have no reference.
    let start = ["score", "-q", "-i", file, "-m", "meteor:nltk", "bleu"];
    [&start, COLUMNS.as_slice(), more].concat()
}

#[test]
fn scores_equal_those_of_json_lines_whatever_the_compression() {
    let rows = rows();
    let folder = Folder::new().with("rows.jsonl", jsonl(&rows));
    let csv = ["--segments", "--format", "csv"];
    let expected = folder.bolide(&score("rows.jsonl", &csv)).fine().to_owned();
    assert_eq!(expected.lines().count(), 1 + 2 * rows.len());
    let compressions = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::LZ4_RAW,
        Compression::GZIP(Default::default()),
    ];
    for compression in compressions {
        let folder = Folder::new().with("rows.parquet", table(&rows, compression));
        assert_eq!(folder.bolide(&score("rows.parquet", &csv)).fine(), expected, "{compression:?}");
    }
}

/// A table as lines of CSV.
fn as_csv(path: &std::path::Path) -> String {
    let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
    let mut out = String::new();
    for (idx, row) in reader.get_row_iter(None).unwrap().enumerate() {
        let row = row.unwrap();
        let names: Vec<&str> = row.get_column_iter().map(|(name, _)| name.as_str()).collect();
        if idx == 0 {
            writeln!(out, "{}", names.join(",")).unwrap();
        }
        let cell = |field: &Field| match field {
            Field::Null => String::new(),
            Field::Str(text) => text.clone(),
            Field::Double(x) => format!("{x:?}"),
            Field::Long(n) => n.to_string(),
            Field::Bool(flag) => flag.to_string(),
            other => panic!("{other:?}"),
        };
        let cells: Vec<String> = row.get_column_iter().map(|(_, field)| cell(field)).collect();
        writeln!(out, "{}", cells.join(",")).unwrap();
    }
    out
}

#[test]
fn the_table_has_the_rows_of_csv() {
    let folder = Folder::new().with("rows.jsonl", jsonl(&rows()));
    for segments in [&["--segments"][..], &[]] {
        let csv = [&["--format", "csv"], segments].concat();
        let expected = folder.bolide(&score("rows.jsonl", &csv)).fine().to_owned();
        let parquet = [&["--format", "parquet", "--output", "scores.parquet"], segments].concat();
        assert_eq!(folder.bolide(&score("rows.jsonl", &parquet)).fine(), "");
        assert_eq!(as_csv(&folder.path("scores.parquet")), expected);
    }
    // Standard output works too.
    let args = score("rows.jsonl", &["--format", "parquet"]);
    let mut command = crate::program::command(&folder.path(""));
    let output = command.args(args).output().unwrap();
    assert!(output.status.success() && output.stdout.starts_with(b"PAR1"));
}

/// A run that must fail leaves the message and no file.
#[track_caller]
fn check(contents: impl AsRef<[u8]>, args: &[&str], code: i32, message: &str) {
    let folder = Folder::new().with("t.parquet", contents);
    let mut all = vec!["score", "--output", "scores.parquet", "--format", "parquet", "--segments"];
    all.extend(args);
    let ran = folder.bolide(&all);
    let found = ran.fails(code);
    assert!(found.starts_with(message), "{found}");
    assert_eq!(folder.files(), ["t.parquet"]);
}

#[test]
fn mistakes_name_the_file_the_column_and_the_row() {
    let mut rows = rows();
    let good = table(&rows, Compression::SNAPPY);
    let columns = |hypothesis, reference| {
        ["-i", "t.parquet", "--hypothesis-column", hypothesis, "--reference-column", reference]
    };
    let message = "t.parquet: there is no column 'nope': the columns are id, mt, refs, year";
    check(&good, &columns("nope", "refs"), 1, message);
    let unfit = |name: &str, wanted| format!("t.parquet: column '{name}' does not hold {wanted}");
    check(&good, &columns("refs", "mt"), 1, &unfit("refs", "text"));
    check(&good, &columns("mt", "year"), 1, &unfit("year", "text or lists of text"));
    check(
        &good,
        &["-i", "t.parquet", "-r", "t.parquet"],
        2,
        "t.parquet: looks like a Parquet table: name",
    );
    let stdin = ["--input-format", "parquet"];
    let stdin = [&columns("mt", "refs")[2..], &stdin].concat();
    check(&good, &stdin, 2, "Parquet cannot be read from standard input: give a file");
    let cut = &good[..good.len() / 2];
    check(cut, &columns("mt", "refs"), 1, "t.parquet: not a valid Parquet file: ");
    check(b"", &columns("mt", "refs"), 1, "t.parquet: not a valid Parquet file: ");
    rows[700].0 = None;
    let message = "t.parquet: row 701: 'mt' is null, expected text";
    check(table(&rows, Compression::SNAPPY), &columns("mt", "refs"), 1, message);
    rows[400].0 = Some(b"caf\xe9".to_vec());
    let message = "t.parquet: row 401: invalid UTF-8 in 'mt', at byte 4";
    check(table(&rows, Compression::SNAPPY), &columns("mt", "refs"), 1, message);
}

#[test]
fn a_report_takes_numbers_from_the_table() {
    let folder = Folder::new().with("t.parquet", table(&rows(), Compression::SNAPPY));
    let args = ["report", "-i", "t.parquet", "-m", "meteor:nltk", "-o", "report.html"];
    let run = |human| folder.bolide(&[&args, COLUMNS.as_slice(), &["--human", human]].concat());
    assert_eq!(run("year").code(), 0, "{}", run("year").stderr());
    assert!(folder.files().contains(&"report.html".to_owned()));
    let message = run("mt").fails(1).to_owned();
    assert!(message.starts_with("t.parquet: row 1: column 'mt': 'the 0 cat"), "{message}");
}

/// Small files of several kinds, with the columns that the fuzz target reads.
fn small_tables() -> Vec<Vec<u8>> {
    let schema = SCHEMA.replace(" mt ", " h ").replace(" refs ", " r ");
    let rows = &rows()[..12];
    let kinds = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::LZ4_RAW,
    ];
    kinds.map(|kind| table_as(&schema, rows, kind)).to_vec()
}

/// The reader's error for these bytes; `None` if it reads them.
fn problem(folder: &Folder, bytes: &[u8]) -> Option<String> {
    let path = folder.path("t.parquet");
    std::fs::write(&path, bytes).unwrap();
    fuzzing::corpus(&path, fuzzing::Kind::Parquet).err().map(|problem| format!("{problem:#}"))
}

/// The library that read tables before panicked at some of these, for example at a negative offset of a column's first page.
#[test]
fn a_flipped_bit_never_makes_the_reader_panic() {
    let folder = Folder::new();
    let good = small_tables().swap_remove(0);
    assert_eq!(problem(&folder, &good), None);
    let mut first = None;
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        if let Some(told) = problem(&folder, &bytes) {
            assert!(!told.contains("t.parquet: is damaged: "), "byte {at}: {told}");
            first.get_or_insert((bytes, told));
        }
    }
    let (bytes, told) = first.expect("a flipped bit that is an error");
    let folder = folder.with("t.parquet", bytes);
    let columns = ["--hypothesis-column", "h", "--reference-column", "r"];
    for command in [&["score"][..], &["compare", "-j", "3"], &["report", "-o", "out.html"]] {
        let ran = folder.bolide(&[command, &["-i", "t.parquet"], &columns].concat());
        let printed = ran.fails(1);
        assert!(printed.starts_with("t.parquet: "), "{told}: {printed}");
    }
}

/// Random damage, the same each time. BOLIDE_MUTATIONS sets how much of it.
#[test]
fn damaged_tables_are_errors() {
    let n = std::env::var("BOLIDE_MUTATIONS").map_or(4_000, |n| n.parse().expect("a number"));
    let folder = Folder::new();
    let tables = small_tables();
    let mut random = Random(7);
    let (mut n_read, mut n_caught) = (0, 0);
    for _ in 0..n {
        let mut bytes = tables[random.below(tables.len())].clone();
        for _ in 0..=random.below(4) {
            // Half of the damage goes to the footer, where offsets and lengths are.
            let len = bytes.len();
            let at = if random.below(2) == 0 {
                random.below(len)
            } else {
                len - 1 - random.below(len.min(700))
            };
            let end = (at + 1 + random.below(16)).min(len);
            match random.below(6) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = random.below(256) as u8,
                2 => bytes[at..end].fill([0, 0xff][random.below(2)]),
                3 => drop(bytes.drain(at..end)),
                4 => bytes.insert(at, random.below(256) as u8),
                _ => bytes[at..end].reverse(),
            }
        }
        match problem(&folder, &bytes) {
            None => n_read += 1,
            Some(told) => n_caught += usize::from(told.contains("t.parquet: is damaged: ")),
        }
    }
    eprintln!("{n} damaged tables: {n_read} read all the same, {n_caught} panics caught");
    assert!(n_read < n / 2, "{n_read} of {n}");
    assert_eq!(n_caught, 0);
}
