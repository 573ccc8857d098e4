//! The jar's beam search for sentences of any length, with any beam and preference.
//!
//! Reference position by reference position, every kept state takes one of the proposals that start there or
//! skips the word. Where possible, the cost does not grow with the number of proposals:
//!
//! - A child is only a sort key until it is known to be among the best.
//! - The positions of a frequent word are a [`Run`]. A match charges its distance to its younger siblings, so
//!   the children of a run come in order: first one that continues the chunk, then the others from left to
//!   right, as long as they are among the best. Java's int may wrap on the way; from there on they come in
//!   order again.
//! - A state that can no longer have a child among the best is skipped.
//! - Reference words before the end of a state's last match are done, and fixed matches share no word with
//!   any other proposal. So the words that a state has used are the hypothesis words that it chose, and
//!   states share them ([`super::used`]).

use super::matches::Match;
use super::search::{Preference, weight};
use super::used::{Places, Ranks, Set, Sets};
use crate::stop::Stop;
use std::collections::BinaryHeap;

/// The choices at one position of the reference, in the order of the modules.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) listed: Vec<Match>,
    /// The positions of the word itself, if they are many.
    pub(super) run: Option<Run>,
}

/// Single words of the hypothesis that are equal to the word of the reference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) first: u32,
    pub(super) end: u32,
    pub(super) module: u32,
    /// The number of listed matches before it.
    pub(super) behind: usize,
}

impl Run {
    fn len(&self) -> usize {
        (self.end - self.first) as usize
    }
}

impl Group {
    pub(super) fn clear(&mut self) {
        self.listed.clear();
        self.run = None;
    }

    /// The number of choices.
    pub(super) fn len(&self) -> usize {
        self.listed.len() + self.run.map_or(0, |run| run.len())
    }

    /// A choice by its number.
    pub(super) fn choice(&self, at: usize, position: u32, ranks: &Ranks) -> Match {
        let Some(run) = self.run else { return self.listed[at] };
        if at < run.behind {
            self.listed[at]
        } else if at < run.behind + run.len() {
            let rank = run.first as usize + at - run.behind;
            Match::single(position, ranks.positions()[rank], run.module)
        } else {
            self.listed[at - run.len()]
        }
    }
}

/// The proposals of a pair, by position of the reference.
pub(super) trait Proposals {
    fn n_hypothesis(&self) -> usize;
    fn n_reference(&self) -> usize;

    /// The match that is fixed at a position because nothing competes with it.
    fn fixed(&self, position: usize) -> Option<Match>;

    /// Lists the choices at a position.
    fn list(&mut self, position: usize, group: &mut Group);

    /// The order of the words in which runs are ranges.
    fn ranks(&self) -> &Ranks;
}

/// The parameters of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<'a> {
    /// The weight of a matched word by module, in half words.
    pub(super) halves: &'a [u32],
    pub(super) preference: Preference,
    pub(super) beam: usize,
}

const NO_CHUNK: u32 = u32::MAX;
const NOTHING: u32 = u32::MAX;

/// The sort key of a state.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    /// Weighted matched words of both sides.
    weighted: u32,
    /// Matched words of both sides, if the preference uses them.
    plain: u32,
    chunks: u32,
    /// Java's int: it may wrap.
    distance: i32,
}

/// A standing as a number; smaller is better.
type Key = u128;

impl Standing {
    fn key(&self) -> Key {
        u128::from(!self.weighted) << 96
            | u128::from(!self.plain) << 64
            | u128::from(self.chunks) << 32
            | u128::from(self.distance as u32 ^ 0x8000_0000)
    }

    fn of(key: Key) -> Self {
        Standing {
            weighted: !((key >> 96) as u32),
            plain: !((key >> 64) as u32),
            chunks: (key >> 32) as u32,
            distance: (key as u32 ^ 0x8000_0000) as i32,
        }
    }

    fn with(self, gain: &Gain, closes: bool) -> Self {
        Standing {
            weighted: self.weighted + gain.weighted,
            plain: self.plain + gain.plain,
            chunks: self.chunks + u32::from(closes),
            distance: self.distance,
        }
    }

