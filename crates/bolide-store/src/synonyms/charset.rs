//! The encodings of MyThes files: UTF-8, and those of one byte for a character.

/// How bytes become text.
pub enum Charset {
    Utf8,
    /// The characters of the last bytes; the bytes before them are those of Latin-1.
    Bytes(Vec<char>),
}

impl Charset {
    /// The encoding that the first line of a file names.
    pub fn of(line: &[u8]) -> Result<Charset, String> {
        let name = String::from_utf8_lossy(line);
        let name = name.trim_start_matches('\u{feff}').trim();
        let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let upper = match letters.to_ascii_uppercase().as_str() {
            "UTF8" => return Ok(Charset::Utf8),
            "ISO88591" => "",
            "ISO88592" => LATIN_2,
            "ISO885915" => LATIN_9,
            "CP1251" | "WINDOWS1251" | "MICROSOFTCP1251" => WINDOWS_1251,
            "KOI8R" => KOI8_R,
            _ => {
                let name: String = name.chars().take(40).collect();
                return Err(format!(
                    "line 1 should name an encoding, got '{name}': UTF-8, ISO8859-1, -2, -15, \
                     CP1251 and KOI8-R are read"
                ));
            }
        };
        Ok(Charset::Bytes(upper.chars().collect()))
    }

    /// The text of a line, if it is text.
    pub fn decode(&self, bytes: &[u8]) -> Option<String> {
        match self {
            Charset::Utf8 => str::from_utf8(bytes).ok().map(str::to_owned),
            Charset::Bytes(upper) => {
                let first = 256 - upper.len();
                let decode = |&byte: &u8| match usize::from(byte).checked_sub(first) {
                    Some(at) => upper.get(at).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
                    None => char::from(byte),
                };
                Some(bytes.iter().map(decode).collect())
            }
        }
    }
}

const LATIN_2: &str = "\
    \u{a0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{ad}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žż\
    ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
    ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙";
const LATIN_9: &str = "\
    \u{a0}¡¢£€¥Š§š©ª«¬\u{ad}®¯°±²³Žµ¶·ž¹º»ŒœŸ¿\
    ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
    àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ";
const WINDOWS_1251: &str = "\
    ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{fffd}™љ›њќћџ\
    \u{a0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{ad}®Ї°±Ііґµ¶·ё№є»јЅѕї\
    АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ\
    абвгдежзийклмнопрстуфхцчшщъыьэюя";
const KOI8_R: &str = "\
    ─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{a0}⌡°²·÷\
    ═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©\
    юабцдефгхийклмнопярстужвьызшэщчъ\
    ЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_encoding_has_its_letters() {
        for (name, bytes, text) in [
            ("UTF-8", "źdźbło".as_bytes(), "źdźbło"),
            ("\u{feff}utf-8 ", "ё".as_bytes(), "ё"),
            ("ISO8859-1", b"\xc6\xf8\xff", "Æøÿ"),
            ("ISO8859-2", b"\xb6\xbc\xf3\xb3", "śźół"),
            ("ISO-8859-15", b"\xa4\xbd\xe9", "€œé"),
            ("microsoft-cp1251", b"\xf1\xeb\xee\xe2\xee", "слово"),
            ("KOI8-R", b"\xd3\xcc\xcf\xd7\xcf", "слово"),
        ] {
            let charset = Charset::of(name.as_bytes()).unwrap();
            assert_eq!(charset.decode(bytes).as_deref(), Some(text), "{name}");
        }
        for upper in [LATIN_2, LATIN_9, WINDOWS_1251, KOI8_R] {
            assert!([96, 128].contains(&upper.chars().count()));
        }
        assert!(Charset::of(b"house|2").is_err());
        assert_eq!(Charset::Utf8.decode(b"\xff"), None);
    }
}
