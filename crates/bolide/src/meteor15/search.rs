//! The jar's beam search for an alignment, with its quirks.
//!
//! Reference position by reference position, every kept state takes one of the proposals that start
//! there or skips the word. States are ordered by weighted matched words, then closed chunks, then
//! distance, and ties keep their order; the best `beam` go on. Two things look like slips and are
//! kept: a match's weight is rounded down to whole words (a stem match counts nothing), and the
//! distance of a chosen match is charged to its younger siblings instead of to itself.
//!
//! Nearly all sentences are searched in a quick way that gives the same ([`super::packed`]); what is here
//! is the search for any sentence, beam and preference. What states chose hangs on a shared list, what
//! they used is a row of bits, and a child is only built once it is known to be among the best so far.

use super::matches::{Candidates, Match};
use super::packed::Packed;

/// How states are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The scorer's: most covered words; non-exact matches weigh a half.
    Coverage,
    /// The stand-alone aligner's `maxacc`: stems and synonyms weigh as much as exact matches,
    /// paraphrases nothing, and unweighted matches decide before chunks.
    Accuracy,
}

const NO_CHUNK: u32 = u32::MAX;
pub(super) const NOTHING: u32 = u32::MAX;

/// Buffers of the search, and its result.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// Up to 64 words of the hypothesis that can be matched.
    short: Packed<u64>,
    /// Up to 256 of them.
    medium: Packed<[u64; 4]>,
    /// All others.
    any: Beam,
    /// By reference position: the match that starts there, fixed before the search or chosen by it.
    pub(super) taken: Vec<u32>,
    /// The chosen matches in the order of their reference positions.
    pub(super) chosen: Vec<Match>,
}

impl Search {
    /// Finds an alignment. `halves[k]` says how many half words a matched word of module k weighs.
    /// Gives the number of warnings the jar would print (one at each position when the beam keeps
    /// nothing).
    pub(super) fn run(
        &mut self,
        candidates: &Candidates,
        halves: &[u32],
        preference: Preference,
        beam: i32,
        n_hypothesis: usize,
        n_reference: usize,
    ) -> usize {
        self.fix(candidates);
        let mut warnings = 0;
        match usize::try_from(beam) {
            Ok(beam) if beam > 0 => {
                let taken = &mut self.taken;
                let quick = preference == Preference::Coverage
                    && (self.short.run(candidates, halves, beam, taken)
                        || self.medium.run(candidates, halves, beam, taken));
                if !quick {
                    let size = Size { n_hypothesis, n_reference, beam };
                    self.any.run(candidates, halves, preference, size, taken);
                }
            }
            // Nothing survives any position: the fixed matches are the alignment.
            _ => warnings = n_reference + 1,
        }
        self.choose(candidates);
        warnings
    }

    /// Takes the matches that nothing competes with.
    pub(super) fn fix(&mut self, candidates: &Candidates) {
        self.taken.clear();
        let once = |coverage: &[u32], start: u32, length: u32| {
            coverage[start as usize..(start + length) as usize].iter().all(|&n| n == 1)
        };
        for position in 0..candidates.first.len() - 1 {
            let group = candidates.at(position);
            let alone = group.len() == 1 && {
                let m = &candidates.matches[group.start];
                once(&candidates.reference_coverage, m.start, m.length)
                    && once(
                        &candidates.hypothesis_coverage,
                        m.hypothesis_start,
                        m.hypothesis_length,
                    )
            };
            self.taken.push(if alone { group.start as u32 } else { NOTHING });
        }
    }

    /// Lists the matches taken.
    pub(super) fn choose(&mut self, candidates: &Candidates) {
        self.chosen.clear();
        let taken = self.taken.iter().filter(|&&at| at != NOTHING);
        self.chosen.extend(taken.map(|&at| candidates.matches[at as usize]));
    }
}

/// The words that a state has used: the bits of the hypothesis, then those of the reference.
#[derive(Clone, Debug)]
struct Used {
    bits: Vec<u64>,
    /// Where the reference's bits start.
    reference: usize,
}

impl Used {
    fn none(n_hypothesis: usize, n_reference: usize) -> Self {
        let reference = n_hypothesis.div_ceil(64);
        Used { bits: vec![0; reference + n_reference.div_ceil(64)], reference }
    }

