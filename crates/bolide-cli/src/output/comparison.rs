//! Results of `bolide compare`: a baseline, systems, and how likely chance explains their differences.

use super::table::{Cell, Table};
use super::{Format, csv, fixed, json};
use bolide::Signature;
use bolide::resample::Interval;
use std::fmt::Write;
use std::ops::Range;

/// The kind of test.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Paired bootstrap.
    Bootstrap,
    /// Paired approximate randomisation.
    Randomization,
}

/// The test and its settings.
pub struct Test {
    /// Its kind.
    pub kind: Kind,
    /// Samples or trials.
    pub n_samples: usize,
    /// The seed of the generator.
    pub seed: u64,
    /// The level of significance.
    pub level: f64,
    /// Whether the p-values have Holm's correction.
    pub corrected: bool,
}

/// One system by one metric.
pub struct Entry {
    /// The score.
    pub score: f64,
    /// The interval, from a bootstrap.
    pub interval: Option<Interval>,
    /// The p-value against the baseline; the baseline itself has none.
    pub p_value: Option<f64>,
    /// Whether the score differs from the baseline's. If it does not, the result is never significant.
    pub differs: bool,
}

/// Everything that is printed.
pub struct Comparison {
    /// The systems' names, the baseline first.
    pub systems: Vec<String>,
    /// The metrics as the user wrote them.
    pub metrics: Vec<String>,
    /// Decimals of each metric.
    pub decimals: Vec<usize>,
    /// The full name of each metric.
    pub signatures: Vec<String>,
    /// Systems one after the other, each with all metrics.
    pub entries: Vec<Entry>,
    /// The test.
    pub test: Test,
    /// Whether text may have colours.
    pub color: bool,
    /// The width of the terminal.
    pub width: usize,
}

impl Test {
    /// Adds the facts that sacreBLEU's signatures have.
    pub fn with_facts(&self, signature: Signature) -> Signature {
        let key = match self.kind {
            Kind::Bootstrap => "bs",
            Kind::Randomization => "ar",
        };
        signature.with_fact(key, self.n_samples).with_fact("seed", self.seed)
    }

    fn is_significant(&self, entry: &Entry) -> bool {
        entry.differs && entry.p_value.is_some_and(|p| p <= self.level)
    }

    fn name(&self) -> &'static str {
        match self.kind {
            Kind::Bootstrap => "bootstrap",
            Kind::Randomization => "randomization",
        }
    }

    fn sentence(&self) -> String {
        let samples = match self.kind {
            Kind::Bootstrap => "paired bootstrap, {n} samples",
            Kind::Randomization => "paired approximate randomization, {n} trials",
        };
        format!(
            "{}, seed {}{}; * is p ≤ {}",
            samples.replace("{n}", &self.n_samples.to_string()),
            self.seed,
            if self.corrected { ", Holm's correction" } else { "" },
            self.level
        )
    }
}

impl Comparison {
    /// The document in a format.
    pub fn print(&self, format: Format) -> String {
        match format {
            Format::Text => {
                let tables = self.blocks().into_iter();
                let tables = tables.map(|block| self.table(block).to_text(self.color));
                let mut out = tables.collect::<Vec<String>>().join("\n");
                let _ = writeln!(out, "\n{}", self.test.sentence());
                self.signatures.iter().for_each(|line| out.extend([line.as_str(), "\n"]));
                out
            }
            Format::Markdown => {
                let mut out = self.table(self.all()).to_markdown();
                let _ = writeln!(out, "\n{}\n", self.test.sentence());
                for line in &self.signatures {
                    let _ = writeln!(out, "- `{line}`");
                }
                out
            }
            Format::Latex => {
                let mut out = format!("% {}\n", self.test.sentence());
                for line in &self.signatures {
                    let _ = writeln!(out, "% {line}");
                }
                out + &self.table(self.all()).to_latex()
            }
            Format::Csv => self.rows(','),
            Format::Tsv => self.rows('\t'),
            Format::Json => self.json(),
        }
    }

    fn all(&self) -> Range<usize> {
        0..self.metrics.len()
    }

    /// The metrics in as few tables as fit the terminal, at least one in each.
    fn blocks(&self) -> Vec<Range<usize>> {
        let mut blocks = Vec::new();
        let mut start = 0;
        while start < self.metrics.len() {
            let fits = |end: &usize| self.table(start..*end).width() <= self.width;
            let end = (start + 2..=self.metrics.len()).take_while(fits).last();
            let end = end.unwrap_or(start + 1);
            blocks.push(start..end);
            start = end;
        }
        blocks
    }

