//! The optimal choice among the same proposals, for `meteor:1.5-optimal`.
//!
//! The goal is a set of matches of which no two share a word, with the most covered words of both sides, then
//! the fewest chunks, then the smallest distance (the sum of |start − start| over the matches, the jar's last
//! criterion), then the earliest modules. A match that nothing competes with belongs to every optimal set,
//! because leaving it out covers fewer words. The others form components of matches that share words or could
//! form a chunk. Since chunks = matches − adjacencies, the contribution of a component does not depend on the
//! others, and each is solved separately.
//!
//! A component is solved by dynamic programming along the reference. A state is what the rest depends on: the
//! used hypothesis words that later matches need, and the end of a match that one of them could continue. If
//! there are too many states, only the best are kept. Their result is a bound: a second run drops every state
//! that cannot reach it, even if all remaining words could be covered. If there are still too many states,
//! the result is reported as not proven.

use super::beam::Proposals;
use super::groups::Listing;
use super::matches::{Candidates, Match};
use super::search::{NOTHING, Preference, Search};
use crate::stop::Stop;
use rustc_hash::FxHashMap;

/// States kept at one reference position. Real sentences need a few dozen.
const MOST_STATES: usize = 1 << 11;
/// States kept in the second run, which drops those that cannot win.
const MORE_STATES: usize = 1 << 13;
/// Hypothesis words in one component: the bits of a state.
pub(super) const MOST_WORDS: usize = 128;
/// The beam for pairs that are too large, in which a matched word weighs one word, whatever the module: this many
/// states in all, but not fewer at a word than the jar keeps, and not more than the most.
const STATES: usize = 4_000_000;
const NARROWEST: usize = 40;
const WIDEST: usize = 1_000;
const HALVES: [u32; super::MAX_MODULES] = [2; super::MAX_MODULES];
const NO_END: u32 = u32::MAX;

/// The objective as one number whose parts add up: covered words, then adjacencies minus matches, then
/// negated distance and modules.
type Value = i128;

fn value(covered: u32, adjacent: u32, distance: u32, module: u32) -> Value {
    (Value::from(covered) << 96) + ((Value::from(adjacent) - 1) << 64)
        - (Value::from(distance) << 16)
        - Value::from(module)
}

const ADJACENT: Value = 1 << 64;

/// The beam for a reference of this many words.
fn width(n_reference: usize) -> i32 {
    (STATES / n_reference.max(1)).clamp(NARROWEST, WIDEST) as i32
}

/// A competing match within its component.
#[derive(Clone, Copy, Debug)]
struct Rival {
    choice: u32,
    matched: Match,
    /// Its hypothesis words.
    words: u128,
    value: Value,
}

/// A state with its predecessor.
#[derive(Clone, Copy, Debug)]
struct Node {
    used: u128,
    /// The hypothesis position after a match that ends here, if another can continue it.
    end: u32,
    value: Value,
    /// The layer and index of the previous state, and the chosen option.
    from: (u32, u32),
    option: u32,
}

/// The states at one reference position.
#[derive(Debug, Default)]
struct Layer {
    nodes: Vec<Node>,
    places: FxHashMap<(u128, u32), u32>,
}

impl Layer {
    /// Keeps the better of equal states, and the earlier of equally good ones.
    fn offer(&mut self, node: Node) {
        match self.places.get(&(node.used, node.end)) {
            Some(&place) => {
                let known = &mut self.nodes[place as usize];
                if node.value > known.value {
                    *known = node;
                }
            }
            None => {
                self.places.insert((node.used, node.end), self.nodes.len() as u32);
                self.nodes.push(node);
            }
        }
    }
}

impl Search {
    /// Finds the best alignment. Returns whether it is proven to be optimal.
    pub(super) fn run_optimal(
        &mut self,
        candidates: &Candidates,
        n_hypothesis: usize,
        n_reference: usize,
        stop: Stop<'_>,
    ) -> bool {
        self.run_within(MOST_STATES, candidates, n_hypothesis, n_reference, stop)
    }

    /// Uses a wide beam, for a pair with more words in one component than a state has bits.
    pub(super) fn run_wide(&mut self, listing: &mut Listing<'_>, stop: Stop<'_>) {
        let width = width(listing.n_reference());
        self.run_long(listing, &HALVES, Preference::Coverage, width, stop);
    }

