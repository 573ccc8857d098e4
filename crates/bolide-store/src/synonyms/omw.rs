//! Open Multilingual Wordnet: lines of synset, type and word, separated by tabs.
//!
//! The first line is a comment with the name, language, address and licence of the work. Lines of other types than
//! `lemma` (definitions, examples, counts) are not read.

use super::{Format, Works, at_line, find_language, name_the_language};
use crate::lines::Lines;
use bolide::Language;
use std::io::BufRead;

pub fn read(
    reader: &mut dyn BufRead,
    mut language: Option<&'static Language>,
    works: &mut Works,
) -> Result<(), String> {
    let mut lines = Lines::new(reader);
    let mut bytes = Vec::new();
    while lines.next(&mut bytes).map_err(|e| e.to_string())? {
        let line = str::from_utf8(&bytes).map_err(|_| at_line(lines.at, "it is not UTF-8"))?;
        let line = line.trim_start_matches('\u{feff}');
        let fields: Vec<&str> = line.split('\t').collect();
        if let Some(comment) = line.strip_prefix('#') {
            if lines.at == 1 {
                let mut fields = comment.split('\t').map(str::trim);
                let mut field = || fields.next().unwrap_or_default();
                let (source, code, _, licence) = (field(), field(), field(), field());
                language = language.or_else(|| find_language(code));
                let language = language.ok_or_else(name_the_language)?;
                works.describe((Format::Omw, language), source, licence);
            }
            continue;
        }
        if line.is_empty() {
            continue;
        }
        let (&[synset, kind, word] | &[synset, kind, word, ..]) = fields.as_slice() else {
            let problem = "expected synset, type and word, separated by tabs";
            return Err(at_line(lines.at, problem));
        };
        if kind == "lemma" || kind.ends_with(":lemma") {
            let language = language.ok_or_else(name_the_language)?;
            works.add((Format::Omw, language), synset, word).map_err(|e| at_line(lines.at, e))?;
        }
    }
    Ok(())
}
