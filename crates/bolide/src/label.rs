//! Labels of reported numbers: which metric `eval_rougeL`, `BLEU-4` or `METEOR precision` means.
//!
//! A label leaves open what it does not say: BLEU is every dialect of BLEU, BLEU-2 only those that count up to two
//! words, chrF++ has a beta of any value. What a metric is called by its keys, its `title`, is written beside its
//! code.

use crate::dialect::{Dialect, Family, elsewhere, families};
use crate::metric::Metric;
use std::ops::Range;

/// What a label says.
#[derive(Clone, Debug)]
pub struct Label {
    metric: Option<Named>,
    /// The words around the metric's name.
    before: Vec<Word>,
    after: Vec<Word>,
}

#[derive(Clone, Debug)]
struct Named {
    family: &'static Family,
    /// The dialect, if its full name is there.
    dialect: Option<&'static Dialect>,
    more: More,
}

/// What a name says beyond the family: `Lsum` of ROUGE-Lsum, `2` and `++` of chrF2++.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct More {
    letters: String,
    number: Option<String>,
    n_plus: usize,
}

impl Label {
    /// Reads a label.
    pub fn read(text: &str) -> Self {
        let words = words(text);
        let Some((family, name, range)) = find(&words) else {
            return Label { metric: None, before: Vec::new(), after: words };
        };
        let (more, end) = More::read(family, &name, &words, range.end);
        let dialect = dialect_in(text);
        let family = dialect.map_or(family, |dialect| dialect.family);
        let part = |from: usize, to: usize| words.get(from..to).unwrap_or_default().to_vec();
        Label {
            metric: Some(Named { family, dialect, more }),
            before: part(0, range.start),
            after: part(end, words.len()),
        }
    }

    /// The family of metrics, if it names one.
    pub fn family(&self) -> Option<&'static Family> {
        self.metric.as_ref().map(|named| named.family)
    }

    /// Whether a metric may be called so. A label without a metric's name is good for all.
    pub fn suits(&self, metric: &Metric) -> bool {
        let Some(Named { family, dialect, more }) = &self.metric else { return true };
        let own = metric.dialect();
        if own.family != *family || dialect.is_some_and(|dialect| dialect.name != own.name) {
            return false;
        }
        let Some(title) = metric.any().title() else { return true };
        let (title, head) = (More::of(family, &title), More::of(family, head(own.name)));
        let is_plain = more.letters.is_empty() && more.number.is_none();
        let is_same = more.letters == title.letters || more.letters == head.letters;
        more.n_plus == title.n_plus
            && (is_plain || is_same && (more.number.is_none() || more.number == title.number))
    }

    /// Whether it names a component of a score beside the metric: `METEOR precision`.
    pub fn names(&self, component: &str) -> bool {
        let component = words(component);
        let is_it = |part: &[Word]| part.iter().zip(&component).all(|(a, b)| a.text == b.text);
        let mut windows = [&self.before, &self.after]
            .into_iter()
            .flat_map(|part| part.windows(component.len().max(1)));
        !component.is_empty() && windows.any(is_it)
    }
}

impl More {
    /// What a whole name says.
    fn of(family: &Family, name: &str) -> Self {
        let words = words(name);
        let n_letters = words.iter().take_while(|word| word.text.starts_with(is_letter)).count();
        More::read(family, &joined(&words, 0, n_letters), &words, n_letters).0
    }

    /// What a name says, with the number and the plus signs among the words after it; and where these end.
    fn read(family: &Family, name: &str, words: &[Word], mut end: usize) -> (Self, usize) {
        let rest = name.strip_prefix(family.name).unwrap_or_default();
        let letters: String = rest.chars().filter(|&c| is_letter(c)).collect();
        let number: String = rest.chars().filter(char::is_ascii_digit).collect();
        let n_plus = rest.matches('+').count();
        let mut more = More { letters, number: Some(number).filter(|n| !n.is_empty()), n_plus };
        let next = |at: usize| words.get(at).filter(|word| word.gap.chars().count() < 2);
        // BLEU-4, BLEU@4, BLEU 4; but 2.6 is a version, and 2017 a year.
        let is_point = |word: &Word| matches!(word.gap.as_str(), "." | "," | ":");
        let is_fraction = words.get(end + 1).is_some_and(|word| is_point(word) && is_digits(word));
        if more.number.is_none()
            && more.n_plus == 0
            && !is_fraction
            && let Some(word) = next(end)
            && is_digits(word)
            && word.text.len() == 1
            && !is_point(word)
        {
            more.number = Some(word.text.clone());
            end += 1;
        }
        if let Some(word) = next(end)
            && word.text.starts_with('+')
            && word.gap.is_empty()
        {
            more.n_plus += word.text.len();
            end += 1;
        }
        (more, end)
    }
}