    fn overlaps(&self, m: &Match) -> bool {
        let any = |bits: &[u64], start: u32, length: u32| {
            (start..start + length).any(|at| bits[at as usize >> 6] >> (at & 63) & 1 != 0)
        };
        any(&self.bits[..self.reference], m.hypothesis_start, m.hypothesis_length)
            || any(&self.bits[self.reference..], m.start, m.length)
    }

    fn mark(&mut self, m: &Match) {
        let set = |bits: &mut [u64], start: u32, length: u32| {
            (start..start + length).for_each(|at| bits[at as usize >> 6] |= 1 << (at & 63));
        };
        set(&mut self.bits[..self.reference], m.hypothesis_start, m.hypothesis_length);
        set(&mut self.bits[self.reference..], m.start, m.length);
    }
}

/// What states are compared by.
#[derive(Clone, Copy, Debug)]
struct Standing {
    /// Weighted matched words of both sides.
    weighted: u32,
    /// Matched words of both sides, where the preference asks for them.
    plain: u32,
    chunks: u32,
    /// Java's int: it may wrap.
    distance: i32,
}

/// A standing as a number: smaller is better.
type Key = u128;

fn key(standing: &Standing) -> Key {
    u128::from(!standing.weighted) << 96
        | u128::from(!standing.plain) << 64
        | u128::from(standing.chunks) << 32
        | u128::from(standing.distance as u32 ^ 0x8000_0000)
}

#[derive(Clone, Debug)]
struct State {
    standing: Standing,
    /// The hypothesis position behind the last match, if a chunk is open.
    last: u32,
    /// The next reference position to treat.
    index: u32,
    /// The last choice.
    history: u32,
    /// A choice not yet on the list.
    choice: u32,
    used: Used,
}

impl State {
    fn apply(&mut self, m: &Match, gain: &Gain) {
        self.standing = after(&self.standing, self.last, m, gain);
        self.index = m.start + m.length;
        self.last = m.hypothesis_start + m.hypothesis_length;
    }

    fn close_chunk(&mut self) {
        if self.last != NO_CHUNK {
            self.standing.chunks += 1;
            self.last = NO_CHUNK;
        }
    }
}

/// The standing after a match.
#[inline]
fn after(standing: &Standing, last: u32, m: &Match, gain: &Gain) -> Standing {
    Standing {
        weighted: standing.weighted + gain.weighted,
        plain: standing.plain + gain.plain,
        chunks: standing.chunks + u32::from(last != NO_CHUNK && m.hypothesis_start != last),
        distance: standing.distance,
    }
}

/// What a match adds to a state.
#[derive(Clone, Copy, Debug)]
struct Gain {
    weighted: u32,
    plain: u32,
    distance: i32,
}

impl Gain {
    fn new(m: &Match, halves: &[u32], preference: Preference) -> Self {
        Gain {
            weighted: weight(m, halves),
            plain: match preference {
                Preference::Coverage => 0,
                Preference::Accuracy => m.hypothesis_length + m.length,
            },
            distance: m.distance() as i32,
        }
    }
}

/// What a match adds to the weighted matched words of both sides, each rounded down.
pub(super) fn weight(m: &Match, halves: &[u32]) -> u32 {
    let weight = halves.get(m.module as usize).copied().unwrap_or(0);
    m.hypothesis_length * weight / 2 + m.length * weight / 2
}

#[derive(Clone, Copy, Debug)]
struct Size {
    n_hypothesis: usize,
    n_reference: usize,
    beam: usize,
}

/// The search for any sentence.
#[derive(Debug, Default)]
struct Beam {
    states: Vec<State>,
    children: Vec<State>,
    /// The best children so far, in order, ties by arrival.
    order: Vec<(Key, u32)>,
    history: Vec<(u32, u32)>,
    gains: Vec<Gain>,
}

/// Up to this beam a child is put in its place at once; wider beams are sorted at the end.
const NARROW: usize = 256;

