//! `bolide meteor15` in the place of the jar: all stored runs of the jar, small runs of our own, and the
//! tables in the user's folder.
//!
//! The stored runs lie in `../shared`. Those with English paraphrases need the table of the wheel
//! `pycocoevalcap`, which is under its own licence: `python3 tests/live/meteor15.py` downloads it to
//! `target/peers`, or `BOLIDE_TEST_DATA` names a folder into which it was imported.

use crate::program::Folder;
use flate2::read::MultiGzDecoder;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The stored runs of the jar, or a remark that they are absent.
fn golden() -> Option<PathBuf> {
    let folder = workspace().join("../shared/golden/meteor-1.5");
    if !folder.is_dir() {
        eprintln!("skipped: ../shared is absent, so no stored run of the jar was compared");
        return None;
    }
    Some(folder)
}

/// A folder with the English paraphrases, or a remark that there is none.
fn tables() -> Option<PathBuf> {
    let folder = match std::env::var_os("BOLIDE_TEST_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => workspace().join("target/peers/bolide-data"),
    };
    if folder.join("paraphrase-en.bolide").is_file() {
        return Some(folder);
    }
    eprintln!(
        "skipped: there is no paraphrase table in {} (python3 tests/live/meteor15.py makes it)",
        folder.display()
    );
    None
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

/// Equal texts, but for the last two numbers of a line (penalty and score), whose last bit depends on
/// the JVM's `pow`: they may differ by 4e-16.
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

/// Runs all cases of a kind whose tables are there. Gives how many were run.
fn each(kind: &str, mut check: impl FnMut(&Path, &Value, &str)) -> Option<usize> {
    let golden = golden()?;
    let manifest = std::fs::read_to_string(golden.join("manifest.jsonl")).unwrap();
    let tables = tables();
    let mut n = 0;
    for line in manifest.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        if case["kind"] != kind || (tables.is_none() && needs_table(&case)) {
            continue;
        }
        check(&golden, &case, case["id"].as_str().unwrap());
        n += 1;
    }
    Some(n)
}

fn needs_table(case: &Value) -> bool {
    let args = if case["args"].is_array() { strings(&case["args"]) } else { Vec::new() };
    let after = |option: &str| {
        args.iter().position(|arg| arg == option).and_then(|at| args.get(at + 1)).cloned()
    };
    if after("-a").is_some() || after("-new").is_some() {
        return false;
    }
    match (case["kind"].as_str(), after("-m")) {
        (Some("tokeniser" | "stem" | "cli"), _) => false,
        (_, Some(modules)) => modules.contains("paraphrase"),
        _ => {
            let language = after("-l").unwrap_or_else(|| "en".to_owned());
            language == "en"
        }
    }
}

/// Runs the command with the folder of tables.
fn run(folder: &Folder, args: &[String], stdin: &[u8]) -> crate::program::Ran {
    let mut all = vec!["meteor15"];
    all.extend(args.iter().map(String::as_str));
    let data = tables_or_nothing();
    folder.bolide_with_env(&all, stdin, &[("BOLIDE_DATA", &data)])
}

fn tables_or_nothing() -> String {
    let folder = match std::env::var_os("BOLIDE_TEST_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => workspace().join("target/peers/bolide-data"),
    };
    folder.display().to_string()
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
    assert!(n.is_none_or(|n| n >= 50), "{n:?} cases");
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
fn tokeniser_and_stemmer_tools() {
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

/// The Arabic table keeps hashes of stems, which is what the scorer compares: a word and the stem that the jar gives it must
/// match, and match as stems where they differ.
fn arabic_stems(table: &str) {
    let Some(data) = tables().filter(|data| data.join("stem-ar-bw-red.bolide").is_file()) else {
        return;
    };
    let stems =
        bolide_store::Store::at(data).stems(bolide::unstable::meteor15::Language::Arabic).unwrap();
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
            // The jar adds files in the order of the folder; sums differ in their last bits.
            let difference = e.0.parse::<f64>().unwrap() - f.0.parse::<f64>().unwrap();
            assert!(difference.abs() <= 1e-15, "{id}: {expected} and {found}");
        }
    });
}

