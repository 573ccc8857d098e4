//! Byte pairs: the best pair of neighbours is joined until none is left.

use super::SentencePiece;
use super::model::Kind;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A part of the text; empty once it has been joined to the one before.
#[derive(Clone, Copy)]
struct Symbol {
    start: usize,
    end: usize,
    before: Option<usize>,
    after: Option<usize>,
    /// Whether it stays as it is.
    is_fixed: bool,
}

/// Two neighbours that a piece joins.
struct Pair {
    left: usize,
    right: usize,
    score: f32,
    size: usize,
}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        // The highest score first, and of equal ones the leftmost.
        self.score.total_cmp(&other.score).then(other.left.cmp(&self.left))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Pair {}

/// The text while its parts are joined.
struct Joining<'m, 't> {
    model: &'m SentencePiece,
    text: &'t str,
    symbols: Vec<Symbol>,
    agenda: BinaryHeap<Pair>,
    /// Where a piece that must not appear is taken apart again.
    parts: FxHashMap<&'t str, usize>,
}

/// The pieces of a text, and whether each is known.
pub fn segment<'t>(model: &SentencePiece, text: &'t str) -> Vec<(&'t str, bool)> {
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut start = 0;
    while let Some(c) = text[start..].chars().next() {
        let fixed = model.user_defined(&text[start..]);
        let end = start + fixed.unwrap_or(c.len_utf8());
        let at = symbols.len();
        let (before, after) = (at.checked_sub(1), (end < text.len()).then_some(at + 1));
        symbols.push(Symbol { start, end, before, after, is_fixed: fixed.is_some() });
        start = end;
    }
    let (agenda, parts) = (BinaryHeap::new(), FxHashMap::default());
    let mut joining = Joining { model, text, symbols, agenda, parts };
    for right in 1..joining.symbols.len() {
        joining.propose(Some(right - 1), Some(right));
    }
    joining.run();
    let mut pieces = Vec::new();
    let mut next = (!joining.symbols.is_empty()).then_some(0);
    while let Some(at) = next {
        let Symbol { start, end, after, .. } = joining.symbols[at];
        joining.take_apart(&text[start..end], &mut pieces);
        next = after;
    }
    pieces
}

impl<'t> Joining<'_, 't> {
    fn propose(&mut self, left: Option<usize>, right: Option<usize>) {
        let (Some(left), Some(right)) = (left, right) else { return };
        let (a, b) = (self.symbols[left], self.symbols[right]);
        if a.is_fixed || b.is_fixed {
            return;
        }
        let piece = &self.text[a.start..b.end];
        let Some(id) = self.model.find(piece) else { return };
        let score = self.model.score(id);
        self.agenda.push(Pair { left, right, score, size: piece.len() });
        if self.model.kind(id) == Kind::Unused {
            self.parts.insert(piece, a.end - a.start);
        }
    }

    fn run(&mut self) {
        while let Some(Pair { left, right, size, .. }) = self.agenda.pop() {
            let (a, b) = (self.symbols[left], self.symbols[right]);
            let is_stale =
                a.start == a.end || b.start == b.end || b.end - b.start + a.end - a.start != size;
            if is_stale {
                continue;
            }
            self.symbols[left].end = b.end;
            self.symbols[left].after = b.after;
            self.symbols[right].end = b.start;
            if let Some(after) = b.after {
                self.symbols[after].before = Some(left);
            }
            self.propose(a.before, Some(left));
            self.propose(Some(left), b.after);
        }
    }

    /// Adds a piece, or its parts if it must not appear.
    fn take_apart(&self, piece: &'t str, pieces: &mut Vec<(&'t str, bool)>) {
        let id = self.model.find(piece);
        match (id, self.parts.get(piece)) {
            (Some(id), Some(&middle)) if self.model.kind(id) == Kind::Unused => {
                let (left, right) = piece.split_at(middle);
                self.take_apart(left, pieces);
                self.take_apart(right, pieces);
            }
            (id, _) => pieces.push((piece, id.is_some())),
        }
    }
}
