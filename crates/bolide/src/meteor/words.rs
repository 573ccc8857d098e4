//! Stems and synsets for the matchers, looked up once per distinct word.
//!
//! Each worker has its own cache. It is emptied between segments when it exceeds a bound, so memory does not
//! grow with the corpus; emptying it changes no result.

use super::Stemmer;
use crate::lexicon::{Thesaurus, first_shared, porter, snowball_english};
use crate::text::Tokens;
use crate::text::numbering::Numbering;
use crate::text::vocabulary::Vocabulary;

/// The numbers of words, bytes and synset entries at which the cache is emptied.
const MAX_WORDS: usize = 1 << 16;
const MAX_BYTES: usize = 8 << 20;
const MAX_SYNSETS: usize = 4 << 20;

const UNKNOWN: u32 = u32::MAX;
/// Means no pair of lists: no list begins at the largest number.
const NO_PAIR: u64 = u64::MAX;

/// Flags beside the number of a stem: it has no synsets of a [`SynsetKind`]. That is true of most stems, and
/// the synonym pass can skip them.
const WITHOUT: [u32; 2] = [1 << 31, 1 << 30];
/// The bits of the number. Texts are too short for more words.
const NUMBER: u32 = WITHOUT[1] - 1;

/// Which synsets of a word a dialect uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SynsetKind {
    /// All synsets reached from the word through its base forms.
    Reached = 0,
    /// The synsets that have a lemma spelled exactly like the word.
    Named = 1,
}

/// The synsets of a word: a list in the pool, with a mask of its members. Two lists whose masks share no bit
/// are disjoint, which decides nearly all comparisons without reading the lists.
///
/// Aligned so that an entry never crosses a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Entry {
    mask: [u64; MASKS],
    start: u32,
    len: u32,
}

const MASKS: usize = 3;

impl Entry {
    /// An empty entry, to collect masks in.
    pub const NOTHING: Entry = Entry { start: 0, len: 0, mask: [0; MASKS] };

    /// Whether the word has no synset.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Adds the mask of another entry to this one's.
    pub fn include(&mut self, other: Entry) {
        for (mask, more) in self.mask.iter_mut().zip(other.mask) {
            *mask |= more;
        }
    }

    /// Whether the masks allow a shared synset.
    #[inline]
    pub fn may_share(self, other: Entry) -> bool {
        self.mask.iter().zip(other.mask).fold(0, |common, (&a, b)| common | (a & b)) != 0
    }
}

const NO_ENTRY: Entry = Entry { start: UNKNOWN, len: 0, mask: [0; MASKS] };

/// The number of a stem without its flags.
#[inline]
pub(super) fn number(stem: u32) -> u32 {
    stem & NUMBER
}

/// Whether the flags allow a synset.
#[inline]
pub(super) fn may_have(kind: SynsetKind, stem: u32) -> bool {
    stem & WITHOUT[kind as usize] == 0
}

/// The word cache of one worker.
#[derive(Debug, Default)]
pub(crate) struct Words {
    vocabulary: Vocabulary,
    /// For each word, its stem with flags, or [`UNKNOWN`]. Separate from the synsets, because it is read more
    /// often and so stays in the cache.
    stems: Vec<u32>,
    /// For each word, its synsets of either [`SynsetKind`].
    synsets: Vec<[Entry; 2]>,
    pool: Vec<u32>,
    /// Pairs of synset lists that have been compared; the lowest bit tells whether they share a synset.
    compared: Vec<u64>,
    stem: String,
    list: Vec<u32>,
}

impl Words {
    /// To be called between segments: forgets everything if too much has been gathered, and says so.
    pub fn make_room(&mut self) -> bool {
        let full = self.vocabulary.len() > MAX_WORDS
            || self.vocabulary.text_len() > MAX_BYTES
            || self.pool.len() > MAX_SYNSETS;
        if full {
            *self = Words::default();
        }
        full
    }

    /// The number of a word.
    pub fn intern(&mut self, word: &str) -> u32 {
        self.vocabulary.intern(word)
    }

    /// Appends the numbers of tokens.
    pub fn number_tokens(&mut self, tokens: &mut Tokens, numbers: &mut Vec<u32>) {
        tokens.number(&mut self.vocabulary, numbers);
    }

    /// Replaces the contents of `numbers` by those of a text's words, if the text is plain.
    pub fn number(
        &mut self,
        text: &str,
        lowercase: bool,
        numbering: &mut Numbering,
        numbers: &mut Vec<u32>,
    ) -> bool {
        numbering.read(text, lowercase, &mut self.vocabulary, numbers)
    }

    /// The same for the caller's tokens.
    pub fn number_given(
        &mut self,
        tokens: &[&str],
        lowercase: bool,
        numbering: &mut Numbering,
        numbers: &mut Vec<u32>,
    ) {
        numbering.read_tokens(tokens, lowercase, &mut self.vocabulary, numbers);
    }

    /// The vocabulary, to number words with.
    pub fn vocabulary(&mut self) -> &mut Vocabulary {
        &mut self.vocabulary
    }

