//! The Punkt sentence splitter (Kiss & Strunk 2006) as NLTK 3.10.4 applies it.
//!
//! [`Punkt`] decides for every `.`, `?` and `!` inside a text whether a sentence ends there, from the words
//! around it and a table of abbreviations, collocations, sentence starters and the case in which words were
//! seen. This file makes the decisions; `punkt_table` holds the table. Training a model is out of scope.

use std::borrow::Cow;

use super::character_class::{is_decimal, is_word};
use super::punkt_table::{
    ABBREVIATION, COLLOCATION, ONLY_LOWER_AT_START, SEEN_LOWER, SEEN_UPPER_INSIDE, STARTER, Table,
};
use super::whitespace::{is_space, trim_end};
use crate::error::Result;

/// A sentence splitter with the parameters of one language.
#[derive(Clone, Debug)]
pub struct Punkt {
    table: Table,
}

/// Buffers that [`Punkt`] reuses from text to text.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    left: String,
    right: String,
}

/// A position where a sentence may end.
#[derive(Clone, Copy)]
struct Candidate {
    /// The byte of the punctuation mark.
    at: usize,
    /// The end of the context after the mark.
    context_end: usize,
    /// The start of the next sentence, if not directly after the mark.
    next: Option<usize>,
}

/// A word and the result of the first pass for it.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    ends_sentence: bool,
    is_abbreviation: bool,
    is_ellipsis: bool,
}

/// Whether the case of a word indicates a sentence start.
#[derive(Clone, Copy, PartialEq)]
enum Starts {
    Yes,
    No,
    Unknown,
}

const NUMBER: &str = "##number##";

impl Punkt {
    /// Reads a model that `cargo xtask punkt` wrote. The bytes are checked once, here.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self> {
        Ok(Punkt { table: Table::from_bytes(bytes.into())? })
    }

    /// The embedded English model.
    #[cfg(feature = "punkt")]
    pub fn embedded() -> Result<Self> {
        Punkt::from_bytes(bolide_data::PUNKT_ENGLISH)
    }

    /// Appends the sentences of a text, as byte ranges.
    ///
    /// Space between sentences and at the end of the text belongs to none of them.
    pub fn sentences(
        &self,
        text: &str,
        scratch: &mut Scratch,
        sentences: &mut Vec<(usize, usize)>,
    ) {
        let first = sentences.len();
        let mut last = 0;
        let mut previous: Option<Candidate> = None;
        let (mut context_start, mut context_mark) = (0, 0);
        let mut split = |candidate: Candidate, start: usize, sentences: &mut Vec<_>| {
            let context = text.get(start..candidate.context_end).unwrap_or("");
            if self.ends_sentence(context, scratch) {
                sentences.push((last, candidate.at + 1));
                last = candidate.next.unwrap_or(candidate.at + 1);
            }
        };
        let mut from = 0;
        while let Some(mark) = next_mark(text.as_bytes(), from) {
            from = mark + 1;
            let Some(candidate) = candidate_at(text, mark) else { continue };
            // A context reaches back to the last blank. Marks without a blank between them share one context,
            // and only the last of them is decided. A blank that starts the text does not count, because NLTK
            // takes its offset zero for "not found".
            let between = &text.as_bytes()[context_mark..mark];
            let start = match between.iter().rposition(|&byte| is_ascii_blank(byte)) {
                Some(blank) if blank > 0 => context_mark + blank + 1,
                _ => context_start,
            };
            if let Some(previous) = previous
                && context_mark <= start
            {
                split(previous, context_start, sentences);
            }
            (context_start, context_mark) = (start, mark);
            previous = Some(candidate);
        }
        if let Some(previous) = previous {
            split(previous, context_start, sentences);
        }
        sentences.push((last, trim_end(text).len()));
        realign(text, sentences, first);
    }

    /// Decides for one context whether any word except the last ends a sentence.
    fn ends_sentence(&self, context: &str, scratch: &mut Scratch) -> bool {
        let mut left: Option<Word<'_>> = None;
        for line in context.split('\n').filter(|line| !line.chars().all(is_space)) {
            let mut words = Words { line };
            while let Some(text) = words.next() {
                let right = self.first_pass(text, &mut scratch.left);
                if let Some(left) = left
                    && self.second_pass(left, right, scratch)
                {
                    return true;
                }
                left = Some(right);
            }
        }
        false
    }

    /// The first pass: annotates a single word.
    fn first_pass<'t>(&self, text: &'t str, buffer: &mut String) -> Word<'t> {
        let mut word =
            Word { text, ends_sentence: false, is_abbreviation: false, is_ellipsis: false };
        if matches!(text, "." | "?" | "!") {
            word.ends_sentence = true;
        } else if text.len() > 1 && text.bytes().all(|byte| byte == b'.') {
            word.is_ellipsis = true;
        } else if text.ends_with('.') && !text.ends_with("..") {
            buffer.clear();
            push_lowercase(&text[..text.len() - 1], buffer);
            let is_abbreviation = |word: &str| self.table.flags(word) & ABBREVIATION != 0;
            let hyphen = buffer.bytes().rposition(|byte| byte == b'-');
            word.is_abbreviation = is_abbreviation(buffer)
                || hyphen.is_some_and(|at| is_abbreviation(&buffer[at + 1..]));
            word.ends_sentence = !word.is_abbreviation;
        }
        word
    }

    /// The second pass: decides whether a sentence ends between two neighbours.
    fn second_pass(&self, left: Word<'_>, right: Word<'_>, scratch: &mut Scratch) -> bool {
        if !left.text.ends_with('.') {
            return left.ends_sentence;
        }
        scratch.left.clear();
        push_type(left.text, true, &mut scratch.left);
        scratch.right.clear();
        push_type(right.text, right.ends_sentence, &mut scratch.right);

        let is_number = scratch.left == NUMBER;
        if self.table.starts_collocation(&scratch.left) {
            scratch.left.push('\t');
            scratch.left.push_str(&scratch.right);
            if self.table.flags(&scratch.left) & COLLOCATION != 0 {
                return false;
            }
        }

        let is_initial = is_initial(left.text);
        if !(left.is_abbreviation || left.is_ellipsis || is_initial || is_number) {
            return left.ends_sentence;
        }
        let flags = self.table.flags(&scratch.right);
        let starts = orthography(right.text, flags);
        let is_upper = right.text.chars().next().is_some_and(char::is_uppercase);
        if (left.is_abbreviation || left.is_ellipsis) && !is_initial {
            if starts == Starts::Yes {
                return true;
            }
            if is_upper && flags & STARTER != 0 {
                return true;
            }
        }
        if is_initial || is_number {
            if starts == Starts::No {
                return false;
            }
            if starts == Starts::Unknown && is_initial && is_upper && flags & SEEN_LOWER == 0 {
                return false;
            }
        }
        left.ends_sentence
    }
}

