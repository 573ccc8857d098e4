//! Human judgements, in tables or in folders of mt-metrics-eval (`folder`): which rows are used, their systems, groups and
//! items, and the metrics' statistics for every row.
//!
//! The commands `correlate` and `tune` compute figures from them.

mod folder;

pub use folder::Pair;

use crate::args::{Context, TableArgs};
use crate::error::{Result, bail, usage};
use crate::input::{Table, Wanted};
use crate::progress::Progress;
use crate::run::NamedMetric;
use bolide::{Scorer, Segment, Statistics, Text};
use bolide_runner::blocks;
use clap::ArgAction;
use folder::{FolderArgs, Scores};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the judgements are.
#[derive(clap::Args)]
pub struct JudgementArgs {
    /// Tables (.tsv, .csv, .jsonl, .parquet) with one row for every judged text; several are read one after
    /// the other
    #[arg(long = "input", short = 'i', value_name = "FILE", num_args = 1.., required_unless_present = "wmt", action = ArgAction::Append)]
    pub inputs: Vec<PathBuf>,
    /// The column with the human scores; larger is better
    #[arg(long, value_name = "NAME", required_unless_present = "wmt")]
    pub human_column: Option<String>,
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
    #[command(flatten)]
    pub folder: FolderArgs,
}

impl JudgementArgs {
    /// Whether the judgements are in a folder of mt-metrics-eval.
    pub fn is_folder(&self) -> bool {
        self.folder.wmt.is_some()
    }

    /// Whether it is known which system wrote a text.
    pub fn has_systems(&self) -> bool {
        self.system_column.is_some() || self.is_folder()
    }
}

/// Columns in addition to those that every command reads.
#[derive(Default)]
pub struct Beside<'a> {
    /// With scores that were computed elsewhere; of a folder, the names of metrics, or `all`.
    pub scores: &'a [String],
    /// With the group of a row.
    pub group: Option<&'a str>,
    /// With the item that a row is about.
    pub item: Option<&'a str>,
    /// Whether texts of a folder that nobody judged are rows too: the score of a system is about all of its texts.
    pub unjudged: bool,
    /// Whether only the scores of systems are needed.
    pub only_systems: bool,
}

/// Where the texts of the rows are.
enum Texts {
    /// Rows of a table, in order.
    Table(Box<Table>, Vec<usize>),
    /// Language pairs; for each row the pair, the system within it, and the segment.
    Folder(Vec<Pair>, Vec<[usize; 3]>),
}

/// Scores by group and system.
pub type OfSystems = BTreeMap<(usize, usize), f64>;

