//! The words that exact matches leave over.
//!
//! Where exact matches count first, every word that both sides have is matched exactly as often as the
//! rarer side allows. Other matches can therefore only join a word that the hypothesis has too often to
//! a word that the reference has too often.

/// The words that a side has more often than the other, once each, in order of appearance.
#[derive(Default)]
pub(crate) struct Surplus {
    /// Per word number: copies in the hypothesis minus copies in the reference.
    balance: Vec<i32>,
    pub hypothesis: Vec<u32>,
    pub reference: Vec<u32>,
}

impl Surplus {
    /// Lists them for two texts of word numbers below `vocabulary`.
    pub fn find(&mut self, hypothesis: &[u32], reference: &[u32], vocabulary: usize) {
        if self.balance.len() < vocabulary {
            self.balance.resize(vocabulary.next_power_of_two(), 0);
        }
        for &word in hypothesis {
            self.balance[word as usize] += 1;
        }
        for &word in reference {
            self.balance[word as usize] -= 1;
        }
        self.hypothesis.clear();
        self.reference.clear();
        // Zeroing a count when its word is listed keeps copies out and leaves the table clean. The
        // reference goes first: a negative count may belong to a word of both sides.
        for &word in reference {
            if self.balance[word as usize] < 0 {
                self.balance[word as usize] = 0;
                self.reference.push(word);
            }
        }
        for &word in hypothesis {
            if std::mem::take(&mut self.balance[word as usize]) > 0 {
                self.hypothesis.push(word);
            }
        }
    }
}
