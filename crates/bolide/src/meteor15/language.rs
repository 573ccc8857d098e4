//! The languages of METEOR 1.5: names, codes, and the defaults of each.

use super::task::Task;

/// One of the jar's eighteen languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each variant is the language it names")]
pub enum Language {
    English,
    Czech,
    French,
    Spanish,
    German,
    /// Arabic in Buckwalter's transliteration, reduced.
    Arabic,
    Portuguese,
    Russian,
    Danish,
    Romanian,
    Hungarian,
    Turkish,
    Finnish,
    Dutch,
    Italian,
    Norwegian,
    Swedish,
    /// Any other language: exact matches only, unless paraphrases are supplied.
    Other,
}

/// One way of proposing matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Module {
    /// Equal words.
    Exact,
    /// Equal stems of different words.
    Stem,
    /// A WordNet synset in common.
    Synonym,
    /// Phrases that a table pairs.
    Paraphrase,
}

impl Module {
    /// All modules, in the order that listings use.
    pub const ALL: [Module; 4] = [Module::Exact, Module::Stem, Module::Synonym, Module::Paraphrase];

    /// The full name.
    pub fn name(self) -> &'static str {
        match self {
            Module::Exact => "exact",
            Module::Stem => "stem",
            Module::Synonym => "synonym",
            Module::Paraphrase => "paraphrase",
        }
    }

    /// The two letters in an Eval ID.
    pub fn short(self) -> &'static str {
        &self.name()[..2]
    }

    /// Reads a full name in any case.
    pub fn parse(text: &str) -> Option<Module> {
        Self::ALL.into_iter().find(|module| module.name().eq_ignore_ascii_case(text))
    }
}

struct Row {
    language: Language,
    name: &'static str,
    /// The first code is the short name of Eval IDs, except for `other`.
    codes: &'static [&'static str],
    modules: &'static [Module],
    task: Task,
    tokenizer: bool,
}

use Module::{Exact, Paraphrase, Stem, Synonym};

const fn row(
    language: Language,
    name: &'static str,
    codes: &'static [&'static str],
    modules: &'static [Module],
    task: Task,
    tokenizer: bool,
) -> Row {
    Row { language, name, codes, modules, task, tokenizer }
}

const FULL: &[Module] = &[Exact, Stem, Synonym, Paraphrase];
const STEM_PARAPHRASE: &[Module] = &[Exact, Stem, Paraphrase];
const STEM: &[Module] = &[Exact, Stem];
/// The modules of the task `universal`, for every language.
pub(super) const UNIVERSAL: &[Module] = &[Exact, Paraphrase];

// In the order of the enum, so that a language is its own index.
const ROWS: [Row; 18] = [
    row(Language::English, "english", &["en"], FULL, Task::Rank, true),
    row(Language::Czech, "czech", &["cz", "cs"], UNIVERSAL, Task::Rank, true),
    row(Language::French, "french", &["fr"], STEM_PARAPHRASE, Task::Rank, true),
    row(Language::Spanish, "spanish", &["es"], STEM_PARAPHRASE, Task::Rank, true),
    row(Language::German, "german", &["de"], STEM_PARAPHRASE, Task::Rank, true),
    row(Language::Arabic, "arabic-buckwalter-reduced", &["ar-bw-red"], STEM, Task::Li, false),
    row(Language::Portuguese, "portuguese", &["pt"], STEM, Task::Li, false),
    row(Language::Russian, "russian", &["ru"], STEM_PARAPHRASE, Task::Rank, true),
    row(Language::Danish, "danish", &["da"], STEM, Task::Li, false),
    row(Language::Romanian, "romanian", &["ro"], STEM, Task::Li, false),
    row(Language::Hungarian, "hungarian", &["hu"], STEM, Task::Li, false),
    row(Language::Turkish, "turkish", &["tr"], STEM, Task::Li, false),
    row(Language::Finnish, "finnish", &["fi"], STEM, Task::Li, false),
    row(Language::Dutch, "dutch", &["nl"], STEM, Task::Li, false),
    row(Language::Italian, "italian", &["it"], STEM, Task::Li, false),
    row(Language::Norwegian, "norwegian", &["no"], STEM, Task::Li, false),
    row(Language::Swedish, "swedish", &["se", "sv"], STEM, Task::Li, false),
    row(Language::Other, "other", &["xx"], &[Exact], Task::Li, false),
];

impl Language {
    /// All languages, in the order of the jar's documentation.
    pub fn all() -> impl Iterator<Item = Language> {
        ROWS.iter().map(|row| row.language)
    }

    /// Reads a name or a code in any case.
    pub fn parse(text: &str) -> Option<Language> {
        let known = |row: &&Row| {
            row.name.eq_ignore_ascii_case(text)
                || row.codes.iter().any(|code| code.eq_ignore_ascii_case(text))
        };
        ROWS.iter().find(known).map(|row| row.language)
    }

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The full name in lower case.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The short name in Eval IDs and in the file names of paraphrase tables.
    pub fn short(self) -> &'static str {
        match self {
            Language::Other => "other",
            _ => self.row().codes[0],
        }
    }

    /// The default modules.
    pub fn default_modules(self) -> &'static [Module] {
        self.row().modules
    }

    /// The default task.
    pub fn default_task(self) -> Task {
        self.row().task
    }

    /// Whether the jar can tokenise this language (`-norm`).
    pub fn has_tokenizer(self) -> bool {
        self.row().tokenizer
    }

    /// Whether there is a stemmer. The Arabic one needs a table.
    pub fn has_stemmer(self) -> bool {
        !matches!(self, Language::Czech | Language::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_its_own_index() {
        for (at, language) in Language::all().enumerate() {
            assert_eq!(language as usize, at);
            assert_eq!(Language::parse(language.name()), Some(language));
            assert_eq!(Language::parse(&language.short().to_uppercase()), Some(language));
        }
    }

    #[test]
    fn second_codes_and_strangers() {
        assert_eq!(Language::parse("cs"), Some(Language::Czech));
        assert_eq!(Language::parse("sv"), Some(Language::Swedish));
        assert_eq!(Language::parse("xx"), Some(Language::Other));
        assert_eq!(Language::parse("qq"), None);
        assert_eq!(Module::parse("Stem"), Some(Module::Stem));
        assert_eq!(Module::parse("bogus"), None);
    }
}
