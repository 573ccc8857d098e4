//! `bolide report`: the page has the same numbers as the other commands, and no text can become code.

use crate::program::Folder;
use serde_json::Value;
use std::io::Read;

const REFERENCES: &str = "the cat sat on the mat\nrain falls gently from the sky\n\
    she reads a book in the garden\nthe train to the coast leaves at noon\n\
    nobody knows where the keys are\nwe had bread and cheese for lunch\n";
const FIRST: &str = "the cat sat on a mat\nrain falls from the sky\n\
    she is reading a book in a garden\nthe train leaves at noon to the coast\n\
    no one knows where the keys are\nwe had bread and cheese for lunch\n";
const SECOND: &str = "cat mat\nthe sky rains\na garden book\nnoon train\nkeys are where\nlunch\n";

fn folder() -> Folder {
    Folder::new()
        .with("ref.txt", REFERENCES)
        .with("first.txt", FIRST)
        .with("second.txt", SECOND)
        .with("third.txt", FIRST)
}

/// The report that the arguments make.
fn report(folder: &Folder, more: &[&str]) -> String {
    let args = [&["report", "-q", "-o", "out.html"], more].concat();
    assert_eq!(folder.bolide(&args).fine(), "");
    std::fs::read_to_string(folder.path("out.html")).unwrap()
}

const SYSTEMS: [&str; 6] = ["-r", "ref.txt", "-i", "first.txt", "second.txt", "third.txt"];

fn between<'a>(html: &'a str, start: &str, end: &str) -> &'a str {
    html.split_once(start).unwrap().1.split_once(end).unwrap().0
}

fn summary(html: &str) -> Value {
    serde_json::from_str(between(html, "id=\"summary\">", "</script>")).unwrap()
}

/// A compressed block of the page.
fn block(html: &str, name: &str) -> Value {
    let text = between(html, &format!("id=\"data-{name}\">"), "</script>");
    let packed = base64(text);
    let mut json = String::new();
    flate2::read::ZlibDecoder::new(&*packed).read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}

fn base64(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => panic!("{c} is no letter of base64"),
    };
    let letters: Vec<u8> = text.bytes().take_while(|&c| c != b'=').map(value).collect();
    let mut bytes = Vec::new();
    for four in letters.chunks(4) {
        let word =
            four.iter().enumerate().fold(0u32, |sum, (at, &x)| sum | u32::from(x) << (18 - 6 * at));
        bytes.extend(&word.to_be_bytes()[1..four.len()]);
    }
    bytes
}

#[test]
fn the_leaderboard_has_the_numbers_of_compare() {
    let folder = folder();
    let metrics = ["-m", "bleu", "meteor", "-n", "100", "--seed", "7", "--correct", "holm"];
    let page = summary(&report(&folder, &[&SYSTEMS[..], &metrics].concat()));
    assert_eq!(page["systems"], serde_json::json!(["first", "second", "third"]));
    assert_eq!(page["segments"], 6);
    // Each system is the baseline in turn.
    for (baseline, files) in [
        (0, ["first.txt", "second.txt", "third.txt"]),
        (1, ["second.txt", "first.txt", "third.txt"]),
    ] {
        let mut args = vec!["compare", "-q", "-r", "ref.txt", "--format", "json", "-i"];
        args.extend(files);
        args.extend(metrics);
        let compared: Value = serde_json::from_str(folder.bolide(&args).fine()).unwrap();
        for (idx, result) in compared["results"].as_array().unwrap().iter().enumerate() {
            let file = files[idx / 2].trim_end_matches(".txt");
            let system = ["first", "second", "third"].iter().position(|s| *s == file).unwrap();
            let standing = &page["standings"][idx % 2][system];
            for name in ["score", "mean", "half_width"] {
                assert_eq!(standing[name], result[name], "{file} {name}");
            }
            assert_eq!(standing["p_values"][baseline], result["p_value"], "{file}");
            assert_eq!(page["metrics"][idx % 2]["signature"], result["signature"]);
        }
    }
}

