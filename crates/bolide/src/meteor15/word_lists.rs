//! Function words and non-breaking prefixes, by language, from one small text table.

use super::language::Language;
use super::normalize::Prefixes;
use rustc_hash::FxHashSet;

/// The words of a language that carry little meaning. A word counts if its lower-cased form is here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionWords {
    words: FxHashSet<String>,
}

impl FunctionWords {
    /// Takes words as given.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        FunctionWords { words: words.into_iter().map(str::to_owned).collect() }
    }

    /// Whether a word counts as a function word.
    pub fn contains(&self, word: &str) -> bool {
        if word.bytes().any(|b| b.is_ascii_uppercase() || !b.is_ascii()) {
            self.words.contains(word.to_lowercase().as_str())
        } else {
            self.words.contains(word)
        }
    }
}

/// The word lists of all languages: lines of a kind, a language and words (see `bolide-data`).
#[derive(Clone, Copy, Debug)]
pub struct WordLists<'a> {
    table: &'a str,
}

impl<'a> WordLists<'a> {
    /// Reads from a table of lines.
    pub fn new(table: &'a str) -> Self {
        WordLists { table }
    }

    /// The embedded lists.
    #[cfg(feature = "meteor15-words")]
    pub fn embedded() -> WordLists<'static> {
        WordLists { table: bolide_data::METEOR15_WORDS }
    }

    /// The function words of a language.
    pub fn function_words(&self, language: Language) -> FunctionWords {
        FunctionWords::new(self.words("function", language))
    }

    /// The prefixes of a language.
    pub fn prefixes(&self, language: Language) -> Prefixes {
        Prefixes::new(self.words("prefix", language), self.words("numeric", language))
    }

    fn words(&self, kind: &'a str, language: Language) -> impl Iterator<Item = &'a str> + use<'a> {
        let lists = self.table.lines().filter_map(move |line| {
            let mut fields = line.split('\t');
            let fits = fields.next() == Some(kind) && fields.next() == Some(language.name());
            if fits { fields.next() } else { None }
        });
        lists.flat_map(|words| words.split(' '))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_found_by_kind_and_language() {
        let lists = WordLists::new("function\tenglish\ta the\nprefix\tgerman\tDr Nr\n");
        let words = lists.function_words(Language::English);
        assert!(words.contains("the") && words.contains("The") && !words.contains("cat"));
        assert!(!lists.function_words(Language::German).contains("the"));
    }

    #[cfg(feature = "meteor15-words")]
    #[test]
    fn the_embedded_lists_have_the_sizes_of_the_jar() {
        let lists = WordLists::new(bolide_data::METEOR15_WORDS);
        for (language, n_function, n_prefixes, n_numeric) in [
            (Language::English, 93, 90, 3),
            (Language::Czech, 68, 0, 0),
            (Language::French, 85, 145, 0),
            (Language::German, 92, 298, 0),
            (Language::Russian, 62, 247, 0),
            (Language::Spanish, 66, 110, 0),
            (Language::Danish, 0, 0, 0),
        ] {
            let count = |kind| lists.words(kind, language).count();
            assert_eq!(
                (count("function"), count("prefix"), count("numeric")),
                (n_function, n_prefixes, n_numeric),
                "{language:?}"
            );
        }
    }
}
