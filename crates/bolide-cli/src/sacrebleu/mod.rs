//! `bolide sacrebleu`: the command line of sacreBLEU 2.6, so that a script only needs to change the command.
//!
//! Options, output and exit codes are sacreBLEU's, and so are the messages on stderr, because people search for
//! them. Where sacreBLEU ends with a traceback, this prints one line and exits with code 1. It downloads nothing:
//! it reads test sets from sacreBLEU's folder. docs/cli.md lists the differences.

mod measure;
mod options;
mod render;
mod texts;

use crate::error::{Result, anyhow, remark};
use bolide_runner::Runner;
use measure::{Measure, Outcome, Seed};
use options::{Instead, Options, Paired};
use render::{Style, Table};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use texts::{Streams, TestSet};

/// The help of `bolide sacrebleu`.
pub const HELP: &str = "\
Score as sacreBLEU 2.6 does, with its options and its output

Usage: bolide sacrebleu [REFERENCE ...] [OPTIONS]

  REFERENCE ...                    reference files, before -i
  -i, --input FILE ...             systems; standard input otherwise, one column for each system
  -nr, --num-refs N                the one reference file has N columns, separated by tabs
  -e, --encoding NAME              utf-8, utf-8-sig, latin-1 or ascii
  -m, --metrics bleu chrf ter      which of them [default: bleu]
  -sl, --sentence-level            one score for each segment
  -t, --test-set NAME[,NAME]       a test set in ~/.sacrebleu (or $SACREBLEU)
  -l, --language-pair XX-YY        its language pair; also chooses the tokenizer
  --echo FIELD ... | all           print fields of the test set
  --list                           list the test sets in the folder

BLEU:  -tok, --tokenize 13a|intl|zh|char|none; -lc, --lowercase; --force
       -s, --smooth-method exp|floor|add-k|none; -sv, --smooth-value X
chrF:  -cc, --chrf-char-order N; -cw, --chrf-word-order N; --chrf-beta N
       --chrf-whitespace; --chrf-lowercase; --chrf-eps-smoothing
TER:   --ter-case-sensitive; --ter-asian-support; --ter-no-punct; --ter-normalized

Tests: -ci, --confidence; -cin, --confidence-n N
       -pbs, --paired-bs; -pbsn, --paired-bs-n N
       -par, --paired-ar; -parn, --paired-ar-n N; -j, --paired-jobs N

Print: -f, --format json|text|latex; -w, --width N; -b, --score-only
       -sh, --short; -q, --quiet; -d, --detail; -V, --version

Environment: SACREBLEU, SACREBLEU_SEED, SACREBLEU_FORMAT as sacreBLEU reads them;
             SACREBLEU_PYTHON=3.11 adds floats as Python before 3.12 does
";

/// Why a run ends early.
pub enum Stop {
    /// sacreBLEU's exit code and message.
    Told(u8, Vec<String>),
    /// An error for which sacreBLEU has no message.
    Failed(anyhow::Error),
}

impl From<anyhow::Error> for Stop {
    fn from(problem: anyhow::Error) -> Self {
        Stop::Failed(problem)
    }
}

impl From<io::Error> for Stop {
    fn from(problem: io::Error) -> Self {
        Stop::Failed(problem.into())
    }
}

fn told<T>(message: &str) -> Result<T, Stop> {
    Err(Stop::Told(1, vec![message.to_owned()]))
}

/// Prints a message to stderr as sacreBLEU's log does.
fn say(options: &Options, message: &str) {
    remark(format_args!("{}{message}", if options.quiet { "" } else { "sacreBLEU: " }));
}

fn inform(options: &Options, message: &str) {
    if !options.quiet {
        say(options, message);
    }
}

/// Runs the command with the arguments that follow `sacrebleu`.
pub fn run(args: &[OsString]) -> ExitCode {
    let args: Vec<String> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let mut options = match Options::parse(&args) {
        Ok(options) => options,
        Err(problem) => {
            remark(format_args!("sacrebleu: error: {problem}"));
            return ExitCode::from(2);
        }
    };
    if let Some(format) =
        std::env::var("SACREBLEU_FORMAT").ok().filter(|name| Options::is_format(name))
    {
        options.format = format;
    }
    match work(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stop::Told(code, lines)) => {
            lines.iter().for_each(|line| say(&options, line));
            ExitCode::from(code)
        }
        Err(Stop::Failed(problem)) => crate::error::print(&problem),
    }
}

fn print(text: &str) -> Result<(), Stop> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

