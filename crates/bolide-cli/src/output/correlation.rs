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
    /// The rank cluster among the metrics, from 1.
    pub rank: Option<u32>,
}

/// The place of one system in the eyes of people or of a metric.
pub struct Standing {
    /// The number of the group.
    pub group: usize,
    /// Its name.
    pub system: String,
    /// The number of the metric; `None` for people.
    pub metric: Option<usize>,
    /// The mean over the items that all systems have.
    pub score: f64,
    /// The rank cluster, from 1.
    pub rank: Option<u32>,
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
    /// The systems' rank clusters, if they are wanted.
    pub standings: Vec<Standing>,
    /// Decimals in tables.
    pub decimals: usize,
    /// What the marks in tables mean.
    pub remarks: Vec<String>,
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

    /// What the marks mean, and the signatures.
    fn remarks(&self) -> Vec<String> {
        self.remarks.iter().chain(self.signatures.iter().flatten()).cloned().collect()
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
        for group in 0..self.groups.len() {
            let standings: Vec<&Standing> =
                self.standings.iter().filter(|it| it.group == group).collect();
            if !standings.is_empty() {
                let of = if self.has_groups { &format!(" of {}", self.groups[group]) } else { "" };
                tables.push((format!("systems{of}"), self.places(&standings)));
            }
        }
        tables
    }

    /// The systems of a group, best first by what people say.
    fn places(&self, standings: &[&Standing]) -> Table {
        let header = ["", "human"].into_iter().chain(self.metrics.iter().map(String::as_str));
        let mut table = Table::new(header).with_numbers_from(1);
        let mut people: Vec<&&Standing> =
            standings.iter().filter(|it| it.metric.is_none()).collect();
        people.sort_by(|a, b| b.score.total_cmp(&a.score));
        for system in people {
            let of_system = standings.iter().filter(|it| it.system == system.system);
            let cells = of_system.map(|it| {
                let mut text = fixed(it.score, self.decimals);
                put_rank(&mut text, it.rank);
                Cell::from(text)
            });
            table.row(
                std::iter::once(Cell::from(system.system.as_str()))
                    .chain(cells)
                    .collect::<Vec<_>>(),
            );
        }
        table
    }

    fn table(&self, figures: &[&Figure]) -> Table {
        let header = ["", "n"].into_iter().chain(self.metrics.iter().map(String::as_str));
        let mut table = Table::new(header).with_numbers_from(1);
        let less = figures.iter().any(|it| it.coefficient == Coefficient::ConfidenceError);
        for (group, name) in self.groups.iter().enumerate() {
            let figures: Vec<&&Figure> = figures.iter().filter(|it| it.group == group).collect();
            let best = best(figures.iter().map(|figure| figure.value), less);
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
            let best = best(means.iter().copied(), less);
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
        if self.figures.iter().any(|it| it.p_value.is_some()) {
            text.push(if figure.p_value.is_some_and(|p| p <= 0.05) { '*' } else { ' ' });
        }
        put_rank(&mut text, figure.rank);
        text
    }

    fn rows(&self, out: &mut String, separator: char) {
        let header = "level,group,metric,coefficient,n,value,low,high,threshold,p_value,rank\n";
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
            out.push(separator);
            out.extend(figure.rank.map(|rank| rank.to_string()));
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
            out.push_str(",\"rank\":");
            json_rank(out, figure.rank);
            out.push('}');
        }
        out.push_str("\n]");
        self.json_standings(out);
        out.push_str("}\n");
    }

    fn json_standings(&self, out: &mut String) {
        for (idx, standing) in self.standings.iter().enumerate() {
            out.push_str(if idx == 0 { ",\"systems\":[\n" } else { ",\n" });
            out.push_str("{\"group\":");
            match self.has_groups {
                true => json::string(out, &self.groups[standing.group]),
                false => out.push_str("null"),
            }
            out.push_str(",\"system\":");
            json::string(out, &standing.system);
            out.push_str(",\"by\":");
            json::string(out, standing.metric.map_or("human", |metric| &self.metrics[metric]));
            out.push_str(",\"score\":");
            json::number(out, standing.score);
            out.push_str(",\"rank\":");
            json_rank(out, standing.rank);
            out.push('}');
        }
        if !self.standings.is_empty() {
            out.push_str("\n]");
        }
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

fn json_rank(out: &mut String, rank: Option<u32>) {
    let _ = match rank {
        Some(rank) => write!(out, "{rank}"),
        None => write!(out, "null"),
    };
}

fn put_rank(text: &mut String, rank: Option<u32>) {
    if let Some(rank) = rank {
        let _ = write!(text, " ({rank})");
    }
}

/// The best of several values; `None` for a single value.
fn best(values: impl ExactSizeIterator<Item = f64>, less_is_better: bool) -> Option<f64> {
    let several = values.len() > 1;
    let values = values.filter(|value| several && !value.is_nan());
    if less_is_better { values.min_by(f64::total_cmp) } else { values.max_by(f64::total_cmp) }
}
