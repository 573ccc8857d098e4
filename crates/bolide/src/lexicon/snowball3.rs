//! The stemmers of Snowball 3.0, one for each language that has one here.
//!
//! Compiled by Snowball itself; the crate only holds what it wrote. A language is listed if its stems are those
//! of the release of PyPI's `snowballstemmer` with the same number, which `tests/live/snowball.py` compares.
//! METEOR 1.5 keeps its own revision of 2009 ([`super::snowball`]).

/// A stemmer of this revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "languages"),
    allow(dead_code, reason = "without the feature there is none")
)]
pub(crate) struct Stemmer(#[cfg(feature = "languages")] snowball_stemmers_rs::Algorithm);

#[cfg(feature = "languages")]
impl Stemmer {
    /// The stemmer of a language by its code.
    pub(crate) fn of(code: &str) -> Option<Self> {
        use snowball_stemmers_rs::Algorithm::*;
        Some(Stemmer(match code {
            "ar" => Arabic,
            "ca" => Catalan,
            "da" => Danish,
            "de" => German,
            "el" => Greek,
            "eo" => Esperanto,
            "es" => Spanish,
            "et" => Estonian,
            "eu" => Basque,
            "fi" => Finnish,
            "fr" => French,
            "ga" => Irish,
            "hi" => Hindi,
            "hu" => Hungarian,
            "hy" => Armenian,
            "id" => Indonesian,
            "it" => Italian,
            "ne" => Nepali,
            "nl" => Dutch,
            "no" => Norwegian,
            "pt" => Portuguese,
            "ro" => Romanian,
            "ru" => Russian,
            "sr" => Serbian,
            "sv" => Swedish,
            "ta" => Tamil,
            "tr" => Turkish,
            "yi" => Yiddish,
            _ => return None,
        }))
    }

    /// Replaces `stem` by that of a word in lower case.
    pub(crate) fn stem(self, word: &str, stem: &mut String) {
        stem.clear();
        stem.push_str(&snowball_stemmers_rs::Stemmer::create(self.0).stem(word));
    }
}

/// Without the feature there are no stemmers.
#[cfg(not(feature = "languages"))]
impl Stemmer {
    pub(crate) fn of(_: &str) -> Option<Self> {
        None
    }

    pub(crate) fn stem(self, word: &str, stem: &mut String) {
        stem.clear();
        stem.push_str(word);
    }
}

/// The stem of a word of a language, if there is a stemmer for it.
pub fn stem(code: &str, word: &str) -> Option<String> {
    let mut stem = String::new();
    Stemmer::of(code)?.stem(word, &mut stem);
    Some(stem)
}

#[cfg(all(test, feature = "languages"))]
mod tests {
    use super::*;
    use crate::language::{LANGUAGES, SNOWBALL};

    #[test]
    fn the_table_of_languages_and_the_stemmers_agree() {
        for language in LANGUAGES {
            let listed = language.stems == Some(SNOWBALL);
            assert_eq!(Stemmer::of(language.code).is_some(), listed, "{}", language.code);
        }
    }

    #[test]
    fn inflected_forms_share_a_stem() {
        for (code, a, b) in [
            ("de", "häuser", "hauses"),
            ("fr", "continuellement", "continuelle"),
            ("ru", "книгами", "книга"),
            ("fi", "taloissa", "talon"),
            ("es", "corriendo", "correr"),
            ("tr", "evlerimiz", "evler"),
        ] {
            assert_eq!(stem(code, a), stem(code, b), "{code}");
        }
        assert_eq!(stem("zh", "猫"), None);
    }

    #[test]
    fn no_word_is_too_odd_for_a_stemmer() {
        let odd = ["", "'", "\u{301}", "ß\u{0}", "İ", "🎉🎉", "a\u{200d}b", "漢字かな", "ﷺ", "ẞẞẞ"];
        let long = ["aeiou".repeat(2000), "ü".repeat(3000), "книга".repeat(500)];
        for language in LANGUAGES {
            for word in odd.into_iter().chain(long.iter().map(String::as_str)) {
                let known = stem(language.code, word).is_some();
                assert_eq!(known, language.stems == Some(SNOWBALL));
            }
        }
    }
}
