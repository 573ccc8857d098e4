//! WordNet 3.0: the possible meanings of a word, and the words that share one.
//!
//! A [`Lexicon`] answers as NLTK's reader does (through inflected forms, all parts of speech together) and as
//! METEOR 1.5 does (its own morphology, synsets as bare file offsets). The two disagree on details, so they
//! are two functions. `meteor` decides which words match.

use super::inflection::detach;
use super::names::{Entry, NameId, Spelling};
use super::table::Table;
use crate::Result;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// The number of a synset in a [`Lexicon`]. It is not WordNet's file offset: see [`Synset::offset`].
pub type SynsetId = u32;

/// Part of speech of a synset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pos {
    /// `n`
    Noun,
    /// `v`
    Verb,
    /// `a`
    Adjective,
    /// `s`: an adjective that is a satellite of another. Look-ups treat it as an adjective.
    Satellite,
    /// `r`
    Adverb,
}

impl Pos {
    pub(super) fn from_code(code: u32) -> Option<Self> {
        [Pos::Noun, Pos::Verb, Pos::Adjective, Pos::Satellite, Pos::Adverb]
            .get(code as usize)
            .copied()
    }

    /// WordNet's letter for it.
    pub fn letter(self) -> char {
        match self {
            Pos::Noun => 'n',
            Pos::Verb => 'v',
            Pos::Adjective => 'a',
            Pos::Satellite => 's',
            Pos::Adverb => 'r',
        }
    }
}

/// Parts of speech for a look-up, where satellites count as adjectives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PosSet(u8);

impl PosSet {
    pub(super) const ALL: PosSet = PosSet(0b1111);
    const NONE: PosSet = PosSet(0);

    pub(super) const fn of(pos: Pos) -> Self {
        PosSet(match pos {
            Pos::Noun => 1,
            Pos::Verb => 2,
            Pos::Adjective | Pos::Satellite => 4,
            Pos::Adverb => 8,
        })
    }

    pub(super) const fn union(self, other: Self) -> Self {
        PosSet(self.0 | other.0)
    }

    const fn without(self, other: Self) -> Self {
        PosSet(self.0 & !other.0)
    }

    pub(super) const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) const fn contains(self, pos: Pos) -> bool {
        self.intersects(Self::of(pos))
    }
}

/// WordNet as bolide uses it: names, synsets and the lists of irregular forms.
///
/// Look-ups clear and fill the caller's `out` and allocate nothing else. Callers should cache the results for
/// frequent words: a look-up takes some hundred nanoseconds.
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// use bolide::unstable::lexicon::{Lexicon, first_shared};
/// let lexicon = Lexicon::embedded();
/// let (mut is, mut are) = (Vec::new(), Vec::new());
/// lexicon.synsets("is", &mut is);
/// lexicon.synsets("are", &mut are);
/// let shared = first_shared(&is, &are).and_then(|id| lexicon.synset(id)).unwrap();
/// assert_eq!(shared.lemmas().next().as_deref(), Some("be"));
/// # }
/// ```
#[derive(Clone)]
pub struct Lexicon {
    table: Table,
}

