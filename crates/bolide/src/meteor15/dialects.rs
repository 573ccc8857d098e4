//! The names and keys of METEOR 1.5, and the signature that spells out a configuration.

use super::config::{Configuration, Normalization, Options};
use super::language::{Language, Module};
use super::pipeline::{Pipeline, Resolution, Synonyms};
use super::search::Preference;
use super::stems::Stems;
use super::task::Task;
use super::{Meteor15, Supplied, WordLists};
use crate::arithmetic::decimal;
use crate::dialect::{Dialect, Merging, References};
use crate::error::{Error, ErrorKind, Result};
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::signature::{Keys, Signature, yes_no};

const REPRODUCES: &str = "meteor-1.5.jar (Denkowski and Lavie 2014)";

/// `meteor:1.5`.
pub(crate) const JAR: Dialect = Dialect {
    name: "meteor:1.5",
    family: &crate::meteor::FAMILY,
    aliases: &[
        // What pycocoevalcap runs: the jar with `-l en -norm`.
        "meteor:coco",
        "meteor:1.5-en",
        "meteor:1.5-cz",
        "meteor:1.5-cs",
        "meteor:1.5-fr",
        "meteor:1.5-es",
        "meteor:1.5-de",
        "meteor:1.5-ar-bw-red",
        "meteor:1.5-pt",
        "meteor:1.5-ru",
        "meteor:1.5-da",
        "meteor:1.5-ro",
        "meteor:1.5-hu",
        "meteor:1.5-tr",
        "meteor:1.5-fi",
        "meteor:1.5-nl",
        "meteor:1.5-it",
        "meteor:1.5-no",
        "meteor:1.5-se",
        "meteor:1.5-sv",
        "meteor:1.5-other",
    ],
    reproduces: REPRODUCES,
    summary: "the jar's tokenizer, matches and beam search; needs a paraphrase table for en cz de es fr ru",
    agreement: "all stored and generated pairs, every bit, with Java's pow as in StrictMath",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Best,
    merging: Merging::AnyOrder,
    alignment: true,
    build: |keys, resources| build(keys, resources, "meteor:1.5", BEAM, true),
};

/// `meteor:1.5-nopara`.
pub(crate) const NO_PARAPHRASES: Dialect = Dialect {
    name: "meteor:1.5-nopara",
    aliases: &[],
    reproduces: "meteor-1.5.jar without its paraphrase module",
    summary: "as meteor:1.5, but without paraphrases: never needs a table",
    build: |keys, resources| build(keys, resources, "meteor:1.5-nopara", BEAM, false),
    ..JAR
};

/// `meteor:1.5-optimal`.
#[cfg(feature = "meteor15-optimal")]
pub(crate) const OPTIMAL: Dialect = Dialect {
    name: "meteor:1.5-optimal",
    aliases: &[],
    reproduces: "the definition behind meteor-1.5.jar",
    summary: "the matches of meteor:1.5 resolved provably best instead of by its beam search",
    agreement: "proven for each segment, or reported as not proven",
    build: |keys, resources| {
        build(keys, resources, "meteor:1.5-optimal", Resolution::Optimal, true)
    },
    ..JAR
};

const BEAM: Resolution = Resolution::Beam(Preference::Coverage);

const NORMALIZATIONS: [(&str, Normalization); 4] = [
    ("none", Normalization::None),
    ("lower", Normalization::Lower),
    ("norm", Normalization::Norm),
    ("norm-nopunct", Normalization::NormNoPunct),
];

fn build(
    keys: &mut Keys,
    resources: &Resources,
    name: &'static str,
    resolution: Resolution,
    paraphrases: bool,
) -> Result<AnyMetric> {
    let metric = configure(keys, resources, name, resolution, paraphrases)?;
    Ok(AnyMetric::Meteor15(metric))
}

fn invalid<T>(message: String) -> Result<T> {
    Err(Error::new(ErrorKind::InvalidSignature, message))
}

