//! Writes the file: the page's markup, styles and script, and the data in compressed blocks.
//!
//! The page's content security policy names the hashes of its only script and its only style sheet, so that
//! nothing else runs, whatever the texts contain. Data is in elements that a browser does not run: the summary
//! as JSON with every `<` escaped, so that no text can end the element; the rest as zlib data in base64, which
//! the browser unpacks.

use super::buckets::Bucketing;
use super::compact::Letters;
use super::gather::{Gathered, Kept, OfSystem, Plan};
use super::{Summary, words};
use crate::error::Result;
use crate::output::sink::Sink;
use crate::progress::Progress;
use bolide_runner::Runner;
use bolide_web::bundle::bundle;
use bolide_web::inline::{base64, hash};
use bolide_web::report::{ICON, MODULES, STYLES, TEMPLATE};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;
use std::io::Write;

/// Writes the page.
pub fn write(
    summary: &Summary<'_>,
    gathered: &Gathered,
    plan: &Plan<'_>,
    buckets: &[Bucketing],
    (runner, progress): (Runner, &Progress),
    mut sink: Sink,
) -> Result<()> {
    type Make<'a> = Box<dyn Fn() -> Result<Vec<u8>> + Sync + 'a>;
    let rows = &gathered.rows;
    let blocks: Vec<(&str, Make<'_>)> = vec![
        ("columns", Box::new(|| packed(&Columns::new(rows, plan, buckets)))),
        ("texts", Box::new(|| packed(&Texts::new(rows, plan)))),
        ("alignments", Box::new(|| packed(&Alignments::new(gathered, plan)))),
        ("words", Box::new(|| packed(&words::tables(gathered, plan.n_systems, runner)))),
    ];
    let packed: Result<Vec<Vec<u8>>> =
        progress.each("packing", runner, blocks.len(), |at| blocks[at].1()).into_iter().collect();

    let script = bundle(MODULES);
    let style = STYLES.concat();
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data: blob:; base-uri 'none'; \
         form-action 'none'",
        hash(&script),
        hash(&style)
    );
    let icon = format!("data:image/svg+xml;base64,{}", base64(ICON.as_bytes()));
    let summary = serde_json::to_string(summary)?.replace('<', "\\u003c");
    let mut text = TEMPLATE;
    while let Some((before, rest)) = text.split_once("{{") {
        let Some((name, after)) = rest.split_once("}}") else { break };
        sink.write_all(before.as_bytes())?;
        match name {
            "policy" => sink.write_all(policy.as_bytes())?,
            "icon" => sink.write_all(icon.as_bytes())?,
            "style" => sink.write_all(style.as_bytes())?,
            "script" => sink.write_all(script.as_bytes())?,
            "summary" => sink.write_all(summary.as_bytes())?,
            _ => {}
        }
        text = after;
    }
    let (before, after) = text.split_once("</body>").unwrap_or((text, ""));
    sink.write_all(before.as_bytes())?;
    for ((name, _), bytes) in blocks.iter().zip(packed?) {
        write!(sink, "<script type=\"text/plain\" id=\"data-{name}\">")?;
        sink.write_all(base64(&bytes).as_bytes())?;
        sink.write_all(b"</script>\n")?;
    }
    write!(sink, "</body>{after}")?;
    sink.finish()
}

fn packed(data: &impl Serialize) -> Result<Vec<u8>> {
    let encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
    let mut writer = std::io::BufWriter::with_capacity(1 << 16, encoder);
    serde_json::to_writer(&mut writer, data)?;
    let encoder = writer.into_inner().map_err(|problem| problem.into_error())?;
    Ok(encoder.finish()?)
}

/// By system, then by segment.
fn by_system<'a, T>(
    rows: &'a [Kept],
    plan: &Plan<'_>,
    value: impl Fn(&'a OfSystem) -> T,
) -> Vec<Vec<T>> {
    let column = |system: usize| rows.iter().map(|row| value(&row.systems[system])).collect();
    (0..plan.n_systems).map(column).collect()
}

/// Numbers, for histograms, sorting and scatter plots. NaN becomes null.
#[derive(Serialize)]
struct Columns<'a> {
    /// By metric, system and segment.
    scores: Vec<Vec<Vec<f64>>>,
    precision: Vec<Vec<f64>>,
    recall: Vec<Vec<f64>>,
    fragmentation: Vec<Vec<f64>>,
    human: Option<Vec<Vec<Option<f64>>>>,
    /// By bucketing and segment.
    buckets: Vec<&'a [u32]>,
}

impl<'a> Columns<'a> {
    fn new(rows: &[Kept], plan: &Plan<'_>, buckets: &'a [Bucketing]) -> Self {
        let of_metric = |metric: usize| by_system(rows, plan, |kept| kept.scores[metric]);
        Columns {
            scores: (0..plan.metrics.len()).map(of_metric).collect(),
            precision: by_system(rows, plan, |kept| kept.precision),
            recall: by_system(rows, plan, |kept| kept.recall),
            fragmentation: by_system(rows, plan, |kept| kept.fragmentation),
            human: plan.beside.human.map(|_| by_system(rows, plan, |kept| kept.human)),
            buckets: buckets.iter().map(|bucketing| bucketing.of_segment.as_slice()).collect(),
        }
    }
}

/// The texts.
#[derive(Serialize)]
struct Texts<'a> {
    source: Option<Vec<&'a str>>,
    references: Vec<&'a [String]>,
    hypotheses: Vec<Vec<&'a str>>,
}

impl<'a> Texts<'a> {
    fn new(rows: &'a [Kept], plan: &Plan<'_>) -> Self {
        let source = |row: &'a Kept| row.source.as_deref().unwrap_or_default();
        Texts {
            source: plan.beside.source.map(|_| rows.iter().map(source).collect()),
            references: rows.iter().map(|row| row.references.as_slice()).collect(),
            hypotheses: by_system(rows, plan, |kept| kept.hypothesis.as_str()),
        }
    }
}

/// The alignments, as `compact` writes them.
#[derive(Serialize)]
struct Alignments<'a> {
    /// The texts of the reasons by number.
    reasons: &'a [String],
    references: Vec<&'a [Option<Letters>]>,
    spans: Vec<Vec<&'a Letters>>,
    links: Vec<Vec<&'a Letters>>,
    why: Vec<Vec<Letters>>,
    costs: Vec<Vec<&'a Letters>>,
}

impl<'a> Alignments<'a> {
    fn new(gathered: &'a Gathered, plan: &Plan<'_>) -> Self {
        let rows = &gathered.rows;
        let why = |kept: &OfSystem| {
            let mut letters = Letters::default();
            kept.reasons.iter().for_each(|&reason| letters.push(u64::from(reason)));
            letters
        };
        Alignments {
            reasons: &gathered.reasons.texts,
            references: rows.iter().map(|row| row.reference_spans.as_slice()).collect(),
            spans: by_system(rows, plan, |kept| &kept.spans),
            links: by_system(rows, plan, |kept| &kept.links),
            why: by_system(rows, plan, why),
            costs: by_system(rows, plan, |kept| &kept.costs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_has_every_module_and_nothing_that_ends_it() {
        let script = bundle(MODULES);
        for (name, text) in MODULES {
            assert!(!text.contains("\nimport *"), "{name}");
            assert!(!text.contains("export default"), "{name}");
        }
        assert!(!script.contains("\nimport "), "an import is left");
        assert!(!script.contains("\nexport "), "an export is left");
        let lower = (script + &STYLES.concat()).to_lowercase();
        assert!(
            !lower.contains("</script") && !lower.contains("</style") && !lower.contains("<!--")
        );
    }
}
