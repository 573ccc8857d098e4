//! Writes tables, one group of rows at a time.
//!
//! The caller gets the bytes of each group and decides where they go; memory does not grow with the table.

use crate::Result;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::sync::Arc;

/// The type of a column. Text and row numbers are never null, the others may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Text.
    Text,
    /// The number of a row.
    Row,
    /// A whole number.
    Count,
    /// True or false.
    Flag,
    /// A floating-point number.
    Number,
}

/// The values of a column in one group of rows.
pub enum Values<'a> {
    /// Of a [`Field::Text`].
    Text(Vec<&'a str>),
    /// Of a [`Field::Row`].
    Row(Vec<i64>),
    /// Of a [`Field::Count`].
    Count(Vec<Option<i64>>),
    /// Of a [`Field::Flag`].
    Flag(Vec<Option<bool>>),
    /// Of a [`Field::Number`].
    Number(Vec<Option<f64>>),
}

/// Produces the bytes of a table.
pub struct Writer {
    writer: SerializedFileWriter<Vec<u8>>,
}

impl Writer {
    /// Starts a table with these columns. `program` is recorded as its creator.
    pub fn new(fields: &[(&str, Field)], program: &str) -> Result<Self> {
        let fields: Result<Vec<Arc<Type>>> =
            fields.iter().map(|(name, field)| field.in_schema(name)).collect();
        let schema = Type::group_type_builder("bolide").with_fields(fields?).build()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(program.to_owned())
            .build();
        let writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
        Ok(Writer { writer })
    }

    /// The next bytes of the table: a group of rows, with the values of every column in order.
    pub fn group(&mut self, columns: Vec<Values<'_>>) -> Result<Vec<u8>> {
        let mut group = self.writer.next_row_group()?;
        for values in columns {
            match values {
                Values::Text(texts) => {
                    let texts: Vec<ByteArray> = texts.into_iter().map(ByteArray::from).collect();
                    column::<ByteArrayType>(&mut group, &texts, None)?;
                }
                Values::Row(numbers) => column::<Int64Type>(&mut group, &numbers, None)?,
                Values::Count(values) => optional::<Int64Type>(&mut group, values)?,
                Values::Flag(values) => optional::<BoolType>(&mut group, values)?,
                Values::Number(values) => optional::<DoubleType>(&mut group, values)?,
            }
        }
        group.close()?;
        self.writer.flush()?;
        Ok(std::mem::take(self.writer.inner_mut()))
    }

    /// The last bytes of the table.
    pub fn end(self) -> Result<Vec<u8>> {
        self.writer.into_inner()
    }
}

impl Field {
    fn in_schema(self, name: &str) -> Result<Arc<Type>> {
        let (physical, logical, repetition) = match self {
            Field::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
            Field::Row => (Physical::INT64, None, Repetition::REQUIRED),
            Field::Count => (Physical::INT64, None, Repetition::OPTIONAL),
            Field::Flag => (Physical::BOOLEAN, None, Repetition::OPTIONAL),
            Field::Number => (Physical::DOUBLE, None, Repetition::OPTIONAL),
        };
        let builder = Type::primitive_type_builder(name, physical).with_repetition(repetition);
        Ok(Arc::new(builder.with_logical_type(logical).build()?))
    }
}

type Group<'w> = SerializedRowGroupWriter<'w, Vec<u8>>;

fn optional<T: DataType>(group: &mut Group<'_>, values: Vec<Option<T::T>>) -> Result<()> {
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let present: Vec<T::T> = values.into_iter().flatten().collect();
    column::<T>(group, &present, Some(&levels))
}

/// Writes the next column of a group.
fn column<T: DataType>(
    group: &mut Group<'_>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<()> {
    let Some(mut writer) = group.next_column()? else {
        return Err(crate::Error::General("more columns than fields".to_owned()));
    };
    writer.typed::<T>().write_batch(values, levels, None)?;
    writer.close()
}
