//! Interprets Arrow arrays as columns of text: strings, lists of strings, lists of tokens.
//!
//! This file does not use Python, so that the fuzz target `arrow` can include it; an error is the text of a
//! type error. `arrow` imports the arrays.

use crate::rows::{Column, Grouping, MISSING, Strings, TextArray};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, make_array};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType};
use std::sync::Arc;

/// An array with all offsets and all strings checked.
pub fn checked(mut data: ArrayData) -> Result<ArrayRef, ArrowError> {
    data.align_buffers();
    data.validate_full()?;
    check_fixed(&data)?;
    Ok(the_only_column(make_array(data)))
}

/// A table with one column, as a query gives it, is that column.
fn the_only_column(array: ArrayRef) -> ArrayRef {
    match array.as_struct_opt() {
        Some(table) if table.num_columns() == 1 && table.null_count() == 0 => {
            Arc::clone(table.column(0))
        }
        _ => array,
    }
}

/// Checks that lists of a fixed size lie within their values: the validation of Arrow's crate ignores the
/// offset, and building the array would then panic.
fn check_fixed(data: &ArrayData) -> Result<(), ArrowError> {
    if let (DataType::FixedSizeList(_, size), [below]) = (data.data_type(), data.child_data()) {
        let end = data.offset().checked_add(data.len());
        let needed = usize::try_from(*size).ok().and_then(|size| end?.checked_mul(size));
        if needed.is_none_or(|needed| needed > below.len()) {
            return Err(ArrowError::InvalidArgumentError(format!(
                "{} lists of {size} values after {} more need more than the {} values there are",
                data.len(),
                data.offset(),
                below.len()
            )));
        }
    }
    data.child_data().iter().try_for_each(check_fixed)
}

/// Reads hypotheses: strings, or lists of tokens.
pub fn hypotheses(arrays: &[ArrayRef]) -> Result<Column, String> {
    let texts = |array: &ArrayRef| match strings(array) {
        Some(strings) => Ok(raw(strings)),
        None => match lists(array).and_then(|(ranges, below)| Some((ranges, strings(&below)?))) {
            Some((ranges, strings)) => tokens(strings, ranges, None),
            None => Err(unsuitable("hypotheses", "string or list<string>", array)),
        },
    };
    arrays.iter().map(texts).collect::<Result<Vec<TextArray>, String>>().map(Column::new)
}

/// Reads references: strings or lists of strings. If the hypotheses are token lists: token lists or lists of
/// token lists.
pub fn references(arrays: &[ArrayRef], tokenised: Option<bool>) -> Result<Column, String> {
    let tokenised = tokenised.unwrap_or(false);
    let wanted = if tokenised {
        "list<string> or list<list<string>>, as the hypotheses are tokens"
    } else {
        "string or list<string>, as the hypotheses are strings"
    };
    let texts = |array: &ArrayRef| {
        let wrong = || unsuitable("references", wanted, array);
        if let (false, Some(strings)) = (tokenised, strings(array)) {
            return Ok(raw(strings));
        }
        let (rows, below) = lists(array).ok_or_else(wrong)?;
        match (strings(&below), tokenised) {
            (Some(strings), false) => {
                Ok(TextArray { strings, tokens: None, texts: Grouping::Ranges(rows) })
            }
            (Some(strings), true) => tokens(strings, rows, None),
            (None, true) => {
                let (texts, below) = lists(&below).ok_or_else(wrong)?;
                tokens(strings(&below).ok_or_else(wrong)?, texts, Some(rows))
            }
            (None, false) => Err(wrong()),
        }
    };
    arrays.iter().map(texts).collect::<Result<Vec<TextArray>, String>>().map(Column::new)
}

fn unsuitable(what: &str, wanted: &str, array: &ArrayRef) -> String {
    format!("{what}: expected an Arrow column of {wanted}, got {}", array.data_type())
}

/// One string per row; a null string is a missing row.
fn raw(strings: Strings) -> TextArray {
    let has_nulls = (0..strings.len()).any(|idx| strings.is_null(idx));
    let texts = if has_nulls {
        let row = |idx| if strings.is_null(idx) { (MISSING, MISSING) } else { (idx, idx + 1) };
        Grouping::Ranges((0..strings.len()).map(row).collect())
    } else {
        Grouping::Each
    };
    TextArray { strings, tokens: None, texts }
}

