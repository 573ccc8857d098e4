//! Tables with human judgements: which rows are used, their systems, groups and items, and the metrics'
//! statistics for every row.
//!
//! The commands `correlate` and `tune` compute figures from them.

use crate::args::{Context, TableArgs};
use crate::error::{Result, bail, usage};
use crate::input::{Table, Wanted};
use crate::progress::Progress;
use crate::run::NamedMetric;
use bolide::{Scorer, Segment, Statistics};
use bolide_runner::blocks;
use clap::ArgAction;
use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the judgements are.
#[derive(clap::Args)]
pub struct JudgementArgs {
    /// Tables (.tsv, .csv, .jsonl) with one row for every judged text; several are read one after
    /// the other
    #[arg(long = "input", short = 'i', value_name = "FILE", num_args = 1.., required = true, action = ArgAction::Append)]
    pub inputs: Vec<PathBuf>,
    /// The column with the human scores; larger is better
    #[arg(long, value_name = "NAME")]
    pub human_column: String,
    /// The column with the hypotheses
    #[arg(long, value_name = "NAME")]
    pub hypothesis_column: Option<String>,
    /// Columns with references
    #[arg(long, value_name = "NAME", num_args = 1.., action = ArgAction::Append)]
    pub reference_column: Vec<String>,
    /// The column that names the system; it adds figures at system level
    #[arg(long, value_name = "NAME")]
    pub system_column: Option<String>,
    /// Leave out rows without a human score or without a score
    #[arg(long)]
    pub skip_empty: bool,
    #[command(flatten)]
    pub tables: TableArgs,
}

/// Columns in addition to those that every command reads.
#[derive(Default)]
pub struct Beside<'a> {
    /// With scores that were computed elsewhere.
    pub scores: &'a [String],
    /// With the group of a row.
    pub group: Option<&'a str>,
    /// With the item that a row is about.
    pub item: Option<&'a str>,
}

/// The rows that are used.
pub struct Judged {
    table: Table,
    /// Rows of the table, in order.
    rows: Vec<usize>,
    /// The human score of each row.
    pub human: Vec<f64>,
    /// Numbers of the score columns, one list for each column.
    pub scores: Vec<Vec<f64>>,
    /// The group of each row, by number.
    pub group: Vec<usize>,
    /// The groups' names in the order of their first rows; one without a name if there are none.
    pub groups: Vec<String>,
    /// The item of each row, by number; empty if there is no such column.
    pub item: Vec<usize>,
    /// The system of each row, by number; empty if there is no such column.
    pub system: Vec<usize>,
    /// The systems' names.
    pub systems: Vec<String>,
}

impl Judged {
    /// Reads the tables. Only the computation of metrics needs texts.
    pub fn read(args: &JudgementArgs, with_texts: bool, beside: &Beside<'_>) -> Result<Self> {
        if with_texts && (args.hypothesis_column.is_none() || args.reference_column.is_empty()) {
            return Err(usage(
                "to compute metrics, give --hypothesis-column and --reference-column",
            ));
        }
        let hypothesis: Vec<String> = args.hypothesis_column.iter().cloned().collect();
        let mut numbers = vec![args.human_column.as_str()];
        numbers.extend(beside.scores.iter().map(String::as_str));
        let names = [beside.group, beside.item, args.system_column.as_deref()];
        let wanted = Wanted {
            hypothesis: if with_texts { &hypothesis } else { &[] },
            references: if with_texts { &args.reference_column } else { &[] },
            numbers,
            names: names.into_iter().flatten().collect(),
        };
        let table = Table::read(&args.inputs, args.tables, &wanted)?;
        let mut judged = Judged {
            rows: Vec::new(),
            human: Vec::new(),
            scores: vec![Vec::new(); beside.scores.len()],
            group: Vec::new(),
            groups: if beside.group.is_none() { vec![String::new()] } else { Vec::new() },
            item: Vec::new(),
            system: Vec::new(),
            systems: Vec::new(),
            table,
        };
        let mut items = Names::default();
        for row in 0..judged.table.rows() {
            judged.add(row, args, beside, &mut items)?;
        }
        if judged.rows.is_empty() {
            bail!("no row has a number in every score column");
        }
        Ok(judged)
    }

