//! Remarks on results that look like a mistake. They go to stderr, and `--quiet` turns them off.

use crate::args::{Context, CorpusArgs};
use crate::input::{Impression, look_swapped};
use crate::run::NamedMetric;
use bolide::Score;

/// Says what may be wrong with a corpus and its scores. `scores` holds one system after the other, each with all
/// metrics.
pub fn on_corpus(
    context: &Context,
    args: &CorpusArgs,
    impression: &Impression,
    systems: &[String],
    metrics: &[NamedMetric],
    scores: &[&Score],
) {
    if look_swapped(&args.hypothesis_column, &args.reference_column) {
        context.remark(
            "the name of --hypothesis-column suggests references, and that of --reference-column hypotheses: are they swapped?",
        );
    }
    let seen = impression.remarks(systems);
    seen.iter().for_each(|remark| context.remark(remark));
    if impression.is_unsegmented() {
        let by_words: Vec<&str> = metrics
            .iter()
            .filter(|named| splits_at_spaces(named))
            .map(|named| named.name.as_str())
            .collect();
        if !by_words.is_empty() {
            context.remark(format_args!(
                "the texts have no spaces between words, and {} would take each run of characters for one word: \
                 segment the texts first, or use a metric on characters (chrf, or the key tok:zh or tok:char)",
                by_words.join(", ")
            ));
        }
    }
    if !seen.is_empty() {
        return;
    }
    for (idx, named) in metrics.iter().enumerate() {
        let mut own = scores.iter().skip(idx).step_by(metrics.len());
        let (least, _) = named.metric.range();
        if impression.is_enough()
            && !named.lower_is_better()
            && own.all(|score| score.value <= least)
        {
            context.remark(format_args!(
                "nothing matches by {}: are the files in the same language and in the same order?",
                named.name
            ));
        }
    }
}

/// Whether a metric depends on spaces: it has a tokenizer that needs them.
fn splits_at_spaces(named: &NamedMetric) -> bool {
    let signature = named.metric.signature();
    let tokenizer = signature.get("tok");
    tokenizer.is_some_and(|name| !["zh", "char"].contains(&name))
        && signature.get("asian") != Some("yes")
}
