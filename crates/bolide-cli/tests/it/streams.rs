//! Inputs of every kind, and outputs that are complete or absent.

use crate::program::{Folder, command};
use bolide_testdata::random::Random;
use flate2::{Compression, write::GzEncoder};
use std::io::{Read, Write};
use std::process::Stdio;

const METRIC: &str = "meteor:textbook";

/// Scores of all segments, as `segment score`.
#[track_caller]
fn segments(folder: &Folder, args: &[&str], stdin: &[u8]) -> Vec<f64> {
    let mut all = vec!["score", "-m", METRIC, "--segments", "--format", "csv"];
    all.extend(args);
    let ran = folder.bolide_with(&all, stdin);
    let rows = ran.fine().lines().skip(1).enumerate();
    rows.map(|(idx, line)| {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells[1], (idx + 1).to_string());
        cells[3].parse().unwrap()
    })
    .collect()
}

const PERFECT_PAIR: f64 = 0.9375;

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &str) -> Vec<u8> {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
}

#[test]
fn line_rules() {
    // The same two segments with five kinds of line ending, and a third that is empty.
    for text in [
        "the cat\na dog\n\n".as_bytes(),
        b"the cat\r\na dog\r\n\r\n",
        b"\xef\xbb\xbfthe cat\na dog\n\n",
        b"\xef\xbb\xbfthe cat\r\na dog\n\r\n",
        b"the cat\na dog\n\n",
    ] {
        let folder = Folder::new().with("ref.txt", "the cat\na dog\nthe end").with("hyp.txt", text);
        let scores = segments(&folder, &["-r", "ref.txt", "-i", "hyp.txt"], b"");
        assert_eq!(scores, [PERFECT_PAIR, PERFECT_PAIR, 0.0], "{text:?}");
    }
}

#[test]
fn only_line_feeds_end_lines() {
    // A lone carriage return, a form feed, NEL and U+2028 stay inside; NUL is a character.
    let text = "the\rcat\na\u{c}dog\nthe\u{85}cat\na\u{2028}dog\nthe\0cat x\n";
    let folder = Folder::new().with("ref.txt", text).with("hyp.txt", text);
    assert_eq!(segments(&folder, &["-q", "-r", "ref.txt", "-i", "hyp.txt"], b"").len(), 5);
}

#[test]
fn archives_are_recognised_by_their_contents() {
    let text: String = (0..20_000).map(|n| format!("line number {n}\n")).collect();
    let (first, second) = text.split_at(text.len() / 2);
    let folder = Folder::new()
        .with("ref.txt", &text)
        .with("a.txt.gz", gzip(&text))
        .with("b.txt.zst", zstd(&text))
        // Concatenated archives, a byte order mark inside one, and names without an extension.
        .with("c", [gzip(first), gzip(second)].concat())
        .with("d", [zstd(&format!("\u{feff}{first}")), zstd(second)].concat())
        // A skippable frame of three bytes in front.
        .with("e", [b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec(), zstd(&text)].concat());
    let args =
        ["-r", "ref.txt", "-i", "a.txt.gz", "b.txt.zst", "c", "d", "e", "-f", "csv", "-m", METRIC];
    let ran = folder.bolide(&[&["score", "-q"], &args[..]].concat());
    let rows: Vec<&str> = ran.fine().lines().skip(1).collect();
    assert_eq!(rows.len(), 5);
    for (row, name) in rows.iter().zip(["a", "b", "c", "d", "e"]) {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!((cells[0], cells[4]), (name, "1.0"), "{row}");
    }
    let ran = folder
        .bolide_with(&["score", "-q", "-r", "ref.txt", "-m", METRIC, "-f", "csv"], &gzip(&text));
    assert!(ran.fine().lines().nth(1).unwrap().starts_with("stdin,"), "{}", ran.stdout());
}

