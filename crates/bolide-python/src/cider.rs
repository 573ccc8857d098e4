//! CIDEr-D of captions, behind `bolide.compat.pycocoevalcap`.

use crate::surrogates::tolerating;
use bolide::unstable::cider::{Captions, Cider, Frequencies};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyTuple};

/// The score of the corpus and that of each image.
///
/// `frequencies` is a dict from tuples of words to the number of documents that have them, and the number of all
/// documents; without it, the references are the documents.
#[pyfunction]
#[pyo3(signature = (hypotheses, references, order, sigma, frequencies=None))]
pub fn cider<'py>(
    py: Python<'py>,
    hypotheses: &Bound<'py, PyAny>,
    references: &Bound<'py, PyAny>,
    order: usize,
    sigma: f64,
    frequencies: Option<(Bound<'py, PyDict>, f64)>,
) -> PyResult<(f64, Vec<f64>)> {
    // No caption has n-grams of more words.
    let cider = Cider { order: order.min(1000), sigma };
    tolerating(hypotheses, references, |hypotheses, references| {
        let hypotheses: Vec<PyBackedStr> = hypotheses.extract()?;
        let references: Vec<Vec<PyBackedStr>> = references.extract()?;
        let images = hypotheses.iter().zip(&references);
        let images: Vec<Captions<'_>> = images.map(|image| captions(image.0, image.1)).collect();
        let scores = match &frequencies {
            None => py.detach(|| cider.scores(&images)),
            Some((dict, documents)) => given(&cider, &images, dict, *documents)?,
        };
        Ok((Cider::mean(&scores), scores))
    })
}

/// The scores with frequencies that are looked up in a dict, which may hold millions.
fn given(
    cider: &Cider,
    images: &[Captions<'_>],
    dict: &Bound<'_, PyDict>,
    documents: f64,
) -> PyResult<Vec<f64>> {
    let mut problem = None;
    let mut of = |words: &[&str]| {
        let found =
            PyTuple::new(dict.py(), words).and_then(|ngram| match dict.get_item(ngram)? {
                Some(count) => count.extract(),
                None => Ok(0.0),
            });
        found.unwrap_or_else(|error| {
            problem.get_or_insert(error);
            0.0
        })
    };
    let scores = cider.scores_given(images, &mut Frequencies { documents, of: &mut of });
    problem.map_or(Ok(scores), Err)
}

fn captions<'t>(hypothesis: &'t str, references: &'t [PyBackedStr]) -> Captions<'t> {
    let references = references.iter().map(|reference| &**reference).collect();
    Captions { hypothesis, references }
}
