//! NLTK 3.10.4's Treebank-style word tokenizer, rule by rule.
//!
//! This is the definition: 27 rewriting passes over the characters of one sentence, in NLTK's order, then a
//! split at white space. Every character keeps its byte range in the text, so that tokens have spans.
//! [`super::treebank_scan`] produces the same tokens in one pass for almost all text. This module handles the
//! rest and serves as the reference in tests.

use super::Tokens;
use super::character_class::{is_decimal, is_python_word, is_word};
use super::whitespace::is_space;

/// Buffers reused from sentence to sentence.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    characters: Vec<Character>,
    rewritten: Vec<Character>,
    token: String,
}

/// A character and its byte range in the text.
#[derive(Clone, Copy, Debug)]
struct Character {
    c: char,
    start: usize,
    end: usize,
}

/// A blank that a rule inserts. It never becomes part of a token, so it needs no position.
const BLANK: Character = Character { c: ' ', start: 0, end: 0 };

/// Words split in two: the first part, the second.
const CONTRACTIONS: [(&str, &str); 7] = [
    ("can", "not"),
    ("d", "'ye"),
    ("gim", "me"),
    ("gon", "na"),
    ("got", "ta"),
    ("lem", "me"),
    ("more", "'n"),
];

/// Appends the tokens of one sentence, which starts at byte `offset` of the text.
pub(super) fn tokenize(sentence: &str, offset: usize, scratch: &mut Scratch, tokens: &mut Tokens) {
    scratch.characters.clear();
    scratch.characters.extend(sentence.char_indices().map(|(at, c)| Character {
        c,
        start: offset + at,
        end: offset + at + c.len_utf8(),
    }));
    let mut rules = Rules { from: &mut scratch.characters, to: &mut scratch.rewritten };
    rules.opening_quotes();
    rules.punctuation();
    rules.brackets_and_dashes();
    rules.closing_quotes();
    rules.clitics();
    rules.contractions();

    let token = &mut scratch.token;
    token.clear();
    let mut span: Option<(usize, usize)> = None;
    for character in scratch.characters.iter().chain([&BLANK]) {
        if !is_space(character.c) {
            token.push(character.c);
            span = Some((span.map_or(character.start, |(start, _)| start), character.end));
        } else if let Some((start, end)) = span.take() {
            tokens.push(token, start, end);
            token.clear();
        }
    }
}

/// The sentence after the rules so far, and the output buffer of the next rule.
struct Rules<'s> {
    from: &'s mut Vec<Character>,
    to: &'s mut Vec<Character>,
}

