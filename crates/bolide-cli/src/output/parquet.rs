//! The table of the CSV format as a Parquet file: columns that keep their types.
//!
//! With segments: `system`, `segment`, `metric`, `score` and the components; without: `system`,
//! `metric`, `signature`, `score` and the components. A component that a metric does not have is
//! null, and so is a number that does not exist (NaN, infinity). Rows are written in groups, so that memory does
//! not grow with the corpus. `bolide-parquet` writes the format itself.

use super::sink::Sink;
use super::{Outcome, Plan, csv};
use crate::error::Result;
use bolide::{Components, Score, Value};
use bolide_parquet::{Field, Values, Writer};
use std::io::Write;

/// Rows in a group.
const GROUP: usize = 1 << 16;

/// One row: the score of one segment or of a corpus.
pub struct Row {
    /// The segment, counted from 1; 0 for a corpus.
    pub segment: u64,
    /// Which system.
    pub system: usize,
    /// Which metric.
    pub metric: usize,
    /// The score and its components.
    pub score: Score,
}

/// Writes rows of scores.
pub struct Table {
    writer: Writer,
    sink: Sink,
    /// The type of each component, in the order of the columns.
    components: Vec<(String, Field)>,
    rows: Vec<Row>,
}

impl Table {
    /// Begins a file. `components` holds those of each metric; they determine the types of the columns.
    pub fn new(sink: Sink, plan: &Plan, components: &[Components]) -> Result<Self> {
        let field_of = |name: &str| {
            let fields = components.iter().filter_map(|them| them.get(name)).map(field);
            // A component may be a count in one metric and a number in another.
            fields.reduce(|a, b| if a == b { a } else { Field::Number }).unwrap_or(Field::Number)
        };
        let components: Vec<(String, Field)> =
            csv::columns(plan).iter().map(|name| (name.to_string(), field_of(name))).collect();
        let mut fields = vec![("system", Field::Text)];
        if plan.segments {
            fields.extend([("segment", Field::Row), ("metric", Field::Text)]);
        } else {
            fields.extend([("metric", Field::Text), ("signature", Field::Text)]);
        }
        fields.push(("score", Field::Number));
        fields.extend(components.iter().map(|(name, field)| (name.as_str(), *field)));
        let writer = Writer::new(&fields, concat!("bolide ", env!("CARGO_PKG_VERSION")))?;
        Ok(Table { writer, sink, components, rows: Vec::new() })
    }

    /// Adds rows for segments.
    pub fn segments(&mut self, plan: &Plan, rows: Vec<Row>) -> Result<()> {
        self.rows.extend(rows);
        if self.rows.len() >= GROUP { self.write_group(plan, &[]) } else { Ok(()) }
    }

    /// Writes the remaining rows, or the corpus scores if there are no segments, and ends the file.
    pub fn finish(mut self, plan: &Plan, outcomes: &[Outcome]) -> Result<()> {
        let signatures: Vec<String> =
            outcomes.iter().map(|outcome| outcome.score.signature.to_string()).collect();
        if !plan.segments {
            self.rows.extend(outcomes.iter().map(|outcome| Row {
                segment: 0,
                system: outcome.system,
                metric: outcome.metric,
                score: outcome.score.clone(),
            }));
        }
        if !self.rows.is_empty() {
            self.write_group(plan, &signatures)?;
        }
        self.sink.write_all(&self.writer.end()?)?;
        self.sink.finish()
    }

    fn write_group(&mut self, plan: &Plan, signatures: &[String]) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let systems = rows.iter().map(|row| plan.systems[row.system].as_str()).collect();
        let metrics = rows.iter().map(|row| plan.metrics[row.metric].name.as_str()).collect();
        let mut columns = vec![Values::Text(systems)];
        if plan.segments {
            columns.push(Values::Row(rows.iter().map(|row| row.segment as i64).collect()));
            columns.push(Values::Text(metrics));
        } else {
            columns.extend([
                Values::Text(metrics),
                Values::Text(signatures.iter().map(String::as_str).collect()),
            ]);
        }
        let scores = rows.iter().map(|row| finite(row.score.value)).collect();
        columns.push(Values::Number(scores));
        for (name, field) in &self.components {
            columns.push(component(*field, rows.iter().map(|row| row.score.components.get(name))));
        }
        self.sink.write_all(&self.writer.group(columns)?)?;
        Ok(())
    }
}

fn field(value: Value) -> Field {
    match value {
        Value::Count(_) => Field::Count,
        Value::Flag(_) => Field::Flag,
        Value::Number(_) => Field::Number,
    }
}

/// A component of every row, in the type of its column.
fn component(field: Field, values: impl Iterator<Item = Option<Value>>) -> Values<'static> {
    let count = |value: Value| match value {
        Value::Count(n) => i64::try_from(n).ok(),
        _ => None,
    };
    let flag = |value: Value| match value {
        Value::Flag(flag) => Some(flag),
        _ => None,
    };
    let number = |value: Value| match value {
        Value::Number(x) => finite(x),
        Value::Count(n) => Some(n as f64),
        Value::Flag(flag) => Some(f64::from(flag)),
    };
    match field {
        Field::Count => Values::Count(values.map(|value| value.and_then(count)).collect()),
        Field::Flag => Values::Flag(values.map(|value| value.and_then(flag)).collect()),
        _ => Values::Number(values.map(|value| value.and_then(number)).collect()),
    }
}

fn finite(x: f64) -> Option<f64> {
    Some(x).filter(|x| x.is_finite())
}
