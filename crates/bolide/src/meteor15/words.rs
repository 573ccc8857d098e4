//! The words that one worker has seen: each is looked up, stemmed and classified once.
//!
//! A word becomes a number, and every later look-up is an array access. Memory is bounded: when there are too
//! many words, all are forgotten between two segments.

use super::java;
use super::paraphrase::{NO_WORD, Node, View, WordId};
use super::pipeline::Pipeline;
use crate::text::vocabulary::Vocabulary;
use rustc_hash::FxHashMap;

/// The number of words, and of their bytes, at which all are forgotten.
const LIMIT: usize = 1 << 17;
const BYTES: usize = 1 << 22;

/// A word of this worker.
pub(super) type Id = u32;

/// The properties of a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    /// The number of the jar's hash, which `exact` compares.
    pub(super) key: u32,
    /// The number of the stem's hash.
    pub(super) stem: u32,
    /// Length in UTF-16 units.
    pub(super) length: u32,
    pub(super) is_function: bool,
    /// The range of its synsets.
    synsets: (u32, u32),
    /// Its number in the paraphrase table.
    pub(super) phrase_word: WordId,
    /// The phrase that consists of this word.
    pub(super) phrase: Node,
}

/// All words seen.
#[derive(Debug, Default)]
pub(super) struct Words {
    vocabulary: Vocabulary,
    /// By their numbers in the vocabulary.
    words: Vec<Word>,
    /// Numbers of synsets.
    synsets: Vec<u32>,
    /// Numbers of the hashes and synsets, in order of appearance, so that they can be indices.
    keys: Numbers,
    stems: Numbers,
    synset_numbers: Numbers,
    stem: String,
    found: Vec<u32>,
}

/// Small numbers for numbers of any size.
#[derive(Debug, Default)]
struct Numbers {
    known: FxHashMap<u32, u32>,
}

impl Numbers {
    fn of(&mut self, number: u32) -> u32 {
        let next = self.known.len() as u32;
        *self.known.entry(number).or_insert(next)
    }
}

impl Words {
    /// Forgets everything if there is too much. Earlier numbers are then invalid.
    pub(super) fn make_room(&mut self) {
        if self.words.len() > LIMIT || self.vocabulary.text_len() > BYTES {
            self.clear();
        }
    }

    pub(super) fn clear(&mut self) {
        self.vocabulary.clear();
        self.words.clear();
        self.synsets.clear();
        for numbers in [&mut self.keys, &mut self.stems, &mut self.synset_numbers] {
            numbers.known.clear();
        }
    }

    pub(super) fn get(&self, id: Id) -> &Word {
        &self.words[id as usize]
    }

    /// The number of distinct keys, stems and synsets.
    pub(super) fn counts(&self) -> [usize; 3] {
        [&self.keys, &self.stems, &self.synset_numbers].map(|numbers| numbers.known.len())
    }

    pub(super) fn synsets(&self, word: &Word) -> &[u32] {
        &self.synsets[word.synsets.0 as usize..word.synsets.1 as usize]
    }

    /// The number of the word at bytes `start..end` of a text. A new word is looked up.
    #[inline]
    pub(super) fn id(
        &mut self,
        text: &str,
        start: u32,
        end: u32,
        pipeline: &Pipeline,
        table: Option<&View<'_>>,
    ) -> Id {
        let id = self.vocabulary.intern_in(text.as_bytes(), start as usize, end as usize);
        if id as usize == self.words.len() {
            self.look_up(id, pipeline, table);
        }
        id
    }

    #[cold]
    fn look_up(&mut self, id: Id, pipeline: &Pipeline, table: Option<&View<'_>>) {
        let word = self.vocabulary.word(id);
        let key = java::hash(word);
        let stem = pipeline.stems.hash(word, key, &mut self.stem);
        let first = self.synsets.len() as u32;
        pipeline.synonyms.synsets(word, &mut self.found);
        let numbers = &mut self.synset_numbers;
        self.synsets.extend(self.found.iter().map(|&synset| numbers.of(synset)));
        let (phrase_word, phrase) = table.map_or((NO_WORD, 0), |table| table.word(word));
        self.words.push(Word {
            key: self.keys.of(key as u32),
            stem: self.stems.of(stem as u32),
            length: word.encode_utf16().count() as u32,
            is_function: pipeline.function_words.contains(word),
            synsets: (first, self.synsets.len() as u32),
            phrase_word,
            phrase,
        });
    }
}
