//! An explanation as a dictionary, with the names of the JSON that the command prints.

use bolide::{Cost, Explanation, Token};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

pub fn to_dict<'py>(py: Python<'py>, it: &Explanation) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("signature", &it.signature)?;
    dict.set_item("hypothesis", tokens(py, &it.hypothesis)?)?;
    dict.set_item("reference", tokens(py, &it.reference)?)?;
    dict.set_item("reference_idx", it.reference_idx)?;
    let pairs = PyList::empty(py);
    for link in &it.pairs {
        let pair = PyDict::new(py);
        pair.set_item("hypothesis", link.hypothesis)?;
        pair.set_item("hypothesis_tokens", link.hypothesis_tokens)?;
        pair.set_item("reference", link.reference)?;
        pair.set_item("reference_tokens", link.reference_tokens)?;
        pair.set_item("stage", link.stage)?;
        pair.set_item("reason", &link.reason)?;
        pair.set_item("chunk", link.chunk)?;
        pairs.append(pair)?;
    }
    dict.set_item("pairs", pairs)?;
    dict.set_item("matches", it.matches)?;
    dict.set_item("chunks", it.chunks)?;
    dict.set_item("crossings", it.crossings)?;
    dict.set_item("proven", it.proven)?;
    dict.set_item("chunks_lower_bound", it.chunks_lower_bound)?;
    for (name, value) in [
        ("alpha", it.alpha),
        ("beta", it.beta),
        ("gamma", it.gamma),
        ("precision", it.precision),
        ("recall", it.recall),
        ("fmean", it.fmean),
        ("fmean_check", it.fmean_check),
        ("penalty", it.penalty),
        ("score", it.score),
    ] {
        dict.set_item(name, value)?;
    }
    let losses = PyDict::new(py);
    losses.set_item("unmatched_hypothesis", it.losses.unmatched_hypothesis)?;
    losses.set_item("unmatched_reference", it.losses.unmatched_reference)?;
    losses.set_item("fragmentation", it.losses.fragmentation)?;
    losses.set_item("hypothesis_words", costs(py, &it.losses.hypothesis_words)?)?;
    losses.set_item("reference_words", costs(py, &it.losses.reference_words)?)?;
    losses.set_item("breaks", costs(py, &it.losses.breaks)?)?;
    dict.set_item("losses", losses)?;
    Ok(dict)
}

fn tokens<'py>(py: Python<'py>, tokens: &[Token]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for token in tokens {
        let dict = PyDict::new(py);
        dict.set_item("text", &token.text)?;
        dict.set_item("start", token.start)?;
        dict.set_item("end", token.end)?;
        list.append(dict)?;
    }
    Ok(list)
}

fn costs<'py>(py: Python<'py>, costs: &[Cost]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for cost in costs {
        let dict = PyDict::new(py);
        dict.set_item("at", cost.at)?;
        dict.set_item("cost", cost.cost)?;
        list.append(dict)?;
    }
    Ok(list)
}
