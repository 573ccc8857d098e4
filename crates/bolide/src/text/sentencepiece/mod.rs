//! SentencePiece: segments text into the pieces of a model, as the library of that name does with its best
//! segmentation. The model is the caller's; this module reads its bytes.
//!
//! Two kinds of models are read: unigrams, where the pieces with the highest sum of scores win, and byte pairs, where the
//! best pair of neighbours is joined until none is left. Sums and comparisons have the precision of the original.

mod bpe;
mod model;
mod rules;

use crate::error::{Error, ErrorKind, Result};
use crate::meteor15::paraphrase::sum;
use model::{Kind, Method, Model};
use rules::Rules;
use rustc_hash::FxHashMap;

/// What stands for a space in pieces.
const SPACE: &str = "\u{2581}";
/// The penalty of an unknown character beside the worst piece.
const UNKNOWN_PENALTY: f32 = 10.0;

/// A model, ready for use.
pub struct SentencePiece {
    model: Model,
    rules: Rules,
    /// The step from a node by a byte, as `node << 8 | byte`.
    steps: FxHashMap<u64, u32>,
    /// The piece at a node.
    ends: Vec<Option<u32>>,
    /// The pieces that the normaliser does not touch, the longest first.
    user_defined: Vec<String>,
    lowest: f32,
    highest: f32,
    checksum: u64,
}