#[test]
fn standard_input_is_the_default_hypothesis_and_may_be_the_reference() {
    let folder = Folder::new().with("x.txt", "the cat\na dog\n");
    let other = b"the cat\nsome dog";
    let default = segments(&folder, &["-r", "x.txt"], other);
    assert_eq!(default, segments(&folder, &["-r", "x.txt", "-i", "-"], other));
    assert_eq!(default, segments(&folder, &["-r", "-", "-i", "x.txt"], other));
    assert_eq!(default[0], PERFECT_PAIR);
    assert!(0.0 < default[1] && default[1] < PERFECT_PAIR);
}

#[test]
fn tables_give_the_same_scores_as_lines() {
    let folder = Folder::new()
        .with("ref.txt", "the \"cat\", he said\na dog\n")
        .with("hyp.txt", "the \"cat\" he said\nthe dog\n")
        .with("t.tsv", "r\tx\th\nthe \"cat\", he said\t\tthe \"cat\" he said\r\na dog\t\tthe dog\n")
        .with("t.csv", "r,h,x\n\"the \"\"cat\"\", he said\",\"the \"\"cat\"\" he said\",\na dog,the dog,\n")
        .with(
            "t.jsonl",
            "{\"h\":\"the \\\"cat\\\" he said\",\"x\":{\"h\":[1]},\"r\":\"the \\\"cat\\\", he said\"}\n\
             {\"r\":[\"a d\\u006fg\"],\"h\":\"the dog\"}\n",
        );
    let lines = segments(&folder, &["-r", "ref.txt", "-i", "hyp.txt"], b"");
    assert_eq!(lines.len(), 2);
    let columns = ["--hypothesis-column", "h", "--reference-column", "r"];
    for table in ["t.tsv", "t.csv", "t.jsonl"] {
        let args = [&["-i", table], &columns[..]].concat();
        assert_eq!(segments(&folder, &args, b""), lines, "{table}");
    }
    // Separate references, in a table or not; a table on standard input.
    let args = ["-i", "t.csv", "-r", "ref.txt", "--hypothesis-column", "h"];
    assert_eq!(segments(&folder, &args, b""), lines);
    let args = ["-i", "hyp.txt", "-r", "t.tsv", "--reference-column", "r"];
    assert_eq!(segments(&folder, &args, b""), lines);
    let table = std::fs::read(folder.path("t.jsonl")).unwrap();
    let args = [&["--input-format", "jsonl"], &columns[..]].concat();
    assert_eq!(segments(&folder, &args, &table), lines);
}

#[test]
fn arrays_and_other_delimiters_give_the_same_scores_as_lines() {
    let array = "[{\"h\": \"a \\\"{b\", \"r\": \"a }\\\\ b\", \"x\": {\"y\": [\"]\"]}}, {\"h\": \"c d\", \"r\": [\"c d\", \"d\"]}]";
    let pretty = array.replace("}, {", "\n  },\r\n\n  {\n").replacen('[', "  [\n", 1) + "\n\n";
    let folder = Folder::new()
        .with("t.jsonl", array.trim_matches(['[', ']']).replace("}, {", "}\n{"))
        .with("array.json", array)
        .with("pretty.json", pretty)
        .with("bom.json", format!("\u{feff}{array}"))
        .with("blank.json", format!("\u{feff}\r\n \n{array}"))
        .with("t.csv", "h;r\n\"a \"\"{b\";a }\\ b\nc d;c d\n")
        .with("tabs.txt", "h\tr\n\"a \"\"{b\"\ta }\\ b\nc d\tc d\n");
    let columns = ["--hypothesis-column", "h", "--reference-column", "r"];
    let scores = |args: &[&str]| segments(&folder, &[args, &columns[..]].concat(), b"");
    let lines = scores(&["-i", "t.jsonl"]);
    assert_eq!(lines.len(), 2);
    for table in ["array.json", "pretty.json", "bom.json", "blank.json"] {
        assert_eq!(scores(&["-i", table]), lines, "{table}");
    }
    assert_eq!(scores(&["-i", "t.csv", "--delimiter", ";"]), lines);
    assert_eq!(scores(&["-i", "tabs.txt", "--delimiter", "\\t"]), lines);
    let empty = Folder::new().with("t.json", " [ \n]\n");
    let args = [&["score", "-m", METRIC, "-i", "t.json"], &columns[..]].concat();
    assert!(
        empty.bolide(&args).fails(1).contains("nothing to score"),
        "{}",
        empty.bolide(&args).stderr()
    );
}

