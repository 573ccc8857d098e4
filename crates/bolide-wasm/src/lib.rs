//! bolide for JavaScript: strings in, plain objects out.
//!
//! An [`Engine`] holds the tables and the metrics that were built, and converts: it computes nothing about
//! any metric. The small tables are compiled in; the page passes WordNet as bytes. Objects have the
//! serialised shape of the Rust engine; `types.d.ts` describes it for TypeScript, and the page's tests check
//! that the two agree.
#![forbid(unsafe_code)]

#[cfg(feature = "languages")]
mod languages;

use bolide::unstable::meteor15::Language;
use bolide::unstable::meteor15::paraphrase::{Records, Table};
use bolide::{DIALECTS, Dialect, ErrorKind, Metric, Resources, Segment, Text, VERSION, dialect};
use serde::Serialize;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

/// The number of metrics that are kept after use. A slider builds a new one with every step.
const KEPT_METRICS: usize = 32;

/// The tables, and the metrics that were built with them.
#[wasm_bindgen]
pub struct Engine {
    resources: Resources,
    metrics: Vec<Metric>,
}

#[wasm_bindgen]
impl Engine {
    /// An engine with the sentence model and METEOR 1.5's word lists, and without WordNet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Engine, JsValue> {
        let resources = Resources::none()
            .with_punkt(bolide_data::PUNKT_ENGLISH)
            .map_err(thrown)?
            .with_meteor15_words(bolide_data::METEOR15_WORDS);
        #[cfg(feature = "languages")]
        let resources = resources.with_tables(std::sync::Arc::new(languages::Fetched));
        Ok(Engine { resources, metrics: Vec::new() })
    }

    /// Adds WordNet from the bytes of `wordnet-3.0.dat`.
    #[wasm_bindgen(js_name = loadLexicon)]
    pub fn load_lexicon(&mut self, bytes: Vec<u8>) -> Result<(), JsValue> {
        self.resources = self.resources.clone().with_wordnet(bytes).map_err(thrown)?;
        self.metrics.clear();
        Ok(())
    }

    /// Adds METEOR 1.5's paraphrases from the bytes that a [`Paraphrases`] made, and returns how many there are.
    #[wasm_bindgen(js_name = loadParaphrases)]
    pub fn load_paraphrases(&mut self, bytes: Vec<u8>) -> Result<usize, JsValue> {
        let table = Table::from_bytes(bytes).map_err(thrown)?;
        table.verify().map_err(thrown)?;
        let n = table.len();
        let language = language(table.language())?;
        self.resources = self.resources.clone().with_paraphrases(language, table);
        self.metrics.clear();
        Ok(n)
    }

    /// The version of bolide.
    #[wasm_bindgen(getter)]
    pub fn version(&self) -> String {
        VERSION.to_owned()
    }

    /// The registry: every dialect, what it reproduces and declares, its keys, and what it is missing.
    #[wasm_bindgen(unchecked_return_type = "Dialect[]")]
    pub fn dialects(&self) -> Result<JsValue, JsValue> {
        let listing = |dialect: &'static Dialect| dialect.listing(&self.resources);
        plain(&DIALECTS.iter().map(listing).collect::<Vec<_>>())
    }

    /// One dialect of the registry: that of a metric by its name or its signature. Listing all takes longer than a score.
    #[wasm_bindgen(unchecked_return_type = "Dialect")]
    pub fn dialect(&self, metric: &str) -> Result<JsValue, JsValue> {
        let name = metric.split('|').next().unwrap_or_default();
        plain(&dialect::find(name).map_err(thrown)?.listing(&self.resources))
    }

    /// The families of dialects, in the same order.
    #[wasm_bindgen(unchecked_return_type = "Family[]")]
    pub fn families(&self) -> Result<JsValue, JsValue> {
        plain(&dialect::families())
    }

    /// The full signature of a partial one.
    pub fn signature(&mut self, metric: &str) -> Result<String, JsValue> {
        Ok(self.metric(metric)?.signature().to_string())
    }

    /// The score of one segment.
    #[wasm_bindgen(unchecked_return_type = "Score")]
    pub fn score(
        &mut self,
        metric: &str,
        hypothesis: &str,
        references: Vec<String>,
    ) -> Result<JsValue, JsValue> {
        let score = self.metric(metric)?.score(hypothesis, &strings(&references));
        plain(&score.map_err(thrown)?)
    }

    /// The alignment of one segment and every step to its score; `undefined` for a metric that has
    /// no alignment.
    #[wasm_bindgen(unchecked_return_type = "Explanation | undefined")]
    pub fn explain(
        &mut self,
        metric: &str,
        hypothesis: &str,
        references: Vec<String>,
    ) -> Result<JsValue, JsValue> {
        let metric = self.metric(metric)?;
        if !metric.dialect().alignment {
            return Ok(JsValue::UNDEFINED);
        }
        plain(&metric.explain(hypothesis, &strings(&references)).map_err(thrown)?)
    }

    /// What the score of one segment was counted from: n-grams, edits, the steps of the formula; `undefined` for a
    /// metric whose alignment shows all of it.
    #[wasm_bindgen(unchecked_return_type = "Evidence | undefined")]
    pub fn evidence(
        &mut self,
        metric: &str,
        hypothesis: &str,
        references: Vec<String>,
    ) -> Result<JsValue, JsValue> {
        let evidence = self.metric(metric)?.evidence(hypothesis, &strings(&references));
        match evidence.map_err(thrown)? {
            Some(evidence) => plain(&evidence),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// Why the score of a segment may mean little, such as letters of another language; `undefined` for nearly all.
    pub fn hint(
        &mut self,
        metric: &str,
        hypothesis: &str,
        references: Vec<String>,
    ) -> Result<Option<String>, JsValue> {
        Ok(self.metric(metric)?.hint(hypothesis, &strings(&references)))
    }

    /// Starts a corpus, to be fed in slices so that the caller can show its progress.
    pub fn corpus(&mut self, metric: &str) -> Result<Corpus, JsValue> {
        Ok(Corpus(self.metric(metric)?.corpus()))
    }
}

impl Engine {
    fn metric(&mut self, name: &str) -> Result<&Metric, JsValue> {
        let at = match self.metrics.iter().position(|known| known.name() == name) {
            Some(at) => at,
            None => {
                let metric = Metric::build(name, &self.resources).map_err(thrown)?;
                if self.metrics.len() == KEPT_METRICS {
                    self.metrics.remove(0);
                }
                self.metrics.push(metric);
                self.metrics.len() - 1
            }
        };
        Ok(&self.metrics[at])
    }
}

/// A corpus in the making.
#[wasm_bindgen]
pub struct Corpus(bolide::Corpus);

#[wasm_bindgen]
impl Corpus {
    /// Scores the next segments: one hypothesis and one list of references each.
    #[wasm_bindgen(unchecked_return_type = "Score[]")]
    pub fn add(
        &mut self,
        hypotheses: Vec<String>,
        #[wasm_bindgen(unchecked_param_type = "string[][]")] references: JsValue,
    ) -> Result<JsValue, JsValue> {
        let references: Vec<Vec<String>> = serde_wasm_bindgen::from_value(references)?;
        if references.len() != hypotheses.len() {
            return Err(thrown(bolide::Error::new(
                ErrorKind::InvalidSegment,
                format!(
                    "{} hypotheses need as many lists of references, got {}",
                    hypotheses.len(),
                    references.len()
                ),
            )));
        }
        let metric = self.0.metric().clone();
        let mut scorer = metric.scorer();
        let mut scores = Vec::with_capacity(hypotheses.len());
        for (hypothesis, references) in hypotheses.iter().zip(&references) {
            let references: Vec<Text<'_>> = references.iter().map(|text| Text::Raw(text)).collect();
            let segment = Segment::new(Text::Raw(hypothesis), &references).map_err(thrown)?;
            let statistics = scorer.statistics(segment);
            scores.push(metric.finish_segment(&statistics).map_err(thrown)?);
            self.0.push_statistics(&statistics, references.len()).map_err(thrown)?;
        }
        plain(&scores)
    }

    /// The score of everything added so far.
    #[wasm_bindgen(unchecked_return_type = "Score")]
    pub fn finish(&self) -> Result<JsValue, JsValue> {
        plain(&self.0.score().map_err(thrown)?)
    }
}

/// A paraphrase table in the making, from the text of the user's own file, unpacked.
#[wasm_bindgen]
#[derive(Default)]
pub struct Paraphrases(Records);

#[wasm_bindgen]
impl Paraphrases {
    /// A table without records.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Paraphrases {
        Paraphrases(Records::new())
    }

    /// Reads the next bytes of the text.
    pub fn read(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.0.read(bytes).map_err(thrown)
    }

    /// The compiled table. `code` is the language, as in `paraphrase-en.gz`; `source` is the SHA-256 of the file,
    /// which names the table in signatures.
    pub fn finish(self, code: &str, source: &[u8]) -> Result<Vec<u8>, JsValue> {
        let source: [u8; 32] = source.try_into().map_err(|_| {
            thrown(bolide::Error::new(ErrorKind::InvalidTable, "a SHA-256 has 32 bytes"))
        })?;
        let compiler = self.0.finish().map_err(thrown)?;
        if compiler.is_empty() {
            let message = "it holds no paraphrases";
            return Err(thrown(bolide::Error::new(ErrorKind::InvalidTable, message)));
        }
        compiler.finish(language(code)?.short(), source).map_err(thrown)
    }
}

fn language(code: &str) -> Result<Language, JsValue> {
    Language::parse(code).ok_or_else(|| {
        let message = format!("there is no language '{code}'");
        thrown(bolide::Error::new(ErrorKind::InvalidTable, message))
    })
}

fn strings(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

/// Maps become plain objects and large integers plain numbers, as in JSON.
fn plain<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).map_err(JsValue::from)
}

/// The engine's error as a JavaScript `Error` whose `name` is the kind.
fn thrown(problem: bolide::Error) -> JsValue {
    let error = js_sys::Error::new(&problem.to_string());
    error.set_name(&format!("{:?}", problem.kind()));
    error.into()
}
