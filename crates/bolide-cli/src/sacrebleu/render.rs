//! Results as sacreBLEU prints them: lines, JSON as Python writes it, and tables for terminals and LaTeX.
//!
//! The wording is sacreBLEU's, because programs and people search its output for it.

use super::measure::{Measure, Outcome};
use super::options::Paired;
use bolide::resample::Interval;
use bolide::{Score, Signature};

/// How numbers and signatures are written.
#[derive(Clone, Copy)]
pub struct Style {
    /// Decimals.
    pub width: usize,
    /// Whether signatures are short.
    pub short: bool,
    /// Whether only the scores are printed.
    pub score_only: bool,
}

/// The long and the short names of the keys; where TER's differ, they come first.
const SHORT: [(&str, &str); 13] = [
    ("nrefs", "#"),
    ("seed", "rs"),
    ("case", "c"),
    ("eff", "e"),
    ("smooth", "s"),
    ("space", "s"),
    ("norm", "nr"),
    ("punct", "pn"),
    ("asian", "as"),
    ("version", "v"),
    ("lang", "l"),
    ("test", "t"),
    ("subset", "S"),
];

/// The keys of a signature that sacreBLEU has too.
fn pairs(signature: &Signature) -> Vec<(String, String)> {
    let form = signature.sacrebleu_form().unwrap_or_default();
    let pairs = form.split('|').filter_map(|pair| pair.split_once(':'));
    pairs
        .map(|(key, value)| {
            // The value of smoothing has two decimals.
            let value = match value.strip_suffix(']').and_then(|value| value.split_once('[')) {
                Some((method, number)) => match number.parse::<f64>() {
                    Ok(number) => format!("{method}[{number:.2}]"),
                    Err(_) => value.to_owned(),
                },
                None => value.to_owned(),
            };
            (key.to_owned(), value)
        })
        .collect()
}

fn signature(signature: &Signature, short: bool) -> String {
    let pairs = pairs(signature).into_iter().map(|(key, value)| {
        let brief = || match (key.as_str(), value.as_str()) {
            ("tok", "tercom") => "t",
            _ => SHORT.iter().find(|(long, _)| *long == key).map_or(key.as_str(), |(_, s)| *s),
        };
        format!("{}:{value}", if short { brief() } else { &key })
    });
    pairs.collect::<Vec<_>>().join("|")
}

/// BLEU's details after its score.
fn verbose(score: &Score) -> String {
    let part = |name: &str| score.components.get(name).map_or(0.0, |value| value.as_f64());
    let precisions: Vec<String> =
        (1..=4).map(|n| format!("{:.1}", part(&format!("precision{n}")))).collect();
    format!(
        "{} (BP = {:.3} ratio = {:.3} hyp_len = {} ref_len = {})",
        precisions.join("/"),
        part("brevity_penalty"),
        part("ratio"),
        part("hypothesis_length"),
        part("reference_length")
    )
}

/// One line for a score.
pub fn line(measure: &Measure, score: &Score, interval: Option<Interval>, style: Style) -> String {
    let (width, value) = (style.width, score.value);
    let mut line = match style.score_only {
        true => format!("{value:.width$}"),
        false => {
            let signature = signature(&score.signature, style.short);
            format!("{}|{signature} = {value:.width$}", measure.name)
        }
    };
    if let Some(Interval { mean, half_width, .. }) = interval.filter(|interval| interval.mean > 0.0)
    {
        line += &format!(" (μ = {mean:.width$} ± {half_width:.width$})");
    }
    if measure.verbose && !style.score_only {
        line += &format!(" {}", verbose(score));
    }
    line
}

/// Lines with aligned equals signs.
pub fn aligned(lines: &[String]) -> String {
    let before = |line: &str| match line.contains('|') {
        true => line.split(" = ").next().unwrap_or_default().chars().count(),
        false => 0,
    };
    let widest = lines.iter().map(|line| before(line)).max().unwrap_or(0);
    let padded = lines.iter().map(|line| {
        let pad = if line.contains('|') { widest - before(line) } else { 0 };
        format!("{}{line}\n", " ".repeat(pad))
    });
    padded.collect()
}

