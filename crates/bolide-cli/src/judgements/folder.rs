//! Folders of mt-metrics-eval: one test set with sources, references, system outputs and scores, as files of lines.
//!
//! `sources/PAIR.txt` has a line for each segment, and so have `references/PAIR.NAME.txt` and
//! `system-outputs/PAIR/SYSTEM.txt`. `human-scores/PAIR.NAME.LEVEL.score` and
//! `metric-scores/PAIR/NAME.LEVEL.score` have lines of a system and a number, `None` if nobody judged. LEVEL is
//! `seg`, with the segments of each system in order, or `sys`.

use crate::error::{Context as _, Result, bail, from_io, usage};
use crate::input::{Column, all_lines};
use clap::ArgAction;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Which part of a folder is used.
#[derive(clap::Args)]
pub struct FolderArgs {
    /// The folder of a test set in the layout of mt-metrics-eval, such as wmt24: instead of tables
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["inputs", "human_column", "hypothesis_column", "reference_column", "system_column", "skip_empty"], requires = "pair")]
    pub wmt: Option<PathBuf>,
    /// The language pairs, such as en-de; each is a group
    #[arg(long, value_name = "PAIR", num_args = 1.., action = ArgAction::Append, requires = "wmt")]
    pub pair: Vec<String>,
    /// Whose human scores, such as mqm [default: the only ones]
    #[arg(long, value_name = "NAME", requires = "wmt")]
    pub human: Option<String>,
    /// The references, such as refA [default: the only one]
    #[arg(long, value_name = "NAME", num_args = 1.., action = ArgAction::Append, requires = "wmt")]
    pub reference: Vec<String>,
    /// Also judge references that are among the systems, unless they are used as references
    #[arg(long, requires = "wmt")]
    pub with_references: bool,
    /// Systems that are left out, such as outliers
    #[arg(long, value_name = "SYSTEM", num_args = 1.., action = ArgAction::Append, requires = "wmt")]
    pub without_system: Vec<String>,
}

/// The scores of one file: a number for each segment of each system, or one for each system. NaN is `None`.
pub type Scores = BTreeMap<String, Vec<f64>>;

/// A language pair of a test set.
pub struct Pair {
    /// Its name.
    pub name: String,
    /// The references' names, joined by dots as in the names of score files.
    pub reference: String,
    /// The texts of each reference.
    pub references: Vec<Column>,
    /// The systems that are not references in use, by name, with their texts.
    pub systems: Vec<(String, Column)>,
    /// Human scores of segments.
    pub segments: Option<Scores>,
    /// Human scores of systems.
    pub whole: Option<Scores>,
    /// Whether the human scores of a system count.
    pub counts: Vec<bool>,
    n_segments: usize,
    folder: PathBuf,
}

impl Pair {
    /// Reads everything but the scores of other metrics.
    pub fn read(args: &FolderArgs, folder: &Path, name: &str) -> Result<Self> {
        let source = folder.join("sources").join(format!("{name}.txt"));
        let n_segments = all_lines(&source)?.rows();
        if n_segments == 0 {
            bail!("{}: is empty, expected a line for each segment", source.display());
        }
        let like = Like { lines: n_segments, source: &source };
        let documents = folder.join("documents").join(format!("{name}.docs"));
        if documents.exists() {
            like.read(&documents)?;
        }
        let known = names(&folder.join("references"), &format!("{name}."), ".txt")?;
        let chosen = chosen(&args.reference, &known, "--reference", &folder.join("references"))?;
        let text =
            |one: &String| like.read(&folder.join("references").join(format!("{name}.{one}.txt")));
        let references: Vec<Column> = chosen.iter().map(text).collect::<Result<_>>()?;
        let outputs = folder.join("system-outputs").join(name);
        let mut systems = Vec::new();
        for system in names(&outputs, "", ".txt")? {
            if !chosen.contains(&system) {
                let column = like.read(&outputs.join(format!("{system}.txt")))?;
                systems.push((system, column));
            }
        }
        if systems.is_empty() {
            bail!("{}: there is no system, expected files SYSTEM.txt", outputs.display());
        }
        let unknown =
            args.without_system.iter().find(|it| !systems.iter().any(|one| one.0 == **it));
        if let Some(system) = unknown {
            bail!("{}: there is no {system}.txt (--without-system)", outputs.display());
        }
        let counts = |(system, _): &(String, Column)| {
            let is_reference = known.contains(system);
            (args.with_references || !is_reference) && !args.without_system.contains(system)
        };
        let mut pair = Pair {
            name: name.to_owned(),
            reference: chosen.join("."),
            references,
            counts: systems.iter().map(counts).collect(),
            systems,
            segments: None,
            whole: None,
            n_segments,
            folder: folder.to_owned(),
        };
        pair.read_human(args.human.as_ref())?;
        Ok(pair)
    }

    fn read_human(&mut self, wanted: Option<&String>) -> Result<()> {
        let place = self.folder.join("human-scores");
        let prefix = format!("{}.", self.name);
        let mut known = names(&place, &prefix, ".seg.score")?;
        known.extend(names(&place, &prefix, ".sys.score")?);
        known.sort();
        known.dedup();
        let wanted: Vec<String> = wanted.into_iter().cloned().collect();
        let chosen = chosen(&wanted, &known, "--human", &place)?;
        let file = |level: &str| place.join(format!("{prefix}{}.{level}.score", chosen[0]));
        let read = |level: &str, n: usize| {
            let file = file(level);
            file.exists().then(|| self.scores(&file, n, true)).transpose()
        };
        (self.segments, self.whole) = (read("seg", self.n_segments)?, read("sys", 1)?);
        Ok(())
    }

