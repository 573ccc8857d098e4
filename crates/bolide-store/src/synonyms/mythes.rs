//! MyThes, the thesauri of LibreOffice: the name of an encoding, then entries of a word with a number of meanings
//! and a line of synonyms for each of them.
//!
//! Remarks in brackets are removed: `heim (geh.)` is `heim`. Words that a remark calls something other than a
//! synonym, such as a generic term or an antonym, are left out.

use super::charset::Charset;
use super::{Format, Works, at_line, name_the_language};
use crate::lines::Lines;
use bolide::Language;
use std::io::BufRead;

/// Parts of the remarks that the dictionaries of Debian use for words that are no synonyms.
const NOT_SYNONYMS: [&str; 24] = [
    "generic term",
    "related term",
    "similar term",
    "antonym",
    "oberbegriff",
    "unterbegriff",
    "assoziation",
    "underbegreb",
    "overbegreb",
    "сходный термин",
    "связанный термин",
    "родовое понятие",
    "видовое понятие",
    "антоним",
    "pojęcie nadrzędne",
    "pojęcie podrzędne",
    "antonim",
    "nadpomenka",
    "podpomenka",
    "protipomenka",
    "névnap",
    "kategória",
    "kat.",
    "protiklad",
];

pub fn read(
    reader: &mut dyn BufRead,
    name: &str,
    language: Option<&'static Language>,
    works: &mut Works,
) -> Result<(), String> {
    let language = language.ok_or_else(name_the_language)?;
    let mut lines = Lines::new(reader);
    let mut bytes = Vec::new();
    let io = |e: std::io::Error| e.to_string();
    lines.next(&mut bytes).map_err(io)?;
    let charset = Charset::of(&bytes)?;
    works.describe((Format::MyThes, language), name.split('.').next().unwrap_or(name), "");
    let not_text = |at: usize| at_line(at, "it is not text in the encoding of line 1");
    while lines.next(&mut bytes).map_err(io)? {
        let entry = charset.decode(&bytes).ok_or_else(|| not_text(lines.at))?;
        if entry.trim().is_empty() {
            continue;
        }
        let split = entry.rsplit_once('|');
        let head = split.and_then(|(word, n)| Some((word, n.trim().parse::<usize>().ok()?)));
        let Some((head, n_meanings)) = head else {
            let problem = "expected a word and its number of meanings, as in 'house|2'";
            return Err(at_line(lines.at, problem));
        };
        for _ in 0..n_meanings {
            if !lines.next(&mut bytes).map_err(io)? {
                return Err(format!("it ends inside an entry, at line {}", lines.at - 1));
            }
            let meaning = charset.decode(&bytes).ok_or_else(|| not_text(lines.at))?;
            let mut set = vec![head.to_owned()];
            // The first field is the part of speech.
            set.extend(meaning.split('|').skip(1).filter_map(plain));
            works.add_set((Format::MyThes, language), set).map_err(|e| at_line(lines.at, e))?;
        }
    }
    Ok(())
}

/// A word without its remarks, if they do not deny that it is a synonym.
fn plain(term: &str) -> Option<String> {
    let mut word = String::new();
    let mut rest = term;
    while let Some((before, after)) = rest.split_once('(') {
        let (remark, after) = after.split_once(')').unwrap_or((after, ""));
        let remark = remark.to_lowercase();
        if NOT_SYNONYMS.iter().any(|other| remark.contains(other)) {
            return None;
        }
        word.push_str(before);
        rest = after;
    }
    word.push_str(rest);
    let word = word.trim();
    (!word.is_empty()).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_removed_and_other_relations_left_out() {
        for (term, word) in [
            ("Heim (geh.)", Some("Heim")),
            ("(sich) freuen (ugs., fig.)", Some("freuen")),
            ("city (generic term)", None),
            ("Tier (Oberbegriff)", None),
            ("(...)", None),
            ("offen (", Some("offen")),
            (" ", None),
        ] {
            assert_eq!(plain(term).as_deref(), word, "{term}");
        }
    }
}
