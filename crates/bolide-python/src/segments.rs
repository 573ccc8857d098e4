//! Converts rows of two columns to segments, with reusable buffers.

use crate::rows::{Row, RowText};
use bolide::{Segment, Text};

/// Turns rows into segments.
#[derive(Default)]
pub struct SegmentReader<'c> {
    words: Vec<&'c str>,
    stored: Vec<Stored<'c>>,
}

enum Stored<'c> {
    Raw(&'c str),
    Tokens(usize, usize),
}

impl<'c> SegmentReader<'c> {
    /// Calls `work` with the segment; returns `None` if there is no reference.
    pub fn with_segment<T>(
        &mut self,
        hypothesis: Row<'c>,
        references: Row<'c>,
        work: impl FnOnce(Segment<'_>) -> T,
    ) -> Option<T> {
        // The common case.
        if let (Some(hypothesis), Some(reference)) = (hypothesis.only(), references.only()) {
            return Segment::new(Text::Raw(hypothesis), &[Text::Raw(reference)]).ok().map(work);
        }
        self.words.clear();
        self.stored.clear();
        for text in hypothesis.texts().take(1).chain(references.texts()) {
            self.stored.push(match text {
                RowText::Raw(text) => Stored::Raw(text),
                RowText::Tokens(strings, start, end) => {
                    let at = self.words.len();
                    self.words.extend((start..end).map(|idx| strings.get(idx)));
                    Stored::Tokens(at, self.words.len())
                }
            });
        }
        let text = |stored: &Stored<'c>| match *stored {
            Stored::Raw(text) => Text::Raw(text),
            Stored::Tokens(start, end) => Text::Tokens(&self.words[start..end]),
        };
        let (first, others) = self.stored.split_first()?;
        // Most segments have one reference and need no list.
        match others {
            [] => None,
            [only] => Segment::new(text(first), &[text(only)]).ok().map(work),
            several => {
                let texts: Vec<Text<'_>> = several.iter().map(text).collect();
                Segment::new(text(first), &texts).ok().map(work)
            }
        }
    }
}
