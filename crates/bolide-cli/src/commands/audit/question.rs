//! A number with what its label says, and the configuration that answers it.

use super::findings::Given;
use super::reported::Reported;
use crate::error::Result;
use crate::search::{Printed, Reading, Scale, Texts, Tried, numbers};
use bolide::dialect::Family;
use bolide::unstable::{Label, title};
use std::cmp::Reverse;

/// A number that somebody reported.
pub struct Question<'a> {
    reported: &'a Reported,
    printed: &'a Printed,
    label: Label,
}

/// Values of a configuration, each with its name. None if they are not asked for.
type Values<'a> = &'a dyn Fn(&Tried) -> Vec<(String, f64)>;

/// How a value may have been printed.
type Reads = fn(&Printed, f64, Scale) -> Option<Reading>;

impl<'a> Question<'a> {
    /// A number, as it was reported and as it was printed.
    pub fn new(reported: &'a Reported, printed: &'a Printed) -> Self {
        Question { reported, printed, label: Label::read(&reported.label) }
    }

    /// The family of metrics that the label names.
    pub fn family(&self) -> Option<&'static Family> {
        self.label.family()
    }

    /// The simplest configuration whose score, or the component that the label names, is the number.
    pub fn answer(&self, texts: &Texts, tried: &[Tried]) -> Result<Option<Given>> {
        self.simplest(texts, tried, &|one| self.own_values(one), Printed::reads)
    }

    /// The same for a number that was rounded twice. Only defaults: twice is one guess already.
    pub fn answer_rounded_twice(&self, texts: &Texts, tried: &[Tried]) -> Result<Option<Given>> {
        let values = |one: &Tried| match one.candidate.changes.is_empty() {
            true => self.own_values(one),
            false => Vec::new(),
        };
        self.simplest(texts, tried, &values, Printed::reads_twice)
    }

    /// A component of the family's scores that the label does not name.
    pub fn component(&self, texts: &Texts, tried: &[Tried]) -> Result<Option<Given>> {
        let values = |one: &Tried| match one.candidate.changes.is_empty() && self.is_kin(one) {
            true => numbers(&one.corpus).map(|(name, x)| (name.to_owned(), x)).collect(),
            false => Vec::new(),
        };
        self.simplest(texts, tried, &values, Printed::reads)
    }

    /// A score of the family that the label does not suit, without changes: ROUGE-1 that is called ROUGE-2.
    pub fn other_kind(&self, texts: &Texts, tried: &[Tried]) -> Result<Option<Given>> {
        let values = |one: &Tried| match one.candidate.changes.is_empty() && self.is_kin(one) {
            true => scores(one),
            false => Vec::new(),
        };
        match self.family() {
            Some(_) => self.simplest(texts, tried, &values, Printed::reads),
            None => Ok(None),
        }
    }

    /// The score of another metric: of the same family if there is one.
    pub fn other(&self, texts: &Texts, tried: &[Tried]) -> Result<Option<Given>> {
        for is_kin in [true, false] {
            let values = |one: &Tried| match self.is_kin(one) == is_kin {
                true => scores(one),
                false => Vec::new(),
            };
            if let Some(given) = self.simplest(texts, tried, &values, Printed::reads)? {
                return Ok(Some(given));
            }
        }
        Ok(None)
    }

    /// The configuration without changes that comes closest to the number.
    pub fn closest(&self, tried: &[Tried]) -> Option<Given> {
        let plain = tried.iter().filter(|one| one.candidate.changes.is_empty());
        let values = plain.filter_map(|one| Some((one, self.own_values(one).into_iter().next()?)));
        let distance = |one: &Tried, value: f64| self.printed.distance(value, one.scale());
        let (near, (what, value)) = values
            .min_by(|(a, (_, x)), (b, (_, y))| distance(a, *x).total_cmp(&distance(b, *y)))?;
        Some(given(near, what, value, None))
    }

    /// Whether a configuration is of the family that the label names.
    fn is_kin(&self, tried: &Tried) -> bool {
        let own = tried.candidate.metric.dialect().family;
        self.family().is_none_or(|family| family.name == own.name)
    }

    /// What the number may be if the label is right.
    fn own_values(&self, tried: &Tried) -> Vec<(String, f64)> {
        if !self.label.suits(&tried.candidate.metric) {
            return Vec::new();
        }
        let named = numbers(&tried.corpus).filter(|(name, _)| self.label.names(name));
        let named: Vec<(String, f64)> = named.map(|(name, x)| (name.to_owned(), x)).collect();
        if named.is_empty() { scores(tried) } else { named }
    }

    /// The simplest configuration that gives the number: fewest changes, then one that the label suits, then the
    /// dialect that was named most exactly, then the best agreement of digits.
    fn simplest(
        &self,
        texts: &Texts,
        tried: &[Tried],
        values: Values<'_>,
        reads: Reads,
    ) -> Result<Option<Given>> {
        let mut found: Vec<(&Tried, String, f64, Reading)> = Vec::new();
        for one in tried {
            for (what, value) in values(one) {
                if let Some(reading) = reads(self.printed, value, one.scale()) {
                    found.push((one, what, value, reading));
                }
            }
        }
        found.sort_by_key(|(one, what, _, reading)| {
            let metric = &one.candidate.metric;
            let named = (self.label.suits(metric), self.reported.names(metric.dialect()));
            let agreement = (reading.digits, reading.scaled, what != SCORE);
            (one.candidate.changes.len(), Reverse(named), agreement)
        });
        for (one, what, value, reading) in found {
            if one.is_confirmed(texts)? {
                return Ok(Some(given(one, what, value, Some(reading))));
            }
        }
        Ok(None)
    }
}

const SCORE: &str = "score";

/// The score of the corpus, and the mean of the segments' scores.
fn scores(tried: &Tried) -> Vec<(String, f64)> {
    let mean = tried.mean.map(|mean| ("mean of the segments' scores".to_owned(), mean));
    std::iter::once((SCORE.to_owned(), tried.corpus.value)).chain(mean).collect()
}

fn given(tried: &Tried, what: String, value: f64, reading: Option<Reading>) -> Given {
    Given {
        metric: tried.candidate.name.clone(),
        signature: tried.corpus.signature.to_string(),
        title: title(&tried.candidate.metric),
        what,
        value,
        reading,
    }
}
