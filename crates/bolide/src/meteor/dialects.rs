//! The named METEOR dialects: what each reproduces, its keys and its defaults.

use super::align::{self, Objective, Settings};
use super::greedy::Leftovers;
use super::{Corpus, LaterStages, Meteor, Method, Parameters, Stemmer, Tokenizer};
use crate::dialect::{Dialect, Family, Merging, References};
use crate::error::{Error, ErrorKind, Result};
use crate::language::{self, ENGLISH, LANGUAGES, Language, Split};
use crate::lexicon::{Thesaurus, snowball3};
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::signature::{Keys, Signature, invalid};

/// `match`: the stages besides the exact one, stem and synonym.
const MATCHES: [(&str, (bool, bool)); 4] = [
    ("exact", (false, false)),
    ("exact+stem", (true, false)),
    ("exact+synonym", (false, true)),
    ("exact+stem+synonym", (true, true)),
];

const OBJECTIVES: [(&str, Objective); 2] =
    [("chunks", Objective::Chunks), ("crossings", Objective::Crossings)];

const STEMMERS: [(&str, Stemmer); 2] =
    [("porter", Stemmer::Porter), ("snowball", Stemmer::Snowball)];

/// `tok`: the tokenizer. The peers know the first two.
const TOKENIZERS: [(&str, Tok); 6] = [
    ("space", Tok::Space),
    ("nltk", Tok::Words),
    ("intl", Tok::Intl),
    ("unspaced", Tok::Unspaced),
    (language::WORDS, Tok::Dictionary),
    // What people write; signatures have the name with the version.
    ("words", Tok::Dictionary),
];

/// A tokenizer without the tables that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tok {
    Space,
    Words,
    Intl,
    Unspaced,
    Dictionary,
}

pub(crate) const FAMILY: Family =
    Family { name: "meteor", title: "METEOR", default: "meteor:classic" };

pub(crate) const TEXTBOOK: Dialect = Dialect {
    name: "meteor:textbook",
    family: &FAMILY,
    aliases: &[],
    reproduces: "the teaching definition",
    summary: "exact matches with clipped counts; chunks are runs in the hypothesis",
    agreement: "worked examples",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Best,
    merging: Merging::AnyOrder,
    alignment: true,
    build: |keys, resources| {
        let tok = keys.choice("tok", &TOKENIZERS[..2], Tok::Space)?;
        let tokenizer = tokenizer(tok, keys.name(), resources)?;
        let meteor = Meteor {
            name: "meteor:textbook",
            language: &ENGLISH,
            method: Method::Textbook,
            stages: LaterStages { stem: None, synonym: false },
            tokenizer,
            lowercase: take_case(keys)?,
            #[cfg(feature = "languages")]
            composed: false,
            parameters: take_parameters(keys)?,
            corpus: Corpus::Mean,
            lexicon: None,
            settings: Settings::default(),
        };
        Ok(AnyMetric::Meteor(meteor))
    },
};

pub(crate) const CLASSIC: Dialect = Dialect {
    name: "meteor:classic",
    family: &FAMILY,
    aliases: &["meteor"],
    reproduces: "Banerjee & Lavie 2005",
    summary: "exact, Porter, WordNet; the alignment with the fewest chunks, proven",
    agreement: "brute force on small cases, an integer program on documents",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Best,
    merging: Merging::AnyOrder,
    alignment: true,
    build: |keys, resources| {
        let language = take_language(keys)?;
        let tok = match language.tokens {
            Split::Nltk => Tok::Words,
            Split::Intl => Tok::Intl,
            Split::Unspaced => Tok::Unspaced,
            Split::Words => Tok::Dictionary,
        };
        let tok = keys.choice("tok", &TOKENIZERS, tok)?;
        let stages = take_matches(keys, language, resources, tok)?;
        let objective = keys.choice("objective", &OBJECTIVES, Objective::Chunks)?;
        let mut budget = align::Budget::default();
        let visits = keys.whole("budget", budget.visits, 0..=u64::MAX)?;
        if visits != budget.visits {
            // An explicit budget also lifts the limit per word.
            budget = align::Budget { visits, visits_per_word: u64::MAX, ..budget };
        }
        let settings = Settings { objective, budget, ..Settings::default() };
        build(
            ("meteor:classic", language),
            (Method::Optimal, Corpus::Pooled, tok),
            (stages, settings),
            keys,
            resources,
        )
    },
};

pub(crate) const NLTK: Dialect = Dialect {
    name: "meteor:nltk",
    family: &FAMILY,
    aliases: &[],
    reproduces: "NLTK 3.10.4 meteor_score",
    summary: "NLTK's greedy alignment; synonyms are looked up by stem; white-space tokens",
    agreement: "bit for bit",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Best,
    merging: Merging::AnyOrder,
    alignment: true,
    build: |keys, resources| {
        let kind = (Method::Greedy(Leftovers::Stems), Corpus::Mean, Tok::Space);
        greedy("meteor:nltk", kind, keys, resources)
    },
};

