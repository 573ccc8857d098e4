//! What a report reads in addition to hypotheses and references: sources, human scores and labels.

use crate::args::CorpusArgs;
use crate::error::{Result, usage};
use crate::input::{self, Extra, Kind, Place};
use std::path::{Path, PathBuf};

/// The extra columns of a report and their roles.
#[derive(Default)]
pub struct Beside {
    /// All extra columns, which are opened with the corpus.
    pub extras: Vec<Extra>,
    /// Which one is the source.
    pub source: Option<usize>,
    /// The first one with human scores; those of the other systems follow.
    pub human: Option<usize>,
    /// Those with labels, and their names.
    pub buckets: Vec<(usize, String)>,
}

impl Beside {
    /// Decides which values name columns and which name files.
    pub fn new(
        args: &CorpusArgs,
        source: Option<&str>,
        human: &[String],
        buckets: &[String],
    ) -> Result<Self> {
        let mut beside = Beside::default();
        if let Some(value) = source {
            beside.source = Some(beside.add(of_segment(args, value), Kind::Text));
        }
        let systems = input::system_names(args);
        let places = of_systems(args, human, &systems)?;
        for place in places {
            let at = beside.add(place, Kind::Number);
            beside.human.get_or_insert(at);
        }
        for value in buckets {
            let place = of_segment(args, value);
            let name = match &place {
                Place::Lines(path) => input::short_name(path),
                _ => value.clone(),
            };
            let at = beside.add(place, Kind::Text);
            beside.buckets.push((at, name));
        }
        Ok(beside)
    }

    fn add(&mut self, place: Place, kind: Kind) -> usize {
        self.extras.push(Extra { place, kind });
        self.extras.len() - 1
    }
}

/// Whether a value names a column: the inputs must be tables, and the value must not contain a slash.
fn is_column(args: &CorpusArgs, value: &str) -> bool {
    let tables = !args.hypothesis_column.is_empty() || !args.reference_column.is_empty();
    tables && !value.contains(['/', '\\'])
}

/// The place of values that belong to a segment, not to a system.
fn of_segment(args: &CorpusArgs, value: &str) -> Place {
    if !is_column(args, value) {
        return Place::Lines(PathBuf::from(value));
    }
    let in_references = !args.references.is_empty() && !args.reference_column.is_empty();
    if in_references || args.hypothesis_column.is_empty() {
        Place::Reference(value.to_owned())
    } else {
        Place::Input(0, value.to_owned())
    }
}

/// The place of the human scores of each system.
fn of_systems(args: &CorpusArgs, values: &[String], systems: &[String]) -> Result<Vec<Place>> {
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let n_columns = args.hypothesis_column.len();
    if n_columns > 0 && values.iter().all(|value| is_column(args, value)) {
        if values.len() != n_columns {
            return Err(usage(format!(
                "--human needs one column for each --hypothesis-column: {n_columns}, got {}",
                values.len()
            )));
        }
        let column =
            |system: usize| Place::Input(system / n_columns, values[system % n_columns].clone());
        return Ok((0..systems.len()).map(column).collect());
    }
    if let [table] = values
        && input::is_table(Path::new(table))
    {
        let column = |system: &String| Place::Table(PathBuf::from(table), system.clone());
        return Ok(systems.iter().map(column).collect());
    }
    if values.len() != systems.len() {
        return Err(usage(format!(
            "--human needs a file for each system ({}) or one table with a column for each, got {}",
            systems.len(),
            values.len()
        )));
    }
    Ok(values.iter().map(|value| Place::Lines(PathBuf::from(value))).collect())
}