impl Beam {
    fn run(
        &mut self,
        candidates: &Candidates,
        halves: &[u32],
        preference: Preference,
        size: Size,
        taken: &mut [u32],
    ) {
        let matches = &candidates.matches;
        self.gains.clear();
        self.gains.extend(matches.iter().map(|m| Gain::new(m, halves, preference)));
        self.start(matches, size, taken);
        for (position, &fixed) in taken.iter().enumerate() {
            let group = candidates.at(position);
            if fixed != NOTHING {
                let (m, gain) = (&matches[fixed as usize], &self.gains[fixed as usize]);
                for state in &mut self.states {
                    state.apply(m, gain);
                    let distance = &mut state.standing.distance;
                    *distance = distance.wrapping_add(gain.distance);
                }
                self.restore_order();
            } else if group.is_empty() {
                for state in &mut self.states {
                    if position >= state.index as usize {
                        state.close_chunk();
                        state.index += 1;
                    }
                }
                self.restore_order();
            } else {
                self.branch(matches, group, position, size.beam);
            }
        }
        // The jar sorts once more after closing the last chunks.
        self.states.iter_mut().for_each(State::close_chunk);
        let best = self.states.iter().min_by_key(|state| key(&state.standing));
        let mut link = best.map_or(NOTHING, |state| state.history);
        while link != NOTHING {
            let (earlier, choice) = self.history[link as usize];
            taken[matches[choice as usize].start as usize] = choice;
            link = earlier;
        }
    }

    /// Starts with one state in which unambiguous matches are already used.
    fn start(&mut self, matches: &[Match], size: Size, taken: &[u32]) {
        self.history.clear();
        let mut used = Used::none(size.n_hypothesis, size.n_reference);
        for &fixed in taken.iter().filter(|&&fixed| fixed != NOTHING) {
            used.mark(&matches[fixed as usize]);
        }
        self.states.clear();
        self.states.push(State {
            standing: Standing { weighted: 0, plain: 0, chunks: 0, distance: 0 },
            last: NO_CHUNK,
            index: 0,
            history: NOTHING,
            choice: NOTHING,
            used,
        });
    }

    /// Sorts the states, ties in order, after a step that gave each one successor. Mostly they are in
    /// order already.
    fn restore_order(&mut self) {
        let of = |state: &State| key(&state.standing);
        if self.states.len() < 2 || self.states.is_sorted_by_key(of) {
            return;
        }
        self.order.clear();
        let keys = self.states.iter().enumerate();
        self.order.extend(keys.map(|(at, state)| (of(state), at as u32)));
        // The number of the state breaks ties, so that they keep their order.
        self.order.sort_unstable();
        std::mem::swap(&mut self.states, &mut self.children);
        self.adopt();
    }

    /// Makes the children the states, in order.
    fn adopt(&mut self) {
        self.states.clear();
        for &(_, child) in &self.order {
            let mut state = self.children[child as usize].clone();
            if state.choice != NOTHING {
                self.history.push((state.history, state.choice));
                state.history = self.history.len() as u32 - 1;
                state.choice = NOTHING;
            }
            self.states.push(state);
        }
    }

    #[inline(never)]
    fn branch(
        &mut self,
        matches: &[Match],
        group: std::ops::Range<usize>,
        position: usize,
        beam: usize,
    ) {
        let Beam { states, children, order, gains, .. } = self;
        order.clear();
        children.clear();
        let first = group.start;
        let (matches, gains) = (&matches[group.clone()], &gains[group]);
        for state in states.iter() {
            if position < state.index as usize {
                if let Some(slot) = place(order, key(&state.standing), beam) {
                    put(children, slot, state.clone());
                }
                continue;
            }
            let mut standing = state.standing;
            for (choice, (m, gain)) in matches.iter().zip(gains).enumerate() {
                if state.used.overlaps(m) {
                    continue;
                }
                let after = after(&standing, state.last, m, gain);
                if let Some(slot) = place(order, key(&after), beam) {
                    let mut child = State { standing, ..state.clone() };
                    child.apply(m, gain);
                    child.used.mark(m);
                    child.choice = (first + choice) as u32;
                    put(children, slot, child);
                }
                standing.distance = standing.distance.wrapping_add(gain.distance);
            }
            standing.chunks += u32::from(state.last != NO_CHUNK);
            if let Some(slot) = place(order, key(&standing), beam) {
                let (last, index) = (NO_CHUNK, state.index + 1);
                put(children, slot, State { standing, last, index, ..state.clone() });
            }
        }
        if beam > NARROW {
            order.sort_unstable();
            order.truncate(beam);
        }
        self.adopt();
    }
}

