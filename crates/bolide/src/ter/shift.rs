//! The shift search: which blocks of the hypothesis to move so that fewer edits remain.
//!
//! Like tercom, each round lists the blocks of up to 10 words that also occur in the reference at most 50
//! positions away and are not yet aligned to themselves, tries each at up to L + 1 targets, and makes the
//! best move: largest gain, then longest block, then leftmost block, then leftmost target. The search ends
//! when no move gains anything or when 1000 moves have been considered; the round that reaches this limit
//! makes no move.
//!
//! Because of that last rule we can count before trying: a round that reaches the limit needs no distances.
//! Moves are tried in the order of their largest possible gain, and most are never tried. A move of L words
//! over d words can be undone by 2·min(L, d) edits, so it gains no more than that. And no move saves edits
//! that the words need in any order.

use super::distance::{Distance, Step};

const MAX_BLOCK: usize = 10;
const MAX_DISTANCE: usize = 50;
const MAX_MOVES: usize = 1000;

/// Buffers of the search.
#[derive(Debug, Default)]
pub(super) struct Shifts {
    distance: Distance,
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
    /// The number in this reference of a word of the vocabulary, plus one.
    numbers: Vec<u32>,
    /// How many more copies of a word the reference has than the hypothesis.
    surplus: Vec<u32>,
    /// The positions of the words in the reference: those of word `w` are `places[starts[w]..starts[w + 1]]`.
    places: Vec<u32>,
    starts: Vec<u32>,
    path: Vec<Step>,
    alignment: Alignment,
    moves: Vec<u128>,
    shifted: Vec<u32>,
}

/// The trace by words.
#[derive(Debug, Default)]
struct Alignment {
    /// For every reference word, the hypothesis word that it is aligned to or follows, plus one.
    behind: Vec<u32>,
    hypothesis_kept: Vec<bool>,
    reference_kept: Vec<bool>,
}

impl Alignment {
    fn read(&mut self, path: &[Step]) {
        self.behind.clear();
        self.hypothesis_kept.clear();
        self.reference_kept.clear();
        for &step in path.iter().rev() {
            let kept = step == Step::Keep;
            if step != Step::Insert {
                self.hypothesis_kept.push(kept);
            }
            if step != Step::Delete {
                self.behind.push(self.hypothesis_kept.len() as u32);
                self.reference_kept.push(kept);
            }
        }
    }
}

/// A block and its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    start: usize,
    len: usize,
    target: usize,
}

impl Move {
    /// The range of words that the move rotates, and by how many positions to the left.
    fn rotation(self, n_words: usize) -> (std::ops::Range<usize>, usize) {
        let Move { start, len, target } = self;
        if target < start {
            (target..start + len, start - target)
        } else {
            let passed = if target > start + len { target - start - len } else { target - start };
            (start..n_words.min(start + len + passed), len)
        }
    }

    /// The most edits that the move can save.
    fn bound(self, n_words: usize) -> u32 {
        let (range, by) = self.rotation(n_words);
        2 * by.min(range.len() - by) as u32
    }

    /// The preference among moves of equal gain, as descending numbers.
    fn pack(self, bound: u32) -> u128 {
        let lane = |value: usize| u128::from(u32::MAX - value as u32);
        u128::from(bound) << 96
            | (self.len as u128) << 64
            | lane(self.start) << 32
            | lane(self.target)
    }

    fn unpack(packed: u128) -> (u32, Move) {
        let lane = |at: u32| (packed >> at) as u32;
        let start = (u32::MAX - lane(32)) as usize;
        let target = (u32::MAX - lane(0)) as usize;
        (lane(96), Move { start, len: lane(64) as usize, target })
    }

    /// Whether this move is made, of two with the same gain.
    fn is_preferred_to(self, other: Move) -> bool {
        let key = |m: Move| (m.len, usize::MAX - m.start, usize::MAX - m.target);
        key(self) > key(other)
    }
}

impl Shifts {
    /// The edits, moves included, that turn the hypothesis into the reference.
    pub(super) fn edits(&mut self, hypothesis: &[u32], reference: &[u32]) -> u64 {
        self.edits_with(hypothesis, reference, |_| {})
    }

