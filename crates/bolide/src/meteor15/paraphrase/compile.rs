//! Compiles a paraphrase table from its records.
//!
//! Records are added in the order of the source, because the order of a phrase's pairs and their repeats
//! affect scores. The trie grows in a hash map and is laid out once, at the end.

use super::{MAGIC, checksum, edges};
use crate::error::{Error, ErrorKind, Result};
use rustc_hash::FxHashMap;

/// Reads the text of a table, which comes in slices of any size, and collects its records: three lines each, a
/// number and two phrases.
#[derive(Debug, Default)]
pub struct Records {
    compiler: Compiler,
    /// The number and the first phrase of the current record, if they were read.
    fields: [String; 2],
    n_fields: usize,
    /// The start of a line that the next slice continues.
    open: Vec<u8>,
    n_lines: usize,
}

/// No table that people keep has longer lines.
const LONGEST_LINE: usize = 1 << 20;

impl Records {
    /// No records yet.
    pub fn new() -> Self {
        Records { compiler: Compiler::new(), ..Records::default() }
    }

    /// Reads the next bytes of the text. Lines end at LF or CRLF.
    pub fn read(&mut self, bytes: &[u8]) -> Result<()> {
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            let (line, after) = (&rest[..end], &rest[end + 1..]);
            if self.open.is_empty() {
                self.line(line)?;
            } else {
                let mut whole = std::mem::take(&mut self.open);
                whole.extend_from_slice(line);
                self.line(&whole)?;
                whole.clear();
                self.open = whole;
            }
            rest = after;
        }
        self.open.extend_from_slice(rest);
        self.bounded(self.open.len())
    }

    fn bounded(&self, length: usize) -> Result<()> {
        if length <= LONGEST_LINE {
            return Ok(());
        }
        let at = self.n_lines + 1;
        Err(wrong(format!("line {at} is longer than 1 MB: no table has such lines")))
    }

    fn line(&mut self, line: &[u8]) -> Result<()> {
        self.bounded(line.len())?;
        self.n_lines += 1;
        let text = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
        match self.n_fields {
            0 if text.trim().parse::<f64>().is_err() => {
                let at = self.n_lines;
                Err(wrong(format!("line {at} is no number: this is not a METEOR paraphrase table")))
            }
            2 => {
                self.compiler.add(&self.fields[1], &text);
                self.n_fields = 0;
                Ok(())
            }
            at => {
                self.fields[at].clear();
                self.fields[at].push_str(&text);
                self.n_fields += 1;
                Ok(())
            }
        }
    }

    /// The records, at the end of the text.
    pub fn finish(mut self) -> Result<Compiler> {
        if !self.open.is_empty() {
            let line = std::mem::take(&mut self.open);
            self.line(&line)?;
        }
        match self.n_fields {
            0 => Ok(self.compiler),
            _ => Err(wrong(format!("it ends inside a record, at line {}", self.n_lines + 1))),
        }
    }
}

fn wrong(what: String) -> Error {
    Error::new(ErrorKind::InvalidTable, what)
}

/// Collects records.
#[derive(Debug, Default)]
pub struct Compiler {
    words: FxHashMap<Box<str>, u32>,
    /// Maps a node and a word to the next node. Nodes are numbered in order of creation; 0 is the root.
    edges: FxHashMap<(u32, u32), u32>,
    n_nodes: u32,
    records: Vec<(u32, u32)>,
    /// The last first phrase, because tables list the pairs of a phrase together.
    last: (String, u32),
}

impl Compiler {
    /// An empty table.
    pub fn new() -> Self {
        Compiler { n_nodes: 1, ..Compiler::default() }
    }

    /// Adds a pair: the first phrase can be paraphrased by the second. Words are separated by ASCII blanks. A
    /// record with an empty phrase can never match and is left out.
    pub fn add(&mut self, first: &str, second: &str) {
        let from = if self.last.0 == first {
            self.last.1
        } else {
            let node = self.phrase(first);
            self.last.0.clear();
            self.last.0.push_str(first);
            self.last.1 = node;
            node
        };
        let to = self.phrase(second);
        if from != 0 && to != 0 {
            self.records.push((from, to));
        }
    }