impl Lexicon {
    /// Opens a table that `cargo xtask wordnet` wrote, such as `bolide_data::WORDNET`.
    ///
    /// Fails if the bytes are not such a table, have another format, or are truncated or damaged.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self> {
        Ok(Lexicon { table: Table::checked(bytes.into())? })
    }

    /// The embedded WordNet.
    #[cfg(feature = "wordnet")]
    pub fn embedded() -> &'static Self {
        static EMBEDDED: std::sync::OnceLock<Lexicon> = std::sync::OnceLock::new();
        // The bytes are part of the program, and a test opens them with all checks.
        EMBEDDED.get_or_init(|| match Table::trusted(Cow::Borrowed(bolide_data::WORDNET)) {
            Ok(table) => Lexicon { table },
            Err(error) => unreachable!("the embedded WordNet: {error}"),
        })
    }

    /// The number of synsets. Their numbers run from 0 to one less.
    pub fn n_synsets(&self) -> u32 {
        self.table.n_synsets()
    }

    /// Sets `out` to the synsets of a word, in ascending order, as NLTK's `wordnet.synsets(word)` finds them.
    ///
    /// The word is lower-cased. For each part of speech its own synsets count, and those of its base forms:
    /// the bases in the exception list, or else the forms that the rules of that part of speech produce. For
    /// METEOR, two words are synonyms if they share such a synset.
    pub fn synsets(&self, word: &str, out: &mut Vec<SynsetId>) {
        out.clear();
        let Some(word) = Spelling::lower(word) else {
            return;
        };
        let mut form = None;
        self.table.find(word.as_bytes(), |entry| {
            self.table.push_synsets(entry, PosSet::ALL, out);
            form = entry.is_inflected.then_some(entry.id).or(form);
        });
        let listed = form.map_or(PosSet::NONE, |form| self.push_listed_bases(form, out));
        detach(word.as_bytes(), |detached| {
            let pos = detached.pos.without(listed);
            if pos != PosSet::NONE {
                let base = word.with_ending(detached.cut, detached.ending);
                self.table.find(base.as_bytes(), |entry| self.table.push_synsets(entry, pos, out));
            }
            true
        });
        sort(out);
    }

    /// Sets `out` to the synsets with a member spelled exactly `name`, in ascending order.
    ///
    /// Names of several words, which WordNet joins with `_`, give nothing, because NLTK's METEOR skips them.
    /// Together with [`Lexicon::synsets`] this shows whether `name` is a synonym of a word.
    pub fn synsets_named(&self, name: &str, out: &mut Vec<SynsetId>) {
        out.clear();
        if name.contains('_') || !name.is_ascii() {
            return;
        }
        let Some(key) = Spelling::lower(name) else {
            return;
        };
        self.table.find(key.as_bytes(), |entry| {
            if entry.is_spelled(name.as_bytes()) {
                self.table.push_synsets(entry, PosSet::ALL, out);
            }
        });
        sort(out);
    }

    /// Visits the forms of a word that are lemmas of a part of speech: itself, then its bases in the order of
    /// NLTK's `morphy`.
    pub fn base_forms(&self, word: &str, pos: Pos, mut visit: impl FnMut(&str)) {
        let Some(word) = Spelling::lower(word) else {
            return;
        };
        let set = PosSet::of(pos);
        let is_lemma = |entry: &Entry<'_>| self.table.has_synset(entry, set);
        let (mut form, mut found) = (None, false);
        self.table.find(word.as_bytes(), |entry| {
            form = entry.is_inflected.then_some(entry.id).or(form);
            found |= is_lemma(entry);
        });
        if found {
            visit(word.as_str());
        }
        let mut listed = false;
        for exception in form.into_iter().flat_map(|form| self.table.exceptions(form)) {
            if exception.is_replaced || !set.contains(exception.pos) {
                continue;
            }
            listed = true;
            let Some(base) = exception.base else { continue };
            let mut is_base = false;
            let base = self.table.find_like(base, |entry| is_base |= is_lemma(entry));
            // The exception lists contain words that are their own base; repeats are dropped.
            if is_base && !(found && base.as_bytes() == word.as_bytes()) {
                visit(base.as_str());
            }
        }
        detach(word.as_bytes(), |detached| {
            if !listed && detached.pos.intersects(set) {
                let base = word.with_ending(detached.cut, detached.ending);
                let mut is_base = false;
                self.table.find(base.as_bytes(), |entry| is_base |= is_lemma(entry));
                if is_base {
                    visit(base.as_str());
                }
            }
            true
        });
    }

    /// Sets `out` to the synset offsets of a word, in ascending order, as METEOR 1.5's synonym module finds
    /// them.
    ///
    /// The word is not lower-cased, so capitals are not found. Its own synsets count, and those of its bases:
    /// all bases of all exception lists, or else those of the first rule that produces a known word. Offsets
    /// of different parts of speech share one number space, as in the jar, so a few unrelated synsets
    /// coincide.
    pub fn meteor15_synsets(&self, word: &str, out: &mut Vec<u32>) {
        out.clear();
        if !word.is_ascii() || word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return;
        }
        let Some(word) = Spelling::lower(word) else {
            return;
        };
        let mut form = None;
        self.table.find(word.as_bytes(), |entry| {
            self.table.push_synsets(entry, PosSet::ALL, out);
            form = entry.is_inflected.then_some(entry.id).or(form);
        });
        if let Some(form) = form {
            for base in self.table.exceptions(form).filter_map(|exception| exception.base) {
                self.table.find_like(base, |entry| {
                    self.table.push_synsets(entry, PosSet::ALL, out);
                });
            }
        } else if !word.as_bytes().ends_with(b"ss") && word.as_bytes().len() > 2 {
            detach(word.as_bytes(), |detached| {
                let mut found = false;
                if detached.in_meteor15 {
                    let base = word.with_ending(detached.cut, detached.ending);
                    self.table.find(base.as_bytes(), |entry| {
                        found |= entry.is_lemma();
                        self.table.push_synsets(entry, PosSet::ALL, out);
                    });
                }
                !found
            });
        }
        for id in out.iter_mut() {
            *id = self.table.record(*id).map_or(0, |record| record.offset);
        }
        sort(out);
    }

    /// A synset, for display.
    pub fn synset(&self, id: SynsetId) -> Option<Synset<'_>> {
        let record = self.table.record(id)?;
        Some(Synset { lexicon: self, id, pos: record.pos, offset: record.offset })
    }

    /// Adds the synsets of the bases that the exception lists have for a form. Returns the parts of speech
    /// whose lists contain the form; no rule is tried for these.
    fn push_listed_bases(&self, form: NameId, out: &mut Vec<SynsetId>) -> PosSet {
        let mut listed = PosSet::NONE;
        for exception in self.table.exceptions(form).filter(|exception| !exception.is_replaced) {
            let pos = PosSet::of(exception.pos);
            listed = listed.union(pos);
            if let Some(base) = exception.base {
                self.table.find_like(base, |entry| self.table.push_synsets(entry, pos, out));
            }
        }
        listed
    }
}

