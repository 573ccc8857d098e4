//! The Porter stemmer in the variant that NLTK uses by default.
//!
//! It is Porter's 1980 algorithm with Martin Porter's later corrections and NLTK's own additions: a table of
//! whole-word exceptions, a gentler treatment of short words in `-ies`, `-ied` and `-y`, a repeated step 2
//! for `-ally`, and a two-letter case of the consonant–vowel–consonant test. METEOR in NLTK, Hugging Face
//! `evaluate` and rouge-score all stem with it.
//!
//! The rules refer to characters, that is code points, but all vowels are ASCII and every other character
//! counts as a consonant. The vowel pattern of a word can therefore be read from its UTF-8 bytes; only the
//! three places that count or compare whole characters look at code points. [`stem`] expects lower case,
//! [`stem_any_case`] lower-cases.

/// Replaces `out` by the stem of `word`, taking the word's case as it is.
///
/// Words are expected in lower case, as METEOR and ROUGE hand them in. Capitals count as consonants,
/// which is what NLTK's `stem(word, to_lowercase=False)` does.
///
/// ```
/// let mut out = String::new();
/// bolide::unstable::lexicon::porter::stem("goods", &mut out);
/// assert_eq!(out, "good");
/// ```
pub fn stem(word: &str, out: &mut String) {
    out.clear();
    out.push_str(word);
    if !apply_exception(out) && !at_most_two(word) {
        apply_steps(out);
    }
}

/// Replaces `out` by the stem of the lower-cased `word`: NLTK's `stem(word)`.
///
/// The length below which a word is left alone is measured before lower-casing, and lower-casing can
/// add characters (`İ` becomes two), so this is not always [`stem`] of the lower-cased word.
///
/// ```
/// let mut out = String::new();
/// bolide::unstable::lexicon::porter::stem_any_case("Skies", &mut out);
/// assert_eq!(out, "sky");
/// ```
pub fn stem_any_case(word: &str, out: &mut String) {
    out.clear();
    if word.is_ascii() {
        out.push_str(word);
        out.make_ascii_lowercase();
    } else {
        // Lower-casing a whole string handles final sigma; lower-casing single characters does not.
        out.push_str(&word.to_lowercase());
    }
    if !apply_exception(out) && !at_most_two(word) {
        apply_steps(out);
    }
}

/// Handles the words that NLTK lists explicitly; returns whether `word` is one of them.
fn apply_exception(word: &mut String) -> bool {
    let stem = match word.as_str() {
        "sky" | "skies" => "sky",
        "dying" => "die",
        "lying" => "lie",
        "tying" => "tie",
        "news" => "news",
        "inning" | "innings" => "inning",
        "outing" | "outings" => "outing",
        "canning" | "cannings" => "canning",
        "howe" | "proceed" | "exceed" | "succeed" => return true,
        _ => return false,
    };
    word.clear();
    word.push_str(stem);
    true
}

fn apply_steps(word: &mut String) {
    step_1a(word);
    step_1b(word);
    step_1c(word);
    step_2(word);
    step_3(word);
    step_4(word);
    step_5(word);
}

/// Plurals.
fn step_1a(word: &mut String) {
    if !word.ends_with('s') {
        return;
    }
    if let Some(rest) = word.strip_suffix("ies") {
        let kept = rest.len() + if is_one_char(rest) { 2 } else { 1 };
        word.truncate(kept);
    } else if word.ends_with("sses") {
        cut(word, 2);
    } else if !word.ends_with("ss") {
        cut(word, 1);
    }
}

/// Past forms and `-ing`, and the repair that their removal may require.
fn step_1b(word: &mut String) {
    if !matches!(word.as_bytes().last(), Some(b'd' | b'g')) {
        return;
    }
    if let Some(rest) = word.strip_suffix("ied") {
        let kept = rest.len() + if is_one_char(rest) { 2 } else { 1 };
        word.truncate(kept);
        return;
    }
    if let Some(rest) = word.strip_suffix("eed") {
        if measure(rest.as_bytes()) > 0 {
            cut(word, 1);
        }
        return;
    }
    let Some(rest) = word.strip_suffix("ed").or_else(|| word.strip_suffix("ing")) else {
        return;
    };
    if !has_vowel(rest.as_bytes()) {
        return;
    }
    let kept = rest.len();
    word.truncate(kept);
    if word.ends_with("at") || word.ends_with("bl") || word.ends_with("iz") {
        word.push('e');
    } else if ends_double_consonant(word) {
        if !word.ends_with(['l', 's', 'z']) {
            word.pop();
        }
    } else if measure(word.as_bytes()) == 1 && ends_short_syllable(word) {
        word.push('e');
    }
}

