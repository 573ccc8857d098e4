//! The tokenizer "13a" of NIST's `mteval-v13a`, as sacreBLEU and Hugging Face carry it, and the rules
//! for Western text inside it.
//!
//! The originals are four regular-expression passes that put spaces around marks. White space and
//! most ASCII punctuation separate words whatever stands around them, so here a text is cut there
//! first and the passes' effect is worked out inside each piece as a set of cuts; what a pass consumes
//! and therefore cannot match again is kept exactly. Right-stripping (sacreBLEU) is the caller's.

use super::Tokens;
use super::whitespace::is_space;

/// Appends the tokens of "13a": mark-up and entities undone, then the Western rules with a space on
/// either side of the text.
pub fn tokenize(text: &str, tokens: &mut Tokens) {
    if needs_rewriting(text) {
        let rewritten = Rewritten::new(text);
        western(&rewritten.text, Edges::Padded, |token, start, end| {
            tokens.push(token, rewritten.starts[start], rewritten.ends[end - 1]);
        });
    } else {
        western(text, Edges::Padded, |token, start, end| tokens.push(token, start, end));
    }
}

/// Whether the rules see a space before and after the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// They do ("13a"): a leading and a trailing mark are cut off.
    Padded,
    /// They do not ("zh"): `.5` and `2019.` at the very edges stay whole.
    Bare,
}

/// Gives each token of the Western rules with its bytes in `text`.
pub fn western(text: &str, edges: Edges, mut push: impl FnMut(&str, usize, usize)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if let Some(width) = space_width(text, at) {
            at += width;
            continue;
        }
        if is_always_apart(bytes[at]) {
            push(&text[at..at + 1], at, at + 1);
            at += 1;
            continue;
        }
        let start = at;
        let mut has_mark = false;
        while at < bytes.len() && !is_always_apart(bytes[at]) && space_width(text, at).is_none() {
            has_mark |= matches!(bytes[at], b'.' | b',' | b'-');
            at += 1;
        }
        if !has_mark {
            push(&text[start..at], start, at);
            continue;
        }
        let opens = edges == Edges::Padded || start > 0;
        let closes = edges == Edges::Padded || at < bytes.len();
        let cuts = Cuts::of(&bytes[start..at], opens, closes);
        let mut from = start;
        for to in start + 1..=at {
            if to == at || cuts.is_set(to - start) {
                push(&text[from..to], from, to);
                from = to;
            }
        }
    }
}

/// The width of the white space at a byte, if there is some. Only a lead byte can begin one.
#[inline]
fn space_width(text: &str, at: usize) -> Option<usize> {
    let byte = text.as_bytes()[at];
    if byte < 0x80 {
        return matches!(byte, b'\t'..=b'\r' | 0x1c..=0x1f | b' ').then_some(1);
    }
    // U+0085 and U+00A0, U+1680, U+2000 to U+205F, U+3000 begin with these bytes and no others.
    if !matches!(byte, 0xc2 | 0xe1 | 0xe2 | 0xe3) {
        return None;
    }
    let c = text.get(at..)?.chars().next()?;
    is_space(c).then(|| c.len_utf8())
}

/// The ASCII characters that are a token wherever they stand (the space among them was handled).
#[inline]
fn is_always_apart(byte: u8) -> bool {
    matches!(byte, b' '..=b'&' | b'('..=b'+' | b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=b'~')
}

fn is_mark(byte: u8) -> bool {
    matches!(byte, b'.' | b',')
}

/// Where a piece without spaces or always-separate characters is cut. Pieces are words, mostly short.
struct Cuts {
    short: u128,
    long: Vec<bool>,
}

impl Cuts {
    /// `opens` and `closes` tell whether a character that is no digit stands before and after.
    fn of(piece: &[u8], opens: bool, closes: bool) -> Cuts {
        let long = if piece.len() < 128 { Vec::new() } else { vec![false; piece.len() + 1] };
        let mut cuts = Cuts { short: 0, long };
        cuts.before_marks(piece, opens);
        cuts.after_marks(piece, closes);
        cuts.after_digits(piece);
        cuts
    }