fn configure(
    keys: &mut Keys,
    resources: &Resources,
    name: &'static str,
    resolution: Resolution,
    paraphrases: bool,
) -> Result<Meteor15> {
    // `meteor:1.5-de` is `meteor:1.5|language:de`.
    let of_name = keys.name().strip_prefix("meteor:1.5-").and_then(Language::parse);
    let language = read(keys, name, "language", Language::parse)?;
    if let (Some(one), Some(other)) = (of_name, language)
        && one != other
    {
        return invalid(format!("{}: the key language says {}", keys.name(), other.short()));
    }
    let language = language.or(of_name).unwrap_or(Language::English);
    let task = read(keys, name, "task", Task::parse)?;
    let mut configuration =
        Configuration::resolve(&Options { language: Some(language), task, ..Options::default() });
    if !paraphrases {
        configuration.modules.retain(|&module| module != Module::Paraphrase);
        configuration.weights.truncate(configuration.modules.len());
    }
    if let Some(modules) = read(keys, name, "modules", |text| {
        text.split('+').map(Module::parse).collect::<Option<Vec<_>>>()
    })? {
        if !paraphrases && modules.contains(&Module::Paraphrase) {
            return invalid(format!("{name} has no module paraphrase: use meteor:1.5"));
        }
        configuration.weights.resize(modules.len(), 0.0);
        configuration.modules = modules;
    }
    if let Some(weights) = read(keys, name, "weights", numbers)? {
        configuration.weights = weights;
    }
    if let Some(parameters) = read(keys, name, "params", numbers)? {
        // The jar has zeros for tasks without parameters of their own, and their signatures can be read.
        if parameters != configuration.parameters {
            check_ranges(name, &parameters)?;
        }
        configuration.parameters = parameters;
    }
    // The jar tokenises only with `-norm`, which nearly everyone uses.
    let usual = match language.has_tokenizer() {
        true => Normalization::Norm,
        false => Normalization::Lower,
    };
    configuration.normalization = keys.choice("norm", &NORMALIZATIONS, usual)?;
    configuration.characters = keys.yes_no("ch", false)?;
    if resolution == Resolution::Beam(Preference::Coverage) {
        configuration.beam = keys.whole("beam", 40, 1..=1_000_000)? as i32;
    }
    let function = read(keys, name, "function", Language::parse)?.unwrap_or(Language::English);
    let function_words = WordLists::new(resources.meteor15_words()?).function_words(function);
    let supplied = Supplied { function_words: Some(function_words), ..Supplied::default() };
    let mut metric = Meteor15::new(configuration, resolution, supplied, resources)?;
    metric.signature = signature(&metric.pipeline, function);
    if metric.signature.name() != name {
        // A configuration without paraphrases keeps the dialect's name.
        metric.signature = named(&metric.pipeline, function, name);
    }
    for key in ["wordnet", "paraphrases", "stems", "evalid"] {
        if let Some(given) = keys.take(key)
            && metric.signature.get(key) != Some(given.as_str())
        {
            return invalid(format!(
                "{name}: {key} is {} here, the signature says '{given}'",
                metric.signature.get(key).unwrap_or("not used")
            ));
        }
    }
    Ok(metric)
}

/// Refuses parameters for which the formula means nothing. The jar's command line takes any.
fn check_ranges(name: &str, parameters: &[f64]) -> Result<()> {
    for (of, &x) in ["alpha", "beta", "gamma", "delta"].into_iter().zip(parameters) {
        let (is_right, range) = match of {
            "beta" => (x > 0.0, "above 0"),
            _ => ((0.0..=1.0).contains(&x), "from 0 to 1"),
        };
        if !is_right {
            return invalid(format!("{name}: {of} in params is a number {range}, got {x}"));
        }
    }
    Ok(())
}

fn read<T>(
    keys: &mut Keys,
    name: &str,
    key: &'static str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>> {
    let Some(text) = keys.take(key) else { return Ok(None) };
    match parse(&text) {
        Some(value) => Ok(Some(value)),
        None => {
            let expected = match key {
                "language" | "function" => {
                    let codes: Vec<&str> = Language::all().map(Language::short).collect();
                    let what = "the jar has no others; of other, only equal words match";
                    &format!("one of {} ({what})", codes.join(", "))
                }
                "task" => "one of rank, adq, hter, util, li, tune, universal",
                "modules" => "exact, stem, synonym and paraphrase joined by +",
                _ => "numbers joined by _",
            };
            invalid(format!("{name}: {key} is {expected}, got '{text}'"))
        }
    }
}

