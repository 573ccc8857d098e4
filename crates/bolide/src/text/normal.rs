//! Unicode normalisation to NFKC, and where a text may be cut without changing it.
//!
//! The tables are those of the crate `unicode-normalization`. In a browser they would be a sixth of the
//! download, so with the feature `javascript` the JavaScript engine's own are asked.

/// Whether NFKC leaves the character as it is and nothing before it can combine with it.
pub fn is_boundary(c: char) -> bool {
    c.is_ascii() || source::is_boundary(c)
}

/// Calls `each` with the characters of the text in NFKC.
pub fn nfkc(text: &str, each: impl FnMut(char)) {
    source::nfkc(text, each);
}

/// The letters that combine with the character before them, as marks do: vowels and final consonants of
/// Hangul, and two vowels of Kirat Rai.
#[cfg(test)]
fn is_combining_letter(c: char) -> bool {
    matches!(c, '\u{1161}'..='\u{1175}' | '\u{11a8}'..='\u{11c2}' | '\u{16d67}' | '\u{16d68}')
}

#[cfg(not(all(feature = "javascript", target_arch = "wasm32")))]
mod source {
    use unicode_normalization::UnicodeNormalization;
    use unicode_normalization::char::canonical_combining_class;
    use unicode_normalization::{IsNormalized, is_nfkc_quick};

    pub fn is_boundary(c: char) -> bool {
        canonical_combining_class(c) == 0 && is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes
    }

    pub fn nfkc(text: &str, each: impl FnMut(char)) {
        text.nfkc().for_each(each);
    }
}

#[cfg(all(feature = "javascript", target_arch = "wasm32"))]
mod source {
    use crate::text::character_class::is_mark;
    use js_sys::JsString;

    pub fn is_boundary(c: char) -> bool {
        // Beside marks, only vowels and final consonants of Hangul combine with what stands before them.
        let combines = is_mark(c) || matches!(c, '\u{1161}'..='\u{1175}' | '\u{11a8}'..='\u{11c2}');
        let mut buffer = [0; 4];
        let text: &str = c.encode_utf8(&mut buffer);
        !combines && normalized(text) == text
    }

    pub fn nfkc(text: &str, each: impl FnMut(char)) {
        normalized(text).chars().for_each(each);
    }

    fn normalized(text: &str) -> String {
        String::from(JsString::from(text).normalize("NFKC"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::character_class::is_mark;
    use unicode_normalization::{IsNormalized, is_nfkc_quick};

    #[test]
    fn what_may_combine_is_a_mark_or_one_of_the_letters() {
        let maybe = |c: &char| is_nfkc_quick(std::iter::once(*c)) == IsNormalized::Maybe;
        let others: Vec<char> = ('\u{80}'..=char::MAX)
            .filter(|c| maybe(c) && !is_mark(*c) && !is_combining_letter(*c))
            .collect();
        assert_eq!(others, Vec::<char>::new());
    }
}
