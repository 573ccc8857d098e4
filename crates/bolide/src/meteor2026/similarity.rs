//! How many characters two words have in common, in order.
//!
//! The longest common subsequence in bit-parallel form (Hyyrö 2004): a row of the table is one number, and one
//! addition per character of the other word gives the next row. Most pairs of words need no table: the sets of
//! their characters rule them out (`near.rs`).

/// Longer tokens are hardly words: they match exactly or not at all, which bounds the cost of a pair.
pub(super) const LONGEST: usize = 256;
const BLOCKS: usize = LONGEST / 64;

/// The characters of a word as a set of 64 bits; several characters may share a bit. A character that occurs twice has
/// two bits. Empty for a word longer than [`LONGEST`].
pub(super) fn set_of(word: &[char]) -> u64 {
    if word.len() > LONGEST {
        return 0;
    }
    (0..).zip(word).fold(0, |set, (at, &c)| {
        let before = word[..at].iter().filter(|&&x| x == c).count() as u32;
        // Letters of ASCII stay apart from the second copies of others.
        set | 1 << ((u32::from(c) + 32 * before) % 64)
    })
}

/// The length of the longest common subsequence; 0 if a word is longer than [`LONGEST`].
pub(super) fn common(a: &[char], b: &[char]) -> u32 {
    if a.len() > LONGEST || b.len() > LONGEST {
        return 0;
    }
    let n_blocks = a.len().div_ceil(64);
    let mut row = [u64::MAX; BLOCKS];
    for &c in b {
        let mut carry = false;
        for (row, block) in row.iter_mut().zip(a.chunks(64)) {
            let places = (0..).zip(block).fold(0, |set, (at, &x)| set | u64::from(x == c) << at);
            let hits = *row & places;
            let (sum, over) = row.overflowing_add(hits);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            carry = over | again;
            *row = sum | (*row & !hits);
        }
    }
    let zeros = |at: usize| {
        let len = (a.len() - 64 * at).min(64) as u32;
        (row[at] << (64 - len)).count_zeros() - (64 - len)
    };
    (0..n_blocks).map(zeros).sum()
}

/// Where each character of a word is, for comparing it with many words. [`common`] finds the places again for every pair.
#[derive(Default)]
pub(super) struct Places {
    word: Vec<char>,
    /// By ASCII character; empty until the first word.
    of: Vec<u64>,
}

const ASCII: usize = 128;

impl Places {
    /// Replaces the word.
    pub fn fill(&mut self, word: &[char]) {
        self.of.resize(ASCII, 0);
        for &c in &self.word {
            if let Some(places) = self.of.get_mut(c as usize) {
                *places = 0;
            }
        }
        self.word.clear();
        self.word.extend_from_slice(word);
        for (at, &c) in word.iter().enumerate().take(64) {
            if let Some(places) = self.of.get_mut(c as usize) {
                *places |= 1 << at;
            }
        }
    }

    /// The same as [`common`] of the two words.
    pub fn common(&self, other: &[char]) -> u32 {
        let len = self.word.len();
        if len == 0 || len > 64 || other.len() > LONGEST {
            return common(&self.word, other);
        }
        let scan =
            |c: char| (0..).zip(&self.word).fold(0, |set, (at, &x)| set | u64::from(x == c) << at);
        let mut row = u64::MAX;
        for &c in other {
            let hits = row & self.of.get(c as usize).copied().unwrap_or_else(|| scan(c));
            row = row.wrapping_add(hits) | (row & !hits);
        }
        (row << (64 - len)).count_zeros() - (64 - len as u32)
    }
}

/// The characters of a longest common subsequence, for explanations.
pub(super) fn shared(a: &[char], b: &[char]) -> String {
    let width = b.len() + 1;
    let mut table = vec![0u32; (a.len() + 1) * width];
    for (i, x) in a.iter().enumerate().rev() {
        for (j, y) in b.iter().enumerate().rev() {
            table[i * width + j] = if x == y {
                1 + table[(i + 1) * width + j + 1]
            } else {
                table[(i + 1) * width + j].max(table[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut text) = (0, 0, String::new());
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            text.push(a[i]);
            (i, j) = (i + 1, j + 1);
        } else if table[(i + 1) * width + j] >= table[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use bolide_testdata::random::Random;

    fn check(a: &str, b: &str, expected: u32) {
        let [a, b]: [Vec<char>; 2] = [a, b].map(|word| word.chars().collect());
        assert_eq!(common(&a, &b), expected);
        assert_eq!(common(&b, &a), expected);
        let mut places = Places::default();
        places.fill(&['x', 'a', 'é']);
        places.fill(&a);
        assert_eq!(places.common(&b), expected);
        assert_eq!(shared(&a, &b).chars().count() as u32, expected);
    }

    #[test]
    fn subsequences_of_words() {
        check("", "", 0);
        check("abc", "", 0);
        check("gentle", "gently", 5);
        check("guiding", "guidebook", 4);
        check("Gärten", "Garten", 5);
        check("größe", "grösse", 4);
        check("abcbdab", "bdcaba", 4);
    }

    #[test]
    fn any_length_up_to_the_longest() {
        let mut random = Random(7);
        for len in [1, 2, 63, 64, 65, 127, 128, 129, 200, 255, 256] {
            for letters in [&['a', 'b'][..], &['a', 'b', 'c', 'd', 'e']] {
                let mut word =
                    |len: usize| -> Vec<char> { (0..len).map(|_| random.pick(letters)).collect() };
                let (a, b) = (word(len), word(len.min(90)));
                let expected = shared(&a, &b).len() as u32;
                assert_eq!((common(&a, &b), common(&b, &a)), (expected, expected), "{len}");
                let mut places = Places::default();
                for (one, other) in [(&a, &b), (&b, &a)] {
                    places.fill(one);
                    assert_eq!(places.common(other), expected, "{len}");
                }
            }
        }
        assert_eq!(common(&['a'; 257], &['a'; 4]), 0);
        assert_eq!(common(&['a'; 256], &['a'; 256]), 256);
    }
}
