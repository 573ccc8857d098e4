//! NLTK's alignment: three greedy passes from right to left, each over what the previous one left.
//!
//! A pass visits the hypothesis from its last word to its first and takes the rightmost free reference word
//! that matches. It finds the most matches, but not the fewest chunks. The `nltk` dialects need exactly this
//! alignment.

use super::words::{Entry, SynsetKind, Words, may_have, number};
use super::{Found, LaterStages, Pair, Stage, count_chunks, count_stages};
use crate::lexicon::Thesaurus;
use rustc_hash::FxHashMap;

/// Which words the synonym pass gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leftovers {
    /// NLTK 3.6.3 and later: the *stems* of the words that the stem pass left.
    Stems,
    /// NLTK up to 3.6.2: the words that the exact pass left, including those that the stem pass matched. A
    /// word can be matched twice, and scores can exceed 1.
    WordsAgain,
}

/// A position with the number of its word, or of its stem, which may have flags in its highest bits.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    at: u32,
    word: u32,
}

/// Buffers of the greedy aligner.
#[derive(Debug, Default)]
pub(super) struct Greedy {
    /// For each word number, the pass that last wrote the entry, and the rightmost free position.
    heads: Vec<(u32, u32)>,
    pass: u32,
    /// For short sides.
    marks: Marks,
    /// For each reference position, the next free one to the left with the same word, or [`TAKEN`].
    left: Vec<u32>,
    /// What the passes have left: the hypothesis from its last word to its first, the reference from its
    /// first to its last.
    hypothesis: Vec<Place>,
    reference: Vec<Place>,
    /// For each hypothesis position, its partner, or a value from [`NOBODY`] upwards.
    found: Vec<u32>,
    /// Reference positions left for the synonym pass, with the synsets that name their words.
    named: Vec<(u32, Entry)>,
    /// Hypothesis positions that may have a partner among them, with the synsets reached.
    reached: Vec<(u32, Entry)>,
    free: Vec<bool>,
    by_synset: FxHashMap<u32, Vec<u32>>,
}

/// For each mark, a bit for each free position of the reference whose word has that mark. Few words share a
/// mark, and there are so few marks that they stay in the cache. All are zero between two passes.
#[derive(Debug)]
struct Marks([u64; MARKS]);

const MARKS: usize = 1024;

impl Default for Marks {
    fn default() -> Marks {
        Marks([0; MARKS])
    }
}

const TAKEN: u32 = u32::MAX;
/// Greater than any position: texts are shorter than 2 GiB.
const NOBODY: u32 = 1 << 31;
/// The most positions that fit the bits of a mark.
const SHORT: usize = 64;

/// Above this number of comparisons the synonym pass indexes the reference by synset. Both ways give the same
/// pairs; the plain one is faster on sentences.
const MANY: usize = 1 << 14;

impl Greedy {
    /// Aligns two lists of word numbers. The pairs are listed, by hypothesis position, only on request.
    pub fn align(
        &mut self,
        sides: (&[u32], &[u32]),
        stages: LaterStages,
        leftovers: Leftovers,
        (words, lexicon): (&mut Words, Option<&Thesaurus>),
        pairs: Option<&mut Vec<Pair>>,
    ) -> Found {
        let (hypothesis, reference) = sides;
        let is_short = hypothesis.len().max(reference.len()) <= SHORT;
        if is_short {
            self.found.resize(hypothesis.len(), NOBODY);
            self.short_exact(hypothesis, reference);
        } else {
            self.found.clear();
            self.found.resize(hypothesis.len(), NOBODY);
            let place = |(at, &word)| Place { at, word };
            self.hypothesis.clear();
            self.hypothesis.extend((0..hypothesis.len() as u32).zip(hypothesis).rev().map(place));
            self.reference.clear();
            self.reference.extend((0..).zip(reference).map(place));
            self.equal_words(words.len());
        }
        let exact = hypothesis.len() - self.hypothesis.len();

        let words_left = (leftovers == Leftovers::WordsAgain)
            .then(|| (self.hypothesis.clone(), self.reference.clone()));
        if let Some(stemmer) = stages.stem
            && !self.hypothesis.is_empty()
            && !self.reference.is_empty()
        {
            let lexicon = lexicon.filter(|_| leftovers == Leftovers::Stems);
            for Place { word, .. } in self.hypothesis.iter_mut().chain(&mut self.reference) {
                *word = words.remarked_stem(*word, stemmer, lexicon);
            }
            if is_short {
                self.short_stems();
            } else {
                self.equal_words(words.len());
            }
        }
        let stem = hypothesis.len() - exact - self.hypothesis.len();
        let lexicon = lexicon.filter(|_| stages.synonym);
        if let Some(left) = words_left {
            return self.words_again(sides, left, (words, lexicon), pairs);
        }

        let synonym = lexicon.map_or(0, |lexicon| self.synonyms(words, lexicon));
        if let Some(pairs) = pairs {
            pairs.clear();
            pairs.extend(self.pairs().map(|(h, r)| {
                // A pass leaves no two words that it could have matched, so two words were matched by the
                // first stage at which they match.
                let (a, b) = (hypothesis[h as usize], reference[r as usize]);
                let stage = match stages.stem {
                    _ if a == b => Stage::Exact,
                    Some(stemmer) if words.stem(a, stemmer) == words.stem(b, stemmer) => {
                        Stage::Stem
                    }
                    _ => Stage::Synonym,
                };
                Pair { hypothesis: h, reference: r, stage }
            }));
        }
        let matches = [exact, stem, synonym].map(|n| n as u64);
        Found::final_counts(matches, self.count_chunks())
    }

