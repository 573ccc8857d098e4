//! Results of `bolide correlate`: for each figure and level a table of groups × metrics.

use super::table::{Cell, Table};
use super::{Format, csv, fixed, json};
use bolide::correlation::Coefficient;
use std::fmt::Write;

/// How well one metric agrees with people, at one level in one group.
pub struct Figure {
    /// `segment` or `system`.
    pub level: &'static str,
    /// The number of the group.
    pub group: usize,
    /// The number of the metric.
    pub metric: usize,
    /// The coefficient.
    pub coefficient: Coefficient,
    /// The number of points.
    pub n: usize,
    /// Its value.
    pub value: f64,
    /// For accuracies, the largest difference that counts as a tie.
    pub threshold: Option<f64>,
    /// The ends of the interval.
    pub interval: Option<[f64; 2]>,
    /// The p-value against the first metric.
    pub p_value: Option<f64>,
}

/// Everything that is printed.
pub struct Correlations {
    /// The groups' names.
    pub groups: Vec<String>,
    /// Whether the user wants groups.
    pub has_groups: bool,
    /// The metrics' names.
    pub metrics: Vec<String>,
    /// The signatures of metrics that were computed here.
    pub signatures: Vec<Option<String>>,
    /// The coefficients to print.
    pub coefficients: Vec<Coefficient>,
    /// All figures.
    pub figures: Vec<Figure>,
    /// Decimals in tables.
    pub decimals: usize,
    /// Whether there are intervals.
    pub confidence: bool,
    /// Whether there are p-values.
    pub test: bool,
    /// The number of bootstrap samples and permutations.
    pub n_samples: u32,
    /// The seed of the generator.
    pub seed: u64,
    /// Whether text may have colours.
    pub color: bool,
}

impl Correlations {
    /// The document in a format.
    pub fn print(&self, format: Format) -> String {
        let mut out = String::new();
        match format {
            Format::Text => {
                for (title, table) in self.tables() {
                    let _ = writeln!(out, "{title}\n{}", table.to_text(self.color));
                }
                self.remarks().iter().for_each(|line| out.extend([line, "\n"]));
            }
            Format::Markdown => {
                for (title, table) in self.tables() {
                    let _ = writeln!(out, "{title}:\n\n{}", table.to_markdown());
                }
                for line in self.remarks() {
                    let _ = writeln!(out, "- `{line}`");
                }
            }
            Format::Latex => {
                for line in self.remarks() {
                    let _ = writeln!(out, "% {line}");
                }
                for (title, table) in self.tables() {
                    let _ = writeln!(out, "% {title}\n{}", table.to_latex());
                }
            }
            Format::Csv => self.rows(&mut out, ','),
            Format::Tsv => self.rows(&mut out, '\t'),
            Format::Json => self.json(&mut out),
        }
        out
    }