impl fmt::Debug for Lexicon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lexicon").field("n_synsets", &self.n_synsets()).finish_non_exhaustive()
    }
}

/// A set of words with one meaning.
///
/// Its text form names it by its first lemma and part of speech and lists the others:
/// `be.v (exist)`.
#[derive(Clone, Copy, Debug)]
pub struct Synset<'l> {
    lexicon: &'l Lexicon,
    id: SynsetId,
    pos: Pos,
    offset: u32,
}

impl<'l> Synset<'l> {
    /// Its number in the lexicon.
    pub fn id(&self) -> SynsetId {
        self.id
    }

    /// Its part of speech.
    pub fn pos(&self) -> Pos {
        self.pos
    }

    /// Its byte offset in WordNet's data file for its part of speech.
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// The names of its members in WordNet's order, several words joined with `_`.
    pub fn lemmas(&self) -> impl Iterator<Item = Lemma> + use<'l> {
        let table = &self.lexicon.table;
        let first = table.first_member(self.id);
        let others = table.member_links(self.id).filter_map(|link| table.member(link));
        first.into_iter().chain(others).map(|name| Lemma(table.spelling(name)))
    }

    /// How far from the front two words stand among its members, and how many members there are: the least of several
    /// shared synsets is the one to show.
    ///
    /// WordNet's members begin with the usual names of a meaning: `big` and `large` stand first in `large.a (big)` and far
    /// apart in `big.s (enceinte, expectant, gravid, great, large, heavy, with_child)`. An inflected word stands where a
    /// member begins as it does.
    pub fn distance(&self, words: [&str; 2]) -> (usize, usize) {
        let n_members = self.lemmas().count();
        let begin =
            |text: &str| text.chars().take(3).flat_map(char::to_lowercase).collect::<String>();
        let place = |word: &str| {
            let word = begin(word);
            self.lemmas().position(|lemma| begin(&lemma) == word).unwrap_or(n_members)
        };
        (words.map(place).iter().sum(), n_members)
    }
}

impl fmt::Display for Synset<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, lemma) in self.lemmas().enumerate() {
            match i {
                0 => write!(f, "{}.{}", &*lemma, self.pos.letter())?,
                1 => write!(f, " ({}", &*lemma)?,
                _ => write!(f, ", {}", &*lemma)?,
            }
        }
        if self.lemmas().nth(1).is_some() { f.write_str(")") } else { Ok(()) }
    }
}

/// The name of a synset's member; use it as a `str`.
#[derive(Clone, Copy)]
pub struct Lemma(Spelling);

impl Deref for Lemma {
    type Target = str;

