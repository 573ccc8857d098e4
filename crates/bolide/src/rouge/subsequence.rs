//! Longest common subsequences, 64 words of the target at a time (Hyyrö 2004).
//!
//! Column j of the table of lengths t is kept as one bit for each target word i: 0 where t grows from i
//! to i + 1. The length is the number of zeros in the last column. These bits are enough to trace the table
//! back from its end: where the words differ and t grows at i, the value comes from the column before, else
//! from the word before.
//!
//! Long texts take m·n/64 steps. Memory is proportional to m + n for the length, and to √m·n for the trace,
//! which recomputes columns from those that were kept. The positions of a rare word are a list instead of a
//! row of bits, and only the part of a column that it changes is read.

use crate::stop::Stop;

/// Buffers for pairs of lists of vocabulary numbers.
#[derive(Debug, Default)]
pub(super) struct Subsequence {
    /// The number in the target of a word of the vocabulary, plus one.
    numbers: Vec<u32>,
    /// For each frequent word, its positions as a row of bits; entry 0 is for all other words.
    rows: Vec<u64>,
    /// For a long target: the positions of its words.
    rare: Rare,
    n_blocks: usize,
    target: Vec<u32>,
    columns: Vec<u64>,
    kept: Vec<u64>,
}

/// Targets of at most this many blocks have a row for every word.
const SHORT: usize = 8;
/// The number of blocks of columns to keep before some are computed twice.
const MOST_BLOCKS: usize = 1 << 17;
/// How many words of the prediction are read between two checks whether to stop.
const TURNS: usize = 64;

/// The words of a long target.
#[derive(Debug, Default)]
struct Rare {
    /// By word number: the start of its positions; last, the end of all.
    first: Vec<u32>,
    /// Block and bits.
    places: Vec<(u32, u64)>,
    /// By word number: its row plus one, or 0 if it is rare.
    rows: Vec<u32>,
}

impl Rare {
    fn of(&self, number: usize) -> &[(u32, u64)] {
        &self.places[self.first[number] as usize..self.first[number + 1] as usize]
    }
}

impl Subsequence {
    /// Sets the target.
    pub(super) fn set_target(&mut self, target: &[u32]) {
        for &word in &self.target {
            self.numbers[word as usize] = 0;
        }
        self.target.clear();
        self.target.extend_from_slice(target);
        self.n_blocks = target.len().div_ceil(64);
        self.rows.clear();
        self.rows.resize(self.n_blocks, 0);
        if self.n_blocks > SHORT {
            return self.set_long_target();
        }
        let mut n_words = 0;
        for (at, &word) in target.iter().enumerate() {
            let word = word as usize;
            if self.numbers.len() <= word {
                self.numbers.resize(word + 1, 0);
            }
            if self.numbers[word] == 0 {
                n_words += 1;
                self.numbers[word] = n_words;
                self.rows.resize(self.rows.len() + self.n_blocks, 0);
            }
            self.rows[self.numbers[word] as usize * self.n_blocks + at / 64] |= 1 << (at % 64);
        }
    }

    /// The same with lists. A word with more positions than a column has blocks gets a row; there are at most
    /// 64 such words.
    fn set_long_target(&mut self) {
        let Subsequence { numbers, rows, rare, n_blocks, target, .. } = self;
        let most = target.iter().max().map_or(0, |&word| word as usize + 1);
        numbers.resize(numbers.len().max(most), 0);
        let mut n_words = 0;
        let mut sorted: Vec<(u32, u32)> = Vec::with_capacity(target.len());
        for (&word, at) in target.iter().zip(0..) {
            let number = &mut numbers[word as usize];
            if *number == 0 {
                n_words += 1;
                *number = n_words;
            }
            sorted.push((*number, at));
        }
        sorted.sort_unstable();
        rare.first.clear();
        rare.first.push(0);
        rare.places.clear();
        rare.rows.clear();
        rare.rows.push(0);
        for same in sorted.chunk_by(|a, b| a.0 == b.0) {
            rare.first.push(rare.places.len() as u32);
            if same.len() < *n_blocks {
                rare.rows.push(0);
                for here in same.chunk_by(|a, b| a.1 / 64 == b.1 / 64) {
                    let bits = here.iter().fold(0, |bits, &(_, at)| bits | 1 << (at % 64));
                    rare.places.push((here[0].1 / 64, bits));
                }
            } else {
                let row = rows.len() / *n_blocks;
                rare.rows.push(row as u32);
                rows.resize(rows.len() + *n_blocks, 0);
                let row = &mut rows[row * *n_blocks..];
                same.iter().for_each(|&(_, at)| row[at as usize / 64] |= 1 << (at % 64));
            }
        }
        rare.first.push(rare.places.len() as u32);
    }

