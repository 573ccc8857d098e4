//! JSON: objects of which some members are columns, one on each line or all in one array.
//!
//! A hypothesis is a string. References are a string, a list of strings, or null if there is none. If there are
//! several reference columns, an object may omit some, but not all. Blank lines are allowed only at the end.
//! Members that are columns are read straight into the batch; the others are skipped.

use super::column::Column;
use super::delimited::{unknown_column, wants_more};
use super::json_array::Array;
use super::lines::Lines;
use super::open::Opened;
use super::{Kind, Role, Source};
use crate::error::{Result, anyhow, bail};
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// A stream of JSON objects.
pub struct Jsonl {
    lines: Lines,
    line: Column,
    /// Set if the file begins with a bracket.
    array: Option<Array>,
    wanted: Vec<(String, Role)>,
    /// Which of the wanted members the line had.
    seen: Vec<bool>,
    /// Which of them any line had.
    ever: Vec<bool>,
    /// The names of the first object's members, for a message.
    names: Vec<String>,
    n_rows: u64,
}

impl Jsonl {
    /// Reads the named members of each object.
    pub fn new(input: Opened, wanted: &[(&str, Role)]) -> Self {
        let wanted: Vec<(String, Role)> =
            wanted.iter().map(|&(name, role)| (name.to_owned(), role)).collect();
        let none = vec![false; wanted.len()];
        Jsonl {
            lines: Lines::new(input),
            line: Column::default(),
            array: None,
            wanted,
            seen: none.clone(),
            ever: none,
            names: Vec::new(),
            n_rows: 0,
        }
    }

    /// Moves to the next object, if there is one.
    fn next_object(&mut self) -> Result<bool> {
        if self.lines.n_lines() == 0 {
            while self.lines.peek()?.is_some_and(|first| first.trim_ascii().is_empty()) {
                self.line.clear();
                self.lines.read_lines(&mut self.line, 1)?;
            }
            self.line.clear();
            let Some(first) = self.lines.peek()? else { return Ok(false) };
            self.array = first.trim_ascii_start().starts_with('[').then(Array::default);
            if self.array.is_none() && self.lines.n_lines() > 0 {
                bail!("{}: line 1: is blank, expected a JSON object", self.lines.input().name);
            }
        }
        match &mut self.array {
            Some(array) => array.next(&mut self.lines, &mut self.line),
            None => self.next_line(),
        }
    }

    /// Moves to the next line with an object, if there is one.
    fn next_line(&mut self) -> Result<bool> {
        let mut blank = None;
        loop {
            self.line.clear();
            self.lines.read_lines(&mut self.line, 1)?;
            if self.line.rows() == 0 {
                return Ok(false);
            }
            if !self.line.text(0).trim_ascii().is_empty() {
                break;
            }
            blank.get_or_insert(self.lines.n_lines());
        }
        match blank {
            Some(number) => {
                let file = &self.lines.input().name;
                bail!("{file}: line {number}: is blank, expected a JSON object")
            }
            None => Ok(true),
        }
    }

    /// Refuses an object without a hypothesis or without any reference.
    fn check_members(&mut self) -> Result<()> {
        if self.n_rows == 0 {
            // The values may be anything that can be skipped, such as a number too large for 64 bits.
            let object: BTreeMap<String, IgnoredAny> =
                serde_json::from_str(text_of(&self.array, &self.line))?;
            self.names = object.into_keys().collect();
        }
        self.ever.iter_mut().zip(&self.seen).for_each(|(ever, seen)| *ever |= seen);
        let members = || self.wanted.iter().zip(&self.seen);
        let of_references = || members().filter(|((_, role), _)| *role == Role::Reference);
        let has_reference = of_references().any(|(_, seen)| *seen);
        let missing = members().find(|((_, role), seen)| match role {
            Role::Hypothesis => !**seen,
            Role::Reference => !has_reference,
            // If the first object lacks a member, its name is most likely misspelt.
            Role::Extra(..) => !**seen && self.n_rows == 0,
        });
        let Some(((name, role), _)) = missing else { return Ok(()) };
        if self.n_rows == 0 {
            return Err(self.unknown(name));
        }
        let hint = match role {
            Role::Reference => " (null means that there is no reference)",
            _ => "",
        };
        let (file, number) = (&self.lines.input().name, self.lines.n_lines());
        bail!("{file}: line {number}: there is no '{name}'{hint}")
    }

    /// The error for a member that no object has.
    fn unknown(&self, name: &str) -> anyhow::Error {
        let file = &self.lines.input().name;
        unknown_column(file, name, self.names.iter().map(String::as_str))
    }
}

impl Source for Jsonl {
    fn opened(&self) -> &Opened {
        self.lines.input()
    }

    fn read(&mut self, columns: &mut [Column], max_rows: usize) -> Result<()> {
        while wants_more(columns, max_rows) {
            if !self.next_object()? {
                let never = self.wanted.iter().zip(&self.ever).find(|(_, ever)| !**ever);
                return match never {
                    Some(((name, _), _)) if self.n_rows > 0 => Err(self.unknown(name)),
                    _ => Ok(()),
                };
            }
            self.seen.fill(false);
            let object = Object { wanted: &self.wanted, seen: &mut self.seen, columns };
            let text = text_of(&self.array, &self.line);
            let mut parser = serde_json::Deserializer::from_str(text);
            object.deserialize(&mut parser).and_then(|()| parser.end()).map_err(|problem| {
                let name = &self.lines.input().name;
                // serde_json counts lines and columns within the text that it was given.
                let (line, column) = match &self.array {
                    Some(array) => array.place(problem.line(), problem.column()),
                    None => (self.lines.n_lines(), problem.column()),
                };
                let what = in_words(&problem, text);
                anyhow!("{name}: line {line}: {what} (column {column})")
            })?;
            self.check_members()?;
            columns.iter_mut().for_each(Column::end_row);
            self.n_rows += 1;
        }
        Ok(())
    }

