//! Longest common subsequences, 64 words of the target at a time (Hyyrö 2004).
//!
//! Column j of the table of lengths t is kept as one bit for each target word i: 0 where t grows from i
//! to i + 1. The length is the number of zeros of the last column. Reading the table back from its end
//! needs no more than these bits: where the words differ and t grows at i, the value comes from the
//! column before, else from the word before.

/// Buffers for pairs of lists of vocabulary numbers.
#[derive(Debug, Default)]
pub(super) struct Subsequence {
    /// The number in the target of a word of the vocabulary, plus one.
    numbers: Vec<u32>,
    /// For each distinct target word the places where it stands; entry 0 is of all other words.
    places: Vec<u64>,
    n_blocks: usize,
    target: Vec<u32>,
    columns: Vec<u64>,
}

impl Subsequence {
    /// Takes a target.
    pub(super) fn set_target(&mut self, target: &[u32]) {
        for &word in &self.target {
            self.numbers[word as usize] = 0;
        }
        self.target.clear();
        self.target.extend_from_slice(target);
        self.n_blocks = target.len().div_ceil(64);
        self.places.clear();
        self.places.resize(self.n_blocks, 0);
        let mut n_words = 0;
        for (at, &word) in target.iter().enumerate() {
            let word = word as usize;
            if self.numbers.len() <= word {
                self.numbers.resize(word + 1, 0);
            }
            if self.numbers[word] == 0 {
                n_words += 1;
                self.numbers[word] = n_words;
                self.places.resize(self.places.len() + self.n_blocks, 0);
            }
            self.places[self.numbers[word] as usize * self.n_blocks + at / 64] |= 1 << (at % 64);
        }
    }

    fn number(&self, word: u32) -> usize {
        self.numbers.get(word as usize).map_or(0, |&number| number as usize)
    }

    /// The length of the longest common subsequence with the target.
    pub(super) fn length(&mut self, prediction: &[u32]) -> usize {
        if self.n_blocks == 1 {
            let mut column = u64::MAX;
            for &word in prediction {
                let common = column & self.places[self.number(word)];
                column = column.wrapping_add(common) | (column - common);
            }
            return column.count_zeros() as usize;
        }
        self.columns.clear();
        self.columns.resize(self.n_blocks, u64::MAX);
        for &word in prediction {
            let start = self.number(word) * self.n_blocks;
            let mut carry = false;
            for (block, column) in self.columns.iter_mut().enumerate() {
                let common = *column & self.places[start + block];
                *column = add(*column, common, &mut carry) | (*column - common);
            }
        }
        self.columns.iter().map(|column| column.count_zeros() as usize).sum()
    }

    /// Sets the bits of the target words on one longest common subsequence: the one that rouge-score
    /// reads back. `union` has a bit for each target word.
    pub(super) fn mark(&mut self, prediction: &[u32], union: &mut [u64]) {
        let n_blocks = self.n_blocks;
        self.columns.clear();
        self.columns.resize((prediction.len() + 1) * n_blocks, u64::MAX);
        for (at, &word) in prediction.iter().enumerate() {
            let start = self.number(word) * n_blocks;
            let mut carry = false;
            for block in 0..n_blocks {
                let column = self.columns[at * n_blocks + block];
                let common = column & self.places[start + block];
                self.columns[(at + 1) * n_blocks + block] =
                    add(column, common, &mut carry) | (column - common);
            }
        }
        let (mut i, mut j) = (self.target.len(), prediction.len());
        while i > 0 && j > 0 {
            let (block, bit) = ((i - 1) / 64, 1 << ((i - 1) % 64));
            if self.target[i - 1] == prediction[j - 1] {
                union[block] |= bit;
                i -= 1;
                j -= 1;
            } else if self.columns[j * n_blocks + block] & bit == 0 {
                j -= 1;
            } else {
                i -= 1;
            }
        }
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
        let mut state = 11u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        let mut subsequence = Subsequence::default();
        for round in 0..3000 {
            let n_words = 1 + below(1 + round % 30);
            let mut list = |longest: usize| -> Vec<u32> {
                (0..below(longest)).map(|_| below(n_words) as u32).collect()
            };
            let longest = [10, 70, 140, 300][round % 4];
            let (target, prediction) = (list(longest), list(longest));
            let expected = plainly(&target, &prediction);
            subsequence.set_target(&target);
            assert_eq!(subsequence.length(&prediction), expected.len());
            let mut union = vec![0; target.len().div_ceil(64)];
            subsequence.mark(&prediction, &mut union);
            let marked: Vec<usize> =
                (0..target.len()).filter(|at| union[at / 64] >> (at % 64) & 1 == 1).collect();
            assert_eq!(marked, expected);
        }
    }
}