    /// The names of the metrics with scores in the folder.
    pub fn metrics(&self) -> Result<Vec<String>> {
        let place = self.folder.join("metric-scores").join(&self.name);
        let mut known = names(&place, "", ".seg.score")?;
        known.extend(names(&place, "", ".sys.score")?);
        known.sort();
        known.dedup();
        Ok(known)
    }

    /// The scores of another metric: of segments, and of systems.
    pub fn metric(&self, name: &str, needs_segments: bool) -> Result<[Option<Scores>; 2]> {
        let place = self.folder.join("metric-scores").join(&self.name);
        let file = |level: &str| place.join(format!("{name}.{level}.score"));
        let (segments, whole) = (file("seg"), file("sys"));
        let there = [segments.exists(), whole.exists()];
        if there == [false, false] {
            let known = self.metrics()?.join(", ");
            bail!("{}: no such file: the metrics are {known}", segments.display());
        }
        if needs_segments && !there[0] {
            bail!(
                "{}: no such file (--level system needs only the scores of systems)",
                segments.display()
            );
        }
        let read = |file: &Path, there: bool, n: usize| {
            there.then(|| self.scores(file, n, false)).transpose()
        };
        Ok([read(&segments, there[0], self.n_segments)?, read(&whole, there[1], 1)?])
    }

    /// Reads a file of scores: `n` for each system. Only human scores may be missing.
    fn scores(&self, file: &Path, n: usize, is_human: bool) -> Result<Scores> {
        let lines = all_lines(file)?;
        let mut scores = Scores::new();
        let name = file.display();
        for row in 0..lines.rows() {
            let (text, line) = (lines.text(row), row + 1);
            let fields: Vec<&str> = text.split_whitespace().collect();
            let [system, score] = fields[..] else {
                bail!("{name}: line {line}: expected a system and a score, got '{text}'");
            };
            let score = match score.parse::<f64>() {
                Ok(score) if score.is_finite() => score,
                _ if score == "None" && is_human => f64::NAN,
                _ => bail!(
                    "{name}: line {line}: '{score}' is not a number{}",
                    if is_human { " or None" } else { "" }
                ),
            };
            let of_system = scores.entry(system.to_owned()).or_default();
            of_system.push(score);
            if of_system.len() > n {
                bail!("{name}: line {line}: score {} of system '{system}', expected {n}", n + 1);
            }
        }
        let short = scores.iter().find(|(_, list)| list.len() < n);
        if let Some((system, list)) = short {
            bail!("{name}: system '{system}' has {} scores, expected {n}", list.len());
        }
        self.check_systems(&scores, file, &lines, is_human)?;
        Ok(scores)
    }

    /// Every name must be a system's, and a metric must have scored every system.
    fn check_systems(
        &self,
        scores: &Scores,
        file: &Path,
        lines: &Column,
        is_human: bool,
    ) -> Result<()> {
        let (name, outputs) = (file.display(), self.folder.join("system-outputs").join(&self.name));
        for system in scores.keys() {
            if !outputs.join(format!("{system}.txt")).exists() {
                let is_here =
                    |row: &usize| lines.text(*row).split_whitespace().next() == Some(system);
                let line = (0..lines.rows()).find(is_here).map_or(0, |row| row + 1);
                bail!(
                    "{name}: line {line}: '{system}' has no output, expected {}/{system}.txt",
                    outputs.display()
                );
            }
        }
        let missing = self.systems.iter().find(|(system, _)| !scores.contains_key(system));
        if let Some((system, _)) = missing.filter(|_| !is_human) {
            bail!(
                "{name}: there is no score of system '{system}', expected one for each file of {}",
                outputs.display()
            );
        }
        Ok(())
    }
}

/// How many lines a file must have.
struct Like<'a> {
    lines: usize,
    source: &'a Path,
}

impl Like<'_> {
    fn read(&self, file: &Path) -> Result<Column> {
        let column = all_lines(file)?;
        let (n, expected) = (column.rows(), self.lines);
        if n != expected {
            let (file, source) = (file.display(), self.source.display());
            let line = n.min(expected) + 1;
            bail!(
                "{file}: line {line}: the file has {n} lines, expected {expected} as in {source}"
            );
        }
        Ok(column)
    }
}

/// The middle parts of the names of files in a folder, in order; none if there is no such folder.
fn names(folder: &Path, prefix: &str, suffix: &str) -> Result<Vec<String>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let shown = || folder.display().to_string();
    let mut names = Vec::new();
    for entry in folder.read_dir().map_err(from_io).with_context(shown)? {
        let name = entry.map_err(from_io).with_context(shown)?.file_name();
        let name = name.to_string_lossy();
        let middle = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(suffix));
        names.extend(middle.filter(|middle| !middle.is_empty()).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

/// The wanted names, or the only one there is.
fn chosen(wanted: &[String], known: &[String], option: &str, place: &Path) -> Result<Vec<String>> {
    let place = place.display();
    match (wanted, known) {
        (_, []) => bail!("{place}: there are no files of this language pair"),
        ([], [only]) => Ok(vec![only.clone()]),
        ([], _) => Err(usage(format!("{place} has {}: choose with {option}", known.join(", ")))),
        _ => match wanted.iter().find(|name| !known.contains(name)) {
            Some(name) => bail!("{place}: there is no '{name}': there are {}", known.join(", ")),
            None => Ok(wanted.to_vec()),
        },
    }
}