    /// The same; `made` sees every move.
    fn edits_with(
        &mut self,
        hypothesis: &[u32],
        reference: &[u32],
        mut made: impl FnMut(Move),
    ) -> u64 {
        if hypothesis.is_empty() || reference.is_empty() {
            return hypothesis.len().max(reference.len()) as u64;
        }
        let n_different = self.number_words(hypothesis, reference);
        let mut n_shifts = 0;
        let mut n_moves = 0;
        loop {
            let base = self.distance.measure(&self.hypothesis);
            let best = if base > n_different {
                self.best_move(base, base - n_different, &mut n_moves)
            } else {
                None
            };
            let Some(best) = best else { return u64::from(n_shifts + base) };
            let (range, by) = best.rotation(self.hypothesis.len());
            self.hypothesis[range].rotate_left(by);
            n_shifts += 1;
            made(best);
        }
    }

    /// The moves that [`edits`](Self::edits) makes, each as the block's range and its new start, and then the
    /// edits from the first word to the last.
    #[cfg(feature = "evidence")]
    pub(super) fn path(
        &mut self,
        hypothesis: &[u32],
        reference: &[u32],
    ) -> (Vec<(std::ops::Range<usize>, usize)>, Vec<Step>) {
        let mut moves = Vec::new();
        let n_words = hypothesis.len();
        self.edits_with(hypothesis, reference, |made| {
            let (range, by) = made.rotation(n_words);
            let block = made.start..made.start + made.len;
            // A rotation brings the words behind the first `by` to the front.
            let to = if made.target < made.start { range.start } else { range.end - by };
            moves.push((block, to));
        });
        if hypothesis.is_empty() || reference.is_empty() {
            let mut steps = vec![Step::Delete; n_words];
            steps.resize(n_words.max(reference.len()), Step::Insert);
            return (moves, steps);
        }
        self.distance.trace(&mut self.path);
        (moves, self.path.iter().rev().copied().collect())
    }

    /// Numbers the words of the reference from 0 and records their positions. Returns the edits that would
    /// remain if words could be reordered freely.
    fn number_words(&mut self, hypothesis: &[u32], reference: &[u32]) -> u32 {
        self.reference.clear();
        self.surplus.clear();
        let largest = hypothesis.iter().chain(reference).max().map_or(0, |&word| word as usize);
        if self.numbers.len() <= largest {
            self.numbers.resize(largest + 1, 0);
        }
        for &word in reference {
            let number = &mut self.numbers[word as usize];
            if *number == 0 {
                self.surplus.push(0);
                *number = self.surplus.len() as u32;
            }
            self.surplus[*number as usize - 1] += 1;
            self.reference.push(*number - 1);
        }
        let n_words = self.surplus.len() as u32;
        self.starts.clear();
        let mut start = 0;
        for &count in &self.surplus {
            self.starts.push(start);
            start += count;
        }
        self.places.clear();
        self.places.resize(reference.len(), 0);
        for (at, &word) in self.reference.iter().enumerate() {
            let next = &mut self.starts[word as usize];
            self.places[*next as usize] = at as u32;
            *next += 1;
        }
        // Filling has moved every start to the end of its word, which is the start of the next.
        self.starts.insert(0, 0);
        self.hypothesis.clear();
        let mut n_common = 0;
        for &word in hypothesis {
            let number = self.numbers[word as usize];
            self.hypothesis.push(number.checked_sub(1).unwrap_or(n_words));
            if let Some(count) = number.checked_sub(1).map(|at| &mut self.surplus[at as usize])
                && *count > 0
            {
                *count -= 1;
                n_common += 1;
            }
        }
        for &word in reference {
            self.numbers[word as usize] = 0;
        }
        self.distance.set_reference(&self.reference, n_words);
        hypothesis.len().max(reference.len()) as u32 - n_common
    }

