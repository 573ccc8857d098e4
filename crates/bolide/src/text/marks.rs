//! Splits punctuation off words: the scanner that the tokenizers 13a, zh and intl share.
//!
//! All three are defined by successive substitutions over the whole line: some characters are always tokens;
//! a mark is a token after a non-digit; a mark is a token before a non-digit. The substitutions do not
//! overlap, which shows in runs of marks: after a non-digit the marks of a run are taken as one, two, two, …,
//! after a digit as two, two, …, and a remaining last mark stays with a digit that follows it (`5...6` is `5
//! . . .6`, `x...6` is `x . . . 6`). Because only this parity matters, one pass over the line gives the same
//! result.

/// The role of a character in the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Space,
    Letter,
    Digit,
    /// A token unless it is between digits.
    Mark,
    /// Always a token.
    Alone,
    /// A token after a digit.
    Hyphen,
    /// The edge of a line that is not padded with spaces.
    Edge,
}

/// The classes of one tokenizer.
pub(super) trait Rules {
    /// The class before and after the line.
    const BORDER: Class;
    /// The classes of ASCII.
    const ASCII: [Class; 128];
    /// The class of any other character.
    fn beyond_ascii(c: char) -> Class;
}

/// Passes every token of the line to `each`.
pub(super) fn split<'t, R: Rules>(text: &'t str, mut each: impl FnMut(&'t str)) {
    let mut before = R::BORDER;
    let (mut open, mut at) = (0, 0);
    while let Some((class, len)) = class_at::<R>(text, at) {
        match class {
            Class::Letter | Class::Digit | Class::Edge => at += len,
            Class::Hyphen if before != Class::Digit => at += len,
            Class::Space => {
                close(text, open, at, &mut each);
                at += len;
                open = at;
            }
            Class::Alone | Class::Hyphen => {
                close(text, open, at, &mut each);
                each(&text[at..at + len]);
                at += len;
                open = at;
            }
            Class::Mark => {
                let run = Run::read::<R>(text, at);
                let after_digit = matches!(before, Class::Digit | Class::Edge);
                let left_over = after_digit == (run.len % 2 == 1);
                let stays = left_over && matches!(run.after, Class::Digit | Class::Edge);
                if !(stays && run.len == 1) {
                    close(text, open, at, &mut each);
                    open = if stays { run.last } else { run.end };
                    text[at..open].char_indices().for_each(|(from, c)| {
                        each(&text[at + from..at + from + c.len_utf8()]);
                    });
                }
                at = run.end;
            }
        }
        before = class;
    }
    close(text, open, at, &mut each);
}

fn close<'t>(text: &'t str, open: usize, at: usize, each: &mut impl FnMut(&'t str)) {
    if open < at {
        each(&text[open..at]);
    }
}

/// A maximal run of marks.
struct Run {
    len: usize,
    last: usize,
    end: usize,
    after: Class,
}

impl Run {
    fn read<R: Rules>(text: &str, start: usize) -> Run {
        let mut run = Run { len: 0, last: start, end: start, after: R::BORDER };
        while let Some((class, len)) = class_at::<R>(text, run.end) {
            if class != Class::Mark {
                run.after = class;
                break;
            }
            run.len += 1;
            run.last = run.end;
            run.end += len;
        }
        run
    }
}

/// The class and the length of the character at a byte offset; `None` at the end.
#[inline]
fn class_at<R: Rules>(text: &str, at: usize) -> Option<(Class, usize)> {
    let &byte = text.as_bytes().get(at)?;
    if byte < 128 {
        return Some((R::ASCII[usize::from(byte)], 1));
    }
    let c = text[at..].chars().next()?;
    Some((R::beyond_ascii(c), c.len_utf8()))
}

/// The ASCII classes that 13a, zh and TER's normalisation share.
pub(super) const WESTERN: [Class; 128] = {
    let mut classes = [Class::Letter; 128];
    let mut byte = 0u8;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b'\t'..=b'\r' | 0x1c..=0x1f | b' ' => Class::Space,
            b'0'..=b'9' => Class::Digit,
            b'.' | b',' => Class::Mark,
            b'-' => Class::Hyphen,
            b'!'..=b'&' | b'('..=b'+' | b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=b'~' => {
                Class::Alone
            }
            _ => Class::Letter,
        };
        byte += 1;
    }
    classes
};
