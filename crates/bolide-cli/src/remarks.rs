//! Remarks on results that look like a mistake. They go to stderr, and `--quiet` turns them off.

use crate::args::{Context, CorpusArgs};
use crate::input::{Impression, look_swapped};
use crate::run::NamedMetric;
use bolide::dialect::References;
use bolide::{Score, unstable};
use std::collections::BTreeSet;

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
    match impression.without_reference() {
        0 => {}
        1 => context.remark("one segment has no reference, and counts with an empty one"),
        n => {
            context.remark(format_args!(
                "{n} segments have no reference, and count with an empty one"
            ));
        }
    }
    for (named, score) in metrics.iter().zip(scores) {
        let takes_one = named.metric.dialect().references == References::First;
        if takes_one && score.signature.pairs().any(|(key, n)| key == "nrefs" && n != "1") {
            context.remark(format_args!("{} scores with the first reference only", named.name));
        }
    }
    let seen = impression.remarks(systems);
    seen.iter().for_each(|remark| context.remark(remark));
    let unsegmented = impression.unsegmented();
    let needs_spaces = |named: &&NamedMetric| {
        unsegmented.is_some_and(|code| unstable::needs_spaces(&named.metric, code))
    };
    if let Some(code) = unsegmented {
        let by_words: Vec<&str> =
            metrics.iter().filter(needs_spaces).map(|named| named.name.as_str()).collect();
        if !by_words.is_empty() {
            let tokenizer = if code == "zh" { "zh" } else { "char" };
            context.remark(format_args!(
                "the texts have no spaces between words, and {} would take each run of characters for one word: segment \
                 the texts first, or use a metric that does without (chrf, meteor|language:{code}, bleu|tok:{tokenizer})",
                by_words.join(", ")
            ));
        }
    }
    if !seen.is_empty() {
        return;
    }
    let hints_of = |named: &NamedMetric| match needs_spaces(&named) {
        true => BTreeSet::new(),
        false => impression.hints(&named.metric),
    };
    let hints: BTreeSet<String> = metrics.iter().flat_map(hints_of).collect();
    hints.iter().for_each(|hint| context.remark(hint));
    for (idx, named) in metrics.iter().enumerate() {
        let mut own = scores.iter().skip(idx).step_by(metrics.len());
        let (least, _) = named.metric.range();
        // If it has been said already why, the files may be the right ones.
        let is_explained = needs_spaces(&named)
            || unstable::keeps_ascii_only(&named.metric) && !hints_of(named).is_empty();
        if impression.is_enough()
            && !is_explained
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
