//! Equal words only.

use super::super::bigrams::Bigrams;
use super::super::brute;
use super::super::capacity::Capacities;
use super::super::duo::{Duo, Grid, NONE, WordMap};
use super::super::intern::Interner;
use super::super::mis64::Mis64;
use super::super::polish::polish_listed;
use super::super::reduce::reduce;
use super::super::regions::Regions;
use super::super::search::Search;
use super::super::{Aligner, Alignment, Budget};
use super::aligner;
use super::random::Random;

/// Clipped matches, counted without any of the aligner's code.
fn clipped(h: &[u32], r: &[u32]) -> usize {
    let mut left = r.to_vec();
    let mut matches = 0;
    for word in h {
        if let Some(at) = left.iter().position(|other| other == word) {
            left.swap_remove(at);
            matches += 1;
        }
    }
    matches
}

/// Recounts everything an alignment of equal words says about itself.
fn recount(h: &[u32], r: &[u32], alignment: &Alignment) {
    let map = brute::map_of(h.len(), r.len(), &alignment.pairs);
    assert!(alignment.pairs.is_sorted());
    for pair in &alignment.pairs {
        assert_eq!(h[pair.hypothesis as usize], r[pair.reference as usize]);
        assert_eq!(pair.stage, 0);
    }
    let (chunks, crossings) = brute::count(&map);
    assert_eq!(alignment.chunks, chunks, "{h:?} {r:?}");
    assert_eq!(alignment.crossings, u64::from(crossings), "{h:?} {r:?}");
    assert_eq!(alignment.pairs.len(), clipped(h, r), "{h:?} {r:?}");
    assert!(alignment.chunks_lower_bound <= alignment.chunks);
    assert_eq!(alignment.proven, alignment.chunks_lower_bound == alignment.chunks);
    assert_eq!(alignment.chunks_lower_bound == 0, alignment.pairs.is_empty());
}

fn definition(h: &[u32], r: &[u32]) -> brute::Best {
    brute::best(h.len(), r.len(), &|i, j| (h[i] == r[j]).then_some(0))
}

#[test]
fn worked_examples() {
    let mut aligner = Aligner::default();
    for (h, r, chunks) in [
        (&[3, 0, 4, 2, 0, 1][..], &[0, 1, 2, 3, 0, 4][..], 3),
        (&[0, 1, 2, 3, 0, 4], &[0, 1, 2, 3, 0, 4], 1),
        (&[0, 1, 9, 2, 3, 0, 4], &[0, 1, 2, 3, 0, 4], 2),
        (&[5, 1, 2, 3, 0, 4], &[0, 1, 2, 3, 5, 4], 4),
        (&[], &[0, 1], 0),
        (&[0, 1], &[], 0),
        (&[7], &[8], 0),
    ] {
        let alignment = aligner.exact(h, r);
        recount(h, r, alignment);
        assert_eq!((alignment.chunks, alignment.proven), (chunks, true), "{h:?} {r:?}");
    }
}

#[test]
fn agrees_with_the_definition() {
    let mut random = Random::new(1);
    let mut aligner = Aligner::default();
    for case in 0..50_000 {
        let alphabet = 2 + case % 4;
        // The definition needs factorial time in the copies of a word; long inputs of two
        // letters are rarer for that.
        let longest = if alphabet == 2 && case % 16 != 0 { 7 } else { 9 };
        let (m, n) = (random.below(longest + 1), random.below(longest + 1));
        let (h, r) = (random.words(m, alphabet), random.words(n, alphabet));
        let best = definition(&h, &r);
        let alignment = aligner.exact(&h, &r);
        recount(&h, &r, alignment);
        assert!(alignment.proven);
        assert_eq!(alignment.chunks, best.chunks_first.0, "{h:?} {r:?}");
    }
}

