//! Snowball stemmers as in METEOR 1.5: the revision of November 2009, with its errors.
//!
//! Ten languages agree with the crate `rust-stemmers`. German, Portuguese and Finnish are implemented here
//! because the old revision differs; Hungarian differs only in two letters, which are swapped before and
//! after stemming, and Dutch in words whose first letters are odd. Words are stemmed as given; the caller folds case.

mod dutch;
mod finnish;
mod german;
mod portuguese;

/// A language with a stemmer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant is the language it names")]
pub enum Stemmer {
    Danish,
    Dutch,
    English,
    Finnish,
    French,
    German,
    Hungarian,
    Italian,
    Norwegian,
    Portuguese,
    Romanian,
    Russian,
    Spanish,
    Swedish,
    Turkish,
}

impl Stemmer {
    /// Whether this build has it: English with the feature `stemmer-english`, all with `stemmers`.
    pub fn is_built_in(self) -> bool {
        cfg!(feature = "stemmers") || cfg!(feature = "stemmer-english") && self == Stemmer::English
    }

    /// Writes the stem of `word` to `out`, replacing its contents. A stemmer that is not built in leaves
    /// words unchanged; metrics that need it cannot be built.
    pub fn stem(self, word: &str, out: &mut String) {
        out.clear();
        if !self.is_built_in() {
            out.push_str(word);
            return;
        }
        if word.chars().any(|c| c.len_utf16() == 2) {
            self.stem_letters(&in_units(word), out);
            *out = of_units(out);
        } else {
            self.stem_letters(word, out);
        }
    }

    fn stem_letters(self, word: &str, out: &mut String) {
        match self {
            Stemmer::Dutch => dutch::stem(word, out, |word, out| self.published(word, out)),
            Stemmer::Finnish => finnish::stem(word, out),
            Stemmer::German => german::stem(word, out),
            Stemmer::Hungarian => {
                let word: String = word.chars().map(exchange_double_acutes).collect();
                self.published(&word, out);
                let stem: String = out.chars().map(exchange_double_acutes).collect();
                out.clear();
                out.push_str(&stem);
            }
            Stemmer::Portuguese => portuguese::stem(word, out),
            _ => self.published(word, out),
        }
    }

    /// Appends the stem from the crate's stemmer.
    #[cfg(feature = "stemmer-english")]
    fn published(self, word: &str, out: &mut String) {
        use rust_stemmers::Algorithm;
        let algorithm = match self {
            Stemmer::Danish => Algorithm::Danish,
            Stemmer::Dutch => Algorithm::Dutch,
            Stemmer::English => Algorithm::English,
            Stemmer::French => Algorithm::French,
            Stemmer::Hungarian => Algorithm::Hungarian,
            Stemmer::Italian => Algorithm::Italian,
            Stemmer::Norwegian => Algorithm::Norwegian,
            Stemmer::Romanian => Algorithm::Romanian,
            Stemmer::Russian => Algorithm::Russian,
            Stemmer::Spanish => Algorithm::Spanish,
            Stemmer::Swedish => Algorithm::Swedish,
            Stemmer::Turkish => Algorithm::Turkish,
            Stemmer::Finnish | Stemmer::German | Stemmer::Portuguese => {
                return out.push_str(word);
            }
        };
        out.push_str(&rust_stemmers::Stemmer::create(algorithm).stem(word));
    }

    #[cfg(not(feature = "stemmer-english"))]
    fn published(self, word: &str, out: &mut String) {
        out.push_str(word);
    }
}

/// Java counts UTF-16 units, of which characters above U+FFFF have two. Here each unit becomes a character that no
/// stemmer knows.
fn in_units(word: &str) -> String {
    let mut units = [0; 2];
    let each = |c: char| match c.encode_utf16(&mut units) {
        [high, low] => [unit(*high), unit(*low)],
        _ => [Some(c), None],
    };
    word.chars().flat_map(each).flatten().collect()
}

