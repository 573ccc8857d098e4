//! What is known about words, looked up once per distinct word.
//!
//! Each spelling of a word has a number; its *key*, the word in lower case, has another number. The cache
//! belongs to one worker and holds nothing that depends on the metric's parameters.

use super::similarity;
use super::tokens::is_punctuation;
use crate::lexicon::Thesaurus;
use crate::meteor::words::{Entry, SynsetKind, Words as Lookup};
use crate::text::Tokens;
use crate::text::case;

/// A word as the matchers see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The number of its key.
    pub key: u32,
    /// The number of characters of its key.
    pub len: u32,
    /// The characters of its key as a set.
    pub set: u64,
    pub is_punctuation: bool,
    start: u32,
}

/// The word cache of one worker.
#[derive(Default)]
pub(super) struct Words {
    lookup: Lookup,
    known: Vec<Option<Known>>,
    characters: Vec<char>,
    buffer: String,
}

impl Words {
    /// Clears the cache if it has grown too large. Call it only between segments.
    pub fn make_room(&mut self) {
        if self.lookup.make_room() {
            self.known.clear();
            self.characters.clear();
        }
    }

    /// Replaces `numbers` with those of the tokens.
    pub fn number(&mut self, tokens: &mut Tokens, numbers: &mut Vec<u32>) {
        numbers.clear();
        self.lookup.number_tokens(tokens, numbers);
    }

    /// The number of one word.
    #[cfg(test)]
    pub fn intern(&mut self, word: &str) -> u32 {
        self.lookup.intern(word)
    }

    /// How many numbers have been assigned.
    pub fn len(&self) -> usize {
        self.lookup.len()
    }

    /// The word of a number.
    pub fn word(&self, id: u32) -> &str {
        self.lookup.word(id)
    }

    /// What is known about a word.
    #[inline]
    pub fn known(&mut self, id: u32) -> Known {
        match self.known.get(id as usize) {
            Some(&Some(known)) => known,
            _ => self.look_at(id),
        }
    }

    #[cold]
    fn look_at(&mut self, id: u32) -> Known {
        let word = self.lookup.word(id);
        let is_punctuation = is_punctuation(word);
        let key = case::lower(word, &mut self.buffer).to_owned();
        let start = self.characters.len();
        self.characters.extend(key.chars());
        let characters = &self.characters[start..];
        let known = Known {
            key: self.lookup.intern(&key),
            len: characters.len() as u32,
            set: similarity::set_of(characters),
            is_punctuation,
            start: start as u32,
        };
        let idx = id as usize;
        if idx >= self.known.len() {
            self.known.resize(self.lookup.len().max(idx + 1), None);
        }
        self.known[idx] = Some(known);
        known
    }

    /// The characters of a word's key.
    pub fn characters(&self, known: Known) -> &[char] {
        let start = known.start as usize;
        self.characters.get(start..start + known.len as usize).unwrap_or_default()
    }

    /// The synsets of a key.
    pub fn synsets(&mut self, key: u32, lexicon: &Thesaurus) -> Entry {
        self.lookup.entry(key, SynsetKind::Reached, lexicon)
    }

    /// The numbers of the synsets of an entry.
    pub fn members(&self, entry: Entry) -> &[u32] {
        self.lookup.slice(entry)
    }

    /// The first synset that two keys share, for explanations.
    pub fn shared_synset(&mut self, a: u32, b: u32, lexicon: &Thesaurus) -> Option<u32> {
        self.lookup.shared_synset((a, SynsetKind::Reached), (b, SynsetKind::Reached), lexicon)
    }
}
