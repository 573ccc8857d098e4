//! SGML: sets of systems of documents of segments, scored against sets of references.

use super::lines;
use super::options::Options;
use super::order;
use super::plain::warn;
use super::render;
use crate::error::{Context as _, Result, anyhow, bail};
use bolide::meteor15::java::push_double;
use bolide::meteor15::{Meteor15, Score, Scratch, Totals};
use bolide::{Segment, Text};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// Segments by id.
type Document = BTreeMap<String, String>;
/// Documents by id.
type System = BTreeMap<String, Document>;

/// Systems (or references) in the order they first came.
#[derive(Debug, Default)]
struct Set {
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

    /// In the order that Java's table gives them.
    fn in_order(&self) -> Vec<(&str, &System)> {
        let ids: Vec<&str> = self.systems.iter().map(|(id, _)| id.as_str()).collect();
        let found = |id| self.systems.iter().find(|(known, _)| known == id);
        order::hashtable(&ids)
            .into_iter()
            .filter_map(|id| found(id).map(|(id, system)| (id.as_str(), system)))
            .collect()
    }
}

/// Sets in the order they first came.
#[derive(Debug, Default)]
struct Data {
    sets: Vec<(String, Set)>,
}

impl Data {
    fn set(&mut self, id: &str) -> &mut Set {
        let at = self.sets.iter().position(|(known, _)| known == id).unwrap_or_else(|| {
            self.sets.push((id.to_owned(), Set::default()));
            self.sets.len() - 1
        });
        &mut self.sets[at].1
    }

    fn get(&self, id: &str) -> Option<&Set> {
        self.sets.iter().find(|(known, _)| known == id).map(|(_, set)| set)
    }
}

/// A line of a score file, with what sorts it.
pub struct Line {
    /// Set, system, document, segment.
    pub place: String,
    value: String,
    alignment: String,
    /// The counts that the value was made from.
    pub totals: Totals,
}

/// Scores two SGML files: reports on stdout, and the three score files.
pub fn run(
    metric: &Meteor15,
    options: &Options,
    test: &Path,
    reference: &Path,
    out: &mut impl Write,
) -> Result<u8> {
    let mut files = Files::default();
    score(metric, options, test, reference, &mut files, |set, system, total, score| {
        if !options.statistics {
            let title = format!("[{set}][{system}] ");
            let report = render::report(&title, total, score, metric.configuration());
            writeln!(out, "{report}")?;
        }
        Ok(())
    })?;
    files.sort();
    files.write(options)?;
    Ok(0)
}

/// The segments of two SGML files in the order of the segment file.
pub fn segments(
    metric: &Meteor15,
    options: &Options,
    test: &Path,
    reference: &Path,
) -> Result<Vec<Line>> {
    let mut files = Files::default();
    score(metric, options, test, reference, &mut files, |_, _, _, _| Ok(()))?;
    files.sort();
    Ok(files.segments)
}

fn score(
    metric: &Meteor15,
    options: &Options,
    test: &Path,
    reference: &Path,
    files: &mut Files,
    mut report: impl FnMut(&str, &str, &Totals, &Score) -> Result<()>,
) -> Result<()> {
    let test_data = parse(test)?;
    let reference_data = parse(reference)?;
    let mut ids: Vec<&str> = test_data.sets.iter().map(|(id, _)| id.as_str()).collect();
    for (id, _) in &reference_data.sets {
        if !ids.contains(&id.as_str()) {
            ids.push(id);
        }
    }
    let mut scratch = Scratch::default();
    for id in order::hash_set(&ids) {
        let (Some(systems), Some(references)) = (test_data.get(id), reference_data.get(id)) else {
            bail!("the set '{id}' is not in both {} and {}", test.display(), reference.display());
        };
        let references = references.in_order();
        for (system, documents) in systems.in_order() {
            let scorer = Scorer { metric, options, set: id, system, references: &references };
            let (total, score) = scorer.system(documents, files, &mut scratch)?;
            report(id, system, &total, &score)?;
        }
    }
    Ok(())
}

struct Scorer<'a> {
    metric: &'a Meteor15,
    options: &'a Options,
    set: &'a str,
    system: &'a str,
    references: &'a [(&'a str, &'a System)],
}

