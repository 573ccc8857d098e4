//! Words without a match that look alike: they differ only in composition, in width or in characters that nobody sees.

use crate::explanation::{Explanation, Token};
use crate::text::normal::nfkc;

impl Explanation {
    /// Names two words without a match that differ only in how they are encoded, if there are any. Nothing for nearly
    /// all segments.
    ///
    /// ```
    /// # #[cfg(feature = "embedded")] {
    /// let meteor: bolide::Metric = "meteor".parse()?;
    /// let why = meteor.explain("the cafe\u{301}", &["a caf\u{e9}"])?;
    /// assert!(why.lookalike().unwrap().contains("differ only in composition"));
    /// assert_eq!(meteor.explain("the cat", &["a dog"])?.lookalike(), None);
    /// # }
    /// # Ok::<(), bolide::Error>(())
    /// ```
    pub fn lookalike(&self) -> Option<String> {
        let mut is_matched =
            (vec![false; self.tokens.hypothesis.len()], vec![false; self.tokens.reference.len()]);
        for pair in &self.pairs {
            let ends =
                (pair.hypothesis + pair.hypothesis_tokens, pair.reference + pair.reference_tokens);
            is_matched.0.get_mut(pair.hypothesis..ends.0)?.fill(true);
            is_matched.1.get_mut(pair.reference..ends.1)?.fill(true);
        }
        let left = |tokens: &[Token], is_matched: &[bool]| {
            let left = tokens
                .iter()
                .zip(is_matched)
                .enumerate()
                .filter(|(_, (_, is_matched))| !**is_matched);
            let mut left: Vec<(String, usize)> =
                left.map(|(at, (token, _))| (plain(&token.text), at)).collect();
            left.sort_unstable();
            left
        };
        let ours = left(&self.tokens.hypothesis, &is_matched.0);
        let theirs = left(&self.tokens.reference, &is_matched.1);
        let (h, r) = ours.iter().find_map(|(text, h)| {
            let at = theirs.partition_point(|(other, _)| other < text);
            let (other, r) = theirs.get(at)?;
            let differ =
                self.tokens.hypothesis.get(*h)?.text != self.tokens.reference.get(*r)?.text;
            (other == text && !text.is_empty() && differ).then_some((*h, *r))
        })?;
        let (a, b) = (&self.tokens.hypothesis.get(h)?.text, &self.tokens.reference.get(r)?.text);
        Some(format!(
            "'{}' (word {} of the hypothesis) and '{}' (word {} of the reference) differ only {}",
            a.escape_debug(),
            h + 1,
            b.escape_debug(),
            r + 1,
            difference(a, b)
        ))
    }
}

fn difference(a: &str, b: &str) -> &'static str {
    let seen = |text: &str| text.chars().filter(|&c| !is_invisible(c)).collect::<String>();
    if seen(a) == seen(b) {
        return "by characters that cannot be seen";
    }
    if is_same_composed(&seen(a), &seen(b)) {
        return "in composition: one has letters with marks as single characters, the other as several; \
                the key normal:nfc of meteor:classic makes them equal";
    }
    "in the width or the form of letters"
}

/// Whether two texts are equal if letters and marks are composed.
#[cfg(feature = "languages")]
fn is_same_composed(a: &str, b: &str) -> bool {
    use unicode_normalization::UnicodeNormalization;
    a.nfc().eq(b.nfc())
}

/// Without the tables of NFC: a text with marks against one without.
#[cfg(not(feature = "languages"))]
fn is_same_composed(a: &str, b: &str) -> bool {
    a.chars().count() != b.chars().count()
}

/// A text without what nobody sees, and in one encoding of several for the same letters.
fn plain(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let seen: String = text.chars().filter(|&c| !is_invisible(c)).collect();
    let mut plain = String::with_capacity(text.len());
    nfkc(&seen, |c| plain.push(c));
    plain
}

/// Soft hyphens, joiners, marks of direction, byte order marks and selectors of variants.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{feff}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}')
}

#[cfg(test)]
#[cfg(all(feature = "embedded", feature = "languages"))]
mod tests {
    use crate::Metric;

    fn hint(hypothesis: &str, reference: &str) -> Option<String> {
        let metric: Metric = "meteor|tok:space".parse().unwrap();
        metric.explain(hypothesis, &[reference]).unwrap().lookalike()
    }

    #[test]
    fn what_differs_is_named() {
        for (a, b, what) in [
            ("x cafe\u{301}", "y z caf\u{e9}", "in composition"),
            ("x ａｂｃ", "y z abc", "in the width or the form of letters"),
            ("x ab\u{200b}c", "y z abc", "by characters that cannot be seen"),
            ("x \u{feff}abc", "y z abc", "by characters that cannot be seen"),
        ] {
            let hint = hint(a, b).unwrap();
            assert!(
                hint.contains(&format!("(word 3 of the reference) differ only {what}")),
                "{hint}"
            );
        }
        for (a, b) in
            [("a b", "a b"), ("a b", "c d"), ("\u{200b}", "\u{200c}"), ("cafe", "café"), ("", "")]
        {
            assert_eq!(hint(a, b), None, "{a} {b}");
        }
    }
}
