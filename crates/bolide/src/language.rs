//! The languages that `meteor:classic` knows by code: how each is split, stemmed and looked up.
//!
//! A language chooses three things: the tokenizer, the stemmer and the table of synonyms. All of them stand
//! in the signature of a metric, so this table only says what a code stands for. It lists what the engine
//! has, not what a good metric for a language would need. Without the feature `languages` there is English alone.

mod codes;

use crate::error::{Error, ErrorKind, Result};

pub use codes::of_three_letters;

/// How the text of a language becomes tokens, as the key `tok` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Split {
    /// NLTK's `word_tokenize`, which knows English contractions.
    Nltk,
    /// White space; punctuation and symbols stand alone.
    Intl,
    /// The same, and every character of a script without spaces is a token.
    Unspaced,
    /// The same, and scripts without spaces are cut into words by dictionaries.
    #[cfg_attr(feature = "serde", serde(rename = "icu4x-2.4.0"))]
    Words,
}

impl Split {
    /// The word that signatures use.
    pub fn name(self) -> &'static str {
        match self {
            Split::Nltk => "nltk",
            Split::Intl => "intl",
            Split::Unspaced => "unspaced",
            Split::Words => WORDS,
        }
    }
}

/// A language with what the engine has for it.
///
/// With the feature `serde` it is written flat, and what is not there is `null`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Language {
    /// The BCP 47 code of the language alone, as signatures print it.
    pub code: &'static str,
    /// Its English name.
    pub name: &'static str,
    /// The default tokens.
    pub tokens: Split,
    /// The default stemmer as the key `stemmer` names it.
    pub stems: Option<&'static str>,
    /// The synonyms that the engine has, as the key `data` names them. [`with_tables`] lists those that are imported.
    pub synonyms: Option<&'static str>,
    /// Where stems and synonyms come from.
    pub source: Option<&'static str>,
    /// On what terms.
    pub licence: Option<&'static str>,
    /// The data on which the choice was measured against people's judgements of systems (Flores: of segments), with
    /// Pearson's r of the English defaults and of the language's, and then without and with synonyms; or `unproven`.
    pub proof: &'static str,
}

/// The stemmers of the newest Snowball that is there as a crate, as signatures name them.
pub(crate) const SNOWBALL: &str = "snowball-3.0";

/// The dictionaries that cut text without spaces into words, with their version, as signatures name them.
pub(crate) const WORDS: &str = "icu4x-2.4.0";

#[cfg(feature = "languages")]
const UNPROVEN: &str = "unproven";

#[cfg(feature = "languages")]
const fn stemmed(code: &'static str, name: &'static str) -> Language {
    Language {
        code,
        name,
        tokens: Split::Intl,
        stems: Some(SNOWBALL),
        synonyms: None,
        source: Some("Snowball 3.0"),
        licence: Some("BSD-3-Clause, MIT"),
        proof: UNPROVEN,
    }
}

#[cfg(feature = "languages")]
const fn plain(code: &'static str, name: &'static str, tokens: Split) -> Language {
    Language {
        code,
        name,
        tokens,
        stems: None,
        synonyms: None,
        source: None,
        licence: None,
        proof: UNPROVEN,
    }
}

