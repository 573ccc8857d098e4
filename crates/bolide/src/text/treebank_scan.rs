//! The Treebank rules in one pass over the bytes of a sentence.
//!
//! [`super::treebank`] defines the rules; here each character is decided at once. That works because nearly
//! every rule only looks at neighbours: a padded mark is always a token, a word is what lies between blanks
//! and padded marks, and the clitic rules look at the end of such a word. Where more is needed (three
//! apostrophes in a row, a contraction inside a longer word, the separators U+001C to U+001F) the scan gives
//! up, and the rules are applied one by one. Tests compare the two on generated text and on all stored texts.

use super::Tokens;
use super::blocks::{self, BLOCK};
use super::character_class::{is_decimal, is_word};

/// Appends the tokens of one sentence, which starts at byte `offset` of the text. Returns `false` and appends
/// nothing if the sentence needs the rules one by one.
pub(super) fn tokenize(sentence: &str, offset: usize, tokens: &mut Tokens) -> bool {
    let before = tokens.len();
    let mut scan = Scan {
        sentence,
        base: tokens.push_text(sentence),
        bytes: sentence.as_bytes(),
        offset,
        final_period: final_period(sentence),
        at: 0,
        word: 0,
        contents: 0,
        tokens,
    };
    let done = scan.run().is_some();
    if !done {
        tokens.truncate(before);
    }
    done
}

struct Scan<'t> {
    sentence: &'t str,
    /// The start of the sentence in the tokens' buffer.
    base: usize,
    bytes: &'t [u8],
    offset: usize,
    final_period: Option<usize>,
    at: usize,
    /// The start of the current or last word.
    word: usize,
    /// What the word contains besides letters: [`OTHERS`], [`APOSTROPHES`].
    contents: u8,
    tokens: &'t mut Tokens,
}

/// When the blank after a word is inserted. An apostrophe at the end of a word is split off twice, before and
/// after the brackets and closing quotes are padded, and that decides whether a clitic before it is found:
/// `it's' ` has one, `it's')` has none.
#[derive(Clone, Copy, PartialEq)]
enum Blank {
    Early,
    Late,
}

/// The role of a byte in the scan. The first two never end a word.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
#[repr(u8)]
enum Class {
    Letter = 0,
    Other = 1,
    Blank,
    OtherSpace,
    Mark,
    Bracket,
    Comma,
    Period,
    Quote,
    Apostrophe,
    Backtick,
    Hyphen,
    Lead,
    Separator,
}

const OTHERS: u8 = 1;
const APOSTROPHES: u8 = 2;

/// The class of every byte. Of the bytes above 127 only those matter that can start a character named by a
/// rule, white space, or a dotted or dotless i; the others belong to words.
static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b' ' => Class::Blank,
            b'\t'..=b'\r' => Class::OtherSpace,
            b';' | b'@' | b'#' | b'$' | b'%' | b'&' | b'?' | b'!' => Class::Mark,
            b'*' | b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'<' | b'>' => Class::Bracket,
            b',' | b':' => Class::Comma,
            b'.' => Class::Period,
            b'"' => Class::Quote,
            b'\'' => Class::Apostrophe,
            b'`' => Class::Backtick,
            b'-' => Class::Hyphen,
            0xc2 | 0xc4 | 0xe1 | 0xe2 | 0xe3 => Class::Lead,
            0x1c..=0x1f => Class::Separator,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// The positions of all bytes that are not letters.
struct Ends<'t> {
    blocks: std::slice::Iter<'t, [u8; BLOCK]>,
    rest: &'t [u8],
    base: usize,
    bits: u64,
}

impl<'t> Ends<'t> {
    fn new(bytes: &'t [u8]) -> Self {
        let (blocks, rest) = bytes.as_chunks();
        // Iteration starts before the first block.
        Ends { blocks: blocks.iter(), rest, base: 0_usize.wrapping_sub(BLOCK), bits: 0 }
    }
}

impl Iterator for Ends<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.bits == 0 {
            self.base = self.base.wrapping_add(BLOCK);
            self.bits = match self.blocks.next() {
                Some(block) => !blocks::letters(block),
                None if self.rest.is_empty() => return None,
                None => {
                    // Padded with letters, which end nothing.
                    let mut block = [b'x'; BLOCK];
                    block[..self.rest.len()].copy_from_slice(self.rest);
                    self.rest = &[];
                    !blocks::letters(&block)
                }
            };
        }
        let end = self.base.wrapping_add(self.bits.trailing_zeros() as usize);
        self.bits &= self.bits - 1;
        Some(end)
    }
}

