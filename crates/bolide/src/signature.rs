//! Signatures: the full name of a configured metric, and the parser of partial signatures.
//!
//! A signature is `family:dialect|key:value|…|bolide:VERSION`. A metric's name is a *partial* signature:
//! missing keys take the dialect's defaults, and the printed signature is the full form, which parses back to
//! the same configuration. The corpus appends facts such as the number of references, because a metric does
//! not remember what it scored.

use crate::arithmetic::decimal;
use crate::error::{Error, ErrorKind, Result};
use crate::record::digest;
use std::fmt;
use std::sync::Arc;

/// The version that every signature ends with.
///
/// ```
/// let score = bolide::score("ter", "a", &["a"]).unwrap();
/// assert!(score.signature.to_string().ends_with(&format!("|bolide:{}", bolide::VERSION)));
/// ```
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Keys that describe the corpus or the resampling, not the metric. They may stand before or among the
/// metric's own keys and are checked against the data.
pub const FACTS: [&str; 8] = ["nrefs", "bs", "ar", "seed", "test", "lang", "origlang", "subset"];

/// The full name of a configured metric, in printing order.
///
/// ```
/// # #[cfg(feature = "embedded")] {
/// let metric: bolide::Metric = "bleu|tok:intl".parse()?;
/// let signature = metric.signature();
/// assert_eq!((signature.name(), signature.get("tok")), ("bleu:sacrebleu", Some("intl")));
/// let again: bolide::Metric = signature.to_string().parse()?;
/// assert_eq!(again, metric);
/// # }
/// # Ok::<(), bolide::Error>(())
/// ```
///
/// Cloning is cheap, because every score has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature(Arc<Parts>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    name: String,
    facts: Vec<(String, String)>,
    keys: Vec<(&'static str, String)>,
}

impl Signature {
    /// Starts a signature with `family:dialect`.
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Signature(Arc::new(Parts { name: name.into(), facts: Vec::new(), keys: Vec::new() }))
    }

    /// Adds a key of the configuration.
    pub(crate) fn with(mut self, key: &'static str, value: impl fmt::Display) -> Self {
        Arc::make_mut(&mut self.0).keys.push((key, value.to_string()));
        self
    }

    /// Adds a corpus fact (`nrefs`, `seed`, …), printed before the metric's own keys.
    pub fn with_fact(mut self, key: &str, value: impl fmt::Display) -> Self {
        Arc::make_mut(&mut self.0).facts.push((key.to_owned(), value.to_string()));
        self
    }

    /// A hash. Different signatures have different fingerprints, except by a negligible accident.
    pub(crate) fn fingerprint(&self) -> u64 {
        digest(self.to_string().as_bytes())
    }

    /// `family:dialect`.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The value of a key of the configuration.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.keys.iter().find(|(k, _)| *k == key).map(|(_, v)| v.as_str())
    }

    /// The signature as sacreBLEU prints it: without our name, ending with its `version`.
    ///
    /// `None` for a metric whose keys are not sacreBLEU's.
    pub fn sacrebleu_form(&self) -> Option<String> {
        let Parts { facts, keys, .. } = &*self.0;
        let n_keys = 1 + keys.iter().position(|&(key, _)| key == "version")?;
        let facts = facts.iter().map(|(key, value)| (key.as_str(), value));
        let keys = keys[..n_keys].iter().map(|(key, value)| (*key, value));
        let pairs: Vec<String> =
            facts.chain(keys).map(|(key, value)| format!("{key}:{value}")).collect();
        Some(pairs.join("|"))
    }

    /// Facts, then keys, then the version, as `(key, value)`.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let facts = self.0.facts.iter().map(|(k, v)| (k.as_str(), v.as_str()));
        let keys = self.0.keys.iter().map(|(k, v)| (*k, v.as_str()));
        facts.chain(keys).chain(std::iter::once(("bolide", VERSION)))
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name)?;
        self.pairs().try_for_each(|(key, value)| write!(f, "|{key}:{value}"))
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Signature {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A key that a dialect understands.
///
/// With the feature `serde` it is written flat: `{"name", "expects", "words"?, "min"?, "max"?}`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// The values that the key accepts.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub expects: Expects,
}

/// The values that a key accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "expects", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Expects {
    /// One of these words.
    Word {
        /// In display order.
        words: Vec<String>,
    },
    /// A finite number.
    Number,
    /// A whole number within bounds.
    Whole {
        /// The smallest.
        min: u64,
        /// The largest; `u64::MAX` means no limit and is not serialised.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_unlimited"))]
        max: u64,
    },
    /// Text that the dialect parses itself.
    Text,
}

