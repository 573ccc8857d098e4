//! An impression of the first texts of a corpus, for remarks on likely mistakes.
//!
//! Nothing here changes a result. It examines a few hundred segments while they are read. There is no remark if the
//! corpus has few segments or the case is doubtful.

use super::batch::{Batch, Layout};
use bolide::Metric;
use bolide::unstable::hint::unsegmented;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

/// How many segments are compared.
const MOST: usize = 500;
/// How many of them are examined letter by letter.
const READ: usize = 50;
/// How many bytes of them are kept; the text that goes beyond is kept whole.
const SAMPLE: usize = 4000;
/// With fewer segments than this, anything may be chance.
const FEWEST: usize = 5;
/// A text is in one script if at least this fraction of its letters belongs to it.
const CLEAR: f64 = 0.8;

/// What was seen so far, shared with the code that reads the corpus.
#[derive(Clone, Default)]
pub struct Impression(Arc<Mutex<Seen>>);

#[derive(Default)]
struct Seen {
    n_segments: usize,
    /// How many segments of the whole corpus have no reference in their table.
    without_reference: usize,
    /// How often each system equals one of the references.
    same_as_reference: Vec<usize>,
    /// A digest of each system's texts: thousands of systems cannot be compared one by one.
    digests: Vec<DefaultHasher>,
    /// Letters by script: of each system, and of all references at the end.
    letters: Vec<Letters>,
    /// How the texts begin, in the same order.
    samples: Vec<String>,
}

/// Counts by [`Script`].
type Letters = [usize; Script::ALL.len()];

/// The writing systems that are distinguished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Script {
    Latin,
    Cyrillic,
    Greek,
    Arabic,
    Hebrew,
    /// Chinese characters and kana.
    Han,
    Hangul,
    Devanagari,
    Thai,
    Other,
}

impl Script {
    const ALL: [Script; 10] = [
        Script::Latin,
        Script::Cyrillic,
        Script::Greek,
        Script::Arabic,
        Script::Hebrew,
        Script::Han,
        Script::Hangul,
        Script::Devanagari,
        Script::Thai,
        Script::Other,
    ];

    fn of(c: char) -> Option<Self> {
        if !c.is_alphabetic() {
            return None;
        }
        Some(match c as u32 {
            0..=0x24f | 0x1e00..=0x1eff => Script::Latin,
            0x370..=0x3ff | 0x1f00..=0x1fff => Script::Greek,
            0x400..=0x52f => Script::Cyrillic,
            0x590..=0x5ff => Script::Hebrew,
            0x600..=0x6ff | 0x750..=0x77f => Script::Arabic,
            0x900..=0x97f => Script::Devanagari,
            0xe00..=0xe7f => Script::Thai,
            0x1100..=0x11ff | 0xac00..=0xd7af => Script::Hangul,
            0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff => Script::Han,
            _ => Script::Other,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Script::Latin => "Latin",
            Script::Cyrillic => "Cyrillic",
            Script::Greek => "Greek",
            Script::Arabic => "Arabic",
            Script::Hebrew => "Hebrew",
            Script::Han => "Chinese or Japanese",
            Script::Hangul => "Korean",
            Script::Devanagari => "Devanagari",
            Script::Thai => "Thai",
            Script::Other => "other",
        }
    }
}

impl Impression {
    /// Examines a batch; its texts only until enough segments were seen.
    pub(super) fn look(&self, layout: &Layout, batch: &Batch) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_without = |&row: &usize| layout.has_no_reference(batch, row);
        seen.without_reference += (0..batch.rows()).filter(is_without).count();
        let n_systems = layout.hypotheses.len();
        seen.same_as_reference.resize(n_systems, 0);
        seen.digests.resize_with(n_systems, DefaultHasher::new);
        seen.letters.resize(n_systems + 1, Letters::default());
        seen.samples.resize(n_systems + 1, String::new());
        for row in 0..batch.rows().min(MOST - seen.n_segments) {
            seen.segment(layout, batch, row);
        }
    }