    /// The settings of intervals and tests.
    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let (n, seed) = (self.n_samples, self.seed);
        if self.confidence {
            remarks.push(format!("95 % intervals of {n} bootstrap samples, seed {seed}"));
        }
        if self.test {
            let first = &self.metrics[0];
            remarks.push(format!(
                "* differs from {first} with p ≤ 0.05, {n} permutations, seed {seed}"
            ));
        }
        remarks.extend(self.signatures.iter().flatten().cloned());
        remarks
    }

    /// One table for each level and coefficient, with its title.
    fn tables(&self) -> Vec<(String, Table)> {
        let mut tables = Vec::new();
        for level in ["segment", "system"] {
            for &coefficient in &self.coefficients {
                let chosen: Vec<&Figure> = self
                    .figures
                    .iter()
                    .filter(|figure| figure.level == level && figure.coefficient == coefficient)
                    .collect();
                if !chosen.is_empty() {
                    let title = format!("{}, {level} level", coefficient.name());
                    tables.push((title, self.table(&chosen)));
                }
            }
        }
        tables
    }

    fn table(&self, figures: &[&Figure]) -> Table {
        let header = ["", "n"].into_iter().chain(self.metrics.iter().map(String::as_str));
        let mut table = Table::new(header).with_numbers_from(1);
        for (group, name) in self.groups.iter().enumerate() {
            let figures: Vec<&&Figure> = figures.iter().filter(|it| it.group == group).collect();
            let best = best(figures.iter().map(|figure| figure.value));
            let n = figures.first().map_or(0, |figure| figure.n);
            let name = if self.has_groups { name.as_str() } else { "all" };
            let mut row = vec![Cell::from(name), Cell::from(n.to_string())];
            row.extend(
                figures
                    .iter()
                    .map(|figure| Cell::from(self.cell(figure)).strong(Some(figure.value) == best)),
            );
            table.row(row);
        }
        if self.groups.len() > 1 {
            let means: Vec<f64> = (0..self.metrics.len()).map(|it| mean(figures, it)).collect();
            let best = best(means.iter().copied());
            let mut row = vec![Cell::from("mean"), Cell::default()];
            row.extend(
                means
                    .iter()
                    .map(|&mean| Cell::from(fixed(mean, self.decimals)).strong(Some(mean) == best)),
            );
            table.row(row);
        }
        table
    }

    fn cell(&self, figure: &Figure) -> String {
        let mut text = fixed(figure.value, self.decimals);
        if let Some([low, high]) = figure.interval {
            let _ =
                write!(text, " [{}, {}]", fixed(low, self.decimals), fixed(high, self.decimals));
        }
        if self.test {
            text.push(if figure.p_value.is_some_and(|p| p <= 0.05) { '*' } else { ' ' });
        }
        text
    }

    fn rows(&self, out: &mut String, separator: char) {
        let header = "level,group,metric,coefficient,n,value,low,high,threshold,p_value\n";
        out.push_str(&header.replace(',', separator.encode_utf8(&mut [0; 4])));
        for figure in &self.figures {
            out.push_str(figure.level);
            out.push(separator);
            csv::field(out, &self.groups[figure.group], separator);
            out.push(separator);
            csv::field(out, &self.metrics[figure.metric], separator);
            let _ = write!(
                out,
                "{separator}{}{separator}{}{separator}",
                figure.coefficient.name(),
                figure.n
            );
            csv::number(out, figure.value);
            for (_, number) in figure.numbers() {
                out.push(separator);
                csv::number(out, number.unwrap_or(f64::NAN));
            }
            out.push('\n');
        }
    }

    fn json(&self, out: &mut String) {
        let _ = write!(
            out,
            "{{\"version\":\"{}\",\"samples\":{},\"seed\":{},\"results\":[",
            bolide::VERSION,
            self.n_samples,
            self.seed
        );
        for (idx, figure) in self.figures.iter().enumerate() {
            out.push_str(if idx == 0 { "\n" } else { ",\n" });
            let _ = write!(out, "{{\"level\":\"{}\",\"group\":", figure.level);
            match self.has_groups {
                true => json::string(out, &self.groups[figure.group]),
                false => out.push_str("null"),
            }
            out.push_str(",\"metric\":");
            json::string(out, &self.metrics[figure.metric]);
            out.push_str(",\"signature\":");
            match &self.signatures[figure.metric] {
                Some(signature) => json::string(out, signature),
                None => out.push_str("null"),
            }
            let name = figure.coefficient.name();
            let _ = write!(out, ",\"coefficient\":\"{name}\",\"n\":{},\"value\":", figure.n);
            json::number(out, figure.value);
            for (name, number) in figure.numbers() {
                let _ = write!(out, ",\"{name}\":");
                json::number(out, number.unwrap_or(f64::NAN));
            }
            out.push('}');
        }
        out.push_str("\n]}\n");
    }
}

impl Figure {
    fn numbers(&self) -> [(&'static str, Option<f64>); 4] {
        [
            ("low", self.interval.map(|interval| interval[0])),
            ("high", self.interval.map(|interval| interval[1])),
            ("threshold", self.threshold),
            ("p_value", self.p_value),
        ]
    }
}

/// The mean over the groups.
fn mean(figures: &[&Figure], metric: usize) -> f64 {
    let values: Vec<f64> =
        figures.iter().filter(|it| it.metric == metric).map(|it| it.value).collect();
    bolide::unstable::arithmetic::fsum(values.iter().copied()) / values.len() as f64
}

/// The best of several values; `None` for a single value.
fn best(values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let several = values.len() > 1;
    values.filter(|value| several && !value.is_nan()).max_by(f64::total_cmp)
}
