//! The beam search for all but the most unusual sentences: a state is a sort key and a few more numbers, and
//! a child is only a number until it has survived.
//!
//! It gives exactly the result of the general search ([`super::search`]) and skips what follows from its
//! rules:
//!
//! - A gain that all states share does not affect their order. So a fixed match, or a word without proposals,
//!   matters only if it closes the chunks of some states and not of others.
//! - A fixed match shares no word with any other proposal, and reference words before the end of a state's
//!   last match are done. So the words that a state has used are those of the hypothesis that several
//!   proposals may cover.

use super::matches::Candidates;
use super::search::{NOTHING, weight};

/// The widest beam that fits.
pub(super) const WIDEST: usize = 64;

// A key, from its low bits: the number of the child, then distance, closed chunks, and the shortfall from the
// largest possible number of matched words. Smaller is better. The number of the child (its parent's place in
// the beam, then its choice) breaks ties, like the order of arrival in the jar.
const CHOICE_BITS: u32 = 14;
const PARENT_BITS: u32 = 6;
const CHILD_BITS: u32 = CHOICE_BITS + PARENT_BITS;
const DISTANCE_BITS: u32 = 24;
const CHUNK_BITS: u32 = 9;
const CHUNK: u64 = 1 << (CHILD_BITS + DISTANCE_BITS);
const WORD: u64 = CHUNK << CHUNK_BITS;
const WORD_BITS: u32 = 64 - CHILD_BITS - DISTANCE_BITS - CHUNK_BITS;
const CHILD: u64 = (1 << CHILD_BITS) - 1;
/// Nothing matched.
const START: u64 = ((1 << WORD_BITS) - 1) * WORD;

/// A set of contested words of the hypothesis.
pub(super) trait Row: Copy + Default + std::fmt::Debug {
    const BITS: usize;
    const ALL: Self;
    fn of(start: u32, length: u32) -> Self;
    fn overlaps(&self, other: &Self) -> bool;
    fn with(&self, other: &Self) -> Self;
}

impl Row for u64 {
    const BITS: usize = 64;
    const ALL: u64 = u64::MAX;
    #[inline]
    fn of(start: u32, length: u32) -> u64 {
        let ones = if length < 64 { (1 << length) - 1 } else { u64::MAX };
        ones << (start & 63)
    }
    #[inline]
    fn overlaps(&self, other: &u64) -> bool {
        self & other != 0
    }
    #[inline]
    fn with(&self, other: &u64) -> u64 {
        self | other
    }
}

impl Row for [u64; 4] {
    const BITS: usize = 256;
    const ALL: [u64; 4] = [u64::MAX; 4];
    fn of(start: u32, length: u32) -> [u64; 4] {
        let mut row = [0; 4];
        for at in start..start + length {
            row[at as usize >> 6 & 3] |= 1 << (at & 63);
        }
        row
    }
    #[inline]
    fn overlaps(&self, other: &[u64; 4]) -> bool {
        self.iter().zip(other).any(|(row, other)| row & other != 0)
    }
    #[inline]
    fn with(&self, other: &[u64; 4]) -> [u64; 4] {
        std::array::from_fn(|at| self[at] | other[at])
    }
}

/// A proposal in the form that the search uses.
#[derive(Clone, Copy, Debug)]
struct Proposal<R> {
    gain: u64,
    distance: u64,
    effect: Effect<R>,
    /// Its first word in the hypothesis.
    first: u32,
}

/// The effect of a choice on a state.
#[derive(Clone, Copy, Debug)]
struct Effect<R> {
    used: R,
    /// The mask of the tail bits that stay, and the new bits.
    keep: u32,
    tail: u32,
}

/// In a tail, no open chunk.
const NONE: u32 = 0xFFFF;
/// The shift of the reference position in a tail.
const END: u32 = 16;

/// The states in the beam, best first, by columns.
#[derive(Clone, Debug)]
struct States<R> {
    n: usize,
    /// In a state, the bits of the child hold its own place.
    keys: [u64; WIDEST],
    used: [R; WIDEST],
    /// The end of the last match: the low half is the position after it in the hypothesis, or [`NONE`] if no
    /// chunk is open; the high half is that in the reference.
    tails: [u32; WIDEST],
}