#[test]
fn headers_reports_and_exit_codes() {
    let Some(golden) = golden() else { return };
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
        let arabic = args.iter().any(|arg| arg.starts_with("ar"));
        if arabic && !Path::new(&tables_or_nothing()).join("stem-ar-bw-red.bolide").is_file() {
            continue;
        }
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

const TABLE: &str = "0.5\nbig dog\nhound\n0.25\nhound\nbig dog\n0.1\nthe\nthat\n";

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// A folder with two sentences and a table, whose tables go to `data` in it.
fn small() -> Folder {
    Folder::new()
        .with("hyp", "The big dog runs .\n")
        .with("ref", "That hound ran .\n")
        .with("paraphrase-en.gz", gzip(TABLE))
}

fn here(folder: &Folder, args: &[&str]) -> crate::program::Ran {
    let data = folder.path("data").display().to_string();
    folder.bolide_with_env(args, b"", &[("BOLIDE_DATA", &data)])
}

#[test]
fn a_missing_table_names_the_command_that_installs_it() {
    let folder = small();
    let score = ["score", "-r", "ref", "-i", "hyp", "-m"];
    let ran = here(&folder, &[&score[..], &["meteor:1.5"]].concat());
    assert!(ran.fails(2).contains("'bolide data import paraphrase-en.gz'"), "{}", ran.stderr());
    assert_eq!(here(&folder, &[&score[..], &["meteor:1.5-nopara"]].concat()).code(), 0);

    let imported = here(&folder, &["data", "import", "paraphrase-en.gz"]);
    assert!(imported.fine().starts_with("paraphrase-en\t3 records\t"), "{}", imported.stdout());
    let ran = here(&folder, &[&score[..], &["meteor:1.5"]].concat());
    assert!(ran.fine().contains("|paraphrases:"), "{}", ran.stdout());
    // The same through the jar's command, with the table and with the file itself.
    let installed = here(&folder, &["meteor15", "hyp", "ref", "-norm", "-ssOut"]);
    let given = ["meteor15", "hyp", "ref", "-norm", "-ssOut", "-a", "paraphrase-en.gz"];
    assert_eq!(installed.fine(), here(&folder, &given).fine());
    // Five words of the hypothesis, four of the reference: all match, in one chunk.
    assert!(installed.stdout().starts_with("5.0 4.0 "), "{}", installed.stdout());
    assert!(installed.stdout().ends_with(" 1.0 5.0 4.0\n"), "{}", installed.stdout());
}

#[test]
fn tables_are_listed_verified_and_removed() {
    let folder = small();
    assert_eq!(here(&folder, &["data", "list"]).stdout(), "");
    here(&folder, &["data", "import", "paraphrase-en.gz"]).fine();
    let listed = here(&folder, &["data", "list"]).fine().to_owned();
    assert_eq!(listed.lines().count(), 1);
    assert!(here(&folder, &["data", "verify"]).fine().ends_with("\tintact\n"));
    assert_eq!(
        here(&folder, &["data", "remove", "paraphrase-en"]).fine(),
        "paraphrase-en\tremoved\n"
    );
    assert_eq!(here(&folder, &["data", "list"]).stdout(), "");
    assert!(here(&folder, &["data", "remove", "paraphrase-en"]).fails(1).contains("no such file"));
    here(&folder, &["data", "remove", "dictionary"]).fails(2);
}

#[test]
fn damage_is_reported_and_a_failed_import_keeps_the_old_table() {
    let folder = small();
    here(&folder, &["data", "import", "paraphrase-en.gz"]).fine();
    let table = folder.path("data").join("paraphrase-en.bolide");
    let good = std::fs::read(&table).unwrap();

    let packed = gzip(TABLE);
    let broken: [(&str, Vec<u8>); 4] = [
        ("cut.gz", packed[..packed.len() / 2].to_vec()),
        ("odd.gz", gzip("0.5\na\n")),
        ("text.gz", gzip("this\nis no\ntable\n")),
        ("plain.gz", TABLE.as_bytes().to_vec()),
    ];
    for (name, bytes) in broken {
        std::fs::write(folder.path(name), bytes).unwrap();
        let ran = here(&folder, &["data", "import", name, "--language", "en"]);
        assert!(ran.fails(1).contains(name), "{}", ran.stderr());
        assert_eq!(std::fs::read(&table).unwrap(), good, "{name}");
    }
    assert_eq!(std::fs::read_dir(folder.path("data")).unwrap().count(), 1);

    let mut bad = good.clone();
    *bad.last_mut().unwrap() ^= 1;
    std::fs::write(&table, &bad).unwrap();
    let ran = here(&folder, &["data", "verify"]);
    assert!(ran.fails(1).contains("import it again"), "{}", ran.stderr());
    std::fs::write(&table, &good[..good.len() - 1]).unwrap();
    let ran = here(&folder, &["score", "-r", "ref", "-i", "hyp", "-m", "meteor:1.5"]);
    assert!(ran.fails(1).contains("damaged"), "{}", ran.stderr());
    // Damage anywhere in it: none of it can move a score.
    for at in (8..good.len()).step_by(good.len() / 16) {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        std::fs::write(&table, &bad).unwrap();
        for args in [
            &["score", "-r", "ref", "-i", "hyp", "-m", "meteor:1.5"][..],
            &["meteor15", "hyp", "ref", "-norm", "-ssOut"],
        ] {
            let message = here(&folder, args).fails(1).to_owned();
            assert!(
                message.contains("damaged") && message.contains("import it again"),
                "{message}"
            );
        }
    }
    // Who needs no table does not open it: damage and other versions are in nobody's way.
    for bytes in [&good[..good.len() - 1], b"BLDPARA1", b""] {
        std::fs::write(&table, bytes).unwrap();
        here(&folder, &["score", "-r", "ref", "-i", "hyp", "-m", "meteor:1.5-nopara"]).fine();
        let jar = ["meteor15", "hyp", "ref", "-m", "exact stem synonym"];
        here(&folder, &jar).fine();
        let ran = here(&folder, &["score", "-r", "ref", "-i", "hyp", "-m", "meteor:1.5"]);
        assert!(ran.fails(1).contains("import it again"), "{}", ran.stderr());
    }
}

/// A zip archive with entries that are stored as they are.
fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    let long = |out: &mut Vec<u8>, x: usize| out.extend_from_slice(&(x as u32).to_le_bytes());
    for (name, content) in entries {
        let offset = out.len();
        // Version, flags, method, time and date are all zero, and nobody looks at the checksum.
        for (to, head, gap) in [(&mut out, b"PK\x03\x04", 14), (&mut directory, b"PK\x01\x02", 16)]
        {
            to.extend_from_slice(head);
            to.extend(std::iter::repeat_n(0, gap));
            long(to, content.len());
            long(to, content.len());
            to.extend_from_slice(&(name.len() as u16).to_le_bytes());
            to.extend_from_slice(&[0, 0]);
        }
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(content);
        directory.extend(std::iter::repeat_n(0, 10));
        long(&mut directory, offset);
        directory.extend_from_slice(name.as_bytes());
    }
    let start = out.len();
    out.extend_from_slice(&directory);
    out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    for _ in 0..2 {
        out.extend_from_slice(&(entries.len() as u16).to_le_bytes());
    }
    long(&mut out, directory.len());
    long(&mut out, start);
    out.extend_from_slice(&[0, 0]);
    out
}

