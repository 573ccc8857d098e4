//! Fewest crossings, as tie-break and as objective.

use super::super::{Aligner, Budget, Objective, Settings, Ties};
use super::general::{Graph, shapes};
use super::random::Random;

fn with(objective: Objective, ties: Ties, budget: Budget) -> Aligner {
    Aligner::new(Settings { budget, objective, ties })
}

#[test]
fn agree_with_the_definition() {
    let mut random = Random::new(21);
    let mut tied = with(Objective::Chunks, Ties::Crossings, Budget::default());
    let mut paper = with(Objective::Crossings, Ties::Order, Budget::default());
    for case in 0..12_000 {
        let (longest, alphabet, density) = shapes(case);
        let density = if case % 3 == 0 { 0 } else { density };
        let graph = Graph::random(&mut random, longest, alphabet, density);
        let best = graph.definition();
        let message = || format!("{:?} {:?} {:?}", graph.h, graph.r, graph.relations);
        let chunks_first = tied.align(&graph.h, &graph.r, &graph.relations).clone();
        assert_eq!(graph.recount(&chunks_first), best.counts, "{}", message());
        assert!(chunks_first.proven && chunks_first.crossings_proven, "{}", message());
        let found = (chunks_first.chunks, chunks_first.crossings as u32);
        assert_eq!(found, best.chunks_first, "{}", message());
        let crossings_first = paper.align(&graph.h, &graph.r, &graph.relations).clone();
        assert_eq!(graph.recount(&crossings_first), best.counts, "{}", message());
        assert!(crossings_first.proven && crossings_first.crossings_proven, "{}", message());
        let found = (crossings_first.crossings as u32, crossings_first.chunks);
        assert_eq!(found, best.crossings_first, "{}", message());
    }
}

#[test]
fn starved_budgets_keep_valid_bounds() {
    let mut random = Random::new(22);
    for case in 0..1_500 {
        let graph = Graph::random(&mut random, 9, 2 + case % 8, 15);
        for objective in [Objective::Chunks, Objective::Crossings] {
            let mut full = with(objective, Ties::Crossings, Budget::default());
            let best = full.align(&graph.h, &graph.r, &graph.relations).clone();
            let counts = graph.recount(&best);
            for budget in [
                Budget { nodes: 0, ..Budget::default() },
                Budget { nodes: 1 + random.below(20) as u64, ..Budget::default() },
                Budget { visits: random.below(500) as u64, ..Budget::default() },
                Budget { nodes: 0, visits: 0, duos: 0, depth: 0, ..Budget::default() },
            ] {
                let mut starved = with(objective, Ties::Crossings, budget);
                let found = starved.align(&graph.h, &graph.r, &graph.relations).clone();
                let message =
                    || format!("{budget:?} {:?} {:?} {:?}", graph.h, graph.r, graph.relations);
                assert_eq!(graph.recount(&found), counts, "{}", message());
                if best.proven && best.crossings_proven {
                    let same = match objective {
                        Objective::Chunks => found.chunks == best.chunks,
                        Objective::Crossings => true,
                    };
                    assert!(found.crossings >= best.crossings || !same, "{}", message());
                    if found.proven || objective == Objective::Crossings {
                        assert!(found.crossings_lower_bound <= best.crossings, "{}", message());
                    }
                }
                if found.crossings_proven && best.crossings_proven {
                    assert_eq!(found.crossings, best.crossings, "{}", message());
                }
                if found.proven && best.proven {
                    assert_eq!(found.chunks, best.chunks, "{}", message());
                }
            }
        }
    }
}

#[test]
fn long_texts_end() {
    let mut random = Random::new(23);
    for (length, vocabulary) in [(300, 2_000), (3_000, 5_000), (20_000, 5_000)] {
        let (h, r) = random.document(length, vocabulary);
        let budget = Budget { visits: 1_000_000, ..Budget::default() };
        for objective in [Objective::Chunks, Objective::Crossings] {
            let mut aligner = with(objective, Ties::Crossings, budget);
            let alignment = aligner.exact(&h, &r);
            assert!(alignment.crossings_lower_bound <= alignment.crossings);
            assert!(alignment.chunks_lower_bound <= alignment.chunks);
        }
    }
}
