//! The stemmers against NLTK's own stems.

use crate::files;
use bolide::unstable::lexicon::{porter, snowball_english};

/// Stems the first column of every row and compares with another.
fn compare(path: &str, header: bool, n_rows: usize, column: usize, stem: fn(&str, &mut String)) {
    let lines = files::lines(path);
    let rows = &lines[usize::from(header)..];
    assert_eq!(rows.len(), n_rows, "rows of {path}");
    let mut out = String::new();
    for row in rows {
        let mut columns = row.split('\t');
        let (Some(word), Some(expected)) = (columns.next(), columns.nth(column - 1)) else {
            panic!("{path}: {row:?} has too few columns");
        };
        stem(word, &mut out);
        assert_eq!(out, expected, "{path}: stem of {word:?}");
    }
}

#[test]
fn every_stem_of_nltk() {
    compare("golden/nltk/stems.tsv.gz", true, 174_763, 1, porter::stem_any_case);
}

#[test]
fn every_snowball_stem_of_nltk() {
    compare("golden/nltk/stems.tsv.gz", true, 174_763, 2, snowball_english::stem);
}

#[test]
fn every_stem_of_nltk_without_lower_casing() {
    compare("golden/nltk/stems_nolower.tsv", true, 18, 1, porter::stem);
}

#[test]
fn every_stem_of_rouge() {
    compare("golden/sacrebleu/porter.tsv.gz", false, 5_915, 1, porter::stem);
}

#[test]
fn both_entries_agree_on_lower_case_words() {
    let lines = files::lines("golden/nltk/stems.tsv.gz");
    let (mut as_given, mut lowered) = (String::new(), String::new());
    for row in &lines[1..] {
        let word = row.split('\t').next().unwrap().to_lowercase();
        porter::stem(&word, &mut as_given);
        porter::stem_any_case(&word, &mut lowered);
        assert_eq!(as_given, lowered, "{word:?}");
    }
}
