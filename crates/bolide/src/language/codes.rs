//! Codes that languages have elsewhere: withdrawn ones, and those of other lists than BCP 47.

use super::{LANGUAGES, Language};

/// Codes that name a language as well as its own: both written forms of Norwegian have one stemmer, and the others were
/// replaced by those of today, which BCP 47 still reads.
#[cfg(feature = "languages")]
pub(super) const SAME: [(&str, &str); 6] =
    [("in", "id"), ("iw", "he"), ("ji", "yi"), ("mo", "ro"), ("nb", "no"), ("nn", "no")];
#[cfg(not(feature = "languages"))]
pub(super) const SAME: [(&str, &str); 0] = [];

/// The language of a code of three letters, as ISO 639 and Open Multilingual Wordnet have them.
///
/// ```
/// # #[cfg(feature = "languages")] {
/// use bolide::language::of_three_letters;
/// assert_eq!(of_three_letters("ron").unwrap().code, "ro");
/// assert_eq!(of_three_letters("rum"), of_three_letters("ron"));
/// assert!(of_three_letters("fil").is_none());
/// # }
/// ```
pub fn of_three_letters(code: &str) -> Option<&'static Language> {
    let names_it = |others: &str| others.split(' ').any(|other| other.eq_ignore_ascii_case(code));
    let &(own, _) = THREE_LETTERS.iter().find(|(_, others)| names_it(others))?;
    LANGUAGES.iter().find(|language| language.code == own)
}

/// The language of a country's code that is often taken for a language's.
#[cfg(feature = "languages")]
pub(super) fn of_country(code: &str) -> Option<&'static Language> {
    let &(_, own) = COUNTRIES.iter().find(|(country, _)| *country == code)?;
    LANGUAGES.iter().find(|language| language.code == own)
}

/// Only those that are far from the language's own code, and no language's that is in the list.
#[cfg(feature = "languages")]
const COUNTRIES: [(&str, &str); 10] = [
    ("cn", "zh"),
    ("cz", "cs"),
    ("dk", "da"),
    ("gr", "el"),
    ("jp", "ja"),
    ("kr", "ko"),
    ("rs", "sr"),
    ("se", "sv"),
    ("ua", "uk"),
    ("vn", "vi"),
];

/// ISO 639-3, ISO 639-2 where it differs, and the codes of standard forms (`cmn`, `arb`).
const THREE_LETTERS: [(&str, &str); 65] = [
    ("ar", "ara arb"),
    ("bg", "bul"),
    ("bn", "ben"),
    ("ca", "cat"),
    ("cs", "ces cze"),
    ("da", "dan"),
    ("de", "deu ger"),
    ("el", "ell gre"),
    ("en", "eng"),
    ("eo", "epo"),
    ("es", "spa"),
    ("et", "est ekk"),
    ("eu", "eus baq"),
    ("fa", "fas per pes"),
    ("fi", "fin"),
    ("fr", "fra fre"),
    ("ga", "gle"),
    ("gl", "glg"),
    ("gu", "guj"),
    ("ha", "hau"),
    ("he", "heb"),
    ("hi", "hin"),
    ("hr", "hrv"),
    ("hu", "hun"),
    ("hy", "hye arm"),
    ("id", "ind"),
    ("is", "isl ice"),
    ("it", "ita"),
    ("ja", "jpn"),
    ("ka", "kat geo"),
    ("kk", "kaz"),
    ("km", "khm"),
    ("ko", "kor"),
    ("lo", "lao"),
    ("lt", "lit"),
    ("lv", "lav lvs"),
    ("ml", "mal"),
    ("mr", "mar"),
    ("ms", "msa may zsm"),
    ("my", "mya bur"),
    ("ne", "nep npi"),
    ("nl", "nld dut"),
    ("no", "nor nob nno"),
    ("pl", "pol"),
    ("ps", "pus"),
    ("pt", "por"),
    ("ro", "ron rum"),
    ("ru", "rus"),
    ("sk", "slk slo"),
    ("sl", "slv"),
    ("sq", "sqi alb als"),
    ("sr", "srp"),
    ("sv", "swe"),
    ("sw", "swa swh"),
    ("ta", "tam"),
    ("te", "tel"),
    ("th", "tha"),
    ("tr", "tur"),
    ("uk", "ukr"),
    ("ur", "urd"),
    ("vi", "vie"),
    ("xh", "xho"),
    ("yi", "yid ydd"),
    ("zh", "zho chi cmn"),
    ("zu", "zul"),
];

#[cfg(all(test, feature = "languages"))]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_a_code_of_three_letters() {
        let codes: Vec<&str> = LANGUAGES.iter().map(|language| language.code).collect();
        assert_eq!(codes, THREE_LETTERS.map(|(own, _)| own));
        let mut others: Vec<&str> =
            THREE_LETTERS.iter().flat_map(|(_, others)| others.split(' ')).collect();
        let n_others = others.len();
        others.sort_unstable();
        others.dedup();
        assert_eq!(others.len(), n_others);
        assert!(others.iter().all(|other| other.len() == 3));
    }

    #[test]
    fn other_codes_are_no_languages_of_their_own() {
        let is_own = |code: &str| LANGUAGES.iter().any(|language| language.code == code);
        for (other, own) in SAME.iter().chain(&COUNTRIES) {
            assert!(!is_own(other) && is_own(own), "{other}");
        }
    }
}
