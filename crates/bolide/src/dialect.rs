//! Named configurations: what each reproduces, what it declares about its scores, and how to find one by
//! name.
//!
//! A dialect is defined beside the code that it configures; [`DIALECTS`] lists them all. Doors read what they
//! need here (range, direction, how references combine, how sums add) and never list metrics themselves.

use crate::error::{Error, ErrorKind, Result};
use crate::metric::Metric;
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::signature::Keys;

pub use crate::registry::DIALECTS;
pub use crate::signature::{Expects, Key};

/// One named configuration and its declared properties.
///
/// ```
/// let dialect = bolide::dialect::find("ter")?;
/// assert_eq!((dialect.name, dialect.family.title), ("ter:sacrebleu", "TER"));
/// assert!(dialect.lower_is_better && dialect.range == (0.0, f64::INFINITY));
/// # Ok::<(), bolide::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Dialect {
    /// `family:dialect`, the name that signatures start with.
    pub name: &'static str,
    /// The family. If this is the family's default dialect, the family's name is enough to select it.
    #[cfg_attr(feature = "serde", serde(serialize_with = "family_name"))]
    pub family: &'static Family,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// The program and version, or the definition, that it reproduces.
    pub reproduces: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    /// How its agreement with the original was measured.
    pub agreement: &'static str,
    /// Decimals that tables print by default: 4 for scores in 0..1, 2 for scores in 0..100.
    pub decimals: usize,
    /// The smallest and the largest score with the usual parameters; infinite if there is no bound.
    #[cfg_attr(feature = "serde", serde(serialize_with = "range"))]
    pub range: (f64, f64),
    /// Whether a smaller score is better (an error rate).
    pub lower_is_better: bool,
    /// How several references combine.
    pub references: References,
    /// How statistics add up.
    pub merging: Merging,
    /// Whether there is an alignment, which [`Metric::explain`] shows.
    pub alignment: bool,
    /// Reads the keys of a partial signature.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) build: fn(&mut Keys, &Resources) -> Result<AnyMetric>,
}

/// The dialects of one metric.
///
/// ```
/// let chrf = bolide::dialect::family("chrf").unwrap();
/// assert_eq!((chrf.title, chrf.default), ("chrF", "chrf:sacrebleu"));
/// assert_eq!(chrf.dialect("nltk")?.name, "chrf:nltk");
/// assert_eq!(chrf.dialect("chrf++")?.name, "chrf++:sacrebleu");
/// # Ok::<(), bolide::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Family {
    /// Its name, in lower case.
    pub name: &'static str,
    /// Its name as people write it.
    pub title: &'static str,
    /// The dialect that the family's name alone selects.
    pub default: &'static str,
}

/// How several references combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum References {
    /// The best one counts, so another reference cannot lower the score.
    Best,
    /// A match with any of them counts; the length is that of the reference closest to the hypothesis.
    Pooled,
    /// The fewest edits to any reference count, over the mean length of all.
    MeanLength,
    /// The mean over all of them counts.
    Mean,
    /// Only the first one counts.
    First,
}

/// How the statistics of a corpus add up, and so how a corpus may be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Merging {
    /// Sums of integers: parts may be merged in any order, with the same bits.
    AnyOrder,
    /// Part of every segment is kept, in order: parts of any size may be merged, in order.
    PartsInOrder,
    /// Sums of floats that the original adds from the first segment to the last. With more than two
    /// references, segments must be merged one by one to get the same bits.
    SegmentsInOrder,
}

/// A dialect with the properties that depend on the available tables.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Listing {
    /// The dialect itself.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub dialect: &'static Dialect,
    /// The keys of its signature.
    pub keys: Vec<Key>,
    /// What it lacks, in the words of the error, or `None`.
    pub needs: Option<String>,
}

impl Dialect {
    /// The metric with every key at its default.
    pub fn metric(&'static self, resources: &Resources) -> Result<Metric> {
        Metric::build(self.name, resources)
    }

    /// The keys that a partial signature of this dialect may have when all others are left at their defaults.
    /// They are found by building a metric, so the list cannot become outdated. If a default needs a missing
    /// table, only the keys read up to that point are returned.
    pub fn keys(&self, resources: &Resources) -> Result<Vec<Key>> {
        let mut keys = Keys::parse(self.name)?;
        match (self.build)(&mut keys, resources) {
            Err(problem)
                if !matches!(problem.kind(), ErrorKind::Unavailable | ErrorKind::InvalidTable) =>
            {
                Err(problem)
            }
            _ => Ok(keys.asked().to_vec()),
        }
    }

