//! sacreBLEU's command line, read as Python's argparse reads it.
//!
//! Long options may be abbreviated if that is unambiguous. A value may be attached to a short option or follow an
//! equals sign. Flags of one letter may be combined. Options with several values end at the next option. The first
//! run of words that belong to no option are the references.

/// How many values an option takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    One,
    /// One or more.
    Some,
    /// None or more.
    Any,
}

/// An option: its names, and the number of its values.
struct Spec {
    names: &'static [&'static str],
    takes: Takes,
}

const fn flag(names: &'static [&'static str]) -> Spec {
    Spec { names, takes: Takes::Nothing }
}

const fn one(names: &'static [&'static str]) -> Spec {
    Spec { names, takes: Takes::One }
}

const SPECS: [Spec; 43] = [
    flag(&["-h", "--help"]),
    flag(&["--citation", "--cite"]),
    flag(&["--list"]),
    one(&["--test-set", "-t"]),
    one(&["--language-pair", "-l"]),
    one(&["--origlang", "-ol"]),
    one(&["--subset"]),
    one(&["--download"]),
    Spec { names: &["--echo"], takes: Takes::Some },
    Spec { names: &["--input", "-i"], takes: Takes::Any },
    one(&["--num-refs", "-nr"]),
    one(&["--encoding", "-e"]),
    Spec { names: &["--metrics", "-m"], takes: Takes::Some },
    flag(&["--sentence-level", "-sl"]),
    one(&["--smooth-method", "-s"]),
    one(&["--smooth-value", "-sv"]),
    one(&["--tokenize", "-tok"]),
    flag(&["--lowercase", "-lc"]),
    flag(&["--force"]),
    one(&["--chrf-char-order", "-cc"]),
    one(&["--chrf-word-order", "-cw"]),
    one(&["--chrf-beta"]),
    flag(&["--chrf-whitespace"]),
    flag(&["--chrf-lowercase"]),
    flag(&["--chrf-eps-smoothing"]),
    flag(&["--ter-case-sensitive"]),
    flag(&["--ter-asian-support"]),
    flag(&["--ter-no-punct"]),
    flag(&["--ter-normalized"]),
    flag(&["--confidence", "-ci"]),
    one(&["--confidence-n", "-cin"]),
    flag(&["--paired-ar", "-par"]),
    flag(&["--paired-bs", "-pbs"]),
    one(&["--paired-ar-n", "-parn"]),
    one(&["--paired-bs-n", "-pbsn"]),
    one(&["--paired-jobs", "-j"]),
    flag(&["--quiet", "-q"]),
    flag(&["--short", "-sh"]),
    flag(&["--score-only", "-b"]),
    one(&["--width", "-w"]),
    flag(&["--detail", "-d"]),
    flag(&["--no-color", "-nc"]),
    one(&["--format", "-f"]),
];
const VERSION: Spec = flag(&["--version", "-V"]);

const METRICS: [&str; 3] = ["bleu", "chrf", "ter"];
const SMOOTHING: [&str; 4] = ["none", "floor", "add-k", "exp"];
const FORMATS: [&str; 3] = ["json", "text", "latex"];
const TOKENIZERS: [&str; 11] = [
    "none",
    "zh",
    "13a",
    "intl",
    "char",
    "ja-mecab",
    "ko-mecab",
    "spm",
    "flores101",
    "flores200",
    "spBLEU-1K",
];

/// The options of a run.
#[derive(Default)]
pub struct Options {
    /// What to do instead of scoring.
    pub instead: Option<Instead>,
    pub references: Vec<String>,
    /// The input files; standard input if none is named.
    pub inputs: Option<Vec<String>>,
    pub n_references: i64,
    pub encoding: String,
    /// In the order given, each once.
    pub metrics: Vec<&'static str>,
    pub cite: bool,
    pub list: bool,
    pub test_set: Option<String>,
    pub language_pair: Option<String>,
    pub origlang: Option<String>,
    pub subset: Option<String>,
    pub download: Option<String>,
    pub echo: Vec<String>,
    pub sentence_level: bool,
    pub smooth_method: String,
    pub smooth_value: Option<f64>,
    pub tokenizer: Option<String>,
    pub lowercase: bool,
    pub force: bool,
    pub chrf: Chrf,
    pub ter: Ter,
    pub confidence: bool,
    pub confidence_n: i64,
    pub paired: Option<Paired>,
    pub paired_ar_n: i64,
    pub paired_bs_n: i64,
    pub paired_jobs: i64,
    pub quiet: bool,
    pub short: bool,
    pub score_only: bool,
    pub width: i64,
    pub detail: bool,
    pub format: String,
}

/// Something other than scoring.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Instead {
    Help,
    Version,
}

