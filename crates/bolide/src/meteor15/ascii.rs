//! A fast tokenizer for nearly all lines: ASCII, with no two marks so close together that one replacement
//! could use up the context of another.
//!
//! For such lines the chain of replacements ([`super::normalize`]) reduces to one look at each mark and its
//! neighbours, and every token is a piece of the line. Other lines are refused and go through the chain.

use super::normalize::{ALNUM, ALPHA, ASCII, Apostrophes, BLANK, DIGIT, KEEP, LOWER, Normalizer};

/// Marks of one kind that are closer than this share a neighbour or are one mark.
const APART: usize = 3;

impl Normalizer {
    /// Sets `text` to the lower-cased text and `spans` to the ranges of the line's tokens in it. Returns
    /// `false` for other lines; the buffers are then meaningless.
    pub(super) fn tokenize_ascii(
        &self,
        line: &str,
        pieces: &mut Vec<(u32, u32)>,
        text: &mut String,
        spans: &mut Vec<(u32, u32)>,
    ) -> bool {
        pieces.clear();
        spans.clear();
        text.clear();
        if !line.is_ascii() || !self.cut(line.as_bytes(), pieces) {
            return false;
        }
        text.push_str(line);
        for (at, &(start, end)) in pieces.iter().enumerate() {
            let token = line.get(start as usize..end as usize).unwrap_or_default();
            let stem = match token.strip_suffix('.') {
                Some(stem) if !stem.is_empty() => stem,
                _ => {
                    spans.push((start, end));
                    continue;
                }
            };
            if stem.contains('.') && stem.bytes().any(|byte| class(byte) & ALPHA != 0) {
                // Only a word that loses its dots is not a piece of the line; it is appended.
                let start = text.len() as u32;
                text.extend(stem.split('.'));
                spans.push((start, text.len() as u32));
                continue;
            }
            let follower = pieces.get(at + 1).and_then(|next| line.as_bytes().get(next.0 as usize));
            let follower = follower.map_or(0, |&byte| class(byte));
            if follower & LOWER != 0 || self.is_prefix(stem, follower & DIGIT != 0) {
                spans.push((start, end));
            } else {
                spans.extend([(start, end - 1), (end - 1, end)]);
            }
        }
        if text.contains('`') {
            let mut bytes = std::mem::take(text).into_bytes();
            bytes.iter_mut().filter(|byte| **byte == b'`').for_each(|byte| *byte = b'\'');
            *text = String::from_utf8(bytes).unwrap_or_default();
        }
        text.make_ascii_lowercase();
        true
    }

    /// Splits a line into pieces, which still have their final dots.
    fn cut(&self, line: &[u8], pieces: &mut Vec<(u32, u32)>) -> bool {
        let neighbour = |at: usize| line.get(at).map_or(BLANK, |&byte| class(byte));
        // The last mark of each kind: comma, dash, apostrophe.
        let (mut comma, mut dash, mut quote) = (None, None, None);
        let near = |last: &mut Option<usize>, at: usize| {
            let near = last.is_some_and(|last| at - last < APART);
            *last = Some(at);
            near
        };
        let mut start = 0;
        let mut end_piece = |start: &mut usize, end: usize, next: usize| {
            if *start < end {
                pieces.push((*start as u32, end as u32));
            }
            *start = next;
        };
        for (at, &byte) in line.iter().enumerate() {
            let class = class(byte);
            if class & ALNUM != 0 {
                continue;
            }
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0C => end_piece(&mut start, at, at + 1),
                // Control characters have their own rules.
                0..b' ' => return false,
                b'.' => {
                    // Runs of dots are words.
                    if line.get(at + 1) == Some(&b'.') {
                        return false;
                    }
                }
                b',' => {
                    if near(&mut comma, at) {
                        return false;
                    }
                    let (left, right) = (neighbour(at.wrapping_sub(1)), neighbour(at + 1));
                    if left & right & DIGIT == 0 {
                        end_piece(&mut start, at, at);
                        end_piece(&mut start, at + 1, at + 1);
                    }
                }
                b'-' => {
                    if near(&mut dash, at) {
                        return false;
                    }
                    let dot = at > 0 && line[at - 1] == b'.';
                    let left = neighbour(at.wrapping_sub(1)) & ALNUM != 0 || dot;
                    if left && neighbour(at + 1) & ALNUM != 0 {
                        end_piece(&mut start, at, at + 1);
                    }
                }
                b'\'' | b'`' => {
                    if near(&mut quote, at) {
                        return false;
                    }
                    let (left, right) = (neighbour(at.wrapping_sub(1)), neighbour(at + 1));
                    let (before, after) =
                        self.apostrophes.spaces(left, right, line.get(at + 1) == Some(&b's'));
                    if before {
                        end_piece(&mut start, at, at);
                    }
                    if after {
                        end_piece(&mut start, at + 1, at + 1);
                    }
                }
                _ => {
                    debug_assert!(class & KEEP == 0, "all kept marks are treated above");
                    end_piece(&mut start, at, at);
                    end_piece(&mut start, at + 1, at + 1);
                }
            }
        }
        end_piece(&mut start, line.len(), line.len());
        // The placeholder for runs of dots would itself turn into a dot.
        !pieces.iter().any(|&(start, end)| {
            line[start as usize..end as usize].windows(8).any(|part| part == b"DOTMULTI")
        })
    }
}

