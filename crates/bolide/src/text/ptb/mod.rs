//! The Penn Treebank tokenizer of Stanford CoreNLP 3.4.1, as pycocoevalcap runs it on captions.
//!
//! The lexer reads a whole text: what a full stop is may depend on the next line. `rules` says what tokens are,
//! `automaton` finds the longest one, and this module writes it.

mod automaton;
mod characters;
mod rules;

use crate::meteor15::lowercase::lowercase;
use automaton::Automaton;
use rules::{Action, RULES};

/// Splits lines into tokens, in small letters.
///
/// ```
/// use bolide::unstable::text::ptb::Tokenizer;
///
/// let tokens = Tokenizer::new().tokenize("A man's (red) bike, isn't it?\nTwo cats.");
/// assert_eq!(tokens, "a man 's -lrb- red -rrb- bike , is n't it ?\ntwo cats .");
/// ```
#[derive(Clone, Debug)]
pub struct Tokenizer {
    lexer: Automaton,
    /// For each rule with something that must follow: its two patterns on their own.
    splits: Vec<Option<(Automaton, Automaton)>>,
}

impl Default for Tokenizer {
    fn default() -> Self {
        Self::new()
    }
}

impl Tokenizer {
    /// A tokenizer with empty buffers.
    pub fn new() -> Self {
        let sets = rules::sets();
        let automaton = |patterns: &[&str]| Automaton::new(&sets, rules::PARTS, patterns);
        let whole: Vec<String> =
            RULES.iter().map(|rule| format!("({})({})", rule.token, rule.then)).collect();
        let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
        let splits = RULES
            .iter()
            .map(|rule| {
                let two = || (automaton(&[rule.token]), automaton(&[rule.then]));
                (!rule.then.is_empty()).then(two)
            })
            .collect();
        Self { lexer: automaton(&whole), splits }
    }

    /// The tokens of a text in small letters, with blanks between them and the line ends of the text.
    pub fn tokenize(&mut self, text: &str) -> String {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut output = String::with_capacity(text.len() + text.len() / 4);
        self.lexer.begin();
        let mut at = 0;
        let mut begins = true;
        let (mut token, mut buffer) = (String::new(), String::new());
        while at < units.len() {
            let rest = &units[at..];
            let Some((number, length)) = self.lexer.longest(&units, at) else {
                at += 1;
                continue;
            };
            let length = self.length(number, &rest[..length]);
            let action = RULES[number].action;
            token.clear();
            at += write(action, &rest[..length], &mut token);
            match action {
                Action::Skip => continue,
                Action::Line => {
                    output.push('\n');
                    begins = true;
                    continue;
                }
                _ => {}
            }
            if !begins {
                output.push(' ');
            }
            begins = false;
            lowercase(&mut token, &mut buffer);
            output.push_str(&token);
        }
        output
    }

    /// How much of a match is the token, and not what must follow it.
    fn length(&mut self, number: usize, matched: &[u16]) -> usize {
        let Some((token, then)) = &mut self.splits[number] else { return matched.len() };
        let mut lengths = Vec::new();
        token.each_length(matched, |length| lengths.push(length));
        let fits = |&length: &usize| {
            let rest = &matched[length..];
            let mut whole = false;
            then.each_length(rest, |length| whole |= length == rest.len());
            whole
        };
        lengths.into_iter().rev().find(fits).unwrap_or(matched.len())
    }
}