/// The options of chrF.
#[derive(Default)]
pub struct Chrf {
    pub char_order: i64,
    pub word_order: i64,
    pub beta: i64,
    pub whitespace: bool,
    pub lowercase: bool,
    pub eps_smoothing: bool,
}

/// The options of TER.
#[derive(Default)]
pub struct Ter {
    pub case_sensitive: bool,
    pub asian_support: bool,
    pub no_punct: bool,
    pub normalized: bool,
}

/// A paired test.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Paired {
    Randomization,
    Bootstrap,
}

impl Options {
    /// Reads the arguments. An error is printed after `sacrebleu: error: `.
    pub fn parse(args: &[String]) -> Result<Self, String> {
        let mut options = Options {
            n_references: 1,
            encoding: "utf-8".to_owned(),
            metrics: vec![METRICS[0]],
            smooth_method: "exp".to_owned(),
            chrf: Chrf { char_order: 6, beta: 2, ..Chrf::default() },
            confidence_n: 1000,
            paired_ar_n: 10_000,
            paired_bs_n: 1000,
            paired_jobs: 1,
            width: 1,
            format: "json".to_owned(),
            ..Options::default()
        };
        Parser::new(args).run(&mut options)?;
        Ok(options)
    }

    /// Stores an option with its values; returns true if the following arguments do not matter.
    fn set(&mut self, spec: &Spec, values: Vec<String>) -> Result<bool, String> {
        let first = || values.first().cloned().unwrap_or_default();
        let whole = |value: String| {
            let plain = value.trim();
            plain
                .parse::<i64>()
                .map_err(|_| spec.wrong(&format!("invalid int value: {}", quoted(&value))))
        };
        let real = |value: String| {
            value
                .trim()
                .parse::<f64>()
                .map_err(|_| spec.wrong(&format!("invalid float value: {}", quoted(&value))))
        };
        match spec.names[0] {
            "-h" => self.instead = Some(Instead::Help),
            "--version" => self.instead = Some(Instead::Version),
            "--citation" => self.cite = true,
            "--list" => self.list = true,
            "--test-set" => self.test_set = Some(first()),
            "--language-pair" => self.language_pair = Some(first()),
            "--origlang" => self.origlang = Some(first()),
            "--subset" => self.subset = Some(first()),
            "--download" => self.download = Some(first()),
            "--echo" => self.echo = values,
            "--input" => self.inputs = Some(values),
            "--num-refs" => self.n_references = whole(first())?,
            "--encoding" => self.encoding = first(),
            "--metrics" => {
                values.iter().try_for_each(|value| spec.choose(value, &METRICS))?;
                let named = values
                    .iter()
                    .filter_map(|value| METRICS.iter().find(|metric| value == *metric));
                self.metrics = Vec::new();
                for metric in named {
                    if !self.metrics.contains(metric) {
                        self.metrics.push(metric);
                    }
                }
            }
            "--sentence-level" => self.sentence_level = true,
            "--smooth-method" => {
                spec.choose(&first(), &SMOOTHING)?;
                self.smooth_method = first();
            }
            "--smooth-value" => self.smooth_value = Some(real(first())?),
            "--tokenize" => {
                spec.choose(&first(), &TOKENIZERS)?;
                self.tokenizer = Some(first());
            }
            "--lowercase" => self.lowercase = true,
            "--force" => self.force = true,
            "--chrf-char-order" => self.chrf.char_order = whole(first())?,
            "--chrf-word-order" => self.chrf.word_order = whole(first())?,
            "--chrf-beta" => self.chrf.beta = whole(first())?,
            "--chrf-whitespace" => self.chrf.whitespace = true,
            "--chrf-lowercase" => self.chrf.lowercase = true,
            "--chrf-eps-smoothing" => self.chrf.eps_smoothing = true,
            "--ter-case-sensitive" => self.ter.case_sensitive = true,
            "--ter-asian-support" => self.ter.asian_support = true,
            "--ter-no-punct" => self.ter.no_punct = true,
            "--ter-normalized" => self.ter.normalized = true,
            "--confidence" => self.confidence = true,
            "--confidence-n" => self.confidence_n = whole(first())?,
            "--paired-ar" => self.pair(Paired::Randomization, spec, "--paired-bs/-pbs")?,
            "--paired-bs" => self.pair(Paired::Bootstrap, spec, "--paired-ar/-par")?,
            "--paired-ar-n" => self.paired_ar_n = whole(first())?,
            "--paired-bs-n" => self.paired_bs_n = whole(first())?,
            "--paired-jobs" => self.paired_jobs = whole(first())?,
            "--quiet" => self.quiet = true,
            "--short" => self.short = true,
            "--score-only" => self.score_only = true,
            "--width" => self.width = whole(first())?,
            "--detail" => self.detail = true,
            // This command prints no colours.
            "--no-color" => {}
            "--format" => {
                spec.choose(&first(), &FORMATS)?;
                self.format = first();
            }
            other => return Err(format!("unrecognized arguments: {other}")),
        }
        Ok(self.instead.is_some())
    }

