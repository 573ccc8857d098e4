//! Hints: what a person should know about a score that is right by its definition and still of little use.
//!
//! A metric that splits at spaces gives 0 to Chinese text without any; a stemmer for English does nothing to Russian. Both are
//! seen from the texts alone, so a hint is a pure function of the metric and a segment. It moves no number. Whoever shows
//! scores to people decides whether to show it.

use crate::language::Language;
use crate::metric::Metric;
use crate::text::unspaced::is_unspaced;

/// Fewer letters than this say little about a text.
const FEW_LETTERS: usize = 5;

impl Metric {
    /// Says why the score of a segment may mean little: texts without spaces under a metric that needs them, letters that the
    /// metric leaves out, or letters that are not those of its language. Nothing for nearly all segments.
    ///
    /// ```
    /// # #[cfg(feature = "embedded")] {
    /// let meteor: bolide::Metric = "meteor".parse()?;
    /// assert_eq!(meteor.hint("the cat sat", &["a cat sat"]), None);
    /// let hint = meteor.hint("我喜欢猫", &["我爱猫"]).unwrap();
    /// assert!(hint.ends_with("meteor:classic|language:zh and chrf take characters"), "{hint}");
    /// # }
    /// # Ok::<(), bolide::Error>(())
    /// ```
    pub fn hint(&self, hypothesis: &str, references: &[&str]) -> Option<String> {
        let texts = || std::iter::once(hypothesis).chain(references.iter().copied());
        let name = self.dialect().name;
        if self.any().keeps_ascii_only() && texts().any(is_of_other_letters) {
            return Some(format!(
                "{name} keeps only the letters a to z and digits, as rouge-score does, so words in other letters vanish or fall \
                 apart: rougeL:coco keeps the words between spaces, and chrf and meteor:2026 take text of any language"
            ));
        }
        if let Some(code) = texts().find_map(unsegmented)
            && self.any().needs_spaces(code)
        {
            // The metric's own key, before or behind METEOR's.
            let [first, last] = match (name, code) {
                ("bleu:sacrebleu", "zh") => ["bleu|tok:zh, ", ""],
                ("bleu:sacrebleu", "ja") => ["bleu|tok:char, ", ""],
                ("bleu:sacrebleu", _) => ["", "bleu|tok:char and "],
                ("ter:sacrebleu", "zh") => ["ter|norm:yes|asian:yes, ", ""],
                _ => ["", ""],
            };
            let takes_characters = ["ja", "zh"].contains(&code);
            let between = if takes_characters { " and " } else { " takes words, " };
            let s = if takes_characters || !last.is_empty() { "" } else { "s" };
            return Some(format!(
                "the text has no spaces between words, and {name} splits at spaces: \
                 {first}meteor:classic|language:{code}{between}{last}chrf take{s} characters"
            ));
        }
        let language = self.any().language()?;
        let script = texts().find_map(|text| stranger(text, language))?;
        Some(format!(
            "the text is written in {script} letters, and {name} takes it for {}: the key 'language' names another",
            language.name
        ))
    }

    /// The same for a segment that is a whole corpus: also says if the metric cannot score one alone.
    ///
    /// ```
    /// let cider: bolide::Metric = "cider".parse()?;
    /// assert_eq!(cider.hint("a cat", &["a cat"]), None);
    /// assert!(cider.hint_alone("a cat", &["a cat"]).unwrap().contains("more segments"));
    /// # Ok::<(), bolide::Error>(())
    /// ```
    pub fn hint_alone(&self, hypothesis: &str, references: &[&str]) -> Option<String> {
        if self.any().weighs_by_corpus() {
            return Some(format!(
                "{} counts what few segments of a corpus have, so a segment alone scores 0: score it with more segments",
                self.dialect().name
            ));
        }
        self.hint(hypothesis, references)
    }
}

/// Whether at least a tenth of the letters are others than a to z.
fn is_of_other_letters(text: &str) -> bool {
    let letters = || text.chars().filter(|c| c.is_alphabetic());
    let (n_letters, n_others) = (letters().count(), letters().filter(|c| !c.is_ascii()).count());
    n_letters >= FEW_LETTERS && n_others * 10 >= n_letters
}

