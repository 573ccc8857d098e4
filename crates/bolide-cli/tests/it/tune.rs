//! `bolide tune`: the parameters that it finds correlate as it says, and do not depend on threads.

use crate::program::Folder;
use bolide_testdata::random::Random;
use serde_json::Value;

/// Human scores that depend only on how many reference words are in the hypothesis.
fn folder() -> Folder {
    let words = ["cat", "dog", "house", "tree", "runs", "fast"];
    let mut table = String::from("system\toutput\treference\thuman\n");
    let mut random = Random(7);
    let mut below = |n: usize| random.below(n);
    for row in 0..120 {
        let mut text = |n: usize| {
            let text: Vec<&str> = (0..n).map(|_| words[below(6)]).collect();
            text.join(" ")
        };
        let (output, reference) = (text(2 + row % 9), text(6));
        let found = reference.split(' ').filter(|word| output.contains(word)).count();
        let human = found as f64 + below(10) as f64 / 5.0;
        let system = ["a", "b", "c", "d"][row % 4];
        table += &format!("{system}\t{output}\t{reference}\t{human}\n");
    }
    Folder::new().with("judged.tsv", table)
}

fn args<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["-i", "judged.tsv", "--human-column", "human"];
    args.extend(["--hypothesis-column", "output", "--reference-column", "reference"]);
    args.extend(more);
    args
}

fn run(more: &[&str]) -> String {
    let all = [&["tune"], &args(more)[..]].concat();
    folder().bolide(&all).fine().to_owned()
}

const METRIC: &str = "meteor:classic|match:exact|tok:space";

#[test]
fn the_signature_correlates_as_well_as_tune_says() {
    for objective in ["pearson", "kendall-b", "spearman"] {
        let more = ["-m", METRIC, "--objective", objective, "--format", "json"];
        let tuned: Value = serde_json::from_str(&run(&more)).unwrap();
        let (before, fitted) = (tuned["before"].as_f64(), tuned["fitted"].as_f64());
        assert!(fitted >= before, "{tuned}");
        assert_eq!(tuned["folds"].as_array().unwrap().len(), 5);
        assert_eq!(tuned["points"], 21 * 40 * 21);
        let more = ["-m", METRIC, tuned["signature"].as_str().unwrap(), "--coefficient", objective];
        let all = [&["correlate"], &args(&more)[..], &["--format", "json"]].concat();
        let printed = folder().bolide(&all).fine().to_owned();
        let correlated: Value = serde_json::from_str(&printed).unwrap();
        assert_eq!(correlated["results"][0]["value"].as_f64(), before);
        assert_eq!(correlated["results"][1]["value"].as_f64(), fitted);
    }
}

#[test]
fn meteor_2026_has_two_parameters() {
    let name = "meteor:2026|syn:none";
    let tuned: Value = serde_json::from_str(&run(&["-m", name, "--format", "json"])).unwrap();
    assert_eq!(tuned["points"], 21 * 21);
    let parameters: Vec<&String> = tuned["parameters"].as_object().unwrap().keys().collect();
    assert_eq!(parameters, ["alpha", "gamma"]);
    let more = ["-m", name, tuned["signature"].as_str().unwrap(), "--format", "json"];
    let all = [&["correlate"], &args(&more)[..]].concat();
    let printed = folder().bolide(&all).fine().to_owned();
    let correlated: Value = serde_json::from_str(&printed).unwrap();
    for (at, figure) in ["before", "fitted"].iter().enumerate() {
        assert_eq!(correlated["results"][at]["value"].as_f64(), tuned[figure].as_f64());
    }
}

#[test]
fn of_several_metrics_the_best_is_chosen() {
    let tuned = |metrics: &[&str]| -> Value {
        serde_json::from_str(&run(&[&["-m"], metrics, &["--format", "json"]].concat())).unwrap()
    };
    let (first, other) = ("meteor:2026|syn:none", "meteor:2026|syn:none|near:0.3|shared:2");
    let (one, two, both) = (tuned(&[first]), tuned(&[other]), tuned(&[first, other]));
    let figure = |it: &Value| it["fitted"].as_f64().unwrap();
    assert_ne!(figure(&one), figure(&two));
    assert_eq!(figure(&both), figure(&one).max(figure(&two)));
    let better = if figure(&one) > figure(&two) { &one } else { &two };
    assert_eq!(both["signature"], better["signature"]);
    assert_eq!(both["before"], one["before"]);
    assert_eq!(both["points"], 2 * 21 * 21);
}

#[test]
fn results_are_the_same_for_any_number_of_threads() {
    for more in [
        &["-m", METRIC, "--format", "json"][..],
        &["-m", METRIC, "--objective", "kendall-b", "--format", "json"],
        &["-m", METRIC, "--objective", "system", "--system-column", "system", "--format", "csv"],
        &["-m", "meteor:1.5|modules:exact|norm:lower", "--format", "json", "--folds", "3"],
    ] {
        let one = run(&[more, &["-j", "1"]].concat());
        for threads in ["2", "7"] {
            assert_eq!(run(&[more, &["-j", threads]].concat()), one, "{more:?}");
        }
    }
}

#[test]
fn text_shows_what_was_held_out_and_the_signature_comes_last() {
    let text = run(&["-m", "meteor:textbook", "--folds", "4"]);
    assert!(text.contains("mean of folds"), "{text}");
    assert!(text.contains("held out, tuning gains"), "{text}");
    let signature = run(&["-m", "meteor:textbook", "--folds", "4", "--format", "signature"]);
    assert!(text.ends_with(&format!("\n\n{signature}")), "{text}");
    let scored = [&["score"], &["-i", "judged.tsv", "--hypothesis-column", "output"][..]].concat();
    let scored =
        [&scored[..], &["--reference-column", "reference", "-m", signature.trim()]].concat();
    folder().bolide(&scored).fine();
}

#[test]
fn a_grid_of_ones_own() {
    let more = ["-m", METRIC, "--folds", "1", "--format", "json", "--first", "0.5 1 0.5"];
    let more = [&more[..], &["--last", "0.5 2 0.5", "--step", "0 1 0"]].concat();
    let tuned: Value = serde_json::from_str(&run(&more)).unwrap();
    assert_eq!(tuned["points"], 2);
    assert_eq!(tuned["parameters"]["alpha"], 0.5);
    assert_eq!(tuned["folds"].as_array().unwrap().len(), 0);
}

#[test]
fn mistakes() {
    let check = |more: &[&str], code: i32, message: &str| {
        let all = [&["tune"], &args(more)[..]].concat();
        assert_eq!(folder().bolide(&all).fails(code), message);
    };
    check(&["-m", "bleu"], 2, "bleu:sacrebleu has no parameters to tune: name a METEOR");
    check(&["--objective", "system"], 2, "--objective system needs --system-column");
    let message = "the grid needs values from 0 to 1 (beta: up to 1000), and no negative step";
    check(&["-m", METRIC, "--first", "2"], 2, message);
    check(&["-m", METRIC, "--first", "x"], 2, "--first: 'x' is not a number");
    // Either would fit fewer parameters than asked for, without a word.
    check(
        &["-m", METRIC, "--first", "1", "--last", "0.5"],
        2,
        "--first has 1 where --last has 0.5",
    );
    check(&["-m", METRIC, "--step", "0"], 2, "--step is 0 between 0 and 1");
    check(&["-m", METRIC, "--folds", "100"], 1, "120 judged texts are too few for 100 folds");
}
