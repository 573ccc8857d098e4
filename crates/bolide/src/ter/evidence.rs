//! What a TER was counted from: the moves of blocks, and the edits that remain.

use super::distance::Step as Found;
use super::{Scratch, Ter};
use crate::definition::Definition;
use crate::evidence::{Edit, Edits, Evidence, Shift, Step, Words, best};
use crate::segment::Segment;

impl Ter {
    pub(super) fn show(&self, segment: Segment<'_>) -> Evidence {
        let mut scratch = Scratch::default();
        let edits = |pair: Segment<'_>| self.segment(pair, &mut scratch).edits as f64;
        let reference_idx = best(segment, edits, |edits, before| edits < before);
        let score = self.finish(&self.segment(segment, &mut scratch));
        let Scratch { vocabulary, hypothesis, references, shifts, .. } = &mut scratch;
        let reference = references.iter().nth(reference_idx).unwrap_or(&[]);
        let (moves, path) = shifts.path(hypothesis, reference);
        let mut order: Vec<usize> = (0..hypothesis.len()).collect();
        let mut made = Vec::new();
        for (block, to) in moves {
            let from = block.start;
            let words: Vec<usize> = order.drain(block).collect();
            made.push(Shift { words: words.clone(), from, to });
            let at = to.min(order.len());
            order.splice(at..at, words);
        }
        let edits = Edits { shifts: made, path: steps(&order, &path) };
        let n_of = |kind| edits.path.iter().filter(|edit| edit.kind == kind).count();
        let sum = format!(
            "shifts + substitutions + deletions + insertions = {} + {} + {} + {}",
            edits.shifts.len(),
            n_of("substitute"),
            n_of("delete"),
            n_of("insert")
        );
        let length = score.reference_length;
        let formula = match length > 0.0 {
            true if references.iter().len() > 1 => {
                format!("100·edits / mean reference words = 100·{} / {length}", score.edits)
            }
            true => format!("100·edits / reference words = 100·{} / {length}", score.edits),
            false => format!("{}: the references are empty", score.score),
        };
        Evidence {
            steps: vec![
                Step::new("edits", sum, score.edits as f64),
                Step::new("score", formula, score.score),
            ],
            words: Words::of(vocabulary, hypothesis, references.iter()),
            reference_idx: Some(reference_idx),
            edits: Some(edits),
            ..Evidence::default()
        }
    }
}

/// The path with positions; `order` are the words of the moved hypothesis.
fn steps(order: &[usize], path: &[Found]) -> Vec<Edit> {
    let (mut hypothesis, mut references) = (order.iter().copied(), 0..);
    let step = |found: &Found| {
        let (kind, uses_hypothesis, uses_reference) = match found {
            Found::Keep => ("keep", true, true),
            Found::Substitute => ("substitute", true, true),
            Found::Delete => ("delete", true, false),
            Found::Insert => ("insert", false, true),
        };
        Edit {
            kind,
            hypothesis: if uses_hypothesis { hypothesis.next() } else { None },
            reference: if uses_reference { references.next() } else { None },
        }
    };
    path.iter().map(step).collect()
}