/// All duos of two texts, sorted.
fn duos(h: &[u32], r: &[u32]) -> Vec<Duo> {
    let mut duos = Vec::new();
    for i in 1..h.len() {
        for j in 1..r.len() {
            if h[i - 1] == r[j - 1] && h[i] == r[j] {
                duos.push(Duo { i: i as u32 - 1, j: j as u32 - 1 });
            }
        }
    }
    duos
}

pub(super) struct Bench {
    map: WordMap,
    prices: Vec<i32>,
    hint: Vec<u32>,
    mis64: Mis64,
    pub(super) capacities: Capacities,
}

impl Bench {
    pub(super) fn new() -> Self {
        let mut map = WordMap::default();
        map.begin(2000, 2000);
        Bench {
            map,
            prices: vec![0; 2001],
            hint: vec![NONE; 2001],
            mis64: Mis64::default(),
            capacities: Capacities::default(),
        }
    }

    pub(super) fn search(&mut self, small: usize) -> Search<'_> {
        self.prices.fill(0);
        self.hint.fill(NONE);
        Search {
            small,
            nodes: 1_000_000,
            nodes_used: 0,
            visits: 500_000_000,
            depth: 150,
            capacities: &mut self.capacities,
            prices: &mut self.prices,
            hint: &mut self.hint,
            map: &mut self.map,
            mis64: &mut self.mis64,
        }
    }

    /// The largest conflict-free set of at most 64 duos, without any reduction of duos.
    fn plain(&mut self, duos: &[Duo]) -> usize {
        let found = self.search(64).small(duos);
        check_set(duos, &found.chosen);
        assert_eq!(found.chosen.len(), found.bound);
        found.bound
    }
}

pub(super) fn check_set(duos: &[Duo], chosen: &[Duo]) {
    for (at, duo) in chosen.iter().enumerate() {
        assert!(duos.contains(duo));
        assert!(!chosen[..at].contains(duo));
        assert!(chosen[..at].iter().all(|other| !duo.conflicts(*other)));
    }
}

#[test]
fn reductions_and_bounds_agree_with_plain_search_on_shuffled_blocks() {
    let mut random = Random::new(2);
    let mut bench = Bench::new();
    let mut compared = 0;
    let mut case = 0;
    while compared < 30_000 {
        case += 1;
        let length = 8 + random.below(34);
        let alphabet = 2 + random.below(length / 2);
        let (h, r) = random.block_shuffled(length, alphabet);
        let duos = duos(&h, &r);
        if duos.len() > 64 || duos.is_empty() {
            continue;
        }
        compared += 1;
        let best = bench.plain(&duos);
        // Reductions alone, then plain search on what they leave.
        let mut visits = u64::MAX;
        let reduced = reduce(&Grid::new(duos.clone(), &bench.capacities), &mut visits);
        check_set(&duos, &reduced.taken);
        for taken in &reduced.taken {
            assert!(reduced.rest.iter().all(|duo| !duo.conflicts(*taken)));
        }
        let rest = bench.plain(&reduced.rest);
        assert_eq!(reduced.taken.len() + rest, best, "case {case}: {h:?} {r:?}");
        // The whole long way: reductions, prices, filters and branching, down to single duos.
        let found = bench.search(0).solve(duos.clone(), 0, 0);
        check_set(&duos, &found.chosen);
        assert_eq!((found.chosen.len(), found.bound), (best, best), "case {case}: {h:?} {r:?}");
    }
}

/// Up to 41 duos of up to fourteen rows and columns, sorted.
pub(super) fn arbitrary(random: &mut Random) -> Vec<Duo> {
    let side = 3 + random.below(12);
    let mut duos: Vec<Duo> = (0..2 + random.below(40))
        .map(|_| Duo { i: random.below(side) as u32, j: random.below(side) as u32 })
        .collect();
    duos.sort_unstable();
    duos.dedup();
    duos
}