/// All languages, by code.
///
/// ```
/// # #[cfg(feature = "languages")] {
/// let chinese = bolide::language::find("zh-Hant")?;
/// assert_eq!((chinese.code, chinese.tokens.name(), chinese.stems), ("zh", "unspaced", None));
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
#[cfg(feature = "languages")]
pub const LANGUAGES: &[Language] = &[
    stemmed("ar", "Arabic"),
    plain("bg", "Bulgarian", Split::Intl),
    plain("bn", "Bengali", Split::Intl)
        .proven("WMT21 Flores .129 to .172"),
    stemmed("ca", "Catalan"),
    plain("cs", "Czech", Split::Intl)
        .proven("WMT18 .976 to .983, WMT19 .950 to .948, WMT21 .931 to .933; synonyms: WMT18 .983 to .982, WMT19 .948 to .939, WMT21 .933 to .931"),
    stemmed("da", "Danish"),
    stemmed("de", "German")
        .proven("WMT18 .980 to .976, WMT19 .864 to .841, WMT21 .437 to .427; synonyms: WMT18 .976 to .975, WMT19 .841 to .848, WMT21 .427 to .409"),
    stemmed("el", "Greek"),
    ENGLISH,
    stemmed("eo", "Esperanto"),
    stemmed("es", "Spanish"),
    stemmed("et", "Estonian")
        .proven("WMT18 .968 to .963"),
    stemmed("eu", "Basque"),
    plain("fa", "Persian", Split::Intl),
    stemmed("fi", "Finnish")
        .proven("WMT18 .970 to .932, WMT19 .961 to .959"),
    stemmed("fr", "French")
        .proven("WMT19 .472 to .826, WMT21 .079 to .184; synonyms: WMT19 .826 to .739, WMT21 .184 to .152"),
    stemmed("ga", "Irish"),
    plain("gl", "Galician", Split::Intl),
    plain("gu", "Gujarati", Split::Intl)
        .proven("WMT19 .817 to .818"),
    plain("ha", "Hausa", Split::Intl)
        .proven("WMT21 .540 to .487"),
    plain("he", "Hebrew", Split::Intl),
    stemmed("hi", "Hindi")
        .proven("WMT21 Flores .093 to .096"),
    plain("hr", "Croatian", Split::Intl),
    stemmed("hu", "Hungarian"),
    stemmed("hy", "Armenian"),
    stemmed("id", "Indonesian"),
    plain("is", "Icelandic", Split::Intl)
        .proven("WMT21 .933 to .933; synonyms: WMT21 .933 to .933"),
    stemmed("it", "Italian"),
    plain("ja", "Japanese", Split::Unspaced)
        .proven("WMT21 -.256 to .795; synonyms: WMT21 .809 to .816"),
    plain("ka", "Georgian", Split::Intl),
    plain("kk", "Kazakh", Split::Intl)
        .proven("WMT19 .929 to .934"),
    plain("km", "Khmer", Split::Words),
    plain("ko", "Korean", Split::Intl),
    plain("lo", "Lao", Split::Words),
    plain("lt", "Lithuanian", Split::Intl)
        .proven("WMT19 .969 to .967"),
    plain("lv", "Latvian", Split::Intl),
    plain("ml", "Malayalam", Split::Intl),
    plain("mr", "Marathi", Split::Intl),
    plain("ms", "Malay", Split::Intl),
    plain("my", "Burmese", Split::Words),
    stemmed("ne", "Nepali"),
    stemmed("nl", "Dutch"),
    stemmed("no", "Norwegian"),
    plain("pl", "Polish", Split::Intl),
    plain("ps", "Pashto", Split::Intl),
    stemmed("pt", "Portuguese"),
    stemmed("ro", "Romanian"),
    stemmed("ru", "Russian")
        .proven("WMT18 .987 to .987, WMT19 .977 to .958, WMT21 .812 to .766; synonyms: WMT18 .987 to .987, WMT19 .958 to .950, WMT21 .766 to .735"),
    plain("sk", "Slovak", Split::Intl),
    plain("sl", "Slovenian", Split::Intl),
    plain("sq", "Albanian", Split::Intl),
    stemmed("sr", "Serbian"),
    stemmed("sv", "Swedish"),
    plain("sw", "Swahili", Split::Intl),
    stemmed("ta", "Tamil"),
    plain("te", "Telugu", Split::Intl),
    plain("th", "Thai", Split::Words),
    stemmed("tr", "Turkish")
        .proven("WMT18 .904 to .929"),
    plain("uk", "Ukrainian", Split::Intl),
    plain("ur", "Urdu", Split::Intl),
    plain("vi", "Vietnamese", Split::Intl),
    plain("xh", "Xhosa", Split::Intl)
        .proven("WMT21 Flores .306 to .290"),
    stemmed("yi", "Yiddish"),
    plain("zh", "Chinese", Split::Unspaced)
        .proven("WMT18 .609 to .946, WMT19 .790 to .901, WMT21 .136 to .488"),
    plain("zu", "Zulu", Split::Intl)
        .proven("WMT21 Flores .244 to .252"),
];

/// The languages of this build: the feature `languages` adds the others.
#[cfg(not(feature = "languages"))]
pub const LANGUAGES: &[Language] = &[ENGLISH];

/// What a metric takes that names no language.
pub(crate) const ENGLISH: Language = Language {
    code: "en",
    name: "English",
    tokens: Split::Nltk,
    stems: Some("porter"),
    synonyms: Some("wordnet-3.0"),
    source: Some("Porter's stemmer, WordNet 3.0"),
    licence: Some("WordNet 3.0"),
    proof: "WMT15: .578, WMT16: .534, WMT17: .557",
};

/// A language with the tables of synonyms that are installed for it.
///
/// With the feature `serde` it is written as the language with a list `tables`.
#[cfg(feature = "languages")]
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct WithTables {
    /// The language.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub language: &'static Language,
    /// The tables, the default first.
    pub tables: Vec<InstalledTable>,
}

/// A table of synonyms that is installed.
#[cfg(feature = "languages")]
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct InstalledTable {
    /// Its name in signatures.
    pub name: String,
    /// The work that it was compiled from.
    pub source: String,
    /// The licence of that work, as its file has it.
    pub licence: String,
    /// The number of sets.
    pub n_sets: usize,
    /// The number of different words.
    pub n_words: usize,
}

/// All languages with the tables that are installed for them, by code.
#[cfg(feature = "languages")]
pub fn with_tables(resources: &crate::Resources) -> Result<Vec<WithTables>> {
    let with_tables = |language: &'static Language| {
        let tables = resources.synonym_tables(language)?;
        let describe = |table: &crate::lexicon::synonyms::SynonymTable| InstalledTable {
            name: table.name(),
            source: table.about().source.clone(),
            licence: table.about().licence.clone(),
            n_sets: table.len(),
            n_words: table.n_words(),
        };
        Ok(WithTables { language, tables: tables.iter().map(describe).collect() })
    };
    LANGUAGES.iter().map(with_tables).collect()
}

