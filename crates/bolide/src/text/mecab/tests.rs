//! A dictionary made by hand. `tests/live/mecab.py` compares the real ones with sacreBLEU.

use super::{Dictionary, Files};
use std::sync::Arc;

/// A double array of keys with values: every node has its children in a block of its own.
fn trie(keys: &[(&str, u32)]) -> Vec<u8> {
    let mut units = vec![(0i32, 0u32); 300];
    units[0].0 = 1;
    let mut prefixes: Vec<(Vec<u8>, i32)> = vec![(Vec::new(), 1)];
    for (key, value) in keys {
        let mut base = 1;
        for length in 1..=key.len() {
            let prefix = &key.as_bytes()[..length];
            let known = prefixes.iter().find(|(known, _)| known == prefix).map(|known| known.1);
            let next = known.unwrap_or_else(|| {
                let next = units.len() as i32;
                units.resize(units.len() + 300, (0, 0));
                units[(base + i32::from(prefix[length - 1]) + 1) as usize] = (next, base as u32);
                prefixes.push((prefix.to_vec(), next));
                next
            });
            base = next;
        }
        units[base as usize] = (-(*value as i32) - 1, base as u32);
    }
    units
        .iter()
        .flat_map(|(base, check)| [base.to_le_bytes(), check.to_le_bytes()].concat())
        .collect()
}

/// A dictionary of words with costs. Each has one token.
fn dic(words: &[(&str, i16)]) -> Vec<u8> {
    let keys: Vec<(&str, u32)> =
        words.iter().zip(0..).map(|((word, _), at)| (*word, at << 8 | 1)).collect();
    let trie = trie(&keys);
    let mut tokens = Vec::new();
    for (_, cost) in words {
        // Attributes, part of speech, cost; then what is not packed.
        tokens.extend([0, 0, 0, 0, 7, 0]);
        tokens.extend(cost.to_le_bytes());
        tokens.extend([0; 8]);
    }
    let size = 72 + trie.len() + tokens.len();
    let numbers = [size as u32 ^ 0xef71_8f77, 102, 0, words.len() as u32, 1, 1, trie.len() as u32]
        .into_iter()
        .chain([tokens.len() as u32, 0, 0]);
    let mut out: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
    out.extend(b"utf-8");
    out.resize(72, 0);
    out.extend(trie);
    out.extend(tokens);
    out
}

/// Spaces are of the first category; letters of the second, in groups; anything else alone.
fn characters() -> Vec<u8> {
    let mut out = 3u32.to_le_bytes().to_vec();
    for name in ["SPACE", "ALPHA", "OTHER"] {
        out.extend(name.as_bytes());
        out.resize(out.len() + 32 - name.len(), 0);
    }
    for code in 0..0xffffu32 {
        let c = char::from_u32(code).unwrap_or_default();
        let kind: u32 = match c {
            ' ' => 1 | 1 << 30,
            'x'..='z' => 1 << 1 | 1 << 18 | 1 << 30,
            _ => 1 << 2 | 2 << 18 | 1 << 26,
        };
        out.extend(kind.to_le_bytes());
    }
    out
}

fn packed(settings: &str) -> Vec<u8> {
    let words = dic(&[("a", 10), ("ab", 15), ("b", 10), ("bc", 2), ("c", 10)]);
    let unknown = dic(&[("ALPHA", 30), ("OTHER", 50), ("SPACE", 90)]);
    let matrix = [1, 0, 1, 0, 0, 0];
    let characters = characters();
    let (words, unknown) = (&words[..], &unknown[..]);
    Dictionary::pack(&Files { words, unknown, matrix: &matrix, characters: &characters, settings })
        .unwrap()
}

fn words(packed: &[u8], text: &str) -> String {
    let dictionary = Dictionary::open(Arc::new(packed.to_vec())).unwrap();
    let mut words = Vec::new();
    dictionary.each_word(text, |word| words.push(word));
    words.join("|")
}

#[test]
fn the_cheapest_words_win() {
    let packed = packed("cost-factor = 800\n");
    let dictionary = Dictionary::open(Arc::new(packed.clone())).unwrap();
    dictionary.verify().unwrap();
    assert_eq!(dictionary.len(), 5);
    for (text, expected) in [
        ("", ""),
        ("ab", "ab"),
        ("abc", "a|bc"),
        ("a  b", "a|b"),
        ("xyzab", "xyz|ab"),
        ("a\u{e9}\u{e9}b", "a|\u{e9}|\u{e9}|b"),
        ("\u{1f600}a", "\u{1f600}|a"),
    ] {
        assert_eq!(words(&packed, text), expected, "{text}");
    }
}

#[test]
fn a_space_before_a_word_can_cost() {
    let packed = packed("left-space-penalty-factor = 7,30,8,1");
    let dictionary = Dictionary::open(Arc::new(packed)).unwrap();
    assert_eq!((dictionary.penalty(7), dictionary.penalty(8), dictionary.penalty(9)), (30, 1, 0));
}

#[test]
fn damage_is_found_and_never_panics() {
    let good = packed("");
    for length in (0..good.len()).step_by(997) {
        assert!(Dictionary::open(Arc::new(good[..length].to_vec())).is_err(), "{length}");
    }
    for at in (0..good.len()).step_by(31) {
        let mut bad = good.clone();
        bad[at] ^= 0x41;
        if let Ok(dictionary) = Dictionary::open(Arc::new(bad)) {
            assert!(dictionary.verify().is_err(), "byte {at}");
            dictionary.each_word("abc \u{e9}xyz\u{1f600}", |_| {});
        }
    }
    let characters = characters();
    let files =
        Files { words: b"", unknown: b"", matrix: b"", characters: &characters, settings: "" };
    assert!(Dictionary::pack(&files).is_err());
}
