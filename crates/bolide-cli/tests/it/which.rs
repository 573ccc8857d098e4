//! `bolide which`: finding the dialect and configuration that give a number.

use crate::program::Folder;

const TEXTS: [&str; 2] = ["on the mat sat the cat", "the cat sat on the mat"];

fn which(score: &str, more: &[&str]) -> String {
    let ran = Folder::new().bolide(&[&["which", score], &TEXTS[..], more].concat());
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    ran.stdout().to_owned()
}

#[test]
fn the_dialect_is_found_by_its_digits() {
    let classic = which("0.94", &[]);
    assert!(classic.lines().nth(1).unwrap().starts_with("meteor:classic "), "{classic}");
    assert!(classic.contains("rounded to 2 decimals"), "{classic}");
    let percent = which("93.8", &[]);
    assert!(percent.contains("meteor:classic "), "{percent}");
    assert!(percent.contains("in percent, rounded to 1 decimal"), "{percent}");
    let nltk = which("0.5", &[]);
    assert!(nltk.contains("\nmeteor:nltk ") && !nltk.contains("\nmeteor:classic "), "{nltk}");
}

#[test]
fn changed_keys_are_found_and_needless_changes_are_not_shown() {
    let cut = which("1.0", &["--all"]);
    assert!(cut.contains("\nmeteor:classic|gamma:0 "), "{cut}");
    assert!(!cut.contains("meteor:classic|alpha:0.5|gamma:0"), "{cut}");
}

#[test]
fn the_answers_as_a_document() {
    let printed = which("0.9375", &["--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let first = &document["answers"][0];
    assert_eq!(first["metric"], "meteor:classic");
    assert_eq!(first["value"], 0.9375);
    assert!(first["signature"].as_str().unwrap().starts_with("meteor:classic|match:"));
}

#[test]
fn the_score_of_a_corpus() {
    let folder = Folder::new()
        .with("hyp.txt", "the cat\non the mat sat the cat\n")
        .with("ref.txt", "the cat\nthe cat sat on the mat\n");
    let score = folder.bolide(&["score", "-r", "ref.txt", "-i", "hyp.txt", "-f", "csv"]);
    let score = score.fine().lines().nth(1).unwrap().split(',').nth(3).unwrap().to_owned();
    let ran = folder.bolide(&["which", &score, "--files", "hyp.txt", "ref.txt", "--quiet"]);
    assert!(ran.fine().lines().nth(1).unwrap().starts_with("meteor:classic "), "{}", ran.stdout());
}

#[test]
fn the_usual_culprits_of_a_corpus_are_found() {
    let hypotheses =
        ["The cat sat, on Mats.", "It rained all Night", "Nobody saw the e-mail today"];
    let references = ["the Cat sat on mats!", "It rained all the night.", "nobody saw the e-mail"];
    let lines = |texts: &[&str]| texts.iter().map(|text| format!("{text}\n")).collect::<String>();
    let folder = Folder::new().with("h.txt", lines(&hypotheses)).with("r.txt", lines(&references));
    let which = |score: &str| {
        let ran = folder.bolide(&["which", score, "--files", "h.txt", "r.txt", "-f", "json"]);
        let document: serde_json::Value = serde_json::from_str(ran.fine()).unwrap();
        document["answers"].as_array().unwrap().clone()
    };
    // Two keys at once.
    let metric: bolide::Metric = "bleu|case:lc|tok:intl".parse().unwrap();
    let mut corpus = metric.corpus();
    let mut mean = 0.0;
    let chrf: bolide::Metric = "chrf".parse().unwrap();
    for (hypothesis, reference) in hypotheses.iter().zip(references) {
        corpus.push(hypothesis, &[reference]).unwrap();
        mean += chrf.score(hypothesis, &[reference]).unwrap().value;
    }
    let found = which(&format!("{:.6}", corpus.score().unwrap().value));
    let names: Vec<&str> = found.iter().map(|answer| answer["metric"].as_str().unwrap()).collect();
    assert!(names.contains(&"bleu:sacrebleu|case:lc|tok:intl"), "{names:?}");
    // The mean of the segments' scores, as a fraction.
    let found = which(&format!("{:.7}", mean / 300.0));
    assert_eq!(found[0]["metric"], "chrf:sacrebleu", "{found:?}");
    assert_eq!(found[0]["what"], "score of the segments, averaged");
    assert_eq!(found[0]["how"], "as a fraction of 1, rounded to 7 decimals");
    // All digits come before fewer changes.
    let metric: bolide::Metric = "meteor|gamma:0.4".parse().unwrap();
    let mut corpus = metric.corpus();
    for (hypothesis, reference) in hypotheses.iter().zip(references) {
        corpus.push(hypothesis, &[reference]).unwrap();
    }
    let found = which(&corpus.score().unwrap().value.to_string());
    assert_eq!(found[0]["metric"], "meteor:classic|gamma:0.4", "{found:?}");
    assert_eq!(found[0]["how"], "exactly this");
}

#[test]
fn what_nothing_gives() {
    let folder = Folder::new();
    let ran = folder.bolide(&["which", "0.123456", TEXTS[0], TEXTS[1]]);
    let message = ran.fails(1);
    assert!(message.contains(" gives 0.123456; the closest is meteor:"), "{message}");
    assert_eq!(folder.bolide(&["which", "x", "a", "b"]).fails(2), "'x' is not a number");
}

#[test]
fn a_table_is_a_corpus_and_one_row_may_be_a_segment() {
    let rows = [TEXTS, ["the\ncat", "the cat"]].map(|[hypothesis, reference]| {
        serde_json::json!({"h": hypothesis, "r": [reference]}).to_string() + "\n"
    });
    let folder = Folder::new().with("one.jsonl", &rows[0]).with("two.jsonl", rows.concat());
    let table = |file: &'static str, more: &[&'static str]| {
        let options =
            ["which", "0.9375", "-i", file, "--hypothesis-column", "h", "--reference-column", "r"];
        folder.bolide(&[&options[..], more].concat())
    };
    let segment = table("one.jsonl", &["--segment", "--quiet"]);
    assert_eq!(segment.fine(), which("0.9375", &["--quiet"]));
    let both = table("one.jsonl", &["--segment", "--quiet", "--format", "json", "--with-text"]);
    let (document, text) = both.fine().split_once('\0').unwrap();
    assert_eq!((document, text), (&*which("0.9375", &["--format", "json"]), segment.fine()));
    let corpus = table("one.jsonl", &["--quiet"]);
    assert!(corpus.fine().lines().nth(1).unwrap().starts_with("meteor:classic "));
    assert!(table("two.jsonl", &["--segment"]).fails(1).contains("one row, this one has 2"));
    let both = folder.bolide(&["which", "0.9375", TEXTS[0], TEXTS[1], "-i", "one.jsonl"]);
    assert!(both.fails(2).contains("cannot be used with"), "{}", both.stderr());
}
