//! `bolide compare`: every format has the numbers of the library's significance tests.

use crate::program::Folder;
use bolide::resample::{Sample, bootstrap, holm, least_p_value, randomization_p_value};
use bolide::{Metric, Segment, Statistics, Text};
use serde_json::Value;

const REFERENCES: [&str; 6] = [
    "the cat sat on the mat",
    "rain falls gently from the sky",
    "she reads a book in the garden",
    "the train to the coast leaves at noon",
    "nobody knows where the keys are",
    "we had bread and cheese for lunch",
];
const BASELINE: [&str; 6] = [
    "the cat sat on a mat",
    "rain falls from the sky",
    "she is reading a book in a garden",
    "the train leaves at noon to the coast",
    "no one knows where the keys are",
    "we had bread and cheese for lunch",
];
const WORSE: [&str; 6] =
    ["cat mat", "the sky rains", "a garden book", "noon train", "keys are where", "lunch"];

fn folder() -> Folder {
    let text = |lines: [&str; 6]| lines.join("\n") + "\n";
    Folder::new()
        .with("ref.txt", text(REFERENCES))
        .with("base.txt", text(BASELINE))
        .with("worse.txt", text(WORSE))
        .with("same.txt", text(BASELINE))
}

fn compare(more: &[&str]) -> String {
    let mut args =
        vec!["compare", "-q", "-r", "ref.txt", "-i", "base.txt", "worse.txt", "same.txt", "-m"];
    args.extend(more);
    folder().bolide(&args).fine().to_owned()
}

fn statistics(metric: &Metric, lines: [&str; 6]) -> Vec<Statistics> {
    let mut scorer = metric.scorer();
    let segments = lines.iter().zip(REFERENCES).map(|(&hypothesis, reference)| {
        let references = [Text::Raw(reference)];
        scorer.statistics(Segment::new(Text::Raw(hypothesis), &references).unwrap())
    });
    segments.collect()
}

#[test]
fn json_has_the_numbers_of_the_library() {
    let printed = compare(&["bleu", "meteor:textbook", "-n", "200", "--format", "json"]);
    let json: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(json["test"]["kind"], "bootstrap");
    assert_eq!(json["test"]["samples"], 200);
    assert_eq!(json["test"]["seed"], 12345);
    let results = json["results"].as_array().unwrap();
    assert_eq!(results.len(), 6);
    for (at, name) in ["bleu", "meteor:textbook"].into_iter().enumerate() {
        let metric = name.parse::<Metric>().unwrap();
        let all = [BASELINE, WORSE, BASELINE].map(|lines| statistics(&metric, lines));
        let samples = all.each_ref().map(|kept| Sample::new(&metric, kept).unwrap());
        let scores = bootstrap(&samples, 200, 12345);
        for (system, sample) in samples.iter().enumerate() {
            let result = &results[system * 2 + at];
            assert_eq!(result["metric"], name);
            assert_eq!(result["baseline"], system == 0);
            assert_eq!(result["score"], sample.score());
            assert_eq!(result["mean"], scores[system].interval().mean);
            assert_eq!(result["half_width"], scores[system].interval().half_width);
            if system == 0 {
                assert_eq!(
                    (&result["p_value"], &result["significant"]),
                    (&Value::Null, &Value::Null)
                );
            } else {
                let difference = samples[0].score() - sample.score();
                let p = scores[system].p_value(&scores[0], difference);
                let p = p.max(least_p_value(sample.n_different(&samples[0])));
                assert_eq!(result["p_value"], p);
                // Equal scores are never significantly different.
                assert_eq!(result["significant"], p <= 0.05 && difference != 0.0);
            }
        }
    }
    let signature = results[0]["signature"].as_str().unwrap();
    assert!(signature.starts_with("bleu:sacrebleu|nrefs:1|bs:200|seed:12345|case:mixed"));
}

#[test]
fn randomization_and_holm() {
    let more = ["ter", "--test", "randomization", "-n", "99", "--seed", "7", "--correct", "holm"];
    let printed = compare(&[&more[..], &["--format", "csv"]].concat());
    let metric = "ter".parse::<Metric>().unwrap();
    let all = [BASELINE, WORSE, BASELINE].map(|lines| statistics(&metric, lines));
    let samples = all.each_ref().map(|kept| Sample::new(&metric, kept).unwrap());
    let least = |at: usize| least_p_value(samples[at].n_different(&samples[0]));
    let p = [1, 2].map(|at| randomization_p_value(&samples[0], &samples[at], 99, 7).max(least(at)));
    assert_eq!([least(1), p[1]], [1.0 / 32.0, 1.0]);
    let p = holm(&p);
    let rows: Vec<Vec<&str>> = printed.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(
        rows[0].join(","),
        "system,metric,signature,baseline,score,mean,half_width,p_value,significant"
    );
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[1][3..], ["true", &format!("{:?}", samples[0].score()), "", "", "", ""]);
    for at in [1, 2] {
        let (score, p) = (samples[at].score(), p[at - 1]);
        let significant = p <= 0.05 && score != samples[0].score();
        let expected =
            ["false", &format!("{score:?}"), "", "", &format!("{p:?}"), &significant.to_string()];
        assert_eq!(rows[at + 1][3..], expected);
    }
    assert!(rows[1][2].contains("|ar:99|seed:7|"));
}

