//! Notices quotes that are never closed, in which line each row begins, and blank lines.
//!
//! To the crate `csv`, a field with an open quote ends where the file does, with all following rows in it, and a row begins right
//! behind the `\r` of the row before, in whose line the `\n` still is. This reader stands before it, follows the same rules, and ends a
//! file that breaks off within quotes with an error.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Read};

/// Passes bytes on.
pub struct Quotes<R> {
    reader: R,
    delimiter: u8,
    state: State,
    line: u64,
    /// What may still come of a byte order mark.
    mark: &'static [u8],
    /// The line in which the last quote was opened.
    opened: u64,
    /// Whether the next byte that ends no line begins a row.
    begins: bool,
    /// The byte before the next one.
    last: u8,
    /// The first blank line behind the last row.
    blank: Option<u64>,
    /// The rows that were not asked for yet.
    begun: VecDeque<Begun>,
}

/// Where a row begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// Its line.
    pub line: u64,
    /// The first blank line between the row before and this one. The crate `csv` skips them.
    pub blank: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// At the start of a field.
    Start,
    /// In a field without quotes, or behind a closing quote.
    Plain,
    Quoted,
    /// Behind a quote within quotes: the end of the field, unless another quote follows.
    Closing,
}

/// A quote that is not closed.
#[derive(Debug)]
pub struct Unclosed {
    line: u64,
}

impl fmt::Display for Unclosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: a quote is opened and never closed", self.line)
    }
}

impl std::error::Error for Unclosed {}

impl<R: Read> Quotes<R> {
    pub fn new(reader: R, delimiter: u8) -> Self {
        let mark = "\u{feff}".as_bytes();
        Quotes {
            reader,
            delimiter,
            state: State::Start,
            line: 1,
            mark,
            opened: 0,
            begins: true,
            last: b'\n',
            blank: None,
            begun: VecDeque::new(),
        }
    }

    /// Where the next row begins, from row to row.
    pub fn next_row(&mut self) -> Option<Begun> {
        self.begun.pop_front()
    }

    fn follow(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match self.mark {
                [first, rest @ ..] if *first == byte => {
                    self.mark = rest;
                    continue;
                }
                _ => self.mark = &[],
            }
            let ends_line = byte == b'\n' || byte == b'\r';
            if self.begins && !ends_line {
                self.begun.push_back(Begun { line: self.line, blank: self.blank.take() });
            } else if self.begins && (self.last, byte) != (b'\r', b'\n') {
                self.blank.get_or_insert(self.line);
            }
            self.last = byte;
            self.line += u64::from(byte == b'\n');
            self.begins = match self.state {
                State::Quoted => false,
                _ => ends_line,
            };
            let ends = byte == self.delimiter || byte == b'\n' || byte == b'\r';
            self.state = match (self.state, byte) {
                (State::Start, b'"') => {
                    self.opened = self.line;
                    State::Quoted
                }
                (State::Quoted, b'"') => State::Closing,
                (State::Quoted, _) | (State::Closing, b'"') => State::Quoted,
                _ if ends => State::Start,
                _ => State::Plain,
            };
        }
    }
}

