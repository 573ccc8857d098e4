//! One JSON array of objects, on one line or on many, as `json.dump` and pandas' `to_json` write it.
//!
//! The array is read line by line and returned object by object, so memory holds one object and one line.
//! The JSON parser checks what is inside an object.

use super::column::Column;
use super::lines::Lines;
use crate::error::{Result, bail};

/// How far an array has been read.
#[derive(Default)]
pub struct Array {
    object: String,
    /// Where the object begins: its line, and the bytes before it on that line.
    start: (u64, usize),
    /// The place in the current line.
    at: usize,
    expected: Expected,
}

/// What may come next, apart from white space.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Expected {
    /// The bracket that begins the array.
    #[default]
    Begin,
    /// An object, or the end of an empty array.
    First,
    /// An object.
    Object,
    /// A comma or the end.
    Comma,
    /// Nothing.
    Nothing,
}

impl Expected {
    fn words(self) -> &'static str {
        match self {
            Expected::Begin => "'['",
            Expected::First => "an object or ']'",
            Expected::Object => "an object",
            Expected::Comma => "',' or ']'",
            Expected::Nothing => "nothing after the array",
        }
    }
}

impl Array {
    /// The text of the object that [`Array::next`] found.
    pub fn object(&self) -> &str {
        &self.object
    }

    /// The line and column in the file, from those within the object.
    pub fn place(&self, line: usize, column: usize) -> (u64, usize) {
        let before = if line <= 1 { self.start.1 } else { 0 };
        (self.start.0 + line.saturating_sub(1) as u64, column + before)
    }

    /// Moves to the next object; `false` after the last. `line` keeps the current line.
    pub fn next(&mut self, lines: &mut Lines, line: &mut Column) -> Result<bool> {
        loop {
            let rest = text(line).get(self.at..).unwrap_or_default();
            let next = rest.trim_ascii_start();
            let Some(&byte) = next.as_bytes().first() else {
                if self.next_line(lines, line)? {
                    continue;
                }
                if self.expected == Expected::Nothing {
                    return Ok(false);
                }
                bail!("{}: the file ends, expected {}", lines.input().name, self.expected.words());
            };
            self.at += rest.len() - next.len();
            self.expected = match (self.expected, byte) {
                (Expected::Begin, b'[') => Expected::First,
                (Expected::First | Expected::Object, b'{') => {
                    self.read_object(lines, line)?;
                    self.expected = Expected::Comma;
                    return Ok(true);
                }
                (Expected::Comma, b',') => Expected::Object,
                (Expected::First | Expected::Comma, b']') => Expected::Nothing,
                (expected, _) => bail!(
                    "{}: line {}: expected {} (column {})",
                    lines.input().name,
                    lines.n_lines(),
                    expected.words(),
                    self.at + 1
                ),
            };
            self.at += 1;
        }
    }

    /// Copies the text up to the brace that closes the object.
    fn read_object(&mut self, lines: &mut Lines, line: &mut Column) -> Result<()> {
        self.object.clear();
        self.start = (lines.n_lines(), self.at);
        let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
        loop {
            let rest = text(line).get(self.at..).unwrap_or_default();
            for (at, byte) in rest.bytes().enumerate() {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' if in_string => escaped = true,
                    b'"' => in_string = !in_string,
                    b'{' if !in_string => depth += 1,
                    b'}' if !in_string => {
                        depth -= 1;
                        if depth == 0 {
                            self.object.push_str(&rest[..=at]);
                            self.at += at + 1;
                            return Ok(());
                        }
                    }
                    _ => {}
                }
            }
            self.object.push_str(rest);
            self.object.push('\n');
            if !self.next_line(lines, line)? {
                let (name, begin) = (&lines.input().name, self.start.0);
                bail!("{name}: line {begin}: the object does not end");
            }
        }
    }

    fn next_line(&mut self, lines: &mut Lines, line: &mut Column) -> Result<bool> {
        line.clear();
        lines.read_lines(line, 1)?;
        self.at = 0;
        Ok(line.rows() > 0)
    }
}

/// The current line, or nothing before the first and after the last.
fn text(line: &Column) -> &str {
    if line.rows() == 0 { "" } else { line.text(0) }
}
