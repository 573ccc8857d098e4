//! The options of sacreBLEU's BLEU, and how they are read from a signature.
//!
//! The parent module applies them.

use super::{MAX_ORDER, PEER_VERSION, SacreBleu};
use crate::arithmetic::{PythonSum, decimal};
use crate::error::{Error, ErrorKind, Result};
use crate::registry::AnyMetric;
use crate::resources::Resources;
use crate::signature::{Keys, invalid};
use crate::text::{intl, thirteen_a, whitespace, zh};
#[cfg(feature = "languages")]
use crate::text::{mecab::Dictionary, sentencepiece::SentencePiece};
#[cfg(feature = "languages")]
use std::sync::Arc;

/// How a line is split into words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tokenizer {
    /// mteval-v13a.
    ThirteenA,
    /// Punctuation of any script set apart.
    Intl,
    /// Chinese characters one by one, the rest by ASCII rules.
    Zh,
    /// Every character.
    Char,
    /// White space only.
    None,
    /// A model or a dictionary of the user.
    #[cfg(feature = "languages")]
    OfUser(OfUser),
}

/// A tokenizer with a model of the user, by its name in signatures.
#[cfg(feature = "languages")]
#[derive(Clone, Debug)]
pub struct OfUser {
    name: &'static str,
    model: Model,
}

/// What splits a text.
#[cfg(feature = "languages")]
#[derive(Clone, Debug)]
enum Model {
    /// One of sacreBLEU's SentencePiece models.
    Pieces(Arc<SentencePiece>),
    /// A dictionary of MeCab.
    Words(Dictionary),
}

#[cfg(feature = "languages")]
impl OfUser {
    /// The checksum of the model.
    fn id(&self) -> String {
        match &self.model {
            Model::Pieces(model) => model.id(),
            Model::Words(dictionary) => dictionary.id(),
        }
    }

    /// Replaces `out` by the tokens of a text with spaces between them.
    fn split(&self, text: &str, out: &mut String) {
        out.clear();
        let each = |token: &str| {
            out.push_str(token);
            out.push(' ');
        };
        match &self.model {
            Model::Pieces(model) => model.each_piece(text, each),
            Model::Words(dictionary) => {
                dictionary.each_word(text.trim_start_matches(whitespace::is_space), each);
            }
        }
    }
}

#[cfg(feature = "languages")]
impl PartialEq for OfUser {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.id() == other.id()
    }
}

#[cfg(feature = "languages")]
impl Eq for OfUser {}

/// What sacreBLEU calls its SentencePiece models, and how signatures name them.
const MODELS: [(&str, &str); 4] = [
    ("spm", "flores101"),
    ("flores101", "flores101"),
    ("flores200", "flores200"),
    ("spBLEU-1K", "spBLEU-1K"),
];

/// The tokenizers with a dictionary of MeCab: name, name in signatures, PyPI's package.
const DICTIONARIES: [(&str, &str, &str); 2] = [
    ("ja-mecab", "ja-mecab-0.996-IPA", "ipadic"),
    ("ko-mecab", "ko-mecab-0.996/ko-0.9.2-KO", "mecab-ko-dic"),
];

const TOKENIZERS: [(&str, Tokenizer); 5] = [
    ("13a", Tokenizer::ThirteenA),
    ("intl", Tokenizer::Intl),
    ("zh", Tokenizer::Zh),
    ("char", Tokenizer::Char),
    ("none", Tokenizer::None),
];

