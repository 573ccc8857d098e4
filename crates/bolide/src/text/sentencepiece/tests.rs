//! Models made by hand. `tests/live/sentencepiece_models.py` compares trained ones with the library.

use super::SentencePiece;

fn number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn bytes(field: u64, content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    number(&mut out, field << 3 | 2);
    number(&mut out, content.len() as u64);
    out.extend_from_slice(content);
    out
}

fn flag(field: u64, value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    number(&mut out, field << 3);
    number(&mut out, value);
    out
}

fn piece(text: &str, score: f32, kind: u64) -> Vec<u8> {
    let score = [&[2 << 3 | 5][..], &score.to_le_bytes()].concat();
    bytes(1, &[bytes(1, text.as_bytes()), score, flag(3, kind)].concat())
}

/// A double array with one rule.
fn rule(from: &str, to: &str) -> Vec<u8> {
    let mut units = vec![0u32; 256 * (from.len() + 2)];
    units[0] = 256 << 10;
    for (byte, level) in from.bytes().zip(1u32..) {
        let at = (level * 256) ^ u32::from(byte);
        let next = (level + 1) * 256;
        let is_last = u32::from(level as usize == from.len());
        units[at as usize] = (at ^ next) << 10 | is_last << 8 | u32::from(byte);
    }
    let units: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    [&(units.len() as u32).to_le_bytes()[..], &units, to.as_bytes(), b"\0"].concat()
}

/// A model of these pieces. `kind` is 1 for unigrams and 2 for pairs.
fn model(kind: u64, has_bytes: bool, rules: &[u8], pieces: &[(&str, f32, u64)]) -> Vec<u8> {
    let mut out = piece("<unk>", 0.0, 2);
    for &(text, score, kind) in pieces {
        out.extend(piece(text, score, kind));
    }
    out.extend(bytes(2, &[flag(3, kind), flag(35, u64::from(has_bytes))].concat()));
    out.extend(bytes(3, &bytes(2, rules)));
    out
}

fn pieces(model: &[u8], text: &str) -> String {
    let model = SentencePiece::read(model).unwrap();
    let mut pieces = Vec::new();
    model.each_piece(text, |piece| pieces.push(piece.to_owned()));
    pieces.join(" ")
}

const PIECES: [(&str, f32, u64); 8] = [
    ("\u{2581}", -3.0, 1),
    ("a", -4.0, 1),
    ("b", -4.0, 1),
    ("ab", -2.0, 1),
    ("\u{2581}ab", -3.5, 1),
    ("abb", -2.5, 5),
    ("a\u{2581}b", -0.1, 1),
    ("XY", 0.0, 4),
];

#[test]
fn unigrams_with_the_highest_sum_win() {
    let model = model(1, false, &[], &PIECES);
    for (text, expected) in [
        ("", ""),
        ("  ", ""),
        ("ab", "\u{2581}ab"),
        ("  ab   ab ", "\u{2581}ab \u{2581}ab"),
        ("a b", "\u{2581} a\u{2581}b"),
        // A piece that must not appear, unknown characters that are one piece, and the user's symbol.
        ("abb", "\u{2581}ab b"),
        ("xyzab", "\u{2581} xyz ab"),
        ("aXYb", "\u{2581} a XY b"),
    ] {
        assert_eq!(pieces(&model, text), expected, "{text}");
    }
}

#[test]
fn pairs_are_joined_from_the_best() {
    let model = model(2, false, &[], &PIECES);
    for (text, expected) in [
        ("ab", "\u{2581}ab"),
        ("a b", "\u{2581} a \u{2581} b"),
        // Joined to a piece that must not appear, and taken apart again.
        ("abb", "\u{2581} ab b"),
        ("aXYb", "\u{2581} a XY b"),
        ("xyzab", "\u{2581} xyz ab"),
    ] {
        assert_eq!(pieces(&model, text), expected, "{text}");
    }
}

#[test]
fn unknown_characters_can_become_bytes_and_rules_replace() {
    let model = model(1, true, &rule("\u{ff21}", "ab"), &PIECES);
    assert_eq!(pieces(&model, "\u{ff21}"), "\u{2581}ab");
    assert_eq!(pieces(&model, "\u{e9}"), "\u{2581} <0xC3> <0xA9>");
}

#[test]
fn damage_never_panics() {
    for kind in [1, 2] {
        let good = model(kind, false, &rule("\u{ff21}", "ab"), &PIECES);
        for at in 0..good.len() {
            for bit in [1, 0x10, 0x80] {
                let mut bad = good.clone();
                bad[at] ^= bit;
                if let Ok(model) = SentencePiece::read(&bad) {
                    model.each_piece("ab \u{ff21} \u{e9} aXYb", |_| {});
                }
            }
        }
        for length in 0..good.len() {
            if let Ok(model) = SentencePiece::read(&good[..length]) {
                model.each_piece("ab \u{ff21}", |_| {});
            }
        }
    }
    for bad in [&b""[..], b"text", &model(3, false, &[], &PIECES)] {
        assert!(SentencePiece::read(bad).is_err());
    }
}
