//! `meteor:classic` in other languages: what the key chooses, what the signature says, what the scores are.

use bolide::{LANGUAGES, Metric};

fn metric(name: &str) -> Metric {
    name.parse().unwrap()
}

fn value(name: &str, hypothesis: &str, reference: &str) -> String {
    format!("{:.4}", metric(name).score(hypothesis, &[reference]).unwrap().value)
}

fn problem(name: &str) -> String {
    name.parse::<Metric>().unwrap_err().to_string()
}

#[test]
fn english_is_the_default_and_has_the_signature_it_had() {
    let plain = metric("meteor");
    assert_eq!(metric("meteor|language:en"), plain);
    assert_eq!(metric("meteor|language:EN-gb"), plain);
    assert_eq!(plain.signature().get("language"), None);
}

#[test]
fn every_language_is_built_and_its_signature_parses_back() {
    for language in LANGUAGES.iter().filter(|language| language.code != "en") {
        let metric = metric(&format!("meteor|language:{}", language.code));
        let signature = metric.signature();
        assert_eq!(signature.get("language"), Some(language.code));
        assert_eq!(signature.get("stemmer"), language.stems);
        assert_eq!(signature.get("data"), language.synonyms);
        assert_eq!(signature.get("tok"), Some(language.tokens.name()));
        assert_eq!(signature.to_string().parse::<Metric>().unwrap(), metric);
    }
}

#[test]
fn chinese_is_no_longer_a_silent_zero() {
    assert_eq!(value("meteor", "我喜欢猫", "我爱猫"), "0.0000");
    // Two of four and of three characters, in two chunks: P 1/2, R 2/3, F 20/31, penalty 1/2.
    assert_eq!(value("meteor|language:zh", "我喜欢猫", "我爱猫"), "0.3226");
    assert_eq!(value("meteor|language:zh|tok:space", "我喜欢猫", "我爱猫"), "0.0000");
}

#[test]
fn german_words_match_by_their_stems() {
    let (hypothesis, reference) = ("Die Häuser sind alt.", "Des Hauses ist alt.");
    let explanation = metric("meteor|language:de").explain(hypothesis, &[reference]).unwrap();
    let stages: Vec<&str> = explanation.pairs.iter().map(|pair| pair.stage).collect();
    assert_eq!(stages, ["stem", "exact", "exact"]);
    assert_eq!(explanation.pairs[0].reason, "the same stem 'haus'");
}

#[test]
fn a_letter_with_its_mark_is_the_letter_with_the_mark() {
    let (hypothesis, reference) = ("cafe\u{301} s\u{fc}\u{df}", "caf\u{e9} su\u{308}\u{df}");
    assert_eq!(value("meteor", hypothesis, reference), "0.0000");
    let equal = value("meteor", "café süß", "café süß");
    assert_eq!(value("meteor|normal:nfc", hypothesis, reference), equal);
    assert_eq!(value("meteor|language:de", hypothesis, reference), equal);
    assert_eq!(value("meteor|language:de|tok:space", hypothesis, reference), equal);
    assert_eq!(value("meteor|language:de|normal:none", hypothesis, reference), "0.0000");
    for (name, normal) in [
        ("meteor", None),
        ("meteor|normal:none", None),
        ("meteor|normal:nfc", Some("nfc")),
        ("meteor|language:de", Some("nfc")),
        ("meteor|language:de|normal:none", Some("none")),
    ] {
        let metric = metric(name);
        assert_eq!(metric.signature().get("normal"), normal, "{name}");
        assert_eq!(metric.signature().to_string().parse::<Metric>().unwrap(), metric);
    }
    assert!(problem("meteor:nltk|normal:nfc").contains("has no key 'normal'"));
}

#[test]
fn turkish_has_two_letters_i() {
    assert_eq!(value("meteor|language:tr", "IĞDIR", "ığdır"), value("meteor", "x", "x"));
    assert_eq!(value("meteor|language:tr|tok:space", "İZMİR", "izmir"), value("meteor", "x", "x"));
    assert_eq!(value("meteor|language:tr|match:exact", "I", "i"), "0.0000");
}

#[test]
fn what_a_language_lacks_is_said() {
    assert_eq!(
        problem("meteor|language:deu"),
        "there is no language 'deu': near it are de (German)"
    );
    assert_eq!(
        problem("meteor|language:de|match:exact+stem+synonym"),
        "meteor: German has no synonyms here; language:de takes match:exact+stem"
    );
    assert_eq!(
        problem("meteor|language:zh|match:exact+stem"),
        "meteor: Chinese has no stemmer here; language:zh takes match:exact"
    );
    assert!(
        problem("meteor|language:de|stemmer:porter").contains("stemmer is one of snowball-3.0")
    );
    assert!(problem("meteor:nltk|language:de").contains("has no key 'language'"));
}

/// Written by `tests/live/snowball.py --table`, which also compares many more.
#[test]
fn stems_are_those_of_snowballstemmer() {
    let mut codes = Vec::new();
    for line in include_str!("stems.tsv").lines() {
        let mut fields = line.split('\t');
        let [code, word, stem] = std::array::from_fn(|_| fields.next().unwrap());
        let ours = bolide::unstable::lexicon::snowball3::stem(code, word);
        assert_eq!(ours.as_deref(), Some(stem), "{code} {word}");
        codes.push(code);
    }
    codes.dedup();
    let stemmed = LANGUAGES.iter().filter(|language| language.stems == Some("snowball-3.0"));
    assert_eq!(codes, stemmed.map(|language| language.code).collect::<Vec<_>>());
}
