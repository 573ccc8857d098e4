//! `bolide explain`: worked examples through the binary, as a drawing and as a JSON document.

use crate::program::Folder;
use serde_json::Value;

fn explain(args: &[&str]) -> String {
    let folder = Folder::new().with("hyp.txt", "a\nthe cats\n").with("ref.txt", "b\nthe cat\n");
    folder.bolide(&[&["explain"], args].concat()).fine().to_owned()
}

fn document(args: &[&str]) -> Value {
    serde_json::from_str(&explain(&[args, &["--format", "json"]].concat())).unwrap()
}

#[test]
fn worked_examples() {
    for (metric, hypothesis, reference, score, chunks) in [
        ("meteor", "on the mat sat the cat", "the cat sat on the mat", "0.9375", 3),
        ("meteor", "the cat sat on the mat", "the cat sat on the mat", "0.9977", 1),
        ("meteor", "the cat was sat on the mat", "the cat sat on the mat", "0.9654", 2),
        ("meteor", "the cat is on the mat", "the cat sat on the mat", "0.8067", 2),
        ("meteor", "the bird flew over a house", "a bird flew over the house", "0.8519", 4),
        ("meteor|match:exact+stem", "the cats are running", "the cat is run", "0.6389", 2),
        (
            "meteor:textbook",
            "Gentle rain drops from the sky",
            "Rain falls gently from the sky",
            "0.6250",
            2,
        ),
        ("meteor:nltk", "on the mat sat the cat", "the cat sat on the mat", "0.5000", 6),
    ] {
        let document = document(&["-m", metric, hypothesis, reference]);
        assert_eq!(
            format!("{:.4}", document["score"].as_f64().unwrap()),
            score,
            "{metric} {hypothesis}"
        );
        assert_eq!(document["chunks"], chunks, "{metric} {hypothesis}");
    }
}

#[test]
fn a_text_without_spaces_gets_a_hint_on_stderr() {
    let folder = Folder::new().with("hyp.txt", "我喜欢猫\n").with("ref.txt", "我爱猫\n");
    let explained = ["explain", "我喜欢猫", "我爱猫"];
    let scored = ["score", "-i", "hyp.txt", "-r", "ref.txt"];
    let of_one = "bolide: the text has no spaces between words, and meteor:classic splits at spaces: \
                  meteor:classic|language:zh and chrf take characters\n";
    let of_many = "bolide: the texts have no spaces between words, and meteor would take each run of characters for \
                   one word: segment the texts first, or use a metric that does without (chrf, meteor|language:zh, \
                   bleu|tok:zh)\n";
    for (args, said) in [(&explained[..], of_one), (&scored, of_many)] {
        let ran = folder.bolide(args);
        assert_eq!((ran.code(), ran.stderr()), (0, said));
        for more in [&["-q"][..], &["-m", "meteor|language:zh"], &["-m", "chrf"]] {
            folder.bolide(&[args, more].concat()).fine();
        }
    }
    let ran = folder.bolide(&["explain", "кошка сидит", "кошка спит"]);
    assert_eq!(ran.code(), 0);
    assert_eq!(
        ran.stderr(),
        "bolide: the text is written in Cyrillic letters, and meteor:classic takes it for English: \
         the key 'language' names another\n"
    );
}

#[test]
fn a_metric_of_corpora_says_why_one_segment_scores_nothing() {
    let ran = Folder::new().bolide(&["explain", "-m", "cider", "a cat sat", "a cat sat"]);
    // The explanation itself says it, so no remark does.
    assert_eq!((ran.code(), ran.stderr()), (0, ""));
    let why = "score        0: CIDEr weighs n-grams over a corpus; score all its images together\n";
    assert!(ran.stdout().contains(why), "{}", ran.stdout());
}

