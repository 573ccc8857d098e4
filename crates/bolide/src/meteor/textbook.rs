//! The teaching definition: clipped counts, and chunks from the hypothesis alone.
//!
//! A hypothesis token matches while the reference still has an unused copy of it; a chunk is a run of
//! consecutive matched hypothesis positions. There is no alignment, so the word order of the reference does
//! not matter. Courses teach this definition; it is not Banerjee and Lavie's.

use super::{Pair, Parameters, Stage, formula};
use crate::arithmetic::decimal;
use crate::text::vocabulary::Vocabulary;
use crate::text::{Tokens, whitespace};

/// METEOR as courses define it, rounded to three decimals.
///
/// ```
/// let score = bolide::unstable::meteor::meteor_score(
///     "Rain falls gently from the sky",
///     "Gentle rain drops from the sky",
/// );
/// assert_eq!(score, 0.625);
/// ```
pub fn meteor_score(reference: &str, hypothesis: &str) -> f64 {
    meteor_score_with(reference, hypothesis, &Parameters::CLASSIC)
}

/// [`meteor_score`] with other parameters.
pub fn meteor_score_with(reference: &str, hypothesis: &str, parameters: &Parameters) -> f64 {
    let mut vocabulary = Vocabulary::default();
    let mut read = |text: &str| -> Vec<u32> {
        let mut tokens = Tokens::new();
        whitespace::tokenize(text, &mut tokens);
        tokens.lowercase();
        tokens.iter().map(|token| vocabulary.intern(token)).collect()
    };
    let (hypothesis, reference) = (read(hypothesis), read(reference));
    let mut pairs = Vec::new();
    let sides = (hypothesis.as_slice(), reference.as_slice());
    let chunks = Textbook::default().align(sides, vocabulary.len(), &mut pairs);
    let lengths = (hypothesis.len() as u64, reference.len() as u64);
    let score = formula::steps(pairs.len() as u64, chunks, lengths, parameters).score;
    // The decimal nearest to the binary value, like Python's `round`.
    decimal::parse(&format!("{score:.3}")).unwrap_or(score)
}

/// Buffers of the textbook matcher.
#[derive(Debug, Default)]
pub(super) struct Textbook {
    /// For each word number, the leftmost unused copy in the reference.
    first: Vec<u32>,
    /// For each reference position, the next copy of the same word.
    next: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Textbook {
    /// Pairs every hypothesis word with the earliest unused copy; returns the chunks.
    pub fn align(
        &mut self,
        (hypothesis, reference): (&[u32], &[u32]),
        vocabulary: usize,
        pairs: &mut Vec<Pair>,
    ) -> u64 {
        pairs.clear();
        if self.first.len() < vocabulary {
            self.first.resize(vocabulary.next_power_of_two(), NONE);
        }
        self.next.clear();
        self.next.resize(reference.len(), NONE);
        for (at, &word) in reference.iter().enumerate().rev() {
            self.next[at] = self.first[word as usize];
            self.first[word as usize] = at as u32;
        }
        let mut chunks = 0;
        let mut last = None;
        for (at, &word) in hypothesis.iter().enumerate() {
            let found = self.first[word as usize];
            if found == NONE {
                continue;
            }
            self.first[word as usize] = self.next[found as usize];
            let hypothesis = at as u32;
            pairs.push(Pair { hypothesis, reference: found, stage: Stage::Exact });
            chunks += u64::from(last.is_none_or(|last| last + 1 != at));
            last = Some(at);
        }
        for &word in reference {
            self.first[word as usize] = NONE;
        }
        chunks
    }
}
