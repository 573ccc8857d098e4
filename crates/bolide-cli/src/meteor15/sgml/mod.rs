//! Scores SGML files: sets contain systems, systems contain documents, documents contain segments.

mod files;
mod parse;

use super::options::Options;
use super::order;
use super::plain::warn;
use super::render;
use crate::error::{Result, bail, remark};
use bolide::unstable::meteor15::java::push_double;
use bolide::unstable::meteor15::{Meteor15, Score, Scratch, Totals};
use bolide::{Segment, Text};
use files::{Files, Line};
use parse::{Document, System, parse};
use std::io::Write;
use std::path::Path;

/// Scores two SGML files: prints a summary of each system and writes the three score files.
pub fn run(
    metric: &Meteor15,
    options: &Options,
    test: &Path,
    reference: &Path,
    out: &mut impl Write,
) -> Result<u8> {
    let mut files = Files::default();
    score(metric, options, test, reference, &mut files, |set, system, total, score| {
        if !options.statistics {
            let title = format!("[{set}][{system}] ");
            let report = render::report(&title, total, score, metric.configuration());
            writeln!(out, "{report}")?;
        }
        Ok(())
    })?;
    files.sort();
    files.write(options)?;
    Ok(0)
}

/// The segments of two SGML files in the order of the segment file.
pub fn segments(
    metric: &Meteor15,
    options: &Options,
    test: &Path,
    reference: &Path,
) -> Result<Vec<Line>> {
    let mut files = Files::default();
    score(metric, options, test, reference, &mut files, |_, _, _, _| Ok(()))?;
    files.sort();
    Ok(files.segments)
}

fn score(
    metric: &Meteor15,
    options: &Options,
    test: &Path,
    reference: &Path,
    files: &mut Files,
    mut report: impl FnMut(&str, &str, &Totals, &Score) -> Result<()>,
) -> Result<()> {
    let test_data = parse(test)?;
    let reference_data = parse(reference)?;
    let mut ids: Vec<&str> = test_data.sets.iter().map(|(id, _)| id.as_str()).collect();
    for (id, _) in &reference_data.sets {
        if !ids.contains(&id.as_str()) {
            ids.push(id);
        }
    }
    let mut scratch = Scratch::default();
    for id in order::hash_set(&ids) {
        let (Some(systems), Some(references)) = (test_data.get(id), reference_data.get(id)) else {
            bail!("the set '{id}' is not in both {} and {}", test.display(), reference.display());
        };
        let references = references.in_order();
        for (system, documents) in systems.in_order() {
            let scorer = Scorer { metric, options, set: id, system, references: &references };
            let (total, score) = scorer.system(documents, files, &mut scratch)?;
            report(id, system, &total, &score)?;
        }
    }
    Ok(())
}

struct Scorer<'a> {
    metric: &'a Meteor15,
    options: &'a Options,
    set: &'a str,
    system: &'a str,
    references: &'a [(&'a str, &'a System)],
}

impl Scorer<'_> {
    /// The value of a line: statistics, all four numbers, or the score.
    fn value(&self, totals: &Totals, score: &Score) -> String {
        let mut value = String::new();
        if self.options.statistics {
            totals.push_line(&mut value);
        } else if self.options.verbose {
            render::push_verbose(score, &mut value);
        } else {
            push_double(score.score, &mut value);
        }
        value
    }

    fn system(
        &self,
        documents: &System,
        files: &mut Files,
        scratch: &mut Scratch,
    ) -> Result<(Totals, Score)> {
        let (set, system) = (self.set, self.system);
        let mut ids: Vec<&str> = documents.keys().map(String::as_str).collect();
        let of_references = self.references.iter().flat_map(|(_, system)| system.keys());
        ids.extend(of_references.map(String::as_str));
        ids.sort_unstable();
        ids.dedup();
        let mut total = Totals::default();
        for id in ids {
            let Some(segments) = documents.get(id) else {
                remark(format_args!(
                    "Warning: no data for system [{system}] on document [{set}][{id}] - skipping"
                ));
                continue;
            };
            let mut references = Vec::new();
            for (name, system) in self.references {
                match system.get(id) {
                    Some(document) => references.push((*name, document)),
                    None => remark(format_args!(
                        "Warning: no data for reference [{name}] on document [{set}][{id}]"
                    )),
                }
            }
            if references.is_empty() {
                remark(format_args!(
                    "Warning: no references for document [{set}][{id}] - skipping"
                ));
                continue;
            }
            let document = self.document(id, segments, &references, files, scratch)?;
            let score = self.metric.score(&document);
            files.documents.push(Line {
                place: format!("{set}\t{system}\t{id}"),
                value: self.value(&document, &score),
                alignment: String::new(),
                totals: document.clone(),
            });
            total.add(&document);
        }
        let score = self.metric.score(&total);
        files.systems.push(Line {
            place: format!("{set}\t{system}"),
            value: self.value(&total, &score),
            alignment: String::new(),
            totals: total.clone(),
        });
        Ok((total, score))
    }

    fn document(
        &self,
        document: &str,
        segments: &Document,
        references: &[(&str, &Document)],
        files: &mut Files,
        scratch: &mut Scratch,
    ) -> Result<Totals> {
        let (set, system) = (self.set, self.system);
        let mut ids: Vec<&str> = segments.keys().map(String::as_str).collect();
        ids.extend(references.iter().flat_map(|(_, segments)| segments.keys().map(String::as_str)));
        ids.sort_unstable();
        ids.dedup();
        let mut total = Totals::default();
        for id in ids {
            let hypothesis = match segments.get(id) {
                Some(text) => text.as_str(),
                None => {
                    remark(format_args!(
                        "Warning: no data for system [{system}] on segment [{set}][{document}][{id}] \
                         - scoring empty segment"
                    ));
                    ""
                }
            };
            let mut texts = Vec::new();
            for (name, segments) in references {
                match segments.get(id) {
                    Some(text) => texts.push(Text::Raw(text)),
                    None => remark(format_args!(
                        "Warning: no data for reference [{name}] on segment [{set}][{document}][{id}]"
                    )),
                }
            }
            if texts.is_empty() {
                remark(format_args!(
                    "Warning: no references for segment [{set}][{document}][{id}] - skipping"
                ));
                continue;
            }
            let segment = Segment::new(Text::Raw(hypothesis), &texts)?;
            let alignment = self.metric.align(segment, scratch);
            warn(scratch);
            let totals = alignment.stats.segment_totals();
            total.add(&totals);
            let score = self.metric.score(&totals);
            let place = format!("{set}\t{system}\t{document}\t{id}");
            let mut block = String::new();
            if self.options.alignments {
                render::push_alignment(&place, &alignment, &score, &mut block);
            }
            let value = self.value(&totals, &score);
            files.segments.push(Line { place, value, alignment: block, totals });
        }
        Ok(total)
    }
}
