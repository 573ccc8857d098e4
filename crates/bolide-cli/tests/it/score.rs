//! `bolide score`: results and formats.

use crate::program::Folder;
use serde_json::Value;

const METRIC: &str = "meteor:textbook";

/// The signature under a table, from the library.
fn signature() -> String {
    let metric: bolide::Metric = METRIC.parse().unwrap();
    metric.signature().clone().with_fact("nrefs", 1).to_string()
}

/// Two equal segments, so that a mean and a pooled score are the same.
fn folder() -> Folder {
    Folder::new()
        .with("ref.txt", "Rain falls gently from the sky\n".repeat(2))
        .with("a.txt", "Gentle rain drops from the sky\n".repeat(2))
        .with("b.txt", "Rain falls gently from the sky\n".repeat(2))
}

fn score(more: &[&str]) -> String {
    let mut args = vec!["score", "-r", "ref.txt", "-i", "a.txt", "b.txt", "-m", METRIC];
    args.extend(more);
    folder().bolide(&args).fine().to_owned()
}

#[test]
fn text_has_systems_metrics_and_signatures() {
    let expected = "\
system  meteor:textbook
a                 0.625
b                 0.998
";
    assert_eq!(score(&["-w", "3"]), format!("{expected}\n{}\n", signature()));
}

#[test]
fn text_with_segments_and_details() {
    let expected = "\
\x20segment  system  meteor:textbook
       1  a                0.6250
       1  b                0.9977
       2  a                0.6250
       2  b                0.9977

system  meteor:textbook
a                0.6250
b                0.9977
";
    let printed = score(&["--segments", "--details"]);
    assert!(printed.starts_with(expected), "{printed}");
    assert!(printed.contains("\nmeteor:textbook  precision  recall   fmean  penalty"), "{printed}");
    assert!(printed.ends_with(&format!("\n{}\n", signature())), "{printed}");
}

#[test]
fn csv_of_segments_is_the_contract() {
    let printed = score(&["--segments", "--format", "csv"]);
    let mut lines = printed.lines();
    let header = lines.next().unwrap();
    assert!(header.starts_with("system,segment,metric,score,precision,recall,"), "{header}");
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let first: Vec<[&str; 4]> = rows.iter().map(|row| [row[0], row[1], row[2], row[3]]).collect();
    assert_eq!(
        first,
        [
            ["a", "1", METRIC, "0.625"],
            ["b", "1", METRIC, "0.9976851851851852"],
            ["a", "2", METRIC, "0.625"],
            ["b", "2", METRIC, "0.9976851851851852"],
        ]
    );
    assert!(rows.iter().all(|row| row.len() == header.split(',').count()));
}

#[test]
fn csv_of_the_corpus_has_signatures() {
    let printed = score(&["--format", "csv"]);
    let mut lines = printed.lines();
    assert!(lines.next().unwrap().starts_with("system,metric,signature,score,precision,"));
    assert!(lines.next().unwrap().starts_with(&format!("a,{METRIC},{},0.625", signature())));
    assert_eq!(lines.count(), 1);
}

#[test]
fn csv_of_different_metrics_has_the_union_of_the_components() {
    let folder = folder().with("with, comma.txt", "x\ny\n");
    let args = ["-m", "meteor:textbook", "meteor:textbook|alpha:0.5", "--segments", "-f", "csv"];
    let printed =
        folder.bolide(&[&["score", "-r", "ref.txt", "-i", "with, comma.txt"], &args[..]].concat());
    let lines: Vec<&str> = printed.fine().lines().collect();
    assert!(lines[1].starts_with("\"with, comma\",1,meteor:textbook,0.0,"), "{}", lines[1]);
    assert!(
        lines[2].starts_with("\"with, comma\",1,meteor:textbook|alpha:0.5,0.0,"),
        "{}",
        lines[2]
    );
    assert_eq!(lines.len(), 5);
}

