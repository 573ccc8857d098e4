//! Tokenizes texts like NLTK's `word_tokenize`: reads one JSON string per line and writes per line an object
//! with `sents` (code point ranges), `tokens` and `line_tokens` (`preserve_line=True`).
//!
//! A differential test against NLTK pipes its texts through this.

use std::io::{BufRead, Write};

use bolide::unstable::text::word_tokenize::Scratch;
use bolide::unstable::text::{Tokens, WordTokenizer};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tokenizer = WordTokenizer::embedded()?;
    let mut scratch = Scratch::default();
    let mut tokens = Tokens::new();
    let mut line_tokens = Tokens::new();
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        tokens.clear();
        tokenizer.tokenize(&text, &mut scratch, &mut tokens);
        line_tokens.clear();
        tokenizer.tokenize_line(&text, &mut scratch, &mut line_tokens);
        let count = |end: usize| text[..end].chars().count();
        let sentences: Vec<_> = tokenizer
            .sentences(&text)
            .into_iter()
            .map(|(start, end)| (count(start), count(end)))
            .collect();
        let row = json!({
            "sents": sentences,
            "tokens": tokens.iter().collect::<Vec<_>>(),
            "line_tokens": line_tokens.iter().collect::<Vec<_>>(),
        });
        writeln!(output, "{row}")?;
    }
    Ok(())
}
