//! Token lists that are read in place: lists or tuples of strings.
//!
//! For metrics that compare whole words, the tokens are numbered while the interpreter is held, and nothing of Python
//! is left to keep alive. For others, tuples of a list's tokens keep the strings alive and cannot change while the
//! interpreter is released; such rows have one reference each. Either way tokens are neither copied nor joined.
//! Everything else is read by `python`, which also raises the errors.

use bolide::unstable::{ShortWord, TokenReader};
use bolide::{Segment, Text};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

/// Rows with more references are read by `python`, and can be interrupted between them.
const MOST_REFERENCES: usize = 64;

/// Numbers the tokens of a row. `None` if it is not of this kind; part of it has been read then.
pub fn number<'py>(
    hypothesis: &Bound<'py, PyAny>,
    references: &Bound<'py, PyAny>,
    seen: &mut Seen<'py>,
    reader: &mut TokenReader<'_>,
) -> Option<()> {
    let mut number_text = |tokens: &Bound<'py, PyAny>| match seen.is_useful() {
        true => number_text(tokens, reader, |token, reader| seen.number(token, reader)),
        false => {
            number_text(tokens, reader, |token, reader| Some(_ = reader.push(string(&token)?)))
        }
    };
    number_text(hypothesis)?;
    let several = match references.cast::<PyList>() {
        Ok(list) => (!list.get_item(0).ok()?.is_instance_of::<PyString>()).then(|| list.to_tuple()),
        Err(_) => {
            let tuple = references.cast::<PyTuple>().ok()?;
            let first = tuple.get_borrowed_item(0).ok()?;
            (!first.is_instance_of::<PyString>()).then(|| tuple.clone())
        }
    };
    match several {
        None => number_text(references)?,
        Some(several) if several.len() > MOST_REFERENCES => return None,
        Some(several) => several.iter_borrowed().try_for_each(|text| number_text(&text))?,
    }
    reader.end_segment();
    Some(())
}

/// Numbers the tokens of one text, a list or a tuple, each by `number`, which returns `None` if it cannot.
#[inline(always)]
pub fn number_text<'py>(
    tokens: &Bound<'py, PyAny>,
    reader: &mut TokenReader<'_>,
    mut number: impl FnMut(Bound<'py, PyAny>, &mut TokenReader<'_>) -> Option<()>,
) -> Option<()> {
    if let Ok(tokens) = tokens.cast::<PyList>() {
        // A list may change as soon as anything else runs, so each token is held while it is read.
        for idx in 0..tokens.len() {
            number(tokens.get_item(idx).ok()?, reader)?;
        }
    } else {
        for token in tokens.cast::<PyTuple>().ok()?.iter_borrowed() {
            number(token.to_owned(), reader)?;
        }
    }
    reader.end_text();
    Some(())
}

/// The characters of a string, or of an object of a class that is derived from it. `None` also if it has lone
/// surrogates.
#[inline(always)]
fn string<'t>(token: &'t Bound<'_, PyAny>) -> Option<&'t str> {
    match token.cast_exact::<PyString>() {
        Ok(token) => token.to_str().ok(),
        Err(_) => derived_string(token),
    }
}

#[cold]
fn derived_string<'t>(token: &'t Bound<'_, PyAny>) -> Option<&'t str> {
    token.cast::<PyString>().ok()?.to_str().ok()
}

/// Tokens by object. Where equal tokens are one object, as after `sys.intern` or from a tokenizer with a vocabulary,
/// most tokens are found here and need not be looked at.
pub struct Seen<'py> {
    /// The object whose address leads here. As long as it is held, no other object has its address.
    places: Vec<Option<(Bound<'py, PyAny>, ShortWord)>>,
    n_found: usize,
    n_others: usize,
}

impl<'py> Seen<'py> {
    const PLACES_LOG2: u32 = 13;

    /// Nothing seen yet.
    pub fn new() -> Self {
        Seen { places: Vec::new(), n_found: 0, n_others: 0 }
    }

    /// Prepares for another batch. The places are made for the second one, because short lists are not worth it, and
    /// are given up where most objects are new.
    pub fn prepare(&mut self, is_first: bool) {
        if self.n_others > self.n_found {
            self.places = Vec::new();
        } else if !is_first && self.places.is_empty() {
            self.places.resize(1 << Self::PLACES_LOG2, None);
        }
    }

    fn is_useful(&self) -> bool {
        !self.places.is_empty()
    }

    #[inline(always)]
    fn number(&mut self, token: Bound<'py, PyAny>, reader: &mut TokenReader<'_>) -> Option<()> {
        // Objects are at multiples of sixteen bytes; a multiplication spreads the rest of the address.
        let address = token.as_ptr() as u64 >> 4;
        let hash = address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - Self::PLACES_LOG2);
        let place = self.places.get_mut(hash as usize)?;
        match place {
            Some((known, word)) if known.is(&token) => {
                reader.push_again(*word);
                self.n_found += 1;
            }
            _ => {
                if let Some(word) = reader.push(string(&token)?) {
                    *place = Some((token, word));
                }
                self.n_others += 1;
            }
        }
        Some(())
    }
}

/// The tokens of a row: of the hypothesis, and of its reference.
pub type Row<'py> = [Bound<'py, PyTuple>; 2];

/// The row, if it is of this kind.
pub fn row<'py>(
    hypothesis: Borrowed<'_, 'py, PyAny>,
    reference: Borrowed<'_, 'py, PyAny>,
) -> Option<Row<'py>> {
    let hypothesis = hypothesis.cast::<PyList>().ok()?;
    let reference = reference.cast::<PyList>().ok()?;
    let first = reference.get_item(0).ok()?;
    let reference = match first.cast_into::<PyString>() {
        Ok(_) => reference.to_tuple(),
        // A list of references, of which there is one.
        Err(other) if reference.len() == 1 => other.into_inner().cast::<PyList>().ok()?.to_tuple(),
        Err(_) => return None,
    };
    Some([hypothesis.to_tuple(), reference])
}

/// The tokens of consecutive rows.
pub struct TokenPairs<'a> {
    words: Vec<&'a str>,
    /// By row: where the hypothesis starts, and where it and the reference end.
    rows: Vec<[usize; 3]>,
}

impl<'a> TokenPairs<'a> {
    /// `None` if a token is not a string, or has lone surrogates.
    pub fn new(rows: &'a [Row<'_>]) -> Option<Self> {
        let mut pairs = TokenPairs {
            words: Vec::with_capacity(rows.iter().flatten().map(|side| side.len()).sum()),
            rows: Vec::with_capacity(rows.len()),
        };
        for sides in rows {
            let mut ends = [pairs.words.len(); 3];
            for (side, end) in sides.iter().zip(&mut ends[1..]) {
                for token in side.iter_borrowed() {
                    pairs.words.push(<&str>::extract(token).ok()?);
                }
                *end = pairs.words.len();
            }
            pairs.rows.push(ends);
        }
        Some(pairs)
    }

    /// Calls `work` with the segment of a row.
    pub fn with_segment<T>(&self, idx: usize, work: impl FnOnce(Segment<'_>) -> T) -> Option<T> {
        let &[start, middle, end] = self.rows.get(idx)?;
        let reference = [Text::Tokens(self.words.get(middle..end)?)];
        Segment::new(Text::Tokens(self.words.get(start..middle)?), &reference).ok().map(work)
    }
}
