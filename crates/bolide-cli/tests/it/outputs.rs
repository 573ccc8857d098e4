//! Output files of `-o`: complete or absent, written once, and never over an input.

use crate::program::{Folder, Ran, command};
use std::io::Write;
use std::process::{Child, Stdio};

const METRIC: &str = "meteor:textbook";

fn folder() -> Folder {
    Folder::new().with("ref.txt", "a b\nc d\n").with("hyp.txt", "a b\nc x\n")
}

/// A run that has written a part of its output and waits for more input.
fn waiting(folder: &Folder) -> Child {
    let args = ["score", "-r", "ref.txt", "-m", METRIC, "--segments", "-f", "csv", "-o", "out.csv"];
    let mut command = command(&folder.path(""));
    if cfg!(target_os = "linux") {
        // A shell lets its background jobs ignore interrupts, and a test may be part of one.
        let mut with_interrupts = std::process::Command::new("env");
        with_interrupts.arg("--default-signal=INT").arg(command.get_program());
        with_interrupts.current_dir(folder.path("")).env("BOLIDE_DATA", "no-tables");
        command = with_interrupts;
    }
    // Where the test's own output goes may be a file too.
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let input = child.stdin.as_mut().unwrap();
    input.write_all("a b\n".repeat(90_000).as_bytes()).unwrap();
    child
}

/// Many segments, for results of a few megabytes.
fn many() -> Folder {
    Folder::new().with("ref.txt", "a b\n".repeat(100_000))
}

fn finish(mut child: Child) {
    child.stdin.as_mut().unwrap().write_all("a b\n".repeat(10_000).as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
}

/// The file that a process writes to and that has this many links.
#[cfg(target_os = "linux")]
fn written(child: &Child, folder: &Folder) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    let device = std::fs::metadata(folder.path("")).unwrap().dev();
    let open = std::fs::read_dir(format!("/proc/{}/fd", child.id())).unwrap();
    let open = open.filter_map(|entry| std::fs::metadata(entry.unwrap().path()).ok());
    let ours: Vec<_> = open
        .filter(|file| file.is_file() && file.dev() == device && file.len() > 100_000)
        .map(|file| (file.ino(), file.nlink()))
        .filter(|(inode, _)| *inode != std::fs::metadata(folder.path("ref.txt")).unwrap().ino())
        .collect();
    assert_eq!(ours.len(), 1, "{ours:?}");
    ours[0]
}

#[test]
#[cfg(target_os = "linux")]
fn what_was_written_gets_the_name_and_no_copy_is_made() {
    use std::os::unix::fs::MetadataExt;
    // A free name, and one that exists.
    for folder in [many(), many().with("out.csv", "old")] {
        let before = folder.files();
        let child = waiting(&folder);
        let (inode, n_names) = loop {
            // The writer has a buffer, so wait until it has written for the first time.
            std::thread::sleep(std::time::Duration::from_millis(20));
            let open = std::fs::read_dir(format!("/proc/{}/fd", child.id())).unwrap();
            let sizes = open.filter_map(|entry| std::fs::metadata(entry.unwrap().path()).ok());
            if sizes.filter(|file| file.is_file() && file.len() > 100_000).count() > 1 {
                break written(&child, &folder);
            }
        };
        // The file has no name, or a temporary name in the same folder.
        assert_eq!(folder.files().len() as u64, before.len() as u64 + n_names);
        finish(child);
        let out = std::fs::metadata(folder.path("out.csv")).unwrap();
        assert_eq!(out.ino(), inode);
        assert_eq!(folder.files(), ["out.csv", "ref.txt"]);
    }
}

