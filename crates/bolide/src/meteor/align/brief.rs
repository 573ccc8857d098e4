//! Counts the matches and the fewest chunks of two sentences without aligning them.
//!
//! A score needs two numbers and no pairs. In texts of at most 64 words the places of a word are a
//! mask, and so are the duos of every two neighbours; most conflict with none and are only counted.
//! The few others go to the search that [`super::exact`] would use, in the same order, so both
//! agree, even in what they cannot prove. Everything larger or less plain is handed over: a word
//! with two relations, a constrained part, many duos, a search that ends early.

use super::Relation;
use super::duo::{Duo, NONE};
use super::exact::LISTED;
use super::mis64::Mis64;
use super::small;

/// The most words of a side.
const WORDS: usize = 64;

/// One more than the number of kinds that two sides can have.
const KINDS: usize = 2 * WORDS + 1;

/// A word and where it stands.
#[derive(Clone, Copy, Default)]
struct Kind {
    word: u32,
    /// How often it occurs on either side.
    copies: [u8; 2],
    /// Its places in the reference.
    places: u64,
}

/// What the words of a kind can match: their copies, or those of two kinds that a relation joins.
#[derive(Clone, Copy, Default)]
struct Class {
    /// Places in the reference; none for a kind that only the reference has.
    places: u64,
    /// Their number.
    copies: u8,
    /// 1 if there is one copy on each side.
    is_unique: u8,
    /// The same for all kinds of a class; 0 for words that match nothing.
    name: u8,
}

/// What is known of an alignment that was only counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::meteor) struct Counted {
    /// The matches of each stage.
    pub(in crate::meteor) matches: [u32; 4],
    /// The fewest chunks, proven.
    pub(in crate::meteor) chunks: u32,
}

/// Two sentences and the buffers to count them with.
pub(in crate::meteor) struct Brief {
    /// The kind of every word number, 0 for words that do not occur.
    numbers: Vec<u8>,
    /// From 1 on, in order of appearance.
    kinds: [Kind; KINDS],
    n_kinds: usize,
    /// The kinds of the hypothesis come first.
    n_in_hypothesis: usize,
    /// The kind of every word.
    hypothesis: [u8; WORDS],
    reference: [u8; WORDS],
    lengths: (usize, usize),
    classes: [Class; KINDS],
    duos: Vec<Duo>,
    mis64: Mis64,
}

impl Default for Brief {
    fn default() -> Self {
        Brief {
            numbers: Vec::new(),
            kinds: [Kind::default(); KINDS],
            n_kinds: 0,
            n_in_hypothesis: 0,
            hypothesis: [0; WORDS],
            reference: [0; WORDS],
            lengths: (0, 0),
            classes: [Class::default(); KINDS],
            duos: Vec::new(),
            mis64: Mis64::default(),
        }
    }
}

impl Brief {
    /// Reads two texts of word numbers below `vocabulary`. Says whether they are short enough.
    pub(in crate::meteor) fn read(
        &mut self,
        hypothesis: &[u32],
        reference: &[u32],
        vocabulary: usize,
    ) -> bool {
        if hypothesis.len() > WORDS || reference.len() > WORDS {
            return false;
        }
        if self.numbers.len() < vocabulary {
            self.numbers.resize(vocabulary.next_power_of_two(), 0);
        }
        for kind in &self.kinds[1..=self.n_kinds] {
            self.numbers[kind.word as usize] = 0;
        }
        self.lengths = (hypothesis.len(), reference.len());
        let mut n_kinds = 0;
        for (&word, place) in hypothesis.iter().zip(&mut self.hypothesis) {
            let number = &mut self.numbers[word as usize];
            if *number == 0 {
                n_kinds += 1;
                *number = n_kinds as u8;
                self.kinds[n_kinds] = Kind { word, copies: [1, 0], places: 0 };
            } else {
                self.kinds[usize::from(*number)].copies[0] += 1;
            }
            *place = *number;
        }
        self.n_in_hypothesis = n_kinds;
        let mut bit = 1;
        for (&word, place) in reference.iter().zip(&mut self.reference) {
            let number = &mut self.numbers[word as usize];
            if *number == 0 {
                n_kinds += 1;
                *number = n_kinds as u8;
                self.kinds[n_kinds] = Kind { word, copies: [0, 1], places: bit };
            } else {
                let kind = &mut self.kinds[usize::from(*number)];
                kind.copies[1] += 1;
                kind.places |= bit;
            }
            bit <<= 1;
            *place = *number;
        }
        self.n_kinds = n_kinds;
        true
    }