impl<R: Read> Read for Quotes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.follow(&buffer[..n]);
        if n == 0 && !buffer.is_empty() && self.state == State::Quoted {
            return Err(io::Error::new(io::ErrorKind::InvalidData, Unclosed { line: self.opened }));
        }
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bolide_testdata::random::Random;

    /// A reader that gives a few bytes at a time.
    struct Slow<'a>(&'a [u8], Random);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = (1 + self.1.below(3)).min(self.0.len()).min(buffer.len());
            buffer[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    /// The line of an open quote, if there is one.
    fn open_in(text: &str) -> Option<String> {
        let mut read = String::new();
        let result = Quotes::new(Slow(text.as_bytes(), Random(1)), b',').read_to_string(&mut read);
        assert_eq!(read, text);
        result.err().map(|problem| problem.to_string())
    }

    #[test]
    fn a_quote_that_is_not_closed_is_named_with_its_line() {
        for text in [
            "",
            "a,b\n",
            "\"a\",\"b\nc\"",
            "a \"b,c\n",
            "\"a\"\"\",\"\"",
            "\u{feff}\"a,\"\n",
            "\"a\"b\"\n",
        ] {
            assert_eq!(open_in(text), None, "{text}");
        }
        for (text, line) in
            [("a,\"b\nc\n", 1), ("a\r\n\"\"\"\n\n", 2), ("\"a\nb\",\n\"", 3), ("\u{feff}\"a,\n", 1)]
        {
            let expected = format!("line {line}: a quote is opened and never closed");
            assert_eq!(open_in(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn rows_begin_in_the_line_of_their_first_character() {
        for text in [
            "\u{feff}h\n\"a\nb\",c\n\nd\n",
            "h\r\n\"a\r\nb\",c\r\n\r\nd\r\n",
            "h\n\"a\nb\",c\r\n\nd",
        ] {
            let mut quotes = Quotes::new(Slow(text.as_bytes(), Random(3)), b',');
            quotes.read_to_string(&mut String::new()).unwrap();
            let rows: Vec<u64> = std::iter::from_fn(|| Some(quotes.next_row()?.line)).collect();
            assert_eq!(rows, [1, 2, 5], "{text:?}");
        }
    }

    #[test]
    fn blank_lines_between_rows_are_noticed() {
        for (text, blank) in [
            ("h\na\nb\n", [None; 3]),
            ("h\r\na\r\nb\r\n\r\n", [None; 3]),
            ("h\ra\rb\r", [None; 3]),
            ("h\na\n\n\nb\n\n", [None, None, Some(3)]),
            ("h\r\n\r\na\r\n\"\r\n\r\n\"\r\n", [None, Some(2), None]),
            ("\u{feff}\nh\n\"\"\nb", [Some(1), None, None]),
        ] {
            let mut quotes = Quotes::new(Slow(text.as_bytes(), Random(4)), b',');
            quotes.read_to_string(&mut String::new()).unwrap();
            let rows: Vec<_> = std::iter::from_fn(|| Some(quotes.next_row()?.blank)).collect();
            assert_eq!(rows, blank, "{text:?}");
        }
    }

    /// Appended to a file without open quotes, a row is a row of its own; otherwise it is a part of the last field.
    #[test]
    fn the_rules_are_those_of_the_reader_behind() {
        let mut random = Random(9);
        let last = |text: &str| {
            let mut reader = csv::ReaderBuilder::new();
            let reader = reader.has_headers(false).flexible(true).from_reader(text.as_bytes());
            let rows: Vec<csv::StringRecord> = reader.into_records().map(Result::unwrap).collect();
            rows.last().map(|row| row.iter().collect::<Vec<_>>().join("|"))
        };
        let (mut open, mut closed) = (0, 0);
        for _ in 0..20_000 {
            let text = random.word(&['"', '"', ',', '\n', '\r', 'a', '\u{feff}'], 12);
            let is_closed = last(&format!("{text}\nend,of")).as_deref() == Some("end|of");
            assert_eq!(open_in(&text).is_none(), is_closed, "{text:?}");
            let mut quotes = Quotes::new(Slow(text.as_bytes(), Random(2)), b',');
            let _ = quotes.read_to_string(&mut String::new());
            let mut reader = csv::ReaderBuilder::new();
            let reader = reader.has_headers(false).flexible(true).from_reader(text.as_bytes());
            let rows = std::iter::from_fn(|| quotes.next_row()).count();
            assert_eq!(rows, reader.into_records().count(), "{text:?}");
            *(if is_closed { &mut closed } else { &mut open }) += 1;
        }
        assert!(open > 5_000 && closed > 5_000, "{open} {closed}");
    }
}
