//! Mistakes of users: one clear line, a non-zero exit code, no file left behind.

use crate::program::Folder;

const METRIC: &str = "meteor:textbook";

fn folder() -> Folder {
    Folder::new().with("ref.txt", "one\ntwo\nthree\n").with("hyp.txt", "one\ntwo\nthree\n")
}

/// A run that must fail leaves the message and no file.
#[track_caller]
fn check(folder: Folder, args: &[&str], code: i32, message: &str) {
    let before = folder.files();
    let mut all = vec!["score", "-m", METRIC, "--output", "scores.txt"];
    all.extend(args);
    assert_eq!(folder.bolide(&all).fails(code), message);
    assert_eq!(folder.files(), before);
}

#[test]
fn a_file_that_is_not_there() {
    check(folder(), &["-r", "ref.txt", "-i", "nope.txt"], 1, "nope.txt: no such file");
}

#[test]
fn a_file_behind_the_metrics() {
    let message =
        "'ref.txt' is a file, not a metric: -m takes all that follows, so put files before it";
    check(folder(), &["-i", "hyp.txt", "-m", METRIC, "ref.txt"], 2, message);
}

#[test]
fn a_folder_instead_of_a_file() {
    let message = ".: is a directory, expected a file";
    check(folder(), &["-r", "ref.txt", "-i", "."], 1, message);
}

#[test]
fn a_text_of_too_many_words_is_refused_with_its_place() {
    let folder = folder().with("long.txt", "one\ntwo  words\nthree\n");
    let (args, message) = (
        ["-r", "ref.txt", "-i", "long.txt"],
        "long.txt: segment 2: more than 1 words (--max-tokens)",
    );
    check(folder, &[&args[..], &["--max-tokens", "1"]].concat(), 1, message);
    let folder = self::folder().with("long.txt", "one\ntwo  words\nthree\n");
    folder
        .bolide(&["score", "-m", METRIC, "-r", "ref.txt", "-i", "long.txt", "--max-tokens", "2"])
        .fine();
}

#[test]
fn unequal_lengths_name_both_files_and_both_numbers() {
    let long: String = (0..10_000).map(|n| format!("{n}\n")).collect();
    let message = "the files differ in length: ref.txt has 3 segments, long.txt has 10000";
    check(folder().with("long.txt", long), &["-r", "ref.txt", "-i", "long.txt"], 1, message);
}

#[test]
fn unequal_lengths_beyond_the_first_batch() {
    let lines = |n: usize| (0..n).map(|n| format!("{n}\r\n")).collect::<String>();
    let folder = folder().with("a.txt", lines(9_000)).with("b.txt", lines(8_999) + "last");
    let folder = folder.with("c.txt", lines(20_001).trim_end());
    let message = "the files differ in length: a.txt has 9000 segments, c.txt has 20001";
    check(folder, &["-r", "a.txt", "-i", "b.txt", "c.txt"], 1, message);
}

#[test]
fn invalid_utf8_says_where() {
    let message = "bad.txt: line 2: invalid UTF-8 (0xff) at byte 3 of the line, 7 of the text";
    let folder = folder().with("bad.txt", b"one\nab\xffcd\nthree\n");
    check(folder, &["-r", "ref.txt", "-i", "bad.txt"], 1, message);
}

#[test]
fn utf16_is_called_by_its_name() {
    let utf16: Vec<u8> = "\u{feff}one\ntwo\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let message = "bad.txt: is UTF-16, expected UTF-8: convert it with iconv -f UTF-16 -t UTF-8";
    check(folder().with("bad.txt", utf16), &["-r", "ref.txt", "-i", "bad.txt"], 1, message);
}

