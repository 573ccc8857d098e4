//! From text to tokens: the container that all tokenizers fill, and the tokenizers, one per file.
//!
//! A tokenizer only splits and rewrites characters. Case folding is a separate step ([`Tokens::lowercase`]),
//! because dialects differ in whether and when they fold.

pub mod alphanumeric;
mod blocks;
pub mod case;
pub(crate) mod character_class;
#[cfg(feature = "words")]
pub mod dictionaries;
pub mod intl;
mod intl_tables;
pub(crate) mod lists;
mod marks;
#[cfg(feature = "languages")]
pub mod mecab;
pub(crate) mod normal;
pub(crate) mod numbering;
pub mod ptb;
pub mod punkt;
mod punkt_table;
#[cfg(feature = "languages")]
pub mod sentencepiece;
pub mod tercom;
pub mod thirteen_a;
mod treebank;
mod treebank_scan;
mod unicode_tables;
pub mod unspaced;
pub mod vocabulary;
pub mod whitespace;
pub mod word_tokenize;
#[cfg(feature = "words")]
pub mod words;
pub mod zh;

pub use punkt::Punkt;
pub use word_tokenize::WordTokenizer;

use vocabulary::Vocabulary;

/// Tokens with their positions in the original text, in one reusable buffer.
///
/// The text of a token may differ from the original (a tokenizer turns `"` into two backticks, case folding
/// changes letters); the span always points to the original bytes.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    text: String,
    /// The range of each token in `text`; bytes between two tokens belong to neither.
    ranges: Vec<(usize, usize)>,
    spans: Vec<(usize, usize)>,
}

/// Equal if they hold the same tokens with the same spans, whatever the buffers contain.
impl PartialEq for Tokens {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter()) && self.spans == other.spans
    }
}

impl Eq for Tokens {}

impl Tokens {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the tokens and keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ranges.clear();
        self.spans.clear();
    }

    /// Keeps the first tokens and forgets the rest.
    pub fn truncate(&mut self, n_tokens: usize) {
        // Their text stays in the buffer but belongs to no token.
        self.ranges.truncate(n_tokens);
        self.spans.truncate(n_tokens);
    }

    /// Appends a token whose original is at bytes `start..end`.
    pub fn push(&mut self, token: &str, start: usize, end: usize) {
        let at = self.text.len();
        self.text.push_str(token);
        self.ranges.push((at, self.text.len()));
        self.spans.push((start, end));
    }

    /// Appends a whole text whose parts are tokens; [`push_part`](Self::push_part) adds these. Returns the
    /// start of the text in the buffer.
    pub(crate) fn push_text(&mut self, text: &str) -> usize {
        let base = self.text.len();
        self.text.push_str(text);
        base
    }

    /// Appends the token at some bytes of a text that is at `base` in the buffer and at `offset` in the
    /// original.
    #[inline]
    pub(crate) fn push_part(&mut self, base: usize, (start, end): (usize, usize), offset: usize) {
        self.ranges.push((base + start, base + end));
        self.spans.push((offset + start, offset + end));
    }

    /// Appends tokens from the caller. Their spans are those of the tokens joined by single spaces.
    pub fn extend_given(&mut self, tokens: &[&str]) {
        let mut at = 0;
        for token in tokens {
            self.push(token, at, at + token.len());
            at += token.len() + 1;
        }
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The token at an index, or the empty string past the end.
    pub fn get(&self, idx: usize) -> &str {
        self.ranges.get(idx).map_or("", |&(start, end)| &self.text[start..end])
    }

    /// The byte range of a token in the original text.
    pub fn span(&self, idx: usize) -> (usize, usize) {
        self.spans.get(idx).copied().unwrap_or_default()
    }

    /// The tokens in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        self.ranges.iter().map(|&(start, end)| &self.text[start..end])
    }

    /// Appends the numbers of all tokens.
    pub(crate) fn number(&mut self, vocabulary: &mut Vocabulary, numbers: &mut Vec<u32>) {
        let len = self.text.len();
        self.text.push_str(vocabulary::ROOM);
        vocabulary.intern_ranges(self.text.as_bytes(), &self.ranges, numbers);
        self.text.truncate(len);
    }

    /// Turkish before lower-casing: the capitals of `i` and `ı`, which other languages do not tell apart.
    pub fn lowercase_turkish_i(&mut self) {
        if !self.text.contains(['I', 'İ']) {
            return;
        }
        let mut text = String::with_capacity(self.text.len());
        for (start, end) in &mut self.ranges {
            let at = text.len();
            text.extend(self.text[*start..*end].chars().map(|c| match c {
                'I' => 'ı',
                'İ' => 'i',
                c => c,
            }));
            (*start, *end) = (at, text.len());
        }
        self.text = text;
    }

    /// Composes every token (NFC): letters and the marks on them become one character where there is one.
    #[cfg(feature = "languages")]
    pub fn compose(&mut self) {
        use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
        if self.text.is_ascii() || is_nfc_quick(self.text.chars()) == IsNormalized::Yes {
            return;
        }
        let mut text = String::with_capacity(self.text.len());
        for (start, end) in &mut self.ranges {
            let at = text.len();
            text.extend(self.text[*start..*end].nfc());
            (*start, *end) = (at, text.len());
        }
        self.text = text;
    }

    /// Lower-cases every token separately with full Unicode rules, like Python's `str.lower`.
    pub fn lowercase(&mut self) {
        if self.text.is_ascii() || case::is_lower_beyond_ascii(&self.text) {
            self.text.make_ascii_lowercase();
            return;
        }
        let mut text = String::with_capacity(self.text.len());
        for (start, end) in &mut self.ranges {
            let at = text.len();
            case::push_lower(&self.text[*start..*end], &mut text);
            (*start, *end) = (at, text.len());
        }
        self.text = text;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowercasing_keeps_the_borders_and_the_spans() {
        let mut tokens = Tokens::new();
        tokens.push("ΟΔΟΣ", 0, 8);
        tokens.push("İX", 9, 12);
        tokens.lowercase();
        assert_eq!(tokens.iter().collect::<Vec<_>>(), ["οδος", "i\u{307}x"]);
        assert_eq!(tokens.span(1), (9, 12));
        assert_eq!(tokens.get(2), "");
        let mut tokens = Tokens::new();
        tokens.push("DİYARBAKIR", 0, 11);
        tokens.push("Iğdır", 12, 19);
        tokens.lowercase_turkish_i();
        tokens.lowercase();
        assert_eq!(tokens.iter().collect::<Vec<_>>(), ["diyarbakır", "ığdır"]);
        assert_eq!(tokens.span(1), (12, 19));
    }

    #[cfg(feature = "languages")]
    #[test]
    fn composing_keeps_the_borders_and_the_spans() {
        let mut tokens = Tokens::new();
        tokens.push("cafe\u{301}", 0, 6);
        tokens.push("\u{301}x", 7, 10);
        tokens.push("\u{1112}\u{1161}\u{11ab}", 11, 20);
        tokens.compose();
        assert_eq!(tokens.iter().collect::<Vec<_>>(), ["caf\u{e9}", "\u{301}x", "\u{d55c}"]);
        assert_eq!(tokens.span(1), (7, 10));
    }
}