    /// The same with at most `most` states in the first run.
    fn run_within(
        &mut self,
        most: usize,
        candidates: &Candidates,
        n_hypothesis: usize,
        n_reference: usize,
        stop: Stop<'_>,
    ) -> bool {
        self.fix_for_good(candidates);
        let competing = competing(candidates, &self.taken);
        let mut proven = true;
        for component in components(candidates, &competing, n_hypothesis, n_reference) {
            if stop.asked() {
                return false;
            }
            match self.solve(most, candidates, &component) {
                Some(best) => proven &= best,
                None => {
                    // More words than a state has bits: use a wide beam.
                    let width = width(n_reference);
                    self.run(candidates, &HALVES, Preference::Coverage, width, stop);
                    return false;
                }
            }
        }
        self.choose(candidates);
        proven
    }

    /// Takes matches that share no word with any other. Unlike the jar, repeats of a match do not
    /// compete with it.
    fn fix_for_good(&mut self, candidates: &Candidates) {
        self.fix(candidates);
        for position in 0..self.taken.len() {
            let group = candidates.at(position);
            let Some(&first) = candidates.matches[group.clone()].first() else { continue };
            let repeats = candidates.matches[group.clone()].iter().all(|m| same_words(m, &first));
            let n = group.len() as u32;
            let only = |coverage: &[u32], start: u32, length: u32| {
                coverage[start as usize..(start + length) as usize].iter().all(|&c| c == n)
            };
            if repeats
                && only(&candidates.reference_coverage, first.start, first.length)
                && only(
                    &candidates.hypothesis_coverage,
                    first.hypothesis_start,
                    first.hypothesis_length,
                )
            {
                // Modules come in order, so the first is the earliest.
                self.taken[position] = group.start as u32;
            }
        }
    }

    /// Solves a component and takes its matches. Returns whether they are proven to be optimal; `None` if the
    /// component has too many words.
    fn solve(&mut self, most: usize, candidates: &Candidates, component: &[u32]) -> Option<bool> {
        let options = rivals(candidates, component, &self.taken)?;
        let (Some(first), Some(end)) = (
            options.iter().map(|option| option.matched.start).min(),
            options.iter().map(|option| option.matched.start + option.matched.length).max(),
        ) else {
            return Some(true);
        };
        let n_layers = (end - first) as usize + 1;
        // By layer: the start of its options, and the words that later options need.
        let at = |layer: usize| {
            options.partition_point(|option| ((option.matched.start - first) as usize) < layer)
        };
        let mut wanted = vec![0u128; n_layers + 1];
        for layer in (0..n_layers).rev() {
            let here = &options[at(layer)..at(layer + 1)];
            wanted[layer] = here.iter().fold(wanted[layer + 1], |all, option| all | option.words);
        }
        let scan = Scan { options: &options, first, wanted, n_layers };
        let (mut layers, mut proven) = scan.run(most, None);
        if !proven && let Some(found) = layers[n_layers].nodes.first() {
            let (again, is_complete) = scan.run(MORE_STATES, Some((found.value, &scan.bounds())));
            let value = |layers: &[Layer]| layers[n_layers].nodes.first().map(|node| node.value);
            // The first run may have kept a state that the second had no room for.
            if is_complete || value(&again) > value(&layers) {
                layers = again;
            }
            proven = is_complete;
        }
        // After the last word nothing is needed and nothing continues, so one state is left.
        let mut node = *layers[n_layers].nodes.first()?;
        loop {
            if node.option != NOTHING {
                let option = &options[node.option as usize];
                self.taken[option.matched.start as usize] = option.choice;
            }
            let (layer, place) = node.from;
            if layer == 0 {
                break;
            }
            node = layers[layer as usize].nodes[place as usize];
        }
        Some(proven)
    }
}

/// The dynamic programming over one component.
struct Scan<'o> {
    /// By start.
    options: &'o [Rival],
    /// The first reference position.
    first: u32,
    /// By layer: the words that options from there on need.
    wanted: Vec<u128>,
    n_layers: usize,
}

/// Upper bounds on what the rest of a component can add.
struct Bounds {
    /// By layer: the reference words that options from there on cover.
    words: Vec<u32>,
    /// By layer: the total value of options from there on, apart from covered words.
    rest: Vec<Value>,
}