    fn add(
        &mut self,
        row: usize,
        args: &JudgementArgs,
        beside: &Beside<'_>,
        items: &mut Names,
    ) -> Result<()> {
        let n_numbers = 1 + self.scores.len();
        let mut numbers = Vec::with_capacity(n_numbers);
        for value in 0..n_numbers {
            numbers.push(match args.skip_empty {
                true => match self.table.number(value, row) {
                    Some(number) => number,
                    None => return Ok(()),
                },
                false => self.table.required(value, row)?,
            });
        }
        self.rows.push(row);
        self.human.push(numbers[0]);
        self.scores.iter_mut().zip(&numbers[1..]).for_each(|(list, &score)| list.push(score));
        let mut names = n_numbers..;
        let mut text = |is_there: bool| {
            let value = if is_there { names.next() } else { None };
            value.map(|value| self.table.text(value, row))
        };
        let group = text(beside.group.is_some());
        self.group.push(group.map_or(0, |name| number_of(&mut self.groups, name)));
        self.item.extend(text(beside.item.is_some()).map(|name| items.number_of(name)));
        let system = text(args.system_column.is_some());
        self.system.extend(system.map(|name| number_of(&mut self.systems, name)));
        Ok(())
    }

    /// How many rows are used.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The statistics of every row by every metric, one list for each metric.
    pub fn statistics(
        &self,
        metrics: &[NamedMetric],
        context: &Context,
    ) -> Result<Vec<Vec<Statistics>>> {
        const AT_ONCE: usize = 64;
        if metrics.is_empty() {
            // No texts were read either.
            return Ok(Vec::new());
        }
        let progress = Progress::new(context);
        let done = Arc::new(AtomicU64::new(0));
        let position = Arc::clone(&done);
        progress.start(Some((self.len() as u64, move || position.load(Ordering::Relaxed))));
        let scorers = || metrics.iter().map(|named| named.metric.scorer()).collect();
        let score = |block: &Range<usize>, scorers: &mut Vec<Scorer>| {
            self.score(&self.rows[block.clone()], scorers)
        };
        let mut all: Vec<Vec<Statistics>> = metrics.iter().map(|_| Vec::new()).collect();
        let mut merge = |of_block: bolide::Result<Vec<Statistics>>| -> Result<()> {
            for (idx, stats) in of_block?.into_iter().enumerate() {
                all[idx % metrics.len()].push(stats);
            }
            done.store(all[0].len() as u64, Ordering::Relaxed);
            progress.advance(all[0].len() as u64);
            Ok(())
        };
        context.runner().run(blocks(self.len(), AT_ONCE), scorers, score, &mut merge)?;
        progress.finish();
        Ok(all)
    }

    /// The statistics of a few rows by every metric, one row after the other.
    fn score(&self, rows: &[usize], scorers: &mut [Scorer]) -> bolide::Result<Vec<Statistics>> {
        let mut stats = Vec::with_capacity(rows.len() * scorers.len());
        let mut references = Vec::new();
        for &row in rows {
            self.table.references(row, &mut references);
            let segment = Segment::new(self.table.hypothesis(row).into(), &references)?;
            stats.extend(scorers.iter_mut().map(|scorer| scorer.statistics(segment)));
        }
        Ok(stats)
    }
}

/// The number of a name; a new name gets the next number.
fn number_of(names: &mut Vec<String>, name: &str) -> usize {
    // There are few names, and equal names tend to be adjacent.
    match names.iter().rposition(|known| known == name) {
        Some(number) => number,
        None => {
            names.push(name.to_owned());
            names.len() - 1
        }
    }
}

/// Numbers for names; there may be as many names as rows.
#[derive(Default)]
struct Names(HashMap<String, usize>);

impl Names {
    fn number_of(&mut self, name: &str) -> usize {
        match self.0.get(name) {
            Some(&number) => number,
            None => {
                self.0.insert(name.to_owned(), self.0.len());
                self.0.len() - 1
            }
        }
    }
}