#[test]
fn other_encodings_are_noticed_without_a_byte_order_mark_and_in_tables() {
    let text = "hyp,ref\none,one\n";
    let bytes = |encode: fn(char) -> Vec<u8>| text.chars().flat_map(encode).collect::<Vec<u8>>();
    for (encoding, bytes) in [
        ("UTF-16LE", bytes(|c| (c as u16).to_le_bytes().into())),
        ("UTF-16BE", bytes(|c| (c as u16).to_be_bytes().into())),
        ("UTF-32LE", bytes(|c| (c as u32).to_le_bytes().into())),
        ("UTF-32BE", bytes(|c| (c as u32).to_be_bytes().into())),
    ] {
        let message = format!(
            "looks like {encoding}, expected UTF-8: convert it with iconv -f {encoding} -t UTF-8"
        );
        let args = ["-i", "t.csv", "--hypothesis-column", "hyp", "--reference-column", "ref"];
        let table = folder().with("t.csv", bytes.clone());
        check(table, &args, 1, &format!("t.csv: {message}"));
        let lines = folder().with("t.txt", bytes);
        check(lines, &["-r", "ref.txt", "-i", "t.txt"], 1, &format!("t.txt: {message}"));
    }
    // Zero is a character, also at the start of a text.
    for text in ["\0one\ntwo\nthree\n", "a\0b\ntwo\nthree\n", "a\0\ntwo\nthree\n"] {
        let folder = folder().with("zero.txt", text);
        folder.bolide(&["score", "-q", "-r", "ref.txt", "-i", "zero.txt"]).fine();
    }
}

#[test]
fn invalid_utf8_far_into_the_file_says_where() {
    let mut text = "häß\n".repeat(100_000).into_bytes();
    text.extend(b"\xe2\x82\n");
    let message = format!(
        "bad.txt: line 100001: invalid UTF-8 (0xe2) at byte 1 of the line, {} of the text",
        600_001
    );
    let folder = folder().with("bad.txt", text).with("long.txt", "x\n".repeat(100_001));
    check(folder, &["-r", "long.txt", "-i", "bad.txt"], 1, &message);
}

#[test]
fn empty_inputs() {
    let message = "nothing to score: e.txt, f.txt are empty";
    check(
        folder().with("e.txt", "").with("f.txt", ""),
        &["-r", "e.txt", "-i", "f.txt"],
        1,
        message,
    );
    let message = "the files differ in length: e.txt has 0 segments, hyp.txt has 3";
    check(folder().with("e.txt", ""), &["-r", "e.txt", "-i", "hyp.txt"], 1, message);
}

#[test]
fn an_unknown_column_lists_the_columns() {
    for (name, table) in [
        ("t.tsv", "hyp\tref\tsource\na\tb\tc\n"),
        ("t.csv", "hyp,ref,source\na,b,c\n"),
        ("t.jsonl", "{\"source\":\"a\",\"hyp\":\"b\",\"ref\":\"c\"}\n"),
    ] {
        let message =
            format!("{name}: there is no column 'href': the columns are hyp, ref, source");
        let args = ["-i", name, "--hypothesis-column", "hyp", "--reference-column", "href"];
        check(folder().with(name, table), &args, 1, &message);
    }
}

/// The names of the first object's members are read once more, for messages.
#[test]
fn a_number_that_is_too_large_does_not_matter_where_it_is_not_read() {
    let line = "{\"ref\":\"a\",\"hyp\":\"a\",\"other\":1e999}\n";
    let folder = folder().with("t.jsonl", line.repeat(2));
    let args = ["-i", "t.jsonl", "--hypothesis-column", "hyp", "--reference-column", "ref"];
    folder.bolide(&[&["score", "-q"], &args[..]].concat()).fine();
}

/// Skipped in one of two files, a blank line would move the texts below it to other segments.
#[test]
fn a_blank_line_among_the_rows_of_one_column_is_refused() {
    let folder = folder()
        .with("r.csv", "ref\na\n\nb\nc\n")
        .with("h.csv", "hyp\na\nb\n\nc\n")
        .with("wide.csv", "ref,hyp\r\na,a\r\n\r\nb,b\r\n\r\n")
        .with("fine.csv", "hyp\na\n\"\"\n\n");
    let columns = ["--hypothesis-column", "hyp", "--reference-column", "ref"];
    let ran = folder.bolide(&[&["score", "-r", "r.csv", "-i", "h.csv"], &columns[..]].concat());
    let message = "r.csv: line 3: is blank, expected a row: an empty text is written \"\"";
    assert_eq!(ran.fails(1), message);
    // A row of several columns has delimiters, and blank lines at the end are no rows.
    folder.bolide(&[&["score", "-q", "-i", "wide.csv"], &columns[..]].concat()).fine();
    let args = ["score", "-q", "-r", "lines.txt", "-i", "fine.csv", "--hypothesis-column", "hyp"];
    folder.with("lines.txt", "a\nb\n").bolide(&args).fine();
}