    fn number(&self, word: u32) -> usize {
        self.numbers.get(word as usize).map_or(0, |&number| number as usize)
    }

    /// The length of the longest common subsequence with the target.
    pub(super) fn length(&mut self, prediction: &[u32], stop: Stop<'_>) -> usize {
        if self.n_blocks == 1 {
            let mut column = u64::MAX;
            for &word in prediction {
                let common = column & self.rows[self.number(word)];
                column = column.wrapping_add(common) | (column - common);
            }
            return column.count_zeros() as usize;
        }
        let mut column = std::mem::take(&mut self.columns);
        column.clear();
        column.resize(self.n_blocks, u64::MAX);
        for (at, &word) in prediction.iter().enumerate() {
            if stop.asked_every(TURNS, at) {
                break;
            }
            self.step(&mut column, word);
        }
        let length = column.iter().map(|column| column.count_zeros() as usize).sum();
        self.columns = column;
        length
    }

    /// Advances a column to the next word of the prediction.
    #[inline]
    fn step(&self, column: &mut [u64], word: u32) {
        let number = self.number(word);
        // A word that the target lacks changes nothing.
        if number == 0 {
            return;
        }
        let row = if self.n_blocks > SHORT { self.rare.rows[number] as usize } else { number };
        if row > 0 {
            let row = &self.rows[row * self.n_blocks..][..self.n_blocks];
            let mut carry = false;
            for (column, &bits) in column.iter_mut().zip(row) {
                let common = *column & bits;
                *column = add(*column, common, &mut carry) | (*column - common);
            }
            return;
        }
        let mut places = self.rare.of(number).iter().peekable();
        while let Some(&(block, bits)) = places.next() {
            let mut carry = false;
            let mut block = block as usize;
            let mut common = column[block] & bits;
            loop {
                column[block] = add(column[block], common, &mut carry) | (column[block] - common);
                block += 1;
                let next = places.peek().map_or(self.n_blocks, |&&(next, _)| next as usize);
                if !carry || block == self.n_blocks {
                    break;
                }
                // The carry goes on to the next block, whether or not it has the word.
                common = 0;
                if block == next {
                    common = column[block] & places.next().map_or(0, |&(_, bits)| bits);
                }
            }
        }
    }

