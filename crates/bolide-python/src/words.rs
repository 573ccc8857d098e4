//! Tokenizers, stemmers and WordNet for single texts and words, for the modules that imitate other packages.

use crate::error::raise;
use crate::metric::all_resources;
use crate::surrogates;
use bolide::unstable::bleu::sacrebleu::Tokenizer;
use bolide::unstable::lexicon::{Lexicon, porter, snowball_english};
use bolide::unstable::meteor::{Parameters, meteor_score_with};
use bolide::unstable::text::{
    Tokens, WordTokenizer, alphanumeric, ptb, tercom, whitespace, word_tokenize,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use std::sync::OnceLock;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tokenize_words, module)?)?;
    module.add_function(wrap_pyfunction!(tokenize_sentences, module)?)?;
    module.add_function(wrap_pyfunction!(tokenize, module)?)?;
    module.add_function(wrap_pyfunction!(tokenize_ptb, module)?)?;
    module.add_function(wrap_pyfunction!(tokenize_tercom, module)?)?;
    module.add_function(wrap_pyfunction!(tokenize_rouge, module)?)?;
    module.add_function(wrap_pyfunction!(stem_porter, module)?)?;
    module.add_function(wrap_pyfunction!(stem_snowball, module)?)?;
    module.add_function(wrap_pyfunction!(synsets, module)?)?;
    module.add_function(wrap_pyfunction!(textbook_meteor, module)?)
}

/// Applies a function to a text that may have surrogates; the result has them too.
fn of_text<'py>(
    text: &Bound<'py, PyString>,
    work: impl Fn(&str) -> PyResult<Vec<String>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = text.py();
    if let Ok(text) = text.to_str() {
        return PyList::new(py, work(text)?);
    }
    let replaced = surrogates::replaced(text)?.cast_into::<PyString>()?;
    let tokens = work(replaced.to_str()?)?;
    let tokens = tokens.iter().map(|token| surrogates::restored(py, token));
    PyList::new(py, tokens.collect::<PyResult<Vec<_>>>()?)
}

/// The same for a word that becomes another one.
fn of_word<'py>(
    word: &Bound<'py, PyString>,
    work: impl Fn(&str, &mut String),
) -> PyResult<Bound<'py, PyString>> {
    let py = word.py();
    let mut stem = String::new();
    if let Ok(word) = word.to_str() {
        work(word, &mut stem);
        return Ok(PyString::new(py, &stem));
    }
    let replaced = surrogates::replaced(word)?.cast_into::<PyString>()?;
    work(replaced.to_str()?, &mut stem);
    surrogates::restored(py, &stem)
}

/// The tokens of NLTK's `word_tokenize`.
#[pyfunction]
fn tokenize_words<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyList>> {
    of_text(text, words_of)
}

fn words_of(text: &str) -> PyResult<Vec<String>> {
    let mut tokens = Tokens::new();
    tokenizer()?.tokenize(text, &mut word_tokenize::Scratch::default(), &mut tokens);
    Ok(tokens.iter().map(str::to_owned).collect())
}

/// The sentences of NLTK's `sent_tokenize`.
#[pyfunction]
fn tokenize_sentences<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyList>> {
    of_text(text, |text| {
        let sentences = tokenizer()?.sentences(text).into_iter();
        Ok(sentences.map(|(start, end)| text.get(start..end).unwrap_or("").to_owned()).collect())
    })
}

/// NLTK's tokenizer with the embedded model.
fn tokenizer() -> PyResult<&'static WordTokenizer> {
    static TOKENIZER: OnceLock<Option<WordTokenizer>> = OnceLock::new();
    let tokenizer = TOKENIZER.get_or_init(|| WordTokenizer::embedded().ok());
    tokenizer
        .as_ref()
        .ok_or_else(|| PyValueError::new_err("the sentence model of this package is damaged"))
}

/// The tokens of the Stanford tokenizer that pycocoevalcap ships, in small letters, line by line.
#[pyfunction]
fn tokenize_ptb(py: Python<'_>, text: &str) -> String {
    py.detach(|| ptb::Tokenizer::new().tokenize(text))
}

/// The tokens of one of sacreBLEU's tokenizers: `13a`, `intl`, `zh`, `char`, `none`, or the pieces of `flores101` and
/// the like.
#[pyfunction]
fn tokenize<'py>(name: &str, text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyList>> {
    let tokenizer = Tokenizer::find(name, &all_resources()).map_err(raise)?;
    of_text(text, |text| {
        let mut tokens = Vec::new();
        let mut buffer = String::new();
        let text = whitespace::trim_end(text);
        tokenizer.each_token(text, &mut buffer, |token| tokens.push(token.to_owned()));
        Ok(tokens)
    })
}

/// The tokens of rouge-score's tokenizer, stemmed if `use_stemmer` is true.
#[pyfunction]
fn tokenize_rouge<'py>(
    text: &Bound<'py, PyString>,
    use_stemmer: bool,
) -> PyResult<Bound<'py, PyList>> {
    of_text(text, |text| {
        let mut tokens = Vec::new();
        let mut stem = String::new();
        alphanumeric::each_token(text, &mut String::new(), |token| {
            // Words of up to three letters are not stemmed.
            if use_stemmer && token.len() > 3 {
                porter::stem_any_case(token, &mut stem);
                tokens.push(stem.clone());
            } else {
                tokens.push(token.to_owned());
            }
        });
        Ok(tokens)
    })
}

/// The tokens of TER's tokenizer.
#[pyfunction]
fn tokenize_tercom<'py>(
    text: &Bound<'py, PyString>,
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    case_sensitive: bool,
) -> PyResult<Bound<'py, PyList>> {
    let tokenizer = tercom::Tercom { normalized, no_punct, asian_support, case_sensitive };
    of_text(text, |text| {
        let mut tokens = Vec::new();
        let mut buffer = String::new();
        tokenizer.each_token(text, &mut buffer, |token| tokens.push(token.to_owned()));
        Ok(tokens)
    })
}

/// The stem of NLTK's `PorterStemmer`.
#[pyfunction]
fn stem_porter<'py>(
    word: &Bound<'py, PyString>,
    to_lowercase: bool,
) -> PyResult<Bound<'py, PyString>> {
    of_word(word, if to_lowercase { porter::stem_any_case } else { porter::stem })
}

/// The stem of NLTK's `SnowballStemmer("english")`.
#[pyfunction]
fn stem_snowball<'py>(word: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
    of_word(word, snowball_english::stem)
}

/// The names of the members of each synset of a word, as NLTK finds them.
#[pyfunction]
fn synsets(word: &str) -> Vec<Vec<String>> {
    let lexicon = Lexicon::embedded();
    let mut ids = Vec::new();
    lexicon.synsets(word, &mut ids);
    let synsets = ids.iter().filter_map(|&id| lexicon.synset(id));
    synsets.map(|synset| synset.lemmas().map(|lemma| lemma.to_string()).collect()).collect()
}

/// METEOR by the teaching definition, rounded to three decimals.
#[pyfunction]
fn textbook_meteor(reference: &str, hypothesis: &str, alpha: f64, beta: f64, gamma: f64) -> f64 {
    meteor_score_with(reference, hypothesis, &Parameters { alpha, beta, gamma })
}
