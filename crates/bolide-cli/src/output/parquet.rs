//! The table of the CSV format as a Parquet file: columns that keep their types.
//!
//! With segments: `system`, `segment`, `metric`, `score` and the components; without: `system`,
//! `metric`, `signature`, `score` and the components. A component that a metric does not have is
//! null, and so is a number that does not exist. Rows are written in groups, so that memory does
//! not grow with the corpus.

use super::{Outcome, Plan, csv};
use crate::error::Result;
use bolide::{Components, Score, Value};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::io::Write;
use std::sync::Arc;

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
pub struct Table<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    /// The type of each component, in the order of the columns.
    components: Vec<(String, Kind)>,
    rows: Vec<Row>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Count,
    Flag,
    Number,
}

impl Kind {
    fn of(value: Value) -> Kind {
        match value {
            Value::Count(_) => Kind::Count,
            Value::Flag(_) => Kind::Flag,
            Value::Number(_) => Kind::Number,
        }
    }

    fn physical(self) -> Physical {
        match self {
            Kind::Count => Physical::INT64,
            Kind::Flag => Physical::BOOLEAN,
            Kind::Number => Physical::DOUBLE,
        }
    }
}

impl<W: Write + Send> Table<W> {
    /// Begins a file. `components` are those of each metric, for the types.
    pub fn new(sink: W, plan: &Plan, components: &[Components]) -> Result<Self> {
        let kind_of = |name: &str| {
            let kinds = components.iter().filter_map(|them| them.get(name)).map(Kind::of);
            // Two metrics may count and measure under one name.
            kinds.reduce(|a, b| if a == b { a } else { Kind::Number }).unwrap_or(Kind::Number)
        };
        let components: Vec<(String, Kind)> =
            csv::columns(plan).iter().map(|name| (name.to_string(), kind_of(name))).collect();
        let text = |name: &str| {
            field(name, Physical::BYTE_ARRAY, Repetition::REQUIRED, Some(LogicalType::String))
        };
        let mut fields = vec![text("system")?];
        if plan.segments {
            fields.push(field("segment", Physical::INT64, Repetition::REQUIRED, None)?);
            fields.push(text("metric")?);
        } else {
            fields.extend([text("metric")?, text("signature")?]);
        }
        fields.push(field("score", Physical::DOUBLE, Repetition::OPTIONAL, None)?);
        for (name, kind) in &components {
            fields.push(field(name, kind.physical(), Repetition::OPTIONAL, None)?);
        }
        let schema = Type::group_type_builder("bolide").with_fields(fields).build()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("bolide ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let writer = SerializedFileWriter::new(sink, Arc::new(schema), Arc::new(properties))?;
        Ok(Table { writer, components, rows: Vec::new() })
    }

    /// Adds rows for segments.
    pub fn segments(&mut self, plan: &Plan, rows: Vec<Row>) -> Result<()> {
        self.rows.extend(rows);
        if self.rows.len() >= GROUP { self.write_group(plan, &[]) } else { Ok(()) }
    }

    /// Writes what is left, or the corpus scores if there were no segments, and gives the sink
    /// back.
    pub fn end(mut self, plan: &Plan, outcomes: &[Outcome]) -> Result<W> {
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
        Ok(self.writer.into_inner()?)
    }

    fn write_group(&mut self, plan: &Plan, signatures: &[String]) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let mut group = self.writer.next_row_group()?;
        texts(&mut group, rows.iter().map(|row| plan.systems[row.system].as_str()))?;
        let metrics = rows.iter().map(|row| plan.metrics[row.metric].name.as_str());
        if plan.segments {
            let numbers = rows.iter().map(|row| Some(row.segment as i64));
            column::<Int64Type>(&mut group, false, numbers)?;
            texts(&mut group, metrics)?;
        } else {
            texts(&mut group, metrics)?;
            texts(&mut group, signatures.iter().map(String::as_str))?;
        }
        let finite = |x: f64| Some(x).filter(|x| x.is_finite());
        column::<DoubleType>(&mut group, true, rows.iter().map(|row| finite(row.score.value)))?;
        for (name, kind) in &self.components {
            let values = rows.iter().map(|row| row.score.components.get(name));
            match kind {
                Kind::Count => column::<Int64Type>(
                    &mut group,
                    true,
                    values.map(|value| match value {
                        Some(Value::Count(n)) => i64::try_from(n).ok(),
                        _ => None,
                    }),
                )?,
                Kind::Flag => column::<BoolType>(
                    &mut group,
                    true,
                    values.map(|value| match value {
                        Some(Value::Flag(flag)) => Some(flag),
                        _ => None,
                    }),
                )?,
                Kind::Number => {
                    column::<DoubleType>(
                        &mut group,
                        true,
                        values.map(|value| match value {
                            Some(Value::Number(x)) => finite(x),
                            Some(Value::Count(n)) => Some(n as f64),
                            Some(Value::Flag(flag)) => Some(f64::from(flag)),
                            None => None,
                        }),
                    )?;
                }
            }
        }
        group.close()?;
        Ok(())
    }
}

fn field(
    name: &str,
    physical: Physical,
    repetition: Repetition,
    logical: Option<LogicalType>,
) -> Result<Arc<Type>> {
    let builder = Type::primitive_type_builder(name, physical).with_repetition(repetition);
    Ok(Arc::new(builder.with_logical_type(logical).build()?))
}

fn texts<'t, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: impl Iterator<Item = &'t str>,
) -> Result<()> {
    column::<ByteArrayType>(group, false, values.map(|text| Some(ByteArray::from(text))))
}

/// Writes the next column of a group.
fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    optional: bool,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<()> {
    let mut present = Vec::new();
    let mut levels = Vec::new();
    for value in values {
        levels.push(i16::from(value.is_some()));
        present.extend(value);
    }
    // The schema was made together with the columns, so there is one more.
    if let Some(mut writer) = group.next_column()? {
        let levels = optional.then_some(levels.as_slice());
        writer.typed::<T>().write_batch(&present, levels, None)?;
        writer.close()?;
    }
    Ok(())
}
