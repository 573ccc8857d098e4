//! `bolide sacrebleu`: sacreBLEU's command line. These tests need no Python; `tests/live/sacrebleu_command.py`
//! compares hundreds of command lines with the real program.

use crate::program::Folder;

fn folder() -> Folder {
    Folder::new()
        .with("r.txt", "the cat sat on the mat\nit rained all day long\n")
        .with("a.txt", "the cat sat on a mat\nit rained all day\n")
        .with("b.txt", "a cat is on mat\nday of rain\n")
}

/// Printed by sacreBLEU 2.6.0 for these files.
const BLEU: &str = "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = \
                    62.3 90.0/75.0/66.7/50.0 (BP = 0.905 ratio = 0.909 hyp_len = 10 ref_len = 11)\n";

#[test]
fn a_score_is_printed_as_sacrebleu_prints_it() {
    let folder = folder();
    let text = folder.bolide(&["sacrebleu", "r.txt", "-i", "a.txt", "-f", "text"]);
    assert_eq!(text.fine(), BLEU);
    let piped = std::fs::read(folder.path("a.txt")).unwrap();
    let piped = folder.bolide_with(&["sacrebleu", "r.txt", "-f", "text"], &piped);
    assert_eq!(piped.fine(), BLEU);
    let bare = folder.bolide(&["sacrebleu", "r.txt", "-i", "a.txt", "-b"]);
    assert_eq!(bare.fine(), "62.3\n");
}

#[test]
fn several_systems_make_a_list_or_a_table() {
    let folder = folder();
    let json = folder.bolide(&["sacrebleu", "r.txt", "-i", "a.txt", "b.txt", "-m", "ter", "-q"]);
    assert_eq!(
        json.fine(),
        "[\n    {\n        \"system\": \"a.txt\",\n        \"TER\": \"18.2\"\n    },\n    {\n        \
         \"system\": \"b.txt\",\n        \"TER\": \"72.7\"\n    }\n]\n"
    );
    let table = folder.bolide(&["sacrebleu", "r.txt", "-i", "a.txt", "b.txt", "-f", "text"]);
    assert_eq!(table.stderr(), "sacreBLEU: Found 2 systems.\n");
    assert!(table.stdout().starts_with("╒══════════╤════════╕\n│   System │  BLEU  │\n╞"));
}

#[test]
fn mistakes_have_sacrebleus_words_and_codes() {
    let folder = folder().with("short.txt", "one line\n");
    let check = |args: &[&str], code: i32, message: &str| {
        let ran = folder.bolide(&[&["sacrebleu"], args].concat());
        assert_eq!((ran.code(), ran.stdout(), ran.stderr().trim_end()), (code, "", message));
    };
    check(
        &["short.txt", "-i", "a.txt"],
        1,
        "sacreBLEU: System and reference streams have different lengths.",
    );
    check(
        &["r.txt", "-i", "a.txt", "-sl", "-m", "bleu", "ter", "-q"],
        1,
        "Only one metric can be used in sentence-level mode.",
    );
    check(&["-w", "x"], 2, "sacrebleu: error: argument --width/-w: invalid int value: 'x'");
    check(&["r.txt", "-i", "none.txt"], 1, "bolide: none.txt: no such file");
    check(
        &["--download", "wmt17"],
        1,
        "bolide: bolide downloads nothing: run sacrebleu --download wmt17 to fill the folder that both read",
    );
}

#[test]
fn test_sets_are_read_from_sacrebleus_folder() {
    let folder = folder();
    let sets = folder.path("sets/wmt17");
    std::fs::create_dir_all(&sets).unwrap();
    for (field, from) in [("src", "b.txt"), ("ref", "r.txt")] {
        let to = sets.join(format!("wmt17.de-en.{field}"));
        std::fs::copy(folder.path(from), to).unwrap();
    }
    let run = |args: &[&str]| {
        folder.bolide_with_env(&[&["sacrebleu"], args].concat(), b"", &[("SACREBLEU", "sets")])
    };
    let echoed = run(&["-t", "wmt17", "-l", "de-en", "--echo", "src"]);
    assert_eq!(echoed.fine(), "a cat is on mat\nday of rain\n");
    let by_set = run(&["-t", "wmt17", "-l", "de-en", "-i", "a.txt"]);
    assert_eq!(by_set.fine(), run(&["r.txt", "-i", "a.txt"]).fine());
    assert_eq!(run(&["--list", "-t", "wmt17"]).fine(), "de-en: src, ref\n");
    let absent = run(&["-t", "wmt09", "-l", "de-en", "-i", "a.txt"]);
    assert_eq!(absent.code(), 1);
    assert!(absent.stderr().contains("bolide downloads nothing"), "{}", absent.stderr());
}

#[test]
fn help_is_ours_and_says_what_differs() {
    let help = Folder::new().bolide(&["sacrebleu", "--help"]);
    assert!(help.fine().contains("Usage: bolide sacrebleu [REFERENCE ...] [OPTIONS]"));
    assert_eq!(Folder::new().bolide(&["help", "sacrebleu"]).fine(), help.stdout());
}
