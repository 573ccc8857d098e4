//! Inputs: from paths and column names to batches of hypotheses with their references.
//!
//! A [`Corpus`] streams, a [`Table`] holds everything; both read from a [`Source`], of which there is
//! one for each kind of file. Scoring is left to `run`.

mod batch;
mod column;
mod corpus;
mod delimited;
mod formats;
mod guard;
mod impression;
mod json_array;
mod jsonl;
mod lines;
mod names;
pub mod open;
mod parquet;
mod pasted;
mod quotes;
mod table;

pub use batch::{Batch, Layout};
pub use column::Column;
pub use corpus::{Corpus, Extra, Place};
pub use formats::{is_table, lines_only};
pub use impression::{Impression, look_swapped};
pub use lines::{all_lines, nth_line};
pub use names::{short_name, system_names};
pub use open::{is_stdin, open};
pub use table::{Table, Wanted};

use crate::error::{Result, bail};
use open::Opened;

/// Something that yields rows.
trait Source: Send {
    /// The file behind it.
    fn opened(&self) -> &Opened;
    /// Appends rows to the columns until they have `max_rows` rows or are full. Appends none only at the end.
    fn read(&mut self, columns: &mut [Column], max_rows: usize) -> Result<()>;
    /// How many rows it has yielded.
    fn n_rows(&self) -> u64;
    /// The lines on which the last `n` rows began; row numbers for formats without lines.
    fn lines_read(&self, n: usize) -> Vec<u64> {
        let last = self.n_rows();
        (last + 1 - n as u64..=last).collect()
    }
    /// How many rows remain. It consumes the source.
    fn count_rest(&mut self) -> Result<u64>;
}

/// What a column is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Hypothesis,
    Reference,
    /// An extra column, by its index among the extras.
    Extra(usize, Kind),
}

/// What the texts of an extra column must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Anything; in JSON lines also numbers, true and false.
    Text,
    /// A finite number, or nothing.
    Number,
}

impl Kind {
    /// Refuses a text that the column must not contain. The caller adds the place to the error.
    fn check(self, text: &str) -> Result<()> {
        if self == Kind::Text || text.trim().is_empty() {
            return Ok(());
        }
        match text.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(()),
            _ => bail!("'{text}' is not a number"),
        }
    }
}

fn with_role(names: &[String], role: Role) -> Vec<(&str, Role)> {
    names.iter().map(|name| (name.as_str(), role)).collect()
}