impl Rules<'_> {
    fn opening_quotes(&mut self) {
        self.pad_where(|c| matches!(c, '«' | '“' | '‘' | '„'));
        self.pad_runs('`', 1);
        if let Some(&first) = self.from.first()
            && first.c == '"'
        {
            let backtick = Character { c: '`', ..first };
            self.from.splice(..1, [backtick, backtick]);
        }
        self.pad_pairs('`');
        // A quote after a blank or an opening bracket opens.
        self.rewrite(|rest, to| {
            let opens = |c| matches!(c, ' ' | '(' | '[' | '{' | '<');
            match rest {
                [before, quote, ..] if opens(before.c) && quote.c == '"' => {
                    let backtick = Character { c: '`', ..*quote };
                    to.extend([*before, BLANK, backtick, backtick, BLANK]);
                    2
                }
                [before, one, two, ..] if opens(before.c) && one.c == '\'' && two.c == '\'' => {
                    let backtick = |quote: &Character| Character { c: '`', ..*quote };
                    to.extend([*before, BLANK, backtick(one), backtick(two), BLANK]);
                    3
                }
                _ => copy(rest, to),
            }
        });
        // An apostrophe before a word, unless it belongs to the word.
        let mut before_is_word = false;
        self.rewrite(|rest, to| {
            let separates = rest[0].c == '\''
                && !before_is_word
                && rest.get(1).is_some_and(|next| is_word(next.c))
                && !starts_with_clitic(&rest[1..]);
            before_is_word = is_word(rest[0].c);
            copy(rest, to);
            if separates {
                to.push(BLANK);
            }
            1
        });
    }

    fn punctuation(&mut self) {
        self.final_period(true);
        self.rewrite(|rest, to| match rest {
            [mark, next, ..] if matches!(mark.c, ':' | ',') && !is_decimal(next.c) => {
                to.extend([BLANK, *mark, BLANK, *next]);
                2
            }
            _ => copy(rest, to),
        });
        if let Some(&last) = self.from.last()
            && matches!(last.c, ':' | ',')
        {
            self.from.pop();
            self.from.extend([BLANK, last, BLANK]);
        }
        self.pad_runs('.', 2);
        self.pad_where(|c| matches!(c, ';' | '@' | '#' | '$' | '%' | '&'));
        self.pad_where(|c| ('\u{2012}'..='\u{2015}').contains(&c));
        self.final_period(false);
        self.pad_where(|c| matches!(c, '?' | '!'));
        self.rewrite(|rest, to| match rest {
            [before, quote, blank, ..] if before.c != '\'' && quote.c == '\'' && blank.c == ' ' => {
                to.extend([*before, BLANK, *quote, *blank]);
                3
            }
            _ => copy(rest, to),
        });
        self.pad_where(|c| c == '*');
    }

    /// Separates the period that ends the sentence from the word before it; in the first pass also from the
    /// closing quotes and brackets after it.
    fn final_period(&mut self, first: bool) {
        let Some(period) = self.from.iter().rposition(|character| character.c == '.') else {
            return;
        };
        if period == 0 || self.from[period - 1].c == '.' {
            return;
        }
        let is_closer = |c| match c {
            ']' | ')' | '}' | '>' | '"' | '\'' => true,
            '»' | '”' | '’' | ' ' => first,
            _ => false,
        };
        let behind = &self.from[period + 1..];
        let n_closers = behind.iter().take_while(|character| is_closer(character.c)).count();
        if !behind[n_closers..].iter().all(|character| character.c.is_whitespace()) {
            return;
        }
        self.from.truncate(period + 1 + n_closers);
        if first {
            self.from.insert(period + 1, BLANK);
        }
        self.from.insert(period, BLANK);
        self.from.push(BLANK);
    }

    fn brackets_and_dashes(&mut self) {
        self.pad_where(|c| matches!(c, ']' | '[' | '(' | ')' | '{' | '}' | '<' | '>'));
        self.pad_pairs('-');
    }

    fn closing_quotes(&mut self) {
        self.from.insert(0, BLANK);
        self.from.push(BLANK);
        self.pad_where(|c| matches!(c, '»' | '”' | '’'));
        self.pad_pairs('\'');
        self.rewrite(|rest, to| {
            if rest[0].c != '"' {
                return copy(rest, to);
            }
            let quote = Character { c: '\'', ..rest[0] };
            to.extend([BLANK, quote, quote, BLANK]);
            1
        });
        self.rewrite(|rest, to| {
            let n_spaces = rest.iter().take_while(|character| character.c.is_whitespace()).count();
            if n_spaces == 0 {
                return copy(rest, to);
            }
            to.push(BLANK);
            n_spaces
        });
    }

    fn clitics(&mut self) {
        self.split_clitics(&["'s", "'S", "'m", "'M", "'d", "'D", "'"]);
        self.split_clitics(&["'ll", "'LL", "'re", "'RE", "'ve", "'VE", "n't", "N'T"]);
    }

    fn split_clitics(&mut self, clitics: &[&str]) {
        self.rewrite(|rest, to| {
            if matches!(rest[0].c, '\'' | ' ') {
                return copy(rest, to);
            }
            for clitic in clitics {
                let behind = &rest[1..];
                if starts_with(behind, clitic, |c, wanted| c == wanted)
                    && behind.get(clitic.len()).is_some_and(|character| character.c == ' ')
                {
                    to.extend([rest[0], BLANK]);
                    to.extend_from_slice(&behind[..=clitic.len()]);
                    return clitic.len() + 2;
                }
            }
            copy(rest, to)
        });
    }

    fn contractions(&mut self) {
        for (first, second) in CONTRACTIONS {
            self.split_word(first, second, |next| !next.is_some_and(is_python_word));
        }
        self.split_word("wan", "na", |next| next.is_some_and(is_space));
        for second in ["is", "was"] {
            self.rewrite(|rest, to| {
                if rest[0].c == ' '
                    && starts_with(&rest[1..], "'t", ignoring_case)
                    && starts_with(&rest[3..], second, ignoring_case)
                    && !rest.get(3 + second.len()).is_some_and(|next| is_python_word(next.c))
                {
                    to.extend([BLANK, rest[1], rest[2], BLANK]);
                    to.extend_from_slice(&rest[3..3 + second.len()]);
                    to.push(BLANK);
                    return 3 + second.len();
                }
                copy(rest, to)
            });
        }
    }

    /// Splits a word wherever it occurs between non-word characters.
    fn split_word(&mut self, first: &str, second: &str, may_follow: impl Fn(Option<char>) -> bool) {
        let mut before_is_word = false;
        self.rewrite(|rest, to| {
            let len = first.len() + second.len();
            if !before_is_word
                && starts_with(rest, first, ignoring_case)
                && starts_with(&rest[first.len()..], second, ignoring_case)
                && may_follow(rest.get(len).map(|next| next.c))
            {
                to.push(BLANK);
                to.extend_from_slice(&rest[..first.len()]);
                to.push(BLANK);
                to.extend_from_slice(&rest[first.len()..len]);
                to.push(BLANK);
                before_is_word = is_python_word(rest[len - 1].c);
                return len;
            }
            before_is_word = is_python_word(rest[0].c);
            copy(rest, to)
        });
    }

    /// Goes through the sentence once. The rule gets the rest, which is never empty, appends its replacement
    /// for the start, and returns how many characters it consumed.
    fn rewrite(&mut self, mut rule: impl FnMut(&[Character], &mut Vec<Character>) -> usize) {
        self.to.clear();
        let mut at = 0;
        while at < self.from.len() {
            at += rule(&self.from[at..], self.to);
        }
        std::mem::swap(self.from, self.to);
    }

    /// Puts a blank on both sides of each character of a class.
    fn pad_where(&mut self, is_padded: impl Fn(char) -> bool) {
        if !self.from.iter().any(|character| is_padded(character.c)) {
            return;
        }
        self.rewrite(|rest, to| {
            if is_padded(rest[0].c) {
                to.extend([BLANK, rest[0], BLANK]);
                return 1;
            }
            copy(rest, to)
        });
    }

    /// Puts a blank on both sides of each maximal run of a character of at least some length.
    fn pad_runs(&mut self, c: char, min_len: usize) {
        self.rewrite(|rest, to| {
            let len = rest.iter().take_while(|character| character.c == c).count();
            if len == 0 {
                return copy(rest, to);
            }
            if len < min_len {
                to.extend_from_slice(&rest[..len]);
                return len;
            }
            to.push(BLANK);
            to.extend_from_slice(&rest[..len]);
            to.push(BLANK);
            len
        });
    }

    /// Puts a blank on both sides of each pair of a character, from the left.
    fn pad_pairs(&mut self, c: char) {
        self.rewrite(|rest, to| match rest {
            [one, two, ..] if one.c == c && two.c == c => {
                to.extend([BLANK, *one, *two, BLANK]);
                2
            }
            _ => copy(rest, to),
        });
    }
}

/// Copies the first character.
fn copy(rest: &[Character], to: &mut Vec<Character>) -> usize {
    to.extend(rest.first());
    1
}

/// Whether a clitic without its apostrophe starts here, and ends the word.
fn starts_with_clitic(rest: &[Character]) -> bool {
    ["re", "ve", "ll", "m", "t", "s", "d", "n"].iter().any(|clitic| {
        starts_with(rest, clitic, ignoring_case)
            && !rest.get(clitic.len()).is_some_and(|next| is_word(next.c))
    })
}

/// Whether the characters start with an ASCII word.
fn starts_with(rest: &[Character], word: &str, equal: impl Fn(char, char) -> bool) -> bool {
    rest.len() >= word.len()
        && rest.iter().zip(word.chars()).all(|(character, wanted)| equal(character.c, wanted))
}

/// Equality with a lower-case ASCII character, ignoring case as Python's `re` does.
fn ignoring_case(c: char, wanted: char) -> bool {
    c.to_ascii_lowercase() == wanted || matches!((c, wanted), ('İ' | 'ı', 'i') | ('ſ', 's'))
}