#[test]
fn damaged_tables_say_where() {
    for (name, table, message) in [
        ("t.tsv", "ref\thyp\na\tb\nc\n", "t.tsv: line 3: has 1 field, the header has 2"),
        ("t.tsv", "ref\thyp\na\tb\tc\n", "t.tsv: line 2: has 3 fields, the header has 2"),
        ("t.csv", "ref,hyp\na,b\nc\n", "t.csv: line 3: has 1 field, the header has 2"),
        (
            "t.csv",
            "ref,hyp\r\n\r\n\"a\r\nb\",c\r\nd\r\n",
            "t.csv: line 5: has 1 field, the header has 2",
        ),
        (
            "t.csv",
            "ref,hyp\na,b\nc,\"d\ne,f\n",
            "t.csv: line 3: a quote is opened and never closed",
        ),
        ("t.tsv", "", "t.tsv: is empty, expected a header line"),
        ("t.csv", "", "t.csv: is empty, expected a header line"),
        (
            "t.jsonl",
            "{\"ref\":\"a\",\"hyp\":\"b\"}\n{\"ref\":\n",
            "t.jsonl: line 2: the object does not end on its line, expected one on each line, \
             or one array of all (column 7)",
        ),
        (
            "t.jsonl",
            "{\"ref\":\"a\",\"hyp\":\"b\",\"other\":NaN}\n",
            "t.jsonl: line 1: NaN is not JSON, expected a number or null (column 30)",
        ),
        (
            "t.json",
            "[{\"ref\":\"a\",\n\"other\":-Infinity}]\n",
            "t.json: line 2: Infinity is not JSON, expected a number or null (column 10)",
        ),
        (
            "t.jsonl",
            "{\"ref\":\"a\",\"hyp\":\"b\"}\n\n{\"ref\":\"a\",\"hyp\":\"b\"}\n",
            "t.jsonl: line 2: is blank, expected a JSON object",
        ),
        (
            "t.jsonl",
            "{\"ref\":\"a\",\"hyp\":\"b\"}\n{\"hyp\":\"b\",\"reference\":\"a\"}\n",
            "t.jsonl: line 2: there is no 'ref' (null means that there is no reference)",
        ),
        ("t.csv", "ref,hyp,ref\na,b,c\n", "t.csv: the header has the column 'ref' more than once"),
        (
            "t.tsv",
            "hyp\tref\thyp\na\tb\tc\n",
            "t.tsv: the header has the column 'hyp' more than once",
        ),
        ("t.jsonl", "[1]\n", "t.jsonl: line 1: expected an object or ']' (column 2)"),
        (
            "t.jsonl",
            "{\"ref\":\"a\",\"hyp\":1}\n",
            "t.jsonl: line 1: invalid type: integer `1`, expected a string for 'hyp' (column 18)",
        ),
        (
            "t.jsonl",
            "{\"ref\":\"a\",\"hyp\":null}\n",
            "t.jsonl: line 1: invalid type: null, expected a string for 'hyp' (column 21)",
        ),
        (
            "t.jsonl",
            "{\"ref\":[\"a\",2],\"hyp\":\"b\"}\n",
            "t.jsonl: line 1: invalid type: integer `2`, expected strings in the list 'ref' (column 13)",
        ),
        (
            "t.jsonl",
            "{\"ref\":\"a\",\"hyp\":\"b\"}\n{\"ref\":\"a\"}\n",
            "t.jsonl: line 2: there is no 'hyp'",
        ),
        (
            "t.jsonl",
            "{\"ref\":\"a\",\"hyp\":\"b\",\"ref\":\"c\"}\n",
            "t.jsonl: line 1: 'ref' occurs twice (column 26)",
        ),
        (
            "t.jsonl",
            "{\"ref\":\"a\",\"hyp\":\"b\"} x\n",
            "t.jsonl: line 1: trailing characters (column 23)",
        ),
    ] {
        let args = ["-i", name, "--hypothesis-column", "hyp", "--reference-column", "ref"];
        check(folder().with(name, table), &args, 1, message);
    }
}

