//! Reads tables that PyArrow wrote, in every compression, all with the same rows; and a table that this crate
//! wrote.

use bolide_parquet::{Field, Kind, Result, Table, Values, Writer};
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const COLUMNS: [&str; 5] = ["mt", "refs", "year", "score", "good"];

fn tables() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "parquet")).collect()
}

/// All rows of a table: the entries of each column, separated by blanks, or `-` for a null.
fn rows(mut table: Table, step: usize) -> Result<Vec<Vec<String>>> {
    let columns: Vec<_> = table.columns().collect();
    let n_columns = columns.len();
    table.choose(columns);
    let mut rows: Vec<Vec<String>> = Vec::new();
    loop {
        let n_rows = table.ready(step)?;
        if n_rows == 0 {
            return Ok(rows);
        }
        let start = rows.len();
        rows.resize(start + n_rows, vec![String::new(); n_columns]);
        for column in 0..n_columns {
            if table.read(column, n_rows)? < n_rows {
                return Err(bolide_parquet::Error::General("a column ends early".to_owned()));
            }
            let mut below = rows[start..].iter_mut();
            let mut row = below.next();
            for (idx, entry) in table.entries().enumerate() {
                if entry.starts_row && idx > 0 {
                    row = below.next();
                }
                let Some(cell) = row.as_mut().and_then(|row| row.get_mut(column)) else { break };
                if !entry.starts_row {
                    cell.push('|');
                }
                cell.push_str(&entry.value.map_or("-".into(), String::from_utf8_lossy));
            }
        }
        table.advance(n_rows);
    }
}

/// The row with a number, as in `tables/make.py`.
fn expected(n: usize) -> Vec<String> {
    let references = match n % 4 {
        0 | 1 => "-".to_owned(),
        2 => format!("reference {}", n % 7),
        _ => format!("one of {n}|-|the other"),
    };
    let hypothesis =
        if n % 9 == 5 { "-".to_owned() } else { format!("hypothesis number {}", n % 11) };
    let score = (n as f64 / 8.0).to_string();
    vec![hypothesis, references, (2000 + n).to_string(), score, n.is_multiple_of(2).to_string()]
}

#[test]
fn every_compression_gives_the_same_rows() {
    let tables = tables();
    assert_eq!(tables.len(), 12, "six compressions, two versions of pages");
    for path in tables {
        for step in [1, 7, 100] {
            let table = Table::open(File::open(&path).unwrap()).unwrap();
            assert_eq!(table.n_rows(), 40);
            let names: Vec<String> = table.columns().map(|column| column.name).collect();
            assert_eq!(names, COLUMNS);
            let found = rows(table, step).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let expected: Vec<Vec<String>> = (0..40).map(expected).collect();
            assert_eq!(found, expected, "{}", path.display());
        }
    }
}

#[test]
fn what_is_written_is_read() {
    let fields = [("name", Field::Text), ("row", Field::Row), ("n", Field::Count)];
    let fields = [&fields[..], &[("flag", Field::Flag), ("x", Field::Number)]].concat();
    let mut writer = Writer::new(&fields, "a test").unwrap();
    let mut file = tempfile::tempfile().unwrap();
    for group in 0..3 {
        let bytes = writer.group(vec![
            Values::Text(vec!["a", "b"]),
            Values::Row(vec![group, group + 1]),
            Values::Count(vec![None, Some(7)]),
            Values::Flag(vec![Some(true), None]),
            Values::Number(vec![Some(0.1), None]),
        ]);
        file.write_all(&bytes.unwrap()).unwrap();
    }
    file.write_all(&writer.end().unwrap()).unwrap();
    let table = Table::open(file).unwrap();
    let kinds: Vec<Kind> = table.columns().map(|column| column.kind).collect();
    assert_eq!(kinds, [Kind::Text, Kind::Number, Kind::Number, Kind::Flag, Kind::Number]);
    let row = |cells: [&str; 5]| cells.map(str::to_owned).to_vec();
    let found = rows(table, 100).unwrap();
    assert_eq!(found.len(), 6);
    assert_eq!(found[2], row(["a", "1", "-", "true", "0.1"]));
    assert_eq!(found[5], row(["b", "3", "7", "-", "-"]));
}
