//! Writes the table of glosses: what a synset means, for the page's explanation of a synonym match.
//!
//! The table is text, compressed with Brotli: a first line with the number of glosses, a line with the FNV-1a hash of each
//! synset's name in eight hexadecimal digits, then a line for each gloss, in the same order. The name is that of the engine's
//! explanations, `large.a (big)`. `page/glosses.js` of `bolide-web` reads it.
//!
//! Only synsets that can explain a match are in it: those with two names of one word, or with one that has irregular forms
//! (`mice` and `mouse` share one). Of several synsets with the same names, the one counts that WordNet's index lists first, as
//! the most frequent.

use super::source::{Synset, WordNet};
use anyhow::{Context, Result, ensure};
use bolide::unstable::lexicon::Lexicon;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

const HEAD: &str = "glosses of WordNet 3.0, format 1; WordNet 3.0 Copyright 2006 by Princeton University, \
    licence in LICENSE-WORDNET.txt; synsets: ";

/// The table, compressed. The same sources give the same bytes.
pub fn encode(wordnet: &WordNet, lexicon: &Lexicon) -> Result<Vec<u8>> {
    compress(text(wordnet, lexicon)?.as_bytes())
}

fn text(wordnet: &WordNet, lexicon: &Lexicon) -> Result<String> {
    let mut names = BTreeMap::new();
    for id in 0..lexicon.n_synsets() {
        let synset = lexicon.synset(id).context("a synset cannot be read back")?;
        names.insert((synset.pos().letter(), synset.offset()), synset.to_string());
    }
    let irregular: BTreeSet<(char, &str)> = wordnet
        .exceptions
        .iter()
        .flat_map(|exception| exception.bases.iter().map(|base| (exception.pos, base.as_str())))
        .collect();
    let mut chosen: BTreeMap<&str, &Synset> = BTreeMap::new();
    for synset in wordnet.synsets.iter().filter(|synset| can_explain(synset, &irregular)) {
        let name = &names[&(synset.pos, synset.offset)];
        let known = chosen.entry(name).or_insert(synset);
        if rank(wordnet, synset)? < rank(wordnet, known)? {
            *known = synset;
        }
    }
    // No other synset may be taken for one of these.
    let distinct: BTreeSet<&String> = names.values().collect();
    let hashes: BTreeSet<u32> = distinct.iter().map(|name| hash(name)).collect();
    ensure!(hashes.len() == distinct.len(), "two synsets have names with the same hash");

    let mut text = format!("{HEAD}{}\n", chosen.len());
    chosen.keys().for_each(|name| text.push_str(&format!("{:08x}", hash(name))));
    text.push('\n');
    for synset in chosen.values() {
        let definition = definition(&synset.gloss);
        ensure!(!definition.is_empty(), "{} has no gloss", synset.offset);
        text.push_str(definition);
        text.push('\n');
    }
    Ok(text)
}

fn can_explain(synset: &Synset, irregular: &BTreeSet<(char, &str)>) -> bool {
    let pos = if synset.pos == 's' { 'a' } else { synset.pos };
    let mut words = synset.names.iter().filter(|name| !name.contains('_'));
    match (words.next(), words.next()) {
        (Some(_), Some(_)) => true,
        (Some(word), None) => irregular.contains(&(pos, word.to_ascii_lowercase().as_str())),
        _ => false,
    }
}

/// The place of a synset among the meanings of its first name, the most frequent first.
fn rank(wordnet: &WordNet, synset: &Synset) -> Result<usize> {
    let pos = if synset.pos == 's' { 'a' } else { synset.pos };
    let senses = wordnet.senses.get(&(pos, synset.names[0].to_ascii_lowercase()));
    senses
        .and_then(|offsets| offsets.iter().position(|&offset| offset == synset.offset))
        .with_context(|| format!("the index lacks {}", synset.names[0]))
}

/// A gloss without its examples, which are quoted.
fn definition(gloss: &str) -> &str {
    let starts = gloss.match_indices('"').map(|(at, _)| at);
    let mut examples = starts.filter(|&at| gloss[..at].trim_end().ends_with([';', ':', ',']));
    let definition = &gloss[..examples.next().unwrap_or(gloss.len())];
    definition.trim_matches([' ', ';', ':', ','])
}

/// FNV-1a, which a page can compute in a line.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn compress(text: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 11, 24);
    encoder.write_all(text)?;
    encoder.flush()?;
    Ok(encoder.into_inner())
}

#[cfg(test)]
mod tests {
    use super::definition;

    #[test]
    fn a_definition_is_the_gloss_without_its_examples() {
        for (gloss, expected) in [
            (
                "above average in size; \"a large city\"; \"a big (or large) barn\"",
                "above average in size",
            ),
            (
                "female of domestic cattle: \"`moo-cow' is a child's term\"",
                "female of domestic cattle",
            ),
            ("restrict or confine, \"I limit you\"", "restrict or confine"),
            ("burst and release energy;\"the bomb detonated\"", "burst and release energy"),
            (
                "a demand especially in the phrase \"the call of duty\"",
                "a demand especially in the phrase \"the call of duty\"",
            ),
            (
                "a workplace; as in the expression \"on the job\";",
                "a workplace; as in the expression \"on the job\"",
            ),
            ("a car", "a car"),
        ] {
            assert_eq!(definition(gloss), expected);
        }
    }
}