impl Tokenizer {
    /// Passes every token of a text to `each`. `buffer` is used if the text must be rewritten.
    pub fn each_token<'t>(
        &self,
        text: &'t str,
        buffer: &'t mut String,
        mut each: impl FnMut(&'t str),
    ) {
        match self {
            Tokenizer::ThirteenA => thirteen_a::each_token(text, buffer, each),
            Tokenizer::Intl => intl::each_token(text, each),
            Tokenizer::Zh => zh::each_token(text, each),
            Tokenizer::Char => text
                .char_indices()
                .filter(|&(_, c)| !whitespace::is_space(c))
                .for_each(|(at, c)| each(&text[at..at + c.len_utf8()])),
            Tokenizer::None => {
                text.split(whitespace::is_space).filter(|word| !word.is_empty()).for_each(each);
            }
            #[cfg(feature = "languages")]
            Tokenizer::OfUser(model) => {
                model.split(text, buffer);
                let tokens: &'t str = buffer;
                tokens.split(whitespace::is_space).filter(|word| !word.is_empty()).for_each(each);
            }
        }
    }

    pub(super) fn name(&self) -> &'static str {
        #[cfg(feature = "languages")]
        if let Tokenizer::OfUser(model) = self {
            return model.name;
        }
        TOKENIZERS.iter().find(|(_, tokenizer)| tokenizer == self).map_or("", |&(name, _)| name)
    }

    /// The checksum of the model, if it has one.
    pub(super) fn model(&self) -> Option<String> {
        match self {
            #[cfg(feature = "languages")]
            Tokenizer::OfUser(model) => Some(model.id()),
            _ => None,
        }
    }

    /// The tokenizer of a name. sacreBLEU's models are those of the user.
    pub fn find(name: &str, resources: &Resources) -> Result<Tokenizer> {
        if let Some((_, tokenizer)) = TOKENIZERS.iter().find(|(known, _)| *known == name) {
            return Ok(tokenizer.clone());
        }
        #[cfg(feature = "languages")]
        if let Some(&(_, name)) = MODELS.iter().find(|(known, _)| *known == name) {
            let model = Model::Pieces(resources.sentencepiece(name)?);
            return Ok(Tokenizer::OfUser(OfUser { name, model }));
        }
        #[cfg(feature = "languages")]
        if let Some(&(short, name, package)) =
            DICTIONARIES.iter().find(|(short, full, _)| [*short, *full].contains(&name))
        {
            let model = Model::Words(resources.mecab(short, package)?);
            return Ok(Tokenizer::OfUser(OfUser { name, model }));
        }
        #[cfg(not(feature = "languages"))]
        let _ = resources;
        let needs = match name {
            _ if DICTIONARIES.iter().any(|(short, ..)| name.starts_with(short)) => {
                const OTHER: &str = "another MeCab than that of sacreBLEU's own packages";
                if cfg!(feature = "languages") { OTHER } else { "MeCab" }
            }
            _ if MODELS.iter().any(|(known, _)| *known == name) => "a SentencePiece model",
            _ => {
                let of_user = match cfg!(feature = "languages") {
                    true => {
                        ", or with a model or dictionary of yours ja-mecab, ko-mecab, flores101, flores200, spBLEU-1K"
                    }
                    false => "",
                };
                return Err(invalid(format!(
                    "bleu: tok is one of 13a, intl, zh, char, none{of_user}, got '{name}'"
                )));
            }
        };
        Err(Error::new(
            ErrorKind::Unavailable,
            format!(
                "bleu: tok:{name} needs {needs}, which this build does not have: \
                 tokenise beforehand and use tok:none"
            ),
        ))
    }
}

/// How precisions of zero are smoothed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Smoothing {
    /// Not at all: the score is zero.
    None,
    /// Each zero counts half as much as the one before, starting at 1/2.
    Exp,
    /// A fixed number of matches instead of none.
    Floor(f64),
    /// A number that is added to matches and totals of the orders above one.
    AddK(f64),
}