fn work(options: &Options) -> Result<(), Stop> {
    match options.instead {
        Some(Instead::Help) => return print(HELP),
        Some(Instead::Version) => return print("sacrebleu 2.6.0\n"),
        None => {}
    }
    if let Some(name) = &options.download {
        return Err(anyhow!(
            "bolide downloads nothing: run sacrebleu --download {name} to fill the folder that both read"
        )
        .into());
    }
    if options.list {
        return list(options);
    }
    if options.sentence_level && options.metrics.len() > 1 {
        return told("Only one metric can be used in sentence-level mode.");
    }
    if options.cite {
        return match &options.test_set {
            None => told("I need a test set (-t)."),
            Some(name) => Err(anyhow!(
                "bolide does not have the citation of {name}: run sacrebleu -t {name} --cite"
            )
            .into()),
        };
    }
    if options.n_references != 1 && (options.test_set.is_some() || options.references.len() > 1) {
        return Err(Stop::Told(1, vec![
            "The --num-refs argument allows you to provide any number of tab-delimited references in a single file.".to_owned(),
            "You can only use it with externally provided references, however (i.e., not with `-t`),".to_owned(),
            "and you cannot then provide multiple reference files.".to_owned(),
        ]));
    }
    let sets = test_sets(options)?;
    check(options)?;
    if !options.echo.is_empty() {
        return echo(&sets, &options.echo);
    }
    score(options, &sets)
}

/// Lists the folder of test sets.
fn list(options: &Options) -> Result<(), Stop> {
    let mut out = String::new();
    for (name, pair, fields) in texts::list() {
        match &options.test_set {
            None => out += &format!("{name:<30}: {pair}\n"),
            Some(wanted) if *wanted == name => out += &format!("{pair}: {}\n", fields.join(", ")),
            Some(_) => {}
        }
    }
    if out.is_empty() {
        return Err(anyhow!("there is no such test set in {}", texts::folder().display()).into());
    }
    print(&out)
}

fn test_sets(options: &Options) -> Result<Vec<TestSet>, Stop> {
    let Some(names) = &options.test_set else { return Ok(Vec::new()) };
    if !options.references.is_empty() {
        return told(
            "I need exactly one of (a) a predefined test set (-t) or (b) a list of references",
        );
    }
    let Some(pair) = &options.language_pair else {
        return told(
            "I need a language pair (-l). Use --list to see available language pairs for this test set.",
        );
    };
    if options.origlang.is_some() || options.subset.is_some() || options.detail {
        return Err(anyhow!("--origlang, --subset and --detail need the raw files of a test set, which bolide does not read").into());
    }
    names.split(',').map(|name| TestSet::find(name, pair)).collect()
}

fn echo(sets: &[TestSet], wanted: &[String]) -> Result<(), Stop> {
    for set in sets {
        let columns = set.fields(wanted)?;
        let n = columns.iter().map(Vec::len).min().unwrap_or(0);
        let mut out = String::new();
        for row in 0..n {
            let fields: Vec<&str> = columns.iter().map(|column| column[row].as_str()).collect();
            out += &fields.join("\t");
            out.push('\n');
        }
        print(&out)?;
    }
    Ok(())
}

fn references(options: &Options, sets: &[TestSet]) -> Result<Streams, Stop> {
    if sets.is_empty() {
        return texts::references(&options.references, options.n_references, &options.encoding);
    }
    let mut streams: Streams = Vec::new();
    for set in sets {
        let references = set.references()?;
        streams.resize_with(streams.len().max(references.len()), Vec::new);
        streams.iter_mut().zip(references).for_each(|(stream, more)| stream.extend(more));
    }
    Ok(streams)
}

/// The systems: their names, and their lines.
struct Systems {
    names: Vec<String>,
    lines: Vec<Vec<String>>,
}

fn systems(options: &Options) -> Result<Systems, Stop> {
    let paired = options.paired.is_some();
    let mut systems = Systems { names: Vec::new(), lines: Vec::new() };
    let Some(files) = &options.inputs else {
        let columns = texts::standard_input(&options.encoding)?;
        systems.names = (1..=columns.len())
            .map(|n| match (paired, n) {
                (true, 1) => "Baseline".to_owned(),
                (true, n) => format!("System {}", n - 1),
                (false, n) => format!("System {n}"),
            })
            .collect();
        systems.lines = columns;
        return Ok(systems);
    };
    for (idx, path) in files.iter().enumerate() {
        let name = if paired && idx == 0 { format!("Baseline: {path}") } else { path.clone() };
        if paired && idx > 0 && *path == files[0] {
            let name = options::quoted(path);
            inform(options, &format!("Ignoring {name} as it was also given as the baseline."));
            continue;
        }
        if systems.names.contains(&name) {
            return Err(Stop::Told(
                1,
                vec![
                    format!("{} already used to name a system.", options::quoted(&name)),
                    "Make sure to have a different basename for each system.".to_owned(),
                ],
            ));
        }
        systems.names.push(name);
        systems.lines.push(texts::file(path, &options.encoding)?);
    }
    Ok(systems)
}

