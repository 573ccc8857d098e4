//! Columns of text as the threads read them: strings that Python or Arrow own, and which of them
//! make up each row.
//!
//! A row of hypotheses is one text, a row of references is one or more; a text is one string, or
//! several if it is tokenised. Texts of whole columns are not copied: a reference keeps a Python string
//! alive, and the array keeps an Arrow buffer alive. Tokens of Python lists are copied, because they are many
//! and short, and so are texts that are read a few at a time. `python` and `arrow` supply the strings.

use crate::python::Kept;
use arrow_array::{Array, LargeStringArray, StringArray, StringViewArray};

/// Strings, wherever they live.
pub enum Strings {
    Python(Vec<Kept>),
    Copied(Copied),
    Utf8(StringArray),
    LargeUtf8(LargeStringArray),
    View(StringViewArray),
}

/// Short strings in one buffer.
#[derive(Default)]
pub struct Copied {
    text: String,
    ends: Vec<usize>,
}

impl Copied {
    pub fn with_capacity(n_strings: usize, n_bytes: usize) -> Self {
        Copied { text: String::with_capacity(n_bytes), ends: Vec::with_capacity(n_strings) }
    }

    pub fn push(&mut self, string: &str) {
        self.text.push_str(string);
        self.ends.push(self.text.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    fn get(&self, idx: usize) -> &str {
        let start = if idx == 0 { 0 } else { self.ends[idx - 1] };
        &self.text[start..self.ends[idx]]
    }
}

impl Strings {
    pub fn get(&self, idx: usize) -> &str {
        match self {
            Strings::Python(strings) => &strings[idx],
            Strings::Copied(strings) => strings.get(idx),
            Strings::Utf8(strings) => strings.value(idx),
            Strings::LargeUtf8(strings) => strings.value(idx),
            Strings::View(strings) => strings.value(idx),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Strings::Python(strings) => strings.len(),
            Strings::Copied(strings) => strings.len(),
            Strings::Utf8(strings) => strings.len(),
            Strings::LargeUtf8(strings) => strings.len(),
            Strings::View(strings) => strings.len(),
        }
    }

    pub fn is_null(&self, idx: usize) -> bool {
        match self {
            Strings::Python(_) | Strings::Copied(_) => false,
            Strings::Utf8(strings) => strings.is_null(idx),
            Strings::LargeUtf8(strings) => strings.is_null(idx),
            Strings::View(strings) => strings.is_null(idx),
        }
    }
}

/// How the items of one level are made of those of the level below.
pub enum Grouping {
    /// One item below for each.
    Each,
    /// A range of items below for each; an empty range with the start `MISSING` is a missing value.
    Ranges(Vec<(usize, usize)>),
}

/// The start of the range of a missing value.
pub const MISSING: usize = usize::MAX;

impl Grouping {
    fn of(&self, idx: usize) -> (usize, usize) {
        match self {
            Grouping::Each => (idx, idx + 1),
            Grouping::Ranges(ranges) => ranges[idx],
        }
    }

    /// How many there are, given the number one level below.
    pub fn len(&self, below: usize) -> usize {
        match self {
            Grouping::Each => below,
            Grouping::Ranges(ranges) => ranges.len(),
        }
    }
}

/// Some consecutive rows of a column.
pub struct TextArray {
    pub strings: Strings,
    /// The strings of each text; `None` if the texts are not tokenised, one string each.
    pub tokens: Option<Grouping>,
    /// The texts of each row.
    pub texts: Grouping,
}

impl TextArray {
    pub fn len(&self) -> usize {
        let n_strings = self.strings.len();
        self.texts.len(self.tokens.as_ref().map_or(n_strings, |tokens| tokens.len(n_strings)))
    }
}

/// A column: arrays one after the other, and the row where each starts.
pub struct Column {
    arrays: Vec<TextArray>,
    starts: Vec<usize>,
    len: usize,
}

/// One row of a column.
#[derive(Clone, Copy)]
pub struct Row<'c> {
    array: &'c TextArray,
    start: usize,
    end: usize,
}

/// One text of a row.
pub enum RowText<'c> {
    Raw(&'c str),
    /// The strings of a tokenised text, from one index to another.
    Tokens(&'c Strings, usize, usize),
}

impl Column {
    pub fn new(arrays: Vec<TextArray>) -> Self {
        let mut len = 0;
        let mut starts = Vec::with_capacity(arrays.len());
        for array in &arrays {
            starts.push(len);
            len += array.len();
        }
        Column { arrays, starts, len }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the texts are token lists; `None` if there is no array.
    pub fn is_tokenised(&self) -> Option<bool> {
        self.arrays.first().map(|array| array.tokens.is_some())
    }

    /// The row, or `None` if it is missing. `idx` must be below `len`.
    pub fn row(&self, idx: usize) -> Option<Row<'_>> {
        let (array, first) = match self.arrays.as_slice() {
            [only] => (only, 0),
            several => {
                let at = self.starts.partition_point(|&start| start <= idx).saturating_sub(1);
                (several.get(at)?, self.starts[at])
            }
        };
        let (start, end) = array.texts.of(idx - first);
        (start != MISSING).then_some(Row { array, start, end })
    }
}

impl<'c> Row<'c> {
    /// The text, if it is the only one and not tokenised.
    #[inline]
    pub fn only(self) -> Option<&'c str> {
        let TextArray { strings, tokens, .. } = self.array;
        let is_only = self.end - self.start == 1 && tokens.is_none();
        (is_only && !strings.is_null(self.start)).then(|| strings.get(self.start))
    }

    /// The texts that are not missing, in order.
    pub fn texts(self) -> impl Iterator<Item = RowText<'c>> {
        (self.start..self.end).filter_map(move |text| {
            let strings = &self.array.strings;
            match &self.array.tokens {
                None if strings.is_null(text) => None,
                None => Some(RowText::Raw(strings.get(text))),
                Some(tokens) => {
                    let (start, end) = tokens.of(text);
                    (start != MISSING).then_some(RowText::Tokens(strings, start, end))
                }
            }
        })
    }
}