/// A change of the beam.
#[derive(Clone, Copy, Debug)]
struct Change {
    /// The start of the states in the history.
    start: u32,
    /// The first possible proposal, and their number.
    first: u32,
    n: u32,
}

/// The search and its buffers.
#[derive(Debug, Default)]
pub(super) struct Packed<R> {
    proposals: Vec<Proposal<R>>,
    effects: Vec<Effect<R>>,
    /// The states, then their parents.
    beams: Vec<Box<States<R>>>,
    children: Vec<u64>,
    /// For each state after each change of the beam, the low bits of its key, which identify its parent.
    history: Vec<u32>,
    changes: Vec<Change>,
    /// By position in the hypothesis: the number of words before it that any proposal contains.
    numbers: Vec<u32>,
}

impl<R: Row> Packed<R> {
    /// Runs the search if the pair fits, and returns whether it did. `taken` has the fixed matches and
    /// receives the chosen ones.
    pub(super) fn run(
        &mut self,
        candidates: &Candidates,
        halves: &[u32],
        beam: usize,
        taken: &mut [u32],
    ) -> bool {
        if beam > WIDEST || !self.prepare(candidates, halves) {
            return false;
        }
        self.history.clear();
        self.changes.clear();
        self.beams.resize_with(2, || {
            let (keys, used, tails) = ([0; WIDEST], [R::default(); WIDEST], [NONE; WIDEST]);
            Box::new(States { n: 0, keys, used, tails })
        });
        let states = &mut self.beams[0];
        states.n = 1;
        states.keys[0] = START;
        states.used[0] = R::default();
        states.tails[0] = NONE;
        for (position, &fixed) in taken.iter().enumerate() {
            let group = candidates.at(position);
            if fixed != NOTHING {
                let Proposal { first, effect, .. } = self.proposals[fixed as usize];
                self.step(position as u32, first, effect.tail);
            } else if group.is_empty() {
                self.step(position as u32, NONE, NONE);
            } else {
                self.branch(group, position as u32, beam);
            }
        }
        // The jar sorts once more after closing the last chunks.
        let states = &self.beams[0];
        let closed =
            |&at: &usize| states.keys[at] + u64::from(closes(states.tails[at], NONE)) * CHUNK;
        let mut best = (0..states.n.min(WIDEST)).min_by_key(closed).unwrap_or(0);
        for change in self.changes.iter().rev() {
            let child = self.history[change.start as usize + best];
            let choice = child & ((1 << CHOICE_BITS) - 1);
            if choice < change.n {
                let choice = change.first + choice;
                taken[candidates.matches[choice as usize].start as usize] = choice;
            }
            best = child as usize >> CHOICE_BITS;
        }
        true
    }

    /// Translates the proposals, if they fit.
    fn prepare(&mut self, candidates: &Candidates, halves: &[u32]) -> bool {
        let (n_reference, n_hypothesis) =
            (candidates.first.len() - 1, candidates.hypothesis_coverage.len());
        if n_reference + 1 >= 1 << CHUNK_BITS || n_reference + n_hypothesis >= 1 << WORD_BITS {
            return false;
        }
        self.numbers.clear();
        let mut n = 0;
        for &covered in &candidates.hypothesis_coverage {
            self.numbers.push(n);
            n += u32::from(covered > 0);
        }
        if n as usize > R::BITS {
            return false;
        }
        let mut distance = 0;
        self.proposals.clear();
        for m in &candidates.matches {
            distance += u64::from(m.distance());
            let last = m.hypothesis_start + m.hypothesis_length;
            self.proposals.push(Proposal {
                gain: u64::from(weight(m, halves)) * WORD,
                distance: u64::from(m.distance()) << CHILD_BITS,
                effect: Effect {
                    used: R::of(self.numbers[m.hypothesis_start as usize], m.hypothesis_length),
                    keep: 0,
                    tail: last | (m.start + m.length) << END,
                },
                first: m.hypothesis_start,
            });
        }
        // Two choice numbers are reserved.
        distance < 1 << DISTANCE_BITS && candidates.matches.len() + 2 < 1 << CHOICE_BITS
    }

