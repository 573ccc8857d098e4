//! Every text of `tokenize.jsonl.gz`, cut by every tokenizer.

use super::*;
use bolide::bleu::sacrebleu::Tokenizer;

#[test]
fn bleu_tokenizers_cut_where_sacrebleu_cuts() {
    let Some(rows) = json_lines("tokenize.jsonl.gz") else { return };
    assert_eq!(rows.len(), 624);
    for row in &rows {
        let text = row["text"].as_str().unwrap();
        for (name, tokenizer) in [
            ("13a", Tokenizer::ThirteenA),
            ("intl", Tokenizer::Intl),
            ("zh", Tokenizer::Zh),
            ("char", Tokenizer::Char),
            ("none", Tokenizer::None),
        ] {
            let (mut buffer, mut tokens) = (String::new(), Vec::new());
            let text = bolide::text::whitespace::trim_end(text);
            tokenizer.each_token(text, &mut buffer, |token| tokens.push(token));
            assert_eq!(tokens, texts(&row["tokens"][name]), "{name} of {text:?}");
        }
    }
}
