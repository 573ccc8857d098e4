//! `bolide mbr`: the best candidate of each segment.

use crate::program::Folder;
use serde_json::Value;

fn folder() -> Folder {
    Folder::new()
        .with("a.txt", "dogs bark\nthe rain falls\n")
        .with("b.txt", "the cat sat\nrain falls\n")
        .with("c.txt", "a cat sat\nit is sunny\n")
        .with(
            "all.txt",
            "dogs bark\nthe cat sat\na cat sat\nthe rain falls\nrain falls\nit is sunny\n",
        )
}

#[test]
fn files_and_consecutive_lines_are_the_same_candidates() {
    let files = folder().bolide(&["mbr", "-i", "a.txt", "b.txt", "c.txt", "-m", "rouge1"]);
    assert_eq!(files.fine(), "the cat sat\nthe rain falls\n");
    let lines = folder().bolide(&["mbr", "-i", "all.txt", "--per-segment", "3", "-m", "rouge1"]);
    assert_eq!(lines.fine(), files.fine());
}

#[test]
fn csv_and_json_have_the_utilities() {
    let inputs = ["mbr", "-i", "a.txt", "b.txt", "c.txt", "-m", "rouge1", "--format"];
    let csv = folder().bolide(&[&inputs[..], &["csv"]].concat());
    let mut lines = csv.fine().lines();
    assert_eq!(lines.next(), Some("segment,candidate,utility,text"));
    assert_eq!(lines.next(), Some("1,2,0.3333333333333333,the cat sat"));
    let json = folder().bolide(&[&inputs[..], &["json", "--matrix"]].concat());
    let json: Value = serde_json::from_str(json.fine()).unwrap();
    let first = &json["segments"][0];
    assert_eq!((&first["segment"], &first["candidate"]), (&Value::from(1), &Value::from(2)));
    assert_eq!(first["matrix"][1][2], first["matrix"][2][1]);
    assert_eq!(first["matrix"][1][1], 1.0);
    assert_eq!(first["utilities"].as_array().unwrap().len(), 3);
    assert!(json["signature"].as_str().unwrap().starts_with("rouge1:google|stem:no"));
}

#[test]
fn tables_list_candidates_of_any_number() {
    let folder = folder().with(
        "all.jsonl",
        concat!(
            "{\"c\": [\"dogs bark\", \"the cat sat\", \"a cat sat\"]}\n",
            "{\"c\": [\"\", \"two\\nlines\", \"two lines\"], \"d\": \"lines\"}\n",
            "{\"c\": \"alone\"}\n",
        ),
    );
    let options =
        ["mbr", "-i", "all.jsonl", "-m", "rouge1", "--format", "json", "--candidate-column"];
    let json = folder.bolide(&[&options[..], &["c", "d"]].concat());
    let json: Value = serde_json::from_str(json.fine()).unwrap();
    let n_candidates = |at: usize| json["segments"][at]["utilities"].as_array().unwrap().len();
    assert_eq!([0, 1, 2].map(n_candidates), [3, 4, 1]);
    assert_eq!(json["segments"][1]["text"], "two\nlines");
    assert_eq!(json["segments"][1]["candidate"], 2);
    assert_eq!(json["segments"][2]["text"], "alone");
    let files =
        folder.bolide(&["mbr", "-i", "a.txt", "b.txt", "c.txt", "-m", "rouge1", "-f", "json"]);
    let files: Value = serde_json::from_str(files.fine()).unwrap();
    assert_eq!(json["segments"][0], files["segments"][0]);
    let text = folder.bolide(&["mbr", "-i", "all.jsonl", "--candidate-column", "c"]);
    let message =
        "all.jsonl: line 2: a candidate has more than one line: print with -f csv or -f json";
    assert_eq!(text.fails(1), message);
    let none = folder.with("none.jsonl", "{\"c\": [\"a\"]}\n{\"c\": []}\n");
    let none = none.bolide(&["mbr", "-i", "none.jsonl", "--candidate-column", "c"]);
    assert!(none.fails(1).contains("none.jsonl: line 2: there are no candidates"));
}

#[test]
fn mistakes_are_said() {
    for (args, code, message) in [
        (&["mbr", "-i", "a.txt"][..], 2, "one input needs --per-segment"),
        (&["mbr", "-i", "a.txt", "b.txt", "--per-segment", "2"], 2, "takes one input"),
        (&["mbr", "-i", "all.txt", "--per-segment", "4"], 1, "not a multiple of --per-segment 4"),
        (&["mbr", "-i", "a.txt", "all.txt"], 1, "a.txt has 2 segments, all.txt has 6"),
        (&["mbr", "-i", "a.txt", "b.txt", "--matrix"], 2, "--matrix needs --format json"),
    ] {
        let ran = folder().bolide(args);
        assert!(ran.fails(code).contains(message), "{}", ran.stderr());
    }
}