#[test]
fn json_is_the_contract() {
    let printed = score(&["--format", "json"]);
    let document: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(document["version"], env!("CARGO_PKG_VERSION"));
    let results = document["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    assert_eq!(results[1]["system"], "b");
    assert_eq!(results[1]["metric"], METRIC);
    assert_eq!(results[1]["signature"], signature());
    assert_eq!(results[1]["components"]["precision"], 1.0);
    assert_eq!(results[0]["segments"], Value::Null);
}

#[test]
fn json_of_segments_has_them_under_their_result() {
    let printed = score(&["--format", "json", "--segments", "-m", "meteor:textbook|gamma:0"]);
    let document: Value = serde_json::from_str(&printed).unwrap();
    let results = document["results"].as_array().unwrap();
    let names: Vec<(&str, &str)> = results
        .iter()
        .map(|result| (result["system"].as_str().unwrap(), result["metric"].as_str().unwrap()))
        .collect();
    let other = "meteor:textbook|gamma:0";
    assert_eq!(names, [("a", METRIC), ("a", other), ("b", METRIC), ("b", other)]);
    let scores = |result: usize| -> Vec<f64> {
        let segments = results[result]["segments"].as_array().unwrap();
        segments.iter().map(|segment| segment["score"].as_f64().unwrap()).collect()
    };
    assert_eq!(scores(0), [0.625, 0.625]);
    assert_eq!(scores(2), [0.9976851851851852, 0.9976851851851852]);
    assert_eq!(scores(3), [1.0, 1.0]);
    assert_eq!(results[0]["segments"][1]["segment"], 2);
    assert_eq!(results[3]["segments"][0]["components"]["penalty"], 0.0);
}

#[test]
fn markdown_marks_the_best() {
    let expected = format!(
        "| system | meteor:textbook |\n\
         | ------ | --------------: |\n\
         | a      |          0.6250 |\n\
         | b      |      **0.9977** |\n\
         \n\
         - `{}`\n",
        signature()
    );
    assert_eq!(score(&["--format", "markdown"]), expected);
    let segments = score(&["--format", "markdown", "--segments"]);
    assert!(
        segments.starts_with(
            "| segment | system | meteor:textbook |\n| --: | --- | --: |\n| 1 | a | 0.6250 |\n"
        ),
        "{segments}"
    );
}

#[test]
fn latex_is_a_booktabs_table() {
    let expected = format!(
        "% {}\n\
         \\begin{{tabular}}{{lr}}\n\
         \\toprule\n\
         system & meteor:textbook \\\\\n\
         \\midrule\n\
         a & 0.6250 \\\\\n\
         b & \\textbf{{0.9977}} \\\\\n\
         \\bottomrule\n\
         \\end{{tabular}}\n",
        signature()
    );
    assert_eq!(score(&["--format", "latex"]), expected);
    let segments = score(&["--format", "latex", "--segments"]);
    assert!(segments.starts_with("\\begin{longtable}{rlr}\n"), "{segments}");
    assert!(segments.contains("\n1 & a & 0.6250 \\\\\n"), "{segments}");
}

#[test]
fn colours_only_when_asked_for_and_not_in_files() {
    assert!(!score(&[]).contains('\u{1b}'));
    assert!(score(&["--color", "always"]).contains("\u{1b}[1m0.9977\u{1b}[0m"));
    let folder = folder();
    let args = ["score", "-r", "ref.txt", "-i", "a.txt", "-m", METRIC];
    folder.bolide(&[&args[..], &["--color", "always", "-o", "out.txt"]].concat()).fine();
    assert!(!std::fs::read_to_string(folder.path("out.txt")).unwrap().contains('\u{1b}'));
}

#[test]
fn a_limit_decides_the_exit_code_after_the_result_is_printed() {
    let folder = folder();
    let run = |limit: &str| {
        let args = ["score", "-r", "ref.txt", "-i", "b.txt", "-m", METRIC, "--fail-under", limit];
        folder.bolide(&args)
    };
    run("0.9").fine();
    let ran = run("0.999");
    assert_eq!(ran.code(), 1);
    assert_eq!(ran.message(), "meteor:textbook is 0.9976851851851852, below the limit of 0.999");
    assert!(ran.stdout().contains("0.9977"), "{}", ran.stdout());
    // Rounded to four decimals, the score equals the limit; the message shows the difference.
    let ran = run("0.9977");
    assert!(ran.stdout().contains("0.9977"), "{}", ran.stdout());
    assert_eq!(ran.message(), "meteor:textbook is 0.9976851851851852, below the limit of 0.9977");
    run("0.9976851851851852").fine();
}

#[test]
fn files_with_the_same_name_are_told_apart() {
    let folder = folder();
    std::fs::create_dir(folder.path("x")).unwrap();
    std::fs::copy(folder.path("a.txt"), folder.path("x/a.txt")).unwrap();
    let args = ["score", "-r", "ref.txt", "-i", "a.txt", "x/a.txt", "-m", METRIC, "-f", "csv"];
    let ran = folder.bolide(&args);
    let systems: Vec<&str> =
        ran.fine().lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(systems, ["a.txt", "x/a.txt"]);
}

/// sacreBLEU adds the mean lengths of references in segment order. With thirds, sums of batches would end in
/// other digits.
#[test]
fn ter_of_three_references_is_summed_in_segment_order() {
    let n = 1000;
    let folder = Folder::new()
        .with("a.txt", "a cat\n".repeat(n))
        .with("one.txt", "a cat\n".repeat(n))
        .with("two.txt", "the cat\n".repeat(n))
        .with("three.txt", "the cat sat\n".repeat(n));
    let in_order: f64 = std::iter::repeat_n(7.0 / 3.0, n).fold(0.0, |sum, mean| sum + mean);
    let hundred = |_| std::iter::repeat_n(7.0 / 3.0, 100).fold(0.0, |sum, mean| sum + mean);
    assert_ne!(in_order, (0..n / 100).map(hundred).sum::<f64>());
    let args = ["score", "-q", "-r", "one.txt", "two.txt", "three.txt", "-i", "a.txt", "-m", "ter"];
    for more in [&["-d", "-f", "json"][..], &["-d", "-f", "json", "--segments"]] {
        let printed = folder.bolide(&[&args, more].concat()).fine().to_owned();
        assert!(printed.contains(&format!("\"reference_length\":{in_order:?}")), "{printed}");
    }
}
