//! The provably best resolution of the same matches, for `meteor:1.5-optimal`.
//!
//! Wanted are matches of which no two share a word: most covered words of both sides, then fewest
//! chunks, then the least distance (the sum of |start − start| over the matches, the jar's last
//! criterion), then the earliest modules. A match that nothing competes with belongs to every best
//! choice, because leaving it out covers less. The others fall into components of matches that share
//! words or could form a chunk; chunks = matches − adjacencies, so what a component contributes does
//! not depend on the others, and each is solved by itself.
//!
//! A component is solved by dynamic programming along the reference. A state is what the rest can still
//! notice: the used hypothesis words that later matches want, and the end of a match that one of them
//! could continue. If there are ever too many states, only the best go on and the result is reported as
//! not proven.

use super::matches::{Candidates, Match};
use super::search::{NOTHING, Preference, Search};
use rustc_hash::FxHashMap;

/// States kept at one reference position. Real sentences need a few dozen.
const MOST_STATES: usize = 1 << 11;
/// Hypothesis words in one component: the bits of a state.
const MOST_WORDS: usize = 128;
const NO_END: u32 = u32::MAX;

/// What choices are compared by, as one number whose parts add up: covered words, then adjacencies
/// minus matches, then distance and modules with a minus.
type Value = i128;

fn value(covered: u32, adjacent: u32, distance: u32, module: u32) -> Value {
    (Value::from(covered) << 96) + ((Value::from(adjacent) - 1) << 64)
        - (Value::from(distance) << 16)
        - Value::from(module)
}

const ADJACENT: Value = 1 << 64;

/// A competing match, seen from its component.
#[derive(Clone, Copy, Debug)]
struct Rival {
    choice: u32,
    matched: Match,
    /// Its hypothesis words.
    words: u128,
    value: Value,
}

/// A state with the way that led to it.
#[derive(Clone, Copy, Debug)]
struct Node {
    used: u128,
    /// The hypothesis position behind a match that ends here, if one can continue it.
    end: u32,
    value: Value,
    /// The layer and place of the state before, and the option taken.
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
    /// Keeps the better of equal states, the earlier of equally good ones.
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
    /// Finds the best alignment. Gives whether it is proven to be that.
    pub(super) fn run_optimal(
        &mut self,
        candidates: &Candidates,
        n_hypothesis: usize,
        n_reference: usize,
    ) -> bool {
        self.fix_for_good(candidates);
        let competing = competing(candidates, &self.taken);
        let mut proven = true;
        for component in components(candidates, &competing, n_hypothesis, n_reference) {
            match self.solve(candidates, &component) {
                Some(best) => proven &= best,
                None => {
                    // More words than a state has bits: take what a wide beam finds.
                    let halves = [2; super::MAX_MODULES];
                    let preference = Preference::Coverage;
                    self.run(candidates, &halves, preference, 1_000, n_hypothesis, n_reference);
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

    /// Solves a component and takes its matches. Gives whether they are proven to be the best, or
    /// nothing if it has too many words.
    fn solve(&mut self, candidates: &Candidates, component: &[u32]) -> Option<bool> {
        let options = rivals(candidates, component, &self.taken)?;
        let (Some(first), Some(end)) = (
            options.iter().map(|option| option.matched.start).min(),
            options.iter().map(|option| option.matched.start + option.matched.length).max(),
        ) else {
            return Some(true);
        };
        let n_layers = (end - first) as usize + 1;
        // By layer: where its options start, the words that options from there on want, and the
        // hypothesis positions at which an option of the layer starts.
        let at = |layer: usize| {
            options.partition_point(|option| ((option.matched.start - first) as usize) < layer)
        };
        let mut wanted = vec![0u128; n_layers + 1];
        for layer in (0..n_layers).rev() {
            let here = &options[at(layer)..at(layer + 1)];
            wanted[layer] = here.iter().fold(wanted[layer + 1], |all, option| all | option.words);
        }
        let continued = |layer: usize, end: u32| {
            let layer = layer.min(n_layers);
            let here = &options[at(layer)..at(layer + 1)];
            if here.iter().any(|option| option.matched.hypothesis_start == end) {
                end
            } else {
                NO_END
            }
        };
        let mut layers: Vec<Layer> = Vec::new();
        layers.resize_with(n_layers + 1, Layer::default);
        let start = Node { used: 0, end: NO_END, value: 0, from: (0, 0), option: NOTHING };
        layers[0].offer(start);
        let mut proven = true;
        for layer in 0..n_layers {
            if layers[layer].nodes.len() > MOST_STATES {
                proven = false;
                let nodes = &mut layers[layer].nodes;
                nodes.sort_by_key(|node| std::cmp::Reverse(node.value));
                nodes.truncate(MOST_STATES);
            }
            let here = at(layer)..at(layer + 1);
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
                layers[layer + 1].offer(skipped);
                for (number, option) in here.clone().zip(&options[here.clone()]) {
                    if node.used & option.words != 0 {
                        continue;
                    }
                    let m = &option.matched;
                    let next = layer + m.length as usize;
                    let adjacent = node.end == m.hypothesis_start;
                    layers[next].offer(Node {
                        used: (node.used | option.words) & wanted[next],
                        end: continued(next, m.hypothesis_start + m.hypothesis_length),
                        value: node.value + option.value + if adjacent { ADJACENT } else { 0 },
                        from,
                        option: number as u32,
                    });
                }
            }
        }
        // Behind the last word nothing is wanted and nothing continues: one state is left.
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

fn same_words(a: &Match, b: &Match) -> bool {
    Match { module: 0, ..*a } == Match { module: 0, ..*b }
}

/// The matches that compete, each once: of several with the same words the earliest module's.
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
        // Matches that start at the same two words share them: one stands for all.
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

/// The matches of a component with their words as bits and what they are worth, or nothing if there
/// are too many words.
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
            // Fixed matches before and behind it are neighbours whatever else is chosen.
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
    fn as_good_as_trying_everything() {
        let mut seed = 7u64;
        let mut search = Search::default();
        for round in 0..4_000 {
            let mut draw = |n: u32| {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (seed >> 33) as u32 % n
            };
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
            let proven =
                search.run_optimal(&candidates, n_hypothesis as usize, n_reference as usize);
            assert!(proven);
            assert_eq!(
                standing(&search.chosen),
                brute_force(&matches),
                "round {round}: {matches:?}"
            );
        }
    }

    #[test]
    fn too_many_states_are_admitted() {
        // Every word matches every word, in both directions: far more states than are kept.
        let n = 40;
        let all = |start: u32| {
            (0..n).map(move |hypothesis_start| Match {
                start,
                length: 1,
                hypothesis_start,
                hypothesis_length: 1,
                module: 0,
            })
        };
        let matches: Vec<Match> = (0..n).flat_map(all).collect();
        let mut search = Search::default();
        let proven = search.run_optimal(
            &candidates(&matches, n as usize, n as usize),
            n as usize,
            n as usize,
        );
        assert!(!proven);
        assert_eq!(search.chosen.len(), n as usize);
    }
}
