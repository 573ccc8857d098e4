//! Synonym files in the jar's own format, for users who bring their own (`-d`).
//!
//! Without such files the WordNet 3.0 table of [`crate::lexicon`] is used.

use rustc_hash::FxHashMap;

/// Words with their synset numbers, and inflected forms with their bases.
#[derive(Clone, Debug, Default)]
pub struct SynonymFiles {
    synsets: FxHashMap<String, Vec<u32>>,
    bases: FxHashMap<String, Vec<String>>,
}

/// Endings and their replacements, in the order in which they are tried.
const RULES: [(&str, &str); 20] = [
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("s", ""),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
    ("er", ""),
    ("est", ""),
    ("er", "e"),
    ("est", "e"),
];

impl SynonymFiles {
    /// Parses `LANGUAGE.synsets` (a word, then its numbers, on alternate lines) and `LANGUAGE.exceptions` (a
    /// base, then its forms). The error describes the offending line.
    pub fn parse(synsets: &str, exceptions: &str) -> Result<Self, String> {
        let mut files = SynonymFiles::default();
        let mut lines = synsets.lines();
        while let Some(word) = lines.next() {
            let numbers = lines.next().ok_or_else(|| format!("no synsets follow '{word}'"))?;
            let numbers: Result<Vec<u32>, _> =
                numbers.split_ascii_whitespace().map(str::parse).collect();
            let mut numbers =
                numbers.map_err(|_| format!("the synsets of '{word}' are not whole numbers"))?;
            numbers.sort_unstable();
            numbers.dedup();
            files.synsets.insert(word.to_owned(), numbers);
        }
        let mut lines = exceptions.lines();
        while let Some(base) = lines.next() {
            let forms = lines.next().ok_or_else(|| format!("no forms follow '{base}'"))?;
            for form in forms.split_ascii_whitespace() {
                files.bases.entry(form.to_owned()).or_default().push(base.to_owned());
            }
        }
        Ok(files)
    }

    /// Appends the synsets of a word and of its bases to an empty list, sorted, without repeats.
    pub fn synsets(&self, word: &str, out: &mut Vec<u32>) {
        let direct = |word: &str| self.synsets.get(word).map_or(&[][..], Vec::as_slice);
        out.extend_from_slice(direct(word));
        match self.bases.get(word) {
            Some(bases) => bases.iter().for_each(|base| out.extend_from_slice(direct(base))),
            None => {
                if let Some(base) = self.base(word) {
                    out.extend_from_slice(direct(&base));
                }
            }
        }
        out.sort_unstable();
        out.dedup();
    }

    fn base(&self, word: &str) -> Option<String> {
        if word.ends_with("ss") || word.encode_utf16().count() <= 2 {
            return None;
        }
        RULES.into_iter().find_map(|(ending, replacement)| {
            let base = format!("{}{replacement}", word.strip_suffix(ending)?);
            self.synsets.contains_key(&base).then_some(base)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_lead_to_bases() {
        let files = SynonymFiles::parse("go\n5 3\nwent\n9\nbox\n7\n", "go\nwent gone\n").unwrap();
        let check = |word: &str, expected: &[u32]| {
            let mut out = Vec::new();
            files.synsets(word, &mut out);
            assert_eq!(out, expected, "{word}");
        };
        check("went", &[3, 5, 9]);
        check("gone", &[3, 5]);
        check("boxes", &[7]);
        check("boxing", &[7]);
        check("ss", &[]);
        assert!(SynonymFiles::parse("go\n", "").is_err());
        assert!(SynonymFiles::parse("go\nx\n", "").is_err());
    }
}