    /// Systems × (score, half width of the interval, p-value) of some metrics.
    fn table(&self, metrics: Range<usize>) -> Table {
        let mut header = vec!["system"];
        for metric in &self.metrics[metrics.clone()] {
            header.push(metric);
            if self.test.kind == Kind::Bootstrap {
                header.push("± 95 %");
            }
            if self.systems.len() > 1 {
                header.push("p");
            }
        }
        let mut table = Table::new(header).with_numbers_from(1);
        for (idx, entries) in self.entries.chunks(self.metrics.len()).enumerate() {
            let baseline = idx == 0 && self.systems.len() > 1;
            let name = &self.systems[idx];
            let mut row = vec![Cell::from(if baseline {
                format!("{name} (baseline)")
            } else {
                name.clone()
            })];
            let shown = entries.iter().zip(&self.decimals).take(metrics.end).skip(metrics.start);
            for (entry, &decimals) in shown {
                row.push(Cell::from(fixed(entry.score, decimals)));
                if let Some(interval) = entry.interval {
                    row.push(Cell::from(fixed(interval.half_width, decimals)));
                }
                if self.systems.len() > 1 {
                    // Not the score: in papers a bold score is the best.
                    let strong = self.test.is_significant(entry);
                    let mark = if strong { "*" } else { " " };
                    let p = entry.p_value.map(|p| format!("{}{mark}", four_decimals(p)));
                    row.push(Cell::from(p.unwrap_or_default()).strong(strong));
                }
            }
            table.row(row);
        }
        table
    }

    fn rows(&self, separator: char) -> String {
        let header = "system,metric,signature,baseline,score,mean,half_width,p_value,significant\n";
        let mut out = header.replace(',', separator.encode_utf8(&mut [0; 4]));
        for (idx, entry) in self.entries.iter().enumerate() {
            let (system, metric) = (idx / self.metrics.len(), idx % self.metrics.len());
            csv::field(&mut out, &self.systems[system], separator);
            out.push(separator);
            csv::field(&mut out, &self.metrics[metric], separator);
            out.push(separator);
            csv::field(&mut out, &self.signatures[metric], separator);
            let _ = write!(out, "{separator}{}{separator}", system == 0);
            csv::number(&mut out, entry.score);
            for number in self.numbers(entry) {
                out.push(separator);
                csv::number(&mut out, number.1.unwrap_or(f64::NAN));
            }
            out.push(separator);
            if entry.p_value.is_some() {
                let _ = write!(out, "{}", self.test.is_significant(entry));
            }
            out.push('\n');
        }
        out
    }

    fn json(&self) -> String {
        let Test { n_samples, seed, level, corrected, .. } = self.test;
        let mut out = format!("{{\"version\":\"{}\",\"test\":{{", bolide::VERSION);
        let _ = write!(
            out,
            "\"kind\":\"{}\",\"samples\":{n_samples},\"seed\":{seed},\"level\":{level:?},\
             \"correction\":{}}},\"results\":[",
            self.test.name(),
            if corrected { "\"holm\"" } else { "null" }
        );
        for (idx, entry) in self.entries.iter().enumerate() {
            let (system, metric) = (idx / self.metrics.len(), idx % self.metrics.len());
            out.push_str(if idx == 0 { "\n" } else { ",\n" });
            for (key, text) in [
                ("{\"system\":", &self.systems[system]),
                (",\"metric\":", &self.metrics[metric]),
                (",\"signature\":", &self.signatures[metric]),
            ] {
                out.push_str(key);
                json::string(&mut out, text);
            }
            let _ = write!(out, ",\"baseline\":{},\"score\":", system == 0);
            json::number(&mut out, entry.score);
            for (name, number) in self.numbers(entry) {
                let _ = write!(out, ",\"{name}\":");
                json::number(&mut out, number.unwrap_or(f64::NAN));
            }
            let significant = entry.p_value.map(|_| self.test.is_significant(entry));
            let significant = significant.map_or("null".to_owned(), |flag| flag.to_string());
            let _ = write!(out, ",\"significant\":{significant}}}");
        }
        out.push_str("\n]}\n");
        out
    }

    fn numbers(&self, entry: &Entry) -> [(&'static str, Option<f64>); 3] {
        [
            ("mean", entry.interval.map(|interval| interval.mean)),
            ("half_width", entry.interval.map(|interval| interval.half_width)),
            ("p_value", entry.p_value),
        ]
    }
}

/// A p-value, which is never zero.
fn four_decimals(p: f64) -> String {
    if p < 0.000_05 { "<0.0001".to_owned() } else { format!("{p:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_that_do_not_fit_get_a_table_of_their_own() {
        let interval = Interval { mean: 0.5, half_width: 0.01 };
        let entry = |p| Entry { score: 0.5, interval: Some(interval), p_value: p, differs: true };
        let names = ["meteor", "meteor:nltk", "chrf"].map(str::to_owned);
        let comparison = |width| Comparison {
            systems: vec!["a".to_owned(), "b".to_owned()],
            metrics: names.to_vec(),
            decimals: vec![4; 3],
            signatures: names.to_vec(),
            entries: (0..6).map(|idx| entry((idx > 2).then_some(0.5))).collect(),
            test: Test {
                kind: Kind::Bootstrap,
                n_samples: 10,
                seed: 1,
                level: 0.05,
                corrected: false,
            },
            color: false,
            width,
        };
        let wide = comparison(usize::MAX).print(Format::Text);
        assert_eq!(wide.matches("a (baseline)").count(), 1);
        let narrow = comparison(70).print(Format::Text);
        assert_eq!(narrow.matches("a (baseline)").count(), 2, "{narrow}");
        assert!(narrow.lines().all(|line| line.chars().count() <= 70), "{narrow}");
        let least = comparison(10).print(Format::Text);
        assert_eq!(least.matches("a (baseline)").count(), 3, "{least}");
        assert_eq!(narrow.matches("0.5000").count(), wide.matches("0.5000").count());
    }
}