    /// The dialect with its keys and what it lacks, for display.
    pub fn listing(&'static self, resources: &Resources) -> Listing {
        Listing {
            dialect: self,
            // The registry's own names always parse, so there is no error to report.
            keys: self.keys(resources).unwrap_or_default(),
            needs: self.metric(resources).err().map(|problem| problem.to_string()),
        }
    }

    /// A name of letters, digits and underscores, for functions of a query language: `meteor`, `meteor_nltk`,
    /// `chrfpp`, `rougel`.
    pub fn identifier(&self) -> String {
        let before = self.name.split(':').next().unwrap_or_default();
        let name = if self.aliases.contains(&before) { before } else { self.name };
        let letter = |c: char| match c {
            '+' => 'p',
            c if c.is_ascii_alphanumeric() => c.to_ascii_lowercase(),
            _ => '_',
        };
        name.chars().map(letter).collect()
    }

    /// Its name and its aliases.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

impl Family {
    /// Its dialects, in the order they are listed to people.
    pub fn dialects(&self) -> impl Iterator<Item = &'static Dialect> {
        let name = self.name;
        DIALECTS.iter().filter(move |dialect| dialect.family.name == name)
    }

    /// A dialect of this family by a name that need not repeat the family: of METEOR `nltk`, of chrF
    /// `chrf++` or `nltk`, of ROUGE `rouge2`.
    pub fn dialect(&self, name: &str) -> Result<&'static Dialect> {
        Ok(self.find_called(name)?.0)
    }

    /// The dialect, and the name or alias as the registry writes it. An alias may say more than the
    /// dialect's name: `rouge3`, `meteor:1.5-fr`.
    fn find_called(&self, name: &str) -> Result<(&'static Dialect, &'static str)> {
        let full = format!("{}:{name}", self.name);
        let (plain_full, plain_name) = (plain(&full), plain(name));
        let find = |is_it: &dyn Fn(&str) -> bool| known_as(self.dialects(), is_it);
        find(&|known| known == full)
            .or_else(|| find(&|known| known == name))
            .or_else(|| find(&|known| plain(known) == plain_full))
            .or_else(|| find(&|known| plain(known) == plain_name))
            .ok_or_else(|| unknown(&full, &mut self.dialects()))
    }

    /// The name of a metric of this family, as [`Metric::build`] takes it: that of the default dialect
    /// without a `dialect`, else the one that [`dialect`](Self::dialect) finds.
    pub fn metric_name(&self, dialect: Option<&str>) -> Result<String> {
        let Some(name) = dialect else { return Ok(self.default.to_owned()) };
        Ok(self.find_called(name)?.1.to_owned())
    }
}

/// The families, in the order they are listed to people.
///
/// ```
/// let titles: Vec<&str> = bolide::dialect::families().iter().map(|family| family.title).collect();
/// assert_eq!(titles[..3], ["METEOR", "BLEU", "chrF"]);
/// ```
pub fn families() -> Vec<&'static Family> {
    let mut families: Vec<&'static Family> = Vec::new();
    for dialect in DIALECTS {
        if !families.contains(&dialect.family) {
            families.push(dialect.family);
        }
    }
    families
}

/// The family of a name.
pub fn family(name: &str) -> Option<&'static Family> {
    families().into_iter().find(|family| family.name == name)
}

/// The dialect of a name or alias, in any case, with or without hyphens (`METEOR`, `rouge-l`). The error
/// lists close names, or says why the metric is not here.
pub fn find(name: &str) -> Result<&'static Dialect> {
    Ok(find_called(name)?.0)
}

/// Metrics that people ask for and that are not here, each with the reason.
pub fn elsewhere() -> impl Iterator<Item = (&'static str, &'static str)> {
    ELSEWHERE.iter().copied()
}

/// The dialect, and the name or alias as the registry writes it.
pub(crate) fn find_called(name: &str) -> Result<(&'static Dialect, &'static str)> {
    let exact = |known: &str| known == name;
    let plain_name = plain(name);
    let alike = |known: &str| plain(known) == plain_name;
    let found = known_as(DIALECTS.iter(), &exact);
    let found = found.or_else(|| known_as(DIALECTS.iter(), &alike));
    found.ok_or_else(|| match ELSEWHERE.iter().find(|(other, _)| plain(other) == plain_name) {
        Some((other, why)) => Error::new(
            ErrorKind::UnknownDialect,
            format!("there is no metric '{name}': {other} is not here, because {why}"),
        ),
        None => match other_name(&plain_name) {
            Some(instead) => Error::new(
                ErrorKind::UnknownDialect,
                format!("there is no metric '{name}': {instead}"),
            ),
            None => unknown(name, &mut DIALECTS.iter()),
        },
    })
}