/// The test sets of the folder as Python writes a list, the newest first.
fn sets_as_python() -> String {
    let mut names: Vec<String> = texts::list().into_iter().map(|(name, ..)| name).collect();
    names.dedup();
    let names: Vec<String> = names.iter().rev().map(|name| options::quoted(name)).collect();
    format!("[{}]", names.join(", "))
}

fn check(options: &Options) -> Result<(), Stop> {
    if options.test_set.is_none() && options.references.is_empty() {
        return Err(Stop::Told(1, vec![
            "If manual references given, make sure to provide them before the -i/--input argument to avoid confusion.".to_owned(),
            "Otherwise, I need a predefined test set (-t) from the following list:".to_owned(),
            sets_as_python(),
        ]));
    }
    if options.test_set.is_none() && (options.origlang.is_some() || options.subset.is_some()) {
        return Err(anyhow!(
            "--origlang and --subset need a test set (-t) and a language pair (-l)"
        )
        .into());
    }
    if options.language_pair.as_deref().is_some_and(|pair| !pair.contains('-')) {
        return Err(
            anyhow!("a language pair is two codes with a hyphen between them: -l de-en").into()
        );
    }
    if options.sentence_level && (options.confidence || options.paired.is_some()) {
        return told("Statistical tests are unavailable in sentence-level mode.");
    }
    if !(0..=300).contains(&options.width) {
        return Err(anyhow!(
            "--width is a number of decimals from 0 to 300, got {}",
            options.width
        )
        .into());
    }
    Ok(())
}

fn score(options: &Options, sets: &[TestSet]) -> Result<(), Stop> {
    let references = references(options, sets)?;
    let measures = Measure::all(options)?;
    let target = options.language_pair.as_deref().and_then(|pair| pair.split('-').nth(1));
    let apt = match target {
        Some("zh") => Some(("zh", "Chinese")),
        Some("ja") => Some(("ja-mecab", "Japanese")),
        Some("ko") => Some(("ko-mecab", "Korean")),
        _ => None,
    };
    if let (Some((apt, language)), Some(tokenizer)) = (apt, &options.tokenizer)
        && apt != tokenizer
        && options.metrics.contains(&"bleu")
    {
        let advice = format!("Consider using the '{apt}' or 'spm' tokenizer for {language}.");
        say(options, &advice);
    }
    let systems = systems(options)?;
    let n_systems = systems.names.len();
    if options.sentence_level && n_systems > 1 {
        return told("Only one system can be evaluated in sentence-level mode.");
    }
    if options.confidence && n_systems > 1 {
        return told("Use paired tests (--paired) for multiple systems.");
    }
    if options.paired.is_some() && n_systems < 2 {
        return told("Paired tests require multiple input systems given to --input (-i).");
    }
    for lines in &systems.lines {
        if options.inputs.is_none() && lines.is_empty() {
            return different_lengths(options);
        }
        if lines.is_empty() {
            let name = options.test_set.as_deref().unwrap_or("None");
            return told(&format!("Test set {name} contains no sentence"));
        }
        if references.iter().any(|stream| stream.len() != lines.len()) {
            return different_lengths(options);
        }
    }
    if n_systems == 0 && options.format != "json" {
        return Err(anyhow!("there is no system: give files with --input").into());
    }
    if n_systems != 1 {
        inform(options, &format!("Found {n_systems} systems."));
    }
    let run = Run { options, references: &references, measures: &measures, runner: runner() };
    match (options.sentence_level, &systems.lines[..]) {
        (true, [lines]) => run.segments(lines),
        (_, [lines]) => run.single(lines),
        _ => run.several(&systems),
    }
}

/// sacreBLEU's message if the files have different lengths.
fn different_lengths(options: &Options) -> Result<(), Stop> {
    let mut lines = vec!["System and reference streams have different lengths.".to_owned()];
    if let Some(name) = &options.test_set {
        let folder = texts::folder().join(name);
        lines.push("This could be an issue with your system output or with sacreBLEU's reference database if -t is given.".to_owned());
        lines.push("For the latter, try cleaning out the cache by typing:\n".to_owned());
        lines.push(format!("  rm -r {}\n", folder.display()));
        lines.push(
            "The test sets will be re-downloaded the next time you run sacreBLEU.".to_owned(),
        );
    }
    Err(Stop::Told(1, lines))
}

fn runner() -> Runner {
    Runner::new(std::thread::available_parallelism().map_or(1, usize::from).min(256))
}

struct Run<'a> {
    options: &'a Options,
    references: &'a Streams,
    measures: &'a [Measure],
    runner: Runner,
}