/// A result that is written once fits a disk that has no room for two of it. `tests/faults` also mounts such a disk, which not
/// every user may do.
#[test]
#[cfg(target_os = "linux")]
fn a_result_is_written_once() {
    // The system adds what a command wrote to the account of the shell that waited for it.
    let script = "\"$0\" score -r ref.txt -i ref.txt -m chrf --segments -f csv -o out.csv && cat /proc/$$/io";
    let folder = Folder::new().with("ref.txt", "a b\n".repeat(20_000));
    let binary = command(&folder.path("")).get_program().to_owned();
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", script]).arg(binary).current_dir(folder.path("")).output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let account = String::from_utf8(output.stdout).unwrap();
    let written = account.lines().find_map(|line| line.strip_prefix("wchar: "));
    let written: u64 = written.unwrap_or_else(|| panic!("{account}{said}")).parse().unwrap();
    let size = std::fs::metadata(folder.path("out.csv")).unwrap().len();
    assert!(size > 600_000, "{size}");
    assert!((size..size + size / 10).contains(&written), "{written} bytes written for {size}");
    assert_eq!(folder.files(), ["out.csv", "ref.txt"]);
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_leaves_nothing_behind() {
    use std::os::unix::process::ExitStatusExt;
    for (signal, number) in [("INT", 2), ("TERM", 15), ("KILL", 9)] {
        let folder = many();
        let mut child = waiting(&folder);
        let kill = ["-s", signal, &child.id().to_string()];
        assert!(std::process::Command::new("kill").args(kill).status().unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        // Where files must have names, SIGKILL leaves one behind; docs/faults.md says so.
        if number != 9 || cfg!(target_os = "linux") {
            assert_eq!(folder.files(), ["ref.txt"]);
        }
    }
}

#[track_caller]
fn refused(folder: &Folder, args: &[&str], output: &str) -> Ran {
    let before: Vec<_> =
        ["ref.txt", "hyp.txt"].map(|name| std::fs::read(folder.path(name)).unwrap()).into();
    let all = [&["score", "-m", METRIC], args, &["-o", output]].concat();
    let ran = folder.bolide(&all);
    assert_eq!(ran.fails(1), format!("{output}: is an input too, and would be overwritten"));
    let after: Vec<_> =
        ["ref.txt", "hyp.txt"].map(|name| std::fs::read(folder.path(name)).unwrap()).into();
    assert_eq!(before, after);
    ran
}

#[test]
fn an_output_is_never_an_input() {
    let folder = folder();
    let files = ["-r", "ref.txt", "-i", "hyp.txt"];
    refused(&folder, &files, "hyp.txt");
    refused(&folder, &files, "ref.txt");
    refused(&folder, &files, "./hyp.txt");
    let full = folder.path("hyp.txt").display().to_string();
    refused(&folder, &files, &full);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("hyp.txt", folder.path("soft")).unwrap();
        std::fs::hard_link(folder.path("hyp.txt"), folder.path("hard")).unwrap();
        refused(&folder, &files, "soft");
        refused(&folder, &files, "hard");
        refused(&folder, &["-r", "ref.txt", "-i", "soft"], "hyp.txt");
        // Standard input and standard output may be files as well.
        let hypotheses = || std::fs::File::open(folder.path("hyp.txt")).unwrap();
        let args = ["score", "-r", "ref.txt", "-m", METRIC, "-o", "hyp.txt"];
        let output = command(&folder.path("")).args(args).stdin(hypotheses()).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let appended = std::fs::File::options().append(true).open(folder.path("hyp.txt")).unwrap();
        let args = [&["score", "-m", METRIC], &files[..]].concat();
        let output = command(&folder.path("")).args(args).stdout(appended).output().unwrap();
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "bolide: standard output: is an input too, and would be overwritten\n"
        );
        assert_eq!(std::fs::read_to_string(folder.path("hyp.txt")).unwrap(), "a b\nc x\n");
    }
    // Every command with `-o`.
    let folder = folder.with("t.tsv", "human\tx\n1\t2\n2\t3\n");
    for args in [
        &["compare", "-r", "ref.txt", "-i", "hyp.txt", "-o", "hyp.txt"][..],
        &["report", "-r", "ref.txt", "-i", "hyp.txt", "-o", "hyp.txt"],
        &["report", "-r", "ref.txt", "-i", "ref.txt", "--source", "hyp.txt", "-o", "hyp.txt"],
        &["mbr", "-i", "hyp.txt", "ref.txt", "-o", "hyp.txt"],
        &[
            "correlate",
            "-i",
            "t.tsv",
            "--human-column",
            "human",
            "--score-column",
            "x",
            "-o",
            "t.tsv",
        ],
    ] {
        let ran = folder.bolide(args);
        let message = ran.fails(1);
        assert!(message.ends_with(": is an input too, and would be overwritten"), "{message}");
    }
}

