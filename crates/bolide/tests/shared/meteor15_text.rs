//! METEOR 1.5's stemmers and tokenizer against the jar's own.

use crate::files;
use bolide::unstable::lexicon::snowball::Stemmer;

#[test]
fn every_stem_of_the_jar() {
    for (stemmer, name) in [
        (Stemmer::Danish, "danish"),
        (Stemmer::Dutch, "dutch"),
        (Stemmer::English, "english"),
        (Stemmer::Finnish, "finnish"),
        (Stemmer::French, "french"),
        (Stemmer::German, "german"),
        (Stemmer::Hungarian, "hungarian"),
        (Stemmer::Italian, "italian"),
        (Stemmer::Norwegian, "norwegian"),
        (Stemmer::Portuguese, "portuguese"),
        (Stemmer::Romanian, "romanian"),
        (Stemmer::Russian, "russian"),
        (Stemmer::Spanish, "spanish"),
        (Stemmer::Swedish, "swedish"),
        (Stemmer::Turkish, "turkish"),
    ] {
        if !stemmer.is_built_in() {
            continue;
        }
        let lines = files::lines(&format!("golden/meteor-1.5/stem/{name}.tsv.gz"));
        assert!(lines.len() > 2_000, "{name}: {} words", lines.len());
        let mut out = String::new();
        let mut wrong = Vec::new();
        for line in &lines {
            let (word, expected) = line.split_once('\t').unwrap();
            // The jar's tool leaves numbers alone; its scorer does not.
            if word.chars().all(|c| matches!(c, '0'..='9' | ',' | '.' | '-')) {
                continue;
            }
            stemmer.stem(word, &mut out);
            if out != expected {
                wrong.push(format!("{word} -> {out}, the jar {expected}"));
            }
        }
        assert!(
            wrong.is_empty(),
            "{name}: {} of {}: {:?}",
            wrong.len(),
            lines.len(),
            &wrong[..wrong.len().min(20)]
        );
    }
}
