//! Worked examples and laws of `meteor:2026`.

use super::*;
use crate::registry::AnyMetric;
use crate::resources::Resources;

fn metric(name: &str) -> Meteor2026 {
    match AnyMetric::build(name, &Resources::embedded()) {
        Ok(AnyMetric::Meteor2026(metric)) => metric,
        other => panic!("{other:?}"),
    }
}

fn with_pair<T>(hypothesis: &str, reference: &str, f: impl FnOnce(Segment<'_>) -> T) -> T {
    let references = [Text::Raw(reference)];
    f(Segment::new(Text::Raw(hypothesis), &references).unwrap())
}

fn stats(name: &str, hypothesis: &str, reference: &str) -> Stats {
    with_pair(hypothesis, reference, |segment| {
        metric(name).segment(segment, &mut Scratch::default())
    })
}

fn score(name: &str, hypothesis: &str, reference: &str) -> f64 {
    with_pair(hypothesis, reference, |segment| {
        metric(name).segment_value(segment, &mut Scratch::default())
    })
}

fn explain(hypothesis: &str, reference: &str) -> Explanation {
    with_pair(hypothesis, reference, |segment| metric("meteor:2026").explanation(segment))
}

/// The matches as `hypothesis~reference:stage`, with `|` between chunks.
fn matches(explanation: &Explanation) -> String {
    let mut text = String::new();
    let mut last = 0;
    for link in &explanation.pairs {
        if !text.is_empty() {
            text.push_str(if link.chunk == last { " " } else { " | " });
        }
        last = link.chunk;
        let h = &explanation.tokens.hypothesis[link.hypothesis].text;
        let r = &explanation.tokens.reference[link.reference].text;
        match link.stage {
            "exact" => text.push_str(h),
            stage => text.push_str(&format!("{h}~{r}:{stage}")),
        }
    }
    text
}

/// Hypothesis, reference, matches, Th Tr Mh Mr, score: the table of docs/meteor-2026.md.
const EXAMPLES: [(&str, &str, &str, [u64; 4], &str); 12] = [
    (
        "the cat sat on the mat",
        "the cat sat on the mat",
        "the cat sat on the mat",
        [2300, 2300, 230_000, 230_000],
        "1.000000",
    ),
    (
        "on the mat sat the cat",
        "the cat sat on the mat",
        "on the mat | sat | the cat",
        [2300, 2300, 230_000, 230_000],
        "0.840000",
    ),
    (
        "The cats are running.",
        "the cat is running .",
        "The~the:case cats~cat:synonym are~is:synonym running .",
        [2120, 1920, 165_000, 151_000],
        "0.783994",
    ),
    (
        "a big dog barked loudly",
        "a large hound barked loudly",
        "a big~large:synonym dog~hound:synonym barked loudly",
        [2400, 2800, 216_000, 244_000],
        "0.879808",
    ),
    (
        "Gentle rain drops from the sky",
        "Rain falls gently from the sky",
        "Gentle~gently:near | rain~Rain:case drops~falls:synonym | from the sky",
        [3100, 3100, 232_000, 232_000],
        "0.628645",
    ),
    (
        "It is to insure the troops forever hearing the activity guidebook that party direct.",
        "It is the guiding principle which guarantees the military forces always being under the \
         command of the Party.",
        "It is | insure~guarantees:synonym the forever~always:synonym hearing~being:near the | \
         party~Party:case | direct~guiding:synonym | .",
        [8420, 10_920, 366_000, 384_000],
        "0.306709",
    ),
    (
        "prices rose by 3.5 % in May",
        "Prices increased by 3.5% in May",
        "prices~Prices:case by 3 . 5 % in May",
        [2640, 3140, 179_000, 179_000],
        "0.598662",
    ),
    ("completely different words", "nothing shared here", "", [2700, 2000, 0, 0], "0.000000"),
    (
        "Die Kinder spielten im Garten.",
        "Das Kind spielt in den Gärten.",
        "Kinder~Kind:synonym spielten~spielt:near Garten~Gärten:near .",
        [3020, 3020, 131_000, 107_000],
        "0.374910",
    ),
    (
        "Premiér navštívil Prahu včera",
        "Včera premiér navštívil Prahy",
        "Premiér~premiér:case navštívil Prahu~Prahy:near | včera~Včera:case",
        [3000, 3000, 200_000, 200_000],
        "0.577778",
    ),
    (
        "我昨天去了北京。",
        "昨天我去北京了。",
        "我 | 昨 天 | 去 | 了 | 北 京 | 。",
        [1420, 1420, 142_000, 142_000],
        "0.714286",
    ),
    (
        "वह कल दिल्ली गया था।",
        "वह कल दिल्ली गई थी।",
        "वह कल दिल्ली ।",
        [2020, 1920, 132_000, 132_000],
        "0.676923",
    ),
];

#[test]
fn worked_examples() {
    for (hypothesis, reference, expected, counts, value) in EXAMPLES {
        let explanation = explain(hypothesis, reference);
        assert_eq!(matches(&explanation), expected, "{hypothesis}");
        let stats = stats("meteor:2026", hypothesis, reference);
        let found = [
            stats.hypothesis_weight,
            stats.reference_weight,
            stats.hypothesis_credit,
            stats.reference_credit,
        ];
        assert_eq!(found, counts, "{hypothesis}");
        let score = score("meteor:2026", hypothesis, reference);
        assert_eq!(format!("{score:.6}"), value, "{hypothesis}");
        assert_eq!(explanation.score, score);
        assert_eq!(explanation.proven, Some(true));
    }
}

#[test]
fn the_losses_add_up() {
    for (hypothesis, reference, ..) in EXAMPLES {
        let Explanation { losses, score, .. } = explain(hypothesis, reference);
        let lost = losses.unmatched_hypothesis + losses.unmatched_reference + losses.fragmentation;
        assert!((lost - (1.0 - score)).abs() < 1e-12, "{hypothesis}: {lost} {score}");
        let costs = losses.hypothesis_words.iter().chain(&losses.reference_words);
        for cost in costs.chain(&losses.breaks) {
            assert!(cost.cost >= 0.0, "{hypothesis}: {cost:?}");
        }
    }
}

#[test]
fn a_near_match_says_which_characters_agree() {
    let explanation = explain("gently", "gentle");
    assert_eq!(explanation.pairs[0].reason, "'gentl' in common, 5 of 6 and 6 characters");
    // Full credit would gain something for one word on each side.
    let cost = |costs: &[crate::explanation::Cost]| costs.iter().map(|c| c.at).collect::<Vec<_>>();
    assert_eq!(cost(&explanation.losses.hypothesis_words), [0]);
    assert_eq!(cost(&explanation.losses.reference_words), [0]);
}

#[test]
fn keys_switch_the_stages_and_numbers() {
    for (keys, hypothesis, reference, expected) in [
        ("syn:none", "dog", "hound", 0.0),
        ("syn:none", "cats", "cat", 0.5),
        ("near:0.9", "walking", "walked", 0.7),
        ("near:0.9|syn:none", "walking", "walked", 0.0),
        ("shared:4|syn:none", "cats", "cat", 0.0),
        ("credits:1_1_0_0", "The", "the", 1.0),
        ("credits:1_1_0_0", "dog", "hound", 0.0),
        ("credits:1_0_0.25_0", "dog", "hound", 0.25),
        ("punct:0", ".", "!", 1.0),
        ("gamma:0", "b a", "a b", 1.0),
        ("gamma:1", "b a", "a b", 0.0),
        ("alpha:1", "a b", "a", 1.0),
        ("alpha:0", "a", "a b", 1.0),
    ] {
        let found = score(&format!("meteor:2026|{keys}"), hypothesis, reference);
        assert!((found - expected).abs() < 1e-12, "{keys}: {found}, expected {expected}");
    }
}

#[test]
fn keys_out_of_range_are_refused() {
    for (keys, message) in [
        ("alpha:1.5", "meteor:2026: alpha is a number from 0 to 1, got 1.5"),
        ("gamma:-1", "meteor:2026: gamma is a number from 0 to 1, got -1"),
        ("near:0.625", "meteor:2026: near is a number of two decimals at most, got 0.625"),
        ("shared:0", "meteor:2026: shared is a whole number from 1 to 255, got '0'"),
        ("syn:paraphrase", "meteor:2026: syn is one of wordnet, none, got 'paraphrase'"),
    ] {
        let name = format!("meteor:2026|{keys}");
        let problem = AnyMetric::build(&name, &Resources::embedded()).unwrap_err();
        assert_eq!(problem.to_string(), message);
    }
    for credits in ["1_0.5_0.7", "0.9_0.5_0.7_0.5", "1_0.5_0.7_0.555", "1_0.5_0.7_x", "1_2_0_0"] {
        let name = format!("meteor:2026|credits:{credits}");
        let problem = AnyMetric::build(&name, &Resources::embedded()).unwrap_err();
        assert!(problem.to_string().ends_with(&format!("got '{credits}'")), "{problem}");
    }
}

#[test]
fn words_nobody_can_match_break_no_order() {
    let with_gap = stats("meteor:2026", "the old cat sat", "the cat quietly sat");
    assert_eq!((with_gap.breaks, with_gap.joints), (0, 2));
    let crossed = stats("meteor:2026", "sat the cat", "the cat sat");
    assert_eq!((crossed.breaks, crossed.joints), (1, 2));
}

#[test]
fn nothing_beside_nothing_is_the_same() {
    for (hypothesis, reference, expected) in
        [("", "", 1.0), (" ", "\u{feff}", 1.0), ("", "a", 0.0), ("a", "", 0.0), (".", "", 0.0)]
    {
        assert_eq!(score("meteor:2026", hypothesis, reference), expected);
    }
    let metric = metric("meteor:2026");
    assert_eq!(metric.finish(&Stats::default()).score, 0.0);
}

#[test]
fn the_best_reference_counts_and_the_first_of_equals() {
    let references = ["nothing here", "a cat sat", "a cat sat"].map(Text::Raw);
    let segment = Segment::new(Text::Raw("a cat sat"), &references).unwrap();
    let explanation = metric("meteor:2026").explanation(segment);
    assert_eq!((explanation.score, explanation.reference_idx), (1.0, 1));
}

#[test]
fn tokens_of_the_caller_are_taken_as_they_are() {
    let tokens: [&[&str]; 2] = [&["New York", "."], &["new york", "."]];
    let references = [Text::Tokens(tokens[1])];
    let segment = Segment::new(Text::Tokens(tokens[0]), &references).unwrap();
    let stats = metric("meteor:2026").segment(segment, &mut Scratch::default());
    assert_eq!((stats.matches, stats.hypothesis_weight), ([1, 1, 0, 0], 920));
}

#[test]
fn punctuation_is_never_near_a_word() {
    let metric = metric("meteor:2026|near:0|shared:1");
    let tokens: [&[&str]; 2] = [&["-"], &["a-b"]];
    for (hypothesis, reference) in [(tokens[0], tokens[1]), (tokens[1], tokens[0])] {
        let references = [Text::Tokens(reference)];
        let segment = Segment::new(Text::Tokens(hypothesis), &references).unwrap();
        assert_eq!(metric.segment(segment, &mut Scratch::default()).matches, [0; 4]);
    }
}

/// `role` is a synonym of `part`, and `partisan` is near it. Both matches earn 7 characters: 3.5 + 3.5 and 4.5 + 2.5.
#[test]
fn of_equal_matches_the_one_that_earns_more_of_the_reference_is_taken() {
    let one = stats("meteor:2026", "role partisan", "part");
    assert_eq!(
        (one.matches, one.hypothesis_credit, one.reference_credit),
        ([0, 0, 1, 0], 35_000, 35_000)
    );
    let turned = stats("meteor:2026", "part", "role partisan");
    assert_eq!(
        (turned.matches, turned.hypothesis_credit, turned.reference_credit),
        ([0, 0, 0, 1], 25_000, 45_000)
    );
}

#[cfg(feature = "languages")]
#[test]
fn an_imported_table_counts_only_if_its_language_is_named() {
    use crate::lexicon::synonyms::{About, Compiler, SynonymTable};
    let mut compiler = Compiler::new(crate::language::find("fi").unwrap());
    compiler.add(["talo", "rakennus"]).unwrap();
    let about = About { origin: "omw".into(), ..About::default() };
    let table = SynonymTable::from_bytes(compiler.finish(&about, |_| [1; 32]).unwrap()).unwrap();
    let name = table.name();
    let resources = Resources::embedded().with_synonyms(table);
    let found = |key: &str| -> [u64; 4] {
        let metric = AnyMetric::build(&format!("meteor:2026|{key}"), &resources);
        let Ok(AnyMetric::Meteor2026(metric)) = metric else { panic!("{metric:?}") };
        let pair = ("Vanha talo large", "vanha rakennus big");
        with_pair(pair.0, pair.1, |segment| {
            metric.segment(segment, &mut Scratch::default()).matches
        })
    };
    assert_eq!(found("syn:wordnet"), [0, 1, 1, 0]);
    assert_eq!(found("syn:none"), [0, 1, 0, 0]);
    let full = format!("language:fi|syn:{name}");
    for key in ["language:fi", "language:fi|syn:omw-fi", &full] {
        assert_eq!(found(key), [0, 1, 1, 0], "{key}");
    }
    let explained = AnyMetric::build("meteor:2026|language:fi", &resources);
    let Ok(AnyMetric::Meteor2026(metric)) = explained else { panic!("{explained:?}") };
    let signature = metric.signature().to_string();
    assert!(signature.starts_with(&format!("meteor:2026|{full}|near:0.6|")), "{signature}");
    assert!(!signature.contains("wordnet"), "{signature}");
    let reason = with_pair("talo", "rakennus", |segment| metric.explanation(segment));
    assert!(reason.pairs[0].reason.contains("rakennus"), "{:?}", reason.pairs);
    for (key, message) in [
        ("syn:omw-fi", "syn is one of wordnet, none"),
        ("language:fi|syn:strange-fi", "or the name of a table, got 'strange-fi'"),
        ("language:sv|syn:omw-sv", "there is no table omw-sv"),
        ("language:fi|syn:omw-fi-00000000", "which is not installed"),
    ] {
        let error = AnyMetric::build(&format!("meteor:2026|{key}"), &resources).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}

/// Every word is near every word of the other side. Rules for all pairs of words would count cells by the thousand million.
#[test]
fn many_words_that_are_all_near_cost_little_memory() {
    let mut random = bolide_testdata::random::Random(1);
    let mut words = |start: &str, middles: &[&str], ends: &str, n: usize| {
        let ends: Vec<char> = ends.chars().collect();
        let mut words: Vec<String> = Vec::new();
        for at in 0..n {
            let end = [ends[at / ends.len()], ends[at % ends.len()]].iter().collect::<String>();
            words.extend(middles.iter().map(|middle| format!("{start}{middle}{end}")));
        }
        for at in (1..words.len()).rev() {
            words.swap(at, random.below(at + 1));
        }
        words
    };
    let hypothesis = words("qwerty", &["aa", "bb"], "cdfghijkab", 100);
    let mut reference = words("qwerty", &["zz"], "lmnopsuv0123456789", 197);
    // Not all are worth the same, so a stage must match some of them.
    reference.extend(["qwexxybblm", "qwexxybblo", "qwexxyaaln", "qwexxyaalp"].map(str::to_owned));
    let stats = stats("meteor:2026", &hypothesis.join(" "), &reference.join(" "));
    assert_eq!(stats.matches.iter().sum::<u64>(), 200);
}

/// Pairs of near words beyond the limit have no room: credit is hardly lost, and the result says so.
#[test]
fn more_near_words_than_there_is_room_for_are_counted_as_unproven() {
    let metric = metric("meteor:2026");
    let list = |c: char| (10..90).map(|n| format!("abcdefgh{c}{n} ")).collect::<String>();
    let (hypothesis, reference) = (list('x'), list('y'));
    let mut scratch = Scratch::default();
    let mut count = |most: usize| {
        scratch.matcher.possible.most = most;
        metric.read(Text::Raw(&hypothesis), Side::Hypothesis, &mut scratch);
        metric.read(Text::Raw(&reference), Side::Reference, &mut scratch);
        metric.count(Ties::Order, Stop::default(), &mut scratch)
    };
    let all = count(80 * 80);
    assert_eq!((all.matches, all.breaks, all.unproven), ([0, 0, 0, 80], 0, 0));
    let some = count(80 * 80 - 1);
    assert_eq!(some, Stats { unproven: 1, ..all.clone() });
    assert_eq!(count(500), some);
    // Less than one for each word cannot match all.
    assert!(count(70).hypothesis_credit < all.hypothesis_credit);
    assert_eq!(count(80 * 80), all);
}

/// A limit that a segment reached says nothing about the next one, not even if that has nothing to compare.
#[test]
fn near_words_without_room_are_forgotten_with_their_segment() {
    let metric = metric("meteor:2026");
    let list = |c: char| (10..90).map(|n| format!("abcdefgh{c}{n} ")).collect::<String>();
    let mut scratch = Scratch::default();
    scratch.matcher.possible.most = 500;
    for (reference, unproven) in [(list('y'), 1), (list('x'), 0)] {
        metric.read(Text::Raw(&list('x')), Side::Hypothesis, &mut scratch);
        metric.read(Text::Raw(&reference), Side::Reference, &mut scratch);
        assert_eq!(metric.count(Ties::Order, Stop::default(), &mut scratch).unproven, unproven);
    }
}

/// The formulas of precision and recall, as `bolide explain` prints them.
#[cfg(feature = "evidence")]
fn formulas(hypothesis: &str, reference: &str) -> Vec<String> {
    let evidence =
        with_pair(hypothesis, reference, |segment| metric("meteor:2026").weights_shown(segment));
    let of_words = |name: &str| name == "precision" || name == "recall";
    let steps = evidence.steps.into_iter().filter(|step| of_words(step.name));
    steps.map(|step| format!("{} = {:.4}", step.formula, step.value)).collect()
}

#[test]
#[cfg(feature = "evidence")]
fn precision_and_recall_are_shown_by_stage_and_weight() {
    assert_eq!(
        formulas("Gentle rain drops from the sky.", "Rain falls gently from the sky"),
        [
            "(13 exact + 0.5·5 case + 0.7·6 synonym + 0.5·7 near) / 31.2 = 0.7436",
            "(13 exact + 0.5·5 case + 0.7·6 synonym + 0.5·7 near) / 31 = 0.7484",
        ]
    );
    assert_eq!(formulas("the cat", "a dog"), ["0 / 8 = 0.0000", "0 / 6 = 0.0000"]);
    // Without words there is nothing to divide by.
    assert_eq!(formulas("", "a dog"), ["0 / 6 = 0.0000"]);
    assert_eq!(formulas("", ""), [""; 0]);
    // The best of several references is the one that is shown.
    let references = [Text::Raw("a dog"), Text::Raw("the cat")];
    let segment = Segment::new(Text::Raw("the cat"), &references).unwrap();
    let shown = metric("meteor:2026").weights_shown(segment).steps;
    assert_eq!((&shown[1].formula[..], shown[1].value), ("8 exact / 8", 1.0));
}
