//! Capacities: what a search makes of them, and which matches they leave room for in large parts.

use super::super::capacity::{Capacities, Cell};
use super::super::duo::Duo;
use super::exact::{Bench, arbitrary, check_set};
use super::random::Random;

/// Some of the cells of these duos, sorted, and sets of their numbers with limits.
fn limits(random: &mut Random, duos: &[Duo]) -> (Vec<Cell>, Vec<(Vec<u32>, u32)>) {
    let mut cells: Vec<Cell> = duos.iter().flat_map(|d| [(d.i, d.j), (d.i + 1, d.j + 1)]).collect();
    cells.sort_unstable();
    cells.dedup();
    let share = 1 + random.below(4);
    cells.retain(|_| random.below(4) < share);
    let mut sets = Vec::new();
    for _ in 0..2 + random.below(5) {
        let share = 1 + random.below(4);
        let all = 0..cells.len() as u32;
        let set: Vec<u32> = all.filter(|_| random.below(4) < share).collect();
        sets.push((set, random.below(3) as u32));
    }
    (cells, sets)
}

#[test]
fn searches_under_capacities_agree_with_masks() {
    let mut random = Random::new(31);
    let mut bench = Bench::new();
    let mut limited = 0;
    for case in 0..10_000 {
        let duos = arbitrary(&mut random);
        bench.capacities = Capacities::default();
        let free = bench.search(64).small(&duos).bound;
        let (cells, sets) = limits(&mut random, &duos);
        bench.capacities = Capacities::from_sets(&cells, &sets);
        let best = bench.search(64).small(&duos);
        let found = bench.search(0).solve(duos.clone(), 0, 0);
        for chosen in [&best.chosen, &found.chosen] {
            check_set(&duos, chosen);
            let is_used = |&(i, j): &Cell| {
                chosen.iter().any(|duo| [(duo.i, duo.j), (duo.i + 1, duo.j + 1)].contains(&(i, j)))
            };
            for (set, limit) in &sets {
                let n_used = set.iter().filter(|&&at| is_used(&cells[at as usize])).count();
                assert!(n_used <= *limit as usize, "case {case}: {duos:?} {cells:?} {sets:?}");
            }
        }
        let expected = (best.chosen.len(), best.chosen.len(), best.chosen.len());
        let all = (best.bound, found.chosen.len(), found.bound);
        assert_eq!(all, expected, "case {case}: {duos:?} {cells:?} {sets:?}");
        limited += usize::from(best.bound < free);
    }
    assert!(limited > 5_000, "{limited}");
}