#[test]
fn reductions_and_bounds_hold_on_arbitrary_sets_of_duos() {
    // Words give full rectangles of duos, related words and filters do not.
    let mut random = Random::new(7);
    let mut bench = Bench::new();
    for case in 0..20_000 {
        let duos = arbitrary(&mut random);
        let best = bench.plain(&duos);
        let mut visits = u64::MAX;
        let reduced = reduce(&Grid::new(duos.clone(), &bench.capacities), &mut visits);
        check_set(&duos, &reduced.taken);
        let rest = bench.plain(&reduced.rest);
        assert_eq!(reduced.taken.len() + rest, best, "case {case}: {duos:?}");
        let found = bench.search(0).solve(duos.clone(), 0, 0);
        check_set(&duos, &found.chosen);
        assert_eq!((found.chosen.len(), found.bound), (best, best), "case {case}: {duos:?}");
    }
}

#[test]
fn some_largest_set_contains_the_runs_taken_first() {
    // Solved as listed duos, without taking runs first, and as a document, which begins with that.
    let mut random = Random::new(23);
    let mut listed = Aligner::default();
    let mut grouped = aligner(Budget { visits_per_word: u64::MAX, ..Budget::default() });
    grouped.classes.long_way = true;
    let (mut compared, mut taken) = (0, 0);
    for case in 0..30_000 {
        let (length, alphabet) = (8 + case % 28, 3 + case % 17);
        let (h, r) = match case % 3 {
            0 => random.block_shuffled(length, alphabet),
            1 => random.document(length, alphabet),
            _ => (random.words(length, alphabet), random.words(length, alphabet)),
        };
        let few = listed.exact(&h, &r).clone();
        let many = grouped.exact(&h, &r).clone();
        assert!(many.chunks_lower_bound <= few.chunks, "{h:?} {r:?}");
        assert!(few.chunks_lower_bound <= many.chunks, "{h:?} {r:?}");
        compared += usize::from(few.proven && many.proven);
        let mut bigrams = Bigrams::default();
        let mut table = Interner::default();
        let n_taken = bigrams.read_open((&h, &r), |_| false, &[], &mut table).len();
        let more = bigrams.take_more(&[], &mut table).len();
        taken += usize::from(n_taken > 0 && more > 0);
    }
    assert!(compared > 29_500, "{compared}");
    assert!(taken > 500, "{taken}");
}

#[test]
fn few_words_in_disorder_agree_with_a_search_of_all_duos() {
    // The relaxation is far from the optimum there, but what it leaves is few enough to be searched.
    let mut random = Random::new(28);
    let mut bench = Bench::new();
    let mut aligner = Aligner::default();
    let mut proven = 0;
    for case in 0..1_200 {
        let alphabet = 3 + case % 3;
        let (m, n) = (35 + random.below(20), 35 + random.below(20));
        let (h, r) = (random.words(m, alphabet), random.words(n, alphabet));
        let duos = duos(&h, &r);
        let mut search = bench.search(64);
        (search.nodes, search.visits) = (100_000, 1_000_000);
        let found = search.solve(duos.clone(), 0, 0);
        check_set(&duos, &found.chosen);
        let alignment = aligner.exact(&h, &r);
        recount(&h, &r, alignment);
        let chunks = |adjacencies: usize| (alignment.pairs.len() - adjacencies) as u32;
        assert!(alignment.chunks >= chunks(found.bound), "case {case}: {h:?} {r:?}");
        assert!(
            alignment.chunks_lower_bound <= chunks(found.chosen.len()),
            "case {case}: {h:?} {r:?}"
        );
        proven += usize::from(alignment.proven);
    }
    assert!(proven > 1_000, "{proven}");
}