#[test]
fn the_objective_has_a_short_form() {
    let texts = ["on the mat sat the cat", "the cat sat on the mat"];
    let crossings = explain(&[&texts[..], &["--objective", "crossings"]].concat());
    assert!(crossings.contains("|objective:crossings|"), "{crossings}");
    let named = explain(&[&texts[..], &["-m", "meteor|objective:crossings"]].concat());
    assert_eq!(crossings, named);
    let folder = Folder::new().with("a.txt", "x y\n");
    let score = ["score", "-r", "a.txt", "-i", "a.txt", "--objective", "crossings", "-m"];
    let ran = folder.bolide(&[&score[..], &["meteor", "meteor:textbook"]].concat());
    assert!(ran.fine().contains("|objective:crossings|"), "{}", ran.stdout());
    assert!(ran.stdout().contains("\nmeteor:textbook|nrefs:1|"), "{}", ran.stdout());
    let ran = folder.bolide(&[&score[..], &["meteor:textbook"]].concat());
    assert_eq!(ran.fails(2), "no metric here has a key for 'objective:crossings'");
}

#[test]
fn the_drawing_links_both_sides_and_fills_in_the_formula() {
    let drawing = explain(&["on the mat sat the cat", "the cat sat on the mat"]);
    let expected = "\
hypothesis   on the mat sat the cat
             1= 2=  3=  4=  5=  6=
             ╰───1────╯ ╰2╯ ╰──3──╯

reference    the cat sat on the mat
             5=  6=  4=  1= 2=  3=
             ╰──3──╯ ╰2╯ ╰───1────╯

= exact, · no match; brackets are chunks

matches      6 (6 exact)
chunks       3, proven to be the fewest; 11 crossings
precision    P = matches / hypothesis words = 6 / 6 = 1.0000
recall       R = matches / reference words = 6 / 6 = 1.0000
Fmean        F = P·R / (α·P + (1−α)·R) = 1.0000·1.0000 / (0.9·1.0000 + 0.1·1.0000) = 1.0000
             check: 1 / (α/R + (1−α)/P) = 1 / (0.9/1.0000 + 0.1/1.0000) = 1.0000
penalty      γ·(chunks / matches)^β = 0.5·(3 / 6)^3 = 0.0625
score        (1 − penalty)·F = (1 − 0.0625)·1.0000 = 0.9375

lost  0.0625 of 1
  0.0000  words of the hypothesis without a match
  0.0000  words of the reference without a match
  0.0625  fragmentation: breaks between chunks
          +0.0440 without the break after 'mat' (word 3)
          +0.0440 without the break after 'sat' (word 4)

meteor:classic|";
    assert!(drawing.starts_with(expected), "{drawing}");
}

#[test]
fn the_best_reference_is_explained_and_reasons_are_given() {
    let drawing = explain(&["--files", "hyp.txt", "ref.txt", "--line", "2"]);
    assert!(drawing.contains("  2~ cats ~ cat: the same stem 'cat'\n"), "{drawing}");
    let drawing = explain(&["the cats", "some dog", "the cat"]);
    assert!(drawing.contains("\nreference 2  the cat\n"), "{drawing}");
    let line = drawing.lines().find(|line| line.starts_with("references ")).unwrap();
    let chosen = drawing.lines().find(|line| line.starts_with("score ")).unwrap();
    let best = chosen.rsplit(' ').next().unwrap();
    assert!(line.contains(&format!("2: {best}")) && line.contains("1: "), "{drawing}");
    assert!(!drawing.contains('\u{1b}'));
    assert!(explain(&["--color", "always", "a", "a"]).contains("\u{1b}[32ma\u{1b}[0m"));
}