#[test]
#[cfg(unix)]
fn a_link_keeps_its_place_even_one_to_nowhere() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    symlink("later.txt", folder.path("link")).unwrap();
    let args = ["score", "-r", "ref.txt", "-i", "hyp.txt", "-m", METRIC, "-o", "link"];
    folder.bolide(&args).fine();
    let target = folder.path("later.txt");
    let first = std::fs::read(&target).unwrap();
    assert!(!first.is_empty());
    // The second time the link points to a file, whose permissions stay.
    std::fs::write(&target, "old").unwrap();
    std::fs::set_permissions(&target, PermissionsExt::from_mode(0o604)).unwrap();
    folder.bolide(&args).fine();
    assert_eq!(std::fs::read(&target).unwrap(), first);
    assert_eq!(std::fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o604);
    assert!(std::fs::symlink_metadata(folder.path("link")).unwrap().is_symlink());
    assert_eq!(folder.files(), ["hyp.txt", "later.txt", "link", "ref.txt"]);
}

#[test]
fn tabs_separate_the_same_fields_as_commas() {
    let folder = Folder::new().with("ref.txt", "a b\nc d\n").with("hyp.txt", "a b\nd c\n");
    let files =
        ["-q", "-r", "ref.txt", "-i", "hyp.txt", "odd=hyp.txt", "-m", "bleu", "meteor:nltk"];
    for command in [&["score"][..], &["score", "--segments"], &["compare", "-n", "10"]] {
        let run = |format| {
            let ran = folder.bolide(&[command, &files[..], &["-f", format]].concat());
            ran.fine().to_owned()
        };
        let (commas, tabs) = (run("csv"), run("tsv"));
        assert!(commas.lines().count() > 2 && !commas.contains('"'), "{commas}");
        assert_eq!(commas.replace(',', "\t"), tabs, "{command:?}");
    }
}

/// `-o /dev/stdout` writes where standard output goes, and what stands there stays.
#[test]
#[cfg(target_os = "linux")]
fn the_name_of_an_open_stream_is_that_stream() {
    let folder = folder().with("log.txt", "before\n");
    let args = ["score", "-r", "ref.txt", "-i", "hyp.txt", "-m", METRIC, "-b"];
    let score = folder.bolide(&args).fine().to_owned();
    let to = |name: &'static str| [&args[..], &["-o", name]].concat();
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        assert_eq!(folder.bolide(&to(name)).fine(), score);
        let log = std::fs::File::options().append(true).open(folder.path("log.txt")).unwrap();
        let status = command(&folder.path("")).args(to(name)).stdout(log).status().unwrap();
        assert!(status.success());
    }
    let log = std::fs::read_to_string(folder.path("log.txt")).unwrap();
    assert_eq!(log, format!("before\n{}", score.repeat(3)));
    let ran = folder.bolide(&to("/dev/stderr"));
    assert_eq!((ran.code(), ran.stdout(), ran.stderr()), (0, "", &*score));
    // A link to such a name is one too.
    std::os::unix::fs::symlink("/dev/stdout", folder.path("link")).unwrap();
    assert_eq!(folder.bolide(&to("link")).fine(), score);
    assert_eq!(folder.files(), ["hyp.txt", "link", "log.txt", "ref.txt"]);
}

/// A file that may not be written is not replaced either. A program that runs may not, whoever asks.
#[test]
#[cfg(target_os = "linux")]
fn a_file_that_may_not_be_written_is_not_replaced() {
    let folder = folder();
    let program = folder.path("program");
    std::fs::copy("/bin/sleep", &program).unwrap();
    // Another test that starts a program may hold the copy open for a moment.
    let mut running = loop {
        match std::process::Command::new(&program).arg("60").spawn() {
            Err(problem) if problem.kind() == std::io::ErrorKind::ExecutableFileBusy => {}
            started => break started.unwrap(),
        }
    };
    let ran =
        folder.bolide(&["score", "-r", "ref.txt", "-i", "hyp.txt", "-m", METRIC, "-o", "program"]);
    running.kill().unwrap();
    running.wait().unwrap();
    assert_eq!(ran.fails(1), "program: Text file busy (os error 26)");
}
