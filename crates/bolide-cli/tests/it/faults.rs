//! Faults in the environment: full disks, failing reads, closed streams, hostile names, decompression
//! bombs. docs/faults.md has the table of outcomes; `streams` tests killed runs and closed pipes.

use crate::program::{Folder, command};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::process::Stdio;

const METRIC: &str = "meteor|match:exact";

fn folder() -> Folder {
    Folder::new().with("ref.txt", "a b\nc d\n").with("hyp.txt", "a b\nc d\n")
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told_with_the_name_of_the_file() {
    let folder = folder();
    let args = ["score", "-r", "ref.txt", "-i", "hyp.txt", "-m", METRIC, "-o", "/dev/full"];
    let message = "/dev/full: No space left on device (os error 28)";
    assert_eq!(folder.bolide(&args).fails(1), message);
    let many = "a b\n".repeat(20_000);
    let folder = folder.with("ref.txt", &many).with("hyp.txt", &many);
    let args = [&args[..], &["--segments", "-f", "csv"]].concat();
    assert_eq!(folder.bolide(&args).fails(1), message);
    let score = ["score", "-r", "ref.txt", "-i", "hyp.txt", "-m", METRIC];
    let short =
        [&["dialects"][..], &["languages"], &["man"], &["explain", "a", "a"], &["--version"]];
    for args in short.into_iter().chain([&score[..], &["score", "--help"], &["meteor15", "--help"]])
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command(&folder.path("")).args(args).stdout(full).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        let expected = "bolide: standard output: No space left on device (os error 28)\n";
        assert_eq!((&*message, output.status.code()), (expected, Some(1)), "{args:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_read_error_is_not_the_end_of_the_file() {
    // Reading a process's memory at offset 0 fails.
    let args = ["score", "-r", "ref.txt", "-i", "/proc/self/mem", "-m", METRIC];
    let ran = folder().bolide(&args);
    assert_eq!(ran.fails(1), "/proc/self/mem: Input/output error (os error 5)");
}

#[test]
#[cfg(target_os = "linux")]
fn a_read_error_in_mid_stream_is_not_the_end_either() {
    use std::net::{TcpListener, TcpStream};
    use std::os::fd::OwnedFd;
    let many = "a b\n".repeat(10_000);
    let folder = folder().with("ref.txt", &many);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut reading = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut writing, _) = listener.accept().unwrap();
    // If one side closes a connection with unread data, the other side sees a reset, not an end.
    reading.write_all(b"never read").unwrap();
    let args = ["score", "-r", "ref.txt", "-m", METRIC, "-o", "out.txt"];
    let child = command(&folder.path(""))
        .args(args)
        .stdin(OwnedFd::from(reading))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    writing.write_all(&many.as_bytes()[..30_000]).unwrap();
    drop(writing);
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "bolide: standard input: Connection reset by peer (os error 104)\n"
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    assert!(!folder.files().contains(&"out.txt".to_owned()));
}

#[test]
fn no_standard_input_is_an_empty_one() {
    let folder = folder();
    let args = ["score", "-r", "ref.txt", "-m", METRIC];
    let output = command(&folder.path("")).args(args).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "bolide: the files differ in length: ref.txt has 2 segments, standard input has 0 \
         (systems are files after -i)\n"
    );
}

#[test]
#[cfg(unix)]
fn names_cannot_command_the_terminal() {
    let name = "new\nline\u{1b}[31m";
    let folder = folder().with(name, "a b\nc d\n");
    let args = ["score", "-r", "ref.txt", "-m", METRIC, "-i"];
    for format in ["text", "csv", "json", "markdown", "latex"] {
        let ran = folder.bolide(&[&args[..], &[name, "-f", format]].concat());
        let printed = ran.fine();
        assert!(printed.chars().all(|c| c == '\n' || !c.is_control()), "{format}: {printed:?}");
        assert!(printed.contains("line"), "{format}: {printed:?}");
    }
    let ran = folder.bolide(&[&args[..], &["no\u{1b}[2Jfile\nhere"]].concat());
    assert_eq!(ran.fails(1), "no\\u{1b}[2Jfile here: no such file");
}

#[test]
#[cfg(target_os = "linux")]
fn names_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let name = std::ffi::OsStr::from_bytes(b"bad\xff.txt");
    std::fs::write(folder.path("").join(name), "a b\nc d\n").unwrap();
    let args = ["score", "-r", "ref.txt", "-m", METRIC, "-f", "csv", "-i"];
    let output = command(&folder.path("")).args(args).arg(name).output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("\nbad\u{fffd},"));
    // A name that starts with a dash is a file if it is written as a path.
    let folder = folder.with("-x", "a b\nc d\n");
    folder.bolide(&[&args[..], &["./-x"]].concat()).fine();
}