pub(crate) const HF: Dialect = Dialect {
    name: "meteor:hf",
    family: &FAMILY,
    aliases: &["meteor:evaluate"],
    reproduces: "Hugging Face evaluate 0.4.6 meteor",
    summary: "NLTK's METEOR after word_tokenize, averaged as numpy does",
    agreement: "bit for bit",
    decimals: 4,
    range: (0.0, 1.0),
    lower_is_better: false,
    references: References::Best,
    merging: Merging::PartsInOrder,
    alignment: true,
    build: |keys, resources| {
        let kind = (Method::Greedy(Leftovers::Stems), Corpus::NumpyMean, Tok::Words);
        greedy("meteor:hf", kind, keys, resources)
    },
};

pub(crate) const NLTK_362: Dialect = Dialect {
    name: "meteor:nltk-3.6.2",
    family: &FAMILY,
    aliases: &[],
    reproduces: "NLTK 3.4.1 to 3.6.2 meteor_score",
    summary: "the old NLTK on strings, which counts some words twice; scores can exceed 1",
    agreement: "bit for bit",
    decimals: 4,
    range: (0.0, f64::INFINITY),
    lower_is_better: false,
    references: References::Best,
    merging: Merging::AnyOrder,
    alignment: true,
    build: |keys, resources| {
        let kind = (Method::Greedy(Leftovers::WordsAgain), Corpus::Mean, Tok::Space);
        greedy("meteor:nltk-3.6.2", kind, keys, resources)
    },
};

fn greedy(
    name: &'static str,
    (method, corpus, tok): (Method, Corpus, Tok),
    keys: &mut Keys,
    resources: &Resources,
) -> Result<AnyMetric> {
    let stages = (take_stages(keys, &ENGLISH, (true, true))?, None);
    let tok = keys.choice("tok", &TOKENIZERS[..2], tok)?;
    build((name, &ENGLISH), (method, corpus, tok), (stages, Settings::default()), keys, resources)
}

fn build(
    (name, language): (&'static str, &'static Language),
    (method, corpus, tok): (Method, Corpus, Tok),
    ((stages, table), settings): ((LaterStages, Option<Thesaurus>), Settings),
    keys: &mut Keys,
    resources: &Resources,
) -> Result<AnyMetric> {
    let tokenizer = tokenizer(tok, keys.name(), resources)?;
    let lowercase = take_case(keys)?;
    #[cfg(feature = "languages")]
    let composed = method == Method::Optimal && take_normal(keys, language)?;
    let parameters = take_parameters(keys)?;
    let lexicon = if stages.synonym && table.is_none() {
        keys.choice("data", &[("wordnet-3.0", ())], ())?;
        Some(Thesaurus::WordNet(resources.lexicon(name)?))
    } else {
        table
    };
    Ok(AnyMetric::Meteor(Meteor {
        name,
        language,
        method,
        stages,
        tokenizer,
        lowercase,
        #[cfg(feature = "languages")]
        composed,
        parameters,
        corpus,
        lexicon,
        settings,
    }))
}

pub(crate) fn take_language(keys: &mut Keys) -> Result<&'static Language> {
    let codes: Vec<&str> = LANGUAGES.iter().map(|language| language.code).collect();
    match keys.take_word("language", &codes) {
        Some(tag) => language::find(&tag),
        None => Ok(&ENGLISH),
    }
}

/// The stages of `classic`, and the imported table that the last of them looks words up in.
#[cfg(feature = "languages")]
fn take_matches(
    keys: &mut Keys,
    language: &Language,
    resources: &Resources,
    tok: Tok,
) -> Result<(LaterStages, Option<Thesaurus>)> {
    // Few characters have synonyms, so these are not the default where characters are the tokens.
    let is_default = tok != Tok::Unspaced;
    let choice = super::synonyms::take(keys, "synonyms", language, (resources, is_default))?;
    let default = (language.stems.is_some(), choice.has_synonyms(language));
    let stages = take_stages(keys, language, default)?;
    Ok((stages, choice.used(keys.name(), stages.synonym)?))
}

/// Without the other languages there are no imported tables.
#[cfg(not(feature = "languages"))]
fn take_matches(
    keys: &mut Keys,
    language: &Language,
    _: &Resources,
    _: Tok,
) -> Result<(LaterStages, Option<Thesaurus>)> {
    Ok((take_stages(keys, language, (true, true))?, None))
}

fn take_stages(keys: &mut Keys, language: &Language, default: (bool, bool)) -> Result<LaterStages> {
    let (stem, synonym) = keys.choice("match", &MATCHES, default)?;
    let lacks = |what: &str| {
        let (metric, code, default) = (keys.name(), language.code, name_of(&MATCHES, default));
        invalid(format!(
            "{metric}: {} has no {what} here; language:{code} takes match:{default}",
            language.name
        ))
    };
    if synonym && !default.1 {
        return Err(lacks("synonyms"));
    }
    if stem && !default.0 {
        return Err(lacks("stemmer"));
    }
    let stem = match stem {
        true if *language == ENGLISH => Some(keys.choice("stemmer", &STEMMERS, Stemmer::Porter)?),
        true => {
            keys.choice("stemmer", &[(language::SNOWBALL, ())], ())?;
            let stemmer = snowball3::Stemmer::of(language.code).ok_or_else(|| {
                let message = format!(
                    "{}: the stemmers of other languages than English are not part of this build",
                    keys.name()
                );
                Error::new(ErrorKind::Unavailable, message)
            })?;
            Some(Stemmer::Snowball3(stemmer))
        }
        false => None,
    };
    Ok(LaterStages { stem, synonym })
}