/// A final `y` after a consonant becomes `i`, unless only one character precedes it.
fn step_1c(word: &mut String) {
    let Some(rest) = word.strip_suffix('y') else {
        return;
    };
    let bytes = rest.as_bytes();
    if !bytes.is_empty() && !is_one_char(rest) && !is_vowel(bytes, bytes.len() - 1) {
        word.pop();
        word.push('i');
    }
}

/// Double suffixes to single ones. The first suffix that fits decides, whether or not its condition holds.
/// Grouping by the last letter keeps that order, because only suffixes with the same tail compete.
fn step_2(word: &mut String) {
    if word.strip_suffix("alli").is_some_and(|rest| measure(rest.as_bytes()) > 0) {
        cut(word, 2);
    }
    let rules: &[(&str, &str)] = match word.as_bytes().last() {
        Some(b'i') => &[
            ("enci", "ence"),
            ("anci", "ance"),
            ("bli", "ble"),
            ("entli", "ent"),
            ("eli", "e"),
            ("ousli", "ous"),
            ("aliti", "al"),
            ("iviti", "ive"),
            ("biliti", "ble"),
            ("fulli", "ful"),
        ],
        Some(b'l') => &[("ational", "ate"), ("tional", "tion")],
        Some(b'n') => &[("ization", "ize"), ("ation", "ate")],
        Some(b'r') => &[("izer", "ize"), ("ator", "ate")],
        Some(b's') => &[("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous")],
        Some(b'm') => &[("alism", "al")],
        _ => return,
    };
    if apply_first(word, rules, 0) {
        return;
    }
    // Here the `l` counts as part of the stem.
    if word.ends_with("logi") && measure(&word.as_bytes()[..word.len() - 3]) > 0 {
        cut(word, 1);
    }
}

fn step_3(word: &mut String) {
    let rules: &[(&str, &str)] = match word.as_bytes().last() {
        Some(b'e') => &[("icate", "ic"), ("ative", ""), ("alize", "al")],
        Some(b'i') => &[("iciti", "ic")],
        Some(b'l') => &[("ical", "ic"), ("ful", "")],
        Some(b's') => &[("ness", "")],
        _ => return,
    };
    apply_first(word, rules, 0);
}

fn step_4(word: &mut String) {
    let rules: &[(&str, &str)] = match word.as_bytes().last() {
        Some(b'e') => &[
            ("ance", ""),
            ("ence", ""),
            ("able", ""),
            ("ible", ""),
            ("ate", ""),
            ("ive", ""),
            ("ize", ""),
        ],
        // The longer of these blocks the shorter one even if its own condition fails.
        Some(b't') => &[("ant", ""), ("ement", ""), ("ment", ""), ("ent", "")],
        Some(b'l') => &[("al", "")],
        Some(b'r') => &[("er", "")],
        Some(b'c') => &[("ic", "")],
        Some(b'u') => &[("ou", "")],
        Some(b'm') => &[("ism", "")],
        Some(b'i') => &[("iti", "")],
        Some(b's') => &[("ous", "")],
        Some(b'n') => {
            if word.strip_suffix("ion").is_some_and(|rest| rest.ends_with(['s', 't'])) {
                apply_first(word, &[("ion", "")], 1);
            }
            return;
        }
        _ => return,
    };
    apply_first(word, rules, 1);
}

/// A final `e` and a final double `l`.
fn step_5(word: &mut String) {
    if let Some(rest) = word.strip_suffix('e') {
        let measure = measure(rest.as_bytes());
        if measure > 1 || (measure == 1 && !ends_short_syllable(rest)) {
            word.pop();
        }
    }
    if word.ends_with("ll") && measure(&word.as_bytes()[..word.len() - 1]) > 1 {
        word.pop();
    }
}

/// Finds the first rule whose suffix ends the word and applies it if what precedes the suffix has a measure
/// above `bound`. Returns whether a suffix was found.
fn apply_first(word: &mut String, rules: &[(&str, &str)], bound: usize) -> bool {
    for (suffix, replacement) in rules {
        if let Some(rest) = word.strip_suffix(suffix) {
            if measure(rest.as_bytes()) > bound {
                let kept = rest.len();
                word.truncate(kept);
                word.push_str(replacement);
            }
            return true;
        }
    }
    false
}

/// Removes `n` final ASCII characters, which the caller has checked.
fn cut(word: &mut String, n: usize) {
    word.truncate(word.len().saturating_sub(n));
}

/// Porter's *m*: the number of vowels directly followed by a consonant.
fn measure(bytes: &[u8]) -> usize {
    let mut measure = 0;
    // Counting the start as a vowel makes an initial `y` a consonant, and must not count as a change.
    let mut after_vowel = true;
    let mut seen_vowel = false;
    for &byte in bytes {
        let vowel = match byte {
            b'a' | b'e' | b'i' | b'o' | b'u' => true,
            b'y' => !after_vowel,
            _ => false,
        };
        measure += usize::from(seen_vowel && after_vowel && !vowel);
        seen_vowel |= vowel;
        after_vowel = vowel;
    }
    measure
}

