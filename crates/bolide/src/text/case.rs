//! Lower-cases a whole text like Python's `str.lower`.

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
        }
    }
}
