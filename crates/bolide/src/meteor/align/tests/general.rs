//! Stems, synonyms and whatever else relates words.

use super::super::capacity::Capacities;
use super::super::duo::NONE;
use super::super::parts::Parts;
use super::super::stages::Stages;
use super::super::{Aligner, Alignment, Budget, Relation, brute};
use super::aligner;
use super::random::Random;

/// A word graph: positions are words of small vocabularies, relations join different words.
pub(super) struct Graph {
    pub(super) h: Vec<u32>,
    pub(super) r: Vec<u32>,
    pub(super) relations: Vec<Relation>,
}

impl Graph {
    fn stage(&self, i: usize, j: usize) -> Option<u8> {
        let (h, r) = (self.h[i], self.r[j]);
        if h == r {
            return Some(0);
        }
        let related = self.relations.iter().filter(|x| (x.hypothesis, x.reference) == (h, r));
        related.map(|relation| relation.stage).min()
    }

    pub(super) fn random(
        random: &mut Random,
        longest: usize,
        alphabet: usize,
        density: usize,
    ) -> Self {
        let (m, n) = (random.below(longest + 1), random.below(longest + 1));
        let (h, mut r) = (random.words(m, alphabet), random.words(n, alphabet));
        // Fewer shared words leave more to the relations, and one stage leaves more ties.
        let shift = random.below(alphabet) as u32;
        r.iter_mut().for_each(|word| *word += shift);
        let stages = [1, 1, 2, 3][random.below(4)];
        let mut relations = Vec::new();
        for a in 0..alphabet as u32 {
            for b in shift..shift + alphabet as u32 {
                if a != b && random.below(100) < density {
                    let stage = 1 + random.below(stages) as u8;
                    relations.push(Relation { hypothesis: a, reference: b, stage });
                }
            }
        }
        random.shuffle(&mut relations);
        Graph { h, r, relations }
    }

    pub(super) fn definition(&self) -> brute::Best {
        brute::best(self.h.len(), self.r.len(), &|i, j| self.stage(i, j))
    }

    fn turned(&self) -> Graph {
        let turn = |x: &Relation| Relation {
            hypothesis: x.reference,
            reference: x.hypothesis,
            stage: x.stage,
        };
        Graph {
            h: self.r.clone(),
            r: self.h.clone(),
            relations: self.relations.iter().map(turn).collect(),
        }
    }

    /// Recounts an alignment and returns its stage counts.
    pub(super) fn recount(&self, alignment: &Alignment) -> [u32; 4] {
        let map = brute::map_of(self.h.len(), self.r.len(), &alignment.pairs);
        assert!(alignment.pairs.is_sorted());
        let mut counts = [0; 4];
        for pair in &alignment.pairs {
            let stage = self.stage(pair.hypothesis as usize, pair.reference as usize);
            assert_eq!(stage, Some(pair.stage));
            counts[pair.stage as usize] += 1;
        }
        let (chunks, crossings) = brute::count(&map);
        assert_eq!(alignment.chunks, chunks);
        assert_eq!(alignment.crossings, u64::from(crossings));
        assert!(alignment.chunks_lower_bound <= chunks);
        assert!(alignment.crossings_lower_bound <= alignment.crossings);
        assert!(!alignment.proven || alignment.chunks_lower_bound == chunks);
        counts
    }
}

pub(super) fn shapes(case: usize) -> (usize, usize, usize) {
    // Longest side, alphabet, percent of related word pairs.
    match case % 6 {
        0 => (6, 3, 50),
        1 => (6, 4, 40),
        2 => (7, 6, 30),
        3 => (7, 10, 25),
        4 => (6, 16, 30),
        _ => (8, 12, 15),
    }
}

#[test]
fn agrees_with_the_definition() {
    let mut random = Random::new(11);
    let mut aligner = Aligner::default();
    let mut constrained = 0;
    for case in 0..40_000 {
        let (longest, alphabet, density) = shapes(case);
        let graph = Graph::random(&mut random, longest, alphabet, density);
        let best = graph.definition();
        let alignment = aligner.align(&graph.h, &graph.r, &graph.relations).clone();
        constrained += usize::from(aligner.stages.n_parts > 0);
        let message = || format!("{:?} {:?} {:?}", graph.h, graph.r, graph.relations);
        assert_eq!(graph.recount(&alignment), best.counts, "{}", message());
        assert!(alignment.proven, "{}", message());
        assert_eq!(alignment.chunks, best.chunks_first.0, "{}", message());
    }
    // The test would say little about constraints if they hardly occurred.
    assert!(constrained > 2_500, "{constrained}");
}

