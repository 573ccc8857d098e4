//! The rules of the Penn Treebank lexer: which patterns are tokens, and how they are written.
//!
//! They describe what the jar does, and were found by asking it: all words of up to five letters, and many longer
//! ones, as abbreviations; all triples of ASCII characters; generated text. Where a rule looks odd (a file name may
//! end in `.x`, `pro-` keeps its hyphen), the jar does that.

use super::characters::{DIGITS, LETTERS, MARKS, SYMBOLS};

/// What becomes of the text that a rule matches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    /// White space and what the lexer leaves out.
    Skip,
    /// The end of a line.
    Line,
    /// The text as it is; blanks become no-break spaces, and brackets their names.
    Keep,
    /// A tag: its blanks become no-break spaces, and its brackets stay.
    Tag,
    /// A word: soft hyphens are left out.
    Word,
    /// A fixed token.
    As(&'static str),
    /// Two words written as one; the second has this many units.
    Two(usize),
    /// An abbreviation at the end of a sentence: its full stop is also a token of its own.
    LastStop,
    /// Quotation marks and apostrophes are written in ASCII.
    Quotes,
    /// A double quotation mark, written so; its entity in capital letters stays.
    Double(&'static str),
    /// Two to four hyphens are a dash.
    Hyphens,
    /// A soft hyphen on its own.
    SoftHyphen,
    /// A vulgar fraction.
    Fraction,
    /// A currency sign with an ASCII name.
    Currency,
}

/// A rule: a token is the longest match of its pattern, if what follows matches the second one.
pub(super) struct Rule {
    pub(super) token: &'static str,
    /// What must follow. Which rule wins is decided by the length of both together.
    pub(super) then: &'static str,
    pub(super) action: Action,
}

const fn rule(token: &'static str, then: &'static str, action: Action) -> Rule {
    Rule { token, then, action }
}

/// Sets of units that the patterns name.
pub(super) fn sets() -> Vec<(&'static str, Vec<(u16, u16)>)> {
    vec![
        ("L", LETTERS.to_vec()),
        ("D", DIGITS.to_vec()),
        ("M", MARKS.to_vec()),
        ("SYMBOL", SYMBOLS.to_vec()),
        ("UPPER", upper()),
    ]
}

/// Capital letters, of the Unicode of 2013: Cherokee had no case.
fn upper() -> Vec<(u16, u16)> {
    let letters = LETTERS.iter().chain(&[(0x2160, 0x216f), (0x24b6, 0x24cf)]);
    letters
        .flat_map(|&(first, last)| first..=last)
        .filter(|unit| !(0x13a0..=0x13f4).contains(unit))
        .filter(|&unit| char::from_u32(u32::from(unit)).is_some_and(char::is_uppercase))
        .map(|unit| (unit, unit))
        .collect()
}

/// Parts of patterns.
pub(super) const PARTS: &[(&str, &str)] = &[
    ("SPACE", r"[ \t\u00a0\u2000-\u200a\u3000]"),
    ("NL", r"(\r|\r?\n|[\u000b\u000c\u2028\u2029\u0085])"),
    ("BLANK", r"({SPACE}|{NL})"),
    ("AN", r"({L}|{D})"),
    ("LET", r"({L}|{M}|\u00ad|&[aeiouAEIOU](acute|grave|uml);)"),
    ("APOS", r"(['\u0092\u2019]|&apos;)"),
    ("QUOTE", r"(['`\u0091\u0092\u2018\u2019\u201b]|&apos;)"),
    ("RUN", r"{LET}({LET}|{D})*"),
    ("WORD", r"{RUN}([.!?]{RUN})*"),
    ("CLITIC", r"{APOS}([msdMSD]|re|ve|ll)"),
    ("NOT", r"n{QUOTE}t"),
    ("BEFORE_NOT", r"([A-Za-z\u00ad])*[A-MO-Za-mo-z]\u00ad*"),
    (
        "TAG",
        r#"<([!?][A-Za-z\-][^>\r\n]*|/[A-Za-z][A-Za-z0-9_:.\-]* *|[A-Za-z][A-Za-z0-9_:.\-]*( +[A-Za-z][A-Za-z0-9_:.\-]*( *= *('[^'\r\n]*'|"[^"\r\n]*"))?)* */? *)>"#,
    ),
    ("ACRONYM", r"[A-Za-z](\.[A-Za-z])+"),
    (
        "PLACE_OR_FIRM",
        "al|ala|apr|ariz|[A]rk|assn|aug|[A]z|bhd|bldg|blvd|bros|calif|co|colo|conn|corp|cos|ct|\
         dak|dec|[D]el|esq|est|etc|ext|feb|fla|fri|ga|[I]ll|inc|ind|intl|jan|jr|jul|jun|kan|kans|\
         ky|[L]a|ltd|mar|[M]ass|md|mich|minn|[M]iss|mo|mon|mont|neb|nev|nov|oct|okla|[O]re|[P]a|\
         penn|plc|p?pt[ey]s?|rd|rt|sep|sept|seq|sq|sr|sys|tel|tenn|[T]ex|thu|thurs|tue|tues|univ|\
         va|vt|[W]ash|wed|wis|wisc|wyo|ph\\.d",
    ),
    (
        "TITLE",
        "adj|adm|adv|alex|assoc|asst|attys?|ave|brig|capt|cf|cie|cmdr|col|comdr|cpl|dept|det|dr|\
         drs|elec|ens|ft|gen|gov|govs|hon|insp|invt|jos|lieut|lt|maj|messrs|m[ft]g|mlle|mme|mr|\
         mrs|ms|msgr|mt|natl|pfc|ph|pres|profs?|pvt|rep|reps|rev|sen|sens|sfc|sgt|spc|st|ste|\
         supts?|treas|vs|wm",
    ),
    (
        "OPENING_WORD",
        "[A]|[A]n|[A]s|[A]t|[H]e|[I]f|[I]n|[I]t|[S]o|[W]e|[B]ut|[H]er|[N]ow|[O]ne|[O]ur|[S]he|\
         [T]he|[Y]et|[Y]ou|[H]ere|[L]ast|[M]any|[M]ore|[M]r\\.|[M]s\\.|[O]nce|[S]ome|[S]uch|\
         [T]hat|[T]hen|[T]hey|[T]his|[W]hat|[W]hen|[A]bout|[A]ccording|[A]dditionally|[A]fter|\
         [E]arlier|[H]owever|[O]ther|[S]ince|[T]heir|[T]here|[T]hese|[W]hile",
    ),
    ("SENTENCE", r"{BLANK}({BLANK}|{UPPER}|{TAG})"),
    ("OPENING", r"{BLANK}+({OPENING_WORD}|{TAG}){BLANK}"),
    ("NUM", r"({D}+|{D}*([.:,\u00ad\u066b\u066c]{D}+)+)"),
    ("HYPHEN", r"[\-_\u058a\u2010\u2011]"),
    ("HYPHENED", r"[A-Za-z0-9][A-Za-z0-9.,\u00ad]*(-([A-Za-z0-9\u00ad]+|{ACRONYM}\.))+"),
    ("THING", "([dDoOlL]{QUOTE}{AN})?{AN}+({HYPHEN}([dDoOlL]{QUOTE}{AN})?{AN}+)*"),
    ("CAPITALS", r"[A-Z]+((&|&amp;|\+)[A-Z]+)+"),
    // Parts of addresses; that of a host without `www` has no digits and no capitals.
    ("ADDRESS", r#"[^ \t\n\u000c\r"<>|(){}]"#),
    ("ADDRESS_END", r#"[^ \t\n\u000c\r"<>|(){}.!?,\-]"#),
    ("PATH", r#"[^ \t\n\u000c\r"<>|()]"#),
    ("LABEL", r#"[^ \t\n\u000c\r"<>|(){}.!?,]"#),
    ("PLAIN_LABEL", r#"[^ \t\n\u000c\r"<>|(){}.!?,-_`'$]"#),
    ("MAILBOX", r#"[^ \t\n\u000c\r"<>|(){}\u00a0]"#),
    ("HOST", r#"[^ \t\n\u000c\r"<>|(){}\u00a0.]"#),
    ("GAP", r"[ \u00a0]"),
];

use Action::{
    As, Currency, Double, Fraction, Hyphens, Keep, LastStop, Line, Quotes, Skip, SoftHyphen, Tag,
    Two, Word,
};

/// The rules; among equally long matches the first wins.
pub(super) const RULES: &[Rule] = &[
    rule("cannot", "", Two(3)),
    rule("gonna|gotta|lemme|gimme|wanna", "", Two(2)),
    rule("'t(is)", "", Two(2)),
    rule("'t(was)", "", Two(3)),
    rule("{TAG}", "", Tag),
    rule(r"&(md|mdash|ndash);|[\u0096\u0097\u2013-\u2015]", "", As("--")),
    rule("&amp;", "", As("&")),
    rule("&(ht|tl|ur|lr|qc|ql|qr|odq|cdq|#[0-9]+);", "", Keep),
    rule("{WORD}", "{CLITIC}", Word),
    rule("{BEFORE_NOT}", "{NOT}", Word),
    rule("{WORD}", "", Word),
    rule(
        r"{APOS}n{APOS}?|[lLdDjJ]{APOS}|dunkin{APOS}|somethin{APOS}|ol{APOS}|{APOS}em|[A-HJ-XZn]{QUOTE}{L}{2}{L}*|{APOS}[2-9]0s|{APOS}till?|{APOS}cause|{L}+[aeiouyAEIOUY]{QUOTE}[aeiouA-Z]{L}*|c{APOS}mon|c{APOS}est|cap{APOS}n|e'er|o{QUOTE}o",
        "",
        Keep,
    ),
    rule("{APOS}[0-9]{2}", "{BLANK}", Keep),
    rule(r"y{APOS}", "{L}", Keep),
    rule("https?://{ADDRESS}+{ADDRESS_END}", "", Keep),
    rule(
        r"(www\.({LABEL}+\.)+[a-zA-Z]{2,4}|({PLAIN_LABEL}+\.)+(com|net|org|edu))(/{PATH}+{ADDRESS_END})?",
        "",
        Keep,
    ),
    rule(r"(&lt;|<)?[a-zA-Z0-9]{MAILBOX}*@({HOST}+\.)*{HOST}+(&gt;|>)?", "", Keep),
    rule(r"@[A-Za-z_][A-Za-z_0-9]*", "", Keep),
    rule(r"#{LET}+", "", Keep),
    rule("{CLITIC}", "[^A-Za-z]", Quotes),
    rule("{NOT}", "", Quotes),
    rule(r"{D}{1,2}[\-/]{D}{1,2}[\-/]{D}{2,4}", "", Keep),
    rule(r"[\-+]?{NUM}", "", Word),
    rule(
        r"[\u207a\u207b\u208a\u208b]?([\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+|[\u2080-\u2089]+)",
        "",
        Keep,
    ),
    rule(r"({D}{1,4}[\- \u00a0])?{D}{1,4}(\\?/|\u2044){D}{1,4}", "", Keep),
    rule(r"[\u00bc\u00bd\u00be\u2153\u2154]", "", Fraction),
    rule(r"-(RRB|LRB|RCB|LCB|RSB|LSB)-|c\+\+|(c|f)#|(pro|anti)-", "", Keep),
    rule(r"[a-zA-Z0-9]+(-[A-Za-z]+){0,2}(\\?/[A-Za-z0-9]+(-[A-Za-z]+){0,2}){1,2}", "", Keep),
    rule(r"[A-Z]*\$|#", "", Keep),
    rule(r"[\u00a2-\u00a5\u0080\u20a0\u20ac]", "", Currency),
    rule(r"(co|p?pt[ey]s?)\.", "{SPACE}(ltd|lim)", Keep),
    rule(r"({PLACE_OR_FIRM})\.", "{SENTENCE}", LastStop),
    rule(r"({PLACE_OR_FIRM})\.", r"[^][^]", Keep),
    rule(r"({PLACE_OR_FIRM})\.", "", LastStop),
    rule(r"[A-Za-z]\.", "{OPENING}", Two(1)),
    rule(r"{ACRONYM}\.", "{OPENING}", LastStop),
    rule(r"[A-Za-z]\.|{ACRONYM}\.?", "", Keep),
    rule(r"({TITLE})\.", "", Keep),
    rule(
        r"({LET}|{D})+(\.({LET}|{D})+)*\.(bat|bmp|c|cgi|class|cpp|dll|docx?|exe|gif|gz|h|html?|jar|java|jpe?g|mov|mp3|pdf|php|pl|png|ppt|ps|py|sql|tar|txt|wav|x|xml|zip)",
        "{BLANK}|[.?!,]",
        Keep,
    ),
    rule(r"(art|ca|figs?|nos?|op|pp|prop)\.", "{BLANK}?{D}", Keep),
    rule(r"({WORD}|{HYPHENED}|{THING}|{CAPITALS})\.", r"[,;:\u3001]", Word),
    rule(
        r"(\([0-9]{2,3}\){GAP}?|(\+\+?)?([0-9]{2,4}[\- \u00a0])?[0-9]{2,4}[\- \u00a0])[0-9]{3,4}[\- \u00a0]?[0-9]{3,5}|(\+\+?)?([0-9]{2,4}\.)?[0-9]{2,4}\.[0-9]{3,4}\.[0-9]{3,5}",
        "",
        Keep,
    ),
    rule(r#""|&quot;"#, "[A-Za-z0-9$]", Double("``")),
    rule(r#""|&quot;"#, "", Double("''")),
    rule("<|&lt;", "", As("<")),
    rule(">|&gt;", "", As(">")),
    rule(r"[<>]?[:;=]['\-o*]?[()DPdpO\\{@|\[\]]", "[^A-Za-z0-9]", Keep),
    rule(
        r"[\-\^x=~<>']_[\-\^x=~<>']|\([\-\^x=~<>'][_.]?[\-\^x=~<>']\)|\([\^x=~<>']-[\^x=~<>'`]\)",
        "",
        Keep,
    ),
    rule(r"[(]", "", As("-LRB-")),
    rule(r"[)]", "", As("-RRB-")),
    rule(r"[\[]", "", As("-LSB-")),
    rule(r"[\]]", "", As("-RSB-")),
    rule(r"[{]", "", As("-LCB-")),
    rule(r"[}]", "", As("-RCB-")),
    rule("-+", "", Hyphens),
    rule(r"\.{3,5}|(\.{GAP}){2,4}\.|[\u0085\u2026]", "", As("...")),
    rule(r"@+|#+|_+", "", Keep),
    rule(r"\*+|(\\\*){1,3}", "", Keep),
    rule(r"[,;:\u3001]", "", Keep),
    rule("[?!]+", "", Keep),
    rule(r"[.%+&~^|\\/=<>\u2044]|{SYMBOL}", "", Keep),
    rule("{HYPHENED}", "", Word),
    rule("{THING}", "", Word),
    rule("{CAPITALS}", "", Word),
    rule("'", r"[A-Za-z][^ \t\n\r\u00a0]", As("`")),
    rule("{CLITIC}", "", Quotes),
    rule(r"{APOS}|``|''|[`\u2018-\u201f\u0091-\u0094\u2039\u203a\u00ab\u00bb]{1,2}", "", Quotes),
    rule("<<|>>", "", Keep),
    rule(r"\u00ad", "", SoftHyphen),
    rule("{SPACE}+|&nbsp;", "", Skip),
    rule("{NL}", "", Line),
];