impl Scan<'_> {
    /// `None` means that the scan gives up.
    fn run(&mut self) -> Option<()> {
        let bytes = self.bytes;
        for end in Ends::new(bytes) {
            // Already read together with an earlier character.
            if end < self.at {
                continue;
            }
            self.at = end;
            if bytes[end] == b' ' && self.contents == 0 {
                self.end_letters()?;
                self.skip(1);
                continue;
            }
            match CLASSES[usize::from(bytes[end])] {
                Class::Letter => self.at += 1,
                Class::Other => self.other(1),
                Class::Blank => {
                    self.end_word(Blank::Early)?;
                    self.skip(1);
                }
                Class::OtherSpace => {
                    self.end_word(Blank::Late)?;
                    self.skip(1);
                }
                Class::Mark => self.mark(1, Blank::Early)?,
                Class::Bracket => self.mark(1, Blank::Late)?,
                Class::Comma => self.comma()?,
                Class::Period => self.period()?,
                Class::Quote => {
                    let quote = if self.at == 0 || self.opens_quote() { "``" } else { "''" };
                    self.quote(quote, 1)?;
                }
                Class::Apostrophe => self.apostrophe()?,
                Class::Backtick => {
                    self.end_word(Blank::Early)?;
                    let len = self.run_len();
                    for _ in 0..len / 2 {
                        self.token(2);
                    }
                    self.token(len % 2);
                }
                Class::Hyphen => self.hyphen()?,
                Class::Lead => self.lead()?,
                Class::Separator => return None,
            }
        }
        self.at = bytes.len();
        self.end_word(Blank::Late)
    }

    /// Continues inside a word.
    fn other(&mut self, len: usize) {
        self.contents |= OTHERS;
        self.at += len;
    }

    /// Skips bytes and starts a word after them.
    fn skip(&mut self, len: usize) {
        self.at += len;
        self.word = self.at;
        self.contents = 0;
    }

    /// Makes a token of the next bytes, if any, and starts a word after them.
    fn token(&mut self, len: usize) {
        if len > 0 {
            self.push(self.at, self.at + len);
            self.skip(len);
        }
    }

    fn push(&mut self, start: usize, end: usize) {
        self.tokens.push_part(self.base, (start, end), self.offset);
    }

    /// A mark that is always a token.
    fn mark(&mut self, len: usize, blank: Blank) -> Option<()> {
        self.end_word(blank)?;
        self.token(len);
        Some(())
    }

    fn quote(&mut self, token: &str, len: usize) -> Option<()> {
        self.end_word(Blank::Late)?;
        let start = self.offset + self.at;
        self.tokens.push(token, start, start + len);
        self.skip(len);
        Some(())
    }

    /// Whether the quote here opens: after a blank or an opening bracket, or after an opening quote, which
    /// has been padded by then.
    fn opens_quote(&self) -> bool {
        matches!(
            self.bytes[..self.at],
            [.., b' ' | b'(' | b'[' | b'{' | b'<' | b'`']
                | [b'"']
                | [.., 0xc2, 0xab]
                | [.., 0xe2, 0x80, 0x98 | 0x9c | 0x9e]
        )
    }

    /// How often the byte here is repeated.
    fn run_len(&self) -> usize {
        let rest = &self.bytes[self.at..];
        rest.iter().take_while(|&&byte| byte == rest[0]).count()
    }

    fn comma(&mut self) -> Option<()> {
        if self.char_at(self.at + 1).is_some_and(is_decimal) {
            self.other(1);
            return Some(());
        }
        self.mark(1, Blank::Early)?;
        // The rule consumes the next character too, so it skips a second comma, unless that is the last
        // character.
        if matches!(self.bytes[self.at..], [b',' | b':', _, ..]) {
            self.other(1);
        }
        Some(())
    }

    fn period(&mut self) -> Option<()> {
        let len = self.run_len();
        if len > 1 || self.final_period == Some(self.at) {
            return self.mark(len, Blank::Early);
        }
        self.other(1);
        Some(())
    }

    fn hyphen(&mut self) -> Option<()> {
        let len = self.run_len();
        if len > 1 {
            self.end_word(Blank::Late)?;
            for _ in 0..len / 2 {
                self.token(2);
            }
        }
        self.other(len % 2);
        Some(())
    }

    fn apostrophe(&mut self) -> Option<()> {
        match self.run_len() {
            1 => {}
            2 => return self.quote(if self.opens_quote() { "``" } else { "''" }, 2),
            _ => return None,
        }
        let behind = self.char_at(self.at + 1);
        if behind.is_some_and(is_word)
            && !self.char_before(self.at).is_some_and(is_word)
            && !self.is_clitic(self.at + 1)
        {
            return self.mark(1, Blank::Late);
        }
        self.contents |= APOSTROPHES;
        self.at += 1;
        Some(())
    }

    /// Whether a clitic without its apostrophe starts here, and ends the word.
    fn is_clitic(&self, at: usize) -> bool {
        let len = match self.bytes[at..] {
            [b'r' | b'R' | b'v' | b'V', b'e' | b'E', ..] | [b'l' | b'L', b'l' | b'L', ..] => 2,
            // The long s counts as s.
            [0xc5, 0xbf, ..] => 2,
            [byte, ..] if matches!(byte | 0x20, b'm' | b't' | b's' | b'd' | b'n') => 1,
            _ => return false,
        };
        !self.char_at(at + len).is_some_and(is_word)
    }

    /// A byte that may start a character named by a rule.
    fn lead(&mut self) -> Option<()> {
        match self.bytes[self.at..] {
            // Dashes and opening quotes, then closing quotes.
            [0xe2, 0x80, 0x92..=0x95 | 0x98 | 0x9c | 0x9e, ..] => self.mark(3, Blank::Early),
            [0xe2, 0x80, 0x99 | 0x9d, ..] => self.mark(3, Blank::Late),
            [0xc2, 0xab, ..] => self.mark(2, Blank::Early),
            [0xc2, 0xbb, ..] => self.mark(2, Blank::Late),
            // With a dotted or dotless i, `gimme` is still a contraction.
            [0xc4, 0xb0 | 0xb1, ..] if matches!(self.bytes[..self.at], [.., b'g' | b'G']) => None,
            _ => {
                match self.char_at(self.at) {
                    Some(c) if c.is_whitespace() => {
                        self.end_word(Blank::Late)?;
                        self.skip(c.len_utf8());
                    }
                    c => self.other(c.map_or(1, char::len_utf8)),
                }
                Some(())
            }
        }
    }

    fn char_at(&self, at: usize) -> Option<char> {
        match self.bytes.get(at) {
            Some(&byte) if byte.is_ascii() => Some(char::from(byte)),
            _ => self.sentence.get(at..)?.chars().next(),
        }
    }

    fn char_before(&self, at: usize) -> Option<char> {
        match self.bytes[..at] {
            [.., byte] if byte.is_ascii() => Some(char::from(byte)),
            _ => self.sentence.get(..at)?.chars().next_back(),
        }
    }

    /// Makes tokens of the word that ends here.
    fn end_word(&mut self, blank: Blank) -> Option<()> {
        if self.contents == 0 {
            return self.end_letters();
        }
        let (start, end) = (self.word, self.at);
        if start == end {
            return Some(());
        }
        if has_contraction(&self.bytes[start..end]) {
            return None;
        }
        if self.contents & APOSTROPHES == 0 {
            self.push(start, end);
            return Some(());
        }
        self.split_clitics(start, end, blank)
    }

    /// Makes tokens of the word that ends here and has only letters.
    #[inline]
    fn end_letters(&mut self) -> Option<()> {
        let (start, end) = (self.word, self.at);
        match self.bytes.get(start..end)? {
            [] => {}
            [first, ..] if may_contract(*first, end - start) => self.split_contraction(start, end),
            _ => self.push(start, end),
        }
        Some(())
    }

    #[cold]
    fn split_contraction(&mut self, start: usize, end: usize) {
        let middle = contraction(&self.bytes[start..end]).map_or(end, |first| start + first);
        self.push(start, middle);
        if middle < end {
            self.push(middle, end);
        }
    }

    /// Makes tokens of a word with apostrophes, none of which are neighbours.
    fn split_clitics(&mut self, start: usize, end: usize, blank: Blank) -> Option<()> {
        let word = &self.bytes[start..end];
        let mut len = word.len();
        if blank == Blank::Early && word.ends_with(b"'") {
            len -= 1;
        }
        let short = match word[..len] {
            [_, .., b'\'', b's' | b'S' | b'm' | b'M' | b'd' | b'D'] => len - 2,
            [_, .., b'\''] => len - 1,
            _ => len,
        };
        let long = match word[..short] {
            [.., before, b'n', b'\'', b't'] | [.., before, b'N', b'\'', b'T']
                if before != b'\'' =>
            {
                short - 3
            }
            [_, .., b'\'', b'l', b'l'] | [_, .., b'\'', b'L', b'L'] => short - 3,
            [_, .., b'\'', b'r' | b'v', b'e'] | [_, .., b'\'', b'R' | b'V', b'E'] => short - 3,
            _ => short,
        };
        // Without its `n't`, a word may be a contraction: `gimmen't`.
        if long < short && has_contraction(&word[..long]) {
            return None;
        }
        let mut from = 0;
        for to in [long, short, len, word.len()] {
            if from < to {
                self.push(start + from, start + to);
                from = to;
            }
        }
        Some(())
    }
}

