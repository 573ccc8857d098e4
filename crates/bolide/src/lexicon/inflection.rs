//! The endings that WordNet's morphology removes from a word to reach its base form.
//!
//! WordNet lists rules per part of speech, and some produce the same form twice (`cares` is `care` by `s→∅`
//! for nouns and verbs and by `es→e` for verbs). Here every form occurs once, with the parts of speech whose
//! rules produce it, so that it is looked up once. Forms come in the order of the rules of each part of
//! speech, which is also the order of METEOR 1.5. [`super::wordnet`] handles the exception lists and checks
//! which forms exist.

use super::wordnet::{Pos, PosSet};

const NOUN: PosSet = PosSet::of(Pos::Noun);
const VERB: PosSet = PosSet::of(Pos::Verb);
const ADJECTIVE: PosSet = PosSet::of(Pos::Adjective);

/// A form that a rule produces: the word with `cut` final bytes replaced by `ending`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Detached {
    pub(super) cut: usize,
    pub(super) ending: &'static [u8],
    pub(super) pos: PosSet,
    /// Whether METEOR 1.5 has the rule too. It lacks `ves→f`.
    pub(super) in_meteor15: bool,
}

/// Visits the forms that the rules produce from a lower-case word, until `visit` returns false.
pub(super) fn detach(word: &[u8], mut visit: impl FnMut(Detached) -> bool) {
    let mut form =
        |cut, ending, pos| visit(Detached { cut, ending, pos, in_meteor15: ending != b"f" });
    match word {
        [.., b's'] => {
            if !form(1, b"", NOUN.union(VERB)) || (word.ends_with(b"ves") && !form(3, b"f", NOUN)) {
                return;
            }
            if word.ends_with(b"ies") && !form(3, b"y", NOUN.union(VERB)) {
                return;
            }
            if word.ends_with(b"es") {
                let sibilant = [&b"ses"[..], b"xes", b"zes", b"ches", b"shes"];
                let noun = sibilant.iter().any(|ending| word.ends_with(ending));
                form(2, b"", if noun { NOUN.union(VERB) } else { VERB });
            }
        }
        [.., b'm', b'e', b'n'] => {
            form(2, b"an", NOUN);
        }
        [.., b'e', b'd'] => {
            let _ = form(1, b"", VERB) && form(2, b"", VERB);
        }
        [.., b'i', b'n', b'g'] => {
            let _ = form(3, b"e", VERB) && form(3, b"", VERB);
        }
        [.., b'e', b'r'] => {
            let _ = form(2, b"", ADJECTIVE) && form(1, b"", ADJECTIVE);
        }
        [.., b'e', b's', b't'] => {
            let _ = form(3, b"", ADJECTIVE) && form(2, b"", ADJECTIVE);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules as WordNet lists them.
    const RULES: [(PosSet, &[(&str, &str)]); 3] = [
        (
            NOUN,
            &[
                ("s", ""),
                ("ses", "s"),
                ("ves", "f"),
                ("xes", "x"),
                ("zes", "z"),
                ("ches", "ch"),
                ("shes", "sh"),
                ("men", "man"),
                ("ies", "y"),
            ],
        ),
        (
            VERB,
            &[
                ("s", ""),
                ("ies", "y"),
                ("es", "e"),
                ("es", ""),
                ("ed", "e"),
                ("ed", ""),
                ("ing", "e"),
                ("ing", ""),
            ],
        ),
        (ADJECTIVE, &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")]),
    ];

    fn listed<'r>(word: &str, rules: impl Iterator<Item = &'r (&'r str, &'r str)>) -> Vec<String> {
        let mut forms = Vec::new();
        for (suffix, replacement) in rules {
            if let Some(rest) = word.strip_suffix(suffix) {
                let form = format!("{rest}{replacement}");
                if !forms.contains(&form) {
                    forms.push(form);
                }
            }
        }
        forms
    }

    fn detached(word: &str, fits: impl Fn(&Detached) -> bool) -> Vec<String> {
        let mut forms = Vec::new();
        detach(word.as_bytes(), |form| {
            if fits(&form) {
                let rest = &word[..word.len() - form.cut];
                forms.push(format!("{rest}{}", std::str::from_utf8(form.ending).unwrap()));
            }
            true
        });
        forms
    }

    #[test]
    fn forms_and_their_order_are_those_of_the_rules() {
        let suffixes = RULES.iter().flat_map(|(_, rules)| rules.iter().map(|(suffix, _)| *suffix));
        let other = ["", "a", "e", "n", "us", "ss", "ees", "men", "ive", "thes", "ring", "bed"];
        for word in suffixes.chain(other).flat_map(|tail| {
            ["", "a", "e", "s", "i", "walk", "ch", "v", "ve", "yes", "é"]
                .map(|head| format!("{head}{tail}"))
        }) {
            for (pos, rules) in RULES {
                let forms = detached(&word, |form| form.pos.intersects(pos));
                assert_eq!(forms, listed(&word, rules.iter()), "{word:?} {pos:?}");
            }
            let rules =
                RULES.iter().flat_map(|(_, rules)| rules.iter()).filter(|rule| rule.0 != "ves");
            assert_eq!(detached(&word, |form| form.in_meteor15), listed(&word, rules), "{word:?}");
        }
    }

    #[test]
    fn stops_when_told() {
        let mut n = 0;
        detach(b"ladies", |_| {
            n += 1;
            false
        });
        assert_eq!(n, 1);
    }
}