/// Improves 4,000 poor sets and checks what comes out. Returns how many became larger and how many then were largest.
fn improved(improve: impl Fn(&[u32], &[u32], &[Duo], &[Duo]) -> Vec<Duo>) -> (usize, usize) {
    let mut random = Random::new(8);
    let mut bench = Bench::new();
    let (mut cases, mut gained, mut optimal) = (0, 0, 0);
    while cases < 4_000 {
        let length = 8 + random.below(34);
        let alphabet = 2 + random.below(length / 2);
        let (h, r) = random.block_shuffled(length, alphabet);
        let duos = duos(&h, &r);
        if duos.len() > 64 || duos.is_empty() {
            continue;
        }
        cases += 1;
        let best = bench.plain(&duos);
        // A poor start, the first duos that fit.
        let mut chosen: Vec<Duo> = Vec::new();
        for &duo in &duos {
            if chosen.iter().all(|other| !duo.conflicts(*other)) {
                chosen.push(duo);
            }
        }
        let improved = improve(&h, &r, &duos, &chosen);
        check_set(&duos, &improved);
        assert!((chosen.len()..=best).contains(&improved.len()), "{h:?} {r:?}");
        gained += usize::from(improved.len() > chosen.len());
        optimal += usize::from(improved.len() == best);
    }
    (gained, optimal)
}

#[test]
fn polishing_keeps_sets_valid_and_finds_most_optima() {
    let (gained, optimal) = improved(|h, r, duos, chosen| {
        polish_listed(duos, &Capacities::default(), (h.len(), r.len()), chosen)
    });
    assert!(gained > 1_500 && optimal > 3_000, "{gained} gained, {optimal} optimal");
}

#[test]
fn regions_keep_sets_valid_and_find_nearly_all_optima() {
    let (gained, optimal) = improved(|h, r, _, chosen| {
        let mut bigrams = Bigrams::default();
        bigrams.read(h, r, &mut Interner::default());
        let mut regions = Regions::new(&bigrams, chosen);
        regions.improve(usize::MAX, 400, &mut Mis64::default());
        regions.chosen(0..h.len() as u32)
    });
    assert!(gained > 1_500 && optimal > 3_900, "{gained} gained, {optimal} optimal");
}

#[test]
fn starved_budgets_keep_valid_bounds() {
    let mut random = Random::new(3);
    let mut full = aligner(Budget { visits: 1_000_000, ..Budget::default() });
    for case in 0..2_500 {
        let (h, r) = if case % 2 == 0 {
            let (m, n) = (random.below(40), random.below(40));
            (random.words(m, 2 + case % 5), random.words(n, 2 + case % 5))
        } else {
            let length = 8 + random.below(40);
            random.block_shuffled(length, 2 + case % 9)
        };
        let optimum = full.exact(&h, &r).clone();
        recount(&h, &r, &optimum);
        for budget in [
            Budget { nodes: 0, ..Budget::default() },
            Budget { nodes: 2, ..Budget::default() },
            Budget { visits: 0, ..Budget::default() },
            Budget { visits: random.below(20_000) as u64, ..Budget::default() },
            Budget { duos: 0, ..Budget::default() },
            Budget { duos: random.below(40), ..Budget::default() },
            Budget { depth: 0, ..Budget::default() },
            Budget {
                nodes: 1,
                visits: random.below(5_000) as u64,
                duos: 1_000,
                depth: 2,
                ..Budget::default()
            },
        ] {
            let mut starved = aligner(budget);
            let alignment = starved.exact(&h, &r);
            recount(&h, &r, alignment);
            assert!(alignment.chunks_lower_bound <= optimum.chunks, "{budget:?} {h:?} {r:?}");
            assert!(optimum.chunks_lower_bound <= alignment.chunks, "{budget:?} {h:?} {r:?}");
            if optimum.proven {
                assert!(alignment.chunks >= optimum.chunks, "{budget:?} {h:?} {r:?}");
            }
        }
    }
}

