//! A batch: a few rows of all columns, and the role of each column.

use super::column::Column;
use bolide::Text;

/// A batch ends after this many rows …
pub const MOST_ROWS: usize = 256;
/// … or after this many bytes in any of its columns, so that its texts are still in the cache when they are
/// scored …
pub const BATCH_BYTES: usize = 1 << 16;
/// … and earlier at the beginning of a corpus, so that a small corpus is also divided among the workers.
pub const FEWEST_ROWS: usize = 16;

/// Rows of all columns.
#[derive(Default)]
pub struct Batch {
    pub(super) columns: Vec<Column>,
    pub(super) n_rows: usize,
}

impl Batch {
    /// How many segments it holds.
    pub fn rows(&self) -> usize {
        self.n_rows
    }
}

/// The role of each column of a batch.
#[derive(Clone, Default)]
pub struct Layout {
    /// One for each system.
    pub(super) hypotheses: Vec<usize>,
    pub(super) references: Vec<usize>,
    pub(super) extras: Vec<usize>,
    pub(super) n_columns: usize,
}

impl Layout {
    /// The hypothesis of a system.
    pub fn hypothesis<'a>(&self, batch: &'a Batch, row: usize, system: usize) -> &'a str {
        batch.columns[self.hypotheses[system]].text(row)
    }

    /// The text of an extra column.
    pub fn extra<'a>(&self, batch: &'a Batch, row: usize, extra: usize) -> &'a str {
        batch.columns[self.extras[extra]].text(row)
    }

    /// Whether a row has no reference at all: null, or an empty list.
    pub fn has_no_reference(&self, batch: &Batch, row: usize) -> bool {
        self.references.iter().all(|&idx| batch.columns[idx].texts(row).len() == 0)
    }

    /// Collects the references of a row: at least one.
    ///
    /// If there are several references, an empty one is left out, as in sacreBLEU. If none remains, the segment
    /// has one empty reference.
    pub fn references<'a>(&self, batch: &'a Batch, row: usize, into: &mut Vec<Text<'a>>) {
        into.clear();
        if let [idx] = self.references.as_slice()
            && let Some(only) = batch.columns[*idx].only_text(row)
        {
            into.push(Text::Raw(only));
            return;
        }
        let texts = || self.references.iter().flat_map(|&idx| batch.columns[idx].texts(row));
        let mut all = texts();
        if let (Some(only), None) = (all.next(), all.next()) {
            into.push(Text::Raw(only));
            return;
        }
        into.extend(texts().filter(|text| !text.trim().is_empty()).map(Text::Raw));
        if into.is_empty() {
            into.push(Text::Raw(""));
        }
    }
}
