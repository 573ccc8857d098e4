//! The jar's `Trainer`: rescores stored statistics over a grid of parameters and weights.
//!
//! It prints one line for each point: the objective and the eight values. The jar reads the files of the
//! folder in the order of the file system, this in alphabetical order; only last digits can differ.

use super::build;
use super::options::{self, Options};
use super::sgml;
use crate::error::{Context as _, Result, anyhow, bail, remark};
use bolide::unstable::meteor15::java::push_double;
use bolide::unstable::meteor15::{Configuration, Language, Module, Totals, score};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

const USAGE: &str = "\
usage: bolide meteor15 Trainer <task> <dataDir> [options]

Tasks: segcor spearman rank
Options: -a paraphrase -e epsilon -l language -ch -noNorm -multi
         -i -f -s 'p1 p2 p3 p4 w1 w2 w3 w4' (first and last values, steps)
";

struct Grid {
    start: [f64; 8],
    end: [f64; 8],
    step: [f64; 8],
}

/// Runs the trainer with the arguments that follow its name.
pub fn run(args: &[String]) -> Result<u8> {
    let [task, folder, rest @ ..] = args else {
        remark(USAGE.trim_end());
        return Ok(2);
    };
    let mut grid = Grid {
        start: [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0],
        end: [1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        step: [0.05; 8],
    };
    let mut options = Options::default();
    options.scoring.norm = true;
    options.statistics = true;
    let mut multi = task == "rank";
    let mut epsilon = 0.0;
    let mut rest = rest.iter();
    while let Some(option) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| anyhow!("{option} needs a value"));
        match option.as_str() {
            "-a" => options.paraphrases = Some(value()?.clone()),
            "-l" => {
                let text = value()?;
                let language = Language::parse(text);
                options.scoring.language =
                    Some(language.ok_or_else(|| anyhow!("there is no language '{text}'"))?);
            }
            "-e" => epsilon = numbers(value()?)?[0],
            "-i" => grid.start = numbers(value()?)?,
            "-f" => grid.end = numbers(value()?)?,
            "-s" => grid.step = numbers(value()?)?,
            "-ch" => options.scoring.characters = true,
            "-noNorm" => options.scoring.norm = false,
            "-multi" => multi = true,
            _ => bail!("Unknown option \"{option}\""),
        }
    }
    for at in 0..8 {
        // The jar would loop forever.
        if grid.step[at] <= 0.0 && grid.start[at] <= grid.end[at] + 0.001 {
            bail!("step {} of the grid is {}: it must be above 0", at + 1, grid.step[at]);
        }
    }
    let folder = Path::new(folder);
    let mut out = BufWriter::new(io::stdout().lock());
    match task.as_str() {
        "segcor" | "spearman" => {
            let data = correlation_data(folder, &options, multi)?;
            let ranks = task == "spearman";
            grid.scan(&mut out, |parameters, weights| data.objective(parameters, weights, ranks))?;
        }
        "rank" => {
            let data = ranking_data(folder)?;
            grid.scan(&mut out, |parameters, weights| {
                data.objective(parameters, weights, epsilon)
            })?;
        }
        _ => {
            remark(USAGE.trim_end());
            return Ok(2);
        }
    }
    out.flush()?;
    Ok(0)
}

/// Up to eight numbers; missing ones are 0.
fn numbers(text: &str) -> Result<[f64; 8]> {
    let given = options::numbers(text)
        .ok_or_else(|| anyhow!("expected numbers separated by spaces, got '{text}'"))?;
    let mut all = [0.0; 8];
    for (to, from) in all.iter_mut().zip(given) {
        *to = from;
    }
    Ok(all)
}

impl Grid {
    /// Visits all points; the last value varies fastest.
    fn scan(
        &self,
        out: &mut impl io::Write,
        objective: impl Fn(&[f64], &[f64]) -> f64,
    ) -> Result<()> {
        let mut point = self.start;
        if (0..8).any(|at| self.start[at] > self.end[at] + 0.001) {
            return Ok(());
        }
        let mut line = String::new();
        loop {
            line.clear();
            let (parameters, weights) = point.split_at(4);
            push_double(objective(parameters, weights), &mut line);
            for x in point {
                let _ = write!(line, " {x:.2}");
            }
            line.push('\n');
            out.write_all(line.as_bytes())?;
            let mut at = 8;
            loop {
                if at == 0 {
                    return Ok(());
                }
                at -= 1;
                point[at] += self.step[at];
                if point[at] <= self.end[at] + 0.001 {
                    break;
                }
                point[at] = self.start[at];
            }
        }
    }
}

/// Files of a folder by name.
fn files(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let name = || folder.display().to_string();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(name)? {
        let entry = entry.with_context(name)?;
        files.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
    }
    files.sort();
    Ok(files)
}

/// Segments with their human scores.
#[derive(Default)]
struct Correlation {
    segments: Vec<(Totals, f64)>,
}

fn correlation_data(folder: &Path, options: &Options, multi: bool) -> Result<Correlation> {
    let mut data = Correlation::default();
    for (name, path) in files(folder)? {
        let Some(stem) = name.strip_suffix(".tst") else { continue };
        let options = if multi { &multi_options(&name)? } else { options };
        let metric = build(Configuration::resolve(&options.scoring), options)?;
        let reference = folder.join(format!("{stem}.ref"));
        let segments = sgml::segments(&metric, options, &path, &reference)?;
        let judgements = judgements(&folder.join(format!("{stem}.ter")))?;
        for line in segments {
            let mut fields = line.place.rsplit('\t');
            let (Some(segment), Some(document)) = (fields.next(), fields.next()) else { continue };
            let key = (document.to_owned(), segment.to_owned());
            let Some(&judgement) = judgements.get(&key) else {
                bail!("{stem}.ter has no line for document {document}, segment {segment}");
            };
            data.segments.push((line.totals, judgement));
        }
    }
    if data.segments.is_empty() {
        bail!("{}: there is no .tst file with segments", folder.display());
    }
    Ok(data)
}

