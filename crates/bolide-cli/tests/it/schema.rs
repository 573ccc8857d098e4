//! What the command prints is valid by the published JSON Schemas.
//!
//! The schemas use a dozen keywords, so a small checker here replaces a crate. An unknown keyword fails the test.

use crate::program::Folder;
use serde_json::{Map, Value};

fn schema(name: &str) -> Value {
    let path = format!("{}/../../docs/schema/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Checks a value; the error says where it differs and what was expected.
fn check(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let rules = schema.as_object().unwrap();
    for (keyword, rule) in rules {
        let holds = match keyword.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let path = rule.as_str().unwrap().strip_prefix('#').unwrap();
                check(root, root.pointer(path).unwrap(), value, at)?;
                true
            }
            "anyOf" => {
                let tried = rule.as_array().unwrap().iter().map(|one| check(root, one, value, at));
                let (fine, wrong): (Vec<_>, Vec<_>) = tried.partition(Result::is_ok);
                if fine.is_empty() {
                    return Err(format!("{at} is none of these: {wrong:?}"));
                }
                true
            }
            "type" => match rule {
                Value::Array(types) => types.iter().any(|it| is(value, it.as_str().unwrap())),
                one => is(value, one.as_str().unwrap()),
            },
            "minimum" => value.as_i64().is_none_or(|number| number >= rule.as_i64().unwrap()),
            "required" => {
                let names = rule.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                names.into_iter().all(|name| value.get(name).is_some())
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                for (idx, item) in items {
                    check(root, rule, item, &format!("{at}/{idx}"))?;
                }
                true
            }
            "properties" | "additionalProperties" => {
                members(root, rules, value, at)?;
                true
            }
            _ => return Err(format!("the schema has a keyword '{keyword}' that is not checked")),
        };
        if !holds {
            return Err(format!("{at} is {value}, which breaks {keyword} {rule}"));
        }
    }
    Ok(())
}

fn members(
    root: &Value,
    rules: &Map<String, Value>,
    value: &Value,
    at: &str,
) -> Result<(), String> {
    for (name, member) in value.as_object().into_iter().flatten() {
        let known = rules.get("properties").and_then(|known| known.get(name));
        match (known, rules.get("additionalProperties")) {
            (Some(rule), _) => check(root, rule, member, &format!("{at}/{name}"))?,
            (None, Some(Value::Bool(false))) => return Err(format!("{at} has a stray '{name}'")),
            (None, Some(rule)) => check(root, rule, member, &format!("{at}/{name}"))?,
            (None, None) => {}
        }
    }
    Ok(())
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => panic!("the schema has a type '{kind}'"),
    }
}

#[track_caller]
fn holds(name: &str, printed: &str) -> Value {
    let (schema, value) = (schema(name), serde_json::from_str(printed).unwrap());
    check(&schema, &schema, &value, "").unwrap();
    value
}

/// The dialects that need no installed table.
fn dialects() -> Vec<&'static str> {
    let built = |name: &&str| name.parse::<bolide::Metric>().is_ok();
    bolide::DIALECTS.iter().map(|dialect| dialect.name).filter(built).collect()
}

#[test]
fn scores_of_every_dialect_are_as_the_schema_says() {
    let folder = Folder::new()
        .with("ref.txt", "the cat sat on the mat\nrain\n")
        .with("a.txt", "the cat sat on a mat\n\n");
    let mut args = vec!["score", "-r", "ref.txt", "-i", "a.txt", "--format", "json", "-m"];
    args.extend(dialects());
    let plain = holds("score", folder.bolide(&args).fine());
    args.extend(["--segments", "--quiet"]);
    let segments = holds("score", folder.bolide(&args).fine());
    let n_results = |json: &Value| json["results"].as_array().unwrap().len();
    assert_eq!((n_results(&plain), n_results(&segments)), (dialects().len(), dialects().len()));
    assert_eq!(segments["results"][0]["segments"].as_array().unwrap().len(), 2);
    // Hugging Face's BLEU of an empty hypothesis is not defined: the value is null, which the schema allows.
    let is_null = |result: &Value| result["segments"][1]["score"].is_null();
    assert!(segments["results"].as_array().unwrap().iter().any(is_null));
}

