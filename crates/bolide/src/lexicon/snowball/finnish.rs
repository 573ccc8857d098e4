//! Finnish as METEOR 1.5 stems it: the four case endings with a condition (`siin`, `seen`, `den`, `tten`)
//! never match, and the search falls back to `n`.

use super::Word;

fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'ä' | 'ö')
}

const LONG: &[&str] = &["aa", "ee", "ii", "oo", "uu", "ää", "öö"];

/// Appends the stem.
pub(super) fn stem(word: &str, out: &mut String) {
    let mut word = Word::new(word);
    let r1 = word.region(0, is_vowel);
    let r2 = r1.and_then(|r1| word.region(r1, is_vowel));
    let (r1, r2) = (r1.unwrap_or(word.len()), r2.unwrap_or(word.len()));
    particles(&mut word, r1, r2);
    possessives(&mut word, r1);
    let removed = cases(&mut word, r1);
    other_endings(
        &mut word,
        r2,
        &["mpi", "mpa", "mpä", "mmi", "mma", "mmä"],
        &["impi", "impa", "impä", "immi", "imma", "immä", "eja", "ejä"],
    );
    if removed {
        if let Some(at) = word.longest(r1, word.len(), &["i", "j"]) {
            word.cut(at);
        }
    } else {
        t_plural(&mut word, r1, r2);
    }
    tidy(&mut word, r1);
    word.push_to(out);
}

fn particles(word: &mut Word, r1: usize, r2: usize) {
    let endings = ["kin", "kaan", "kään", "ko", "kö", "han", "hän", "pa", "pä", "sti"];
    let Some(at) = word.longest(r1, word.len(), &endings) else { return };
    let adverb = word.letters[at] == 's';
    let particle_end = |c: char| is_vowel(c) || c == 'n' || c == 't';
    if if adverb { at >= r2 } else { word.before(at).is_some_and(particle_end) } {
        word.cut(at);
    }
}

fn possessives(word: &mut Word, r1: usize) {
    let endings = ["si", "ni", "nsa", "nsä", "mme", "nne", "an", "än", "en"];
    let Some(at) = word.longest(r1, word.len(), &endings) else { return };
    let ending: String = word.letters[at..].iter().collect();
    let after = |endings: &[&str]| word.longest(0, at, endings).is_some();
    let cut = match ending.as_str() {
        "si" => word.before(at) != Some('k'),
        "an" => after(&["ta", "ssa", "sta", "lla", "lta", "na"]),
        "än" => after(&["tä", "ssä", "stä", "llä", "ltä", "nä"]),
        "en" => after(&["lle", "ine"]),
        _ => true,
    };
    if cut {
        word.cut(at);
        if ending == "ni" && word.ends(at, "kse") {
            word.letters[at - 1] = 'i';
        }
    }
}

/// Whether a case ending was removed.
fn cases(word: &mut Word, r1: usize) -> bool {
    let endings = [
        "han", "hen", "hin", "hon", "hän", "hön", "n", "a", "ä", "tta", "ttä", "ta", "tä", "ssa",
        "ssä", "sta", "stä", "lla", "llä", "lta", "ltä", "lle", "na", "nä", "ksi", "ine",
    ];
    let Some(mut at) = word.longest(r1, word.len(), &endings) else { return false };
    let ending = &word.letters[at..];
    let fits = match *ending {
        ['h', vowel, 'n'] => word.before(at) == Some(vowel),
        ['n'] => {
            if word.longest(0, at, LONG).is_some() || word.ends(at, "ie") {
                at -= 1;
            }
            true
        }
        ['a' | 'ä'] => {
            word.before(at).is_some_and(is_vowel)
                && at >= 2
                && !word.before(at - 1).is_some_and(is_vowel)
        }
        ['t', 't', _] => word.before(at) == Some('e'),
        _ => true,
    };
    if fits {
        word.cut(at);
    }
    fits
}

/// Comparatives that do not follow `po`, and endings without a condition.
fn other_endings(word: &mut Word, r2: usize, comparatives: &[&str], others: &[&str]) {
    let comparative = word.longest(r2, word.len(), comparatives);
    let other = word.longest(r2, word.len(), others);
    let Some(at) = comparative.into_iter().chain(other).min() else { return };
    if other == Some(at) || !word.ends(at, "po") {
        word.cut(at);
    }
}

fn t_plural(word: &mut Word, r1: usize, r2: usize) {
    let Some(at) = word.ending(r1, word.len(), "t") else { return };
    if at <= r1 || !word.before(at).is_some_and(is_vowel) {
        return;
    }
    word.cut(at);
    other_endings(word, r2, &["mma"], &["imma"]);
}

fn tidy(word: &mut Word, r1: usize) {
    if word.len() < r1 {
        return;
    }
    if word.longest(r1, word.len(), LONG).is_some() {
        word.letters.pop();
    }
    // The letter before the removed one must also be in the region.
    let last_two = |word: &Word| match word.letters.get(r1..) {
        Some([.., before, last]) => Some((*before, *last)),
        _ => None,
    };
    if let Some((before, 'a' | 'ä' | 'e' | 'i')) = last_two(word)
        && !is_vowel(before)
    {
        word.letters.pop();
    }
    if let Some(('o' | 'u', 'j')) = last_two(word) {
        word.letters.pop();
    }
    if let Some(('j', 'o')) = last_two(word) {
        word.letters.pop();
    }
    // The last consonant, if doubled, is halved.
    if let Some(at) = word.letters.iter().rposition(|&c| !is_vowel(c))
        && at > 0
        && word.letters[at - 1] == word.letters[at]
    {
        word.letters.remove(at);
    }
}
