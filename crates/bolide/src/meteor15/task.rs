//! The tasks that METEOR 1.5 was tuned for: parameters and module weights, by language.

use super::language::Language;

/// A task that parameters and weights were tuned for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// WMT rankings.
    Rank,
    /// Adequacy.
    Adq,
    /// Human-targeted translation edit rate.
    Hter,
    /// Translators' use.
    Util,
    /// Independent of the language.
    Li,
    /// Balanced, for tuning systems.
    Tune,
    /// Any language with function words and paraphrases.
    Universal,
    /// The caller's own numbers. Until they replace something, the same as [`Task::Adq`].
    Custom,
}

impl Task {
    /// Parses a task in any case. `default` means rank; anything that starts with `custom` is custom.
    pub fn parse(text: &str) -> Option<Task> {
        let text = text.to_lowercase();
        let known = [
            ("rank", Task::Rank),
            ("adq", Task::Adq),
            ("hter", Task::Hter),
            ("util", Task::Util),
            ("li", Task::Li),
            ("tune", Task::Tune),
            ("universal", Task::Universal),
            ("default", Task::Rank),
        ];
        if text.starts_with("custom") {
            return Some(Task::Custom);
        }
        known.into_iter().find(|&(name, _)| name == text).map(|(_, task)| task)
    }

    /// The name in a signature.
    pub fn name(self) -> &'static str {
        match self {
            Task::Rank => "rank",
            Task::Adq => "adq",
            Task::Hter => "hter",
            Task::Util => "util",
            Task::Li => "li",
            Task::Tune => "tune",
            Task::Universal => "universal",
            Task::Custom => "custom",
        }
    }

    /// The words of the jar's header.
    pub fn description(self) -> &'static str {
        match self {
            Task::Rank => "Ranking",
            Task::Adq => "Adequacy",
            Task::Hter => "HTER",
            Task::Util => "Translator-Utility",
            Task::Li => "Language-Independent",
            Task::Tune => "Tune",
            Task::Universal => "Universal",
            Task::Custom => "Custom",
        }
    }

    /// α β γ δ and the weights of up to four modules.
    pub fn numbers(self, language: Language) -> ([f64; 4], [f64; 4]) {
        const NONE: ([f64; 4], [f64; 4]) = ([0.0; 4], [0.0; 4]);
        const LI: ([f64; 4], [f64; 4]) = ([0.75, 1.40, 0.70, 0.50], [1.0, 0.5, 0.5, 0.5]);
        use Language::{Czech, English, French, German, Other, Russian, Spanish};
        match (self, language) {
            (Task::Universal, _) => ([0.70, 1.40, 0.30, 0.70], [1.0, 0.6, 0.0, 0.0]),
            (Task::Li, _) | (_, Other) => LI,
            (Task::Tune, _) => ([0.5, 1.0, 0.5, 0.5], [1.0, 0.5, 0.5, 0.5]),
            (Task::Rank, English) => ([0.85, 0.20, 0.60, 0.75], [1.0, 0.6, 0.8, 0.6]),
            (Task::Rank, Czech) => ([0.95, 0.20, 0.60, 0.80], [1.0, 0.4, 0.0, 0.0]),
            (Task::Rank, French) => ([0.90, 1.40, 0.60, 0.65], [1.0, 0.2, 0.4, 0.0]),
            (Task::Rank, Spanish) => ([0.65, 1.30, 0.50, 0.80], [1.0, 0.8, 0.6, 0.0]),
            (Task::Rank, German) => ([0.95, 1.00, 0.55, 0.55], [1.0, 0.8, 0.2, 0.0]),
            (Task::Rank, Russian) => ([0.75, 1.40, 0.70, 0.50], [1.0, 0.5, 0.5, 0.0]),
            (Task::Adq | Task::Custom, English) => ([0.75, 1.40, 0.45, 0.70], [1.0, 1.0, 0.6, 0.8]),
            (Task::Hter, English) => ([0.40, 1.50, 0.35, 0.55], [1.0, 0.2, 0.6, 0.8]),
            (Task::Util, English) => ([0.65, 0.10, 0.55, 0.65], [1.0, 0.0, 0.0, 0.8]),
            _ => NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_other_knows_one_row() {
        let li = Task::Li.numbers(Language::Danish);
        for task in [Task::Rank, Task::Adq, Task::Tune, Task::Custom] {
            assert_eq!(task.numbers(Language::Other), li);
        }
        assert_ne!(Task::Universal.numbers(Language::Other), li);
    }

    #[test]
    fn names() {
        assert_eq!(Task::parse("RANK"), Some(Task::Rank));
        assert_eq!(Task::parse("default"), Some(Task::Rank));
        assert_eq!(Task::parse("customary"), Some(Task::Custom));
        assert_eq!(Task::parse("x"), None);
    }
}