#[test]
fn damaged_arrays_and_delimiters_are_named() {
    let columns = ["--hypothesis-column", "h", "--reference-column", "r"];
    let row = "{\"h\":\"a\",\"r\":\"a\"}";
    for (text, message) in [
        (format!("[{row}"), "t.json: the file ends, expected ',' or ']'"),
        (format!("[{row},"), "t.json: the file ends, expected an object"),
        (format!("[{row},]"), "t.json: line 1: expected an object (column 20)"),
        (format!("[{row}\n {row}]"), "t.json: line 2: expected ',' or ']' (column 2)"),
        (format!("[{row}]\n7"), "t.json: line 2: expected nothing after the array (column 1)"),
        (format!("[{row},\n{{\"h\":\"b\""), "t.json: line 2: the object does not end"),
        (format!("[\n {row}, {{\"h\":1}}]"), "t.json: line 2: "),
        (format!("[{row}, {{\n\"h\": \"b\",, \"r\": \"c\"}}]"), "t.json: line 2: "),
        ("[1, 2]".to_owned(), "t.json: line 1: expected an object or ']' (column 2)"),
        ("\n\n[1, 2]".to_owned(), "t.json: line 3: expected an object or ']' (column 2)"),
        (format!("\n{row}"), "t.json: line 1: is blank, expected a JSON object"),
        ("\n \n".to_owned(), "nothing to score: t.json is empty"),
    ] {
        let folder = Folder::new().with("t.json", &text);
        let args = [&["score", "-m", METRIC, "-i", "t.json"], &columns[..]].concat();
        let ran = folder.bolide(&args);
        assert!(ran.fails(1).contains(message), "{text}: {}", ran.stderr());
    }
    let folder = Folder::new().with("t.csv", "h;r\na;b\n").with("t.json", "[]");
    for (args, message) in [
        (vec!["-i", "t.csv", "--delimiter", "ab"], "expected one ASCII character"),
        (vec!["-i", "t.csv", "--delimiter", "\""], "cannot separate fields"),
        (vec!["-i", "t.json", "--delimiter", ";"], "--delimiter is for tables of lines"),
        (vec!["-i", "t.csv"], "there is no column 'h': the columns are h;r"),
    ] {
        let ran = folder.bolide(&[&["score", "-m", METRIC], &args[..], &columns[..]].concat());
        assert_ne!(ran.code(), 0, "{args:?}");
        assert!(ran.stderr().contains(message), "{args:?}: {}", ran.stderr());
    }
}

#[test]
fn json_lines_may_end_with_blank_lines_and_leave_out_one_of_several_references() {
    let columns = ["-i", "t.jsonl", "--hypothesis-column", "h", "--reference-column"];
    let scores = |text: &str, names: &[&str]| {
        let folder = Folder::new().with("t.jsonl", text);
        segments(&folder, &[&columns[..], names].concat(), b"")
    };
    let rows = "{\"h\":\"a b\",\"r\":\"a b\"}\n{\"h\":\"c d\",\"s\":\"c d\",\"r\":null}\n";
    for end in ["", "\n", "\r\n", "  \n\n"] {
        assert_eq!(scores(&format!("{rows}{end}"), &["r", "s"]), [PERFECT_PAIR; 2], "{end:?}");
    }
    // Blank lines do not count as segments when lengths are compared.
    let folder = Folder::new().with("t.jsonl", format!("{rows}\n")).with("h.txt", "a b\n");
    let args =
        ["score", "-m", METRIC, "-i", "h.txt", "-r", "t.jsonl", "--reference-column", "r", "s"];
    let message = "the files differ in length: t.jsonl has 2 segments, h.txt has 1";
    assert_eq!(folder.bolide(&args).fails(1), message);
    // A column that no row has is taken for misspelt.
    let args = [&["score", "-m", METRIC], &columns[..], &["r", "q"]].concat();
    let message = "t.jsonl: there is no column 'q': the columns are h, r";
    assert_eq!(folder.bolide(&args).fails(1), message);
}

