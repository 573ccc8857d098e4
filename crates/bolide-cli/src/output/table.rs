//! A small table that prints as aligned text, Markdown or LaTeX.
//!
//! The first columns are names, aligned left; the others are numbers, aligned right. The best of a column may
//! be emphasised.

use anstyle::{Effects, Style};
use unicode_width::UnicodeWidthStr;

const BOLD: Style = Style::new().effects(Effects::BOLD);

/// Rows of cells under a header.
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<Cell>>,
    /// Columns from this one on hold numbers.
    numbers_from: usize,
}

/// A text and whether to emphasise it.
#[derive(Clone, Default)]
pub struct Cell {
    text: String,
    strong: bool,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell { text: text.to_owned(), strong: false }
    }
}

impl From<&String> for Cell {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell { text, strong: false }
    }
}

impl Cell {
    /// Emphasises it, or not.
    pub fn strong(self, strong: bool) -> Self {
        Cell { strong, ..self }
    }
}

impl Table {
    /// A table with a header and no rows; all columns are aligned left.
    pub fn new<T: Into<String>>(header: impl IntoIterator<Item = T>) -> Self {
        let header = header.into_iter().map(Into::into).collect();
        Table { header, rows: Vec::new(), numbers_from: usize::MAX }
    }

    /// Aligns columns from this one on to the right.
    pub fn with_numbers_from(mut self, column: usize) -> Self {
        self.numbers_from = column;
        self
    }

    /// Adds a row; missing cells are empty.
    pub fn row<T: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = T>) {
        let mut row: Vec<Cell> = cells.into_iter().map(Into::into).collect();
        row.resize(self.header.len(), Cell::default());
        self.rows.push(row);
    }

    /// Aligned columns, two spaces apart.
    pub fn to_text(&self, color: bool) -> String {
        self.to_text_within(usize::MAX, color)
    }

    /// The same for a terminal of this width: if necessary, the widest columns are wrapped at spaces.
    pub fn to_text_within(&self, width: usize, color: bool) -> String {
        let widths = narrowed(self.widths(), width);
        let mut out = String::new();
        let header: Vec<Cell> =
            self.header.iter().map(|text| Cell::from(text).strong(true)).collect();
        for row in std::iter::once(&header).chain(&self.rows) {
            let folded: Vec<Vec<&str>> =
                row.iter().zip(&widths).map(|(cell, &width)| fold(&cell.text, width)).collect();
            let n_lines = folded.iter().map(Vec::len).max().unwrap_or(0);
            for line in 0..n_lines {
                for (idx, (cell, lines)) in row.iter().zip(&folded).enumerate() {
                    let text = lines.get(line).copied().unwrap_or_default();
                    let fill = " ".repeat(widths[idx].saturating_sub(text.width()));
                    let styled = if color && cell.strong {
                        format!("{BOLD}{text}{BOLD:#}")
                    } else {
                        text.to_owned()
                    };
                    let (before, after) = if idx >= self.numbers_from {
                        (fill.as_str(), "")
                    } else {
                        ("", fill.as_str())
                    };
                    out.extend([before, &styled, after, "  "]);
                }
                out.truncate(out.trim_end_matches(' ').len());
                out.push('\n');
            }
        }
        out
    }

    /// A Markdown table whose source is aligned too.
    pub fn to_markdown(&self) -> String {
        let escape = |cell: &Cell| markdown(&cell.text, cell.strong);
        let header: Vec<Cell> = self.header.iter().map(Cell::from).collect();
        let rows: Vec<Vec<String>> = std::iter::once(&header)
            .chain(&self.rows)
            .map(|row| row.iter().map(escape).collect())
            .collect();
        let mut widths = vec![3; self.header.len()];
        for row in &rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.width().max(*width);
            }
        }
        let mut out = String::new();
        for (idx, row) in rows.iter().enumerate() {
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let fill = " ".repeat(width - cell.width());
                let (before, after) = if column >= self.numbers_from {
                    (fill.as_str(), "")
                } else {
                    ("", fill.as_str())
                };
                out.extend(["| ", before, cell, after, " "]);
            }
            out.push_str("|\n");
            if idx == 0 {
                for (column, width) in widths.iter().enumerate() {
                    let dashes = "-".repeat(width - 1);
                    let numbers = column >= self.numbers_from;
                    out.extend([
                        "| ",
                        if numbers { "" } else { "-" },
                        &dashes,
                        if numbers { ": " } else { " " },
                    ]);
                }
                out.push_str("|\n");
            }
        }
        out
    }

    /// A `tabular` with the rules of booktabs.
    pub fn to_latex(&self) -> String {
        let column = |idx| if idx >= self.numbers_from { 'r' } else { 'l' };
        let columns: String = (0..self.header.len()).map(column).collect();
        let header: Vec<String> = self.header.iter().map(|text| latex(text, false)).collect();
        let mut out = format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n");
        out.push_str(&format!("{} \\\\\n\\midrule\n", header.join(" & ")));
        for row in &self.rows {
            let row: Vec<String> = row.iter().map(|cell| latex(&cell.text, cell.strong)).collect();
            out.push_str(&format!("{} \\\\\n", row.join(" & ")));
        }
        out.push_str("\\bottomrule\n\\end{tabular}\n");
        out
    }

    /// How many columns of a terminal it takes.
    pub fn width(&self) -> usize {
        self.widths().iter().map(|width| width + 2).sum::<usize>().saturating_sub(2)
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.header.iter().map(|name| name.width()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.text.width().max(*width);
            }
        }
        widths
    }
}

