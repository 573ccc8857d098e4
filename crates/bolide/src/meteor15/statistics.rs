//! The counts of METEOR 1.5, of one or more segments, and the line of 23 numbers that holds them.
//!
//! Counts are integers, so adding them is exact in any order. The jar leaves the chunk of a perfect one-chunk
//! segment out of its sums; here such segments are counted separately, so that merging stays plain addition.

use super::config::MAX_MODULES;
use super::java;
use crate::definition::Mergeable;

/// Matched words of one module: content and function words of both sides. In character mode their
/// lengths in UTF-16 units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// Content words of the hypothesis.
    pub hypothesis_content: u64,
    /// Content words of the reference.
    pub reference_content: u64,
    /// Function words of the hypothesis.
    pub hypothesis_function: u64,
    /// Function words of the reference.
    pub reference_function: u64,
}

crate::record::record!(Stage {
    hypothesis_content,
    reference_content,
    hypothesis_function,
    reference_function
});

/// Counts of segments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Hypothesis words (characters in character mode).
    pub hypothesis_length: u64,
    /// Reference words (characters).
    pub reference_length: u64,
    /// Hypothesis function words (characters).
    pub hypothesis_function: u64,
    /// Reference function words (characters).
    pub reference_function: u64,
    /// Matches by position in the module list.
    pub stages: [Stage; MAX_MODULES],
    /// All chunks.
    pub chunks: u64,
    /// Segments matched completely in one chunk: their chunk does not count in a corpus.
    pub perfect: u64,
    /// Matched hypothesis words, in character mode too.
    pub hypothesis_matches: u64,
    /// Matched reference words, in character mode too.
    pub reference_matches: u64,
    /// Segments whose alignment is proven to be optimal (`meteor:1.5-optimal`).
    pub proven: u64,
    /// Segments.
    pub segments: u64,
}

crate::record::record!(Stats {
    hypothesis_length,
    reference_length,
    hypothesis_function,
    reference_function,
    stages,
    chunks,
    perfect,
    hypothesis_matches,
    reference_matches,
    proven,
    segments
});

impl Mergeable for Stats {
    fn merge(&mut self, other: &Self) {
        self.hypothesis_length += other.hypothesis_length;
        self.reference_length += other.reference_length;
        self.hypothesis_function += other.hypothesis_function;
        self.reference_function += other.reference_function;
        for (stage, other) in self.stages.iter_mut().zip(&other.stages) {
            stage.hypothesis_content += other.hypothesis_content;
            stage.reference_content += other.reference_content;
            stage.hypothesis_function += other.hypothesis_function;
            stage.reference_function += other.reference_function;
        }
        self.chunks += other.chunks;
        self.perfect += other.perfect;
        self.hypothesis_matches += other.hypothesis_matches;
        self.reference_matches += other.reference_matches;
        self.proven += other.proven;
        self.segments += other.segments;
    }
}

impl Stats {
    /// The sums as the formula reads them.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals {
            hypothesis_length: self.hypothesis_length as f64,
            reference_length: self.reference_length as f64,
            hypothesis_function: self.hypothesis_function as f64,
            reference_function: self.reference_function as f64,
            stages: [[0.0; 4]; MAX_MODULES],
            // Foreign sums may claim more perfect chunks than chunks.
            chunks: self.chunks.saturating_sub(self.perfect) as f64,
            hypothesis_words: self.hypothesis_matches as f64,
            reference_words: self.reference_matches as f64,
            hypothesis_matched: 0.0,
            reference_matched: 0.0,
        };
        for (row, stage) in totals.stages.iter_mut().zip(&self.stages) {
            *row = [
                stage.hypothesis_content as f64,
                stage.reference_content as f64,
                stage.hypothesis_function as f64,
                stage.reference_function as f64,
            ];
        }
        totals.sum_stages();
        totals
    }

    /// The jar's statistics line of a single segment, whose chunk counts even if it is perfect.
    pub fn segment_totals(&self) -> Totals {
        Totals { chunks: self.chunks as f64, ..self.totals() }
    }
}

/// The numbers that the formula reads: sums of [`Stats`], or a statistics line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals {
    /// Hypothesis length.
    pub hypothesis_length: f64,
    /// Reference length.
    pub reference_length: f64,
    /// Hypothesis function words.
    pub hypothesis_function: f64,
    /// Reference function words.
    pub reference_function: f64,
    /// For each module: hypothesis content, reference content, hypothesis function, reference
    /// function.
    pub stages: [[f64; 4]; MAX_MODULES],
    /// Chunks.
    pub chunks: f64,
    /// Matched hypothesis words.
    pub hypothesis_words: f64,
    /// Matched reference words.
    pub reference_words: f64,
    /// The hypothesis side of all stages.
    pub hypothesis_matched: f64,
    /// The reference side of all stages.
    pub reference_matched: f64,
}