#[test]
fn quoted_line_breaks_in_csv_stay_inside_a_segment() {
    let folder = Folder::new().with("t.csv", "h,r\n\"the\ncat\",\"the cat\"\n");
    let args = ["-i", "t.csv", "--hypothesis-column", "h", "--reference-column", "r"];
    assert_eq!(segments(&folder, &args, b""), [PERFECT_PAIR]);
}

#[test]
fn several_hypothesis_columns_are_several_systems() {
    let folder = Folder::new().with("t.tsv", "one\ttwo\tref\na b\tx y\ta b\n");
    let args =
        ["score", "-m", METRIC, "-f", "csv", "-i", "t.tsv", "--hypothesis-column", "one", "two"];
    let ran = folder.bolide(&[&args[..], &["--reference-column", "ref"]].concat());
    let starts: Vec<&str> = ran.fine().lines().map(|line| &line[..4]).collect();
    assert_eq!(starts, ["syst", "one,", "two,"]);
}

#[test]
fn a_remark_counts_segments_without_a_reference() {
    let columns = ["--hypothesis-column", "h", "--reference-column", "r"];
    let args = [&["score", "-m", METRIC, "-b", "-i", "t.jsonl"][..], &columns].concat();
    for (rows, expected) in [
        ("{\"h\":\"a\",\"r\":[\"\"]}\n{\"h\":\"a\",\"r\":\"\"}\n", ""),
        (
            "{\"h\":\"a\",\"r\":null}\n{\"h\":\"a\",\"r\":\"a\"}\n",
            "bolide: one segment has no reference, and counts with an empty one\n",
        ),
        (
            "{\"h\":\"a\",\"r\":null}\n{\"h\":\"a\",\"r\":[]}\n",
            "bolide: 2 segments have no reference, and count with an empty one\n",
        ),
    ] {
        let ran = Folder::new().with("t.jsonl", rows).bolide(&args);
        assert_eq!((ran.code(), ran.stderr()), (0, expected));
    }
}

#[test]
fn references_may_be_missing_where_there_are_several() {
    let signature = |folder: &Folder, args: &[&str]| {
        let all = [&["score", "-q", "-m", METRIC, "-f", "json"], args].concat();
        let ran = folder.bolide(&all);
        let document: serde_json::Value = serde_json::from_str(ran.fine()).unwrap();
        document["results"][0]["signature"].as_str().unwrap().to_owned()
    };
    let folder = Folder::new()
        .with("hyp.txt", "a b\nc d\n")
        .with("r1.txt", "a b\nx y\n")
        .with("r2.txt", "a b\n \n")
        .with("full.txt", "e f\nc d\n")
        .with("t.jsonl", "{\"h\":\"a\",\"r\":[\"a\",\"b\"]}\n{\"h\":\"a\",\"r\":null}\n")
        .with("u.jsonl", "{\"h\":\"a\",\"r\":[\"a\",\"b\"]}\n{\"h\":\"a\",\"r\":[\"b\",\"c\"]}\n");
    let hyp = ["-i", "hyp.txt", "-r", "r1.txt"];
    assert!(signature(&folder, &hyp).contains("|nrefs:1|"));
    assert!(signature(&folder, &[&hyp[..], &["full.txt"]].concat()).contains("|nrefs:2|"));
    assert!(signature(&folder, &[&hyp[..], &["r2.txt"]].concat()).contains("|nrefs:var|"));
    let columns = ["--hypothesis-column", "h", "--reference-column", "r"];
    assert!(
        signature(&folder, &[&["-i", "t.jsonl"], &columns[..]].concat()).contains("|nrefs:var|")
    );
    assert!(signature(&folder, &[&["-i", "u.jsonl"], &columns[..]].concat()).contains("|nrefs:2|"));
}