/// The next `.`, `?` or `!` from `from` on.
fn next_mark(bytes: &[u8], from: usize) -> Option<usize> {
    // Most of a text has no mark. Testing sixteen bytes at once, without an early exit and with `|` instead
    // of `||`, compiles to a few vector instructions.
    let is_mark = |&byte: &u8| (byte == b'.') | (byte == b'?') | (byte == b'!');
    let mut rest = bytes.get(from..)?;
    while let Some((chunk, behind)) = rest.split_first_chunk::<16>() {
        if chunk.iter().fold(false, |found, byte| found | is_mark(byte)) {
            break;
        }
        rest = behind;
    }
    let at = rest.iter().position(is_mark)?;
    Some(bytes.len() - rest.len() + at)
}

/// The candidate of a mark. It must be followed by a non-word character, or by space and a word.
fn candidate_at(text: &str, mark: usize) -> Option<Candidate> {
    let behind = &text[mark + 1..];
    let next = behind.chars().next()?;
    if is_no_word_character(next) {
        let context_end = mark + 1 + next.len_utf8();
        return Some(Candidate { at: mark, context_end, next: None });
    }
    if !next.is_whitespace() {
        return None;
    }
    let word = behind.trim_start();
    if word.is_empty() {
        return None;
    }
    let start = text.len() - word.len();
    let len = word.find(char::is_whitespace).unwrap_or(word.len());
    Some(Candidate { at: mark, context_end: start + len, next: Some(start) })
}

