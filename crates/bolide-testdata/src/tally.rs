//! Compares numbers by their bits and counts them per dialect.

use crate::Case;
use std::collections::BTreeMap;
use std::io::Write;

/// Whether two scores have the same bits. `None` equals only NaN.
pub fn same(found: f64, expected: Option<f64>) -> bool {
    match expected {
        Some(expected) => found.to_bits() == expected.to_bits(),
        None => found.is_nan(),
    }
}

/// The numbers of cases and values of each dialect that a door has compared, and the differences.
#[derive(Debug, Default)]
pub struct Tally {
    counts: BTreeMap<String, (usize, usize)>,
    differences: Vec<String>,
    n_differences: usize,
}

/// Differences that are shown in full.
const SHOWN: usize = 60;

impl Tally {
    /// A tally without comparisons.
    pub fn new() -> Self {
        Self::default()
    }

    /// Compares the score of a case and, for a corpus, those of its segments.
    pub fn case(&mut self, case: &Case, score: f64, segments: &[f64]) {
        self.counts.entry(case.dialect().to_owned()).or_default().0 += 1;
        self.number(case, "score", score, case.score);
        if case.is_corpus {
            assert_eq!(segments.len(), case.segments.len(), "{}, {}", case.metric, case.name);
            for (at, (found, segment)) in segments.iter().zip(&case.segments).enumerate() {
                self.number(case, &format!("segment {}", at + 1), *found, segment.score);
            }
        }
    }

    /// Compares the statistics of a case with components of the same names.
    pub fn statistics(&mut self, case: &Case, component: impl Fn(&str) -> Option<f64>) {
        for (name, &expected) in &case.statistics {
            self.number(case, name, component(name).unwrap_or(f64::NAN), Some(expected));
        }
    }

    fn number(&mut self, case: &Case, what: &str, found: f64, expected: Option<f64>) {
        self.counts.entry(case.dialect().to_owned()).or_default().1 += 1;
        if same(found, expected) {
            return;
        }
        self.n_differences += 1;
        if self.differences.len() < SHOWN {
            let Case { name, metric, source, .. } = case;
            let expected = expected.map_or("no number".to_owned(), |x| format!("{x:?}"));
            self.differences.push(format!(
                "{metric}, {name}, {what}: {found:?}, expected {expected} ({source})"
            ));
        }
    }

    /// The dialects that had cases.
    pub fn dialects(&self) -> impl Iterator<Item = &str> {
        self.counts.keys().map(String::as_str)
    }

    /// Prints what was compared, also when the test passes.
    ///
    /// # Panics
    ///
    /// If a number differed, or none was compared.
    pub fn finish(&self, door: &str) {
        let total = |of: fn(&(usize, usize)) -> usize| self.counts.values().map(of).sum::<usize>();
        let mut table = format!("\ngolden cases through {door}:\n");
        let all = ("all".to_owned(), (total(|c| c.0), total(|c| c.1)));
        for (dialect, (cases, numbers)) in self.counts.iter().chain([(&all.0, &all.1)]) {
            table.push_str(&format!("  {dialect:<20} {cases:>6} cases {numbers:>7} numbers\n"));
        }
        // `println!` would be captured: only a failing test would show the table.
        drop(std::io::stdout().write_all(table.as_bytes()));
        assert!(total(|c| c.1) > 0, "no number was compared");
        let shown = self.differences.join("\n");
        assert_eq!(self.n_differences, 0, "numbers that differ:\n{shown}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Segment;

    fn case(score: Option<f64>) -> Case {
        let segment = Segment { hypothesis: "a".into(), references: vec!["a".into()], score };
        Case {
            name: "one".into(),
            metric: "bleu".into(),
            segments: vec![segment],
            is_corpus: false,
            score,
            statistics: BTreeMap::from([("chunks".to_owned(), 2.0)]),
            tables: Vec::new(),
            source: "here".into(),
        }
    }

    fn check(found: f64, expected: Option<f64>, is_same: bool) {
        assert_eq!(same(found, expected), is_same, "{found:?}, {expected:?}");
        let mut tally = Tally::new();
        tally.case(&case(expected), found, &[]);
        assert_eq!(tally.n_differences == 0, is_same, "{found:?}, {expected:?}");
    }

    #[test]
    fn one_bit_is_a_difference() {
        check(0.1, Some(0.1), true);
        for bit in 0..64 {
            check(f64::from_bits(0.1f64.to_bits() ^ (1 << bit)), Some(0.1), false);
        }
        check(0.0, Some(-0.0), false);
        check(f64::NAN, Some(0.1), false);
        check(f64::NAN, None, true);
        check(0.1, None, false);
    }

    #[test]
    fn missing_and_different_statistics_are_differences() {
        for (found, n_differences) in [(Some(2.0), 0), (Some(2.0f64.next_up()), 1), (None, 1)] {
            let mut tally = Tally::new();
            tally.statistics(&case(None), |_| found);
            assert_eq!(tally.n_differences, n_differences, "{found:?}");
        }
    }

    #[test]
    #[should_panic(expected = "numbers that differ")]
    fn a_difference_fails_the_door() {
        let mut tally = Tally::new();
        tally.case(&case(Some(0.1)), 0.1f64.next_up(), &[]);
        tally.finish("a test");
    }

    #[test]
    #[should_panic(expected = "no number was compared")]
    fn comparing_nothing_fails_the_door() {
        Tally::new().finish("a test");
    }
}
