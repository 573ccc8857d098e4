//! Lower-cases a whole text like Python's `str.lower`.

use super::blocks::{self, BLOCK};

/// The text in lower case, in `buffer` if anything changes. A final capital sigma becomes `ς`, and
/// one letter may become several.
pub fn lower<'t>(text: &'t str, buffer: &'t mut String) -> &'t str {
    if text.is_ascii() {
        if !text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return text;
        }
        buffer.clear();
        buffer.push_str(text);
        buffer.make_ascii_lowercase();
    } else {
        buffer.clear();
        push_lower(text, buffer);
    }
    buffer
}

/// Whether lower-casing changes no character beyond ASCII. Most texts have only quotes and dashes there.
pub(super) fn is_lower_beyond_ascii(text: &str) -> bool {
    let (whole, rest) = text.as_bytes().as_chunks::<BLOCK>();
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    whole.iter().chain([&last]).zip((0..).step_by(BLOCK)).all(|(block, base)| {
        let mut beyond = blocks::beyond_ascii(block);
        while beyond != 0 {
            let at = base + beyond.trailing_zeros() as usize;
            beyond &= beyond - 1;
            // Bytes inside of a character start none.
            let first = text.get(at..).and_then(|text| text.chars().next());
            if first.is_some_and(|c| !c.to_lowercase().eq([c])) {
                return false;
            }
        }
        true
    })
}

/// Appends a text in lower case.
pub(super) fn push_lower(text: &str, to: &mut String) {
    if text.contains('Σ') {
        // Only this letter depends on its neighbours.
        to.push_str(&text.to_lowercase());
        return;
    }
    for c in text.chars() {
        if c.is_ascii() {
            to.push(c.to_ascii_lowercase());
        } else {
            to.extend(c.to_lowercase());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_standard_library() {
        let mut buffer = String::new();
        let every = (0..=u32::from(char::MAX)).filter_map(char::from_u32);
        for text in every.map(|c| format!("A{c}b")).chain(["ΑΣ".into(), "ΣΑΣ ÉÀ".into()]) {
            assert_eq!(lower(&text, &mut buffer), text.to_lowercase());
            let is_lower = text.to_lowercase() == text.to_ascii_lowercase();
            assert_eq!(is_lower_beyond_ascii(&text), is_lower, "{text:?}");
            let far = format!("{}{text}", "x".repeat(63));
            assert_eq!(is_lower_beyond_ascii(&far), is_lower, "{text:?}");
        }
    }
}