#[test]
fn exchanging_the_sides_keeps_the_chunks() {
    let mut random = Random::new(4);
    let starved = Budget { nodes: 3, visits: 3_000, duos: 150, depth: 3, ..Budget::default() };
    for budget in [Budget { visits: 200_000, ..Budget::default() }, starved] {
        let mut aligner = aligner(budget);
        for case in 0..3_000 {
            let alphabet = 2 + case % 7;
            let (m, n) = (random.below(60), random.below(60));
            let n = if case % 3 == 0 { m } else { n };
            let (h, r) = (random.words(m, alphabet), random.words(n, alphabet));
            let there = aligner.exact(&h, &r).clone();
            let back = aligner.exact(&r, &h).clone();
            recount(&h, &r, &there);
            recount(&r, &h, &back);
            assert_eq!(there.chunks, back.chunks, "{h:?} {r:?}");
            assert_eq!(there.chunks_lower_bound, back.chunks_lower_bound, "{h:?} {r:?}");
        }
    }
}

#[test]
fn results_do_not_depend_on_how_words_are_numbered() {
    let mut random = Random::new(5);
    let mut aligner = aligner(Budget { visits: 200_000, ..Budget::default() });
    for case in 0..500 {
        let (h, r) = random.block_shuffled(20 + case % 60, 2 + case % 6);
        let plain = aligner.exact(&h, &r).clone();
        let rename = |w: &u32| w.wrapping_mul(2_654_435_761) ^ 0x5bd1_e995;
        let h: Vec<u32> = h.iter().map(rename).collect();
        let r: Vec<u32> = r.iter().map(rename).collect();
        assert_eq!(&plain, aligner.exact(&h, &r));
    }
}

#[test]
fn repetitive_texts_are_proven() {
    let mut aligner = Aligner::default();
    for length in [10, 100, 1000, 3000] {
        let the = vec![0; length];
        let alignment = aligner.exact(&the, &the);
        assert_eq!((alignment.chunks, alignment.proven), (1, true), "the x {length}");
        let alignment = aligner.exact(&the, &the[..length / 2]);
        assert_eq!((alignment.chunks, alignment.proven), (1, true), "the x {length}, half");
    }
    for length in [10, 50, 200] {
        let ab: Vec<u32> = (0..length).map(|i| i % 2).collect();
        let ba: Vec<u32> = (0..length).map(|i| (i + 1) % 2).collect();
        let alignment = aligner.exact(&ab, &ba);
        assert_eq!((alignment.chunks, alignment.proven), (2, true), "abab x {length}");
    }
    // A shifted Thue-Morse word has two chunks; taking runs from the left finds dozens.
    let thue: Vec<u32> = (0..2000u32).map(|i| i.count_ones() % 2).collect();
    let mut shifted = thue[1..].to_vec();
    shifted.push(thue[0]);
    let alignment = aligner.exact(&thue, &shifted);
    recount(&thue, &shifted, alignment);
    assert_eq!(alignment.chunks, 2);
}

#[test]
fn long_texts_end_with_a_bound() {
    let mut random = Random::new(6);
    let mut aligner = aligner(Budget { visits: 2_000_000, ..Budget::default() });
    for (length, vocabulary) in [(1_000, 5_000), (4_000, 5_000), (30_000, 20_000), (30_000, 50)] {
        let (h, r) = random.document(length, vocabulary);
        let alignment = aligner.exact(&h, &r);
        // The definition of crossings is quadratic, so the map is recounted without them.
        let mut expected = None;
        let mut chunks = 0;
        let mut used = vec![false; r.len()];
        for pair in &alignment.pairs {
            assert_eq!(h[pair.hypothesis as usize], r[pair.reference as usize]);
            assert!(!std::mem::replace(&mut used[pair.reference as usize], true));
            chunks += u32::from(expected != Some((pair.hypothesis, pair.reference)));
            expected = Some((pair.hypothesis + 1, pair.reference + 1));
        }
        assert_eq!(alignment.chunks, chunks);
        let count = |side: &[u32], word| side.iter().filter(|&&w| w == word).count();
        let frequent: usize = (0..20).map(|w| count(&h, w).min(count(&r, w))).sum();
        let matched = alignment.pairs.iter().filter(|p| h[p.hypothesis as usize] < 20).count();
        assert_eq!(matched, frequent);
        assert!(alignment.chunks_lower_bound <= chunks && alignment.chunks_lower_bound > 0);
    }
}
