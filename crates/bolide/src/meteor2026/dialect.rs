//! `meteor:2026`: its entry in the registry, its keys and its frozen defaults.

use super::stages::{Rules, Stage};
use super::{Meteor2026, Parameters};
use crate::arithmetic::decimal;
use crate::dialect::{Dialect, Merging, References};
use crate::error::{Error, Result};
#[cfg(feature = "languages")]
use crate::language;
use crate::lexicon::Thesaurus;
#[cfg(feature = "languages")]
use crate::lexicon::synonyms::ORIGINS;
use crate::meteor::FAMILY;
use crate::meteor::align::Budget;
#[cfg(feature = "languages")]
use crate::meteor::synonyms;
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
    let lexicon = take_lexicon(keys, resources)?;
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
    Ok(AnyMetric::Meteor2026(Meteor2026 { rules, parameters, lexicon, budget }))
}

/// `syn`: WordNet, none, or an imported table such as `omw-fi`, by its name alone or with its checksum. A table counts
/// only if the key names it: what is installed must not change a number.
fn take_lexicon(keys: &mut Keys, resources: &Resources) -> Result<Option<Thesaurus>> {
    match keys.take_word("syn", &["wordnet", "none"]).as_deref() {
        None | Some("wordnet") => {
            keys.choice("data", &[("wordnet-3.0", ())], ())?;
            Ok(Some(Thesaurus::WordNet(resources.lexicon("meteor:2026")?)))
        }
        Some("none") => Ok(None),
        Some(wanted) => imported(wanted, resources).map(Some),
    }
}

#[cfg(feature = "languages")]
fn imported(wanted: &str, resources: &Resources) -> Result<Thesaurus> {
    let mut parts = wanted.splitn(3, '-');
    match (parts.next(), parts.next()) {
        (Some(origin), Some(code)) if ORIGINS.contains(&origin) => {
            let table = synonyms::find("meteor:2026", wanted, language::find(code)?, resources)?;
            Ok(Thesaurus::Table(table))
        }
        _ => Err(no_synonyms(wanted)),
    }
}

/// Without the other languages there are no imported tables.
#[cfg(not(feature = "languages"))]
fn imported(wanted: &str, _: &Resources) -> Result<Thesaurus> {
    Err(no_synonyms(wanted))
}

fn no_synonyms(wanted: &str) -> Error {
    invalid(format!(
        "meteor:2026: syn is one of wordnet, none or the name of an imported table, such as omw-fi, got '{wanted}'"
    ))
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
    let Meteor2026 { rules, parameters, lexicon, budget } = metric;
    let hundredths = |n: u32| f64::from(n) / 100.0;
    let synonyms = match lexicon {
        Some(Thesaurus::WordNet(_)) => "wordnet".to_owned(),
        #[cfg(feature = "languages")]
        Some(Thesaurus::Table(table)) => table.name(),
        None => "none".to_owned(),
    };
    let mut signature = Signature::new("meteor:2026")
        .with("syn", synonyms)
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