impl Run<'_> {
    fn style(&self) -> Style {
        let Options { width, short, score_only, .. } = *self.options;
        Style { width: usize::try_from(width).unwrap_or(1), short, score_only }
    }

    /// BLEU's warning about texts that look tokenised.
    fn doubt(&self, measure: &Measure, lines: &[String]) {
        let n_ends = lines.iter().filter(|line| line.ends_with(" .")).count();
        if measure.verbose && !self.options.force && n_ends >= 100 {
            let say = |message: &str| say(self.options, message);
            say("That's 100 lines that end in a tokenized period ('.')");
            say(
                "It looks like you forgot to detokenize your test data, which may hurt your score.",
            );
            say(
                "If you insist your data is detokenized, or don't care, you can suppress this message with the `force` parameter.",
            );
        }
    }

    fn segments(&self, lines: &[String]) -> Result<(), Stop> {
        let measure = &self.measures[0];
        let statistics = measure.statistics(lines, self.references, self.runner)?;
        let scores = measure.segments(&statistics, self.references.len())?;
        let mut out = String::new();
        for score in &scores {
            out += &render::line(measure, score, None, self.style());
            out.push('\n');
        }
        print(&out)
    }

    fn single(&self, lines: &[String]) -> Result<(), Stop> {
        let options = self.options;
        let n = usize::try_from(options.confidence_n).unwrap_or(0);
        let resamples = options.confidence && n > 1;
        let seed = Seed::of_environment()?;
        let json = options.format == "json" && !options.detail;
        let mut printed = Vec::new();
        for measure in self.measures {
            self.doubt(measure, lines);
            let statistics = measure.statistics(lines, self.references, self.runner)?;
            let mut score = measure.score(&statistics, self.references.len())?;
            let mut interval = None;
            if resamples {
                interval = Some(measure.confidence(&statistics, n, seed)?);
                score.signature = score.signature.with_fact("bs", n).with_fact("seed", seed.text());
            }
            let print = if json { render::object } else { render::line };
            printed.push(print(measure, &score, interval, self.style()));
        }
        if json {
            return print(&render::list(&printed));
        }
        print(&render::aligned(&printed))?;
        if options.detail {
            print("No subset information found. Consider using --origlang argument.\n")?;
        }
        Ok(())
    }

    fn several(&self, systems: &Systems) -> Result<(), Stop> {
        let options = self.options;
        let n_references = self.references.len();
        let paired = options.paired.map(|test| match test {
            Paired::Bootstrap => (test, options.paired_bs_n),
            Paired::Randomization => (test, options.paired_ar_n),
        });
        self.announce(systems, paired);
        let mut outcomes = Vec::new();
        for measure in self.measures {
            let statistics: Vec<_> = systems
                .lines
                .iter()
                .map(|lines| {
                    self.doubt(measure, lines);
                    measure.statistics(lines, self.references, self.runner)
                })
                .collect::<Result<_>>()?;
            let Some((test, n)) = paired else {
                let score = |one: &Vec<_>| {
                    let score = measure.score(one, n_references)?;
                    Ok(Outcome { score, interval: None, p_value: None })
                };
                outcomes.push(statistics.iter().map(score).collect::<Result<Vec<_>>>()?);
                continue;
            };
            let seed = Seed::of_environment()?;
            let n = usize::try_from(n).unwrap_or(0);
            let mut all = measure.paired(&statistics, n_references, test, n, seed, self.runner)?;
            let fact = if test == Paired::Bootstrap { "bs" } else { "ar" };
            for outcome in &mut all {
                let signature = outcome.score.signature.clone();
                outcome.score.signature =
                    signature.with_fact(fact, n).with_fact("seed", seed.text());
            }
            outcomes.push(all);
        }
        let table = Table {
            systems: &systems.names,
            measures: self.measures,
            outcomes: &outcomes,
            paired,
            style: self.style(),
        };
        print(&match options.format.as_str() {
            "json" if !options.detail => table.json(),
            "latex" => table.latex(),
            _ => table.text(),
        })
    }

    /// The messages of the paired tests.
    fn announce(&self, systems: &Systems, paired: Option<(Paired, i64)>) {
        let Some((test, n)) = paired else { return };
        let inform = |message: String| inform(self.options, &message);
        for measure in self.measures {
            inform(format!(
                "Pre-computing {} statistics for {}",
                measure.class,
                options::quoted(&systems.names[0])
            ));
        }
        for system in &systems.names[1..] {
            for measure in self.measures {
                inform(format!(
                    "Computing {} for {} and extracting sufficient statistics",
                    measure.name,
                    options::quoted(system)
                ));
                inform(match test {
                    Paired::Bootstrap => {
                        format!(" > Performing paired bootstrap resampling test (# resamples: {n})")
                    }
                    Paired::Randomization => {
                        format!(" > Performing approximate randomization test (# trials: {n})")
                    }
                });
            }
        }
    }
}