/// The code of the language that a text without spaces between its words seems to be in.
pub fn unsegmented(text: &str) -> Option<&'static str> {
    let (mut n_letters, mut n_unspaced, mut n_runs) = (0usize, 0usize, 0usize);
    let mut counts = [0usize; CODES.len()];
    let mut in_run = false;
    for c in text.chars() {
        let now = is_unspaced(c);
        n_letters += usize::from(c.is_alphabetic());
        n_runs += usize::from(now && !in_run);
        in_run = now;
        if now {
            n_unspaced += 1;
            if let Some(at) = CODES.iter().position(|(_, has, _)| has(c)) {
                counts[at] += 1;
            }
        }
    }
    if n_unspaced == 0 || n_unspaced * 2 <= n_letters {
        return None;
    }
    // One kana makes a text Japanese; else the most frequent script decides.
    let most = counts.iter().copied().max().unwrap_or(0);
    let at = if counts[0] > 0 { 0 } else { counts.iter().position(|&n| n == most)? };
    let (code, _, longest_words) = CODES[at];
    // Texts that somebody has segmented have runs of the length of words.
    (n_unspaced >= longest_words * n_runs).then_some(code)
}

/// A code, its letters, and a length that the words of a text do not have on average.
type Code = (&'static str, fn(char) -> bool, usize);

const CODES: [Code; 6] = [
    (
        "ja",
        |c| matches!(c, '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}'),
        3,
    ),
    ("th", |c| matches!(c, '\u{e00}'..='\u{e7f}'), 10),
    ("lo", |c| matches!(c, '\u{e80}'..='\u{eff}'), 10),
    (
        "my",
        |c| matches!(c, '\u{1000}'..='\u{109f}' | '\u{a9e0}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}'),
        12,
    ),
    ("km", |c| matches!(c, '\u{1780}'..='\u{17ff}'), 12),
    ("zh", |_| true, 3),
];

/// The script of a text in which nearly nothing is written as the language is.
fn stranger(text: &str, language: &Language) -> Option<&'static str> {
    let own = scripts(language.code);
    let mut counts = [0usize; SCRIPTS.len()];
    let (mut n_known, mut n_own) = (0, 0);
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        if let Some(at) = script(c) {
            counts[at] += 1;
            n_known += 1;
            n_own += usize::from(own.contains(&SCRIPTS[at].0));
        }
    }
    if n_known < FEW_LETTERS || n_own * 10 >= n_known {
        return None;
    }
    let most = counts.iter().copied().max()?;
    counts.iter().position(|&n| n == most).map(|at| SCRIPTS[at].0)
}

fn script(c: char) -> Option<usize> {
    let c = u32::from(c);
    let holds =
        |ranges: &[(u32, u32)]| ranges.iter().any(|&(first, last)| (first..=last).contains(&c));
    SCRIPTS.iter().position(|(_, ranges)| holds(ranges))
}

/// The scripts that languages here are written in, by blocks: enough for letters of whole texts.
const SCRIPTS: [(&str, &[(u32, u32)]); 20] = [
    ("Latin", &[(0x41, 0x24f), (0x1e00, 0x1eff), (0xff21, 0xff5a)]),
    ("Greek", &[(0x370, 0x3ff), (0x1f00, 0x1fff)]),
    ("Cyrillic", &[(0x400, 0x52f), (0x1c80, 0x1c8f), (0x2de0, 0x2dff), (0xa640, 0xa69f)]),
    ("Armenian", &[(0x530, 0x58f), (0xfb13, 0xfb17)]),
    ("Hebrew", &[(0x590, 0x5ff), (0xfb1d, 0xfb4f)]),
    (
        "Arabic",
        &[(0x600, 0x6ff), (0x750, 0x77f), (0x8a0, 0x8ff), (0xfb50, 0xfdff), (0xfe70, 0xfefe)],
    ),
    ("Devanagari", &[(0x900, 0x97f), (0xa8e0, 0xa8ff)]),
    ("Bengali", &[(0x980, 0x9ff)]),
    ("Gujarati", &[(0xa80, 0xaff)]),
    ("Tamil", &[(0xb80, 0xbff)]),
    ("Telugu", &[(0xc00, 0xc7f)]),
    ("Malayalam", &[(0xd00, 0xd7f)]),
    ("Thai", &[(0xe00, 0xe7f)]),
    ("Lao", &[(0xe80, 0xeff)]),
    ("Burmese", &[(0x1000, 0x109f), (0xa9e0, 0xa9ff), (0xaa60, 0xaa7f)]),
    ("Georgian", &[(0x10a0, 0x10ff), (0x1c90, 0x1cbf), (0x2d00, 0x2d2f)]),
    ("Korean", &[(0x1100, 0x11ff), (0x3130, 0x318f), (0xac00, 0xd7ff)]),
    ("Khmer", &[(0x1780, 0x17ff)]),
    ("Japanese", &[(0x3041, 0x30ff), (0x31f0, 0x31ff), (0xff66, 0xff9f)]),
    (
        "Chinese",
        &[
            (0x2e80, 0x303f),
            (0x3105, 0x312f),
            (0x3400, 0x9fff),
            (0xf900, 0xfaff),
            (0x20000, 0x3fffd),
        ],
    ),
];

