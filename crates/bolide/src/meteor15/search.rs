//! The jar's beam search for an alignment, with its quirks.
//!
//! Reference position by reference position, every kept state takes one of the proposals that start
//! there or skips the word. States are ordered by weighted matched words, then closed chunks, then
//! distance, and ties keep their order; the best `beam` go on. Two things look like slips and are
//! kept: a match's weight is rounded down to whole words (a stem match counts nothing), and the
//! distance of a chosen match is charged to its younger siblings instead of to itself.
//!
//! States are small: what they chose hangs on a shared list, what they used is a row of bits, and a
//! child is only built once it is known to be among the best.

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
const NOTHING: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct State {
    /// Weighted matched words of both sides.
    weighted: u32,
    /// Matched words of both sides, where the preference asks for them.
    plain: u32,
    chunks: u32,
    /// Java's int: it may wrap.
    distance: i32,
    /// The hypothesis position behind the last match, if a chunk is open.
    last: u32,
    /// The next reference position to treat.
    index: u32,
    /// The last choice.
    history: u32,
}

impl State {
    /// Smaller is better.
    fn key(&self) -> u128 {
        u128::from(!self.weighted) << 96
            | u128::from(!self.plain) << 64
            | u128::from(self.chunks) << 32
            | u128::from(self.distance as u32 ^ 0x8000_0000)
    }

    fn apply(&mut self, m: &Match, gain: Gain) {
        self.weighted += gain.weighted;
        self.plain += gain.plain;
        if self.last != NO_CHUNK && m.hypothesis_start != self.last {
            self.chunks += 1;
        }
        self.index = m.start + m.length;
        self.last = m.hypothesis_start + m.hypothesis_length;
    }

    fn close_chunk(&mut self) {
        if self.last != NO_CHUNK {
            self.chunks += 1;
            self.last = NO_CHUNK;
        }
    }
}

/// What a match adds to a state.
#[derive(Clone, Copy, Debug)]
struct Gain {
    weighted: u32,
    plain: u32,
}

/// A state to be: its parent and the match it takes, or nothing.
#[derive(Clone, Copy, Debug)]
struct Child {
    key: u128,
    state: State,
    parent: u32,
    choice: u32,
}

/// Buffers of the search.
#[derive(Debug, Default)]
pub(super) struct Search {
    states: Vec<State>,
    /// Used words of each state: those of the hypothesis, then those of the reference.
    used: Vec<u64>,
    next_used: Vec<u64>,
    children: Vec<Child>,
    history: Vec<(u32, u32)>,
    gains: Vec<Gain>,
    /// By reference position: the fixed match that starts there.
    fixed: Vec<u32>,
    /// The chosen matches in the order of their reference positions.
    pub(super) chosen: Vec<Match>,
}

impl Search {
    /// Finds an alignment. `exact[k]` says whether module k is the exact one, `halves[k]` how many
    /// half words a matched word of it weighs. Gives the number of warnings the jar would print
    /// (one at each position when the beam keeps nothing).
    pub(super) fn run(
        &mut self,
        candidates: &Candidates,
        halves: &[u32],
        preference: Preference,
        beam: i32,
        n_hypothesis: usize,
        n_reference: usize,
    ) -> usize {
        self.gains.clear();
        self.gains.extend(candidates.matches.iter().map(|m| {
            let half_weight = halves.get(m.module as usize).copied().unwrap_or(0);
            Gain {
                weighted: m.hypothesis_length * half_weight / 2 + m.length * half_weight / 2,
                plain: match preference {
                    Preference::Coverage => 0,
                    Preference::Accuracy => m.hypothesis_length + m.length,
                },
            }
        }));
        let row = Row::new(n_hypothesis, n_reference);
        self.fix(candidates, row);
        let mut warnings = 0;
        match usize::try_from(beam) {
            Ok(beam) if beam > 0 => {
                for position in 0..n_reference {
                    self.step(candidates, position, row, beam);
                }
                // The jar sorts once more after closing the last chunks.
                for state in &mut self.states {
                    state.close_chunk();
                }
            }
            // Nothing survives any position: the fixed matches are the alignment.
            _ => warnings = n_reference + 1,
        }
        let best = self.states.iter().min_by_key(|state| state.key()).copied();
        self.collect(candidates, best.map_or(NOTHING, |state| state.history));
        warnings
    }

    /// Starts the search with one state in which unambiguous matches are already used.
    fn fix(&mut self, candidates: &Candidates, row: Row) {
        self.states.clear();
        self.states.push(State {
            weighted: 0,
            plain: 0,
            chunks: 0,
            distance: 0,
            last: NO_CHUNK,
            index: 0,
            history: NOTHING,
        });
        self.history.clear();
        self.used.clear();
        self.used.resize(row.width, 0);
        self.fixed.clear();
        for position in 0..candidates.first.len() - 1 {
            let group = candidates.at(position);
            let alone = group.len() == 1 && {
                let m = &candidates.matches[group.start];
                let once = |coverage: &[u32], start: u32, length: u32| {
                    coverage[start as usize..(start + length) as usize].iter().all(|&n| n == 1)
                };
                once(&candidates.reference_coverage, m.start, m.length)
                    && once(
                        &candidates.hypothesis_coverage,
                        m.hypothesis_start,
                        m.hypothesis_length,
                    )
            };
            if alone {
                row.mark(&mut self.used, &candidates.matches[group.start]);
            }
            self.fixed.push(if alone { group.start as u32 } else { NOTHING });
        }
    }

