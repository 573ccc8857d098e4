//! Plain text: one segment on each line.

use super::lines;
use super::options::Options;
use super::render;
use crate::error::{Context as _, Result, bail};
use bolide::meteor15::java::{double, push_double};
use bolide::meteor15::{Meteor15, Scratch, Totals};
use bolide::{Metric, Segment, Text};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Scores two files. Gives the exit code.
pub fn run(
    metric: &Meteor15,
    options: &Options,
    test: &Path,
    reference: &Path,
    out: &mut impl Write,
) -> Result<u8> {
    let hypotheses = lines::read(test)?;
    let references = lines::read(reference)?;
    let per_segment = usize::try_from(options.references.unwrap_or(1)).unwrap_or(0);
    // Below one the jar takes one reference for each segment and does not count them.
    let check = per_segment > 0;
    let per_segment = per_segment.max(1);
    if check && references.len().div_ceil(per_segment) != hypotheses.len() {
        eprintln!("Error: test and reference not same length");
        return Ok(0);
    }
    if hypotheses.is_empty() {
        if options.statistics {
            return Ok(0);
        }
        bail!("{}: there are no segments to score", test.display());
    }
    let mut alignments = match options.alignments {
        false => None,
        true => {
            let path = format!("{}-align.out", options.prefix());
            let file = File::create(&path).with_context(|| path.clone())?;
            Some(BufWriter::new(file))
        }
    };
    let mut scratch = Scratch::default();
    let mut total = Totals::default();
    let mut text = String::new();
    let mut segment_references: Vec<Text<'_>> = Vec::with_capacity(per_segment);
    for (at, hypothesis) in hypotheses.iter().enumerate() {
        let Some(lines) = references.get(at * per_segment..(at + 1) * per_segment) else {
            bail!(
                "{}: segment {} has no complete set of {per_segment} references",
                reference.display(),
                at + 1
            );
        };
        segment_references.clear();
        segment_references.extend(lines.iter().map(|line| Text::Raw(line)));
        let segment = Segment::new(Text::Raw(hypothesis), &segment_references)?;
        text.clear();
        let totals = match &mut alignments {
            None => metric.segment(segment, &mut scratch).segment_totals(),
            Some(file) => {
                let alignment = metric.align(segment, &mut scratch);
                let totals = alignment.stats.segment_totals();
                let score = metric.score(&totals);
                render::push_alignment(&(at + 1).to_string(), &alignment, &score, &mut text);
                file.write_all(text.as_bytes())?;
                totals
            }
        };
        warn(&mut scratch);
        total.add(&totals);
        text.clear();
        if options.statistics {
            totals.push_line(&mut text);
            text.push('\n');
            out.write_all(text.as_bytes())?;
            continue;
        }
        let score = metric.score(&totals);
        if options.quiet && !options.verbose {
            eprintln!("{}", double(score.score));
            continue;
        }
        text.push_str("Segment ");
        text.push_str(&(at + 1).to_string());
        text.push_str(" score:\t");
        if options.verbose {
            render::push_verbose(&score, &mut text);
        } else {
            push_double(score.score, &mut text);
        }
        text.push('\n');
        out.write_all(text.as_bytes())?;
    }
    if let Some(mut file) = alignments {
        file.flush()?;
    }
    if options.statistics {
        return Ok(0);
    }
    let score = metric.score(&total);
    if options.quiet {
        writeln!(out, "{}", double(score.score))?;
    } else {
        let title = "\nSystem level statistics:\n";
        let report = render::report(title, &total, &score, metric.configuration());
        out.write_all(report.as_bytes())?;
    }
    Ok(0)
}

/// Prints the warnings of beams that keep nothing.
pub fn warn(scratch: &mut Scratch) {
    for _ in 0..Meteor15::take_warnings(scratch) {
        let _ = writeln!(
            io::stderr(),
            "Warning: unexpected conditions - skipping matches until possible to continue"
        );
    }
}