/// The language of a BCP 47 tag, by its code or the one that it had before (`iw` for `he`). Script, region and the like
/// are allowed and change nothing.
pub fn find(tag: &str) -> Result<&'static Language> {
    let mut subtags = tag.split(['-', '_']);
    let code = subtags.next().unwrap_or_default().to_ascii_lowercase();
    let is_subtag = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    if !subtags.all(is_subtag) {
        return Err(unknown(tag));
    }
    let code =
        codes::SAME.iter().find(|(other, _)| *other == code).map_or(&*code, |&(_, code)| code);
    LANGUAGES.iter().find(|language| language.code == code).ok_or_else(|| unknown(tag))
}

#[cfg(not(feature = "languages"))]
fn unknown(tag: &str) -> Error {
    let message = format!(
        "language:{tag} is not part of this build, which has English only; the command `bolide` and the Python \
         package have the others"
    );
    Error::new(ErrorKind::Unavailable, message)
}

#[cfg(feature = "languages")]
fn unknown(tag: &str) -> Error {
    if tag.eq_ignore_ascii_case("auto") {
        let message = "a language is not guessed: the key 'language' names it, as in language:de; without the key texts are \
                       taken for English, with a hint where their script does not fit";
        return Error::new(ErrorKind::InvalidSignature, message);
    }
    let near = near(&tag.to_lowercase());
    let codes = if near.is_empty() {
        let codes: Vec<&str> = LANGUAGES.iter().map(|language| language.code).collect();
        format!("the codes are {}", codes.join(", "))
    } else {
        let near: Vec<String> =
            near.iter().map(|language| format!("{} ({})", language.code, language.name)).collect();
        format!("near it are {}", near.join(", "))
    };
    let message = format!("there is no language '{tag}': {codes}");
    Error::new(ErrorKind::InvalidSignature, message)
}

/// The language that has this code elsewhere, or those whose name begins as the tag does: for `deu` and `german`, German.
#[cfg(feature = "languages")]
fn near(tag: &str) -> Vec<&'static Language> {
    let letters = tag.split(['-', '_', ' ']).next().unwrap_or_default();
    if let Some(language) = of_three_letters(letters).or_else(|| codes::of_country(letters)) {
        return vec![language];
    }
    let begins = |language: &&Language| {
        let name = language.name.to_lowercase();
        !letters.is_empty() && (name.starts_with(letters) || letters.starts_with(&name))
    };
    let near: Vec<&Language> = LANGUAGES.iter().filter(begins).collect();
    if !near.is_empty() {
        return near;
    }
    let first = |text: &str| text.chars().next();
    let letter = first(tag);
    LANGUAGES.iter().filter(|language| letter.is_some() && first(language.code) == letter).collect()
}

impl Language {
    #[cfg(feature = "languages")]
    const fn proven(self, proof: &'static str) -> Self {
        Language { proof, ..self }
    }

    /// Whether the capital of `i` has a dot and `I` is the capital of `ı`.
    pub(crate) fn dots_its_i(&self) -> bool {
        self.code == "tr"
    }
}

#[cfg(all(test, feature = "languages"))]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_found_in_every_form() {
        assert!(LANGUAGES.is_sorted_by(|a, b| a.code < b.code));
        for language in LANGUAGES {
            let tags = [language.code.to_uppercase(), format!("{}-Latn-001", language.code)];
            for tag in tags.iter().map(String::as_str).chain([language.code]) {
                assert_eq!(find(tag).unwrap(), language);
            }
        }
        for (tag, code) in [
            ("nb", "no"),
            ("nn-NO", "no"),
            ("iw", "he"),
            ("IN", "id"),
            ("ji", "yi"),
            ("mo_MD", "ro"),
        ] {
            assert_eq!(find(tag).unwrap().code, code);
        }
    }

    #[test]
    fn an_unknown_code_gets_those_near_it() {
        for (tag, near) in [
            ("deu", "near it are de (German)"),
            ("german", "near it are de (German)"),
            ("zho-Hant", "near it are zh (Chinese)"),
            ("Slovak (SK)", "near it are sk (Slovak)"),
            ("gle", "near it are ga (Irish)"),
            ("slk", "near it are sk (Slovak)"),
            ("rum", "near it are ro (Romanian)"),
            ("cmn-Hans", "near it are zh (Chinese)"),
            ("cn", "near it are zh (Chinese)"),
            ("se", "near it are sv (Swedish)"),
            ("est", "near it are et (Estonian)"),
            ("ge", "near it are de (German), ka (Georgian)"),
            ("ux", "near it are uk (Ukrainian), ur (Urdu)"),
        ] {
            let problem = find(tag).unwrap_err().to_string();
            assert_eq!(problem, format!("there is no language '{tag}': {near}"));
        }
        for tag in ["", "qq", "de-", "de-a b", "1"] {
            let problem = find(tag).unwrap_err().to_string();
            assert!(problem.starts_with(&format!("there is no language '{tag}': ")), "{problem}");
        }
        assert!(find("qq").unwrap_err().to_string().contains("the codes are ar, bg, "));
    }
}