    /// The move that gains most, if any move gains something and the limit is not reached.
    fn best_move(&mut self, base: u32, most: u32, n_moves: &mut usize) -> Option<Move> {
        self.distance.trace(&mut self.path);
        self.alignment.read(&self.path);
        self.list_moves(most, n_moves);
        if *n_moves >= MAX_MOVES {
            return None;
        }
        self.moves.sort_unstable_by(|a, b| b.cmp(a));
        let mut best: Option<(u32, Move)> = None;
        let mut before = 0;
        for &packed in &self.moves {
            let (bound, candidate) = Move::unpack(packed);
            if packed == before {
                continue;
            }
            before = packed;
            // The gain needed: more than the best, or equal if this move is preferred.
            let needed = match best {
                None => 1,
                Some((gain, _)) if gain > bound => break,
                Some((gain, other)) => gain + u32::from(!candidate.is_preferred_to(other)),
            };
            if needed > bound {
                continue;
            }
            let (range, by) = candidate.rotation(self.hypothesis.len());
            let from = range.start;
            self.shifted.clear();
            self.shifted.extend_from_slice(&self.hypothesis);
            self.shifted[range].rotate_left(by);
            let below = base - needed + 1;
            if let Some(distance) = self.distance.of_shifted(&self.shifted, from, below) {
                best = Some((base - distance, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }

    /// Lists the moves of this round that can gain something, and counts all of them.
    fn list_moves(&mut self, most: u32, n_moves: &mut usize) {
        let Shifts { hypothesis, reference, places, starts, alignment, moves, .. } = self;
        moves.clear();
        for start in 0..hypothesis.len() {
            let word = hypothesis[start] as usize;
            // Words that the reference lacks have higher numbers than its own.
            let Some(&to) = starts.get(word + 1) else { continue };
            for &place in &places[starts[word] as usize..to as usize] {
                let place = place as usize;
                if start.abs_diff(place) > MAX_DISTANCE {
                    continue;
                }
                let (mut hypothesis_kept, mut reference_kept) = (true, true);
                let longest = MAX_BLOCK.min(hypothesis.len() - start).min(reference.len() - place);
                for len in 1..=longest {
                    let (h, r) = (start + len - 1, place + len - 1);
                    if hypothesis[h] != reference[r] {
                        break;
                    }
                    hypothesis_kept &= alignment.hypothesis_kept[h];
                    reference_kept &= alignment.reference_kept[r];
                    // `behind` counts from one, so this is the word that the position is aligned to.
                    let aligned = alignment.behind[place] as usize;
                    if hypothesis_kept
                        || reference_kept
                        || (start < aligned && aligned <= start + len)
                    {
                        continue;
                    }
                    let first = if place == 0 { 0 } else { alignment.behind[place - 1] };
                    let mut before = u32::MAX;
                    let targets = std::iter::once(&first).chain(&alignment.behind[place..=r]);
                    for &target in targets {
                        if target == before {
                            continue;
                        }
                        before = target;
                        *n_moves += 1;
                        let candidate = Move { start, len, target: target as usize };
                        let bound = candidate.bound(hypothesis.len()).min(most);
                        if bound > 0 {
                            moves.push(candidate.pack(bound));
                        }
                    }
                    if *n_moves >= MAX_MOVES {
                        return;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(hypothesis: &str, reference: &str, edits: u64) {
        let mut words = Vec::new();
        let mut ids = |text: &str| -> Vec<u32> {
            text.split(' ')
                .filter(|word| !word.is_empty())
                .map(|word| {
                    let found = words.iter().position(|known| known == word);
                    found.unwrap_or_else(|| {
                        words.push(word.to_owned());
                        words.len() - 1
                    }) as u32
                })
                .collect()
        };
        let (h, r) = (ids(hypothesis), ids(reference));
        assert_eq!(Shifts::default().edits(&h, &r), edits, "{hypothesis:?} {reference:?}");
    }

    #[test]
    fn a_moved_block_is_one_edit() {
        check("a b c d", "a b c d", 0);
        check("c d a b", "a b c d", 1);
        check("a b c d e f", "d e f a b c", 1);
        check("x a b", "a b", 1);
        check("", "a b", 2);
        check("a b", "", 2);
        check("b a d c", "a b c d", 2);
    }

    #[test]
    fn rotations_are_tercoms_moves() {
        let moved = |start, len, target| {
            let mut words = [0, 1, 2, 3, 4, 5];
            let (range, by) = Move { start, len, target }.rotation(6);
            words[range].rotate_left(by);
            words
        };
        assert_eq!(moved(3, 2, 1), [0, 3, 4, 1, 2, 5]);
        assert_eq!(moved(1, 2, 5), [0, 3, 4, 1, 2, 5]);
        assert_eq!(moved(1, 2, 2), [0, 3, 1, 2, 4, 5]);
        assert_eq!(moved(1, 2, 3), [0, 3, 4, 1, 2, 5]);
        assert_eq!(moved(1, 2, 1), [0, 1, 2, 3, 4, 5]);
        assert_eq!(moved(4, 2, 6), [0, 1, 2, 3, 4, 5]);
        let m = Move { start: 3, len: 2, target: 7 };
        assert_eq!(Move::unpack(m.pack(4)), (4, m));
    }
}
