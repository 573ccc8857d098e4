//! The languages beside English. Their synonyms come from the page: a metric that needs a table that is not loaded fails with an
//! error that names its file.

use crate::{Engine, plain, thrown};
use bolide::unstable::lexicon::synonyms::{BUILTIN, SynonymTable, unpack};
use bolide::unstable::meteor15::paraphrase::Table;
use bolide::unstable::meteor15::{Language, StemTable};
use bolide::unstable::text::dictionaries;
use bolide::{Error, ErrorKind, LANGUAGES, TableSource};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Engine {
    /// The languages of the engine, as `bolide languages` lists them.
    #[wasm_bindgen(unchecked_return_type = "Language[]")]
    pub fn languages(&self) -> Result<JsValue, JsValue> {
        plain(&LANGUAGES)
    }

    /// Adds the synonyms of a language from the bytes of a file of `bolide-synonyms`.
    #[wasm_bindgen(js_name = loadSynonyms)]
    pub fn load_synonyms(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        let table = unpack(bytes).and_then(SynonymTable::from_bytes).map_err(thrown)?;
        self.resources = self.resources.clone().with_synonyms(table);
        self.metrics.clear();
        Ok(())
    }

    /// Takes the dictionaries of `tok:words` from the bytes of the file that `bolide serve` sends, for all engines of this module.
    #[wasm_bindgen(js_name = loadWords)]
    pub fn load_words(&mut self, bytes: Vec<u8>) -> Result<(), JsValue> {
        dictionaries::give(bytes).map_err(thrown)
    }
}

/// The tables that the page fetches: none is there before it was loaded.
#[derive(Debug)]
pub(crate) struct Fetched;

impl TableSource for Fetched {
    fn paraphrases(&self, _: Language) -> bolide::Result<Option<Table>> {
        Ok(None)
    }

    fn stems(&self, _: Language) -> bolide::Result<Option<StemTable>> {
        Ok(None)
    }

    fn synonyms(&self, origin: &str, language: &str) -> bolide::Result<Option<SynonymTable>> {
        if origin != BUILTIN || !bolide_synonyms::LANGUAGES.contains(&language) {
            return Ok(None);
        }
        let message =
            format!("language:{language} needs synonyms-{language}.dat, which is not loaded");
        Err(Error::new(ErrorKind::Unavailable, message))
    }
}
