//! Lower-cases a line like Java.
//!
//! All letters follow Unicode's full rules, and only a capital sigma depends on its context: it becomes a
//! final one if in *its word* a cased letter precedes it and none follows. Java finds words with its own
//! `BreakIterator`, not with Unicode's condition: it keeps `Α-Σ` together and splits where Unicode would
//! ignore characters. These rules can join a sigma to another letter:
//!
//! - adjacent letters and digits belong together;
//! - so do letters around a single mid-word mark, and digits around a single mid-number mark;
//! - combining marks belong to the letter, digit or separator before them, format characters to anything;
//! - a danda belongs to the letter before it and the digit after it.
//!
//! Java queries these breaks one position at a time, and the query goes wrong after a character beyond U+FFFF
//! unless that character begins the line: there is always a break after it.

use super::word_classes::RUNS;

/// Lower-cases a line in place.
pub(crate) fn lowercase(text: &mut String, buffer: &mut String) {
    if text.is_ascii() {
        text.make_ascii_lowercase();
        return;
    }
    buffer.clear();
    if text.contains('Σ') {
        let line = Line::new(text);
        for (at, &(c, _)) in line.characters.iter().enumerate() {
            match c {
                'Σ' if line.is_final(at) => buffer.push('ς'),
                c => buffer.extend(c.to_lowercase()),
            }
        }
    } else {
        buffer.extend(text.chars().flat_map(char::to_lowercase));
    }
    std::mem::swap(text, buffer);
}

/// The role of a character in words. The numbers are those of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Other,
    Letter,
    Digit,
    Mark,
    Format,
    MidWord,
    MidNumber,
    MidBoth,
    Danda,
}

/// The class of a character, and whether a sigma after it is final.
fn class(c: char) -> (Class, bool) {
    let c = u32::from(c);
    let behind = RUNS.partition_point(|run| run >> 4 <= c);
    let run = behind.checked_sub(1).and_then(|run| RUNS.get(run)).copied().unwrap_or(0);
    match run & 15 {
        1 => (Class::Letter, false),
        2 => (Class::Letter, true),
        3 => (Class::Digit, false),
        4 => (Class::Digit, true),
        5 => (Class::Mark, false),
        6 => (Class::Mark, true),
        7 => (Class::Format, false),
        8 => (Class::MidWord, false),
        9 => (Class::MidNumber, false),
        10 => (Class::MidBoth, false),
        11 => (Class::Danda, false),
        _ => (Class::Other, false),
    }
}

/// A line with its word breaks.
struct Line {
    /// The characters, and whether each is cased.
    characters: Vec<(char, bool)>,
    /// Whether there is a break before each.
    breaks: Vec<bool>,
}

/// The state of the scan of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing yet, or format characters only.
    Start,
    Letters,
    Digits,
    /// In the middle of a word: letters must follow, else the word ended before.
    MidWord,
    /// In the middle of a number.
    MidNumber,
    Danda,
    /// Something else, which may carry marks.
    Other,
    /// A mark with nothing to belong to.
    Alone,
}

impl State {
    /// The next state, or `None` where the word ends.
    fn next(self, class: Class) -> Option<Self> {
        Some(match (self, class) {
            (_, Class::Format) => self,
            (State::Start, Class::Mark) => State::Alone,
            (State::Start | State::Letters | State::Digits | State::MidWord, Class::Letter) => {
                State::Letters
            }
            (
                State::Start | State::Letters | State::Digits | State::MidNumber | State::Danda,
                Class::Digit,
            ) => State::Digits,
            (State::Start, _) => State::Other,
            (State::Letters | State::Digits | State::Other, Class::Mark) => self,
            (State::Letters, Class::MidWord | Class::MidBoth) => State::MidWord,
            (State::Digits, Class::MidNumber | Class::MidBoth) => State::MidNumber,
            (State::Letters, Class::Danda) => State::Danda,
            _ => return None,
        })
    }

    /// Whether a word may end here.
    fn is_end(self) -> bool {
        !matches!(self, State::MidWord | State::MidNumber)
    }
}

impl Line {
    fn new(text: &str) -> Self {
        let (mut characters, mut classes) = (Vec::new(), Vec::new());
        for c in text.chars() {
            let (class, cased) = class(c);
            characters.push((c, cased));
            classes.push(class);
        }
        let mut breaks = vec![false; characters.len()];
        let mut start = 0;
        while start < classes.len() {
            breaks[start] = true;
            let (mut state, mut end) = (State::Start, start + 1);
            for (at, &class) in classes.iter().enumerate().skip(start) {
                let Some(next) = state.next(class) else { break };
                state = next;
                if state.is_end() {
                    end = at + 1;
                }
            }
            start = end;
        }
        for at in 2..characters.len() {
            breaks[at] |= u32::from(characters[at - 1].0) > 0xFFFF;
        }
        Line { characters, breaks }
    }

