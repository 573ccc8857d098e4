//! How a segment got its score: an alignment, what the score was counted from, or its components. The command
//! and the wheel print the same text and the same JSON.

use crate::error::Result;
use crate::output::explanation::{self, Drawing};
use crate::output::table::Table;
use crate::output::{component, evidence, fixed, json};
use bolide::evidence::{Evidence, Step};
use bolide::{ErrorKind, Explanation, Metric, Score, Segment};
use serde::Serialize;

/// Columns of a drawing that no terminal shows.
pub const PAGE_WIDTH: usize = 100;

/// The explanation of one segment.
pub struct Explained {
    /// The score against each reference alone.
    each: Vec<f64>,
    kind: Kind,
}

enum Kind {
    /// METEOR, with the steps that the metric itself describes.
    Alignment(Box<Explanation>, Vec<Step>),
    /// n-grams, edits or subsequences.
    Evidence(Score, Box<Evidence>),
    /// Metrics that show neither.
    Components(Score),
}

/// The document of a metric that shows neither alignment nor counts.
#[derive(Serialize)]
struct Unexplained<'a> {
    metric: &'a str,
    #[serde(flatten)]
    score: &'a Score,
}

impl Explained {
    /// Explains a segment.
    pub fn of(metric: &Metric, segment: Segment<'_>) -> bolide::Result<Self> {
        metric.check_references(segment.references().len())?;
        let evidence = metric.evidence_segment(segment);
        let mut scorer = metric.scorer();
        let (value, kind) = match metric.explain_segment(segment) {
            Ok(it) => {
                let steps = evidence.map(|evidence| evidence.steps).unwrap_or_default();
                (it.score, Kind::Alignment(Box::new(it), steps))
            }
            Err(problem) if problem.kind() == ErrorKind::NoAlignment => {
                let score = scorer.score(segment);
                let value = score.value;
                match evidence {
                    Some(evidence) => (value, Kind::Evidence(score, Box::new(evidence))),
                    None => (value, Kind::Components(score)),
                }
            }
            Err(problem) => return Err(problem),
        };
        let each = match segment.references() {
            [_] => vec![value],
            several => {
                let alone = several.iter().map(std::slice::from_ref);
                let alone = alone.map(|one| Segment::new(segment.hypothesis(), one));
                let values = alone.map(|one| one.map(|one| scorer.value(one)));
                values.collect::<bolide::Result<_>>()?
            }
        };
        Ok(Explained { each, kind })
    }

    /// The alignment, if there is one.
    pub(crate) fn alignment(&self) -> Option<&Explanation> {
        match &self.kind {
            Kind::Alignment(explanation, _) => Some(explanation),
            _ => None,
        }
    }

    /// A drawing for people, this many columns wide.
    pub fn draw(&self, width: usize, color: bool) -> String {
        let drawing = |steps: &[Step]| {
            let (each, steps) = (self.each.clone(), steps.to_vec());
            Drawing { color, width, each, steps }
        };
        match &self.kind {
            Kind::Alignment(explanation, steps) => drawing(steps).draw(explanation),
            Kind::Evidence(score, evidence) => drawing(&[]).draw_evidence(evidence, score),
            Kind::Components(score) => {
                let mut table = Table::new(["", ""]).with_numbers_from(1);
                for (name, value) in &score.components {
                    table.row([name.to_string(), component(*value, 4)]);
                }
                table.row(["score".to_owned(), fixed(score.value, 4)]);
                let text = table.to_text(false);
                format!("{}\n{}\n", text.trim_start(), score.signature)
            }
        }
    }

    /// A document for programs, which docs/schema/explain.json describes. Positions count from 0.
    pub fn to_json(&self, metric: &str) -> Result<String> {
        match &self.kind {
            Kind::Alignment(it, steps) => explanation::to_json(metric, it, steps),
            Kind::Evidence(score, it) => evidence::to_json(metric, score, it),
            Kind::Components(score) => {
                let mut out = String::new();
                json::value(&mut out, &Unexplained { metric, score });
                out.push('\n');
                Ok(out)
            }
        }
    }
}