impl Totals {
    fn sum_stages(&mut self) {
        self.hypothesis_matched = 0.0;
        self.reference_matched = 0.0;
        for [hypothesis, reference, hypothesis_function, reference_function] in self.stages {
            self.hypothesis_matched += hypothesis + hypothesis_function;
            self.reference_matched += reference + reference_function;
        }
    }

    /// Whether everything is matched, in one chunk.
    pub fn is_perfect(&self) -> bool {
        self.hypothesis_matched == self.hypothesis_length
            && self.reference_matched == self.reference_length
            && self.chunks == 1.0
    }

    /// Adds a segment as the jar does: a perfect one adds no chunk.
    pub fn add(&mut self, segment: &Totals) {
        self.hypothesis_length += segment.hypothesis_length;
        self.reference_length += segment.reference_length;
        self.hypothesis_function += segment.hypothesis_function;
        self.reference_function += segment.reference_function;
        for (row, other) in self.stages.iter_mut().zip(&segment.stages) {
            for (sum, x) in row.iter_mut().zip(other) {
                *sum += x;
            }
        }
        if !segment.is_perfect() {
            self.chunks += segment.chunks;
        }
        self.hypothesis_words += segment.hypothesis_words;
        self.reference_words += segment.reference_words;
        self.hypothesis_matched += segment.hypothesis_matched;
        self.reference_matched += segment.reference_matched;
    }

    /// The 23 numbers of a statistics line, which has room for the first four modules.
    pub fn numbers(&self) -> [f64; 23] {
        let mut numbers = [0.0; 23];
        numbers[..4].copy_from_slice(&[
            self.hypothesis_length,
            self.reference_length,
            self.hypothesis_function,
            self.reference_function,
        ]);
        for (to, from) in numbers[4..20].chunks_exact_mut(4).zip(&self.stages) {
            to.copy_from_slice(from);
        }
        numbers[20..].copy_from_slice(&[self.chunks, self.hypothesis_words, self.reference_words]);
        numbers
    }

    /// Reads the 23 numbers of a statistics line.
    pub fn from_numbers(numbers: &[f64; 23]) -> Self {
        let mut totals = Totals {
            hypothesis_length: numbers[0],
            reference_length: numbers[1],
            hypothesis_function: numbers[2],
            reference_function: numbers[3],
            chunks: numbers[20],
            hypothesis_words: numbers[21],
            reference_words: numbers[22],
            ..Totals::default()
        };
        for (to, from) in totals.stages.iter_mut().zip(numbers[4..20].chunks_exact(4)) {
            to.copy_from_slice(from);
        }
        totals.sum_stages();
        totals
    }

    /// Appends the statistics line as the jar prints it.
    pub fn push_line(&self, out: &mut String) {
        for (at, x) in self.numbers().into_iter().enumerate() {
            if at > 0 {
                out.push(' ');
            }
            java::push_double(x, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_back() {
        let mut numbers = [0.0; 23];
        for (at, x) in numbers.iter_mut().enumerate() {
            *x = at as f64;
        }
        let totals = Totals::from_numbers(&numbers);
        assert_eq!(totals.numbers(), numbers);
        let mut line = String::new();
        totals.push_line(&mut line);
        assert!(line.starts_with("0.0 1.0 2.0 3.0 4.0") && line.ends_with("21.0 22.0"), "{line}");
        assert_eq!(totals.hypothesis_matched, (4 + 6 + 8 + 10 + 12 + 14 + 16 + 18) as f64);
    }

    #[test]
    fn sums_from_elsewhere_may_say_anything() {
        let stats = Stats { chunks: 1, perfect: 3, ..Stats::default() };
        assert_eq!(stats.totals().chunks, 0.0);
    }

    #[test]
    fn a_perfect_segment_brings_no_chunk_to_a_corpus() {
        let mut stats = Stats {
            hypothesis_length: 2,
            reference_length: 2,
            chunks: 1,
            perfect: 1,
            hypothesis_matches: 2,
            reference_matches: 2,
            ..Stats::default()
        };
        stats.stages[0] = Stage { hypothesis_content: 2, reference_content: 2, ..Stage::default() };
        assert!(stats.segment_totals().is_perfect());
        let mut sum = Totals::default();
        sum.add(&stats.segment_totals());
        assert_eq!(sum, stats.totals());
    }
}
