//! What an audit found out about each number, as a table and as JSON.

use super::reported::Reported;
use crate::args::Context;
use crate::error::Result;
use crate::output::table::Table;
use crate::search::Reading;
use serde::Serialize;

/// A number and what became of it.
pub struct Finding {
    /// The number.
    pub reported: Reported,
    /// What gives it.
    pub verdict: Verdict,
}

/// What gives a number.
pub enum Verdict {
    /// A dialect of its metric.
    Explained(Given),
    /// The same, but with texts changed in this way.
    Changed(&'static str, Given),
    /// A part of a score that the label does not name: a precision that is called BLEU-1.
    Component(Given),
    /// Another metric, or another kind of the same: ROUGE-1 that is called ROUGE-2.
    OtherMetric(Given),
    /// Nothing; the closest configuration.
    NotExplained(Option<Given>),
    /// No dialect can, and why.
    Impossible(String),
    /// The metric is not here, and why.
    Elsewhere(String),
    /// For a column of numbers: how many of them one configuration gives, of how many, and the first it does not.
    Partly(Given, usize, usize, String),
}

impl Verdict {
    /// Whether something gives the number.
    pub fn is_explained(&self) -> bool {
        use Verdict::{Changed, Component, Explained, OtherMetric};
        matches!(self, Explained(_) | Changed(..) | Component(_) | OtherMetric(_))
    }

    /// Whether the number is of the metric that its label names.
    pub fn is_as_labelled(&self) -> bool {
        matches!(self, Verdict::Explained(_) | Verdict::Changed(..))
    }

    fn name(&self) -> &'static str {
        match self {
            Verdict::Explained(_) => "explained",
            Verdict::Changed(..) => "changed texts",
            Verdict::Component(_) => "component",
            Verdict::OtherMetric(_) => "other metric",
            Verdict::NotExplained(_) => "not explained",
            Verdict::Impossible(_) => "impossible",
            Verdict::Elsewhere(_) => "not here",
            Verdict::Partly(..) => "partly explained",
        }
    }

    fn given(&self) -> Option<&Given> {
        match self {
            Verdict::Explained(given)
            | Verdict::Changed(_, given)
            | Verdict::Component(given)
            | Verdict::OtherMetric(given)
            | Verdict::Partly(given, ..) => Some(given),
            Verdict::NotExplained(closest) => closest.as_ref(),
            Verdict::Impossible(_) | Verdict::Elsewhere(_) => None,
        }
    }

    /// The evidence in words.
    fn note(&self) -> String {
        let how = |given: &Given| {
            let how = given.reading.as_ref().map_or("", |reading| reading.how.as_str());
            match given.what.as_str() {
                "score" => how.to_owned(),
                what => format!("{what}, {how}"),
            }
        };
        match self {
            Verdict::Explained(given) | Verdict::Component(given) => how(given),
            Verdict::OtherMetric(given) => format!("{}; {}", given.title, how(given)),
            Verdict::Changed(what, given) => format!("{what}; {}", how(given)),
            Verdict::NotExplained(Some(_)) => "the closest".to_owned(),
            Verdict::NotExplained(None) => String::new(),
            Verdict::Impossible(why) | Verdict::Elsewhere(why) => why.clone(),
            Verdict::Partly(_, n, of, first) => format!("{n} of {of} numbers; not {first}"),
        }
    }
}

/// A configuration and what it gives.
#[derive(Clone)]
pub struct Given {
    /// The partial signature.
    pub metric: String,
    /// The full name.
    pub signature: String,
    /// The name as people write it: `ROUGE-L`, `BLEU-4`.
    pub title: String,
    /// `score`, the mean of the segments' scores, or the name of a component.
    pub what: String,
    /// The value with all digits.
    pub value: f64,
    /// How it was printed; `None` for a near miss.
    pub reading: Option<Reading>,
}

/// A table, and the signatures that it mentions.
pub fn to_text(findings: &[Finding], context: &Context) -> String {
    let mut table = Table::new(["reported", "number", "finding", "metric", "gives", "evidence"]);
    let mut signatures: Vec<&str> = Vec::new();
    for Finding { reported, verdict } in findings {
        let label = match &reported.system {
            Some(system) => format!("{system} {}", reported.label),
            None => reported.label.clone(),
        };
        let given = verdict.given();
        if let Some(given) = given.filter(|_| verdict.is_explained())
            && !signatures.contains(&given.signature.as_str())
        {
            signatures.push(&given.signature);
        }
        table.row([
            label.as_str(),
            &reported.number,
            verdict.name(),
            given.map_or("-", |given| given.metric.as_str()),
            &given.map_or_else(|| "-".to_owned(), |given| format!("{:.6}", given.value)),
            &verdict.note(),
        ]);
    }
    let mut text = table.to_text_within(context.width, context.color);
    if !signatures.is_empty() {
        text.push('\n');
        signatures.iter().for_each(|signature| text.extend([signature, "\n"]));
    }
    text
}

/// One finding in the JSON document.
#[derive(Serialize)]
struct Row<'a> {
    reported: &'a str,
    system: Option<&'a str>,
    number: &'a str,
    finding: &'static str,
    explained: bool,
    metric: Option<&'a str>,
    signature: Option<&'a str>,
    what: Option<&'a str>,
    value: Option<f64>,
    evidence: String,
}

impl<'a> Row<'a> {
    fn of(finding: &'a Finding) -> Self {
        let given = finding.verdict.given();
        Row {
            reported: &finding.reported.label,
            system: finding.reported.system.as_deref(),
            number: &finding.reported.number,
            finding: finding.verdict.name(),
            explained: finding.verdict.is_explained(),
            metric: given.map(|given| given.metric.as_str()),
            signature: given.map(|given| given.signature.as_str()),
            what: given.map(|given| given.what.as_str()),
            value: given.map(|given| given.value),
            evidence: finding.verdict.note(),
        }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    findings: Vec<Row<'a>>,
}

/// The findings as a JSON document: docs/schema/audit.json describes it.
pub fn to_json(findings: &[Finding]) -> Result<String> {
    let rows = findings.iter().map(Row::of).collect();
    let document = Document { version: bolide::VERSION, findings: rows };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

/// A remark for each family whose numbers are on two scales.
pub fn scales(findings: &[Finding]) -> Vec<String> {
    let mut remarks = Vec::new();
    let named = findings.iter().filter_map(|finding| Some((finding.reported.family()?, finding)));
    let named: Vec<_> = named.collect();
    for family in bolide::dialect::families() {
        let own = named.iter().filter(|(other, _)| other.name == family.name);
        let scaled = own.filter_map(|(_, finding)| {
            let given = finding.verdict.given().filter(|_| finding.verdict.is_explained())?;
            // Percent, whatever the dialect's own scale is.
            let hundred = given.signature_scale_is_hundred();
            Some(given.reading.as_ref()?.scaled != hundred)
        });
        let scaled: Vec<bool> = scaled.collect();
        if scaled.contains(&true) && scaled.contains(&false) {
            remarks.push(format!(
                "some numbers of {} are in percent, others are fractions of 1",
                family.title
            ));
        }
    }
    remarks
}

impl Given {
    /// Whether the metric's own scores go up to 100.
    fn signature_scale_is_hundred(&self) -> bool {
        let name = self.metric.split('|').next().unwrap_or_default();
        bolide::dialect::find(name).is_ok_and(|dialect| dialect.decimals < 3)
    }
}
