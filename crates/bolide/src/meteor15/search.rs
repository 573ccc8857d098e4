//! The jar's beam search for an alignment, with its quirks.
//!
//! Reference position by reference position, every kept state takes one of the proposals that start there or
//! skips the word. States are ordered by weighted matched words, then closed chunks, then distance, and ties
//! keep their order; the best `beam` are kept. Two rules look like errors and are reproduced: a match's
//! weight is rounded down to whole words (so a stem match counts nothing), and the distance of a chosen match
//! is charged to its younger siblings instead of to itself.
//!
//! For nearly all sentences a fast search gives the same result ([`super::packed`]); [`super::beam`] is the
//! search for any sentence, beam and preference.

use super::beam::{Beam, Group, Proposals, Rules};
use super::groups::Listing;
use super::matches::{Candidates, Match};
use super::packed::Packed;
use super::used::Ranks;
use crate::stop::Stop;

/// How states are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The scorer's: most covered words; non-exact matches have half the weight.
    Coverage,
    /// The stand-alone aligner's `maxacc`: stems and synonyms have the weight of exact matches, paraphrases
    /// none, and unweighted matches decide before chunks.
    Accuracy,
}

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
    /// Finds an alignment. Returns the number of warnings that the jar would print (one at each position at
    /// which the beam keeps nothing).
    pub(super) fn run(
        &mut self,
        candidates: &Candidates,
        halves: &[u32],
        preference: Preference,
        beam: i32,
        stop: Stop<'_>,
    ) -> usize {
        self.fix(candidates);
        let Search { short, medium, any, taken, chosen } = self;
        match usize::try_from(beam) {
            Ok(beam) if beam > 0 => {
                let quick = preference == Preference::Coverage
                    && (short.run(candidates, halves, beam, taken)
                        || medium.run(candidates, halves, beam, taken));
                if !quick {
                    let rules = Rules { halves, preference, beam };
                    any.run(&mut Made::new(candidates, taken), rules, stop, chosen);
                    return 0;
                }
            }
            // Nothing survives any position: the fixed matches are the alignment.
            _ => {
                self.choose(candidates);
                return self.taken.len() + 1;
            }
        }
        self.choose(candidates);
        0
    }

    /// The same for a long pair.
    pub(super) fn run_long(
        &mut self,
        listing: &mut Listing<'_>,
        halves: &[u32],
        preference: Preference,
        beam: i32,
        stop: Stop<'_>,
    ) -> usize {
        listing.fix(stop);
        match usize::try_from(beam) {
            Ok(beam) if beam > 0 => {
                let rules = Rules { halves, preference, beam };
                self.any.run(listing, rules, stop, &mut self.chosen);
                0
            }
            _ => {
                self.chosen.clear();
                let n_reference = listing.n_reference();
                self.chosen.extend((0..n_reference).filter_map(|position| listing.fixed(position)));
                n_reference + 1
            }
        }
    }

    /// Fixes the matches that nothing competes with.
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

    /// Lists the taken matches.
    pub(super) fn choose(&mut self, candidates: &Candidates) {
        self.chosen.clear();
        let taken = self.taken.iter().filter(|&&at| at != NOTHING);
        self.chosen.extend(taken.map(|&at| candidates.matches[at as usize]));
    }
}

/// The gain of a match in weighted matched words of both sides, each rounded down.
pub(super) fn weight(m: &Match, halves: &[u32]) -> u32 {
    let weight = halves.get(m.module as usize).copied().unwrap_or(0);
    m.hypothesis_length * weight / 2 + m.length * weight / 2
}

/// Proposals that were made all at once, with the fixed ones.
struct Made<'c> {
    candidates: &'c Candidates,
    taken: &'c [u32],
    ranks: Ranks,
}

impl<'c> Made<'c> {
    fn new(candidates: &'c Candidates, taken: &'c [u32]) -> Self {
        let mut ranks = Ranks::default();
        ranks.as_they_are(candidates.hypothesis_coverage.len());
        Made { candidates, taken, ranks }
    }
}

