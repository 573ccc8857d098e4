//! The jar's beam search for an alignment, with its quirks.
//!
//! Reference position by reference position, every kept state takes one of the proposals that start
//! there or skips the word. States are ordered by weighted matched words, then closed chunks, then
//! distance, and ties keep their order; the best `beam` go on. Two things look like slips and are
//! kept: a match's weight is rounded down to whole words (a stem match counts nothing), and the
//! distance of a chosen match is charged to its younger siblings instead of to itself.
//!
//! States are small: what they chose hangs on a shared list, what they used is a row of bits, and a
//! child is only built once it is known to be among the best so far. The rows of bits and the keys that
//! order states come in sizes; nearly all sentences fit the smallest.

use super::matches::{Candidates, Match};

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
    /// Sentences of up to 64 words.
    short: Beam<u64, [u64; 2]>,
    /// Sentences of up to 256 words.
    medium: Beam<u64, [u64; 8]>,
    /// All others.
    long: Beam<u128, Vec<u64>>,
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
                let size = Size { n_hypothesis, n_reference, beam };
                let longest = n_hypothesis.max(n_reference);
                let taken = &mut self.taken;
                match preference {
                    Preference::Coverage if longest <= 64 => {
                        self.short.run(candidates, halves, preference, size, taken);
                    }
                    Preference::Coverage if longest <= 256 => {
                        self.medium.run(candidates, halves, preference, size, taken);
                    }
                    _ => self.long.run(candidates, halves, preference, size, taken),
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

/// The words that a state has used.
trait Used: Clone + std::fmt::Debug {
    fn none(n_hypothesis: usize, n_reference: usize) -> Self;
    fn overlaps(&self, m: &Match, span: &Span) -> bool;
    fn mark(&mut self, m: &Match, span: &Span);
}

/// The words of a match as bits, where they fit.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    hypothesis: u64,
    reference: u64,
}

impl Used for [u64; 2] {
    fn none(_: usize, _: usize) -> Self {
        [0; 2]
    }
    #[inline]
    fn overlaps(&self, _: &Match, span: &Span) -> bool {
        (self[0] & span.hypothesis) | (self[1] & span.reference) != 0
    }
    #[inline]
    fn mark(&mut self, _: &Match, span: &Span) {
        self[0] |= span.hypothesis;
        self[1] |= span.reference;
    }
}

impl Used for [u64; 8] {
    fn none(_: usize, _: usize) -> Self {
        [0; 8]
    }
    #[inline]
    fn overlaps(&self, m: &Match, _: &Span) -> bool {
        overlaps(self, 4, m)
    }
    fn mark(&mut self, m: &Match, _: &Span) {
        mark(self, 4, m);
    }
}

/// The first number is where the reference's bits start.
impl Used for Vec<u64> {
    fn none(n_hypothesis: usize, n_reference: usize) -> Self {
        let reference = 1 + n_hypothesis.div_ceil(64);
        let mut row = vec![0; reference + n_reference.div_ceil(64)];
        row[0] = reference as u64;
        row
    }
    fn overlaps(&self, m: &Match, _: &Span) -> bool {
        overlaps(&self[1..], self[0] as usize - 1, m)
    }
    fn mark(&mut self, m: &Match, _: &Span) {
        let reference = self[0] as usize - 1;
        mark(&mut self[1..], reference, m);
    }
}

fn overlaps(row: &[u64], reference: usize, m: &Match) -> bool {
    let any = |bits: &[u64], start: u32, length: u32| {
        (start..start + length).any(|at| bits[at as usize >> 6] >> (at & 63) & 1 != 0)
    };
    any(&row[..reference], m.hypothesis_start, m.hypothesis_length)
        || any(&row[reference..], m.start, m.length)
}