fn judgements(path: &Path) -> Result<BTreeMap<(String, String), f64>> {
    let mut all = BTreeMap::new();
    for (at, line) in super::lines::read(path)?.iter().enumerate() {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let [document, segment, judgement] = fields[..] else {
            bail!("{}: line {}: expected document, segment, score", path.display(), at + 1);
        };
        let judgement = judgement.parse().with_context(|| path.display().to_string())?;
        all.insert((document.to_owned(), segment.to_owned()), judgement);
    }
    Ok(all)
}

impl Correlation {
    fn objective(&self, parameters: &[f64], weights: &[f64], use_ranks: bool) -> f64 {
        let mut ours: Vec<f64> = self
            .segments
            .iter()
            .map(|(totals, _)| score(totals, parameters, weights).score)
            .collect();
        let mut theirs: Vec<f64> = self.segments.iter().map(|&(_, judgement)| judgement).collect();
        let lengths: Vec<f64> = self
            .segments
            .iter()
            .map(|(totals, _)| if use_ranks { 1.0 } else { totals.reference_length })
            .collect();
        if use_ranks {
            (ours, theirs) = (ranks(&ours), ranks(&theirs));
        }
        let correlation = pearson(&ours, &theirs, &lengths);
        if correlation.is_nan() { 0.0 } else { correlation }
    }
}

/// Ranks from 1; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let value = values[order[start]];
        let mut end = start;
        while end < order.len() && values[order[end]] == value {
            end += 1;
        }
        let end = end.max(start + 1);
        let mean = (start + 1 + end) as f64 / 2.0;
        order[start..end].iter().for_each(|&at| ranks[at] = mean);
        start = end;
    }
    ranks
}

fn pearson(x: &[f64], y: &[f64], weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    let mean = |values: &[f64]| {
        values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / total
    };
    let (x_mean, y_mean) = (mean(x), mean(y));
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for ((x, y), weight) in x.iter().zip(y).zip(weights) {
        let (x, y) = (x - x_mean, y - y_mean);
        xy += weight * x * y;
        xx += weight * x * x;
        yy += weight * y * y;
    }
    xy / (xx * yy).sqrt()
}

/// Segments of systems, and pairs of which people preferred one.
struct Ranking {
    totals: Vec<Totals>,
    /// Better and worse.
    pairs: Vec<(usize, usize)>,
}

/// The fixed options of `rank` and `-multi`.
fn multi_options(file: &str) -> Result<Options> {
    let code = file.split_once('-').and_then(|(_, rest)| rest.get(..2));
    let language = code.and_then(Language::parse);
    let language =
        language.ok_or_else(|| anyhow!("{file}: no language follows the first '-' of the name"))?;
    let mut options = Options { statistics: true, ..Options::default() };
    options.scoring.language = Some(language);
    options.scoring.lower = true;
    options.scoring.modules = Some(vec![Module::Exact, Module::Paraphrase]);
    options.scoring.weights = Some(vec![1.0, 0.5]);
    Ok(options)
}

fn ranking_data(folder: &Path) -> Result<Ranking> {
    let mut data = Ranking { totals: Vec::new(), pairs: Vec::new() };
    let mut places: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    let files = files(folder)?;
    for (name, path) in &files {
        let Some((pair, system)) = name.strip_suffix(".sgm").and_then(|stem| stem.split_once('.'))
        else {
            continue;
        };
        if system == "ref" {
            continue;
        }
        let options = multi_options(name)?;
        let metric = build(Configuration::resolve(&options.scoring), &options)?;
        let reference = folder.join(format!("{pair}.ref.sgm"));
        for line in sgml::segments(&metric, &options, path, &reference)? {
            let segment = line.place.rsplit('\t').next().unwrap_or_default().to_owned();
            places.insert((segment, pair.to_owned(), system.to_owned()), data.totals.len());
            data.totals.push(line.totals);
        }
    }
    for (name, path) in &files {
        if !name.ends_with(".rank") {
            continue;
        }
        for (at, line) in super::lines::read(path)?.iter().enumerate() {
            let fields: Vec<&str> = line.split('\t').collect();
            let place = |segment: &str, pair: &str, system: &str| {
                let key = (segment.to_owned(), pair.to_owned(), system.to_owned());
                places.get(&key).copied()
            };
            let found = match fields[..] {
                [segment, pair_1, better, pair_2, worse] => {
                    place(segment, pair_1, better).zip(place(segment, pair_2, worse))
                }
                _ => None,
            };
            let Some(pair) = found else {
                bail!("{name}: line {} does not name two scored segments", at + 1);
            };
            data.pairs.push(pair);
        }
    }
    if data.pairs.is_empty() {
        bail!("{}: there is no .rank file with judgements", folder.display());
    }
    Ok(data)
}

impl Ranking {
    fn objective(&self, parameters: &[f64], weights: &[f64], epsilon: f64) -> f64 {
        let scores: Vec<f64> =
            self.totals.iter().map(|totals| score(totals, parameters, weights).score).collect();
        let concordant = self
            .pairs
            .iter()
            .filter(|&&(better, worse)| scores[better] - scores[worse] > epsilon)
            .count() as f64;
        let all = self.pairs.len() as f64;
        (concordant - (all - concordant)) / all
    }
}