#[test]
fn wheels_jars_and_their_folders_are_imported() {
    let stems = gzip("ktAb 3 ktb 1 ktAb\nktb 2 ktb\n");
    let jar = archive(&[("other", b"x"), ("stem/arabic-buckwalter-reduced.gz", &stems)]);
    let table = gzip(TABLE);
    let wheel = archive(&[
        ("pycocoevalcap/meteor/meteor-1.5.jar", &jar),
        ("pycocoevalcap/meteor/data/paraphrase-en.gz", &table),
        ("pycocoevalcap/meteor/meteor.py", b"pass"),
    ]);
    let folder = small().with("a.whl", &wheel).with("cut.whl", &wheel[..wheel.len() - 30]);
    std::fs::create_dir_all(folder.path("release/data")).unwrap();
    std::fs::write(folder.path("release/meteor-1.5.jar"), &jar).unwrap();
    std::fs::write(folder.path("release/data/paraphrase-en.gz"), &table).unwrap();
    std::fs::write(folder.path("release/data/paraphrase-fr.gz"), &table).unwrap();

    let names = |ran: &crate::program::Ran| -> Vec<String> {
        let name = |line: &str| line.split('\t').next().unwrap().to_owned();
        ran.fine().lines().map(name).collect()
    };
    let both = ["paraphrase-en", "stem-ar-bw-red"];
    let ran = here(&folder, &["data", "import", "--from-wheel", "a.whl"]);
    assert_eq!(names(&ran), both);
    assert!(ran.stdout().contains("paraphrase-en\t3 records\t"), "{}", ran.stdout());
    assert!(ran.stdout().contains("stem-ar-bw-red\t2 records\t"), "{}", ran.stdout());
    assert_eq!(names(&here(&folder, &["data", "verify"])), both);
    // The Arabic stems are in use: `ktAb` and `ktb` have one.
    std::fs::write(folder.path("a"), "ktAb\n").unwrap();
    std::fs::write(folder.path("b"), "ktb\n").unwrap();
    let ran = here(&folder, &["meteor15", "a", "b", "-l", "ar-bw-red", "-ssOut"]);
    assert!(ran.fine().ends_with(" 1.0 1.0 1.0\n"), "{}", ran.stdout());

    let ran = here(&folder, &["data", "import", "--from-jar-dir", "release"]);
    assert_eq!(names(&ran), ["stem-ar-bw-red", "paraphrase-en", "paraphrase-fr"]);
    assert_eq!(names(&here(&folder, &["data", "import", "release/meteor-1.5.jar"])), [both[1]]);

    // What cannot be read changes nothing.
    let list = here(&folder, &["data", "list"]).fine().to_owned();
    for (arguments, word) in [
        (["--from-wheel", "cut.whl"], "zip archive"),
        (["--from-wheel", "hyp"], "zip archive"),
        (["--from-wheel", "nowhere.whl"], "no such file"),
        (["--from-jar-dir", "data"], "there is no paraphrase-*.gz"),
        (["--from-jar-dir", "nowhere"], "no such file"),
        (["nowhere.gz", "--language=en"], "no such file"),
    ] {
        let ran = here(&folder, &[&["data", "import"], &arguments[..]].concat());
        let message = ran.fails(1);
        let named = arguments.iter().any(|argument| message.contains(argument));
        assert!(named && message.contains(word), "{message}");
    }
    assert_eq!(here(&folder, &["data", "list"]).fine(), list);
}

