//! WN-LMF, the exchange format of the Global WordNet Association: lexicons of entries, each with a lemma and
//! its senses, which name synsets.

use super::xml::{Tag, Tags};
use super::{Format, Wanted, Works, find_language};
use bolide::Language;
use std::io::BufRead;

pub fn read(reader: &mut dyn BufRead, wanted: Wanted, works: &mut Works) -> Result<(), String> {
    let mut tags = Tags::new(reader);
    let mut lexicon = Lexicon::default();
    let mut is_lmf = false;
    while let Some(tag) = tags.next()? {
        match tag.name.as_str() {
            "LexicalResource" => is_lmf = true,
            _ if !is_lmf => {
                let problem = format!("<{}> is no <LexicalResource>: this is not WN-LMF", tag.name);
                return Err(format!("line {}: {problem}", tags.line));
            }
            "Lexicon" | "LexiconExtension" if !tag.is_end => {
                lexicon = Lexicon::of(&tag, wanted);
                if let Some(language) = lexicon.language {
                    let source = format!("{} {}", tag.get("label"), tag.get("version"));
                    works.describe((Format::Lmf, language), &source, tag.get("license"));
                }
            }
            "Lemma" if !tag.is_end => lexicon.lemma = tag.get("writtenForm").to_owned(),
            "LexicalEntry" => lexicon.lemma.clear(),
            "Sense" if !tag.is_end && !lexicon.lemma.is_empty() => {
                if let Some(language) = lexicon.language {
                    let set = format!("{} {}", lexicon.id, tag.get("synset"));
                    works
                        .add((Format::Lmf, language), &set, &lexicon.lemma)
                        .map_err(|e| format!("line {}: {e}", tags.line))?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The lexicon that is being read.
#[derive(Default)]
struct Lexicon {
    id: String,
    /// Its language, if that is wanted and known.
    language: Option<&'static Language>,
    lemma: String,
}

impl Lexicon {
    fn of(tag: &Tag, wanted: Wanted) -> Lexicon {
        let id = format!("{}:{}", tag.get("id"), tag.get("version"));
        let language = find_language(tag.get("language"));
        let is_wanted = wanted.language.is_none() || wanted.language == language;
        Lexicon { id, language: language.filter(|_| is_wanted), lemma: String::new() }
    }
}
