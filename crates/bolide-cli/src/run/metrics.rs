//! Metrics as the user named them.

use crate::args::MetricArgs;
use crate::error::{Result, anyhow, usage};
use bolide::dialect::Expects;
use bolide::{ErrorKind, Metric, Resources};
use bolide_store::Store;
use std::path::Path;

/// A metric and the text that named it.
pub struct NamedMetric {
    /// What the user wrote, which is its name in tables and files.
    pub name: String,
    /// The metric itself.
    pub metric: Metric,
}

/// Whether these are names with commas between them.
fn is_list(name: &str) -> bool {
    let is_known = |name: &str| bolide::dialect::find(name.trim()).is_ok();
    name.contains(',') && name.split(',').filter(|name| !name.trim().is_empty()).all(is_known)
}

/// The tokenizer that sacreBLEU takes for a target language, if it is not that of all others.
pub fn tokenizer_for(language: &str) -> Option<&'static str> {
    match language {
        "ja" => Some("ja-mecab"),
        "ko" => Some("ko-mecab"),
        "zh" => Some("zh"),
        _ => None,
    }
}

/// All available tables: the embedded ones and, if a metric needs them, those in the user's folder.
pub fn all_resources() -> Resources {
    let embedded = Resources::embedded();
    let of_user = Store::of_user().map(|store| store.load(embedded.clone()));
    of_user.unwrap_or(embedded)
}

impl NamedMetric {
    /// Builds a metric from a partial signature. A mistake in the signature is a usage error.
    pub fn parse(name: &str) -> Result<Self> {
        // A damaged table is not the user's mistake.
        let wrong = |problem: bolide::Error| match problem.kind() {
            ErrorKind::InvalidTable => anyhow!("{problem}"),
            ErrorKind::UnknownDialect if is_list(name) => {
                usage(format!("'{name}' is a list: separate metrics with spaces (-m bleu chrf)"))
            }
            // `-m METRIC FILE`: the option takes several metrics.
            _ if Path::new(name).is_file() => usage(format!(
                "'{name}' is a file, not a metric: -m takes all that follows, so put files before it"
            )),
            _ => usage(problem.to_string()),
        };
        let metric = Metric::build(name, &all_resources()).map_err(wrong)?;
        Ok(NamedMetric { name: name.to_owned(), metric })
    }

    /// Builds all metrics of the arguments.
    pub fn parse_all(args: &MetricArgs) -> Result<Vec<Self>> {
        let Some(key) = args.objective.key() else {
            return args.metrics.iter().map(|name| Self::parse(name)).collect();
        };
        let metrics: Result<Vec<(Self, bool)>> =
            args.metrics.iter().map(|name| Self::parse_with(name, key)).collect();
        let metrics = metrics?;
        if !metrics.iter().any(|&(_, has_key)| has_key) {
            return Err(usage(format!("no metric here has a key for '{key}'")));
        }
        Ok(metrics.into_iter().map(|(metric, _)| metric).collect())
    }

    /// Builds a metric with one more key, and returns whether its dialect has that key.
    pub fn parse_with(name: &str, key: &str) -> Result<(Self, bool)> {
        let plain = Self::parse(name)?;
        let keys = plain.metric.dialect().keys(&all_resources());
        let wanted = key.split(':').next().unwrap_or_default();
        if !keys.is_ok_and(|keys| keys.iter().any(|key| key.name == wanted)) {
            return Ok((plain, false));
        }
        Ok((NamedMetric { name: name.to_owned(), ..Self::parse(&format!("{name}|{key}"))? }, true))
    }

    /// Sets the language of a metric that has such a key, or the tokenizer for it; says whether there was one.
    /// A key that the name has already stays. A language that a metric lacks is an error: it must not be scored as English.
    pub fn set_language(&mut self, language: &str) -> Result<bool> {
        let code = bolide::language::find(language).map_or(language, |language| language.code);
        let keys = self.metric.dialect().keys(&all_resources()).unwrap_or_default();
        // sacreBLEU's tokenizers are those with one for Chinese.
        let is_sacrebleus = |expects: &Expects| match expects {
            Expects::Word { words } => words.iter().any(|word| word == "zh"),
            _ => false,
        };
        let (key, value) = match tokenizer_for(code) {
            _ if keys.iter().any(|key| key.name == "language") => ("language", code),
            Some(tokenizer)
                if keys.iter().any(|key| key.name == "tok" && is_sacrebleus(&key.expects)) =>
            {
                ("tok", tokenizer)
            }
            _ => return Ok(false),
        };
        if self.name.contains(&format!("|{key}:")) {
            return Ok(false);
        }
        let name = std::mem::take(&mut self.name);
        let built = Self::parse(&format!("{name}|{key}:{value}"))?;
        *self = NamedMetric { name, metric: built.metric };
        Ok(true)
    }

    /// Whether a smaller score is better.
    pub fn lower_is_better(&self) -> bool {
        self.metric.dialect().lower_is_better
    }

    /// The default number of decimals in tables.
    pub fn decimals(&self) -> usize {
        self.metric.dialect().decimals
    }
}
