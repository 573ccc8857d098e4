//! German as of November 2009: without the later rule that shortens `-niss`.

use super::Word;

fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'ä' | 'ö' | 'ü')
}

/// Letters after which a final `s` is an ending; without `r` also those before `st`.
fn before_s(c: char) -> bool {
    matches!(c, 'b' | 'd' | 'f' | 'g' | 'h' | 'k' | 'l' | 'm' | 'n' | 'r' | 't')
}

/// Appends the stem.
pub(super) fn stem(word: &str, out: &mut String) {
    let mut word = Word::new(&word.replace('ß', "ss"));
    for at in 1..word.len().saturating_sub(1) {
        if is_vowel(word.letters[at - 1]) && is_vowel(word.letters[at + 1]) {
            // Between vowels, u and y are consonants; they are capitalised until the end.
            match word.letters[at] {
                'u' => word.letters[at] = 'U',
                'y' => word.letters[at] = 'Y',
                _ => {}
            }
        }
    }
    let (r1, r2) = regions(&word);
    inflections(&mut word, r1);
    comparisons(&mut word, r1);
    derivations(&mut word, r1, r2);
    for c in &mut word.letters {
        *c = match *c {
            'Y' => 'y',
            'U' | 'ü' => 'u',
            'ä' => 'a',
            'ö' => 'o',
            c => c,
        };
    }
    word.push_to(out);
}

fn regions(word: &Word) -> (usize, usize) {
    let none = (word.len(), word.len());
    if word.len() < 3 {
        return none;
    }
    let Some(r1) = word.region(0, is_vowel) else { return none };
    // The second search starts where the first ended, not at the floor of three.
    let r2 = word.region(r1, is_vowel);
    (r1.max(3), r2.unwrap_or(word.len()))
}

fn inflections(word: &mut Word, r1: usize) {
    let end = word.len();
    let Some(at) = word.longest(0, end, &["em", "ern", "er", "e", "en", "es", "s"]) else { return };
    if at < r1 {
        return;
    }
    let plain_s = word.letters[at] == 's';
    if !plain_s || word.before(at).is_some_and(before_s) {
        word.cut(at);
    }
}

fn comparisons(word: &mut Word, r1: usize) {
    let end = word.len();
    let Some(at) = word.longest(0, end, &["en", "er", "est", "st"]) else { return };
    if at < r1 {
        return;
    }
    let st = word.letters[at] == 's';
    // `st` must follow a valid letter and at least three more.
    if !st || (at >= 4 && word.before(at).is_some_and(|c| before_s(c) && c != 'r')) {
        word.cut(at);
    }
}

fn derivations(word: &mut Word, r1: usize, r2: usize) {
    let end = word.len();
    let endings = ["end", "ung", "ig", "ik", "isch", "lich", "heit", "keit"];
    let Some(at) = word.longest(0, end, &endings) else { return };
    if at < r2 {
        return;
    }
    let ending: String = word.letters[at..].iter().collect();
    match ending.as_str() {
        "end" | "ung" => {
            word.cut(at);
            if let Some(ig) = word.ending(r2, at, "ig")
                && word.before(ig) != Some('e')
            {
                word.cut(ig);
            }
        }
        "ig" | "ik" | "isch" => {
            if word.before(at) != Some('e') {
                word.cut(at);
            }
        }
        "lich" | "heit" => {
            word.cut(at);
            if let Some(er) = word.longest(r1, at, &["er", "en"]) {
                word.cut(er);
            }
        }
        _ => {
            word.cut(at);
            if let Some(inner) = word.longest(0, at, &["lich", "ig"])
                && inner >= r2
            {
                word.cut(inner);
            }
        }
    }
}