#[test]
fn a_table_without_columns_names_the_missing_option() {
    let lines = "(--input-format text reads its lines as they are)";
    for (name, kind) in [
        ("t.tsv", "a table of tab-separated values"),
        ("t.CSV", "a table of comma-separated values"),
        ("t.jsonl.gz", "a table of JSON lines"),
        ("t.pq", "a Parquet table"),
    ] {
        let table = || folder().with(name, "one\ntwo\nthree\n");
        for (args, option) in [
            (["-i", name, "-r", "ref.txt"], "--hypothesis-column"),
            (["-i", "hyp.txt", "-r", name], "--reference-column"),
        ] {
            let message =
                format!("{name}: looks like {kind}: name its column with {option} {lines}");
            check(table(), &args, 2, &message);
            let args = [&["score", "-m", METRIC, "--input-format", "text"], &args[..]].concat();
            assert!(table().bolide(&args).fine().contains("0.5"), "{args:?}");
        }
        let way_out =
            "this command reads lines of text (to read it as such, give '-' and '< FILE')";
        for args in [
            &["mbr", "-i", "hyp.txt", name][..],
            &["which", "0.5", "--files", name, "ref.txt"],
            &["explain", "--files", "--line", "1", "hyp.txt", name],
        ] {
            let ran = table().bolide(args);
            assert_eq!(ran.fails(2), format!("{name}: looks like {kind}: {way_out}"));
        }
    }
    let columns = ["-i", "t.tsv", "--hypothesis-column", "h", "--reference-column", "r"];
    let args = [&columns[..], &["--input-format", "text"]].concat();
    let message = "--input-format text is for lines of text, which have no columns";
    check(folder(), &args, 2, message);
    let args = ["-i", "hyp.txt", "-r", "ref.txt", "--input-format", "csv"];
    let message = "--input-format is for tables: name a column with --hypothesis-column";
    check(folder(), &args, 2, message);
}

#[test]
fn archives_of_other_kinds_and_links_to_nowhere_are_named() {
    for (bytes, kind) in [
        (&b"\xfd7zXZ\0\0\x04"[..], "an xz archive"),
        (b"BZh91AY&SY\0\0", "a bzip2 archive"),
        (b"PK\x03\x04\x14\0\0\0", "a zip archive"),
        (b"7z\xbc\xaf\x27\x1c\0\x04", "a 7z archive"),
        (b"\x04\x22\x4d\x18\0\0", "an lz4 archive"),
        (b"PAR1\x15\0", "a Parquet table"),
    ] {
        let message = format!("x: is {kind}, expected text, or text compressed with gzip or zstd");
        check(folder().with("x", bytes), &["-r", "ref.txt", "-i", "x"], 1, &message);
    }
    // Text may begin with the same bytes as some archives.
    let folder = folder().with("x", "BZh\nPK\n7z\n");
    folder.bolide(&["score", "-m", METRIC, "-r", "ref.txt", "-i", "x"]).fine();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("gone.txt", folder.path("link")).unwrap();
        let message = "link: is a link to gone.txt, which does not exist";
        check(folder, &["-r", "ref.txt", "-i", "link"], 1, message);
    }
}

#[test]
fn more_resamples_than_anybody_needs_are_refused() {
    for command in ["compare", "report"] {
        let args = [command, "-r", "ref.txt", "-i", "hyp.txt", "-o", "out", "-n", "1000000000"];
        assert_eq!(
            folder().bolide(&args).fails(2),
            "invalid value '1000000000' for '--samples <N>': 1000000000 is not in 1..=1000000 (see --help)"
        );
    }
}