/// Whether any character is a vowel. A `y` is one unless it starts the word or follows a vowel.
fn has_vowel(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().any(|(i, &byte)| {
        matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u') || (byte == b'y' && i > 0)
    })
}

/// Whether the character ending at byte `i` is a vowel.
fn is_vowel(bytes: &[u8], i: usize) -> bool {
    match bytes[i] {
        b'a' | b'e' | b'i' | b'o' | b'u' => true,
        b'y' => {
            // In a run of `y`, consonants and vowels alternate; the character before the run decides the
            // first.
            let run = bytes[..=i].iter().rev().take_while(|&&byte| byte == b'y').count();
            let first_is_vowel = match bytes[..=i].len().checked_sub(run + 1) {
                None => false,
                Some(before) => !matches!(bytes[before], b'a' | b'e' | b'i' | b'o' | b'u'),
            };
            first_is_vowel == (run % 2 == 1)
        }
        _ => false,
    }
}

/// Whether the word ends in a double consonant.
fn ends_double_consonant(word: &str) -> bool {
    let mut chars = word.chars().rev();
    let (Some(last), Some(before)) = (chars.next(), chars.next()) else {
        return false;
    };
    last == before && !is_vowel(word.as_bytes(), word.len() - 1)
}

/// Porter's `*o`: the word ends consonant, vowel, consonant, and the last is not `w`, `x` or `y`; or, in
/// NLTK, the word is just a vowel and a consonant.
fn ends_short_syllable(word: &str) -> bool {
    let bytes = word.as_bytes();
    let Some(last) = word.chars().next_back() else {
        return false;
    };
    let n_before = bytes.len() - last.len_utf8();
    if n_before == 0 || is_vowel(bytes, bytes.len() - 1) || !is_vowel(bytes, n_before - 1) {
        return false;
    }
    // The vowel just found is ASCII, so it is one byte.
    n_before == 1 || (!is_vowel(bytes, n_before - 2) && !matches!(last, 'w' | 'x' | 'y'))
}

fn is_one_char(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some() && chars.next().is_none()
}

fn at_most_two(text: &str) -> bool {
    text.len() <= 2 || text.chars().nth(2).is_none()
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
    fn plurals_and_past_forms() {
        check("goods", "good");
        check("cats", "cat");
        check("running", "run");
        check("caresses", "caress");
        check("ponies", "poni");
        check("ties", "tie");
        check("died", "die");
        check("spied", "spi");
        check("agreed", "agre");
        check("feed", "feed");
        check("hopping", "hop");
        check("falling", "fall");
        check("filing", "file");
        check("conflated", "conflat");
        check("sing", "sing");
    }

    #[test]
    fn longer_suffixes() {
        check("relational", "relat");
        check("conditional", "condit");
        check("nationally", "nation");
        check("happiness", "happi");
        check("replacement", "replac");
        check("element", "element");
        check("adoption", "adopt");
        check("geology", "geolog");
        check("controlling", "control");
        check("electricity", "electr");
    }

    #[test]
    fn what_nltk_adds_to_porter() {
        check("skies", "sky");
        check("news", "news");
        check("howe", "howe");
        check("enjoy", "enjoy");
        check("spy", "spi");
        check("by", "by");
        check("ice", "ice");
        check("axe", "axe");
    }

    #[test]
    fn any_text_is_a_word() {
        check("", "");
        check("is", "is");
        check("it's", "it'");
        check("...", "...");
        check("1990s", "1990");
        check("ééed", "ééed");
        check("aééed", "aé");
        check("aéed", "aée");
        check("éies", "éie");
        check("été", "été");
        check("yyyed", "yy");
        check("Dying", "Dy");
    }

    #[test]
    fn lower_casing_comes_after_measuring() {
        let mut out = String::new();
        stem_any_case("RUNNING", &mut out);
        assert_eq!(out, "run");
        stem_any_case("İs", &mut out);
        assert_eq!(out, "i\u{307}s", "two characters as given, three in lower case");
        stem("i\u{307}s", &mut out);
        assert_eq!(out, "i\u{307}");
    }

    #[test]
    fn the_vowel_at_a_position_agrees_with_the_running_pattern() {
        for word in ["y", "yy", "yyy", "ayyy", "byyy", "syzygy", "toy", "éy", "aéyy", "yayby"] {
            let mut after_vowel = true;
            for (i, byte) in word.bytes().enumerate() {
                let vowel = match byte {
                    b'y' => !after_vowel,
                    _ => b"aeiou".contains(&byte),
                };
                assert_eq!(is_vowel(word.as_bytes(), i), vowel, "{word:?} at {i}");
                after_vowel = vowel;
            }
        }
    }
}
