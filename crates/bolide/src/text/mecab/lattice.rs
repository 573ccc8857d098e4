//! The search: words at every place of the text, and the cheapest way through them.

use super::pack::{UNKNOWN_TOKENS, WORD_TOKENS, WORD_TRIE};
use super::{Character, Dictionary, LONGEST_GROUP, Token};

/// No node.
const NONE: u32 = u32::MAX;

/// A word at a place.
#[derive(Clone, Copy)]
struct Node {
    token: Token,
    start: usize,
    length: usize,
    /// The length with the spaces before it.
    full_length: usize,
    cost: i64,
    /// The best word before it.
    before: u32,
    /// The next word that ends at the same place.
    next: u32,
}

/// Buffers of one text.
struct Lattice<'d, 't> {
    dictionary: &'d Dictionary,
    text: &'t str,
    nodes: Vec<Node>,
    /// The last word that ends at each place.
    ends: Vec<u32>,
    /// The words that begin at a place.
    words: Vec<Node>,
}

const BORDER: Token = Token { left: 0, right: 0, pos: 0, cost: 0 };

impl Dictionary {
    /// Passes the words of a text to `each`.
    pub fn each_word<'t>(&self, text: &'t str, each: impl FnMut(&'t str)) {
        let mut lattice = Lattice {
            dictionary: self,
            text,
            nodes: Vec::new(),
            ends: vec![NONE; text.len() + 1],
            words: Vec::new(),
        };
        lattice.build();
        lattice.best().into_iter().for_each(each);
    }
}

impl<'t> Lattice<'_, 't> {
    fn build(&mut self) {
        let border = Node {
            token: BORDER,
            start: 0,
            length: 0,
            full_length: 0,
            cost: 0,
            before: NONE,
            next: NONE,
        };
        self.nodes.push(border);
        self.ends[0] = 0;
        for at in 0..self.text.len() {
            if self.ends[at] != NONE {
                self.look_up(at);
                // The word that was found last comes first.
                let words = std::mem::take(&mut self.words);
                words.iter().rev().for_each(|&word| self.connect(at, word));
                self.words = words;
            }
        }
    }

    /// The words of the cheapest way.
    fn best(&mut self) -> Vec<&'t str> {
        let last = (0..=self.text.len()).rev().find(|&at| self.ends[at] != NONE).unwrap_or(0);
        let end = Node {
            token: BORDER,
            start: last,
            length: 0,
            full_length: 0,
            cost: 0,
            before: NONE,
            next: NONE,
        };
        let mut at = self.best_before(last, &end).0;
        let mut words = Vec::new();
        while let Some(node) = self.nodes.get(at as usize).filter(|_| at != 0) {
            words.push(self.text.get(node.start..node.start + node.length).unwrap_or_default());
            at = node.before;
        }
        words.reverse();
        words
    }

    /// The best word to stand before another, and the cost of both.
    fn best_before(&self, at: usize, node: &Node) -> (u32, i64) {
        let mut own = i32::from(node.token.cost);
        if node.full_length > node.length {
            own += self.dictionary.penalty(node.token.pos);
        }
        let (mut best, mut lowest) = (NONE, i64::from(i32::MAX));
        let mut left = self.ends[at];
        while left != NONE {
            let before = &self.nodes[left as usize];
            let cost = self.dictionary.connection(before.token.right, node.token.left) + own;
            let cost = before.cost + i64::from(cost);
            if cost < lowest {
                (best, lowest) = (left, cost);
            }
            left = before.next;
        }
        (best, lowest)
    }

    fn connect(&mut self, at: usize, mut node: Node) {
        let (before, cost) = self.best_before(at, &node);
        if before == NONE {
            return;
        }
        let end = at + node.full_length;
        // Only a damaged dictionary has words that end inside a character.
        let Some(last) = self.ends.get_mut(end).filter(|_| self.text.is_char_boundary(end)) else {
            return;
        };
        (node.before, node.cost, node.next) = (before, cost, *last);
        *last = self.nodes.len() as u32;
        self.nodes.push(node);
    }

    /// The end of the characters of one kind from a place on, their number, and the last that was looked at.
    fn skip(&self, mut at: usize, mut kind: Character) -> (usize, usize, Character, usize) {
        let (mut n, mut last, mut length) = (0, Character(0), 0);
        while at < self.text.len() {
            (last, length) = self.dictionary.character(&self.text[at..]);
            if !kind.is_kind_of(last) {
                break;
            }
            at += length;
            n += 1;
            kind = last;
        }
        (at, n, last, length)
    }

    /// Finds the words that begin at a place, after its spaces.
    fn look_up(&mut self, at: usize) {
        self.words.clear();
        let (space, _) = self.dictionary.character(" ");
        let (start, _, kind, length) = self.skip(at, space);
        let end = self.text.len().min(at + 65_535).max(start);
        let text = &self.text.as_bytes()[start..end];
        let word = |token: Token, end: usize| Node {
            token,
            start,
            length: end - start,
            full_length: end - at,
            cost: 0,
            before: NONE,
            next: NONE,
        };
        let words = &mut self.words;
        self.dictionary.prefixes(WORD_TRIE, text, |value, length| {
            let first = (value >> 8) as usize;
            for token in first..first + (value & 0xff) as usize {
                if let Some(token) = self.dictionary.token(WORD_TOKENS, token) {
                    words.push(word(token, start + length));
                }
            }
        });
        if !self.words.is_empty() && !kind.is_always_tried() {
            return;
        }
        let mut end = start + length;
        if end > self.text.len() {
            return;
        }
        let mut group_end = None;
        if kind.is_grouped() {
            let (group, n, ..) = self.skip(end, kind);
            if n <= LONGEST_GROUP {
                self.add_unknown(kind, (at, start, group));
            }
            group_end = Some(group);
        }
        for _ in 0..kind.length() {
            if end > self.text.len() {
                break;
            }
            if group_end == Some(end) {
                continue;
            }
            self.add_unknown(kind, (at, start, end));
            let Some(rest) = self.text.get(end..).filter(|rest| !rest.is_empty()) else { break };
            let (next, length) = self.dictionary.character(rest);
            if !kind.is_kind_of(next) {
                break;
            }
            end += length;
        }
        if self.words.is_empty() {
            self.add_unknown(kind, (at, start, end));
        }
    }

    /// Adds the words that a run of unknown characters may be.
    fn add_unknown(&mut self, kind: Character, (at, start, end): (usize, usize, usize)) {
        let found = self.dictionary.unknown.get(kind.default_category());
        let (first, n) = found.copied().unwrap_or_default();
        for token in first..first + n {
            if let Some(token) = self.dictionary.token(UNKNOWN_TOKENS, token) {
                let (length, full_length) = (end - start, end - at);
                self.words.push(Node {
                    token,
                    start,
                    length,
                    full_length,
                    cost: 0,
                    before: NONE,
                    next: NONE,
                });
            }
        }
    }
}