/// Moves closing quotes and brackets from the start of a sentence to the end of the previous one.
fn realign(text: &str, sentences: &mut Vec<(usize, usize)>, first: usize) {
    let mut shift = 0;
    let mut kept = first;
    for at in first..sentences.len() {
        let (start, mut end) = sentences[at];
        let start = start + shift;
        shift = 0;
        if let Some(&(next_start, next_end)) = sentences.get(at + 1) {
            let next = text.get(next_start..next_end).unwrap_or("");
            if let Some((closers, with_space)) = leading_closers(next) {
                end = next_start + closers;
                shift = with_space;
            }
        }
        if start < end {
            sentences[kept] = (start, end);
            kept += 1;
        }
    }
    sentences.truncate(kept);
}

/// The closers at the start of a sentence that belong to the previous one: their length, and their length
/// with the space after them. It is the shortest run that is followed by space, `--` or the end.
fn leading_closers(sentence: &str) -> Option<(usize, usize)> {
    let mut rest = sentence;
    while let Some(c) = rest.chars().next().filter(|&c| is_closer(c)) {
        rest = &rest[c.len_utf8()..];
        let spaceless = rest.trim_start();
        if rest.is_empty() || rest.starts_with("--") || spaceless.len() < rest.len() {
            return Some((sentence.len() - rest.len(), sentence.len() - spaceless.len()));
        }
    }
    None
}

/// The words of one line of a context, left to right.
struct Words<'t> {
    line: &'t str,
}

impl<'t> Words<'t> {
    fn next(&mut self) -> Option<&'t str> {
        self.line = self.line.trim_start();
        let first = self.line.chars().next()?;
        let mut len = multi_character_mark(self.line);
        if len == 0 {
            len = first.len_utf8();
            if !cannot_start_a_word(first) {
                while !self.word_ends_at(len) {
                    len += self.line[len..].chars().next().map_or(1, char::len_utf8);
                }
            }
        }
        let (word, rest) = self.line.split_at(len);
        self.line = rest;
        Some(word)
    }

    fn word_ends_at(&self, at: usize) -> bool {
        let rest = &self.line[at..];
        ends_a_word(rest.strip_prefix(',').unwrap_or(rest))
    }
}

/// Whether a word ends before this text: at the end, space, punctuation or a dash.
fn ends_a_word(rest: &str) -> bool {
    match rest.chars().next() {
        None => true,
        Some(c) => c.is_whitespace() || is_no_word_character(c) || multi_character_mark(rest) > 0,
    }
}

/// The length of a dash (`--`), an ellipsis (`...`) or a spaced ellipsis (`. . .`) at the start,
/// or zero.
fn multi_character_mark(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(&mark @ (b'-' | b'.')) => {
            let run = bytes.iter().take_while(|&&byte| byte == mark).count();
            if run > 1 {
                return run;
            }
            if mark == b'.' { spaced_ellipsis(text) } else { 0 }
        }
        _ => 0,
    }
}

/// The length of `.` space `.` space `.` with any number of further pairs, or zero.
fn spaced_ellipsis(text: &str) -> usize {
    let mut at = 0;
    let mut pairs = 0;
    loop {
        let rest = &text[at..];
        if !rest.starts_with('.') {
            return 0;
        }
        // The last mark may be single: it closes the ellipsis if no further pair follows.
        let space = rest[1..].chars().next().filter(|c| c.is_whitespace());
        let pair = 1 + space.map_or(0, char::len_utf8);
        if space.is_none() || !rest[pair..].starts_with('.') {
            return if pairs >= 2 { at + 1 } else { 0 };
        }
        at += pair;
        pairs += 1;
    }
}

/// Appends the type of a word: in lower case, with all numbers replaced alike. The bare type has no final
/// period.
fn push_type(word: &str, bare: bool, buffer: &mut String) {
    if is_number(word) {
        buffer.push_str(NUMBER);
        return;
    }
    let from = buffer.len();
    push_lowercase(word, buffer);
    if bare && buffer.len() - from > 1 && buffer.ends_with('.') {
        buffer.pop();
    }
}

/// Appends a word in lower case, like Python's `str.lower`.
fn push_lowercase(word: &str, buffer: &mut String) {
    if word.is_ascii() {
        let from = buffer.len();
        buffer.push_str(word);
        buffer[from..].make_ascii_lowercase();
    } else if word.contains('Σ') {
        // Only a sigma depends on its neighbours. Only this path allocates.
        buffer.push_str(&word.to_lowercase());
    } else {
        buffer.extend(word.chars().flat_map(char::to_lowercase));
    }
}