    /// The last pass of NLTK up to 3.6.2, over the words that the exact pass left.
    fn words_again(
        &mut self,
        (hypothesis, reference): (&[u32], &[u32]),
        words_left: (Vec<Place>, Vec<Place>),
        (words, lexicon): (&mut Words, Option<&Thesaurus>),
        pairs: Option<&mut Vec<Pair>>,
    ) -> Found {
        let mut all: Vec<Pair> = Vec::new();
        all.extend(self.pairs().map(|(h, r)| {
            let same = hypothesis[h as usize] == reference[r as usize];
            let stage = if same { Stage::Exact } else { Stage::Stem };
            Pair { hypothesis: h, reference: r, stage }
        }));
        self.found.fill(NOBODY);
        (self.hypothesis, self.reference) = words_left;
        if let Some(lexicon) = lexicon {
            self.synonyms(words, lexicon);
        }
        let synonyms = self.pairs();
        all.extend(synonyms.map(|(h, r)| Pair {
            hypothesis: h,
            reference: r,
            stage: Stage::Synonym,
        }));
        // Stable, so that double matches keep the order of the passes.
        all.sort_by_key(|pair| pair.hypothesis);
        let found = Found::final_counts(count_stages(&all), count_chunks(&all));
        if let Some(pairs) = pairs {
            *pairs = all;
        }
        found
    }

