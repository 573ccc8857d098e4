//! Lines as Java reads them: they end at LF, CR or CRLF, and broken UTF-8 becomes U+FFFD.

use crate::error::{Context as _, Result};
use crate::input::open::unopened;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Reads lines one by one, and never consumes more than the line.
pub struct Lines<R> {
    reader: R,
    /// The last line ended with CR: an LF now belongs to it.
    after_cr: bool,
    bytes: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub fn new(reader: R) -> Self {
        Lines { reader, after_cr: false, bytes: Vec::new() }
    }

    /// Reads the next line into `line`. Returns whether there was one.
    pub fn next(&mut self, line: &mut String) -> io::Result<bool> {
        self.bytes.clear();
        line.clear();
        let mut any = false;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(problem) if problem.kind() == io::ErrorKind::Interrupted => continue,
                Err(problem) => return Err(problem),
            };
            if buffer.is_empty() {
                if any {
                    break;
                }
                return Ok(false);
            }
            if std::mem::take(&mut self.after_cr) && buffer[0] == b'\n' {
                self.reader.consume(1);
                continue;
            }
            any = true;
            match buffer.iter().position(|&b| b == b'\n' || b == b'\r') {
                Some(end) => {
                    self.after_cr = buffer[end] == b'\r';
                    self.bytes.extend_from_slice(&buffer[..end]);
                    self.reader.consume(end + 1);
                    break;
                }
                None => {
                    let n = buffer.len();
                    self.bytes.extend_from_slice(buffer);
                    self.reader.consume(n);
                }
            }
        }
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => line.push_str(text),
            Err(_) => line.push_str(&String::from_utf8_lossy(&self.bytes)),
        }
        Ok(true)
    }

    /// Whether [`next`](Self::next) can return without waiting for more input.
    pub fn has_more(&mut self) -> bool
    where
        R: Buffered,
    {
        self.reader.buffered().iter().any(|&b| b == b'\n' || b == b'\r')
    }
}

/// A reader that can show the bytes it has read ahead.
pub trait Buffered {
    fn buffered(&self) -> &[u8];
}

impl<R: io::Read> Buffered for BufReader<R> {
    fn buffered(&self) -> &[u8] {
        self.buffer()
    }
}

/// All lines of a file.
pub fn read(path: &Path) -> Result<Vec<String>> {
    let name = || path.display().to_string();
    let file = File::open(path).map_err(|problem| unopened(path, problem)).with_context(name)?;
    let mut lines = Lines::new(BufReader::with_capacity(1 << 16, file));
    let mut all = Vec::new();
    let mut line = String::new();
    while lines.next(&mut line).with_context(name)? {
        all.push(line.clone());
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_ends() {
        for capacity in 1..8 {
            let text = b"a\r\nb\rc\n\n\r\r\nlast".as_slice();
            let mut lines = Lines::new(BufReader::with_capacity(capacity, text));
            let mut found = Vec::new();
            let mut line = String::new();
            while lines.next(&mut line).unwrap() {
                found.push(line.clone());
            }
            assert_eq!(found, ["a", "b", "c", "", "", "", "last"], "{capacity}");
        }
    }

    #[test]
    fn a_final_end_makes_no_line_and_broken_bytes_are_replaced() {
        let mut lines = Lines::new(BufReader::new(b"x\xFFy\r\n".as_slice()));
        let mut line = String::new();
        assert!(lines.next(&mut line).unwrap());
        assert_eq!(line, "x\u{FFFD}y");
        assert!(!lines.next(&mut line).unwrap());
    }
}
