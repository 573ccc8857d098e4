//! If the system refuses to start threads, the results are the same with those that did start.
#![cfg(target_os = "linux")]

use crate::program::{Folder, command};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// A corpus, a table of judgements, and a copy of the program that any user may run.
fn folder() -> Folder {
    let lines = |n: usize| {
        (0..2_000).map(|at| format!("w{} w{} a b\n", at % 7, at % n)).collect::<String>()
    };
    let table: String =
        (0..100).map(|at| format!("{}\ta b{}\ta b c d\n", at % 9, " c".repeat(at % 4))).collect();
    let folder = Folder::new()
        .with("ref.txt", lines(3))
        .with("a.txt", lines(4))
        .with("b.txt", lines(5))
        .with("t.tsv", format!("human\thyp\tref\n{table}"));
    let program = command(&folder.path("")).get_program().to_owned();
    std::fs::copy(program, folder.path("bolide")).unwrap();
    std::fs::set_permissions(folder.path(""), PermissionsExt::from_mode(0o777)).unwrap();
    folder
}

/// Runs the program as a user with a limit on threads; the user is not root, for whom there is no limit.
fn limited(folder: &Folder, n: usize, args: &[&str]) -> std::process::Output {
    let is_root = std::fs::metadata("/proc/self")
        .is_ok_and(|this| std::os::unix::fs::MetadataExt::uid(&this) == 0);
    let mut limited = match is_root {
        true => {
            let mut other = Command::new("setpriv");
            other.args(["--reuid", "54321", "--regid", "54321", "--clear-groups", "prlimit"]);
            other
        }
        false => Command::new("prlimit"),
    };
    limited.arg(format!("--nproc={n}")).arg(folder.path("bolide")).args(args);
    limited.current_dir(folder.path("")).env("BOLIDE_DATA", "no-tables").output().unwrap()
}

#[test]
fn every_command_goes_on_with_the_threads_that_did_start() {
    let folder = folder();
    let texts = ["-r", "ref.txt", "-i", "a.txt", "b.txt", "-m", "meteor:textbook", "bleu"];
    let judged = [
        "-i",
        "t.tsv",
        "--human-column",
        "human",
        "--hypothesis-column",
        "hyp",
        "--reference-column",
        "ref",
    ];
    for args in [
        [&["score", "-j", "4"], &texts[..]].concat(),
        [&["score", "-j", "4", "--segments", "-f", "csv"], &texts[..]].concat(),
        [&["compare", "-j", "4", "-n", "50"], &texts[..]].concat(),
        [&["report", "-j", "4", "-n", "50", "-o", "-"], &texts[..]].concat(),
        [&["correlate", "-j", "4", "--confidence", "-n", "50", "-m", "chrf"], &judged[..]].concat(),
        [&["tune", "-j", "4", "-m", "meteor:textbook", "--folds", "2"], &judged[..]].concat(),
        vec!["mbr", "-j", "4", "-i", "a.txt", "b.txt", "ref.txt"],
    ] {
        let expected = folder.bolide(&args).fine().to_owned();
        assert!(!expected.is_empty(), "{args:?}");
        // None at all, then some of them.
        for n in [1, 3] {
            let output = limited(&folder, n, &args);
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{n}: {args:?}");
            assert_eq!(output.status.code(), Some(0));
            assert!(output.stdout == expected.as_bytes(), "{n}: {args:?}");
        }
    }
}

#[test]
fn more_threads_than_anybody_has_cores_are_remarked_on() {
    let folder = folder();
    let texts = ["-r", "ref.txt", "-i", "a.txt", "b.txt", "-m", "meteor:textbook"];
    let run =
        |threads| folder.bolide(&[&["compare", "-n", "50", "-j", threads], &texts[..]].concat());
    let (many, two) = (run("5000"), run("2"));
    assert_eq!((many.code(), many.stdout()), (0, two.fine()));
    assert!(many.stderr().contains("instead of 5000"), "{}", many.stderr());
}
