//! Results as text: one module for each format, all made from the same [`Outcome`]s.
//!
//! Formats only make strings. `sink` decides where they go: to stdout, or to a file that appears when it is
//! complete.

pub mod bare;
pub mod comparison;
pub mod correlation;
pub mod csv;
pub mod evidence;
pub mod explanation;
pub mod json;
pub mod latex;
mod leftover;
pub mod markdown;
pub mod parquet;
pub mod sink;
pub mod table;
pub mod text;
mod unfinished;

use bolide::{Score, Value};
use clap::ValueEnum;
use std::borrow::Cow;
use table::{Cell, Table};

/// The formats of text.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Aligned columns for people
    Text,
    /// One document with everything
    Json,
    /// Rows for programs
    Csv,
    /// The same with tabs
    Tsv,
    /// A table for a README or an issue
    Markdown,
    /// A table for a paper (booktabs)
    Latex,
}

/// The formats of lists: dialects, languages.
#[derive(Clone, Copy, ValueEnum)]
pub enum ListFormat {
    Text,
    Json,
    Markdown,
}

/// What to print.
pub struct Plan {
    /// The systems' names.
    pub systems: Vec<String>,
    /// The metrics.
    pub metrics: Vec<Heading>,
    /// Whether there are rows for single segments.
    pub segments: bool,
    /// Whether tables show the components too.
    pub details: bool,
    /// Whether text may have colours.
    pub color: bool,
}

/// A metric as the heading of a column.
pub struct Heading {
    /// As the user wrote it.
    pub name: String,
    /// Decimals in tables.
    pub decimals: usize,
    /// Whether a smaller score is better.
    pub lower_is_better: bool,
    /// The names of its components.
    pub components: Vec<Cow<'static, str>>,
}

/// The score of one system by one metric.
pub struct Outcome {
    /// Which system.
    pub system: usize,
    /// Which metric.
    pub metric: usize,
    /// The score of the corpus.
    pub score: Score,
}

/// A format of `bolide score`.
pub trait ScoreFormat: Sync {
    /// How many spools the format needs: texts of segments that are kept until [`Piece::Spool`] places them
    /// at the end. Without spools, the text of the segments is printed as it grows.
    fn n_spools(&self, _: &Plan) -> usize {
        0
    }

    /// The text before the segments. Only called if segments are printed.
    fn begin(&self, plan: &Plan, out: &mut String);

    /// The scores of one system for one segment, by all metrics.
    fn segment(
        &self,
        plan: &Plan,
        segment: u64,
        system: usize,
        scores: &[Score],
        out: &mut [String],
    );

    /// The text after the segments.
    fn end(&self, plan: &Plan, outcomes: &[Outcome]) -> Vec<Piece>;
}

/// A piece of the end of a document.
pub enum Piece {
    /// Text.
    Text(String),
    /// All that the segments wrote to a spool.
    Spool(usize),
}

impl Format {
    /// The format's code.
    pub fn score_format(self) -> &'static dyn ScoreFormat {
        match self {
            Format::Text => &text::Text,
            Format::Json => &json::Json,
            Format::Csv => &csv::Separated(','),
            Format::Tsv => &csv::Separated('\t'),
            Format::Markdown => &markdown::Markdown,
            Format::Latex => &latex::Latex,
        }
    }
}

/// A number in a table.
pub fn fixed(x: f64, decimals: usize) -> String {
    if x.is_finite() { format!("{x:.decimals$}") } else { "n/a".to_owned() }
}

/// A component in a table.
pub fn component(value: Value, decimals: usize) -> String {
    match value {
        Value::Count(n) => n.to_string(),
        Value::Flag(flag) => bolide::unstable::yes_no(flag).to_owned(),
        Value::Number(x) => fixed(x, decimals),
    }
}

/// Systems × metrics; the best of each column is marked.
///
/// If there is a single metric and its corpus score is not the mean of the segment scores, the table also has
/// that mean; for several metrics, the details show it.
fn systems_by_metrics(plan: &Plan, outcomes: &[Outcome]) -> Table {
    let means = segment_means(plan, outcomes);
    let header = std::iter::once("system").chain(plan.metrics.iter().map(|m| m.name.as_str()));
    let header = header.chain(means.as_ref().map(|_| "mean of segments"));
    let mut table = Table::new(header).with_numbers_from(1);
    let best: Vec<Option<f64>> =
        (0..plan.metrics.len()).map(|metric| best(plan, outcomes, metric)).collect();
    for (idx, system) in plan.systems.iter().enumerate() {
        let scores = outcomes.iter().filter(|outcome| outcome.system == idx).map(|outcome| {
            let score = outcome.score.value;
            let cell = Cell::from(fixed(score, plan.metrics[outcome.metric].decimals));
            cell.strong(best[outcome.metric] == Some(score))
        });
        let mean =
            means.as_ref().map(|means| Cell::from(fixed(means[idx], plan.metrics[0].decimals)));
        table.row(std::iter::once(Cell::from(system)).chain(scores).chain(mean));
    }
    table
}

/// The mean segment score of each system, if it differs from the corpus score.
fn segment_means(plan: &Plan, outcomes: &[Outcome]) -> Option<Vec<f64>> {
    let mean = |outcome: &Outcome| Some(outcome.score.components.get("segment_mean")?.as_f64());
    let means: Option<Vec<f64>> = outcomes.iter().map(mean).collect();
    let means = means.filter(|_| plan.metrics.len() == 1)?;
    let differs = |(outcome, mean): (&Outcome, &f64)| outcome.score.value != *mean;
    outcomes.iter().zip(&means).any(differs).then_some(means)
}

/// The best score by a metric; `None` if there is only one system.
fn best(plan: &Plan, outcomes: &[Outcome], metric: usize) -> Option<f64> {
    let lower = plan.metrics[metric].lower_is_better;
    let scores = outcomes.iter().filter(|o| o.metric == metric).map(|o| o.score.value);
    let better = |a: &f64, b: &f64| if lower { b.total_cmp(a) } else { a.total_cmp(b) };
    scores.filter(|score| plan.systems.len() > 1 && !score.is_nan()).max_by(better)
}

/// The components by one metric: systems × components.
fn components(plan: &Plan, outcomes: &[Outcome], metric: usize) -> Option<Table> {
    let heading = &plan.metrics[metric];
    if !plan.details || heading.components.is_empty() {
        return None;
    }
    let names = heading.components.iter().map(|name| name.as_ref());
    let mut table =
        Table::new(std::iter::once(heading.name.as_str()).chain(names)).with_numbers_from(1);
    for outcome in outcomes.iter().filter(|outcome| outcome.metric == metric) {
        let values = outcome.score.components.iter();
        let values = values.map(|&(_, value)| component(value, heading.decimals));
        table.row(std::iter::once(plan.systems[outcome.system].clone()).chain(values));
    }
    Some(table)
}

/// The signature of each metric, once.
fn signatures<'a>(
    plan: &'a Plan,
    outcomes: &'a [Outcome],
) -> impl Iterator<Item = (&'a str, String)> {
    let first = outcomes.iter().filter(|outcome| outcome.system == 0);
    first.map(|outcome| {
        (plan.metrics[outcome.metric].name.as_str(), outcome.score.signature.to_string())
    })
}

/// The columns of a table of segments, for formats that print one row for each segment and system.
fn segment_columns(plan: &Plan) -> Vec<&str> {
    let metrics = plan.metrics.iter().map(|metric| metric.name.as_str());
    ["segment", "system"].into_iter().chain(metrics).collect()
}
