//! Plain text: one segment on each line.

use super::lines;
use super::options::Options;
use super::render;
use crate::error::{Context as _, Result, bail, remark};
use bolide::unstable::Definition;
use bolide::unstable::meteor15::java::{double, push_double};
use bolide::unstable::meteor15::{Meteor15, Scratch, Totals};
use bolide::{Segment, Text};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Scores two files. Returns the exit code.
pub fn run(
    metric: &Meteor15,
    options: &Options,
    test: &Path,
    reference: &Path,
    out: &mut impl Write,
) -> Result<u8> {
    let Some(texts) = Texts::read(options, test, reference)? else {
        remark("Error: test and reference not same length");
        return Ok(0);
    };
    if texts.hypotheses.is_empty() {
        if options.statistics {
            return Ok(0);
        }
        bail!("{}: there are no segments to score", test.display());
    }
    let mut alignments = options.alignments.then(|| create_alignments(options)).transpose()?;
    let mut scratch = Scratch::default();
    let mut total = Totals::default();
    let mut references = Vec::with_capacity(texts.per_segment);
    let mut text = String::new();
    for at in 0..texts.hypotheses.len() {
        let hypothesis = Text::Raw(&texts.hypotheses[at]);
        texts
            .references_of(at, &mut references)
            .with_context(|| reference.display().to_string())?;
        let segment = Segment::new(hypothesis, &references)?;
        let totals = match &mut alignments {
            None => metric.segment(segment, &mut scratch).segment_totals(),
            Some(file) => {
                let alignment = metric.align(segment, &mut scratch);
                let totals = alignment.stats.segment_totals();
                let score = metric.score(&totals);
                text.clear();
                render::push_alignment(&(at + 1).to_string(), &alignment, &score, &mut text);
                file.write_all(text.as_bytes())?;
                totals
            }
        };
        warn(&mut scratch);
        total.add(&totals);
        text.clear();
        push_segment(metric, options, at + 1, &totals, &mut text);
        // The jar's `-q` only silences segments on stdout.
        let quiet = options.quiet && !options.verbose && !options.statistics;
        if quiet { remark(text.trim_end()) } else { out.write_all(text.as_bytes())? }
    }
    if let Some(mut file) = alignments {
        file.flush()?;
    }
    if !options.statistics {
        out.write_all(summary(metric, options, &total).as_bytes())?;
    }
    Ok(0)
}

/// The lines of both files.
struct Texts {
    hypotheses: Vec<String>,
    references: Vec<String>,
    /// How many references each segment has, on consecutive lines.
    per_segment: usize,
}

impl Texts {
    /// `None` if there are too few or too many references.
    fn read(options: &Options, test: &Path, reference: &Path) -> Result<Option<Self>> {
        let hypotheses = lines::read(test)?;
        let references = lines::read(reference)?;
        let per_segment = usize::try_from(options.references.unwrap_or(1)).unwrap_or(0);
        // For a number below one, the jar uses one reference for each segment and does not check their number.
        let check = per_segment > 0;
        let per_segment = per_segment.max(1);
        let fits = !check || references.len().div_ceil(per_segment) == hypotheses.len();
        Ok(fits.then_some(Texts { hypotheses, references, per_segment }))
    }

    fn references_of<'a>(&'a self, at: usize, into: &mut Vec<Text<'a>>) -> Result<()> {
        let n = self.per_segment;
        let Some(lines) = self.references.get(at * n..(at + 1) * n) else {
            bail!("segment {} does not have {n} references", at + 1);
        };
        into.clear();
        into.extend(lines.iter().map(|line| Text::Raw(line)));
        Ok(())
    }
}

fn create_alignments(options: &Options) -> Result<BufWriter<File>> {
    let path = format!("{}-align.out", options.prefix());
    let file = File::create(&path).with_context(|| path.clone())?;
    Ok(BufWriter::new(file))
}

/// The line of one segment, numbered from 1.
fn push_segment(
    metric: &Meteor15,
    options: &Options,
    number: usize,
    totals: &Totals,
    text: &mut String,
) {
    if options.statistics {
        totals.push_line(text);
        text.push('\n');
        return;
    }
    let score = metric.score(totals);
    if !options.quiet || options.verbose {
        text.push_str("Segment ");
        text.push_str(&number.to_string());
        text.push_str(" score:\t");
    }
    if options.verbose {
        render::push_verbose(&score, text);
    } else {
        push_double(score.score, text);
    }
    text.push('\n');
}

/// The text after the segments.
fn summary(metric: &Meteor15, options: &Options, total: &Totals) -> String {
    let score = metric.score(total);
    if options.quiet {
        return double(score.score) + "\n";
    }
    let title = "\nSystem level statistics:\n";
    render::report(title, total, &score, metric.configuration())
}

/// Prints a warning if a beam became empty.
pub fn warn(scratch: &mut Scratch) {
    for _ in 0..Meteor15::take_warnings(scratch) {
        let _ = writeln!(
            io::stderr(),
            "Warning: unexpected conditions - skipping matches until possible to continue"
        );
    }
}
