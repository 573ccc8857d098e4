//! The database of Python's package `wn`: lexicons, the forms of entries, and senses that join entries and
//! synsets.

use super::sqlite::{Database, Row};
use super::{Format, Wanted, Works, find_language};
use bolide::Language;
use std::collections::HashMap;

pub fn read(bytes: &[u8], wanted: Wanted, works: &mut Works) -> Result<(), String> {
    let database = Database::open(bytes)?;
    let missing = |name: &str| format!("it has no table '{name}': this is not a database of wn");

    let lexicons = database.table("lexicons").ok_or_else(|| missing("lexicons"))?;
    let mut languages: HashMap<i64, &'static Language> = HashMap::new();
    lexicons.rows(["language", "label", "version", "license"], |id, row: &Row<'_, 4>| {
        let language = find_language(row.text(0));
        let is_wanted = wanted.language.is_none() || wanted.language == language;
        if let Some(language) = language.filter(|_| is_wanted) {
            let source = format!("{} {}", row.text(1), row.text(2));
            works.describe((Format::Database, language), &source, row.text(3));
            languages.insert(id, language);
        }
        Ok(())
    })?;

    let forms = database.table("forms").ok_or_else(|| missing("forms"))?;
    let mut lemmas: HashMap<i64, String> = HashMap::new();
    forms.rows(["entry_rowid", "form", "rank"], |_, row: &Row<'_, 3>| {
        if row.number(2) == Some(0) {
            works.count(row.text(1).len())?;
            lemmas.insert(row.number(0).unwrap_or_default(), row.text(1).to_owned());
        }
        Ok(())
    })?;

    let senses = database.table("senses").ok_or_else(|| missing("senses"))?;
    let columns = ["entry_rowid", "synset_rowid", "lexicon_rowid"];
    senses.rows(columns, |_, row: &Row<'_, 3>| {
        let [entry, synset, lexicon] = [0, 1, 2].map(|at| row.number(at).unwrap_or_default());
        match (languages.get(&lexicon), lemmas.get(&entry)) {
            (Some(language), Some(lemma)) => {
                works.add((Format::Database, language), &synset.to_string(), lemma)
            }
            _ => Ok(()),
        }
    })
}
