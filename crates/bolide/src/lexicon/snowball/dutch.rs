//! Dutch: the crate's stemmer measures the first region in bytes, the published one in letters.
//!
//! The region begins after three letters at the earliest. So a letter of two bytes among the first two makes a difference,
//! unless the stemmer removes its accent. Here every letter has one byte while the crate's stemmer runs.

/// In the place of a letter that the stemmer does not know.
const OTHER: char = '\u{1}';

/// Replaces `out` by the stem. `published` appends that of the crate.
pub fn stem(word: &str, out: &mut String, published: impl Fn(&str, &mut String)) {
    if word.is_ascii() {
        return published(word, out);
    }
    let mut others = Vec::new();
    let mut letters: String =
        word.chars().map(|c| if is_known(c) { c } else { set_aside(c, &mut others) }).collect();
    // At the start `è` is any vowel, as long as it does not become one of a pair.
    let has_grave = letters.starts_with('è');
    if has_grave {
        let vowel =
            if letters.chars().nth(1).is_some_and(|c| "aáä".contains(c)) { "o" } else { "a" };
        letters.replace_range(..'è'.len_utf8(), vowel);
    }
    published(&letters, out);
    if has_grave {
        out.replace_range(..1, "è");
    }
    if !others.is_empty() {
        let mut others = others.into_iter();
        *out =
            out.chars().map(|c| if c == OTHER { others.next().unwrap_or(c) } else { c }).collect();
    }
}

fn is_known(c: char) -> bool {
    c.is_ascii() && c != OTHER || "äëïöüáéíóúè".contains(c)
}

fn set_aside(c: char, others: &mut Vec<char>) -> char {
    others.push(c);
    OTHER
}