/// Narrows the widest columns, step by step, until the table fits or no column is wide.
fn narrowed(mut widths: Vec<usize>, limit: usize) -> Vec<usize> {
    const READABLE: usize = 16;
    while widths.iter().map(|width| width + 2).sum::<usize>().saturating_sub(2) > limit {
        match widths.iter_mut().max() {
            Some(widest) if *widest > READABLE => *widest -= 1,
            _ => break,
        }
    }
    widths
}

/// Lines of at most this width where spaces allow it.
fn fold(text: &str, width: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while rest.width() > width {
        let spaces = rest.match_indices(' ').map(|(at, _)| at);
        let fits = |at: &usize| rest[..*at].width() <= width;
        // A word that is too long exceeds the width rather than being cut.
        let Some(at) = spaces.clone().take_while(fits).last().or_else(|| spaces.clone().next())
        else {
            break;
        };
        lines.push(&rest[..at]);
        rest = &rest[at + 1..];
    }
    lines.push(rest);
    lines
}

/// A text inside a Markdown table.
pub fn markdown(text: &str, strong: bool) -> String {
    let text = text.replace('|', "\\|").replace(['\n', '\r'], " ");
    if strong { format!("**{text}**") } else { text }
}

/// A text inside a LaTeX document.
pub fn latex(text: &str, strong: bool) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '|' => out.push_str("\\textbar{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\n' | '\r' => out.push(' '),
            _ => out.push(c),
        }
    }
    if strong { format!("\\textbf{{{out}}}") } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(["system", "bleu|x:1"]).with_numbers_from(1);
        table.row([Cell::from("a_1"), Cell::from("0.5").strong(true)]);
        table.row([Cell::from("日本"), Cell::from("0.25")]);
        table
    }

    #[test]
    fn text_is_aligned_by_display_width() {
        let text = "system  bleu|x:1\na_1          0.5\n日本        0.25\n";
        assert_eq!(table().to_text(false), text);
        assert!(table().to_text(true).contains("\u{1b}[1m0.5\u{1b}[0m"));
    }

    #[test]
    fn tables_that_are_too_wide_are_folded() {
        let mut table = Table::new(["name", "what it does"]);
        table.row(["a", "one two three four five six seven"]);
        let text = "name  what it does\na     one two three four\n      five six seven\n";
        assert_eq!(table.to_text_within(26, false), text);
        assert_eq!(table.to_text_within(60, false), table.to_text(false));
        assert_eq!(fold("a incomprehensible b", 4), ["a", "incomprehensible", "b"]);
    }

    #[test]
    fn markdown_and_latex_escape_what_would_break_them() {
        let text = "| system | bleu\\|x:1 |\n| ------ | --------: |\n\
                    | a_1    |   **0.5** |\n| 日本   |      0.25 |\n";
        assert_eq!(table().to_markdown(), text);
        let text = "\\begin{tabular}{lr}\n\\toprule\nsystem & bleu\\textbar{}x:1 \\\\\n\\midrule\n\
                    a\\_1 & \\textbf{0.5} \\\\\n日本 & 0.25 \\\\\n\\bottomrule\n\\end{tabular}\n";
        assert_eq!(table().to_latex(), text);
    }
}
