//! What one worker knows of the words it has seen: each is looked up, stemmed and classified once.
//!
//! A word becomes a number; everything the matchers ask is then an array access. The memory is
//! bounded: when too many words have come by, all are forgotten between two segments.

use super::engine::Engine;
use super::java;
use super::paraphrase::{NO_WORD, Node, View, WordId};
use crate::text::vocabulary::Vocabulary;

/// Words remembered before all are forgotten, and their bytes.
const LIMIT: usize = 1 << 17;
const BYTES: usize = 1 << 22;

/// A word of this worker.
pub(super) type Id = u32;

/// What is known of a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    /// The jar's hash: what `exact` compares.
    pub(super) key: i32,
    /// The hash of the stem.
    pub(super) stem: i32,
    /// Length in UTF-16 units.
    pub(super) length: u32,
    pub(super) is_function: bool,
    /// Where its synsets lie.
    synsets: (u32, u32),
    /// Its number in the paraphrase table.
    pub(super) phrase_word: WordId,
    /// The phrase that consists of it.
    pub(super) phrase: Node,
}

/// All words seen.
#[derive(Debug, Default)]
pub(super) struct Words {
    vocabulary: Vocabulary,
    /// By their numbers in the vocabulary.
    words: Vec<Word>,
    synsets: Vec<u32>,
    stem: String,
    found: Vec<u32>,
}

impl Words {
    /// Forgets everything if there is too much of it. Numbers given before are void then.
    pub(super) fn make_room(&mut self) {
        if self.words.len() > LIMIT || self.vocabulary.text_len() > BYTES {
            self.clear();
        }
    }

    pub(super) fn clear(&mut self) {
        self.vocabulary.clear();
        self.words.clear();
        self.synsets.clear();
    }

    pub(super) fn get(&self, id: Id) -> &Word {
        &self.words[id as usize]
    }

    pub(super) fn synsets(&self, word: &Word) -> &[u32] {
        &self.synsets[word.synsets.0 as usize..word.synsets.1 as usize]
    }

    /// The number of the word at bytes `start..end` of a text, which is looked up if it is new.
    #[inline]
    pub(super) fn id(
        &mut self,
        text: &str,
        start: u32,
        end: u32,
        engine: &Engine,
        table: Option<&View<'_>>,
    ) -> Id {
        let id = self.vocabulary.intern_in(text, start as usize, end as usize);
        if id as usize == self.words.len() {
            self.look_up(id, engine, table);
        }
        id
    }

    #[cold]
    fn look_up(&mut self, id: Id, engine: &Engine, table: Option<&View<'_>>) {
        let word = self.vocabulary.word(id);
        let key = java::hash(word);
        let stem = engine.stems.hash(word, key, &mut self.stem);
        let first = self.synsets.len() as u32;
        engine.synonyms.synsets(word, &mut self.found);
        self.synsets.extend_from_slice(&self.found);
        let (phrase_word, phrase) = table.map_or((NO_WORD, 0), |table| table.word(word));
        self.words.push(Word {
            key,
            stem,
            length: word.encode_utf16().count() as u32,
            is_function: engine.function_words.contains(word),
            synsets: (first, self.synsets.len() as u32),
            phrase_word,
            phrase,
        });
    }
}
