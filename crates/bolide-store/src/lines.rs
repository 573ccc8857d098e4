//! Lines and streams with bounds, so that a damaged or hostile file cannot fill the memory.

use std::io::{self, BufRead, Read};

/// No table that people keep has longer lines.
const LONGEST_LINE: u64 = 1 << 20;

/// Lines that end at LF or CRLF, counted from 1.
pub struct Lines<R> {
    reader: R,
    /// The number of the last line.
    pub at: usize,
}

impl<R: BufRead> Lines<R> {
    pub fn new(reader: R) -> Self {
        Lines { reader, at: 0 }
    }

    /// Replaces `line` by the next one, or returns `false` after the last.
    pub fn next(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        line.clear();
        self.at += 1;
        let n = (&mut self.reader).take(LONGEST_LINE + 1).read_until(b'\n', line)?;
        if n as u64 > LONGEST_LINE {
            let message = format!("line {} is longer than 1 MB: no table has such lines", self.at);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        if line.ends_with(b"\n") {
            line.pop();
            if line.ends_with(b"\r") {
                line.pop();
            }
        }
        Ok(n > 0)
    }
}

/// A reader that fails where the content is larger than a bound, such as that of a zip bomb.
pub struct Bounded<R> {
    reader: R,
    left: u64,
}

impl<R: Read> Bounded<R> {
    /// A reader of at most 2 GB.
    pub fn new(reader: R) -> Self {
        Bounded { reader, left: 2_000_000_000 }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.left = self.left.checked_sub(n as u64).ok_or_else(|| {
            let message = "the content is larger than 2 GB, which no table is";
            io::Error::new(io::ErrorKind::InvalidData, message)
        })?;
        Ok(n)
    }
}
