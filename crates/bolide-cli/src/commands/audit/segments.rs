//! Audits a number for each segment: which configuration gives a whole column.

use super::Args;
use super::findings::{Finding, Given, Verdict};
use super::reported::Reported;
use crate::args::Context;
use crate::error::{Result, bail};
use crate::input::{self, Wanted};
use crate::progress::Progress;
use crate::run::all_resources;
use crate::search::{self, Candidate, Printed, Reading};
use bolide::unstable::{Label, title};
use bolide::{Segment, Text};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A column of numbers.
struct Column<'a> {
    label: &'a str,
    /// What it says.
    says: Label,
    /// The rows that have one.
    numbers: Vec<(usize, Printed)>,
    /// The configuration that gives most of them.
    best: Option<Match>,
}

/// Audits every column of numbers.
pub fn audit(args: &Args, context: &Context) -> Result<Vec<Finding>> {
    let wanted = Wanted {
        hypothesis: &args.corpus.hypothesis_column,
        references: &args.corpus.reference_column,
        names: args.score_column.iter().map(String::as_str).collect(),
        ..Wanted::default()
    };
    let files = std::slice::from_ref(&args.numbers);
    let table = input::Table::read(files, args.corpus.tables, &wanted)?;
    let mut columns = Vec::new();
    for (at, label) in args.score_column.iter().enumerate() {
        columns.push(read_column(&table, at, label)?);
    }
    let candidates = search::within(&all_resources(), 1);
    let progress = Progress::new(context).of("configurations");
    let done = Arc::new(AtomicU64::new(0));
    let position = Arc::clone(&done);
    let size = candidates.len() as u64;
    progress.start(Some((size, move || position.load(Ordering::Relaxed))));
    for candidate in candidates {
        let values = values(&table, &candidate)?;
        for column in &mut columns {
            let found = column.compare(&candidate, &values);
            if column.best.as_ref().is_none_or(|best| found.is_better_than(best)) {
                column.best = Some(found);
            }
        }
        progress.advance(done.fetch_add(1, Ordering::Relaxed) + 1);
    }
    progress.finish();
    Ok(columns.into_iter().map(|column| column.finding(&table)).collect())
}

fn read_column<'a>(table: &input::Table, at: usize, label: &'a str) -> Result<Column<'a>> {
    let mut numbers = Vec::new();
    for row in 0..table.rows() {
        let text = table.text(at, row).trim();
        match Printed::parse(text) {
            Some(printed) => numbers.push((row, printed)),
            None if text.is_empty() => {}
            None => bail!("{}: column '{label}': '{text}' is not a number", table.place(row)),
        }
    }
    if numbers.is_empty() {
        bail!("column '{label}' has no numbers");
    }
    Ok(Column { label, says: Label::read(label), numbers, best: None })
}

/// How well one configuration fits a column.
struct Match {
    candidate: Candidate,
    /// How many numbers it gives.
    n: usize,
    /// The row of the first number that it does not give.
    first_other: Option<usize>,
    /// Whether it is of the metric that the column's name mentions.
    is_own: bool,
    /// The first number's value, and how it was printed.
    value: f64,
    reading: Option<Reading>,
}

impl Match {
    fn is_better_than(&self, other: &Match) -> bool {
        // A configuration that gives all numbers wins, of the right metric if there is one; then simple ones.
        let key = |m: &Match| (m.n, m.is_own, std::cmp::Reverse(m.candidate.changes.len()));
        key(self) > key(other)
    }

    fn verdict(self, n_numbers: usize, table: &input::Table) -> Verdict {
        let given = Given {
            metric: self.candidate.name.clone(),
            signature: self.candidate.metric.signature().to_string(),
            title: title(&self.candidate.metric),
            what: "score".to_owned(),
            value: self.value,
            reading: self.reading,
        };
        match self.first_other {
            None if self.is_own => Verdict::Explained(given),
            None => Verdict::OtherMetric(given),
            Some(_) if self.n == 0 => Verdict::NotExplained(None),
            Some(row) => Verdict::Partly(given, self.n, n_numbers, table.place(row)),
        }
    }
}

/// The scores of all segments.
fn values(table: &input::Table, candidate: &Candidate) -> Result<Vec<f64>> {
    let mut scorer = candidate.metric.scorer();
    let mut references: Vec<Text<'_>> = Vec::new();
    let mut values = Vec::with_capacity(table.rows());
    for row in 0..table.rows() {
        table.references(row, &mut references);
        values.push(scorer.value(Segment::new(table.hypothesis(row).into(), &references)?));
    }
    Ok(values)
}

impl Column<'_> {
    fn reported(&self) -> Reported {
        Reported {
            label: self.label.to_owned(),
            number: format!("{} numbers", self.numbers.len()),
            ..Reported::default()
        }
    }

    fn compare(&self, candidate: &Candidate, values: &[f64]) -> Match {
        let mut found = Match {
            candidate: candidate.clone(),
            n: 0,
            first_other: None,
            is_own: self.says.suits(&candidate.metric),
            value: f64::NAN,
            reading: None,
        };
        for (row, printed) in &self.numbers {
            match printed.reads(values[*row], candidate.scale()) {
                Some(reading) => {
                    found.n += 1;
                    if found.reading.is_none() {
                        found.value = values[*row];
                        found.reading = Some(reading);
                    }
                }
                None if found.first_other.is_none() => found.first_other = Some(*row),
                None => {}
            }
        }
        found
    }

    fn finding(self, table: &input::Table) -> Finding {
        let (reported, n_numbers) = (self.reported(), self.numbers.len());
        let verdict = match (reported.elsewhere(), self.best) {
            (Some(why), _) => Verdict::Elsewhere(why),
            (None, None) => Verdict::NotExplained(None),
            (None, Some(best)) => best.verdict(n_numbers, table),
        };
        Finding { reported, verdict }
    }
}
