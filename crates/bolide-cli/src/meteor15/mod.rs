//! `bolide meteor15`: the command line of `java -jar meteor-1.5.jar`, so that a script only needs to change
//! the command.
//!
//! Options, output formats and exit codes are the jar's. Where the jar crashes or loops, this prints one
//! line to stderr and exits with code 1; docs/meteor-1.5.md lists these cases. The jar's other tools
//! are called by their class names: `bolide meteor15 Matcher …`, `Stemmer`, `Normalizer`, `Trainer`.

pub mod fuzzing;
mod lines;
mod options;
mod order;
mod plain;
mod render;
mod sgml;
mod stdio;
mod tools;
mod trainer;

use crate::error::{Result, anyhow, remark};
use crate::output::sink::to_stdout;
use bolide::Resources;
use bolide::unstable::meteor15::paraphrase::Table;
use bolide::unstable::meteor15::{
    Configuration, FunctionWords, Language, Meteor15, Module, Preference, Resolution, Supplied,
    SynonymFiles,
};
use bolide_store::Store;
pub use options::USAGE;
use options::{Format, Options};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// Runs the command with the arguments that follow `meteor15`.
pub fn run(args: &[OsString]) -> ExitCode {
    let args: Vec<String> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let outcome = match args.first().map(String::as_str) {
        Some("Matcher") => tools::matcher(&args[1..]),
        Some("Stemmer") => tools::stemmer(&args[1..]),
        Some("Normalizer" | "edu.cmu.meteor.util.Normalizer") => tools::normalizer(&args[1..]),
        Some("Trainer") => trainer::run(&args[1..]),
        _ => scorer(&args),
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(problem) => crate::error::print(&problem),
    }
}

fn scorer(args: &[String]) -> Result<u8> {
    if args.first().is_some_and(|arg| arg == "--help" || arg == "-h") {
        to_stdout(USAGE.as_bytes())?;
        return Ok(0);
    }
    if args.len() < 2 {
        remark(USAGE.trim_end());
        return Ok(2);
    }
    let options = match Options::parse(&args[2..]) {
        Ok(options) => options,
        Err(options::Problem::Unknown(option)) => {
            remark(format_args!("Unknown option \"{option}\""));
            return Ok(1);
        }
        Err(options::Problem::Invalid(message)) => return Err(anyhow!(message)),
    };
    let configuration = Configuration::resolve(&options.scoring);
    if options.stdio && options.sgml {
        remark("Warning: Stdio incompatible with other modes - using Stdio only");
    }
    if configuration.weights.len() < configuration.modules.len() {
        remark(
            "Warning: More modules than weights specified - modules with no weights will not be \
             counted.",
        );
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    let format = options.format();
    if format != Format::Stdio && !options.quiet && !options.statistics {
        let sgml = format == Format::Sgml;
        out.write_all(render::header(&configuration, sgml).as_bytes())?;
        out.flush()?;
    }
    let metric = build(configuration, &options)?;
    let (test, reference) = (Path::new(&args[0]), Path::new(&args[1]));
    let code = match format {
        Format::Plain => plain::run(&metric, &options, test, reference, &mut out)?,
        Format::Sgml => sgml::run(&metric, &options, test, reference, &mut out)?,
        Format::Stdio => stdio::run(&metric, io::stdin().lock(), &mut out)?,
    };
    out.flush()?;
    Ok(code)
}

/// Builds the scorer with the files that the options name and the tables of the user's folder.
fn build(configuration: Configuration, options: &Options) -> Result<Meteor15> {
    let function_words = match (&options.new_language, &options.function_words) {
        (Some(folder), _) => Some(function_words(&Path::new(folder).join("function.words"))?),
        (None, Some(file)) => Some(function_words(Path::new(file))?),
        (None, None) => None,
    };
    let paraphrases = match (&options.new_language, &options.paraphrases) {
        _ if !configuration.uses(Module::Paraphrase) => None,
        (Some(folder), _) => Some(table(&Path::new(folder).join("paraphrase.gz"))?),
        (None, Some(file)) => Some(table(Path::new(file))?),
        (None, None) => None,
    };
    let synonyms = match &options.synonyms {
        Some(folder) if configuration.uses(Module::Synonym) => {
            Some(Arc::new(synonyms(Path::new(folder), configuration.language)?))
        }
        _ => None,
    };
    let supplied = Supplied { function_words, paraphrases, synonyms };
    let resources = tables(&configuration, &supplied)?;
    let resolution = Resolution::Beam(options.preference.unwrap_or(Preference::Coverage));
    Ok(Meteor15::new(configuration, resolution, supplied, &resources)?)
}

/// The embedded tables and, where the configuration needs them, those of the user's folder.
fn tables(configuration: &Configuration, supplied: &Supplied) -> Result<Resources> {
    let resources = Resources::embedded();
    let paraphrases = configuration.uses(Module::Paraphrase) && supplied.paraphrases.is_none();
    let stems = configuration.uses(Module::Stem) && configuration.language == Language::Arabic;
    if !paraphrases && !stems {
        return Ok(resources);
    }
    Ok(Store::of_user()?.load(resources))
}

fn function_words(path: &Path) -> Result<FunctionWords> {
    let lines = lines::read(path)?;
    Ok(FunctionWords::new(lines.iter().map(String::as_str)))
}

fn table(path: &Path) -> Result<Table> {
    Ok(bolide_store::read_table(path)?)
}

fn synonyms(folder: &Path, language: Language) -> Result<SynonymFiles> {
    let read = |kind: &str| -> Result<String> {
        Ok(lines::read(&folder.join(format!("{}.{kind}", language.name())))?.join("\n"))
    };
    SynonymFiles::parse(&read("synsets")?, &read("exceptions")?)
        .map_err(|problem| anyhow!("{}: {problem}", folder.display()))
}