/// Whether the largest value means no limit. JavaScript cannot represent it.
#[cfg(feature = "serde")]
fn is_unlimited(max: &u64) -> bool {
    *max == u64::MAX
}

/// The keys of a partial signature. The dialect takes them one by one.
///
/// A key that is left when [`finish`](Keys::finish) is called is an error. The error lists the keys that the
/// dialect asked for, so the list of valid keys is written only once.
#[derive(Clone, Debug)]
pub struct Keys {
    name: String,
    pairs: Vec<(String, String)>,
    facts: Vec<(String, String)>,
    asked: Vec<Key>,
}

impl Keys {
    /// Splits `family[:dialect]|key:value|…`. The version key `bolide` is read and dropped.
    pub fn parse(text: &str) -> Result<Self> {
        let mut parts = text.split('|');
        let name = parts.next().unwrap_or_default().trim().to_owned();
        let mut keys = Keys { name, pairs: Vec::new(), facts: Vec::new(), asked: Vec::new() };
        for part in parts {
            let Some((key, value)) = part.split_once(':') else {
                return Err(invalid(format!("'{part}' in '{text}' is not of the form key:value")));
            };
            let (key, value) = (key.trim(), value.trim().to_owned());
            // sacreBLEU's short forms of two corpus facts.
            let key = match key {
                "#" => "nrefs",
                "rs" => "seed",
                key => key,
            };
            let key = key.to_owned();
            if keys.pairs.iter().chain(&keys.facts).any(|(k, _)| *k == key) {
                return Err(invalid(format!("the key '{key}' is given twice in '{text}'")));
            }
            if FACTS.contains(&key.as_str()) {
                keys.facts.push((key, value));
            } else if key != "bolide" {
                keys.pairs.push((key, value));
            }
        }
        Ok(keys)
    }

    /// The name as given: `family` or `family:dialect`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Calls the metric by the name that the registry has for it.
    pub(crate) fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    /// Corpus facts in the signature, to be checked against the data.
    pub fn facts(&self) -> &[(String, String)] {
        &self.facts
    }

    /// Renames keys that another program abbreviates. A key in its long form stays.
    pub fn expand(&mut self, short_forms: &[(&str, &str)]) {
        for &(short, long) in short_forms {
            if self.pairs.iter().any(|(key, _)| key == long) {
                continue;
            }
            if let Some((key, _)) = self.pairs.iter_mut().find(|(key, _)| key == short) {
                *key = long.to_owned();
            }
        }
    }

    /// Takes the text of a key, if given.
    pub fn take(&mut self, key: &'static str) -> Option<String> {
        self.fetch(key, Expects::Text)
    }

    /// Takes the text of a key, if given, for a dialect that parses it itself. `words` are the values to
    /// list; the dialect decides about other texts.
    pub fn take_word(&mut self, key: &'static str, words: &[&str]) -> Option<String> {
        let words = words.iter().map(|&word| word.to_owned()).collect();
        self.fetch(key, Expects::Word { words })
    }

