//! The words that are most often unmatched, and n-grams that one system has and another lacks.
//!
//! Words and n-grams are those of the alignment, tokenised and case-folded as its metric does. Occurrences of
//! an n-gram in a hypothesis are right up to its number in the best reference, and wrong beyond that. Only the
//! first entries of each list are kept, as many as the page can show.

use super::gather::{Gathered, Kept, OfSystem};
use bolide_runner::Runner;
use serde::Serialize;
use std::collections::HashMap;

/// How many words each system has in its lists.
const MOST_WORDS: usize = 100;
/// How many n-grams the list of two systems has.
const MOST_NGRAMS: usize = 25;
/// The most words in an n-gram.
pub const LONGEST: usize = 4;

/// All tables.
#[derive(Serialize)]
pub struct Tables {
    /// Words of the reference that hypotheses miss.
    missing: WordTable,
    /// Words of hypotheses that the reference does not have.
    extra: WordTable,
    ngrams: Vec<NgramTable>,
}

/// Words with counts by system.
#[derive(Serialize)]
struct WordTable {
    words: Vec<String>,
    /// How often it is unmatched, by word and system.
    lone: Vec<Vec<u32>>,
    /// How often it occurs, by word and system.
    all: Vec<Vec<u32>>,
}

/// N-grams with counts by system.
#[derive(Serialize)]
struct NgramTable {
    ngrams: Vec<String>,
    right: Vec<Vec<u32>>,
    wrong: Vec<Vec<u32>>,
}

/// Counts everything.
pub fn tables(gathered: &Gathered, n_systems: usize, runner: Runner) -> Tables {
    let ngrams = runner.each(LONGEST, |idx| ngrams(gathered, n_systems, idx + 1));
    Tables { missing: words(gathered, n_systems, 1), extra: words(gathered, n_systems, 0), ngrams }
}

fn words(gathered: &Gathered, n_systems: usize, side: usize) -> WordTable {
    let n_words = gathered.words.texts.len();
    let (mut lone, mut all) = (vec![0u32; n_words * n_systems], vec![0u32; n_words * n_systems]);
    for row in &gathered.rows {
        for (system, of_system) in row.systems.iter().enumerate() {
            for word in &of_system.words[side] {
                let at = word.id as usize * n_systems + system;
                all[at] += 1;
                lone[at] += u32::from(!word.matched);
            }
        }
    }
    let mut kept: Vec<usize> = Vec::new();
    for system in 0..n_systems {
        let count = |&word: &usize| lone[word * n_systems + system];
        kept.extend(first((0..n_words).filter(|word| count(word) > 0), MOST_WORDS, |word| {
            (count(word), 0)
        }));
    }
    kept.sort_unstable();
    kept.dedup();
    let by_system = |counts: &[u32]| -> Vec<Vec<u32>> {
        kept.iter().map(|word| counts[word * n_systems..][..n_systems].to_vec()).collect()
    };
    WordTable {
        words: kept.iter().map(|&word| gathered.words.texts[word].clone()).collect(),
        lone: by_system(&lone),
        all: by_system(&all),
    }
}

type Ngram = [u32; LONGEST];

/// Counts of all n-grams of one length.
#[derive(Default)]
struct Counts {
    ids: HashMap<Ngram, usize>,
    ngrams: Vec<Ngram>,
    /// Right and wrong occurrences, by n-gram and system.
    counts: [Vec<u32>; 2],
}

fn ngrams(gathered: &Gathered, n_systems: usize, n: usize) -> NgramTable {
    let mut counts = Counts::default();
    for row in &gathered.rows {
        count_row(row, n_systems, n, &mut counts);
    }
    // The lists need only n-grams whose counts differ between systems.
    let differs = |kind: usize, at: usize| {
        let of_ngram = &counts.counts[kind][at * n_systems..][..n_systems];
        of_ngram.iter().max() > of_ngram.iter().min()
    };
    let mut kept: Vec<usize> = Vec::new();
    for kind in 0..2 {
        let candidates: Vec<usize> =
            (0..counts.ngrams.len()).filter(|&at| differs(kind, at)).collect();
        let count = |at: usize, system: usize| counts.counts[kind][at * n_systems + system];
        for ours in 0..n_systems {
            for theirs in (0..n_systems).filter(|&theirs| theirs != ours) {
                let more = candidates.iter().copied();
                let more = more.filter(|&at| count(at, ours) > count(at, theirs));
                kept.extend(first(more, MOST_NGRAMS, |&at| {
                    let (ours, theirs) = (count(at, ours), count(at, theirs));
                    (ours - theirs, u32::MAX - theirs)
                }));
            }
        }
    }
    kept.sort_unstable();
    kept.dedup();
    let text = |&at: &usize| {
        let words = counts.ngrams[at][..n].iter();
        words
            .map(|&word| gathered.words.texts[word as usize].as_str())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let by_system = |kind: usize| -> Vec<Vec<u32>> {
        kept.iter().map(|at| counts.counts[kind][at * n_systems..][..n_systems].to_vec()).collect()
    };
    NgramTable { ngrams: kept.iter().map(text).collect(), right: by_system(0), wrong: by_system(1) }
}

fn count_row(row: &Kept, n_systems: usize, n: usize, counts: &mut Counts) {
    for (system, of_system) in row.systems.iter().enumerate() {
        let [hypothesis, reference] = [0, 1].map(|side| sorted_ngrams(of_system, side, n));
        let mut reference = reference.iter().peekable();
        for ngram in hypothesis {
            let id = *counts.ids.entry(ngram).or_insert_with(|| {
                counts.ngrams.push(ngram);
                counts.counts.iter_mut().for_each(|list| list.resize(list.len() + n_systems, 0));
                counts.ngrams.len() - 1
            });
            while reference.next_if(|&&other| other < ngram).is_some() {}
            let kind = usize::from(reference.next_if(|&&other| other == ngram).is_none());
            counts.counts[kind][id * n_systems + system] += 1;
        }
    }
}

fn sorted_ngrams(of_system: &OfSystem, side: usize, n: usize) -> Vec<Ngram> {
    let ngram = |words: &[super::gather::Word]| {
        let mut ngram = [0; LONGEST];
        ngram.iter_mut().zip(words).for_each(|(slot, word)| *slot = word.id);
        ngram
    };
    let mut ngrams: Vec<Ngram> = of_system.words[side].windows(n).map(ngram).collect();
    ngrams.sort_unstable();
    ngrams
}

/// The largest by a key; of equal ones, the earlier comes first.
fn first<K: Ord>(
    items: impl Iterator<Item = usize>,
    most: usize,
    key: impl Fn(&usize) -> K,
) -> Vec<usize> {
    let mut items: Vec<usize> = items.collect();
    let order = |a: &usize, b: &usize| key(b).cmp(&key(a)).then(a.cmp(b));
    if items.len() > most {
        items.select_nth_unstable_by(most, order);
        items.truncate(most);
    }
    items.sort_by(order);
    items
}
