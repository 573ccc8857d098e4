//! A score as every door prints it: one value and its named components.
//!
//! Each metric has its own score type with typed fields; this is the flat form that tables, JSON,
//! data frames and web pages share, so that no door knows any metric by name.

use std::borrow::Cow;

/// A number of a report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A count.
    Count(u64),
    /// A measure.
    Number(f64),
    /// A yes or no.
    Flag(bool),
}

impl Value {
    /// The value as a float, for columns of numbers.
    pub fn as_f64(self) -> f64 {
        match self {
            Value::Count(n) => n as f64,
            Value::Number(x) => x,
            Value::Flag(b) => f64::from(u8::from(b)),
        }
    }
}

/// The score and what it was made of, in the order a reader wants to see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The number people quote.
    pub score: f64,
    /// Named parts: precision, recall, matches, lengths. The set depends on the metric only.
    pub components: Vec<(Cow<'static, str>, Value)>,
}

impl Report {
    /// A report without components.
    pub fn new(score: f64) -> Self {
        Report { score, components: Vec::new() }
    }

    /// Adds a count.
    pub fn count(self, name: impl Into<Cow<'static, str>>, value: u64) -> Self {
        self.with(name, Value::Count(value))
    }

    /// Adds a number.
    pub fn number(self, name: impl Into<Cow<'static, str>>, value: f64) -> Self {
        self.with(name, Value::Number(value))
    }

    /// Adds a flag.
    pub fn flag(self, name: impl Into<Cow<'static, str>>, value: bool) -> Self {
        self.with(name, Value::Flag(value))
    }

    /// The component of that name.
    pub fn component(&self, name: &str) -> Option<Value> {
        self.components.iter().find(|(n, _)| n == name).map(|&(_, value)| value)
    }

    fn with(mut self, name: impl Into<Cow<'static, str>>, value: Value) -> Self {
        self.components.push((name.into(), value));
        self
    }
}