    /// Lists the words that either side has more often than the other, once each.
    pub(in crate::meteor) fn leftovers(&self, hypothesis: &mut Vec<u32>, reference: &mut Vec<u32>) {
        hypothesis.clear();
        reference.clear();
        let (ours, theirs) = self.kinds[1..=self.n_kinds].split_at(self.n_in_hypothesis);
        for kind in ours {
            let [in_hypothesis, in_reference] = kind.copies;
            if in_hypothesis > in_reference {
                hypothesis.push(kind.word);
            } else if in_hypothesis < in_reference {
                reference.push(kind.word);
            }
        }
        reference.extend(theirs.iter().map(|kind| kind.word));
    }

    /// Counts what [`Aligner::align`](super::Aligner::align) would find for the texts read last and
    /// these relations of leftover words, with at most `nodes` search nodes. `None` if that needs the aligner.
    pub(in crate::meteor) fn count(
        &mut self,
        relations: &[Relation],
        nodes: u64,
    ) -> Option<Counted> {
        let mut matches = [0; 4];
        for at in 1..=self.n_in_hypothesis {
            let Kind { copies: [ours, theirs], places, .. } = self.kinds[at];
            matches[0] += u32::from(ours.min(theirs));
            let is_unique = u8::from((ours == 1) & (theirs == 1));
            let name = if theirs == 0 { 0 } else { at as u8 };
            self.classes[at] = Class { places, copies: theirs, is_unique, name };
        }
        // Words of the reference alone: nothing asks for their places.
        self.classes[self.n_in_hypothesis + 1..=self.n_kinds].fill(Class::default());
        let mut related = 0_u128;
        for relation in relations {
            let (h, r) = (self.kind_of(relation.hypothesis), self.kind_of(relation.reference));
            let bit = |kind: usize| 1_u128.checked_shl((kind as u32).wrapping_sub(1));
            let both = bit(h)? | bit(r)?;
            if related & both != 0 {
                return None;
            }
            related |= both;
            let stage = relation.stage.clamp(1, 3);
            matches[usize::from(stage)] += self.join(h, r)?;
        }
        let n_matches: u32 = matches.iter().sum();
        let certain = self.list_duos()?;
        let chosen = match self.duos.len() {
            0 => 0,
            _ => self.solve(nodes)?,
        };
        Some(Counted { matches, chunks: n_matches - certain - chosen })
    }

    /// The kind of a word of the texts.
    fn kind_of(&self, word: u32) -> usize {
        self.numbers.get(word as usize).copied().map_or(0, usize::from)
    }

    /// Makes one class of two kinds that only a relation between them joins, if any match of their
    /// words is part of a best one ([`super::stages`] says when). Returns the matches it adds.
    fn join(&mut self, h: usize, r: usize) -> Option<u32> {
        let (ours, theirs) = (self.kinds[h], self.kinds[r]);
        let more_h = ours.copies[0].checked_sub(ours.copies[1])?;
        let more_r = theirs.copies[1].checked_sub(theirs.copies[0])?;
        // Copies of the first word in the reference, and of the second in the hypothesis, match only themselves.
        let (twins_of_h, twins_of_r) = (ours.copies[1] > 0, theirs.copies[0] > 0);
        let is_free = match more_h.cmp(&more_r) {
            std::cmp::Ordering::Less => !twins_of_h,
            std::cmp::Ordering::Equal => !(twins_of_h && twins_of_r),
            std::cmp::Ordering::Greater => !twins_of_r,
        };
        if !is_free || more_h == 0 || more_r == 0 {
            return None;
        }
        let copies = ours.copies[1] + theirs.copies[1];
        let is_unique = u8::from(copies == 1 && ours.copies[0] + theirs.copies[0] == 1);
        let class =
            Class { places: ours.places | theirs.places, copies, is_unique, name: h.min(r) as u8 };
        self.classes[h] = class;
        self.classes[r] = class;
        Some(u32::from(more_h.min(more_r)))
    }

