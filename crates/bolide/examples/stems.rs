//! Stems words as `meteor:classic` does: takes the code of a language, reads one word per line, writes its stem.
//!
//! `tests/live/snowball.py` pipes its words through this.

use std::io::{BufRead, Write};

use bolide::unstable::lexicon::snowball3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let code = std::env::args().nth(1).ok_or("the code of a language is missing")?;
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    for word in std::io::stdin().lock().lines() {
        let stem = snowball3::stem(&code, &word?).ok_or("there is no stemmer for this language")?;
        writeln!(output, "{stem}")?;
    }
    Ok(())
}
