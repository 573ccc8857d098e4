//! Compiles sets of words to a table.

use super::{About, CHECKSUM, HEADER, MAGIC, checksum};
use crate::error::{Error, ErrorKind, Result};
use crate::language::Language;
use crate::lexicon::snowball3::Stemmer;
use rustc_hash::FxHashMap;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// No word of a language is longer, in bytes.
const LONGEST_WORD: usize = 200;
/// More words in sets than any table has; a bound for the memory that a hostile file can take.
const MOST_LINKS: usize = 20_000_000;

/// Collects sets of words with one meaning.
///
/// Words are composed (NFC) and lower-cased. What can match no token is left out: names of several words, words
/// above 200 bytes, and sets with fewer than two words. Sets with the same words are one.
#[derive(Debug)]
pub struct Compiler {
    language: &'static Language,
    numbers: FxHashMap<String, u32>,
    words: Vec<String>,
    sets: Vec<Vec<u32>>,
    n_links: usize,
}

impl Compiler {
    /// A compiler without sets.
    pub fn new(language: &'static Language) -> Self {
        let (numbers, words, sets) = (FxHashMap::default(), Vec::new(), Vec::new());
        Compiler { language, numbers, words, sets, n_links: 0 }
    }

    /// Adds a set.
    pub fn add<'a>(&mut self, members: impl IntoIterator<Item = &'a str>) -> Result<()> {
        let mut set = Vec::new();
        for member in members {
            let word = member.trim();
            let is_one =
                !word.is_empty() && !word.contains(|c: char| c == '_' || c.is_whitespace());
            if is_one && word.len() <= LONGEST_WORD {
                set.push((self.number(fold(word, self.language)), set.len()));
            }
        }
        // Each word once, where it stands first.
        set.sort_unstable();
        set.dedup_by_key(|(word, _)| *word);
        set.sort_unstable_by_key(|&(_, at)| at);
        let set: Vec<u32> = set.into_iter().map(|(word, _)| word).collect();
        if set.len() > 1 {
            self.n_links += set.len();
            self.sets.push(set);
        }
        if self.n_links > MOST_LINKS {
            let message = format!("the sets have more than {MOST_LINKS} words together");
            return Err(Error::new(ErrorKind::InvalidTable, message));
        }
        Ok(())
    }

    fn number(&mut self, word: String) -> u32 {
        if let Some(&number) = self.numbers.get(&word) {
            return number;
        }
        let number = self.words.len() as u32;
        self.words.push(word.clone());
        self.numbers.insert(word, number);
        number
    }

    /// Whether there are no sets.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The compiled table. `digest` is the SHA-256 of bytes.
    pub fn finish(self, about: &About, digest: impl FnOnce(&[u8]) -> [u8; 32]) -> Result<Vec<u8>> {
        let (words, sets) = self.sorted();
        assemble(&words, &sets, self.language, &self.about(about), digest)
    }

    /// The words of sets in order, and the sets in order, without those that come again.
    fn sorted(&self) -> (Vec<&str>, Vec<Vec<u32>>) {
        let mut order: Vec<u32> = (0..self.words.len() as u32).collect();
        let word = |number: u32| self.words.get(number as usize).map_or("", String::as_str);
        let mut is_used = vec![false; self.words.len()];
        for &number in self.sets.iter().flatten() {
            is_used[number as usize] = true;
        }
        order.retain(|&number| is_used[number as usize]);
        order.sort_unstable_by_key(|&number| word(number));
        let mut renumbered = vec![0; self.words.len()];
        for (&number, new) in order.iter().zip(0u32..) {
            renumbered[number as usize] = new;
        }
        let mut sets: Vec<(Vec<u32>, Vec<u32>)> = Vec::with_capacity(self.sets.len());
        for set in &self.sets {
            let set: Vec<u32> = set.iter().map(|&number| renumbered[number as usize]).collect();
            let mut sorted = set.clone();
            sorted.sort_unstable();
            sets.push((sorted, set));
        }
        // By the words alone: of equal sets the first in the source stays.
        sets.sort_by(|a, b| a.0.cmp(&b.0));
        sets.dedup_by(|a, b| a.0 == b.0);
        let sets = sets.into_iter().map(|(_, set)| set).collect();
        (order.iter().map(|&number| word(number)).collect(), sets)
    }

    fn about(&self, about: &About) -> String {
        // A line for each, so that no text can pass for the next.
        let line = |text: &str| {
            let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            text.trim().chars().take(200).collect::<String>()
        };
        let Language { code, stems, .. } = self.language;
        let [origin, source, licence, version] =
            [&about.origin, &about.source, &about.licence, &about.version].map(|t| line(t));
        let text = format!("{code}\n{}\n{origin}\n{source}\n{licence}", stems.unwrap_or_default());
        if version.is_empty() { text } else { format!("{text}\n{version}") }
    }
}