    /// Whether no record that can match was added.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    fn phrase(&mut self, phrase: &str) -> u32 {
        let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0C');
        let mut node = 0;
        for word in phrase.split(blank).filter(|word| !word.is_empty()) {
            let word = match self.words.get(word) {
                Some(&word) => word,
                None => {
                    let id = self.words.len() as u32;
                    self.words.insert(word.into(), id);
                    id
                }
            };
            let next = &mut self.n_nodes;
            node = *self.edges.entry((node, word)).or_insert_with(|| {
                *next += 1;
                *next - 1
            });
        }
        node
    }

    /// Lays the table out. `language` is the short name, `source` the SHA-256 of the source file.
    pub fn finish(self, language: &str, source: [u8; 32]) -> Result<Vec<u8>> {
        let Compiler { words, edges, n_nodes, records, .. } = self;
        if language.len() > 20 || n_nodes == u32::MAX || records.len() > u32::MAX as usize / 2 {
            return Err(Error::new(
                ErrorKind::InvalidTable,
                "the paraphrase table is too large, or the name of its language too long",
            ));
        }
        // Words are sorted by their bytes, for binary search.
        let mut sorted: Vec<(Box<str>, u32)> = drain(words);
        sorted.sort_unstable();
        let mut edges: Vec<(u32, u32, u32)> =
            drain(edges).into_iter().map(|((from, word), to)| (from, word, to)).collect();
        // Numbers follow the frequency of the words in phrases, so that data used together is close together.
        let word_ids = numbers_by_use(&edges, &sorted);
        edges.iter_mut().for_each(|edge| edge.1 = word_ids[edge.1 as usize]);
        edges.sort_unstable();
        let layout = Layout::new(&edges, n_nodes);

        let mut out = Vec::new();
        out.extend_from_slice(MAGIC);
        let n_word_bytes: usize = sorted.iter().map(|(word, _)| word.len()).sum();
        for count in [sorted.len(), n_word_bytes, n_nodes as usize, records.len(), 0] {
            let Ok(count) = u32::try_from(count) else {
                return Err(Error::new(ErrorKind::InvalidTable, "the table has too many words"));
            };
            push(&mut out, count);
        }
        out.extend_from_slice(&[0; 8]);
        out.extend_from_slice(&source);
        let mut name = [0; 20];
        name[..language.len()].copy_from_slice(language.as_bytes());
        out.extend_from_slice(&name);

        let mut end = 0;
        push(&mut out, end);
        for (word, _) in &sorted {
            end += word.len() as u32;
            push(&mut out, end);
        }
        for (word, _) in &sorted {
            out.extend_from_slice(word.as_bytes());
        }
        out.resize(out.len().next_multiple_of(4), 0);
        let mut root = vec![0; word_ids.len()];
        for &(_, word, to) in edges.iter().take_while(|edge| edge.0 == 0) {
            root[word as usize] = layout.place[to as usize];
        }
        for &(_, given) in &sorted {
            let id = word_ids[given as usize];
            push(&mut out, id);
            push(&mut out, root[id as usize]);
        }
        drop(sorted);
        layout.words.iter().for_each(|&word| push(&mut out, word));
        drop(edges);

        // A stable counting sort by first phrase keeps the order of the source.
        let mut first_record = vec![0u32; n_nodes as usize + 1];
        for &(from, _) in &records {
            first_record[layout.place[from as usize] as usize + 1] += 1;
        }
        for at in 1..first_record.len() {
            first_record[at] += first_record[at - 1];
        }
        for (child, record) in layout.first_child.iter().zip(&first_record) {
            push(&mut out, *child);
            push(&mut out, *record);
        }
        let mut placed = vec![0u32; records.len()];
        for (from, to) in records {
            let next = &mut first_record[layout.place[from as usize] as usize];
            placed[*next as usize] = layout.place[to as usize];
            *next += 1;
        }
        placed.iter().for_each(|&node| push(&mut out, node));
        out.resize(out.len().next_multiple_of(edges::BUCKET), 0);
        let edges = edges::build(&layout.words, &layout.first_child)?;
        edges.iter().for_each(|&entry| push(&mut out, entry));
        let sum = checksum(&out);
        out[28..36].copy_from_slice(&sum.to_le_bytes());
        Ok(out)
    }
}

