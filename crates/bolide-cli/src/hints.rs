//! Options of other programs, and what they are called here.
//!
//! Many users know sacreBLEU's command line. If the parser refuses one of its options, the message says what to
//! write instead.

use std::ffi::OsString;

/// Words of other programs, and what to write instead.
const HINTS: [(&[&str], &str); 18] = [
    (&["-t", "--test-set", "--echo", "--list"], "for sacreBLEU's test sets: bolide sacrebleu"),
    (&["--metrics"], "metrics are given with -m or --metric"),
    (&["-sl", "--sentence-level"], "for the scores of single segments, use --segments"),
    (&["-tok", "--tokenize"], "a tokenizer is a key of the metric: -m 'bleu|tok:intl'"),
    (&["-lc", "--lowercase"], "lower case is a key of the metric: -m 'bleu|case:lc'"),
    (
        &["--smooth-method", "-sv", "--smooth-value"],
        "smoothing is a key of the metric: -m 'bleu|smooth:floor[0.1]'",
    ),
    (&["--force"], "leave it out, as nothing needs to be forced"),
    (
        &["-cw", "--chrf-word-order"],
        "the order is a key of the metric: -m chrf++ or -m 'chrf|nw:2'",
    ),
    (&["-cc", "--chrf-char-order"], "the order is a key of the metric: -m 'chrf|nc:6'"),
    (&["--chrf-beta"], "beta is a key of the metric: -m 'chrf|beta:3'"),
    (&["--chrf-lowercase"], "lower case is a key of the metric: -m 'chrf|case:lc'"),
    (&["--chrf-whitespace"], "white space is a key of the metric: -m 'chrf|space:yes'"),
    (
        &["--ter-case-sensitive", "--ter-asian-support", "--ter-no-punct", "--ter-normalized"],
        "these are keys of the metric: -m 'ter|case:mixed|asian:yes|punct:no|norm:yes'",
    ),
    (
        &["-ci", "--confidence", "-cin", "--confidence-n"],
        "for intervals, also of a single system, use bolide compare",
    ),
    (
        &[
            "-pbs",
            "--paired-bs",
            "-par",
            "--paired-ar",
            "-pbsn",
            "--paired-bs-n",
            "-parn",
            "--paired-ar-n",
        ],
        "paired tests: bolide compare --test bootstrap or randomization",
    ),
    (
        &["-nr", "--num-refs"],
        "several references: -r FILE FILE, or the columns of a table with --reference-column",
    ),
    (&["-e", "--encoding"], "text must be UTF-8: convert it with iconv"),
    (
        &[
            "--refs",
            "--references",
            "--ref",
            "--hyp",
            "--hypothesis",
            "--hypotheses",
            "--candidates",
            "--predictions",
        ],
        "references are given with -r, hypotheses with -i",
    ),
];

/// The first word that is an option of another program, and what to write instead. `unknown` is the word that the
/// parser refused. It splits `-tok` into options of one letter, so such words get a hint wherever it failed.
pub fn of<'a>(raw: &'a [OsString], unknown: Option<&str>) -> Option<(&'a str, &'static str)> {
    let words = raw.iter().filter_map(|word| word.to_str());
    let mut names = words.map(|word| word.split('=').next().unwrap_or(word));
    names.find_map(|name| {
        let glued = name.len() > 2 && !name.starts_with("--");
        let (_, hint) = HINTS.iter().find(|(names, _)| names.contains(&name))?;
        (glued || unknown == Some(name)).then_some((name, *hint))
    })
}