impl Smoothing {
    fn parse(text: &str) -> Result<Smoothing> {
        let (method, value) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
            Some((method, value)) => (method, Some(value)),
            None => (text, None),
        };
        let number = |default: f64| match value.map(decimal::parse) {
            None => Ok(default),
            Some(Some(x)) if x.is_finite() && x >= 0.0 => Ok(x),
            Some(_) => Err(invalid(format!(
                "bleu: the value of smooth:{method} is a number from 0, got '{text}'"
            ))),
        };
        match (method, value) {
            ("none", None) => Ok(Smoothing::None),
            ("exp", None) => Ok(Smoothing::Exp),
            ("floor", _) => Ok(Smoothing::Floor(number(0.1)?)),
            ("add-k", _) => Ok(Smoothing::AddK(number(1.0)?)),
            _ => Err(invalid(format!(
                "bleu: smooth is one of exp, floor[VALUE], add-k[VALUE], none, got '{text}'"
            ))),
        }
    }

    /// As sacreBLEU writes it, with two decimals; more only if two would change the value.
    pub(super) fn name(self) -> String {
        let with = |method: &str, value: f64| {
            let short = format!("{value:.2}");
            if decimal::parse(&short) == Some(value) {
                format!("{method}[{short}]")
            } else {
                format!("{method}[{value}]")
            }
        };
        match self {
            Smoothing::None => "none".to_owned(),
            Smoothing::Exp => "exp".to_owned(),
            Smoothing::Floor(value) => with("floor", value),
            Smoothing::AddK(value) => with("add-k", value),
        }
    }
}

/// Whether orders longer than the hypothesis are left out of the mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EffectiveOrder {
    /// For single segments only.
    Segments,
    /// Never.
    Never,
    /// For segments and corpora.
    Always,
}

pub(super) fn build(keys: &mut Keys, resources: &Resources) -> Result<AnyMetric> {
    keys.expand(&[("c", "case"), ("e", "eff"), ("s", "smooth"), ("v", "version")]);
    let lowercase = keys.choice("case", &[("mixed", false), ("lc", true)], false)?;
    // These three parse their values themselves, because they allow more than fixed words.
    let effective = keys.take_word("eff", &["yes", "no"]);
    let tokenizer = keys.take_word("tok", &TOKENIZERS.map(|(name, _)| name));
    let tokenizer =
        tokenizer.map_or(Ok(Tokenizer::ThirteenA), |name| Tokenizer::find(&name, resources))?;
    if let Some(id) = tokenizer.model() {
        take_model(keys, tokenizer.name(), &id)?;
    }
    let smoothing = keys.take_word("smooth", &["exp", "floor", "add-k", "none"]);
    let smoothing = smoothing.map_or(Ok(Smoothing::Exp), |text| Smoothing::parse(&text))?;
    take_version(keys)?;
    let segments =
        keys.choice("segments", &[("effective", true), ("same", false)], effective.is_none())?;
    let effective_order = match (effective.as_deref(), segments) {
        (Some("yes"), _) => EffectiveOrder::Always,
        (None | Some("no"), true) => EffectiveOrder::Segments,
        (None | Some("no"), false) => EffectiveOrder::Never,
        (Some(other), _) => {
            return Err(invalid(format!("{}: eff is one of yes, no, got '{other}'", keys.name())));
        }
    };
    let max_order = keys.whole("order", 4, 1..=MAX_ORDER as u64)? as usize;
    let sum = take_sum(keys)?;
    Ok(AnyMetric::SacreBleu(SacreBleu {
        tokenizer,
        lowercase,
        smoothing,
        effective_order,
        max_order,
        sum,
    }))
}

/// Reads `model`, the checksum of a tokenizer's model: scores with another model would be other scores.
fn take_model(keys: &mut Keys, name: &str, id: &str) -> Result<()> {
    match keys.take("model") {
        Some(wanted) if wanted != id => Err(Error::new(
            ErrorKind::Unavailable,
            format!(
                "{}: tok:{name} needs the model with the checksum {wanted}, and yours is {id}",
                keys.name()
            ),
        )),
        _ => Ok(()),
    }
}

