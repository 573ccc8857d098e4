//! An explanation for people (the two texts with their links, the formula with its numbers, and where the points
//! were lost) and as JSON.

use crate::error::Result;
use anstyle::{AnsiColor, Color, Effects, Style};
use bolide::evidence::Step;
use bolide::explanation::{Cost, Explanation, Link, Losses, Token};
use serde::Serialize;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// How to draw.
pub struct Drawing {
    /// Whether colours also distinguish the stages.
    pub color: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// The score against each reference alone.
    pub each: Vec<f64>,
    /// The steps of the formula that the metric itself describes.
    pub steps: Vec<Step>,
}

/// A stage as the drawing shows it.
struct StageMark {
    name: &'static str,
    mark: &'static str,
    style: Style,
}

const fn colored(color: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(color)))
}

const STAGES: [StageMark; 6] = [
    StageMark { name: "exact", mark: "=", style: colored(AnsiColor::Green) },
    StageMark { name: "case", mark: "≅", style: colored(AnsiColor::Green) },
    StageMark { name: "stem", mark: "~", style: colored(AnsiColor::Cyan) },
    StageMark { name: "synonym", mark: "≈", style: colored(AnsiColor::Magenta) },
    StageMark { name: "near", mark: "≃", style: colored(AnsiColor::Cyan) },
    StageMark { name: "paraphrase", mark: "≋", style: colored(AnsiColor::Yellow) },
];
pub(super) const UNMATCHED: Style = colored(AnsiColor::Red);
pub(super) const BOLD: Style = Style::new().effects(Effects::BOLD);
/// The width of the labels on the left; `reference 10` must fit.
pub(super) const LABEL: usize = 13;

fn stage(link: &Link) -> &'static StageMark {
    STAGES.iter().find(|stage| stage.name == link.stage).unwrap_or(&STAGES[0])
}

/// One token with the marks under it.
struct Cell {
    token: String,
    mark: String,
    style: Style,
    chunk: Option<usize>,
}

impl Cell {
    fn width(&self) -> usize {
        self.token.width().max(self.mark.width())
    }
}

impl Drawing {
    /// The whole drawing.
    pub fn draw(&self, explanation: &Explanation) -> String {
        let mut out = String::new();
        let hypothesis = cells(&explanation.tokens.hypothesis, &explanation.pairs, |link| {
            (link.hypothesis, link.hypothesis_tokens)
        });
        let reference = cells(&explanation.tokens.reference, &explanation.pairs, |link| {
            (link.reference, link.reference_tokens)
        });
        self.side(&mut out, "hypothesis", &hypothesis);
        let label = match self.each.len() {
            1 => "reference".to_owned(),
            _ => format!("reference {}", explanation.reference_idx + 1),
        };
        self.side(&mut out, &label, &reference);
        self.legend(&mut out, explanation);
        self.formula(&mut out, explanation);
        self.references(&mut out, Some(explanation.reference_idx));
        self.losses(&mut out, explanation);
        let _ = writeln!(out, "\n{}", explanation.signature);
        out
    }