impl Apostrophes {
    /// Whether an apostrophe between two characters gets a space before and after it.
    fn spaces(self, left: u8, right: u8, before_s: bool) -> (bool, bool) {
        match self {
            Apostrophes::Alone => (true, true),
            Apostrophes::French => (left & right & ALPHA == 0, true),
            Apostrophes::English if right & ALPHA == 0 => (true, true),
            Apostrophes::English if left & ALPHA != 0 => (true, false),
            Apostrophes::English if left & DIGIT != 0 => (before_s, false),
            Apostrophes::English => (true, true),
        }
    }
}

#[inline]
fn class(byte: u8) -> u8 {
    ASCII[usize::from(byte & 0x7F)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meteor15::Language;
    use crate::meteor15::normalize::{Buffers, Prefixes};
    use bolide_testdata::random::Random;

    /// Lines of marks, letters and digits, most of them simple, tokenised both ways.
    #[test]
    fn tokens_are_those_of_the_chain() {
        const PARTS: &[&str] = &[
            "a",
            "B",
            "s",
            "word",
            "Word",
            "U.S.",
            "Mr.",
            "e.g.",
            "No.",
            "example.com.",
            "it's",
            "1990's",
            "3.5",
            "1,000",
            "7",
            "DOTMULTI",
            ",",
            ".",
            "-",
            "'",
            "`",
            "\"",
            "(",
            "%",
            "?",
            "\t",
            "\u{b}",
            "\u{1}",
            "x-y",
            "rock'n'roll",
            "`so'",
            " ",
            " ",
            " ",
            " ",
            " ",
            " ",
            " ",
        ];
        let mut random = Random(0x5EED);
        let mut below = |n: usize| random.below(n);
        let (mut simple, mut refused) = (0, 0);
        for round in 0..60_000 {
            let language =
                [Language::English, Language::French, Language::German, Language::Czech][round % 4];
            let prefixes = Prefixes::new(["Mr", "e.g", "word"], ["No"]);
            let normalizer = Normalizer::new(language, prefixes, true).unwrap();
            let line: String = (0..below(14)).map(|_| PARTS[below(PARTS.len())]).collect();
            let (mut text, mut spans) = (String::new(), Vec::new());
            if !normalizer.tokenize_ascii(&line, &mut Vec::new(), &mut text, &mut spans) {
                refused += 1;
                continue;
            }
            simple += 1;
            let found: Vec<&str> =
                spans.iter().map(|&(start, end)| &text[start as usize..end as usize]).collect();
            let mut chain = String::new();
            normalizer.normalize(&line, &mut Buffers::default(), &mut chain);
            chain.make_ascii_lowercase();
            let expected: Vec<&str> = chain.split_ascii_whitespace().collect();
            assert_eq!(found, expected, "{line:?} {language:?}");
        }
        assert!(simple > 15_000 && refused > 15_000, "{simple} {refused}");
    }
}
