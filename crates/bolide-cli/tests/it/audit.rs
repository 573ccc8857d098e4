//! `bolide audit`: numbers of which we know how they came about.

use crate::program::{Folder, Ran};
use serde_json::Value;

const HYPOTHESES: [&str; 4] = [
    "The small stones burn up. They never reach the ground.",
    "On a clear night, you may see ten of them in an hour!",
    "Most are no bigger than a “grain of sand”",
    "A few reach the ground, and these are called meteorites.",
];
const REFERENCES: [&str; 4] = [
    "Small stones burn up before they reach the ground. None is left.",
    "On a clear night you can see about ten of them every hour!",
    "Most of them are no bigger than a “grain” of Sand.",
    "The few that reach the ground are called meteorites.",
];

fn lines(texts: &[String]) -> String {
    texts.iter().map(|text| text.clone() + "\n").collect()
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn folder() -> Folder {
    Folder::new()
        .with("h.txt", lines(&owned(&HYPOTHESES)))
        .with("r.txt", lines(&owned(&REFERENCES)))
}

/// The score of texts, with this many decimals.
fn score(
    metric: &str,
    hypotheses: &[String],
    references: &[Vec<String>],
    decimals: usize,
) -> String {
    let metric: bolide::Metric = metric.parse().unwrap();
    let mut corpus = metric.corpus();
    for (hypothesis, references) in hypotheses.iter().zip(references) {
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        corpus.push(hypothesis, &references).unwrap();
    }
    format!("{:.decimals$}", corpus.score().unwrap().value)
}

fn own(metric: &str, decimals: usize) -> String {
    let references: Vec<Vec<String>> = REFERENCES.iter().map(|&r| vec![r.to_owned()]).collect();
    score(metric, &owned(&HYPOTHESES), &references, decimals)
}

/// The findings of a table of numbers.
fn audit(rows: &[(&str, &str)]) -> (Vec<Value>, i32) {
    let table: String = rows.iter().map(|(metric, score)| format!("{metric}\t{score}\n")).collect();
    let folder = folder().with("numbers.tsv", format!("metric\tscore\n{table}"));
    let ran =
        folder.bolide(&["audit", "numbers.tsv", "-i", "h.txt", "-r", "r.txt", "-f", "json", "-q"]);
    (findings(&ran), ran.code())
}

fn findings(ran: &Ran) -> Vec<Value> {
    let document: Value = serde_json::from_str(ran.stdout()).unwrap();
    document["findings"].as_array().unwrap().clone()
}

#[test]
fn each_number_gets_the_dialect_that_gives_it() {
    let (bleu, lower) = (own("bleu", 4), own("bleu|case:lc|tok:intl", 6));
    let (meteor, rouge) = (own("meteor:nltk", 6), own("rougeL", 5));
    let rows = [("BLEU", &*bleu), ("bleu", &lower), ("METEOR", &meteor), ("eval_rougeL", &rouge)];
    let (findings, code) = audit(&rows);
    assert_eq!(code, 0, "{findings:?}");
    let metrics: Vec<&str> = findings.iter().map(|f| f["metric"].as_str().unwrap()).collect();
    assert_eq!(metrics[0], "bleu:sacrebleu");
    assert!(["bleu:sacrebleu|case:lc|tok:intl"].contains(&metrics[1]), "{metrics:?}");
    assert_eq!(metrics[2..], ["meteor:nltk", "rougeL:google"]);
    for (finding, (_, number)) in findings.iter().zip(rows) {
        assert_eq!(
            (&finding["finding"], &finding["number"]),
            (&"explained".into(), &number.into())
        );
        assert!(finding["signature"].as_str().unwrap().contains("|nrefs:1|"), "{finding}");
        let digits: f64 = number.parse().unwrap();
        assert!((finding["value"].as_f64().unwrap() - digits).abs() < 1e-4, "{finding}");
    }
}

#[test]
fn numbers_that_nothing_gives_and_impossible_ones_fail() {
    let (found, code) = audit(&[("bleu", "12.345678"), ("chrF", "123.4"), ("TER", "-3")]);
    let names: Vec<&str> = found.iter().map(|f| f["finding"].as_str().unwrap()).collect();
    assert_eq!((names, code), (vec!["not explained", "impossible", "impossible"], 1));
    assert_eq!(found[0]["metric"].as_str().unwrap().split(':').next(), Some("bleu"));
    assert_eq!(found[1]["evidence"], "chrF is at most 100");
    assert_eq!(found[2]["evidence"], "TER is at least 0");
    assert!(found.iter().all(|finding| finding["explained"] == false));
}

#[test]
fn a_metric_that_is_not_here_is_not_explained_by_another() {
    let bleu = own("bleu", 2);
    let rows =
        [("COMET-22", &*bleu), ("bertscore_f1", &bleu), ("WER (%)", &bleu), ("power", &bleu)];
    let (found, code) = audit(&rows);
    let names: Vec<&str> = found.iter().map(|f| f["finding"].as_str().unwrap()).collect();
    assert_eq!((names, code), (vec!["not here", "not here", "not here", "explained"], 1));
    let why = found[0]["evidence"].as_str().unwrap();
    assert!(why.starts_with("COMET is not here, because it asks a neural network"), "{why}");
    assert!(found[..3].iter().all(|f| f["explained"] == false && f["metric"].is_null()));
}

#[test]
fn changed_texts_are_noticed() {
    let references = |change: &dyn Fn(&str) -> String| -> Vec<Vec<String>> {
        REFERENCES.iter().map(|&reference| vec![change(reference)]).collect()
    };
    let same = references(&|text| text.to_owned());
    let hypotheses = owned(&HYPOTHESES);
    let lower: Vec<String> = HYPOTHESES.iter().map(|text| text.to_lowercase()).collect();
    let first: Vec<String> = HYPOTHESES
        .iter()
        .map(|text| text.split_inclusive(". ").next().unwrap().trim_end().to_owned())
        .collect();
    let exchanged: Vec<Vec<String>> = hypotheses.iter().map(|text| vec![text.clone()]).collect();
    let streams = vec![owned(&REFERENCES)];
    let cases = [
        (score("chrf", &lower, &same, 6), "hypotheses lower-cased, references not"),
        (score("chrf", &first, &same, 6), "only the first sentence of each hypothesis"),
        (score("chrf", &owned(&REFERENCES), &exchanged, 6), "hypotheses and references exchanged"),
        (score("chrf", &hypotheses[..1], &streams, 6), "references transposed"),
    ];
    let rows: Vec<(&str, &str)> = cases.iter().map(|(number, _)| ("chrf", &**number)).collect();
    let (found, code) = audit(&rows);
    assert_eq!(code, 0);
    for (finding, (_, what)) in found.iter().zip(&cases) {
        assert_eq!(finding["finding"], "changed texts", "{finding}");
        assert!(finding["evidence"].as_str().unwrap().starts_with(what), "{finding}");
    }
}

#[test]
fn another_metric_and_two_scales_are_noticed() {
    let ter = own("ter", 6);
    let fraction = format!("{:.6}", own("chrf", 8).parse::<f64>().unwrap() / 100.0);
    let table = format!("metric,score\nchrF,{}\nchrF,{fraction}\nmeteor,{ter}\n", own("chrf", 4));
    let folder = folder().with("numbers.csv", table);
    let ran = folder.bolide(&["audit", "numbers.csv", "-i", "h.txt", "-r", "r.txt"]);
    assert_eq!(ran.code(), 1, "{}", ran.stdout());
    assert_eq!(
        ran.stderr(),
        "bolide: some numbers of chrF are in percent, others are fractions of 1\n"
    );
    let lines: Vec<&str> = ran.stdout().lines().collect();
    assert!(lines[2].contains("as a fraction of 1, rounded to 6 decimals"), "{}", ran.stdout());
    assert!(lines[3].contains("other metric") && lines[3].contains("ter:sacrebleu"));
    assert!(ran.stdout().contains("\nchrf:sacrebleu|nrefs:1|case:mixed|"), "{}", ran.stdout());
}

#[test]
fn results_in_json_and_several_systems() {
    let results = format!(
        "{{\"results\": {{\"task\": {{\"bleu,none\": {}, \"bleu_stderr,none\": 1.5}}}}}}",
        own("bleu", 10)
    );
    let signed = format!(
        "{{\"name\": \"BLEU\", \"score\": {}, \"signature\": \"nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0\"}}",
        own("bleu|case:lc|tok:intl", 1)
    );
    let table = format!("what,score,system\nbleu,{},h\nbleu,100,r\n", own("bleu", 2));
    let folder = folder().with("a.json", results).with("b.json", signed).with("c.csv", table);
    let texts = ["-i", "h.txt", "-r", "r.txt", "-f", "json", "-q"];
    let run = |file: &str| findings(&folder.bolide(&[&["audit", file], &texts[..]].concat()));
    let [bleu] = &run("a.json")[..] else { panic!("one number") };
    assert_eq!(
        (&bleu["reported"], &bleu["metric"]),
        (&"results task bleu,none".into(), &"bleu:sacrebleu".into())
    );
    let [bleu] = &run("b.json")[..] else { panic!("one number") };
    assert!(bleu["metric"].as_str().unwrap().contains("|tok:intl|"), "{bleu}");
    let systems =
        ["audit", "c.csv", "-i", "h.txt", "r.txt", "-r", "r.txt", "--metric-column", "what"];
    let ran = folder.bolide(&[&systems[..], &["--system-column", "system", "-f", "json"]].concat());
    let found = findings(&ran);
    assert!(found.iter().all(|finding| finding["finding"] == "explained"), "{found:?}");
    let message = folder.bolide(&systems).fails(2).to_owned();
    assert!(message.contains("--system-column"), "{message}");
}

#[test]
fn a_column_of_segment_scores_is_explained_as_a_whole() {
    let metric: bolide::Metric = "meteor|alpha:0.8".parse().unwrap();
    let mut table = String::from("output\treference\tmeteor\tbroken\n");
    for (idx, (hypothesis, reference)) in HYPOTHESES.iter().zip(REFERENCES).enumerate() {
        let score = metric.score(hypothesis, &[reference]).unwrap().value;
        let broken = if idx == 2 { 0.123 } else { score };
        table += &format!("{hypothesis}\t{reference}\t{score:.4}\t{broken:.4}\n");
    }
    let folder = Folder::new().with("t.tsv", table);
    let columns = ["--hypothesis-column", "output", "--reference-column", "reference"];
    let run = |more: &[&str]| {
        folder.bolide(&[&["audit", "t.tsv"], &columns[..], &["-f", "json"], more].concat())
    };
    let ran = run(&["--score-column", "meteor", "broken"]);
    assert_eq!(ran.code(), 1);
    let found = findings(&ran);
    assert_eq!(found[0]["metric"], "meteor:classic|alpha:0.8");
    assert_eq!(found[0]["finding"], "explained");
    assert_eq!(found[1]["finding"], "partly explained");
    assert_eq!(found[1]["evidence"], "3 of 4 numbers; not t.tsv: line 4");
    assert_eq!(run(&["--score-column", "meteor"]).code(), 0);
}

/// Each finding with the start of its evidence.
fn verdicts(found: &[Value]) -> Vec<(&str, &str)> {
    found
        .iter()
        .map(|finding| {
            let evidence = finding["evidence"].as_str().unwrap();
            let start = evidence.split([';', ',']).next().unwrap();
            (finding["finding"].as_str().unwrap(), start)
        })
        .collect()
}

#[test]
fn a_number_under_the_wrong_label_is_of_another_metric() {
    let (rouge1, unigrams) = (own("rouge1", 6), own("bleu|order:1", 6));
    let wrong = [
        ("ROUGE-L", &*own("rouge2", 6), "ROUGE-2"),
        ("rouge2", &rouge1, "ROUGE-1"),
        ("BLEU-4", &unigrams, "BLEU-1"),
        ("BLEU-2", &own("bleu:unigram", 6), "BLEU-1"),
        ("chrF", &own("chrf++", 6), "chrF2++"),
        ("chrF++", &own("chrf", 6), "chrF2"),
    ];
    let (found, code) = audit(&wrong.map(|(label, number, _)| (label, number)));
    assert_eq!(code, 1);
    assert_eq!(verdicts(&found), wrong.map(|(.., title)| ("other metric", title)));
    let right = [
        ("ROUGE-1", &*rouge1),
        ("ROUGE", &rouge1),
        ("BLEU-1", &unigrams),
        ("BLEU", &unigrams),
        ("BLEU-1", &own("bleu:coco|order:1", 6)),
        ("Bleu_4", &own("bleu:coco", 6)),
        ("chrf_score", &own("chrf:nltk", 6)),
        ("chrF++", &own("chrf++", 6)),
    ];
    let (found, code) = audit(&right);
    assert_eq!(code, 0, "{found:?}");
    assert!(found.iter().all(|finding| finding["finding"] == "explained"), "{found:?}");
}

#[test]
fn a_column_under_the_wrong_label_is_of_another_metric() {
    let metric: bolide::Metric = "rouge1".parse().unwrap();
    let mut table = String::from("output\treference\trouge2\n");
    for (hypothesis, reference) in HYPOTHESES.iter().zip(REFERENCES) {
        let score = metric.score(hypothesis, &[reference]).unwrap().value;
        table += &format!("{hypothesis}\t{reference}\t{score:.6}\n");
    }
    let folder = Folder::new().with("t.tsv", table);
    let columns = ["--hypothesis-column", "output", "--reference-column", "reference"];
    let options = ["--score-column", "rouge2", "-f", "json"];
    let ran = folder.bolide(&[&["audit", "t.tsv"], &columns[..], &options].concat());
    assert_eq!(ran.code(), 1);
    assert_eq!(verdicts(&findings(&ran)), [("other metric", "ROUGE-1")]);
}

/// A component of the score of the corpus, with six decimals.
fn component(metric: &str, name: &str) -> String {
    let metric: bolide::Metric = metric.parse().unwrap();
    let mut corpus = metric.corpus();
    for (hypothesis, reference) in HYPOTHESES.iter().zip(REFERENCES) {
        corpus.push(hypothesis, &[reference]).unwrap();
    }
    format!("{:.6}", corpus.score().unwrap().components.get(name).unwrap().as_f64())
}

#[test]
fn a_component_is_found_before_another_metric() {
    let precision = component("meteor", "precision");
    let rows = [
        ("METEOR precision", &*precision),
        ("METEOR", &precision),
        ("BLEU-1", &component("bleu", "precision1")),
        ("rougeL_recall", &component("rougeL", "recall")),
        ("METEOR precision", &own("meteor", 6)),
    ];
    assert_eq!(audit(&rows[..1]).1, 0);
    assert_eq!(audit(&rows[1..2]).1, 1);
    let (found, _) = audit(&rows);
    let expected = [
        ("explained", "precision"),
        ("component", "precision"),
        ("component", "precision1"),
        ("explained", "recall"),
        ("other metric", "METEOR"),
    ];
    assert_eq!(verdicts(&found), expected);
    assert_eq!(
        (&found[0]["what"], &found[0]["metric"]),
        (&"precision".into(), &"meteor:classic".into())
    );
    assert!(found.iter().all(|finding| finding["explained"] == true));
}

#[test]
fn a_number_that_was_rounded_twice_is_not_of_changed_texts() {
    // chrF++ is 81.7456, which prints as 81.75; 81.8 is also near the score of texts that are tokenised twice.
    let folder = Folder::new()
        .with("a.txt", include_str!("../../../../examples/system-a.txt"))
        .with("r.txt", include_str!("../../../../examples/reference.txt"))
        .with("n.csv", "metric,score\nchrF++,81.8\n");
    let ran = folder.bolide(&["audit", "n.csv", "-i", "a.txt", "-r", "r.txt", "-f", "json"]);
    let found = findings(&ran);
    assert_eq!(found[0]["finding"], "explained", "{found:?}");
    assert_eq!(found[0]["evidence"], "rounded to 2 decimals, then to 1");
}

#[test]
fn a_system_is_looked_up_among_one_too() {
    let table = format!("metric,score,system\nbleu,{0},h\nbleu,{0},other\n", own("bleu", 2));
    let folder = folder().with("s.csv", table);
    let run = |more: &[&str]| {
        folder.bolide(&[&["audit", "s.csv", "-i", "h.txt", "-r", "r.txt"], more].concat())
    };
    let message = "s.csv: line 3: there is no system 'other' among the inputs: h";
    assert_eq!(run(&["--system-column", "system"]).fails(1), message);
    assert_eq!(run(&[]).code(), 0);
}

#[test]
fn own_results_say_which_system_and_metric_a_number_is_for() {
    let mut folder = folder().with("b.txt", "Small stones burn.\nNone.\nTen in an hour!\nA few.\n");
    let texts = ["-i", "h.txt", "b.txt", "-r", "r.txt"];
    let metrics = ["-m", "meteor:nltk", "rougeL", "bleu:coco|order:2", "-f", "json", "-q"];
    for command in ["score", "compare"] {
        let ran = folder.bolide(&[&[command], &texts[..], &metrics].concat());
        folder = folder.with("own.json", ran.stdout());
        let run =
            |more: &[&str]| folder.bolide(&[&["audit", "own.json", "-r", "r.txt"], more].concat());
        for more in [&[][..], &["--system-column", "system"]] {
            let found = findings(&run(&[&texts[..3], &["-f", "json"], more].concat()));
            let told: Vec<[&str; 4]> = found
                .iter()
                .map(|f| {
                    ["system", "reported", "metric", "finding"].map(|key| f[key].as_str().unwrap())
                })
                .collect();
            let expected = ["h", "b"].map(|system| {
                [
                    [system, "meteor:nltk", "meteor:nltk", "explained"],
                    [system, "rougeL", "rougeL:google", "explained"],
                    [system, "bleu:coco|order:2", "bleu:coco|order:2", "explained"],
                ]
            });
            assert_eq!(told, expected.concat());
        }
        let message = run(&["-i", "h.txt"]).fails(1).to_owned();
        assert_eq!(message, "own.json: there is no system 'b' among the inputs: h");
        let message =
            run(&[&texts[..3], &["--system-column", "name"]].concat()).fails(2).to_owned();
        assert_eq!(message, "own.json: --system-column is 'system' for bolide's own results");
    }
}

#[test]
fn other_results_in_json_are_of_one_system() {
    let folder = folder().with("a.json", "{\"bleu\": 1}");
    let run = |more: &[&str]| folder.bolide(&[&["audit", "a.json", "-r", "r.txt"], more].concat());
    let message = run(&["-i", "h.txt", "--system-column", "system"]).fails(2).to_owned();
    assert!(
        message.contains("a.json: --system-column is for tables and for bolide's own"),
        "{message}"
    );
    let message = run(&["-i", "h.txt", "r.txt"]).fails(2).to_owned();
    assert!(message.starts_with("a.json does not say which system a number is for: "), "{message}");
}

#[test]
fn mistakes() {
    let folder = folder()
        .with("n.csv", "metric,score\nbleu,x\n")
        .with("empty.csv", "metric,score\nbleu,1\nbleu,\n")
        .with("n.json", "{\"accuracy\": 1}")
        .with("bad.json", "{");
    let run = |file: &str| folder.bolide(&["audit", file, "-i", "h.txt", "-r", "r.txt"]);
    assert_eq!(run("n.csv").fails(1), "n.csv: line 2: bleu: 'x' is not a number");
    assert_eq!(run("empty.csv").fails(1), "empty.csv: line 3: bleu: '' is not a number");
    assert_eq!(run("none").fails(1), "none: no such file");
    assert!(run("h.txt").fails(2).contains("the name does not show what kind of table it is"));
    assert!(run("n.json").fails(1).starts_with("n.json: has no number whose key names a metric"));
    assert!(run("bad.json").fails(1).starts_with("bad.json: not valid JSON: "));
    assert_eq!(run("none.json").fails(1), "none.json: no such file");
    let message = folder.bolide(&["audit", "n.csv"]).fails(2).to_owned();
    assert!(message.starts_with("the texts are missing: "), "{message}");
}