/// The scripts that a language is written in; Latin where nothing else is said.
fn scripts(code: &str) -> &'static [&'static str] {
    match code {
        "ar" | "fa" | "ps" | "ur" => &["Arabic"],
        "bg" | "ru" | "uk" => &["Cyrillic"],
        "kk" => &["Cyrillic", "Latin", "Arabic"],
        "sr" => &["Cyrillic", "Latin"],
        "bn" => &["Bengali"],
        "el" => &["Greek"],
        "gu" => &["Gujarati"],
        "he" | "yi" => &["Hebrew"],
        "hi" | "mr" | "ne" => &["Devanagari"],
        "hy" => &["Armenian"],
        "ja" => &["Japanese", "Chinese"],
        "ka" => &["Georgian"],
        "km" => &["Khmer"],
        "ko" => &["Korean", "Chinese"],
        "lo" => &["Lao"],
        "ml" => &["Malayalam"],
        "my" => &["Burmese"],
        "ta" => &["Tamil"],
        "te" => &["Telugu"],
        "th" => &["Thai"],
        "zh" => &["Chinese"],
        "ha" => &["Latin", "Arabic"],
        _ => &["Latin"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::LANGUAGES;

    #[test]
    fn texts_without_spaces_are_known_by_their_script() {
        for (text, code) in [
            ("我喜欢猫", Some("zh")),
            ("猫が好きです。", Some("ja")),
            ("ฉันชอบแมวมากจริงๆนะ", Some("th")),
            ("ຂ້ອຍມັກແມວຫຼາຍ", Some("lo")),
            ("ကျွန်တော်ကြောင်ကိုချစ်တယ်", Some("my")),
            ("ខ្ញុំចូលចិត្តឆ្មាណាស់", Some("km")),
            // Segmented already, a name in an English text, spaces.
            ("我 喜欢 猫", None),
            ("ฉัน ชอบ แมว มาก", None),
            ("the word 猫咪的 means cat", None),
            ("나는 고양이를 좋아한다", None),
            ("", None),
        ] {
            assert_eq!(unsegmented(text), code, "{text}");
        }
    }

    #[test]
    fn every_script_of_a_language_is_known() {
        for language in LANGUAGES {
            for name in scripts(language.code) {
                assert!(SCRIPTS.iter().any(|(script, _)| script == name), "{name}");
            }
        }
    }

    #[cfg(feature = "languages")]
    #[test]
    fn letters_of_another_script_are_strange() {
        let find = |code| LANGUAGES.iter().find(|language| language.code == code).unwrap();
        assert_eq!(stranger("кошка сидит", find("en")), Some("Cyrillic"));
        assert_eq!(stranger("кошка сидит", find("ru")), None);
        assert_eq!(stranger("the cat sat", find("ru")), Some("Latin"));
        assert_eq!(stranger("Mačka sedi / мачка седи", find("sr")), None);
        assert_eq!(stranger("the Москва cat", find("en")), None);
        // Numbers, a few letters: no reason to speak.
        assert_eq!(stranger("12 345, ага", find("en")), None);
    }
}