    /// Counts the duos that conflict with none and lists the others, unless the aligner would not
    /// list them at once.
    fn list_duos(&mut self) -> Option<u32> {
        self.duos.clear();
        let hypothesis = self.hypothesis.get(..self.lengths.0)?;
        let Some((&first, behind)) = hypothesis.split_first() else { return Some(0) };
        // The duos of every two neighbours, with none before the first and behind the last.
        let mut rows = [0_u64; WORDS + 1];
        let (mut any, mut several, mut effort) = (0, 0, 0);
        let mut class = self.classes[usize::from(first)];
        for (row, &next) in rows[1..].iter_mut().zip(behind) {
            let next = self.classes[usize::from(next)];
            let duos = class.places & next.places >> 1;
            *row = duos;
            several |= any & duos;
            any |= duos;
            effort += u64::from(class.copies.min(next.copies) - (class.is_unique & next.is_unique));
            class = next;
        }
        if effort > LISTED {
            return None;
        }
        let mut certain = 0;
        for (i, three) in rows[..=self.lengths.0].windows(3).enumerate() {
            let &[before, row, after] = three else { continue };
            if row == 0 {
                continue;
            }
            // Other duos in this row, in this column or its neighbours, and in the neighbouring rows, except on
            // its diagonal.
            let (left, right) = (row >> 1, row << 1);
            let conflicts = row & (row - 1)
                | (left | row | right) & several
                | before ^ (any & left)
                | after ^ (any & right);
            if conflicts == 0 {
                certain += 1;
                continue;
            }
            let mut columns = row;
            while columns != 0 {
                self.duos.push(Duo { i: i as u32, j: columns.trailing_zeros() });
                columns &= columns - 1;
            }
        }
        Some(certain)
    }

    /// The size of the largest conflict-free set of the listed duos, found as [`super::exact`] does.
    fn solve(&mut self, nodes: u64) -> Option<u32> {
        let all = u64::MAX.checked_shr(64 - self.duos.len() as u32)?;
        small::link(&mut self.mis64, &self.duos);
        if let Some(chosen) = self.mis64.solve_without_search(all) {
            return Some(chosen.count_ones());
        }
        if self.is_turned() {
            for duo in &mut self.duos {
                *duo = duo.turned();
            }
            self.duos.sort_unstable();
            small::link(&mut self.mis64, &self.duos);
        }
        let solved = self.mis64.solve(all, nodes);
        let count = solved.chosen.count_ones();
        (solved.bound == count).then_some(count)
    }

    /// Whether the search should see the sides exchanged: what `ClassAligner::is_turned` says.
    fn is_turned(&self) -> bool {
        let (m, n) = self.lengths;
        if m != n {
            return m > n;
        }
        let mut numbers = [[0_u32; KINDS]; 2];
        let mut counts = [0; 2];
        let (hypothesis, reference) = (&self.hypothesis[..m], &self.reference[..n]);
        let order = hypothesis.iter().chain(reference);
        let turned = reference.iter().chain(hypothesis);
        for (&here, &there) in order.zip(turned) {
            let mut labels = [NONE; 2];
            for (way, kind) in [here, there].into_iter().enumerate() {
                let name = usize::from(self.classes[usize::from(kind)].name);
                if name != 0 {
                    let number = &mut numbers[way][name];
                    if *number == 0 {
                        counts[way] += 1;
                        *number = counts[way];
                    }
                    labels[way] = *number;
                }
            }
            if labels[0] != labels[1] {
                return labels[1] < labels[0];
            }
        }
        false
    }
}
