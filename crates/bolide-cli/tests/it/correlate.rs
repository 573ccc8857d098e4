//! `bolide correlate`: the engine's figures, from computed metrics and from columns, in every format.

use crate::program::Folder;
use bolide::correlation::{Coefficient, kendall_b, pearson};
use serde_json::Value;

const WORDS: [&str; 6] = ["the", "cat", "sat", "on", "a", "mat"];

/// Texts with 0 to 5 wrong words, and human scores that do not quite follow the count.
fn rows() -> Vec<(String, f64, f64)> {
    (0..24_usize)
        .map(|row| {
            let n_wrong = row * 7 % 6;
            let words = WORDS.iter().enumerate();
            let words = words.map(|(at, word)| if at < n_wrong { "wrong" } else { word });
            let human = 1.0 - n_wrong as f64 / 6.0 + (row % 4) as f64 / 10.0;
            (words.collect::<Vec<_>>().join(" "), human, (row * row % 5) as f64)
        })
        .collect()
}

fn folder() -> Folder {
    let mut tsv = String::from("pair\tsystem\toutput\treference\thuman\tother\n");
    let mut jsonl = String::new();
    for (row, (text, human, other)) in rows().iter().enumerate() {
        let (pair, system) = (["x-y", "y-x"][row / 12], ["a", "b", "c"][row % 3]);
        tsv += &format!("{pair}\t{system}\t{text}\tthe cat sat on a mat\t{human}\t{other}\n");
        jsonl += &format!("{{\"human\":{human},\"other\":{other}}}\n");
    }
    Folder::new().with("judged.tsv", tsv).with("judged.jsonl", jsonl)
}

fn run(more: &[&str]) -> String {
    let mut args = vec!["correlate", "-i", "judged.tsv", "--human-column", "human"];
    args.extend(["--hypothesis-column", "output", "--reference-column", "reference"]);
    args.extend(more);
    folder().bolide(&args).fine().to_owned()
}

fn results(printed: &str) -> Vec<Value> {
    let json: Value = serde_json::from_str(printed).unwrap();
    json["results"].as_array().unwrap().clone()
}

#[test]
fn figures_are_the_engines() {
    let scores: Vec<f64> = rows()
        .iter()
        .map(|(text, ..)| {
            bolide::score("meteor:textbook", text, &["the cat sat on a mat"]).unwrap().value
        })
        .collect();
    let human: Vec<f64> = rows().iter().map(|row| row.1).collect();
    let more = ["-m", "meteor:textbook", "ter", "--coefficient", "all", "--format", "json"];
    let printed = run(&more);
    let results = results(&printed);
    assert_eq!(results.len(), 2 * 5);
    for (result, (name, coefficient)) in results.iter().zip(Coefficient::CHOICES) {
        assert_eq!(result["coefficient"], name);
        assert_eq!(result["n"], 24);
        assert_eq!(result["level"], "segment");
        // serde_json may read a number with an error of one bit; the printed number is exact.
        let value = format!(
            "\"coefficient\":\"{name}\",\"n\":24,\"value\":{:?},",
            coefficient.of(&scores, &human)
        );
        assert!(printed.contains(&value), "{value} {printed}");
    }
    // TER counts mistakes; its sign is changed, so that agreement is positive.
    assert_eq!(results[5]["metric"], "ter");
    assert!(results[5]["value"].as_f64().unwrap() > 0.5);
}

#[test]
fn columns_with_scores_need_no_texts_and_may_be_turned_round() {
    let human: Vec<f64> = rows().iter().map(|row| row.1).collect();
    let other: Vec<f64> = rows().iter().map(|row| row.2).collect();
    for table in ["judged.tsv", "judged.jsonl"] {
        let mut args = vec!["correlate", "-i", table, "--human-column", "human"];
        args.extend(["--score-column", "other", "--coefficient", "pearson", "kendall-b"]);
        args.extend(["--format", "csv"]);
        let ran = folder().bolide(&args);
        let expected = format!(
            "level,group,metric,coefficient,n,value,low,high,threshold,p_value,rank\n\
             segment,,other,pearson,24,{:?},,,,,\nsegment,,other,kendall-b,24,{:?},,,,,\n",
            pearson(&other, &human),
            kendall_b(&other, &human)
        );
        assert_eq!(ran.fine(), expected);
        args.extend(["--lower-is-better", "other"]);
        let turned = folder().bolide(&args).fine().to_owned();
        assert!(turned.contains(&format!("{:?}", -pearson(&other, &human))), "{turned}");
    }
}