    fn n_rows(&self) -> u64 {
        self.n_rows
    }

    fn count_rest(&mut self) -> Result<u64> {
        let mut n = 0;
        while self.next_object()? {
            n += 1;
        }
        Ok(n)
    }
}

/// What is wrong with the text of an object.
fn in_words(problem: &serde_json::Error, text: &str) -> String {
    if problem.is_eof() {
        return "the object does not end on its line, expected one on each line, or one array of all"
            .to_owned();
    }
    // Python writes these.
    let line = text.split('\n').nth(problem.line().saturating_sub(1)).unwrap_or_default();
    let rest = line.get(problem.column().saturating_sub(1)..).unwrap_or_default();
    if let Some(number) = ["NaN", "Infinity"].into_iter().find(|word| rest.starts_with(word)) {
        return format!("{number} is not JSON, expected a number or null");
    }
    let text = problem.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

/// The text of the current object.
fn text_of<'a>(array: &'a Option<Array>, line: &'a Column) -> &'a str {
    array.as_ref().map_or_else(|| line.text(0), Array::object)
}

/// Reads one object into the columns.
struct Object<'a> {
    wanted: &'a [(String, Role)],
    seen: &'a mut [bool],
    columns: &'a mut [Column],
}

impl<'de> DeserializeSeed<'de> for Object<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(idx) = map.next_key_seed(Key(self.wanted))? {
            match idx {
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
                Some(idx) => {
                    let (name, role) = &self.wanted[idx];
                    if std::mem::replace(&mut self.seen[idx], true) {
                        return Err(de::Error::custom(format!("'{name}' occurs twice")));
                    }
                    // One member may have several roles, for example system and item.
                    let again =
                        (idx + 1..self.wanted.len()).filter(|&at| self.wanted[at].0 == *name);
                    let again: Vec<usize> = again.collect();
                    if again.is_empty() {
                        let column = &mut self.columns[idx];
                        map.next_value_seed(Cell { name, role: *role, column })?;
                        continue;
                    }
                    let value: serde_json::Value = map.next_value()?;
                    for at in [&[idx], &again[..]].concat() {
                        self.seen[at] = true;
                        let cell =
                            Cell { name, role: self.wanted[at].1, column: &mut self.columns[at] };
                        cell.deserialize(&value).map_err(de::Error::custom)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Recognises a member's name without an allocation.
struct Key<'a>(&'a [(String, Role)]);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|(wanted, _)| wanted == name))
    }
}

/// Reads a value into its column.
struct Cell<'a> {
    name: &'a str,
    role: Role,
    column: &'a mut Column,
}

impl<'de> DeserializeSeed<'de> for Cell<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Cell<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.role {
            Role::Hypothesis => write!(f, "a string for '{}'", self.name),
            Role::Reference => write!(f, "a string, a list of strings or null for '{}'", self.name),
            Role::Extra(_, Kind::Text) => {
                write!(f, "a string, a number, true, false or null for '{}'", self.name)
            }
            Role::Extra(_, Kind::Number) => write!(f, "a number or null for '{}'", self.name),
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        if let Role::Extra(_, kind) = self.role
            && kind.check(text).is_err()
        {
            return Err(E::invalid_value(de::Unexpected::Str(text), &self));
        }
        self.column.push(text);
        Ok(())
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        match self.role {
            Role::Reference | Role::Extra(..) => Ok(()),
            Role::Hypothesis => Err(E::invalid_type(de::Unexpected::Unit, &self)),
        }
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<(), E> {
        match self.role {
            Role::Extra(..) => {
                self.column.push(&format!("{number:?}"));
                Ok(())
            }
            _ => Err(E::invalid_type(de::Unexpected::Float(number), &self)),
        }
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<(), E> {
        match self.role {
            Role::Extra(..) => {
                self.column.push(&number.to_string());
                Ok(())
            }
            _ => Err(E::invalid_type(de::Unexpected::Unsigned(number), &self)),
        }
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<(), E> {
        match self.role {
            Role::Extra(..) => {
                self.column.push(&number.to_string());
                Ok(())
            }
            _ => Err(E::invalid_type(de::Unexpected::Signed(number), &self)),
        }
    }

    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<(), E> {
        match self.role {
            Role::Extra(_, Kind::Text) => {
                self.column.push(if flag { "true" } else { "false" });
                Ok(())
            }
            _ => Err(E::invalid_type(de::Unexpected::Bool(flag), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        if self.role != Role::Reference {
            return Err(de::Error::invalid_type(de::Unexpected::Seq, &self));
        }
        while seq.next_element_seed(Item { name: self.name, column: self.column })?.is_some() {}
        Ok(())
    }
}

/// Reads one string of a list.
struct Item<'a> {
    name: &'a str,
    column: &'a mut Column,
}

impl<'de> DeserializeSeed<'de> for Item<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Item<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "strings in the list '{}'", self.name)
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.column.push(text);
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}
