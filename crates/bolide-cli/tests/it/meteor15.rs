//! `bolide meteor15` as a replacement for the jar: small runs of our own, and the tables in the user's folder.
//!
//! The test target `shared` compares with stored runs of the jar.

use crate::program::Folder;
use serde_json::Value;

const TABLE: &str = "0.5\nbig dog\nhound\n0.25\nhound\nbig dog\n0.1\nthe\nthat\n";

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// A folder with two sentences and a table; compiled tables go to its subfolder `data`.
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
    // The same through the jar's command, with the compiled table and with the original file.
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
    // No damage, wherever it is, can change a score.
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
    // A metric that needs no table does not open it, so damage and other versions do no harm.
    for bytes in [&good[..good.len() - 1], b"BLDPARA1", b""] {
        std::fs::write(&table, bytes).unwrap();
        here(&folder, &["score", "-r", "ref", "-i", "hyp", "-m", "meteor:1.5-nopara"]).fine();
        let jar = ["meteor15", "hyp", "ref", "-m", "exact stem synonym"];
        here(&folder, &jar).fine();
        let ran = here(&folder, &["score", "-r", "ref", "-i", "hyp", "-m", "meteor:1.5"]);
        assert!(ran.fails(1).contains("import it again"), "{}", ran.stderr());
    }
}

/// A zip archive with uncompressed entries.
fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    let long = |out: &mut Vec<u8>, x: usize| out.extend_from_slice(&(x as u32).to_le_bytes());
    for (name, content) in entries {
        let offset = out.len();
        // Version, flags, method, time and date are all zero; the checksum is not read.
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
    // The Arabic stems are used: `ktAb` and `ktb` have the same stem.
    std::fs::write(folder.path("a"), "ktAb\n").unwrap();
    std::fs::write(folder.path("b"), "ktb\n").unwrap();
    let ran = here(&folder, &["meteor15", "a", "b", "-l", "ar-bw-red", "-ssOut"]);
    assert!(ran.fine().ends_with(" 1.0 1.0 1.0\n"), "{}", ran.stdout());

    let ran = here(&folder, &["data", "import", "--from-jar-dir", "release"]);
    assert_eq!(names(&ran), ["stem-ar-bw-red", "paraphrase-en", "paraphrase-fr"]);
    assert_eq!(names(&here(&folder, &["data", "import", "release/meteor-1.5.jar"])), [both[1]]);

    // A file that cannot be read changes nothing.
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
        (&["hyp", "ref", "-l", "da", "-norm", "-ssOut"], "no tokenizer for the language danish"),
        (&["hyp", "ref", "-l", "cz", "-m", "stem", "-ssOut"], "no stemmer for the language czech"),
        (&["open.sgm", "open.sgm", "-sgml", "-m", "exact", "-ssOut"], "does not end"),
        (&["hyp", "ref", "-x"], "-x needs a value"),
    ] {
        let ran = here(&folder, &[&["meteor15"], args].concat());
        assert!(ran.fails(1).contains(message), "{args:?}: {}", ran.stderr());
    }
    // Global options before `meteor15` change nothing, not even the exit code.
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