#[test]
fn groups_and_systems_have_rows_of_their_own() {
    let more = ["-m", "meteor:textbook", "chrf", "--group-column", "pair"];
    let more = [&more[..], &["--system-column", "system", "--format", "json"]].concat();
    let all = results(&run(&more));
    let place = |it: &Value| format!("{} {} {}", it["level"], it["group"], it["n"]);
    let places: Vec<String> = all.iter().map(place).collect();
    let expected = ["\"segment\" \"x-y\" 12", "\"system\" \"x-y\" 3"];
    assert_eq!(places[..4], [expected[0], expected[0], expected[1], expected[1]]);
    assert_eq!(places.len(), 8);
    let only = results(&run(&[&more[..], &["--level", "system"]].concat()));
    assert_eq!(only.len(), 4);
    assert_eq!(only[0], all[2]);
    let text = run(&["-m", "chrf", "--group-column", "pair"]);
    assert!(text.starts_with("pearson, segment level\n"), "{text}");
    assert!(text.contains("\nmean "), "{text}");
}

#[test]
fn intervals_and_tests_are_the_same_for_any_number_of_threads() {
    let more = ["-m", "meteor:textbook", "chrf", "--score-column", "other", "--coefficient", "all"];
    let more = [&more[..], &["--confidence", "--test", "-n", "100", "--format", "json"]].concat();
    let one = run(&[&more[..], &["-j", "1"]].concat());
    for threads in ["2", "7"] {
        assert_eq!(run(&[&more[..], &["-j", threads]].concat()), one);
    }
    let results = results(&one);
    for result in &results {
        let number = |name: &str| result[name].as_f64().unwrap();
        assert!(number("low") <= number("value") && number("value") <= number("high"), "{result}");
        let is_first = result["metric"] == "meteor:textbook";
        assert_eq!(result["p_value"].is_null(), is_first, "{result}");
    }
    // A column that is unrelated to the texts is significantly worse than METEOR.
    assert!(results[10]["p_value"].as_f64().unwrap() < 0.05);
}

#[test]
fn accuracies_within_items_compare_only_those() {
    let more = ["-m", "meteor:textbook", "--coefficient", "accuracy", "--format", "json"];
    let all = results(&run(&more))[0]["value"].as_f64().unwrap();
    let within = run(&[&more[..], &["--item-column", "system", "--confidence"]].concat());
    let within = results(&within)[0].clone();
    assert!(within["value"].as_f64().unwrap() > 0.0);
    assert_ne!(within["value"].as_f64(), Some(all));
}

#[test]
fn a_table_with_items_may_come_from_standard_input() {
    let (mut jsonl, mut tsv) = (String::new(), "human\tother\tsystem\n".to_owned());
    for (row, (_, human, other)) in rows().into_iter().enumerate() {
        let system = ["a", "b", "c"][row % 3];
        jsonl += &format!("{{\"human\":{human},\"other\":{other},\"system\":\"{system}\"}}\n");
        tsv += &format!("{human}\t{other}\t{system}\n");
    }
    for (format, table) in [("jsonl", jsonl), ("tsv", tsv)] {
        let file = format!("table.{format}");
        let folder = Folder::new().with(&file, &table);
        // One column may be both: items are usually sources, but need not be.
        let mut args = vec!["--human-column", "human", "--score-column", "other"];
        args.extend(["--item-column", "system", "--system-column", "system"]);
        args.extend(["--coefficient", "accuracy", "pearson", "--confidence", "-n", "100"]);
        let from_file = folder.bolide(&[&["correlate", "-i", &file], &args[..]].concat());
        assert!(from_file.fine().contains("system level"), "{}", from_file.stdout());
        let from_stdin = ["correlate", "-i", "-", "--input-format", format];
        let ran = folder.bolide_with(&[&from_stdin, &args[..]].concat(), table.as_bytes());
        assert_eq!(ran.fine(), from_file.stdout());
    }
}

#[test]
fn every_format_has_the_figure() {
    let figure = "0.92";
    for format in ["text", "markdown", "latex", "csv", "json"] {
        let printed = run(&["-m", "meteor:textbook", "--format", format, "-w", "3"]);
        assert!(printed.contains(figure), "{printed}");
    }
}

#[track_caller]
fn check(folder: Folder, args: &[&str], code: i32, message: &str) {
    let all = [&["correlate", "-i", "t.tsv", "--human-column", "human"], args].concat();
    assert_eq!(folder.bolide(&all).fails(code), message);
}

