//! Compares `bolide meteor15` with the stored runs of the jar.
//!
//! Runs with English paraphrases need the table of the wheel `pycocoevalcap`, and Arabic runs the jar's stems. Both have
//! licences of their own: `python3 tests/live/meteor15.py --tables` downloads them to `target/peers`, or
//! `BOLIDE_TEST_DATA` names a folder into which they were imported.

use crate::program::Folder;
use flate2::read::MultiGzDecoder;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The stored runs of the jar.
fn golden() -> PathBuf {
    workspace().join("../shared/golden/meteor-1.5")
}

/// The folder with the jar's tables in the command's form.
fn tables() -> PathBuf {
    let folder = match std::env::var_os("BOLIDE_TEST_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => workspace().join("target/peers/bolide-data"),
    };
    for table in ["paraphrase-en.bolide", "stem-ar-bw-red.bolide"] {
        let path = folder.join(table);
        assert!(
            path.is_file(),
            "{}: python3 tests/live/meteor15.py --tables makes it",
            path.display()
        );
    }
    folder
}

fn gunzip(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut out = Vec::new();
    MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut out).unwrap();
    out
}

fn text(golden: &Path, path: &Value) -> String {
    String::from_utf8(gunzip(&golden.join(path.as_str().unwrap()))).unwrap()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned()).collect()
}

/// A folder with the inputs of a case under the names that its arguments use.
fn unpack(golden: &Path, case: &Value) -> Folder {
    let folder = Folder::new();
    let mut files: Vec<String> =
        ["hyp", "ref"].iter().filter_map(|key| case[*key].as_str().map(str::to_owned)).collect();
    if case["files"].is_array() {
        files.extend(strings(&case["files"]));
    }
    for name in files {
        unpack_file(golden, &folder, &name);
    }
    folder
}

/// Tables stay compressed, everything else loses its `.gz`.
fn unpack_file(golden: &Path, folder: &Folder, name: &str) {
    let table = name.ends_with("paraphrase.gz") || name.ends_with("p.gz");
    let target = folder.path(if table { name } else { name.strip_suffix(".gz").unwrap_or(name) });
    std::fs::create_dir_all(target.parent().unwrap()).unwrap();
    let source = golden.join(name);
    if table || !name.ends_with(".gz") {
        std::fs::copy(source, target).unwrap();
    } else {
        std::fs::write(target, gunzip(&source)).unwrap();
    }
}

/// Compares texts. Only the last two numbers of a line (penalty and score) may differ, by 4e-16, because their
/// last bit depends on the JVM's `pow`.
#[track_caller]
fn same(id: &str, expected: &str, found: &str) {
    if expected == found {
        return;
    }
    let (expected, found): (Vec<&str>, Vec<&str>) =
        (expected.split('\n').collect(), found.split('\n').collect());
    assert_eq!(expected.len(), found.len(), "{id}: number of lines");
    for (at, (expected, found)) in expected.iter().zip(&found).enumerate() {
        if expected == found {
            continue;
        }
        let fields = |line: &str| -> Vec<String> {
            if line.contains('\t') {
                line.split('\t').map(str::to_owned).collect()
            } else {
                line.rsplitn(2, ' ')
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .rev()
                    .collect()
            }
        };
        let (e, f) = (fields(expected), fields(found));
        let n_fields = f.len();
        let close = e.len() == f.len()
            && e.iter().zip(&f).enumerate().all(|(column, (e, f))| {
                let near = || match (e.parse::<f64>(), f.parse::<f64>()) {
                    (Ok(e_number), Ok(f_number)) => (e_number - f_number).abs() <= 4e-16,
                    _ => false,
                };
                e == f || (column + 2 >= n_fields && near())
            });
        assert!(close, "{id}, line {}:\n  the jar {expected}\n  bolide  {found}", at + 1);
    }
}

