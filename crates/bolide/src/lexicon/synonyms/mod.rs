//! Tables of synonyms for languages other than English: sets of words with one meaning, in one compact file.
//!
//! A compiled table is a flat sequence of little-endian numbers that is used in place, mapped into memory or
//! not: the sorted words, their sorted stems, for each word its sets, for each stem its words, and for each set
//! its words. [`Compiler`] builds it. Opening reads only the header; [`SynonymTable::verify`] reads everything. A
//! damaged file can only cause an error or lose matches, because every access is checked.

#[cfg(feature = "synonyms")]
mod builtin;
mod compile;
mod packed;

#[cfg(feature = "synonyms")]
pub(crate) use builtin::builtin;
pub use compile::Compiler;
pub use packed::{pack, unpack};

use super::snowball3::Stemmer;
use crate::error::{Error, ErrorKind, Result};
use crate::language::{self, Language};
use crate::meteor15::paraphrase::sum;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// What tables are compiled from, as signatures name it. Where a language has several tables, the first is its
/// default. The last are inside the program.
pub const ORIGINS: [&str; 4] = ["omw", "wn", "mythes", BUILTIN];
/// The origin of the tables of the crate `bolide-synonyms`.
pub const BUILTIN: &str = "builtin";

const MAGIC: &[u8; 8] = b"BLDSYNO1";
/// Magic, seven counts, checksum, digest of the content.
const HEADER: usize = CHECKSUM + 8 + 32;
const CHECKSUM: usize = 8 + 7 * 4;

/// What a table was compiled from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// One of [`ORIGINS`].
    pub origin: String,
    /// The name of the work and its version, as its file has it.
    pub source: String,
    /// Its licence, as its file has it.
    pub licence: String,
    /// Its version, if names are to have it: that of a table inside the program.
    pub version: String,
}

/// A table and its bytes. Cloning is cheap.
#[derive(Clone)]
pub struct SynonymTable {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    layout: Arc<Layout>,
    about: Arc<About>,
    language: &'static Language,
    stemmer: Option<Stemmer>,
}

/// The numbers of a header, and where the sections are that follow from them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout {
    n_words: usize,
    n_stems: usize,
    n_sets: usize,
    word_ends: Range<usize>,
    word_text: Range<usize>,
    stem_ends: Range<usize>,
    stem_text: Range<usize>,
    sets_of_words: Lists,
    words_of_stems: Lists,
    words_of_sets: Lists,
    about: Range<usize>,
}

/// Lists of numbers: where each ends, then all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lists {
    ends: Range<usize>,
    items: Range<usize>,
}

impl Layout {
    fn read(data: &[u8]) -> Option<Layout> {
        let count = |at: usize| number(data, &(8..CHECKSUM), at).map(|n| n as usize);
        let (n_words, n_stems, n_sets) = (count(0)?, count(1)?, count(2)?);
        let mut end = HEADER;
        let mut section = |size: usize, of: usize| {
            let start = end;
            end = end.checked_add(size.checked_mul(of)?)?;
            Some(start..end)
        };
        let word_ends = section(n_words, 4)?;
        let word_text = section(count(3)?, 1)?;
        let stem_ends = section(n_stems, 4)?;
        let stem_text = section(count(4)?, 1)?;
        let n_links = count(5)?;
        let n_stemmed = if n_stems == 0 { 0 } else { n_words };
        let mut lists = |n: usize, n_items: usize| {
            Some(Lists { ends: section(n, 4)?, items: section(n_items, 4)? })
        };
        let sets_of_words = lists(n_words, n_links)?;
        let words_of_stems = lists(n_stems, n_stemmed)?;
        let words_of_sets = lists(n_sets, n_links)?;
        let about = section(count(6)?, 1)?;
        (end == data.len()).then_some(Layout {
            n_words,
            n_stems,
            n_sets,
            word_ends,
            word_text,
            stem_ends,
            stem_text,
            sets_of_words,
            words_of_stems,
            words_of_sets,
            about,
        })
    }
}

fn invalid(problem: &str) -> Error {
    Error::new(ErrorKind::InvalidTable, format!("the table of synonyms {problem}"))
}