    /// Remarks on likely mistakes, with the names of the systems.
    pub fn remarks(&self, systems: &[String]) -> Vec<String> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.n_segments < FEWEST || seen.letters.len() != systems.len() + 1 {
            return Vec::new();
        }
        let mut remarks = Vec::new();
        let equal = systems.iter().zip(&seen.same_as_reference);
        let copies: Vec<&str> = equal
            .filter(|&(_, &n)| n == seen.n_segments)
            .map(|(system, _)| system.as_str())
            .collect();
        match copies.len() {
            0 => {}
            1 => remarks.push(format!(
                "{} is the same text as a reference in every segment: is it the right file?",
                copies[0]
            )),
            _ => remarks.push(format!(
                "{} are the same text as a reference in every segment: are they the right files?",
                some(&copies)
            )),
        }
        let mut twins: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
        for (system, digest) in systems.iter().zip(&seen.digests) {
            twins.entry(digest.finish()).or_default().push(system);
        }
        let mut twins: Vec<Vec<&str>> = twins.into_values().filter(|list| list.len() > 1).collect();
        twins.sort();
        for list in twins {
            let question = if list.len() == 2 { "is one a copy" } else { "are they copies" };
            remarks.push(format!("{} are identical: {question}?", some(&list)));
        }
        let references = clear_script(&seen.letters[systems.len()]);
        for script in Script::ALL {
            let is_wrong = |letters| {
                clear_script(letters) == Some(script) && references.is_some_and(|it| it != script)
            };
            let wrong = systems.iter().zip(&seen.letters).filter(|(_, letters)| is_wrong(letters));
            let wrong: Vec<&str> = wrong.map(|(system, _)| system.as_str()).collect();
            if let (false, Some(theirs)) = (wrong.is_empty(), references) {
                remarks.push(format!(
                    "{} {} written in {} letters, the references in {}: are these the right files?",
                    some(&wrong),
                    if wrong.len() == 1 { "is" } else { "are" },
                    script.name(),
                    theirs.name()
                ));
            }
        }
        remarks
    }

    /// How many segments have no reference.
    pub fn without_reference(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).without_reference
    }

    /// Whether there were enough segments for a remark on a score.
    pub fn is_enough(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).n_segments >= FEWEST
    }

    /// The code of the language if the texts have no spaces between their words, as Chinese has none.
    pub fn unsegmented(&self) -> Option<&'static str> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.samples.iter().find_map(|sample| unsegmented(sample))
    }

    /// What the engine has to say about the texts and a metric.
    pub fn hints(&self, metric: &Metric) -> BTreeSet<String> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((references, systems)) = seen.samples.split_last() else { return BTreeSet::new() };
        systems.iter().filter_map(|system| metric.hint(system, &[references])).collect()
    }
}

impl Seen {
    fn segment(&mut self, layout: &Layout, batch: &Batch, row: usize) {
        self.n_segments += 1;
        let n_systems = layout.hypotheses.len();
        let text = |column: usize| batch.columns[column].texts(row);
        let hypothesis = |system: usize| text(layout.hypotheses[system]).next().unwrap_or_default();
        for system in 0..n_systems {
            let own = hypothesis(system);
            let equal =
                layout.references.iter().any(|&column| text(column).any(|other| other == own));
            self.same_as_reference[system] += usize::from(equal);
            own.hash(&mut self.digests[system]);
            if self.n_segments <= READ {
                self.count(system, own);
            }
        }
        if self.n_segments > READ {
            return;
        }
        for &column in &layout.references {
            text(column).for_each(|reference| self.count(n_systems, reference));
        }
    }

    fn count(&mut self, at: usize, text: &str) {
        for c in text.chars() {
            if let Some(script) = Script::of(c) {
                self.letters[at][script as usize] += 1;
            }
        }
        if self.samples[at].len() < SAMPLE {
            self.samples[at].push_str(text);
            self.samples[at].push('\n');
        }
    }
}

/// Up to three names, and how many more there are.
fn some(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [before @ .., last] if before.len() < 3 => format!("{} and {last}", before.join(", ")),
        [first, second, others @ ..] => format!("{first}, {second} and {} others", others.len()),
    }
}

/// The script of nearly all letters, if there is one.
fn clear_script(letters: &Letters) -> Option<Script> {
    let all: usize = letters.iter().sum();
    let (&script, &n) = Script::ALL.iter().zip(letters).max_by_key(|&(_, &n)| n)?;
    (all > 0 && n as f64 >= CLEAR * all as f64 && script != Script::Other).then_some(script)
}

/// Whether the names of the columns suggest that hypotheses and references are swapped.
pub fn look_swapped(hypotheses: &[String], references: &[String]) -> bool {
    const OF_REFERENCES: [&str; 5] = ["ref", "target", "gold", "truth", "label"];
    const OF_HYPOTHESES: [&str; 7] =
        ["hyp", "output", "pred", "candidate", "system", "generated", "translation"];
    let all = |names: &[String], words: &[&str]| {
        !names.is_empty()
            && names.iter().all(|name| {
                let name = name.to_lowercase();
                words.iter().any(|word| name.contains(word))
            })
    };
    all(hypotheses, &OF_REFERENCES) && all(references, &OF_HYPOTHESES)
}
