//! `meteor:classic` in other languages: what the key chooses, what the signature says, what the scores are.

use bolide::language::Split;
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

/// Whether this build has no dictionaries of words. A metric that needs them must say so.
fn lacks_dictionaries(name: &str) -> bool {
    let lacks = cfg!(not(feature = "dictionaries"));
    assert!(!lacks || problem(name).contains("which lacks the dictionaries"), "{name}");
    lacks
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
        let name = format!("meteor|language:{}", language.code);
        if language.tokens == Split::Words && lacks_dictionaries(&name) {
            continue;
        }
        let metric = metric(&name);
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

#[cfg(feature = "synonyms")]
#[test]
fn synonyms_inside_the_program_are_used_and_named() {
    for (name, words, table, by_dictionary) in [
        ("meteor|language:sv", ["abonnera", "prenumerera"], "builtin-sv-7.5.0-a660dc4c", false),
        ("meteor|language:sk", ["kvapalina", "tekutina"], "builtin-sk-7.5.0-aa5a5bed", false),
        ("meteor|language:ja|tok:words", ["開店", "始業"], "builtin-ja-18.0.0-da052813", true),
        ("meteor|language:th", ["สุนัข", "หมา"], "builtin-th-2.1.4-d12bf1de", true),
    ] {
        if by_dictionary && lacks_dictionaries(name) {
            continue;
        }
        let metric = metric(name);
        assert_eq!(metric.signature().get("synonyms"), Some(table), "{name}");
        assert_eq!(metric.signature().to_string().parse::<Metric>().unwrap(), metric);
        for short in ["builtin", table] {
            let chosen = format!("{name}|synonyms:{short}").parse::<Metric>().unwrap();
            assert_eq!(chosen, metric);
        }
        let explanation = metric.explain(words[0], &[words[1]]).unwrap();
        let reasons: Vec<&str> = explanation.pairs.iter().map(|pair| &*pair.reason).collect();
        assert!(reasons[0].starts_with(&format!("synonyms in {table}: ")), "{reasons:?}");
    }
    // Characters have few synonyms: there they have to be asked for.
    assert_eq!(metric("meteor|language:ja").signature().get("synonyms"), None);
    let asked = metric("meteor|language:ja|match:exact+synonym");
    assert_eq!(asked.signature().get("tok"), Some("unspaced"));
    assert_eq!(asked.signature().get("synonyms"), Some("builtin-ja-18.0.0-da052813"));
    assert!(
        problem("meteor|language:de|synonyms:builtin").contains("there is no table builtin-de")
    );
}

#[cfg(feature = "synonyms")]
#[test]
fn every_table_inside_the_program_is_whole_and_has_a_licence() {
    use bolide::unstable::lexicon::synonyms::{SynonymTable, unpack};
    let mut n_bytes = 0;
    for table in &bolide_synonyms::TABLES {
        let opened = SynonymTable::from_bytes(unpack(table.bytes).unwrap()).unwrap();
        assert_eq!(opened.language().code, table.language);
        assert!(table.licence.contains("Copyright"), "{}", table.language);
        assert!(opened.len() > 4_000 && opened.n_words() > 10_000);
        n_bytes += table.bytes.len();
    }
    assert!(n_bytes < 4 << 20, "{n_bytes}");
}

#[cfg(feature = "dictionaries")]
#[test]
fn words_are_an_option_where_there_are_no_spaces() {
    let chinese = metric("meteor|language:zh|tok:words");
    assert_eq!(chinese.signature().get("tok"), Some("icu4x-2.4.0"));
    assert_eq!(metric("meteor|language:zh|tok:icu4x-2.4.0"), chinese);
    let explanation = chinese.explain("我喜欢猫", &["我爱猫"]).unwrap();
    let words: Vec<&str> = explanation.tokens.hypothesis.iter().map(|token| &*token.text).collect();
    assert_eq!(words, ["我", "喜欢", "猫"]);
    for code in ["th", "lo", "km", "my"] {
        let metric = metric(&format!("meteor|language:{code}"));
        assert_eq!(metric.signature().get("tok"), Some("icu4x-2.4.0"), "{code}");
    }
}

#[cfg(feature = "synonyms")]
#[test]
fn a_language_gives_meteor_2026_its_synonyms_and_changes_nothing_else() {
    assert_eq!(metric("meteor:2026|language:en"), metric("meteor:2026"));
    let swedish = metric("meteor:2026|language:sv");
    assert_eq!(swedish.signature().get("syn"), Some("builtin-sv-7.5.0-a660dc4c"));
    assert_eq!(swedish.signature().to_string().parse::<Metric>().unwrap(), swedish);
    let explanation = swedish.explain("abonnera", &["prenumerera"]).unwrap();
    assert_eq!(explanation.pairs[0].stage, "synonym");
    // Without a table it is the metric without synonyms.
    let (german, none) = (metric("meteor:2026|language:de"), metric("meteor:2026|syn:none"));
    assert_eq!(german.signature().get("syn"), Some("none"));
    let texts = ("the film was big", ["a large movie was it"]);
    let [german, none] =
        [german, none].map(|metric| metric.score(texts.0, &texts.1).unwrap().value);
    assert_eq!(german, none);
    // Its tokens of scripts without spaces are characters.
    assert_eq!(metric("meteor:2026|language:ja").signature().get("syn"), Some("none"));
    assert!(metric("meteor:2026|language:ja|syn:builtin").signature().get("syn").is_some());
    assert!(problem("meteor:2026|language:de|syn:wordnet").contains("syn is one of none, omw"));
    let hint = metric("meteor:2026|language:sv").hint("кошка сидит", &["кошка спит"]);
    assert!(hint.unwrap().contains("takes it for Swedish"));
    assert_eq!(metric("meteor:2026").hint("кошка сидит", &["кошка спит"]), None);
}

#[test]
fn a_hint_says_what_fits_the_metric() {
    let hint = |name: &str, text: &str| metric(name).hint(text, &[text]).unwrap_or_default();
    let (chinese, thai, japanese, russian) =
        ("我喜欢你的猫", "ฉันชอบแมวมากจริงๆนะ", "ねこが好きですか", "кошка сидит");
    // ROUGE drops these letters, with or without spaces between words.
    for text in [chinese, thai, russian, "größer als üblich"] {
        for name in ["rouge1", "rougeL|stem:yes", "rougeLsum"] {
            let said = hint(name, text);
            assert!(said.contains("keeps only the letters a to z and digits"), "{name}: {said}");
        }
    }
    for text in ["größere Häuser als in anderen Städten des Landes", "a cat 12", "ü"] {
        assert_eq!(hint("rougeL", text), "");
    }
    assert_eq!(hint("rougeL:coco", russian), "");
    // sacreBLEU's own tokenizers come first.
    assert!(hint("bleu", chinese).contains(": bleu|tok:zh, meteor:classic|language:zh and chrf"));
    assert!(hint("bleu", japanese).contains(": bleu|tok:char, meteor:classic|language:ja and"));
    assert!(hint("bleu", thai).ends_with("takes words, bleu|tok:char and chrf take characters"));
    assert!(hint("ter", chinese).contains(": ter|norm:yes|asian:yes, meteor"));
    // A tokenizer for Chinese does not split Thai, and TER splits Chinese only when it normalises.
    assert!(!hint("bleu|tok:zh", thai).is_empty() && !hint("ter|asian:yes", chinese).is_empty());
    for (name, text) in [("bleu|tok:zh", chinese), ("ter|norm:yes|asian:yes", chinese)] {
        assert_eq!(hint(name, text), "", "{name}");
    }
    // The jar's tokenizer makes a word of every such character.
    for text in [chinese, "η γάτα κάθεται", "القطة تجلس"] {
        let said = hint("meteor:1.5-nopara", text);
        assert!(said.contains("meteor:1.5-nopara takes it for English"), "{said}");
    }
    assert_eq!(hint("meteor:1.5-nopara|language:ru", russian), "");
    assert!(hint("meteor:1.5-nopara|language:other", chinese).contains("splits at spaces"));
    assert_eq!(hint("meteor:1.5-nopara|language:other", russian), "");
}

#[test]
fn a_language_is_never_guessed() {
    for name in ["meteor|language:auto", "meteor:2026|language:auto"] {
        assert!(problem(name).starts_with("a language is not guessed"), "{}", problem(name));
    }
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
