//! Prints the pieces of every line under a SentencePiece model, separated by U+001F: `pieces MODEL < lines`.
//!
//! `tests/live/sentencepiece_models.py` compares them with the library's.

use bolide::unstable::text::sentencepiece::SentencePiece;
use std::io::{BufRead, Write};

#[allow(clippy::disallowed_methods, reason = "the engine reads no file, its examples do")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("give the file of a model")?;
    let model = SentencePiece::read(&std::fs::read(path)?)?;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let mut pieces: Vec<String> = Vec::new();
        model.each_piece(&line?, |piece| pieces.push(piece.to_owned()));
        writeln!(out, "{}", pieces.join("\u{1f}"))?;
    }
    Ok(())
}