fn numbers(text: &str) -> Option<Vec<f64>> {
    let number = |text: &str| decimal::parse(text).filter(|x| x.is_finite());
    text.split('_').map(number).collect()
}

/// The signature of a pipeline with the function words of a language.
pub(super) fn signature(pipeline: &Pipeline, function: Language) -> Signature {
    let name = match pipeline.resolution {
        #[cfg(feature = "meteor15-optimal")]
        Resolution::Optimal => OPTIMAL.name,
        Resolution::Beam(_) => JAR.name,
    };
    named(pipeline, function, name)
}

fn named(pipeline: &Pipeline, function: Language, name: &'static str) -> Signature {
    let Configuration { language, task, parameters, modules, weights, .. } =
        &pipeline.configuration;
    let join = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join("_");
    let normalization = pipeline.configuration.normalization;
    let normalization =
        NORMALIZATIONS.iter().find(|(_, n)| *n == normalization).map_or("none", |&(name, _)| name);
    let modules: Vec<&str> = modules.iter().map(|module| module.name()).collect();
    let mut signature = Signature::new(name)
        .with("language", language.short())
        .with("task", task.name())
        .with("modules", modules.join("+"))
        .with("weights", join(weights))
        .with("params", join(parameters))
        .with("norm", normalization)
        .with("ch", yes_no(pipeline.configuration.characters));
    if matches!(pipeline.resolution, Resolution::Beam(_)) {
        signature = signature.with("beam", pipeline.configuration.beam);
    }
    signature = signature.with("function", function.short());
    if matches!(pipeline.synonyms, Synonyms::WordNet(_)) {
        signature = signature.with("wordnet", "3.0");
    }
    if let Some(table) = &pipeline.table {
        signature = signature.with("paraphrases", table.id());
    }
    if let Stems::Table(table) = &pipeline.stems {
        signature = signature.with("stems", table.id());
    }
    signature.with("evalid", pipeline.configuration.eval_id())
}

#[cfg(all(test, feature = "embedded"))]
mod tests {
    use crate::Metric;

    #[test]
    fn an_unknown_language_gets_the_list_of_the_jar() {
        let named: crate::Result<Metric> = "meteor:1.5-nopara|language:zh".parse();
        let said = named.map(|metric| metric.signature().to_string()).unwrap_err().to_string();
        assert_eq!(
            said,
            "meteor:1.5-nopara: language is one of en, cz, fr, es, de, ar-bw-red, pt, ru, da, ro, hu, tr, fi, nl, it, no, \
             se, other (the jar has no others; of other, only equal words match), got 'zh'"
        );
    }

    #[test]
    fn parameters_out_of_range_are_refused_unless_the_task_has_them() {
        for (params, problem) in [
            ("-5_0.2_0.6_0.75", "alpha in params is a number from 0 to 1, got -5"),
            ("0.85_0_0.6_0.75", "beta in params is a number above 0, got 0"),
            ("0.85_0.2_2_0.75", "gamma in params is a number from 0 to 1, got 2"),
            ("0.85_0.2_0.6_-0.1", "delta in params is a number from 0 to 1, got -0.1"),
        ] {
            let named: crate::Result<Metric> = format!("meteor:1.5-nopara|params:{params}").parse();
            let said = named.map(|metric| metric.signature().to_string()).unwrap_err().to_string();
            assert_eq!(said, format!("meteor:1.5-nopara: {problem}"));
        }
        // The jar has no parameters for this task in German: all are 0.
        let german: Metric = "meteor:1.5-nopara|language:de|task:hter|norm:lower".parse().unwrap();
        let signature = german.signature().to_string();
        assert!(signature.contains("|params:0_0_0_0|"), "{signature}");
        assert_eq!(signature.parse::<Metric>().unwrap().signature().to_string(), signature);
    }
}