    fn pair(&mut self, test: Paired, spec: &Spec, other: &str) -> Result<(), String> {
        if self.paired.is_some_and(|before| before != test) {
            return Err(spec.wrong(&format!("not allowed with argument {other}")));
        }
        self.paired = Some(test);
        Ok(())
    }

    /// The metrics in the order in which sacreBLEU prints them: in a paired test as given, otherwise its own.
    pub fn ordered_metrics(&self) -> Vec<&'static str> {
        match self.paired {
            Some(_) => self.metrics.clone(),
            None => METRICS.into_iter().filter(|metric| self.metrics.contains(metric)).collect(),
        }
    }

    /// Whether a format has this name.
    pub fn is_format(name: &str) -> bool {
        FORMATS.contains(&name)
    }
}

impl Spec {
    fn wrong(&self, problem: &str) -> String {
        format!("argument {}: {problem}", self.names.join("/"))
    }

    fn choose(&self, value: &str, choices: &[&str]) -> Result<(), String> {
        if choices.contains(&value) {
            return Ok(());
        }
        let all: Vec<String> = choices.iter().map(|choice| quoted(choice)).collect();
        let all = all.join(", ");
        Err(self.wrong(&format!("invalid choice: {} (choose from {all})", quoted(value))))
    }
}

/// A text as Python writes it between quotes.
pub fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// A word of the command line.
enum Word<'a> {
    /// An option, with the value that is attached to it.
    Option(&'static Spec, &'a str, Option<&'a str>),
    /// Looks like an option, but no option has that name.
    Unknown,
    Value,
}

struct Parser<'a> {
    args: &'a [String],
    at: usize,
    /// Everything after `--` is a value.
    end: usize,
    seen_references: bool,
    left_over: Vec<String>,
}

impl<'a> Parser<'a> {
    fn new(args: &'a [String]) -> Self {
        let end = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
        Parser { args, at: 0, end, seen_references: false, left_over: Vec::new() }
    }

    fn run(mut self, options: &mut Options) -> Result<(), String> {
        // Ambiguous words are an error wherever they are.
        for idx in 0..self.end {
            self.word(idx)?;
        }
        while self.at < self.args.len() {
            match self.word(self.at)? {
                Word::Option(spec, name, glued) => {
                    self.at += 1;
                    if self.option(options, spec, name, glued)? {
                        return Ok(());
                    }
                }
                Word::Unknown => {
                    self.left_over.push(self.args[self.at].clone());
                    self.at += 1;
                }
                Word::Value => {
                    let start = self.at;
                    while self.at < self.args.len() && matches!(self.word(self.at)?, Word::Value) {
                        self.at += 1;
                    }
                    let mut words = self.args[start..self.at].to_vec();
                    if self.seen_references {
                        self.left_over.extend(words);
                    } else {
                        if let Some(dashes) = words.iter().position(|word| word == "--") {
                            words.remove(dashes);
                        }
                        options.references = words;
                        self.seen_references = true;
                    }
                }
            }
        }
        match self.left_over.is_empty() {
            true => Ok(()),
            false => Err(format!("unrecognized arguments: {}", self.left_over.join(" "))),
        }
    }

    /// An option and its values.
    fn option(
        &mut self,
        options: &mut Options,
        spec: &'static Spec,
        name: &str,
        glued: Option<&str>,
    ) -> Result<bool, String> {
        let Some(glued) = glued else {
            let values = self.values(spec)?;
            return options.set(spec, values);
        };
        if spec.takes != Takes::Nothing {
            return options.set(spec, vec![glued.to_owned()]);
        }
        // Flags of one letter may be combined, and the last may be an option with its value.
        let ignored = || spec.wrong(&format!("ignored explicit argument {}", quoted(glued)));
        if name.starts_with("--") {
            return Err(ignored());
        }
        let mut rest = glued.chars();
        let Some(letter) = rest.next() else { return Err(ignored()) };
        let next = format!("-{letter}");
        let Some(next_spec) = find(&next) else { return Err(ignored()) };
        if options.set(spec, Vec::new())? {
            return Ok(true);
        }
        let rest = rest.as_str();
        self.option(options, next_spec, &next, (!rest.is_empty()).then_some(rest))
    }