/// A score as a JSON object.
pub fn object(
    measure: &Measure,
    score: &Score,
    interval: Option<Interval>,
    style: Style,
) -> String {
    if style.score_only {
        return line(measure, score, interval, style);
    }
    let width = style.width;
    let mut entries = vec![
        ("name".to_owned(), string(&measure.name, false)),
        ("score".to_owned(), rounded(score.value, width)),
        ("signature".to_owned(), string(&signature(&score.signature, false), false)),
    ];
    if let Some(Interval { mean, half_width, .. }) = interval.filter(|interval| interval.mean > 0.0)
    {
        let text = format!("μ = {mean:.width$} ± {half_width:.width$}");
        entries.push(("confidence_mean".to_owned(), rounded(mean, width)));
        entries.push(("confidence_var".to_owned(), rounded(half_width, width)));
        entries.push(("confidence".to_owned(), string(&text, false)));
    }
    if measure.verbose {
        entries.push(("verbose_score".to_owned(), string(&verbose(score), false)));
    }
    for (key, value) in pairs(&score.signature) {
        entries.push((key, string(&value, false)));
    }
    let entries: Vec<String> =
        entries.iter().map(|(key, value)| format!(" \"{key}\": {value}")).collect();
    format!("{{\n{}\n}}", entries.join(",\n"))
}

/// Several objects as a list.
pub fn list(objects: &[String]) -> String {
    match objects {
        [one] => format!("{one}\n"),
        several => format!("[\n{}\n]\n", several.join(",\n")),
    }
}

/// Several systems.
pub struct Table<'a> {
    pub systems: &'a [String],
    pub measures: &'a [Measure],
    /// For each metric the outcomes of all systems.
    pub outcomes: &'a [Vec<Outcome>],
    /// The test, and how many samples or trials it has.
    pub paired: Option<(Paired, i64)>,
    pub style: Style,
}

