//! The key `synonyms` of `meteor:classic`, and `syn` of `meteor:2026` in another language than English: which table the
//! synonym stage uses.

use crate::error::{Error, ErrorKind, Result};
use crate::language::Language;
use crate::lexicon::Thesaurus;
use crate::lexicon::synonyms::{ORIGINS, SynonymTable};
use crate::resources::Resources;
use crate::signature::{Keys, invalid};

/// What the key says.
pub(crate) enum Choice {
    /// Nothing: the synonyms of the engine, which only English has.
    Default,
    /// None at all.
    None,
    /// A table; whether the key asked for it, or it is installed and so the default.
    Table { table: SynonymTable, is_asked_for: bool },
}

/// Takes the key: `none`, an origin (`omw`), a table (`omw-ja`), or a table with its checksum as signatures have it.
///
/// Without the key, English has WordNet. Any other language has its first table, if the key `match` asks for synonyms, or
/// leaves the choice open and a table is the default.
pub(crate) fn take(
    keys: &mut Keys,
    key: &'static str,
    language: &Language,
    (resources, is_default): (&Resources, bool),
) -> Result<Choice> {
    let stages = keys.given("match");
    let has_stage = stages.map_or(is_default, |stages| stages.contains("synonym"));
    let words: Vec<&str> = ["none"].into_iter().chain(ORIGINS).collect();
    let table = |table, is_asked_for| Choice::Table { table, is_asked_for };
    match keys.take_word(key, &words).as_deref() {
        None if language.synonyms.is_some() || !has_stage => Ok(Choice::Default),
        None => {
            let installed = resources.synonyms(language.code, None)?;
            Ok(installed.map_or(Choice::Default, |installed| table(installed, false)))
        }
        Some("none") => Ok(Choice::None),
        Some(wanted) => {
            let origin = wanted.split('-').next().unwrap_or_default();
            let metric = keys.name();
            if !ORIGINS.contains(&origin) {
                let words = words.join(", ");
                let message = format!(
                    "{metric}: {key} is one of {words} or the name of a table, got '{wanted}'"
                );
                return Err(invalid(message));
            }
            let found = resources.synonyms(language.code, Some(origin))?;
            let short = format!("{origin}-{}", language.code);
            let fits = |name: &str| [origin, &short, name].contains(&wanted);
            match found {
                Some(found) if fits(&found.name()) => Ok(table(found, true)),
                found => {
                    let installed = found.map_or_else(
                        || format!("there is no table {short}"),
                        |found| format!("{} is", found.name()),
                    );
                    let message = format!(
                        "{metric} needs the table of synonyms {wanted}, which is not installed \
                         ({installed}): 'bolide data import' compiles one from your own copy"
                    );
                    Err(Error::new(ErrorKind::Unavailable, message))
                }
            }
        }
    }
}

impl Choice {
    /// Whether the synonym stage has something to look words up in.
    pub(super) fn has_synonyms(&self, language: &Language) -> bool {
        match self {
            Choice::Default => language.synonyms.is_some(),
            Choice::None => false,
            Choice::Table { .. } => true,
        }
    }

    /// The table for the stage, if the stage is on.
    pub(super) fn used(self, metric: &str, has_stage: bool) -> Result<Option<Thesaurus>> {
        match self {
            Choice::Table { table, .. } if has_stage => Ok(Some(Thesaurus::Table(table))),
            Choice::Table { table, is_asked_for: true } => Err(invalid(format!(
                "{metric}: synonyms:{} is of no use without the stage: the key 'match' leaves it out",
                table.name()
            ))),
            _ => Ok(None),
        }
    }
}