/// What is meant by names from papers: a whole family, or BLEU with its highest order.
fn other_name(plain_name: &str) -> Option<String> {
    if let Some(order) = plain_name.strip_prefix("bleu").and_then(|rest| rest.parse::<u8>().ok()) {
        return match order {
            4 => {
                Some("BLEU counts up to four words: it is bleu, bleu:nltk or bleu:coco".to_owned())
            }
            1..=3 => Some(format!("BLEU-{order} is 'bleu|order:{order}'")),
            _ => None,
        };
    }
    let members = DIALECTS.iter().filter(|dialect| plain(dialect.family.name) == plain_name);
    let names: Vec<&str> = members.map(|dialect| dialect.name).collect();
    (!names.is_empty()).then(|| format!("choose one of {}", names.join(", ")))
}

fn known_as(
    mut dialects: impl Iterator<Item = &'static Dialect>,
    is_it: &dyn Fn(&str) -> bool,
) -> Option<(&'static Dialect, &'static str)> {
    dialects.find_map(|dialect| {
        let known = dialect.names().find(|known| is_it(known))?;
        Some((dialect, known))
    })
}

/// A name without what people write in different ways.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '-' | '_' | ' '));
    letters.flat_map(char::to_lowercase).collect()
}

/// Metrics that people ask for and that are not here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("BARTScore", NEURAL),
    ("BERTScore", NEURAL),
    ("BLEURT", NEURAL),
    ("COMET", NEURAL),
    ("MetricX", NEURAL),
    ("MoverScore", NEURAL),
    ("perplexity", "it asks a language model"),
    ("accuracy", "it compares labels: in Python that is hypothesis == reference"),
    ("SPICE", "it compares scene graphs, which only its own Java program parses"),
    (
        "CER",
        "edits of characters are not counted: chrf compares characters, ter counts edits of words",
    ),
    ("WER", "words are edited by ter only, which moves phrases too"),
    ("exact_match", "it compares whole texts: in Python that is hypothesis == reference"),
];
const NEURAL: &str = "it asks a neural network; here are metrics of words and characters";

fn unknown(name: &str, dialects: &mut dyn Iterator<Item = &'static Dialect>) -> Error {
    let dialects: Vec<&Dialect> = dialects.collect();
    let mut close: Vec<(usize, &str)> = dialects
        .iter()
        .flat_map(|dialect| dialect.names())
        .map(|known| (edit_distance(&plain(name), &plain(known)), known))
        .filter(|&(distance, known)| {
            // Of a short name, few letters may be others: `cat` is not a misspelt `ter`.
            let is_part = !name.is_empty() && (known.starts_with(name) || known.ends_with(name));
            distance <= (name.chars().count() / 3).clamp(1, 3) || is_part
        })
        .collect();
    let mut names: Vec<&str> = Vec::new();
    while names.len() < 5
        && let Some(nearest) = close.iter().copied().min()
    {
        names.push(nearest.1);
        close.retain(|&(_, other)| plain(other) != plain(nearest.1));
    }
    let lead = if names.is_empty() { "the metrics are" } else { "did you mean" };
    if names.is_empty() {
        names.extend(dialects.iter().map(|dialect| dialect.name));
    }
    Error::new(
        ErrorKind::UnknownDialect,
        format!("there is no metric '{name}': {lead} {}", names.join(", ")),
    )
}

/// The edits between two names: characters added, removed, replaced, or two neighbours exchanged. Names are short, so a
/// full table is fast enough.
fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
            };
            let is_exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if is_exchanged {
                table[i][j] = table[i][j].min(table[i - 2][j - 2] + 1);
            }
        }
    }
    table[a.len()][b.len()]
}

#[cfg(feature = "serde")]
fn family_name<S: serde::Serializer>(
    family: &&'static Family,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(family.name)
}