impl Scan<'_> {
    /// The start of the options of a layer.
    fn at(&self, layer: usize) -> usize {
        let before = |option: &Rival| ((option.matched.start - self.first) as usize) < layer;
        self.options.partition_point(before)
    }

    /// The end of a match, if an option of the layer continues it.
    fn continued(&self, layer: usize, end: u32) -> u32 {
        let layer = layer.min(self.n_layers);
        let here = &self.options[self.at(layer)..self.at(layer + 1)];
        let continues = here.iter().any(|option| option.matched.hypothesis_start == end);
        if continues { end } else { NO_END }
    }

    fn bounds(&self) -> Bounds {
        let n = self.n_layers;
        let mut bounds = Bounds { words: vec![0; n + 1], rest: vec![0; n + 1] };
        let mut covered = vec![false; n + 1];
        for layer in (0..n).rev() {
            let (mut words, mut rest) = (bounds.words[layer + 1], bounds.rest[layer + 1]);
            for option in &self.options[self.at(layer)..self.at(layer + 1)] {
                let m = &option.matched;
                let next = layer + m.length as usize;
                for word in covered.iter_mut().take(next).skip(layer) {
                    words += u32::from(!std::mem::replace(word, true));
                }
                let start = (m.start, m.hypothesis_start);
                let precedes = |other: &Rival| {
                    let m = &other.matched;
                    (m.start + m.length, m.hypothesis_start + m.hypothesis_length) == start
                };
                let adjacent = if self.options.iter().any(precedes) { ADJACENT } else { 0 };
                let of_words = Value::from(m.length + m.hypothesis_length) << 96;
                rest = rest.max(option.value - of_words + adjacent + bounds.rest[next]);
            }
            (bounds.words[layer], bounds.rest[layer]) = (words, rest);
        }
        bounds
    }

    /// Runs with at most `most` states per layer, without those that cannot reach a known value. Returns the
    /// layers and whether every state had room.
    fn run(&self, most: usize, known: Option<(Value, &Bounds)>) -> (Vec<Layer>, bool) {
        let Scan { options, wanted, n_layers, .. } = self;
        let hopeless = |layer: usize, node: &Node| {
            known.is_some_and(|(value, bounds)| {
                let free = (wanted[layer] & !node.used).count_ones() + bounds.words[layer];
                node.value + (Value::from(free) << 96) + bounds.rest[layer] < value
            })
        };
        let mut layers: Vec<Layer> = Vec::new();
        layers.resize_with(n_layers + 1, Layer::default);
        let start = Node { used: 0, end: NO_END, value: 0, from: (0, 0), option: NOTHING };
        layers[0].offer(start);
        let mut is_complete = true;
        for layer in 0..*n_layers {
            if layers[layer].nodes.len() > most {
                is_complete = false;
                let nodes = &mut layers[layer].nodes;
                nodes.sort_by_key(|node| std::cmp::Reverse(node.value));
                nodes.truncate(most);
                nodes.shrink_to_fit();
            }
            // Only the way back is needed from here on.
            layers[layer].places = FxHashMap::default();
            let here = self.at(layer)..self.at(layer + 1);
            for place in 0..layers[layer].nodes.len() {
                let node = layers[layer].nodes[place];
                let from = (layer as u32, place as u32);
                let skipped = Node {
                    used: node.used & wanted[layer + 1],
                    end: NO_END,
                    from,
                    option: NOTHING,
                    ..node
                };
                if !hopeless(layer + 1, &skipped) {
                    layers[layer + 1].offer(skipped);
                }
                for (number, option) in here.clone().zip(&options[here.clone()]) {
                    if node.used & option.words != 0 {
                        continue;
                    }
                    let m = &option.matched;
                    let next = layer + m.length as usize;
                    let adjacent = node.end == m.hypothesis_start;
                    let taken = Node {
                        used: (node.used | option.words) & wanted[next],
                        end: self.continued(next, m.hypothesis_start + m.hypothesis_length),
                        value: node.value + option.value + if adjacent { ADJACENT } else { 0 },
                        from,
                        option: number as u32,
                    };
                    if !hopeless(next, &taken) {
                        layers[next].offer(taken);
                    }
                }
            }
        }
        (layers, is_complete)
    }
}

fn same_words(a: &Match, b: &Match) -> bool {
    Match { module: 0, ..*a } == Match { module: 0, ..*b }
}

/// The competing matches, each once: of several with the same words the earliest module's.
fn competing(candidates: &Candidates, taken: &[u32]) -> Vec<u32> {
    let mut competing = Vec::new();
    for (position, &fixed) in taken.iter().enumerate() {
        if fixed != NOTHING {
            continue;
        }
        let group = candidates.at(position);
        for choice in group.clone() {
            let m = &candidates.matches[choice];
            let earlier = &candidates.matches[group.start..choice];
            if !earlier.iter().any(|other| same_words(other, m)) {
                competing.push(choice as u32);
            }
        }
    }
    competing
}