#[test]
fn explanations_of_every_dialect_are_as_the_schema_says() {
    let folder = Folder::new();
    for (hypothesis, reference) in [("the cats sat", "a cat sat on the mat"), ("", "a cat")] {
        for name in dialects() {
            let args = ["explain", "-q", "-m", name, "--format", "json", hypothesis, reference];
            let value = holds("explain", folder.bolide(&args).fine());
            let aligned = bolide::dialect::find(name).unwrap().alignment;
            assert_eq!(value.get("pairs").is_some(), aligned, "{name}");
            let shows = |name: &str| value.get(name).is_some_and(|shown| !shown.is_null());
            let counted = ["bleu", "ter", "chrf:sacrebleu", "chrf++", "rouge", "rougeL:coco"];
            if counted.iter().any(|start| name.starts_with(start)) {
                let of = ["orders", "edits", "subsequence"];
                assert!(of.iter().all(|part| value.get(part).is_some()), "{name}");
                assert!(of.iter().any(|part| shows(part)) && shows("steps"), "{name}");
            }
        }
    }
}

#[test]
fn documents_of_the_other_commands_are_as_their_schemas_say() {
    let examples = format!("{}/../../examples", env!("CARGO_MANIFEST_DIR"));
    let text = |name: &str| std::fs::read_to_string(format!("{examples}/{name}")).unwrap();
    let folder = Folder::new()
        .with("r.txt", text("reference.txt"))
        .with("a.txt", text("system-a.txt"))
        .with("b.txt", text("system-b.txt"))
        .with("judged.tsv", text("judged.tsv"));
    let run = |line: &str| {
        let args: Vec<&str> = line.split(' ').chain(["--format", "json"]).collect();
        folder.bolide(&args).fine().to_owned()
    };
    for test in ["bootstrap", "randomization"] {
        let line = format!(
            "compare -r r.txt -i a.txt b.txt -m meteor ter -n 20 --correct holm --test {test}"
        );
        let value = holds("compare", &run(&line));
        assert_eq!(value["results"].as_array().unwrap().len(), 4);
    }
    let judged = "-i judged.tsv --human-column human --hypothesis-column output --reference-column reference";
    let more = "--system-column system --coefficient pearson accuracy --confidence --test -n 20";
    holds("correlate", &run(&format!("correlate {judged} {more} -m bleu ter")));
    holds("correlate", &run("correlate -i judged.tsv --human-column human --score-column human"));
    let ranked = "correlate -i judged.tsv --human-column human --score-column human --clusters";
    holds("correlate", &run(&format!("{ranked} --system-column system --item-column output")));
    let tuned = holds("tune", &run(&format!("tune {judged} -m meteor:textbook --folds 3")));
    assert_eq!(tuned["folds"].as_array().unwrap().len(), 3);
    let chosen = holds("mbr", &run("mbr -i a.txt b.txt r.txt -m chrf"));
    assert_eq!(chosen["segments"].as_array().unwrap().len(), 16);
    holds("mbr", &run("mbr -i a.txt b.txt r.txt -m chrf --matrix"));
    let args =
        ["which", "0.5", "on the mat sat the cat", "the cat sat on the mat", "--format", "json"];
    let found = holds("which", folder.bolide(&args).fine());
    assert!(!found["answers"].as_array().unwrap().is_empty());
    let numbers = "metric,score\nbleu,12.3456\nchrf,101\nmeteor,0.91\n";
    let folder = folder.with("numbers.csv", numbers);
    let audit = ["audit", "numbers.csv", "-i", "a.txt", "-r", "r.txt", "--format", "json", "-q"];
    let found = holds("audit", folder.bolide(&audit).stdout());
    assert_eq!(found["findings"].as_array().unwrap().len(), 3);
}

#[test]
fn a_document_that_differs_is_noticed() {
    let schema = schema("score");
    for (printed, expected) in [
        (r#"{"version":"1"}"#, "required"),
        (r#"{"version":1,"results":[]}"#, "type"),
        (r#"{"version":"1","results":[],"more":1}"#, "stray"),
        (r#"{"version":"1","results":[{"system":"a"}]}"#, "required"),
    ] {
        let value = serde_json::from_str(printed).unwrap();
        let problem = check(&schema, &schema, &value, "").unwrap_err();
        assert!(problem.contains(expected), "{problem}");
    }
}