#[test]
fn partial_credit_is_told_apart_from_a_missing_match() {
    let drawing = explain(&["-m", "meteor:2026", "Gently it rained there", "it rained gentle"]);
    for line in [
        "  1≃ Gently ≃ gentle: 'gentl' in common, 5 of 6 and 6 characters, earns 0.5",
        "penalty      γ·(chunks − 1) / (matches − 1) = 0.4·1 / 2 = 0.2000",
        "words of the hypothesis without a match or full credit",
        "with full credit for 'Gently' (word 1)",
        "without 'there' (word 4)",
    ] {
        assert!(drawing.contains(line), "{line}\n{drawing}");
    }
    let one = explain(&["-m", "meteor:2026", "cat", "Cat"]);
    assert!(one.contains("penalty      0: one match has no order\n"), "{one}");
}

#[test]
fn long_texts_are_folded_and_empty_ones_are_drawn() {
    let words: Vec<String> = (0..60).map(|n| format!("word{n}")).collect();
    let text = words.join(" ");
    let drawing = explain(&[&text, &text]);
    assert!(drawing.lines().take(10).all(|line| line.chars().count() <= 100), "{drawing}");
    for n in [0, 30, 59] {
        assert_eq!(
            drawing.matches(&format!("word{n} ")).count()
                + drawing.matches(&format!("word{n}\n")).count(),
            2,
            "{n}"
        );
    }
    assert!(explain(&["", "a b"]).starts_with("hypothesis   (no tokens)\n"));
    assert!(explain(&["\u{1b}[31mx", "y"]).starts_with("hypothesis   \u{fffd}"));
}

#[test]
fn the_document_is_the_contract() {
    let document = document(&["the cats sat", "the cat is here"]);
    assert_eq!(document["tokens"]["hypothesis"][1]["text"], "cats");
    assert_eq!(document["tokens"]["hypothesis"][1]["start"], 4);
    assert_eq!(document["tokens"]["reference"][3]["end"], 15);
    let pair = &document["pairs"][1];
    assert_eq!((&pair["hypothesis"], &pair["reference"]), (&Value::from(1), &Value::from(1)));
    assert_eq!(pair["stage"], "stem");
    assert!(pair["reason"].as_str().unwrap().contains("'cat'"));
    assert_eq!(document["proven"], true);
    for (name, value) in [("matches", 2), ("chunks", 1), ("crossings", 0)] {
        assert_eq!(document[name], value, "{name}");
    }
    let number = |name: &str| document[name].as_f64().unwrap();
    assert_eq!((number("precision"), number("recall")), (2.0 / 3.0, 0.5));
    assert_eq!(number("penalty"), 0.0625);
    let losses = &document["losses"];
    let lost: f64 = ["unmatched_hypothesis", "unmatched_reference", "fragmentation"]
        .iter()
        .map(|name| losses[name].as_f64().unwrap())
        .sum();
    assert!((lost + number("score") - 1.0).abs() < 1e-12, "{losses}");
}

#[test]
fn other_metrics_show_their_parts() {
    let printed = explain(&["-m", "gleu", "a b c d", "a b c d"]);
    assert!(printed.contains("\nscore ") && printed.contains("\ngleu:"), "{printed}");
    assert!(document(&["-m", "gleu", "a b c d", "a b c d"])["components"].is_object());
}

#[test]
fn ngrams_are_shown_with_their_clipped_counts() {
    let printed = explain(&["-m", "bleu", "the the cat sat", "the cat sat down"]);
    for line in [
        "n-grams  hypothesis  matches         precision",
        "1 word            4        3           75.0000",
        "4 words           1        0  smoothed 50.0000",
        "1 word       match     the×1/2 | cat | sat",
        "2 words      match     the cat | cat sat",
        "             no match  the the",
        "brevity      1: 4 words, the reference has 4",
        "score        BP·exp((ln 75.00 + ln 66.67 + ln 50.00 + ln 50.00) / 4) = 59.4604",
    ] {
        assert!(printed.lines().any(|shown| shown == line), "{line}\n{printed}");
    }
    let document = document(&["-m", "bleu", "the the cat sat", "the cat sat down"]);
    let the = &document["orders"][0]["ngrams"][0];
    assert_eq!((&the["text"], &the["matches"]), (&Value::from("the"), &Value::from(1)));
    let scored = bolide::score("bleu", "the the cat sat", &["the cat sat down"]).unwrap();
    assert_eq!(document["score"].as_f64(), Some(scored.value));
    let chrf = explain(&["-m", "chrf", "ab", "abc"]);
    assert!(chrf.contains("\n1 char       match     a b\n             missing   c\n"), "{chrf}");
}