#[test]
fn commands_that_cannot_be_run_as_written() {
    for (args, message) in [
        (
            &["-i", "hyp.txt"][..],
            "references are missing: give files with -r (files after -i are systems) or columns with \
             --reference-column",
        ),
        (&["-r", "-", "-i", "-"], "standard input ('-') can be read only once"),
        (&["-r", "-"], "standard input ('-') can be read only once"),
        (
            &["-i", "hyp.txt", "--reference-column", "ref"],
            "--reference-column without -r needs --hypothesis-column too",
        ),
        (
            &["-i", "hyp.txt", "--reference-column", "r", "--hypothesis-column", "h"],
            "hyp.txt: the name does not show what kind of table it is: give --input-format",
        ),
        (
            &["-r", "ref.txt", "-i", "hyp.txt", "ref.txt", "--fail-under", "0.5"],
            "--fail-under needs exactly one system and one metric",
        ),
        (
            &["-r", "ref.txt", "-i", "hyp.txt", "--threads", "0"],
            "invalid value '0' for '--threads <N>': 0 is not in 1..=65535 (see --help)",
        ),
        (
            &["-r", "ref.txt", "--formt", "csv"],
            "unexpected argument '--formt' found tip: a similar argument exists: '--format' \
             (see --help)",
        ),
    ] {
        check(folder(), args, 2, message);
    }
}

#[test]
fn metrics_that_do_not_exist() {
    let folder = folder();
    let run = |metric| folder.bolide(&["score", "-r", "ref.txt", "-i", "hyp.txt", "-m", metric]);
    let ran = run("meteor:textbok");
    assert!(ran.fails(2).contains("did you mean meteor:textbook"), "{}", ran.stderr());
    let ran = run("meteor:textbook|colour:red");
    assert!(ran.fails(2).contains("has no key 'colour': its keys are"), "{}", ran.stderr());
}

#[test]
fn a_bare_command_prints_the_help() {
    let folder = Folder::new();
    let help = folder.bolide(&[]);
    assert!(help.fine().contains("Usage: bolide"), "{}", help.stdout());
    assert!(help.stdout().contains("bolide score -r reference.txt"));
    assert_eq!(folder.bolide(&["help"]).fine(), folder.bolide(&["--help"]).fine());
    let of_score = folder.bolide(&["help", "score"]);
    assert_eq!(of_score.fine(), folder.bolide(&["score", "--help"]).fine());
}

#[test]
fn a_damaged_archive_is_an_error_and_not_a_short_file() {
    let gz = folder().with("hyp.txt.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b");
    let args = ["score", "-m", METRIC, "-r", "ref.txt", "-i", "hyp.txt.gz"];
    assert!(gz.bolide(&args).fails(1).starts_with("hyp.txt.gz: "));
    let zst = folder().with("hyp.txt.zst", b"\x28\xb5\x2f\xfd\x04\x58\x61");
    let args = ["score", "-m", METRIC, "-r", "ref.txt", "-i", "hyp.txt.zst"];
    let message = "hyp.txt.zst: not a valid zstd file: a block is damaged or cut off";
    assert_eq!(zst.bolide(&args).fails(1), message);
}

#[test]
fn the_number_of_references_in_a_name_must_hold() {
    let folder = folder();
    let run = |metric| folder.bolide(&["score", "-r", "ref.txt", "-i", "hyp.txt", "-m", metric]);
    run("meteor:textbook|nrefs:1").fine();
    assert_eq!(
        run("meteor:textbook|nrefs:2").fails(1),
        "'meteor:textbook|nrefs:2' is for 2 references, but the references given are nrefs:1"
    );
}

#[test]
fn a_folder_that_cannot_be_written_to_is_noticed_first() {
    let folder = folder();
    let args = ["score", "-m", METRIC, "-r", "ref.txt", "-i", "hyp.txt", "-o", "none/scores.txt"];
    assert_eq!(folder.bolide(&args).fails(1), "none/scores.txt: cannot be written: no such file");
}

#[test]
fn a_run_that_fails_prints_none_of_its_rows() {
    let folder = folder().with("long.txt", "a b\nc d\ne f\ng h\n");
    let ran = folder.bolide(&[
        "score",
        "-r",
        "ref.txt",
        "-i",
        "long.txt",
        "-m",
        "chrf",
        "--segments",
        "-f",
        "csv",
    ]);
    assert!(ran.fails(1).starts_with("the files differ in length"), "{}", ran.stderr());
    assert_eq!(ran.stdout(), "");
    let ran = folder.bolide(&["score", "-r", "ref.txt", "-i", "hyp.txt", "--fail-under", "nan"]);
    assert!(ran.fails(2).contains("it is not a number"), "{}", ran.stderr());
}