    fn charge(&mut self, distance: u64) {
        self.distance = self.distance.wrapping_add(distance as i32);
    }

    /// Whether the distance does not wrap if this much more is charged.
    fn has_room(&self, distance: u64) -> bool {
        distance <= self.room()
    }

    fn room(&self) -> u64 {
        (i64::from(i32::MAX) - i64::from(self.distance)) as u64
    }
}

/// What a match adds to a state.
#[derive(Clone, Copy, Debug, Default)]
struct Gain {
    weighted: u32,
    plain: u32,
}

impl Gain {
    fn new(m: &Match, rules: &Rules<'_>) -> Self {
        Gain {
            weighted: weight(m, rules.halves),
            plain: match rules.preference {
                Preference::Coverage => 0,
                Preference::Accuracy => m.hypothesis_length + m.length,
            },
        }
    }

    fn max(self, other: Gain) -> Gain {
        Gain { weighted: self.weighted.max(other.weighted), plain: self.plain.max(other.plain) }
    }
}

#[derive(Debug, Default)]
struct State {
    standing: Standing,
    /// The hypothesis position after the last match, if a chunk is open.
    last: u32,
    /// The next reference position.
    index: u32,
    /// The last choice.
    history: u32,
    used: Set,
}

impl State {
    fn apply(&mut self, m: &Match) {
        self.index = m.start + m.length;
        self.last = m.hypothesis_start + m.hypothesis_length;
    }

    /// Whether a match that starts there closes an open chunk.
    fn closes(&self, hypothesis_start: u32) -> bool {
        self.last != NO_CHUNK && self.last != hypothesis_start
    }

    fn close_chunk(&mut self) {
        self.standing.chunks += u32::from(self.last != NO_CHUNK);
        self.last = NO_CHUNK;
    }
}

/// A child: its key, its parent, and the choice. Ties go to the older parent and the earlier choice.
type Child = (Key, u32, u32);

/// Choices that are not proposals.
const SKIP: u32 = u32::MAX - 1;
const STAY: u32 = u32::MAX;

/// A choice and the one before it.
#[derive(Clone, Copy, Debug)]
struct Link {
    earlier: u32,
    chosen: Match,
}

/// The number of links to keep before unreachable ones are dropped.
const MANY_LINKS: usize = 1 << 14;

/// The best children so far.
#[derive(Debug)]
struct Best {
    heap: BinaryHeap<Child>,
    beam: usize,
    /// The key of the last one; any key qualifies while there is room.
    worst: Key,
}

impl Default for Best {
    fn default() -> Self {
        Best { heap: BinaryHeap::new(), beam: 0, worst: Key::MAX }
    }
}

impl Best {
    fn clear(&mut self, beam: usize) {
        self.heap.clear();
        self.beam = beam;
        self.worst = Key::MAX;
    }

    /// Takes a child if it is among the best, and returns whether it is.
    #[inline]
    fn offer(&mut self, child: Child) -> bool {
        child.0 <= self.worst && self.take(child)
    }

    fn take(&mut self, child: Child) -> bool {
        if self.heap.len() < self.beam {
            self.heap.push(child);
        } else {
            match self.heap.peek_mut() {
                Some(mut worst) if child < *worst => *worst = child,
                _ => return false,
            }
        }
        if self.heap.len() == self.beam {
            self.worst = self.heap.peek().map_or(Key::MAX, |worst| worst.0);
        }
        true
    }

    /// Whether a child with this standing could no longer be taken.
    fn is_above(&self, standing: &Standing) -> bool {
        self.worst < standing.key()
    }
}

/// The search and its buffers.
#[derive(Debug, Default)]
pub(super) struct Beam {
    states: Vec<State>,
    parents: Vec<State>,
    n_children: Vec<u32>,
    best: Best,
    sets: Sets,
    history: Vec<Link>,
    /// The number of links at which to drop unreachable ones.
    most_links: usize,
    group: Group,
    gains: Vec<Gain>,
    /// The ranks of the first words of the listed matches.
    firsts: Vec<u32>,
    moved: Vec<u32>,
}