#[test]
fn an_archive_of_many_lines_is_read_in_constant_memory() {
    // 64 MB of empty lines in 64 KB: the command never holds more than a batch of them.
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let block = vec![b'\n'; 1 << 20];
    for _ in 0..64 {
        packer.write_all(&block).unwrap();
    }
    let folder = folder().with("bomb.gz", packer.finish().unwrap());
    let ran = folder.bolide(&["score", "-r", "ref.txt", "-i", "bomb.gz", "-m", METRIC]);
    assert_eq!(
        ran.fails(1),
        "the files differ in length: ref.txt has 2 segments, bomb.gz has 67108864"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_line_of_hundreds_of_megabytes_is_refused_in_bounded_memory() {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let block = vec![b'a'; 1 << 20];
    for _ in 0..300 {
        packer.write_all(&block).unwrap();
    }
    let row = format!("{{\"h\": \"{}\", \"r\": \"a\"}}\n", "a ".repeat((8 << 20) + 1));
    let folder = folder().with("line.gz", packer.finish().unwrap()).with("row.jsonl", row);
    let lines = |file| vec!["-r", "ref.txt", "-i", file, "-m", METRIC];
    let table = vec!["-i", "row.jsonl", "--hypothesis-column", "h", "--reference-column", "r"];
    let text = "longer than 16 MiB, expected lines of text (--max-tokens N allows N words)";
    let any = [&lines("line.gz")[..], &["--max-tokens", "9"]].concat();
    // Memory in KB; the program and its threads map some of it before they read anything.
    for (args, most, message) in [
        (lines("line.gz"), 400_000, format!("line.gz: line 1: {text}")),
        (any, 1_000_000, "line.gz: line 1: longer than 256 MiB, expected lines of text".to_owned()),
        (
            table,
            400_000,
            "row.jsonl: segment 1: a text of more than 16 MiB (--max-tokens N allows N words)"
                .to_owned(),
        ),
    ] {
        let bolide = command(&folder.path(""));
        let mut limited = std::process::Command::new("sh");
        limited.arg("-c").arg(format!("ulimit -v {most}; exec \"$0\" score -j 2 \"$@\""));
        limited.arg(bolide.get_program()).args(args).current_dir(folder.path(""));
        let output = limited.output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("bolide: {message}\n"));
        assert_eq!(output.status.code(), Some(1));
    }
    let allowed =
        ["score", "-i", "row.jsonl", "--hypothesis-column", "h", "--reference-column", "r"];
    let allowed = [&allowed[..], &["-m", "meteor:textbook", "--max-tokens", "9000000"]].concat();
    folder.bolide(&allowed).fine();
}

#[test]
fn a_million_references_of_one_segment_are_scored() {
    let references = vec!["\"a c\""; 999_999].join(",");
    let row = format!("{{\"h\": \"a b\", \"r\": [{references}, \"a b\"]}}\n");
    let folder = folder().with("row.jsonl", row);
    let args = ["score", "-i", "row.jsonl", "--hypothesis-column", "h", "--reference-column", "r"];
    let ran = folder.bolide(&[&args[..], &["-m", "meteor:textbook", "-f", "json"]].concat());
    assert!(ran.fine().contains("nrefs:1000000"), "{}", ran.stdout());
    // The last one is the best.
    assert!(ran.stdout().contains("\"score\":0.9375"), "{}", ran.stdout());
}

#[test]
fn an_archive_inside_an_archive_stays_packed() {
    let pack = |bytes: &[u8]| {
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    };
    let folder = folder().with("twice.gz", pack(&pack(b"a b\nc d\n")));
    let ran = folder.bolide(&["score", "-r", "ref.txt", "-i", "twice.gz", "-m", METRIC]);
    let message = ran.fails(1);
    assert!(message.starts_with("twice.gz: line 1: invalid UTF-8"), "{message}");
}

#[test]
fn no_number_depends_on_the_environment() {
    let folder = Folder::new()
        .with("ref.txt", "the cat sat on the mat\nIstanbul İstanbul ΣΟΦΟΣ 1,5\n")
        .with("hyp.txt", "on the mat sat the cats\nistanbul ıstanbul σοφος 1.5\n");
    let dialects = bolide::DIALECTS.iter().map(|dialect| dialect.name);
    // Metrics that need a table of the user would depend on the user's folder.
    let metrics: Vec<&str> =
        dialects.filter(|name| name.parse::<bolide::Metric>().is_ok()).collect();
    assert!(metrics.len() > 20, "{metrics:?}");
    let run = |env: &[(&str, &str)]| {
        let args = ["score", "-r", "ref.txt", "-i", "hyp.txt", "-f", "json", "-s", "-q", "-m"];
        folder.bolide_with_env(&[&args[..], &metrics].concat(), b"", env).fine().to_owned()
    };
    let expected = run(&[("LC_ALL", "C")]);
    for env in [
        &[("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8")][..],
        &[("LC_ALL", "de_DE.UTF-8"), ("LC_NUMERIC", "de_DE.UTF-8")],
        &[("TZ", "Asia/Kolkata"), ("COLUMNS", "40"), ("TERM", "dumb")],
        &[("RAYON_NUM_THREADS", "1"), ("SACREBLEU_SEED", "7"), ("PYTHONHASHSEED", "3")],
        &[("HOME", "/nonexistent"), ("TMPDIR", ".")],
    ] {
        assert_eq!(run(env), expected, "{env:?}");
    }
}
