//! Portuguese as of November 2009: `-logía` and `-ución`, spelt as in Spanish, where later revisions
//! have the Portuguese endings.

use super::Word;

fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'á' | 'é' | 'í' | 'ó' | 'ú' | 'â' | 'ê' | 'ô')
}

/// The starts of the regions RV, R1 and R2.
struct Regions {
    rv: usize,
    r1: usize,
    r2: usize,
}

const NOUN_ENDINGS: &[&str] = &[
    "eza", "ezas", "ico", "ica", "icos", "icas", "ismo", "ismos", "ável", "ível", "ista", "istas",
    "oso", "osa", "osos", "osas", "amento", "amentos", "imento", "imentos", "adora", "ador",
    "aça~o", "adoras", "adores", "aço~es", "ante", "antes", "ância",
];

const OTHER_ENDINGS: &[&str] = &[
    "logía", "logías", "ución", "uciones", "ência", "ências", "amente", "mente", "idade", "idades",
    "iva", "ivo", "ivas", "ivos", "ira", "iras",
];

const VERB_ENDINGS: &[&str] = &[
    "ada", "ida", "ia", "aria", "eria", "iria", "ará", "ara", "erá", "era", "irá", "ava", "asse",
    "esse", "isse", "aste", "este", "iste", "ei", "arei", "erei", "irei", "am", "iam", "ariam",
    "eriam", "iriam", "aram", "eram", "iram", "avam", "em", "arem", "erem", "irem", "assem",
    "essem", "issem", "ado", "ido", "ando", "endo", "indo", "ara~o", "era~o", "ira~o", "ar", "er",
    "ir", "as", "adas", "idas", "ias", "arias", "erias", "irias", "arás", "aras", "erás", "eras",
    "irás", "avas", "es", "ardes", "erdes", "irdes", "ares", "eres", "ires", "asses", "esses",
    "isses", "astes", "estes", "istes", "is", "ais", "eis", "íeis", "aríeis", "eríeis", "iríeis",
    "áreis", "areis", "éreis", "ereis", "íreis", "ireis", "ásseis", "ésseis", "ísseis", "áveis",
    "ados", "idos", "ámos", "amos", "íamos", "aríamos", "eríamos", "iríamos", "áramos", "éramos",
    "íramos", "ávamos", "emos", "aremos", "eremos", "iremos", "ássemos", "êssemos", "íssemos",
    "imos", "armos", "ermos", "irmos", "eu", "iu", "ou", "ira", "iras",
];

/// Appends the stem.
pub(super) fn stem(word: &str, out: &mut String) {
    // Nasal vowels are written as vowel and tilde until the end.
    let mut word = Word::new(&word.replace('ã', "a~").replace('õ', "o~"));
    let regions = regions(&word);
    if standard_ending(&mut word, &regions) || verb_ending(&mut word, &regions) {
        let end = word.len();
        if let Some(at) = word.ending(regions.rv, end, "i")
            && word.before(at) == Some('c')
        {
            word.cut(at);
        }
    } else if let Some(at) = word.longest(0, word.len(), &["os", "a", "i", "o", "á", "í", "ó"])
        && at >= regions.rv
    {
        word.cut(at);
    }
    residual_form(&mut word, &regions);
    let start = out.len();
    word.push_to(out);
    if out[start..].contains('~') {
        let stem = out[start..].replace("a~", "ã").replace("o~", "õ");
        out.truncate(start);
        out.push_str(&stem);
    }
}

fn regions(word: &Word) -> Regions {
    let end = word.len();
    let vowel = |at: usize| word.letters.get(at).map(|&c| is_vowel(c));
    let rv = match (vowel(0), vowel(1)) {
        (Some(_), Some(false)) => word.past(2, true, is_vowel),
        (Some(true), Some(true)) => word.past(2, false, is_vowel),
        (Some(false), Some(true)) => (end > 2).then_some(3),
        _ => None,
    };
    let r1 = word.region(0, is_vowel);
    let r2 = r1.and_then(|r1| word.region(r1, is_vowel));
    Regions { rv: rv.unwrap_or(end), r1: r1.unwrap_or(end), r2: r2.unwrap_or(end) }
}

/// Whether an ending of nouns, adjectives or adverbs was found in its region.
fn standard_ending(word: &mut Word, regions: &Regions) -> bool {
    let &Regions { rv, r1, r2 } = regions;
    let end = word.len();
    let noun = word.longest(0, end, NOUN_ENDINGS);
    let other = word.longest(0, end, OTHER_ENDINGS);
    let Some(at) = noun.into_iter().chain(other).min() else { return false };
    if noun == Some(at) {
        let found = at >= r2;
        if found {
            word.cut(at);
        }
        return found;
    }
    let ending: String = word.letters[at..].iter().collect();
    let replace = |word: &mut Word, with: &str| {
        word.cut(at);
        word.letters.extend(with.chars());
    };
    let floor = if ending == "amente" { r1 } else { r2 };
    match ending.as_str() {
        "ira" | "iras" => {
            let found = at >= rv && word.before(at) == Some('e');
            if found {
                replace(word, "ir");
            }
            return found;
        }
        _ if at < floor => return false,
        "logía" | "logías" => replace(word, "log"),
        "ución" | "uciones" => replace(word, "u"),
        "ência" | "ências" => replace(word, "ente"),
        "amente" => {
            word.cut(at);
            if let Some(inner) = word.longest(0, at, &["iv", "os", "ic", "ad"])
                && inner >= r2
            {
                let iv = word.ends(at, "iv");
                word.cut(inner);
                if iv && let Some(before) = word.ending(r2, inner, "at") {
                    word.cut(before);
                }
            }
        }
        _ => {
            word.cut(at);
            let inner: &[&str] = match ending.as_str() {
                "mente" => &["ante", "avel", "ível"],
                "idade" | "idades" => &["abil", "ic", "iv"],
                _ => &["at"],
            };
            if let Some(inner) = word.longest(0, at, inner)
                && inner >= r2
            {
                word.cut(inner);
            }
        }
    }
    true
}

fn verb_ending(word: &mut Word, regions: &Regions) -> bool {
    let found = word.longest(regions.rv, word.len(), VERB_ENDINGS);
    if let Some(at) = found {
        word.cut(at);
    }
    found.is_some()
}

fn residual_form(word: &mut Word, regions: &Regions) {
    let Some(&last) = word.letters.last() else { return };
    let at = word.len() - 1;
    match last {
        'ç' => word.letters[at] = 'c',
        'e' | 'é' | 'ê' if at >= regions.rv => {
            word.cut(at);
            let gu = word.ends(at, "gu");
            let ci = word.ends(at, "ci");
            if (gu || ci) && at > regions.rv {
                word.cut(at - 1);
            }
        }
        _ => {}
    }
}