/// Token lists: one per row, or as many as `rows` says.
fn tokens(
    strings: Strings,
    ranges: Vec<(usize, usize)>,
    rows: Option<Vec<(usize, usize)>>,
) -> Result<TextArray, String> {
    let present = ranges.iter().filter(|range| range.0 != MISSING);
    if let Some(at) = present.flat_map(|&(a, b)| a..b).find(|&idx| strings.is_null(idx)) {
        return Err(format!("a token is a string, got null (value {at})"));
    }
    let texts = rows.unwrap_or_else(|| {
        let row = |(idx, range): (usize, &(usize, usize))| match range.0 {
            MISSING => (MISSING, MISSING),
            _ => (idx, idx + 1),
        };
        ranges.iter().enumerate().map(row).collect()
    });
    Ok(TextArray {
        strings,
        tokens: Some(Grouping::Ranges(ranges)),
        texts: Grouping::Ranges(texts),
    })
}

fn strings(array: &ArrayRef) -> Option<Strings> {
    Some(match array.data_type() {
        DataType::Utf8 => Strings::Utf8(array.as_string::<i32>().clone()),
        DataType::LargeUtf8 => Strings::LargeUtf8(array.as_string::<i64>().clone()),
        DataType::Utf8View => Strings::View(array.as_string_view().clone()),
        // The type that engines give to a bare NULL.
        DataType::Null => Strings::Utf8(StringArray::new_null(array.len())),
        DataType::Dictionary(_, _) => {
            let dictionary = array.as_any_dictionary_opt()?;
            let values = strings(dictionary.values())?;
            let keys = match values.len() {
                0 => vec![0; array.len()],
                _ => dictionary.normalized_keys(),
            };
            repeated(array, &values, |idx| keys[idx])
        }
        DataType::RunEndEncoded(ends, _) => match ends.data_type() {
            DataType::Int16 => of_runs::<Int16Type>(array)?,
            DataType::Int32 => of_runs::<Int32Type>(array)?,
            _ => of_runs::<Int64Type>(array)?,
        },
        _ => return None,
    })
}

fn of_runs<E: RunEndIndexType>(array: &ArrayRef) -> Option<Strings> {
    let runs = array.as_run_opt::<E>()?;
    let values = strings(runs.values())?;
    // Runs have no nulls of their own; their values do.
    Some(repeated(array, &values, |idx| runs.get_physical_index(idx)))
}

/// The strings of an array that stores equal ones once; `place` is where that of a row is.
fn repeated(array: &ArrayRef, values: &Strings, place: impl Fn(usize) -> usize) -> Strings {
    let row = |idx| {
        let at = (!array.is_null(idx)).then(|| place(idx));
        at.filter(|&at| at < values.len() && !values.is_null(at)).map(|at| values.get(at))
    };
    Strings::LargeUtf8((0..array.len()).map(row).collect::<LargeStringArray>())
}

/// The range of each list (`MISSING` if it is null), and the array that the ranges refer to.
pub fn lists(array: &ArrayRef) -> Option<(Vec<(usize, usize)>, ArrayRef)> {
    let ranges = |range: &dyn Fn(usize) -> (usize, usize)| {
        let row = |idx| if array.is_null(idx) { (MISSING, MISSING) } else { range(idx) };
        (0..array.len()).map(row).collect()
    };
    Some(match array.data_type() {
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            let offsets = list.value_offsets();
            let range = |idx: usize| (offsets[idx] as usize, offsets[idx + 1] as usize);
            (ranges(&range), list.values().clone())
        }
        DataType::LargeList(_) => {
            let list = array.as_list::<i64>();
            let offsets = list.value_offsets();
            let range = |idx: usize| (offsets[idx] as usize, offsets[idx + 1] as usize);
            (ranges(&range), list.values().clone())
        }
        DataType::ListView(_) => {
            let list = array.as_list_view::<i32>();
            let (offsets, sizes) = (list.value_offsets(), list.value_sizes());
            let range = |idx: usize| within(offsets[idx] as usize, sizes[idx] as usize);
            (ranges(&range), list.values().clone())
        }
        DataType::LargeListView(_) => {
            let list = array.as_list_view::<i64>();
            let (offsets, sizes) = (list.value_offsets(), list.value_sizes());
            let range = |idx: usize| within(offsets[idx] as usize, sizes[idx] as usize);
            (ranges(&range), list.values().clone())
        }
        DataType::FixedSizeList(_, size) => {
            let size = *size as usize;
            let range = |idx: usize| (idx * size, (idx + 1) * size);
            (ranges(&range), array.as_fixed_size_list().values().clone())
        }
        _ => return None,
    })
}

/// The range of a list that is stored by its start and its length.
fn within(start: usize, len: usize) -> (usize, usize) {
    (start, start + len)
}
