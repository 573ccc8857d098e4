//! What a score without an alignment was counted from, for people and as JSON: n-grams, edit paths, common
//! subsequences, and the steps of the formula.

use super::explanation::{BOLD, Drawing, LABEL, UNMATCHED, end_line, printable};
use super::table::Table;
use crate::error::Result;
use bolide::evidence::{Common, Edits, Evidence, Ngram, Order, Step};
use bolide::{Score, Value};
use serde::Serialize;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The width of the labels of the lists.
const KIND: usize = 10;

impl Drawing {
    /// The whole drawing.
    pub fn draw_evidence(&self, evidence: &Evidence, score: &Score) -> String {
        let mut out = String::new();
        match (&evidence.edits, &evidence.subsequence) {
            (Some(edits), _) => self.edits(&mut out, evidence, edits),
            (None, Some(common)) => self.subsequence(&mut out, evidence, common),
            (None, None) => self.texts(&mut out, evidence),
        }
        if !evidence.orders.is_empty() {
            out.push_str(&orders(&evidence.orders).to_text_within(self.width, self.color));
            out.push('\n');
            evidence.orders.iter().for_each(|order| self.ngrams(&mut out, order));
            let is_listed = |order: &Order| !order.ngrams.is_empty() || order.hypothesis == 0;
            if !evidence.orders.iter().any(is_listed) {
                out.push_str("the n-grams of such long texts are not listed\n\n");
            }
        }
        for (idx, step) in evidence.steps.iter().enumerate() {
            let is_last = idx + 1 == evidence.steps.len();
            let value = match score.components.get(step.name) {
                Some(Value::Count(n)) => n.to_string(),
                _ => format!("{:.4}", step.value),
            };
            let text = self.step_text(step, &value, is_last);
            let _ = writeln!(out, "{}{text}", self.label(step.name));
        }
        self.references(&mut out, evidence.reference_idx);
        let _ = writeln!(out, "\n{}", score.signature);
        out
    }

    /// A step with its value. One that computes nothing says its value itself.
    fn step_text(&self, step: &Step, value: &str, is_last: bool) -> String {
        let style = |text: &str| if is_last { self.paint(BOLD, text) } else { text.to_owned() };
        match step.formula.split_once(':') {
            Some((known, _)) if known.parse::<f64>().is_ok() => style(&step.formula),
            _ => format!("{} = {}", step.formula, style(value)),
        }
    }

    /// The words of the hypothesis and of every reference.
    fn texts(&self, out: &mut String, evidence: &Evidence) {
        let words = &evidence.words;
        if words.hypothesis.is_empty() && words.references.iter().all(Vec::is_empty) {
            return;
        }
        let column = |word: &String| vec![printable(word)];
        let hypothesis: Vec<Vec<String>> = words.hypothesis.iter().map(column).collect();
        self.grid(out, &["hypothesis"], &hypothesis);
        for (idx, reference) in words.references.iter().enumerate() {
            let columns: Vec<Vec<String>> = reference.iter().map(column).collect();
            self.grid(out, &[&self.reference_label(idx)], &columns);
        }
        out.push('\n');
    }

    fn reference_label(&self, idx: usize) -> String {
        if self.each.len() == 1 { "reference".to_owned() } else { format!("reference {}", idx + 1) }
    }

    /// Columns of words below each other, in as many lines as needed.
    fn grid(&self, out: &mut String, labels: &[&str], columns: &[Vec<String>]) {
        let width =
            |column: &Vec<String>| column.iter().map(|cell| cell.width()).max().unwrap_or(0);
        if columns.is_empty() {
            let _ = writeln!(out, "{}(no words)", self.label(labels.first().unwrap_or(&"")));
        }
        let mut start = 0;
        while start < columns.len() {
            let mut end = start;
            let mut used = LABEL;
            while end < columns.len() && (end == start || used + width(&columns[end]) < self.width)
            {
                used += width(&columns[end]) + 1;
                end += 1;
            }
            for (row, label) in labels.iter().enumerate() {
                out.push_str(&self.label(if start == 0 { label } else { "" }));
                for column in &columns[start..end] {
                    let cell = column.get(row).map_or("", String::as_str);
                    out.push_str(cell);
                    out.push_str(&" ".repeat(width(column) - cell.width() + 1));
                }
                end_line(out);
            }
            start = end;
        }
    }