impl Scorer<'_> {
    /// The value of a line: statistics, all four numbers, or the score.
    fn value(&self, totals: &Totals, score: &Score) -> String {
        let mut value = String::new();
        if self.options.statistics {
            totals.push_line(&mut value);
        } else if self.options.verbose {
            render::push_verbose(score, &mut value);
        } else {
            push_double(score.score, &mut value);
        }
        value
    }

    fn system(
        &self,
        documents: &System,
        files: &mut Files,
        scratch: &mut Scratch,
    ) -> Result<(Totals, Score)> {
        let (set, system) = (self.set, self.system);
        let mut ids: Vec<&str> = documents.keys().map(String::as_str).collect();
        let of_references = self.references.iter().flat_map(|(_, system)| system.keys());
        ids.extend(of_references.map(String::as_str));
        ids.sort_unstable();
        ids.dedup();
        let mut total = Totals::default();
        for id in ids {
            let Some(segments) = documents.get(id) else {
                eprintln!(
                    "Warning: no data for system [{system}] on document [{set}][{id}] - skipping"
                );
                continue;
            };
            let mut references = Vec::new();
            for (name, system) in self.references {
                match system.get(id) {
                    Some(document) => references.push((*name, document)),
                    None => eprintln!(
                        "Warning: no data for reference [{name}] on document [{set}][{id}]"
                    ),
                }
            }
            if references.is_empty() {
                eprintln!("Warning: no references for document [{set}][{id}] - skipping");
                continue;
            }
            let document = self.document(id, segments, &references, files, scratch)?;
            let score = self.metric.score(&document);
            files.documents.push(Line {
                place: format!("{set}\t{system}\t{id}"),
                value: self.value(&document, &score),
                alignment: String::new(),
                totals: document.clone(),
            });
            total.add(&document);
        }
        let score = self.metric.score(&total);
        files.systems.push(Line {
            place: format!("{set}\t{system}"),
            value: self.value(&total, &score),
            alignment: String::new(),
            totals: total.clone(),
        });
        Ok((total, score))
    }

    fn document(
        &self,
        document: &str,
        segments: &Document,
        references: &[(&str, &Document)],
        files: &mut Files,
        scratch: &mut Scratch,
    ) -> Result<Totals> {
        let (set, system) = (self.set, self.system);
        let mut ids: Vec<&str> = segments.keys().map(String::as_str).collect();
        ids.extend(references.iter().flat_map(|(_, segments)| segments.keys().map(String::as_str)));
        ids.sort_unstable();
        ids.dedup();
        let mut total = Totals::default();
        for id in ids {
            let hypothesis = match segments.get(id) {
                Some(text) => text.as_str(),
                None => {
                    eprintln!(
                        "Warning: no data for system [{system}] on segment [{set}][{document}][{id}] \
                         - scoring empty segment"
                    );
                    ""
                }
            };
            let mut texts = Vec::new();
            for (name, segments) in references {
                match segments.get(id) {
                    Some(text) => texts.push(Text::Raw(text)),
                    None => eprintln!(
                        "Warning: no data for reference [{name}] on segment [{set}][{document}][{id}]"
                    ),
                }
            }
            if texts.is_empty() {
                eprintln!(
                    "Warning: no references for segment [{set}][{document}][{id}] - skipping"
                );
                continue;
            }
            let segment = Segment::new(Text::Raw(hypothesis), &texts)?;
            let alignment = self.metric.align(segment, scratch);
            warn(scratch);
            let totals = alignment.stats.segment_totals();
            total.add(&totals);
            let score = self.metric.score(&totals);
            let place = format!("{set}\t{system}\t{document}\t{id}");
            let mut block = String::new();
            if self.options.alignments {
                render::push_alignment(&place, &alignment, &score, &mut block);
            }
            let value = self.value(&totals, &score);
            files.segments.push(Line { place, value, alignment: block, totals });
        }
        Ok(total)
    }
}

/// The lines of the score files.
#[derive(Default)]
struct Files {
    segments: Vec<Line>,
    documents: Vec<Line>,
    systems: Vec<Line>,
}

impl Files {
    fn text(line: &Line) -> String {
        format!("{}\t{}", line.place, line.value)
    }

    fn sort(&mut self) {
        let text = Self::text;
        sort_by(&mut self.segments, &|a, b| compare_segments(&text(a), &text(b)));
        for lines in [&mut self.documents, &mut self.systems] {
            lines.sort_by(|a, b| {
                let (a, b) = (text(a), text(b));
                compare_units(cut(&a).0, cut(&b).0)
            });
        }
    }