    /// The positions of all pairs, by hypothesis.
    fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..).zip(self.found.iter().copied()).filter(|&(_, to)| to < NOBODY)
    }

    /// Runs of neighbours on both sides.
    fn count_chunks(&self) -> u64 {
        let first = self.found.first().map_or(0, |&to| u32::from(to < NOBODY));
        let later = self.found.iter().zip(self.found.iter().skip(1));
        // After a word without a partner, every pair starts a chunk, because [`NOBODY`] has no neighbour.
        let breaks =
            later.map(|(&before, &to)| u32::from(to < NOBODY) & u32::from(to != before + 1));
        u64::from(first + breaks.sum::<u32>())
    }

    /// The number of a new pass, which invalidates the entries of earlier ones.
    fn next_pass(&mut self, vocabulary: usize) -> u32 {
        self.pass = self.pass.wrapping_add(1);
        if self.pass == 0 || self.heads.len() < vocabulary {
            let size = vocabulary.next_power_of_two();
            self.heads.clear();
            self.heads.resize(size, (0, 0));
            self.pass = 1;
        }
        self.pass
    }

    /// The first pass over sides of at most [`SHORT`] words, with a bit for each position. The lists then get
    /// only the unmatched words.
    fn short_exact(&mut self, hypothesis: &[u32], reference: &[u32]) {
        let (marks, found) = (&mut self.marks.0, self.found.as_mut_slice());
        for (at, &word) in reference.iter().enumerate() {
            *mark_of(marks, word) |= 1 << (at % SHORT);
        }
        let (mut with, mut taken) = (0_u64, 0_u64);
        for ((at, &word), found) in hypothesis.iter().enumerate().zip(found.iter_mut()).rev() {
            let mark = mark_of(marks, word);
            let (to, is_found) = rightmost(*mark, word, |to| reference.get(to).copied());
            *mark ^= is_found << to;
            taken |= is_found << to;
            with |= is_found << at;
            *found = partner_or_nobody(to, is_found);
        }
        for &word in reference {
            *mark_of(marks, word) = 0;
        }
        let mut without = !with & low_bits(hypothesis.len());
        self.hypothesis.clear();
        while without != 0 {
            let at = without.ilog2();
            without ^= 1 << at;
            self.hypothesis.push(Place { at, word: hypothesis[at as usize] });
        }
        let mut left = !taken & low_bits(reference.len());
        self.reference.clear();
        while left != 0 {
            let at = left.trailing_zeros();
            left &= left - 1;
            self.reference.push(Place { at, word: reference[at as usize] });
        }
    }

    /// A later pass over the rest of such sides, with a bit for each entry of the list.
    fn short_stems(&mut self) {
        let Greedy { marks, hypothesis, reference, found, .. } = self;
        let (marks, found) = (&mut marks.0, found.as_mut_slice());
        for (idx, place) in reference.iter().enumerate() {
            *mark_of(marks, place.word) |= 1 << (idx % SHORT);
        }
        let (mut kept, mut taken) = (0, 0_u64);
        for idx in 0..hypothesis.len() {
            let place = hypothesis[idx];
            let mark = mark_of(marks, place.word);
            let word_at = |to: usize| reference.get(to).map(|partner| partner.word);
            let (to, is_found) = rightmost(*mark, place.word, word_at);
            *mark ^= is_found << to;
            taken |= is_found << to;
            let partner = reference.get(to as usize).map_or(0, |partner| partner.at);
            found[place.at as usize] = partner_or_nobody(partner, is_found);
            hypothesis[kept] = place;
            kept += 1 - is_found as usize;
        }
        hypothesis.truncate(kept);
        kept = 0;
        for idx in 0..reference.len() {
            let place = reference[idx];
            *mark_of(marks, place.word) = 0;
            reference[kept] = place;
            kept += usize::from(taken >> (idx % SHORT) & 1 == 0);
        }
        reference.truncate(kept);
    }

    /// One pass over equal numbers; both lists keep what it did not match.
    ///
    /// Whether a word finds a partner is nearly random, so the code avoids a branch that the processor would
    /// mispredict: a word without a partner takes a position after the reference, which is never used up.
    fn equal_words(&mut self, vocabulary: usize) {
        let pass = self.next_pass(vocabulary);
        let Greedy { heads, left, hypothesis, reference, found, .. } = self;
        let behind = reference.len() as u32;
        reference.push(Place { at: NOBODY, word: 0 });
        left.clear();
        left.resize(reference.len(), behind);
        // As slices, so that a write to one does not force the processor to reload another.
        let heads = heads.as_mut_slice();
        let (found, left) = (found.as_mut_slice(), left.as_mut_slice());
        for (entry, (place, left)) in (0..behind).zip(reference.iter().zip(left.iter_mut())) {
            let head = &mut heads[number(place.word) as usize];
            *left = if head.0 == pass { head.1 } else { behind };
            *head = (pass, entry);
        }
        let kept = {
            let (places, partners) = (hypothesis.as_mut_slice(), reference.as_slice());
            let mut kept = 0;
            for idx in 0..places.len() {
                let place = places[idx];
                let head = &mut heads[number(place.word) as usize];
                let entry = if head.0 == pass { head.1 } else { behind };
                let left = &mut left[entry as usize];
                *head = (pass, *left);
                *left = if entry == behind { behind } else { TAKEN };
                found[place.at as usize] = partners[entry as usize].at;
                places[kept] = place;
                kept += usize::from(entry == behind);
            }
            kept
        };
        hypothesis.truncate(kept);
        let kept = {
            let places = reference.as_mut_slice();
            let mut kept = 0;
            for (idx, &left) in (0..behind as usize).zip(left.iter()) {
                places[kept] = places[idx];
                kept += usize::from(left != TAKEN);
            }
            kept
        };
        reference.truncate(kept);
    }

    /// The synonym pass over what is left; returns the matches.
    fn synonyms(&mut self, words: &mut Words, lexicon: &Thesaurus) -> usize {
        if self.hypothesis.len() * self.reference.len() <= MANY {
            self.synonyms_compared(words, lexicon)
        } else {
            self.synonyms_indexed(words, lexicon)
        }
    }

    fn synonyms_compared(&mut self, words: &mut Words, lexicon: &Thesaurus) -> usize {
        // Which words have synsets, and which of these could be shared, is nearly random. So all are written,
        // and the next one overwrites one that does not count.
        let Greedy { hypothesis, reference, named, reached, found, .. } = self;
        keep(reference, |place| may_have(SynsetKind::Named, place.word));
        keep(hypothesis, |place| may_have(SynsetKind::Reached, place.word));
        if reference.is_empty() || hypothesis.is_empty() {
            return 0;
        }
        let mut all = Entry::NOTHING;
        let mut n = 0;
        named.resize(reference.len(), (0, Entry::NOTHING));
        for &Place { at, word } in reference.iter() {
            let entry = words.entry(number(word), SynsetKind::Named, lexicon);
            all.include(entry);
            named[n] = (at, entry);
            n += usize::from(!entry.is_empty());
        }
        named.truncate(n);
        n = 0;
        reached.resize(hypothesis.len(), (0, Entry::NOTHING));
        for &Place { at, word } in hypothesis.iter() {
            let entry = words.entry(number(word), SynsetKind::Reached, lexicon);
            reached[n] = (at, entry);
            n += usize::from(entry.may_share(all));
        }
        let mut n_found = 0;
        for &(at, reached) in &reached[..n] {
            let partner = named.iter().rposition(|&(_, named)| words.share_synset(reached, named));
            if let Some(partner) = partner {
                let (to, _) = named.remove(partner);
                found[at as usize] = to;
                n_found += 1;
            }
        }
        n_found
    }

    fn synonyms_indexed(&mut self, words: &mut Words, lexicon: &Thesaurus) -> usize {
        self.by_synset.clear();
        for (entry, place) in self.reference.iter().enumerate() {
            let named = words.entry(number(place.word), SynsetKind::Named, lexicon);
            for &synset in words.slice(named) {
                self.by_synset.entry(synset).or_default().push(entry as u32);
            }
        }
        self.free.clear();
        self.free.resize(self.reference.len(), true);
        let mut n_found = 0;
        for &Place { at, word } in &self.hypothesis {
            let mut best = None;
            let reached = words.entry(number(word), SynsetKind::Reached, lexicon);
            for synset in words.slice(reached) {
                let Some(entries) = self.by_synset.get_mut(synset) else { continue };
                while entries.last().is_some_and(|&entry| !self.free[entry as usize]) {
                    entries.pop();
                }
                best = best.max(entries.last().copied());
            }
            if let Some(entry) = best {
                self.free[entry as usize] = false;
                self.found[at as usize] = self.reference[entry as usize].at;
                n_found += 1;
            }
        }
        n_found
    }
}