    /// The word of a number.
    pub fn word(&self, id: u32) -> &str {
        self.vocabulary.word(id)
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.vocabulary.len()
    }

    /// The number of the word's stem. A cache serves only one stemmer.
    #[inline]
    pub fn stem(&mut self, id: u32, stemmer: Stemmer) -> u32 {
        number(self.remarked_stem(id, stemmer, None))
    }

    /// The same with flags in its highest bits, for [`may_have`]. Equal stems have equal flags.
    #[inline]
    pub fn remarked_stem(&mut self, id: u32, stemmer: Stemmer, lexicon: Option<&Thesaurus>) -> u32 {
        match self.stems.get(id as usize) {
            Some(&stem) if stem != UNKNOWN => stem,
            _ => self.find_stem(id, stemmer, lexicon),
        }
    }

    #[cold]
    fn find_stem(&mut self, id: u32, stemmer: Stemmer, lexicon: Option<&Thesaurus>) -> u32 {
        let word = self.vocabulary.word(id);
        match stemmer {
            Stemmer::Porter => porter::stem_any_case(word, &mut self.stem),
            Stemmer::Snowball => snowball_english::stem(word, &mut self.stem),
            Stemmer::Snowball3(stemmer) => stemmer.stem(word, &mut self.stem),
        }
        let mut stem = self.vocabulary.intern(&self.stem);
        if let Some(lexicon) = lexicon {
            for kind in [SynsetKind::Reached, SynsetKind::Named] {
                let is_empty = self.entry(number(stem), kind, lexicon).is_empty();
                stem |= u32::from(is_empty) * WITHOUT[kind as usize];
            }
        }
        let idx = id as usize;
        if idx >= self.stems.len() {
            self.stems.resize(self.vocabulary.len().max(idx + 1), UNKNOWN);
        }
        self.stems[idx] = stem;
        stem
    }

    /// Whether two words share a synset.
    #[inline]
    pub fn share_synset(&mut self, a: Entry, b: Entry) -> bool {
        a.may_share(b) && self.compare(a, b)
    }

    /// Compares two lists, or looks up the result of an earlier comparison. Lists that the masks cannot
    /// separate are the long ones of frequent words, and the same pairs of these recur.
    fn compare(&mut self, a: Entry, b: Entry) -> bool {
        // No two lists begin at the same position, except empty ones, which share nothing.
        let pair = (u64::from(a.start) << 32 | u64::from(b.start)) << 1;
        let at = (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize;
        match self.compared.get(at) {
            Some(&known) if known & !1 == pair => return known & 1 == 1,
            Some(_) => {}
            None => self.compared.resize(1 << 12, NO_PAIR),
        }
        let shared = first_shared(self.slice(a), self.slice(b)).is_some();
        if let Some(known) = self.compared.get_mut(at) {
            *known = pair | u64::from(shared);
        }
        shared
    }

    /// The shared synset in which the two words stand foremost, for explanations.
    pub fn shared_synset(
        &mut self,
        (a, of_a): (u32, SynsetKind),
        (b, of_b): (u32, SynsetKind),
        lexicon: &Thesaurus,
    ) -> Option<u32> {
        let x = self.entry(a, of_a, lexicon);
        let y = self.entry(b, of_b, lexicon);
        let theirs = self.slice(y);
        let shared = self.slice(x).iter().copied().filter(|id| theirs.binary_search(id).is_ok());
        let words = [self.word(a), self.word(b)];
        shared.min_by_key(|&id| lexicon.distance(id, words))
    }

    /// The sorted members of an entry.
    pub fn slice(&self, entry: Entry) -> &[u32] {
        let start = entry.start as usize;
        self.pool.get(start..start + entry.len as usize).unwrap_or_default()
    }

    /// The synsets of a word, of one kind.
    #[inline]
    pub fn entry(&mut self, id: u32, kind: SynsetKind, lexicon: &Thesaurus) -> Entry {
        match self.synsets.get(id as usize).map(|entries| entries[kind as usize]) {
            Some(entry) if entry.start != UNKNOWN => entry,
            _ => self.look_up(id, kind, lexicon),
        }
    }

    #[cold]
    fn look_up(&mut self, id: u32, kind: SynsetKind, lexicon: &Thesaurus) -> Entry {
        let mut list = std::mem::take(&mut self.list);
        list.clear();
        let word = self.vocabulary.word(id);
        match kind {
            SynsetKind::Reached => lexicon.sets(word, &mut list),
            SynsetKind::Named => lexicon.sets_named(word, &mut list),
        }
        let mut mask = [0; MASKS];
        for &synset in &list {
            mask[synset as usize / 64 % MASKS] |= 1 << (synset % 64);
        }
        let entry = Entry { start: self.pool.len() as u32, len: list.len() as u32, mask };
        self.pool.extend_from_slice(&list);
        self.list = list;
        let idx = id as usize;
        if idx >= self.synsets.len() {
            self.synsets.resize(self.vocabulary.len().max(idx + 1), [NO_ENTRY; 2]);
        }
        self.synsets[idx][kind as usize] = entry;
        entry
    }
}