impl SentencePiece {
    /// Reads a model.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let invalid = |problem| Error::new(ErrorKind::InvalidTable, problem);
        let damaged = || invalid("the model is damaged, or no model of SentencePiece");
        let model = Model::read(bytes).ok_or_else(damaged)?.map_err(invalid)?;
        if model.pieces.is_empty() {
            return Err(damaged());
        }
        let rules = Rules::read(&model.charsmap).ok_or_else(damaged)?;
        let (mut steps, mut ends) = (FxHashMap::default(), vec![None]);
        let (mut lowest, mut highest) = (f32::MAX, f32::MIN_POSITIVE);
        let mut user_defined = Vec::new();
        for (piece, id) in model.pieces.iter().zip(0u32..) {
            if piece.kind == Kind::Normal {
                lowest = lowest.min(piece.score);
                highest = highest.max(piece.score);
            }
            if piece.kind == Kind::UserDefined {
                user_defined.push(piece.text.clone());
            }
            if !matches!(piece.kind, Kind::Normal | Kind::UserDefined | Kind::Unused) {
                continue;
            }
            let mut node = 0;
            for byte in piece.text.bytes() {
                let next = ends.len() as u32;
                node = *steps.entry(u64::from(node) << 8 | u64::from(byte)).or_insert(next);
                if node == next {
                    ends.push(None);
                }
            }
            ends[node as usize] = Some(id);
        }
        user_defined.sort_by_key(|text: &String| std::cmp::Reverse(text.len()));
        let checksum = sum(bytes);
        Ok(SentencePiece { model, rules, steps, ends, user_defined, lowest, highest, checksum })
    }

    /// The first eight hexadecimal digits of a checksum of the file.
    pub fn id(&self) -> String {
        format!("{:08x}", self.checksum >> 32)
    }

    /// Passes the pieces of a text to `each`.
    pub fn each_piece(&self, text: &str, mut each: impl FnMut(&str)) {
        let normalized = self.normalize(text);
        let pieces = match self.model.method {
            Method::Unigram => self.unigrams(&normalized),
            Method::Bpe => bpe::segment(self, &normalized),
        };
        // Neighbouring unknown characters are one piece.
        let mut unknown = String::new();
        for (piece, is_known) in pieces {
            if is_known {
                if !unknown.is_empty() {
                    each(&unknown);
                    unknown.clear();
                }
                each(piece);
            } else if self.model.byte_fallback {
                piece.bytes().for_each(|byte| each(&format!("<0x{byte:02X}>")));
            } else {
                unknown.push_str(piece);
            }
        }
        if !unknown.is_empty() {
            each(&unknown);
        }
    }

    /// The piece of a text, unless there is none.
    fn find(&self, text: &str) -> Option<u32> {
        let mut node = 0;
        for byte in text.bytes() {
            node = *self.steps.get(&(u64::from(node) << 8 | u64::from(byte)))?;
        }
        self.ends.get(node as usize).copied().flatten()
    }

    fn kind(&self, id: u32) -> Kind {
        self.model.pieces.get(id as usize).map_or(Kind::Unknown, |piece| piece.kind)
    }

    fn score(&self, id: u32) -> f32 {
        self.model.pieces.get(id as usize).map_or(0.0, |piece| piece.score)
    }

    /// The length of the user's piece at the beginning of a text, if there is one.
    fn user_defined(&self, text: &str) -> Option<usize> {
        let found = self.user_defined.iter().find(|piece| text.starts_with(piece.as_str()));
        found.map(String::len).filter(|&length| length > 0)
    }

    /// The normalised beginning of a text, and how much of the text it stands for.
    fn normalized_start<'t>(&'t self, text: &'t str) -> (&'t str, usize) {
        if let Some(length) = self.user_defined(text) {
            return (&text[..length], length);
        }
        match self.rules.longest(text.as_bytes()) {
            Some((replacement, length)) if text.is_char_boundary(length) => (replacement, length),
            _ => {
                let length = text.chars().next().map_or(0, char::len_utf8);
                (&text[..length], length)
            }
        }
    }

    fn normalize(&self, text: &str) -> String {
        let Model { remove_extra_spaces, escape_spaces, .. } = self.model;
        let (mut rest, mut out) = (text, String::with_capacity(text.len() * 2));
        if remove_extra_spaces {
            while !rest.is_empty() {
                let (start, length) = self.normalized_start(rest);
                if start != " " {
                    break;
                }
                rest = &rest[length..];
            }
        }
        if rest.is_empty() {
            return out;
        }
        let space = if escape_spaces { SPACE } else { " " };
        if !self.model.space_as_suffix && self.model.add_dummy_prefix {
            out.push_str(space);
        }
        let mut after_space = remove_extra_spaces;
        while !rest.is_empty() {
            let (mut start, length) = self.normalized_start(rest);
            if after_space {
                start = start.trim_start_matches(' ');
            }
            if !start.is_empty() {
                for c in start.chars() {
                    match c {
                        ' ' => out.push_str(space),
                        c => out.push(c),
                    }
                }
                after_space = start.ends_with(' ');
            }
            rest = &rest[length..];
            after_space &= remove_extra_spaces;
        }
        if remove_extra_spaces {
            out.truncate(out.trim_end_matches(space).len());
        }
        if self.model.space_as_suffix && self.model.add_dummy_prefix {
            out.push_str(space);
        }
        out
    }

    /// The pieces with the highest sum of scores, and whether each is known.
    fn unigrams<'t>(&self, text: &'t str) -> Vec<(&'t str, bool)> {
        #[derive(Clone, Copy)]
        struct Best {
            start: usize,
            score: f32,
            is_known: bool,
        }
        let unknown = self.lowest - UNKNOWN_PENALTY;
        let mut best: Vec<Option<Best>> = vec![None; text.len() + 1];
        for (start, c) in text.char_indices() {
            let here = best[start].map_or(0.0, |best| best.score);
            let (mut node, mut has_single) = (0u32, false);
            for (&byte, end) in text.as_bytes()[start..].iter().zip(start + 1..) {
                let Some(&next) = self.steps.get(&(u64::from(node) << 8 | u64::from(byte))) else {
                    break;
                };
                node = next;
                let Some(id) = self.ends[node as usize] else { continue };
                let score = match self.kind(id) {
                    Kind::Unused => continue,
                    // Always better than any other way.
                    Kind::UserDefined => {
                        (f64::from((end - start) as f32 * self.highest) - 0.1) as f32
                    }
                    _ => self.score(id),
                };
                let score = score + here;
                if best[end].is_none_or(|best| score > best.score) {
                    best[end] = Some(Best { start, score, is_known: true });
                }
                has_single |= end - start == c.len_utf8();
            }
            if !has_single {
                let end = start + c.len_utf8();
                let score = unknown + here;
                if best[end].is_none_or(|best| score > best.score) {
                    best[end] = Some(Best { start, score, is_known: false });
                }
            }
        }
        let (mut pieces, mut end) = (Vec::new(), text.len());
        while let Some(last) = best.get(end).copied().flatten().filter(|_| end > 0) {
            pieces.push((&text[last.start..end], last.is_known));
            end = last.start;
        }
        pieces.reverse();
        pieces
    }
}

impl std::fmt::Debug for SentencePiece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SentencePiece")
            .field("n_pieces", &self.model.pieces.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