    /// Gives each state its only successor. States inside a match stay as they are; others close their chunk,
    /// unless it continues at `first`, and get the new tail.
    #[inline(never)]
    fn step(&mut self, position: u32, first: u32, tail: u32) {
        let states = &mut self.beams[0];
        let n = states.n.min(WIDEST);
        let (mut before, mut sorted) = (0, true);
        for (key, old) in states.keys[..n].iter_mut().zip(&mut states.tails) {
            let inside = position < *old >> END;
            *key += u64::from(!inside & closes(*old, first)) * CHUNK;
            *old = if inside { *old } else { tail };
            sorted &= before < *key;
            before = *key;
        }
        if !sorted {
            self.children.clear();
            self.children.extend_from_slice(&states.keys[..n]);
            // These states choose nothing, which does not change them.
            let same = Effect { used: R::default(), keep: u32::MAX, tail: 0 };
            self.effects.clear();
            self.effects.push(same);
            self.children.sort_unstable();
            self.adopt(n, Change { start: 0, first: 0, n: 0 });
        }
    }

    /// Gives each state a child for each proposal that it can take, and one that skips the word.
    #[inline(never)]
    fn branch(&mut self, group: std::ops::Range<usize>, position: u32, beam: usize) {
        let Packed { proposals, effects, beams, children, .. } = self;
        let change = Change { start: 0, first: group.start as u32, n: group.len() as u32 };
        let proposals = &proposals[group];
        let parents = &beams[0];
        let n = parents.n.min(WIDEST);
        children.resize(children.len().max((proposals.len() + 1) * WIDEST), 0);
        let mut n_children = 0;
        // The distance of a choice is charged to the later ones.
        let mut keys = parents.keys;
        let mut blocked = parents.used;
        for (blocked, &tail) in blocked[..n].iter_mut().zip(&parents.tails) {
            if position < tail >> END {
                *blocked = R::ALL;
            }
        }
        effects.clear();
        for (choice, proposal) in proposals.iter().enumerate() {
            let Proposal { gain, distance, first, effect } = *proposal;
            effects.push(effect);
            let columns = keys[..n].iter_mut().zip(&blocked).zip(&parents.tails);
            for ((key, blocked), &tail) in columns {
                let free = u64::from(!blocked.overlaps(&effect.used));
                let closes = u64::from(closes(tail, first));
                // A proposal that cannot be taken is overwritten by the next one, without an unpredictable
                // branch.
                children[n_children] = (*key - gain + closes * CHUNK) | choice as u64;
                n_children += free as usize;
                *key += distance * free;
            }
        }
        let skip = proposals.len() as u64;
        effects.push(Effect { used: R::default(), keep: !NONE, tail: NONE });
        effects.push(Effect { used: R::default(), keep: u32::MAX, tail: 0 });
        for (&key, &tail) in keys[..n].iter().zip(&parents.tails) {
            let inside = position < tail >> END;
            let closes = u64::from(!inside & closes(tail, NONE));
            children[n_children] = (key + closes * CHUNK) | (skip + u64::from(inside));
            n_children += 1;
        }
        let mut best = &mut children[..n_children];
        if n_children > beam {
            best = best.select_nth_unstable(beam).0;
        }
        best.sort_unstable();
        self.adopt(n_children.min(beam), change);
    }

    /// Turns the first of the children into the states.
    fn adopt(&mut self, n: usize, change: Change) {
        let Packed { effects, beams, children, history, changes, .. } = self;
        let children = &children[..n.min(WIDEST)];
        changes.push(Change { start: history.len() as u32, ..change });
        history.extend(children.iter().map(|&key| (key & CHILD) as u32));
        let [parents, states, ..] = &mut beams[..] else { return };
        for (at, &key) in children.iter().enumerate() {
            let parent = (key & CHILD) as usize >> CHOICE_BITS;
            let effect = &effects[key as usize & ((1 << CHOICE_BITS) - 1)];
            states.keys[at] = key & !CHILD | (at as u64) << CHOICE_BITS;
            states.used[at] = parents.used[parent].with(&effect.used);
            states.tails[at] = parents.tails[parent] & effect.keep | effect.tail;
        }
        states.n = children.len();
        beams.swap(0, 1);
    }
}

/// Whether a match that starts at `first` closes an open chunk.
#[inline]
fn closes(tail: u32, first: u32) -> bool {
    (tail & NONE != NONE) & (tail & NONE != first)
}
