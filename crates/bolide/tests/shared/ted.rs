//! The talks that stored results of NLTK and Hugging Face refer to by segment number.

use crate::files;
use bolide::unstable::text::{Tokens, WordTokenizer, word_tokenize::Scratch};
use std::collections::BTreeMap;

/// Texts of systems and references. Segments are numbered by first appearance.
pub struct Ted {
    segments: Vec<(String, String)>,
    texts: BTreeMap<(String, String, String), String>,
}

impl Ted {
    pub fn read() -> Ted {
        let lines = files::lines("golden/nltk/inputs/ted_zhen.tsv.gz");
        let mut ted = Ted { segments: Vec::new(), texts: BTreeMap::new() };
        for line in &lines[1..] {
            let fields: Vec<String> = line.splitn(4, '\t').map(str::to_owned).collect();
            let [talk, segment, name, text] = <[String; 4]>::try_from(fields).unwrap();
            if name == "ref" {
                ted.segments.push((talk.clone(), segment.clone()));
            }
            ted.texts.insert((talk, segment, name), text);
        }
        ted
    }

    /// The texts of the first segments: one list per segment, one text per name.
    pub fn texts(&self, names: &[&str], n_segments: usize) -> Vec<Vec<&str>> {
        let text = |(talk, segment): &(String, String), name: &str| {
            self.texts[&(talk.clone(), segment.clone(), name.to_owned())].as_str()
        };
        let segments = self.segments[..n_segments].iter();
        segments.map(|key| names.iter().map(|name| text(key, name)).collect()).collect()
    }

    /// The same as tokens of `word_tokenize`.
    pub fn tokens(&self, names: &[&str], n_segments: usize) -> Vec<Vec<Tokens>> {
        let tokenizer = WordTokenizer::embedded().unwrap();
        let mut scratch = Scratch::default();
        let mut tokens = |text: &str| {
            let mut tokens = Tokens::new();
            tokenizer.tokenize(text, &mut scratch, &mut tokens);
            tokens
        };
        let texts = self.texts(names, n_segments);
        texts.iter().map(|texts| texts.iter().map(|text| tokens(text)).collect()).collect()
    }
}
