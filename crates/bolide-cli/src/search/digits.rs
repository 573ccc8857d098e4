//! How a score may have been printed: rounded or truncated, as it is or in percent.

/// A number as someone printed it.
pub struct Printed {
    value: f64,
    decimals: usize,
    /// It had a percent sign.
    percent: bool,
}

/// The scale of a metric: its perfect score.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Scores up to 1.
    One,
    /// Scores up to 100.
    Hundred,
}

impl Scale {
    /// The perfect score.
    pub fn perfect(self) -> f64 {
        match self {
            Scale::One => 1.0,
            Scale::Hundred => 100.0,
        }
    }
}

/// How a score was printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// How its digits agree.
    pub digits: Digits,
    /// Whether it was printed on another scale: percent or fraction.
    pub scaled: bool,
    /// The same in words.
    pub how: String,
}

/// How the digits of a score and of a number agree, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Digits {
    /// All of them.
    All,
    /// After rounding.
    Rounded,
    /// After cutting off the rest.
    Cut,
}

/// A number with at least this many decimals was not rounded for print.
const FULL: usize = 13;

impl Printed {
    /// Reads `0.17`, `.17`, `17.3`, `17.3%`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (digits, percent) = match text.strip_suffix('%') {
            Some(digits) => (digits.trim_end(), true),
            None => (text, false),
        };
        let value: f64 = digits.parse().ok().filter(|value: &f64| value.is_finite())?;
        let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (digits, 0),
        };
        let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len()) as i64;
        let decimals = usize::try_from(decimals - exponent).unwrap_or(0).min(300);
        Some(Printed { value, decimals, percent })
    }

    /// The distance between a score and this number, on a scale from 0 to 1. A number above 1 is in percent.
    pub fn distance(&self, score: f64, scale: Scale) -> f64 {
        let percent = self.percent || self.value > 1.0;
        let value = if percent { self.value / 100.0 } else { self.value };
        let score = if scale == Scale::One { score } else { score / 100.0 };
        (score - value).abs()
    }

    /// The factors that a score may have been multiplied by, with their descriptions.
    fn ways(&self, scale: Scale) -> &'static [(f64, &'static str)] {
        match (scale, self.percent) {
            (Scale::One, false) => &[(1.0, ""), (100.0, "in percent, ")],
            (Scale::One, true) => &[(100.0, "in percent, ")],
            (Scale::Hundred, false) => &[(1.0, ""), (0.01, "as a fraction of 1, ")],
            (Scale::Hundred, true) => &[(1.0, "")],
        }
    }

    /// Whether a score that is at most `part` of its scale away may have been printed as this number.
    pub fn is_near(&self, score: f64, scale: Scale, part: f64) -> bool {
        let near = |factor: f64| (score - self.value / factor).abs() <= part * scale.perfect();
        self.ways(scale).iter().any(|&(factor, _)| near(factor))
    }

    /// How the score was printed as this number, if that is possible.
    pub fn reads(&self, score: f64, scale: Scale) -> Option<Reading> {
        self.each_way(score, scale, |scaled| self.same(scaled))
    }

    /// The same, if the score was rounded to one more decimal, and what was printed was rounded again: 81.7456 to
    /// 81.75 and that to 81.8.
    pub fn reads_twice(&self, score: f64, scale: Scale) -> Option<Reading> {
        self.each_way(score, scale, |scaled| self.same_twice(scaled))
    }

    fn each_way(
        &self,
        score: f64,
        scale: Scale,
        same: impl Fn(f64) -> Option<(Digits, String)>,
    ) -> Option<Reading> {
        self.ways(scale).iter().find_map(|&(factor, prefix)| {
            let scaled = if factor == 1.0 { score } else { score * factor };
            let (digits, how) = same(scaled)?;
            Some(Reading { digits, scaled: factor != 1.0, how: format!("{prefix}{how}") })
        })
    }

    fn same_twice(&self, x: f64) -> Option<(Digits, String)> {
        let (decimals, first) = (self.decimals, self.decimals + 1);
        let longer = format!("{x:.first$}");
        // Only a last 5 makes a difference, and people round it up.
        let up: f64 = format!("{}6", longer.strip_suffix('5')?).parse().ok()?;
        let is_same = format!("{up:.decimals$}") == format!("{:.decimals$}", self.value);
        let unit = if first == 1 { "decimal" } else { "decimals" };
        let how = || (Digits::Rounded, format!("rounded to {first} {unit}, then to {decimals}"));
        (is_same && first < FULL).then(how)
    }

    fn same(&self, x: f64) -> Option<(Digits, String)> {
        if !x.is_finite() {
            return None;
        }
        if x == self.value {
            return Some((Digits::All, "exactly this".to_owned()));
        }
        let decimals = self.decimals;
        let unit = if decimals == 1 { "decimal" } else { "decimals" };
        let target = format!("{:.decimals$}", self.value);
        if format!("{x:.decimals$}") == target {
            return Some(match decimals {
                FULL.. => (Digits::All, format!("equal to {decimals} decimals")),
                _ => (Digits::Rounded, format!("rounded to {decimals} {unit}")),
            });
        }
        // Print more digits than the number has, then truncate: rounding here would change the last digit.
        let longer = format!("{x:.0$}", decimals + 25);
        let cut = &longer[..longer.len() - 25];
        let cut = cut.strip_suffix('.').unwrap_or(cut);
        let how = || (Digits::Cut, format!("cut off after {decimals} {unit}"));
        (cut == target && decimals < FULL).then(how)
    }

    /// The number itself.
    pub fn number(&self) -> f64 {
        self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, score: f64, scale: Scale, how: Option<&str>) {
        let printed = Printed::parse(text).unwrap();
        let read = printed.reads(score, scale).map(|reading| reading.how);
        assert_eq!(read.as_deref(), how, "{text} {score}");
    }

    #[test]
    fn numbers_are_compared_to_their_digits() {
        use Scale::{Hundred, One};
        check("0.17", 0.1732, One, Some("rounded to 2 decimals"));
        check("0.17", 0.1751, One, Some("cut off after 2 decimals"));
        check("0.17", 0.1649, One, None);
        check(".17", 0.17, One, Some("exactly this"));
        check("17.3", 0.1732, One, Some("in percent, rounded to 1 decimal"));
        check("17.3%", 0.1732, One, Some("in percent, rounded to 1 decimal"));
        check("0.1732%", 0.1732, One, None);
        check("17", 0.1732, One, Some("in percent, rounded to 0 decimals"));
        check("17", 0.1799, One, Some("in percent, cut off after 0 decimals"));
        check("30.6", 30.59, Hundred, Some("rounded to 1 decimal"));
        check("0.306", 30.59, Hundred, Some("as a fraction of 1, rounded to 3 decimals"));
        check("30.6%", 30.59, Hundred, Some("rounded to 1 decimal"));
        check("1.7e-1", 0.1732, One, Some("rounded to 2 decimals"));
        check("0.9976851851851852", 0.9976851851851852, One, Some("exactly this"));
        check("0.9976851851851853", 0.9976851851851852, One, None);
        check("0.00", f64::NAN, One, None);
    }

    #[test]
    fn a_number_may_have_been_rounded_twice() {
        let how = |text: &str, score: f64, scale: Scale| {
            let printed = Printed::parse(text).unwrap();
            printed.reads_twice(score, scale).map(|reading| reading.how)
        };
        let twice = Some("rounded to 2 decimals, then to 1".to_owned());
        assert_eq!(how("81.8", 81.7456, Scale::Hundred), twice);
        assert_eq!(how("-81.8", -81.7456, Scale::Hundred), twice);
        assert_eq!(
            how("81.8", 0.817456, Scale::One),
            twice.map(|how| format!("in percent, {how}"))
        );
        assert_eq!(how("82", 81.46, Scale::Hundred).unwrap(), "rounded to 1 decimal, then to 0");
        assert_eq!(how("81.8", 81.7449, Scale::Hundred), None);
        assert_eq!(how("81.7", 81.7456, Scale::Hundred), None);
        assert_eq!(how("0.0", f64::NAN, Scale::One), None);
    }

    #[test]
    fn a_number_is_near_a_score_on_any_scale() {
        for (text, score, scale, is_near) in [
            ("0.5", 0.6, Scale::One, true),
            ("0.5", 0.7, Scale::One, false),
            ("50", 0.6, Scale::One, true),
            ("0.5", 60.0, Scale::Hundred, true),
            ("0.5", 14.0, Scale::Hundred, true),
            ("0.5%", 14.0, Scale::Hundred, true),
            ("0.5%", 60.0, Scale::Hundred, false),
            ("0.5", f64::NAN, Scale::One, false),
        ] {
            let printed = Printed::parse(text).unwrap();
            assert_eq!(printed.is_near(score, scale, 0.15), is_near, "{text} {score}");
        }
    }

    #[test]
    fn what_is_not_a_number() {
        for text in ["", "x", "nan", "inf", "%", "0,17", "1e", "0.1.2"] {
            assert!(Printed::parse(text).is_none(), "{text}");
        }
    }
}