/// Lays out sorted words and sorted sets of their numbers.
pub(super) fn assemble(
    words: &[&str],
    sets: &[Vec<u32>],
    language: &Language,
    about: &str,
    digest: impl FnOnce(&[u8]) -> [u8; 32],
) -> Result<Vec<u8>> {
    let stems = stems(words, language);
    // The sets of all words in one list, and where those of each word begin.
    let mut starts = vec![0usize; words.len() + 1];
    for &word in sets.iter().flatten() {
        if let Some(n) = starts.get_mut(word as usize + 1) {
            *n += 1;
        }
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let (mut next, mut memberships) = (starts.clone(), vec![0u32; starts[words.len()]]);
    for (set, number) in sets.iter().zip(0..) {
        for &word in set {
            if let Some(at) = next.get_mut(word as usize)
                && let Some(place) = memberships.get_mut(*at)
            {
                *place = number;
                *at += 1;
            }
        }
    }
    let sets_of_words = starts.windows(2).map(|w| memberships.get(w[0]..w[1]).unwrap_or_default());
    let stem_texts: Vec<&str> = stems.iter().map(|(stem, _)| stem.as_str()).collect();
    let mut body = Vec::new();
    let n_word_text = push_texts(&mut body, words)?;
    let n_stem_text = push_texts(&mut body, &stem_texts)?;
    let n_links = push_lists(&mut body, sets_of_words)?;
    push_lists(&mut body, stems.iter().map(|(_, words)| words.as_slice()))?;
    push_lists(&mut body, sets.iter().map(Vec::as_slice))?;
    let digest = digest(&body);
    body.extend_from_slice(about.as_bytes());

    let mut out = Vec::with_capacity(HEADER + body.len());
    out.extend_from_slice(MAGIC);
    let counts = [words.len(), stems.len(), sets.len(), n_word_text, n_stem_text, n_links];
    for count in counts.into_iter().chain([about.len()]) {
        out.extend_from_slice(&small(count)?.to_le_bytes());
    }
    out.extend_from_slice(&[0; 8]);
    out.extend_from_slice(&digest);
    out.extend_from_slice(&body);
    let sum = checksum(&out).to_le_bytes();
    out[CHECKSUM..CHECKSUM + 8].copy_from_slice(&sum);
    Ok(out)
}

/// A word as tables have it: composed and in lower case.
pub(super) fn fold(word: &str, language: &Language) -> String {
    let lower = |c: char| match c {
        'I' if language.dots_its_i() => 'ı',
        'İ' if language.dots_its_i() => 'i',
        c => c,
    };
    let word: String = word.chars().map(lower).collect::<String>().to_lowercase();
    match is_nfc_quick(word.chars()) {
        IsNormalized::Yes => word,
        _ => word.nfc().collect(),
    }
}

/// The stems of sorted words in order, each with its words.
fn stems(words: &[&str], language: &Language) -> Vec<(String, Vec<u32>)> {
    let Some(stemmer) = Stemmer::of(language.code) else { return Vec::new() };
    let mut pairs = Vec::with_capacity(words.len());
    for (word, number) in words.iter().zip(0u32..) {
        let mut stem = String::new();
        stemmer.stem(word, &mut stem);
        pairs.push((stem, number));
    }
    pairs.sort_unstable();
    let mut stems: Vec<(String, Vec<u32>)> = Vec::new();
    for (stem, word) in pairs {
        match stems.last_mut() {
            Some((last, words)) if *last == stem => words.push(word),
            _ => stems.push((stem, vec![word])),
        }
    }
    stems
}

/// Where each text ends, then all of them. Returns their length.
fn push_texts(out: &mut Vec<u8>, texts: &[&str]) -> Result<usize> {
    let mut end = 0;
    for text in texts {
        end += text.len();
        out.extend_from_slice(&small(end)?.to_le_bytes());
    }
    for text in texts {
        out.extend_from_slice(text.as_bytes());
    }
    Ok(end)
}

/// Where each list ends, then all of them. Returns the number of their items.
fn push_lists<'a>(
    out: &mut Vec<u8>,
    lists: impl Iterator<Item = &'a [u32]> + Clone,
) -> Result<usize> {
    let mut end = 0;
    for list in lists.clone() {
        end += list.len();
        out.extend_from_slice(&small(end)?.to_le_bytes());
    }
    for item in lists.flatten() {
        out.extend_from_slice(&item.to_le_bytes());
    }
    Ok(end)
}

/// A number of the format, which has 32 bits.
fn small(number: usize) -> Result<u32> {
    let message = "the table is larger than 4 GB";
    u32::try_from(number).map_err(|_| Error::new(ErrorKind::InvalidTable, message))
}