    /// The moves, and both texts above each other with the edits between them.
    fn edits(&self, out: &mut String, evidence: &Evidence, edits: &Edits) {
        let words = &evidence.words;
        let reference_idx = evidence.reference_idx.unwrap_or(0);
        let ours = |at: usize| words.hypothesis.get(at).map_or("", String::as_str);
        let reference = words.references.get(reference_idx);
        let theirs = |at: usize| reference.and_then(|r| r.get(at)).map_or("", String::as_str);
        let column = |word: &String| vec![printable(word)];
        let hypothesis: Vec<Vec<String>> = words.hypothesis.iter().map(column).collect();
        self.grid(out, &["hypothesis"], &hypothesis);
        for (idx, shift) in edits.shifts.iter().enumerate() {
            let block: Vec<String> = shift.words.iter().map(|&at| printable(ours(at))).collect();
            let _ = writeln!(
                out,
                "{}'{}' moves from word {} to word {}",
                self.label(&format!("shift {}", idx + 1)),
                block.join(" "),
                shift.from + 1,
                shift.to + 1
            );
        }
        out.push('\n');
        let columns: Vec<Vec<String>> = edits
            .path
            .iter()
            .map(|edit| {
                let mark = match edit.kind {
                    "substitute" => "S",
                    "delete" => "D",
                    "insert" => "I",
                    _ => "=",
                };
                let word = |at: Option<usize>, text: &dyn Fn(usize) -> String| {
                    at.map_or_else(|| "*".to_owned(), text)
                };
                let hypothesis = word(edit.hypothesis, &|at| printable(ours(at)));
                let reference = word(edit.reference, &|at| printable(theirs(at)));
                vec![hypothesis, mark.to_owned(), reference]
            })
            .collect();
        if columns.is_empty() {
            self.grid(out, &[&self.reference_label(reference_idx)], &columns);
        } else {
            let moved = if edits.shifts.is_empty() { "hypothesis" } else { "moved" };
            self.grid(out, &[moved, "", &self.reference_label(reference_idx)], &columns);
        }
        let _ = writeln!(out, "\n= kept, S substitution, D deletion, I insertion\n");
    }

    /// Both sides with the numbers of the common words under them.
    fn subsequence(&self, out: &mut String, evidence: &Evidence, common: &[Common]) {
        let words = &evidence.words;
        let reference_idx = evidence.reference_idx.unwrap_or(0);
        let numbered = |side: &[String], at: &dyn Fn(&Common) -> Option<usize>| {
            let mut marks = vec!["·".to_owned(); side.len()];
            for (number, common) in (1..).zip(common) {
                if let Some(mark) = at(common).and_then(|at| marks.get_mut(at)) {
                    *mark = format!("{number}=");
                }
            }
            let columns = side.iter().zip(marks).map(|(word, mark)| vec![printable(word), mark]);
            columns.collect::<Vec<Vec<String>>>()
        };
        let is_united = common.iter().any(|common| common.hypothesis.is_none());
        let mut hypothesis = numbered(&words.hypothesis, &|common| common.hypothesis);
        if is_united {
            // The words of the hypothesis are counted, not placed.
            hypothesis.iter_mut().for_each(|column| column.truncate(1));
        }
        let labels = if is_united { &["hypothesis"][..] } else { &["hypothesis", ""] };
        self.grid(out, labels, &hypothesis);
        out.push('\n');
        let empty = Vec::new();
        let reference = words.references.get(reference_idx).unwrap_or(&empty);
        let reference = numbered(reference, &|common| Some(common.reference));
        self.grid(out, &[&self.reference_label(reference_idx), ""], &reference);
        let _ = writeln!(out, "\n= in common, {}\n", self.paint(UNMATCHED, "· not in common"));
    }