    fn is_set(&self, at: usize) -> bool {
        if self.long.is_empty() { self.short >> at & 1 == 1 } else { self.long[at] }
    }

    /// Cuts off the byte at `at` on both sides.
    fn around(&mut self, at: usize) {
        if self.long.is_empty() {
            self.short |= 0b11 << at;
        } else {
            self.long[at] = true;
            self.long[at + 1] = true;
        }
    }

    /// A character that is no digit, then a mark: both are consumed, the mark stands apart.
    fn before_marks(&mut self, piece: &[u8], opens: bool) {
        let mut at = 0;
        if opens && is_mark(piece[0]) {
            self.around(0);
            at = 1;
        }
        while at + 1 < piece.len() {
            if !piece[at].is_ascii_digit() && is_mark(piece[at + 1]) {
                self.around(at + 1);
                at += 2;
            } else {
                at += 1;
            }
        }
    }

    /// A mark, then a character that is no digit, perhaps a space from the first pass: the same.
    fn after_marks(&mut self, piece: &[u8], closes: bool) {
        let mut at = 0;
        while at < piece.len() {
            if !is_mark(piece[at]) {
                at += 1;
                continue;
            }
            let space_follows = self.is_set(at + 1) || (at + 1 == piece.len() && closes);
            if space_follows {
                self.around(at);
                at += 1;
            } else if piece.get(at + 1).is_some_and(|next| !next.is_ascii_digit()) {
                self.around(at);
                at += 2;
            } else {
                at += 1;
            }
        }
    }

    /// A digit, then a hyphen that still stands next to it.
    fn after_digits(&mut self, piece: &[u8]) {
        for at in 1..piece.len() {
            if piece[at] == b'-' && piece[at - 1].is_ascii_digit() && !self.is_set(at) {
                self.around(at);
            }
        }
    }
}

fn needs_rewriting(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'\n' | b'&' | b'<'))
        && (text.contains(['\n', '&']) || text.contains("<skipped>"))
}

/// The text with mark-up and entities undone, and for every byte where it came from.
struct Rewritten {
    text: String,
    starts: Vec<usize>,
    ends: Vec<usize>,
}

impl Rewritten {
    fn new(text: &str) -> Self {
        let mut rewritten = Rewritten {
            text: text.to_owned(),
            starts: (0..text.len()).collect(),
            ends: (1..=text.len()).collect(),
        };
        // One after the other and not all at once: `&amp;lt;` becomes `<`.
        for (pattern, replacement) in [
            ("<skipped>", ""),
            ("-\n", ""),
            ("\n", " "),
            ("&quot;", "\""),
            ("&amp;", "&"),
            ("&lt;", "<"),
            ("&gt;", ">"),
        ] {
            if rewritten.text.contains(pattern) {
                rewritten = rewritten.replaced(pattern, replacement);
            }
        }
        rewritten
    }

    fn replaced(&self, pattern: &str, replacement: &str) -> Self {
        let mut out = Rewritten { text: String::new(), starts: Vec::new(), ends: Vec::new() };
        let keep = |from: usize, to: usize, out: &mut Rewritten| {
            out.text.push_str(&self.text[from..to]);
            out.starts.extend_from_slice(&self.starts[from..to]);
            out.ends.extend_from_slice(&self.ends[from..to]);
        };
        let mut from = 0;
        for (at, _) in self.text.match_indices(pattern) {
            keep(from, at, &mut out);
            from = at + pattern.len();
            for c in replacement.chars() {
                out.text.push(c);
                out.starts.push(self.starts[at]);
                out.ends.push(self.ends[from - 1]);
            }
        }
        keep(from, self.text.len(), &mut out);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut tokens = Tokens::new();
        tokenize(text, &mut tokens);
        assert_eq!(tokens.iter().collect::<Vec<_>>().join(" "), expected, "{text:?}");
    }