/// A corpus of several batches whose lines differ in length.
fn long_corpus() -> Folder {
    let mut random = Random(1);
    let mut line = |words: u64| {
        let mut text = String::new();
        for _ in 0..words {
            text.push_str(random.pick(&["the ", "cat ", "sat ", "on ", "a ", "mat ", "ß日 "]));
        }
        text + "\n"
    };
    let (mut hypotheses, mut references) = (String::new(), String::new());
    for n in 0..13_000 {
        hypotheses += &line(n % 23);
        references += &line(if n % 997 == 0 { 3_000 } else { n % 19 });
    }
    Folder::new().with("hyp.txt", hypotheses).with("ref.txt", references)
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = long_corpus();
    for format in ["csv", "json", "text"] {
        let run = |threads| {
            let args = [
                "score",
                "-q",
                "-r",
                "ref.txt",
                "-i",
                "hyp.txt",
                "ref.txt",
                "-m",
                METRIC,
                "--segments",
            ];
            let ran = folder.bolide(&[&args[..], &["-f", format, "-j", threads]].concat());
            ran.fine().to_owned()
        };
        let one = run("1");
        assert!(one.lines().count() > 26_000);
        assert!(one == run("2") && one == run("7"), "{format}");
    }
}

#[test]
fn damage_far_down_shows_the_same_for_any_number_of_threads() {
    let folder = long_corpus();
    let mut damaged = std::fs::read(folder.path("hyp.txt")).unwrap();
    let line = 9_000;
    let newlines = damaged.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    let (start, _) = newlines.clone().nth(line - 2).unwrap();
    damaged.insert(start + 1, 0xff);
    let folder = folder.with("damaged.txt", damaged);
    let run = |threads| {
        let args = ["score", "-r", "ref.txt", "-i", "damaged.txt", "-m", METRIC, "--segments"];
        let ran = folder.bolide(&[&args[..], &["-f", "csv", "-j", threads]].concat());
        (ran.code(), ran.stderr().to_owned(), ran.stdout().to_owned())
    };
    let (code, problem, rows) = run("1");
    assert_eq!(code, 1);
    assert!(
        problem.contains("damaged.txt: line 9000: invalid UTF-8 (0xff) at byte 1"),
        "{problem}"
    );
    // The batches before the damage have been written, each once.
    let segments: Vec<usize> =
        rows.lines().skip(1).map(|row| row.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert!(segments.len() > line / 2, "{}", segments.len());
    assert!(segments.iter().copied().eq(1..=segments.len()));
    for threads in ["2", "7"] {
        assert!(run(threads) == (code, problem.clone(), rows.clone()), "{threads}");
    }
}

#[test]
fn streams_of_long_and_short_lines_stay_in_step() {
    // The stream of long lines reaches the limit of bytes, the other the limit of rows: rows that are carried over
    // must stay in order. Each segment has a unique word, so any slip loses the match.
    let padding = "x ".repeat(2_000);
    let (mut long, mut short, mut table) = (String::new(), String::new(), String::new());
    for n in 0..9_000 {
        let own = format!("own{n}");
        let text = if n % 11 == 0 { format!("{padding}{own}") } else { own.clone() };
        long += &format!("{text}\n");
        short += &format!("{own}\n");
        table += &format!("{{\"long\":\"{text}\",\"short\":[\"{own}\",\"y\"]}}\n");
    }
    let folder = Folder::new().with("long.txt", long).with("short.txt", short);
    let folder = folder.with("t.jsonl", table);
    let columns = ["--hypothesis-column", "long", "--reference-column", "short"];
    for args in [
        &["-r", "short.txt", "-i", "long.txt"][..],
        &["-r", "short.txt", "-i", "short.txt", "long.txt"],
        &[&["-i", "t.jsonl"], &columns[..]].concat(),
        &["-i", "t.jsonl", "-r", "short.txt", "--hypothesis-column", "long"],
    ] {
        let all = [&["score", "-q", "-m", METRIC, "--segments", "--format", "csv"], args].concat();
        let ran = folder.bolide(&all);
        let header: Vec<&str> = ran.fine().lines().next().unwrap().split(',').collect();
        let recall = header.iter().position(|name| *name == "recall").unwrap();
        let rows = ran.stdout().lines().skip(1);
        assert!(rows.clone().count() >= 9_000);
        for row in rows {
            assert_eq!(row.split(',').nth(recall), Some("1.0"), "{args:?}: {row}");
        }
    }
}

#[test]
fn a_line_of_a_megabyte() {
    let long = "word ".repeat(210_000);
    let text = format!("first\n{long}\nlast\n");
    let folder = Folder::new().with("ref.txt", &text).with("hyp.txt", &text);
    let scores = segments(&folder, &["-r", "ref.txt", "-i", "hyp.txt"], b"");
    assert_eq!(scores.len(), 3);
    assert!(scores[1] > 0.99);
}

#[test]
fn an_output_file_is_whole_or_not_there() {
    let folder = Folder::new().with("ref.txt", "a b\nc d\n").with("hyp.txt", "a b\nc d\n");
    let args = ["score", "-r", "ref.txt", "-i", "hyp.txt", "-m", METRIC];
    let printed = folder.bolide(&args).fine().to_owned();
    assert_eq!(folder.bolide(&[&args[..], &["-o", "out.txt"]].concat()).fine(), "");
    assert_eq!(std::fs::read_to_string(folder.path("out.txt")).unwrap(), printed);
    assert_eq!(folder.files(), ["hyp.txt", "out.txt", "ref.txt"]);
    // A run that fails leaves the old file alone.
    std::fs::write(folder.path("short.txt"), "a b\n").unwrap();
    let bad = ["score", "-r", "ref.txt", "-i", "short.txt", "-m", METRIC, "-o", "out.txt", "-s"];
    folder.bolide(&bad).fails(1);
    assert_eq!(std::fs::read_to_string(folder.path("out.txt")).unwrap(), printed);
    assert_eq!(folder.files(), ["hyp.txt", "out.txt", "ref.txt", "short.txt"]);
}

#[test]
fn a_run_that_is_killed_leaves_nothing_behind() {
    let folder = Folder::new().with("ref.txt", "a b\n".repeat(100_000));
    let mut child = command(&folder.path(""))
        .args(["score", "-r", "ref.txt", "-i", "-", "-m", METRIC, "--segments", "-o", "out.csv"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // Enough for several batches: once the pipe has taken all of it, scoring has begun.
    input.write_all("a b\n".repeat(90_000).as_bytes()).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(folder.files(), ["ref.txt"]);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let text = "a b\n".repeat(200_000);
    let folder = Folder::new().with("x.txt", text);
    let mut child = command(&folder.path(""))
        .args(["score", "-r", "x.txt", "-i", "x.txt", "-m", METRIC, "--segments", "-f", "csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert!(output.status.success());
}

#[test]
fn the_example_files_score_as_the_documents_say() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = command(&root)
        .args(["score", "-r", "examples/reference.txt", "-m", METRIC, "-f", "csv", "-i"])
        .args(["examples/system-a.txt", "examples/system-b.txt"])
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let scores: Vec<f64> = printed
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(3).unwrap().parse().unwrap())
        .collect();
    assert!(output.status.success() && scores.len() == 2 && scores[0] > scores[1], "{printed}");
}
