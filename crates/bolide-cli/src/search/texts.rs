//! A whole corpus in memory, for trying many configurations on the same texts, and on changed ones.

use crate::args::CorpusArgs;
use crate::error::Result;
use crate::input::{Batch, Corpus};
use bolide::Text;

/// Hypotheses with their references.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    hypotheses: Vec<String>,
    references: Vec<Vec<String>>,
}

impl Texts {
    /// Reads the corpus of every system.
    pub fn read(args: &CorpusArgs) -> Result<Vec<(String, Self)>> {
        let mut corpus = Corpus::open(args)?;
        let layout = corpus.layout();
        let mut systems: Vec<(String, Self)> =
            corpus.systems.iter().map(|name| (name.clone(), Texts::default())).collect();
        let mut batch = Batch::default();
        loop {
            corpus.read(&mut batch)?;
            if batch.rows() == 0 {
                break;
            }
            for row in 0..batch.rows() {
                let mut references = Vec::new();
                layout.references(&batch, row, &mut references);
                let owned = |text: &Text<'_>| match *text {
                    Text::Raw(text) => text.to_owned(),
                    Text::Tokens(tokens) => tokens.join(" "),
                };
                let references: Vec<String> = references.iter().map(owned).collect();
                for (system, (_, texts)) in systems.iter_mut().enumerate() {
                    let hypothesis = layout.hypothesis(&batch, row, system);
                    texts.push(hypothesis.to_owned(), references.clone());
                }
            }
        }
        if systems.iter().any(|(_, texts)| texts.len() == 0) {
            return Err(corpus.empty());
        }
        Ok(systems)
    }

    /// Adds a segment.
    pub fn push(&mut self, hypothesis: String, references: Vec<String>) {
        self.hypotheses.push(hypothesis);
        self.references.push(references);
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.hypotheses.len()
    }

    /// A hypothesis.
    pub fn hypothesis(&self, row: usize) -> &str {
        &self.hypotheses[row]
    }

    /// The references of a segment.
    pub fn references(&self, row: usize) -> Vec<Text<'_>> {
        self.references[row].iter().map(|text| Text::Raw(text)).collect()
    }

    /// The largest number of references of a segment.
    pub fn most_references(&self) -> usize {
        self.references.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Every text changed: hypotheses and references may be changed differently.
    pub fn map(
        &self,
        hypothesis: impl Fn(&str) -> String,
        reference: impl Fn(&str) -> String,
    ) -> Self {
        Texts {
            hypotheses: self.hypotheses.iter().map(|text| hypothesis(text)).collect(),
            references: self
                .references
                .iter()
                .map(|list| list.iter().map(|text| reference(text)).collect())
                .collect(),
        }
    }

    /// A tenth of the segments, drawn the same way every time. Not every tenth segment: files have rhythms.
    pub fn tenth(&self) -> Self {
        let is_drawn = |row: &usize| (*row as u32).wrapping_mul(2_654_435_769) < u32::MAX / 10;
        let rows = (0..self.len()).filter(is_drawn);
        let mut texts = Texts::default();
        rows.for_each(|row| texts.push(self.hypotheses[row].clone(), self.references[row].clone()));
        texts
    }

    /// Only the first reference of each segment.
    pub fn with_first_reference(&self) -> Self {
        let mut texts = self.clone();
        texts.references.iter_mut().for_each(|list| list.truncate(1));
        texts
    }

    /// Hypotheses and references exchanged, if every segment has one reference.
    pub fn exchanged(&self) -> Option<Self> {
        let only = |list: &Vec<String>| match list.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        };
        let hypotheses: Option<Vec<String>> = self.references.iter().map(only).collect();
        let references = self.hypotheses.iter().map(|text| vec![text.clone()]).collect();
        Some(Texts { hypotheses: hypotheses?, references })
    }

    /// The references of each segment taken for a stream: a program that expects streams pairs the nth
    /// hypothesis with the nth reference of every segment, and drops what has no partner. `None` if the
    /// segments have different numbers of references.
    pub fn transposed(&self) -> Option<Self> {
        let n_streams = self.references.first()?.len();
        if self.references.iter().any(|list| list.len() != n_streams) {
            return None;
        }
        let n_rows = n_streams.min(self.len());
        let column = |at: usize| self.references.iter().map(|list| list[at].clone()).collect();
        Some(Texts {
            hypotheses: self.hypotheses[..n_rows].to_vec(),
            references: (0..n_rows).map(column).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(rows: &[(&str, &[&str])]) -> Texts {
        let mut texts = Texts::default();
        for (hypothesis, references) in rows {
            let references = references.iter().map(|&text| text.to_owned()).collect();
            texts.push((*hypothesis).to_owned(), references);
        }
        texts
    }

    #[test]
    fn one_reference_each_taken_for_streams_leaves_the_first_hypothesis() {
        let one = texts(&[("a", &["x"]), ("b", &["y"])]);
        assert_eq!(one.transposed(), Some(texts(&[("a", &["x", "y"])])));
        let square = texts(&[("a", &["1", "2"]), ("b", &["3", "4"])]);
        assert_eq!(square.transposed(), Some(texts(&[("a", &["1", "3"]), ("b", &["2", "4"])])));
        assert_eq!(texts(&[("a", &["1"]), ("b", &["3", "4"])]).transposed(), None);
    }

    #[test]
    fn a_tenth_is_drawn_from_everywhere() {
        let mut all = Texts::default();
        (0..3000).for_each(|row| all.push(row.to_string(), vec![String::new()]));
        let rows: Vec<usize> =
            all.tenth().hypotheses.iter().map(|text| text.parse().unwrap()).collect();
        assert!((290..=310).contains(&rows.len()), "{}", rows.len());
        for start in (0..3000).step_by(300) {
            let n_here = rows.iter().filter(|&&row| (start..start + 300).contains(&row)).count();
            assert!((25..=35).contains(&n_here), "{start} {n_here}");
        }
    }

    #[test]
    fn exchanging_needs_one_reference_each() {
        let one = texts(&[("a", &["x"]), ("b", &["y"])]);
        assert_eq!(one.exchanged(), Some(texts(&[("x", &["a"]), ("y", &["b"])])));
        assert_eq!(texts(&[("a", &["x", "y"])]).exchanged(), None);
    }
}