    /// Whether the sigma at a position ends its word.
    fn is_final(&self, at: usize) -> bool {
        // A search ends at the next cased letter, and a sigma is one, so all searches together are linear.
        let is_after_cased = (0..at)
            .rev()
            .take_while(|&before| !self.breaks[before + 1])
            .any(|before| self.characters[before].1);
        let is_before_cased = (at + 1..self.characters.len())
            .take_while(|&behind| !self.breaks[behind])
            .any(|behind| self.characters[behind].1);
        is_after_cased && !is_before_cased
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inputs are ours, the results are those of Java 17's `String.toLowerCase(Locale.ROOT)`.
    #[test]
    fn a_sigma_ends_the_words_that_java_sees() {
        for (text, expected) in CASES {
            let mut line = (*text).to_owned();
            lowercase(&mut line, &mut String::new());
            assert_eq!(line, *expected, "{text}");
        }
    }

    const CASES: &[(&str, &str)] = &[
        ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"),
        ("ΟΔΟΣ ΟΔΟΣ", "οδος οδος"),
        ("Σ", "σ"),
        ("ΑΣ-Α", "ασ-α"),
        ("ΑΣ'Α", "ασ'α"),
        ("Α.Σ", "α.ς"),
        ("1Σ", "1σ"),
        ("Α1Σ1", "α1ς1"),
        ("ΑΣ।1α", "ασ।1α"),
        ("ⅧΣª漢\u{93f}‿", "ⅷςª漢\u{93f}‿"),
        ("$ʰΣⓐ_", "$ʰςⓐ_"),
        ("あ\u{200b}ʰΣ漢", "あ\u{200b}ʰς漢"),
        (".ア\u{200b}\u{101fd}ʰΣ", ".ア\u{200b}\u{101fd}ʰς"),
        ("α1Σ", "α1ς"),
        ("٫ʰΣ", "٫ʰς"),
        ("\"\u{101fd}\u{200b}ⅧΣª", "\"\u{101fd}\u{200b}ⅷςª"),
        ("%ʰ٣Σ_\u{3099}", "%ʰ٣ς_\u{3099}"),
        ("\u{1d179}ʰ ʰΣ", "\u{1d179}ʰ ʰς"),
        ("Αa-Σː", "αa-ςː"),
        ("ʱ‧Σː", "ʱ‧ςː"),
        ("アΑ\u{ad}Σⓐ", "アα\u{ad}ςⓐ"),
        (" ːΑ1Σあ", " ːα1ςあ"),
        ("ー漢ʰΣ\u{20000}\u{1d179}", "ー漢ʰς\u{20000}\u{1d179}"),
        ("‿aΣʰ‧٣", "‿aσʰ‧٣"),
        ("-\u{10400}Σ", "-\u{10428}σ"),
        ("\u{1d179}ー\u{20000}ⓐ\u{10400}Σ", "\u{1d179}ー\u{20000}ⓐ\u{10428}σ"),
        ("ⓐΣ \u{10428}あ", "ⓐσ \u{10428}あ"),
        ("Α\u{10428}Σ", "α\u{10428}σ"),
        ("α\u{1d179}Σ", "α\u{1d179}σ"),
        ("αʰΣ\"\u{10428}", "αʰσ\"\u{10428}"),
        ("ΑΣאⅧ", "ασאⅷ"),
        ("।ªΣ‿٣", "।ªσ‿٣"),
        (" -ⓐΣ ", " -ⓐσ "),
        ("‧\u{101fd}\u{10428}Σア", "‧\u{101fd}\u{10428}σア"),
        ("ⓐΣ,", "ⓐσ,"),
        ("\u{200d}ªΣ", "\u{200d}ªσ"),
        ("ªあ\u{10400}Σ,漢", "ªあ\u{10428}σ,漢"),
        (".ΑΣ\"", ".ας\""),
        ("αΣ'", "ας'"),
        ("\u{10107}\u{93f}αΣ%", "\u{10107}\u{93f}ας%"),
        ("α\u{3099}Ⅷ\u{345}Σ", "α\u{3099}ⅷ\u{345}ς"),
        ("\u{301}aΣ", "\u{301}aς"),
        ("\u{10400}\u{ad}Σあª\u{20000}", "\u{10428}\u{ad}ςあª\u{20000}"),
        ("\"ΑΣ", "\"ας"),
        ("\u{10428}Σ1", "\u{10428}ς1"),
        ("あⅧΣ", "あⅷς"),
        ("αΣ$Ⅷ", "ας$ⅷ"),
    ];
}
