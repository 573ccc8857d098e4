//! What the synonym stage looks words up in: WordNet, or a table of another language.

use super::Lexicon;
#[cfg(feature = "languages")]
use super::synonyms::SynonymTable;
use std::sync::Arc;

/// The most words of a set that an explanation shows.
#[cfg(feature = "languages")]
const SHOWN: usize = 8;

/// A source of synonyms: sets of words, by number.
#[derive(Clone, Debug)]
pub(crate) enum Thesaurus {
    /// English.
    WordNet(Arc<Lexicon>),
    /// A table that the user imported.
    #[cfg(feature = "languages")]
    Table(SynonymTable),
}

impl Thesaurus {
    /// Sets `out` to the sets of a word and of its base forms, in ascending order.
    pub fn sets(&self, word: &str, out: &mut Vec<u32>) {
        match self {
            Thesaurus::WordNet(lexicon) => lexicon.synsets(word, out),
            #[cfg(feature = "languages")]
            Thesaurus::Table(table) => table.sets(word, out),
        }
    }

    /// Sets `out` to the sets with a member spelled like the name, which only NLTK's METEOR asks for.
    pub fn sets_named(&self, name: &str, out: &mut Vec<u32>) {
        match self {
            Thesaurus::WordNet(lexicon) => lexicon.synsets_named(name, out),
            #[cfg(feature = "languages")]
            Thesaurus::Table(_) => out.clear(),
        }
    }

    /// How far from the front two words stand in a set, and its size: the least of several shared sets is the
    /// one to show.
    pub fn distance(&self, set: u32, words: [&str; 2]) -> Option<(usize, usize)> {
        match self {
            Thesaurus::WordNet(lexicon) => lexicon.synset(set).map(|synset| synset.distance(words)),
            #[cfg(feature = "languages")]
            Thesaurus::Table(table) => Some((table.words(set).count(), set as usize)),
        }
    }

    /// A set as the reason of a match.
    pub fn reason(&self, set: u32) -> Option<String> {
        match self {
            Thesaurus::WordNet(lexicon) => {
                lexicon.synset(set).map(|synset| format!("the synset {synset}"))
            }
            #[cfg(feature = "languages")]
            Thesaurus::Table(table) => {
                let n_words = table.words(set).count();
                let shown: Vec<&str> = table.words(set).take(SHOWN).collect();
                let more = if n_words > SHOWN { ", …" } else { "" };
                Some(format!("synonyms in {}: {}{more}", table.name(), shown.join(", ")))
            }
        }
    }
}
