//! `cargo xtask unicode`: the two Unicode classes that the standard library lacks.
//!
//! Rust's `char` has Alphabetic, Numeric, White_Space and case. The tokenizers also need marks and decimal
//! digits; these become two lists of ranges, one `u32` each.

use unicode_properties::{
    GeneralCategory, GeneralCategoryGroup, UNICODE_VERSION, UnicodeGeneralCategory,
};

use crate::generated::write_or_check;

const OUTPUT: &str = "crates/bolide/src/text/unicode_tables.rs";

pub fn run(check: bool) -> Result<String, String> {
    let (major, minor, patch) = UNICODE_VERSION;
    let mut source = format!(
        "//! Ranges of Unicode {major}.{minor}.{patch}, written by `cargo xtask unicode`: first code point shifted\n\
         //! left by 11, plus the length. `super::character_class` reads them.\n"
    );
    write_ranges(&mut source, "MARK", "General category Mark.", |c| {
        c.general_category_group() == GeneralCategoryGroup::Mark
    })?;
    write_ranges(&mut source, "DECIMAL", "General category Decimal_Number.", |c| {
        c.general_category() == GeneralCategory::DecimalNumber
    })?;
    write_or_check(OUTPUT, source.as_bytes(), check)
}

fn write_ranges(
    source: &mut String,
    name: &str,
    what: &str,
    contains: impl Fn(char) -> bool,
) -> Result<(), String> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for c in (char::MIN..=char::MAX).filter(|&c| contains(c)) {
        let c = u32::from(c);
        match ranges.last_mut() {
            Some((first, len)) if *first + *len == c => *len += 1,
            _ => ranges.push((c, 1)),
        }
    }
    let packed: Vec<String> = ranges
        .iter()
        .map(|&(first, len)| {
            if len < 1 << 11 {
                Ok(format!("0x{:x}", first << 11 | len))
            } else {
                Err(format!("{name}: a range of {len} code points does not fit"))
            }
        })
        .collect::<Result<_, _>>()?;
    *source += &format!(
        "\n/// {what}\n#[rustfmt::skip]\npub(super) static {name}: [u32; {}] = [\n",
        packed.len()
    );
    for row in packed.chunks(8) {
        *source += &format!("    {},\n", row.join(", "));
    }
    *source += "];\n";
    Ok(())
}