impl Beam {
    /// Sets `chosen` to the matches of the best alignment, in the order of the reference.
    pub(super) fn run(
        &mut self,
        proposals: &mut impl Proposals,
        rules: Rules<'_>,
        stop: Stop<'_>,
        chosen: &mut Vec<Match>,
    ) {
        chosen.clear();
        self.start(proposals.n_hypothesis());
        for position in 0..proposals.n_reference() {
            if stop.asked_every(16, position) {
                return;
            }
            if let Some(fixed) = proposals.fixed(position) {
                chosen.push(fixed);
                self.take(&fixed, &rules);
                continue;
            }
            let mut group = std::mem::take(&mut self.group);
            group.clear();
            proposals.list(position, &mut group);
            if group.len() == 0 {
                self.pass(position);
            } else {
                self.branch(&group, proposals.ranks(), position as u32, &rules);
                self.adopt(&group, proposals.ranks(), position as u32);
                self.drop_links();
            }
            self.group = group;
        }
        // The jar sorts once more after closing the last chunks.
        self.states.iter_mut().for_each(State::close_chunk);
        let best = self.states.iter().min_by_key(|state| state.standing.key());
        let mut link = best.map_or(NOTHING, |state| state.history);
        while link != NOTHING {
            let Link { earlier, chosen: choice } = self.history[link as usize];
            chosen.push(choice);
            link = earlier;
        }
        chosen.sort_unstable_by_key(|m| m.start);
    }

    fn start(&mut self, n_hypothesis: usize) {
        self.history.clear();
        self.most_links = MANY_LINKS;
        self.sets.clear();
        let used = self.sets.none(n_hypothesis);
        let standing = Standing::default();
        let (last, history) = (NO_CHUNK, NOTHING);
        self.states.clear();
        self.states.push(State { standing, last, index: 0, history, used });
    }

    /// Every state takes the same match.
    fn take(&mut self, fixed: &Match, rules: &Rules<'_>) {
        let gain = Gain::new(fixed, rules);
        for state in &mut self.states {
            state.standing = state.standing.with(&gain, state.closes(fixed.hypothesis_start));
            state.standing.charge(u64::from(fixed.distance()));
            state.apply(fixed);
        }
        self.restore_order();
    }

    /// Every state passes a word without proposals.
    fn pass(&mut self, position: usize) {
        for state in &mut self.states {
            if position >= state.index as usize {
                state.close_chunk();
                state.index += 1;
            }
        }
        self.restore_order();
    }

    /// Sorts the states, keeping the order of ties. Usually they are already in order.
    fn restore_order(&mut self) {
        self.states.sort_by_key(|state| state.standing.key());
    }

    /// Finds the best children of all states.
    fn branch(&mut self, group: &Group, ranks: &Ranks, position: u32, rules: &Rules<'_>) {
        let Beam { states, best, sets, gains, firsts, .. } = self;
        best.clear(rules.beam);
        gains.clear();
        gains.extend(group.listed.iter().map(|m| Gain::new(m, rules)));
        firsts.clear();
        firsts.extend(group.listed.iter().map(|m| ranks.of(m.hypothesis_start).unwrap_or(0)));
        let choices = Choices::new(group, (gains, firsts), ranks, position, rules);
        for (parent, state) in states.iter().enumerate() {
            let parent = parent as u32;
            if position < state.index {
                best.offer((state.standing.key(), parent, STAY));
            } else {
                Parent { state, number: parent, sets, choices: &choices }.branch(best);
            }
        }
    }

