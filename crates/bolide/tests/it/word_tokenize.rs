//! `WordTokenizer` on our own texts; the golden cases of `meteor:hf` test it further.

use bolide::unstable::text::word_tokenize::Scratch;
use bolide::unstable::text::{Tokens, WordTokenizer};

/// Our own texts, each with the tokens of NLTK 3.10.4.
#[rustfmt::skip]
const EXAMPLES: &[(&str, &[&str])] = &[
    ("", &[]),
    ("  ", &[]),
    ("Rain falls gently.", &["Rain", "falls", "gently", "."]),
    ("The mat, the cat: both wet; 3,000 drops at 10:30.", &["The", "mat", ",", "the", "cat", ":", "both", "wet", ";", "3,000", "drops", "at", "10:30", "."]),
    ("\"Stop!\" she said. \"Why?\"", &["``", "Stop", "!", "''", "she", "said", ".", "``", "Why", "?", "''"]),
    ("He said 'stop' and left.", &["He", "said", "'", "stop", "'", "and", "left", "."]),
    ("'em 'n' 'tis 'Twas rock 'n' roll", &["'", "em", "'n", "'", "'", "tis", "'", "Twas", "rock", "'n", "'", "roll"]),
    ("I can't, won't and shouldn't've; they're Bob's, aren't they?", &["I", "ca", "n't", ",", "wo", "n't", "and", "shouldn't", "'ve", ";", "they", "'re", "Bob", "'s", ",", "are", "n't", "they", "?"]),
    ("DON'T SHOUT, IT'S BOB'S. N't 'Ll", &["DO", "N'T", "SHOUT", ",", "IT", "'S", "BOB", "'S", ".", "N't", "'Ll"]),
    ("Cannot you? I'm gonna, gotta, wanna go. Lemme! D'ye want more'n that? Gimme-gimme", &["Can", "not", "you", "?", "I", "'m", "gon", "na", ",", "got", "ta", ",", "wan", "na", "go", ".", "Lem", "me", "!", "D", "'ye", "want", "more", "'n", "that", "?", "Gim", "me", "-", "gim", "me"]),
    ("wanna. wannabe x-cannot cannot'tis", &["wan", "na", ".", "wannabe", "x-", "can", "not", "can", "not", "'t", "is"]),
    ("Mr. Jones paid $5.50 (50% off) to J. P. Smith of Acme Inc. yesterday. He left.", &["Mr.", "Jones", "paid", "$", "5.50", "(", "50", "%", "off", ")", "to", "J.", "P.", "Smith", "of", "Acme", "Inc.", "yesterday", ".", "He", "left", "."]),
    ("Wait... what?! No -- yes --- no---", &["Wait", "...", "what", "?", "!", "No", "--", "yes", "--", "-", "no", "--", "-"]),
    ("a,,b ,: x,", &["a", ",", ",b", ",", ":", "x", ","]),
    ("the boys' (boys') dogs", &["the", "boys", "'", "(", "boys", "'", ")", "dogs"]),
    ("it's' it's')", &["it", "'s", "'", "it's", "'", ")"]),
    ("``old'' `quotes' ''' '' (''x'')", &["``", "old", "''", "`", "quotes", "'", "``", "'", "``", "(", "``", "x", "''", ")"]),
    ("«Oui», dit-il. “Ja,” said ‘he’ – and „she“ — left…", &["«", "Oui", "»", ",", "dit-il", ".", "“", "Ja", ",", "”", "said", "‘", "he", "’", "–", "and", "„", "she", "“", "—", "left…"]),
    ("l'été naïve O'Neil 'é x' 5'", &["l'été", "naïve", "O'Neil", "'", "é", "x", "'", "5", "'"]),
    ("Is it 5 p.m. yet? It's 5 p.m. The U.S. army. The U.S. However, no.", &["Is", "it", "5", "p.m.", "yet", "?", "It", "'s", "5", "p.m", ".", "The", "U.S.", "army", ".", "The", "U.S", ".", "However", ",", "no", "."]),
    ("end.\") end.' ) end. \"", &["end", ".", "''", ")", "end", ".", "'", ")", "end.", "``"]),
    ("end of.' ''", &["end", "of", ".", "'", "''"]),
    ("one.two three.", &["one.two", "three", "."]),
    ("a\u{a0}b\tc\nd\u{3000}e\u{1c}f", &["a", "b", "c", "d", "e", "f"]),
    ("http://example.org/a?b=c&d=e me@example.org #tag @you", &["http", ":", "//example.org/a", "?", "b=c", "&", "d=e", "me", "@", "example.org", "#", "tag", "@", "you"]),
    ("你好。“世界”! 3,٣ ١,٢", &["你好。", "“", "世界", "”", "!", "3,٣", "١,٢"]),
    ("First line.\nSecond line\nThird.", &["First", "line", ".", "Second", "line", "Third", "."]),
    ("İstanbul'da gİmme gımme 'ſ", &["İstanbul'da", "gİm", "me", "gım", "me", "'ſ"]),
    ("He waited . . . and left. . . . Done.", &["He", "waited", ".", ".", ".", "and", "left", ".", ".", ".", ".", "Done", "."]),
    ("Version 2. Is 3. better? no. 5. is", &["Version", "2", ".", "Is", "3.", "better", "?", "no", ".", "5.", "is"]),
];