/// Two numbers. Infinity becomes null, because JSON has no infinity.
#[cfg(feature = "serde")]
fn range<S: serde::Serializer>(
    &(min, max): &(f64, f64),
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_seq([min, max].map(|x| x.is_finite().then_some(x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_aliases_are_unique() {
        let mut names: Vec<&str> = DIALECTS
            .iter()
            .flat_map(|d| std::iter::once(d.name).chain(d.aliases.iter().copied()))
            .collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn identifiers_are_unique_and_short_where_a_name_is() {
        let mut identifiers: Vec<String> = DIALECTS.iter().map(Dialect::identifier).collect();
        for known in ["meteor", "meteor_nltk", "bleu", "chrf", "chrfpp", "ter", "rouge1", "rougel"]
        {
            assert!(identifiers.iter().any(|identifier| identifier == known), "{known}");
        }
        let count = identifiers.len();
        identifiers.sort();
        identifiers.dedup();
        assert_eq!(identifiers.len(), count);
    }

    #[test]
    fn every_family_has_its_default() {
        for family in families() {
            let default = find(family.default).unwrap();
            assert_eq!(default.family, family);
            assert_eq!(family.metric_name(None).unwrap(), default.name);
            for dialect in family.dialects() {
                assert_eq!(family.dialect(dialect.name).unwrap().name, dialect.name);
            }
        }
    }

    #[test]
    fn a_dialect_is_found_within_its_family() {
        let check = |name: &str, dialect: &str, expected: &str| {
            let name = family(name).unwrap().metric_name(Some(dialect));
            assert_eq!(name.unwrap_or_else(|problem| problem.to_string()), expected);
        };
        check("meteor", "nltk", "meteor:nltk");
        check("meteor", "1.5-fr", "meteor:1.5-fr");
        check("chrf", "chrf", "chrf");
        check("chrf", "nltk", "chrf:nltk");
        check("rouge", "rouge3", "rouge3");
        check("meteor", "nltkk", "there is no metric 'meteor:nltkk': did you mean meteor:nltk");
        check("chrf", "bleu", "there is no metric 'chrf:bleu': did you mean chrf:nltk");
    }

    #[test]
    fn a_misspelt_name_gets_close_ones() {
        let error = find("meteor:textbok").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownDialect);
        assert!(error.to_string().contains("did you mean meteor:textbook"), "{error}");
    }

    #[test]
    fn names_are_found_in_any_case_and_spelling() {
        let names = [
            ("METEOR", "meteor:classic"),
            ("Meteor:NLTK", "meteor:nltk"),
            ("rougel", "rougeL:google"),
            ("ROUGE-L", "rougeL:google"),
            ("rouge_lsum", "rougeLsum:google"),
            ("chrF++", "chrf++:sacrebleu"),
        ];
        for (name, dialect) in names {
            assert_eq!(find(name).unwrap().name, dialect, "{name}");
        }
        assert_eq!(family("meteor").unwrap().metric_name(Some("NLTK")).unwrap(), "meteor:nltk");
        assert_eq!(family("rouge").unwrap().metric_name(Some("rouge-3")).unwrap(), "rouge3");
    }

    #[test]
    fn one_spelling_means_one_dialect() {
        let spelling = |name: &'static str| (plain(name), find(name).unwrap().name);
        let mut names: Vec<(String, &str)> =
            DIALECTS.iter().flat_map(Dialect::names).map(spelling).collect();
        names.sort();
        names.dedup();
        for pair in names.windows(2) {
            assert_ne!(pair[0].0, pair[1].0, "{pair:?}");
        }
        let is_here = |other: &str| names.iter().any(|(name, _)| *name == plain(other));
        assert!(ELSEWHERE.iter().all(|(other, _)| !is_here(other)));
    }

    #[test]
    fn a_metric_that_is_not_here_says_why() {
        let check = |name: &str, message: &str| {
            let error = find(name).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        };
        check("bert-score", "BERTScore is not here, because it asks a neural network");
        check("wer", "WER is not here, because");
        check("sacrebleu", "did you mean ter:sacrebleu, bleu:sacrebleu");
        check(
            "rouge",
            "choose one of rouge1:google, rouge2:google, rougeL:google, rougeLsum:google",
        );
        check("BLEU-4", "BLEU counts up to four words: it is bleu,");
        check("bleu_2", "BLEU-2 is 'bleu|order:2'");
        assert!(find("bleu|order:2").is_err() && "bleu|order:2".parse::<crate::Metric>().is_ok());
        // One spelling of a name is enough.
        assert!(find("blue").unwrap_err().to_string().ends_with("did you mean BLEU"));
    }

    #[test]
    fn a_missing_table_does_not_hide_the_keys() {
        let keys = find("meteor").unwrap().keys(&Resources::none()).unwrap();
        assert_eq!(keys.first().map(|key| key.name), Some("language"));
    }
}
