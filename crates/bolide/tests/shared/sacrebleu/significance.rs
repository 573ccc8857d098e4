//! Generators, confidence, paired bootstrap and paired randomisation: every digit of NumPy 2's runs.

use super::*;
use bolide::resample::{Mt19937, Pcg64, Sample, bootstrap, randomization_p_value};

fn name(row: &Json) -> String {
    let options = row["options"].as_object().unwrap();
    let mut name = match row["metric"].as_str().unwrap() {
        "BLEU" => "bleu|sum:py311".to_owned(),
        other => other.to_owned(),
    };
    for (key, value) in options {
        name += &match (key.as_str(), value) {
            ("word_order", _) | ("smooth_value", _) => continue,
            ("tokenize", value) => format!("|tok:{}", value.as_str().unwrap()),
            ("smooth_method", value) => match options.get("smooth_value") {
                None => format!("|smooth:{}", value.as_str().unwrap()),
                Some(number) => format!("|smooth:{}[{number}]", value.as_str().unwrap()),
            },
            other => panic!("{other:?}"),
        };
    }
    name
}

#[test]
fn scores_means_intervals_and_p_values() {
    let rows = json_lines("significance.jsonl");
    assert_eq!(rows.len(), 30);
    for row in &rows {
        let subject = Subject::new(&name(row));
        let references = columns(&texts(&row["refs"]));
        let stats: Vec<Vec<Statistics>> = texts(&row["systems"])
            .iter()
            .map(|system| subject.stats(&input(system), &references))
            .collect();
        let samples: Vec<Sample<'_>> =
            stats.iter().map(|stats| Sample::new(subject.metric(), stats).unwrap()).collect();
        let n = row["n"].as_u64().unwrap() as usize;
        let seed = row["seed"].as_str().unwrap().parse().unwrap();
        let results = row["result_numpy2"].as_array().unwrap();
        assert_eq!(results.len(), samples.len());
        let test = row["test"].as_str().unwrap();
        let scores = bootstrap(&samples, if test == "paired_ar" { 0 } else { n }, seed);
        for (idx, result) in results.iter().enumerate() {
            let what = format!("{} {} of {test} {}", row["systems"][idx], row["options"], row["n"]);
            let score = samples[idx].score();
            assert_bits(score, number(&result["score"]), &what);
            if test != "paired_ar" {
                let interval = match test {
                    "confidence" => scores[idx].confidence(),
                    _ => scores[idx].interval(),
                };
                assert_bits(interval.mean, number(&result["mean"]), format!("mean: {what}"));
                assert_bits(interval.half_width, number(&result["ci"]), format!("ci: {what}"));
            }
            if idx > 0 {
                let p = match test {
                    "paired_bs" => scores[idx].p_value(&scores[0], samples[0].score() - score),
                    _ => randomization_p_value(&samples[0], &samples[idx], n, seed),
                };
                assert_bits(p, number(&result["p_value"]), format!("p: {what}"));
            }
        }
    }
}

#[test]
fn systems_scored_alone_get_the_same_samples() {
    let lines = crate::files::lines("golden/sacrebleu/inputs/ende.ref.txt");
    let references: Vec<Vec<String>> = lines.into_iter().map(|line| vec![line]).collect();
    for name in ["bleu", "chrf", "ter", "meteor:textbook", "rougeL"] {
        let subject = Subject::new(name);
        let stats = ["ende.Nemo", "ende.UEdin"].map(|s| subject.stats(&input(s), &references));
        let samples = stats.each_ref().map(|stats| Sample::new(subject.metric(), stats).unwrap());
        let together = bootstrap(&samples, 50, 3);
        for (sample, scores) in samples.iter().zip(&together) {
            assert_eq!(&bootstrap(std::slice::from_ref(sample), 50, 3)[0], scores, "{name}");
        }
        let p = randomization_p_value(&samples[0], &samples[1], 50, 3);
        assert!((1.0 / 51.0..=1.0).contains(&p), "{name}: {p}");
    }
}

#[test]
fn generators_draw_what_numpy_draws() {
    let text = crate::files::text("golden/sacrebleu/rng.json");
    let json: Json = serde_json::from_str(&text).unwrap();
    for (seed, expected) in json.as_object().unwrap() {
        let seed: u64 = seed.parse().unwrap();
        let mut generator = Pcg64::new(seed);
        for value in expected["pcg64_u64"].as_array().unwrap() {
            assert_eq!(generator.next_u64(), value.as_u64().unwrap());
        }
        for (n, values) in expected["choice"].as_object().unwrap() {
            let mut generator = Pcg64::new(seed);
            for value in values.as_array().unwrap() {
                assert_eq!(u64::from(generator.below(n.parse().unwrap())), value.as_u64().unwrap());
            }
        }
        let mut generator = Pcg64::new(seed);
        for word in expected["bool_bits"].as_array().unwrap().chunks(32) {
            let bits = generator.next_u32();
            for (at, bit) in word.iter().enumerate() {
                let expected = bit.as_u64().unwrap_or_else(|| u64::from(bit.as_bool().unwrap()));
                assert_eq!(u64::from(bits >> at & 1), expected);
            }
        }
        let Some(legacy) = expected.get("legacy_choice") else { continue };
        for (n, values) in legacy.as_object().unwrap() {
            let mut generator = Mt19937::new(seed as u32);
            for value in values.as_array().unwrap() {
                assert_eq!(u64::from(generator.below(n.parse().unwrap())), value.as_u64().unwrap());
            }
        }
    }
}