#[test]
fn segments_have_the_scores_of_score() {
    let folder = folder();
    let html = report(&folder, &[&SYSTEMS[..], &["-m", "meteor", "chrf", "-n", "5"]].concat());
    let columns = block(&html, "columns");
    let args = [
        &["score", "-q", "--segments", "--format", "json"],
        &SYSTEMS[..],
        &["-m", "meteor", "chrf"],
    ];
    let scored: Value = serde_json::from_str(folder.bolide(&args.concat()).fine()).unwrap();
    for (idx, result) in scored["results"].as_array().unwrap().iter().enumerate() {
        let (system, metric) = (idx / 2, idx % 2);
        for (at, segment) in result["segments"].as_array().unwrap().iter().enumerate() {
            assert_eq!(columns["scores"][metric][system][at], segment["score"]);
            if metric == 0 {
                let parts = &segment["components"];
                assert_eq!(columns["precision"][system][at], parts["precision"]);
                assert_eq!(columns["recall"][system][at], parts["recall"]);
            }
        }
    }
    let texts = block(&html, "texts");
    assert_eq!(texts["hypotheses"][1][1], "the sky rains");
    assert_eq!(texts["references"][5], serde_json::json!(["we had bread and cheese for lunch"]));
    assert_eq!(texts["source"], Value::Null);
}

#[test]
fn metrics_without_an_alignment_get_that_of_the_default() {
    let page = summary(&report(&folder(), &[&SYSTEMS[..], &["-m", "ter", "-n", "5"]].concat()));
    assert_eq!(page["metrics"].as_array().unwrap().len(), 1);
    assert_eq!(page["metrics"][0]["lower_is_better"], true);
    assert!(page["aligner"]["signature"].as_str().unwrap().starts_with("meteor:classic|"));
    let chosen = ["-m", "bleu", "meteor:nltk", "-n", "5"];
    let page = summary(&report(&folder(), &[&SYSTEMS[..], &chosen].concat()));
    assert_eq!(page["aligner"]["name"], "meteor:nltk");
}

#[test]
fn buckets_hold_corpus_scores_of_their_segments() {
    let folder = folder().with("kind.txt", "a\nb\na\nb\na\na\n");
    let html = report(
        &folder,
        &[&SYSTEMS[..], &["-m", "bleu", "--bucket", "kind.txt", "-n", "5"]].concat(),
    );
    let page = summary(&html);
    let names: Vec<&str> =
        page["buckets"].as_array().unwrap().iter().map(|b| b["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Length", "References", "kind"]);
    let kind = &page["buckets"][2];
    assert_eq!(kind["labels"], serde_json::json!(["a", "b"]));
    assert_eq!(kind["counts"], serde_json::json!([4, 2]));
    assert_eq!(block(&html, "columns")["buckets"][2], serde_json::json!([0, 1, 0, 1, 0, 0]));
    assert_eq!(page["buckets"][1]["labels"], serde_json::json!(["1"]));
    // The second bucket, scored as a separate corpus.
    let pick = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        format!("{}\n{}\n", lines[1], lines[3])
    };
    let alone = Folder::new().with("ref.txt", pick(REFERENCES)).with("first.txt", pick(FIRST));
    let args = ["score", "-r", "ref.txt", "-i", "first.txt", "-m", "bleu", "--format", "json"];
    let scored: Value = serde_json::from_str(alone.bolide(&args).fine()).unwrap();
    assert_eq!(kind["scores"][0][1][0], scored["results"][0]["score"]);
}

#[test]
fn words_and_ngrams_are_counted() {
    let folder = Folder::new()
        .with("ref.txt", "the cat sat on the mat\n")
        .with("a.txt", "the cat sat\n")
        .with("b.txt", "a dog sat on the mat\n");
    let args = ["-r", "ref.txt", "-i", "a.txt", "b.txt", "-m", "meteor:textbook", "-n", "5"];
    let words = block(&report(&folder, &args), "words");
    let count = |table: &str, list: &str, word: &str, system: usize| {
        let words_of = words[table]["words"].as_array().unwrap();
        let at = words_of.iter().position(|w| w == word).unwrap();
        words[table][list][at][system].as_u64().unwrap()
    };
    assert_eq!([0, 1].map(|s| count("missing", "lone", "the", s)), [1, 1]);
    assert_eq!([0, 1].map(|s| count("missing", "all", "the", s)), [2, 2]);
    assert_eq!([0, 1].map(|s| count("missing", "lone", "mat", s)), [1, 0]);
    assert_eq!([0, 1].map(|s| count("extra", "lone", "dog", s)), [0, 1]);
    let pairs = &words["ngrams"][1];
    let at = |ngram: &str| pairs["ngrams"].as_array().unwrap().iter().position(|x| x == ngram);
    assert_eq!(pairs["right"][at("the cat").unwrap()], serde_json::json!([1, 0]));
    assert_eq!(pairs["right"][at("on the").unwrap()], serde_json::json!([0, 1]));
    assert_eq!(pairs["wrong"][at("a dog").unwrap()], serde_json::json!([0, 1]));
    // Both have "sat", so it is in no list.
    assert!(words["ngrams"][0]["ngrams"].as_array().unwrap().iter().all(|x| x != "sat"));
}

