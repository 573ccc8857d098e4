//! `bolide correlate --wmt`: folders in the layout of mt-metrics-eval, whole and damaged, and the score files.

use crate::program::{Folder, Ran};
use serde_json::Value;
use std::path::Path;

const SYSTEMS: [&str; 3] = ["A", "B", "C"];

/// Four segments of three systems; nobody judged the second segment of B. A copy of the reference is among the systems.
fn test_set() -> Folder {
    let folder = Folder::new();
    let reference = ["the cat sat", "a dog barks", "birds sing well", "rain falls"];
    let outputs = [
        ["the cat sat", "a dog barks", "birds sing", "rain falls"],
        ["cat the sat", "dog barks a", "sing", "falls"],
        ["the cat sits", "the dog barks", "birds sing well", "it rains"],
    ];
    let human = ["0.9 0.8 0.7 0.9", "0.2 None 0.1 0.3", "0.6 0.5 0.9 0.4"];
    let other = ["3 3 2 2", "3 3 1 1", "3 3 3 2"];
    put(&folder, "sources/de-en.txt", &["eins", "zwei", "drei", "vier"]);
    put(&folder, "references/de-en.refA.txt", &reference);
    put(&folder, "documents/de-en.docs", &["news one"; 4]);
    put(&folder, "system-outputs/de-en/refA.txt", &reference);
    let (mut humans, mut others, mut means) = (Vec::new(), Vec::new(), Vec::new());
    for (at, system) in SYSTEMS.iter().enumerate() {
        put(&folder, &format!("system-outputs/de-en/{system}.txt"), &outputs[at]);
        humans.extend(human[at].split(' ').map(|score| format!("{system}\t{score}")));
        others.extend(other[at].split(' ').map(|score| format!("{system} {score}")));
        means.push(format!("{system}\t{}", [10, 20, 35][at]));
    }
    let lines = |list: &[String]| list.join("\n") + "\n";
    write(&folder, "human-scores/de-en.mqm.seg.score", &lines(&humans));
    write(&folder, "metric-scores/de-en/LENGTH-src.seg.score", &lines(&others));
    write(&folder, "metric-scores/de-en/LENGTH-src.sys.score", &lines(&means));
    folder
}

fn put(folder: &Folder, name: &str, lines: &[&str]) {
    write(folder, name, &(lines.join("\n") + "\n"));
}

