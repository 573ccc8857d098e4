//! What may have happened to texts before someone scored them: the usual mistakes.

use crate::search::Texts;
use bolide::unstable::text::Tokens;
use bolide::unstable::text::thirteen_a;

/// The changed texts, each with what was done to them. Changes that change nothing are left out.
pub fn all(texts: &Texts) -> Vec<(&'static str, Texts)> {
    let same = |text: &str| text.to_owned();
    let lower = |text: &str| text.to_lowercase();
    let changed = [
        ("lower-cased first", Some(texts.map(lower, lower))),
        ("hypotheses lower-cased, references not", Some(texts.map(lower, same))),
        ("references lower-cased, hypotheses not", Some(texts.map(same, lower))),
        ("tokenised twice", Some(texts.map(tokenised, tokenised))),
        ("hypotheses tokenised twice, references once", Some(texts.map(tokenised, same))),
        ("references tokenised twice, hypotheses once", Some(texts.map(same, tokenised))),
        ("only the first sentence of each hypothesis", Some(texts.map(first_sentence, same))),
        ("only the first sentence of each text", Some(texts.map(first_sentence, first_sentence))),
        ("hypotheses and references exchanged", texts.exchanged()),
        ("references transposed: those of a segment taken for a stream", texts.transposed()),
        ("only the first reference of each segment", first_reference(texts)),
    ];
    let real = |(what, changed): (&'static str, Option<Texts>)| {
        Some((what, changed.filter(|changed| changed != texts)?))
    };
    changed.into_iter().filter_map(real).collect()
}

fn first_reference(texts: &Texts) -> Option<Texts> {
    (texts.most_references() > 1).then(|| texts.with_first_reference())
}

/// The text as a tokenizer leaves it: tokens with spaces between them.
fn tokenised(text: &str) -> String {
    let mut tokens = Tokens::new();
    thirteen_a::tokenize(text, &mut tokens);
    tokens.iter().collect::<Vec<_>>().join(" ")
}

/// The text up to the first full stop, question mark or exclamation mark that a space follows, or its first line.
fn first_sentence(text: &str) -> String {
    let line = text.split('\n').next().unwrap_or_default();
    let ends = line.char_indices().filter(|(_, c)| ['.', '!', '?', '。', '！', '？'].contains(c));
    let end = ends.map(|(at, c)| at + c.len_utf8()).find(|&end| {
        let rest = &line[end..];
        rest.is_empty() || rest.starts_with(' ') || !line[..end].is_ascii()
    });
    line[..end.unwrap_or(line.len())].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_marks_before_a_space() {
        assert_eq!(first_sentence("It rained 3.5 mm. Then it stopped."), "It rained 3.5 mm.");
        assert_eq!(first_sentence("no mark"), "no mark");
        assert_eq!(first_sentence("one line\nand another."), "one line");
        assert_eq!(tokenised("Well, yes."), "Well , yes .");
    }

    #[test]
    fn changes_that_change_nothing_are_left_out() {
        let mut texts = Texts::default();
        texts.push("a b".to_owned(), vec!["a b".to_owned()]);
        let names: Vec<&str> = all(&texts).into_iter().map(|(name, _)| name).collect();
        assert!(names.is_empty(), "{names:?}");
        texts.push("Yes. No".to_owned(), vec!["Yes. Now".to_owned()]);
        let names: Vec<&str> = all(&texts).into_iter().map(|(name, _)| name).collect();
        assert!(names.contains(&"hypotheses and references exchanged"), "{names:?}");
        assert!(names.contains(&"only the first sentence of each text"), "{names:?}");
    }
}
