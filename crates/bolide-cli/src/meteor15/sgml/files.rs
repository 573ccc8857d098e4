//! The score files of an SGML run: one line for every segment, document and system, in the jar's order.

use crate::error::{Context as _, Result};
use crate::meteor15::options::Options;
use bolide::unstable::meteor15::Totals;
use std::cmp::Ordering;

/// A line of a score file, with its sort key.
pub struct Line {
    /// Set, system, document, segment.
    pub place: String,
    pub value: String,
    /// Its alignment as text; empty unless the user wants alignments.
    pub alignment: String,
    /// The counts that the value was computed from.
    pub totals: Totals,
}

/// The lines of the score files.
#[derive(Default)]
pub struct Files {
    pub segments: Vec<Line>,
    pub documents: Vec<Line>,
    pub systems: Vec<Line>,
}

impl Files {
    fn text(line: &Line) -> String {
        format!("{}\t{}", line.place, line.value)
    }

    pub fn sort(&mut self) {
        let text = Self::text;
        sort_by(&mut self.segments, &|a, b| compare_segments(&text(a), &text(b)));
        for lines in [&mut self.documents, &mut self.systems] {
            lines.sort_by(|a, b| {
                let (a, b) = (text(a), text(b));
                compare_units(cut(&a).0, cut(&b).0)
            });
        }
    }

    pub fn write(self, options: &Options) -> Result<()> {
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

/// The text before and after the last tab.
fn cut(text: &str) -> (&str, &str) {
    text.rsplit_once('\t').unwrap_or(("", text))
}

/// The jar compares the text before the second-last tab, then the text between the last two. With verbose
/// values, the latter is not the segment's number.
fn compare_segments(a: &str, b: &str) -> Ordering {
    let ((a_place, a_id), (b_place, b_id)) = (cut(cut(a).0), cut(cut(b).0));
    compare_units(a_place, b_place).then_with(|| match (a_id.parse::<i32>(), b_id.parse::<i32>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        _ => compare_units(a_id, b_id),
    })
}

/// A stable sort that accepts any comparison. If only some ids are numbers, the jar's comparison is not a total
/// order (10 < 2x < 9 < 10), and the standard sort may panic.
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

#[cfg(test)]
mod tests {
    use super::*;

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