/// The period that ends the sentence, if there is one to separate.
///
/// Only closing quotes, closing brackets and blanks may follow it. A straight quote after a blank opens,
/// though, and has become two backticks by the time the rule looks at it.
fn final_period(sentence: &str) -> Option<usize> {
    let mut end = sentence.trim_end().len();
    let bytes = sentence.as_bytes();
    let mut quote_start = usize::MAX;
    loop {
        let before = &bytes[..end];
        end -= match before {
            [.., b'.', b'.'] | [b'.'] => return None,
            [.., b'.'] => return Some(end - 1),
            [.., b' ', b'"'] => return None,
            [.., b' ', b'\''] if quote_start == end => return None,
            [.., b'\''] => {
                quote_start = end - 1;
                1
            }
            [.., b' ' | b']' | b')' | b'}' | b'>' | b'"'] => 1,
            [.., 0xc2, 0xbb] => 2,
            [.., 0xe2, 0x80, 0x99 | 0x9d] => 3,
            _ => return None,
        };
    }
}

/// Whether a word of letters with this first letter and length may be a contraction. A quick test for every
/// word; it rarely says yes.
fn may_contract(first: u8, len: usize) -> bool {
    const FIRST: u32 = 1 << (b'c' & 31) | 1 << (b'g' & 31) | 1 << (b'l' & 31) | 1 << (b'w' & 31);
    (FIRST >> (first & 31) & 1 != 0) & (len.wrapping_sub(5) < 2)
}