/// Keeps the wanted positions, without a branch for each.
#[inline(always)]
fn keep(places: &mut Vec<Place>, is_wanted: impl Fn(Place) -> bool) {
    let mut kept = 0;
    for idx in 0..places.len() {
        let place = places[idx];
        places[kept] = place;
        kept += usize::from(is_wanted(place));
    }
    places.truncate(kept);
}

/// The mark of a word number.
#[inline(always)]
fn mark_of(marks: &mut [u64; MARKS], word: u32) -> &mut u64 {
    &mut marks[word as usize % MARKS]
}

/// The rightmost of these free positions that has the right word, and one; any position and zero if there is
/// none.
///
/// Whether there is one is nearly random, so the only branch here is for a rare case: a mark that another
/// word shares.
#[inline(always)]
fn rightmost(free: u64, word: u32, word_at: impl Fn(usize) -> Option<u32>) -> (u32, u64) {
    let to = (free | 1).ilog2();
    // One or zero. The compiler cannot see that, or it would turn the test below into two branches.
    let is_found = free >> to;
    let difference = u64::from(word_at(to as usize).unwrap_or(word) ^ word);
    if is_found.wrapping_neg() & difference != 0 {
        return rightmost_of(free, word, word_at);
    }
    (to, is_found)
}

/// The same, position by position.
#[cold]
#[inline(never)]
fn rightmost_of(mut free: u64, word: u32, word_at: impl Fn(usize) -> Option<u32>) -> (u32, u64) {
    while free != 0 {
        let to = free.ilog2();
        if word_at(to as usize) == Some(word) {
            return (to, 1);
        }
        free ^= 1 << to;
    }
    (0, 0)
}

/// The position if it was found (one); otherwise (zero) a value from [`NOBODY`] upwards.
#[inline(always)]
fn partner_or_nobody(at: u32, is_found: u64) -> u32 {
    at | ((is_found as u32 ^ 1) * NOBODY)
}

/// A mask of the lowest `n` bits, at most [`SHORT`].
fn low_bits(n: usize) -> u64 {
    u64::MAX.checked_shr((SHORT - n.min(SHORT)) as u32).unwrap_or(0)
}