    /// Turns the best children into the states, in order.
    fn adopt(&mut self, group: &Group, ranks: &Ranks, position: u32) {
        let Beam { states, parents, n_children, best, sets, history, .. } = self;
        std::mem::swap(states, parents);
        states.clear();
        n_children.clear();
        n_children.resize(parents.len(), 0);
        let children = std::mem::take(&mut best.heap).into_sorted_vec();
        children.iter().for_each(|&(_, parent, _)| n_children[parent as usize] += 1);
        for (parent, &n) in parents.iter_mut().zip(&*n_children) {
            if n == 0 {
                sets.release(&mut parent.used);
            }
        }
        for &(key, parent, choice) in &children {
            let left = &mut n_children[parent as usize];
            *left -= 1;
            let parent = &mut parents[parent as usize];
            // The last child inherits the set.
            let used = if *left == 0 {
                std::mem::take(&mut parent.used)
            } else {
                sets.share(&parent.used)
            };
            let mut state = State { standing: Standing::of(key), used, ..*parent };
            match choice {
                STAY => {}
                SKIP => {
                    state.last = NO_CHUNK;
                    state.index += 1;
                }
                _ => {
                    let chosen = group.choice(choice as usize, position, ranks);
                    state.apply(&chosen);
                    let words = chosen.hypothesis_start..state.last;
                    words
                        .filter_map(|word| ranks.of(word))
                        .for_each(|rank| sets.add(&mut state.used, ranks, rank));
                    history.push(Link { earlier: state.history, chosen });
                    state.history = history.len() as u32 - 1;
                }
            }
            states.push(state);
        }
        best.heap = children.into();
    }

    /// Drops unreachable links from time to time.
    fn drop_links(&mut self) {
        if self.history.len() < self.most_links {
            return;
        }
        let Beam { states, history, moved, .. } = self;
        const WANTED: u32 = 0;
        moved.clear();
        moved.resize(history.len(), NOTHING);
        for state in &*states {
            let mut link = state.history;
            while link != NOTHING && moved[link as usize] != WANTED {
                moved[link as usize] = WANTED;
                link = history[link as usize].earlier;
            }
        }
        let to =
            |moved: &[u32], link: u32| if link == NOTHING { link } else { moved[link as usize] };
        let mut n = 0;
        for at in 0..history.len() {
            if moved[at] == WANTED {
                // Links point backwards, so the earlier one already has its new index.
                let Link { earlier, chosen } = history[at];
                history[n] = Link { earlier: to(moved, earlier), chosen };
                moved[at] = n as u32;
                n += 1;
            }
        }
        history.truncate(n);
        states.iter_mut().for_each(|state| state.history = to(moved, state.history));
        self.most_links = MANY_LINKS.max(2 * n);
    }
}

/// The choices of all states at a position.
struct Choices<'a> {
    group: &'a Group,
    gains: &'a [Gain],
    firsts: &'a [u32],
    ranks: &'a Ranks,
    run: Option<(Run, Places, Gain)>,
    /// The gain of the best choice: of all, and of those after the run.
    most: [Gain; 2],
    /// An upper bound on the charged distance: of all, and of those after the run.
    distance: [u64; 2],
}

impl<'a> Choices<'a> {
    fn new(
        group: &'a Group,
        (gains, firsts): (&'a [Gain], &'a [u32]),
        ranks: &'a Ranks,
        position: u32,
        rules: &Rules<'_>,
    ) -> Self {
        let run = group.run.map(|run| {
            let gain = Gain::new(&Match::single(0, 0, run.module), rules);
            (run, Places::new(ranks, run.first..run.end, position), gain)
        });
        let middle = group.run.map_or(gains.len(), |run| run.behind);
        let most = |gains: &[Gain]| gains.iter().copied().fold(Gain::default(), Gain::max);
        let distance =
            |matches: &[Match]| matches.iter().map(|m| u64::from(m.distance())).sum::<u64>();
        let behind = (most(&gains[middle..]), distance(&group.listed[middle..]));
        let mut all = (most(&gains[..middle]).max(behind.0), distance(&group.listed[..middle]));
        all.1 += behind.1;
        if let Some((run, places, gain)) = &run {
            all = (all.0.max(*gain), all.1 + places.all(ranks, run.first..run.end));
        }
        let (most, distance) = ([all.0, behind.0], [all.1, behind.1]);
        Choices { group, gains, firsts, ranks, run, most, distance }
    }
}

/// A state and its choices.
struct Parent<'a> {
    state: &'a State,
    number: u32,
    sets: &'a Sets,
    choices: &'a Choices<'a>,
}