/// An optional sign, an optional mark, a digit, then digits and marks.
fn is_number(word: &str) -> bool {
    let word = word.strip_prefix('-').unwrap_or(word);
    let word = word.strip_prefix(['.', ',']).unwrap_or(word);
    let mut chars = word.chars();
    chars.next().is_some_and(is_decimal)
        && chars.all(|c| matches!(c, ',' | '.' | '-') || is_decimal(c))
}

/// One letter and a period.
fn is_initial(word: &str) -> bool {
    let mut chars = word.chars();
    let letter = chars.next().is_some_and(|c| is_word(c) && !is_decimal(c));
    letter && chars.as_str() == "."
}

/// The evidence from the case of a word and from the cases seen in training.
fn orthography(word: &str, flags: u8) -> Starts {
    if matches!(word, ";" | ":" | "," | "." | "!" | "?") {
        return Starts::No;
    }
    match word.chars().next() {
        Some(c) if c.is_uppercase() => {
            let seen = flags & (SEEN_LOWER | SEEN_UPPER_INSIDE);
            if seen == SEEN_LOWER { Starts::Yes } else { Starts::Unknown }
        }
        Some(c) if c.is_lowercase() && flags & ONLY_LOWER_AT_START == 0 => Starts::No,
        _ => Starts::Unknown,
    }
}

fn is_ascii_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Punctuation that is never part of a word.
fn is_no_word_character(c: char) -> bool {
    matches!(
        c,
        ')' | '"'
            | ';'
            | '}'
            | ']'
            | '*'
            | ':'
            | '@'
            | '\''
            | '('
            | '{'
            | '['
            | '‘'
            | '’'
            | '“'
            | '”'
            | '«'
            | '»'
            | '?'
            | '!'
    )
}

fn cannot_start_a_word(c: char) -> bool {
    matches!(
        c,
        '`' | '('
            | '"'
            | '{'
            | '['
            | ':'
            | ';'
            | '&'
            | '#'
            | '*'
            | '@'
            | ')'
            | '}'
            | ']'
            | '-'
            | ','
    )
}

fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '}' | '‘' | '’' | '“' | '”' | '«' | '»')
}

#[cfg(test)]
#[cfg(feature = "punkt")]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let punkt = Punkt::embedded().unwrap();
        let mut sentences = Vec::new();
        punkt.sentences(text, &mut Scratch::default(), &mut sentences);
        let sentences: Vec<&str> =
            sentences.iter().map(|&(start, end)| &text[start..end]).collect();
        assert_eq!(sentences, expected, "{text:?}");
    }

    #[test]
    fn sentences_end_where_they_should() {
        check("", &[]);
        check("One. Two? Three! Four", &["One.", "Two?", "Three!", "Four"]);
        check(" One.\n\nTwo. ", &[" One.", "Two."]);
        check("Wait!!! Why?! OK.", &["Wait!!!", "Why?!", "OK."]);
        check(" .? x", &[" .?", "x"]);
    }

    #[test]
    fn abbreviations_initials_and_numbers_do_not_end_one() {
        check("Dr. J. Smith of the U.S. army paid.", &["Dr. J. Smith of the U.S. army paid."]);
        check(
            "He left the U.S. However, she did not.",
            &["He left the U.S.", "However, she did not."],
        );
        check("They saw J. Wesselmann.", &["They saw J. Wesselmann."]);
        check("They saw J. World leaders.", &["They saw J.", "World leaders."]);
        check("No. 5. is alive", &["No.", "5. is alive"]);
        check("He waited ... and waited", &["He waited ... and waited"]);
        check("She waited ... The end", &["She waited ...", "The end"]);
    }

    #[test]
    fn closers_go_to_the_sentence_before() {
        check("\"Go!\" (Now.) He went.", &["\"Go!\"", "(Now.)", "He went."]);
        check("“Go.” He went.", &["“Go.”", "He went."]);
        check("(One. \") Two.", &["(One. \")", "Two."]);
    }

    #[test]
    fn a_spaced_ellipsis_is_one_word() {
        let lengths = [". .", ". . .", ". . . .", ". . x", "..", "...", "--", "-", ". . .. ."];
        assert_eq!(lengths.map(multi_character_mark), [0, 5, 7, 0, 2, 3, 2, 0, 5]);
    }
}