#[test]
fn mistakes_name_the_line_and_the_value() {
    let table = |text: &str| Folder::new().with("t.tsv", text);
    let good = "human\tx\n1\t2\n2\t3\n";
    let x = ["--score-column", "x"];
    let message = "t.tsv: line 3: column 'human': 'good' is not a number";
    check(table("human\tx\n1\t2\ngood\t3\n"), &x, 1, message);
    let message = "t.tsv: line 2: column 'x': 'inf' is not a number";
    check(table("human\tx\n1\tinf\n"), &x, 1, message);
    let message = "t.tsv: there is no column 'y': the columns are human, x";
    check(table(good), &["--score-column", "y"], 1, message);
    let message = "t.tsv: line 2: column 'human' is empty, expected a number \
                   (--skip-empty leaves such rows out)";
    check(table("human\tx\n\t2\n1\t2\n"), &x, 1, message);
    let message = "nothing to correlate: give metrics with -m or columns with --score-column";
    check(table(good), &[], 2, message);
    let message = "to compute metrics, give --hypothesis-column and --reference-column";
    check(table(good), &["-m", "chrf"], 2, message);
    check(
        table(good),
        &[&x[..], &["--level", "system"]].concat(),
        2,
        "system level needs --system-column",
    );
    let skipped = table("human\tx\n\t9\n1\t1\n2\t2\n3\t4\n");
    let mut args = vec!["correlate", "-i", "t.tsv", "--human-column", "human", "--skip-empty"];
    args.extend(["--score-column", "x", "--format", "csv"]);
    assert!(skipped.bolide(&args).fine().contains("pearson,3,"));
}

#[test]
fn soft_accuracy_pairs_the_texts_of_systems_by_item() {
    let score = |system: usize, item: usize| {
        ((system * 31 + item * 17) % 23) as f64 / 10.0 + system as f64 / 4.0
    };
    let other = |system: usize, item: usize| ((system * 7 + item * 5) % 11) as f64;
    let mut table = String::from("system\titem\thuman\tdouble\tturned\tother\n");
    // Each system has its items in a different order; the last system lacks the last item.
    for system in 0..4 {
        for place in 0..30 {
            let item = (place * 7 + system) % 30;
            let (human, other) = (score(system, item), other(system, item));
            if (system, item) != (3, 29) {
                table +=
                    &format!("s{system}\ti{item}\t{human}\t{}\t{}\t{other}\n", 2.0 * human, -human);
            }
        }
    }
    let folder = Folder::new().with("judged.tsv", table);
    let mut args =
        vec!["correlate", "-i", "judged.tsv", "--human-column", "human", "--format", "json"];
    args.extend(["--score-column", "double", "turned", "other", "--lower-is-better", "turned"]);
    args.extend(["--system-column", "system", "--coefficient", "soft-accuracy"]);
    let refused = folder.bolide(&args);
    assert!(refused.fails(2).contains("it needs --system-column and --item-column"));
    args.extend(["--item-column", "item"]);
    let results = results(folder.bolide(&args).fine());
    let values: Vec<f64> = results.iter().map(|it| it["value"].as_f64().unwrap()).collect();
    let lists = |of: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
        // In the order of the first system's rows.
        let items: Vec<usize> =
            (0..30).map(|place| place * 7 % 30).filter(|&item| item != 29).collect();
        (0..4).map(|system| items.iter().map(|&item| of(system, item)).collect()).collect()
    };
    let (human, other) = (lists(&score), lists(&other));
    let [human, other] =
        [&human, &other].map(|lists| lists.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let expected = bolide::correlation::soft::accuracy(&other, &human, 1000, 12345);
    assert_eq!(values, [1.0, 1.0, expected]);
    assert!(expected > 0.1 && expected < 0.9, "{expected}");
}

/// Three systems with ten items each; the first metric follows people, the second follows nothing.
fn referee() -> Folder {
    let mut table = String::from("system\titem\thuman\tgood\tbad\n");
    for item in 0..10_usize {
        for system in 0..3_usize {
            let noise = (item * 7 + system * 5) % 4;
            let human = system * 4 + item + noise;
            let (good, bad) = (human * 2 + noise % 2, (item * item + system * 3) % 7);
            table += &format!("s{system}\ti{item}\t{human}\t{good}\t{bad}\n");
        }
    }
    Folder::new().with("judged.tsv", table)
}

fn referees(more: &[&str]) -> crate::program::Ran {
    let mut args = vec!["correlate", "-i", "judged.tsv", "--human-column", "human"];
    args.extend(["--score-column", "good", "bad"]);
    referee().bolide(&[&args[..], more].concat())
}

