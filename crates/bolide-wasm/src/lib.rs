//! bolide in a JavaScript engine: strings in, plain objects out.
//!
//! An [`Engine`] holds the tables and the metrics that were built, and converts: it computes
//! nothing about any metric. The small tables are compiled in; WordNet comes from the page, as
//! bytes. The types that TypeScript sees are written by hand in `types.d.ts`.
#![forbid(unsafe_code)]

use bolide::lexicon::Lexicon;
use bolide::signature::{Expects, Key, VERSION};
use bolide::text::{Punkt, WordTokenizer};
use bolide::{AnyMetric, DIALECTS, ErrorKind, Report, Resources, Segment, Text, Value};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

/// How many metrics are kept after use. Sliders make a new one with every step.
const KEPT_METRICS: usize = 32;

/// The tables, and the metrics that were built with them.
#[wasm_bindgen]
pub struct Engine {
    resources: Resources,
    metrics: Vec<(String, AnyMetric)>,
}

#[wasm_bindgen]
impl Engine {
    /// An engine with the sentence model and METEOR 1.5's word lists, and without WordNet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Engine, JsValue> {
        let punkt = Punkt::from_bytes(bolide_data::PUNKT_ENGLISH).map_err(thrown)?;
        let resources = Resources::none()
            .with_word_tokenizer(WordTokenizer::new(punkt))
            .with_meteor15_words(bolide_data::METEOR15_WORDS);
        Ok(Engine { resources, metrics: Vec::new() })
    }

    /// Adds WordNet from the bytes of `wordnet-3.0.dat`.
    #[wasm_bindgen(js_name = loadLexicon)]
    pub fn load_lexicon(&mut self, bytes: Vec<u8>) -> Result<(), JsValue> {
        let lexicon = Lexicon::from_bytes(bytes).map_err(thrown)?;
        self.resources = self.resources.clone().with_lexicon(lexicon);
        self.metrics.clear();
        Ok(())
    }

    /// The version of bolide.
    #[wasm_bindgen(getter)]
    pub fn version(&self) -> String {
        VERSION.to_owned()
    }

    /// The registry: every dialect, what it reproduces, its keys, and what it is missing.
    #[wasm_bindgen(unchecked_return_type = "Dialect[]")]
    pub fn dialects(&self) -> Result<JsValue, JsValue> {
        let entry = |dialect: &'static bolide::Dialect| DialectEntry {
            name: dialect.name,
            aliases: dialect.aliases,
            reproduces: dialect.reproduces,
            summary: dialect.summary,
            agreement: dialect.agreement,
            decimals: dialect.decimals,
            lower_is_better: dialect.lower_is_better,
            keys: keys_of(dialect, &self.resources),
            needs: missing_table(AnyMetric::build(dialect.name, &self.resources)),
        };
        plain(&DIALECTS.iter().map(entry).collect::<Vec<_>>())
    }

    /// The full signature of a partial one.
    pub fn signature(&mut self, metric: &str) -> Result<String, JsValue> {
        Ok(self.metric(metric)?.signature().to_string())
    }

    /// The score of one segment.
    #[wasm_bindgen(unchecked_return_type = "Report")]
    pub fn score(
        &mut self,
        metric: &str,
        hypothesis: &str,
        references: Vec<String>,
    ) -> Result<JsValue, JsValue> {
        let metric = self.metric(metric)?;
        let references = raw(&references);
        let segment = Segment::new(Text::Raw(hypothesis), &references).map_err(thrown)?;
        let stats = metric.scorer().segment(segment);
        plain(&Scored(metric.finish_segment(&stats)))
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
        let references = raw(&references);
        let segment = Segment::new(Text::Raw(hypothesis), &references).map_err(thrown)?;
        match metric.explain(segment) {
            Some(explanation) => plain(&explanation),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// Starts a corpus, to be fed in slices so that the caller can show its progress.
    pub fn corpus(&mut self, metric: &str) -> Result<Corpus, JsValue> {
        let metric = self.metric(metric)?.clone();
        let stats = metric.empty();
        Ok(Corpus { metric, stats })
    }
}

impl Engine {
    fn metric(&mut self, name: &str) -> Result<&AnyMetric, JsValue> {
        let at = match self.metrics.iter().position(|(known, _)| known == name) {
            Some(at) => at,
            None => {
                let metric = AnyMetric::build(name, &self.resources).map_err(thrown)?;
                if self.metrics.len() == KEPT_METRICS {
                    self.metrics.remove(0);
                }
                self.metrics.push((name.to_owned(), metric));
                self.metrics.len() - 1
            }
        };
        Ok(&self.metrics[at].1)
    }
}

/// A corpus in the making.
#[wasm_bindgen]
pub struct Corpus {
    metric: AnyMetric,
    stats: bolide::AnyStats,
}

#[wasm_bindgen]
impl Corpus {
    /// Scores the next segments: one hypothesis and one list of references each.
    #[wasm_bindgen(unchecked_return_type = "Report[]")]
    pub fn add(
        &mut self,
        hypotheses: Vec<String>,
        #[wasm_bindgen(unchecked_param_type = "string[][]")] references: JsValue,
    ) -> Result<JsValue, JsValue> {
        let references: Vec<Vec<String>> = serde_wasm_bindgen::from_value(references)?;
        if references.len() != hypotheses.len() {
            return Err(js_error(
                "InvalidSegment",
                &format!(
                    "{} hypotheses need as many lists of references, got {}",
                    hypotheses.len(),
                    references.len()
                ),
            ));
        }
        let mut scorer = self.metric.scorer();
        let mut reports = Vec::with_capacity(hypotheses.len());
        for (hypothesis, references) in hypotheses.iter().zip(&references) {
            let references = raw(references);
            let segment = Segment::new(Text::Raw(hypothesis), &references).map_err(thrown)?;
            let stats = scorer.segment(segment);
            reports.push(Scored(self.metric.finish_segment(&stats)));
            self.stats.merge(&stats);
        }
        plain(&reports)
    }

    /// The score of everything added so far.
    #[wasm_bindgen(unchecked_return_type = "Report")]
    pub fn finish(&self) -> Result<JsValue, JsValue> {
        plain(&Scored(self.metric.finish(&self.stats)))
    }
}

/// The registry's own names always parse, so that an error here is an empty list.
fn keys_of(dialect: &bolide::Dialect, resources: &Resources) -> Vec<KeyEntry> {
    dialect.keys(resources).unwrap_or_default().into_iter().map(KeyEntry::of).collect()
}

/// What a dialect lacks here, in the engine's words.
fn missing_table(built: bolide::Result<AnyMetric>) -> Option<String> {
    built.err().map(|problem| problem.to_string())
}

fn raw(texts: &[String]) -> Vec<Text<'_>> {
    texts.iter().map(|text| Text::Raw(text)).collect()
}