    fn write(self, options: &Options) -> Result<()> {
        let text = Self::text;
        let prefix = options.prefix();
        let write = |name: &str, content: String| {
            let path = format!("{prefix}-{name}");
            std::fs::write(&path, content).with_context(|| path.clone())
        };
        let all = |lines: &[Line]| lines.iter().map(|line| text(line) + "\n").collect::<String>();
        write("seg.scr", all(&self.segments))?;
        write("doc.scr", all(&self.documents))?;
        write("sys.scr", all(&self.systems))?;
        if options.alignments {
            let blocks = self.segments.iter().map(|line| line.alignment.as_str()).collect();
            write("align.out", blocks)?;
        }
        Ok(())
    }
}

/// Before and behind the last tab.
fn cut(text: &str) -> (&str, &str) {
    text.rsplit_once('\t').unwrap_or(("", text))
}

/// The jar compares what stands before the second-last tab, then what stands between the last two: with
/// verbose values that is not the segment's number.
fn compare_segments(a: &str, b: &str) -> Ordering {
    let ((a_place, a_id), (b_place, b_id)) = (cut(cut(a).0), cut(cut(b).0));
    compare_units(a_place, b_place).then_with(|| match (a_id.parse::<i32>(), b_id.parse::<i32>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        _ => compare_units(a_id, b_id),
    })
}

/// A stable sort that takes any comparison. The jar's is no order where only some ids are numbers
/// (10 < 2x < 9 < 10), and the standard sort may panic at that.
fn sort_by<T>(items: &mut Vec<T>, compare: &impl Fn(&T, &T) -> Ordering) {
    if items.len() < 2 {
        return;
    }
    let mut right = items.split_off(items.len() / 2);
    sort_by(items, compare);
    sort_by(&mut right, compare);
    let mut left = std::mem::take(items).into_iter().peekable();
    let mut right = right.into_iter().peekable();
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let next = if compare(a, b) == Ordering::Greater { right.next() } else { left.next() };
        items.extend(next);
    }
    items.extend(left.chain(right));
}

fn compare_units(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// Reads a file tag by tag.
fn parse(path: &Path) -> Result<Data> {
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

/// A `sysid` or `refid` on the line becomes the current system.
fn select(line: &str, system: &mut Option<String>) {
    if let Some(id) = attribute(line, "sysid").or_else(|| attribute(line, "refid")) {
        *system = Some(id);
    }
}

/// Whether the line has `<`, blanks and one of the words, in any case.
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
    // Where the last value that was looked at ends, and where the tag does, if that ends it. Tags that
    // are not closed share both, and are not to look for them again and again.
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
                // Without an end for this one there is none for those behind it.
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

/// How much of a closing tag the text so far ends with: 1 is `<`, 5 all but `>`.
#[derive(Default)]
struct Close(usize);

impl Close {
    /// Whether there is a closing tag, which may have begun in an earlier part of the text.
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

/// What stands between the tags, with blanks made spaces and entities resolved.
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
        // Each of these took the square of its length: minutes for these sizes.
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

    #[test]
    fn verbose_values_spoil_the_order_of_segments() {
        assert_eq!(compare_segments("s\ty\td\t2\t0.5", "s\ty\td\t10\t0.4"), Ordering::Less);
        assert_eq!(
            compare_segments("s\ty\td\t2\t1\t1\t0.0\t0.5", "s\ty\td\t10\t1\t1\t0.0\t0.4"),
            Ordering::Greater
        );
    }

    #[test]
    fn ids_that_are_in_no_order_are_sorted_all_the_same() {
        let line = |id: &str| format!("set\tsystem\tdocument\t{id}\t0.5");
        let mut lines: Vec<String> = Vec::new();
        for n in 0..200 {
            lines.push(line(&n.to_string()));
            lines.push(line(&format!("{}x", (n * 7) % 50)));
        }
        let mut sorted = lines.clone();
        sort_by(&mut sorted, &|a, b| compare_segments(a, b));
        sorted.sort_unstable();
        lines.sort_unstable();
        assert_eq!(sorted, lines);
        let mut numbers = ["10", "9", "2"].map(line).to_vec();
        sort_by(&mut numbers, &|a, b| compare_segments(a, b));
        assert_eq!(numbers, ["2", "9", "10"].map(line));
    }
}