/// Groups matches that share a word or are adjacent, in the order of their first match.
fn components(
    candidates: &Candidates,
    competing: &[u32],
    n_hypothesis: usize,
    n_reference: usize,
) -> Vec<Vec<u32>> {
    fn root(parents: &mut [u32], mut at: u32) -> u32 {
        while parents[at as usize] != at {
            parents[at as usize] = parents[parents[at as usize] as usize];
            at = parents[at as usize];
        }
        at
    }
    let mut parents: Vec<u32> = (0..competing.len() as u32).collect();
    let join = |parents: &mut [u32], a: u32, b: u32| {
        let (a, b) = (root(parents, a), root(parents, b));
        parents[a.max(b) as usize] = a.min(b);
    };
    let mut reference_owner = vec![NOTHING; n_reference];
    let mut hypothesis_owner = vec![NOTHING; n_hypothesis];
    let mut starts: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let matched = |at: usize| &candidates.matches[competing[at] as usize];
    for at in 0..competing.len() {
        let m = matched(at);
        let hypothesis = m.hypothesis_start..m.hypothesis_start + m.hypothesis_length;
        let owned = [
            (&mut reference_owner, m.start..m.start + m.length),
            (&mut hypothesis_owner, hypothesis),
        ];
        for (owner, words) in owned {
            for word in words {
                let owner = &mut owner[word as usize];
                if *owner == NOTHING {
                    *owner = at as u32;
                } else {
                    join(&mut parents, *owner, at as u32);
                }
            }
        }
        // Matches that start at the same two words share them, so one represents all.
        starts.entry((m.start, m.hypothesis_start)).or_insert(at as u32);
    }
    for at in 0..competing.len() {
        let m = matched(at);
        let behind = (m.start + m.length, m.hypothesis_start + m.hypothesis_length);
        if let Some(&next) = starts.get(&behind) {
            join(&mut parents, at as u32, next);
        }
    }
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut group_of = vec![NOTHING; competing.len()];
    for (at, &choice) in competing.iter().enumerate() {
        // The root of a component is its first match.
        let root = root(&mut parents, at as u32) as usize;
        if group_of[root] == NOTHING {
            group_of[root] = groups.len() as u32;
            groups.push(Vec::new());
        }
        groups[group_of[root] as usize].push(choice);
    }
    groups
}

