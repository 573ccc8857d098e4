//! CIDEr-D of captions, behind `bolide.compat.pycocoevalcap`.

use crate::surrogates::tolerating;
use bolide::unstable::cider::{Captions, Cider};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

/// The score of the corpus and that of each image.
#[pyfunction]
pub fn cider<'py>(
    py: Python<'py>,
    hypotheses: &Bound<'py, PyAny>,
    references: &Bound<'py, PyAny>,
    order: usize,
    sigma: f64,
) -> PyResult<(f64, Vec<f64>)> {
    tolerating(hypotheses, references, |hypotheses, references| {
        let hypotheses: Vec<PyBackedStr> = hypotheses.extract()?;
        let references: Vec<Vec<PyBackedStr>> = references.extract()?;
        py.detach(|| {
            let images = hypotheses.iter().zip(&references);
            let images: Vec<Captions<'_>> =
                images.map(|image| captions(image.0, image.1)).collect();
            // No caption has n-grams of more words.
            let scores = Cider { order: order.min(1000), sigma }.scores(&images);
            Ok((Cider::mean(&scores), scores))
        })
    })
}

fn captions<'t>(hypothesis: &'t str, references: &'t [PyBackedStr]) -> Captions<'t> {
    let references = references.iter().map(|reference| &**reference).collect();
    Captions { hypothesis, references }
}
