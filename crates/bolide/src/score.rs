//! A score as every door prints it: a value, its named components, and the signature.
//!
//! Each metric has its own score type with typed fields. This is the flat form that tables, JSON, data frames
//! and web pages share, so that no door names a metric.

use crate::signature::Signature;
use std::borrow::Cow;
use std::ops::Deref;

/// A value with its components and its signature.
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// let score = bolide::score("bleu", "the cat sat on a mat", &["the cat sat on the mat"])?;
/// assert_eq!(format!("{:.2}", score.value), "53.73");
/// assert_eq!(score.components.get("brevity_penalty").map(|x| x.as_f64()), Some(1.0));
/// assert!(score.signature.to_string().starts_with("bleu:sacrebleu|case:mixed|"));
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
///
/// With the feature `serde` it serialises as `{"signature", "score", "components"}`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Score {
    /// The full name of the metric; for a corpus it includes the number of references.
    pub signature: Signature,
    /// The number that people quote.
    #[cfg_attr(feature = "serde", serde(rename = "score"))]
    pub value: f64,
    /// Named parts: precision, recall, matches, lengths. The names depend only on the metric.
    pub components: Components,
}

/// The components of a score: names and values in display order.
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// let score = bolide::score("ter", "the cat sat", &["the cat sat down"])?;
/// let parts: Vec<String> = score.components.iter().map(|(name, x)| format!("{name} {x}")).collect();
/// assert_eq!(parts, ["edits 1", "reference_length 4"]);
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Components(Vec<(Cow<'static, str>, Value)>);

impl Components {
    /// The component with that name.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.0.iter().find(|(n, _)| n == name).map(|&(_, value)| value)
    }

    /// Adds a count.
    pub(crate) fn count(self, name: impl Into<Cow<'static, str>>, value: u64) -> Self {
        self.with(name, Value::Count(value))
    }

    /// Adds a number.
    pub(crate) fn number(self, name: impl Into<Cow<'static, str>>, value: f64) -> Self {
        self.with(name, Value::Number(value))
    }

    /// Adds a flag.
    pub(crate) fn flag(self, name: impl Into<Cow<'static, str>>, value: bool) -> Self {
        self.with(name, Value::Flag(value))
    }

    fn with(mut self, name: impl Into<Cow<'static, str>>, value: Value) -> Self {
        self.0.push((name.into(), value));
        self
    }
}

impl Deref for Components {
    type Target = [(Cow<'static, str>, Value)];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'a> IntoIterator for &'a Components {
    type Item = &'a (Cow<'static, str>, Value);
    type IntoIter = std::slice::Iter<'a, (Cow<'static, str>, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// The keys of an object, in their order.
#[cfg(feature = "serde")]
impl serde::Serialize for Components {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A component of a score.
///
/// ```
/// use bolide::Value;
/// assert_eq!([Value::Count(3), Value::Number(0.5), Value::Flag(true)].map(Value::as_f64), [3.0, 0.5, 1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
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

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Count(n) => n.fmt(f),
            Value::Number(x) => x.fmt(f),
            Value::Flag(b) => b.fmt(f),
        }
    }
}