/// The matches of a component with their words as bits and their values; `None` if there are too many words.
fn rivals(candidates: &Candidates, component: &[u32], taken: &[u32]) -> Option<Vec<Rival>> {
    let matches = || component.iter().map(|&choice| candidates.matches[choice as usize]);
    let words = |m: &Match| m.hypothesis_start..m.hypothesis_start + m.hypothesis_length;
    let mut used: Vec<u32> = matches().flat_map(|m| words(&m)).collect();
    used.sort_unstable();
    used.dedup();
    if used.len() > MOST_WORDS {
        return None;
    }
    let bit = |word: u32| 1u128 << used.partition_point(|&known| known < word);
    let fixed = |position: u32| {
        let choice = *taken.get(position as usize)?;
        candidates.matches.get(choice as usize)
    };
    let ends = |m: &Match| (m.start + m.length, m.hypothesis_start + m.hypothesis_length);
    let mut rivals: Vec<Rival> = component
        .iter()
        .zip(matches())
        .map(|(&choice, m)| {
            // Fixed matches before and after it are neighbours whatever else is chosen.
            let (reference_end, hypothesis_end) = ends(&m);
            let behind =
                fixed(reference_end).is_some_and(|next| next.hypothesis_start == hypothesis_end);
            let before = (0..m.start)
                .rev()
                .find_map(fixed)
                .is_some_and(|previous| ends(previous) == (m.start, m.hypothesis_start));
            let adjacent = u32::from(behind) + u32::from(before);
            Rival {
                choice,
                matched: m,
                words: words(&m).fold(0, |all, word| all | bit(word)),
                value: value(m.length + m.hypothesis_length, adjacent, m.distance(), m.module),
            }
        })
        .collect();
    // Stable: at one position the options stay in the order of their modules.
    rivals.sort_by_key(|rival| rival.matched.start);
    Some(rivals)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bolide_testdata::random::Random;

    /// A set of matches as candidates.
    fn candidates(matches: &[Match], n_hypothesis: usize, n_reference: usize) -> Candidates {
        let mut candidates = Candidates::default();
        candidates.set(matches, n_hypothesis, n_reference);
        candidates
    }

    /// The best value over all choices, by trying each.
    fn brute_force(matches: &[Match]) -> (u32, i64, u64) {
        fn clash(a: &Match, b: &Match) -> bool {
            let meet =
                |a: u32, a_length: u32, b: u32, b_length: u32| a < b + b_length && b < a + a_length;
            meet(a.start, a.length, b.start, b.length)
                || meet(
                    a.hypothesis_start,
                    a.hypothesis_length,
                    b.hypothesis_start,
                    b.hypothesis_length,
                )
        }
        fn go(rest: &[Match], chosen: &mut Vec<Match>, best: &mut Option<(u32, i64, u64)>) {
            let Some((first, rest)) = rest.split_first() else {
                let standing = standing(chosen);
                let better = |best: &(u32, i64, u64)| {
                    (standing.0, -standing.1, std::cmp::Reverse(standing.2))
                        > (best.0, -best.1, std::cmp::Reverse(best.2))
                };
                if best.as_ref().is_none_or(better) {
                    *best = Some(standing);
                }
                return;
            };
            go(rest, chosen, best);
            if !chosen.iter().any(|other| clash(other, first)) {
                chosen.push(*first);
                go(rest, chosen, best);
                chosen.pop();
            }
        }
        let mut best = None;
        go(matches, &mut Vec::new(), &mut best);
        best.unwrap()
    }

    /// Covered words, chunks and distance of a choice.
    fn standing(chosen: &[Match]) -> (u32, i64, u64) {
        let mut chosen = chosen.to_vec();
        chosen.sort_by_key(|m| m.start);
        (
            chosen.iter().map(|m| m.length + m.hypothesis_length).sum(),
            super::super::search::chunks(&chosen) as i64,
            chosen.iter().map(|m| u64::from(m.distance())).sum(),
        )
    }

    #[test]
    fn the_beam_for_large_pairs_has_a_budget_in_all() {
        let widths = [1, 4_000, 8_000, 100_000, 10_000_000].map(width);
        assert_eq!(widths, [1_000, 1_000, 500, 40, 40]);
        assert_eq!(width(0), 1_000);
    }

    #[test]
    fn as_good_as_trying_everything() {
        let mut random = Random(7);
        let mut search = Search::default();
        for round in 0..4_000 {
            let mut draw = |n: u32| random.below(n as usize) as u32;
            let (n_hypothesis, n_reference) = (1 + draw(7), 1 + draw(7));
            let mut matches = Vec::new();
            for _ in 0..draw(14) {
                let (hypothesis_start, start) = (draw(n_hypothesis), draw(n_reference));
                matches.push(Match {
                    start,
                    length: 1 + draw((n_reference - start).min(3)),
                    hypothesis_start,
                    hypothesis_length: 1 + draw((n_hypothesis - hypothesis_start).min(3)),
                    module: draw(3),
                });
            }
            let candidates = candidates(&matches, n_hypothesis as usize, n_reference as usize);
            let best = brute_force(&matches);
            // With room for only one state, the second run must find it.
            for most in [MOST_STATES, 1] {
                let (n_hypothesis, n_reference) = (n_hypothesis as usize, n_reference as usize);
                assert!(search.run_within(
                    most,
                    &candidates,
                    n_hypothesis,
                    n_reference,
                    Stop::default()
                ));
                assert_eq!(standing(&search.chosen), best, "round {round}, {most}: {matches:?}");
            }
        }
    }

    #[test]
    fn too_many_states_are_admitted() {
        // Each word matches a third of the words, without any order: far more states than are kept.
        let n = 60;
        let all = |start: u32| {
            (0..n).map(move |hypothesis_start| Match {
                start,
                length: 1,
                hypothesis_start,
                hypothesis_length: 1,
                module: 0,
            })
        };
        let mixed = |m: &Match| (m.start * 60 + m.hypothesis_start).wrapping_mul(0x9E37_79B1) >> 16;
        let matches: Vec<Match> =
            (0..n).flat_map(all).filter(|m| mixed(m).is_multiple_of(3)).collect();
        let mut search = Search::default();
        let proven = search.run_optimal(
            &candidates(&matches, n as usize, n as usize),
            n as usize,
            n as usize,
            Stop::default(),
        );
        assert!(!proven);
        assert!(search.chosen.len() > 50);
    }
}
