//! The synonyms that bolide embeds, as bytes, each with its language and licence.
//!
//! This crate does not depend on bolide: it holds files that `cargo xtask synonyms` made from packages of npm, PyPI and
//! Debian, whose names and checksums are there. The engine reads them; a table has its own name and version.
#![forbid(unsafe_code)]

/// The synonyms of a language.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Table {
    /// The code of the language.
    pub language: &'static str,
    /// The packed table, which `bolide::unstable::lexicon::synonyms::unpack` reads.
    pub bytes: &'static [u8],
    /// The licence, which must accompany every copy.
    pub licence: &'static str,
}

/// The codes of the languages that have a table. A program that names only this list does not contain the tables.
pub const LANGUAGES: [&str; 4] = ["ja", "sk", "sv", "th"];

/// All tables, by the code of their language.
pub static TABLES: [Table; LANGUAGES.len()] = [
    Table {
        language: "ja",
        bytes: include_bytes!("../data/ja.dat"),
        licence: include_str!("../data/LICENSE-ja"),
    },
    Table {
        language: "sk",
        bytes: include_bytes!("../data/sk.dat"),
        licence: include_str!("../data/LICENSE-sk"),
    },
    Table {
        language: "sv",
        bytes: include_bytes!("../data/sv.dat"),
        licence: include_str!("../data/LICENSE-sv"),
    },
    Table {
        language: "th",
        bytes: include_bytes!("../data/th.dat"),
        licence: include_str!("../data/LICENSE-th"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_on_the_list() {
        assert_eq!(TABLES.map(|table| table.language), LANGUAGES);
    }
}