fn write(folder: &Folder, name: &str, text: &str) {
    let path = folder.path("set").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn run(folder: &Folder, more: &[&str]) -> Ran {
    let args = ["correlate", "--wmt", "set", "--pair", "de-en"];
    folder.bolide(&[&args[..], more].concat())
}

fn results(printed: &str) -> Vec<Value> {
    let json: Value = serde_json::from_str(printed).unwrap();
    json["results"].as_array().unwrap().clone()
}

#[test]
fn a_folder_gives_the_figures_of_its_table() {
    let folder = test_set();
    let mut table = String::from("system\titem\toutput\treference\thuman\tother\n");
    let read = |name: &str| {
        let text = std::fs::read_to_string(folder.path("set").join(name)).unwrap();
        text.lines().map(str::to_owned).collect::<Vec<String>>()
    };
    let (human, other) = (
        read("human-scores/de-en.mqm.seg.score"),
        read("metric-scores/de-en/LENGTH-src.seg.score"),
    );
    let reference = read("references/de-en.refA.txt");
    let score = |line: &str| line.split_whitespace().nth(1).unwrap().to_owned();
    for (at, system) in SYSTEMS.iter().enumerate() {
        for (item, output) in read(&format!("system-outputs/de-en/{system}.txt")).iter().enumerate()
        {
            let row = at * 4 + item;
            let human = score(&human[row]).replace("None", "");
            let (reference, other) = (&reference[item], score(&other[row]));
            table += &format!("{system}\t{item}\t{output}\t{reference}\t{human}\t{other}\n");
        }
    }
    let folder = folder.with("table.tsv", table);
    let common = ["-m", "chrf", "ter", "--level", "segment", "--coefficient", "all"];
    let common = [&common[..], &["--format", "json", "--average", "item"]].concat();
    let mut args = vec!["correlate", "-i", "table.tsv", "--human-column", "human", "--skip-empty"];
    args.extend(["--hypothesis-column", "output", "--reference-column", "reference"]);
    args.extend(["--system-column", "system", "--item-column", "item", "--score-column", "other"]);
    let from_table = results(folder.bolide(&[&args[..], &common].concat()).fine());
    let more = [&["--score-column", "LENGTH-src"][..], &common].concat();
    let from_folder = results(run(&folder, &more).fine());
    assert_eq!(from_folder.len(), 15);
    for (ours, theirs) in from_folder.iter().zip(&from_table) {
        assert_eq!(ours["value"], theirs["value"], "{ours} {theirs}");
        assert_eq!((&ours["n"], &ours["group"]), (&Value::from(11), &Value::from("de-en")));
    }
}

#[test]
fn systems_have_their_own_scores_or_the_mean_of_what_was_judged() {
    let folder = test_set();
    let more = ["--score-column", "all", "--level", "system", "--format", "json"];
    let value = |folder: &Folder| results(run(folder, &more).fine())[0]["value"].as_f64().unwrap();
    let people = [0.825, 0.6 / 3.0, 0.6];
    let expected = bolide::correlation::pearson(&[10.0, 20.0, 35.0], &people);
    assert!((value(&folder) - expected).abs() < 1e-12);
    write(&folder, "human-scores/de-en.mqm.sys.score", "A 1\nB 2\nC 3\n");
    let expected = bolide::correlation::pearson(&[10.0, 20.0, 35.0], &[1.0, 2.0, 3.0]);
    assert_eq!(value(&folder), expected);
    std::fs::remove_file(folder.path("set/human-scores/de-en.mqm.seg.score")).unwrap();
    let text = run(&folder, &["-m", "chrf"]).fine().to_owned();
    assert!(text.starts_with("pearson, system level\n"), "{text}");
    let without = run(&folder, &["-m", "chrf", "--without-system", "B", "--format", "json"]);
    assert_eq!(results(without.fine())[0]["n"], 2);
}

#[test]
fn score_files_are_written_and_read_back() {
    let folder = test_set();
    let more = ["-m", "meteor:2026|syn:none", "ter", "--write-scores", "set/metric-scores"];
    run(&folder, &more).fine();
    let read = |name: &str| {
        std::fs::read_to_string(folder.path("set/metric-scores/de-en").join(name)).unwrap()
    };
    let segments = read("meteor-2026-syn-none-refA.seg.score");
    assert_eq!(segments.lines().count(), 12);
    assert!(segments.starts_with("A\t1.0\nA\t1.0\nA\t"), "{segments}");
    // Larger is better in these files.
    let systems = read("ter-refA.sys.score");
    assert!(systems.starts_with("A\t-"), "{systems}");
    let levels = ["--coefficient", "all", "--format", "json"];
    let computed = results(run(&folder, &[&["-m", "ter"], &levels[..]].concat()).fine());
    let again = [&["--score-column", "ter-refA"], &levels[..]].concat();
    let again = results(run(&folder, &again).fine());
    for (ours, theirs) in computed.iter().zip(&again) {
        assert_eq!(ours["value"], theirs["value"]);
    }
}

#[test]
fn tune_reads_folders_too() {
    let args = ["tune", "--wmt", "set", "--pair", "de-en", "-m", "meteor:textbook", "--folds", "2"];
    let text = test_set().bolide(&args).fine().to_owned();
    assert!(text.starts_with("11 judged texts"), "{text}");
}

#[test]
fn soft_accuracy_and_ranks_need_no_columns() {
    let more = ["-m", "chrf", "--coefficient", "soft-accuracy", "pce", "--clusters"];
    let text = run(&test_set(), &more).fine().to_owned();
    for title in ["soft-accuracy, system level", "pce, system level", "systems of de-en"] {
        assert!(text.contains(title), "{text}");
    }
}

#[track_caller]
fn check(name: &str, text: Option<&str>, message: &str) {
    let folder = test_set();
    match text {
        Some(text) => write(&folder, name, text),
        None => std::fs::remove_file(folder.path("set").join(name)).unwrap(),
    }
    let ran =
        run(&folder, &["-m", "chrf", "--score-column", "LENGTH-src", "--write-scores", "out"]);
    assert_eq!(ran.fails(1), message);
    assert!(!Path::new(&folder.path("out")).exists());
}

#[test]
fn damaged_folders_name_file_line_and_what_was_expected() {
    let human = "human-scores/de-en.mqm.seg.score";
    let length = "metric-scores/de-en/LENGTH-src.seg.score";
    check("sources/de-en.txt", None, "set/sources/de-en.txt: no such file");
    check(
        "sources/de-en.txt",
        Some(""),
        "set/sources/de-en.txt: is empty, expected a line for each segment",
    );
    check(
        "system-outputs/de-en/B.txt",
        None,
        "set/human-scores/de-en.mqm.seg.score: line 5: 'B' has no output, expected \
         set/system-outputs/de-en/B.txt",
    );
    check(
        "system-outputs/de-en/B.txt",
        Some("one\ntwo\nthree\n"),
        "set/system-outputs/de-en/B.txt: line 4: the file has 3 lines, expected 4 as in \
         set/sources/de-en.txt",
    );
    check(
        "references/de-en.refA.txt",
        Some("one\ntwo\nthree\nfour\nfive\n"),
        "set/references/de-en.refA.txt: line 5: the file has 5 lines, expected 4 as in \
         set/sources/de-en.txt",
    );
    check(
        human,
        Some("A\t1\nA\tgood\n"),
        "set/human-scores/de-en.mqm.seg.score: line 2: 'good' is not a number or None",
    );
    check(
        human,
        Some("A\t1\nA\t2\nA\t3\n"),
        "set/human-scores/de-en.mqm.seg.score: system 'A' has 3 scores, expected 4",
    );
    check(
        human,
        Some("A 1\nA 2\nA 3\nA 4\nA 5\n"),
        "set/human-scores/de-en.mqm.seg.score: line 5: score 5 of system 'A', expected 4",
    );
    check(
        human,
        Some("A 1 2\n"),
        "set/human-scores/de-en.mqm.seg.score: line 1: expected a system and a score, got 'A 1 2'",
    );
    check(human, Some("A None\nA None\nA None\nA None\n"), "set: no system has a human score");
    check(
        length,
        Some("A 1\nA 2\nA None\nA 4\n"),
        "set/metric-scores/de-en/LENGTH-src.seg.score: line 3: 'None' is not a number",
    );
    check(
        length,
        Some("A 1\nA 2\nA 3\nA 4\n"),
        "set/metric-scores/de-en/LENGTH-src.seg.score: there is no score of system 'B', expected \
         one for each file of set/system-outputs/de-en",
    );
}

#[test]
fn a_choice_is_asked_for_where_there_is_one() {
    let folder = test_set();
    put(&folder, "references/de-en.refB.txt", &["a", "b", "c", "d"]);
    let message = "set/references has refA, refB: choose with --reference";
    assert_eq!(run(&folder, &["-m", "chrf"]).fails(2), message);
    let both = ["-m", "chrf", "--reference", "refA", "refB", "--write-scores", "out"];
    run(&folder, &both).fine();
    assert!(folder.path("out/de-en/chrf-refA.refB.sys.score").exists());
    let message = "set/references: there is no 'refC': there are refA, refB";
    assert_eq!(run(&folder, &["-m", "chrf", "--reference", "refC"]).fails(1), message);
    let missing = folder.bolide(&["correlate", "--wmt", "set", "--pair", "en-de", "-m", "chrf"]);
    assert_eq!(missing.fails(1), "set/sources/en-de.txt: no such file");
}