    /// Sets the bits of the target words on one longest common subsequence, the one that rouge-score traces
    /// back. `union` has a bit for each target word.
    pub(super) fn mark(&mut self, prediction: &[u32], union: &mut [u64], stop: Stop<'_>) {
        let n_blocks = self.n_blocks;
        let mut length = prediction.len();
        if length * n_blocks > MOST_BLOCKS {
            length = length.isqrt().max(1);
        }
        let (mut columns, mut kept) =
            (std::mem::take(&mut self.columns), std::mem::take(&mut self.kept));
        // The first column of every part but the first.
        kept.clear();
        columns.clear();
        columns.resize(n_blocks, u64::MAX);
        let last = prediction.len().saturating_sub(1) / length.max(1) * length;
        for (at, &word) in prediction[..last].iter().enumerate() {
            if stop.asked_every(TURNS, at) {
                break;
            }
            self.step(&mut columns, word);
            if (at + 1) % length == 0 {
                kept.extend_from_slice(&columns);
            }
        }
        let (mut i, mut j) = (self.target.len(), prediction.len());
        for first in (0..prediction.len()).step_by(length.max(1)).rev() {
            let part = &prediction[first..prediction.len().min(first + length)];
            columns.clear();
            match (first / length).checked_sub(1) {
                None => columns.resize(n_blocks, u64::MAX),
                Some(idx) => match kept.get(idx * n_blocks..(idx + 1) * n_blocks) {
                    Some(column) => columns.extend_from_slice(column),
                    // It was stopped.
                    None => break,
                },
            }
            for (at, &word) in part.iter().enumerate() {
                if stop.asked_every(TURNS, at + 1) {
                    i = 0;
                    break;
                }
                columns.extend_from_within(at * n_blocks..);
                self.step(&mut columns[(at + 1) * n_blocks..], word);
            }
            while i > 0 && j > first {
                let (block, bit) = ((i - 1) / 64, 1 << ((i - 1) % 64));
                if self.target[i - 1] == prediction[j - 1] {
                    union[block] |= bit;
                    i -= 1;
                    j -= 1;
                } else if columns[(j - first) * n_blocks + block] & bit == 0 {
                    j -= 1;
                } else {
                    i -= 1;
                }
            }
        }
        (self.columns, self.kept) = (columns, kept);
    }
}

/// Addition over several words.
fn add(a: u64, b: u64, carry: &mut bool) -> u64 {
    let (sum, first) = a.overflowing_add(b);
    let (sum, second) = sum.overflowing_add(u64::from(*carry));
    *carry = first || second;
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use bolide_testdata::random::Random;

    /// The table as rouge-score fills and reads it.
    fn plainly(target: &[u32], prediction: &[u32]) -> Vec<usize> {
        let mut table = vec![vec![0; prediction.len() + 1]; target.len() + 1];
        for i in 1..=target.len() {
            for j in 1..=prediction.len() {
                table[i][j] = if target[i - 1] == prediction[j - 1] {
                    table[i - 1][j - 1] + 1
                } else {
                    table[i - 1][j].max(table[i][j - 1])
                };
            }
        }
        let (mut i, mut j, mut places) = (target.len(), prediction.len(), Vec::new());
        while i > 0 && j > 0 {
            if target[i - 1] == prediction[j - 1] {
                places.push(i - 1);
                i -= 1;
                j -= 1;
            } else if table[i][j - 1] > table[i - 1][j] {
                j -= 1;
            } else {
                i -= 1;
            }
        }
        places.reverse();
        places
    }

    #[test]
    fn bits_give_the_table() {
        let mut random = Random(11);
        let mut below = |n: usize| random.below(n);
        let mut subsequence = Subsequence::default();
        for round in 0..3000 {
            let n_words = 1 + below(1 + round % 30 * if round < 2_950 { 1 } else { 9 });
            let mut list = |longest: usize| -> Vec<u32> {
                (0..below(longest)).map(|_| below(n_words) as u32).collect()
            };
            // The longest have words with and without a row, and the last one more columns than are kept.
            let longest = match round {
                2_990.. => 6_000,
                2_950.. => 1_500,
                _ => [10, 70, 140, 300][round % 4],
            };
            let (target, prediction) = (list(longest), list(longest));
            let expected = plainly(&target, &prediction);
            subsequence.set_target(&target);
            assert_eq!(subsequence.length(&prediction, Stop::default()), expected.len());
            let mut union = vec![0; target.len().div_ceil(64)];
            subsequence.mark(&prediction, &mut union, Stop::default());
            let marked: Vec<usize> =
                (0..target.len()).filter(|at| union[at / 64] >> (at % 64) & 1 == 1).collect();
            assert_eq!(marked, expected);
        }
    }
}
