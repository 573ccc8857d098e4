//! The jar's options.

use bolide::unstable::meteor15::{self, Language, Module, Preference, Task};

/// The text that is printed if an argument is missing.
pub const USAGE: &str = "\
bolide meteor15: METEOR 1.5, with the options of meteor-1.5.jar

Usage: bolide meteor15 <test> <reference> [options]

Options:
-l language                     en cz fr es de ru; with language-independent parameters
                                  ar-bw-red pt da ro hu tr fi nl it no se; or other
-t task                         One of: rank adq hter util li tune universal
-p 'alpha beta gamma delta'     Custom parameters
-m 'module1 module2 ...'        Any of: exact stem synonym paraphrase
-w 'weight1 weight2 ...'        Module weights
-r refCount                     References for each segment (plaintext only)
-x beamSize                     (default 40)
-s wordListFile                 Function words
-d synonymDirectory             Synonyms
-a paraphraseFile               Paraphrases
-f filePrefix                   Prefix of output files (default 'meteor')
-q                              Quiet: segment scores to stderr, final to stdout
-new files-dir                  New language (files-dir has function.words and paraphrase.gz)
-ch                             Character-based precision and recall
-norm                           Tokenize, normalize punctuation and lowercase
-lower                          Lowercase only
-noPunct                        With -norm: drop punctuation
-sgml                           Input is SGML
-stdio                          Line protocol on stdin and stdout (use '-' for both files)
-vOut                           Verbose scores (P R penalty score)
-ssOut                          Sufficient statistics instead of scores
-writeAlignments                Alignments, to <prefix>-align.out

Other tools of the jar: bolide meteor15 Matcher | Stemmer | Normalizer | Trainer
";

/// The options of the scorer and of the aligner.
#[derive(Debug, Default)]
pub struct Options {
    /// The options that change a score.
    pub scoring: meteor15::Options,
    /// `-r`.
    pub references: Option<i32>,
    /// `-s`.
    pub function_words: Option<String>,
    /// `-d`.
    pub synonyms: Option<String>,
    /// `-a`.
    pub paraphrases: Option<String>,
    /// `-f`.
    pub prefix: Option<String>,
    /// `-new`.
    pub new_language: Option<String>,
    pub quiet: bool,
    pub sgml: bool,
    pub stdio: bool,
    pub verbose: bool,
    pub statistics: bool,
    pub alignments: bool,
    /// The aligner's `-t`.
    pub preference: Option<Preference>,
}

/// Which of the three modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Plain,
    Sgml,
    Stdio,
}

/// Why options cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub enum Problem {
    /// No such option.
    Unknown(String),
    /// A value that is missing or invalid.
    Invalid(String),
}

impl Options {
    /// Reads the arguments after the two files. If an option is repeated, the last one counts.
    pub fn parse(args: &[String]) -> Result<Self, Problem> {
        let mut options = Options::default();
        let mut args = args.iter();
        while let Some(option) = args.next() {
            let mut value =
                || args.next().ok_or_else(|| Problem::Invalid(format!("{option} needs a value")));
            let scoring = &mut options.scoring;
            match option.as_str() {
                "-l" => scoring.language = Some(read(option, value()?, Language::parse)?),
                "-t" => scoring.task = Some(read(option, value()?, Task::parse)?),
                "-p" => scoring.parameters = Some(read(option, value()?, numbers)?),
                "-m" => scoring.modules = Some(read(option, value()?, modules)?),
                "-w" => scoring.weights = Some(read(option, value()?, numbers)?),
                "-r" => options.references = Some(read(option, value()?, whole)?),
                "-x" => scoring.beam = Some(read(option, value()?, whole)?),
                "-s" => options.function_words = Some(value()?.clone()),
                "-d" => options.synonyms = Some(value()?.clone()),
                "-a" => options.paraphrases = Some(value()?.clone()),
                "-f" => options.prefix = Some(value()?.clone()),
                "-new" => {
                    options.new_language = Some(value()?.clone());
                    scoring.new_language = true;
                }
                "-q" => options.quiet = true,
                "-ch" => scoring.characters = true,
                "-norm" => scoring.norm = true,
                "-lower" => scoring.lower = true,
                "-noPunct" => scoring.no_punctuation = true,
                "-sgml" => options.sgml = true,
                "-stdio" | "-mira" => options.stdio = true,
                "-vOut" => options.verbose = true,
                "-ssOut" => options.statistics = true,
                "-writeAlignments" => options.alignments = true,
                _ => return Err(Problem::Unknown(option.clone())),
            }
        }
        Ok(options)
    }

    /// The mode: stdio takes precedence over SGML.
    pub fn format(&self) -> Format {
        match self {
            Options { stdio: true, .. } => Format::Stdio,
            Options { sgml: true, .. } => Format::Sgml,
            _ => Format::Plain,
        }
    }

    /// The prefix of output files.
    pub fn prefix(&self) -> &str {
        self.prefix.as_deref().unwrap_or("meteor")
    }
}

/// Reads a value; the error says what was expected.
pub fn read<T>(option: &str, value: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T, Problem> {
    let expected = match option {
        "-l" => "a language (en, de, german, …)",
        "-t" => "a task (rank adq hter util li tune universal)",
        "-m" => "modules (exact stem synonym paraphrase)",
        "-p" | "-w" | "-i" | "-f" | "-e" => "numbers separated by spaces",
        _ => "a whole number",
    };
    parse(value)
        .ok_or_else(|| Problem::Invalid(format!("{option} takes {expected}, got '{value}'")))
}

/// Numbers separated by spaces.
pub fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split_ascii_whitespace().map(|number| number.parse().ok()).collect()
}

/// Module names separated by spaces.
pub fn modules(text: &str) -> Option<Vec<Module>> {
    text.split_ascii_whitespace().map(Module::parse).collect()
}

/// A Java int.
pub fn whole(text: &str) -> Option<i32> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<Options, Problem> {
        Options::parse(&args.iter().map(|&arg| arg.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn the_last_of_repeated_options_counts() {
        let options = parse(&["-l", "en", "-l", "GERMAN", "-x", "3", "-m", "Exact stem"]).unwrap();
        assert_eq!(options.scoring.language, Some(Language::German));
        assert_eq!(options.scoring.beam, Some(3));
        assert_eq!(options.scoring.modules, Some(vec![Module::Exact, Module::Stem]));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(parse(&["-bogus"]).unwrap_err(), Problem::Unknown("-bogus".into()));
        let Problem::Invalid(message) = parse(&["-l", "qq"]).unwrap_err() else { panic!() };
        assert_eq!(message, "-l takes a language (en, de, german, …), got 'qq'");
        let Problem::Invalid(message) = parse(&["-x"]).unwrap_err() else { panic!() };
        assert_eq!(message, "-x needs a value");
    }
}
