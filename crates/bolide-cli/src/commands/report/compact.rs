//! A compact form of alignments: small numbers as letters.
//!
//! A report of eleven systems and three thousand segments has 33,000 alignments. Each becomes a few
//! short strings; `bolide-web/page/report/alignments.js` decodes them when the user opens a segment. Each
//! letter holds five bits of a number, lowest first, and a sixth bit that says whether more letters follow;
//! signed numbers have their sign in the lowest bit.

use bolide::explanation::{Cost, Explanation, Token};
use std::collections::HashMap;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Costs are stored as multiples of 1 / `COST_UNIT`.
const COST_UNIT: f64 = 1e6;

/// The stages by number.
const STAGES: [&str; 6] = ["exact", "stem", "synonym", "paraphrase", "case", "near"];

/// A string of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub struct Letters(String);

impl Letters {
    /// Appends a number.
    pub fn push(&mut self, mut number: u64) {
        loop {
            let more = u64::from(number > 31) << 5;
            self.0.push(char::from(LETTERS[(number & 31 | more) as usize]));
            number >>= 5;
            if more == 0 {
                return;
            }
        }
    }

    /// Appends a number that may be negative.
    pub fn push_signed(&mut self, number: i64) {
        self.push(number.unsigned_abs() << 1 | u64::from(number < 0));
    }
}

/// Numbers texts that occur often, and stores each once.
#[derive(Default)]
pub struct Vocabulary {
    ids: HashMap<String, u32>,
    /// By number.
    pub texts: Vec<String>,
}

impl Vocabulary {
    /// The number of a text.
    pub fn id(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = self.texts.len() as u32;
        self.ids.insert(text.to_owned(), id);
        self.texts.push(text.to_owned());
        id
    }
}

/// Where the tokens of a text are, in UTF-16 units, as JavaScript counts: for each token, the signed
/// distance from the end of the previous token, and its length.
pub fn spans(tokens: &[Token], text: &str) -> Letters {
    let mut letters = Letters::default();
    let mut units = Units { text, byte: 0, unit: 0 };
    let mut last = 0;
    for token in tokens {
        let (start, end) = (units.at(token.start), units.at(token.end));
        letters.push_signed(start - last);
        letters.push((end - start).max(0) as u64);
        last = end.max(start);
    }
    letters
}

/// Converts byte positions to UTF-16 positions; fast if the positions ascend.
struct Units<'a> {
    text: &'a str,
    byte: usize,
    unit: i64,
}

impl Units<'_> {
    fn at(&mut self, byte: usize) -> i64 {
        let byte = self.text.floor_char_boundary(byte.min(self.text.len()));
        if byte < self.byte {
            (self.byte, self.unit) = (0, 0);
        }
        self.unit += self.text[self.byte..byte].encode_utf16().count() as i64;
        self.byte = byte;
        self.unit
    }
}

/// The numbers of matches, chunks and crossings; whether the chunks are proven to be the fewest (0: not
/// searched, 1: no, 2: yes); the reference. Then for each link: its stage, with a bit for a new chunk (8) and
/// one for phrases (16); its distances from the previous link in hypothesis and reference; and the lengths of
/// phrases. The reasons of links after the first stage are stored separately, by number.
pub fn links(explanation: &Explanation) -> Letters {
    let mut letters = Letters::default();
    letters.push(explanation.matches);
    letters.push(explanation.chunks);
    letters.push(explanation.crossings);
    letters.push(explanation.proven.map_or(0, |proven| 1 + u64::from(proven)));
    letters.push(explanation.reference_idx as u64);
    let (mut hypothesis, mut reference, mut chunk) = (0, 0, 0);
    for link in &explanation.pairs {
        let stage = STAGES.iter().position(|&stage| stage == link.stage).unwrap_or(0);
        let phrases = link.hypothesis_tokens != 1 || link.reference_tokens != 1;
        letters.push(stage as u64 | u64::from(link.chunk != chunk) << 3 | u64::from(phrases) << 4);
        chunk = link.chunk;
        letters.push_signed(link.hypothesis as i64 - hypothesis);
        letters.push_signed(link.reference as i64 - reference);
        if phrases {
            letters.push(link.hypothesis_tokens as u64);
            letters.push(link.reference_tokens as u64);
        }
        hypothesis = (link.hypothesis + link.hypothesis_tokens) as i64;
        reference = (link.reference + link.reference_tokens) as i64;
    }
    letters
}

/// The reasons that [`links`] leaves out, in order.
pub fn reasons(explanation: &Explanation) -> impl Iterator<Item = &str> {
    explanation.pairs.iter().filter(|link| link.stage != STAGES[0]).map(|link| link.reason.as_str())
}

/// The distinct costs. Then for unmatched hypothesis words, unmatched reference words and breaks: their
/// number, and for each one its distance from the previous one and the number of its cost.
pub fn costs(explanation: &Explanation) -> Letters {
    let losses = &explanation.losses;
    let lists = [&losses.hypothesis_words, &losses.reference_words, &losses.breaks];
    let unit = |cost: &Cost| (cost.cost * COST_UNIT).round() as i64;
    let mut values: Vec<i64> = Vec::new();
    for cost in lists.into_iter().flatten() {
        if !values.contains(&unit(cost)) {
            values.push(unit(cost));
        }
    }
    let mut letters = Letters::default();
    letters.push(values.len() as u64);
    values.iter().for_each(|&value| letters.push_signed(value));
    for list in lists {
        letters.push(list.len() as u64);
        let mut last = 0;
        for cost in list {
            letters.push_signed(cost.at as i64 - last);
            last = cost.at as i64;
            let which = values.iter().position(|&value| value == unit(cost)).unwrap_or(0);
            letters.push(which as u64);
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_a_letter_for_five_bits() {
        let mut letters = Letters::default();
        [0, 1, 31, 32, 1023, 1024].into_iter().for_each(|number| letters.push(number));
        assert_eq!(letters.0, "ABfgB_fggB");
        let mut letters = Letters::default();
        [0, -1, 1, -16].into_iter().for_each(|number| letters.push_signed(number));
        assert_eq!(letters.0, "ADChB");
    }

    #[test]
    fn spans_count_as_javascript_does() {
        let token = |start, end| Token { text: String::new(), start, end };
        let text = "é 🙂 x";
        let tokens = [token(0, 2), token(3, 7), token(8, 9), token(100, 200)];
        // 0..1, 2..4, 5..6; a span outside the text is empty.
        assert_eq!(spans(&tokens, text).0, "ABCCCBAA");
        // Spans that go back.
        assert_eq!(spans(&[token(8, 9), token(0, 2)], text).0, "KBNB");
    }

    #[test]
    fn stages_chunks_and_phrases_share_no_bit() {
        let metric: bolide::Metric = "meteor:2026".parse().unwrap();
        // The first two differ only in case and share a chunk; the third is near and starts a new one.
        let it = metric.explain("cats gently A", &["a Cats gentle"]).unwrap();
        let found: Vec<_> = it.pairs.iter().map(|link| (link.stage, link.chunk)).collect();
        assert_eq!(found, [("case", 0), ("near", 0), ("case", 1)]);
        // Per link: its kind and two distances. Five is a near match, twelve is a case match in a new chunk.
        assert_eq!(links(&it).0[5..], *"EACFAAMAH");
    }

    #[test]
    fn a_vocabulary_numbers_in_order_of_appearance() {
        let mut words = Vocabulary::default();
        assert_eq!(["b", "a", "b", "c"].map(|word| words.id(word)), [0, 1, 0, 2]);
        assert_eq!(words.texts, ["b", "a", "c"]);
    }
}