/// Runs all cases of a kind. Returns their number.
fn each(kind: &str, mut check: impl FnMut(&Path, &Value, &str)) -> usize {
    let golden = golden();
    let manifest = std::fs::read_to_string(golden.join("manifest.jsonl")).unwrap();
    let cases = manifest.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let cases: Vec<Value> = cases.filter(|case| case["kind"] == kind).collect();
    assert!(!cases.is_empty(), "no stored run of the kind {kind}");
    for case in &cases {
        check(&golden, case, case["id"].as_str().unwrap());
    }
    cases.len()
}

/// Runs the command with the folder of tables.
fn run(folder: &Folder, args: &[String], stdin: &[u8]) -> crate::program::Ran {
    let mut all = vec!["meteor15"];
    all.extend(args.iter().map(String::as_str));
    let data = tables().display().to_string();
    folder.bolide_with_env(&all, stdin, &[("BOLIDE_DATA", &data)])
}

fn with(case: &Value, more: &[&str]) -> Vec<String> {
    let name = |key: &str| case[key].as_str().unwrap().strip_suffix(".gz").unwrap().to_owned();
    let mut args = vec![name("hyp"), name("ref")];
    args.extend(strings(&case["args"]));
    args.extend(more.iter().map(|&arg| arg.to_owned()));
    args
}

#[test]
fn plain_text_as_the_jar_scores_it() {
    let n = each("plaintext", |golden, case, id| {
        let folder = unpack(golden, case);
        let outputs = &case["outputs"];
        let verbose = run(&folder, &with(case, &["-vOut"]), b"");
        same(id, &text(golden, &outputs["vOut"]), verbose.stdout());
        let statistics = run(&folder, &with(case, &["-ssOut"]), b"");
        assert_eq!(text(golden, &outputs["ssOut"]), statistics.stdout(), "{id}");
        if outputs["align"].is_string() {
            run(&folder, &with(case, &["-writeAlignments", "-f", "out"]), b"");
            let blocks = std::fs::read_to_string(folder.path("out-align.out")).unwrap();
            same(id, &text(golden, &outputs["align"]), &blocks);
        }
    });
    assert!(n >= 50, "{n} cases");
}

#[test]
fn sgml_as_the_jar_scores_it() {
    each("sgml", |golden, case, id| {
        let folder = unpack(golden, case);
        let ran = run(&folder, &with(case, &["-f", "out"]), b"");
        for (name, path) in case["outputs"].as_object().unwrap() {
            let found = match name.as_str() {
                "stdout" => ran.stdout().to_owned(),
                name => std::fs::read_to_string(folder.path(&format!("out-{name}"))).unwrap(),
            };
            same(&format!("{id}, {name}"), &text(golden, path), &found);
        }
        assert_eq!(ran.stderr().lines().count() as u64, case["stderr_lines"].as_u64().unwrap());
    });
}

#[test]
fn stdio_as_the_jar_answers() {
    each("stdio", |golden, case, id| {
        let input = gunzip(&golden.join(case["input"].as_str().unwrap()));
        let ran = run(&Folder::new(), &strings(&case["args"]), &input);
        same(id, &text(golden, &case["output"]), ran.stdout());
    });
}

#[test]
fn tokenizer_and_stemmer_tools() {
    each("tokeniser", |golden, case, id| {
        let input = gunzip(&golden.join(case["input"].as_str().unwrap()));
        let mut args = vec!["Normalizer".to_owned()];
        args.extend(strings(&case["args"]));
        let ran = run(&Folder::new(), &args, &input);
        assert_eq!(text(golden, &case["output"]), ran.fine(), "{id}");
    });
    each("stem", |golden, case, id| {
        if id == "stem/arabic" {
            return arabic_stems(&text(golden, &case["output"]));
        }
        let table = text(golden, &case["output"]);
        let rows = || table.lines().map(|line| line.split_once('\t').unwrap());
        let column = |of: fn((&str, &str)) -> String| rows().map(of).collect::<String>();
        let words = column(|(word, _)| format!("{word}\n"));
        let stems = column(|(_, stem)| format!("{stem}\n"));
        let mut args = vec!["Stemmer".to_owned()];
        args.extend(strings(&case["args"]));
        assert_eq!(stems, run(&Folder::new(), &args, words.as_bytes()).fine(), "{id}");
    });
}

