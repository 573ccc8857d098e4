//! Tokenizes a text like pycocoevalcap's `PTBTokenizer` does, before it removes punctuation: standard input to
//! standard output.
//!
//! tests/live/ptb_tokenizer.py pipes its texts through this.

use std::io::{Read, Write};

use bolide::unstable::text::ptb::Tokenizer;

fn main() -> std::io::Result<()> {
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text)?;
    std::io::stdout().lock().write_all(Tokenizer::new().tokenize(&text).as_bytes())
}