/// A run of letters, of digits or of plus signs, in lower case.
#[derive(Clone, Debug)]
struct Word {
    text: String,
    /// What is between it and the word before.
    gap: String,
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic()
}

fn is_digits(word: &Word) -> bool {
    word.text.starts_with(|c: char| c.is_ascii_digit())
}

fn words(text: &str) -> Vec<Word> {
    let kind = |c: char| match c {
        '+' => Some(0),
        c if c.is_ascii_digit() => Some(1),
        c if is_letter(c) => Some(2),
        _ => None,
    };
    let mut words: Vec<Word> = Vec::new();
    let (mut gap, mut last) = (String::new(), None);
    for c in text.chars() {
        let lower = c.to_lowercase();
        match (kind(c), words.last_mut()) {
            (None, _) => gap.push(c),
            (now, Some(word)) if now == last => word.text.extend(lower),
            _ => words.push(Word { text: lower.collect(), gap: std::mem::take(&mut gap) }),
        }
        last = kind(c);
    }
    words
}

/// Consecutive words without what is between them.
fn joined(words: &[Word], start: usize, end: usize) -> String {
    words.get(start..end).unwrap_or_default().iter().map(|word| word.text.as_str()).collect()
}

/// The part of a dialect's name that says what is measured.
fn head(name: &str) -> &str {
    name.split(':').next().unwrap_or_default()
}

/// The dialect whose full name is in a text: the longest.
fn dialect_in(text: &str) -> Option<&'static Dialect> {
    let text = text.to_lowercase();
    let is_there = |dialect: &&Dialect| text.contains(&dialect.name.to_lowercase());
    crate::DIALECTS.iter().filter(is_there).max_by_key(|dialect| dialect.name.len())
}

