//! The key `synonyms` of `meteor:classic`: which imported table the synonym stage uses. `meteor:2026` finds its tables
//! here too.

use crate::error::{Error, ErrorKind, Result};
use crate::language::Language;
use crate::lexicon::Thesaurus;
use crate::lexicon::synonyms::{ORIGINS, SynonymTable};
use crate::resources::Resources;
use crate::signature::{Keys, invalid};

/// What the key says.
pub(super) enum Choice {
    /// Nothing: the synonyms of the engine, which only English has.
    Default,
    /// None at all.
    None,
    /// A table; whether the key asked for it, or it is installed and so the default.
    Table { table: SynonymTable, is_asked_for: bool },
}

/// Takes the key: `none`, an origin (`omw`), a table (`omw-ja`), or a table with its checksum as signatures have it.
///
/// Without the key, English has WordNet and any other language its installed table, if the key `match` leaves
/// the choice open or asks for synonyms.
pub(super) fn take(keys: &mut Keys, language: &Language, resources: &Resources) -> Result<Choice> {
    let has_stage = keys.given("match").is_none_or(|stages| stages.contains("synonym"));
    let words: Vec<&str> = ["none"].into_iter().chain(ORIGINS).collect();
    let table = |table, is_asked_for| Choice::Table { table, is_asked_for };
    match keys.take_word("synonyms", &words).as_deref() {
        None if language.synonyms.is_some() || !has_stage => Ok(Choice::Default),
        None => {
            let installed = resources.synonyms(language.code, None)?;
            Ok(installed.map_or(Choice::Default, |installed| table(installed, false)))
        }
        Some("none") => Ok(Choice::None),
        Some(wanted) => {
            let origin = wanted.split('-').next().unwrap_or_default();
            if !ORIGINS.contains(&origin) {
                let (metric, words) = (keys.name(), words.join(", "));
                let message = format!(
                    "{metric}: synonyms is one of {words} or the name of a table, got '{wanted}'"
                );
                return Err(invalid(message));
            }
            Ok(table(find(keys.name(), wanted, language, resources)?, true))
        }
    }
}

/// The installed table of a language that a key names by its origin, by origin and language, or with its checksum.
pub(crate) fn find(
    metric: &str,
    wanted: &str,
    language: &Language,
    resources: &Resources,
) -> Result<SynonymTable> {
    let origin = wanted.split('-').next().unwrap_or_default();
    let short = format!("{origin}-{}", language.code);
    let installed = match resources.synonyms(language.code, Some(origin))? {
        Some(found) if [origin, &short, &found.name()].contains(&wanted) => return Ok(found),
        Some(found) => format!("{} is", found.name()),
        None => format!("there is no table {short}"),
    };
    let message = format!(
        "{metric} needs the table of synonyms {wanted}, which is not installed ({installed}): \
         'bolide data import' compiles one from your own copy"
    );
    Err(Error::new(ErrorKind::Unavailable, message))
}

impl Choice {
    /// Whether the synonym stage has something to look words up in.
    pub fn has_synonyms(&self, language: &Language) -> bool {
        match self {
            Choice::Default => language.synonyms.is_some(),
            Choice::None => false,
            Choice::Table { .. } => true,
        }
    }

    /// The table for the stage, if the stage is on.
    pub fn used(self, metric: &str, has_stage: bool) -> Result<Option<Thesaurus>> {
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
