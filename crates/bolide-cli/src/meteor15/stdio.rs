//! The line protocol on stdin and stdout: SCORE, EVAL and SING.
//!
//! A request is one line, a response one or more. Responses are flushed when no further complete request is
//! in the buffer: a client that waits gets its response, and a client that streams is served fast. If a
//! statistics line is malformed, the jar ends with an exception; this responds with the error text for a
//! missing line and continues.

use super::lines::Lines;
use super::plain::warn;
use crate::error::Result;
use bolide::unstable::Definition;
use bolide::unstable::meteor15::java::push_double;
use bolide::unstable::meteor15::{Meteor15, Scratch, Totals};
use bolide::{Segment, Text};
use std::io::{BufReader, Read, Write};

const NO_REFERENCE: &str = "Error: specify hypothesis and at least one reference";
const NO_STATISTICS: &str = "Error: specify Meteor stats";
const NO_COMMAND: &str = "Error: specify SCORE or EVAL or SING";

/// Answers requests until the input ends.
pub fn run(metric: &Meteor15, input: impl Read, out: &mut impl Write) -> Result<u8> {
    let mut lines = Lines::new(BufReader::with_capacity(1 << 16, input));
    let mut server = Server { metric, scratch: Scratch::default() };
    let mut line = String::new();
    let mut answer = String::new();
    while lines.next(&mut line)? {
        answer.clear();
        server.answer(&line, &mut answer);
        out.write_all(answer.as_bytes())?;
        warn(&mut server.scratch);
        if !lines.has_more() {
            out.flush()?;
        }
    }
    Ok(0)
}

struct Server<'m> {
    metric: &'m Meteor15,
    scratch: Scratch,
}

impl Server<'_> {
    fn answer(&mut self, request: &str, out: &mut String) {
        let mut pieces: Vec<&str> = request.split("|||").collect();
        // Drop trailing empty pieces; if all are empty, so is the request.
        while pieces.len() > 1 && pieces.last().is_some_and(|piece| piece.is_empty()) {
            pieces.pop();
        }
        let command = pieces.first().copied().unwrap_or_default();
        let is =
            |upper: &str, lower: &str| command.starts_with(upper) || command.starts_with(lower);
        if is("SCORE", "score") {
            self.score(&pieces, out);
        } else if is("EVAL", "eval") {
            self.evaluate(&pieces[1..], out);
        } else if is("SING", "sing") {
            match pieces[..] {
                [_, line] => self.single(line, out),
                _ => out.push_str(NO_STATISTICS),
            }
        } else {
            out.push_str(NO_COMMAND);
        }
        out.push('\n');
    }

    fn score(&mut self, pieces: &[&str], out: &mut String) {
        let [_, references @ .., hypothesis] = pieces else {
            return out.push_str(NO_REFERENCE);
        };
        let trim = |text: &str| -> (usize, usize) {
            let end = text.trim_end_matches(|c| c <= ' ').len();
            (end - text[..end].trim_start_matches(|c| c <= ' ').len(), end)
        };
        let trimmed = |text| {
            let (start, end) = trim(text);
            Text::Raw(&text[start..end])
        };
        let references: Vec<Text<'_>> = references.iter().map(|&text| trimmed(text)).collect();
        match Segment::new(trimmed(hypothesis), &references) {
            Ok(segment) => {
                let stats = self.metric.segment(segment, &mut self.scratch);
                stats.segment_totals().push_line(out);
            }
            Err(_) => out.push_str(NO_REFERENCE),
        }
    }

    fn single(&self, line: &str, out: &mut String) {
        match statistics(line) {
            Some(totals) => push_double(self.metric.score(&totals).score, out),
            None => out.push_str(NO_STATISTICS),
        }
    }

    fn evaluate(&self, lines: &[&str], out: &mut String) {
        let all: Option<Vec<Totals>> = lines.iter().map(|line| statistics(line)).collect();
        let all = match all {
            Some(all) if !all.is_empty() => all,
            _ => return out.push_str(NO_STATISTICS),
        };
        let mut sum = Totals::default();
        for totals in &all {
            push_double(self.metric.score(totals).score, out);
            out.push('\n');
            sum.add(totals);
        }
        push_double(self.metric.score(&sum).score, out);
    }
}

/// Reads 23 numbers; more are ignored.
fn statistics(line: &str) -> Option<Totals> {
    let blank = |c| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0C');
    let mut tokens = line.split(blank).filter(|token| !token.is_empty());
    let mut numbers = [0.0; 23];
    for number in &mut numbers {
        *number = decimal(tokens.next()?)?;
    }
    Some(Totals::from_numbers(&numbers))
}

/// The number at the start of a token, as Java's English number format reads it: grouping commas
/// are skipped, an exponent needs a capital E, and the rest of the token is ignored.
fn decimal(token: &str) -> Option<f64> {
    let mut text = String::with_capacity(token.len());
    let mut rest = token.chars().peekable();
    if let Some(sign) = rest.next_if_eq(&'-') {
        text.push(sign);
    }
    let mut digits = 0;
    while let Some(c) = rest.next_if(|&c| c.is_ascii_digit() || (c == ',' && digits > 0)) {
        if c != ',' {
            text.push(c);
            digits += 1;
        }
    }
    if let Some(point) = rest.next_if_eq(&'.') {
        text.push(point);
        while let Some(c) = rest.next_if(char::is_ascii_digit) {
            text.push(c);
            digits += 1;
        }
    }
    if digits == 0 {
        return None;
    }
    let plain = text.len();
    if rest.next_if_eq(&'E').is_some() {
        text.push('e');
        if let Some(sign) = rest.next_if_eq(&'-') {
            text.push(sign);
        }
        let before = text.len();
        while let Some(c) = rest.next_if(char::is_ascii_digit) {
            text.push(c);
        }
        if text.len() == before {
            text.truncate(plain);
        }
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_java_reads_them() {
        for (token, expected) in [
            ("1.0", Some(1.0)),
            ("1,000", Some(1000.0)),
            ("1.0E7", Some(1e7)),
            ("1.5E-4", Some(1.5e-4)),
            ("12abc", Some(12.0)),
            ("1e5", Some(1.0)),
            ("-3", Some(-3.0)),
            (".5", Some(0.5)),
            ("5.", Some(5.0)),
            ("x", None),
            ("", None),
            ("+1", None),
        ] {
            assert_eq!(decimal(token), expected, "{token}");
        }
    }
}