    /// The n-grams of one order: those that match, those that do not, those that are missing.
    fn ngrams(&self, out: &mut String, order: &Order) {
        let mut label = name(order);
        let kind = |ngram: &Ngram| match (ngram.matches, ngram.hypothesis) {
            (0, 0) => "missing",
            (0, _) => "no match",
            _ => "match",
        };
        let separator = if order.unit == "word" { " | " } else { " " };
        for wanted in ["match", "no match", "missing"] {
            let chosen = order.ngrams.iter().filter(|ngram| kind(ngram) == wanted);
            let chosen: Vec<String> = chosen.map(counted).collect();
            if chosen.is_empty() {
                continue;
            }
            let mut line = self.label(&std::mem::take(&mut label));
            let _ = write!(line, "{wanted:KIND$}");
            let mut width = LABEL + KIND;
            for (idx, text) in chosen.iter().enumerate() {
                let text =
                    if idx + 1 < chosen.len() { text.clone() + separator } else { text.clone() };
                if width > LABEL + KIND && width + text.trim_end().width() > self.width {
                    end_line(&mut line);
                    line.push_str(&" ".repeat(LABEL + KIND));
                    width = LABEL + KIND;
                }
                width += text.width();
                line.push_str(&text);
            }
            end_line(&mut line);
            out.push_str(&line);
        }
        if label.is_empty() {
            out.push('\n');
        }
    }
}

/// `1 word`, `2 words`, `3 characters`.
fn name(order: &Order) -> String {
    let plural = if order.n == 1 { "" } else { "s" };
    let unit = if order.unit == "character" { "char" } else { order.unit };
    format!("{} {unit}{plural}", order.n)
}

/// An n-gram with how often it counts: `the`, `the×2`, `the×1/2` if one of two counts.
fn counted(ngram: &Ngram) -> String {
    let text = printable(&ngram.text);
    match (ngram.matches, ngram.hypothesis.max(ngram.matches)) {
        (0 | 1, 1) => text,
        (0, 0) if ngram.reference == 1 => text,
        (0, 0) => format!("{text}×{}", ngram.reference),
        (0, all) => format!("{text}×{all}"),
        (some, all) if some == all => format!("{text}×{all}"),
        (some, all) => format!("{text}×{some}/{all}"),
    }
}

/// The counts of every order.
fn orders(orders: &[Order]) -> Table {
    let has = |part: fn(&Order) -> bool| orders.iter().any(part);
    let reference = has(|o| o.reference.is_some());
    let (precision, recall) = (has(|o| o.precision.is_some()), has(|o| o.recall.is_some()));
    let mut header = vec!["n-grams", "hypothesis"];
    header.extend(reference.then_some("reference"));
    header.push("matches");
    header.extend(precision.then_some("precision"));
    header.extend(recall.then_some("recall"));
    let mut table = Table::new(header).with_numbers_from(1);
    let number = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| format!("{x:.4}"));
    for order in orders {
        let mut row = vec![name(order), order.hypothesis.to_string()];
        row.extend(reference.then(|| order.reference.map_or_else(String::new, |n| n.to_string())));
        row.push(order.matches.to_string());
        let smoothed = if order.smoothed { "smoothed " } else { "" };
        row.extend(precision.then(|| format!("{smoothed}{}", number(order.precision))));
        row.extend(recall.then(|| number(order.recall)));
        table.row(row);
    }
    table
}

/// The document of `--format json`: docs/schema/explain.json describes it.
#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    metric: &'a str,
    #[serde(flatten)]
    score: &'a Score,
    #[serde(flatten)]
    evidence: &'a Evidence,
}

/// The evidence as a JSON document. Positions count from 0.
pub fn to_json(metric: &str, score: &Score, evidence: &Evidence) -> Result<String> {
    let document = Document { version: bolide::VERSION, metric, score, evidence };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}