#[test]
fn tables_mark_what_is_significant() {
    let text = compare(&["bleu", "-n", "100", "-w", "1"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("system") && lines[0].ends_with('p'), "{text}");
    assert!(lines[1].starts_with("base (baseline)"), "{text}");
    assert!(lines[2].starts_with("worse") && lines[2].ends_with("0.0312*"), "{text}");
    assert!(text.contains("paired bootstrap, 100 samples, seed 12345; * is p ≤ 0.05"), "{text}");
    let markdown = compare(&["bleu", "-n", "100", "--format", "markdown"]);
    assert!(markdown.starts_with("| system"), "{markdown}");
    let latex = compare(&["bleu", "-n", "100", "--format", "latex"]);
    assert!(latex.contains("\\begin{tabular}{lrrr}"), "{latex}");
    // A bold score would be the best; what is significant here is worse.
    let bold: Vec<&str> = latex.split("\\textbf{").skip(1).collect();
    assert!(bold.iter().any(|text| text.starts_with("0.0312*}")), "{latex}");
    assert!(bold.iter().all(|text| !text.starts_with("0.0}")), "{latex}");
}

#[test]
fn threads_do_not_move_a_number() {
    let one =
        compare(&["bleu", "chrf", "ter", "rougeL", "-n", "50", "--format", "json", "-j", "1"]);
    let four =
        compare(&["bleu", "chrf", "ter", "rougeL", "-n", "50", "--format", "json", "-j", "4"]);
    assert_eq!(one, four);
}

/// sacreBLEU's tests give 0.0010 and 0.0001 here: they count only larger differences than the observed one, and there is none.
#[test]
fn a_change_in_a_few_segments_is_not_significant() {
    let mut changed = BASELINE;
    changed[0] = "the cat sat on the mat";
    let text = |lines: [&str; 6]| lines.join("\n") + "\n";
    let folder = folder().with("changed.txt", text(changed));
    for test in ["bootstrap", "randomization"] {
        let args = ["compare", "-q", "-r", "ref.txt", "-i", "base.txt", "changed.txt", "same.txt"];
        let more = ["-m", "bleu", "meteor", "cider", "--test", test, "--format", "json"];
        let ran = folder.bolide(&[&args[..], &more].concat());
        let document: Value = serde_json::from_str(ran.fine()).unwrap();
        for result in &document["results"].as_array().unwrap()[3..] {
            assert_eq!((&result["p_value"], &result["significant"]), (&1.0.into(), &false.into()));
        }
    }
}

#[test]
fn p_values_are_never_printed_as_zero() {
    // Fourteen segments and more can differ by chance as seldom as that.
    let lines = |text: &str| format!("{text}\n").repeat(16);
    let folder = Folder::new()
        .with("ref", lines("the cat sat on the mat"))
        .with("good", lines("the cat sat on the mat"))
        .with("bad", lines("a dog ran"));
    let args = ["compare", "-q", "-r", "ref", "-i", "good", "bad", "-m", "meteor:textbook"];
    let ran = folder.bolide(&[&args[..], &["-n", "40000"]].concat());
    assert!(ran.fine().contains("<0.0001*"), "{}", ran.stdout());
}

#[test]
fn one_system_gets_an_interval_only() {
    let printed = folder()
        .bolide(&["compare", "-r", "ref.txt", "-i", "base.txt", "-m", "bleu", "-n", "50"])
        .fine()
        .to_owned();
    assert!(printed.lines().next().unwrap().ends_with("± 95 %"), "{printed}");
    let message = folder()
        .bolide(&["compare", "-r", "ref.txt", "-i", "base.txt", "-m", "bleu", "--level", "2"]);
    assert_eq!(message.fails(2), "--level must be from 0 to 1, got 2");
}

/// Four words have no five-grams, so NIST is undefined, and nothing differs from it.
#[test]
fn an_undefined_score_is_never_significant() {
    let folder = Folder::new().with("one", "a b c d\n").with("two", "a b c d\n");
    for test in ["bootstrap", "randomization"] {
        for correction in [&[][..], &["--correct", "holm"]] {
            let args =
                ["compare", "-r", "one", "-i", "one", "two", "-m", "nist:nltk", "-f", "json"];
            let args = [&args[..], &["--test", test], correction].concat();
            let ran = folder.bolide(&args);
            let document: serde_json::Value = serde_json::from_str(ran.stdout()).unwrap();
            let result = &document["results"][1];
            for key in ["score", "p_value", "significant"] {
                assert!(result[key].is_null(), "{args:?} {result}");
            }
        }
    }
}