#[test]
fn the_long_way_agrees_with_the_definition() {
    // Prices, filters, reductions and branching under capacities, down to single duos.
    let mut random = Random::new(15);
    let mut aligner = aligner(Budget { visits_per_word: u64::MAX, ..Budget::default() });
    aligner.classes.long_way = true;
    let (mut constrained, mut proven) = (0, 0);
    for case in 0..30_000 {
        let (longest, alphabet, density) = shapes(case);
        let graph = Graph::random(&mut random, longest, alphabet, density);
        let best = graph.definition();
        let alignment = aligner.align(&graph.h, &graph.r, &graph.relations).clone();
        let message = || format!("{:?} {:?} {:?}", graph.h, graph.r, graph.relations);
        assert_eq!(graph.recount(&alignment), best.counts, "{}", message());
        assert!(alignment.chunks_lower_bound <= best.chunks_first.0, "{}", message());
        assert!(alignment.chunks >= best.chunks_first.0, "{}", message());
        constrained += usize::from(aligner.stages.n_parts > 0);
        proven += usize::from(alignment.proven);
    }
    assert!(constrained > 2_000, "{constrained}");
    assert!(proven > 29_900, "{proven}");
}

#[test]
fn longer_texts_are_the_same_by_either_way() {
    // More words than the definition can try: masks against runs, chains, prices, filters and branching under capacities.
    let mut random = Random::new(24);
    let mut masks = Aligner::default();
    let mut long = aligner(Budget { visits_per_word: u64::MAX, ..Budget::default() });
    long.classes.long_way = true;
    let (mut constrained, mut proven) = (0, 0);
    for case in 0..8_000 {
        let alphabet = 3 + case % 10;
        let mut graph = Graph::random(&mut random, 1, alphabet, 10 + case % 30);
        let length = 10 + random.below(20);
        (graph.h, graph.r) = random.block_shuffled(length, alphabet);
        let shift = random.below(alphabet) as u32;
        for word in &mut graph.r {
            if random.below(3) == 0 {
                *word += shift;
            }
        }
        let few = masks.align(&graph.h, &graph.r, &graph.relations).clone();
        let many = long.align(&graph.h, &graph.r, &graph.relations).clone();
        let message = || format!("{:?} {:?} {:?}", graph.h, graph.r, graph.relations);
        assert_eq!(graph.recount(&few), graph.recount(&many), "{}", message());
        assert!(many.chunks_lower_bound <= few.chunks, "{}", message());
        assert!(few.chunks_lower_bound <= many.chunks, "{}", message());
        constrained += usize::from(long.stages.n_parts > 0);
        proven += usize::from(few.proven && many.proven);
    }
    assert!(constrained > 3_000 && proven > 7_900, "{constrained} constrained, {proven} proven");
}

#[test]
fn capacities_admit_exactly_what_extends() {
    let mut random = Random::new(16);
    let (mut admitted, mut refused) = (0, 0);
    for case in 0..60_000 {
        let (_, alphabet, density) = shapes(case);
        let graph = Graph::random(&mut random, 12, alphabet, density);
        let mut stages = Stages::default();
        let given = graph.relations.iter();
        let given = given.map(|r| (r.hypothesis, r.reference, r.stage, None));
        stages.read(&graph.h, &graph.r, given);
        if stages.n_parts == 0 {
            continue;
        }
        let mut parts = Parts::new(&stages);
        let mut cells = Vec::new();
        for (i, &h) in stages.types_h.iter().enumerate() {
            for (j, &r) in stages.types_r.iter().enumerate() {
                if parts.of(h) != NONE && stages.compatible(h, r) {
                    cells.push((i as u32, j as u32));
                }
            }
        }
        let across = cells.iter().filter_map(|&(i, j)| {
            let link = stages.find_link(stages.types_h[i as usize], stages.types_r[j as usize]);
            Some(((i, j), link? as u32))
        });
        let across: Vec<_> = across.collect();
        let capacities = Capacities::new(&stages, &parts, &across);
        // A random one-to-one choice of matches inside the parts, exact ones too.
        random.shuffle(&mut cells);
        let (mut rows, mut columns) = ([false; 12], [false; 12]);
        let mut spent = vec![0; capacities.len()];
        for &(i, j) in &cells {
            if rows[i as usize] || columns[j as usize] || random.below(3) == 0 {
                continue;
            }
            (rows[i as usize], columns[j as usize]) = (true, true);
            parts.fix(stages.types_h[i as usize], stages.types_r[j as usize]);
            for &number in capacities.of(i, j) {
                spent[number as usize] += 1;
            }
        }
        let fits = (0..capacities.len() as u32)
            .all(|number| spent[number as usize] <= capacities.left(number));
        let extends = (0..stages.n_parts as u32).all(|part| parts.extends(part));
        let message = || format!("{:?} {:?} {:?}", graph.h, graph.r, graph.relations);
        assert_eq!(fits, extends, "{}", message());
        *(if extends { &mut admitted } else { &mut refused }) += 1;
    }
    assert!(admitted > 1_000 && refused > 1_000, "{admitted} {refused}");
}

