//! Plain text directly to word numbers, for metrics that split at white space and need no list of tokens.
//! This is the fastest way from a line to something that can be compared.
//!
//! Rare texts that it cannot read (white space beyond ASCII, letters whose lower case depends on their
//! neighbours) go to the tokenizers.

use super::blocks::BLOCK;
use super::vocabulary::{HEAD, Vocabulary};
use super::whitespace::{self, BlankFinder, Blanks};

/// Buffers of one worker.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbering {
    /// The text as it is compared, in whole blocks. The last block ends with at least one blank, followed by
    /// enough bytes to read past the start of the last word, so that no loop has a remainder. Never shrinks.
    bytes: Vec<u8>,
    blanks: Vec<u32>,
    /// A text beyond ASCII as it is compared.
    folded: Vec<u8>,
    /// A token in lower case.
    token: String,
}

const BLANK_BLOCK: [u8; BLOCK] = [b' '; BLOCK];

impl Numbering {
    /// Replaces the contents of `numbers` by those of the text's words. Returns `false` if the text needs a
    /// tokenizer.
    pub fn read(
        &mut self,
        text: &str,
        lowercase: bool,
        vocabulary: &mut Vocabulary,
        numbers: &mut Vec<u32>,
    ) -> bool {
        let Numbering { bytes, blanks, folded, .. } = self;
        let found = match copy(text.as_bytes(), lowercase, bytes, blanks) {
            Some(found) if found.is_ascii => found,
            None => return false,
            Some(_) => {
                if !fold_beyond_ascii(text, lowercase, folded) {
                    return false;
                }
                let Some(found) = copy(folded, false, bytes, blanks) else { return false };
                found
            }
        };
        vocabulary.intern_between(bytes, &found, numbers);
        true
    }

    /// Room for a token in lower case.
    pub fn token_buffer(&mut self) -> &mut String {
        &mut self.token
    }

    /// The same for tokens of the caller, which may be anything.
    pub fn read_tokens(
        &mut self,
        tokens: &[&str],
        lowercase: bool,
        vocabulary: &mut Vocabulary,
        numbers: &mut Vec<u32>,
    ) {
        numbers.clear();
        vocabulary.intern_each(tokens, lowercase, &mut self.token, numbers);
    }
}

/// Copies a text to the start of `into`, optionally in lower case, and returns the positions of its blanks.
/// `None` for a text that is too long.
#[inline(always)]
fn copy<'b>(
    text: &[u8],
    lowercase: bool,
    into: &mut Vec<u8>,
    blanks: &'b mut Vec<u32>,
) -> Option<Blanks<'b>> {
    let (whole, rest) = text.as_chunks::<BLOCK>();
    let n_blocks = whole.len() + 1;
    let len = n_blocks * BLOCK + HEAD;
    u32::try_from(len).ok()?;
    if into.len() < len {
        into.resize(len, 0);
    }
    let (first, last) =
        into.as_chunks_mut::<BLOCK>().0.get_mut(..n_blocks)?.split_at_mut(whole.len());
    let mut found = BlankFinder::new(blanks, n_blocks);
    for (block, into) in whole.iter().zip(first) {
        *into = folded_block(block, lowercase);
        found.add(into);
    }
    let last = last.first_mut()?;
    *last = BLANK_BLOCK;
    last.get_mut(..rest.len())?.copy_from_slice(rest);
    *last = folded_block(last, lowercase);
    found.add_last(last, rest.len());
    Some(found.finish())
}

#[inline(always)]
fn folded_block(block: &[u8; BLOCK], lowercase: bool) -> [u8; BLOCK] {
    let mut folded = *block;
    if lowercase {
        folded.make_ascii_lowercase();
    }
    folded
}

/// Copies a text, optionally in lower case, unless it contains something unusual.
fn fold_beyond_ascii(text: &str, lowercase: bool, into: &mut Vec<u8>) -> bool {
    into.clear();
    let mut rest = text;
    loop {
        let n_ascii = rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        let (ascii, beyond) = rest.split_at(n_ascii);
        let start = into.len();
        into.extend_from_slice(ascii.as_bytes());
        if lowercase {
            into[start..].make_ascii_lowercase();
        }
        let mut chars = beyond.chars();
        let mut encoded = [0; 4];
        match chars.next() {
            None => return true,
            // A capital sigma has two lower-case forms, depending on its position.
            Some(c) if whitespace::is_space(c) || (lowercase && c == 'Σ') => return false,
            Some(c) if lowercase => {
                for c in c.to_lowercase() {
                    into.extend_from_slice(c.encode_utf8(&mut encoded).as_bytes());
                }
            }
            Some(c) => into.extend_from_slice(c.encode_utf8(&mut encoded).as_bytes()),
        }
        rest = chars.as_str();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Tokens;

    /// The words according to the tokenizer.
    fn words(text: &str, lowercase: bool) -> Vec<String> {
        let mut tokens = Tokens::new();
        whitespace::tokenize(text, &mut tokens);
        if lowercase {
            tokens.lowercase();
        }
        tokens.iter().map(str::to_owned).collect()
    }

    fn check(text: &str) {
        let mut numbering = Numbering::default();
        let mut vocabulary = Vocabulary::default();
        let mut numbers = Vec::new();
        for lowercase in [false, true] {
            // Twice, because new words take another path than known ones.
            for _ in 0..2 {
                if numbering.read(text, lowercase, &mut vocabulary, &mut numbers) {
                    let read: Vec<&str> = numbers.iter().map(|&id| vocabulary.word(id)).collect();
                    assert_eq!(read, words(text, lowercase), "{text:?}");
                } else {
                    assert!(!text.is_ascii(), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn reads_what_the_tokenizer_reads() {
        for len in 0..140 {
            check(&"a".repeat(len));
            check(&"a ".repeat(len));
            check(&" a".repeat(len));
            check(&format!("{} Bc {}", "x".repeat(len), "Y".repeat(len)));
        }
        for text in
            ["ÉTÉ à\u{a0}b", "ΑΣ ab", "\u{1c}a\u{1f}b\tc\u{b}d", "İstanbul “Ok”", "a\u{85}b"]
        {
            check(text);
        }
    }

    #[test]
    fn reads_any_text_as_the_tokenizer_does() {
        const PARTS: [&str; 16] = [
            " ",
            "  ",
            "\t",
            "\u{1c}",
            "\u{1f}",
            "\u{b}",
            "a",
            "Bc",
            "x.",
            "É",
            "“",
            "\u{a0}",
            "Ж",
            "\0",
            "longer-than-a-key",
            "\u{2003}",
        ];
        let mut state = 1_u64;
        for _ in 0..4000 {
            let mut text = String::new();
            // Texts with white space beyond ASCII take the other path, so most have none.
            let kinds = if state.is_multiple_of(4) { 16 } else { 11 };
            for _ in 0..state >> 32 & 63 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push_str(PARTS[(state >> 33) as usize % kinds]);
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            check(&text);
        }
    }
}