    pub(super) fn paint(&self, style: Style, text: &str) -> String {
        if self.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    pub(super) fn label(&self, label: &str) -> String {
        let fill = " ".repeat(LABEL.saturating_sub(label.width()).max(1));
        if label.is_empty() { fill } else { self.paint(BOLD, label) + &fill }
    }

    /// Tokens, the numbers of their links, and brackets around chunks, in as many lines as needed.
    fn side(&self, out: &mut String, label: &str, cells: &[Cell]) {
        if cells.is_empty() {
            let _ = writeln!(out, "{}(no tokens)\n", self.label(label));
        }
        let mut start = 0;
        while start < cells.len() {
            let mut end = start;
            let mut width = LABEL;
            while end < cells.len() && (end == start || width + cells[end].width() < self.width) {
                width += cells[end].width() + 1;
                end += 1;
            }
            self.line(out, if start == 0 { label } else { "" }, &cells[start..end]);
            start = end;
        }
    }

    fn line(&self, out: &mut String, label: &str, cells: &[Cell]) {
        out.push_str(&self.label(label));
        for cell in cells {
            out.push_str(&self.paint(cell.style, &cell.token));
            out.push_str(&" ".repeat(cell.width() - cell.token.width() + 1));
        }
        end_line(out);
        out.push_str(&" ".repeat(LABEL));
        for cell in cells {
            out.push_str(&self.paint(cell.style, &cell.mark));
            out.push_str(&" ".repeat(cell.width() - cell.mark.width() + 1));
        }
        end_line(out);
        out.push_str(&" ".repeat(LABEL));
        let mut idx = 0;
        while idx < cells.len() {
            let run = cells[idx..].iter().take_while(|cell| cell.chunk == cells[idx].chunk).count();
            let run = if cells[idx].chunk.is_none() { 1 } else { run };
            let width =
                cells[idx..idx + run].iter().map(|cell| cell.width() + 1).sum::<usize>() - 1;
            out.push_str(&bracket(cells[idx].chunk, width));
            out.push(' ');
            idx += run;
        }
        end_line(out);
        out.push('\n');
    }

    /// Explains the marks, and why words that differ match.
    fn legend(&self, out: &mut String, explanation: &Explanation) {
        let used = STAGES.iter().filter(|s| explanation.pairs.iter().any(|p| p.stage == s.name));
        let used: Vec<String> = used
            .map(|stage| self.paint(stage.style, &format!("{} {}", stage.mark, stage.name)))
            .collect();
        if !used.is_empty() {
            let _ = writeln!(
                out,
                "{}, {}; brackets are chunks",
                used.join(", "),
                self.paint(UNMATCHED, "· no match")
            );
        }
        for (number, link) in (1..).zip(&explanation.pairs) {
            if link.stage == "exact" {
                continue;
            }
            let stage = stage(link);
            let text = format!(
                "{number}{} {} {} {}",
                stage.mark,
                phrase(&explanation.tokens.hypothesis, link.hypothesis, link.hypothesis_tokens),
                stage.mark,
                phrase(&explanation.tokens.reference, link.reference, link.reference_tokens),
            );
            let is_full = link.credit == 1.0;
            let credit = if is_full { String::new() } else { format!(", earns {}", link.credit) };
            let _ = writeln!(out, "  {}: {}{credit}", self.paint(stage.style, &text), link.reason);
        }
        if !used.is_empty() {
            out.push('\n');
        }
    }

    fn formula(&self, out: &mut String, e: &Explanation) {
        let mut step = |name: &str, text: String| {
            let _ = writeln!(out, "{}{text}", self.label(name));
        };
        step("matches", matches(e));
        step("chunks", chunks(e));
        let Explanation { alpha, precision: p, recall: r, fmean: f, penalty, score, .. } = *e;
        let (h, n) = (e.tokens.hypothesis.len() as f64, e.tokens.reference.len() as f64);
        let m = e.matches as f64;
        // Precision and recall are fractions of counts only if all words have equal weight.
        let is_plain = self.step("weights").is_none();
        step(
            "precision",
            match is_plain {
                true => format!("P = matches / hypothesis words = {m} / {h} = {p:.4}"),
                false => format!("P = {}{p:.4}", self.weighted("precision")),
            },
        );
        step(
            "recall",
            match is_plain {
                true => format!("R = matches / reference words = {m} / {n} = {r:.4}"),
                false => format!("R = {}{r:.4}", self.weighted("recall")),
            },
        );
        if let Some(weights) = self.step("weights") {
            step("", weights.formula.clone());
        }
        if p == 0.0 || r == 0.0 {
            step("score", self.paint(BOLD, "0: no word matches"));
            return;
        }
        let rest = tidy(1.0 - alpha);
        step(
            "Fmean",
            format!(
                "F = P·R / (α·P + (1−α)·R) = {p:.4}·{r:.4} / ({alpha}·{p:.4} + {rest}·{r:.4}) = {f:.4}"
            ),
        );
        step(
            "",
            format!(
                "check: 1 / (α/R + (1−α)/P) = 1 / ({alpha}/{r:.4} + {rest}/{p:.4}) = {:.4}",
                e.fmean_check
            ),
        );
        // A phrase counts as the mean of its words on both sides.
        let words = |link: &Link| (link.hypothesis_tokens + link.reference_tokens) as f64 / 2.0;
        let m: f64 = e.pairs.iter().map(words).sum();
        step("penalty", penalty_step(e, m));
        step(
            "score",
            format!(
                "(1 − penalty)·F = (1 − {penalty:.4})·{f:.4} = {}",
                self.paint(BOLD, &format!("{score:.4}"))
            ),
        );
    }

    fn step(&self, name: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.name == name)
    }