    fn deref(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for Lemma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for Lemma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// The smallest number that two ascending lists share.
pub fn first_shared(a: &[SynsetId], b: &[SynsetId]) -> Option<SynsetId> {
    let (mut i, mut j) = (0, 0);
    while let (Some(&x), Some(&y)) = (a.get(i), b.get(j)) {
        if x == y {
            return Some(x);
        }
        i += usize::from(x < y);
        j += usize::from(y < x);
    }
    None
}

fn sort(ids: &mut Vec<u32>) {
    ids.sort_unstable();
    ids.dedup();
}

#[cfg(all(test, feature = "embedded"))]
mod tests {
    use super::*;

    fn synsets(word: &str) -> Vec<SynsetId> {
        let mut out = vec![7];
        Lexicon::embedded().synsets(word, &mut out);
        out
    }

    fn named(name: &str) -> Vec<SynsetId> {
        let mut out = vec![7];
        Lexicon::embedded().synsets_named(name, &mut out);
        out
    }

    fn meteor15(word: &str) -> Vec<u32> {
        let mut out = vec![7];
        Lexicon::embedded().meteor15_synsets(word, &mut out);
        out
    }

    fn forms(word: &str, pos: Pos) -> Vec<String> {
        let mut forms = Vec::new();
        Lexicon::embedded().base_forms(word, pos, |form| forms.push(form.to_owned()));
        forms
    }

    #[test]
    fn the_embedded_table_passes_every_check() {
        let lexicon = Lexicon::from_bytes(bolide_data::WORDNET).unwrap();
        assert_eq!(lexicon.n_synsets(), 117_659);
    }

    #[test]
    fn words_that_share_a_meaning() {
        for (a, b) in [
            ("good", "well"),
            ("is", "are"),
            ("mice", "mouse"),
            ("Cars", "automobile"),
            ("saw", "see"),
        ] {
            assert!(first_shared(&synsets(a), &synsets(b)).is_some(), "{a} and {b}");
        }
        for (a, b) in [("good", "cat"), ("the", "a"), ("mouse", "rat")] {
            assert_eq!(first_shared(&synsets(a), &synsets(b)), None, "{a} and {b}");
        }
    }

    #[test]
    fn base_forms_follow_the_lists_or_the_rules() {
        assert_eq!(forms("saw", Pos::Verb), ["saw", "see"]);
        assert_eq!(forms("ladies", Pos::Noun), ["lady"]);
        assert_eq!(forms("is", Pos::Verb), ["be"]);
        assert_eq!(forms("is", Pos::Noun), [""; 0]);
        assert_eq!(forms("better", Pos::Adverb), ["better", "well"]);
        assert_eq!(forms("ING", Pos::Verb), [""; 0]);
        // The second of two lines for `offer` counts, and it names no other base.
        assert_eq!(forms("offer", Pos::Adjective), [""; 0]);
    }

    #[test]
    fn names_are_found_as_they_are_spelled() {
        assert!(!named("Washington").is_empty());
        assert!(named("washington").is_empty());
        assert!(first_shared(&synsets("wa"), &named("WA")).is_some());
        assert!(first_shared(&synsets("wa"), &named("Washington")).is_some());
        assert!(named("ice_cream").is_empty());
        assert!(first_shared(&synsets("ice_cream"), &named("icecream")).is_some());
        assert_ne!(named("ddC"), [0; 0]);
        assert_ne!(named("DDC"), [0; 0]);
        assert!(named("Ddc").is_empty());
        assert!(named("cars").is_empty(), "an exact name has no base forms");
    }

    #[test]
    fn a_synset_can_be_shown() {
        let good = synsets("good").into_iter().filter_map(|id| Lexicon::embedded().synset(id));
        let adverbs: Vec<String> = good
            .filter(|synset| synset.pos() == Pos::Adverb)
            .map(|synset| synset.to_string())
            .collect();
        assert_eq!(adverbs, ["thoroughly.r (soundly, good)", "well.r (good)"]);
        let physics = synsets("natural_philosophy")[0];
        let synset = Lexicon::embedded().synset(physics).unwrap();
        assert_eq!(
            (synset.id(), synset.offset(), synset.pos().letter()),
            (physics, 6_090_869, 'n')
        );
        assert!(Lexicon::embedded().synset(117_659).is_none());
        assert!(Lexicon::embedded().synset(u32::MAX).is_none());
    }

    #[test]
    fn the_usual_meaning_stands_before_the_rare_one() {
        let lexicon = Lexicon::embedded();
        let (big, large) = (synsets("big"), synsets("large"));
        let shared = big.iter().filter(|id| large.contains(id));
        let nearest = shared.map(|&id| lexicon.synset(id).unwrap());
        let nearest = nearest.min_by_key(|synset| synset.distance(["big", "large"])).unwrap();
        assert_eq!(nearest.to_string(), "large.a (big)");
    }

    #[test]
    fn every_synset_is_found_through_each_of_its_names() {
        let lexicon = Lexicon::embedded();
        let mut out = Vec::new();
        for id in (0..lexicon.n_synsets()).step_by(11) {
            for lemma in lexicon.synset(id).unwrap().lemmas() {
                lexicon.synsets(&lemma, &mut out);
                assert!(out.contains(&id), "{id} through {lemma}");
                lexicon.synsets_named(&lemma, &mut out);
                assert_eq!(out.contains(&id), !lemma.contains('_'), "{id} named {lemma}");
            }
        }
    }

    #[test]
    fn meteor15_has_its_own_morphology() {
        let shares = |a: &str, b: &str| first_shared(&meteor15(a), &meteor15(b)).is_some();
        assert!(shares("mice", "mouse"));
        assert!(shares("is", "are"));
        assert!(meteor15("Mouse").is_empty(), "words are taken as they are");
        // Only the first rule that produces a word is used, and there is none for `-ves`.
        assert_eq!(forms("caves", Pos::Verb), ["cave"]);
        assert!(shares("caves", "cave"));
        assert_ne!(forms("selves", Pos::Noun), [""; 0]);
        // Both lines for `offer` count.
        assert!(shares("offer", "off"));
        assert_eq!(first_shared(&synsets("offer"), &synsets("off")), None);
    }

    #[test]
    fn any_text_can_be_looked_up() {
        let long = "s".repeat(10_000);
        for word in [
            "",
            " ",
            "_",
            "é",
            "s",
            "es",
            "ing",
            "İs",
            "\u{212a}ing",
            &long,
            &long[..120],
            &long[..121],
        ] {
            synsets(word);
            named(word);
            meteor15(word);
            forms(word, Pos::Noun);
        }
        assert_eq!(synsets("\u{212a}ing"), synsets("king"), "the Kelvin sign is a k in lower case");
        assert!(synsets(&long).is_empty());
    }

    #[test]
    fn what_is_not_the_table_is_refused() {
        let check = |bytes: Vec<u8>, reason: &str| {
            let error = Lexicon::from_bytes(bytes).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::InvalidTable);
            assert!(error.to_string().contains(reason), "{error}");
        };
        let good = bolide_data::WORDNET;
        check(Vec::new(), "does not start as one");
        check(good[..20].to_vec(), "cut short");
        check(good[..good.len() - 1].to_vec(), "bytes, expected");
        check([good, b"x"].concat(), "bytes, expected");
        let changed = |at: usize, byte: u8| {
            let mut bytes = good.to_vec();
            bytes[at] ^= byte;
            bytes
        };
        check(changed(8, 2), "it has format 3, expected 1");
        check(changed(15, 0x80), "counts are out of range");
        for at in (40..good.len()).step_by(good.len() / 50).chain([32, good.len() - 1]) {
            check(changed(at, 1), "checksum");
        }
    }

    /// Damage that leaves the checksum intact must not cause a panic.
    #[test]
    fn a_forged_table_cannot_cause_a_panic() {
        let mut seed = 1u64;
        let mut random = move |below: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for _ in 0..10 {
            let mut bytes = bolide_data::WORDNET.to_vec();
            for _ in 0..20_000 {
                let at = 40 + random(bytes.len() - 40);
                bytes[at] = random(256) as u8;
            }
            let sum = super::super::table::checksum(&bytes);
            bytes[32..40].copy_from_slice(&sum.to_le_bytes());
            let lexicon = Lexicon::from_bytes(bytes).unwrap();
            let mut out = Vec::new();
            for word in ["good", "wells", "is", "mice", "zzz", "a", "offer", "running", "ladies"] {
                lexicon.synsets(word, &mut out);
                lexicon.synsets_named(word, &mut out);
                lexicon.meteor15_synsets(word, &mut out);
                lexicon.base_forms(word, Pos::Noun, |_| {});
            }
            for id in (0..lexicon.n_synsets()).step_by(501) {
                if let Some(synset) = lexicon.synset(id) {
                    synset.to_string();
                }
            }
        }
    }
}