/// The Arabic table stores hashes of stems, which the scorer compares. A word and the jar's stem of it must match; if
/// they differ, they must match as stems.
fn arabic_stems(table: &str) {
    let stems = bolide_store::Store::at(tables())
        .stems(bolide::unstable::meteor15::Language::Arabic)
        .unwrap();
    let mut n = 0;
    for (word, stem) in table.lines().map(|line| line.split_once('\t').unwrap()) {
        // The jar's tool does not stem numbers; its scorer does.
        if word.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '.' | '-')) {
            continue;
        }
        let hash = bolide::unstable::meteor15::java::hash(word);
        let found = stems.stem(hash).unwrap_or(hash);
        assert_eq!(found, bolide::unstable::meteor15::java::hash(stem), "the stem of {word}");
        n += 1;
    }
    assert!(n > 1_000, "{n} words only");
}

#[test]
fn matcher_as_the_jar_aligns() {
    each("matcher", |golden, case, id| {
        let folder = unpack(golden, case);
        let mut args = vec!["Matcher".to_owned()];
        args.extend(with(case, &[]));
        assert_eq!(text(golden, &case["output"]), run(&folder, &args, b"").fine(), "{id}");
    });
}

#[test]
fn trainer_as_the_jar_scans() {
    each("trainer", |golden, case, id| {
        let folder = Folder::new();
        for name in ["trainer/segcor", "trainer/rank"] {
            for entry in std::fs::read_dir(golden.join(name)).unwrap() {
                let file = entry.unwrap().file_name().into_string().unwrap();
                unpack_file(golden, &folder, &format!("{name}/{file}"));
            }
        }
        unpack_file(golden, &folder, "trainer/p.gz");
        let mut args = vec!["Trainer".to_owned()];
        args.extend(strings(&case["args"]));
        let expected = text(golden, &case["output"]);
        let ran = run(&folder, &args, b"");
        let (expected, found): (Vec<&str>, Vec<&str>) =
            (expected.lines().collect(), ran.stdout().lines().collect());
        assert_eq!(expected.len(), found.len(), "{id}: {}", ran.stderr());
        for (expected, found) in expected.iter().zip(found) {
            let (e, f) = (expected.split_once(' ').unwrap(), found.split_once(' ').unwrap());
            assert_eq!(e.1, f.1, "{id}");
            // The jar adds files in the order of the file system, so sums differ in their last bits.
            let difference = e.0.parse::<f64>().unwrap() - f.0.parse::<f64>().unwrap();
            assert!(difference.abs() <= 1e-15, "{id}: {expected} and {found}");
        }
    });
}

#[test]
fn headers_reports_and_exit_codes() {
    let golden = golden();
    let folder = Folder::new();
    for name in ["one.txt.gz", "two.txt.gz", "three.txt.gz", "empty.txt.gz", "p.gz"] {
        unpack_file(&golden, &folder, &format!("cli/{name}"));
    }
    let cases = String::from_utf8(gunzip(&golden.join("cli/cases.jsonl.gz"))).unwrap();
    let mut n = 0;
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let mut args = vec![case["hyp"].as_str().unwrap().to_owned()];
        args.push(case["ref"].as_str().unwrap().to_owned());
        args.extend(strings(&case["args"]));
        let ran = run(&folder, &args, b"");
        same(&args.join(" "), case["stdout"].as_str().unwrap(), ran.stdout());
        assert_eq!(ran.code() as i64, case["exit"].as_i64().unwrap(), "{args:?}");
        if let Some(first) = case["stderr_first_line"].as_str() {
            assert_eq!(ran.stderr().lines().next().unwrap_or(""), first, "{args:?}");
        }
        n += 1;
    }
    assert!(n >= 96, "{n} cases");
}