    /// The text of a key that has not been taken, if given.
    #[cfg(feature = "languages")]
    pub(crate) fn given(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(k, _)| k == key).map(|(_, text)| text.as_str())
    }

    /// The keys that the dialect has asked for so far.
    pub fn asked(&self) -> &[Key] {
        &self.asked
    }

    fn fetch(&mut self, key: &'static str, expects: Expects) -> Option<String> {
        self.asked.push(Key { name: key, expects });
        let at = self.pairs.iter().position(|(k, _)| k == key)?;
        Some(self.pairs.remove(at).1)
    }

    /// Takes a finite number.
    pub fn number(&mut self, key: &'static str, default: f64) -> Result<f64> {
        let Some(text) = self.fetch(key, Expects::Number) else { return Ok(default) };
        match decimal::parse(&text) {
            Some(x) if x.is_finite() => Ok(x),
            _ => Err(invalid(format!("{}: {key} is a number, got '{text}'", self.name))),
        }
    }

    /// Takes a number that has to be, for instance, `from 0 to 1`.
    pub fn number_that_is(
        &mut self,
        key: &'static str,
        default: f64,
        what: &str,
        is_so: impl Fn(f64) -> bool,
    ) -> Result<f64> {
        let number = self.number(key, default)?;
        if is_so(number) {
            return Ok(number);
        }
        Err(invalid(format!("{}: {key} is a number {what}, got '{number}'", self.name)))
    }

    /// Takes a whole number within bounds.
    pub fn whole(
        &mut self,
        key: &'static str,
        default: u64,
        bounds: std::ops::RangeInclusive<u64>,
    ) -> Result<u64> {
        let expects = Expects::Whole { min: *bounds.start(), max: *bounds.end() };
        let Some(text) = self.fetch(key, expects) else {
            return Ok(default);
        };
        match text.parse::<u64>() {
            Ok(n) if bounds.contains(&n) => Ok(n),
            _ => Err(invalid(format!(
                "{}: {key} is a whole number from {} to {}, got '{text}'",
                self.name,
                bounds.start(),
                bounds.end()
            ))),
        }
    }

    /// Takes one of a fixed set of words.
    pub fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[(&str, T)],
        default: T,
    ) -> Result<T> {
        let words = choices.iter().map(|&(word, _)| word.to_owned()).collect();
        let expects = Expects::Word { words };
        let Some(text) = self.fetch(key, expects) else { return Ok(default) };
        match choices.iter().find(|(word, _)| *word == text) {
            Some(&(_, value)) => Ok(value),
            None => {
                let words: Vec<&str> = choices.iter().map(|&(word, _)| word).collect();
                Err(invalid(format!(
                    "{}: {key} is one of {}, got '{text}'",
                    self.name,
                    words.join(", ")
                )))
            }
        }
    }

    /// Takes `yes` or `no`.
    pub fn yes_no(&mut self, key: &'static str, default: bool) -> Result<bool> {
        self.choice(key, &[("yes", true), ("no", false)], default)
    }

    /// Fails if a key is left that the dialect did not ask for.
    pub fn finish(self) -> Result<()> {
        match self.pairs.first() {
            None => Ok(()),
            Some((key, _)) if self.asked.is_empty() => {
                Err(invalid(format!("{} has no key '{key}': it takes no keys", self.name)))
            }
            Some((key, _)) => Err(invalid(format!(
                "{} has no key '{key}': its keys are {}",
                self.name,
                self.asked.iter().map(|key| key.name).collect::<Vec<_>>().join(", ")
            ))),
        }
    }
}

/// An [`ErrorKind::InvalidSignature`].
pub(crate) fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidSignature, message)
}

/// `yes` or `no`, as signatures write flags.
pub fn yes_no(flag: bool) -> &'static str {
    if flag { "yes" } else { "no" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partial_signature_gives_its_keys_and_names_the_strangers() {
        let mut keys = Keys::parse("meteor:classic|nrefs:2|alpha:0.8|colour:red").unwrap();
        assert_eq!(keys.name(), "meteor:classic");
        assert_eq!(keys.facts(), [("nrefs".to_owned(), "2".to_owned())]);
        assert_eq!(keys.number("alpha", 0.9).unwrap(), 0.8);
        assert_eq!(keys.number("beta", 3.0).unwrap(), 3.0);
        let error = keys.finish().unwrap_err();
        assert_eq!(
            error.to_string(),
            "meteor:classic has no key 'colour': its keys are alpha, beta"
        );
    }

    #[test]
    fn malformed_signatures_say_what_is_wrong() {
        for (text, message) in [
            ("meteor|alpha", "'alpha' in 'meteor|alpha' is not of the form key:value"),
            ("meteor|a:1|a:2", "the key 'a' is given twice in 'meteor|a:1|a:2'"),
        ] {
            assert_eq!(Keys::parse(text).unwrap_err().to_string(), message);
        }
        let mut keys = Keys::parse("m|alpha:nan|tok:x").unwrap();
        assert_eq!(
            keys.number("alpha", 1.0).unwrap_err().to_string(),
            "m: alpha is a number, got 'nan'"
        );
        assert_eq!(
            keys.choice("tok", &[("space", 1), ("nltk", 2)], 1).unwrap_err().to_string(),
            "m: tok is one of space, nltk, got 'x'"
        );
    }

    #[test]
    fn the_printed_form_has_facts_first_and_the_version_last() {
        let signature = Signature::new("bleu:unigram").with("case", "mixed").with_fact("nrefs", 1);
        assert_eq!(
            signature.to_string(),
            format!("bleu:unigram|nrefs:1|case:mixed|bolide:{VERSION}")
        );
    }
}