/// Numbers for words, the most frequent first, indexed by their original numbers.
fn numbers_by_use(edges: &[(u32, u32, u32)], sorted: &[(Box<str>, u32)]) -> Vec<u32> {
    let mut uses = vec![0u32; sorted.len()];
    edges.iter().for_each(|edge| uses[edge.1 as usize] += 1);
    // Ties are broken by spelling, so that the table depends only on its records.
    let mut order: Vec<u32> = sorted.iter().map(|&(_, given)| given).collect();
    order.sort_by_key(|&given| std::cmp::Reverse(uses[given as usize]));
    let mut numbers = vec![0; sorted.len()];
    for (number, given) in order.into_iter().enumerate() {
        numbers[given as usize] = number as u32;
    }
    numbers
}

/// Nodes in breadth-first order, the children of each in the order of their words.
struct Layout {
    /// The place of a node, by its original number.
    place: Vec<u32>,
    /// By place: the last word of the phrase.
    words: Vec<u32>,
    /// By place: the start of the children; last, the end.
    first_child: Vec<u32>,
}

impl Layout {
    /// `edges` are sorted by original number, then word.
    fn new(edges: &[(u32, u32, u32)], n_nodes: u32) -> Self {
        let n = n_nodes as usize;
        let mut first_edge = vec![0u32; n + 1];
        for edge in edges {
            first_edge[edge.0 as usize + 1] += 1;
        }
        for at in 1..first_edge.len() {
            first_edge[at] += first_edge[at - 1];
        }
        let mut layout =
            Layout { place: vec![0; n], words: vec![0; 1], first_child: Vec::with_capacity(n + 1) };
        layout.words.reserve(n);
        let mut order: Vec<u32> = Vec::with_capacity(n);
        order.push(0);
        let mut at = 0;
        while let Some(&node) = order.get(at) {
            layout.first_child.push(order.len() as u32);
            let span = first_edge[node as usize] as usize..first_edge[node as usize + 1] as usize;
            for &(_, word, to) in &edges[span] {
                layout.place[to as usize] = order.len() as u32;
                layout.words.push(word);
                order.push(to);
            }
            at += 1;
        }
        layout.first_child.push(order.len() as u32);
        layout
    }
}

/// The entries of a map, in no particular order: the caller sorts them.
#[allow(clippy::iter_over_hash_type, reason = "the result is sorted before it is used")]
fn drain<K, V>(map: FxHashMap<K, V>) -> Vec<(K, V)> {
    map.into_iter().collect()
}

fn push(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(&number.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "0.5\r\na lot of\nmany\n 0.25 \nmany\na lot of\n1\n\nempty\n";

    fn compiled(slices: &[&[u8]]) -> Result<Vec<u8>> {
        let mut records = Records::new();
        for slice in slices {
            records.read(slice)?;
        }
        records.finish()?.finish("en", [7; 32])
    }

    #[test]
    fn slices_of_any_size_make_the_same_table() {
        let mut by_hand = Compiler::new();
        by_hand.add("a lot of", "many");
        by_hand.add("many", "a lot of");
        let expected = by_hand.finish("en", [7; 32]).unwrap();
        // The phrase "empty" is a word of the compiler's list, although its record can never match.
        let whole = compiled(&[TEXT.as_bytes()]).unwrap();
        for size in 1..TEXT.len() {
            let slices: Vec<&[u8]> = TEXT.as_bytes().chunks(size).collect();
            assert!(compiled(&slices).unwrap() == whole, "slices of {size} bytes");
        }
        let two = &TEXT.as_bytes()[..TEXT.len() - 9];
        assert!(compiled(&[two]).unwrap() == expected);
        // The last line may lack its end.
        assert!(compiled(&[&two[..two.len() - 1]]).unwrap() == expected);
    }

    #[test]
    fn other_texts_are_refused_with_the_line() {
        let refusal = |text: &str| compiled(&[text.as_bytes()]).unwrap_err().to_string();
        assert_eq!(
            refusal("1\na\nb\nx\n"),
            "line 4 is no number: this is not a METEOR paraphrase table"
        );
        assert_eq!(refusal("1\na\nb\n2\nc\n"), "it ends inside a record, at line 6");
        assert_eq!(refusal("1\n"), "it ends inside a record, at line 2");
        let long = format!("1\n{}", "x".repeat(LONGEST_LINE + 1));
        let message = "line 2 is longer than 1 MB: no table has such lines";
        assert_eq!(refusal(&long), message);
        assert_eq!(refusal(&format!("{long}\nb\n")), message);
        assert!(Records::new().finish().unwrap().is_empty());
    }
}