#[test]
fn clusters_rank_metrics_and_systems() {
    let columns = ["--system-column", "system", "--item-column", "item", "--clusters"];
    for test in [&["--test"][..], &["--test", "williams"], &[]] {
        let all = [&columns[..], &["--level", "segment", "--format", "json"], test].concat();
        let ranks: Vec<Value> =
            results(referees(&all).fine()).iter().map(|it| it["rank"].clone()).collect();
        assert_eq!(ranks, [1, 2], "{test:?}");
    }
    let printed = referees(&[&columns[..], &["--level", "system", "--format", "json"]].concat());
    let json: Value = serde_json::from_str(printed.fine()).unwrap();
    let of = |by: &str| -> Vec<u64> {
        let systems = json["systems"].as_array().unwrap().iter().filter(|it| it["by"] == by);
        systems.map(|it| it["rank"].as_u64().unwrap()).collect()
    };
    assert_eq!(of("human"), [3, 2, 1]);
    assert_eq!(of("good"), [3, 2, 1]);
    assert_eq!(of("bad"), [1, 1, 1]);
    let text = referees(&[&columns[..], &["-w", "2"]].concat()).fine().to_owned();
    assert!(text.contains("\nsystems\n"), "{text}");
    assert!(text.contains("\n(1) rank cluster: p ≤ 0.05 one-sided, 1000 permutations"), "{text}");
}

#[test]
fn an_average_over_items_or_systems_is_the_mean_of_their_figures() {
    let columns = ["--system-column", "system", "--item-column", "item", "--level", "segment"];
    let value = |more: &[&str]| {
        let all = [&columns[..], more, &["--format", "json"]].concat();
        results(referees(&all).fine())[0]["value"].as_f64().unwrap()
    };
    for coefficient in ["pearson", "spearman", "kendall-b", "kendall-c"] {
        for (by, column) in [("item", "item"), ("system", "system")] {
            let averaged = value(&["--coefficient", coefficient, "--average", by]);
            let grouped = ["--coefficient", coefficient, "--group-column", column];
            let all = [&columns[..], &grouped, &["--format", "json"]].concat();
            let parts: Vec<f64> = results(referees(&all).fine())
                .iter()
                .filter(|it| it["metric"] == "good")
                .filter_map(|it| it["value"].as_f64())
                .collect();
            let mean = parts.iter().sum::<f64>() / parts.len() as f64;
            assert!((averaged - mean).abs() < 1e-14, "{coefficient} {by}: {averaged} {mean}");
        }
    }
    let by_item = value(&["--coefficient", "accuracy"]);
    assert_eq!(by_item, value(&["--coefficient", "accuracy", "--average", "item"]));
    assert_ne!(by_item, value(&["--coefficient", "accuracy", "--average", "none"]));
    let interval = [&columns[..], &["--average", "system", "--confidence", "--test"]].concat();
    assert!(referees(&interval).fine().contains("mean over the systems"));
}

#[test]
fn williams_test_and_pce_are_the_engines() {
    let p = |more: &[&str]| {
        let all = [&["--format", "json", "--test", "williams"], more].concat();
        results(referees(&all).fine())[1]["p_value"].as_f64().unwrap()
    };
    let (two, one) = (p(&[]), p(&["--one-sided"]));
    assert_eq!(two, 2.0 * one);
    assert!(one > 0.0 && one < 0.001, "{one}");
    let columns = ["--system-column", "system", "--item-column", "item", "--level", "system"];
    let soft = ["--coefficient", "soft-accuracy", "pce", "--format", "json"];
    let values: Vec<f64> = results(referees(&[&columns[..], &soft].concat()).fine())
        .iter()
        .map(|it| it["value"].as_f64().unwrap())
        .collect();
    assert_eq!(values[1], 1.0 - values[0]);
    assert_eq!(values[3], 1.0 - values[2]);
    assert!(values[0] > 0.95 && values[2] < 0.8, "{values:?}");
}

#[test]
fn what_does_not_fit_together_is_refused() {
    for (args, message) in [
        (&["--average", "item"][..], "--average item needs --item-column"),
        (&["--average", "system"], "--average system needs --system-column"),
        (
            &["--coefficient", "pce"],
            "pce compares systems: it needs --system-column and --item-column",
        ),
        (
            &["--test", "williams", "--coefficient", "accuracy"],
            "Williams' test compares correlations over all texts, neither accuracies nor averages",
        ),
    ] {
        assert_eq!(referees(args).fails(2), message);
    }
}