/// Where to split a word of letters, if it is a contraction.
fn contraction(word: &[u8]) -> Option<usize> {
    if !may_contract(*word.first()?, word.len()) {
        return None;
    }
    let is = |contraction: &str| word.eq_ignore_ascii_case(contraction.as_bytes());
    let splits = ["cannot", "gimme", "gonna", "gotta", "lemme", "wanna"].into_iter().any(is);
    splits.then_some(3)
}

/// Whether a word that is not only letters contains the letters of a contraction. The rules decide whether
/// these are free-standing.
fn has_contraction(word: &[u8]) -> bool {
    word.split(|byte| !byte.is_ascii_alphabetic()).any(|letters| contraction(letters).is_some())
        || has_apostrophe_contraction(word)
}

fn has_apostrophe_contraction(word: &[u8]) -> bool {
    word.iter().enumerate().any(|(at, &byte)| {
        byte == b'\''
            && match word.get(at + 1).map(|byte| byte | 0x20) {
                Some(b'n') => at >= 4 && word[at - 4..at].eq_ignore_ascii_case(b"more"),
                Some(b'y') => at >= 1 && word[at - 1] | 0x20 == b'd',
                _ => false,
            }
    })
}

#[cfg(test)]
mod tests {
    use super::super::treebank;
    use super::*;
    use bolide_testdata::random::Random;