/// The text of such characters.
fn of_units(word: &str) -> String {
    let units = word.chars().flat_map(|c| {
        let mut own = [0; 2];
        match u32::from(c).checked_sub(UNITS) {
            Some(at) => vec![0xd800 + at as u16],
            None => c.encode_utf16(&mut own).to_vec(),
        }
    });
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Where the characters begin that stand for the units from U+D800 on.
const UNITS: u32 = 0xf_0000;

fn unit(unit: u16) -> Option<char> {
    char::from_u32(UNITS + u32::from(unit).checked_sub(0xd800)?)
}

/// The old revision read Latin-2 bytes as Latin-1, so it has õ and û instead of ő and ű. Here õ takes the
/// place of ő, and a real ő that of a letter unknown to the algorithm.
fn exchange_double_acutes(c: char) -> char {
    match c {
        '\u{151}' => '\u{F5}',
        '\u{F5}' => '\u{151}',
        '\u{171}' => '\u{FB}',
        '\u{FB}' => '\u{171}',
        c => c,
    }
}

/// A word whose endings are removed: the operations that the stemmers below share.
struct Word {
    letters: Vec<char>,
}

impl Word {
    fn new(word: &str) -> Self {
        Word { letters: word.chars().collect() }
    }

    fn len(&self) -> usize {
        self.letters.len()
    }

    /// The start of the longest of `endings` that ends the first `end` letters, not reaching below `floor`.
    fn longest(&self, floor: usize, end: usize, endings: &[&str]) -> Option<usize> {
        let end = end.min(self.letters.len());
        endings.iter().filter_map(|ending| self.ending(floor, end, ending)).min()
    }

    /// Where `ending` starts if the first `end` letters end with it, not reaching below `floor`.
    fn ending(&self, floor: usize, end: usize, ending: &str) -> Option<usize> {
        let start = end.checked_sub(ending.chars().count())?;
        let found = self.letters.get(start..end)?.iter().copied().eq(ending.chars());
        (found && start >= floor).then_some(start)
    }

    /// Whether the first `end` letters end with `ending`.
    fn ends(&self, end: usize, ending: &str) -> bool {
        self.ending(0, end, ending).is_some()
    }

    /// The letter before a position.
    fn before(&self, at: usize) -> Option<char> {
        self.letters.get(at.checked_sub(1)?).copied()
    }

    /// The position after the first vowel (or non-vowel) from `from` on.
    fn past(&self, from: usize, vowel: bool, is_vowel: fn(char) -> bool) -> Option<usize> {
        let rest = self.letters.get(from..)?;
        Some(from + rest.iter().position(|&c| is_vowel(c) == vowel)? + 1)
    }

    /// The position after the first non-vowel that follows a vowel.
    fn region(&self, from: usize, is_vowel: fn(char) -> bool) -> Option<usize> {
        self.past(self.past(from, true, is_vowel)?, false, is_vowel)
    }

    fn cut(&mut self, at: usize) {
        self.letters.truncate(at);
    }

    fn push_to(&self, out: &mut String) {
        out.extend(&self.letters);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bolide_testdata::random::Random;

    fn check(stemmer: Stemmer, word: &str, expected: &str) {
        let mut out = String::new();
        stemmer.stem(word, &mut out);
        assert_eq!(out, expected, "{word:?}");
    }

    #[test]
    fn the_old_revision_keeps_its_slips() {
        if cfg!(not(feature = "stemmer-english")) {
            return check(Stemmer::English, "running", "running");
        }
        check(Stemmer::English, "running", "run");
        if cfg!(not(feature = "stemmers")) {
            return check(Stemmer::German, "häuser", "häuser");
        }
        check(Stemmer::German, "bedürfnisse", "bedurfniss");
        check(Stemmer::German, "häuser", "haus");
        check(Stemmer::Portuguese, "evolução", "evoluçã");
        check(Stemmer::Finnish, "taloon", "talo");
    }

    /// As in Java: a character above U+FFFF counts as two letters.
    #[cfg(feature = "stemmers")]
    #[test]
    fn lengths_are_in_utf16_units() {
        check(Stemmer::English, "é'", "é'");
        check(Stemmer::English, "\u{1f600}'", "\u{1f600}");
        check(Stemmer::English, "\u{20000}a\u{10ffff}ings", "\u{20000}a\u{10ffff}");
    }

    /// In the crate the region after three letters of Dutch begins after three bytes.
    #[cfg(feature = "stemmers")]
    #[test]
    fn dutch_counts_letters() {
        for (word, stem) in [
            ("ère", "ère"),
            ("ène", "ène"),
            ("èten", "èten"),
            ("èaten", "èat"),
            ("èieren", "èier"),
            ("oñen", "oñen"),
            ("oñenen", "oñen"),
            ("o\u{435}s", "o\u{435}s"),
            ("\u{1}\u{1}æraden", "\u{1}\u{1}ærad"),
            ("geïnd", "geind"),
        ] {
            check(Stemmer::Dutch, word, stem);
        }
    }

    #[test]
    fn no_word_is_too_odd() {
        const ALL: [Stemmer; 15] = [
            Stemmer::Danish,
            Stemmer::Dutch,
            Stemmer::English,
            Stemmer::Finnish,
            Stemmer::French,
            Stemmer::German,
            Stemmer::Hungarian,
            Stemmer::Italian,
            Stemmer::Norwegian,
            Stemmer::Portuguese,
            Stemmer::Romanian,
            Stemmer::Russian,
            Stemmer::Spanish,
            Stemmer::Swedish,
            Stemmer::Turkish,
        ];
        let letters: Vec<char> =
            "aeiouyäöüßáéíóúãõçñşğıűő'stnlrkhjмиеыьйaa𝒳\u{301}".chars().collect();
        let mut random = Random(1);
        let mut out = String::new();
        for _ in 0..20_000 {
            let word = random.word(&letters, 8);
            for stemmer in ALL {
                stemmer.stem(&word, &mut out);
            }
        }
    }
}
