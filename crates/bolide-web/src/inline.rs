//! Code inside a page: a content security policy names it by its hash, so that no other inline code runs.

use sha2::{Digest, Sha256};

/// The form in which a policy names an inline script or style.
pub fn hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

/// Base64 with padding.
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * at) & 63) as usize];
            out.push(if at > three.len() { '=' } else { char::from(letter) });
        }
    }
    out
}

/// The policy that a page has in its markup.
pub fn policy(html: &str) -> Option<&str> {
    let (_, rest) = html.split_once("http-equiv=\"Content-Security-Policy\" content=\"")?;
    let (policy, _) = rest.split_once('"')?;
    // It becomes a line of a response.
    (!policy.contains(char::is_control)).then_some(policy)
}

/// A page with a script of another file inside it, which its policy allows. Comments and indentation are left out.
pub(crate) fn with_script(html: &str, name: &str, script: &str) -> String {
    let lines = script.lines().map(str::trim_start).filter(|line| !line.starts_with("//"));
    let script = lines.collect::<Vec<_>>().join("\n");
    let source = "script-src 'self'";
    html.replace(
        &format!("<script src=\"{name}\"></script>"),
        &format!("<script>{script}</script>"),
    )
    .replacen(source, &format!("{source} '{}'", hash(&script)), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_the_usual_one() {
        for (text, expected) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }

    #[test]
    fn the_policy_names_the_script() {
        let html = "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'self'\">\n<script src=\"a.js\"></script>\n";
        let page = with_script(html, "a.js", "// About.\nlet a;\n  // b\n  a = 1;\n");
        assert!(page.ends_with("\n<script>let a;\na = 1;</script>\n"), "{page}");
        let expected = format!("script-src 'self' '{}'", hash("let a;\na = 1;"));
        assert_eq!(policy(&page), Some(expected.as_str()));
        assert_eq!(policy("<html>"), None);
        assert_eq!(policy(&html.replace("'self'", "\n")), None);
    }
}