fn tokenizer(tok: Tok, metric: &str, resources: &Resources) -> Result<Tokenizer> {
    match tok {
        Tok::Space => Ok(Tokenizer::Space),
        Tok::Words => resources.word_tokenizer(metric).map(Tokenizer::Words),
        Tok::Intl => Ok(Tokenizer::Intl),
        Tok::Unspaced => Ok(Tokenizer::Unspaced),
        #[cfg(feature = "words")]
        Tok::Dictionary => Ok(Tokenizer::Dictionary(crate::text::words::Segmenter::new())),
        #[cfg(not(feature = "words"))]
        Tok::Dictionary => {
            let message = format!(
                "{metric}: tok:words is not part of this build, which lacks the dictionaries; tok:unspaced takes characters"
            );
            Err(Error::new(ErrorKind::Unavailable, message))
        }
    }
}

fn take_case(keys: &mut Keys) -> Result<bool> {
    keys.choice("case", &[("lower", true), ("mixed", false)], true)
}

/// `normal`: whether composed and decomposed letters are equal. English is as it was before there was the key.
#[cfg(feature = "languages")]
fn take_normal(keys: &mut Keys, language: &Language) -> Result<bool> {
    keys.choice("normal", &[("none", false), ("nfc", true)], *language != ENGLISH)
}

/// What α and γ are: beyond it the formula gives numbers, but none that are METEOR's.
const SHARE: &str = "from 0 to 1";

fn is_share(number: f64) -> bool {
    (0.0..=1.0).contains(&number)
}

fn take_parameters(keys: &mut Keys) -> Result<Parameters> {
    let Parameters { alpha, beta, gamma } = Parameters::CLASSIC;
    Ok(Parameters {
        alpha: keys.number_that_is("alpha", alpha, SHARE, is_share)?,
        beta: keys.number_that_is("beta", beta, "above 0", |beta| beta > 0.0)?,
        gamma: keys.number_that_is("gamma", gamma, SHARE, is_share)?,
    })
}

/// The full name of a configured METEOR.
pub(super) fn signature(meteor: &Meteor) -> Signature {
    let mut signature = Signature::new(meteor.name);
    // Signatures without the key are English, as they were before there was one.
    if *meteor.language != ENGLISH {
        signature = signature.with("language", meteor.language.code);
    }
    if meteor.method != Method::Textbook {
        let LaterStages { stem, synonym } = meteor.stages;
        signature = signature.with("match", name_of(&MATCHES, (stem.is_some(), synonym)));
        if let Some(stemmer) = stem {
            let stemmer = match stemmer {
                Stemmer::Snowball3(_) => language::SNOWBALL,
                stemmer => name_of(&STEMMERS, stemmer),
            };
            signature = signature.with("stemmer", stemmer);
        }
    }
    if meteor.method == Method::Optimal {
        let Settings { objective, budget, .. } = meteor.settings;
        signature = signature.with("objective", name_of(&OBJECTIVES, objective));
        // The version implies the default budget, so only another budget is written.
        if budget != align::Budget::default() {
            signature = signature.with("budget", budget.visits);
        }
    }
    let tok = match meteor.tokenizer {
        Tokenizer::Space => Tok::Space,
        Tokenizer::Words(_) => Tok::Words,
        Tokenizer::Intl => Tok::Intl,
        Tokenizer::Unspaced => Tok::Unspaced,
        #[cfg(feature = "words")]
        Tokenizer::Dictionary(_) => Tok::Dictionary,
    };
    signature = signature
        .with("tok", name_of(&TOKENIZERS, tok))
        .with("case", if meteor.lowercase { "lower" } else { "mixed" });
    #[cfg(feature = "languages")]
    if meteor.composed || *meteor.language != ENGLISH {
        signature = signature.with("normal", if meteor.composed { "nfc" } else { "none" });
    }
    signature = signature
        .with("alpha", meteor.parameters.alpha)
        .with("beta", meteor.parameters.beta)
        .with("gamma", meteor.parameters.gamma);
    match &meteor.lexicon {
        Some(Thesaurus::WordNet(_)) => signature.with("data", "wordnet-3.0"),
        #[cfg(feature = "languages")]
        Some(Thesaurus::Table(table)) => signature.with("synonyms", table.name()),
        None => signature,
    }
}

/// The word for a value in a signature; every value is in its list.
fn name_of<T: PartialEq>(choices: &[(&'static str, T)], value: T) -> &'static str {
    choices.iter().find(|(_, other)| *other == value).map_or("", |(name, _)| name)
}