impl SynonymTable {
    /// Opens a compiled table. Reads only the header and checks that the size fits it.
    pub fn open(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<Self> {
        let data = (*bytes).as_ref();
        if data.get(..8) != Some(MAGIC) {
            return Err(invalid("was not compiled by bolide, or by another version"));
        }
        let layout = Layout::read(data)
            .ok_or_else(|| invalid("is damaged: its size is not what its header says"))?;
        let about = data.get(layout.about.clone()).unwrap_or_default();
        let about = str::from_utf8(about).map_err(|_| invalid("is damaged: it is not UTF-8"))?;
        let mut fields = about.split('\n');
        let mut field = || fields.next().unwrap_or_default().to_owned();
        let (code, stems) = (field(), field());
        let about = About { origin: field(), source: field(), licence: field(), version: field() };
        let language = language::find(&code)?;
        if stems != language.stems.unwrap_or_default() {
            return Err(invalid("was compiled for another revision of the stemmer"));
        }
        let stemmer = Stemmer::of(language.code);
        let (layout, about) = (Arc::new(layout), Arc::new(about));
        Ok(SynonymTable { layout, about, language, stemmer, bytes })
    }

    /// Opens a table in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        Self::open(Arc::new(bytes))
    }

    /// Reads the whole table and verifies its checksum.
    pub fn verify(&self) -> Result<()> {
        let data = self.data();
        let expected = data.get(CHECKSUM..).and_then(<[u8]>::first_chunk).copied();
        if expected.map(u64::from_le_bytes) == Some(checksum(data)) {
            return Ok(());
        }
        Err(invalid("is damaged: its checksum does not fit its content"))
    }