#[test]
fn human_scores_from_files_tables_and_columns_are_the_same() {
    let folder = folder()
        .with("one.human", "1\n2\n\n4\n5.5\n-6\n")
        .with("two.human", "6\n5\n4\n3\n2\n1\n")
        .with("human.tsv", "first\tsecond\n1\t6\n2\t5\n\t4\n4\t3\n5.5\t2\n-6\t1\n");
    let (lines, table) = (["--human", "one.human", "two.human"], ["--human", "human.tsv"]);
    let two = ["-r", "ref.txt", "-i", "first.txt", "second.txt", "-n", "5"];
    let by_lines = report(&folder, &[&two[..], &lines].concat());
    assert_eq!(by_lines, report(&folder, &[&two[..], &table].concat()));
    let human = &block(&by_lines, "columns")["human"];
    assert_eq!(human[0], serde_json::json!([1.0, 2.0, null, 4.0, 5.5, -6.0]));
    let agreement = &summary(&by_lines)["human"];
    assert_eq!(agreement["judged"], serde_json::json!([5, 6]));
    assert_eq!(agreement["means"][0], (1.0 + 2.0 + 4.0 + 5.5 - 6.0) / 5.0);
    // The figures are the engine's.
    let columns = block(&by_lines, "columns");
    let scores: Vec<f64> =
        columns["scores"][0][1].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let judged = [6.0, 5.0, 4.0, 3.0, 2.0, 1.0];
    let figures = &agreement["correlations"][0]["systems"][1];
    assert_eq!(figures["pearson"], bolide::correlation::pearson(&scores, &judged));
    assert_eq!(figures["spearman"], bolide::correlation::spearman(&scores, &judged));
    assert_eq!(figures["kendall"], bolide::correlation::kendall_b(&scores, &judged));
    // Everything in one table, in each format; JSON has numbers and null.
    let rows: Vec<[&str; 3]> = (REFERENCES.lines().zip(FIRST.lines()).zip(SECOND.lines()))
        .map(|((reference, first), second)| [reference, first, second])
        .collect();
    let ones = ["1", "2", "", "4", "5.5", "-6"];
    let mut tsv = "ref\tfirst\tsecond\th1\th2\tsrc\tkind\n".to_owned();
    let mut jsonl = String::new();
    for (at, [reference, first, second]) in rows.iter().enumerate() {
        let (one, two) = (ones[at], 6 - at);
        tsv += &format!("{reference}\t{first}\t{second}\t{one}\t{two}\tquelle {at}\tk{}\n", at % 2);
        let one = if one.is_empty() { "null" } else { one };
        jsonl += &format!(
            "{{\"ref\":\"{reference}\",\"first\":\"{first}\",\"second\":\"{second}\",\"h1\":{one},\
             \"h2\":{two},\"src\":\"quelle {at}\",\"kind\":\"k{}\"}}\n",
            at % 2
        );
    }
    let folder = folder
        .with("all.tsv", &tsv)
        .with("all.jsonl", jsonl)
        .with("all.csv", tsv.replace('\t', ","));
    let of = |file: &str| {
        let columns = ["--hypothesis-column", "first", "second", "--reference-column", "ref"];
        let beside = ["--human", "h1", "h2", "--source", "src", "--bucket", "kind", "-n", "5"];
        report(&folder, &[&["-i", file][..], &columns, &beside].concat())
    };
    let html = of("all.tsv");
    assert_eq!(&block(&html, "columns")["human"], human);
    assert_eq!(block(&html, "texts")["source"][3], "quelle 3");
    assert_eq!(summary(&html)["buckets"][2]["labels"], serde_json::json!(["k0", "k1"]));
    assert_eq!(html, of("all.csv"));
    assert_eq!(html, of("all.jsonl"));
}

#[test]
fn hostile_text_stays_data() {
    let hostile = "</script><script>alert(1)</script> <!-- \u{2028} \" ' & \u{202e}evil 🙂 مرحبا\n";
    let folder = Folder::new().with("ref.txt", hostile).with("a<b.txt", hostile);
    let title = "</title></script><script>alert(2)</script>";
    let args = ["-r", "ref.txt", "-i", "a<b.txt", "--source", "ref.txt", "--bucket", "ref.txt"];
    let html = report(&folder, &[&args[..], &["--title", title, "-n", "5"]].concat());
    assert!(!html.contains("<script>alert"), "text stands in the page as it is");
    let page = summary(&html);
    assert_eq!(page["title"], title);
    assert_eq!(page["systems"][0], "a<b");
    assert_eq!(block(&html, "texts")["references"][0][0], hostile.trim_end_matches('\n'));
    // One script that runs, one with JSON, four compressed blocks.
    assert_eq!(html.matches("<script").count(), 6);
    assert_eq!(html.matches("</script").count(), 6);
}