impl Parent<'_> {
    /// Offers a child for each proposal that the state can take, and one that skips the word.
    fn branch(&self, best: &mut Best) {
        let Choices { group, run, .. } = self.choices;
        let mut standing = self.state.standing;
        if self.is_hopeless(&standing, 0, best) {
            return;
        }
        let middle = run.as_ref().map_or(group.listed.len(), |(run, ..)| run.behind);
        self.listed(0..middle, 0, &mut standing, best);
        if let Some((run, places, gain)) = run {
            self.run(run, places, gain, standing, best);
            if self.is_hopeless(&Standing { distance: i32::MIN, ..standing }, 1, best) {
                return;
            }
            standing.charge(self.free(places, run.first, run.end));
            if self.is_hopeless(&standing, 1, best) {
                return;
            }
            self.listed(middle..group.listed.len(), run.len(), &mut standing, best);
        }
        standing.chunks += u32::from(self.state.last != NO_CHUNK);
        best.offer((standing.key(), self.number, SKIP));
    }

    /// Whether no choice of a part, nor skipping the word, can be among the best.
    fn is_hopeless(&self, standing: &Standing, part: usize, best: &Best) -> bool {
        let mut highest = standing.with(&self.choices.most[part], false);
        if !standing.has_room(self.choices.distance[part]) {
            highest.distance = i32::MIN;
        }
        best.is_above(&highest)
    }

    /// Offers listed matches one by one. Their numbers start after this many others.
    fn listed(
        &self,
        range: std::ops::Range<usize>,
        before: usize,
        standing: &mut Standing,
        best: &mut Best,
    ) {
        let Choices { group, gains, firsts, ranks, .. } = self.choices;
        for at in range {
            let m = &group.listed[at];
            let mut others = m.hypothesis_start + 1..m.hypothesis_start + m.hypothesis_length;
            let used = |word| ranks.of(word).is_none_or(|rank| self.is_used(rank));
            if self.is_used(firsts[at]) || others.any(used) {
                continue;
            }
            let child = standing.with(&gains[at], self.state.closes(m.hypothesis_start));
            best.offer((child.key(), self.number, (before + at) as u32));
            standing.charge(u64::from(m.distance()));
        }
    }

    fn is_used(&self, rank: u32) -> bool {
        self.sets.has(&self.state.used, rank)
    }

    /// The distance of the free positions of a run between two ranks.
    fn free(&self, places: &Places, first: u32, end: u32) -> u64 {
        places.free(self.sets, &self.state.used, self.choices.ranks, first..end)
    }

    /// Offers the positions of a run, as many as can be among the best.
    fn run(&self, run: &Run, places: &Places, gain: &Gain, before: Standing, best: &mut Best) {
        let State { last, used, .. } = self.state;
        let ranks = self.choices.ranks;
        let number = |rank: u32| (run.behind as u32) + rank - run.first;
        let next = ranks.of(*last).filter(|rank| (run.first..run.end).contains(rank));
        let next = next.filter(|&rank| *last != NO_CHUNK && !self.is_used(rank));
        if let Some(rank) = next {
            let mut standing = before;
            standing.charge(self.free(places, run.first, rank));
            best.offer((standing.with(gain, false).key(), self.number, number(rank)));
        }
        let (mut first, mut start) = (run.first, before);
        loop {
            // Until it wraps, the distance only grows.
            let wraps = !start.has_room(places.all(ranks, first..run.end));
            let end = if wraps {
                places.seek(self.sets, used, ranks, first..run.end, start.room())
            } else {
                run.end
            };
            let (mut at, mut standing) = (first, start);
            while let Some(rank) = self.sets.next_free(used, at..end) {
                let child = standing.with(gain, *last != NO_CHUNK);
                if Some(rank) != next && !best.offer((child.key(), self.number, number(rank))) {
                    break;
                }
                standing
                    .charge(u64::from(ranks.positions()[rank as usize].abs_diff(places.position)));
                at = rank + 1;
            }
            if end == run.end {
                return;
            }
            start.charge(self.free(places, first, end));
            first = end;
        }
    }
}
