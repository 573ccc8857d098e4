//! Bonds with weights: the heaviest alignment, and the words that it sets aside.

use super::super::{Aligner, Alignment, Bond, Budget, Pair, brute};
use super::aligner;
use super::random::Random;

/// Two texts of small vocabularies with bonds between different words.
struct Bonded {
    h: Vec<u32>,
    r: Vec<u32>,
    bonds: Vec<Bond>,
}

/// Exact matches, the weight of the others, and their number.
type Value = (u32, u128, u32);

/// What the definition says: the value of the best alignments, the words that some of them match, and the
/// fewest chunks among these words.
#[derive(Debug, PartialEq, Eq, Default)]
struct Best {
    value: Value,
    matched: (Vec<bool>, Vec<bool>),
    chunks: u32,
}

impl Bonded {
    fn random(random: &mut Random, longest: usize) -> Self {
        let alphabet = 2 + random.below(4);
        let (m, n) = (random.below(longest + 1), random.below(longest + 1));
        let shift = random.below(alphabet + 1) as u32;
        let h = random.words(m, alphabet);
        let r = random.words(n, alphabet).iter().map(|word| word + shift).collect();
        // Few different weights leave ties, which is where the chunks decide.
        let weights = [1, 2, 3, 50][random.below(4)];
        let density = 20 + random.below(70);
        let mut bonds = Vec::new();
        for a in 0..alphabet as u32 {
            for b in shift..shift + alphabet as u32 {
                if a != b && random.below(100) < density {
                    let weight = 1 + random.below(weights) as u128;
                    bonds.push(Bond { hypothesis: a, reference: b, weight });
                }
            }
        }
        random.shuffle(&mut bonds);
        Bonded { h, r, bonds }
    }

    /// What a pair of positions adds.
    fn value(&self, i: usize, j: usize) -> Option<Value> {
        let (h, r) = (self.h[i], self.r[j]);
        if h == r {
            return Some((1, 0, 0));
        }
        let bond = self.bonds.iter().find(|bond| (bond.hypothesis, bond.reference) == (h, r))?;
        Some((0, bond.weight, 1))
    }

    /// Hands every one-to-one alignment and its value to `each`.
    fn all(&self, each: &mut dyn FnMut(&[Option<usize>], Value)) {
        let partner = &mut vec![None; self.h.len()];
        self.extend(0, partner, (0, 0, 0), each);
    }

    fn extend(
        &self,
        i: usize,
        partner: &mut Vec<Option<usize>>,
        value: Value,
        each: &mut dyn FnMut(&[Option<usize>], Value),
    ) {
        if i == partner.len() {
            return each(partner, value);
        }
        self.extend(i + 1, partner, value, each);
        for j in 0..self.r.len() {
            if let Some(more) = self.value(i, j).filter(|_| !partner.contains(&Some(j))) {
                partner[i] = Some(j);
                self.extend(i + 1, partner, sum(value, more), each);
                partner[i] = None;
            }
        }
    }

    fn definition(&self) -> Best {
        let mut best = Best::default();
        self.all(&mut |_, value| best.value = best.value.max(value));
        let matched = &mut best.matched;
        *matched = (vec![false; self.h.len()], vec![false; self.r.len()]);
        self.all(&mut |partner, value| {
            for (i, j) in partner.iter().enumerate().filter_map(|(i, j)| Some((i, (*j)?))) {
                matched.0[i] |= value == best.value;
                matched.1[j] |= value == best.value;
            }
        });
        let matched = best.matched.clone();
        let mut fewest = u32::MAX;
        self.all(&mut |partner, value| {
            if value == best.value {
                fewest = fewest.min(chunks(partner, &matched));
            }
        });
        best.chunks = fewest;
        best
    }

    /// Recounts an alignment: one-to-one, its value, its chunks.
    fn recount(&self, alignment: &Alignment, matched: &(Vec<bool>, Vec<bool>)) -> Value {
        let map = brute::map_of(self.h.len(), self.r.len(), &alignment.pairs);
        assert_eq!(alignment.chunks, chunks(&map, matched));
        let values = alignment
            .pairs
            .iter()
            .map(|pair| self.value(pair.hypothesis as usize, pair.reference as usize).unwrap());
        values.fold((0, 0, 0), sum)
    }
}

fn sum(a: Value, b: Value) -> Value {
    (a.0 + b.0, a.1 + b.1, a.2 + b.2)
}

/// Chunks where only the words that some best alignment matches stand between neighbours.
fn chunks(partner: &[Option<usize>], (of_h, of_r): &(Vec<bool>, Vec<bool>)) -> u32 {
    let rank = |side: &[bool], at: usize| side[..at].iter().filter(|&&matched| matched).count();
    let squeezed: Vec<Option<usize>> = (0..partner.len())
        .filter(|&i| of_h[i])
        .map(|i| partner[i].map(|j| rank(of_r, j)))
        .collect();
    brute::count(&squeezed).0
}

