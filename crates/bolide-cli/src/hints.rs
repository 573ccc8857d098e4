//! Options of other programs: what they are called here.
//!
//! People come with sacreBLEU's command line in their fingers. Where the parser refuses a word that has a meaning
//! there, the message says what to write instead.

use std::ffi::OsString;

/// Words of other programs, and what to write instead.
const HINTS: [(&[&str], &str); 18] = [
    (&["-t", "--test-set", "--echo", "--list"], "for sacreBLEU's test sets: bolide sacrebleu"),
    (&["--metrics"], "metrics are given with -m or --metric"),
    (&["-sl", "--sentence-level"], "the scores of single segments: --segments"),
    (&["-tok", "--tokenize"], "a tokenizer is a key of the metric: -m 'bleu|tok:intl'"),
    (&["-lc", "--lowercase"], "lower case is a key of the metric: -m 'bleu|case:lc'"),
    (
        &["--smooth-method", "-sv", "--smooth-value"],
        "smoothing is a key of the metric: -m 'bleu|smooth:floor[0.1]'",
    ),
    (&["--force"], "nothing has to be forced here: leave it out"),
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
        "intervals, of a single system too: bolide compare",
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
    (&["-e", "--encoding"], "text is UTF-8 here: iconv converts it"),
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

/// The first word that another program knows, and what to write instead. `unknown` is what the parser did not
/// know; words of several letters behind one hyphen it takes for other options, so these count wherever it failed.
pub fn of<'a>(raw: &'a [OsString], unknown: Option<&str>) -> Option<(&'a str, &'static str)> {
    let words = raw.iter().filter_map(|word| word.to_str());
    let mut names = words.map(|word| word.split('=').next().unwrap_or(word));
    names.find_map(|name| {
        let glued = name.len() > 2 && !name.starts_with("--");
        let (_, hint) = HINTS.iter().find(|(names, _)| names.contains(&name))?;
        (glued || unknown == Some(name)).then_some((name, *hint))
    })
}