/// Puts a key in its place behind its equals, unless the beam is full of better ones. Gives the slot
/// of the child, which may be that of a child that fell out.
#[inline]
fn place(order: &mut Vec<(Key, u32)>, key: Key, beam: usize) -> Option<u32> {
    let n = order.len();
    if beam > NARROW {
        order.push((key, n as u32));
        return Some(n as u32);
    }
    let slot = if n < beam {
        order.push((key, n as u32));
        n as u32
    } else {
        let &(last, slot) = order.last()?;
        if key >= last {
            return None;
        }
        slot
    };
    // The last entry is free now: move what is worse up by one.
    let mut at = order.len() - 1;
    while at > 0 && order[at - 1].0 > key {
        order[at] = order[at - 1];
        at -= 1;
    }
    order[at] = (key, slot);
    Some(slot)
}

#[inline]
fn put<T>(children: &mut Vec<T>, slot: u32, child: T) {
    match children.get_mut(slot as usize) {
        Some(place) => *place = child,
        None => children.push(child),
    }
}

/// Chunks of chosen matches: runs that are adjacent in the reference and in order in the hypothesis.
pub(super) fn chunks(chosen: &[Match]) -> u64 {
    let continues = |pair: &&[Match]| {
        pair[0].start + pair[0].length == pair[1].start
            && pair[0].hypothesis_start + pair[0].hypothesis_length == pair[1].hypothesis_start
    };
    let joined = chosen.windows(2).filter(continues).count();
    (chosen.len() - joined) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that only look random.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, n: u32) -> u32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (((self.0 >> 32) * u64::from(n)) >> 32) as u32
        }
    }

    #[test]
    fn the_quick_search_chooses_what_the_general_one_chooses() {
        let mut numbers = Numbers(0xB0_11DE);
        let (mut short, mut medium) = (Packed::<u64>::default(), Packed::<[u64; 4]>::default());
        let (mut searched, mut long) = (0, 0);
        for round in 0..3_000 {
            let longest = if round % 10 == 0 { 200 } else { 24 };
            let (n_hypothesis, n_reference) =
                (1 + numbers.below(longest), 1 + numbers.below(longest));
            let mut found = Vec::new();
            for _ in 0..numbers.below(3 * n_reference) {
                let (start, hypothesis_start) =
                    (numbers.below(n_reference), numbers.below(n_hypothesis));
                let most = 1 + numbers.below(4);
                let m = Match {
                    start,
                    length: 1 + numbers.below(most.min(n_reference - start)),
                    hypothesis_start,
                    hypothesis_length: 1 + numbers.below(most.min(n_hypothesis - hypothesis_start)),
                    module: numbers.below(4),
                };
                // Some are proposed twice.
                found.extend(std::iter::repeat_n(m, 1 + numbers.below(4) as usize / 3));
            }
            let (n_hypothesis, n_reference) = (n_hypothesis as usize, n_reference as usize);
            let mut candidates = Candidates::default();
            candidates.set(&found, n_hypothesis, n_reference);
            let mut search = Search::default();
            search.fix(&candidates);
            let halves = [2, 1, 1, 1];
            let beam = [1, 2, 5, 40, 64][numbers.below(5) as usize];
            let size = Size { n_hypothesis, n_reference, beam };
            let mut expected = search.taken.clone();
            search.any.run(&candidates, &halves, Preference::Coverage, size, &mut expected);
            let mut taken = search.taken.clone();
            if short.run(&candidates, &halves, beam, &mut taken) {
                assert_eq!(taken, expected, "{found:?}, beam {beam}");
                searched += 1;
            }
            let mut taken = search.taken.clone();
            assert!(medium.run(&candidates, &halves, beam, &mut taken));
            assert_eq!(taken, expected, "{found:?}, beam {beam}");
            long += usize::from(n_hypothesis > 64);
        }
        assert!(searched > 2_700 && long > 100, "{searched}, {long}");
        // What does not fit is left to the general search.
        let mut candidates = Candidates::default();
        candidates.set(&[], 3_000, 3_000);
        assert!(!medium.run(&candidates, &[2], 40, &mut [NOTHING; 3_000]));
        assert!(!medium.run(&candidates, &[2], 65, &mut []));
    }
}