impl Table<'_> {
    /// As JSON.
    pub fn json(&self) -> String {
        if self.systems.is_empty() {
            return "[]\n".to_owned();
        }
        let system = |(idx, name): (usize, &String)| {
            let mut entries = vec![format!("        \"system\": {}", string(name, true))];
            for (measure, outcomes) in self.measures.iter().zip(self.outcomes) {
                entries.push(format!(
                    "        \"{}\": {}",
                    measure.name,
                    self.value(&outcomes[idx])
                ));
            }
            format!("    {{\n{}\n    }}", entries.join(",\n"))
        };
        let systems: Vec<String> = self.systems.iter().enumerate().map(system).collect();
        format!("[\n{}\n]\n", systems.join(",\n"))
    }

    fn value(&self, outcome: &Outcome) -> String {
        let width = self.style.width;
        if self.paired.is_none() {
            return format!("\"{:.width$}\"", outcome.score.value);
        }
        let number = |value: Option<f64>| value.map_or("null".to_owned(), repr);
        let entries = [
            ("score", Some(outcome.score.value)),
            ("p_value", outcome.p_value),
            ("mean", outcome.interval.map(|interval| interval.mean)),
            ("ci", outcome.interval.map(|interval| interval.half_width)),
        ];
        let entries =
            entries.map(|(key, value)| format!("            \"{key}\": {}", number(value)));
        format!("{{\n{}\n        }}", entries.join(",\n"))
    }

    /// The cells of the table, each with its lines.
    fn cells(&self) -> Vec<Vec<Vec<String>>> {
        let bootstrap = matches!(self.paired, Some((Paired::Bootstrap, _)));
        let title = |measure: &Measure| match bootstrap {
            true => format!("{} (μ ± 95% CI)", measure.name),
            false => measure.name.clone(),
        };
        let mut head = vec![vec!["System".to_owned()]];
        head.extend(self.measures.iter().map(|measure| vec![title(measure)]));
        let mut rows = vec![head];
        for (idx, system) in self.systems.iter().enumerate() {
            let mut row = vec![vec![system.clone()]];
            row.extend(self.outcomes.iter().map(|outcomes| self.cell(&outcomes[idx])));
            rows.push(row);
        }
        rows
    }

    fn cell(&self, outcome: &Outcome) -> Vec<String> {
        let width = self.style.width;
        let mut first = format!("{:.width$}", outcome.score.value);
        if let Some(interval) = outcome.interval {
            first += &format!(" ({:.width$} ± {:.width$})", interval.mean, interval.half_width);
        }
        let p =
            outcome.p_value.map(|p| format!("(p = {p:.4}){}", if p <= 0.05 { "*" } else { "" }));
        std::iter::once(first).chain(p).collect()
    }

    /// As a table with borders.
    pub fn text(&self) -> String {
        let rows = self.cells();
        let widths = widths(&rows);
        let rule = |[left, line, middle, right]: [&str; 4]| {
            let parts: Vec<String> = widths.iter().map(|width| line.repeat(width + 2)).collect();
            format!("{left}{}{right}\n", parts.join(middle))
        };
        let mut out = rule(["╒", "═", "╤", "╕"]);
        for (idx, row) in rows.iter().enumerate() {
            match idx {
                0 => {}
                1 => out += &rule(["╞", "═", "╪", "╡"]),
                _ => out += &rule(["├", "─", "┼", "┤"]),
            }
            let height = row.iter().map(Vec::len).max().unwrap_or(1);
            for line in 0..height {
                let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                    let text = cell.get(line).map_or("", String::as_str);
                    format!(" {} ", padded(text, width, column == 0))
                });
                out += &format!("│{}│\n", cells.collect::<Vec<_>>().join("│"));
            }
        }
        out + &rule(["╘", "═", "╧", "╛"]) + "\n" + &self.notes()
    }

    /// As a LaTeX table.
    pub fn latex(&self) -> String {
        let mut rows = self.cells();
        rows.iter_mut().flatten().for_each(|cell| *cell = vec![cell.join(" ")]);
        let widths = widths(&rows);
        let mut out =
            format!("\\begin{{tabular}}{{r{}}}\n\\toprule\n", "c".repeat(self.measures.len()));
        for (idx, row) in rows.iter().enumerate() {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                format!(" {} ", escaped(&padded(&cell[0], width, column == 0)))
            });
            out += &format!("{}\\\\\n", cells.collect::<Vec<_>>().join("&"));
            if idx == 0 {
                out += "\\midrule\n";
            }
        }
        out + "\\bottomrule\n\\end{tabular}\n\n" + &self.notes()
    }

    /// The baseline's name in the explanation; empty if it came from standard input.
    fn baseline(&self) -> &str {
        let first = self.systems.first().map_or("", String::as_str);
        if first.starts_with("Baseline: ") { first } else { "" }
    }

    /// The notes below a table: the test, and the signatures.
    fn notes(&self) -> String {
        let mut out = String::new();
        if let Some((test, n)) = self.paired {
            out += &explanation(test, n, self.baseline());
        }
        out += &heading("Metric signatures");
        for (measure, outcomes) in self.measures.iter().zip(self.outcomes) {
            let Some(first) = outcomes.first() else { continue };
            let signature = signature(&first.score.signature, self.style.short);
            out += &format!(" - {:<10} {signature}\n", measure.name);
        }
        out
    }
}

fn heading(title: &str) -> String {
    let line = "-".repeat(title.chars().count());
    format!("{line}\n{title}\n{line}\n")
}