    /// The computation of a step, if the metric describes it.
    fn weighted(&self, name: &str) -> String {
        self.step(name).map_or_else(String::new, |step| format!("{} = ", step.formula))
    }

    /// What each of several references gives. The drawing shows the best.
    pub(super) fn references(&self, out: &mut String, chosen: Option<usize>) {
        if self.each.len() < 2 {
            return;
        }
        let scores = self.each.iter().enumerate().map(|(idx, score)| {
            let shown = format!("{}: {score:.4}", idx + 1);
            if Some(idx) == chosen { self.paint(BOLD, &shown) } else { shown }
        });
        let scores: Vec<String> = scores.collect();
        let _ = writeln!(out, "{}{}", self.label("references"), scores.join(", "));
    }

    fn losses(&self, out: &mut String, e: &Explanation) {
        let Losses { unmatched_hypothesis, unmatched_reference, fragmentation, .. } = e.losses;
        let _ = writeln!(out, "\n{}  {:.4} of 1", self.paint(BOLD, "lost"), 1.0 - e.score);
        let mut part = |name: &str, lost: f64, single: Vec<String>| {
            let _ = writeln!(out, "  {lost:.4}  {name}");
            for line in single {
                let _ = writeln!(out, "          {line}");
            }
        };
        let name = |tokens: &[Token], cost: &Cost| {
            format!("'{}' (word {})", phrase(tokens, cost.at, 1), cost.at + 1)
        };
        // Matched words are listed if they get less than full credit.
        let words = |tokens: &[Token], costs: &[Cost], is_matched: &dyn Fn(usize) -> bool| {
            let line = |cost: &Cost| {
                let repaired = if is_matched(cost.at) { "with full credit for" } else { "without" };
                format!("{:+.4} {repaired} {}", cost.cost, name(tokens, cost))
            };
            costs.iter().filter(|cost| cost.cost != 0.0).map(line).collect::<Vec<String>>()
        };
        let of_hypothesis = |at: usize| e.pairs.iter().any(|link| link.hypothesis == at);
        let of_reference = |at: usize| e.pairs.iter().any(|link| link.reference == at);
        let costs = &e.losses;
        let is_partial = costs.hypothesis_words.iter().any(|cost| of_hypothesis(cost.at));
        let lacking = if is_partial { "a match or full credit" } else { "a match" };
        part(
            &format!("words of the hypothesis without {lacking}"),
            unmatched_hypothesis,
            words(&e.tokens.hypothesis, &costs.hypothesis_words, &of_hypothesis),
        );
        part(
            &format!("words of the reference without {lacking}"),
            unmatched_reference,
            words(&e.tokens.reference, &costs.reference_words, &of_reference),
        );
        let breaks = costs.breaks.iter().map(|cost| {
            format!(
                "{:+.4} without the break after {}",
                cost.cost,
                name(&e.tokens.hypothesis, cost)
            )
        });
        part("fragmentation: breaks between chunks", fragmentation, breaks.collect());
    }
}

