//! Lower-casing a whole text, as Python's `str.lower`.

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
        *buffer = text.to_lowercase();
    }
    buffer
}
