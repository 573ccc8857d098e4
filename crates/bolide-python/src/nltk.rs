//! The fast path of `bolide.compat.nltk`, for plain lists of strings.
//!
//! For anything else (generators, tokens that are not strings, results for which Python would raise an
//! exception) these functions return `None`. The Python half then takes its slow path, which uses the objects'
//! own methods and raises the same exceptions as NLTK.

use crate::tokens::number_text;
use bolide::explanation::Link;
use bolide::unstable::bleu::nltk::{Nltk, Stats};
use bolide::unstable::bleu::{LastSegment, MOST_ORDERS, Number, Smoothing};
use bolide::unstable::meteor::Parameters;
use bolide::unstable::{AnyMetric, Definition, Mergeable, TokenBatch, TokenReader, any};
use bolide::{Metric, Segment, Text};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use std::cell::RefCell;
use std::sync::{Mutex, OnceLock, PoisonError};

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(nltk_meteor, module)?)?;
    module.add_function(wrap_pyfunction!(nltk_align, module)?)?;
    module.add_function(wrap_pyfunction!(nltk_bleu, module)?)
}

/// The number of tokens that a segment usually does not exceed.
const USUAL: usize = 256;

fn meteor() -> Option<&'static Metric> {
    static METRIC: OnceLock<Option<Metric>> = OnceLock::new();
    METRIC.get_or_init(|| "meteor:nltk".parse().ok()).as_ref()
}

/// The same with other parameters. Callers rarely change them between two calls, so the last metric is kept.
fn meteor_with(parameters: Parameters) -> Option<Metric> {
    static LAST: Mutex<Option<(Parameters, Metric)>> = Mutex::new(None);
    if parameters == Parameters::CLASSIC {
        return meteor().cloned();
    }
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, metric)) = &*last
        && *known == parameters
    {
        return Some(metric.clone());
    }
    let AnyMetric::Meteor(metric) = any(meteor()?) else { return None };
    let metric = AnyMetric::Meteor(metric.clone().with_parameters(parameters));
    Some(last.insert((parameters, Metric::from(metric))).1.clone())
}

/// A list or tuple as a tuple, whose elements can be borrowed as long as it lives.
fn as_tuple<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyTuple>> {
    if let Ok(list) = object.cast_exact::<PyList>() {
        Some(list.to_tuple())
    } else {
        object.cast_exact::<PyTuple>().ok().cloned()
    }
}

/// Lists of lists, as tuples.
fn as_tuples<'py>(object: &Bound<'py, PyAny>) -> Option<Vec<Bound<'py, PyTuple>>> {
    as_tuple(object)?.iter_borrowed().map(|list| as_tuple(&list)).collect()
}

/// Numbers the strings of a token list; `None` if it contains anything else.
fn number(tokens: &Bound<'_, PyAny>, reader: &mut TokenReader<'_>) -> Option<()> {
    if !tokens.is_exact_instance_of::<PyList>() && !tokens.is_exact_instance_of::<PyTuple>() {
        return None;
    }
    // A subclass of `str` may override `lower`.
    number_text(tokens, reader, |token, reader| {
        reader.push(token.cast_exact::<PyString>().ok()?.to_str().ok()?);
        Some(())
    })
}

/// Appends the strings of a token list; `None` if it contains anything else.
fn read<'t>(tokens: &'t Bound<'_, PyTuple>, words: &mut Vec<&'t str>) -> Option<()> {
    for token in tokens.iter_borrowed() {
        // A subclass of `str` may override `lower`.
        token.cast_exact::<PyString>().ok()?;
        words.push(token.extract::<&'t str>().ok()?);
    }
    Some(())
}

/// Reads token lists and remembers where each ends.
fn read_lists<'t>(
    lists: &'t [Bound<'_, PyTuple>],
    words: &mut Vec<&'t str>,
    ends: &mut Vec<usize>,
) -> Option<()> {
    for tokens in lists {
        read(tokens, words)?;
        ends.push(words.len());
    }
    Some(())
}

