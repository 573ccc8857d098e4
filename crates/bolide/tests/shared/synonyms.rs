//! WordNet look-ups against NLTK's own answers.

use crate::files;
use bolide::unstable::lexicon::{Lexicon, Pos};
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn every_stored_word_has_nltks_synonyms_and_base_forms() {
    let lines = files::lines("golden/nltk/synonyms.jsonl.gz");
    assert_eq!(lines.len(), 5_303);
    let lexicon = Lexicon::embedded();
    let mut ids = Vec::new();
    for line in &lines {
        let row: Value = serde_json::from_str(line).unwrap();
        let word = row["w"].as_str().unwrap();

        let expected: BTreeSet<&str> =
            row["syn"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        lexicon.synsets(word, &mut ids);
        let names: Vec<String> = ids
            .iter()
            .flat_map(|&id| lexicon.synset(id).unwrap().lemmas())
            .filter(|name| !name.contains('_'))
            .map(|name| name.to_string())
            .collect();
        let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(names, expected, "synonyms of {word:?}");
        for name in names {
            let mut named = Vec::new();
            lexicon.synsets_named(name, &mut named);
            assert!(named.iter().any(|id| ids.contains(id)), "{word:?} has the synonym {name:?}");
        }

        for (letter, pos) in
            [("n", Pos::Noun), ("v", Pos::Verb), ("a", Pos::Adjective), ("r", Pos::Adverb)]
        {
            let expected: Vec<&str> = row["forms"][letter]
                .as_array()
                .map(|forms| forms.iter().map(|form| form.as_str().unwrap()).collect())
                .unwrap_or_default();
            let mut forms = Vec::new();
            lexicon.base_forms(word, pos, |form| forms.push(form.to_owned()));
            assert_eq!(forms, expected, "base forms of {word:?} as {letter}");
        }
    }
}