    fn data(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// The language that it was compiled for.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// What it was compiled from.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The number of sets.
    pub fn len(&self) -> usize {
        self.layout.n_sets
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of different words.
    pub fn n_words(&self) -> usize {
        self.layout.n_words
    }

    /// The first eight hexadecimal digits of the SHA-256 of its words and sets.
    pub fn id(&self) -> String {
        let digest = self.data().get(HEADER - 32..HEADER - 28).unwrap_or_default();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Origin, language, version if it has one, and identity, as signatures name it: `omw-ja-1a2b3c4d`.
    pub fn name(&self) -> String {
        let About { origin, version, .. } = &*self.about;
        let code = self.language.code;
        match version.as_str() {
            "" => format!("{origin}-{code}-{}", self.id()),
            version => format!("{origin}-{code}-{version}-{}", self.id()),
        }
    }

    /// Sets `out` to the numbers of a word's sets, in ascending order.
    ///
    /// The word is lower-cased. A word that the table has counts by its own sets; any other by those of all words
    /// with its stem, if the language has stems.
    pub fn sets(&self, word: &str, out: &mut Vec<u32>) {
        out.clear();
        let word = compile::fold(word, self.language);
        let Layout { word_ends, word_text, stem_ends, stem_text, .. } = &*self.layout;
        if let Some(word) = self.find((word_ends, word_text), &word) {
            out.extend(self.list(&self.layout.sets_of_words, word));
        } else if let Some(stemmer) = self.stemmer {
            let mut stem = String::new();
            stemmer.stem(&word, &mut stem);
            if let Some(stem) = self.find((stem_ends, stem_text), &stem) {
                for word in self.list(&self.layout.words_of_stems, stem) {
                    out.extend(self.list(&self.layout.sets_of_words, word as usize));
                }
            }
        }
        out.sort_unstable();
        out.dedup();
    }

    /// The words of a set, in the order of the source.
    pub fn words(&self, set: u32) -> impl Iterator<Item = &str> {
        let text = (&self.layout.word_ends, &self.layout.word_text);
        self.list(&self.layout.words_of_sets, set as usize)
            .map(move |word| self.text(text, word as usize))
    }

    fn number(&self, section: &Range<usize>, at: usize) -> Option<u32> {
        number(self.data(), section, at)
    }

    /// What a list that ends where its numbers say begins and ends at.
    fn span(&self, ends: &Range<usize>, at: usize) -> Range<usize> {
        let start = at.checked_sub(1).map_or(Some(0), |before| self.number(ends, before));
        let end = self.number(ends, at);
        start.unwrap_or(0) as usize..end.unwrap_or(0) as usize
    }

    fn list(&self, lists: &Lists, at: usize) -> impl Iterator<Item = u32> {
        self.span(&lists.ends, at).map_while(move |item| self.number(&lists.items, item))
    }

    fn text(&self, (ends, text): (&Range<usize>, &Range<usize>), at: usize) -> &str {
        let text = self.data().get(text.clone()).unwrap_or_default();
        let word = text.get(self.span(ends, at)).unwrap_or_default();
        str::from_utf8(word).unwrap_or_default()
    }

    /// The place of a text in a sorted list of texts.
    fn find(&self, list: (&Range<usize>, &Range<usize>), text: &str) -> Option<usize> {
        let (mut low, mut high) = (0, list.0.len() / 4);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.text(list, middle).cmp(text) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

/// A number of a section, if the section has it.
fn number(data: &[u8], section: &Range<usize>, at: usize) -> Option<u32> {
    let section = data.get(section.clone())?;
    section.get(at.checked_mul(4)?..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

/// A 64-bit checksum of a table, over everything except the checksum itself.
fn checksum(table: &[u8]) -> u64 {
    let (head, body) = (table.get(..CHECKSUM), table.get(CHECKSUM + 8..));
    sum(head.unwrap_or_default()) ^ sum(body.unwrap_or_default()).rotate_left(1)
}

impl fmt::Debug for SynonymTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SynonymTable").field("name", &self.name()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about() -> About {
        let [origin, source, licence] = ["omw", "Made up 1.0", "none"].map(str::to_owned);
        About { origin, source, licence, ..About::default() }
    }

    fn table(code: &str, sets: &[&[&str]]) -> Vec<u8> {
        let mut compiler = Compiler::new(language::find(code).unwrap());
        for set in sets {
            compiler.add(set.iter().copied()).unwrap();
        }
        compiler.finish(&about(), |bytes| [bytes.len() as u8; 32]).unwrap()
    }

    fn sets(table: &SynonymTable, word: &str) -> Vec<Vec<String>> {
        let mut out = vec![7];
        table.sets(word, &mut out);
        out.iter().map(|&set| table.words(set).map(str::to_owned).collect()).collect()
    }

    #[test]
    fn words_are_found_as_they_are_and_else_by_their_stem() {
        let bytes =
            table("de", &[&["Haus", "Gebäude"], &["Häuschen", "Hütte"], &["gehen", "laufen"]]);
        let table = SynonymTable::from_bytes(bytes).unwrap();
        table.verify().unwrap();
        assert_eq!(table.name(), format!("omw-de-{}", table.id()));
        assert_eq!((table.len(), table.n_words()), (3, 6));
        assert_eq!(sets(&table, "HAUS"), [["haus", "gebäude"]]);
        assert_eq!(sets(&table, "Hauses"), [["haus", "gebäude"]]);
        assert_eq!(sets(&table, "gebäuden"), [["haus", "gebäude"]]);
        assert_eq!(sets(&table, "gehe"), [["gehen", "laufen"]]);
        assert_eq!(sets(&table, "katze"), Vec::<Vec<String>>::new());
    }

    #[test]
    fn what_cannot_match_is_left_out() {
        let long = "x".repeat(300);
        let bytes = table(
            "ja",
            &[
                &["猫", "ねこ", "家 猫", "家_猫", "", &long],
                &["犬"],
                &["犬", "犬"],
                &["ねこ", "猫"],
                &["ねこ", "猫", "カ\u{3099}ット"],
            ],
        );
        let table = SynonymTable::from_bytes(bytes).unwrap();
        // The second set of the same words is the first one again.
        assert_eq!(sets(&table, "猫"), [&["ねこ", "猫", "ガット"][..], &["猫", "ねこ"][..]]);
        assert_eq!(table.len(), 2);
        assert_eq!(sets(&table, "犬"), Vec::<Vec<String>>::new());
        // A letter with a mark is one letter.
        for word in ["ガット", "カ\u{3099}ット"] {
            assert_eq!(sets(&table, word), [["ねこ", "猫", "ガット"]]);
        }
    }

    #[test]
    fn the_order_of_the_sets_does_not_matter() {
        let a = table("de", &[&["b", "a"], &["c", "d"]]);
        assert_eq!(a, table("de", &[&["c", "d"], &["b", "a"], &["a", "b"]]));
    }

    #[test]
    fn damage_is_found_and_never_panics() {
        let bytes = table("de", &[&["Haus", "Gebäude"], &["gehen", "laufen", "rennen"]]);
        for length in 0..bytes.len() {
            assert!(SynonymTable::from_bytes(bytes[..length].to_vec()).is_err(), "{length}");
        }
        for at in 0..bytes.len() {
            for bit in [1, 0x80] {
                let mut bad = bytes.clone();
                bad[at] ^= bit;
                let Ok(table) = SynonymTable::from_bytes(bad) else { continue };
                assert!(table.verify().is_err(), "byte {at}");
                for word in ["haus", "gebäude", "rennt", "zzz", ""] {
                    sets(&table, word);
                }
            }
        }
    }
}