fn explanation(test: Paired, n: i64, baseline: &str) -> String {
    let (title, given) = match test {
        Paired::Bootstrap => (
            format!("Paired bootstrap resampling test with {n} resampling trials"),
            "Actual system score / bootstrap estimated true mean / 95% CI are provided for each metric.",
        ),
        Paired::Randomization => (
            format!("Paired approximate randomization test with {n} trials"),
            "Actual system score is provided for each metric.",
        ),
    };
    heading(&title)
        + &format!(" - Each system is pairwise compared to {baseline}.\n   {given}\n")
        + "
 - Null hypothesis: the system and the baseline translations are essentially
   generated by the same underlying process. For a given system and the baseline,
   the p-value is roughly the probability of the absolute score difference (delta)
   or higher occurring due to chance, under the assumption that the null hypothesis is correct.

 - Assuming a significance threshold of 0.05, the null hypothesis can be rejected
   for p-values < 0.05 (marked with \"*\"). This means that the delta is unlikely to be attributed
   to chance, hence the system is significantly \"different\" than the baseline.
   Otherwise, the p-values are highlighted in red.

 - NOTE: Significance does not tell whether a system is \"better\" than the baseline but rather
   emphasizes the \"difference\" of the systems in terms of the replicability of the delta.

"
}

/// The width of each column. Titles have one more space on each side.
fn widths(rows: &[Vec<Vec<String>>]) -> Vec<usize> {
    let n_columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().enumerate().flat_map(|(idx, row)| {
            let more = if idx == 0 { 2 } else { 0 };
            row[column].iter().map(move |line| line.chars().count() + more)
        });
        cells.max().unwrap_or(0)
    };
    (0..n_columns).map(width).collect()
}

/// A text padded to a width: centred, or aligned right.
fn padded(text: &str, width: usize, right: bool) -> String {
    match right {
        true => format!("{text:>width$}"),
        false => format!("{text:^width$}"),
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '^' => out.push_str("\\^{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '\\' => out.push_str("\\textbackslash{}"),
            '<' | '>' => out.push_str(&format!("\\ensuremath{{{c}}}")),
            c => out.push(c),
        }
    }
    out
}

/// A number rounded to some decimals, as Python writes it.
fn rounded(value: f64, width: usize) -> String {
    repr(format!("{value:.width$}").parse().unwrap_or(value))
}

/// A number as Python writes it: the shortest digits, with an exponent if it is far from 1.
fn repr(value: f64) -> String {
    // Of two decimals that are equally short and equally close, Python chooses the even one.
    let shortest = format!("{value:e}");
    let n_digits =
        shortest.split('e').next().unwrap_or_default().bytes().filter(u8::is_ascii_digit).count();
    let even = format!("{value:.*e}", n_digits.saturating_sub(1));
    let scientific = if even.parse() == Ok(value) { even } else { shortest };
    let Some((digits, exponent)) = scientific.split_once('e') else { return "NaN".to_owned() };
    match exponent.parse::<i32>() {
        Ok(power) if !(-4..16).contains(&power) => {
            let sign = if power < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", power.abs())
        }
        Ok(power) => positional(digits, power),
        Err(_) => value.to_string(),
    }
}

/// Digits with the decimal point moved by a power of ten.
fn positional(digits: &str, power: i32) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits),
    };
    let plain: String = digits.chars().filter(char::is_ascii_digit).collect();
    let point = power + 1;
    if point <= 0 {
        let zeros = "0".repeat(point.unsigned_abs() as usize);
        return format!("{sign}0.{zeros}{plain}");
    }
    let point = point as usize;
    match plain.len() > point {
        true => format!("{sign}{}.{}", &plain[..point], &plain[point..]),
        false => format!("{sign}{plain:0<point$}.0"),
    }
}

/// A JSON string; with `ascii`, all other characters are escaped.
fn string(text: &str, ascii: bool) -> String {
    let mut out = String::from("\"");
    let mut units = [0; 2];
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' || (ascii && c > '~') => {
                c.encode_utf16(&mut units).iter().for_each(|unit| out += &format!("\\u{unit:04x}"));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_python_writes_them() {
        let written = [0.0, 66.5, 1e-5, 0.0001, 123456.0, 1e16, 9.999000099990002e-5].map(repr);
        assert_eq!(
            written,
            ["0.0", "66.5", "1e-05", "0.0001", "123456.0", "1e+16", "9.999000099990002e-05"]
        );
        assert_eq!(
            [-0.25, 120.0, 82.260_406_494_140_63].map(repr),
            ["-0.25", "120.0", "82.26040649414062"]
        );
        assert_eq!(rounded(66.4873, 0), "66.0");
    }

    #[test]
    fn strings_are_written_as_python_writes_them() {
        assert_eq!(string("a\"ï\u{1f600}\u{1}", true), r#""a\"\u00ef\ud83d\ude00\u0001""#);
        assert_eq!(string("μ", false), "\"μ\"");
    }
}
