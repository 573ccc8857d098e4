//! Entry points for the fuzz targets of SGML and of the line protocol.

use super::{Configuration, Meteor15, Options, build, sgml, stdio};
use crate::error::{Result, anyhow};
use std::path::Path;
use std::sync::OnceLock;

/// METEOR 1.5 without paraphrases, which the program does not contain.
fn metric() -> Result<&'static (Options, Meteor15)> {
    static METRIC: OnceLock<(Options, Meteor15)> = OnceLock::new();
    if let Some(known) = METRIC.get() {
        return Ok(known);
    }
    let args = ["-m", "exact stem synonym", "-norm"].map(str::to_owned);
    let options = Options::parse(&args).map_err(|_| anyhow!("the options of the fuzz target"))?;
    let metric = build(Configuration::resolve(&options.scoring), &options)?;
    Ok(METRIC.get_or_init(|| (options, metric)))
}

pub fn sgml(test: &Path, reference: &Path) -> Result<usize> {
    let (options, metric) = metric()?;
    Ok(sgml::segments(metric, options, test, reference)?.len())
}

pub fn stdio(requests: &[u8]) -> Result<Vec<u8>> {
    let mut answers = Vec::new();
    stdio::run(&metric()?.1, requests, &mut answers)?;
    Ok(answers)
}