/// A family, the name that it has among some words, and which words these are.
type Found = (&'static Family, String, Range<usize>);

/// The family that words name. A name that is whole words comes before one at the end of a word (`sacrebleu`), and that
/// before one within a word (`bleuscore`); then the longest. Short names are whole words.
fn find(words: &[Word]) -> Option<Found> {
    const SHORT: usize = 3;
    let names: Vec<(&'static Family, String)> = families().into_iter().flat_map(names).collect();
    let runs = (1..=words.len()).flat_map(|end| (0..end).map(move |start| start..end));
    let mut best: Option<((usize, usize), Found)> = None;
    for range in runs {
        let run = joined(words, range.start, range.end);
        for (family, name) in &names {
            let fit = match run.strip_suffix(name) {
                Some("") => WHOLE,
                _ if name.len() <= SHORT || range.len() > 1 => continue,
                Some(_) => 1,
                None if run.contains(name) => 0,
                None => continue,
            };
            let rank = (fit, name.len());
            if best.as_ref().is_none_or(|(other, _)| rank > *other) {
                best = Some((rank, (*family, name.clone(), range.clone())));
            }
        }
    }
    let ((fit, length), found) = best?;
    // BLEURT is not BLEU.
    let text = joined(words, 0, words.len());
    let is_other = |other: &str| other.len() > length && text.contains(other);
    let is_elsewhere = fit < WHOLE && elsewhere().any(|(other, _)| is_other(&plain(other)));
    (!is_elsewhere).then_some(found)
}

/// How well a name fits that is whole words.
const WHOLE: usize = 2;

/// The names of a family, and the heads of its dialects' names and aliases.
fn names(family: &'static Family) -> Vec<(&'static Family, String)> {
    let dialects = family.dialects().flat_map(|dialect| dialect.names().map(head));
    let mut names: Vec<String> = std::iter::once(family.name).chain(dialects).map(plain).collect();
    names.sort();
    names.dedup();
    names.into_iter().map(|name| (family, name)).collect()
}

/// A name without what people write in different ways.
fn plain(name: &str) -> String {
    let words = words(name);
    joined(&words, 0, words.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(text: &str) -> Option<&'static str> {
        Label::read(text).family().map(|family| family.name)
    }

    #[test]
    fn short_names_are_whole_words() {
        assert_eq!(family("eval_sacrebleu"), Some("bleu"));
        assert_eq!(family("bleuscore"), Some("bleu"));
        assert_eq!(family("google_bleu"), Some("gleu"));
        assert_eq!(family("sacrebleu_ter"), Some("ter"));
        assert_eq!(family("ter,none"), Some("ter"));
        assert_eq!(family("rougeLsum"), Some("rouge"));
        assert_eq!(family("ROUGE-W"), Some("rouge"));
        for text in ["character rate", "after", "BLEURT-20", "bertscore", "", "+", "7"] {
            assert_eq!(family(text), None, "{text}");
        }
    }

    #[test]
    fn a_label_suits_what_it_does_not_exclude() {
        let check = |text: &str, suits: &[&str], others: &[&str]| {
            let label = Label::read(text);
            let is_so = |name: &&&str| {
                let metric = Metric::build(name, &crate::Resources::none());
                label.suits(&metric.unwrap())
            };
            assert_eq!(suits.iter().find(|name| !is_so(name)), None, "{text}");
            assert_eq!(others.iter().find(is_so), None, "{text}");
        };
        let bleu = ["bleu", "bleu:nltk", "bleu:hf", "bleu:coco"];
        let unigrams = ["bleu|order:1", "bleu:unigram", "bleu:coco|order:1", "bleu:nltk|weights:1"];
        for text in ["BLEU", "sacreBLEU", "results bleu,none", "sacreBLEU 2.6.0", "BLEU (2017)"] {
            check(text, &[&bleu[..], &unigrams].concat(), &["ter", "gleu"]);
        }
        for text in ["BLEU-4", "bleu4", "BLEU@4", "Bleu_4", "test_bleu_4"] {
            check(text, &bleu, &unigrams);
        }
        for text in ["BLEU-1", "bleu1", "BLEU 1", "BLEU-1 (%)"] {
            check(text, &unigrams, &bleu);
        }
        check("BLEU-2", &["bleu:nltk|weights:0,1,0,0"], &["bleu:nltk", "bleu:unigram"]);
        let rouge = ["rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum", "rougeL:coco"];
        check("ROUGE", &rouge, &["bleu"]);
        for text in ["ROUGE-L", "rougeL", "eval_rougeL_fmeasure", "rouge l", "ROUGE-L F1"] {
            check(text, &["rougeL", "rougeL:coco"], &["rouge1", "rougeLsum", "rouge2", "rouge3"]);
        }
        check("ROUGE-Lsum", &["rougeLsum"], &["rougeL", "rouge1"]);
        check("ROUGE-2", &["rouge2", "rougeN|order:2"], &["rouge1", "rougeL", "rouge3"]);
        check("rouge4", &["rouge4"], &["rouge3"]);
        check("ROUGE-N", &["rouge3", "rouge4"], &["rougeL"]);
        for text in ["chrF", "chrf_score", "chrf:sacrebleu"] {
            check(text, &["chrf", "chrF3"], &["chrf++", "chrf|nw:1", "ter"]);
        }
        check("chrF", &["chrf:nltk"], &["chrF2++"]);
        check("chrf:sacrebleu", &["chrf|case:lc"], &["chrf:nltk"]);
        check("chrF2", &["chrf", "chrf:nltk|beta:2"], &["chrF3", "chrf++", "chrf:nltk"]);
        check("chrF+", &["chrF2+", "chrF1+"], &["chrf", "chrf++"]);
        check("chrF++", &["chrf++", "chrF1++"], &["chrf", "chrf:nltk"]);
        check("chrF2++", &["chrf++"], &["chrF1++"]);
        check("METEOR 1", &["meteor:textbook"], &["ter"]);
        check("meteor:nltk", &[], &["meteor:textbook"]);
        check("power", &["bleu", "ter"], &[]);
    }

    #[test]
    fn components_are_words_beside_the_name() {
        let names = |text: &str, component: &str| Label::read(text).names(component);
        assert!(names("METEOR precision", "precision") && names("precision (METEOR)", "precision"));
        assert!(names("BLEU precision_1", "precision1") && names("bleu_length_ratio", "ratio"));
        assert!(names("METEOR F1", "f1") && names("precision", "precision"));
        assert!(
            !names("chrF1", "f1") && !names("BLEU-1", "bleu1") && !names("calibration", "ratio")
        );
        assert!(!names("METEOR", "") && !names("BLEU precision", "precision1"));
    }
}
