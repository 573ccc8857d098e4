//! Reads SGML as the jar does: by patterns on lines, not as a tree of tags. The parent module scores the
//! segments.

use crate::error::{Result, anyhow};
use crate::meteor15::{lines, order};
use std::collections::BTreeMap;
use std::path::Path;

/// Segments by id.
pub type Document = BTreeMap<String, String>;
/// Documents by id.
pub type System = BTreeMap<String, Document>;

/// Systems (or references) in the order of their first appearance.
#[derive(Debug, Default)]
pub struct Set {
    systems: Vec<(String, System)>,
}

impl Set {
    fn system(&mut self, id: &str) -> &mut System {
        let at = self.systems.iter().position(|(known, _)| known == id).unwrap_or_else(|| {
            self.systems.push((id.to_owned(), System::new()));
            self.systems.len() - 1
        });
        &mut self.systems[at].1
    }

    /// In the order of Java's hash table.
    pub fn in_order(&self) -> Vec<(&str, &System)> {
        let ids: Vec<&str> = self.systems.iter().map(|(id, _)| id.as_str()).collect();
        let found = |id| self.systems.iter().find(|(known, _)| known == id);
        order::hashtable(&ids)
            .into_iter()
            .filter_map(|id| found(id).map(|(id, system)| (id.as_str(), system)))
            .collect()
    }
}

/// Sets in the order of their first appearance.
#[derive(Debug, Default)]
pub struct Data {
    pub sets: Vec<(String, Set)>,
}

impl Data {
    fn set(&mut self, id: &str) -> &mut Set {
        let at = self.sets.iter().position(|(known, _)| known == id).unwrap_or_else(|| {
            self.sets.push((id.to_owned(), Set::default()));
            self.sets.len() - 1
        });
        &mut self.sets[at].1
    }

    pub fn get(&self, id: &str) -> Option<&Set> {
        self.sets.iter().find(|(known, _)| known == id).map(|(_, set)| set)
    }
}
/// Reads a file tag by tag.
pub fn parse(path: &Path) -> Result<Data> {
    let name = || path.display().to_string();
    let mut lines = lines::read(path)?.into_iter().enumerate();
    let mut data = Data::default();
    let (mut set, mut system, mut document) = (None::<String>, None::<String>, None::<String>);
    while let Some((at, mut line)) = lines.next() {
        let problem = |what: &str| anyhow!("{}: line {}: {what}", name(), at + 1);
        if has_tag(&line, &["tstset", "refset"]) {
            let id = attribute(&line, "setid").ok_or_else(|| problem("a set without setid"))?;
            set = Some(id);
            select(&line, &mut system);
        }
        if has_tag(&line, &["doc"]) {
            select(&line, &mut system);
            let (Some(set), Some(system)) = (&set, &system) else {
                return Err(problem("a document outside of a set, or without sysid or refid"));
            };
            let id =
                attribute(&line, "docid").ok_or_else(|| problem("a document without docid"))?;
            data.set(set).system(system).entry(id.clone()).or_default();
            document = Some(id);
        }
        let Some(id) = segment_id(&line) else { continue };
        let (Some(set), Some(system), Some(document)) = (&set, &system, &document) else {
            return Err(problem("a segment outside of a document"));
        };
        let mut close = Close::default();
        let mut closed = close.is_in(&line);
        while !closed {
            let Some((_, more)) = lines.next() else {
                return Err(problem("the segment that starts here does not end"));
            };
            closed = close.is_in(&more);
            line.push_str(&more);
        }
        let text = segment_text(&line).ok_or_else(|| problem("the segment cannot be read"))?;
        let document = data.set(set).system(system).entry(document.clone()).or_default();
        document.insert(id, text);
    }
    Ok(data)
}

/// Makes a `sysid` or `refid` on the line the current system.
fn select(line: &str, system: &mut Option<String>) {
    if let Some(id) = attribute(line, "sysid").or_else(|| attribute(line, "refid")) {
        *system = Some(id);
    }
}

/// Whether the line has `<`, white space and one of the words, in any case.
fn has_tag(line: &str, words: &[&str]) -> bool {
    line.match_indices('<').any(|(at, _)| {
        let rest = line[at + 1..].trim_start();
        words.iter().any(|word| starts_with_any_case(rest, word))
    })
}

