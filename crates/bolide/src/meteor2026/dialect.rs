//! `meteor:2026`: its entry in the registry, its keys and its frozen defaults.

use super::stages::{Rules, Stage};
use super::{Meteor2026, Parameters};
use crate::arithmetic::decimal;
use crate::dialect::{Dialect, Merging, References};
use crate::error::Result;
#[cfg(feature = "languages")]
use crate::language::Split;
use crate::language::{ENGLISH, Language};
use crate::lexicon::Thesaurus;
use crate::meteor::align::Budget;
#[cfg(feature = "languages")]
use crate::meteor::synonyms::{self, Choice};
use crate::meteor::{FAMILY, take_language};
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::signature::{Keys, Signature, invalid};

/// Frozen in 2026: a new definition would be a new dialect.
const RULES: Rules = Rules { near: 60, shared: 3, credits: [100, 50, 70, 50], punctuation: 10 };
const PARAMETERS: Parameters = Parameters { alpha: 0.7, gamma: 0.4 };

pub(crate) const DIALECT: Dialect = Dialect {
    name: "meteor:2026",
    family: &FAMILY,
    aliases: &[],
    reproduces: "docs/meteor-2026.md",
    summary: "partial credit for case, synonyms and near words; any language; fitted to people",
    agreement: "a second implementation, brute force on small cases",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Best,
    merging: Merging::AnyOrder,
    alignment: true,
    build,
};

fn build(keys: &mut Keys, resources: &Resources) -> Result<AnyMetric> {
    let language = take_language(keys)?;
    let lexicon = take_synonyms(keys, language, resources)?;
    let rules = Rules {
        near: hundredths(keys, "near", RULES.near)?,
        shared: keys.whole("shared", RULES.shared.into(), 1..=255)? as u32,
        credits: take_credits(keys)?,
        punctuation: hundredths(keys, "punct", RULES.punctuation)?,
    };
    let parameters = Parameters {
        alpha: share(keys, "alpha", PARAMETERS.alpha)?,
        gamma: share(keys, "gamma", PARAMETERS.gamma)?,
    };
    let mut budget = Budget::default();
    budget.visits = keys.whole("budget", budget.visits, 0..=u64::MAX)?;
    Ok(AnyMetric::Meteor2026(Meteor2026 { language, rules, parameters, lexicon, budget }))
}

/// `syn`: WordNet, or in another language than English the name of a table, as `synonyms` of `meteor:classic`.
fn take_synonyms(
    keys: &mut Keys,
    language: &Language,
    resources: &Resources,
) -> Result<Option<Thesaurus>> {
    #[cfg(feature = "languages")]
    if *language != ENGLISH {
        // The tokens of scripts without spaces are characters, of which few have synonyms.
        let is_default = language.tokens == Split::Intl;
        let choice = synonyms::take(keys, "syn", language, (resources, is_default))?;
        return Ok(match choice {
            Choice::Table { table, .. } => Some(Thesaurus::Table(table)),
            Choice::Default | Choice::None => None,
        });
    }
    #[cfg(not(feature = "languages"))]
    let _ = language;
    if !keys.choice("syn", &[("wordnet", true), ("none", false)], true)? {
        return Ok(None);
    }
    keys.choice("data", &[("wordnet-3.0", ())], ())?;
    Ok(Some(Thesaurus::WordNet(resources.lexicon("meteor:2026")?)))
}

/// A number from 0 to 1.
fn share(keys: &mut Keys, key: &'static str, default: f64) -> Result<f64> {
    let x = keys.number(key, default)?;
    match (0.0..=1.0).contains(&x) {
        true => Ok(x),
        false => Err(invalid(format!("meteor:2026: {key} is a number from 0 to 1, got {x}"))),
    }
}

/// A number from 0 to 1 with at most two decimals.
fn hundredths(keys: &mut Keys, key: &'static str, default: u32) -> Result<u32> {
    let x = share(keys, key, f64::from(default) / 100.0)?;
    whole_hundredths(x).ok_or_else(|| {
        invalid(format!("meteor:2026: {key} is a number of two decimals at most, got {x}"))
    })
}

fn whole_hundredths(x: f64) -> Option<u32> {
    let n = (100.0 * x).round();
    ((0.0..=100.0).contains(&x) && n / 100.0 == x && n <= 100.0).then_some(n as u32)
}

/// `credits:1_0.5_0.7_0.5`, by [`Stage`]. That of equal words is always 1; the others are relative to it.
fn take_credits(keys: &mut Keys) -> Result<[u32; 4]> {
    let Some(text) = keys.take("credits") else { return Ok(RULES.credits) };
    let numbers = text.split('_').map(|part| decimal::parse(part).and_then(whole_hundredths));
    let credits = numbers.collect::<Option<Vec<u32>>>().and_then(|list| list.try_into().ok());
    credits.filter(|credits: &[u32; 4]| credits[0] == 100).ok_or_else(|| {
        let names = Stage::ALL.map(Stage::name).join(", ");
        invalid(format!(
            "meteor:2026: credits are four numbers from 0 to 1 of two decimals at most for {names}, the \
             first of them 1, as in {}, got '{text}'",
            written(&RULES.credits)
        ))
    })
}

fn written(credits: &[u32; 4]) -> String {
    credits.map(|credit| (f64::from(credit) / 100.0).to_string()).join("_")
}

/// The full name.
pub(super) fn signature(metric: &Meteor2026) -> Signature {
    let Meteor2026 { language, rules, parameters, lexicon, budget } = metric;
    let hundredths = |n: u32| f64::from(n) / 100.0;
    let mut signature = Signature::new("meteor:2026");
    // Without the key texts are of any language, with English synonyms.
    if **language != ENGLISH {
        signature = signature.with("language", language.code);
    }
    signature = match lexicon {
        #[cfg(feature = "languages")]
        Some(Thesaurus::Table(table)) => signature.with("syn", table.name()),
        Some(Thesaurus::WordNet(_)) => signature.with("syn", "wordnet"),
        None => signature.with("syn", "none"),
    };
    signature = signature
        .with("near", hundredths(rules.near))
        .with("shared", rules.shared)
        .with("credits", written(&rules.credits))
        .with("punct", hundredths(rules.punctuation))
        .with("alpha", parameters.alpha)
        .with("gamma", parameters.gamma);
    // The version implies the default budget; the signature names any other.
    if *budget != Budget::default() {
        signature = signature.with("budget", budget.visits);
    }
    match lexicon {
        Some(Thesaurus::WordNet(_)) => signature.with("data", "wordnet-3.0"),
        _ => signature,
    }
}