/// How the penalty is computed, for this number of matched words.
fn penalty_step(e: &Explanation, words: f64) -> String {
    let &Explanation { gamma, beta, penalty, chunks, .. } = e;
    if e.counts_breaks && e.matches < 2 {
        return "0: one match has no order".to_owned();
    }
    if e.counts_breaks {
        let (breaks, joints) = (chunks - 1, words - 1.0);
        return format!(
            "γ·(chunks − 1) / (matches − 1) = {gamma}·{breaks} / {joints} = {penalty:.4}"
        );
    }
    let again = gamma * (chunks as f64 / words).powf(beta);
    match (again - penalty).abs() < 1e-9 {
        true => {
            format!("γ·(chunks / matches)^β = {gamma}·({chunks} / {words})^{beta} = {penalty:.4}")
        }
        false => format!("{penalty:.4} (γ {gamma}, β {beta})"),
    }
}

pub(super) fn end_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

fn cells(tokens: &[Token], pairs: &[Link], place: impl Fn(&Link) -> (usize, usize)) -> Vec<Cell> {
    let unmatched = |token: &Token| Cell {
        token: printable(&token.text),
        mark: "·".to_owned(),
        style: UNMATCHED,
        chunk: None,
    };
    let mut cells: Vec<Cell> = tokens.iter().map(unmatched).collect();
    for (number, link) in (1..).zip(pairs) {
        let (start, n_tokens) = place(link);
        let stage = stage(link);
        for cell in cells.iter_mut().skip(start).take(n_tokens) {
            cell.mark = format!("{number}{}", stage.mark);
            cell.style = stage.style;
            cell.chunk = Some(link.chunk);
        }
    }
    cells
}

/// A bracket of a given width with the number of the chunk in it.
fn bracket(chunk: Option<usize>, width: usize) -> String {
    let Some(chunk) = chunk else { return " ".repeat(width) };
    let number = (chunk + 1).to_string();
    match width.checked_sub(number.len() + 2) {
        Some(rest) => {
            let left = rest / 2;
            format!("╰{}{number}{}╯", "─".repeat(left), "─".repeat(rest - left))
        }
        None => format!("{number:width$}"),
    }
}

/// A token without control characters.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// The words of a match.
fn phrase(tokens: &[Token], start: usize, n_tokens: usize) -> String {
    let words = tokens.iter().skip(start).take(n_tokens).map(|token| printable(&token.text));
    words.collect::<Vec<_>>().join(" ")
}

fn matches(e: &Explanation) -> String {
    let parts: Vec<String> = STAGES
        .iter()
        .map(|stage| (stage.name, e.pairs.iter().filter(|link| link.stage == stage.name).count()))
        .filter(|&(_, n)| n > 0)
        .map(|(name, n)| format!("{n} {name}"))
        .collect();
    match parts.as_slice() {
        [] => "0".to_owned(),
        [only] => format!("{} ({only})", e.matches),
        _ => format!("{} = {}", e.matches, parts.join(" + ")),
    }
}

fn chunks(e: &Explanation) -> String {
    let proof = match (e.proven, e.chunks_lower_bound) {
        (Some(true), _) => ", proven to be the fewest".to_owned(),
        (Some(false), Some(bound)) => format!(", not proven to be the fewest: at least {bound}"),
        (Some(false), None) => ", not proven to be the fewest".to_owned(),
        (None, _) => String::new(),
    };
    format!("{}{proof}; {} crossings", e.chunks, e.crossings)
}

/// Rounds away the noise of binary fractions in 1 − α: 0.1, not 0.09999999999999998.
fn tidy(x: f64) -> f64 {
    (x * 1e9).round() / 1e9
}

/// The document of `--format json`: docs/schema/explain.json describes it.
#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    metric: &'a str,
    #[serde(flatten)]
    explanation: &'a Explanation,
    #[serde(skip_serializing_if = "<[Step]>::is_empty")]
    steps: &'a [Step],
}

/// The explanation as a JSON document. Positions count from 0.
pub fn to_json(metric: &str, explanation: &Explanation, steps: &[Step]) -> Result<String> {
    let document = Document { version: bolide::VERSION, metric, explanation, steps };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}