#[test]
fn starved_budgets_keep_counts_and_bounds() {
    let mut random = Random::new(12);
    let mut full = Aligner::default();
    for case in 0..3_000 {
        let graph = Graph::random(&mut random, 14, 4 + case % 12, 20);
        let optimum = full.align(&graph.h, &graph.r, &graph.relations).clone();
        let counts = graph.recount(&optimum);
        for budget in [
            Budget { nodes: 0, ..Budget::default() },
            Budget { nodes: 1, ..Budget::default() },
            Budget { visits: 0, ..Budget::default() },
            Budget { visits: random.below(3_000) as u64, ..Budget::default() },
            Budget { duos: 0, ..Budget::default() },
            Budget { duos: 1 + random.below(8), ..Budget::default() },
            Budget { nodes: 0, visits: 0, duos: 0, depth: 0, ..Budget::default() },
        ] {
            let mut starved = aligner(budget);
            let alignment = starved.align(&graph.h, &graph.r, &graph.relations);
            let message =
                || format!("{budget:?} {:?} {:?} {:?}", graph.h, graph.r, graph.relations);
            assert_eq!(graph.recount(alignment), counts, "{}", message());
            assert!(alignment.chunks_lower_bound <= optimum.chunks, "{}", message());
            assert!(optimum.chunks_lower_bound <= alignment.chunks, "{}", message());
        }
    }
}

#[test]
fn words_with_too_many_places_keep_counts_and_bounds() {
    let mut random = Random::new(21);
    let mut full = Aligner::default();
    let (mut fewer, mut equal) = (0, 0);
    for case in 0..600 {
        let alphabet = 3 + case % 12;
        let mut graph = Graph::random(&mut random, 1, alphabet, 20);
        graph.h = random.words(40, alphabet);
        graph.r = random.words(40, alphabet);
        graph.r.iter_mut().for_each(|word| *word += 2 * random.below(2) as u32);
        let optimum = full.align(&graph.h, &graph.r, &graph.relations).clone();
        for duos in [4, 12, 30, 60] {
            let mut short = aligner(Budget { duos, ..Budget::default() });
            let alignment = short.align(&graph.h, &graph.r, &graph.relations);
            let message = || format!("{duos} {:?} {:?} {:?}", graph.h, graph.r, graph.relations);
            assert_eq!(graph.recount(alignment), graph.recount(&optimum), "{}", message());
            assert!(alignment.chunks_lower_bound <= optimum.chunks, "{}", message());
            assert!(optimum.chunks_lower_bound <= alignment.chunks, "{}", message());
            *(if alignment.chunks > optimum.chunks { &mut fewer } else { &mut equal }) += 1;
        }
    }
    assert!(fewer > 100 && equal > 500, "{fewer} with more chunks, {equal} with as many");
}

#[test]
fn matches_that_are_left_out_may_have_two_adjacencies_each() {
    // "a X b" in every sentence of the hypothesis, "a Y b" in the reference, where the sentences come in the opposite order. X and
    // Y stand on both sides, so their relation is no class; it has too many pairs of places for the budget.
    let (x, y) = (100, 101);
    let sentence = |at: u32, middle: u32| [2 * at, middle, 2 * at + 1];
    let mut h: Vec<u32> = (0..8).flat_map(|at| sentence(at, x)).collect();
    let mut r: Vec<u32> = (0..8).rev().flat_map(|at| sentence(at, y)).collect();
    h.push(y);
    r.push(x);
    let relations = vec![Relation { hypothesis: x, reference: y, stage: 1 }];
    let graph = Graph { h, r, relations };
    let optimum = Aligner::default().align(&graph.h, &graph.r, &graph.relations).clone();
    let mut short = aligner(Budget { duos: 4, ..Budget::default() });
    let alignment = short.align(&graph.h, &graph.r, &graph.relations);
    assert_eq!(graph.recount(alignment), graph.recount(&optimum));
    assert!(optimum.proven && !alignment.proven);
    assert!(alignment.chunks_lower_bound <= optimum.chunks, "{}", alignment.chunks_lower_bound);
}