    const WORDS: &[&str] = &[
        "the",
        "Rain",
        "cannot",
        "Cannot",
        "gonna",
        "GOTTA",
        "gimme",
        "lemme",
        "wanna",
        "more'n",
        "d'ye",
        "D'Ye",
        "'tis",
        "'Twas",
        "'em",
        "don't",
        "CAN'T",
        "N't",
        "it's",
        "boys'",
        "I'll",
        "they're",
        "'n'",
        "O'Neil",
        "1,000",
        "3.5",
        "12:30",
        "$5",
        "100%",
        "U.S.",
        "etc.",
        "a_b",
        "x-gonna",
        "cannot-do",
        "gimmen't",
        "lemme's",
        "l'été",
        "naïve",
        "ſo",
        "'ſ",
        "gımme",
        "gİmme",
        "你好",
        "世界。",
        "½",
        "x²",
        "٣",
        "e\u{301}",
        "ⓐ",
        "\u{203f}",
    ];
    const MARKS: &[&str] = &[
        ".", ",", ":", ";", "?", "!", "'", "\"", "`", "-", "(", ")", "[", "]", "{", "}", "<", ">",
        "*", "&", "@", "#", "/", "_", "..", "...", "--", "---", "''", "``", "'''", "````", "“",
        "”", "‘", "’", "„", "«", "»", "–", "—", "‒", "―", "…", ",,", ":,", ".\"", ".'", ".)",
        ".''", "?'", "n't", "'s", "'s'", "'LL", "'re'", "'d", "t",
    ];
    const SPACES: &[&str] = &[
        " ", " ", " ", " ", " ", "  ", "\t", "\n", "\u{a0}", "\u{3000}", "\u{2028}", "\u{85}",
        "\u{1c}", "\u{200b}", "",
    ];

    /// Compares the two implementations; returns whether the scan did not give up.
    fn same(sentence: &str, scratch: &mut treebank::Scratch) -> bool {
        let (mut scanned, mut ruled) = (Tokens::new(), Tokens::new());
        scanned.push("before", 0, 6);
        ruled.push("before", 0, 6);
        let done = tokenize(sentence, 7, &mut scanned);
        if done {
            treebank::tokenize(sentence, 7, scratch, &mut ruled);
        }
        assert_eq!(scanned, ruled, "{sentence:?}");
        done
    }

    #[test]
    fn equals_the_rules_on_generated_text() {
        let mut random = Random(20);
        let mut scratch = treebank::Scratch::default();
        let mut n_done = 0;
        let n_texts = 60_000;
        for _ in 0..n_texts {
            let mut text = String::new();
            // A text consists mostly of words, of marks, or of single letters with apostrophes.
            let lean = random.below(3);
            for _ in 0..random.below(16) {
                match (lean, random.below(10)) {
                    (0, 0..5) | (1, 0..2) => text += random.pick(WORDS),
                    (0, 5..7) | (1, 2..8) => text += random.pick(MARKS),
                    (2, 0..4) => text += random.pick(&["a", "s", "t", "n", "T", "1", "é", "ll"]),
                    (2, 4..8) => text += random.pick(&["'", "'", "\"", "`", "(", ".", ",", "-"]),
                    (0, _) => text += random.pick(SPACES),
                    _ => text += " ",
                }
            }
            n_done += usize::from(same(&text, &mut scratch));
        }
        // The comparison would be empty if the scan gave up on most texts.
        assert!(n_done * 10 > n_texts * 6, "{n_done} of {n_texts}");
    }

    /// All strings of up to six characters from those that interact most.
    #[test]
    fn equals_the_rules_on_all_short_strings() {
        let mut scratch = treebank::Scratch::default();
        let alphabet = ['\'', '"', '.', ' ', ',', 's', '`'];
        let mut n_done = 0;
        for len in 0..=6u32 {
            for mut number in 0..alphabet.len().pow(len) {
                let mut text = String::new();
                for _ in 0..len {
                    text.push(alphabet[number % alphabet.len()]);
                    number /= alphabet.len();
                }
                n_done += usize::from(same(&text, &mut scratch));
            }
        }
        assert!(n_done > 100_000, "{n_done}");
    }

    #[test]
    fn ordinary_text_is_not_given_up() {
        let mut scratch = treebank::Scratch::default();
        for text in [
            "\"It's the boys' dog,\" she said (quietly); 'don't ask why' -- he'd paid $1,000.50!",
            "Le «café» coûte 3,50 € – l’été, c’est “cher”… N'est-ce pas?",
            "They cannot come, we're gonna wait... O'Neil's `friend' won't mind.\u{a0}OK?",
        ] {
            assert!(same(text, &mut scratch), "{text}");
        }
    }
}