#[test]
fn the_page_stands_alone() {
    let html = report(&folder(), &[&SYSTEMS[..], &["-n", "5"]].concat());
    let policy = between(&html, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    for outside in [" src=", "@import", "url(", "fetch(", "XMLHttpRequest", "innerHTML", "eval("] {
        assert!(!html.contains(outside), "{outside}");
    }
    assert!(!html.replace("http://www.w3.org/2000/svg", "").contains("http://"));
    assert!(!html.contains("https://"));
    assert!(html.contains("function drawLinks("), "the drawing of the calculator is in it");
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let folder = folder();
    let with = |threads| report(&folder, &[&SYSTEMS[..], &["-n", "20", "-j", threads]].concat());
    assert_eq!(with("1"), with("3"));
}

#[test]
fn one_system_is_a_report_too() {
    let html = report(&folder(), &["-r", "ref.txt", "-i", "first.txt", "-n", "5"]);
    assert_eq!(summary(&html)["standings"][0][0]["p_values"], serde_json::json!([null]));
}

#[test]
fn mistakes_are_told_by_file_line_and_value_and_leave_nothing() {
    let folder = folder()
        .with("bad.human", "1\n2\nthree\n4\n5\n6\n")
        .with("nan.human", "1\n2\nnan\n4\n5\n6\n")
        .with("short.human", "1\n2\n")
        .with("human.tsv", "first\tsecond\n1\t2\n1\tx\n1\t2\n1\t2\n1\t2\n1\t2\n")
        .with("all.csv", "ref,hyp,h\n\"two\nlines\",x,1\nb,y,?\n")
        .with(
            "all.jsonl",
            "{\"ref\":\"a\",\"hyp\":\"b\",\"h\":1}\n{\"ref\":\"a\",\"hyp\":\"b\",\"h\":\"?\"}\n",
        );
    let before = folder.files();
    let one = ["-r", "ref.txt", "-i", "first.txt"];
    let two = ["-r", "ref.txt", "-i", "first.txt", "second.txt"];
    let table = ["--hypothesis-column", "hyp", "--reference-column", "ref", "--human"];
    let csv = [&["-i", "all.csv"][..], &table].concat();
    let jsonl = [&["-i", "all.jsonl"][..], &table].concat();
    for (code, args, message) in [
        (
            1,
            [&one[..], &["--human", "bad.human"]].concat(),
            "bad.human: line 3: 'three' is not a number",
        ),
        (
            1,
            [&one[..], &["--human", "nan.human"]].concat(),
            "nan.human: line 3: 'nan' is not a number",
        ),
        (
            1,
            [&one[..], &["--human", "short.human"]].concat(),
            "the files differ in length: ref.txt has 6 segments, short.human has 2",
        ),
        (1, [&one[..], &["--source", "none.txt"]].concat(), "none.txt: no such file"),
        (
            1,
            [&two[..], &["--human", "human.tsv"]].concat(),
            "human.tsv: line 3: column 'second': 'x' is not a number",
        ),
        (
            2,
            [&two[..], &["--human", "short.human"]].concat(),
            "--human needs a file for each system (2) or one table with a column for each, got 1",
        ),
        (1, [&csv[..], &["h"]].concat(), "all.csv: line 4: column 'h': '?' is not a number"),
        (
            1,
            [&csv[..], &["g"]].concat(),
            "all.csv: there is no column 'g': the columns are ref, hyp, h",
        ),
        (
            1,
            [&jsonl[..], &["h"]].concat(),
            "all.jsonl: line 2: invalid value: string \"?\", expected a number or null for 'h' (column 28)",
        ),
        (
            1,
            [&jsonl[..], &["g"]].concat(),
            "all.jsonl: there is no column 'g': the columns are h, hyp, ref",
        ),
        (
            2,
            [&csv[..], &["h", "h"]].concat(),
            "--human needs one column for each --hypothesis-column: 1, got 2",
        ),
        (2, [&one[..], &["--level", "2"]].concat(), "--level must be from 0 to 1, got 2"),
    ] {
        let args = [&["report", "-o", "out.html"], &args[..]].concat();
        assert_eq!(folder.bolide(&args).fails(code), message, "{args:?}");
    }
    let without = folder.bolide(&["report", "-r", "ref.txt", "-i", "first.txt"]);
    assert!(without.fails(2).contains("--output"), "{}", without.stderr());
    assert_eq!(folder.files(), before);
}