/// The token lists that end at `ends`, the first starting at `start`.
fn texts<'w>(words: &'w [&'w str], mut start: usize, ends: &[usize]) -> Vec<Text<'w>> {
    let text = |&end: &usize| {
        let text = Text::Tokens(&words[start..end]);
        start = end;
        text
    };
    ends.iter().map(text).collect()
}

/// The best score over the references, or None for the slow path.
#[pyfunction]
fn nltk_meteor(
    references: &Bound<'_, PyAny>,
    hypothesis: &Bound<'_, PyAny>,
    alpha: f64,
    beta: f64,
    gamma: f64,
) -> Option<f64> {
    let parameters = Parameters { alpha, beta, gamma };
    let mut scorer = meteor_with(parameters)?.scorer();
    let mut segment = TokenBatch::read(&mut scorer, USUAL, |reader| {
        number(hypothesis, reader)?;
        as_tuple(references)?.iter_borrowed().try_for_each(|list| number(&list, reader))?;
        reader.end_segment();
        Some(())
    })?;
    if segment.n_references(0) == 0 {
        return None;
    }
    let score = segment.value(0);
    // An infinite power is an OverflowError in Python; NLTK's default parameters cannot cause it.
    (parameters == Parameters::CLASSIC || score.is_finite()).then_some(score)
}

/// The alignment of two token lists: hypothesis index, reference index and stage of each match.
#[pyfunction]
fn nltk_align(
    hypothesis: &Bound<'_, PyAny>,
    reference: &Bound<'_, PyAny>,
) -> Option<Vec<(usize, usize, &'static str)>> {
    let (hypothesis, reference) = (as_tuple(hypothesis)?, as_tuple(reference)?);
    let mut words = Vec::with_capacity(64);
    read(&hypothesis, &mut words)?;
    let n_hypothesis = words.len();
    read(&reference, &mut words)?;
    let references = [Text::Tokens(&words[n_hypothesis..])];
    let segment = Segment::new(Text::Tokens(&words[..n_hypothesis]), &references).ok()?;
    let explanation = meteor()?.explain_segment(segment).ok()?;
    let pair = |link: &Link| (link.hypothesis, link.reference, link.stage);
    Some(explanation.pairs.iter().map(pair).collect())
}

/// Corpus BLEU for each weight vector and the number of orders without a match, or None for the slow path. An
/// empty list of scores means that no word matched.
#[pyfunction]
fn nltk_bleu(
    list_of_references: &Bound<'_, PyAny>,
    hypotheses: &Bound<'_, PyAny>,
    weights: Vec<Vec<f64>>,
    smoothing: (u8, f64, Bound<'_, PyAny>, f64),
    auto_reweigh: bool,
) -> PyResult<Option<(Vec<f64>, u64)>> {
    let (method, epsilon, alpha, k) = smoothing;
    let alpha = match alpha.extract::<i64>() {
        Ok(whole) => Number::Integer(whole),
        Err(_) => Number::Float(alpha.extract()?),
    };
    let smoothing = match method {
        0 => Smoothing::Method0,
        1 => Smoothing::Method1 { epsilon },
        2 => Smoothing::Method2,
        3 => Smoothing::Method3,
        4 => Smoothing::Method4 { k },
        5 => Smoothing::Method5,
        6 => Smoothing::Method6 { alpha },
        _ => Smoothing::Method7 { k },
    };
    Ok(corpus(list_of_references, hypotheses, &weights, smoothing, auto_reweigh))
}

thread_local! {
    /// The buffers of BLEU. The interpreter is not released while they are in use.
    static SCRATCH: RefCell<<Nltk as Definition>::Scratch> = RefCell::default();
}

fn corpus(
    list_of_references: &Bound<'_, PyAny>,
    hypotheses: &Bound<'_, PyAny>,
    weights: &[Vec<f64>],
    smoothing: Smoothing,
    auto_reweigh: bool,
) -> Option<(Vec<f64>, u64)> {
    let longest = weights.iter().map(Vec::len).max().filter(|n| (1..=MOST_ORDERS).contains(n))?;
    let metric = Nltk::new().with_weights(&weights[0]).ok()?;
    let metric = metric.with_orders(longest).with_smoothing(smoothing);
    let metric = metric.with_auto_reweigh(auto_reweigh);
    let (hypotheses, references) = (as_tuple(hypotheses)?, as_tuple(list_of_references)?);
    if hypotheses.len() != references.len() {
        return None;
    }
    let mut total = Stats::default();
    let mut score = |hypothesis: &Bound<'_, PyAny>,
                     references: &Bound<'_, PyAny>,
                     scratch: &mut <Nltk as Definition>::Scratch| {
        let (hypothesis, references) = (as_tuple(hypothesis)?, as_tuples(references)?);
        let (mut words, mut ends) = (Vec::with_capacity(64), Vec::with_capacity(4));
        read(&hypothesis, &mut words)?;
        let n_hypothesis = words.len();
        read_lists(&references, &mut words, &mut ends)?;
        let references = texts(&words, n_hypothesis, &ends);
        let segment = Segment::new(Text::Tokens(&words[..n_hypothesis]), &references).ok()?;
        total.merge(&metric.segment(segment, scratch));
        Some(())
    };
    SCRATCH.with_borrow_mut(|scratch| {
        let mut pairs = hypotheses.iter_borrowed().zip(references.iter_borrowed());
        pairs.try_for_each(|(hypothesis, references)| score(&hypothesis, &references, scratch))
    })?;
    let last = total.last.filter(|last| *last != LastSegment::default());
    // Empty corpora and empty last hypotheses are rare; the slow path handles them.
    last?;
    let zero_orders = total.matches[..longest].iter().filter(|&&n| n == 0).count() as u64;
    if total.matches[0] == 0 {
        return Some((Vec::new(), 0));
    }
    let vectors: Vec<&[f64]> = weights.iter().map(Vec::as_slice).collect();
    let scores = metric.scores(&total, &vectors).ok()?;
    scores.iter().all(|score| score.is_finite()).then_some((scores, zero_orders))
}