/// Writes a token and returns how many units it used up.
fn write(action: Action, units: &[u16], token: &mut String) -> usize {
    let push = |units: &[u16], token: &mut String| {
        for c in char::decode_utf16(units.iter().copied()) {
            match c.unwrap_or('?') {
                '(' => token.push_str("-LRB-"),
                ')' => token.push_str("-RRB-"),
                ' ' => token.push('\u{a0}'),
                c => token.push(c),
            }
        }
    };
    match action {
        Action::Skip | Action::Line => {}
        Action::Keep => push(units, token),
        Action::Tag => {
            token.push_str(&String::from_utf16_lossy(units).replace(' ', "\u{a0}"));
        }
        Action::Word => {
            push(units, token);
            token.retain(|c| c != '\u{ad}');
            if token.contains('&') && token.is_ascii() {
                token.make_ascii_lowercase();
                *token = token.replace("&amp;", "&");
            }
            // A word of soft hyphens only.
            if token.is_empty() {
                token.push('-');
            }
        }
        Action::As(text) => token.push_str(text),
        Action::Double(text) => {
            push(units, token);
            if matches!(token.as_str(), "\"" | "&quot;") {
                *token = text.to_owned();
            }
        }
        Action::Two(second) => {
            push(&units[..units.len() - second], token);
            return units.len() - second;
        }
        Action::LastStop => {
            push(units, token);
            return units.len() - 1;
        }
        Action::Quotes => {
            push(units, token);
            *token = token
                .replace("&apos;", "'")
                .replace(['\u{91}', '\u{2018}', '\u{201b}', '\u{2039}'], "`")
                .replace(['\u{92}', '\u{2019}', '\u{203a}'], "'")
                .replace(['\u{93}', '\u{201c}', '\u{ab}'], "``")
                .replace(['\u{94}', '\u{201d}', '\u{bb}'], "''");
        }
        Action::Hyphens => match units.len() {
            2..=4 => token.push_str("--"),
            _ => push(units, token),
        },
        Action::SoftHyphen => token.push('-'),
        Action::Fraction => token.push_str(match units[0] {
            0xbc => "1/4",
            0xbd => "1/2",
            0xbe => "3/4",
            0x2153 => "1/3",
            _ => "2/3",
        }),
        Action::Currency => match units[0] {
            0xa2 => token.push_str("cents"),
            0xa3 => token.push('#'),
            0xa5 => push(units, token),
            _ => token.push('$'),
        },
    }
    units.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts and what the jar makes of them.
    const CASES: &[(&str, &str)] = &[
        ("", ""),
        ("\n\n", "\n\n"),
        ("I can't, I won't; cannot, gonna", "i ca n't , i wo n't ; can not , gon na"),
        ("it's rock'n'roll, y'all o'clock d'ye", "it 's rock 'n' roll , y' all o'clock d'ye"),
        ("\"a\" 'ab' \u{201c}c\u{201d} don\u{2019}t", "`` a '' ` ab ' `` c '' do n't"),
        ("Mr. X of Inc. Corp.", "mr. x of inc. . corp. ."),
        ("to the U.S. The end", "to the u.s. . the end"),
        ("plan a. The end. No. 5, no. x", "plan a . the end . no. 5 , no . x"),
        // The next line decides what a full stop is.
        ("Inc.\nSun", "inc. .\nsun"),
        ("Inc.\nsun", "inc.\nsun"),
        ("Co. Ltd and Co. Sun", "co. ltd and co. . sun"),
        ("5.x 5.y a_b.c (a-b) pro- b- c", "5.x 5 . y a_b . c -lrb- a-b -rrb- pro- b - c"),
        ("1 1/2 (123) 456-7890", "1\u{a0}1/2 -lrb-123-rrb-\u{a0}456-7890"),
        ("$5 US$5 \u{a3}5 \u{20ac}5 5\u{a2} \u{bd}", "$ 5 us$ 5 # 5 $ 5 5 cents 1/2"),
        ("a... b -- c---d ----- . . .", "a. . . b -- c -- d ----- ..."),
        (":-) ;) :)x <b>x</b> a<b", ":--rrb- ;-rrb- : -rrb- x <b> x </b> a < b"),
        ("<a x=\"(y)\"> (b) <!c (d){e}>", "<a\u{a0}x=\"(y)\"> -lrb- b -rrb- <!c\u{a0}(d){e}>"),
        ("http://a.com, x@y.com (www.a.com)", "http://a.com , x@y.com -lrb- www.a.com -rrb-"),
        ("A&amp;B &quot;x&quot; &QUOT; caf&eacute;", "a&b `` x '' &quot; caf&eacute;"),
        ("a\u{ad}b \u{ad} \u{1f600} \u{e000}x", "ab - x"),
        ("\u{3a3}\u{391}\u{3a3} \u{130}", "\u{3c3}\u{3b1}\u{3c2} i\u{307}"),
    ];

    #[test]
    fn tokens_are_those_of_the_jar() {
        let mut tokenizer = Tokenizer::new();
        for (text, tokens) in CASES {
            assert_eq!(tokenizer.tokenize(text), *tokens, "{text:?}");
        }
    }

    /// Each would be read to its end for every token: an address has no blanks, a tag no line end.
    #[test]
    fn the_time_for_a_text_without_blanks_is_proportional_to_its_length() {
        let mut tokenizer = Tokenizer::new();
        for (unit, tokens) in [("a,", "a , "), ("<!a", "< ! a "), ("a<", "a < "), ("a/$", "a / $ ")]
        {
            let n = 200_000;
            let found = tokenizer.tokenize(&unit.repeat(n));
            assert_eq!(found.len() + 1, tokens.len() * n, "{unit}: {}", &found[..40]);
            assert!(found.starts_with(tokens), "{unit}: {}", &found[..40]);
        }
        // What is remembered of one text does not count in the next.
        let (vain, address) = ("a,".repeat(200), "a,".repeat(200) + "@b.c");
        assert_eq!(tokenizer.tokenize(&vain).split(' ').count(), 400);
        assert_eq!(tokenizer.tokenize(&address), address);
        assert_eq!(tokenizer.tokenize(&vain).split(' ').count(), 400);
    }

    #[test]
    fn a_tokenizer_forgets_what_it_read() {
        let all: Vec<&str> = CASES.iter().map(|case| case.0).collect();
        let text = all.join("\nzz\n");
        let mut tokenizer = Tokenizer::new();
        let once = tokenizer.tokenize(&text);
        assert_eq!(tokenizer.tokenize(&text), once);
        assert_eq!(tokenizer.clone().tokenize(&text), once);
    }
}
