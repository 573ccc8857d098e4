//! What is counted without an alignment, against the aligner.

use super::super::{Aligner, Brief, Budget, Relation};
use super::aligner;
use super::random::Random;

/// Texts of up to 64 words and relations between words that exact matches leave over.
fn sentences(random: &mut Random, brief: &mut Brief) -> (Vec<u32>, Vec<u32>, Vec<Relation>) {
    let alphabet = 1 + random.below(60);
    let length = random.below(65);
    let (hypothesis, mut reference) = match random.below(3) {
        0 => {
            let other = random.below(65);
            (random.words(length, alphabet), random.words(other, alphabet))
        }
        _ => random.block_shuffled(length, alphabet),
    };
    // Words of the reference alone, for stems and synonyms.
    for word in &mut reference {
        if random.below(8) == 0 {
            *word += alphabet as u32;
        }
    }
    assert!(brief.read(&hypothesis, &reference, 2 * alphabet));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    brief.leftovers(&mut ours, &mut theirs);
    let mut relations = Vec::new();
    if !ours.is_empty() && !theirs.is_empty() {
        for _ in 0..random.below(4) {
            relations.push(Relation {
                hypothesis: ours[random.below(ours.len())],
                reference: theirs[random.below(theirs.len())],
                stage: 1 + random.below(2) as u8,
            });
        }
    }
    (hypothesis, reference, relations)
}

/// Compares both; says whether the texts were counted.
fn agrees(
    aligner: &mut Aligner,
    brief: &mut Brief,
    (hypothesis, reference, relations): &(Vec<u32>, Vec<u32>, Vec<Relation>),
) -> bool {
    let Some(counted) = brief.count(relations, aligner.settings.budget.nodes) else { return false };
    let alignment = aligner.align(hypothesis, reference, relations);
    let mut matches = [0; 4];
    for pair in &alignment.pairs {
        matches[usize::from(pair.stage)] += 1;
    }
    let found = (matches, alignment.chunks, alignment.proven);
    assert_eq!(
        (counted.matches, counted.chunks, true),
        found,
        "{hypothesis:?} {reference:?} {relations:?}"
    );
    true
}

#[test]
fn counts_are_those_of_the_aligner() {
    let mut random = Random::new(64);
    let mut brief = Brief::default();
    // With few nodes some searches end early; what was counted must agree all the same.
    for (nodes, least) in [(20_000, 12_000), (3, 10_000), (0, 10_000)] {
        let mut aligner = aligner(Budget { nodes, ..Budget::default() });
        let mut n_counted = 0;
        let mut n_joined = 0;
        for _ in 0..30_000 {
            let texts = sentences(&mut random, &mut brief);
            let is_counted = agrees(&mut aligner, &mut brief, &texts);
            n_counted += u32::from(is_counted);
            n_joined += u32::from(is_counted && !texts.2.is_empty());
        }
        assert!(n_counted > least && n_counted < 30_000, "{n_counted}");
        assert!(n_joined > 1_000, "{n_joined}");
    }
}

#[test]
fn full_sides_and_long_ones() {
    let mut brief = Brief::default();
    let mut aligner = aligner(Budget::default());
    let forwards: Vec<u32> = (0..64).collect();
    let backwards: Vec<u32> = (0..64).rev().collect();
    let others: Vec<u32> = (64..128).collect();
    for reference in [&forwards, &backwards, &others] {
        assert!(brief.read(&forwards, reference, 128));
        let texts = (forwards.clone(), reference.clone(), Vec::new());
        assert!(agrees(&mut aligner, &mut brief, &texts));
    }
    let long: Vec<u32> = (0..65).collect();
    assert!(!brief.read(&long, &forwards, 128) && !brief.read(&forwards, &long, 128));
}
