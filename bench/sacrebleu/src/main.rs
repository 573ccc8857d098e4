//! Times bolide and its Rust peers on one system and its reference; see `bench/sacrebleu_family.py`.
//!
//! Arguments: repetitions, reference file, hypothesis file, second hypothesis file. Prints one line
//! for each measurement: program, task, best processor time in seconds, result.

use bolide::resample::{Sample, bootstrap, randomization_p_value};
use bolide::{AnyMetric, AnyStats, Segment, Text};
use cpu_time::ProcessTime;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, repetitions, reference, first, second] = &arguments[..] else {
        panic!("arguments: repetitions reference hypothesis other-hypothesis");
    };
    let repetitions: usize = repetitions.parse().expect("a number of repetitions");
    let (references, first, second) = (lines(reference), lines(first), lines(second));
    let report = |program: &str, task: &str, work: &mut dyn FnMut() -> f64| {
        let mut best = f64::INFINITY;
        let mut result = 0.0;
        for _ in 0..repetitions {
            let start = ProcessTime::now();
            result = work();
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{program}\t{task}\t{best}\t{result}");
    };
    for name in ["bleu", "chrf", "chrf++", "ter", "rouge1", "rouge2", "rougeL", "rougeLsum"] {
        let metric = AnyMetric::parse(name).expect("a metric");
        report("bolide", name, &mut || corpus(&metric, &first, &references));
    }
    for name in ["bleu", "chrf", "ter"] {
        let metric = AnyMetric::parse(name).expect("a metric");
        let task = format!("{name} paired bootstrap");
        report("bolide", &task, &mut || {
            let stats = [&first, &second].map(|system| statistics(&metric, system, &references));
            paired_bootstrap(&metric, &stats)
        });
        let stats = [&first, &second].map(|system| statistics(&metric, system, &references));
        let task = format!("{name} paired bootstrap, resampling only");
        report("bolide", &task, &mut || paired_bootstrap(&metric, &stats));
        let task = format!("{name} randomization, resampling only");
        report("bolide", &task, &mut || {
            let [baseline, system] = stats.each_ref().map(|stats| Sample::new(&metric, stats));
            randomization_p_value(&baseline, &system, 10_000, 12345)
        });
    }
    let reference_streams = vec![references.clone()];
    report("sacrebleu-rs", "bleu", &mut || {
        sacrebleu_rs::Bleu::default().corpus_score(&first, &reference_streams).score
    });
    report("sacrebleu-rs", "chrf", &mut || {
        sacrebleu_rs::Chrf::default().corpus_score(&first, &reference_streams).score
    });
    report("sacrebleu-rs", "ter", &mut || {
        sacrebleu_rs::Ter::default().corpus_score(&first, &reference_streams).score
    });
    let nested: Vec<Vec<String>> = references.iter().map(|line| vec![line.clone()]).collect();
    report("bleuscore", "bleu", &mut || bleuscore::compute_score(&nested, &first, 4, false, bleuscore::RefLenMethod::Closest).bleu);
}

fn lines(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    text.lines().map(|line| line.trim_end().to_owned()).collect()
}

fn statistics(metric: &AnyMetric, hypotheses: &[String], references: &[String]) -> Vec<AnyStats> {
    let mut scorer = metric.scorer();
    hypotheses
        .iter()
        .zip(references)
        .map(|(hypothesis, reference)| {
            let references = [Text::Raw(reference)];
            let segment = Segment::new(Text::Raw(hypothesis), &references).expect("a reference");
            scorer.segment(segment)
        })
        .collect()
}

fn corpus(metric: &AnyMetric, hypotheses: &[String], references: &[String]) -> f64 {
    let mut sum = metric.empty();
    let mut scorer = metric.scorer();
    for (hypothesis, reference) in hypotheses.iter().zip(references) {
        let references = [Text::Raw(reference)];
        let segment = Segment::new(Text::Raw(hypothesis), &references).expect("a reference");
        sum.merge(&scorer.segment(segment));
    }
    metric.finish(&sum).score
}

fn paired_bootstrap(metric: &AnyMetric, stats: &[Vec<AnyStats>; 2]) -> f64 {
    let samples = stats.each_ref().map(|stats| Sample::new(metric, stats));
    let scores = bootstrap(&samples, 1000, 12345);
    scores[1].p_value(&scores[0], samples[0].score() - samples[1].score())
}
