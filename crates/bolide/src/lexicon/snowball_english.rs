//! The Snowball English stemmer ("Porter2") as NLTK implements it.
//!
//! NLTK's is an older Porter2 that keeps the regions R1 and R2 as separate strings and edits them together
//! with the word. They can diverge from the word, which changes a few stems (`ionization`, `poetizer`), so
//! this module also keeps strings instead of positions. For NLTK's default stemmer see
//! [`porter`](super::porter).

/// Replaces `out` by the stem of the lower-cased `word`: NLTK's `SnowballStemmer("english").stem`.
///
/// ```
/// let mut out = String::new();
/// bolide::unstable::lexicon::snowball_english::stem("generously", &mut out);
/// assert_eq!(out, "generous");
/// ```
pub fn stem(word: &str, out: &mut String) {
    let word = word.to_lowercase();
    out.clear();
    if word.chars().nth(2).is_none() {
        out.push_str(&word);
    } else if let Some(stem) = exception(&word) {
        out.push_str(stem);
    } else {
        let mut regions = Regions::new(&word);
        regions.possessive();
        regions.plural();
        regions.past();
        regions.final_y();
        regions.long_suffix();
        regions.middle_suffix();
        regions.short_suffix();
        regions.final_e_or_l();
        out.extend(regions.word.chars().map(|c| if c == 'Y' { 'y' } else { c }));
    }
}

/// Whole words with an irregular stem.
fn exception(word: &str) -> Option<&'static str> {
    Some(match word {
        "skis" => "ski",
        "skies" | "sky" => "sky",
        "dying" => "die",
        "lying" => "lie",
        "tying" => "tie",
        "idly" => "idl",
        "gently" => "gentl",
        "ugly" => "ugli",
        "early" => "earli",
        "only" => "onli",
        "singly" => "singl",
        "news" => "news",
        "howe" => "howe",
        "atlas" => "atlas",
        "cosmos" => "cosmos",
        "bias" => "bias",
        "andes" => "andes",
        "inning" | "innings" => "inning",
        "outing" | "outings" => "outing",
        "canning" | "cannings" => "canning",
        "herring" | "herrings" => "herring",
        "earring" | "earrings" => "earring",
        "proceed" | "proceeds" | "proceeded" | "proceeding" => "proceed",
        "exceed" | "exceeds" | "exceeded" | "exceeding" => "exceed",
        "succeed" | "succeeds" | "succeeded" | "succeeding" => "succeed",
        _ => return None,
    })
}

fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}

/// Letters after which a final `e` does not mark a long vowel.
fn is_w_x_y(c: char) -> bool {
    matches!(c, 'w' | 'x' | 'Y')
}

/// The character `n` from the end; the last one is number 1.
fn from_end(text: &str, n: usize) -> Option<char> {
    text.chars().nth_back(n - 1)
}

/// The part after the first non-vowel that directly follows a vowel.
fn region(text: &str) -> &str {
    let mut after_vowel = false;
    for (at, c) in text.char_indices() {
        if after_vowel && !is_vowel(c) {
            return &text[at + c.len_utf8()..];
        }
        after_vowel = is_vowel(c);
    }
    ""
}

/// Removes the last `n` characters; a shorter string becomes empty.
fn cut(text: &mut String, n: usize) {
    for _ in 0..n {
        text.pop();
    }
}

