//! `WordTokenizer` against NLTK 3.10.4.

use bolide::unstable::text::word_tokenize::Scratch;
use bolide::unstable::text::{Tokens, WordTokenizer};
use serde_json::Value;

use crate::files::{self, strings};

#[test]
fn equals_nltk_on_the_stored_texts() {
    let rows = files::lines("golden/nltk/tokenize.jsonl.gz");
    let tokenizer = WordTokenizer::embedded().unwrap();
    let mut scratch = Scratch::default();
    let mut tokens = Tokens::new();
    let mut n_rows = 0;
    for row in &rows {
        let row: Value = serde_json::from_str(row).unwrap();
        let raw = row["raw"].as_str().unwrap();
        assert_eq!(code_points(raw, &tokenizer.sentences(raw)), pairs(&row["sents"]), "{raw:?}");

        tokens.clear();
        tokenizer.tokenize(raw, &mut scratch, &mut tokens);
        assert_eq!(tokens.iter().collect::<Vec<_>>(), strings(&row["tokens"]), "{raw:?}");

        tokens.clear();
        tokenizer.tokenize_line(raw, &mut scratch, &mut tokens);
        let expected = row.get("line_tokens").unwrap_or(&row["tokens"]);
        assert_eq!(tokens.iter().collect::<Vec<_>>(), strings(expected), "one line: {raw:?}");
        n_rows += 1;
    }
    assert_eq!(n_rows, 4816);
}

fn code_points(text: &str, spans: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let count = |end: usize| text[..end].chars().count();
    spans.iter().map(|&(start, end)| (count(start), count(end))).collect()
}

fn pairs(value: &Value) -> Vec<(usize, usize)> {
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    value.as_array().unwrap().iter().map(|pair| (number(&pair[0]), number(&pair[1]))).collect()
}
