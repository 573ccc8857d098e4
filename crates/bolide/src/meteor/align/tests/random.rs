//! Reproducible inputs: a small generator and the shapes of text the tests need.

/// SplitMix64.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub(super) fn words(&mut self, length: usize, alphabet: usize) -> Vec<u32> {
        (0..length).map(|_| self.below(alphabet) as u32).collect()
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }

    /// The same blocks of words in another order, with an occasional word changed.
    pub(super) fn block_shuffled(
        &mut self,
        length: usize,
        alphabet: usize,
    ) -> (Vec<u32>, Vec<u32>) {
        let text = self.words(length, alphabet);
        let mut blocks: Vec<Vec<u32>> = Vec::new();
        let mut at = 0;
        while at < length {
            let size = (1 + self.below(5)).min(length - at);
            blocks.push(text[at..at + size].to_vec());
            at += size;
        }
        self.shuffle(&mut blocks);
        let mut other: Vec<u32> = blocks.concat();
        for word in &mut other {
            if self.below(12) == 0 {
                *word = self.below(alphabet) as u32;
            }
        }
        (text, other)
    }

    /// A text of Zipf-distributed words and a second one made from it by moving, dropping and
    /// replacing stretches of up to seven words: the shape of two translations of one document.
    pub(super) fn document(&mut self, length: usize, vocabulary: usize) -> (Vec<u32>, Vec<u32>) {
        self.translate(length, vocabulary, 7)
    }

    /// The same with stretches of up to `longest` words: the shorter, the harder to align.
    pub(super) fn translate(
        &mut self,
        length: usize,
        vocabulary: usize,
        longest: usize,
    ) -> (Vec<u32>, Vec<u32>) {
        let mut weights = Vec::with_capacity(vocabulary);
        let mut total = 0u64;
        for rank in 0..vocabulary as u64 {
            total += 1_000_000_000 / (rank + 2);
            weights.push(total);
        }
        let word = |random: &mut Random| {
            let point = random.next() % total;
            weights.partition_point(|&w| w <= point) as u32
        };
        let text: Vec<u32> = (0..length).map(|_| word(self)).collect();
        let mut pieces: Vec<Vec<u32>> = Vec::new();
        let mut at = 0;
        while at < length {
            let size = (1 + self.below(longest)).min(length - at);
            let mut piece = text[at..at + size].to_vec();
            at += size;
            match self.below(10) {
                0 => piece.clear(),
                1 | 2 => {
                    let place = self.below(piece.len());
                    piece[place] = word(self);
                }
                3 => piece.push(word(self)),
                _ => {}
            }
            pieces.push(piece);
        }
        // Stretches move a little, as clauses do, not across the whole document.
        for at in 1..pieces.len() {
            if self.below(3) == 0 {
                let back = 1 + self.below(4.min(at));
                pieces.swap(at, at - back);
            }
        }
        (text, pieces.concat())
    }
}