#[derive(Serialize)]
struct DialectEntry {
    name: &'static str,
    aliases: &'static [&'static str],
    reproduces: &'static str,
    summary: &'static str,
    agreement: &'static str,
    decimals: usize,
    lower_is_better: bool,
    keys: Vec<KeyEntry>,
    needs: Option<String>,
}

/// One flat form for all kinds of key: what does not apply is left out.
#[derive(Default, Serialize)]
struct KeyEntry {
    name: &'static str,
    expects: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<f64>,
}

impl KeyEntry {
    fn of(key: Key) -> Self {
        let entry = KeyEntry { name: key.name, ..KeyEntry::default() };
        match key.expects {
            Expects::Word(words) => KeyEntry { expects: "word", words: Some(words), ..entry },
            Expects::Number => KeyEntry { expects: "number", ..entry },
            Expects::Whole(bounds) => KeyEntry {
                expects: "whole",
                min: Some(*bounds.start() as f64),
                max: Some(*bounds.end() as f64),
                ..entry
            },
            _ => KeyEntry { expects: "text", ..entry },
        }
    }
}

/// A report; its components are the keys of an object, in their order.
struct Scored(Report);

impl Serialize for Scored {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("score", &self.0.score)?;
        map.serialize_entry("components", &Components(&self.0))?;
        map.end()
    }
}

struct Components<'a>(&'a Report);

impl Serialize for Components<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let components = &self.0.components;
        let mut map = serializer.serialize_map(Some(components.len()))?;
        for (name, value) in components {
            match *value {
                Value::Count(n) => map.serialize_entry(name, &n)?,
                Value::Number(x) => map.serialize_entry(name, &x)?,
                Value::Flag(flag) => map.serialize_entry(name, &flag)?,
            }
        }
        map.end()
    }
}

/// Maps become plain objects and large integers plain numbers, as in JSON.
fn plain<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).map_err(JsValue::from)
}

/// The engine's error as a JavaScript `Error` whose `name` is the kind.
fn thrown(problem: bolide::Error) -> JsValue {
    let name = match problem.kind() {
        ErrorKind::UnknownDialect => "UnknownDialect",
        ErrorKind::InvalidSignature => "InvalidSignature",
        ErrorKind::InvalidSegment => "InvalidSegment",
        ErrorKind::InvalidTable => "InvalidTable",
        ErrorKind::Unavailable => "Unavailable",
        _ => "Error",
    };
    js_error(name, &problem.to_string())
}

fn js_error(name: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    error.set_name(name);
    error.into()
}