impl Proposals for Made<'_> {
    fn n_hypothesis(&self) -> usize {
        self.candidates.hypothesis_coverage.len()
    }

    fn n_reference(&self) -> usize {
        self.taken.len()
    }

    fn fixed(&self, position: usize) -> Option<Match> {
        self.candidates.matches.get(self.taken[position] as usize).copied()
    }

    fn list(&mut self, position: usize, group: &mut Group) {
        group.listed.extend_from_slice(&self.candidates.matches[self.candidates.at(position)]);
    }

    fn ranks(&self) -> &Ranks {
        &self.ranks
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
    use super::super::beam::Run;
    use super::*;

    /// Pseudo-random numbers.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, n: u32) -> u32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (((self.0 >> 32) * u64::from(n)) >> 32) as u32
        }
    }

    /// A state of the plain search: its sort key (negated matched words, chunks, distance), the hypothesis
    /// position after its last match, the next reference position, and its choices.
    #[derive(Clone)]
    struct Plain {
        order: (i64, i64, i32),
        last: Option<u32>,
        next: u32,
        chosen: Vec<Match>,
    }

    /// The jar's search: every state has every child.
    fn plainly(proposals: &mut impl Proposals, halves: &[u32], beam: usize) -> Vec<Match> {
        let mut states = vec![Plain { order: (0, 0, 0), last: None, next: 0, chosen: Vec::new() }];
        for position in 0..proposals.n_reference() {
            let fixed = proposals.fixed(position);
            let mut group = Group::default();
            proposals.list(position, &mut group);
            let options: Vec<Match> = (0..group.len())
                .map(|at| group.choice(at, position as u32, proposals.ranks()))
                .collect();
            let mut children = Vec::new();
            for state in states {
                if (position as u32) < state.next {
                    children.push(state);
                    continue;
                }
                let mut distance = state.order.2;
                for m in fixed.as_slice().iter().chain(options.iter().filter(|_| fixed.is_none())) {
                    let words =
                        |m: &Match| m.hypothesis_start..m.hypothesis_start + m.hypothesis_length;
                    let mut used = state.chosen.iter().flat_map(words);
                    if used.any(|word| words(m).contains(&word)) {
                        continue;
                    }
                    let mut child = state.clone();
                    child.order.0 -= i64::from(weight(m, halves));
                    child.order.1 +=
                        i64::from(state.last.is_some_and(|last| last != m.hypothesis_start));
                    child.order.2 = distance;
                    distance = distance.wrapping_add(m.distance() as i32);
                    if fixed.is_some() {
                        child.order.2 = distance;
                    }
                    child.last = Some(words(m).end);
                    child.next = m.start + m.length;
                    child.chosen.push(*m);
                    children.push(child);
                }
                if fixed.is_none() {
                    let mut child = state.clone();
                    child.order.1 += i64::from(state.last.is_some());
                    child.order.2 = distance;
                    child.last = None;
                    child.next += 1;
                    children.push(child);
                }
            }
            children.sort_by_key(|child| child.order);
            children.truncate(beam);
            states = children;
        }
        states.iter_mut().for_each(|state| state.order.1 += i64::from(state.last.is_some()));
        states.into_iter().min_by_key(|state| state.order).map_or(Vec::new(), |best| best.chosen)
    }

    /// Few words, each at many positions, and a few matches of other kinds.
    struct Repetitive {
        ranks: Ranks,
        groups: Vec<(Vec<Match>, Option<Run>)>,
    }

    impl Proposals for Repetitive {
        fn n_hypothesis(&self) -> usize {
            self.ranks.positions().len()
        }

        fn n_reference(&self) -> usize {
            self.groups.len()
        }

        fn fixed(&self, _: usize) -> Option<Match> {
            None
        }

        fn list(&mut self, position: usize, group: &mut Group) {
            let (listed, run) = &self.groups[position];
            group.listed.extend_from_slice(listed);
            group.run = *run;
        }

        fn ranks(&self) -> &Ranks {
            &self.ranks
        }
    }

    fn repetitive(numbers: &mut Numbers, n_hypothesis: u32, n_reference: u32) -> Repetitive {
        let n_keys = 1 + numbers.below(3);
        let keys: Vec<u32> = (0..n_hypothesis).map(|_| numbers.below(n_keys)).collect();
        let mut ranks = Ranks::default();
        ranks.by_key(&keys);
        let mut groups = Vec::new();
        for start in 0..n_reference {
            let mut listed = Vec::new();
            for _ in 0..numbers.below(4) {
                let hypothesis_start = numbers.below(n_hypothesis);
                let length = 1 + numbers.below(2).min(n_reference - start - 1);
                let hypothesis_length =
                    1 + numbers.below(2).min(n_hypothesis - hypothesis_start - 1);
                let module = numbers.below(4);
                listed.push(Match { start, length, hypothesis_start, hypothesis_length, module });
            }
            let key = numbers.below(n_keys + 1);
            let of_key = |key: u32| keys.iter().filter(|&&other| other < key).count() as u32;
            let (first, end) = (of_key(key), of_key(key + 1));
            let behind = numbers.below(listed.len() as u32 + 1) as usize;
            let run = (first < end).then_some(Run { first, end, module: 0, behind });
            groups.push((listed, run));
        }
        Repetitive { ranks, groups }
    }

    #[test]
    fn runs_have_the_children_of_their_places() {
        let mut numbers = Numbers(0x5EED);
        for round in 0..300 {
            // The last ones are so long that the distances of one group wrap.
            let (n_hypothesis, n_reference) = match round {
                298.. => (100_000, 2 + numbers.below(3)),
                _ => (1 + numbers.below(60), 1 + numbers.below(60)),
            };
            let mut proposals = repetitive(&mut numbers, n_hypothesis, n_reference);
            let beam = [1, 2, 5, 40][numbers.below(4) as usize];
            let halves = [2, 1, 1, 1];
            let expected = plainly(&mut proposals, &halves, beam);
            let rules = Rules { halves: &halves, preference: Preference::Coverage, beam };
            let mut chosen = Vec::new();
            Beam::default().run(&mut proposals, rules, Stop::default(), &mut chosen);
            assert_eq!(chosen, expected, "round {round}, beam {beam}");
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
            let expected = plainly(&mut Made::new(&candidates, &search.taken), &halves, beam);
            let rules = Rules { halves: &halves, preference: Preference::Coverage, beam };
            let mut chosen = Vec::new();
            let made = &mut Made::new(&candidates, &search.taken);
            search.any.run(made, rules, Stop::default(), &mut chosen);
            assert_eq!(chosen, expected, "{found:?}, beam {beam}");
            let mut taken = search.taken.clone();
            let of = |taken: &[u32]| -> Vec<Match> {
                let taken = taken.iter().filter(|&&at| at != NOTHING);
                taken.map(|&at| candidates.matches[at as usize]).collect()
            };
            if short.run(&candidates, &halves, beam, &mut taken) {
                assert_eq!(of(&taken), expected, "{found:?}, beam {beam}");
                searched += 1;
            }
            let mut taken = search.taken.clone();
            assert!(medium.run(&candidates, &halves, beam, &mut taken));
            assert_eq!(of(&taken), expected, "{found:?}, beam {beam}");
            long += usize::from(n_hypothesis > 64);
        }
        assert!(searched > 2_700 && long > 100, "{searched}, {long}");
        // Pairs that do not fit go to the general search.
        let mut candidates = Candidates::default();
        candidates.set(&[], 3_000, 3_000);
        assert!(!medium.run(&candidates, &[2], 40, &mut [NOTHING; 3_000]));
        assert!(!medium.run(&candidates, &[2], 65, &mut []));
    }
}