    fn values(&mut self, spec: &Spec) -> Result<Vec<String>, String> {
        let start = self.at;
        let most = match spec.takes {
            Takes::Nothing => 0,
            Takes::One => 1,
            Takes::Some | Takes::Any => usize::MAX,
        };
        while self.at < self.end
            && self.at - start < most
            && matches!(self.word(self.at)?, Word::Value)
        {
            self.at += 1;
        }
        let n = self.at - start;
        // A value may also be the first word after `--`.
        let behind = n == 0 && self.at == self.end && self.end + 1 < self.args.len();
        match spec.takes {
            Takes::One if n == 0 && behind => {
                let value = self.args[self.end + 1].clone();
                self.at = self.end + 2;
                Ok(vec![value])
            }
            Takes::One if n == 0 => Err(spec.wrong("expected one argument")),
            Takes::Some if n == 0 => Err(spec.wrong("expected at least one argument")),
            _ => Ok(self.args[start..self.at].to_vec()),
        }
    }

    fn word(&self, idx: usize) -> Result<Word<'a>, String> {
        let word = self.args[idx].as_str();
        if idx >= self.end || !word.starts_with('-') || word.len() == 1 {
            return Ok(Word::Value);
        }
        if let Some(spec) = find(word) {
            return Ok(Word::Option(spec, word, None));
        }
        if let Some((name, value)) = word.split_once('=')
            && let Some(spec) = find(name)
        {
            return Ok(Word::Option(spec, name, Some(value)));
        }
        match shortened(word).as_slice() {
            [(name, spec, glued)] => return Ok(Word::Option(spec, name, *glued)),
            [] => {}
            several => {
                let names: Vec<&str> = several.iter().map(|(name, ..)| *name).collect();
                let word = if word.starts_with("--") {
                    word.split('=').next().unwrap_or(word)
                } else {
                    word
                };
                return Err(format!("ambiguous option: {word} could match {}", names.join(", ")));
            }
        }
        let digits = word[1..].replacen('.', "", 1);
        let negative = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        Ok(if negative || word.contains(' ') { Word::Value } else { Word::Unknown })
    }
}

fn specs() -> impl Iterator<Item = &'static Spec> {
    SPECS.iter().chain(std::iter::once(&VERSION))
}

fn find(name: &str) -> Option<&'static Spec> {
    specs().find(|spec| spec.names.contains(&name))
}

/// The options that a word may abbreviate, with the value attached to it.
fn shortened(word: &str) -> Vec<(&'static str, &'static Spec, Option<&str>)> {
    let named = specs().flat_map(|spec| spec.names.iter().map(move |name| (*name, spec)));
    if let Some(long) = word.strip_prefix("--") {
        let (long, glued) = match long.split_once('=') {
            Some((long, glued)) => (long, Some(glued)),
            None => (long, None),
        };
        let starts =
            |name: &str| name.strip_prefix("--").is_some_and(|name| name.starts_with(long));
        return named
            .filter(|(name, _)| starts(name))
            .map(|(name, spec)| (name, spec, glued))
            .collect();
    }
    let letter = word.char_indices().nth(2).map_or(word, |(at, _)| &word[..at]);
    named
        .filter_map(|(name, spec)| {
            if name == letter {
                return Some((name, spec, Some(&word[letter.len()..])));
            }
            name.starts_with(word).then_some((name, spec, None))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Options::parse(&args)
    }

    #[test]
    fn words_are_read_as_argparse_reads_them() {
        let options = parse("r.txt s.txt -i a b -mbleu --chrf-w 2 -bqf text").err();
        assert!(
            options.is_some_and(|problem| problem.contains("--chrf-word-order, --chrf-whitespace"))
        );
        let options = parse("-f text r.txt -i a b -m ter bleu --chrf-wo 2 -bqw 3").unwrap();
        assert_eq!(options.references, ["r.txt"]);
        assert_eq!(options.inputs.as_deref(), Some(&["a".to_owned(), "b".to_owned()][..]));
        assert_eq!(options.metrics, ["ter", "bleu"]);
        assert!(options.score_only && options.quiet);
        assert_eq!((options.width, options.chrf.word_order), (3, 2));
        assert_eq!(parse("-i a -- r -f").unwrap().references, ["r", "-f"]);
    }

    #[test]
    fn mistakes_are_told_as_argparse_tells_them() {
        let wrong = |line: &str| parse(line).err().unwrap_or_default();
        assert_eq!(wrong("r -i a -- x"), "unrecognized arguments: -- x");
        assert_eq!(wrong("-w x"), "argument --width/-w: invalid int value: 'x'");
        assert_eq!(wrong("-m"), "argument --metrics/-m: expected at least one argument");
        assert_eq!(
            wrong("-pbs -par"),
            "argument --paired-ar/-par: not allowed with argument --paired-bs/-pbs"
        );
        assert_eq!(
            wrong("-f xml"),
            "argument --format/-f: invalid choice: 'xml' (choose from 'json', 'text', 'latex')"
        );
    }
}
