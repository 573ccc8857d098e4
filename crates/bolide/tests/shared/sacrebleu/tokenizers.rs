//! Every text of `tokenize.jsonl.gz`, cut by every tokenizer.

use super::*;
use bolide::unstable::bleu::sacrebleu::Tokenizer;
use bolide::unstable::text::tercom::Tercom;

#[test]
fn bleu_tokenizers_cut_where_sacrebleu_cuts() {
    let rows = json_lines("tokenize.jsonl.gz");
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
            let text = bolide::unstable::text::whitespace::trim_end(text);
            tokenizer.each_token(text, &mut buffer, |token| tokens.push(token));
            assert_eq!(tokens, texts(&row["tokens"][name]), "{name} of {text:?}");
        }
    }
}

#[test]
fn tercom_cuts_where_sacrebleu_cuts_once_and_twice() {
    let rows = json_lines("tokenize.jsonl.gz");
    let mut n_twice = 0;
    for row in &rows {
        let text = row["text"].as_str().unwrap();
        for key in [
            "tercom",
            "tercom.norm",
            "tercom.nopunct",
            "tercom.cs",
            "tercom.norm.asian",
            "tercom.nopunct.asian",
            "tercom.all",
        ] {
            let has = |option| key.contains(option) || key == "tercom.all";
            let tercom = Tercom {
                case_sensitive: has(".cs"),
                normalized: has(".norm"),
                no_punct: has(".nopunct"),
                asian_support: has(".asian"),
            };
            let (mut buffer, mut once, mut twice) = (String::new(), Vec::new(), Vec::new());
            tercom.each_token(text, &mut buffer, |token| once.push(token.to_owned()));
            tercom.each_reference_token(text, &mut buffer, |token| twice.push(token.to_owned()));
            assert_eq!(once, texts(&row["tokens"][key]), "{key} of {text:?}");
            let expected = row["tokens"].get(format!("{key}.twice"));
            n_twice += usize::from(expected.is_some());
            let expected = expected.unwrap_or(&row["tokens"][key]);
            assert_eq!(twice, texts(expected), "{key} of {text:?}, twice");
        }
    }
    assert!(n_twice > 0);
}

#[test]
fn rouge_cuts_and_stems_as_rouge_score() {
    let rows = json_lines("tokenize.jsonl.gz");
    for row in &rows {
        let text = row["text"].as_str().unwrap();
        let (mut buffer, mut tokens, mut stems) = (String::new(), Vec::new(), Vec::new());
        bolide::unstable::text::alphanumeric::each_token(text, &mut buffer, |token| {
            let mut stem = token.to_owned();
            if token.len() > 3 {
                bolide::unstable::lexicon::porter::stem(token, &mut stem);
            }
            tokens.push(token.to_owned());
            stems.push(stem);
        });
        assert_eq!(tokens, texts(&row["tokens"]["rouge"]), "{text:?}");
        assert_eq!(stems, texts(&row["tokens"]["rouge.stem"]), "{text:?}");
    }
}
