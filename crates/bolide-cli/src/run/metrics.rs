//! Metrics as the user named them.

use super::Facts;
use crate::error::{Result, bail, usage};
use bolide::signature::Keys;
use bolide::{AnyMetric, Resources, Signature};
use bolide_store::Store;

/// A metric and the text that named it.
pub struct NamedMetric {
    /// What the user wrote: how tables and files call it.
    pub name: String,
    /// The metric itself.
    pub metric: AnyMetric,
    /// Decimals that tables print.
    pub decimals: usize,
    /// Corpus facts that stood in the name; they must hold for the corpus.
    facts: Vec<(String, String)>,
}

/// The embedded tables and, for METEOR 1.5, those of the user's folder.
pub fn resources(metric: &str) -> Result<Resources> {
    let embedded = Resources::embedded();
    if metric.trim_start().starts_with("meteor:1.5") {
        return Ok(Store::of_user()?.load(embedded)?);
    }
    Ok(embedded)
}

impl NamedMetric {
    /// Builds a metric from a partial signature. A mistake in it is one in the command line.
    pub fn parse(name: &str) -> Result<Self> {
        let wrong = |problem: bolide::Error| usage(problem.to_string());
        let metric = AnyMetric::build(name, &resources(name)?).map_err(wrong)?;
        let facts = Keys::parse(name).map_err(wrong)?.facts().to_vec();
        let decimals = metric.dialect().decimals;
        Ok(NamedMetric { name: name.to_owned(), metric, decimals, facts })
    }

    /// Builds all of them.
    pub fn parse_all(names: &[String]) -> Result<Vec<Self>> {
        names.iter().map(|name| Self::parse(name)).collect()
    }

    /// Whether a smaller score is better.
    pub fn lower_is_better(&self) -> bool {
        self.metric.dialect().lower_is_better
    }

    /// The full name, with the facts of the corpus that was scored.
    pub fn signature(&self, facts: &Facts) -> Signature {
        self.metric.signature().with_fact("nrefs", facts.nrefs())
    }

    /// Compares the facts in the name with those of the corpus.
    pub fn check_facts(&self, facts: &Facts) -> Result<()> {
        let nrefs = facts.nrefs();
        match self.facts.iter().find(|(key, _)| key == "nrefs") {
            Some((_, wanted)) if *wanted != nrefs => bail!(
                "'{}' is for {wanted} references, but the references given are nrefs:{nrefs}",
                self.name
            ),
            _ => Ok(()),
        }
    }
}
