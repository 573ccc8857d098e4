//! BLEU from counts, behind `bolide.compat.sacrebleu`.

use crate::metric::components;
use bolide::unstable::bleu::sacrebleu::{
    EffectiveOrder, MAX_ORDER, SacreBleu, Smoothing, Stats, Tokenizer,
};
use bolide::unstable::{Definition, arithmetic::PythonSum};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sacrebleu_from_counts, module)?)
}

/// The score of counted matches and n-grams, one of each for every order.
#[pyfunction]
#[pyo3(signature = (correct, total, sys_len, ref_len, *, smooth, effective_order, compensated))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn sacrebleu_from_counts<'py>(
    py: Python<'py>,
    correct: Vec<u64>,
    total: Vec<u64>,
    sys_len: u64,
    ref_len: u64,
    smooth: (String, f64),
    effective_order: bool,
    compensated: bool,
) -> PyResult<(f64, Bound<'py, PyDict>)> {
    let max_order = correct.len();
    if total.len() != max_order || !(1..=MAX_ORDER).contains(&max_order) {
        return Err(PyValueError::new_err(format!(
            "counts and totals are of 1 to {MAX_ORDER} orders, got {max_order} and {}",
            total.len()
        )));
    }
    let mut stats =
        Stats { hypothesis_length: sys_len, reference_length: ref_len, ..Stats::default() };
    stats.correct[..max_order].copy_from_slice(&correct);
    stats.total[..max_order].copy_from_slice(&total);
    let metric = SacreBleu {
        tokenizer: Tokenizer::None,
        lowercase: false,
        smoothing: match smooth.0.as_str() {
            "exp" => Smoothing::Exp,
            "floor" => Smoothing::Floor(smooth.1),
            "add-k" => Smoothing::AddK(smooth.1),
            _ => Smoothing::None,
        },
        effective_order: if effective_order {
            EffectiveOrder::Always
        } else {
            EffectiveOrder::Never
        },
        max_order,
        sum: if compensated { PythonSum::Compensated } else { PythonSum::Plain },
    };
    let score = metric.finish(&stats);
    Ok((metric.value(&score), components(py, &metric.components(&score))?))
}
