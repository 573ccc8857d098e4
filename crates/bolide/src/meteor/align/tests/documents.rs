//! Generated documents against optima found by an independent integer program.
//!
//! The documents come from the seeds below through [`Random::translate`]. Each optimum is the number
//! of matches minus the maximum of an integer linear program over duos and word pairs, solved to
//! optimality by HiGHS (`scipy.optimize.milp`, relative gap 0) from the printed documents.

use super::random::Random;
use super::{Budget, aligner};

/// Seed, words, vocabulary, longest stretch, optimal number of chunks.
const OPTIMA: [(u64, usize, usize, usize, u32); 72] = [
    (100, 200, 20, 7, 54),
    (101, 200, 20, 7, 49),
    (102, 200, 20, 7, 47),
    (103, 200, 20, 7, 49),
    (104, 200, 60, 7, 54),
    (105, 200, 60, 7, 52),
    (106, 200, 60, 7, 48),
    (107, 200, 60, 7, 44),
    (108, 200, 400, 7, 44),
    (109, 200, 400, 7, 44),
    (110, 200, 400, 7, 51),
    (111, 200, 400, 7, 41),
    (112, 600, 60, 7, 140),
    (113, 600, 60, 7, 167),
    (114, 600, 60, 7, 140),
    (115, 600, 60, 7, 149),
    (116, 600, 300, 7, 146),
    (117, 600, 300, 7, 136),
    (118, 600, 300, 7, 138),
    (119, 600, 300, 7, 152),
    (120, 600, 2000, 7, 131),
    (121, 600, 2000, 7, 134),
    (122, 600, 2000, 7, 124),
    (123, 600, 2000, 7, 129),
    (124, 1500, 200, 7, 358),
    (125, 1500, 200, 7, 337),
    (126, 1500, 200, 7, 352),
    (127, 1500, 200, 7, 382),
    (128, 1500, 1000, 7, 364),
    (129, 1500, 1000, 7, 340),
    (130, 1500, 1000, 7, 358),
    (131, 1500, 1000, 7, 325),
    (132, 1500, 6000, 7, 338),
    (133, 1500, 6000, 7, 341),
    (134, 1500, 6000, 7, 336),
    (135, 1500, 6000, 7, 346),
    (136, 3000, 2000, 7, 686),
    (137, 3000, 2000, 7, 706),
    (138, 3000, 2000, 7, 728),
    (139, 3000, 8000, 7, 688),
    (140, 3000, 8000, 7, 714),
    (141, 3000, 8000, 7, 727),
    (106, 150, 20, 2, 68),
    (107, 150, 20, 2, 72),
    (108, 150, 20, 2, 80),
    (109, 150, 20, 4, 60),
    (110, 150, 20, 4, 61),
    (111, 150, 20, 4, 55),
    (112, 400, 60, 2, 208),
    (113, 400, 60, 2, 210),
    (114, 400, 60, 3, 177),
    (115, 400, 60, 3, 181),
    (116, 400, 60, 5, 107),
    (117, 400, 60, 5, 127),
    (118, 400, 300, 2, 208),
    (119, 400, 300, 2, 210),
    (120, 400, 300, 3, 157),
    (121, 400, 300, 3, 163),
    (122, 400, 300, 5, 113),
    (123, 400, 300, 5, 107),
    (124, 1500, 400, 2, 816),
    (125, 1500, 400, 2, 790),
    (126, 1500, 400, 3, 636),
    (127, 1500, 400, 3, 624),
    (130, 1500, 2000, 2, 798),
    (131, 1500, 2000, 2, 767),
    (132, 1500, 2000, 3, 623),
    (133, 1500, 2000, 3, 641),
    (136, 3000, 2000, 2, 1601),
    (137, 3000, 2000, 3, 1281),
    (139, 3000, 8000, 2, 1526),
    (140, 3000, 8000, 3, 1267),
];

#[test]
fn optima_of_an_integer_program_are_found_and_proven() {
    let default = Budget::default();
    let patient = Budget { visits: 50_000_000, visits_per_word: u64::MAX, ..default };
    for (seed, length, vocabulary, longest, chunks) in OPTIMA {
        let (h, r) = Random::new(seed).translate(length, vocabulary, longest);
        for budget in [default, patient] {
            let alignment = aligner(budget).exact(&h, &r).clone();
            assert_eq!((alignment.chunks, alignment.proven), (chunks, true), "seed {seed}");
        }
    }
}