#[test]
fn repetitive_texts_keep_counts_and_bounds() {
    // Too many duos for masks, too few words for a bound: regions improve what a small budget leaves.
    let mut random = Random::new(17);
    let (mut constrained, mut unproven) = (0, 0);
    for case in 0..150 {
        let alphabet = 2 + case % 4;
        let (m, n) = (50 + random.below(50), 50 + random.below(50));
        let mut graph = Graph::random(&mut random, 1, alphabet, 40);
        graph.h = random.words(m, alphabet);
        graph.r = random.words(n, alphabet);
        graph.r.iter_mut().for_each(|word| *word += random.below(2) as u32);
        let alignments = [40, 400].map(|visits_per_word| {
            let mut aligner = aligner(Budget { visits_per_word, ..Budget::default() });
            let alignment = aligner.align(&graph.h, &graph.r, &graph.relations).clone();
            constrained += usize::from(aligner.stages.n_parts > 0);
            unproven += usize::from(!alignment.proven);
            (graph.recount(&alignment), alignment)
        });
        let [(few, small), (many, large)] = alignments;
        let message = || format!("{:?} {:?} {:?}", graph.h, graph.r, graph.relations);
        assert_eq!(few, many, "{}", message());
        assert!(small.chunks_lower_bound <= large.chunks, "{}", message());
        assert!(large.chunks_lower_bound <= small.chunks, "{}", message());
    }
    assert!(constrained > 50 && unproven > 50, "{constrained} constrained, {unproven} unproven");
}

#[test]
fn exchanging_the_sides_keeps_counts_and_chunks() {
    let mut random = Random::new(13);
    let mut aligner = Aligner::default();
    for case in 0..5_000 {
        let graph = Graph::random(&mut random, 14, 4 + case % 12, 15);
        let there = aligner.align(&graph.h, &graph.r, &graph.relations).clone();
        let turned = graph.turned();
        let back = aligner.align(&turned.h, &turned.r, &turned.relations).clone();
        assert_eq!(graph.recount(&there), turned.recount(&back));
        assert!(there.proven && back.proven);
        assert_eq!(there.chunks, back.chunks);
    }
}

#[test]
fn relations_of_copies_give_what_equal_words_give() {
    // Every copy of a word gets a number of its own and a relation to all copies on the other
    // side: the same problem, solved through relations instead of equality.
    let mut random = Random::new(14);
    let mut aligner = Aligner::default();
    for case in 0..5_000 {
        let length = 4 + random.below(30);
        let (h, r) = random.block_shuffled(length, 2 + case % 12);
        let exact = aligner.exact(&h, &r).clone();
        let own_h: Vec<u32> = (0..h.len() as u32).collect();
        let own_r: Vec<u32> = (0..r.len() as u32).map(|j| 1000 + j).collect();
        let mut relations = Vec::new();
        for (i, a) in h.iter().enumerate() {
            for (j, b) in r.iter().enumerate() {
                if a == b {
                    let (hypothesis, reference) = (own_h[i], own_r[j]);
                    relations.push(Relation { hypothesis, reference, stage: 2 });
                }
            }
        }
        let general = aligner.align(&own_h, &own_r, &relations);
        assert_eq!(general.pairs.len(), exact.pairs.len());
        assert_eq!(general.chunks, exact.chunks);
        assert_eq!(general.chunks_lower_bound, exact.chunks_lower_bound);
    }
}

#[test]
fn useless_relations_change_nothing() {
    let mut aligner = Aligner::default();
    let (h, r) = ([0, 1, 2, 3], [3, 0, 1, 5]);
    let plain = aligner.exact(&h, &r).clone();
    let relations = [
        // A word that does not occur, words that exact matches use up, a word with itself.
        Relation { hypothesis: 9, reference: 5, stage: 1 },
        Relation { hypothesis: 0, reference: 5, stage: 1 },
        Relation { hypothesis: 2, reference: 3, stage: 1 },
        Relation { hypothesis: 1, reference: 1, stage: 2 },
    ];
    assert_eq!(&plain, aligner.align(&h, &r, &relations));
    // Later stages than there are count as the last one; the earliest of several counts.
    let relations = [7, 2, 9].map(|stage| Relation { hypothesis: 2, reference: 5, stage });
    let stages: Vec<u8> = aligner.align(&h, &r, &relations).pairs.iter().map(|p| p.stage).collect();
    assert_eq!(stages, [0, 0, 2, 0]);
    let relations = [Relation { hypothesis: 2, reference: 5, stage: 200 }];
    let stages: Vec<u8> = aligner.align(&h, &r, &relations).pairs.iter().map(|p| p.stage).collect();
    assert_eq!(stages, [0, 0, 3, 0]);
}
