//! Prints the tokens of every line under `tok:words` of `meteor:classic`, with spaces between them: `segments < lines`.
//!
//! `tests/live/words.py` compares them with those of ICU4X.

use bolide::unstable::text::{Tokens, words::Segmenter};
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let (segmenter, mut tokens) = (Segmenter::new(), Tokens::new());
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        tokens.clear();
        segmenter.tokenize(&line?, &mut tokens);
        writeln!(out, "{}", tokens.iter().collect::<Vec<_>>().join(" "))?;
    }
    Ok(())
}