#[test]
fn worked_examples() {
    let tokenizer = WordTokenizer::embedded().unwrap();
    let mut scratch = Scratch::default();
    let mut tokens = Tokens::new();
    for &(text, expected) in EXAMPLES {
        tokens.clear();
        tokenizer.tokenize(text, &mut scratch, &mut tokens);
        assert_eq!(tokens.iter().collect::<Vec<_>>(), expected, "{text:?}");
        check_spans(text, &tokens);
    }
}

#[test]
fn one_line_is_one_sentence() {
    let tokenizer = WordTokenizer::embedded().unwrap();
    let mut tokens = Tokens::new();
    tokenizer.tokenize_line("One. Two. \"", &mut Scratch::default(), &mut tokens);
    assert_eq!(tokens.iter().collect::<Vec<_>>(), ["One.", "Two.", "``"]);
}

#[test]
fn tokens_are_appended_with_spans_into_the_text() {
    let tokenizer = WordTokenizer::embedded().unwrap();
    let mut tokens = Tokens::new();
    let text = "Été. \"Don't!\"";
    tokenizer.tokenize("first", &mut Scratch::default(), &mut tokens);
    tokenizer.tokenize(text, &mut Scratch::default(), &mut tokens);
    let spans: Vec<_> = (0..tokens.len()).map(|idx| (tokens.get(idx), tokens.span(idx))).collect();
    let expected = [
        ("first", (0, 5)),
        ("Été", (0, 5)),
        (".", (5, 6)),
        ("``", (7, 8)),
        ("Do", (8, 10)),
        ("n't", (10, 13)),
        ("!", (13, 14)),
        ("''", (14, 15)),
    ];
    assert_eq!(spans, expected);
}

/// Every kind of character next to every other, and long difficult texts. The tokens are not known, but there
/// must be a result in time that grows with the text, with spans in order.
#[test]
fn any_text_is_tokenized() {
    let tokenizer = WordTokenizer::embedded().unwrap();
    let mut scratch = Scratch::default();
    let mut tokens = Tokens::new();
    let mut check = |text: &str| {
        tokens.clear();
        tokenizer.tokenize(text, &mut scratch, &mut tokens);
        check_spans(text, &tokens);
        tokens.clear();
        tokenizer.tokenize_line(text, &mut scratch, &mut tokens);
        check_spans(text, &tokens);
    };
    let kinds = "a9_ \t\n\u{1c}\0\u{7f}\u{85}\u{a0}.,:;?!'\"`-()<*&«»“”‘’„–…é\u{301}ſıİΣ你\u{200d}²\u{10ffff}";
    for a in kinds.chars() {
        for b in kinds.chars() {
            for c in kinds.chars() {
                check(&format!("{a}{b}{c}"));
                check(&format!("x{a}{b}{c}."));
            }
        }
    }
    for part in [
        "'", "\"", ".", ". ", "?\"", "-", "`", "a", "a.)", "a.\u{a0}", " ", "\n", "n't", "cannot-",
        ",", "(''", "İ",
    ] {
        check(&part.repeat(300_000 / part.len()));
    }
}

/// Spans ascend, do not overlap, and contain the token itself or the quote that it replaces.
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