fn mark(row: &mut [u64], reference: usize, m: &Match) {
    let set = |bits: &mut [u64], start: u32, length: u32| {
        (start..start + length).for_each(|at| bits[at as usize >> 6] |= 1 << (at & 63));
    };
    set(&mut row[..reference], m.hypothesis_start, m.hypothesis_length);
    set(&mut row[reference..], m.start, m.length);
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
trait Key: Copy + Ord + std::fmt::Debug {
    fn of(standing: &Standing) -> Self;
}

/// For short sentences when only weighted matches count.
impl Key for u64 {
    #[inline]
    fn of(standing: &Standing) -> u64 {
        u64::from(!standing.weighted as u16) << 48
            | u64::from(standing.chunks as u16) << 32
            | u64::from(standing.distance as u32 ^ 0x8000_0000)
    }
}

impl Key for u128 {
    fn of(standing: &Standing) -> u128 {
        u128::from(!standing.weighted) << 96
            | u128::from(!standing.plain) << 64
            | u128::from(standing.chunks) << 32
            | u128::from(standing.distance as u32 ^ 0x8000_0000)
    }
}

#[derive(Clone, Debug)]
struct State<U> {
    standing: Standing,
    /// The hypothesis position behind the last match, if a chunk is open.
    last: u32,
    /// The next reference position to treat.
    index: u32,
    /// The last choice.
    history: u32,
    /// A choice not yet on the list.
    choice: u32,
    used: U,
}

impl<U> State<U> {
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
    span: Span,
}

impl Gain {
    fn new(m: &Match, halves: &[u32], preference: Preference) -> Self {
        let weight = halves.get(m.module as usize).copied().unwrap_or(0);
        // Only sentences of up to 64 words look at the bits.
        let bits = |start: u32, length: u32| {
            let ones = if length < 64 { (1 << length) - 1 } else { u64::MAX };
            if start < 64 { ones << start } else { 0 }
        };
        Gain {
            weighted: m.hypothesis_length * weight / 2 + m.length * weight / 2,
            plain: match preference {
                Preference::Coverage => 0,
                Preference::Accuracy => m.hypothesis_length + m.length,
            },
            distance: m.distance() as i32,
            span: Span {
                hypothesis: bits(m.hypothesis_start, m.hypothesis_length),
                reference: bits(m.start, m.length),
            },
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Size {
    n_hypothesis: usize,
    n_reference: usize,
    beam: usize,
}

/// The search for sentences of some length.
#[derive(Debug)]
struct Beam<K, U> {
    states: Vec<State<U>>,
    children: Vec<State<U>>,
    /// The best children so far, in order, ties by arrival.
    order: Vec<(K, u32)>,
    history: Vec<(u32, u32)>,
    gains: Vec<Gain>,
}

impl<K, U> Default for Beam<K, U> {
    fn default() -> Self {
        Beam {
            states: Vec::new(),
            children: Vec::new(),
            order: Vec::new(),
            history: Vec::new(),
            gains: Vec::new(),
        }
    }
}

/// Up to this beam a child is put in its place at once; wider beams are sorted at the end.
const NARROW: usize = 256;

impl<K: Key, U: Used> Beam<K, U> {
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
        let best = self.states.iter().min_by_key(|state| K::of(&state.standing));
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
        let mut used = U::none(size.n_hypothesis, size.n_reference);
        for &fixed in taken.iter().filter(|&&fixed| fixed != NOTHING) {
            used.mark(&matches[fixed as usize], &self.gains[fixed as usize].span);
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
        let key = |state: &State<U>| K::of(&state.standing);
        if self.states.len() < 2 || self.states.is_sorted_by_key(key) {
            return;
        }
        self.order.clear();
        let keys = self.states.iter().enumerate();
        self.order.extend(keys.map(|(at, state)| (key(state), at as u32)));
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
                if let Some(slot) = place(order, K::of(&state.standing), beam) {
                    put(children, slot, state.clone());
                }
                continue;
            }
            let mut standing = state.standing;
            for (choice, (m, gain)) in matches.iter().zip(gains).enumerate() {
                if state.used.overlaps(m, &gain.span) {
                    continue;
                }
                let key = K::of(&after(&standing, state.last, m, gain));
                if let Some(slot) = place(order, key, beam) {
                    let mut child = State { standing, ..state.clone() };
                    child.apply(m, gain);
                    child.used.mark(m, &gain.span);
                    child.choice = (first + choice) as u32;
                    put(children, slot, child);
                }
                standing.distance = standing.distance.wrapping_add(gain.distance);
            }
            standing.chunks += u32::from(state.last != NO_CHUNK);
            if let Some(slot) = place(order, K::of(&standing), beam) {
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
fn place<K: Key>(order: &mut Vec<(K, u32)>, key: K, beam: usize) -> Option<u32> {
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
