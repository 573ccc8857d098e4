//! The jar's output: header, segment lines, the summary of a system, alignment blocks.

use bolide::unstable::meteor15::java::push_double;
use bolide::unstable::meteor15::{Alignment, Configuration, Match, Score, Totals};
use std::fmt::Write as _;

/// The header.
pub fn header(configuration: &Configuration, sgml: bool) -> String {
    let name = configuration.language.name();
    let (first, rest) = name.split_at(1);
    let numbers = |numbers: &[f64]| {
        let mut out = String::new();
        for (at, &x) in numbers.iter().enumerate() {
            if at > 0 {
                out.push(' ');
            }
            push_double(x, &mut out);
        }
        out
    };
    let modules: Vec<&str> = configuration.modules.iter().map(|module| module.name()).collect();
    format!(
        "Meteor version: 1.5\n\nEval ID:        {}\n\nLanguage:       {}{rest}\nFormat:         {}\n\
         Task:           {}\nModules:        {}\nWeights:        {}\nParameters:     {}\n\n",
        configuration.eval_id(),
        first.to_uppercase(),
        if sgml { "SGML" } else { "plaintext" },
        configuration.task.description(),
        modules.join(" "),
        numbers(&configuration.weights),
        numbers(&configuration.parameters),
    )
}

/// Precision, recall, penalty and score, separated by tabs.
pub fn push_verbose(score: &Score, out: &mut String) {
    let numbers = [score.precision, score.recall, score.penalty, score.score];
    for (at, x) in numbers.into_iter().enumerate() {
        if at > 0 {
            out.push('\t');
        }
        push_double(x, out);
    }
}

/// The summary of a system.
pub fn report(
    title: &str,
    totals: &Totals,
    score: &Score,
    configuration: &Configuration,
) -> String {
    let mut out = format!(
        "{title}\n\n           Test Matches                  Reference Matches\n\
         Stage      Content  Function    Total    Content  Function    Total\n"
    );
    let mut sums = [0.0; 4];
    let row = |label: &str, counts: [f64; 4], out: &mut String| {
        let [hypothesis, reference, hypothesis_function, reference_function] = counts;
        let _ = writeln!(
            out,
            "{label}{:>7}   {:>7}  {:>7}    {:>7}   {:>7}  {:>7}",
            count(hypothesis),
            count(hypothesis_function),
            count(hypothesis + hypothesis_function),
            count(reference),
            count(reference_function),
            count(reference + reference_function),
        );
    };
    for (at, stage) in totals.stages.iter().take(configuration.weights.len()).enumerate() {
        row(&format!("{}          ", at + 1), *stage, &mut out);
        for (sum, x) in sums.iter_mut().zip(stage) {
            *sum += x;
        }
    }
    row("Total      ", sums, &mut out);
    let unit = if configuration.characters { "chars" } else { "words" };
    let _ = write!(
        out,
        "\nTest {unit}:             {}\nReference {unit}:        {}\nChunks:                 {}\n",
        count(totals.hypothesis_length),
        count(totals.reference_length),
        count(totals.chunks),
    );
    for (label, x) in [
        ("Precision:              ", score.precision),
        ("Recall:                 ", score.recall),
        ("f1:                     ", score.f1),
        ("fMean:                  ", score.fmean),
        ("Fragmentation penalty:  ", score.penalty),
        ("\nFinal score:            ", score.score),
    ] {
        out.push_str(label);
        push_double(x, &mut out);
        out.push('\n');
    }
    out
}

/// A count, without decimals.
fn count(x: f64) -> String {
    format!("{x}")
}

/// A block of an alignment file; `label` names the segment.
pub fn push_alignment(label: &str, alignment: &Alignment, score: &Score, out: &mut String) {
    out.push_str("Alignment\t");
    out.push_str(label);
    out.push('\t');
    push_verbose(score, out);
    out.push('\n');
    push_block(&alignment.hypothesis, &alignment.reference, &alignment.matches, out);
}

/// The part of a block below its title.
pub fn push_block(
    hypothesis: &[String],
    reference: &[String],
    matches: &[Match],
    out: &mut String,
) {
    for tokens in [hypothesis, reference] {
        out.push_str(tokens.join(" ").trim_matches(|c| c <= ' '));
        out.push('\n');
    }
    out.push_str("Line2Start:Length\tLine1Start:Length\tModule\t\tScore\n");
    for m in matches {
        let _ = writeln!(
            out,
            "{}:{}\t\t\t{}:{}\t\t\t{}\t\t1.0",
            m.start, m.length, m.hypothesis_start, m.hypothesis_length, m.module
        );
    }
    out.push('\n');
}
