//! The floor: reads files, checks that they are UTF-8, lower-cases every line and splits it into words.
//!
//! It is what any metric must do before it can compare two texts, written as a careful Rust programmer
//! would with the standard library alone: a buffered reader, reused buffers, no threads and nothing unsafe.
//! A metric's cost is told as a multiple of it. Prints the number of words, so that no step can be left out.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

fn main() -> io::Result<()> {
    let mut n_words = 0;
    for path in std::env::args_os().skip(1) {
        let mut reader = BufReader::with_capacity(1 << 16, File::open(path)?);
        let (mut bytes, mut lower) = (Vec::new(), String::new());
        while reader.read_until(b'\n', &mut bytes)? > 0 {
            let line = std::str::from_utf8(&bytes).map_err(io::Error::other)?;
            lower_case(line, &mut lower);
            n_words += lower.split_whitespace().count();
            bytes.clear();
        }
    }
    println!("{n_words}");
    Ok(())
}

/// The line in lower case. ASCII needs no look at single characters, and most lines are ASCII.
fn lower_case(line: &str, lower: &mut String) {
    lower.clear();
    if line.is_ascii() {
        lower.push_str(line);
        lower.make_ascii_lowercase();
    } else {
        lower.extend(line.chars().flat_map(char::to_lowercase));
    }
}
