//! Plain text straight to word numbers, for metrics that split at white space and need no list of
//! tokens: the quickest way from a line to something that can be compared.
//!
//! The rare texts that it does not know how to read (white space beyond ASCII, letters whose lower
//! case depends on their neighbours) are left to the tokenizers.

use super::blocks::BLOCK;
use super::vocabulary::{HEAD, Vocabulary};
use super::whitespace;

/// Buffers of one worker.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbering {
    /// The text as it is compared, and behind it [`PADDING`].
    bytes: Vec<u8>,
    blanks: Vec<u32>,
}

/// Stands behind a text: a blank that ends the last word, enough for a whole block, and what a look at
/// the first bytes of the last word may see. Nothing that is done to a text then has a remainder.
const PADDING: [u8; BLOCK + HEAD] = [b' '; BLOCK + HEAD];

impl Numbering {
    /// Replaces the contents of `numbers` by those of the text's words. `false` if the text has to
    /// be read in the general way.
    pub fn read(
        &mut self,
        text: &str,
        lowercase: bool,
        vocabulary: &mut Vocabulary,
        numbers: &mut Vec<u32>,
    ) -> bool {
        self.bytes.clear();
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.extend_from_slice(&PADDING);
        let mut is_ascii = true;
        for block in blocks(&mut self.bytes) {
            is_ascii &= block.is_ascii();
            if lowercase {
                block.make_ascii_lowercase();
            }
        }
        let mut len = text.len();
        if !is_ascii {
            if !self.copy_beyond_ascii(text, lowercase) {
                return false;
            }
            len = self.bytes.len();
            self.bytes.extend_from_slice(&PADDING);
        }
        if u32::try_from(self.bytes.len()).is_err() {
            return false;
        }
        let blanks = whitespace::find_blanks(blocks(&mut self.bytes), len, &mut self.blanks);
        vocabulary.intern_between(&self.bytes, &blanks, numbers);
        true
    }

    /// Copies a text, in lower case if so wished, unless it holds something unusual.
    fn copy_beyond_ascii(&mut self, text: &str, lowercase: bool) -> bool {
        self.bytes.clear();
        let mut rest = text;
        loop {
            let n_ascii = rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
            let (ascii, beyond) = rest.split_at(n_ascii);
            let start = self.bytes.len();
            self.bytes.extend_from_slice(ascii.as_bytes());
            if lowercase {
                self.bytes[start..].make_ascii_lowercase();
            }
            let mut chars = beyond.chars();
            let mut encoded = [0; 4];
            match chars.next() {
                None => return true,
                // A capital sigma is written in two ways, and where it stands decides.
                Some(c) if whitespace::is_space(c) || (lowercase && c == 'Σ') => return false,
                Some(c) if lowercase => {
                    for c in c.to_lowercase() {
                        self.bytes.extend_from_slice(c.encode_utf8(&mut encoded).as_bytes());
                    }
                }
                Some(c) => self.bytes.extend_from_slice(c.encode_utf8(&mut encoded).as_bytes()),
            }
            rest = chars.as_str();
        }
    }
}

/// The whole blocks of a text with its padding.
fn blocks(bytes: &mut [u8]) -> &mut [[u8; BLOCK]] {
    bytes.as_chunks_mut().0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Tokens;

    /// What the tokenizer makes of a text.
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
            // Twice: words that are new take another path than those that are known.
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
            // White space beyond ASCII sends a text the other way, so most get none.
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
