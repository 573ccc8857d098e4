//! `nltk.word_tokenize` of NLTK 3.10.4: Punkt sentences, then Treebank-style words.
//!
//! Tokens are as in NLTK: case is kept, and straight double quotes become two backticks or two apostrophes.
//! Spans point to the characters of the given text.

use super::punkt::Punkt;
use super::{Tokens, punkt, treebank, treebank_scan};

/// The tokenizer of NLTK and of Hugging Face's METEOR.
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// use bolide::unstable::text::{Tokens, WordTokenizer, word_tokenize::Scratch};
///
/// let tokenizer = WordTokenizer::embedded()?;
/// let mut tokens = Tokens::new();
/// tokenizer.tokenize("Don't ask Dr. Who. \"Why?\"", &mut Scratch::default(), &mut tokens);
/// let words: Vec<&str> = tokens.iter().collect();
/// assert_eq!(words, ["Do", "n't", "ask", "Dr.", "Who", ".", "``", "Why", "?", "''"]);
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct WordTokenizer {
    punkt: Punkt,
}

/// Buffers that a [`WordTokenizer`] reuses from text to text; one per worker.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    sentences: Vec<(usize, usize)>,
    punkt: punkt::Scratch,
    treebank: treebank::Scratch,
}

impl WordTokenizer {
    /// A tokenizer that splits sentences with the given model.
    pub fn new(punkt: Punkt) -> Self {
        WordTokenizer { punkt }
    }

    /// A tokenizer with the embedded English model, like `word_tokenize(text)`.
    #[cfg(feature = "punkt")]
    pub fn embedded() -> crate::error::Result<Self> {
        Ok(WordTokenizer::new(Punkt::embedded()?))
    }

    /// Appends the tokens of a text of any number of sentences.
    pub fn tokenize(&self, text: &str, scratch: &mut Scratch, tokens: &mut Tokens) {
        scratch.sentences.clear();
        self.punkt.sentences(text, &mut scratch.punkt, &mut scratch.sentences);
        for &(start, end) in &scratch.sentences {
            let sentence = text.get(start..end).unwrap_or("");
            sentence_tokens(sentence, start, &mut scratch.treebank, tokens);
        }
    }

    /// Appends the tokens of a text treated as one sentence, like `preserve_line=True`.
    pub fn tokenize_line(&self, text: &str, scratch: &mut Scratch, tokens: &mut Tokens) {
        sentence_tokens(text, 0, &mut scratch.treebank, tokens);
    }

    /// The sentences of a text, as byte ranges.
    pub fn sentences(&self, text: &str) -> Vec<(usize, usize)> {
        let mut sentences = Vec::new();
        self.punkt.sentences(text, &mut punkt::Scratch::default(), &mut sentences);
        sentences
    }
}

/// Appends the tokens of one sentence: in one pass if possible, else rule by rule.
fn sentence_tokens(
    sentence: &str,
    offset: usize,
    scratch: &mut treebank::Scratch,
    tokens: &mut Tokens,
) {
    if !treebank_scan::tokenize(sentence, offset, tokens) {
        treebank::tokenize(sentence, offset, scratch, tokens);
    }
}
