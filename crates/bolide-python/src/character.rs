//! CharacTER's shifts of words, behind `bolide.compat.evaluate`.

use crate::interrupt::Interrupt;
use pyo3::prelude::*;

/// The hypothesis after all shifts that bring it nearer to the reference.
///
/// Words are numbered in their order: of two shifts that help equally, the one with the greater list of numbers wins. The
/// gains are subtracted from the rate one by one, because the rounding decides when to stop.
#[pyfunction]
pub fn character_shifts(
    py: Python<'_>,
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
) -> PyResult<Vec<u32>> {
    let interrupt = Interrupt::default();
    let shifted = py.detach(|| {
        let mut search = Search::new(&reference);
        let mut words = hypothesis;
        let mut rate = search.rate(&words);
        while let Some((edits, shifted)) = search.best_shift(&words, &interrupt) {
            let gain = rate - search.rate_of(edits);
            if gain <= 0.0 || interrupt.is_stopped() {
                break;
            }
            words = shifted;
            rate -= gain;
        }
        words
    });
    interrupt.raise()?;
    Ok(shifted)
}

/// The distances of many lists from one reference.
struct Search<'r> {
    reference: &'r [u32],
    n_blocks: usize,
    /// By word: its places in the reference, a bit for each, with the block of 64 places in which they are.
    places: Vec<Vec<(usize, u64)>>,
    /// Vertical differences of the distances, up and down.
    column: Vec<(u64, u64)>,
}

impl<'r> Search<'r> {
    fn new(reference: &'r [u32]) -> Self {
        let n_words = reference.iter().max().map_or(0, |&word| word as usize + 1);
        let mut places: Vec<Vec<(usize, u64)>> = vec![Vec::new(); n_words];
        for (at, &word) in reference.iter().enumerate() {
            let (block, bit) = (at / 64, 1 << (at % 64));
            match places[word as usize].last_mut() {
                Some((last, bits)) if *last == block => *bits |= bit,
                _ => places[word as usize].push((block, bit)),
            }
        }
        let n_blocks = reference.len().div_ceil(64);
        Search { reference, n_blocks, places, column: Vec::new() }
    }

    fn rate(&mut self, words: &[u32]) -> f64 {
        let edits = self.distance(words);
        self.rate_of(edits)
    }

    fn rate_of(&self, edits: usize) -> f64 {
        edits as f64 / self.reference.len() as f64
    }

    /// The fewest insertions, deletions and substitutions (Myers 1999, with the blocks of Hyyrö 2003).
    fn distance(&mut self, words: &[u32]) -> usize {
        let Some(last) = self.reference.len().checked_sub(1) else { return words.len() };
        let last = 1u64 << (last % 64);
        let mut edits = self.reference.len();
        self.column.clear();
        self.column.resize(self.n_blocks, (u64::MAX, 0));
        for &word in words {
            let mut places = self.places.get(word as usize).map_or(&[][..], |places| places);
            let (mut rise, mut fall) = (1, 0);
            for (idx, (up, down)) in self.column.iter_mut().enumerate() {
                let same = match places {
                    [(block, bits), behind @ ..] if *block == idx => {
                        places = behind;
                        *bits
                    }
                    _ => 0,
                };
                let fixed = same | *down;
                let same = same | fall;
                let diagonal = ((same & *up).wrapping_add(*up) ^ *up) | same;
                let (rises, falls) = (*down | !(diagonal | *up), *up & diagonal);
                if idx + 1 == self.n_blocks {
                    edits += usize::from(rises & last != 0);
                    edits -= usize::from(falls & last != 0);
                }
                let (shifted_rises, shifted_falls) = (rises << 1 | rise, falls << 1 | fall);
                (rise, fall) = (rises >> 63, falls >> 63);
                (*up, *down) = (shifted_falls | !(fixed | shifted_rises), shifted_rises & fixed);
            }
        }
        edits
    }

    /// The shift after which the fewest edits are left, with their number. `None` if there is nothing to shift.
    fn best_shift(&mut self, words: &[u32], interrupt: &Interrupt) -> Option<(usize, Vec<u32>)> {
        let (mut left, mut shifted) = (Vec::new(), Vec::new());
        let mut best: Option<(usize, Vec<u32>)> = None;
        for (start, word) in words.iter().enumerate() {
            if interrupt.look() {
                break;
            }
            for to in 0..self.reference.len() {
                if start == to || *word != self.reference[to] {
                    continue;
                }
                let same = |pair: &(&u32, &u32)| pair.0 == pair.1;
                let pairs = words[start..].iter().zip(&self.reference[to..]);
                let end = start + pairs.take_while(same).count();
                // The place is one of the words that are left, or their end.
                left.clear();
                left.extend_from_slice(&words[..start]);
                left.extend_from_slice(&words[end..]);
                let (before, behind) = left.split_at(to.min(left.len()));
                shifted.clear();
                shifted.extend_from_slice(before);
                shifted.extend_from_slice(&words[start..end]);
                shifted.extend_from_slice(behind);
                let edits = self.distance(&shifted);
                let is_better = best.as_ref().is_none_or(|(fewest, other)| {
                    edits < *fewest || edits == *fewest && shifted > *other
                });
                if is_better {
                    best = Some((edits, shifted.clone()));
                }
            }
        }
        best
    }
}
