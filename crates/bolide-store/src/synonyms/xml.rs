//! Just enough of XML to read WN-LMF: tags with their attributes, one at a time.
//!
//! Text between tags is skipped. Entities are those of XML itself: a file that declares others is refused, so none
//! can expand into more than it is.

use std::io::{self, BufRead, Read};

/// No tag of a wordnet is longer.
const LONGEST_TAG: u64 = 1 << 20;

/// A tag: `<name a="b">`, `<name/>` or `</name>`.
#[derive(Debug, Default)]
pub struct Tag {
    /// The name without `/`.
    pub name: String,
    /// Whether it is an end tag.
    pub is_end: bool,
    attributes: Vec<(String, String)>,
}

impl Tag {
    /// The value of an attribute, or nothing.
    pub fn get(&self, name: &str) -> &str {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }
}

/// The tags of a file.
pub struct Tags<R> {
    reader: R,
    /// The line where the last tag begins.
    pub line: usize,
    next_line: usize,
    buffer: Vec<u8>,
    /// Elements that are open.
    open: Vec<String>,
    has_root: bool,
}

/// No wordnet nests deeper.
const DEEPEST: usize = 100;

impl<R: BufRead> Tags<R> {
    pub fn new(reader: R) -> Self {
        let (buffer, open) = (Vec::new(), Vec::new());
        Tags { reader, line: 1, next_line: 1, buffer, open, has_root: false }
    }

    /// The next tag, or `None` at the end of a complete document.
    pub fn next(&mut self) -> Result<Option<Tag>, String> {
        loop {
            // The text before a tag may be long and is not kept.
            if !self.skip_text()? {
                return match (self.open.last(), self.has_root) {
                    (Some(name), _) => Err(format!("it ends inside of <{name}>: it is truncated")),
                    (None, false) => Err("it has no elements: this is not XML".to_owned()),
                    (None, true) => Ok(None),
                };
            }
            self.line = self.next_line;
            self.read_until(b'>')?;
            if self.buffer.starts_with(b"!--") {
                self.until(b"-->")?;
            } else if self.buffer.starts_with(b"![CDATA[") {
                self.until(b"]]>")?;
            } else if self.buffer.starts_with(b"!") {
                if self.buffer.contains(&b'[') {
                    let problem = "it declares entities of its own, which are not read";
                    return Err(self.fail(problem));
                }
            } else if self.buffer.starts_with(b"?") {
                self.until(b"?>")?;
            } else {
                return self.tag().map(Some);
            }
        }
    }

    fn fail(&self, problem: impl std::fmt::Display) -> String {
        format!("line {}: {problem}", self.line)
    }

    /// Skips to the next `<` and over it; `false` if there is none.
    fn skip_text(&mut self) -> Result<bool, String> {
        loop {
            let part = self.reader.fill_buf().map_err(|e| e.to_string())?;
            if part.is_empty() {
                return Ok(false);
            }
            let found = part.iter().position(|&byte| byte == b'<');
            let n = found.map_or(part.len(), |at| at + 1);
            self.next_line += count_lines(&part[..n]);
            self.reader.consume(n);
            if found.is_some() {
                return Ok(true);
            }
        }
    }

    /// Replaces the buffer by what is left of a tag, without its `>`.
    fn read_until(&mut self, byte: u8) -> Result<(), String> {
        self.buffer.clear();
        self.read_more(byte)
    }

    fn read_more(&mut self, byte: u8) -> Result<(), String> {
        let room = LONGEST_TAG.saturating_sub(self.buffer.len() as u64) + 1;
        let before = self.buffer.len();
        let n = (&mut self.reader).take(room).read_until(byte, &mut self.buffer);
        let n = n.map_err(|e: io::Error| e.to_string())?;
        self.next_line += count_lines(&self.buffer[before..]);
        if self.buffer.pop_if(|last| *last == byte).is_some() {
            return Ok(());
        }
        Err(self.fail(match n as u64 == room {
            true => "a tag is longer than 1 MB",
            false => "it ends inside a tag: it is truncated",
        }))
    }

    /// Reads on to the end of a comment and the like. Their text is not kept.
    fn until(&mut self, end: &[u8]) -> Result<(), String> {
        let (last, start) = end.split_last().map_or((b'>', end), |(&last, start)| (last, start));
        // A comment needs two hyphens of its own: '<!-->' is none.
        let mut is_first = start == b"--";
        loop {
            let least = if is_first { 5 } else { start.len() };
            if self.buffer.len() >= least && self.buffer.ends_with(start) {
                return Ok(());
            }
            is_first = false;
            let keep = self.buffer.len().saturating_sub(start.len());
            self.buffer.drain(..keep);
            self.buffer.push(last);
            self.read_more(last)?;
        }
    }