/// The first suffix of a list that a word has.
fn first_suffix(word: &str, suffixes: &[&'static str]) -> Option<&'static str> {
    suffixes.iter().copied().find(|suffix| word.ends_with(suffix))
}

/// The word with its two regions.
struct Regions {
    word: String,
    r1: String,
    r2: String,
}

impl Regions {
    fn new(word: &str) -> Self {
        let mut marked = String::with_capacity(word.len());
        let word = word.replace(['\u{2019}', '\u{2018}', '\u{201b}'], "'");
        // A `y` that starts the word or follows a vowel is a consonant and is temporarily written `Y`.
        let mut after_vowel = true;
        for c in word.strip_prefix('\'').unwrap_or(&word).chars() {
            let c = if c == 'y' && after_vowel { 'Y' } else { c };
            after_vowel = is_vowel(c);
            marked.push(c);
        }
        let r1 = match fixed_prefix(&marked) {
            Some(n) => &marked[n..],
            None => region(&marked),
        };
        let r1 = r1.to_owned();
        let r2 = region(&r1).to_owned();
        Regions { word: marked, r1, r2 }
    }

    fn cut(&mut self, n: usize) {
        cut(&mut self.word, n);
        cut(&mut self.r1, n);
        cut(&mut self.r2, n);
    }

    /// Replaces an ASCII suffix of the word, and as many characters of the regions. A region that is too
    /// short becomes empty; R2 becomes `short_r2`.
    fn replace_or(&mut self, suffix: &str, with: &str, short_r2: &str) {
        let n = suffix.len();
        cut(&mut self.word, n);
        self.word.push_str(with);
        for (region, otherwise) in [(&mut self.r1, ""), (&mut self.r2, short_r2)] {
            if region.chars().count() >= n {
                cut(region, n);
                region.push_str(with);
            } else {
                region.clear();
                region.push_str(otherwise);
            }
        }
    }

    fn replace(&mut self, suffix: &str, with: &str) {
        self.replace_or(suffix, with, "");
    }

    /// Replaces the last letter, also in the regions that have one.
    fn replace_last(&mut self, with: char) {
        for text in [&mut self.word, &mut self.r1, &mut self.r2] {
            if text.pop().is_some() {
                text.push(with);
            }
        }
    }

    fn possessive(&mut self) {
        if let Some(suffix) = first_suffix(&self.word, &["'s'", "'s", "'"]) {
            self.cut(suffix.len());
        }
    }

    fn plural(&mut self) {
        match first_suffix(&self.word, &["sses", "ied", "ies", "us", "ss", "s"]) {
            Some("sses") => self.cut(2),
            Some("ied" | "ies") => {
                let n_before = self.word.chars().count() - 3;
                self.cut(if n_before > 1 { 2 } else { 1 });
            }
            // The letter before the `s` does not count: `gas` and `this` keep it, `gaps` loses it.
            Some("s") if self.word.chars().rev().skip(2).any(is_vowel) => self.cut(1),
            _ => {}
        }
    }

    fn past(&mut self) {
        let suffixes = ["eedly", "ingly", "edly", "eed", "ing", "ed"];
        let Some(suffix) = first_suffix(&self.word, &suffixes) else { return };
        if suffix.starts_with("eed") {
            if self.r1.ends_with(suffix) {
                self.replace(suffix, "ee");
            }
            return;
        }
        if !self.word[..self.word.len() - suffix.len()].contains(is_vowel) {
            return;
        }
        self.cut(suffix.len());
        if first_suffix(&self.word, &["at", "bl", "iz"]).is_some() {
            self.word.push('e');
            self.r1.push('e');
            if self.word.chars().count() > 5 || self.r1.chars().count() >= 3 {
                self.r2.push('e');
            }
        } else if self.ends_in_double() {
            self.cut(1);
        } else if self.r1.is_empty() && self.ends_in_short_syllable() {
            self.word.push('e');
            if !self.r2.is_empty() {
                self.r2.push('e');
            }
        }
    }

    fn ends_in_double(&self) -> bool {
        let doubles = ["bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"];
        first_suffix(&self.word, &doubles).is_some()
    }

    fn ends_in_short_syllable(&self) -> bool {
        let mut back = self.word.chars().rev();
        match (back.next(), back.next(), back.next()) {
            (Some(last), Some(middle), Some(before)) => {
                !is_vowel(last) && !is_w_x_y(last) && is_vowel(middle) && !is_vowel(before)
            }
            (Some(last), Some(first), None) => !is_vowel(last) && is_vowel(first),
            _ => false,
        }
    }

    fn final_y(&mut self) {
        let mut back = self.word.chars().rev();
        if let (Some('y' | 'Y'), Some(before), Some(_)) = (back.next(), back.next(), back.next())
            && !is_vowel(before)
        {
            self.replace_last('i');
        }
    }

    fn long_suffix(&mut self) {
        let suffixes = [
            "ization", "ational", "fulness", "ousness", "iveness", "tional", "biliti", "lessli",
            "entli", "ation", "alism", "aliti", "ousli", "iviti", "fulli", "enci", "anci", "abli",
            "izer", "ator", "alli", "bli", "ogi", "li",
        ];
        let Some(suffix) = first_suffix(&self.word, &suffixes) else { return };
        if !self.r1.ends_with(suffix) {
            return;
        }
        match suffix {
            "tional" | "lessli" | "entli" | "fulli" => self.cut(2),
            "fulness" => self.cut(4),
            "enci" | "anci" | "abli" => self.replace_last('e'),
            "ization" | "izer" => self.replace(suffix, "ize"),
            "ational" | "ation" | "ator" => self.replace_or(suffix, "ate", "e"),
            "iveness" | "iviti" => self.replace_or(suffix, "ive", "e"),
            "ousness" | "ousli" => self.replace(suffix, "ous"),
            "biliti" | "bli" => self.replace(suffix, "ble"),
            "alism" | "aliti" | "alli" => self.replace(suffix, "al"),
            "ogi" if from_end(&self.word, 4) == Some('l') => self.cut(1),
            "li" => {
                let before = from_end(&self.word, 3);
                if before.is_some_and(|c| "cdeghkmnrt".contains(c)) {
                    self.cut(2);
                }
            }
            _ => {}
        }
    }

    fn middle_suffix(&mut self) {
        let suffixes =
            ["ational", "tional", "alize", "icate", "iciti", "ative", "ical", "ness", "ful"];
        let Some(suffix) = first_suffix(&self.word, &suffixes) else { return };
        if !self.r1.ends_with(suffix) {
            return;
        }
        match suffix {
            "ational" => self.replace(suffix, "ate"),
            "tional" => self.cut(2),
            "alize" => self.cut(3),
            "icate" | "iciti" | "ical" => self.replace(suffix, "ic"),
            "ative" if !self.r2.ends_with(suffix) => {}
            _ => self.cut(suffix.len()),
        }
    }

    fn short_suffix(&mut self) {
        let suffixes = [
            "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti",
            "ous", "ive", "ize", "ion", "al", "er", "ic",
        ];
        let Some(suffix) = first_suffix(&self.word, &suffixes) else { return };
        let fits = suffix != "ion" || matches!(from_end(&self.word, 4), Some('s' | 't'));
        if fits && self.r2.ends_with(suffix) {
            self.cut(suffix.len());
        }
    }

    fn final_e_or_l(&mut self) {
        let mut back = self.word.chars().rev().skip(1);
        let (second, third, fourth) = (back.next(), back.next(), back.next());
        let drop = if self.r2.ends_with('l') && second == Some('l') || self.r2.ends_with('e') {
            true
        } else if let (true, Some(second), Some(third), Some(fourth)) =
            (self.r1.ends_with('e'), second, third, fourth)
        {
            is_vowel(second) || is_w_x_y(second) || !is_vowel(third) || is_vowel(fourth)
        } else {
            false
        };
        if drop {
            self.word.pop();
        }
    }
}

/// The length of a prefix after which R1 starts, whatever the vowels.
fn fixed_prefix(word: &str) -> Option<usize> {
    let prefix = ["gener", "arsen", "commun"].iter().find(|prefix| word.starts_with(*prefix))?;
    Some(prefix.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, expected: &str) {
        let mut out = String::from("left over");
        stem(word, &mut out);
        assert_eq!(out, expected, "stem of {word:?}");
    }

    #[test]
    fn ordinary_words() {
        check("Running", "run");
        check("hoping", "hope");
        check("hopping", "hop");
        check("luxuriated", "luxuri");
        check("agreed", "agre");
        check("feed", "feed");
        check("ties", "tie");
        check("cries", "cri");
        check("gas", "gas");
        check("gaps", "gap");
        check("enjoy", "enjoy");
        check("cry", "cri");
        check("by", "by");
        check("say", "say");
        check("nationally", "nation");
        check("communication", "communic");
        check("generate", "generat");
        check("", "");
    }

    #[test]
    fn apostrophes_of_any_kind_go() {
        check("'tis's'", "tis");
        check("cat\u{2019}s", "cat");
        check("dogs'", "dog");
        check("'''", "'");
    }

    #[test]
    fn any_text_is_a_word() {
        check("ééed", "ééed");
        check("aééed", "aéé");
        check("中文字", "中文字");
        check("yyy", "yyy");
        check("...", "...");
    }
}