#[test]
fn an_edit_path_is_drawn_with_its_moves() {
    let printed = explain(&["-m", "ter", "c d a x", "a b c d"]);
    let expected = "\
hypothesis   c d a x
shift 1      'c d' moves from word 1 to word 3

moved        a x c d
             = S = =
reference    a b c d

= kept, S substitution, D deletion, I insertion

edits        shifts + substitutions + deletions + insertions = 1 + 1 + 0 + 0 = 2
score        100·edits / reference words = 100·2 / 4 = 50.0000
";
    assert!(printed.starts_with(expected), "{printed}");
    let document = document(&["-m", "ter", "a", "b a c", "x y"]);
    let kinds: Vec<&str> = document["edits"]["path"]
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| edit["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["insert", "keep", "insert"]);
}

#[test]
fn the_words_of_a_subsequence_are_numbered() {
    let printed = explain(&["-m", "rougeL", "on the mat sat the cat", "the cat sat on the mat"]);
    let expected = "\
hypothesis   on the mat sat the cat
             ·  1=  ·   2=  3=  ·

reference    the cat sat on the mat
             1=  ·   2=  ·  3=  ·
";
    assert!(printed.starts_with(expected), "{printed}");
    let two = explain(&["-m", "rougeL", "a b", "c", "b a b"]);
    assert!(two.contains("\nreference 2  b a  b\n") && two.contains("\nreferences   1: "), "{two}");
    let lines = explain(&["-m", "rougeLsum", "a b", "b a"]);
    assert!(lines.starts_with("hypothesis   a b\n\nreference    b  a\n"), "{lines}");
}

#[test]
fn the_weights_of_meteor_1_5_are_shown() {
    let texts = ["-m", "meteor:1.5-nopara", "the cats sat there", "the cat sat on it"];
    let printed = explain(&texts);
    let line = printed.lines().find(|line| line.starts_with("precision ")).unwrap();
    assert!(line.contains("P = (0.75·(") && line.contains(" stem"), "{printed}");
    assert!(printed.contains("\n             content words weigh 0.75, function words 0.25\n"));
    let steps = document(&texts)["steps"].as_array().unwrap().clone();
    let names: Vec<&str> = steps.iter().map(|step| step["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["weights", "precision", "recall", "score"]);
    let whole = document(&texts);
    assert_eq!(steps[1]["value"], whole["precision"]);
    assert_eq!(steps[3]["value"], whole["score"]);
}

#[test]
fn mistakes() {
    let folder = Folder::new().with("a.txt", "one\ntwo\n");
    let files = ["explain", "--files", "a.txt", "a.txt", "--line"];
    assert_eq!(
        folder.bolide(&[&files[..], &["3"]].concat()).fails(1),
        "a.txt: has 2 lines, so there is no line 3"
    );
    assert_eq!(
        folder.bolide(&["explain", "--files", "no.txt", "a.txt", "--line", "1"]).fails(1),
        "cannot explain: no.txt: no such file"
    );
    folder.bolide(&["explain", "only one text"]).fails(2);
    folder.bolide(&["explain", "--files", "a.txt", "a.txt"]).fails(2);
}

#[test]
fn two_empty_texts_have_one_line_each() {
    let ran = Folder::new().bolide(&["explain", "-m", "ter", "", ""]);
    let lines: Vec<&str> = ran.fine().lines().filter(|line| line.contains("(no words)")).collect();
    assert_eq!(lines, ["hypothesis   (no words)", "reference    (no words)"]);
}