    /// Treats one reference position.
    fn step(&mut self, candidates: &Candidates, position: usize, row: Row, beam: usize) {
        let fixed = self.fixed[position];
        if fixed != NOTHING {
            let m = &candidates.matches[fixed as usize];
            let gain = self.gains[fixed as usize];
            for state in &mut self.states {
                state.apply(m, gain);
                state.distance = state.distance.wrapping_add(m.distance() as i32);
            }
            self.restore_order(row);
            return;
        }
        let group = candidates.at(position);
        if group.is_empty() {
            for state in &mut self.states {
                if position >= state.index as usize {
                    state.close_chunk();
                    state.index += 1;
                }
            }
            self.restore_order(row);
            return;
        }
        self.branch(candidates, group, position, row, beam);
    }

    /// Sorts the states in place, ties in order, after a step that gave each one successor. Mostly
    /// they are in order already.
    fn restore_order(&mut self, row: Row) {
        let n = self.states.len();
        if n < 2 || self.states.is_sorted_by_key(State::key) {
            return;
        }
        self.children.clear();
        self.children.extend(self.states.iter().enumerate().map(|(at, &state)| Child {
            key: state.key(),
            state,
            parent: at as u32,
            choice: NOTHING,
        }));
        self.children.sort_by_key(|child| child.key);
        self.build(row, &[]);
    }

    fn branch(
        &mut self,
        candidates: &Candidates,
        group: std::ops::Range<usize>,
        position: usize,
        row: Row,
        beam: usize,
    ) {
        let Search { states, used, children, gains, .. } = self;
        let mut best = Best { children, beam };
        best.children.clear();
        for (parent, &state) in states.iter().enumerate() {
            let used = &used[parent * row.width..(parent + 1) * row.width];
            let parent = parent as u32;
            if position < state.index as usize {
                best.offer(Child { key: state.key(), state, parent, choice: NOTHING });
                continue;
            }
            let mut rest = state;
            for choice in group.clone() {
                let m = &candidates.matches[choice];
                if row.overlaps(used, m) {
                    continue;
                }
                let mut child = rest;
                child.apply(m, gains[choice]);
                best.offer(Child { key: child.key(), state: child, parent, choice: choice as u32 });
                rest.distance = rest.distance.wrapping_add(m.distance() as i32);
            }
            rest.close_chunk();
            rest.index += 1;
            best.offer(Child { key: rest.key(), state: rest, parent, choice: NOTHING });
        }
        best.settle();
        self.build(row, &candidates.matches);
    }

    /// Makes the children the states.
    fn build(&mut self, row: Row, matches: &[Match]) {
        self.states.clear();
        self.next_used.clear();
        for child in &self.children {
            let mut state = child.state;
            let parent = child.parent as usize * row.width;
            let from = self.next_used.len();
            self.next_used.extend_from_slice(&self.used[parent..parent + row.width]);
            if child.choice != NOTHING {
                row.mark(&mut self.next_used[from..], &matches[child.choice as usize]);
                self.history.push((state.history, child.choice));
                state.history = self.history.len() as u32 - 1;
            }
            self.states.push(state);
        }
        std::mem::swap(&mut self.used, &mut self.next_used);
    }

    /// Follows the choices back and adds the fixed matches.
    fn collect(&mut self, candidates: &Candidates, mut link: u32) {
        while link != NOTHING {
            let (earlier, choice) = self.history[link as usize];
            self.fixed[candidates.matches[choice as usize].start as usize] = choice;
            link = earlier;
        }
        self.chosen.clear();
        let chosen = self.fixed.iter().filter(|&&choice| choice != NOTHING);
        self.chosen.extend(chosen.map(|&choice| candidates.matches[choice as usize]));
    }
}

/// The best children so far, in order, ties by arrival.
struct Best<'a> {
    children: &'a mut Vec<Child>,
    beam: usize,
}

impl Best<'_> {
    /// Up to here a child is put in its place at once; wider beams are sorted at the end.
    const NARROW: usize = 256;

    #[inline]
    fn offer(&mut self, child: Child) {
        if self.beam > Self::NARROW {
            return self.children.push(child);
        }
        if self.children.len() == self.beam {
            if self.children.last().is_none_or(|last| child.key >= last.key) {
                return;
            }
            self.children.pop();
        }
        let mut at = self.children.len();
        while at > 0 && self.children[at - 1].key > child.key {
            at -= 1;
        }
        self.children.insert(at, child);
    }

    fn settle(&mut self) {
        if self.beam > Self::NARROW {
            self.children.sort_by_key(|child| child.key);
            self.children.truncate(self.beam);
        }
    }
}

/// The shape of a row of used words.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Where the reference's bits start.
    reference: usize,
    width: usize,
}

impl Row {
    fn new(n_hypothesis: usize, n_reference: usize) -> Self {
        let reference = n_hypothesis.div_ceil(64);
        Row { reference, width: reference + n_reference.div_ceil(64) }
    }

    #[inline]
    fn overlaps(self, used: &[u64], m: &Match) -> bool {
        any(&used[..self.reference], m.hypothesis_start, m.hypothesis_length)
            || any(&used[self.reference..], m.start, m.length)
    }

    fn mark(self, used: &mut [u64], m: &Match) {
        set(&mut used[..self.reference], m.hypothesis_start, m.hypothesis_length);
        set(&mut used[self.reference..], m.start, m.length);
    }
}

#[inline]
fn any(bits: &[u64], start: u32, length: u32) -> bool {
    (start..start + length).any(|at| bits[at as usize >> 6] >> (at & 63) & 1 != 0)
}

fn set(bits: &mut [u64], start: u32, length: u32) {
    for at in start..start + length {
        bits[at as usize >> 6] |= 1 << (at & 63);
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