    #[test]
    fn marks_stand_apart_unless_digits_hold_them() {
        check("Hello, world.", "Hello , world .");
        check("1,000.5-6 a-b", "1,000.5 - 6 a-b");
        check("x...y", "x . . . y");
        check("5...6", "5 . . .6");
        check(".5 2019.", ". 5 2019 .");
        check("don't (really)", "don't ( really )");
        check("é.ü 1.é", "é . ü 1 . é");
        check("a.,b 1.,5", "a . , b 1 . , 5");
        check("a\u{1c}b\u{a0}c", "a b c");
    }

    #[test]
    fn bare_edges_keep_their_marks() {
        let mut tokens = Vec::new();
        western(".5 a.b 2019.", Edges::Bare, |token, _, _| tokens.push(token.to_owned()));
        assert_eq!(tokens, [".5", "a", ".", "b", "2019."]);
    }

    #[test]
    fn mark_up_and_entities_are_undone() {
        check("x &amp; y &quot;z&quot; <skipped>", "x & y \" z \"");
        check("&amp;lt; &apos;", "< & apos ;");
        check("hyphen-\nated\nline", "hyphenated line");
        check("a < b", "a < b");
        let text = "a &amp; b-\nc";
        let mut tokens = Tokens::new();
        tokenize(text, &mut tokens);
        let spans: Vec<&str> =
            (0..tokens.len()).map(|idx| &text[tokens.span(idx).0..tokens.span(idx).1]).collect();
        assert_eq!(spans, ["a", "&amp;", "b-\nc"]);
    }

    /// The four passes, literally, on whole strings.
    fn by_passes(text: &str) -> Vec<String> {
        let pairs = |text: &str,
                     first: fn(char) -> bool,
                     second: fn(char) -> bool,
                     out: fn(&mut String, char, char)| {
            let chars: Vec<char> = text.chars().collect();
            let (mut result, mut at) = (String::new(), 0);
            while at < chars.len() {
                if at + 1 < chars.len() && first(chars[at]) && second(chars[at + 1]) {
                    out(&mut result, chars[at], chars[at + 1]);
                    at += 2;
                } else {
                    result.push(chars[at]);
                    at += 1;
                }
            }
            result
        };
        let mut padded = String::new();
        for c in format!(" {text} ").chars() {
            if c.is_ascii() && is_always_apart(c as u8) {
                padded.extend([' ', c, ' ']);
            } else {
                padded.push(c);
            }
        }
        let no_digit = |c: char| !c.is_ascii_digit();
        let mark = |c: char| c == '.' || c == ',';
        let text = pairs(&padded, no_digit, mark, |s, a, b| s.extend([a, ' ', b, ' ']));
        let text = pairs(&text, mark, no_digit, |s, a, b| s.extend([' ', a, ' ', b]));
        let text = pairs(
            &text,
            |c| c.is_ascii_digit(),
            |c| c == '-',
            |s, a, b| s.extend([a, ' ', b, ' ']),
        );
        text.split(is_space).filter(|token| !token.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn cuts_are_those_of_the_passes() {
        let alphabet = ['a', '1', '.', ',', '-', ' ', '\t', '(', 'é', '\u{2003}', '\'', '中'];
        let mut state = 5_u64;
        for round in 0..40_000 {
            let longest = if round % 500 == 0 { 400 } else { 12 };
            let mut random = |below: usize| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(12_345);
                (state >> 33) as usize % below
            };
            let text: String = (0..random(longest)).map(|_| alphabet[random(12)]).collect();
            let mut tokens = Vec::new();
            western(&text, Edges::Padded, |token, start, end| {
                assert_eq!(&text[start..end], token);
                tokens.push(token.to_owned());
            });
            assert_eq!(tokens, by_passes(&text), "{text:?}");
        }
    }
}