#[test]
#[cfg(unix)]
fn imported_tables_have_the_permissions_that_the_mask_allows() {
    use std::os::unix::fs::PermissionsExt;
    let folder = small();
    let binary = crate::program::command(&folder.path("")).get_program().to_owned();
    let import = "umask 027 && exec \"$0\" data import paraphrase-en.gz";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", import]).arg(binary).current_dir(folder.path(""));
    assert!(shell.env("BOLIDE_DATA", folder.path("data")).output().unwrap().status.success());
    let table = folder.path("data").join("paraphrase-en.bolide");
    assert_eq!(std::fs::metadata(table).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn an_explanation_shows_phrases() {
    let folder = small();
    here(&folder, &["data", "import", "paraphrase-en.gz"]).fine();
    let texts = ["The big dogs ran, that big dog slept.", "The hound ran; big dogs."];
    let explain = |more: &[&str]| {
        let args = [&["explain", "-m", "meteor:1.5"], &texts[..], more].concat();
        here(&folder, &args).fine().to_owned()
    };
    let document: Value = serde_json::from_str(&explain(&["--format", "json"])).unwrap();
    let phrase = document["pairs"].as_array().unwrap().iter().find(|p| p["stage"] == "paraphrase");
    let phrase = phrase.unwrap();
    assert_eq!((&phrase["hypothesis"], &phrase["hypothesis_tokens"]), (&6.into(), &2.into()));
    assert_eq!((&phrase["reference"], &phrase["reference_tokens"]), (&1.into(), &1.into()));
    let token = &document["tokens"]["hypothesis"][6];
    assert_eq!((token["start"].as_u64(), token["end"].as_u64()), (Some(23), Some(26)));
    let drawing = explain(&[]);
    assert!(drawing.contains("big dog ≋ hound: a pair of the paraphrase table"), "{drawing}");
    assert!(drawing.contains("γ·(chunks / matches)^β"), "{drawing}");
    let score = format!("{:.4}", document["score"].as_f64().unwrap());
    assert!(drawing.contains(&score), "{drawing}");
}

#[test]
fn a_language_that_the_name_does_not_say_must_be_given() {
    let folder = small().with("table.gz", gzip(TABLE));
    let ran = here(&folder, &["data", "import", "table.gz"]);
    assert!(ran.fails(1).contains("--language"), "{}", ran.stderr());
    here(&folder, &["data", "import", "table.gz", "--language", "de"]).fine();
    assert!(here(&folder, &["data", "list"]).fine().starts_with("paraphrase-de\t"));
}

#[test]
fn malformed_requests_are_answered_and_the_pipe_stays_alive() {
    let folder = small();
    let line = "SCORE ||| a b ||| a b\n";
    let requests = format!(
        "{line}EVAL ||| 1 2 3\nSING ||| x\nEVAL\n\nscore\nnonsense\nSING ||| 1 ||| 2\r{line}"
    );
    let ran =
        folder.bolide_with(&["meteor15", "-", "-", "-stdio", "-m", "exact"], requests.as_bytes());
    let answers: Vec<&str> = ran.fine().lines().collect();
    let statistics = "2.0 2.0 1.0 1.0 1.0 1.0 1.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 \
                      2.0 2.0";
    assert_eq!(
        answers,
        [
            statistics,
            "Error: specify Meteor stats",
            "Error: specify Meteor stats",
            "Error: specify Meteor stats",
            "Error: specify SCORE or EVAL or SING",
            "Error: specify hypothesis and at least one reference",
            "Error: specify SCORE or EVAL or SING",
            "Error: specify Meteor stats",
            statistics,
        ]
    );
}

#[test]
fn where_the_jar_crashes_there_is_one_line() {
    let folder = small().with(
        "open.sgm",
        "<tstset setid=\"s\" sysid=\"a\">\n<doc docid=\"d\">\n<seg id=\"1\"> x\n",
    );
    for (args, message) in [
        (&["hyp", "nowhere", "-m", "exact", "-ssOut"][..], "nowhere: no such file"),
        (&["hyp", "ref", "-m", "exact", "-p", "1 2", "-ssOut"], "four parameters"),
        (&["hyp", "ref", "-l", "da", "-norm", "-ssOut"], "no tokeniser for the language danish"),
        (&["hyp", "ref", "-l", "cz", "-m", "stem", "-ssOut"], "no stemmer for the language czech"),
        (&["open.sgm", "open.sgm", "-sgml", "-m", "exact", "-ssOut"], "does not end"),
        (&["hyp", "ref", "-x"], "-x needs a value"),
    ] {
        let ran = here(&folder, &[&["meteor15"], args].concat());
        assert!(ran.fails(1).contains(message), "{args:?}: {}", ran.stderr());
    }
    // Our own options before the word change nothing, not even the exit code.
    let args = ["hyp", "nowhere", "-m", "exact", "-ssOut"];
    for ours in [&["-q"][..], &["--threads", "2"]] {
        let ran = here(&folder, &[ours, &["meteor15"], &args].concat());
        assert_eq!(ran.fails(1), "nowhere: no such file");
        let ran = here(&folder, &[ours, &["meteor15", "hyp", "ref", "-m", "exact", "-q"]].concat());
        assert_eq!((ran.code(), ran.stdout().lines().count()), (0, 1), "{}", ran.stderr());
        assert_eq!(here(&folder, &[ours, &["meteor15", "hyp"]].concat()).code(), 2);
    }
    for help in ["--help", "-h"] {
        let help = here(&folder, &["meteor15", help]);
        assert!(help.fine().contains("Usage: bolide meteor15 <test> <reference> [options]"));
    }
    let usage = here(&folder, &["meteor15", "hyp"]);
    assert_eq!((usage.code(), usage.stdout()), (2, ""));
    assert!(usage.stderr().contains("Usage: bolide meteor15 <test> <reference> [options]"));
}
