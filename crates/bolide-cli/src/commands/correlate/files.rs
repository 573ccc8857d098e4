//! Score files as mt-metrics-eval reads them: `PAIR/NAME-REF.seg.score` and `PAIR/NAME-REF.sys.score`, with a line
//! for each segment or system. All files are complete before the first of them appears.

use super::sides::Side;
use crate::error::{Context as _, Result, from_io};
use crate::judgements::Judged;
use crate::output::sink::Sink;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes the scores of all metrics that were computed here. Larger is better in these files, so error rates are negative.
pub fn write(folder: &Path, judged: &Judged, sides: &[Side<'_>]) -> Result<()> {
    let mut sinks = Vec::new();
    for (group, pair) in judged.pairs().iter().enumerate() {
        let place = folder.join(&pair.name);
        let shown = || place.display().to_string();
        std::fs::create_dir_all(&place).map_err(from_io).with_context(shown)?;
        let rows: Vec<usize> =
            (0..judged.len()).filter(|&row| judged.group[row] == group).collect();
        for side in sides.iter().filter(|side| side.signature().is_some()) {
            let base = format!("{}-{}", file_name(side.name()), pair.reference);
            let file = |level: &str| -> Result<Sink> {
                let path = place.join(format!("{base}.{level}.score"));
                Sink::create(Some(&path), std::iter::empty::<&PathBuf>())
            };
            let (mut segments, mut systems) = (file("seg")?, file("sys")?);
            let scores = side.segments()?;
            for of_system in rows.chunk_by(|&a, &b| judged.system[a] == judged.system[b]) {
                let system = judged.system[of_system[0]];
                let name = &judged.systems[system];
                for &row in of_system {
                    writeln!(segments, "{name}\t{:?}", scores[row])?;
                }
                writeln!(systems, "{name}\t{:?}", side.corpus(of_system, (group, system))?)?;
            }
            sinks.extend([segments, systems]);
        }
    }
    sinks.into_iter().try_for_each(Sink::finish)
}

/// A metric's name as part of a file's name: a dash for everything but letters, digits, dots and pluses.
fn file_name(metric: &str) -> String {
    let keeps = |c: char| c.is_alphanumeric() || ['.', '+', '_'].contains(&c);
    metric.chars().map(|c| if keeps(c) { c } else { '-' }).collect()
}