/// Reads `version`. All versions 2.* of sacreBLEU give the same numbers.
pub(crate) fn take_version(keys: &mut Keys) -> Result<()> {
    match keys.take("version") {
        Some(version) if version != "2" && !version.starts_with("2.") => Err(invalid(format!(
            "{}: version is 2.*, as this is sacreBLEU {PEER_VERSION}, got '{version}'",
            keys.name()
        ))),
        _ => Ok(()),
    }
}

/// Reads `sum`: the version of Python's float sum.
fn take_sum(keys: &mut Keys) -> Result<PythonSum> {
    let choices = [("py312", PythonSum::Compensated), ("py311", PythonSum::Plain)];
    keys.choice("sum", &choices, PythonSum::Compensated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Definition;
    use crate::signature::Expects;

    fn metric(text: &str) -> Result<SacreBleu> {
        match AnyMetric::build(text, &Resources::none())? {
            AnyMetric::SacreBleu(metric) => Ok(metric),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_line_from_a_paper_is_the_same_metric() {
        let long = "BLEU|nrefs:1|case:lc|eff:yes|tok:zh|smooth:floor[0.10]|version:2.3.1";
        let short = "bleu|#:1|c:lc|e:yes|tok:zh|s:floor|v:2.6.0";
        assert_eq!(metric(long).unwrap(), metric(short).unwrap());
        assert_eq!(
            metric(long).unwrap().signature().with_fact("nrefs", 1).sacrebleu_form().unwrap(),
            "nrefs:1|case:lc|eff:yes|tok:zh|smooth:floor[0.10]|version:2.6.0"
        );
    }

    #[test]
    fn signatures_parse_back() {
        for text in [
            "bleu",
            "bleu|eff:no",
            "bleu|eff:yes|tok:intl",
            "bleu|smooth:floor[0.125]|order:2|sum:py311",
            "bleu|smooth:add-k[0.50]|case:lc",
            "bleu|smooth:none|tok:char|segments:same",
        ] {
            let metric = metric(text).unwrap();
            let signature = metric.signature().to_string();
            assert_eq!(self::metric(&signature).unwrap(), metric, "{signature}");
        }
    }

    #[test]
    fn what_cannot_be_had_is_said_when_the_metric_is_built() {
        let model = if cfg!(feature = "languages") { "flores101" } else { "SentencePiece" };
        for (text, kind, part) in [
            ("bleu|tok:ja-mecab", ErrorKind::Unavailable, "needs MeCab"),
            ("bleu|tok:flores200", ErrorKind::Unavailable, "SentencePiece"),
            ("bleu|tok:spm", ErrorKind::Unavailable, model),
            ("bleu|tok:14a", ErrorKind::InvalidSignature, "13a, intl"),
            #[cfg(feature = "languages")]
            ("bleu|tok:ja", ErrorKind::InvalidSignature, "of yours ja-mecab, ko-mecab, flores101"),
            ("bleu|smooth:exp[2]", ErrorKind::InvalidSignature, "smooth is one of"),
            ("bleu|smooth:floor[x]", ErrorKind::InvalidSignature, "a number from 0"),
            ("bleu|version:1.5.1", ErrorKind::InvalidSignature, "version is 2.*"),
            ("bleu|eff:maybe", ErrorKind::InvalidSignature, "eff is one of"),
            ("bleu|order:10", ErrorKind::InvalidSignature, "from 1 to 9"),
        ] {
            let error = metric(text).unwrap_err();
            assert_eq!(error.kind(), kind, "{text}");
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn keys_that_read_their_own_values_list_the_words_too() {
        let keys = super::super::SACREBLEU.keys(&Resources::none()).unwrap();
        for (key, word) in [("tok", "intl"), ("smooth", "add-k"), ("eff", "yes")] {
            let key = keys.iter().find(|known| known.name == key).unwrap();
            let Expects::Word { words } = &key.expects else { panic!("{key:?}") };
            assert!(words.iter().any(|known| known == word), "{key:?}");
        }
    }
}
