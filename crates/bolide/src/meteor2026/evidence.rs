//! How weights and credits make precision and recall. The alignment is in `explain`.

use super::stages::Stage;
use super::{Meteor2026, Scratch, Side, formula};
use crate::evidence::{Evidence, Step};
use crate::meteor::align::Ties;
use crate::segment::{Segment, Text};

impl Meteor2026 {
    pub(super) fn weights_shown(&self, segment: Segment<'_>) -> Evidence {
        let mut scratch = Scratch::default();
        let (_, _, reference_idx) = self.best(segment, &mut scratch);
        let reference = segment.references().get(reference_idx).copied().unwrap_or(Text::Raw(""));
        self.read(segment.hypothesis(), Side::Hypothesis, &mut scratch);
        self.read(reference, Side::Reference, &mut scratch);
        // The same alignment as the explanation: which of equal matches is taken may differ between two.
        let stats = self.count(Ties::Crossings, segment.stop(), &mut scratch);
        let steps = formula::steps(&stats, &self.parameters);
        let punctuation = characters(self.rules.punctuation.into());
        let weights = format!(
            "a word weighs as much as it has characters, plus one; punctuation {punctuation} of that"
        );
        let mut shown = vec![Step::new("weights", weights, punctuation)];
        let sides = [
            ("precision", stats.hypothesis_weight, steps.precision),
            ("recall", stats.reference_weight, steps.recall),
        ];
        for ((name, weight, value), matched) in sides.into_iter().zip(self.matched(&mut scratch)) {
            // Without words nothing is divided.
            if weight > 0 {
                let formula = format!("{} / {}", self.sum(matched), characters(weight));
                shown.push(Step::new(name, formula, value));
            }
        }
        shown.push(Step::new("score", "(1 − penalty)·F", steps.score));
        Evidence { steps: shown, ..Evidence::default() }
    }

    /// The weight of the matched words of both sides, by stage.
    fn matched(&self, scratch: &mut Scratch) -> [[u64; 4]; 2] {
        let Scratch { words, hypothesis, reference, matcher, aligner, .. } = scratch;
        let mut sums = [[0; 4]; 2];
        for pair in &aligner.alignment().pairs {
            let h = hypothesis[pair.hypothesis as usize];
            let r = reference[pair.reference as usize];
            let stage = matcher.stage(h, r) as usize;
            sums[0][stage] += self.rules.weight(words.known(h));
            sums[1][stage] += self.rules.weight(words.known(r));
        }
        sums
    }

    /// Credits times weights: `(13 exact + 0.5·5 case)`.
    fn sum(&self, of_stages: [u64; 4]) -> String {
        let term = |stage: Stage| {
            let weight = of_stages[stage as usize];
            let credit = characters(u64::from(self.rules.credits[stage as usize]));
            let times = if credit == 1.0 { String::new() } else { format!("{credit}·") };
            (weight > 0).then(|| format!("{times}{} {}", characters(weight), stage.name()))
        };
        let terms: Vec<String> = Stage::ALL.into_iter().filter_map(term).collect();
        match &terms[..] {
            [] => "0".to_owned(),
            [term] => term.clone(),
            terms => format!("({})", terms.join(" + ")),
        }
    }
}

/// Hundredths in units of one character.
fn characters(hundredths: u64) -> f64 {
    hundredths as f64 / 100.0
}
