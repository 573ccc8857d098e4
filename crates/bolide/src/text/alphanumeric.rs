//! The tokenizer of rouge-score: runs of ASCII letters and digits, in lower case.
//!
//! Every other character separates, so accents split words and other scripts vanish. Two characters beyond
//! ASCII become ASCII letters by lower-casing: `İ` leaves an `i`, the Kelvin sign a `k`.

/// Passes every token to `each`.
pub fn each_token(text: &str, buffer: &mut String, mut each: impl FnMut(&str)) {
    buffer.clear();
    let mut start = 0;
    let mut close = |buffer: &String, start: &mut usize| {
        if *start < buffer.len() {
            each(&buffer[*start..]);
            *start = buffer.len();
        }
    };
    let mut read = |c: char| match c {
        'a'..='z' | '0'..='9' => buffer.push(c),
        'A'..='Z' => buffer.push(c.to_ascii_lowercase()),
        '\u{212a}' => buffer.push('k'),
        '\u{130}' => {
            buffer.push('i');
            close(buffer, &mut start);
        }
        _ => close(buffer, &mut start),
    };
    if text.is_ascii() {
        text.bytes().for_each(|byte| read(char::from(byte)));
    } else {
        text.chars().for_each(&mut read);
    }
    close(buffer, &mut start);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut tokens = Vec::new();
        each_token(text, &mut String::new(), |token| tokens.push(token.to_owned()));
        assert_eq!(tokens, expected, "{text:?}");
    }

    #[test]
    fn everything_but_letters_and_digits_separates() {
        check("", &[]);
        check(" It's 3.5_x", &["it", "s", "3", "5", "x"]);
        check("Café日本", &["caf"]);
        check("İx \u{212a}elvin", &["i", "x", "kelvin"]);
    }

    #[test]
    fn only_two_characters_become_ascii_letters() {
        for c in ('\u{80}'..=char::MAX).filter(|&c| c != '\u{130}' && c != '\u{212a}') {
            assert!(c.to_lowercase().all(|c| !c.is_ascii()), "{c:?}");
        }
        assert_eq!('\u{130}'.to_lowercase().collect::<String>(), "i\u{307}");
    }
}
