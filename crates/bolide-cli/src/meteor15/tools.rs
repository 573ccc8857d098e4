//! The jar's smaller tools: the stand-alone aligner, the stemmer and the tokenizer.

use super::lines::{self, Lines};
use super::options::{self, Options, Problem};
use super::{build, render};
use crate::error::{Result, anyhow, bail, remark};
use bolide::unstable::meteor15::{
    Buffers, Configuration, Language, Meteor15, Module, Normalizer, Preference, Scratch, WordLists,
};
use bolide::{Segment, Text};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

/// `Matcher <test> <reference> [options]`: aligns without scoring.
pub fn matcher(args: &[String]) -> Result<u8> {
    if args.len() < 2 {
        remark(
            "usage: bolide meteor15 Matcher <test> <reference> [-l lang] [-m modules] \
             [-t maxcov|maxacc] [-x beam] [-d dir] [-a file] [-stdio]",
        );
        return Ok(2);
    }
    let mut options = Options::default();
    options.scoring.modules = Some(Module::ALL.to_vec());
    let mut rest = args[2..].iter();
    while let Some(option) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| anyhow!("{option} needs a value"));
        match option.as_str() {
            "-l" => options.scoring.language = Some(read(option, value()?, Language::parse)?),
            "-m" => options.scoring.modules = Some(read(option, value()?, options::modules)?),
            "-x" => options.scoring.beam = Some(read(option, value()?, options::whole)?),
            "-t" => {
                let coverage = value()?.eq_ignore_ascii_case("maxcov");
                options.preference =
                    Some(if coverage { Preference::Coverage } else { Preference::Accuracy });
            }
            "-d" => options.synonyms = Some(value()?.clone()),
            "-a" => options.paraphrases = Some(value()?.clone()),
            "-stdio" => options.stdio = true,
            _ => bail!("Unknown option \"{option}\""),
        }
    }
    let metric = build(Configuration::resolve(&options.scoring), &options)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut scratch = Scratch::default();
    if options.stdio {
        let mut lines = Lines::new(BufReader::new(io::stdin().lock()));
        let mut line = String::new();
        while lines.next(&mut line)? {
            match line.split_once(" ||| ") {
                Some((test, reference)) => {
                    align(&metric, "Alignment", test, reference, &mut scratch, &mut out)?;
                }
                None => remark("Error: a line needs two sentences separated by \" ||| \""),
            }
            if !lines.has_more() {
                out.flush()?;
            }
        }
    } else {
        let tests = lines::read(Path::new(&args[0]))?;
        let references = lines::read(Path::new(&args[1]))?;
        for (at, test) in tests.iter().enumerate() {
            let Some(reference) = references.get(at) else {
                out.flush()?;
                remark("Error: files not of same length.");
                return Ok(1);
            };
            let title = format!("Alignment {}", at + 1);
            align(&metric, &title, test, reference, &mut scratch, &mut out)?;
        }
    }
    out.flush()?;
    Ok(0)
}

fn read<T>(option: &str, value: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T> {
    options::read(option, value, parse).map_err(|problem| match problem {
        Problem::Unknown(message) | Problem::Invalid(message) => anyhow!(message),
    })
}

fn align(
    metric: &Meteor15,
    title: &str,
    test: &str,
    reference: &str,
    scratch: &mut Scratch,
    out: &mut impl Write,
) -> Result<()> {
    let references = [Text::Raw(reference)];
    let alignment = metric.align(Segment::new(Text::Raw(test), &references)?, scratch);
    let mut text = format!("{title}\n");
    render::push_block(&alignment.hypothesis, &alignment.reference, &alignment.matches, &mut text);
    out.write_all(text.as_bytes())?;
    Ok(())
}

/// `Stemmer <language>`: stems the words of stdin.
pub fn stemmer(args: &[String]) -> Result<u8> {
    let [language] = args else {
        remark("usage: bolide meteor15 Stemmer <language>");
        return Ok(2);
    };
    let Some(language) = Language::parse(language) else {
        bail!("there is no language '{language}'");
    };
    let Some(stemmer) = language.stemmer() else {
        bail!("there is no stemmer for the language {}", language.name());
    };
    let mut stem = String::new();
    filter(|line, out| {
        let words = line.split([' ', '\t', '\n', '\r', '\x0C']).filter(|word| !word.is_empty());
        for (at, word) in words.enumerate() {
            if at > 0 {
                out.push(' ');
            }
            if word.bytes().all(|b| matches!(b, b'0'..=b'9' | b',' | b'.' | b'-')) {
                out.push_str(word);
            } else {
                stemmer.stem(word, &mut stem);
                out.push_str(&stem);
            }
        }
    })
}

/// `Normalizer <language> <keep punctuation>`: tokenises the lines of stdin.
pub fn normalizer(args: &[String]) -> Result<u8> {
    let [language, keep] = args else {
        remark("usage: bolide meteor15 Normalizer <language> true|false");
        return Ok(2);
    };
    let keep = keep.eq_ignore_ascii_case("true");
    let Some(language) = Language::parse(language) else {
        bail!("there is no language '{language}'");
    };
    let prefixes = WordLists::embedded().prefixes(language);
    let Some(normalizer) = Normalizer::new(language, prefixes, keep) else {
        bail!("there is no tokenizer for the language {}", language.name());
    };
    let mut buffers = Buffers::default();
    filter(|line, out| normalizer.normalize(line, &mut buffers, out))
}

/// Applies a function to each line of stdin and prints the result.
fn filter(mut change: impl FnMut(&str, &mut String)) -> Result<u8> {
    let mut lines = Lines::new(BufReader::with_capacity(1 << 16, io::stdin().lock()));
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut line, mut changed) = (String::new(), String::new());
    while lines.next(&mut line)? {
        changed.clear();
        change(&line, &mut changed);
        changed.push('\n');
        out.write_all(changed.as_bytes())?;
        if !lines.has_more() {
            out.flush()?;
        }
    }
    out.flush()?;
    Ok(0)
}
