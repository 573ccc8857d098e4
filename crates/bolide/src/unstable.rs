//! Internals that bolide's own doors need beside the public API.
//!
//! Everything here may change or disappear in any release, whatever the version number: the definition of
//! each kind of metric, tokenizers, word tables, and arithmetic with the bits of other programs.

pub use crate::definition::{Columns, Definition, Mergeable, Rows};
pub use crate::label::Label;
pub use crate::record::Record;
pub use crate::registry::{AnyMetric, AnyRows, AnyStats, Scratch};
pub use crate::signature::{FACTS, Keys, yes_no};
pub use crate::text::vocabulary::ShortWord;
pub use crate::token_batch::{TokenBatch, TokenReader};

use crate::metric::Metric;
use crate::statistics::Statistics;

macro_rules! modules {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        $($(#[doc = $doc])* pub mod $name { pub use crate::$name::*; })*
    };
}

modules! {
    /// Floating-point functions and sums with the bits of other programs.
    arithmetic,
    /// BLEU.
    bleu,
    /// chrF as sacreBLEU computes it.
    chrf,
    /// chrF as NLTK computes it.
    chrf_nltk,
    /// CIDEr-D.
    cider,
    /// GLEU.
    gleu,
    /// Texts that do not fit a metric.
    hint,
    /// Stems, synonyms and inflections.
    lexicon,
    /// METEOR.
    meteor,
    /// METEOR 1.5.
    meteor15,
    /// METEOR of 2026.
    meteor2026,
    /// Counting shared n-grams.
    ngram,
    /// NIST.
    nist,
    /// RIBES.
    ribes,
    /// ROUGE.
    rouge,
    /// Translation edit rate.
    ter,
    /// Tokenizers.
    text,
}

/// The configuration behind a metric.
pub fn any(metric: &Metric) -> &AnyMetric {
    metric.any()
}

/// The statistics of one kind of metric.
pub fn stats_of(statistics: &Statistics) -> &AnyStats {
    statistics.any()
}

/// The statistics of a segment with one reference, from those of a metric that differs in parameters of the formula
/// only; `None` if they belong to another kind of metric. Whether two metrics count alike is for the caller to
/// find out.
pub fn rescored(metric: &Metric, statistics: &Statistics) -> Option<Statistics> {
    Some(metric.statistics(metric.any().rescored(statistics.any())?))
}

/// The name of a metric as people write it: that of its family, or one that says more, such as `BLEU-4` or `ROUGE-L`.
pub fn title(metric: &Metric) -> String {
    metric.any().title().unwrap_or_else(|| metric.dialect().family.title.to_owned())
}

/// Whether a text without spaces, in a language that has none, is one word to the metric.
pub fn needs_spaces(metric: &Metric, language: &str) -> bool {
    metric.any().needs_spaces(language)
}

/// Whether words are of the letters a to z and digits only.
pub fn keeps_ascii_only(metric: &Metric) -> bool {
    metric.any().keeps_ascii_only()
}

/// Whether the tokenizer splits only at white space. If so, a caller may pass either the text or its
/// white-space tokens and gets the same score.
pub fn splits_at_spaces(metric: &Metric) -> bool {
    metric.any().splits_at_spaces()
}
