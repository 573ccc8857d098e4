//! GLEU, NIST, chrF and RIBES of NLTK: where they are undefined, and what their keys refuse.

use bolide::Metric;

#[test]
fn texts_of_any_kind_are_scored() {
    let texts = ["", " ", "a", "a a a a a a", "the cat sat on the mat", "é\u{3000}ü\u{1c}", "\0"];
    for name in ["gleu:nltk", "gleu:hf", "nist:nltk", "chrf:nltk", "ribes:nltk"] {
        let metric = name.parse::<Metric>().unwrap();
        for hypothesis in texts {
            for reference in texts {
                let score = metric.score(hypothesis, &[reference]).unwrap().value;
                let undefined = name == "nist:nltk"
                    && (hypothesis.split_whitespace().count() < 5 || reference.trim().is_empty());
                assert_eq!(score.is_nan(), undefined, "{name}: {hypothesis:?}, {reference:?}");
            }
        }
        let nothing = metric.corpus().score().unwrap().value;
        assert_eq!(nothing.is_nan(), matches!(name, "nist:nltk" | "chrf:nltk"), "{name}");
    }
    let long = "a b ".repeat(1_001);
    assert!(bolide::score("ribes:nltk", &long, &["a b"]).unwrap().value.is_nan());
    assert!(bolide::score("ribes:nltk", "a b", &["a b", &long]).unwrap().value.is_nan());
    assert_eq!(bolide::score("ribes:nltk", "", &[&long]).unwrap().value, 0.0);
}

#[test]
fn keys_are_checked() {
    for (name, message) in [
        ("gleu:nltk|min:5", "gleu:nltk: min is at most max, got 5 and 4"),
        ("chrf:nltk|max:0", "chrf:nltk: max is a whole number from 1 to 100, got '0'"),
        ("nist|sum:fast", "nist: sum is one of compensated, plain, got 'fast'"),
        ("ribes|gamma:1", "ribes has no key 'gamma': its keys are alpha, beta"),
    ] {
        assert_eq!(name.parse::<Metric>().unwrap_err().to_string(), message);
    }
}
