//! Prints the words of every line under a dictionary of MeCab, with spaces between them: `words FOLDER < lines`.
//!
//! `tests/live/mecab.py` compares them with MeCab's.

use bolide::unstable::text::mecab::{Dictionary, Files};
use std::io::{BufRead, Write};
use std::path::Path;

#[allow(clippy::disallowed_methods, reason = "the engine reads no file, its examples do")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("give the folder of a dictionary")?;
    let read = |name: &str| std::fs::read(Path::new(&folder).join(name));
    let settings = String::from_utf8(read("dicrc")?)?;
    let (words, unknown) = (read("sys.dic")?, read("unk.dic")?);
    let (matrix, characters) = (read("matrix.bin")?, read("char.bin")?);
    let (words, unknown, matrix) = (&words[..], &unknown[..], &matrix[..]);
    let files = Files { words, unknown, matrix, characters: &characters, settings: &settings };
    let dictionary = Dictionary::open(std::sync::Arc::new(Dictionary::pack(&files)?))?;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let mut words: Vec<&str> = Vec::new();
        dictionary.each_word(&line, |word| words.push(word));
        writeln!(out, "{}", words.join(" "))?;
    }
    Ok(())
}
