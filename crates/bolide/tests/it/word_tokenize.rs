//! `WordTokenizer` against NLTK 3.10.4.

use bolide::text::word_tokenize::Scratch;
use bolide::text::{Tokens, WordTokenizer};
use serde_json::Value;

use crate::shared;

#[test]
fn equals_nltk_on_the_stored_texts() {
    let Some(rows) = shared::lines("golden/nltk/tokenize.jsonl.gz") else { return };
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
        check_spans(raw, &tokens);

        tokens.clear();
        tokenizer.tokenize_line(raw, &mut scratch, &mut tokens);
        let expected = row.get("line_tokens").unwrap_or(&row["tokens"]);
        assert_eq!(tokens.iter().collect::<Vec<_>>(), strings(expected), "one line: {raw:?}");
        check_spans(raw, &tokens);
        n_rows += 1;
    }
    assert_eq!(n_rows, 4816);
}

/// Spans ascend, do not overlap, and hold the token itself or the quote it stands for.
fn check_spans(raw: &str, tokens: &Tokens) {
    let mut last_end = 0;
    for idx in 0..tokens.len() {
        let (start, end) = tokens.span(idx);
        assert!(last_end <= start && start < end, "{raw:?}: token {idx} at {start}..{end}");
        let (token, original) = (tokens.get(idx), &raw[start..end]);
        let is_quote = matches!((token, original), ("``", "\"" | "''") | ("''", "\""));
        assert!(token == original || is_quote, "{raw:?}: {token:?} for {original:?}");
        last_end = end;
    }
}

fn code_points(text: &str, spans: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let count = |end: usize| text[..end].chars().count();
    spans.iter().map(|&(start, end)| (count(start), count(end))).collect()
}

fn pairs(value: &Value) -> Vec<(usize, usize)> {
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    value.as_array().unwrap().iter().map(|pair| (number(&pair[0]), number(&pair[1]))).collect()
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|token| token.as_str().unwrap()).collect()
}