fn kept(places: &[u32], len: usize) -> Vec<bool> {
    (0..len as u32).map(|at| places.contains(&at)).collect()
}

#[test]
fn the_definition_by_brute_force() {
    let mut random = Random::new(2026);
    let mut aligner = Aligner::default();
    let (mut with_bonds, mut set_aside) = (0, 0);
    for _ in 0..6_000 {
        let texts = Bonded::random(&mut random, 6);
        let best = texts.definition();
        let alignment = aligner.heaviest(&texts.h, &texts.r, texts.bonds.iter().copied()).clone();
        let (h, r) = aligner.places();
        assert_eq!((kept(h, texts.h.len()), kept(r, texts.r.len())), best.matched);
        assert_eq!(texts.recount(&alignment, &best.matched), best.value);
        assert!(alignment.proven);
        assert_eq!(alignment.chunks, best.chunks);
        with_bonds += usize::from(best.value.1 > 0);
        set_aside += usize::from(best.matched.0.contains(&false));
    }
    assert!(with_bonds > 2_400 && set_aside > 2_400, "{with_bonds} {set_aside}");
}

#[test]
fn a_small_budget_keeps_the_weight_and_a_valid_bound() {
    let mut random = Random::new(7);
    let mut starved = aligner(Budget { nodes: 0, visits: 0, ..Budget::default() });
    for _ in 0..2_000 {
        let texts = Bonded::random(&mut random, 6);
        let best = texts.definition();
        let alignment = starved.heaviest(&texts.h, &texts.r, texts.bonds.iter().copied());
        assert_eq!(texts.recount(alignment, &best.matched), best.value);
        assert!(alignment.chunks_lower_bound <= best.chunks && best.chunks <= alignment.chunks);
        assert_eq!(alignment.proven, alignment.chunks_lower_bound == alignment.chunks);
    }
}

#[test]
fn exchanged_sides_and_other_numbers_give_the_same() {
    let mut random = Random::new(11);
    let mut aligner = Aligner::default();
    for _ in 0..3_000 {
        let texts = Bonded::random(&mut random, 20);
        let count = |alignment: &Alignment| (alignment.pairs.len(), alignment.chunks);
        let expected = aligner.heaviest(&texts.h, &texts.r, texts.bonds.iter().copied()).clone();
        let turn = |bond: &Bond| Bond {
            hypothesis: bond.reference,
            reference: bond.hypothesis,
            weight: bond.weight,
        };
        let bonds: Vec<Bond> = texts.bonds.iter().map(turn).collect();
        let turned = aligner.heaviest(&texts.r, &texts.h, bonds);
        if expected.proven && turned.proven {
            assert_eq!(turned.chunks, expected.chunks);
        }
        let other = |word: u32| 1000 - 7 * word;
        let renumber = |side: &[u32]| side.iter().map(|&word| other(word)).collect::<Vec<_>>();
        let bonds = texts.bonds.iter().rev().map(|bond| Bond {
            hypothesis: other(bond.hypothesis),
            reference: other(bond.reference),
            weight: bond.weight,
        });
        let bonds: Vec<Bond> = bonds.collect();
        let again = aligner.heaviest(&renumber(&texts.h), &renumber(&texts.r), bonds);
        assert_eq!(count(again), count(&expected));
        assert_eq!(again.pairs, expected.pairs);
    }
}

#[test]
fn of_several_bonds_between_two_words_the_heaviest_counts() {
    let mut aligner = Aligner::default();
    let bond = |hypothesis: u32, weight: u128| Bond { hypothesis, reference: 2, weight };
    for weights in [[3, 7], [7, 3]] {
        let [first, second] = weights.map(|weight| bond(1, weight));
        let alignment = aligner.heaviest(&[0, 1], &[2], [first, bond(0, 5), second]);
        assert_eq!(alignment.pairs, [Pair { hypothesis: 1, reference: 0, stage: 1 }]);
    }
}

#[test]
fn words_without_a_partner_break_no_chunk() {
    let mut aligner = Aligner::default();
    // "the cat 8 sat" against "the 9 cat sat": 8 and 9 match nothing.
    let alignment = aligner.heaviest(&[0, 1, 8, 2], &[0, 9, 1, 2], []);
    assert_eq!((alignment.pairs.len(), alignment.chunks), (3, 1));
    assert_eq!(alignment.pairs[1], Pair { hypothesis: 1, reference: 2, stage: 0 });
    // A bond that is too light to be used leaves its word aside as well.
    let light = Bond { hypothesis: 8, reference: 9, weight: 1 };
    let heavy = Bond { hypothesis: 7, reference: 9, weight: 5 };
    let alignment = aligner.heaviest(&[0, 8, 7], &[0, 9], [light, heavy]);
    assert_eq!((alignment.pairs.len(), alignment.chunks), (2, 1));
    assert_eq!(alignment.pairs[1], Pair { hypothesis: 2, reference: 1, stage: 1 });
}