fn starts_with_any_case(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// The value of `name="value"`, which must not be empty.
fn attribute(line: &str, name: &str) -> Option<String> {
    let lower = line.to_ascii_lowercase();
    lower.match_indices(name).find_map(|(at, _)| {
        let value = line[at + name.len()..].strip_prefix("=\"")?;
        let end = value.get(1..)?.find('"')? + 1;
        Some(value[..end].to_owned())
    })
}

/// The id of the first segment that starts on the line, and where the tag ends.
fn segment_start(line: &str) -> Option<(String, usize)> {
    // The end of the last value found, and the end of its tag if the tag ends there. Unclosed tags share both;
    // remembering them avoids a search for each tag, which would take quadratic time.
    let mut known: Option<(usize, Option<usize>)> = None;
    for (at, _) in line.match_indices('<') {
        let rest = line[at + 1..].trim_start();
        if !starts_with_any_case(rest, "seg") {
            continue;
        }
        let rest = &rest[3..];
        let after = rest.trim_start();
        if after.len() == rest.len() || !starts_with_any_case(after, "id") {
            continue;
        }
        let Some(value) = after[2..].trim_start().strip_prefix('=') else { continue };
        let value = value.trim_start();
        let value = value.strip_prefix('"').unwrap_or(value);
        let start = line.len() - value.len();
        let (end, tag_end) = match known {
            Some((end, tag_end)) if end >= start => (end, tag_end),
            _ => {
                // If this value does not end, no later value does.
                let end = start + value.find(['"', '>'])?;
                let tail = line[end..].strip_prefix('"').unwrap_or(&line[end..]).trim_start();
                let tag_end = tail.strip_prefix('>').map(|tail| line.len() - tail.len());
                known = Some((end, tag_end));
                (end, tag_end)
            }
        };
        let Some(tag_end) = tag_end else { continue };
        let id = line[start..end].trim_end();
        if !id.is_empty() {
            return Some((id.to_owned(), tag_end));
        }
    }
    None
}

fn segment_id(line: &str) -> Option<String> {
    segment_start(line).map(|(id, _)| id)
}

/// How much of a closing tag is at the end of the text so far: 1 is `<`, 5 is all but `>`.
#[derive(Default)]
struct Close(usize);

impl Close {
    /// Whether a closing tag ends in this part; it may have begun in an earlier one.
    fn is_in(&mut self, part: &str) -> bool {
        for c in part.chars() {
            self.0 = match (self.0, c.to_ascii_lowercase()) {
                (_, '<') => 1,
                (5, '>') => return true,
                (1, '/') => 2,
                (2, 's') => 3,
                (3, 'e') => 4,
                (4, 'g') => 5,
                (1 | 2 | 5, c) if c.is_whitespace() => self.0,
                _ => 0,
            };
        }
        false
    }
}

/// Where the last closing tag starts.
fn find_close(line: &str) -> Option<usize> {
    line.rmatch_indices('<').map(|(at, _)| at).find(|&at| {
        let rest = line[at + 1..].trim_start();
        let Some(rest) = rest.strip_prefix('/') else { return false };
        let rest = rest.trim_start();
        starts_with_any_case(rest, "seg") && rest[3..].trim_start().starts_with('>')
    })
}

/// The text between the tags, with white space converted to spaces and entities resolved.
fn segment_text(line: &str) -> Option<String> {
    let (_, start) = segment_start(line)?;
    let end = find_close(line)?;
    let text = line.get(start..end)?;
    if text.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
        return None;
    }
    let blank = |c: char| matches!(c, '\t' | '\n' | '\x0B' | '\x0C' | '\r');
    let text: String = text.chars().map(|c| if blank(c) { ' ' } else { c }).collect();
    let mut text = text.trim_matches(|c| c <= ' ').to_owned();
    for (entity, character) in
        [("&quot;", "\""), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
    {
        text = replace_any_case(&text, entity, character);
    }
    Some(text)
}

fn replace_any_case(text: &str, entity: &str, with: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in lower.match_indices(entity) {
        out.push_str(&text[done..at]);
        out.push_str(with);
        done = at + entity.len();
    }
    out + &text[done..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_recognised_by_their_one_attribute() {
        for (line, expected) in [
            ("<seg id=\"1\">a</seg>", Some(("1", "a"))),
            ("  < SEG id = 12 > a &AMP;lt; b </ seg > x", Some(("12", "a &lt; b"))),
            ("<seg id=\"1\" lang=\"en\">a</seg>", None),
            ("<segment id=\"1\">a</seg>", None),
            ("<seg id=\"\">a</seg>", None),
        ] {
            let found = segment_id(line).zip(segment_text(line));
            let expected = expected.map(|(id, text)| (id.to_owned(), text.to_owned()));
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn closing_tags_are_found_in_parts() {
        for text in
            ["a</seg>", "< / SEG >", "<</seg>x", "</seg", "</se g>", "<x/seg>", "</seg</seg>"]
        {
            let found = find_close(text).is_some();
            for cut in 0..=text.len() {
                let mut close = Close::default();
                let (one, other) = text.split_at(cut);
                assert_eq!(close.is_in(one) || close.is_in(other), found, "{text} at {cut}");
            }
        }
    }

    #[test]
    fn many_open_tags_take_no_longer_than_their_text() {
        // Each of these once took quadratic time: minutes at these sizes.
        let tags = "<seg id=x".repeat(200_000);
        assert_eq!(segment_start(&tags), None);
        assert_eq!(
            segment_start(&format!("{tags}{}\"{}y", " ".repeat(9), " ".repeat(99_999))),
            None
        );
        let mut close = Close::default();
        assert!((0..200_000).all(|_| !close.is_in("<  ")));
        assert!(close.is_in("/seg>"));
        assert_eq!(
            segment_start("<seg id=<seg id=7>").map(|found| found.0),
            Some("<seg id=7".into())
        );
    }

    #[test]
    fn attributes_and_tags() {
        let line = "<TSTSET SETID=\"a b\" sysid=\"x\">";
        assert!(has_tag(line, &["tstset", "refset"]));
        assert_eq!(attribute(line, "setid"), Some("a b".to_owned()));
        assert_eq!(attribute(line, "docid"), None);
        assert_eq!(attribute("docid=\"\"", "docid"), None);
        assert!(!has_tag("</doc>", &["doc"]));
        assert!(has_tag("< document>", &["doc"]));
    }
}
