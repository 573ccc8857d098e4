//! The tables that a metric may need, as the caller has them.
//!
//! With the feature `embedded` they are inside the program; a browser or a caller with its own
//! copies hands the bytes in. A metric that needs a table which is not there fails when it is
//! built, naming the table, never while scoring.

use crate::error::{Error, ErrorKind, Result};
use crate::lexicon::Lexicon;
use crate::text::WordTokenizer;
use std::sync::Arc;

/// Tables by purpose. Cloning is cheap.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Resources {
    lexicon: Option<Arc<Lexicon>>,
    word_tokenizer: Option<Arc<WordTokenizer>>,
}

impl Resources {
    /// No tables at all.
    pub fn none() -> Self {
        Self::default()
    }

    /// The tables inside the program.
    #[cfg(feature = "embedded")]
    pub fn embedded() -> Self {
        use std::sync::OnceLock;
        static EMBEDDED: OnceLock<Resources> = OnceLock::new();
        let load = || Resources {
            lexicon: Some(Arc::new(Lexicon::embedded().clone())),
            word_tokenizer: WordTokenizer::embedded().ok().map(Arc::new),
        };
        EMBEDDED.get_or_init(load).clone()
    }

    /// Adds WordNet.
    pub fn with_lexicon(self, lexicon: Lexicon) -> Self {
        Resources { lexicon: Some(Arc::new(lexicon)), ..self }
    }

    /// Adds a tokenizer with its sentence model.
    pub fn with_word_tokenizer(self, tokenizer: WordTokenizer) -> Self {
        Resources { word_tokenizer: Some(Arc::new(tokenizer)), ..self }
    }

    pub(crate) fn lexicon(&self, metric: &str) -> Result<Arc<Lexicon>> {
        self.lexicon.clone().ok_or_else(|| missing(metric, "WordNet table"))
    }

    pub(crate) fn word_tokenizer(&self, metric: &str) -> Result<Arc<WordTokenizer>> {
        self.word_tokenizer.clone().ok_or_else(|| missing(metric, "sentence model (Punkt)"))
    }
}

fn missing(metric: &str, table: &str) -> Error {
    Error::new(ErrorKind::Unavailable, format!("{metric} needs the {table}, which is not loaded"))
}