    fn tag(&mut self) -> Result<Tag, String> {
        let text = String::from_utf8(std::mem::take(&mut self.buffer))
            .map_err(|_| self.fail("it is not UTF-8"))?;
        let (text, is_end) = match text.strip_prefix('/') {
            Some(rest) => (rest, true),
            None => (text.as_str(), false),
        };
        let (text, is_empty) = match text.strip_suffix('/') {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let text = text.trim();
        let (name, attributes) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if name.is_empty() || name.contains(['"', '\'', '=', '&']) {
            return Err(self.fail("a tag without a name: this is not XML"));
        }
        let attributes = attributes_of(attributes).map_err(|e| self.fail(e))?;
        self.has_root = true;
        if is_end {
            if self.open.pop().as_deref() != Some(name) {
                return Err(self.fail(format!("</{name}> ends nothing")));
            }
        } else if !is_empty {
            self.open.push(name.to_owned());
            if self.open.len() > DEEPEST {
                return Err(self.fail("elements are nested more than 100 deep"));
            }
        }
        Ok(Tag { name: name.to_owned(), is_end, attributes })
    }
}

fn count_lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

fn attributes_of(mut text: &str) -> Result<Vec<(String, String)>, String> {
    let mut attributes = Vec::new();
    loop {
        text = text.trim_start();
        if text.is_empty() {
            return Ok(attributes);
        }
        let broken = || "an attribute without a value in quotes".to_owned();
        let (name, rest) = text.split_once('=').ok_or_else(broken)?;
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|c| ['"', '\''].contains(c)).ok_or_else(broken)?;
        let (value, rest) = rest[1..].split_once(quote).ok_or_else(broken)?;
        attributes.push((name.trim().to_owned(), unescape(value)?));
        text = rest;
    }
}

/// Replaces the entities that XML has without a declaration.
fn unescape(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let (name, after) = after.split_once(';').unwrap_or((after, ""));
        let number = match name.strip_prefix("#x").or_else(|| name.strip_prefix("#X")) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => name.strip_prefix('#').and_then(|digits| digits.parse().ok()),
        };
        let character = match name {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => number.and_then(char::from_u32),
        };
        let name: String = name.chars().take(20).collect();
        out.push(character.ok_or_else(|| format!("the entity '&{name};' is not one of XML's"))?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(text: &str) -> Result<Vec<String>, String> {
        let mut tags = Tags::new(text.as_bytes());
        let mut all = Vec::new();
        while let Some(tag) = tags.next()? {
            let end = if tag.is_end { "/" } else { "" };
            all.push(format!("{end}{} {:?}", tag.name, tag.attributes));
        }
        Ok(all)
    }

    #[test]
    fn tags_come_with_their_attributes() {
        let text = "\u{feff}<?xml version='1.0'?>\n<!DOCTYPE a SYSTEM \"x.dtd\">\n<!-- <no> > - -- -->\n<!---->\
                    <a  b = \"1 &amp; &#x41;&#66;\"\n c='\"'>text<![CDATA[ <x> ]] > ]]><d/></a>\n";
        let expected = [r#"a [("b", "1 & AB"), ("c", "\"")]"#, "d []", "/a []"];
        assert_eq!(tags(text).unwrap(), expected);
    }

    #[test]
    fn what_is_no_complete_xml_is_an_error_with_its_line() {
        for (text, problem) in [
            ("", "it has no elements: this is not XML"),
            ("words", "it has no elements: this is not XML"),
            ("<a>\n<b>", "it ends inside of <b>: it is truncated"),
            ("<a>\n<b c=\"", "line 2: it ends inside a tag: it is truncated"),
            ("<a>\n\n<!-- ", "line 3: it ends inside a tag: it is truncated"),
            ("<a></b>", "line 1: </b> ends nothing"),
            ("<a b=c>", "line 1: an attribute without a value in quotes"),
            ("<a b=\"&lol;\">", "line 1: the entity '&lol;' is not one of XML's"),
            ("<a b=\"&#xd800;\">", "line 1: the entity '&#xd800;' is not one of XML's"),
            (
                "<!DOCTYPE a [\n<!ENTITY lol \"lol\">",
                "line 1: it declares entities of its own, which are not read",
            ),
        ] {
            assert_eq!(tags(text).unwrap_err(), problem, "{text}");
        }
        let deep = "<a>".repeat(101);
        assert_eq!(tags(&deep).unwrap_err(), "line 1: elements are nested more than 100 deep");
        let long = format!("<a b=\"{}\"/>", "x".repeat(2 << 20));
        assert_eq!(tags(&long).unwrap_err(), "line 1: a tag is longer than 1 MB");
    }
}