/// The rows that are used.
pub struct Judged {
    texts: Texts,
    /// The human score of each row; NaN if nobody judged it.
    pub human: Vec<f64>,
    /// The names of the score columns.
    pub score_names: Vec<String>,
    /// Numbers of the score columns, one list for each column.
    pub scores: Vec<Vec<f64>>,
    /// Human scores of whole systems, if a folder has them.
    pub human_of_systems: OfSystems,
    /// For each score column, the scores of whole systems, if a folder has them.
    pub scores_of_systems: Vec<OfSystems>,
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
        if let Some(folder) = &args.folder.wmt {
            return Self::of_folder(&args.folder, folder, beside);
        }
        if with_texts && (args.hypothesis_column.is_none() || args.reference_column.is_empty()) {
            return Err(usage(
                "to compute metrics, give --hypothesis-column and --reference-column",
            ));
        }
        let hypothesis: Vec<String> = args.hypothesis_column.iter().cloned().collect();
        let mut numbers: Vec<&str> = args.human_column.as_deref().into_iter().collect();
        numbers.extend(beside.scores.iter().map(String::as_str));
        let names = [beside.group, beside.item, args.system_column.as_deref()];
        let wanted = Wanted {
            hypothesis: if with_texts { &hypothesis } else { &[] },
            references: if with_texts { &args.reference_column } else { &[] },
            numbers,
            names: names.into_iter().flatten().collect(),
        };
        let table = Table::read(&args.inputs, args.tables, &wanted)?;
        let mut judged = Judged::new(beside.scores);
        if beside.group.is_none() {
            judged.groups.push(String::new());
        }
        let mut items = Names::default();
        let mut rows = Vec::new();
        for row in 0..table.rows() {
            if judged.add(&table, row, args, (beside, &mut items))? {
                rows.push(row);
            }
        }
        if rows.is_empty() {
            bail!("no row has a number in every score column");
        }
        judged.texts = Texts::Table(Box::new(table), rows);
        Ok(judged)
    }

    fn new(score_names: &[String]) -> Self {
        Judged {
            texts: Texts::Folder(Vec::new(), Vec::new()),
            human: Vec::new(),
            score_names: score_names.to_vec(),
            scores: vec![Vec::new(); score_names.len()],
            human_of_systems: OfSystems::new(),
            scores_of_systems: vec![OfSystems::new(); score_names.len()],
            group: Vec::new(),
            groups: Vec::new(),
            item: Vec::new(),
            system: Vec::new(),
            systems: Vec::new(),
        }
    }

    /// Adds a row of a table, unless it lacks a number and may do so.
    fn add(
        &mut self,
        table: &Table,
        row: usize,
        args: &JudgementArgs,
        (beside, items): (&Beside<'_>, &mut Names),
    ) -> Result<bool> {
        let n_numbers = 1 + self.scores.len();
        let mut numbers = Vec::with_capacity(n_numbers);
        for value in 0..n_numbers {
            numbers.push(match args.skip_empty {
                true => match table.number(value, row) {
                    Some(number) => number,
                    None => return Ok(false),
                },
                false => table.required(value, row)?,
            });
        }
        self.human.push(numbers[0]);
        self.scores.iter_mut().zip(&numbers[1..]).for_each(|(list, &score)| list.push(score));
        let mut names = n_numbers..;
        let mut text = |is_there: bool| {
            let value = if is_there { names.next() } else { None };
            value.map(|value| table.text(value, row))
        };
        let group = text(beside.group.is_some());
        self.group.push(group.map_or(0, |name| number_of(&mut self.groups, name)));
        self.item.extend(text(beside.item.is_some()).map(|name| items.number_of(name)));
        let system = text(args.system_column.is_some());
        self.system.extend(system.map(|name| number_of(&mut self.systems, name)));
        Ok(true)
    }

    /// Reads language pairs of a folder.
    fn of_folder(args: &FolderArgs, folder: &Path, beside: &Beside<'_>) -> Result<Self> {
        let read = |name: &String| Pair::read(args, folder, name);
        let pairs: Vec<Pair> = args.pair.iter().map(read).collect::<Result<_>>()?;
        let is_all = matches!(beside.scores, [all] if all == "all");
        let names = match pairs.first() {
            Some(first) if is_all => first.metrics()?,
            _ => beside.scores.to_vec(),
        };
        let mut judged = Judged::new(&names);
        let mut rows = Vec::new();
        for (group, pair) in pairs.iter().enumerate() {
            judged.groups.push(pair.name.clone());
            judged.add_pair((group, pair), beside, &mut rows)?;
        }
        let has_numbers =
            judged.human_of_systems.values().chain(&judged.human).any(|x| !x.is_nan());
        if !has_numbers {
            bail!("{}: no system has a human score", folder.display());
        }
        judged.texts = Texts::Folder(pairs, rows);
        Ok(judged)
    }

    fn add_pair(
        &mut self,
        (group, pair): (usize, &Pair),
        beside: &Beside<'_>,
        rows: &mut Vec<[usize; 3]>,
    ) -> Result<()> {
        let first_item = self.item.iter().max().map_or(0, |&largest| largest + 1);
        let needs_segments = !beside.only_systems && pair.segments.is_some();
        let metric = |name: &String| pair.metric(name, needs_segments);
        let others: Vec<[Option<Scores>; 2]> =
            self.score_names.iter().map(metric).collect::<Result<_>>()?;
        for (place, (name, texts)) in pair.systems.iter().enumerate() {
            let system = number_of(&mut self.systems, name);
            let of = |scores: Option<&Scores>, at: usize| {
                scores.and_then(|scores| scores.get(name)).map_or(f64::NAN, |list| list[at])
            };
            let human = |scores: &Option<Scores>, at: usize| {
                if pair.counts[place] { of(scores.as_ref(), at) } else { f64::NAN }
            };
            if pair.whole.is_some() {
                self.human_of_systems.insert((group, system), human(&pair.whole, 0));
            }
            for ([_, whole], scores) in others.iter().zip(&mut self.scores_of_systems) {
                if whole.is_some() {
                    scores.insert((group, system), of(whole.as_ref(), 0));
                }
            }
            for segment in 0..texts.rows() {
                let judgement = human(&pair.segments, segment);
                if judgement.is_nan() && !beside.unjudged {
                    continue;
                }
                rows.push([group, place, segment]);
                self.human.push(judgement);
                for ([segments, _], list) in others.iter().zip(&mut self.scores) {
                    list.push(of(segments.as_ref(), segment));
                }
                self.group.push(group);
                self.item.push(first_item + segment);
                self.system.push(system);
            }
        }
        Ok(())
    }

    /// The language pairs of a folder; none of a table.
    pub fn pairs(&self) -> &[Pair] {
        match &self.texts {
            Texts::Folder(pairs, _) => pairs,
            Texts::Table(..) => &[],
        }
    }

    /// How many rows are used.
    pub fn len(&self) -> usize {
        self.human.len()
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
        let score =
            |block: &Range<usize>, scorers: &mut Vec<Scorer>| self.score(block.clone(), scorers);
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
    fn score(&self, rows: Range<usize>, scorers: &mut [Scorer]) -> bolide::Result<Vec<Statistics>> {
        let mut stats = Vec::with_capacity(rows.len() * scorers.len());
        let mut references = Vec::new();
        for row in rows {
            let hypothesis = match &self.texts {
                Texts::Table(table, rows) => {
                    table.references(rows[row], &mut references);
                    table.hypothesis(rows[row])
                }
                Texts::Folder(pairs, rows) => {
                    let [pair, system, segment] = rows[row];
                    references.clear();
                    references.extend(
                        pairs[pair].references.iter().map(|it| Text::from(it.text(segment))),
                    );
                    pairs[pair].systems[system].1.text(segment)
                }
            };
            let segment = Segment::new(hypothesis.into(), &references)?;
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
